"""How kits are built: where parts sit on the lid, every wire, every rail, and what to buy."""

import re
from itertools import combinations, product
from math import cos, dist, hypot, radians, sin
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.building import catalogue
from hardware.building.bill import bill
from hardware.building.enclosure import parts
from hardware.building.wiring import IN_WIRE, LAMP_BOARD, WireEnd, opens_over, wires
from hardware.config import KITS as KIT_FILES
from hardware.config import ConfigError, KitConfig, StripConfig, kit, kits, lines, parse
from hardware.layout import PartPlace, built, layout
from hardware.layout.areas import Area, rectangle
from hardware.layout.inside import plugged
from hardware.layout.lid import KNOB_MM, sides
from hardware.pins import GROUND, HEADER, POWER
from hardware.power import WIRE_MA, fuse_a, rails, strip_supplies_a
from hardware.sizes import BOARDS, BUTTONS, BUZZER, JACK_HOLE_MM, KEY_HOLE_MM, KNOB_HOLE_MM, MODULES, PI, build_of
from tests.hardware.building import altered

KITS = [pytest.param(kit(name), id=name) for name in kits()]
every_kit = pytest.mark.parametrize("config", KITS)


def apart_mm(one: PartPlace, other: PartPlace) -> float:
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


STRAIGHT, RING = StripConfig(leds=28), StripConfig(leds=60, shape="ring")
SEATED = [altered("party", many, button="arcade-30", strip=STRAIGHT) for many in range(2, 7)]
RINGS = [altered("party", many, button="arcade-30", strip=RING) for many in range(2, 5)]
every_lid = pytest.mark.parametrize("config", [*KITS, *SEATED, *RINGS])


@every_lid
def test_nothing_lies_on_another_thing(config: KitConfig) -> None:
    places = [place for place in layout(config).places if place.kind != "ring"]
    assert [(a.name, b.name) for a, b in combinations(places, 2) if apart_mm(a, b) < 0] == []


@every_lid
def test_everything_lies_on_the_lid(config: KitConfig) -> None:
    lid = layout(config)
    right_mm = max(abs(place.x_mm) + place.width_mm / 2 for place in lid.places)
    back_mm = max(abs(place.y_mm) + place.height_mm / 2 for place in lid.places)
    assert right_mm <= lid.width_mm / 2 and back_mm <= lid.depth_mm / 2


@every_lid
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


@pytest.mark.parametrize("changes", [{"build": None}, {"driver": "emulated"}], ids=["build", "display"])
def test_a_kit_that_is_not_built_has_no_sides(changes: dict[str, Any]) -> None:
    assert sides(altered("table", **changes)) is None


def test_a_ring_leaves_every_button_outside() -> None:
    lid = layout(kit("table"))
    (ring,) = lid.of("ring")
    assert min(apart_mm(ring, button) for button in lid.of("button")) > 3


