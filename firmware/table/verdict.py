"""The verdict of the latest race at the table: what still belongs to that race, and which press of it is taken back."""

from collections.abc import Sequence

from engine.game import BY_HAND
from engine.play import Fact, PressedLate
from engine.rules import TAKE_BACK, Offer, Press, RaceBoard, Seat
from firmware.table.question import OpenOffers

LATE_NS = 1_500_000_000  # how long after a verdict a press still belongs to the race
VOID_NS = 10_000_000_000  # how long after a verdict a press that counted may be taken back by its own button
VOID_NOTICE_NS = 2_000_000_000  # how long this is announced before the race is open again


class Verdict:
    """The latest verdict of a game. As long as there is none, its time is long past."""

    def __init__(self) -> None:
        self.at_ns = -VOID_NS  # stamp of the answer that ended the race
        self.untouched = False  # whether nothing has been answered since
        self.seen_ns: int | None = 0  # since when its picture is on the display; None: not yet
        self.void: tuple[Seat, int] | None = None  # the seat whose press will be taken back, and when

    def follow(self, facts: Sequence[Fact], before: RaceBoard | None, run: RaceBoard | None, *, ended: bool) -> None:
        """Facts were taken. `before`, `run`: the race before and after them; `ended`: an answer has ended the race."""
        if ended:
            self.at_ns, self.untouched = facts[-1].at_ns, True
        elif not all(isinstance(fact.event, (PressedLate, *BY_HAND)) for fact in facts):
            self.untouched, self.void = False, None  # a late press, or points fixed by hand, would be no answer
        if run is None or not run.judged:
            self.seen_ns = 0
        elif before is None or run.phase != before.phase:
            self.seen_ns = None

    def claims(self, press: Press, run: RaceBoard | None, answers: Offer | None) -> bool:
        """Whether a press of a runner belongs to the race that is judged, not to the offer that it would answer.

        Hands are still falling: Ann was first, and Ben's slap one second later is no answer to *Pattern right?*. Once
        people have opened another race, presses belong to that.
        """
        if run is None or not run.judged or press.seat not in run.seats or press.at_ns >= self.at_ns + LATE_NS:
            return False
        # the next race of a sheet may be open already: until somebody answers, a press still belongs to this one
        return answers is None or not answers.race or self.untouched

    def voids(self, offer: Offer | None, at_ns: int) -> bool:
        """Whether a hold, by this offer, takes back a press of the race that is judged.

        Only for a while, and only before the next question is answered; later the control does it.
        """
        in_time = self.untouched and at_ns < self.at_ns + VOID_NS
        return in_time and offer is not None and offer.verb == TAKE_BACK

    def may_void(self, question: OpenOffers, at_ns: int) -> bool:
        """Whether any player may still take a press back by holding their button."""
        return not question.racing and any(self.voids(offer, at_ns) for offer in question.hold.values())

    def held_means(self, question: OpenOffers, seat: Seat, at_ns: int) -> Offer | None:
        """The offer that is answered if the button that is pressed now is held."""
        offer = question.hold.get(seat)
        after = offer is not None and offer.verb == TAKE_BACK and not question.racing
        return None if after and not self.voids(offer, at_ns) else offer

    def void_ends_ns(self, now_ns: int) -> int | None:
        """When the time ends in which a hold takes a press back; None: it is over, or there is none."""
        ends_ns = self.at_ns + VOID_NS
        return ends_ns if self.untouched and now_ns < ends_ns else None
