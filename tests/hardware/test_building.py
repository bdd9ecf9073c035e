"""How kits are built: where parts sit on the lid, every wire, every rail, and what to buy."""

import re
from itertools import combinations, product
from math import cos, dist, hypot, radians, sin
from typing import Literal

import msgspec
import pytest

from hardware.building import catalogue
from hardware.building.bill import bill
from hardware.building.enclosure import parts
from hardware.building.wiring import GROUND, HEADER, LAMP_BOARD, POWER, End, opens_over, wires
from hardware.config import KITS as KIT_FILES
from hardware.config import Build, ConfigError, DisplayConfig, KitConfig, StripConfig, kit, kits, lines, parse
from hardware.layout import Place, built, layout
from hardware.layout.areas import Area, rectangle
from hardware.layout.inside import plugged
from hardware.layout.lid import KNOB_MM, sides
from hardware.power import WIRE_MA, fuse_a, rails, strip_supplies_a
from hardware.sizes import (
    BOARDS,
    BUTTONS,
    BUZZER,
    JACK_HOLE_MM,
    KEY_HOLE_MM,
    KNOB_HOLE_MM,
    MODULES,
    PI,
)

KITS = [pytest.param(kit(name), id=name) for name in kits()]
replace = msgspec.structs.replace


def seated(many: int, *, build: Build, strip: StripConfig | None = None) -> KitConfig:
    """The Party kit for so many."""
    return replace(kit("party"), players=kit("party").players[:many], build=build, strip=strip)


def apart_mm(one: Place, other: Place) -> float:
    """How far two places are from each other; below 0 they overlap."""
    if one.round and other.round:
        return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) - (one.width_mm + other.width_mm) / 2
    if not one.round and not other.round:
        across_mm = abs(one.x_mm - other.x_mm) - (one.width_mm + other.width_mm) / 2
        return max(across_mm, abs(one.y_mm - other.y_mm) - (one.height_mm + other.height_mm) / 2)
    if other.round:
        one, other = other, one
    across_mm = max(abs(one.x_mm - other.x_mm) - other.width_mm / 2, 0)
    along_mm = max(abs(one.y_mm - other.y_mm) - other.height_mm / 2, 0)
    return hypot(across_mm, along_mm) - one.width_mm / 2


# --- the lid ---------------------------------------------------------------------------------------------------------

SEATED = [
    pytest.param(
        seated(many, build=Build("Any", "pi-4b", "arcade-30" if many == 2 else "dome-45"), strip=strip),
        id=f"{many}-{shape}",
    )
    for many in range(2, 7)
    for shape, strip in (
        ("none", None),
        ("straight", StripConfig(leds=28)),
        ("ring", StripConfig(leds=60, shape="ring")),
    )
    if shape != "ring" or many <= 4
]


@pytest.mark.parametrize("config", [*KITS, *SEATED])
def test_nothing_lies_on_another_thing(config: KitConfig) -> None:
    places = [place for place in layout(config).places if place.kind != "ring"]
    assert [(a.name, b.name) for a, b in combinations(places, 2) if apart_mm(a, b) < 0] == []


@pytest.mark.parametrize("config", [*KITS, *SEATED])
def test_everything_lies_on_the_lid(config: KitConfig) -> None:
    lid = layout(config)
    over = [
        place.name
        for place in lid.places
        if abs(place.x_mm) + place.width_mm / 2 > lid.width_mm / 2
        or abs(place.y_mm) + place.height_mm / 2 > lid.depth_mm / 2
    ]
    assert over == []


@pytest.mark.parametrize("config", [*KITS, *SEATED])
def test_the_seats_go_round_clockwise(config: KitConfig) -> None:
    seats = layout(config).of("button")
    turns = [
        (b.x_mm - a.x_mm) * (c.y_mm - b.y_mm) - (b.y_mm - a.y_mm) * (c.x_mm - b.x_mm)
        for a, b, c in zip(seats, (*seats[1:], *seats[:1]), (*seats[2:], *seats[:2]), strict=True)
    ]
    assert max(turns) <= 0


