"""The parts of one table, real or emulated, as the kit's description names them."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from hardware.config import ButtonDriver, KitConfig
from hardware.config import lines as config_lines
from hardware.parts import Report, needing
from hardware.parts.buttons import Buttons, Source
from hardware.parts.buzzer import Buzzer
from hardware.parts.control import Control
from hardware.parts.display import Display
from hardware.parts.display.oled import OledDisplay, Serial, open_i2c, open_i2c_with_reset, open_spi
from hardware.parts.lamps import Lamps
from hardware.parts.strip import Mounting, Strip

if TYPE_CHECKING:
    from hardware.parts.display.emulated import EmulatedDisplay
    from hardware.parts.gpio import Factories

# the timing error of a press by the source of its stamp, ns: a design decision, until a kit has measured its own
ERROR_NS: dict[Source, int] = {"kernel": 100_000, "callback": 10_000_000, "virtual": 10_000_000}


class Kit(Struct, frozen=True):
    """All parts of a table. A part that the kit does not have is None."""

    config: KitConfig
    buttons: Buttons
    control: Control
    lamps: Lamps
    buzzer: Buzzer | None
    display: Display
    strip: Strip | None
    gpio: "Factories | None" = None  # of the real lines; None: buttons, control, lamps and buzzer are emulated
    alive: Callable[[], bool] = lambda: True  # whether the thread that brings edges is at work; ask every few seconds

    @property
    def described(self) -> KitConfig:
        """The description, in which the parts that are emulated here are called so; without an emulated strip."""
        from hardware.parts.display.emulated import EmulatedDisplay

        config = self.config
        if self.gpio is None:
            config = structs.replace(config, buttons=ButtonDriver("emulated"))
        if isinstance(self.display, EmulatedDisplay):
            config = structs.replace(config, display=structs.replace(config.display, driver="emulated"))
        return config if self.strip_is_real else structs.replace(config, strip=None)

    @property
    def strip_is_real(self) -> bool:
        """Whether there is a strip, and not an emulated one."""
        from hardware.parts.strip.emulated import EmulatedStrip

        return self.strip is not None and not isinstance(self.strip, EmulatedStrip)

    def close(self) -> None:
        """Let go of everything."""
        for part in (self.buttons, self.control, self.lamps, self.buzzer, self.strip, self.display):
            if part is not None:
                part.close()


def on_a_pi(root: Path = Path("/")) -> bool:
    """Whether this machine is a Raspberry Pi: by its device tree, or by its kernel where a loader leaves that out."""
    for name in ("proc/device-tree/model", "proc/cpuinfo"):
        try:
            if "Raspberry Pi" in (root / name).read_text(errors="replace"):
                return True
        except OSError:
            continue
    return False


def open_emulated(
    config: KitConfig, report: Report, *, threaded: bool = True, clock: Callable[[], int] = monotonic_ns
) -> Kit:
    """The kit with emulated twins only. `threaded=False`: everything happens in the caller, for tests."""
    from hardware.parts.buttons.emulated import EmulatedButtons  # a kit with real parts starts without any of these
    from hardware.parts.buzzer.emulated import EmulatedBuzzer
    from hardware.parts.control.emulated import EmulatedControl
    from hardware.parts.lamps.emulated import EmulatedLamps
    from hardware.parts.strip.emulated import EmulatedStrip

    return Kit(
        config,
        EmulatedButtons(config.names),
        EmulatedControl(config.control.kind == "knob"),
        EmulatedLamps(config.lamps, clock),
        EmulatedBuzzer(clock) if config.buzzer else None,
        _emulated_display(config, report, threaded=threaded, clock=clock),
        EmulatedStrip(config.strip.lamps, report) if config.strip else None,
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
    return _on_lines(config, report, strip)


def _on_lines(
    config: KitConfig,
    report: Report,
    strip: Strip | None,
    gpio: "Factories | None" = None,
    display: Display | None = None,
) -> Kit:
    """The kit with real lines; with these factories and this display, else it opens them."""
    with needing("gpio"):
        from hardware.parts.buttons.gpio import GpioButtons
        from hardware.parts.buzzer.gpio import GpioBuzzer
        from hardware.parts.control.gpio import GpioArrows, GpioKnob
        from hardware.parts.gpio.late import open_late
        from hardware.parts.lamps.gpio import GpioLamps
    driver = config.buttons.driver
    assert driver != "emulated"  # the callers
    gpio = open_late(driver) if gpio is None else gpio
    display = open_display(config, report, gpio.outputs) if display is None else display
    presses = (pin for name, pin in config.control.pins.items() if name not in ("a", "b"))
    together = (*(player.button for player in config.players), *presses)
    lines: dict[str, Any] = {"factory": gpio.inputs, "source": gpio.source, "report": report, "together": together}
    lines |= config.control.pins
    knob, clicks = config.control.kind == "knob", config.control.clicks
    control: Control = GpioKnob(**lines, clicks=clicks) if knob else GpioArrows(**lines)
    players = {player.name: player.button for player in config.players}
    return Kit(
        config,
        GpioButtons(players, gpio.inputs, gpio.source, report, together=together),
        control,
        GpioLamps(config.lamps, gpio.outputs, report),
        GpioBuzzer(config.buzzer.pin, gpio.pwm, report) if config.buzzer else None,
        display,
        strip,
        gpio,
        gpio.alive,
    )


def display_alone(kit: Kit, alive: Callable[[], bool]) -> Kit:
    """A kit with this kit's display; for all else there are stand-ins, while something else has the parts."""
    from hardware.parts.buttons.emulated import EmulatedButtons
    from hardware.parts.control.emulated import EmulatedControl
    from hardware.parts.lamps.emulated import EmulatedLamps

    return Kit(
        kit.config,
        EmulatedButtons(kit.config.names),
        EmulatedControl(kit.control.knob),
        EmulatedLamps(kit.config.lamps),
        None,
        kit.display,
        None,
        alive=alive,
    )


