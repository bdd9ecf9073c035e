"""In a game: presses become actions, actions become facts, facts are journaled and only then shown."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial, reduce
from itertools import count
from typing import TYPE_CHECKING, Any

from PIL import Image

from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play
from engine.race import SETTLE_NS
from engine.rules import (
    BENCH,
    GO,
    HANDS,
    RECALL,
    SETTLE,
    STARTER,
    TAKE_BACK,
    Action,
    Offer,
    Press,
    Refused,
    Seat,
    Value,
)
from engine.stamps import MS, S
from engine.words import N_
from firmware.journal.phones import Answered, KeptAnswer, Sent
from firmware.output import screens, sounds
from firmware.output.screens import notices
from firmware.output.screens.canvas import WIDTH_PX, fit
from firmware.output.screens.font import SMALL
from firmware.table import early_answers, question
from firmware.table.early_answers import EarlyAnswers, Key
from firmware.table.end_picture import EndPicture
from firmware.table.game_clock import GameClock
from firmware.table.half_entered import HalfEntered, answered
from firmware.table.overlay import downwards
from firmware.table.past_games import Unfinished
from firmware.table.question import EMPTY, Entry, Kind, OpenOffers, choices, chosen, waits_for_signal
from firmware.table.round_totals import RoundTotals
from firmware.table.seat_buttons import Seating
from firmware.table.verdict import LATE_NS, VOID_NOTICE_NS, Verdict
from firmware.translation import L_, LazyText, in_words, lazy

if TYPE_CHECKING:
    from firmware.table.table import Table

CLOCK_NS = 100 * MS  # a running stopwatch shows tenths
SLOW_CLOCK_NS, SLOW_AFTER_NS = 1 * S, 600 * S  # and after ten minutes seconds
LIVELY_NS = 3 * S  # how long after a press a verdict may still stand on the picture
NUDGE_NS = 500 * MS  # so soon after a turn that opened the side entries OK is ignored: pushing has turned the knob
RACE_AGAIN = N_("the race begins again")
SIGNAL_NS = 500 * MS  # a picture that is the go-signal is on the display by then, or the display is lost


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
        """`people`: the ids of those who sit there; guests are left out. `sent`: what phones have sent already."""
        self.table = table
        self.number = game
        self.people = dict(people)
        self.play = self.committed = play
        self._numbers = count(1)  # of its questions
        sent = tuple(sent)
        self.early = EarlyAnswers((one for one in sent if isinstance(one, KeptAnswer)), self._numbers)
        self.own: tuple[Play, str] | None = None  # the game after the latest answer of a phone, and that phone
        self.entered = HalfEntered(self, (one for one in sent if isinstance(one, Sent)))
        self.verdict = Verdict()
        self.clock = GameClock(play, table.now_ns)
        self.end, self.totals = EndPicture(), RoundTotals()
        self.pictures = screens.KeptPictures()
        self._run, self._steps = os.urandom(3).hex(), 0  # of this game, as it is on the table now; since then
        self._waiting: deque[tuple[int, Play, str]] = deque([(ticket, play, self.mark)])
        # what people see, by how the game stands, and since when; and before that
        self.seen_as = self._seen_before = self.mark, play
        self._seen_since_ns = table.now_ns
        self.signalling = False  # whether a picture that is the go-signal is on its way to the display
        self._signal = ""  # what gives it
        self._lively_ns = 0
        # by offer: its label, since when it has been open, and the number of the question
        self._open: dict[Key, tuple[str, int, int]] = {}
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
        """A short name for how the game stands; each step gives it another one."""
        return f"{self._run}.{self._steps}"

    def at_key(self) -> tuple[str, Play]:
        """What the display showed when the key now answered went down: the `mark` of the game then, and the game."""
        return self._seen_before if self.table.made_ns < self._seen_since_ns else self.seen_as

    @property
    def still_asked(self) -> tuple[Seat, ...]:
        """The seats whose answer is missing in the game as it is on the disk; before a signal and at its end none."""
        board = self.committed.board
        if self.committed.over or waits_for_signal(board):
            return ()
        missing = self.entered.missing if self.committed is self.play else None
        return board.turn if missing is None else missing

    @property
    def page_names(self) -> tuple[str, ...]:
        """What a page calls the seats."""
        return self.table.roster.on_page(self.play.players, self.people)

    @property
    def standing(self) -> tuple[Answered, ...]:
        """What phones have sent, as far as it is not in an event yet."""
        return (*self.entered.sent.values(), *(one for answers in self.early.kept.values() for one in answers))

    @property
    def entry(self) -> Entry:
        """What is half entered."""
        return self.entered.entry

    @property
    def question(self) -> OpenOffers:
        """The open offers, by how people answer them."""
        return self.entered.question

    def store(self) -> None:
        """Store what phones have sent, as it stands now."""
        self.table.wrote(self.number, (), self.standing)

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
        self.signalling = False
        self.clock.follow(self.play, self.table.now_ns)
        going_on = self._ask(answered, facts[-1].at_ns if self.table.ok_ns is None else self.table.ok_ns)
        sent = self.entered.sent
        self.entered.sent = {seat: one for seat, one in sent.items() if (seat, one.verb) in going_on}
        self.entered.begin()
        self._waiting.append((self.table.wrote(self.number, facts, self.standing), self.play, self.mark))
        run = self.play.board.race
        self.verdict.follow(facts, before, run, ended=bool(answered) and raced and not running(self.play))
        if run is not None and run.gaps:
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
            self.totals.follow(before, play, self.table.now_ns)
            if self.committed.over and not before.over:
                self.end.shown_ns = self.table.now_ns
                summed = self.people and not play.ended  # where anybody has a name
                self.end.sum(self.table.read if summed else None, apart=self.table.apart)
            flashes = [partial(screens.flash, play, self.table.now_ns, self.names) for play in (before, self.committed)]
            if flashes[1]() and not flashes[0]():
                self.table.flash(LazyText(flashes[1]))
            if tune := sounds.of(before.board, self.committed.board):
                self.table.sound(tune)
        if self.table.lost.display:
            self.seen(self.unseen, self.table.now_ns)

    @property
    def unseen(self) -> Play | None:
        """The game whose picture after a verdict is not on the display yet."""
        return self.committed if self.verdict.seen_ns is None and self.committed is self.play else None

    def seen(self, play: Play | None, at_ns: int) -> None:
        """The picture of this game is on the display, or there is no display."""
        if play is not None and play is self.unseen:
            self.verdict.seen_ns = at_ns

    def deaf(self, at_ns: int) -> bool:
        """Whether input that begins at this time is ignored: the end of the game has only just been shown."""
        unseen = self.play.over and not self.committed.over
        return unseen or (self.play.over and self.end.deaf(at_ns))

    @property
    def quiet(self) -> bool:
        """Whether something else may come over the picture: no race or signal is due, no press may belong to one."""
        now_ns = self.table.now_ns
        before, verdict = self.question.racing or self.question.kind is Kind.WAIT, self.verdict
        after = verdict.seen_ns is None or verdict.void is not None or now_ns < verdict.at_ns + LATE_NS
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

    def _ask(self, answered: Iterable[Key], at_ns: int) -> set[Key]:
        """Note since when each offer has been open. Returns those that go on: unchanged, and not answered.

        `at_ns`: when that was done which has opened them. A race is open from then on, any other question from now on.
        """
        before, self._open = self._open, {}
        asking = next(self._numbers)
        going_on: set[Key] = set()
        for offer in self.play.offers:
            key, label = (offer.seat, offer.verb), self.play.rules.label(self.play.state, offer, None)
            was, early = before.get(key), self.early.asked.get(key)
            if was is not None and was[0] == label and key not in answered:
                self._open[key] = was
                going_on.add(key)
            else:
                number = early[1] if early is not None and early[0] == label else asking
                self._open[key] = (label, at_ns if offer.fresh else self.table.now_ns, number)
        self.early.look_ahead(self.play)
        shows = self.play.board.race is not None and self.play.board.race.judged
        self._short = {b: o for b, o in self._short.items() if (shows if o is None else (o.seat, o.verb) in going_on)}
        self._hold = {button: o for button, o in self._hold.items() if (o.seat, o.verb) in going_on}
        return going_on

    def asked_as(self, offer: Offer) -> int:
        """The number of the question that an offer asks: another one each time it is asked."""
        key = (offer.seat, offer.verb)
        return self._open[key][2] if key in self._open else self.early.asked[key][1]

    def asked(self, offer: Offer | None, made_ns: int) -> bool:
        """Whether an offer was open and visible when a press or a turn was made."""
        if offer is None or offer.verb == HANDS:
            return True
        if offer.race and not offer.fresh:
            return made_ns >= self.play.listens_ns
        if offer.race:
            return made_ns >= max(self.play.listens_ns, self._open[(offer.seat, offer.verb)][1])
        seen_ns = self.verdict.seen_ns
        return seen_ns is not None and made_ns >= max(seen_ns, self._open[(offer.seat, offer.verb)][1])

    def answer_all(self, actions: list[Action], by: str = "") -> LazyText | None:
        """Answer several offers, or none of them and return the reason."""
        after = answered(self.play, actions, self.names)
        if isinstance(after, LazyText):
            return after
        facts, _play = after
        self.take(facts, [(action.seat, action.verb) for action in actions], by)
        return None

    # --- before their turn -------------------------------------------------------------------------------------------

    def is_early(self, offer: Offer) -> bool:
        """Whether an offer that phones may answer is to a seat whose turn has not come."""
        return (offer.seat, offer.verb) not in self._open

    def keep(self, answer: KeptAnswer) -> bool:
        """A phone answers for a seat before its turn. False: it is refused."""
        if not early_answers.fits(self.early.later[answer.seat], answer):
            return False
        if self.own is not None and self.own[1] == answer.phone:  # it is not its latest any more
            self.own = None
        self.early.keep([answer])
        self.early.look_ahead(self.play, (answer.seat, answer.verb))
        self.store()
        return True

    def take_back(self, seat: Seat) -> None:
        """Drop the latest answer that a seat has given before its turn."""
        self.early.drop_latest(seat)
        self.early.look_ahead(self.play)
        self.store()

    def _in_turn(self) -> tuple[Fact, ...]:
        """Give what was kept for the seat that is asked now. A phone whose answers do not fit any more is told so."""
        self.play, facts, phone, dropped = self.early.in_turn(self.play, self.table.now_ns)
        if phone:
            self.own = self.play, phone
        for seat, other in dropped:
            text = L_("What was entered for {name} fits no more: enter it again.", name=self.page_names[seat])
            if self.table.phones is not None:
                self.table.phones.say_to(other, text)
        return facts

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
        self.totals.hide()
        self.tick(at_ns, early_ns)  # earlier due offers are answered first: a race that is over takes no more presses
        self._short.pop(button, None)  # of a press without a release, as its line was lost
        self._hold.pop(button, None)
        q = self.question
        answers, hold = q.meant(seat), self.verdict.held_means(q, seat, at_ns)
        void = self.verdict.void
        if void is not None and void[0] == seat:  # its own press stands after all
            self._let_stand()
        elif (
            self._after_race(Press(seat, at_ns, error_ns, early_ns), answers)
            or void is not None
            or self.deaf(at_ns)
            or not self.asked(answers, at_ns)
        ):  # of the race that is over, or made before the question was seen: it clicks, and changes nothing
            self.table.click(button)
            # a press just after the verdict answers nothing, but holding it takes back that seat's press in the race
            if hold is not None and hold.verb == TAKE_BACK:
                self._hold[button] = hold
        elif seat in q.count:  # more of what is counted
            self.entered.tap(seat)
            self._hold[button] = q.count[seat]
        elif answers is not None:
            self._press_answers(answers, hold, button, Press(seat, at_ns, error_ns, early_ns))
        elif self._takes_up(seat, at_ns):  # P2 is next: the press confirms what P1 has chosen, and does no more
            pass
        elif hold is not None:  # only holding means something
            self._hold[button] = hold
            # a short press shows the evidence (None), but not in a race, nor before the verdict is on the display
            if self.verdict.seen_ns is not None and not q.racing:
                self._short[button] = None
        elif seat not in q.release and not self.show_evidence():  # nothing is asked of it, and no race to look at
            self.table.sound(sounds.REFUSED)
            self._not_asked(button)

    def _press_answers(self, answers: Offer, hold: Offer | None, button: str, press: Press) -> None:
        """A press has to do with this offer: it picks it, counts for it, or answers it."""
        if answers.alone:
            if self.entered.pick_by(press.seat):
                self._hold = {}
        elif answers.low is not None and answers.seat is None:
            self.entered.tap_for_table(press.seat, answers)
            if answers.says != "seats":
                self._hold[button] = answers
        else:
            if not answers.race and hold is not None:  # holding means something else: wait for the release
                self._short[button], self._hold[button] = answers, hold
            else:
                self._short_press(press.seat, answers, press.at_ns, press.error_ns, press.early_ns)
            self.table.click(button)

    def _not_asked(self, button: str) -> None:
        """Say whose turn it is; not over a picture on which a signal or a race is waited for."""
        q = self.question
        gathers = bool(q.hands) and q.kind is not Kind.RACE  # not all hands lie on their buttons
        if waits_for_signal(self.play.board) or not (gathers or (self.quiet and q.kind not in (Kind.RACE, Kind.WAIT))):
            return
        play, waited = self.play, self.entered.waited_for

        def note(text: LazyText, holds: Callable[[], bool]) -> None:
            self.table.note(text, lambda: self.table.game is self and holds())

        if self.seating.seat(button) is None:
            note(L_("{button} is not in this game", button=button), lambda: not waits_for_signal(self.play.board))
        elif self.play.over:
            note(L_("the game is over"), lambda: self.play.over)
        elif waited:
            labels = self.play.players
            texts = [" ".join(each[seat] for seat in waited) for each in (self.names, labels)]
            if len(waited) == 1:
                says = [L_("it is {name}'s turn", name=one) for one in texts]
            else:
                says = [L_("still asked: {names}", names=one) for one in texts]
            says.append(L_("{n} are still asked", n=len(waited)))
            shown = LazyText(lambda: fit(in_words((*says,)), WIDTH_PX - 1, SMALL))
            note(shown, lambda: self.entered.waited_for == waited)
        elif q.control is None:
            note(L_("OK answers this"), lambda: self.play is play)
        else:
            by = L_("the knob answers this") if self.table.knob else L_("▲▼ and OK answer this")
            note(by, lambda: self.play is play)

    def _let_stand(self) -> None:
        """Do not take the press back after all: its own player or the control stopped it."""
        self.verdict.void = None
        self.table.sound(sounds.REFUSED)

    def _short_press(self, seat: Seat, offer: Offer, at_ns: int, error_ns: int = 0, early_ns: int = 0) -> None:
        """A press answers, or steps through the options of the seat's own choice."""
        if offer != self.question.control:
            self.answer(Action(seat, offer.verb, None, at_ns, error_ns, early_ns=early_ns))
        else:
            self.entered.choose(offer, 1)

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
        return seat is not None and (q.meant(seat) is not None or seat in q.hold or seat in q.release)

    def _after_race(self, press: Press, answers: Offer | None) -> bool:
        """Whether a press belongs to a race that is judged already: it answers nothing else.

        The first one of a runner who had not pressed is recorded as evidence.
        """
        run, seat = self.play.board.race, press.seat
        if run is None or not self.verdict.claims(press, run, answers):
            return False
        known = {other.seat for other in (*run.presses, *plays.came_late(self.play))}
        if seat not in known:
            self.take(plays.late(self.play, press, self.table.now_ns))
            if press.at_ns - press.early_ns <= self.verdict.at_ns:
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
            self.entered.lowest(offer)
        elif offer.verb == TAKE_BACK and not self.question.racing:
            self.verdict.void = (seat, at_ns + VOID_NOTICE_NS)
            self.table.sound(sounds.VOID)
        else:
            self.table.sound(sounds.BACK)
            self.answer(Action(seat, offer.verb, None, at_ns))

    def sync_held(self) -> None:
        """Where holding is the question, answer for buttons that are down already, or up again."""
        table = self.table
        for seat in range(len(self.play.players)):
            button, q = self.seating.button(seat), self.question
            if seat in q.press and q.press[seat].verb == HANDS and button in table.held.down:
                self.answer(Action(seat, HANDS, None, table.now_ns))
            elif seat in q.release and button not in table.held.down and table.live(button):
                self.answer(Action(seat, q.release[seat].verb, None, table.now_ns))

    # --- the control -------------------------------------------------------------------------------------------------

    def _pick(self, offer: Offer | None) -> None:
        """This one of several questions is answered from now on; None: it is open again which."""
        self.entered.pick(offer)
        self._hold = {}

    def turn(self, steps: int, knob: bool) -> None:
        """The knob was turned (clockwise is positive) or an arrow pressed (▲ is positive)."""
        q = self.question
        self.totals.hide()
        if self.verdict.void is not None:  # its notice stays visible
            self.table.sound(sounds.REFUSED)
        elif q.kind is Kind.COUNT:
            self.entered.turn(steps)
        elif q.kind is Kind.PICK:
            self.entered.step_picks(downwards(steps, knob))
        elif q.control is None:
            self._turn_freely(steps, knob)
        elif choices(q.control):
            down = downwards(steps, knob)
            if q.control.options == ("yes", "no") and not self.table.knob:
                if self.asked(q.control, self.table.made_ns):
                    self.answer_by_control("no" if down > 0 else "yes")
            else:
                self.entered.choose(q.control, down)
        else:
            self.entered.count_for_table(q.control, steps)

    def _turn_freely(self, steps: int, knob: bool) -> None:
        """Nothing is chosen by the control: it answers for who has no button, or opens the side entries."""
        q = self.question
        if q.ok is not None and steps > 0 and (dead := self.entered.answered_for) is not None:
            if self.asked(q.press[dead], self.table.made_ns):
                self.answer(Action(dead, q.press[dead].verb, None, self.table.now_ns))
        elif q.turns_to_more and downwards(steps, knob) > 0:
            self.table.sound(sounds.TURN)
            more = self.table.menus.more(self, self.table.made_ns + NUDGE_NS)
            self.table.open(more)
            more.turn(steps - (1 if steps > 0 else -1), knob)
        else:
            self.show_evidence()

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

    def ok(self) -> None:
        """A short OK. Over the totals after a round it shows the question: nobody answers what they have not seen."""
        if self.totals.hide():
            self.table.sound(sounds.CLICK)
            return
        if self.question.kind is Kind.RACE and self.question.ok is not None:  # it ends the race, or rules on it
            self.bench(stuck=True)
        q = self.question
        dead = self.entered.answered_for
        answers = (*q.count.values(), *q.picks, q.control, q.ok, None if dead is None else q.press.get(dead))
        if self.verdict.void is not None:
            self._let_stand()
        elif not all(self.asked(offer, self.table.made_ns) for offer in answers):
            self.table.sound(sounds.CLICK)
        elif q.kind is Kind.OVER:
            self.table.sound(sounds.CLICK)
            self.table.open(self.table.menus.ending(self))
            if not self.end.evening_shown:
                self.end.evening_shown = True
                self.table.open(self.table.menus.evening(self.table, self.end.evening))
        elif q.kind is Kind.COUNT and not self.entered.none_counted:
            self.entered.enter_counts()
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
        elif (seat := self.entered.answered_for) is not None:
            self.answer(Action(seat, q.press[seat].verb, None, self.table.now_ns))
        elif q.kind is Kind.TAP and any(leaves_open(self.play, offer, self.table.now_ns) for offer in q.menu):
            self.table.sound(sounds.CLICK)
            self.table.open(self.table.menus.more(self, 0))
        else:
            self.table.sound(sounds.REFUSED)

    def ok_hold(self) -> None:
        """A long OK: Back."""
        if self.verdict.void is not None:
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
            self.end.put_right()
        for seat, person in changed.items():
            if person is not None and seat not in self.people and self.table.phones is not None:
                self.table.phones.follow(self.seating.button(seat), person)
        self.people = {seat: person for seat, person in people.items() if person is not None}
        self.table.roster.sat_down({self.seating.button(seat): person for seat, person in self.people.items()})

    # --- time --------------------------------------------------------------------------------------------------------

    def tick(self, now_ns: int, early_ns: int = 0) -> None:
        """Time has passed. `early_ns`: of a press that was made now, or so much sooner."""
        if (until_ns := self.totals.until_ns) is not None and until_ns <= now_ns:
            self.totals.hide()
        if (void := self.verdict.void) is not None and void[1] <= now_ns:
            self.verdict.void = None
            self.answer(Action(void[0], TAKE_BACK, None, void[1]))
        if (warned := self.clock.warns(now_ns)) is not None:
            self.table.sound(warned[0])
            if warned[1]:
                who = " ".join(self.names[seat] for seat in self.play.board.turn)
                self.table.note(L_("{name}: time is up", name=who))
        while (due := plays.due_by(self.play, now_ns, early_ns)) is not None:
            if self._waits(due):
                return
            if due.verb == GO:
                at_ns: int | None = now_ns
                if not self.signalling:
                    self.signalling = True
                    self._signal, at_ns = self.table.signal(self.seating.buttons)
                elif now_ns < due.at_ns + SIGNAL_NS:
                    return  # on its way to the display
                if at_ns is not None:
                    self.signal_given(at_ns)
                return
            self.answer(due)

    def _waits(self, due: Action) -> bool:
        """Whether a verdict waits, as a touch before the press that it would name may still become a press.

        The end of the time for a press waits, too, as a press before that end still counts.
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
        if not self.signalling:
            return
        due = plays.next_due(self.play)
        if due is not None and due.verb == GO and due.due_ns is not None:
            self.answer(Action(None, GO, None, max(at_ns, due.due_ns), signal=self._signal))

    def due_ns(self, now_ns: int) -> int | None:
        """When time matters next, or the picture changes by itself."""
        times = [self._answered_ns(now_ns), self.clock.changes_ns(now_ns), self.verdict.void_ends_ns(now_ns)]
        times += [self.totals.until_ns, self.end.changes_ns(now_ns) if self.committed.over else None]
        return min((time for time in times if time is not None), default=None)

    def _answered_ns(self, now_ns: int) -> int | None:
        """When the clock answers next, or the picture of a running clock changes."""
        due_ns = self.play.due_ns if self.verdict.void is None else self.verdict.void[1]
        if due_ns is not None and self.undecided(due_ns):
            return None  # until the touch is a press, or none
        if self.signalling and due_ns is not None:
            due_ns += SIGNAL_NS
        run = self.play.board.race
        ticking = run is not None and run.phase in ("armed", "running") and (run.since_ns, due_ns) != (None, None)
        if not ticking and now_ns >= self._lively_ns:
            if due_ns is None or self.signalling:
                return due_ns
            full = max(0, (due_ns - now_ns - 1) // SLOW_CLOCK_NS)
            return due_ns - full * SLOW_CLOCK_NS  # a turn timer shows seconds
        since_ns = now_ns if run is None or run.since_ns is None else run.since_ns
        clock_ns = now_ns + (CLOCK_NS if now_ns - since_ns < SLOW_AFTER_NS else SLOW_CLOCK_NS)
        return clock_ns if due_ns is None else min(due_ns, clock_ns)

    # --- pictures ----------------------------------------------------------------------------------------------------

    def lamps(self) -> frozenset[str]:
        """The buttons that are asked."""
        waiting = any(offer.verb == GO for offer in self.play.offers)
        return frozenset() if waiting else frozenset(self.seating.button(seat) for seat in self.entered.lit)

    def picture(self, now_ns: int) -> Image.Image:
        """The picture for the display."""
        if (taken_back := self.verdict.void) is not None:
            return notices.void(self.names[taken_back[0]])
        same = self.committed.state == self.play.state and self.committed.ended == self.play.ended
        entry = self.entry if same else EMPTY
        if self.totals.until_ns is not None and entry is EMPTY:
            return self.totals.picture(self.committed, self.names)
        void = same and self.verdict.may_void(self.question, now_ns)
        shown: dict[str, Any] = {
            "knob": self.table.knob,
            "dead": self.dead,
            "void": void,
            "names": self.names,
            "away": self._away(),
        }
        if same and self.entered.only_ok:
            shown["fits"] = True
            if self.table.phones is not None:
                shown["phone"] = self.table.phones.called.for_ok(self.names)
        picture = self.pictures.draw(self.committed, entry, now_ns, **shown)
        waited = self.end.waited(now_ns) if self.committed.over else 1
        return picture if waited == 1 else notices.waiting(picture, waited)

    def _away(self) -> frozenset[Seat]:
        """The seats that are asked, have not answered, and whose phone is asleep."""
        phones, q = self.table.phones, self.question
        if phones is None or q.kind is Kind.RACE:
            return frozenset()
        asked = {s for s in q.seats if (q.holder(s) if s in q.count else s) not in self.entry.values}
        return phones.away & (
            asked | ({q.control.seat} if q.control is not None and q.control.seat is not None else set())
        )


def signal_picture(game: Playing, now_ns: int) -> Image.Image:
    """The picture of the go-signal."""
    play, knob = game.play, game.table.knob
    facts = plays.answer(play, Action(None, GO, None, max(now_ns, play.due_ns or 0)))
    return screens.draw(reduce(plays.fold, facts, play), EMPTY, now_ns, knob=knob, names=game.names)


def begin(
    table: Table,
    rules: Rules[Any, Any],
    players: tuple[str, ...],
    options: object,
    buttons: tuple[str, ...] = (),
    *,
    people: Mapping[Seat, str] = {},
    drawn: bool = False,
) -> None:
    """A new game; with `buttons` by seat where they are not those with the players' names. Raises `Refused`.

    `people`: the ids of those who sit there; guests are left out. `drawn`: it was drawn or named that the first seat
    begins, so a game that asks who starts is answered.
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
    play = reduce(plays.fold, facts[1:], play)
    if drawn and any(offer.verb == STARTER and offer.seat == 0 for offer in play.offers):
        answered = plays.answer(play, Action(0, STARTER, None, table.now_ns))
        play, facts = reduce(plays.fold, answered, play), (*facts, *answered)
    table.play(Playing(table, game, play, table.wrote(game, facts), people))


