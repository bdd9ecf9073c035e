"""Setting up: steps that need the parts for themselves. The kit lets go of them, and takes them back however it ends.

The loop goes on meanwhile: it shows the pictures of the step, saves, and serves pages and phones. What a step alone
needs is imported by it.
"""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar

from PIL import Image

from firmware.setup import certificate
from firmware.setup.certificate import Certificate
from firmware.setup.chosen_kit import ALONE, Choosing, choose
from firmware.setup.working import Working
from firmware.table.app import App
from firmware.table.past_games import Call
from firmware.translation import translated
from hardware.config import KitConfig
from hardware.kit import Kit, let_go, open_again
from hardware.parts import PartLost, Report

if TYPE_CHECKING:
    from hardware.doctor.findings import Finding

LEAVE_NS = 3_000_000_000  # OK held for so long ends the guided check
LET_GO_NS = 10_000_000_000
ON_LINES = {"button", "control", "knob", "lamp", "buzzer"}  # first words of the names of parts on lines
LOOKED_AT = 500  # pulses, from one picture of a measurement to the next

T = TypeVar("T")
Show: TypeAlias = Callable[[Image.Image], None]


class StepFailed(NamedTuple):
    """A step that has not been done: the reason, for people."""

    text: str


class Checked(NamedTuple):
    """What the guided check has found."""

    found: "list[Finding]"
    left: bool = False  # somebody held OK before the end


class Switch(Protocol):
    """Lets phones in, or no longer: see `firmware.cli.letting_in.Door`."""

    on: bool

    def turn(self, on: bool, then: Callable[[str], None]) -> None: ...


