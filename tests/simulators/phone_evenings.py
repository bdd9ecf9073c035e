"""The same evening with and without phones: what it costs at the kit and on phones, and its longest chain.

An evening is played by the kit's own buttons, and what was answered is recorded. Then the same answers are given again,
by phones wherever they may, else at the kit. One tap is one touch of a phone: a digit, *Send*, an option. The chain is
what has to be done one after the other: where all enter a number at once, that of whoever has most to do.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from engine import games
from engine import play as plays
from engine.game import Corrected
from engine.play import Undone
from engine.rules import HANDS, RELEASE, Action
from firmware.table.playing import Key, Playing
from firmware.table.question import chosen
from tests.simulators import evenings
from tests.simulators.phone import Phone, let_in
from tests.simulators.presses import CountingRig

CONTROL = "control"
MOST = 600  # tenths of a second until the clock has answered
FEW = 13  # numbers that are a key each on the page


class Evening(NamedTuple):
    """A game that was played, and what it cost."""

    scores: tuple[int, ...]
    kit: int  # presses and steps at the kit
    taps: int  # on phones
    chain: int  # inputs that come one after the other


class Given(NamedTuple):
    """What was answered in one go; or an undo, a fix."""

    actions: tuple[Action, ...] = ()
    by_clock: bool = False
    fixed: Corrected | None = None
    undone: bool = False


class Watched(CountingRig):
    """A kit that remembers what was answered, and by how many inputs before each answer."""

    def __init__(self, state: Path, **more: Any) -> None:
        self.given: list[Given] = []
        self.chain = 0
        self._by: Counter[str] = Counter()  # since the last answer
        super().__init__(state, **more)

    def edge(self, name: str, *, down: bool) -> None:
        self._by[name] += down
        super().edge(name, down=down)

    def push(self, *, down: bool) -> None:
        self._by[CONTROL] += down
        super().push(down=down)

    def turn(self, steps: int) -> None:
        self._by[CONTROL] += abs(steps)
        super().turn(steps)

    def note(self, given: Given) -> None:
        """Something was answered: hands on buttons worked side by side, the control one after the other."""
        self.given.append(given)
        own = [n for name, n in self._by.items() if name != CONTROL]
        parallel = len(given.actions) > 1
        self.chain += self._by[CONTROL] + (max(own, default=0) if parallel else sum(own))
        self._by.clear()

    @property
    def inputs(self) -> int:
        return len(self.pushes) + len(self.steps)


def recorded(folder: Path, game: str, players: int) -> tuple[Evening, list[Given]]:
    """The evening at the kit alone."""
    rig = Watched(folder)
    answer, answer_all, take = Playing.answer, Playing.answer_all, Playing.take
    inside = []  # a `take` that is part of an answer is no undo

    def answered(self: Playing, action: Action) -> bool:
        due = next((o for o in self.play.offers if (o.seat, o.verb) == (action.seat, action.verb)), None)
        inside.append(1)
        done = answer(self, action)
        inside.pop()
        if done:
            rig.note(Given((action,), by_clock=due is not None and due.due_ns is not None))
        return done

    def answered_all(self: Playing, actions: list[Action]) -> str | None:
        inside.append(1)
        refused = answer_all(self, actions)
        inside.pop()
        if refused is None:
            rig.note(Given(tuple(actions)))
        return refused

    def taken(self: Playing, facts: tuple[plays.Fact, ...], answered: Iterable[Key] = ()) -> None:
        q, entry = self.question, self.entry
        take(self, facts, answered)
        if inside or not facts:
            return
        event = facts[-1].event
        if answered and q.control is not None:  # the next player's press confirmed a choice
            rig.note(Given((Action(q.control.seat, q.control.verb, chosen(q, entry)),)))
        elif isinstance(event, Corrected | Undone):
            rig.note(Given(fixed=event if isinstance(event, Corrected) else None, undone=isinstance(event, Undone)))

    Playing.answer, Playing.answer_all, Playing.take = answered, answered_all, taken  # type: ignore[method-assign]
    try:
        play = getattr(evenings, game)
        scores = play(rig, players=players) if "players" in signature(play).parameters else play(rig)
    finally:
        Playing.answer, Playing.answer_all, Playing.take = answer, answer_all, take  # type: ignore[method-assign]
    assert rig.playing.play.scores == scores
    found = Evening(scores, rig.inputs, 0, rig.chain)
    rig.close()
    return found, rig.given


class Answering(Protocol):
    """A phone: without a browser, or in one."""

    @property
    def me(self) -> dict[str, Any]: ...
    @property
    def asks(self) -> list[dict[str, Any]]: ...
    def send(self, id_: str, value: Any) -> str | None: ...
    def say(self, **message: Any) -> object: ...


class WithPhones:
    """The evening with some phones; one of them answers for the table, too."""

    def __init__(self, rig: Watched, phones: Sequence[Answering]) -> None:
        """The game has begun, and the phones have their seats."""
        self.rig, self.phones = rig, phones
        self.taps, self.chain = 0, rig.inputs
        self._last_ns: int | None = None  # when the answer before was given, at the kit alone

    def do(self, given: Given) -> None:
        """The same once more."""
        rig, before = self.rig, self.rig.inputs
        at_ns = given.actions[-1].at_ns if given.actions else None
        between_ns = 0 if at_ns is None or self._last_ns is None else at_ns - self._last_ns
        self._last_ns = at_ns
        if given.by_clock:
            self.wait()
        elif given.undone:
            self.undo()
        elif given.fixed is not None:
            self.fix(given.fixed)
        else:
            self.answer(given.actions, between_ns)
        self.chain += rig.inputs - before

    def wait(self) -> None:
        """The clock answers."""
        before = self.rig.playing.play
        for _ in range(MOST):
            if self.rig.playing.play is not before:
                return
            self.rig.after(100)
        raise AssertionError(f"the clock does not answer: {before.offers}")

    def undo(self) -> None:
        """By the phone whose answer it was; else at the kit."""
        own = next((phone for phone in self.phones if phone.me["own"]), None)
        if own is None:
            self.rig.undo()
        else:
            own.say(undo=True)
            self.taps += 1
            self.chain += 1

    def fix(self, fixed: Corrected) -> None:
        rig = self.rig
        rig.menu("Fix points").tap(f"P{fixed.seat + 1}").arrow(fixed.points).ok()

    def answer(self, actions: Sequence[Action], between_ns: int) -> None:
        taps: Counter[int] = Counter()  # by phone
        for action in actions:
            phone = self.who(action)
            if phone is None:
                self.at_the_kit(action, between_ns)
                continue
            found = next(ask for ask in phone.asks if (ask["seat"], ask["verb"]) == (action.seat, action.verb))
            value: Any = action.value
            assert phone.send(found["id"], value) == "", f"{action} was refused"
            few = "low" not in found or found["high"] - found["low"] < FEW
            taps[id(phone)] += 1 if few or found["prefill"] == value else 1 + len(str(value))
        self.taps += taps.total()
        self.chain += max(taps.values(), default=0)

    def who(self, action: Action) -> Answering | None:
        """The phone that is asked this."""
        for phone in self.phones:
            if any((ask["seat"], ask["verb"]) == (action.seat, action.verb) for ask in phone.asks):
                return phone
        return None

    def at_the_kit(self, action: Action, between_ns: int) -> None:
        """What is no question for a phone: hands on buttons, a race, or a seat that has none."""
        rig, play = self.rig, self.rig.playing.play
        if action.seat is not None and action.verb in (HANDS, RELEASE):
            button = rig.playing.seating.button(action.seat)
            if rig.app.table.is_down(button) is (action.verb == RELEASE):
                rig.after(between_ns / 1_000_000).move((button,), down=action.verb == HANDS)
            return
        offer = next(o for o in play.offers if (o.seat, o.verb) == (action.seat, action.verb))
        if action.seat is None:
            assert not offer.options and offer.low is None, f"nobody may answer {offer} at the kit"
            rig.ok()
            return
        button = rig.playing.seating.button(action.seat)
        if offer.race:
            for name in rig.playing.seating.buttons:  # the hands that were on the buttons at the signal
                if rig.app.table.is_down(name):
                    rig.up(name)
            rig.after(between_ns / 1_000_000).down(button).after(0).up(button)
        elif offer.hold:
            rig.hold(button)
        elif offer.low is not None:
            raise AssertionError(f"nobody enters {offer} at the kit")
        else:
            rig.tap(button)


def begun(rig: Watched, game: str, players: int) -> None:
    """Everybody joins, and the game begins."""
    rig.begin(games.rules(game).title, *(f"P{n + 1}" for n in range(players)))


def played(folder: Path, game: str, given: Sequence[Given], players: int, phones: int) -> Evening:
    """The evening with so many phones."""
    rig = Watched(folder)
    let_in(rig)
    held = [Phone(rig, *(f"P{n + 1}" for n in range(players) if n % phones == at)) for at in range(phones)]
    held[0].say(table=True)
    begun(rig, game, players)
    evening = WithPhones(rig, held)
    for one in given:
        if not rig.playing.play.over:
            evening.do(one)
    found = Evening(rig.playing.play.scores, rig.inputs, evening.taps, evening.chain)
    rig.close()
    return found
