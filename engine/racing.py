"""A race under way, and the table's ruling on who was last: the questions of every game that has a race."""

from functools import cache
from typing import ClassVar, Literal, TypeAlias

from msgspec.structs import replace

from engine import race
from engine.face import Either, Said, Who
from engine.game import Answer, Event, Question, S, answers, of_kind
from engine.race import Race
from engine.rules import BENCH, GO, TAKE_BACK, Offer, Press, RaceBoard, Seat, Shows, Value
from engine.stamps import Due, Stamp
from engine.words import N_

Phase: TypeAlias = Literal["running", "answers", "tied", "over"]
SEVERAL, ALL, NOBODY, NO = N_("several"), N_("all"), N_("nobody"), N_("no")


class Running(Question[S]):
    """The seats that are still out may press. A game defines the offers, which presses count and the race's end."""

    race: Race

    @property
    def fresh(self) -> bool:
        """Whether the race has not begun: it is open without a signal, and nobody has pressed."""
        return False

    @answers(BENCH, N_("No button"))
    def bench(self, state: S, answer: Answer) -> tuple[Event[S], ...]:
        return (Benched(answer.number),)

    @answers(TAKE_BACK, N_("Take it back"))
    def take_back(self, state: S, answer: Answer) -> tuple[Event[S], ...]:
        return (TakenBack(answer.seat),)

    def jumped(self, press: Press, due_ns: int | None) -> Question[S]:
        """The question once a press was too early. `due_ns`: when the signal comes now, where all wait once more."""
        return replace(self, race=race.jump(self.race, press))

    def without(self, seat: Seat) -> Question[S]:
        """The question once this seat's press is taken back."""
        return replace(self, race=race.take_back(self.race, seat))

    def shows(self, state: S) -> Shows:
        return "seats" if self.race.presses else "go"

    def marks(self, state: S) -> dict[str, tuple[Seat, ...]]:
        return {"missing": race.missing(self.race)} if self.race.presses else {}


class AwaitGo(Running[S]):
    """The go-signal comes when the clock reaches the race's `go_ns`; who presses before it has jumped."""

    verb: ClassVar[str]  # of a press

    def shows(self, state: S) -> Shows:
        return "ready"

    def marks(self, state: S) -> dict[str, tuple[Seat, ...]]:
        return {}

    def offers(self, state: S) -> tuple[Offer, ...]:
        return (
            *early_offers(self.race.seats, self.verb),
            Offer(None, GO, due_ns=self.race.go_ns, race=True, joins=True),
        )

    def race_board(self, state: S) -> RaceBoard:
        return RaceBoard("armed", None, jumped=self.early)

    @property
    def early(self) -> tuple[Seat, ...]:
        """Who has jumped."""
        return tuple([press.seat for press in self.race.jumps])


@cache
def early_offers(seats: tuple[Seat, ...], verb: str) -> tuple[Offer, ...]:
    """A press of each of these seats before the signal."""
    return tuple([Offer(seat, verb, race=True, joins=True) for seat in seats])


class OfPress(Event[S], omit_defaults=True):
    """What becomes of a press."""

    seat: Seat
    at_ns: Stamp
    error_ns: int
    early_ns: int = 0

    @property
    def press(self) -> Press:
        return Press(self.seat, self.at_ns, self.error_ns, self.early_ns)


class Jumped(OfPress[S]):
    """A press too early: it costs what the question says or, with a new time for the signal, all wait again."""

    label = N_("too early")
    due_ns: Due | None = None

    def fold(self, state: S) -> S:
        return state.asking(of_kind(Running, state.ask).jumped(self.press, self.due_ns))


class Pressed(OfPress[S]):
    """A press that counts."""

    label = N_("pressed")

    def fold(self, state: S) -> S:
        ask = of_kind(Running, state.ask)
        return state.asking(replace(ask, race=race.add(ask.race, self.press)))


class TakenBack(Event[S]):
    """A press did not count; its seat runs again."""

    label = N_("press taken back")
    seat: Seat

    def fold(self, state: S) -> S:
        return state.asking(of_kind(Running, state.ask).without(self.seat))


class Benched(Event[S]):
    """The button of a seat that has not pressed does not work."""

    label = N_("button out")
    seat: Seat

    def fold(self, state: S) -> S:
        ask = of_kind(Running, state.ask)
        return state.asking(replace(ask, race=race.bench(ask.race, self.seat)))


def unbenched(state: S) -> S:
    """The state with nobody benched in a race that has not begun."""
    ask = state.ask
    if not isinstance(ask, Running) or not ask.fresh or not ask.race.benched:
        return state
    return state.asking(replace(ask, race=replace(ask.race, benched=())))


