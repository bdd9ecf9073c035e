"""`luckypaw check --guided`: each wrong wire is found by asking people, and none where all are right."""

from typing import Literal, get_args

import pytest
from msgspec import structs

from firmware.setup.inbox import Inbox
from hardware.config import ControlConfig, DisplayConfig, KitConfig
from hardware.doctor import by_hand as judged
from hardware.doctor.bench import A, B
from hardware.doctor.by_hand import bounce_ns
from hardware.doctor.findings import FAULTS
from hardware.parts.buttons import Edge
from hardware.parts.control.clicks import ClicksATurn
from hardware.parts.display.emulated_chip import Controller
from tests.firmware.person import MS, Person, Table
from tests.simulators import reading
from tests.simulators.machine_for_doctor import KIT, with_clicks

ARROWS = structs.replace(KIT, control=ControlConfig("buttons", up=17, down=27, ok=24))


def faults(table: Table, config: KitConfig = KIT) -> list[tuple[str, str, str]]:
    return [(each.code, each.part, each.place) for each in Person(table, config).findings() if each.fault]


@pytest.mark.parametrize("config", [KIT, ARROWS], ids=["a knob", "arrows"])
def test_a_table_whose_wires_are_right_gives_no_alarm(config: KitConfig) -> None:
    assert faults(Table(), config) == []


@pytest.mark.parametrize(("driver", "rotate"), [("ssd1306", 180), ("ssd1309", 0), ("sh1106", 0), ("sh1106", 180)])
def test_every_display_shows_a_whole_frame(driver: Controller, rotate: Literal[0, 180]) -> None:
    config = structs.replace(KIT, display=DisplayConfig(driver, rotate=rotate))
    assert faults(Table(chip=driver, upside_down=rotate == 180), config) == []


BUS = "0x3c on I2C bus 1"
CASES: list[tuple[Table, tuple[str, str, str]]] = [
    (Table(wires={"P3": None}), ("button-not-wired", "button P3", "GPIO 22")),
    (Table(wires={"P1": "P2", "P2": "P1"}), ("buttons-swapped", "button P1, P2", "GPIO 5, GPIO 6")),
    (Table(wires={"P3": "ok"}), ("button-elsewhere", "button P3", "GPIO 22")),
    (Table(joined=("P1", "P3")), ("buttons-joined", "button P1, P3", "GPIO 5, GPIO 22")),
    (Table(bounces_ms={"P3": 41}), ("button-bounces", "button P3", "GPIO 22")),
    (Table(bounces_ms={"ok": 41}), ("button-bounces", "knob push", "GPIO 24")),
    (Table(stuck="P3"), ("button-stuck", "button P3", "GPIO 22")),
    (Table(clicks=2), ("knob-other-clicks", "knob", "GPIO 17, GPIO 27")),
    (Table(contacts={A: B, B: A}), ("knob-swapped", "knob", "GPIO 17, GPIO 27")),
    (Table(contacts={B: None}), ("knob-contact-dead", B, "GPIO 27")),
    (Table(contacts={A: None}), ("knob-contact-dead", A, "GPIO 17")),
    (Table(turns=False), ("knob-dead", "knob", "GPIO 17, GPIO 27")),
    (Table(types={"Knob: push": "n"}), ("push-missing", "knob push", "GPIO 24")),
    (Table(lamps={"P2": None}), ("lamp-dark", "lamp P2", "GPIO 16")),
    (Table(lamps={"P1": "P2", "P2": "P1"}), ("lamps-swapped", "lamp P1, P2", "GPIO 12, GPIO 16")),
    (Table(lamps={"P1": "P3"}), ("lamp-elsewhere", "lamp P1", "GPIO 12")),
    (Table(hears=False), ("buzzer-silent", "buzzer", "GPIO 13")),
    (Table(chip="sh1106"), ("display-shifted", "display", BUS)),
    (Table(chip="sh1106", column=0), ("display-shifted", "display", BUS)),
    (Table(upside_down=True), ("display-upside-down", "display", BUS)),
    (Table(types={"Display": "what?"}), ("display-dark", "display", BUS)),
]


@pytest.mark.parametrize(("table", "fault"), CASES, ids=[fault[0] for _, fault in CASES])
def test_a_wrong_wire_is_named_with_its_place_and_nothing_else_is(table: Table, fault: tuple[str, str, str]) -> None:
    assert faults(table) == [fault]


def test_another_chip_is_seen_from_the_other_side_too() -> None:
    config = structs.replace(KIT, display=DisplayConfig("sh1106"))
    (found,) = [each for each in Person(Table(chip="ssd1306"), config).findings() if each.fault]
    assert found.remedy.endswith(" driver = 'ssd1306'")  # it looks like a panel that begins at another column


@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize(("begins", "described"), [(0, None), (2, 0)], ids=["0 for 2", "2 for 0"])
def test_a_panel_that_begins_at_another_column_is_told_from_another_chip(
    begins: int, described: int | None, rotate: Literal[0, 180]
) -> None:
    config = structs.replace(KIT, display=DisplayConfig("sh1106", rotate=rotate, column=described))
    table = Table(chip="sh1106", column=begins, upside_down=rotate == 180)
    (found,) = [each for each in Person(table, config).findings() if each.fault]
    assert found.code == "display-other-column"
    assert found.remedy.startswith(f"write display.column = {begins} ")
    mended = structs.replace(config, display=structs.replace(config.display, column=begins))
    assert faults(table, mended) == []


