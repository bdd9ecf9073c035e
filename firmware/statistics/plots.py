"""Plots as SVG, readable without a script and without colours.

Lines differ by dashes and marks, and have their names at their ends; every value stands in a table below. The box of a
plot is in CSS pixels where there is room; its colours are those of the pages' style sheet.
"""

from collections.abc import Sequence
from typing import NamedTuple

from firmware.markup import Markup, Part, html, name, table
from firmware.translation import _

WIDE, NARROW, HEIGHT = 640, 440, 240  # of several lines, of one
LEFT, NAMES, TOP, BOTTOM = 52, 110, 14, 34  # margins; `NAMES`: at the right, of several lines
APART = 15  # between two names
LETTERS = 13  # of a name
STYLES = 6  # of lines; more begin anew


class Line(NamedTuple):
    """The values of one line, in their order."""

    label: str
    values: tuple[float, ...]


def figure(lines: Sequence[Line], labels: Sequence[str], says: str, what: str, unit: str = "") -> Markup:
    """A plot, what it shows, and its values in a table. `labels`: of the values; `what` they are the labels of."""
    heads: list[Part] = [what, *(name(line.label) if len(lines) > 1 else unit or line.label for line in lines)]
    rows: list[list[Part]] = [
        [label, *(f"{value:g}" for value in values)]
        for label, *values in zip(labels, *(line.values for line in lines), strict=True)
    ]
    values = html("details", html("summary", _("Values")), table(heads, rows, says))
    return html("figure", plot(lines, labels, says, unit), html("figcaption", says), values)


def plot(lines: Sequence[Line], labels: Sequence[str], says: str, unit: str = "") -> Markup:
    """Lines over the same axis, which has 0 in it."""
    values = [value for line in lines for value in line.values]
    low, high = min(0.0, *values), max(0.0, *values)
    high = high if high > low else low + 1
    width, right = (WIDE, WIDE - NAMES) if len(lines) > 1 else (NARROW, NARROW - TOP)
    step, scale = (right - LEFT) / len(labels), (HEIGHT - TOP - BOTTOM) / (high - low)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - scale * (value - low)

    every = max(1, -(-len(labels) // 10))
    ends = spread([y(line.values[-1]) for line in lines], TOP, HEIGHT - BOTTOM, APART)
    return html(
        "svg",
        html("title", says),
        [_rule(y(value), right) for value in dict.fromkeys((low, 0.0, high))],
        [
            _text(LEFT - 8, y(value) + 4, f"{value:g} {unit}".strip(), "end")
            for value in dict.fromkeys((low, high, *([] if scale * -low < APART and low else [0.0])))
        ],
        [
            _line(n, [(LEFT + step * (at + 0.5), y(value)) for at, value in enumerate(line.values)])
            for n, line in enumerate(lines)
        ],
        [
            _text(right + 8, end + 4, line.label[:LETTERS], "start", f"l{n % STYLES}")
            for n, (line, end) in enumerate(zip(lines, ends, strict=True))
            if len(lines) > 1
        ],
        [
            _text(LEFT + step * (n + 0.5), HEIGHT - BOTTOM + 20, label, "middle")
            for n, label in enumerate(labels)
            if n % every == 0
        ],
        viewBox=f"0 0 {width} {HEIGHT}",
        role="img",
        class_="plot" if len(lines) > 1 else "plot one",
    )


def spread(at: Sequence[float], low: float, high: float, apart: float) -> list[float]:
    """The same heights, moved so far that texts there do not meet, where there is room between these two."""
    found, least = [0.0] * len(at), low
    for after, n in enumerate(sorted(range(len(at)), key=lambda n: at[n]), 1 - len(at)):
        found[n] = min(max(at[n], least), high + apart * after)
        least = found[n] + apart
    return found


def _line(n: int, places: Sequence[tuple[float, float]]) -> list[Part]:
    """A line with a mark at each value: a circle, a square, a diamond."""
    style = f"l{n % STYLES}"
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks: list[Part] = []
    for x, y in places if len(places) <= 60 else places[-1:]:
        if n % 3 == 0:
            marks.append(html("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_=f"dot {style}"))
        else:
            turn = f"rotate(45 {x:.1f} {y:.1f})" if n % 3 == 2 else None
            box = {"x": f"{x - 3.5:.1f}", "y": f"{y - 3.5:.1f}", "width": "7", "height": "7", "transform": turn}
            marks.append(html("rect", class_=f"dot {style}", **box))
    return [html("polyline", points=path, class_=f"line {style}"), *marks]


def _rule(y: float, right: float) -> Markup:
    return html("line", x1=LEFT, y1=f"{y:.1f}", x2=right, y2=f"{y:.1f}", class_="rule")


def _text(x: float, y: float, content: str, anchor: str, style: str | None = None) -> Markup:
    return html("text", content, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=style)
