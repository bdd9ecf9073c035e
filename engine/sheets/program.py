"""A sheet with its expressions compiled: what each may read, by the place where it stands."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.rules import Says
from engine.sheets.expressions import (
    FIRST_FREE,
    SEAT,
    SIDE,
    TABLE,
    BadExpression,
    Expression,
    NoValue,
    Row,
    SeatRows,
    Steps,
    compiled,
    within,
)
from engine.sheets.limits import MOST_STEPS
from engine.sheets.sheet import Ask, Check, Final, Kind, Reckoned, Sheet, kind_of, per_of, title_of
from engine.toml_places import Path
from engine.words import seen

PLAYERS, ROUND, FIRST, PLACED, TOTAL = range(FIRST_FREE, FIRST_FREE + 5)
VALUES = TOTAL + 1  # from here on a row has what the state has of a seat
POINTS, TURNS = VALUES, VALUES + 1
OWN = {"seat": SEAT, "side": SIDE, "players": PLAYERS, "round": ROUND, "first": FIRST, "placed": PLACED}
NAMES = {**OWN, "total": TOTAL, "points": POINTS, "turns": TURNS}
SAYS: Mapping[Kind, Says] = {"number": "", "yes": "words", "words": "words", "seat": "seats"}
OVER_SEATS = re.compile(r"\b(?:sum|others|count|most|least|place)\s*\(")
OF_SEATS = re.compile(rf"{OVER_SEATS.pattern}|\bteam\s*\(")
OF_TABLE = {"players", "round", "first"}  # the same for all seats
GOAL = re.compile(r"\s*total\s*>=\s*([0-9]+)\s*")
BRACES = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class Text(NamedTuple):
    """A title or a reason, with the places of the values in it."""

    text: str
    places: tuple[tuple[str, int, Kind], ...] = ()  # by name: its place in a row, and what it is


class CompiledAsk(NamedTuple):
    """An ask, compiled."""

    id: str
    place: int  # of its value in a row
    title: Text
    kind: Kind
    per: str
    step: int
    words: tuple[str, ...]
    low: int | Expression
    high: int | Expression
    when: Expression | None
    needs: frozenset[int]  # the asks that its limits read, also by way of others
    fixed: bool  # anybody may be asked, and the limits are numbers: never skipped
    same: bool  # anybody may be asked, and the limits are the same for all seats

    @property
    def says(self) -> Says:
        """What its numbers stand for, as `Offer` has it."""
        return SAYS[self.kind]


class CompiledCheck(NamedTuple):
    """A check, compiled."""

    that: Expression
    says: Text
    asks: frozenset[int]  # that it reads, also by way of lets
    lets: tuple[int, ...]  # that it reads, in their order
    after: int  # the ask after which it is looked at


class Reckoning(NamedTuple):
    """A keep, a let or the total: where its value stands, and what it is."""

    name: str
    place: int
    value: Expression


class Program(NamedTuple):
    """All that a sheet reckons."""

    sheet: Sheet
    per: str
    asks: tuple[CompiledAsk, ...]  # those of a round, then those of the end
    in_round: int  # how many are of a round
    width: int  # values of a seat in the state
    lets: tuple[Reckoning, ...]
    checks: tuple[CompiledCheck, ...]
    points: Expression
    keeps: tuple[Reckoning, ...]
    total: Expression
    end: Expression | None
    out: Expression | None
    extra: tuple[Expression, ...]  # the points of each final
    win: tuple[Expression, ...]
    together: Expression | None
    start: Expression
    rounds: Expression | None  # None: open
    due: tuple[tuple[int, ...], ...]  # by ask of a round: the checks that are looked at after it
    steps: int = 0  # of all its formulas, with most players

    @property
    def open(self) -> bool:
        """Whether the table finishes the game: nothing else ends it."""
        return self.rounds is None and self.end is None and self.out is None and self.per != "box"

    @property
    def goal(self) -> int | None:
        """The points that end the game, where exactly so many of anybody's total do."""
        found = GOAL.fullmatch(str(self.sheet.end))
        return None if found is None else int(found[1])

    @property
    def over_seats(self) -> bool:
        """Whether what somebody scores hangs on what others have answered."""
        sheet = self.sheet
        texts = (sheet.points, sheet.total, *sheet.let.values(), *sheet.keep.values())
        return any(OVER_SEATS.search(str(text)) for text in texts)

    def names(self, read: Iterable[str]) -> frozenset[int]:
        """The asks of a round that these names read, also by way of lets."""
        lets, names = {let.name: let for let in self.lets}, set[str]()
        waiting = list(read)
        while waiting:
            name = waiting.pop()
            names.add(name)
            if name in lets:
                waiting += lets.pop(name).value.names
        return frozenset(n for n, ask in enumerate(self.asks[: self.in_round]) if ask.id in names)


