"""The format of a score sheet: the structs that a file is read into, and of which its JSON schema is made."""

from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, field
from msgspec.structs import replace

from engine.game import Record
from engine.sheets.limits import LONGEST_TITLE
from engine.words import N_, seen

MOST_PLAYERS = 12
NUMBER = 10**9 - 1
NAME = r"^[a-z][a-z0-9_]*\Z"

EXPRESSION = "a whole number or an expression in quotes"


def must(be: str) -> Meta:
    """What a value has to be, in words, where its type does not say it."""
    return Meta(extra={"must": be})


def means(text: str) -> Meta:
    """What a key is, for people who write a sheet."""
    return Meta(description=text)


Title: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_TITLE, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")
]
Line: TypeAlias = Annotated[str, Meta(min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]
Name: TypeAlias = Annotated[str, Meta(pattern=NAME)]
Whole: TypeAlias = Annotated[int, Meta(ge=-NUMBER, le=NUMBER)]
Reckoned: TypeAlias = Annotated[Whole | str, must(EXPRESSION)]
StepTable: TypeAlias = Annotated[
    dict[Annotated[str, Meta(pattern=r"^-?[0-9]{1,9}\Z")], Whole],
    must("whole numbers with their values, as in { 1 = 1, 5 = 2 }"),
]
Players: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]
Kind: TypeAlias = Literal["number", "yes", "words", "seat"]
Delay: TypeAlias = Annotated[float, Meta(gt=0, le=60)]


T = TypeVar("T", bound="Ask")


class Ask(Record, forbid_unknown_fields=True):
    """A question of every round."""

    id: Annotated[
        Name,
        means(N_("Its short name in expressions: small letters, digits and _")),
        must("a name of a to z, 0 to 9 and _, with a letter first, in quotes"),
    ]
    title: Annotated[Title, means(N_("As people read it; else the short name"))] | None = None
    kind: Annotated[Kind, means(N_("What is answered: a number, unless there are words"))] | None = None
    low: Annotated[Reckoned, means(N_("The lowest number: 0 if nothing is said"))] | None = None
    high: Annotated[Reckoned, means(N_("The highest number: 999 if nothing is said"))] | None = None
    step: Annotated[int, Meta(ge=1, le=NUMBER), means(N_("The number goes up and down by this: 1, 5, 10"))] = 1
    words: (
        Annotated[
            tuple[Line, ...], Meta(min_length=1), means(N_("The answers to choose from: in expressions 0, 1, ..."))
        ]
        | None
    ) = None
    per: (
        Annotated[
            Literal["each", "team", "table", "turn", "any", "race", "box"],
            means(N_("Who answers: everybody at once, if nothing is said")),
        ]
        | None
    ) = None
    when: Annotated[Reckoned, means(N_("Asked only where this holds: solo >= 0"))] | None = None


class Final(Ask, forbid_unknown_fields=True):
    """A question once at the end."""

    points: Annotated[Reckoned, means(N_("Added to the total; its own number if nothing is said"))] | None = None


class Check(Record, forbid_unknown_fields=True):
    """What must hold of the answers, and what is said where it does not."""

    that: Annotated[Reckoned, means(N_("Must hold, else the table is asked again: sum(tricks) == 13"))]
    says: Annotated[Line, means(N_("What the table is told then: Tricks must add up to 13"))] | None = None


class RaceOf(Record, forbid_unknown_fields=True):
    """A race in every round."""

    kind: Annotated[
        Literal["first", "last", "order", "signal"],
        means(N_("Who presses first, who last, in which order, or who is quickest after a signal")),
    ]
    lock_out: Annotated[bool, means(N_("After a wrong answer the others race on without that player"))] = False
    delay: (
        Annotated[
            tuple[Delay, Delay],
            means(N_("Shortest and longest wait for the signal, in seconds")),
            must("[shortest, longest] in seconds, up to 60"),
        ]
        | None
    ) = None
    jump: Annotated[Literal["loses", "again"], means(N_("What follows a press before the signal"))] | None = None


class Clock(Record, forbid_unknown_fields=True):
    """The time of whose turn it is."""

    kind: Annotated[
        Literal["turn", "chess", "sand"],
        means(N_("For each turn, for all turns of a player, or one glass for everybody")),
    ]
    seconds: Annotated[int, Meta(ge=1, le=36_000), means(N_("How long, in seconds"))] | None = None
    minutes: Annotated[int, Meta(ge=1, le=600), means(N_("How long, in minutes"))] | None = None
    plus: Annotated[int, Meta(ge=0, le=3600), means(N_("Seconds that each turn adds"))] | None = None


