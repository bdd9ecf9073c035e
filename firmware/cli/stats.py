"""`luckypaw people` and `luckypaw stats`: who plays here, and how."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TextIO

import msgspec

from firmware import local_time, new_file, spreadsheet
from firmware.cli import Failure, in_words, state_dir
from firmware.cli.tables import print_table
from firmware.output.race_evidence import short, with_error
from firmware.people.names import key
from firmware.spreadsheet import Row, TableForm
from firmware.statistics import bgstats
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import MANY, Figures
from firmware.statistics.plain_values import Data, said
from firmware.translation import _, ngettext, translated

COLUMN = 14
STDOUT = (None, Path("-"), Path("/dev/stdout"))
LOWEST = 19  # priority


@contextmanager
def data() -> Iterator[Data]:
    """All figures of this journal. Raises `Failure`, `sqlite3.Error`."""
    with suppress(OSError):  # a service may not be allowed to
        os.nice(LOWEST)  # a game may be on: it comes first
    local_time.use(state_dir())
    try:
        sums = up_to_date(state_dir())
    except OSError as error:
        raise Failure(in_words(error)) from None
    with closing(sums):
        yield Data(Figures(sums))


def people(args: Namespace) -> None:
    """Everybody, who has played most in front."""
    with data() as found:
        records = {person: found.figures.record(person) for person in found.people}
        if args.json:
            print(as_json([found.who(person) | {"games": record.games} for person, record in records.items()]))
            return
        for person, record in records.items():
            print(f"{found.figures.names[person]:{COLUMN}}", ngettext("{n} game", "{n} games", record.games))


def stats(args: Namespace) -> None:
    """Everybody's figures, or those of one person."""
    with data() as found:
        if args.name is not None:
            persons = [person for person in found.people if key(found.figures.names[person]) == key(args.name)]
            if not persons:
                raise Failure(_("nobody is called {name}; `luckypaw people` lists everybody", name=args.name))
            told = [found.person(person) for person in persons]
            print(as_json(told) if args.json else "\n\n".join(map(of_person, told)))
        elif args.json:
            print(as_json(found.everything()))
        else:
            print(of_everybody(found))


def of_everybody(found: Data) -> str:
    """Everybody's figures and the latest evening for people."""
    played, won, longest = _("games"), _("won"), _("in a row")
    lines = [f"{'':{COLUMN}}{played:>8}{won:>8}{longest:>10}"]
    for person in found.people:
        record = found.figures.record(person)
        lines.append(f"{found.figures.names[person]:{COLUMN}}{record.games:>8}{record.wins:>8}{record.longest:>10}")
    if (evening := found.latest()) is not None:
        lines += ["", of_evening(evening)]
    return "\n".join(lines)


def evening(args: Namespace) -> None:
    """The latest evening."""
    with data() as found:
        latest = found.latest()
    if args.json:
        print(as_json(latest))
    elif latest is None:
        raise Failure(_("no game has been over yet"))
    else:
        print(of_evening(latest))


def of_person(one: dict[str, Any]) -> str:
    """Somebody's figures for people."""
    text = [one["name"], said(one)]
    for kind in one["kinds"]:
        parts = [_("won {wins} of {games}", **kind)] if kind["games"] else []
        if kind["best"] is not None:
            parts.append(_("best {best}", best=kind["best"]))
        if kind["median"] is not None:
            parts.append(_("median {median}", median=f"{kind['median']:g}"))
        if kind["solo"]["games"]:
            parts.append(_("solo: goal met in {met} of {games}", **kind["solo"]))
        text.append(f"  {translated(kind['title'])}: {', '.join(parts)}")
        for category, points in kind["categories"].items():
            middle = "" if points["median"] is None else ", " + _("median {median}", median=f"{points['median']:g}")
            best = _("best {best}", best=points["best"])
            text.append(f"    {translated(category)}: {best}{middle}")
    text += [
        "  " + _("with {name}: ahead {ahead}, level {level}, behind {behind}", **other) for other in one["between"]
    ]
    if one["meows"]["rounds"]:
        text.append("  " + _("first to cry Meow in {won} of {rounds} rounds", **one["meows"]))
    text += ["  " + reaction(each) for each in one["reactions"]]
    return "\n".join(text)


def reaction(times: dict[str, Any]) -> str:
    """A group of reaction times for people."""
    which = f"{translated(times['title'])} ({times['signal']}, {times['error']}, {times['kit']})"
    error_ns = times["best_error_ns"]
    text = _("{which}: best {best} of {n}", which=which, best=with_error(times["best_ns"], error_ns), n=times["n"])
    if times["n"] < MANY:
        return text
    median, first, third = (short(round(ns), error_ns) for ns in (times["median_ns"], *times["quartiles_ns"]))
    middle = _("median {median}, the middle half from {first} to {third}", median=median, first=first, third=third)
    return f"{text}, {middle}"


def of_evening(told: dict[str, Any]) -> str:
    """An evening for people."""
    which = _("evening {number}", number=told["number"]) + ("" if told["day"] is None else f", {told['day']}")
    guests = ({"name": _("guest {button}", button=one["label"]), **one} for one in told["guests"])
    each = (*told["tally"], *guests)
    lines = [which, *(f"{one['name']:{COLUMN}}" + _("won {wins} of {games}", **one) for one in each)]
    return "\n".join([*lines, *(new(one) for one in told.get("news", ()))])


def new(told: dict[str, Any]) -> str:
    """Something new."""
    name, value, title = told["name"], told["value"], translated(told["title"])
    match told["kind"]:
        case "record":
            return _("{name}: record, {value} in {title}", name=name, value=value, title=title)
        case "own best":
            return _("{name}: own best, {value} in {title}", name=name, value=value, title=title)
        case "first win":
            return _("{name}: first win in {title}", name=name, title=title)
        case _streak:
            return _("{name}: {value} wins in a row", name=name, value=value)


def as_json(value: object) -> str:
    return json.dumps(msgspec.to_builtins(value), indent=2)  # ASCII: no terminal can damage it


def export(args: Namespace) -> None:
    """All results, for another program."""
    with data() as found:
        if not args.json and not args.bgsplay:
            _export_table(found.result_table(), args.form, None if args.file in STDOUT else args.file)
            return
        with nullcontext(sys.stdout) if args.file in STDOUT else created(args.file) as out:
            if args.json:
                print(as_json(found.everything() | {"results": list(found.results())}), file=out)
            else:
                print(as_json(bgstats.file(found.figures.plays())), file=out)


def _export_table(rows: Iterable[Row], wanted: TableForm | None, file: Path | None) -> None:
    """`wanted`: by its option; else the name of the file says it."""
    form = wanted or (file and spreadsheet.form_of(file.name)) or spreadsheet.FORMS[0]
    if file is None:
        print_table(rows, form)
        return
    with new_file.made(file) as fresh:
        fresh.write_bytes(spreadsheet.written(rows, form))


@contextmanager
def created(file: Path) -> Iterator[TextIO]:
    """A new file, whole or not at all. Raises `OSError`."""
    with new_file.made(file) as fresh, fresh.open("w", encoding="utf-8") as out:
        yield out
