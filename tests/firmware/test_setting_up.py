"""SET UP in the menu: what needs the parts gets them, and the kit has them again however it ends."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from gpiozero.pins.mock import MockConnectedPin, MockFactory
from msgspec import structs

import hardware.parts.gpio
from firmware.cli import play
from firmware.cli.arguments import parser
from firmware.messages import TableNews
from firmware.output.public import certificate as summary
from firmware.setup import certificate, flashing, menu, steps
from firmware.setup.chosen_kit import Choosing, chosen
from firmware.setup.steps import Setup, StepFailed
from firmware.setup.strip_test import COLOURS, PLAIN, sights
from firmware.table.back_menu import Back, More
from hardware.config import KITS, TABLE, ControlConfig, DisplayConfig, KitConfig, StripConfig
from hardware.kit import Kit, open_real
from hardware.parts import PartLost
from hardware.parts.buttons import Edge
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.control import Turn
from hardware.parts.display.emulated import EmulatedDisplay
from hardware.parts.gpio import MOCK_REVISION, Factories, calibration
from hardware.parts.strip import OFF, Pixels
from hardware.parts.strip.serial import open_port
from tests.simulators.pico import Pico
from tests.simulators.plugged_wled import PluggedWled
from tests.simulators.rig import MS, Rig
from tests.simulators.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow

DOC = Path(__file__).resolve().parents[2] / "docs" / "setting-up.md"
ARROWS = structs.replace(TABLE, control=ControlConfig("buttons", up=17, down=27, ok=24))


class Bench(Rig):
    """A kit that can be set up. Steps take real time, on threads of their own."""

    def __init__(self, folder: Path, config: KitConfig = TABLE) -> None:
        super().__init__(folder, config, start_ns=time.monotonic_ns())
        self.folder = folder
        self.setup = Setup(self.app, folder, self.report)
        play.offer(self.app.table, self.setup)

    def until(self, true: Callable[[], bool]) -> "Bench":
        """Let real time pass until something is true."""

        def passes() -> None:
            time.sleep(0.005)
            self.after(1)

        until(true, lambda: f"the display says something else: {self.reads()}", meanwhile=passes)
        return self

    def sees(self, text: str) -> "Bench":
        """Let real time pass until this is on the display."""
        return self.until(lambda: text in self.reads())

    def set_up(self, row: str) -> "Bench":
        """Choose a row of SET UP."""
        self.choose("Set up").choose(row)
        return self

    def asked(self, text: str, act: Callable[[], object]) -> "Bench":
        """Do what is asked for, once it is."""
        self.sees(text)
        act()
        return self


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def answered(bench: Bench, silent: bool = False) -> Bench:
    """Walk through the guided check of the emulated kit; nobody hears the buzzer where that is `silent`."""
    names = bench.kit.config.names
    bench.set_up("Check the kit").sees("OK: start").ok()
    bench.asked("frame complete?", bench.ok)
    for name in names:
        bench.asked(f"{name} | GPIO", partial(bench.tap, name))
    if bench.kit.control.knob:
        bench.asked("KNOB", lambda: bench.control.turn(4, at_ns=bench.now_ns))
        bench.asked("PUSH", bench.ok)
    else:
        bench.asked("GPIO 17", lambda: bench.control.turn(1, at_ns=bench.now_ns))
        bench.asked("GPIO 27", lambda: bench.control.turn(-1, at_ns=bench.now_ns))
        bench.asked("GPIO 24", bench.ok)
    for name in names:
        bench.asked(f"lit for {name}", partial(bench.tap, name))
    bench.sees("TONE?")
    bench.arrow(-1) if silent else bench.ok()
    return bench


@pytest.mark.parametrize("config", [TABLE, ARROWS], ids=["a knob", "arrows"])
def test_the_guided_check_asks_for_every_part_and_the_menu_is_back(tmp_path: Path, config: KitConfig) -> None:
    with closing(Bench(tmp_path, config)) as bench:
        answered(bench).sees("ALL RIGHT").ok()
        assert bench.row() == "Check the kit"


def test_the_doc_has_the_rows_of_the_menu_in_their_order(bench: Bench) -> None:
    real = structs.replace(TABLE, buttons=structs.replace(TABLE.buttons, driver="gpiod"))
    with_all = SimpleNamespace(config=real, leds=LEDS, flashes=True, phones=SimpleNamespace(on=False))
    rows = menu.SetUp(bench.app.table, cast("Setup", with_all)).rows()
    texts = [text if isinstance(text, str) else text[-1] for text, _do in rows]
    section = DOC.read_text("utf-8").partition("\n## Set up\n")[2].partition("\n#")[0]
    assert re.findall(r"^\| \*(.+?)\* \|", section, re.MULTILINE) == texts


def test_a_fault_that_people_find_is_told_with_its_remedy(bench: Bench) -> None:
    answered(bench, silent=True).sees("1 FAULT").ok()
    assert bench.pieces > {"buzzer", "1/2", "OK: more"}
    assert bench.reads().startswith("GPIO 13: nobody heard the")


def test_who_holds_ok_leaves_the_guided_check(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "LEAVE_NS", 50 * MS)
    bench.set_up("Check the kit").sees("OK: start").ok()
    bench.sees("frame complete?").ok()
    bench.sees("P1 | GPIO").down("ok")
    bench.sees("LET GO").up("ok")
    bench.sees("NO FAULT SO FAR").after(1_000)
    assert bench.top == "NoFault"


def test_buttons_play_again_after_the_check(bench: Bench) -> None:
    answered(bench).sees("ALL RIGHT").ok().ok_hold()
    bench.do("turn+20 game[kitty_paw 2] +P1,P2 3100 -P1,P2 2s")
    assert bench.board.phase == "build"


def test_the_kit_says_what_it_does_while_the_doctor_looks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = threading.Event()
    monkeypatch.setattr(bench.setup, "_examined", lambda kit: seen.wait(PATIENCE_S))
    bench.setup.look(lambda found: None)
    assert bench.after(1).pieces == {"SET UP", "LOOKING ...", "touch nothing"}
    seen.set()
    bench.until(lambda: bench.top == "Menu")


def test_the_doctor_finds_nothing_wrong_with_emulated_parts_and_a_page_that_is_served(bench: Bench) -> None:
    found: list[object] = []
    bench.setup.look(found.append)
    bench.until(lambda: bool(found))
    (all_of_them,) = found
    assert isinstance(all_of_them, list)
    assert {each.part for each in all_of_them if not each.fault} >= {"board", "storage"}
    assert not [each for each in all_of_them if each.part in ("page", "display", "strip")]


# --- real parts ------------------------------------------------------------------------------------------------------

SIMPLE = structs.replace(
    TABLE,
    players=tuple(structs.replace(player, lamp=None) for player in TABLE.players),
    display=DisplayConfig("emulated"),
    buzzer=None,
    strip=None,
)
WIRE = 25


class RealBench(Bench):
    """A kit on mock pins, with an emulated display."""

    def open(self, config: KitConfig) -> Kit:
        kit = open_real(config, self.report)
        assert isinstance(kit.display, EmulatedDisplay)
        self.display = kit.display
        return kit

    def edge(self, name: str, *, down: bool) -> None:
        self.app.post(Edge(name, down, self.now_ns))

    def push(self, *, down: bool) -> None:
        self.edge("ok", down=down)

    def turn(self, steps: int) -> None:
        self.app.post(Turn(steps, self.now_ns, knob=False))

    def line(self, pin: int, *, low: bool) -> None:
        """Move a line of the header."""
        assert self.app.kit.gpio is not None
        mock = self.app.kit.gpio.inputs.pin(pin)
        mock.drive_low() if low else mock.drive_high()
        self.after(1)


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Mock pins, one of which may be wired to another."""
    factory = MockFactory(revision=MOCK_REVISION)
    made = Factories(factory, factory, "callback", lambda: factory)
    monkeypatch.setattr(hardware.parts.gpio, "open_factory", lambda driver: made)
    for name, value in (("PAUSE_S", (0, 0)), ("PATIENCE_S", 0.02), ("QUIET_S", 0.02), ("SETTLE_S", 0)):
        monkeypatch.setattr(calibration, name, value)
    return factory


