"""The conversation with a strip's controller, ours or any WLED, over a line that is open and has a clock.

State-based: only the newest picture counts. Between whole pictures only lamps that differ are sent; the next whole one
soon repairs whatever got lost.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from hardware.parts.strip import OFF, Pixels, wire
from hardware.parts.strip.answer import (
    LIMITED,
    OLDEST,
    TOO_OLD,
    UNDONE,
    WITH_PICTURES,
    Compared,
    Named,
    Wanted,
    compare,
    listed,
)
from hardware.words import N_, filled

QUIET_S = 0.3  # WLED drops a broken document after 0.1 s without a byte, and sends text while it starts up
TALK_S = 5.0  # longer than any start-up sends text
ANSWER_S = 0.6  # WLED takes 0.35 s for 300 pixels, 0.2 s for everything, 0.6 s where it has 16 segments
MORE_S = 0.6  # for an answer that has begun: at first it may have 32 segments, of which the kit leaves one
VERSION_S, VERSIONS = 0.25, 8  # timeout of a version request, and the number of requests
REFRESH_S = 1.8  # from one whole picture, and one ping, to the next: the right picture is back in less than 2 s
DEAF_S = 6.0  # without any line for so long the strip counts as lost
DOUBT_S = 0.1  # from an error to the next whole picture
DOUBTFUL_S = (2.0, 0.4)  # after it, for how long and how often whole pictures: a controller that starts up is deaf
MIN_LEDS, MAX_LEDS = 8, 300  # lamps
ASK_S = 60.0  # from one question for everything to the next
GONE = 2  # something is named until so many answers in a row come without it
MAX_READ = 1 << 14  # bytes of a line that is read: 11 kB with 32 segments
MAX_QUOTED = 24  # characters of another device's output in a message

T = TypeVar("T")


def quoted(output: bytes) -> str:
    """The beginning of another device's output, for a message."""
    return repr(output.decode("ascii", "replace")[:MAX_QUOTED])


class SerialLine(Protocol):
    """An open serial line and its clock. Every method raises `OSError` once the line is unusable."""

    def now_s(self) -> float:
        """The time in seconds, from any start."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of it."""
        ...

    def read(self, until_s: float) -> bytes:
        """The bytes received; empty at the timeout, or when there is a new picture."""
        ...


