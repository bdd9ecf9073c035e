"""What seats answer before their turn, where a game lets them: kept beside it, and given once they are asked. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import TypeAlias

from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Action, Refused, Seat
from firmware.journal.phones import Kept

Answers: TypeAlias = Mapping[Seat, tuple[Kept, ...]]  # by seat, each in its order


def asked(play: Play, seat: Seat) -> bool:
    """Whether it is this seat's turn, and seats after it need not wait for theirs."""
    return not play.ended and play.rules.ahead(play.state).get(seat) is play.state


def later(play: Play, kept: Answers) -> dict[Seat, Play]:
    """By seat that is still asked in its turn: the game as it asks that seat, after all that is kept."""
    if play.ended:
        return {}
    seats = [seat for seat, state in play.rules.ahead(play.state).items() if state is not play.state]
    found = {seat: _as_asked(play, seat, kept) for seat in seats}
    return {seat: then for seat, then in found.items() if asked(then, seat)}


def steps(play: Play, seat: Seat, kept: Answers) -> Iterator[tuple[Play, Kept]]:
    """What is kept for a seat, each with the game as it asks that."""
    then = _asking(play, seat)
    for one in kept.get(seat, ()):
        facts, _ = _answer(then, one, play.lapsed_ns)
        if facts:
            yield then, one
        then = reduce(plays.fold, facts, then)


def given(play: Play, answers: tuple[Kept, ...], at_ns: int) -> tuple[tuple[Fact, ...], bool]:
    """The facts of what was kept for the seat that is asked now, each answer a step, and whether all of it fits.

    What is not asked any more is left out, as which of no fanciers. After an answer that is refused none is given.
    """
    facts: tuple[Fact, ...] = ()
    for one in answers:
        more, fits = _answer(play, one, at_ns)
        if not fits:
            return facts, False
        facts += more
        play = reduce(plays.fold, more, play)
    return facts, bool(facts)


def stands(play: Play, seat: Seat, answers: tuple[Kept, ...]) -> bool:
    """Whether what is kept for a seat whose turn has not come still fits."""
    early = seat in play.rules.ahead(play.state)
    return early and given(_asking(play, seat), answers, play.lapsed_ns)[1]


def fits(play: Play, one: Kept) -> bool:
    """Whether this answers what the game asks that seat."""
    return bool(_answer(play, one, play.lapsed_ns)[0])


def _answer(play: Play, one: Kept, at_ns: int) -> tuple[tuple[Fact, ...], bool]:
    """The facts of an answer, none where it is not asked; False: it is asked, and refused."""
    offer = next((offer for offer in play.offers if (offer.seat, offer.verb) == (one.seat, one.verb)), None)
    if offer is None:
        return (), True
    try:
        if offer.letters and isinstance(one.value, str):
            return plays.entered(play, one.seat, one.verb, one.value, at_ns), True
        return plays.answer(play, Action(one.seat, one.verb, one.value, at_ns)), True
    except Refused:
        return (), False


def _asking(play: Play, seat: Seat) -> Play:
    """The game as it would ask this seat now."""
    return replace(play, state=play.rules.ahead(play.state)[seat])


def _as_asked(play: Play, seat: Seat, kept: Answers) -> Play:
    """The game as it asks a seat after what is kept for it, as if it had what is kept for the others."""
    now = play.state.ask
    for other in kept:
        if other != seat and other in play.rules.ahead(play.state):
            then = _after(_asking(play, other), kept[other])
            play = replace(play, state=then.state.asking(now))
    return _after(_asking(play, seat), kept.get(seat, ()))


def _after(play: Play, answers: tuple[Kept, ...]) -> Play:
    return reduce(plays.fold, given(play, answers, play.lapsed_ns)[0], play)
