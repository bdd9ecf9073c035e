"""A GPIO chip simulated by the kernel (gpio-sim): a true /dev/gpiochip, its contacts moved by a test. For root."""

import os
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.simulators.waiting import until

CONFIGFS = Path("/sys/kernel/config/gpio-sim")
DEVICES = Path("/sys/devices/platform")

_serial = count()  # each chip has a folder of its own


class Lines:
    """The lines of a chip that is there, by its folder in configfs.

    All are low at first; what opens a line with a pull lets that pull decide its level.
    """

    def __init__(self, config: Path) -> None:
        name = (config / "bank" / "chip_name").read_text().strip()
        self.path = Path("/dev") / name
        self._lines = DEVICES / (config / "dev_name").read_text().strip() / name
        self._pulls: dict[int, int] = {}  # open file by line

    def pull(self, line: int, up: bool) -> None:
        """Move a line that somebody reads; the kernel stamps an edge within this call.

        Leave 50 µs between edges of one line: the simulator merges closer ones.
        """
        if line not in self._pulls:
            self._pulls[line] = os.open(self._lines / f"sim_gpio{line}" / "pull", os.O_WRONLY)
        os.pwrite(self._pulls[line], b"pull-up" if up else b"pull-down", 0)

    def value(self, line: int) -> int:
        """The level of a line, whoever drives it."""
        return int((self._lines / f"sim_gpio{line}" / "value").read_text())

    def close(self) -> None:
        """Let go of the lines; they stay as they are."""
        for file in self._pulls.values():
            os.close(file)
        self._pulls.clear()


class SimChip(Lines):
    """A chip of its own, there until it is closed."""

    def __init__(self, label: str = "pinctrl-bcm2711", lines: int = 28) -> None:
        self._config = CONFIGFS / f"luckypaw-{os.getpid()}-{next(_serial)}"
        self._bank = self._config / "bank"
        self._bank.mkdir(parents=True)
        (self._bank / "num_lines").write_text(str(lines))
        (self._bank / "label").write_text(label)
        self._live(True)
        super().__init__(self._config)
        until(self.path.exists, lambda: f"{self.path} has come up")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Take the chip away, whoever still uses it. Once is enough; more does no harm."""
        if not self._config.exists():
            return
        super().close()
        self._live(False)
        self._bank.rmdir()
        self._config.rmdir()

    def _live(self, live: bool) -> None:
        (self._config / "live").write_text(str(int(live)))
