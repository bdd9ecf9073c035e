"""The display: what the chip decodes from the wire is the picture that was drawn, whatever happens to the bus."""

import errno
import gc
import os
import queue
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from statistics import median
from types import SimpleNamespace
from typing import Any, Literal, get_args

import pytest
import smbus2
from gpiozero import OutputDevice
from luma.core.device import device as luma_device
from luma.core.error import DeviceNotFoundError
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image, ImageChops, ImageDraw, ImageFont

from hardware.parts import Report
from hardware.parts.display import oled
from hardware.parts.display.emulated import EmulatedDisplay, EmulatedI2c, I2cBus
from hardware.parts.display.emulated_chip import Chip, Controller
from hardware.parts.display.oled import OledDisplay, Serial, open_i2c, open_i2c_with_reset, open_spi, pack, windows
from tests.hardware.reports import Reports
from tests.simulators.waiting import PATIENCE_S, comes

OnBus = Callable[..., OledDisplay]
Opens = Callable[[Any], Serial]  # on these pins

CONTROLLERS: tuple[Controller, ...] = get_args(Controller)
LUMA: dict[Controller, Any] = {"ssd1306": ssd1306, "ssd1309": ssd1309, "sh1106": sh1106}
PLACE = "0x3c on I2C bus 1"
SILENT = ("display", "display lost: nothing answers at 0x3c on the emulated I2C bus")
BIG = ImageFont.load_default(32)

each_controller = pytest.mark.parametrize("controller", CONTROLLERS)
each_rotation = pytest.mark.parametrize("rotate", [0, 180])
lumas_own_drawing = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


def clock_at(tenths: int) -> Image.Image:
    """A running clock as the kit shows it: a frame, big digits, a line of text."""
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.text((6, 10), f"{tenths // 600:02d}:{tenths / 10 % 60:04.1f}", font=BIG, fill=1)
    draw.text((5, 50), f"round {tenths // 70}", fill=1)
    return picture


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(1024))


def clock_and_noise() -> Iterator[Image.Image]:
    """A running clock, with a few dots, bars and whole pictures of noise thrown in."""
    chance = random.Random(7)
    for frame in range(60):
        picture = noise(frame) if frame % 20 == 19 else clock_at(590 + frame)
        draw = ImageDraw.Draw(picture)
        for _ in range(chance.randrange(4)):
            x, y = chance.randrange(128), chance.randrange(64)
            draw.rectangle((x, y, x + chance.randrange(20), y + chance.randrange(20)), fill=chance.randrange(2))
        yield picture


def same(seen: Image.Image, drawn: Image.Image) -> bool:
    return seen.tobytes() == drawn.tobytes()


class Bus(I2cBus):
    """A bus for accidents: it can hang, and break off in the middle of a picture."""

    def __init__(self, chip: Chip) -> None:
        super().__init__(chip)
        self.free = threading.Event()
        self.free.set()
        self.busy = threading.Event()
        self.breaks = 0  # so many writes of data from now on end in the middle
        self.error = errno.EIO
        self.opened = self.closed = 0

    def open(self) -> Serial:
        self.opened += 1
        serial: Serial = EmulatedI2c(self)
        return serial

    def i2c_rdwr(self, *messages: smbus2.i2c_msg) -> None:
        self.busy.set()
        self.free.wait()
        if self.breaks:
            self.breaks -= 1
            self.chip.write(bytes(messages[0])[:300])
            raise OSError(self.error, "Connection timed out")
        super().i2c_rdwr(*messages)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def bus() -> Bus:
    return Bus(Chip("ssd1309"))


@pytest.fixture
def on_bus(bus: Bus, report: Report) -> Iterator[OnBus]:
    """Makes a display on the bus; it is closed after the test."""
    made = []

    def make(*, threaded: bool = False) -> OledDisplay:
        made.append(OledDisplay("ssd1309", bus.open, report, place=PLACE, threaded=threaded))
        return made[-1]

    yield make
    bus.free.set()
    for display in made:
        display.close()


