"""The games, found by their file names: a new game is a new file or folder here, with its `RULES`."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from engine.game import Rules
from engine.rules import Refused
from engine.words import N_, either


@cache
def names() -> tuple[str, ...]:
    """Every game's name, in alphabetical order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@cache
def rules(name: str) -> Rules[Any, Any]:
    """The rules of one game. Raises `Refused` (`bad_setup`) for a name that is not listed; nothing else is imported."""
    if name not in names():
        raise Refused("bad_setup", N_("game {name!r} is unknown: must be {names}", name=name, names=either(names())))
    loaded: Rules[Any, Any] = import_module(f"{__name__}.{name}").RULES
    return loaded