class TooMuch(Exception):
    """A sheet would be slow to play: by which key, and why."""


class Errors(Exception):
    """What is wrong with the expressions of a sheet, by key."""

    def __init__(self, errors: Sequence[tuple[Path, str]]) -> None:
        super().__init__(errors)
        self.errors = errors


def program(sheet: Sheet, *, limited: bool = False) -> Program:
    """The program of a sheet. `limited`: only one that is quick to play. Raises `Errors`."""
    compiler = _Compiler(sheet, limited=limited)
    try:
        return compiler.program()
    except TooMuch as error:
        raise Errors([*compiler.errors, error.args]) from None


def rounds_of(program_: Program, players: int) -> int | None:
    """How many rounds there are; None: it is open. Raises `NoValue`."""
    if program_.rounds is None:
        return None
    row: Row = [None, 0, 0, 0, players]
    return program_.rounds.run(row)


class _Compiler:
    """A sheet on its way to a program: compiles all it can, and collects what is wrong."""

    def __init__(self, sheet: Sheet, *, limited: bool) -> None:
        self.sheet, self.errors = sheet, list[tuple[Path, str]]()
        self.limited, self.cost = limited, 0
        self.all = (*sheet.ask, *sheet.final)
        self.asks = {ask.id: n for n, ask in enumerate(self.all)}
        self.places, self.steps = places_of(sheet), steps_of(sheet)
        self.always = {"seat", "side", "players", "round", "first", "turns", "total", *sheet.keep}
        if sheet.race is not None:
            self.always.add("placed")
        self.kinds: dict[str, Kind] = {ask.id: kind_of(ask) for ask in self.all}
        self.zero = compiled("0", {}, (), {})

    def program(self) -> Program:
        sheet, per = self.sheet, self.sheet.per
        asked = {ask.id for ask in sheet.ask}
        known = self.always | asked
        lets = list[Reckoning]()
        for name, text in sheet.let.items():
            lets.append(Reckoning(name, self.places[name], self.made(("let", name), text, known)))
            known.add(name)
        asks, before = list[CompiledAsk](), set(self.always)
        for n, ask in enumerate(sheet.ask):
            asks.append(self.ask(("ask", n), ask, before))
            before.add(ask.id)
        points = self.points() if sheet.points is None else self.made(("points",), sheet.points, known)
        after = known | {"points"}
        final = {ask.id for ask in sheet.final}
        before = set(after)
        for n, ask in enumerate(sheet.final):
            asks.append(self.ask(("final", n), ask, before))
            before.add(ask.id)
        keeps = [
            Reckoning(name, self.places[name], self.made(("keep", name), text, after))
            for name, text in sheet.keep.items()
        ]
        total = self.made(("total",), sheet.total, after)
        end, out = self.maybe("end", sheet.end, after), self.maybe("out", sheet.out, after)
        extra = [
            self.extra(ask) if ask.points is None else self.made(("final", n, "points"), ask.points, after | final)
            for n, ask in enumerate(sheet.final)
        ]
        win = (sheet.win,) if isinstance(sheet.win, str) else sheet.win
        wins = [self.made(("win",), text, after | final) for text in win]
        together = self.maybe("together", sheet.together, after | final)
        start = self.made(("start",), sheet.start, {"players", "seat", "side"})
        rounds = None if sheet.rounds == "open" else self.made(("rounds",), sheet.rounds, {"players"})
        width = 2 + len(self.all) + len(sheet.keep) + len(sheet.let)
        parts = (tuple(keeps), total, end, out, tuple(extra), tuple(wins), together, start, rounds, ())
        built = Program(sheet, per, tuple(asks), len(sheet.ask), width, tuple(lets), (), points, *parts)
        checks = self.checks(built, known)
        self.tried(built)
        if self.errors:
            raise Errors(self.errors)
        due = tuple([tuple([n for n, c in enumerate(checks) if c.after == at]) for at in range(len(sheet.ask))])
        return built._replace(checks=tuple(checks), due=due, steps=self.cost)

    def made(self, path: Path, text: Reckoned, known: set[str]) -> Expression:
        """The expression of a key; what is wrong with it is noted."""
        try:
            made = compiled(str(text), self.places, known, self.steps)
        except BadExpression as wrong:
            self.errors.append((path, f"column {wrong.column}: {wrong}"))
            return self.zero
        players = self.sheet.players[1]
        self.cost += made.cost(players)
        if self.limited and self.cost > MOST_STEPS:
            allowed = f"must be at most {MOST_STEPS} in all formulas"
            raise TooMuch(path, f"there are more than {MOST_STEPS} steps with {players} players: {allowed}")
        return made

    def maybe(self, key: str, text: Reckoned | None, known: set[str]) -> Expression | None:
        return None if text is None else self.made((key,), text, known)

    def points(self) -> Expression:
        """The points of a sheet that says none: the sum of its number asks, added up over a side."""
        sheet = self.sheet
        if sheet.race is not None and not sheet.ask:
            return compiled("team(placed == 1)", self.places, self.always, {})
        numbers = [ask for ask in sheet.ask if kind_of(ask) == "number"]
        # all seats of a side hold the same number where they are folded together
        own, of_side = list[str](), list[str]()
        for ask in numbers:
            (own if sheet.teams is None or per_of(ask) != "each" else of_side).append(ask.id)
        return self.added(own, of_side)

    def extra(self, ask: Final) -> Expression:
        """The points of a final ask that says none: its own number, added up over a side."""
        alone = self.sheet.teams is None or per_of(ask) != "each"
        return self.added([ask.id] if alone else [], [] if alone else [ask.id])

    def added(self, own: list[str], of_side: list[str]) -> Expression:
        """The sum of a seat's own values and of those of its side."""
        places, shared = [self.places[name] for name in own], [self.places[name] for name in of_side]

        def run(row: Row) -> int:
            value = sum([row[place] for place in places])
            if shared:
                side, table = row[SIDE], row[TABLE]
                value += sum([one[place] for one in table.inside if one[SIDE] == side for place in shared])
            return within(value)

        return Expression(" + ".join((*own, *of_side)), run, frozenset((*own, *of_side)))

    def ask(self, path: Path, ask: Ask, known: set[str]) -> CompiledAsk:
        kind = kind_of(ask)
        low, high = {
            "number": (0 if ask.low is None else ask.low, 999 if ask.high is None else ask.high),
            "yes": (0, 1),
            "words": (0, len(ask.words or ()) - 1),
            "seat": (-1 if ask.low is None else ask.low, "players - 1"),
        }[kind]
        limits = [
            limit if isinstance(limit, int) else self.made((*path, key), limit, known)
            for key, limit in (("low", low), ("high", high))
        ]
        if isinstance(limits[0], int) and isinstance(limits[1], int) and limits[0] > limits[1]:
            key = "high" if ask.high is not None else "low"
            self.errors.append(((*path, key), f"low {limits[0]} is above high {limits[1]}: must be at most high"))
        when = None if ask.when is None else self.made((*path, "when"), ask.when, known)
        read = {name for one in (*limits, when) if isinstance(one, Expression) for name in one.names}
        fixed = when is None and all(isinstance(one, int) for one in limits) and limits[0] != limits[1]
        same = when is None and read <= OF_TABLE and not any(OF_SEATS.search(str(one)) for one in (low, high))
        title = self.text((*path, "title"), title_of(ask), known)
        needs = frozenset(self.asks[name] for name in read if name in self.asks)
        words = tuple(map(seen, ask.words or ()))
        of_ask = (ask.id, self.places[ask.id], title, kind, per_of(ask), ask.step, words)
        return CompiledAsk(*of_ask, limits[0], limits[1], when, needs, fixed, same)

    def checks(self, built: Program, known: set[str]) -> list[CompiledCheck]:
        given = self.sheet.check
        checks = list[CompiledCheck]()
        for n, one in enumerate(given if isinstance(given, tuple) else (given,)):
            path: Path = ("check", n) if isinstance(given, tuple) else ("check",)
            that, says = (one.that, one.says) if isinstance(one, Check) else (one, None)
            inside = (*path, "that") if isinstance(one, Check) else path
            made = self.made(inside, that, known)
            text = self.text((*path, "says"), says, known) if says is not None else Text(str(that))
            asks = built.names(made.names)
            lets, waiting = set[str](), set(made.names)
            for let in reversed(built.lets):
                if let.name in waiting:
                    lets.add(let.name)
                    waiting |= let.value.names
            needed = tuple([n for n, let in enumerate(built.lets) if let.name in lets])
            after = max(asks, default=len(self.sheet.ask) - 1)
            if self.sheet.per == "box":
                after = len(self.sheet.ask) - 1
            checks.append(CompiledCheck(made, text, asks, needed, after))
        return checks

    def text(self, path: Path, text: str, known: set[str]) -> Text:
        """A text with {names} in it."""
        names = BRACES.findall(text)
        if "{" in BRACES.sub("", text) or "}" in BRACES.sub("", text):
            self.errors.append((path, f"{text!r} has a single brace: must be a name in {{braces}}, like {{round}}"))
        for name in names:
            if name not in known:
                self.errors.append((path, f"{{{name}}} is unknown here: must be one of {', '.join(sorted(known))}"))
        places = list[tuple[str, int, Kind]]()
        for name in dict.fromkeys(names):
            if name in known:
                kind: Kind = self.kinds.get(name, "number")
                if name in ("seat", "first"):
                    kind = "seat"
                places.append((name, self.places[name], kind))
        return Text(seen(text), tuple(places))

    def tried(self, built: Program) -> None:
        """Note rounds and starts that have no value at some table."""
        low, high = self.sheet.players
        for players in range(low, high + 1):
            try:
                rounds = rounds_of(built, players)
            except NoValue as fault:
                return self.errors.append((("rounds",), f"with {players} players there is {fault}: must be 1 or more"))
            if rounds is not None and rounds < 1:
                if not self.errors:
                    self.errors.append((("rounds",), f"{rounds} rounds with {players} players: must be 1 or more"))
                return None
            sides = self.sheet.teams or players
            rows: list[Row] = [[None, seat, seat % sides, 0, players] for seat in range(players)]
            SeatRows(rows, range(players))
            try:
                for row in rows:
                    built.start.run(row)
            except NoValue as fault:
                return self.errors.append((("start",), f"with {players} players there is {fault}: must have a value"))
        return None


def places_of(sheet: Sheet) -> dict[str, int]:
    """By name its place in a row."""
    names = [*(ask.id for ask in (*sheet.ask, *sheet.final)), *sheet.keep, *sheet.let]
    return {**NAMES, **{name: TURNS + 1 + n for n, name in enumerate(names)}}


def steps_of(sheet: Sheet) -> Steps:
    """The tables of steps, in rising order."""
    rising = {name: sorted((int(key), value) for key, value in table.items()) for name, table in sheet.steps.items()}
    return {
        name: (tuple([key for key, _ in pairs]), tuple([value for _, value in pairs])) for name, pairs in rising.items()
    }
