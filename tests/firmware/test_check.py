"""`luckypaw check`: what it prints, as JSON too, and its exit status."""

import json
import re
from pathlib import Path

import pytest

from firmware.cli import check as doctor
from hardware.doctor.findings import FAULTS, example, fine
from tests.firmware.command import ROOT, Ran

EMULATED = """
buttons.driver = "emulated"
display.driver = "emulated"
panel.port = 0
control = { kind = "knob", a = 17, b = 27, push = 24 }
players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
"""
ANYTHING = {fault.code: example(fault) for fault in FAULTS}


@pytest.fixture
def emulated(tmp_path: Path) -> Path:
    kit = tmp_path / "kit.toml"
    kit.write_text(EMULATED)
    return kit


def test_a_healthy_kit_is_status_0(emulated: Path, tmp_path: Path) -> None:
    ran = Ran(("check", "--config", emulated), tmp_path)
    assert (ran.status, ran.err, ran.lines[-1]) == (0, "", "All right.")


def test_a_fault_is_status_1_and_counted(emulated: Path, tmp_path: Path) -> None:
    emulated.write_text(EMULATED + f'strip.port = "{tmp_path}/nothing"')
    ran = Ran(("check", "--config", emulated), tmp_path)
    assert (ran.status, ran.err, ran.lines[-1]) == (1, "", "1 thing is to be mended: strip.")


def test_a_wrong_description_is_status_2(emulated: Path, tmp_path: Path) -> None:
    emulated.write_text("buzzer.pin = 4")
    ran = Ran(("check", "--config", emulated), tmp_path)
    assert (ran.status, ran.out, ran.err.startswith("luckypaw: ")) == (2, "", True)


def test_programs_get_one_document(emulated: Path, tmp_path: Path) -> None:
    emulated.write_text(EMULATED + f'strip.port = "{tmp_path}/nothing"')
    told = json.loads(Ran(("check", "--config", emulated, "--json"), tmp_path).out)
    (fault,) = (found for found in told["findings"] if found["fault"])
    assert (told["kit"], told["ok"], fault["code"], fault["place"]) == (
        str(emulated),
        False,
        "strip-no-port",
        f"{tmp_path}/nothing",
    )


def test_where_there_is_nothing_to_ask_for_the_guided_check_comes_to_its_end(emulated: Path, tmp_path: Path) -> None:
    emulated.write_text(EMULATED.replace('display.driver = "emulated"', "display.port = 10"))
    ran = Ran(("check", "--config", emulated, "--guided"), tmp_path)
    assert (ran.status, ran.err, ran.lines[-1]) == (1, "", "1 thing is to be mended: display.")


def test_each_part_has_a_line_and_what_is_wrong_the_remedy_below() -> None:
    found = ANYTHING["line-busy"]
    assert list(doctor.rows([fine("button P1", "GPIO 5"), found])) == [
        "  button P1                GPIO 5                    all right",
        f"! button P3                GPIO 22                   {found.text}",
        f"    → {found.remedy}",
    ]


def test_a_note_is_no_fault() -> None:
    note = ANYTHING["clock-not-set"]
    assert (next(doctor.rows([note]))[0], doctor.verdict([note]), doctor.status([note])) == ("i", "All right.", 0)


@pytest.mark.parametrize("code", ANYTHING)
def test_every_fault_says_what_where_and_what_to_do(code: str) -> None:
    found = ANYTHING[code]
    assert all((found.part, found.place, found.text, found.remedy))


@pytest.mark.parametrize("code", ANYTHING)
def test_words_are_one_line_and_have_no_braces_left(code: str) -> None:
    assert re.search(r"[{}\n]", f"{ANYTHING[code].text}{ANYTHING[code].remedy}") is None


def test_codes_are_told_once_each() -> None:
    assert len({fault.code for fault in FAULTS}) == len(FAULTS)


def test_the_bounds_of_the_libraries_are_those_of_the_package() -> None:
    from hardware.doctor import libraries

    asked = (ROOT / "pyproject.toml").read_text()
    known = [value for value in vars(libraries).values() if isinstance(value, libraries.Library)]
    known += [*libraries.ALWAYS, *libraries.PANEL]
    assert [library for library in known if f'"{library.name}>={library.oldest}' not in asked] == []