def let_go(kit: Kit) -> None:
    """Close the real parts, but not the display, so that something else can have them. Takes 2 s at most."""
    lines = () if kit.gpio is None else (kit.buttons, kit.control, kit.lamps, kit.buzzer)
    for part in (*lines, kit.strip if kit.strip_is_real else None):
        if part is not None:
            part.close()
    if kit.gpio is not None:
        for line in config_lines(kit.config):
            if line.part != "display":
                kit.gpio.free(line.pin)


def open_again(kit: Kit, report: Report) -> Kit:
    """A kit that has let go of its parts, with them; its display and its emulated parts are the same ones."""
    strip = open_strip(kit.config, report) if kit.strip_is_real else kit.strip
    if kit.gpio is None:
        return structs.replace(kit, strip=strip)
    return _on_lines(kit.config, report, strip, kit.gpio, kit.display)


def _emulated_display(
    config: KitConfig, report: Report, *, threaded: bool = True, clock: Callable[[], int] = monotonic_ns
) -> "EmulatedDisplay":
    from hardware.parts.display.emulated import EmulatedDisplay

    driver, rotate = config.display.driver, config.display.rotate
    controller = "ssd1309" if driver == "emulated" else driver
    return EmulatedDisplay(controller, report, rotate=rotate, clock=clock, threaded=threaded)


def open_display(config: KitConfig, report: Report, outputs: Any = None) -> Display:
    """The real display alone. `outputs` is the pin factory of its lines besides the bus; None: its own."""
    display = config.display
    if display.driver == "emulated":
        return _emulated_display(config, report)
    bus = _display_bus(config, outputs)
    return OledDisplay(display.driver, bus, report, rotate=display.rotate, left=display.left, place=display.place)


def _display_bus(config: KitConfig, outputs: Any) -> Callable[[], Serial]:
    """The function that opens the display's bus."""
    display = config.display
    port, address, dc, reset = display.port, display.address, display.dc, display.reset
    if display.bus == "i2c" and reset is None:
        return lambda: open_i2c(port, address)
    if outputs is None:
        from hardware.parts.gpio.late import open_late

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
        from hardware.parts.strip.serial import SerialStrip
    strip = config.strip
    return SerialStrip(strip.port, report, Mounting(strip.reversed, strip.offset), leds=strip.leds)
