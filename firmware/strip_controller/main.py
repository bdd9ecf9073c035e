"""Start of the strip's controller. Whatever is wrong with the rest, this leads to the REPL, so that it can be mended."""

import os
import sys
import time

GRACE_MS = 1000  # in which Ctrl-C still leads to the REPL


def asked_for() -> bool:
    """Whether the REPL was asked for before this start; it is given once."""
    try:
        os.remove("repl")
    except OSError:
        return False
    return True


def start() -> None:
    """Take the line, unless something else is wanted."""
    if not asked_for():
        time.sleep_ms(GRACE_MS)
        import controller  # only now: a broken copy then has had its grace as well

        controller.run()


try:
    start()
except Exception as error:
    sys.print_exception(error)
