"""The races of a sheet: its questions, and the places that the referee gives."""

from typing import ClassVar, Literal, TypeAlias

from msgspec.structs import replace

from engine import race, racing
from engine.face import Face, Said, Time, Who
from engine.game import Answer, Event, Question, answers, known, of_kind
from engine.race import Race
from engine.racing import ALL, NOBODY, Jumped, Pressed
from engine.rules import CLOSE, FINISH, GO, SETTLE, Offer, Press, RaceBoard, RaceTimes, Reaction, Seat, Shows, Value
from engine.sheets import asking
from engine.sheets.asking import Complete, Events, SheetEvent, SheetQuestion, ways_out
from engine.sheets.program import VALUES
from engine.sheets.sheet import RaceOf
from engine.sheets.state import Judged, SheetState, zeros
from engine.stamps import Due, S, Stamp
from engine.words import N_

PRESS, START = "press", "start"
DELAY_S = (2.0, 6.0)  # usual, from OK to the signal

WHEN = {  # without a signal
    "first": N_("press when it is time"),
    "last": N_("press, but not last"),
    "order": N_("press when you have it"),
}
Kind: TypeAlias = Literal["first", "last", "order", "signal"]


def race_of(state: SheetState) -> RaceOf:
    """The race as the sheet says it."""
    return known(state.game.sheet.race)


def opened(state: SheetState) -> SheetState:
    """The state with a race that is open, or that waits for its start."""
    state = state.in_round(asked=(), placed=zeros(state.players), run=None, front=None)
    if race_of(state).kind == "signal":
        return state.asking(Ready())
    return state.asking(OpenRace(Race(state.round.racers, None)))


def after_answer(state: SheetState) -> SheetState | None:
    """What follows an answer in a race: the next of several firsts, or a race without the one locked out; else None."""
    now, sheet = state.round, state.game.sheet
    if not sheet.ask or not now.asked:
        return None
    waiting = tuple([seat for seat in now.winners[1:] if seat not in state.out])
    if race_of(state).lock_out:
        yes = next(ask for ask in state.game.program.asks if ask.kind == "yes")
        if not state.done.values[now.asked[0]][yes.place - VALUES]:
            state = state.in_round(racers=race.others(now.racers, now.asked[:1]))
        else:
            state = state.in_round(racers=())
    else:
        state = state.in_round(racers=())
    if waiting:
        return asking.opened(state.in_round(winners=waiting, asked=waiting[:1]), 0)
    racers = tuple([seat for seat in state.round.racers if seat not in state.out])
    return opened(state.in_round(racers=racers)) if racers else None


# --- a go-signal ------------------------------------------------------------------------------------------------------


class Ready(SheetQuestion):
    """A race with a signal begins once the table says so."""

    phase = "ready"
    subject: ClassVar[Shows] = "ready"

    def offers(self, state: SheetState) -> tuple[Offer, ...]:
        return (Offer(None, START), *ways_out(state))

    @answers(START, N_("Start"))
    def start(self, state: SheetState, answer: Answer) -> Events:
        return (Armed(due_ns(state, answer)),)

    def marks(self, state: SheetState) -> dict[str, tuple[Seat, ...]]:
        return {"missing": ()}

    def face(self, state: SheetState) -> Face:
        return Face(big=N_("READY?"), lines=winners_said(state), ok=N_("OK: start"))


def due_ns(state: SheetState, answer: Answer) -> int:
    """When the signal comes: after a delay by chance."""
    shortest, longest = race_of(state).delay or DELAY_S
    return answer.at_ns + answer.dice().randint(round(shortest * S), round(longest * S))


class Armed(SheetEvent):
    label = N_("started")
    due_ns: Due

    def fold(self, state: SheetState) -> SheetState:
        return state.asking(Waiting(Race(state.round.racers, self.due_ns)))


class SheetRace(racing.Running[SheetState]):
    """A race of a sheet, before and after its signal."""

    def jumped(self, press: Press, due_ns: int | None) -> Question[SheetState]:
        run = race.jump(self.race, press)
        if due_ns is not None:
            return Waiting(replace(run, presses=(), go_ns=due_ns))
        return replace(self, race=replace(run, seats=race.others(run.seats, (press.seat,))))


