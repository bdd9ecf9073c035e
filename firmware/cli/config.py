"""`luckypaw config check`: check whether a description of a kit can be used."""

from argparse import Namespace

from firmware.cli import Failure
from firmware.cli.which_kit import BOOT_CONFIG, config_path, description, undrawn
from firmware.misnamed import misnamed
from firmware.translation import _, ngettext, translated


def run(args: Namespace) -> None:
    path = args.file or config_path(args)
    config = description(path)
    if config.build is not None:
        from hardware.config import ConfigError
        from hardware.layout import layout
        from hardware.power import rails
        from hardware.sizes import MODULES

        if config.display.driver in MODULES:  # an emulated display is not built in
            try:
                layout(config)
                rails(config)
            except ConfigError as error:
                raise Failure(f"{path}: {translated(error.text)}", 2) from None
    kit = path or _("the built-in Table kit")
    if args.file is None and (wrong := misnamed(BOOT_CONFIG)):
        print(translated(wrong))
    if wrong := undrawn(config.names):
        print(translated(wrong))
    n, names = len(config.players), ", ".join(config.names)
    print(ngettext("{kit}: fine, {n} players: {names}", "{kit}: fine, {n} players: {names}", n, kit=kit, names=names))
