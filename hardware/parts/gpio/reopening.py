"""Retries lines that cannot be opened, on one thread that runs only while a line is lost."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Condition, Thread, current_thread
from typing import Any, NamedTuple, TypeAlias, TypeVar

from hardware.parts import Report
from hardware.parts.gpio import let_go, loss

RETRY_S = 3.0
T = TypeVar("T")
Attempt: TypeAlias = Callable[[], bool]


class _Opener(NamedTuple):
    """How a device on a pin is made, given to its part, and taken away again."""

    make: Callable[[], Any]
    pin: int
    keep: Callable[[Any], None]
    drop: Callable[[Any], bool]


class PartLines:
    """The lines of one part: opened at once or as soon as possible, and opened again after a loss."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lines: dict[str, _Opener] = {}

    def open(
        self, make: Callable[[], T], part: str, pin: int, keep: Callable[[T], None], drop: Callable[[T], bool]
    ) -> None:
        """Make a device on a pin and give it to `keep`: in this call, or later on the thread `lost-lines`.

        `drop` takes it from its part again, on any thread, and returns whether it was there. A loss is reported by name
        and pin, and so is its end. Raises nothing, whatever `make` or `keep` raise.
        """
        self._lines[part] = _Opener(make, pin, keep, drop)
        if (error := self._opened(part)) is not None:
            self._retry(part, error)

    def lose(self, part: str, device: Any, error: Exception) -> None:
        """A device no longer works: report it, and retry as `open` does. Any thread; repeated calls have no effect."""
        if self._lines[part].drop(device):
            _call_when_gone(
                device, None
            )  # else device and pin keep each other alive until a garbage collection closes them
            with suppress(Exception):  # the drivers' errors have no base in common
                device.close()
            self._retry(part, error)

    def close(self) -> None:
        """Stop retrying; waits for an attempt under way, so `keep` is not called after this has returned."""
        _retries.forget(self)

    def _opened(self, part: str) -> Exception | None:
        """Make a device and give it to its part; the error, if any."""
        line = self._lines[part]
        try:
            device = line.make()
        except Exception as error:  # a lost pin must not stop the others, whatever its driver raises
            return error
        try:
            _call_when_gone(device, partial(self.lose, part, device))
            line.keep(device)
        except Exception as error:
            _call_when_gone(device, None)
            let_go(device)
            return error
        return None

    def _retry(self, part: str, error: Exception) -> None:
        def again() -> bool:
            if self._opened(part) is not None:
                return False
            with suppress(Exception):  # it would end the thread for all parts
                self._report(part, None)
            return True

        self._report(part, loss(part, self._lines[part].pin, error))
        _retries.add(self, again)


def _call_when_gone(device: Any, callback: Callable[[Exception], None] | None) -> None:
    """Call this once the device's pin is gone, where its driver notices that."""
    pin = getattr(getattr(device, "pwm_device", device), "pin", None)  # a TonalBuzzer's pin is on its PWM device
    if pin is not None and hasattr(pin, "when_gone"):
        pin.when_gone = callback


class _Retries:
    """The lost lines, and the thread that tries them again."""

    def __init__(self) -> None:
        self._changed = Condition()  # guards what follows
        self._lost: list[tuple[PartLines, Attempt]] = []
        self._trying: PartLines | None = None
        self._thread: Thread | None = None  # while something is lost

    def add(self, lines: PartLines, again: Attempt) -> None:
        """Try this every few seconds until it returns True."""
        with self._changed:
            self._lost.append((lines, again))
            if self._thread is None:
                self._thread = Thread(target=self._run, name="lost-lines", daemon=True)
                self._thread.start()

    def forget(self, lines: PartLines) -> None:
        """Stop trying these. With nothing left the thread has ended when this returns."""
        with self._changed:
            self._lost = [lost for lost in self._lost if lost[0] is not lines]
            self._changed.notify_all()
            if self._thread is not current_thread():
                self._changed.wait_for(lambda: self._trying is not lines and (self._thread is None or bool(self._lost)))

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: not self._lost, RETRY_S)
                if not self._lost:
                    self._thread = None
                    self._changed.notify_all()
                    return
                lost = tuple(self._lost)
            for one in lost:
                self._try(one)

    def _try(self, lost: tuple[PartLines, Attempt]) -> None:
        lines, again = lost
        with self._changed:
            if lost not in self._lost:
                return
            self._trying = lines
        back = again()
        with self._changed:
            self._trying = None
            if back and lost in self._lost:
                self._lost.remove(lost)
            self._changed.notify_all()


_retries = _Retries()
