"""Start of the strip's controller. If the rest fails, this leads to the REPL, so that it can be repaired."""

import os
import sys
import time

GRACE_MS = 1000  # during which Ctrl-C leads to the REPL


def asked_for() -> bool:
    """Whether the REPL was requested before this start; the request is used once."""
    try:
        os.remove("repl")
    except OSError:
        return False
    return True


def start() -> None:
    """Start the program, unless the REPL was requested."""
    if not asked_for():
        time.sleep_ms(GRACE_MS)
        import controller  # after the grace, so that a broken copy has it, too

        controller.run()


try:
    start()
except Exception as error:
    sys.print_exception(error)
