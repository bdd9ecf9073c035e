"""SET UP in the menu: the guided check, the strip's test, flashing its controller, the calibration."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from engine.stamps import S
from engine.words import N_
from firmware.output import sounds
from firmware.output.screens.canvas import Text
from firmware.output.screens.menus import message
from firmware.setup import certificate, zone_menu
from firmware.setup import menu_pictures as pictures
from firmware.setup.certificate import Certificate
from firmware.setup.steps import Checked, Setup, StepFailed, Switch
from firmware.table.listing import Listing, Rows
from firmware.table.overlay import Overlay, downwards
from firmware.table.phone_list import Joining
from firmware.table.table import Table
from firmware.translation import L_, _, lazy, ngettext, translated
from hardware.config import ConfigError, check_spare, kit, kits
from hardware.parts.strip import Pixels
from hardware.pins import HEADER

if TYPE_CHECKING:
    from firmware.setup.strip_test import Sight
    from hardware.doctor.findings import Finding

LINES = range(2, 28)  # of the header, those without a fixed task
USUAL_WIRE = 18
TRIAL_NS = 30 * S
FLASH = N_("The strip's Pico gets the kit's program. Plug it into the kit by USB. It takes half a minute.")
GUIDED = N_(
    "The kit asks for one part after the other: to look, to press, to turn. If nothing happens, wait. "
    "To leave, hold OK for 3 s."
)


class SetUp(Listing):
    """What can be set up."""

    title = N_("SET UP")
    one_back = True

    def __init__(self, table: Table, setup: Setup) -> None:
        super().__init__(table)
        self.setup = setup

    def rows(self) -> Rows:
        table, setup = self.table, self.setup
        rows: Rows = [(_("Check the kit"), self.check)]
        if setup.leds is not None:
            rows.append((_("Strip test"), lambda: table.open(Colours(table))))
        if setup.flashes:
            rows.append((_("Flash the strip"), self.flash))
        if setup.config.buttons.driver != "emulated":
            rows.append((_("Calibration"), lambda: table.open(WireMenu(table, setup))))
        rows.append((_("Choose the kit"), self.choose))
        rows.append((zone_menu.row(), lambda: table.open(zone_menu.Regions(table))))
        if (phones := setup.phones) is not None:
            rows.append((_("Phones: on") if phones.on else _("Phones: off"), partial(self.turn_phones, phones)))
        return [*rows, (_("Address"), self.address), (_("Back"), table.close)]

    def choose(self) -> None:
        """Which kit this is, unless something else says so."""
        if (why := self.setup.choosing.fixed) is not None:
            self.table.open(ToldPages(self.table, _("CHOOSE THE KIT"), why, _("OK: back")))
        else:
            self.table.open(Kits(self.table, self.setup))

    def turn_phones(self, phones: Switch) -> None:
        """Let phones in, or no longer; then show how they join, or why they cannot."""

        def turned(why: str) -> None:
            table = self.table
            if why:
                told = ToldPages(table, _("NOT DONE"), why, _("OK: back"))
                table.open(told) if table.top is self else table.note(lazy(why))
            elif table.top is self and phones.on and table.phones is not None:
                table.open(Joining(table, table.phones))

        self.table.sound(sounds.CLICK)
        phones.turn(not phones.on, turned)

    def address(self) -> None:
        """Tell where this machine is in the network, for a terminal."""
        from firmware.phones.network import addresses

        self.tell_address(socket.gethostname(), addresses())

    def tell_address(self, name: str, addresses: tuple[str, ...]) -> None:
        """The same for a machine of this name."""
        self.table.open(ToldPages(self.table, _("ADDRESS"), whereabouts(name, addresses), _("OK: back")))

    def check(self) -> None:
        """Explain the guided check, then do it."""
        then = partial(self.setup.check, self.checked)
        self.table.open(ToldPages(self.table, _("CHECK THE KIT"), translated(GUIDED), _("OK: start"), then))

    def flash(self) -> None:
        """Explain what flashing does, then do it."""
        then = partial(self.setup.flash, self.flashed)
        self.table.open(ToldPages(self.table, _("FLASH THE STRIP"), translated(FLASH), _("OK: start"), then))

    def flashed(self, done: str | StepFailed) -> None:
        """Tell that the program is there, or why not."""
        if isinstance(done, str):
            text = _("Done: {settings}. Next: the strip's test.", settings=done)
            self.table.open(ToldPages(self.table, _("FLASH THE STRIP"), text, _("OK: menu")))
        else:
            self.table.open(ToldPages(self.table, _("NOT DONE"), done.text, _("OK: menu")))

    def checked(self, checked: Checked | StepFailed) -> None:
        """Show the faults that have been found, or that there are none."""
        table = self.table
        if isinstance(checked, StepFailed):
            table.open(ToldPages(table, _("NOT DONE"), checked.text, _("OK")))
            return
        faults = [finding for finding in checked.found if finding.fault]
        table.open(Faults(table, faults, table.close) if faults else NoFault(table, left=checked.left))


def whereabouts(name: str, addresses: tuple[str, ...]) -> str:
    """Where a machine of this name is in the network."""
    if not addresses:
        return _("No network. Plug a cable in, or put wifi.txt into the folder luckypaw on the card.")
    shown = ", ".join(addresses)
    return _(
        "In the network: {name}.local or {shown}. With SSH on: ssh USER@{name}.local", name=name.lower(), shown=shown
    )


class ToldPages(Overlay):
    """Something told, in pages: OK goes on, a turn goes back and forth, a long OK leaves."""

    one_back = True

    def __init__(self, table: Table, title: str, text: str, key: str, then: Callable[[], None] | None = None) -> None:
        """`key`: what OK does on the last page, in words: this closes, then it calls `then`."""
        super().__init__(table)
        self.title, self.key, self.then = title, key, then
        self.pages, self.at = pictures.pages(text), 0

    def turn(self, steps: int, knob: bool) -> None:
        self.at = min(max(0, self.at + downwards(steps, knob)), len(self.pages) - 1)
        self.table.sound(sounds.TURN)

    def ok(self) -> None:
        self.table.sound(sounds.CLICK)
        if self.at < len(self.pages) - 1:
            self.at += 1
            return
        self.table.close()
        if self.then is not None:
            self.then()

    def picture(self, now_ns: int) -> Image.Image:
        last = self.at == len(self.pages) - 1
        place = f"{self.at + 1}/{len(self.pages)}" if len(self.pages) > 1 else ""
        foot = (_("hold OK:back"), self.key if last else _("OK: more"))
        return pictures.page(self.title, place, self.pages[self.at], foot)


class NoFault(Overlay):
    """All parts are all right, or those that were asked for before somebody left."""

    def __init__(self, table: Table, *, left: bool) -> None:
        super().__init__(table)
        self.left = left

    def ok(self) -> None:
        self.table.sound(sounds.DONE)
        self.table.close()

    def picture(self, now_ns: int) -> Image.Image:
        found = _("NO FAULT SO FAR") if self.left else _("ALL RIGHT")
        return message(_("CHECK THE KIT"), found, (), ("", _("OK: go on")))


class Faults(Listing):
    """The faults; OK tells one, with its remedy."""

    def __init__(self, table: Table, faults: Iterable[Finding], then: Callable[[], None]) -> None:
        super().__init__(table)
        self.faults, self.then = tuple(faults), then

    def heading(self) -> Text:
        return ngettext("{n} FAULT", "{n} FAULTS", len(self.faults))

    def rows(self) -> Rows:
        rows: Rows = []
        for finding in self.faults:
            part, place = translated(finding.part), translated(finding.place)
            rows.append(((f"{part}: {place}", part), partial(self.explain, finding)))
        return [*rows, (_("Go on"), self.then)]

    def explain(self, finding: Finding) -> None:
        """A fault and its remedy, in the doctor's words."""
        place, text, remedy = map(translated, (finding.place, finding.text, finding.remedy))
        told = f"{place}: {text}. {remedy}" if remedy else f"{place}: {text}"
        self.table.open(ToldPages(self.table, translated(finding.part), told, _("OK: list")))


