"""The parts of a kit for the guided check: every line raw, a knob's contacts too."""

from collections.abc import Callable
from itertools import pairwise
from time import monotonic_ns
from typing import NamedTuple, Protocol

from hardware.config import KitConfig, lines
from hardware.kit import Kit, open_display, open_emulated
from hardware.parts import Report, needing
from hardware.parts.buttons import Buttons, Edge
from hardware.parts.buttons.emulated import EmulatedButtons
from hardware.parts.buzzer import Buzzer
from hardware.parts.control import Control, Turn
from hardware.parts.control.clicks import TURN
from hardware.parts.display import Display
from hardware.parts.gpio import Factories
from hardware.parts.lamps import Lamps

A, B = "knob A", "knob B"  # longer than any player's name


class RawLines(Protocol):
    """Raw lines: their edges, on any thread."""

    def listen(self, on_edge: Callable[[Edge], None]) -> None: ...
    def close(self) -> None: ...


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> None: ...


class Bench(NamedTuple):
    """The parts, open."""

    config: KitConfig
    lines: RawLines  # players' buttons by name; `ok`, `up`, `down`; a knob's contacts `A` and `B`
    lamps: Lamps
    buzzer: Buzzer | None
    display: Display
    own: tuple[Closable | None, ...]  # what is closed with it; the rest is borrowed

    @property
    def pins(self) -> dict[str, int]:
        """The pin of each line."""
        return pins(self.config)

    def close(self) -> None:
        """Let go of everything that is not borrowed."""
        for part in self.own:
            if part is not None:
                part.close()


def pins(config: KitConfig) -> dict[str, int]:
    """The pin of each line of buttons and control, by its name."""
    names = {"control.push": "ok", "control.a": A, "control.b": B}
    return {names.get(line.key, line.name): line.pin for line in lines(config) if line.part in ("button", "control")}


def open_bench(config: KitConfig, report: Report) -> Bench:
    """The real parts, except those that the description emulates. Raises `PartLost`."""
    if config.buttons.driver == "emulated":
        bench = emulated_bench(config, report)
        display = open_display(config, report, None)
        return bench._replace(display=display, own=(bench.lines, bench.lamps, bench.buzzer, display))
    bench = _on_lines(config, report)
    return bench._replace(own=(*bench.own, bench.display))


def borrowed_bench(kit: Kit, report: Report) -> Bench:
    """The parts of a kit that has let go of them; display and emulated parts stay open when it is closed."""
    if kit.gpio is not None:
        return _on_lines(kit.config, report, kit.gpio, kit.display)
    twins = TwinLines(kit.buttons, kit.control)
    return Bench(kit.config, twins, kit.lamps, kit.buzzer, kit.display, (twins,))


def _on_lines(
    config: KitConfig, report: Report, gpio: Factories | None = None, display: Display | None = None
) -> Bench:
    """The real lines; with these factories and this display, which are borrowed, else it opens them."""
    with needing("gpio"):
        from hardware.parts.buttons.gpio import GpioButtons
        from hardware.parts.buzzer.gpio import GpioBuzzer
        from hardware.parts.gpio import open_factory
        from hardware.parts.lamps.gpio import GpioLamps
    driver = config.buttons.driver
    assert driver != "emulated"  # the callers
    gpio = open_factory(driver) if gpio is None else gpio
    display = open_display(config, report, gpio.outputs) if display is None else display
    buttons = GpioButtons(pins(config), gpio.inputs, gpio.source, report)
    lamps = GpioLamps(config.lamps, gpio.outputs, report)
    buzzer = GpioBuzzer(config.buzzer.pin, gpio.pwm, report) if config.buzzer else None
    return Bench(config, buttons, lamps, buzzer, display, (buttons, lamps, buzzer))


def emulated_bench(
    config: KitConfig, report: Report, *, threaded: bool = True, clock: Callable[[], int] = monotonic_ns
) -> Bench:
    """Emulated twins only. `threaded=False`: everything happens in the caller, for tests."""
    kit = open_emulated(config, report, threaded=threaded, clock=clock)
    buttons = EmulatedButtons(pins(config))
    own = (buttons, kit.lamps, kit.buzzer, kit.display)
    return Bench(config, buttons, kit.lamps, kit.buzzer, kit.display, own)


class TwinLines:
    """The raw lines of emulated buttons and control: a turn is the edges that a knob's contacts, or arrows, make."""

    def __init__(self, buttons: Buttons, control: Control) -> None:
        self._buttons, self._control = buttons, control

    def listen(self, on_edge: Callable[[Edge], None]) -> None:
        """Report to this callback from now on."""

        def turned(turn: Turn) -> None:
            for _ in range(abs(turn.steps)):
                for name, down in self._moves(turn.steps > 0):
                    on_edge(Edge(name, down, turn.at_ns))

        self._buttons.listen(on_edge)
        self._control.listen(turned, on_edge)

    def _moves(self, up: bool) -> list[tuple[str, bool]]:
        """The lines that one step moves, in order."""
        if not self._control.knob:
            name = "up" if up else "down"
            return [(name, True), (name, False)]
        way = (*TURN, TURN[0]) if up else (TURN[0], *reversed(TURN))
        return [(A, now[0]) if was[0] != now[0] else (B, now[1]) for was, now in pairwise(way)]

    def close(self) -> None:
        """Report no more."""
        self._buttons.close()
        self._control.close()
