"""The LED strip on a serial port, through pyserial: our own controller or any WLED."""

import errno
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from threading import Lock, Thread
from time import monotonic
from typing import TypeAlias

from serial import Serial, SerialTimeoutException

from hardware.parts import Report
from hardware.parts.strip import AS_IT_IS, USUAL_LEDS, Mounting, Pixels, wire
from hardware.parts.strip.answer import in_words
from hardware.parts.strip.ports import candidates, usual
from hardware.parts.strip.talk import MAX_READ, Dead, OtherDevice, Silent, Talk
from hardware.words import N_

WRITE_S = 0.5  # the longest picture takes 0.35 s on the line
RETRY_S = (0.25, 0.75)  # first and longest delay, doubled each time: a strip that is back is lit in less than 2 s
UNUSUAL_TRIES = 3  # of a port that may be anybody's, until it is plugged in again: a WLED that starts misses the first
CLOSE_S = 1.0
PART = N_("strip")


class SerialStrip:
    """The real twin. A port that is missing, unplugged, silent or hung is reported once, and retried."""

    def __init__(
        self,
        port: str | None,
        report: Report,
        mounting: Mounting = AS_IT_IS,
        *,
        leds: int | None = None,
        find: Callable[[], tuple[str, ...]] = candidates,
    ) -> None:
        """Start the thread that opens the port, a device file; None: the ports that `find` names are tried in turn.

        `report` is called on that thread: when the strip is lost, when it is back, with `leds` set, and when something
        about it is not as wanted, or is so again. `leds`: as described.
        """
        self.leds = USUAL_LEDS
        self._described = leds
        self._mounting = mounting
        self._report = report
        self._find = find if port is None else lambda: (port,)
        self._lock = Lock()  # guards the newest picture and the pipe's writing end
        self._newest: Pixels = ()
        self._calm = True
        self._foreign: dict[str, _Device] = {}  # ports with another device: left alone until plugged in again
        self._searches = port is None
        self._in_vain = Counter[str]()  # tries of ports of an unusual kind
        self._lowered: set[str] = set()  # ports to be opened with DTR and RTS low
        self._tries = 0
        self._lost = False
        self._closing = False
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._thread = Thread(target=self._run, name="strip", daemon=True)
        self._thread.start()

    def show(self, pixels: Pixels, *, calm: bool = True) -> None:
        """Take a picture of `leds` pixels and return at once; `calm`: the next one may be late by an answer."""
        with self._lock:
            self._calm = calm
            if pixels != self._newest and not self._closing:
                self._newest = pixels
                self._wake_up()

    def close(self) -> None:
        """Strip off; let go of the port. Returns within about 1 s, however the port hangs."""
        with self._lock:
            if not self._closing:
                self._closing = True
                self._wake_up()
        self._thread.join(CLOSE_S)

    def _wake_up(self) -> None:
        with suppress(BlockingIOError):  # a full pipe wakes as well
            os.write(self._wake, b"\n")

    # --- the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        shortest_s, longest_s = RETRY_S
        retry_s = shortest_s
        with suppress(_Closing):
            while True:
                place = None
                try:
                    place = self._place()
                    if place is None:
                        self._lose(N_("strip lost: no controller found on USB"))
                    else:
                        with self._opened(place) as talk:
                            talk.greet()
                            retry_s = shortest_s
                            self._connected(talk)
                            talk.follow()
                except Exception as error:  # drivers, pyserial and termios have errors of their own
                    if place is not None and (isinstance(error, OtherDevice) or self._is_enough(place)):
                        self._foreign[place] = _device(place)
                    if place is not None and isinstance(error, Silent):
                        self._lowered ^= {place}  # the other way next time
                    self._lose(N_("strip lost: {place} {reason}", place=place or "USB", reason=_reason(error)))
                self._pause(retry_s)
                retry_s = min(2 * retry_s, longest_s)
        with self._lock:
            os.close(self._woken)
            os.close(self._wake)

    def _place(self) -> str | None:
        """The port to try next, each in turn; None where there is none."""
        self._foreign = {place: device for place, device in self._foreign.items() if _device(place) == device}
        places = [place for place in self._find() if place not in self._foreign]
        self._tries += 1
        return places[self._tries % len(places)] if places else None

    def _is_enough(self, place: str) -> bool:
        """Whether a port that nobody named, of a kind that no board for strips has, was tried often enough."""
        if not self._searches or usual(place):
            return False
        self._in_vain[place] += 1
        return self._in_vain[place] % UNUSUAL_TRIES == 0

    @contextmanager
    def _opened(self, place: str) -> Iterator[Talk]:
        """The conversation on a port, open. Raises `OSError`; once it is open `Dead` for all that drivers raise."""
        port = open_port(place, raised=place not in self._lowered)
        talk = Talk(
            _OpenPort(port, self._wait),
            self._mounted,
            self._described,
            calm=lambda: self._calm,
            told=lambda: self._report(PART, in_words(talk.named)),
        )
        try:
            try:
                yield talk
            except _Closing:
                if talk.leds:  # else it may be another device
                    talk.dark()
                raise
        except (Dead, SerialTimeoutException) as error:
            with suppress(Exception):  # termios has an error of its own
                port.reset_output_buffer()  # else closing waits up to 30 s for a hung port to take the rest
            raise error if isinstance(error, Dead) else Dead(N_("takes no data")) from error
        except OSError as error:  # each driver, and pyserial, has its own error
            raise Dead(N_("was unplugged")) from error
        finally:
            port.close()

    def _mounted(self, leds: int) -> Pixels:
        """The newest picture as it is sent."""
        return self._mounting.sent(wire.fitted(self._newest, leds))

    def _pause(self, seconds: float) -> None:
        until_s = monotonic() + seconds
        while monotonic() < until_s:
            self._wait(until_s)

    def _wait(self, until_s: float, port: Serial | None = None) -> bool:
        """Wait for the port, a new picture or the time; whether the port has data. Raises `_Closing`."""
        watched: list[int | Serial] = [self._woken] if port is None else [self._woken, port]
        left_s = 0.0 if self._closing else max(0.0, until_s - monotonic())
        ready, _, _ = select(watched, (), (), left_s)
        if self._woken in ready:
            os.read(self._woken, 4096)
        if self._closing:
            raise _Closing
        return port in ready

    def _lose(self, text: str) -> None:
        if not self._lost and not self._closing:
            self._lost = True
            self._report(PART, text)

    def _connected(self, talk: Talk) -> None:
        """The strip answers, with so many lamps."""
        self._lost = False
        self.leds = talk.leds
        self._report(PART, None)
        if (text := in_words(talk.named)) is not None:
            self._report(PART, text)


