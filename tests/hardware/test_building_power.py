"""What keeps 5 V away from 3.3 V at the bench: the colours of wires, the rows before power, the guide's sentences."""

import re
from itertools import product
from pathlib import Path

import pytest

from hardware.building.documents import of_kit
from hardware.building.harness import bundles
from hardware.building.plugged_in import probed, rows
from hardware.building.resistances import RESISTANCES, resistances, to_ground
from hardware.building.wiring import COLOURS, LAMP_BOARD, Wire, WireEnd, wires
from hardware.config import KitConfig, kit, kits, lines
from hardware.pins import CARRIED, GROUND, POWER
from hardware.sizes import BOARDS, PI
from tests.hardware.building import altered, needs_graphviz

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
BOARD = "black, at the front rail of the lamp board, then GND at the display,"
RED_PROBE = "at the meter's red probe"
SPI = altered("table", bus="spi", port=0, dc=25)
KITS = [*(pytest.param(kit(name), id=name) for name in kits()), pytest.param(SPI, id="display on SPI")]
every_kit = pytest.mark.parametrize("config", KITS)


def carried(end: WireEnd) -> str:
    """The supply that a pin is on, or else nothing."""
    part, pin = end
    if part == PI:
        return CARRIED[int(pin)] if int(pin) in POWER or int(pin) in GROUND else ""
    return {"5 V": "5 V", "fused 5 V": "5 V", "lamp +": "5 V", "VCC": "3.3 V"}.get(pin, "")


def supply(wire: Wire) -> str:
    return carried(wire.begin) or carried(wire.end) or ("5 V" if wire.begin == WireEnd("5 V jack", "+") else "")


@every_kit
def test_all_wires_of_a_supply_have_its_colour_and_no_others_have_it(config: KitConfig) -> None:
    made = [(COLOURS[wire.colour].name, supply(wire), wire) for wire in wires(config)]
    assert [wire for name, volts, wire in made if (name == "red") != (volts == "3.3 V")] == []
    assert [wire for name, volts, wire in made if (name == "orange") != (volts == "5 V")] == []


@every_kit
def test_no_two_neighbours_at_the_header_on_different_supplies_have_one_colour(config: KitConfig) -> None:
    at = {int(wire.begin.pin): wire.colour for wire in wires(config) if wire.begin.part == PI}
    near = [
        (one, other)
        for one, other in product(at, at)
        if one < other and abs((one - 1) // 2 - (other - 1) // 2) <= 1 and {one, other} & {*POWER, *GROUND}
    ]
    assert [pair for pair in near if CARRIED[pair[0]] != CARRIED[pair[1]] and at[pair[0]] == at[pair[1]]] == []


def at_header(made: tuple[Wire, ...], name: str) -> int:
    """The header's pin that a pin of the display is wired to."""
    (wire,) = (wire for wire in made if wire.end == WireEnd("display", name))
    return int(wire.begin.pin)


# --- resistances ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("duo", ["more than 132 Ω, mostly thousands, and rising", *2 * ["no wire: pins 2 and 4 stay free"]]),
        ("table", ["more than 22 Ω, mostly thousands, and rising", "open", "open"]),  # 3.3 V / 150 mA
        ("party", ["more than 22 Ω, mostly thousands, and rising", "open", "open"]),
    ],
)
def test_a_sound_harness_shows(name: str, shown: list[str]) -> None:
    assert [one.sound for one in resistances(kit(name), wires(kit(name)))] == [*shown, "as in *Pins*"]


@pytest.mark.parametrize(("name", "ohm"), [("table", "63"), ("party", "42")])  # 5 V / (4 or 6 lamps of 20 mA)
def test_5_v_to_ground_is_a_short_below_what_all_lamps_would_show(name: str, ohm: str) -> None:
    assert resistances(kit(name), wires(kit(name)))[1].wrong.startswith(f"below {ohm} Ω it is a short:")


def test_the_four_are_measured_at_the_pins_that_the_wires_lead_to() -> None:
    between = [one.between for one in resistances(kit("table"), wires(kit("table")))]
    assert between == [
        "3.3 V (pin 1, red) and ground (pin 9, black)",
        f"5 V (pin 2, orange), {RED_PROBE}, and ground (pin 9, black)",
        f"5 V (pin 2, orange), {RED_PROBE}, and 3.3 V (pin 1, red); then 5 V, still at the red probe, and each line",
        f"each line, {RED_PROBE}, and ground",
    ]


@pytest.mark.parametrize("name", ["table", "party"])
def test_the_row_that_tells_of_destruction_says_which_probe_shows_the_chip_in_a_sound_kit(name: str) -> None:
    words = "if it is on a lamp's line, the chip shows two of its diodes and 13 kΩ, and that is no fault"
    assert resistances(kit(name), wires(kit(name)))[2].wrong.endswith(words)


@every_kit
def test_the_rows_go_on_where_the_four_end(config: KitConfig) -> None:
    made = wires(config)
    assert len(resistances(config, made)) == RESISTANCES
    assert [row.number for row in rows(made)] == list(range(5, 5 + len(rows(made))))


@pytest.mark.parametrize(
    ("name", "black"),
    [
        (
            "duo",
            "each black wire, at its part (COM of each button, COM of each key, GND of the display, − of the buzzer),",
        ),
        ("table", BOARD),
        ("party", BOARD),
    ],
)
def test_black_beeps_against_a_usb_socket(name: str, black: str) -> None:
    first = rows(wires(kit(name)))[0]
    assert (first.between, first.sound) == (f"{black} and the metal of a USB socket", "beeps")


