"""Whole games as lists of what people decide, recorded once: any version of the rules plays them to the same scores.

A decision is what a person decides, however a version asks for it: answers of the clock and plain ways on are none. A
file has some games of its name with the usual options, with an empty line between them. The first line of a game has
the number of players, the seed and the scores that it leads to; each other line a decision: the time in ms, the seat
(-: the table), the verb and the value.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine.game import Rules, act
from engine.rules import Action, Chance, Offer, Refused, Seat, Value, check

MS = 1_000_000

# Older versions have no such verb: each seat is asked for each colour, and answers 0 with this one.
EACH_ZERO = {"none_left": "left"}


class Decision(NamedTuple):
    """What somebody decides, and when."""

    at_ns: int
    seat: Seat | None
    verb: str
    value: Value


class DecidedGame(NamedTuple):
    """All decisions of a game, and the scores that they lead to."""

    players: int
    seed: int
    scores: tuple[int, ...]
    decisions: tuple[Decision, ...]


class Unplayable(Exception):
    """These rules have no way to a decision, or lead to other scores."""


def decided_games(name: str) -> tuple[DecidedGame, ...]:
    """The recorded games of this name."""
    text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(map(_game, text.split("\n\n")))


def answers(rules: Rules[Any, Any], game: DecidedGame) -> tuple[tuple[Action, Chance], ...]:
    """The answers with which these rules play a game to its end, one by one for `act()`. Raises `Unplayable`."""
    state, now_ns, given = rules.start(game.players, rules.options()), 0, list[tuple[Action, Chance]]()

    def give(action: Action, step: int) -> None:
        nonlocal state, now_ns
        chance = Chance(game.seed, step)
        state, now_ns = act(rules, state, action, chance)[0], action.at_ns
        given.append((action, chance))

    for step, decision in enumerate(game.decisions):
        while not (action := _decided(rules.offers(state), decision)):
            give(_onward(rules.offers(state), now_ns, decision), step)
        give(action, step)
        while zero := _each_zero(rules.offers(state), decision):
            give(zero, step)
    while not state.over:
        give(_onward(rules.offers(state), now_ns), len(game.decisions))
    if (scores := tuple(rules.scores(state))) != game.scores:
        raise Unplayable(f"{rules.name} ends with {scores}, not with {game.scores}")
    return tuple(given)


def player(rules: Rules[Any, Any], name: str) -> Callable[[], int]:
    """Plays all recorded games of this name through `act()`; it returns how many decisions that were."""
    recorded = decided_games(name)
    tables = [(game.players, answers(rules, game)) for game in recorded]
    decisions = sum(len(game.decisions) for game in recorded)

    def play() -> int:
        for players, given in tables:
            state = rules.start(players, rules.options())
            for action, chance in given:
                state = act(rules, state, action, chance)[0]
        return decisions

    return play


def _decided(offers: Sequence[Offer], decision: Decision) -> Action | None:
    """The answer that is the decision, once it is offered; what the clock answers before comes first."""
    if any(offer.due_ns is not None and offer.due_ns <= decision.at_ns for offer in offers):
        return None
    action = Action(decision.seat, decision.verb, decision.value, decision.at_ns)
    try:
        check(offers, action)
    except Refused:
        return _each_zero(offers, decision)
    return action


def _each_zero(offers: Sequence[Offer], decision: Decision) -> Action | None:
    verb = EACH_ZERO.get(decision.verb)
    return next((Action(o.seat, o.verb, 0, decision.at_ns) for o in offers if o.verb == verb), None)


def _onward(offers: Sequence[Offer], now_ns: int, decision: Decision | None = None) -> Action:
    """The answer of the clock, or else the plain way on, which takes no time; of several the last, as by OK."""
    due = [(offer.due_ns, offer.verb) for offer in offers if offer.due_ns is not None]
    if due:
        at_ns, verb = min(due)
        return Action(None, verb, None, at_ns)
    for offer in reversed(offers):
        limited = offer.low is not None or offer.options or offer.example is not None
        if offer.seat is None and not (limited or offer.menu or offer.hold):
            return Action(None, offer.verb, None, now_ns)
    offered = ", ".join(sorted({offer.verb for offer in offers}))
    raise Unplayable(f"no way to {decision or 'the end'}; offered: {offered}")


def _game(text: str) -> DecidedGame:
    head, *lines = text.splitlines()
    players, seed, *scores = map(int, head.split())
    return DecidedGame(players, seed, tuple(scores), tuple(map(_decision, lines)))


def _decision(line: str) -> Decision:
    at_ms, seat, verb, *value = line.split(maxsplit=3)
    at_ns = round(float(at_ms) * MS)
    return Decision(at_ns, None if seat == "-" else int(seat), verb, json.loads(value[0]) if value else None)
