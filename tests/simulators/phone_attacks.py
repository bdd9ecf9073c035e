"""Phones that have joined and mean ill, on a whole emulated kit and its virtual clock: how far each of them gets.

A flood is sixteen messages a second. "A person" says no by a turn once the question has stood for 1.2 s.
"""

from collections.abc import Callable, Iterator
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from firmware.output.screens.canvas import FOOT_PX
from tests.simulators.phone import SPACES, Phone, let_in
from tests.simulators.rig import MS, Rig

COUNTING = f"{SPACES} 1000"
EVERY_MS = 62.5
NO_MS = 1200
TRIES = 20


class Up(NamedTuple):
    """How a question of phones has stood on the display."""

    percent: int  # of the time
    times: int
    soonest_s: float  # from its end to the next one; the shortest


class Flood:
    """A kit on which phones send the same messages, one after the other, for as long as anything goes on."""

    def __init__(self, folder: Path, *, person: bool = False) -> None:
        self.rig, self.person = Rig(folder), person
        let_in(self.rig)
        self.messages: Iterator[tuple[Phone, dict[str, Any]]] = iter(())
        self._asked_ns: int | None = None  # since when
        self._spans: list[tuple[int, int]] = []  # from when to when a question stood

    def of(self, *messages: tuple[Phone, dict[str, Any]]) -> "Flood":
        self.messages = cycle(messages)
        return self

    def after(self, ms: float) -> "Flood":
        """Let time pass, with messages."""
        end_ns = self.rig.now_ns + ms * MS
        while self.rig.now_ns < end_ns:
            phone, message = next(self.messages)
            if not phone.open:
                phone.connect()
            phone.say(**message)
            self._look()
            if self.person and self._asked_ns is not None and self.rig.now_ns - self._asked_ns >= NO_MS * MS:
                self.rig.arrow(-1)
            self.rig.after(min(EVERY_MS, (end_ns - self.rig.now_ns) / MS))
            self._look()
        return self

    def _look(self) -> None:
        asked = self.rig.top == "Confirm"
        if asked and self._asked_ns is None:
            self._asked_ns = self.rig.now_ns
        elif not asked and self._asked_ns is not None:
            self._spans.append((self._asked_ns, self.rig.now_ns))
            self._asked_ns = None

    def up(self, seconds: int, *, press_s: int | None = None) -> Up:
        """Go on for so long: how a question stood. `press_s`: between two presses of a player."""
        began_ns = self.rig.now_ns
        for _ in range(seconds // (press_s or seconds)):
            self.after((press_s or seconds) * 1000)
            if press_s is not None:
                self.rig.tap("P1")
                self._look()
        spans = [*self._spans, *([] if self._asked_ns is None else [(self._asked_ns, self.rig.now_ns)])]
        stood_ns = sum(end - max(start, began_ns) for start, end in spans)
        gaps_ns = [later[0] - earlier[1] for earlier, later in pairwise(spans)]
        percent = 100 * stood_ns / (self.rig.now_ns - began_ns)
        return Up(round(percent), len(spans), round(min(gaps_ns, default=0) / 1000 / MS, 1))


def kits(folder: Path) -> Iterator[tuple[int, Rig]]:
    """A kit for each try, from 0 on, that lets phones in."""
    for n in range(TRIES):
        rig = Rig(folder / str(n))
        let_in(rig)
        yield n, rig
        rig.close()


def given_by_a_press(folder: Path) -> int:
    """Somebody who looks on wants a seat; within 30 s its player enters a number. How often is the seat given away?"""
    given = 0
    for n, rig in kits(folder):
        phone = Phone(rig)
        rig.do(COUNTING)
        phone.say(seat="P2")
        rig.after(100 + 29_000 * n / TRIES).tap("P2")
        given += phone.mine == ["P2"]
    return given


def given_by_a_late_slap(folder: Path) -> int:
    """A seat is wanted during a race; its player slaps up to 1 s after the verdict. How often is it given away?"""
    given = 0
    for n, rig in kits(folder):
        phone = Phone(rig)
        rig.do("game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 500")
        phone.say(seat="P2")
        rig.do("P1 200 P3").after(100 + 900 * n / TRIES).tap("P2")
        given += phone.mine == ["P2"]
    return given


def served(folder: Path) -> str:
    """Two phones want the same seat, 0.2 s apart, and the table agrees once. Whom does it serve, of C and then B?"""
    rig = Rig(folder)
    let_in(rig)
    rig.do(COUNTING)
    c, b = Phone(rig), Phone(rig)
    c.say(seat="P2")
    rig.after(200)
    b.say(seat="P2")
    rig.after(1000)
    rig.ok() if rig.top == "Confirm" else rig.tap("P2")
    rig.close()
    return "".join(name for name, phone in (("C", c), ("B", b)) if phone.mine)


def asked_for(
    folder: Path,
    message: dict[str, Any],
    *,
    person: bool = False,
    phones: int = 1,
    seconds: int = 60,
    press_s: int | None = None,
) -> Up:
    """Phones want the same again and again."""
    flood = Flood(folder, person=person)
    flood.rig.do(COUNTING)
    flood.of(*((phone, message) for phone in wishing(flood.rig, message, phones)))
    found = flood.up(seconds, press_s=press_s)
    flood.rig.close()
    return found


def wishing(rig: Rig, message: dict[str, Any], phones: int) -> list[Phone]:
    """So many phones that may wish for this; the first one answers for the table."""
    found = [Phone(rig) for _ in range(phones)]
    if "seat" not in message:
        found[0].say(table=True)
        rig.after(10_000)
    return found


def menu_reached(folder: Path) -> int:
    """A person turns a question away and then opens *Phones*, while `end` is sent: how often that works."""
    reached = 0
    for n in range(TRIES):
        flood = Flood(folder / str(n))
        rig = flood.rig.do(COUNTING)
        flood.of((wishing(rig, {"end": True}, 1)[0], {"end": True})).after(1000 + 40 * n)
        for _ in range(3):
            if rig.top == "Confirm":
                flood.after(NO_MS)
                rig.arrow(-1)
            rig.down("ok")
            flood.after(700)
            rig.up("ok")
            flood.after(300)
            if rig.top == "Back":
                rig.arrow(-1)
                flood.after(300)
            if rig.top == "More":
                rig.choose("Phones")
                break
        reached += rig.top == "Joining"
        rig.close()
    return reached


def ended_by_a_quick_ok(folder: Path) -> int:
    """OK is pressed 0 to 950 ms after a phone wants to end the game: how many games are ended."""
    ended = 0
    for n, rig in kits(folder):
        rig.do(COUNTING)
        wishing(rig, {"end": True}, 1)[0].say(end=True)
        rig.after(50 * n).ok()
        ended += rig.playing.play.ended
    return ended


def changed_by_a_habit(folder: Path) -> int:
    """The same with a long OK, which was to open Back: how many phones are thrown out, or games changed."""
    changed = 0
    for n, rig in kits(folder):
        rig.do(COUNTING)
        phone = wishing(rig, {"end": True}, 1)[0].say(end=True)
        rig.after(50 * n).ok_hold()
        changed += rig.playing.play.ended or not phone.open
    return changed


def row_hidden(folder: Path) -> int:
    """A phone takes the role of the table and gives it up: percent of a minute without the row of what keys do."""
    flood = Flood(folder)
    rig = flood.rig.do(COUNTING)
    phone = Phone(rig)
    box = (0, FOOT_PX, *rig.picture.size)
    keys, hidden = rig.picture.crop(box).tobytes(), 0
    flood.of((phone, {"table": True}), (phone, {"table": False}))
    for _ in range(240):
        flood.after(250)
        hidden += rig.picture.crop(box).tobytes() != keys
    rig.close()
    return round(100 * hidden / 240)


SEAT, UNDO, END = {"seat": "P2"}, {"undo": True}, {"end": True}
ROWS: dict[str, Callable[[Path], object]] = {
    f"seats given away by a press of their own players, of {TRIES}": given_by_a_press,
    f"seats given away by a slap after the verdict, of {TRIES}": given_by_a_late_slap,
    "C wants a seat, B 0.2 s later, the table agrees once: the seat is of": served,
    f"games ended by an OK within 1 s of the question, of {TRIES}": ended_by_a_quick_ok,
    f"games ended, or phones thrown out, by a long OK then, of {TRIES}": changed_by_a_habit,
    f"*Phones* reached while `end` is sent, of {TRIES}": menu_reached,
    "a minute of `undo`, nobody answers": lambda folder: asked_for(folder, UNDO),
    "a minute of `undo`, a person says no": lambda folder: asked_for(folder, UNDO, person=True),
    "a minute of `end`, a player presses every 3 s": lambda folder: asked_for(folder, END, press_s=3),
    "a minute of `end`, a person says no": lambda folder: asked_for(folder, END, person=True),
    "ten minutes of `end`, a person says no": lambda folder: asked_for(folder, END, person=True, seconds=600),
    "a minute of 16 phones that want a seat, a person says no": lambda folder: asked_for(
        folder, SEAT, person=True, phones=16
    ),
    "the role of the table taken and given up: percent of a minute without the row of keys": row_hidden,
}