def test_arrows_that_are_swapped_are_named() -> None:
    found = [each for each in faults(Table(wires={"up": "down", "down": "up"}), ARROWS) if "button" in each[0]]
    assert found == [("buttons-swapped", "button ▲, ▼", "GPIO 17, GPIO 27")]


def test_three_buttons_that_went_round_are_each_named_with_the_line_they_move() -> None:
    found = Person(Table(wires={"P1": "P2", "P2": "P3", "P3": "P1"})).findings()
    moved = ("GPIO 6, the line of P2", "GPIO 22, the line of P3", "GPIO 5, the line of P1")
    assert [each.text for each in found if each.fault] == [f"pressing it moves {line}" for line in moved]


def test_lamps_are_distinguished_though_buttons_are_swapped() -> None:
    table = Table(wires={"P1": "P2", "P2": "P1"}, lamps={"P1": "P2", "P2": "P1"})
    assert [code for code, _, _ in faults(table)] == ["buttons-swapped", "lamps-swapped"]


def test_who_presses_the_wrong_button_by_mistake_is_asked_once_more() -> None:
    class Clumsy(Person):
        def _press(self, button: str) -> None:
            first = button == "P2" and not any("once more" in question for question in self.asked)
            super()._press("P1" if first else button)

    person = Clumsy(Table())
    assert [each for each in person.findings() if each.fault] == []
    assert "That was the line of P1. Press P2 once more" in person.asked


def test_a_table_with_nobody_at_it_comes_to_an_end() -> None:
    found = {code for code, _, _ in faults(Table(people=False))}
    assert found == {"display-dark", "button-not-wired", "knob-dead", "push-missing", "lamp-dark", "buzzer-silent"}


def test_what_is_typed_counts_as_well() -> None:
    table = Table(types={"Display: is": "y", "Button P1": "n", "Knob: turn": "n", "Lamp P2": "p2", "Lamp P3": "n"})
    assert faults(table) == [
        ("button-not-wired", "button P1", "GPIO 5"),
        ("knob-dead", "knob", "GPIO 17, GPIO 27"),
        ("lamp-dark", "lamp P3", "GPIO 20"),
    ]


def test_what_is_done_waits_for_whoever_asks() -> None:
    inbox = Inbox[str]()
    inbox.put("y")
    assert (inbox.next(inbox.now_ns() + MS), inbox.next(inbox.now_ns() + MS)) == ("y", None)


def test_a_part_whose_fault_is_known_is_not_asked_for() -> None:
    person = Person(Table(), known=frozenset({"display", "button P1", "knob A", "lamp P2", "buzzer", "knob push"}))
    assert [each.part for each in person.findings()] == ["button P2", "button P3", "lamp P1", "lamp P3"]


def test_the_bounce_is_reported_in_ms() -> None:
    (found,) = (each for each in Person(Table(bounces_ms={"P3": 41})).findings() if each.fault)
    assert found.text == "bounces for 41.0 ms, more than 20: one press may count as two"


def test_a_quick_tap_is_no_bounce() -> None:
    assert bounce_ns([Edge("P1", True, 1000 * MS), Edge("P1", False, 1025 * MS)]) == 0


def test_a_knob_that_only_chatters_makes_no_click() -> None:
    moves = [(A, True), (A, False), (B, True), (B, False)]
    edges = [Edge(name, down, n * MS) for n, (name, down) in enumerate(moves)]
    found = judged.knob(judged.turned(edges), 1, {A: 17, B: 27})
    assert (found.code, found.place) == ("knob-unsteady", "GPIO 17, GPIO 27")


@pytest.mark.parametrize("closed", [False, True], ids=["open at first", "closed at first"])
@pytest.mark.parametrize("miscounts", [-1, 0, 1])
@pytest.mark.parametrize("described", get_args(ClicksATurn))
@pytest.mark.parametrize("clicks", get_args(ClicksATurn))
def test_the_clicks_in_a_turn_of_the_contacts_are_measured(
    clicks: ClicksATurn, described: ClicksATurn, miscounts: int, closed: bool
) -> None:
    found = Person(Table(clicks=clicks, closed=closed, miscounts=miscounts), with_clicks(described)).findings()
    (knob,) = [finding for finding in found if finding.part == "knob"]
    assert (knob.code == "fine") == (clicks == described)
    assert clicks == described or knob.remedy.startswith(f"write control.clicks = {clicks} ")


def test_who_miscounts_is_asked_once_more_before_another_knob_is_supposed() -> None:
    person = Person(Table(miscounts=-2))
    assert [each for each in person.findings() if each.fault] == []
    assert [question for question in person.asked if "exactly four clicks" in question]


def test_each_question_stands_on_the_display() -> None:
    person = Person(Table())
    person.findings()
    read = [reading.text(picture) for picture in person.pictures]
    wanted = ["frame complete", "P1", "P2", "P3", "KNOB", "PUSH", "LAMP", "LAMP", "LAMP", "TONE"]
    assert [word for word, text in zip(wanted, read, strict=True) if word not in text] == []


@pytest.mark.parametrize(("table", "words"), [(Table(), "ALL RIGHT"), (Table(hears=False), "1 FAULT")])
def test_the_end_stands_on_the_display(table: Table, words: str) -> None:
    person = Person(table)
    person.findings()
    assert words in reading.text(person.glass())


def test_every_fault_that_people_find_is_injected() -> None:
    injected = {code for _, (code, _, _) in CASES} | {"knob-unsteady", "display-other-column"}
    assert injected == {fault.code for fault in FAULTS["guided"]}
