"""Measure the expressions of score sheets: how long refusing and reckoning take, for all shipped sheets and at worst.

Refused: the time from an expression's text to its error, the median of many; at worst of all kinds. Reckoned: an
expression for one seat, with nothing reckoned before; at worst of all of a sheet, in random games of most players.
A round: the fold of one, of a sheet for 12 players with as many steps as a file may have, by what its formulas are made
of; and of the shipped sheet with most steps. Actions a second: through act(), of each shipped sheet, the slowest ones.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from engine.game import NoOptions
from engine.sheets.expressions import BadExpression, Expression, NoValue, SeatRows, compiled
from engine.sheets.limits import MOST_NAMED, MOST_STEPS
from engine.sheets.program import NAMES, Program
from engine.sheets.reading import read
from engine.sheets.rules import rules
from engine.sheets.state import SheetState, Uncountable, rows, scored
from firmware.random_play.strangers import moves
from scripts.benches.kit import actions_per_s
from tests.simulators.every_game import names, rules_of

PLACES = {**NAMES, "a": max(NAMES.values()) + 1}
PLAYERS, MOST = 12, 400
REFUSED = {
    "an unknown name at the end": "a+" * 199 + "b",
    "400 signs of not": "not " * 99 + "a",
    "31 brackets": "(" * 31 + "a" + ")" * 31,
    "minus signs": "-" * 399 + "a",
    "too long": "a+" * 500 + "a",
    "three functions over seats": "sum(sum(sum(" + "a+" * 190 + "a)))",
    "a text": "'a' % (1)" * 40,
    "no expression": "a+" * 199 + "(",
    "comparisons without end": "a<" * 199 + "b",
    "commas": "max(" + "a," * 190 + "b)",
}
WORST = {  # legal: 400 signs, functions over seats two deep
    "sums in a sum": "sum(" + "+".join(["sum(a)"] * 55) + ")",
    "sums of sums": "+".join(["sum(sum(a))"] * 33),
    "others of others": "+".join(["others(others(a))"] * 22),
    "places of places": "+".join(["place(place(a))"] * 25),
    "team of others of a long sum": "team(others(" + "a+" * 190 + "a))",
    "most of many": "most(max(" + ",".join(["most(a)"] * 48) + "))",
    "a long product": "*".join(["1"] * 199),
    "conditions": "sum(" + " if a else ".join(["sum(a)"] * 20) + ")",
}


def times_ms(action: Callable[[], object], repeats: int) -> float:
    """How long it takes, the median of many times."""
    found = []
    for _ in range(repeats):
        began_ns = time.perf_counter_ns()
        action()
        found.append((time.perf_counter_ns() - began_ns) / 1e6)
    return statistics.median(found)


def refuse(text: str) -> None:
    try:
        compiled(text, PLACES, PLACES.keys(), {})
    except BadExpression:
        return
    raise AssertionError(f"is legal: {text}")


def expressions(program: Program) -> tuple[Expression, ...]:
    """Those that are reckoned after an answer or at the end."""
    named = (*program.lets, *program.keeps)
    several = (*(one.value for one in named), *(check.that for check in program.checks), *program.extra, *program.win)
    some = (program.points, program.total, program.end, program.out, program.together)
    return (*several, *(one for one in some if one is not None))


def reckoned_ms(expression: Expression, table: SeatRows) -> float:
    """One seat, the first one: it reckons what it reads of the others."""

    def run() -> None:
        table.reckoned = {}
        try:
            expression.run(table.inside[0])
        except NoValue:
            return

    return times_ms(run, 15)


def shipped(name: str) -> dict[str, Any]:
    """The slowest expression of a sheet at most players."""
    rules = rules_of(name)
    found = [(0.0, "")]
    players = tuple(f"P{n + 1}" for n in range(rules.seats[1]))
    for move in islice(moves(rules, players, 1), 0, 200, 25):
        table = rows(move.after.state)
        found += [(reckoned_ms(one, table), one.text) for one in expressions(move.after.state.game.program)]
    worst, text = max(found)
    return {"ms": round(worst, 4), "expression": text}


def worst_ms(text: str) -> float:
    assert len(text) <= MOST, len(text)
    expression = compiled(text, PLACES, PLACES.keys(), {})
    made: list[list[Any]] = [[None, n, n % 2, 0, *[1] * (len(NAMES) + 1)] for n in range(PLAYERS)]
    return reckoned_ms(expression, SeatRows(made, range(PLAYERS)))


def round_at_limit_ms(text: str) -> float:
    """The fold of a round of as many formulas of this kind as a file may have."""
    one = compiled(text, PLACES, PLACES.keys(), {}).cost(PLAYERS)
    many = max(1, (MOST_STEPS - 1000) // one)  # beside them stand those that every sheet has
    lets = "".join(f"let.l{n} = '{text}'\n" for n in range(min(many, MOST_NAMED - 2)))
    sheet = read(f'title = "T"\nplayers = [1, {PLAYERS}]\nteams = 2\nask = [{{ id = "a" }}]\npoints = "0"\n{lets}')
    state = rules("sheet:bench", sheet).start(PLAYERS, NoOptions())
    return folded_ms(state.with_answers(0, (1,) * PLAYERS, state.ask))


def opened_ms(name: str) -> float:
    """Reading and compiling its text, as a game that begins with it does."""
    text = rules_of(name).text

    def open_() -> None:
        rules(name, read(text))

    return times_ms(open_, 7)


def largest() -> dict[str, Any]:
    """The fold of a round of the shipped sheet with most steps, at most players."""
    programs = {name: program_of(name) for name in names() if name.startswith("sheet:")}
    name = max(programs, key=lambda name: programs[name].steps)
    game = rules_of(name)
    players = tuple(f"P{n + 1}" for n in range(game.seats[1]))
    found = [folded_ms(move.before.state) for move in islice(moves(game, players, 1), 0, 400, 10)]
    return {"steps": programs[name].steps, "largest": name, "ms": round(max(found), 3)}


def program_of(name: str) -> Program:
    state = rules_of(name).start(rules_of(name).seats[1], NoOptions())
    found: Program = state.game.program
    return found


def folded_ms(state: SheetState) -> float:
    def fold() -> None:
        with suppress(Uncountable):
            scored(state)

    return times_ms(fold, 15)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench sheets", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    args = parser.parse_args()
    sheets = {name: shipped(name) for name in names() if name.startswith("sheet:")}
    slowest = max(sheets, key=lambda name: float(sheets[name]["ms"]))
    opened = {name: opened_ms(name) for name in sheets}
    actions = {name: actions_per_s(name, 600, 0.25) for name in sheets}
    found = {
        "refused_ms": {what: round(times_ms(partial(refuse, text), 31), 3) for what, text in REFUSED.items()},
        "worst_legal_ms": {what: round(worst_ms(text), 3) for what, text in WORST.items()},
        "shipped": {"sheets": len(sheets), "slowest": slowest, **sheets[slowest]},
        "round_at_limit_ms": {what: round(round_at_limit_ms(text), 3) for what, text in WORST.items()},
        "round_of_the_largest_shipped": largest(),
        "opened_ms": {"slowest": max(opened, key=lambda name: opened[name]), "ms": round(max(opened.values()), 2)},
        "actions_per_s": {
            **{name: actions[name] for name in sorted(actions, key=lambda name: actions[name])[:6]},
            "median": round(statistics.median(actions.values())),
            "goal": 25_000,
        },
        "goals_ms": {"refused": 1, "worst_legal": 2, "shipped": 0.2, "round_at_limit": 5, "opened": 5},
    }
    if args.json:
        print(json.dumps(found))
        return
    for name, table in found.items():
        print(name)
        for what, value in table.items():
            print(f"  {what:32}{value}")


if __name__ == "__main__":
    main()
