"""What a wish is, what comes of it, and what stands in the house when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from engine.rules import Refused as Refusal
from engine.words import N_
from firmware.people.names import Person, isolated
from firmware.translation import L_, NOTHING, LazyText, Why, Words, lazy

Id = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
Press = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z.-]{1,40}\Z")]
Number = Annotated[int, Meta(ge=0, le=999_999_999)]
Text = Annotated[str, Meta(max_length=1000)]
Agreed: TypeAlias = frozenset[
    Literal["another", "undrawn", "merge", "forget", "really"]
]  # see `firmware.wishes.people`
Was: TypeAlias = Annotated[tuple[bool | int | Text | None, ...], Meta(max_length=64)]  # values


class Denied(NamedTuple):
    """It cannot be done."""

    line: LazyText  # why, for people
    short: LazyText | None = None  # the same for the display, where it is another text
    old: bool = False  # it was made of what does not stand any more: to send it again does not help


class Choice(NamedTuple):
    """An answer to a question."""

    label: LazyText
    wish: Any  # what is to be sent then; None: nothing is to be changed
    person: str = ""  # whom it leads to where nothing is to be changed
    latin: bool = False  # a short name is entered with it
    does: LazyText = NOTHING  # the same beside a key of the kit


class AskFirst(NamedTuple):
    """Something is asked first. Besides the choices there is a way back that changes nothing."""

    title: LazyText
    lines: tuple[LazyText, ...]
    choices: tuple[Choice, ...]
    short: tuple[LazyText, ...] = ()  # the same on the display, at most 25 letters each
    files: tuple[str, ...] = ()  # that people have to look after themselves


class Done(NamedTuple):
    """It is done, and on the disk. Who has forgotten somebody is led to everybody."""

    person: str = ""  # the page that shows it
    game: int | None = None
    line: LazyText | None = None  # what is said of it; None: what has changed says it


class Asked(NamedTuple):
    """Somebody at the kit is asked, and `Done` or `Denied` follows."""

    line: Words  # what
    granted: bool = False  # OK was pressed


Answer: TypeAlias = Done | Denied | AskFirst | Asked
OnAnswer: TypeAlias = Callable[[Answer], None]
# what has to be read from the disk first: who sits where in a game, also what is noted of it; whether two people sat in
# the same game; which score sheets have a name
Need: TypeAlias = Literal["", "sat", "noted", "met", "sheets"]


class Situation(NamedTuple):
    """What stands when a wish is looked at."""

    persons: Mapping[str, Person]  # all who are known, by id
    people: Any  # `firmware.people.at_table.People`
    now_ns: int
    game: Any = None  # on the table: `firmware.table.playing.Playing`
    phones: Any = None  # `firmware.phones.hub.Phones`, where a phone wishes it
    by: str = ""  # its id
    sat: Any = None  # `firmware.table.past_games.Sat`, of the game that it names
    met: bool = False
    sheets: Sequence[str] = ()

    def called(self, id_: str | None) -> str | LazyText:
        """Somebody, as the display draws the name."""
        if id_ is None:
            return L_("guest")
        person = self.persons.get(id_)
        return "?" if person is None else person.drawn or L_("(other letters)")


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """Something that somebody wants to be changed.

    `was`: what stood there when it was opened. It is compared with what stands now, so that nobody undoes what they
    have not seen; None: nothing stood there, or a page of an older version does not say it. `agreed`: to what has been
    agreed already. `id`: of the press, which counts once; empty: it cannot come twice.
    """

    title: ClassVar[str] = N_("CHANGE?")  # of the question whether it may be, on the display
    label: ClassVar[str] = N_("Save")  # of the button of its form
    # of the page of the history on which it is made, and to which its form is sent, which waits for the disk
    path: ClassVar[str] = ""
    typed: ClassVar[tuple[str, ...]] = ()  # the fields that people type
    asks: ClassVar[bool] = False  # whether something may be asked first
    told: ClassVar[str] = "told"  # the kind of news by which a phone is told what came of it
    gone: ClassVar[str] = N_("This person is not known any more.")  # where there is no such thing any more

    was: Was | None = None
    agreed: Agreed = frozenset()
    id: Press = ""

    @property
    def whom(self) -> tuple[str, ...]:
        """The ids of those whom it is about."""
        return tuple(getattr(self, name) for name in ("person", "into") if getattr(self, name, None))

    @property
    def page(self) -> str:
        """The address of that page."""
        return self.path.format(self=self)

    def normal(self) -> Wish:
        """It with its texts in their normal form. Raises `ValueError`."""
        return self

    def outcome(self, known: Situation) -> Decision:
        """What comes of it."""
        try:
            return self.normal().decide(known)
        except (Refusal, ValueError) as error:
            return Denied(lazy(error.text if isinstance(error, Refusal) else str(error)))

    def needs(self) -> Need:
        """What has to be read first."""
        return ""

    def before(self, known: Situation) -> Was | None:
        """What stands there now, as `was` has it; None: there is no such thing any more."""
        return ()

    def now(self, known: Situation) -> str | LazyText:
        """What stands there now in words, where that is one value; else nothing."""
        (value, *more) = [*filter(None, self.before(known) or ())] or [""]
        return "" if more else isolated(value) if isinstance(value, str) else str(value)

    def decide(self, known: Situation) -> Decision:
        """What comes of it in its normal form. Raises the engine's `Refused`."""
        return self

    def against(self, known: Situation) -> Why:
        """Why it cannot be any more while the kit is asked, as far as it costs nothing to look; None: it can."""
        return None

    def ready(self, known: Situation) -> bool:
        """Whether it is quick to do; else a part of it, 5 ms at most, is done now. Raises the engine's `Refused`."""
        return True

    def do(self, known: Situation) -> Done:
        """Do what was decided; it may be told once it is on the disk."""
        raise NotImplementedError

    def line(self, known: Situation) -> Words:
        """It in words, for whoever is asked whether it may be, where what the display asks does not say it."""
        return NOTHING

    def headline(self, known: Situation) -> Words:
        """What the display asks."""
        return lazy(self.title)


# a wish: it can be done, as it is here: its texts are in their normal form
Decision: TypeAlias = Wish | Denied | AskFirst
