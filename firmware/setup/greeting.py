"""The first start: each button once, what the doctor says, a race of 30 seconds. Holding OK skips it at any point.

It never comes again; cut in the middle it does, as it is noted in the state folder only once it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from PIL import Image

from engine import race, racing
from engine.race import Race
from engine.rules import Board, Press, Seat, Shows
from engine.stamps import S
from firmware.output import sounds
from firmware.setup import greeting_pictures as pictures
from firmware.setup import menu
from firmware.setup.steps import Setup, StepFailed
from firmware.state_folder import GREETED
from firmware.table.listing import Rows
from firmware.table.overlay import Overlay
from firmware.table.table import Table
from firmware.translation import _

if TYPE_CHECKING:
    from hardware.doctor.findings import Finding

READ_NS = 2 * S  # for what needs no answer
WAIT_NS = range(2 * S, 5 * S)  # before the go-signal, at random
NOBODY_NS = 4 * S  # after it
LAST_NS = 3 * S // 2  # after the first press
SHOWN_NS = 3 * S
HEATS = 3


def greet(table: Table, setup: Setup) -> None:
    """Greet whoever starts this kit for the first time."""
    buttons = TryButtons(table)
    table.overlays += [Reactions(table), LookAtParts(table, setup, buttons)]
    table.open(buttons)


class Step(Overlay):
    """A part of the greeting: the one below follows."""

    def ok_hold(self) -> None:
        """Skip all of it."""
        over(self.table)


def over(table: Table) -> None:
    """To the menu; the greeting does not come again."""
    table.sound(sounds.DONE)
    table.read(_noted, lambda noted: None, lambda: True)
    table.go_home()


def _noted(journal: Path) -> Iterator[None]:
    with suppress(OSError):  # then it comes again
        journal.with_name(GREETED).touch()
    yield None


def board(table: Table, shows: Shows, turn: tuple[Seat, ...] = (), points: tuple[int, ...] = ()) -> Board:
    """What the strip shows: who is asked, or how often somebody was first."""
    seats = len(table.names)
    return Board("greeting", 1, None, (), turn, points or (0,) * seats, ({},) * seats, shows=shows)


class TryButtons(Step):
    """Each player's button once. A lost one is not asked for; without one that does nothing OK goes on, asked twice."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.pressed: set[Seat] = set()
        self.doubt = False  # OK was pressed before all buttons were
        self.board = board(table, "seats", tuple(self.missing))

    @property
    def missing(self) -> list[Seat]:
        """The seats whose buttons are still asked for."""
        names = enumerate(self.table.names)
        return [seat for seat, name in names if seat not in self.pressed and not self.table.lost.button(name)]

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        self.pressed.add(self.table.names.index(button))
        self.doubt = False
        self.table.sound(sounds.CLICK)
        self.board = board(self.table, "seats", tuple(self.missing))
        if not self.missing and self.until_ns is None:
            self.table.sound(sounds.FIRST)
            self.until_ns = self.table.now_ns + READ_NS
        return True

    def hold(self, button: str) -> bool:
        return True

    def ok(self) -> None:
        if self.missing and not self.doubt:
            self.doubt = True
            self.table.sound(sounds.REFUSED)
        else:
            self.table.close()

    def lamps(self) -> frozenset[str]:
        return frozenset(self.table.names[seat] for seat in self.missing)

    def lit_in_words(self) -> str:
        names = [name for seat, name in enumerate(self.table.names) if seat in self.pressed]
        return _("pressed: {names}", names=", ".join(names) or _("nobody"))

    def picture(self, now_ns: int) -> Image.Image:
        names = self.table.names
        missing = [names[seat] for seat in self.missing] if self.doubt and self.missing else None
        return pictures.press(names, self.pressed, missing)


