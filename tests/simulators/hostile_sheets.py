"""Files of score sheets that are cut, changed and mixed: each is refused in lines that help, or can be played."""

from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from engine.sheets.reading import SheetErrors, read
from engine.sheets.rules import rules
from firmware.random_play.strangers import moves
from firmware.shelf.folders import SHIPPED
from tests.simulators.soak import calls_of

SIGNS = "\"'[]{}(),.=+-*/%<>0123456789abcxyz_# \n\t\u00a0\u200b\u202e\0\x1b\u00e4"
MOST_CALLS = 100_000  # of functions, until a file is refused or compiled
ANSWERS = 200  # that are played of one that is not


@cache
def shipped() -> tuple[str, ...]:
    return tuple(file.read_text("utf-8") for file in sorted(Path(SHIPPED).glob("*.toml")))


@cache
def lines() -> tuple[str, ...]:
    """All lines of all of them."""
    return tuple(line for text in shipped() for line in text.split("\n"))


def hostile(dice: Random) -> str:
    """A shipped sheet, changed in one or two places."""
    text = dice.choice(shipped())
    for _ in range(dice.randint(1, 2)):
        at, rows = dice.randrange(len(text) + 1), text.split("\n")
        match dice.choices(("cut", "sign", "signs", "gone", "more", "other", "mixed"), (2, 4, 2, 3, 5, 3, 1))[0]:
            case "cut":
                text = text[:at]
            case "sign":
                text = f"{text[:at]}{dice.choice(SIGNS)}{text[at + 1 :]}"
            case "signs":
                text = f"{text[:at]}{dice.choice(SIGNS) * dice.choice((1, 3, 50, 3000))}{text[at:]}"
            case "gone":
                text = text[:at] + text[at + dice.randint(1, 30) :]
            case "more":
                rows.insert(dice.randrange(len(rows)), dice.choice(lines()))
                text = "\n".join(rows)
            case "other":
                rows[dice.randrange(len(rows))] = dice.choice(lines())
                text = "\n".join(rows)
            case "mixed":
                other = dice.choice(shipped())
                text = text[:at] + other[dice.randrange(len(other)) :]
    return text


def tried(seed: int) -> bool:
    """Whether a file can be played; then it is. Raises `AssertionError` where it is refused badly, or slowly."""
    dice = Random(seed)
    text, found = hostile(dice), list[SheetErrors]()

    def opened() -> None:
        try:
            rules("sheet:my", read(text.encode(), "my.toml"), text)
        except SheetErrors as errors:
            found.append(errors)

    assert calls_of(opened) < MOST_CALLS, seed
    if found:
        for error in found[0].errors:
            said = str(error)
            assert said.startswith(f"my.toml:{error.line}: {error.key}: ") and said.isprintable(), (seed, said)
            assert 1 <= error.line <= text.count("\n") + 1, (seed, said)
        return False
    game = rules("sheet:my", read(text.encode(), "my.toml"), text)
    names = tuple(f"P{n + 1}" for n in range(dice.choice(game.seats)))
    for _move in islice(moves(game, names, seed), ANSWERS):
        pass
    return True
