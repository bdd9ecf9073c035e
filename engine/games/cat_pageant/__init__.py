"""CAT Pageant: adopt cats, groom them, learn their tricks, and show them where their trick is asked for.

Rule numbers (R, A, T) are those of the rules page. A print-and-play game by niceboardgames, 2023.
"""

from msgspec.structs import replace

from engine import game
from engine.face import Said
from engine.game import Category, Entered
from engine.games.cat_pageant import table
from engine.games.cat_pageant.fanciers import Fancier, renamed
from engine.games.cat_pageant.rounds import Adopt, Groom
from engine.games.cat_pageant.table import Event, Events, Known, Options, State, winners
from engine.rules import Action, Board
from engine.stamps import Due, S
from engine.words import N_

# --- against the clock ------------------------------------------------------------------------------------------------


def timed(state: State, action: Action, events: Events) -> Events:
    """Against the clock: the time limit of the turn that follows."""
    limit_s = state.options.turn_timer_s
    if not limit_s:
        return ()
    for event in events:
        state = event.fold(state)
    ask = state.ask
    begins = isinstance(ask, Adopt | Groom) and ask.due_ns is None
    return (TurnTimed(action.at_ns + limit_s * S),) if begins else ()


class TurnTimed(Event):
    label = N_("turn timed")
    due_ns: Due

    def fold(self, state: State) -> State:
        return state.asking(replace(state.ask, due_ns=self.due_ns))


# --- the board and the rules ------------------------------------------------------------------------------------------


def board(state: State) -> Board:
    """The public view of the game."""
    now = state.round
    counts = zip(state.cubes, state.hustle, state.moxie, state.cats, state.scored, strict=True)
    tokens = tuple(
        {"cubes": cubes, "hustle": hustle, "moxie": moxie, "cats": cats, "scored": scored}
        for cubes, hustle, moxie, cats, scored in counts
    )
    return game.board(state, now.number, order=now.order, tokens=tokens)


def heading(state: State) -> tuple[Said, Said]:
    """The round and the deck."""
    return N_("ROUND {number}", number=state.round.number), N_("deck {deck}", deck=state.deck)


def categories(state: State) -> tuple[Category, ...]:
    """The score pile and the media bonus of the total (R23, R24)."""
    return (
        Category(N_("score pile"), tuple([pile or 0 for pile in state.pile])),
        Category(N_("media"), tuple([bonus or 0 for bonus in table.media(state)])),
    )


def carryover(state: State) -> tuple[Known, ...]:
    """The fanciers for later games, those used last in front."""
    return state.known[: table.MAX_FANCIERS]


def start(players: int, options: Options) -> State:
    """The cats are shuffled, everybody has a fancier and 4 cubes (R1, R2)."""
    nobody, uncounted = (0,) * players, (None,) * players
    nothing: tuple[tuple[int, ...], ...] = ((),) * players
    return State(
        corrected=nobody,
        ask=Fancier(0),
        options=options,
        round=table.new_round(1, players),
        stats=nothing,
        moxie=nobody,
        hustle=nobody,
        cubes=(table.CUBES_EACH,) * players,
        cats=nobody,
        scored=nobody,
        pile=uncounted,
        counted=nobody,
        media=uncounted,
        ungroomed=uncounted,
        tricks=((),) * players,
        hand=((),) * players,
        named=("",) * players,
    )


RULES = game.Rules(
    name="cat_pageant",
    title=N_("CAT Pageant"),
    seats=(2, 4),
    options=Options,
    start=start,
    event=Event,
    shared=(Entered,),
    board=board,
    winners=winners,
    heading=heading,
    categories=categories,
    carryover=carryover,
    renamed=renamed,
    after=timed,
)
