"""The command line's words, options and help; the files beside this one do what a command asks for."""

import argparse
from collections.abc import Callable
from pathlib import Path

from firmware import VERSION
from firmware.cli import GAMES_LISTED
from firmware.cli.which_kit import BOOT_CONFIG, SYSTEM_CONFIG
from firmware.spreadsheet import FORMS
from firmware.translation import _

Add = Callable[..., argparse.ArgumentParser]  # `add_parser` of the commands


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The command line; with `only` that command alone, as a start need not wait for all of them."""
    top = argparse.ArgumentParser(prog="luckypaw", description=_("Score, timer and reaction kit for five table games."))
    top.add_argument("--version", action="version", version=f"luckypaw {VERSION}")
    top.add_argument(
        "--config",
        type=_file,
        metavar=_("FILE"),
        help=_(
            "the kit's description; default: {boot}, else the kit chosen in the menu, else {system}",
            boot=BOOT_CONFIG,
            system=SYSTEM_CONFIG,
        ),
    )
    commands = top.add_subparsers(required=True, metavar=_("COMMAND"))
    for name in COMMANDS if only is None else (only,):
        COMMANDS[name](commands.add_parser)
    return top


def _file(name: str) -> Path:
    """A file or a folder that people name. Raises `ArgumentTypeError`."""
    if not name:
        raise argparse.ArgumentTypeError(_("must be the name of a file, not empty"))
    return Path(name)


def _game(command: argparse.ArgumentParser) -> None:
    """Take the number of a game."""
    command.add_argument("game", type=int, metavar="N", help=_("number of the game in `luckypaw history list`"))


def _table(how: argparse._MutuallyExclusiveGroup) -> None:
    """Take the form of a table for a spreadsheet."""
    says = {
        "csv": _("CSV, for a spreadsheet or another program"),
        "semicolon": _("CSV with ; and decimal comma, for Excel in many countries"),
        "xlsx": _("a file for Excel and other spreadsheets, in which every text stays as it is"),
    }
    for form in FORMS:
        how.add_argument(f"--{form.name}", action="store_const", const=form, dest="form", help=says[form.name])


def _config_again(command: argparse.ArgumentParser) -> None:
    """Take --config also behind the command's word."""
    command.add_argument(
        "--config",
        type=_file,
        default=argparse.SUPPRESS,
        metavar=_("FILE"),
        help=_("the kit's description, the same as `luckypaw --config`"),
    )


def _play(add: Add) -> None:
    play = add(
        "play",
        help=_("start the kit"),
        description=_("Start the kit: with real parts on a Raspberry Pi, with emulated ones elsewhere."),
    )
    _config_again(play)
    play.add_argument("--kit", metavar=_("NAME"), help=_("use a built-in kit: duo, table or party"))
    play.add_argument(
        "--emulated", action="store_true", help=_("emulate all parts in the browser, also on a Raspberry Pi")
    )
    play.add_argument(
        "--port",
        type=int,
        metavar="N",
        help=_("port of the kit's page, 0: any free one; also opens the page of a kit with real parts only"),
    )
    play.set_defaults(run="play:run")


def _check(add: Add) -> None:
    doctor = add(
        "check",
        help=_("find faults in the wiring"),
        description=_(
            "Check every part of the kit. Each fault is reported with its pin or port and a remedy. "
            "Stop the kit first: it uses the parts. Exit status: 0 if all is well, 1 if there are faults, "
            "2 if the description cannot be used."
        ),
    )
    _config_again(doctor)
    doctor.add_argument("--json", action="store_true", help=_("print one JSON document"))
    how = doctor.add_mutually_exclusive_group()
    how.add_argument("--guided", action="store_true", help=_("then ask you to press, turn, look and listen"))
    how.add_argument(
        "--self", action="store_true", dest="itself", help=_("check only this installation, and touch no part")
    )
    doctor.set_defaults(run="check:run")


def _calibrate(add: Add) -> None:
    calibrate = add(
        "calibrate",
        help=_("measure the timing error of this kit"),
        description=_(
            "Measure how late the time stamps of a button's presses are. First connect a spare GPIO to the button's "
            "line by a wire."
        ),
    )
    _config_again(calibrate)
    calibrate.add_argument(
        "--wire", type=int, required=True, metavar=_("GPIO"), help=_("number of the spare GPIO, 0 to 27")
    )
    calibrate.add_argument("--button", metavar=_("NAME"), help=_("button at the wire's other end; default: the first"))
    calibrate.set_defaults(run="calibrate:run")


