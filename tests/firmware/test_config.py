"""`kit.toml`: the built-in kit, where a description is looked for, and every way in which one can be wrong."""

import os
import subprocess
import sys
import time
import tomllib
from argparse import Namespace
from collections.abc import Iterator
from datetime import date, datetime
from datetime import time as clock
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, structs

from firmware import __main__ as program
from hardware.config import TABLE, ConfigError, KitConfig, PanelConfig, kit, kits, load, parse

ROOT = Path(__file__).parents[2]

PLAYERS = """
[[players]]
name = "P1"
button = 5
lamp = 12

[[players]]
name = "P2"
button = 6
"""
KNOB = """
[control]
a = 17
b = 27
push = 24
"""
KIT = PLAYERS + KNOB

WHOLE = """
buttons.driver = "gpiod"

[[players]]
name = "P1"
button = 5
lamp = 12

[[players]]
name = "P2"
button = 6
lamp = 16

[[players]]
name = "P3"
button = 22
lamp = 20

[[players]]
name = "P4"
button = 23
lamp = 21

[control]
kind = "knob"
a = 17
b = 27
push = 24

[display]
driver = "ssd1309"
bus = "i2c"
port = 1
address = 0x3c
rotate = 0

[buzzer]
pin = 13

[strip]
leds = 60
shape = "ring"
reversed = false
offset = 0

[panel]
host = "127.0.0.1"
port = 8642

[build]
title = "Table"
board = "pi-4b"
button = "dome-45"
strip_ma = 1500
"""


def complaint(text: str) -> str:
    """What is said of a description that cannot be used."""
    with pytest.raises(ConfigError) as error:
        parse(text)
    return str(error.value)


def player(line: str) -> str:
    """The kit with one line of P1 exchanged."""
    key = line.partition(" =")[0]
    lines = KIT.splitlines()
    at = next(n for n, old in enumerate(lines) if old.startswith(key))
    return "\n".join([*lines[:at], line, *lines[at + 1 :], ""])


def players(count: int) -> str:
    """A kit of so many."""
    pins = (5, 6, 22, 23, 25, 26, 4)
    return "".join(f'[[players]]\nname = "P{n + 1}"\nbutton = {pin}\n' for n, pin in enumerate(pins[:count])) + KNOB


# --- descriptions that are fine --------------------------------------------------------------------------------------


def test_the_built_in_kit_is_a_valid_description() -> None:
    assert parse(WHOLE) == structs.replace(TABLE, panel=PanelConfig())


def test_without_a_file_it_is_the_built_in_kit() -> None:
    assert load(None) == TABLE


@pytest.mark.parametrize("name", kits())
def test_a_kit_that_is_described_here_is_found_by_its_name(name: str) -> None:
    assert kit(name) == load(ROOT / "hardware" / "kits" / f"{name}.toml")


@pytest.mark.parametrize("name", ["chess", "../kits/table", "", "table.toml"])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(ConfigError) as error:
        kit(name)
    assert str(error.value) == f"kit {name!r} is unknown; there are duo, table, party"


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_two_to_six_players_are_a_kit(count: int) -> None:
    assert parse(players(count)).names == ("P1", "P2", "P3", "P4", "P5", "P6")[:count]


@pytest.mark.parametrize(
    "text",
    [
        KIT,
        PLAYERS + '[control]\nkind = "buttons"\nup = 17\ndown = 27\nok = 24\n',
        KIT + '[display]\nbus = "spi"\ndc = 25\nreset = 4\n',
        KIT.replace("button = 6", "button = 8"),
        KIT.replace("button = 6", "button = 2") + '[display]\ndriver = "emulated"\n',
        KIT + "[display]\nreset = 25\n",
        KIT + "[display]\nrotate = 180\n",
        KIT + '[panel]\nhost = "::1"\nport = 0\n',
        KIT + "[buzzer]\npin = 18\n",
        'buttons.driver = "emulated"\n' + KIT,
    ],
    ids=[
        "no more than needed",
        "three buttons",
        "a display on SPI",
        "SPI pins without a display on SPI",
        "I2C pins without a display",
        "a display on I2C with a reset",
        "upside down",
        "panel",
        "buzzer",
        "emulated buttons",
    ],
)
def test_a_right_description_is_taken(text: str) -> None:
    assert parse(text).names == ("P1", "P2")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
