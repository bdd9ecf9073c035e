"""The program with its clock in a test's hand.

`python -m tests.simulators.controlled_clock NS [boot ID] [contacts SEED] [sixth] WORDS...` runs `luckypaw WORDS...`.
Its clock stands at NS until its page says {"after": ms, "id": n}. Then this time passes at once: what falls due on the
way is done at its time, and waits for the threads as long as they take. At the end the page is told {"passed": n}, once
it has the picture that came of it. So a press is as long as a test makes it, however busy the machine is.

With `contacts` what a page presses are contacts on the lines of a simulated kernel, which bounce and are brushed.

All else is real, but for chance, which is that of `Rig`, the priority of the statistics' helper, and the id of the
boot where one is given: then the clock may show less than in the last run.
"""

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from msgspec import structs

import engine.games
import firmware.cli.play
import firmware.panel.server
import firmware.table.app
import firmware.web.limits
import hardware.kit
from firmware import wall_clock
from firmware.__main__ import main
from firmware.panel.server import Panel
from firmware.table.app import App
from hardware.config import KitConfig
from hardware.kit import Kit, open_emulated
from hardware.parts import Report
from tests.simulators.real_buttons import NEVER_NS, Lines, Machine, PageButtons
from tests.simulators.waiting import at_rest, patient_servers, until

MS = 1_000_000
SEED = 7
BOOT = "boot"  # the first of the words: the next one is the boot's id
CONTACTS = "contacts"  # likewise: the seed of what contacts and threads do
SIXTH = "sixth"  # likewise: with a game that the kit has never seen


class Clock:
    """The time of one kit, whose loop sleeps until a message comes."""

    kit: "ToldApp"

    def __init__(self, now_ns: int) -> None:
        self._now_ns = now_ns
        self.lines: Lines | None = None

    def now_ns(self) -> int:
        """As `time.monotonic_ns`."""
        return self._now_ns

    def now(self) -> wall_clock.Moment:
        """This moment."""
        return wall_clock.now()._replace(at_ns=self._now_ns)

    def after(self, ms: int) -> None:
        """Let time pass. On the loop's thread."""
        end_ns = self._now_ns + ms * MS
        self._settle()
        while (next_ns := min(self._due_ns, self._lines_ns)) <= end_ns:
            self._now_ns = max(self._now_ns, next_ns)
            if self.lines is not None and next_ns == self._lines_ns:
                self.lines.run(next_ns)
            else:
                self.kit.tick(self._now_ns)
                if not self.kit.settled:
                    self._settle()
        self._now_ns = end_ns
        self._settle()

    @property
    def _due_ns(self) -> int:
        due_ns = self.kit.next_ns
        return NEVER_NS if due_ns is None else due_ns

    @property
    def _lines_ns(self) -> int:
        return NEVER_NS if self.lines is None else self.lines.next_ns()

    def _settle(self) -> None:
        def settled() -> bool:
            self.kit.step(self._now_ns)
            return self.kit.settled

        until(settled, lambda: "the threads have answered")


def on_contacts(told: Clock, seed: int, config: KitConfig, report: Report, **more: Any) -> Kit:
    """The emulated kit, whose buttons are contacts."""
    pins = {player.name: player.button for player in config.players}
    told.lines = Lines(pins, Random(seed), Machine(), told.now_ns)
    kit = told.lines.fitted(open_emulated(config, report, clock=told.now_ns, **more), report)
    return structs.replace(kit, buttons=PageButtons(told.lines, kit.buttons))


class ToldApp(App):
    """The kit, and its latest picture on the page."""

    def __init__(self, *args: Any, told: Clock, **more: Any) -> None:
        super().__init__(*args, clock=told.now, seed=lambda: SEED, **more)
        self.on_page: bytes | None = None  # None: nothing is expected there
        told.kit = self

    @property
    def due_ns(self) -> None:
        """The loop has no time of its own."""

    @property
    def next_ns(self) -> int | None:
        """When something falls due."""
        return super().due_ns

    @property
    def settled(self) -> bool:
        """Whether the threads have done their part."""
        return at_rest(self) and self.on_page in (None, self._picture)


class ToldPanel(Panel):
    """The page, which says how much time passes."""

    def __init__(self, *args: Any, told: Clock, **more: Any) -> None:
        self._told = told
        super().__init__(*args, **more)

    def _on_picture(self, picture: bytes) -> None:
        super()._on_picture(picture)
        self._told.kit.on_page = picture

    def _do(self, client: Any, message: object, at_ns: int) -> None:
        match message:
            case {"after": int(ms), "id": id_}:
                self._told.after(ms)
                passed: Any = {"passed": id_}
                self._publish(passed)
            case _:
                super()._do(client, message, at_ns)

    def _plug(self, name: str, fitted: bool) -> None:
        super()._plug(name, fitted)
        if not self._plugged["display"]:
            self._told.kit.on_page = None


def run(now_ns: int, *words: str) -> None:
    """Run the program with this clock."""
    told, boot = Clock(now_ns), firmware.table.app.this_boot
    if words[0] == BOOT:
        boot, words = partial(str, words[1]), words[2:]
    opened = partial(open_emulated, clock=told.now_ns)
    if words[0] == CONTACTS:
        opened, words = partial(on_contacts, told, int(words[1])), words[2:]
    if words[0] == SIXTH:
        engine.games.__path__.append(str(Path(__file__).parents[1] / "sixth_game"))
        words = words[1:]
    with patient_servers(), ExitStack() as patched:
        for where, name, value in (
            (firmware.cli.play, "monotonic_ns", told.now_ns),
            (firmware.table.app, "monotonic_ns", told.now_ns),
            (firmware.table.app, "this_boot", boot),
            (firmware.table.app, "App", partial(ToldApp, told=told)),
            (firmware.panel.server, "time", SimpleNamespace(monotonic_ns=told.now_ns)),
            (firmware.panel.server, "Panel", partial(ToldPanel, told=told)),
            (firmware.web.limits, "BYTES_A_SECOND", 1_000_000),  # hands that never wait
            (hardware.kit, "open_emulated", opened),
        ):
            patched.enter_context(patch.object(where, name, value))
        main(list(words))


if __name__ == "__main__":
    run(int(sys.argv[1]), *sys.argv[2:])
