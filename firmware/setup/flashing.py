"""Copies the strip's program to a Raspberry Pi Pico with MicroPython, over USB, with its settings."""

import json
import os
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import NamedTuple

from engine.words import N_
from firmware.translation import _, ngettext, translated
from hardware.config import KitConfig
from hardware.parts.strip import USUAL_LEDS, USUAL_MA, wire
from hardware.parts.strip.ports import boot_drive, picos
from hardware.parts.strip.serial import open_port

PROGRAM = Path(__file__).resolve().parents[1] / "strip_controller"
PINS = (*range(23), 26, 27, 28)  # on the Pico's edge
LEDS, MAX_MA = range(8, 301), range(100, 20001)
KINDS = ("WS2812", "SK6812")
USUAL_PIN, USUAL_KIND = 16, KINDS[0]
COMES_S = 10.0  # until the board is back after a restart
ANSWER_S = 1.0
COMMAND_S = 60.0  # a copy takes some seconds
TRIES = 3  # the watchdog restarts a program that fails, maybe during the copy
OURS = b"LuckyPaw "
LOOKING, ENDING, ASKING, STARTING = STEPS = (
    N_("looking at the board"),
    N_("its program ends"),
    N_("looking for MicroPython"),
    N_("starting it"),
)


class NotFlashed(Exception):
    """The board has not got the program. The text says why, and what to do, in one line."""


class Settings(NamedTuple):
    """What the strip's program is told."""

    leds: int
    max_ma: int
    pin: int | None = None  # None: as on the board, else 16
    kind: str | None = None  # None: as on the board, else WS2812

    @property
    def refused(self) -> str | None:
        """Why these cannot be, named as the command's options; None: they can."""
        for name, value, numbers in (("--leds", self.leds, LEDS), ("--max-ma", self.max_ma, MAX_MA)):
            if value not in numbers:
                text = _("{name} {value}: must be a whole number from {least} to {most}")
                return text.format(name=name, value=value, least=numbers[0], most=numbers[-1])
        if self.pin is not None and self.pin not in PINS:
            return _("--pin {value}: must be a pin on the Pico's edge: 0 to 22, 26, 27 or 28", value=self.pin)
        if self.max_ma <= self.leds:
            text = _("--max-ma {value}: must be more than {n}, which {n} lamps take when dark")
            return text.format(value=self.max_ma, n=self.leds)
        return None


def described(config: KitConfig) -> tuple[int, int, str | None]:
    """The lamps, the limit of the current in mA, and the port, as the kit's description has them."""
    leds, port = (USUAL_LEDS, None) if config.strip is None else (config.strip.lamps, config.strip.port)
    return leds, USUAL_MA if config.build is None else config.build.strip_ma, port


def flash(place: str | None, settings: Settings, progress: Callable[[str, float], None]) -> tuple[str, Settings]:
    """Copy the program and start it: the port, and the settings as they are on the board. Raises `NotFlashed`.

    `place` is the Pico's port; None: the only one that is plugged in. `progress` is called with what is done now, and
    the part that is done, 0 to 1. It takes some 10 s, and ends within two minutes whatever is unplugged.
    """
    if find_spec("mpremote") is None:
        raise NotFlashed(_("flashing needs mpremote: pip install 'luckypaw[flash]'"))
    port = _port(place)
    progress(translated(LOOKING), 0.0)
    if _answers(port):
        progress(translated(ENDING), 0.05)
        _end_program(port)
    progress(translated(ASKING), 0.1)
    if _mpremote(port, "exec", "import neopixel, rp2") is None:
        raise NotFlashed(
            _("{port} does not answer as a Pico should: is it in use by the kit, or has it no MicroPython?", port=port)
        )
    settings = _completed(settings, _mpremote(port, "fs", "cat", ":strip.json"))
    _copy(port, settings, progress)
    progress(translated(STARTING), 0.95)
    _mpremote(port, "reset")  # whether it has started is asked next
    if not _comes(lambda: _answers(port)):
        raise NotFlashed(_("the files are there, but the program does not answer: unplug the Pico and plug it in"))
    return port, settings


