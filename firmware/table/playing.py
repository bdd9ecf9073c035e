"""In a game: presses become actions, actions become facts, facts are journaled and only then shown."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace
from PIL import Image

from engine import play as plays
from engine.face import Left, Overtime, runs_out
from engine.game import BY_HAND, Rules
from engine.play import Fact, Play, PressedLate
from engine.race import SETTLE_NS
from engine.rules import BENCH, GO, HANDS, RECALL, SETTLE, TAKE_BACK, Action, Offer, Press, Refused, Seat, Value
from engine.words import N_
from firmware.journal.phones import Answered, Kept, Sent, without
from firmware.output import screens, sounds
from firmware.output.screens import notices
from firmware.output.screens.canvas import WIDTH_PX, fit
from firmware.output.screens.font import SMALL
from firmware.table import ahead, question
from firmware.table.overlay import downwards
from firmware.table.past_games import Evening, Unfinished
from firmware.table.question import (
    EMPTY,
    VOID_NS,
    Asked,
    Entry,
    Kind,
    answered_for,
    choices,
    chosen,
    home,
    long,
    moved,
    pressed,
    shown,
    waits_for_signal,
    within,
    without_button,
)
from firmware.table.seat_buttons import Seating
from firmware.translation import L_, LazyText, in_words, lazy

if TYPE_CHECKING:
    from firmware.table.table import Table

CLOCK_NS = 100_000_000  # a running stopwatch shows tenths
SLOW_CLOCK_NS = 1_000_000_000  # and after ten minutes seconds
SLOW_AFTER_NS = 600_000_000_000
LIVELY_NS = 3_000_000_000  # how long after a press a verdict may still stand on the picture
HURRY_NS = 10_000_000_000  # before its end a clock warns
LATE_NS = 1_500_000_000  # how long after a verdict a press still belongs to the race
NUDGE_NS = 500_000_000  # how long after a turn that has opened the side entries OK is the push that nudged the knob
VOID_NOTICE_NS = 2_000_000_000  # how long this is announced before the race is open again
QUIET_NS = 2_000_000_000  # how long the end picture ignores input: it was meant for the game
WAIT_STEPS = 8  # in which the picture shows how much of it is over
RACE_AGAIN = N_("the race begins again")
SIGNAL_NS = 500_000_000  # a picture that is the go-signal is on the display by then, or the display is lost


Key: TypeAlias = tuple[Seat | None, str]  # of an offer: its seat and verb


class Playing:
    """One game on the table. `play` is the game in memory; `committed` is the game as people may see it."""

    def __init__(
        self,
        table: Table,
        game: int,
        play: Play,
        ticket: int,
        people: Mapping[Seat, str],
        sent: Iterable[Answered] = (),
    ) -> None:
        """`people`: the ids of those who sit there; guests are left out. `sent`: what of phones stands already."""
        self.table = table
        self.number = game
        self.people = dict(people)
        self.play = self.committed = play
        sent = tuple(sent)
        self.sent = {one.seat: one for one in sent if isinstance(one, Sent)}  # by seat the number that a phone has sent
        self.kept: dict[Seat, tuple[Kept, ...]] = {}  # by seat what it has answered before its turn, the latest last
        self._keep(one for one in sent if isinstance(one, Kept))
        self.later: dict[Seat, Play] = {}  # by seat that may answer before its turn: the game as it asks that seat
        self.own: tuple[Play, str] | None = None  # the game after the latest answer of a phone, and that phone
        self.entry = EMPTY
        self.question: Asked = question.of(play.offers)
        self._begin_entry()  # it has them, too
        self._run, self._steps = os.urandom(3).hex(), 0  # of this game, as it is on the table now; since then
        self._waiting: deque[tuple[int, Play, str]] = deque([(ticket, play, self.mark)])
        # what people see, by how the game stands, and since when; and before that
        self.seen_as = self._seen_before = self.mark, play
        self._seen_since_ns = table.now_ns
        self._signalled = False
        self._signal = ""  # what gives it
        self._lively_ns = 0
        self._verdict_ns = -VOID_NS  # stamp of the answer that ended the latest race
        self._ended_ns: int | None = None  # when the end was shown
        self._clock_ns = self._runs_out()  # when the time that people see running is up
        self._warned_ns = table.now_ns  # what a clock had to warn of by then has been heard
        self.evening: Evening | None = None  # with this game, once it is over and summed; None: to be summed anew
        self._evening_shown = True
        self._untouched = False  # whether nothing has been answered since
        self._seen_ns: int | None = 0  # since when the picture after a verdict is visible; None: not yet
        # by offer: its label, since when it has been open, and the number of the question
        self._open: dict[Key, tuple[str, int, int]] = {}
        self._early: dict[Key, tuple[str, int]] = {}  # the same, without its time, for what is asked early
        self._asking = 0
        self._void: tuple[Seat, int] | None = None  # the seat whose press will be taken back, and when
        # by button, while it is down: the answer of a short press on release (None: the evidence), and of a hold
        self._short: dict[str, Offer | None] = {}
        self._hold: dict[str, Offer] = {}
        self._ask((), table.now_ns)

    @property
    def seating(self) -> Seating:
        """The buttons by seat."""
        return Seating(self.play.buttons or self.play.players)

    @property
    def names(self) -> tuple[str, ...]:
        """What the display calls the seats: the people's names, else the buttons' labels."""
        return self.table.roster.at_table(self.play.players, self.people)

    @property
    def mark(self) -> str:
        """How the game stands, in a word: another one after each step."""
        return f"{self._run}.{self._steps}"

    def at_key(self) -> tuple[str, Play]:
        """What the display showed when the key went down that is answered: how the game stood, and the game."""
        return self._seen_before if self.table.made_ns < self._seen_since_ns else self.seen_as

    @property
    def missing(self) -> tuple[Seat, ...] | None:
        """The seats that have not entered their number yet; None where no number is asked of all."""
        q = self.question
        return tuple(seat for seat in q.count if q.holder(seat) not in self.entry.values) if q.count else None

    @property
    def numbers_sent(self) -> dict[Seat, int]:
        """By seat the number that a phone has sent, also at the seats of partners."""
        held = ((seat, self.question.holder(seat)) for seat in self.question.count)
        return {seat: self.sent[first].value for seat, first in held if first in self.sent}

    @property
    def still_asked(self) -> tuple[Seat, ...]:
        """The seats whose answer is missing in the game as it is on the disk; before a signal none."""
        board = self.committed.board
        if waits_for_signal(board):
            return ()
        missing = self.missing if self.committed is self.play else None
        return board.turn if missing is None else missing

    @property
    def page_names(self) -> tuple[str, ...]:
        """What a page calls the seats."""
        return self.table.roster.on_page(self.play.players, self.people)

    @property
    def standing(self) -> tuple[Answered, ...]:
        """What phones have sent and no event has yet."""
        return (*self.sent.values(), *(one for answers in self.kept.values() for one in answers))

    # --- facts -------------------------------------------------------------------------------------------------------

    def take(self, facts: tuple[Fact, ...], answered: Iterable[Key] = (), by: str = "") -> None:
        """Fold facts and journal them; they are shown and heard once they are committed.

        `answered`: the offers that these facts answer; none of them is open any more. `by`: the phone that did.
        """
        if not facts:
            return
        answered = tuple(answered)
        before = self.play.board.race
        raced = running(self.play)
        self.play = reduce(plays.fold, facts, self.play)
        self._steps += 1
        if by:
            self.own = self.play, by
        facts += self._in_turn()
        self.question = question.of(self.play.offers)
        self._signalled = False
        if (clock_ns := self._runs_out()) != self._clock_ns:
            self._clock_ns, self._warned_ns = clock_ns, self.table.now_ns
        going_on = self._ask(answered, facts[-1].at_ns if self.table.ok_ns is None else self.table.ok_ns)
        self.sent = {seat: one for seat, one in self.sent.items() if (seat, one.verb) in going_on}
        self._begin_entry()
        self._waiting.append((self.table.wrote(self.number, facts, self.standing), self.play, self.mark))
        run = self.play.board.race
        if answered and raced and not running(self.play):
            self._verdict_ns, self._untouched = facts[-1].at_ns, True
        elif not all(isinstance(fact.event, (PressedLate, *BY_HAND)) for fact in facts):
            self._untouched, self._void = False, None
        if run is not None and run.judged and (before is None or run.phase != before.phase):
            self._seen_ns = None
        elif run is None or not run.judged:
            self._seen_ns = 0
        if (run := self.play.board.race) is not None and run.gaps:
            self._lively_ns = self.table.now_ns + LIVELY_NS
        self._show_unsaved()
        self.sync_held()
        self.bench()

    def on_commit(self, ticket: int) -> None:
        """Everything up to this ticket is on the disk: it may be shown, and heard."""
        while self._waiting and self._waiting[0][0] <= ticket:
            _ticket, play, mark = self._waiting.popleft()
            before, self.committed = self.committed, play
            self._seen_before, self.seen_as, self._seen_since_ns = self.seen_as, (mark, play), self.table.now_ns
            if self.committed.over and not before.over:
                self._ended_ns = self.table.now_ns
                self._sum()
            flashes = [partial(screens.flash, play, self.table.now_ns, self.names) for play in (before, self.committed)]
            if flashes[1]() and not flashes[0]():
                self.table.flash(LazyText(flashes[1]))
            if tune := sounds.of(before.board, self.committed.board):
                self.table.sound(tune)
        if self.table.lost.display:
            self.seen(self.unseen, self.table.now_ns)

    def _sum(self) -> None:
        """Sum the evening, where anybody has a name."""
        people = self.people

        def summed(evening: Evening | None) -> None:
            if evening is None:
                self._evening_shown = True  # there is nothing to show
            elif self.people is people:  # else it was put right meanwhile
                self.evening = evening

        self.evening, self._evening_shown = None, True
        if self.people and not self.committed.ended:
            self._evening_shown = False
            self.table.sum_evening(summed)

    @property
    def unseen(self) -> Play | None:
        """The game whose picture after a verdict is not on the display yet."""
        return self.committed if self._seen_ns is None and self.committed is self.play else None

    def seen(self, play: Play | None, at_ns: int) -> None:
        """The picture of this game is on the display, or there is no display."""
        if play is not None and play is self.unseen:
            self._seen_ns = at_ns

    def deaf(self, at_ns: int) -> bool:
        """Whether input that begins at this time is ignored: the end of the game has only just been shown."""
        unseen = self.play.over and not self.committed.over
        return self.play.over and (unseen or (self._ended_ns is not None and at_ns < self._ended_ns + QUIET_NS))

    @property
    def waited(self) -> int:
        """How many of `WAIT_STEPS` the end picture has stood; all of them: input counts."""
        if self._ended_ns is None:
            return WAIT_STEPS
        return min(WAIT_STEPS, (self.table.now_ns - self._ended_ns) * WAIT_STEPS // QUIET_NS)

    def _waited_ns(self) -> int | None:
        """When the picture shows the next step."""
        if self._ended_ns is None or not self.committed.over or self.waited == WAIT_STEPS:
            return None
        return self._ended_ns + (self.waited + 1) * QUIET_NS // WAIT_STEPS

    @property
    def quiet(self) -> bool:
        """Whether something else may come over the picture: no race or signal is due, no press may belong to one."""
        now_ns = self.table.now_ns
        before = self.racing() or self.question.kind is Kind.WAIT
        after = self._seen_ns is None or self._void is not None or now_ns < self._verdict_ns + LATE_NS
        return not (before or after or self.deaf(now_ns))

    def _show_unsaved(self) -> None:
        """Where storage fails the game goes on in memory: show its facts without waiting for a commit."""
        if not self.table.saved and self._waiting:
            self.on_commit(self._waiting[-1][0])

    def answer(self, action: Action, by: str = "") -> bool:
        """Answer an offer. False: it was refused, and nothing happened. `by`: the phone that does."""
        if plays.due_by(self.play, action.at_ns) is not None:
            self.bench(stuck=True)  # the race is judged first
        try:
            self.take(plays.answer(self.play, action), [(action.seat, action.verb)], by)
        except Refused:
            return False
        return True

    def enter(self, offer: Offer, word: str, by: str) -> bool:
        """Answer with a whole word where one is spelled; empty: with none. False: it was refused."""
        key = (offer.seat, offer.verb)
        try:
            self.take(plays.entered(self.play, *key, word, self.table.now_ns), [key], by)
        except Refused:
            return False
        return True

    def answer_late(self, action: Action) -> None:
        """Answer an offer from when a menu was opened: the game may have gone on since."""
        if not self.answer(action):
            self.table.refuse(L_("too late: the game has gone on"))

    def _ask(self, answered: Iterable[Key], at_ns: int) -> set[Key]:
        """Note since when each offer has been open. Returns those that go on: unchanged, and not answered.

        `at_ns`: when that was done which has opened them. A race is open from then on, any other question from now on.
        """
        before, self._open = self._open, {}
        self._asking += 1
        going_on: set[Key] = set()
        for offer in self.play.offers:
            key, label = (offer.seat, offer.verb), self.play.rules.label(self.play.state, offer, None)
            was, early = before.get(key), self._early.get(key)
            if was is not None and was[0] == label and key not in answered:
                self._open[key] = was
                going_on.add(key)
            else:
                number = early[1] if early is not None and early[0] == label else self._asking
                self._open[key] = (label, at_ns if offer.fresh else self.table.now_ns, number)
        self._look_ahead()
        shows = self.play.board.race is not None and self.play.board.race.judged
        self._short = {b: o for b, o in self._short.items() if (shows if o is None else (o.seat, o.verb) in going_on)}
        self._hold = {button: o for button, o in self._hold.items() if (o.seat, o.verb) in going_on}
        return going_on

    def asked_as(self, offer: Offer) -> int:
        """The number of the question that an offer asks: another one each time it is asked."""
        key = (offer.seat, offer.verb)
        return self._open[key][2] if key in self._open else self._early[key][1]

    def asked(self, offer: Offer | None, made_ns: int) -> bool:
        """Whether an offer was open and visible when a press or a turn was made."""
        if offer is None or offer.verb == HANDS:
            return True
        if offer.race and not offer.fresh:
            return made_ns >= self.play.listens_ns
        if offer.race:
            return made_ns >= max(self.play.listens_ns, self._open[(offer.seat, offer.verb)][1])
        return self._seen_ns is not None and made_ns >= max(self._seen_ns, self._open[(offer.seat, offer.verb)][1])

    def answer_all(self, actions: list[Action], by: str = "") -> LazyText | None:
        """Answer several offers, or none of them and return the reason."""
        play = self.play
        facts: list[Fact] = []
        for action in actions:
            try:
                more = plays.answer(play, action)
            except Refused as refused:
                offer = next((o for o in play.offers if (o.seat, o.verb) == (action.seat, action.verb)), None)
                if offer is None or offer.seat is None:
                    return lazy(refused.text)
                return beyond(self.names[offer.seat], offer, action.value)
            play = reduce(plays.fold, more, play)
            facts += more
        self.take(tuple(facts), [(action.seat, action.verb) for action in actions], by)
        return None

    # --- before their turn -------------------------------------------------------------------------------------------

    def early(self, offer: Offer) -> bool:
        """Whether an offer that phones may answer is to a seat whose turn has not come."""
        return (offer.seat, offer.verb) not in self._open

    def keep(self, answer: Kept) -> bool:
        """A phone answers for a seat before its turn. False: it is refused."""
        if not ahead.fits(self.later[answer.seat], answer):
            return False
        if self.own is not None and self.own[1] == answer.phone:  # it is not its latest any more
            self.own = None
        self._keep([answer])
        self._look_ahead((answer.seat, answer.verb))
        self.table.wrote(self.number, (), self.standing)
        return True

    def _keep(self, answers: Iterable[Kept]) -> None:
        for one in answers:
            self.kept[one.seat] = (*self.kept.pop(one.seat, ()), one)

    def take_back(self, seat: Seat) -> None:
        """The latest of what a seat has answered before its turn does not stand."""
        *left, _latest = self.kept.pop(seat)
        self._keep(left)
        self._look_ahead()
        self.table.wrote(self.number, (), self.standing)

    def forget(self, words: Collection[str]) -> None:
        """These are to be forgotten: they do not stand any more."""
        left = [one for one in without(self.standing, words) if isinstance(one, Kept)]
        self.kept = {}
        self._keep(left)
        self._look_ahead()

    def _in_turn(self) -> tuple[Fact, ...]:
        """Give what was kept for the seat that is asked now, and so on. What does not fit is dropped."""
        facts: tuple[Fact, ...] = ()
        while (seat := next((seat for seat in self.kept if ahead.asked(self.play, seat)), None)) is not None:
            answers = self.kept.pop(seat)
            more, fits = ahead.given(self.play, answers, self.table.now_ns)
            phone = answers[-1].phone
            if more:
                self.play = reduce(plays.fold, more, self.play)
                self.own, facts = (self.play, phone), facts + more
            if not fits:
                self._fits_no_more(seat, phone)
        if not self.play.over:
            for seat, answers in [*self.kept.items()]:
                if not ahead.stands(self.play, seat, answers):
                    del self.kept[seat]
                    self._fits_no_more(seat, answers[-1].phone)
        return facts

    def _fits_no_more(self, seat: Seat, phone: str) -> None:
        """Tell a phone that its early answers are dropped: another seat has taken the same."""
        if self.table.phones is not None:
            name = self.page_names[seat]
            self.table.phones.tell(phone, L_("What was entered for {name} fits no more: enter it again.", name=name))

    def _look_ahead(self, answered: Key | None = None) -> None:
        """What is asked of seats before their turn; `answered`: this no more."""
        before, self._early = self._early, {}
        self.later = ahead.later(self.play, self.kept)
        for seat, play in self.later.items():
            for offer in play.offers:
                key, label = (seat, offer.verb), play.rules.label(play.state, offer, None)
                was = before.get(key)
                if offer.seat != seat:
                    continue
                if was is None or was[0] != label or key == answered:
                    self._asking += 1
                    was = label, self._asking
                self._early[key] = was

    def opened(self) -> None:
        """The game is on top from now on."""
        self.sync_held()
        self._show_unsaved()

    # --- buttons -----------------------------------------------------------------------------------------------------

    def press(self, button: str, at_ns: int, error_ns: int, early_ns: int = 0) -> None:
        """A player's button went down."""
        seat = self.seating.seat(button)
        if seat is None:
            self._not_asked(button)
            return
        self.tick(at_ns, early_ns)  # earlier due offers are answered first: a race that is over takes no more presses
        self._short.pop(button, None)  # of a press without a release, as its line was lost
        self._hold.pop(button, None)
        q, hold = self.question, self._held_means(seat, at_ns)
        answers = self._answers(seat)
        if self._void is not None and self._void[0] == seat:  # its own press stands after all
            self._let_stand()
        elif (
            self._after_race(Press(seat, at_ns, error_ns, early_ns), answers)
            or self._void is not None
            or self.deaf(at_ns)
            or not self.asked(answers, at_ns)
        ):  # of the race that is over, or made before the question was seen: it clicks, and changes nothing
            self.table.click(button)
            if hold is not None and hold.verb == TAKE_BACK:
                self._hold[button] = hold
        elif seat in q.count:  # more of what is counted
            self.tap(seat)
            self._hold[button] = q.count[seat]
        elif answers is not None and answers.alone:
            self.pick(seat)
        elif answers is not None and answers.low is not None and answers.seat is None:
            self._tap_for_table(seat, answers)
            if answers.says != "seats":
                self._hold[button] = answers
        elif answers is not None:  # the answer to the question
            if not answers.race and hold is not None:  # holding means something else: wait for the release
                self._short[button], self._hold[button] = answers, hold
            else:
                self._short_press(seat, answers, at_ns, error_ns, early_ns)
            self.table.click(button)
        elif self._takes_up(seat, at_ns):
            pass
        elif hold is not None:  # only holding means something
            self._hold[button] = hold
            if self._seen_ns is not None and not self.racing():
                self._short[button] = None
        elif seat not in q.release and not self.show_evidence():  # nothing is asked of it, and no race to look at
            self.table.sound(sounds.REFUSED)
            self._not_asked(button)

    def _not_asked(self, button: str) -> None:
        """Say whose turn it is; not over a picture on which a signal or a race is waited for."""
        q = self.question
        if q.kind in (Kind.RACE, Kind.WAIT) or self.wants_held() or not self.quiet or waits_for_signal(self.play.board):
            return
        if self.seating.seat(button) is None:
            self.table.note(L_("{button} is not in this game", button=button))
        elif self.play.over:
            self.table.note(L_("the game is over"))
        elif waited := self._waited_for():
            labels = self.play.players
            texts = [" ".join(each[seat] for seat in waited) for each in (self.names, labels)]
            if len(waited) == 1:
                says = [L_("it is {name}'s turn", name=one) for one in texts]
            else:
                says = [L_("still asked: {names}", names=one) for one in texts]
            says.append(L_("{n} are still asked", n=len(waited)))
            self.table.note(LazyText(lambda: fit(in_words((*says,)), WIDTH_PX - 1, SMALL)))
        elif q.control is None:
            self.table.note(L_("OK answers this"))
        else:
            self.table.note(L_("the knob answers this") if self.table.knob else L_("▲▼ and OK answer this"))

    def _waited_for(self) -> tuple[Seat, ...]:
        """The seats whose answer is missing: none where the table is asked."""
        q = self.question
        if q.kind is Kind.COUNT:
            return self.missing or ()
        if q.control is not None:
            return () if q.control.seat is None else (q.control.seat,)
        return tuple(sorted({offer.seat for offer in q.picks if offer.seat is not None} | set(q.press)))

    def _answers(self, seat: Seat) -> Offer | None:
        """The offer that a press of this seat's button has to do with."""
        q = self.question
        if own := q.press.get(seat) or q.count.get(seat) or next((o for o in q.picks if o.seat == seat), None):
            return own
        by_table = seat in q.named or (q.kind is Kind.NUMBER and q.control is not None and q.tapped)
        return q.control if seat == q.chooser or by_table else None

    def _held_means(self, seat: Seat, at_ns: int) -> Offer | None:
        """The offer that holding a button answers which is pressed now."""
        offer = self.question.hold.get(seat)
        after = offer is not None and offer.verb == TAKE_BACK and not self.racing()
        return None if after and not self._voids(seat, at_ns) else offer

    def may_void(self, at_ns: int) -> bool:
        """Whether any player may still take back a press of the race that is over by holding the own button."""
        return not self.racing() and any(self._voids(seat, at_ns) for seat in self.question.hold)

    def _voids(self, seat: Seat, at_ns: int) -> bool:
        """Whether holding takes back a press of the race that is judged.

        Only for a while, and only before the next question is answered; later the control does it.
        """
        offer = self.question.hold.get(seat)
        in_time = self._untouched and at_ns < self._verdict_ns + VOID_NS
        return in_time and offer is not None and offer.verb == TAKE_BACK

    def _let_stand(self) -> None:
        """Do not take the press back after all: its own player or the control stopped it."""
        self._void = None
        self.table.sound(sounds.REFUSED)

    def _short_press(self, seat: Seat, offer: Offer, at_ns: int, error_ns: int = 0, early_ns: int = 0) -> None:
        """A press answers, or steps through the options of the seat's own choice."""
        if offer != self.question.control:
            self.answer(Action(seat, offer.verb, None, at_ns, error_ns, early_ns=early_ns))
        else:
            self.choose(offer, 1)

    def _takes_up(self, seat: Seat, at_ns: int) -> bool:
        """A press of the seat that is asked next confirms the choice before it, if one was made."""
        q = self.question
        if q.chooser is None or q.control is None or not self.entry.values or not self.asked(q.control, at_ns):
            return False
        action = Action(q.chooser, q.control.verb, chosen(q, self.entry), self.table.now_ns)
        try:
            facts = plays.answer(self.play, action)
        except Refused:
            return False
        following = question.of(reduce(plays.fold, facts, self.play).offers)
        if seat != following.chooser and seat not in following.seats:
            return False
        self.take(facts, [(action.seat, action.verb)])
        self.table.sound(sounds.DONE)
        return True

    def wants(self, button: str) -> bool:
        """Whether the open question uses this button."""
        seat, q = self.seating.seat(button), self.question
        if seat is None:
            return False
        return self._answers(seat) is not None or any(seat in asked for asked in (q.hold, q.release))

    def _after_race(self, press: Press, answers: Offer | None) -> bool:
        """Whether a press still belongs to a race that is judged already: it answers nothing else.

        The first one of a runner who had not pressed is recorded as evidence. Once people have opened another race,
        presses belong to that.
        """
        run, seat = self.play.board.race, press.seat
        if run is None or not run.judged or seat not in run.seats or press.at_ns >= self._verdict_ns + LATE_NS:
            return False
        if answers is not None and answers.race and not self._untouched:
            return False
        known = {other.seat for other in (*run.presses, *plays.came_late(self.play))}
        if seat not in known:
            self.take(plays.late(self.play, press, self.table.now_ns))
            if press.at_ns - press.early_ns <= self._verdict_ns:
                self.table.note(L_("{name} came in too late to count: see the evidence", name=self.names[seat]))
        return True

    def show_evidence(self) -> bool:
        """Show the stamps of the race that is over. False: there is none."""
        run = self.committed.board.race
        if run is None or not run.judged:
            return False
        self.table.sound(sounds.CLICK)
        self.table.open(self.table.menus.stamps(self))
        return True

    def bench(self, *, stuck: bool = False) -> None:
        """Bench the seats of a race that have not pressed and whose button is lost: the table rules for them.

        A `stuck` button may come free in time: it is benched only when the race is judged.
        """
        offer = next((offer for offer in self.play.offers if offer.verb == BENCH), None)
        if offer is None:
            return
        due_ns = self.play.due_ns
        at_ns = self.table.now_ns if due_ns is None else min(self.table.now_ns, due_ns - 1)
        for seat in offer.options:
            assert isinstance(seat, int)
            button = self.seating.button(seat)
            if not self.table.works(button) or (stuck and not self.table.live(button)):
                self.answer(Action(None, BENCH, seat, at_ns))

    def parts(self) -> None:
        """A part is lost, or back."""
        self.bench()
        if self.table.lost.display:
            self.seen(self.unseen, self.table.now_ns)

    def release(self, button: str, at_ns: int) -> None:
        """A player's button went up."""
        seat = self.seating.seat(button)
        if seat is None:
            return
        was_short = button in self._short
        short = self._short.pop(button, None)
        self._hold.pop(button, None)
        if seat in self.question.release:
            self.answer(Action(seat, self.question.release[seat].verb, None, at_ns))
        elif short is not None:
            self._short_press(seat, short, at_ns)
        elif was_short:
            self.show_evidence()

    def hold(self, button: str, at_ns: int) -> None:
        """A player's button has been down for 0.6 s."""
        seat = self.seating.seat(button)
        self._short.pop(button, None)
        offer = self._hold.pop(button, None)
        if seat is None or offer is None:
            return
        self.table.close_all()  # show the answer
        if offer.low is not None:
            key = None if offer.seat is None else question.holder(offer)
            self._enter(key, home(offer))
            self.entry = replace(self.entry, latest=key)
            self.table.sound(sounds.DONE)
        elif offer.verb == TAKE_BACK and not self.racing():
            self._void = (seat, at_ns + VOID_NOTICE_NS)
            self.table.sound(sounds.VOID)
        else:
            self.table.sound(sounds.BACK)
            self.answer(Action(seat, offer.verb, None, at_ns))

    def sync_held(self) -> None:
        """Where holding is the question, answer for buttons that are down already, or up again."""
        table = self.table
        for seat in range(len(self.play.players)):
            button, q = self.seating.button(seat), self.question
            if seat in q.press and q.press[seat].verb == HANDS and table.is_down(button):
                self.answer(Action(seat, HANDS, None, table.now_ns))
            elif seat in q.release and not table.is_down(button) and table.live(button):
                self.answer(Action(seat, q.release[seat].verb, None, table.now_ns))

    def wants_held(self) -> bool:
        """Whether holding a button is an answer just now."""
        return bool(self.question.hands)

    # --- the control -------------------------------------------------------------------------------------------------

    def tap(self, seat: Seat) -> None:
        """A press of a seat's button counts, or goes on to the next word."""
        offer, key = self.question.count[seat], self.question.holder(seat)
        called = self.none_counted  # there is something: it is counted from now on
        if called or (self._wrong and long(offer) and self.entry.latest != key):  # the control puts it right
            self.entry = replace(self.entry, latest=key)
            self.table.sound(sounds.CLICK)
        else:
            self.count(seat, pressed(offer))

    def count(self, seat: Seat, steps: int) -> None:
        """Change a half-entered number: it stops at its limits, audibly. Words go round."""
        offer, key = self.question.count[seat], self.question.holder(seat)
        old = shown(self.question, self.entry, seat) if choices(offer) else self.entry.values.get(key)
        value = moved(offer, old, steps)
        inside = within(offer, value)
        fits = inside == value or old is None
        self.table.sound(sounds.CLICK if fits else sounds.REFUSED)
        self._enter(key, inside)
        self.entry = replace(self.entry, latest=key, missing=())
        self._note_entry(None if fits else beyond(self.names[seat], offer, value))

    def pick(self, seat: Seat) -> None:
        """A press of a seat's button picks its question, or steps through those that it may pick from."""
        own = [offer for offer in self.question.picks if offer.seat == seat]
        if len(own) > 1:
            self._step_picks(1)
        else:
            self._pick(own[0])

    def _step_picks(self, down: int) -> None:
        """Step through the questions of which one is picked."""
        at, many = self.entry.values.get(None), len(self.question.picks)
        first = 0 if len({offer.seat for offer in self.question.picks}) == 1 else -1 if down > 0 else many
        self.entry = Entry({None: ((first if at is None else at) + down) % many})
        self.table.sound(sounds.TURN)

    def _pick(self, offer: Offer | None) -> None:
        """This one of several questions is answered from now on; None: it is open again which."""
        picked = None if offer is None else (offer.seat, offer.verb)
        self.entry = Entry(latest=None if offer is None else offer.seat, picked=picked)
        self.question = question.of(self.play.offers, picked)
        self._hold = {}
        self.table.sound(sounds.BACK if offer is None else sounds.CLICK)

    def _tap_for_table(self, seat: Seat, offer: Offer) -> None:
        """A press names its own seat, or counts ten steps of the table's number."""
        if offer.says == "seats":
            self.entry = Entry({None: choices(offer).index(seat)})
            self.table.sound(sounds.CLICK)
        else:
            self._count_for_table(offer, pressed(offer))

    def _count_for_table(self, offer: Offer, steps: int) -> None:
        value = chosen(self.question, self.entry)
        assert isinstance(value, int)
        self.entry = Entry({None: within(offer, moved(offer, value, steps))})
        self.table.sound(sounds.TURN)

    def _note_entry(self, note: LazyText | None) -> None:
        """What is wrong with the numbers stands over them until the next key; None: nothing is."""
        self.entry = replace(self.entry, note=note)
        if note is not None:
            self.table.flash(note)

    @property
    def _wrong(self) -> bool:
        """Whether the same is asked again, as something is wrong with it."""
        return bool(not self.play.over and self.play.rules.face(self.play.state).wrong)

    def _entry(self) -> Entry:
        """What stands where nobody has entered anything at the kit: what phones have sent, and what was wrong."""
        picked, values = None, dict[Seat | None, int]()
        if self._wrong:
            picked = self.entry.picked
            numbers = question.of(self.play.offers, picked).numbers
            values = {seat: one.prefill for seat, one in numbers.items() if one.prefill is not None}
        values |= {seat: one.value for seat, one in self.sent.items()}
        return Entry(values, picked=picked) if values or picked else EMPTY

    def _begin_entry(self) -> None:
        """The question is new, and so is what is entered."""
        self.entry = self._entry()
        self.question = question.of(self.play.offers, self.entry.picked)

    def _enter(self, seat: Seat | None, value: int) -> None:
        """A number is entered; one that a phone has sent is stored as it is now."""
        self.entry = replace(self.entry, values={**self.entry.values, seat: value}, note=None)
        if seat is not None and seat in self.sent:
            self.sent[seat] = self.sent[seat]._replace(value=value)
            self.table.wrote(self.number, (), self.standing)

    def send(self, number: Sent) -> int:
        """A phone has sent a number for a seat that is asked for one. Returns the ticket of its commit.

        It may be changed until OK, or until all have sent theirs: then the question is closed.
        """
        seat, numbers = self.question.holder(number.seat), self.question.numbers
        self.sent[seat] = number._replace(seat=seat)
        self._enter(seat, number.value)
        if all(one in self.sent for one in numbers):
            self.enter_counts(number.phone if len(numbers) == 1 else "")
        return self.table.ticket

    def turn(self, steps: int, knob: bool) -> None:
        """The knob was turned (clockwise is positive) or an arrow pressed (▲ is positive)."""
        q = self.question
        if self._void is not None:  # its notice stays visible
            self.table.sound(sounds.REFUSED)
        elif q.kind is Kind.COUNT:
            latest = self.answered_for if self.answered_for is not None else self.entry.latest
            if len(q.numbers) == 1:
                (latest,) = q.numbers
            if latest is None or latest not in q.count:
                self._note_entry(L_("tap your button first"))
            else:
                self.count(latest, steps)
        elif q.kind is Kind.PICK:
            self._step_picks(downwards(steps, knob))
        elif q.control is None:
            if q.ok is not None and steps > 0 and (dead := self.answered_for) is not None:
                if self.asked(q.press[dead], self.table.made_ns):
                    self.answer(Action(dead, q.press[dead].verb, None, self.table.now_ns))
            elif q.turns_to_more and downwards(steps, knob) > 0:
                self.table.sound(sounds.TURN)
                more = self.table.menus.more(self, self.table.made_ns + NUDGE_NS)
                self.table.open(more)
                more.turn(steps - (1 if steps > 0 else -1), knob)
            else:
                self.show_evidence()
        elif choices(q.control):
            down = downwards(steps, knob)
            if q.control.options == ("yes", "no") and not self.table.knob:
                if self.asked(q.control, self.table.made_ns):
                    self.answer_by_control("no" if down > 0 else "yes")
            else:
                self.choose(q.control, down)
        else:
            self._count_for_table(q.control, steps)

    @property
    def none_counted(self) -> bool:
        """Whether OK may still say that there is nothing to count."""
        return question.none_counted(self.question, self.entry)

    def choose(self, offer: Offer, down: int) -> None:
        """Step through the options; after the last comes the first."""
        self.entry = Entry({None: (question.place(offer, self.entry) + down) % len(choices(offer))})
        self.table.sound(sounds.TURN)

    def answer_by_control(self, value: Value) -> None:
        """Answer the offer that the control chooses or counts for."""
        offer = self.question.control
        assert offer is not None
        if self.answer(Action(offer.seat, offer.verb, value, self.table.now_ns)):
            self.table.sound(sounds.DONE)

    @property
    def dead(self) -> tuple[Seat, ...]:
        """The seats whose button does not work."""
        return tuple(s for s in range(len(self.play.players)) if not self.table.live(self.seating.button(s)))

    @property
    def answered_for(self) -> Seat | None:
        """The seat that the control answers for next."""
        return answered_for(self.question, self.entry, self.dead)

    def ok(self) -> None:
        """A short OK."""
        if self.question.kind is Kind.RACE and self.question.ok is not None:  # it ends the race, or rules on it
            self.bench(stuck=True)
        q = self.question
        dead = self.answered_for
        answers = (*q.count.values(), *q.picks, q.control, q.ok, None if dead is None else q.press.get(dead))
        if self._void is not None:
            self._let_stand()
        elif not all(self.asked(offer, self.table.made_ns) for offer in answers):
            self.table.sound(sounds.CLICK)
        elif q.kind is Kind.OVER:
            self.table.sound(sounds.CLICK)
            self.table.open(self.table.menus.ending(self))
            if not self._evening_shown:
                self._evening_shown = True
                self.table.open(self.table.menus.evening(self.table, self.evening))
        elif q.kind is Kind.COUNT and not self.none_counted:
            self.enter_counts()
        elif q.kind is Kind.PICK:
            at = self.entry.values.get(None, 0 if q.box is not None else None)
            if at is None:
                self.table.sound(sounds.REFUSED)
            else:
                self._pick(q.picks[at])
        elif q.control is not None:
            self.answer_by_control(chosen(q, self.entry))
        elif q.ok is not None:
            self.table.sound(sounds.DONE)
            self.answer(Action(None, q.ok.verb, None, self.table.now_ns))
        elif (seat := self.answered_for) is not None:
            self.answer(Action(seat, q.press[seat].verb, None, self.table.now_ns))
        elif q.kind is Kind.TAP and any(self._notes(offer) for offer in q.menu):  # before it is answered
            self.table.sound(sounds.CLICK)
            self.table.open(self.table.menus.more(self, 0))
        else:
            self.table.sound(sounds.REFUSED)

    def _notes(self, offer: Offer) -> bool:
        """Whether a side entry leaves the question open, so that a stray OK does no harm."""
        try:
            facts = plays.answer(self.play, Action(offer.seat, offer.verb, offer.low, self.table.now_ns))
        except Refused:
            return False
        return question.of(reduce(plays.fold, facts, self.play).offers).press == self.question.press

    def enter_counts(self, by: str = "") -> None:
        """OK closes a parallel entry: one step for all its seats. Missing numbers are asked about once.

        `by`: the phone that has sent all of it.
        """
        q, entry, dead = self.question, self.entry, without_button(self.question, self.dead)
        if entry.latest in dead:  # then the next seat without a button, or the others
            self.entry = entry = replace(entry, latest=None)
            if any(seat in dead and shown(q, entry, seat) is None for seat in q.numbers):
                return
        missing = tuple(seat for seat in q.numbers if shown(q, entry, seat) is None)
        if missing and any(home(q.count[seat]) for seat in missing):
            self._note_entry(L_("{name}: no number", name=self.names[missing[0]]))
            self.table.sound(sounds.REFUSED)
            return
        if missing and entry.missing != missing:
            self.entry = replace(entry, missing=missing, note=None)
            self.table.sound(sounds.REFUSED)
            return
        actions = [Action(s, offer.verb, shown(q, entry, s) or 0, self.table.now_ns) for s, offer in q.numbers.items()]
        if reason := self.answer_all(actions, by):
            self._note_entry(reason)
            self.table.sound(sounds.REFUSED)
        else:
            self.table.sound(sounds.DONE)

    def ok_hold(self) -> None:
        """A long OK: Back."""
        if self._void is not None:
            self._let_stand()
        elif self.entry.picked is not None and len(self.question.picks) > 1:
            self._pick(None)
        else:
            self.table.open(self.table.menus.back(self))

    def sit(self, people: Mapping[Seat, str | None]) -> None:
        """From now on these people sit here, and have from the start: no step of the game, so undo leaves it alone."""
        changed = {seat: person for seat, person in people.items() if self.people.get(seat) != person}
        if changed:
            self.table.journal.seat(self.number, changed)
            self.evening = None
        for seat, person in changed.items():
            if person is not None and seat not in self.people and self.table.phones is not None:
                self.table.phones.follow(self.seating.button(seat), person)
        self.people = {seat: person for seat, person in people.items() if person is not None}
        self.table.roster.sat_down({self.seating.button(seat): person for seat, person in self.people.items()})

    def again(self) -> None:
        """The same game once more: the same players at the same buttons, the same options."""
        self.table.put_away(self)
        play = self.play
        begin(self.table, play.rules, play.players, play.options, play.buttons, people=self.people)

    def leave(self) -> None:
        """To the menu; the game can be continued, or its end undone."""
        self.table.put_away(self)
        self.table.go_home()

    # --- time --------------------------------------------------------------------------------------------------------

    def tick(self, now_ns: int, early_ns: int = 0) -> None:
        """Time has passed. `early_ns`: of a press that was made now, or so much sooner."""
        if self._void is not None and self._void[1] <= now_ns:
            (seat, due_ns), self._void = self._void, None
            self.answer(Action(seat, TAKE_BACK, None, due_ns))
        self._warn(now_ns)
        while (due := plays.due_by(self.play, now_ns, early_ns)) is not None:
            if self._waits(due):
                return
            if due.verb == GO:
                at_ns: int | None = now_ns
                if not self._signalled:
                    self._signalled = True
                    self._signal, at_ns = self.table.signal(self.seating.buttons)
                elif now_ns < due.at_ns + SIGNAL_NS:
                    return  # on its way to the display
                if at_ns is not None:
                    self.signal_given(at_ns)
                return
            self.answer(due)

    def _runs_out(self) -> Left | None:
        """When the time that people see running is up."""
        return None if self.play.over else runs_out(self.play.rules.face(self.play.state))

    def _warn(self, now_ns: int) -> None:
        """Be heard when little time is left by a clock, and when none is; a clock that only warns says it, too."""
        if (clock_ns := self._clock_ns) is None:
            return
        due = [(at_ns, tune) for at_ns, tune in ((clock_ns - HURRY_NS, sounds.HURRY), (clock_ns, sounds.TIME_UP))]
        heard = [(at_ns, tune) for at_ns, tune in due if self._warned_ns < at_ns <= now_ns]
        self._warned_ns = max(self._warned_ns, now_ns)
        for at_ns, tune in heard[-1:]:
            self.table.sound(tune)
            if at_ns == clock_ns and isinstance(clock_ns, Overtime):
                who = " ".join(self.names[seat] for seat in self.play.board.turn)
                self.table.note(L_("{name}: time is up", name=who))

    def _clock_changes_ns(self, now_ns: int) -> int | None:
        """When the next second of a clock begins that people see running."""
        clock_ns = self._clock_ns
        if clock_ns is None or (now_ns >= clock_ns and not isinstance(clock_ns, Overtime)):
            return None
        return now_ns + 1 + (clock_ns - now_ns - 1) % SLOW_CLOCK_NS

    def _waits(self, due: Action) -> bool:
        """Whether a verdict waits: a touch before the press that it would name may still become a press.

        So does the end of the time for a press: one before it may count.
        """
        if (unsure_ns := self.table.unsure_ns) is None:
            return False
        if due.verb == SETTLE:
            return unsure_ns < due.at_ns - SETTLE_NS + max(self.table.standing.errors_ns.values())
        offer = plays.next_due(self.play)
        return offer is not None and offer.race and due.verb != GO and unsure_ns < due.at_ns

    def undecided(self, at_ns: int) -> bool:
        """Whether a verdict that was due by then waits for a touch."""
        due = plays.due_by(self.play, at_ns)
        return due is not None and self._waits(due)

    def signal_given(self, at_ns: int) -> None:
        """The go-signal was given at `at_ns`; one that is not waited for any more has no effect."""
        if not self._signalled:
            return
        due = plays.next_due(self.play)
        if due is not None and due.verb == GO and due.due_ns is not None:
            self.answer(Action(None, GO, None, max(at_ns, due.due_ns), signal=self._signal))

    def due_ns(self, now_ns: int) -> int | None:
        """When time matters next, or the picture changes by itself."""
        times = (self._answered_ns(now_ns), self._clock_changes_ns(now_ns), self._waited_ns())
        due_ns = min((time for time in times if time is not None), default=None)
        void_ns = self._verdict_ns + VOID_NS  # the end of the time in which a hold takes a press back
        if not self._untouched or void_ns <= now_ns:
            return due_ns
        return void_ns if due_ns is None else min(due_ns, void_ns)

    def _answered_ns(self, now_ns: int) -> int | None:
        """When the clock answers next, or the picture of a running clock changes."""
        due_ns = self.play.due_ns if self._void is None else self._void[1]
        if due_ns is not None and self.undecided(due_ns):
            return None  # until the touch is a press, or none
        if self._signalled and due_ns is not None:
            due_ns += SIGNAL_NS
        run = self.play.board.race
        ticking = run is not None and run.phase in ("armed", "running") and (run.since_ns, due_ns) != (None, None)
        if not ticking and now_ns >= self._lively_ns:
            if due_ns is None or self._signalled:
                return due_ns
            full = max(0, (due_ns - now_ns - 1) // SLOW_CLOCK_NS)
            return due_ns - full * SLOW_CLOCK_NS  # a turn timer shows seconds
        since_ns = now_ns if run is None or run.since_ns is None else run.since_ns
        clock_ns = now_ns + (CLOCK_NS if now_ns - since_ns < SLOW_AFTER_NS else SLOW_CLOCK_NS)
        return clock_ns if due_ns is None else min(due_ns, clock_ns)

    # --- pictures ----------------------------------------------------------------------------------------------------

    def racing(self) -> bool:
        """Whether every press counts, even while the display sleeps."""
        return self.question.kind is Kind.RACE or bool(self.question.release)

    def lamps(self) -> frozenset[str]:
        """The buttons that are asked."""
        q = self.question
        if q.kind is Kind.COUNT:
            entered = self.entry.values
            words = {seat for seat, offer in q.count.items() if choices(offer) and q.holder(seat) not in entered}
            seats = tuple(seat for seat in q.count if seat in words or shown(q, self.entry, seat) is None)
        elif q.picks or q.named:
            seats = q.seats
        else:
            seats = tuple(q.press) if q.chooser is None else (*q.press, q.chooser)
        waiting = any(offer.verb == GO for offer in self.play.offers)
        return frozenset() if waiting else frozenset(self.seating.button(seat) for seat in seats)

    def signalling(self) -> bool:
        """Whether a picture that is the go-signal is on its way to the display."""
        return self._signalled

    def signal_picture(self, now_ns: int) -> Image.Image:
        """The picture of the go-signal."""
        due_ns = self.play.due_ns
        facts = plays.answer(self.play, Action(None, GO, None, max(now_ns, due_ns or 0)))
        return screens.draw(reduce(plays.fold, facts, self.play), EMPTY, now_ns, knob=self.table.knob, names=self.names)

    def picture(self, now_ns: int) -> Image.Image:
        """The picture for the display."""
        if self._void is not None:
            return notices.void(self.names[self._void[0]])
        same = self.committed.state == self.play.state and self.committed.ended == self.play.ended
        entry = self.entry if same else EMPTY
        void = same and self.may_void(now_ns)
        picture = screens.draw(
            self.committed,
            entry,
            now_ns,
            knob=self.table.knob,
            dead=self.dead,
            void=void,
            names=self.names,
            away=self._away(),
        )
        waits = self.committed.over and self.waited < WAIT_STEPS
        return notices.waiting(picture, self.waited / WAIT_STEPS) if waits else picture

    def _away(self) -> frozenset[Seat]:
        """The seats that are asked, have not answered, and whose phone is asleep."""
        phones, q = self.table.phones, self.question
        if phones is None or q.kind is Kind.RACE:
            return frozenset()
        asked = {s for s in q.seats if (q.holder(s) if s in q.count else s) not in self.entry.values}
        return phones.away & (
            asked | ({q.control.seat} if q.control is not None and q.control.seat is not None else set())
        )


def begin(
    table: Table,
    rules: Rules[Any, Any],
    players: tuple[str, ...],
    options: object,
    buttons: tuple[str, ...] = (),
    *,
    people: Mapping[Seat, str] = {},
) -> None:
    """A new game; with `buttons` by seat where they are not those with the players' names. Raises `Refused`.

    `people`: the ids of those who sit there; guests are left out.
    """
    first = plays.start(rules, players, options, table.seed(), table.now_ns)
    if table.phones is not None:
        table.phones.expire(begins=True)
    game = table.journal.begin_game(rules.name, rules.text)
    table.shelf = table.shelf.played(rules.name)
    if people:
        table.journal.seat(game, people)
    table.roster.sat_down({(buttons or players)[seat]: person for seat, person in people.items()})
    table.unfinished = None
    play = plays.opened(rules, first, table.boot)
    facts: tuple[Fact, ...] = (first,)
    if (carryover := table.carryovers.get(rules.name)) is not None and carryover.value:
        facts += plays.answer(play, Action(None, RECALL, carryover.value, table.now_ns))
    if buttons:
        facts += plays.reseat(play, buttons, table.now_ns)
    table.play(Playing(table, game, reduce(plays.fold, facts[1:], play), table.wrote(game, facts), people))


def resume(table: Table, unfinished: Unfinished, *, by_itself: bool = False) -> None:
    """Go on with a game; a race of which presses may have been missed begins again, and people are told.

    `by_itself`: nobody has asked for it. Then a race that would be open at once waits until somebody does: the first
    one to know would be the first.
    """
    game, play, record, people, sent = unfinished
    raced, facts = presses_race(play), plays.resume(play, table.boot, table.now_ns)
    play = reduce(plays.fold, facts, play)
    races = presses_race(play)
    if by_itself and races:
        return
    if record is not None:
        table.journal.take_up(record, goes_on=not unfinished.play.over)
    sent = still_standing(play, sent)
    table.unfinished = None
    table.play(Playing(table, game, play, table.wrote(game, facts, sent), people, sent))
    if raced or races:
        table.note(lazy(RACE_AGAIN))


def presses_race(play: Play) -> bool:
    """Whether presses count for a race."""
    return any(offer.race and offer.seat is not None for offer in play.offers)


def still_standing(play: Play, sent: Iterable[Answered]) -> tuple[Answered, ...]:
    """The numbers that the open question still asks for, and what seats have answered whose turn is still to come."""
    asked, early = question.of(play.offers).count, play.rules.ahead(play.state)

    def stands(one: Answered) -> bool:
        if isinstance(one, Kept):
            return one.seat in early and not ahead.asked(play, one.seat)
        return one.seat in asked and asked[one.seat].verb == one.verb

    return tuple(one for one in sent if stands(one))


def running(play: Play) -> bool:
    """Whether a race is under way."""
    run = play.board.race
    return run is not None and run.phase in ("running", "answers")


def beyond(name: str, offer: Offer, number: Value) -> LazyText:
    """The limit that somebody's number exceeds."""
    assert isinstance(number, int) and offer.low is not None
    if number < offer.low:
        return L_("{name}: at least {n}", name=name, n=offer.low)
    return L_("{name}: at most {n}", name=name, n=offer.high)
