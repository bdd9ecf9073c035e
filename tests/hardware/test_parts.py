"""One contract for all twins of buttons, control, lamps and buzzer: emulated ones, and real ones on mock pins."""

import os
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gpiozero.pins.mock import MockPWMPin

from hardware.parts import PartLost, Report
from hardware.parts.buttons import Buttons, Edge
from hardware.parts.buttons.emulated import EmulatedButtons
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.buzzer import Buzzer, Tone, Tune
from hardware.parts.buzzer.emulated import EmulatedBuzzer
from hardware.parts.buzzer.gpio import GpioBuzzer
from hardware.parts.control import Control, Turn
from hardware.parts.control.clicks import TURN, ClicksATurn
from hardware.parts.control.emulated import EmulatedControl
from hardware.parts.control.gpio import GpioArrows, GpioKnob
from hardware.parts.gpio import open_factory
from hardware.parts.lamps import Lamps
from hardware.parts.lamps.emulated import EmulatedLamps
from hardware.parts.lamps.gpio import GpioLamps
from tests.hardware.reports import Reports
from tests.missing import needs
from tests.simulators.waiting import PATIENCE_S

SetTime = Callable[[int], None]
PINS = {"P1": 5, "P2": 6, "P3": 13}
MS = 1_000_000
NOON_NS = 12 * 3600 * 1_000_000_000 + 1  # an odd number of ns after many hours: a float of seconds must not lose it


class Hand:
    """Moves contacts on mock pins, each at its time."""

    def __init__(self, factory: Any, set_time: SetTime) -> None:
        self.factory = factory
        self.set_time = set_time

    def move(self, pin: int, down: bool, at_ns: int) -> None:
        self.set_time(at_ns)
        if down:
            self.factory.pin(pin).drive_low()
        else:
            self.factory.pin(pin).drive_high()


@pytest.fixture
def hand(factory: Any, set_time: SetTime) -> Hand:
    return Hand(factory, set_time)


class ButtonRig(NamedTuple):
    buttons: Buttons
    move: Callable[[str, bool, int], None]  # name, down, at_ns


@pytest.fixture(params=["emulated", "mock"])
def rig(request: pytest.FixtureRequest, hand: Hand, report: Report) -> ButtonRig:
    if request.param == "emulated":
        emulated = EmulatedButtons(PINS)
        return ButtonRig(emulated, lambda name, down, at_ns: emulated.edge(name, down=down, at_ns=at_ns))
    real = GpioButtons(PINS, hand.factory, "virtual", report)
    return ButtonRig(real, lambda name, down, at_ns: hand.move(PINS[name], down, at_ns))


@pytest.mark.parametrize(
    "moves",
    [
        [("P2", True, NOON_NS), ("P2", False, NOON_NS + 2 * MS)],
        [("P1", n % 2 == 0, n * MS) for n in range(5)],
        [(name, True, 1 * MS) for name in PINS],
    ],
    ids=["press and release", "bounce", "every button"],
)
def test_every_edge_is_reported_with_name_and_stamp(rig: ButtonRig, moves: list[tuple[str, bool, int]]) -> None:
    seen: list[Edge] = []
    rig.buttons.listen(seen.append)
    for move in moves:
        rig.move(*move)
    assert seen == [Edge(*move) for move in moves]


def test_a_button_is_down_while_it_is_held_and_one_that_the_kit_has_not_got_never(rig: ButtonRig) -> None:
    rig.move("P1", True, 1 * MS)
    assert [rig.buttons.down(name) for name in ("P1", "P2", "P9")] == [True, False, None]


def test_nothing_is_reported_before_anybody_listens_or_after_closing(rig: ButtonRig) -> None:
    seen: list[Edge] = []
    rig.move("P1", True, 1 * MS)
    rig.buttons.listen(seen.append)
    rig.buttons.close()
    rig.move("P2", True, 2 * MS)
    assert seen == []


def test_an_emulated_button_that_the_kit_has_not_got_cannot_be_pressed() -> None:
    with pytest.raises(KeyError, match="P9"):
        EmulatedButtons(PINS).edge("P9", down=True, at_ns=0)


