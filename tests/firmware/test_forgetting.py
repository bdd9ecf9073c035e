"""Forgetting somebody, and merging two: nothing of a name is left in the state folder, and the games stay."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware import state_folder
from firmware.journal import backup, fanciers, forgetting
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.people.names import Person
from tests.simulators.rig import Rig

NAME, LATIN = "Žofie Amálie", "Zofie-Amalie"
PLAYED = "[Kitty Paw] P1*2 P2*2 ok*2 menu[End the game] 2500 ok [Other game]"


@pytest.fixture
def played(rig: Rig) -> Rig:
    """A game of Ben, and of somebody with a long name."""
    rig.app.table.people.add("Ben")
    rig.app.table.people.add(NAME, LATIN)
    return rig.do(PLAYED)


def found(folder: Path) -> list[str]:
    """The files that still have something of the name."""
    traces = [text.encode() for text in (NAME, LATIN, "Amálie", "Amalie")]
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in files if any(trace in path.read_bytes() for trace in traces))


def forget(rig: Rig) -> Rig:
    """Somebody is forgotten at the kit."""
    return rig.do(f"[People] [{rig.app.table.roster.drawn(rig.app.table.roster.known[0])}] [Forget] ok*2")


def test_it_is_asked_twice(played: Rig) -> None:
    played.do("[People] [Žofie] [Forget]")
    assert "FORGET?" in played.reads()
    assert "REALLY?" in played.do("ok").reads()
    assert "Ben" in played.do("turn-1 ok! [People] [Ben] [Back]").rows and len(played.rows) == 3


def test_nothing_of_a_name_is_left_in_the_folder_and_the_games_stay(played: Rig, tmp_path: Path) -> None:
    assert found(tmp_path) != []
    forget(played)
    assert "forgotten" in played.reads()
    assert found(tmp_path) == []
    assert played.rows == ["New name", "Ben"]
    assert "Ben" in played.do("6s ok! [History] [Kitty Paw]").reads()
    played.close()
    assert found(tmp_path) == []
    assert seated(tmp_path) == ["Ben"]


def seated(folder: Path) -> list[str]:
    """Who sat at the first game, as the journal has it."""
    with closing(History(folder / "journal.db")) as history:
        return list(history.names(1).values())


def spoilt(path: Path) -> None:
    """A file that SQLite does not open any more, with all its rows."""
    data = bytearray(path.read_bytes())
    data[16:24] = bytes(8)
    path.write_bytes(data)


def shortened(path: Path) -> None:
    """A file without its end."""
    path.write_bytes(path.read_bytes()[:-100])


def foreign(path: Path) -> None:
    """Another program's file."""
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("create table t (x)")


ASIDE = {"sound": Path.exists, "without its head": spoilt, "without its end": shortened, "another program's": foreign}


LONG = "x" * 120  # a note of which the row has another header


@pytest.mark.parametrize("hurt", ASIDE.values(), ids=ASIDE)
@pytest.mark.parametrize("aside", ["damaged-2026-01-01.db", "damaged-2026-01-01.db-wal"])
def test_notes_forget_too_also_in_files_that_were_set_aside(
    played: Rig, tmp_path: Path, aside: str, hurt: Callable[[Path], object]
) -> None:
    for day, note in (("", f"{NAME} was late"), ("2026-11-22", f"{LONG} {NAME.upper()}s cat"), ("", f"Ben, {LATIN}'s")):
        played.app.journal.remark(1, note, day)
    shutil.copy(tmp_path / "journal.db-wal", tmp_path / "damaged-2026-01-01.db-wal")
    backup.backup(tmp_path / "journal.db", tmp_path / "damaged-2026-01-01.db")
    hurt(tmp_path / "damaged-2026-01-01.db")
    if aside.endswith("-wal"):
        (tmp_path / "damaged-2026-01-01.db").unlink()
    forget(played)
    assert found(tmp_path) == []
    assert not [path.name for path in tmp_path.iterdir() if NAME.upper().encode() in path.read_bytes()]
    played.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert (history.remark(1).note, set(history.forgotten(1))) == ("Ben, …'s", {0})


