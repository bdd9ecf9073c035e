"""A long life in little time: evenings on one emulated kit in one process, with all that goes wrong on a table.

Time is virtual, a day from evening to evening; the journal is a real one on disk. Every 50 evenings the kit is switched
off and on. The last evenings are the first ones once more, with the same dice, so that what they cost can be compared.
"""

import gc
import resource
import sqlite3
import sys
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from typing import Any

import pytest

from engine import games
from engine.game import Rules
from firmware.journal import writer as journal
from firmware.journal.reader import History
from firmware.journal.writer import EDGES_DAYS
from firmware.table import past_games
from firmware.table.back_menu import Back
from firmware.table.menus import Menu, Past, Resume
from firmware.table.playing import Playing, begin
from tests.simulators.every_game import names, rules_of
from tests.simulators.people import People
from tests.simulators.players import in_order_of_play, random_options
from tests.simulators.random_play import same
from tests.simulators.real_buttons import Machine, RealRig
from tests.simulators.rig import Rig, S
from tests.simulators.undoing import SIX

DAY_NS = 24 * 3600 * S
YEARS = timedelta(days=3653)
STEP = 3  # from one evening's game to the next of the list, so that a few evenings have games and sheets
RUN = 50  # evenings from one start of the kit to the next
ACTS = 25  # at most, in an evening
TROUBLE = 0.12  # how often something breaks, or comes back, before an act
START = datetime(2026, 1, 1, 18, tzinfo=UTC)


