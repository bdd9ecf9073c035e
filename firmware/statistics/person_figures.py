"""The figures of people: what they have played, won and scored, against whom, and how fast they were.

Guests, and people who are not counted, are in no figure; a win against them is a win all the same. A solo game has no
places: it is met or not, and counted by itself. Figures that need many are made of `MANY` or more.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import groupby, takewhile
from statistics import median, quantiles
from typing import NamedTuple

from firmware.journal import run_notes
from firmware.journal.clocks import Clocks
from firmware.people.names import Person
from firmware.statistics import kinds
from firmware.statistics.bgstats import BgResult, Played
from firmware.statistics.evenings import Evening, evenings
from firmware.statistics.kinds import GameKind
from firmware.statistics.listed_games import ListedGame, listed

MANY = 5  # of values, before a median, a quartile, a curve or a percentage says anything
STREAK = 3  # wins in a row that are news
CLASSES_NS = (1_000_000, 10_000_000)  # classes of timing errors: up to 1 ms, up to 10 ms, more


class PersonResult(NamedTuple):
    """Somebody's result in a game."""

    game: int
    name: str  # of the kind of game
    players: int
    person: str  # an id
    points: int
    place: int
    won: bool

    @property
    def solo(self) -> bool:
        return self.players == 1


class PersonRecord(NamedTuple):
    """The games of somebody in one kind of game, or in all; without solo games."""

    games: int
    wins: int
    places: Mapping[int, int]  # how often, by place
    streak: int  # wins in a row up to now
    longest: int  # the most wins in a row
    best: int | None  # points; None of several kinds of games, and where points do not win
    median: float | None  # from `MANY` games on


class Solo(NamedTuple):
    """The solo games of somebody."""

    games: int
    met: int  # how often the goal was


class Between(NamedTuple):
    """Two people in the same games, by places."""

    ahead: int
    level: int
    behind: int


class Group(NamedTuple):
    """Reaction times that may be compared: nothing is ever mixed beyond one of these."""

    kind: str  # meow, answer, grab; the kind of game, where it is the race of a score sheet
    signal: str  # what it was a reaction to; empty: unknown
    error: int  # the class of the timing error: the place in `CLASSES_NS`
    kit: str


class Times(NamedTuple):
    """Reaction times of somebody in one group, in ns."""

    n: int
    best_ns: int
    best_error_ns: int  # the timing error of the best
    best_game: int  # of the best
    median_ns: float | None  # from `MANY` on, as the rest
    quartiles_ns: tuple[float, float] | None
    curve: tuple[tuple[int, float], ...]  # by evening with `MANY` or more: its number, the median


class Calls(NamedTuple):
    """The Meows of somebody: calls won, of how many rounds."""

    won: int
    rounds: int


class NewFigure(NamedTuple):
    """Something new that a game has brought."""

    person: str
    kind: str  # record, own best, first win, streak
    name: str  # of the kind of game
    value: int


class GuestTally(NamedTuple):
    """The evening of the guests at one button."""

    label: str  # of the button
    games: int
    wins: int


class Tally(NamedTuple):
    """Somebody's evening."""

    person: str
    games: int
    wins: int
    beaten: int  # players behind, in all games


def error_class(error_ns: int) -> int:
    """The class of a timing error: its place in `CLASSES_NS`."""
    return next((n for n, most in enumerate(CLASSES_NS) if error_ns <= most), len(CLASSES_NS))


