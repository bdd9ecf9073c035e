"""A score sheet's game on phones and on the kit's page: numbers, boxes, partners, new totals, the table of rounds."""

from pathlib import Path
from typing import Any

import pytest

from engine import play as plays
from engine.game import Amended, NoOptions
from engine.play import Fact
from engine.rules import Action
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.output import public
from firmware.table.playing import begin
from firmware.wishes.play import Amend
from firmware.wishes.wish import Done
from tests.engine.sheets.shelf import SKAT, TICHU, WIZARD, sheet
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig
from tests.simulators.wishing import why
from tests.simulators.wishing import wished as told


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def on(rig: Rig, text: str, players: int, *answers: tuple[int | None, str, int]) -> None:
    """A game of this sheet is on the table, and these are answered at the kit."""
    names = tuple(f"P{n + 1}" for n in range(players))
    begin(rig.app.table, rules("sheet:test", read(text)), names, NoOptions())
    for seat, verb, value in answers:
        assert rig.playing.answer(Action(seat, verb, value, rig.now_ns))
    rig.after(0)


def ask(phone: Phone, verb: str) -> Any:
    return next(one for one in phone.me["asks"] if one["verb"] == verb)


FIRST = ((0, "bid", 0), (1, "bid", 0), (2, "bid", 1), (0, "won", 0), (1, "won", 0), (2, "won", 1))


def test_words_and_seats_are_answered_by_their_names(rig: Rig) -> None:
    phone = Phone(rig, "P1").say(table=True)
    on(rig, SKAT, 3)
    assert (ask(phone, "solo")["low"], ask(phone, "solo")["words"]) == (-1, ["Nobody", "P1", "P2", "P3"])
    phone.send(ask(phone, "solo")["id"], 1)
    assert (ask(phone, "value")["words"], rig.playing.play.state.round.answers[0]) == ([], (0, (1, 1, 1)))


def test_who_is_out_is_not_to_be_named(rig: Rig) -> None:
    phone = Phone(rig).say(table=True)
    asks = 'ask = [{ id = "a", kind = "seat", per = "table", low = 0 }]'
    on(rig, sheet("[3, 3]", asks, 'out = "a == seat"'), 3, (None, "a", 0))
    assert (ask(phone, "a")["words"], ask(phone, "a")["prefill"]) == (["", "P2", "P3"], 1)


def test_a_question_has_the_names_of_people(rig: Rig) -> None:
    phone = Phone(rig).say(table=True)
    asks = 'ask = [{ id = "a", kind = "seat", per = "table" }, { id = "b", title = "{a}: won?", per = "table" }]'
    on(rig, sheet("[2, 2]", asks), 2, (None, "a", 1))
    rig.playing.sit({1: rig.app.table.people.add("Anna")})
    rig.after(0)
    assert (phone.news["game"]["asked"], phone.news["game"]["said"], ask(phone, "b")["text"]) == (
        "Anna: won?",
        [],
        "Anna: won?",
    )


def test_a_chess_clock_says_whose_turn_it_is(rig: Rig) -> None:
    phone = Phone(rig)
    on(rig, sheet("[2, 2]", 'clock = { kind = "chess", minutes = 5 }'), 2)
    assert phone.news["game"]["asked"] == "P1: press when done"


def test_either_partner_answers_for_both_and_both_see_it(rig: Rig) -> None:
    one, third, other = (Phone(rig, button) for button in ("P1", "P2", "P3"))
    on(rig, TICHU, 4, *[(n, "call", 0) for n in range(4)], (None, "out_first", 0), (None, "double", 0))
    one.send(ask(one, "cards")["id"], 60)
    assert (one.me["sent"], other.me["sent"], other.me["missing"]) == ([[0, 60]], [[2, 60]], (1, 3))
    other.send(ask(other, "cards")["id"], 55)
    assert one.me["sent"] == [[0, 55]]
    third.send(ask(third, "cards")["id"], 45)
    assert rig.playing.play.scores == (55, 45, 55, 45)


def test_one_number_of_anybody_is_entered_at_once(rig: Rig) -> None:
    phone = Phone(rig, "P2")
    on(rig, sheet("[3, 3]", 'ask = [{ id = "a", per = "any" }]'), 3)
    assert ask(phone, "a")["alone"] == "any"
    phone.send(ask(phone, "a")["id"], 7)
    assert rig.playing.play.scores == (0, 7, 0)


def test_one_of_several_boxes_is_filled(rig: Rig) -> None:
    phone = Phone(rig, "P1")
    on(rig, sheet("[2, 2]", 'ask = [{ id = "a", per = "box" }, { id = "b", per = "box" }]'), 2)
    assert [(one["verb"], one["alone"]) for one in phone.me["asks"]] == [("a", "box"), ("b", "box")]
    assert phone.news["game"]["asked"] == "P1: which one?"
    phone.send(ask(phone, "a")["id"], 7)
    assert rig.playing.play.state.done.full == ((0,), ())


def test_the_total_that_a_number_makes_is_said_while_it_is_typed(rig: Rig) -> None:
    phone = Phone(rig, "P1")
    on(rig, WIZARD, 3, *FIRST, (0, "bid", 2), (1, "bid", 0), (2, "bid", 0))
    assert phone.news["game"]["known"] == [{"text": "Your bid?", "said": [([0], "2"), ([1], "0"), ([2], "0")]}]
    found = []
    for value in (2, 1, 3):
        phone.say(**{"try": ask(phone, "won")["id"], "value": value})
        found.append(phone.news["tried"]["total"])
    assert found == [60, 10, None]


