"""Judges the guided check: presses, turns, and the lamps that people saw."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, get_args

from hardware.config import DisplayConfig
from hardware.doctor.bench import A, B
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.lines import called
from hardware.parts.buttons import Edge
from hardware.parts.control.clicks import Clicks, ClicksATurn
from hardware.parts.debounce import LOCK_NS
from hardware.parts.display import SH1106_COLUMN
from hardware.words import N_, Name

MS = 1_000_000
MAX_BOUNCE_NS = 20 * MS  # the debounce lock is half as long again; beyond that one press may count as two
CLICKS = 4  # by so many people are asked to turn the knob
CLICKS_A_TURN: tuple[ClicksATurn, ...] = get_args(ClicksATurn)  # fewest first
OTHERS = {"ssd1306": "sh1106", "ssd1309": "sh1106", "sh1106": "ssd1306"}  # the other chip that a display may have


class AskedPress(NamedTuple):
    """The edges after one button was asked for."""

    name: str | None = None  # of the line that moved; None: none moved
    bounce_ns: int = 0  # the longest time that the contact chattered, as it closed or opened
    stuck: bool = False  # it did not open again
    also: tuple[str, ...] = ()  # other lines that went down meanwhile


def bounce_ns(edges: Iterable[Edge]) -> int:
    """The longest chatter among the edges of one line; a quick tap, down and up once, is none."""
    longest = first = last = count = 0
    for edge in edges:
        if edge.at_ns - last > LOCK_NS:
            first, count = edge.at_ns, 0
        last, count = edge.at_ns, count + 1
        if count > 2:
            longest = max(longest, last - first)
    return longest


def buttons(pressed: Mapping[str, AskedPress], pins: Mapping[str, int]) -> Iterator[Finding]:
    """A finding for each button that was asked for."""
    for name, press in pressed.items():
        part, place = N_("button {name}", name=called(name)), f"GPIO {pins[name]}"
        other = press.name
        if other is None:
            yield finding("button-not-wired", part, place)
        elif other == name and press.also:
            if not any(name in pressed[each].also for each in list(pressed)[: list(pressed).index(name)]):
                joined = ", ".join(f"GPIO {pins[each]}" for each in press.also)
                others = ", ".join(map(called, press.also))
                yield finding(
                    "buttons-joined",
                    N_("{part}, {others}", part=part, others=others),
                    f"{place}, {joined}",
                    one=called(name),
                    others=others,
                )
        elif other == name:
            yield _press(part, place, press)
        elif other in pressed and pressed[other].name == name:
            if list(pressed).index(name) < list(pressed).index(other):
                yield finding(
                    "buttons-swapped",
                    N_("{part}, {others}", part=part, others=called(other)),
                    f"{place}, GPIO {pins[other]}",
                    one=called(name),
                    other=called(other),
                )
        else:
            yield finding("button-elsewhere", part, place, pin=pins[other], other=called(other))


def _press(part: str, place: str, press: AskedPress) -> Finding:
    if press.stuck:
        return finding("button-stuck", part, place)
    ms = f"{press.bounce_ns / MS:.1f}"
    if press.bounce_ns > MAX_BOUNCE_NS:
        return finding("button-bounces", part, place, ms=ms, most=MAX_BOUNCE_NS // MS)
    return fine(part, place, N_("all right, bounces {ms} ms", ms=ms))


def push(press: AskedPress, pins: Mapping[str, int]) -> Finding:
    """The knob's push."""
    part, place = N_("knob push"), f"GPIO {pins['ok']}"
    if press.name is None:
        return finding("push-missing", part, place)
    if press.name != "ok":
        return finding("button-elsewhere", part, place, pin=pins[press.name], other=called(press.name))
    return _press(part, place, press)


class Turned(NamedTuple):
    """What a knob's contacts did while it was turned."""

    moved: frozenset[str]  # the contacts
    quarters: int  # of a full turn of both; clockwise counts up

    @property
    def clicks(self) -> ClicksATurn | None:
        """The clicks in one full turn, where it was turned by `CLICKS`, or by one more or less. None: too few moves."""
        way = abs(self.quarters)
        return next((clicks for clicks in CLICKS_A_TURN if way >= (CLICKS - 1) * 4 // clicks), None)


def turned(edges: Iterable[Edge]) -> Turned:
    """Follow the contacts from where they stood before the first edge of each."""
    moves = list(edges)
    first = {edge.button: edge.down for edge in reversed(moves)}
    contacts = Clicks(4, a=not first.get(A, True), b=not first.get(B, True))
    quarters = sum(contacts.edge("a" if edge.button == A else "b", edge.down) for edge in moves)
    return Turned(frozenset(first), quarters)


def knob(turn: Turned, described: ClicksATurn, pins: Mapping[str, int]) -> Finding:
    """A knob that was to be turned clockwise by `CLICKS` clicks; by the description it has so many in a full turn."""
    moved, quarters = turn
    place = f"GPIO {pins[A]}, GPIO {pins[B]}"
    if not moved:
        return finding("knob-dead", "knob", place)
    if len(moved) == 1:
        (dead,) = {A, B} - moved
        return finding("knob-contact-dead", dead, f"GPIO {pins[dead]}", alive=next(iter(moved)))
    if turn.clicks is None:
        return finding("knob-unsteady", "knob", place)
    if turn.clicks != described:
        return finding("knob-other-clicks", "knob", place, described=described, clicks=turn.clicks)
    if quarters < 0:
        return finding("knob-swapped", "knob", place, a=pins[B], b=pins[A])
    return fine("knob", place, N_("all right, {n} clicks", n=round(quarters * described / 4)))


def lamps(lit: Mapping[str, str | None], pins: Mapping[str, int]) -> Iterator[Finding]:
    """A finding for each lamp, by the button where it was seen; None: not seen."""
    for name, seen in lit.items():
        part, place = N_("lamp {name}", name=Name(name)), f"GPIO {pins[name]}"
        if seen is None:
            yield finding("lamp-dark", part, place)
        elif seen == name:
            yield fine(part, place)
        elif lit.get(seen) == name:
            if list(lit).index(name) < list(lit).index(seen):
                both = f"{place}, GPIO {pins[seen]}"
                yield finding(
                    "lamps-swapped", N_("{part}, {others}", part=part, others=seen), both, one=name, other=seen
                )
        else:
            yield finding("lamp-elsewhere", part, place, one=name, other=seen)


def buzzer(heard: bool, pin: int) -> Finding:
    """A tone that was played."""
    return fine("buzzer", f"GPIO {pin}") if heard else finding("buzzer-silent", "buzzer", f"GPIO {pin}")


def display(whole: bool | None, upside_down: bool | None, noise: bool | None, described: DisplayConfig) -> Finding:
    """A picture with a frame: whether all of it was seen; if not, whether it was upside down, or moved aside.

    `noise`: random dots at one end, and the other end cut off.
    """
    bus = described.place
    if whole:
        return fine("display", bus, N_("all right, its picture is whole"))
    if whole is None:
        return finding("display-dark", "display", bus)
    if upside_down:
        return finding("display-upside-down", "display", bus, degrees=180 - described.rotate)
    other = OTHERS.get(described.driver, "sh1106")
    if noise:
        column = 0 if described.column != 0 else SH1106_COLUMN
        return finding("display-other-column", "display", bus, column=column, other=other)
    return finding("display-shifted", "display", bus, driver=described.driver, other=other)
