"""`luckypaw check --self`: an installation that is sound passes, and each thing that is broken is named."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from engine import games
from engine import play as plays
from engine.rules import Action
from firmware.cli import self_check
from firmware.fonts import FOLDER
from firmware.journal.writer import Journal
from hardware.config import TABLE
from hardware.doctor.findings import Finding
from hardware.doctor.libraries import Library, installed
from tests.firmware.command import Ran
from tests.missing import needs
from tests.simulators.distributions import install

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


def test_this_installation_is_sound(tmp_path: Path) -> None:
    ran = Ran(("check", "--self"), tmp_path)
    assert (ran.status, ran.err, ran.lines[-1]) == (0, "", "All right.")


@needs("lgpio")
def test_it_has_a_line_for_each_game_and_library(tmp_path: Path) -> None:
    parts = [each.part for each in self_check.examine(None, tmp_path)]
    wanted = {f"game {name}" for name in games.names()} | {"library msgspec", "library gpiozero", "library lgpio"}
    assert wanted - set(parts) == set()


def test_a_description_that_cannot_be_used_is_status_1(tmp_path: Path) -> None:
    kit = tmp_path / "kit.toml"
    kit.write_text("buzzer.pin = 4")
    ran = Ran(("--config", kit, "check", "--self"), tmp_path)
    assert (ran.status, ran.lines[-1]) == (1, "1 thing is to be mended: description.")


def test_an_old_python_is_named() -> None:
    assert self_check.python((3, 9)).code == "self-python"


def test_a_description_that_is_wrong_is_named_with_its_key(tmp_path: Path) -> None:
    kit = tmp_path / "kit.toml"
    kit.write_text("players = 3")
    (found,) = (each for each in self_check.examine(kit, tmp_path) if each.fault)
    assert (found.code, found.place) == ("self-config", str(kit))
    assert found.text.startswith("cannot be used: players = 3: ")


def test_files_that_another_package_has_replaced_are_named(tmp_path: Path) -> None:
    install(tmp_path, "luckypaw", *(f"engine/{letter}.py" for letter in "abcde"))
    assert not self_check.own([str(tmp_path)]).fault
    install(tmp_path, "motor", *(f"engine/{letter}.py" for letter in "ebda"))
    found = self_check.own([str(tmp_path)])
    assert (found.code, found.place) == ("self-replaced", str(tmp_path))
    others = "; motor has files of these names"
    assert (
        found.text == f"files are not as they were installed: engine/a.py, engine/b.py, engine/d.py (4 in all){others}"
    )


def test_a_module_that_is_gone_is_named(tmp_path: Path) -> None:
    install(tmp_path, "luckypaw", "engine/a.py")
    (tmp_path / "engine/a.py").unlink()
    assert self_check.own([str(tmp_path)]).text == "files are not as they were installed: engine/a.py (1 in all)"


@pytest.mark.parametrize(("version", "code"), [(None, "library-missing"), ("0.1", "library-old")])
def test_a_library_that_is_missing_or_old_is_named(version: str | None, code: str) -> None:
    def version_of(library: Library) -> str | None:
        return version if library.name == "gpiozero" else installed(library)

    assert faults(self_check.modules(TABLE, version_of)) == [(code, "library gpiozero")]


@pytest.mark.parametrize(("driver", "wrong"), [("gpiod", []), ("lgpio", [("library-missing", "library lgpio")])])
def test_lgpio_may_be_missing_where_only_tones_need_it(
    driver: Literal["gpiod", "lgpio"], wrong: list[tuple[str, str]]
) -> None:
    config = msgspec.structs.replace(TABLE, buttons=msgspec.structs.replace(TABLE.buttons, driver=driver))
    assert faults(self_check.modules(config, lambda library: None if library.name == "lgpio" else "99")) == wrong


def test_a_library_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spidev.py").write_text("raise ValueError('wrong machine')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(self_check, "needed", lambda config: [Library("spidev", "spidev", "3.6", "spi")])
    only = msgspec.structs.replace(TABLE, buzzer=None)  # whose tones want lgpio
    found = [(each.code, each.text) for each in self_check.modules(only, lambda library: "3.6") if each.fault]
    assert found == [("self-library", "cannot be loaded: ValueError: wrong machine")]


LOST = (
    ("fonts", "spleen-5x8.pbm", 1),
    *(("page", name, 1) for name in ("index.html", "kit.css", "kit.js", "strip.js")),
    ("page", "words.js", 2),  # phones have it, too
    *(("phones", name, 1) for name in ("phone.html", "phone.css", "common.js", "board.js", "board.html")),
)


@pytest.mark.parametrize(("folder", "name", "pages"), LOST)
def test_a_lost_file_of_the_font_or_a_page_is_named(folder: str, name: str, pages: int, tmp_path: Path) -> None:
    folders = {"fonts": FOLDER, "page": self_check.PAGE, "phones": self_check.PHONES}
    copies = [shutil.copytree(path, tmp_path / name) for name, path in folders.items()]
    (tmp_path / folder / name).unlink()
    found = [(each.code, each.text) for each in self_check.files(*copies) if each.fault]
    assert found == [("self-files", f"files are missing: {name}")] * pages


def test_a_game_that_cannot_be_played_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise KeyError("meow")

    monkeypatch.setattr(games, "rules", lambda name: replace(KITTY_PAW, board=broken))
    found = self_check.game("kitty_paw")
    finding = ("self-game", "game kitty_paw", "cannot be played: KeyError: 'meow'")
    assert (found.code, found.part, found.text) == finding


def test_a_picture_that_cannot_be_drawn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.table.menus.listing", None, raising=False)
    monkeypatch.setattr("firmware.table.listing.listing", None)
    assert self_check.picture(TABLE).code == "self-picture"


@pytest.mark.parametrize("make", [lambda path: None, Path.touch], ids=["none", "an empty one"])
def test_where_nothing_was_played_the_journal_is_all_right(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "journal.db")
    assert not self_check.journal(tmp_path / "journal.db").fault


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("select 1", False),
        ("pragma user_version = 99", True),
        ("update event set name = 'Somersault' where name <> 'Started'", True),
        ("update game set name = 'harvest'", False),
    ],
    ids=["as it was written", "of a later version", "an event that nobody knows", "a game of the owner's own"],
)
def test_a_journal_that_cannot_be_read_is_named(tmp_path: Path, change: str, fault: bool) -> None:
    path = played(tmp_path / "journal.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(change)
    found = self_check.journal(path)
    expected = ("self-journal", str(path)) if fault else (found.code, found.place)
    assert (found.fault, found.code, found.place) == (fault, *expected)


def test_the_games_of_a_journal_are_counted(tmp_path: Path) -> None:
    assert self_check.journal(played(tmp_path / "journal.db")).text == "all right, 1 game"
