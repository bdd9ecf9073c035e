"""Whole games at random, each checked in every respect. A long run: `scripts/random play --games 1000`."""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from functools import reduce
from itertools import product
from random import Random
from typing import Any, NamedTuple

from engine import play as engine
from engine.game import Corrected, Onward, Rules
from engine.play import Fact, Play, UndoMark
from engine.rules import TIME_UP, Refused
from engine.sheets.state import SheetState, shows_totals
from tests.engine import plain
from tests.simulators.every_game import add_game, names, rules_of
from tests.simulators.players import Game, events, named, random_game, random_options, some_table, standing


class Played(NamedTuple):
    """A game that passed every check."""

    players: int
    rounds: int
    moves: int
    undos: int
    winners: int


def checked_game(name: str, seed: int, players: int | None = None) -> Played:
    """Play one game by its seed and check it in every respect. Fails with the game, the seed and the options."""
    return _played(name, seed, players, (check_end, check_replay, check_undo, check_score))


def scored_game(name: str, seed: int) -> Played:
    """Play one game by its seed and let both scorers score it. Fails with the game, the seed and the options."""
    return _played(name, seed, None, (check_end, check_score))


def combinations(rules: Rules[Any, Any]) -> Iterator[Any]:
    """Every combination of options; of a number one that does something, beside its words or its lowest value."""
    few = []
    for option in fields(rules.options):
        words, meta = option.metadata["choices"], option.metadata
        if "table" in meta:
            words = (*words, some_table(meta["table"], Random(option.name)))
        few.append((*(words or (meta["low"],)), min(meta["low"] + 4, meta["high"])) if "low" in meta else words)
    names = [option.name for option in fields(rules.options)]
    return (rules.options(**dict(zip(names, values, strict=True))) for values in product(*map(dict.fromkeys, few)))


def combined_game(name: str, seed: int, options: Any) -> Played:
    """Play one game with these options and let both scorers score it. Fails with the game, the seed and the options."""
    return _played(name, seed, None, (check_end, check_verbs, check_score), options)


def _played(
    name: str, seed: int, players: int | None, checks: Sequence[Callable[[Game], None]], options: Any = None
) -> Played:
    rules, dice = rules_of(name), Random(seed)
    fewest, most = rules.seats
    players = dice.randint(fewest, most) if players is None else players
    options = random_options(rules, dice) if options is None else options
    with named(rules, seed, players, options):
        game = random_game(rules, players, options, seed)
        for check in checks:
            check(game)
    undos = sum(move.verb == "undo" for move in game.moves)
    return Played(players, rules.board(game.play.state).round, len(game.moves), undos, len(game.play.winners))


def check_end(game: Game) -> None:
    """It is over, and some of those who played have won; who plays alone may miss the goal, as all of a sheet may."""
    seats = range(len(game.play.players))
    assert game.play.over
    assert game.play.winners or len(seats) == 1 or not always_won(game.play)
    assert list(game.play.winners) == [seat for seat in seats if seat in game.play.winners]


def always_won(play: Play) -> bool:
    """Whether somebody wins: not in a sheet that all win together or nobody, or without points."""
    if not isinstance(play.state, SheetState):
        return True
    sheet = play.state.game.sheet
    return sheet.together is None and (shows_totals(sheet) or sheet.win != ("total",))


def check_verbs(game: Game) -> None:
    """Whatever is offered, the question under way has a method that answers it, and words for it."""
    play = engine.opened(game.play.rules, game.facts[0])
    for fact in game.facts[1:]:
        play = engine.fold(play, fact)
        ask = play.state.ask.standing(play.state)
        verbs, state, then = set(ask.verbs), play.state, ask
        while isinstance(then, Onward) and then.onward(state):  # and those of what follows
            state = then.beyond(state)
            then = state.ask
            verbs |= set(then.verbs)
        assert {offer.verb for offer in play.offers} <= verbs, type(ask).__name__


def check_replay(game: Game) -> None:
    """The facts alone lead to the same play."""
    assert same(engine.replay(game.play.rules, game.facts), game.play)


