"""`python -m tests.appliance.start_up RUNS`: the service from its start to its first picture, and its bare imports.

Both with the kit's own Python, in turn; milliseconds, as JSON in the file `start`.
"""

import json
import sys
import time

from hardware.display.chip import Chip
from tests.appliance.machine import HANDS, UNIT, machine, until_ready
from tests.simulators.real_table import BUS_LOG, Glass
from tests.simulators.waiting import until

# what the program has imported when its first picture is shown, with none of its own modules
IMPORTS = """
import asyncio, argparse, sqlite3, msgspec, PIL.Image, luma.oled.device, luma.core.interface.serial, smbus2
import gpiozero, gpiod, serial, serial.tools.list_ports
"""


def bare_ms() -> float:
    """The imports, in a process of their own."""
    began_ns = time.monotonic_ns()
    done = machine("/opt/luckypaw/current/bin/python", "-c", IMPORTS)
    assert done.returncode == 0, done.stderr
    return (time.monotonic_ns() - began_ns) / 1e6


def picture_ms() -> float:
    """The service, to the end of the write that makes its first picture."""
    machine("systemctl", "stop", UNIT)
    BUS_LOG.write_text("\n")  # forgets what was written before
    glass, chip, shown = Glass(), Chip("ssd1306"), list[int]()
    began_ns = time.monotonic_ns()
    machine("systemctl", "start", "--no-block", UNIT)

    def seen() -> bool:
        for at_ns, payload in glass.carried():
            chip.write(payload)
            if chip.picture().getbbox():
                shown.append(at_ns)
        return bool(shown)

    until(seen, lambda: "the first picture", 30.0)
    glass.close()
    until_ready()
    return (shown[0] - began_ns) / 1e6


def main(runs: int) -> None:
    until_ready()
    found = [(bare_ms(), picture_ms()) for _ in range(runs + 1)][1:]  # the first one reads the card
    (HANDS / "start").write_text(json.dumps({"bare": [bare for bare, _ in found], "picture": [p for _, p in found]}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
