"""Count how often the wrong player is named first or last, by the kit and by four usual ways to time a press.

All methods judge the same rounds. The kit's own debounce and referee are used; hands, contacts, stamps and delays are
simulated, see docs/fairness.md. `--kernel` simulates what a kernel reports of a contact, and compares the kit's rule
with its former one. `--program` sends the rounds through the whole program: contacts that bounce and are brushed on
lines of a simulated kernel, then the program's own pin factory, debounce, loop and referee.

`--json` prints one object per method: `rounds`, `wrong_first`, `wrong_last` (both without true gaps under 0.1 ms) and
`dead_heats`, the rounds in which the first two were level. Without `--players` these are sums over 2 and 6 players, and
`players` in each object has the same four numbers for each. With `--kernel`,
`--program` or `--sheets` it prints a list, one object per table row.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from math import log10, sqrt
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple, NoReturn

from tests.simulators import fairness, first_touch, random_races, sheet_races
from tests.simulators.contact import MS
from tests.simulators.fairness import BAND_NS, BANDS_NS, BLOCK, MARGINS, METHODS, Tally
from tests.simulators.first_touch import KINDS, RULES, Kind

BOTH = (2, 6)
SEEN = ("rounds", "wrong_first", "wrong_last", "dead_heats")
TABLE = 50  # rounds of one table with `--program`
GAME = "pack_and_stack"  # played there: it names a first and a last
CAUSES = ("band", "stamp replaced")  # why they are level
WAITED = 10_000  # presses, of each kind of contact


class Result(NamedTuple):
    """All rounds with one number of players."""

    players: int
    rounds: int
    tally: Tally
    largest_ns: list[int]  # the largest lateness of each block's certificate

    def method(self, name: str) -> dict[str, int]:
        """A method for `--json`."""
        seen = (self.tally[name, what] for what in ("wrong_first", "wrong_last", "dead_first"))
        return dict(zip(SEEN, (self.rounds, *seen), strict=True))


class Touched(NamedTuple):
    """All rounds of a kind of contacts and kernel, with one number of players."""

    kind: Kind
    players: int
    rounds: int
    tally: Tally

    def as_json(self) -> dict[str, Any]:
        """The row for `--json`."""
        found: dict[str, Any] = {**self.kind._asdict(), "players": self.players, "rounds": self.rounds}
        for rule in RULES:
            seen = ("wrong_first", "wrong_last", "dead_first", "dead_last", "sparks")
            found[rule] = {what: self.tally[rule, what] for what in seen}
        return found


def sizes(rounds: int) -> list[int]:
    """The rounds of each block."""
    return [min(BLOCK, rounds - begin) for begin in range(0, rounds, BLOCK)]


def simulate(rounds: int, players: int, seed: int, processes: int) -> Result:
    """Run the rounds in blocks, each with its own random stream: the result does not depend on the processes."""
    tally: Tally = Tally()
    largest_ns: list[int] = []
    with ProcessPoolExecutor(processes) as pool:
        one = partial(fairness.block, seed, players)
        for part, largest in pool.map(one, count(), sizes(rounds), chunksize=4):
            tally.update(part)
            largest_ns.append(largest)
    return Result(players, rounds, tally, largest_ns)


def simulate_kernel(kind: Kind, rounds: int, players: int, seed: int, processes: int) -> Touched:
    """The same for races of contacts as a kernel tells of them."""
    tally: Tally = Tally()
    with ProcessPoolExecutor(processes) as pool:
        for part in pool.map(partial(first_touch.block, kind, seed, players), count(), sizes(rounds), chunksize=4):
            tally.update(part)
    return Touched(kind, players, rounds, tally)


def as_json(results: list[Result], *, apart: bool) -> dict[str, Any]:
    """An object for each method."""
    found: dict[str, Any] = {}
    for name in METHODS:
        by_players = {str(result.players): result.method(name) for result in results}
        found[name] = {what: sum(one[what] for one in by_players.values()) for what in SEEN}
        if apart:
            found[name]["players"] = by_players
    return found


def table(heads: list[str], rows: list[list[str]]) -> None:
    """Print a table for people, as docs/fairness.md has it."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]

    def line(cells: list[str]) -> str:
        right = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
        return "| " + " | ".join([cells[0].ljust(widths[0]), *right]) + " |"

    print(line(heads))
    print("|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|")
    for row in rows:
        print(line(row))


