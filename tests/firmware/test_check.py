"""`luckypaw check`: what it prints, as JSON too, and its exit status."""

import json
import re
from pathlib import Path

import pytest

from firmware.cli import check as doctor
from hardware.doctor.findings import BY_CODE, FAULTS, Finding, example, fine
from tests.firmware.command import ROOT, Ran

EMULATED = """
buttons.driver = "emulated"
display.driver = "emulated"
panel.port = 0
control = { kind = "knob", a = 17, b = 27, push = 24 }
players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
"""
# the command on a machine whose files, programs and ports are those of a folder
ELSEWHERE = """
import functools, pathlib, sys
from firmware.__main__ import main
from hardware.doctor import examine
examine.examine = functools.partial(examine.examine, root=pathlib.Path(sys.argv.pop(1)))
main()
"""
ANYTHING = {fault.code: example(fault) for fault in BY_CODE.values()}


@pytest.fixture
def emulated(tmp_path: Path) -> Path:
    kit = tmp_path / "kit.toml"
    kit.write_text(EMULATED)
    return kit


def check(folder: Path, *arguments: str | Path) -> Ran:
    """Run it where nothing else runs."""
    return Ran(("check", *arguments), folder, program=("-c", ELSEWHERE, folder / "root"))


def test_a_healthy_kit_is_status_0(emulated: Path, tmp_path: Path) -> None:
    ran = check(tmp_path, "--config", emulated)
    assert (ran.status, ran.err, ran.lines[-1]) == (0, "", "All right.")


def test_a_wrong_description_is_status_2(emulated: Path, tmp_path: Path) -> None:
    emulated.write_text("buzzer.pin = 4")
    ran = check(tmp_path, "--config", emulated)
    assert (ran.status, ran.out, ran.err.startswith("luckypaw: ")) == (2, "", True)


def test_a_fault_is_status_1_and_counted_and_programs_get_one_document(emulated: Path, tmp_path: Path) -> None:
    emulated.write_text(EMULATED + f'strip.port = "{tmp_path}/nothing"')
    ran, for_programs = (check(tmp_path, "--config", emulated, *more) for more in ((), ("--json",)))
    assert (ran.status, ran.err, ran.lines[-1]) == (1, "", "1 thing is to be mended: strip.")
    doc = json.loads(for_programs.out)
    faults = [(found["code"], found["place"]) for found in doc["findings"] if found["fault"]]
    assert (doc["kit"], doc["ok"], faults) == (str(emulated), False, [("strip-no-port", f"{tmp_path}/nothing")])


def test_where_there_is_nothing_to_ask_for_the_guided_check_comes_to_its_end(emulated: Path, tmp_path: Path) -> None:
    emulated.write_text(EMULATED.replace('display.driver = "emulated"', "display.port = 10"))
    ran = check(tmp_path, "--config", emulated, "--guided")
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


@pytest.mark.parametrize("found", ANYTHING.values(), ids=ANYTHING)
def test_every_fault_says_what_where_and_what_to_do_in_lines_without_braces(found: Finding) -> None:
    assert all((found.part, found.place, found.text, found.remedy))
    assert re.search(r"[{}\n]", f"{found.text}{found.remedy}") is None


def test_every_code_is_unique() -> None:
    assert len(BY_CODE) == sum(map(len, FAULTS.values()))


def test_the_bounds_of_the_libraries_are_those_of_the_package() -> None:
    from hardware.doctor import libraries

    asked = (ROOT / "pyproject.toml").read_text()
    known = [value for value in vars(libraries).values() if isinstance(value, libraries.Library)]
    known += [*libraries.ALWAYS, *libraries.PANEL]
    assert [library for library in known if f'"{library.name}>={library.oldest}' not in asked] == []
