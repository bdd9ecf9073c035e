"""Runs the folder's `scripts/install` and tells how far it is."""

import os
import selectors
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from firmware.card.folder import not_installed, not_started

REFUSED = 3  # exit status of install: the new version is not sound or does not start, and what was there before is back
STEPS = {"Building": 0.0, "Checking": 0.85, "Starting": 0.95}  # words that begin its lines; the part done by then
BUILDING_S = 60.0  # on a Zero 2 W
LOOK_S = 0.5


def install(source: Path, progress: Callable[[str, float], None], before: bool) -> None:
    """Install from a whole copy of the folder. `before`: a version is there. Raises `Trouble`.

    `progress` is called twice a second with a line for people and the part done, 0 to 1, until the kit is started and
    shows its own pictures.
    """
    command = ["bash", str(source / "scripts" / "install")]
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert run.stdout is not None
    said, rest = list[str](), b""
    step, since_s = "", time.monotonic()
    with selectors.DefaultSelector() as waiting:
        waiting.register(run.stdout, selectors.EVENT_READ)
        while True:
            if waiting.select(LOOK_S):
                read = os.read(run.stdout.fileno(), 4096)
                if not read:
                    break
                *lines, rest = (rest + read).split(b"\n")
                for line in lines:
                    said.append(line.decode(errors="replace").strip())
                    print(said[-1], flush=True)
                    word = said[-1].partition(" ")[0]
                    if word in STEPS:
                        step, since_s = word, time.monotonic()
            if step and step != "Starting":
                aims = 0.8 if step == "Building" else 0.94
                part = (time.monotonic() - since_s) / BUILDING_S
                progress(f"{step} ...", STEPS[step] + (aims - STEPS[step]) * min(part, 1.0))
    status = run.wait()
    log = "\n".join(line for line in said if line)
    if status == REFUSED:
        raise not_started(before, log)
    if status:
        raise not_installed(log)
