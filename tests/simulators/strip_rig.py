"""A table of the tests with the real strip's driver on a port, in real time beside the table's own clock."""

from pathlib import Path

import msgspec

from hardware.config import TABLE, KitConfig
from hardware.kit import Kit
from hardware.parts.strip.serial import SerialStrip
from tests.simulators.rig import Rig


class StripRig(Rig):
    """The Table kit with a strip on a port; None: without a strip."""

    def __init__(self, folder: Path, port: str | None) -> None:
        self._port = port
        super().__init__(folder, msgspec.structs.replace(TABLE, strip=None) if port is None else TABLE)

    def open(self, config: KitConfig) -> Kit:
        kit = super().open(msgspec.structs.replace(config, strip=None))
        if self._port is None or config.strip is None:
            return kit
        strip = SerialStrip(self._port, self.report, leds=config.strip.leds)
        return Kit(config, kit.buttons, kit.control, kit.lamps, kit.buzzer, kit.display, strip)
