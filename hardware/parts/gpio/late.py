"""Pins of a chip that may become available only after the kit has started."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from threading import RLock
from time import monotonic, sleep
from typing import Any

from hardware.parts import PartLost, gpio
from hardware.parts.gpio import SOURCES, Driver, Factories

# where there is no chip at first: at boot its driver, and udev's rights on it, may come some seconds after the kit
CHIP_S = 5.0
POLL_S = 0.1


class LateFactory:
    """A pin factory that is opened on first use; until that works each use raises the error."""

    def __init__(self, opened: Callable[[], Any]) -> None:
        self._opened = opened

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened(), name)


def open_late(driver: Driver) -> Factories:
    """As `open_factory`, but without pins to drive their devices can be made once there are some.

    Waits for a chip that is not there, or not this user's, 5 s at most. Raises `PartLost` where the driver's library
    is missing: it does not appear by itself.
    """
    try:
        return gpio.open_factory(driver)
    except PartLost as lost:
        if isinstance(lost.__cause__, ImportError):
            raise
        from gpiozero import PinUnknownPi

        may_come = isinstance(lost.__cause__, PinUnknownPi | PermissionError)
    end_s = monotonic() + CHIP_S if may_come else 0.0
    while monotonic() < end_s:
        sleep(POLL_S)
        with suppress(PartLost):
            return gpio.open_factory(driver)
    lock = RLock()  # else two threads could open it twice
    factories = cache(partial(gpio.open_factory, driver))  # errors are not cached
    pwm = cache(lambda: factories().pwm())

    def late(of: Callable[[], Any]) -> Any:
        def opened() -> Any:
            with lock:
                return of()

        return LateFactory(opened)

    def alive() -> bool:
        with lock:
            return not factories.cache_info().currsize or factories().alive()

    def free(pin: int) -> None:
        with lock:
            if factories.cache_info().currsize:
                factories().free(pin)

    def behind() -> bool:  # without the lock: opening may take long
        return bool(factories.cache_info().currsize) and factories().behind()

    inputs, outputs = late(lambda: factories().inputs), late(lambda: factories().outputs)
    return Factories(inputs, outputs, SOURCES[driver], lambda: late(pwm), alive, free, behind)
