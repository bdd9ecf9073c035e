"""`luckypaw strip test`: every picture is named and shown, and faults of the strip are reported."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.cli.strip import called, dots
from firmware.setup.strip_test import MOMENTS, PLAIN, colour_fault, sights
from hardware.parts.strip import OFF, Colour, Pixels, Rhythm, lamp
from tests.firmware.command import Ran
from tests.simulators.plugged_wled import PluggedWled
from tests.simulators.rig import Rig
from tests.simulators.terminal import WAYS, Terminal
from tests.simulators.waiting import comes

pytestmark = pytest.mark.slow

LEDS = 30
CTRL_C = WAYS["Ctrl-C"].end
NAMES = ("P1", "P2", "P3", "P4", "P5", "P6")
KIT = """
control = { kind = "knob", a = 17, b = 27, push = 24 }
players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }, { name = "P3", button = 22 }]
"""


def described(folder: Path, port: Path) -> Path:
    """The description of a kit with a strip at this port."""
    file = folder / "kit.toml"
    file.write_text(f'{KIT}\n[strip]\nport = "{port}"\nleds = {LEDS}\n')
    return file


@pytest.mark.parametrize("players", range(2, 7))
def test_plain_pictures_come_first(players: int) -> None:
    assert sights(NAMES[:players])[: len(PLAIN)] == PLAIN


@pytest.mark.parametrize("players", [2, 4])
def test_games_for_a_usual_table_come_to_every_moment(players: int) -> None:
    found = [sight.name for sight in sights(NAMES[:players])[len(PLAIN) :]]
    assert found == ["no game", *(moment.name for moment in MOMENTS)]


def test_every_picture_is_as_long_as_the_strip_and_has_its_own_look() -> None:
    shown = sights(NAMES[:4])
    assert {len(sight.pixels(leds)) - leds for sight in shown for leds in (8, 60, 300)} == {0}
    assert len({sight.pixels(60) for sight in shown}) == len(shown)


def test_players_are_called_by_their_names() -> None:
    (end,) = (sight.look for sight in sights(("Ann", "Ben", "Cat")) if sight.name == "the end")
    assert re.match(r"(Ann|Ben|Cat) won: ", end) is not None


def test_those_who_sat_there_last_are_called_by_their_names(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "none"))
    assert called(NAMES[:3]) == NAMES[:3]
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    rig.do("people[Anna Ben] [Kitty Paw] P1*2 P3*2 ok*2").close()
    assert called(NAMES[:3]) == ("Anna", "P2", "Ben")


def test_plain_pictures_do_not_move() -> None:
    assert {colour for sight in PLAIN for colour in sight.pixels(8)} == {
        OFF,
        *(lamp(Colour(*parts)) for parts in [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]),
    }


def test_dots_are_coloured_dark_lamps_are_points_and_below_stands_how_they_move() -> None:
    assert dots((Colour(254, 0, 0), OFF)) == "       \x1b[38;2;254;0;0m●\x1b[38;2;70;70;70m·\x1b[0m"
    row = (OFF, *(lamp(Colour(254, 0, 0), moves) for moves in (Rhythm.BREATHE, Rhythm.FLASH, Rhythm.CHASE)), OFF)
    assert dots(row).splitlines()[1] == "        ~!>"
    assert [line.count("·") for line in dots((OFF,) * 130).splitlines()] == [60, 60, 10]


def test_emulated_every_picture_is_printed_with_a_dot_for_every_lamp(tmp_path: Path) -> None:
    kit = described(tmp_path, Path("/dev/none"))
    ran = Ran(("--config", kit, "strip", "test", "--emulated", "--seconds", "0.01"), tmp_path)
    names = [line[7:] for line in ran.lines if re.match(r" *\d+/\d+  ", line)]
    assert (ran.status, ran.err, names) == (0, "", [sight.name for sight in sights(NAMES[:3])])
    assert ran.out == (Path(__file__).parent / "golden" / "strip_test.txt").read_text()


def walk(kit: Path, *words: str) -> Terminal:
    """`strip test` on a terminal, at a controller's port."""
    return Terminal(sys.executable, "-m", "firmware", "--config", kit, "strip", "test", *words)


