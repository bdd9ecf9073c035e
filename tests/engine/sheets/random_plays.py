"""Games of shipped sheets at random, written down as `Play` has it: what was answered, and the totals of the sheet."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from random import Random

from engine import play as plays
from engine.racing import ALL
from engine.rules import Action
from engine.sheets.asking import FINISH, Accepted, Answered
from engine.sheets.program import Asked
from engine.sheets.state import State
from firmware.random_play import Stranger, answered
from tests.engine.sheets.plays import Answers, Play, Totals
from tests.simulators.every_game import rules_of

MOST = 60  # steps; then the table finishes a game that nothing else ends, and another one is left
APART_NS = 1_000_000  # of two presses


def random_play(like: Play, seed: int) -> Play:
    """A game of the same sheet with as many players.

    It is left where the table counts what a check does not take.
    """
    rules = rules_of(f"sheet:{like.sheet}")
    first = plays.start(rules, tuple(f"P{n + 1}" for n in range(like.players)), rules.options(), seed)
    play, stranger, now_ns = plays.opened(rules, first), Stranger(rules, Random(f"{like.sheet} {seed}")), 0
    compiled, sheet = play.state.game.program, play.state.game.sheet
    steps, totals, said = list[Answers](), list[Totals](), list[Answered]()
    while not play.over:
        others = [offer for offer in play.offers if offer.verb != FINISH]
        if len(steps) >= MOST and not play.state.why:
            if len(others) == len(play.offers):
                break
            action, said = Action(None, FINISH, None, now_ns), []
        else:
            action = stranger.pick(others, now_ns + APART_NS, now_ns + APART_NS)._replace(error_ns=0)
        if compiled.per == "race" and action.value == ALL:  # all would be asked, and may all be right
            continue
        action, facts = answered(play, action)
        if any(isinstance(fact.event, Accepted) for fact in facts):
            break
        stranger.heard(play, action.verb, action.value, facts)
        now_ns, before = max(now_ns, action.at_ns), play.state
        play = reduce(plays.fold, facts, play)
        said += [fact.event for fact in facts if isinstance(fact.event, Answered)]
        if play.state.done is not before.done or play.state.round.number != before.round.number:  # or nobody ran
            one = answers(play.state, compiled.asks[: compiled.in_round], said)
            if sheet.race is not None and "by" not in one:
                done = play.state.done
                one["placed"] = [0] * play.state.players if done is before.done or done is None else done.placed
            steps.append(one)
            totals.append(list(play.scores))
            said = []
    final = None
    if said and play.over:
        final = answers(play.state, compiled.asks[compiled.in_round :], said)
        totals.append(list(play.scores))
    return replace(like, name=f"random {seed}", steps=steps, totals=totals, winners=(), final=final, end="open")


def answers(state: State, asks: Sequence[Asked], said: Sequence[Answered]) -> dict[str, int | Sequence[int | None]]:
    """What was answered in a round, a turn, a press, a race or at the end."""
    seats, teams = state.players, state.game.sheet.teams or 0
    found = dict[str, int | Sequence[int | None]]()
    given: dict[str, list[int | None]] = {
        ask.id: [None for _ in range(seats if ask.per == "each" else teams)]
        for ask in asks
        if ask.per in ("each", "team")
    }
    for one in said:  # what a check has asked again was answered later
        ask = state.game.program.asks[one.ask]
        if one.seat is None:
            found[ask.id] = one.number
        elif ask.id in given:
            given[ask.id][one.seat % len(given[ask.id])] = one.number
        else:
            found |= {"by": one.seat, ask.id: one.number}
    return found | given
