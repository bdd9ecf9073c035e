"""The drawings of a kit say what its wires say: all of them, nothing else, and large enough to read."""

import re
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from hardware.building.harness import harness
from hardware.building.header import header
from hardware.building.schematics import schematics
from hardware.building.wiring import BESIDE, COLOURS, Wire, WireEnd, wires
from hardware.config import kit, kits, parse
from hardware.sizes import PI
from tests.hardware.building import CAPITALS, SVG, needs_graphviz, texts

A4_MM = (297.0, 210.0)
AS_IT_IS = "scale(1 1) rotate(0)"  # neither larger nor turned; then follows the rim

pytestmark = [pytest.mark.slow, needs_graphviz]

every_kit = pytest.mark.parametrize("name", kits())
odd_too = pytest.mark.parametrize("name", [*kits(), "odd"])

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


def sheets(name: str) -> dict[str, ET.Element]:
    """The sheets of a kit's harness, by file name."""
    return {file: picture for file, picture in pictures(name).items() if file.startswith("harness")}


def groups(picture: ET.Element, kind: str) -> dict[str, ET.Element]:
    """Graphviz's nodes or edges, by title; edges by their id too, as some have one title."""
    found = [group for group in picture.iter(f"{SVG}g") if group.get("class") == kind]
    return {group.findtext(f"{SVG}title", "") + (kind == "edge") * group.get("id", ""): group for group in found}


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
    for picture in sheets(name).values():
        for title, node in groups(picture, "node").items():
            if re.fullmatch(r"W\d+", title):
                _, _, mm2, long_mm, *rows = texts(node)
                cells = [row for row in rows if row]
                for begin, colour, end in zip(cells[::3], cells[1::3], cells[2::3], strict=True):
                    found.append(Drawn(begin, colour, end, mm2, long_mm))
    return found


def as_drawn(wire: Wire) -> Drawn:
    def words(end: WireEnd) -> str:
        beside = BESIDE.get(end.part, {}).get(end.pin)
        return ":".join([*end, beside] if beside else end).replace("\\", "∖")  # which Graphviz would take as an order

    return Drawn(words(wire.begin), COLOURS[wire.colour].name, words(wire.end), f"{wire.mm2} mm²", f"{wire.long_mm} mm")


@odd_too
def test_every_wire_is_in_the_harness_once_with_its_ends_colour_cross_section_and_length(name: str) -> None:
    config = parse(ODD) if name == "odd" else kit(name)
    assert sorted(drawn(name)) == sorted(map(as_drawn, wires(config)))


@every_kit
def test_as_many_lines_leave_and_reach_the_bundles_as_there_are_wires_and_in_their_colours(name: str) -> None:
    hexadecimal = {"black": "#000000", "red": "#ff0000", "yellow": "#ffff00"}
    lines = []
    for picture in sheets(name).values():
        for edge in groups(picture, "edge").values():
            _, core, _ = (path.get("stroke", "") for path in edge.iter(f"{SVG}path"))
            lines.append(hexadecimal.get(core, core))
    assert sorted(lines) == sorted(2 * [COLOURS[wire.colour].shown for wire in wires(kit(name))])


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


@pytest.mark.parametrize(
    ("name", "held"),
    [("duo", {("grey", "220 Ω")}), ("table", {("orange", "PTC 0.5 A"), ("grey", "220 Ω"), ("green", "330 Ω")})],
)
def test_the_list_of_wires_says_what_is_soldered_into_one(name: str, held: set[tuple[str, str]]) -> None:
    _, *rows = (line.split("\t") for line in drawings(name)["wires.tsv"].decode().splitlines())
    assert {(row[1], row[6]) for row in rows if row[6] != "-"} == held


@odd_too
def test_a_sheet_of_the_harness_fits_on_a4_with_letters_of_2_mm_or_more_and_its_png_has_its_shape(name: str) -> None:
    for file, picture in sheets(name).items():
        wide_mm, high_mm = (float(picture.attrib[side].removesuffix("mm")) for side in ("width", "height"))
        assert max(wide_mm, high_mm) <= max(A4_MM) and min(wide_mm, high_mm) <= min(A4_MM)
        scale = wide_mm / float(picture.attrib["viewBox"].split()[2])
        letters = [float(text.attrib["font-size"]) for text in picture.iter(f"{SVG}text")]
        assert CAPITALS * scale * min(letters) >= 2.0
        moved = [node.get("transform", "") for node in picture.iter() if node.get("transform")]
        assert [move[: len(AS_IT_IS)] for move in moved] == [AS_IT_IS]  # nothing else is moved out of its scale
        png = drawings(name)[file.replace(".svg", ".png")]
        dots = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
        assert dots == pytest.approx([mm / 25.4 * 200 for mm in (wide_mm, high_mm)], abs=4)  # 200 dots an inch


