"""The real display: an OLED on I2C or SPI, with luma's commands. Only changes are sent."""

import errno
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import i2c, spi
from luma.oled.const import ssd1306 as code  # the codes of all three chips
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from hardware.parts import Report
from hardware.parts.display import HEIGHT_PX, SH1106_COLUMN, WIDTH_PX, Shown
from hardware.parts.display.emulated_chip import PAGES, REVERSED, Controller
from hardware.words import N_

if TYPE_CHECKING:
    from gpiozero import Factory

RETRY_S = 1.0
PING_S = 2.0  # how often a display without new pictures is checked: it may have been unplugged
ANEW_NS = (
    60 * 10**9
)  # how often all is sent again: what another program has drawn, or a spike has changed, shows nowhere
NOP = 0xE3
RESET_S = 0.01  # low, then high before the first command; the chips need µs, a capacitor at the line more
FASTEST = 0xF0  # clock: the highest frequency, not divided
CLOSE_S = 0.5  # a hung bus must not keep the program from ending
PART = N_("display")

_WRITE_BYTES = 2  # of an I2C write besides its data: address and control byte
_SILENCE = frozenset({errno.EIO, errno.ENXIO, 121})  # 121: EREMOTEIO, a name that macOS lacks
_DEVICES: dict[Controller, Any] = {"ssd1306": ssd1306, "ssd1309": ssd1309, "sh1106": sh1106}


class Serial(Protocol):
    """A serial interface of luma: one open bus with the chip on it."""

    def command(self, *command: int) -> None: ...

    def data(self, data: list[int]) -> None: ...

    def cleanup(self) -> None: ...


class Window(NamedTuple):
    """A part of the picture, sent in one write. All four bounds are inside it."""

    top: int  # in pages of 8 rows
    bottom: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def cut(self, pages: bytes) -> list[int]:
        """Its bytes, in the order in which the chip fills it."""
        starts = range(self.top * WIDTH_PX, (self.bottom + 1) * WIDTH_PX, WIDTH_PX)
        return [byte for start in starts for byte in pages[start + self.left : start + self.right + 1]]


