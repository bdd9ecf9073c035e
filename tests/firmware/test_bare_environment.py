"""Where only the wheel is installed, and no library of a real part, as `scripts/play` does it on a laptop."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from hardware.config import TABLE
from hardware.doctor.bench import open_bench
from hardware.kit import open_real, open_strip
from hardware.parts import PartLost, Report
from tests.firmware.command import Ran

HIDE = """
import importlib.metadata, sys

MODULES = ("gpiod", "gpiozero", "lgpio", "RPi", "serial", "spidev")
PACKAGES = ("gpiod", "gpiozero", "lgpio", "rpi-lgpio", "pyserial", "spidev")
found = importlib.metadata.version


class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MODULES or name == "hardware.building":  # not in the wheel
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def version(name):
    if name in PACKAGES:
        raise importlib.metadata.PackageNotFoundError(name)
    return found(name)


sys.meta_path.insert(0, Hidden())
importlib.metadata.version = version
"""
SPI = """
buttons = { driver = "emulated" }
display = { driver = "ssd1309", bus = "spi", port = 0, dc = 25 }
control = { kind = "knob", a = 17, b = 27, push = 24 }
players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
"""
NO_SERIAL = "strip lost: No module named 'serial': pip install luckypaw[pi]"
NO_GPIO = "gpio lost: No module named 'gpiod': pip install luckypaw[pi]"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder; what is run from now on finds no library of a real part."""
    (tmp_path / "sitecustomize.py").write_text(HIDE)
    (tmp_path / "spi.toml").write_text(SPI)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("words", "error"), [("strip test", NO_SERIAL), ("calibrate --wire 18", NO_GPIO)])
def test_what_needs_a_library_says_so_in_one_sentence(bare: Path, words: str, error: str) -> None:
    ran = Ran(tuple(words.split()), bare)
    assert (ran.status, ran.out, ran.err) == (1, "", f"luckypaw: {error}\n")


def test_the_dots_of_the_strip_test_need_no_library(bare: Path) -> None:
    ran = Ran(("strip", "test", "--emulated", "--seconds", "0.01"), bare)
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("words", [(), ("--guided",), ("--self",)], ids=["check", "guided", "self"])
@pytest.mark.parametrize("kit", [(), ("--config", "spi.toml")], ids=["Table", "SPI"])
def test_the_check_names_each_library_that_is_missing(bare: Path, words: tuple[str, ...], kit: tuple[str, ...]) -> None:
    ran = Ran(("check", *words, *(str(bare / word) if word == "spi.toml" else word for word in kit)), bare)
    named = {line.split()[2] for line in ran.lines if line.startswith("! library")}
    assert {"gpiod", "gpiozero"} <= named and "Traceback" not in ran.err


def test_a_kit_is_judged_without_what_draws_it(bare: Path) -> None:
    ran = Ran(("config", "check"), bare)
    assert (ran.status, ran.out, ran.err) == (0, "the built-in Table kit: fine, 4 players: P1, P2, P3, P4\n", "")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """This process forgets that it has loaded the real twins."""
    for name in ("buttons.gpio", "buzzer.gpio", "control.gpio", "lamps.gpio", "strip.serial"):
        monkeypatch.delitem(sys.modules, f"hardware.parts.{name}", raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("part", "library", "start"),
    [
        ("strip", "serial", partial(open_strip, TABLE)),
        ("gpio", "gpiozero", partial(open_real, msgspec.structs.replace(TABLE, strip=None))),
        ("gpio", "gpiozero", partial(open_bench, TABLE)),
    ],
    ids=["a strip", "a kit on real lines", "the guided check"],
)
def test_a_part_says_which_library_is_missing(
    without: pytest.MonkeyPatch, part: str, library: str, start: Callable[[Report], object]
) -> None:
    without.setitem(sys.modules, library, None)
    with pytest.raises(PartLost, match=rf"^{part} lost: .*{library}.*: pip install luckypaw\[pi\]$"):
        start(lambda part, text: None)
