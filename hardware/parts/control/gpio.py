"""The control on GPIO pins: a rotary knob with push, or three buttons, all between their pins and ground."""

from collections.abc import Callable, Sequence

from gpiozero import Factory

from hardware.parts import Report
from hardware.parts.buttons import Edge, Source
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.control import Turn
from hardware.parts.control.clicks import Clicks, ClicksATurn
from hardware.words import N_


class GpioKnob:
    """A rotary knob. Reports come on the driver's thread.

    Not gpiozero's RotaryEncoder: it drops the time of the edge, and does not report which of two pins is busy.
    """

    knob = True

    def __init__(
        self,
        a: int,
        b: int,
        push: int,
        factory: Factory,
        source: Source,
        report: Report,
        clicks: ClicksATurn = 1,
        together: Sequence[int] = (),
    ) -> None:
        """Open the pins. `clicks`: in one full turn of the contacts. `together`: see `GpioButtons`, for the push."""
        self._clicks: ClicksATurn = clicks
        self._contacts = GpioButtons({"a": a, "b": b}, factory, source, report, part=N_("knob"))
        self._push = GpioButtons({"ok": push}, factory, source, report, part=N_("knob"), together=together)

    def listen(self, on_turn: Callable[[Turn], None], on_edge: Callable[[Edge], None]) -> None:
        """Report to these callbacks from now on, on the driver's thread."""
        clicks = Clicks(self._clicks, a=bool(self._contacts.down("a")), b=bool(self._contacts.down("b")))

        def moved(edge: Edge) -> None:
            steps = clicks.edge(edge.button, edge.down)
            if steps:
                on_turn(Turn(steps, edge.at_ns, knob=True))

        self._contacts.listen(moved)
        self._push.listen(on_edge)

    def down(self, button: str) -> bool | None:
        """Whether the push reads pressed now; None where it does not work."""
        return self._push.down(button)

    def close(self) -> None:
        """Let go of the lines."""
        self._contacts.close()
        self._push.close()


class GpioArrows:
    """Three buttons ▲ ▼ OK. Their edges come on the driver's thread; who debounces them makes steps of ▲ and ▼."""

    knob = False

    def __init__(
        self,
        up: int,
        down: int,
        ok: int,
        factory: Factory,
        source: Source,
        report: Report,
        together: Sequence[int] = (),
    ) -> None:
        """Open the pins. `together`: see `GpioButtons`."""
        pins = {"up": up, "down": down, "ok": ok}
        self._buttons = GpioButtons(pins, factory, source, report, part=N_("control"), together=together)

    def listen(self, on_turn: Callable[[Turn], None], on_edge: Callable[[Edge], None]) -> None:
        """Report to `on_edge` from now on, on the driver's thread."""
        self._buttons.listen(on_edge)

    def down(self, button: str) -> bool | None:
        """Whether the line reads pressed now; None for one that does not work."""
        return self._buttons.down(button)

    def close(self) -> None:
        """Let go of the lines."""
        self._buttons.close()
