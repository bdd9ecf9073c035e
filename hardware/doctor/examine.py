"""The check of a whole kit without people: each part by itself."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from hardware.config import HeaderLine, KitConfig, PanelConfig
from hardware.doctor import buzzer, display, panel, strip
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.libraries import Library, for_tones, installed, libraries, needed
from hardware.doctor.lines import chip, judged, kind, real_lines
from hardware.doctor.machine import board, storage
from hardware.header_chip import header_chips
from hardware.one_program import parts_holder
from hardware.parts.control.clicks import ClicksATurn
from hardware.words import N_

ROOT = Path("/")
GPIO = {"gpiod", "gpiozero"}  # without these no line can be read


def examine(
    config: KitConfig,
    state: Path,
    *,
    root: Path = ROOT,
    now: datetime | None = None,
    version: Callable[[Library], str | None] = installed,
    opened: Callable[[int], display.Bus] = display.open_bus,
    playing: bool = False,
) -> Iterator[Finding]:
    """A finding for every part of a kit, board and system first.

    `playing`: this very program has the display and serves the page, so the display's lines and the port are taken.

    `root` is the folder of Linux's own files, `version` returns the installed version, `opened` opens an I2C bus. Takes
    some seconds if the strip does not answer. While the kit runs its parts are not touched.
    """
    yield from board(root, now or datetime.now(UTC))
    yield from storage(state, root)
    missing = list(libraries(needed(config), version))
    yield from missing
    lost = {each.part.removeprefix("library ") for each in missing}
    pins = [] if lost & GPIO else [line for line in real_lines(config) if not (playing and line.part == "display")]
    holder = parts_holder(root)
    if holder is not None:
        end = "sudo systemctl stop luckypaw" if holder.service else N_("Ctrl-C where it was started")
        process = N_("process {process}", process=holder.process)
        yield finding("kit-running", "kit", process, held=_held(pins, root), end=end)
        return
    yield from _lines(pins, config.control.clicks, list(_tones(config, version, root)), root)
    if config.display.driver != "emulated":
        if config.display.bus == "i2c":
            with _awake(pins, root):
                yield from display.i2c(config.display, root, opened)
        else:
            yield display.spi(config.display, root)
    if config.strip is not None and "pyserial" not in lost:
        yield strip.strip(config.strip, root)
    if not playing and (config.panel is not None or "emulated" in (config.buttons.driver, config.display.driver)):
        yield panel.panel(config.panel or PanelConfig(), root)


def _header(root: Path) -> tuple[Path | None, Finding | None]:
    """The header's chip, or the fault that hides it."""
    from hardware.doctor import gpio

    labels = gpio.labels(root / "dev")
    return chip(labels, header_chips(labels, root))


def _lines(pins: list[HeaderLine], clicks: ClicksATurn, tones: list[Finding], root: Path) -> Iterator[Finding]:
    """Each line, then the tones; what is found there stands instead of a buzzer's line that is fine."""
    if buzzer.by_kernel(root):
        pins = [line for line in pins if line.part != "buzzer"]
    if pins:
        found = _pins(pins, clicks, root)
        yield from (each for each in found if not (tones and each == fine("buzzer", each.place)))
    yield from tones


def _pins(pins: list[HeaderLine], clicks: ClicksATurn, root: Path) -> Iterator[Finding]:
    """The fault of the chip, and each line."""
    from hardware.doctor import gpio

    header, wrong = _header(root)
    if wrong is not None:
        yield wrong
    if header is not None:
        outputs = [line.pin for line in pins if kind(line) == "output"]
        looked = gpio.look(header, [line.pin for line in pins if kind(line) != "output"], outputs)
        yield from judged(pins, looked, clicks)


def _awake(pins: list[HeaderLine], root: Path) -> AbstractContextManager[None]:
    """A context in which a display with a reset line has had its reset pulse, without which it would not answer."""
    reset = next((line.pin for line in pins if line.key == "display.reset"), None)
    if reset is not None:
        from hardware.doctor import gpio

        header, _ = _header(root)
        if header is not None:
            return gpio.after_reset(header, reset)
    return nullcontext()


def _tones(config: KitConfig, version: Callable[[Library], str | None], root: Path) -> Iterator[Finding]:
    """The faults that keep a buzzer from making tones; on the kernel's PWM its state."""
    library = for_tones(config)
    if library is None or config.buzzer is None:
        return
    if buzzer.by_kernel(root):
        yield from buzzer.pwm(config.buzzer.pin, root)
    elif version(library) is None:
        yield finding("buzzer-no-pwm", "buzzer", f"GPIO {config.buzzer.pin}", library=library.name)
    else:
        yield from libraries((library,), version)
        yield from buzzer.by_software(config.buzzer.pin, root)


def _held(pins: list[HeaderLine], root: Path) -> str:
    """The kit's own lines that are in use, in words."""
    if pins:
        from hardware.doctor import gpio

        header, _ = _header(root)
        used = gpio.used(header, [line.pin for line in pins]) if header is not None else []
        if used:
            return f"GPIO {', '.join(map(str, sorted(used)))}"
    return N_("its parts")
