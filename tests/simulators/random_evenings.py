"""Evenings of random games in a real journal, and what a second scorer and a plain record know of them.

People come and go: guests, two of one name, some who are not counted, some forgotten, some merged, some seated
otherwise afterwards. Games are undone, corrected days later, ended by hand, left unfinished. The wall clock is right,
or not known; power-ups come in between.
"""

import argparse
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from functools import reduce
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from engine import games
from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.people.names import Person
from firmware.wall_clock import Moment
from tests.engine import plain
from tests.engine.plain.reactions import Time, reactions
from tests.simulators.players import Game, Move, fixes, random_game, random_options, standing

KITS = ("table gpiod", "emulated")
SIGNALS = ("", "lamps", "buzzer", "picture")
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Anna", "Юлия", "Gül")


class Ended(NamedTuple):
    """A game that was over, as the second scorer has it."""

    game: int
    name: str
    players: int
    evening: int  # from 1
    totals: tuple[int, ...]
    fixed: tuple[int, ...]  # points fixed by hand, part of these
    winners: tuple[int, ...]
    times: tuple[Time, ...]
    kit: str


@dataclass
class Known:
    """A plain record of what has happened."""

    ended: dict[int, Ended] = field(default_factory=dict)  # by game, in the order of their first ends
    by_hand: dict[int, int] = field(default_factory=dict)  # games that do not count: their evening
    seats: dict[int, dict[int, str | None]] = field(default_factory=dict)  # by game, by seat: an id
    forgotten: set[tuple[int, int]] = field(default_factory=set)  # the seats of somebody who was: game, seat
    names: dict[str, str] = field(default_factory=dict)
    uncounted: set[str] = field(default_factory=set)

    def met(self, one: str, other: str) -> bool:
        """Whether two people sat in the same game."""
        return any({one, other} <= set(seated.values()) for seated in self.seats.values())


