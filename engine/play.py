"""A game being played: steps, undo and redo, fixed points, an early end. The same for every game; no game knows of it.

Each event is a `Fact`; the journal stores facts and nothing else. Folding the facts of a game gives its `Play` again,
on any machine.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import partial, reduce
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeAlias

from engine.game import BY_HAND, Amended, Corrected, Numbers, Record, Rules, known
from engine.game import Event as GameEvent
from engine.racing import Benched, Pressed, unbenched
from engine.rules import (
    CLOSE,
    RECALL,
    SETTLE,
    TAKE_BACK,
    TIME_UP,
    Action,
    Board,
    Chance,
    Offer,
    Press,
    Refused,
    Seat,
    check,
    put,
)
from engine.stamps import DUE, LIMITS, STAMPS, Stamp, StampKind, moved
from engine.words import N_

MAX_POINTS = 1000  # a correction beyond it is a slip


class Started(Record):
    """The first event of every game."""

    players: tuple[str, ...]  # by seat; the names on the buttons
    options: Any  # the game's own options
    seed: int


class Ended(Record):
    """Ended by hand: scores as they stand, unfinished."""

    label: ClassVar[str] = N_("ended by hand")


class Undone(Record, omit_defaults=True):
    """The step with the fact's number, taken back together with later steps that changed nothing."""

    fixed: int = 0  # how many corrections by hand fell into this step: they stay, except in older journals
    end: bool = False  # it was an end by hand: what was entered before it stays, except in older journals


class Redone(Record):
    """An undone step brought back, with all steps up to the fact's number that were undone with it."""


class Resumed(Record, omit_defaults=True):
    """Picked up by a new run of the program, or from the menu.

    A race or a countdown starts again at its question. Any other question stays, and its time limit has stood still.
    """

    boot: str  # stamps compare within one boot only
    # the old run's clock when the last fact was written; None in older journals, where all steps with a time limit,
    # and points fixed meanwhile, were taken back
    since_ns: Stamp | None = None
    # True: nobody listened in between, all clocks stood still, and nobody is benched in a race that has not begun.
    # False, in older journals: within the same boot a race ran on, and so did a sheet's clock
    missed: bool = False


class Reseated(Record):
    """The seats play with other buttons from now on; players keep their names. No step: undo leaves it alone."""

    buttons: tuple[str, ...]  # by seat


class PressedLate(Record, omit_defaults=True):
    """A press of a race, delivered after the verdict: stored as evidence; it changes nothing. No step."""

    seat: Seat
    at_ns: Stamp
    error_ns: int
    early_ns: int = 0


GENERIC: tuple[type, ...] = (Started, Ended, Undone, Redone, Resumed, Reseated, PressedLate, Corrected, Amended)
Event: TypeAlias = Any  # one of GENERIC or of the game's own events; looked up by name


class Fact(NamedTuple):
    """One event in its place: an entry of the journal."""

    step: int  # the step it belongs to, counted from 0; after an undo the number is used again; -1: none
    at_ns: Stamp  # CLOCK_MONOTONIC of the boot it happened in
    event: Event


class Shift(NamedTuple):
    """The start of a new run. Undo across it moves stamps onto the new clock, or time limits by the pause."""

    step: int  # marks before it are of an earlier run
    later_ns: int
    kind: StampKind  # which stamps move: in another boot all; in the same one only those of clocks that stood still


class UndoMark(NamedTuple):
    """Where undo goes back to, or redo forward to; a chain."""

    state: Any
    ended: bool
    part: int
    late: tuple[Press, ...]
    event: Event  # the one that began the step
    rest: "UndoMark | None"


