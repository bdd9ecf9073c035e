"""docs/score-sheets.md: a written tutorial, and below a line the reference, generated from the format's structs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta

from engine.sheets.expressions import FUNCTIONS
from engine.sheets.program import NAMES
from engine.sheets.reading import keys_of, must_be, needed
from engine.sheets.sheet import Ask, Check, Clock, Final, RaceOf, Sheet

PAGE = Path(__file__).resolve().parents[2] / "docs" / "score-sheets.md"
MADE = "<!-- Made by scripts/make sheets from here on. -->"
PARTS: Mapping[str, type[Any]] = {
    "": Sheet,
    "ask": Ask,
    "final": Final,
    "check": Check,
    "race": RaceOf,
    "clock": Clock,
}
TITLES = {
    "": "Keys of a sheet",
    "ask": "Keys of a question: `ask`",
    "final": "Keys of a question at the end: `final`",
    "check": "Keys of a `check`",
    "race": "Keys of a `race`",
    "clock": "Keys of a `clock`",
}
CHOICES: Mapping[str, Mapping[str, str]] = {  # by part and key: what each choice means
    "first": {
        "fixed": "the same player in every round: the first seat, or who was drawn by *Who begins?*",
        "rotates": "the next player in turn",
        "highest": "who has the highest total; of several the next in turn",
        "lowest": "who has the lowest total; of several the next in turn",
    },
    "last": {
        "now": "the game is over at once",
        "round": "the round is played to its end, so that all have had as many turns",
        "lap": "every other player who is in has one more turn",
    },
    "ask.kind": {
        "number": "a number from `low` to `high`",
        "yes": "yes or no; in expressions 1 or 0",
        "words": "one of `words`; in expressions its place in the list, from 0",
        "seat": "a player, or nobody; in expressions the place at the table, from 0, and -1 for nobody. "
        "With `low = 0` somebody has to be chosen",
    },
    "ask.per": {
        "each": "everybody, all at once",
        "team": "any partner, for the team",
        "table": "the table, once for all",
        "turn": "one player after the other; a round is a turn of everybody",
        "any": "whoever presses, at any time; without `rounds` and `last`",
        "race": "who was first in the race of the round",
        "box": "one player after the other fills one of the questions that is still empty; the others are 0 in this "
        "turn. The game is over when all are full; without `rounds`",
    },
    "race.kind": {
        "first": "the first press ends the race",
        "last": "all press; the last one need not. Who is last is what counts",
        "order": "all press; the last one need not. All places count",
        "signal": "as `order`, but it begins by a signal: `delay` seconds after OK, 2 to 6 if nothing is said",
    },
    "race.jump": {
        "loses": "a press before the signal has no place in this race",
        "again": "after a press before the signal all wait for a new one",
    },
    "clock.kind": {
        "turn": "`seconds` for each turn",
        "chess": "`minutes` for all turns of a player; each turn may add `plus` seconds",
        "sand": "`seconds` or `minutes` for a round, one glass for everybody",
    },
}
NAMES_SAY: Mapping[str, str] = {
    "seat": "the player's place at the table: 0 for the first, 1 for the second",
    "side": "the player's team: 0 for the first; without `teams` the same as `seat`",
    "players": "how many play",
    "round": "the number of the round, from 1",
    "first": "the seat that started this round",
    "placed": "the player's place in the race of this round, 0 for none; only in sheets with a `race`",
    "total": "the player's total up to now",
    "points": "what the player has just scored; for all that is reckoned after `points`",
    "turns": "how many turns (or rounds) the player has finished",
}
FUNCTIONS_SAY: Mapping[str, str] = {
    "abs": "`abs(x)`: x without its minus sign",
    "min": "`min(x, y)`: the smallest of two or more values",
    "max": "`max(x, y)`: the largest of two or more values",
    "steps": "`steps(name, x)`: from this table the value of the largest key that is not above x; 0 below all keys",
    "sum": "`sum(x)`: x of all players, added up",
    "others": "`others(x)`: x of all other players, added up",
    "team": "`team(x)`: x of all partners, oneself included, added up",
    "count": "`count(x)`: for how many players x is not 0 (or is true)",
    "most": "`most(x)`: the highest x of all players",
    "least": "`least(x)`: the lowest x of all players",
    "place": "`place(x)`: 1 for who has the highest x, 2 for the next; 1 + how many have more",
}


def made() -> str:
    """The generated part of the page."""
    return "\n".join(["## Reference", *keys(), *choices(), *words()])


def keys() -> Iterator[str]:
    """All keys, by the part of the sheet that has them."""
    yield from ("", "An expression may stand wherever the table says so; a whole number may always stand for one.")
    for kind, title in TITLES.items():
        owner = PARTS[kind]
        yield from ("", f"### {title}", "")
        hints = keys_of(owner)
        own = ("points",) if kind == "final" else owner.__struct_fields__
        if kind == "final":
            yield from ("All keys of a question of a round, where `per` is each, team or table, and:", "")
        yield from ("| key | is | meaning |", "|---|---|---|")
        for key in own:
            first = "**needed:** " if key in needed(owner) else ""
            yield f"| `{key}` | {first}{_cell(must_be(hints[key]))} | {_cell(described(hints[key]))} |"


def described(hint: Any) -> str:
    """What a field of the format says of itself, also where it is one of several types."""
    if get_origin(hint) is Annotated:
        for note in hint.__metadata__:
            if isinstance(note, Meta) and note.description:
                return note.description
    return next(filter(None, map(described, get_args(hint))), "")


def choices() -> Iterator[str]:
    """What a choice means, for each key that has some."""
    yield from (
        "",
        "### Choices",
        "",
        "The first of each is meant where the key is left out. A race and a clock need their `kind`.",
    )
    for kind in ("", "ask", "race", "clock"):
        owner = PARTS[kind]
        for key, hint in get_type_hints(owner).items():
            values = [value for value in _literals(hint) if isinstance(value, str)]
            if values:
                name = f"{kind}.{key}" if kind else key
                yield from ("", f"| `{key}`{f' of {kind}' if kind else ''} | meaning |", "|---|---|")
                yield from (f'| `"{value}"` | {CHOICES[name][value]} |' for value in values)


def _literals(hint: Any) -> Iterator[object]:
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    for part in get_args(hint):
        yield from _literals(part)


def words() -> Iterator[str]:
    """All names and functions of expressions."""
    yield from ("", "### Names", "", "| name | value |", "|---|---|")
    yield from (f"| `{name}` | {NAMES_SAY[name]} |" for name in NAMES)
    yield from ("", "### Functions", "")
    yield from ("A player who is out is left out of those that look at all players.", "", "| function | value |")
    yield "|---|---|"
    for name in FUNCTIONS:
        form, _, value = FUNCTIONS_SAY[name].partition(": ")
        yield f"| {form} | {value} |"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def written() -> str:
    """The written part of the page."""
    return PAGE.read_text(encoding="utf-8").split(MADE)[0]


def page() -> str:
    """The whole page."""
    return f"{written()}{MADE}\n\n{made()}"
