"""The certificate as a picture: a histogram in plain SVG. No scripts, nothing from elsewhere."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from math import log10

from firmware.output.public import certificate
from firmware.setup.certificate import US, Certificate, round_widths_ns, us
from firmware.translation import _, grouped

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 740, 136, 344  # the plot's edges
MAX_TICKS = 9
LETTER = 7.8  # the width of a letter of the labels, roughly
LABEL_STEP = 19

# attributes, not a style sheet: the page's strict policy would leave that out
PAPER, INK, PALE = "#fbf5e6", "#2b2117", "#6b5c48"
FONT = """font-family="system-ui, 'DejaVu Sans', 'Liberation Sans', sans-serif" font-size="13\""""
LABEL = f'text-anchor="middle" paint-order="stroke" stroke="{PAPER}" stroke-width="5"'
MARK = 'stroke="#8a4b12" stroke-width="1.5"'
BAD = 'fill="#b3261e" font-weight="600"'
BAND = 'stroke="#b3261e" stroke-width="2.5" stroke-dasharray="7 4"'


@lru_cache(maxsize=1)  # drawn once: anybody on this machine may ask for it
def svg(measured: Certificate, unused: str | None = None) -> str:
    """The distribution of the lateness, with p50, p99, p99.9, max and the timing error; counts on a log scale.

    `unused` says why the kit does not go by it, if it does not.
    """
    return "\n".join(_lines(measured, unused))


def _lines(c: Certificate, unused: str | None) -> Iterator[str]:
    end_ns = max(len(c.histogram) * c.bin_ns, c.error_ns) * 1.03
    top = log10(1 + max(c.histogram))

    def x(ns: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * ns / end_ns, 1)

    def y(pulses: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * log10(1 + pulses) / top, 1)

    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {FONT} fill="{INK}">'
    yield f"<title>{escape(certificate(c, unused))}</title>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{PAPER}"/>'
    title = _("How late a press is stamped: {n} pulses", n=grouped(c.pulses - c.dropped))
    yield f'<text font-size="17" font-weight="600" x="20" y="30">{title}</text>'
    wire = _("GPIO {wire} to {button}", wire=c.wire, button=c.button)
    what = f"{c.day} · {c.board} · kernel {c.kernel} · {c.driver} · {wire}"
    yield f'<text fill="{PALE}" x="20" y="51">{escape(what)}</text>'
    if unused is not None:
        why = _("unused: {why}", why=unused)
        yield f'<text {BAD} x="{RIGHT}" y="30" text-anchor="end">{escape(why)}</text>'
    for pulses in (10**power for power in range(int(top) + 1) if 10**power <= max(c.histogram)):
        yield f'<path stroke="#d9caa9" d="M{LEFT} {y(pulses)}H{RIGHT}"/>'
        yield f'<text fill="{PALE}" x="{LEFT - 8}" y="{y(pulses) + 4.5}" text-anchor="end">{grouped(pulses)}</text>'
    for n, pulses in enumerate(c.histogram):
        if pulses:
            width = max(1, x((n + 1) * c.bin_ns) - x(n * c.bin_ns) - 1)
            yield f'<path fill="#1c7a72" d="M{x(n * c.bin_ns)} {BOTTOM}V{y(pulses)}h{width:.1f}V{BOTTOM}z"/>'
    yield f'<path stroke="{INK}" d="M{LEFT} {BOTTOM}H{RIGHT}"/>'
    step_ns = next(width_ns for width_ns in round_widths_ns() if end_ns / width_ns <= MAX_TICKS)
    for ns in range(0, int(end_ns) + 1, step_ns):
        yield f'<path stroke="{INK}" d="M{x(ns)} {BOTTOM}v5"/>'
        yield f'<text x="{x(ns)}" y="{BOTTOM + 20}" text-anchor="middle">{grouped(ns // US)}</text>'
    late, bins = _("stamp minus write, µs"), _("pulses a bin of {width}, log scale", width=us(c.bin_ns))
    yield f'<text fill="{PALE}" x="{RIGHT}" y="{BOTTOM + 42}" text-anchor="end">{late}</text>'
    yield f'<text fill="{PALE}" x="20" y="{BOTTOM + 42}">{bins}</text>'
    marks = (
        ("p50", c.p50_ns),
        ("p99", c.p99_ns),
        ("p99.9", c.p999_ns),
        ("max", c.max_ns),
        (_("timing error"), c.error_ns),
    )
    ends: list[float] = []  # where the labels of each row end
    labels = []
    for name, ns in marks:
        label = f"{name} {us(ns)}"
        half = LETTER * len(label) / 2
        middle = min(max(x(ns), LEFT + half), RIGHT - half)
        row = next((row for row, end in enumerate(ends) if end < middle - half), len(ends))
        ends[row : row + 1] = [middle + half + LETTER]
        label_y = TOP - 10 - LABEL_STEP * row
        line, ink = (BAND, BAD) if ns == c.error_ns and name == marks[-1][0] else (MARK, "")
        yield f'<path {line} d="M{x(ns)} {label_y + 4}V{BOTTOM}"/>'
        labels.append(f'<text {LABEL} {ink} x="{middle:.1f}" y="{label_y}">{label}</text>')
    yield from labels  # over the lines of those above
    yield "</svg>\n"