class LookAtParts(Step):
    """The doctor looks at every part; faults are told, and which buttons nobody has tried; the greeting goes on."""

    def __init__(self, table: Table, setup: Setup, buttons: TryButtons) -> None:
        super().__init__(table)
        self.setup, self.buttons = setup, buttons
        self._begun = self._told = False

    def opened(self) -> None:
        if not self._begun:
            self._begun = True
            self.setup.look(self._found)
        elif self._told:
            self.table.close()

    def _found(self, found: list[Finding] | StepFailed) -> None:
        if not isinstance(found, list):
            self._told = True
            self.table.open(menu.ToldPages(self.table, _("NOT DONE"), found.text, _("OK: go on")))
            return
        if faults := [finding for finding in found if finding.fault]:
            self._told = True
            self.table.open(FaultsTold(self.table, faults, self.table.close, self.untried))
        elif not self.untried:
            self.table.sound(sounds.FIRST)
            self.until_ns = self.table.now_ns + READ_NS

    def ok(self) -> None:
        self.table.close()

    def picture(self, now_ns: int) -> Image.Image:
        return pictures.all_right(self.untried)

    @property
    def untried(self) -> list[str]:
        """The buttons that nobody has pressed."""
        return [self.table.names[seat] for seat in self.buttons.missing]


class FaultsTold(menu.Faults):
    """The faults, within the greeting, and below them the buttons that nobody has pressed."""

    def __init__(
        self, table: Table, faults: Iterable[Finding], then: Callable[[], None], untried: Sequence[str]
    ) -> None:
        super().__init__(table, faults, then)
        self.untried = tuple(untried)

    def rows(self) -> Rows:
        *faults, on = super().rows()
        if self.untried:
            faults.append((pictures.not_tried(self.untried), self.tell_untried))
        return [*faults, on]

    def tell_untried(self) -> None:
        """What that means."""
        told = _("nobody has pressed {names}. Was one pressed? Set up, Check the kit", names=" ".join(self.untried))
        self.table.open(menu.ToldPages(self.table, _("NOT TRIED"), told, _("OK: list")))

    def ok_hold(self) -> None:
        over(self.table)


