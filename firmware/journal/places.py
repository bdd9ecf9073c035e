"""Every place for text: what it has, and what becomes of it when somebody is forgotten.

Forgetting goes by `KINDS`; a backup says what it has by them; docs/people.md has its table from `PLACES`. A test finds
each column for text of the journal's schema here, and each file of the state folder.
"""

import sqlite3
from collections.abc import Callable
from typing import NamedTuple

from engine.words import N_
from firmware import state_folder
from firmware.journal import fanciers, people, remarks, sheets
from firmware.journal.reader import Recorded
from firmware.people.names import Person


class Forgotten(NamedTuple):
    """Who is to be forgotten."""

    ids: tuple[str, ...]
    persons: tuple[Person, ...]  # as far as they are known

    @property
    def names(self) -> tuple[str, ...]:
        """What they may be called in a text."""
        return tuple(name for one in self.persons for name in (one.name, one.latin) if name)


class TextKind(NamedTuple):
    """A kind of text that may have names of people, and what forgetting does about it."""

    name: str  # for people
    since: str  # the version that looks through it first; empty: all do
    becomes: str  # for docs: what is left
    any_of: Callable[[sqlite3.Connection], bool]  # whether a journal has any such text
    forget: Callable[[sqlite3.Connection, Forgotten], None]
    leave_out: Callable[[Recorded, Forgotten], None]  # the same of a game in memory
    wipe: Callable[[bytearray, Forgotten], None]  # the same in the bytes of a damaged file


def _leave_out_seats(game: Recorded, forgotten: Forgotten) -> None:
    for id_ in forgotten.ids:
        game.seats = people.without(game.seats, id_, people.FORGOTTEN)


def _leave_out_notes(game: Recorded, forgotten: Forgotten) -> None:
    game.notes = remarks.without(game.notes, forgotten.names)


def _leave_out_sheet(game: Recorded, forgotten: Forgotten) -> None:
    if game.sheet and forgotten.names:
        game.sheet = sheets.without(game.sheet, forgotten.names)


NAMES = TextKind(
    N_("names"),
    "",
    "the row goes; the seats are those of somebody who was forgotten",
    people.there,
    lambda db, forgotten: people.forget(db, forgotten.ids),
    _leave_out_seats,
    lambda data, forgotten: people.wipe(data, forgotten.ids),
)
FANCIERS = TextKind(
    N_("fanciers"),
    "",
    "another name stands there",
    lambda db: True,
    lambda db, forgotten: fanciers.forget(db, forgotten.persons),
    lambda game, forgotten: fanciers.leave_out(game, forgotten.persons),
    lambda data, forgotten: fanciers.wipe(data, forgotten.persons),
)
# 0.1.0 as it was published looked through neither of these, nor did it note its version
NOTES = TextKind(
    N_("notes"),
    "0.1.0",
    "*…* stands for the name",
    remarks.any_of,
    lambda db, forgotten: remarks.forget(db, forgotten.names),
    _leave_out_notes,
    lambda data, forgotten: remarks.wipe(data, forgotten.names),
)
SHEETS = TextKind(
    N_("score sheets"),
    "0.1.0",
    "*…* stands for the name in titles, words, sentences and comments; ids and formulas stay",
    sheets.any_of,
    lambda db, forgotten: sheets.forget(db, forgotten.names),
    _leave_out_sheet,
    lambda data, forgotten: sheets.wipe(data, forgotten.names),
)
KINDS = (FANCIERS, NOTES, SHEETS, NAMES)  # names last: by them the others are found


class TextAt(NamedTuple):
    """A place for text: a column of the journal, or a file of the state folder."""

    where: str
    has: str  # for docs
    kind: TextKind | None = None  # None: it has no names of people, or `instead` says what is done
    instead: str = ""  # for docs

    @property
    def column(self) -> bool:
        """Whether it is in the journal, and so in a backup."""
        return not self.where.startswith("/")

    @property
    def becomes(self) -> str:
        """For docs: what forgetting leaves."""
        return self.instead or (self.kind.becomes if self.kind is not None else "it stays: it has no names")


IDS = "ids, of the kit's own making"
TIMES = "times"
FIXED = "words of the program"
CHOICES = (state_folder.CERTIFICATE, state_folder.CHOSEN, state_folder.ZONE, state_folder.GREETED)
PLACES = (
    TextAt("person.name", "a name", NAMES),
    TextAt("person.latin", "a short name for the display", NAMES),
    TextAt("seat.person", "the id of who sat there", NAMES),
    TextAt(
        "event.fields", "what happened in a game; text of people is the name of a fancier, and its letters", FANCIERS
    ),
    TextAt("kept.answers", "answers from phones before their turn, which may be the name of a fancier", FANCIERS),
    TextAt("remark.note", "a note to a game", NOTES),
    TextAt("sheet.text", "the text of a score sheet that was played", SHEETS),
    TextAt("sheet.digest", "what that text is known by", SHEETS, "the digest of the new text"),
    TextAt("game_sheet.digest", "which text a game was played by", SHEETS, "the digest of the new text"),
    TextAt(
        "game.name",
        "the kind of game; of a score sheet the name of its file",
        None,
        "it stays, also where it is a person's name",
    ),
    TextAt("person.id", IDS, None, "the row goes"),
    *(
        TextAt(where, IDS)
        for where in ("phone.id", "phone.holds", "phone.nonces", "phone.token", "run.boot", "run_bits.bits")
    ),
    *(TextAt(where, IDS) for where in ("sent.phone", "sent.nonce")),
    *(
        TextAt(where, FIXED)
        for where in ("button.name", "edge.button", "edge.source", "event.name", "kit.name", "phone.role")
    ),
    *(TextAt(where, FIXED) for where in ("run.version", "sent.verb")),
    *(TextAt(where, TIMES) for where in ("clock.wall", "game.started_at", "person.since", "phone.since")),
    *(TextAt(where, TIMES) for where in ("remark.day", "remark.since", "run.started_at", "seat.since")),
    TextAt(f"/{state_folder.ASIDE}", "a journal that was set aside, also a damaged one", None, "as in the journal"),
    TextAt(
        f"/{state_folder.SUMS}", "sums for the statistics; parts have titles of score sheets", None, "it is removed"
    ),
    TextAt(f"/{state_folder.SHEETS}", "score sheets of your own", None, "they stay; REALLY? lists those with the name"),
    TextAt(f"/{state_folder.SAVING}", "a score sheet that is being saved", None, "it is removed"),
    *(TextAt(f"/{name}", "a journal that is being made", None, "it is removed") for name in state_folder.UNFINISHED),
    TextAt(f"/{state_folder.RESTORED}", "a copy that is being put back", None, "as in the journal"),
    TextAt(f"/{state_folder.FORGOTTEN}", "the ids of those who were forgotten"),
    TextAt(f"/{state_folder.LISTED}", "when `people.txt` was read"),
    TextAt(f"/{state_folder.IN_USE}", "nothing: the program that has the games holds it"),
    *(TextAt(f"/{name}", "what people have chosen, or the kit has measured") for name in CHOICES),
)
