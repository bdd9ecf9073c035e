"""Somebody at a table whose wires may be wrong, who does what the guided check asks; in virtual time."""

from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from PIL import Image

from firmware.setup.guided import Event, Guided, frame
from firmware.setup.inbox import Inbox
from hardware.config import KitConfig
from hardware.doctor.bench import A, B, emulated_bench
from hardware.doctor.by_hand import CLICKS
from hardware.doctor.findings import Finding
from hardware.parts.buttons import Edge
from hardware.parts.buttons.emulated import EmulatedButtons
from hardware.parts.buzzer.emulated import EmulatedBuzzer
from hardware.parts.control.clicks import TURN, ClicksATurn
from hardware.parts.display import SH1106_COLUMN
from hardware.parts.display.emulated import EmulatedI2c, I2cBus
from hardware.parts.display.emulated_chip import Chip, Controller
from hardware.parts.display.oled import OledDisplay
from hardware.parts.lamps.emulated import EmulatedLamps
from tests.simulators import reading
from tests.simulators.machine_for_doctor import KIT

MS = 1_000_000
WHOLE = [frame("frame complete?", no).tobytes() for no in ("turn: no", "▲▼: no")]


def _column(picture: Image.Image, x: int) -> list[bool]:
    return [bool(picture.getpixel((x, y))) for y in range(1, picture.height - 1)]


def _line(picture: Image.Image, x: int) -> bool:
    """Whether this column is a side of the frame."""
    return all(_column(picture, x))


def _dots(picture: Image.Image, x: int) -> bool:
    """Whether this column has some dots, as no picture has at its ends."""
    return any(_column(picture, x)) and not _line(picture, x)


class Table(NamedTuple):
    """The faults of a table. Its people do what they are asked to."""

    wires: Mapping[str, str | None] = {}  # the line that a button moves; None: none
    joined: tuple[str, ...] = ()  # lines whose wires touch
    lamps: Mapping[str, str | None] = {}  # the button in which a lamp lights
    bounces_ms: Mapping[str, int] = {}
    stuck: str = ""  # a button that stays down
    contacts: Mapping[str, str | None] = {}  # which line a contact of the knob moves
    turns: bool = True
    clicks: ClicksATurn = 1  # of its knob, in a full turn of the contacts
    closed: bool = False  # both contacts, before it is turned
    miscounts: int = 0  # the first time it turns by so many clicks too many
    hears: bool = True
    chip: Controller = "ssd1306"  # that is really there
    column: int = SH1106_COLUMN  # where its panel begins
    upside_down: bool = False
    people: bool = True
    types: Mapping[str, str] = {}  # what is typed instead, by the beginning of the question