@pytest.fixture
def real(tmp_path: Path, pins: Any) -> Iterator[RealBench]:
    made = RealBench(tmp_path, SIMPLE)
    yield made
    made.close()


def stepped(bench: Bench, step: Callable[[Kit], object]) -> list[object]:
    """A step with the parts: what has come of it."""
    found: list[object] = []
    bench.setup.borrow(lambda kit, show: step(kit), found.append)
    bench.until(lambda: bool(found))
    return found


def test_a_step_has_the_lines_for_itself(real: RealBench) -> None:
    def open_them(kit: Kit) -> dict[str, str | None]:
        lost: dict[str, str | None] = {}
        assert kit.gpio is not None
        buttons = {player.name: player.button for player in kit.config.players}
        GpioButtons(buttons, kit.gpio.inputs, kit.gpio.source, lost.__setitem__).close()
        return lost

    assert stepped(real, open_them) == [{}]


def test_the_lines_are_the_kits_again_after_a_step(real: RealBench) -> None:
    before = real.app.kit
    stepped(real, lambda kit: None)
    real.line(5, low=True)
    real.sees("this is P1")
    assert (real.app.kit.display is before.display, real.app.kit.buttons is before.buttons) == (True, False)


@pytest.mark.parametrize("error", [OSError("the card is gone"), PartLost("gpio", "gpio lost"), KeyError()])
def test_a_step_that_fails_is_told_and_the_kit_has_its_lines_again(real: RealBench, error: Exception) -> None:
    def fail(kit: Kit) -> None:
        raise error

    (failed,) = stepped(real, fail)
    assert failed == StepFailed(str(error) or "KeyError")
    real.line(5, low=True)
    real.sees("this is P1")