class Waiting(racing.AwaitGo[SheetState], SheetRace):
    """The signal comes when the clock reaches the race's `go_ns`; who presses before it has jumped."""

    verb = PRESS
    phase = "armed"

    @answers(GO, N_("Go"))
    def go(self, state: SheetState, answer: Answer) -> Events:
        return (Signalled(answer.at_ns, answer.action.signal),)

    @answers(PRESS, N_("Press!"))
    def jump(self, state: SheetState, answer: Answer) -> Events:
        return jump(state, self.race, answer)

    def face(self, state: SheetState) -> Face:
        lines: tuple[Said, ...] = (N_("too early: {names}", names=Who(self.early)),) if self.early else ()
        return Face(big=N_("READY..."), lines=lines, press=N_("wait for the signal"))


class Signalled(SheetEvent, omit_defaults=True):
    label = N_("go")
    at_ns: Stamp
    signal: str = ""

    def fold(self, state: SheetState) -> SheetState:
        run = of_kind(Waiting, state.ask).race
        return state.asking(OpenRace(replace(run, go_ns=self.at_ns, signal=self.signal)))


def jump(state: SheetState, run: Race, answer: Answer) -> Events:
    """The events of a press that was too early, and of the end of the race if it ends it."""
    press = answer.press
    if race_of(state).jump == "again":
        return (Jumped(*press, due_ns=due_ns(state, answer)),)
    left = race.others(run.seats, (press.seat,))
    event: Event[SheetState] = Jumped(*press)
    if len(left) > 1 or not (set(left) - set(race.pressed(run))):
        return (event,) if left else (event, Placed(zeros(state.players)))
    return (event, Placed(places(state, replace(run, seats=left), left, ())))


# --- the race itself --------------------------------------------------------------------------------------------------


class OpenRace(SheetRace):
    """The race is open."""

    phase = "race"

    @property
    def fresh(self) -> bool:
        return not self.race.presses and self.race.go_ns is None

    def due_ns(self, kind: Kind) -> int | None:
        alone = len(self.race.seats) == 1
        return race.first_due_ns(self.race) if kind == "first" or alone else race.last_due_ns(self.race)

    def offers(self, state: SheetState) -> tuple[Offer, ...]:
        fresh, due = self.fresh, self.due_ns(race_of(state).kind)
        out = race.offers(self.race, PRESS, SETTLE, due, joins=not fresh, fresh=fresh)
        if due is None:
            out = (*out, Offer(None, CLOSE, joins=not fresh))
        return (*out, *ways_out(state)) if fresh else out

    def answered(self, state: SheetState, answer: Answer) -> Events:
        if answer.action.verb == FINISH:
            return (asking.Finished(),)
        return super().answered(state, answer)

    def label(self, state: SheetState, offer: Offer, value: Value) -> str:
        return N_("Finish") if offer.verb == FINISH else super().label(state, offer, value)

    @answers(PRESS, N_("Press!"))
    def press(self, state: SheetState, answer: Answer) -> Events:
        if self.race.go_ns is not None:
            match race.judge(self.race, answer.press):
                case "dead":
                    return ()
                case "jumped":
                    return jump(state, self.race, answer)
        return (Pressed(*answer.press),)

    @answers(SETTLE, N_("Settle"))
    def settle(self, state: SheetState, answer: Answer) -> Events:
        return verdict(state, self.race, closed=False)

    @answers(CLOSE, N_("Nobody else?"))
    def close(self, state: SheetState, answer: Answer) -> Events:
        return verdict(state, self.race, closed=True)

    def race_board(self, state: SheetState) -> RaceBoard:
        return shown(state, self.race, "answers" if self.race.presses else "running")

    def face(self, state: SheetState) -> Face:
        presses, go_ns = race.order(self.race), self.race.go_ns
        out = Who(race.missing(self.race))
        if not presses:
            ok = N_("OK: nobody")
            if go_ns is None:  # whoever plays knows when to press: nothing here may look like a signal
                return Face(big=WHEN[race_of(state).kind], lines=winners_said(state), press=N_("press yours"), ok=ok)
            return Face(big=N_("PRESS!"), since_ns=go_ns, press=N_("press first"), ok=ok)
        right: Said = "" if go_ns is None else Time(presses[0].at_ns - go_ns)
        press = (N_("{names}: press!", names=out), N_("{n} more: press!", n=len(out))) if out else ""
        big, close = Who(tuple(press.seat for press in presses)), (N_("OK: no more"), N_("OK: stop"), N_("OK:stop"))
        return Face(right=right, big=big, press=press, ok=close)


