"""Forgetting is cut, and so are starts after it: `python -m tests.simulators.faulty_disk.forgetting FOLDER HOW N SEED`.

HOW is `each`: one folder, in which a start goes on with a forgetting that was cut; that start ends at each of its calls
and reads in turn, and each read fails, of every N-th. Or `random`: N folders, each with other texts; forgetting and up
to two starts after it are cut anywhere, or a read fails; what is not synced may be lost. The first of these kits reads
a list of people. In the end a kit starts in good order. No file may have the name then, the others of the list are
known, and all games are as they were. Prints JSON.
"""

import errno
import json
import os
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from firmware.journal.forgotten import listed, note_forgotten
from firmware.state_folder import JOURNAL, sync
from firmware.statistics.game_totals import up_to_date
from firmware.table.app import App
from hardware.config import TABLE
from hardware.kit import open_emulated
from tests.simulators import forgets
from tests.simulators.faulty_disk import Shim, events
from tests.simulators.faulty_disk.disk import KINDS, Disk

Files = dict[str, bytes]
Act = Callable[[Path], None]
LIST, STAYS = "people.txt", "Cleopatra"
S = 10**9


class Cut(NamedTuple):
    """Where a step is cut, and what the power then takes along."""

    call: int = -1  # the program ends before the call of this number that changes something; -1: before none
    read: int = -1  # or before this read
    error: int = 0  # or the read fails, and the program goes on
    lasting: bool = False  # so do all that follow
    left: str = "all"  # of `KINDS`


class Step(NamedTuple):
    """What came of a step."""

    files: Files
    whole: bool  # it came to its end
    calls: int
    reads: int


def switched_on(people: Path, folder: Path) -> App:
    """A kit is switched on, and reads a list of people."""
    kit = open_emulated(TABLE, lambda name, text: None, threaded=False, clock=lambda: S)
    app = App(kit, folder, now_ns=S, threaded=False, people=people)
    for _ in range(2):  # the first picture is out; the list has been read
        app.step(S)
    return app


def start(people: Path, folder: Path) -> None:
    """A kit is switched on, and off; meanwhile a page asks for the sums."""
    app = switched_on(people, folder)
    with suppress(OSError, sqlite3.Error), closing(up_to_date(folder)):
        pass
    app.close()


def forget(people: Path, folder: Path) -> None:
    """Two people are forgotten at the kit, one after the other, unless that was begun before."""
    app, begun = switched_on(people, folder), listed(folder)
    for id_ in (forgets.ID, forgets.OTHER):
        if id_ not in begun:
            app.journal.forget(id_)
    app.close()