class OledDisplay:
    """The real twin, on a thread of its own. A lost display is reported once and tried again every second.

    A display without new pictures is checked every two seconds: whether it is there and lit. Once a minute it is set up
    and drawn anew while it is lit, as another program may have used it.

    `left`: the column at which the picture begins in the memory of an SH1106, which is wider than the panel; None: as
    on most modules.
    `open_serial` opens the bus and is called again after a loss; `place` names the bus in a report:
    `display lost: nothing answers at 0x3c on I2C bus 1`. A picture for a lost display is shown when the display is back
    if it is still the newest, but its `on_shown` is never called: its moment is over.
    Not `threaded`, everything happens in the caller before it returns, and `show` tries a lost display again.
    """

    def __init__(
        self,
        controller: Controller,
        open_serial: Callable[[], Serial],
        report: Report,
        *,
        rotate: Literal[0, 180] = 0,
        left: int | None = None,
        place: str,
        clock: Callable[[], int] = time.monotonic_ns,
        threaded: bool = True,
    ) -> None:
        self.bytes_sent = 0  # counted as on I2C, with addresses and control bytes
        self._paged = controller == "sh1106"  # it knows no windows, only where in a page writing begins
        self._wake = _wake_commands(controller)
        self._open_serial = open_serial
        self._report = report
        self._rotate = rotate
        self._left = left if left is not None else SH1106_COLUMN if self._paged else 0
        self._place = place
        self._clock = clock

        self._change = threading.Condition()  # guards the requests and `_lost`; the rest belongs to the thread
        self._newest: bytes | None = None
        self._on_shown: Shown | None = None
        self._level: int | None = None  # None: as luma sets it
        self._due = False  # there is a new request
        self._closing = False
        self._lost = False

        self._serial: Serial | None = None
        self._shown: bytes | None = None  # the picture on the display; None: unknown
        self._shown_level: int | None = None
        self._reports_off = False  # the chip's status was off before it was switched on, and on after
        self._anew_ns = 0  # when all is sent again

        self._thread = threading.Thread(target=self._run, name=PART, daemon=True) if threaded else None
        if self._thread is not None:
            self._thread.start()
        else:
            self._work()

    def show(self, picture: Image.Image, on_shown: Shown | None = None) -> None:
        """Take a 128x64 picture of mode "1" and return at once. `on_shown` is called once it is on the display."""
        if picture.mode != "1" or picture.size != (WIDTH_PX, HEIGHT_PX):
            raise ValueError(f"a picture of mode {picture.mode!r} and size {picture.size}: must be '1', 128x64")
        with self._change:
            self._newest = pack(picture)
            self._on_shown = None if self._lost and self._thread else on_shown
        self._look()

    def contrast(self, level: int) -> None:
        """Brightness from 0 to 255; a display that comes back gets it again."""
        if not 0 <= level <= 255:
            raise ValueError(f"contrast {level}: must be from 0 to 255")
        with self._change:
            self._level = level
        self._look()

    def close(self) -> None:
        """Switch the display off and let go of the bus. Takes less than a second, even if the bus hangs."""
        with self._change:
            if self._closing:
                return
            self._closing = True
            self._change.notify()
        if self._thread is not None:
            self._thread.join(CLOSE_S)
        else:
            self._switch_off()

    def _settled(self) -> None:
        """The picture on the display may have changed; a hook for the emulated twin."""

    def _look(self) -> None:
        with self._change:
            if self._closing:
                return
            self._due = True
            self._change.notify()
        if self._thread is None:
            self._work()

    def _run(self) -> None:
        self._go_on()  # a missing display is reported at once, not with the first picture
        while True:
            with self._change:
                # new pictures do not hurry the retry of a lost display
                wanted = self._change.wait_for(
                    lambda: self._closing or (self._due and not self._lost), RETRY_S if self._lost else PING_S
                )
                if self._closing:
                    break
            self._go_on(ping=not wanted)
        self._switch_off()

    def _go_on(self, *, ping: bool = False) -> None:
        try:
            self._work(ping=ping)
        except Exception as error:  # of whoever is told that a picture is shown; the thread is needed for the next one
            self._lose(error)

    def _work(self, *, ping: bool = False) -> None:
        """Show the newest picture at the newest contrast, or report a loss; `ping` checks an idle display."""
        with self._change:
            newest, level, on_shown = self._newest, self._level, self._on_shown
            self._on_shown = None
            self._due = False
        try:
            if self._serial is None:
                self._serial = self._open_serial()
                self._wake_up()
            else:
                if ping and isinstance(self._serial, I2c):
                    self._command(NOP)
                if (ping or newest != self._shown) and self._reports_off and self._dark():
                    self._wake_up()  # it lost its power between two pictures, which no write shows
                elif self._shown is not None and self._clock() >= self._anew_ns:
                    self._set_up()
            if level is not None and level != self._shown_level:
                self._command(code.SETCONTRAST, level)
                self._shown_level = level
            if newest is not None and newest != self._shown:
                self._draw(newest)
        except Exception as error:  # the drivers' errors have no base in common
            self._lose(error)
            return
        shown_ns = self._clock()
        with self._change:
            back, self._lost = self._lost, False
        if back:
            self._report(PART, None)
        self._settled()
        if on_shown is not None:
            on_shown(shown_ns)

    def _wake_up(self) -> None:
        """Set up a chip after power-up; it stays dark: its memory holds noise until the first picture."""
        self._command(code.DISPLAYOFF)
        self._set_up()

    def _set_up(self) -> None:
        self._shown = self._shown_level = None
        for command in self._wake:
            self._command(*command)
        if self._rotate == 180:
            self._command(code.SETREMAP, code.COMSCANINC)

    def _draw(self, pages: bytes) -> None:
        before = self._shown
        for window in windows(before, pages, paged=self._paged):
            if self._paged:
                column = window.left + self._left
                self._command(0xB0 | window.top, code.SETLOWCOLUMN | column & 0x0F, code.SETHIGHCOLUMN | column >> 4)
            else:
                self._command(code.COLUMNADDR, window.left, window.right, code.PAGEADDR, window.top, window.bottom)
            self._data(window.cut(pages))
        if before is None:
            was_dark = self._dark()
            self._command(code.DISPLAYON)
            if was_dark:
                self._reports_off = self._dark() is False
            self._anew_ns = self._clock() + ANEW_NS
        self._shown = pages

    def _command(self, *command: int) -> None:
        assert self._serial is not None
        self._serial.command(*command)
        self.bytes_sent += len(command) + _WRITE_BYTES

    def _data(self, data: list[int]) -> None:
        assert self._serial is not None
        self._serial.data(data)
        self.bytes_sent += len(data) + _WRITE_BYTES

    def _dark(self) -> bool | None:
        """Whether the chip reports that it is switched off; None if it does not answer."""
        if not isinstance(self._serial, I2c):
            return None
        with suppress(Exception):  # a bus that is gone shows at the next write
            dark = self._serial.dark()
            self.bytes_sent += _WRITE_BYTES  # address and answer
            return dark
        return None

    def _lose(self, error: Exception) -> None:
        text = _loss(error, self._place, opened=self._serial is not None)
        self._let_go()
        with self._change:
            already, self._lost = self._lost, True
            self._on_shown = None  # of a picture that came while the write failed
        if not already:
            self._report(PART, text)

    def _switch_off(self) -> None:
        with suppress(Exception):  # a lost display is dark already
            if self._serial is not None:
                self._command(code.DISPLAYOFF)
        self._let_go()
        self._settled()

    def _let_go(self) -> None:
        serial, self._serial = self._serial, None
        self._shown = self._shown_level = None
        if serial is not None:
            with suppress(Exception):  # a bus that is gone cannot be closed
                serial.cleanup()


