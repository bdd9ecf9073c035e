"""Lines that are busy when the kit starts are tried again, and picked up where things stand: on mock pins."""

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockPWMPin

from hardware.parts import Report
from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.buzzer import Tone
from hardware.parts.buzzer.gpio import GpioBuzzer
from hardware.parts.control import Turn
from hardware.parts.control.gpio import GpioArrows, GpioKnob
from hardware.parts.debounce import Debounce
from hardware.parts.gpio.reopening import PartLines
from hardware.parts.lamps.gpio import GpioLamps
from tests.hardware.reports import Reports
from tests.hardware.test_parts import DyingPin
from tests.simulators.waiting import PATIENCE_S, comes

SetTime = Callable[[int], None]
Back = Callable[[], None]
MS = 1_000_000
LONG_MS = 600_000  # longer than any test
PIN = 13
RETRY_S = 0.02


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost lines are tried again soon."""
    monkeypatch.setattr("hardware.parts.gpio.reopening.RETRY_S", RETRY_S)


@pytest.fixture
def other(factory: Any) -> Iterator[DigitalInputDevice]:
    """Another device has the pin; `other.close()` lets it go."""
    with DigitalInputDevice(PIN, pull_up=True, pin_factory=factory) as other:
        yield other


@pytest.fixture
def back(other: DigitalInputDevice, reports: Reports) -> Back:
    """Lets go of the pin, and waits until somebody reports to have it back."""

    def let_go() -> None:
        other.close()
        assert comes(lambda: any(text is None for _, text in reports))

    return let_go


def threads() -> list[threading.Thread]:
    """Those that try lost lines again."""
    return [thread for thread in threading.enumerate() if thread.name == "lost-lines"]


@pytest.fixture
def buttons(factory: Any, other: DigitalInputDevice, report: Report) -> Iterator[GpioButtons]:
    """P3's pin is busy, P1's is not."""
    with closing(GpioButtons({"P1": 5, "P3": PIN}, factory, "virtual", report)) as buttons:
        yield buttons


@pytest.mark.parametrize("listens", ["before", "after"])
def test_a_button_that_is_back_is_heard_with_its_stamp_whenever_somebody_began_to_listen(
    factory: Any, set_time: SetTime, buttons: GpioButtons, back: Back, listens: str
) -> None:
    edges: list[Edge] = []
    for step in (back, lambda: buttons.listen(edges.append))[:: 1 if listens == "after" else -1]:
        step()
    set_time(7 * MS)
    factory.pin(PIN).drive_low()
    assert edges == [Edge("P3", True, 7 * MS)]


def test_loss_and_return_are_each_reported_once(buttons: GpioButtons, back: Back, reports: Reports) -> None:
    time.sleep(3 * RETRY_S)
    back()
    time.sleep(3 * RETRY_S)
    assert reports == [("button P3", "button P3 lost: GPIO 13 is busy"), ("button P3", None)]


def test_the_others_are_heard_meanwhile_and_a_lost_button_is_neither_up_nor_down(
    factory: Any, set_time: SetTime, buttons: GpioButtons, back: Back
) -> None:
    edges: list[Edge] = []
    buttons.listen(edges.append)
    set_time(5 * MS)
    factory.pin(5).drive_low()
    assert (edges, buttons.down("P3")) == ([Edge("P1", True, 5 * MS)], None)
    back()
    assert buttons.down("P3") is False


class HeldPin(MockPWMPin):  # type: ignore[misc]
    """A pin whose button is held down while it is opened: on other mock pins a pull-up is stronger than a hand."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


@pytest.fixture
def hand(factory: Any) -> None:
    """A hand on every button."""
    factory.pin_class = HeldPin


@pytest.mark.usefixtures("hand")
def test_a_button_held_down_as_it_comes_back_is_no_press_until_it_is_pressed_anew(
    factory: Any, set_time: SetTime, buttons: GpioButtons, back: Back
) -> None:
    edges: list[Edge] = []
    buttons.listen(edges.append)
    back()  # its report comes after the line is listened to; `down` may read it sooner
    assert buttons.down("P3") is True
    pin = factory.pin(PIN)
    for at_ms, move in ((100, pin.drive_high), (101, pin.drive_low), (102, pin.drive_high), (300, pin.drive_low)):
        set_time(at_ms * MS)  # let go, which bounces, and pressed
        move()
    debounce = Debounce()
    assert [change for edge in edges for change in debounce.edge(edge)] == [Edge("P3", True, 300 * MS)]