class Dead(OSError):
    """A line that is open but unusable; the text gives the reason, to follow the port's name."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class OtherDevice(Dead):
    """A line to another device than a strip: leave it alone."""


class Silent(Dead):
    """A line on which nothing at all answers: it may be held in reset."""


class Talk:
    """One line from its opening to its end. Not for several threads."""

    def __init__(
        self,
        line: SerialLine,
        newest: Callable[[int], Pixels],
        leds: int | None = None,
        *,
        calm: Callable[[], bool] = lambda: True,
        told: Callable[[], None] = lambda: None,
    ) -> None:
        """`newest` returns the picture to show now for a number of lamps; `leds` are in the description, None: any.

        `calm`: whether a picture may be late now by the time that an answer takes. `told` is called by `follow` when
        something is named that was not, or no longer is; not when only its values change.
        """
        self.leds = 0  # as the controller reports; 0 until then
        self.odd: Mapping[str, str] = {}  # what it had set otherwise, see `answer.SETS`
        self.named: tuple[Named, ...] = ()  # what is not the kit's to set, see `answer.NAMES`
        self._missed = Counter[str]()  # by kind of what is named: in how many answers in a row it was as wanted again
        self._undone: dict[str, str] = {}  # fields of `odd` that the kit has set before: something else undoes that
        self._line = line
        self._newest = newest
        self._described = leds
        self._calm = calm
        self._told = told
        self._version = b""
        self._rest = b""  # of an unfinished line
        self._seq = 0
        self._crc = 0  # of the whole picture that was sent last
        self._sent: Pixels | None = None  # the picture on the strip, as far as known
        self._free_s = 0.0  # when the line has sent everything
        self._full_s = 0.0  # when the next whole picture is due
        self._sure_s = 0.0  # until then the strip may show another picture
        self._stands_s = 0.0  # since when the picture stands
        self._ask_s = 0.0  # when everything is to be asked again
        self._hold_s = 0.0  # until then the answer is on its way: what is sent meanwhile may get lost

    def greet(self) -> None:
        """Identify the controller and show the newest picture. Raises `OSError`."""
        self._await_quiet()
        self._version = self._who()
        self._ask()
        about = self._answer(self._compared)
        if about is None and self._rest.startswith(b"{"):
            about = self._answer(self._compared, MORE_S)
        if about is None:
            build = wire.build(self._version)
            if build is not None and build < OLDEST:
                old = TOO_OLD.named({"build": build})
                self.named = (old,)
                raise Dead(old.text)
            raise Dead(N_("does not say how many lamps it has"))
        if about.lamps < MIN_LEDS:
            raise Dead(N_("has {count} lamps: at least {least} are needed", count=about.lamps, least=MIN_LEDS))
        self.leds = min(about.lamps, MAX_LEDS)
        self._mend(about)
        self._show()
        self._line.write(wire.SHOWN)
        shown = self._answer(_pixels)
        if shown is None:
            raise Dead(N_("does not say what it shows"))
        if shown[: self.leds] != self._sent:  # once more; a WLED that corrects colours never agrees
            self._full_s = 0.0

    def follow(self) -> None:
        """Show each new picture while the line works. Never returns; raises `OSError`."""
        heard_s = self._line.now_s()
        while True:
            now_s, picture = self._line.now_s(), self._newest(self.leds)
            if now_s < max(self._free_s, self._hold_s):
                due_s = max(self._free_s, self._hold_s)
            elif now_s >= self._full_s:
                if now_s - heard_s > DEAF_S:
                    raise Dead(N_("does not answer any more"))
                self._show()
                if self._may_ask(now_s):
                    self._ask()
                else:
                    self._line.write(wire.VERSION)
                continue
            elif picture != self._sent:
                self._change(picture)
                continue
            else:
                due_s = self._full_s
            for line in self._lines(due_s):
                heard_s = self._line.now_s()
                if (about := self._compared(line)) is not None:
                    if min(about.lamps, MAX_LEDS) != self.leds:
                        raise Dead(N_("has {count} lamps now", count=about.lamps))
                    told, self._hold_s = self._says(), 0.0
                    self._mend(about)
                    if self._says() != told:
                        self._told()
                elif self._is_doubtful(line):
                    self._hold_s = 0.0
                    self._doubt(heard_s)
                    if not line.startswith(b"{"):  # it has started anew
                        self._ask_s = self._sure_s

    def dark(self) -> None:
        """Switch all lamps off, as the last picture."""
        self._send(wire.full((OFF,) * self.leds, self._seq))

    def _is_doubtful(self, line: bytes) -> bool:
        """Whether the strip may show another picture: an error, a start-up, a picture that got lost."""
        if line == self._version:
            return False
        seen = wire.parse_seen(line)
        return seen is None or (seen.seq == self._seq and seen.crc != self._crc)

    def _doubt(self, now_s: float) -> None:
        self._full_s = min(self._full_s, now_s + DOUBT_S)
        self._sure_s = now_s + DOUBTFUL_S[0]

    def _may_ask(self, now_s: float) -> bool:
        """Whether it is time to ask for everything, and no new picture is likely before the answer."""
        return now_s >= self._ask_s and now_s >= max(self._sure_s, self._stands_s + REFRESH_S) and self._calm()

    def _ask(self) -> None:
        """Ask for everything; pictures wait for the answer, but not for ever."""
        self._line.write(wire.ABOUT)
        now_s = self._line.now_s()
        self._ask_s = now_s + ASK_S
        self._hold_s = max(self._free_s, now_s) + ANSWER_S

    def _compared(self, line: bytes) -> Compared | None:
        return compare(Wanted(self._version.startswith(wire.OURS), self._described), line)

    def _mend(self, about: Compared) -> None:
        """Set again what is not as wanted."""
        self._name(about)
        if about.lines:
            self._send(about.lines)
        if about.odd.keys() - WITH_PICTURES:
            self._doubt(self._line.now_s())

    def _name(self, about: Compared) -> None:
        """Name what others own, and what was set the last time already; until it has been as wanted for a while."""
        self._undone |= {field: found for field, found in about.odd.items() if field in self._undone.keys() | self.odd}
        self.odd = about.odd
        named = {each.kind: each for each in about.named}
        if self._undone.keys() & about.odd:
            undone = {"odd": listed(self._undone)}
            named["undone"] = Named("undone", filled(UNDONE, undone), undone)
        for each in self.named:
            # a WLED 0.15.0 tells no limit while all is dark
            misses = 0 if each.kind == LIMITED and not any(map(any, self._sent or ())) else 1
            self._missed[each.kind] = 0 if each.kind in named else self._missed[each.kind] + misses
            if self._missed[each.kind] < GONE:
                named.setdefault(each.kind, each)
        self.named = tuple(named.values())
        if "undone" not in named:
            self._undone = {}

    def _says(self) -> set[str]:
        """What is named, without values that change by themselves."""
        return {each.kind for each in self.named} | self._undone.keys()

    def _show(self) -> None:
        """Send the newest picture as a whole."""
        picture = self._newest(self.leds)
        if picture != self._sent:
            self._stands_s = self._line.now_s()
        self._seq = self._seq % wire.MAX_SEQ + 1
        self._crc = wire.checksum(picture)
        self._send(wire.full(picture, self._seq))
        self._sent = picture
        now_s = self._line.now_s()
        self._full_s = now_s + (REFRESH_S if now_s >= self._sure_s else DOUBTFUL_S[1])

    def _change(self, picture: Pixels) -> None:
        """Send the changes of this picture."""
        assert self._sent is not None
        self._stands_s = self._line.now_s()
        self._send(wire.change(self._sent, picture))
        self._sent = picture

    def _send(self, lines: tuple[bytes, ...]) -> None:
        data = b"".join(lines)
        self._line.write(data)
        # while the line is busy newer pictures replace each other here instead of queueing
        self._free_s = self._line.now_s() + len(data) * 10 / wire.BAUD

    def _await_quiet(self) -> None:
        now_s = self._line.now_s()
        quiet_s, until_s = now_s + QUIET_S, now_s + TALK_S
        while now_s < quiet_s:
            if self._line.read(quiet_s):
                quiet_s = self._line.now_s() + QUIET_S
            now_s = self._line.now_s()
            if now_s > until_s:
                raise Dead(N_("never falls silent"))

    def _who(self) -> bytes:
        """The controller's answer to a version request."""
        output = b""

        def version(line: bytes) -> bytes | None:
            nonlocal output
            output = output or line.strip()
            return line if wire.is_version(line) else None

        for _ in range(VERSIONS):
            self._line.write(b"\n" + wire.VERSION)  # the line feed ends a line that was cut off by a loss
            answer = self._answer(version, VERSION_S)
            if answer is not None:
                return answer
        if output:
            raise OtherDevice(N_("is no strip controller: it says {output}", output=quoted(output)))
        raise Silent(N_("does not answer"))

    def _answer(self, parse: Callable[[bytes], T | None], within_s: float = ANSWER_S) -> T | None:
        """The first line that can be parsed; None at the timeout."""
        until_s = self._line.now_s() + within_s
        while self._line.now_s() < until_s:
            for line in self._lines(until_s):
                answer = parse(line)
                if answer is not None:
                    return answer
        return None

    def _lines(self, until_s: float) -> list[bytes]:
        """The lines completed by the next bytes."""
        *whole, rest = (self._rest + self._line.read(until_s)).split(b"\n")
        self._rest = rest[-MAX_READ:]
        return whole


def _pixels(line: bytes) -> Pixels | None:
    try:
        return wire.parse_pixels(line)
    except ValueError:
        return None