def open_port(place: str, *, raised: bool = True) -> Serial:
    """A strip's port, for this program alone; reading never waits. Raises `OSError`.

    `raised`: both DTR and RTS are high, as drivers open a port; else neither. Without DTR a Pico overwrites unsent
    data, and most ESP boards reset if only one of the two is high. On a few boards one of them alone is wired to the
    reset: those run only with both low.
    """
    port = Serial(None, wire.BAUD, timeout=0, write_timeout=WRITE_S, exclusive=True)
    port.port, port.dtr, port.rts = place, raised, raised
    port.open()
    return port


class _OpenPort:
    """An open port as the conversation sees it."""

    def __init__(self, port: Serial, wait: Callable[[float, Serial], bool]) -> None:
        self._port = port
        self._wait = wait

    def now_s(self) -> float:
        return monotonic()

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def read(self, until_s: float) -> bytes:
        return self._port.read(MAX_READ) if self._wait(until_s, self._port) else b""


_Device: TypeAlias = tuple[int, int, int] | None


def _device(place: str) -> _Device:
    """The identity of the device at a port; it changes when it is plugged in again."""
    try:
        status = Path(place).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_ctime_ns


def _reason(error: Exception) -> str:
    if isinstance(error, Dead):
        return error.text
    if not isinstance(error, OSError):
        return N_("fails: {error}", error=" ".join(f"{type(error).__name__}: {error}".split()))
    match error.errno:
        case errno.ENOENT:
            return N_("is not there")
        case errno.EAGAIN:  # it is locked
            return N_("is in use by another program")
        case None:
            return N_("cannot be opened: {error}", error=" ".join(str(error).split()))
        case number:
            return N_("cannot be opened: {error}", error=os.strerror(number))


class _Closing(BaseException):
    """The strip is being closed: no error, so nothing that handles errors takes it."""