class Colours(Listing):
    """Asks which colour people see, as the strip shows red, green and blue; the walk through its pictures follows."""

    title = N_("WHICH COLOUR?")
    one_back = True

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.seen = ""  # a letter each, as `colour_fault` takes them

    def rows(self) -> Rows:
        from firmware.setup.strip_test import COLOURS, LETTERS

        names = (*map(translated, COLOURS), _("Another, or dark"))
        return [(name, partial(self.answer, letter)) for name, letter in zip(names, LETTERS + "-", strict=True)]

    def heading(self) -> Text:
        return f"{translated(self.title)} {len(self.seen) + 1}/3"

    def right(self) -> Text:
        return ""

    def answer(self, letter: str) -> None:
        """People see this colour."""
        from firmware.setup.strip_test import LETTERS, colour_fault

        self.table.sound(sounds.CLICK)
        self.seen += letter
        if len(self.seen) < len(LETTERS):
            return
        table = self.table
        table.close()
        walk = StripTest(table)
        if (fault := colour_fault(self.seen)) is None:
            table.open(walk)
        else:
            table.open(ToldPages(table, _("COLOURS"), fault, _("OK: go on"), partial(table.open, walk)))

    def pixels(self, leds: int) -> Pixels | None:
        from firmware.setup.strip_test import PLAIN

        return PLAIN[len(self.seen)].pixels(leds) if len(self.seen) < len(PLAIN) else None


