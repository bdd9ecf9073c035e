"""`python -m tests.appliance.start_up RUNS`: the service from its start to its first picture, and its bare imports.

Both with the kit's own Python, in turn; milliseconds, as JSON in the file `start`. Of the service's time a part is
systemd's, until the program's process is there.
"""

import json
import sys
import time

from hardware.parts.display.emulated_chip import Chip
from tests.appliance.machine import HANDS, UNIT, machine, show, until_ready
from tests.simulators.real_table import BUS_LOG, Glass

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


def picture_ms() -> tuple[float, float]:
    """To the end of the write that makes the first picture: from the service's start, and from that of its process."""
    machine("systemctl", "stop", UNIT)
    BUS_LOG.write_text("\n")  # forgets what was written before
    began_ns = time.monotonic_ns()
    machine("systemctl", "start", UNIT)  # it is ready with that picture: nobody takes the processor by looking before
    glass, chip = Glass(), Chip("ssd1306")
    for at_ns, payload in glass.carried():
        chip.write(payload)
        if chip.picture().getbbox():
            glass.close()
            process_ns = 1000 * int(show("ExecMainStartTimestampMonotonic")[0])
            return (at_ns - began_ns) / 1e6, (at_ns - process_ns) / 1e6
    raise RuntimeError(f"{UNIT} has shown nothing: {show('ActiveState', 'Result')}")


def main(runs: int) -> None:
    until_ready()
    names = ("bare", "picture", "process")
    found = [dict(zip(names, (bare_ms(), *picture_ms()), strict=True)) for _ in range(runs + 1)]
    (HANDS / "start").write_text(json.dumps(found[1:]))  # the first one reads the card


if __name__ == "__main__":
    main(int(sys.argv[1]))
