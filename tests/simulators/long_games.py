"""Games that go on for long, at random: what a press or a message costs late in one, beside early in it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial, reduce
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play
from engine.rules import FINISH, GO, Action, Offer
from engine.sheets.state import SheetState, up_to
from firmware.output import public
from firmware.panel.server import Panel
from firmware.random_play.strangers import Stranger
from firmware.table.past_games import Call
from firmware.table.playing import Playing
from firmware.wishes.asker import PAGE, Asker
from firmware.wishes.games import ChangeSeats, Sit
from firmware.wishes.people import Rename
from firmware.wishes.play import Amend, EndGame, Fix, Redo, Undo
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import Answer, Denied
from tests.simulators.every_game import without_end
from tests.simulators.phone import Phone, as_wish, let_in
from tests.simulators.rig import Rig

START_NS = 1000 * 10**9
PAUSE_NS = 10**7  # between two answers
MOST, SEEDS = 30_000, 8  # answers; games that are tried
LEFT = 30  # answers to the end of a game that has one


class Lasting(Stranger):
    """A player for all seats who makes games last: most numbers are the lowest, and nobody finishes or jumps."""

    def __init__(self, rules: Rules[Any, Any], dice: Random) -> None:
        super().__init__(rules, dice, lean=30)

    def pick(self, offers: Iterable[Offer], now_ns: int, floor_ns: int = 0) -> Action:
        some = [offer for offer in offers if offer.verb != FINISH]
        signal = next((offer for offer in some if offer.verb == GO), None)
        if signal is not None and signal.due_ns is not None:
            return Action(None, GO, None, max(now_ns, signal.due_ns))
        return super().pick(some, now_ns, floor_ns)


class Long(NamedTuple):
    """A game so far: its facts and what they lead to."""

    rules: Rules[Any, Any]
    facts: tuple[Fact, ...]
    play: Play
    now_ns: int


@cache
def long(name: str, rounds: int) -> Long:
    """A game of so many rounds, or the one of a few that has come nearest to them."""
    found = list[Long]()
    for seed in range(1, SEEDS + 1):
        found.append(_long(name, rounds, seed))
        if length(found[-1].play) >= rounds:
            break
    return max(found, key=lambda one: (length(one.play), one.play.step))


def _long(name: str, rounds: int, seed: int) -> Long:
    rules = without_end(name)
    players = max(rules.seats[0], min(4, rules.seats[1]))
    player = Lasting(rules, Random(f"{name} {seed}"))
    first = plays.start(rules, tuple([f"P{n + 1}" for n in range(players)]), rules.options(), seed, START_NS)
    play, facts, now_ns = plays.opened(rules, first, "boot-1"), [first], START_NS
    before = [(play, 1, now_ns)]
    while not play.over and length(play) < rounds and len(before) < MOST:
        action = player.pick(play.offers, now_ns, now_ns)
        now_ns = max(now_ns, action.at_ns) + PAUSE_NS
        new = plays.answer(play, action)
        player.heard(play, action.verb, action.value, new)
        play = reduce(plays.fold, new, play)
        facts += new
        before.append((play, len(facts), now_ns))
    if play.over:
        play, many, now_ns = before[max(0, len(before) - LEFT)]
        facts = facts[:many]
    return Long(rules, tuple(facts), play, now_ns)


def length(play: Play) -> int:
    """How many rounds are played; where anybody may answer at any time, how many answers."""
    state = play.state
    if isinstance(state, SheetState) and state.game.flow.a_row_each:
        return len(up_to(state.done))
    return play.board.round - 1


def rounds_played(play: Play) -> float:
    """As `length`; the turns of the round under way are a part of one."""
    state, under_way = play.state, 0.0
    if isinstance(state, SheetState) and state.game.flow.turns:
        under_way = len(state.round.had) / len(play.players)
    return length(play) + under_way


class LongTable:
    """A rig on which a long game is on, with a page, a board, a phone of P1 and one for the table."""

    def __init__(self, folder: Path, game: Long, *, again: bool = False) -> None:
        """`again`: the kit was switched off and on, and the game was gone on with."""
        self.rig = Rig(folder, start_ns=game.now_ns)
        let_in(self.rig)
        phones = [Phone(self.rig), Phone(self.rig, "P1"), Phone(self.rig)]
        phones[-1].say(table=True)
        table = self.rig.app.table
        number = table.journal.begin_game(game.rules.name, game.rules.text)
        table.play(Playing(table, number, game.play, table.wrote(number, game.facts), {}))
        self.rig.after(0)
        if again:
            self.rig.reboot()
            let_in(self.rig)
            phones = [Phone(self.rig, token=phone.token) for phone in phones]
            self.rig.ok()
        self.board, self.seat, self.table = phones
        self.told_bytes = 0  # what pages were told
        self.rig.app.follow(self._told, *Panel.KINDS)
        for phone in phones:
            phone.link.send = self._told
        self.player = Lasting(game.rules, Random(1))

    @property
    def game(self) -> Playing:
        return self.rig.playing

    def _told(self, news: Mapping[str, Any]) -> None:
        some = {kind: value for kind, value in news.items() if kind != "evidence"}  # which few answers lead to
        self.told_bytes += len(json.dumps(some))

    def answers(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """What people answer next, one after the other, by verb: each as after a press that counts."""
        while not self.game.play.over:
            action = self.player.pick(self.game.play.offers, self.rig.now_ns, self.rig.now_ns)
            self.rig.now_ns = max(self.rig.now_ns, action.at_ns)
            yield action.verb, partial(self._answer, action)

    def _answer(self, action: Action) -> None:
        self.game.answer(action)
        self.rig.app.step(self.rig.now_ns)

    def undo(self) -> None:
        """A step back, by the people. Raises `Denied`."""
        self.game.take(plays.undo(self.game.play, self.rig.now_ns))
        self.rig.app.step(self.rig.now_ns)

    def redo(self) -> None:
        """One forth. Raises `Denied`."""
        self.game.take(plays.redo(self.game.play, self.rig.now_ns))
        self.rig.app.step(self.rig.now_ns)

    def say(self, phone: Phone, message: dict[str, Any]) -> None:
        """A message of a phone."""
        self.rig.app.post(Call(partial(phone.phones.take, phone.link, message), waits=True))
        self.rig.app.step(self.rig.now_ns)

    def stale(self) -> dict[str, Callable[[], None]]:
        """Wishes of pages that were opened before something changed, by kind: each is refused, and nothing is asked."""
        number, table = self.game.number, Asker(self.table.id, self.table.phones)
        wishes: tuple[tuple[Asker, AnyWish], ...] = (
            (table, Undo(game=number, was=("before",))),
            (table, Redo(game=number, was=("before",))),
            (table, EndGame(game=number, was=("before",))),
            (table, Fix(0, 5, game=number, was=(10**6,))),
            (table, Amend(1, ((0, "left", 7),), game=number, was=(10**6,))),
            (PAGE, Amend(1, ((0, "left", 7),), game=number, was=(10**6,))),
            (PAGE, Sit(number, 0, None, was=("f" * 16,))),
            (PAGE, ChangeSeats(number, (None,) * len(self.game.play.players), was=("f" * 16,))),
            (PAGE, Rename("f" * 16, "Anna", was=("Anne", ""))),
            (PAGE, Undo(game=number, was=("before",))),
        )
        return {
            f"stale {type(one).__name__.lower()} of {by.who.value}": partial(self._wish, by, one) for by, one in wishes
        }

    def _wish(self, by: Asker, wish: AnyWish) -> None:
        answers = list[Answer]()
        self.rig.app.table.desk.take(by, wish, answers.append)
        self.rig.app.step(self.rig.now_ns)
        assert isinstance(answers[0], Denied)

    def messages(self) -> dict[str, tuple[Phone, dict[str, Any]]]:
        """Every message that phones send in a game, by kind: none of them changes it without OK at the kit.

        What a phone wants is asked at the kit for the first of them, and refused for all others.
        """
        ask = {"ask": "0.1.2.0.a", "value": 3, "nonce": "12345678"}
        found: dict[str, tuple[Phone, dict[str, Any]]] = {
            "undo, asked": (self.seat, {"undo": True}),
            "undo, refused": (self.seat, {"undo": True}),
            "fix": (self.table, {"fix": [0, 5]}),
            "end": (self.table, {"end": True}),
            "history": (self.table, {"history": True}),
            "seat": (self.seat, {"seat": "P2"}),
            "leave": (self.seat, {"leave": "P3"}),
            "table": (self.table, {"table": True}),
            "answer too late": (self.seat, ask),
            "try": (self.seat, {"try": ask["ask"], "value": 3}),
            "round": (self.table, {"round": 1}),
            "amend, wrong": (self.table, {"amend": 1, "numbers": [[0, "no_such", 1]]}),
        }
        entered = public.entered(self.game.number, self.game.play, 1, self.game.page_names)
        for entry in entered["entries"][:1]:
            number = entry["value"] + (entry["step"] if entry["value"] < entry["high"] else -entry["step"])
            found["amend"] = self.table, {"amend": 1, "numbers": [[entry["seat"], entry["verb"], number]]}
        hub = self.seat.phones
        return {
            kind: (phone, as_wish(message, hub.sight(phone.id) | {"entered": entered}))
            for kind, (phone, message) in found.items()
        }
