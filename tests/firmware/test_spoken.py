"""What display and strip say in words, on a table at which something goes on."""

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.rules import Board, RaceBoard
from firmware.lights import Light
from firmware.panel.spoken import Words, strip
from hardware.config import kit
from tests.simulators.rig import Rig, flash

NAMES = ("P1", "P2", "P3")


class Ears:
    """Hears what a table says, and who sits where."""

    def __init__(self, rig: Rig) -> None:
        self.words: list[Words] = []
        self.seats: list[tuple[tuple[str, str], ...]] = []
        rig.app.on_words = self.words.append
        rig.app.on_seats = self.seats.append
        rig.after(0)

    @property
    def now(self) -> Words:
        return self.words[-1]


@pytest.fixture
def ears(rig: Rig) -> Ears:
    return Ears(rig)


def says(**given: Any) -> str:
    """The strip of three seats with nothing going on but this."""
    board = Board("turn", 1, None, (), (), (0, 0, 0), ({}, {}, {}))._replace(**given)
    return strip(Light(board), NAMES)


def race(phase: Any, *pressed: int, **given: Any) -> RaceBoard:
    return RaceBoard(phase, 0, tuple((seat, 10 * n) for n, seat in enumerate(pressed)), seats=(0, 1, 2), **given)


# --- the display -----------------------------------------------------------------------------------------------------


def test_the_texts_of_the_display_are_said_in_the_order_of_reading(rig: Rig, ears: Ears) -> None:
    rig.ok()
    assert ears.now.display.startswith("CAT Pageant. 2-4 players. Who plays?. P1. P2. P3. P4")


def test_arrows_are_said_as_words(tmp_path: Path) -> None:
    with closing(Rig(tmp_path, kit("duo"))) as rig:
        assert "up down : choose" in Ears(rig).now.display


def test_a_list_says_where_it_stands(rig: Rig, ears: Ears) -> None:
    rig.arrow(-1).after(0)
    assert ears.now.asked == "chosen: If It Fits"


def test_a_note_is_said(rig: Rig, ears: Ears) -> None:
    rig.tap("P3")
    assert "this is P3" in ears.now.display


def test_whose_turn_it_is_is_said(rig: Rig, ears: Ears) -> None:
    rig.begin("Kitty Paw", *NAMES)
    assert ears.now.asked == "asked: P1, P2, P3"


@pytest.fixture
def judged(rig: Rig, ears: Ears) -> Rig:
    """A race is over: P2 was the first."""
    return flash(rig.begin("Kitty Paw", *NAMES)).tap("P2").after(300).tap("P1").after(300)


def test_the_verdict_is_said(judged: Rig, ears: Ears) -> None:
    assert ears.now.verdict.startswith("P2 first by ")


def test_nothing_new_is_not_said_again(rig: Rig, ears: Ears) -> None:
    before = len(ears.words)
    rig.after(4000)
    assert len(ears.words) == before


def test_the_next_question_is_another_one_and_the_same_while_a_number_changes(judged: Rig, ears: Ears) -> None:
    questions = [ears.now.question]
    for turned in (judged.yes, partial(judged.arrow, 1)):
        turned()
        questions.append(ears.now.question)
    assert questions[0] != questions[1] == questions[2]


# --- who sits where --------------------------------------------------------------------------------------------------


def test_a_game_tells_who_plays_with_which_button(rig: Rig, ears: Ears) -> None:
    rig.begin("Kitty Paw", "P2", "P4")
    assert ears.seats[-1] == (("P2", "P2"), ("P4", "P4"))


def chosen(rig: Rig, row: str) -> Rig:
    """A row of the menu that Back leads to, in a game of two."""
    rig.begin("Kitty Paw", "P1", "P2").ok_hold().arrow(-1)
    while rig.row() != row:
        rig.arrow(-1)
    return rig.ok()


def test_who_has_changed_buttons_keeps_name_and_seat(rig: Rig, ears: Ears) -> None:
    chosen(rig, "Seats").tap("P3").tap("P1")
    assert ears.seats[-1] == (("P3", "P1"), ("P1", "P2"))


def test_in_the_menu_nobody_sits_anywhere(rig: Rig, ears: Ears) -> None:
    chosen(rig, "Main menu")
    assert ears.seats[-1] == ()


# --- the strip -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("light", "words"),
    [
        (Light(None), "no game"),
        (Light(None, joined=2), "2 have joined"),
        (Light(None, asleep=True), "dark: the kit sleeps"),
        (Light(None, lost=True), "red at both ends: a part does not work. no game"),
    ],
)
def test_outside_a_game_the_strip_says(light: Light, words: str) -> None:
    assert strip(light, ()) == words


SAID: dict[str, dict[str, Any]] = {
    "asked: P2": {"turn": (1,)},
    "round 2 of 5": {"round": 2, "rounds": 5},
    "scores as bars: P1 3, P2 0, P3 7": {"scores": (3, 0, 7)},
    "P3 won; scores as bars: P1 3, P2 0, P3 7": {"scores": (3, 0, 7), "highlight": {"winner": (2,)}},
    "P1, P3 won; scores as bars: P1 7, P2 0, P3 7": {"scores": (7, 0, 7), "highlight": {"winner": (0, 2)}},
    "in the order of play: P3, P1, P2; asked: P3": {"order": (2, 0, 1), "turn": (2,), "in_order": True},
    "in the order of play: P3, nobody; asked: P1": {"order": (2, None), "turn": (0,), "in_order": True},
    "all white: go": {"race": race("running")},
    "no hand on the button: P3; ready: P1, P2": {"phase": "hands", "turn": (2,), "race": race("armed")},
    "too early: P2; ready: P1, P3": {"phase": "ready", "race": race("armed", jumped=(1,))},
    "first: P2; not pressed yet: P1, P3; asked: P1, P3": {
        "turn": (0, 2),
        "race": race("answers", 1),
        "highlight": {"first": (1,)},
    },
    "level: P1, P2; not pressed yet: P3": {"race": race("tied", 0, 1), "highlight": {"tie": (0, 1)}},
    "first: P2; last: P3; asked: P1": {
        "turn": (0,),
        "race": race("over", 1, 0, 2),
        "highlight": {"first": (1,), "last": (2,)},
    },
}


@pytest.mark.parametrize("words", SAID)
def test_in_a_game_the_strip_says(words: str) -> None:
    assert says(**SAID[words]) == words
