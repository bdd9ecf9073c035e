"""The strip's program comes onto a Pico by the menu of an installed kit, through the service's sandbox."""

import json
import re

from firmware.setup.flashing import PROGRAM
from tests.appliance.machine import HANDS, KIT, LEDS, forget_games, table, until_ready
from tests.simulators.reading import text
from tests.simulators.waiting import until

PORT = 'port = "/dev/luckypaw-strip"  # no USB port here, so it is not found by itself'
SET_UP, FLASH = 9, 2  # rows of the menu, and of SET UP
FILES, LIT = HANDS / "pico", HANDS / "lit"
FLASH_S = 120.0
ALL_RED = "00fe00" * LEDS  # green, red, blue


def lit() -> str:
    """What the lamps were sent last, in hexadecimal."""
    return LIT.read_text().rpartition("frame 0 ")[2].strip()


def test_a_pico_with_micropython_alone_gets_the_kits_program_and_answers_the_kit() -> None:
    KIT.write_text(re.sub(r"^\[strip\].*", rf"\g<0>\n{PORT}", KIT.read_text(), flags=re.MULTILINE))
    forget_games()
    until_ready()
    with table() as people:
        people.until_reads("which game?").choose(SET_UP).until_reads("Set up").ok().until_reads("Check the kit")
        people.choose(FLASH).until_reads("Flash the strip").ok().until_reads("OK: start").ok()
        until(lambda: f"Done: {LEDS} lamps" in text(people.glass()), lambda: f"done: {text(people.glass())}", FLASH_S)
        people.ok().until_reads("Flash the strip").choose(-1).until_reads("Strip test").ok()
        people.until_reads("WHICH COLOUR?")
        until(lambda: lit() == ALL_RED, lambda: f"every lamp is red: {lit()}")
    sent = {file.name: file.read_text() for file in PROGRAM.glob("*.py")}
    assert sent == {name: (FILES / name).read_text() for name in sent}
    assert json.loads((FILES / "strip.json").read_text())["max_mA"] == 1500
