"""Whole games at random, with undo, redo and points that are fixed."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import reduce
from random import Random
from typing import Any, NamedTuple

from engine import play as engine
from engine.game import Corrected, Rules, of_kind
from engine.play import Fact, Play
from engine.rules import BENCH, GO, RECALL, Form, Seat, Value, option_values
from firmware.random_play.strangers import Stranger, answered

UNDO, FIX = 0.03, 0.01


class Move(NamedTuple):
    """One accepted input and the facts it caused."""

    step: int  # the step it belongs to; after an undo: the step that is next
    verb: str  # of an action; or `undo`, `redo`, `fix`
    seat: Seat | None
    value: Value  # of an undo: the steps at which points were fixed, as they stand then
    at_ns: int
    error_ns: int
    facts: tuple[Fact, ...]


class Game(NamedTuple):
    """A game played to its end."""

    play: Play
    facts: tuple[Fact, ...]
    moves: tuple[Move, ...]


@contextmanager
def named(rules: Rules[Any, Any], seed: int, players: int, options: Any) -> Iterator[None]:
    """Whatever fails meanwhile fails with the game, the seed and the options."""
    try:
        yield
    except Exception as failure:
        failure.add_note(f"{rules.name}, seed {seed}, {players} players, {options}")
        raise


def in_order_of_play(names: Sequence[str], players: int, dice: Random) -> tuple[str, ...]:
    """Whoever plays at a kit with these buttons: any of them, in the order round the table, and anybody begins."""
    here = sorted(dice.sample(range(len(names)), players))
    first = dice.randrange(players)
    return tuple(names[n] for n in (*here[first:], *here[:first]))


def random_options(rules: Rules[Any, Any], dice: Random, *, programs: bool = True) -> Any:
    """Options drawn from all that is allowed, the first two values more often; every other one stays at its default.

    `programs`: also those that only programs can choose, and no menu offers.
    """
    drawn = {}
    for option in fields(rules.options):
        if dice.random() < 0.5:
            values = option_values(option, programs=programs)
            if (form := option.metadata.get("table")) is not None:
                values = (some_table(form, dice),)
            drawn[option.name] = dice.choice(values if dice.random() < 0.5 else values[:2])
    return rules.options(**drawn)


def some_table(form: Form, dice: Random) -> str:
    """Any text of this form, seldom a long one."""
    entries = [dice.choices(form.things, k=dice.randint(0, dice.choice((2, form.most)))) for _ in range(form.entries)]
    return form.text([entry.count(thing) for thing in form.things] for entry in entries)


def random_game(
    rules: Rules[Any, Any], players: int, options: Any, seed: int, *, limit: int = 20_000, signal: str = ""
) -> Game:
    """A whole game; steps are undone and brought back, points fixed. Fails if `limit` moves do not end it.

    `signal`: what gives the go-signals.
    """
    dice = Random(f"{rules.name}:{seed}")
    first = engine.start(rules, tuple(f"P{n + 1}" for n in range(players)), options, seed)
    play, facts, moves = engine.opened(rules, first), [first], list[Move]()
    stranger = Stranger(rules, dice)
    now_ns = floor_ns = 0  # no press is stamped before what the clock or the table answered last
    for _ in range(limit):
        if play.over and dice.random() > UNDO * 5:
            return Game(play, tuple(facts), tuple(moves))
        if play.future is not None and dice.random() < 0.5:
            move = Move(play.step, "redo", None, None, now_ns, 0, engine.redo(play, now_ns))
        elif engine.without_trace(play).past is not None and dice.random() < (0.5 if play.over else UNDO):
            move = Move(0, "undo", None, None, now_ns, 0, engine.undo(play, now_ns))
        elif play.over or dice.random() < FIX:
            seat = dice.randrange(players)
            points = max(play.scores) - play.scores[seat] if play.over else 0  # level with the best
            points = points if 0 < points <= engine.MAX_POINTS else dice.choice((-5, -1, 1, 5))
            if 0 <= play.scores[seat] < -points:  # a game that counts down to 0 has no way back from below
                points = -points
            move = Move(play.step, "fix", seat, points, now_ns, 0, engine.fix(play, seat, points, now_ns))
        else:
            action = stranger.pick(play.offers, now_ns, floor_ns)
            now_ns = max(now_ns, action.at_ns)
            if action.seat is None:
                floor_ns = now_ns
            action, caused = answered(play, action._replace(signal=signal if action.verb == GO else ""))
            step = caused[0].step if caused else play.step - 1
            move = Move(step, action.verb, action.seat, action.value, action.at_ns, action.error_ns, caused)
        stranger.heard(play, move.verb, move.value, move.facts)
        play = reduce(engine.fold, move.facts, play)
        moves.append(move._replace(step=play.step, value=fixes(play)) if move.verb == "undo" else move)
        facts += move.facts
    raise AssertionError(f"{rules.name}, seed {seed}: not over after {limit} moves")


def events(play: Play) -> list[object]:
    """The event that began each step."""
    begun, mark = list[object](), play.past
    while mark is not None:
        begun.append(mark.event)
        mark = mark.rest
    return begun[::-1]


def fixes(play: Play) -> tuple[int, ...]:
    """The steps at which points were fixed."""
    return tuple(step for step, event in enumerate(events(play)) if isinstance(event, Corrected))


def standing(moves: Iterable[Move]) -> list[Move]:
    """The moves that count in the end: those undone and not brought back left out."""
    stand: list[Move] = []
    undone: list[tuple[int, list[Move]]] = []  # how many moves stood without them
    dead: dict[int, list[Move]] = {}  # by step: buttons that failed before it was brought back, unknown to it
    for move in moves:
        if move.verb == "undo":
            first, steps = move.step, of_kind(tuple, move.value)
            while first - 1 in steps:  # points that were fixed in the middle of it
                first -= 1
            left, stood, cut, stand = list(steps), stand, list[Move](), list[Move]()
            kept: dict[int, int] = {}  # the steps of points that stay
            for old in stood:
                if old.verb == "fix" and left:
                    kept[old.step] = left.pop(0)
                if old.verb in ("fix", RECALL) and old.step in kept:  # a recall belongs to the step before it
                    stand.append(old._replace(step=kept[old.step]))
                else:
                    (cut if old.verb == "fix" or old.step >= first else stand).append(old)
            stand.sort(key=lambda move: move.step)
            undone.append((len(stand), cut))
            stand += dead.get(first, [])
            dead = {step: moved for step, moved in dead.items() if step < first}
        elif move.verb == "redo":
            length, cut = undone.pop()
            dead[move.step] = stand[length:]
            stand = [*stand[:length], *(old._replace(step=move.step) for old in cut)]
        else:
            stand.append(move)
            if move.facts and move.verb != BENCH:  # a press on a dead button is nothing new, nor is the dead button
                undone = []
    return stand
