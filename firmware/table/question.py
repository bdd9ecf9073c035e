"""The open question: its offers sorted by how people answer them. Both input and pictures use it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any

from msgspec import field

from engine.game import Record
from engine.rules import BENCH, HANDS, RELEASE, Board, Offer, Seat, Value
from firmware.translation import LazyText


class Kind(Enum):
    """How people answer."""

    OVER = auto()  # the game is over
    RACE = auto()  # presses whose stamps matter
    COUNT = auto()  # each seat enters a number on its own button, all at once
    TAP = auto()  # seats answer with a press
    CHOOSE = auto()  # one of a few options, by the control
    NUMBER = auto()  # a number, by the control
    PICK = auto()  # one of several questions, before it is answered: by a seat's own button, or by the control
    CONFIRM = auto()  # a plain OK
    WAIT = auto()  # only the clock goes on


class OpenOffers(Record):
    """The open offers, by input."""

    kind: Kind
    press: Mapping[Seat, Offer]  # by seat: the offer that a press of its button answers
    hold: Mapping[Seat, Offer]
    release: Mapping[Seat, Offer]
    count: Mapping[Seat, Offer]  # by seat: the number it is asked for
    control: Offer | None  # the one that the control chooses or counts for
    ok: Offer | None  # the plain question that OK answers; of several the last
    menu: tuple[Offer, ...]  # ways out and side entries
    passed: tuple[Offer, ...]  # the plain questions before that of OK: programs may answer them one by one
    picks: tuple[Offer, ...] = ()  # only one of these is answered; once it is picked, it is in `count`, too

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that can answer with their own buttons."""
        picking = [offer.seat for offer in self.picks if offer.seat is not None and not self.count]
        return tuple(sorted({*self.press, *self.count, *picking, *self.named}))

    @property
    def chooser(self) -> Seat | None:
        """The seat that chooses, where its button is free: a press steps through the options, too."""
        choice = self.control
        return choice.seat if choice is not None and choice.options and choice.seat not in self.press else None

    @property
    def named(self) -> tuple[Seat, ...]:
        """The seats of which the table names one; a press of a seat's button names that seat, too."""
        choice = self.control
        return () if choice is None or choice.says != "seats" else tuple([n for n in choices(choice) if n >= 0])

    @property
    def first(self) -> Offer | None:
        """The offer whose label is the question; None: none is open."""
        offers = (self.control, *self.count.values(), *self.press.values(), self.ok, *self.picks)
        return next((offer for offer in offers if offer is not None), None)

    @property
    def tapped(self) -> bool:
        """Whether anybody's press counts for the table: its number has many steps."""
        choice = self.control
        return choice is not None and choice.seat is None and choice.low is not None and long(choice)

    @property
    def box(self) -> Seat | None:
        """The one seat that picks between several questions; None: each question has its own seat."""
        return self.picks[0].seat if len({offer.seat for offer in self.picks}) == 1 else None

    @property
    def hands(self) -> tuple[Seat, ...]:
        """The seats whose buttons are to be held."""
        return tuple(sorted({*self.release, *(seat for seat, offer in self.press.items() if offer.verb == HANDS)}))

    @property
    def racing(self) -> bool:
        """Whether every press counts, even while the display sleeps."""
        return self.kind is Kind.RACE or bool(self.release)

    def meant(self, seat: Seat) -> Offer | None:
        """The offer that a press of this seat's button has to do with."""
        if own := self.press.get(seat) or self.count.get(seat) or next((o for o in self.picks if o.seat == seat), None):
            return own
        by_table = seat in self.named or (self.kind is Kind.NUMBER and self.control is not None and self.tapped)
        return self.control if seat == self.chooser or by_table else None

    @property
    def turns_to_more(self) -> bool:
        """Whether a turn opens the side entries: nothing is chosen or counted by it."""
        return bool(self.menu) and self.kind in (Kind.TAP, Kind.CONFIRM) and not self.release

    @property
    def numbers(self) -> Mapping[Seat, Offer]:
        """The offers of numbers, by seat; partners share one, which stands at the first of them."""
        return {seat: offer for seat, offer in self.count.items() if holder(offer) == seat}

    def holder(self, seat: Seat) -> Seat:
        """The seat that a seat's number stands at: of partners the first."""
        return holder(self.count[seat])


def of(offers: tuple[Offer, ...], picked: tuple[Seat | None, str] | None = None) -> OpenOffers:
    """Sort the open offers. `picked`: seat and verb of the one that is answered, where only one of several is."""
    by = defaultdict[str, list[Offer]](list)
    for offer in offers:
        by[_answered_by(offer)].append(offer)
    press, hold, release, count = (_by_seat(by[name]) for name in ("press", "hold", "release", "count"))
    control, picks = by["control"][-1] if by["control"] else None, by["picks"]
    passed, ok = by["ok"][:-1], by["ok"][-1] if by["ok"] else None
    count |= _by_seat(one for one in picks if len(picks) == 1 or (one.seat, one.verb) == picked)
    if any(offer.race and offer.seat is not None for offer in offers):
        kind = Kind.RACE
    elif control is not None:
        kind = Kind.CHOOSE if choices(control) else Kind.NUMBER
    else:
        others = ((count, Kind.COUNT), (picks, Kind.PICK), (press, Kind.TAP), (ok, Kind.CONFIRM), (offers, Kind.WAIT))
        kind = next((kind for asked, kind in others if asked), Kind.OVER)
    return OpenOffers(kind, press, hold, release, count, control, ok, tuple(by["menu"]), tuple(passed), tuple(picks))


