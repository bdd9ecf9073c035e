"""Plays a game with a threaded journal until it is killed, and prints how many facts people have been told of."""

import random
import sys
import time
from pathlib import Path

from engine import games
from engine import play as plays
from engine.play import Fact
from engine.rules import Action, Refused
from firmware.journal.writer import Journal


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    dice = random.Random(seed)
    told: list[tuple[int, int]] = []  # ticket, facts of the game by then

    def committed(ticket: int) -> None:
        safe = [count for waiting, count in told if waiting <= ticket]
        if safe:
            sys.stdout.write(f"{safe[-1]}\n")
            sys.stdout.flush()

    journal = Journal(folder / "journal.db", "before the cut", committed, lambda text: None)
    rules = games.rules(dice.choice(games.names()))
    first = plays.start(rules, ("P1", "P2", "P3"), rules.options(), seed)
    game = journal.begin_game(rules.name)
    play, count = plays.opened(rules, first, "before the cut"), 1
    told.append((journal.write(game, (first,)), count))
    now_ns = 1_000_000_000
    while not play.over:
        now_ns += dice.randint(1, 400_000_000)
        time.sleep(dice.uniform(0, 0.006))
        facts = step(play, dice, now_ns)
        for fact in facts:
            play = plays.fold(play, fact)
        count += len(facts)
        if facts:
            told.append((journal.write(game, facts), count))
    sys.stdin.read()


def step(play: plays.Play, dice: random.Random, now_ns: int) -> tuple[Fact, ...]:
    """Something that a table would do."""
    if dice.random() < 0.05 and play.past is not None:
        return plays.undo(play, now_ns)
    offer = dice.choice(play.offers)
    if offer.options:
        value: int | str | None = dice.choice(offer.options)
    else:
        value = None if offer.low is None else dice.randint(offer.low, min(offer.high or 0, offer.low + 5))
    at_ns = max(now_ns, offer.due_ns or 0)
    try:
        return plays.answer(play, Action(offer.seat, offer.verb, value, at_ns))
    except Refused:  # something fell due first, and it is not asked any more
        return ()


if __name__ == "__main__":
    main()
