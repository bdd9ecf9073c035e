"""The drawings of a kit say what its wires say: all of them, nothing else, and large enough to read."""

import re
import shutil
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from hardware.building.harness import harness
from hardware.building.header import header
from hardware.building.schematics import schematics
from hardware.building.wiring import BESIDE, COLOURS, End, Wire, wires
from hardware.config import kit, kits, parse
from hardware.sizes import PI

SVG = "{http://www.w3.org/2000/svg}"
A4_MM = (297.0, 210.0)
AS_IT_IS = "scale(1 1) rotate(0)"  # neither larger nor turned; then follows the rim
CAPITALS = 0.729  # the height of DejaVu Sans's capital letters, as a part of the font's size

pytestmark = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is missing: apt-get install graphviz")

every_kit = pytest.mark.parametrize("name", kits())

# Names that mean something to XML, to Graphviz or to its HTML; and more grounds than the header has.
ODD = """
players = [
    { name = "A:B", button = 5 },
    { name = "<&>", button = 6 },
    { name = '"q"', button = 22 },
    { name = '\\N', button = 23 },
    { name = "%s$", button = 4 },
    { name = "é]}", button = 26 },
]
control = { kind = "buttons", up = 17, down = 27, ok = 24 }
display = { driver = "ssd1306" }
buzzer = { pin = 13 }
build = { title = '<"Odd" & \\N>', board = "pi-zero-2w", button = "arcade-30" }
"""


@cache
def drawings(name: str) -> dict[str, bytes]:
    """All drawings of a kit, by file name."""
    config = parse(ODD) if name == "odd" else kit(name)
    return {"header.svg": header(config), **harness(config), **schematics(config)}


@cache
def pictures(name: str) -> dict[str, ET.Element]:
    return {file: ET.fromstring(made) for file, made in drawings(name).items() if file.endswith(".svg")}


def said(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()).strip() for text in element.iter(f"{SVG}text")]


class Drawn(NamedTuple):
    """A wire as a bundle on a sheet shows it."""

    begin: str
    colour: str
    end: str
    mm2: str
    long_mm: str


def drawn(name: str) -> list[Drawn]:
    """Every wire on the sheets of a harness."""
    found = []
    for file, picture in pictures(name).items():
        for node in picture.iter(f"{SVG}g") if file.startswith("harness") else ():
            if node.get("class") == "node" and re.fullmatch(r"W\d+", node.findtext(f"{SVG}title", "")):
                _, _, mm2, long_mm, *rows = said(node)
                cells = [row for row in rows if row]
                for begin, colour, end in zip(cells[::3], cells[1::3], cells[2::3], strict=True):
                    found.append(Drawn(begin, colour, end, mm2, long_mm))
    return found


def as_drawn(wire: Wire) -> Drawn:
    def words(end: End) -> str:
        beside = BESIDE.get(end.part, {}).get(end.pin)
        return ":".join([*end, beside] if beside else end).replace("\\", "∖")  # which Graphviz would take as an order

    return Drawn(words(wire.begin), COLOURS[wire.colour].name, words(wire.end), f"{wire.mm2} mm²", f"{wire.long_mm} mm")


@pytest.mark.parametrize("name", [*kits(), "odd"])
def test_every_wire_is_in_the_harness_once_with_its_ends_colour_cross_section_and_length(name: str) -> None:
    config = parse(ODD) if name == "odd" else kit(name)
    assert sorted(drawn(name)) == sorted(map(as_drawn, wires(config)))


@every_kit
def test_as_many_lines_leave_and_reach_the_bundles_as_there_are_wires_and_in_their_colours(name: str) -> None:
    lines = []
    for file, picture in pictures(name).items():
        for node in picture.iter(f"{SVG}g") if file.startswith("harness") else ():
            if node.get("class") == "edge":
                _, core, _ = (path.get("stroke") for path in node.iter(f"{SVG}path"))
                lines.append({"black": "#000000", "red": "#ff0000", "yellow": "#ffff00"}.get(str(core), core))
    assert sorted(map(str, lines)) == sorted(2 * [COLOURS[wire.colour].shown for wire in wires(kit(name))])


@every_kit
def test_the_list_of_wires_has_every_wire_and_the_bundles_that_are_drawn(name: str) -> None:
    head, *rows = (line.split("\t") for line in drawings(name)["wires.tsv"].decode().splitlines())
    listed: list[tuple[str, float, int]] = []
    for row in rows:
        cut = dict(zip(head, row, strict=True))
        one = (cut["colour"], float(cut["cross-section in mm2"]), int(cut["length in mm"]))
        listed += [one] * int(cut["pieces"])
    titles = [title.text or "" for picture in pictures(name).values() for title in picture.iter(f"{SVG}title")]
    assert sorted(listed) == sorted((COLOURS[wire.colour].name, wire.mm2, wire.long_mm) for wire in wires(kit(name)))
    assert sum(int(row[4]) for row in rows) == sum(wire.long_mm for wire in wires(kit(name)))
    assert {bundle for row in rows for bundle in row[5].split()} == {
        title for title in titles if re.fullmatch(r"W\d+", title)
    }