@pytest.mark.parametrize("hurt", ASIDE.values(), ids=ASIDE)
def test_files_that_were_set_aside_forget_too(played: Rig, tmp_path: Path, hurt: Callable[[Path], object]) -> None:
    played.close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.execute("pragma wal_checkpoint(truncate)")
    aside = tmp_path / "damaged-2026-01-01.db"
    shutil.copy(tmp_path / "journal.db", aside)
    hurt(aside)
    forget(played.do("restart 1s ok!"))
    assert found(tmp_path) == []


def test_a_log_that_was_set_aside_forgets_too(played: Rig, tmp_path: Path) -> None:
    for end in ("", "-wal"):
        shutil.copy(tmp_path / f"journal.db{end}", tmp_path / f"damaged-2026-01-01.db{end}")
    spoilt(tmp_path / "damaged-2026-01-01.db")
    assert "damaged-2026-01-01.db-wal" in found(tmp_path)
    forget(played)
    assert found(tmp_path) == []


def test_a_log_alone_that_was_set_aside_forgets_too(played: Rig, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "journal.db-wal", tmp_path / "damaged-2026-01-01.db-wal")
    forget(played)
    assert (found(tmp_path), (tmp_path / "damaged-2026-01-01.db").exists()) == ([], False)


def test_a_long_file_is_wiped_piece_by_piece(played: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "CHUNK", 100)
    monkeypatch.setattr(forgetting, "MARGIN", 300)
    aside = tmp_path / "damaged-2026-01-01.db"
    backup.backup(tmp_path / "journal.db", aside)
    spoilt(aside)
    forget(played)
    assert found(tmp_path) == []


@pytest.mark.parametrize("name", [*state_folder.UNFINISHED, f"{state_folder.GIVEN}-wal"])
def test_what_a_cut_restore_has_left_beside_a_running_kit_goes(played: Rig, tmp_path: Path, name: str) -> None:
    shutil.copy(tmp_path / "journal.db-wal", tmp_path / name)
    forget(played)
    assert (found(tmp_path), (tmp_path / name).exists()) == ([], False)


def test_the_list_of_the_forgotten_does_not_grow_while_it_is_tried(
    played: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "clean", raises)
        forget(played).do("1s 1s 1s")
    lines = (tmp_path / "forgotten").read_text().splitlines()
    assert len(lines) == 1


def raises(*arguments: object, **options: object) -> None:
    raise OSError(5, "Input/output error")


def test_a_journal_that_is_restored_forgets_again(played: Rig, tmp_path: Path) -> None:
    played.close()
    backup = tmp_path.parent / f"{tmp_path.name}.backup"
    shutil.copy(tmp_path / "journal.db", backup)
    forget(played.do("restart 1s ok!")).close()
    for path in tmp_path.glob("journal.db*"):
        path.unlink()
    shutil.copy(backup, tmp_path / "journal.db")
    assert found(tmp_path) == ["journal.db"]
    played.do("restart")
    assert (found(tmp_path), played.app.table.roster.names) == ([], ("Ben",))
    assert seated(tmp_path) == ["Ben"]


@pytest.mark.parametrize("step", ["note_forgotten", "forget", "clean"])
def test_what_is_cut_short_is_done_at_the_next_start(
    played: Rig, tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path.parent / f"{tmp_path.name}.cut"
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, step, raises)
        assert "NOT SAVED" in forget(played).reads()
        shutil.copytree(tmp_path, copy)  # the power goes now
    rig = Rig(copy, boot="boot-2")
    if step != "note_forgotten":  # until then nothing has been done
        assert (found(copy), rig.app.table.roster.names) == ([], ("Ben",))
    rig.close()
    assert (found(tmp_path) == []) == (step == "clean")  # that one is closed by then, which empties its log
    assert "forgotten" in played.do("6s P1").reads()  # without the cut: once the disk works again
    assert found(tmp_path) == []


ANN = "game[cat_pageant 2] P1*2 ok P1*4 ok P1 ok P1*3 ok turn-1 ok turn-14 ok turn-14 ok*2"  # a fancier of this name