class Person(Inbox[Event]):
    """Somebody at a table. Time passes as they act, or wait."""

    def __init__(self, table: Table, config: KitConfig = KIT, known: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.pictures: list[Image.Image] = []
        self._table, self._now_ns = table, 1_000 * MS
        self._events: deque[Event] = deque()
        self._question = ""
        self._heard = False
        self._stands = 2 if table.closed else 0  # the knob, in quarters of a turn of its contacts
        self._bus = I2cBus(Chip(table.chip, table.column))
        bench = emulated_bench(config, lambda part, text: None, threaded=False, clock=self.now_ns)
        assert isinstance(bench.lines, EmulatedButtons)
        assert isinstance(bench.lamps, EmulatedLamps)
        assert isinstance(bench.buzzer, EmulatedBuzzer)
        self._lines, self._lamps = bench.lines, bench.lamps
        bench.buzzer.watch(lambda tune: setattr(self, "_heard", bool(tune) or self._heard))
        driver, rotate = config.display.driver, config.display.rotate
        assert driver != "emulated"
        i2c = partial(EmulatedI2c, self._bus)
        display = OledDisplay(
            driver, i2c, lambda part, text: None, rotate=rotate, left=config.display.left, place="", threaded=False
        )
        self._guided = Guided(bench._replace(display=display), self, self._hear, known)

    def findings(self) -> list[Finding]:
        """All that is found, to the end of the walk."""
        found = list(self._guided.findings())
        self._guided.end(found)
        return found

    def put(self, event: Event) -> None:
        self._events.append(event)

    def now_ns(self) -> int:
        return self._now_ns

    def next(self, until_ns: int) -> Event | None:
        if not self._events and self._question and self._table.people:
            self._act()
        if self._events:
            at_ns = event.at_ns if isinstance(event := self._events[0], Edge) else 0
            if at_ns <= max(self._now_ns, until_ns):
                self._now_ns = max(self._now_ns, at_ns)
                return self._events.popleft()
        self._now_ns = max(self._now_ns, until_ns)
        return None

    def _hear(self, question: str) -> None:
        self.asked.append(question)
        self.pictures.append(self.glass())
        self._question = question

    def glass(self) -> Image.Image:
        picture = self._bus.chip.picture()
        return picture.rotate(180) if self._table.upside_down else picture

    def _act(self) -> None:
        question, self._question = self._question, ""
        for begins, typed in self._table.types.items():
            if question.startswith(begins):
                self.put(typed)
                return
        if question.startswith("Display: is there"):
            self._answer(self.glass().tobytes() in WHOLE)
        elif question.startswith("Display: does"):
            self._answer("LUCKY PAW" in reading.text(self.glass().rotate(180)))
        elif question.startswith("Display: is its"):
            near, far = ((0, 1), 127) if "dots at the left" in question else ((126, 127), 0)
            self._answer(all(_dots(self.glass(), x) for x in near) and not _line(self.glass(), far))
        elif question.startswith("Buzzer"):
            self._answer(self._table.hears and self._heard)
        elif question.startswith("Knob: turn"):
            self._turn()
        elif question.startswith("Knob: push"):
            self._press("ok")
        elif question.startswith("Lamp"):
            (lit,) = self._lamps.lit
            lights = self._table.lamps.get(lit, lit)
            if "yes" in question:
                self._answer(lights == lit)
            else:
                self._press(lights or "ok")
        else:
            name = question.rpartition("Press ")[2] if "Press " in question else question.partition(" ")[2]
            name = name.split()[0].strip(":")
            self._press({"OK": "ok", "▲": "up", "▼": "down"}.get(name, name))

    def _answer(self, yes: bool) -> None:
        self._press("ok") if yes else self._turn()

    def _press(self, button: str) -> None:
        line = self._table.wires.get(button, button)
        if line is not None:
            self._move(line, True, 30, self._table.bounces_ms.get(button, 1))
            if self._table.stuck != button:
                self._move(line, False, 120, 1)

    def _move(self, line: str, down: bool, after_ms: int, bounce_ms: int) -> None:
        at_ns = self._last_ns() + after_ms * MS
        for n in range(3):  # it chatters: there, back, there
            for each in self._table.joined if line in self._table.joined else (line,):
                self._lines.edge(each, down=down is (n != 1), at_ns=at_ns + n * bounce_ms * MS // 2)

    def _turn(self) -> None:
        if not self._table.turns:
            return
        again = sum("Knob: turn" in question for question in self.asked) > 1
        clicks = CLICKS if again else CLICKS + self._table.miscounts
        at_ns = self._last_ns() + 30 * MS
        for _ in range(clicks * len(TURN) // self._table.clicks):
            before = TURN[self._stands]
            self._stands = (self._stands + 1) % len(TURN)
            at_ns += 5 * MS
            for contact, was, closed in zip((A, B), before, TURN[self._stands], strict=True):
                line = self._table.contacts.get(contact, contact)
                if was != closed and line is not None:
                    self._lines.edge(line, down=closed, at_ns=at_ns)

    def _last_ns(self) -> int:
        return max([self._now_ns, *(event.at_ns for event in self._events if isinstance(event, Edge))])
