"""The parts of one table, real or emulated, as the kit's description names them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns
from typing import Any

from hardware.buttons import Buttons, Source
from hardware.buttons.emulated import EmulatedButtons
from hardware.buzzer import Buzzer
from hardware.buzzer.emulated import EmulatedBuzzer
from hardware.config import KitConfig
from hardware.control import Control
from hardware.control.emulated import EmulatedControl
from hardware.display import Display
from hardware.display.emulated import EmulatedDisplay
from hardware.display.oled import OledDisplay, Serial, open_i2c, open_i2c_with_reset, open_spi
from hardware.lamps import Lamps
from hardware.lamps.emulated import EmulatedLamps
from hardware.parts import Report, needing
from hardware.strip import Mounting, Strip
from hardware.strip.emulated import EmulatedStrip

# the timing error of a press by the source of its stamp, ns: a design decision, until a kit has measured its own
ERROR_NS: dict[Source, int] = {"kernel": 100_000, "callback": 10_000_000, "virtual": 10_000_000}


@dataclass(frozen=True, slots=True)
class Kit:
    """All parts of a table. A part that the kit does not have is None."""

    config: KitConfig
    buttons: Buttons
    control: Control
    lamps: Lamps
    buzzer: Buzzer | None
    display: Display
    strip: Strip | None
    alive: Callable[[], bool] = lambda: True  # whether the thread that brings edges is at work; ask every few seconds

    def close(self) -> None:
        """Let go of everything."""
        for part in (self.buttons, self.control, self.lamps, self.buzzer, self.strip, self.display):
            if part is not None:
                part.close()


def on_a_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Whether this machine is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in model.read_text(errors="replace")
    except OSError:
        return False


def open_emulated(
    config: KitConfig, report: Report, *, threaded: bool = True, clock: Callable[[], int] = monotonic_ns
) -> Kit:
    """The kit with emulated twins only. `threaded=False`: everything happens in the caller, for tests."""
    return Kit(
        config,
        EmulatedButtons(config.names),
        EmulatedControl(config.control.kind == "knob"),
        EmulatedLamps(config.lamps, clock),
        EmulatedBuzzer(clock) if config.buzzer else None,
        _emulated_display(config, report, threaded=threaded, clock=clock),
        EmulatedStrip(config.strip.leds, report) if config.strip else None,
    )


def open_real(config: KitConfig, report: Report) -> Kit:
    """The parts that the description names; each may still be emulated by its own `driver`.

    A missing part is reported, and used as soon as it is there. Raises `PartLost` where a driver's library is missing.
    """
    driver = config.buttons.driver
    strip = open_strip(config, report)
    if driver == "emulated":
        display = open_display(config, report)
        emulated = open_emulated(config, report)
        emulated.display.close()
        return Kit(config, emulated.buttons, emulated.control, emulated.lamps, emulated.buzzer, display, strip)
    with needing("gpio"):
        from hardware.buttons.gpio import GpioButtons
        from hardware.buzzer.gpio import GpioBuzzer
        from hardware.control.gpio import GpioArrows, GpioKnob
        from hardware.gpio.late import open_late
        from hardware.lamps.gpio import GpioLamps
    gpio = open_late(driver)
    display = open_display(config, report, gpio.outputs)
    control: Control = (
        GpioKnob(**config.control.pins, factory=gpio.inputs, source=gpio.source, report=report)
        if config.control.kind == "knob"
        else GpioArrows(**config.control.pins, factory=gpio.inputs, source=gpio.source, report=report)
    )
    return Kit(
        config,
        GpioButtons({p.name: p.button for p in config.players}, gpio.inputs, gpio.source, report),
        control,
        GpioLamps(config.lamps, gpio.outputs, report),
        GpioBuzzer(config.buzzer.pin, gpio.pwm(), report) if config.buzzer else None,
        display,
        strip,
        gpio.alive,
    )


def _emulated_display(
    config: KitConfig, report: Report, *, threaded: bool = True, clock: Callable[[], int] = monotonic_ns
) -> EmulatedDisplay:
    driver, rotate = config.display.driver, config.display.rotate
    controller = "ssd1309" if driver == "emulated" else driver
    return EmulatedDisplay(controller, report, rotate=rotate, clock=clock, threaded=threaded)


def open_display(config: KitConfig, report: Report, outputs: Any = None) -> Display:
    """The real display alone. `outputs` is the pin factory of its lines besides the bus; None: its own."""
    display = config.display
    if display.driver == "emulated":
        return _emulated_display(config, report)
    return OledDisplay(
        display.driver, _display_bus(config, outputs), report, rotate=display.rotate, place=display.place
    )


def _display_bus(config: KitConfig, outputs: Any) -> Callable[[], Serial]:
    """The function that opens the display's bus."""
    display = config.display
    port, address, dc, reset = display.port, display.address, display.dc, display.reset
    if display.bus == "i2c" and reset is None:
        return lambda: open_i2c(port, address)
    if outputs is None:
        from hardware.gpio.late import open_late

        outputs = open_late("gpiod").outputs
    if display.bus == "i2c" and reset is not None:
        return lambda: open_i2c_with_reset(port, address, reset, outputs)
    assert dc is not None  # the config has been checked
    return lambda: open_spi(port, 0, dc, reset, outputs)


def open_strip(config: KitConfig, report: Report) -> Strip | None:
    """The real strip alone, where the description has one. Raises `PartLost` where pyserial is missing."""
    if config.strip is None:
        return None
    with needing("strip"):
        from hardware.strip.serial import SerialStrip
    return SerialStrip(config.strip.port, report, Mounting(config.strip.reversed, config.strip.offset))
