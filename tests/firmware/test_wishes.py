"""Edits of people and games: what comes of each, what is asked first, and when it is answered."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from firmware.journal import people
from firmware.journal.reader import History
from firmware.journal.remarks import Remark as Stands
from firmware.people.names import Person
from firmware.translation import in_words
from firmware.wishes.games import ChangeSeats, WriteRemark
from firmware.wishes.people import Add, CountGames, Forget, Merge, Rename
from firmware.wishes.who_may_wish import AnyWish, read, read_form
from firmware.wishes.wish import Answer, AskFirst, Denied, Done, Situation
from tests.simulators.rig import Rig
from tests.simulators.wishing import ALL, Nobody, decided, why
from tests.simulators.wishing import wished as told

A, B, J, X = ("a" * 16, "b" * 16, "c" * 16, "f" * 16)
KNOWN = (Person(A, "Anna"), Person(B, "Ben"), Person(J, "Юлия", "Julia"))


@pytest.mark.parametrize(
    ("wish", "yes", "done"),
    [
        (Add(" Cleo  K "), "", Add("Cleo K")),
        (Add("Юля", "Jul"), "", Add("Юля", "Jul")),
        (Add("Юля"), "undrawn", Add("Юля")),
        (Add("anna"), "another", Add("anna")),
        (Add("ЮЛИЯ"), "another undrawn", Add("ЮЛИЯ")),
        (Add("Cleo", "Kleo"), "", Add("Cleo")),  # the display draws the name itself
        (Rename(A, "ANNA"), "", Rename(A, "ANNA")),  # her own
        (Rename(J, "Jule"), "", Rename(J, "Jule")),
        (Rename(J, "Юлия", " Jule "), "", Rename(J, "Юлия", "Jule")),
        (Rename(J, "Юлия", ""), "undrawn", Rename(J, "Юлия", "")),
        (CountGames(A, False), "", CountGames(A, False)),
        (Merge(A, B), "merge", Merge(A, B)),
        (Forget(A), "forget really", Forget(A)),
        (ChangeSeats(1, (A, None)), "", ChangeSeats(1, (A, None))),
        (WriteRemark(1, "  a \n note ", " 2026-11-27 "), "", WriteRemark(1, "a note", "2026-11-27")),
        (WriteRemark(1, "", ""), "", WriteRemark(1, "", "")),
    ],
)
def test_what_is_done(wish: AnyWish, yes: str, done: AnyWish) -> None:
    found = decided(wish, KNOWN, yes)
    assert not isinstance(found, Denied | AskFirst) and structs.replace(found, agreed=frozenset()) == done


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        (Add("x" * 13), "a name has 1 to 12 characters that can be seen"),
        (Add("\u202eAnna"), "a name has 1 to 12 characters that can be seen"),
        (Add("Юля", "Юля"), "the name for the display has letters that it cannot draw"),
        (Rename(J, "Юлия", "Юля"), "the name for the display has letters that it cannot draw"),
        (Rename(X, "Cleo"), "This person is not known any more."),
        (Forget(X), "This person is not known any more."),
        (Merge(A, A), "Nobody else of this name is known any more."),
        (Merge(A, X), "Nobody else of this name is known any more."),
        (WriteRemark(1, "x" * 201, ""), "a note is one line of at most 200 characters that can be seen"),
        (WriteRemark(1, "", "2026-02-30"), "a date is year-month-day, like 2026-11-27"),
        (WriteRemark(1, "", "20261127"), "a date is year-month-day, like 2026-11-27"),
        (WriteRemark(1, "", "0001-01-01"), "a date is year-month-day, like 2026-11-27"),
    ],
)
def test_what_is_refused_in_a_line(wish: AnyWish, line: str) -> None:
    assert why(decided(wish, KNOWN, " ".join(ALL))) == line


def test_two_who_met_are_two() -> None:
    says = "Anna and Ben sat in the same game, so they are two."
    refused = decided(Merge(A, B), KNOWN, "merge", met=True)
    assert isinstance(refused, Denied) and refused.short is not None
    assert (why(refused), refused.short.words()) == (says, "they sat in the same game")


def asked(wish: AnyWish, yes: str = "") -> AskFirst:
    """What is asked about an edit."""
    found = decided(wish, KNOWN, yes)
    assert isinstance(found, AskFirst)
    return found


def test_a_name_like_a_known_one_is_asked_about() -> None:
    same, another = asked(Add("anna")).choices
    assert (same.wish, same.person, another.wish) == (None, A, Add("anna", agreed=frozenset({"another"})))


def test_somebody_renamed_to_a_known_one_may_be_that_one() -> None:
    same, another = asked(Rename(B, "ANNA")).choices
    other = Rename(B, "ANNA", agreed=frozenset({"another"}))
    assert (same.wish, another.wish) == (Merge(B, A, was=("Ben", "Anna")), other)
    assert asked(Merge(B, A)).lines[0].words() == "All games of Ben become games of Anna."


def test_a_name_that_the_display_cannot_draw_asks_for_a_short_one_or_goes_without() -> None:
    """After the question whether it is somebody else."""
    assert asked(Add("юлия")).title.words() == "ONE PERSON OR TWO?"
    short, without = asked(Add("юлия"), "another").choices
    assert (short.latin, short.wish.agreed, without.wish.agreed) == (True, {"another"}, {"another", "undrawn"})


def test_forgetting_asks_twice() -> None:
    first, second = asked(Forget(A)), asked(Forget(A), "forget")
    assert (first.title.words(), second.title.words()) == ("FORGET?", "REALLY?")
    assert [one.choices[0].wish.agreed for one in (first, second)] == [{"forget"}, {"forget", "really"}]


@pytest.mark.parametrize("fields", [
    {},
    {"do": "purr"},
    {"do": "add"},
    {"do": "add", "name": "x" * 1001},
    {"do": "add", "name": "x", "person": A},
    {"do": "rename", "person": "A" * 16, "name": "x"},
    {"do": "rename", "person": A + "\n", "name": "x"},
    {"do": "count", "person": A, "counted": "maybe"},
    {"do": "seats", "game": "1.0", "seat0": ""},
    {"do": "seats", "game": "1", "seat1": ""},
    {"do": "seats", "game": "1234567890", "seat0": ""},
    {"do": "seats", "game": 1234567890, "people": []},
    {"do": "seats", "game": True, "people": []},
    {"do": "remark", "game": "1", "note": None, "day": ""},
    {"do": "forget", "person": A, "agreed": ["everything"]},
    {"do": "forget", "person": A, "agreed": "forget"},
    {"do": "forget", "person": A, "was": "Anna"},
    {"do": "forget", "person": A, "id": ""},
    {"do": "forget", "person": A, "id": "x" * 41},
    {"do": "forget", "person": A, "id": "a b"},
])  # fmt: skip
def test_what_no_page_sends(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        (read_form if all(isinstance(one, str) for one in fields.values()) else read)(fields)


@pytest.mark.parametrize("people", [(A, A), (A, X)])
def test_who_cannot_sit_there(people: tuple[str, str]) -> None:
    assert isinstance(decided(ChangeSeats(1, people), KNOWN), Denied)


def test_an_edit_as_a_form_and_as_a_message_has_it() -> None:
    assert read_form({"do": "seats", "game": "7", "seat1": "", "seat0": A}) == ChangeSeats(7, (A, None))
    assert read_form({"do": "count", "person": A, "counted": "false", "was": "[true]"}) == CountGames(
        A, False, was=(True,)
    )
    renamed = {"do": "rename", "person": A, "name": "Anna", "latin": "", "was": '["007"]'}
    assert read_form(renamed) == Rename(A, "Anna", was=("007",))
    assert read({"do": "remark", "game": 7, "note": "x", "day": ""}) == WriteRemark(7, "x", "")
    sent = {"do": "forget", "person": A, "agreed": '["forget", "really"]', "id": "4a1b"}
    assert read_form(sent) == Forget(A, agreed=frozenset({"forget", "really"}), id="4a1b")


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        (Add("Юля"), "new name: (other letters)"),
        (Rename(A, "Ann"), "Anna: rename to Ann"),
        (Rename(J, "Юлия", "Jule"), "Julia: on the display Jule"),
        (CountGames(A, False), "Anna: statistics no"),
        (Merge(A, J), "Anna is Julia"),
        (Forget(X), "forget ?"),
        (ChangeSeats(7, (B, None)), "game 7: Ben guest"),
        (WriteRemark(7, "x", "2026-11-27"), "game 7: note, 27 Nov 2026"),
        (WriteRemark(7, "x", ""), "game 7: note, no date"),
    ],
)
def test_an_edit_in_a_line_for_whoever_confirms_it(wish: AnyWish, line: str) -> None:
    assert in_words(wish.line(Situation({one.id: one for one in KNOWN}, Nobody(), 0))) == (line,)


# --- at the table ----------------------------------------------------------------------------------------------------

TWO = "people[Anna Ben Cleo] [Kitty Paw] P1*2 P2*2 ok*2 menu[Main menu]"


def id_of(rig: Rig, name: str) -> str:
    return next(one.id for one in rig.app.table.roster.persons if one.name == name)


def test_somebody_new_is_on_the_disk_once_it_is_answered(rig: Rig, tmp_path: Path) -> None:
    (answer,) = told(rig, Add("Anna"))
    assert answer == Done(id_of(rig, "Anna"))
    with closing(History(tmp_path / "journal.db")) as history:
        assert [one.name for one in history.everybody()] == ["Anna"]


def test_while_saving_fails_nothing_is_answered_and_once_it_works_again_it_is(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*arguments: object) -> None:
        raise OSError(5, "Input/output error")

    anna = id_of(rig.do("people[Anna]"), "Anna")
    answers: list[Answer] = []
    with monkeypatch.context() as patch:
        patch.setattr(people, "write", fails)
        rig.app.wish(Rename(anna, "Ann", was=("Anna", "")), answers.append)
        assert "NOT SAVED" in rig.after(0).reads() and answers == []
    rig.do("P1 200")
    assert answers == [Done(anna)]


def test_nobody_is_forgotten_while_saving_fails(rig: Rig) -> None:
    anna = id_of(rig.do("people[Anna]"), "Anna")
    rig.app.table.trouble("the disk fails")
    assert [why(one) for one in told(rig, Forget(anna))] == ["Nobody can be forgotten while saving fails."]
    assert rig.app.table.roster.names == ("Anna",)


def test_two_who_sit_in_the_game_on_the_table_have_met(rig: Rig) -> None:
    rig.do("people[Anna Ben Cleo] [Kitty Paw] P1*2 P2*2 ok*2")
    anna, ben, cleo = (id_of(rig, name) for name in ("Anna", "Ben", "Cleo"))
    assert isinstance(told(rig, Merge(anna, ben))[0], Denied)
    assert told(rig, Merge(cleo, ben)) == [Done(ben)]
    assert rig.app.table.roster.names == ("Anna", "Ben")


def test_a_game_of_the_past_gets_a_note_and_other_people(rig: Rig, tmp_path: Path) -> None:
    cleo, ben = (id_of(rig.do(TWO if name == "Cleo" else "0"), name) for name in ("Cleo", "Ben"))
    assert told(rig, WriteRemark(1, "late", "2026-11-20")) == [Done(game=1)]
    assert told(rig, ChangeSeats(1, (cleo, ben))) == [Done(game=1)]
    for gone in (ChangeSeats(1, (cleo,)), WriteRemark(2, "x", "")):
        assert [why(one) for one in told(rig, gone)] == ["There is no such game, seat or person."]
    rig.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert (history.remark(1), history.names(1)) == (Stands("late", "2026-11-20"), {0: "Cleo", 1: "Ben"})


def test_the_game_on_the_table_gets_a_note(rig: Rig, tmp_path: Path) -> None:
    rig.do("game[kitty_paw 2]")
    assert told(rig, WriteRemark(rig.playing.number, "here", "")) == [Done(game=1)]
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.remark(1) == Stands("here", "")


@pytest.mark.parametrize(
    "menu",
    ["", "[Rename]", "[Same person as]", "[Forget]", "[Forget] ok", "[Rename] turn+8 ok turn-1", "[Statistics: yes]"],
)
def test_a_page_may_forget_whoever_is_open_in_the_menu_of_the_kit(rig: Rig, menu: str) -> None:
    anna = id_of(rig.do(f"people[Anna Ben] [People] [Anna] {menu}"), "Anna")
    answers: list[Answer] = []
    rig.app.wish(Forget(anna, was=("Anna",), agreed=ALL), answers.append)
    rig.do("ok")  # in the same moment
    rig.do("ok ok turn+1 ok")
    assert answers == [Done()]
    assert "Anna" not in rig.app.table.roster.names and "Ben" in rig.app.table.roster.names


def test_who_is_merged_while_people_join_sits_there_as_the_other(rig: Rig) -> None:
    rig.do("people[Anna Anne Ben] [Kitty Paw] P1*2 P2*3")
    anna, anne = id_of(rig, "Anna"), id_of(rig, "Anne")
    told(rig, Merge(anna, anne))
    rig.do("ok*2")
    assert rig.playing.people[0] == anne