def test_a_fancier_of_the_same_name_is_called_otherwise(rig: Rig, tmp_path: Path) -> None:
    """In its game, in a game that knows it, in files that were set aside, and where it is offered next."""
    ann = rig.app.table.people.add("Ánn")
    ((_, by),) = fanciers.replacements([Person(ann, "Ánn")])
    rig.do(f"{ANN} menu[Main menu]")
    for end in ("", "-wal"):
        shutil.copy(tmp_path / f"journal.db{end}", tmp_path / f"damaged-2026-01-01.db{end}")
    assert "ANN" in rig.do("game[cat_pageant 2]").reads()
    rig.do("menu[Main menu]").app.table.people.forget(ann)
    rig.do("200 6s [Go on]")
    assert "ANN" not in rig.reads() and by in rig.reads()
    assert "ANN" not in rig.do("menu[Main menu] game[cat_pageant 2]").reads() and by in rig.reads()
    rig.close()
    for path in tmp_path.glob("*.db*"):
        assert b'"ANN"' not in path.read_bytes() and b'"letter":"N"' not in path.read_bytes(), path.name


def test_while_saving_fails_it_is_refused(played: Rig) -> None:
    played.app.table.trouble("the disk fails")
    assert "not while saving fails" in forget(played).reads()
    assert len(played.app.table.roster.names) == 2


def test_a_journal_that_is_read_just_now_is_tried_again(tmp_path: Path) -> None:
    troubles: list[str | None] = []
    journal = Journal(tmp_path / "journal.db", "b", lambda ticket: None, troubles.append, threaded=False)
    journal.write_people([Person("0123456789abcdef", NAME)])
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as reader:
        reader.execute("begin")
        reader.execute("select * from person").fetchall()
        journal.forget("0123456789abcdef")
    assert troubles == ["cannot save: another program is writing"]
    assert journal.close() and found(tmp_path) == []


def test_nobody_is_forgotten_before_it_is_saved_that_the_list_of_people_was_read(tmp_path: Path) -> None:
    """Else a power cut would let the list bring the name back."""
    (tmp_path / "people.new").mkdir()
    journal = Journal(tmp_path / "journal.db", "b", lambda ticket: None, lambda text: None, threaded=False)
    journal.write_people([Person("0123456789abcdef", NAME)])
    journal.note_list("1 1")
    journal.forget("0123456789abcdef")
    assert not (tmp_path / "forgotten").exists()
    (tmp_path / "people.new").rmdir()
    assert journal.close() and (tmp_path / "people.read").exists() and found(tmp_path) == []


def test_two_who_met_are_not_the_same_person(played: Rig) -> None:
    played.do("[People] [Ben] [Same person as] ok")
    assert "they sat in the same game" in played.reads()
    assert len(played.app.table.roster.names) == 2


def test_two_who_never_met_may_be_the_same(played: Rig, tmp_path: Path) -> None:
    played.app.table.people.add("Benny")
    played.do("[Kitty Paw] P1! P2*2 ok*2 menu[End the game] 2500 ok [Other game]")
    played.do("[People] [Benny] [Same person as] [Ben]")
    assert "games go to Ben" in played.reads() and len(played.app.table.roster.names) == 3  # it asks first
    played.ok()
    assert sorted(played.app.table.roster.names) == ["Ben", NAME]
    played.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert [list(history.names(game).values()) for game in (1, 2)] == [[NAME, "Ben"], ["Ben"]]


def test_somebody_who_was_just_another_one_is_forgotten_in_those_games_too(tmp_path: Path) -> None:
    """Both are in one commit."""
    with closing(Journal(tmp_path / "journal.db", "b", lambda t: None, lambda t: None, threaded=False)) as journal:
        journal.write_people([Person(id_, name) for id_, name in (("a", "Ann"), ("b", "Ben"))])
        game = journal.begin_game("kitty_paw")
        journal.seat(game, {0: "a"})
        journal.begin_game("kitty_paw")
        with journal.together():
            journal.merge("a", "b")
            journal.forget("b")
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        assert db.execute("select person from seat").fetchall() == [("",)]


def test_who_was_put_right_never_met(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.db", "b", lambda t: None, lambda t: None, threaded=False)) as journal:
        journal.write_people([Person(id_, name) for id_, name in (("a", "Ann"), ("b", "Ben"), ("c", "Cleo"))])
        game = journal.begin_game("kitty_paw")
        journal.seat(game, {0: "a", 1: "b"})
        journal.seat(game, {1: "c"})
    with closing(History(tmp_path / "journal.db")) as history:
        assert [history.met("a", other) for other in "bc"] == [False, True]
