"""The command `luckypaw`: its command line. Each command is a file of `cli/`."""

import argparse
import os
import sqlite3
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from firmware import VERSION
from firmware.cli import BOOT_CONFIG, GAMES_LISTED, SYSTEM_CONFIG, Failure


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    args = parser().parse_args(arguments)
    try:
        module, run = args.run.split(":")  # only the imports of this command are loaded
        getattr(import_module(f"firmware.cli.{module}"), run)(args)
        print(end="", flush=True)  # a closed pipe raises here, not at exit
    except Failure as failure:
        failure.say()
        sys.exit(failure.status)
    except sqlite3.Error as error:
        print(f"luckypaw: the journal cannot be read: {error}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else the exit would try to print the rest again
        if not isinstance(error, BrokenPipeError):
            print(f"luckypaw: {error}", file=sys.stderr)
            sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="luckypaw", description="Score, timer and reaction kit for five table games.")
    top.add_argument("--version", action="version", version=f"luckypaw {VERSION}")
    top.add_argument("--config", type=Path, help=f"the kit's description; else {BOOT_CONFIG}, else {SYSTEM_CONFIG}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="start the kit", description="Start the kit: real parts on a Raspberry Pi.")
    play.add_argument("--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `play`")
    play.add_argument("--kit", metavar="NAME", help="a kit that is described here: duo, table or party")
    play.add_argument("--emulated", action="store_true", help="all parts in the browser, also on a Raspberry Pi")
    play.add_argument("--port", type=int, help="port of the page (0: any free one); real parts alone have none else")
    play.set_defaults(run="play:run")

    doctor = commands.add_parser(
        "check",
        help="find faults of the wiring",
        description="Check every part of the kit by itself. A fault is reported with its pin or port and a remedy. "
        "End the kit first: it holds the parts. Status 0: all right; 1: at least one fault; 2: the description "
        "cannot be used.",
    )
    doctor.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `check`"
    )
    doctor.add_argument("--json", action="store_true", help="for programs: one document")
    how = doctor.add_mutually_exclusive_group()
    how.add_argument("--guided", action="store_true", help="then ask people to press, turn, look and listen")
    how.add_argument("--self", action="store_true", dest="itself", help="only this installation, touching no part")
    doctor.set_defaults(run="check:run")

    calibrate = commands.add_parser(
        "calibrate",
        help="measure how exact this kit is",
        description="Measure how late the stamps of a button are: put a wire from a spare GPIO to the button's line.",
    )
    calibrate.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `calibrate`"
    )
    calibrate.add_argument("--wire", type=int, required=True, metavar="GPIO", help="the spare GPIO, e.g. 18")
    calibrate.add_argument("--button", metavar="NAME", help="the button at the wire's other end; else the first")
    calibrate.set_defaults(run="calibrate:run")

    replay = commands.add_parser("replay", help="play a game of the journal again, event by event")
    replay.add_argument("game", type=int, metavar="N", help="the game's number in `history list`")
    replay.add_argument("--pictures", type=Path, metavar="FOLDER", help="write the display's picture after each event")
    replay.set_defaults(run="replay:run")

    rules = commands.add_parser("rules", help="the rules of a game as a line protocol on standard input and output")
    rules.add_argument("game", metavar="GAME", help="kitty_paw, pack_and_stack, ...")
    rules.set_defaults(run="rules:run")

    history = commands.add_parser("history", help="games played on this kit").add_subparsers(
        required=True, metavar="WHAT"
    )
    listed = history.add_parser("list", help=f"the newest {GAMES_LISTED} games, the newest first")
    listed.add_argument("--all", action="store_true", help="all games")
    listed.set_defaults(run="history:listed")
    show = history.add_parser("show", help="the score sheet of a game: a row a round, and how long it took")
    show.add_argument("game", type=int, metavar="N", help="the game's number in `history list`")
    how = show.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for programs")
    how.add_argument("--csv", action="store_true", help="for a spreadsheet")
    show.set_defaults(run="history:show")
    raced = history.add_parser("evidence", help="the stamps of all races of a game")
    raced.add_argument("game", type=int, metavar="N", help="the game's number in `history list`")
    raced.add_argument("--json", action="store_true", help="for programs")
    raced.set_defaults(run="history:evidence")
    measured = history.add_parser("certificate", help="how exact this kit is, as `calibrate` has measured it")
    measured.add_argument("--json", action="store_true", help="for programs, with the histogram")
    measured.set_defaults(run="history:show_certificate")

    strip = commands.add_parser(
        "strip",
        help="try the LED strip",
        description="`strip test` walks through every picture of the LED strip: first plain colours and single lamps, "
        "which show what is wrong with the wiring, then what it shows in games. Each is named, with what should be "
        "seen, and stands for a few seconds (--seconds); Enter goes on at once, Ctrl-C ends it, and the strip goes "
        "dark. End the kit first: it holds the port. With --emulated the pictures are dots in the terminal.",
    ).add_subparsers(required=True, metavar="WHAT")
    test = strip.add_parser(
        "test",
        help="walk through every picture",
        description="Walk through every picture on the strip of the kit's description. Enter: the next one; "
        "Ctrl-C: the end, and the strip goes dark. Status 1 if no strip answers.",
    )
    test.add_argument("--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `strip`")
    test.add_argument("--seconds", type=float, default=3.0, metavar="S", help="for each picture; else 3")
    test.add_argument("--emulated", action="store_true", help="no strip: coloured dots; ~ breathes, ! flashes, > runs")
    test.set_defaults(run="strip:run")

    config = commands.add_parser("config", help="the kit's description").add_subparsers(required=True, metavar="WHAT")
    check = config.add_parser("check", help="check whether the description can be used")
    check.add_argument("file", type=Path, nargs="?", help="else the one that `play` would use")
    check.set_defaults(run="config:run")
    return top


if __name__ == "__main__":
    main()