def verdict(state: SheetState, run: Race, *, closed: bool) -> Events:
    """The places, as far as the referee knows them; else the table rules. `closed`: who is missing has none."""
    over = RaceClosed(closed)
    front: tuple[Seat, ...] = ()
    if race_of(state).kind != "last":
        front = race.first(run)
        if len(front) > 1:
            return (over,)
    return (over, *front_named(state, run, front, closed=closed))


def front_named(state: SheetState, run: Race, front: tuple[Seat, ...], *, closed: bool) -> Events:
    """The first of a race, and all that is known then."""
    named = FrontNamed(front, closed)
    last: tuple[Seat, ...] = ()
    if race_of(state).kind != "first" and not closed and len(run.seats) > 1:
        last = race.last(run, but=front)
        if len(last) > 1:
            return (named,)
    return (named, Placed(places(state, run, front, last)))


def places(state: SheetState, run: Race, front: tuple[Seat, ...], last: tuple[Seat, ...]) -> tuple[int, ...]:
    """By seat its place, 0 without one: those too close to call between the first and the last share one.

    Where nobody is named as the first, nobody has the first place.
    """
    kind, placed = race_of(state).kind, [0] * state.players
    for seat in front:
        placed[seat] = 1
    before = len(front) or int(kind != "last" and len(race.first(run)) > 1)
    if kind != "first":
        group, latest = list[Seat](), None
        for press in race.order(run):
            if press.seat in front or press.seat in last:
                continue
            if latest is not None and not race.close(latest, press):
                before, group = before + len(group), []
            group.append(press.seat)
            placed[press.seat] = before + 1
            latest = press
        before += len(group)
        for seat in last:
            placed[seat] = before + 1
    return tuple(placed)


class RaceClosed(SheetEvent):
    label = N_("race over")
    closed: bool  # by the table

    def fold(self, state: SheetState) -> SheetState:
        run = of_kind(OpenRace, state.ask).race
        return state.in_round(run=run).asking(WhoFirst(race.first(run), self.closed))


class WhoFirst(SheetQuestion):
    """Too close for the first place: the table names one, all, or nobody."""

    tied: tuple[Seat, ...]
    closed: bool

    phase = "dispute"

    def offers(self, state: SheetState) -> tuple[Offer, ...]:
        return (Offer(None, "first", options=(*self.tied, ALL, NOBODY)),)

    @answers("first", N_("Who was first?"))
    def name(self, state: SheetState, answer: Answer) -> Events:
        run = known(state.round.run)
        if answer.value == NOBODY and race_of(state).kind == "first":
            return (Placed(zeros(state.players)),)
        front = self.tied if answer.value == ALL else () if answer.value == NOBODY else (answer.number,)
        return front_named(state, run, front, closed=self.closed)

    def race_board(self, state: SheetState) -> RaceBoard:
        return shown(state, known(state.round.run), "tied")

    def marks(self, state: SheetState) -> dict[str, tuple[Seat, ...]]:
        return {"tie": self.tied}

    def face(self, state: SheetState) -> Face:
        return Face(right=racing.doubt(known(state.round.run), self.tied))


class FrontNamed(SheetEvent):
    label = N_("first one named")
    seats: tuple[Seat, ...]
    closed: bool

    def fold(self, state: SheetState) -> SheetState:
        return state.in_round(front=self.seats).asking(SheetWhoLast())


