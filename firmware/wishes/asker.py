"""Who wishes: the doors, the roles of phones, and what it may hang on whether a wish is done."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from engine.words import N_


class Wisher(Enum):
    """The doors, and the roles of phones, in words."""

    KIT = N_("the kit")
    PAGE = N_("the kit's page")
    TABLE = N_("the phone for the table")
    SEAT = N_("a phone with a place")
    WATCH = N_("a phone that looks on")


class When(Enum):
    """When a wish is done, in words."""

    NOW = N_("at once")
    OK = N_("after OK at the kit")
    NO = N_("no")


class Asker(NamedTuple):
    """Who wishes something."""

    name: str  # by which it is told from the others; of a phone the id
    phones: Any = None  # `firmware.phones.hub.Phones`, where it is one
    door: Wisher = Wisher.WATCH

    @property
    def who(self) -> Wisher:
        """Its role now."""
        return self.door if self.phones is None else self.phones.who(self.name)


KIT, PAGE = Asker("kit", door=Wisher.KIT), Asker("page", door=Wisher.PAGE)


class Condition(NamedTuple):
    """What it may hang on whether a wish is done."""

    says: str
    holds: Callable[[Any, Asker, Any], bool]  # of the table, who wishes, and the wish
    why: str = ""  # where it does not; without words: no page has such a button
    short: str = ""  # the same for the display


NOT_NOW = N_("Not now. Try again in a moment.")
CLOSED = N_("The history is closed on this phone.")
UNSAVED = N_("Nobody can be forgotten while saving fails.")

OWN_ANSWER = Condition(N_("it is the own latest answer"), lambda table, by, wish: by.phones.answered_last(by.name))
PLAYS = Condition(N_("it plays in this game"), lambda table, by, wish: by.phones.seated(by.name))
OWN_GUEST = Condition(
    N_("it is a guest at an own place"), lambda _, by, wish: by.phones.claims.own_place(by.name, wish) == ""
)
NO_RACE = Condition(N_("no race is on"), lambda table, *_: table.game is None or table.game.quiet, NOT_NOW)
FREELY = Condition(N_("no game is on, or it is its own"), lambda _, by, wish: by.phones.claims.freely(by.name, wish))
HISTORY = Condition(N_("it has the history"), lambda _, by, wish: by.phones.history.open_to(by.name), CLOSED)
SAVING = Condition(N_("saving works"), lambda table, *_: table.saved, UNSAVED, N_("not while saving fails"))


class Cell(NamedTuple):
    """When one of them may have a wish done."""

    when: When
    only: tuple[Condition, ...] = ()  # else no
    at_once: Condition | None = None  # where this holds
