"""Plays a game with a threaded journal until it is killed, and prints how many of its facts are committed."""

import random
import sys
import time
from functools import reduce
from pathlib import Path

from engine import games
from engine import play as plays
from firmware.journal.writer import Journal
from tests.simulators.players import answered, pick


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    dice = random.Random(seed)
    handed: list[tuple[int, int]] = []  # ticket, facts of the game by then

    def committed(ticket: int) -> None:
        safe = [count for waiting, count in handed if waiting <= ticket]
        if safe:
            sys.stdout.write(f"{safe[-1]}\n")
            sys.stdout.flush()

    journal = Journal(folder / "journal.db", "before the cut", committed, lambda text: None)
    rules = games.rules(dice.choice(games.names()))
    first = plays.start(rules, ("P1", "P2", "P3"), rules.options(), seed)
    game = journal.begin_game(rules.name)
    play, count = plays.opened(rules, first, "before the cut"), 1
    handed.append((journal.write(game, (first,)), count))
    now_ns = 1_000_000_000
    while not play.over:
        now_ns += dice.randint(1, 400_000_000)
        time.sleep(dice.uniform(0, 0.006))
        if play.past is not None and dice.random() < 0.05:
            facts = plays.undo(play, now_ns)
        else:
            action, facts = answered(play, pick(play.offers, dice, 1, now_ns, now_ns))
            now_ns = max(now_ns, action.at_ns)
        play = reduce(plays.fold, facts, play)
        count += len(facts)
        if facts:
            handed.append((journal.write(game, facts), count))
    sys.stdin.read()


if __name__ == "__main__":
    main()