class Wall(datetime):
    """The wall clock of the journal: virtual time, and by how far somebody has put it wrong."""

    off = timedelta()
    rig: Rig | None = None  # whose time it is

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Wall":
        now_ns = 0 if cls.rig is None else cls.rig.now_ns
        moment = START + timedelta(microseconds=now_ns // 1000) + cls.off
        return cls.fromisoformat(moment.isoformat())


class Disk:
    """Where the journal is; it may fail."""

    def __init__(self) -> None:
        self.failing = False
        self._connect = sqlite3.connect

    def connect(self, *args: Any, **more: Any) -> sqlite3.Connection:
        if self.failing:
            raise sqlite3.OperationalError("disk I/O error")
        found: sqlite3.Connection = self._connect(*args, **more)
        return found


class Kit:
    """One kit through all its evenings, and what they cost."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.folder, self.path, self.disk = folder, folder / "journal.db", disk
        self.now_ns = 1000 * S
        self.runs = 0
        self.costs = array("q")  # of each step of the loop in this evening: ns of the processor, or calls
        self.counting = False
        self.starts: list[int] = []  # what each start has cost, in µs of the processor
        self.most_edges = 0
        self.edges: deque[int] = deque()  # stamps of the raw edges of the last 30 days
        self.early = 0  # edges that were younger when they went
        self.wal_bytes = 0
        self.troubles = 0
        self.switch_on()

    def switch_on(self) -> None:
        """A new start of the program, a new boot."""
        self.runs += 1
        began_ns = time.thread_time_ns()
        self.rig = RealRig(
            self.folder,
            Random(self.runs),
            Machine(),
            SIX,
            boot=f"boot-{self.runs}",
            start_ns=self.now_ns,
            seed=self.runs,
        )
        self.starts.append((time.thread_time_ns() - began_ns) // 1000)
        Wall.rig = self.rig
        step, write_edge = self.rig.app.step, self.rig.app.journal.write_edge

        def counted(now_ns: int) -> None:
            self.costs.append((calls_of if self.counting else cpu_ns)(lambda: step(now_ns)))

        def kept(edge: Any) -> None:
            self.edges.append(edge.at_ns)
            write_edge(edge)

        ask = self.rig.app.table.read

        def elsewhere(read: Any, then: Any, wanted: Any) -> None:
            profile = sys.getprofile()  # what the reader's thread does costs the loop nothing
            sys.setprofile(None)
            ask(read, then, wanted)
            sys.setprofile(profile)

        self.rig.app.table.read = elsewhere
        self.rig.app.step = counted  # type: ignore[method-assign]
        self.rig.app.journal.write_edge = kept  # type: ignore[method-assign]

    def switch_off_and_on(self) -> None:
        """The plug; then it is seen what was pruned."""
        self.rig.close()
        self.now_ns = self.rig.now_ns + DAY_NS // 24
        self.switch_on()
        old_ns = self.now_ns - EDGES_DAYS * DAY_NS
        while self.edges and self.edges[0] < old_ns:
            self.edges.popleft()
        with closing(sqlite3.connect(self.path)) as db:
            self.most_edges = max(self.most_edges, *db.execute("select count(*) from edge").fetchone())
            (there,) = db.execute("select count(*) from edge where at_ns >= ?", (old_ns,)).fetchone()
        self.early += len(self.edges) - there
        self.edges = deque(list(self.edges)[-there:] if there else ())

    def evening(self, seed: int) -> None:
        """The history is looked at, a game is played, things break and are mended; at the end nothing is missing."""
        dice = Random(seed)
        rig = self.rig
        rig.lines.dice = Random(f"lines {seed}")  # of their own, so that an evening is the same once more
        rig.now_ns += DAY_NS
        people = People(rig, dice)
        people.press("P1")  # it was asleep
        self.to_menu(people)
        self.look_at_history(people)
        self.play(people, names()[seed * STEP % len(names())])
        broken: dict[str, Callable[[], None]] = {}
        for _ in range(ACTS):
            if dice.random() < TROUBLE:
                self.trouble(people, broken)
            elif dice.random() < 0.1:
                self.undo_and_redo(people)
            elif dice.random() < 0.04:
                people.fix()
            if not people.act():
                break
            self.wal_bytes = max(self.wal_bytes, size(self.path.with_name("journal.db-wal")))
        for mend in broken.values():
            mend()
        people.let_go()
        rig.after(300)
        if dice.random() < 0.5:
            people.pick("End the game now")
        self.check()
        self.to_menu(people)
        rig.after(dice.choice((100, 100, 100, 400_000, 2_000_000)))  # in one of five nights a paw wanders
        self.wal_bytes = max(self.wal_bytes, size(self.path.with_name("journal.db-wal")))

    def to_menu(self, people: People) -> None:
        """From wherever it stands."""
        rig = self.rig
        for _ in range(20):
            mode = rig.app.table.top
            if isinstance(mode, Menu):
                return
            people.let_go()
            if isinstance(mode, Playing):
                people.pick("Main menu")
            elif isinstance(mode, Resume):
                people.turn(1)
            else:
                rig.ok_hold()
        raise AssertionError(f"no way to the menu: {rig.reads()}")

    def look_at_history(self, people: People) -> None:
        """The games of the past, on the display."""
        rig = self.rig
        while rig.row() != "History":
            rig.arrow(-1)
        rig.ok()
        assert isinstance(rig.app.table.top, Past)
        rig.arrow(-3).ok()
        self.to_menu(people)

    def play(self, people: People, name: str) -> None:
        """Begin a game: from the menu, or at once with any options."""
        rules: Rules[Any, Any] = rules_of(name)
        fewest, most = rules.seats
        many = people.dice.randint(min(max(2, fewest), most), min(most, len(SIX.names)))
        players = in_order_of_play(SIX.names, many, people.dice)
        if people.dice.random() < 0.5 and name in games.names():
            self.rig.arrow(20).begin(rules.title, *players)
        else:
            begin(self.rig.app.table, rules, players, random_options(rules, people.dice, programs=False))
            self.rig.after(1)

    def undo_and_redo(self, people: People) -> None:
        """By Back, a few steps."""
        rig = self.rig
        rig.ok_hold()
        if isinstance(rig.app.table.top, Back):
            rig.ok(people.dice.randint(1, 4)).arrow(people.dice.randint(0, 4))
        if rig.app.table.overlays and rig.app.table.game is not None:
            rig.ok_hold()

    def trouble(self, people: People, broken: dict[str, Callable[[], None]]) -> None:
        """Something breaks, or what is broken is mended; or somebody sets the clock of the machine."""
        self.troubles += 1
        rig, dice = self.rig, people.dice
        what = dice.choice(("display", "strip", "disk", "stuck", "button", "clock", "clock"))
        assert rig.strip is not None
        if what in broken:
            broken.pop(what)()
        elif what == "display":
            rig.display.unplug()
            broken[what] = rig.display.replug
        elif what == "strip":
            rig.strip.unplug()
            broken[what] = rig.strip.replug
        elif what == "disk":
            self.disk.failing = True
            if (db := rig.app.journal._db) is not None:  # noqa: SLF001
                db.close()
            broken[what] = lambda: setattr(self.disk, "failing", False)
        elif what == "stuck":
            people.move(dice.choice(SIX.names), down=True)
            rig.after(10_500)
        elif what == "button":
            name = dice.choice(SIX.names)
            rig.app.report(f"button {name}", f"button {name} lost: GPIO 5 is busy")
            broken[what] = lambda: rig.app.report(f"button {name}", None)
        else:
            Wall.off = dice.choice((-YEARS, timedelta(), YEARS))

    def check(self) -> None:
        """The journal has the game as it stands, whatever storage went through."""
        playing = self.rig.app.table.game
        if playing is not None:
            self.rig.app.journal.write(playing.number, ())  # what waits is written with what comes next
            self.rig.after(1)
            with closing(History(self.path)) as history:
                assert same(history.play(playing.number, playing.play.rules), playing.play), "the journal has the game"


def calls_of(action: Callable[[], object]) -> int:
    """How many functions were called, in Python and in C: the same on a busy machine."""
    events: list[str] = []
    sys.setprofile(lambda frame, event, arg: events.append(event))
    try:
        action()
    finally:
        sys.setprofile(None)
    return events.count("call") + events.count("c_call")


def size(path: Path) -> int:
    """Bytes of a file; 0 where there is none."""
    return path.stat().st_size if path.exists() else 0


def in_memory(kit: Kit) -> dict[str, int]:
    """What is in memory when caches, which end at a size, and what the soak itself remembers are left out."""
    gc.collect()
    caches = [one for one in gc.get_objects() if isinstance(one, type(lru_cache(len)))]
    entries = sum(cache.cache_info().currsize for cache in caches)
    for cache in caches:
        cache.cache_clear()
    del caches
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "kB": pages * resource.getpagesize() // 1024,
        "objects": len(gc.get_objects()),
        "blocks": sys.getallocatedblocks() - len(kit.edges),
        "cache entries": entries,
    }


@contextmanager
def wrong_clock_and_disk(disk: Disk) -> Iterator[None]:
    """The journal sees the virtual wall clock and this disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "datetime", Wall)
        patch.setattr(sqlite3, "connect", disk.connect)
        Wall.off, Wall.rig = timedelta(), None
        yield