class StripTest(Overlay):
    """Walks through the other pictures of the strip: OK shows the next one, a turn goes back and forth."""

    one_back = True

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.shown: tuple[Sight, ...] = ()  # until they are found
        self.at = 0

    def opened(self) -> None:
        roster, labels = self.table.roster, self.table.names
        sat = {seat: roster.last[label] for seat, label in enumerate(labels) if label in roster.last}
        names = roster.at_table(labels, sat)
        self.table.read(partial(_sights, names), self._found, lambda: self.table.top is self)

    def _found(self, shown: tuple[Sight, ...]) -> None:
        self.shown = shown

    def turn(self, steps: int, knob: bool) -> None:
        self.at = min(max(0, self.at + downwards(steps, knob)), max(0, len(self.shown) - 1))
        self.table.sound(sounds.TURN)

    def ok(self) -> None:
        self.table.sound(sounds.CLICK)
        if self.at < len(self.shown) - 1:
            self.at += 1
        else:
            self.table.close()

    def pixels(self, leds: int) -> Pixels | None:
        return self.shown[self.at].pixels(leds) if self.shown else None

    def picture(self, now_ns: int) -> Image.Image:
        if not self.shown:
            return pictures.working(_("STRIP TEST"), _("ONE MOMENT"), "")
        sight = self.shown[self.at]
        fault = self.table.lost.reason("strip")
        lines = pictures.pages(sight.look if fault is None else translated(fault))[0]
        key = _("OK: next") if self.at < len(self.shown) - 1 else _("OK: end")
        number = f"{self.at + 1}"
        foot = (_("hold OK: end"), key)
        return pictures.page(sight.name, (f"{number}/{len(self.shown)}", number), lines, foot)


def _sights(names: tuple[str, ...], _path: Path) -> Iterator[tuple[Sight, ...]]:
    """The strip's pictures after those of one colour, for these players. Not on the loop: games are played for them."""
    from firmware.setup.strip_test import COLOURS, sights

    yield sights(names)[len(COLOURS) :]


class Kits(Listing):
    """The kits that are described here, and the installed description; OK tries one."""

    title = N_("WHICH KIT?")
    one_back = True

    def __init__(self, table: Table, setup: Setup) -> None:
        super().__init__(table)
        self.setup, self.kits = setup, kits()
        self.at = self.kits.index(setup.choosing.name) if setup.choosing.name in self.kits else len(self.kits)

    def rows(self) -> Rows:
        rows: Rows = []
        for name in self.kits:
            many = len(kit(name).players)
            rows.append((ngettext("{name}: {n} button", "{name}: {n} buttons", many, name=titled(name)), self.explain))
        return [*rows, (_("as installed"), self.explain)]

    def explain(self) -> None:
        """What trying it means."""
        name = self.kits[self.at] if self.at < len(self.kits) else ""
        text = _("The kit starts anew as {name}. Confirm with its own OK within 30 s, else it changes back.")
        again = partial(self.setup.again, name)
        self.table.open(ToldPages(self.table, titled(name), text.format(name=titled(name)), _("OK: try it"), again))