class SheetWhoLast(racing.WhoLast[SheetState]):
    """Too close for the last place."""

    def among(self, state: SheetState) -> tuple[Seat, ...]:
        return race.last(known(state.round.run), but=known(state.round.front))

    def name_last(self, state: SheetState, seats: tuple[Seat, ...]) -> Events:
        return (Placed(places(state, known(state.round.run), known(state.round.front), seats)),)

    def race_board(self, state: SheetState) -> RaceBoard:
        return shown(state, known(state.round.run), "tied")

    def face(self, state: SheetState) -> Face:
        return Face(right=racing.doubt(known(state.round.run), self.among(state)))


class Placed(SheetEvent):
    """The places of a race; the first answers its asks."""

    label = N_("race judged")
    places: tuple[int, ...]

    def fold(self, state: SheetState) -> SheetState:
        run = state.round.run
        if run is None and isinstance(state.ask, SheetRace):
            run = state.ask.race
        winners = tuple([seat for seat, place in enumerate(self.places) if place == 1])
        asked = winners[:1] if state.game.sheet.ask else racers_in(state)
        now = state.in_round(placed=self.places, winners=winners, asked=asked, run=run, idle=False)
        if run is not None and run.presses:
            now = now.in_round(judged=Judged(run, self.places, state.round.number))
        return now.asking(Complete(-1))


def racers_in(state: SheetState) -> tuple[Seat, ...]:
    """All that are folded after a race without asks."""
    return tuple([seat for seat in state.seats if seat not in state.out])


def reactions(state: SheetState) -> RaceTimes:
    """The times after the signal in the race judged last, of those who have a place by their press."""
    if (judged := state.round.judged) is None:
        return RaceTimes(0, ())
    return RaceTimes(judged.round, () if ruled(judged.run) else times(judged))


def ruled(run: Race) -> bool:
    """Whether the table has named the first or the last: the referee could not tell."""
    return len(race.first(run)) != 1 or (len(race.missing(run)) < 2 and len(race.last(run)) != 1)


def times(judged: Judged) -> tuple[Reaction, ...]:
    """The times of a race with a signal."""
    run = judged.run
    return tuple(
        [
            Reaction(press.seat, "signal", False, press.at_ns - known(run.go_ns), race.doubt_ns(press), run.signal)
            for press in race.order(run)
            if judged.placed[press.seat]
        ]
    )


def shown(state: SheetState, run: Race, phase: racing.Phase, judged: Judged | None = None) -> RaceBoard:
    """The public view of a race."""
    only_first, presses = race_of(state).kind == "first", race.order(run)
    if run.go_ns is None and not presses:
        return RaceBoard("running", None, seats=run.seats, benched=run.benched, only_first=only_first)
    since_ns = presses[0].at_ns if run.go_ns is None else run.go_ns
    if judged is None:
        return racing.shown(run, phase, since_ns, 0, only_first=only_first)
    last = () if only_first else judged.last
    return racing.shown(run, phase, since_ns, 0, only_first=only_first, first=judged.first, last=last)


def on_board(state: SheetState) -> tuple[RaceBoard | None, dict[str, tuple[Seat, ...]]]:
    """The race on the board, and the seats that it highlights: the one judged last until the next has begun."""
    run, marks, judged = state.ask.race_board(state), state.ask.marks(state), state.round.judged
    if judged is None or (run is not None and (run.phase != "running" or run.since_ns is not None)):
        return run, marks
    last = {} if race_of(state).kind == "first" or not judged.last else {"last": judged.last}
    first = {"first": judged.first} if judged.first else {}
    return shown(state, judged.run, "over", judged)._replace(round=judged.round), {**first, **last, **marks}


def winners_said(state: SheetState) -> tuple[Said, ...]:
    """Who was first or last in the race before, in words."""
    judged, kind = state.round.judged, race_of(state).kind
    if judged is None:
        return ()
    if kind == "last":
        return (N_("{names} last", names=Who(judged.last)),) if judged.last else ()
    return (N_("{names} first", names=Who(judged.first)),) if judged.first else ()
