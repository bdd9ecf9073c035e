"""Score piles and media bonuses are counted, and ungroomed cats where totals are level (R23 to R25)."""

from msgspec.structs import replace

from engine import game
from engine.face import Face
from engine.game import Answer, Count, Limits, answers
from engine.games.cat_pageant import table
from engine.games.cat_pageant.table import Event, Events, Question, State, by_cards, winners
from engine.rules import Offer, Seat, each_seat, highest, put
from engine.words import N_


def piles_question(state: State, then: Question) -> Question:
    """The count of the score piles that have cards, then `then`; where there are none, `then`."""
    seats = tuple([seat for seat, cards in enumerate(state.scored) if cards])
    return Piles.of(state.players, seats, after=then) if seats else then


class Piles(Count[State]):
    """How much moxie is in these score piles? (R23)"""

    after: Question  # the media bonuses or, where they are counted before the end, the result once more

    phase, verb, text = "scoring", "pile", N_("Moxie in your pile?")

    def limits(self, state: State) -> Limits:
        """An earlier count is filled in, unless cards have been added since (R18, R19)."""
        most = tuple([cards * table.MAX_MOXIE for cards in state.scored])
        piles = zip(state.pile, state.counted, state.scored, strict=True)
        return Limits(0, most, tuple([moxie if then == now else None for moxie, then, now in piles]))

    def entered(self, state: State, seat: Seat, number: int) -> State:
        counted = put(state.counted, seat, state.scored[seat])
        return super().entered(replace(state, pile=put(state.pile, seat, number), counted=counted), seat, number)

    def done(self, state: State) -> State:
        return state.asking(self.after)

    def face(self, state: State) -> Face:
        return Face(right=N_("score piles"))


class Media(Count[State]):
    """The media bonuses (R24)."""

    phase, verb, text = "scoring", "media", N_("Media bonus?")

    def limits(self, state: State) -> Limits:
        """The bonus of the tricks is filled in, where the table has entered any."""
        bonuses = tuple([table.media_bonus(tricks, state.options.media_counts_cube) for tricks in state.tricks])
        return Limits(0, table.MEDIA_CAP * table.WITH_TRICK, bonuses if any(state.tricks) else None)

    def entered(self, state: State, seat: Seat, number: int) -> State:
        return super().entered(replace(state, media=put(state.media, seat, number)), seat, number)

    def then(self, state: State, answer: Answer) -> Events:
        return (GameEnded(),)

    def face(self, state: State) -> Face:
        return Face(right=N_("score piles"))


class GameEnded(Event):
    label = N_("game ended")

    def fold(self, state: State) -> State:
        return state.asking(Final())


class Final(game.Over[State]):
    """All is counted; only level totals ask once more, also where points fixed since have made them level (R25)."""

    answered_before: tuple[Seat, ...] = ()  # whose ungroomed cats are known from a tie before points were fixed

    def standing(self, state: State) -> Question:
        """Level at the top: those with any cats are asked."""
        best = highest(state.scores, state.seats)
        if len(best) == 1 or by_cards(state):
            return self
        seats = tuple([seat for seat in best if state.cats[seat] and seat not in self.answered_before])
        return Ungroomed(seats) if None in [state.ungroomed[seat] for seat in seats] else self

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"winner": winners(state)}


class Ungroomed(game.Over[State]):
    """How many ungroomed cats have these seats? (R25)"""

    seats: tuple[Seat, ...]

    phase = "tie_break"
    subject = "seats"  # there is no winner yet

    def offers(self, state: State) -> tuple[Offer, ...]:
        return each_seat(state.ungroomed, "ungroomed", low=0, high=state.cats, seats=self.seats)

    @answers("ungroomed", N_("Ungroomed cats?"))
    def count(self, state: State, answer: Answer) -> Events:
        return (UngroomedCounted(answer.seat, answer.number),)

    def face(self, state: State) -> Face:
        return Face(right=N_("level: most wins"))


class UngroomedCounted(Event):
    label = N_("ungroomed counted")
    seat: Seat
    cats: int

    def fold(self, state: State) -> State:
        state = replace(state, ungroomed=put(state.ungroomed, self.seat, self.cats))
        if isinstance(state.ask.standing(state), Ungroomed):
            return state
        return state.asking(Final(tuple([seat for seat, cats in enumerate(state.ungroomed) if cats is not None])))
