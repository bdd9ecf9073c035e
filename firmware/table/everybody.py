"""The people whom the kit knows: new names, other names, who is left out of statistics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from engine.words import N_
from firmware import sounds
from firmware.people import Person, drawable
from firmware.screens.canvas import Text
from firmware.table.letters import Letters
from firmware.table.listing import Listing
from firmware.words import _

if TYPE_CHECKING:
    from firmware.table.table import Table


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
        self.table.add_person(name)
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
        """As known now."""
        person = self.table.roster.person(self._id)
        assert person is not None
        return person

    def heading(self) -> Text:
        return shown(self.person)

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        counted = _("Statistics: yes") if self.person.counted else _("Statistics: no")
        return [(_("Rename"), self.rename), (counted, self.count), (_("Back"), self.table.close)]

    def rename(self) -> None:
        """Ask for another name."""
        person = self.person
        text = person.name if drawable(person.name) else person.latin
        others = tuple(one.name for one in self.table.roster.persons if one.id != person.id)
        self.table.open(Letters(self.table, _("RENAME"), self.renamed, text=text, known=others))

    def renamed(self, name: str) -> None:
        """It has been entered."""
        self.table.change_person(structs.replace(self.person, name=name, latin=""))

    def count(self) -> None:
        """In statistics, or not."""
        self.table.sound(sounds.CLICK)
        self.table.change_person(structs.replace(self.person, counted=not self.person.counted))


def shown(person: Person) -> str:
    """A name in a list; where the display can draw nothing of it, that it cannot."""
    return person.drawn or _("(other letters)")