class Figures:
    """All figures of a journal. `db`: as `game_totals.up_to_date` returns it; read when it is made."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        columns = "game integer, seat integer, person text"  # without types the key would not be used
        db.execute(f"create temp table if not exists who ({columns}, primary key (game, seat)) without rowid")
        db.execute("delete from who")
        if db.execute("select count(*) from journal.sqlite_master where name in ('person', 'seat')").fetchone()[0] == 2:
            db.execute(
                "insert into who select game, seat, person from journal.seat "
                "join journal.person on person.id = seat.person "
                "where counted and seat.id in (select max(id) from journal.seat group by game, seat)"
            )
            known = db.execute("select id, name, latin from journal.person where counted").fetchall()
        else:
            known = []
        self.names = {id_: name for id_, name, _latin in known}
        self.drawn = {id_: Person(id_, name, latin).drawn for id_, name, latin in known}  # as the display draws them
        self.results = tuple(
            PersonResult(game, name, players, person, points, place, bool(won))
            for game, name, players, person, points, place, won in db.execute(
                "select game.id, name, players, person, points, place, won from main.game "
                "join result on result.game = game.id join who on who.game = game.id and who.seat = result.seat "
                "order by end_event, place, result.seat"
            )
        )

    @cached_property
    def kind(self) -> dict[str, GameKind]:
        """The kinds of the games that count, by name, in their order."""
        return kinds.played(self._db)

    @cached_property
    def games(self) -> tuple[ListedGame, ...]:
        """All games, the latest first."""
        return listed(self._db, self.names)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of the kinds of all games, by name; of those that this version does not know none."""
        return {name: kind.title for name, kind in kinds.played(self._db, counted=False).items()}

    @cached_property
    def evenings(self) -> tuple[Evening, ...]:
        """All evenings, the latest last."""
        return evenings(self._db)

    @cached_property
    def evening_of(self) -> dict[int, Evening]:
        """The evening of each game."""
        return {game: each for each in self.evenings for game in each.games}

    def plays(self) -> tuple[Played, ...]:
        """All games that count, solo games too, in the order of their ends."""
        clocks = Clocks(self._db, "journal")
        rows = self._db.execute(
            "select sums.id, boot, sums.name, sums.run, begun_ns, game.started_at, took_ns from main.game as sums "
            "join journal.game on game.id = sums.id join journal.run on run.id = sums.run "
            "where counted order by end_event"
        ).fetchall()
        bits = {run: run_notes.bits(self._db, run, "journal") for run in {run for _, _, _, run, *_ in rows}}
        seats: dict[int, list[BgResult]] = defaultdict(list)
        for game, _, _, label, person, points, place, won in self.seats():
            seats[game].append(BgResult(label, person, self.names.get(person or ""), points, place, bool(won)))
        return tuple(
            Played(
                game,
                boot,
                bits[run],
                begun_ns,
                self.kind[name],
                clocks.began(game, run, begun_ns, started_at),
                datetime.fromisoformat(started_at),
                took_ns,
                tuple(seats[game]),
            )
            for game, boot, name, run, begun_ns, started_at, took_ns in rows
        )

    @cached_property
    def _of(self) -> dict[str, list[PersonResult]]:
        """The results by person, in order."""
        found: dict[str, list[PersonResult]] = defaultdict(list)
        for one in self.results:
            found[one.person].append(one)
        return found

    def record(self, person: str, name: str | None = None) -> PersonRecord:
        """The record of somebody in one kind of game, or in all."""
        return _record(
            [one for one in self._of[person] if not one.solo and name in (None, one.name)], self.kind.get(name or "")
        )

    def solo(self, person: str, name: str) -> Solo:
        """The solo games of somebody in one kind of game."""
        played = [one.won for one in self._of[person] if one.solo and one.name == name]
        return Solo(len(played), sum(played))

    def kinds(self, person: str) -> tuple[str, ...]:
        """The kinds of games that somebody has played, by name."""
        return tuple(name for name in self.kind if any(one.name == name for one in self._of[person]))

    @cached_property
    def _at_table(self) -> dict[int, list[PersonResult]]:
        """The results by game, without guests."""
        found: dict[int, list[PersonResult]] = defaultdict(list)
        for one in self.results:
            found[one.game].append(one)
        return found

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        """The places by game, guests' too."""
        found: dict[int, list[int]] = defaultdict(list)
        for game, place in self._db.execute("select game, place from result"):
            found[game].append(place)
        return found

    @cached_property
    def _between(self) -> dict[tuple[str, str, str], Between]:
        """By two people and a kind of game."""
        found: dict[tuple[str, str, str], Between] = defaultdict(lambda: Between(0, 0, 0))
        for seated in self._at_table.values():
            for one in seated:
                for other in seated:
                    if one.person != other.person:
                        ahead, level, behind = found[one.person, other.person, one.name]
                        found[one.person, other.person, one.name] = Between(
                            ahead + (one.place < other.place),
                            level + (one.place == other.place),
                            behind + (one.place > other.place),
                        )
        return found

    def between(self, person: str, other: str, name: str | None = None) -> Between:
        """Two people in one kind of game, or in all."""
        names = [name] if name is not None else self.kind
        rows = [self._between[key] for kind in names if (key := (person, other, kind)) in self._between]
        return Between(*map(sum, zip(*rows, strict=True))) if rows else Between(0, 0, 0)

    def categories(self, person: str, name: str) -> dict[str, list[int]]:
        """The points of somebody by category in one kind of game, solo games left out, in order."""
        found: dict[str, list[int]] = defaultdict(list)
        rows = self._db.execute(
            "select category.name, category.points from category join main.game on game.id = category.game "
            "join who on who.game = game.id and who.seat = category.seat "
            "where person = ? and game.name = ? and players > 1 order by end_event, category.rowid",
            (person, name),
        )
        for category, points in rows:
            found[category].append(points)
        return found

    @cached_property
    def _times(self) -> dict[str, dict[Group, list[tuple[int, int, int]]]]:
        """By person and group: the game, the time and its error."""
        found: dict[str, dict[Group, list[tuple[int, int, int]]]] = defaultdict(lambda: defaultdict(list))
        rows = self._db.execute(
            "select person, case kind when 'signal' then game.name else kind end, "
            "signal, error_ns, kit, game.id, after_ns from reaction "
            "join main.game on game.id = reaction.game "
            "join who on who.game = game.id and who.seat = reaction.seat "
            "where after_ns is not null and signal != 'picture' order by end_event, round"
        )
        for person, kind, signal, error_ns, kit, game, after_ns in rows:
            found[person][Group(kind, signal, error_class(error_ns), kit)].append((game, after_ns, error_ns))
        return found

    def times(self, person: str) -> dict[Group, Times]:
        """The reaction times of somebody by group; those after a picture are not known well enough."""
        return {group: _times(rows, self.evening_of) for group, rows in sorted(self._times[person].items())}

    @cached_property
    def _calls(self) -> dict[str, Calls]:
        """The Meows by person."""
        rows = self._db.execute(
            "select person, sum(reaction.won), count(*) from reaction "
            "join who on who.game = reaction.game and who.seat = reaction.seat where kind = 'meow' group by person"
        )
        return {person: Calls(won, rounds) for person, won, rounds in rows}

    def calls(self, person: str) -> Calls:
        """The Meows of somebody."""
        return self._calls.get(person, Calls(0, 0))

    def closest_race(self, games: Iterable[int]) -> int | None:
        """The game with the closest race of these, as `firmware.journal.races` means it; None: there was no race."""
        wanted = ",".join(map(str, games))
        gaps = (
            f"select id from main.game where closest_ns is not null and id in ({wanted}) order by closest_ns, end_event"
        )
        found = self._db.execute(f"{gaps} limit 1").fetchone()
        return None if found is None else int(found[0])

    def seats(self) -> list[tuple[int, str, int, str, str | None, int, int, int]]:
        """By seat of all games that count: game, kind, seat, its button's label, person, points, place, won."""
        return self._db.execute(
            "select game.id, game.name, result.seat, label, "
            "person, points, place, won from main.game join result on result.game = game.id "
            "left join who on who.game = game.id and who.seat = result.seat order by end_event, result.seat"
        ).fetchall()

    def tally(self, evening: Evening) -> tuple[Tally, ...]:
        """Everybody's evening: most wins in front, then most players left behind; solo games are not in it."""
        there = [one for game in evening.games for one in self._at_table.get(game, ()) if not one.solo]
        sizes = {game: self._places.get(game, ()) for game in evening.games}
        found: dict[str, Tally] = {}
        for one in there:
            behind = sum(place > one.place for place in sizes[one.game])
            person, played, wins, beaten = found.get(one.person, Tally(one.person, 0, 0, 0))
            found[one.person] = Tally(person, played + 1, wins + one.won, beaten + behind)
        return tuple(sorted(found.values(), key=lambda one: (-one.wins, -one.beaten, one.games)))

    def guests(self, evening: Evening) -> tuple[GuestTally, ...]:
        """The guests of an evening by their buttons, most wins in front; solo games are not in it."""
        wanted = ",".join(map(str, evening.games))
        rows = self._db.execute(
            "select label, count(*), sum(won) as wins from main.game join result on result.game = game.id "
            "left join who on who.game = game.id and who.seat = result.seat "
            f"where game.id in ({wanted}) and players > 1 and person is null group by label order by wins desc, label"
        )
        return tuple(GuestTally(*row) for row in rows)

    def most_wins(self, evening: Evening) -> tuple[int, frozenset[str]]:
        """The most wins on an evening, and all who have so many; nobody where no known person has won."""
        tally = self.tally(evening)
        most = max((one.wins for one in tally), default=0)
        return most, frozenset(one.person for one in tally if most and one.wins == most)

    def best(self, name: str) -> list[PersonResult]:
        """The results in one kind of game, the best in front; none where points do not win. Level ones are in order."""
        best = self.kind[name].best
        there = [one for one in self.results if best and one.name == name and not one.solo]
        return sorted(there, key=lambda one: -best * one.points)

    def news(self, game: int) -> tuple[NewFigure, ...]:
        """What a game has brought: records, first wins, streaks of wins. Only good news."""
        earlier = [each for each in takewhile(lambda each: each.game != game, self.results) if not each.solo]
        return tuple(
            NewFigure(one.person, kind, one.name, value)
            for one in self._at_table.get(game, ())
            if not one.solo
            for kind, value in _good_news(one, earlier, self.kind[one.name].best)
        )


