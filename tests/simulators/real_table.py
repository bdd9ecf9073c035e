"""A table in the kernel lab: the program with a real kit, run as `luckypaw play` runs it on a Pi, and people at it.

The program is a process of its own. People move the contacts of simulated lines, which bounce; they see what the bus
of the display has carried, what the strip's controller lights, and the levels of the lamps' lines. What has happened
is read from the journal.
"""

import os
import sqlite3
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, Self

from PIL import Image

from engine import games
from engine.play import Fact, Play
from firmware.journal.reader import History
from firmware.table.long_press import HOLD_NS
from hardware.config import KitConfig, parse
from hardware.parts.debounce import LOCK_NS
from hardware.parts.display.emulated_chip import Chip
from hardware.parts.strip import Pixels
from tests.simulators.controller import micropython_controller
from tests.simulators.program import Program
from tests.simulators.reading import text
from tests.simulators.sim_chip import Lines, SimChip
from tests.simulators.waiting import SLOWER, Stalled, comes, until

BUS_LOG = Path("/sys/kernel/debug/i2c-labsink/log")  # every write to the display: u64 ns, u32 length, bytes
SPI_LOG = Path("/sys/kernel/debug/spi-labsink/log")  # the same of the one by SPI, as I2C would have carried it
CLICK = (("a", True), ("b", True), ("a", False), ("b", False))  # the knob's contacts, clockwise
QUARTER_MS = 5.0  # between them
STOOD_NS = 20_000_000  # a picture is drawn in one go
MISSED_S = 2.0  # without a new picture: the click was not taken
SEEN_MS = 250 if SLOWER == 1 else 1000  # nobody answers sooner what a picture asks

# what `luckypaw play` does on a machine that calls itself a Raspberry Pi; the lab has no device tree to say so
PROGRAM = """
import pathlib, sys
import hardware.mounts
from firmware import waiting
from firmware.cli.play import play
from hardware.config import load
hardware.mounts.volatile = lambda *_: None  # the lab's disk is in memory, and nobody wants to hear that
waiting.run(play(load(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]), port=None, emulated=False))
"""

KIT = """
buttons.driver = "{driver}"
display = {{ driver = "ssd1306", bus = "i2c", port = 1, address = 0x3c }}
buzzer.pin = 13
strip = {{ port = "{strip}", leds = 60 }}
control = {control}
players = [{players}]
"""
PLAYERS = {"P1": (5, 12), "P2": (6, 16), "P3": (22, 20), "P4": (23, 21), "P5": (25, 18), "P6": (26, 19)}  # button, lamp
CONTROLS = {
    "knob": '{ kind = "knob", a = 17, b = 27, push = 24 }',
    "buttons": '{ kind = "buttons", up = 17, down = 27, ok = 24 }',
}


class Pull(NamedTuple):
    """One movement of a contact, and CLOCK_MONOTONIC around the write that made it."""

    name: str
    down: bool
    before_ns: int
    after_ns: int


class EdgeRow(NamedTuple):
    """A raw edge as the journal keeps it."""

    name: str
    down: bool
    at_ns: int
    source: str


class Glass:
    """What stands on the display, decoded from what the bus has carried."""

    def __init__(self, log: Path = BUS_LOG) -> None:
        self.seen = 0  # bytes of the bus's log
        self._bus = os.open(log, os.O_RDONLY)
        self._chip = Chip("ssd1306")
        self._drawn_ns = 0  # the time of the last write

    def picture(self) -> Image.Image:
        """The picture now."""
        for at_ns, payload in self.carried():
            self._chip.write(payload)
            self._drawn_ns = at_ns
        return self._chip.picture()

    def pictures(self) -> Iterator[tuple[int, Image.Image]]:
        """The pictures since the last look that have stood for a moment, and the one now, each with its time."""
        for at_ns, payload in self.carried():
            if at_ns - self._drawn_ns > STOOD_NS:
                yield self._drawn_ns, self._chip.picture()
            self._chip.write(payload)
            self._drawn_ns = at_ns
        yield self._drawn_ns, self._chip.picture()

    def carried(self) -> Iterator[tuple[int, bytes]]:
        """The writes since the last look, each with its time."""
        while log := os.pread(self._bus, 1 << 20, self.seen):
            at = 0
            while at + 12 <= len(log):
                at_ns, length = struct.unpack_from("<QI", log, at)
                if at + 12 + length > len(log):
                    break
                yield at_ns, log[at + 12 : at + 12 + length]
                at += 12 + length
            self.seen += at

    def close(self) -> None:
        """Look away."""
        os.close(self._bus)


