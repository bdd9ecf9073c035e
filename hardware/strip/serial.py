"""The LED strip on a serial port, through pyserial: our own controller or any WLED."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from select import select
from threading import Lock, Thread
from time import monotonic

from serial import Serial, SerialTimeoutException

from hardware.parts import Report
from hardware.strip import OFF, Pixels, wire

QUIET_S = 0.3  # WLED forgets a broken document after 0.1 s without a byte; one that starts up talks for a while
TALK_S = 5.0  # longer than any start-up talks
ANSWER_S = 1.0
PING_S = 2.0
PINGS = 3  # unanswered, then the strip counts as lost
WRITE_S = 0.5  # the longest picture takes 0.35 s on the line
RETRY_S = (0.5, 2.0)  # doubled at each try
CLOSE_S = 1.0
MOST_READ = 8192  # bytes; 300 pixels are told in 3,300


class SerialStrip:
    """The real twin. A port that is missing, unplugged, mute or hung is reported once, and tried until it works."""

    def __init__(self, port: str, leds: int, report: Report) -> None:
        """Start the thread that opens the port, a device file; `report` is called on that thread."""
        self.leds = leds
        self._port = port
        self._report = report
        self._lock = Lock()  # the newest picture, and the pipe's writing end
        self._newest: Pixels = (OFF,) * leds
        self._sent: Pixels | None = None  # None: not known what the strip shows
        self._free_s = 0.0  # when the line is done with what was sent
        self._read = b""  # a line that has not ended yet
        self._lost = False
        self._closing = False
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._thread = Thread(target=self._run, name="strip", daemon=True)
        self._thread.start()

    def show(self, pixels: Pixels) -> None:
        """Take a picture of `leds` pixels and return at once."""
        with self._lock:
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
                try:
                    with self._opened() as port:
                        version = self._greet(port)
                        self._found()
                        retry_s = shortest_s
                        self._follow(port, version)
                except OSError as error:  # pyserial's own errors are kinds of it; some calls raise it bare
                    self._lose(error)
                self._pause(retry_s)
                retry_s = min(2 * retry_s, longest_s)
        with self._lock:
            os.close(self._woken)
            os.close(self._wake)

    @contextmanager
    def _opened(self) -> Iterator[Serial]:
        """The port, open. Raises `OSError`; once it is open only `_Dead`."""
        port = Serial(None, wire.BAUD, timeout=0, write_timeout=WRITE_S, exclusive=True)
        port.port = self._port
        port.dtr = port.rts = False  # on many boards these two lines are the reset
        port.open()
        self._sent = None
        self._read = b""
        try:
            try:
                yield port
            except _Closing:
                self._send(port, (OFF,) * self.leds)
                raise
        except (_Dead, SerialTimeoutException) as error:
            with suppress(Exception):  # termios has an error of its own
                port.reset_output_buffer()  # else closing waits for a hung port to take what is left, up to 30 s
            raise error if isinstance(error, _Dead) else _Dead("takes no data") from error
        except OSError as error:  # each driver, and pyserial, has its own way to say so
            raise _Dead("was unplugged") from error
        finally:
            port.close()

    def _greet(self, port: Serial) -> bytes:
        """From an open port to a strip that shows the newest picture; how it answers a ping. Raises `OSError`."""
        self._await_quiet(port)
        for _ in range(PINGS):
            port.write(b"\n" + wire.VERSION)  # the line feed ends a line that was cut off when the strip was lost
            version = self._answer(port, wire.is_version)
            if version is not None:
                break
        else:
            raise _Dead("does not answer")
        picture = self._newest
        self._send(port, picture)
        port.write(wire.SHOWN)
        answer = self._answer(port, lambda line: line.startswith(b"["))
        if answer is None:
            raise _Dead("does not say what it shows")
        try:
            right = wire.parse_pixels(answer)[: self.leds] == picture
        except ValueError:
            right = False
        if not right:
            self._sent = None  # send it once more; not checked again, a WLED that corrects colours never agrees
        return version

    def _follow(self, port: Serial, version: bytes) -> None:
        """Send each picture that is new; ping, pictures or not. Raises `OSError` when the strip is lost."""
        unanswered = 0
        doubtful = False
        ping_s = monotonic() + PING_S
        while True:
            now_s = monotonic()
            changed = self._newest != self._sent
            if now_s >= ping_s:
                if unanswered == PINGS:
                    raise _Dead("does not answer any more")
                if doubtful or unanswered:
                    self._sent = None
                port.write(wire.VERSION)
                unanswered += 1
                doubtful = False
                ping_s = now_s + PING_S
            elif changed and now_s >= self._free_s:
                self._send(port, self._newest)
            elif self._wait(min(ping_s, self._free_s) if changed else ping_s, port):
                for line in self._lines(port):
                    unanswered = 0
                    doubtful |= line != version  # {"error":3}: it was too busy for a picture; or it has started anew

    def _send(self, port: Serial, picture: Pixels) -> None:
        data = b"".join(wire.lines(picture))
        port.write(data)
        self._sent = picture
        # while the line is busy newer pictures replace each other here, instead of queueing in the kernel
        self._free_s = monotonic() + len(data) * 10 / wire.BAUD

    def _await_quiet(self, port: Serial) -> None:
        now_s = monotonic()
        quiet_s, until_s = now_s + QUIET_S, now_s + TALK_S
        while now_s < quiet_s:
            if self._wait(quiet_s, port):
                port.read(MOST_READ)
                quiet_s = monotonic() + QUIET_S
            now_s = monotonic()
            if now_s > until_s:
                raise _Dead("never falls silent")

    def _answer(self, port: Serial, fits: Callable[[bytes], bool]) -> bytes | None:
        """The first line to come that fits; None if there is none in time."""
        until_s = monotonic() + ANSWER_S
        while monotonic() < until_s:
            if self._wait(until_s, port):
                for line in self._lines(port):
                    if fits(line):
                        return line
        return None

    def _lines(self, port: Serial) -> list[bytes]:
        """The lines that have come to their end."""
        *whole, rest = (self._read + port.read(MOST_READ)).split(b"\n")
        self._read = rest[-MOST_READ:]
        return whole

    def _pause(self, seconds: float) -> None:
        until_s = monotonic() + seconds
        while monotonic() < until_s:
            self._wait(until_s)

    def _wait(self, until_s: float, port: Serial | None = None) -> bool:
        """Wait for the port, a new picture or the time; whether the port has something. Raises `_Closing`."""
        watched: list[int | Serial] = [self._woken] if port is None else [self._woken, port]
        left_s = 0.0 if self._closing else max(0.0, until_s - monotonic())
        ready, _, _ = select(watched, (), (), left_s)
        if self._woken in ready:
            os.read(self._woken, 4096)
        if self._closing:
            raise _Closing
        return port in ready

    def _lose(self, error: OSError) -> None:
        if not self._lost and not self._closing:
            self._lost = True
            self._report("strip", f"strip lost: {self._port} {self._reason(error)}")

    def _found(self) -> None:
        if self._lost:
            self._lost = False
            self._report("strip", None)

    @staticmethod
    def _reason(error: OSError) -> str:
        if isinstance(error, _Dead):
            return str(error)
        match error.errno:
            case errno.ENOENT:
                return "is not there"
            case errno.EAGAIN:  # its lock is taken
                return "is in use by another program"
            case None:
                return f"cannot be opened: {' '.join(str(error).split())}"
            case number:
                return f"cannot be opened: {os.strerror(number)}"


class _Dead(OSError):
    """A port that was opened but is of no use; the text says why, after the port's name."""


class _Closing(Exception):
    """The strip is being closed."""
