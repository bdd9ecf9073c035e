"""The contract between a game and the kit: offers, actions, the board and options.

A game knows no clock, no input, no output and no names of people; time enters as the stamp of an action, chance with
the answer that throws dice.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from engine.stamps import Due, Since, Stamp
from engine.words import N_, either

Seat: TypeAlias = int
Value: TypeAlias = int | str | tuple[Any, ...] | None  # a tuple where the offer has an example

ERROR_NS = 100_000  # the timing error of a press that names none: a kernel stamp's, 0.1 ms
MAX_ERROR_NS = 1_000_000_000  # a stamp with a larger error is useless
HANDS = "hands"  # answered by a button that is down, however long it has been down
RELEASE = "release"  # answered by letting the button go; every other verb is a press or a hold
FINISH = "finish"  # the way out by which the table ends a game that nothing else ends, as its regular end
GO = "go"  # the due offer that is answered with a signal to the players, and by the signal's own stamp
STARTER = "starter"  # who starts, where rules leave it to the table: the kit answers it by whom it has drawn before
RECALL = "recall"  # no step: answered by the kit at the start, with data of an earlier game (`Rules.carryover`)
TAKE_BACK = "take_back"  # a press did not count; offered after the verdict, too, it opens the race again
SETTLE = "settle"  # the due offer that gives the verdict of a race
CLOSE = "close"  # the table ends a race: nobody else presses, and it rules where that leaves a doubt
TIME_UP = "time_up"  # the time limit of a question that is no race: its clock stands still while no program runs
BENCH = "bench"  # in a race the kit names a seat whose button does not work; the table then rules for that seat

Says: TypeAlias = Literal["", "words", "seats"]  # what a number stands for, if not itself; a seat of -1: nobody


class Offer(NamedTuple):
    """One action that is allowed now; anything else is refused.

    An offer without limits, options and example takes no value. Limits are whole numbers, both ends allowed. In
    `options` a number is always a seat, a word is a word. `due_ns` (CLOCK_MONOTONIC): the kit answers by itself then.
    """

    seat: Seat | None  # None: the table
    verb: str
    low: int | None = None
    high: int | None = None
    options: tuple[Seat | str, ...] = ()
    prefill: int | None = None  # what a plain OK means; None: a number has to be entered
    race: bool = False  # answered by a press whose stamp matters
    due_ns: Due | None = None
    joins: bool = False  # the answer belongs to the step under way: one undo takes back both
    hold: bool = False  # given by holding the button, not by a press
    menu: bool = False  # a way out or a side entry: listed in the menu, never the question itself
    # For programs: a legal answer made of numbers, words and tuples. Others of its shape may be given, too; `decide`
    # refuses (`bad_value`) those that the rules forbid.
    example: tuple[Any, ...] | None = None
    kit_only: bool = False  # no phone answers it: all at the table shall see who throws a round away
    # A word is spelled, and so many letters may follow: the first option ends it, each other one is a letter. One of
    # full length ends by itself.
    letters: int = 0
    step: int = 1  # by which its number is counted; numbers beside the steps are legal, too
    says: Says = ""  # what each of its numbers stands for
    group: tuple[Seat, ...] = ()  # partners: one of these seats answers for all of them
    fresh: bool = False  # of a race that has not begun: it needs no earlier stamp
    out: tuple[Seat, ...] = ()  # where a seat is named: those that play no more, and so are not offered
    alone: bool = False  # only one of the offers with this is answered, by one seat: that closes the others
    # of a plain OK of the table, by which these seats are done with what they are asked; none: the table's own act
    for_seats: tuple[Seat, ...] = ()
    small: bool = False  # its number is a small one, far as the limits may reach: each press counts one


class Action(NamedTuple):
    """An answer to one offer. `at_ns` is CLOCK_MONOTONIC; `error_ns`, `early_ns`: see `Press`."""

    seat: Seat | None
    verb: str
    value: Value = None
    at_ns: Stamp = 0
    error_ns: int = ERROR_NS
    signal: str = ""  # of a go-signal: what gave it; empty: not known
    early_ns: int = 0


class Press(NamedTuple):
    """A debounced press.

    `at_ns` is CLOCK_MONOTONIC; `error_ns` is this kit's timing error for this press. Where the kernel has lost the
    stamp of its first move, the contact may have closed up to `early_ns` sooner, never later.
    """

    seat: Seat
    at_ns: Stamp
    error_ns: int
    early_ns: int = 0


class Reaction(NamedTuple):
    """A seat's result in a race that was not undone: its time, if it has one."""

    seat: Seat
    # times of two kinds are never compared; `signal`: of a score sheet, compared within the same sheet only
    kind: Literal["meow", "answer", "grab", "signal"]
    won: bool = False  # a Meow: it was the first, and right
    after_ns: int | None = None  # after the go-signal; an answer: after the Meow
    error_ns: int = ERROR_NS  # the timing error of this time
    signal: str = ""  # what it reacted to, as `Action.signal`


