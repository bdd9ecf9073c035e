"""The journal: every event of every game in SQLite, append-only, for ever. Raw edges are stored for 30 days.

One thread writes; all that waits is committed together. An event is shown only once it is committed, so a crash never
takes back anything that players have seen. Where storage fails, the game goes on in memory and waiting rows are
written as soon as storage is back. No error of any kind ends the thread: it is said, and all is tried again.

The latest game is in memory with all its rows. Whenever the file is opened, the game is looked up there, and missing
rows are added: rows that a failed commit has left on the disk are not written twice, and a game is whole even where
the card that comes back is an older or an empty one.

People stand beside the events: see `people.py`.

For changes that a later version may make within the format, see `file.py`.
"""

import contextlib
import queue
import secrets
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from engine.play import Fact
from engine.rules import Seat
from engine.words import N_
from firmware import VERSION, wall_clock
from firmware.journal import forgetting, forgotten, people, phones, remarks, run_notes, schema, sheets
from firmware.journal.file import OtherFormat, code, damaged, in_words, open_to_read, open_to_write
from firmware.journal.forgotten import Unforgotten
from firmware.journal.phones import Answered, Phone
from firmware.journal.places import Forgotten
from firmware.journal.reader import LAST, EventRow, Recorded, Run, encode, most, recalled
from firmware.journal.set_aside import identity, in_use, set_aside
from firmware.people.names import Person
from firmware.state_folder import IN_USE, LISTED, replace
from firmware.wall_clock import Moment
from hardware.one_program import hold_games
from hardware.parts.buttons import Edge

NO_LOCKS = N_("this folder has no locks, keep the games on another disk")  # SQLite calls it busy, too
RETRY_S = 1.0
FOREVER_NS = 1 << 62
EDGES_S = 0.1  # edges wait so long for the facts that they cause, to share one commit: each commit waits for the disk
EDGES_DAYS = 30

EVENT = "insert into event (run, game, step, at_ns, name, fields) values (?, ?, ?, ?, ?, ?)"
EDGE = "insert into edge (run, button, down, at_ns, source) values (?, ?, ?, ?, ?)"


class _Item(NamedTuple):
    """An entry of the thread's queue: rows of a game, people."""

    ticket: int
    game: Recorded | None = None
    rows: tuple[EventRow, ...] = ()
    seats: tuple[people.SeatRow, ...] = ()
    persons: tuple[Person, ...] = ()
    forget: str | None = None  # an id
    merge: tuple[str, str] | None = None  # two ids of one person: the first becomes the second
    moment: Moment | None = None
    evening: bool | None = None  # whether what comes now is a new one
    sent: tuple[Answered, ...] | None = None  # what phones have sent that is in no event yet; None: as before
    phones: tuple[Phone, ...] = ()
    gone: tuple[str, ...] = ()  # the ids of phones
    notes: tuple[remarks.RemarkRow, ...] = ()
    listed: str | None = None  # the mark of a list of people that was read


