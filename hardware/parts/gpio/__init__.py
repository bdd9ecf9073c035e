"""Parts on pins: the choice of the pin factory, how a driver calls back, and how a lost pin reads."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, partial
from tempfile import TemporaryDirectory
from time import sleep
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from hardware.parts import PartLost, Report
from hardware.parts.buttons import Source
from hardware.words import N_

if TYPE_CHECKING:
    from gpiozero import Factory

    from hardware.parts.gpio.gpiod_factory import GpiodFactory

Driver: TypeAlias = Literal["gpiod", "lgpio", "rpigpio", "mock"]
SOURCES: dict[Driver, Source] = {  # the source of the edges' stamps
    "gpiod": "kernel",
    "lgpio": "kernel",
    "rpigpio": "callback",  # the kernel's stamp does not come through RPi.GPIO
    "mock": "virtual",
}

LET_GO_TRIES, LET_GO_S = 5, 0.01
MOCK_REVISION = "902120"  # a Raspberry Pi Zero 2 W


class Factories(NamedTuple):
    """The pin factories of one kit, given to every part: gpiozero's default would choose a driver by itself."""

    inputs: "Factory"
    outputs: "Factory"
    source: Source  # of the stamps of `inputs`
    pwm: "Callable[[], Factory]"  # opens outputs with software's PWM; without it where the library for it is missing
    alive: Callable[[], bool] = lambda: True  # whether the thread of the edges of `inputs` works
    free: Callable[[int], None] = lambda pin: None  # lets go of a closed line that the library would keep
    behind: Callable[[], bool] = lambda: False  # whether edges are still to be reported, where that is known


def open_factory(driver: Driver) -> Factories:
    """The pin factories of a driver; `mock` is gpiozero's, for tests.

    Raises `PartLost` where the driver's library is missing, or where there are no pins to drive.
    """
    source = SOURCES[driver]
    try:
        match driver:
            case "gpiod":
                from hardware.parts.gpio.gpiod_factory import GpiodFactory

                gpiod = GpiodFactory()
                pwm = cache(partial(_with_pwm, gpiod))
                return Factories(gpiod, gpiod, source, pwm, gpiod.alive, behind=gpiod.behind)
            case "lgpio":
                with folder_for_lgpio():
                    import lgpio as library

                    from hardware.parts.gpio.pwm import LgpioFactory, free
                from hardware.parts.gpio.chips import chip_labels, header_chip, number

                lgpio = LgpioFactory(number(header_chip(chip_labels())))
                alive = library._notify_thread.is_alive  # noqa: SLF001 (there is no public way)
                return Factories(lgpio, lgpio, source, lambda: lgpio, alive, partial(free, lgpio))
            case "rpigpio":
                from hardware.parts.gpio.board import board

                # RPi.GPIO may be rpi-lgpio, which finds board and chip in fewer places
                with folder_for_lgpio(), _environ("RPI_LGPIO_REVISION", board().revision):
                    from gpiozero.pins.rpigpio import RPiGPIOFactory
                with _chip_for_rpi_lgpio():
                    rpigpio = RPiGPIOFactory()
                rpigpio._info = board()  # noqa: SLF001 (there is no public way)
                return Factories(rpigpio, rpigpio, source, lambda: rpigpio)
            case "mock":
                from gpiozero.pins.mock import MockFactory, MockPWMPin

                mock = MockFactory(revision=MOCK_REVISION, pin_class=MockPWMPin)
                return Factories(mock, mock, source, lambda: mock)
    except ImportError as error:
        extra = "rpigpio" if driver == "rpigpio" else "pi"
        text = N_("gpio lost: {error}: pip install luckypaw[{extra}]", error=_one_line(error), extra=extra)
        raise PartLost("gpio", text) from error
    except Exception as error:  # the drivers' errors have no base in common
        text = N_("gpio lost: {error}: this needs a Raspberry Pi, and a user of the group gpio", error=_one_line(error))
        raise PartLost("gpio", text) from error


