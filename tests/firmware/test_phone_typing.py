"""Names that are typed on a phone: a fancier's, as if it were spelled at the kit, and that of somebody at a place."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.games import cat_pageant
from engine.games.cat_pageant.fanciers import LetterEntered, Name
from firmware.journal.reader import History
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig

NAMING = "game[cat_pageant 2] P1*2 ok P1*4 ok P1 ok P1*3 ok"  # the first fancier has its four numbers


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


@pytest.fixture
def naming(rig: Rig) -> Rig:
    return rig.do(NAMING)


def events(folder: Path) -> list[Any]:
    """What is in the journal of the latest game."""
    with closing(History(folder / "journal.db")) as history:
        return [fact.event for fact in history.facts(history.games()[0].game, cat_pageant.RULES)]


def asked(rig: Rig) -> Any:
    """The open question."""
    return rig.playing.play.state.ask


# --- a fancier -------------------------------------------------------------------------------------------------------


def test_a_phone_is_asked_for_a_text(naming: Rig) -> None:
    ask = Phone(naming, "P1").ask("Save under a name?")
    assert ({"letters": 8, "none": "no"}.items() <= ask.items(), "options" in ask) == (True, False)


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [("Mia", "turn-13 ok turn-9 ok turn-1 ok ok"), ("aaaabbbb", "turn-1 ok " * 4 + "turn-2 ok " * 4), (None, "ok")],
    ids=["a name", "of full length", "none"],
)
def test_the_journal_has_the_events_of_a_name_that_is_spelled(tmp_path: Path, typed: str | None, spelled: str) -> None:
    found = []
    for how in ("typed", "spelled"):
        rig = Rig(tmp_path / how)
        let_in(rig)
        rig.do(NAMING)
        if how == "typed":
            assert Phone(rig, "P1").answer("Save", typed) == ""
        else:
            rig.do(spelled)
        rig.close()
        found.append(events(tmp_path / how))
    assert found[0] == found[1]


@pytest.mark.parametrize("where", ["phone", "kit"])
def test_one_undo_takes_all_of_a_typed_name_back_and_one_redo_brings_it(naming: Rig, where: str) -> None:
    phone, before = Phone(naming, "P1"), naming.playing.play.state
    phone.answer("Save", "MITTENS")
    named = naming.playing.play.state
    assert phone.me["own"]
    if where == "phone":
        phone.say(undo=True)
    else:
        naming.undo()
    assert naming.playing.play.state == before
    assert phone.ask("Save under a name?")["letters"] == 8
    naming.ok_hold().do("turn+1").ok_hold()
    assert naming.playing.play.state == named


def test_a_typed_name_stays_where_the_power_goes_with_its_one_undo(naming: Rig) -> None:
    before = naming.playing.play.state
    Phone(naming, "P1").answer("Save", "MITTENS")
    naming.reboot(pulled=True).ok()
    assert naming.playing.play.state.named[0] == "MITTENS"
    naming.undo()
    assert naming.playing.play.state == before


def test_what_was_spelled_at_the_kit_is_said_and_the_rest_typed(naming: Rig) -> None:
    phone = Phone(naming, "P1")
    naming.do("turn-13 ok turn-9 ok")
    ask = phone.ask("Save under a name?")
    assert (ask["letters"], ask["none"], phone.news["game"]["said"][-1]) == (6, "done", "MI")
    assert phone.answer("Save", "ttens") == ""
    assert naming.playing.play.state.named[0] == "MITTENS"


def test_where_the_kit_was_first_the_phone_is_told(naming: Rig) -> None:
    phone = Phone(naming, "P1")
    id_ = phone.ask("Save")["id"]
    naming.do("turn-13 ok")
    assert phone.send(id_, "MITTENS") == "too late: this is not asked any more"
    assert asked(naming) == Name(0, "M")


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Mia", "MIA"), ("müs li", "MUSLI"), ("Straße", "STRASSE"), ("ｆｕｌｌ", "FULL"), ("r2-d2", "R2D2")],
)
def test_letters_are_those_of_a_fancier(naming: Rig, typed: str, name: str) -> None:
    assert Phone(naming, "P1").answer("Save", typed) == ""
    assert naming.playing.play.state.named[0] == name


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("MITTENSON", "at most 8 letters"),
        ("x" * 10**6, "at most 8 letters"),
        ("ﷺ" * 60, "a name of A to Z and 0 to 9"),
        ("", "a name of A to Z and 0 to 9"),
        ("\0\x1b\n", "a name of A to Z and 0 to 9"),
        ("\ud800", "a name of A to Z and 0 to 9"),
        ("\u202eשלום", "a name of A to Z and 0 to 9"),
        ("Юля 12", "a name of A to Z and 0 to 9"),
        (3, "that is not possible now"),
    ],
)
def test_what_is_no_name_is_refused_in_a_line(naming: Rig, typed: Any, why: str) -> None:
    phone = Phone(naming, "P1")
    assert phone.answer("Save", typed) == why
    assert (asked(naming), phone.open) == (Name(0), True)


def test_a_typed_name_is_forgotten_with_the_person(rig: Rig, tmp_path: Path) -> None:
    phone = Phone(rig.do("people[Anton Ben]").do(NAMING), "P1")
    phone.answer("Save", "Anton")
    rig.app.table.people.forget(next(one.id for one in rig.app.table.roster.persons if one.name == "Anton"))
    rig.close()
    assert not [file.name for file in tmp_path.iterdir() if b'"ANTON"' in file.read_bytes()]
    assert len({event.letter for event in events(tmp_path) if isinstance(event, LetterEntered)}) == 1


# --- somebody at a place ---------------------------------------------------------------------------------------------


def test_a_known_name_is_asked_about_and_taken_the_second_time(rig: Rig) -> None:
    phone = Phone(rig.do("people[Anna] game[pack_and_stack 3]"), "P2")
    asked = "Anna is known. Is that you? Choose your name on the kit. Another Anna? Save it again."
    assert phone.say(name="Anna", button="P2").news["refused"] == asked
    assert phone.say(name=" an NA", button="P2").news["refused"] == asked.replace("Anna", "an NA")
    assert "an NA" not in rig.app.table.roster.names
    assert phone.say(name=" an NA", button="P2").news["refused"] == ""
    assert rig.app.table.roster.names == ("an NA", "Anna")


def test_two_phones_are_asked_about_the_same_name_each(rig: Rig) -> None:
    rig.do("people[Anna] game[pack_and_stack 3]")
    one, two = Phone(rig, "P1"), Phone(rig, "P2")
    one.say(name="Anna", button="P1")
    assert "is known" in two.say(name="Anna", button="P2").news["refused"]
    assert one.say(name="Anna", button="P1").news["refused"] == ""


def test_a_name_that_the_display_cannot_draw_comes_with_a_short_latin_one_or_twice(rig: Rig) -> None:
    phone = Phone(rig.do("game[pack_and_stack 3]"), "P1", "P2")
    assert "cannot draw Юлия: add a short name" in phone.say(name="Юлия", button="P1").news["refused"]
    assert phone.say(name="Юлия", button="P1", latin="Julia").news["refused"] == ""
    assert "cannot draw" in phone.say(name="Ян", button="P2").news["refused"]
    assert phone.say(name="Ян", button="P2").news["refused"] == ""
    assert rig.playing.names == ("Julia", "P2", "P3")
    assert rig.playing.page_names == ("Юлия", "Ян", "P3")


@pytest.mark.parametrize("text", ["x" * 1000, "", " ", "a\nb\x00", "\ud800", "\u202eAnna", "\u200d", "x" * 13])
@pytest.mark.parametrize("field", ["name", "latin"])
def test_what_is_no_name_of_a_person_is_refused_in_a_line(rig: Rig, text: str, field: str) -> None:
    phone = Phone(rig.do("game[pack_and_stack 3]"), "P1")
    phone.say(**{"name": "Юлия", "latin": text, "button": "P1"} | {field: text})
    assert (phone.open, "\n" in phone.news["refused"], rig.app.table.roster.names) == (True, False, ())
    assert phone.news["refused"]


def test_no_page_sends_a_short_name_that_is_no_text(rig: Rig) -> None:
    assert not Phone(rig.do("game[pack_and_stack 3]"), "P1").say(name="Mia", button="P1", latin=3).open
