"""`luckypaw check --self`: an installation that is sound passes, and each thing that is broken is named."""

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import games
from engine import play as plays
from engine.game import Rules
from engine.rules import Action
from firmware.cli import self_check
from firmware.journal.writer import Journal
from firmware.screens.font import FOLDER
from hardware.config import TABLE
from hardware.doctor.findings import Finding
from hardware.doctor.libraries import Library, installed
from tests.firmware.command import Ran

KITTY_PAW = games.rules("kitty_paw")


def faults(found: Iterable[Finding]) -> list[tuple[str, str]]:
    return [(each.code, each.part) for each in found if each.fault]


def played(path: Path) -> Path:
    """A journal with a game in it."""
    journal = Journal(path, "boot-1", lambda ticket: None, lambda text: None, threaded=False)
    first = plays.start(KITTY_PAW, ("A", "B"), KITTY_PAW.options(), 7, 1)
    facts = (first, *plays.answer(plays.opened(KITTY_PAW, first), Action(0, "hands", None, 2)))
    journal.write(journal.begin_game("kitty_paw"), facts)
    journal.close()
    return path


# --- as people run it ------------------------------------------------------------------------------------------------


def test_this_installation_is_sound(tmp_path: Path) -> None:
    ran = Ran(("check", "--self"), tmp_path)
    assert (ran.status, ran.err, ran.lines[-1]) == (0, "", "All right.")


def test_it_has_a_line_for_each_game_and_library(tmp_path: Path) -> None:
    parts = [each.part for each in self_check.examine(None, tmp_path)]
    wanted = {f"game {name}" for name in games.names()} | {"library msgspec", "library gpiozero", "library lgpio"}
    assert wanted - set(parts) == set()


def test_a_description_that_cannot_be_used_is_status_1(tmp_path: Path) -> None:
    kit = tmp_path / "kit.toml"
    kit.write_text("buzzer.pin = 4")
    ran = Ran(("--config", kit, "check", "--self"), tmp_path)
    assert (ran.status, ran.lines[-1]) == (1, "1 thing is to be mended: description.")


# --- what is broken --------------------------------------------------------------------------------------------------


def test_an_old_python_is_named() -> None:
    assert self_check.python((3, 9)).code == "self-python"


def test_a_description_that_is_wrong_is_named_with_its_key(tmp_path: Path) -> None:
    kit = tmp_path / "kit.toml"
    kit.write_text("players = 3")
    (found,) = (each for each in self_check.examine(kit, tmp_path) if each.fault)
    assert (found.code, found.place, found.text.startswith("cannot be used: players = 3: ")) == (
        "self-config",
        str(kit),
        True,
    )


@pytest.mark.parametrize(("version", "code"), [(None, "library-missing"), ("0.1", "library-old")])
def test_a_library_that_is_missing_or_old_is_named(version: str | None, code: str) -> None:
    def told(library: Library) -> str | None:
        return version if library.name == "gpiozero" else installed(library)

    assert faults(self_check.modules(TABLE, told)) == [(code, "library gpiozero")]


def test_a_library_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spidev.py").write_text("raise ValueError('wrong machine')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(self_check, "needed", lambda config: [Library("spidev", "spidev", "3.6", "spi")])
    found = [(each.code, each.text) for each in self_check.modules(TABLE, lambda library: "3.6") if each.fault]
    assert found == [("self-library", "cannot be loaded: ValueError: wrong machine")]


def test_a_lost_sheet_of_the_font_is_named(tmp_path: Path) -> None:
    fonts = shutil.copytree(FOLDER, tmp_path / "fonts")
    (fonts / "spleen-5x8.png").unlink()
    found = [(each.code, each.text) for each in self_check.files(fonts, self_check.PAGE) if each.fault]
    assert found == [("self-files", "files are missing: spleen-5x8.png")]


@pytest.mark.parametrize("name", ["index.html", "kit.css", "kit.js", "strip.js"])
def test_a_lost_file_of_the_page_is_named(name: str, tmp_path: Path) -> None:
    page = shutil.copytree(self_check.PAGE, tmp_path / "page")
    (page / name).unlink()
    found = [each.text for each in self_check.files(FOLDER, page) if each.fault]
    assert found == [f"files are missing: {name}"]


def test_a_game_that_cannot_be_played_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise KeyError("meow")

    def rules(name: str) -> Rules[Any, Any]:
        return replace(KITTY_PAW, board=broken)

    monkeypatch.setattr(games, "rules", rules)
    found = self_check.game("kitty_paw")
    assert (found.code, found.part, found.text) == (
        "self-game",
        "game kitty_paw",
        "cannot be played: KeyError: 'meow'",
    )


def test_a_picture_that_cannot_be_drawn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.table.menus.listing", None, raising=False)
    monkeypatch.setattr("firmware.table.listing.listing", None)
    assert self_check.picture(TABLE).code == "self-picture"


# --- the journal -----------------------------------------------------------------------------------------------------


def test_no_journal_yet_is_all_right(tmp_path: Path) -> None:
    assert not self_check.journal(tmp_path / "journal.db").fault


def test_an_empty_journal_is_all_right(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    assert not self_check.journal(tmp_path / "journal.db").fault


def test_a_journal_that_can_be_read_is_all_right(tmp_path: Path) -> None:
    assert self_check.journal(played(tmp_path / "journal.db")).text == "all right, 1 game"


def test_a_journal_of_a_later_version_is_named(tmp_path: Path) -> None:
    path = played(tmp_path / "journal.db")
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma user_version = 99")
    found = self_check.journal(path)
    assert (found.code, found.place) == ("self-journal", str(path))


def test_a_journal_with_an_event_that_nobody_knows_is_named(tmp_path: Path) -> None:
    path = played(tmp_path / "journal.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("update event set name = 'Somersault' where name <> 'Started'")
    assert self_check.journal(path).code == "self-journal"


def test_a_game_of_the_owners_own_does_not_keep_from_updating(tmp_path: Path) -> None:
    path = played(tmp_path / "journal.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("update game set name = 'harvest'")
    assert not self_check.journal(path).fault
