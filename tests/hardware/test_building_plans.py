"""Plans and board layouts: every name stands on them, within the page, large enough, and none on another."""

import re
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from hardware import sizes
from hardware.building.boards import BYPASS, CAPACITOR_MM, FUSE_MM, PAD, PULL_DOWN, Hole, hole, holes
from hardware.building.plans import plans
from hardware.building.wiring import COLOURS, LAMP_BOARD, WireEnd, wires
from hardware.config import KitConfig, kit
from hardware.layout import built
from hardware.pins import GND, V5
from tests.hardware.building import CAPITALS, KITS, SVG, texts

A4_MM = [210.0, 297.0]
LETTER = 0.64  # the mean width of a letter of DejaVu Sans, and a little more, as a part of the font's size
BOLD = 0.72

lit = pytest.mark.parametrize("name", ["table", "party"])
every_kit = pytest.mark.parametrize("config", KITS.values(), ids=KITS.keys())


class Box(NamedTuple):
    words: str
    left: float
    top: float
    right: float
    bottom: float


@cache
def drawn(config: KitConfig) -> dict[str, ET.Element]:
    return {name: ET.fromstring(picture) for name, picture in plans(config).items()}


def page_mm(picture: ET.Element) -> tuple[float, float]:
    _, _, wide, high = map(float, picture.attrib["viewBox"].split())
    return wide, high


def boxes(picture: ET.Element) -> list[Box]:
    """The space that each text takes on the page."""
    found = []
    for text in picture.iter(f"{SVG}text"):
        words, size, anchor = str(text.text), float(text.attrib["font-size"]), text.attrib["text-anchor"]
        x, base = float(text.attrib["x"]), float(text.attrib["y"])
        long_mm, half_mm = (BOLD if text.get("font-weight") else LETTER) * size * len(words), CAPITALS * size / 2
        low = {"start": 0.0, "middle": -long_mm / 2, "end": -long_mm}[anchor]
        y, high = base - half_mm, low + long_mm
        if turn := text.get("transform"):
            assert re.fullmatch(rf"rotate\(-90 {text.attrib['x']} [\d.]+\)", turn)
            y = float(turn.split()[2].removesuffix(")"))
            found.append(Box(words, x - half_mm, y - high, x + half_mm, y - low))
        else:
            found.append(Box(words, x + low, y - half_mm, x + high, y + half_mm))
    return found


def points(line: ET.Element) -> list[tuple[float, float]]:
    """The corners of a polyline."""
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.attrib["points"].split())]


def corners(shape: ET.Element) -> list[tuple[float, float]]:
    """The extreme points of a shape."""
    at = {key: float(n) for key, n in shape.attrib.items() if re.fullmatch(r"-?[\d.]+", n)}
    match shape.tag.removeprefix(SVG):
        case "circle":
            return [(at["cx"] + way * at["r"], at["cy"] + way * at["r"]) for way in (-1, 1)]
        case "rect":
            x, y = at.get("x", 0), at.get("y", 0)
            return [(x, y), (x + at["width"], y + at["height"])]
        case "polyline":
            return points(shape)
    return []


@every_kit
def test_a_page_is_a4_with_readable_capitals_all_lies_on_it_and_no_text_on_another(config: KitConfig) -> None:
    for picture in drawn(config).values():
        wide, high = page_mm(picture)
        assert sorted((wide, high)) == A4_MM
        assert [picture.attrib["width"], picture.attrib["height"]] == [f"{wide:g}mm", f"{high:g}mm"]
        assert min(float(text.attrib["font-size"]) for text in picture.iter(f"{SVG}text")) * CAPITALS >= 2.5
        spots = [spot for shape in picture.iter() for spot in corners(shape)]
        assert [spot for spot in spots if not (0 <= spot[0] <= wide and 0 <= spot[1] <= high)] == []
        assert [b for b in boxes(picture) if min(b[1:3]) < 5 or b.right > wide - 5 or b.bottom > high - 5] == []
        assert [
            (one, other)
            for one, other in combinations(boxes(picture), 2)
            if one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom
        ] == []