def resume(table: Table, unfinished: Unfinished, *, by_itself: bool = False) -> None:
    """Go on with a game; a race of which presses may have been missed begins again, and people are told.

    `by_itself`: nobody has asked for it. Then a race that would be open at once waits until somebody does: else whoever
    notices it first would win.
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


def again(game: Playing) -> None:
    """The same game once more: the same players at the same buttons, the same options."""
    game.table.put_away(game)
    play = game.play
    begin(game.table, play.rules, play.players, play.options, play.buttons, people=game.people)


def leave(game: Playing) -> None:
    """To the menu; the game can be continued, or its end undone."""
    game.table.put_away(game)
    game.table.go_home()


def leaves_open(play: Play, offer: Offer, at_ns: int) -> bool:
    """Whether a side entry leaves the question open, so that a stray OK does no harm."""
    try:
        facts = plays.answer(play, Action(offer.seat, offer.verb, offer.low, at_ns))
    except Refused:
        return False
    return question.of(reduce(plays.fold, facts, play).offers).press == question.of(play.offers).press


def presses_race(play: Play) -> bool:
    """Whether presses count for a race."""
    return any(offer.race and offer.seat is not None for offer in play.offers)


def still_standing(play: Play, sent: Iterable[Answered]) -> tuple[Answered, ...]:
    """The numbers that the open question still asks for, and what seats have answered whose turn is still to come."""
    asked, early = question.of(play.offers).count, play.rules.ahead(play.state)

    def stands(one: Answered) -> bool:
        if isinstance(one, KeptAnswer):
            return one.seat in early and not early_answers.asked(play, one.seat)
        return one.seat in asked and asked[one.seat].verb == one.verb

    return tuple(one for one in sent if stands(one))


def running(play: Play) -> bool:
    """Whether a race is under way."""
    run = play.board.race
    return run is not None and run.phase in ("running", "answers")
