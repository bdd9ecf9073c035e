"""The people whom the kit knows: new names, other names, who is left out of statistics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import structs
from PIL import Image

from engine.words import N_
from firmware.output import sounds
from firmware.output.screens.canvas import Text
from firmware.output.screens.common import message, turn
from firmware.people.names import Person, drawable
from firmware.people.spelling import Letters
from firmware.shelf import known
from firmware.table import past_games
from firmware.table.listing import Listing
from firmware.table.overlay import Sure
from firmware.table.table import Table
from firmware.translation import _


class Everybody(Listing):
    """A row for each person, those who sat down last in front."""

    title = N_("PEOPLE")

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        rows: list[tuple[Text, Callable[[], None]]] = [(_("New name"), self.new)]
        return rows + [(shown(one), partial(self.choose, one.id)) for one in self.table.roster.persons]

    def new(self) -> None:
        """Ask for a name."""
        roster = self.table.roster
        self.table.open(Letters(self.table, _("NEW NAME"), self.add, known=roster.names))

    def add(self, name: str) -> None:
        """It has been entered."""
        self.table.people.add(name)
        self.at = 1

    def choose(self, person: str) -> None:
        """What may be done for somebody."""
        self.table.open(Somebody(self.table, person))


class Somebody(Listing):
    """One person."""

    def __init__(self, table: Table, id_: str) -> None:
        super().__init__(table)
        self._id = id_

    @property
    def person(self) -> Person:
        """As known now; a page may have forgotten them meanwhile, and without a name nothing changes."""
        return self.table.roster.person(self._id) or Person(self._id, "")

    def stands(self) -> bool:
        return self.table.roster.person(self._id) is not None

    def heading(self) -> Text:
        return shown(self.person)

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        counted = _("Statistics: yes") if self.person.counted else _("Statistics: no")
        return [
            (_("Rename"), self.rename),
            (counted, self.count),
            (_("Same person as"), lambda: self.table.open(Same(self.table, self._id))),
            (_("Forget"), lambda: self.table.open(Forget(self.table, self._id))),
            (_("Back"), self.table.close),
        ]

    def rename(self) -> None:
        """Ask for another name."""
        person = self.person
        text = person.name if drawable(person.name) else person.latin
        others = tuple(one.name for one in self.table.roster.persons if one.id != person.id)
        self.table.open(Letters(self.table, _("RENAME"), self.renamed, text=text, known=others))

    def renamed(self, name: str) -> None:
        """It has been entered."""
        if self.stands():
            self.table.people.change(structs.replace(self.person, name=name, latin=""))

    def count(self) -> None:
        """In statistics, or not."""
        self.table.sound(sounds.CLICK)
        if self.stands():
            self.table.people.change(structs.replace(self.person, counted=not self.person.counted))


class Same(Listing):
    """Which other name means the same person? Not somebody who sat in the same game."""

    title = N_("SAME PERSON AS")

    def __init__(self, table: Table, id_: str) -> None:
        super().__init__(table)
        self._id = id_

    def stands(self) -> bool:
        return self.table.roster.person(self._id) is not None

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        others = [one for one in self.table.roster.persons if one.id != self._id]
        rows: list[tuple[Text, Callable[[], None]]] = [(shown(one), partial(self.ask, one.id)) for one in others]
        return [*rows, (_("nobody"), self.table.close)]

    def ask(self, other: str) -> None:
        """Look whether they have met."""
        self.table.read(
            partial(past_games.met, self._id, other), partial(self.answered, other), lambda: self.table.top is self
        )

    def answered(self, other: str, met: bool) -> None:
        """They are one from now on, unless they have met."""
        if self.table.top is not self or not self.stands() or self.table.roster.person(other) is None:
            return
        if met:
            self.table.refuse(_("they sat in the same game"))
            return
        self.table.sound(sounds.DONE)
        self.table.close()
        self.table.close()
        self.table.people.merge(self._id, other)


class Forget(Sure):
    """Asks twice whether somebody is to be forgotten."""

    def __init__(self, table: Table, id_: str) -> None:
        super().__init__(table)
        self._id = id_
        self._twice = False
        self._sheets: tuple[str, ...] = ()  # files that have the name
        self._at = 0  # which of them is shown

    def stands(self) -> bool:
        return self.table.roster.person(self._id) is not None

    def ok(self) -> None:
        if not self._twice:
            self.table.sound(sounds.CLICK)
            naming = partial(known.naming, self.table.roster.names_of(self._id))
            self.table.read(naming, self.looked, lambda: self.table.top is self)
            return
        self.table.sound(sounds.VOID)
        self.table.close()
        self.table.close()
        if self.table.people.forget(self._id):
            self.table.open(Everybody(self.table))

    def looked(self, sheets: tuple[str, ...]) -> None:
        """Ask once more, and say which score sheets have the name."""
        self._sheets, self._twice = sheets, True

    @property
    def _more(self) -> bool:
        """Whether a turn shows another score sheet."""
        return self._at + 1 < len(self._sheets)

    def turn(self, steps: int, knob: bool) -> None:
        if self._more:
            self._at += 1
            self.table.sound(sounds.TURN)
        else:
            super().turn(steps, knob)

    def picture(self, now_ns: int) -> Image.Image:
        person = self.table.roster.person(self._id)
        name = "" if person is None else shown(person)
        if self._twice:
            headline, lines = _("REALLY?"), [_("it cannot be undone")]
            if self._sheets:
                lines += [_("remove by hand:"), self._sheets[self._at]]
        else:
            headline, lines = _("FORGET?"), [_("all games stay, as guest")]
        does = _("{turn}: next") if self._more else _("{turn}: no")
        many = f"{self._at + 1}/{len(self._sheets)}" if self._more or self._at else ""
        return message(name, headline, lines, (does.format(turn=turn(self.table.knob)), _("OK: forget")), right=many)


def shown(person: Person) -> str:
    """A name in a list; where the display can draw nothing of it, that it cannot."""
    return person.drawn or _("(other letters)")