@every_kit
def test_the_lid_shows_every_player_and_all_controls(config: KitConfig) -> None:
    words = texts(drawn(config)["plan-lid.svg"])
    control = ["knob"] if config.control.kind == "knob" else ["up", "down", "ok"]
    expected = [*config.names, *control, "display", "back", "front: here sits who reads the display"]
    assert [word for word in expected if words.count(word) != 1] == []
    assert words.count("lamp 1, DIN") == (0 if config.strip is None else 1)


@every_kit
def test_the_base_shows_every_board_by_the_name_that_its_wires_have(config: KitConfig) -> None:
    words = texts(drawn(config)["plan-base.svg"])
    boards = [tray.name for tray in built(config)[1].trays]
    jack = ["5 V jack"] if config.strip is not None else []
    assert [word for word in [*boards, "Raspberry Pi", "pin 1", "card", *jack] if words.count(word) != 1] == []


def test_the_tables_ring_begins_at_the_front_and_goes_clockwise() -> None:
    picture = drawn(kit("table"))["plan-lid.svg"]
    spots = {box.words: ((box.left + box.right) / 2, (box.top + box.bottom) / 2) for box in boxes(picture)}
    (first_x, first_y), left, back, right = (spots[words] for words in ("lamp 1, DIN", "16", "31", "46"))
    assert left[0] < first_x == back[0] < right[0] and back[1] < left[1] == right[1] < first_y


@pytest.mark.parametrize(
    ("name", "size"), [("duo", "true size: 198 x 70 mm"), ("table", "85 % of its size: 215 x 215 mm")]
)
def test_a_lid_says_at_which_size_it_is_drawn(name: str, size: str) -> None:
    assert f"From above, drawn at {size}." in texts(drawn(kit(name))["plan-lid.svg"])


@every_kit
def test_a_kit_has_the_layouts_of_its_boards_and_no_others(config: KitConfig) -> None:
    names = {"lamp board": "board-lamps.svg", "strip board": "board-strip.svg"}
    expected = {file for name, file in names.items() if name in [tray.name for tray in built(config)[1].trays]}
    assert {name for name in drawn(config) if name.startswith("board")} == expected


@lit
def test_each_lamp_is_on_the_lamp_board_with_its_line(name: str) -> None:
    words = texts(drawn(kit(name))["board-lamps.svg"])
    expected = [f"{player.name} GPIO {player.lamp}" for player in kit(name).players]
    expected += [f"{player.name} lamp −" for player in kit(name).players]
    assert [word for word in expected if words.count(word) != 1] == []


@lit
def test_a_wire_to_the_lamp_board_has_its_colour(name: str) -> None:
    pins = {f"{way}{channel}" for way in ("IN", "OUT") for channel in range(1, 9)}
    ends = [(end, wire.colour) for wire in wires(kit(name)) for end in (wire.begin, wire.end)]
    lines = drawn(kit(name))["board-lamps.svg"].iter(f"{SVG}polyline")
    assert sorted(line.attrib["stroke"] for line in lines if line.attrib["stroke-width"] == "1.5") == sorted(
        COLOURS[colour].shown for end, colour in ends if end.part == LAMP_BOARD and end.pin in pins
    )


@lit
@pytest.mark.parametrize("rail", [GND, V5])
def test_a_rail_of_the_lamp_board_has_a_hole_for_each_of_its_wires(name: str, rail: str) -> None:
    many = sum(WireEnd(LAMP_BOARD, rail) in (wire.begin, wire.end) for wire in wires(kit(name)))
    columns, _ = holes(sizes.LAMP_BOARD)
    assert [word for word in texts(drawn(kit(name))["board-lamps.svg"]) if f", {many} wires:" in word]
    assert many <= columns - 2 - 1  # the rail's ends, and the hole of the chip's own link


@lit
def test_the_lamp_boards_orange_lead_is_named_with_its_ptc(name: str) -> None:
    words = " ".join(texts(drawn(kit(name))["board-lamps.svg"]))
    assert "Raspberry Pi pin 2 (PTC 0.5 A in it); lamp + of button P1" in words