LONG = altered("party", button="dome-60", strip=StripConfig(leds=60))


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (altered("table", build=None), "build is missing: must say how the kit is built"),
        (
            altered("table", driver="emulated"),
            "display.driver = 'emulated': must be a real display to be built in: ssd1306,",
        ),
        (altered("table", strip=replace(RING, leds=50)), "strip.leds = 50: must be one of 12, 16, 24, 60 for a ring"),
        (altered("table", strip=replace(RING, leds=24)), "a ring of 66 mm is too small for display and control"),
        (altered("party", strip=RING), "strip.shape = 'ring': must be 'straight' for 6 buttons; 4 fit round a ring"),
        (LONG, "the lid would be 427 mm wide, but only 216 mm fit on a bed of 220 mm: take smaller or fewer"),
    ],
    ids=["no build", "no real display", "no such ring", "small ring", "ring for six", "long strip"],
)
def test_a_kit_that_cannot_be_built_is_refused_with_a_sentence(config: KitConfig, sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        layout(config)
    assert sentence in str(error.value)


def header_ends(config: KitConfig) -> list[int]:
    """The header's pins that wires go to."""
    return [int(end.pin) for wire in wires(config) for end in wire[:2] if end.part == PI]


@every_kit
def test_no_two_wires_share_a_pin_of_the_header(config: KitConfig) -> None:
    ends = header_ends(config)
    assert sorted(set(ends)) == sorted(ends)


@every_kit
def test_each_line_of_the_description_is_wired_and_no_other(config: KitConfig) -> None:
    bus = {HEADER[2], HEADER[3]}
    wired = set(header_ends(config)) - bus - set(POWER) - set(GROUND)
    assert wired == {HEADER[line.pin] for line in lines(config)}


@every_kit
def test_each_button_leads_to_ground(config: KitConfig) -> None:
    grounds = {WireEnd(LAMP_BOARD, "GND"), *(WireEnd(PI, str(number)) for number in GROUND)}
    led = {wire.end.part for wire in wires(config) if wire.begin in grounds and wire.end.pin == "COM"}
    assert led >= {f"button {name}" for name in config.names}


@every_kit
def test_no_two_wires_of_a_button_have_one_colour_but_grounds(config: KitConfig) -> None:
    ends: dict[str, list[str]] = {}
    for wire in wires(config):
        if wire.end.part.startswith("button") and wire.end.pin != "COM":
            ends.setdefault(wire.end.part, ["BK"]).append(wire.colour)
    assert [part for part, colours in ends.items() if len(set(colours)) < len(colours)] == []


@every_kit
def test_only_the_return_of_a_lamp_is_brown(config: KitConfig) -> None:
    brown = {wire.end for wire in wires(config) if wire.colour == "BN"}
    assert brown == {WireEnd(f"button {player.name}", "lamp -") for player in config.players if player.lamp is not None}


Point = tuple[float, float, float]  # right, back, up


def corners(area: Area, high_mm: float) -> list[Point]:
    return [(x, y, high_mm) for x, y in product((area.left_mm, area.right_mm), (area.front_mm, area.back_mm))]


def in_base(config: KitConfig, end: WireEnd) -> list[Point]:
    """Where an end in the base may be: the corners of its board, at the height of the parts on it."""
    lid, base = built(config)
    if end.part == PI:  # its header lies at the board's front, with pin 1 at the right end, in the back row
        number = int(end.pin)
        first_mm = base.board.right_mm - 8.4  # 32.5 mm to the header's middle, from there 19 half pitches of 1.27 mm
        return [(first_mm - (number - 1) // 2 * 2.54, base.board.front_mm + (4.8 if number % 2 else 2.2), 28.0)]
    if end.part == "5 V jack":
        (jack,) = (opening for opening in base.openings if opening.name == "5 V jack")
        right_mm, back_mm = lid.width_mm / 2, lid.depth_mm / 2
        return [(jack.along_mm, back_mm, 18.0) if jack.wall == "back" else (right_mm, jack.along_mm, 18.0)]
    return [corner for tray in base.trays if tray.name == end.part for corner in corners(tray.board, 8.0)]


def on_lid(config: KitConfig, end: WireEnd, turn_deg: int) -> list[Point]:
    """Where an end on the lid may be while that is turned round the upper edge of the base's front or back wall."""
    lid, base = built(config)
    kind, _, name = end.part.partition(" ")
    points: list[Point] = []
    for place in lid.places:
        x, y = place.x_mm, place.y_mm
        if place.kind in ("button", "key") and (place.kind, place.name) == (kind, name):
            below_mm = BUTTONS[build_of(config).button].below_mm if kind == "button" else 20.0
            points.append((x, y, base.high_mm - below_mm))
        elif place.kind == "knob" == kind:
            points.append((x, y, base.high_mm - 20.0))
        elif place.kind == "display" == kind:  # in its bezel, behind the face
            points += corners(rectangle(x, y, place.width_mm - 15.0, place.height_mm - 10.0), base.high_mm + 4.0)
        elif place.kind in ("ring", "straight") and end.part == "strip":  # a ring's front, a strip's left end
            ring = place.kind == "ring"
            points.append((x if ring else x - place.width_mm / 2, y - ring * place.height_mm / 2, base.high_mm))
    back = 1 if opens_over(config) == "back" else -1
    hinge_mm, turn = back * lid.depth_mm / 2, radians(-back * turn_deg)
    return [
        (
            x,
            hinge_mm + (y - hinge_mm) * cos(turn) - (z - base.high_mm) * sin(turn),
            base.high_mm + (y - hinge_mm) * sin(turn) + (z - base.high_mm) * cos(turn),
        )
        for x, y, z in points
    ]


@every_kit
def test_every_wire_reaches_its_other_end_while_the_lid_is_opened_and_lies_on_the_table(config: KitConfig) -> None:
    high_mm = built(config)[1].high_mm
    for wire in wires(config):
        begins, ends = in_base(config, wire.begin), in_base(config, wire.end)
        ends += [point for turn_deg in (0, 45, 90, 135, 180) for point in on_lid(config, wire.end, turn_deg)]
        lying = [(x, y, z - high_mm + 25.0) for x, y, z in on_lid(config, wire.end, 180)]
        assert max(dist(*pair) for pair in product(begins, ends)) + 20.0 <= wire.long_mm, wire
        assert max((dist(*pair) for pair in product(begins, lying)), default=0.0) < wire.long_mm, wire


@every_kit
def test_no_wire_is_longer_than_from_a_base_corner_over_the_edge_to_the_far_one_of_the_lid(config: KitConfig) -> None:
    lid, base = built(config)
    longest_mm = hypot(lid.width_mm, 2 * (lid.depth_mm + base.high_mm))
    assert max(wire.long_mm for wire in wires(config)) < longest_mm


@pytest.mark.parametrize(("name", "edge"), [("table", "back"), ("party", "front")])
def test_a_lid_opens_over(name: str, edge: str) -> None:
    assert opens_over(kit(name)) == edge


@every_kit
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
    made = wires(altered("table", bus=bus, port=int(bus == "i2c"), dc=25 if bus == "spi" else None, reset=reset))
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


RAILS = ("GPIO lines", "3.3 V pins", "5 V of the Raspberry Pi", "5 V of the lamps", "5 V of the strip")


@pytest.mark.parametrize(
    ("name", "ma"),
    [("duo", (15, 40, 770)), ("table", (18, 168, 1548, 80, 1500)), ("party", (20, 170, 1590, 120, 1000))],
)
def test_a_rail_gives_all_that_its_parts_take_at_their_most(name: str, ma: tuple[int, ...]) -> None:
    assert {rail.name: round(rail.ma) for rail in rails(kit(name))} == dict(zip(RAILS, ma, strict=False))


def test_a_rail_that_would_have_to_give_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOARDS, "pi-4b", BOARDS["pi-4b"]._replace(supply_ma=1500.0))
    with pytest.raises(ConfigError) as error:
        rails(kit("table"))
    assert str(error.value) == (
        "5 V of the Raspberry Pi: 1548 mA needed, 1500 mA allowed (the supply that its maker asks for); "
        "the most by Raspberry Pi 4 B: 1250 mA"
    )


def test_lamps_that_would_open_their_ptc_in_a_warm_box_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUTTONS, "dome-45", BUTTONS["dome-45"]._replace(lamp_ma=60.0))
    with pytest.raises(ConfigError) as error:
        rails(kit("party"))
    assert str(error.value) == (
        "5 V of the lamps: 360 mA needed, 300 mA allowed (their PTC of 0.5 A, in a warm box); the most by lamps: 360 mA"
    )


def test_the_ptc_is_in_the_orange_wire_from_the_header_to_the_lamps() -> None:
    (wire,) = (wire for wire in wires(kit("table")) if IN_WIRE.get(wire.end) == "PTC 0.5 A")
    assert (wire.begin, wire.end, wire.colour) == (WireEnd(PI, "2"), WireEnd(LAMP_BOARD, "5 V"), "OG")


@every_kit
def test_no_single_line_gives_more_than_16_ma(config: KitConfig) -> None:
    (lines,) = (rail for rail in rails(config) if rail.name == "GPIO lines")
    assert 0 < max(load.each_ma for load in lines.loads) <= 16


@pytest.mark.parametrize(
    ("name", "fuse", "supplies"), [("table", 2.0, (3.0, 4.0)), ("party", 1.25, (2.0, 3.0))], ids=["table", "party"]
)
def test_fuse_and_supply_of_a_strip_are_sold_sizes(name: str, fuse: float, supplies: tuple[float, float]) -> None:
    assert (fuse_a(kit(name)), strip_supplies_a(kit(name))) == (fuse, supplies)


def test_the_limit_is_below_the_fuse_and_the_fuse_below_supply_jack_and_wire() -> None:
    for strip_ma in range(100, 4001, 100):
        config = altered("table", strip_ma=strip_ma)
        assert strip_ma < 1000 * fuse_a(config) <= 5000
        assert 1.25 * fuse_a(config) <= min(strip_supplies_a(config))


@pytest.mark.parametrize(
    ("strip_ma", "gives"), [(1500, (3000, "its supply")), (4000, (5000, "its jack"))], ids=["supply", "jack"]
)
def test_the_rail_of_a_strip_gives_what_its_weakest_part_carries(strip_ma: int, gives: tuple[float, str]) -> None:
    rail = rails(altered("table", strip_ma=strip_ma))[-1]
    assert (rail.limit_ma, rail.limit) == gives


@pytest.mark.parametrize(
    ("strip_ma", "wire_ma", "sentence"),
    [
        (4001, 5000.0, "must be at most 4000, as its fuse must be stronger and its jack carries 5 A"),
        (1700, 2000.0, "must be at most 1600, as its fuse must be stronger and its wire of 0.75 mm2 carries 2 A"),
        (60, 5000.0, "must be more than 60, which 60 lamps take when dark"),
    ],
    ids=["jack", "wire", "dark"],
)
def test_a_strip_that_cannot_be_fed_is_refused(
    strip_ma: int, wire_ma: float, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(WIRE_MA, 0.75, wire_ma)
    with pytest.raises(ConfigError) as error:
        rails(altered("table", strip_ma=strip_ma))
    assert str(error.value) == f"build.strip_ma = {strip_ma}: {sentence}"


@every_kit
def test_as_many_are_listed_as_there_are(config: KitConfig) -> None:
    many = {item.part: item.many for item in bill(config)}
    assert many["player's button"] == len(config.players)
    in_wires = {"220 ohm", "330 ohm", "470 ohm", "PTC of the lamps, 0.5 A"}
    assert many["sleeve of a part in a wire"] == len(many.keys() & in_wires)
    wired = sum(wire.end.part == "display" for wire in wires(config))
    assert many["socket on a pin of the display"] == wired  # one at either end


@every_kit
def test_everything_can_be_had_in_two_ways(config: KitConfig) -> None:
    assert [item.part for item in bill(config) if len({choice.name for choice in item.choices}) != 2] == []


STRIP = {"controller", "its cable", "strip", "strip board", "jack, centre positive", "fuse", "supply of the strip"} | {
    *("10 kohm", "100 nF", "330 ohm")
}
BOARD = {"lamp switch", "PTC of the lamps, 0.5 A", "lamp board", "wire for links on boards"}


def test_only_a_kit_with_a_strip_or_with_lamps_needs_their_parts() -> None:
    kits = (kit("duo"), kit("table"), altered("table", strip=None))
    duo, table, without = ({item.part for item in bill(config)} for config in kits)
    assert (table >= STRIP, without >= BOARD, duo & (STRIP | BOARD)) == (True, True, set())


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
FIVE = altered("table", board="pi-5")
ZERO = altered("party", 2, board="pi-zero-2w", button="arcade-30")


@pytest.mark.parametrize(
    ("config", "part", "words"),
    [
        (DUO, "display", "I2C, 4 pins$"),
        (altered("duo", reset=26), "display", "I2C, with a pin RES$"),
        (altered("duo", bus="spi", dc=25), "display", "SPI, 7 pins$"),
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
        (FIVE, "supply of the Raspberry Pi", r"^supply 5\.1 V, 5 A,.* for a Raspberry Pi 5$"),
        (FIVE, "cooler of the Raspberry Pi", r"\b5\b"),
        (TABLE, "PTC of the lamps, 0.5 A", r"\b0\.5 A hold, 1 A trip\b"),
    ],
)
def test_either_choice_of_a_part_fits(config: KitConfig, part: str, words: str) -> None:
    (item,) = (item for item in bill(config) if item.part == part)
    assert [bool(re.search(words, choice.name)) for choice in item.choices] == [True, True]


@pytest.mark.parametrize("board", BOARDS)
def test_either_supply_gives_what_the_boards_maker_asks_for_and_only_a_5_has_a_cooler(board: str) -> None:
    amperes = [float(re.findall(r"5\.1 V, (\d+) A", choice.name)[0]) for choice in catalogue.SUPPLIES[board]]
    assert amperes == 2 * [BOARDS[board].supply_ma / 1000]
    assert (board in catalogue.COOLERS, BOARDS[board].cooler_ma > 0) == 2 * (board == "pi-5",)


@pytest.mark.parametrize(
    ("config", "ports"),
    [
        (ZERO, ["power, micro USB", "micro USB"]),
        (TABLE, ["power, USB-C", "USB 2"]),
        (altered("table", board="pi-5"), ["power, USB-C", "USB 2"]),
    ],
    ids=["pi-zero-2w", "pi-4b", "pi-5"],
)
def test_plugs_sit_where_power_comes_in_and_the_controllers_cable_begins(config: KitConfig, ports: list[str]) -> None:
    assert [port.name for port in plugged(config)] == ports


@every_kit
def test_filament_is_reckoned_from_what_is_printed(config: KitConfig) -> None:
    least_g = 0.8 * 1.27 * sum(solid.volume() for solid in parts(config).values()) / 1000
    (item,) = (item for item in bill(config) if item.part == "print")
    some_g = [int(re.findall(r"(\d+) g\b", choice.name)[0]) for choice in item.choices]
    assert [least_g <= grams < least_g + 50 for grams in some_g] == [True, True]