def _replay(add: Add) -> None:
    replay = add("replay", help=_("replay a game of the journal, event by event"))
    _game(replay)
    replay.add_argument(
        "--pictures",
        type=_file,
        metavar=_("FOLDER"),
        help=_("write the display's picture after each event to this folder"),
    )
    replay.set_defaults(run="replay:run")


def _rules(add: Add) -> None:
    rules = add("rules", help=_("play a game through a line protocol (JSON) on standard input and output"))
    rules.add_argument(
        "game", metavar=_("GAME"), help=_("name of the game, e.g. kitty_paw, or the file of a score sheet")
    )
    rules.set_defaults(run="rules:run")


def _games(add: Add) -> None:
    what = add("game", help=_("list or try score sheets, games that are files")).add_subparsers(
        required=True, metavar=_("WHAT")
    )
    listed = what.add_parser(
        "list",
        help=_("list all score sheets, where they come from, and what is wrong in them"),
        description=_(
            "List all score sheets by title: their name, where they come from (the card, the state folder, the kit), "
            "and the files that they hide. Exit status: 0 if all can be played, 1 if something is wrong in one."
        ),
    )
    listed.set_defaults(run="game:listed")
    schema = what.add_parser("schema", help=_("print the format's JSON schema, for an editor of TOML files"))
    schema.set_defaults(run="game:schema")
    check = what.add_parser(
        "check",
        help=_("play a score sheet at random, and tell what is wrong in it"),
        description=_(
            "Play a score sheet at random to its end, with the fewest and the most players. Undo, redo and resuming "
            "are tried, too. What is wrong is named with file, line and key. Exit status: 0 if all is well, 1 if "
            "something is wrong in play, 2 if the file is no score sheet."
        ),
    )
    check.add_argument("file", type=_file, metavar=_("FILE"), help=_("file of the score sheet"))
    check.add_argument(
        "--pictures",
        type=_file,
        metavar=_("FOLDER"),
        help=_("write the display's pictures to this folder, on one sheet"),
    )
    check.set_defaults(run="game:check")


def _history(add: Add) -> None:
    history = add("history", help=_("show the games played on this kit")).add_subparsers(
        required=True, metavar=_("WHAT")
    )
    listed = history.add_parser("list", help=_("list the latest {n} games, newest first", n=GAMES_LISTED))
    listed.add_argument("--all", action="store_true", help=_("list all games"))
    listed.set_defaults(run="history:listed")
    show = history.add_parser("show", help=_("show a game's score sheet: each round's points and duration"))
    _game(show)
    how = show.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help=_("print JSON"))
    _table(how)
    how.add_argument(
        "--picture", type=_file, metavar=_("FILE"), help=_("write the result as a picture (PNG) to this file")
    )
    show.set_defaults(run="history:show")
    raced = history.add_parser("evidence", help=_("show the time stamps of all races of a game"))
    _game(raced)
    raced.add_argument("--json", action="store_true", help=_("print JSON"))
    raced.set_defaults(run="history:evidence")
    measured = history.add_parser(
        "certificate", help=_("show this kit's timing error, as measured by `luckypaw calibrate`")
    )
    measured.add_argument("--json", action="store_true", help=_("print JSON, with the histogram"))
    measured.set_defaults(run="history:show_certificate")


def _people(add: Add) -> None:
    people = add("people", help=_("list the people known to this kit"))
    people.add_argument("--json", action="store_true", help=_("print JSON"))
    people.set_defaults(run="stats:people")


def _stats(add: Add) -> None:
    stats = add(
        "stats",
        help=_("show who won how often, against whom and how fast"),
        description=_("Show everybody's figures and the latest evening, or all figures of one person."),
    )
    stats.add_argument("name", nargs="?", metavar=_("NAME"), help=_("show only this person's figures"))
    stats.add_argument("--json", action="store_true", help=_("print JSON"))
    stats.set_defaults(run="stats:stats")


def _evening(add: Add) -> None:
    evening = add("evening", help=_("show the latest evening, and what was new in its last game"))
    evening.add_argument("--json", action="store_true", help=_("print JSON"))
    evening.set_defaults(run="stats:evening")


