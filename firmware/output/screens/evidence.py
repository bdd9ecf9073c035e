"""The evidence of a race: its outcome large where there is room, below it a line a seat, in the order of the stamps.

A filled place is a clear first or last, a bracket joins two that are too close to call, a hollow dot is a press that
was delivered after the verdict, a ~ stands before a time whose stamp is coarser than others.
"""

from collections.abc import Sequence

from PIL import Image

from engine.rules import Seat
from engine.words import N_
from firmware.output.race_evidence import WORDS, Evidence, EvidenceRow, bound, millis, short
from firmware.output.screens.canvas import FOOT_PX, WIDTH_PX, Canvas, fitting
from firmware.output.screens.font import NARROW, THIN, THINNEST
from firmware.translation import _, ngettext, translated

ROW_PX = 8
LARGE_ROWS = 4  # up to so many rows leave room for a large outcome
BRACKET_PX, NAME_PX, WORDS_PX = 7, 11, 38  # where columns begin
NAME_LETTERS = 5  # of a name
TIME_PX = 91  # where the times end
MAX_LEFT, MAX_NAMES, MAX_WORDS = 15, 18, 24  # characters: of name and time, of names in the outcome, of all of it


def draw(evidence: Evidence, back: str = "") -> Image.Image:
    """The picture; `back` is the text of the key that leaves it, by default a press."""
    canvas, rows = Canvas(), evidence.rows
    pressed = [row for row in rows if row.band_ns is not None]
    bands, errors = [row.band_ns or 0 for row in pressed], [row.error_ns or 0 for row in pressed]
    source = pressed[0].source if len({row.source for row in pressed}) == 1 else _("mixed")
    top = FOOT_PX - ROW_PX * len(rows)
    if len(rows) > LARGE_ROWS:
        canvas.right(BRACKET_PX, WIDTH_PX - BRACKET_PX, 0, outcome(evidence))
    else:
        size = fitting(outcome(evidence), WIDTH_PX, top, (NARROW, THIN, THINNEST))
        canvas.headline(outcome(evidence), 0, height=top - 1, size=size)
    error, band = (bound(max(of)).replace(" ", "") for of in (errors, bands))
    doubt = f"{translated(source)} {error}" if max(bands) <= max(errors) else _("tie within {time}", time=band)
    canvas.foot(back or _("press: back"), doubt)
    unit = "ms" if all(len(f"{row.name}{time(evidence, row)}ms") <= MAX_LEFT for row in pressed) else ""
    at_px = {row.seat: top + ROW_PX * n for n, row in enumerate(rows)}
    place = 0
    for row in rows:
        counts = row in pressed and "late" not in row.marks
        place += counts
        line(canvas, at_px[row.seat], row, place if counts else None)
        if row in pressed and evidence.timed:
            coarser = "~" if (row.band_ns or 0) > min(bands) else ""
            canvas.right(NAME_PX, TIME_PX - NAME_PX, at_px[row.seat], f"{coarser}{time(evidence, row)}{unit}")
            canvas.right(TIME_PX, WIDTH_PX - TIME_PX, at_px[row.seat], apart(evidence, row))
    for a, b in evidence.ties:
        bracket(canvas, at_px[a], at_px[b])
    return canvas.picture()


def line(canvas: Canvas, y: int, row: EvidenceRow, place: int | None) -> None:
    """The line of a seat, but for its times. `place`: of a press that counts."""
    sign = "○" if "late" in row.marks else "–" if place is None else str(place)
    canvas.text(1, y, sign, invert=place is not None and ("first" in row.marks or "last" in row.marks))
    canvas.text(NAME_PX, y, row.name)
    if row.band_ns is None:
        canvas.text(WORDS_PX, y, translated(WORDS["benched" if "benched" in row.marks else "missing"]))


def apart(evidence: Evidence, row: EvidenceRow) -> str:
    """What stands behind the time of a press: the gap before it, or that it came too late."""
    if "late" in row.marks:
        return _("late")
    return "" if row.gap_ns is None else f"+{gap(evidence, row)}"


def outcome(evidence: Evidence) -> str:
    """The first and the last, or those too close to call."""
    rows = {row.seat: row for row in evidence.rows}

    def place(seats: Sequence[Seat], clear: str, doubted: str) -> str:
        names = "/".join(rows[seat].name for seat in seats)
        if len(names) > MAX_NAMES:
            names = ngettext("{n} players", "{n} players", len(seats))
        if len(seats) == 1:
            return translated(clear).format(names=names)
        tied = all("tie" in rows[seat].marks for seat in seats)
        return _("{names} TIE", names=names) if tied else translated(doubted).format(names=names)

    first = place(evidence.first, N_("{names} FIRST"), N_("{names} FIRST?"))
    last = place(evidence.last, N_("{names} LAST"), N_("{names} LAST?"))
    if len(rows) > 2 and evidence.first != evidence.last:
        return words if len(words := f"{first} {last}") <= MAX_WORDS else last
    last_row = evidence.rows[-1]
    if len(rows) < 2 or evidence.ties or last_row.gap_ns is None or "late" in last_row.marks:
        return first
    return _("{name} by {time}", name=evidence.rows[0].name, time=gap(evidence, last_row))


def time(evidence: Evidence, row: EvidenceRow) -> str:
    """The time of a press, without its unit."""
    return millis(row.after_ns or 0, evidence.after_error_ns(row))


def gap(evidence: Evidence, row: EvidenceRow) -> str:
    """The gap before a press, short: 0.04ms, 1.2ms."""
    return short(row.gap_ns or 0, evidence.gap_error_ns(row)).replace(" ", "")


def bracket(canvas: Canvas, from_px: int, to_px: int) -> None:
    """Joins two rows, beside their places."""
    top, bottom = from_px + 5, to_px + 2
    canvas.box(BRACKET_PX + 2, top, 1, bottom + 1 - top)
    for y in (top, bottom):
        canvas.box(BRACKET_PX, y, 2, 1)
