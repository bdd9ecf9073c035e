"""The wiring harness of a kit: sheets with every wire from pin to pin, and the cutting list.

WireViz draws the sheets, in the order of building; a kit of few wires has a single one. Each fits on a page of A4.
"""

import html
import re
from typing import NamedTuple

from graphviz import Graph
from wireviz.DataClasses import Metadata, Options, Tweak
from wireviz.Harness import Harness

from hardware.building.drawing import FONT as FONTS
from hardware.building.wiring import (
    AT_THE_HEADER,
    BESIDE,
    BUFFER,
    BUZZER,
    COLOURS,
    IN_WIRE,
    LAMP_BOARD,
    STRIP_BOARD,
    Wire,
    WireEnd,
    wires,
)
from hardware.config import KitConfig
from hardware.sizes import BOARDS, DISPLAY, JACK, KNOB, PI, STRIP, build_of

PAGE_MM = (277.0, 190.0)  # A4 with a rim of 10 mm
DPI = 200
MM_A_POINT = 25.4 / 72
ON_ONE_SHEET = 20  # wires; more would be too small to read on one page
ANEW = "␟"  # separates the name of a part from the bundle for which it is drawn again
NOTE = "A part on the left is drawn for each bundle anew, with the pins that are used there."
NOTES = {  # below a part
    DISPLAY: "VCC and GND come in\nboth orders: go by\nthe print on yours",
    KNOB: "in a row: A, C, B;\nacross: the push",
}
FIRST = (DISPLAY, BUZZER)  # built first, as a new card tells by them what it does
FONT = FONTS.partition(",")[0]  # the others, of the same width, are used where it is missing
TITLES = {
    "all": "all wires",
    "board": "from the Raspberry Pi to the lamp board",
    "control": "display, sound and control",
    "buttons": "buttons",
    "lamps": "lamps",
    "strip": "strip",
}


class Bundle(NamedTuple):
    """Wires of one cross-section and length to the same part, tied together."""

    name: str
    sheet: str
    wires: tuple[Wire, ...]


def harness(config: KitConfig) -> dict[str, bytes]:
    """The sheets as SVG and PNG, and the list of wires as TSV, by file name.

    Needs the program `dot` of Graphviz. Raises `ConfigError`.
    """
    tied = bundles(config)
    sheets = [name for name in TITLES if any(bundle.sheet == name for bundle in tied)]
    files: dict[str, bytes] = {}
    for number, name in enumerate(sheets, 1):
        title = f"Lucky Paw {build_of(config).title}: {TITLES[name]}"
        title += f" (sheet {number} of {len(sheets)})" if len(sheets) > 1 else ""
        graph = _graph(config, title, [bundle for bundle in tied if bundle.sheet == name])
        graph.name = "harness"  # without a name not every Graphviz writes the title that becomes this one
        svg, width_mm, height_mm = _on_a_page(graph.pipe(format="svg", encoding="utf-8"), title)
        stem = "harness" if name == "all" else f"harness-{name}"
        files[f"{stem}.svg"] = svg.encode()
        graph.attr(dpi=str(DPI), size=f"{width_mm / 25.4:.4f},{height_mm / 25.4:.4f}")
        files[f"{stem}.png"] = graph.pipe(format="png")
    return files | {"wires.tsv": _table(tied).encode()}


def bundles(config: KitConfig) -> tuple[Bundle, ...]:
    """All wires of a kit, tied together, in the order of the sheets."""
    made = sorted(wires(config), key=lambda wire: wire.end.part not in FIRST)
    one = len(made) <= ON_ONE_SHEET
    tied: dict[tuple[str, str, float], list[Wire]] = {}
    for sheet in ("all",) if one else tuple(TITLES)[1:]:
        for wire in made:
            if one or _sheet(wire) == sheet:
                tied.setdefault((sheet, wire.end.part, wire.mm2), []).append(wire)
    return tuple(Bundle(f"W{number}", sheet, tuple(held)) for number, ((sheet, *_), held) in enumerate(tied.items(), 1))


def _sheet(wire: Wire) -> str:
    part, name = wire.end
    if part in (STRIP_BOARD, STRIP):
        return "strip"
    if part == LAMP_BOARD:
        return "board"
    if name.startswith("lamp"):
        return "lamps"
    return "buttons" if part.startswith("button") else "control"


