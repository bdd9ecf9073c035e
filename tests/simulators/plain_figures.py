"""Every figure of people a second time: by plain SQL from what the second scorers say, without the product."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from engine import games
from firmware.statistics import person_figures
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.listed_games import FORGOTTEN, GUEST, ListedGame
from firmware.statistics.person_figures import Between, Calls, Figures, Group, NewFigure, Solo, Tally
from tests.simulators.random_evenings import Known

TABLES = """
create table seated (game, ord, name, players, evening, seat, person, total, fixed, won);
create table time (game, ord, evening, person, round, kind, won, ns, error, class, signal, kit);
create index seated_by_game on seated (game);
create index seated_by_person on seated (person);
create index time_by_person on time (person);
"""
RESULTS = """
create table result as select *, 1 + (select count(*) from seated as other where other.game = seated.game and
    (other.won > seated.won or (other.won = seated.won and other.total > seated.total))) as place from seated;
create index result_by_game on result (game);
create index result_by_person on result (person);
"""
MEDIAN = """select avg(x) from (select x, row_number() over (order by x) as n, count(*) over () as many from ({}))
    where n in ((many + 1) / 2, many / 2 + 1)"""
QUARTILE = """with s as (select x, row_number() over (order by x) - 1 as n, count(*) over () as many from ({}))
    select a.x + (b.x - a.x) * ((a.many - 1) * {} / 4.0 - a.n) from s as a join s as b
    on a.n = (a.many - 1) * {} / 4 and b.n = min(a.n + 1, a.many - 1)"""
OWN = "select * from result where person = :person and players > 1 and (:name is null or name = :name)"


class Plain:
    """The second figures, in a database of their own."""

    def __init__(self, known: Known) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.executescript(TABLES)
        counted = known.names.keys() - known.uncounted
        for ord_, one in enumerate(known.ended.values()):
            people = [
                who if (who := known.seats[one.game].get(seat)) in counted else None for seat in range(one.players)
            ]
            self.db.executemany(
                "insert into seated values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        one.game,
                        ord_,
                        one.name,
                        one.players,
                        one.evening,
                        seat,
                        people[seat],
                        total,
                        fixed,
                        seat in one.winners,
                    )
                    for seat, (total, fixed) in enumerate(zip(one.totals, one.fixed, strict=True))
                ],
            )
            self.db.executemany(
                "insert into time values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (one.game, ord_, one.evening, people[t.seat], t.round, t.kind, t.won, t.after_ns, t.error_ns,
                     0 if t.error_ns <= 10**6 else 1 if t.error_ns <= 10**7 else 2, t.signal, one.kit)
                    for t in one.times
                ],
            )  # fmt: skip
        self.db.executescript(RESULTS)

    def close(self) -> None:
        self.db.close()

    def value(self, query: str, **names: Any) -> Any:
        """The first column of the first row."""
        return self.db.execute(query, names).fetchone()[0]

    def rows(self, query: str, **names: Any) -> list[Any]:
        return self.db.execute(query, names).fetchall()

    def record(self, person: str, name: str | None) -> dict[str, Any]:
        who = {"person": person, "name": name}
        many = self.value(f"select count(*) from ({OWN})", **who)
        lost = f"coalesce((select max(ord) from ({OWN}) where not won), -1)"
        runs = f"""select count(*) as n from (select won, row_number() over (order by ord) -
            row_number() over (partition by won order by ord) as run from ({OWN})) where won group by run"""
        points = f"select total as x from ({OWN})"
        return {
            "games": many,
            "wins": self.value(f"select coalesce(sum(won), 0) from ({OWN})", **who),
            "places": dict(self.rows(f"select place, count(*) from ({OWN}) group by place order by place", **who)),
            "streak": self.value(f"select count(*) from ({OWN}) where ord > {lost}", **who),
            "longest": self.value(f"select coalesce(max(n), 0) from ({runs})", **who),
            "best": self.value(f"select max(x) from ({points})", **who) if name else None,
            "median": self.value(MEDIAN.format(points), **who) if name and many >= person_figures.MANY else None,
        }

    def solo(self, person: str, name: str) -> Solo:
        query = "select count(*), coalesce(sum(won), 0) from result where person = ? and name = ? and players = 1"
        return Solo(*self.db.execute(query, (person, name)).fetchone())

    def between(self, person: str, other: str, name: str | None) -> Between:
        query = """select coalesce(sum(a.place < b.place), 0), coalesce(sum(a.place = b.place), 0),
            coalesce(sum(a.place > b.place), 0) from result as a join result as b on a.game = b.game
            where a.person = :person and b.person = :other and (:name is null or a.name = :name)"""
        return Between(*self.rows(query, person=person, other=other, name=name)[0])

    def times(self, person: str) -> dict[Group, dict[str, Any]]:
        found = {}
        known = "from time where person = :person and ns is not null and signal != 'picture'"
        for kind, signal, class_, kit in self.rows(f"select distinct kind, signal, class, kit {known}", person=person):
            which = {"person": person, "kind": kind, "signal": signal, "class": class_, "kit": kit}
            group = "kind = :kind and signal = :signal and class = :class and kit = :kit"
            own = f"select ns as x, error, evening {known} and {group}"
            n = self.value(f"select count(*) from ({own})", **which)
            best = self.rows(f"select x, error from ({own}) order by x, error limit 1", **which)[0]
            many = n >= person_figures.MANY
            quartile = [self.value(QUARTILE.format(own, n_, n_), **which) for n_ in (1, 3)] if many else None
            by_evening = self.rows(
                f"select evening from ({own}) group by evening"
                f" having count(*) >= {person_figures.MANY} order by evening",
                **which,
            )
            curve = [
                (evening, self.value(MEDIAN.format(f"{own} and evening = :evening"), **which, evening=evening))
                for (evening,) in by_evening
            ]
            found[Group(kind, signal, class_, kit)] = {
                "n": n, "best": best, "median": self.value(MEDIAN.format(own), **which) if many else None,
                "quartiles": quartile, "curve": curve,
            }  # fmt: skip
        return found

    def calls(self, person: str) -> Calls:
        query = "select coalesce(sum(won), 0), count(*) from time where person = ? and kind = 'meow'"
        return Calls(*self.db.execute(query, (person,)).fetchone())

    def tally(self, evening: int) -> set[Tally]:
        query = """select person, count(*), sum(won), sum((select count(*) from result as o where o.game = result.game
            and o.place > result.place)) from result where evening = ? and players > 1 and person is not null
            group by person"""
        return {Tally(*row) for row in self.db.execute(query, (evening,))}

    def most_wins(self, evening: int) -> tuple[int, frozenset[str]]:
        won = """select person, sum(won) as wins from result where evening = :evening and players > 1
            and person is not null group by person"""
        most = self.value(f"select coalesce(max(wins), 0) from ({won})", evening=evening)
        best = self.rows(f"select person from ({won}) where wins = :most and wins > 0", evening=evening, most=most)
        return most, frozenset(person for (person,) in best)

    def best(self, name: str) -> list[tuple[str, int, int]]:
        query = """select person, total, game from result where name = :name and players > 1 and person is not null
            order by total desc, ord, place, seat"""
        return self.rows(query, name=name)

    def news(self, game: int) -> set[NewFigure]:
        found = set()
        query = "select ord, person, name, total, won from result where game = ? and players > 1 and person is not null"
        for ord_, person, name, total, won in self.db.execute(query, (game,)).fetchall():
            before = "from result where players > 1 and person is not null and ord < :ord"
            which = {"ord": ord_, "person": person, "name": name}
            best = self.value(f"select max(total) {before} and name = :name", **which)
            own = self.rows(f"select count(*), max(total) {before} and name = :name and person = :person", **which)[0]
            if best is not None and total > best:
                found.add(NewFigure(person, "record", name, total))
            elif own[0] >= 5 and total > own[1]:
                found.add(NewFigure(person, "own best", name, total))
            if won:
                if not self.value(f"select count(*) {before} and name = :name and person = :person and won", **which):
                    found.add(NewFigure(person, "first win", name, total))
                lost = f"coalesce((select max(ord) {before} and person = :person and not won), -1)"
                streak = 1 + self.value(f"select count(*) {before} and person = :person and ord > {lost}", **which)
                if streak >= 3:
                    found.add(NewFigure(person, "streak", name, streak))
        return found


def check(folder: Path, known: Known) -> int:
    """Compare every figure of a journal with the second ones. Returns how many; fails at the first that differs."""
    compared = 0
    with closing(Plain(known)) as second, closing(up_to_date(folder)) as db:
        found = Figures(db)
        for mine, other in compare(found, second, known):
            compared += 1
            assert mine == other, (compared, mine, other)
        sums = dict(db.execute("select game || ' ' || seat, sum(points) from category group by game, seat"))
        for one in known.ended.values():
            for seat, total in enumerate(one.totals):
                assert sums.get(f"{one.game} {seat}", total - one.fixed[seat]) == total - one.fixed[seat]
    return compared


def compare(found: Figures, second: Plain, known: Known) -> Iterator[tuple[object, object]]:
    """Pairs that have to be equal."""
    evenings = by_evening(known)
    yield [set(evening.games) for evening in found.evenings], [games_ for _, games_ in evenings]
    people = sorted(known.names.keys() - known.uncounted)
    yield sorted(found.names), people
    for person in people:
        for name in (None, *games.names()):
            yield found.record(person, name)._asdict(), second.record(person, name)
        for name in games.names():
            yield found.solo(person, name), second.solo(person, name)
        for other in people:
            for name in (None, *games.names()):
                if other != person:
                    yield found.between(person, other, name), second.between(person, other, name)
        numbers = {number: n for n, (number, _) in enumerate(evenings, 1)}
        times = {
            group: {
                "n": one.n, "best": (one.best_ns, one.best_error_ns), "median": one.median_ns,
                "quartiles": None if one.quartiles_ns is None else list(one.quartiles_ns), "curve": list(one.curve),
            }
            for group, one in found.times(person).items()
        }  # fmt: skip
        others = second.times(person)
        for each in others.values():
            each["curve"] = [(numbers[evening], median) for evening, median in each["curve"]]
        yield times, others
        yield found.calls(person), second.calls(person)
    for (number, _), evening in zip(evenings, found.evenings, strict=True):
        yield set(found.tally(evening)), second.tally(number)
        yield found.most_wins(evening), second.most_wins(number)
    for name in found.kind:
        yield [(one.person, one.points, one.game) for one in found.best(name)], second.best(name)
    yield {one.game: how(one) for one in found.games if one.state != "open"}, standings(known)
    for game in known.ended:
        yield set(found.news(game)), second.news(game)


def how(one: ListedGame) -> object:
    """Who sat in a game and who has won it, or that it was ended by hand."""
    return one.state, [seat.who for seat in one.seats], [seat.who for seat in one.winners]


def standings(known: Known) -> dict[int, object]:
    """The same of all games that are over, from the plain record."""
    counted = known.names.keys() - known.uncounted
    found: dict[int, object] = {game: ("by hand", [], []) for game in known.by_hand}
    for game, one in known.ended.items():
        people = [known.seats[game].get(seat) for seat in range(one.players)]
        sat = [
            who if who in counted else FORGOTTEN if (game, seat) in known.forgotten else GUEST
            for seat, who in enumerate(people)
        ]
        found[game] = ("over", sat, [sat[seat] for seat in sorted(one.winners)])
    return found


def by_evening(known: Known) -> Sequence[tuple[int, set[int]]]:
    """The evenings with a game that was over, and these games."""
    found: dict[int, set[int]] = {}
    for one in known.ended.values():
        found.setdefault(one.evening, set()).add(one.game)
    for game, evening in known.by_hand.items():
        found.setdefault(evening, set()).add(game)
    return sorted(found.items())