@dataclass(frozen=True, slots=True)
class Play:
    """A game as it stands. Frozen; every change is a new one."""

    rules: Rules[Any, Any]
    players: tuple[str, ...]
    options: Any
    seed: int
    state: Any
    step: int = 0  # steps done or under way
    part: int = 0  # facts of the step under way, so that its second throw does not fall like its first
    ended: bool = False  # by hand
    buttons: tuple[str, ...] = ()  # by seat; empty: those with the players' names
    late: tuple[Press, ...] = ()  # presses delivered after the verdict of their race
    boot: str = ""
    heard_ns: int = field(default=0, compare=False)  # the latest stamp of a fact in this boot
    resumed: int = field(default=0, compare=False)  # states before this step are of an earlier run
    listens_ns: int = field(default=0, compare=False)  # since when this run listens; before, nobody may have
    shifts: tuple[Shift, ...] = field(default=(), compare=False)  # of the stamps of marks, by step
    unknown: int = field(default=0, compare=False)  # marks before it have another clock: an older journal has no shift
    unbenched: int = field(default=0, compare=False)  # in marks before it a race that has not begun benches nobody
    lapsed_ns: int = field(default=0, compare=False)  # offers due up to the latest undo are not made again
    past: UndoMark | None = field(default=None, repr=False)
    future: UndoMark | None = field(default=None, repr=False)
    # asked for many times while a play stands: made once
    _offers: tuple[Offer, ...] | None = field(default=None, init=False, repr=False, compare=False)
    _board: Board | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The offers that are open now."""
        if self._offers is None:
            offers = () if self.ended else self.rules.offers(self.state)
            if self.lapsed_ns:
                offers = tuple(o for o in offers if o.due_ns is None or o.joins or o.due_ns > self.lapsed_ns)
            object.__setattr__(self, "_offers", offers)
            return offers
        return self._offers

    @property
    def board(self) -> Board:
        """The public view of the game: for the strip, the panel and other programs."""
        if self._board is None:
            board = self.rules.board(self.state)
            object.__setattr__(self, "_board", board)
            return board
        return self._board

    @property
    def over(self) -> bool:
        """Whether nothing more is asked."""
        return not self.offers

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals by seat."""
        return self.rules.scores(self.state)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won; none before the end, and none where it was ended by hand."""
        return self.rules.winners(self.state) if self.over and not self.ended else ()

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat: 1 for the winners, then by scores or what else the game compares.

        Seats with equal values share a place. Those who play together count as one.
        """
        won, ranks = self.winners, self.rules.ranks
        worth = [(score,) for score in self.scores] if ranks is None else ranks(self.state)
        rank = [(seat in won, own) for seat, own in enumerate(worth)]
        sides = self.rules.sides
        counted = rank if sides is None else [rank[side[0]] for side in sides(len(rank))]
        return tuple([1 + sum(other > own for other in counted) for own in rank])

    @property
    def ranking(self) -> tuple[Seat, ...]:
        """The seats by place, the first of them in front; those that are level in their order at the table."""
        places = self.places
        return tuple(sorted(range(len(places)), key=lambda seat: (places[seat], seat)))

    @property
    def due_ns(self) -> int | None:
        """When the clock answers next."""
        due = next_due(self)
        return None if due is None else due.due_ns


_PLACES = {each.name: n for n, each in enumerate(each for each in fields(Play) if each.init)}
_values: Callable[[Play], tuple[Any, ...]] = attrgetter(*_PLACES)
_set = [getattr(Play, name).__set__ for name in _PLACES]
_set_offers, _set_board = (getattr(Play, name).__set__ for name in ("_offers", "_board"))


def replace(play: Play, **changes: Any) -> Play:
    """A copy of a play with some fields changed: as `dataclasses.replace`, in half the time, as each fact needs one."""
    values, new = [*_values(play)], object.__new__(Play)
    for name, value in changes.items():
        values[_PLACES[name]] = value
    for set_, value in zip(_set, values, strict=True):
        set_(new, value)
    _set_offers(new, None)
    _set_board(new, None)
    return new


def start(rules: Rules[Any, Any], players: tuple[str, ...], options: Any, seed: int, at_ns: int = 0) -> Fact:
    """The first fact of a game. Raises `Refused` (`bad_setup`) for a wrong number of players."""
    fewest, most = rules.seats
    if not fewest <= len(players) <= most:
        title, many = rules.title, len(players)
        text = N_("{many} players: {title} is for {fewest} to {most}", many=many, title=title, fewest=fewest, most=most)
        raise Refused("bad_setup", text)
    if len(set(players)) < len(players):
        raise Refused("bad_setup", N_("two players have the same name: {names}", names=", ".join(players)))
    return Fact(0, at_ns, Started(players, options, seed))


