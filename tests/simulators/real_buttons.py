"""Buttons as contacts on GPIO lines, and a whole kit with them: the road of a real button, on a virtual clock.

Contacts and kernel are simulated, by the model of decision 0005: an interrupt stamps each move, a thread reads the
level later, and another move before that replaces the stamp. From there on all is the product's: pin factory, debounce,
loop. The threads of the program run a little late, too, and now and then a lot.
"""

import signal
from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from math import log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec import structs

from firmware.setup.certificate import UNMEASURED, Standing
from firmware.table.app import App
from hardware.config import KitConfig
from hardware.kit import Kit
from hardware.parts import Report
from hardware.parts.buttons import Buttons, Edge
from hardware.parts.buttons.emulated import EmulatedButtons
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.gpio import Factories
from hardware.parts.gpio.gpiod_factory import PING_S
from tests.firmware.certificates import made
from tests.simulators import kernel_lines
from tests.simulators.contact import HELD_UP_NS, THREAD_CUT, US, between, closing, lateness
from tests.simulators.fairness import BAND_NS
from tests.simulators.rig import MS, Rig

NEVER_NS = 10**18
HANGS_S = 60
QUEUE = 1024  # the product's
BUSY_MS = 8  # a thread of the program runs so much later at most, where it is late
STALLS_NS = 150 * MS  # so long on average it runs until it stands still
STALLED_MS = 5  # for so long at least
BRUSHED = 0.1  # how often a hand that moves a button brushes another one
BRUSH_US = (300, 1700)  # a contact that is touched, or left, for so long is no press
BRUSHED_NS = 100 * MS  # two brushes of a button that are closer may be one, by their sum


class Fault(AssertionError):
    """What must not happen."""


class Machine(NamedTuple):
    """How busy kernel and program are."""

    thread_us: int = 40  # on average until a thread of the kernel runs
    held_up: float = 0.0  # the part of the edges whose thread is kept waiting for up to 20 ms
    late: float = 0.02  # the part of the program's turns that come late
    queue: int = QUEUE  # edges that a request holds
    stalls_ms: int = 0  # in a race the whole program stands still now and then, for so long at most

    @property
    def standing(self) -> Standing:
        """What a certificate says: by how much a press may have been earlier where a stamp was replaced."""
        if self.held_up:
            early_ns = HELD_UP_NS + THREAD_CUT * self.thread_us * US
            return Standing(made(error_ns=BAND_NS, doubles=1, early_ns=early_ns))
        return UNMEASURED