def report(result: Result) -> None:
    """Both tables of one number of players."""
    players, rounds, tally, _ = result
    left_out = [f"{tally['all', f'left_out_{end}']:,}" for end in ("first", "last")]
    print(f"\n{players} players, {rounds:,} rounds. Left out, as the true gap is under {BAND_NS / MS:g} ms:", end=" ")
    print(f"{left_out[0]} for the first, {left_out[1]} for the last.\n")
    rows = []
    for name in METHODS:
        counts = [tally[name, f"{what}_{end}"] for what in ("wrong", "dead") for end in ("first", "last")]
        rows.append([f"`{name}`", *(f"{count:,}" for count in counts)])
    expected = [rounds * fairness.dead_heats(players, BAND_NS, end) for end in ("first", "last")]
    rows.append(["theory for `ours`", "0", "0", *(f"{count:,.0f} ± {3 * sqrt(count):,.0f}" for count in expected)])
    table(["method", "wrong first", "wrong last", "level first", "level last"], rows)
    print("\nOurs with the heavier tail, by band:\n")
    heads = ["band", "ms", "level first", "wrong first", "expected", "wrong last", "expected", "inside the band"]
    by_margin = {margin: [fairness.band_of(seen, margin) for seen in result.largest_ns] for margin in MARGINS}
    table(
        heads,
        [tail_row(result, fairness.band_row(band_ns), [band_ns]) for band_ns in BANDS_NS]
        + [tail_row(result, fairness.margin_row(margin), bands_ns) for margin, bands_ns in by_margin.items()],
    )
    shares = []
    for margin, bands_ns in by_margin.items():
        above = [fairness.wrong_with_tail(players, band_ns, "first") > 1e-6 for band_ns in bands_ns]
        shares.append(f"{100 * mean(above):.1f} % at × {margin:g}")
    print(f"\nKits whose certificate leaves more than one wrong winner in a million: {', '.join(shares)}.")


def report_kernel(results: list[Touched]) -> None:
    """The races of contacts as a kernel tells of them, with one number of players."""
    print(f"\n{results[0].players} players, {results[0].rounds:,} rounds a row.\n")
    heads = ["contact", "thread", "early", "wrong first, before", "wrong last, before", "wrong first", "wrong last"]
    rows = []
    for kind, _, rounds, tally in results:
        wrong = [f"{tally[rule, f'wrong_{end}']:,}" for rule in RULES for end in ("first", "last")]
        level = [f"{100 * tally['ours', f'dead_{end}'] / rounds:.3f} %" for end in ("first", "last")]
        rows.append([contact(kind), f"{kind.thread_us} µs", f"{kind.early_us / 1000:g} ms", *wrong, *level])
    table([*heads, "level first", "level last"], rows)
    for kind, players, rounds, tally in results:
        if kind.sparks:
            before, ours = (tally[rule, "sparks"] for rule in RULES)
            print(f"\nOf {players * rounds:,} sparks before became presses: {before:,}; today: {ours:,}.")


def contact(kind: Kind) -> str:
    """What a row calls its contacts."""
    if kind.sparks:
        return "with a spark before"
    if kind.held_up:
        return "thread held up"
    return "short first touch" if kind.touched else "bounce"


def report_waits(seed: int) -> None:
    """How long a press waits until it counts."""
    print("\nFrom stamp to press, where Python has each edge as soon as it is queued:\n")
    rows = []
    for kind in first_touch.CONTACTS:
        waits_ns = first_touch.waited(kind, seed, WAITED)
        most = [f"{waits_ns[len(waits_ns) * percent // 100] / MS:.1f} ms" for percent in (50, 99)]
        rows.append([contact(kind), f"{kind.thread_us} µs", *most])
    table(["contact", "thread", "median", "p99"], rows)


