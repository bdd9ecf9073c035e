"""Plots as SVG, readable without a script and without colours.

Lines differ by dashes and marks; their names stand at their ends, each behind its mark, and every value in a table
below. In the plot of a game a line has the colour of its player's button; in one over several games people stand in the
order of their names, and the lines differ by that.

A plot is as wide as its place. Its texts are those of the pages' style sheet, which has larger ones where the plot is
small: there is room for the larger ones.
"""

from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from firmware.markup import Markup, Part, html, name, table
from firmware.translation import _

WIDTH, HEIGHT, LINE = 480, 240, 22  # of the drawing; of a line of text
TOP, BOTTOM, RIGHT, GAP = 14, 34, 14, 8  # margins; between a text and what it is beside
DIGIT, NAMES = 12, 140  # how wide texts are: a digit, a name
MARK = 8  # how wide a mark is
STYLES = 6  # of lines; more begin anew
DENSE = 9  # nearer to each other, values have no marks


class PlotLine(NamedTuple):
    """The values of one line, in their order."""

    label: str
    values: tuple[float, ...]
    style: int | None = 0  # its colour and dashes, those of a button by its number; None: grey, of one not known


def figure(lines: Sequence[PlotLine], labels: Sequence[str], says: str, what: str, unit: str = "") -> Markup:
    """A plot, what it shows, and its values in a table. `labels`: of the values; `what` they are the labels of."""
    heads: list[Part] = [what, *(name(line.label) if len(lines) > 1 else unit or line.label for line in lines)]
    rows: list[list[Part]] = [
        [label, *map(number, values)] for label, *values in zip(labels, *(line.values for line in lines), strict=True)
    ]
    values = html("details", html("summary", _("Values")), table(heads, rows, says))
    return html("figure", html("figcaption", says), plot(lines, labels, says, unit), values)


def plot(lines: Sequence[PlotLine], labels: Sequence[str], says: str, unit: str = "") -> Markup:
    """Lines over the same axis, which has 0 in it."""
    values = [value for line in lines for value in line.values]
    low, high = min(0.0, *values), max(0.0, *values)
    high = high if high > low else low + 1
    bottom = max(HEIGHT, TOP + BOTTOM + LINE * len(lines)) - BOTTOM
    scale = (bottom - TOP) / (high - low)

    def y(value: float) -> float:
        return bottom - scale * (value - low)

    rules = {value: f"{number(value)} {unit}".strip() for value in (low, high, 0.0)}
    left = GAP + DIGIT * max(map(len, rules.values()))
    right = WIDTH - (NAMES if len(lines) > 1 else RIGHT)
    step = (right - left) / len(labels)
    every = stride(DIGIT * (max(map(len, labels)) + 1) / step)
    ends = spread([y(line.values[-1]) for line in lines], TOP, bottom, LINE)
    return html(
        "svg",
        html("title", says),
        [_rule(y(value), left, right) for value in rules],
        [
            _text(left - GAP, y(value) + 4, said, "end")
            for value, said in rules.items()
            if value in (low, high) or min(y(low) - y(0), y(0) - y(high)) >= LINE
        ],
        [
            _line(line, [(left + step * (at + 0.5), y(value)) for at, value in enumerate(line.values)], step < DENSE)
            for line in lines
        ],
        [
            [
                _mark(line, right + GAP + MARK / 2, end),
                _text(right + GAP + MARK + 4, end + 4, shortened(line.label, NAMES - GAP - MARK), "start", "no"),
            ]
            for line, end in zip(lines, ends, strict=True)
            if len(lines) > 1
        ],
        [
            _text(left + step * (n - 0.5), bottom + 22, label, "middle")
            for n, label in enumerate(labels, 1)
            if n % every == 0
        ],
        viewBox=f"0 0 {WIDTH} {bottom + BOTTOM}",
        role="img",
        class_="plot",
    )


def number(value: float) -> str:
    """A value, in full."""
    return f"{value:.10g}"


def stride(least: float) -> int:
    """Of how many labels one is shown, so that they do not meet: 1, 2, 5, 10, 20, 50 and so on."""
    tens = 1
    while True:
        for factor in (1, 2, 5):
            if factor * tens >= least:
                return factor * tens
        tens *= 10


def shortened(label: str, room: float) -> str:
    """So much of a name as there is room for; letters are taken to be wide rather than narrow."""
    wide = [DIGIT * _width(char) for char in label]
    if sum(wide) <= room:
        return label
    fits = next(n for n in range(len(label), -1, -1) if sum(wide[:n]) + DIGIT * _width("…") <= room)
    return f"{label[:fits]}…"


def _width(char: str) -> float:
    """How many digits a letter is wide."""
    if east_asian_width(char) in "WF" or char in "MW@…":
        return 1.7
    if char in "Ifijlrt .,'-":
        return 0.6
    return 1.2 if char.isupper() or char in "mw" else 0.95


def spread(at: Sequence[float], low: float, high: float, apart: float) -> list[float]:
    """The same heights, moved so far that texts there do not meet, where there is room between these two."""
    found, least = [0.0] * len(at), low
    for after, n in enumerate(sorted(range(len(at)), key=lambda n: at[n]), 1 - len(at)):
        found[n] = min(max(at[n], least), high + apart * after)
        least = found[n] + apart
    return found


def _line(line: PlotLine, places: Sequence[tuple[float, float]], dense: bool) -> list[Part]:
    """A line with its mark at each value, where there is room, else at its end."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks: list[Part] = [_mark(line, x, y) for x, y in (places[-1:] if dense else places)]
    return [html("polyline", points=path, class_=f"line {_style(line)}{' dense' * dense}"), *marks]


def _mark(line: PlotLine, x: float, y: float) -> Markup:
    """A circle, a square, a diamond; a small triangle stands for a button that is not known."""
    class_ = f"dot {_style(line)}"
    if line.style is None:
        return html("path", d=f"M{x:.1f} {y - 4:.1f}l4 7h-8z", class_=class_)
    if line.style % 3 == 0:
        return html("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_=class_)
    turn = f"rotate(45 {x:.1f} {y:.1f})" if line.style % 3 == 2 else None
    box = {"x": f"{x - 3.5:.1f}", "y": f"{y - 3.5:.1f}", "width": "7", "height": "7", "transform": turn}
    return html("rect", class_=class_, **box)


def _style(line: PlotLine) -> str:
    return "unknown" if line.style is None else f"l{line.style % STYLES}"


def _rule(y: float, left: float, right: float) -> Markup:
    return html("line", x1=f"{left:.1f}", y1=f"{y:.1f}", x2=f"{right:.1f}", y2=f"{y:.1f}", class_="rule")


def _text(x: float, y: float, content: str, anchor: str, translate: str | None = None) -> Markup:
    return html("text", content, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, translate=translate)
