"""The evidence of all races of a game: stamps from the facts of the journal, their sources from its raw edges."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from engine import play as plays
from engine.moved_stamps import moved
from engine.play import Play
from engine.rules import Board, Press, Seat
from engine.words import N_
from firmware import local_time
from firmware.journal.reader import GameRow, History, Replay
from firmware.output import race_evidence
from firmware.output.race_evidence import Evidence, Row, short, us
from firmware.people.names import at_table
from firmware.translation import _, translated


class Finish(NamedTuple):
    """One race that was judged."""

    round: int
    undone: bool  # taken back, and raced again or left
    evidence: Evidence


def finishes(
    history: History, row: GameRow, replay: Replay, named: Mapping[Seat, str] | None = None
) -> tuple[Finish, ...]:
    """The races of a game in the order of their verdicts. Sources are unknown where the raw edges are deleted.

    `named`: names by seat; None: those that the journal has.
    """
    runs, play, rules = history.runs(row.game), replay.play, replay.play.rules
    written: dict[Press, int] = {}  # by the run that wrote them
    judged: dict[tuple[object, ...], Play] = {}
    for then, run in zip(replay.plays[1:], runs[1:], strict=True):
        board = then.board
        if board.race is not None:
            for press in (*board.race.presses, *then.late):
                written.setdefault(press, run)
        race = _race(board)
        if race is None:
            continue
        if (first := judged.get(race)) is None or then.buttons == first.buttons:
            # later on the table may have ruled, and late presses may have come
            judged[race] = then if first is None else _as_stamped(then, first)
    stamped = _sources(history, written)
    standing = {_race(play.board)}
    mark = play.past
    while mark is not None:
        standing.add(_race(rules.board(mark.state)))
        mark = mark.rest
    finished = []
    named = history.names(row.game) if named is None else named
    for race, then in judged.items():
        buttons = then.buttons or then.players
        shown = then.board.race
        assert shown is not None
        presses = (*shown.presses, *plays.came_late(then))
        sources = {buttons[p.seat]: stamped.get((written[p], buttons[p.seat], p.at_ns)) for p in presses}
        known = {button: source for button, source in sources.items() if source is not None}
        proof = race_evidence.of(then, known, at_table(then.players, named))
        assert proof is not None
        finished.append(Finish(shown.round or then.board.round, race not in standing, proof))
    return tuple(finished)


def closest(finishes: Iterable[Finish]) -> tuple[Finish, int] | None:
    """The race that was closest at its front or its end, and the gap there in ns; undone ones do not count."""
    found: list[tuple[int, int, Finish]] = []
    for n, finish in enumerate(finishes):
        if not finish.undone and (pair := finish.evidence.closest) is not None:
            one, other = (row.at_ns or 0 for row in finish.evidence.rows if row.seat in pair)
            found.append((abs(other - one), n, finish))
    return (min(found)[2], min(found)[0]) if found else None


def _race(board: Board) -> tuple[object, ...] | None:
    """The key of a judged race; None where there is none. A new run moves its stamps, all by the same time."""
    if board.race is None or not board.race.judged:
        return None
    first_ns = board.race.presses[0].at_ns
    return (
        board.race.round or board.round,
        *(press._replace(at_ns=press.at_ns - first_ns) for press in board.race.presses),
    )


def _as_stamped(then: Play, first: Play) -> Play:
    """A play with the stamps of its race as they were at the verdict."""
    now, verdict = then.board.race, first.board.race
    assert now is not None and verdict is not None
    earlier_ns = verdict.presses[0].at_ns - now.presses[0].at_ns
    return replace(then, state=moved(then.state, earlier_ns), late=moved(then.late, earlier_ns)) if earlier_ns else then


def _sources(history: History, written: dict[Press, int]) -> dict[tuple[int, str, int], str]:
    """The sources of stamps, by run, button and stamp."""
    stamps = defaultdict(list)
    for press, run in written.items():
        stamps[run].append(press.at_ns)
    return {
        (run, *edge): source
        for run, at in stamps.items()
        for edge, source in history.sources(run, min(at), max(at)).items()
    }


# --- output ----------------------------------------------------------------------------------------------------------


def as_json(row: GameRow, began: datetime | None, finishes: tuple[Finish, ...]) -> str:
    """For programs."""
    races = [{"round": f.round, "undone": f.undone, **race_evidence.as_data(f.evidence)} for f in finishes]
    told = {"game": row.game, "name": row.name, "started_at": row.started_at, "began_at": local_time.iso(began)}
    return json.dumps({**told, "races": races}, indent=2)


def as_text(row: GameRow, began: datetime | None, title: str, finishes: tuple[Finish, ...]) -> str:
    """For people."""
    title = translated(title)
    text = [_("{title}, {began}, game {game}", title=title, began=local_time.moment(began), game=row.game)]
    gap, band, source = _("gap"), _("band"), _("stamped by")
    for finish in finishes:
        head = N_("round {round}, undone: {verdict}.") if finish.undone else N_("round {round}: {verdict}.")
        verdict = ". ".join(finish.evidence.verdict)
        text += ["", translated(head).format(round=finish.round, verdict=verdict)]
        since = _("after the signal") if finish.evidence.signal else _("after the first")
        text.append(f"{'':6}{since:>16}{gap:>15}{band:>9}  {source:10}")
        text += [_line(seat) for seat in finish.evidence.rows]
    return "\n".join(text if finishes else [*text, _("no race was judged")])


def _line(row: Row) -> str:
    """One seat."""
    marks = race_evidence.notes(row)
    if row.after_ns is None or row.band_ns is None:
        return f"{row.name:6}{'–':>16}{'':36}  {marks}"
    gap, source = "" if row.gap_ns is None else f"+{us(row.gap_ns)}", translated(row.source)
    return f"{row.name:6}{us(row.after_ns):>16}{gap:>15}{short(row.band_ns):>9}  {source:10}  {marks}".rstrip()