@pytest.fixture
def emulated(report: Report) -> EmulatedDisplay:
    return EmulatedDisplay(report=report, threaded=False)


def shown(display: OledDisplay, picture: Image.Image) -> None:
    """Show a picture on a display with a thread, and wait until it is on the display."""
    done = threading.Event()
    display.show(picture, lambda at_ns: done.set())
    assert done.wait(PATIENCE_S)


@each_controller
@each_rotation
def test_the_display_shows_what_was_drawn_and_counts_bytes(controller: Controller, rotate: Literal[0, 180]) -> None:
    display = EmulatedDisplay(controller, rotate=rotate, threaded=False)
    wrong = []
    for number, picture in enumerate(clock_and_noise()):
        display.show(picture)
        if not same(display.picture(), picture):
            wrong.append(number)
    assert (wrong, display.bytes_sent) == ([], display.chip.bytes)
    strange = {"ssd1306": set(), "ssd1309": {0x8D}, "sh1106": {0x20, 0x8D}}  # luma sends what a chip does not have
    assert display.chip.unknown == strange[controller]


@each_controller
def test_a_panel_mounted_upside_down_is_turned_by_its_chip(controller: Controller) -> None:
    display = EmulatedDisplay(controller, rotate=180, threaded=False)
    display.show(clock_at(0))
    assert same(display.chip.picture(), clock_at(0).rotate(180))


@each_controller
@lumas_own_drawing
def test_a_tick_of_the_clock_costs_at_most_15_percent_of_what_luma_sends(controller: Controller) -> None:
    chip = Chip(controller)
    luma = LUMA[controller](EmulatedI2c(I2cBus(chip)))
    before = chip.bytes
    luma.display(clock_at(0))
    frame = chip.bytes - before

    display = EmulatedDisplay(controller, threaded=False)
    display.show(clock_at(0))
    ticks = []
    for tenths in range(1, 100):
        before = display.bytes_sent
        display.show(clock_at(tenths))
        ticks.append(display.bytes_sent - before)
    assert median(ticks) <= 0.15 * frame


@each_controller
def test_a_picture_that_changes_everywhere_costs_no_more_than_a_whole_one(controller: Controller) -> None:
    display = EmulatedDisplay(controller, threaded=False)
    display.show(noise(0))
    before = display.bytes_sent
    display.show(noise(1))
    whole = {"ssd1306": 1034, "ssd1309": 1034, "sh1106": 1080}[controller]
    assert display.bytes_sent - before <= whole + 2  # and one question to the chip whether it is on


def test_a_picture_that_is_on_the_display_already_costs_no_bytes_and_counts_as_shown(emulated: EmulatedDisplay) -> None:
    stamps: list[int] = []
    emulated.show(clock_at(0))
    before = emulated.bytes_sent
    emulated.show(clock_at(0), stamps.append)
    assert (emulated.bytes_sent, len(stamps)) == (before, 1)


@pytest.mark.parametrize(
    ("boxes", "sent"),
    [
        ([(8, 0, 8, 0), (15, 0, 15, 0), (12, 8, 12, 8)], [(0, 1, 8, 15)]),
        ([(8, 8, 15, 23), (100, 8, 107, 23)], [(1, 2, 8, 15), (1, 2, 100, 107)]),
    ],
    ids=["close together", "far apart"],
)
def test_changes_go_in_windows(boxes: list[tuple[int, int, int, int]], sent: list[tuple[int, int, int, int]]) -> None:
    after = Image.new("1", (128, 64))
    for box in boxes:
        ImageDraw.Draw(after).rectangle(box, fill=1)
    assert windows(bytes(1024), pack(after), paged=False) == sent