def let_go(device: Any) -> None:
    """Close a device; one with a lost pin stays as it is. Takes 50 ms at most.

    Retried, as lgpio may keep a line busy for some ms after its last edge.
    """
    for _ in range(LET_GO_TRIES):
        try:
            device.close()
        except Exception:  # the drivers' errors have no base in common
            sleep(LET_GO_S)
        else:
            return


def loss(part: str, pin: int, error: Exception) -> str:
    """One line for people: `button P3 lost: GPIO 13 is busy`."""
    if isinstance(error, OSError) and error.errno == errno.ENODEV:
        return N_("{part} lost: GPIO {pin}: its chip is gone", part=part, pin=pin)
    if isinstance(error, PartLost) and error.part != "gpio":
        return N_("{part} lost: GPIO {pin}: {error}", part=part, pin=pin, error=error.text)
    text = _one_line(error).removeprefix("gpio lost: ")  # where the whole chip is
    busy = "busy" in text.lower() or "in use" in text  # the kernel's word, gpiozero's word
    if busy:
        return N_("{part} lost: GPIO {pin} is busy", part=part, pin=pin)
    return N_("{part} lost: GPIO {pin}: {error}", part=part, pin=pin, error=text)


def guarded(
    changed: Callable[[int, bool, bool, int, int], None], pin: Any, part: str, report: Report
) -> Callable[[float, int], None]:
    """A handler for this pin's `when_changed`.

    It calls `changed` with the stamp in ns, whether the line is low, whether the stamp may have replaced another, how
    much sooner the line may have moved, in ns, as edges before were lost, and when it was read after that loss.

    The pin keeps only a weak reference: keep the handler. An error in `changed` is reported once and not raised. Lost
    edges are reported, too, by pins that notice them; the part goes on working.
    """
    reported = False

    def handler(ticks_s: float, level: int) -> None:
        nonlocal reported
        try:
            at_ns = pin.edge_ns if hasattr(pin, "edge_ns") else round(ticks_s * 1e9)
            lost = (getattr(pin, name, 0) for name in ("edge_lost_ns", "edge_read_ns"))
            changed(at_ns, not level, getattr(pin, "edge_replaced", False), *lost)
        except Exception as error:  # it would end the driver's only thread, and so every button
            if not reported:
                reported = True
                with suppress(Exception):
                    report(f"edges of {part}", N_("{part}: an edge was lost: {error!r}", part=part, error=error))

    def lost(edges: int) -> None:
        report(f"edges of {part}", N_("{part}: edges were lost", part=part))

    if hasattr(pin, "when_lost"):
        pin.when_lost = lost
    return handler


def _with_pwm(gpiod: "GpiodFactory") -> "Factory":
    """lgpio's pins of the same chip; without lgpio those given, which raise errors that name it."""
    try:
        with folder_for_lgpio():
            from hardware.parts.gpio.pwm import PwmFactory
        return PwmFactory(gpiod)
    except Exception:  # the drivers' errors have no base in common
        return gpiod


@contextmanager
def folder_for_lgpio() -> Iterator[None]:
    """Let lgpio be imported from any working directory.

    On import lgpio makes a named pipe in the folder that LG_WD names, opens it, and makes that folder the working
    directory of the whole program. Once open the pipe needs no name.
    """
    here = os.getcwd()
    with TemporaryDirectory(prefix="luckypaw-") as folder, _environ("LG_WD", folder):
        try:
            yield
        finally:
            os.chdir(here)


def _chip_for_rpi_lgpio() -> AbstractContextManager[None]:
    """Within it rpi-lgpio opens the header's chip. Raises `PinUnknownPi`."""
    from hardware.parts.gpio.chips import chip_labels, header_chip, number

    if "RPI_LGPIO_CHIP" in os.environ:
        return nullcontext()
    try:
        labels = chip_labels()
    except ImportError:  # it needs no gpiod
        return nullcontext()
    return _environ("RPI_LGPIO_CHIP", str(number(header_chip(labels))))


@contextmanager
def _environ(name: str, value: str) -> Iterator[None]:
    """Within it a variable of the environment has this value, unless people have given it one."""
    given = name in os.environ
    os.environ.setdefault(name, value)
    try:
        yield
    finally:
        if not given:
            del os.environ[name]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