def test_a_button_that_is_held_as_a_step_begins_is_not_stuck_afterwards(real: RealBench) -> None:
    real.line(5, low=True)
    stepped(real, lambda kit: real.line(5, low=False))
    real.after(11_000)
    assert "stuck" not in real.reads()


def test_a_line_that_came_back_meanwhile_is_reported(real: RealBench) -> None:
    real.lost("P1")
    stepped(real, lambda kit: None)
    real.sees("button P1 is back")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_kit_whose_parts_cannot_be_taken_back_is_started_again(
    real: RealBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(kit: Kit, report: object) -> Kit:
        raise RuntimeError

    assert real.app.hangs() is None
    monkeypatch.setattr(steps, "open_again", fail)
    real.setup.borrow(lambda kit, show: None, lambda found: None)
    real.until(lambda: "setup" not in {thread.name for thread in threading.enumerate()})
    assert real.app.hangs() == "the buttons' thread"


def test_a_calibration_through_a_wire_counts_at_once(real: RealBench, pins: Any) -> None:
    told: list[TableNews] = []
    real.app.follow(told.append, "certificate")  # as a page does
    pins.pin(WIRE, pin_class=MockConnectedPin, input_pin=pins.pin(5))
    real.set_up("Calibration").choose(f"GPIO {WIRE}")
    real.sees(f"GPIO {WIRE}, | pin 22, to GPIO 5, pin | 29, the line of P1").ok()
    real.sees("OK: start").ok()
    real.sees("Done: presses").ok()
    measured = certificate.load(real.folder)
    assert measured is not None
    assert (real.app.table.standing.certificate, measured.wire) == (measured, WIRE)
    assert told == [{"certificate": None}, {"certificate": summary(measured)}]


def test_a_calibration_without_a_wire_says_so(real: RealBench) -> None:
    real.set_up("Calibration").choose(f"GPIO {WIRE}").ok().ok()
    real.until(lambda: {"NOT DONE", "no wire: P1's line GPIO 5"} <= real.pieces)
    assert certificate.load(real.folder) is None


def test_only_lines_that_are_free_are_offered_for_the_wire(real: RealBench) -> None:
    real.set_up("Calibration")
    taken = {0, 1, *(player.button for player in TABLE.players), *TABLE.control.pins.values()}
    assert (real.row(), {int(row.split()[1]) for row in real.rows} & taken) == ("GPIO 18", set())


def test_an_emulated_kit_is_not_calibrated(bench: Bench) -> None:
    assert [row for row in bench.choose("Set up").rows if row == "Calibration"] == []


# --- where it is -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("addresses", "told"),
    [
        (
            ("192.168.1.23", "10.42.0.1"),
            "In the network: cat.local or 192.168.1.23, 10.42.0.1. With SSH on: ssh USER@cat.local",
        ),
        ((), "No network. Plug a cable in, or put wifi.txt into the folder luckypaw on the card."),
    ],
)
def test_where_the_kit_is_in_the_network_is_told(
    addresses: tuple[str, ...], told: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.phones.network.addresses", lambda: addresses)
    monkeypatch.setattr("socket.gethostname", lambda: "cat")
    bench.set_up("Address").after(10)
    top = bench.app.table.top
    assert isinstance(top, menu.ToldPages)
    assert " ".join(line for page in top.pages for line in page) == told
    bench.ok()


# --- the strip -------------------------------------------------------------------------------------------------------

LEDS = 30


class StripBench(RealBench):
    """The same with a real strip's line."""

    def __init__(self, folder: Path) -> None:
        self.controller = PluggedWled(folder, LEDS)
        self.controller.plug()
        super().__init__(folder, structs.replace(SIMPLE, strip=StripConfig(str(self.controller.port), leds=LEDS)))
        self.until(lambda: self.setup.leds == LEDS)


@pytest.fixture
def with_strip(tmp_path: Path, pins: Any) -> Iterator[StripBench]:
    made = StripBench(tmp_path)
    yield made
    made.close()
    made.controller.unplug()


def test_a_step_has_the_strips_port_for_itself_and_the_strip_is_lit_again(with_strip: StripBench) -> None:
    def ask(kit: Kit) -> bytes:
        with closing(open_port(str(with_strip.controller.port))) as port:
            port.write(b"\nv")
            time.sleep(0.2)
            return bytes(port.read(100))

    assert b"WLED" in bytes(*stepped(with_strip, ask))
    with_strip.until(lambda: set(with_strip.controller.lamps) != {OFF})


def test_a_strip_that_is_pulled_out_while_a_step_has_it_is_missed_then(with_strip: StripBench) -> None:
    stepped(with_strip, lambda kit: with_strip.controller.unplug())
    with_strip.sees("strip lost")


def shows(bench: StripBench, picture: Pixels) -> bool:
    return bench.controller.lamps == picture


def test_the_strips_test_asks_for_the_colours_and_shows_what_the_command_shows(with_strip: StripBench) -> None:
    with_strip.set_up("Strip test")
    for n, (sight, colour) in enumerate(zip(PLAIN, COLOURS, strict=False), 1):
        with_strip.sees(f"WHICH COLOUR? {n}/3")
        with_strip.until(partial(shows, with_strip, sight.pixels(LEDS)))
        with_strip.choose(colour)
    shown = sights(with_strip.kit.config.names)[len(COLOURS) :]
    for n, sight in enumerate(shown, 1):
        with_strip.sees(f"| {sight.name} | {n}")
        with_strip.ok()
    assert with_strip.top == "SetUp"


def test_a_wrong_colour_order_is_named_with_what_to_set(with_strip: StripBench) -> None:
    with_strip.set_up("Strip test")
    for colour in ("Green", "Red", "Blue"):
        with_strip.choose(colour)
    with_strip.sees("is RGB, where GRB is set.")


def test_the_strips_test_says_that_the_strip_is_gone(with_strip: StripBench) -> None:
    with_strip.set_up("Strip test")
    for colour in COLOURS:
        with_strip.choose(colour)
    with_strip.sees("the first lamp")
    with_strip.controller.unplug()
    with_strip.sees("strip lost")

    def stands() -> bool:
        with_strip.after(1_000)  # until the note is over, which may have come later
        return {"strip lost:", "the first lamp"} <= {with_strip.reads()[:11], *with_strip.pieces}

    with_strip.until(stands)


def test_a_kit_without_a_strip_has_no_test_of_one(real: RealBench) -> None:
    assert [row for row in real.choose("Set up").rows if "trip" in row] == []


def test_set_up_is_offered_only_between_games(bench: Bench) -> None:
    assert "Set up" in bench.rows
    bench.do("game[kitty_paw 2] ok!")
    menu = bench.app.table.top
    assert isinstance(menu, Back)
    assert "Set up" not in [text for text, _ in More(menu.game).rows()]


class PicoBench(RealBench):
    """A kit whose strip's controller is a Pico with MicroPython alone."""

    def __init__(self, folder: Path) -> None:
        self.files = folder / "board"
        self.files.mkdir()
        port = folder / "luckypaw-strip"
        self.pico = Pico(self.files, port)
        super().__init__(folder, structs.replace(SIMPLE, strip=StripConfig(str(port), leds=42)))

    def close(self) -> None:
        super().close()
        self.pico.pull()

    def flash(self) -> "PicoBench":
        """Flash the strip, from SET UP: whether it is done or not is on the display."""
        self.choose("Flash the strip")
        self.sees("OK: start").ok()
        self.until(lambda: any(told in self.reads() for told in ("NOT DONE", "Done: ")))
        return self


@pytest.fixture
def with_pico(tmp_path: Path, pins: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[PicoBench]:
    monkeypatch.setattr(flashing, "COMES_S", PATIENCE_S)
    monkeypatch.setattr(flashing, "COMMAND_S", PATIENCE_S)
    made = PicoBench(tmp_path)
    yield made
    made.close()


def test_a_pico_that_is_pulled_out_half_way_is_told_and_flashed_again_and_lights_up(
    with_pico: PicoBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = flashing._copy  # noqa: SLF001

    def half_way(port: str, settings: flashing.Settings, progress: Callable[[str, float], None]) -> None:
        def pulled(text: str, done: float) -> None:
            progress(text, done)
            if text.startswith("file 2 "):
                with_pico.pico.pull()

        copy(port, settings, pulled)

    with monkeypatch.context() as patched:
        patched.setattr(flashing, "COMES_S", 0.5)
        patched.setattr(flashing, "_copy", half_way)
        with_pico.choose("Set up")
        assert "NOT DONE" in with_pico.flash().reads()
    assert with_pico.ok().top == "SetUp"
    with_pico.pico = Pico(with_pico.files, with_pico.folder / "luckypaw-strip")
    until(  # a board that is too busy to answer is flashed again, too
        lambda: "Done: 42 lamps" in with_pico.flash().reads(),
        lambda: f"it is flashed; the display says: {with_pico.reads()}",
        meanwhile=with_pico.ok,
    )
    with_pico.ok()
    with_pico.until(lambda: with_pico.setup.leds == 42 and with_pico.app.table.lost.reason("strip") is None)
    assert json.loads((with_pico.files / "strip.json").read_text())["max_mA"] == 1500


def test_an_emulated_strip_is_not_flashed(bench: Bench) -> None:
    assert "Flash the strip" not in bench.choose("Set up").rows


# --- which kit -------------------------------------------------------------------------------------------------------


class Tries(Bench):
    """A kit that may be chosen; what it is to go on as is noted."""

    def __init__(self, folder: Path, choosing: Choosing) -> None:
        super().__init__(folder)
        self.tried: list[str | None] = []
        self.setup.choosing, self.setup.again = choosing, self.tried.append
        menu.after_choice(self.app.table, self.setup)
        self.after(1)


@pytest.fixture
def table_kit(tmp_path: Path) -> Iterator[Tries]:
    made = Tries(tmp_path, Choosing("table"))
    yield made
    made.close()


@pytest.fixture
def party_tried(tmp_path: Path) -> Iterator[Tries]:
    made = Tries(tmp_path, Choosing("party", trial="party"))
    yield made
    made.close()


def test_the_kits_are_listed_and_the_control_stands_at_this_one(table_kit: Tries) -> None:
    table_kit.set_up("Choose the kit")
    assert table_kit.rows == ["Duo: 2 buttons", "Table: 4 buttons", "Party: 6 buttons", "as installed"]
    assert table_kit.row() == "Table: 4 buttons"


@pytest.mark.parametrize(("row", "name"), [("Party", "party"), ("as installed", "")])
def test_a_kit_is_tried_after_an_ok(table_kit: Tries, row: str, name: str) -> None:
    table_kit.set_up("Choose the kit").choose(row)
    assert table_kit.tried == []
    table_kit.ok()
    assert (table_kit.tried, chosen(table_kit.folder)) == ([name], None)


def test_a_kit_that_is_tried_is_kept_by_ok(party_tried: Tries) -> None:
    assert {"KEEP IT?", "else back in 30 s"} <= party_tried.pieces
    party_tried.after(29_000).ok().after(60_000)
    assert (chosen(party_tried.folder), party_tried.tried) == (KITS / "party.toml", [])


def test_a_kit_whose_ok_nobody_can_press_is_given_up(party_tried: Tries) -> None:
    party_tried.after(29_900)
    assert (party_tried.tried, "else back in 1 s" in party_tried.reads()) == ([], True)
    party_tried.after(200)
    assert (party_tried.tried, chosen(party_tried.folder)) == ([None], None)


def test_a_choice_that_cannot_be_written_is_told(party_tried: Tries) -> None:
    (party_tried.folder / "kit.new").mkdir()
    party_tried.ok()
    assert "not kept: Is a directory" in party_tried.reads()


def test_a_kit_that_was_named_otherwise_is_not_changed(tmp_path: Path) -> None:
    with closing(Tries(tmp_path, Choosing("own", "luckypaw.toml on the card says which kit this is"))) as named:
        named.set_up("Choose the kit")
        assert "luckypaw.toml on the card" in named.reads()
        assert named.ok().top == "SetUp"


def test_the_program_goes_on_as_the_kit_that_is_tried_and_then_as_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = iter((play.Again("party", 4711), play.Again(None, 4711), play.Again("", None), None))
    seen: list[tuple[int, str, str | None, int | None]] = []

    async def played(config: KitConfig, state: Path, *, port: int, choosing: Choosing, **_: object) -> object:
        seen.append((len(config.players), choosing.name, choosing.trial, port))
        return next(said)

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(play, "play", played)
    (tmp_path / "kit.chosen").write_text("duo")
    play.run(parser().parse_args(["play", "--emulated", "--port", "0"]))
    assert seen == [(2, "duo", None, 0), (6, "party", "party", 4711), (2, "duo", None, 4711), (4, "table", "", None)]


def test_where_the_installed_description_is_wrong_the_kit_goes_on_and_tells_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[Choosing] = []

    async def played(*_: object, choosing: Choosing, **__: object) -> object:
        seen.append(choosing)
        return None if choosing.refused else play.Again("", None)

    wrong = tmp_path / "kit.toml"
    wrong.write_text("[display]\ndriver = 5\n")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(play, "SYSTEM_CONFIG", wrong)
    monkeypatch.setattr(play, "play", played)
    (tmp_path / "kit.chosen").write_text("duo")
    play.run(parser().parse_args(["play", "--emulated"]))
    assert [(each.name, each.trial) for each in seen] == [("duo", None), ("duo", None)]
    with closing(Tries(tmp_path, seen[1])) as told:
        assert told.pieces >= {"NOT CHANGED", "kit.toml: display.driver"}
        assert told.ok().top == "Menu"


@pytest.mark.parametrize("words", [["--kit", "duo"], ["--config", str(KITS / "duo.toml")]])
def test_a_kit_that_is_named_at_the_start_cannot_be_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str]
) -> None:
    seen: list[str | None] = []

    async def played(*_: object, choosing: Choosing, **__: object) -> None:
        seen.append(choosing.fixed)

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(play, "play", played)
    play.run(parser().parse_args(["play", "--emulated", *words]))
    assert seen == ["this kit was named when it was started: leave --kit and --config out"]
