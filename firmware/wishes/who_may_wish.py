"""All wishes: who may wish what, one table for all doors; and how a form or a message has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from firmware.wishes.asker import FREELY, HISTORY, NO_RACE, OWN_ANSWER, OWN_GUEST, PLAYS, SAVING, Cell, When, Wisher
from firmware.wishes.games import ChangeSeats, Sit, WriteRemark
from firmware.wishes.people import Add, CountGames, Forget, Merge, Rename
from firmware.wishes.phones import BeTable, Introduce, Leave, ReadHistory, Take
from firmware.wishes.play import Amend, EndGame, Fix, Redo, Undo

OfPlay: TypeAlias = Undo | Redo | Fix | Amend | EndGame
OfHistory: TypeAlias = Add | Rename | CountGames | Merge | Forget | Sit | ChangeSeats | WriteRemark
AnyWish: TypeAlias = OfPlay | OfHistory | Take | Leave | BeTable | ReadHistory | Introduce

NOW, OK, NO = Cell(When.NOW), Cell(When.OK), Cell(When.NO)
READER, MINE = Cell(When.OK, (HISTORY,)), Cell(When.NOW, (OWN_GUEST,))
SAVED = Cell(When.NOW, (SAVING,))
BACK, TAKEN, PLAYED = Cell(When.OK, (), OWN_ANSWER), Cell(When.OK, (), FREELY), Cell(When.OK, (PLAYS,))

# by kind of wish, the cells in the order of `Wisher`
ROWS: Mapping[type[AnyWish], tuple[Cell, Cell, Cell, Cell, Cell]] = {
    Undo: (NOW, NO, BACK, BACK._replace(only=(PLAYS,)), NO),
    Redo: (NOW, NO, OK, PLAYED, NO),
    Fix: (NOW, NO, OK, NO, NO),
    Amend: (NOW, Cell(When.NOW, (NO_RACE,)), OK, NO, NO),
    EndGame: (NOW, NO, OK, NO, NO),
    Sit: (NO, NOW, NO, NO, NO),
    ChangeSeats: (NOW, NOW, READER, NO, NO),
    WriteRemark: (NO, NOW, READER, NO, NO),
    Add: (NOW, NOW, READER, NO, NO),
    Rename: (NOW, NOW, READER, NO, NO),
    CountGames: (NOW, NOW, READER, NO, NO),
    Merge: (NOW, NOW, READER, NO, NO),
    Forget: (SAVED, SAVED, Cell(When.OK, (HISTORY, SAVING)), NO, NO),
    Take: (NO, NO, TAKEN, TAKEN, TAKEN),
    Leave: (NO, NO, NOW, NOW, NOW),
    BeTable: (NO, NO, NOW, NOW, NOW),
    ReadHistory: (NO, NO, OK, NO, NO),
    Introduce: (NO, NO, MINE, MINE, NO),
}


def cell(wish: AnyWish, who: Wisher) -> Cell:
    """What the table says."""
    return ROWS[type(wish)][[*Wisher].index(who)]


SEAT = re.compile(r"seat\d{1,2}", re.ASCII)  # the fields of a form that are one list: who sits where
DIGITS = re.compile(r"\d{1,9}", re.ASCII)


def read(fields: Mapping[Any, object]) -> AnyWish:
    """A wish as a message has it. Raises `ValueError` for what no page sends."""
    wish: AnyWish = msgspec.convert(fields, AnyWish)
    return wish


def read_form(fields: Mapping[str, str]) -> AnyWish:
    """A wish as a form has it: all texts. Raises `ValueError` for what no page sends."""
    given: dict[str, Any] = {name: value for name, value in fields.items() if not SEAT.fullmatch(name)}
    if not DIGITS.fullmatch(given.get("game", "0")):
        raise ValueError("no such game")
    given |= {name: msgspec.json.decode(given[name]) for name in ("was", "agreed") if name in given}
    if seats := len(fields) - len(given):
        given["people"] = [fields.get(f"seat{seat}", "none") or None for seat in range(seats)]
    wish: AnyWish = msgspec.convert(given, AnyWish, strict=False)
    return wish
