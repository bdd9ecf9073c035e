"""The conversation with a strip's controller, ours or any WLED, over a line that is open and has a clock.

State-based: what is sent makes the newest picture of whatever is shown. Between whole pictures only lamps that differ
are sent; a whole one follows soon, so nothing that gets lost on the way is missed for long.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from hardware.strip import OFF, Pixels, wire

QUIET_S = 0.3  # WLED forgets a broken document after 0.1 s without a byte; one that starts up talks for a while
TALK_S = 5.0  # longer than any start-up talks
ANSWER_S = 0.6  # a WLED takes 0.25 s to say what it is, 0.35 s for 300 pixels
VERSION_S, VERSIONS = 0.25, 8  # to say its name, and how often it is asked
REFRESH_S = 1.8  # from one whole picture, and one ping, to the next: the right picture is back in less than 2 s
DEAF_S = 6.0  # nothing heard for so long, then the strip counts as lost
DOUBT_S = 0.1  # after an answer that says that something went wrong
DOUBTFUL_S = (2.0, 0.4)  # so long after it, and then so often: one that starts up hears nothing for a while
MIN_LEDS, MAX_LEDS = 8, 300  # lamps
MAX_READ = 8192  # bytes of a line that is read
MAX_SAID = 24  # characters of what another device says, in a message

T = TypeVar("T")


def quoted(said: bytes) -> str:
    """The beginning of what another device says, for a message."""
    return repr(said.decode("ascii", "replace")[:MAX_SAID])


class SerialLine(Protocol):
    """An open serial line and its clock. Every method raises `OSError` once the line is of no use."""

    def now_s(self) -> float:
        """The time, seconds from anywhere."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of it."""
        ...

    def read(self, until_s: float) -> bytes:
        """What has come; empty if nothing has by then, or if there is something else to do: a new picture."""
        ...


class Dead(OSError):
    """A line that is open but of no use; the text says why, after the port's name."""


class Foreign(Dead):
    """A line with something else than a strip at its end: it is to be left alone."""


class Talk:
    """One line from its opening to its end. Not for several threads."""

    def __init__(self, line: SerialLine, newest: Callable[[int], Pixels]) -> None:
        """`newest` gives the picture to show now, for so many lamps."""
        self.leds = 0  # as the controller says; 0 until it has
        self._line = line
        self._newest = newest
        self._version = b""
        self._rest = b""  # of a line that has not ended yet
        self._seq = 0
        self._crc = 0  # of the whole picture that was sent last
        self._sent: Pixels | None = None  # what the strip shows, as far as we know
        self._free_s = 0.0  # when the line is done with what was sent
        self._full_s = 0.0  # when the next whole picture is due
        self._sure_s = 0.0  # until then the strip may show something else

    def greet(self) -> None:
        """From an open line to a controller that is known and shows the newest picture. Raises `OSError`."""
        self._await_quiet()
        self._version = self._who()
        self._line.write(wire.ABOUT)
        count = self._answer(wire.parse_count)
        if count is None:
            raise Dead("does not say how many lamps it has")
        if count < MIN_LEDS:
            raise Dead(f"has {count} lamps: at least {MIN_LEDS} are needed")
        self.leds = min(count, MAX_LEDS)
        self._show()
        self._line.write(wire.SHOWN)
        shown = self._answer(_pixels)
        if shown is None:
            raise Dead("does not say what it shows")
        if shown[: self.leds] != self._sent:  # once more; a WLED that corrects colours never agrees
            self._full_s = 0.0

    def follow(self) -> None:
        """Show each picture that is new, for as long as the line lives. Never returns; raises `OSError`."""
        heard_s = self._line.now_s()
        while True:
            now_s, picture = self._line.now_s(), self._newest(self.leds)
            if now_s < self._free_s:
                due_s = self._free_s
            elif now_s >= self._full_s:
                if now_s - heard_s > DEAF_S:
                    raise Dead("does not answer any more")
                self._show()
                self._line.write(wire.VERSION)
                continue
            elif picture != self._sent:
                self._change(picture)
                continue
            else:
                due_s = self._full_s
            for line in self._heard(due_s):
                heard_s = self._line.now_s()
                if self._is_doubtful(line):
                    self._full_s = min(self._full_s, heard_s + DOUBT_S)
                    self._sure_s = heard_s + DOUBTFUL_S[0]

    def dark(self) -> None:
        """Switch all lamps off, the last picture of all."""
        self._send(wire.full((OFF,) * self.leds, self._seq))

    def _is_doubtful(self, line: bytes) -> bool:
        """Whether this says that the strip may show something else: an error, a start-up, a picture that got lost."""
        if line == self._version:
            return False
        seen = wire.parse_seen(line)
        return seen is None or (seen.seq == self._seq and seen.crc != self._crc)

    def _show(self) -> None:
        """Send the newest picture as a whole."""
        picture = self._newest(self.leds)
        self._seq = self._seq % wire.MAX_SEQ + 1
        self._crc = wire.checksum(picture)
        self._send(wire.full(picture, self._seq))
        self._sent = picture
        now_s = self._line.now_s()
        self._full_s = now_s + (REFRESH_S if now_s >= self._sure_s else DOUBTFUL_S[1])

    def _change(self, picture: Pixels) -> None:
        """Send what is new in this picture."""
        assert self._sent is not None
        self._send(wire.change(self._sent, picture))
        self._sent = picture

    def _send(self, lines: tuple[bytes, ...]) -> None:
        data = b"".join(lines)
        self._line.write(data)
        # while the line is busy newer pictures replace each other here, instead of queueing on the way
        self._free_s = self._line.now_s() + len(data) * 10 / wire.BAUD

    def _await_quiet(self) -> None:
        now_s = self._line.now_s()
        quiet_s, until_s = now_s + QUIET_S, now_s + TALK_S
        while now_s < quiet_s:
            if self._line.read(quiet_s):
                quiet_s = self._line.now_s() + QUIET_S
            now_s = self._line.now_s()
            if now_s > until_s:
                raise Dead("never falls silent")

    def _who(self) -> bytes:
        """How the controller answers a ping."""
        said = b""

        def version(line: bytes) -> bytes | None:
            nonlocal said
            said = said or line.strip()
            return line if wire.is_version(line) else None

        for _ in range(VERSIONS):
            self._line.write(b"\n" + wire.VERSION)  # the line feed ends a line that was cut off when the strip was lost
            found = self._answer(version, VERSION_S)
            if found is not None:
                return found
        if said:
            raise Foreign(f"is no strip controller: it says {quoted(said)}")
        raise Dead("does not answer")

    def _answer(self, parse: Callable[[bytes], T | None], within_s: float = ANSWER_S) -> T | None:
        """The first line to come that can be parsed; None if there is none in time."""
        until_s = self._line.now_s() + within_s
        while self._line.now_s() < until_s:
            for line in self._heard(until_s):
                found = parse(line)
                if found is not None:
                    return found
        return None

    def _heard(self, until_s: float) -> list[bytes]:
        """The lines that have come to their end."""
        *whole, rest = (self._rest + self._line.read(until_s)).split(b"\n")
        self._rest = rest[-MAX_READ:]
        return whole


def _pixels(line: bytes) -> Pixels | None:
    try:
        return wire.parse_pixels(line)
    except ValueError:
        return None
