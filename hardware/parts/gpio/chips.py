"""Finds the GPIO chip of a Raspberry Pi's 40-pin header, by label, never by number."""

import re
from collections.abc import Mapping
from pathlib import Path

from gpiozero import PinUnknownPi

# Zero to 3, 4, 5. Numbers differ between kernels, and the Pi 5's chip has two names in /dev.
HEADER_CHIP = re.compile(r"pinctrl-bcm2835|pinctrl-bcm2711|.*rp1.*")


def header_chip(labels: Mapping[Path, str]) -> Path:
    """The one chip that is labelled as a Raspberry Pi's header. Raises `PinUnknownPi`, with the chips there are."""
    chips = [path for path, label in labels.items() if HEADER_CHIP.fullmatch(label)]
    if len(chips) != 1:
        there = ", ".join(f"{path} ({label})" for path, label in labels.items()) or "none at all"
        raise PinUnknownPi(f"{'more than one' if chips else 'no'} GPIO chip of a Raspberry Pi's header; found: {there}")
    return chips[0]


def chip_labels(folder: Path = Path("/dev")) -> dict[Path, str]:
    """The label of each GPIO chip; or the reason why it cannot be opened."""
    import gpiod  # on Linux only

    labels = {}
    for path in sorted({path.resolve() for path in folder.glob("gpiochip*")}):  # a chip may have a second name, a link
        try:
            with gpiod.Chip(str(path)) as chip:
                labels[path] = chip.get_info().label
        except OSError as error:
            labels[path] = error.strerror or str(error)
    return labels
