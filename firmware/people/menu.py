"""The people whom the kit knows: new names, other names, who is left out of statistics."""

from __future__ import annotations

from functools import partial

from engine.words import N_
from firmware.output import sounds
from firmware.output.screens.canvas import Text
from firmware.people.names import Person, drawable
from firmware.people.spelling import Letters
from firmware.table.listing import Listing, Rows
from firmware.table.table import Table
from firmware.table.wishing import new_name, wish
from firmware.translation import _
from firmware.wishes.people import NAMED, CountGames, Forget, Merge, Rename
from firmware.wishes.wish import Done


class Everybody(Listing):
    """A row for each person, those who sat down last in front."""

    title = N_("PEOPLE")

    def rows(self) -> Rows:
        rows: Rows = [(_("New name"), self.new)]
        return rows + [(shown(one), partial(self.choose, one.id)) for one in self.table.roster.persons]

    def new(self) -> None:
        """Ask for a name."""
        new_name(self.table, _("NEW NAME"), self.added)

    def added(self, person: str) -> None:
        """Somebody is known."""
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

    def rows(self) -> Rows:
        counted = _("Statistics: yes") if self.person.counted else _("Statistics: no")
        return [
            (_("Rename"), self.rename),
            (counted, self.count),
            (_("Same person as"), lambda: self.table.open(Same(self.table, self._id))),
            (_("Forget"), self.forget),
            (_("Back"), self.table.close),
        ]

    def rename(self) -> None:
        """Ask for another name."""
        person = self.person
        text = person.name if drawable(person.name) else person.latin
        self.table.open(Letters(self.table, _("RENAME"), self.renamed, text=text, own=person.id))

    def renamed(self, name: str) -> None:
        """It has been entered."""
        person = self.person
        wish(self.table, Rename(self._id, name, was=(person.name, person.latin), agreed=NAMED), lambda _: None)

    def count(self) -> None:
        """In statistics, or not."""
        counted = self.person.counted
        self.table.sound(sounds.CLICK)
        wish(self.table, CountGames(self._id, not counted, was=(counted,)), lambda _: None)

    def forget(self) -> None:
        """Ask twice, and forget."""

        def forgotten(done: Done) -> None:
            self.table.sound(sounds.VOID)
            self.table.open(Everybody(self.table))

        wish(self.table, Forget(self._id, was=(self.person.name,)), forgotten, about=shown(self.person))


class Same(Listing):
    """Which other name means the same person? Not somebody who sat in the same game."""

    title = N_("SAME PERSON AS")

    def __init__(self, table: Table, id_: str) -> None:
        super().__init__(table)
        self._id = id_

    def stands(self) -> bool:
        return self.table.roster.person(self._id) is not None

    def rows(self) -> Rows:
        others = [one for one in self.table.roster.persons if one.id != self._id]
        rows: Rows = [(shown(one), partial(self.ask, one.id)) for one in others]
        return [*rows, (_("nobody"), self.table.close)]

    def ask(self, other: str) -> None:
        """They are one from now on, once that is agreed to."""
        one, into = self.table.roster.person(self._id), self.table.roster.person(other)
        if one is not None and into is not None:
            wish(self.table, Merge(self._id, other, was=(one.name, into.name)), self.merged, about=shown(one))

    def merged(self, done: Done) -> None:
        """They are one."""
        self.table.sound(sounds.DONE)
        if self.table.top is self:
            self.table.close()
            self.table.close()


def shown(person: Person) -> str:
    """A name in a list; where the display can draw nothing of it, that it cannot."""
    return person.drawn or _("(other letters)")