def opened(rules: Rules[Any, Any], fact: Fact, boot: str = "") -> Play:
    """The play that a game's first fact opens."""
    event = fact.event
    state = rules.start(len(event.players), event.options)
    if rules.begun is not None:
        state = rules.begun(state, fact.at_ns)
    return Play(rules, event.players, event.options, event.seed, state, boot=boot, heard_ns=fact.at_ns)


def answer(play: Play, action: Action) -> tuple[Fact, ...]:
    """The facts of an action; offers that fell due before it are answered first. Raises `Refused`: nothing changes."""
    facts: list[Fact] = []
    while (due := due_by(play, action.at_ns, action.early_ns)) is not None:
        if (due.seat, due.verb) == (action.seat, action.verb):
            break
        more = _caused(play, due)
        facts += more
        play = reduce(fold, more, play)
    more = _caused(play, action)
    if action.verb != TAKE_BACK:
        return (*facts, *more)
    late, unheard = came_late(play), _was_unheard(play)
    facts += more
    play = reduce(fold, more, play)
    for press in late:  # the race is open again: they count at their own stamps
        for offer in play.offers:
            if offer.race and offer.seat == press.seat:
                again = Action(press.seat, offer.verb, None, press.at_ns, press.error_ns, early_ns=press.early_ns)
                more = _caused(play, again)
                facts += more
                play = reduce(fold, more, play)
                break
    close = next((offer for offer in play.offers if offer.verb == CLOSE), None)
    if unheard and close is not None:  # whether the others have pressed meanwhile nobody knows: the table rules
        facts += _caused(play, Action(close.seat, CLOSE, None, action.at_ns))
    return tuple(facts)


def states(play: Play) -> Iterator[Any]:
    """The state of a game as it stands, and those that undo and redo lead to."""
    yield play.state
    for chain in (play.past, play.future):
        mark = chain
        while mark is not None:
            yield mark.state
            mark = mark.rest


def entered(play: Play, seat: Seat | None, verb: str, word: str, at_ns: int = 0) -> tuple[Fact, ...]:
    """The facts of a whole word where the game asks for letters: those of all its letters, as one step.

    An empty word means none. Raises `Refused`; then nothing changes.
    """
    facts: list[Fact] = []
    for letter in (*word, None):
        spelling = [o for o in play.offers if o.letters and (o.seat, o.verb) == (seat, verb)]
        if letter is None and not spelling:  # one of full length has ended by itself
            break
        for fact in answer(play, Action(seat, verb, letter or spelling[0].options[0], at_ns)):
            facts.append(fact if not facts else fact._replace(step=facts[0].step))
            play = fold(play, facts[-1])
    return tuple(facts)


def came_late(play: Play) -> tuple[Press, ...]:
    """The presses delivered after the verdict of the race that stands, the earliest of each seat, by stamp."""
    run = play.board.race
    if run is None or not run.judged:
        return ()
    since_ns = run.presses[0].at_ns if run.since_ns is None else run.since_ns
    earliest = {press.seat: press for press in run.presses}
    for press in sorted(play.late, key=lambda press: press.at_ns):
        if press.at_ns >= since_ns:
            earliest.setdefault(press.seat, press)
    return tuple([press for press in earliest.values() if press not in run.presses])


def _was_unheard(play: Play) -> bool:
    """Whether presses may be missing in the race that is judged: it is of a run that has ended since."""
    run = play.board.race
    return run is not None and run.judged and run.presses[0].at_ns < play.listens_ns


def next_due(play: Play) -> Offer | None:
    """The offer that the clock answers first."""
    due = [offer for offer in play.offers if offer.due_ns is not None]
    return min(due, key=lambda offer: offer.due_ns or 0) if due else None


def due_by(play: Play, at_ns: int, early_ns: int = 0) -> Action | None:
    """The next answer of the clock, stamped when it falls due; None while that lies after `at_ns`.

    `early_ns`: a press at `at_ns` may have been made by so much sooner. No race is judged within this time.
    """
    due = next_due(play)
    if due is None or due.due_ns is None or due.due_ns > at_ns - (early_ns if due.verb == SETTLE else 0):
        return None
    return Action(due.seat, due.verb, None, due.due_ns)


