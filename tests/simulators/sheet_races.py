"""Races of score sheets, judged by the engine as at the table: how often somebody is placed wrongly."""

from collections import Counter
from functools import reduce
from random import Random
from typing import Any

from engine import play as plays
from engine.game import NoOptions, Rules, known
from engine.play import Play
from engine.rules import GO, Action, Seat
from engine.sheets.races import Placed
from engine.sheets.reading import read
from engine.sheets.rules import rules
from tests.simulators.contact import MS
from tests.simulators.fairness import BAND_NS, NEVER_NS, Tap, tap

KINDS = ("first", "last", "order", "signal")
JUMPS = 0.1  # rounds of a race with a signal in which somebody presses before it


def of_kind(kind: str) -> Rules[Any, Any]:
    """A sheet with such a race."""
    return rules("sheet:race", read(f'title = "Race"\nplayers = [2, 6]\nrounds = 9\nrace = {{ kind = "{kind}" }}\n'))


def races(kind: str, players: int, rounds: int, seed: int) -> Counter[str]:
    """What became of so many races; true gaps under the band are no mistakes."""
    game, dice, tally = of_kind(kind), Random(f"{seed}:{players}:{kind}"), Counter[str]()
    for _ in range(rounds):
        taps = [tap(dice) for _ in range(players)]
        jumper = dice.randrange(players) if kind == "signal" and dice.random() < JUMPS else None
        placed = judged(game, taps, jumper, tally)
        runners = sorted((seat for seat in range(players) if seat != jumper), key=lambda seat: taps[seat].contacts[0])
        tally["rounds"] += 1
        tally["wrong_jump"] += jumper is not None and placed[jumper] != 0
        tally["wrong_first"] += wrong(taps, runners, placed, 1)
        if kind != "first":
            tally["wrong_last"] += wrong(taps, runners[::-1], placed, max(placed))
    return tally


def wrong(taps: list[Tap], order: list[Seat], placed: tuple[int, ...], place: int) -> bool:
    """Whether one seat has this place alone that another should have, by more than the band. `order`: from there on."""
    named = [seat for seat in order if placed[seat] == place]
    return len(named) == 1 and abs(taps[named[0]].contacts[0] - taps[order[0]].contacts[0]) >= BAND_NS


def judged(game: Rules[Any, Any], taps: list[Tap], jumper: Seat | None, tally: Counter[str]) -> tuple[int, ...]:
    """The places of one race; all that the table is asked about share a place."""
    play = plays.opened(game, plays.start(game, tuple("ABCDEF"[: len(taps)]), NoOptions(), 1))
    go_ns, found = 1000 * MS, list[tuple[int, ...]]()

    def say(play: Play, action: Action) -> Play:
        facts = plays.answer(play, action)
        found.extend(fact.event.places for fact in facts if isinstance(fact.event, Placed))
        return reduce(plays.fold, facts, play)

    if any(offer.verb == "start" for offer in play.offers):
        play = say(play, Action(None, "start"))
        go_ns = play.due_ns or 0
        if jumper is not None:
            play = say(play, Action(jumper, "press", None, go_ns - 20 * MS))
        if not found:
            play = say(play, Action(None, GO, None, go_ns))
    for stamp_ns, seat in sorted((one.stamps[0], seat) for seat, one in enumerate(taps)):
        while (due := plays.due_by(play, go_ns + stamp_ns)) is not None:
            play = say(play, due)
        if not found and any((offer.seat, offer.verb) == (seat, "press") for offer in play.offers):
            play = say(play, Action(seat, "press", None, go_ns + stamp_ns, BAND_NS))
    while not found:
        asked = next((offer.verb for offer in play.offers if offer.verb in ("first", "last")), None)
        if asked is not None:
            tally[f"level_{asked}"] += 1
            play = say(play, Action(None, asked, "all", play.heard_ns))
        else:
            play = say(play, known(plays.due_by(play, NEVER_NS)))
    return found[0]
