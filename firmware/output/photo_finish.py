"""The photo finish for every page: the stamps of a judged race as lines on a time axis, each with its band, as one SVG.

It is as wide as its place: across it counts in percent, down in px, so nothing has to be measured. The colours are the
page's: a lane's is `--button-0` and so on. The same figures stand in a table beside it. Pure.
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import Any, NamedTuple

from engine.rules import Seat
from firmware.markup import Markup, Part, html, name, said, stack, table
from firmware.messages import Figured
from firmware.output.race_evidence import MS, Evidence, EvidenceRow, S, after, as_data, doubt, gap, notes, stamps
from firmware.translation import _, grouped, translated

LEFT, RIGHT = 2.5, 98.5  # % of the width: where lanes begin and end
LABEL_PX, LANE_PX, FOOT_PX, HEADING_PX = 21, 20, 42, 28
LETTER_PX, NARROWEST_PX = 8, 200  # of a figure; of the drawing, in a drawer of a narrow page
TICKS = 4  # at most
WIDE = 25  # a race so many times longer than its closest gap is shown again, enlarged


class Span(NamedTuple):
    """A part of the race, ns after its zero."""

    start: float
    end: float

    def x(self, ns: float) -> float:
        """Where a moment stands, in % of the width."""
        return LEFT + (RIGHT - LEFT) * (ns - self.start) / (self.end - self.start)

    def inside(self, ns: float) -> float:
        """The same, at most up to the ends."""
        return min(RIGHT, max(LEFT, self.x(ns)))


def for_pages(race: Evidence) -> Figured:
    """The evidence as pages get it: as for programs, and the photo finish as HTML."""
    return Figured(**as_data(race), figure=figure(race))


def figure(race: Evidence) -> Markup:
    """What stands in the figure of a page: the verdict, the drawing, its legend; for screen readers the table."""
    verdict = html("p", [html("span", named(race, f"{line}.")) for line in race.verdict], class_="verdict")
    if not race.timed:
        return verdict
    legend = [_("Timed by: {stamps}", stamps=stamps(race.rows)), _("A line inside another's bar is too close to call")]
    if any("late" in row.marks for row in race.rows):
        legend.append(_("Dashed: came in after the verdict"))
    return Markup(
        verdict
        + drawing(race)
        + html("figcaption", f"{'. '.join(legend)}.")
        + html("div", figures(race, unseen=True), class_="unseen")  # a table itself would be as wide as its words
    )


def named(race: Evidence, sentence: str) -> Part:
    """A sentence about a race, with the names in it as names."""
    return said(sentence, [row.name for row in race.rows])


def figures(race: Evidence, *, unseen: bool = False) -> Markup:
    """The figures of a race as a table. `unseen`: for screen readers only, so nothing has to fit.

    Empty where there is no time to show: the verdict says all.
    """
    if not race.timed:
        return Markup("")
    since = _("After the signal") if race.signal else _("After the first press")
    heads = [_("Player"), since, _("Gap"), _("Timing error"), _("Timed by"), _("Notes")]
    rows: list[Sequence[Part]] = []
    for row in race.rows:
        times: list[Part] = ["", "", "", ""]
        if row.after_ns is not None:
            error = doubt(row.error_ns or 0, row.band_ns or 0)
            times = [after(race, row), gap(race, row), error, translated(row.source)]
        rows.append([name(row.name), *times, notes(row)])
    caption = _("Photo finish")
    return table(heads, rows, caption, scrolls=False) if unseen else stack(heads, rows, caption, "stamps")


def drawing(race: Evidence, says: str = "") -> Markup:
    """The whole race; below it the closest two, enlarged, where they cannot be told apart in it.

    `says` describes it to screen readers; without it they are told nothing. Empty where there is no time to show.
    """
    if not race.timed:
        return Markup("")
    pressed = [row for row in race.rows if row.after_ns is not None]
    whole = Span(0, max(1, *((row.after_ns or 0) + (row.band_ns or 0) for row in pressed)) * 1.03)
    near = closest(race, whole)
    strips, height = strip(race, race.rows, whole, 0, near)
    parts: list[Part] = [html("g", strips, class_="whole")]
    if near is not None:
        there = [row for row in pressed if _reaches(row, near)]
        times = grouped(round((whole.end - whole.start) / (near.end - near.start)))
        heading = _("The closest two, {times}× larger", times=times)
        parts.append(_text(LEFT, height + 20, heading, "start", "heading"))
        strips, height = strip(race, there, near, height + HEADING_PX)
        parts.append(html("g", strips, class_="near"))
    size: dict[str, Any] = {"width": "100%", "height": height, "class_": "finish"}
    if not says:
        return html("svg", parts, aria_hidden="true", **size)
    return html("svg", html("title", says, translate="no"), parts, role="img", **size)


def closest(race: Evidence, whole: Span) -> Span | None:
    """The time of the closest two, where they cannot be told apart in the whole race."""
    if race.closest is None:
        return None
    rows = {row.seat: row for row in race.rows}
    a, b = (rows[seat] for seat in race.closest)
    a_ns, b_ns = a.after_ns or 0, b.after_ns or 0
    apart = max(b_ns - a_ns, a.band_ns or 0, b.band_ns or 0)
    if not 0 < apart * WIDE <= whole.end - whole.start:
        return None
    return Span(max(0, a_ns - apart * 1.25), b_ns + apart * 1.25)


def strip(
    race: Evidence, rows: Sequence[EvidenceRow], span: Span, top: int, enlarged: Span | None = None
) -> tuple[list[Part], int]:
    """One time axis with a lane for each of `rows`, from `top` down, and where it ends. `enlarged`: of the next one."""
    lanes = {row.seat: top + (LABEL_PX + LANE_PX) * n + LABEL_PX for n, row in enumerate(rows)}
    bottom = top + (LABEL_PX + LANE_PX) * len(rows)
    parts: list[Part] = [_rect(LEFT, y, RIGHT, LANE_PX, "ground") for y in lanes.values()]
    parts.append(_axis(race, span, top, bottom))
    if enlarged is not None:
        start, end = span.x(enlarged.start), span.x(enlarged.end)
        parts.append([_rect(start, y, max(start + 1.2, end), LANE_PX, "enlarged") for y in lanes.values()])
    gap_px = LETTER_PX * max(len(gap(race, row)) for row in race.rows)
    for row in rows:
        parts += _lane(race, row, span, lanes[row.seat], gap_px)
    parts.append([_tie(lanes, pair) for pair in race.ties if lanes.keys() >= set(pair)])
    return parts, bottom + FOOT_PX


def _axis(race: Evidence, span: Span, top: int, bottom: int) -> list[Part]:
    """The ticks and the name of a time axis."""
    step = 10.0 ** floor(log10((span.end - span.start) / TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if (span.end - span.start) / (step * factor) <= TICKS)
    unit, size = ("s", S) if step >= S else ("ms", MS)
    digits = max(0, ceil(-log10(step / size)))
    parts: list[Part] = []
    for n in range(ceil(span.start / step), floor(span.end / step) + 1):
        x = span.x(n * step)
        text = grouped(n * step / size, digits=digits if n else 0)
        half = len(text) * LETTER_PX / 2 / NARROWEST_PX * 100
        anchor = "start" if x < half else "end" if x > 100 - half else "middle"
        parts.append(_line(x, top, bottom, "grid", stroke_dasharray=f"{LANE_PX} {LABEL_PX}", stroke_dashoffset=LANE_PX))
        parts.append(_text(x, bottom + 18, text, anchor, "quiet"))
    since = _("{unit} after the signal", unit=unit) if race.signal else _("{unit} after the first press", unit=unit)
    return [*parts, _text(RIGHT, bottom + 35, since, "end", "quiet")]


def _lane(race: Evidence, row: EvidenceRow, span: Span, y: int, gap_px: int) -> list[Part]:
    """A seat: its name and times, below them its band and its line."""
    parts: list[Part] = [_text(LEFT, y - 5, row.name, "start", "who")]
    if row.after_ns is None or row.band_ns is None:
        return [*parts, _text(LEFT + 1, y + 15, notes(row), "start", "quiet")]
    parts.append(_text(RIGHT, y - 5, after(race, row), "end", dx=-gap_px - 2 * LETTER_PX))
    parts.append(_text(RIGHT, y - 5, gap(race, row), "end"))
    colour = "currentColor" if row.button is None else f"var(--button-{row.button})"
    start, end = (span.inside(row.after_ns + band_ns) for band_ns in (-row.band_ns, row.band_ns))
    parts.append(_rect(start, y + 2, end, LANE_PX - 4, "band", fill=colour))
    x = span.x(row.after_ns)
    if x == span.inside(row.after_ns):  # on an enlarged axis only its band may be visible
        parts.append(_line(x, y, y + LANE_PX, "line late" if "late" in row.marks else "line", stroke=colour))
    return parts


def _reaches(row: EvidenceRow, span: Span) -> bool:
    """Whether the band of a press reaches into a span."""
    at_ns, band_ns = row.after_ns or 0, row.band_ns or 0
    return at_ns + band_ns > span.start and at_ns - band_ns < span.end


def _tie(lanes: Mapping[Seat, int], pair: tuple[Seat, Seat]) -> Markup:
    """A bracket left of two lanes."""
    top, bottom = lanes[pair[0]] + LANE_PX // 2 + 2, lanes[pair[1]] + LANE_PX // 2 - 2
    return html("polyline", points=f"7,{top} 2,{top} 2,{bottom} 7,{bottom}", class_="tie")


def _rect(x: float, y: float, to: float, height: float, kind: str, fill: str | None = None) -> Markup:
    return html("rect", x=f"{x:.4f}%", y=y, width=f"{to - x:.4f}%", height=height, class_=kind, fill=fill)


def _line(x: float, y1: float, y2: float, kind: str, **stroke: str | int) -> Markup:
    return html("line", x1=f"{x:.4f}%", x2=f"{x:.4f}%", y1=y1, y2=y2, class_=kind, **stroke)


def _text(x: float, y: float, content: str, anchor: str, kind: str | None = None, dx: int | None = None) -> Markup:
    kept = "no" if kind == "who" else None  # a name
    return html("text", content, x=f"{x:.4f}%", y=y, text_anchor=anchor, class_=kind, dx=dx, translate=kept)
