"""What seats answer before their turn, where a game lets them: kept beside it, and given once they are asked."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import TypeAlias

from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Action, Refused, Seat
from firmware.journal.phones import KeptAnswer, without

Answers: TypeAlias = Mapping[Seat, tuple[KeptAnswer, ...]]  # by seat, each in its order
Key: TypeAlias = tuple[Seat | None, str]  # of an offer: its seat and verb
Asked: TypeAlias = tuple[str, int]  # the label of an offer, and the number of its question


class EarlyAnswers:
    """The early answers of one game, and what phones may answer early."""

    def __init__(self, answers: Iterable[KeptAnswer], numbers: Iterator[int]) -> None:
        """`numbers`: of the questions of this game, one after the other."""
        self.kept: dict[Seat, tuple[KeptAnswer, ...]] = {}  # by seat, the latest last
        self.later: dict[Seat, Play] = {}  # by seat that may answer early: the game as it asks that seat
        self.asked: dict[Key, Asked] = {}  # by offer to such a seat
        self._numbers = numbers
        self.keep(answers)

    def keep(self, answers: Iterable[KeptAnswer]) -> None:
        """Keep these, in their order."""
        for one in answers:
            self.kept[one.seat] = (*self.kept.pop(one.seat, ()), one)

    def drop_latest(self, seat: Seat) -> None:
        """The latest of a seat does not stand."""
        *left, _latest = self.kept.pop(seat)
        self.keep(left)

    def forget(self, words: Collection[str], play: Play) -> None:
        """These words are to be forgotten: answers with them do not stand any more."""
        left = without([one for answers in self.kept.values() for one in answers], words)
        self.kept = {}
        self.keep(one for one in left if isinstance(one, KeptAnswer))
        self.look_ahead(play)

    def look_ahead(self, play: Play, answered: Key | None = None) -> None:
        """Find out what seats may answer before their turn.

        `answered`: a question that gets a new number if it is asked again.
        """
        before, self.asked = self.asked, {}
        self.later = later(play, self.kept)
        for seat, then in self.later.items():
            for offer in then.offers:
                if offer.seat != seat:
                    continue
                key, label = (seat, offer.verb), then.rules.label(then.state, offer, None)
                was = before.get(key)
                stands = was is not None and was[0] == label and key != answered
                self.asked[key] = was if was is not None and stands else (label, next(self._numbers))

    def in_turn(self, play: Play, at_ns: int) -> tuple[Play, tuple[Fact, ...], str, list[tuple[Seat, str]]]:
        """Give what is kept for the seat that is asked now, then for the next one, and so on.

        Returns the game after that, the facts, the phone that had sent the latest of them, and each seat, with its
        phone, whose answers are dropped as they no longer fit.
        """
        facts, phone, dropped = tuple[Fact, ...](), "", list[tuple[Seat, str]]()
        while (seat := next((seat for seat in self.kept if asked(play, seat)), None)) is not None:
            answers = self.kept.pop(seat)
            play, more, fits = given(play, answers, at_ns)
            if more:
                facts, phone = facts + more, answers[-1].phone
            if not fits:
                dropped.append((seat, answers[-1].phone))
        for seat, answers in () if play.over else [*self.kept.items()]:
            if not stands(play, seat, answers):
                del self.kept[seat]
                dropped.append((seat, answers[-1].phone))
        return play, facts, phone, dropped


def asked(play: Play, seat: Seat) -> bool:
    """Whether it is this seat's turn, and seats after it need not wait for theirs."""
    return not play.ended and play.rules.ahead(play.state).get(seat) is play.state


def later(play: Play, kept: Answers) -> dict[Seat, Play]:
    """For each seat whose turn is still to come: the game as it asks that seat, after all answers that are kept."""
    if play.ended:
        return {}
    seats = [seat for seat, state in play.rules.ahead(play.state).items() if state is not play.state]
    found = {seat: _as_asked(play, seat, kept) for seat in seats}
    return {seat: then for seat, then in found.items() if asked(then, seat)}


def steps(play: Play, seat: Seat, kept: Answers) -> Iterator[tuple[Play, KeptAnswer]]:
    """What is kept for a seat, each with the game as it asks that."""
    then = _asking(play, seat)
    for one in kept.get(seat, ()):
        facts, _ = _answer(then, one, play.lapsed_ns)
        if facts:
            yield then, one
        then = reduce(plays.fold, facts, then)


def given(play: Play, answers: tuple[KeptAnswer, ...], at_ns: int) -> tuple[Play, tuple[Fact, ...], bool]:
    """The game after what was kept for the seat that is asked now, the facts, each answer a step, and whether all fits.

    An answer to what is no longer asked is left out, such as which fancier when there is none to choose from. After an
    answer that is refused no further one is given.
    """
    facts: tuple[Fact, ...] = ()
    for one in answers:
        more, fits = _answer(play, one, at_ns)
        if not fits:
            return play, facts, False
        facts += more
        play = reduce(plays.fold, more, play)
    return play, facts, bool(facts)


def stands(play: Play, seat: Seat, answers: tuple[KeptAnswer, ...]) -> bool:
    """Whether what is kept for a seat whose turn has not come still fits."""
    early = seat in play.rules.ahead(play.state)
    return early and given(_asking(play, seat), answers, play.lapsed_ns)[2]


def fits(play: Play, one: KeptAnswer) -> bool:
    """Whether this answers what the game asks that seat."""
    return bool(_answer(play, one, play.lapsed_ns)[0])


def _answer(play: Play, one: KeptAnswer, at_ns: int) -> tuple[tuple[Fact, ...], bool]:
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


def _after(play: Play, answers: tuple[KeptAnswer, ...]) -> Play:
    return given(play, answers, play.lapsed_ns)[0]
