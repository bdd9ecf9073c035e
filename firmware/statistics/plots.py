"""Plots as SVG, readable without a script and without colours: points are joined, every value stands in a table beside.

A plot is drawn in a box of `WIDTH` by `HEIGHT`; its colours are those of the page's style sheet.
"""

from collections.abc import Sequence

from firmware.markup import Markup, Part, html

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 14, 34  # margins


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


def _svg(says: str, height: float, *parts: Part) -> Markup:
    return html("svg", html("title", says), *parts, viewBox=f"0 0 {WIDTH} {height:g}", role="img", class_="plot")


def _rule(x1: float, y1: float, x2: float, y2: float) -> Markup:
    return html("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", class_="rule")


def _text(x: float, y: float, content: str, anchor: str) -> Markup:
    return html("text", content, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