def _by_seat(offers: Iterable[Offer]) -> dict[Seat, Offer]:
    return {offer.seat: offer for offer in offers if offer.seat is not None}


def _answered_by(offer: Offer) -> str:
    """How people answer an offer; empty: it is for the kit, or for programs."""
    if offer.due_ns is not None or offer.verb == BENCH or offer.example is not None:
        return ""
    if offer.menu:
        return "menu"
    if offer.options or (offer.low is not None and offer.seat is None):
        return "control"
    if offer.seat is None:
        return "ok"
    if offer.alone:
        return "picks"
    if offer.low is not None:
        return "count"
    return "hold" if offer.hold else "release" if offer.verb == RELEASE else "press"


class Entry(Record):
    """An unfinished entry: shown at once, never journaled, lost at a power cut."""

    values: Mapping[Seat | None, int] = field(default_factory=dict)  # by seat; None: the control's number or option
    latest: Seat | None = None  # the seat that tapped last; the knob changes its number
    missing: tuple[Seat, ...] = ()  # seats without a number at the first OK; the second enters 0 for them
    note: LazyText | None = None  # one line: the error
    picked: tuple[Seat | None, str] | None = None  # seat and verb of the offer that is answered, where only one is


EMPTY = Entry()


def none_counted(q: OpenOffers, entry: Entry) -> bool:
    """Whether OK may still say that there is nothing to count: only zeros stand, and nobody has called for a number."""
    return q.kind is Kind.COUNT and q.ok is not None and entry.latest is None and not any(entry.values.values())


def shown(question: OpenOffers, entry: Entry, seat: Seat) -> int | None:
    """The number shown for a seat: the one entered, else that of a plain OK."""
    seat = question.holder(seat)
    return entry.values.get(seat, question.count[seat].prefill)


def without_button(question: OpenOffers, dead: Sequence[Seat]) -> frozenset[Seat]:
    """Of these seats with a dead button those whose number no partner can enter either."""
    return frozenset(
        seat
        for seat in dead
        if seat not in question.count or all(one in dead for one in question.count[seat].group or (seat,))
    )


def answered_for(question: OpenOffers, entry: Entry, dead: Sequence[Seat]) -> Seat | None:
    """The seat that the control answers for next, of those whose button does not work."""
    alone = without_button(question, dead)
    if entry.latest in alone and entry.latest in question.count:
        return entry.latest
    waiting = (*question.numbers, *(seat for seat, offer in question.press.items() if not offer.race))
    return next((seat for seat in waiting if seat in alone and seat not in entry.values), None)


def chosen(question: OpenOffers, entry: Entry) -> Value:
    """The option or number at the control."""
    offer = question.control
    assert offer is not None
    if options := choices(offer):
        value: Value = options[place(offer, entry) % len(options)]
        return value
    assert offer.low is not None
    return entry.values.get(None, offer.low if offer.prefill is None else offer.prefill)


def place(offer: Offer, entry: Entry) -> int:
    """Which of its choices the control stands at."""
    first = 0 if offer.options or offer.prefill is None else choices(offer).index(offer.prefill)
    return entry.values.get(None, first)


# --- numbers ----------------------------------------------------------------------------------------------------------

FEW, MANY = 20, 100  # steps of a number: a press counts one; with more than FEW it counts FIVE, more than MANY TEN
FIVE, TEN = 5, 10


def choices(offer: Offer) -> tuple[Any, ...]:
    """What is chosen from by stepping; nothing where a number is counted."""
    if offer.options or not offer.says:
        return offer.options
    assert offer.low is not None and offer.high is not None
    return tuple([number for number in range(offer.low, offer.high + 1) if number not in offer.out])


def holder(offer: Offer) -> Seat:
    """The seat that the number of an offer stands at."""
    assert offer.seat is not None
    return offer.group[0] if offer.group else offer.seat


def home(offer: Offer) -> int:
    """The number of a hold: 0, or the limit nearest to it."""
    assert offer.low is not None and offer.high is not None
    return min(max(offer.low, 0), offer.high)


def pressed(offer: Offer) -> int:
    """How many steps a press counts. A number is a small one where its offer says so, or if it is 0 unless changed."""
    assert offer.low is not None and offer.high is not None
    steps = (offer.high - offer.low) // offer.step
    if offer.says or offer.small or steps <= FEW or offer.prefill == offer.low == 0:
        return 1
    return FIVE if steps <= MANY else TEN


def long(offer: Offer) -> bool:
    """Whether a press counts several steps."""
    return pressed(offer) > 1


def moved(offer: Offer, old: int | None, steps: int) -> int:
    """A number so many steps on; it may be beyond its limits. Words go round, nothing entered yet counts as 0."""
    if words := choices(offer):
        return int(words[(words.index(home(offer) if old is None else old) + steps) % len(words)])
    if old is None:
        return steps * offer.step
    whole, beside = divmod(old - home(offer), offer.step)  # beside the steps it goes to the next one first
    return home(offer) + (whole + steps + (1 if beside and steps < 0 else 0)) * offer.step


def within(offer: Offer, number: int) -> int:
    """The number, or the limit that it is beyond."""
    assert offer.low is not None and offer.high is not None
    return min(max(offer.low, number), offer.high)


def waits_for_signal(board: Board) -> bool:
    """Whether everybody is ready, and the signal is still to come: presses are too early then, and nobody is asked."""
    return board.shows == "ready" and "missing" not in board.highlight