@pytest.mark.parametrize("name", [*kits(), "odd"])
def test_a_sheet_of_the_harness_fits_on_a4_with_letters_of_2_mm_or_more(name: str) -> None:
    low = []
    for file, picture in pictures(name).items():
        if file.startswith("harness"):
            wide_mm, high_mm = (float(picture.attrib[side].removesuffix("mm")) for side in ("width", "height"))
            assert max(wide_mm, high_mm) <= max(A4_MM) and min(wide_mm, high_mm) <= min(A4_MM)
            scale = wide_mm / float(picture.attrib["viewBox"].split()[2])
            sizes = [float(text.attrib["font-size"]) for text in picture.iter(f"{SVG}text")]
            low.append(CAPITALS * scale * min(sizes))
    assert min(low) >= 2.0


@every_kit
def test_nothing_is_moved_out_of_a_sheets_scale(name: str) -> None:
    sheets = [picture for file, picture in pictures(name).items() if file.startswith("harness")]
    moved = [node.get("transform", "") for picture in sheets for node in picture.iter() if node.get("transform")]
    assert [move[: len(AS_IT_IS)] for move in moved] == [AS_IT_IS] * len(sheets)


def line_points(edge: ET.Element) -> list[tuple[float, float]]:
    """Points along a line of a harness: what its curves lie between."""
    path = next(edge.iter(f"{SVG}path")).get("d", "")
    ends = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
    found = ends[:1]
    for a, b, c, d in zip(ends[::3], ends[1::3], ends[2::3], ends[3::3], strict=False):
        for step in range(1, 9):
            s, u = step / 8, 1 - step / 8
            weights = (u**3, 3 * u**2 * s, 3 * u * s**2, s**3)
            found.append(
                (
                    sum(w * at[0] for w, at in zip(weights, (a, b, c, d), strict=True)),
                    sum(w * at[1] for w, at in zip(weights, (a, b, c, d), strict=True)),
                )
            )
    return found