def tail_row(result: Result, name: str, bands_ns: list[int]) -> list[str]:
    """One band, or one rule for bands: how often ours is wrong, and how often theory expects it."""
    players, rounds, tally, _ = result
    cells = [name, f"{median(bands_ns) / MS:.2f}", f"{100 * tally[name, 'dead_first'] / rounds:.2f} %"]
    for end in ("first", "last"):
        expected = rounds * mean(fairness.wrong_with_tail(players, band_ns, end) for band_ns in bands_ns)
        cells += [f"{tally[name, f'wrong_{end}']:,}", f"{expected:.2g}" if expected < 10 else f"{expected:.0f}"]
    return [*cells, f"{tally[name, 'inside_first']:,}"]


# --- the plot -------------------------------------------------------------------------------------------------------

LEFT, TOP, WIDTH, BAR, ROW, DECADES = 120, 78, 510, 17, 54, 6  # from 1 to a million
INK, PALE, PAPER, GRID, COLORS = "#22262b", "#5b636d", "#fbfaf7", "#d9d6cf", ("#3b7dd8", "#d98324")
FONT = "font-family='system-ui, sans-serif'"


def plot(results: list[Result]) -> str:
    """Wrong winners in a million by method, on a log scale, as SVG with its own paper, for pages light or dark."""
    bottom = TOP + len(METHODS) * ROW
    size = f"{LEFT + WIDTH + 60} {bottom + 56}"
    out = [
        "<!-- Made by scripts/bench fairness. -->",
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {size}' {FONT} font-size='13' fill='{INK}'>",
        "<title>Wrong winners in a million rounds, by method</title>",
        f"<rect width='100%' height='100%' rx='8' fill='{PAPER}'/>",
        "<text x='20' y='30' font-size='17' font-weight='600'>Wrong winners in a million rounds</text>",
        f"<text x='20' y='52' fill='{PALE}'>log scale; the same simulated rounds for every method</text>",
    ]
    for n, result in enumerate(results):
        x = LEFT + WIDTH - 130 + 95 * n
        out += [
            f"<rect x='{x}' y='20' width='12' height='12' rx='2' fill='{COLORS[n]}'/>",
            f"<text x='{x + 18}' y='31'>{result.players} players</text>",
        ]
    for decade in range(DECADES + 1):
        x = round(LEFT + WIDTH * decade / DECADES)
        out += [
            f"<path d='M{x} {TOP - 8}V{bottom}' stroke='{GRID}'/>",
            f"<text x='{x}' y='{bottom + 20}' text-anchor='middle' fill='{PALE}'>{10**decade:,}</text>",
        ]
    out.append(f"<text x='{LEFT}' y='{bottom + 42}' fill='{PALE}'>true gaps under 0.1 ms left out</text>")
    for row, name in enumerate(METHODS):
        out.append(f"<text x='{LEFT - 12}' y='{TOP + row * ROW + 24}' text-anchor='end'>{name}</text>")
        for n, result in enumerate(results):
            y = TOP + row * ROW + n * (BAR + 2)
            wrong = result.tally[name, "wrong_first"]
            million = 1e6 * wrong / result.rounds
            length = round(WIDTH * max(log10(million), 0) / DECADES) if wrong else 0
            label = f"{million:,.0f}" if wrong else f"0 of {result.rounds:,} rounds"
            out += [
                f"<rect x='{LEFT}' y='{y}' width='{length}' height='{BAR}' fill='{COLORS[n]}'/>",
                f"<text x='{LEFT + length + 8}' y='{y + 13}'>{label}</text>",
            ]
    return "\n".join([*out, "</svg>\n"])


# --- the command ----------------------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """A whole number within limits, as an argument."""

    def read(text: str) -> int:
        limits = f"from {low} to {high}" if high is not None else f"of {low} or more"
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"{text!r}: must be a whole number {limits}")
        return number

    return read


def new_file(text: str) -> Path:
    """A file that can be written, checked before minutes of work."""
    path = Path(text)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text}: cannot be written")
    return path


def kernel(both: tuple[int, ...], args: argparse.Namespace) -> None:
    """The tables of `--kernel`, or their rows."""
    found = []
    for players in both:
        touched = [simulate_kernel(kind, args.rounds, players, args.seed, args.processes) for kind in KINDS]
        found += touched
        if not args.json:
            report_kernel(touched)
            sys.stdout.flush()
    if args.json:
        print(json.dumps([one.as_json() for one in found]))
    else:
        report_waits(args.seed)