class Sheet(Record, forbid_unknown_fields=True):
    """A score sheet as its file says it. An expression is a text; a number may stand for it."""

    title: Annotated[Title, means(N_("What the game is called: up to 40 signs"))]
    players: Annotated[
        tuple[Players, Players],
        means(N_("The fewest and the most: from 1 to 12")),
        must("[fewest, most], both from 1 to 12"),
    ]
    teams: Annotated[int, Meta(ge=2, le=MOST_PLAYERS), means(N_("How many teams; partners sit across"))] | None = None
    source: Annotated[Line, means(N_("Where the rules can be read: an address"))] | None = None
    bgg: Annotated[int, Meta(ge=1, le=NUMBER), means(N_("Its number at BoardGameGeek"))] | None = None
    format: Annotated[Literal[1], means(N_("Of the file: 1"))] = 1
    rounds: Annotated[
        Reckoned,
        means(N_("How many: 10, or 60 // players. If nothing is said, until the table finishes it")),
        must(f'{EXPRESSION}, or "open"'),
    ] = "open"
    first: Annotated[Literal["fixed", "rotates", "highest", "lowest"], means(N_("Who starts a round"))] = "fixed"
    ask: Annotated[
        tuple[Ask, ...],
        means(N_("What is asked in every round")),
        must("a list, as in ask = [{ id = ... }, { id = ... }]"),
    ] = ()
    points: (
        Annotated[
            Reckoned, means(N_("What a player gets for it: 10 * tricks. If nothing is said, the sum of the numbers"))
        ]
        | None
    ) = None
    keep: Annotated[
        dict[Name, Reckoned],
        means(N_("A number that goes on from round to round, 0 at first: misses + (pins == 0)")),
        must("names with expressions, as in keep.misses = ..."),
    ] = field(default_factory=dict)
    total: Annotated[Reckoned, means(N_("The new total: total + points if nothing is said"))] = "total + points"
    start: Annotated[Reckoned, means(N_("The total at the beginning: 0 if nothing is said"))] = 0
    let: Annotated[
        dict[Name, Reckoned],
        means(N_("A part of the sum with a name of its own: 20 if won == bid else 0")),
        must("names with expressions, as in let.bonus = ..."),
    ] = field(default_factory=dict)
    steps: Annotated[
        dict[Name, StepTable],
        means(N_("Steps, a line each: 5 = 2. An expression reads them with steps(fee, x)")),
        must("whole numbers with their values, as in steps.fee = { 1 = 1, 5 = 2 }"),
    ] = field(default_factory=dict)
    check: Annotated[
        Reckoned | tuple[str | Check, ...],
        means(N_("What must hold of the answers of a round")),
        must("an expression in quotes, a list of them, or a list of { that = ..., says = ... }"),
    ] = ()
    end: Annotated[Reckoned, means(N_("The game ends as soon as this holds for somebody: total >= 100"))] | None = None
    last: Annotated[Literal["now", "round", "lap"], means(N_("Who still has a turn then"))] | None = None
    out: Annotated[Reckoned, means(N_("A player is out once this holds: misses == 3"))] | None = None
    final: Annotated[
        tuple[Final, ...],
        means(N_("What is asked once, at the end of the game")),
        must("a list, as in final = [{ id = ... }]"),
    ] = ()
    win: Annotated[
        str | Annotated[tuple[str, ...], Meta(min_length=1)],
        means(N_("What wins, the highest first; what breaks a tie comes next. -total: the lowest wins")),
        must("an expression in quotes, or a list of them"),
    ] = ("total",)
    together: Annotated[Reckoned, means(N_("All win together if this holds, else nobody: sum(total) >= 20"))] | None = (
        None
    )
    race: Annotated[RaceOf, means(N_("Every round is a race for the buttons")), must("{ kind = ... }")] | None = None
    clock: (
        Annotated[
            Clock, means(N_("The time of whose turn it is; it warns, and takes no points")), must("{ kind = ... }")
        ]
        | None
    ) = None

    @property
    def per(self) -> str:
        """How a round goes: `asks` for all at once, else as all its asks say; `clock`: by nothing but turns."""
        if self.race is not None:
            return "race"
        if not self.ask:
            return "clock"
        first = per_of(self.ask[0])
        return first if first in ("turn", "any", "box") else "asks"


def kind_of(ask: Ask) -> Kind:
    """The kind of an ask, where it says none, too."""
    return ask.kind or ("words" if ask.words is not None else "number")


def per_of(ask: Ask) -> str:
    """Who answers an ask, where it says nothing, too."""
    return ask.per or ("table" if ask.kind == "seat" else "each")


def title_of(ask: Ask) -> str:
    """What people read."""
    return seen(ask.title or "") or ask.id.replace("_", " ")


def variant(sheet: Sheet) -> str:
    """What a sheet means, as eight hex digits: its texts and source aside."""

    def wordless(ask: T) -> T:
        return replace(ask, title=None, words=None if ask.words is None else ("-",) * len(ask.words))

    check = sheet.check
    if isinstance(check, tuple):
        check = tuple([replace(one, says=None) if isinstance(one, Check) else one for one in check])
    asks, finals = tuple(map(wordless, sheet.ask)), tuple(map(wordless, sheet.final))
    bare = replace(sheet, title="-", source=None, bgg=None, ask=asks, final=finals, check=check)
    return sha256(msgspec.json.encode(bare, order="deterministic")).hexdigest()[:8]


def schema() -> dict[str, Any]:
    """The JSON schema of the format."""
    return msgspec.json.schema(Sheet)
