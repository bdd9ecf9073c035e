"""Plugs on wrong pins of the header: what can put 5 V on a line or join supplies is found before power."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from hardware.building.circuit import METAL, Circuit, contacts
from hardware.building.documents import MADE, WIRING, wiring_page
from hardware.building.neighbours import MisplacedPlugs, PlugVerdict, neighbours
from hardware.building.plugged_in import Probe, rows
from hardware.building.wiring import GROUNDS, LAMP_BOARD, WireEnd, pin, wires
from hardware.config import ControlConfig, kit, kits
from hardware.doctor.findings import BY_CODE
from hardware.pins import BESIDE_5V, CARRIED, GROUND, HEADER, PINS, POWER, across, beside
from tests.hardware.building import KEYS, altered

ROOT = Path(__file__).resolve().parents[2]
BLACK, ORANGE = WireEnd(LAMP_BOARD, "GND"), WireEnd(LAMP_BOARD, "5 V")
VCC, SDA = WireEnd("display", "VCC"), WireEnd("display", "SDA")
DISPLAY_GND = WireEnd("display", "GND")
OTHER_PINS = altered("table", 3, control=ControlConfig("knob", a=26, b=4, push=14), bus="spi", port=0, dc=25, reset=15)
KITS = {
    **{name: kit(name) for name in kits()},
    "display on SPI": altered("table", bus="spi", port=0, dc=25),
    "keys and lamps": altered("party", 4, control=KEYS),
    "other pins": OTHER_PINS,
}
every_kit = pytest.mark.parametrize("name", KITS)
Moved = Mapping[WireEnd, int | None]


class Bench(MisplacedPlugs):
    """Several tests ask about the same plugs."""

    def verdict(self, changed: Moved) -> PlugVerdict:
        return _verdict(self, tuple(changed.items()))


@cache
def _verdict(on: Bench, changed: tuple[tuple[WireEnd, int | None], ...]) -> PlugVerdict:
    return super(Bench, on).verdict(dict(changed))


@cache
def bench(name: str) -> Bench:
    return Bench(KITS[name])


def shifted(on: MisplacedPlugs) -> Iterator[Moved]:
    """Each plug on each other pin, the next ones among them, and off the header; one that is in its way is off."""
    at = {number: end for end, number in on.right.items()}
    for end, own in on.right.items():
        yield {end: None}
        for number in PINS:
            if number != own:
                yield {end: number} | ({at[number]: None} if number in at else {})


def exchanged(on: MisplacedPlugs) -> Iterator[Moved]:
    for one, other in combinations(on.right, 2):
        yield {one: on.right[other], other: on.right[one]}


def whole_header(on: MisplacedPlugs) -> Iterator[Moved]:
    """All plugs a row up, a row down, in the other row, or counted from the other end."""
    ways = {number: (number - 2, number + 2, across(number), 41 - number) for number in PINS}
    for way in range(4):
        yield {end: to if (to := ways[number][way]) in PINS else None for end, number in on.right.items()}


def wrong(on: MisplacedPlugs, faults: Iterator[Moved], base: Moved) -> list[tuple[Moved, PlugVerdict]]:
    """The faults that no row finds though they harm, or that nothing finds though a plug carries something else."""
    found = []
    for moved in faults:
        verdict = on.verdict({**base, **moved})
        same = all(number is not None and CARRIED[number] == CARRIED[on.right[end]] for end, number in moved.items())
        if (verdict.harms and not verdict.rows) or verdict.right != same:
            found.append((moved, verdict))
    return found


@every_kit
def test_a_kit_whose_plugs_sit_right_passes_every_row_and_takes_no_harm(name: str) -> None:
    assert bench(name).verdict({}) == PlugVerdict((), (), ())


@every_kit
def test_a_plug_on_any_other_pin_is_found_before_power_where_it_harms_and_else_by_the_doctor(name: str) -> None:
    assert wrong(bench(name), shifted(bench(name)), {}) == []


@every_kit
def test_two_plugs_that_have_changed_places_are_found_before_power_where_they_harm_and_else_by_the_doctor(
    name: str,
) -> None:
    assert wrong(bench(name), exchanged(bench(name)), {}) == []


@every_kit
def test_two_plugs_at_the_display_that_have_changed_places_are_found_before_power_where_they_harm(name: str) -> None:
    on = bench(name)
    ends = [wire.end for wire in on.made if wire.end.part == "display"]
    missed, harmful = [], 0
    for one, other in combinations(ends, 2):
        to = {one: other, other: one}
        made = tuple(wire._replace(end=to.get(wire.end, wire.end)) for wire in on.made)
        circuit = Circuit(on.config, made, {to.get(end, end): number for end, number in on.right.items()})
        if circuit.harms():
            harmful += 1
            missed += [] if any(row.shows(circuit) for row in rows(on.made)) else [to]
    assert (missed, harmful > 0) == ([], True)


@every_kit
def test_a_header_that_was_counted_wrong_is_found_before_power(name: str) -> None:
    verdicts = [bench(name).verdict(moved) for moved in whole_header(bench(name))]
    assert [bool(verdict.rows) for verdict in verdicts] == [True] * 4


OLD = {"duo": {DISPLAY_GND: 6}, "table": {BLACK: 6}, "party": {BLACK: 6}}
old_kits = pytest.mark.parametrize("name", OLD)


@old_kits
def test_a_kit_that_was_built_with_black_on_pin_6_stays_right(name: str) -> None:
    assert bench(name).verdict(OLD[name]).right


@old_kits
def test_the_rows_find_in_a_kit_with_black_on_pin_6_all_that_harms(name: str) -> None:
    on, base = bench(name), OLD[name]
    ((black, six),) = base.items()
    near = [{**moved, **({} if black in moved else base)} for moved in (*shifted(on), *exchanged(on))]
    near += [{black: number} for number in (*beside(six), None)]
    assert [moved for moved in near if (verdict := on.verdict(moved)).harms and not verdict.rows] == []


@every_kit
def test_no_black_plug_has_5_v_beside_it(name: str) -> None:
    grounds = [number for number in bench(name).right.values() if number in GROUND]
    assert grounds and [n for n in grounds if any(POWER.get(near) == "5 V" for near in beside(n))] == []


def test_only_pin_6_is_a_ground_beside_5_v() -> None:
    assert (BESIDE_5V, set(GROUND) - set(GROUNDS)) == ((6,), {6})


@pytest.mark.parametrize(
    ("number", "near"), [(1, {3, 2}), (2, {4, 1}), (6, {4, 8, 5}), (17, {15, 19, 18}), (39, {37, 40}), (40, {38, 39})]
)
def test_the_pins_beside_one_are_a_row_up_a_row_down_and_across(number: int, near: set[int]) -> None:
    assert set(beside(number)) == near


# --- what harms, and which row shows it -----------------------------------------------------------------------------


def no(end: str) -> WireEnd:
    return WireEnd(f"button {end}", "NO")


@pytest.mark.parametrize(
    ("name", "moved", "harm", "row"),
    [
        ("table", {BLACK: 4}, "5 V on GPIO 5", 5),  # a row up from where it was: each press puts 5 V on its line
        ("duo", {DISPLAY_GND: 4}, "5 V on GPIO 2", 5),
        ("table", {BLACK: 2, ORANGE: 9}, "5 V on GPIO 5", 5),
        ("table", {no("P3"): 17}, "3.3 V and ground joined", 7),
        ("table", {WireEnd("knob", "push"): 17}, "3.3 V and ground joined", 7),
        ("table", {no("P1"): 4}, "5 V and ground joined", 7),
        ("duo", {VCC: 2}, "5 V on GPIO 2", 6),
        ("table", {VCC: 2, ORANGE: 1}, "5 V on GPIO 3", 6),
        ("table", {SDA: 4}, "5 V and 3.3 V joined", 6),
        ("duo", {VCC: 25, DISPLAY_GND: 1}, "3.3 V and ground joined", 5),  # the display the wrong way round
        ("table", {no("P1"): 32, WireEnd(LAMP_BOARD, "IN1"): 29}, "GPIO 12 overloaded", 8),
        ("table", {ORANGE: 32, WireEnd(LAMP_BOARD, "IN1"): 2}, "GPIO 12 overloaded", 9),
        ("duo", {WireEnd("key up", "COM"): 4}, "5 V on GPIO 17", 5),
    ],
)
def test_a_row_shows_a_danger(name: str, moved: Moved, harm: str, row: int) -> None:
    verdict = bench(name).verdict(moved)
    assert (harm in {each.what for each in verdict.harms}, min(verdict.rows)) == (True, row)


@every_kit
def test_5_v_on_a_line_and_joined_supplies_are_found_without_the_plugs_that_must_be_counted(name: str) -> None:
    """Who has miscounted a pin while plugging in may miscount it in row 8 as well."""
    on = bench(name)
    faults = [on.verdict(moved) for moved in (*shifted(on), *exchanged(on))]
    dangers = [each for each in faults if any("overloaded" not in harm.what for harm in each.harms)]
    assert dangers and [each for each in dangers if set(each.rows) <= {8}] == []


@pytest.mark.parametrize("row", [6, 8, 9])
def test_something_that_harms_is_shown_by_this_row_alone(row: int) -> None:
    on = bench("party")
    faults = (on.verdict(moved) for moved in (*shifted(on), *exchanged(on)))
    assert any(each.harms and each.rows == (row,) for each in faults)


def test_without_a_pin_to_count_the_metal_shows_5_v_on_black_and_under_a_button() -> None:
    made = wires(kit("table"))
    probes = {row.number: row.probes for row in rows(made)}
    assert probes[5] == tuple(Probe(end, METAL, beeps=True) for end in (BLACK, DISPLAY_GND))
    presses = (None, *contacts(made))
    assert probes[7] == tuple(Probe(pin(n), METAL, beeps=False, pressed=end) for n in (4, 17) for end in presses)


@pytest.mark.parametrize(
    ("moved", "codes"),
    [
        ({WireEnd(LAMP_BOARD, "IN1"): None}, ("lamp-dark",)),
        ({WireEnd(LAMP_BOARD, "IN1"): 36, WireEnd(LAMP_BOARD, "IN2"): 32}, ("lamps-swapped",)),
        ({WireEnd("knob", "a"): 13, WireEnd("knob", "b"): 11}, ("knob-swapped",)),
        ({WireEnd("buzzer", "+"): 35}, ("buzzer-silent",)),
        ({SDA: 5, WireEnd("display", "SCL"): 3}, ("display-missing",)),
        ({ORANGE: 4}, ()),
    ],
)
def test_what_harms_nothing_is_found_by_the_doctor(moved: Moved, codes: tuple[str, ...]) -> None:
    assert bench("table").verdict(moved) == PlugVerdict((), (), codes)
    assert set(codes) <= set(BY_CODE)


def test_what_only_a_press_does_is_told_of_that_press() -> None:
    (harm,) = bench("table").verdict({no("P3"): 17}).harms
    assert harm == ("3.3 V and ground joined", no("P3"))


def test_a_pressed_button_beeps_from_its_pin_to_the_metal_and_another_one_does_not() -> None:
    on = bench("table")
    circuit = Circuit(on.config, on.made, on.right)
    heard = [circuit.beeps(pin(29), METAL, pressed) for pressed in (None, no("P1"), no("P2"))]
    assert heard == [False, True, False]


# --- the list ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pin", "near"), [(1, {2, 3}), (2, {1, 4}), (9, {7, 10, 11}), (39, {37, 40}), (40, {38, 39})])
def test_a_pin_has_the_one_across_and_those_of_the_next_rows_beside_it(pin: int, near: set[int]) -> None:
    assert {*beside(pin)} == near


@pytest.mark.parametrize("name", [*kits(), "other pins"])
def test_every_plug_is_listed_with_each_pin_beside_it_and_off_the_header(name: str) -> None:
    listed: dict[WireEnd, set[int | None]] = {}
    for each in neighbours(KITS[name]):
        listed.setdefault(each.plug.end, set()).add(each.pin)
    right = bench(name).right
    assert listed.keys() == right.keys()
    assert all(None in near and len(near) in (3, 4) for near in listed.values())
    assert all(right[end] not in near for end, near in listed.items())


def test_the_page_of_pins_has_the_list_as_it_is_made_today() -> None:
    page = (ROOT / WIRING).read_text(encoding="utf-8")
    assert page == wiring_page(page)


def test_the_page_has_a_row_for_every_plug_of_every_kit() -> None:
    made = (ROOT / WIRING).read_text(encoding="utf-8").partition(MADE)[2]
    for name in kits():
        on = bench(name)
        _, _, after = made.partition(f"### {name.title()}\n")
        lines = after.partition("\n###")[0].splitlines()
        told = [
            tuple(map(str.strip, line.split("|")[1:3])) for line in lines if line.startswith("| ") and "pin" not in line
        ]
        assert told == [(str(on.right[plug.end]), " ".join(plug.end)) for plug in on.plugs]


def test_a_page_without_the_line_before_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match=r"docs/wiring.md lacks the line <!-- Made by"):
        wiring_page("# The choice of pins\n")


def test_the_header_has_forty_pins_each_with_one_thing() -> None:
    assert sorted([*HEADER.values(), *POWER, *GROUND]) == list(PINS)
