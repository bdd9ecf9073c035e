"""The rules for the parts' devices, among those of the system: udev reads all of them in the order of their numbers."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
(RULES,) = (ROOT / "systemd").glob("*-luckypaw.rules")
ASKED = re.compile(r"ENV\{(\w+)\}==")
SETS_BUS = "60-serial.rules"  # by its builtin usb_id, which sets ID_BUS
HEEDS_IGNORE = "77-mm-"  # ModemManager's own rules, the first that look at ID_MM_DEVICE_IGNORE


def number(name: str) -> int:
    return int(name.partition("-")[0])


def test_what_a_rule_asks_for_is_known_by_then_and_what_it_says_is_heeded() -> None:
    rules = re.sub(r"\\\n\s*", "", RULES.read_text())
    of_the_strip = next(line for line in rules.splitlines() if "ID_MM_DEVICE_IGNORE" in line)
    assert ASKED.findall(of_the_strip) == ["ID_BUS"]
    assert number(SETS_BUS) < number(RULES.name) < number(HEEDS_IGNORE)


@pytest.mark.parametrize("script", ["appliance.sh", "install", "uninstall"])
def test_no_script_names_rules_that_are_not_there(script: str) -> None:
    named = set(re.findall(r"systemd/([\w.-]+\.rules)", (ROOT / "scripts" / script).read_text()))
    assert named <= {RULES.name}
