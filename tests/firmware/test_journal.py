"""The journal on a real SQLite file: what is kept, when it counts as kept, and what happens when storage does not."""

import multiprocessing
import random
import resource
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta, tzinfo
from functools import reduce
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import games
from engine import play as plays
from engine.game import Corrected, Rules
from engine.games.kitty_paw import RULES, Options, RoundStarted
from engine.hands import HandDown
from engine.play import Fact, Play, Started
from engine.racing import Pressed
from engine.rules import Action
from firmware import VERSION
from firmware.journal.file import FORMAT
from firmware.journal.reader import History, Recorded, decode, encode
from firmware.journal.writer import Journal
from hardware.buttons import Edge
from tests.simulators import evenings
from tests.simulators.players import random_game, random_options
from tests.simulators.rig import Rig

PATIENCE_S = 20
connect = sqlite3.connect  # as it is before a test listens in

FIRST = Fact(0, 5, Started(("A", "B"), Options(), 7))
EARLIER = Fact(0, 5, Started(("A", "B"), Options(), 8))  # of another game
FACTS = (FIRST, Fact(0, 6, HandDown(0)), Fact(0, 7, Pressed(1, 2**62, 100_000)))


class Told:
    """What a journal tells: tickets that are safe, and troubles. Waits for them, for at most `PATIENCE_S`."""

    def __init__(self) -> None:
        self.tickets: list[int] = []
        self.troubles: list[str | None] = []
        self._news = threading.Condition()

    def commit(self, ticket: int) -> None:
        with self._news:
            self.tickets.append(ticket)
            self._news.notify_all()

    def trouble(self, text: str | None) -> None:
        with self._news:
            self.troubles.append(text)
            self._news.notify_all()

    def wait(self, until: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(until, PATIENCE_S)

    def safe(self, ticket: int) -> None:
        """Wait until a ticket is safe."""
        self.wait(lambda: bool(self.tickets) and self.tickets[-1] >= ticket)

    def safe_or_troubled(self, ticket: int) -> None:
        self.wait(lambda: bool(self.troubles) or self.tickets[-1] >= ticket)

    def troubled(self) -> None:
        """Wait until storage has failed."""
        self.wait(lambda: bool(self.troubles))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def journal(path: Path, told: Told) -> Iterator[Journal]:
    """A journal with its thread."""
    with closing(Journal(path, "boot-1", told.commit, told.trouble)) as found:
        yield found


def journaled(path: Path, *facts: Fact, boot: str = "boot-1", rules: str = "kitty_paw") -> int:
    """One run of the program that writes one game: its number."""
    journal = Journal(path, boot, lambda ticket: None, lambda text: None)
    game = journal.begin_game(rules)
    journal.write(game, facts)
    journal.close()
    return game


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    """What a second connection sees."""
    with closing(connect(path)) as db:
        return db.execute(statement).fetchall()


def read(path: Path, game: int, rules: Rules[Any, Any] = RULES) -> tuple[Fact, ...]:
    """The facts of a game, read back."""
    with closing(History(path)) as history:
        return history.facts(game, rules)


# --- what is kept ----------------------------------------------------------------------------------------------------


def test_facts_come_back_equal(path: Path) -> None:
    assert read(path, journaled(path, *FACTS)) == FACTS


@pytest.mark.parametrize("name", ["kitty_paw", "pack_and_stack"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_facts_of_a_game_with_undo_redo_and_corrections_come_back_equal(path: Path, name: str, seed: int) -> None:
    rules = games.rules(name)
    facts = random_game(rules, 3, random_options(rules, random.Random(seed)), seed).facts
    assert read(path, journaled(path, *facts, rules=name), rules) == facts


@pytest.mark.parametrize("name", ["kitty_paw", "pack_and_stack"])
def test_a_game_read_back_stands_where_it_stood(path: Path, name: str) -> None:
    rules = games.rules(name)
    game = random_game(rules, 3, rules.options(), 4)
    number = journaled(path, *game.facts, boot="", rules=name)
    with closing(History(path)) as history:
        assert history.play(number, rules) == game.play


CAUSES: tuple[Callable[[Play], tuple[Fact, ...]], ...] = (
    lambda play: plays.fix(play, 1, -3, 1000),
    lambda play: plays.answer(play, Action(0, "hands", None, 1001)),
    lambda play: plays.undo(play, 1002),
    lambda play: plays.undo(play, 1003),
    lambda play: plays.redo(play, 1004),
    lambda play: plays.resume(play, "boot-2", 9),
    lambda play: plays.answer(play, Action(1, "hands", None, 10)),
    lambda play: plays.end(play, 11),
    lambda play: plays.undo(play, 12),
    lambda play: plays.end(play, 13),
)


def test_undo_redo_correct_end_and_resume_replay_to_an_equal_play(path: Path) -> None:
    play, facts = plays.opened(RULES, FIRST, "boot-1"), [FIRST]
    for cause in CAUSES:
        caused = cause(play)
        facts += caused
        play = reduce(plays.fold, caused, play)
    number = journaled(path, *facts)
    with closing(History(path)) as history:
        assert history.play(number, RULES) == play


def test_a_row_is_step_stamp_name_and_fields(path: Path) -> None:
    journaled(path, FACTS[2])
    fields = '{"seat":1,"at_ns":4611686018427387904,"error_ns":100000}'
    assert rows(path, "select step, at_ns, name, fields from event") == [(0, 7, "Pressed", fields)]


def test_the_run_holds_boot_and_version(path: Path) -> None:
    journaled(path, boot="b3c1")
    assert rows(path, "select id, boot, version from run") == [(1, "b3c1", VERSION)]


def test_a_game_knows_the_boot_it_was_begun_in(path: Path) -> None:
    game = journaled(path, FIRST, boot="b3c1")
    journaled(path, FIRST, boot="other")
    with closing(History(path)) as history:
        assert history.boot(game) == "b3c1"


def test_every_run_and_every_game_has_a_number_of_its_own(path: Path) -> None:
    numbers = [journaled(path, FIRST) for _ in range(3)]
    assert (numbers, rows(path, "select id from run order by id")) == ([1, 2, 3], [(1,), (2,), (3,)])


def test_games_are_listed_the_newest_first(path: Path) -> None:
    for _ in range(3):
        journaled(path, FIRST)
    with closing(History(path)) as history:
        assert [row.game for row in history.games()] == [3, 2, 1]


def test_a_game_of_which_nothing_was_saved_is_not_listed(path: Path) -> None:
    journaled(path)
    with closing(History(path)) as history:
        assert history.games() == ()


def test_edges_are_kept_with_their_stamp_and_its_source(path: Path, journal: Journal, told: Told) -> None:
    journal.write_edge(Edge("P1", True, 5, "kernel"))
    told.safe(journal.write(journal.begin_game("kitty_paw"), FACTS))
    assert rows(path, "select run, button, down, at_ns, source from edge") == [(1, "P1", 1, 5, "kernel")]


def test_an_edge_that_nothing_comes_after_is_written_by_a_flush(path: Path) -> None:
    with closing(Journal(path, "boot-1", lambda ticket: None, lambda text: None, threaded=False)) as journal:
        journal.write_edge(Edge("P1", True, 5, "kernel"))
        before = rows(path, "select button from edge")
        journal.flush()
        assert (before, rows(path, "select button from edge")) == ([], [("P1",)])


@pytest.mark.parametrize("name", ["Meow", "HandDown2", "", "Options"])
def test_an_event_that_no_rules_know_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not one of Kitty Paw"):
        decode(RULES, 0, 0, name, "{}")


def test_fields_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="missing required field"):
        decode(RULES, 0, 0, "HandDown", "{}")


def test_a_field_of_a_later_version_is_passed_over() -> None:
    assert decode(RULES, 0, 0, "HandDown", '{"seat":1,"finger":2}').event == HandDown(1)


def test_an_option_that_an_old_game_did_not_have_is_at_its_default() -> None:
    assert decode(RULES, 0, 5, "Started", '{"players":["A","B"],"options":{},"seed":7}') == FIRST


def test_encode_and_decode_are_inverse() -> None:
    fact = Fact(3, 9, RoundStarted(2, (0, 2), extra=True))
    assert decode(RULES, *encode(fact)) == fact


# --- when it counts as kept ------------------------------------------------------------------------------------------


class Heard:
    """All that goes to SQLite through connections made from now on."""

    def __init__(self) -> None:
        self.connections: list[sqlite3.Connection] = []
        self.statements: list[str] = []

    def connect(self, path: Path, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(path, **options)
        self.connections.append(db)
        db.set_trace_callback(self.statements.append)
        return db

    def count(self, word: str) -> int:
        return sum(statement.lower().startswith(word) for statement in self.statements)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    found = Heard()
    monkeypatch.setattr(sqlite3, "connect", found.connect)
    return found


def test_every_ticket_is_told_in_order(journal: Journal, told: Told) -> None:
    game = journal.begin_game("kitty_paw")
    last = [journal.write(game, FACTS) for _ in range(300)][-1]
    told.safe(last)
    assert told.tickets == sorted(set(told.tickets))


def test_what_waits_is_committed_together(path: Path, heard: Heard, journal: Journal, told: Told) -> None:
    told.safe(1)
    before = heard.count("commit")
    with closing(connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")  # nobody else may write for a moment
        game = journal.begin_game("kitty_paw")
        last = [journal.write(game, FACTS) for _ in range(1000)][-1]
        other.execute("rollback")
    told.safe(last)
    assert heard.count("commit") - before in (1, 2)


def test_a_ticket_is_told_once_a_second_connection_sees_its_facts(path: Path) -> None:
    missing: list[int] = []
    done = threading.Event()
    last = 200 + 2  # the run and the game have one, too

    def committed(ticket: int) -> None:
        seen = rows(path, "select count(*) from event")[0][0]
        assert isinstance(seen, int)
        if seen < ticket - 2:
            missing.append(ticket)
        if ticket == last:
            done.set()

    with closing(Journal(path, "boot-1", committed, lambda text: None)) as journal:
        game = journal.begin_game("kitty_paw")
        for step in range(200):
            journal.write(game, (Fact(step, step, HandDown(0)),))
        assert done.wait(PATIENCE_S)
    assert missing == []


def test_writing_does_not_wait_for_storage(path: Path, journal: Journal, told: Told) -> None:
    game = journal.begin_game("kitty_paw")
    told.safe(2)
    with closing(connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        began = time.monotonic()
        ticket = journal.write(game, FACTS)
        took_s = time.monotonic() - began
        other.execute("rollback")
    told.safe(ticket)
    assert took_s < 0.5


def test_closing_writes_what_waits(path: Path) -> None:
    journal = Journal(path, "boot-1", lambda ticket: None, lambda text: None)
    game = journal.begin_game("kitty_paw")
    for _ in range(100):
        journal.write(game, FACTS)
    journal.close()
    assert rows(path, "select count(*) from event") == [(300,)]


def test_without_a_thread_a_ticket_is_safe_at_once(path: Path, told: Told) -> None:
    journal = Journal(path, "boot-1", told.commit, told.trouble, threaded=False)
    ticket = journal.write(journal.begin_game("kitty_paw"), FACTS)
    journal.close()
    assert told.tickets == [1, 2, ticket]


def test_it_is_a_write_ahead_log(path: Path) -> None:
    journaled(path, FIRST)
    assert rows(path, "pragma journal_mode") == [("wal",)]


def test_every_commit_is_synced_to_the_disk(heard: Heard, journal: Journal, told: Told) -> None:
    told.safe(1)
    assert heard.connections[-1].execute("pragma synchronous").fetchone() == (2,)


def test_nothing_is_ever_changed_or_deleted_but_old_edges(path: Path, heard: Heard) -> None:
    for _ in range(2):
        journaled(path, *FACTS)
    changing = [s for s in heard.statements if s.lower().startswith(("update", "delete", "replace", "drop", "alter"))]
    assert {statement.split(" where ")[0] for statement in changing} == {"delete from edge"}


def days_ago(days: float) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")


@pytest.mark.parametrize(
    ("starts", "kept"),
    [
        ((40, 35), [2]),
        ((40, 30.01), [2]),
        ((29.99, 10), [1, 2]),
        ((40, 10), [1, 2]),
        ((40, 35, 31), [3]),
        ((10, 20_000), [1, 2]),
    ],
    ids=[
        "both runs are older: only the last may have gone on",
        "by a quarter of an hour",
        "both are younger",
        "the run may have gone on until 10 days ago",
        "three",
        "a clock that was wrong for once",
    ],
)
def test_edges_go_once_they_are_older_than_30_days(path: Path, starts: tuple[float, ...], kept: list[int]) -> None:
    for _ in starts:
        journal = Journal(path, "boot-1", lambda ticket: None, lambda text: None)
        journal.write_edge(Edge("P1", True, 5, "kernel"))
        journal.close()
    with closing(connect(path, isolation_level=None)) as db:
        for run, days in enumerate(starts, 1):
            db.execute("update run set started_at = ? where id = ?", (days_ago(days), run))
    for _ in range(2):  # two starts in a row agree on what time it is
        journaled(path, FIRST)
    assert rows(path, "select run from edge order by run") == [(run,) for run in kept]


class TenYearsAhead(datetime):
    """A wall clock that is wrong."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "TenYearsAhead":
        return cls.fromisoformat((datetime.now(tz) + timedelta(days=3653)).isoformat())


def test_a_clock_ten_years_ahead_for_one_start_takes_no_young_edges(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        with closing(Journal(path, "boot-1", lambda ticket: None, lambda text: None)) as journal:
            journal.write_edge(Edge("P1", True, 5, "kernel"))
    with monkeypatch.context() as patch:
        patch.setattr("firmware.journal.writer.datetime", TenYearsAhead)
        journaled(path, FIRST)
    journaled(path, FIRST)
    assert rows(path, "select run from edge order by run") == [(1,), (2,), (3,)]


def test_edges_of_a_kit_that_is_never_switched_off_go_after_30_days_too(path: Path, told: Told) -> None:
    days_ns = 86_400 * 10**9
    with closing(Journal(path, "boot-1", told.commit, told.trouble, threaded=False)) as journal:
        for day in (0, 5, 31, 34):
            journal.write_edge(Edge("P1", True, day * days_ns, "kernel"))
        journal.begin_game("kitty_paw")
        journal.begin_game("kitty_paw")
    assert rows(path, "select at_ns / 86400000000000 from edge order by id") == [(5,), (31,), (34,)]


def test_events_are_kept_for_ever(path: Path) -> None:
    game = journaled(path, *FACTS)
    with closing(connect(path, isolation_level=None)) as db:
        db.execute("update run set started_at = ?", (days_ago(4000),))
    for _ in range(2):
        journaled(path, FIRST)
    assert read(path, game) == FACTS


# --- storage that fails ----------------------------------------------------------------------------------------------


@pytest.fixture
def blocked(path: Path) -> Path:
    """A state folder that is a file."""
    path.parent.touch()
    return path


def test_storage_that_fails_is_told_once(blocked: Path, journal: Journal, told: Told) -> None:
    game = journal.begin_game("kitty_paw")
    for _ in range(20):
        journal.write(game, FACTS)
        told.troubled()
    assert told.troubles == ["cannot save: File exists"]


def test_the_game_goes_on_without_storage(blocked: Path, journal: Journal, told: Told) -> None:
    game = journal.begin_game("kitty_paw")
    tickets = [journal.write(game, FACTS) for _ in range(3)]
    assert (tickets, told.tickets) == ([3, 4, 5], [])


@pytest.mark.parametrize("threaded", [True, False], ids=["with its thread", "without"])
def test_once_storage_is_back_all_rows_are_there(blocked: Path, told: Told, threaded: bool) -> None:
    with closing(Journal(blocked, "boot-1", told.commit, told.trouble, threaded=threaded)) as journal:
        game = journal.begin_game("kitty_paw")
        journal.write(game, FACTS)
        told.troubled()
        blocked.parent.unlink()
        told.safe(journal.write(game, FACTS))
    assert (read(blocked, game), told.troubles[1:]) == (FACTS + FACTS, [None])


def test_it_tries_again_by_itself(blocked: Path, journal: Journal, told: Told) -> None:
    told.troubled()
    blocked.parent.unlink()
    told.safe(1)
    assert told.troubles[1:] == [None]


def test_a_game_begun_without_storage_gets_a_number_that_no_other_has(path: Path, told: Told) -> None:
    journaled(path, FIRST)
    away = path.parent.rename(path.parent.with_name("away"))
    path.parent.touch()
    with closing(Journal(path, "boot-1", told.commit, told.trouble)) as journal:
        game = journal.begin_game("kitty_paw")
        told.troubled()
        back = away.with_name("back")
        back.symlink_to(away)
        back.rename(path.parent)  # in one step: the thread may look at any moment
        told.safe(journal.write(game, FACTS))
    assert (read(path, 1), read(path, 2)) == ((FIRST,), FACTS)


@pytest.fixture
def full_disk() -> Iterator[Callable[[int], None]]:
    """Sets how long a file may get, in bytes; a write beyond it fails as on a full disk. 0: no limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size or soft, hard))

    yield limit
    limit(0)


def test_a_disk_that_fills_up_loses_nothing_once_it_has_room(
    path: Path, journal: Journal, told: Told, full_disk: Callable[[int], None]
) -> None:
    game, written = journal.begin_game("kitty_paw"), 0
    told.safe(2)
    full_disk(60_000)
    while not told.troubles:
        ticket = journal.write(game, FACTS * 10)
        written += len(FACTS) * 10
        told.safe_or_troubled(ticket)
    for _ in range(3):
        journal.write(game, FACTS)
    full_disk(0)
    told.safe(journal.write(game, FACTS))
    assert (len(read(path, game)), told.troubles[1:]) == (written + 4 * len(FACTS), [None])


def test_what_is_told_of_a_full_disk_is_one_line(
    journal: Journal, told: Told, full_disk: Callable[[int], None]
) -> None:
    told.safe(1)
    full_disk(1)
    journal.write(journal.begin_game("kitty_paw"), FACTS)
    told.troubled()
    full_disk(0)
    text = told.troubles[0] or ""
    assert (text.startswith("cannot save: "), len(text.splitlines())) == (True, 1)


class Unsure(sqlite3.Connection):
    """A commit that comes true although it fails, as with a disk that dies while it is synced."""

    failures = 0

    def execute(self, statement: str, values: Any = (), /) -> sqlite3.Cursor:
        done = super().execute(statement, values)
        if statement == "commit" and Unsure.failures:
            Unsure.failures -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return done


def test_a_commit_that_failed_and_came_true_all_the_same_is_not_written_twice(
    path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **options: connect(*a, factory=Unsure, **options))
    journal = Journal(path, "boot-1", told.commit, told.trouble, threaded=False)
    monkeypatch.setattr(Unsure, "failures", 2)
    game = journal.begin_game("kitty_paw")  # fails, but comes true
    journal.write(game, FACTS)  # likewise
    journal.write(game, FACTS)
    journal.close()
    assert (read(path, game), told.troubles, told.tickets) == (
        FACTS + FACTS,
        ["cannot save: disk I/O error", None],
        [1, 4],
    )


# --- another disk comes back -----------------------------------------------------------------------------------------


class Cards:
    """A journal in the middle of a game, and the folder it writes to: pulled and put back, or another one."""

    def __init__(self, path: Path, told: Told) -> None:
        self.folder, self.told = path.parent, told
        journaled(path, EARLIER)
        self.older = shutil.copytree(self.folder, path.parent.with_name("older"))
        journaled(path, EARLIER)
        self.notices: list[str] = []
        self.journal = Journal(path, "boot-1", told.commit, told.trouble, on_notice=self.notices.append, threaded=False)
        self.game = self.journal.begin_game("kitty_paw")
        self.journal.write(self.game, FACTS)

    def pull(self) -> Path:
        """Take the folder away: where it is now."""
        return self.folder.rename(self.folder.with_name("pulled"))

    def put(self, card: Path) -> None:
        """This is the folder now."""
        if self.folder.exists():
            self.folder.rename(self.folder.with_name("mount point"))
        card.rename(self.folder)

    def write(self) -> None:
        self.journal.write(self.game, FACTS)

    def read(self) -> list[tuple[Fact, ...]]:
        """All games, the oldest first."""
        with closing(History(self.folder / "journal.db")) as history:
            return [history.facts(row.game, RULES) for row in reversed(history.games())]


@pytest.fixture
def cards(path: Path, told: Told) -> Iterator[Cards]:
    found = Cards(path, told)
    yield found
    found.journal.close()


def test_a_game_goes_on_in_a_new_journal_where_its_own_is_gone(cards: Cards) -> None:
    cards.pull()
    cards.write()
    assert (cards.read(), cards.notices) == ([FACTS + FACTS], ["the journal is gone: a new one is begun"])


def test_that_a_journal_is_gone_is_not_said_before_there_is_a_new_one(cards: Cards) -> None:
    cards.pull()
    cards.folder.touch()
    for _ in range(3):
        cards.write()
    assert (cards.notices, cards.told.troubles) == ([], ["cannot save: File exists"])


def test_a_card_that_was_pulled_and_is_back_has_the_whole_game_once(cards: Cards) -> None:
    card = cards.pull()
    cards.write()
    cards.put(card)
    cards.write()
    assert cards.read() == [(EARLIER,), (EARLIER,), FACTS * 3]


def test_on_an_older_copy_the_game_is_whole(cards: Cards) -> None:
    cards.pull()
    cards.put(cards.older)
    cards.write()
    assert cards.read() == [(EARLIER,), FACTS + FACTS]


def test_on_another_kits_card_the_game_is_whole_and_its_games_are_as_they_were(cards: Cards, path: Path) -> None:
    other = path.parent.with_name("other") / path.name
    for _ in range(5):
        journaled(other, *FACTS[:2], boot="elsewhere")
    cards.pull()
    cards.put(other.parent)
    cards.write()
    assert cards.read() == [FACTS[:2]] * 5 + [FACTS + FACTS]


def test_a_game_knows_its_boot_on_another_kits_card(cards: Cards, path: Path) -> None:
    other = path.parent.with_name("other") / path.name
    journaled(other, *FACTS[:2], boot="elsewhere")
    cards.pull()
    cards.put(other.parent)
    cards.write()
    with closing(History(path)) as history:
        assert history.boot(history.games()[0].game) == "boot-1"


def test_a_card_that_is_back_only_at_the_end_has_the_whole_game(cards: Cards) -> None:
    card = cards.pull()
    cards.write()
    cards.put(card)
    cards.journal.close()
    assert cards.read() == [(EARLIER,), (EARLIER,), FACTS * 2]


def test_a_resumed_game_is_whole_on_an_empty_card(path: Path, told: Told) -> None:
    for facts in (FIRST,), FACTS:
        journaled(path, *facts)
    with closing(Journal(path, "boot-2", told.commit, told.trouble, threaded=False)) as journal:
        assert journal.latest is not None
        path.parent.rename(path.parent.with_name("pulled"))
        journal.write(journal.latest.number, FACTS)
    with closing(History(path)) as history:
        (row,) = history.games()
        assert (history.facts(row.game, RULES), history.boot(row.game)) == (FACTS + FACTS, "boot-1")


def recalled(path: Path, game: int) -> Recorded:
    """A game as the journal has it, to be gone on with."""
    with closing(History(path)) as history:
        found = history.recalled(game)
        assert found is not None
        return found


def test_a_game_that_is_taken_up_is_written_on_in_its_place(path: Path, told: Told) -> None:
    old, new = journaled(path, *FACTS), journaled(path, FIRST)
    with closing(Journal(path, "boot-2", told.commit, told.trouble, threaded=False)) as journal:
        journal.write(journal.take_up(recalled(path, old)), FACTS)
    assert (read(path, old), read(path, new)) == (FACTS + FACTS, (FIRST,))


def test_the_game_that_was_written_to_last_is_found_not_the_newest(path: Path, told: Told) -> None:
    old, _ = journaled(path, *FACTS), journaled(path, FIRST)
    with closing(Journal(path, "boot-2", told.commit, told.trouble, threaded=False)) as journal:
        journal.write(journal.take_up(recalled(path, old)), FACTS)
    with closing(Journal(path, "boot-3", told.commit, told.trouble, threaded=False)) as journal:
        assert journal.latest is not None and journal.latest.number == old


def test_games_that_are_taken_up_in_turn_are_each_written_once(path: Path, told: Told) -> None:
    with closing(Journal(path, "boot-1", told.commit, told.trouble, threaded=False)) as journal:
        for number in (journal.begin_game("kitty_paw"), journal.begin_game("kitty_paw")):
            journal.take_up(recalled(path, number))
            journal.write(number, FACTS)
        path.parent.rename(path.parent.with_name("pulled"))  # and put back at once: the file is opened anew
        path.parent.with_name("pulled").rename(path.parent)
        for number in (1, 2, 1):
            journal.write(journal.take_up(recalled(path, number)), FACTS[1:])
    assert (read(path, 1), read(path, 2)) == (FACTS + FACTS[1:] * 2, FACTS + FACTS[1:])


def test_a_game_that_is_taken_up_is_whole_on_an_empty_card(path: Path, told: Told) -> None:
    old, _ = journaled(path, *FACTS), journaled(path, FIRST)
    with closing(Journal(path, "boot-2", told.commit, told.trouble, threaded=False)) as journal:
        number = journal.take_up(recalled(path, old))
        path.parent.rename(path.parent.with_name("pulled"))
        journal.write(number, FACTS)
    with closing(History(path)) as history:
        newest = history.games()[0].game
        assert (history.facts(newest, RULES), history.boot(newest)) == (FACTS + FACTS, "boot-1")


def test_raw_edges_are_not_written_twice_after_trouble(path: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **options: connect(*a, factory=Unsure, **options))
    journal = Journal(path, "boot-1", told.commit, told.trouble, threaded=False)
    monkeypatch.setattr(Unsure, "failures", 1)
    for at_ns in (1, 2):
        journal.write_edge(Edge("P1", True, at_ns, "kernel"))
        journal.flush()  # the first time it fails, but comes true
    journal.close()
    assert rows(path, "select at_ns from edge order by id") == [(1,), (2,)]


def test_two_programs_at_one_journal_take_no_number_twice(path: Path, told: Told) -> None:
    with closing(Journal(path, "boot-1", told.commit, told.trouble, threaded=False)) as journal:
        journaled(path, *FACTS[:2])  # the number that the first would take next
        journal.write(journal.begin_game("kitty_paw"), FACTS)
    assert (read(path, 1), read(path, 2), told.troubles) == (FACTS[:2], FACTS, [])


# --- a file that is damaged ------------------------------------------------------------------------------------------

TODAY = f"damaged-{datetime.now(UTC):%Y-%m-%d}"


class Notices(list[str]):
    """A journal's path, and what it says; `open` is one run."""

    def __init__(self, path: Path, told: Told) -> None:
        super().__init__()
        self.path, self.told = path, told

    def open(self) -> Journal:
        return Journal(self.path, "boot-1", self.told.commit, self.told.trouble, on_notice=self.append, threaded=False)


@pytest.fixture
def notices(path: Path, told: Told) -> Notices:
    path.parent.mkdir()
    return Notices(path, told)


LIST = b"a shopping list " * 1000


def test_a_file_that_is_no_journal_is_kept_and_a_new_one_begun(notices: Notices, path: Path) -> None:
    path.write_bytes(LIST)
    with closing(notices.open()) as journal:
        journal.write(journal.begin_game("kitty_paw"), FACTS)
    assert (read(path, 1), path.with_name(f"{TODAY}.db").read_bytes()) == (FACTS, LIST)


def test_what_was_kept_is_said(notices: Notices, path: Path) -> None:
    path.write_bytes(LIST)
    notices.open().close()
    assert list(notices) == [f"journal (damaged) kept, new one begun: {TODAY}.db"]


def test_a_damaged_file_is_no_trouble_once_it_is_set_aside(notices: Notices, path: Path, told: Told) -> None:
    path.write_bytes(LIST)
    notices.open().close()
    assert told.troubles == []


def test_a_second_damaged_file_of_a_day_gets_another_name(notices: Notices, path: Path) -> None:
    for content in (LIST, LIST * 2):
        path.write_bytes(content)
        notices.open().close()
    kept = [path.with_name(f"{TODAY}{more}.db").read_bytes() for more in ("", "-2")]
    assert kept == [LIST, LIST * 2]


def spoil(path: Path, table: str) -> None:
    """Overwrite the first page of a table, as a worn card may."""
    with closing(connect(path)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
        page, size = db.execute("select rootpage from sqlite_master where name = ?", (table,)).fetchone()[0], 4096
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_damage_within_the_file_is_found_when_it_is_opened(notices: Notices, path: Path) -> None:
    journaled(path, *FACTS)
    spoil(path, "edge")
    notices.open().close()
    assert list(notices) == [f"journal (damaged) kept, new one begun: {TODAY}.db"]


def test_a_game_that_could_still_be_read_goes_on_in_the_new_journal(notices: Notices, path: Path) -> None:
    journaled(path, *FACTS)
    spoil(path, "edge")
    with closing(notices.open()) as journal:
        assert journal.latest is not None
        journal.write(journal.latest.number, FACTS)
    assert read(path, 1) == FACTS + FACTS


def test_damage_in_the_middle_of_a_game_costs_none_of_its_steps(notices: Notices, path: Path) -> None:
    with closing(notices.open()) as journal:
        game = journal.begin_game("kitty_paw")
        journal.write(game, FACTS)
        spoil(path, "event")
        for _ in range(3):
            journal.write(game, FACTS)
    assert (read(path, 1), len(notices)) == (FACTS * 4, 1)


def test_a_log_whose_journal_is_missing_is_kept_and_not_taken_for_that_of_a_new_one(
    notices: Notices, path: Path
) -> None:
    journal = notices.open()
    journal.write(journal.begin_game("kitty_paw"), FACTS)
    log = Path(f"{path}-wal").read_bytes()
    journal.close()
    Path(f"{path}-wal").write_bytes(log)
    path.unlink()
    notices.open().close()
    assert (path.with_name(f"{TODAY}.db-wal").read_bytes(), rows(path, "select * from event")) == (log, [])


def test_another_programs_database_is_kept(notices: Notices, path: Path) -> None:
    with closing(connect(path, isolation_level=None)) as db:
        db.execute("create table recipe (name)")
    notices.open().close()
    assert rows(path.with_name(f"{TODAY}.db"), "select name from sqlite_master") == [("recipe",)]


# --- other versions --------------------------------------------------------------------------------------------------


@pytest.fixture(params=[FORMAT - 1, FORMAT + 1], ids=["older", "newer"])
def other(path: Path, request: pytest.FixtureRequest) -> Path:
    """A journal of another format, which was not ended in good order: there is a log."""
    journaled(path, *FACTS)
    with closing(connect(path)) as db:
        db.execute(f"pragma user_version = {request.param}")
        files = {name: Path(f"{path}{name}").read_bytes() for name in ("", "-wal")}
    for name, content in files.items():
        Path(f"{path}{name}").write_bytes(content)
    return path


def test_a_journal_of_another_format_is_set_aside_as_it_is(other: Path, told: Told) -> None:
    before = [Path(f"{other}{name}").read_bytes() for name in ("", "-wal")]
    notices: list[str] = []
    with closing(
        Journal(other, "boot-1", told.commit, told.trouble, on_notice=notices.append, threaded=False)
    ) as journal:
        journal.write(journal.begin_game("kitty_paw"), FACTS)
    (kept,) = other.parent.glob("format-*.db")
    assert ([Path(f"{kept}{name}").read_bytes() for name in ("", "-wal")], told.troubles) == (before, [])
    assert notices == [f"journal ({kept.name[:8].replace('-', ' ')}) kept, new one begun: {kept.name}"]


def test_what_is_played_then_is_kept(other: Path) -> None:
    assert read(other, journaled(other, *FACTS)) == FACTS


def test_a_journal_of_another_format_is_not_read(other: Path) -> None:
    with pytest.raises(sqlite3.DatabaseError, match=rf"is of format \d, this version reads format {FORMAT}"):
        History(other)


@pytest.fixture
def added_to(path: Path) -> Path:
    """A journal that a later version has used, which has kept the rule: it has only added."""
    journaled(path, *FACTS)
    with closing(connect(path, isolation_level=None)) as db:
        db.execute("create table mood (id integer primary key, face text not null)")
        for table in ("run", "game", "event", "edge"):
            db.execute(f"alter table {table} add column mood text not null default 'fine'")
        db.execute("insert into game (id, run, name, started_at) values (2, 1, 'kitty_paw', '2031')")
        row = (1, 2, 0, 5, "Started", '{"players":["A","B"],"options":{"cats":9},"seed":7,"mood":1}')
        for name, fields in (row[4:], ("Purred", "{}")):
            db.execute(
                "insert into event (run, game, step, at_ns, name, fields) values (?, ?, ?, ?, ?, ?)",
                (*row[:4], name, fields),
            )
    return path


def test_an_older_version_reads_what_a_later_one_has_added_to(added_to: Path) -> None:
    assert read(added_to, 1) == FACTS


def test_an_older_version_writes_on_in_what_a_later_one_has_added_to(added_to: Path) -> None:
    assert read(added_to, journaled(added_to, *FACTS)) == FACTS


def test_a_game_with_an_event_of_a_later_version_cannot_be_read_and_says_so(added_to: Path) -> None:
    with pytest.raises(sqlite3.DataError, match="game 2: event 'Purred' is not one of Kitty Paw"):
        read(added_to, 2)


def test_the_kit_starts_where_the_latest_game_is_of_a_later_version(added_to: Path) -> None:
    rig = Rig(added_to.parent)
    offered = rig.app.table.unfinished
    evenings.flash(rig.begin("Kitty Paw", "P1", "P2", "P3"))
    rig.close()
    with closing(History(added_to)) as history:
        assert (offered, history.games()[0].game) == (None, 3)


@pytest.mark.parametrize("fields", ["{}", "[]", '{"players":3,"options":{},"seed":1}', "no json"])
def test_a_start_that_this_version_does_not_understand_is_refused(fields: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(RULES, 0, 0, "Started", fields)


@pytest.mark.parametrize("empty", [True, False], ids=["an empty file", "no file"])
def test_where_nothing_was_played_there_is_no_history(path: Path, empty: bool) -> None:
    path.parent.mkdir()
    if empty:
        path.touch()
    with pytest.raises(FileNotFoundError, match="no game has been played yet"):
        History(path)


# --- the plug is pulled ----------------------------------------------------------------------------------------------

BEFORE = 3  # tickets before the first fix: the run, the game, its start
TIMES = 30


def write_until_killed(path: Path, tell: Connection) -> None:
    """A program that plays one game for ever, and tells of every ticket that is safe."""
    game = 0
    journal = Journal(path, "boot-1", lambda ticket: tell.send((game, ticket)), lambda text: None)
    game = journal.begin_game("kitty_paw")
    journal.write(game, (FIRST,))
    play = plays.opened(RULES, FIRST)
    while True:
        facts = plays.fix(play, 0, 1)
        play = reduce(plays.fold, facts, play)
        journal.write(game, facts)
        time.sleep(0.0005)


def killed(path: Path, after_s: float) -> tuple[int, int]:
    """Kill such a program so long after its first words: its last ones, the game and the ticket."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])  # once for all of them: they start at once
    ear, mouth = context.Pipe(duplex=False)
    process = context.Process(target=write_until_killed, args=(path, mouth))
    process.start()
    mouth.close()
    game = ticket = 0
    with closing(ear), suppress(EOFError):
        game, ticket = ear.recv()
        time.sleep(after_s)
        process.kill()
        while True:
            game, ticket = ear.recv()
    process.join(PATIENCE_S)
    return game, ticket


def fixes(path: Path, game: int) -> int:
    """How many fixes of a game are kept: without a gap, and they can be folded."""
    with closing(History(path)) as history:
        facts = history.facts(game, RULES)
    assert facts[1:] == tuple(Fact(step, 0, Corrected(0, 1)) for step in range(len(facts) - 1))
    return plays.replay(RULES, facts).scores[0] if facts else 0


def test_a_program_killed_at_any_moment_has_kept_all_that_it_told(path: Path) -> None:
    dice, lost = random.Random(1), []
    for _ in range(TIMES):
        game, ticket = killed(path, dice.uniform(0, 0.06))
        if (kept := fixes(path, game)) < ticket - BEFORE:
            lost.append((game, ticket, kept))
    assert lost == []


# --- the format is frozen --------------------------------------------------------------------------------------------


def as_written(golden: Path, path: Path) -> list[tuple[int, str, str]]:
    """A journal that was written when its format was new: by game its name and what stood then."""
    path.parent.mkdir(parents=True)
    with closing(connect(path)) as db:
        db.executescript(golden.read_text())
        db.execute("pragma journal_mode = wal")
        found: list[tuple[int, str, str]] = db.execute("select game, name, board from expected").fetchall()
    return found


def test_every_game_of_a_journal_of_this_format_stands_as_it_stood(path: Path) -> None:
    golden = Path(__file__).with_name("golden") / f"journal-{FORMAT}.sql"
    expected = as_written(golden, path)
    with closing(History(path)) as history:
        for game, name, board in expected:
            play = history.play(game, games.rules(name))
            seen = {key: getattr(play.board, key) for key in ("phase", "round", "turn", "scores", "tokens")}
            offers = [f"{offer.verb} {offer.seat}" for offer in play.offers]
            stands = msgspec.json.encode(seen | {"winners": play.winners, "offers": offers}).decode()
            assert stands == board, f"game {game}, {name}"
    assert {name for _, name, _ in expected} == set(games.names())
