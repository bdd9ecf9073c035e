"""The power is cut at every write and sync of recorded evenings, and what is left is opened with the product."""

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from engine import games
from engine.play import Fact
from firmware.journal import writer as journal
from firmware.journal.file import open_to_read
from firmware.journal.forgotten import Unforgotten
from firmware.journal.reader import History, decode
from firmware.journal.writer import Journal
from tests.simulators import faulty_disk
from tests.simulators.faulty_disk import Event, evening
from tests.simulators.faulty_disk.disk import KINDS, Disk

RUNS = 3
ONE_MORE_EVERY = 40  # cuts; after these a new run writes on, and all is read once more


class Recording(NamedTuple):
    """All that three runs of one game did to the disk, and what they left there in the end."""

    name: str
    root: str
    events: tuple[Event, ...]
    facts: dict[int, tuple[Fact, ...]]  # by game


@dataclass
class Found:
    """What came of the cuts."""

    cuts: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)  # acknowledged, and not there
    unreadable: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # there, and never written, or not yet
    stuck: list[str] = field(default_factory=list)  # a new run cannot write on

    @property
    def failures(self) -> list[str]:
        return [*self.lost, *self.unreadable, *self.wrong, *self.stuck]


def record(library: Path, folder: Path, name: str, how: str = "wal") -> Recording:
    """Three runs of a game on the watched disk. `folder` is a new one."""
    events = _recorded(library, folder, name, how, RUNS)
    disk = folder / "disk"
    with closing(History(disk / "state" / "journal.db")) as history:
        facts = {row.game: history.facts(row.game, games.rules(row.name)) for row in history.games()}
    return Recording(name, str(disk), events, facts)


def _recorded(library: Path, folder: Path, name: str, how: str, runs: int) -> tuple[Event, ...]:
    disk, log = folder / "disk", folder / "log"
    disk.mkdir(parents=True)
    for run in range(runs):
        done = faulty_disk.start(library, "tests.simulators.faulty_disk.evening", disk, log, name, str(run), how)
        assert done.returncode == 0, done.stderr
    found = tuple(faulty_disk.events(log))
    log.unlink()
    return found


def steps(recording: Recording) -> int:
    """How many calls changed anything: as many moments there are at which the power may go."""
    return sum(event.kind != "#" for event in recording.events)


class Cost(NamedTuple):
    """What an evening wrote, and how often it waited for the disk."""

    bytes: int
    syncs: int
    commits: int
    facts: int


def cost(library: Path, folder: Path, name: str, how: str) -> Cost:
    """Of one evening of a game. `folder` is a new one."""
    found = _recorded(library, folder, name, how, runs=1)
    marks = [json.loads(event.data) for event in found if event.kind == "#"]
    return Cost(
        sum(len(event.data) for event in found if event.kind == "w"),
        sum(event.kind in "sd" for event in found),
        sum("commit" in mark for mark in marks),
        max((mark.get("facts", 0) for mark in marks), default=0),
    )