class Journal:
    """Writes on a thread of its own.

    `on_commit(ticket)` is called on that thread once everything up to this ticket is on the disk; `on_trouble(text)`
    when storage fails, `on_trouble(None)` when it works again; `on_notice(text)` for other notices to people. With
    `threaded=False` all happens in the caller.
    """

    def __init__(
        self,
        path: Path,
        boot: str,
        on_commit: Callable[[int], None],
        on_trouble: Callable[[str | None], None],
        *,
        on_notice: Callable[[str], None] = lambda text: None,
        threaded: bool = True,
        kit: str = "",
        buttons: Sequence[str] = (),
        clock: Callable[[], Moment] = wall_clock.now,
    ) -> None:
        """`kit`: its name; times of two runs are compared only if it is the same. Raises `InUse`.

        `buttons`: their names in the order of the kit's description.
        """
        self.held = hold_games(path.with_name(IN_USE))
        self.path, self.kit, self.buttons, self.clock = path, kit, buttons, clock
        self._on_commit, self._on_trouble, self._on_notice = on_commit, on_trouble, on_notice
        self._queue: queue.SimpleQueue[list[_Item] | None] = queue.SimpleQueue()  # groups, each committed at once
        self._group: list[_Item] | None = None  # the one that is being made
        self._ticket = 0
        self._edges: deque[Edge] = deque()  # from any thread
        self._edges_told = False  # the thread has yet to take them
        self._number = 0  # the highest of a game
        self._latest: Recorded | None = None  # that facts are written to
        self.persons: tuple[Person, ...] = ()  # known at the start, those who sat at a table last in front
        self.phones: tuple[Phone, ...] = ()  # that have joined in earlier runs
        self._fact: run_notes.Stamp | None = None  # the latest
        self._noted_last: run_notes.Stamp | None = None  # what the latest of earlier runs has noted
        self._doubt: bool | None = None  # whether the latest game's run knew its time; None: nothing has to be asked
        with (
            contextlib.suppress(Exception),  # a kit starts, whatever lies there; the thread will report it
            contextlib.closing(self._open_to_read()) as db,
        ):
            self._number = most(db, "game")
            self.persons = people.known(db)
            self.phones = phones.known(db)
            self._latest = recalled(db, LAST)
            if (
                (last := self._latest) is not None
                and last.runs[-1].boot != boot
                and not run_notes.answered(db, last.id)
            ):
                self._doubt = run_notes.time_known(db, last.runs[-1].id or 0)
            self._fact, self._noted_last = run_notes.latest(db)
        # attributes of the thread
        self._db: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None  # identity of the file that was checked and written last
        self._run = Run(boot, VERSION, wall_clock.text(), bits=secrets.token_hex(8))
        self._moments: list[Moment] = []  # of this run
        self._evening: bool | None = None  # whether it began a new one, once it was asked
        self._noted = False  # whether all of these are on the disk
        self._games = [] if self._latest is None else [self._latest]  # the latest, and those with rows that wait
        self._waiting: list[Edge] = []
        self._known = {person.id: person for person in self.persons}
        self._changed: dict[str, Person] = {}  # in this run
        self._unsaved: list[Person] = []
        self._forgetting: list[str] = []  # ids
        self._sheets: dict[str, str] = {}  # by the digest of a text that had the name of somebody forgotten: without it
        self._phones = {phone.id: phone for phone in self.phones}
        self._joined: list[Phone] = []
        self._gone: list[str] = []  # ids
        self._merging: list[tuple[str, str]] = []
        self._listed: str | None = None  # the mark of a list of people, until it is on the disk
        self._received: deque[_Item] = deque()  # from the queue
        self._queued = self._committed = 0  # tickets
        self._troubled = self._closing = False
        self._thread = threading.Thread(target=self._work, name="journal") if threaded else None
        self._moment = clock()
        self._put(moment=self._moment)
        if self._thread is not None:
            self._thread.start()

    def _open_to_read(self) -> sqlite3.Connection:
        """To have in memory what is there; nothing of those whom a cut has left to be forgotten."""
        try:
            return open_to_read(self.path, first=True)
        except Unforgotten:
            forgetting.finish(self.path, self._on_notice)
        except OtherFormat:  # this version's own may lie beside it
            open_to_write(self.path, self._on_notice, thorough=True).db.close()
        return open_to_read(self.path, first=True)

    @property
    def latest(self) -> Recorded | None:
        """The last game of earlier runs, as it was read; None where there was none, or none that could be read."""
        return None if self._latest is None or self._latest.run is self._run else self._latest

    def begin_game(self, name: str, sheet: str = "") -> int:
        """Begin a game; returns its number. A disk that has a game of that number by then stores it under the next.

        `sheet`: the text of its score sheet, where it is one.
        """
        self._number += 1
        self._latest = Recorded(self._number, self._number, self._run, name, wall_clock.text(), sheet=sheet)
        self._moment = self.clock()
        self._put(self._latest, moment=self._moment)
        return self._number

    @property
    def evening_in_doubt(self) -> bool:
        """Whether people have to say if the games after the latest one are a new evening's: the clocks cannot tell."""
        return self._doubt is not None and not (self._doubt and self.clock().wall is not None)

    def idle_ns(self, now_ns: int) -> int | None:
        """How long ago the latest fact of all games was, ns; since ever if there is none, None if no clock can tell."""
        return FOREVER_NS if self._fact is None else self._ago_ns(self._fact, now_ns)

    def last_run_ns(self, now_ns: int) -> int | None:
        """How long ago the latest of earlier runs began, or began its last game, ns; None as above."""
        return FOREVER_NS if self._noted_last is None else self._ago_ns(self._noted_last, now_ns)

    def _ago_ns(self, stamp: run_notes.Stamp, now_ns: int) -> int | None:
        return stamp.ago_ns(self._run.boot, Moment(now_ns, self.clock().wall))

    def answer_evening(self, *, new: bool) -> None:
        """Queue whether people say that the evening is a new one. Never blocks."""
        self._doubt = None
        self._put(evening=new)

    def take_up(self, game: Recorded, *, goes_on: bool = True) -> int:
        """Take up an earlier game, as `recalled` has read it. Returns its number.

        Where it `goes_on`, being not over yet, nobody is asked whether the evening is a new one.
        """
        if goes_on:
            self._doubt = None
        self._latest = game
        return game.number

    def write(self, game: int, facts: Iterable[Fact], sent: Iterable[Answered] = ()) -> int:
        """Queue facts of the game begun or taken up last. Returns the ticket of their commit. Never blocks.

        `sent`: what phones have sent by then that is in no event yet.
        """
        assert self._latest is not None and game == self._latest.number
        facts = tuple(facts)
        if facts:
            self._fact = run_notes.stamp(self._run.boot, facts[-1].at_ns, self._moment)
        return self._put(self._latest, tuple(map(encode, facts)), sent=tuple(sent))

    def write_phones(self, phones: Iterable[Phone], gone: Iterable[str] = ()) -> int:
        """Queue phones that have joined or changed, and the ids of those thrown out. Returns the ticket."""
        return self._put(phones=tuple(phones), gone=tuple(gone))

    def seat(self, game: Recorded | int, persons: Mapping[Seat, str | None]) -> int:
        """Queue who sits where from now on, in the game begun or taken up last, or in an earlier one. Never blocks.

        `persons`: ids by seat, None for a guest. Returns the ticket of their commit.
        """
        if isinstance(game, int):
            assert self._latest is not None and game == self._latest.number
            game = self._latest
        since = wall_clock.text()
        return self._put(game, seats=tuple((seat, person, since) for seat, person in persons.items()))

    def remark(self, game: Recorded | int, note: str, day: str) -> int:
        """Queue a game's note and day, empty for none; `game` as in `seat`. Returns the ticket."""
        if isinstance(game, int):
            assert self._latest is not None and game == self._latest.number
            game = self._latest
        return self._put(game, notes=((note, day, wall_clock.text()),))

    @property
    def ticket(self) -> int:
        """That of what was queued last."""
        return self._ticket

    def write_people(self, persons: Iterable[Person]) -> int:
        """Queue people who are new or have changed. Returns the ticket of their commit. Never blocks."""
        return self._put(persons=tuple(persons))

    def note_list(self, mark: str) -> int:
        """Queue, after its people, that a list was read. Returns the ticket: once committed, it is not read again."""
        return self._put(listed=mark)

    def forget(self, person: str) -> int:
        """Queue that somebody is forgotten. Returns the ticket: then no copy of the name is left in the folder."""
        return self._put(forget=person)

    def merge(self, one: str, into: str) -> int:
        """Queue that two, who never sat in the same game, are the same person. Returns the ticket of the commit."""
        return self._put(merge=(one, into))

    def write_edge(self, edge: Edge) -> None:
        """Queue a raw edge. Any thread, so that it is stored even while the loop hangs; never blocks."""
        self._edges.append(edge)
        if not self._edges_told:
            self._edges_told = True
            self._queue_up([])

    def alive(self) -> bool:
        """Whether the thread runs. One that waits for a slow disk does: a restart would not help."""
        return self._thread is None or self._thread.is_alive()

    def close(self) -> bool:
        """Write all that waits, once more even where storage failed, and end the thread. Whether all is on the disk."""
        if self._thread is not None and self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        else:
            self._drain()
        self._forget()
        self.held.release()
        return self._queued == self._committed and not self._waiting

    def _put(
        self,
        game: Recorded | None = None,
        rows: tuple[EventRow, ...] = (),
        seats: tuple[people.SeatRow, ...] = (),
        persons: tuple[Person, ...] = (),
        forget: str | None = None,
        merge: tuple[str, str] | None = None,
        moment: Moment | None = None,
        evening: bool | None = None,
        sent: tuple[Answered, ...] | None = None,
        phones: tuple[Phone, ...] = (),
        gone: tuple[str, ...] = (),
        notes: tuple[remarks.RemarkRow, ...] = (),
        listed: str | None = None,
    ) -> int:
        self._ticket += 1
        item = _Item(
            self._ticket, game, rows, seats, persons, forget, merge, moment, evening, sent, phones, gone, notes, listed
        )
        if self._group is None:
            self._queue_up([item])
        else:
            self._group.append(item)
        return self._ticket

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything that is queued in this context is committed at once, or none of it."""
        self._group = []
        try:
            yield
        finally:
            group, self._group = self._group, None
            self._queue_up(group)

    def _queue_up(self, group: list[_Item]) -> None:
        self._queue.put(group)
        if self._thread is None:
            self._drain()

    # --- the thread --------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while not self._closing:
            with contextlib.suppress(Exception):  # of whoever is told: the next round tells again
                self._round(RETRY_S if self._received or self._waiting or self._queued > self._committed else None)

    def _drain(self) -> None:
        """A round without waiting, in the caller."""
        self._round(0)

    def _round(self, wait_s: float | None) -> None:
        """Wait for something in the queue, None: for ever, and commit all that waits. An error is told, of any kind."""
        try:
            self._receive(wait_s)
            while self._received:
                self._take(self._received[0])
                self._received.popleft()
            self._edges_told = False  # first: what comes from here on is taken below, or told
            while self._edges:
                self._waiting.append(self._edges.popleft())
            self._commit()
        except Exception as error:  # else nothing would be saved any more, and nobody would know
            self._fail(error)

    def _receive(self, wait_s: float | None) -> None:
        with contextlib.suppress(queue.Empty):
            group = self._queue.get(timeout=wait_s) if wait_s != 0 else self._queue.get_nowait()
            if group == [] and wait_s != 0:  # edges alone
                group = self._queue.get(timeout=EDGES_S)
            while True:
                if group is None:
                    self._closing = True
                else:
                    self._received += group
                group = self._queue.get_nowait()

    def _fail(self, error: Exception) -> None:
        """Tell once that nothing can be saved; all that waits goes on waiting."""
        self._forget()
        if not self._troubled:
            no_locks = code(error) == sqlite3.SQLITE_BUSY and not self.held.locks
            self._on_trouble(N_("cannot save: {error}", error=NO_LOCKS if no_locks else in_words(error)))
            self._troubled = True

    def _take(self, item: _Item) -> None:
        if item.forget is not None:  # first, as it may fail: then nothing of the item is taken
            if self._listed is not None:  # else the list may bring the name back
                self._commit()
            self._leave_out(item.forget)
            self._forgetting.append(item.forget)
        self._listed = item.listed or self._listed
        self._unsaved += item.persons
        for person in item.persons:
            self._known[person.id] = self._changed[person.id] = person
        self._phones.update((phone.id, phone) for phone in item.phones)
        self._joined += item.phones
        self._gone += item.gone
        for id_ in item.gone:
            self._phones.pop(id_, None)
        if item.moment is not None:
            self._moments.append(item.moment)
            self._noted = False
        if item.evening is not None:
            self._evening = item.evening
            self._noted = False
        if item.merge is not None:
            self._merging.append(item.merge)
            one, into = item.merge
            for each in self._games:
                each.seats = people.without(each.seats, one, into)
            self._drop(one)
        if (game := item.game) is not None:
            latest = not (item.seats or item.notes) or game in self._games[-1:]
            if game in self._games:
                self._games.remove(game)
            else:
                game.placed = False  # the file may have been opened anew since it was written to last
                game.sheet = self._sheets.get(sheets.digest(game.sheet), game.sheet)
            self._games.insert(len(self._games) if latest else 0, game)
            game.rows += item.rows
            game.runs += [self._run] * len(item.rows)
            game.seats += item.seats
            game.notes += item.notes
            if item.sent is not None and (item.sent or game.sent):
                game.sent, game.sent_saved = item.sent, False
        self._queued = item.ticket

    def _leave_out(self, person: str) -> None:
        """Nothing of somebody who is forgotten is in memory any more: else it would be written back."""
        gone = Forgotten((person,), tuple(one for one in self._known.values() if one.id == person))
        self._sheets = {known: sheets.without(left, gone.names) for known, left in self._sheets.items()}
        for game in self._games:
            before = game.sheet
            forgetting.leave_out(game, gone)
            if game.sheet != before:
                self._sheets[sheets.digest(before)] = game.sheet
        self._drop(person)

    def _drop(self, person: str) -> None:
        """Somebody is no longer known here."""
        for known in (self._known, self._changed):
            known.pop(person, None)
        self._unsaved = [one for one in self._unsaved if one.id != person]

    def _commit(self) -> None:
        """Commit all that waits. Raises whatever hinders it; then it waits on."""
        if self._queued == self._committed and not self._waiting and not self._moved():
            return
        try:
            self._save()
        except sqlite3.Error as error:
            self._forget()
            if not damaged(error):
                raise
            set_aside(self.path, tell=self._on_notice)
            self._opened = None
            self._save()
        self._waiting.clear()
        self._unsaved.clear()
        self._forgetting.clear()
        self._merging.clear()
        self._joined.clear()
        self._gone.clear()
        self._noted, self._evening = True, None
        for game in self._games:
            game.saved, game.seats_saved, game.sent_saved = len(game.rows), len(game.seats), True
            game.notes_saved = len(game.notes)
        del self._games[:-1]
        if self._listed is not None:  # only now: where a cut comes before, the list is read again, and nobody is lost
            mark = self.path.with_name(LISTED)
            replace(mark, mark.with_suffix(".new"), self._listed.encode())
            self._listed = None
        self._committed = self._queued
        if self._troubled:
            self._troubled = False
            self._on_trouble(None)
        self._on_commit(self._committed)

    def _save(self) -> None:
        """Write all that the file lacks. Raises `sqlite3.Error` and `OSError`; the connection is then of no use."""
        if self._moved():
            self._forget()
        if (db := self._db) is None:
            db = self._open()
            db.execute("begin immediate")
            self._look_up(db)
        else:
            db.execute("begin immediate")
        people.write(db, self._unsaved, wall_clock.text())
        for one, into in self._merging:  # first: the other may be forgotten since
            people.merge(db, one, into)
        with forgetting.carried_out(db, self.path, self._forgetting):
            self._write_all(db)
            db.execute("commit")
            if self._moved():
                raise FileNotFoundError(0, "the journal was taken away")

    def _write_all(self, db: sqlite3.Connection) -> None:
        """Write it in the transaction under way, in which whoever is to be forgotten is forgotten already."""
        phones.write(db, (one for one in self._joined if one.id in self._phones), wall_clock.text())
        phones.drop(db, self._gone)
        if not self._noted:
            assert self._run.id is not None
            run_notes.note(db, self._run.id, self.kit, self.buttons, self._moments)
            if self._evening is not None:
                run_notes.answer(db, new=self._evening)
        for game in self._games:
            self._write(db, game)
        db.executemany(EDGE, [(self._run.id, one.button, one.down, one.at_ns, one.source) for one in self._waiting])

    def _open(self) -> sqlite3.Connection:
        there, before = identity(in_use(self.path)), self._opened
        self._db, self._opened = open_to_write(self.path, self._on_notice, thorough=there != before)
        if before is not None and there is None:
            self._on_notice(N_("the journal is gone: a new one is begun"))
        elif before is not None and self._opened == there != before:
            self._on_notice(N_("another journal is there now: the game goes on in it"))
        return self._db

    def _moved(self) -> bool:
        """Whether another file is the journal now: rows written to this one would be lost."""
        return self._db is not None and identity(in_use(self.path)) != self._opened

    def _forget(self) -> None:
        """Close a connection that failed; the next commit opens a new one and looks the games up again."""
        db, self._db = self._db, None
        for game in self._games:
            game.placed = False
        if db is not None:
            with contextlib.suppress(sqlite3.Error):
                db.close()

    # --- looking up games and runs -----------------------------------------------------------------------------------

    def _look_up(self, db: sqlite3.Connection) -> None:
        """In a file just opened: give this run its number, skip edges that a failed commit has written, and prune."""
        schema.add(db)
        self._noted = False
        forgetting.tell_missed(db, self.path.parent, self._on_notice)
        for id_ in forgotten.listed(self.path.parent):  # maybe that of another card, or of a copy put back
            self._leave_out(id_)
        self._forgetting += [id_ for id_ in forgotten.pending(db, self.path.parent) if id_ not in self._forgetting]
        there = {person.id for person in people.known(db)}
        people.write(db, [one for one in self._known.values() if one.id not in there], wall_clock.text())
        people.write(db, self._changed.values(), wall_clock.text())
        phones.write(db, self._phones.values(), wall_clock.text())
        known = self._run.id is not None
        self._place_runs(db, self._games)
        _place_run(db, self._run)
        if known and self._waiting:
            since_ns = min(edge.at_ns for edge in self._waiting)
            stored = set(
                db.execute(
                    "select button, down, at_ns from edge where run = ? and at_ns >= ?", (self._run.id, since_ns)
                )
            )
            self._waiting = [edge for edge in self._waiting if (edge.button, edge.down, edge.at_ns) not in stored]
        assert self._run.id is not None
        _prune(db, self._run.id)

    def _write(self, db: sqlite3.Connection, game: Recorded) -> None:
        """Add the rows that are missing, and the game itself where it is not there."""
        if not game.placed:
            self._place_runs(db, [game])
            _place(db, game)
            sheets.write(db, game.id, game.sheet)
            game.tried = game.placed = True
            assert self._run.id is not None
            _prune_own(db, self._run.id)  # once a game
        missing = zip(game.runs[game.saved :], game.rows[game.saved :], strict=True)
        db.executemany(EVENT, [(run.id, game.id, *row) for run, row in missing])
        db.executemany(people.SEAT, [(game.id, *row) for row in game.seats[game.seats_saved :]])
        db.executemany(remarks.REMARK, [(game.id, *row) for row in game.notes[game.notes_saved :]])
        if not game.sent_saved:
            phones.write_sent(db, game.id, len(game.rows), game.sent)

    def _place_runs(self, db: sqlite3.Connection, games: list[Recorded]) -> None:
        """Find the earlier runs that have written these games, or insert them."""
        runs = {run.id or 0: run for game in games for run in (game.run, *game.runs) if run is not self._run}
        for number in sorted(runs):
            _place_run(db, runs[number])


def _place_run(db: sqlite3.Connection, run: Run) -> None:
    """Find the number of a run on this disk, or insert the run."""
    row = run.boot, run.version, run.started_at
    if run.id is not None:
        known = db.execute(
            "select id from run left join run_bits on run_bits.run = run.id where boot = ? and version = ? "
            "and started_at = ? and coalesce(bits, '') = ? order by id = ? desc, id desc",
            (*row, run.bits, run.id),
        ).fetchone()
        if known is not None:
            run.id = known[0]
            return
    run.id = max(run.id or 0, 1 + most(db, "run"))
    db.execute("insert into run (id, boot, version, started_at) values (?, ?, ?, ?)", (run.id, *row))
    if run.bits:
        db.execute("insert or replace into run_bits (run, bits) values (?, ?)", (run.id, run.bits))


def _place(db: sqlite3.Connection, game: Recorded) -> None:
    """Find a game on this disk by its content, and how many of its rows are there; or insert it."""
    game.saved = game.seats_saved = game.notes_saved = 0
    game.sent_saved = False
    if game.tried:
        candidates = db.execute(
            "select game.id from game left join run on run.id = game.run where game.name = ? and game.started_at = ? "
            "and coalesce(run.boot, '') = ? order by game.id = ? desc, game.id desc",
            (game.name, game.started_at, game.run.boot, game.id),
        ).fetchall()
        for (number,) in candidates:
            there = db.execute(
                "select step, at_ns, name, fields from event where game = ? order by id", (number,)
            ).fetchall()
            if there == game.rows[: len(there)] and (there or number == game.id):
                game.id, game.saved = number, len(there)
                game.seats_saved = _alike(people.seats(db, number), game.seats)
                game.notes_saved = _alike(remarks.rows(db, number), game.notes)
                return
    game.id = max(game.id, 1 + most(db, "game"))
    row = game.id, game.run.id, game.name, game.started_at
    db.execute("insert into game (id, run, name, started_at) values (?, ?, ?, ?)", row)


def _alike(there: Sequence[object], ours: Sequence[object]) -> int:
    """How many rows of a game are there, as they are in memory."""
    return sum(1 for _ in takewhile(lambda rows: rows[0] == rows[1], zip(there, ours, strict=False)))


def _prune(db: sqlite3.Connection, run: int) -> None:
    """Delete raw edges older than 30 days: those of runs after which, as long ago, another one began.

    Wall time decides, since stamps are those of their own boot; two starts in a row have to agree on the date, or a
    clock that was set years ahead for one start would delete edges of yesterday.
    """
    now = wall_clock.text()
    (before,) = db.execute(
        "select max(started_at) from run where id = (select max(id) from run where id < ?)", (run,)
    ).fetchone()
    old = (datetime.fromisoformat(min(now, before or now)) - timedelta(days=EDGES_DAYS)).isoformat(timespec="seconds")
    followed = "exists (select 1 from run as later where later.id > run.id and later.started_at < ?)"
    db.execute(f"delete from edge where run in (select id from run where started_at < ? and {followed})", (old, old))


def _prune_own(db: sqlite3.Connection, run: int) -> None:
    """Delete raw edges of a run that never ends: those 30 days older than its latest, by their stamps."""
    latest = "(select max(at_ns) from edge where run = ?)"
    db.execute(f"delete from edge where run = ? and at_ns < {latest} - ?", (run, run, EDGES_DAYS * 86_400 * 10**9))
