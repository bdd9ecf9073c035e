"""A finished or unfinished game on paper: the score sheet, and the replay with the digests of its pictures."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Rules
from firmware import lights, screens
from firmware.journal import GameRow, History
from hardware.strip import as_bytes


class Line(NamedTuple):
    """A step that moved points."""

    step: int
    round: int
    what: str
    moved: tuple[int, ...]  # by seat
    totals: tuple[int, ...]


def lines(play: Play) -> tuple[Line, ...]:
    """The steps that moved points and were not undone, in order."""
    rules = play.rules
    marks: list[tuple[Any, Any]] = []  # state before, what began the step
    mark = play.past
    while mark is not None:
        marks.append((mark.state, mark.what))
        mark = mark.rest
    marks.reverse()
    states = [state for state, _ in marks] + [play.state]
    found = []
    for step, (before, what) in enumerate(marks):
        was, now = rules.scores(before), rules.scores(states[step + 1])
        if was != now:
            moved = tuple(b - a for a, b in zip(was, now, strict=True))
            found.append(Line(step, rules.board(before).round, type(what).__name__, moved, now))
    return tuple(found)


def as_json(row: GameRow, play: Play, found: tuple[Line, ...]) -> str:
    """The sheet for programs."""
    sheet = {
        "game": row.game,
        "name": row.name,
        "started_at": row.started_at,
        "players": play.players,
        "options": msgspec.to_builtins(play.options),
        "over": play.over,
        "unfinished": play.ended or not play.over,
        "lines": [line._asdict() for line in found],
        "scores": play.scores,
        "winners": [play.players[seat] for seat in play.winners],
    }
    return json.dumps(sheet, indent=2)


def as_csv(play: Play, found: tuple[Line, ...]) -> str:
    """The sheet for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["step", "round", "what", *play.players, *(f"{name} total" for name in play.players)])
    for line in found:
        writer.writerow([line.step, line.round, line.what, *line.moved, *line.totals])
    return out.getvalue().rstrip("\n")


def as_text(row: GameRow, play: Play, found: tuple[Line, ...]) -> str:
    """The sheet for people."""
    start = rules_start(play)
    text = [f"{play.rules.title}, {row.started_at}, game {row.game}"]
    text.append(f"{'':8}" + "".join(f"{name:>8}" for name in play.players))
    text.append(f"{'start':8}" + "".join(f"{score:>8}" for score in start))
    text += [f"round {line.round:<2}" + "".join(f"{n:>+8}" if n else f"{'':8}" for n in line.moved) for line in found]
    text.append(f"{'total':8}" + "".join(f"{score:>8}" for score in play.scores))
    if play.winners:
        text.append("won by " + ", ".join(play.players[seat] for seat in play.winners))
    else:
        text.append("ended by hand" if play.ended else "not finished")
    return "\n".join(text)


def rules_start(play: Play) -> tuple[int, ...]:
    """What every seat begins with."""
    return play.rules.scores(play.rules.start(len(play.players), play.options))


class Frame(NamedTuple):
    """A game after one fact."""

    fact: Fact
    play: Play
    picture: str  # digest of the 128x64 pixels
    strip: str  # digest of the lamps


def frames(
    history: History, row: GameRow, rules: Rules[Any, Any, Any], *, leds: int, to: Path | None
) -> Iterator[Frame]:
    """The game fact by fact. Pictures are drawn at the fact's own stamp, and written to `to` as PNG files."""
    facts = history.facts(row.game, rules)
    play = plays.opened(rules, facts[0], history.boot(row.game))
    for n, fact in enumerate(facts):
        play = play if n == 0 else reduce(plays.fold, (fact,), play)
        picture = screens.draw(play, now_ns=fact.at_ns)
        strip = lights.pixels(lights.Light(play.board), leds)
        if to is not None:
            picture.resize((512, 256)).save(to / f"{n:05}-{type(fact.event).__name__}.png")
        yield Frame(fact, play, _digest(picture.tobytes()), _digest(as_bytes(strip)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