class Lines:
    """Contacts on lines, the kernel's threads, and the reader of the program, each at its time.

    Whoever has the clock does what `next_ns` and `run` say.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        dice: Random,
        machine: Machine,
        now_ns: Callable[[], int],
        held: Iterable[str] = (),
    ) -> None:
        """`pins`: the lines of the players' buttons; `held`: those that are down."""
        self.pins, self.dice, self.machine, self._now_ns = pins, dice, machine, now_ns
        self._moves: list[tuple[int, int]] = []  # to come: when, and of which line
        self._closed = {pins[name] for name in held}
        self._stamps: dict[int, int] = {}  # the latest of each line
        self._threads: dict[int, tuple[int, int, int]] = {}  # by line: when its thread runs; number and stamp
        self._reader_ns = NEVER_NS
        self._waits_ns = self._woken_ns = now_ns()  # since when the reader waits, and what woke it
        self.stalls_ms = 0  # as of the machine, while it is a race
        self._stalls: list[tuple[int, int]] = []  # the present one and those to come
        self._held = dict.fromkeys(pins, False)  # by a `hand`
        self._brushed_ns = dict.fromkeys(pins, -NEVER_NS)
        self._until_closed = ExitStack()
        self._chip, self.factory = self._until_closed.enter_context(
            kernel_lines.simulated(lambda line: line not in self._closed, now_ns, machine.queue)
        )

    def fitted(self, kit: Kit, report: Report) -> Kit:
        """This kit with the product's buttons on these lines."""
        buttons = GpioButtons(self.pins, self.factory, "kernel", report)
        self._until_closed.callback(buttons.close)
        gpio = Factories(self.factory, self.factory, "kernel", lambda: self.factory, behind=self.factory.behind)
        return structs.replace(kit, buttons=buttons, gpio=gpio)

    def close(self) -> None:
        """The kernel goes, and all that the program has left open with it."""
        self._until_closed.close()

    def closed(self, name: str) -> bool:
        """Whether a contact is closed."""
        return self.pins[name] in self._closed

    def contact(self, name: str, *at_ns: int) -> None:
        """Let a contact move at these times to come."""
        for one in at_ns:
            insort(self._moves, (one, self.pins[name]))

    def hand(self, name: str, *, down: bool) -> None:
        """A hand presses a button or lets it go, from now on: it bounces, and now and then another one is brushed."""
        if self.dice.random() < BRUSHED:
            self.brush(self.dice.choice([one for one in self.pins if one != name]))
        if self._held[name] is not down:
            self._held[name] = down
            self.contact(name, *closing(self.dice, self._now_ns()))

    def brush(self, name: str) -> None:
        """Touch a button that nobody holds, for too short a time to press it."""
        now_ns = self._now_ns()
        if not self.closed(name) and now_ns >= self._brushed_ns[name] + BRUSHED_NS:
            self._brushed_ns[name] = now_ns
            self.contact(name, now_ns + US, now_ns + between(self.dice, BRUSH_US))

    def next_ns(self) -> int:
        """When something happens next."""
        moves_ns = self._moves[0][0] if self._moves else NEVER_NS
        return min([moves_ns, self._reader_ns, *(runs_ns for runs_ns, _, _ in self._threads.values())])

    def run(self, next_ns: int) -> None:
        """Let it happen: a contact moves, a thread of the kernel queues an edge, or the reader reads."""
        now_ns = self._now_ns()
        if self._moves and self._moves[0][0] == next_ns:
            self.move(self._moves.pop(0)[1])
        elif line := next((line for line, (runs_ns, _, _) in self._threads.items() if runs_ns == next_ns), None):
            _, number, at_ns = self._threads.pop(line)
            self._chip.request_of(line).queue(line, at_ns, number, high=line not in self._closed)
            if self._reader_ns == NEVER_NS:
                self._reader_ns, self._woken_ns = now_ns + self.delay(), now_ns
        else:
            pings_ns = self._woken_ns - (self._woken_ns - self._waits_ns) % round(PING_S * 1e9)
            more = self.factory.read(self._chip, pings_ns)
            self._reader_ns = now_ns + 10 * US if more else NEVER_NS
            self._waits_ns = self._woken_ns = now_ns

    def move(self, line: int) -> None:
        """A contact moves: an interrupt stamps it, and wakes the thread of its line unless that is on its way."""
        self._closed ^= {line}
        request = self._chip.request_of(line)
        request.drawn += 1
        at_ns = self._stamps[line] = max(self._stamps.get(line, 0), self._now_ns() + lateness(self.dice))
        runs_ns, _, _ = self._threads.get(line, (0, 0, 0))
        if runs_ns < at_ns:
            if runs_ns:  # it reads the level before this interrupt
                request.queue(line, *self._threads[line][:0:-1], high=line in self._closed)
            waits_ns = int(min(-log(1 - self.dice.random()), THREAD_CUT) * self.machine.thread_us * US)
            if self.machine.held_up and self.dice.random() < self.machine.held_up:
                waits_ns += int(self.dice.random() * HELD_UP_NS)
            runs_ns = at_ns + waits_ns
        self._threads[line] = runs_ns, request.drawn, at_ns

    def delay(self, from_ns: int | None = None) -> int:
        """How much later a thread of the program runs than it could: now, or from a time to come.

        After a standstill all of them may run, and nobody knows which one does first.
        """
        from_ns = self._now_ns() if from_ns is None else from_ns
        late = self.dice.random() < self.machine.late
        waits_ns = between(self.dice, (30, BUSY_MS * 1000)) if late else between(self.dice, (30, 150))
        stalled_ns = self._stalled(self._now_ns(), from_ns + waits_ns)
        return waits_ns + (stalled_ns and stalled_ns + between(self.dice, (1, 150)))

    def stand_still(self, begin_ns: int, end_ns: int) -> None:
        """Let the whole program stand still in this time to come."""
        self._stalls.append((begin_ns, end_ns))

    def _stalled(self, now_ns: int, at_ns: int) -> int:
        """How long the whole program still stands still then."""
        self._stalls = [stall for stall in self._stalls if stall[1] > now_ns]
        while self.stalls_ms and (not self._stalls or self._stalls[-1][1] <= at_ns):
            after_ns = self._stalls[-1][1] if self._stalls else now_ns
            begin_ns = after_ns + int(self.dice.expovariate(1 / STALLS_NS))
            self._stalls.append((begin_ns, begin_ns + between(self.dice, (STALLED_MS, self.stalls_ms), MS)))
        return next((end_ns - at_ns for begin_ns, end_ns in self._stalls if begin_ns <= at_ns < end_ns), 0)


def ending(turn: Callable[[int], None]) -> Callable[[int], None]:
    """A turn of the loop that is a `Fault` where it goes round for ever: by the time of the processor."""

    def hangs(*_: object) -> None:
        raise Fault("the loop never ends")

    def ends(now_ns: int) -> None:
        before = signal.signal(signal.SIGVTALRM, hangs)
        signal.setitimer(signal.ITIMER_VIRTUAL, HANGS_S)
        try:
            turn(now_ns)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    return ends


