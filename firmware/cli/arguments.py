"""The command line's words, options and help; the files beside this one do what a command asks for."""

import argparse
from collections.abc import Callable
from pathlib import Path

from firmware import VERSION
from firmware.cli import GAMES_LISTED
from firmware.cli.which_kit import BOOT_CONFIG, SYSTEM_CONFIG
from firmware.translation import _

Add = Callable[..., argparse.ArgumentParser]  # `add_parser` of the commands


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The command line; with `only` that command alone, as a start need not wait for all of them."""
    top = argparse.ArgumentParser(prog="luckypaw", description=_("Score, timer and reaction kit for five table games."))
    top.add_argument("--version", action="version", version=f"luckypaw {VERSION}")
    top.add_argument(
        "--config",
        type=Path,
        help=_("the kit's description; else {boot}, else {system}", boot=BOOT_CONFIG, system=SYSTEM_CONFIG),
    )
    commands = top.add_subparsers(required=True, metavar=_("COMMAND"))
    for name in COMMANDS if only is None else (only,):
        COMMANDS[name](commands.add_parser)
    return top


def _play(add: Add) -> None:
    play = add("play", help=_("start the kit"), description=_("Start the kit: real parts on a Raspberry Pi."))
    play.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help=_("the kit's description, as before `play`")
    )
    play.add_argument("--kit", metavar=_("NAME"), help=_("a kit that is described here: duo, table or party"))
    play.add_argument("--emulated", action="store_true", help=_("all parts in the browser, also on a Raspberry Pi"))
    play.add_argument("--port", type=int, help=_("port of the page (0: any free one); real parts alone have none else"))
    play.set_defaults(run="play:run")


def _check(add: Add) -> None:
    doctor = add(
        "check",
        help=_("find faults of the wiring"),
        description=_(
            "Check every part of the kit by itself. A fault is reported with its pin or port and a remedy. "
            "End the kit first: it holds the parts. Status 0: all right; 1: at least one fault; 2: the description "
            "cannot be used."
        ),
    )
    doctor.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help=_("the kit's description, as before `check`")
    )
    doctor.add_argument("--json", action="store_true", help=_("for programs: one document"))
    how = doctor.add_mutually_exclusive_group()
    how.add_argument("--guided", action="store_true", help=_("then ask people to press, turn, look and listen"))
    how.add_argument("--self", action="store_true", dest="itself", help=_("only this installation, touching no part"))
    doctor.set_defaults(run="check:run")


def _calibrate(add: Add) -> None:
    calibrate = add(
        "calibrate",
        help=_("measure how exact this kit is"),
        description=_(
            "Measure how late the stamps of a button are: put a wire from a spare GPIO to the button's line."
        ),
    )
    calibrate.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help=_("the kit's description, as before `calibrate`")
    )
    calibrate.add_argument("--wire", type=int, required=True, metavar=_("GPIO"), help=_("the spare GPIO, e.g. 18"))
    calibrate.add_argument("--button", metavar=_("NAME"), help=_("the button at the wire's other end; else the first"))
    calibrate.set_defaults(run="calibrate:run")


def _replay(add: Add) -> None:
    replay = add("replay", help=_("play a game of the journal again, event by event"))
    replay.add_argument("game", type=int, metavar="N", help=_("the game's number in `history list`"))
    replay.add_argument(
        "--pictures", type=Path, metavar=_("FOLDER"), help=_("write the display's picture after each event")
    )
    replay.set_defaults(run="replay:run")


def _rules(add: Add) -> None:
    rules = add("rules", help=_("the rules of a game as a line protocol on standard input and output"))
    rules.add_argument("game", metavar=_("GAME"), help=_("kitty_paw, pack_and_stack, ..."))
    rules.set_defaults(run="rules:run")


def _history(add: Add) -> None:
    history = add("history", help=_("games played on this kit")).add_subparsers(required=True, metavar=_("WHAT"))
    listed = history.add_parser("list", help=_("the newest {n} games, the newest first", n=GAMES_LISTED))
    listed.add_argument("--all", action="store_true", help=_("all games"))
    listed.set_defaults(run="history:listed")
    show = history.add_parser("show", help=_("the score sheet of a game: a row a round, and how long it took"))
    show.add_argument("game", type=int, metavar="N", help=_("the game's number in `history list`"))
    how = show.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help=_("for programs"))
    how.add_argument("--csv", action="store_true", help=_("for a spreadsheet"))
    how.add_argument("--picture", type=Path, metavar=_("FILE"), help=_("the result as a picture to send, PNG"))
    show.set_defaults(run="history:show")
    raced = history.add_parser("evidence", help=_("the stamps of all races of a game"))
    raced.add_argument("game", type=int, metavar="N", help=_("the game's number in `history list`"))
    raced.add_argument("--json", action="store_true", help=_("for programs"))
    raced.set_defaults(run="history:evidence")
    measured = history.add_parser("certificate", help=_("how exact this kit is, as `calibrate` has measured it"))
    measured.add_argument("--json", action="store_true", help=_("for programs, with the histogram"))
    measured.set_defaults(run="history:show_certificate")


def _people(add: Add) -> None:
    people = add("people", help=_("the people whom the kit knows"))
    people.add_argument("--json", action="store_true", help=_("for programs"))
    people.set_defaults(run="stats:people")


def _stats(add: Add) -> None:
    stats = add(
        "stats",
        help=_("who has won how often, against whom, how fast"),
        description=_("Everybody's figures and the latest evening, or all figures of one person."),
    )
    stats.add_argument("name", nargs="?", metavar=_("NAME"), help=_("one person's figures; else everybody's"))
    stats.add_argument("--json", action="store_true", help=_("for programs"))
    stats.set_defaults(run="stats:stats")


def _evening(add: Add) -> None:
    evening = add("evening", help=_("the latest evening, and what its last game has brought"))
    evening.add_argument("--json", action="store_true", help=_("for programs"))
    evening.set_defaults(run="stats:evening")


def _export(add: Add) -> None:
    export = add("export", help=_("the results of all games, for other programs"))
    export.add_argument("file", type=Path, nargs="?", metavar=_("FILE"), help=_("a new file; else standard output"))
    how = export.add_mutually_exclusive_group()
    how.add_argument("--csv", action="store_true", help=_("for a spreadsheet: a row for each seat of each game"))
    how.add_argument("--json", action="store_true", help=_("for programs: all figures, too"))
    how.add_argument("--bgsplay", action="store_true", help=_("for BG Stats: a file that the app opens"))
    export.set_defaults(run="stats:export")


def _backup(add: Add) -> None:
    backup = add("backup", help=_("copy the journal to a file, also while the kit runs"))
    backup.add_argument("file", type=Path, metavar=_("FILE"), help=_("a new file"))
    backup.set_defaults(run="backup:backup")


def _restore(add: Add) -> None:
    restore = add("restore", help=_("put a copy in the journal's place; the journal is kept beside it"))
    restore.add_argument("file", type=Path, metavar=_("FILE"), help=_("what `backup` made"))
    restore.set_defaults(run="backup:restore")


def _phones(add: Add) -> None:
    phones = add("phones", help=_("open an appliance's service to phones, or close it; with sudo"))
    phones.add_argument(
        "what",
        choices=("on", "off"),
        metavar=_("WHAT"),
        help=_("on: to the network that the description names; off: to none"),
    )
    phones.set_defaults(run="phones:run")


def _strip(add: Add) -> None:
    strip = add(
        "strip",
        help=_("try the LED strip, and flash its controller"),
        description=_(
            "`strip test` walks through every picture of the LED strip: first plain colours and single lamps, "
            "which show what is wrong with the wiring, then what it shows in games. Each is named, with what should be "
            "seen, and stands for a few seconds (--seconds); Enter goes on at once, Ctrl-C ends it, and the strip goes "
            "dark. End the kit first: it holds the port. With --emulated the pictures are dots in the terminal. "
            "`strip flash` copies the controller's program to a Pico."
        ),
    ).add_subparsers(required=True, metavar=_("WHAT"))
    test = strip.add_parser(
        "test",
        help=_("walk through every picture"),
        description=_(
            "Walk through every picture on the strip of the kit's description. Enter: the next one; "
            "Ctrl-C: the end, and the strip goes dark. Status 1 if no strip answers."
        ),
    )
    test.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help=_("the kit's description, as before `strip`")
    )
    test.add_argument("--seconds", type=float, default=3.0, metavar="S", help=_("for each picture; else 3"))
    test.add_argument(
        "--emulated", action="store_true", help=_("no strip: coloured dots; ~ breathes, ! flashes, > runs")
    )
    test.set_defaults(run="strip:run")

    flash = strip.add_parser(
        "flash",
        help=_("copy the controller's program to a Pico"),
        description=_(
            "Copy the strip's program to a Raspberry Pi Pico with MicroPython that is plugged in by USB, with its "
            "settings. Again for each new version. End the kit first: it holds the port. At the kit the same is in the "
            "menu: Set up."
        ),
    )
    flash.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help=_("the kit's description, as before `strip`")
    )
    flash.add_argument("--port", help=_("the Pico's serial port; needed only if several are plugged in"))
    flash.add_argument("--leds", type=int, metavar="N", help=_("lamps of the strip, 8 to 300; else as described"))
    flash.add_argument(
        "--pin", type=int, metavar="N", help=_("GP number of its data wire; else as on the board, or 16 on a new one")
    )
    flash.add_argument(
        "--kind",
        choices=("WS2812", "SK6812"),
        help=_("SK6812 has a fourth, white lamp; else as on the board"),
    )
    flash.add_argument(
        "--max-ma",
        type=int,
        metavar="N",
        help=_("the most current of the strip, 100 to 20000; else as described"),
    )
    flash.set_defaults(run="strip:flash")


def _config(add: Add) -> None:
    config = add("config", help=_("the kit's description")).add_subparsers(required=True, metavar=_("WHAT"))
    check = config.add_parser("check", help=_("check whether the description can be used"))
    check.add_argument("file", type=Path, nargs="?", help=_("else the one that `play` would use"))
    check.set_defaults(run="config:run")


COMMANDS: dict[str, Callable[[Add], None]] = {
    "play": _play,
    "check": _check,
    "calibrate": _calibrate,
    "replay": _replay,
    "rules": _rules,
    "history": _history,
    "people": _people,
    "stats": _stats,
    "evening": _evening,
    "export": _export,
    "backup": _backup,
    "restore": _restore,
    "phones": _phones,
    "strip": _strip,
    "config": _config,
}