def _export(add: Add) -> None:
    export = add(
        "export",
        help=_("export the results of all games for other programs"),
        description=_(
            "Export the results of all games, one row per seat and game. Without an option the name of the file says "
            "the form: .xlsx for Excel, else CSV."
        ),
    )
    export.add_argument(
        "file", type=_file, nargs="?", metavar=_("FILE"), help=_("file to create; default, also for -: standard output")
    )
    how = export.add_mutually_exclusive_group()
    _table(how)
    how.add_argument("--json", action="store_true", help=_("JSON, with all figures"))
    how.add_argument("--bgsplay", action="store_true", help=_("a file for the app BG Stats"))
    export.set_defaults(run="stats:export")


def _backup(add: Add) -> None:
    backup = add("backup", help=_("copy the journal to a file, even while the kit runs"))
    backup.add_argument("file", type=_file, metavar=_("FILE"), help=_("file to create"))
    backup.set_defaults(run="backup:backup")


def _restore(add: Add) -> None:
    restore = add("restore", help=_("replace the journal with a backup; the old journal is kept beside it"))
    restore.add_argument("file", type=_file, metavar=_("FILE"), help=_("file made by `luckypaw backup`"))
    restore.set_defaults(run="backup:restore")


def _phones(add: Add) -> None:
    phones = add("phones", help=_("let phones reach an appliance, or no longer; needs sudo"))
    phones.add_argument(
        "what",
        choices=("on", "off"),
        metavar=_("WHAT"),
        help=_("on: phones in the network that the description names; off: no phones"),
    )
    phones.set_defaults(run="phones:run")


def _strip(add: Add) -> None:
    strip = add(
        "strip",
        help=_("try the LED strip, and flash its controller"),
        description=_(
            "`strip test` shows every picture of the LED strip: first plain colours and single lamps, to find faults "
            "in the wiring, then the pictures of the games. `strip flash` copies the controller's program to a Pico. "
            "Stop the kit first: it uses the port."
        ),
    ).add_subparsers(required=True, metavar=_("WHAT"))
    test = strip.add_parser(
        "test",
        help=_("show every picture"),
        description=_(
            "Show every picture on the kit's strip, and tell what should be seen. Enter shows the next one at once; "
            "Ctrl-C ends the test, and the strip goes dark. Exit status: 1 if no strip answers."
        ),
    )
    _config_again(test)
    test.add_argument(
        "--seconds", type=float, default=3.0, metavar="S", help=_("seconds per picture, up to 3600; default: 3")
    )
    test.add_argument(
        "--emulated",
        action="store_true",
        help=_("show coloured dots in the terminal instead; ~ breathes, ! flashes, > runs"),
    )
    test.set_defaults(run="strip:run")

    flash = strip.add_parser(
        "flash",
        help=_("copy the controller's program to a Pico"),
        description=_(
            "Copy the strip's program and its settings to a Raspberry Pi Pico with MicroPython on USB. Repeat it for "
            "each new version. Stop the kit first: it uses the port. The kit's menu can do the same: Set up."
        ),
    )
    _config_again(flash)
    flash.add_argument(
        "--port", metavar=_("DEVICE"), help=_("the Pico's serial port; needed only if several are plugged in")
    )
    flash.add_argument(
        "--leds", type=int, metavar="N", help=_("number of lamps, 8 to 300; default: from the description")
    )
    flash.add_argument(
        "--pin", type=int, metavar="N", help=_("GP number of the data wire; default: as on the board, 16 on a new one")
    )
    flash.add_argument(
        "--kind",
        choices=("WS2812", "SK6812"),
        help=_("type of the lamps; SK6812 have white, too; default: as on the board, WS2812 on a new one"),
    )
    flash.add_argument(
        "--max-ma",
        type=int,
        metavar="N",
        help=_("most current of the strip in mA, 100 to 20000; default: from the description"),
    )
    flash.set_defaults(run="strip:flash")


def _config(add: Add) -> None:
    config = add("config", help=_("check the kit's description")).add_subparsers(required=True, metavar=_("WHAT"))
    check = config.add_parser("check", help=_("check whether a description can be used"))
    check.add_argument(
        "file",
        type=_file,
        nargs="?",
        metavar=_("FILE"),
        help=_("file to check; default: the one that `luckypaw play` would use"),
    )
    check.set_defaults(run="config:run")


COMMANDS: dict[str, Callable[[Add], None]] = {
    "play": _play,
    "check": _check,
    "calibrate": _calibrate,
    "replay": _replay,
    "rules": _rules,
    "game": _games,
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