def of_sheets(both: tuple[int, ...], args: argparse.Namespace) -> None:
    """The table of the races of sheets, or its rows."""
    heads = ["rounds", "wrong_first", "wrong_last", "wrong_jump", "level_first", "level_last"]
    found = [
        (kind, players, sheet_races.races(kind, players, args.rounds, args.seed))
        for players in both
        for kind in sheet_races.KINDS
    ]
    if args.json:
        print(json.dumps([{"kind": k, "players": n, **{head: tally[head] for head in heads}} for k, n, tally in found]))
    else:
        rows = [[f"{kind}, {n} players", *(f"{tally[head]:,}" for head in heads)] for kind, n, tally in found]
        table(["race", *(head.replace("_", " ") for head in heads)], rows)


def at_table(seed: int, players: int, number: int, rounds: int) -> Counter[str] | str:
    """Rounds at one table, or what must not happen."""
    kind, draw = random_races.Kind(), random_races.as_people_press
    return random_races.or_fault(random_races.races, seed + number, kind, GAME, rounds, players, draw)


def through_program(both: tuple[int, ...], args: argparse.Namespace) -> NoReturn:
    """The table of `--program`, or its rows. Exits with 1 after a fault."""
    heads = ("races", "faults", *(f"{end} level: {cause}" for end in ("first", "last") for cause in CAUSES))
    found = list[dict[str, int]]()
    for players in both:
        tally, many = Counter[str](), [min(TABLE, args.rounds - begin) for begin in range(0, args.rounds, TABLE)]
        with ProcessPoolExecutor(args.processes) as pool:
            for part in pool.map(partial(at_table, args.seed, players), range(len(many)), many):
                if isinstance(part, str):
                    print(part, file=sys.stderr, flush=True)
                    tally["faults"] += 1
                else:
                    tally += part
        found.append({"players": players, **{head: tally[head] for head in heads}})
    if args.json:
        print(json.dumps(found))
    else:
        table(["players", *heads], [[f"{count:,}" for count in row.values()] for row in found])
    sys.exit(any(row["faults"] for row in found))


def main() -> None:
    cores = os.cpu_count() or 1
    parser = Parser(
        prog="scripts/bench fairness", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rounds", type=whole(1), default=1_000_000, metavar="N", help="number of rounds (default 1,000,000)"
    )
    parser.add_argument("--players", type=whole(2, 6), metavar="N", help="number of players, 2 to 6 (default: 2 and 6)")
    parser.add_argument("--seed", type=whole(0), default=0, metavar="N", help="seed of the rounds (default 0)")
    parser.add_argument(
        "--processes",
        type=whole(1, 64),
        default=min(cores, 64),
        metavar="N",
        help="number of processes (default: one per core)",
    )
    parser.add_argument(
        "--kernel", action="store_true", help="simulate contacts as a kernel reports them; takes ten times as long"
    )
    parser.add_argument(
        "--program", action="store_true", help="send the rounds through the whole program; 30 rounds a second"
    )
    parser.add_argument("--sheets", action="store_true", help="only the races of score sheets, of each kind")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument("--plot", type=new_file, metavar="FILE", help="draw wrong winners by method, as SVG")
    args = parser.parse_args()
    if args.kernel and args.plot is not None:
        parser.error("give --plot or --kernel, not both")
    if args.program and (args.kernel or args.sheets or args.plot is not None):
        parser.error("give --program alone")
    both = BOTH if args.players is None else (args.players,)
    if args.kernel:
        kernel(both, args)
        return
    if args.program:
        through_program(both, args)
    if args.sheets:
        of_sheets(both, args)
        return
    results = []
    for players in both:
        results.append(simulate(args.rounds, players, args.seed, args.processes))
        if not args.json:
            report(results[-1])
            sys.stdout.flush()
    if args.json:
        print(json.dumps(as_json(results, apart=args.players is None)))
    if args.plot is not None:
        args.plot.write_text(plot(results), encoding="utf-8")


if __name__ == "__main__":
    main()
