"""Each call to the disk fails in turn.

`python -m tests.simulators.faulty_disk.failing FOLDER EVERY FIRST` prints what was wrong.

Three runs of the program write games. The n-th call fails, alone or with all that follow, until storage is back; or the
disk is full after so many bytes, until it has room again.
Whenever the journal says that something is safe, the power is cut on a copy of the disk, and it must be there.
"""

import errno
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from engine import games
from engine.play import Fact
from firmware.journal import writer as journal
from firmware.journal.file import OpenJournal, open_to_write
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from hardware.parts.buttons import Edge
from tests.simulators.faulty_disk import Shim, events
from tests.simulators.faulty_disk.disk import Disk
from tests.simulators.players import random_game

ERRORS = {"EIO": errno.EIO, "ENOSPC": errno.ENOSPC, "EROFS": errno.EROFS}
RULES = games.rules("pack_and_stack")
FACTS = random_game(RULES, 3, RULES.options(), 3).facts
RUNS, WRITES = 3, 7
PAGES = (1000, 8)  # in the log until it is copied to the file: as SQLite does it, and all the time
STEP, MAX_ROOM = 1000, 200_000  # bytes; a disk with room for more does not fill up


class Trial:
    """One disk, and what must be on it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.log = folder / "disk", folder / "log"
        self.root.mkdir(parents=True)
        self.shim = Shim(self.root, self.log)
        self.disk = Disk(folder / "model", str(self.root))
        self.path = self.root / "state" / "journal.db"
        self.games: list[tuple[Fact, ...]] = []  # what was handed to the journal
        self.safe: tuple[int, ...] = ()  # and how much of each it has said to be safe
        self.told: list[str | None] = []
        self.wrong: list[str] = []
        self.calls = 0
        self._read = self._last = 0
        self._tickets: dict[int, tuple[int, ...]] = {}

    def play(self, heal_at: int) -> None:
        """All runs; storage is back at that write, and in any case before the last one."""
        for run in range(RUNS):
            with self.shim.paused():
                self.on_disk(self.path)
                self.games = list(self.found(self.path))
            self.safe = tuple(map(len, self.games))
            self._tickets.clear()
            self._last = 0
            kept = Journal(self.path, f"boot-{run}", self.committed, self.told.append, threaded=False)
            number = None if kept.latest is None else kept.latest.number
            for write in range(WRITES):
                if run * WRITES + write in (heal_at, RUNS * WRITES - 1):
                    self.shim.heal()
                if number is None or (run == 1 and write == 3):
                    number = kept.begin_game(RULES.name)
                    self.games.append(())
                kept.write_edge(Edge("P1", write % 2 == 0, 1000 * run + write, "kernel"))
                some = FACTS[len(self.games[-1]) :][: 1 + write % 3]
                self.games[-1] += some
                self._tickets[kept._ticket + 1] = tuple(map(len, self.games))  # noqa: SLF001  (told before it is known)
                ticket = kept.write(number, some)
                if self._last < ticket and (not self.told or self.told[-1] is None):
                    self.wrong.append(f"run {run}, write {write}: not saved, and not a word of it")
            kept.close()
        self.whole()

    def committed(self, ticket: int) -> None:
        """What is said to be safe is there, even if the power goes now and nothing is left that was not synced."""
        self._last = ticket
        self.safe = self._tickets.get(ticket, self.safe)
        for event in events(self.log, self._read):
            self.disk.take(event)
        self._read = self.log.stat().st_size
        with self.disk.cut("none", Random(0)) as image:
            self.on_disk(image / "state" / "journal.db")

    def on_disk(self, path: Path) -> None:
        """Everything safe is there."""
        there = self.found(path)
        for count, facts in zip(self.safe, self.games, strict=False):
            if count and not any(one[:count] == facts[:count] for one in there):
                self.wrong.append(f"{count} facts of a game are safe; there are {[len(one) for one in there]}")

    def found(self, path: Path) -> tuple[tuple[Fact, ...], ...]:
        """All games on a disk, the oldest first."""
        try:
            with closing(History(path)) as history:
                return tuple(history.facts(row.game, RULES) for row in reversed(history.games()))
        except FileNotFoundError:
            return ()
        except sqlite3.Error as error:
            self.wrong.append(f"unreadable: {error}")
            return ()

    def whole(self) -> None:
        """In the end every game is there, whole and once, and nobody is told of any trouble any more."""
        there = self.found(self.path)
        if there != tuple(self.games):
            self.wrong.append(f"in the end games of {[*map(len, there)]} facts instead of {[*map(len, self.games)]}")
        with closing(sqlite3.connect(self.path)) as db:
            if twice := db.execute("select count(*) - count(distinct at_ns) from edge").fetchone()[0]:
                self.wrong.append(f"{twice} edges are there twice")
            if (checked := db.execute("pragma integrity_check").fetchone()[0]) != "ok":
                self.wrong.append(f"SQLite finds: {checked}")
        if self.told and self.told[-1] is not None:
            self.wrong.append(f"storage is back, and the last word is {self.told[-1]!r}")
        self.wrong += [
            f"strange words: {text}" for text in self.told if text is not None and "cannot save: " not in text
        ]


def trial(folder: Path, pages: int, prepare: Callable[[Shim], None], heal_at: int) -> Trial:
    """One trial on a disk of its own."""
    one = Trial(folder)

    def opened(*arguments: Any, **options: Any) -> OpenJournal:
        found = open_to_write(*arguments, **options)
        found.db.execute(f"pragma wal_autocheckpoint = {pages}")
        return found

    journal.__dict__["open_to_write"] = opened
    prepare(one.shim)
    before = one.shim.calls
    try:
        one.play(heal_at)
    except Exception as error:
        one.wrong.append(f"raised {error!r}")
    one.calls = one.shim.calls - before
    one.shim.close()
    one.disk.close()
    shutil.rmtree(folder)
    return one


def trials(every: int, first: int) -> Iterator[tuple[str, int, Callable[[Shim], None], int]]:
    """What each is called, after how many pages the log is copied, how its disk fails, and when storage is back."""
    dice = Random(first)
    for pages in PAGES:
        for nth in range(first, calls(pages), every):
            for name, error in ERRORS.items():
                for lasting in (False, True):
                    heal_at = dice.randrange(RUNS * WRITES) if lasting else -1
                    fail = partial(Shim.fail, nth=nth, error=error, lasting=lasting)
                    yield f"call {nth}, {name}{' and on' * lasting}, {pages} pages", pages, fail, heal_at
        for size in range(first * STEP, MAX_ROOM, every * STEP):
            heal_at = dice.randrange(RUNS * WRITES)
            yield f"room for {size} bytes, {pages} pages", pages, partial(Shim.room, size=size), heal_at


@cache
def calls(pages: int) -> int:
    """How many calls there are that may fail."""
    healthy = trial(Path(sys.argv[1]) / "healthy", pages, lambda shim: None, -1)
    assert not healthy.wrong and not healthy.told
    return healthy.calls


def main() -> None:
    folder, every, first = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    wrong, all_ = list[str](), list(trials(every, first))
    for name, pages, prepare, heal_at in all_:
        one = trial(folder / "trial", pages, prepare, heal_at)
        wrong += [f"{name}, back at {heal_at}: {text}" for text in one.wrong]
    print(json.dumps({"calls": sum(map(calls, PAGES)), "trials": len(all_), "wrong": wrong}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
