"""Games of the past, read from the journal on a thread of its own: the loop never waits for the disk."""

import contextlib
import json
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from weakref import WeakSet

from engine import games
from engine.game import Rules
from engine.play import Play
from engine.rules import Refused, Seat
from firmware import local_time
from firmware.journal.phones import Answered
from firmware.journal.reader import GameRow, History, Recorded
from firmware.output import screens
from firmware.people.names import at_table
from firmware.statistics import process
from firmware.translation import _, ngettext, translated

T = TypeVar("T")

UNREADABLE = (OSError, sqlite3.Error, ValueError, Refused)  # a journal, or a game that this version does not know
PAST_GAMES = 20  # as many as the display lists
END_S = 2.0  # how long the end of what is read is waited for
MAX_WORD = 8  # letters of an outcome
MAX_NAME = 14  # letters of a game that this version does not know


class Unfinished(NamedTuple):
    """A game that is not on the table: it can be gone on with, or its end undone."""

    game: int  # its number in the journal
    play: Play
    record: Recorded | None = None  # where it was read from the journal, which then has to take it up
    people: Mapping[Seat, str] = {}  # the ids of those who sit there
    sent: tuple[Answered, ...] = ()  # what phones have sent and no event has yet


class Sat(NamedTuple):
    """A game that a wish names: this one or one of the past."""

    people: tuple[str | None, ...]  # ids by seat; None: a guest
    noted: tuple[str, str] = ("", "")  # the note, and the day
    found: Any = None  # as it was read; None: it is on the table


class Carryover(NamedTuple):
    """Data of a game for later ones of the same rules."""

    name: str  # of the rules
    game: int
    value: tuple[Any, ...]


def carry_over(known: dict[str, Carryover], new: Iterable[Carryover]) -> None:
    """Keep these, by the rules' name, but where one of a newer game is known."""
    for one in new:
        if one.name not in known or known[one.name].game <= one.game:
            known[one.name] = one


class PastGame(NamedTuple):
    """A game as the display lists it."""

    game: int
    title: str
    day: str
    outcomes: tuple[str, ...]  # the winners, or the state, in a word; shorter, too


class GamesRead(NamedTuple):
    """The games that have been read so far, the newest first."""

    games: tuple[PastGame, ...] = ()
    whole: bool = False  # there are no more


class LatestTally(NamedTuple):
    """Somebody's evening."""

    person: str  # an id
    games: int
    wins: int


class LatestGuests(NamedTuple):
    """The guests at one button."""

    label: str
    games: int
    wins: int


class LatestNews(NamedTuple):
    """Something new that the latest game has brought, as `firmware.statistics.person_figures` names it."""

    person: str  # an id
    kind: str
    title: str  # of the kind of game
    value: int


class LatestEvening(NamedTuple):
    """The latest evening."""

    number: int
    day: str | None
    game: int  # the latest that was over
    tally: tuple[LatestTally, ...]  # most wins in front
    news: tuple[LatestNews, ...]
    guests: tuple[LatestGuests, ...] = ()  # most wins in front


class Call(NamedTuple):
    """Something is to be done on the loop: something has been read, or a page says or asks something."""

    do: Callable[[], None]
    waits: bool = False  # until it is known whether there is a game


class Reader:
    """Reads the journal, each question on a thread of its own, and posts the results."""

    def __init__(self, path: Path, post: Callable[[Call], None], *, threaded: bool = True) -> None:
        """`post` is called on any thread. With `threaded=False` all happens in the caller."""
        self._path, self._post, self.threaded = path, post, threaded
        self._threads = WeakSet[threading.Thread]()

    def ask(
        self, read: Callable[[Path], Iterator[T]], then: Callable[[T], None], wanted: Callable[[], bool] = lambda: True
    ) -> None:
        """Read, which must not raise; `then` is called on the loop with each thing that it yields. Never blocks.

        It ends early once it is not `wanted` any more; that is asked on the thread.
        """

        def work() -> None:
            for result in read(self._path):
                self._post(Call(partial(then, result)))
                if not wanted():
                    return

        if self.threaded:
            self._threads.add(thread := threading.Thread(target=work, name="reader", daemon=True))
            thread.start()
        else:
            work()

    def close(self) -> None:
        """Wait for questions that are open: where the last to close a journal only reads, its log stays behind."""
        for thread in tuple(self._threads):
            thread.join(END_S)


def unfinished(record: Recorded | None) -> Unfinished | None:
    """A game to go on with; None where this version cannot."""
    with contextlib.suppress(*UNREADABLE):
        if record is not None:
            play = record.play(record.rules)
            return Unfinished(record.number, play, record, record.persons, record.sent)
    return None


def sitting(game: Unfinished | None) -> dict[str, str]:
    """By button the ids of the people of a game."""
    if game is None:
        return {}
    buttons = game.play.buttons or game.play.players
    return {buttons[seat]: person for seat, person in game.people.items() if seat < len(buttons)}


# --- questions to the reader: each yields its results ----------------------------------------------------------------