def test_p1_sits_at_the_front_left() -> None:
    seats = {place.name: (place.x_mm, place.y_mm) for place in layout(kit("table")).of("button")}
    assert seats == {"P1": (-80.0, -80.0), "P2": (-80.0, 80.0), "P3": (80.0, 80.0), "P4": (80.0, -80.0)}


@pytest.mark.parametrize("parts", [{"build": None}, {"display": DisplayConfig("emulated")}], ids=["build", "display"])
def test_a_kit_that_is_not_built_has_no_sides(parts: dict[str, object]) -> None:
    assert sides(replace(kit("table"), **parts)) is None


def test_a_ring_leaves_every_button_outside() -> None:
    lid = layout(kit("table"))
    (ring,) = lid.of("ring")
    assert min(apart_mm(ring, button) for button in lid.of("button")) > 3


def ring(leds: int, of: str = "table") -> KitConfig:
    return replace(kit(of), strip=StripConfig(leds=leds, shape="ring"))


NOT_REAL = replace(kit("table"), display=DisplayConfig("emulated"))
LONG = seated(6, build=Build("Any", "pi-4b", "dome-60"), strip=StripConfig(leds=60))


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (replace(kit("table"), build=None), "build is missing: how the kit is built is needed here"),
        (NOT_REAL, "display.driver = 'emulated': only a real display is built in: ssd1306, sh1106, ssd1309"),
        (ring(50), "strip.leds = 50: rings have 12, 16, 24, 60 lamps"),
        (ring(24), "strip.leds = 24: a ring of 66 mm is too small for display and control"),
        (ring(60, "party"), "strip.shape = 'ring': round a ring is room for 4 buttons, not for 6"),
        (LONG, "the lid would be 427 mm wide, 216 mm fit on a bed of 220 mm: smaller or fewer buttons, or a shorter"),
    ],
    ids=["nothing said", "no real display", "no such ring", "small ring", "ring for six", "long strip"],
)
def test_what_cannot_be_built_is_said_in_a_sentence(config: KitConfig, sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        layout(config)
    assert sentence in str(error.value)


# --- the wires -------------------------------------------------------------------------------------------------------


def header_ends(config: KitConfig) -> list[int]:
    """The header's pins that wires go to."""
    return [int(end.pin) for wire in wires(config) for end in wire[:2] if end.part == PI]


@pytest.mark.parametrize("config", KITS)
def test_no_two_wires_share_a_pin_of_the_header(config: KitConfig) -> None:
    ends = header_ends(config)
    assert sorted(set(ends)) == sorted(ends)


@pytest.mark.parametrize("config", KITS)
def test_each_line_of_the_description_is_wired_and_no_other(config: KitConfig) -> None:
    bus = {HEADER[2], HEADER[3]}
    wired = set(header_ends(config)) - bus - set(POWER) - set(GROUND)
    assert wired == {HEADER[line.pin] for line in lines(config)}


@pytest.mark.parametrize("config", KITS)
def test_each_button_leads_to_ground(config: KitConfig) -> None:
    grounds = {End(LAMP_BOARD, "GND"), *(End(PI, str(number)) for number in GROUND)}
    led = {wire.end.part for wire in wires(config) if wire.begin in grounds and wire.end.pin == "COM"}
    assert led >= {f"button {name}" for name in config.names}


@pytest.mark.parametrize("config", KITS)
def test_no_two_wires_of_a_button_have_one_colour_but_grounds(config: KitConfig) -> None:
    ends: dict[str, list[str]] = {}
    for wire in wires(config):
        if wire.end.part.startswith("button") and wire.end.pin != "COM":
            ends.setdefault(wire.end.part, ["BK"]).append(wire.colour)
    assert [part for part, colours in ends.items() if len(set(colours)) < len(colours)] == []


@pytest.mark.parametrize("config", KITS)
def test_only_the_return_of_a_lamp_is_brown(config: KitConfig) -> None:
    brown = {wire.end for wire in wires(config) if wire.colour == "BN"}
    assert brown == {End(f"button {player.name}", "lamp -") for player in config.players if player.lamp is not None}


Point = tuple[float, float, float]  # right, back, up


def corners(area: Area, high_mm: float) -> list[Point]:
    return [(x, y, high_mm) for x, y in product((area.left_mm, area.right_mm), (area.front_mm, area.back_mm))]


def header_pin(config: KitConfig, number: int) -> Point:
    """Where a pin of the header is: that lies at the board's front, with pin 1 at the right end, in the back row."""
    board = built(config)[1].board
    first_mm = board.right_mm - 8.4  # 32.5 mm to the header's middle, 19 half pitches of 1.27 mm from there to pin 1
    return first_mm - (number - 1) // 2 * 2.54, board.front_mm + (4.8 if number % 2 else 2.2), 28.0


def in_base(config: KitConfig, end: End) -> list[Point]:
    """Where an end in the base may be: the corners of its board, at the height of what stands there."""
    base = built(config)[1]
    if end.part == PI:
        return [header_pin(config, int(end.pin))]
    if end.part == "5 V jack":
        (jack,) = (opening for opening in base.openings if opening.name == "5 V jack")
        lid = layout(config)
        at_wall = {
            "back": (jack.along_mm, lid.depth_mm / 2, 18.0),
            "left": (-lid.width_mm / 2, jack.along_mm, 18.0),
            "right": (lid.width_mm / 2, jack.along_mm, 18.0),
        }
        return [at_wall[jack.wall]]
    return [corner for tray in base.trays if tray.name == end.part for corner in corners(tray.board, 8.0)]


def on_lid(config: KitConfig, end: End) -> list[Point]:
    """Where an end on the lid may be, while it is closed; nothing of what lies in the base."""
    lid, base = built(config)
    kind, _, name = end.part.partition(" ")
    found = []
    for place in lid.places:
        x, y, half_mm = place.x_mm, place.y_mm, place.height_mm / 2
        if place.kind == "button" == kind and place.name == name:
            assert config.build is not None
            found.append((x, y, base.high_mm - BUTTONS[config.build.button].below_mm))
        elif place.kind == kind and kind in ("knob", "key") and (kind == "knob" or place.name == name):
            found.append((x, y, base.high_mm - 20.0))
        elif place.kind == "display" == kind:  # in its bezel, behind the face
            found += corners(rectangle(x, y, place.width_mm - 15.0, place.height_mm - 10.0), base.high_mm + 4.0)
        elif place.kind == "ring" and end.part == "strip":
            found.append((x, y - half_mm, base.high_mm))
        elif place.kind == "straight" and end.part == "strip":
            found.append((x - place.width_mm / 2, y, base.high_mm))
    return found


def opened(config: KitConfig, point: Point, over: str, turn_deg: int) -> Point:
    """A point of the lid while that is turned round the upper edge of the base's front or back wall."""
    lid, base = built(config)
    hinge_mm = lid.depth_mm / 2 if over == "back" else -lid.depth_mm / 2
    away_mm, up_mm = point[1] - hinge_mm, point[2] - base.high_mm
    turn = radians(turn_deg if over == "front" else -turn_deg)
    return (
        point[0],
        hinge_mm + away_mm * cos(turn) - up_mm * sin(turn),
        base.high_mm + away_mm * sin(turn) + up_mm * cos(turn),
    )


@pytest.mark.parametrize("config", KITS)
def test_every_wire_reaches_its_other_end_also_while_the_lid_is_opened(config: KitConfig) -> None:
    over, short = opens_over(config), []
    for wire, turn_deg in product(wires(config), (0, 45, 90, 135, 180)):
        ends = in_base(config, wire.end)
        ends += [opened(config, point, over, turn_deg) for point in on_lid(config, wire.end)]
        if max(dist(*pair) for pair in product(in_base(config, wire.begin), ends)) + 20.0 > wire.long_mm:
            short.append((wire, turn_deg))
    assert short == []


@pytest.mark.parametrize("config", KITS)
def test_the_wires_of_an_open_lid_have_some_to_spare_where_it_lies_on_the_table(config: KitConfig) -> None:
    over, high_mm = opens_over(config), built(config)[1].high_mm
    short = []
    for wire in wires(config):
        for begin, end in product(in_base(config, wire.begin), on_lid(config, wire.end)):
            x, y, z = opened(config, end, over, 180)
            if dist(begin, (x, y, z - high_mm + 25.0)) >= wire.long_mm:
                short.append(wire)
    assert short == []


@pytest.mark.parametrize("config", KITS)
def test_no_wire_is_longer_than_from_one_corner_of_the_base_over_the_edge_to_the_far_one_of_the_lid(
    config: KitConfig,
) -> None:
    lid, base = built(config)
    longest_mm = hypot(lid.width_mm, 2 * (lid.depth_mm + base.high_mm))
    assert max(wire.long_mm for wire in wires(config)) < longest_mm


@pytest.mark.parametrize(("name", "edge"), [("table", "back"), ("party", "front")])
def test_a_lid_opens_over(name: str, edge: str) -> None:
    assert opens_over(kit(name)) == edge


@pytest.mark.parametrize("config", KITS)
def test_the_wires_to_one_part_are_of_one_length_in_whole_centimetres(config: KitConfig) -> None:
    found: dict[tuple[str, float], set[int]] = {}
    for wire in wires(config):
        found.setdefault((wire.end.part, wire.mm2), set()).add(wire.long_mm)
    assert [end for end, lengths in found.items() if len(lengths) > 1 or min(lengths) % 10] == []


@pytest.mark.parametrize(
    ("bus", "reset", "pins"),
    [
        ("spi", 4, {"VCC": 1, "SCK": 23, "SDA": 19, "CS": 24, "DC": 22, "RES": 7}),
        ("spi", None, {"VCC": 1, "SCK": 23, "SDA": 19, "CS": 24, "DC": 22, "RES": 17}),  # held at 3.3 V
        ("i2c", 4, {"VCC": 1, "SDA": 3, "SCL": 5, "RES": 7}),
        ("i2c", None, {"VCC": 1, "SDA": 3, "SCL": 5}),
    ],
)
def test_a_display_is_wired_as_its_bus_wants_it(bus: str, reset: int | None, pins: dict[str, int]) -> None:
    table = kit("table")
    on_bus = {"bus": bus, "port": int(bus == "i2c"), "dc": 25 if bus == "spi" else None, "reset": reset}
    made = wires(replace(table, display=replace(table.display, **on_bus)))
    assert pins == {w.end.pin: int(w.begin.pin) for w in made if w.end.part == "display" and w.begin.part == PI}


@pytest.mark.parametrize(
    ("display", "sentence"),
    [
        ('bus = "i2c"\nport = 3', "display.port = 3: a kit with [build] has its display on I2C port 1"),
        ('bus = "spi"\nport = 1\ndc = 25', "display.port = 1: a kit with [build] has its display on SPI port 0"),
    ],
    ids=["I2C 3", "SPI 1"],
)
def test_a_display_on_a_port_that_the_drawings_do_not_know_is_refused(display: str, sentence: str) -> None:
    text = (KIT_FILES / "duo.toml").read_text(encoding="utf-8").replace('bus = "i2c"', display)
    with pytest.raises(ConfigError) as error:
        parse(text)
    assert str(error.value) == sentence


def test_a_kit_that_is_not_built_has_its_display_on_any_port() -> None:
    text = (KIT_FILES / "duo.toml").read_text(encoding="utf-8").replace('bus = "i2c"', 'bus = "i2c"\nport = 3')
    assert parse(text.partition("[build]")[0]).display.port == 3


# --- the currents ----------------------------------------------------------------------------------------------------


RAILS = ("GPIO lines", "3.3 V pins", "5 V of the Raspberry Pi", "5 V of the strip")


def limited(config: KitConfig, strip_ma: int) -> KitConfig:
    """A kit whose strip may draw so much."""
    assert config.build is not None
    return replace(config, build=replace(config.build, strip_ma=strip_ma))


@pytest.mark.parametrize(
    ("name", "ma"), [("duo", (15, 40, 770)), ("table", (18, 168, 1548, 1500)), ("party", (20, 170, 1590, 1000))]
)
def test_a_rail_gives_all_that_its_parts_take_at_their_most(name: str, ma: tuple[int, ...]) -> None:
    assert {rail.name: round(rail.ma) for rail in rails(kit(name))} == dict(zip(RAILS, ma, strict=False))


def test_a_rail_that_would_have_to_give_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOARDS, "pi-4b", BOARDS["pi-4b"]._replace(supply_ma=1500.0))
    with pytest.raises(ConfigError) as error:
        rails(kit("table"))
    assert str(error.value) == (
        "5 V of the Raspberry Pi: 1548 mA are asked of it, 1500 mA it gives (the supply that its maker asks for); "
        "the most by Raspberry Pi 4 B: 1250 mA"
    )


