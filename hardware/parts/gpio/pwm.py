"""Pins with PWM, which gpiod lacks: lgpio's, on the chip of a `GpiodFactory`."""

import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lgpio
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin
from gpiozero.pins.local import LocalPiFactory

from hardware.parts.gpio.board import board
from hardware.parts.gpio.chips import number

if TYPE_CHECKING:
    from hardware.parts.gpio.gpiod_factory import GpiodFactory


class PwmPin(LGPIOPin):  # type: ignore[misc]
    """A pin of lgpio that can be closed after its chip is gone."""

    when_gone: Callable[[OSError], None] | None = None  # as of a `GpiodPin`

    def _set_frequency(self, value: float | None) -> None:
        try:
            if value is not None or self.factory._handle is not None:  # noqa: SLF001 (there is no public way)
                super()._set_frequency(value)
        except lgpio.error:
            if value is not None:
                raise
        if value is None:
            self._pwm = None  # it is silent without its chip

    def close(self) -> None:
        """Let go of the line, if it is still there: gpiozero's pin keeps it as an input."""
        self.when_gone = None
        with suppress(lgpio.error):  # the chip may be gone, and nobody has noticed yet
            super().close()
        free(self.factory, self._number)


def free(factory: LGPIOFactory, pin: int) -> None:
    """Let go of a line that gpiozero has closed, so that others may have it."""
    if factory._handle is not None:  # noqa: SLF001 (there is no public way)
        with suppress(lgpio.error):  # it may not have been in use
            lgpio.gpio_free(factory._handle, pin)  # noqa: SLF001


class LgpioFactory(LGPIOFactory):  # type: ignore[misc]
    """lgpio's pins of this chip, also where the board is not known."""

    _handle: int | None

    def __init__(self, chip: int) -> None:
        LocalPiFactory.__init__(self)  # that of its base asks for a revision, and up to 2.0.1 takes another chip
        self._info = board()
        self._handle, self._chip = lgpio.gpiochip_open(chip), chip
        self.pin_class = LGPIOPin


class PwmFactory(LgpioFactory):
    """lgpio's pins, also where the chip is removed and comes back: each pin's `when_gone` is called then.

    After a chip was opened once, a thread of lgpio wakes 50 times a second for good: used only for a buzzer.
    """

    def __init__(self, gpiod: "GpiodFactory") -> None:
        super().__init__(number(Path(gpiod.chip)))
        self.pins: dict[Any, PwmPin] = {}  # own pins, not those shared by all local factories
        self.pin_class = PwmPin
        self._gpiod = gpiod
        gpiod.beside.append(self._ping)

    def pin(self, name: Any) -> Any:
        """A pin of the chip that is there now."""
        if self._handle is None:
            self._handle = lgpio.gpiochip_open(number(Path(self._gpiod.chip)))
        return super().pin(name)

    def close(self) -> None:
        """Close all pins."""
        if self._ping in self._gpiod.beside:
            self._gpiod.beside.remove(self._ping)
        super().close()

    def _ping(self) -> None:
        if self._handle is None:
            return
        try:
            lgpio.gpio_get_line_info(self._handle, 0)
        except lgpio.error:
            handle, self._handle = self._handle, None  # lgpio is not called any more for pins of this chip
            pins, self.pins = self.pins, {}
            with suppress(lgpio.error):
                lgpio.gpiochip_close(handle)
            for pin in pins.values():
                if pin.when_gone is not None:
                    pin.when_gone(OSError(errno.ENODEV, "no such chip"))
