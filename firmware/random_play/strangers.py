"""Players that know no game: they answer whatever is offered, at random, so they play every game and every sheet."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from random import Random
from typing import Any, NamedTuple

from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play
from engine.rules import FINISH, RELEASE, Action, Board, Offer, Refused, Value
from engine.sheets.asking import ANYWAY, AskedNumbers, SheetEvent
from engine.sheets.flow import Counted, Failed
from engine.sheets.state import SheetState
from engine.stamps import MS
from firmware.random_play.answer_search import AnswerSearch

GAPS_NS = (0, 99_999, 2 * MS, 60 * MS, 1500 * MS)  # from dead heats to people
LEANS = (1, 4, 30)  # how strongly the numbers of a game lean to the lowest: small losses make long games
SHEET_LEANS = (1, 0.25, 4, 1, 0.1, 20)  # one after the other, so that any end is reached; below 1 to the highest
ERA, LONGER = 30, 1.2  # answers with the first of them, and how much longer the next one lasts
ERRORS_NS = (0, 100_000, 100_000, 10 * MS)
LATE_NS = 40 * MS  # a press is delivered so much later at most
LEVEL = 0.3  # games in which all enter the same numbers, as far as they may: there are ties to break
RARE = 0.03  # how often a hand is let go, a press taken back or the menu opened
FINISHES = 0.01  # how often an open sheet is finished
TRIES = 300  # answers that are changed in search of those with which a check holds
ALL_TRIES, FEW = 5000, 10  # of one check; how many there are each time after them
AIMS, AIMED = 400, 60  # rounds of a long game that make for the end; answers that are changed to bring it nearer
TWICE = 2  # so often a check fails before the table closes it anyway


class Stranger:
    """A player for all seats and the table. Where a check fails, single answers are changed until it holds."""

    def __init__(self, rules: Rules[Any, Any], dice: Random, *, lean: float | None = None, tries: int = TRIES) -> None:
        self.dice, self.tries = dice, tries
        self.level = lean is None and dice.random() < LEVEL
        self.lean = (LEANS[0] if self.level else dice.choice(LEANS)) if lean is None else lean
        self.said: tuple[str, Value] = ("", None)  # what was said last
        self.sheet = rules.event is SheetEvent
        self.era = self.first_era = dice.randrange(len(SHEET_LEANS)) if self.sheet else 0
        self.left = ERA
        self.aims = AIMS if lean is None else 0  # rounds in which it may still make for the end
        self.failed = 0  # how often checks have failed since the latest count
        self.wanted: dict[str, tuple[int, ...]] = {}  # by verb of what is asked again: the answers by seat
        self.search: AnswerSearch | None = None  # once a check has failed
        self.tried: Counter[int] = Counter()  # by check: in how many tries it was looked for

    def pick(self, offers: Iterable[Offer], now_ns: int, floor_ns: int = 0) -> Action:
        """Any of the offers with any value it takes; the clock's own answers come when they are due.

        No press is stamped before `floor_ns`.
        """
        dice = self.dice
        at_ns = now_ns + dice.randint(0, dice.choice(GAPS_NS))
        clock = [offer for offer in offers if offer.due_ns is not None]
        due = min(clock, key=lambda o: o.due_ns or 0) if clock else None
        ways_out = [offer.verb for offer in offers if offer.menu and offer.verb in (ANYWAY, FINISH)]
        if taken := next(filter(self.leaves, ways_out), None):
            return Action(None, taken, None, at_ns)
        rare, usual = list[Offer](), list[Offer]()
        for offer in offers:
            if offer.due_ns is None and not (offer.menu and offer.verb in ways_out):
                (rare if offer.menu or offer.hold or offer.verb == RELEASE else usual).append(offer)
        if rare and dice.random() < RARE:
            usual = rare
        waits = due is not None and dice.random() < RARE  # nobody does anything before the clock does
        if due is not None and due.due_ns is not None and (not usual or waits or due.due_ns <= at_ns):
            return Action(due.seat, due.verb, None, max(now_ns, due.due_ns))
        offer = dice.choice(usual or rare)
        if offer.race and dice.random() < 0.2:
            at_ns = max(floor_ns, at_ns - dice.randint(0, LATE_NS))
        return Action(offer.seat, offer.verb, self.value(offer), at_ns, dice.choice(ERRORS_NS))

    def leaves(self, verb: str) -> bool:
        """Whether the table counts what a check does not take, or finishes the game."""
        return self.failed >= TWICE if verb == ANYWAY else self.dice.random() < FINISHES

    def value(self, offer: Offer) -> Value:
        """Any value that an offer takes; at times what a plain OK means, or what another seat has just said."""
        if offer.low is not None and offer.high is not None:
            return self.number(offer, offer.low, offer.high)
        if offer.example is not None:
            return tuple(varied(one, self.dice) for one in offer.example)
        return self.dice.choice(offer.options) if offer.options else None

    def number(self, offer: Offer, low: int, high: int) -> int:
        """The same where it takes a number."""
        dice, (verb, said) = self.dice, self.said
        if offer.verb in self.wanted:
            return min(max(low, self.wanted[offer.verb][offer.seat or 0]), high)
        lean = SHEET_LEANS[self.era % len(SHEET_LEANS)] if self.sheet else self.lean
        level = self.level and (not self.sheet or lean == 1)
        if level and offer.verb == verb and isinstance(said, int):
            return min(max(low, said), high)
        if offer.says:
            lean = min(lean, 1)
        elif offer.prefill is not None and lean >= 1 and dice.random() < 0.3:
            return offer.prefill
        return low + offer.step * int(((high - low) // offer.step + 1) * dice.random() ** lean)

    def heard(self, play: Play, verb: str, value: Value, facts: Iterable[Fact]) -> None:
        """Take note of a move and what it has caused in this play."""
        self.said = (verb, value)
        if not self.sheet:
            return
        self.left -= 1
        if self.left < 0:
            self.era, self.left = self.era + 1, round(ERA * LONGER**self.era)
        state = play.state
        for fact in facts:
            if isinstance(fact.event, Counted):
                self.failed, self.wanted = 0, {}
            elif isinstance(fact.event, Failed):
                self.failed += 1
                self.look(state, fact.event)
            if isinstance(fact.event, SheetEvent):
                state = fact.event.fold(state)
        if self.era - self.first_era >= len(SHEET_LEANS) and self.aims > 0:
            self.aim(state)

    def look(self, state: SheetState, failed: Failed) -> None:
        """Look for answers with which the checks hold."""
        if failed.asks and not state.game.flow.boxes:
            tries = min(self.tries, max(FEW, ALL_TRIES - self.tried[failed.why]))
            found = self.search_in(state).search(state, failed.asks, tries)
            self.tried[failed.why] += found.tries + 1
            self.want(found.state, failed.asks)

    def aim(self, state: SheetState) -> None:
        """Make for the end: look for answers that bring it nearer, where a round or a turn begins."""
        ask = state.ask
        if isinstance(ask, AskedNumbers) and ask.at == 0 and not state.round.again and set(ask.numbers) == {None}:
            self.aims -= 1
            aimed = self.search_in(state).towards_the_end(state, AIMED)
            self.want(aimed, [at for at, _ in aimed.round.answers])

    def search_in(self, state: SheetState) -> AnswerSearch:
        """The search for answers to this sheet."""
        self.search = self.search or AnswerSearch(state.game.program, self.dice)
        return self.search

    def want(self, state: SheetState, asks: Iterable[int]) -> None:
        """Answer these asks as they are answered in this state."""
        answers = dict(state.round.answers)
        for at in asks:
            self.wanted[state.game.program.asks[at].id] = tuple([number or 0 for number in answers[at]])


def varied(example: Any, dice: Random) -> Any:
    """Something like the example: some of its numbers are others."""
    if isinstance(example, tuple):
        return tuple(varied(one, dice) for one in example)
    return example + dice.choice((-1, 1)) if isinstance(example, int) and dice.random() < 0.2 else example


def answered(play: Play, action: Action) -> tuple[Action, tuple[Fact, ...]]:
    """What an action causes; where the rules forbid what it holds, what the example causes that it was made from."""
    try:
        return action, plays.answer(play, action)
    except Refused:
        offer = next(offer for offer in play.offers if (offer.seat, offer.verb) == (action.seat, action.verb))
        if offer.example is None:
            raise
        action = action._replace(value=offer.example)
        return action, plays.answer(play, action)


class Move(NamedTuple):
    """A game before an answer, what the answer caused, and the game after it."""

    before: Play
    facts: tuple[Fact, ...]
    after: Play


def moves(
    rules: Rules[Any, Any], names: tuple[str, ...], seed: int, stranger: Stranger | None = None
) -> Iterator[Move]:
    """Every move of a game that is played at random until it is over; the same for the same seed."""
    now = plays.opened(rules, plays.start(rules, names, rules.options(), seed))
    stranger = stranger or Stranger(rules, Random(f"{rules.name} {seed}"))
    now_ns = floor_ns = 0
    while not now.over:
        action, facts = answered(now, stranger.pick(now.offers, now_ns, floor_ns))
        now_ns = max(now_ns, action.at_ns)
        floor_ns = now_ns if action.seat is None else floor_ns
        stranger.heard(now, action.verb, action.value, facts)
        before, now = now, reduce(plays.fold, facts, now)
        yield Move(before, facts, now)


def played(rules: Rules[Any, Any], names: tuple[str, ...], seed: int) -> Iterator[Board]:
    """Every board of a game that is played to its end at random; the same for the same seed."""
    yield plays.opened(rules, plays.start(rules, names, rules.options(), seed)).board
    for move in moves(rules, names, seed):
        yield move.after.board
