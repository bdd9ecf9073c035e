"""The score sheet of a game, finished or not, and the replay with the digests of its pictures."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import msgspec

from engine.game import BY_HAND, Corrected
from engine.play import Play, Resumed, Undone
from engine.rules import Seat
from firmware import local_time
from firmware.journal.reader import GameRow, Replay
from firmware.spreadsheet import Row
from firmware.translation import _, translated


class RoundScores(NamedTuple):
    """A step that moved points."""

    step: int
    round: int
    what: str
    moved: tuple[int, ...]  # by seat
    totals: tuple[int, ...]


class RoundPoints(NamedTuple):
    """The points of a round."""

    round: int
    moved: tuple[int, ...]  # by seat
    totals: tuple[int, ...]


class SheetLine(NamedTuple):
    """A line of a score sheet: a round, or what is neither: points fixed, an earlier round put right, an end undone."""

    kind: Literal["round", "extra round", "fixed", "amended", "undone"]
    round: int
    points: tuple[int, ...]  # by seat: what was moved; of an end undone the totals that had stood


class Took(NamedTuple):
    """The duration of a game and its rounds, in ns; None where the power was cut meanwhile: stamps are of one boot."""

    game: int | None
    rounds: dict[int, int | None]


def steps(play: Play) -> list[tuple[Any, Any, Any]]:
    """The steps that were not undone, in order: the state before, the event that began it, the state after."""
    done, after, mark = [], play.state, play.past
    while mark is not None:
        done.append((mark.state, mark.event, after))
        after, mark = mark.state, mark.rest
    return done[::-1]


def lines(play: Play) -> tuple[RoundScores, ...]:
    """The steps that moved points and were not undone, in order."""
    rules = play.rules
    moving = []
    for step, (before, event, after) in enumerate(steps(play)):
        was, now = rules.scores(before), rules.scores(after)
        if was != now:
            moved = tuple(b - a for a, b in zip(was, now, strict=True))
            moving.append(RoundScores(step, rules.board(before).round, type(event).__name__, moved, now))
    return tuple(moving)


def rounds(play: Play) -> tuple[RoundPoints, ...]:
    """Every round that was begun, with the points of all its steps."""
    rules, begun = play.rules, dict[int, RoundPoints]()
    totals = rules_start(play)
    for before, _event, after in steps(play):
        number, now = rules.board(before).round, rules.scores(after)
        moved = tuple(b - a for a, b in zip(totals, now, strict=True))
        if number in begun:
            moved = tuple(a + b for a, b in zip(begun[number].moved, moved, strict=True))
        begun[number], totals = RoundPoints(number, moved, now), now
    return tuple(begun[number] for number in sorted(begun))


def undone_ends(replay: Replay) -> tuple[SheetLine, ...]:
    """The ends of a game that were undone, and not redone at once."""
    found = []
    for n, (before, after) in enumerate(pairwise(replay.plays), 1):
        again = any(later.over for later in replay.plays[n + 1 : n + 2])
        if before.over and not after.over and isinstance(replay.facts[n].event, Undone) and not again:
            found.append(SheetLine("undone", before.board.round, before.scores))
    return tuple(found)


def entries(play: Play, undone: Iterable[SheetLine] = ()) -> tuple[SheetLine, ...]:
    """The lines of the score sheet, in order; corrections and ends that were undone behind the round they came in."""
    rules = play.rules
    planned = rules.board(rules.start(len(play.players), play.options)).rounds
    found: dict[int, list[SheetLine]] = {}
    for before, event, after in steps(play):
        board, was, now = rules.board(before), rules.scores(before), rules.scores(after)
        moved = tuple(b - a for a, b in zip(was, now, strict=True))
        extra = board.rounds is None and planned is not None
        first = SheetLine("extra round" if extra else "round", board.round, (0,) * len(now))
        there = found.setdefault(board.round, [first])
        if isinstance(event, BY_HAND):
            there.append(SheetLine("fixed" if isinstance(event, Corrected) else "amended", board.round, moved))
        else:
            there[0] = there[0]._replace(points=tuple(a + b for a, b in zip(there[0].points, moved, strict=True)))
    for entry in undone:
        found.setdefault(entry.round, []).append(entry)
    return tuple(entry for number in sorted(found) for entry in found[number])


def said(entry: SheetLine) -> str:
    """What stands at the head of a line."""
    return {
        "round": _("round {round}", round=entry.round),
        "extra round": _("extra round {round}", round=entry.round),
        "fixed": _("points fixed"),
        "amended": _("an earlier round put right"),
        "undone": _("end undone; it stood"),
    }[entry.kind]


def points(entry: SheetLine) -> list[str]:
    """What stands below each player's name: what was moved, or how it stood."""
    return [str(n) if entry.kind == "undone" else f"{n:+}" if n else "" for n in entry.points]


