"""Each kit that is described, with real twins on kernel lines: every line is claimed as it is drawn, and works."""

from collections.abc import Iterator
from typing import NamedTuple

import gpiod
import pytest
from gpiod.line import Bias, Direction

from hardware.building.wiring import LAMP_BOARD, wires
from hardware.config import KitConfig, kit, kits
from hardware.pins import HEADER
from hardware.sizes import PI
from tests.simulators.program import Program
from tests.simulators.sim_chip import SimChip

BUS = (2, 3)  # GPIO: I2C's, which the kernel's driver has on a Raspberry Pi
PROGRAM = """
import sys
from hardware.config import kit
from hardware.kit import open_real
parts = open_real(kit(sys.argv[1]), lambda part, text: print("lost", part, flush=True))
parts.buttons.listen(lambda edge: edge.down and print("down", edge.button, flush=True))
print("ready", flush=True)
for line in sys.stdin:
    parts.lamps.show(frozenset(line.split()))
    print("lit", flush=True)
"""


class Opened(NamedTuple):
    """A kit at work in a program of its own."""

    config: KitConfig
    chip: SimChip
    program: Program
    first: list[str]  # the lines until it was ready


@pytest.fixture(scope="module", params=kits())
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    with SimChip() as chip:
        for line in range(28):
            chip.pull(line, True)
        with Program("-c", PROGRAM, request.param) as program:
            first = [program.first]
            while first[-1] not in ("ready", ""):
                first.append(program.line())
            yield Opened(kit(request.param), chip, program, first)


def drawn(config: KitConfig) -> dict[int, str]:
    """By GPIO line what a wire leads to, as in every drawing; but for buses, power and ground."""
    lines = {str(pin): line for line, pin in HEADER.items() if line not in BUS}
    return {
        lines[wire.begin.pin]: wire.end.part if wire.end.part != LAMP_BOARD else f"lamp {wire.end.pin}"
        for wire in wires(config)
        if wire.begin.part == PI and wire.begin.pin in lines
    }


def claimed(chip: SimChip) -> dict[int, gpiod.LineInfo]:
    """The lines that somebody has."""
    with gpiod.Chip(str(chip.path)) as found:
        infos = [found.get_line_info(line) for line in range(28)]
    return {info.offset: info for info in infos if info.used}


def test_every_line_is_claimed_as_drawn_and_no_other(opened: Opened) -> None:
    assert sorted(claimed(opened.chip)) == sorted(drawn(opened.config))


def test_lamps_and_buzzer_are_driven_and_all_else_is_read(opened: Opened) -> None:
    driven = {line for line, info in claimed(opened.chip).items() if info.direction == Direction.OUTPUT}
    assert driven == {line for line, part in drawn(opened.config).items() if part.startswith(("lamp", "buzzer"))}


def test_what_is_read_is_pulled_up(opened: Opened) -> None:
    read = [info for info in claimed(opened.chip).values() if info.direction == Direction.INPUT]
    assert {info.bias for info in read} == {Bias.PULL_UP}


def test_no_part_on_a_line_is_missing(opened: Opened) -> None:
    assert set(opened.first) <= {"ready", "lost strip"}  # of the strip nothing is plugged in


def test_the_wire_of_each_button_brings_its_players_press(opened: Opened) -> None:
    wired = {part: line for line, part in drawn(opened.config).items() if part.startswith("button ")}
    heard = []
    for line in wired.values():
        opened.chip.pull(line, False)
        heard.append(opened.program.line())
        opened.chip.pull(line, True)
    assert heard == [part.replace("button", "down") for part in wired]


def test_the_wire_of_each_lamp_lights_its_players_lamp(opened: Opened) -> None:
    wired = {line: int(part.removeprefix("lamp IN")) for line, part in drawn(opened.config).items() if "lamp" in part}
    names = [player.name for player in opened.config.players if player.lamp is not None]
    lit = []
    for name in names:
        opened.program.tell(f"{name}\n")
        opened.program.line()
        lit.append([channel for line, channel in wired.items() if opened.chip.value(line)])
    assert lit == [[channel] for channel in range(1, len(names) + 1)]
