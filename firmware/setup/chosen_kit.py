"""The kit that was chosen in SET UP: its name in the state folder, which the service can write, unlike /etc."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.words import N_
from firmware.state_folder import CHOSEN, sync
from hardware.config import KITS

MAX_BYTES = 64


class Choosing(NamedTuple):
    """What is known of the choice of the kit."""

    name: str = ""  # of this kit; `own`: of a description of its own
    fixed: str | None = None  # why no other can be chosen, for people
    trial: str | None = None  # this kit is tried: its name, empty for the installed one
    refused: str | None = None  # why another one cannot be tried: this kit goes on


ALONE = Choosing(fixed=N_("this kit cannot be changed here"))


def chosen(state: Path) -> Path | None:
    """The description of the chosen kit; None: none was chosen, or this version does not have it."""
    with suppress(OSError, ValueError):
        with (state / CHOSEN).open("rb") as file:
            name = file.read(MAX_BYTES).decode("ascii").strip()
        path = KITS / f"{name}.toml"
        if name.isidentifier() and path.is_file():
            return path
    return None


def choose(state: Path, name: str | None) -> None:
    """Choose a built-in kit, or none: synced and whole, or not at all. Raises `OSError`."""
    path = state / CHOSEN
    if name is None:
        path.unlink(missing_ok=True)
    else:
        fresh = path.with_suffix(".new")
        with fresh.open("w") as file:
            file.write(f"{name}\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    sync(state)