@pytest.mark.parametrize(
    ("opened", "part"),
    [
        (lambda *at: GpioButtons({"P1": 99}, at[0], "virtual", at[1]), "button P1"),
        (lambda *at: GpioKnob(16, 99, 21, at[0], "virtual", at[1]), "knob b"),
        (lambda *at: GpioArrows(99, 20, 21, at[0], "virtual", at[1]), "control up"),
        (lambda *at: GpioLamps({"P1": 5, "P2": 99}, *at), "lamp P2"),
        (lambda *at: GpioBuzzer(99, lambda: at[0], at[1]), "buzzer"),
    ],
    ids=["button", "knob", "arrows", "lamp", "buzzer"],
)
def test_a_wrong_pin_is_named(
    opened: Callable[..., Any], part: str, factory: Any, report: Report, reports: Reports
) -> None:
    opened(factory, report).close()
    assert reports == [(part, f"{part} lost: GPIO 99: 99 is not a valid pin name")]


def test_a_closed_pin_can_be_opened_again_and_an_edge_names_who_stamped_it(hand: Hand, report: Report) -> None:
    seen: list[Edge] = []
    GpioButtons(PINS, hand.factory, "virtual", report).close()
    buttons = GpioButtons(PINS, hand.factory, "kernel", report)
    buttons.listen(seen.append)
    hand.move(PINS["P1"], True, 1 * MS)
    assert seen == [Edge("P1", True, 1 * MS, "kernel")]


class Failing:
    """A listener with a mistake in it: it takes the edge, then raises."""

    def __init__(self) -> None:
        self.seen: list[Edge] = []

    def __call__(self, edge: Edge) -> None:
        self.seen.append(edge)
        raise ValueError("a mistake")


def test_a_listener_that_raises_is_reported_once_and_gets_the_next_edge(
    hand: Hand, report: Report, reports: Reports
) -> None:
    listener = Failing()
    buttons = GpioButtons(PINS, hand.factory, "virtual", report)
    buttons.listen(listener)
    hand.move(PINS["P1"], True, 1 * MS)
    hand.move(PINS["P1"], False, 2 * MS)
    assert [edge.at_ns for edge in listener.seen] == [1 * MS, 2 * MS]
    assert reports == [("edges of button P1", "button P1: an edge was lost: ValueError('a mistake')")]


A, B, PUSH = 16, 20, 21  # of the knob; ▲, ▼ and OK of the arrows
CLOCKWISE = ((A, True), (B, True), (A, False), (B, False))  # contacts, from rest to rest
COUNTER = ((B, True), (A, True), (B, False), (A, False))


class ControlRig(NamedTuple):
    control: Control
    up: Callable[[int], None]  # one click clockwise, or one press of ▲, that ends at this ns
    down: Callable[[int], None]
    push: Callable[[bool, int], None]  # down, at_ns


@pytest.fixture(params=["emulated knob", "emulated arrows", "mock knob"])
def control_rig(request: pytest.FixtureRequest, hand: Hand, report: Report) -> ControlRig:
    def click(contacts: tuple[tuple[int, bool], ...], at_ns: int) -> None:
        for n, (pin, down) in enumerate(contacts):
            hand.move(pin, down, at_ns - (3 - n) * MS)

    def push(down: bool, at_ns: int) -> None:
        hand.move(PUSH, down, at_ns)

    match request.param.split():
        case ["emulated", fitted]:
            emulated = EmulatedControl(knob=fitted == "knob")
            return ControlRig(
                emulated,
                lambda at_ns: emulated.turn(1, at_ns=at_ns),
                lambda at_ns: emulated.turn(-1, at_ns=at_ns),
                lambda down, at_ns: emulated.push(down=down, at_ns=at_ns),
            )
        case _:
            knob = GpioKnob(A, B, PUSH, hand.factory, "virtual", report)
            return ControlRig(knob, lambda at_ns: click(CLOCKWISE, at_ns), lambda at_ns: click(COUNTER, at_ns), push)


def ignore(_: object) -> None:
    """A listener that does not care."""


def test_clockwise_and_up_are_positive_and_their_opposites_negative(control_rig: ControlRig) -> None:
    turns: list[Turn] = []
    control_rig.control.listen(turns.append, ignore)
    control_rig.up(50 * MS)
    control_rig.down(150 * MS)
    knob = control_rig.control.knob
    assert turns == [Turn(1, 50 * MS, knob), Turn(-1, 150 * MS, knob)]


def test_the_push_reports_raw_edges_of_ok(control_rig: ControlRig) -> None:
    seen: list[Edge] = []
    control_rig.control.listen(ignore, seen.append)
    control_rig.push(True, 1 * MS)
    control_rig.push(False, 2 * MS)
    assert seen == [Edge("ok", True, 1 * MS), Edge("ok", False, 2 * MS)]