def test_a_picture_drawn_on_after_show_is_not_changed(bus: Bus, on_bus: OnBus) -> None:
    display = on_bus(threaded=True)
    bus.free.clear()
    display.show(clock_at(0))
    picture = clock_at(1)
    done = threading.Event()
    display.show(picture, lambda at_ns: done.set())
    ImageDraw.Draw(picture).rectangle((0, 0, 127, 63), fill=1)
    bus.free.set()
    assert done.wait(PATIENCE_S)
    assert same(bus.chip.picture(), clock_at(1))


@pytest.mark.parametrize("picture", [Image.new("L", (128, 64)), Image.new("1", (64, 128))], ids=["grey", "upright"])
def test_a_picture_of_another_kind_is_refused(emulated: EmulatedDisplay, picture: Image.Image) -> None:
    with pytest.raises(ValueError, match="must be '1', 128x64"):
        emulated.show(picture)


def test_the_stamp_is_taken_after_the_write(bus: Bus) -> None:
    now_ns = 1000
    display = OledDisplay("ssd1309", bus.open, lambda *_: None, place=PLACE, clock=lambda: now_ns, threaded=False)
    stamps: list[int] = []
    display.show(clock_at(0), stamps.append)
    now_ns = 2000
    display.show(clock_at(1), stamps.append)
    assert stamps == [1000, 2000]


@each_controller
def test_contrast_reaches_the_chip_and_beyond_its_limits_is_refused(controller: Controller) -> None:
    display = EmulatedDisplay(controller, threaded=False)
    display.contrast(9)
    with pytest.raises(ValueError, match="contrast 256: must be from 0 to 255"):
        display.contrast(256)
    assert display.level == 9


@each_controller
def test_the_chip_draws_as_often_as_it_can(controller: Controller, report: Report) -> None:
    sent = list[int]()
    wires: Any = SimpleNamespace(command=lambda *codes: sent.extend(codes), data=id, cleanup=id)
    OledDisplay(controller, lambda: wires, report, place=PLACE, threaded=False)
    last = len(sent) - 1 - sent[::-1].index(0xD5)
    assert sent[last + 1] == 0xF0  # cameras see the bands of slower drawing


@pytest.mark.parametrize("threaded", [False, True])
def test_a_display_is_dark_before_its_first_picture_and_once_it_is_closed(threaded: bool) -> None:
    display = EmulatedDisplay(threaded=threaded)
    first = display.picture().getbbox()
    display.show(noise(0))
    display.close()
    display.close()
    display.show(noise(1))
    assert (first, display.picture().getbbox(), display.chip.on) == (None, None, False)


def test_close_does_not_wait_for_a_bus_that_hangs(bus: Bus, on_bus: OnBus) -> None:
    display = on_bus(threaded=True)
    bus.free.clear()
    display.show(noise(0))
    assert bus.busy.wait(PATIENCE_S)
    display.close()
    hung = bus.closed == 0
    bus.free.set()
    assert hung and comes(lambda: (bus.opened, bus.closed) == (1, 1))


def test_a_lost_display_closes_without_waiting_for_its_next_try(
    monkeypatch: pytest.MonkeyPatch, bus: Bus, on_bus: OnBus, reports: Reports
) -> None:
    monkeypatch.setattr(oled, "RETRY_S", 3600)
    monkeypatch.setattr(oled, "CLOSE_S", PATIENCE_S)
    bus.plugged = False
    display = on_bus(threaded=True)
    assert comes(lambda: bool(reports))
    display.close()
    assert oled.PART not in {thread.name for thread in threading.enumerate()}


