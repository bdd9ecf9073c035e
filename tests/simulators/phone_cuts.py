"""Phones on a bad network, in random games: messages lost, late, doubled, out of order; sleeping phones; power cuts.

A phone sends an answer until it is acknowledged, as its page does. What was acknowledged must be in the game: a number
stands until its owner or the kit changes it, and is the one that counts when the question is closed; an answer is
entered once, however often it comes.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from engine.rules import Action, Seat
from firmware.journal.phones import KeptAnswer, Sent
from firmware.journal.writer import Journal
from firmware.phones.hub import Phones
from firmware.phones.link import Link
from firmware.table import app
from firmware.table.past_games import Call
from firmware.table.playing import Playing
from firmware.translation import LazyText
from tests.simulators.every_game import rules_of
from tests.simulators.phone import as_wish, let_in
from tests.simulators.rig import FOUR, Rig

KILLS = 0.004  # of all things that happen
GAMES = {"pack_and_stack": 4, "cat_pageant": 3, "pack_the_essentials": 4, "if_it_fits": 3}


class LazyJournal(Journal):
    """A journal whose thread is slow: nothing is written until `flush_all`; what waits is lost with the power."""

    def _drain(self) -> None:
        if self.__dict__.get("awake"):
            super()._drain()

    def flush_all(self) -> None:
        self.__dict__["awake"] = True
        self._drain()
        self.__dict__["awake"] = False


@dataclass
class Found:
    """What has happened, and what was wrong."""

    happened: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)

    @property
    def cuts(self) -> int:
        return sum(
            n
            for what, n in self.happened.items()
            if what not in ("sent", "tapped", "acknowledged", "closed", "kept over a cut")
        )


@dataclass
class Sender:
    """A phone's page: one answer at a time, sent until it is acknowledged."""

    token: str
    seats: tuple[str, ...]
    link: Link | None = None
    pending: dict[str, Any] | None = None
    meant: tuple[Seat | None, str] | None = None  # whom and what the pending answer is about
    network: list[dict[str, Any]] = field(default_factory=list)
    news: dict[str, Any] = field(default_factory=dict)
    old: list[dict[str, Any]] = field(default_factory=list)  # what a tab that was left open may still show


