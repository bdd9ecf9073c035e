"""The open question: its offers sorted by how people answer them. Both input and pictures use it."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from msgspec import field

from engine.game import Record
from engine.rules import BENCH, RELEASE, Board, Offer, Seat, Value

VOID_NS = 10_000_000_000  # how long after a verdict a press that counted may be taken back by its own button


class Kind(Enum):
    """How people answer."""

    OVER = auto()  # the game is over
    RACE = auto()  # presses whose stamps matter
    COUNT = auto()  # each seat enters a number on its own button, all at once
    TAP = auto()  # seats answer with a press
    CHOOSE = auto()  # one of a few options, by the control
    NUMBER = auto()  # a number, by the control
    CONFIRM = auto()  # a plain OK
    WAIT = auto()  # only the clock goes on


class Asked(Record):
    """The open offers, by input."""

    kind: Kind
    press: Mapping[Seat, Offer]  # by seat: the offer that a press of its button answers
    hold: Mapping[Seat, Offer]
    release: Mapping[Seat, Offer]
    count: Mapping[Seat, Offer]  # by seat: the number it is asked for
    control: Offer | None  # the one that the control chooses or counts for
    ok: Offer | None  # the plain question that OK answers
    menu: tuple[Offer, ...]  # ways out and side entries

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked by their own button."""
        return tuple(sorted({*self.press, *self.count}))

    @property
    def chooser(self) -> Seat | None:
        """The seat that chooses, where its button is free: a press steps through the options, too."""
        choice = self.control
        return choice.seat if choice is not None and choice.options and choice.seat not in self.press else None


def of(offers: tuple[Offer, ...]) -> Asked:
    """Sort the open offers."""
    press: dict[Seat, Offer] = {}
    hold: dict[Seat, Offer] = {}
    release: dict[Seat, Offer] = {}
    count: dict[Seat, Offer] = {}
    control: Offer | None = None
    ok: Offer | None = None
    menu: list[Offer] = []
    for offer in offers:
        seat, number = offer.seat, offer.low is not None
        if offer.due_ns is not None or offer.verb == BENCH or offer.example is not None:  # for the kit, for programs
            continue
        if offer.menu:
            menu.append(offer)
        elif offer.options or (number and seat is None):
            control = offer
        elif seat is None:
            ok = offer
        elif number:
            count[seat] = offer
        elif offer.hold:
            hold[seat] = offer
        elif offer.verb == RELEASE:
            release[seat] = offer
        else:
            press[seat] = offer
    if not offers:
        kind = Kind.OVER
    elif any(offer.race and offer.seat is not None for offer in offers):
        kind = Kind.RACE
    elif control is not None:
        kind = Kind.CHOOSE if control.options else Kind.NUMBER
    elif count:
        kind = Kind.COUNT
    elif press:
        kind = Kind.TAP
    elif ok is not None:
        kind = Kind.CONFIRM
    else:
        kind = Kind.WAIT
    return Asked(kind, press, hold, release, count, control, ok, tuple(menu))


class Entry(Record):
    """An unfinished entry: shown at once, never journaled, lost at a power cut."""

    values: Mapping[Seat | None, int] = field(default_factory=dict)  # by seat; None: the control's number or option
    latest: Seat | None = None  # the seat that tapped last; the knob changes its number
    missing: tuple[Seat, ...] = ()  # seats without a number at the first OK; the second enters 0 for them
    note: str | None = None  # one line: the error


EMPTY = Entry()


def shown(question: Asked, entry: Entry, seat: Seat) -> int | None:
    """The number shown for a seat: the one entered, else that of a plain OK."""
    return entry.values.get(seat, question.count[seat].prefill)


def answered_for(question: Asked, entry: Entry, dead: Sequence[Seat]) -> Seat | None:
    """The seat that the control answers for next, of those whose button does not work."""
    if entry.latest in dead and entry.latest in question.count:
        return entry.latest
    waiting = (*question.count, *(seat for seat, offer in question.press.items() if not offer.race))
    return next((seat for seat in waiting if seat in dead and seat not in entry.values), None)


def chosen(question: Asked, entry: Entry) -> Value:
    """The option or number at the control."""
    offer = question.control
    assert offer is not None
    if offer.options:
        return offer.options[entry.values.get(None, 0) % len(offer.options)]
    assert offer.low is not None
    return entry.values.get(None, offer.low if offer.prefill is None else offer.prefill)


def waits_for_signal(board: Board) -> bool:
    """Whether everybody is ready, and the signal is still to come: presses are too early then, and nobody is asked."""
    return board.shows == "ready" and "missing" not in board.highlight