def test_a_program_that_forgets_to_close_still_ends() -> None:
    code = """
import threading
from hardware.parts.display.emulated import EmulatedDisplay
from PIL import Image
lost, works, done = EmulatedDisplay(), EmulatedDisplay(), threading.Event()
lost.unplug()
lost.show(Image.new("1", (128, 64), 1))
works.show(Image.new("1", (128, 64), 1), lambda at_ns: done.set())
done.wait()
"""
    run = [sys.executable, "-W", "error", "-c", code]
    env = {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(run, env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_error_of_who_is_told_that_a_picture_is_shown_ends_nothing(
    bus: Bus, on_bus: OnBus, reports: Reports
) -> None:
    def fails(at_ns: int) -> None:
        raise RuntimeError("Event loop is closed")

    display = on_bus(threaded=True)
    display.show(clock_at(0), fails)
    assert comes(lambda: len(reports) > 1)
    display.show(clock_at(1))
    assert comes(lambda: same(bus.chip.picture(), clock_at(1)))
    assert [text is None for _, text in reports] == [False, True]


def test_show_does_not_wait_for_the_bus_and_the_newest_picture_wins(bus: Bus, on_bus: OnBus) -> None:
    display = on_bus(threaded=True)
    order: queue.SimpleQueue[str] = queue.SimpleQueue()
    bus.free.clear()
    display.show(clock_at(0), lambda at_ns: order.put("first"))
    assert bus.busy.wait(PATIENCE_S)
    display.show(clock_at(1), lambda at_ns: order.put("dropped"))
    display.show(clock_at(2), lambda at_ns: order.put("newest"))
    bus.free.set()
    assert [order.get(timeout=PATIENCE_S), order.get(timeout=PATIENCE_S)] == ["first", "newest"]
    assert same(bus.chip.picture(), clock_at(2))


def test_an_idle_display_is_woken_only_for_its_ping(monkeypatch: pytest.MonkeyPatch) -> None:
    real_wait = threading.Condition.wait
    sleeps: list[float | None] = []

    def wait(condition: threading.Condition, timeout: float | None = None) -> bool:
        if threading.current_thread().name == oled.PART:
            sleeps.append(timeout)
        return real_wait(condition, timeout)

    monkeypatch.setattr(threading.Condition, "wait", wait)
    display = EmulatedDisplay()
    shown(display, clock_at(0))
    shown(display, clock_at(1))
    display.close()
    assert all(timeout is not None and timeout > oled.PING_S - 0.5 for timeout in sleeps)


def test_a_pulled_idle_display_is_named_and_relit(
    monkeypatch: pytest.MonkeyPatch, report: Report, reports: Reports
) -> None:
    monkeypatch.setattr(oled, "PING_S", 0.05)
    monkeypatch.setattr(oled, "RETRY_S", 0.05)
    display = EmulatedDisplay(report=report)
    shown(display, clock_at(0))
    display.unplug()
    assert comes(lambda: reports == [SILENT])
    display.replug()
    assert comes(lambda: same(display.picture(), clock_at(0)))
    display.close()


def test_a_display_that_was_without_power_between_two_pings_is_lit_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oled, "PING_S", 0.05)
    display = EmulatedDisplay()
    shown(display, clock_at(0))
    display.unplug()
    display.replug()
    assert comes(lambda: same(display.picture(), clock_at(0)))
    display.close()
    assert display.chip.bytes > 2 * 1024


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param([bytes(100)], id="draws"),
        pytest.param([(0xAE,)], id="switches it off"),
        pytest.param([(0xA7,)], id="inverts"),
        pytest.param([(0xA5,)], id="lights all"),
        pytest.param([(0x45,), (0xA0,), (0xC0,)], id="turns"),
        pytest.param([(0x20, 1), (0x21, 10, 20), (0x22, 3, 4)], id="sets a window of its own"),
        pytest.param([(0x81, 0)], id="dims"),
    ],
)
def test_what_another_program_does_to_the_display_is_made_good(
    sent: list[tuple[int, ...] | bytes], monkeypatch: pytest.MonkeyPatch, bus: Bus, on_bus: OnBus
) -> None:
    """Also on a bus that cannot be read, as SPI."""
    monkeypatch.setattr(oled, "PING_S", 0.02)
    monkeypatch.setattr(oled, "ANEW_NS", 0)
    monkeypatch.setattr(bus, "read_byte", lambda address: 0)
    display = on_bus(threaded=True)
    display.contrast(200)
    shown(display, clock_at(0))
    with bus.lock:
        for each in sent:
            if isinstance(each, bytes):
                bus.chip.data(each)
            else:
                bus.chip.command(*each)
    assert comes(lambda: _stands(bus, clock_at(0), 200))
    shown(display, clock_at(1))
    assert comes(lambda: _stands(bus, clock_at(1), 200))