class Table:
    """The parts of a program at work, and what people do.

    Machines are slow at times. So whoever moves something goes on once the program has taken it in, and only what is
    about time itself is left to the clock.
    """

    def __init__(self, journal: Path, chip: Lines, config: KitConfig, lamps: Callable[[], Pixels]) -> None:
        self.config, self.strip = config, lamps
        self.pulls: list[Pull] = []  # of all contacts
        callback = config.buttons.driver == "rpigpio"
        self._gap_ms = 40.0 if callback else 2.0  # between two presses of a race: well outside the tie band
        self._rest_ms = 80.0 if callback else 35.0  # longer than a line is locked; a level read late must still stand
        self._chip = chip
        self._journal = journal
        self._lines = {player.name: player.button for player in config.players}
        self._lines |= {"ok" if name == "push" else name: pin for name, pin in config.control.pins.items() if pin}
        for line in self._lines.values():
            chip.pull(line, True)
        self._glass = Glass()
        self._replayed: tuple[int, Play] | None = None  # up to which row

    @cached_property
    def _db(self) -> sqlite3.Connection:
        return sqlite3.connect(self._journal, isolation_level=None)

    def rewire(self, chip: Lines) -> None:
        """The contacts are on the lines of another chip from now on."""
        self._chip = chip

    def after(self, ms: float) -> Self:
        """Let time pass."""
        time.sleep(ms / 1000)
        return self

    def down(self, *names: str, down: bool = True) -> Self:
        """Put hands on buttons, one after the other."""
        for name in names:
            self.move(name, down)
            self._until_taken(name)
        return self.after(self._rest_ms)

    def up(self, *names: str) -> Self:
        """Take hands off again."""
        return self.down(*names, down=False)

    def tap(self, name: str, times: int = 1) -> Self:
        """Short presses. Raises `Stalled`."""
        for _ in range(times):
            at = len(self.pulls)
            self.down(name).up(name)
            if self.pulls[-1].after_ns - self.pulls[at].before_ns >= HOLD_NS:
                raise Stalled(name)
        return self

    def race(self, *names: str) -> Self:
        """Presses in this order, as close as this driver's stamps must be able to tell apart."""
        for name in names:
            self.move(name, True)
            if self.config.buttons.driver == "rpigpio":
                self._until_taken(name)  # its stamp is taken whenever its callback gets to run
            self.after(self._gap_ms)
        for name in names:
            self._until_taken(name)
        return self.after(self._rest_ms).up(*names)

    def at_once(self, *names: str) -> Self:
        """Presses as close together as one process can make them. Raises `Stalled`."""
        with undisturbed():
            for name in names:
                self.pull(name, True)
        if self.pulls[-1].after_ns - self.pulls[-len(names)].before_ns >= LOCK_NS:
            raise Stalled(names[0])
        for name in names:
            self._until_taken(name)
        return self.after(self._rest_ms).up(*names)

    def hold(self, name: str) -> Self:
        """One long press."""
        return self.down(name).after(700).up(name)

    def ok(self, times: int = 1) -> Self:
        """Short pushes of OK, once what they answer could be seen."""
        return self.after(SEEN_MS).tap("ok", times)

    def ok_hold(self) -> Self:
        """A long push of OK."""
        return self.hold("ok")

    def turn(self, steps: int) -> Self:
        """The knob clockwise so many clicks, or ▲ so many times; negative: the other way. Each changes the picture.

        A callback may come when a knob's contact has moved on already; who sees no change clicks again.
        """
        callback = self.config.buttons.driver == "rpigpio"
        self.after(SEEN_MS)
        for _ in range(abs(steps)):
            self.glass()
            changes = partial(self._carried_more, self._glass.seen)
            self._click(steps)
            if callback and not comes(changes, MISSED_S):
                self._click(steps)
            until(changes, lambda: "the picture changes")
        return self

    def _click(self, steps: int) -> None:
        """One click of the knob, or one press of ▲; of a negative number: the other way."""
        if self.config.control.kind == "knob":
            for name, down in CLICK if steps > 0 else CLICK[1::-1] + CLICK[:1:-1]:
                self.pull(name, down)
                self.after(QUARTER_MS)
        else:
            name = "up" if steps > 0 else "down"
            for down in (True, False):
                self.move(name, down)
                self.after(self._rest_ms)

    def _carried_more(self, seen: int) -> bool:
        """Whether the bus has carried more than so many bytes."""
        self.glass()
        return self._glass.seen > seen

    def choose(self, rows: int) -> Self:
        """So many rows down a list, or up."""
        return self.turn(rows if self.config.control.kind == "knob" else -rows)

    def no(self) -> Self:
        """Say no to a question: by ▼, or by a step of the knob and OK."""
        return self.choose(1).ok() if self.config.control.kind == "knob" else self.choose(1)

    def begin(self, game: str, *players: str, options: Callable[[], None]) -> Self:
        """From the menu into a game; `options` sets what the game's list of options shows."""
        self.until_reads("which game?").choose(games.names().index(game)).ok()
        self.until_reads("Who plays?")
        for name in players:
            self.tap(name)
        self.ok().until_reads("START")
        options()
        return self.ok()

    def move(self, name: str, down: bool) -> None:
        """Move one contact; it bounces once, and stays where it was moved to. Raises `Stalled`."""
        with undisturbed():
            for level in (down, not down, down):
                self.pull(name, level)
        if self.pulls[-1].after_ns - self.pulls[-3].before_ns >= LOCK_NS:
            raise Stalled(name)

    def pull(self, name: str, down: bool) -> None:
        """Move one contact once."""
        before_ns = time.monotonic_ns()
        self._chip.pull(self._lines[name], not down)
        self.pulls.append(Pull(name, down, before_ns, time.monotonic_ns()))

    def _until_taken(self, name: str) -> None:
        """Wait until the journal has the latest level of a player's button, or of OK."""
        pull = next(pull for pull in reversed(self.pulls) if pull.name == name)
        query = "select count(*) from edge where button = ? and down = ? and at_ns >= ?"
        values = (name, pull.down, pull.before_ns)
        until(lambda: bool(self._db.execute(query, values).fetchone()[0]), lambda: f"{pull} is journaled")

    def until(self, phase: str) -> Self:
        """Wait for a phase of the game."""
        until(lambda: self.phase == phase, lambda: f"phase {phase}; it is {self.phase}")
        return self

    def until_reads(self, words: str) -> Self:
        """Wait until the display says so."""
        looked = b""

        def says() -> bool:
            nonlocal looked
            picture = self.glass()
            before, looked = looked, picture.tobytes()
            return looked != before and words in text(picture)

        until(says, lambda: f"the display says {words!r}; it says {text(self.glass())!r}")
        return self

    def glass(self) -> Image.Image:
        """What stands on the display."""
        return self._glass.picture()

    def lit(self) -> frozenset[str]:
        """The lamps whose line is high."""
        lamps = {player.name: player.lamp for player in self.config.players}
        return frozenset(name for name, pin in lamps.items() if pin is not None and self._chip.value(pin))

    @property
    def phase(self) -> str:
        """The phase of the game, as committed; nothing before there is one."""
        if (play := self.play()) is None:
            return ""
        return play.board.phase

    def play(self) -> Play | None:
        """The game, replayed from the journal."""
        (last,) = self._db.execute("select coalesce(max(id), 0) from event").fetchone()
        if last and (self._replayed is None or self._replayed[0] != last):
            with closing(History(self._journal)) as history:
                row = history.games()[0]
                self._replayed = last, history.play(row.game, games.rules(row.name))
        return None if self._replayed is None else self._replayed[1]

    def facts(self) -> tuple[Fact, ...]:
        """All facts of the game."""
        with closing(History(self._journal)) as history:
            row = history.games()[0]
            return history.facts(row.game, games.rules(row.name))

    def edges(self) -> list[EdgeRow]:
        """All raw edges, in the order in which they came in."""
        rows = self._db.execute("select button, down, at_ns, source from edge order by id")
        return [EdgeRow(name, bool(down), at_ns, source) for name, down, at_ns, source in rows]

    def close(self) -> None:
        """Let go of the bus and the journal."""
        self._db.close()
        self._glass.close()


