"""The parts of a kit for the guided check: every line raw, a knob's contacts too."""

from collections.abc import Callable
from time import monotonic_ns
from typing import NamedTuple

from hardware.buttons import Buttons
from hardware.buttons.emulated import EmulatedButtons
from hardware.buzzer import Buzzer
from hardware.config import KitConfig, lines
from hardware.display import Display
from hardware.kit import open_display, open_emulated
from hardware.lamps import Lamps
from hardware.parts import Report, needing

A, B = "knob A", "knob B"  # longer than any player's name


class Bench(NamedTuple):
    """The parts, open."""

    config: KitConfig
    lines: Buttons  # players' buttons by name; `ok`, `up`, `down`; a knob's contacts `A` and `B`
    lamps: Lamps
    buzzer: Buzzer | None
    display: Display

    @property
    def pins(self) -> dict[str, int]:
        """The pin of each line."""
        return pins(self.config)

    def close(self) -> None:
        """Let go of everything."""
        for part in (self.lines, self.lamps, self.buzzer, self.display):
            if part is not None:
                part.close()


def pins(config: KitConfig) -> dict[str, int]:
    """The pin of each line of buttons and control, by its name."""
    names = {"control.push": "ok", "control.a": A, "control.b": B}
    return {names.get(line.key, line.name): line.pin for line in lines(config) if line.part in ("button", "control")}


def open_bench(config: KitConfig, report: Report) -> Bench:
    """The real parts, except those that the description emulates. Raises `PartLost`."""
    if config.buttons.driver == "emulated":
        return emulated_bench(config, report)._replace(display=open_display(config, report, None))
    with needing("gpio"):
        from hardware.buttons.gpio import GpioButtons
        from hardware.buzzer.gpio import GpioBuzzer
        from hardware.gpio import open_factory
        from hardware.lamps.gpio import GpioLamps
    gpio = open_factory(config.buttons.driver)
    return Bench(
        config,
        GpioButtons(pins(config), gpio.inputs, gpio.source, report),
        GpioLamps(config.lamps, gpio.outputs, report),
        GpioBuzzer(config.buzzer.pin, gpio.pwm(), report) if config.buzzer else None,
        open_display(config, report, gpio.outputs),
    )


def emulated_bench(
    config: KitConfig, report: Report, *, threaded: bool = True, clock: Callable[[], int] = monotonic_ns
) -> Bench:
    """Emulated twins only. `threaded=False`: everything happens in the caller, for tests."""
    kit = open_emulated(config, report, threaded=threaded, clock=clock)
    return Bench(config, EmulatedButtons(pins(config)), kit.lamps, kit.buzzer, kit.display)
