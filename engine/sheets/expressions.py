"""Expressions of a score sheet: read by Python's own grammar, checked node by node, compiled to closures.

Nothing of a text is ever run by Python: what is not listed here is refused.
"""

import ast
import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from engine.words import N_

MOST = 400  # characters
DEEPEST = 30  # levels; a long sum, product or choice of conditions is one
SEATS_DEEPEST = 2  # functions over seats within each other
LIMIT = 10**9  # every value is smaller than this in size

OVER_SEATS = ("sum", "others", "team", "count", "most", "least", "place")
FUNCTIONS = ("abs", "min", "max", "steps", *OVER_SEATS)
WORDS = ("and", "or", "not", "if", "else")
ALLOWED = (
    f"must be made of whole numbers, names, + - * // %, comparisons, {', '.join(WORDS)}, "
    f"and the functions {', '.join(FUNCTIONS)}"
)

DIVIDED, TOO_LARGE = N_("a division by 0"), N_("a number has 10 digits")  # faults

MEANT: Mapping[str, str] = {  # signs that people write, and what they mean by them
    "/": "// (divided, rounded down)",
    "=>": ">= (at least)",
    "=<": "<= (at most)",
    "=": "== (is the same as)",
    "×": "* (times)",
    "−": "- (minus)",
    "≥": ">= (at least)",
    "≤": "<= (at most)",
    "≠": "!= (is not the same as)",
    "&": "and",
    "|": "or",
    "!": "not",
    "?": "a if x else b",
    ".": "a whole number, without a point",
}

TABLE, SEAT, SIDE, IN = range(4)  # the first places of every row
FIRST_FREE = 4  # from here on a row has the values of the names

TOKEN = re.compile(r"\s+|[A-Za-z_][A-Za-z_0-9]*|[0-9]+(?![A-Za-z_0-9])|//|[<>=!]=|[-+%()<>,]|\*(?!\*)")
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
STEPS = re.compile(r"\bsteps\s*\(\s*\Z")  # what stands before the name of a table
OPERATORS: Mapping[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

Row: TypeAlias = list[Any]  # what one seat knows: its table, its seat, its side, whether it is in, then its values
Run: TypeAlias = Callable[[Row], int]
Steps: TypeAlias = Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]  # by name: keys in rising order, their values


class NoValue(Exception):
    """An expression has no value here. The text is for people."""


class BadExpression(Exception):
    """An expression is refused: why, and at which column, from 1."""

    def __init__(self, text: str, column: int) -> None:
        super().__init__(text)
        self.column = column


class SeatRows:
    """The rows of a table, and what functions over seats have reckoned since the last change."""

    __slots__ = ("inside", "reckoned", "rows")

    def __init__(self, rows: list[Row], inside: Iterable[int]) -> None:
        self.rows = rows
        self.inside = [rows[seat] for seat in inside]  # of the seats that are in
        self.reckoned: dict[object, list[int]] = {}
        for row in rows:
            row[TABLE], row[IN] = self, 0
        for row in self.inside:
            row[IN] = 1

    def changed(self) -> None:
        """Values of rows are others now."""
        if self.reckoned:
            self.reckoned = {}


class Expression(NamedTuple):
    """A compiled expression."""

    text: str
    run: Run  # raises `NoValue`
    names: frozenset[str]  # that it reads
    steps: tuple[int, int] = (0, 0)  # how many there are for a seat: plain ones, and those over all seats

    def cost(self, players: int) -> int:
        """How many steps it takes for all seats."""
        plain, over_seats = self.steps
        return players * (plain + players * over_seats)


def compiled(text: str, places: Mapping[str, int], known: Collection[str], steps: Steps) -> Expression:
    """The expression of a text. `places`: by name its place in a row; of these only the `known` may be read here.

    Raises `BadExpression`.
    """
    _scan(text, places, known, steps)
    shift = len(text) - len(text.lstrip())
    compiler = _Compiler(places, steps, shift)
    run = compiler.made(_tree(text, shift), DEEPEST + 1, SEATS_DEEPEST)
    return Expression(text, run, frozenset(compiler.names), (compiler.plain, compiler.over_seats))


def _tree(text: str, shift: int) -> ast.expr:
    body = re.sub(r"\s", " ", text.strip())
    try:
        return ast.parse(body, mode="eval").body
    except SyntaxError as error:
        column = min(error.offset or len(body), len(body))  # 0: at its end
        raise BadExpression(f"is no expression: {ALLOWED}", shift + column) from None
    except (RecursionError, MemoryError, ValueError):
        raise BadExpression(f"is nested too deep: must be at most {DEEPEST} deep", 1) from None