def look_ups(path: Path) -> dict[str, tuple[int, int]]:
    """What the program asks of the journal at its start and while it runs: in calls of functions, and in µs."""
    asked: dict[str, Callable[[], object]] = {
        "history on the display": lambda: list(past_games.newest(path)),
        "kept for a new game": lambda: past_games.carryover(path, games.rules("cat_pageant")),
    }
    return {name: (calls_of(ask), min(cpu_ns(ask) for _ in range(3)) // 1000) for name, ask in asked.items()}


def cpu_ns(action: Callable[[], object]) -> int:
    """What it costs this thread."""
    began_ns = time.thread_time_ns()
    action()
    return time.thread_time_ns() - began_ns


def empty_caches() -> None:
    """Forget what functions of the program have kept of their results."""
    kept = type(games.rules)
    for one in gc.get_objects():
        if isinstance(one, kept) and one.__module__.split(".")[0] in ("engine", "firmware"):
            one.cache_clear()


def life(folder: Path, evenings: int, window: int, progress: Callable[[int], None] = lambda n: None) -> dict[str, Any]:
    """So many evenings. The last are the first once more: a window in which time is taken, one in which calls are."""
    disk = Disk()
    with wrong_clock_and_disk(disk):
        kit = Kit(folder, disk)
        steps: dict[int, array[int]] = {}  # by evening: the cost of each step of the loop
        memory: list[dict[str, int]] = []
        asked = []
        for number in range(evenings):
            if number == 1 or (number and number % RUN == 0):
                kit.switch_off_and_on()
            again = number - (evenings - 2 * window)
            seed = again if again >= 0 else number
            kit.counting = window <= seed < 2 * window
            if seed == window:  # both windows begin alike, whatever this process has done before
                empty_caches()
            kit.costs = array("q")
            kit.evening(seed)
            if seed < 2 * window:
                steps[number] = kit.costs
            if number in (min(RUN, evenings // 2), evenings - 1):
                memory.append(in_memory(kit))
            if number in (0, evenings - 1):
                asked.append(look_ups(kit.path))
            progress(number)
        kit.rig.close()
        found = files(kit, evenings) | {"look-ups": compared(*asked), "start": kit.starts[1:]}
    for name, first in (("step in ns", 0), ("step in calls", window)):
        costs = [
            [cost for number in range(begin, begin + window) for cost in steps[number]]
            for begin in (first, evenings - 2 * window + first)
        ]
        found[name] = {
            "steps": [len(cost) for cost in costs],
            "p99": [quantiles(cost, n=100)[-1] for cost in costs],
            "mean": [round(fmean(cost)) for cost in costs],
            "ratio": round(fmean(costs[1]) / fmean(costs[0]), 3),  # a p99 hangs on ten steps of a thousand
        }
    for what in memory[0]:
        warm, end = (then[what] for then in memory)
        found[what] = {"warm": warm, "end": end, "ratio": round(end / max(1, warm), 3)}
    return found


def files(kit: Kit, evenings: int) -> dict[str, Any]:
    """What lies on the disk in the end."""
    with closing(sqlite3.connect(kit.path)) as db:
        count = "select count(*) from "
        rows = {table: db.execute(count + table).fetchone()[0] for table in ("run", "game", "event", "edge")}
    return {
        "evenings": evenings,
        "troubles": kit.troubles,
        "rows": rows,
        "journal kB": size(kit.path) // 1024,
        "bytes an evening": size(kit.path) // evenings,
        "longest WAL kB": kit.wal_bytes // 1024,
        "most edges at a start": kit.most_edges,
        "edges pruned early": kit.early,
    }


def compared(first: dict[str, tuple[int, int]], last: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """With one game in the journal, and with all."""
    return {name: {"calls": (first[name][0], last[name][0]), "µs": (first[name][1], last[name][1])} for name in first}
