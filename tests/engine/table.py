"""A table at which any game is played from a line of words, as chess players write a position.

A position is what the table is, a colon, and what is said there: `4 tie_band=5 cards=7,7/4: go A B+5 tick`.
Before the colon stand the number of players (else three), options, and parts of the state: `,` is between numbers,
`/` between seats, `?` is nothing yet, `-` is nobody; in an option `;` stands for a blank. A game may name more.
After it, A to F are the seats:

    A             a press: the first thing that seat A may do without a value
    A4 A=no A.take A.cats=2     seat A answers 4, answers no, takes, has 2 cats
    4 yes take last=B cube_1    whoever is asked; B as a value is a seat, `_` a blank
    wait tick     the clock answers all that is due, or only what is due next
    undo redo end fix=B-3       as at any table
    resume rerun                a new run, in another boot or in the same
    late=C        a press after the verdict

Every word is said 1 s after the one before, unless it says how many ms after: `B+0.05`; `B-10` is stamped so long
before and delivered now; `B@500` is stamped so long after the latest signal, whenever it is delivered.

The facts are written likewise: `scores 6,0,-1; winners A; ?take BC; last.options B,C,nobody`. A name stands
for a fact of `FACTS` or of the game, or for a field of the state, its round or its question; `?take` is who may take,
`*` the table; `take.high` is a field of those offers. `= go A B` instead is the state of another position; `! text` is
in the refusal of the position's last word, as `kind: reason`.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, ClassVar, Self

import pytest
from msgspec.structs import replace

from engine import play
from engine.game import Question, Rules
from engine.play import Fact, Play
from engine.rules import ERROR_NS, GO, Action, Offer, Press, RaceBoard, Refused, Seat, Value, read_options

MS = 1_000_000
SECOND = 1000 * MS
SEATS = "ABCDEF"
TIMED = re.compile(r"(?P<word>[^=]+?)(?P<how>[+@-])(?P<ms>[\d.]+)$|(?P<said>.+)@(?P<at>[\d.]+)$")
ANSWER = re.compile(r"(?:(?P<seat>[A-F])(?=$|[.=\d]))?\.?(?:(?P<verb>[a-z_]+)(?=$|=))?=?(?P<value>.*)$")


class Table:
    """One game, its clock, and all facts so far."""

    rules: ClassVar[Rules[Any, Any]]
    usual: ClassVar[Mapping[str, object]] = {}  # options of these tests where a position names none
    facts_of_game: ClassVar[Mapping[str, Callable[[Any], object]]] = {}

    def __init__(self, players: int = 3, *, seed: int = 1, boot: str = "one", **options: Any) -> None:
        given = read_options(self.rules.options, {**self.usual, **options})
        first = play.start(self.rules, tuple(SEATS[:players]), given, seed)
        self.facts: list[Fact] = [first]
        self.play: Play = play.opened(self.rules, first, boot)
        self.now_ns = self.signal_ns = 100 * SECOND

    @classmethod
    def at(cls, position: str) -> Self:
        """The table that a position describes."""
        setup, colon, words = f"{position} ".partition(": ")
        if not colon:
            setup, words = "", position
        known = {option.name for option in dataclasses.fields(cls.rules.options)}
        options, parts, players = dict[str, Any](), list[str](), 3
        for part in setup.split():
            name, _, value = part.partition("=")
            if part.isdigit():
                players = int(part)
            elif name in known:
                value = value.replace(";", " ")
                options[name] = {"on": True, "off": False}.get(value, int(value) if value.isdigit() else value)
            else:
                parts.append(part)
        table = cls(players, **options)
        for part in parts:
            name, _, value = part.partition("=")
            table.place(name, value)
        return table.do(words)

    @classmethod
    def found(cls, position: str, expected: str) -> str:
        """The facts at a position; `expected` itself where they are as expected."""
        kind, _, words = expected.partition(" ")
        if kind == "!":
            before, _, word = position.rpartition(" ")
            table = cls.at(before)
            with pytest.raises(Refused) as refused:
                table.do(word)
            refusal = f"{refused.value.kind}: {refused.value}"
            return expected if words in refusal else refusal
        table = cls.at(position)
        if kind == "=":
            other = cls.at(words)
            same = (table.state, table.play.ended) == (other.state, other.play.ended)
            return expected if same else f"{table.state} {table.play.ended}"
        return table.says(expected)

    @property
    def state(self) -> Any:
        return self.play.state

    @property
    def phase(self) -> str:
        return self.play.board.phase

    def offered(self, verb: str) -> list[Offer]:
        """The offers of this verb."""
        assert any(verb in kind.verbs for kind in questions(Question)), f"no game knows {verb}"
        return [offer for offer in self.play.offers if offer.verb == verb]

    def says(self, facts: str) -> str:
        """The facts that a text names, as they are at this table."""
        names = [fact.partition(" ")[0] for fact in facts.split("; ")]
        return "; ".join(f"{name} {text(self.fact(name))}" for name in names)

    def fact(self, name: str) -> object:
        if name in self.facts_of_game:
            return self.facts_of_game[name](self)
        if name in FACTS:
            return FACTS[name](self)
        if name[0] == "?":
            return "".join("*" if offer.seat is None else SEATS[offer.seat] for offer in self.offered(name[1:]))
        verb, dot, part = name.partition(".")
        if part == "label":
            return tuple(self.rules.label(self.state, offer, None) for offer in self.offered(verb))
        if part == "options":
            return tuple(map(option_text, self.offered(verb)[0].options))
        if dot:
            return tuple(getattr(offer, part) for offer in self.offered(verb))
        state = self.state
        owner = next(one for one in (state, getattr(state, "round", None), state.ask) if hasattr(one, name))
        return getattr(owner, name)

    def place(self, name: str, value: str) -> None:
        """Take over one part of a position."""
        self.deal(**{name: self.read(value)})

    def read(self, value: str) -> object:
        """A part of the state as it is written in a position."""
        if value == "-":
            return ()
        if "/" in value:
            seats = [tuple(map(scalar, filter(None, part.split(",")))) for part in value.split("/")]
            return (*seats, *[()] * (len(self.play.players) - len(seats)))
        return tuple(map(scalar, filter(None, value.split(",")))) if "," in value else scalar(value)

    def deal(self, **parts: object) -> Self:
        """Put the game somewhere: fields of its state, or else of its round; `round` is a number."""
        fields = set(self.state.__struct_fields__) - {"round"}
        parts = {"number" if name == "round" else name: value for name, value in parts.items()}
        own = {name: value for name, value in parts.items() if name in fields}
        of_round = {name: value for name, value in parts.items() if name not in fields}
        state = self.state.in_round(**of_round) if of_round else self.state
        self.play = dataclasses.replace(self.play, state=replace(state, **own))
        return self

    def take(self, facts: Iterable[Fact]) -> Self:
        for fact in facts:
            self.facts.append(fact)
            self.play = play.fold(self.play, fact)
        return self

    def act(
        self, seat: Seat | None, verb: str, value: Value = None, *, at_ns: int | None = None, error_ns: int = ERROR_NS
    ) -> Self:
        """One action, by default stamped now."""
        at_ns = self.now_ns if at_ns is None else at_ns
        return self.take(play.answer(self.play, Action(seat, verb, value, at_ns, error_ns)))

    def tick(self) -> Self:
        """The clock answers what is due next."""
        due = play.next_due(self.play)
        assert due is not None and due.due_ns is not None
        self.now_ns = max(self.now_ns, due.due_ns)
        if due.verb == GO:
            self.signal_ns = due.due_ns
        return self.act(None, due.verb, at_ns=due.due_ns)

    def wait(self) -> Self:
        while self.play.due_ns is not None:
            self.tick()
        return self

    def do(self, words: str) -> Self:
        """Play a line of words."""
        for word in words.split():
            timed = TIMED.match(word)
            said, how, ms = word, "+", "0" if word in ("wait", "tick") else "1000"
            if timed is not None:
                said, how, ms = timed["word"] or timed["said"], timed["how"] or "@", timed["ms"] or timed["at"]
            after_ns = round(float(ms) * MS)
            at_ns = {"+": self.now_ns + after_ns, "-": self.now_ns - after_ns, "@": self.signal_ns + after_ns}[how]
            self.now_ns = max(self.now_ns, at_ns)
            self.say(said, at_ns)
        return self

    def say(self, word: str, at_ns: int) -> None:
        """One word, stamped. A game takes its own words before."""
        match word.split("="):
            case ["wait"]:
                self.wait()
            case ["tick"]:
                self.tick()
            case ["undo"]:
                self.take(play.undo(self.play, at_ns))
            case ["redo"]:
                self.take(play.redo(self.play, at_ns))
            case ["end"]:
                self.take(play.end(self.play, at_ns))
            case ["resume"]:
                self.take(play.resume(self.play, "two", at_ns))
            case ["rerun"]:
                self.take(play.resume(self.play, self.play.boot, at_ns))
            case ["late", late]:
                self.take(play.late(self.play, Press(SEATS.index(late), at_ns, ERROR_NS), at_ns))
            case ["fix", fixed]:
                self.take(play.fix(self.play, SEATS.index(fixed[0]), int(fixed[1:]), at_ns))
            case _:
                seat, verb, value = self.meant(word, at_ns)
                self.act(seat, verb, value, at_ns=at_ns)

    def meant(self, word: str, at_ns: int) -> tuple[Seat | None, str, Value]:
        """The answer that a word stands for, by what is offered once all that is due has been answered."""
        ahead = self.play
        while (due := play.due_by(ahead, at_ns)) is not None:
            ahead = reduce(play.fold, play.answer(ahead, due), ahead)
        found = ANSWER.match(word)
        assert found is not None
        seat = None if found["seat"] is None else SEATS.index(found["seat"])
        offers = [offer for offer in ahead.offers if offer.seat == seat or found["seat"] is None]
        verb, value = found["verb"], found["value"]
        verbs = [offer.verb for offer in offers]
        if verb is not None and not value and verb not in verbs and any(self.takes(offer, verb) for offer in offers):
            verb, value = None, verb  # a word that answers a question
        fits = [offer for offer in offers if verb in (None, offer.verb)]
        fits.sort(key=lambda offer: (verb is None and not self.takes(offer, value), offer.menu, offer.hold))
        if not fits:
            return seat, verb or word, self.value(None, value)
        return fits[0].seat, fits[0].verb, self.value(fits[0], value)

    def takes(self, offer: Offer, value: str) -> bool:
        """Whether this may answer the offer."""
        if offer.low is not None and offer.high is not None:
            return value.lstrip("-").isdigit() and offer.low <= int(value) <= offer.high
        if not value:
            return not offer.options and offer.example is None and offer.due_ns is None
        return value in map(option_word, offer.options)

    def value(self, offer: Offer | None, value: str) -> Value:
        """The value of an answer."""
        options = () if offer is None else offer.options
        for option in options:
            if option_word(option) == value:
                return option
        if not value:
            return None
        return SEATS.index(value) if value in tuple(SEATS) else int(value) if value.lstrip("-").isdigit() else value


def letters(seats: Iterable[Seat | None]) -> str:
    """Seats by their letters."""
    return "".join("." if seat is None else SEATS[seat] for seat in seats)


def option_text(option: Seat | str) -> str:
    return SEATS[option] if isinstance(option, int) else option


def option_word(option: Seat | str) -> str:
    """An option as one word."""
    return option_text(option).replace(" ", "_")


def scalar(word: str) -> object:
    return None if word == "?" else int(word) if word.lstrip("-").isdigit() else word


def text(value: object) -> str:
    """A value as positions write it."""
    if isinstance(value, tuple):
        each = [text(part) if part != () else "" for part in value]
        return ("/" if any(isinstance(part, tuple) for part in value) else ",").join(each) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "?" if value is None else str(value) or "-"


def ms(time_ns: int | None) -> str | None:
    """So many ns in ms."""
    return None if time_ns is None else f"{time_ns / MS:g}"


def token_text(tokens: Mapping[str, int]) -> str:
    """The tokens of a seat."""
    return ",".join(f"{name}:{count}" for name, count in tokens.items())


def race(table: Table) -> RaceBoard:
    """The race that the board shows."""
    assert table.play.board.race is not None
    return table.play.board.race


def rows(table: Sequence[tuple[str, *tuple[Any, ...]]]) -> list[Any]:
    """Cases with their names first, for pytest."""
    return [pytest.param(*row, id=name) for name, *row in table]


def questions(kind: type[Question[Any]]) -> Iterable[type[Question[Any]]]:
    """All questions of this kind."""
    for each in kind.__subclasses__():
        yield each
        yield from questions(each)


FACTS: Mapping[str, Callable[[Table], object]] = {
    "scores": lambda table: table.play.scores,
    "winners": lambda table: letters(table.play.winners),
    "over": lambda table: table.play.over,
    "ended": lambda table: table.play.ended,
    "step": lambda table: table.play.step,
    "due": lambda table: ms(table.play.due_ns and table.play.due_ns - table.now_ns),  # in so many ms
    "due@": lambda table: ms(table.play.due_ns and table.play.due_ns - table.signal_ns),  # so long after the signal
    "ask": lambda table: type(table.state.ask.standing(table.state)).__name__,
    "phase": lambda table: table.play.board.phase,
    "round": lambda table: table.play.board.round,
    "rounds": lambda table: table.play.board.rounds,
    "turn": lambda table: letters(table.play.board.turn),
    "order": lambda table: letters(table.play.board.order),
    "lit": lambda table: ",".join(f"{name}:{letters(seats)}" for name, seats in table.play.board.highlight.items()),
    "tokens": lambda table: " ".join(map(token_text, table.play.board.tokens)),
    "verbs": lambda table: ",".join(sorted({offer.verb for offer in table.play.offers})),
    "race_phase": lambda table: race(table).phase,
    "since": lambda table: ms((race(table).since_ns or 0) - table.signal_ns),
    "gaps": lambda table: " ".join(f"{SEATS[seat]}{ms(after_ns)}" for seat, after_ns in race(table).gaps),
    "jumped": lambda table: letters(race(table).jumped),
    "ruled": lambda table: race(table).ruled,
}
