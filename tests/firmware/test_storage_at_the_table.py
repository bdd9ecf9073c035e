"""What people at the table see and hear of storage that fails, and what is left of their game."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import games
from engine.play import Fact
from firmware.journal.reader import History
from tests.simulators import evenings, faulty_disk
from tests.simulators.rig import Rig

THREE = ("P1", "P2", "P3")


@pytest.fixture
def blocked(tmp_path: Path) -> Path:
    """A state folder that is a file."""
    folder = tmp_path / "state"
    folder.touch()
    return folder


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Fact, ...]:
    """An evening of Kitty Paw on a disk that works."""
    folder = tmp_path_factory.mktemp("healthy")
    rig = Rig(folder)
    evenings.kitty_paw(rig)
    rig.close()
    return facts(folder)


def facts(folder: Path) -> tuple[Fact, ...]:
    """All facts of the only game."""
    with closing(History(folder / "journal.db")) as history:
        (row,) = history.games()
        return history.facts(row.game, games.rules(row.name))


def test_it_is_said_in_words(blocked: Path) -> None:
    rig = Rig(blocked)
    said = rig.reads()
    blocked.unlink()
    rig.close()
    assert "NOT SAVED: cannot save: | File exists. The game | goes on" in said


def test_every_step_is_still_seen(blocked: Path) -> None:
    rig = Rig(blocked)
    evenings.flash(rig.begin("Kitty Paw", *THREE)).after(6000).tap("P2").after(300)
    shown = rig.reads()
    blocked.unlink()
    rig.close()
    assert "P2 MEOW!" in shown


def test_every_verdict_is_still_heard(blocked: Path, tmp_path: Path) -> None:
    rigs = [Rig(blocked), Rig(tmp_path / "healthy")]
    for rig in rigs:
        evenings.flash(rig.begin("Kitty Paw", *THREE)).after(6000).tap("P2").after(300)
    tunes = [rig.tunes for rig in rigs]
    blocked.unlink()
    for rig in rigs:
        rig.close()
    assert tunes[0] == tunes[1]


def test_once_storage_is_back_it_is_said(blocked: Path) -> None:
    rig = Rig(blocked).begin("Kitty Paw", *THREE)
    blocked.unlink()
    rig.down("P1").after(100)
    said = rig.reads()
    rig.close()
    assert "saving works again" in said


@pytest.mark.parametrize("back", ["flash", "tie"])
def test_an_evening_that_began_without_storage_is_whole_in_the_journal(
    blocked: Path, undisturbed: tuple[Fact, ...], back: str
) -> None:
    rig = Rig(blocked)
    evenings.kitty_paw(rig, lambda phase: blocked.unlink() if phase == back else None)
    rig.close()
    assert facts(blocked) == undisturbed


@pytest.mark.parametrize("gone", ["hands", "check"])
def test_an_evening_whose_card_was_pulled_and_put_back_is_whole_in_the_journal(
    tmp_path: Path, undisturbed: tuple[Fact, ...], gone: str
) -> None:
    folder, pulled = tmp_path / "state", tmp_path / "pulled"
    rig = Rig(folder)

    def look(phase: str) -> None:
        if phase == gone:
            folder.rename(pulled)
        elif phase == "tie":
            folder.rename(tmp_path / "mount point")
            pulled.rename(folder)

    evenings.kitty_paw(rig, look)
    rig.close()
    assert facts(folder) == undisturbed


def test_a_damaged_journal_is_named_on_the_display(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"a shopping list " * 1000)
    rig = Rig(tmp_path)
    said = rig.reads()
    rig.close()
    assert f"journal (damaged) kept, | new one begun: | damaged-{datetime.now(UTC):%Y-%m-%d}.db" in said


# --- the kit is switched on with a disk that can only be read, and later can be written to again ---------------------

on_a_faulty_disk = pytest.mark.skipif(not faulty_disk.READY, reason=faulty_disk.MISSING)


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What people see of it."""
    library = faulty_disk.build(tmp_path_factory.mktemp("shim"))
    done = faulty_disk.start(library, "tests.simulators.faulty_disk.read_only", tmp_path_factory.mktemp("disk"))
    seen: dict[str, object] = json.loads(done.stdout)
    return seen


@on_a_faulty_disk
def test_a_game_that_can_only_be_read_is_offered(read_only: dict[str, object]) -> None:
    assert "Kitty Paw" in str(read_only["offered"])


@on_a_faulty_disk
def test_it_is_said_that_nothing_can_be_written(read_only: dict[str, object]) -> None:
    assert "NOT SAVED: cannot save: | the disk cannot be | written to." in str(read_only["offered"])


@on_a_faulty_disk
def test_a_game_that_cannot_be_saved_goes_on(read_only: dict[str, object]) -> None:
    assert "P2 MEOW!" in str(read_only["shown"])


@on_a_faulty_disk
def test_in_the_end_the_journal_holds_the_game_as_it_stands(read_only: dict[str, object]) -> None:
    assert read_only["same"] is True
