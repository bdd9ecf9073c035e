"""The strip's controller at the host's end of the guest's serial line, $LAB_SERIAL; what it lights stands in a file."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.simulators.controller import HEAP, PARTS, PLENTY_MA, environment, micropython


def main(leds: int, lit: Path) -> None:
    """Light so many lamps until the line ends or the program is stopped."""
    with tempfile.TemporaryDirectory() as folder, Path(os.environ["LAB_SERIAL"]).open("r+b", buffering=0) as line:
        Path(folder, "strip.json").write_text(json.dumps({"leds": leds, "max_mA": PLENTY_MA}))
        command = [micropython(), "-X", f"heapsize={HEAP}", str(PARTS / "live" / "plugged.py"), "0"]
        program = subprocess.Popen(
            command, cwd=folder, env=environment("live"), stdin=line, stdout=line, stderr=subprocess.PIPE, text=True
        )
        assert program.stderr is not None
        for told in program.stderr:
            if told.startswith("settles "):
                new = lit.with_name(f"{lit.name}.new")
                new.write_text(told.split()[1])
                new.rename(lit)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
