"""Lamps on GPIO pins through gpiozero: on is high."""

from collections.abc import Mapping
from functools import partial
from time import monotonic_ns

from gpiozero import LED, Factory

from hardware.gpio import let_go, loss, opened
from hardware.parts import Report


class GpioLamps:
    """The real twin. For one thread; a lamp that is lost is reported by name and pin and no longer in `names`."""

    def __init__(self, pins: Mapping[str, int], factory: Factory, report: Report) -> None:
        self._pins = pins
        self._report = report
        self._leds: dict[str, LED] = {}
        self._lit: frozenset[str] = frozenset()
        for name, pin in pins.items():
            led = opened(partial(LED, pin, pin_factory=factory), f"lamp {name}", pin, report)
            if led is not None:
                self._leds[name] = led
        self.names = frozenset(self._leds)

    def show(self, lit: frozenset[str]) -> int:
        """Light these lamps and no others. Returns CLOCK_MONOTONIC ns, taken when the write was done."""
        lit &= self.names
        for name in lit ^ self._lit:
            self._write(name, name in lit)
        self._lit = lit & self.names
        return monotonic_ns()

    def close(self) -> None:
        """All lamps off; let go of the lines."""
        self.show(frozenset())
        for led in self._leds.values():
            let_go(led)
        self._leds.clear()
        self.names = frozenset()

    def _write(self, name: str, on: bool) -> None:
        led = self._leds[name]
        try:
            led.value = on
        except Exception as error:  # the drivers' errors have no base in common
            del self._leds[name]
            self.names = frozenset(self._leds)
            self._report(f"lamp {name}", loss(f"lamp {name}", self._pins[name], error))
