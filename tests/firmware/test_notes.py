"""Notes to games and days of their own: what one is, where it is stored and shown, and notes without a name."""

from contextlib import closing
from pathlib import Path

import pytest

from firmware import local_time
from firmware.journal.reader import History
from firmware.journal.remarks import Remark
from firmware.journal.writer import Journal
from firmware.people.notes import cleaned_note, dotted, without_names
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures
from tests.simulators.rig import Rig

PLAYED = "people[Anna Ben] game[kitty_paw 2] +P1,P2 3100 -P1,P2 P1 300 P2 300 6s ok"


@pytest.mark.parametrize(
    ("text", "note"),
    [("", ""), ("  two \t words ", "two words"), ("x" * 200, "x" * 200), ("e\u0301", "é"), ("<b>", "<b>")],
)
def test_a_note_in_its_normal_form(text: str, note: str) -> None:
    assert cleaned_note(text) == note


@pytest.mark.parametrize("text", ["x" * 201, "a\0b", "\u202eabc", "e\u0301" * 201])
def test_what_is_no_note(text: str) -> None:
    with pytest.raises(ValueError, match="at most 200 characters"):
        cleaned_note(text)


@pytest.mark.parametrize(
    ("note", "names", "left"),
    [
        ("Anna won, ANNA!", ("Anna",), "… won, …!"),
        ("Annas and Johanna's", ("Anna",), "…s and Joh…'s"),  # no byte of a name is left
        ("Al also won", ("Al",), "… also won"),  # but for one that stands in many words
        ("山田が勝った", ("山田",), "…が勝った"),
        ("Julia and Jul", ("Jul", "Julia"), "… and …"),
        ("Anna  Lena", ("Anna Lena",), "…"),
        ("(a)", (".", ""), "(a)"),
    ],
)
def test_a_note_without_names(note: str, names: tuple[str, ...], left: str) -> None:
    assert without_names(note, names) == left


@pytest.mark.parametrize(
    ("note", "name", "left"),
    [
        ("Je\u0301ro\u0302mes Spiel", "Jérôme", "…s Spiel"),
        ("Jérôme", "Je\u0301ro\u0302me", "…"),
        ("José", "Jose", "José"),
        ("Jose\u0301", "Jose", "Jose\u0301"),
        ("O'Neil, O\u2019Neil", "O\u2019Neil", "…, …"),
        ("O'Neil, O\u2019Neil", "O'Neil", "…, …"),
        ("WEISS und Weiß", "Weiß", "… und …"),
        ("Weißer", "WEISS", "…er"),
        ("\u1100\u1161\u11a8", "각", "…"),
        ("\u1100\u1161\u11a8", "가", "\u1100\u1161\u11a8"),
        ("Phase 10, round 1", "1", "Phase 10, round …"),
        ("team7 7", "7", "team7 …"),
        ("with 😀s cat", "😀", "with …s cat"),
        ("a b", " ", "a b"),
    ],
)
def test_a_name_is_found_however_it_is_spelt(note: str, name: str, left: str) -> None:
    assert without_names(note, (name,)) == left


def test_in_bytes_a_name_has_as_many_dots_as_bytes() -> None:
    name = "Je\u0301ro\u0302me".encode()
    assert dotted(b"\xff " + name + b"s", ("Jérôme",)) == b"\xff " + b"." * len(name) + b"s"


def test_the_last_remark_of_a_game_stands(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.db", "b", lambda t: None, lambda t: None, threaded=False)) as journal:
        game = journal.begin_game("kitty_paw")
        journal.remark(game, "first", "2026-11-22")
        journal.remark(game, "last", "")
    with closing(History(tmp_path / "journal.db")) as history:
        assert (history.remark(1), history.remark(2)) == (Remark("last", ""), Remark())


def test_a_remark_comes_along_to_another_card(tmp_path: Path) -> None:
    """As its game does, and once."""
    rig = Rig(tmp_path).do(PLAYED)
    rig.app.journal.remark(1, "late", "2026-11-20")
    for path in tmp_path.glob("journal.db*"):
        path.unlink()
    rig.do("menu[Main menu]")
    rig.app.journal.remark(1, "later", "2026-11-20")
    rig.close()
    with closing(up_to_date(tmp_path)) as db:
        notes = db.execute("select note from journal.remark order by id").fetchall()
    assert notes == [("late",), ("later",)]


def test_a_day_that_was_entered_is_that_of_the_game_and_of_the_evening_that_it_begins(rig: Rig, tmp_path: Path) -> None:
    rig.do(PLAYED).do("menu[End the game] 2500 ok")
    rig.app.journal.remark(1, "", "2026-07-04")
    assert "04 Jul 2026" in rig.do("6s [Other game] [History]").reads()
    rig.close()
    with closing(up_to_date(tmp_path)) as db:
        assert [each.day for each in Figures(db).evenings] == ["2026-07-04"]
    with closing(History(tmp_path / "journal.db")) as history:
        assert local_time.day(history.began(history.games()[0])) == "04 Jul 2026"
