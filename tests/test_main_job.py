"""The main job on real input, two whole games of it.

gpiozero's pins are driven, the display hangs behind luma's I2C class on a bus that decodes what it is sent, and the
strip's serial line is answered by a program in a real MicroPython.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gpiozero.pins.mock
import msgspec
import pytest
from PIL import Image

from firmware.output import strip_picture
from hardware.config import TABLE, ControlConfig, KitConfig
from hardware.kit import Kit
from hardware.parts.buttons.gpio import GpioButtons
from hardware.parts.buzzer.gpio import GpioBuzzer
from hardware.parts.control.gpio import GpioArrows
from hardware.parts.display.emulated import EmulatedI2c, I2cBus
from hardware.parts.display.emulated_chip import Chip
from hardware.parts.display.oled import OledDisplay
from hardware.parts.gpio import open_factory
from hardware.parts.lamps.gpio import GpioLamps
from hardware.parts.strip import Pixels
from hardware.parts.strip.serial import SerialStrip
from tests.simulators import evenings
from tests.simulators.controller import micropython_controller
from tests.simulators.rig import Rig
from tests.simulators.waiting import until

ARROWS = {"up": 17, "down": 27, "ok": 24}


class TwinsRig(Rig):
    """The table of the tests with real twins: people move pins."""

    def __init__(self, state: Path, port: str, lamps: Callable[[], Pixels]) -> None:
        self._port, self.strip_lamps = port, lamps
        config = msgspec.structs.replace(TABLE, control=ControlConfig("buttons", up=17, down=27, ok=24))
        super().__init__(state, config)

    def open(self, config: KitConfig) -> Kit:
        self.chip = Chip("ssd1306")
        self.bus = I2cBus(self.chip)
        gpio = open_factory("mock")
        self.factory = gpio.inputs
        self.names = {player.name: player.button for player in config.players}
        for pin in (*self.names.values(), *ARROWS.values()):
            self.factory.pin(pin)
        return Kit(
            config,
            GpioButtons(self.names, gpio.inputs, gpio.source, self.report),
            GpioArrows(**ARROWS, factory=gpio.inputs, source=gpio.source, report=self.report, together=()),
            GpioLamps({p.name: p.lamp for p in config.players if p.lamp is not None}, gpio.outputs, self.report),
            GpioBuzzer(13, gpio.pwm, self.report),
            OledDisplay("ssd1306", lambda: EmulatedI2c(self.bus), self.report, place="0x3c", clock=lambda: self.now_ns),
            SerialStrip(self._port, self.report),
        )

    def _drive(self, pin: int, *, down: bool) -> None:
        line = self.factory.pin(pin)
        if down:
            line.drive_low()
        else:
            line.drive_high()

    def edge(self, name: str, *, down: bool) -> None:
        self._look()
        self._drive(self.names[name], down=down)

    def push(self, *, down: bool) -> None:
        self._look()
        self._drive(ARROWS["ok"], down=down)

    def _look(self) -> None:
        """See what is asked: the display writes on a thread of its own."""

        def seen() -> bool:
            self.app.step(self.now_ns)
            return self.app.table.game is None or self.app.table.game.unseen is None

        until(seen, lambda: "the question can be seen")

    def turn(self, steps: int) -> None:
        self._look()
        pin = ARROWS["up" if steps > 0 else "down"]
        for down in (True, False):
            self._drive(pin, down=down)
            self.app.step(self.now_ns)
            self.now_ns += 40_000_000

    @property
    def picture(self) -> Image.Image:
        """What stands on the display once the display's thread has caught up."""
        wanted = self.app.table.picture().tobytes()
        until(lambda: self.seen().tobytes() == wanted, lambda: "the display shows the picture")
        return self.seen()

    def seen(self) -> Image.Image:
        with self.bus.lock:
            return self.chip.picture()


@contextmanager
def real_rig(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwinsRig]:
    with micropython_controller(folder, 60) as (port, lamps):
        clock: list[TwinsRig] = []
        monkeypatch.setattr(gpiozero.pins.mock, "monotonic", lambda: clock[0].now_ns / 1e9 if clock else 1000.0)
        monkeypatch.setattr("hardware.parts.lamps.gpio.monotonic_ns", lambda: clock[0].now_ns)
        rig = TwinsRig.__new__(TwinsRig)
        clock.append(rig)
        rig.now_ns = 1_000_000_000_000
        TwinsRig.__init__(rig, folder, port, lamps)
        yield rig
        rig.close()


@pytest.mark.parametrize("game", [evenings.kitty_paw, evenings.pack_and_stack], ids=["kitty_paw", "pack_and_stack"])
def test_a_whole_game_from_pins_to_display_and_strip(
    game: Callable[[Rig, Callable[[str], None]], tuple[int, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with real_rig(tmp_path, monkeypatch) as rig:

        def look(phase: str) -> None:
            wanted = strip_picture.pixels(rig.app.table.light(), 60)
            until(lambda: rig.strip_lamps() == wanted, lambda: f"the strip shows {phase}")
            assert rig.picture.tobytes() == rig.app.table.picture().tobytes()

        expected = game(rig, look)
        assert rig.scores == expected
        assert "WIN" in rig.reads()


def test_the_lamps_are_lit_by_their_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with real_rig(tmp_path, monkeypatch) as rig:
        rig.ok().tap("P1").tap("P3")
        lamp_of = {player.name: player.lamp for player in rig.kit.config.players}
        assert [bool(rig.factory.pin(pin).state) for pin in lamp_of.values() if pin] == [True, False, True, False]