def _spent(replay: Replay) -> Iterator[tuple[Play, int | None]]:
    """The game before each fact, and the time until it; None where the game was put away meanwhile."""
    for before, last, fact in zip(replay.plays, replay.facts, replay.facts[1:], strict=False):
        resumed = isinstance(fact.event, Resumed)
        if before.over:
            yield before, 0
        elif resumed:
            yield before, None if fact.event.boot != before.boot else 0
        else:
            yield before, fact.at_ns - last.at_ns


def game_took(replay: Replay) -> int | None:
    """The duration of a game in ns, without the time after its end; None where the power was cut meanwhile."""
    spent = [ns for _, ns in _spent(replay) if ns is not None]
    return sum(spent) if len(spent) == len(replay.facts) - 1 else None


def took(replay: Replay) -> Took:
    """The duration of a game and each of its rounds; without the time while it was put away, and after its end."""
    by_round: dict[int, int | None] = {}
    for before, ns in _spent(replay):
        number = before.board.round
        known = by_round.get(number, 0)
        by_round[number] = None if known is None or ns is None else known + ns
    return Took(game_took(replay), by_round)


def standing(play: Play, names: Sequence[str] = ()) -> str:
    """The winners, or the state of the game, in words. `names`: by seat; nothing: the labels."""
    names = names or play.players
    if not play.over:
        return _("not finished")
    if play.ended:
        return _("ended by hand")
    if play.rules.together:
        return _("all have won") if play.winners else _("all have lost")
    if len(names) == 1 and not play.rules.alone:
        return _("played alone")
    return (
        _("won by {names}", names=", ".join(names[seat] for seat in play.winners)) if play.winners else _("nobody won")
    )


def duration(ns: int | None) -> str:
    """A duration for people: 0:48, 1:02:03; – where it is not known."""
    if ns is None:
        return "–"
    minutes, seconds = divmod(max(0, ns) // 1_000_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def as_json(row: GameRow, began: datetime | None, play: Play, took: Took, people: Mapping[Seat, str]) -> str:
    """The sheet for programs; durations in ns. `people`: the names of those who are no guests."""
    sheet = {
        "game": row.game,
        "name": row.name,
        "started_at": row.started_at,
        "began_at": local_time.iso(began),
        "players": play.players,
        "people": [people.get(seat) for seat in range(len(play.players))],
        "options": msgspec.to_builtins(play.options),
        "over": play.over,
        "unfinished": play.ended or not play.over,
        "ended_by_hand": play.ended,
        "took_ns": took.game,
        "rounds": [{**each._asdict(), "took_ns": took.rounds.get(each.round)} for each in rounds(play)],
        "lines": [line._asdict() for line in lines(play)],
        "scores": play.scores,
        "winners": [play.players[seat] for seat in play.winners],
    }
    return json.dumps(sheet, indent=2)


def as_table(play: Play, took: Took, people: Mapping[Seat, str]) -> list[Row]:
    """The sheet for a spreadsheet: a row a round, durations in whole seconds, empty where not known.

    A name stands behind its button's label, so that none is taken for a formula.
    """
    heads = [f"{label} {people.get(seat, '')}".rstrip() for seat, label in enumerate(play.players)]
    table: list[Row] = [["round", "seconds", *heads, *(f"{head} total" for head in heads)]]
    for each in rounds(play):
        ns = took.rounds.get(each.round)
        table.append([each.round, None if ns is None else ns // 1_000_000_000, *each.moved, *each.totals])
    return table


def as_text(
    row: GameRow,
    began: datetime | None,
    play: Play,
    took: Took,
    names: Sequence[str] = (),
    undone: Iterable[SheetLine] = (),
) -> str:
    """The sheet for people: a line a round, and for each correction and each end that was `undone`."""
    names, there = names or play.players, entries(play, undone)
    width, first = max(8, *(len(name) + 2 for name in names)), max((len(said(each)) + 1 for each in there), default=8)

    def line(head: str, cells: Iterable[object], ns: int | str | None = "") -> str:
        time = ns if isinstance(ns, str) else duration(ns)
        return f"{head:{first}}{''.join(f'{cell:>{width}}' for cell in cells)}{time:>10}".rstrip()

    title = translated(play.rules.title)
    text = [_("{title}, {began}, game {game}", title=title, began=local_time.moment(began), game=row.game)]
    text.append(line("", names, _("time")))
    text.append(line(_("start"), rules_start(play)))
    for each in there:
        of_round = each.kind in ("round", "extra round")
        text.append(line(said(each), points(each), took.rounds.get(each.round) if of_round else ""))
    text.append(line(_("total"), play.scores, took.game))
    text.append(standing(play, names))
    return "\n".join(text)


def rules_start(play: Play) -> tuple[int, ...]:
    """The scores at the start."""
    return play.rules.scores(play.rules.start(len(play.players), play.options))