def _caused(play: Play, action: Action) -> list[Fact]:
    offer = check(play.offers, action)
    joins = offer.joins and play.past is not None and not isinstance(play.past.event, BY_HAND)
    step = play.step - 1 if joins or offer.verb == RECALL else play.step
    chance = Chance(play.seed, step, play.part if joins else 0)
    return [Fact(step, action.at_ns, event) for event in play.rules.decide(play.state, action, chance)]


def undo(play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
    """Take back one step that changed something, also after the end. Raises `Refused` (`nothing_to_undo`)."""
    play = without_trace(play)
    if play.past is None:
        raise Refused("nothing_to_undo", N_("nothing to undo"), "the game stands at its start")
    return (Fact(play.step - 1, at_ns, Undone(len(_taken(play)[1]), isinstance(play.past.event, Ended))),)


def without_trace(play: Play) -> Play:
    """The play without its latest steps that changed nothing, like a press that was taken back: undo skips them."""
    while (before := _before_nothing(play)) is not None:
        play = before
    return play


def _before_nothing(play: Play) -> Play | None:
    """The play before its latest step, if nothing has changed since but points fixed in the middle of that."""
    if play.past is None:
        return None
    before = _back(play, redoable=True)
    if (before.state, before.ended) == (play.state, play.ended):
        return before
    before, fixes = _taken(play, back=before)
    before = replace(_with_fixes(before, fixes), future=play.future) if fixes else before
    return before if fixes and (before.state, before.ended) == (play.state, play.ended) else None


def redo(play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
    """Bring back the step undone last. Raises `Refused` (`nothing_to_redo`)."""
    if play.future is None:
        raise Refused("nothing_to_redo", N_("nothing to redo"), "something new was entered, or nothing was undone")
    whole = not _in_step(play)  # points fixed in mid-race come back by themselves, too
    play = _forth(play)
    while play.future is not None and (_as_it_stands(play, play.future) or (whole and _passed_over(play))):
        play = _forth(play)
    return (Fact(play.step - 1, at_ns, Redone()),)


def fix(play: Play, seat: Seat, points: int, at_ns: int = 0) -> tuple[Fact, ...]:
    """Add points to a seat by hand: a step of its own. Raises `Refused` (`bad_value`)."""
    if type(seat) is not int or not 0 <= seat < len(play.players):
        raise Refused("bad_value", f"correct seat {seat!r}: must be a seat from 0 to {len(play.players) - 1}")
    if type(points) is not int or not 0 < abs(points) <= MAX_POINTS:
        limits = f"must be a whole number from {-MAX_POINTS} to {MAX_POINTS}, not 0"
        raise Refused("bad_value", f"correct points {points!r}: {limits}")
    event = Corrected(seat, points)
    after = fold(play, Fact(play.step, at_ns, event))
    if after.over != play.over and (_lost(play) or _lost(after)):  # nobody follows a race below an end
        play, event = _race_again(play), Corrected(seat, points, again=True)
    return (Fact(play.step, at_ns, event),)


def amend(play: Play, round_: int, numbers: Sequence[tuple[Seat | None, str, int]], at_ns: int = 0) -> tuple[Fact, ...]:
    """Put numbers of an earlier round right, each of a seat (None: the table) and a verb: a step of its own.

    All rounds are reckoned anew. `round_`: a row of the table of rounds, from 1; 0: what was asked at the end. Raises
    `Refused`: nothing changes.
    """
    stored = may_amend(play, round_, numbers)
    known(play.rules.reckoned)(play.state, round_, stored)
    return (Fact(play.step, at_ns, Amended(round_, stored)),)


def amend_soon(play: Play, round_: int, numbers: Sequence[tuple[Seat | None, str, int]]) -> bool:
    """Reckon for `amend` what takes 5 ms at most, so that it takes less time. Returns whether nothing is left.

    Raises `Refused`, as `amend` would.
    """
    stored = may_amend(play, round_, numbers)
    return play.rules.reckoned_on is None or play.rules.reckoned_on(play.state, round_, stored)


def may_amend(play: Play, round_: int, numbers: Sequence[tuple[Seat | None, str, int]]) -> Numbers:
    """These numbers as they are stored. Raises `Refused` for what the round itself forbids, without looking further."""
    if play.rules.amend is None:
        raise Refused("not_offered", N_("no earlier round of this game can be put right"))
    if any(offer.race and offer.joins for offer in play.offers):
        raise Refused("not_offered", N_("not in the middle of a race"))
    return play.rules.amend(play.state, round_, numbers)


def end(play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
    """End the game now, unfinished. Raises `Refused` (`not_offered`) where it is over already."""
    if play.over:
        raise Refused("not_offered", N_("the game is over already"))
    return (Fact(play.step, at_ns, Ended()),)


def reseat(play: Play, buttons: tuple[str, ...], at_ns: int = 0) -> tuple[Fact, ...]:
    """Give the seats other buttons."""
    return (Fact(play.step, at_ns, Reseated(buttons)),)


def late(play: Play, press: Press, at_ns: int = 0) -> tuple[Fact, ...]:
    """Record a press that came after the verdict of its race."""
    return (Fact(play.step, at_ns, PressedLate(*press)),)


def resume(play: Play, boot: str, at_ns: int = 0) -> tuple[Fact, ...]:
    """Pick a game up in a new run of the program. `at_ns` is of its boot."""
    return (Fact(play.step, at_ns, Resumed(boot, play.heard_ns, missed=True)),)


def fold(play: Play, fact: Fact) -> Play:
    """The play after one fact. Never refuses."""
    event = fact.event
    heard_ns = max(play.heard_ns, fact.at_ns)
    match event:
        case Undone(fixed, end):
            while play.step - 1 > fact.step:  # steps without a trace; older journals undo them one by one
                play = _before_nothing(play) or _back(play, redoable=True)
            return _of_this_boot(replace(_undone(play, fixed=fixed, end=end), lapsed_ns=fact.at_ns, heard_ns=heard_ns))
        case Redone():
            while play.step <= fact.step:
                play = _forth(play)
            return _of_this_boot(replace(play, lapsed_ns=fact.at_ns, heard_ns=heard_ns))
        case Resumed(boot, None):  # of an older journal
            while play.past is not None and any(_stale(offer, missed=boot != play.boot) for offer in play.offers):
                play = _back(play, redoable=False)
            if boot != play.boot:  # its clock is another one
                play = replace(play, unknown=play.step, late=())
            return replace(play, boot=boot, lapsed_ns=0, heard_ns=fact.at_ns, future=None)
        case Resumed():
            return _resumed(play, event, fact.at_ns)
        case Reseated(buttons):
            return replace(play, buttons=buttons, heard_ns=heard_ns)
        case PressedLate(seat, at_ns, error_ns, early_ns):
            return replace(play, late=(*play.late, Press(seat, at_ns, error_ns, early_ns)), heard_ns=heard_ns)
        case Ended():
            state, ended = play.state, True
        case Corrected(again=True):  # these points end the game in mid-race: go back to before that race first
            play = _race_again(play)
            state, ended = event.fold(play.state), play.ended
        case _:
            state, ended = event.fold(play.state), play.ended
    late = play.late
    if late and isinstance(event, Pressed):  # it counts after all: the race is open again
        late = tuple([press for press in late if (press.seat, press.at_ns) != (event.seat, event.at_ns)])
    # a step that is undone and made anew is of this run, although the one that it replaces was of an earlier one
    resumed = min(play.resumed, fact.step + 1)
    if fact.step < play.step:  # goes on with the step under way
        future = play.future if isinstance(event, Benched) else None  # the kit's own, not an answer
        return replace(
            play, state=state, part=play.part + 1, late=late, future=future, heard_ns=heard_ns, resumed=resumed
        )
    return replace(
        play,
        state=state,
        ended=ended,
        step=fact.step + 1,
        part=1,
        late=late,
        past=UndoMark(play.state, play.ended, play.part, play.late, event, play.past),
        future=None,
        heard_ns=heard_ns,
        resumed=resumed,
    )


def replay(rules: Rules[Any, Any], facts: Sequence[Fact], boot: str = "") -> Play:
    """The play that these facts, a game's first and all that follow, lead to: as `fold` would, in half the time."""
    play, at = opened(rules, facts[0], boot), 1
    while at < len(facts):
        if isinstance(facts[at].event, _APART):
            play, at = fold(play, facts[at]), at + 1
        else:
            play, at = _gone_on(play, facts, at)
    return play


_APART = (*GENERIC, Pressed, Benched)  # events that change more of a play than its state and its steps


def _gone_on(play: Play, facts: Sequence[Fact], at: int) -> tuple[Play, int]:
    """The play after all facts from this one on whose events are a game's own, and the place of the next fact."""
    state, step, part, past = play.state, play.step, play.part, play.past
    heard_ns, resumed = play.heard_ns, play.resumed
    while at < len(facts):
        fact_step, at_ns, event = facts[at]
        if isinstance(event, _APART):
            break
        if fact_step < step:  # goes on with the step under way
            part += 1
        else:
            past = UndoMark(state, play.ended, part, play.late, event, past)
            step, part = fact_step + 1, 1
        state = event.fold(state)
        heard_ns, resumed = max(heard_ns, at_ns), min(resumed, fact_step + 1)
        at += 1
    changes = {"state": state, "step": step, "part": part, "past": past, "future": None}
    return replace(play, **changes, heard_ns=heard_ns, resumed=resumed), at


def _resumed(play: Play, event: Resumed, at_ns: int) -> Play:
    """The play in a new run: a race under way begins again, points fixed meanwhile stay, clocks have stood still."""
    boot, new_boot, later_ns = event.boot, event.boot != play.boot, at_ns - known(event.since_ns)
    missed = event.missed or new_boot

    play, fixes = _back_while(partial(_lost, missed=missed), play, redoable=False)
    lapsed_ns = play.lapsed_ns and play.lapsed_ns + later_ns
    if missed:
        play = replace(play, resumed=play.step, listens_ns=at_ns)
    if new_boot:  # its clock is another one
        shifts, late = _with(play.shifts, Shift(play.step, later_ns, STAMPS)), moved(play.late, later_ns)
        play = replace(play, boot=boot, shifts=shifts, state=moved(play.state, later_ns), late=late)
    elif not event.missed:
        play = replace(play, state=moved(play.state, later_ns, DUE))
    else:
        shifts = _with(play.shifts, Shift(play.step, later_ns, LIMITS))
        play = replace(play, shifts=shifts, state=moved(play.state, later_ns, LIMITS))
    if event.missed:
        play = replace(play, state=unbenched(play.state), unbenched=play.step)
    return _with_fixes(replace(play, lapsed_ns=lapsed_ns, heard_ns=at_ns, future=None), fixes)


def _undone(play: Play, *, fixed: int, end: bool) -> Play:
    """One step back; points fixed in the middle of it stay where `fixed` is set. `end`: see `_taken`."""
    back, fixes = _taken(play, end=end)
    future = None if _ends_in_air(play) else back.future
    if fixed and fixes:
        back = _with_fixes(back, fixes)
        if future is not None:  # what was undone is brought back in one: the points stand before it now
            future = UndoMark(play.state, play.ended, play.part, play.late, future.event, play.future)
    return replace(back, future=future)


def _ends_in_air(play: Play) -> bool:
    """Whether undo takes back a step that still goes on: a race, a countdown. Redo would come long past its time."""
    assert play.past is not None
    return _in_step(play) and not isinstance(play.past.event, BY_HAND)


def _taken(play: Play, *, end: bool = True, back: Play | None = None) -> tuple[Play, list[GameEvent[Any]]]:
    """The play before the latest step, and the points that were fixed in the middle of that.

    A race goes back to where it began, one of an earlier run to the question before it. `end`: an end by hand is a step
    of its own, also where some have answered and others have not. `back`: the play one mark back, once it is known.
    """
    assert play.past is not None
    event, redoable = play.past.event, not _ends_in_air(play)
    play = _back(play, redoable=redoable) if back is None else back
    by_itself = isinstance(event, BY_HAND) or (end and isinstance(event, Ended) and not _lost(play))
    return _back_while(partial(_passed_over, by_itself=by_itself), play, redoable=redoable)


def _race_again(play: Play) -> Play:
    """The play with its race not begun, also where the game has ended in that; points fixed meanwhile stay."""
    return _with_fixes(*_back_while(lambda then: then.over or _lost(then), play, redoable=False))


def _back_while(passed: Callable[[Play], bool], play: Play, *, redoable: bool) -> tuple[Play, list[GameEvent[Any]]]:
    """The play before all that is passed, and the points that were fixed on the way, oldest first."""
    fixes = list[GameEvent[Any]]()
    while play.past is not None and passed(play):
        if isinstance(play.past.event, BY_HAND):
            fixes.insert(0, play.past.event)
        play = _back(play, redoable=redoable)
    return play, fixes


def _with_fixes(play: Play, fixes: list[GameEvent[Any]]) -> Play:
    """The play with these points fixed, a step each."""
    for fix_ in fixes:
        past = UndoMark(play.state, play.ended, play.part, play.late, fix_, play.past)
        play = replace(play, state=fix_.fold(play.state), step=play.step + 1, part=1, past=past)
    return play


def _passed_over(play: Play, *, by_itself: bool = False) -> bool:
    """Whether undo and redo do not stop here: in mid-step, or in a race of an earlier run."""
    if _in_step(play) and not by_itself:
        return True
    if play.step < play.resumed and _lost(play):
        return True
    return play.step < play.unknown and any(_stale(offer, missed=True) for offer in play.offers)


def _back(play: Play, *, redoable: bool) -> Play:
    """One mark back, with or without a redo; its stamps are moved onto today's clock, its limits over all pauses."""
    assert play.past is not None
    state, ended, part, late, event, rest = play.past
    mark = UndoMark(play.state, play.ended, play.part, play.late, event, play.future)
    future = mark if redoable else play.future
    crossed = list[Shift]()
    step, shifts = play.step - 1, play.shifts
    while shifts and shifts[-1].step > step:
        last = shifts[-1]
        state = moved(state, last.later_ns, last.kind)
        if last.kind is STAMPS:
            late = moved(late, last.later_ns)
        shifts = shifts[:-1]
        crossed.append(last._replace(step=step))
    for shift in reversed(crossed):
        shifts = _with(shifts, shift)
    if step < play.unbenched:
        state = unbenched(state)
    return replace(
        play,
        state=state,
        ended=ended,
        late=late,
        step=step,
        part=part,
        past=rest,
        future=future,
        shifts=shifts,
        unbenched=min(play.unbenched, step),
    )


def _with(shifts: tuple[Shift, ...], new: Shift) -> tuple[Shift, ...]:
    """These and one more, none of them later: of one step there is one of each kind, so that they do not add up."""
    for at in range(len(shifts) - 1, -1, -1):
        step, later_ns, kind = shifts[at]
        if step != new.step:
            break
        if kind is new.kind:
            return put(shifts, at, new._replace(later_ns=later_ns + new.later_ns))
    return (*shifts, new)


def _forth(play: Play) -> Play:
    """One mark forth."""
    assert play.future is not None
    state, ended, part, late, event, rest = play.future
    past = UndoMark(play.state, play.ended, play.part, play.late, event, play.past)
    return replace(play, state=state, ended=ended, late=late, step=play.step + 1, part=part, past=past, future=rest)


def _as_it_stands(play: Play, mark: UndoMark) -> bool:
    """Whether a mark leads to the state the play is in already."""
    return (mark.state, mark.ended) == (play.state, play.ended)


def _of_this_boot(play: Play) -> Play:
    """The play without late presses whose stamps are of another clock."""
    return replace(play, late=()) if play.late and play.step < play.unknown else play


def _in_step(play: Play) -> bool:
    """Whether the step under way still goes on: an answer to some offer would join it."""
    return any(offer.joins and not offer.menu for offer in play.offers)


def _lost(play: Play, *, missed: bool = True) -> bool:
    """Whether it hangs on a race or a countdown whose end or whose presses may be `missed`."""
    return any(offer.verb != TIME_UP and _stale(offer, missed=missed) for offer in play.offers)


def _stale(offer: Offer, *, missed: bool) -> bool:
    """Whether an offer has a time limit, or is that of a race that has begun, of which presses may be `missed`."""
    return offer.due_ns is not None or (offer.race and not offer.fresh and missed)
