"""Which GPIO chip is that of a Raspberry Pi's header. Needs nothing but Python, for the card's first program."""

import re
from collections.abc import Mapping
from pathlib import Path

# Zero to 3, 4, 5. Numbers differ between kernels, and the Pi 5's chip has two names in /dev.
LABEL = re.compile(r"pinctrl-bcm2835|pinctrl-bcm2711|.*rp1.*")
COMPATIBLE = {"brcm,bcm2835-gpio", "brcm,bcm2711-gpio", "raspberrypi,rp1-gpio"}  # the same in the device tree


def header_chips(labels: Mapping[Path, str], root: Path = Path("/")) -> list[Path]:
    """The chips that are labelled as a Raspberry Pi's header; without such a label, those of the device tree."""
    labelled = [path for path, label in labels.items() if LABEL.fullmatch(label)]
    return labelled or [path for path in labels if COMPATIBLE & _compatible(path, root)]


def _compatible(chip: Path, root: Path) -> set[str]:
    """What the device tree calls a chip."""
    try:
        return set((root / "sys/bus/gpio/devices" / chip.name / "of_node/compatible").read_text().split("\0"))
    except OSError:  # no device tree, or the chip is not of it
        return set()
