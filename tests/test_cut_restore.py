"""The power goes at every call while a backup is put back and somebody is forgotten; all files that are written."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from firmware import state_folder
from tests.simulators import faulty_disk, state_files
from tests.simulators.faulty_disk import Event, restoring
from tests.simulators.faulty_disk.disk import KINDS, Disk

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not faulty_disk.READY, reason=faulty_disk.MISSING)]

STEPS = ("prepare", "restore", "start", "forget", "others")


@pytest.fixture(scope="module")
def memory() -> Iterator[Path]:
    """A folder in memory, if there is any such."""
    with TemporaryDirectory(dir=faulty_disk.MEMORY) as place:
        yield Path(place)


@pytest.fixture(scope="module")
def recorded(memory: Path) -> tuple[Event, ...]:
    """All calls of these steps."""
    library = faulty_disk.build(memory)
    (memory / "disk").mkdir()
    for what in STEPS:
        module = "tests.simulators.faulty_disk.restoring"
        done = faulty_disk.start(library, module, memory / "disk", memory / "log", what)
        assert done.returncode == 0, done.stderr
    return tuple(faulty_disk.events(memory / "log"))


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.nightly)])  # calls
def test_a_cut_leaves_the_old_journal_or_the_new_one_and_no_forgotten_name(
    every: int, recorded: tuple[Event, ...], memory: Path
) -> None:
    model, dice, done = Disk(memory / f"model {every}", str(memory / "disk")), Random(32), set[str]()
    wrong, cuts = list[str](), 0
    for number, event in enumerate(recorded):
        if event.kind == "#":
            done.add(event.data.decode())
        elif model.take(event) and "prepare" in done and "forget" not in done:
            if number % every and event.kind not in "ru":  # always where files take each other's places
                continue
            for kind in (*KINDS[:2], dice.choice(KINDS[2:])):
                with model.cut(kind, dice) as image:
                    shutil.copytree(image / "state", memory / "copy")
                wrong += [f"{kind} behind call {number}: {text}" for text in restoring.wrong(memory / "copy", done)]
                shutil.rmtree(memory / "copy")
                cuts += 1
    model.close()
    assert (wrong, cuts > 300 / every) == ([], True)


def test_what_is_forgotten_is_in_no_file_whatever_the_disk_then_loses(
    recorded: tuple[Event, ...], memory: Path
) -> None:
    model, dice, done = Disk(memory / "then", str(memory / "disk")), Random(33), set[str]()
    for event in recorded:
        if event.kind == "#":
            done.add(event.data.decode())
        elif "forget" not in done:
            model.take(event)
    found = []
    for kind in KINDS:
        with model.cut(kind, dice) as image:
            found += restoring.named(image / "state", restoring.GOING)
    model.close()
    assert found == []


def written(recorded: tuple[Event, ...], root: Path) -> set[str]:
    """The names of all files that were ever in the state folder or below, but for SQLite's shared memory."""
    places = [Path(name) for event in recorded if event.kind in "cr" for name in event.names]
    return {str(place.relative_to(root / "state")) for place in places if root / "state" in place.parents}


def test_the_list_has_every_file_that_is_written(recorded: tuple[Event, ...], memory: Path) -> None:
    assert [name for name in sorted(written(recorded, memory / "disk")) if not state_files.is_known(name)] == []


def test_every_file_of_the_list_is_written(recorded: tuple[Event, ...], memory: Path) -> None:
    listed = {*state_files.ALL}
    of_folders = {f"{state_folder.SHEETS}/dice.toml", f"{state_folder.SHEETS}/.dice.toml.new"}
    assert listed - {state_folder.SHEETS} | of_folders <= written(recorded, memory / "disk")