class Reactions(Step):
    """Who reacts fastest, three times: everybody who presses takes part."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.dice = Random(table.seed())
        self.seats = tuple(range(len(table.names)))
        self.points = [0] * len(self.seats)
        self.heat = 0  # counted from 1; 0: not begun
        self.race = Race(self.seats, None)
        self.timed = True
        self.first: tuple[Seat, ...] = ()
        self._do: Callable[[], None] = self._begin  # what OK or the time does next
        self._draw: Callable[[], Image.Image] = partial(pictures.rules, HEATS)
        self.asked: frozenset[str] = frozenset()

    # --- what comes after what ---------------------------------------------------------------------------------------

    def _next(self, after_ns: int | None, do: Callable[[], None], draw: Callable[[], Image.Image]) -> None:
        """Show this until then, or until OK where there is no time; and then do that."""
        self.until_ns = None if after_ns is None else self.table.now_ns + after_ns
        self._do, self._draw = do, draw

    def _begin(self) -> None:
        """The next heat."""
        self.heat += 1
        self.race, self.first, self.asked = Race(self.seats, None), (), frozenset()
        self._show("points")
        self._next(self.dice.choice(WAIT_NS), self._go, self._waiting)

    def _go(self) -> None:
        """The go-signal, for those who have not pressed too early."""
        seats = tuple(seat for seat in self.seats if seat not in {jump.seat for jump in self.race.jumps})
        if not seats:  # all of them have: once more
            self.heat -= 1
            self._begin()
            return
        self.asked = frozenset(self.table.names[seat] for seat in seats)
        given = self.table.signal(tuple(self.table.names[seat] for seat in seats))
        go_ns = self.table.now_ns if given.at_ns is None else given.at_ns
        self.timed = given.at_ns is not None
        self.race = Race(seats, go_ns, jumps=self.race.jumps, signal=given.by)
        self._show("go", "running")
        self._next(NOBODY_NS, self._judge, partial(pictures.go, self.place))

    def _judge(self) -> None:
        """Who was first."""
        self.first, self.asked = race.first(self.race), frozenset()
        for seat in self.first:
            self.points[seat] += 1
        if not self.first:
            self._show("points", "over")
        else:
            self._show("seats", "over", {"first" if len(self.first) == 1 else "tie": self.first})
            self.table.sound(sounds.FIRST if len(self.first) == 1 else sounds.TIE)
        self._next(SHOWN_NS, self._begin if self.heat < HEATS else self._end, self._judged)

    def _end(self) -> None:
        """Who was first most often."""
        most = max(self.points)
        won = tuple(seat for seat in self.seats if self.points[seat] == most and most)
        self._show("winners" if won else "points", marks={"winner": won})
        self.table.sound(sounds.WON)
        self._next(None, partial(over, self.table), partial(pictures.end, self.table.names, tuple(self.points)))

    def _show(
        self, shows: Shows, phase: racing.Phase | None = None, marks: Mapping[str, tuple[Seat, ...]] = {}
    ) -> None:
        """This on the strip; `phase`: of the race, where there is one."""
        run = self.race
        shown = phase and racing.shown(run, phase, run.go_ns or 0, 0, only_first=True, first=self.first)
        self.board = board(self.table, shows, (), tuple(self.points))._replace(race=shown, highlight=marks)

    # --- input and output --------------------------------------------------------------------------------------------

    @property
    def place(self) -> str:
        """Which heat this is."""
        return f"{self.heat}/{HEATS}"

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        press = Press(self.table.names.index(button), at_ns, error_ns)
        if self._do == self._go:
            self._jump(press)
        elif self._do == self._judge and press.seat in race.missing(self.race):
            if race.judge(self.race, press) == "good":
                self._run(press)
            else:
                self._jump(press)
        else:
            self.table.sound(sounds.CLICK)
        return True

    def _jump(self, press: Press) -> None:
        """A press before the signal: out of this heat."""
        if press.seat in {jump.seat for jump in self.race.jumps}:
            return
        self.table.sound(sounds.JUMPED)
        self.race = race.jump(self.race, press)
        if self._do == self._judge:
            seats = race.others(self.race.seats, (press.seat,))
            self.race = Race(seats, self.race.go_ns, self.race.presses, self.race.jumps, signal=self.race.signal)
            self.asked -= {self.table.names[press.seat]}
            self._settle()

    def _run(self, press: Press) -> None:
        """A press that counts."""
        self.table.sound(sounds.CLICK)
        self.race = race.add(self.race, press)
        self.asked -= {self.table.names[press.seat]}
        self._settle()

    def _settle(self) -> None:
        """Judge once all have pressed, or a while after the first."""
        if not race.missing(self.race):
            last_ns = race.settled_ns(self.race, len(self.race.presses), 0) if self.race.presses else self.table.now_ns
            self.until_ns = last_ns
        elif len(self.race.presses) == 1:
            self.until_ns = self.table.now_ns + LAST_NS

    def hold(self, button: str) -> bool:
        return True

    def ok(self) -> None:
        if self._do in (self._go, self._judge):
            self.table.sound(sounds.REFUSED)
        else:
            self.table.sound(sounds.CLICK)
            self._do()

    def time_up(self) -> None:
        self._do()

    def lamps(self) -> frozenset[str]:
        return self.asked

    def _waiting(self) -> Image.Image:
        return pictures.wait(self.place, [self.table.names[jump.seat] for jump in self.race.jumps])

    def _judged(self) -> Image.Image:
        """The order, those who were level in front."""
        go_ns, names = self.race.go_ns or 0, self.table.names
        order = [(names[press.seat], press.at_ns - go_ns) for press in race.order(self.race)]
        return pictures.result(self.place, order, level=len(self.first), timed=self.timed)

    def picture(self, now_ns: int) -> Image.Image:
        return self._draw()
