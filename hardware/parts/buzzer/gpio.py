"""A piezo buzzer on a GPIO line: its tones are the kernel's PWM, or software's where the line has none."""

from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread
from time import monotonic_ns
from typing import TypeAlias

from gpiozero import Factory, PinPWMUnsupported, TonalBuzzer
from gpiozero.tones import Tone as Note

from hardware.parts import PartLost, Report
from hardware.parts.buzzer import Tune
from hardware.parts.buzzer.pwm import ROOT, PwmTone, channels
from hardware.parts.gpio import let_go
from hardware.parts.gpio.reopening import PartLines
from hardware.words import N_

MS = 1_000_000
PART = N_("buzzer")


class SoftwareTone(TonalBuzzer):  # type: ignore[misc]
    """A line that is silent or makes one tone, switched by a thread of its pin factory."""

    def __init__(self, pin: int, factory: Factory) -> None:
        # three octaves around 880 Hz: from 110 to 7040 Hz
        super().__init__(pin, mid_tone=Note("A5"), octaves=3, pin_factory=factory)

    def sound(self, hz: int) -> None:
        """Make this tone from now on; 0: silence."""
        if hz:
            self.play(Note.from_frequency(hz))
        else:
            self.stop()


Device: TypeAlias = PwmTone | SoftwareTone


class GpioBuzzer:
    """The real twin, for any thread: one of its own ends tones, and sleeps in silence.

    A lost pin is reported; until it is back `play` makes no sound.
    """

    def __init__(self, pin: int, software: Callable[[], Factory], report: Report, root: Path = ROOT) -> None:
        """`software` opens the pin factory of a line without PWM; `root` is the folder of Linux's own files."""
        self._pin = pin
        self._software = software
        self._root = root
        self._changed = Condition()  # guards all that follows, and the pin
        self._tune: Tune = ()  # the rest of it, beginning with the tone that sounds now
        self._until_ns = 0  # end of that tone
        self._closed = False
        self._device: Device | None = None
        self._lines = PartLines(report)
        self._lines.open(self._make, PART, pin, self._keep, self._drop)
        self._thread = Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tune: Tune) -> int:
        """Start a tune and return at once: CLOCK_MONOTONIC ns, taken when the first tone was switched on."""
        with self._changed:
            on_ns = self._sound(tune)
            self._changed.notify()
            return on_ns

    def close(self) -> None:
        """Silence; let go of the line."""
        with self._changed:
            self._sound(())
            self._closed = True
            self._changed.notify()
        self._thread.join()
        self._lines.close()
        device, self._device = self._device, None
        if device is not None:
            let_go(device)

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                if not self._tune:
                    self._changed.wait()
                elif (left_ns := self._until_ns - monotonic_ns()) > 0:
                    self._changed.wait(left_ns / 1e9)
                else:
                    self._sound(self._tune[1:])

    def _sound(self, tune: Tune) -> int:
        """Go on with the first tone of this tune; the lock is held. Returns when it was switched on."""
        self._tune = tune
        self._switch(tune[0].hz if tune else 0)
        on_ns = monotonic_ns()
        self._until_ns = on_ns + (tune[0].ms * MS if tune else 0)
        return on_ns

    def _make(self) -> Device:
        given = channels(self._root)
        if self._pin in given:
            return PwmTone(given[self._pin])
        if given:
            others = ", ".join(f"GPIO {pin}" for pin in given)
            raise PartLost(PART, N_("the kernel's PWM is on {others}: luckypaw check tells more", others=others))
        try:
            return SoftwareTone(self._pin, self._software())
        except PinPWMUnsupported as error:
            text = N_("its PWM is off: restart, or see luckypaw check")
            raise PartLost(PART, text) from error

    def _keep(self, device: Device) -> None:
        """Add the buzzer that has been opened, with the tone that should sound."""
        with self._changed:
            device.sound(self._tune[0].hz if self._tune else 0)
            self._device = device

    def _drop(self, device: Device) -> bool:
        """Remove the lost buzzer; whether it was there."""
        with self._changed:
            there = self._device is device
            if there:
                self._device = None
            return there

    def _switch(self, hz: int) -> None:
        if self._device is None:
            return
        try:
            self._device.sound(hz)
        except Exception as error:  # the drivers' errors have no base in common
            self._lines.lose(PART, self._device, error)
