"""Drawings: plain SVG in mm, with letters large enough to read in print."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal

FONT = "DejaVu Sans, Verdana, sans-serif"
LETTERS_MM = 3.5  # size of the font: capitals of 2.5 mm
TITLE_MM = 5.5
MARGIN_MM = 10.0
NOTE_MM = 5.2  # from a note to the next
INK, PALE, PAPER = "#1a1a1a", "#707070", "#ffffff"

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


class Drawing:
    """Shapes and texts, from the top left corner; later ones lie above earlier ones."""

    def __init__(self, title: str, width_mm: float, height_mm: float) -> None:
        self.title, self.width_mm, self.height_mm = title, width_mm, height_mm
        self.drawn: list[str] = []
        self.text((MARGIN_MM, MARGIN_MM + 5), title, size_mm=TITLE_MM, anchor="start", bold=True)

    def rect(
        self,
        corner: Point,
        width_mm: float,
        height_mm: float,
        *,
        fill: str = "none",
        ink: str = INK,
        round_mm: float = 0,
        line_mm: float = 0.35,
        broken: bool = False,
    ) -> None:
        """A rectangle from its top left corner on."""
        at = f'x="{_n(corner[0])}" y="{_n(corner[1])}" width="{_n(width_mm)}" height="{_n(height_mm)}"'
        rounded = f' rx="{_n(round_mm)}"' if round_mm else ""
        self.drawn.append(f"<rect {at}{rounded} {_look(fill, ink, line_mm, broken=broken)}/>")

    def circle(
        self,
        middle: Point,
        diameter_mm: float,
        *,
        fill: str = "none",
        ink: str = INK,
        line_mm: float = 0.35,
        broken: bool = False,
    ) -> None:
        at = f'cx="{_n(middle[0])}" cy="{_n(middle[1])}" r="{_n(diameter_mm / 2)}"'
        self.drawn.append(f"<circle {at} {_look(fill, ink, line_mm, broken=broken)}/>")

    def line(self, *spots: Point, ink: str = INK, line_mm: float = 0.35, fill: str = "none") -> None:
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in spots)
        self.drawn.append(f'<polyline points="{points}" {_look(fill, ink, line_mm)}/>')

    def arrow(self, *spots: Point) -> None:
        """A line with an arrowhead at its end."""
        self.line(*spots, line_mm=0.6)
        (x0, y0), (x1, y1) = spots[-2:]
        long_mm = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        dx, dy = (x1 - x0) / long_mm, (y1 - y0) / long_mm
        tip = (x1 + dx * 1.5, y1 + dy * 1.5)
        wings = [(x1 - dx * 2 + side * dy * 1.5, y1 - dy * 2 - side * dx * 1.5) for side in (-1, 1)]
        self.line(tip, *wings, tip, fill=INK)

    def text(
        self,
        at: Point,
        words: str,
        *,
        anchor: Anchor = "middle",
        size_mm: float = LETTERS_MM,
        ink: str = INK,
        bold: bool = False,
        upwards: bool = False,
    ) -> None:
        """A line of text, centred at the height of the spot, or beside it where it runs upwards."""
        x, y = at
        down_mm = 0.365 * size_mm  # half a capital's height
        turn = f' transform="rotate(-90 {_n(x)} {_n(y)})"' if upwards else ""
        weight = ' font-weight="bold"' if bold else ""
        self.drawn.append(
            f'<text x="{_n(x)}" y="{_n(y + down_mm)}" font-size="{_n(size_mm)}" text-anchor="{anchor}"'
            f' fill="{ink}"{weight}{turn}>{escape(words)}</text>'
        )

    def notes(self, lines: Sequence[str]) -> None:
        """Lines of text at the foot of the sheet."""
        for up, words in enumerate(reversed(lines)):
            self.text((MARGIN_MM, self.height_mm - MARGIN_MM - NOTE_MM * up), words, anchor="start")

    def svg(self) -> bytes:
        return page(self.title, self.width_mm, self.height_mm, self.drawn)


def page(title: str, width_mm: float, height_mm: float, drawn: Iterable[str]) -> bytes:
    """An SVG file of these elements on white paper."""
    wide, high = _n(width_mm), _n(height_mm)
    size = f'width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{wide}" height="{high}" fill="{PAPER}"/>',
    )
    return "\n".join([*head, *drawn, "</svg>", ""]).encode()


def _n(mm: float) -> str:
    """A number with few digits, the same on every machine."""
    return f"{round(mm, 2) + 0.0:g}"


def _look(fill: str, ink: str, line_mm: float, *, broken: bool = False) -> str:
    dashes = ' stroke-dasharray="1.6 1.2"' if broken else ""
    return f'fill="{fill}" stroke="{ink}" stroke-width="{_n(line_mm)}"{dashes}'
