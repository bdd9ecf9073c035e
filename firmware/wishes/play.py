"""Wishes of the game on the table: a step back or forth, points, an earlier round, the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from typing import Annotated, ClassVar

from msgspec import Meta

from engine import play as plays
from engine.play import Fact, Play
from engine.words import N_
from firmware.table import question
from firmware.translation import L_, LazyText, Words, _, translated
from firmware.wishes.wish import Decision, Done, Number, Situation, Was, Wish

AtSeat = Annotated[int, Meta(ge=0, le=99)]
Verb = Annotated[str, Meta(max_length=40)]
Entered = tuple[AtSeat | None, Verb, Annotated[int, Meta(ge=-(2**53), le=2**53)]]


class OfTheGame(Wish, frozen=True, kw_only=True):
    """Something that is to be changed in the game on the table."""

    gone: ClassVar[str] = N_("No game is on.")

    game: Number = 0

    def facts(self, play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
        """What it does to a game. Raises the engine's `Refused`: nothing changes."""
        raise NotImplementedError

    def before(self, known: Situation) -> Was | None:
        return (known.game.mark,)

    def now(self, known: Situation) -> str | LazyText:
        return "" if self.before(known) == (known.game.mark,) else super().now(known)

    def decide(self, known: Situation) -> Decision:
        self.facts(known.game.play)
        return self

    def do(self, known: Situation) -> Done:
        game = known.game
        game.take(self.facts(game.play, known.now_ns))
        return Done()


class Undo(OfTheGame, frozen=True, tag="undo"):
    """A step back."""

    title: ClassVar[str] = N_("UNDO?")

    def facts(self, play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
        return plays.undo(play, at_ns)

    def line(self, known: Situation) -> Words:
        step = partial(undone, known.game.play, known.game.names)
        whole, event = LazyText(lambda: " ".join(step())), LazyText(lambda: step()[-1])
        if not back_to(known.game.play):
            return whole, event
        before = LazyText(partial(back_to, known.game.play))
        return L_("{event}, back to: {question}", event=whole, question=before), whole, event


class Redo(OfTheGame, frozen=True, tag="redo"):
    """The step that was undone last, once more."""

    title: ClassVar[str] = N_("REDO?")

    def facts(self, play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
        return plays.redo(play, at_ns)

    def line(self, known: Situation) -> Words:
        return LazyText(partial(redone, known.game.play))


class EndGame(OfTheGame, frozen=True, tag="end"):
    """The end, now."""

    title: ClassVar[str] = N_("END THE GAME?")

    def facts(self, play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
        return plays.end(play, at_ns)


class Fix(OfTheGame, frozen=True, tag="fix"):
    """Points by hand."""

    seat: AtSeat
    points: Annotated[int, Meta(ge=-plays.MAX_POINTS, le=plays.MAX_POINTS)]

    def facts(self, play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
        return plays.fix(play, self.seat, self.points, at_ns)

    def before(self, known: Situation) -> Was | None:
        return known.game.play.scores[self.seat : self.seat + 1] or None

    def headline(self, known: Situation) -> Words:
        names = dict.fromkeys((known.game.names[self.seat], known.game.play.players[self.seat]))
        return tuple(L_("{name} {points:+}?", name=name, points=self.points) for name in names)

    def line(self, known: Situation) -> Words:
        score = known.game.play.scores[self.seat]
        return L_("{score} becomes {total}", score=score, total=score + self.points)


class Amend(OfTheGame, frozen=True, tag="amend"):
    """Numbers of an earlier round put right."""

    title: ClassVar[str] = N_("ROUND?")

    round: Number  # a row of the table of rounds, from 1; 0: what was asked at the end
    numbers: Annotated[tuple[Entered, ...], Meta(max_length=64)]  # each with its seat (None: the table) and verb

    def facts(self, play: Play, at_ns: int = 0) -> tuple[Fact, ...]:
        return plays.amend(play, self.round, self.numbers, at_ns)

    def before(self, known: Situation) -> Was | None:
        """Numbers that nobody has entered are passed over: why they cannot be put right the rules say."""
        rules, state = known.game.play.rules, known.game.play.state
        rows = () if rules.entered is None else rules.entered(state, self.round)
        entered = {(one.seat, one.verb): one.number for one in rows}
        was = (*(self.was or ()), *(None for _ in self.numbers))
        return tuple(entered.get(one[:2], before) for one, before in zip(self.numbers, was, strict=False))

    def decide(self, known: Situation) -> Decision:
        """All rounds are reckoned anew only once it is done: that is much work late in a long game."""
        plays.may_amend(known.game.play, self.round, self.numbers)
        return self

    def ready(self, known: Situation) -> bool:
        return plays.amend_soon(known.game.play, self.round, self.numbers)

    def line(self, known: Situation) -> Words:
        return (L_("Put round {number} right", number=self.round) if self.round else L_("Put the end right"),)


def undone(play: Play, names: Sequence[str]) -> tuple[str, ...]:
    """The step that undo would take back, in a few words: the points that it moved, and its event. `names`: by seat."""
    play = plays.without_trace(play)
    if play.past is None:
        return (_("nothing"),)
    before = play.rules.scores(play.past.state)
    moved = [f"{name} {now - was:+}" for name, was, now in zip(names, before, play.scores, strict=True) if now != was]
    event = translated(play.past.event.label)
    return (" ".join(moved), event) if moved else (event,)


def back_to(play: Play) -> str:
    """The question that undo would lead back to, in words; empty where there is none."""
    if plays.without_trace(play).past is None:
        return ""
    before = reduce(plays.fold, plays.undo(play, play.lapsed_ns), play)
    first = question.of(before.offers).first
    return "" if first is None else translated(before.rules.label(before.state, first, None))


def redone(play: Play) -> str:
    """The step that redo would bring back; empty where there is none."""
    return "" if play.future is None else translated(play.future.event.label)
