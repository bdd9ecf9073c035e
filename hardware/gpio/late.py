"""Pins of a chip that may appear, or may be given to this user, only after the kit has started."""

from collections.abc import Callable
from functools import cache, partial
from threading import RLock
from typing import Any

from hardware import gpio
from hardware.gpio import SOURCES, Driver, Factories
from hardware.parts import PartLost


class LateFactory:
    """Stands for a pin factory that is opened when it is first used; until that works each use raises why not."""

    def __init__(self, opened: Callable[[], Any]) -> None:
        self._opened = opened

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened(), name)


def open_late(driver: Driver) -> Factories:
    """As `open_factory`, but where there are no pins to drive, their devices can be made as soon as there are.

    Raises `PartLost` where the driver's library is missing: that does not come by itself.
    """
    try:
        return gpio.open_factory(driver)
    except PartLost as lost:
        if isinstance(lost.__cause__, ImportError):
            raise
    lock = RLock()  # else two threads could open it twice
    found = cache(partial(gpio.open_factory, driver))  # what raises is not kept
    pwm = cache(lambda: found().pwm())

    def late(of: Callable[[], Any]) -> Any:
        def opened() -> Any:
            with lock:
                return of()

        return LateFactory(opened)

    def alive() -> bool:
        with lock:
            return not found.cache_info().currsize or found().alive()

    outputs = late(lambda: found().outputs)
    return Factories(late(lambda: found().inputs), outputs, SOURCES[driver], lambda: late(pwm), alive)
