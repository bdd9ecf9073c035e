"""Turns of the control: down is the next in a list and less in a number; clockwise is the next and more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import games
from firmware.table.app import PartState
from firmware.table.menus import Options
from firmware.table.question import chosen
from hardware.config import kit
from hardware.parts.buttons import Edge
from tests.simulators.rig import Rig

WAYS = {"down": (-1, False), "up": (1, False), "clockwise": (1, True), "anticlockwise": (-1, True)}
CHECKING = "game[kitty_paw 2] +P1,P2 3100 -P1,P2 2000 P1 300 P2 2000"  # P1 has called: is the pattern right?


def turn(rig: Rig, way: str) -> Rig:
    steps, knob = WAYS[way]
    rig.control.turn(steps, at_ns=rig.now_ns, knob=knob)
    rig.app.step(rig.now_ns)
    return rig


@pytest.fixture(params=["duo", "table"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    """A kit with ▲▼, and one with a knob."""
    rig = Rig(tmp_path, kit(request.param))
    yield rig
    rig.close()


@pytest.fixture
def arrows(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, kit("duo"))
    yield rig.do(CHECKING)
    rig.close()


def stands_at(rig: Rig) -> object:
    return chosen(rig.playing.question, rig.playing.entry)


@pytest.mark.parametrize(
    ("line", "way", "row"), [("", "down", 1), ("", "clockwise", 1), ("turn-1", "up", 0), ("turn-1", "anticlockwise", 0)]
)
def test_down_and_clockwise_go_on_in_a_list(either: Rig, line: str, way: str, row: int) -> None:
    assert turn(either.do(line), way).row() == games.rules(games.names()[row]).title


def move(rig: Rig, line: str, moves: str) -> Rig:
    """Move a contact of the arrows: + closes, - opens, each so many ms after the last."""
    for each in moves.split():
        rig.after(int(each[1:])).app.post(Edge(line, each[0] == "+", rig.now_ns))
        rig.after(0)
    return rig.after(200)


@pytest.mark.parametrize("moves", ["+0 -1 +1 -700", "+0 -5", "+0 -100 +1 -1"], ids=["held", "short", "let go"])
def test_each_tap_of_an_arrow_is_one_step_however_it_bounces(either: Rig, moves: str) -> None:
    assert move(either, "down", moves).row() == games.rules(games.names()[1]).title
    assert move(either, "up", moves).row() == games.rules(games.names()[0]).title


def test_an_arrow_held_as_its_line_left_counts_anew(either: Rig) -> None:
    move(either, "down", "+0")
    for text in ("control down lost: GPIO 13: its chip is gone", None):
        either.app.post(PartState("control down", text))
    assert move(either, "down", "+0").row() == games.rules(games.names()[2]).title


@pytest.mark.parametrize("way", ["down", "clockwise", "up", "anticlockwise"])
def test_a_turn_gives_up_the_order_of_seats(rig: Rig, way: str) -> None:
    assert isinstance(turn(rig.do("[Kitty Paw] P1 P2 P3 ok [Seat order] P3"), way).app.table.top, Options)


@pytest.mark.parametrize("way", ["down", "clockwise"])
def test_an_option_in_words_is_a_list(either: Rig, way: str) -> None:
    menu = turn(either.do("[Kitty Paw] P1 P2 ok [Mixed deck]"), way).app.table.top
    assert isinstance(menu, Options) and menu.options.mixed_deck is True


@pytest.mark.parametrize(("way", "value"), [("down", 5), ("up", 7), ("clockwise", 7), ("anticlockwise", 5)])
def test_down_and_anticlockwise_are_less_in_a_number(either: Rig, way: str, value: int) -> None:
    assert stands_at(turn(either.do(f"{CHECKING} yes"), way)) == value  # what is the card worth?


@pytest.mark.parametrize("way", WAYS)
def test_beside_a_knob_every_step_chooses_the_other_answer_and_gives_none(rig: Rig, way: str) -> None:
    before = rig.do(CHECKING).playing.play
    turn(rig, way)
    assert (stands_at(rig), rig.playing.play) == ("no", before)


def test_beside_a_knob_ok_answers_what_was_chosen(rig: Rig) -> None:
    assert turn(rig.do(CHECKING), "down").ok().scores == (-1, -1)


@pytest.mark.parametrize(("way", "scores"), [("up", (0, -1)), ("down", (-1, -1))])
def test_an_arrow_that_is_fitted_answers_at_once(arrows: Rig, way: str, scores: tuple[int, ...]) -> None:
    assert turn(arrows, way).scores == scores


@pytest.mark.parametrize(("way", "asks"), [("anticlockwise", "worth"), ("clockwise", "remove")])
def test_beside_arrows_left_is_yes_and_right_is_no_as_they_stand(arrows: Rig, way: str, asks: str) -> None:
    assert asks in turn(arrows, way).reads()
