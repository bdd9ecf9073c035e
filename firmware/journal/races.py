"""The evidence of all races of a game: stamps from the facts of the journal, their sources from its raw edges."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from engine import play as plays
from engine.play import Play, Shift
from engine.rules import Board, Press, Seat
from engine.stamps import STAMPS, moved
from engine.words import N_
from firmware import local_time
from firmware.journal.reader import GameRow, History, Replay
from firmware.output import race_evidence
from firmware.output.race_evidence import Evidence, EvidenceRow, after, bound, gap
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
    written: dict[Press, tuple[int, int]] = {}  # by press on the first clock: the run that wrote it, its stamp there
    judged: dict[tuple[object, ...], tuple[Play, Play]] = {}  # at the verdict, and as it was seen last
    for then, run in zip(replay.plays[1:], runs[1:], strict=True):
        board, later_ns = then.board, _later_ns(then.shifts)
        if board.race is not None:
            for press in (*board.race.presses, *then.late):
                written.setdefault(moved(press, -later_ns), (run, press.at_ns))
        if (race := _race(board, later_ns)) is not None:
            first, _latest = judged.setdefault(race, (then, then))
            if then.buttons == first.buttons:  # later on the table may have ruled, and late presses may have come
                judged[race] = first, then
    stamped = _sources(history, written.values())
    standing = {_race(play.board, _later_ns(play.shifts))}
    mark, step = play.past, play.step
    while mark is not None:
        step -= 1
        earlier = [shift for shift in play.shifts if shift.step <= step]
        standing.add(_race(rules.board(mark.state), _later_ns(earlier)))
        mark = mark.rest
    finished = []
    named, of_kit = history.names(row.game) if named is None else named, history.buttons(row.game)
    for race, (first, latest) in judged.items():
        later_ns = _later_ns(latest.shifts)
        buttons, shown = latest.buttons or latest.players, latest.board.race
        assert shown is not None
        known: dict[str, str] = {}
        for press in (*shown.presses, *plays.came_late(latest)):
            run, at_ns = written[moved(press, -later_ns)]
            if (source := stamped.get((run, buttons[press.seat], at_ns))) is not None:
                known[buttons[press.seat]] = source
        proof = race_evidence.of(latest, known, at_table(latest.players, named), of_kit)
        assert proof is not None
        proof = moved(proof, _later_ns(first.shifts) - later_ns)  # as it was stamped
        finished.append(Finish(shown.round or latest.board.round, race not in standing, proof))
    return tuple(finished)


def closest(finishes: Iterable[Finish]) -> tuple[Finish, int] | None:
    """The race that was closest at its front or its end, and the gap there in ns; undone ones do not count."""
    found: list[tuple[int, int, Finish]] = []
    for n, finish in enumerate(finishes):
        if not finish.undone and (pair := finish.evidence.closest) is not None:
            one, other = (row.at_ns or 0 for row in finish.evidence.rows if row.seat in pair)
            found.append((abs(other - one), n, finish))
    return (min(found)[2], min(found)[0]) if found else None


def _later_ns(shifts: Iterable[Shift]) -> int:
    """By how much stamps are later by the clock of the latest of these runs than by that of the first one."""
    return sum([shift.later_ns for shift in shifts if shift.kind is STAMPS])


def _race(board: Board, later_ns: int) -> tuple[object, ...] | None:
    """The key of a judged race: its round, and its presses on the first clock; None where there is none."""
    if board.race is None or not board.race.judged:
        return None
    return (board.race.round or board.round, *moved(board.race.presses, -later_ns))


def _sources(history: History, written: Iterable[tuple[int, int]]) -> dict[tuple[int, str, int], str]:
    """The sources of stamps, by run, button and stamp."""
    stamps = defaultdict(list)
    for run, at_ns in written:
        stamps[run].append(at_ns)
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
    gaps, error, source = _("gap"), _("timing error"), _("timed by")
    for finish in finishes:
        head = N_("round {round}, undone: {verdict}.") if finish.undone else N_("round {round}: {verdict}.")
        verdict = ". ".join(finish.evidence.verdict)
        text += ["", translated(head).format(round=finish.round, verdict=verdict)]
        since = _("after the signal") if finish.evidence.signal else _("after the first")
        text.append(f"{'':6}{since:>16}{gaps:>15}{error:>14}  {source}")
        text += [_line(finish.evidence, seat) for seat in finish.evidence.rows]
    return "\n".join(text if finishes else [*text, _("no race was judged")])


def _line(race: Evidence, row: EvidenceRow) -> str:
    """One seat."""
    marks = race_evidence.notes(row)
    if row.after_ns is None or row.error_ns is None:
        return f"{row.name:6}{'–':>16}{'':41}  {marks}"
    time, source, error = after(race, row) if race.timed else "", translated(row.source), f"±{bound(row.error_ns)}"
    return f"{row.name:6}{time:>16}{gap(race, row):>15}{error:>14}  {source:10}  {marks}".rstrip()