def _graph(config: KitConfig, title: str, tied: list[Bundle]) -> Graph:
    joined = [wire for bundle in tied for wire in bundle.wires]
    reached = {wire.end for wire in joined}
    between = {wire.begin.part for wire in joined} & {wire.end.part for wire in joined}
    apart = 0.8 if between else 1.1  # inches between columns: five columns with a board between, else three

    def begin(part: str, bundle: Bundle) -> str:
        return _safe(part) + ("" if part in between else f"{ANEW}{bundle.name}")

    pins: dict[str, tuple[str, dict[str, None]]] = {}  # by the name of a box: its part, and its pins
    upwards = tied if between else tied[::-1]  # Graphviz stacks unconnected parts from below
    for bundle in upwards:
        for wire in bundle.wires:
            for name, end in ((begin(wire.begin.part, bundle), wire.begin), (_safe(wire.end.part), wire.end)):
                pins.setdefault(name, (end.part, {}))[1][end.pin] = None
    head = f"<b>{_safe(title)}</b>"
    if len(pins) > len({part for part, _ in pins.values()}):
        head += f'<br align="left"/><font point-size="14">{NOTE}</font><br align="left"/>'
    look = f"label=<{head}> labelloc=t labeljust=l fontsize=18 ranksep={apart} nodesep=0.2"
    drawn = Harness(Metadata(), Options(fontname=FONT, color_mode="full"), Tweak(append=look))
    for name, (part, used) in pins.items():
        shown = sorted(used, key=lambda pin: pin.startswith(("OUT", "out", "fused")))  # outputs of a board last
        labels = [BESIDE[part][pin] for pin in shown] if part in BESIDE else []
        drawn.add_connector(
            name,
            type=_kind(config, part, reached),
            pins=shown,
            pinlabels=labels,
            notes=NOTES.get(part),
            show_pincount=False,
        )
    for bundle in upwards:
        first = bundle.wires[0]
        drawn.add_cable(
            bundle.name,
            category="bundle",
            gauge=first.mm2,
            length=first.long_mm,
            length_unit="mm",
            colors=[wire.colour for wire in bundle.wires],
        )
        for number, (one, other, *_) in enumerate(bundle.wires, 1):
            drawn.connect(begin(one.part, bundle), one.pin, bundle.name, number, _safe(other.part), other.pin)
    graph = drawn.graph
    graph.body = [_named(line) for line in graph.body]
    return graph


def _named(line: str) -> str:
    """A line for Graphviz, its label without the bundle's name."""
    begin, label, rest = line.partition("[label=")
    return begin + label + re.sub(rf"{ANEW}W\d+", "", rest)


def _safe(name: str) -> str:
    """A name escaped for Graphviz, where a colon or backslash is special."""
    return html.escape(name).replace(":", "&#58;").replace("\\", "∖")


def _kind(config: KitConfig, part: str, reached: set[WireEnd]) -> str | None:
    """The kind of a part, below its name; and what is soldered into the wires that reach it."""
    kind = {
        PI: BOARDS[build_of(config).board].title.removeprefix(PI).strip(),
        DISPLAY: config.display.driver.upper(),
        LAMP_BOARD: "with a ULN2803A",
        STRIP_BOARD: f"with a {BUFFER}",
        KNOB: "rotary encoder",
        JACK: "5 V only",
    }.get(part)
    held = [
        f"{what} {'near the plug of' if end in AT_THE_HEADER else 'before'} {end.pin}"
        for end, what in IN_WIRE.items()
        if end.part == part and end in reached
    ]
    return "\n".join([*filter(None, [kind]), *held]) or None


def _on_a_page(svg: str, title: str) -> tuple[str, float, float]:
    """A drawing without traces of its tools, in its printed size; and its width and height in mm."""
    svg = re.sub(r"<!DOCTYPE.*?>\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace(f'"{FONT}"', f'"{FONTS}"')
    before, _, after = svg.partition("<title>")
    svg = f"{before}<title>{html.escape(title)}{after[after.index('</title>') :]}"
    size = re.search(r'<svg width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    assert size is not None
    width_mm, height_mm = (float(points) * MM_A_POINT for points in size.groups())
    fits = max(min(1.0, wide_mm / width_mm, high_mm / height_mm) for wide_mm, high_mm in (PAGE_MM, PAGE_MM[::-1]))
    width_mm, height_mm = width_mm * fits, height_mm * fits
    return svg.replace(size[0], f'<svg width="{width_mm:.1f}mm" height="{height_mm:.1f}mm"'), width_mm, height_mm


def _table(tied: tuple[Bundle, ...]) -> str:
    """The cutting list: a row for pieces of one cross-section, colour and length, and with the same part in them."""
    cut: dict[tuple[float, str, int, str], list[str]] = {}
    for bundle in tied:
        for wire in bundle.wires:
            held = IN_WIRE.get(wire.end, "-")
            cut.setdefault((wire.mm2, COLOURS[wire.colour].name, wire.long_mm, held), []).append(bundle.name)
    lines = ["pieces\tcolour\tcross-section in mm2\tlength in mm\ttogether in mm\tin bundles\tsoldered into it"]
    for (mm2, colour, long_mm, held), names in sorted(cut.items()):
        where = " ".join(dict.fromkeys(names))
        lines.append(f"{len(names)}\t{colour}\t{mm2:g}\t{long_mm}\t{len(names) * long_mm}\t{where}\t{held}")
    return "\n".join(lines) + "\n"