def test_a_contact_of_the_knob_comes_back(factory: Any, set_time: SetTime, report: Report, back: Back) -> None:
    turns: list[Turn] = []
    with closing(GpioKnob(16, PIN, 21, factory, "virtual", report)) as knob:
        knob.listen(turns.append, lambda edge: None)
        back()
        for at_ms, (pin, low) in enumerate(((16, True), (PIN, True), (16, False), (PIN, False))):
            set_time(at_ms * MS)
            (factory.pin(pin).drive_low if low else factory.pin(pin).drive_high)()
    assert turns == [Turn(1, 3 * MS, knob=True)]


@pytest.mark.parametrize(
    ("made", "heard"),
    [
        (lambda *on: GpioKnob(16, 20, PIN, on[0], "virtual", on[1]), Edge("ok", True, 9 * MS)),
        (lambda *on: GpioArrows(16, PIN, 21, on[0], "virtual", on[1]), Edge("down", True, 9 * MS)),
    ],
    ids=["push of the knob", "arrow"],
)
def test_a_button_of_the_control_comes_back(
    made: Callable[..., Any], heard: Edge, factory: Any, set_time: SetTime, report: Report, back: Back
) -> None:
    seen: list[Edge | Turn] = []
    with closing(made(factory, report)) as control:
        control.listen(seen.append, seen.append)
        back()
        set_time(9 * MS)
        factory.pin(PIN).drive_low()
    assert seen == [heard]


@pytest.mark.parametrize("lit", [{"P1", "P3"}, {"P1"}], ids=["lit", "dark"])
def test_a_lamp_comes_back_as_it_should_be_and_works(factory: Any, report: Report, back: Back, lit: set[str]) -> None:
    with closing(GpioLamps({"P1": 5, "P3": PIN}, factory, report)) as lamps:
        lamps.show(frozenset(lit))
        back()
        assert (factory.pin(PIN).state, set(lamps.names)) == ("P3" in lit, {"P1", "P3"})
        lamps.show(frozenset({"P3"} - lit))
        assert factory.pin(PIN).state == ("P3" not in lit)


def test_a_lamp_that_died_comes_back(factory: Any, report: Report, reports: Reports) -> None:
    factory.pin_class = DyingPin
    with closing(GpioLamps({"P3": PIN}, factory, report)) as lamps:
        factory.pin(PIN).dead = True
        lamps.show(frozenset({"P3"}))
        factory.pin(PIN).dead = False
        assert comes(lambda: lamps.names == {"P3"})
        assert factory.pin(PIN).state


@pytest.mark.parametrize(("length_ms", "sounds"), [(LONG_MS, 880), (1, None)], ids=["in mid-tone", "in silence"])
def test_the_buzzer_comes_back(factory: Any, report: Report, back: Back, length_ms: int, sounds: int | None) -> None:
    with closing(GpioBuzzer(PIN, lambda: factory, report)) as buzzer:
        buzzer.play((Tone(880, length_ms),))
        assert comes(lambda: length_ms == LONG_MS or not buzzer._tune)  # noqa: SLF001
        back()
        before = factory.pin(PIN).frequency
        buzzer.play((Tone(440, LONG_MS),))
        assert (before, factory.pin(PIN).frequency) == (sounds, 440)


class NoticingPin(MockPWMPin):  # type: ignore[misc]
    """A pin of a driver that notices when the chip is taken away."""

    when_gone: Callable[[OSError], None] | None = None


@pytest.fixture
def noticing(factory: Any) -> None:
    factory.pin_class = NoticingPin


def gone(factory: Any) -> None:
    """The call of a pin whose chip has been taken away."""
    factory.pin(PIN).when_gone(OSError(errno.ENODEV, "No such device"))


