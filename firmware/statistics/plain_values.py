"""Statistics for programs: plain values by name, of one version. Pages and the command line print the same."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from statistics import median
from typing import Any

from firmware import local_time
from firmware.spreadsheet import DayOrTime, Row
from firmware.statistics.evenings import Evening
from firmware.statistics.person_figures import CLASSES_NS, MANY, Figures, Group, PersonRecord, Times
from firmware.translation import _, ngettext

MOMENTS = ("day", "began_at")  # of a row of the results
VERSION = 1  # raised where a name changes or goes; new ones may be added
ERRORS = (*(f"up to {most // 1_000_000} ms" for most in CLASSES_NS), f"more than {CLASSES_NS[-1] // 1_000_000} ms")


@dataclass(frozen=True)
class Data:
    """The figures as plain values. People are named by id and name, as two may have the same one."""

    figures: Figures

    def everything(self) -> dict[str, Any]:
        """All people and all evenings."""
        return {
            "version": VERSION,
            "people": [self.person(person) for person in self.people],
            "evenings": [self.evening(evening) for evening in self.figures.evenings],
        }

    @cached_property
    def people(self) -> list[str]:
        """The ids of those who are counted, who has played most in front."""
        names = self.figures.names
        return sorted(names, key=lambda person: (-self.figures.record(person).games, names[person].casefold(), person))

    def who(self, person: str) -> dict[str, str]:
        return {"id": person, "name": self.figures.names[person]}

    def person(self, person: str) -> dict[str, Any]:
        """All figures of somebody."""
        figures = self.figures
        return {
            **self.who(person),
            **_record(figures.record(person)),
            "kinds": [self.kind(person, name) for name in figures.kinds(person)],
            "between": [
                {**self.who(other), **self.between(person, other)}
                for other in self.people
                if any(figures.between(person, other))
            ],
            "meows": figures.calls(person)._asdict(),
            "reactions": [self.reaction(group, times) for group, times in figures.times(person).items()],
        }

    def kind(self, person: str, name: str) -> dict[str, Any]:
        """Somebody in one kind of game."""
        figures = self.figures
        return {
            "name": name,
            "title": figures.kind[name].title,
            **_record(figures.record(person, name)),
            "solo": figures.solo(person, name)._asdict(),
            "categories": {
                category: {"best": max(points), "median": median(points) if len(points) >= MANY else None}
                for category, points in figures.categories(person, name).items()
            },
        }

    def race(self, group: Group) -> str:
        """What the times of a group are of, for people: Meow, answer, grab, or the title of a score sheet."""
        kind = self.figures.kind.get(group.kind)
        return group.kind if kind is None else kind.title

    def reaction(self, group: Group, times: Times) -> dict[str, Any]:
        """Reaction times of one group."""
        return {
            "kind": group.kind,
            "title": self.race(group),
            "signal": group.signal or "unknown",
            "error": ERRORS[group.error],
            "kit": group.kit or "unknown",
            **times._asdict(),
        }

    def between(self, person: str, other: str) -> dict[str, Any]:
        """Two people: in all games, and in each kind."""
        figures = self.figures
        kinds = {name: figures.between(person, other, name) for name in figures.kind}
        return {
            **figures.between(person, other)._asdict(),
            "kinds": {name: between._asdict() for name, between in kinds.items() if any(between)},
        }

    def evening(self, evening: Evening) -> dict[str, Any]:
        """An evening: everybody's tally, with the place by wins, and that of guests."""
        tally = self.figures.tally(evening)
        wins = [one.wins for one in tally]
        return {
            "number": evening.number,
            "day": evening.day,
            "games": list(evening.games),
            "tally": [
                {
                    **self.who(one.person),
                    "games": one.games,
                    "wins": one.wins,
                    "beaten": one.beaten,
                    "place": 1 + sum(other > one.wins for other in wins),
                }
                for one in tally
            ],
            "guests": [one._asdict() for one in self.figures.guests(evening)],
        }

    def latest(self) -> dict[str, Any] | None:
        """The latest evening, and what its last game has brought; None before the first."""
        if not self.figures.evenings:
            return None
        evening = self.figures.evenings[-1]
        news = self.figures.news(evening.games[-1])
        return self.evening(evening) | {
            "news": [
                {
                    **self.who(one.person),
                    "kind": one.kind,
                    "game": one.name,
                    "title": self.figures.kind[one.name].title,
                    "value": one.value,
                }
                for one in news
            ]
        }

    def results(self) -> Iterable[dict[str, Any]]:
        """A row for each seat of each game that counts, guests included, in the order of the games' ends."""
        evening = self.figures.evening_of
        began = {played.game: local_time.iso(played.began) for played in self.figures.plays()}
        for game, name, seat, label, person, points, place, won in self.figures.seats():
            yield {
                "game": game,
                "evening": evening[game].number,
                "day": evening[game].day,
                "name": self.figures.kind[name].base,
                "seat": label,
                "person": self.figures.names.get(person),
                "person_id": person if person in self.figures.names else None,
                "points": points,
                "place": place,
                "won": bool(won),
                "number": seat + 1,
                "title": self.figures.kind[name].title,
                "began_at": began[game],
            }

    def result_table(self) -> Iterator[Row]:
        """The same for a spreadsheet, with a head."""
        rows = iter(self.results())
        first = next(rows, None)
        if first is None:
            yield ["game"]
            return
        yield list(first)
        for row in chain((first,), rows):
            yield [DayOrTime(value) if key in MOMENTS and value is not None else value for key, value in row.items()]


def _record(record: PersonRecord) -> dict[str, Any]:
    return record._asdict() | {"places": {str(place): n for place, n in record.places.items()}}


def said(one: dict[str, Any]) -> str:
    """What somebody has won, in a sentence. `one`: as `Data.person` makes it."""
    if not one["games"]:
        return _("No game with others is over yet.")
    won = ngettext("Won {wins} of {n} game", "Won {wins} of {n} games", one["games"], wins=one["wins"])
    streak = _(", {longest} of them in a row", **one) if one["longest"] > 1 else ""
    return f"{won}{streak}."