def _stands(bus: Bus, picture: Image.Image, level: int) -> bool:
    with bus.lock:
        return same(bus.chip.picture(), picture) and bus.chip.contrast == level


def test_a_lit_display_is_drawn_anew_once_a_minute_and_never_goes_dark_for_that(
    monkeypatch: pytest.MonkeyPatch, bus: Bus, on_bus: OnBus
) -> None:
    monkeypatch.setattr(oled, "PING_S", 0.02)
    monkeypatch.setattr(oled, "ANEW_NS", 0)
    display = on_bus(threaded=True)
    shown(display, clock_at(0))
    lit, write = list[bool](), bus.chip.write

    def written(payload: bytes) -> None:
        write(payload)
        lit.append(bus.chip.on)

    monkeypatch.setattr(bus.chip, "write", written)
    assert comes(lambda: len(lit) > 20)
    assert all(lit)


@each_controller
@each_rotation
def test_a_display_that_is_back_shows_the_newest_picture_whole(
    controller: Controller, rotate: Literal[0, 180], report: Report, reports: Reports
) -> None:
    display = EmulatedDisplay(controller, report, rotate=rotate, threaded=False)
    display.contrast(33)
    display.show(clock_at(0))
    display.unplug()
    for tenths in range(1, 5):
        display.show(clock_at(tenths))
    display.replug()  # its chip has forgotten everything, its memory is noise
    display.show(clock_at(5))
    assert same(display.picture(), clock_at(5))
    assert display.level == 33
    assert reports == [SILENT, ("display", None)]


def test_a_display_that_comes_back_with_a_known_picture_shows_it_whole(emulated: EmulatedDisplay) -> None:
    emulated.show(clock_at(0))
    emulated.unplug()
    emulated.show(clock_at(1))
    emulated.replug()
    emulated.show(clock_at(0))
    assert same(emulated.picture(), clock_at(0))


@each_controller
def test_a_display_whose_power_was_away_between_two_pictures_shows_the_next_one_whole(controller: Controller) -> None:
    display = EmulatedDisplay(controller, rotate=180, threaded=False)
    display.contrast(33)
    display.show(clock_at(0))
    display.unplug()
    display.replug()
    display.show(clock_at(1))
    assert same(display.picture(), clock_at(1))
    assert display.level == 33


def test_a_chip_that_is_always_off_is_not_believed(monkeypatch: pytest.MonkeyPatch, bus: Bus, on_bus: OnBus) -> None:
    monkeypatch.setattr(bus, "read_byte", lambda address: 0x40)
    display = on_bus()
    display.show(clock_at(0))
    before = display.bytes_sent
    display.show(clock_at(1))
    assert display.bytes_sent - before < 200


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (errno.EIO, f"nothing answers at {PLACE}"),
        (errno.ETIMEDOUT, f"{PLACE}: [Errno {errno.ETIMEDOUT}] Connection timed out"),
    ],
)
def test_a_picture_that_breaks_off_is_made_good(
    bus: Bus, on_bus: OnBus, reports: Reports, error: int, why: str
) -> None:
    display = on_bus()
    display.show(noise(0))
    bus.breaks, bus.error = 1, error
    display.show(noise(1))
    display.show(noise(2))
    assert same(bus.chip.picture(), noise(2))
    assert reports == [("display", f"display lost: {why}"), ("display", None)]


