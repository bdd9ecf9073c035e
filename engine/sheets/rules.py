"""A sheet as a game like any other: nothing above the engine knows that it is a file."""

from functools import partial

from engine import game, racing
from engine.face import Said, Who
from engine.game import NoOptions, Rules
from engine.rules import Board, Seat
from engine.sheets import amending, flow, parts, races
from engine.sheets.asking import SheetEvent
from engine.sheets.flows import FLOWS
from engine.sheets.preview import preview
from engine.sheets.program import VALUES
from engine.sheets.sheet import Sheet, variant
from engine.sheets.state import SheetGame, SheetState, best, ranks, shows_totals, winners
from engine.words import N_, seen


def rules(name: str, sheet: Sheet, text: str = "") -> Rules[SheetState, NoOptions]:
    """The rules of a sheet. Its expressions are compiled here. `text`: of its file."""
    played = SheetGame(sheet, FLOWS[sheet.per])
    assert played.program
    return Rules(
        name=name,
        title=seen(sheet.title) or name,
        seats=sheet.players,
        options=NoOptions,
        start=lambda players, options: flow.start(played, players),
        event=SheetEvent,
        shared=(*racing.EVENTS, racing.Jumped),
        board=board,
        winners=winners,
        heading=heading,
        categories=parts.categories if parts.has_parts(sheet) else None,
        reactions=races.reactions if sheet.race is not None and sheet.race.kind == "signal" else None,
        after=flow.after,
        begun=flow.begun,
        ranks=ranks,
        best=best(sheet),
        preview=preview if shows_totals(sheet) else None,
        totals=shows_totals(sheet),
        together=sheet.together is not None,
        alone=sheet.together is not None,
        sides=None if sheet.teams is None else partial(sides, sheet.teams),
        amend=amending.amend,
        reckoned=amending.reckoned,
        reckoned_on=amending.reckoned_on,
        entered=amending.entered,
        answered=amending.answered,
        tally=amending.tally,
        text=text,
        variant=variant(sheet),
    )


def sides(teams: int, players: int) -> tuple[tuple[Seat, ...], ...]:
    """Who plays together."""
    return tuple([tuple(range(side, players, teams)) for side in range(teams)])


def heading(state: SheetState) -> tuple[Said, Said]:
    """The round, and who starts it where that changes."""
    now = state.round
    if state.why or state.game.flow.a_row_each:
        return "", ""
    if state.rounds is not None:
        texts = [N_("{number}/{rounds}", number=now.number, rounds=state.rounds)]
    else:
        texts = [N_("ROUND {number}", number=now.number), N_("R{number}", number=now.number)]
    if state.game.sheet.first != "fixed" and state.game.flow.names_starter:
        texts = [N_("{round}  {who} starts", round=texts[-1], who=Who((now.first,))), *texts]
    return "", tuple(texts)


def board(state: SheetState) -> Board:
    """Round, order, keeps as tokens, and the race."""
    now, program = state.round, state.game.program
    order = (*state.seats[now.first :], *state.seats[: now.first])
    tokens = tuple({keep.name: own[keep.place - VALUES] for keep in program.keeps} for own in state.done.values)
    run, marks = races.on_board(state)
    return game.board(
        state, now.number, state.rounds, order=order, tokens=tokens, race=run, highlight=marks, goal=program.goal
    )
