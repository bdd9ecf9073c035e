"""A sheet as a game like any other: nothing above the engine knows that it is a file."""

from engine import game, racing
from engine.face import Said
from engine.game import NoOptions, Rules
from engine.rules import Board
from engine.sheets import amending, flow, races
from engine.sheets.asking import Event, Numbers
from engine.sheets.preview import preview
from engine.sheets.program import VALUES
from engine.sheets.sheet import Sheet
from engine.sheets.state import Game, State, best, ranks, winners
from engine.words import N_


def rules(name: str, sheet: Sheet, text: str = "") -> Rules[State, NoOptions]:
    """The rules of a sheet. Its expressions are compiled here. `text`: of its file."""
    played = Game(sheet)
    assert played.program
    return Rules(
        name=name,
        title=sheet.title,
        seats=sheet.players,
        options=NoOptions,
        start=lambda players, options: flow.start(played, players),
        event=Event,
        shared=racing.EVENTS,
        board=board,
        winners=winners,
        heading=heading,
        after=flow.after,
        begun=flow.begun,
        ranks=ranks,
        best=best(sheet),
        preview=preview,
        amend=amending.amend,
        entered=amending.entered,
        answered=amending.answered,
        teams=sheet.teams,
        tally=amending.tally,
        text=text,
    )


def heading(state: State) -> tuple[Said, Said]:
    """The title and the round."""
    number, title = state.round.number, state.game.sheet.title
    if state.why or state.game.program.per == "any":
        return title, ""
    if state.rounds is not None:
        return title, (N_("{number}/{rounds}", number=number, rounds=state.rounds),)
    return title, (N_("ROUND {number}", number=number), N_("R{number}", number=number))


def board(state: State) -> Board:
    """Round, order, keeps as tokens, and the race."""
    now, program = state.round, state.game.program
    order = (*state.seats[now.first :], *state.seats[: now.first])
    tokens = tuple({keep.name: own[keep.place - VALUES] for keep in program.keeps} for own in state.values)
    run = state.ask.race_board(state)
    if run is None and now.run is not None and isinstance(state.ask, Numbers):
        run = races.shown(state, now.run, "over")
    return game.board(state, now.number, state.rounds, order=order, tokens=tokens, race=run)