@pytest.mark.parametrize(
    ("opens", "place", "why"),
    [
        (lambda pins: open_i2c(99, 0x3C), "0x3c on I2C bus 99", "I2C device not found: /dev/i2c-99"),
        (lambda pins: open_spi(0, 0, 24, 25, pins), "SPI 0.0", "import of spidev halted; None in sys.modules"),
    ],
    ids=["I2C", "SPI without its library"],
)
def test_a_bus_that_cannot_be_opened_is_reported_with_its_place(
    opens: Opens, place: str, why: str, monkeypatch: pytest.MonkeyPatch, factory: Any, report: Report, reports: Reports
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    OledDisplay("ssd1306", lambda: opens(factory), report, place=place, threaded=False)
    assert reports == [("display", f"display lost: {place} cannot be opened: {why}")]


@pytest.mark.parametrize(
    ("opens", "pins", "error"),
    [
        (lambda pins: open_spi(0, 0, 24, 25, pins), (24, 25), ModuleNotFoundError),
        (lambda pins: open_i2c_with_reset(99, 0x3C, 26, pins), (26,), DeviceNotFoundError),
    ],
    ids=["SPI", "I2C with a reset"],
)
def test_a_bus_that_could_not_be_opened_leaves_its_pins_free(
    opens: Opens, pins: tuple[int, ...], error: type[Exception], monkeypatch: pytest.MonkeyPatch, factory: Any
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(error) as failure:  # its traceback keeps everything alive: nothing is freed by chance
        opens(factory)
    lines = [OutputDevice(pin, pin_factory=factory) for pin in pins]
    assert ([line.closed for line in lines], failure.type) == ([False] * len(pins), error)


def test_the_thread_finds_a_lost_display(
    monkeypatch: pytest.MonkeyPatch, bus: Bus, on_bus: OnBus, reports: Reports
) -> None:
    monkeypatch.setattr(oled, "RETRY_S", 0.01)
    display = on_bus(threaded=True)
    shown(display, noise(0))
    bus.breaks = 3
    display.show(noise(1))
    assert comes(lambda: reports == [("display", f"display lost: nothing answers at {PLACE}"), ("display", None)])
    assert same(bus.chip.picture(), noise(1))


def test_new_pictures_do_not_hurry_the_tries_of_a_lost_screen(
    monkeypatch: pytest.MonkeyPatch, bus: Bus, on_bus: OnBus
) -> None:
    monkeypatch.setattr(oled, "RETRY_S", 3600)
    display = on_bus(threaded=True)
    shown(display, noise(0))
    bus.plugged = False
    for tenths in range(100):
        display.show(clock_at(tenths))
        time.sleep(0.001)
    assert bus.opened == 1


def test_a_lost_display_has_shown_nothing(
    monkeypatch: pytest.MonkeyPatch, bus: Bus, on_bus: OnBus, reports: Reports
) -> None:
    monkeypatch.setattr(oled, "RETRY_S", 0.05)
    display = on_bus(threaded=True)
    shown(display, noise(0))
    order: queue.SimpleQueue[str] = queue.SimpleQueue()
    bus.plugged = False
    display.show(noise(1), lambda at_ns: order.put("broke off"))
    assert comes(lambda: len(reports) == 1)
    display.show(noise(2), lambda at_ns: order.put("while lost"))
    bus.plugged = True
    assert comes(lambda: len(reports) == 2)
    display.show(noise(3), lambda at_ns: order.put("back"))
    assert order.get(timeout=PATIENCE_S) == "back"


def test_a_display_missing_at_start_is_reported_and_every_opened_bus_closed(
    bus: Bus, on_bus: OnBus, reports: Reports
) -> None:
    bus.plugged = False
    display = on_bus()
    for tenths in range(10):
        display.show(clock_at(tenths))
    assert reports == [("display", f"display lost: nothing answers at {PLACE}")]
    assert (bus.opened, bus.closed) == (11, 11)


def test_neither_tries_nor_more_displays_make_new_luma_devices(emulated: EmulatedDisplay) -> None:
    def devices() -> int:
        gc.collect()
        return sum(isinstance(thing, luma_device) for thing in gc.get_objects())

    before = devices()
    EmulatedDisplay(threaded=False).close()
    emulated.unplug()
    for tenths in range(20):
        emulated.show(clock_at(tenths))
    assert devices() == before


def test_a_watcher_sees_what_is_there_each_picture_and_the_dark_after_it(emulated: EmulatedDisplay) -> None:
    seen: list[bytes] = []
    emulated.watch(seen.append)
    emulated.show(clock_at(0))
    emulated.show(clock_at(1))
    emulated.unplug()
    emulated.replug()
    emulated.show(clock_at(2))
    emulated.close()
    dark = bytes(1024)
    assert seen == [dark, clock_at(0).tobytes(), clock_at(1).tobytes(), dark, clock_at(2).tobytes(), dark]


class Wires:
    """A chip on SPI, as spidev sees it: one wire for commands and data, told apart by a pin."""

    def __init__(self, chip: Chip, dc: Any) -> None:
        self.chip = chip
        self.dc = dc

    def open(self, port: int, device: int) -> None:
        self.place = (port, device)

    def writebytes(self, data: list[int]) -> None:
        if self.dc.state:
            self.chip.data(data)
        else:
            self.chip.command(*data)

    def close(self) -> None:
        pass


@each_controller
def test_the_display_shows_what_was_drawn_on_spi_too(
    monkeypatch: pytest.MonkeyPatch, controller: Controller, factory: Any, report: Report
) -> None:
    chip = Chip(controller)
    wires = Wires(chip, factory.pin(24))
    monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=lambda: wires))
    display = OledDisplay(controller, lambda: open_spi(0, 1, 24, 25, factory), report, place="SPI 0.1", threaded=False)
    pictures = list(clock_and_noise())
    for picture in pictures:
        display.show(picture)
    seen = chip.picture()
    display.close()
    assert same(seen, pictures[-1])


