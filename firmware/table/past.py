"""Games of the past, read from the journal on a thread of its own: the loop never waits for the disk."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from engine import games
from engine.game import Rules
from engine.play import Play
from engine.rules import Refused
from firmware import screens
from firmware.journal.reader import GameRow, History, Recorded
from firmware.words import _, ngettext, translated

T = TypeVar("T")

UNREADABLE = (OSError, sqlite3.Error, ValueError, Refused)  # a journal, or a game that this version does not know
PAST_GAMES = 20  # as many as the display lists
MAX_WORD = 8  # letters of an outcome
MAX_NAME = 14  # letters of a game that this version does not know


class Unfinished(NamedTuple):
    """A game that is not on the table: it can be gone on with, or its end undone."""

    game: int  # its number in the journal
    play: Play
    record: Recorded | None = None  # where it was read from the journal, which then has to take it up


class Kept(NamedTuple):
    """What a game has left for later ones of the same rules."""

    name: str  # of the rules
    game: int
    value: tuple[Any, ...]


class PastGame(NamedTuple):
    """A game as the display lists it."""

    game: int
    title: str
    day: str
    outcome: str  # who has won, or how it stands, in a word


class Listed(NamedTuple):
    """The games that have been read so far, the newest first."""

    games: tuple[PastGame, ...] = ()
    whole: bool = False  # there are no more


class Found(NamedTuple):
    """Something has been read; what is to be done with it on the loop."""

    then: Callable[[], None]


class Reader:
    """Reads the journal, each question on a thread of its own, and posts what it finds."""

    def __init__(self, path: Path, post: Callable[[Found], None], *, threaded: bool = True) -> None:
        """`post` is called on any thread. With `threaded=False` all happens in the caller."""
        self._path, self._post, self._threaded = path, post, threaded

    def ask(
        self,
        read: Callable[[Path], Iterator[T]],
        then: Callable[[T], None],
        wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        """Read, which must not raise; `then` is called on the loop with each thing that it yields. Never blocks.

        It ends early once it is not `wanted` any more; that is asked on the thread.
        """

        def work() -> None:
            for found in read(self._path):
                self._post(Found(partial(then, found)))
                if not wanted():
                    return

        if self._threaded:
            threading.Thread(target=work, name="reader", daemon=True).start()
        else:
            work()


def unfinished(record: Recorded | None) -> Unfinished | None:
    """A game to be gone on with; None where this version cannot."""
    with contextlib.suppress(*UNREADABLE):
        if record is not None:
            return Unfinished(record.number, record.play(games.rules(record.name)), record)
    return None


# --- what is read, and yielded once it has been ----------------------------------------------------------------------


def first_of_all(path: Path) -> Iterator[tuple[Kept, ...]]:
    """What will be wanted in a game: what earlier ones have left for later ones. Fonts and pictures are loaded, too."""
    screens.load()
    yield tuple(left for name in games.names() if (left := kept(path, games.rules(name))) is not None)


def newest(path: Path) -> Iterator[Listed]:
    """The games played last, as many as the display lists."""
    found: tuple[PastGame, ...] = ()
    with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
        for row in history.games()[:PAST_GAMES]:
            found = (*found, listed(row, played(history, row)))
            yield Listed(found)
    yield Listed(found, whole=True)


def open_games(path: Path) -> Iterator[Listed]:
    """All games that are not over, as they are found; below them the one that was over last: its end may be undone."""
    found: tuple[PastGame, ...] = ()
    ended: tuple[PastGame, ...] = ()
    with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
        for row in history.games():
            play = played(history, row)
            if play is not None and not play.over:
                found = (*found, listed(row, play))
            elif play is not None and not ended:
                ended = (listed(row, play),)
            yield Listed(found)
    yield Listed((*found, *ended), whole=True)


def one(game: int, path: Path) -> Iterator[Unfinished | None]:
    """One game, finished or not; None where this version cannot read it."""
    found = None
    with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
        found = unfinished(history.recalled(game))
    yield found


def kept(path: Path, rules: Rules[Any, Any]) -> Kept | None:
    """What the newest game of these rules has left for later ones; None where there is nothing."""
    if rules.carryover is not None:
        with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
            for row in history.games():
                if row.name == rules.name:
                    return Kept(rules.name, row.game, rules.carryover(history.play(row.game, rules).state))
    return None


def played(history: History, row: GameRow) -> Play | None:
    """The game of a row; None where this version cannot read it."""
    with contextlib.suppress(*UNREADABLE):
        return history.play(row.game, games.rules(row.name))
    return None


def listed(row: GameRow, play: Play | None) -> PastGame:
    """A game in a row of the display: the winners, or in a word how it stands."""
    if play is None:
        name = row.name.replace("_", " ").capitalize()[:MAX_NAME]
        return PastGame(row.game, name, day(row.started_at), "?")
    won = " ".join(play.players[seat] for seat in play.winners)
    if len(won) > MAX_WORD:
        won = ngettext("{n} won", "{n} won", len(play.winners))
    outcome = won or (_("open") if not play.over else _("ended") if play.ended else _("nobody"))
    return PastGame(row.game, translated(play.rules.title), day(row.started_at), outcome)


def day(started_at: str) -> str:
    """The day for people, by the clock on their wall."""
    try:
        return f"{datetime.fromisoformat(started_at).astimezone():%d %b %Y}"
    except ValueError:
        return started_at[:10]