@pytest.mark.usefixtures("noticing")
def test_a_button_whose_chip_left_works_once_back(
    factory: Any, set_time: SetTime, report: Report, reports: Reports
) -> None:
    seen: list[Edge] = []
    with closing(GpioButtons({"P3": PIN}, factory, "virtual", report)) as buttons:
        buttons.listen(seen.append)
        assert threads() == []  # nothing is lost yet
        gone(factory)
        assert comes(lambda: len(reports) == 2)
        set_time(7 * MS)
        factory.pin(PIN).drive_low()
    assert reports == [("button P3", "button P3 lost: GPIO 13: its chip is gone"), ("button P3", None)]
    assert seen == [Edge("P3", True, 7 * MS)]


@pytest.mark.usefixtures("noticing")
def test_a_line_that_goes_away_as_it_is_closed_is_no_loss(factory: Any, report: Report, reports: Reports) -> None:
    buttons = GpioButtons({"P3": PIN}, factory, "virtual", report)
    when_gone = factory.pin(PIN).when_gone
    buttons.close()
    when_gone(OSError(errno.ENODEV, "No such device"))
    assert (reports, threads()) == ([], [])


def test_one_thread_tries_for_all_parts_until_closed(factory: Any, other: DigitalInputDevice, report: Report) -> None:
    with closing(GpioLamps({"P3": 99}, factory, report)):
        with closing(GpioButtons({"P3": PIN, "P4": 99}, factory, "virtual", report)):
            assert len(threads()) == 1
        assert len(threads()) == 1


def test_the_thread_ends_once_all_is_back(buttons: GpioButtons, back: Back) -> None:
    back()
    assert comes(lambda: threads() == [])


def test_closing_ends_the_thread(
    monkeypatch: pytest.MonkeyPatch, factory: Any, other: DigitalInputDevice, report: Report
) -> None:
    monkeypatch.setattr("hardware.parts.gpio.reopening.RETRY_S", 600)
    buttons = GpioButtons({"P3": PIN}, factory, "virtual", report)
    (thread,) = threads()
    buttons.close()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def test_a_closed_part_takes_no_line_later(
    factory: Any, other: DigitalInputDevice, report: Report, reports: Reports
) -> None:
    GpioButtons({"P3": PIN}, factory, "virtual", report).close()
    other.close()
    time.sleep(3 * RETRY_S)
    assert [text for _, text in reports] == ["button P3 lost: GPIO 13 is busy"]


class Door:
    """A device that cannot be made at first, and whose second making takes as long as the test wants."""

    def __init__(self) -> None:
        self.tries = 0
        self.trying, self.open = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.tries += 1
        if self.tries == 1:
            raise OSError("busy")
        self.trying.set()
        self.open.wait()
        return "made"


def test_closing_waits_for_a_try_under_way(report: Report) -> None:
    door, kept = Door(), list[str]()
    lines = PartLines(report)
    lines.open(door, "button P3", PIN, kept.append, lambda device: False)
    door.trying.wait()
    threading.Timer(0.05, door.open.set).start()
    lines.close()
    assert kept == ["made"]


def test_a_report_that_fails_ends_nothing(factory: Any, other: DigitalInputDevice) -> None:
    def report(part: str, text: str | None) -> None:
        if text is None:
            raise ValueError("a mistake")

    with closing(GpioButtons({"P3": PIN, "P4": 99}, factory, "virtual", report)) as buttons:
        other.close()
        assert comes(lambda: buttons.down("P3") is False)
        time.sleep(3 * RETRY_S)
        assert len(threads()) == 1  # for P4


def test_a_line_is_tried_no_more_often_than_it_should(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    monkeypatch.setattr("hardware.parts.gpio.reopening.RETRY_S", 0.1)
    tries: list[float] = []

    def never() -> str:
        tries.append(time.monotonic())
        raise OSError("busy")

    lines = PartLines(report)
    lines.open(never, "button P3", PIN, lambda device: None, lambda device: False)
    assert comes(lambda: len(tries) == 4)
    lines.close()
    assert min(after - before for before, after in pairwise(tries)) > 0.09
