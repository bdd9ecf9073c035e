"""Measure what presses and messages cost late in a long game, beside early in it; memory by presses; starts by sheet.

Each game is played at random to round 10 and to round 200, or as far as it goes; then once more after the kit was
switched off and on. A cost is what the kit's loop takes on one core, the median of several: to decide, fold and write
it, to make the news of one page, two phones and a board, to draw. Run it on a quiet machine.
"""

import argparse
import contextlib
import gc
import json
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from engine import games
from engine import play as plays
from engine.rules import Refused
from firmware.journal.writer import Journal
from tests.simulators.every_game import TEN
from tests.simulators.long_games import Lasting, LongTable, long, rounds_played
from tests.simulators.program import ROOT, Program, played_before

EARLY, LATE, TIMES, MS = 10, 200, 15, 1_000_000
NAMES = (*games.names(), *TEN.values())
GOAL, UNDO_MS, ROUND_US, READY_S = 2.0, 1.0, 100, 2.0
PRESSED = (1000, 6000)  # answers
HEAD = 'title = "Large"\nplayers = [2, 4]\n'
SHEETS: dict[str, Callable[[int], str]] = {
    "a shipped one": lambda n: (ROOT / "firmware/shelf/hearts.toml").read_text(),
    "asks with a condition": lambda n: (
        HEAD
        + "ask = [\n"
        + "".join(f'  {{ id = "a{i}", title = "S", high = 30, when = "round > 900" }},\n' for i in range(n // 65))
        + '  { id = "z", high = 9 },\n]\n'
    ),
    "as many asks as there is room for": lambda n: (
        HEAD + "ask = [\n" + "".join(f'{{id="a{i}"}},\n' for i in range(n // 14)) + "]\n"
    ),
    "lets, each of the one before": lambda n: (
        HEAD
        + 'ask = [{ id = "n" }]\n[let]\n'
        + "".join(f'l{i} = "{f"l{i - 1} + 1" if i else "n"}"\n' for i in range(n // 21))
    ),
    "checks": lambda n: (
        HEAD + 'ask = [{ id = "n" }]\ncheck = [\n' + "".join(f'  "n < {i + 1000}",\n' for i in range(n // 16)) + "]\n"
    ),
}


def took_ms(do: Callable[[], object]) -> float:
    began_ns = time.process_time_ns()
    do()
    return (time.process_time_ns() - began_ns) / MS


def many_ms(do: Callable[[], object], times: int = TIMES) -> float | None:
    """The median of so many, or of as many as there are."""
    found = list[float]()
    with contextlib.suppress(Refused):
        for _ in range(times):
            found.append(took_ms(do))
    return round(statistics.median(found), 3) if found else None


def costs(table: LongTable) -> dict[str, float | None]:
    """What people do and what phones say, in ms."""
    play, now_ns = table.game.play, table.rig.now_ns

    def undo() -> None:
        nonlocal play
        play = reduce(plays.fold, plays.undo(play, now_ns), play)

    found = {"undo, in the engine": many_ms(undo), "undo": many_ms(table.undo), "redo": many_ms(table.redo)}
    found["answer"] = round(statistics.median([took_ms(do) for _, do in islice(table.answers(), 2 * TIMES)]), 3)
    table.rig.after(20_000)
    table.rig.app.table.close_all()
    found["nothing"] = many_ms(partial(table.rig.app.step, table.rig.now_ns))
    for kind, refused in table.stale().items():
        found[kind] = many_ms(refused)
    for kind, (phone, message) in table.messages().items():
        times = 1 if kind == "undo, asked" else TIMES
        found[kind] = many_ms(partial(table.say, phone, message), times)
    return found


def by_rounds(name: str) -> dict[str, Any]:
    """The costs of a game early and late, fresh and after a restart."""
    found: dict[str, Any] = {}
    for rounds in (EARLY, LATE):
        for again in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                table = LongTable(Path(folder), long(name, rounds), again=again)
                found[f"{'early' if rounds == EARLY else 'late'}{', again' if again else ''}"] = costs(table)
                table.rig.close()
    game = long(name, LATE)
    gc.disable()  # as while the program starts
    fastest_ms = min([took_ms(lambda: plays.replay(game.rules, game.facts)) for _ in range(5)])
    gc.enable()
    found["replay_us_a_round"] = round(fastest_ms * 1000 / max(1, rounds_played(game.play)))
    return found


def kept_bytes(name: str) -> dict[str, int]:
    """What the engine keeps after so many answers."""
    game = long(name, 1)
    player, play, now_ns, found = Lasting(game.rules, Random(1)), game.play, game.now_ns, dict[str, int]()
    tracemalloc.start()
    for n in range(1, PRESSED[-1] + 1):
        action = player.pick(play.offers, now_ns, now_ns)
        now_ns = max(now_ns, action.at_ns) + MS
        facts = plays.answer(play, action)
        player.heard(play, action.verb, action.value, facts)
        play = reduce(plays.fold, facts, play)
        if n in PRESSED or play.over:
            found[f"{n} answers"] = tracemalloc.get_traced_memory()[0]
        if play.over:
            break
    tracemalloc.stop()
    return found


def start_s(text: str) -> float:
    """How long the program takes to be ready where it was cut off in a game of this sheet."""
    from engine.rules import Action
    from firmware.journal.sheets import rules as of_text

    rules = of_text("sheet:large", text)
    with tempfile.TemporaryDirectory() as folder:
        state = played_before(Path(folder))
        players = tuple([f"P{n + 1}" for n in range(rules.seats[0])])
        first = plays.start(rules, players, rules.options(), 1, 1)
        play, facts = plays.opened(rules, first), [first]
        for n in range(20):
            offer = next(one for one in play.offers if not one.menu)
            new = plays.answer(play, Action(offer.seat, offer.verb, offer.low, n + 2))
            play, facts = reduce(plays.fold, new, play), [*facts, *new]
        journal = Journal(state / "journal.db", "yesterday", lambda ticket: None, lambda text: None)
        journal.write(journal.begin_game(rules.name, text), facts)
        journal.close()
        began_s = time.monotonic()
        with Program("-m", "firmware", "play", "--emulated", "--port", "0", STATE_DIRECTORY=str(state)):
            return round(time.monotonic() - began_s, 2)


def ratio(costs_: dict[str, Any], kind: str, again: str) -> float | None:
    """How many times as much something costs late as early."""
    early, late = costs_[f"early{again}"].get(kind), costs_[f"late{again}"].get(kind)
    return None if not early or not late else round(late / early, 2)


def rows(found: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """A line each, and whether it keeps the goals."""
    for name, each in found["rounds"].items():
        for kind in ("answer", "undo", "redo", "undo, in the engine"):
            values = {when: each[when].get(kind) for when in ("early", "late", "early, again", "late, again")}
            ratios = [one for again in ("", ", again") if (one := ratio(each, kind, again)) is not None]
            good = all(one <= GOAL for one in ratios)
            if kind == "undo, in the engine":
                good = all(value is None or value <= UNDO_MS for value in values.values())
            yield f"{name}: {kind}", {**values, "ratios": ratios}, good
        yield (
            f"{name}: a restart",
            {"us_a_round": each["replay_us_a_round"]},
            (not name.startswith("sheet:") or each["replay_us_a_round"] <= ROUND_US),
        )
    kinds = {kind for each in found["rounds"].values() for kind in each["late"]} - {"answer", "undo", "redo"}
    for kind in sorted(kinds - {"undo, in the engine"}):
        worst = max(
            (one, name, again)
            for name, each in found["rounds"].items()
            for again in ("", ", again")
            if (one := ratio(each, kind, again)) is not None
        )
        most = max(
            each[f"late{again}"].get(kind) or 0 for each in found["rounds"].values() for again in ("", ", again")
        )
        yield (
            f"message: {kind}",
            {"most_ms": most, "worst_ratio": worst[0], "in": worst[1] + worst[2]},
            worst[0] <= GOAL,
        )
    for name, each in found["memory"].items():
        yield f"memory: {name}", {at: f"{value / 1e6:.2f} MB" for at, value in each.items()}, True
    for sheet, seconds in found["start"].items():
        yield f"start: {sheet}", {"ready_s": seconds}, seconds <= READY_S


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench rounds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=NAMES, help="only this one; may be given several times")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    names = asked.game or NAMES
    found = {
        "rounds": {name: by_rounds(name) for name in names},
        "memory": {name: kept_bytes(name) for name in names},
        "start": {name: start_s(made(60_000)) for name, made in SHEETS.items()},
    }
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    for title, values, good in rows(found):
        told = "  ".join(f"{key} {value}" for key, value in values.items())
        print(f"{title:44}", told, "" if good else "  above its goal")


if __name__ == "__main__":
    main()
