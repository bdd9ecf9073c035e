"""Pack the Essentials: the end of the game, from the toys to the score pad and the ties."""

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from engine import game
from engine.face import USUAL, Face
from engine.game import Answer, Count, Entered, Limits, answers, known, of_kind
from engine.games.pack_the_essentials import suitcase
from engine.games.pack_the_essentials.state import (
    CATS,
    COLOUR_POINTS,
    COLOURS,
    FIRST_COLOUR,
    LINES,
    TODO_LISTS,
    Answers,
    Event,
    Events,
    Question,
    State,
    cats,
    had,
    rats,
)
from engine.rules import Offer, Seat, Value, highest, put
from engine.words import N_

MAX_ASKED = (N_("Largest magenta?"), N_("Largest lavender?"), N_("Largest peach?"), N_("Largest mint?"))
MAX_TODO = 60  # what a To Do list may be worth

# --- who is in front --------------------------------------------------------------------------------------------------


def level(state: State) -> tuple[Seat, ...]:
    """The highest total; as far as they are known, empty squares and rats break a tie (R28)."""
    best = highest(state.scores, state.seats)
    if len(best) > 1 and not uncounted(state, best):
        best = highest([-(empty_squares(state, seat) or 0) for seat in state.seats], best)
        best = highest([rats(state, seat) for seat in state.seats], best)
    return best


def winners(state: State) -> tuple[Seat, ...]:
    """The leaders at the end; solo, the player if the goal was met (S4, A8)."""
    if state.players > 1:
        best = level(state)
        return (state.chosen,) if state.chosen in best else best
    (total,) = state.scores
    met = total > state.goal if state.options.solo_goal == ">" else total >= state.goal
    return (0,) if met else ()


def empty_squares(state: State, seat: Seat) -> int | None:
    """Empty squares as entered, or of a reported suitcase, where toys lie on some of them (A7); None: not known."""
    own = state.suitcases[seat] if state.suitcases else None
    if own is None:
        return state.empty[seat]
    toys = state.toys[seat] if state.options.toys_fill_for_tiebreak else 0
    return max(0, suitcase.empty(own) - toys)


def uncounted(state: State, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """The seats, among these, whose empty squares are not known."""
    return tuple([seat for seat in seats if empty_squares(state, seat) is None])


# --- toys, and the score pad line by line -----------------------------------------------------------------------------


class Packed(Event):
    """All rounds are over."""

    label = N_("all packed")

    def fold(self, state: State) -> State:
        return state.asking(Toys() if any(state.toys) else line_question(state, 0))


class Toys(Question):
    """Toys are put on empty squares (R22)."""

    phase = "toys"
    subject = "rounds"
    offered = (Offer(None, "toys"),)

    @answers("toys", N_("Toys are placed"))
    def place(self, state: State, answer: Answer) -> Events:
        return (ToysPlaced(),)

    def face(self, state: State) -> Face:
        return Face(
            N_("SCORE"),
            N_("all is packed"),
            values=tuple(map(str, state.toys)),
            title=N_("Toys on empty squares"),
            press=N_("all placed?"),
            ok=N_("OK"),
        )


class ToysPlaced(Event):
    label = N_("toys placed")

    def fold(self, state: State) -> State:
        return state.asking(line_question(state, 0))


class Line(Count[State]):
    """One line of the score pad, of every seat (R23 to R26). Entered numbers count at once."""

    line: int

    phase = "score"
    hint: ClassVar[str] = N_("check, then OK")

    def entered(self, state: State, seat: Seat, number: int) -> State:
        lines = put(state.lines, self.line, put(state.lines[self.line], seat, number))
        return super().entered(replace(state, lines=lines), seat, number)

    def done(self, state: State) -> State:
        return state.asking(line_question(state, self.line + 1))

    def face(self, state: State) -> Face:
        return Face(N_("SCORE"), self.hint)


class Todo(Line):
    """What is each To Do list worth? (R23)"""

    verb, text = "todo", N_("To Do list?")
    high = MAX_TODO
    hint = N_("points for it")

    def then(self, state: State, answer: Answer) -> Events:
        """The rest of the pad is computed from reported suitcases."""
        if self.line + 1 < TODO_LISTS or not state.suitcases:
            return ()
        sizes = [tuple([suitcase.largest(known(own), colour) for own in state.suitcases]) for colour in COLOURS]
        rest = zip(PAD[CATS:], (state.cats, state.rats, *sizes), strict=True)
        events: Events = tuple([Entered(seat, line.verb, row[seat]) for line, row in rest for seat in state.seats])
        for event in events:
            state = event.fold(state)
        return (*events, *settled(state))

    def label(self, state: State, offer: Offer, value: Value) -> str:
        return N_("To Do list {number}?", number=self.line + 1) if value is None else str(value)


class Cats(Line):
    """How many cats and kittens? The record is filled in. (R24)"""

    verb, text = "cats", N_("Cats and kittens?")

    def limits(self, state: State) -> Limits:
        return Limits(0, tuple([had(state, seat) for seat in state.seats]), prefill=state.cats)


class Rats(Line):
    """How many rats are left? Those not spent on cats are filled in. (R25)"""

    verb, text = "rats", N_("Rats left?")

    def limits(self, state: State) -> Limits:
        left = tuple([had(state, seat) - cats(state, seat) for seat in state.seats])
        return Limits(0, left, prefill=left)


class Group(Line):
    """How many tiles has the largest group of a colour? (R26)"""

    verb, text = "group", N_("Largest?")
    high = len(COLOUR_POINTS) - 1
    hint = N_("tiles ({n} at most)", n=high)

    def then(self, state: State, answer: Answer) -> Events:
        return settled(state) if self.line + 1 == LINES else ()

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if value is None:
            return MAX_ASKED[self.line - FIRST_COLOUR]
        return f"{value}+" if value == self.high else str(value)


PAD: tuple[type[Line], ...] = (*(Todo,) * TODO_LISTS, Cats, Rats, *(Group,) * len(COLOURS))


def line_question(state: State, line: int) -> Question:
    """The question of a line of the pad; after the last one, the tie-break."""
    return PAD[line].of(state.players, line=line) if line < LINES else tie_break(state)


# --- ties, and the end ------------------------------------------------------------------------------------------------


class Tie(Question):
    """Some are level. Points that are fixed, also after the end, may make a tie or dissolve it."""

    phase = "tie"

    def standing(self, state: State) -> Question:
        return tie_break(state)

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"tie": level(state)}