class Steps:
    """Steps on a watched disk, each of a process of its own."""

    def __init__(self, place: Path, chance: Random) -> None:
        self._place, self._chance = place, chance

    def run(self, files: Files, act: Act, cut: Cut) -> Step:
        """Do something in a folder with these files. Returns what is left there."""
        disk, log = self._place / "disk", self._place / "log"
        state = disk / "state"
        disk.mkdir()
        shim = Shim(disk, log)
        fill(state, files)
        sync(disk)
        reading, writing = os.pipe()
        if (child := os.fork()) == 0:
            shim.fail(cut.call, 0, lasting=False)
            shim.fail_read(cut.read, cut.error, lasting=cut.lasting)
            before = shim.calls, shim.reads
            act(state)
            os.write(writing, json.dumps([shim.calls - before[0], shim.reads - before[1]]).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            counts = pipe.read()
        _, status = os.waitpid(child, 0)
        assert status == 0, "the program fell"
        shim.close()
        left = self._left(disk, log, cut.left)
        shutil.rmtree(disk)
        log.unlink()
        return Step(left, bool(counts), *(json.loads(counts) if counts else (0, 0)))

    def _left(self, disk: Path, log: Path, kind: str) -> Files:
        """What the power leaves."""
        model = Disk(self._place / "model", str(disk))
        for event in events(log):
            model.take(event)
        with model.cut(kind, self._chance) as image:
            files = files_of(image / "state")
        model.close()
        shutil.rmtree(self._place / "model")
        return files


def fill(folder: Path, files: Files) -> None:
    """Files in a new folder, on the disk."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
        sync(folder / name)
        sync((folder / name).parent)
    sync(folder)


def files_of(folder: Path) -> Files:
    """The files of a folder and of those in it; SQLite's shared memory is made anew."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".db-shm"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def wrong(place: Path, files: Files, before: list[object], cuts: Sequence[Cut] = ()) -> str:
    """What is wrong after these cuts, once a kit has started in good order, and forgotten whom it had not begun to."""
    folder, people = place / "last", place / LIST
    fill(folder, files)
    forget(people, folder)
    start(people, folder)
    start(people, folder)
    with closing(sqlite3.connect(folder / JOURNAL)) as db:
        (known,) = db.execute("select count(*) from person where name = ?", (STAYS,)).fetchone()
    left, after = forgets.named(folder, forgets.NAME, forgets.SECOND), forgets.told(folder)
    noted = [listed(folder)[id_].done for id_ in (forgets.ID, forgets.OTHER)]
    shutil.rmtree(folder)
    if left:
        return f"the name is in {', '.join(left)}"
    if any(cut.error for cut in cuts):  # SQLite may take it for damage: it was set aside
        return "" if all(noted) else "it is not done"
    if known != 1:
        return f"of the list {known} are known"
    if after != before:
        return f"games {before[0]} were {before[-1]} rows; now {after[0]} and {after[-1]}"
    return "" if all(noted) else "it is not done"


def each(place: Path, every: int, seed: int) -> Iterator[tuple[str, str]]:
    """One folder, and a start that ends at each of its calls and reads in turn."""
    chance = Random(seed)
    (place / LIST).write_text(STAYS)
    forgets.made(made := place / "made", chance, everything=True)
    before = forgets.told(made)
    note_forgotten(made, [forgets.ID], done=False)  # the plug is pulled: nothing else has been done
    files, steps, act = files_of(made), Steps(place, chance), partial(start, place / LIST)
    whole = steps.run(files, act, Cut())
    assert whole.whole and not wrong(place, whole.files, before)
    cuts = [Cut(call=n, left=chance.choice(KINDS)) for n in range(0, whole.calls, every)]
    cuts += [Cut(read=n, left=chance.choice(KINDS)) for n in range(0, whole.reads, every)]
    for lasting in (False, True):
        cuts += [Cut(read=n, error=errno.EIO, lasting=lasting) for n in range(int(lasting), whole.reads, every)]
    for cut in cuts:
        found = wrong(place, steps.run(files, act, cut).files, before, [cut])
        yield kind_of(cut), found and f"{found} after {cut}"


def kind_of(cut: Cut) -> str:
    """A cut, for the counts."""
    if cut.error:
        return "reads fail from one on" if cut.lasting else "a read fails"
    return "cut at a read" if cut.read >= 0 else "cut at a write" if cut.call >= 0 else "not cut"


def random(place: Path, many: int, seed: int) -> Iterator[tuple[str, str]]:
    """Other texts each time; forgetting is cut, and up to two starts after it."""
    people = place / LIST
    for number in range(many):
        chance = Random(f"{seed} {number}")
        forgets.made(made := place / "made", chance)
        before, files, steps = forgets.told(made), files_of(made), Steps(place, chance)
        shutil.rmtree(made)
        cuts, fails = list[Cut](), chance.random() < 0.5
        # a kit that cannot read its journal takes whomever the list has for somebody new
        people.write_text("\n".join([STAYS] if fails else [forgets.NAME, STAYS, forgets.SECOND]))
        for act in (partial(forget, people), *(partial(start, people),) * chance.randint(0, 2)):
            whole = steps.run(files, act, Cut())
            left = chance.choice(KINDS)
            cut = chance.choice(
                (
                    Cut(call=chance.randrange(whole.calls), left=left),
                    Cut(read=chance.randrange(whole.reads), left=left),
                    Cut(read=chance.randrange(whole.reads), error=errno.EIO, lasting=chance.random() < 0.5, left=left),
                )[: 3 if fails else 2]
            )
            files = steps.run(files, act, cut).files
            cuts.append(cut)
        found = wrong(place, files, before, cuts)
        yield kind_of(cuts[0]), found and f"{seed} {number}: {found} after {cuts}"


def main() -> None:
    place, how, many, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    found = list((each if how == "each" else random)(place, many, seed))
    kinds = Counter(kind for kind, _ in found)
    print(json.dumps({"forgets": len(found), "kinds": kinds, "wrong": [text for _, text in found if text]}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
