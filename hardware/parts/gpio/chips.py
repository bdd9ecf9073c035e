"""Finds the GPIO chip of a Raspberry Pi's 40-pin header, by label or by the device tree, never by number."""

from collections.abc import Mapping
from pathlib import Path

from gpiozero import PinUnknownPi

from hardware.header_chip import header_chips


def header_chip(labels: Mapping[Path, str], root: Path = Path("/")) -> Path:
    """The one chip of the header. Raises `PinUnknownPi`, with the chips there are."""
    chips = header_chips(labels, root)
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


def number(chip: Path) -> int:
    """The number of a chip, `/dev/gpiochip0`."""
    return int(chip.name.removeprefix("gpiochip"))
