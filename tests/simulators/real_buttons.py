"""A whole kit whose buttons are contacts on GPIO lines: the road of a real button, on a virtual clock.

Contacts and kernel are simulated, by the model of decision 0005: an interrupt stamps each move, a thread reads the
level later, and another move before that replaces the stamp. From there on all is the product's: pin factory, debounce,
loop. The threads of the program run a little late, too, and now and then a lot.
"""

from bisect import insort
from contextlib import ExitStack
from math import log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec import structs

from firmware.setup.certificate import UNMEASURED, Standing
from hardware.config import KitConfig
from hardware.kit import Kit
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.gpio import Factories
from tests.firmware.certificates import made
from tests.simulators import kernel_lines
from tests.simulators.contact import HELD_UP_NS, THREAD_CUT, US, between, lateness
from tests.simulators.fairness import BAND_NS
from tests.simulators.rig import MS, Rig

NEVER_NS = 10**18
QUEUE = 1024  # the product's
BUSY_MS = 8  # a thread of the program runs so much later at most, where it is late


class Machine(NamedTuple):
    """How busy kernel and program are."""

    thread_us: int = 40  # on average until a thread of the kernel runs
    held_up: float = 0.0  # the part of the edges whose thread is kept waiting for up to 20 ms
    late: float = 0.02  # the part of the program's turns that come late
    queue: int = QUEUE  # edges that a request holds

    @property
    def standing(self) -> Standing:
        """What a certificate says: by how much a press may have been earlier where a stamp was replaced."""
        if self.held_up:
            early_ns = HELD_UP_NS + THREAD_CUT * self.thread_us * US
            return Standing(made(error_ns=BAND_NS, doubles=1, early_ns=early_ns))
        return UNMEASURED


class RealRig(Rig):
    """A table with real buttons; `edge` and `contact` move them."""

    def __init__(
        self, state: Path, dice: Random, machine: Machine, config: KitConfig, *, drawn: bool = True, **more: Any
    ) -> None:
        """`drawn`: pictures are; else the display stays as it is, which takes half of the time."""
        self.dice, self.machine, self._drawn = dice, machine, drawn
        self._until_closed = ExitStack()
        super().__init__(state, config, standing=machine.standing, **more)

    def _start(self, state: Path, config: KitConfig, boot: str) -> None:
        self._moves: list[tuple[int, int]] = []  # to come: when, and of which line
        self._closed = set[int]()
        self._stamps: dict[int, int] = {}  # the latest of each line
        self._threads: dict[int, tuple[int, int, int]] = {}  # by line: when its thread runs; number and stamp
        self._reader_ns = self._loop_ns = self._timer_ns = NEVER_NS
        self._due_ns: int | None = None
        super()._start(state, config, boot)
        self.app.wake = self._wake
        if not self._drawn:
            blank = self.picture
            self.app.table.picture = lambda: blank  # type: ignore[method-assign]

    def open(self, config: KitConfig) -> Kit:
        """The emulated kit with buttons on lines."""
        emulated = super().open(config)
        self.chip, self._factory = self._until_closed.enter_context(
            kernel_lines.simulated(lambda line: line not in self._closed, lambda: self.now_ns, self.machine.queue)
        )
        self._pins = {player.name: player.button for player in config.players}
        buttons = GpioButtons(self._pins, self._factory, "kernel", self.report)
        lines = Factories(self._factory, self._factory, "kernel", lambda: self._factory)
        return structs.replace(emulated, buttons=buttons, gpio=lines)

    def close(self) -> None:
        """Switch the kit off, and the kernel with it."""
        super().close()
        self._until_closed.close()

    def edge(self, name: str, *, down: bool) -> None:
        """Move a player's button, unless it is there."""
        if (self._pins[name] in self._closed) is not down:
            self._move(self._pins[name])

    def contact(self, name: str, *at_ns: int) -> None:
        """Let a contact move at these times to come."""
        for one in at_ns:
            insort(self._moves, (one, self._pins[name]))

    def after(self, ms: float) -> "RealRig":
        """Let time pass: contacts move, the kernel's threads queue edges, the reader reads them, the loop runs."""
        end_ns = self.now_ns + round(ms * MS)
        while (next_ns := self._next_ns()) <= end_ns:
            self.now_ns = max(self.now_ns, next_ns)
            self._run(next_ns)
        self.now_ns = end_ns
        return self

    def _next_ns(self) -> int:
        if (due_ns := self.app.due_ns) != self._due_ns:
            self._due_ns = due_ns
            self._timer_ns = NEVER_NS if due_ns is None else max(due_ns, self.now_ns) + self._delay()
        moves_ns = self._moves[0][0] if self._moves else NEVER_NS
        kernel_ns = min([runs_ns for runs_ns, _, _ in self._threads.values()], default=NEVER_NS)
        return min(moves_ns, kernel_ns, self._reader_ns, self._loop_ns, self._timer_ns)

    def _run(self, next_ns: int) -> None:
        """Whoever's turn it is."""
        if self._moves and self._moves[0][0] == next_ns:
            self._move(self._moves.pop(0)[1])
        elif line := next((line for line, (runs_ns, _, _) in self._threads.items() if runs_ns == next_ns), None):
            _, number, at_ns = self._threads.pop(line)
            self.chip.request_of(line).queue(line, at_ns, number, high=line not in self._closed)
            self._reader_ns = min(self._reader_ns, self.now_ns + self._delay())
        elif self._reader_ns == next_ns:
            more = self._factory.read(self.chip)
            self._reader_ns = self.now_ns + 10 * US if more else NEVER_NS
        elif self._loop_ns == next_ns:
            self._loop_ns = NEVER_NS
            self.app.step(self.now_ns)
        else:
            self._due_ns = None  # another time, even if it is the same
            self.app.tick(self.now_ns)

    def _move(self, line: int) -> None:
        """A contact moves: an interrupt stamps it, and wakes the thread of its line unless that is on its way."""
        self._closed ^= {line}
        request = self.chip.request_of(line)
        request.drawn += 1
        at_ns = self._stamps[line] = max(self._stamps.get(line, 0), self.now_ns + lateness(self.dice))
        runs_ns, _, _ = self._threads.get(line, (0, 0, 0))
        if runs_ns < at_ns:
            if runs_ns:  # it reads the level before this interrupt
                self.chip.request_of(line).queue(line, *self._threads[line][:0:-1], high=line in self._closed)
            waits_ns = int(min(-log(1 - self.dice.random()), THREAD_CUT) * self.machine.thread_us * US)
            if self.machine.held_up and self.dice.random() < self.machine.held_up:
                waits_ns += int(self.dice.random() * HELD_UP_NS)
            runs_ns = at_ns + waits_ns
        self._threads[line] = runs_ns, request.drawn, at_ns

    def _wake(self) -> None:
        self._loop_ns = min(self._loop_ns, self.now_ns + self._delay())

    def _delay(self) -> int:
        """How much later a thread of the program runs than it could."""
        late = self.dice.random() < self.machine.late
        return between(self.dice, (30, BUSY_MS * 1000)) if late else between(self.dice, (30, 150))
