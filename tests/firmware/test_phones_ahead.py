"""Several fanciers at once: what phones enter before their seat's turn is kept, and given in it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.games import cat_pageant
from engine.games.cat_pageant.fanciers import Fancier, Name, WhichFancier
from engine.games.cat_pageant.rounds import Place
from firmware.journal.reader import History
from tests.simulators.phone import Phone, let_in, through
from tests.simulators.rig import Rig

NUMBERS = (2, 5, 1, 3)
FIRST = "P1*2 ok P1*4 ok P1 ok P1*3 ok ok"  # at the kit: four numbers, no name
KNOWN = "game[cat_pageant 2] P1*2 ok P1*4 ok P1 ok P1*3 ok turn-1 ok*2 P2*2 ok P2*4 ok P2 ok P2*3 ok turn-2 ok*2"


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def enter(phone: Phone, seat: int, *answers: int | str | None) -> None:
    """Answer what this seat is asked, one after the other."""
    for answer in answers:
        (ask,) = [ask for ask in phone.asks if ask["seat"] == seat]
        assert phone.send(ask["id"], answer) == ""


def said(phone: Phone) -> list[list[str]]:
    """What is kept for its seats."""
    return [[answer for _, answer in one["said"]] for one in phone.me["kept"]]


def state(rig: Rig) -> Any:
    return rig.playing.play.state


def test_all_enter_at_once_in_any_order_and_the_journal_is_as_from_the_kit(tmp_path: Path) -> None:
    found = []
    for how in ("phones", "kit"):
        rig = Rig(tmp_path / how)
        let_in(rig)
        rig.do("game[cat_pageant 3]")
        if how == "phones":
            two, three = Phone(rig, "P2"), Phone(rig, "P3")
            enter(three, 2, *NUMBERS[:3])
            enter(two, 1, *NUMBERS, None)
            enter(three, 2, NUMBERS[3], None)
            assert state(rig).ask == Fancier(0)
            rig.do(FIRST)
        else:
            rig.do(FIRST).do(FIRST.replace("P1", "P2")).do(FIRST.replace("P1", "P3"))
        assert state(rig).ask == Place()
        number = rig.playing.number
        rig.close()
        with closing(History(tmp_path / how / "journal.db")) as history:
            found.append([(fact.step, fact.event) for fact in history.facts(number, cat_pageant.RULES)])
    assert found[0] == found[1]


def test_what_is_kept_is_shown_and_may_be_changed(rig: Rig) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    enter(two, 1, *NUMBERS, "tom")
    assert (said(two), two.asks, two.me["own"]) == ([["2", "5", "1", "3", "TOM"]], [], True)
    two.say(undo=True).say(undo=True)
    assert said(two) == [["2", "5", "1"]]
    enter(two, 1, 4, None)
    assert (said(two), two.me["kept"][0]["said"][-1]) == ([["2", "5", "1", "4", "no"]], ["Save under a name?", "no"])
    rig.do(FIRST)
    assert (state(rig).stats[1], two.me["kept"], state(rig).ask) == ((2, 5, 1, 4), [], Place())


def test_what_is_begun_before_its_turn_is_finished_in_it_under_the_same_question(rig: Rig) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    enter(two, 1, *NUMBERS)
    (early,) = two.asks
    rig.do(FIRST)
    (now,) = two.asks
    assert (early["early"], now["early"], now["id"], state(rig).ask) == (True, False, early["id"], Name(1))
    assert two.send(early["id"], "Tom") == ""
    assert state(rig).named == ("", "TOM")


def test_an_early_question_says_what_belongs_to_it_and_not_to_the_seat_that_is_asked(rig: Rig) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    enter(two, 1, 2)
    assert (two.asks[0]["said"], two.news["game"]["said"]) == (["moxie 2"], ["printed on the fancier"])


def test_undo_at_the_kit_takes_back_one_answer_that_was_kept(rig: Rig) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    enter(two, 1, *NUMBERS, "tom")
    rig.do(FIRST).undo()
    assert (state(rig).ask, state(rig).stats[1]) == (Name(1), NUMBERS)


def test_the_undo_of_a_phone_takes_back_its_latest_answer_whichever_it_was(rig: Rig) -> None:
    both = Phone(rig.do("game[cat_pageant 2]"), "P1", "P2")
    enter(both, 1, 2)
    enter(both, 0, 3)
    both.say(undo=True)
    assert (state(rig).stats[0], said(both)) == ((), [["2"]])
    both.say(undo=True)
    assert (said(both), both.me["own"]) == ([], False)


@pytest.mark.parametrize("how", ["reboot", "restart", "menu", "fix"])
def test_what_is_kept_stays(rig: Rig, how: str) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    enter(two, 1, *NUMBERS, "tom")
    two = through(rig, how, two)
    assert said(two) == [["2", "5", "1", "3", "TOM"]]
    rig.do(FIRST)
    assert state(rig).named == ("", "TOM")


def test_what_an_older_version_has_gone_on_with_is_not_given(rig: Rig, tmp_path: Path) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    enter(two, 1, *NUMBERS)
    rig.close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db, db:
        db.execute("update kept set events = events - 1")
    rig.restart().ok()
    assert rig.playing.early.kept == {}


@pytest.mark.parametrize("answers", ["[", "{}", '[["x"]]', '[[1.5, "moxie_low", "ab"]]', '[["x", "name", "ab"]]'])
def test_what_makes_no_sense_in_the_journal_costs_no_game(rig: Rig, tmp_path: Path, answers: str) -> None:
    enter(Phone(rig.do("game[cat_pageant 2]"), "P2"), 1, 2)
    rig.close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db, db:
        db.execute("update kept set answers = ?", (answers,))
    rig.restart().ok()
    rig.do(FIRST)
    assert state(rig).ask == Fancier(1)


def test_a_game_begun_without_the_table_of_early_answers_goes_on(rig: Rig, tmp_path: Path) -> None:
    rig.do("game[cat_pageant 2]").close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db, db:
        db.execute("drop table kept")
    rig.restart().ok()
    assert state(rig).ask == Fancier(0)


def test_nobody_is_asked_more_than_the_own_fancier(rig: Rig) -> None:
    two = Phone(rig.do("game[cat_pageant 2 placing_countdown=0]"), "P2")
    enter(two, 1, *NUMBERS, None)
    assert two.asks == []


def test_nobody_answers_early_for_another_seat_but_the_table_for_those_without_a_phone(rig: Rig) -> None:
    rig.do("game[cat_pageant 4]")
    two, table = Phone(rig, "P2"), Phone(rig, "P3").say(table=True)
    assert [ask["seat"] for ask in two.asks] == [1]
    assert sorted(ask["seat"] for ask in table.asks) == [0, 2, 3]
    id_ = two.asks[0]["id"]
    assert table.send(id_, 3) == "too late: this is not asked any more"
    assert rig.playing.early.kept == {}


@pytest.mark.parametrize("value", [-1, 21, "3", None, True, 3.5])
def test_early_too_only_what_is_asked_is_taken(rig: Rig, value: Any) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    (ask,) = two.asks
    assert two.send(ask["id"], value) != ""
    assert rig.playing.early.kept == {}


def test_an_early_answer_that_comes_twice_or_late_is_kept_once(rig: Rig) -> None:
    two = Phone(rig.do("game[cat_pageant 2]"), "P2")
    (ask,) = two.asks
    assert [two.send(ask["id"], 2, "a" * 8) for _ in range(2)] == ["", ""]
    assert two.send(ask["id"], 2) == "too late: this is not asked any more"
    two.say(undo=True)
    assert two.send(ask["id"], 3) == "too late: this is not asked any more"
    assert rig.playing.early.kept == {}


# --- known fanciers --------------------------------------------------------------------------------------------------


@pytest.fixture
def known(rig: Rig) -> Rig:
    """A and B are known."""
    return rig.do(KNOWN).do("menu[Main menu] game[cat_pageant 3]")


def test_two_do_not_choose_the_same_fancier(known: Rig) -> None:
    two, three = Phone(known, "P2"), Phone(known, "P3")
    enter(three, 2, "A")
    assert [value for value, _ in two.asks[0]["options"]] == ["B", "new"]
    enter(two, 1, "B")
    known.do("turn-2 ok").do(FIRST)
    assert (state(known).named, state(known).ask) == (("", "B", "A"), Place())


@pytest.mark.parametrize("button", ["P2", "P3"])
def test_what_the_kit_takes_first_is_dropped_and_its_phone_told(known: Rig, button: str) -> None:
    phone = Phone(known, button)
    seat = 1 if button == "P2" else 2
    enter(phone, seat, "A")
    at = state(known).ask.offers(state(known))[0].options.index("A")
    known.arrow(-at).ok()
    assert phone.told == f"What was entered for {button} fits no more: enter it again."
    assert (phone.me["kept"], state(known).named, state(known).ask) == ([], ("A", "", ""), WhichFancier(1))
    assert [value for value, _ in phone.ask("Which", seat)["options"]] == ["B", "new"]


def test_a_new_one_stays_new_where_the_known_ones_are_gone(known: Rig) -> None:
    three = Phone(known, "P3")
    enter(three, 2, "new", *NUMBERS, None)
    known.ok().ok()
    assert (sorted(state(known).named), state(known).ask) == (["", "A", "B"], Place())


# --- forgetting ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["table", "menu"])
def test_an_early_name_is_forgotten(rig: Rig, tmp_path: Path, where: str) -> None:
    two = Phone(rig.do("people[Anton Ben] game[cat_pageant 2]"), "P2")
    enter(two, 1, *NUMBERS, "Anton")
    if where == "menu":
        rig.do("menu[Main menu]")
    rig.app.table.people.forget(next(one.id for one in rig.app.table.roster.persons if one.name == "Anton"))
    rig.after(0)
    if where == "menu":
        rig.do("[Go on]")
    assert said(two) == [["2", "5", "1", "3"]]
    rig.tap("P1")
    rig.close()
    assert not [file.name for file in tmp_path.iterdir() if b"ANTON" in file.read_bytes()]
