"""Plots as SVG, readable without a script and without colours: points are joined, every value stands in a table beside.

A plot is drawn in a box of `WIDTH` by `HEIGHT`; its colours are those of the page's style sheet.
"""

from collections.abc import Sequence

from firmware.evidence import Evidence, short
from firmware.statistics.html import Markup, Part, html

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 14, 34  # margins
NAMES, LANE = 168, 26  # the names' column of a photo finish, as wide as twelve W; the height of a seat's lane


def line(points: Sequence[tuple[str, float]], says: str, unit: str) -> Markup:
    """Values in their order, each with its name; the axis begins at 0."""
    most = max((value for _, value in points), default=0) or 1
    step, scale = (WIDTH - LEFT - RIGHT) / len(points), (HEIGHT - TOP - BOTTOM) / most
    places = [(LEFT + step * (n + 0.5), HEIGHT - BOTTOM - scale * value) for n, (_, value) in enumerate(points)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    every = max(1, len(points) // 8)
    return _svg(
        says,
        HEIGHT,
        [_rule(LEFT, y, WIDTH - RIGHT, y) for y in (TOP, HEIGHT - BOTTOM)],
        _text(LEFT - 8, TOP + 4, f"{most:g} {unit}", "end"),
        _text(LEFT - 8, HEIGHT - BOTTOM + 4, "0", "end"),
        html("polyline", points=path, class_="line"),
        [html("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_="dot") for x, y in places],
        [
            _text(x, HEIGHT - BOTTOM + 20, label, "middle")
            for n, ((x, _), (label, _)) in enumerate(zip(places, points, strict=True))
            if n % every == 0
        ],
    )


def finish(race: Evidence, names: Sequence[str]) -> Markup:
    """A photo finish: a lane a seat, in the order of the stamps; a bar as wide as the timing error at each press."""
    times = [(row, row.after_ns, row.band_ns) for row in race.rows if row.after_ns is not None]
    first, end = (0 if race.signal else min(ns for _, ns, _ in times)), WIDTH - RIGHT - 90
    scale = (end - NAMES) / max(1, max(ns for _, ns, _ in times) - first)
    lanes: list[Part] = []
    for n, (row, after_ns, band_ns) in enumerate(times):
        x, y = NAMES + scale * (after_ns - first), TOP + LANE * (n + 0.5)
        low, high = max(NAMES, x - scale * (band_ns or 0)), min(end, x + scale * (band_ns or 0))
        mark = "first" if "first" in row.marks else "last" if "last" in row.marks else ""
        lanes += [
            _rule(NAMES, y, end, y),
            html("rect", x=f"{low:.1f}", y=f"{y - 7:.1f}", width=f"{high - low:.1f}", height=14, class_="band"),
            html("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=5, class_=f"dot {mark}".strip()),
            _text(NAMES - 8, y + 4, names[row.seat], "end"),
            _text(end + 10, y + 4, f"{short(after_ns)} {mark}".strip(), "start"),
        ]
    return _svg(". ".join(race.verdict), TOP * 2 + LANE * len(times), lanes)


def _svg(says: str, height: float, *parts: Part) -> Markup:
    return html("svg", html("title", says), *parts, viewBox=f"0 0 {WIDTH} {height:g}", role="img", class_="plot")


def _rule(x1: float, y1: float, x2: float, y2: float) -> Markup:
    return html("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", class_="rule")


def _text(x: float, y: float, content: str, anchor: str) -> Markup:
    return html("text", content, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
