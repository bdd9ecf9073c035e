"""The command `luckypaw`: its command line. Each command is a file of `cli/`."""

import os
import sqlite3
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from firmware import ending
from firmware.cli import Failure, in_words
from firmware.cli.arguments import COMMANDS, parser
from firmware.translation import _


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if isinstance(sys.stdout, TextIOWrapper):  # not in every terminal there is each letter of a name
        sys.stdout.reconfigure(errors="replace")
    status: str | int | None = 0
    ending.raise_ended()
    try:
        try:
            run(arguments)
        except Failure as failure:
            status = failure.status
            failure.say()
        except sqlite3.Error as error:
            status = 1
            Failure(_("the journal cannot be read: {error}", error=error)).say()
        except SystemExit as end:  # help, the version, wrong usage
            status = end.code
        except ending.ProgramEnded as ended:
            status = ended.status
        print(end="", flush=True)  # a closed pipe raises here, not at exit
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else the exit would try to print the rest again
        if not isinstance(error, BrokenPipeError):
            with suppress(OSError):  # a terminal that is gone
                print(f"luckypaw: {in_words(error)}", file=sys.stderr)
            status = status or 1
    sys.exit(status)


def run(arguments: list[str]) -> None:
    """Run the command. Only the imports of this command are loaded."""
    only = next((first for first in arguments[:1] if first in COMMANDS), None)
    args = parser(only).parse_args(arguments)
    module, name = args.run.split(":")
    getattr(import_module(f"firmware.cli.{module}"), name)(args)


if __name__ == "__main__":
    main()
