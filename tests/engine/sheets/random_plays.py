"""Games of shipped sheets at random, written down as `Play` has it: what was answered, and the totals of the sheet."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine.racing import ALL
from engine.rules import Offer, Value
from engine.sheets.asking import Accepted, Answered, Finished
from engine.sheets.program import CompiledAsk
from engine.sheets.state import SheetState
from firmware.random_play.strangers import Stranger, moves
from tests.engine.sheets.plays import Answers, Play, Totals
from tests.simulators.every_game import rules_of

PLAYERS = tuple(f"P{n + 1}" for n in range(12))


class OneWinner(Stranger):
    """Never says that all were first: who is asked then, and who is right, is of the sheet alone."""

    def value(self, offer: Offer) -> Value:
        while (value := super().value(offer)) == ALL:
            pass
        return value


def random_play(like: Play, seed: int) -> Play:
    """A game of the same sheet with as many players. It is left where the table counts what a check does not take."""
    rules = rules_of(f"sheet:{like.sheet}")
    asks_winners = rules.start(like.players, rules.options()).game.program.per == "race"
    stranger = (OneWinner if asks_winners else Stranger)(rules, Random(f"{like.sheet} {seed}"))
    steps, totals, said, final = list[Answers](), list[Totals](), list[Answered](), None
    for before, facts, play in moves(rules, PLAYERS[: like.players], seed, stranger):
        state, compiled = play.state, play.state.game.program
        if any(isinstance(fact.event, Accepted) for fact in facts):
            break
        if any(isinstance(fact.event, Finished) for fact in facts):  # in the middle of a round
            said = []
        said += [fact.event for fact in facts if isinstance(fact.event, Answered)]
        if state.done is not before.state.done or state.round.number != before.state.round.number:  # or nobody ran
            one = answers(state, compiled.asks[: compiled.in_round], said)
            if state.game.sheet.race is not None and "by" not in one:
                done = state.done
                one["placed"] = [0] * state.players if done is before.state.done else done.round.placed
            steps.append(one)
            totals.append(list(play.scores))
            said = []
        if said and play.over:
            final = answers(state, compiled.asks[compiled.in_round :], said)
            totals.append(list(play.scores))
    return replace(like, name=f"random {seed}", steps=steps, totals=totals, winners=(), final=final, end="open")


def answers(
    state: SheetState, asks: Sequence[CompiledAsk], said: Sequence[Answered]
) -> dict[str, int | Sequence[int | None]]:
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