def test_a_closed_control_reports_nothing(control_rig: ControlRig) -> None:
    seen: list[Turn | Edge] = []
    control_rig.control.listen(seen.append, seen.append)
    control_rig.control.close()
    control_rig.up(50 * MS)
    control_rig.push(True, 60 * MS)
    assert seen == []


@pytest.mark.parametrize(
    ("moves", "steps"),
    [
        (CLOCKWISE * 3 + COUNTER, [1, 1, 1, -1]),
        ([move for pin, down in CLOCKWISE for move in ((pin, down), (pin, not down), (pin, down))], [1]),
        (((A, True), (B, True), (B, False), (A, False)), []),
    ],
    ids=["clicks", "bounce", "halfway and back"],
)
def test_a_click_is_one_step(moves: tuple[tuple[int, bool], ...], steps: list[int], hand: Hand, report: Report) -> None:
    turns: list[Turn] = []
    knob = GpioKnob(A, B, PUSH, hand.factory, "virtual", report)
    knob.listen(turns.append, ignore)
    for n, (pin, down) in enumerate(moves):
        hand.move(pin, down, n * MS)
    assert [turn.steps for turn in turns] == steps


def detents(clicks: ClicksATurn, begin: int, many: int) -> Iterator[tuple[int, bool]]:
    """The moves of a knob's contacts that stand at a quarter of their turn, by so many clicks."""
    step, each = (1 if many > 0 else -1), len(TURN) // clicks
    for quarter in range(begin, begin + many * each, step):
        before, after = TURN[quarter % len(TURN)], TURN[(quarter + step) % len(TURN)]
        yield next((pin, now) for pin, was, now in zip((A, B), before, after, strict=True) if was != now)