def test_the_chip_on_the_lamp_board_has_its_pins_where_its_maker_puts_them() -> None:
    assert [hole(number, 18, 6, 4) for number in (1, 9, 10, 18)] == [(6, 4), (14, 4), (14, 7), (6, 7)]


def links(name: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """The links of a board by colour, in mm on the page."""
    lines = drawn(kit("table"))[name].iter(f"{SVG}polyline")
    return [(line.attrib["stroke"], points(line)) for line in lines if line.attrib["stroke-width"] == "1.1"]


def covered(spots: list[tuple[float, float]]) -> set[tuple[int, int]]:
    """Spots half a mm apart along a link: two that cross share one."""
    found = set()
    for (x0, y0), (x1, y1) in pairwise(spots):
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0)) / 0.1))
        found |= {
            (round((x0 + (x1 - x0) * n / steps) * 2), round((y0 + (y1 - y0) * n / steps) * 2)) for n in range(steps + 1)
        }
    return found


@pytest.mark.parametrize("name", ["board-lamps.svg", "board-strip.svg"])
def test_no_link_crosses_one_of_another_colour(name: str) -> None:
    found = [(colour, covered(spots)) for colour, spots in links(name)]
    crossing = [(one, other) for (one, a), (other, b) in combinations(found, 2) if one != other and a & b]
    assert len(found) > 5 and crossing == []


def nets(name: str) -> list[set[tuple[int, int]]]:
    """The nets that the links of a board make."""
    joined: list[set[tuple[int, int]]] = []
    for _, spots in links(name):
        net = covered(spots)
        touching = [other for other in joined if other & net]
        joined = [other for other in joined if not other & net] + [net.union(*touching)]
    return joined


def at(name: str, spot: Hole) -> tuple[int, int]:
    """A hole of a board as `covered` counts, found by the pads: columns from the left, rows from the front."""
    pads = [circle for circle in drawn(kit("table"))[name].iter(f"{SVG}circle") if circle.get("stroke") == PAD]
    columns = sorted({float(pad.attrib["cx"]) for pad in pads})
    rows = sorted({float(pad.attrib["cy"]) for pad in pads}, reverse=True)
    return round(columns[int(spot[0]) - 1] * 2), round(rows[int(spot[1]) - 1] * 2)


def on_strip_board(*spots: Hole) -> int:
    """In how many nets of the strip board these holes lie; 0 where one of them lies in none."""
    of = [[net for net in nets("board-strip.svg") if at("board-strip.svg", spot) in net] for spot in spots]
    return 0 if any(len(found) != 1 for found in of) else len({min(found[0]) for found in of})


RAIL = (2, 1)  # the strip board's ground


@pytest.mark.parametrize(("number", "ends"), [(2, PULL_DOWN[::-1]), (14, BYPASS)], ids=["resistor", "capacitor"])
def test_input_and_vcc_of_the_strip_boards_chip_have_their_part_to_ground(number: int, ends: tuple[Hole, Hole]) -> None:
    own, ground = ends
    assert (on_strip_board(hole(number, 14, 7, 4), own), on_strip_board(RAIL, ground)) == (1, 1)


def test_input_output_and_supply_of_the_strip_boards_chip_are_nets_of_their_own_all_else_is_ground() -> None:
    pins = {number: hole(number, 14, 7, 4) for number in range(1, 15)}
    assert on_strip_board(RAIL, *(pins[number] for number in (1, 4, 5, 7, 9, 10, 12, 13))) == 1
    assert on_strip_board(RAIL, *(pins[number] for number in (2, 3, 14))) == 4


def test_the_parts_of_the_strip_board_fit_on_it_beside_each_other() -> None:
    columns, rows = holes(sizes.STRIP_BOARD)
    (wide, deep), capacitor = (size_mm / sizes.PITCH_MM for size_mm in FUSE_MM), CAPACITOR_MM / sizes.PITCH_MM
    assert 6.5 - wide / 2 >= 0.5 and 11 - deep / 2 > 7.5 and 11 + deep / 2 <= rows + 0.5  # the fuse
    assert 6.5 + wide / 2 < 17 - capacitor / 2 and 17 + capacitor / 2 <= columns + 0.5