class RaceTimes(NamedTuple):
    """The times of the race of a round; they replace all that was known of it before."""

    round: int
    times: tuple[Reaction, ...]


class RaceBoard(NamedTuple):
    """The public view of a race. Gaps are in ns after the go-signal or, where there is none, the first press."""

    phase: Literal["armed", "running", "answers", "tied", "over"]
    since_ns: Since | None  # start of the stopwatch
    gaps: tuple[tuple[Seat, int], ...] = ()  # in order of the stamps
    jumped: tuple[Seat, ...] = ()  # who pressed too early, latest last
    presses: tuple[Press, ...] = ()  # in order of the stamps: the evidence
    benched: tuple[Seat, ...] = ()  # seats whose button does not work
    seats: tuple[Seat, ...] = ()  # the runners
    only_first: bool = False  # it ends with the first press: nobody was the last
    first: tuple[Seat, ...] = ()  # who counts as the first, by the referee or by the table
    last: tuple[Seat, ...] = ()
    ruled: tuple[Literal["first", "last"], ...] = ()  # which of them the table has ruled
    band_ns: int = 0  # presses closer than this are a dead heat, also where their errors are smaller
    # by the stamps, once they are judged; several: too close to call, or unknown
    in_front: tuple[Seat, ...] = ()
    at_end: tuple[Seat, ...] = ()
    round: int | None = None  # of which it was; None: of the board's
    overtaken: tuple[Press, ...] = ()  # would have been in front, but came in once another had been named the first

    @property
    def judged(self) -> bool:
        """Whether presses have been judged, by the referee or as far as they go before the table rules."""
        return bool(self.presses) and self.phase in ("tied", "over")


# What is news now, and so the subject of the strip: the seats, with those that are asked, first, last or level; who is
# ready for a race; its go-signal; the rounds; the places of an order that is chosen anew, also while they are being
# chosen; the points, also with the best of a round; the winners.
Shows: TypeAlias = Literal["seats", "ready", "go", "rounds", "places", "choosing", "points", "result", "winners"]


class Board(NamedTuple):
    """The public view of a game, for the strip, the panel and other programs."""

    phase: str
    round: int
    rounds: int | None  # of how many, where known
    order: tuple[Seat | None, ...]  # draft, turn or initiative order; None: a draft position that no player stands at
    turn: tuple[Seat, ...]  # who is asked now
    scores: tuple[int, ...]
    tokens: tuple[dict[str, int], ...]  # by seat
    race: RaceBoard | None = None
    highlight: Mapping[str, tuple[Seat, ...]] = {}  # first, last, tie, winner, missing
    shows: Shows = "seats"
    goal: int | None = None  # so many points end the game


Refusal = Literal["not_offered", "bad_value", "bad_line", "bad_setup", "nothing_to_undo", "nothing_to_redo"]


class Refused(Exception):
    """An input that changes nothing. `kind` is for programs, the text is one line for people.

    `why`, the reason of it, is for programs, after the text.
    """

    def __init__(self, kind: Refusal, text: str, why: str = "") -> None:
        super().__init__(f"{text}: {why}" if why else text)
        self.kind: Refusal = kind
        self.text = text


class Chance(NamedTuple):
    """The dice of one action: the same for the same seed, step and part, so an undone throw falls the same again."""

    seed: int
    step: int  # steps done before
    part: int = 0  # actions answered before within the step

    def dice(self) -> random.Random:
        """A fresh generator. Made on demand: seeding one costs more than answering most actions."""
        return random.Random(f"{self.seed}:{self.step}:{self.part}")


T = TypeVar("T")
P = TypeVar("P")  # a game's options


def check(offers: Iterable[Offer], action: Action) -> Offer:
    """The offer that this action answers. Raises `Refused` (`not_offered`, `bad_value`)."""
    seat, verb = action.seat, action.verb
    for offer in offers:
        if offer.seat == seat and offer.verb == verb:
            break
    else:
        offered = sorted({f"{o.verb} ({'table' if o.seat is None else f'seat {o.seat}'})" for o in offers})
        who = "the table" if seat is None else f"seat {seat}"
        raise Refused("not_offered", f"{who} cannot {verb} now; offered: {', '.join(offered) or 'nothing'}")
    if offer.due_ns is not None and action.at_ns < offer.due_ns:
        raise Refused("not_offered", f"{verb} is due at {offer.due_ns} ns, not at {action.at_ns} ns")
    value, low, high = action.value, offer.low, offer.high
    if low is not None and high is not None:
        if type(value) is not int or not low <= value <= high:
            raise Refused("bad_value", f"{verb} {value!r}: must be a whole number from {low} to {high}")
    elif offer.options:
        for option in offer.options:
            if value == option and type(value) is type(option):
                break
        else:
            raise Refused("bad_value", f"{verb} {value!r}: must be {either(map(str, offer.options))}")
    elif offer.example is not None:
        if type(value) is not tuple:
            raise Refused("bad_value", f"{verb} {value!r}: must be something like {offer.example!r}")
    elif value is not None:
        raise Refused("bad_value", f"{verb} {value!r}: takes no value")
    return offer