@pytest.mark.parametrize("begin", [0, 2], ids=["open at first", "closed at first"])
@pytest.mark.parametrize("clicks", [1, 2, 4])
def test_every_click_of_every_kind_of_knob_is_one_step_at_once(
    clicks: ClicksATurn, begin: int, hand: Hand, report: Report
) -> None:
    turns: list[Turn] = []
    knob = GpioKnob(A, B, PUSH, hand.factory, "virtual", report, clicks)
    for pin, closed in zip((A, B), TURN[begin], strict=True):
        hand.move(pin, closed, 0)
    knob.listen(turns.append, ignore)
    for n in range(1, 21):
        for pin, down in detents(clicks, begin + (n - 1) * 4 // clicks, 1):
            hand.move(pin, down, n * MS)
        assert [turn.steps for turn in turns] == [1] * n
    for pin, down in detents(clicks, begin, -5):
        hand.move(pin, down, 30 * MS)
    assert [turn.steps for turn in turns] == [1] * 20 + [-1] * 5


@pytest.mark.parametrize("clicks", [1, 2])
def test_a_knob_that_is_touched_as_the_kit_starts_counts_right_from_its_next_rest_on(
    clicks: ClicksATurn, hand: Hand, report: Report
) -> None:
    turns: list[Turn] = []
    knob = GpioKnob(A, B, PUSH, hand.factory, "virtual", report, clicks)
    hand.move(A, True, 0)
    knob.listen(turns.append, ignore)
    quarters = [*detents(4, 1, 3), *detents(clicks, 0, 5)]  # the turn is finished, and five clicks more
    for pin, down in quarters:
        hand.move(pin, down, MS)
    assert sum(turn.steps for turn in turns) == 6


def test_an_arrow_reports_raw_edges(hand: Hand, report: Report) -> None:
    seen: list[Edge] = []
    with closing(GpioArrows(A, B, PUSH, hand.factory, "virtual", report)) as arrows:
        arrows.listen(ignore, seen.append)
        for pin, down, at_ms in ((A, True, 0), (A, False, 1), (B, True, 7), (PUSH, True, 8)):
            hand.move(pin, down, at_ms * MS)
    names = [("up", True, 0), ("up", False, 1), ("down", True, 7), ("ok", True, 8)]
    assert seen == [Edge(name, down, at_ms * MS) for name, down, at_ms in names]


class LampRig(NamedTuple):
    lamps: Lamps
    lit: Callable[[], set[str]]


@pytest.fixture(params=["emulated", "mock"])
def lamp_rig(request: pytest.FixtureRequest, factory: Any, report: Report) -> LampRig:
    if request.param == "emulated":
        emulated = EmulatedLamps(PINS)
        return LampRig(emulated, lambda: set(emulated.lit))
    lamps = GpioLamps(PINS, factory, report)
    return LampRig(lamps, lambda: {name for name, pin in PINS.items() if factory.pin(pin).state})


def test_lamps_are_dark_then_exactly_the_named_ones_are_lit_that_there_are_and_closing_puts_them_out(
    lamp_rig: LampRig,
) -> None:
    seen = [lamp_rig.lit()]
    for lit in ({"P1", "P2"}, {"P2", "P3", "P9"}):
        lamp_rig.lamps.show(frozenset(lit))
        seen.append(lamp_rig.lit())
    names = set(lamp_rig.lamps.names)
    lamp_rig.lamps.close()
    assert ([*seen, lamp_rig.lit()], names) == ([set(), {"P1", "P2"}, {"P2", "P3"}, set()], set(PINS))


def test_a_watcher_sees_the_emulated_lamps_and_each_change() -> None:
    seen: list[frozenset[str]] = []
    lamps = EmulatedLamps(PINS)
    lamps.watch(seen.append)
    for lit in ({"P1"}, {"P1"}, {"P2"}):
        lamps.show(frozenset(lit))
    assert seen == [set(), {"P1"}, {"P2"}]


def test_a_pin_that_is_taken_is_reported_by_name_and_pin(factory: Any, report: Report, reports: Reports) -> None:
    with (
        closing(GpioButtons({"other": PINS["P3"]}, factory, "virtual", report)),
        closing(GpioButtons(PINS, factory, "virtual", report)),
        closing(GpioLamps(PINS, factory, report)) as lamps,
    ):
        lost = [f"{part} lost: GPIO {pin} is busy" for part, pin in (("button P3", 13), ("lamp P1", 5))]
        assert [text for _, text in reports][:2] == lost and lamps.names == set()


class DyingPin(MockPWMPin):  # type: ignore[misc]
    """A pin whose chip is taken away: from then on every write fails."""

    dead = False

    def _set_state(self, value: float) -> None:
        if self.dead:
            raise OSError("unexpected error")
        super()._set_state(value)


def test_a_lamp_that_dies_is_reported_once(factory: Any, report: Report, reports: Reports) -> None:
    factory.pin_class = DyingPin
    with closing(GpioLamps({"P1": 5, "P2": 6}, factory, report)) as lamps:
        factory.pin(5).dead = True
        lamps.show(frozenset({"P1", "P2"}))
        lamps.show(frozenset())
    assert reports == [("lamp P1", "lamp P1 lost: GPIO 5: unexpected error")]


BUZZER = 18
LONG_MS = 600_000  # longer than any test: a tone that only ends by being cut off


class BuzzerRig(NamedTuple):
    buzzer: Buzzer
    hz: Callable[[], float]  # what sounds now; 0: silence


@pytest.fixture(params=["emulated", "mock"])
def buzzer_rig(request: pytest.FixtureRequest, factory: Any, report: Report) -> Any:
    rig: BuzzerRig
    if request.param == "emulated":
        tunes: list[Tune] = [()]
        emulated = EmulatedBuzzer()
        emulated.watch(tunes.append)
        rig = BuzzerRig(emulated, lambda: tunes[-1][0].hz if tunes[-1] else 0)
    else:
        rig = BuzzerRig(GpioBuzzer(BUZZER, lambda: factory, report), lambda: factory.pin(BUZZER).frequency or 0)
    yield rig
    rig.buzzer.close()


def test_a_tune_is_cut_off_by_another_by_silence_and_by_closing(buzzer_rig: BuzzerRig) -> None:
    heard_hz = []
    for tune in ((Tone(880, LONG_MS),), (Tone(2000, LONG_MS),), (), (Tone(1000, LONG_MS),)):
        buzzer_rig.buzzer.play(tune)
        heard_hz.append(buzzer_rig.hz())
    buzzer_rig.buzzer.close()
    assert [*heard_hz, buzzer_rig.hz()] == [880, 2000, 0, 1000, 0]


def test_lamps_and_buzzer_stamp_when_they_are_on(lamp_rig: LampRig, buzzer_rig: BuzzerRig) -> None:
    before_ns = time.monotonic_ns()
    stamps = [lamp_rig.lamps.show(frozenset({"P1"})), buzzer_rig.buzzer.play((Tone(1000, LONG_MS),))]
    order_ns = [before_ns, *stamps, time.monotonic_ns()]
    assert order_ns == sorted(order_ns)


def test_closing_silences_the_buzzer(buzzer_rig: BuzzerRig) -> None:
    buzzer_rig.buzzer.play((Tone(1000, LONG_MS),))
    buzzer_rig.buzzer.close()
    assert buzzer_rig.hz() == 0


def test_an_emulated_part_obeys() -> None:
    turns: list[Turn] = []
    control = EmulatedControl(knob=True)
    control.listen(turns.append, ignore)
    control.turn(-2, at_ns=7, knob=False)  # by arrow keys
    assert turns == [Turn(-2, 7, knob=False)]
    assert (EmulatedLamps(PINS, lambda: 42).show(frozenset()), EmulatedBuzzer(lambda: 42).play(())) == (42, 42)


class SpeakingPin(MockPWMPin):  # type: ignore[misc]
    """A PWM pin that can be listened to."""

    def __init__(self, factory: Any, info: Any) -> None:
        super().__init__(factory, info)
        self.heard: queue.Queue[float | None] = queue.Queue()

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        self.heard.put(value)


@pytest.fixture
def speaking(factory: Any, report: Report) -> Any:
    """A real buzzer on mock pins, and what is heard from now on: Hz, or None for silence."""
    factory.pin_class = SpeakingPin
    buzzer = GpioBuzzer(BUZZER, lambda: factory, report)
    sounds = factory.pin(BUZZER).heard
    while not sounds.empty():  # what opening it switched
        sounds.get()
    yield buzzer, sounds
    buzzer.close()


def test_a_tune_goes_on_from_tone_to_tone_to_silence(speaking: tuple[GpioBuzzer, "queue.Queue[float | None]"]) -> None:
    buzzer, sounds = speaking
    buzzer.play((Tone(1000, 5), Tone(0, 5), Tone(2000, 5)))
    assert [sounds.get(timeout=PATIENCE_S) for _ in range(4)] == [1000, None, 2000, None]


def test_nothing_of_a_tune_cut_off_comes_later(
    monkeypatch: pytest.MonkeyPatch, speaking: tuple[GpioBuzzer, "queue.Queue[float | None]"]
) -> None:
    now_ns = [0]
    monkeypatch.setattr("hardware.parts.buzzer.gpio.monotonic_ns", lambda: now_ns[0])
    buzzer, sounds = speaking
    buzzer.play((Tone(1000, 20), Tone(3000, 5)))
    buzzer.play((Tone(2000, 40),))
    now_ns[0] = 100_000_000  # both are over
    assert [sounds.get(timeout=PATIENCE_S) for _ in range(3)] == [1000, 2000, None]


def test_a_lost_buzzer_can_be_played_all_the_same(factory: Any, report: Report) -> None:
    buzzer = GpioBuzzer(99, lambda: factory, report)
    before_ns = time.monotonic_ns()
    assert buzzer.play((Tone(1000, 5),)) >= before_ns
    buzzer.close()


@pytest.mark.parametrize(("driver", "library", "extra"), [("lgpio", "lgpio", "pi"), ("rpigpio", "RPi", "rpigpio")])
def test_a_missing_library_has_a_remedy(monkeypatch: pytest.MonkeyPatch, driver: Any, library: str, extra: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"gpiozero.pins.{driver}", raising=False)
    with pytest.raises(PartLost, match=rf"^gpio lost: .*{library}.*: pip install luckypaw\[{extra}\]$"):
        open_factory(driver)


@needs("lgpio")
def test_a_machine_that_is_no_pi_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.parts.gpio.chips.chip_labels", dict)
    with pytest.raises(PartLost, match=r"^gpio lost: no GPIO chip .*: none at all: this needs a Raspberry Pi, .*$"):
        open_factory("lgpio")


LOOK_AROUND = """
import os
from hardware.parts.gpio import open_factory
from hardware.parts import PartLost
try:
    open_factory("lgpio")
except PartLost:
    pass
print(os.getcwd(), os.listdir(), os.environ.get("LG_WD"))
"""


def test_opening_lgpio_leaves_no_trace_in_the_working_directory(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "LG_WD"} | {
        "PYTHONPATH": os.pathsep.join(sys.path)
    }
    run = [sys.executable, "-c", LOOK_AROUND]
    seen = subprocess.run(run, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout
    assert seen == f"{tmp_path} [] None\n"
