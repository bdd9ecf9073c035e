"""The people whom the table knows, and who sat at which button last."""

from collections.abc import Iterable, Mapping, Sequence

from engine.rules import Seat
from firmware.people.names import Person, at_table, beside, isolated

NEW = "new"  # instead of an id: somebody who is not known yet


class Roster:
    """The known people, those who sat down last in front. All on the loop's thread."""

    def __init__(self, persons: Iterable[Person], last: Mapping[str, str]) -> None:
        """`last`: by button the id of the person who sat there in the latest game. `names`: of all, in order."""
        self._persons = {person.id: person for person in persons}
        self.names, self._everybody = self._names(), tuple((one.id, one.name) for one in self._persons.values())
        self.last = dict(last)
        self.buttons: tuple[str, ...] = ()  # of the kit

    @property
    def known(self) -> tuple[str, ...]:
        """The ids of all, those who sat down last in front."""
        return tuple(self._persons)

    @property
    def persons(self) -> tuple[Person, ...]:
        """All of them, in the same order."""
        return tuple(self._persons.values())

    @property
    def everybody(self) -> tuple[tuple[str, str], ...]:
        """Ids and names, in the same order."""
        return self._everybody

    def _names(self) -> tuple[str, ...]:
        return tuple(person.name for person in self._persons.values())

    def person(self, id_: str | None) -> Person | None:
        """A person; None for a guest, and for somebody who is not known any more."""
        return None if id_ is None else self._persons.get(id_)

    def drawn(self, id_: str | None) -> str:
        """A name as the display draws it; empty for a guest, or where it cannot."""
        person = self.person(id_)
        return "" if person is None else person.drawn

    def beside(self, id_: str | None, labels: Iterable[str] = ()) -> str:
        """The same beside the buttons of the kit, or others with these labels."""
        return beside(self.drawn(id_), (*labels, *self.buttons))

    def named(self, id_: str | None) -> str:
        """A whole name; empty for a guest."""
        person = self.person(id_)
        return "" if person is None else person.name

    def names_of(self, id_: str) -> tuple[str, ...]:
        """What somebody may be called in a text; nothing where nobody is known."""
        person = self.person(id_)
        return () if person is None else tuple(filter(None, (person.name, person.latin)))

    def change(self, person: Person) -> None:
        """Add a person, or change one. A new one stands in front."""
        if person.id in self._persons:
            self._persons[person.id] = person
        else:
            self._persons = {person.id: person, **self._persons}
        self.names, self._everybody = self._names(), tuple((one.id, one.name) for one in self._persons.values())

    def forget(self, id_: str) -> None:
        """Somebody is not known any more."""
        self._persons.pop(id_, None)
        self.names, self._everybody = self._names(), tuple((one.id, one.name) for one in self._persons.values())
        self.last = {button: person for button, person in self.last.items() if person != id_}

    def sat_down(self, persons: Mapping[str, str]) -> None:
        """By button the people of a new game."""
        self.last = dict(persons)
        front = {id_: self._persons[id_] for id_ in persons.values() if id_ in self._persons}
        self._persons = front | {id_: one for id_, one in self._persons.items() if id_ not in front}
        self.names, self._everybody = self._names(), tuple((one.id, one.name) for one in self._persons.values())

    def at_table(self, labels: Sequence[str], persons: Mapping[Seat, str]) -> tuple[str, ...]:
        """By seat the name on the display, or the button's label for a guest, and where two would look the same."""
        return at_table(labels, {seat: self.beside(person) for seat, person in persons.items()})

    def on_page(self, labels: Sequence[str], persons: Mapping[Seat, str]) -> tuple[str, ...]:
        """The same for pages, which can show any name: each in a direction of its own."""
        people = {seat: beside(self.named(person), self.buttons) for seat, person in persons.items()}
        names = at_table(labels, people)
        return tuple(name if name == label else isolated(name) for name, label in zip(names, labels, strict=True))
