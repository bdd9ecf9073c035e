"""The guided check: asks people to press, turn, look and listen, on the display and in the terminal."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from PIL import Image

from engine.stamps import MS, S
from firmware.output.screens.canvas import FOOT_PX, WIDTH_PX, Canvas, Role
from firmware.output.screens.font import FOOT, NARROW, PLAIN
from firmware.output.screens.menus import message
from firmware.setup.inbox import Inbox
from firmware.translation import _, ngettext, translated
from hardware.doctor import by_hand
from hardware.doctor.bench import A, B, Bench
from hardware.doctor.by_hand import AskedPress
from hardware.doctor.findings import Finding
from hardware.doctor.lines import called
from hardware.parts.buttons import Edge
from hardware.parts.buzzer import Tone, Tune
from hardware.parts.debounce import LOCK_NS

PATIENCE_NS = 20 * S  # for people to answer
TURNED_NS = 1_500 * MS  # after the last click
RELEASE_NS = 5 * S
REST_NS = 2 * LOCK_NS
LOOK_NS = 500 * MS  # a picture is on the display by then, also on a slow bus
TUNE: Tune = (Tone(880, 250), Tone(0, 80), Tone(1760, 350)) * 2
MAX_SMALL = 25  # characters of the smallest size in a row
FRAMED = (0, 0, WIDTH_PX, 64)

Event: TypeAlias = Edge | str  # an edge, or a typed line


class CheckLeft(Exception):
    """Somebody has held OK to end the guided check."""


class LeavingInbox(Inbox[Event]):
    """An inbox whose reader is told by `CheckLeft` once OK has been held for so long."""

    def __init__(self, leave_ns: int) -> None:
        super().__init__()
        self._leave_ns = leave_ns
        self._since_ns: int | None = None  # since when OK is down

    def next(self, until_ns: int) -> Event | None:
        leave_ns = None if self._since_ns is None else self._since_ns + self._leave_ns
        event = super().next(until_ns if leave_ns is None else min(until_ns, leave_ns))
        if event is None and leave_ns is not None and self.now_ns() >= leave_ns:
            raise CheckLeft
        if not isinstance(event, str) and event is not None and event.button == "ok":
            self._since_ns = self.now_ns() if event.down else None
        return event

    def let_go(self, within_ns: int) -> None:
        """Wait until OK is released and has come to rest, for so long at most."""
        end_ns, down = self.now_ns() + within_ns, True
        while (event := super().next(end_ns if down else min(end_ns, self.now_ns() + REST_NS))) is not None:
            if not isinstance(event, str) and event.button == "ok":
                down = event.down


LINELESS = {"kit", "pins", "library gpiod", "library gpiozero"}  # parts whose fault leaves nothing to ask about


def known(findings: Iterable[Finding]) -> frozenset[str] | None:
    """The parts whose faults are known: nobody is asked about them. None: without lines nothing can be asked."""
    parts = frozenset(finding.part for finding in findings if finding.fault)
    return None if parts & LINELESS else parts


class Guided:
    """One walk through a kit. Everything happens on the caller's thread."""

    def __init__(self, bench: Bench, inbox: Inbox[Event], say: Callable[[str], None], known: frozenset[str]) -> None:
        """`say` prints a line; `known` are the parts whose faults are known: nobody is asked about them."""
        self._bench, self._inbox, self._say, self._known = bench, inbox, say, known
        self._pins = bench.pins
        self._wired: dict[str, str] = {}  # the button that people press, by the line that moves
        self._no = _("turn: no") if bench.config.control.kind == "knob" else _("▲▼: no")
        self._shows = bench.config.display.driver != "emulated" and "display" not in known
        bench.lines.listen(inbox.put)

    def findings(self) -> Iterator[Finding]:
        """Ask about one part after the other: a finding for each."""
        config = self._bench.config
        if self._shows:
            yield self._display()
        if config.buttons.driver != "emulated":
            yield from self._buttons()
            if config.control.kind == "knob":
                yield from self._knob()
            yield from self._lamps()
            if self._bench.buzzer is not None and config.buzzer is not None and "buzzer" not in self._known:
                yield by_hand.buzzer(self._tone(), config.buzzer.pin)

    def end(self, findings: list[Finding]) -> None:
        """Show the result until OK is pressed or nobody answers."""
        if not self._shows:
            return
        faults = [finding for finding in findings if finding.fault]
        headline = ngettext("{n} FAULT", "{n} FAULTS", len(faults)) if faults else _("ALL RIGHT")
        lines = [_short(finding) for finding in faults[:2]]
        self._show(message(_("CHECK"), headline, lines, (_("see the terminal") if faults else "", _("OK: end"))))
        self._answer()

    # --- parts -------------------------------------------------------------------------------------------------------

    def _display(self) -> Finding:
        described = self._bench.config.display
        # a wrong chip may show a first picture as it should be, but not the changes after it
        self._show(message(_("CHECK"), _("LOOK HERE"), [], ("", "")))
        self._pause(LOOK_NS)
        self._ask(
            frame(_("frame complete?"), self._no),
            _(
                "Display: is there a thin frame on all four sides, and the text upright? OK or y: yes; {no} or n",
                no=self._no,
            ),
        )
        whole, upside_down, noise = self._answer(), None, None
        if whole is False:
            self._ask(
                frame(_("upside down?"), self._no),
                _("Display: does the picture stand on its head? OK or y: yes; {no} or n", no=self._no),
            )
            upside_down = self._answer()
        if upside_down is False and described.driver == "sh1106":  # its memory is wider than any panel
            noise = self._noise(at_left=(described.column != 0) == (described.rotate == 0))
        return by_hand.display(whole, upside_down, noise, described)

    def _noise(self, *, at_left: bool) -> bool | None:
        """Whether one end of the picture is cut off, and the other one shows what lies in the chip's memory."""
        if at_left:
            question = _("dots at left?")
            text = _(
                "Display: is its right end cut off, with random dots at the left one? OK or y: yes; {no} or n",
                no=self._no,
            )
        else:
            question = _("dots at right?")
            text = _(
                "Display: is its left end cut off, with random dots at the right one? OK or y: yes; {no} or n",
                no=self._no,
            )
        self._ask(frame(question, self._no), text)
        return self._answer()

    def _buttons(self) -> Iterator[Finding]:
        names = [player.name for player in self._bench.config.players]
        if self._bench.config.control.kind == "buttons":
            names += ["up", "down", "ok"]
        pressed: dict[str, AskedPress] = {}
        for name in names:
            if f"button {called(name)}" not in self._known:
                pressed[name] = self._asked(name)
        self._wired = {press.name: name for name, press in pressed.items() if press.name is not None and not press.also}
        yield from by_hand.buttons(pressed, self._pins)

    def _knob(self) -> Iterator[Finding]:
        if not self._known & {A, B}:
            described = self._bench.config.control.clicks
            text = _("Knob: turn it to the right (clockwise), four clicks; n: nothing happens")
            turn = self._turned(text, _("turn it to the right,"))
            if turn.clicks not in (None, described):  # a miscount looks like another kind of knob
                text = _("Knob: turn it once more to the right, by exactly four clicks; n: nothing happens")
                turn = self._turned(text, _("once more, exactly"))
            yield by_hand.knob(turn, described, self._pins)
        if "knob push" not in self._known:
            picture = message(_("CHECK"), _("PUSH"), [_("push the knob")], ("", ""))
            self._ask(picture, _("Knob: push it; n: nothing happens"))
            yield by_hand.push(self._press(), self._pins)

    def _lamps(self) -> Iterator[Finding]:
        lit: dict[str, str | None] = {}
        for player in self._bench.config.players:
            name = player.name
            if player.lamp is None or f"lamp {name}" in self._known:
                continue
            self._bench.lamps.show(frozenset({name}))
            lit[name] = self._seen(name)
        self._bench.lamps.show(frozenset())
        yield from by_hand.lamps(lit, self._bench.config.lamps)

    def _seen(self, name: str) -> str | None:
        """The button that shines while this lamp is lit."""
        if name not in self._wired.values():  # a press of it would mean nothing
            text = _("Lamp {name}: is it lit? OK or y: yes; {no} or n", name=name, no=self._no)
            self._ask(message(_("CHECK"), _("{name} LIT?", name=name), [], (self._no, _("OK: yes"))), text)
            return name if self._answer() else None
        lines = [_("a lamp is lit for {name}:", name=name), _("press the one that shines")]
        text = _("Lamp {name}: press the button that is lit, or type its name; OK or n: none is", name=name)
        self._ask(message(_("CHECK"), _("LAMP"), lines, ("", _("OK: none"))), text)
        return self._shining()

    def _tone(self) -> bool:
        assert self._bench.buzzer is not None
        self._ask(
            message(_("CHECK"), _("TONE?"), [_("do you hear it?")], (self._no, _("OK: yes"))),
            _("Buzzer: do you hear the tones? OK or y: yes; {no} or n", no=self._no),
        )
        self._bench.buzzer.play(TUNE)
        return self._answer() is True

    # --- input -------------------------------------------------------------------------------------------------------

    def _asked(self, name: str) -> AskedPress:
        """A press of this button; where another line moves, people are asked once more."""
        place = f"GPIO {self._pins[name]}"
        text = _("Button {name}: press it, and let go; n: nothing happens", name=called(name))
        self._ask(message(_("CHECK"), called(name), [_("press it, and let go")], ("", place)), text)
        press = self._press()
        if press.name not in (None, name) and name not in press.also:
            other = called(press.name or "")
            again = _("That was the line of {other}. Press {name} once more", other=other, name=called(name))
            lines = [_("that was {other}'s line:", other=other), _("press it once more")]
            self._ask(message(_("CHECK"), called(name), lines, ("", place)), again)
            press = self._press()
        if press.name is not None and name in press.also:  # of two that touch the other was faster
            others = (press.name, *(each for each in press.also if each != name))
            press = press._replace(name=name, also=others)
        return press

    def _press(self) -> AskedPress:
        """The first button that is pressed, and how it bounces; empty after a typed n."""
        until_ns = self._inbox.now_ns() + PATIENCE_NS
        while (event := self._inbox.next(until_ns)) is not None:
            if isinstance(event, str):
                if event == "n":
                    break
            elif event.down and event.button not in (A, B):
                rest = self._rest_of(event.button)
                edges = [event, *(edge for edge in rest if edge.button == event.button)]
                also = dict.fromkeys(edge.button for edge in rest if edge.down and edge.button != event.button)
                return AskedPress(event.button, by_hand.bounce_ns(edges), edges[-1].down, tuple(also))
        return AskedPress()

    def _rest_of(self, name: str) -> list[Edge]:
        """Further edges of all buttons until this one has come to rest, released, or was held too long."""
        edges: list[Edge] = []
        down, until_ns = True, self._inbox.now_ns() + RELEASE_NS
        while True:
            wait_ns = until_ns if down else min(until_ns, self._inbox.now_ns() + REST_NS)
            event = self._inbox.next(wait_ns)
            if event is None:
                return edges
            if isinstance(event, Edge) and event.button not in (A, B):
                edges.append(event)
                down = event.down if event.button == name else down

    def _turned(self, text: str, asked: str) -> by_hand.Turned:
        """What a knob's contacts do until it rests."""
        self._ask(message(_("CHECK"), _("KNOB"), [asked, _("four clicks")], ("", "")), text)
        edges: list[Edge] = []
        until_ns = self._inbox.now_ns() + PATIENCE_NS
        while (event := self._inbox.next(until_ns)) is not None:
            if isinstance(event, str):
                if event == "n":
                    break
            elif event.button in (A, B):
                edges.append(event)
                until_ns = self._inbox.now_ns() + TURNED_NS
        return by_hand.turned(edges)

    def _shining(self) -> str | None:
        """The button in which people see a light."""
        names = {player.name.lower(): player.name for player in self._bench.config.players}
        until_ns = self._inbox.now_ns() + PATIENCE_NS
        while (event := self._inbox.next(until_ns)) is not None:
            if isinstance(event, str):
                if event in names:
                    return names[event]
                if event == "n":
                    break
            elif event.down and event.button not in (A, B):
                self._rest_of(event.button)
                name = self._wired.get(event.button, event.button)
                return name if name in names.values() else None
        return None

    def _answer(self) -> bool | None:
        """OK, Enter or y: yes; a turn, an arrow or n: no; None where nobody answers."""
        until_ns = self._inbox.now_ns() + PATIENCE_NS
        while (event := self._inbox.next(until_ns)) is not None:
            if isinstance(event, str):
                if event in ("", "y", "yes", "n", "no"):
                    return not event.startswith("n")
            elif event.down and event.button == "ok":
                self._rest_of("ok")
                return True
            elif event.down and event.button in (A, B, "up", "down"):
                return False
        return None

    # --- output ------------------------------------------------------------------------------------------------------

    def _ask(self, picture: Image.Image, text: str) -> None:
        """Ask a question, once earlier input has come to rest."""
        end_ns = self._inbox.now_ns() + RELEASE_NS
        while self._inbox.now_ns() < end_ns and self._inbox.next(self._inbox.now_ns() + REST_NS) is not None:
            pass
        self._show(picture)
        self._say(text)

    def _pause(self, ns: int) -> None:
        """Let time pass and ignore input meanwhile."""
        until_ns = self._inbox.now_ns() + ns
        while self._inbox.next(until_ns) is not None:
            pass

    def _show(self, picture: Image.Image) -> None:
        self._bench.display.show(picture)


def _short(finding: Finding) -> str:
    """A fault in one small line, with its place if there is room."""
    part = translated(finding.part)
    whole = f"{part} {translated(finding.place)}"
    return whole if len(whole) <= MAX_SMALL else part[:MAX_SMALL]


def frame(question: str, no: str) -> Image.Image:
    """A thin frame round the whole display: on the wrong chip a side is missing, or has random pixels beside it."""
    canvas = Canvas()
    canvas.frame(*FRAMED)
    canvas.centre(0, WIDTH_PX, 4, "LUCKY PAW", PLAIN)
    canvas.headline(question, 16, height=30, size=NARROW)
    canvas.centre(0, WIDTH_PX, FOOT_PX - 5, _("OK: yes    {no}", no=no), FOOT, role=Role.FOOT)
    return canvas.picture()
