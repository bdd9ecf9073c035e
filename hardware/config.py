"""The description of a kit, `kit.toml`: pins, seats, display, strip, panel. An error in it is one clear sentence.

Pins are BCM numbers (GPIO n), as on every pin-out drawing of the Raspberry Pi.
"""

import errno
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from hardware.parts.control.clicks import ClicksATurn
from hardware.parts.display import SH1106_COLUMN
from hardware.parts.strip import USUAL_LEDS, USUAL_MA
from hardware.words import N_

Pin = Annotated[int, Meta(ge=0, le=27)]

KITS = Path(__file__).resolve().parent / "kits"
# Other functions of lines: by bus, the name of each line there.
BUSES = {
    "I2C": {2: "SDA", 3: "SCL"},
    "SPI": {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"},
    "UART": {14: "TXD", 15: "RXD"},
    "ID EEPROM": {0: "data", 1: "clock"},
    "PWM": {12: "0", 13: "1", 18: "0", 19: "1"},
}
ADDRESSES = range(0x08, 0x78)  # of chips on I2C
BUILT_PORTS = {"i2c": 1, "spi": 0}  # on the header, as drawings show the display
CURLY = frozenset("\u201c\u201d\u201e\u201a\u2018\u2019\u00ab\u00bb\u2039\u203a")  # quotes as some editors write them
MAX_SHOWN = 60  # characters of a wrong value
MAX_ERROR = 200  # characters of an error
# A description with a comment on every line has 2 kB. The parser's time grows with the square of a key's depth: without
# these limits 64 kB take half a minute.
MAX_BYTES = 32_768
MAX_DOTS = 40  # in a line
TOO_LONG = N_("it is longer than {kb} kB", kb=MAX_BYTES // 1024)


class ConfigError(Exception):
    """A kit description that cannot be used: one sentence with the key, the value and what it must be."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Player(Struct, forbid_unknown_fields=True, frozen=True):
    """One player button, in the order round the table."""

    name: Annotated[str, Meta(min_length=1, max_length=4)]  # as written on the button
    button: Pin
    lamp: Pin | None = None


class ButtonDriver(Struct, forbid_unknown_fields=True, frozen=True):
    driver: Literal["gpiod", "lgpio", "rpigpio", "emulated"] = "gpiod"


CONTROLS = {"knob": ("a", "b", "push"), "buttons": ("up", "down", "ok")}  # the pins that each kind needs


class ControlConfig(Struct, forbid_unknown_fields=True, frozen=True):
    """A rotary knob with push (`a`, `b`, `push`) or three buttons (`up`, `down`, `ok`)."""

    kind: Literal["knob", "buttons"] = "knob"
    a: Pin | None = None
    b: Pin | None = None
    push: Pin | None = None
    up: Pin | None = None
    down: Pin | None = None
    ok: Pin | None = None
    clicks: ClicksATurn = 1  # of a knob, in one full turn of its contacts; the guided check measures it

    @property
    def pins(self) -> dict[str, int]:
        """The pins of this kind of control, by name."""
        return {name: pin for name in CONTROLS[self.kind] if (pin := getattr(self, name)) is not None}


class DisplayConfig(Struct, forbid_unknown_fields=True, frozen=True):
    driver: Literal["ssd1306", "ssd1309", "sh1106", "emulated"] = "ssd1309"
    bus: Literal["i2c", "spi"] = "i2c"
    port: Annotated[int, Meta(ge=0, le=99)] = 1  # /dev/i2c-1; with spi: the SPI port, usually 0
    address: Annotated[int, Meta(ge=0, le=0xFF)] = 0x3C
    dc: Pin | None = None  # spi only: data/command line
    reset: Pin | None = None  # of a module that needs a pulse there before it answers; on SPI nearly all do
    rotate: Literal[0, 180] = 0
    column: Annotated[int, Meta(ge=0, le=4)] | None = None  # of an sh1106: its panel's first

    @property
    def left(self) -> int:
        """The column of the chip's memory at which the picture begins: turned, at the panel's other end."""
        if self.driver != "sh1106":
            return 0
        column = SH1106_COLUMN if self.column is None else self.column
        return column if self.rotate == 0 else 2 * SH1106_COLUMN - column

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return f"{self.address:#04x} on I2C bus {self.port}" if self.bus == "i2c" else f"SPI {self.port}.0"


class BuzzerConfig(Struct, forbid_unknown_fields=True, frozen=True):
    pin: Pin


class StripConfig(Struct, forbid_unknown_fields=True, frozen=True):
    port: Annotated[str, Meta(min_length=1)] | None = None  # /dev/serial/by-id/...; None: USB is searched
    leds: Annotated[int, Meta(ge=8, le=300)] | None = None  # the controller of a real one reports it; None: any number
    shape: Literal["straight", "ring"] = "straight"
    reversed: bool = False  # the strip's own first lamp is the picture's last
    offset: Annotated[int, Meta(ge=0, le=299)] = 0  # lamps from the strip's start to the picture's first one

    @property
    def lamps(self) -> int:
        """Their number for drawings, flashing and the page."""
        return USUAL_LEDS if self.leds is None else self.leds


class PanelConfig(Struct, forbid_unknown_fields=True, frozen=True):
    """`host` and `port`: of the kit's own page, which never leaves this machine. Phones have a port of theirs."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8642
    network: Literal["off", "lan", "hotspot"] = "off"  # where phones may join
    phones_port: Annotated[int, Meta(ge=0, le=65535)] = 8643


class Build(Struct, forbid_unknown_fields=True, frozen=True):
    """What the kit is built from: for drawings, parts list, enclosure and the page. Play uses nothing else of it."""

    title: Annotated[str, Meta(min_length=1, max_length=16)]
    board: Literal["pi-zero-2w", "pi-4b", "pi-5"]
    button: Literal["dome-60", "dome-45", "arcade-30"]
    strip_ma: Annotated[int, Meta(ge=100, le=20000)] = USUAL_MA  # the limit to which its controller keeps the strip


class KitConfig(Struct, forbid_unknown_fields=True, frozen=True):
    """One kit. The defaults of its parts are those of the built-in Table kit."""

    players: Annotated[tuple[Player, ...], Meta(min_length=2, max_length=6)]
    buttons: ButtonDriver = ButtonDriver()
    control: ControlConfig = ControlConfig()
    display: DisplayConfig = DisplayConfig()
    buzzer: BuzzerConfig | None = None
    strip: StripConfig | None = None
    panel: PanelConfig | None = None  # None: a page only where a part is emulated
    build: Build | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order round the table."""
        return tuple(player.name for player in self.players)

    @property
    def lamps(self) -> dict[str, int]:
        """The lines of the lamps by player, of those who have one, in the order round the table."""
        return {player.name: player.lamp for player in self.players if player.lamp is not None}


def kits() -> tuple[str, ...]:
    """The names of the built-in kits, the smallest first."""
    return tuple(sorted((path.stem for path in KITS.glob("*.toml")), key=lambda name: len(kit(name).players)))


@cache
def kit(name: str) -> KitConfig:
    """A built-in kit. Raises `ConfigError` for an unknown name."""
    path = KITS / f"{name}.toml"
    if path not in KITS.glob("*.toml"):
        raise ConfigError(N_("kit {name!r} is unknown: must be {kits}", name=name, kits=_or(kits())))
    return parse(path.read_text(encoding="utf-8"))


def load(path: Path | None, as_meant: Callable[[str], str] = str) -> KitConfig:
    """The kit described by a file; None is the built-in Table kit. Raises `ConfigError`.

    `as_meant`: makes of the file's text what was meant by it.
    """
    if path is None:
        return kit("table")
    try:
        text = _read(path).decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except (OSError, ValueError) as error:
        raise ConfigError(N_("{path}: cannot be read: {reason}", path=path, reason=_reason(error))) from None
    try:
        return parse(as_meant(text))
    except ConfigError as error:
        raise ConfigError(N_("{path}: {error}", path=path, error=error.text)) from None


def parse(text: str) -> KitConfig:
    """The kit described by a TOML text. Raises `ConfigError` with one short line."""
    try:
        return _parsed(text)
    except ConfigError as error:
        short = _cut(" ".join(error.text.split()), MAX_ERROR)
        raise ConfigError(error.text if short == error.text else short) from None


def _parsed(text: str) -> KitConfig:
    _check_size(text)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ConfigError(N_("not TOML: nested too deeply")) from None
    except ValueError as error:
        raise ConfigError(N_("not TOML: {error}{reason}", error=error, reason=_pasted(text, str(error)))) from None
    _check_keys(table, KitConfig, "")
    try:
        config = msgspec.convert(table, KitConfig)
    except msgspec.ValidationError as error:
        raise ConfigError(_sentence(str(error), table)) from None
    _check(config)
    return config


def _pasted(text: str, error: str) -> str:
    """What an editor, a page or a chat has made of a line, where that may be the reason of an error of TOML."""
    at = re.search(r"\(at line (\d+)", error)
    line = text.split("\n")[int(at[1]) - 1] if at is not None else ""
    if line.lstrip().startswith(("```", "~~~")):
        return N_(": leave the line {line} out", line=line.strip()[:3])
    for char in line.partition("#")[0]:
        if char in CURLY:
            return N_(": {quote} is no quote here, write \" or '", quote=char)
        if not char.isprintable() and char != "\t":
            return N_(": U+{code} stands there, which nobody sees: leave it out", code=f"{ord(char):04X}")
    return ""


def _read(path: Path) -> bytes:
    """The content of a regular file, not of a device, an empty pipe or a whole disk. Raises `OSError`."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, N_("Is a directory") if path.is_dir() else N_("it is no file"))
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # it may have been replaced
        content = file.read(MAX_BYTES + 1)
    if content is None or len(content) > MAX_BYTES:
        raise OSError(errno.EFBIG, TOO_LONG)
    return content


def _check_size(text: str) -> None:
    if len(text) > MAX_BYTES:
        raise ConfigError(TOO_LONG)
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_DOTS and not line.lstrip().startswith("#"):
            raise ConfigError(N_("line {number} has more than {most} dots", number=number, most=MAX_DOTS))


def _check_keys(value: object, kind: Any, key: str) -> None:
    """Check that tables have only known keys: in an error of msgspec an arbitrary key could not be recognized."""
    bare, *_ = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    if get_origin(bare) in (Union, UnionType):  # an optional field
        bare = _present(bare)
    if get_origin(bare) is tuple and isinstance(value, list):
        for n, one in enumerate(value):
            _check_keys(one, get_args(bare)[0], f"{key}[{n}]")
    elif isinstance(bare, type) and issubclass(bare, Struct) and isinstance(value, dict):
        hints = get_type_hints(bare, include_extras=True)
        for name, inner in value.items():
            if name not in hints:
                shown = name if re.fullmatch(r"[\w-]+", name, re.ASCII) else repr(name)
                where = f"{key}." if key else ""
                full = f"{where}{_cut(shown, MAX_SHOWN)}"
                raise ConfigError(N_("{key} is unknown: must be {keys}", key=full, keys=_or(hints)))
            _check_keys(inner, hints[name], f"{key}.{name}".removeprefix("."))


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else N_("it is not UTF-8 text")


def _sentence(error: str, table: object) -> str:
    """An error of msgspec as key, value and what it must be."""
    # a value of any characters may stand in the text; it is followed by keys that have been checked
    text, at, where = error.rpartition(" - at ")
    text, where = (text, where) if at else (where, "")
    path = re.findall(r"\w+", where.strip("`").removeprefix("$"))
    key = re.sub(r"\.(\d+)", r"[\1]", ".".join(path))
    if missing := re.fullmatch(r"Object missing required field `(.+)`", text):
        name = missing[1]
        full, values = f"{key}{'.' if key else ''}{name}", _values(_annotation([*path, name]))
        return N_("{key} is missing: must be {values}", key=full, values=values)
    value, values = _shown(_value_at(path, table)), _values(_annotation(path))
    return N_("{key} = {value}: must be {values}", key=key, value=value, values=values)


def _annotation(path: list[str]) -> Any:
    """The declared type of the field at this path."""
    kind: Any = KitConfig
    for name in path:
        if name.isdigit():
            kind = get_args(get_args(kind)[0] if get_origin(kind) is Annotated else kind)[0]
            continue
        kind = get_type_hints(kind, include_extras=True)[name]
        if get_origin(kind) in (Union, UnionType):  # an optional field
            kind = _present(kind)
    return kind


def _present(kind: Any) -> Any:
    """The type of an optional field besides None."""
    return next(member for member in get_args(kind) if member is not type(None))


def _values(kind: Any) -> str:
    """The values that a declared type allows, in words."""
    if get_origin(kind) is Literal:
        return _or(map(repr, get_args(kind)))
    bare, *notes = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    meta = notes[0] if notes else Meta()
    if bare is bool:
        return N_("true or false")
    if bare is int:
        return N_("a whole number from {least} to {most}", least=meta.ge, most=meta.le)
    if bare is str:
        if meta.max_length:
            return N_("a text of {least} to {most} characters", least=meta.min_length or 0, most=meta.max_length)
        return N_("a text that is not empty") if meta.min_length else N_("a text")
    if get_origin(bare) is tuple:
        keys = ", ".join(Player.__struct_fields__)
        least, most = meta.min_length, meta.max_length
        return N_("a list of {least} to {most}, each [[players]] with {keys}", least=least, most=most, keys=keys)
    return N_("a table with {keys}", keys=", ".join(bare.__struct_fields__))


def _shown(value: object) -> str:
    """A value as in the file, cut to `MAX_SHOWN` characters."""
    return _cut(repr(value).lower() if isinstance(value, bool) else repr(value), MAX_SHOWN)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}..."


def _value_at(path: list[str], table: Any) -> object:
    for name in path:
        table = table[int(name)] if name.isdigit() else table[name]
    return table


def _check(config: KitConfig) -> None:
    _check_names(config.names)
    if config.strip is not None and (port := config.strip.port) is not None and not port.isprintable():
        raise ConfigError(N_("{key} = {value}: must be the path of a device", key="strip.port", value=_shown(port)))
    _check_control(config.control)
    _check_display(config.display, built=config.build is not None)
    if config.panel is not None and config.panel.host not in ("127.0.0.1", "::1", "localhost"):
        text = N_("panel.host = {value!r}: must be 127.0.0.1, ::1 or localhost", value=config.panel.host)
        raise ConfigError(text)
    taken: dict[int, str] = {}
    for line in lines(config):
        _check_free(config, taken, line.key, line.pin)
        taken[line.pin] = line.key
    # the lines with hardware PWM; software could time tones on any line
    if config.buzzer is not None and config.buzzer.pin not in BUSES["PWM"]:
        told = {"value": config.buzzer.pin, "lines": _or(map(str, BUSES["PWM"]))}
        raise ConfigError(N_("buzzer.pin = {value}: must be a line with PWM: {lines}", **told))


def _check_names(names: tuple[str, ...]) -> None:
    for n, name in enumerate(names):
        told = {"key": f"players[{n}].name", "value": repr(name), "usual": f"P{n + 1}"}
        if name in names[:n]:
            raise ConfigError(N_("{key} = {value}: must be another name than the others; {usual} would do", **told))
        if not name.isprintable() or name != name.strip():
            raise ConfigError(N_("{key} = {value}: must be visible characters only; {usual} would do", **told))
        if name in ("ok", "up", "down"):
            raise ConfigError(N_("{key} = {value}: must not be a name of the control; {usual} would do", **told))


def _check_control(control: ControlConfig) -> None:
    needed = CONTROLS[control.kind]
    for key in (*CONTROLS["knob"], *CONTROLS["buttons"]):
        given, told = getattr(control, key), {"key": key, "kind": control.kind, "pins": _and(needed)}
        if key in needed and given is None:
            raise ConfigError(N_("control.{key} is missing: a control of kind {kind!r} needs {pins}", **told))
        if key not in needed and given is not None:
            raise ConfigError(N_("control.{key} = {value}: a control of kind {kind!r} has {pins}", value=given, **told))
    if control.kind != "knob" and control.clicks != ControlConfig().clicks:
        raise ConfigError(N_("control.clicks = {value}: only a knob has clicks", value=control.clicks))


def _check_display(display: DisplayConfig, *, built: bool) -> None:
    if display.bus == "spi" and display.dc is None:
        raise ConfigError(N_("display.dc is missing: a display on SPI needs its data/command line"))
    if display.bus == "i2c" and display.dc is not None:
        text = N_("display.dc = {value}: only a display on SPI has a data/command line: bus = 'spi'", value=display.dc)
        raise ConfigError(text)
    if display.address not in ADDRESSES:
        value, least, most = (f"{number:#04x}" for number in (display.address, ADDRESSES[0], ADDRESSES[-1]))
        text = N_("display.address = {value}: must be from {least} to {most}", value=value, least=least, most=most)
        half = display.address // 2
        if half in ADDRESSES and display.address % 2 == 0:  # with the bit for the direction
            text = N_("{text}; what a board calls {value} is {half}", text=text, value=value, half=f"{half:#04x}")
        raise ConfigError(text)
    if display.column is not None and display.driver != "sh1106":
        text = N_("display.column = {value}: only an sh1106 has more columns than its panel", value=display.column)
        raise ConfigError(text)
    port = BUILT_PORTS[display.bus]
    if built and display.driver != "emulated" and display.port != port:
        told = {"value": display.port, "bus": display.bus.upper(), "port": port}
        raise ConfigError(N_("display.port = {value}: a kit with [build] has its display on {bus} port {port}", **told))


def check_spare(config: KitConfig, key: str, pin: int) -> None:
    """Raise `ConfigError` where a pin is not free for something besides the kit's parts."""
    if not 0 <= pin <= 27:
        raise ConfigError(N_("{key} = {value}: must be {values}", key=key, value=pin, values=_values(Pin)))
    _check_free(config, {line.pin: line.key for line in lines(config)}, key, pin)


def _check_free(config: KitConfig, taken: dict[int, str], key: str, pin: int) -> None:
    for bus in ("ID EEPROM",) if config.display.driver == "emulated" else ("ID EEPROM", config.display.bus.upper()):
        if pin in BUSES[bus]:
            line = f"{bus} {BUSES[bus][pin]}"
            raise ConfigError(N_("{key} = {pin}: GPIO {pin} is {line}; take a free one", key=key, pin=pin, line=line))
    if pin in taken:
        told = {"key": key, "pin": pin, "other": taken[pin]}
        raise ConfigError(N_("{key} = {pin}: GPIO {pin} is taken by {other}; each part needs a pin of its own", **told))


def _and(names: Iterable[str]) -> str:
    *most, last = names
    return N_("{most} and {last}", most=", ".join(most), last=last)


def _or(names: Iterable[str]) -> str:
    *most, last = names
    return N_("{most} or {last}", most=", ".join(most), last=last) if most else last


class HeaderLine(NamedTuple):
    """A line of the header that a part of the kit uses."""

    key: str  # in the description: "players[0].lamp"
    part: Literal["button", "lamp", "control", "display", "buzzer"]
    name: str  # the player's; of control and display the key: "push", "dc"
    pin: int


def lines(config: KitConfig) -> Iterator[HeaderLine]:
    """Every line that the kit uses, except those of the display's bus."""
    for n, player in enumerate(config.players):
        yield HeaderLine(f"players[{n}].button", "button", player.name, player.button)
        if player.lamp is not None:
            yield HeaderLine(f"players[{n}].lamp", "lamp", player.name, player.lamp)
    for name, pin in config.control.pins.items():
        yield HeaderLine(f"control.{name}", "control", name, pin)
    for name, line in (("dc", config.display.dc), ("reset", config.display.reset)):
        if line is not None:
            yield HeaderLine(f"display.{name}", "display", name, line)
    if config.buzzer is not None:
        yield HeaderLine("buzzer.pin", "buzzer", "", config.buzzer.pin)


TABLE = kit("table")
