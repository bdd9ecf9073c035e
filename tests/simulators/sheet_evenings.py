"""Evenings of any score sheet on a whole kit, by presses and by phones, with undo, restarts and power cuts between.

After each thing that is done, all that people can see, hear or read must agree.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from engine.game import Rules
from engine.racing import Running
from engine.rules import BENCH, Offer
from engine.sheets.asking import ANYWAY
from engine.sheets.races import Waiting
from engine.sheets.state import SheetState
from firmware.messages import TableNews
from firmware.output import screens
from firmware.output.screens.canvas import texts
from firmware.output.screens.view import View
from firmware.phones import view
from firmware.table.playing import Playing, begin
from firmware.table.question import Kind, chosen, waits_for_signal
from tests.simulators.every_game import rules_of
from tests.simulators.people import People
from tests.simulators.phone import Phone, let_in
from tests.simulators.players import in_order_of_play
from tests.simulators.rig import Rig
from tests.simulators.undoing import SIX

NAMES = ("Anna", "Maximiliane", "Ben", "Cleopatra", "Di", "Emil")
BY_PHONE = 0.5  # how often somebody with a phone answers by it
RARE = 0.05  # how often something is taken back
ANYWAY_AFTER_ALL = 0.3  # how often the table closes what a check has opened again
BEGINS = 20  # characters of a text that a display has room for
LEAN = 3  # how strongly numbers lean to the lowest


class Evening:
    """A game of a shipped sheet. `found`: what did not agree, each once."""

    def __init__(self, folder: Path, name: str, players: int, seed: int, *, named: bool = False) -> None:
        """`named`: every second seat has a known person."""
        self.rules: Rules[Any, Any] = rules_of(name)
        self.dice = Random(f"{name} {players} {seed}")
        self.found: dict[str, str] = {}
        self.heard: dict[str, Any] = {}
        self.answers = 0
        self.rig = Rig(folder, SIX, seed=seed)
        self.buttons = in_order_of_play(SIX.names, players, self.dice)
        let_in(self.rig)
        with_phones = range(players - players // 2)
        self.phones = [Phone(self.rig, *self.buttons[n : n + 2 : 2]) for n in with_phones]
        self.phones[0].say(table=True)
        self.board = Phone(self.rig)
        self.rig.after(6000)
        begin(self.rig.app.table, self.rules, self.buttons, self.rules.options())
        self.rig.after(0)
        if named:
            people = self.rig.app.table.people
            self.rig.playing.sit({seat: people.add(NAMES[seat]) for seat in range(0, players, 2)})
        self.follow()
        self.rig.after(1000)
        self.people = People(self.rig, self.dice)
        self.look()

    def follow(self) -> None:
        """Hear all the news that pages may hear."""
        kinds = ("words", "seats", "scores", "game", "rounds", "evidence", "count", "people", "flashes")
        self.rig.app.follow(self.hear, *kinds)

    def hear(self, news: TableNews) -> None:
        self.heard |= news

    # --- what is done ------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.rig.playing.play.over

    def play(self, answers: int) -> None:
        """So many answers, or to the end."""
        while self.answers < answers and not self.over:
            self.step()

    def step(self) -> None:
        """One thing is done, and looked at."""
        self.answers += 1
        mode = self.rig.app.table.top
        if isinstance(mode, Playing) and any(offer.verb == ANYWAY for offer in mode.question.menu):
            if self.dice.random() < ANYWAY_AFTER_ALL:
                self.people.let_go()
                self.people.pick("Count anyway")
        elif self.dice.random() < RARE:
            self.people.let_go()
            self.rig.undo()
        elif self.dice.random() >= BY_PHONE or not self.by_phone():
            self.people.act()
        self.look()

    def by_phone(self) -> bool:
        """One phone answers one of its questions. False: none is asked."""
        asked = [(phone, ask) for phone in self.phones for ask in phone.asks if self.answerable(ask)]
        if not asked or not isinstance(self.rig.app.table.top, Playing):
            return False
        self.people.let_go()
        phone, ask = self.dice.choice(asked)
        value: Any = None
        if "options" in ask:
            value = self.dice.choice(ask["options"])[0]
        elif "low" in ask:
            steps = (ask["high"] - ask["low"]) // ask["step"]
            value = ask["low"] + ask["step"] * int((steps + 1) * self.dice.random() ** LEAN)
        before = self.rig.playing.play
        refused = phone.send(ask["id"], value)
        if refused:
            self.fault("refused", f"{ask['text']} {value}: {refused}")
        self.rig.after(200)
        if refused is None and before is self.rig.playing.play:
            self.fault("no acknowledgement", ask["text"])
        return True

    def answerable(self, ask: Any) -> bool:
        """Ways out and side entries rarely."""
        return not ask["aside"] or self.dice.random() < RARE

    # --- a new run ---------------------------------------------------------------------------------------------------

    def again(self, *, cut: bool) -> None:
        """The program begins again, or the power is cut; the same question stands with the same offers."""
        self.people.let_go()
        while self.rig.app.table.overlays:
            self.rig.ok_hold()
        game, noted = self.rig.playing, self.rig.app.table._note  # noqa: SLF001
        before, offers, entry, shown = game.play, plain(game.play.offers), game.entry, self.told()
        if cut:
            self.rig.reboot(pulled=True)
        else:
            self.rig.restart()
        let_in(self.rig)
        self.rig.ok().after(0)
        self.heard.clear()
        self.follow()
        self.phones = [Phone(self.rig, token=phone.token) for phone in self.phones]
        self.board = Phone(self.rig, token=self.board.token)
        self.rig.after(0)
        game = self.rig.playing
        if begins_again(before):
            return
        if plain(game.play.offers) != offers:
            self.fault("other offers", f"{offers} {plain(game.play.offers)}")
        if game.play.scores != before.scores:
            self.fault("other points", f"{before.scores} {game.play.scores}")
        if entry == game.entry and not noted and self.told() != shown:
            self.fault("shown otherwise", f"{shown} {self.told()}")
        self.look()

    def told(self) -> list[str]:
        """The display without what time changes."""
        return [re.sub(r"-?\d+:\d\d", "0:00", text) for text in texts(self.rig.app.table.picture())]

    # --- what is looked at -------------------------------------------------------------------------------------------

    def fault(self, kind: str, text: str) -> None:
        self.found.setdefault(kind, f"answer {self.answers}: {text}")

    def look(self) -> None:
        """Look at everything. The totals after a round stand in front of the question until then."""
        mode = self.rig.app.table.top
        if isinstance(mode, Playing) and mode.totals.until_ns is not None:
            if missing := set(map(str, mode.play.scores)) - set(" ".join(texts(self.rig.app.table.picture())).split()):
                self.fault("a total is not shown", f"{missing}")
            self.rig.after((mode.totals.until_ns - self.rig.now_ns) / 1e6)
        if not isinstance(mode, Playing) or self.people.held or mode.signalling or self.rig.app.table._note:  # noqa: SLF001
            return
        for kind, text in (*self.whom(mode), *self.what(mode), *self.numbers(mode), *self.read_out(mode)):
            self.fault(kind, text)

    def whom(self, mode: Playing) -> Iterator[tuple[str, str]]:
        """Who is asked, by lamps, phones and words."""
        play, q = mode.play, mode.question
        out = set() if play.over else set(play.rules.face(play.state).out)
        asked = set() if waits_for_signal(play.board) else {seat for seat in q.seats if seat not in q.named}
        if q.kind is Kind.COUNT:
            asked = {s for s in q.count if q.picks or not {s, *(q.count[s].group or ())} & set(mode.entry.values)}
        still = set(self.still())
        if asked != still:
            yield "waited for", f"{asked} asked, pages wait for {still}"
        lit = {mode.seating.seat(button) for button in self.rig.lit}
        for what, seats in (("lamps", lit), ("asked", asked), ("named", set(q.named) - {-1})):
            if seats & out:
                yield f"{what} of who is out", f"{seats} {out}"
        for phone in self.phones:
            if gone := {ask["seat"] for ask in phone.asks} & out:
                yield "a phone asks who is out", f"{gone}"
        spoken = self.heard["words"]["asked"]
        names = ", ".join(mode.page_names[seat] for seat in sorted(still))
        if not play.over and spoken != (f"asked: {names}" if still else ""):
            yield "spoken asked", f"{spoken!r}, {names}"

    def still(self) -> list[int]:
        """For whom the pages wait."""
        game, missing = self.board.news["game"], self.board.me.get("missing")
        return [] if game["over"] else list(game["turn"] if missing is None else missing)

    def what(self, mode: Playing) -> Iterator[tuple[str, str]]:
        """The question and its answers, by display and phones."""
        play, q, news = mode.play, mode.question, self.board.news["game"]
        shown = texts(self.rig.app.table.picture())
        display = " ".join(shown)
        if play.over:
            return
        face = play.rules.face(play.state)
        labelled = news["asked"]  # where names have no room
        for name, label in zip(mode.names, play.players, strict=True):
            labelled = labelled.replace(name, label)
        if (
            news["asked"]
            and not face.wrong
            and face.since_ns is None
            and not mode.entry.note
            and mode.entry.picked is None
            and not within(self.as_shown(mode, news["asked"].rstrip(".")), shown)
            and not within(self.as_shown(mode, labelled.rstrip(".")), shown)
            and " more: press!" not in display  # nor labels
        ):
            yield "other question", f"{news['asked']!r}, display {display!r}"
        for phone in self.phones:
            for ask in phone.asks:
                beside = ask["early"] or ask["aside"] or "low" not in ask or ask["alone"]
                if not beside and ask["text"] != news["asked"]:
                    yield "another question on its button", f"{ask['text']!r} {news['asked']!r}"
        names = mode.page_names
        for offer in play.offers:
            if offer.says and offer.low is not None and offer.high is not None:
                words = view.words(play, offer, names)
                if len(words) != offer.high - offer.low + 1 or {*words} & {*map(str, range(offer.low, offer.high + 1))}:
                    yield "words as digits", f"{words}"
        for offer in q.numbers.values() if q.kind is Kind.COUNT else ():
            value = mode.entry.values.get(q.holder(offer.seat or 0), offer.prefill)
            if offer.says and value is not None and not mode.entry.note:
                word = play.rules.label(play.state, offer, value)
                if str(word)[:3] not in display:
                    yield "a word is not shown", f"{word!r} {display!r}"
        if q.control is not None and q.control.says and not mode.entry.note:
            at = chosen(q, mode.entry)
            assert isinstance(at, int)
            seats = q.control.says == "seats" and at >= 0
            word = mode.names[at] if seats else play.rules.label(play.state, q.control, at)
            if str(word)[:3] not in display:
                yield "a word is not shown", f"{word!r} {display!r}"

    def numbers(self, mode: Playing) -> Iterator[tuple[str, str]]:
        """Totals on the display are whole."""
        play, q = mode.play, mode.question
        if play.over or mode.entry.note or q.kind is Kind.RACE:
            return
        view_ = View(play, q, mode.entry, 0, knob=True)
        known = {*play.scores, *(one for one in view_.becomes if one is not None)}
        for text in texts(self.rig.app.table.picture()):
            found = re.fullmatch(r"(?:=|(?:new )?total )(-?\d+)", text)
            if found and int(found[1]) not in known:
                yield "a total is cut", f"{text!r} {known}"

    def as_shown(self, mode: Playing, text: str) -> str:
        """A text of a page as the display has it, with shorter names."""
        for name, drawn in zip(mode.page_names, mode.names, strict=True):
            text = text.replace(name, drawn)
        return text

    def read_out(self, mode: Playing) -> Iterator[tuple[str, str]]:
        """What is wrong, who is out, the last turns, the question, totals."""
        play, words = mode.play, self.heard["words"]
        if play.over or not isinstance(play.state, SheetState):
            return
        if play.rules.face(play.state).wrong and not mode.entry.note and not mode.entered.only_ok:
            said = squeezed(screens.wrong(play, mode.names))
            if said[:BEGINS] not in squeezed(words["display"]):
                yield "the failed check is not read", f"{said} {words['display']!r}"
            if self.board.news["game"]["wrong"] != screens.wrong(play, mode.page_names):
                yield "the failed check is not on phones", f"{said} {self.board.news['game']['wrong']}"
        if play.state.lap is not None and "LAST" not in words["display"].upper():
            yield "last turns not read", words["display"]
        if play.state.lap is not None and not any("last" in text.lower() for text in self.board.news["game"]["where"]):
            yield "last turns not on phones", f"{self.board.news['game']['where']}"
        if self.still() and not words["question"]:
            yield "no question read", words["display"]
        rows = {row["seat"]: row["points"] for row in self.heard["scores"]["rows"]}
        if rows != dict(enumerate(mode.committed.scores)):
            yield "other totals on pages", f"{rows} {play.scores}"


def squeezed(text: str) -> str:
    """A text without its rows and sentences."""
    return re.sub(r"[\s.]+", " ", text)


def within(text: str, shown: tuple[str, ...]) -> bool:
    """Whether a text stands there, perhaps in two rows."""
    return any(text in f"{one} {other}".rstrip() for one in shown for other in ("", *shown))


def plain(offers: tuple[Offer, ...]) -> list[tuple[object, ...]]:
    """Offers without their times."""
    return [
        (one.seat, one.verb, one.low, one.high, one.options, one.prefill, one.says, one.step, one.menu)
        for one in offers
        if one.due_ns is None and one.verb != BENCH
    ]


def begins_again(play: Any) -> bool:
    """Whether what is asked is in the air: a signal that is to come, a race."""
    return isinstance(play.state.ask.standing(play.state), Waiting | Running) and not play.over


def evening(folder: Path, name: str, players: int, seed: int, answers: int) -> dict[str, str]:
    """An evening, with a new start and a power cut at random questions. What did not agree."""
    one = Evening(folder, name, players, seed, named=seed % 2 == 1)
    cuts = sorted(one.dice.sample(range(1, answers), 2))
    for at, cut in zip(cuts, one.dice.sample((True, False), 2), strict=True):
        one.play(at)
        if one.over:
            break
        one.again(cut=cut)
    one.play(answers)
    one.rig.after(2500)
    one.look()
    one.rig.close()
    return one.found
