"""Display and strip in words."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from engine.rules import Board, RaceBoard
from firmware.buttons import Button
from firmware.messages import Seated, TableNews, Words
from firmware.output.spoken import strip
from firmware.output.strip_picture import Light
from hardware.config import kit
from tests.simulators.rig import Rig

NAMES = ("P1", "P2", "P3")
What: TypeAlias = Literal["display", "chosen", "asked", "verdict"]  # of the words


class Listener:
    """Records the words of a table, and its seats."""

    def __init__(self, rig: Rig) -> None:
        self.words: list[Words] = []
        self.seats: Sequence[Seated] = []
        rig.app.follow(self.hear, "words", "seats")
        rig.after(0)

    def hear(self, news: TableNews) -> None:
        if "words" in news:
            self.words.append(news["words"])
        self.seats = news.get("seats", self.seats)

    @property
    def now(self) -> Words:
        return self.words[-1]


@pytest.fixture
def listener(rig: Rig) -> Listener:
    return Listener(rig)


def says(**given: Any) -> str:
    """The strip of three seats with nothing going on but this."""
    board = Board("turn", 1, None, (), (), (0, 0, 0), ({}, {}, {}))._replace(**given)
    return strip(Light(board), NAMES)


def race(phase: Any, *pressed: int, **given: Any) -> RaceBoard:
    return RaceBoard(phase, 0, tuple((seat, 10 * n) for n, seat in enumerate(pressed)), seats=(0, 1, 2), **given)


def test_arrows_are_said_as_words(tmp_path: Path) -> None:
    with closing(Rig(tmp_path, kit("duo"))) as rig:
        assert "up down : choose" in Listener(rig).now["display"]


OF_TWO = "game[kitty_paw 2] +P1,P2 3100 -P1,P2 2000 P2 2000"
JUDGED = "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 2000 P2 300 P1 300"  # a race is over: P2 was the first
LEVEL = "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 2000 +P1,P2 60 -P1,P2 300 P3 2000"
NAMING = "[Kitty Paw] P1 P2 P3 ok [Who begins] turn-1 turn-1"
SPOKEN: dict[str, tuple[str, What, str]] = {
    "texts of the display in the order of reading": ("ok", "display", "CAT Pageant. 2-4 players. Who plays?. P1. P2."),
    "where a list stands": ("turn-1 0", "chosen", "chosen: If It Fits"),
    "that nobody has joined yet": ("[Kitty Paw]", "chosen", "playing: nobody"),
    "who has joined": ("[Kitty Paw] P1 P3", "chosen", "playing: P1, P3"),
    "who left again": ("[Kitty Paw] P1 P3 P1", "chosen", "playing: P3"),
    "as whom they have joined": ("people[Anna Ben] [Kitty Paw] P1 P2 P2", "chosen", "playing: P1 guest, P2 Anna"),
    "who is named to begin": (NAMING, "chosen", "chosen: P2"),
    "the seats so far": ("[Kitty Paw] P1 P2 P3 ok [Seat order] P3", "chosen", "pressed: P3"),
    "what OK answers": (JUDGED, "chosen", "chosen: yes"),
    "what it answers after a turn": (f"{JUDGED} turn-1", "chosen", "chosen: no"),
    "a number of the table": (f"{JUDGED} yes turn+1", "chosen", "chosen: 7"),
    "whom OK names": (f"{LEVEL} turn-1", "chosen", "chosen: P2"),
    "whose question OK picks": ("sheet[Cribbage 2] turn-1 turn-1", "chosen", "chosen: P2"),
    "which question OK picks": ("sheet[Yahtzee 2] turn-1", "chosen", "chosen: twos"),
    "whose number was entered last": ("sheet[Wizard 3] P1 P3 P2 turn-1", "chosen", "P2: 0"),
    "the number of the only one who is asked": ("game[cat_pageant 2] P1*2", "chosen", "P1: 2"),
    "a note": ("P3", "display", "this is P3"),
    "whose turn it is": ("game[kitty_paw 3]", "asked", "asked: P1, P2, P3"),
    "the verdict": (JUDGED, "verdict", "P2 first by "),
}


@pytest.mark.parametrize(("line", "what", "words"), SPOKEN.values(), ids=SPOKEN)
def test_it_is_said(rig: Rig, listener: Listener, line: str, what: What, words: str) -> None:
    rig.do(line)
    assert words in listener.now[what]


def test_an_arrow_that_answers_at_once_chooses_nothing(tmp_path: Path) -> None:
    with closing(Rig(tmp_path, kit("duo"))) as rig:
        listener = Listener(rig)
        rig.do(OF_TWO)
        assert ("Pattern right?" in listener.now["lasting"], listener.now["chosen"]) == (True, "")


def test_nothing_is_chosen_before_a_number_stands(rig: Rig, listener: Listener) -> None:
    rig.do("sheet[Wizard 3]")
    assert listener.now["chosen"] == ""


def test_nobody_is_asked_once_a_game_was_ended(rig: Rig, listener: Listener) -> None:
    rig.do("game[kitty_paw 2] menu[End the game] 3s")
    assert ("THE END" in listener.now["lasting"], listener.now["asked"]) == (True, "")


def test_nothing_new_is_not_said_again(rig: Rig, listener: Listener) -> None:
    before = len(listener.words)
    rig.after(4000)
    assert len(listener.words) == before


def test_the_next_question_is_another_one_and_the_same_while_a_number_changes(rig: Rig, listener: Listener) -> None:
    questions = [rig.do(line) and listener.now["question"] for line in (JUDGED, "yes", "turn+1")]
    assert questions[0] != questions[1] == questions[2]


def test_a_timer_that_runs_is_not_among_what_lasts(rig: Rig, listener: Listener) -> None:
    rig.do("game[pack_the_essentials 2 turn_timer_s=60] P2 ok*2 P2 2s 3s")
    first, second = listener.words[-2:]
    assert first["display"] != second["display"] and first["lasting"] == second["lasting"]


SEATED = {
    "who plays with which button": ("[Kitty Paw] P2 P4 ok*2", (("P2", "P2", ""), ("P4", "P4", ""))),
    "who has changed buttons keeps name and seat": (
        "game[kitty_paw 2] menu[Seats] P3 P1",
        (("P3", "P1", ""), ("P1", "P2", "")),
    ),
    "and what they are called": ("people[Anna] [Kitty Paw] P1*2 P2 ok*2", (("P1", "P1", "Anna"), ("P2", "P2", ""))),
    "in the menu nobody sits anywhere": ("game[kitty_paw 2] menu[Main menu]", ()),
}


@pytest.mark.parametrize(("line", "seats"), SEATED.values(), ids=SEATED)
def test_a_table_says_who_sits_where(rig: Rig, listener: Listener, line: str, seats: tuple[object, ...]) -> None:
    rig.do(line)
    assert tuple((one["button"], one["name"], one["person"]) for one in listener.seats) == seats


@pytest.mark.parametrize(
    ("light", "words"),
    [
        (Light(None), "no game"),
        (Light(None, joined=(Button(0), Button(2))), "2 have joined"),
        (Light(None, asleep=True), "dark: the kit sleeps"),
        (Light(None, lost=True), "red at both ends: a part does not work. no game"),
    ],
)
def test_outside_a_game_the_strip_says(light: Light, words: str) -> None:
    assert strip(light, ()) == words


SAID: dict[str, dict[str, Any]] = {
    "asked: P2": {"turn": (1,)},
    "round 2 of 5": {"shows": "rounds", "round": 2, "rounds": 5},
    "scores as bars: P1 3, P2 0, P3 7": {"shows": "points", "scores": (3, 0, 7)},
    "P3 won; scores as bars: P1 3, P2 0, P3 7": {
        "shows": "winners",
        "scores": (3, 0, 7),
        "highlight": {"winner": (2,)},
    },
    "P1, P3 won; scores as bars: P1 7, P2 0, P3 7": {
        "shows": "winners",
        "scores": (7, 0, 7),
        "highlight": {"winner": (0, 2)},
    },
    "in the order of play: P3, P1, P2; asked: P3": {"order": (2, 0, 1), "turn": (2,), "shows": "places"},
    "in the order of play: P3, nobody; asked: P1": {"order": (2, None), "turn": (0,), "shows": "places"},
    "all white: go": {"shows": "go", "race": race("running")},
    "no hand on the button: P3; ready: P1, P2": {"shows": "ready", "highlight": {"missing": (2,)}},
    "too early: P2; ready: P1, P3": {"shows": "ready", "race": race("armed", jumped=(1,))},
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


def test_in_a_list_the_row_that_is_chosen_is_read_before_its_neighbours(tmp_path: Path) -> None:
    with closing(Rig(tmp_path)) as rig:
        told = list[TableNews]()
        rig.app.follow(told.append, "words")
        rig.arrow(-1)
        display = [news["words"]["display"] for news in told if "words" in news][-1]
        before, chosen, after = rig.rows[:3]
        assert display.index(chosen) < min(display.index(before), display.index(after))


def test_the_sign_of_a_total_is_read_in_words(tmp_path: Path) -> None:
    with closing(Rig(tmp_path)) as rig:
        told = list[TableNews]()
        rig.app.follow(told.append, "words")
        assert "=20" in rig.do("sheet[Golf (cards) 4] P1*2").pieces
        display = [news["words"]["display"] for news in told if "words" in news][-1]
        assert ("total 20" in display, "=" in display) == (True, False)