class Setup:
    """The steps of one kit. Methods on the loop's thread; a step runs on a thread of its own, one at a time."""

    def __init__(
        self,
        app: App,
        state: Path,
        report: Report,
        choosing: Choosing = ALONE,
        again: Callable[[str | None], None] = lambda trial: None,
        phones: Switch | None = None,
    ) -> None:
        """`report` is that of the kit's parts; `again` lets the program go on with a kit, see `Choosing.trial`.

        `phones`: None where people do not let them in here.
        """
        self._app, self._state, self._report = app, state, report
        self.choosing, self.again, self.phones = choosing, again, phones
        self._lost = False  # the parts could not be taken back

    @property
    def config(self) -> KitConfig:
        """The description, in which emulated parts are called so."""
        return self._app.kit.described

    @property
    def leds(self) -> int | None:
        """The lamps of the strip, also of an emulated one; None: there is no strip."""
        return None if self._app.kit.strip is None else self._app.kit.strip.leds

    @property
    def flashes(self) -> bool:
        """Whether the strip has a controller that may be a Pico."""
        return self._app.kit.strip_is_real

    # --- the steps ---------------------------------------------------------------------------------------------------

    def look(self, then: "Callable[[list[Finding] | StepFailed], None]") -> None:
        """Let the doctor look at every part: all findings."""
        self.borrow(lambda kit, show: self._examined(kit), then)

    def check(self, then: "Callable[[Checked | StepFailed], None]") -> None:
        """The guided check."""
        self.borrow(self._checked, then)

    def calibrate(self, wire: int, then: Callable[[Certificate | StepFailed], None]) -> None:
        """Measure the timing error, with a wire from this GPIO to the first button."""
        self.borrow(partial(self._measured, wire), then)

    def flash(self, then: Callable[[str | StepFailed], None]) -> None:
        """Copy the strip's program to its Pico: its settings in words."""
        self.borrow(self._flashed, then)

    def keep(self, name: str, then: Callable[[str | None], None]) -> None:
        """Keep the kit that is tried, its name empty for the installed one: None, or why it cannot be kept."""

        def kept(_path: Path) -> Iterator[str | None]:
            try:
                choose(self._state, name or None)
            except OSError as error:
                yield error.strerror or str(error)
            else:
                yield None

        self._app.table.read(kept, then, lambda: True)

    def _flashed(self, kit: Kit, show: Show) -> str:
        from firmware.setup.flashing import Settings, described, flash, summary
        from firmware.setup.menu_pictures import flashing

        leds, max_ma, port = described(kit.config)
        settings = Settings(leds, max_ma)
        if (wrong := settings.refused) is not None:
            raise ValueError(wrong)
        _port, written = flash(port, settings, lambda text, done: show(flashing(text, done)))
        return summary(written)

    def _examined(self, kit: Kit) -> "list[Finding]":
        from hardware.doctor.examine import examine

        return list(examine(kit.described, self._state, playing=True))

    def _checked(self, kit: Kit, show: Show) -> "Checked":
        from firmware.setup import guided
        from firmware.setup.menu_pictures import leaving
        from hardware.doctor.bench import borrowed_bench

        found = self._examined(kit)
        if (known := guided.known(found)) is None:
            return Checked(found)
        inbox = guided.LeavingInbox(LEAVE_NS)
        bench = borrowed_bench(kit, lambda part, text: None)  # lost parts are found already
        try:
            walk = guided.Guided(bench._replace(display=_Glass(show)), inbox, lambda text: None, known)
            for finding in walk.findings():
                found.append(finding)
        except guided.CheckLeft:
            show(leaving())
            inbox.let_go(LET_GO_NS)  # else its release would be the kit's
            return Checked(found, left=True)
        finally:
            bench.close()
        return Checked(found)

    def _measured(self, wire: int, kit: Kit, show: Show) -> Certificate:
        from firmware.setup.calibrating import calibrate
        from firmware.setup.menu_pictures import measuring
        from hardware.parts.gpio.calibration import PULSES

        assert kit.gpio is not None  # else it is not offered

        def progress(done: int) -> None:
            if done % LOOKED_AT == 0:
                show(measuring(done, PULSES))

        show(measuring(0, PULSES))
        return calibrate(self._app.kit.config, kit.gpio, wire, kit.config.names[0], self._state, progress)[0]

    # --- lending -----------------------------------------------------------------------------------------------------

    def borrow(self, step: Callable[[Kit, Show], T], then: Callable[[T | StepFailed], None]) -> None:
        """Do a step with the parts; afterwards, on the loop, `then` gets what has come of it."""
        table = self._app.table
        working = Working(table)
        table.open(working)
        kit = self._app.lend(lambda: not self._lost)
        faulty = table.lost.names

        def show(picture: Image.Image) -> None:
            self._app.post(Call(partial(working.show, picture)))

        def run() -> None:
            result: T | StepFailed
            try:
                let_go(kit)
                result = step(kit, show)
            except Exception as error:  # of any kind: the game needs its parts again
                result = StepFailed(_reason(error))
            try:
                new = self._taken_back(kit, faulty)
                standing = certificate.standing(self._state, kit.described.buttons.driver)
            except BaseException:
                self._lost = True  # the watchdog starts the program again
                raise
            self._app.post(Call(partial(back, new, standing, result)))

        def back(new: Kit, standing: certificate.Standing, result: T | StepFailed) -> None:
            self._app.take_back(new, standing)
            self._report("certificate", standing.note)
            working.end()
            then(result)

        threading.Thread(target=run, name="setup", daemon=True).start()

    def _taken_back(self, kit: Kit, faulty: frozenset[str]) -> Kit:
        """The kit with its parts. Of those that did not work before, the ones that do now are reported."""
        lost: set[str] = set()

        def report(name: str, text: str | None) -> None:
            if text is not None:
                lost.add(name)
            self._report(name, text)

        new = open_again(kit, report)
        for name in faulty - lost:
            if new.gpio is not None and name.split()[0] in ON_LINES:
                self._report(name, None)
        return new


def _reason(error: Exception) -> str:
    """Why a step has failed, in a line."""
    text = error.text if isinstance(error, PartLost) else str(error)
    return translated(text) or type(error).__name__


class _Glass:
    """The display as a step sees it: its pictures are shown by the table."""

    def __init__(self, show: Show) -> None:
        self._show = show

    def show(self, picture: Image.Image, on_shown: object = None) -> None:
        self._show(picture)

    def contrast(self, level: int) -> None:
        """The table's."""

    def close(self) -> None:
        """It stays open."""