class PageButtons(EmulatedButtons):
    """Buttons that a page moves, and that are contacts on lines."""

    def __init__(self, lines: Lines, real: Buttons) -> None:
        super().__init__(lines.pins)
        self._lines, self._real = lines, real

    def edge(self, button: str, *, down: bool, at_ns: int) -> None:
        self._lines.hand(button, down=down)

    def listen(self, on_edge: Callable[[Edge], None]) -> None:
        self._real.listen(on_edge)

    def down(self, button: str) -> bool | None:
        return self._real.down(button)

    def close(self) -> None:
        self._lines.close()


class Ending(App):
    """The program, each of whose turns has to end."""

    def step(self, now_ns: int) -> None:
        ending(super().step)(now_ns)

    def tick(self, now_ns: int) -> None:
        ending(super().tick)(now_ns)


class RealRig(Rig):
    """A table with real buttons; `edge`, `contact` and `brush` move them."""

    program = Ending

    def __init__(
        self, state: Path, dice: Random, machine: Machine, config: KitConfig, *, drawn: bool = True, **more: Any
    ) -> None:
        """`drawn`: pictures are; else the display stays as it is, which takes half of the time."""
        self.dice, self.machine, self._drawn = dice, machine, drawn
        self.reported = set[str]()  # of parts
        self._lines: Lines | None = None
        self._held: tuple[str, ...] = ()  # buttons that are held over a new run
        super().__init__(state, config, standing=machine.standing, **more)

    def _start(self, state: Path, config: KitConfig, boot: str) -> None:
        self._loop_ns = self._timer_ns = NEVER_NS
        self._due_ns: int | None = None
        super()._start(state, config, boot)
        self.app.wake = self._wake
        if not self._drawn:
            blank = self.picture
            self.app.table.picture = lambda: blank  # type: ignore[method-assign]

    def open(self, config: KitConfig) -> Kit:
        """The emulated kit with buttons on lines."""
        emulated = super().open(config)
        self._no_lines()  # of a run that was killed
        pins = {player.name: player.button for player in config.players}
        self._lines = Lines(pins, self.dice, self.machine, lambda: self.now_ns, self._held)
        return self._lines.fitted(emulated, self.report)

    def report(self, name: str, text: str | None) -> None:
        super().report(name, text)
        self.reported.add(name)

    def close(self) -> None:
        """Switch the kit off, and the kernel with it."""
        super().close()
        self._no_lines()

    def _no_lines(self) -> None:
        if self._lines is not None:
            self._held = tuple(filter(self._lines.closed, self._lines.pins))
            self._lines.close()
            self._lines = None

    @property
    def lines(self) -> Lines:
        """The buttons' lines."""
        assert self._lines is not None
        return self._lines

    def edge(self, name: str, *, down: bool) -> None:
        """Move a player's button, unless it is there."""
        if self.lines.closed(name) is not down:
            self.lines.move(self.lines.pins[name])

    def contact(self, name: str, *at_ns: int) -> None:
        """Let a contact move at these times to come."""
        self.lines.contact(name, *at_ns)

    def brush(self, name: str) -> None:
        """Touch a button that nobody holds, for too short a time to press it."""
        self.lines.brush(name)
        self.after(3)

    def arrow(self, steps: int) -> "RealRig":
        """As people turn, who look at the display: a step waits for an older touch that may become a press."""
        for _ in range(abs(steps)):
            super().arrow(1 if steps > 0 else -1)
            while self.app.table.unsure_ns is not None:
                self.after(1)
        return self

    def after(self, ms: float) -> "RealRig":
        """Let time pass: contacts move, the kernel's threads queue edges, the reader reads them, the loop runs."""
        end_ns = self.now_ns + round(ms * MS)
        while (next_ns := self._next_ns()) <= end_ns:
            self.now_ns = max(self.now_ns, next_ns)
            self._run(next_ns)
        self.now_ns = end_ns
        return self

    def stall(self, ms: str) -> "RealRig":
        """The loop stands still meanwhile; edges go into its inbox."""
        end_ns = self.now_ns + int(ms) * MS
        while (next_ns := self.lines.next_ns()) <= end_ns:
            self.now_ns = max(self.now_ns, next_ns)
            self.lines.run(next_ns)
        self.now_ns = end_ns
        return self

    def _next_ns(self) -> int:
        if (due_ns := self.app.due_ns) != self._due_ns:
            self._due_ns = due_ns
            self._timer_ns = NEVER_NS
            if due_ns is not None:
                from_ns = max(due_ns, self.now_ns)
                self._timer_ns = from_ns + self.lines.delay(from_ns)
        return min(self.lines.next_ns(), self._loop_ns, self._timer_ns)

    def _run(self, next_ns: int) -> None:
        """Whoever's turn it is."""
        if self.lines.next_ns() == next_ns:
            self.lines.run(next_ns)
        elif self._loop_ns == next_ns:
            self._loop_ns = NEVER_NS
            self.app.step(self.now_ns)
        else:
            self._due_ns = None  # another time, even if it is the same
            self.app.tick(self.now_ns)

    def _wake(self) -> None:
        self._loop_ns = min(self._loop_ns, self.now_ns + self.lines.delay())