def first_of_all(path: Path) -> Iterator[tuple[Carryover, ...]]:
    """The data that earlier games have left for later ones. Fonts and pictures are loaded, too, before any game."""
    screens.load()
    yield from carryovers(path)


def carryovers(path: Path) -> Iterator[tuple[Carryover, ...]]:
    """The data that earlier games have left for later ones."""
    yield tuple(left for name in games.names() if (left := carryover(path, games.rules(name))) is not None)


def newest(path: Path) -> Iterator[GamesRead]:
    """The games played last, as many as the display lists."""
    read: tuple[PastGame, ...] = ()
    with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
        for row in history.games()[:PAST_GAMES]:
            read = (*read, shown(history, row, played(history, row)))
            yield GamesRead(read)
    yield GamesRead(read, whole=True)


def open_games(path: Path) -> Iterator[GamesRead]:
    """All games that are not over, as they are read; below them the one that was over last: its end may be undone."""
    open_: tuple[PastGame, ...] = ()
    ended: tuple[PastGame, ...] = ()
    with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
        for row in history.games():
            play = played(history, row)
            if play is not None and not play.over:
                open_ = (*open_, shown(history, row, play))
            elif play is not None and not ended:
                ended = (shown(history, row, play),)
            yield GamesRead(open_)
    yield GamesRead((*open_, *ended), whole=True)


def one(game: int, path: Path) -> Iterator[Unfinished | None]:
    """One game, finished or not; None where this version cannot read it."""
    yield from map(unfinished, record(game, path))


def record(game: int, path: Path) -> Iterator[Recorded | None]:
    """Its rows; None where there is none, or it is damaged."""
    yield _asked(path, lambda history: history.recalled(game), None)


def evening(path: Path, *, apart: bool) -> Iterator[LatestEvening | None]:
    """The latest evening; None where there is none yet, or where it cannot be summed.

    `apart`: a process of its own sums it.
    """
    found: Any = None
    with contextlib.suppress(*UNREADABLE, subprocess.SubprocessError):
        made = process.made(path.parent, process.LATEST) if apart else None
        found = process.latest(path.parent) if made is None else json.loads(made)
    if found is None:
        yield None
        return
    tally = tuple(LatestTally(one["id"], one["games"], one["wins"]) for one in found["tally"])
    news = tuple(LatestNews(one["id"], one["kind"], one["title"], one["value"]) for one in found["news"])
    guests = tuple(LatestGuests(one["label"], one["games"], one["wins"]) for one in found["guests"])
    yield LatestEvening(found["number"], found["day"], found["games"][-1], tally, news, guests)


def pressed(boot: str, first_ns: int, last_ns: int, path: Path) -> Iterator[tuple[str, ...]]:
    """The buttons that were pressed in this boot from one stamp to another; none where that cannot be read."""
    yield _asked(path, lambda history: history.pressed(boot, first_ns, last_ns), ())


def met(one: str, other: str, path: Path) -> Iterator[bool]:
    """Whether two people sat in the same game; also where that cannot be read."""
    yield _asked(path, lambda history: history.met(one, other), True)


def _asked(path: Path, ask: Callable[[History], T], otherwise: T) -> T:
    """What the journal answers, or this where it cannot be read."""
    with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
        return ask(history)
    return otherwise


def carryover(path: Path, rules: Rules[Any, Any]) -> Carryover | None:
    """The data that the newest game of these rules has left for later ones; None where there is none."""
    if rules.carryover is not None:
        with contextlib.suppress(*UNREADABLE), contextlib.closing(History(path)) as history:
            for row in history.games():
                if row.name == rules.name:
                    return Carryover(rules.name, row.game, rules.carryover(history.play(row.game, rules).state))
    return None


def played(history: History, row: GameRow) -> Play | None:
    """The game of a row; None where this version cannot read it."""
    with contextlib.suppress(*UNREADABLE):
        return history.play(row.game, history.rules(row))
    return None


def shown(history: History, row: GameRow, play: Play | None) -> PastGame:
    """A game in a row of the display, with the names that it can draw."""
    labels = () if play is None else play.players
    names = at_table(labels, {seat: one.drawn for seat, one in history.people(row.game).items()})
    return listed(row, local_time.day(history.began(row)), play, names)


def listed(row: GameRow, day: str, play: Play | None, names: Sequence[str]) -> PastGame:
    """A game in a row of the display: the winners, or its state in a word. `names`: of the players, by seat."""
    if play is None:
        return PastGame(row.game, row.name.replace("_", " ").capitalize()[:MAX_NAME], day, ("?",))
    title, won = translated(play.rules.title), play.winners
    if not won:
        outcome = _("open") if not play.over else _("ended") if play.ended else _("nobody")
        return PastGame(row.game, title, day, (outcome,))
    called = [" ".join(each[seat] for seat in won) for each in (names, play.players)]
    short = [text for text in called if len(text) <= MAX_WORD]
    outcomes = dict.fromkeys((*short, ngettext("{n} won", "{n} won", len(won))))
    return PastGame(row.game, title, day, tuple(outcomes))