def _scan(text: str, places: Mapping[str, int], known: Collection[str], steps: Steps) -> None:
    """Refuse what could be dangerous or slow to parse, and every unknown word, at its column."""
    if len(text) > 4 * MOST or len(" ".join(text.split())) > MOST:
        raise BadExpression(f"is longer than {MOST} characters: must be shorter", MOST)
    if not text.strip():
        raise BadExpression(f"is empty: {ALLOWED}", 1)
    depth = at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise BadExpression(_no_token(text, at), at + 1)
        word = found[0]
        if word == "(":
            depth += 1
            if depth > DEEPEST:
                raise BadExpression(f"is nested too deep: must be at most {DEEPEST} deep", at + 1)
        elif word == ")":
            depth -= 1
        elif word[0].isdigit() and not NUMBER.fullmatch(word):
            raise BadExpression(f"{word[:12]} is no number here: must be from 0 to {LIMIT - 1}", at + 1)
        elif (word[0].isalpha() or word[0] == "_") and not _is_known(word, known, steps, text[:at]):
            why = "is not known here yet" if word in places else "is unknown"
            raise BadExpression(f"{word[:40]} {why}: must be one of {', '.join(sorted(known))}", at + 1)
        at = found.end()
    if depth:
        which = "opened and not closed" if depth > 0 else "closed and not opened"
        raise BadExpression(f"a bracket is {which}: must have as many ( as )", len(text.rstrip()))
    ifs = [found.start() for found in re.finditer(r"\bif\b", text)]
    if len(ifs) > len(re.findall(r"\belse\b", text)):
        raise BadExpression("has an if without else: must be like a if x else b", ifs[0] + 1)


def _is_known(word: str, known: Collection[str], steps: Steps, before: str) -> bool:
    return word in known or word in FUNCTIONS or word in WORDS or word in steps or bool(STEPS.search(before))


def _no_token(text: str, at: int) -> str:
    sign = text[at]
    if sign.isascii() and sign.isdigit():
        return "is no number: must be written in the digits 0 to 9, with * before a name"
    for meant in (text[at : at + 2], sign):
        if meant in MEANT:
            return f"{meant} is unknown: must be {MEANT[meant]}"
    return f"{sign!r} is unknown: {ALLOWED}" if text[at : at + 2] != "**" else f"** is unknown: {ALLOWED}"


class _Compiler:
    """One expression on its way from nodes to closures."""

    def __init__(self, places: Mapping[str, int], steps: Steps, shift: int) -> None:
        self.places, self.steps, self.shift = places, steps, shift
        self.names: set[str] = set()
        self.plain = self.over_seats = 0  # nodes

    def wrong(self, node: ast.expr, text: str) -> BadExpression:
        return BadExpression(text, self.shift + node.col_offset + 1)

    def made(self, node: ast.expr, levels: int, over: int) -> Run:
        """The closure of a node, which may have so many levels, and functions over seats, below it."""
        self.plain += 1
        match node:
            case ast.Constant(value=int(number)):
                return lambda row: number
            case ast.Name(id=name):
                if name not in self.places:
                    raise self.wrong(node, f"{name} is a function or a table: must be used as one, like sum(x)")
                self.names.add(name)
                return operator.itemgetter(self.places[name])
        if levels == 0:
            raise self.wrong(node, f"is nested too deep: must be at most {DEEPEST} deep")
        levels -= 1
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.made(operand, levels, over)
                return lambda row: -value(row)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.made(operand, levels, over)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                value = self.made(operand, levels, over)
                return lambda row: 0 if value(row) else 1
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self.chain(node, (ast.Add, ast.Sub), levels, over)
            case ast.BinOp(op=ast.Mult() | ast.FloorDiv() | ast.Mod()):
                return self.chain(node, (ast.Mult, ast.FloorDiv, ast.Mod), levels, over)
            case ast.BoolOp(op=op, values=values):
                return _any_or_all([self.made(one, levels, over) for one in values], all_=isinstance(op, ast.And))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, which, no = [self.made(one, levels, over) for one in (body, test, orelse)]
                return lambda row: yes(row) if which(row) else no(row)
            case ast.Compare(left=left, ops=ops, comparators=right):
                if all(type(op) in OPERATORS for op in ops):
                    values_ = [self.made(one, levels, over) for one in (left, *right)]
                    return _compared(values_, [OPERATORS[type(op)] for op in ops])
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return self.call(node, name, arguments, levels, over)
            case ast.Call(func=ast.Name(id=name)):
                raise self.wrong(node, f"{name} is no function: must be one of {', '.join(FUNCTIONS)}")
            case ast.Call(func=ast.Constant()):
                raise self.wrong(node, "a number stands before a bracket: must have * between them")
        raise self.wrong(node, ALLOWED)

    def chain(self, node: ast.expr, kinds: tuple[type[ast.operator], ...], levels: int, over: int) -> Run:
        """A sum or a product of many parts, one level: reckoned from left to right."""
        parts: list[tuple[Callable[[int, int], int], Run]] = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, kinds):
            parts.append((OPERATORS[type(node.op)], self.made(node.right, levels, over)))
            node = node.left
        return _chained(self.made(node, levels, over), parts[::-1])

    def call(self, node: ast.Call, name: str, arguments: list[ast.expr], levels: int, over: int) -> Run:
        fewest, most = {"steps": (2, 2), "min": (2, MOST), "max": (2, MOST)}.get(name, (1, 1))
        if not fewest <= len(arguments) <= most:
            many = "2 or more values" if most == MOST else "a table and a value" if fewest == 2 else "one value"
            raise self.wrong(node, f"{name} has {len(arguments)} values: must have {many}")
        if name == "steps":
            table, value = arguments
            if not isinstance(table, ast.Name) or table.id not in self.steps:
                known = ", ".join(self.steps) or "a table, and the sheet has none"
                raise self.wrong(table, f"steps needs the name of a table: must be {known}")
            return _stepped(*self.steps[table.id], self.made(value, levels, over))
        if name in OVER_SEATS:
            if over == 0:
                text = f"{name} is one function over seats too deep: must be at most {SEATS_DEEPEST} in each other"
                raise self.wrong(node, text)
            self.over_seats += 1
            return _over_seats(name, self.made(arguments[0], levels, over - 1))
        values = [self.made(one, levels, over) for one in arguments]
        if name == "abs":
            return lambda row: abs(values[0](row))
        best = min if name == "min" else max
        if len(values) == 2:
            one, other = values
            return lambda row: best(one(row), other(row))
        return lambda row: best([value(row) for value in values])


