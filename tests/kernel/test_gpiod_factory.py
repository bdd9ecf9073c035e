"""What only our own pin factory does: the kernel's stamps in order, losses that are seen, a thread that survives."""

import errno
import gc
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import gpiod
import pytest
from gpiod.line import Direction
from gpiozero import (
    LED,
    PWMLED,
    DigitalInputDevice,
    OutputDevice,
    PinInvalidEdges,
    PinInvalidState,
    PinPWMUnsupported,
    PinUnknownPi,
)

from hardware.parts import Report
from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.buzzer import Tone
from hardware.parts.buzzer.gpio import GpioBuzzer
from hardware.parts.gpio import Factories, gpiod_factory, open_factory
from hardware.parts.gpio.gpiod_factory import GpiodFactory
from hardware.parts.lamps.gpio import GpioLamps
from tests.kernel.ear import Ear, levels
from tests.simulators.sim_chip import SimChip
from tests.simulators.waiting import PATIENCE_S, comes

PIN, OTHER, THIRD = 5, 6, 22
APART_S = 0.0002  # between two edges of one line; the simulator needs 50 µs
IDLE_S = 0.3
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def errors(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What has been logged, as warning or worse."""
    return lambda: [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


_kept: list[object] = []  # callbacks, to which a pin holds only a weak reference


def calls(factory: GpiodFactory, line: int, call: Callable[[float], object]) -> Any:
    """Make a pin an input that calls this with the time of each edge."""

    def changed(ticks: float, level: int) -> None:
        call(ticks)

    _kept.append(changed)
    pin = factory.pin(line)
    pin.input_with_pull("up")
    pin.when_changed = changed
    return pin


@contextmanager
def stopped(chip: SimChip, factory: GpiodFactory, line: int = 26) -> Iterator[None]:
    """Meanwhile the thread that calls back stands still, in a callback of a pin of its own."""
    standing, go_on = threading.Event(), threading.Event()

    def stand(_ticks: float) -> None:
        standing.set()
        go_on.wait(PATIENCE_S)

    calls(factory, line, stand)
    chip.pull(line, False)
    try:
        assert standing.wait(PATIENCE_S)
        yield
    finally:
        go_on.set()


def reader_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "gpiod-edges"]


def doings() -> tuple[list[str], list[str]]:
    """How often the thread that calls back has been woken up to now, and how long it has run."""
    [reader] = reader_threads()
    task = Path(f"/proc/self/task/{reader.native_id}")
    status, stat = (task / "status").read_text().splitlines(), (task / "stat").read_text().split()
    return [line for line in status if "ctxt_switches" in line], stat[13:15]


def sleeps() -> bool:
    """Whether the thread that calls back comes to sleep, and then is not woken for a while."""

    def still() -> bool:
        before = doings()
        time.sleep(IDLE_S)
        return doings() == before

    return comes(still)


def move(chip: SimChip, line: int, edges: int) -> None:
    """So many edges on a line that is high, slow enough for the simulator."""
    for n in range(edges):
        chip.pull(line, n % 2 == 1)
        time.sleep(APART_S)


def test_an_edge_is_stamped_within_the_write_that_caused_it_and_its_callback_can_read_the_stamp_to_the_ns(
    chip: SimChip, factory: GpiodFactory
) -> None:
    stamps: list[tuple[int, int]] = []
    pin = calls(factory, PIN, lambda ticks: stamps.append((round(ticks * 1e9), pin.edge_ns)))
    wrong = []
    for n in range(100):
        before_ns = time.monotonic_ns()
        chip.pull(PIN, n % 2 == 1)
        after_ns = time.monotonic_ns()
        assert comes(lambda: len(stamps) > n)  # noqa: B023
        ticks_ns, edge_ns = stamps[n]
        if not before_ns <= edge_ns == ticks_ns <= after_ns:
            wrong.append((before_ns, stamps[n], after_ns))
    assert wrong == []


def test_a_button_has_been_active_since_the_stamp(chip: SimChip, factory: GpiodFactory) -> None:
    with DigitalInputDevice(PIN, pull_up=True, pin_factory=factory) as button:
        before = time.monotonic()
        chip.pull(PIN, False)
        button.wait_for_active(PATIENCE_S)
        active_s = button.active_time
        assert active_s is not None and 0 < active_s <= time.monotonic() - before
        chip.pull(PIN, True)


@pytest.mark.parametrize(
    "moved",
    [
        pytest.param([THIRD, PIN, OTHER, PIN, THIRD, OTHER, OTHER, PIN, THIRD, PIN], id="what waits"),
        pytest.param([PIN] * 100 + [OTHER] + [PIN] * 100, id="more than a library reads at once"),
    ],
)
def test_edges_are_told_in_the_order_of_the_stamps(
    chip: SimChip, factory: GpiodFactory, ear: Ear, moved: list[int]
) -> None:
    ear.listen(factory, PIN, OTHER, THIRD)
    with stopped(chip, factory):
        for line in moved:
            chip.pull(line, not chip.value(line))
            time.sleep(APART_S)
    assert [heard.pin for heard in ear.take(len(moved))] == moved


def test_it_is_behind_until_all_edges_have_been_told(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, PIN)
    with stopped(chip, factory):
        chip.pull(PIN, False)
        behind = factory.behind()
    assert behind
    assert comes(lambda: not factory.behind())
    ear.take(1)


@pytest.fixture
def small(chip: SimChip) -> Iterator[GpiodFactory]:
    """A factory for which the kernel keeps only 16 edges of a line."""
    with GpiodFactory(event_buffer_size=16) as factory:
        yield factory


@pytest.mark.parametrize(("size", "moved", "kept"), [(16, 40, 16), (None, 1000, 1000)])
def test_a_loss_is_seen_and_counted(chip: SimChip, ear: Ear, size: int | None, moved: int, kept: int) -> None:
    lost: list[int] = []
    with GpiodFactory() if size is None else GpiodFactory(event_buffer_size=size) as factory:
        ear.listen(factory, PIN)
        factory.pin(PIN).when_lost = lost.append
        with stopped(chip, factory):
            move(chip, PIN, moved)
        assert levels(ear.take(kept)) == [0, 1] * (kept // 2)
        assert (lost, ear.is_quiet()) == ([moved - kept] * (moved > kept), True)


def test_a_loss_comes_before_the_next_edge_and_unhandled_it_is_logged(
    chip: SimChip, small: GpiodFactory, errors: Callable[[], list[str]]
) -> None:
    events: list[object] = []
    for line, lost in ((PIN, events.append), (OTHER, None)):
        calls(small, line, lambda _: events.append("edge")).when_lost = lost
        with stopped(chip, small, line + 20):
            move(chip, line, 20)
        assert comes(lambda: events.count("edge") % 16 == 0)
    assert comes(lambda: events == [4, *["edge"] * 32])
    assert errors() == ["GPIO6 has lost edges: 4"]


def test_the_loss_of_a_button_is_reported_by_its_name(
    chip: SimChip, small: GpiodFactory, report: Report, reports: list[tuple[str, str | None]]
) -> None:
    edges: list[Edge] = []
    buttons = GpioButtons({"P3": PIN}, small, "kernel", report)
    buttons.listen(edges.append)
    with stopped(chip, small):
        move(chip, PIN, 20)
    assert comes(lambda: len(edges) == 16)
    buttons.close()
    assert reports == [("edges of button P3", "button P3: edges were lost")]


def test_a_press_that_the_queue_has_dropped_is_found_by_reading_its_line(
    chip: SimChip, small: GpiodFactory, report: Report
) -> None:
    edges: list[Edge] = []
    buttons = GpioButtons({"P1": PIN, "P2": OTHER}, small, "kernel", report)  # they share a request, and its queue
    buttons.listen(edges.append)
    with stopped(chip, small):
        chip.pull(PIN, False)
        pressed_ns = time.monotonic_ns()
        move(chip, OTHER, 20)
    assert comes(lambda: any(edge.button == "P1" for edge in edges))
    [found] = [edge for edge in edges if edge.button == "P1"]
    buttons.close()
    assert (found.down, found.lost_ns > 0, found.at_ns > pressed_ns) == (True, True, True)


@pytest.mark.parametrize("edges", [40, 41])
def test_after_a_loss_a_device_knows_how_its_line_stands(chip: SimChip, small: GpiodFactory, edges: int) -> None:
    with DigitalInputDevice(PIN, pull_up=True, pin_factory=small) as button:
        with stopped(chip, small):
            move(chip, PIN, edges)
        pressed = edges % 2 == 1
        assert button.wait_for_active(PATIENCE_S) if pressed else button.wait_for_inactive(PATIENCE_S)
        chip.pull(PIN, True)


def failing(factory: GpiodFactory, line: int, error: BaseException) -> list[float]:
    """Let the callback of a pin fail; returns when it was called."""
    called: list[float] = []

    def fail(ticks: float) -> None:
        called.append(ticks)
        raise error

    calls(factory, line, fail)
    return called


@pytest.mark.parametrize("error", [ValueError("a mistake"), SystemExit(3)])
def test_an_error_in_a_callback_does_not_end_the_others(
    chip: SimChip, factory: GpiodFactory, ear: Ear, error: BaseException
) -> None:
    ear.listen(factory, OTHER)
    failed = failing(factory, PIN, error)
    for line in (PIN, OTHER):
        chip.pull(line, False)
    assert (ear.next().pin, len(failed)) == (OTHER, 1)


def test_errors_in_a_callback_are_logged_once_for_each_pin(
    chip: SimChip, factory: GpiodFactory, errors: Callable[[], list[str]]
) -> None:
    failed = [failing(factory, line, ValueError("a mistake")) for line in (PIN, OTHER)]
    for line in (PIN, OTHER, PIN, OTHER):
        chip.pull(line, not chip.value(line))
    assert comes(lambda: [len(called) for called in failed] == [2, 2])
    said = "an error in a callback; further ones of this pin are not logged"
    assert sorted(errors()) == [f"GPIO5: {said}", f"GPIO6: {said}"]


def test_a_callback_whose_owner_is_gone_does_no_harm(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, OTHER)
    Ear().listen(factory, PIN)
    gc.collect()
    for line in (PIN, OTHER):
        chip.pull(line, False)
    assert ear.next().pin == OTHER


def test_a_pin_can_be_closed_in_its_own_callback(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, OTHER)
    closed: list[float] = []

    def close(ticks: float) -> None:
        pin.close()
        closed.append(ticks)

    pin = calls(factory, PIN, close)
    chip.pull(PIN, False)
    chip.pull(OTHER, False)
    assert (ear.next().pin, len(closed)) == (OTHER, 1)


def test_edges_that_waited_when_their_pin_was_closed_are_told_to_nobody(
    chip: SimChip, factory: GpiodFactory, ear: Ear
) -> None:
    ear.listen(factory, PIN)
    with stopped(chip, factory):
        move(chip, PIN, 3)
        factory.pin(PIN).close()
        again = Ear()
        again.listen(factory, PIN)
    assert (ear.is_quiet(), again.is_quiet()) == (True, True)


def test_edges_caught_for_one_callback_are_not_told_to_the_next(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, PIN)
    pin = factory.pin(PIN)
    with stopped(chip, factory):
        move(chip, PIN, 100)
        pin.when_changed = None
        again = Ear()
        again.attach(pin)
    assert again.is_quiet()


def test_no_loss_is_made_up_when_listening_begins_anew(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    lost: list[int] = []
    ear.listen(factory, PIN)
    pin = factory.pin(PIN)
    pin.when_lost = lost.append
    with stopped(chip, factory):
        move(chip, PIN, 4)
        pin.when_changed = None
        ear.attach(pin)
    chip.pull(PIN, False)
    assert (ear.next().level, lost) == (0, [])


def test_nobody_is_called_once_close_has_returned(
    chip: SimChip, factory: GpiodFactory, errors: Callable[[], list[str]]
) -> None:
    stop = threading.Event()

    def storm() -> None:
        while not stop.is_set():
            move(chip, PIN, 2)

    called = set[tuple[int, bool]]()  # by which opening of the pin, and whether it was closed by then
    closed = set[int]()
    mover = threading.Thread(target=storm)
    mover.start()
    for n in range(100):
        pin = calls(factory, PIN, partial(lambda n, _: called.add((n, n in closed)), n))
        time.sleep(0.002)
        pin.close()
        closed.add(n)
    stop.set()
    mover.join()
    assert ({late for _, late in called}, errors()) == ({False}, [])


def test_a_callback_that_never_ends_does_not_keep_its_pin_from_closing(chip: SimChip, factory: GpiodFactory) -> None:
    with stopped(chip, factory, line=PIN):
        factory.pin(PIN).close()  # after a second
        with LED(PIN, pin_factory=factory) as lamp:
            lamp.on()
            assert chip.value(PIN) == 1


def test_pins_can_be_opened_and_closed_by_several_threads(
    chip: SimChip, factory: GpiodFactory, errors: Callable[[], list[str]]
) -> None:
    failures: list[Exception] = []

    def use(line: int) -> None:
        try:
            for n in range(30):
                heard = Ear()
                heard.listen(factory, line, edges="falling" if n % 2 else "both")
                chip.pull(line, False)
                heard.next()
                factory.pin(line).close()
        except Exception as error:
            failures.append(error)

    users = [threading.Thread(target=use, args=(line,)) for line in (PIN, OTHER, THIRD)]
    for user in users:
        user.start()
    for user in users:
        user.join()
    assert (failures, errors()) == ([], [])


def test_its_one_thread_keeps_no_program_alive_and_ends_with_it(factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, PIN, OTHER, THIRD)
    daemons = [reader.daemon for reader in reader_threads()]
    factory.close()
    assert (daemons, reader_threads()) == ([True], [])


def test_the_factory_can_be_closed_in_a_callback(chip: SimChip, factory: GpiodFactory) -> None:
    calls(factory, PIN, lambda _: factory.close())
    chip.pull(PIN, False)
    assert comes(lambda: not reader_threads())


def test_after_a_factory_another_one_can_be_opened(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, PIN)
    factory.close()
    again = Ear()
    with GpiodFactory() as other:
        again.listen(other, PIN)
        chip.pull(PIN, False)
        assert (again.next().level, ear.is_quiet()) == (0, True)


def test_two_factories_close_only_their_own_pins(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, PIN)
    with GpiodFactory() as other:
        other.pin(OTHER).output_with_state(True)
    chip.pull(PIN, False)
    assert ear.next().level == 0


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
def test_the_header_is_found_by_its_label_behind_other_chips(label: str) -> None:
    with SimChip("gpio-brcmstb@107d508500", 32), SimChip(label, 54) as header, GpiodFactory() as factory:
        assert factory.chip == str(header.path)


def test_a_second_name_of_the_chip_is_no_second_chip(chip: SimChip) -> None:
    link = Path("/dev/gpiochip4")
    link.symlink_to(chip.path.name)
    try:
        with GpiodFactory() as factory:
            assert factory.chip == str(chip.path)
    finally:
        link.unlink()


@pytest.mark.parametrize(
    ("chips", "complaint"),
    [
        ([("raspberrypi-exp-gpio", 8)], "no GPIO chip of a Raspberry Pi's header"),
        ([("pinctrl-bcm2711", 28), ("pinctrl-rp1", 54)], "more than one GPIO chip of a Raspberry Pi's header"),
    ],
)
def test_a_machine_without_one_header_is_reported_with_what_it_has(
    chips: list[tuple[str, int]], complaint: str
) -> None:
    with ExitStack() as stack:
        found = [stack.enter_context(SimChip(*chip)) for chip in chips]
        with pytest.raises(PinUnknownPi) as refused:
            GpiodFactory()
    names = ", ".join(f"{chip.path} ({label})" for chip, (label, _) in zip(found, chips, strict=True))
    assert str(refused.value) == f"{complaint}; found: {names}"


def refusal(make: Callable[[], object]) -> OSError:
    """Why a device cannot be made. Of what was made of it nothing is kept, so that its pin is free again."""
    try:
        make()
    except OSError as error:
        return error.with_traceback(None)
    raise AssertionError("it was made")


def fan_control(chip: SimChip) -> AbstractContextManager[object]:
    """Another program that has the line."""
    return gpiod.request_lines(str(chip.path), {PIN: None}, consumer="fan control")


def test_a_line_that_another_program_has_is_busy_until_it_is_free(chip: SimChip, factory: GpiodFactory) -> None:
    with fan_control(chip):
        error = refusal(lambda: LED(PIN, pin_factory=factory))
    assert (error.errno, error.strerror) == (errno.EBUSY, "GPIO5 is busy: 'fan control' has it")
    with LED(PIN, pin_factory=factory) as lamp:
        lamp.on()
        assert chip.value(PIN) == 1


def test_a_busy_line_is_reported_as_on_every_driver(
    chip: SimChip, factory: GpiodFactory, report: Report, reports: list[tuple[str, str | None]]
) -> None:
    with fan_control(chip):
        GpioButtons({"P1": PIN}, factory, "kernel", report).close()
    assert reports == [("button P1", "button P1 lost: GPIO 5 is busy")]


def test_a_closed_pin_leaves_its_line_to_other_programs(chip: SimChip, factory: GpiodFactory) -> None:
    LED(PIN, pin_factory=factory).close()
    with gpiod.Chip(str(chip.path)) as opened_chip:
        assert not opened_chip.get_line_info(PIN).used


@pytest.fixture
def doomed(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimChip]:
    """A header that may be taken away while it is in use: this kernel never gives its number to another chip again."""
    monkeypatch.setattr("hardware.parts.gpio.gpiod_factory.PING_S", 0.05)
    with SimChip("keeps number 0 for lgpio", 1), SimChip() as chip:
        yield chip


def test_a_chip_that_is_taken_away_costs_no_time_and_its_pins_can_be_closed(
    monkeypatch: pytest.MonkeyPatch, doomed: SimChip, ear: Ear
) -> None:
    monkeypatch.setattr("hardware.parts.gpio.gpiod_factory.PING_S", 2.0)
    with GpiodFactory() as factory:
        ear.listen(factory, PIN)
        doomed.close()
        assert sleeps()
        factory.pin(PIN).close()


@pytest.fixture
def after_the_chip(doomed: SimChip, errors: Callable[[], list[str]]) -> Iterator[Callable[[], SimChip]]:
    """Takes the chip away, waits until that is noticed, and brings another one in its place."""
    with ExitStack() as stack:

        def again() -> SimChip:
            doomed.close()
            assert comes(lambda: bool(errors()))
            return stack.enter_context(SimChip())

        yield again


def test_a_line_that_is_gone_is_told_to_who_wants_to_know(doomed: SimChip, ear: Ear) -> None:
    reports: list[int | None] = []
    with GpiodFactory() as factory:
        ear.listen(factory, PIN)
        factory.pin(PIN).when_gone = lambda error: reports.append(error.errno)
        doomed.close()
        assert comes(lambda: bool(reports))
        time.sleep(0.2)
    assert reports == [errno.ENODEV]


def test_a_line_that_is_gone_is_logged_once_where_nobody_wants_to_know(
    ear: Ear, doomed: SimChip, after_the_chip: Callable[[], SimChip], errors: Callable[[], list[str]]
) -> None:
    with GpiodFactory() as factory:
        ear.listen(factory, PIN)
        after_the_chip()
        time.sleep(0.2)
    assert errors() == ["GPIO5 is gone: [Errno 19] No such device"]


def test_the_next_use_of_a_pin_takes_it_from_the_chip_that_is_there(
    ear: Ear, after_the_chip: Callable[[], SimChip]
) -> None:
    with GpiodFactory() as factory:
        ear.listen(factory, PIN)
        chip = after_the_chip()
        with LED(OTHER, pin_factory=factory) as lamp:
            lamp.on()
            assert (chip.value(OTHER), factory.chip) == (1, str(chip.path))


def test_an_output_with_pwm_is_taken_from_it_too(
    monkeypatch: pytest.MonkeyPatch, doomed: SimChip, report: Report, reports: list[tuple[str, str | None]], ear: Ear
) -> None:
    monkeypatch.setattr("hardware.parts.gpio.reopening.RETRY_S", 0.05)
    factories = open_factory("gpiod")
    ear.listen(factories.inputs, PIN)
    with ExitStack() as stack:
        stack.enter_context(factories.inputs)
        stack.enter_context(factories.pwm())
        buzzer = GpioBuzzer(13, factories.pwm, report)
        buzzer.play((Tone(880, 60_000),))
        doomed.close()
        assert comes(lambda: bool(reports))
        with SimChip():
            assert comes(lambda: len(reports) == 2)
            buzzer.close()
    assert reports == [("buzzer", "buzzer lost: GPIO 13: its chip is gone"), ("buzzer", None)]


def test_an_output_with_pwm_is_closed_after_its_chip_though_nobody_noticed_that_it_is_gone(
    doomed: SimChip, report: Report, reports: list[tuple[str, str | None]]
) -> None:
    factories = open_factory("gpiod")  # without inputs nobody looks after the chip
    with factories.inputs:
        buzzer = GpioBuzzer(13, factories.pwm, report)
        buzzer.play((Tone(880, 60_000),))
        doomed.close()
        buzzer.close()
        factories.pwm().close()
    assert reports == []


def test_while_nothing_happens_the_thread_does_not_wake(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, PIN, OTHER, THIRD)
    chip.pull(PIN, False)
    ear.next()
    assert sleeps()


def test_a_factory_without_inputs_has_no_thread(factory: GpiodFactory) -> None:
    with LED(PIN, pin_factory=factory):
        assert reader_threads() == []


def test_no_edges_are_told_where_none_are_wanted(chip: SimChip, factory: GpiodFactory, ear: Ear) -> None:
    ear.listen(factory, PIN, edges="none")
    chip.pull(PIN, False)
    assert ear.is_quiet()


def test_unknown_edges_are_refused(factory: GpiodFactory) -> None:
    with pytest.raises(PinInvalidEdges):
        factory.pin(PIN).edges = "round"


def output_for_a_while(pin: Any) -> None:
    pin.output_with_state(True)
    pin.input_with_pull("up")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(output_for_a_while, id="it was an output for a while"),
        pytest.param(lambda pin: setattr(pin, "pull", "floating"), id="it has a new pull"),
        pytest.param(lambda pin: setattr(pin, "bounce", 0.5), id="the kernel debounces it"),
    ],
)
def test_an_input_that_is_changed_still_reports_edges(
    chip: SimChip, factory: GpiodFactory, ear: Ear, change: Callable[[Any], None]
) -> None:
    ear.listen(factory, PIN)
    pin = factory.pin(PIN)
    change(pin)
    move(chip, PIN, 1 if pin.bounce is None else 7)
    assert (ear.next().level, ear.is_quiet()) == (0, True)


@pytest.mark.parametrize("level", [0, 1])
def test_an_output_is_never_anything_else_before(chip: SimChip, factory: GpiodFactory, level: int) -> None:
    with gpiod.Chip(str(chip.path)) as watcher:
        watcher.watch_line_info(PIN)
        factory.pin(PIN).output_with_state(bool(level))
        first = watcher.read_info_event().line_info
    assert (first.direction, chip.value(PIN)) == (Direction.OUTPUT, level)


@pytest.mark.parametrize("up", [True, False])
def test_an_output_without_a_state_keeps_the_level_it_finds(chip: SimChip, factory: GpiodFactory, up: bool) -> None:
    chip.pull(PIN, up)
    leave: Any = None
    with OutputDevice(PIN, initial_value=leave, pin_factory=factory):
        assert chip.value(PIN) == up


def test_an_output_has_no_states_between_on_and_off(factory: GpiodFactory) -> None:
    pin = factory.pin(PIN)
    pin.function = "output"
    with pytest.raises(PinInvalidState):
        pin.state = 0.5


def test_pwm_is_refused_and_the_error_says_who_has_it(factory: GpiodFactory) -> None:
    with pytest.raises(
        PinPWMUnsupported, match=r"^gpiod has no PWM: install lgpio and use its pin factory for this device$"
    ):
        PWMLED(PIN, pin_factory=factory)


def test_a_lamp_with_pwm_shines_beside_it_on_lgpio(chip: SimChip, ear: Ear) -> None:
    factories = open_factory("gpiod")
    ear.listen(factories.inputs, PIN)
    with factories.inputs, factories.pwm() as outputs, PWMLED(12, pin_factory=outputs) as lamp:
        lamp.value = 1
        chip.pull(PIN, False)
        assert (ear.next().level, lamp.value) == (0, 1)


@pytest.fixture
def without_lgpio(chip: SimChip, monkeypatch: pytest.MonkeyPatch) -> Iterator[Factories]:
    """What the kit has on a machine without lgpio."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    for module in ("gpiozero.pins.lgpio", "hardware.parts.gpio.pwm"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    factories = open_factory("gpiod")
    yield factories
    factories.inputs.close()


def test_in_the_kit_lgpio_has_only_what_needs_pwm(chip: SimChip) -> None:
    factories = open_factory("gpiod")
    with factories.inputs, factories.pwm() as pwm:
        kinds = (factories.outputs is factories.inputs, type(pwm).__name__, factories.source)
    assert kinds == (True, "PwmFactory", "kernel")


def test_without_lgpio_lamps_work_all_the_same(chip: SimChip, without_lgpio: Factories, report: Report) -> None:
    lamps = GpioLamps({"P1": 12}, without_lgpio.outputs, report)
    lamps.show(frozenset({"P1"}))
    lit = chip.value(12)
    lamps.close()
    assert lit == 1


def test_without_lgpio_the_buzzer_is_lost_and_the_reason_is_told(
    without_lgpio: Factories, report: Report, reports: list[tuple[str, str | None]]
) -> None:
    GpioBuzzer(13, without_lgpio.pwm, report).close()
    said = "buzzer lost: GPIO 13: its PWM is off: restart, or see luckypaw check"
    assert reports == [("buzzer", said)]


PROGRAM = """
from gpiozero import Button, Device
button = Button(5)
print(type(Device.pin_factory).__name__, button.is_pressed)
"""


def test_gpiozero_finds_it_by_its_name(chip: SimChip, tmp_path: Path) -> None:
    env = {**os.environ, "GPIOZERO_PIN_FACTORY": "gpiod", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, list(tmp_path.iterdir())) == ("GpiodFactory False\n", "", [])


@pytest.mark.parametrize("inputs", [(), (PIN,)])
def test_a_factory_is_at_work_whether_it_reads_anything_or_not(factory: GpiodFactory, inputs: tuple[int, ...]) -> None:
    for line in inputs:
        calls(factory, line, print)
    assert [comes(factory.alive) for _ in range(3)] == [True] * 3


def test_a_thread_that_stands_still_is_noticed_until_it_has_caught_up(chip: SimChip, factory: GpiodFactory) -> None:
    with stopped(chip, factory):
        assert comes(lambda: not factory.alive())
    assert comes(factory.alive)


def test_a_thread_that_has_had_no_time_to_answer_is_at_work_whoever_asks(
    chip: SimChip, factory: GpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpiod_factory, "HUNG_S", PATIENCE_S)
    with stopped(chip, factory):
        assert [factory.alive() for _ in range(3)] == [True] * 3
