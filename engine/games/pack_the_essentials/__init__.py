"""Pack the Essentials: twelve rounds of drafting tiles into a suitcase. Clothes are free, a cat costs a Pack Rat.

Rule numbers (R, S, A, T) are those of the rules page. By Jacqueline Atkins, Wacky Wizard Games.
"""

from engine import game
from engine.game import Entered
from engine.games.pack_the_essentials.counting import winners
from engine.games.pack_the_essentials.drafting import ROUNDS, Goal, Packer, heading
from engine.games.pack_the_essentials.state import LINES, Event, Options, Round, State, categories, cats, rats
from engine.rules import Board
from engine.words import N_

COUNTING = ("toys", "score", "tie", "over")  # phases once all is packed


def board(state: State) -> Board:
    """The public view of the game. The order is that of the draft positions, while rounds last."""
    now, ask = state.round, state.ask.standing(state)
    tokens = tuple(
        {"rats": rats(state, seat), "toys": state.toys[seat], "cats": cats(state, seat)} for seat in state.seats
    )
    order = () if ask.phase in COUNTING else now.at
    return game.board(state, now.number, ROUNDS, order=order, tokens=tokens)


def start(players: int, options: Options) -> State:
    """A rat each (R2); who packed a bag last? Solo: what is the goal? (R3, S1)"""
    none, zeros = (None,) * players, (0,) * players
    ask = Goal() if players == 1 else Packer()
    suitcases = none if options.entry == "placements" else ()
    return State(
        zeros, ask, Round(1), options, (1,) * players, zeros, zeros, (none,) * LINES, none, suitcases=suitcases
    )


RULES = game.Rules(
    name="pack_the_essentials",
    title=N_("Pack the Essentials"),
    seats=(1, 4),
    options=Options,
    start=start,
    event=Event,
    shared=(Entered,),
    board=board,
    winners=winners,
    heading=heading,
    categories=categories,
)