class SleepingBus(I2cBus):
    """A module whose chip is off the bus until its reset has been low for 10 ms and is high."""

    def __init__(self, reset: Any) -> None:
        super().__init__(Chip("ssd1309"))
        self.reset = reset
        self.opened = 0

    def on_port(self, port: int) -> "SleepingBus":
        *_, low, high = self.reset.states
        self.plugged = (low.state, high.state) == (0, 1) and high.timestamp >= 0.01
        self.opened += 1
        return self


@pytest.fixture
def sleeping(monkeypatch: pytest.MonkeyPatch, factory: Any) -> SleepingBus:
    """Such a module, its reset on GPIO 26, on the bus that is opened next."""
    bus = SleepingBus(factory.pin(26))
    monkeypatch.setattr(smbus2, "SMBus", bus.on_port)
    return bus


def with_reset(factory: Any, report: Report) -> OledDisplay:
    return OledDisplay(
        "ssd1309", lambda: open_i2c_with_reset(1, 0x3C, 26, factory), report, place=PLACE, threaded=False
    )


def test_a_module_on_i2c_that_wants_a_reset_shows_what_was_drawn_and_has_it_high_until_it_is_closed(
    sleeping: SleepingBus, factory: Any, report: Report
) -> None:
    display = with_reset(factory, report)
    display.show(clock_at(0))
    seen, held = sleeping.chip.picture(), sleeping.reset.state
    display.close()
    assert same(seen, clock_at(0))
    assert (held, sleeping.reset.function) == (1, "input")


def test_a_module_that_comes_back_is_given_its_reset_anew(sleeping: SleepingBus, factory: Any, report: Report) -> None:
    display = with_reset(factory, report)
    sleeping.plugged = False
    display.show(clock_at(0))
    display.show(clock_at(1))
    seen = sleeping.chip.picture()
    display.close()
    assert (sleeping.opened, same(seen, clock_at(1))) == (2, True)