class I2c(i2c):  # type: ignore[misc]
    """luma's I2C, with a read of the chip's status."""

    def dark(self) -> bool:
        """Whether the chip reports that it is switched off, as after power-up."""
        return bool(self._bus.read_byte(self._addr) & 0x40)


def open_i2c(port: int, address: int) -> Serial:
    """luma's I2C bus `/dev/i2c-PORT`. Raises luma's errors."""
    return I2c(port=port, address=address)


def open_i2c_with_reset(port: int, address: int, reset: int, factory: "Factory") -> Serial:
    """The same for a module that answers only after a reset pulse. Takes 20 ms; raises the drivers' errors."""
    return _ResetI2c(port, address, reset, factory)


def open_spi(port: int, device: int, dc: int, reset: int | None, factory: "Factory") -> Serial:
    """luma's SPI bus `/dev/spidevPORT.DEVICE`, its other lines on GPIO pins. Raises the drivers' errors."""
    return _Spi(port, device, dc, reset, factory)


def pack(picture: Image.Image) -> bytes:
    """A picture in the chip's order: page by page, a byte per column of 8 rows, its lowest bit on top."""
    columns = picture.transpose(Image.Transpose.TRANSPOSE).tobytes().translate(REVERSED)
    return b"".join(columns[page::PAGES] for page in range(PAGES))


def windows(before: bytes | None, after: bytes, *, paged: bool) -> list[Window]:
    """Windows that turn one packed picture into another with few bytes; all of it if the first is None.

    `paged`: no window may reach over two pages.
    """
    if before is None:
        last = WIDTH_PX - 1
        return [Window(page, page, 0, last) for page in range(PAGES)] if paged else [Window(0, PAGES - 1, 0, last)]
    extra = _WRITE_BYTES * 2 + (3 if paged else 6)  # a window costs its command, and the frame of two writes
    chosen: list[Window] = []
    for page in range(PAGES):
        for left, right in _runs(before, after, page * WIDTH_PX, extra):
            run = Window(page, page, left, right)
            for place, above in enumerate(() if paged else chosen):
                both = Window(above.top, page, min(left, above.left), max(right, above.right))
                if above.bottom >= page - 1 and both.size <= above.size + run.size + extra:
                    chosen[place] = both
                    break
            else:
                chosen.append(run)
    return chosen