def titled(name: str) -> str:
    """The title of a kit that is described here; without a name that of the installed description."""
    described = kit(name).build if name else None
    return _("as installed") if described is None else described.title


def after_choice(table: Table, setup: Setup) -> None:
    """Begin a kit that another one was chosen before: it is tried, or told why it goes on."""
    _name, _fixed, trial, refused = setup.choosing
    if trial is not None:
        table.open(Keep(table, setup, trial))
    if refused is not None:
        table.open(ToldPages(table, _("NOT CHANGED"), refused, _("OK: menu")))


class Keep(Overlay):
    """Asks whether a kit that is tried is kept. Where its OK is wired otherwise nobody can: so time says no."""

    def __init__(self, table: Table, setup: Setup, name: str) -> None:
        super().__init__(table)
        self.setup, self.name = setup, name
        self.end_ns = table.now_ns + TRIAL_NS
        self.until_ns = table.now_ns + S

    def ok(self) -> None:
        self.table.sound(sounds.DONE)
        self.table.close()
        self.setup.keep(self.name, self._kept)

    def _kept(self, why: str | None) -> None:
        self.table.note(L_("this kit is kept") if why is None else L_("not kept: {why}", why=why))

    def ok_hold(self) -> None:
        """Nothing: a short OK keeps it."""

    def time_up(self) -> None:
        if self.table.now_ns >= self.end_ns:
            self.setup.again(None)
        else:
            self.until_ns = self.table.now_ns + S

    def picture(self, now_ns: int) -> Image.Image:
        left = max(0, -((now_ns - self.end_ns) // S))
        line = ngettext("else back in {n} s", "else back in {n} s", left)
        return message(titled(self.name), _("KEEP IT?"), (line,), ("", _("OK: keep")))


class WireMenu(Listing):
    """The spare GPIO at the wire's end: asked for before a calibration."""

    title = N_("THE WIRE'S GPIO?")
    one_back = True

    def __init__(self, table: Table, setup: Setup) -> None:
        super().__init__(table)
        self.setup = setup
        self.spare = [pin for pin in LINES if _spare(setup, pin)]
        self.at = self.spare.index(USUAL_WIRE) if USUAL_WIRE in self.spare else 0

    def rows(self) -> Rows:
        return [(f"GPIO {pin}", partial(self.explain, pin)) for pin in self.spare]

    def explain(self, wire: int) -> None:
        """How the wire is put, then the measurement."""
        (first, *_rest) = self.setup.config.players
        text = _(
            "Put a wire from GPIO {wire}, pin {pin}, to GPIO {line}, pin {line_pin}, the line of {button}, best "
            "through 470 ohms. Then press no button for half a minute: one could be a short circuit.",
            wire=wire,
            pin=HEADER[wire],
            line=first.button,
            line_pin=HEADER[first.button],
            button=first.name,
        )
        then = partial(self.setup.calibrate, wire, self.measured)
        self.table.open(ToldPages(self.table, _("CALIBRATION"), text, _("OK: start"), then))

    def measured(self, made: Certificate | StepFailed) -> None:
        """Show the certificate, or why there is none."""
        table = self.table
        table.close()
        if isinstance(made, Certificate):
            band = certificate.us(made.error_ns)
            text = _("Done: presses closer than {band} are a tie. Take the wire off now.", band=band)
            table.open(ToldPages(table, _("CALIBRATION"), text, _("OK: menu")))
        else:
            table.open(ToldPages(table, _("NOT DONE"), made.text, _("OK: back")))


def _spare(setup: Setup, pin: int) -> bool:
    try:
        check_spare(setup.config, "--wire", pin)
    except ConfigError:
        return False
    return True