def test_a_reset_in_use_elsewhere_is_reported(
    sleeping: SleepingBus, factory: Any, report: Report, reports: Reports
) -> None:
    with OutputDevice(26, pin_factory=factory):
        with_reset(factory, report).close()
    text = f"display lost: {PLACE} cannot be opened: pin GPIO26 is already in use by "
    assert [(name, said and said.startswith(text)) for name, said in reports] == [("display", True)]


@each_controller
@lumas_own_drawing
def test_the_model_shows_what_luma_itself_draws(controller: Controller) -> None:
    chip = Chip(controller)
    LUMA[controller](EmulatedI2c(I2cBus(chip))).display(noise(3))
    assert same(chip.picture(), noise(3))


@pytest.fixture
def chip() -> Chip:
    """A chip that shows a picture of noise."""
    display = EmulatedDisplay(threaded=False)
    display.show(noise(4))
    display.chip.unknown.clear()
    return display.chip


def dots(*spots: tuple[int, int]) -> Image.Image:
    """A picture with a few dots."""
    picture = Image.new("1", (128, 64))
    for spot in spots:
        picture.putpixel(spot, 1)
    return picture


ALL, WINDOW, FIVE = (0x21, 0, 127, 0x22, 0, 7), (0x21, 10, 11, 0x22, 2, 3), bytes((1, 2, 4, 8, 16))


@pytest.mark.parametrize(
    ("sent", "seen"),  # commands are tuples, data are bytes
    [
        pytest.param([(0xA7,)], ImageChops.invert(noise(4)), id="inverted"),
        pytest.param([(0xA5,)], Image.new("1", (128, 64), 1), id="all lit"),
        pytest.param([(0xAE,)], dots(), id="off"),
        pytest.param([(0x40 | 5,)], ImageChops.offset(noise(4), 0, -5), id="starts at row 5"),
        pytest.param([(0xC0,)], noise(4).transpose(Image.Transpose.FLIP_TOP_BOTTOM), id="scanned forwards"),
        pytest.param([(0xA0,)], noise(4), id="remap leaves what is written"),
        # a window in the order asked for: the fifth begins it again
        pytest.param(
            [(0x20, 0, *ALL), bytes(1024), WINDOW, FIVE], dots((10, 20), (11, 17), (10, 26), (11, 27)), id="horizontal"
        ),
        pytest.param(
            [(0x20, 1, *ALL), bytes(1024), WINDOW, FIVE], dots((10, 20), (10, 25), (11, 18), (11, 27)), id="vertical"
        ),
        pytest.param([ALL, bytes(1024), (0x20, 2, 0xB3, 0x0F, 0x17), b"\1\1"], dots((127, 24), (0, 24)), id="by page"),
    ],
)
def test_the_model_obeys(chip: Chip, sent: list[tuple[int, ...] | bytes], seen: Image.Image) -> None:
    for each in sent:
        if isinstance(each, bytes):
            chip.data(each)
        else:
            chip.command(*each)
    assert same(chip.picture(), seen)


@pytest.mark.parametrize(
    ("command", "strange"),
    [
        pytest.param((0x2F,), {0x2F}, id="scrolling"),
        pytest.param((0xA8, 0x1F), {0xA8}, id="half a panel"),
        pytest.param((0xB0,), {0xB0}, id="page pointer outside page addressing"),
    ],
)
def test_commands_that_the_model_does_not_follow_are_noted(
    chip: Chip, command: tuple[int, ...], strange: set[int]
) -> None:
    chip.command(*command)
    assert chip.unknown == strange


def test_a_control_byte_that_says_neither_command_nor_data_is_refused(chip: Chip) -> None:
    with pytest.raises(ValueError, match="control byte 0x80"):
        chip.write(b"\x80\xae")