def check_undo(game: Game) -> None:
    """After every move: undo gives what was before the step, to the letter, and redo brings it back.

    Points that were fixed in the middle of it stay. At the end the same from step to step, to the start and up again.
    """
    play = engine.opened(game.play.rules, game.facts[0])
    began: list[Play] = []  # by step: the play before it
    for move in game.moves:
        before, play = play, reduce(engine.fold, move.facts, play)
        if move.facts:
            began = followed(before, move.facts[0].event, play, began)
        if (back := undone(play)) is None:
            assert all(alike(play, one, late=False) for one in began[: play.step])
            continue
        check_undone(play, back, began)
        if (again := redone(back)) is None:
            assert in_the_air(engine.without_trace(play)) and not fixed(play)
        else:
            check_redone(play, back, again, marks=whole(play, began))
    check_all_the_way(play, began)


def landings(play: Play, began: Sequence[Play]) -> list[Play]:
    """Where undo must lead: to the play before the step, and on from there by the points fixed in its middle."""
    play = engine.without_trace(play)
    step = play.step - 1
    ended = play.past is not None and isinstance(play.past.event, engine.Ended)
    while (in_the_air(began[step]) and not (fixed(play) or (ended and not lost(began[step])))) or (
        step < play.resumed and lost(began[step])
    ):
        step -= 1
    return with_fixes(began[step], events(play)[step + 1 :])


def with_fixes(play: Play, begun: Sequence[object]) -> list[Play]:
    """A play, and on from there those after each fix among these events."""
    plays = [play]
    for event in begun:
        if isinstance(event, Corrected):
            plays.append(engine.fold(plays[-1], Fact(plays[-1].step, 0, event)))
    return plays


def followed(before: Play, event: object, play: Play, began: Sequence[Play]) -> list[Play]:
    """By step the play before it, after one more event that led from one play to the next."""
    if isinstance(event, engine.Undone):
        return without_step(before, began)
    if isinstance(event, Corrected) and event.again:  # the race in which the game ended is gone, fixes in it stay
        step = before.step - 1
        while lost(began[step]):
            step -= 1
        return [*began[:step], *with_fixes(began[step], events(before)[step:])]
    if play.step > before.step:  # brought back with all that undo took along, it begins anew
        along = began[before.step + 1 :] if isinstance(event, engine.Redone) else ()
        return [*began[: before.step], before, *along]
    return list(began)


def whole(play: Play, began: Sequence[Play]) -> bool:
    """Whether no points were fixed in the middle of what undo takes: redo brings it back mark by mark."""
    taken = events(play)[landings(play, began)[0].step :]
    return not any(isinstance(event, Corrected) for event in taken[1:])


def without_step(play: Play, began: Sequence[Play]) -> list[Play]:
    """The plays before each step, once this play has been undone."""
    landed = landings(play, began)
    return list(began) if len(landed) == 1 else [*began[: landed[0].step], *landed[:-1]]


def check_undone(play: Play, back: Play, began: Sequence[Play]) -> None:
    """Undo goes back to where the step began: not a step too far, nor too few."""
    landed = landings(play, began)
    assert alike(back, landed[-1]), "undone"
    assert back.step == landed[-1].step
    assert not alike(back, play, late=False), "it left nothing to undo"
    assert not in_the_air(back) or fixed(play)


def check_redone(play: Play, back: Play, again: Play, *, marks: bool) -> None:
    """Redo brings back what undo took; with all its `marks`, but where points had been fixed in the middle."""
    assert alike(again, play), "redone"
    assert not marks or (again.step, again.part) == (play.step, play.part)
    assert not marks or same_chain(again.past, play.past), "its past"
    second = undone(again)
    assert second is not None and alike(second, back), "undone again"


def check_all_the_way(play: Play, began: Sequence[Play]) -> None:
    """Undo down to the start, redo up again: each play on the way up is the one of the way down."""
    down, wholes = [play], list[bool]()
    while (back := undone(down[-1])) is not None:
        check_undone(down[-1], back, began)
        wholes.append(whole(down[-1], began))
        began = without_step(down[-1], began)
        down.append(back)
    assert alike(down[-1], began[0] if began else play, late=False), "the start"
    at, marks = down.pop(), True
    while down and (again := redone(at)) is not None:
        marks = marks and wholes.pop()
        check_redone(down.pop(), at, again, marks=marks)
        at = again
    assert not down or in_the_air(engine.without_trace(down[-1])), "all the way up"


