"""A sixth game, written down in one file that the kit has never seen; and programs as they run with it."""

import sys
from pathlib import Path

_MAIN = """
import sys, engine.games
engine.games.__path__.append(sys.argv.pop(1))
from {module} import main
sys.exit(main())
"""


def with_it(module: str) -> tuple[str, ...]:
    """The command that runs `main` of a module, with the sixth game among the others."""
    return (sys.executable, "-c", _MAIN.format(module=module), str(Path(__file__).parent))


PROGRAM = with_it("firmware.__main__")  # the command `luckypaw`
TESTS = with_it("pytest")