def test_a_file_from_windows_is_read(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "kit.toml"
    path.write_bytes(mark + KIT.replace("\n", "\r\n").encode())
    assert load(path) == parse(KIT)


# --- descriptions that are not ---------------------------------------------------------------------------------------

A_PIN = "allowed is a whole number from 0 to 27"
PLAYER_LIST = "a list of 2 to 6, each [[players]] with name, button, lamp"

WRONG = [
    # unknown keys
    (
        "colour = 1\n" + KIT,
        "colour is unknown; allowed here: players, buttons, control, display, buzzer, strip, panel, build",
    ),
    (player('name = "P1"\ncolour = "red"'), "players[0].colour is unknown; allowed here: name, button, lamp"),
    (KIT + "knob = 3\n", "control.knob is unknown; allowed here: kind, a, b, push, up, down, ok"),
    ("buttons.bounce = 3\n" + KIT, "buttons.bounce is unknown; allowed here: driver"),
    (
        KIT + "[display]\nwidth = 128\n",
        "display.width is unknown; allowed here: driver, bus, port, address, dc, reset, rotate",
    ),
    (KIT + "[buzzer]\npin = 13\nloud = true\n", "buzzer.loud is unknown; allowed here: pin"),
    (
        KIT + '[strip]\nport = "/dev/x"\nbaud = 9600\n',
        "strip.baud is unknown; allowed here: port, leds, shape, reversed, offset",
    ),
    (KIT + '[panel]\ntoken = "x"\n', "panel.token is unknown; allowed here: host, port"),
    (
        '"a\\nb" = 1\n' + KIT,
        "'a\\nb' is unknown; allowed here: players, buttons, control, display, buzzer, strip, panel, build",
    ),
    # missing keys
    ("", f"players is missing: needed is {PLAYER_LIST}"),
    (KIT.replace('name = "P2"', ""), "players[1].name is missing: needed is a text of 1 to 4 characters"),
    (KIT.replace("button = 6", ""), "players[1].button is missing: needed is a whole number from 0 to 27"),
    (KIT + "[buzzer]\n", "buzzer.pin is missing: needed is a whole number from 0 to 27"),
    # wrong types and values
    ("players = 3", f"players = 3: allowed is {PLAYER_LIST}"),
    ("players = [3, 4]", "players[0] = 3: allowed is a table with name, button, lamp"),
    ('[players]\nname = "P1"', f"players = {{'name': 'P1'}}: allowed is {PLAYER_LIST}"),
    ("players = []", f"players = []: allowed is {PLAYER_LIST}"),
    ("buttons = 3\n" + KIT, "buttons = 3: allowed is a table with driver"),
    (player('name = ""'), "players[0].name = '': allowed is a text of 1 to 4 characters"),
    (player('name = "Peter"'), "players[0].name = 'Peter': allowed is a text of 1 to 4 characters"),
    (player("name = 1"), "players[0].name = 1: allowed is a text of 1 to 4 characters"),
    (player("button = true"), f"players[0].button = true: {A_PIN}"),
    (player("button = 5.0"), f"players[0].button = 5.0: {A_PIN}"),
    (player('button = "GPIO5"'), f"players[0].button = 'GPIO5': {A_PIN}"),
    (player("button = []"), f"players[0].button = []: {A_PIN}"),
    (player("button = 28"), f"players[0].button = 28: {A_PIN}"),
    (player("lamp = -1"), f"players[0].lamp = -1: {A_PIN}"),
    (player(f"lamp = {'9' * 100}"), f"players[0].lamp = {'9' * 60}...: {A_PIN}"),
    (
        'buttons.driver = "pigpio"\n' + KIT,
        "buttons.driver = 'pigpio': allowed is 'gpiod' or 'lgpio' or 'rpigpio' or 'emulated'",
    ),
    (PLAYERS + '[control]\nkind = "mouse"\n', "control.kind = 'mouse': allowed is 'knob' or 'buttons'"),
    (
        KIT + '[display]\ndriver = "ssd1351"\n',
        "display.driver = 'ssd1351': allowed is 'ssd1306' or 'ssd1309' or 'sh1106' or 'emulated'",
    ),
    (KIT + '[display]\nbus = "usb"\n', "display.bus = 'usb': allowed is 'i2c' or 'spi'"),
    (KIT + "[display]\nport = 11\n", "display.port = 11: allowed is a whole number from 0 to 10"),
    (KIT + "[display]\naddress = 0x78\n", "display.address = 120: allowed is a whole number from 8 to 119"),
    (KIT + "[display]\nrotate = 90\n", "display.rotate = 90: allowed is 0 or 180"),
    (KIT + '[strip]\nport = ""\n', "strip.port = '': allowed is a text that is not empty"),
    (KIT + '[strip]\nshape = "star"\n', "strip.shape = 'star': allowed is 'straight' or 'ring'"),
    (KIT + "[strip]\noffset = 300\n", "strip.offset = 300: allowed is a whole number from 0 to 299"),
    (KIT + '[strip]\nport = "/dev/x"\nleds = 7\n', "strip.leds = 7: allowed is a whole number from 8 to 300"),
    (KIT + '[strip]\nreversed = "yes"\n', "strip.reversed = 'yes': allowed is true or false"),
    (KIT + '[strip]\nport = "/dev/x\\u0000"\n', "strip.port = '/dev/x\\x00': allowed is the path of a device"),
    (KIT + "[panel]\nport = 65536\n", "panel.port = 65536: allowed is a whole number from 0 to 65535"),
    (KIT + "[panel]\nhost = 1\n", "panel.host = 1: allowed is a text"),
    # pins
    (
        player("button = 24"),
        "control.push = 24: GPIO 24 is taken by players[0].button; each part needs a pin of its own",
    ),
    (player("lamp = 6"), "players[1].button = 6: GPIO 6 is taken by players[0].lamp; each part needs a pin of its own"),
    (
        KIT + "[buzzer]\npin = 12\n",
        "buzzer.pin = 12: GPIO 12 is taken by players[0].lamp; each part needs a pin of its own",
    ),
    (
        KIT + '[display]\nbus = "spi"\ndc = 5\n',
        "display.dc = 5: GPIO 5 is taken by players[0].button; each part needs a pin of its own",
    ),
    (
        KIT + "[display]\nreset = 5\n",
        "display.reset = 5: GPIO 5 is taken by players[0].button; each part needs a pin of its own",
    ),
    (KIT + "[display]\nreset = 3\n", "display.reset = 3: GPIO 3 is I2C SCL; take a free one"),
    (KIT + "[display]\nreset = true\n", f"display.reset = true: {A_PIN}"),
    (KIT + "[display]\nreset = 28\n", f"display.reset = 28: {A_PIN}"),
    (player("button = 0"), "players[0].button = 0: GPIO 0 is ID EEPROM data; take a free one"),
    (player("button = 1"), "players[0].button = 1: GPIO 1 is ID EEPROM clock; take a free one"),
    (player("button = 2"), "players[0].button = 2: GPIO 2 is I2C SDA; take a free one"),
    (player("button = 3"), "players[0].button = 3: GPIO 3 is I2C SCL; take a free one"),
    (
        player("button = 10") + '[display]\nbus = "spi"\ndc = 25\n',
        "players[0].button = 10: GPIO 10 is SPI MOSI; take a free one",
    ),
    (KIT + "[buzzer]\npin = 14\n", "buzzer.pin = 14: allowed are the lines with PWM, 12, 13, 18, 19"),
    # what does not fit together
    (KIT.replace('"P2"', '"P1"'), "players[1].name = 'P1': each name may stand once; P2 would do"),
    (player('name = "P\\n"'), "players[0].name = 'P\\n': allowed are signs that can be seen; P1 would do"),
    (player('name = " P1"'), "players[0].name = ' P1': allowed are signs that can be seen; P1 would do"),
    (player('name = "ok"'), "players[0].name = 'ok': that is a name of the control; P1 would do"),
    (PLAYERS, "control.a is missing: a control of kind 'knob' needs a, b and push"),
    (
        PLAYERS + '[control]\nkind = "buttons"\nup = 17\n',
        "control.down is missing: a control of kind 'buttons' needs up, down and ok",
    ),
    (KIT + "ok = 4\n", "control.ok = 4: a control of kind 'knob' has a, b and push"),
    (
        KIT + '[display]\nbus = "spi"\n',
        "display.dc is missing: a display on SPI needs its data/command line",
    ),
    (
        KIT + "[display]\ndc = 25\n",
        "display.dc = 25: only a display on SPI has a data/command line: bus = 'spi'",
    ),
    (
        KIT + '[panel]\nhost = "0.0.0.0"\n',
        "panel.host = '0.0.0.0': only 127.0.0.1, ::1 or localhost until pairing exists",
    ),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[said.split(":")[0].split(";")[0] for _, said in WRONG])
def test_a_wrong_description_is_told_by_key_value_and_what_is_allowed(text: str, said: str) -> None:
    assert complaint(text) == said


@pytest.mark.parametrize("count", [1, 7])
def test_a_kit_of_one_or_seven_is_refused(count: int) -> None:
    assert complaint(players(count)).endswith(f": allowed is {PLAYER_LIST}")


@pytest.mark.parametrize(
    "text",
    ["players", "[[players]", 'players = "', "a = 1\na = 2", "x = " + "1" * 5000, "x = " + "[" * 5000, "\x00"],
    ids=[
        "half a line",
        "half a table",
        "half a text",
        "a key twice",
        "a monstrous number",
        "nested deeply",
        "zero byte",
    ],
)
def test_what_is_not_toml_is_said_in_one_line(text: str) -> None:
    said = complaint(text)
    assert (said[:10], len(said.splitlines())) == ("not TOML: ", 1)


# --- of any shape ----------------------------------------------------------------------------------------------------

LONGEST = 203  # a sentence, and the dots of one that was cut


def toml(value: object) -> str:
    """A value as TOML writes it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            signs = (sign if sign.isalnum() and sign.isascii() else f"\\U{ord(sign):08x}" for sign in value)
            return f'"{"".join(signs)}"'
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{{', '.join(f'{toml(key)} = {toml(one)}' for key, one in value.items())}}}"
        case datetime() | date() | clock():
            return value.isoformat()
    return repr(value)


def members(kind: Any) -> Iterator[Any]:
    """A declaration, and all that it is made of."""
    yield kind
    for member in get_args(kind):
        yield from members(member)


def keys_of(kind: type) -> set[str]:
    """All keys of a description, of whatever table."""
    found: set[str] = set()
    for name, hint in get_type_hints(kind, include_extras=True).items():
        found.add(name)
        for member in members(hint):
            if isinstance(member, type) and issubclass(member, Struct):
                found |= keys_of(member)
    return found


# no surrogates: a text file has none
signs = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
odd_keys = st.sampled_from(
    ["", "a.b", 'a"b', "a - at `$.strip`", "x` - at `$.y", "\n", "\x1b[31m", "\u202e", "k" * 500]
)
keys = st.sampled_from(sorted(keys_of(KitConfig))) | odd_keys | signs
words = ["yes", "P1", "ok", "knob", "spi", "/dev/x", "\x00", "x - at `$.strip.leds`", "127.0.0.1", "w" * 500]
scalars = (
    st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(-1, 30)
    | st.floats()
    | st.sampled_from(words)
    | signs
    | st.datetimes()
    | st.dates()
    | st.times()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=7) | st.dictionaries(keys, inner, max_size=5), max_leaves=12
)


def spoilt(table: dict[str, Any], path: list[int], key: str, value: object) -> dict[str, Any]:
    """A description with one value changed, added or replaced, somewhere within."""
    place: Any = table
    for step in path:
        inner = [one for one in (place if isinstance(place, list) else place.values()) if isinstance(one, dict | list)]
        if not inner:
            break
        place = inner[step % len(inner)]
    if isinstance(place, list):
        place[path[0] % len(place) :] = [value]
    else:
        place[key] = value
    return table


tables = st.dictionaries(keys, values, max_size=6) | st.builds(
    spoilt, st.builds(lambda: tomllib.loads(WHOLE)), st.lists(st.integers(0, 9), min_size=1, max_size=3), keys, values
)


def is_one_short_line(said: str) -> bool:
    return said.isprintable() and 0 < len(said) <= LONGEST


@given(tables)
@settings(max_examples=500, deadline=None)
def test_a_description_of_any_keys_and_values_is_a_kit_or_one_short_line(table: dict[str, Any]) -> None:
    said = complaint_or_none("\n".join(f"{toml(key)} = {toml(value)}" for key, value in table.items()))
    assert said is None or (is_one_short_line(said) and not said.startswith("not TOML"))


@given(st.integers(0, len(WHOLE)), st.integers(0, 40), signs)
@settings(max_examples=300, deadline=None)
def test_a_description_with_any_hole_and_any_rubbish_in_it_is_a_kit_or_one_short_line(
    at: int, hole: int, rubbish: str
) -> None:
    said = complaint_or_none(WHOLE[:at] + rubbish + WHOLE[at + hole :])
    assert said is None or is_one_short_line(said)


def complaint_or_none(text: str) -> str | None:
    """What is said of a description; None where it can be used."""
    try:
        parse(text)
    except ConfigError as error:
        return str(error)
    return None


HUNDRED = ".".join("a" * 41)
LONG = {  # what takes the parser longest
    "a key of many parts": ".".join("a" * 40_000) + " = 1",
    "the deepest header": "\n".join([f"[{HUNDRED}]", *(f"{HUNDRED}.b{n} = 1" for n in range(400))]),
    "many short lines below it": "\n".join([f"[{HUNDRED}]", *(f"b{n} = 1" for n in range(4000))]),
    "many tables": "[[a]]\n" * 5400,
    "many lists": f"a = [{'[],' * 10_000}]",
    "a long text": f'a = "{"x" * 30_000}"',
    "a short comment and much of nothing": "#\n" + "\n" * 30_000,
    "80 kB": "# a\n" * 20_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_the_longest_description_is_read_at_once(text: str) -> None:
    began_s = time.process_time()
    said = complaint_or_none(text)
    assert (said is not None, time.process_time() - began_s < 0.5) == (True, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#" * 32_769, "it is longer than 32 kB"),
        (f"\na.{HUNDRED} = 1", "line 2 has more than 40 dots"),
        ("a = " + "{a = " * 500 + "1" + "}" * 500, "not TOML: nested too deeply"),
    ],
    ids=["too long", "too deep", "too deep in braces"],
)
def test_what_is_too_much_is_said(text: str, said: str) -> None:
    assert complaint(text) == said


def test_a_comment_may_have_any_dots() -> None:
    assert parse(f"  # {'.' * 60}\n{KIT}") == parse(KIT)


# --- a file of any kind ----------------------------------------------------------------------------------------------


def said_of(path: Path) -> str:
    """What `load` says of a file, after its name."""
    with pytest.raises(ConfigError) as told:
        load(path)
    return str(told.value).removeprefix(f"{path}: ")


def test_a_pipe_that_nobody_fills_is_no_description(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "kit.toml")
    assert said_of(tmp_path / "kit.toml") == "cannot be read: it is no file"


def test_a_device_is_no_description() -> None:
    assert said_of(Path("/dev/zero")) == "cannot be read: it is no file"


def test_of_a_file_of_1_gb_only_its_length_is_said(tmp_path: Path) -> None:
    with (tmp_path / "kit.toml").open("wb") as file:
        file.truncate(1 << 30)
    assert said_of(tmp_path / "kit.toml") == "cannot be read: it is longer than 32 kB"


def test_a_wrong_file_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^no/such/kit\.toml: cannot be read: No such file or directory$"):
        load(Path("no/such/kit.toml"))


def test_a_folder_is_not_a_description(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory$"):
        load(tmp_path)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kit.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigError, match=r"cannot be read: it is not UTF-8 text$"):
        load(path)


# --- through the command ---------------------------------------------------------------------------------------------


def luckypaw(*arguments: str | Path) -> tuple[int, str, str]:
    """Run the command: its exit status, what it printed, what it complained about."""
    command = [sys.executable, "-m", "firmware", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=20, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def description(tmp_path: Path) -> Path:
    """A file to be written to."""
    return tmp_path / "kit.toml"


def test_config_check_says_that_a_kit_is_fine(description: Path) -> None:
    description.write_text(KIT)
    assert luckypaw("config", "check", description) == (0, f"{description}: fine, 2 players: P1, P2\n", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (player("button = 28"), f"players[0].button = 28: {A_PIN}"),
        ("", f"players is missing: needed is {PLAYER_LIST}"),
        ("x = " + "[" * 5000, "not TOML: "),
    ],
    ids=["a wrong pin", "an empty file", "nested deeply"],
)
def test_config_check_of_a_wrong_kit_is_one_line_and_status_2(description: Path, text: str, said: str) -> None:
    description.write_text(text)
    status, out, err = luckypaw("config", "check", description)
    assert (status, out, err.count("\n"), err.startswith(f"luckypaw: {description}: {said}")) == (2, "", 1, True)


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (
            "strip_ma = 1500",
            "strip_ma = 6000",
            ("build.strip_ma = 6000: at most 4000 is allowed, as its fuse must be stronger and its jack carries 5 A"),
        ),
        ("leds = 60", "leds = 59", "strip.leds = 59: rings have 12, 16, 24, 60 lamps"),
        ('driver = "ssd1309"', 'driver = "emulated"', None),
    ],
    ids=["too much current", "a ring that nobody sells", "an emulated display"],
)
def test_config_check_says_what_keeps_a_kit_from_being_built(
    was: str, now: str, said: str | None, description: Path
) -> None:
    table = (ROOT / "hardware/kits/table.toml").read_text()
    assert table.count(was) == 1
    description.write_text(table.replace(was, now))
    fine = f"{description}: fine, 4 players: P1, P2, P3, P4\n"
    refused = (2, "", f"luckypaw: {description}: {said}\n")
    assert luckypaw("config", "check", description) == (refused if said else (0, fine, ""))


def test_config_check_of_a_file_that_is_not_there_is_status_2(description: Path) -> None:
    assert luckypaw("config", "check", description) == (
        2,
        "",
        f"luckypaw: {description}: cannot be read: No such file or directory\n",
    )


@pytest.mark.parametrize("before", [True, False], ids=["before the command", "after it"])
def test_play_starts_nothing_with_a_wrong_kit(description: Path, before: bool) -> None:
    description.write_text(player("button = 28"))
    option = ("--config", description)
    assert luckypaw(*(*option, "play") if before else ("play", *option)) == (
        2,
        "",
        f"luckypaw: {description}: players[0].button = 28: {A_PIN}\n",
    )


def test_play_refuses_a_port_that_cannot_be(description: Path) -> None:
    assert luckypaw("play", "--port", "65536") == (
        2,
        "",
        "luckypaw: --port 65536: a port from 0 to 65535 is allowed\n",
    )


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where a description is looked for: on the boot partition, and in the system. Nothing is there yet."""
    boot, system = tmp_path / "boot.toml", tmp_path / "system.toml"
    monkeypatch.setattr(program, "BOOT_CONFIG", boot)
    monkeypatch.setattr(program, "SYSTEM_CONFIG", system)
    return boot, system


def test_a_named_file_beats_all_others(places: tuple[Path, Path]) -> None:
    for place in places:
        place.touch()
    assert program.config_path(Namespace(config=Path("mine.toml"))) == Path("mine.toml")


def test_the_boot_partition_beats_the_system(places: tuple[Path, Path]) -> None:
    for place in places:
        place.touch()
    assert program.config_path(Namespace(config=None)) == places[0]


def test_the_system_beats_the_built_in_kit(places: tuple[Path, Path]) -> None:
    places[1].touch()
    assert program.config_path(Namespace(config=None)) == places[1]


def test_with_no_file_anywhere_it_is_the_built_in_kit(places: tuple[Path, Path]) -> None:
    assert program.config_path(Namespace(config=None)) is None


def test_config_check_reads_the_file_that_play_would_use(description: Path) -> None:
    description.write_text(KIT)
    assert luckypaw("--config", description, "config", "check") == (0, f"{description}: fine, 2 players: P1, P2\n", "")