def _runs(before: bytes, after: bytes, start: int, gap: int) -> Iterable[tuple[int, int]]:
    """First and last column of each run of changes in a page, bridging up to `gap` columns without any."""
    page, other = after[start : start + WIDTH_PX], before[start : start + WIDTH_PX]
    if page == other:
        return
    changed = [column for column in range(WIDTH_PX) if page[column] != other[column]]
    left = right = changed[0]
    for column in changed:
        if column - right - 1 > gap:
            yield left, right
            left = column
        right = column
    yield left, right


@cache
def _wake_commands(controller: Controller) -> tuple[tuple[int, ...], ...]:
    """The commands that luma sends to a chip between switching it off and on; and it is to draw as often as it can.

    Cameras see an OLED in bands: at luma's 105 pictures a second too broad ones to read a code in bright light, says
    https://github.com/Coldcard/firmware/pull/125. An SH1106 gets the same of luma.

    Made once: luma keeps every device that was made, so one at each retry would leak memory.
    """
    recorder = _Recorder()
    blind = type("Blind", (_DEVICES[controller],), {"display": lambda self, image: None})  # no picture to begin with
    blind(recorder)
    (off, *first), *commands, last = recorder.commands
    assert (off, last) == (code.DISPLAYOFF, (code.DISPLAYON,))
    return (tuple(first), *commands, (code.SETDISPLAYCLOCKDIV, FASTEST))


class _Recorder:
    """A bus that only records commands. luma's own clean-up at exit reaches no display."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *command: int) -> None:
        self.commands.append(command)

    def cleanup(self) -> None:
        pass


class _ResetI2c(I2c):
    """luma's I2C with a reset line on the kit's pin factory."""

    def __init__(self, port: int, address: int, reset: int, factory: "Factory") -> None:
        with ExitStack() as held:
            lines = held.enter_context(closing(_Lines(factory)))
            lines.setup(reset, lines.OUT)  # low
            time.sleep(RESET_S)
            lines.output(reset, lines.HIGH)
            time.sleep(RESET_S)
            super().__init__(port=port, address=address)
            self._held = held.pop_all()

    def cleanup(self) -> None:
        """Let go of the bus, then of the line."""
        with self._held:
            super().cleanup()


class _Spi(spi):  # type: ignore[misc]
    """luma's SPI with its lines on the kit's pin factory, so that no pin is owned twice."""

    def __init__(self, port: int, device: int, dc: int, reset: int | None, factory: "Factory") -> None:
        with ExitStack() as held:
            pins: dict[str, Any] = {"gpio_DC": dc, "gpio_RST": reset}
            lines = held.enter_context(closing(_Lines(factory)))
            super().__init__(gpio=lines, port=port, device=device, **pins)
            self._held = held.pop_all()

    def cleanup(self) -> None:
        """Let go of bus and lines; luma lets go only of lines that it opened."""
        with self._held:
            super().cleanup()


class _Lines:
    """The few functions of RPi.GPIO that luma uses, on gpiozero."""

    OUT = LOW = 0
    HIGH = 1

    def __init__(self, factory: "Factory") -> None:
        self._factory = factory
        self._devices: dict[int, Any] = {}

    def setup(self, pin: int, direction: int) -> None:
        from gpiozero import OutputDevice  # only where there are lines

        self._devices[pin] = OutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        self._devices[pin].value = level

    def close(self) -> None:
        for device in self._devices.values():
            device.close()


def _loss(error: Exception, place: str, *, opened: bool) -> str:
    """One line for people."""
    text = " ".join(str(error).split()) or type(error).__name__
    if not opened:
        return N_("display lost: {place} cannot be opened: {error}", place=place, error=text)
    if isinstance(error, DeviceNotFoundError) or (isinstance(error, OSError) and error.errno in _SILENCE):
        return N_("display lost: nothing answers at {place}", place=place)
    return N_("display lost: {place}: {error}", place=place, error=text)