@cache
def seats_of(players: int) -> tuple[Seat, ...]:
    """All seats of a table with this many players."""
    return tuple(range(players))


@cache
def only(seat: Seat) -> tuple[Seat, ...]:
    """This seat alone."""
    return (seat,)


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with one of them replaced."""
    out = list(values)
    out[index] = value
    return tuple(out)


def each_seat(
    answers: Sequence[object | None],
    verb: str,
    *,
    low: int | tuple[int, ...] | None = None,
    high: int | tuple[int, ...] | None = None,
    prefill: int | tuple[int | None, ...] | None = None,
    seats: Iterable[Seat] | None = None,
    step: int = 1,
    says: Says = "",
    teams: int | None = None,
    alone: bool = False,
    small: bool = False,
) -> tuple[Offer, ...]:
    """Everybody at once, in any order: one offer for each seat that has not answered (its answer is None).

    `low`, `high` and `prefill` are one number for all, or numbers by seat. All answers are one step. With `seats` only
    these are asked, and what the others have answered does not count as part of the step. `step`, `says`, `alone` and
    `small`: see `Offer`. With `teams` of so many sides one partner answers for its side.
    """
    asked = range(len(answers)) if seats is None else tuple(seats)
    out = tuple([seat for seat in asked if answers[seat] is None])
    return _each_seat(out, verb, low, high, prefill, len(out) < len(asked), step, says, teams, alone, small)


@lru_cache(maxsize=4096)  # the same few questions come up in every round of every game
def _each_seat(
    out: tuple[Seat, ...],
    verb: str,
    low: int | tuple[int, ...] | None,
    high: int | tuple[int, ...] | None,
    prefill: int | tuple[int | None, ...] | None,
    joins: bool,
    step: int,
    says: Says,
    teams: int | None,
    alone: bool,
    small: bool,
) -> tuple[Offer, ...]:
    offers = list[Offer]()
    for seat in out:
        group = () if teams is None else tuple([one for one in out if one % teams == seat % teams])
        own = _of(low, seat), _of(high, seat), (), _of(prefill, seat)
        offer = Offer(seat, verb, *own, False, None, joins, step=step, says=says, small=small)
        offers.append(offer if teams is None and not alone else offer._replace(group=group, alone=alone))
    return tuple(offers)


def _of(limit: int | tuple[int | None, ...] | None, seat: Seat) -> int | None:
    return limit[seat] if isinstance(limit, tuple) else limit


def in_turn(
    order: Iterable[Seat],
    answers: Sequence[object | None],
    verb: str,
    *,
    low: int | None = None,
    high: int | None = None,
) -> tuple[Offer, ...]:
    """Everybody in turn: the first seat of the order that has not answered. Each answer is a step of its own."""
    for seat in order:
        if answers[seat] is None:
            return (Offer(seat, verb, low, high),)
    return ()


def against_clock(out: tuple[Offer, ...], verb: str, due_ns: int | None, *, joins: bool = False) -> tuple[Offer, ...]:
    """These offers, and beside them what the clock answers at `due_ns`; None: no clock runs."""
    return out if due_ns is None else (*out, Offer(None, verb, None, None, (), None, True, due_ns, joins))


def highest(totals: Sequence[int], seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats, among these, with the highest total."""
    among = tuple(seats)
    best = max(totals[seat] for seat in among)
    return tuple(seat for seat in among if totals[seat] == best)


# --- options -------------------------------------------------------------------------------------------------------


# `title` names an option on the display, `unit` follows its number, `says` has the words for its values; without them
# the display shows the key or the value itself. `text` is one line for `--help`, the protocol and the docs.


def switch(default: bool, text: str, *, title: str = "") -> Any:
    """An option that is on or off."""
    says = {False: N_("off"), True: N_("on")}
    return field(default=default, metadata={"text": text, "choices": (False, True), "title": title, "says": says})


def number(
    default: int | str,
    low: int,
    high: int,
    text: str,
    *words: str,
    title: str = "",
    unit: str = "",
    says: Mapping[int | str, str] | None = None,
) -> Any:
    """An option that is a whole number from `low` to `high`, or one of a few words."""
    metadata = {"text": text, "low": low, "high": high, "choices": words, "title": title, "unit": unit, "says": says}
    return field(default=default, metadata=metadata)


