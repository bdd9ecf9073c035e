"""The same evening with and without phones: what it costs at the kit and on phones, and its longest chain.

An evening is played by the kit's own buttons, and what was answered is recorded. Then the same answers are given again,
by phones wherever they may, else at the kit. One tap is one touch of a phone: a digit, *Send*, an option. The chain is
what has to be done one after the other: where all enter a number at once, that of whoever has most to do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from unittest.mock import patch

from engine import games
from engine import play as plays
from engine.game import Corrected
from engine.play import Undone
from engine.rules import FINISH, HANDS, RELEASE, Action, Offer, Value
from firmware.table.back_menu import entry as entry_text
from firmware.table.early_answers import Key
from firmware.table.playing import Playing
from firmware.table.question import chosen, shown
from firmware.translation import LazyText
from hardware.config import TABLE, KitConfig, kit
from tests.simulators import evenings
from tests.simulators.phone import Phone, let_in
from tests.simulators.press_count import CountingRig
from tests.simulators.rig import MS, Rig

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
    """What was answered in one go; or a hand on a button in a race, an undo, a fix."""

    at_ns: int  # when it was
    step: int  # of the game, after it
    actions: tuple[Action, ...] = ()
    by_clock: bool = False
    by_hands: bool = False  # what hands on the buttons do, which are given, too
    hand: tuple[str, bool] | None = None  # a button, and whether it goes down
    fixed: Corrected | None = None
    undone: bool = False


class Watched(CountingRig):
    """A kit that remembers what was answered, and by how many inputs before each answer."""

    def __init__(self, state: Path, *, order: Sequence[str] = (), **more: Any) -> None:
        """`order`: the buttons by seat, where whoever plays calls them P1, P2, P3 in the order of play."""
        self._order = tuple(order)
        self._first = 0  # the place of the button that begins, among those that play
        self.given: list[Given] = []
        self.chain = 0
        self._by: Counter[str] = Counter()  # since the last answer
        self._hands = set[str]()  # that are on buttons since they were in a race
        super().__init__(state, **more)

    def button(self, name: str) -> str:
        return self._order[int(name[1:]) - 1] if self._order and name != "ok" else name

    def move(self, names: tuple[str, ...], *, down: bool) -> Rig:
        return super().move(tuple(map(self.button, names)), down=down)

    def who_begins(self, first: int) -> None:
        """In the next game this button begins, by its place among those that play."""
        self._first = first

    def joined(self) -> None:
        if self._first:
            self.choose("Who begins?").arrow(-1 - self._first).ok(2)

    def edge(self, name: str, *, down: bool) -> None:
        self._by[name] += down
        game = self.app.table.game
        if down and game is not None and (game.question.racing or game.question.hands):
            self._hands.add(name)
        if name in self._hands:
            self.given.append(Given(self.now_ns, 0, hand=(name, down)))
        if not down:
            self._hands.discard(name)
        super().edge(name, down=down)

    def push(self, *, down: bool) -> None:
        self._by[CONTROL] += down
        super().push(down=down)

    def turn(self, steps: int) -> None:
        self._by[CONTROL] += abs(steps)
        super().turn(steps)

    def note(self, *actions: Action, **how: Any) -> None:
        """Something was answered: hands on buttons worked side by side, the control one after the other."""
        self.given.append(Given(self.now_ns, self.playing.play.step, actions, **how))
        own = [n for name, n in self._by.items() if name != CONTROL]
        parallel = len(actions) > 1
        self.chain += self._by[CONTROL] + (max(own, default=0) if parallel else sum(own))
        self._by.clear()

    @property
    def inputs(self) -> int:
        return len(self.pushes) + len(self.steps)


def kit_for(players: int) -> KitConfig:
    """A kit with a button for everybody."""
    return TABLE if players <= len(TABLE.players) else kit("party")


def in_order(players: int, first: int) -> tuple[str, ...]:
    """The buttons in the order of play, where the one at this place begins."""
    return tuple(f"P{(first + n) % players + 1}" for n in range(players))


def recorded(
    folder: Path, game: str, players: int, look: Callable[[Watched], None] = lambda rig: None, *, first: int = 0
) -> tuple[Evening, list[Given]]:
    """The evening at the kit alone. `look` is called with the kit when the game is over; `first`: as in `in_order`."""
    rig = Watched(folder, config=kit_for(players), order=in_order(players, first))
    rig.who_begins(first)
    answer, answer_all, take = Playing.answer, Playing.answer_all, Playing.take
    inside = []  # a `take` that is part of an answer is no undo

    def answered(self: Playing, action: Action, by: str = "") -> bool:
        due = next((o for o in self.play.offers if (o.seat, o.verb) == (action.seat, action.verb)), None)
        inside.append(1)
        done = answer(self, action, by)
        inside.pop()
        if done:
            by_hands = action.verb in (HANDS, RELEASE) or (due is not None and due.race and due.seat is not None)
            rig.note(action, by_clock=due is not None and due.due_ns is not None, by_hands=by_hands)
        return done

    def answered_all(self: Playing, actions: list[Action], by: str = "") -> LazyText | None:
        inside.append(1)
        refused = answer_all(self, actions, by)
        inside.pop()
        if refused is None:
            rig.note(*actions)
        return refused

    def taken(self: Playing, facts: tuple[plays.Fact, ...], answered: Iterable[Key] = (), by: str = "") -> None:
        q, entry = self.question, self.entry
        take(self, facts, answered, by)
        if inside or not facts:
            return
        event = facts[-1].event
        if answered and q.control is not None:  # the next player's press confirmed a choice
            rig.note(Action(q.control.seat, q.control.verb, chosen(q, entry)))
        elif isinstance(event, Corrected | Undone):
            rig.note(fixed=event if isinstance(event, Corrected) else None, undone=isinstance(event, Undone))

    with patch.multiple(Playing, answer=answered, answer_all=answered_all, take=taken):
        play = getattr(evenings, game)
        scores = play(rig, players=players) if "players" in signature(play).parameters else play(rig)
    assert rig.playing.play.scores == scores
    found = Evening(scores, rig.inputs, 0, rig.chain)
    look(rig)
    rig.close()
    return found, rig.given


class Answering(Protocol):
    """A phone: without a browser, or in one."""

    @property
    def me(self) -> dict[str, Any]: ...
    @property
    def asks(self) -> list[dict[str, Any]]: ...
    def send(self, id_: str, value: Any, *, then: str | None = None) -> str | None: ...
    def say(self, **message: Any) -> object: ...


class WithPhones:
    """The evening with some phones; one of them answers for the table, too."""

    def __init__(self, rig: Watched, phones: Sequence[Answering]) -> None:
        """The game has begun, and the phones have their seats."""
        self.rig, self.phones = rig, phones
        self.taps, self.chain = 0, rig.inputs
        self.later_ns: int | None = None  # than at the kit alone, so far
        self.word = ""  # the letters of a name that is typed, until it is whole
        self.fewer = 0  # steps than at the kit alone, where a name has one for each letter

    def do(self, given: Given, after: Given | None) -> bool:
        """The same once more, in a race to the nanosecond. Whether its last tap answered what comes `after`, too."""
        rig, before, both = self.rig, self.rig.inputs, False
        late_ns = self.come_to(given)
        if given.hand is not None:
            name, down = given.hand
            rig.move((name,), down=down)
        elif given.by_clock:
            self.wait(given.step - self.fewer)
            self.later_ns = max(late_ns, rig.now_ns - given.at_ns)
        elif given.undone:
            self.undo()
        elif given.fixed is not None:
            self.fix(given.fixed)
        elif not given.by_hands:
            both = self.answer(given.actions, after)
        self.chain += rig.inputs - before
        return both

    def come_to(self, given: Given) -> int:
        """Let time pass until it is due. Returns how much later that is than at the kit alone."""
        rig = self.rig
        late_ns = rig.now_ns - given.at_ns if self.later_ns is None else self.later_ns
        early_ns = given.at_ns + late_ns - rig.now_ns
        if early_ns > 0:
            rig.after(early_ns / MS)
        self.later_ns = late_ns + max(0, -early_ns)
        return self.later_ns

    def play(self, given: Iterable[Given]) -> Evening:
        """All of it, to the end."""
        both = False
        for one, after in pairwise((*given, None)):
            over = both or self.rig.playing.play.over
            both = not over and one is not None and self.do(one, after)
        return Evening(self.rig.playing.play.scores, self.rig.inputs, self.taps, self.chain)

    def wait(self, step: int) -> None:
        """The clock answers."""
        for _ in range(MOST):
            if self.rig.playing.play.step == step:
                return
            self.rig.after(100)
        raise AssertionError(f"the clock does not answer: {self.rig.playing.play.offers}")

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
        rig.menu("Fix points").tap(rig.playing.seating.button(fixed.seat)).arrow(fixed.points).ok()

    def answer(self, actions: Sequence[Action], after: Given | None) -> bool:
        """Whether the same tap answered what comes `after`, too."""
        taps: Counter[int] = Counter()  # by phone
        before, then = self.rig.playing.play, None
        for action in actions:
            phone = self.who(action)
            if phone is None:
                self.at_the_kit(action)
                continue
            found = next(ask for ask in phone.asks if (ask["seat"], ask["verb"]) == (action.seat, action.verb))
            value: Any = action.value
            if "letters" in found:
                if not self.spelled(found, value):
                    return False
                value, self.word = self.word or None, ""
            then = next((ask["id"] for ask in phone.asks if after is not None and follows(found, ask, after)), None)
            assert phone.send(found["id"], value, then=then) == "", f"{action} was refused"
            few = value is None if "letters" in found else "low" not in found or found["high"] - found["low"] < FEW
            taps[id(phone)] += 1 if few or found.get("prefill", "") == value else 1 + len(str(value))
        if self.rig.playing.play is before:  # numbers, and some seats have no phone
            self.rig.ok()
        self.taps += taps.total()
        self.chain += max(taps.values(), default=0)
        return then is not None

    def spelled(self, ask: dict[str, Any], option: Any) -> bool:
        """The next letter of a name, or its end. Whether it is whole."""
        ends = option in ("no", "done")
        self.word += "" if ends else option
        whole = ends or len(self.word) == ask["letters"]
        self.fewer += 0 if whole else 1
        return whole

    def who(self, action: Action) -> Answering | None:
        """The phone that is asked this."""
        for phone in self.phones:
            if any((ask["seat"], ask["verb"]) == (action.seat, action.verb) for ask in phone.asks):
                return phone
        return None

    def at_the_kit(self, action: Action) -> None:
        """What is no question for a phone, or for a seat that has none."""
        rig, game = self.rig, self.rig.playing
        q, entry = game.question, game.entry
        offer = next(o for o in game.play.offers if (o.seat, o.verb) == (action.seat, action.verb))
        button = "ok" if offer.seat is None else game.seating.button(offer.seat)
        if offer == q.control and offer.options == ("yes", "no"):
            (rig.yes if action.value == "yes" else rig.no)()
        elif offer == q.control and offer.options:
            rig.arrow(entry.values.get(None, 0) - offer.options.index(action.value)).ok()
        elif offer == q.control:
            rig.arrow(number(action.value) - number(chosen(q, entry))).ok()
        elif offer.seat in q.count:
            self.enter(button, offer, number(action.value))
        elif offer.menu:
            rig.menu(entry_text(game.play, offer, game.names))
            if offer.verb == FINISH:
                rig.ok()
            if offer.low is not None:
                rig.arrow(number(action.value) - (offer.low if offer.prefill is None else offer.prefill)).ok()
        else:
            (rig.hold if offer.hold else rig.tap)(button)

    def enter(self, button: str, offer: Offer, value: int) -> None:
        """A number at the kit, where another one is shown."""
        rig, game = self.rig, self.rig.playing
        assert offer.seat is not None and offer.low is not None
        if value == shown(game.question, game.entry, offer.seat):
            return
        rig.number(button, value)


def follows(held: dict[str, Any], ask: dict[str, Any], after: Given) -> bool:
    """Whether this is the press that one tap answers together with what is held for, and is answered next."""
    pressed = [(action.seat, action.verb) for action in after.actions] == [(held["seat"], held["then"])]
    return pressed and (ask["seat"], ask["verb"]) == (held["seat"], held["then"])


def number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def begun(rig: Watched, game: str, players: int, first: int = 0) -> None:
    """Everybody joins, and the game begins. `first`: as in `in_order`."""
    rig.who_begins(first)
    rig.begin(games.rules(game).title, *(f"P{n + 1}" for n in range(players)))


def played(
    folder: Path,
    game: str,
    given: Sequence[Given],
    players: int,
    phones: int,
    people: Callable[[Watched, Sequence[Phone]], WithPhones] = WithPhones,
) -> Evening:
    """The evening with so many phones. `people`: who use them."""
    rig = Watched(folder, config=kit_for(players))
    let_in(rig)
    held = [Phone(rig, *(f"P{n + 1}" for n in range(players) if n % phones == at)) for at in range(phones)]
    held[0].say(table=True)
    begun(rig, game, players)
    found = people(rig, held).play(given)
    rig.close()
    return found
