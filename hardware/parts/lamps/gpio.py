"""Lamps on GPIO pins through gpiozero: on is high."""

from collections.abc import Mapping
from functools import partial
from threading import RLock
from time import monotonic_ns

from gpiozero import LED, Factory

from hardware.parts import Report
from hardware.parts.gpio import let_go
from hardware.parts.gpio.reopening import PartLines
from hardware.words import N_, Name


class GpioLamps:
    """The real twin. A lamp that is lost is reported by name and pin, and not in `names` until it is back."""

    def __init__(self, pins: Mapping[str, int], factory: Factory, report: Report) -> None:
        self._pins = pins
        self._factory = factory
        self._lock = RLock()  # guards what follows: a lost lamp comes back on a thread of its own
        self._lit: frozenset[str] = frozenset()  # as requested, lost lamps too
        self._leds: dict[str, LED] = {}
        self.names: frozenset[str] = frozenset()
        self._lines = PartLines(report)
        for name, pin in pins.items():
            make, keep, drop = partial(self._make, name), partial(self._keep, name), partial(self._drop, name)
            self._lines.open(make, N_("lamp {name}", name=Name(name)), pin, keep, drop)

    def show(self, lit: frozenset[str]) -> int:
        """Light these lamps and no others. Returns CLOCK_MONOTONIC ns, taken when the write was done."""
        with self._lock:
            for name in (lit ^ self._lit) & self.names:
                self._write(name, name in lit)
            self._lit = lit
        return monotonic_ns()

    def close(self) -> None:
        """All lamps off; let go of the lines."""
        self.show(frozenset())
        self._lines.close()
        for led in self._leds.values():
            let_go(led)
        self._leds.clear()
        self.names = frozenset()

    def _make(self, name: str) -> LED:
        return LED(self._pins[name], pin_factory=self._factory)

    def _keep(self, name: str, led: LED) -> None:
        """Add a lamp that has been opened, and light it if it should be."""
        with self._lock:
            led.value = name in self._lit
            self._leds[name] = led
            self.names = frozenset(self._leds)

    def _drop(self, name: str, led: LED) -> bool:
        """Remove a lost lamp; whether it was there."""
        with self._lock:
            there = self._leds.get(name) is led and self._leds.pop(name) is led
            self.names = frozenset(self._leds)
        return there

    def _write(self, name: str, on: bool) -> None:
        led = self._leds[name]
        try:
            led.value = on
        except Exception as error:  # the drivers' errors have no base in common
            self._lines.lose(N_("lamp {name}", name=Name(name)), led, error)
