"""The command `luckypaw`: its command line. Each command is a file of `cli/`."""

import os
import sqlite3
import sys
from importlib import import_module
from typing import NoReturn

from firmware.cli import Failure
from firmware.cli.arguments import COMMANDS, parser
from firmware.words import _


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    arguments = sys.argv[1:] if arguments is None else arguments
    only = next((first for first in arguments[:1] if first in COMMANDS), None)
    args = parser(only).parse_args(arguments)
    try:
        module, run = args.run.split(":")  # only the imports of this command are loaded
        getattr(import_module(f"firmware.cli.{module}"), run)(args)
        print(end="", flush=True)  # a closed pipe raises here, not at exit
    except Failure as failure:
        failure.say()
        sys.exit(failure.status)
    except sqlite3.Error as error:
        Failure(_("the journal cannot be read: {error}", error=error)).say()
        sys.exit(1)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else the exit would try to print the rest again
        if not isinstance(error, BrokenPipeError):
            print(f"luckypaw: {error}", file=sys.stderr)
            sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


if __name__ == "__main__":
    main()
