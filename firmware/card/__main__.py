"""`python3 -m firmware.card`: the folder on the card, looked at once. See `luckypaw-card.service`."""

import os
import platform
import shutil
import sys
import time
import traceback
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from firmware.boot import BOOT
from firmware.card.folder import (
    NAME,
    UNIT,
    CardKit,
    Folder,
    NotStarted,
    Trouble,
    folder_in,
    kit_of,
    not_installed,
    storage,
    version_of,
    wrong_machine,
)
from firmware.card.installing import install
from firmware.card.lines import blink
from firmware.card.screen import Screen
from firmware.card.system import quietly, remove, replace, tried
from firmware.card.wifi import join, wifi_in
from hardware.parts.buzzer.pwm import FUNCTIONS

HOME = Path("/opt/luckypaw")
MACHINE = platform.machine() if sys.maxsize > 1 << 32 else "32-bit"  # a 64-bit kernel may run 32-bit programs
DONE = "card"  # below HOME: the sum of the folder that was handled last
TRIAL = "trial"  # below HOME: while it is not known whether the current release starts, the one before it, or nothing
TOLD = "wifi"  # below HOME: what was wrong with wifi.txt when it was told; once is enough
COPY = "incoming"  # below HOME: the folder's copy while it is being installed
REPORT = "report.txt"  # in the folder, for whoever has no display
LOOKING = "Looking through the folder ..."
BUS_S = 3.0  # until the bus is there
TOLD_S = 20.0  # a reason stands on the display so long before the version that is there goes on
NO_DISPLAY = Trouble(
    5, "NO DISPLAY", "No display answers on the I2C bus. Check its four wires: SDA, SCL, 3.3 V, ground."
)


