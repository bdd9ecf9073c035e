"""The evidence of a race: each stamp in its order, the gaps, who stamped, the tie band, and the verdict in words. Pure.

Two presses are too close to call where one lies inside the other's band: the timing error of its stamp, or the option
`tie_band` where that is wider. A press that was delivered after the verdict is shown, and decides nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from engine import race
from engine.play import Play, came_late
from engine.rules import Press, RaceBoard, Seat
from engine.stamps import Stamp
from engine.words import N_
from firmware.buttons import Button, of_play
from firmware.messages import PhotoFinish
from firmware.translation import _, grouped, ngettext, translated

UNKNOWN = N_("unknown")  # source of a stamp whose raw edge is deleted
MS, S = 1_000_000, 1_000_000_000

Mark: TypeAlias = Literal["first", "last", "tie", "overtaken", "late", "missing", "benched", "jumped"]
WORDS: Mapping[Mark, str] = {
    "first": N_("first"),
    "last": N_("last"),
    "tie": N_("too close to call"),
    "overtaken": N_("made earlier, delivered after the verdict"),
    "late": N_("after the verdict"),
    "missing": N_("did not press"),
    "benched": N_("no button"),
    "jumped": N_("too early at first"),
}


class EvidenceRow(NamedTuple):
    """One seat in the race. A seat that has not pressed has no times."""

    seat: Seat
    button: Button | None  # of which one has the colour; None: it is not known
    name: str
    at_ns: Stamp | None  # the stamp, CLOCK_MONOTONIC
    after_ns: int | None  # after the go-signal, else after the first press
    gap_ns: int | None  # to the press before it that counts
    error_ns: int | None  # the kit's timing error for this press
    band_ns: int | None  # the same, or the option `tie_band` where that is wider
    source: str
    marks: tuple[Mark, ...]


class Evidence(NamedTuple):
    """A race that is judged."""

    rows: tuple[EvidenceRow, ...]  # in the order of the stamps; seats that have not pressed at the end
    signal: bool  # times count from the go-signal, else from the first press
    first: tuple[Seat, ...]  # several: the table rules
    last: tuple[Seat, ...]
    ties: tuple[tuple[Seat, Seat], ...]  # pairs too close to call
    closest: tuple[Seat, Seat] | None  # neighbours at the front or at the end, whoever are closer
    verdict: tuple[str, ...]  # sentences

    @property
    def timed(self) -> bool:
        """Whether there is a time to show: of one press without a signal there is none."""
        return self.signal or sum(row.after_ns is not None for row in self.rows) > 1

    def after_error_ns(self, row: EvidenceRow) -> int:
        """The timing error of the time of a press, which may count from another press."""
        return row.error_ns or 0 if self.signal else self._error_ns(row, row.after_ns)

    def gap_error_ns(self, row: EvidenceRow) -> int:
        """The timing error of the gap before a press."""
        return self._error_ns(row, row.gap_ns)

    def _error_ns(self, row: EvidenceRow, ns: int | None) -> int:
        """The timing error of the time from another stamp to that of a press: that of the coarser one."""
        before_ns = (row.at_ns or 0) - (ns or 0)
        return max(one.error_ns or 0 for one in self.rows if one is row or one.at_ns == before_ns)


def of(
    play: Play, sources: Mapping[str, str], names: Sequence[str] = (), of_kit: Sequence[str] = ()
) -> Evidence | None:
    """The evidence of the judged race of a game; None where there is none.

    `sources`: by button name. `names`: of the players, by seat; nothing: the buttons' labels. `of_kit`: the
    names of the kit's buttons.
    """
    run = play.board.race
    if run is None or not run.judged:
        return None
    widen_ns, first, last, overtaken = run.band_ns, run.in_front, run.at_end, run.overtaken
    in_time = tuple(press for press in run.presses if press not in overtaken)
    ties = tuple((a.seat, b.seat) for a, b in combinations(run.presses, 2) if race.close(a, b, widen_ns))
    late = came_late(play)
    zero_ns = run.presses[0].at_ns - run.gaps[0][1]
    buttons, names = play.buttons or play.players, names or play.players
    number = of_play(play, of_kit)
    before_ns: int | None = None
    rows: list[EvidenceRow] = []

    def add(seat: Seat, press: Press | None, *marks: Mark) -> None:
        facts: tuple[tuple[Mark, bool], ...] = (
            ("first", first == (seat,)),
            ("last", last == (seat,)),
            ("tie", any(seat in pair for pair in ties)),
            ("overtaken", any(one.seat == seat and one.at_ns < in_time[0].at_ns for one in overtaken)),
            ("jumped", seat in run.jumped),
        )
        marks = (*(mark for mark, true in facts if true), *marks)
        if press is None:
            rows.append(EvidenceRow(seat, number[seat], names[seat], None, None, None, None, None, UNKNOWN, marks))
            return
        at_ns, error_ns = press.at_ns, race.doubt_ns(press)
        gap_ns = None if before_ns is None else at_ns - before_ns
        times = (at_ns, at_ns - zero_ns, gap_ns, error_ns, max(error_ns, widen_ns))
        rows.append(EvidenceRow(seat, number[seat], names[seat], *times, sources.get(buttons[seat], UNKNOWN), marks))

    for press in sorted((*run.presses, *late), key=lambda press: (press.at_ns, press in late, press.seat)):
        if press in late:
            add(press.seat, press, "late")
        else:
            add(press.seat, press)
            before_ns = press.at_ns
    for seat in run.benched if run.only_first else run.seats:
        if all(row.seat != seat for row in rows):
            add(seat, None, "benched" if seat in run.benched else "missing")
    verdict = _Sentences(run, in_time, names).verdict(late)
    signal = zero_ns == run.since_ns != run.presses[0].at_ns  # without one a race begins with its first press
    return Evidence(tuple(rows), signal, first, last, ties, _closest(run), verdict)


def _closest(run: RaceBoard) -> tuple[Seat, Seat] | None:
    pairs = list(pairwise(run.presses))
    if race.missing(run) or run.benched:  # no press was the last
        del pairs[1:]
    ends = sorted((*pairs[:1], *pairs[-1:]), key=lambda pair: pair[1].at_ns - pair[0].at_ns)
    return (ends[0][0].seat, ends[0][1].seat) if ends else None


class _Sentences(NamedTuple):
    """The verdict on a race, in sentences."""

    run: RaceBoard
    in_time: tuple[Press, ...]  # the presses that were delivered before the first was named
    players: Sequence[str]

    def name(self, press: Press) -> str:
        return self.players[press.seat]

    def doubt(self, presses: Iterable[Press]) -> str:
        """What presses are compared by: their timing error, or the option where that is wider."""
        error_ns = max(race.doubt_ns(press) for press in presses)
        if self.run.band_ns > error_ns:
            return _("tie within {time}", time=bound(self.run.band_ns))
        return _("timing error ±{time}", time=bound(error_ns))

    def verdict(self, late: Sequence[Press]) -> tuple[str, ...]:
        """The front, the end, the seats without a working button, and what the table has ruled."""
        benched = [
            _("{name} has no working button: the table rules", name=self.players[seat]) for seat in self.run.benched
        ]
        missed = [self.overtaken(press) for press in self.run.overtaken]
        end = () if self.run.only_first else self.end(late)
        return (self.front(), *missed, *end, *benched, *self.ruled())

    def overtaken(self, press: Press) -> str:
        """A press that was delivered once another had been named the first: it counts as an answer."""
        first = self.in_time[0]
        if press.at_ns >= first.at_ns:
            return _("{name} too close to call, delivered after the verdict", name=self.name(press))
        name, time = self.name(press), self.time(press, first)
        return _("{name} {time} before: made earlier, delivered after the verdict", name=name, time=time)

    def front(self) -> str:
        presses, benched = self.in_time, self.run.benched
        level = race.level_first(presses, self.run.band_ns)
        name = self.name(presses[0])
        if len(level) > 1:
            return self.tie(level, "first")
        if len(presses) == 1:
            alone = benched or len(self.run.seats) == 1
            return _("{name} pressed", name=name) if alone else _("{name} first", name=name)
        gap = self.gap(*presses[:2])
        if benched:
            return _("{name} before {other} by {gap}", name=name, other=self.name(presses[1]), gap=gap)
        return _("{name} first by {gap}", name=name, gap=gap)

    def end(self, late: Sequence[Press]) -> Sequence[str]:
        presses, out = self.run.presses, race.missing(self.run)
        if not out:
            front, end = (level(presses, self.run.band_ns) for level in (race.level_first, race.level_last))
            if len(presses) < 3 or end == front or self.run.benched:
                return ()
            if len(end) > 1:
                return (self.tie(end, "last"),)
            return (_("{name} last by {gap}", name=self.name(presses[-1]), gap=self.gap(*presses[-2:])),)
        came = {press.seat: self.after_verdict(press) for press in late}
        silent = [seat for seat in out if seat not in came]
        if len(out) == 1 and not self.run.benched:
            why = came.get(out[0], translated(WORDS["missing"]))
            return (_("{name} last: {why}", name=self.players[out[0]], why=why),)
        names = _and([self.players[seat] for seat in silent]) if silent else ""
        missed = [ngettext("{names} did not press", "{names} did not press", len(silent), names=names)]
        return (*(missed if silent else ()), *(f"{self.players[seat]} {came[seat]}" for seat in out if seat in came))

    def ruled(self) -> Iterator[str]:
        run = self.run
        if run.first and "first" in run.ruled:
            yield _("The table: {names} first", names=_and([self.players[seat] for seat in run.first]))
        if run.last and "last" in run.ruled:
            yield _("The table: {names} last", names=_and([self.players[seat] for seat in run.last]))

    def tie(self, level: Sequence[Seat], end: str) -> str:
        tied = [press for press in self.run.presses if press.seat in level]
        time = self.time(*tied)
        apart = _("{time} apart", time=time) if len(tied) == 2 else _("{time} in all", time=time)
        names, doubt = _and([self.name(press) for press in tied]), self.doubt(tied)
        if len(self.run.seats) == 2:
            return _("{names} too close to call: {apart}, {doubt}", names=names, apart=apart, doubt=doubt)
        if end == "first":
            return _("{names} too close to call for first: {apart}, {doubt}", names=names, apart=apart, doubt=doubt)
        return _("{names} too close to call for last: {apart}, {doubt}", names=names, apart=apart, doubt=doubt)

    def gap(self, a: Press, b: Press) -> str:
        """A gap, and what it is wider than."""
        return _("{time} ({doubt})", time=self.time(a, b), doubt=self.doubt((a, b)))

    def time(self, *presses: Press) -> str:
        """The time from the first to the last of some presses; of seconds only the table has all digits."""
        ns, error_ns = presses[-1].at_ns - presses[0].at_ns, max(race.doubt_ns(press) for press in presses)
        return exact(ns, error_ns) if ns < S else short(ns, error_ns)

    def after_verdict(self, press: Press) -> str:
        presses = self.run.presses
        before = [other for other in presses if other.at_ns <= press.at_ns]
        other = before[-1] if before else presses[0]
        name, time = self.name(other), self.time(*((other, press) if before else (press, other)))
        if before:
            return _("came in after the verdict, {time} after {name}", time=time, name=name)
        return _("came in after the verdict, {time} before {name}", time=time, name=name)


def as_data(evidence: Evidence) -> PhotoFinish:
    """The evidence for programs, every part by its name."""
    rows = [row._asdict() | {"notes": notes(row)} for row in evidence.rows]
    data = evidence._asdict() | {"rows": rows, "stamps": stamps(evidence.rows)}
    found: PhotoFinish = msgspec.to_builtins(data)
    return found


def notes(row: EvidenceRow) -> str:
    """The marks of a seat, in words."""
    return ", ".join(translated(WORDS[mark]) for mark in row.marks)


def stamps(rows: Sequence[EvidenceRow]) -> str:
    """Who timed the presses, and with which errors: kernel ±0.1 ms."""
    kinds = {(row.error_ns or 0, row.band_ns, translated(row.source)) for row in rows if row.band_ns is not None}
    return ", ".join(f"{source} {doubt(error_ns, band_ns)}" for error_ns, band_ns, source in sorted(kinds))


def doubt(error_ns: int, band_ns: int) -> str:
    """The timing error of a press, and the option that makes it wider: ±0.1 ms, tie within 2 ms."""
    error = f"±{bound(error_ns)}"
    return error if band_ns <= error_ns else _("{error}, tie within {time}", error=error, time=bound(band_ns))


def after(race: Evidence, row: EvidenceRow) -> str:
    """The time of a press, with what is known of it."""
    return exact(row.after_ns or 0, race.after_error_ns(row))


def gap(race: Evidence, row: EvidenceRow) -> str:
    """The time from the press before it, likewise."""
    return "" if row.gap_ns is None else f"+{exact(row.gap_ns, race.gap_error_ns(row))}"


def exact(ns: int, error_ns: int) -> str:
    """A time with the digits that its timing error allows: 1,234.56 ms with 0.1 ms, 1,234 ms with 10 ms.

    Rounded towards zero, as the error is: so a gap that is wider than the error is never shown as narrower.
    """
    return f"{millis(ns, error_ns)} ms"


def millis(ns: int, error_ns: int) -> str:
    """The same without its unit."""
    zeros = _zeros(error_ns)
    rounded = abs(ns) // 10**zeros * 10**zeros
    return grouped((-1 if ns < 0 < rounded else 1) * rounded / MS, digits=max(0, 6 - zeros))


def short(ns: int, error_ns: int) -> str:
    """A time in the unit in which it is short: 0.04 ms, 1.2 ms, 34.2 ms, 190 ms, 3.5 s. No finer than its error."""
    if ns < MS:
        return exact(ns, max(error_ns, MS // 10))
    if ns < S:
        return f"{ns / MS:.{1 if ns < 100 * MS and _zeros(error_ns) < 6 else 0}f} ms".replace(".0 ", " ")
    return f"{ns / S:.{1 if ns < 100 * S else 0}f} s".replace(".0 ", " ")


def with_error(ns: int, error_ns: int) -> str:
    """A time with its timing error: 123.45 ms ±0.1 ms."""
    return f"{exact(ns, error_ns)} ±{bound(error_ns)}"


def bound(error_ns: int) -> str:
    """A timing error: 0.1 ms, 10 ms, 1 s."""
    if error_ns >= S:
        return short(error_ns, error_ns)
    number = millis(error_ns, error_ns)
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} ms"


def _zeros(error_ns: int) -> int:
    """How many digits of a time in ns say nothing: of its error two do, but nobody reads less than 1 µs."""
    return max(3, len(str(error_ns)) - 2)


def _and(names: Sequence[str]) -> str:
    *others, last = names
    return _("{names} and {last}", names=", ".join(others), last=last) if others else last