def test_the_table_of_rounds_is_told(rig: Rig) -> None:
    phone = Phone(rig)
    calls = [(n, "call", 0) for n in range(4)]
    on(rig, TICHU, 4, *calls, (None, "out_first", 0), (None, "double", 1), (0, "cards", 0), (1, "cards", 0))
    assert phone.news["rounds"] == {
        "columns": [[0, 2], [1, 3]],
        "buttons": [0, 1],
        "names": ["P1 + P3", "P2 + P4"],
        "many": 1,
    }
    assert phone.news["rows 0"] == [(1, [200, 0], [200, 0])]


def test_only_the_rows_that_have_changed_are_told(rig: Rig) -> None:
    counter = sheet("[1, 4]", 'ask = [{ id = "more", low = -99, per = "any" }]')
    on(rig, counter, 2, *[(n % 2, "more", 1) for n in range(40)])
    phone, told = Phone(rig), list[str]()
    assert [len(phone.news[f"rows {n}"]) for n in range(3)] == [16, 16, 8]

    def after(*facts: Fact) -> list[str]:
        told.clear()
        rig.playing.take(facts)
        rig.after(0)
        return [kind for kind in told if kind.startswith("rows")]

    hear = phone.link.send

    def tell(news: Any) -> None:
        told.extend(news)
        hear(news)

    phone.link.send = tell
    answer = plays.answer(rig.playing.play, Action(0, "more", 5, rig.now_ns))
    assert after(*answer) == ["rows 2"]
    assert phone.news["rows 2"][-1] == (41, [5, None], [25, 20])
    assert after(*plays.undo(rig.playing.play, rig.now_ns)) == ["rows 2"]
    assert after(*plays.amend(rig.playing.play, 20, [(1, "more", 3)], rig.now_ns)) == ["rows 1", "rows 2"]
    assert (phone.news["rows 1"][3], phone.news["rows 2"][-1]) == ((20, [None, 3], [10, 12]), (40, [None, 1], [20, 22]))
    for _ in range(9):
        told += after(*plays.undo(rig.playing.play, rig.now_ns))
    assert (phone.news["rows 2"], phone.news["rounds"]["many"], len(phone.news["rows 1"])) == (None, 32, 16)


def test_a_phone_for_the_table_puts_a_round_right_after_ok_on_the_kit(rig: Rig) -> None:
    phone = Phone(rig, "P1").say(table=True)
    on(rig, WIZARD, 3, *FIRST)
    rig.after(5_000)
    phone.say(round=1)
    assert phone.news["entered"] == public.entered(rig.playing.number, rig.playing.play, 1, ("P1", "P2", "P3"))
    phone.say(amend=1, numbers=[[0, "bid", 2]])
    assert phone.told == "P1, bid 2: must be from 0 to 1"
    phone.say(amend=1, numbers=[[0, "won", 1], [2, "won", 0]])
    assert rig.playing.play.scores == (20, 20, 30)
    rig.after(1_000).ok()
    assert (rig.playing.play.scores, phone.told) == ((-10, 20, -10), "The kit says yes.")
    rig.playing.take(plays.undo(rig.playing.play, rig.now_ns))
    assert rig.playing.play.scores == (20, 20, 30)


@pytest.mark.parametrize(
    "message", [{"round": 1}, {"amend": 1, "numbers": [[0, "won", 1]]}, {"try": 1, "value": 2}, {"try": "x"}]
)
def test_no_other_phone_may(rig: Rig, message: dict[str, Any]) -> None:
    phone = Phone(rig, "P1")
    on(rig, WIZARD, 3, *FIRST)
    phone.say(**message)
    assert not phone.open


@pytest.mark.parametrize(
    "numbers", [[0], [[0, "won"]], [[True, "won", 1]], [["0", "won", 1]], [[0, "won", True]], [{}]]
)
def test_numbers_that_no_page_sends_close_its_link(rig: Rig, numbers: list[object]) -> None:
    phone = Phone(rig, "P1").say(table=True)
    on(rig, WIZARD, 3, *FIRST)
    phone.say(amend=1, numbers=numbers)
    assert not phone.open


def test_the_kits_page_puts_a_round_right_at_once_or_says_why_not(rig: Rig) -> None:
    on(rig, WIZARD, 3, *FIRST)
    entered = list[Any]()
    rig.app.look(1, entered.append)
    rig.after(0)
    assert len(entered[0]["entries"]) == 6
    assert why(told(rig, Amend(1, ((0, "won", 1),), game=1))[0]) == "round 1: Tricks must add up to 1"
    assert told(rig, Amend(1, ((0, "won", 1), (2, "won", 0)), game=1)) == [Done()]
    assert rig.playing.play.scores == (-10, 20, -10)
    assert rig.playing.play.past is not None
    assert rig.playing.play.past.event == Amended(1, ((0, 1, 1), (2, 1, 0)))


def test_without_a_game_there_is_nothing_to_put_right(rig: Rig) -> None:
    assert why(told(rig, Amend(1, (), game=1, was=()))[0]) == "No game is on."