@pytest.fixture
def wled(tmp_path: Path) -> Iterator[PluggedWled]:
    """A strip's controller, not plugged in yet."""
    controller = PluggedWled(tmp_path, LEDS)
    yield controller
    controller.unplug()


def shows(wled: PluggedWled, picture: Pixels) -> bool:
    return comes(lambda: wled.lamps == picture)


def test_a_strip_shows_the_pictures_and_is_dark_after_ctrl_c(tmp_path: Path, wled: PluggedWled) -> None:
    wled.plug()
    with walk(described(tmp_path, wled.port), "--seconds", "3600") as terminal:
        red = shows(wled, PLAIN[0].pixels(LEDS))
        terminal.type("\n")
        green = shows(wled, PLAIN[1].pixels(LEDS))
        status = terminal.end(CTRL_C)
    assert (red, green, status, shows(wled, (OFF,) * LEDS)) == (True, True, 130, True)


def test_a_strip_takes_every_picture_and_wrong_colours_are_named_with_what_to_set(
    tmp_path: Path, wled: PluggedWled
) -> None:
    wled.plug()
    with walk(described(tmp_path, wled.port), "--seconds", "0.1") as terminal:
        terminal.says("Were they red, green, blue?")
        terminal.type("grb\n")
        terminal.says("The strip's colour order is RGB, where GRB is set.")
        assert (terminal.end(lambda _: None), wled.wled.faults) == (0, [])


def test_what_is_named_at_a_strip_that_is_there_is_said(tmp_path: Path, wled: PluggedWled) -> None:
    wled.wled.live = "E1.31"
    wled.plug()
    with walk(described(tmp_path, wled.port), "--seconds", "3600") as terminal:
        terminal.says("    !  strip: another program holds it live: E1.31, 192.168.1.20")
        terminal.says("all red")
        terminal.end(CTRL_C)


# what people see as red, green and blue are shown, and where GRB is set the order that the strip has
ORDERS = {"GRB": "RGB", "GBR": "BGR", "BRG": "RBG", "BGR": "GBR", "RBG": "BRG"}


@pytest.mark.parametrize(("seen", "order"), ORDERS.items())
def test_a_wrong_colour_order_is_named(seen: str, order: str) -> None:
    byte = {letter: "GRB".index(letter) for letter in "RGB"}  # that a controller lights for a colour
    assert "".join(order[byte[letter]] for letter in "RGB") == seen  # the strip takes it for that
    assert (colour_fault(seen) or "").startswith(f"The strip's colour order is {order}, where GRB is set.")


def test_right_colours_are_no_fault() -> None:
    assert colour_fault("RGB") is None


@pytest.mark.parametrize("seen", ["RRR", "XGB", "GR", "RGBW"])
def test_colours_that_are_no_order_are_another_fault(seen: str) -> None:
    assert (colour_fault(seen) or "").startswith("That is no colour order. The kind of lamp may be wrong")


def test_a_strip_that_comes_late_is_lost_and_comes_back_is_said_and_shows_the_picture(
    tmp_path: Path, wled: PluggedWled
) -> None:
    with walk(described(tmp_path, wled.port), "--seconds", "3600") as terminal:
        terminal.says("Plug it in within")  # it is looked for
        wled.plug()
        terminal.says("all red")
        wled.unplug()
        terminal.says("strip lost: ")
        wled.plug()
        terminal.says(f"the strip is there, {LEDS} lamps")
        assert shows(wled, PLAIN[0].pixels(LEDS))
        terminal.end(CTRL_C)


def test_no_strip_is_status_1_and_says_why(tmp_path: Path) -> None:
    port = tmp_path / "nothing"
    ran = Ran(("--config", described(tmp_path, port), "strip", "test"), tmp_path)
    assert (ran.status, ran.err) == (1, f"luckypaw: strip lost: {port} is not there\n")