@pytest.mark.parametrize("config", KITS)
def test_no_single_line_gives_more_than_16_ma(config: KitConfig) -> None:
    (lines,) = (rail for rail in rails(config) if rail.name == "GPIO lines")
    assert 0 < max(load.each_ma for load in lines.loads) <= 16


@pytest.mark.parametrize(
    ("name", "fuse", "supplies"), [("table", 2.0, (3.0, 4.0)), ("party", 1.25, (2.0, 3.0))], ids=["table", "party"]
)
def test_fuse_and_supply_of_a_strip_are_sizes_that_are_sold(
    name: str, fuse: float, supplies: tuple[float, float]
) -> None:
    assert (fuse_a(kit(name)), strip_supplies_a(kit(name))) == (fuse, supplies)


def test_the_limit_is_below_the_fuse_and_the_fuse_below_supply_jack_and_wire() -> None:
    for strip_ma in range(100, 4001, 100):
        config = limited(kit("table"), strip_ma)
        assert strip_ma < 1000 * fuse_a(config) <= 5000
        assert 1.25 * fuse_a(config) <= min(strip_supplies_a(config))


@pytest.mark.parametrize(
    ("strip_ma", "gives"), [(1500, (3000, "its supply")), (4000, (5000, "its jack"))], ids=["supply", "jack"]
)
def test_the_rail_of_a_strip_gives_what_its_weakest_part_carries(strip_ma: int, gives: tuple[float, str]) -> None:
    rail = rails(limited(kit("table"), strip_ma))[-1]
    assert (rail.limit_ma, rail.limit) == gives


