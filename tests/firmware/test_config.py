"""`kit.toml`: the built-in kit, where a description is looked for, and every way in which one can be wrong."""

import os
import re
import time
import tomllib
from argparse import Namespace
from collections.abc import Callable
from datetime import date, datetime
from datetime import time as clock
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from firmware.cli import which_kit
from firmware.setup.chosen_kit import choose, chosen
from firmware.state_folder import CHOSEN
from hardware.config import KITS, MAX_BYTES, TABLE, ConfigError, KitConfig, PanelConfig, kit, kits, load, parse
from tests.firmware.command import Ran

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
ARROWS = '[control]\nkind = "buttons"\nup = 17\ndown = 27\nok = 24\n'

HUNDRED = ".".join("a" * 41)
TABLE_KIT = (KITS / "table.toml").read_text()
WHOLE = re.sub(" *#.*", "", TABLE_KIT)


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


LEFT_OUT = """
[display]
driver = "ssd1309"
bus = "i2c"
port = 1
address = 0x3c
rotate = 0

[panel]
host = "127.0.0.1"
port = 8642
"""


def test_what_is_left_out_is_as_usual() -> None:
    assert parse(f'buttons.driver = "gpiod"\n{KIT}{LEFT_OUT}') == structs.replace(parse(KIT), panel=PanelConfig())


def test_without_a_file_it_is_the_built_in_kit() -> None:
    assert load(None) == TABLE


@pytest.mark.parametrize("name", kits())
def test_a_kit_that_is_described_here_is_found_by_its_name(name: str) -> None:
    assert kit(name) == load(KITS / f"{name}.toml")


@pytest.mark.parametrize("name", ["../kits/table", ""])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"^kit '{name}' is unknown: must be duo, table or party$"):
        kit(name)


@pytest.mark.parametrize("count", [2, 6])
def test_two_to_six_players_are_a_kit(count: int) -> None:
    assert parse(players(count)).names == ("P1", "P2", "P3", "P4", "P5", "P6")[:count]