def _good_news(one: PersonResult, earlier: Sequence[PersonResult], best: int) -> Iterator[tuple[str, int]]:
    """The kinds and values of what a result has brought, by the results before its game. `best`: as in `GameKind`."""
    same = [each for each in earlier if each.name == one.name]
    mine = [each for each in earlier if each.person == one.person]
    own = [each for each in mine if each.name == one.name]
    if best and same and best * one.points > max(best * each.points for each in same):
        yield "record", one.points
    elif best and len(own) >= MANY and best * one.points > max(best * each.points for each in own):
        yield "own best", one.points
    if one.won:
        if not any(each.won for each in own):
            yield "first win", one.points
        streak = _streak([*(each.won for each in mine), True])
        if streak >= STREAK:
            yield "streak", streak


def _record(played: Sequence[PersonResult], kind: GameKind | None) -> PersonRecord:
    wins = [one.won for one in played]
    points = [one.points for one in played] if kind is not None and kind.best else []
    return PersonRecord(
        games=len(played),
        wins=sum(wins),
        places=dict(sorted(Counter(one.place for one in played).items())),
        streak=_streak(wins),
        longest=max((len(list(run)) for won, run in groupby(wins) if won), default=0),
        best=max(points, key=lambda each: each * kind.best, default=None) if kind is not None else None,
        median=median(points) if len(points) >= MANY else None,
    )


def _streak(wins: Iterable[bool]) -> int:
    """The wins in a row at the end."""
    length = 0
    for won in wins:
        length = length + 1 if won else 0
    return length


def _times(rows: Sequence[tuple[int, int, int]], evening: Mapping[int, Evening]) -> Times:
    times = [after_ns for _, after_ns, _ in rows]
    best_ns, best_error_ns, best_game = min((after_ns, error_ns, game) for game, after_ns, error_ns in rows)
    by_evening: dict[int, list[int]] = defaultdict(list)
    for game, after_ns, _ in rows:
        by_evening[evening[game].number].append(after_ns)
    many = len(times) >= MANY
    first, _, third = quantiles(times, n=4, method="inclusive") if many else (0.0, 0.0, 0.0)
    return Times(
        n=len(times),
        best_ns=best_ns,
        best_error_ns=best_error_ns,
        best_game=best_game,
        median_ns=median(times) if many else None,
        quartiles_ns=(first, third) if many else None,
        curve=tuple((n, median(each)) for n, each in sorted(by_evening.items()) if len(each) >= MANY),
    )
