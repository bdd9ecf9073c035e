"""Every game there is: those of the program and the shipped score sheets; and any sheet that is a file."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from functools import cache
from pathlib import Path
from typing import Any

import firmware
from engine import games
from engine.game import Rules
from firmware.cli import Failure
from firmware.cli.rules import rules_of as any_rules
from firmware.journal import sheets

SHELF = Path(firmware.__file__).with_name("shelf")
TEN = {  # a shipped sheet for each way in which rounds and turns go
    "team": "sheet:tichu",
    "table": "sheet:uno",
    "turn with out": "sheet:molkky",
    "box with final": "sheet:yahtzee",
    "race first": "sheet:quiz_buzzer",
    "race signal": "sheet:reaction_duel",
    "chess clock": "sheet:chess_clock",
    "any": "sheet:counter",
    "check": "sheet:hearts",
    "rounds by an expression": "sheet:oh_hell",
}


@cache
def names() -> tuple[str, ...]:
    """The names of all games, the sheets after the others as `sheet:NAME`."""
    return (*games.names(), *(f"sheet:{file.stem}" for file in sorted(SHELF.glob("*.toml"))))


@cache
def rules_of(name: str) -> Rules[Any, Any]:
    """The rules of a game by its name, or of the file of a sheet. Raises `Failure`."""
    return any_rules(str(SHELF / f"{name.removeprefix('sheet:')}.toml") if name.startswith("sheet:") else name)


@cache
def without_end(name: str) -> Rules[Any, Any]:
    """The rules of a game; of a sheet without what ends it: 500 rounds where it counts them."""
    if not name.startswith("sheet:"):
        return rules_of(name)
    text = re.sub(r"^end = .*\n", "", rules_of(name).text, flags=re.MULTILINE)
    text = re.sub(r"^rounds = .*", 'rounds = "500 + 0 * players"', text, flags=re.MULTILINE)
    return sheets.rules(name, text.replace("round - ", "round % 19 - "))


def add_game(parser: ArgumentParser) -> None:
    """Take the name of a game or a file."""

    def known(text: str) -> str:
        try:
            rules_of(text)
        except Failure as failure:
            raise ArgumentTypeError(str(failure)) from None
        return text

    text = "play only this game: its name, `sheet:NAME` of a shipped score sheet, or the file of one"
    parser.add_argument("--game", type=known, metavar="GAME", help=text)