class RealTable(Table):
    """A table that starts the program."""

    def __init__(
        self, folder: Path, chip: SimChip, config: KitConfig, lamps: Callable[[], Pixels], program: str
    ) -> None:
        BUS_LOG.write_bytes(b"")
        super().__init__(folder / "state" / "journal.db", chip, config, lamps)
        self.said = ""  # by the program, from when it was ready until it was stopped
        self.program = Program("-c", program, folder / "kit.toml", folder / "state")
        if "ready" not in self.program.first:
            raise RuntimeError(f"the program says {self.program.first!r}, then {self.stop()!r}")

    def stop(self) -> tuple[int, str]:
        """End the program as a service is ended: its exit status, and what it has complained of."""
        status, self.said, complaints = self.program.end()
        return status, complaints

    def close(self) -> None:
        """Let go of the bus, and end the program if it still runs."""
        self.program.__exit__()
        super().close()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep the machine's one processor for a moment: a contact does not stop bouncing while programs run."""
    os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@contextmanager
def real_table(folder: Path, driver: str, control: str, program: str = PROGRAM) -> Iterator[RealTable]:
    """A kit on lines of its own, its program started, its strip plugged in."""
    with SimChip() as chip, table_on(chip, folder, driver, control, program) as table:
        yield table


@contextmanager
def table_on(chip: SimChip, folder: Path, driver: str, control: str, program: str = PROGRAM) -> Iterator[RealTable]:
    """The same on lines that others may use, too."""
    with micropython_controller(folder, 60) as (port, lamps):
        people = (f'{{ name = "{name}", button = {pin}, lamp = {lamp} }}' for name, (pin, lamp) in PLAYERS.items())
        kit = KIT.format(driver=driver, strip=port, control=CONTROLS[control], players=", ".join(people))
        (folder / "kit.toml").write_text(kit)
        table = RealTable(folder, chip, parse(kit), lamps, program)
        try:
            yield table
        finally:
            table.close()
