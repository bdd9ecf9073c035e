"""`python -m tests.simulators.card_cuts ROOT STEP`: the card's program, cut off before a change, then let do its work.

A newer folder is on the card of a kit. Each run is a process that ends, without a word, before the next thing that it
would open for writing, rename, make or remove: each, or every STEP-th. Prints how many changes there are, and what was
not right after a cut.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.card.__main__ import Card
from tests.simulators.cards import FILES, files_of, hooked, machine, sealed, whole

CUT, WHOLE = 9, 0
CHANGES = ("os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.link", "os.symlink", "shutil.rmtree")
KIT = ("opt", "etc", "dev")


def look(root: Path, before: int) -> int:
    """Let a process look at the card and end before its change of this number."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    done = 0

    def change(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal done
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes or event in CHANGES:
            done += 1
            if done == before:
                os._exit(CUT)

    try:
        with machine(lambda source: None):
            sys.addaudithook(change)
            status = Card(root / "boot" / "firmware", root / "opt" / "luckypaw", root / "dev").look()
    except Exception as error:
        print(repr(error), file=sys.stderr)
        os._exit(3)
    os._exit(status)


def faults(root: Path) -> Iterator[str]:
    """What is not as it should be, after all was done."""
    folder, home = root / "boot" / "firmware" / "luckypaw", root / "opt" / "luckypaw"
    parts = {name: sum_ for name, sum_ in files_of(folder).items() if name.startswith(("firmware/", "hardware/"))}
    parts["systemd/luckypaw-card.service"] = files_of(folder)["systemd/luckypaw-card.service"]
    if files_of(home / "program") != parts:
        yield f"the program is {files_of(home / 'program')}"
    if sorted(path.name for path in home.iterdir()) != ["card", "program"]:
        yield f"left over: {sorted(path.name for path in home.iterdir())}"
    if (folder / "report.txt").read_text() != "Lucky Paw 1.2.4 is installed.\n":
        yield (folder / "report.txt").read_text()


def main(root: Path, step: int) -> None:
    """Cut it off everywhere."""
    whole(root)
    hooked(root)
    (root / "dev").mkdir()
    assert look(root, 0) == WHOLE
    for part in KIT:
        shutil.copytree(root / part, root / "before" / part, symlinks=True)
    folder = whole(root, {**FILES, "wheels/version": b"1.2.4 4567\n", "firmware/card/lines.py": b"# newer\n"})
    (folder / "hardware/parts/buzzer/pwm.py").write_bytes(b"# newer\n")
    sealed(folder)
    report = (folder / "report.txt").read_bytes()
    wrong: list[str] = []
    before, ended = 1, CUT
    while ended == CUT:
        for part in KIT:
            shutil.rmtree(root / part)
            shutil.copytree(root / "before" / part, root / part, symlinks=True)
        (folder / "report.txt").write_bytes(report)
        ended = look(root, before)
        if not (root / "opt" / "luckypaw" / "program").exists():
            hooked(root)
        again = look(root, 0)
        wrong += [f"cut {before}: {fault}" for fault in (*faults(root), *([f"status {again}"] if again else []))]
        before += step
    print(json.dumps({"changes": before - step - 1, "wrong": wrong, "ended": ended}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