def tie_break(state: State) -> Question:
    """The next tie-break for the highest total, as the totals stand (R28); without a tie, the end."""
    best, ask = level(state), state.ask
    if len(best) == 1:
        return End()
    if unknown := uncounted(state, best):
        same = isinstance(ask, Empty) and uncounted(state, ask.seats) == unknown
        return ask if same else Empty.of(state.players, unknown)
    if set(best) <= set(state.shown) and (state.chosen is None or state.chosen in best):
        return End()
    return ask if isinstance(ask, Vote) and ask.level == best else Vote(best, (None,) * state.players, best)


def settled(state: State) -> Events:
    """Everything is counted: the end, or the next way to break a tie (R28)."""
    return (GameEnded(),) if state.over else (Tied(level(state)),)


class Tied(Event):
    """These are level. A vote that was level is taken again by those level in it."""

    label = N_("tied")
    seats: tuple[Seat, ...]

    def fold(self, state: State) -> State:
        ask = state.ask.standing(state)
        if isinstance(ask, Vote):
            ask = replace(ask, among=self.seats, votes=(None,) * state.players)
        return state.asking(ask)


class Empty(Tie, Count[State]):
    """How many squares of these suitcases are empty? (R28)"""

    verb, text = "empty", N_("Empty squares?")
    high = suitcase.SQUARES

    def entered(self, state: State, seat: Seat, number: int) -> State:
        return super().entered(replace(state, empty=put(state.empty, seat, number)), seat, number)

    def done(self, state: State) -> State:
        return state.asking(tie_break(state))

    def then(self, state: State, answer: Answer) -> Events:
        return settled(state)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if value is None and not state.options.toys_fill_for_tiebreak:
            return N_("Empty without toys?")
        return super().label(state, offer, value)

    def face(self, state: State) -> Face:
        return Face(N_("TIE"), N_("fewest is best"))


class Vote(Tie):
    """Whose cat picture is the cutest? The players without a picture vote (R28)."""

    among: tuple[Seat, ...]
    votes: Answers
    level: tuple[Seat, ...]  # all who were level when it began: it is repeated among fewer

    def offers(self, state: State) -> tuple[Offer, ...]:
        """The players without a picture, in turn; where nobody is left, a guest, or it is shared (A11)."""
        voters = [seat for seat, vote in enumerate(self.votes) if vote is None and seat not in self.among]
        if voters:
            return (Offer(voters[0], "vote", options=self.among),)
        return (Offer(None, "guest", options=(*self.among, N_("shared"))),)

    @answers("vote", N_("Cutest cat?"))
    def vote(self, state: State, answer: Answer) -> Events:
        """A vote; the last one decides, or those level are voted on again."""
        voted, votes = Voted(answer.seat, answer.number), put(self.votes, answer.seat, answer.number)
        if votes.count(None) > len(self.among):
            return (voted,)
        count = Counter(picture for picture in votes if picture is not None)
        best = tuple([seat for seat in self.among if count[seat] == max(count.values())])
        return (voted, PictureChosen(best[0]), GameEnded()) if len(best) == 1 else (voted, Tied(best))

    @answers("guest", N_("Ask a guest: cutest?"))
    def ask_guest(self, state: State, answer: Answer) -> Events:
        return (PictureChosen(answer.value), GameEnded()) if isinstance(answer.value, int) else (GameEnded(),)

    def face(self, state: State) -> Face:
        return Face(N_("TIE"), N_("show cat pictures"))


class Voted(Event):
    label = N_("voted")
    seat: Seat
    picture: Seat

    def fold(self, state: State) -> State:
        ask = of_kind(Vote, state.ask.standing(state))
        return state.asking(replace(ask, votes=put(ask.votes, self.seat, self.picture)))


class PictureChosen(Event):
    label = N_("picture chosen")
    seat: Seat

    def fold(self, state: State) -> State:
        return replace(state, chosen=self.seat, shown=level(state))


class GameEnded(Event):
    """A vote that is not decided by then is a shared win (A11)."""

    label = N_("game ended")

    def fold(self, state: State) -> State:
        if isinstance(state.ask.standing(state), Vote):
            state = replace(state, chosen=None, shown=level(state))
        return state.asking(End())


class End(game.Over[State], Tie):
    """The game is over. Points fixed since may make a tie: then that is broken after all."""

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        return {"winner": winners(state)}

    def face(self, state: State) -> Face:
        """Solo: whether the goal was met."""
        if state.players > 1:
            return USUAL
        (score,), goal = state.scores, state.goal
        line = N_("{score} points, goal {goal}", score=score, goal=goal)
        if state.options.solo_goal == ">":
            line = N_("{score} points, goal over {goal}", score=score, goal=goal)
        big = N_("PURR!") if winners(state) else N_("NEXT TIME")
        return Face(N_("SOLO"), N_("THE END"), big, (line,), press=N_("OK: next"))
