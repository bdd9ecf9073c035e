"""The evidence of a race: its outcome large where there is room, below it a line a seat, in the order of the stamps.

A filled place is a clear first or last, a bracket joins two that are too close to call, a hollow dot is a press that
was delivered after the verdict, a ~ stands before a time whose stamp is coarser than others.
"""

from collections.abc import Sequence

from PIL import Image

from engine.rules import Seat
from engine.words import N_
from firmware.output.race_evidence import WORDS, Evidence, EvidenceRow, short, whole_us
from firmware.output.screens.canvas import FOOT_PX, WIDTH_PX, Canvas, fitting
from firmware.output.screens.font import NARROW, THIN, THINNEST
from firmware.translation import _, grouped, ngettext, translated

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
    bands = [row.band_ns or 0 for row in pressed]
    source = pressed[0].source if len({row.source for row in pressed}) == 1 else _("mixed")
    top = FOOT_PX - ROW_PX * len(rows)
    if len(rows) > LARGE_ROWS:
        canvas.right(BRACKET_PX, WIDTH_PX - BRACKET_PX, 0, outcome(evidence))
    else:
        size = fitting(outcome(evidence), WIDTH_PX, top, (NARROW, THIN, THINNEST))
        canvas.headline(outcome(evidence), 0, height=top - 1, size=size)
    canvas.foot(back or _("press: back"), f"{translated(source)} {plain(max(bands))}")
    unit = "us" if all(len(f"{row.name}{micros(row)}us") <= MAX_LEFT for row in pressed) else ""
    at_px = {row.seat: top + ROW_PX * n for n, row in enumerate(rows)}
    place = 0
    for row in rows:
        counts = row in pressed and "late" not in row.marks
        place += counts
        line(canvas, at_px[row.seat], row, place if counts else None, min(bands), unit if evidence.timed else None)
    for a, b in evidence.ties:
        bracket(canvas, at_px[a], at_px[b])
    return canvas.picture()


def line(canvas: Canvas, y: int, row: EvidenceRow, place: int | None, finest_ns: int, unit: str | None) -> None:
    """The line of a seat. `place`: of a press that counts; `finest_ns`: the narrowest band of all.

    `unit`: behind the time; None: no time is shown.
    """
    late = "late" in row.marks
    sign = "○" if late else "–" if place is None else str(place)
    canvas.text(1, y, sign, invert=place is not None and ("first" in row.marks or "last" in row.marks))
    canvas.text(NAME_PX, y, row.name)
    if row.band_ns is None:
        canvas.text(WORDS_PX, y, translated(WORDS["benched" if "benched" in row.marks else "missing"]))
        return
    if unit is None:
        return
    canvas.right(NAME_PX, TIME_PX - NAME_PX, y, f"{'~' if row.band_ns > finest_ns else ''}{micros(row)}{unit}")
    gap = _("late") if late else "" if row.gap_ns is None else f"+{plain(row.gap_ns)}"
    canvas.right(TIME_PX, WIDTH_PX - TIME_PX, y, gap)


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
    gap_ns = evidence.rows[-1].gap_ns
    if len(rows) < 2 or evidence.ties or gap_ns is None or "late" in evidence.rows[-1].marks:
        return first
    return _("{name} by {time}", name=evidence.rows[0].name, time=plain(gap_ns))


def micros(row: EvidenceRow) -> str:
    """The time in whole microseconds."""
    return grouped(whole_us(row.after_ns or 0))


def plain(ns: int) -> str:
    """A short time in the characters of the font: 40us, 1.2ms."""
    return short(ns).replace("µ", "u").replace(" ", "")


def bracket(canvas: Canvas, from_px: int, to_px: int) -> None:
    """Joins two rows, beside their places."""
    top, bottom = from_px + 5, to_px + 2
    canvas.box(BRACKET_PX + 2, top, 1, bottom + 1 - top)
    for y in (top, bottom):
        canvas.box(BRACKET_PX, y, 2, 1)
