"""Buttons on GPIO pins, each between its pin and ground, through gpiozero."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Lock

from gpiozero import DigitalInputDevice, Factory

from hardware.parts import Report
from hardware.parts.buttons import Edge, Source
from hardware.parts.gpio import guarded, let_go
from hardware.parts.gpio.reopening import PartLines
from hardware.words import N_, Name


class GpioButtons:
    """The real twin. Edges come on the driver's thread, stamped by `source`; a lost pin leaves the others working.

    A line that comes back while its button is held reports nothing until it is released: the press has no stamp.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        factory: Factory,
        source: Source,
        report: Report,
        part: str = N_("button"),
        together: Sequence[int] = (),
    ) -> None:
        """Open the pins. `part` names these buttons in a report: `button P3 lost: GPIO 13 is busy`.

        `together`: the pins of the kit that share requests, these among them (`GpiodFactory.together`); nothing: these.
        """
        self._source: Source = source
        self._report = report
        self._part = part
        self._lock = Lock()  # guards what follows: a lost line comes back on a thread of its own
        self._on_edge: Callable[[Edge], None] | None = None
        self._devices: dict[str, DigitalInputDevice] = {}
        self._handlers: list[Callable[[float, int], None]] = []
        self._lines = PartLines(report)

        def make(pin: int) -> DigitalInputDevice:
            if (share := getattr(factory, "together", None)) is not None:
                share(together or tuple(pins.values()))
            # no bounce_time: it would stamp the end of the bounce; no Button: each brings a thread that polls
            return DigitalInputDevice(pin, pull_up=True, pin_factory=factory)

        for name, pin in pins.items():
            self._lines.open(
                partial(make, pin), self._called(name), pin, partial(self._keep, name), partial(self._drop, name)
            )

    def listen(self, on_edge: Callable[[Edge], None]) -> None:
        """Report to this callback from now on, on the driver's thread."""
        with self._lock:
            self._on_edge = on_edge
            for name, device in self._devices.items():
                self._attach(name, device, on_edge)

    def down(self, button: str) -> bool | None:
        """Whether the line reads pressed now; None for a lost or closed one."""
        device = self._devices.get(button)
        if device is None:
            return None
        try:
            return bool(device.is_active)
        except Exception:  # the chip is gone
            return None

    def close(self) -> None:
        """Let go of the lines; no edge is reported after this."""
        with self._lock:
            devices, self._devices = self._devices, {}
        self._lines.close()
        for device in devices.values():
            let_go(device)

    def _called(self, name: str) -> str:
        return N_("{part} {name}", part=self._part, name=Name(name))

    def _keep(self, name: str, device: DigitalInputDevice) -> None:
        """Add a line that has been opened."""
        with self._lock:
            self._devices[name] = device
            if self._on_edge is not None:
                self._attach(name, device, self._on_edge)

    def _drop(self, name: str, device: DigitalInputDevice) -> bool:
        """Remove a lost line; whether it was there."""
        with self._lock:
            return self._devices.get(name) is device and self._devices.pop(name) is device

    def _attach(self, name: str, device: DigitalInputDevice, on_edge: Callable[[Edge], None]) -> None:
        def changed(at_ns: int, down: bool, replaced: bool, lost_ns: int, read_ns: int) -> None:
            if name in self._devices:  # else an edge under way while the line was closed
                on_edge(Edge(name, down, at_ns, self._source, replaced, lost_ns, read_ns))

        assert device.pin is not None  # it is open
        handler = guarded(changed, device.pin, self._called(name), self._report)
        self._handlers.append(handler)  # the pin keeps only a weak reference
        device.pin.when_changed = handler