class Card:
    """One look at the folder, from a machine that may have been cut off at any point of the last one."""

    def __init__(self, boot: Path = BOOT, home: Path = HOME, devices: Path = Path("/dev")) -> None:
        self.boot, self.home, self.devices = boot, home, devices
        # whether a version is installed that can go on
        self.before = bool(self._kept(TRIAL)) if (home / TRIAL).exists() else (home / "current" / "whole").exists()

    @cached_property
    def kit(self) -> CardKit:
        """The parts that can tell something."""
        return kit_of(self.boot, self.boot / NAME)

    @cached_property
    def screen(self) -> Screen:
        """The kit's display; most starts have nothing to show."""
        return Screen(self.kit.display, lambda module: self.devices / f"i2c-{module.port}")

    def look(self) -> int:
        """Do what is to be done; an exit status."""
        try:
            folder = folder_in(self.boot)
            if folder is not None and self._kept(DONE) != folder.sum and (status := self._update(folder)):
                return status
            return self._join_wifi()
        except Trouble as trouble:
            return self._tell(trouble)
        except OSError as error:
            return self._tell(storage(error))
        except Exception:  # of whatever kind: people are told, and the version that is there goes on
            return self._tell(not_installed(traceback.format_exc()))

    def _update(self, folder: Folder) -> int:
        """Install the folder; that it was handled is noted last, so that after a cut before it all is done again."""
        status = 0
        self._take_display()
        try:
            self._install(folder)
        except NotStarted as trouble:
            if not self.before:
                raise
            status = self._tell(trouble)  # the version that was there goes on, and the next start is a quick one
        self._keep(DONE, folder.sum)
        return status

    def _install(self, folder: Folder) -> None:
        if not folder.fits(sys.version_info[:2], MACHINE):
            raise wrong_machine(f"{MACHINE}, Python {sys.version_info[0]}.{sys.version_info[1]}")
        self.screen.show("LUCKY PAW", LOOKING, 0.0)
        self._write_report("Lucky Paw is being installed.")
        if self.kit.display.port is not None and not self.screen.there:
            self._write_report(str(NO_DISPLAY))
            blink(NO_DISPLAY.blinks, self.kit.lamps, self.kit.buzzer, self.devices)
        self.home.mkdir(parents=True, exist_ok=True)
        copy = self.home / COPY
        try:
            folder.copy(copy, lambda part: self.screen.show("LUCKY PAW", LOOKING, 0.3 * part))
            version = version_of(copy)
            install(copy, lambda text, part: self.screen.show("LUCKY PAW", text, 0.3 + 0.7 * part), self.before)
            self.before = True
            self._keep_program(copy)
        finally:
            with suppress(OSError):
                remove(copy)
        self._report(f"Lucky Paw {version} is installed.")
        self.screen.close()

    def _take_display(self) -> None:
        """From the kit, if it runs; and switch on what a new card has off: its bus, and the buzzer's PWM."""
        quietly("systemctl", "stop", "luckypaw.service")
        self.screen.close()  # the kit has set it up in its own way
        port = self.kit.display.port
        if any(self.devices.glob("spidev*" if port is None else f"i2c-{port}")):
            return
        if port is None:
            quietly("dtparam", "spi=on")
        else:
            quietly("dtparam", "i2c_arm_baudrate=400000")
            quietly("dtparam", "i2c_arm=on")
            quietly("modprobe", "i2c-dev")
        if (pin := self.kit.buzzer) is not None and pin in FUNCTIONS:
            quietly("dtoverlay", "pwm", f"pin={pin}", f"func={FUNCTIONS[pin]}")
        ends = time.monotonic() + BUS_S
        while port is not None and not (self.devices / f"i2c-{port}").exists() and time.monotonic() < ends:
            time.sleep(0.05)

    def _tell(self, trouble: Trouble) -> int:
        """Say what is wrong: in a file of the folder, on the display, by the lamps; where one fails, by the others."""
        with tried():
            print(trouble, file=sys.stderr, flush=True)
        with tried():
            self._report(f"{trouble}\n\n{trouble.log}".rstrip())
        with tried():
            self._take_display()
        with tried():
            self.screen.show(trouble.title, trouble.text)
        with tried():
            blink(trouble.blinks, self.kit.lamps, self.kit.buzzer, self.devices)
        if self.before:
            time.sleep(TOLD_S)
            quietly("systemctl", "start", "luckypaw.service")
        with tried():
            self.screen.close()
        return 1

    def _join_wifi(self) -> int:
        try:
            wifi = wifi_in(self.boot / NAME)
            joined = wifi if wifi is not None and join(wifi) else None
        except ValueError as error:
            if self._kept(TOLD) == str(error):
                return 0
            self.before = True  # the kit is there, and goes on
            status = self._tell(Trouble(6, "NO WI-FI", str(error)))
            self.home.mkdir(parents=True, exist_ok=True)
            self._keep(TOLD, str(error))
            return status
        if joined is not None:
            self._report(f"Lucky Paw is installed, and joins the Wi-Fi {joined.name}.")
        (self.home / TOLD).unlink(missing_ok=True)
        return 0

    def _keep_program(self, copy: Path) -> None:
        """This program, as the folder has it, for the next starts."""
        kept, new, old = (self.home / name for name in ("program", "program.new", "program.old"))
        for path in (new, old):
            remove(path)
        for part in ("firmware", "hardware"):
            shutil.copytree(copy / part, new / part)
        (new / "systemd").mkdir()
        shutil.copy(copy / "systemd" / UNIT, new / "systemd")
        os.sync()
        if kept.exists():
            kept.rename(old)
        new.rename(kept)
        os.sync()
        remove(old)

    def _kept(self, name: str) -> str:
        try:
            return (self.home / name).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""

    def _keep(self, name: str, text: str) -> None:
        replace(self.home / name, f"{text}\n")

    def _report(self, text: str) -> None:
        """The last result, where a computer shows it; a card that cannot be written has none."""
        with suppress(OSError):
            self._write_report(text)

    def _write_report(self, text: str) -> None:
        path, content = self.boot / NAME / REPORT, f"{text}\n".encode(errors="replace")
        if not path.exists() or path.stat().st_size != len(content) or path.read_bytes() != content:
            path.write_bytes(content)
            os.sync()


if __name__ == "__main__":
    sys.exit(Card().look())
