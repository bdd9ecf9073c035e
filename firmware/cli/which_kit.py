"""Which description of the kit counts: the one that was named, that on the card, the chosen kit, the installed one."""

from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.pasted import toml_as_meant
from engine.words import N_
from firmware.boot import BOOT, DESCRIPTION, INSTALLED, names
from firmware.cli import Failure, state_dir
from firmware.state_folder import CHOSEN
from firmware.translation import translated

if TYPE_CHECKING:  # a command imports only its own modules: on a small board imports are most of the start-up
    from hardware.config import KitConfig

BOOT_CONFIG = BOOT / DESCRIPTION
SYSTEM_CONFIG = INSTALLED


def config_path(args: Namespace) -> Path | None:
    """The path of the kit's description; None: the built-in Table kit."""
    if args.config is not None:
        named: Path = args.config
        return named
    if (given := next((path for path in names(BOOT_CONFIG) if there(path)), None)) is not None:
        return given
    if there(state_dir() / CHOSEN):
        from firmware.setup.chosen_kit import chosen

        if (path := chosen(state_dir())) is not None:
            return path
    return SYSTEM_CONFIG if there(SYSTEM_CONFIG) else None


def there(path: Path) -> bool:
    """Whether there is anything of this name. A file that cannot be looked at counts: reading it raises the error."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


def description(path: Path | None, name: str | None = None) -> "KitConfig":
    """The kit of this name, else that of a description, else the built-in Table kit. Raises `Failure`.

    A built-in kit that was chosen has the pages of the installed description: who may join is no question of wires.
    """
    from hardware.config import KITS, ConfigError, kit, load

    try:
        config = load(path, toml_as_meant) if name is None else kit(name)
        if name is None and path is not None and path.parent == KITS and there(SYSTEM_CONFIG):
            from msgspec import structs

            with suppress(ConfigError):
                config = structs.replace(config, panel=load(SYSTEM_CONFIG, toml_as_meant).panel)
        return config
    except ConfigError as error:
        raise Failure(translated(error.text), 2) from None


def undrawn(names: Sequence[str]) -> str:
    """What to do about names of buttons that the display cannot draw; empty where it can."""
    from firmware.people.names import drawable

    wrong = ", ".join(name for name in names if not drawable(name))
    return N_("the display shows ? for {names}: give buttons Latin names", names=wrong) if wrong else ""
