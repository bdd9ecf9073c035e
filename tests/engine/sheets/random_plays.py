"""Games of shipped sheets at random, written down as `Play` has it: what was answered, and the totals of the sheet."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from random import Random

from engine import play as plays
from engine.game import known
from engine.racing import ALL
from engine.rules import Offer, Refused, Value
from engine.sheets.asking import Accepted, Answered, Finished
from engine.sheets.program import CompiledAsk
from engine.sheets.state import CountedRound, SheetState, row_of, up_to
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
    return random_game(like, seed)[0]


def random_game(like: Play, seed: int) -> tuple[Play, plays.Play]:
    """The same, and the game before it was over."""
    rules = rules_of(f"sheet:{like.sheet}")
    asks_winners = rules.start(like.players, rules.options()).game.program.per == "race"
    stranger = (OneWinner if asks_winners else Stranger)(rules, Random(f"{like.sheet} {seed}"))
    under_way = plays.opened(rules, plays.start(rules, PLAYERS[: like.players], rules.options(), seed))
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
        if not play.over:
            under_way = play
        if said and play.over:
            final = answers(state, compiled.asks[compiled.in_round :], said)
            totals.append(list(play.scores))
    made = replace(like, name=f"random {seed}", steps=steps, totals=totals, winners=(), final=final, end="open")
    return made, under_way


def amended(like: Play, seed: int) -> tuple[Totals, Totals] | None:
    """The totals of such a game under way with one answer put right, and by the game's own rules; None: none fits."""
    made, game = random_game(like, seed)
    dice, state = Random(f"amended {seed}"), game.state
    dones = up_to(state.done)
    unfinished = like.final is not None and made.final is None
    if not dones or len(dones) > len(made.steps) or state.game.sheet.race is not None or unfinished:
        return None
    n = dice.randrange(len(dones))
    row, steps = row_of(state.game.flow, dones[n]), [dict(step) for step in made.steps]
    entries = [one for one in known(game.rules.entered)(state, row) if one.verb in steps[n]]
    entries = [one for one in entries if one.seat is None or steps[n].get("by", one.seat) == one.seat]
    if not entries:
        return None
    entry = dice.choice(entries)
    number = dice.randint(entry.low, min(entry.high, entry.low + 40))
    try:
        after = reduce(plays.fold, plays.amend(game, row, [(entry.seat, entry.verb, number)]), game)
    except Refused:
        return None
    given = steps[n][entry.verb]
    if isinstance(given, int):
        steps[n][entry.verb] = number
    else:
        at = known(entry.seat) % len(given)
        steps[n][entry.verb] = [*given[:at], number, *given[at + 1 :]]
    if after.over or after.state.out != state.out or not same_answers(after.state, state, dones[n]):
        return None  # others are asked
    right = replace(made, steps=steps)
    return list(after.state.done.totals), right.sums(right)[len(dones) - 1]


def same_answers(after: SheetState, before: SheetState, but: CountedRound) -> bool:
    """Whether nothing else was answered: no limit has moved another answer of that round."""
    answers = [(one.round.answers, old) for one, old in zip(up_to(after.done), up_to(before.done), strict=True)]
    changed = [old for new, old in answers for a, b in zip(new, old.round.answers, strict=True) if a != b]
    return len(changed) == 1 and changed[0] is but


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
