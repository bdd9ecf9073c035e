"""Whole games played at random, to look at their boards."""

from collections.abc import Iterator
from functools import reduce
from random import Random
from typing import Any

from engine import play
from engine.game import Rules
from engine.rules import RELEASE, Action, Board, Offer

MS = 1_000_000
LATER_NS = (0, 300 * MS, 2000 * MS)  # from one press to the next; none: a dead heat


def played(rules: Rules[Any, Any], names: tuple[str, ...], seed: int) -> Iterator[Board]:
    """Every board of a game that is played to its end at random; the same for the same seed."""
    dice = Random(f"{rules.name} {seed}")
    first = play.start(rules, names, rules.options(), seed)
    now = play.opened(rules, first)
    at_ns = 0
    while not now.over:
        yield now.board
        at_ns += dice.choice(LATER_NS)
        people = [offer for offer in now.offers if offer.due_ns is None and not offer.menu]
        usual = [offer for offer in people if not offer.hold and offer.verb != RELEASE]
        due = play.next_due(now)
        if due is not None and due.due_ns is not None and (not usual or due.due_ns <= at_ns):
            at_ns = max(at_ns, due.due_ns)
            action = Action(due.seat, due.verb, None, at_ns)
        else:
            offer = dice.choice(usual or people)
            action = Action(offer.seat, offer.verb, _value(offer, dice), at_ns)
        now = reduce(play.fold, play.answer(now, action), now)
    yield now.board


def _value(offer: Offer, dice: Random) -> Any:
    if offer.low is not None and offer.high is not None:
        return dice.randint(offer.low, offer.high) if offer.prefill is None else offer.prefill
    return dice.choice(offer.options) if offer.options else offer.example