class Evening:
    """One random game with phones; `play` lets so many things happen."""

    def __init__(self, folder: Path, seed: int, found: Found, name: str | None = None) -> None:
        self.dice, self.found, self.seed = Random(seed), found, seed
        self.name = self.dice.choice(sorted(GAMES)) if name is None else name
        rules = rules_of(self.name)
        app.__dict__["Journal"] = LazyJournal
        try:
            self.rig = Rig(folder, seed=seed)
        finally:
            app.__dict__["Journal"] = Journal
        self.folder = folder
        self.players = GAMES.get(self.name, min(len(FOUR), rules.seats[1]))
        self.entered: Counter[str] = Counter()  # answers, by nonce, of the journal as it is
        self.unsaved: list[str] = []  # nonces that are not on the disk yet
        self.done: set[str] = set()  # nonces that were acknowledged
        self.on_disk: dict[Seat, Sent] = {}  # the numbers that stand there
        self.kept_on_disk: dict[Seat, tuple[KeptAnswer, ...]] = {}  # what was answered early
        self.watch()
        self.rig.do(f"{'sheet' if rules.text else 'game'}[{rules.title if rules.text else self.name} {self.players}]")
        self.commit()
        buttons = [f"P{n + 1}" for n in range(self.players)]
        self.phones = [Sender(self.joined(), tuple(buttons[n :: self.players - 1])) for n in range(self.players - 1)]
        for phone in self.phones:
            self.connect(phone)
            for button in phone.seats:
                self.say(phone, {"seat": button})
                self.rig.after(1_000).ok()
        if self.phones:
            self.say(self.phones[0], {"table": True})
        self.commit()

    # --- the kit -----------------------------------------------------------------------------------------------------

    @property
    def hub(self) -> Phones:
        found = self.rig.app.table.phones
        assert isinstance(found, Phones)
        return found

    def joined(self) -> str:
        token = self.hub.join(self.hub.code)
        assert token is not None
        return token

    def watch(self) -> None:
        """Let phones in, and note what is entered."""
        hub = let_in(self.rig)
        entered = hub._entered  # noqa: SLF001

        def noted(phone: Any, id_: str, value: Any, nonce: str) -> str | None:
            refused = entered(phone, id_, value, nonce)
            if refused is None:
                self.entered[nonce] += 1
                self.unsaved.append(nonce)
                if self.entered[nonce] > 1:
                    self.found.twice.append(f"{self.seed}: {nonce} was entered {self.entered[nonce]} times")
            return refused

        hub.__dict__["_entered"] = noted

    def commit(self) -> None:
        """The disk has written all that waited."""
        journal = self.rig.app.journal
        assert isinstance(journal, LazyJournal)
        journal.flush_all()
        self.unsaved.clear()
        game = self.rig.app.table.game
        self.on_disk = {} if game is None else dict(game.entered.sent)
        self.kept_on_disk = {} if game is None else dict(game.early.kept)
        self.rig.after(0)

    def kill(self) -> None:
        """The power goes: what waits for the disk is lost. Then the kit is on again, and phones come back."""
        self.found.happened["killed"] += 1
        for nonce in self.unsaved:
            self.entered[nonce] -= 1
        self.unsaved.clear()
        app.__dict__["Journal"] = LazyJournal
        try:
            self.rig.reboot(pulled=True)
        finally:
            app.__dict__["Journal"] = Journal
        self.watch()
        self.rig.ok()
        game = self.rig.playing
        asked = {seat: one for seat, one in self.on_disk.items() if seat in game.question.count}
        if game.entered.sent != asked:
            self.found.lost.append(f"{self.seed}: the power went, {game.entered.sent} stands, on the disk was {asked}")
        if game.early.kept != self.kept_on_disk:
            self.found.lost.append(f"{self.seed}: the power went, {game.early.kept} is kept, was {self.kept_on_disk}")
        self.found.happened["kept over a cut"] += len(asked) + len(game.early.kept)
        self.commit()
        for phone in self.phones:
            phone.link = None
            if self.dice.random() < 0.7:
                self.connect(phone)

    # --- phones ------------------------------------------------------------------------------------------------------

    def connect(self, phone: Sender) -> None:
        """The page is there again, and sends what was not acknowledged."""
        id_ = self.hub.known(phone.token)
        assert id_ is not None, "a phone that had joined is not known any more"
        phone.news = {}
        phone.link = Link(id_, lambda news: self.told(phone, news), lambda: self.lose(phone))
        self.hub.connect(phone.link)
        if phone.pending is not None:
            phone.network.append(self.current(phone))

    def lose(self, phone: Sender) -> None:
        if phone.link is not None:
            self.hub.disconnect(phone.link)
            phone.link = None

    def current(self, phone: Sender) -> dict[str, Any]:
        """The pending answer, to the same question as it is called now."""
        assert phone.pending is not None and phone.meant is not None
        asks = phone.news.get("me", {}).get("asks", [])
        if not any(ask["id"] == phone.pending["ask"] for ask in asks):
            again = [ask for ask in asks if (ask["seat"], ask["verb"]) == phone.meant and "low" in ask]
            if again:
                phone.pending = phone.pending | {"ask": again[0]["id"]}
        return phone.pending

    def told(self, phone: Sender, news: Mapping[str, Any]) -> None:
        phone.news |= news
        ack = news.get("ack")
        if ack is None or phone.pending is None or ack["nonce"] != phone.pending["nonce"]:
            return
        if not ack["refused"] and ack["saved"]:
            self.found.happened["acknowledged"] += 1
            self.done.add(ack["nonce"])
            if ack["nonce"] in self.unsaved:
                self.found.lost.append(f"{self.seed}: {ack['nonce']} was acknowledged before it was saved")
            if self.entered[ack["nonce"]] != 1:
                self.found.lost.append(f"{self.seed}: {ack['nonce']} was acknowledged, and is not in the journal")
        phone.pending = None

    def say(self, phone: Sender, message: dict[str, Any]) -> None:
        if phone.link is not None:
            self.rig.app.post(Call(partial(self.hub.take, phone.link, as_wish(message, phone.news)), waits=True))
            self.rig.after(0)

    def send(self, phone: Sender) -> None:
        """Somebody answers on this phone."""
        asks = phone.news.get("me", {}).get("asks", [])
        if phone.pending is not None or not asks:
            return
        ask = self.dice.choice(asks)
        if ask["verb"] == "end_now":
            return
        if "options" in ask:
            value: Any = self.dice.choice(ask["options"])[0]
        elif "letters" in ask:
            value = self.dice.choice((None, "Mia", "Ann"))
        elif "low" in ask:
            value = self.dice.randint(ask["low"], min(ask["high"], ask["low"] + 4))
        else:
            value = None
        nonce = f"{self.dice.getrandbits(48):012x}"
        phone.old = [*phone.old[-9:], ask]
        phone.pending = {"ask": ask["id"], "value": value, "nonce": nonce}
        phone.meant = (ask["seat"], ask["verb"])
        phone.network.append(phone.pending)
        self.found.happened["sent"] += 1

    # --- what happens ------------------------------------------------------------------------------------------------

    def play(self, things: int) -> None:
        """Let so many things happen, and look at the game after each."""
        what: tuple[tuple[float, Callable[[], None]], ...] = (
            (0.30, lambda: self.send(self.dice.choice(self.phones))),
            (0.30, self.deliver),
            (0.10, self.commit),
            (0.06, self.drop),
            (0.06, self.double),
            (0.06, self.swap),
            (0.05, self.sleep),
            (0.03, self.stale),
            (0.04, self.tap),
        )
        for _ in range(things):
            if self.dice.random() < KILLS:
                self.kill()
            else:
                self.dice.choices([do for _, do in what], [weight for weight, _ in what])[0]()
            self.look()
            if self.rig.app.table.game is None or self.rig.playing.play.over:
                break
        self.commit()
        for phone in self.phones:
            if phone.link is None:
                self.connect(phone)
        self.look()
        self.rig.close()

    def some(self) -> Sender | None:
        waiting = [phone for phone in self.phones if phone.network]
        return self.dice.choice(waiting) if waiting else None

    def deliver(self) -> None:
        phone = self.some()
        if phone is not None and phone.link is not None:
            self.say(phone, phone.network.pop(0))
        elif phone is None:
            again = self.dice.choice(self.phones)  # nothing was heard for a while
            if again.pending is not None and again.link is not None:
                again.network.append(self.current(again))

    def drop(self) -> None:
        if (phone := self.some()) is not None:
            self.found.happened["dropped"] += 1
            phone.network.pop(self.dice.randrange(len(phone.network)))

    def double(self) -> None:
        if (phone := self.some()) is not None:
            self.found.happened["doubled"] += 1
            phone.network.append(self.dice.choice(phone.network))

    def swap(self) -> None:
        if (phone := self.some()) is not None:
            self.found.happened["reordered"] += 1
            self.dice.shuffle(phone.network)

    def sleep(self) -> None:
        phone = self.dice.choice(self.phones)
        self.found.happened["woken" if phone.link is None else "asleep"] += 1
        if phone.link is None:
            self.connect(phone)
        else:
            self.lose(phone)

    def stale(self) -> None:
        """A second tab that was open before sends what it showed then."""
        phone = self.dice.choice(self.phones)
        if phone.old and phone.link is not None:
            self.found.happened["stale"] += 1
            ask = self.dice.choice(phone.old)
            game, id_ = self.rig.playing, self.hub.known(phone.token)
            joined = next(one for one in self.hub.all if one.id == id_)
            open_ = {self.hub._id(game, one) for one in self.hub._offers(game, joined)}  # noqa: SLF001
            steps = self.rig.playing.play.step, len(self.rig.playing.entered.sent)
            nonce = f"{self.dice.getrandbits(48):012x}"
            self.say(phone, {"ask": ask["id"], "value": ask.get("low"), "nonce": nonce})
            if ask["id"] not in open_ and (self.rig.playing.play.step, len(self.rig.playing.entered.sent)) != steps:
                self.found.twice.append(f"{self.seed}: an answer to {ask['text']!r} came late and was entered")

    def tap(self) -> None:
        self.found.happened["tapped"] += 1
        self.rig.tap(self.dice.choice([*(f"P{n + 1}" for n in range(self.players)), "ok"]))
        if self.rig.app.table.overlays:
            self.rig.ok_hold()

    def look(self) -> None:
        """Every number that stands is the one that is shown."""
        game = self.rig.app.table.game
        if game is None:
            return
        for seat, number in game.entered.sent.items():
            if game.entry.values.get(seat) != number.value:
                self.found.lost.append(f"{self.seed}: seat {seat} sent {number.value}, shown is {game.entry.values}")


def counted(found: Found, sent: Mapping[Seat, Sent], actions: list[Action]) -> None:
    """What closes a question has the numbers that were sent."""
    found.happened["closed"] += bool(sent)
    for action in actions:
        number = None if action.seat is None else sent.get(action.seat)
        if number is not None and (number.verb, number.value) != (action.verb, action.value):
            found.lost.append(f"seat {action.seat} sent {number.value}, counted was {action.value}")


def evenings(folder: Path, cuts: int, seed: int, name: str | None = None) -> Found:
    """Random evenings of a game, or of any, until so many things have gone wrong on the way."""
    found = Found()
    answer_all = Playing.answer_all

    def watched(self: Playing, actions: list[Action], by: str = "") -> LazyText | None:
        sent = dict(self.entered.sent)
        refused = answer_all(self, actions, by)
        if refused is None:
            counted(found, sent, actions)
        return refused

    with patch.object(Playing, "answer_all", watched):
        number = 0
        while found.cuts < cuts:
            place = folder / str(number)
            Evening(place, seed + number, found, name).play(2000)
            number += 1
    return found