class WhoLast(Question[S]):
    """The table names who was last among those in doubt: by one answer or, where it says so, seat by seat."""

    judged: tuple[bool, ...] | None = None  # seat by seat: whether each one asked about so far was last

    phase: ClassVar[str] = "dispute"

    def among(self, state: S) -> tuple[Seat, ...]:
        """The seats in doubt."""
        raise NotImplementedError

    def name_last(self, state: S, seats: tuple[Seat, ...]) -> tuple[Event[S], ...]:
        """The events once the table has named these seats: one, several or none."""
        raise NotImplementedError

    def offers(self, state: S) -> tuple[Offer, ...]:
        return ruling_offers(self.among(state), self.judged)

    def label(self, state: S, offer: Offer, value: Value) -> str:
        if self.judged is not None and value in (None, NO):
            return N_("Last, too?") if value is None else N_("not last")
        return super().label(state, offer, value)

    @answers("last", N_("Who was last?"))
    def rule(self, state: S, answer: Answer) -> tuple[Event[S], ...]:
        among, value = self.among(state), answer.value
        if self.judged is None:
            if value == SEVERAL:
                return (SeveralLast(),)
            return self.name_last(state, (value,) if isinstance(value, int) else among if value == ALL else ())
        last = value != NO
        if len(self.judged) + 1 < len(among):
            return (SeatJudged(among[len(self.judged)], last),)
        judged = (*self.judged, last)
        return self.name_last(state, tuple([s for s, was_last in zip(among, judged, strict=True) if was_last]))

    def marks(self, state: S) -> dict[str, tuple[Seat, ...]]:
        return {"tie": self.among(state)}


@cache
def ruling_offers(among: tuple[Seat, ...], judged: tuple[bool, ...] | None) -> tuple[Offer, ...]:
    """One of the seats, all, several of three or more, nobody; seat by seat: this one, or not."""
    if judged is not None:
        return (Offer(None, "last", options=(among[len(judged)], NO), joins=True),)
    others = (*((ALL,) if len(among) > 1 else ()), *((SEVERAL,) if len(among) > 2 else ()), NOBODY)
    return (Offer(None, "last", options=(*among, *others)),)


class SeveralLast(Event[S]):
    """Several of those in doubt were last: from now on the table is asked seat by seat."""

    label = N_("several last")

    def fold(self, state: S) -> S:
        return state.asking(replace(of_kind(WhoLast, state.ask), judged=()))


class SeatJudged(Event[S]):
    """Whether this seat was one of the last, where the table is asked seat by seat."""

    label = N_("last or not")
    seat: Seat
    last: bool

    def fold(self, state: S) -> S:
        ask = of_kind(WhoLast, state.ask)
        return state.asking(replace(ask, judged=(*(ask.judged or ()), self.last)))


def shown(
    run: Race,
    phase: Phase,
    since_ns: int,
    widen_ns: int,
    *,
    answers: bool = False,
    only_first: bool = False,
    first: tuple[Seat, ...] = (),
    last: tuple[Seat, ...] = (),
    ruled: tuple[Literal["first", "last"], ...] = (),
) -> RaceBoard:
    """The public view of a race. Gaps are after `since_ns`; where presses are `answers`, after the first of them."""
    presses = race.order(run)
    zero_ns = presses[0].at_ns if answers and presses else since_ns
    front, late = run, tuple[Press, ...]()
    in_front, at_end = tuple[Seat, ...](), tuple[Seat, ...]()
    if presses and phase in ("tied", "over"):
        if len(first) == 1 and "first" not in ruled:
            late = race.overtaken(run, first[0], widen_ns)
            front = replace(run, presses=tuple([press for press in presses if press not in late]))
        in_front = race.first(front, widen_ns)
        at_end = () if only_first or len(run.seats) == 1 else race.last(run, widen_ns)
    return RaceBoard(
        phase,
        since_ns,
        gaps=tuple([(press.seat, press.at_ns - zero_ns) for press in presses]),
        jumped=tuple([press.seat for press in run.jumps]),
        presses=presses,
        benched=run.benched,
        seats=run.seats,
        only_first=only_first,
        first=first,
        last=last,
        ruled=ruled,
        band_ns=widen_ns,
        in_front=in_front,
        at_end=at_end,
        overtaken=late,
    )


def doubt(run: Race, seats: tuple[Seat, ...]) -> Said:
    """Why the table has to rule among these seats, in a few words."""
    benched = Who([seat for seat in seats if seat in run.benched])
    if benched:
        return N_("{names} no button", names=benched), N_("{n} no button", n=len(benched))
    if seats and seats[0] in race.missing(run):
        return N_("{names} missing", names=Either(seats)), N_("{n} missing", n=len(seats))
    return N_("{names} tie", names=Either(seats)), N_("{n} tie", n=len(seats))


EVENTS = (Pressed, TakenBack, Benched, SeveralLast, SeatJudged)
