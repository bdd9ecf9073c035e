"""What a kernel or a boot loader may leave out, on real lines: the kit plays all the same."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.test_lost_lines import game_of_three
from tests.simulators.program import Program
from tests.simulators.real_table import table_on
from tests.simulators.sim_chip import SimChip

CPUINFO, SYSTEM = Path("/proc/cpuinfo"), Path("/sys/firmware/devicetree/base/system")
BUTTON, LAMP = 5, 12
LATE_S = 2.0  # after the kit is started
OTHERS = [("gpio-brcmstb@107d508500", 32), ("gpio-brcmstb@107d508520", 4)]

# a kit that says what it has lost, or that it is ready, and then the first button that is pressed
KIT = """
import os, queue, sys
os.environ.pop("RPI_LGPIO_REVISION", None)  # the lab's own
from msgspec import structs
from hardware.config import TABLE, ButtonDriver, DisplayConfig
from hardware.kit import open_real
from hardware.parts.buzzer import Tone
lost, pressed = [], queue.Queue()
config = structs.replace(
    TABLE, buttons=ButtonDriver(sys.argv[1]), display=DisplayConfig(driver="emulated"), strip=None
)
kit = open_real(config, lambda part, text: lost.append(text))
kit.buttons.listen(lambda edge: pressed.put(edge.button))
kit.lamps.show(frozenset({"P1"}))
kit.buzzer.play((Tone(880, 600_000),))
print(lost[0] if lost else "ready", flush=True)
try:
    print(pressed.get(timeout=20), flush=True)
except queue.Empty:
    print("no press", flush=True)
"""


@contextmanager
def hidden(path: Path, by: Path) -> Iterator[None]:
    """Something else in the place of a file or a folder."""
    subprocess.run(["mount", "--bind", str(by), str(path)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(path)], check=True)


@contextmanager
def cpuinfo(folder: Path, text: str) -> Iterator[None]:
    """A machine whose revision stands in /proc/cpuinfo or nowhere."""
    (folder / "cpuinfo").write_text(text)
    (folder / "system").mkdir()
    with hidden(CPUINFO, folder / "cpuinfo"), hidden(SYSTEM, folder / "system"):
        yield


@contextmanager
def behind_others() -> Iterator[None]:
    """Chips that take the first numbers."""
    with ExitStack() as chips:
        for label, lines in OTHERS:
            chips.enter_context(SimChip(label, lines))
        yield


LEFT_OUT: dict[str, Any] = {
    "the revision": lambda folder: cpuinfo(folder, "processor\t: 0\nCPU revision\t: 3\n"),
    "the revision, 0000": lambda folder: cpuinfo(folder, "Hardware\t: BCM2835\nRevision\t: 0000\n"),
    "the revision's place in the device tree": lambda folder: cpuinfo(folder, "Revision\t: c03111\n"),
    "the chip's usual number": lambda folder: behind_others(),
}


@pytest.mark.parametrize("driver", ["gpiod", "lgpio", "rpigpio"])
@pytest.mark.parametrize("machine", LEFT_OUT.values(), ids=LEFT_OUT)
def test_buttons_lamps_and_buzzer_work_without(machine: Any, driver: str, tmp_path: Path) -> None:
    with machine(tmp_path), SimChip() as chip, Program("-c", KIT, driver) as kit:
        said = [kit.first]
        if kit.first == "ready":
            chip.pull(BUTTON, False)
            said.append(kit.line())
        assert (said, chip.value(LAMP)) == (["ready", "P1"], 1)


class NoChip:
    """The lines of a chip that is not there yet."""

    def pull(self, line: int, up: bool) -> None: ...


@pytest.mark.parametrize("driver", ["gpiod", "lgpio", "rpigpio"])
def test_a_kit_that_starts_two_seconds_before_its_chip_plays_and_complains_of_nothing(
    driver: str, tmp_path: Path
) -> None:
    game_of_three(tmp_path / "state")
    nothing: Any = NoChip()
    chips: list[SimChip] = []
    boot = threading.Timer(LATE_S, lambda: chips.append(SimChip()))
    boot.start()
    with table_on(nothing, tmp_path, driver, "buttons") as table:
        boot.join()
        table.rewire(chips[0])
        table.until_reads("GO ON?").ok().until("hands").down("P1", "P2", "P3").until("build")
        end = table.stop()
    chips[0].close()
    assert end == (0, "")
