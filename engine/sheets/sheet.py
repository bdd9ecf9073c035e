"""The format of a score sheet: the structs that a file is read into, and of which its JSON schema is made."""

from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, field
from msgspec.structs import replace

from engine.game import Record
from engine.sheets.limits import LONGEST_TITLE

MOST_PLAYERS = 12
NUMBER = 10**9 - 1

Title: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_TITLE, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")
]
Line: TypeAlias = Annotated[str, Meta(min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]
Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*\Z")]
Whole: TypeAlias = Annotated[int, Meta(ge=-NUMBER, le=NUMBER)]
Reckoned: TypeAlias = Whole | str  # a whole number, or an expression
Players: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]
Kind: TypeAlias = Literal["number", "yes", "words", "seat"]
Delay: TypeAlias = Annotated[float, Meta(gt=0, le=60)]


T = TypeVar("T", bound="Ask")


class Ask(Record, forbid_unknown_fields=True):
    """A question of every round."""

    id: Annotated[Name, Meta(description="its name in expressions and in the line protocol")]
    title: Annotated[Title, Meta(description="as people read it; else the id with spaces")] | None = None
    kind: Annotated[Kind, Meta(description="number, unless there are words")] | None = None
    low: Annotated[Reckoned, Meta(description="the lowest number; 0")] | None = None
    high: Annotated[Reckoned, Meta(description="the highest number; 999")] | None = None
    step: Annotated[int, Meta(ge=1, le=NUMBER, description="by which it is counted")] = 1
    words: (
        Annotated[tuple[Line, ...], Meta(min_length=1, description="the answers; the value is the place, from 0")]
        | None
    ) = None
    per: Literal["each", "team", "table", "turn", "any", "race", "box"] | None = None
    when: Annotated[Reckoned, Meta(description="asked only where this is not 0")] | None = None


class Final(Ask, forbid_unknown_fields=True):
    """A question once at the end."""

    points: Annotated[Reckoned, Meta(description="added to the total; its own number")] | None = None


class Check(Record, forbid_unknown_fields=True):
    """What must hold of the answers, and what is said where it does not."""

    that: Reckoned
    says: Line | None = None


class RaceOf(Record, forbid_unknown_fields=True):
    """A race in every round."""

    kind: Literal["first", "last", "order", "signal"]
    lock_out: bool = False
    delay: tuple[Delay, Delay] | None = None
    jump: Literal["loses", "again"] | None = None


class Clock(Record, forbid_unknown_fields=True):
    """The time of whose turn it is."""

    kind: Literal["turn", "chess", "sand"]
    seconds: Annotated[int, Meta(ge=1, le=36_000)] | None = None
    minutes: Annotated[int, Meta(ge=1, le=600)] | None = None
    plus: Annotated[int, Meta(ge=0, le=3600)] | None = None


class Sheet(Record, forbid_unknown_fields=True):
    """A score sheet as its file says it. An expression is a text; a number may stand for it."""

    title: Title
    players: tuple[Players, Players]
    teams: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)] | None = None
    source: Line | None = None
    bgg: Annotated[int, Meta(ge=1, le=NUMBER)] | None = None
    format: Literal[1] = 1
    rounds: Annotated[Reckoned, Meta(description='how many, of players; or "open"')] = "open"
    first: Literal["fixed", "rotates", "highest", "lowest"] = "fixed"
    ask: tuple[Ask, ...] = ()
    points: Reckoned | None = None
    keep: dict[Name, Reckoned] = field(default_factory=dict)
    total: Reckoned = "total + points"
    start: Reckoned = 0
    let: dict[Name, Reckoned] = field(default_factory=dict)
    steps: dict[Name, dict[Annotated[str, Meta(pattern=r"^-?[0-9]{1,9}\Z")], Whole]] = field(default_factory=dict)
    check: Reckoned | tuple[str | Check, ...] = ()
    end: Reckoned | None = None
    last: Literal["now", "round", "lap"] | None = None
    out: Reckoned | None = None
    final: tuple[Final, ...] = ()
    win: str | Annotated[tuple[str, ...], Meta(min_length=1)] = ("total",)
    together: Reckoned | None = None
    race: RaceOf | None = None
    clock: Clock | None = None

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
    return ask.title or ask.id.replace("_", " ")


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