def cross(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether two lines cross between their ends."""

    def side(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return any(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for (a, b), (c, d) in product(pairwise(one), pairwise(other))
    )


@pytest.mark.parametrize("name", [*kits(), "odd"])
def test_no_two_wires_of_a_sheet_cross(name: str) -> None:
    crossed = []
    for file, picture in pictures(name).items():
        edges = [node for node in picture.iter(f"{SVG}g") if node.get("class") == "edge"]
        lines = {edge.findtext(f"{SVG}title", "") + edge.get("id", ""): line_points(edge) for edge in edges}
        crossed += [(file, a, b) for a, b in combinations(lines, 2) if cross(lines[a], lines[b])]
    assert crossed == []


@every_kit
def test_the_bundles_of_a_sheet_stand_in_order_from_top_to_bottom(name: str) -> None:
    for file, picture in pictures(name).items():
        nodes = {
            node.findtext(f"{SVG}title", ""): node for node in picture.iter(f"{SVG}g") if node.get("class") == "node"
        }
        tops = {
            title: float(next(node.iter(f"{SVG}text")).attrib["y"])
            for title, node in nodes.items()
            if re.fullmatch(r"W\d+", title) and file != "harness-strip.svg"
        }
        assert sorted(tops, key=lambda title: tops[title]) == sorted(tops, key=lambda title: int(title[1:]))


@every_kit
def test_a_sheets_png_has_the_shape_of_its_svg_at_200_dots_an_inch(name: str) -> None:
    for file, picture in pictures(name).items():
        if file.startswith("harness"):
            png = drawings(name)[file.replace(".svg", ".png")]
            dots = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
            size_mm = [float(picture.attrib[side].removesuffix("mm")) for side in ("width", "height")]
            assert dots == pytest.approx([mm / 25.4 * 200 for mm in size_mm], abs=4)


def used(name: str) -> dict[int, list[str]]:
    """What is said on the header's drawing beside each pin that it shows as used."""
    groups = {node.get("id", ""): node for node in pictures(name)["header.svg"].iter(f"{SVG}g")}
    return {
        int(key.removeprefix("pin-")): said(node)
        for key, node in groups.items()
        if key.startswith("pin-") and node.get("class") == "used"
    }


@every_kit
def test_the_header_has_forty_pins_each_with_its_number(name: str) -> None:
    groups = [node for node in pictures(name)["header.svg"].iter(f"{SVG}g") if "pin-" in node.get("id", "")]
    assert [said(node)[0] for node in groups] == [str(number) for number in range(1, 41)]


@every_kit
def test_each_pin_of_the_header_has_its_wires_and_no_others(name: str) -> None:
    expected: dict[int, list[str]] = {}
    for wire in wires(kit(name)):
        if wire.begin.part == PI:
            expected.setdefault(int(wire.begin.pin), []).append(" ".join(wire.end))
    ends = {" ".join(end) for made in map(kit, kits()) for wire in wires(made) for end in (wire.begin, wire.end)}
    assert {number: [word for word in words if word in ends] for number, words in used(name).items()} == expected


@every_kit
def test_a_wire_on_the_header_has_its_colour(name: str) -> None:
    shown = {}
    for node in pictures(name)["header.svg"].iter(f"{SVG}g"):
        if (strokes := [line.get("stroke") for line in node.findall(f"{SVG}line")]) and strokes[0] is not None:
            shown[node.get("id")] = strokes[-1]
    assert shown == {
        f"pin-{wire.begin.pin}": COLOURS[wire.colour].shown for wire in wires(kit(name)) if wire.begin.part == PI
    }


def test_two_wires_on_one_ground_both_stand_on_the_header() -> None:
    grounds = [words for words in used("odd").values() if words[1] == "GND"]
    assert sum(word.endswith((" COM", " GND", " -")) for words in grounds for word in words) == 11 > len(grounds)


PRINT_COUNTS = "VCC and GND come in both orders"


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("duo", "header.svg", f"Display: {PRINT_COUNTS}, go by the print on yours."),
        ("duo", "harness.svg", f"{PRINT_COUNTS}: go by the print on yours"),
        ("table", "harness-control.svg", f"{PRINT_COUNTS}: go by the print on yours"),
        ("duo", "header.svg", "Free for more: SPI, UART, ID EEPROM, PWM on GPIO 12 or 18"),
        ("table", "header.svg", "Free for more: SPI, UART, ID EEPROM, PWM on GPIO 18"),
        ("party", "header.svg", "turquoise, lamp of P6"),
        ("table", "harness-strip.svg", "5 V only"),
        ("table", "schematic-strip.svg", "centre positive"),
        ("table", "schematic-strip.svg", "fuse 2 A"),
        ("party", "schematic-strip.svg", "fuse 1.25 A"),
    ],
)
def test_a_drawing_says_what_who_builds_the_kit_must_know(name: str, file: str, words: str) -> None:
    assert words in " ".join(said(pictures(name)[file]))


def test_a_kit_without_lamps_and_strip_has_no_circuit_of_them() -> None:
    words = " ".join(said(pictures("duo")["schematic-button.svg"]))
    assert ("schematic-strip.svg" in drawings("duo"), "lamp" in words, "ULN" in words) == (False, False, False)


@pytest.mark.parametrize("name", [*kits(), "odd"])
def test_every_picture_is_xml_with_a_title_first(name: str) -> None:
    for file, picture in pictures(name).items():
        title = picture.find(f"{SVG}title")
        title = picture.find(f"{SVG}g/{SVG}title") if title is None else title
        assert title is not None and title.text, file


@every_kit
def test_no_picture_tells_what_made_it(name: str) -> None:
    told = [file for file, made in drawings(name).items() if re.search(rb"(?i)graphviz|wireviz|schemdraw|<!--", made)]
    assert told == []


def test_the_lamps_ends_on_the_buttons_circuit_are_called_as_in_the_harness() -> None:
    words = [word.replace("−", "-") for word in said(pictures("table")["schematic-button.svg"])]
    ends = {end.pin for wire in wires(kit("table")) for end in (wire.begin, wire.end) if end.pin.startswith("lamp")}
    assert [words.count(end) for end in sorted(ends)] == [1, 1]


def test_the_strips_circuit_has_the_values_of_its_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "strip.md").read_text(encoding="utf-8")
    drawn = " ".join(said(pictures("table")["schematic-strip.svg"]))
    values = ("330 Ω", "10 kΩ", "100 nF", "1,000 µF", "6.3 V", "GP16", "74AHCT125", "5, 9, 12", "4, 10, 13")
    assert [value for value in values if value not in page or value not in drawn] == []


@every_kit
def test_the_buzzers_circuit_has_its_line_and_its_resistor(name: str) -> None:
    buzzer = kit(name).buzzer
    assert buzzer is not None
    assert {f"GPIO {buzzer.pin}", "220 Ω"} <= set(said(pictures(name)["schematic-buzzer.svg"]))