class Evenings:
    """Plays them, evening by evening, into the journal of a folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.dice, self.known = folder, Random(seed), Known()
        self.evening = 0
        self._seed = seed * 100_000
        self._boots = 0
        self._wall = datetime(2026, 1, 2, 19, tzinfo=UTC)
        self._right = True  # whether the wall clock is
        self._games: dict[int, Game] = {}  # that may be corrected
        for name in NAMES:
            self.newcomer(name)

    def play(self, evenings: int) -> Known:
        """So many evenings more."""
        for _ in range(evenings):
            self.new_evening()
            for _ in range(self.dice.choice((1, 2, 2, 3, 4))):
                self.game()
                self.gossip()
        return self.known

    def journal(self) -> Journal:
        """A power-up."""
        self._boots += 1
        moment = Moment(0, self._wall.isoformat() if self._right else None)
        kit = self.dice.choice(KITS)
        boot = f"boot {self._boots}"
        return Journal(
            self.folder / "journal.db",
            boot,
            lambda ticket: None,
            self.fails,
            threaded=False,
            kit=kit,
            clock=lambda: moment,
        )

    @staticmethod
    def fails(text: str | None) -> None:
        raise AssertionError(text)

    def newcomer(self, name: str) -> str:
        id_ = f"{self.dice.getrandbits(64):016x}"
        with closing(self.journal()) as journal:
            journal.write_people([Person(id_, name)])
        self.known.names[id_] = name
        return id_

    def new_evening(self) -> None:
        self.evening += 1
        self._wall += timedelta(hours=self.dice.randint(7, 200))
        was_right, self._right = self._right, self.dice.random() < 0.7
        with closing(self.journal()) as journal:
            in_doubt = self.evening > 1 and not (was_right and self._right)
            assert journal.evening_in_doubt == in_doubt
            if in_doubt:
                journal.answer_evening(new=True)

    def game(self) -> None:
        """One game, by some of the people and some guests, to its end as a rule."""
        dice = self.dice
        rules: Rules[Any, Any] = games.rules(dice.choice(plain.SHIPPED))
        self._seed += 1
        players, options = dice.randint(*rules.seats), random_options(rules, dice)
        played = random_game(rules, players, options, self._seed, signal=dice.choice(SIGNALS))
        facts, end = played.facts, dice.random()
        if end < 0.15:  # cut short: left, or ended by hand
            cut = facts[: dice.randint(1, len(facts) - 1)]
            play = plays.replay(rules, cut)
            if not play.over:
                facts = (*cut, *plays.end(play, cut[-1].at_ns)) if end < 0.07 else cut
        with closing(self.journal()) as journal:
            number, kit = journal.begin_game(rules.name), journal.kit
            journal.seat(number, self.seated(players))
            journal.write(number, facts)
        seats = dict(enumerate(self._last.get(seat) for seat in range(players)))
        self.known.seats[number] = seats
        self._wall += timedelta(microseconds=max(fact.at_ns for fact in facts) // 1000, minutes=10)
        self.ended(number, plays.replay(rules, facts), played, facts, kit)

    def ended(self, number: int, play: Play, played: Game, facts: tuple[Fact, ...], kit: str) -> None:
        """Note how it ended."""
        if not play.over:
            return
        if play.ended:
            self.known.by_hand[number] = self.evening
            return
        self._games[number] = played
        self.known.ended[number] = outcome(number, self.evening, played.play, played.moves, kit)

    def seated(self, players: int) -> dict[int, str | None]:
        """Some of the people, each once, and guests."""
        people = self.dice.sample(sorted(self.known.names), k=min(players, len(self.known.names)))
        self._last = {
            seat: people[seat] if seat < len(people) and self.dice.random() < 0.85 else None for seat in range(players)
        }
        return self._last

    def gossip(self) -> None:
        """What people do between two games."""
        dice, known = self.dice, self.known
        chance = dice.random()
        if chance < 0.1 and known.seats:  # who sat there is put right, mostly in an old game
            game = dice.choice(sorted(known.seats))
            with closing(History(self.folder / "journal.db")) as history:
                record = history.recalled(game)
            assert record is not None
            people = dice.sample(sorted(known.names), k=min(len(known.seats[game]), len(known.names)))
            new = dict(zip_longest(known.seats[game], people))
            with closing(self.journal()) as journal:
                journal.seat(record, new)
            known.seats[game] |= new
            known.forgotten -= {(game, seat) for seat in new}
        elif chance < 0.15 and self._games:
            self.correct(dice.choice(sorted(self._games)))
        elif chance < 0.2:
            id_ = dice.choice(sorted(known.names))
            known.uncounted ^= {id_}
            with closing(self.journal()) as journal:
                journal.write_people([Person(id_, known.names[id_], counted=id_ not in known.uncounted)])
        elif chance < 0.23 and len(known.names) > 5:
            id_ = dice.choice(sorted(known.names))
            with closing(self.journal()) as journal:
                journal.forget(id_)
            self.gone(id_, None)
        elif chance < 0.26 and len(known.names) > 5:
            one, into = dice.sample(sorted(known.names), k=2)
            if not known.met(one, into):
                with closing(self.journal()) as journal:
                    journal.merge(one, into)
                self.gone(one, into)
        elif chance < 0.32:
            self.newcomer(dice.choice(NAMES))

    def gone(self, id_: str, by: str | None) -> None:
        del self.known.names[id_]
        self.known.uncounted.discard(id_)
        for game, seated in self.known.seats.items():
            theirs = [seat for seat, who in seated.items() if who == id_]
            seated.update(dict.fromkeys(theirs, by))
            if by is None:
                self.known.forgotten |= {(game, seat) for seat in theirs}

    def correct(self, game: int) -> None:
        """A game that was over gets other points, or its end is undone, in a later run."""
        played, last = self._games[game], self.known.ended[game]
        play, dice = played.play, self.dice
        facts: list[Fact] = []
        boot = f"boot {self._boots + 1}"
        at_ns = 10**15

        def add(more: tuple[Fact, ...]) -> None:
            nonlocal play
            play = reduce(plays.fold, more, play)
            facts.extend(more)

        add(plays.resume(play, boot, at_ns))
        undone = dice.random() < 0.3
        seat, points = dice.randrange(last.players), dice.choice((-7, 3, 11))
        add(plays.undo(play, at_ns) if undone else plays.fix(play, seat, points, at_ns))
        with closing(History(self.folder / "journal.db")) as history:
            record = history.recalled(game)
        assert record is not None
        with closing(self.journal()) as journal:
            journal.write(journal.take_up(record), facts)
        del self._games[game]
        if not play.over:
            del self.known.ended[game]
            return
        step, verb = (play.step, "undo") if undone else (played.play.step, "fix")
        value = fixes(play) if undone else points
        moves = (*played.moves, Move(step, verb, seat, value, at_ns, 0, tuple(facts[1:])))
        self.known.ended[game] = outcome(game, last.evening, play, moves, last.kit)


def outcome(game: int, evening: int, play: Play, moves: tuple[Move, ...], kit: str) -> Ended:
    """What the second scorers say of a game."""
    name, players, options = play.rules.name, len(play.players), asdict(play.options)
    stand = standing(moves)
    found = plain.SCORERS[name](players, options, stand)
    times = tuple(reactions(name, players, options, stand))
    fixes = [(move.seat, move.value) for move in stand if move.verb == "fix" and isinstance(move.value, int)]
    fixed = tuple(sum(points for who, points in fixes if who == seat) for seat in range(players))
    return Ended(game, name, players, evening, tuple(found.totals), fixed, tuple(found.winners), times, kit)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play many evenings, journal by journal, and compare every figure with the second ones."""
    from tests.simulators.plain_figures import check

    parser = argparse.ArgumentParser(
        prog="scripts/random evenings", description="Check all statistics of random evenings."
    )
    parser.add_argument("--evenings", type=int, default=10_000, metavar="N", help="number of evenings (default 10000)")
    parser.add_argument("--each", type=int, default=200, metavar="N", help="evenings per journal (default 200)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first journal (default 0)")
    asked = parser.parse_args(arguments)
    print(f"{'seed':>6}{'evenings':>10}{'games':>8}{'people':>8}{'figures':>9}{'s':>8}")
    for seed in range(asked.seed, asked.seed + -(-asked.evenings // asked.each)):
        began_s = time.monotonic()
        with TemporaryDirectory() as folder:
            known = Evenings(Path(folder), seed).play(asked.each)
            figures = check(Path(folder), known)
        took_s = time.monotonic() - began_s
        line = f"{seed:6}{asked.each:10}{len(known.ended):8}{len(known.names):8}{figures:9}{took_s:8.1f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
