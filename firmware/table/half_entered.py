"""What is half entered at the open question: by buttons, by the control, and numbers that phones have sent.

It is shown at once, and never journaled, but for the numbers of phones.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Protocol

from msgspec.structs import replace

from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Action, Offer, Refused, Seat, Value
from firmware.journal.phones import Sent
from firmware.output import sounds
from firmware.table import question
from firmware.table.question import EMPTY, Entry, Kind, OpenOffers, choices, shown
from firmware.translation import L_, LazyText, lazy


class GameInPlay(Protocol):
    """What it needs of the game on the table."""

    play: Play
    table: Any  # sounds, what is read out: `firmware.table.table.Table`

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def dead(self) -> tuple[Seat, ...]: ...
    def answer_all(self, actions: list[Action], by: str = "") -> LazyText | None: ...
    def store(self) -> None: ...


class HalfEntered:
    """The entry at the open question of a game."""

    question: OpenOffers  # with the offers of the one that is picked

    def __init__(self, game: GameInPlay, sent: Iterable[Sent]) -> None:
        self._game, self._table = game, game.table
        self.sent = {one.seat: one for one in sent}  # by seat the number that a phone has sent
        self.entry = EMPTY
        self._fitting: tuple[Play, Mapping[Seat | None, int], bool] | None = None
        self.begin()

    def begin(self) -> None:
        """The question is new, and so is what is entered."""
        self.entry = self.fresh()
        self.question = question.of(self._game.play.offers, self.entry.picked)

    def fresh(self) -> Entry:
        """The entry before anybody enters anything at the kit: what phones have sent, and answers that were wrong."""
        picked, values = None, dict[Seat | None, int]()
        if self.wrong:
            picked = self.entry.picked
            numbers = question.of(self._game.play.offers, picked).numbers
            values = {seat: one.prefill for seat, one in numbers.items() if one.prefill is not None}
        values |= {seat: one.value for seat, one in self.sent.items()}
        return Entry(values, picked=picked) if values or picked else EMPTY

    @property
    def wrong(self) -> bool:
        """Whether the same is asked again, as something is wrong with it."""
        play = self._game.play
        return bool(not play.over and play.rules.face(play.state).wrong)

    # --- who is still asked ------------------------------------------------------------------------------------------

    @property
    def missing(self) -> tuple[Seat, ...] | None:
        """The seats that have not entered their number yet; None where no number is asked of all.

        A number for a box, or of whoever has been named, is missing until OK: another box may be chosen, another named.
        """
        q = self.question
        if not q.count:
            return None
        return tuple(seat for seat in q.count if q.picks or q.holder(seat) not in self.entry.values)

    @property
    def only_ok(self) -> bool:
        """Whether a number stands for each seat that is asked for one, and OK ends the question."""
        q = self.question
        return q.kind is Kind.COUNT and self.missing == () and (not self.wrong or self._fit)

    @property
    def _fit(self) -> bool:
        """Whether the numbers that stand are not wrong any more."""
        play, values = self._game.play, self.entry.values
        if self._fitting is None or self._fitting[0] is not play or self._fitting[1] is not values:
            after = answered(play, self._answers, self._game.names)
            right = not isinstance(after, LazyText) and (after[1].over or not after[1].rules.face(after[1].state).wrong)
            self._fitting = play, values, right
        return self._fitting[2]

    @property
    def _answers(self) -> list[Action]:
        """What OK enters: the number that stands for each seat."""
        q, now_ns = self.question, self._table.now_ns
        return [Action(s, offer.verb, shown(q, self.entry, s) or 0, now_ns) for s, offer in q.numbers.items()]

    @property
    def waited_for(self) -> tuple[Seat, ...]:
        """The seats whose answer is missing: none where the table is asked."""
        q = self.question
        if self.missing is not None:
            return self.missing
        if q.control is not None:
            return () if q.control.seat is None else (q.control.seat,)
        return tuple(sorted({offer.seat for offer in q.picks if offer.seat is not None} | set(q.press)))

    @property
    def lit(self) -> Iterable[Seat]:
        """The seats whose lamps say that they are asked."""
        q = self.question
        if q.kind is Kind.COUNT:
            return [seat for seat in q.count if q.holder(seat) not in self.entry.values]
        if q.picks or q.named:
            return q.seats
        return q.press if q.chooser is None else (*q.press, q.chooser)

    @property
    def numbers_sent(self) -> dict[Seat, int]:
        """By seat the number that a phone has sent, also at the seats of partners."""
        held = ((seat, self.question.holder(seat)) for seat in self.question.count)
        return {seat: self.sent[first].value for seat, first in held if first in self.sent}

    @property
    def at_kit(self) -> dict[Seat, int]:
        """By seat the number that was entered at the kit, and not by a phone; a wrong one that still stands is none."""
        q, values = self.question, self.entry.values
        held = {seat: q.holder(seat) for seat in q.count}
        there = {seat: values[key] for seat, key in held.items() if key in values and key not in self.sent}
        return {seat: value for seat, value in there.items() if value != q.count[seat].prefill}

    @property
    def none_counted(self) -> bool:
        """Whether OK may still say that there is nothing to count."""
        return question.none_counted(self.question, self.entry)

    @property
    def answered_for(self) -> Seat | None:
        """The seat that the control answers for next."""
        return question.answered_for(self.question, self.entry, self._game.dead)

    # --- numbers of seats --------------------------------------------------------------------------------------------

    def tap(self, seat: Seat) -> None:
        """A press of a seat's button counts, or goes on to the next word."""
        offer, key = self.question.count[seat], self.question.holder(seat)
        called = self.none_counted  # there is something: it is counted from now on
        if called or (self.wrong and question.long(offer) and self.entry.latest != key):  # the control puts it right
            self.entry = replace(self.entry, latest=key)
            self._table.sound(sounds.CLICK)
        else:
            self.count(seat, question.pressed(offer))

    def count(self, seat: Seat, steps: int) -> None:
        """Change a half-entered number: it stops at its limits, audibly. Words go round."""
        offer, key = self.question.count[seat], self.question.holder(seat)
        old = shown(self.question, self.entry, seat) if choices(offer) else self.entry.values.get(key)
        value = question.moved(offer, old, steps)
        inside = question.within(offer, value)
        fits = inside == value or old is None
        self._table.sound(sounds.CLICK if fits else sounds.REFUSED)
        self._enter(key, inside)
        self.entry = replace(self.entry, latest=key, missing=())
        self.note(None if fits else beyond(self._game.names[seat], offer, value))

    def turn(self, steps: int) -> None:
        """The control changes the number of the seat that tapped last, of a seat without a button, or the only one."""
        q, dead = self.question, self.answered_for
        seat = next(iter(q.numbers)) if len(q.numbers) == 1 else self.entry.latest if dead is None else dead
        if seat is None or seat not in q.count:
            self.note(L_("tap your button first"))
        else:
            self.count(seat, steps)

    def lowest(self, offer: Offer) -> None:
        """A hold sets a number to 0, or to the limit nearest to it."""
        key = None if offer.seat is None else question.holder(offer)
        self._enter(key, question.home(offer))
        self.entry = replace(self.entry, latest=key)
        self._table.sound(sounds.DONE)

    def _enter(self, seat: Seat | None, value: int) -> None:
        """A number is entered; one that a phone has sent is stored as it is now."""
        self.entry = replace(self.entry, values={**self.entry.values, seat: value}, note=None)
        if seat is not None and seat in self.sent:
            self.sent[seat] = self.sent[seat]._replace(value=value)
            self._game.store()

    def note(self, note: LazyText | None) -> None:
        """Show what is wrong with the numbers above them, until the next key; None: nothing is wrong."""
        self.entry = replace(self.entry, note=note)
        if note is not None:
            self._table.flash(note)

    def send(self, number: Sent) -> int:
        """A phone has sent a number for a seat that is asked for one. Returns the ticket of its commit.

        It may be changed until OK, or until all have sent theirs: then the question is closed. So it is as soon as
        numbers that were wrong fit, where all that was changed came from phones.
        """
        seat, numbers = self.question.holder(number.seat), self.question.numbers
        self.sent[seat] = number._replace(seat=seat)
        self._enter(seat, number.value)
        corrected = self.wrong and self.entry.latest is None and self.only_ok
        if corrected or all(one in self.sent for one in numbers):
            self.enter_counts(number.phone if len(numbers) == 1 else "")
        return int(self._table.ticket)

    def enter_counts(self, by: str = "") -> None:
        """OK closes a parallel entry: one step for all its seats. Missing numbers are asked about once.

        `by`: the phone that has sent all of it.
        """
        q, entry, dead = self.question, self.entry, question.without_button(self.question, self._game.dead)
        if entry.latest in dead:  # then the next seat without a button, or the others
            self.entry = entry = replace(entry, latest=None)
            if any(seat in dead and shown(q, entry, seat) is None for seat in q.numbers):
                return
        missing = tuple(seat for seat in q.numbers if shown(q, entry, seat) is None)
        if missing and any(question.home(q.count[seat]) for seat in missing):
            self.note(L_("{name}: no number", name=self._game.names[missing[0]]))
            self._table.sound(sounds.REFUSED)
            return
        if missing and entry.missing != missing:
            self.entry = replace(entry, missing=missing, note=None)
            self._table.sound(sounds.REFUSED)
            return
        if reason := self._game.answer_all(self._answers, by):
            self.note(reason)
            self._table.sound(sounds.REFUSED)
        else:
            self._table.sound(sounds.DONE)

    # --- what the table chooses --------------------------------------------------------------------------------------

    def pick(self, offer: Offer | None) -> None:
        """Choose one of several questions to be answered; None: choose again."""
        picked = None if offer is None else (offer.seat, offer.verb)
        self.entry = Entry(latest=None if offer is None else offer.seat, picked=picked)
        self.question = question.of(self._game.play.offers, picked)
        self._table.sound(sounds.BACK if offer is None else sounds.CLICK)

    def pick_by(self, seat: Seat) -> bool:
        """A press of a seat's button picks its only question (True), or steps through several of them (False)."""
        first, *more = [offer for offer in self.question.picks if offer.seat == seat]
        if more:
            self.step_picks(1)
        else:
            self.pick(first)
        return not more

    def step_picks(self, down: int) -> None:
        """Step through the questions of which one is picked."""
        at, many = self.entry.values.get(None), len(self.question.picks)
        first = 0 if self.question.box is not None else -1 if down > 0 else many
        self.entry = Entry({None: ((first if at is None else at) + down) % many})
        self._table.sound(sounds.TURN)

    def choose(self, offer: Offer, down: int) -> None:
        """Step through the options; after the last comes the first."""
        self.entry = Entry({None: (question.place(offer, self.entry) + down) % len(choices(offer))})
        self._table.sound(sounds.TURN)

    def tap_for_table(self, seat: Seat, offer: Offer) -> None:
        """A press names its own seat, or counts several steps of the table's number."""
        if offer.says == "seats":
            self.entry = Entry({None: choices(offer).index(seat)})
            self._table.sound(sounds.CLICK)
        else:
            self.count_for_table(offer, question.pressed(offer))

    def count_for_table(self, offer: Offer, steps: int) -> None:
        """The table's number, so many steps on."""
        value = question.chosen(self.question, self.entry)
        assert isinstance(value, int)
        self.entry = Entry({None: question.within(offer, question.moved(offer, value, steps))})
        self._table.sound(sounds.TURN)


def answered(play: Play, actions: list[Action], names: Sequence[str]) -> tuple[tuple[Fact, ...], Play] | LazyText:
    """What several answers make, and the game after them; the reason where one is refused. `names`: by seat."""
    facts: list[Fact] = []
    for action in actions:
        try:
            more = plays.answer(play, action)
        except Refused as refused:
            offer = next((o for o in play.offers if (o.seat, o.verb) == (action.seat, action.verb)), None)
            if offer is None or offer.seat is None:
                return lazy(refused.text)
            return beyond(names[offer.seat], offer, action.value)
        play = reduce(plays.fold, more, play)
        facts += more
    return tuple(facts), play


def beyond(name: str, offer: Offer, number: Value) -> LazyText:
    """The limit that somebody's number exceeds."""
    assert isinstance(number, int) and offer.low is not None
    if number < offer.low:
        return L_("{name}: at least {n}", name=name, n=offer.low)
    return L_("{name}: at most {n}", name=name, n=offer.high)
