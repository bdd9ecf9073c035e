"""What a turn does: down is the next in a list and less in a number, clockwise is the next and more, in either kit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import games
from firmware.table.menus import Options
from firmware.table.question import chosen
from hardware.config import kit
from tests.simulators.rig import Rig, flash

WAYS = {"down": (-1, False), "up": (1, False), "clockwise": (1, True), "anticlockwise": (-1, True)}


@pytest.fixture(params=["duo", "table"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    """A kit with ▲▼, and one with a knob."""
    rig = Rig(tmp_path, kit(request.param))
    yield rig
    rig.close()


@pytest.fixture
def arrows(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, kit("duo"))
    yield rig
    rig.close()


def turn(rig: Rig, way: str) -> Rig:
    steps, knob = WAYS[way]
    rig.control.turn(steps, at_ns=rig.now_ns, knob=knob)
    rig.app.step(rig.now_ns)
    return rig


def checking(rig: Rig) -> Rig:
    """P1 has called, P2 has answered: is the pattern right?"""
    flash(rig.begin("Kitty Paw", "P1", "P2"), "P1", "P2").tap("P1").after(300).tap("P2").after(2000)
    assert rig.playing.question.control is not None and rig.playing.question.control.options == ("yes", "no")
    return rig


def worth(rig: Rig) -> Rig:
    """The pattern was right: what is the card worth?"""
    return checking(rig).yes()


def stands_at(rig: Rig) -> object:
    return chosen(rig.playing.question, rig.playing.entry)


def edited(rig: Rig, option: str) -> Rig:
    """The options of Kitty Paw, with one of them being changed."""
    while rig.row() != "Kitty Paw":
        rig.arrow(-1)
    rig.ok().tap("P1").tap("P2").ok()
    while not rig.row().lower().startswith(option):
        rig.arrow(-1)
    return rig.ok()


# --- a list ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["down", "clockwise"])
def test_down_and_clockwise_go_on_in_a_list(either: Rig, way: str) -> None:
    assert turn(either, way).row() == games.rules(games.names()[1]).title


@pytest.mark.parametrize("way", ["up", "anticlockwise"])
def test_up_and_anticlockwise_go_back_in_a_list(either: Rig, way: str) -> None:
    assert turn(either.arrow(-1), way).row() == games.rules(games.names()[0]).title


@pytest.mark.parametrize("way", ["down", "clockwise"])
def test_an_option_in_words_is_a_list(either: Rig, way: str) -> None:
    menu = turn(edited(either, "mixed deck"), way).app.table.top
    assert isinstance(menu, Options) and menu.options.mixed_deck is True


# --- a number --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("way", "value"), [("down", 5), ("up", 7), ("clockwise", 7), ("anticlockwise", 5)])
def test_down_and_anticlockwise_are_less_in_a_number(either: Rig, way: str, value: int) -> None:
    assert stands_at(turn(worth(either), way)) == value


# --- yes or no -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_beside_a_knob_nothing_that_turns_answers(rig: Rig, way: str) -> None:
    before = checking(rig).playing.play
    assert turn(rig, way).playing.play is before


@pytest.mark.parametrize("way", WAYS)
def test_beside_a_knob_every_step_chooses_the_other_one(rig: Rig, way: str) -> None:
    assert stands_at(turn(checking(rig), way)) == "no"


def test_beside_a_knob_ok_answers_what_was_chosen(rig: Rig) -> None:
    turn(checking(rig), "down").ok()
    assert rig.scores == (-1, -1)


@pytest.mark.parametrize(("way", "scores"), [("up", (0, -1)), ("down", (-1, -1))])
def test_an_arrow_that_is_fitted_answers_at_once(arrows: Rig, way: str, scores: tuple[int, ...]) -> None:
    assert turn(checking(arrows), way).scores == scores


@pytest.mark.parametrize(("way", "asks"), [("anticlockwise", "worth"), ("clockwise", "remove")])
def test_beside_arrows_left_is_yes_and_right_is_no_as_they_stand(arrows: Rig, way: str, asks: str) -> None:
    assert asks in turn(checking(arrows), way).reads()