RIGHT = {
    "no more than needed": KIT,
    "three buttons": PLAYERS + ARROWS,
    "a display on SPI": KIT + '[display]\nbus = "spi"\ndc = 25\nreset = 4\n',
    "SPI pins without a display on SPI": KIT.replace("button = 6", "button = 8"),
    "I2C pins without a display": KIT.replace("button = 6", "button = 2") + '[display]\ndriver = "emulated"\n',
    "a display on I2C with a reset": KIT + "[display]\nreset = 25\n",
    "upside down": KIT + "[display]\nrotate = 180\n",
    "panel": KIT + '[panel]\nhost = "::1"\nport = 0\n',
    "buzzer": KIT + "[buzzer]\npin = 18\n",
    "a comment of any dots": f"  # {'.' * 60}\n{KIT}",
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_right_description_is_taken(text: str) -> None:
    assert parse(text).names == ("P1", "P2")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_from_windows_is_read(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "kit.toml"
    path.write_bytes(mark + KIT.replace("\n", "\r\n").encode())
    assert load(path) == parse(KIT)


A_PIN = "must be a whole number from 0 to 27"
A_NAME = "must be a text of 1 to 4 characters"
NEEDED_PIN = "is missing: must be a whole number from 0 to 27"
PLAYER_LIST = "a list of 2 to 6, each [[players]] with name, button, lamp"
TOP = "is unknown: must be players, buttons, control, display, buzzer, strip, panel or build"
OWN = "each part needs a pin of its own"
DRIVERS = "'ssd1306', 'ssd1309', 'sh1106' or 'emulated'"
SPI = '[display]\nbus = "spi"\n'

WRONG = [
    # unknown keys
    ("colour = 1\n" + KIT, f"colour {TOP}"),
    ('"a\\nb" = 1\n' + KIT, f"'a\\nb' {TOP}"),
    (player('name = "P1"\ncolour = "red"'), "players[0].colour is unknown: must be name, button or lamp"),
    (KIT + "knob = 3\n", "control.knob is unknown: must be kind, a, b, push, up, down, ok or clicks"),
    (KIT + '[panel]\ntoken = "x"\n', "panel.token is unknown: must be host, port, network or phones_port"),
    (
        KIT + "[display]\ndriver = \u201csh1106\u201d\n",
        "not TOML: Invalid value (at line 16, column 10): \u201c is no quote here, write \" or '",
    ),
    (
        KIT + "[display]\n\u00a0driver = 1\n",
        "not TOML: Invalid statement (at line 16, column 1): U+00A0 stands there, which nobody sees: leave it out",
    ),
    (f"```toml\n{KIT}", "not TOML: Invalid statement (at line 1, column 1): leave the line ``` out"),
    # missing keys
    ("", f"players is missing: must be {PLAYER_LIST}"),
    (KIT.replace('name = "P2"', ""), "players[1].name is missing: must be a text of 1 to 4 characters"),
    (KIT + "[buzzer]\n", f"buzzer.pin {NEEDED_PIN}"),
    # wrong types and values
    ("players = 3", f"players = 3: must be {PLAYER_LIST}"),
    ("players = [3, 4]", "players[0] = 3: must be a table with name, button, lamp"),
    (players(1), f"players = [{{'name': 'P1', 'button': 5}}]: must be {PLAYER_LIST}"),
    (players(7), f"players = {str(tomllib.loads(players(7))['players'])[:60]}...: must be {PLAYER_LIST}"),
    ("buttons = 3\n" + KIT, "buttons = 3: must be a table with driver"),
    (player('name = ""'), f"players[0].name = '': {A_NAME}"),
    (player('name = "Peter"'), f"players[0].name = 'Peter': {A_NAME}"),
    (player("button = true"), f"players[0].button = true: {A_PIN}"),
    (player("button = 28"), f"players[0].button = 28: {A_PIN}"),
    (player("lamp = -1"), f"players[0].lamp = -1: {A_PIN}"),
    (player(f"lamp = {'9' * 100}"), f"players[0].lamp = {'9' * 60}...: {A_PIN}"),
    (PLAYERS + '[control]\nkind = "mouse"\n', "control.kind = 'mouse': must be 'knob' or 'buttons'"),
    (KIT + '[display]\ndriver = "ssd1351"\n', f"display.driver = 'ssd1351': must be {DRIVERS}"),
    (KIT + "[display]\nport = 100\n", "display.port = 100: must be a whole number from 0 to 99"),
    (
        KIT + "[display]\naddress = 0x78\n",
        "display.address = 0x78: must be from 0x08 to 0x77; what a board calls 0x78 is 0x3c",
    ),
    (KIT + "[display]\naddress = 0x79\n", "display.address = 0x79: must be from 0x08 to 0x77"),
    (KIT + "[display]\naddress = 7\n", "display.address = 0x07: must be from 0x08 to 0x77"),
    (KIT + "[display]\naddress = 256\n", "display.address = 256: must be a whole number from 0 to 255"),
    (KIT + "[display]\ncolumn = 0\n", "display.column = 0: only an sh1106 has more columns than its panel"),
    (KIT + "[display]\ndriver = 'sh1106'\ncolumn = 5\n", "display.column = 5: must be a whole number from 0 to 4"),
    (PLAYERS + ARROWS + "clicks = 2\n", "control.clicks = 2: only a knob has clicks"),
    (KIT + "clicks = 3\n", "control.clicks = 3: must be 1, 2 or 4"),
    (KIT + "[display]\nrotate = 90\n", "display.rotate = 90: must be 0 or 180"),
    (KIT + '[strip]\nport = ""\n', "strip.port = '': must be a text that is not empty"),
    (KIT + "[strip]\noffset = 300\n", "strip.offset = 300: must be a whole number from 0 to 299"),
    (KIT + "[strip]\nleds = 7\n", "strip.leds = 7: must be a whole number from 8 to 300"),
    (KIT + '[strip]\nreversed = "yes"\n', "strip.reversed = 'yes': must be true or false"),
    (KIT + '[strip]\nport = "/dev/x\\u0000"\n', "strip.port = '/dev/x\\x00': must be the path of a device"),
    (KIT + "[panel]\nport = 65536\n", "panel.port = 65536: must be a whole number from 0 to 65535"),
    (KIT + "[panel]\nhost = 1\n", "panel.host = 1: must be a text"),
    # pins
    (player("button = 24"), f"control.push = 24: GPIO 24 is taken by players[0].button; {OWN}"),
    (player("lamp = 6"), f"players[1].button = 6: GPIO 6 is taken by players[0].lamp; {OWN}"),
    (KIT + "[buzzer]\npin = 12\n", f"buzzer.pin = 12: GPIO 12 is taken by players[0].lamp; {OWN}"),
    (KIT + SPI + "dc = 5\n", f"display.dc = 5: GPIO 5 is taken by players[0].button; {OWN}"),
    (KIT + "[display]\nreset = 5\n", f"display.reset = 5: GPIO 5 is taken by players[0].button; {OWN}"),
    (player("button = 0"), "players[0].button = 0: GPIO 0 is ID EEPROM data; take a free one"),
    (player("button = 1"), "players[0].button = 1: GPIO 1 is ID EEPROM clock; take a free one"),
    (player("button = 2"), "players[0].button = 2: GPIO 2 is I2C SDA; take a free one"),
    (player("button = 3"), "players[0].button = 3: GPIO 3 is I2C SCL; take a free one"),
    (player("button = 10") + SPI + "dc = 25\n", "players[0].button = 10: GPIO 10 is SPI MOSI; take a free one"),
    (KIT + "[buzzer]\npin = 14\n", "buzzer.pin = 14: must be a line with PWM: 12, 13, 18 or 19"),
    # what does not fit together
    (KIT.replace('"P2"', '"P1"'), "players[1].name = 'P1': must be another name than the others; P2 would do"),
    (player('name = "P\\n"'), "players[0].name = 'P\\n': must be visible characters only; P1 would do"),
    (player('name = " P1"'), "players[0].name = ' P1': must be visible characters only; P1 would do"),
    (player('name = "ok"'), "players[0].name = 'ok': must not be a name of the control; P1 would do"),
    (PLAYERS, "control.a is missing: a control of kind 'knob' needs a, b and push"),
    (
        PLAYERS + '[control]\nkind = "buttons"\nup = 17\n',
        "control.down is missing: a control of kind 'buttons' needs up, down and ok",
    ),
    (KIT + "ok = 4\n", "control.ok = 4: a control of kind 'knob' has a, b and push"),
    (KIT + SPI, "display.dc is missing: a display on SPI needs its data/command line"),
    (KIT + "[display]\ndc = 25\n", "display.dc = 25: only a display on SPI has a data/command line: bus = 'spi'"),
    (KIT + '[panel]\nhost = "0.0.0.0"\n', "panel.host = '0.0.0.0': must be 127.0.0.1, ::1 or localhost"),
    # too much
    ("#" * 32_769, "it is longer than 32 kB"),
    (f"\na.{HUNDRED} = 1", "line 2 has more than 40 dots"),
    ("a = " + "{a = " * 500 + "1" + "}" * 500, "not TOML: nested too deeply"),
]


@pytest.mark.parametrize(("text", "error"), WRONG, ids=[error.split(":")[0].split(";")[0] for _, error in WRONG])
def test_the_error_of_a_wrong_description_names_key_value_and_what_it_must_be(text: str, error: str) -> None:
    assert complaint(text) == error


@pytest.mark.parametrize("text", ["players", "a = 1\na = 2", "x = " + "1" * 5000, "x = " + "[" * 5000, "\x00"])
def test_what_is_not_toml_is_said_in_one_line(text: str) -> None:
    error = complaint(text) or ""
    assert (error[:10], len(error.splitlines())) == ("not TOML: ", 1)


MAX_ERROR_TEXT = 203  # a sentence, and the dots of one that was cut


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


# no surrogates: a text file has none
signs = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
odd_keys = st.sampled_from(
    ["", "a.b", 'a"b', "a - at `$.strip`", "x` - at `$.y", "\n", "\x1b[31m", "\u202e", "k" * 500]
)
own_keys = sorted(set(re.findall(r'"(\w+)"', msgspec.json.encode(msgspec.json.schema(KitConfig)).decode())))
keys = st.sampled_from(own_keys) | odd_keys | signs
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


def is_one_short_line(error: str) -> bool:
    return error.isprintable() and 0 < len(error) <= MAX_ERROR_TEXT


@pytest.mark.slow
@given(tables)
@settings(max_examples=500)
def test_a_description_of_any_keys_and_values_is_a_kit_or_one_short_line(table: dict[str, Any]) -> None:
    error = complaint("\n".join(f"{toml(key)} = {toml(value)}" for key, value in table.items()))
    assert error is None or (is_one_short_line(error) and not error.startswith("not TOML"))


@given(st.integers(0, len(WHOLE)), st.integers(0, 40), signs)
@settings(max_examples=300)
def test_a_description_with_any_hole_and_any_rubbish_in_it_is_a_kit_or_one_short_line(
    at: int, hole: int, rubbish: str
) -> None:
    error = complaint(WHOLE[:at] + rubbish + WHOLE[at + hole :])
    assert error is None or is_one_short_line(error)


def complaint(text: str) -> str | None:
    """The error of a description; None where it can be used."""
    try:
        parse(text)
    except ConfigError as error:
        return str(error)
    return None


def filled(head: str, line: str) -> str:
    """As many of these lines as are allowed, numbered, below a head."""
    text = head
    for n in count():
        more = "\n" + line.replace("N", str(n))
        if len(text) + len(more) > MAX_BYTES:
            return text
        text += more
    raise AssertionError


TWENTY, FORTY = ".".join("a" * 20), ".".join("a" * 40)
PLAIN = filled("", "bN = 1")
LONG = {  # what takes the parser longest
    "a key of many parts": ".".join("a" * (MAX_BYTES // 2)) + "=",
    "the deepest headers": filled("", f"[{FORTY}.bN]"),
    "many short lines below it": filled(f"[{HUNDRED}]", "bN = 1"),
    "many deep lines below it": filled(f"[{HUNDRED}]", f"{TWENTY}.bN = 1"),
    "many tables": filled("", "[[a]]"),
    "many lists": f"a = [{'[],' * 10_900}]",
    "a long text": f'a = "{"x" * 32_000}"',
    "a short comment and much of nothing": filled("#", ""),
    "80 kB": "# a\n" * 20_000,
}
COSTLY = 20  # times a plain text of the same length


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_the_longest_description_is_read_at_once(text: str) -> None:
    def cost_s(text: str) -> float:
        began_s = time.thread_time()
        assert complaint(text) is not None
        return time.thread_time() - began_s

    pairs = [(cost_s(text), cost_s(PLAIN)) for _ in range(3)]  # other programs only add
    found_s, plain_s = map(min, zip(*pairs, strict=True))
    assert found_s < COSTLY * plain_s


@pytest.fixture
def description(tmp_path: Path) -> Path:
    """A file to be written to."""
    return tmp_path / "kit.toml"


def long(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        pytest.param(os.mkfifo, "it is no file", id="a pipe that nobody fills"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), "it is no file", id="a device"),
        pytest.param(long, "it is longer than 32 kB", id="a file of 1 GB"),
        pytest.param(lambda path: None, "No such file or directory", id="nothing"),
        pytest.param(Path.mkdir, "Is a directory", id="a folder"),
        pytest.param(lambda path: path.write_bytes(b'name = "\xff"'), "it is not UTF-8 text", id="no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(
    description: Path, make: Callable[[Path], object], error: str
) -> None:
    make(description)
    with pytest.raises(ConfigError) as refused:
        load(description)
    assert str(refused.value) == f"{description}: cannot be read: {error}"


def luckypaw(*arguments: str | Path) -> tuple[int, str, str]:
    """Run the command: its exit status, what it printed, what it complained about."""
    ran = Ran(arguments, Path("/nowhere"))
    return ran.status, ran.out, ran.err


TOO_STRONG = "must be at most 4000, as its fuse must be stronger and its jack carries 5 A"


@pytest.mark.parametrize(
    ("was", "now", "error"),
    [
        ("button = 5 ", "button = 28", f"players[0].button = 28: {A_PIN}"),
        ("strip_ma = 1500", "strip_ma = 6000", f"build.strip_ma = 6000: {TOO_STRONG}"),
        ("leds = 60", "leds = 59", "strip.leds = 59: must be one of 12, 16, 24, 60 for a ring"),
        ('driver = "ssd1309"', 'driver = "emulated"', None),
    ],
    ids=["a wrong pin", "too much current", "a ring that nobody sells", "an emulated display"],
)
def test_config_check_says_what_is_wrong_or_keeps_a_kit_from_being_built(
    was: str, now: str, error: str | None, description: Path
) -> None:
    assert TABLE_KIT.count(was) == 1
    description.write_text(TABLE_KIT.replace(was, now))
    fine = f"{description}: fine, 4 players: P1, P2, P3, P4\n"
    refused = (2, "", f"luckypaw: {description}: {error}\n")
    assert luckypaw("config", "check", description) == (refused if error else (0, fine, ""))


@pytest.mark.parametrize("words", ["--config {} play", "play --config {}", "--config {} config check"])
def test_no_command_takes_a_wrong_kit(description: Path, words: str) -> None:
    description.write_text(player("button = 28"))
    error = f"luckypaw: {description}: players[0].button = 28: {A_PIN}\n"
    assert luckypaw(*words.format(description).split()) == (2, "", error)


@pytest.mark.parametrize(
    ("named", "chosen", "there", "found"),
    [
        ("mine.toml", "duo", ["boot.toml", "system.toml"], "mine.toml"),
        (None, "duo", ["boot.toml", "system.toml"], "boot.toml"),
        (None, "duo", ["system.toml"], "duo.toml"),
        (None, "duo", [], "duo.toml"),
        (None, "dou", ["system.toml"], "system.toml"),
        (None, "../boot", ["system.toml"], "system.toml"),
        (None, "\xff" * 99, ["system.toml"], "system.toml"),
        (None, "", ["system.toml"], "system.toml"),
        (None, None, ["system.toml"], "system.toml"),
        (None, None, [], None),
    ],
)
def test_the_description_is_looked_for(
    named: str | None,
    chosen: str | None,
    there: list[str],
    found: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(which_kit, "BOOT_CONFIG", tmp_path / "boot.toml")
    monkeypatch.setattr(which_kit, "SYSTEM_CONFIG", tmp_path / "system.toml")
    for name in there:
        (tmp_path / name).touch()
    if chosen is not None:
        (tmp_path / CHOSEN).write_text(chosen)
    path = which_kit.config_path(Namespace(config=named and tmp_path / named))
    assert (path and path.name) == found


@pytest.mark.parametrize("name", ["duo", "party", None])
def test_a_choice_is_kept(tmp_path: Path, name: str | None) -> None:
    choose(tmp_path, "table")
    choose(tmp_path, name)
    assert chosen(tmp_path) == (name and KITS / f"{name}.toml")


INSTALLED = """
control = { kind = "knob", a = 17, b = 27, push = 24 }
players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
panel.network = "lan"
"""


@pytest.mark.parametrize(("installed", "network"), [(INSTALLED, "lan"), ("panel = 7", None), (None, None)])
def test_a_chosen_kit_has_the_pages_of_the_installed_description(
    installed: str | None, network: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(which_kit, "SYSTEM_CONFIG", tmp_path / "system.toml")
    if installed is not None:
        (tmp_path / "system.toml").write_text(installed)
    config = which_kit.description(KITS / "duo.toml")
    assert (config.names, config.panel and config.panel.network) == (("P1", "P2"), network)