def within(value: int) -> int:
    """The value, if it is small enough. Raises `NoValue`."""
    if -LIMIT < value < LIMIT:
        return value
    raise NoValue(TOO_LARGE)


def _chained(first: Run, parts: list[tuple[Callable[[int, int], int], Run]]) -> Run:
    def chained(row: Row) -> int:
        value = first(row)
        try:
            for reckon, part in parts:
                value = reckon(value, part(row))
                if not -LIMIT < value < LIMIT:
                    raise NoValue(TOO_LARGE)
        except ZeroDivisionError:
            raise NoValue(DIVIDED) from None
        return value

    if len(parts) > 1:
        return chained
    ((reckon, second),) = parts

    def both(row: Row) -> int:
        try:
            value = reckon(first(row), second(row))
        except ZeroDivisionError:
            raise NoValue(DIVIDED) from None
        if -LIMIT < value < LIMIT:
            return value
        raise NoValue(TOO_LARGE)

    return both


def _compared(values: list[Run], reckons: list[Callable[[int, int], int]]) -> Run:
    if len(reckons) == 1:
        (left, right), (reckon,) = values, reckons
        return lambda row: 1 if reckon(left(row), right(row)) else 0

    def compared(row: Row) -> int:
        left = values[0](row)
        for reckon, value in zip(reckons, values[1:], strict=True):
            right = value(row)
            if not reckon(left, right):
                return 0
            left = right
        return 1

    return compared


def _any_or_all(values: list[Run], *, all_: bool) -> Run:
    if len(values) == 2:
        one, other = values
        if all_:
            return lambda row: 1 if one(row) and other(row) else 0
        return lambda row: 1 if one(row) or other(row) else 0
    if all_:
        return lambda row: 1 if all(value(row) for value in values) else 0
    return lambda row: 1 if any(value(row) for value in values) else 0


def _stepped(keys: tuple[int, ...], worth: tuple[int, ...], value: Run) -> Run:
    """The value of the largest key that is not above; below the first 0."""

    def stepped(row: Row) -> int:
        at = bisect_right(keys, value(row))
        return worth[at - 1] if at else 0

    return stepped


def _over_seats(name: str, argument: Run) -> Run:
    """A function over the seats that are in. What the argument is for each of them is reckoned once between changes."""

    def all_(row: Row) -> list[int]:
        table: SeatRows = row[TABLE]
        found = table.reckoned.get(argument)
        if found is None:
            found = table.reckoned[argument] = [argument(one) for one in table.inside]
        return found

    def others(row: Row) -> int:
        return within(sum(all_(row)) - (argument(row) if row[IN] else 0))

    def team(row: Row) -> int:
        side, table = row[SIDE], row[TABLE]
        return within(sum([n for one, n in zip(table.inside, all_(row), strict=True) if one[SIDE] == side]))

    def place(row: Row) -> int:
        own = argument(row)
        return 1 + sum([n > own for n in all_(row)])

    functions: dict[str, Run] = {
        "sum": lambda row: within(sum(all_(row))),
        "others": others,
        "team": team,
        "count": lambda row: sum([n != 0 for n in all_(row)]),
        "most": lambda row: max(all_(row), default=0),
        "least": lambda row: min(all_(row), default=0),
        "place": place,
    }
    return functions[name]
