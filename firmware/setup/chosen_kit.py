"""The kit that was chosen in SET UP: its name in the state folder, which the service can write, unlike /etc."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.words import N_
from firmware import state_folder
from firmware.state_folder import CHOSEN
from hardware.config import KITS


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
        name = state_folder.choice(state / CHOSEN)
        path = KITS / f"{name}.toml"
        if name.isidentifier() and path.is_file():
            return path
    return None


def choose(state: Path, name: str | None) -> None:
    """Choose a built-in kit, or none: synced and whole, or not at all. Raises `OSError`."""
    state_folder.choose(state / CHOSEN, name)