def _port(place: str | None) -> str:
    """The board's port, which may be used."""
    if place is None:
        found = picos()
        if not found and (drive := boot_drive()) is not None:
            raise NotFlashed(
                _(
                    "this Pico has no MicroPython yet. Once, on any computer: plug it in with its button BOOTSEL held, "
                    "and drag the file for your board from micropython.org/download onto the drive {drive}. Then plug "
                    "it in here",
                    drive=drive,
                )
            )
        if not found:
            raise NotFlashed(_("no Pico with MicroPython is plugged in: by a USB cable that carries data?"))
        if len(found) > 1:
            text = _("several Picos are plugged in: unplug all but one, or name its port: {ports}")
            raise NotFlashed(text.format(ports=", ".join(found)))
        place = next(iter(found))
    if not Path(place).exists():
        raise NotFlashed(_("{port} is not there: is the Pico plugged in?", port=place))
    if not os.access(place, os.R_OK | os.W_OK):
        raise NotFlashed(_("{port} may not be used by this user: sudo usermod -aG dialout USER", port=place))
    return place


def _answers(port: str) -> bool:
    """Whether our program runs there; at a prompt the letter is dropped by mpremote."""
    heard, until_s = b"", time.monotonic() + ANSWER_S
    with suppress(OSError, ValueError, termios.error), closing(open_port(port)) as line:  # it may just have gone
        line.timeout = 0.1
        line.write(b"\n" + wire.VERSION)
        while time.monotonic() < until_s:
            heard += line.read(256)
            if any(row.startswith(OURS) for row in heard.split(b"\n")[:-1]):
                return True
    return False


def _end_program(port: str) -> None:
    """Let the board start anew without our program, once."""
    with suppress(OSError, termios.error), closing(open_port(port)) as line:  # it may just have gone
        line.write(b'{"kit":{"repl":true}}\n')
        line.flush()
    _comes(lambda: not Path(port).exists())  # it may be back already
    if not _comes(lambda: os.access(port, os.R_OK | os.W_OK)):
        raise NotFlashed(_("it has not come back: unplug the Pico, plug it in, and start again"))


def _completed(settings: Settings, on_board: str | None) -> Settings:
    """The settings with those that are on the board already where none are given."""
    try:
        there = json.loads(on_board or "")
        pin, kind = there["pin"], there["kind"]
    except (ValueError, LookupError, TypeError):
        pin, kind = None, None
    pin, kind = pin if pin in PINS else USUAL_PIN, kind if kind in KINDS else USUAL_KIND
    return settings._replace(
        pin=pin if settings.pin is None else settings.pin, kind=kind if settings.kind is None else settings.kind
    )


def _copy(port: str, settings: Settings, progress: Callable[[str, float], None]) -> None:
    """Copy all files; a half-copied program leaves the board reachable."""
    written = {"leds": settings.leds, "pin": settings.pin, "kind": settings.kind, "max_mA": settings.max_ma}
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder, "strip.json")
        own.write_text(json.dumps(written) + "\n")
        files = (*sorted(PROGRAM.glob("*.py")), own)
        words: list[str] = []
        for file in files:
            words += ["+", "fs", "cp", str(file), f":{file.name}"]

        def copied(n: int) -> None:
            progress(_("file {n} of {all}", n=min(n, len(files)), all=len(files)), 0.15 + 0.8 * (n - 1) / len(files))

        for left in reversed(range(TRIES)):
            copied(1)
            if _mpremote(port, *words[1:], each_line=copied) is not None:
                return
            if not left or not _comes(lambda: os.access(port, os.R_OK | os.W_OK)):
                break
    raise NotFlashed(_("copying has failed: plug the Pico in, and start again"))


def _mpremote(port: str, *words: str, each_line: Callable[[int], None] = lambda n: None) -> str | None:
    """What mpremote writes, meanwhile the lines about files counted; None where it fails. It never hangs."""
    command = [sys.executable, "-P", "-m", "mpremote", "connect", port, "resume", *words]  # -P: see `helper`
    run = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
    )
    assert run.stdout is not None
    limit = Timer(COMMAND_S, run.kill)
    limit.start()
    lines: list[str] = []
    with run:
        for line in run.stdout:
            lines.append(line)
            each_line(sum(each.startswith("cp ") for each in lines))
    limit.cancel()
    return None if run.returncode else "".join(lines)


def _comes(true: Callable[[], bool]) -> bool:
    """Whether it comes true soon."""
    until_s = time.monotonic() + COMES_S
    while not true():
        if time.monotonic() > until_s:
            return False
        time.sleep(0.1)
    return True


def summary(settings: Settings) -> str:
    """The settings in words."""
    return ngettext("{n} lamp", "{n} lamps", settings.leds) + _(
        " {kind} on GP{pin}, at most {ma} mA", kind=settings.kind, pin=settings.pin, ma=settings.max_ma
    )
