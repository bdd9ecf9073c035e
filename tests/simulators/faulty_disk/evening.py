"""One run of the kit on the watched disk: `python -m tests.simulators.faulty_disk.evening FOLDER LOG GAME RUN HOW`.

Run 0 is a whole evening of the game as people play it. Run 1, 40 days later, is a game at random, with steps undone,
brought back and fixed, until the plug is pulled. Run 2, 40 days later again, goes on with it and ends in good order.
HOW is "wal", as the product does it, or
one of the others to compare with. The log has marks: what was handed to the journal, and what it has said is safe.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from engine import games
from engine.play import Fact
from engine.rules import Seat
from firmware.journal import writer as journal
from firmware.journal.file import OpenJournal, open_to_read, open_to_write
from firmware.journal.phones import Answered
from firmware.journal.reader import Recorded, encode
from firmware.journal.writer import Journal
from firmware.people.names import Person
from firmware.table import app
from firmware.wishes.games import WriteRemark
from hardware.parts.buttons import Edge
from tests.simulators import evenings
from tests.simulators.faulty_disk import Shim
from tests.simulators.players import random_game
from tests.simulators.rig import NamedRig, Rig
from tests.simulators.wishing import wished

DAYS = 40


FORGOTTEN = "Maximiliana"  # is forgotten in the last run


def rows(path: Path) -> int:
    """How many rows a journal has of seats, and of people who are not forgotten."""
    with suppress(FileNotFoundError), closing(open_to_read(path)) as db:
        (seats,) = db.execute("select count(*) from seat").fetchone()
        (persons,) = db.execute("select count(*) from person where name != ?", (FORGOTTEN,)).fetchone()
        return int(seats + persons)
    return 0


def alone(waiting: Sequence[Edge], edge: Edge) -> bool:
    """Whether the edges that wait have got no facts in time, by the stamp of the next one: the thread commits them."""
    return bool(waiting) and edge.at_ns - waiting[0].at_ns >= journal.EDGES_S * 1e9


class Marked(Journal):
    """A journal that says in the log what it is handed and what it says is safe: of each game, how many facts."""

    shim: Shim

    def __init__(self, path: Path, boot: str, on_commit: Any, on_trouble: Any, **options: Any) -> None:
        self._counts: list[tuple[int, int, int]] = []  # ticket, game, facts
        self._rows: list[tuple[int, int]] = []  # ticket, rows of people and seats so far
        self._forgets = 0  # the ticket after which somebody is forgotten

        def committed(ticket: int) -> None:
            for waiting, game, count in self._counts:
                if waiting <= ticket:
                    self.shim.mark(json.dumps({"safe": game, "facts": count}))
            done = max((rows for waiting, rows in self._rows if waiting <= ticket), default=0)
            self.shim.mark(json.dumps({"people": done}))
            if 0 < self._forgets <= ticket:
                self.shim.mark(json.dumps({"forgotten": 1}))
            self._counts = [counted for counted in self._counts if counted[0] > ticket]
            self.shim.mark(json.dumps({"commit": ticket}))
            on_commit(ticket)

        super().__init__(path, boot, committed, on_trouble, **options)
        self._facts = 0 if self._latest is None else len(self._latest.rows)
        self.before = rows(path)  # of earlier runs

    def begin_game(self, name: str, sheet: str = "") -> int:
        self._facts = 0
        return super().begin_game(name, sheet)

    def write(self, game: int, facts: Iterable[Fact], sent: Iterable[Answered] = ()) -> int:
        facts = tuple(facts)
        self._facts += len(facts)
        self.shim.mark(json.dumps({"handed": game, "facts": self._facts}))
        self._counts.append((self._ticket + 1, game, self._facts))
        return super().write(game, facts, sent)

    def seat(self, game: Recorded | int, persons: Mapping[Seat, str | None]) -> int:
        self._note(len(persons))
        return super().seat(game, persons)

    def write_people(self, persons: Iterable[Person]) -> int:
        persons = tuple(persons)
        self._note(sum(person.name != FORGOTTEN for person in persons))
        return super().write_people(persons)

    def forget(self, person: str) -> int:
        self._forgets = self._ticket + 1
        return super().forget(person)

    def write_edge(self, edge: Edge) -> None:
        if alone(self._edges, edge):
            self._drain()
        self._edges.append(edge)

    def _note(self, more: int) -> None:
        self._rows.append((self._ticket + 1, (self._rows[-1][1] if self._rows else self.before) + more))


class Lines:
    """What a journal would be without a database: each commit is a line of JSON at the end of a file, and one sync."""

    latest = None
    persons = ()
    evening_in_doubt = False

    def __init__(self, path: Path, boot: str, on_commit: Any, on_trouble: Any, **options: Any) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._on_commit, self._ticket, self._edges = on_commit, 0, list[Edge]()

    def _put(self, what: object) -> int:
        self._ticket += 1
        os.write(self._handle, json.dumps([what, self._edges], separators=(",", ":")).encode() + b"\n")
        os.fdatasync(self._handle)
        self._edges = []
        self._on_commit(self._ticket)
        return self._ticket

    def begin_game(self, name: str, sheet: str = "") -> int:
        self._put(name)
        return 1

    def write(self, game: int, facts: Iterable[Fact], sent: Iterable[Answered] = ()) -> int:
        return self._put([game, *map(encode, facts)])

    def seat(self, game: Recorded | int, persons: Mapping[Seat, str | None]) -> int:
        return self._put(list(persons.items()))

    def write_people(self, persons: Iterable[Person]) -> int:
        return self._put([person.name for person in persons])

    def forget(self, person: str) -> int:
        return self._put(person)

    @property
    def ticket(self) -> int:
        return self._ticket

    def remark(self, game: Recorded | int, note: str, day: str) -> int:
        return self._put([note, day])

    def merge(self, one: str, into: str) -> int:
        return self._put([one, into])

    def write_edge(self, edge: Edge) -> None:
        if alone(self._edges, edge):
            self._put([])
        self._edges.append(edge)

    def close(self) -> None:
        os.close(self._handle)


HOW = {
    "delete": "pragma journal_mode = delete",  # SQLite as it is where nobody asks for anything
    "unsynced": "pragma synchronous = normal",  # a journal that must not pass
}


def otherwise(how: str) -> Callable[..., OpenJournal]:
    """Opens a journal in another way than the product does."""

    def opened(*arguments: Any, **options: Any) -> OpenJournal:
        found = open_to_write(*arguments, **options)
        found.db.execute(HOW[how])
        return found

    return opened


def at_random(folder: Path, name: str) -> None:
    """Half of a random game, and the power goes."""
    rules = games.rules(name)
    game = random_game(rules, 3, rules.options(), 5)
    kept = Marked(folder / "journal.db", "boot-2", lambda ticket: None, lambda text: None, threaded=False)
    number = kept.begin_game(name)
    kept.write(number, game.facts[:1])
    dice = Random(name)
    for move in game.moves[: min(len(game.moves) // 2, 150)]:
        if dice.random() < 0.7:
            kept.write_edge(Edge("P1", dice.random() < 0.5, move.at_ns, "kernel"))
        if move.facts:
            kept.write(number, move.facts)
    os._exit(0)


def gone_on_with(folder: Path) -> None:
    """The game is offered and taken; some buttons are pressed, something is undone, and the kit is switched off."""
    rig = Rig(folder, boot="boot-3").ok()
    rig.playing.sit({0: rig.app.table.people.add("Dora")})
    wished(rig, WriteRemark(rig.playing.number, f"{FORGOTTEN}s cat was here", "2026-11-22"))
    for _ in range(3):
        for button in ("P1", "P2", "P3"):
            rig.tap(button).after(3500)
        rig.ok().after(500)
    rig.ok_hold().ok().ok_hold()
    rig.app.table.people.forget(next(one.id for one in rig.app.table.roster.persons if one.name == FORGOTTEN))
    rig.after(100).tap("P1").after(500).close()


def main() -> None:
    folder, log, name, run, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
    Marked.shim = Shim(folder, log)
    app.__dict__["Journal"] = Lines if how == "lines" else Marked
    if how in HOW:
        journal.__dict__["open_to_write"] = otherwise(how)

    class Later(datetime):
        """The wall clock, some days ahead."""

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + timedelta(days=DAYS * run)

    journal.__dict__["datetime"] = Later
    state = folder / "state"
    if run == 0:
        rig = NamedRig(state, (FORGOTTEN, "Žofie", "نگار"))
        getattr(evenings, name)(rig)
        rig.close()
    elif run == 1:
        at_random(state, name)
    else:
        gone_on_with(state)


if __name__ == "__main__":
    main()