def undone(play: Play) -> Play | None:
    """One step back; None where there is none."""
    try:
        return reduce(engine.fold, engine.undo(play), play)
    except Refused:
        return None


def redone(play: Play) -> Play | None:
    """One step forth again; None where there is none."""
    try:
        return reduce(engine.fold, engine.redo(play), play)
    except Refused:
        return None


def fixed(play: Play) -> bool:
    """Whether undo takes back points fixed by hand; fixed in mid-race they are undone by themselves."""
    past = engine.without_trace(play).past
    return past is not None and isinstance(past.event, Corrected)


def alike(a: Play, b: Play, *, late: bool = True) -> bool:
    """Whether two plays are one to people and to programs, but for what has fallen due since."""
    if (a.state, a.ended, a.buttons) != (b.state, b.ended, b.buttons) or (late and a.late != b.late):
        return False
    return a.state is b.state or derived(a) == derived(b)


def derived(play: Play) -> tuple[object, ...]:
    """All that follows from where a play stands."""
    play = replace(play, lapsed_ns=0)
    return play.offers, play.board, play.scores, play.winners


def check_score(game: Game) -> None:
    """A second scorer, which knows the rules page and not the engine, comes to the same end; shipped games have one."""
    play = game.play
    if play.rules.name not in plain.SHIPPED:
        return
    board, removed = play.board, getattr(play.state, "removed", None)
    found = plain.SCORERS[play.rules.name](len(play.players), asdict(play.options), standing(game.moves))
    tokens = [{name: token[name] for name in other} for token, other in zip(board.tokens, found.tokens, strict=True)]
    assert found == (list(play.scores), list(play.winners), board.round, tokens, removed)


def in_the_air(play: Play) -> bool:
    """Whether the step under way still goes on."""
    return any(offer.joins and not offer.menu for offer in play.offers)


def lost(play: Play) -> bool:
    """Whether its question is not asked again after a new boot: it hung on stamps."""
    waiting = (offer for offer in play.offers if offer.verb != TIME_UP)
    return any((offer.race and not offer.fresh) or offer.due_ns is not None for offer in waiting)


def same(a: Play, b: Play) -> bool:
    """Whether two plays are equal."""
    bare = [replace(play, past=None, future=None) for play in (a, b)]
    return bare[0] == bare[1] and same_chain(a.past, b.past) and same_chain(a.future, b.future)


def same_chain(a: UndoMark | None, b: UndoMark | None) -> bool:
    """Whether two chains are equal, mark by mark: a long one is too deep to be compared at once."""
    while a is not None and b is not None and a is not b:
        if a[:-1] != b[:-1]:
            return False
        a, b = a.rest, b.rest
    return a is b


def main(arguments: Sequence[str] | None = None) -> None:
    """Play many games and print a table of them."""
    parser = argparse.ArgumentParser(
        prog="scripts/random play", description="Play whole games at random and check every step."
    )
    parser.add_argument(
        "--games", type=int, default=1000, metavar="N", help="number of games of each kind (default 1000)"
    )
    add_game(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first game (default 0)")
    asked = parser.parse_args(arguments)
    print(f"{'game':<22}{'players':>8}{'games':>8}{'rounds':>8}{'moves':>10}{'undos':>8}{'shared':>8}{'s':>8}")
    for name in names() if asked.game is None else (asked.game,):
        began_s = time.monotonic()
        played = [checked_game(name, seed) for seed in range(asked.seed, asked.seed + asked.games)]
        took_s = time.monotonic() - began_s
        for players in sorted({one.players for one in played}):
            print(row(name, str(players), [one for one in played if one.players == players]))
        print(row(name, "all", played) + f"{took_s:8.1f}", flush=True)


def row(name: str, players: str, played: Sequence[Played]) -> str:
    """A line of the table; `shared` counts the games with several winners."""
    sums: list[Any] = [sum(column) for column in zip(*played, strict=True)] or [0] * 5
    shared = sum(one.winners > 1 for one in played)
    return f"{name:<22}{players:>8}{len(played):>8}{sums[1]:>8}{sums[2]:>10}{sums[3]:>8}{shared:>8}"


if __name__ == "__main__":
    main()
