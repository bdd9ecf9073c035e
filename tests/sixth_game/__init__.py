"""A sixth game, written down in one file that the kit has never seen; and the program as it runs with it."""

import sys
from pathlib import Path

_MAIN = """
import sys, engine.games
engine.games.__path__.append(sys.argv.pop(1))
from firmware.__main__ import main
main()
"""
PROGRAM = (sys.executable, "-c", _MAIN, str(Path(__file__).parent))  # the command `luckypaw`