@pytest.mark.parametrize(
    ("name", "pressed"),
    [("duo", " and key is pressed"), ("table", " and the knob is pressed, and while the knob is turned by a click")],
)
def test_5_v_and_3_3_v_do_not_beep_against_it_with_each_button_pressed(name: str, pressed: str) -> None:
    third = rows(wires(kit(name)))[2]
    begin = "pin 4 (5 V), then pin 17 (3.3 V), and the metal of a USB socket; the same while each button"
    assert third.between.startswith(begin)
    assert (third.between.endswith(pressed), third.sound) == (True, "silent, always")


def cut_mm(made: tuple[Wire, ...], part: str, pin: str) -> int:
    (wire,) = (wire for wire in made if wire.end == WireEnd(part, pin))
    return wire.long_mm


def test_a_pressed_button_shows_its_two_wires_and_the_way_from_the_lamp_board() -> None:
    config = kit("table")
    made, button = wires(config), next(lines(config))
    way_m = sum(cut_mm(made, *end) for end in (("button P1", "NO"), ("button P1", "COM"), (LAMP_BOARD, "GND"))) / 1000
    assert to_ground(made, button) == f"open, pressed {0.0178 * way_m / 0.14:.1f} Ω; at pin 9"


@pytest.mark.parametrize(
    ("name", "line", "shows"),
    [
        (
            "table",
            12,
            r"13 kΩ with a ULN2803A, more than 25 kΩ with a TBD62083A, open without; at pin 9",
        ),  # 2.7 + 7.2 + 3 kΩ
        ("table", 13, r"open; some 220 Ω would be a coil, no piezo; at pin 9"),
        ("table", 17, r"open and 0\.\d Ω by turns, while it is turned; at pin 9"),
        ("table", 24, r"open, pressed 0\.\d Ω; at pin 9"),
        ("duo", 5, r"open, pressed 0\.\d Ω; at pin 30"),
        ("duo", 22, r"open, pressed 0\.\d Ω; at pin 20"),
    ],
)
def test_a_line_shows_to_ground(name: str, line: int, shows: str) -> None:
    config = kit(name)
    (its,) = (one for one in lines(config) if one.pin == line)
    assert re.fullmatch(shows, to_ground(wires(config), its))


@every_kit
def test_the_displays_vcc_beeps_against_another_pin_of_its_supply_and_not_against_the_neighbours(
    config: KitConfig,
) -> None:
    made = wires(config)
    vcc = at_header(made, "VCC")
    beeps, silent = probed(made)
    assert (POWER[beeps], beeps == vcc, POWER[silent]) == (POWER[vcc], False, CARRIED[vcc + 1])


# --- the guide ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", kits())
def test_the_guide_has_the_displays_pins_of_the_wire_lists(name: str) -> None:
    made = wires(kit(name))
    told = {pin: int(number) for pin, number in re.findall(r"\b(VCC|SDA|SCL) to pin (\d+)", GUIDE)}
    assert told == {pin: at_header(made, pin) for pin in ("VCC", "SDA", "SCL")}


@pytest.mark.parametrize("name", kits())
def test_the_guide_lets_the_displays_vcc_beep_as_the_kits_page_does(name: str) -> None:
    (told,) = re.findall(r"VCC, at the display, beeps against pin (\d+), not against pin (\d+)", GUIDE)
    assert tuple(map(int, told)) == probed(wires(kit(name)))


@pytest.mark.parametrize("name", ["table", "party"])
def test_the_guide_has_the_lamp_boards_leads_of_the_wire_lists(name: str) -> None:
    (told,) = re.findall(r"go to pin (\d+) \(5 V, (\w+)\)\s+and pin (\d+) \(ground, (\w+)\)", GUIDE)
    leads = {wire.end.pin: wire for wire in wires(kit(name)) if wire.end.part == LAMP_BOARD and wire.begin.part == PI}
    made = [(leads[pin].begin.pin, COLOURS[leads[pin].colour].name) for pin in ("5 V", "GND")]
    assert told == (*made[0], *made[1])


def test_the_buzzer_is_wired_before_the_card_is_put_in() -> None:
    assert GUIDE.index("the piezo between") < GUIDE.index("## 4. The card")


@pytest.mark.parametrize("name", kits())
def test_display_and_buzzer_come_first_on_their_sheet(name: str) -> None:
    tied = bundles(kit(name))
    (sheet,) = {bundle.sheet for bundle in tied if bundle.wires[0].end.part == "display"}
    parts = [bundle.wires[0].end.part for bundle in tied if bundle.sheet == sheet]
    assert parts[:2] == ["display", "buzzer"]


@pytest.mark.parametrize("page", ["README.md", "docs/build.md"])
def test_the_guide_and_the_readme_name_the_boards_that_an_enclosure_fits(page: str) -> None:
    *most, last = (board.title.removeprefix("Raspberry Pi ") for board in BOARDS.values())
    assert f"{', '.join(most)} or {last}" in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.nightly
@needs_graphviz
def test_a_kit_with_a_raspberry_pi_5_has_its_page() -> None:
    page = of_kit("own", altered("table", board="pi-5"))["docs/kits/own.md"].decode()
    words = (
        "on a Raspberry Pi 5.",
        "supply 5.1 V, 5 A, with a USB-C lead",
        "cooler of the",
        "Raspberry Pi 5 1670 mA",
        "cooler 200 mA",
    )
    assert [word for word in words if word not in page] == []