def timer(default: int, most: int, text: str, *, title: str) -> Any:
    """An option in seconds, up to `most`; 0 is off."""
    return number(default, 0, most, text, title=title, unit=N_("s"), says={0: N_("off")})


def dead_heat() -> Any:
    """The option of a game with races: how close two presses have to be for a dead heat."""
    text = "ms closer than which presses are a dead heat"
    return number("kit", 1, 1000, text, "kit", title=N_("Tie within"), unit=N_("ms"), says={"kit": N_("measured")})


def choice(
    default: str,
    text: str,
    *others: str,
    programs: tuple[str, ...] = (),
    title: str = "",
    says: Mapping[str, str] | None = None,
) -> Any:
    """An option that is one of a few words. `programs`: those whose answers no button can enter."""
    choices = (default, *others, *programs)
    return field(
        default=default, metadata={"text": text, "choices": choices, "programs": programs, "title": title, "says": says}
    )


class Form(NamedTuple):
    """The form of an option that is a text of entries, each `none` or things joined by +."""

    entries: int
    things: tuple[str, ...]
    most: int  # things in one entry

    def __str__(self) -> str:
        return f"{self.entries} entries, each none or up to {self.most} of {', '.join(self.things)} joined by +"

    def counts(self, text: str) -> tuple[tuple[int, ...], ...] | None:
        """By entry, the number of each thing; None for a text of another form."""
        entries = [[] if entry == "none" else entry.split("+") for entry in text.split()]
        if len(entries) != self.entries or not all(self._fits(entry) for entry in entries):
            return None
        return tuple(tuple(entry.count(thing) for thing in self.things) for entry in entries)

    def text(self, counts: Iterable[Iterable[int]]) -> str:
        """The text of these counts."""
        entries = [[one for one, many in zip(self.things, entry, strict=True) for _ in range(many)] for entry in counts]
        return " ".join("+".join(entry) or "none" for entry in entries)

    def _fits(self, entry: list[str]) -> bool:
        return len(entry) <= self.most and set(entry) <= set(self.things)


def table(default: str, text: str, form: Form, *, title: str = "") -> Any:
    """An option that is a text of this form. The display only says whether it is the usual one: it is too long."""
    return field(default=default, metadata={"text": text, "choices": (default,), "table": form, "title": title})


def option_title(option: "Field[Any]") -> str:
    """An option's name for people."""
    title: str = option.metadata["title"]
    return title or option.name.replace("_", " ").capitalize()


def option_says(option: "Field[Any]", value: object) -> str:
    """An option's value for people, with its unit."""
    if "table" in option.metadata:
        return N_("usual") if value == option.default else N_("own")
    texts: Mapping[object, str] = option.metadata["says"] or {}
    unit: str = option.metadata.get("unit", "")
    if (words := texts.get(value)) is not None:
        return words
    return N_("{number} {unit}", number=value, unit=unit) if unit and isinstance(value, int) else str(value)


def allowed(option: "Field[Any]") -> str:
    """The allowed values of an option, in words."""
    meta = option.metadata
    if "table" in meta:
        return str(meta["table"])
    words = ["off" if c is False else "on" if c is True else str(c) for c in meta["choices"]]
    return either([*words, *([f"{meta['low']} to {meta['high']}"] if "low" in meta else [])])


def read_options(options: type[P], given: Mapping[str, object]) -> P:
    """Options from names and values. Raises `Refused` (`bad_setup`) with the name, the value and what it must be."""
    known = {option.name: option for option in fields(options)}  # type: ignore[arg-type]
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            raise Refused("bad_setup", f"option {name!r} is unknown: must be {either(known)}")
        meta = option.metadata
        fits = any(value is c if isinstance(c, bool) else value == c for c in meta["choices"])
        if not fits and "low" in meta:
            fits = type(value) is int and meta["low"] <= value <= meta["high"]
        if not fits and "table" in meta:
            fits = isinstance(value, str) and meta["table"].counts(value) is not None
        if not fits:
            raise Refused("bad_setup", f"option {name} = {value!r}: must be {allowed(option)}")
    return options(**given)


def option_values(option: "Field[Any]", *, programs: bool = True) -> tuple[Any, ...]:
    """Every value an option may have, its default first where it is a word, numbers in order.

    Of a table only the default. `programs`: with those that only programs can use.
    """
    assert option.default is not MISSING
    meta = option.metadata
    numbers = range(meta["low"], meta["high"] + 1) if "low" in meta else ()
    choices = [choice for choice in meta["choices"] if programs or choice not in meta.get("programs", ())]
    return (*choices, *numbers)