def cut(recording: Recording, folder: Path, many: int, seed: int) -> Found:
    """Cut the power so many times, in all ways, after every call; with fewer cuts than calls, after some of them."""
    dice, found = Random(f"{recording.name}:{seed}"), Found()
    disk, check = Disk(folder / "cuts", recording.root), Check(recording, found)
    moments = _moments(recording, folder / "count")
    stride = max(1, len(moments) // many)
    unsure = sum(moments)
    most = max(1, -(-(many - len(moments) + unsure) // unsure))  # where several things may be left
    at = 0
    with each_row_once():
        for event in recording.events:
            if event.kind == "#":
                check.mark(json.loads(event.data))
            elif disk.take(event):
                if at % stride == 0:
                    for kind in _kinds(most if moments[at] else 1, dice):
                        check.image(disk, kind, dice)
                at += 1
    disk.close()
    shutil.rmtree(folder / "cuts")
    return found


def _kinds(many: int, dice: Random) -> list[str]:
    """So many ways to cut; with enough of them, each of those that leave most to chance several times."""
    if many < len(KINDS):
        return dice.sample(KINDS, many)
    return [*KINDS[:2], *(KINDS[2 + n % (len(KINDS) - 2)] for n in range(many - 2))]


def _moments(recording: Recording, folder: Path) -> list[bool]:
    """Of each call: whether the disk is unsure after it."""
    disk = Disk(folder, recording.root)
    found = [disk.unsure for event in recording.events if disk.take(event)]
    disk.close()
    shutil.rmtree(folder)
    return found


@contextmanager
def each_row_once() -> Iterator[None]:
    """While this lasts, a row that is read for the thousandth time is not decoded for the thousandth time."""
    known: dict[Any, Fact] = {}

    def remembered(rules: Any, *row: Any) -> Fact:
        if (fact := known.get(row)) is None:
            fact = known[row] = decode(rules, *row)
        return fact

    journal.__dict__["decode"] = remembered
    try:
        yield
    finally:
        journal.__dict__["decode"] = decode


def named(folder: Path) -> list[str]:
    """The files in which the name of somebody who was forgotten can still be found."""
    name = evening.FORGOTTEN.encode()
    return [path.name for path in folder.iterdir() if path.is_file() and name in path.read_bytes()]


@contextmanager
def readable(path: Path) -> Iterator[Path]:
    """The journal, or a copy of it in which a start has forgotten whoever had to be forgotten first."""
    first = False
    try:
        open_to_read(path).close()
    except Unforgotten:
        first = True
    except (FileNotFoundError, sqlite3.Error):  # said by whoever reads it
        pass
    if not first:
        yield path
        return
    with TemporaryDirectory(dir=faulty_disk.MEMORY) as place:
        copy = Path(place) / "state"
        shutil.copytree(path.parent, copy)
        Journal(copy / path.name, "forgets", lambda ticket: None, lambda text: None, threaded=False).close()
        yield copy / path.name


class Check:
    """What must be true of what a power cut leaves."""

    def __init__(self, recording: Recording, found: Found) -> None:
        self._recording, self._found = recording, found
        self._rules = games.rules(recording.name)
        self._safe: dict[int, int] = {}  # facts, by game
        self._handed: dict[int, int] = {}
        self._people = 0  # rows of people and seats
        self._forgotten = False

    def mark(self, mark: dict[str, int]) -> None:
        """The journal was handed something, or has said that it is safe."""
        if "forgotten" in mark:
            self._forgotten = True
        elif "people" in mark:
            self._people = max(self._people, mark["people"])
        elif "safe" in mark:
            self._safe[mark["safe"]] = mark["facts"]
        elif "handed" in mark:
            self._handed[mark["handed"]] = mark["facts"]

    def image(self, disk: Disk, kind: str, dice: Random) -> None:
        """One cut of this kind."""
        found = self._found
        found.cuts += 1
        found.kinds[kind] += 1
        where = f"{self._recording.name}, cut {found.cuts} ({kind})"
        with disk.cut(kind, dice) as image:
            path = image / "state" / "journal.db"
            with readable(path) as place:
                there = self._read(place, where)
            if found.cuts % ONE_MORE_EVERY == 0:
                self._write_on(path.parent, there, where)

    def _read(self, path: Path, where: str) -> dict[int, tuple[Fact, ...]]:
        """All games that are left, with what is wrong about them noted."""
        found = self._found
        there: dict[int, tuple[Fact, ...]] = {}
        try:
            with closing(History(path)) as history:
                there = {row.game: history.facts(row.game, self._rules) for row in history.games()}
        except FileNotFoundError:
            pass
        except sqlite3.Error as error:
            found.unreadable.append(f"{where}: {error}")
        if self._forgotten and (left := named(path.parent)):
            found.wrong.append(f"{where}: a forgotten name is in {', '.join(left)}")
        if there and (rows := evening.rows(path)) < self._people:
            found.lost.append(f"{where}: {rows} rows of people and seats of {self._people}")
        for game, count in self._safe.items():
            if len(there.get(game, ())) < count:
                found.lost.append(f"{where}: game {game} has {len(there.get(game, ()))} facts of {count}")
        for game, facts in there.items():
            whole = self._recording.facts[game][: self._handed.get(game, 0)]
            if facts != whole[: len(facts)]:
                found.wrong.append(f"{where}: game {game} has {len(facts)} facts; {len(whole)} were written by then")

        return there

    def _write_on(self, state: Path, there: dict[int, tuple[Fact, ...]], where: str) -> None:
        """A new run of the program, on a copy."""
        copy, some, told = state.parent.parent / "copy", self._recording.facts[1][:5], list[str | None]()
        if state.exists():
            shutil.copytree(state, copy)
        kept = Journal(
            copy / "journal.db", "after", lambda ticket: None, told.append, on_notice=told.append, threaded=False
        )
        number = kept.begin_game(self._recording.name)
        kept.write(number, some)
        kept.close()
        with closing(History(copy / "journal.db")) as history:
            after = {row.game: history.facts(row.game, self._rules) for row in history.games()}
        if told or after != there | {number: some}:
            self._found.stuck.append(f"{where}: {told}")
        shutil.rmtree(copy)
