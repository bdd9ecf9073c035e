"""All games as people look them up: also those that are not over, were ended by hand, or cannot be read."""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from firmware.journal.clocks import Clocks

GUEST, FORGOTTEN = "", "forgotten"  # instead of an id

State = Literal["over", "by hand", "open", "unknown"]


class SeatResult(NamedTuple):
    """Somebody's result in a game that counts."""

    label: str  # of the button
    who: str  # the id of somebody who is counted, or one of the two above; who is not counted is a guest
    points: int
    place: int
    won: bool


class ListedGame(NamedTuple):
    """A game. `unknown`: this version cannot read it."""

    game: int
    kind: str  # by name
    state: State
    began: datetime | None  # None where no clock was right
    players: int
    seats: tuple[SeatResult, ...]  # of a game that counts

    @property
    def winners(self) -> tuple[SeatResult, ...]:
        return tuple(seat for seat in self.seats if seat.won)


def listed(db: sqlite3.Connection, names: Mapping[str, str]) -> tuple[ListedGame, ...]:
    """All games, the latest first. `db`: as `game_totals.up_to_date` returns it. `names`: of who is counted, by id."""
    clocks, sat = Clocks(db, "journal"), _sat(db)
    seats: dict[int, list[SeatResult]] = defaultdict(list)
    results = db.execute("select game, seat, label, points, place, won from result order by game, seat")
    for game, seat, label, points, place, won in results:
        person = sat.get((game, seat))
        who = FORGOTTEN if person == "" else person if person in names else GUEST
        seats[game].append(SeatResult(label, who or GUEST, points, place, bool(won)))
    rows = db.execute(
        "select sums.id, sums.name, sums.run, begun_ns, started_at, over, counted, players from main.game as sums "
        "join journal.game on game.id = sums.id order by sums.id desc"
    )
    return tuple(
        ListedGame(
            game,
            name,
            "over" if counted else "by hand" if over else "open" if players else "unknown",
            None if run is None else clocks.began(game, run, begun_ns, started_at),
            players,
            tuple(seats[game]),
        )
        for game, name, run, begun_ns, started_at, over, counted, players in rows
    )


def _sat(db: sqlite3.Connection) -> dict[tuple[int, int], str | None]:
    """By game and seat an id; the empty text for somebody who was forgotten, nothing for a guest."""
    if not db.execute("select 1 from journal.sqlite_master where name = 'seat'").fetchone():
        return {}
    last = (
        "select game, seat, person from journal.seat where id in (select max(id) from journal.seat group by game, seat)"
    )
    return {(game, seat): person for game, seat, person in db.execute(last)}