def line_points(edge: ET.Element) -> list[complex]:
    """Points along the Bezier curves of a line."""
    path = next(edge.iter(f"{SVG}path")).get("d", "")
    ends = [complex(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
    found = ends[:1]
    for a, b, c, d in zip(ends[::3], ends[1::3], ends[2::3], ends[3::3], strict=False):
        for s, u in ((step / 8, 1 - step / 8) for step in range(1, 9)):
            found.append(u**3 * a + 3 * u**2 * s * b + 3 * u * s**2 * c + s**3 * d)
    return found


def cross(one: list[complex], other: list[complex]) -> bool:
    """Whether two lines cross between their ends."""

    def side(a: complex, b: complex, c: complex) -> float:
        return ((b - a).conjugate() * (c - a)).imag

    return any(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for (a, b), (c, d) in product(pairwise(one), pairwise(other))
    )


@odd_too
def test_no_two_wires_of_a_sheet_cross(name: str) -> None:
    crossed = []
    for file, picture in sheets(name).items():
        lines = {title: line_points(edge) for title, edge in groups(picture, "edge").items()}
        crossed += [(file, a, b) for a, b in combinations(lines, 2) if cross(lines[a], lines[b])]
    assert crossed == []


@every_kit
def test_the_bundles_of_a_sheet_stand_in_order_from_top_to_bottom(name: str) -> None:
    for file, picture in sheets(name).items():
        tops = {
            int(title[1:]): float(next(node.iter(f"{SVG}text")).attrib["y"])
            for title, node in groups(picture, "node").items()
            if re.fullmatch(r"W\d+", title) and file != "harness-strip.svg"
        }
        assert sorted(tops, key=lambda number: tops[number]) == sorted(tops)


def pins(name: str) -> dict[int, ET.Element]:
    """The pins of the header's drawing."""
    found = {node.get("id", ""): node for node in pictures(name)["header.svg"].iter(f"{SVG}g")}
    return {int(key.removeprefix("pin-")): node for key, node in found.items() if key.startswith("pin-")}


@every_kit
def test_the_header_has_forty_pins_with_numbers_and_beside_each_its_wires_in_their_colour(name: str) -> None:
    expected: dict[int, list[str]] = {}
    for wire in wires(kit(name)):
        if wire.begin.part == PI:
            expected.setdefault(int(wire.begin.pin), [COLOURS[wire.colour].shown]).append(" ".join(wire.end))
    ends = {" ".join(end) for made in map(kit, kits()) for wire in wires(made) for end in (wire.begin, wire.end)}
    shown = {}
    for number, node in pins(name).items():
        strokes = [stroke for line in node.findall(f"{SVG}line") if (stroke := line.get("stroke"))]
        if node.get("class") == "used" or strokes:
            shown[number] = strokes[-1:] + [word for word in texts(node) if word in ends]
    assert [texts(node)[0] for node in pins(name).values()] == [str(number) for number in range(1, 41)]
    assert shown == expected


def test_two_wires_on_one_ground_both_stand_on_the_header() -> None:
    grounds = [words for words in map(texts, pins("odd").values()) if words[1] == "GND" and words[2:]]
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
        ("table", "schematic-button.svg", "PTC 0.5 A"),
        ("party", "harness-board.svg", "PTC 0.5 A near the plug of 5 V"),
        ("table", "header.svg", "orange, PTC 0.5 A in it"),
        ("duo", "header.svg", "grey, 220 Ω in it"),
        ("party", "schematic-strip.svg", "fuse 1.25 A"),
    ],
)
def test_a_drawing_has_what_a_builder_must_know(name: str, file: str, words: str) -> None:
    assert words in " ".join(texts(pictures(name)[file]))


def test_a_kit_without_lamps_and_strip_has_no_circuit_of_them() -> None:
    words = " ".join(texts(pictures("duo")["schematic-button.svg"]))
    assert ("schematic-strip.svg" in drawings("duo"), "lamp" in words, "ULN" in words) == (False, False, False)


@odd_too
def test_every_picture_is_xml_with_a_title_first_that_does_not_name_its_program(name: str) -> None:
    for file, picture in pictures(name).items():
        title = picture.find(f"{SVG}title")
        title = picture.find(f"{SVG}g/{SVG}title") if title is None else title
        assert title is not None and title.text, file
        assert not re.search(rb"(?i)graphviz|wireviz|schemdraw|<!--", drawings(name)[file])


def test_the_lamps_ends_on_the_buttons_circuit_are_called_as_in_the_harness() -> None:
    words = [word.replace("−", "-") for word in texts(pictures("table")["schematic-button.svg"])]
    ends = {end.pin for wire in wires(kit("table")) for end in (wire.begin, wire.end) if end.pin.startswith("lamp")}
    assert [words.count(end) for end in sorted(ends)] == [1, 1]


def test_the_strips_circuit_has_the_values_of_its_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "strip.md").read_text(encoding="utf-8")
    drawn = " ".join(texts(pictures("table")["schematic-strip.svg"]))
    values = ("330 Ω", "10 kΩ", "100 nF", "1,000 µF", "6.3 V", "GP16", "74AHCT125", "5, 9, 12", "4, 10, 13")
    assert [value for value in values if value not in page or value not in drawn] == []


@every_kit
def test_the_buzzers_circuit_has_its_line_and_its_resistor(name: str) -> None:
    buzzer = kit(name).buzzer
    assert buzzer is not None
    assert {f"GPIO {buzzer.pin}", "220 Ω"} <= set(texts(pictures(name)["schematic-buzzer.svg"]))
