"""Storage that fails, as people at the table see and hear it, and the game that is left."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine import games
from engine.play import Fact
from firmware.journal.reader import History
from tests.simulators import evenings, faulty_disk
from tests.simulators.rig import Rig

BUILDING = "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 10s P2 300"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A state folder that is a file."""
    folder = tmp_path / "state"
    folder.touch()
    return folder


@pytest.fixture
def blocked(folder: Path) -> Iterator[Rig]:
    """A kit that cannot save."""
    rig = Rig(folder)
    yield rig
    if folder.is_file():
        folder.unlink()
    rig.close()


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


def test_it_is_said_in_words_and_every_step_is_still_seen_and_heard(blocked: Rig, rig: Rig) -> None:
    assert "NOT SAVED: cannot save: | File exists. The game | goes on" in blocked.reads()
    assert "P2 MEOW!" in blocked.do(BUILDING).pieces and blocked.tunes == rig.do(BUILDING).tunes


def test_once_storage_is_back_it_is_said(blocked: Rig, folder: Path) -> None:
    blocked.do("game[kitty_paw 3]")
    folder.unlink()
    assert "saving works again" in blocked.do("+P1 100").reads()


@pytest.mark.parametrize("back", ["flash", "tie"])
def test_an_evening_that_began_without_storage_is_whole_in_the_journal(
    folder: Path, undisturbed: tuple[Fact, ...], back: str
) -> None:
    rig = Rig(folder)
    evenings.kitty_paw(rig, lambda phase: folder.unlink() if phase == back else None)
    rig.close()
    assert facts(folder) == undisturbed


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


def test_a_damaged_journal_is_named_on_the_display_and_in_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "journal.db").write_bytes(b"a shopping list " * 1000)
    with closing(Rig(tmp_path)) as rig:
        note = f"journal (damaged) kept, | new one begun: | damaged-{datetime.now(UTC):%Y-%m-%d}.db"
        assert note in rig.reads()
    assert capfd.readouterr().err == note.replace("| ", "") + "\n"


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """Pictures of a kit that is switched on with a disk that can only be read, and later be written to again."""
    library = faulty_disk.build(tmp_path_factory.mktemp("shim"))
    done = faulty_disk.start(library, "tests.simulators.faulty_disk.read_only", tmp_path_factory.mktemp("disk"))
    seen: dict[str, object] = json.loads(done.stdout)
    return seen


READ_ONLY = {
    "a game that can only be read is offered": ("offered", "Kitty Paw"),
    "it is said that nothing can be written": ("offered", "NOT SAVED: cannot save: | the disk cannot be | written to."),
    "a game that cannot be saved goes on": ("shown", "P2 MEOW!"),
    "in the end the journal holds the game as it stands": ("same", "True"),
}


@pytest.mark.skipif(not faulty_disk.READY, reason=faulty_disk.MISSING)
@pytest.mark.parametrize(("what", "text"), READ_ONLY.values(), ids=READ_ONLY)
def test_a_disk_that_can_only_be_read(read_only: dict[str, object], what: str, text: str) -> None:
    assert text in str(read_only[what])