@pytest.mark.parametrize(
    ("strip_ma", "wire_ma", "sentence"),
    [
        (4001, 5000.0, "at most 4000 is allowed, as its fuse must be stronger and its jack carries 5 A"),
        (1700, 2000.0, "at most 1600 is allowed, as its fuse must be stronger and its wire of 0.75 mm2 carries 2 A"),
        (60, 5000.0, "60 lamps take 60 mA when dark"),
    ],
    ids=["jack", "wire", "dark"],
)
def test_a_strip_that_cannot_be_fed_is_refused(
    strip_ma: int, wire_ma: float, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(WIRE_MA, 0.75, wire_ma)
    with pytest.raises(ConfigError) as error:
        rails(limited(kit("table"), strip_ma))
    assert str(error.value) == f"build.strip_ma = {strip_ma}: {sentence}"


# --- the parts list --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("config", KITS)
def test_as_many_are_listed_as_there_are(config: KitConfig) -> None:
    many = {item.part: item.many for item in bill(config)}
    assert many["player's button"] == len(config.players)
    assert many["sleeve of a resistor"] == len(many.keys() & {"220 ohm", "330 ohm", "470 ohm"})
    wired = sum(wire.end.part == "display" for wire in wires(config))
    assert many["socket on a pin of the display"] == wired  # one at either end


@pytest.mark.parametrize("config", KITS)
def test_everything_can_be_had_in_two_ways(config: KitConfig) -> None:
    assert [item.part for item in bill(config) if len({choice.name for choice in item.choices}) != 2] == []


STRIPS = {"controller", "its cable", "strip", "strip board", "jack, centre positive", "fuse", "supply of the strip"} | {
    *("10 kohm", "100 nF", "330 ohm")
}


BOARDED = {"lamp switch", "lamp board", "wire for links on boards"}


def test_only_what_a_kit_has_needs_parts_of_its_own() -> None:
    duo, table = ({item.part for item in bill(kit(name))} for name in ("duo", "table"))
    without = {item.part for item in bill(replace(kit("table"), strip=None))}
    assert (table >= STRIPS, without >= BOARDED, duo & (STRIPS | BOARDED)) == (True, True, set())


def test_wire_is_bought_with_some_to_spare() -> None:
    cut_m = sum(wire.long_mm for wire in wires(kit("duo"))) / 1000
    (bought_m,) = [item.many for item in bill(kit("duo")) if item.part.startswith("metre")]
    assert cut_m < bought_m < 2 * cut_m


@pytest.mark.parametrize(("name", "size_mm"), [("dome-60", 60), ("dome-45", 45), ("arcade-30", 30)])
def test_either_button_has_the_size_that_the_lid_is_made_for(name: str, size_mm: int) -> None:
    assert size_mm in (BUTTONS[name].flange_mm, BUTTONS[name].hole_mm)
    assert [f" {size_mm} mm" in choice.name for choice in catalogue.BUTTONS[name]] == [True, True]


@pytest.mark.parametrize("name", MODULES)
def test_either_display_has_the_size_and_the_chip_that_the_kit_is_made_for(name: str) -> None:
    words = MODULES[name].title.partition('"')[0] + '", 128x64, ' + name.upper()
    assert [words in choice.name.replace("-", "") for choice in catalogue.DISPLAYS[name]] == [True, True]


DUO, TABLE, PARTY = kit("duo"), kit("table"), kit("party")
ZERO = seated(2, build=Build("Any", "pi-zero-2w", "arcade-30"), strip=StripConfig(leds=28))


@pytest.mark.parametrize(
    ("config", "part", "words"),
    [
        (DUO, "display", "I2C, 4 pins$"),
        (replace(DUO, display=replace(DUO.display, reset=26)), "display", "I2C, with a pin RES$"),
        (replace(DUO, display=DisplayConfig("ssd1306", bus="spi", dc=25)), "display", "SPI, 7 pins$"),
        (DUO, "key", rf"\b{KEY_HOLE_MM:.0f} mm\b"),
        (TABLE, "knob", rf"\bM{KNOB_HOLE_MM:.0f}\b.* pulses and detents"),  # and no board of its own, as KY-040
        (TABLE, "cap of the knob", rf"\b{KNOB_MM:.0f} mm\b"),
        (TABLE, "buzzer", rf"\b({BUZZER.width_mm - 1:.0f}|{BUZZER.width_mm:.0f}) mm\b"),
        (TABLE, "jack, centre positive", rf"\bM{JACK_HOLE_MM:.0f}, 5.5/2.1 mm"),
        (TABLE, "supply of the strip", "5.5/2.1 mm, centre positive"),
        (TABLE, "lamp board", "perforated board, single pads"),
        (TABLE, "strip board", "perforated board, single pads"),
        (PARTY, "fuse", "fuse 5x20 mm, 1.25 A, slow"),
        (TABLE, "strip", "^WS2812B ring"),  # its controller takes it unasked
        (PARTY, "strip", "^WS2812B strip"),
        (ZERO, "its cable", "micro B to micro B"),
        (TABLE, "its cable", " A to micro B"),
        (DUO, "supply of the Raspberry Pi", " a micro USB "),
        (TABLE, "supply of the Raspberry Pi", " a USB-C "),
    ],
)
def test_either_choice_of_a_part_fits(config: KitConfig, part: str, words: str) -> None:
    (item,) = (item for item in bill(config) if item.part == part)
    assert [bool(re.search(words, choice.name)) for choice in item.choices] == [True, True]


@pytest.mark.parametrize(
    ("board", "ports"),
    [("pi-zero-2w", ["power, micro USB", "micro USB"]), ("pi-4b", ["power, USB-C", "USB 2"])],
)
def test_plugs_sit_where_power_comes_in_and_where_the_controllers_cable_begins(
    board: Literal["pi-zero-2w", "pi-4b"], ports: list[str]
) -> None:
    config = seated(2, build=Build("Any", board, "arcade-30"), strip=StripConfig(leds=28))
    assert [port.name for port in plugged(config)] == ports


@pytest.mark.parametrize("config", KITS)
def test_filament_is_reckoned_from_what_is_printed(config: KitConfig) -> None:
    least_g = 0.8 * 1.27 * sum(solid.volume() for solid in parts(config).values()) / 1000
    (item,) = (item for item in bill(config) if item.part == "print")
    some_g = [int(re.findall(r"(\d+) g\b", choice.name)[0]) for choice in item.choices]
    assert [least_g <= grams < least_g + 50 for grams in some_g] == [True, True]
