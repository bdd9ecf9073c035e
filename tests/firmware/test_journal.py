"""The journal on a real SQLite file: its content, its commits, and storage that fails."""

import random
import resource
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial, reduce
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import games
from engine import play as plays
from engine.games.kitty_paw import RULES, Options
from engine.hands import HandDown
from engine.play import Fact, Started
from engine.racing import Pressed
from firmware import VERSION
from firmware.journal import fanciers, file, people, writer
from firmware.journal.file import FORMAT
from firmware.journal.reader import MAX_BRACKETS, History, Recorded, decode
from firmware.journal.writer import Journal
from firmware.people.names import Person
from hardware.parts.buttons import Edge
from tests.engine.plain import SHIPPED
from tests.simulators import unsynced_journal
from tests.simulators.players import random_game, random_options
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S, comes

connect = sqlite3.connect  # as it is before a test listens in

FIRST = Fact(0, 5, Started(("A", "B"), Options(), 7))
EARLIER = Fact(0, 5, Started(("A", "B"), Options(), 8))  # of another game
FACTS = (FIRST, Fact(0, 6, HandDown(0)), Fact(0, 7, Pressed(1, 2**62, 100_000)))
PRESSED = [(0, 7, "Pressed", '{"seat":1,"at_ns":4611686018427387904,"error_ns":100000}')]


class Reports:
    """Reports of a journal: committed tickets, troubles, notices."""

    def __init__(self) -> None:
        self.tickets: list[int] = []
        self.troubles: list[str | None] = []
        self.notices: list[str] = []

    def commit(self, ticket: int) -> None:
        self.tickets.append(ticket)

    def safe(self, ticket: int) -> None:
        """Wait until a ticket is safe."""
        assert comes(lambda: self.tickets[-1:] >= [ticket])

    def troubled(self) -> None:
        """Wait until storage has failed."""
        assert comes(lambda: bool(self.troubles))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


@pytest.fixture
def reports() -> Reports:
    return Reports()


def opened(path: Path, reports: Reports, boot: str = "boot-1", *, threaded: bool = False) -> Journal:
    """One run of the program."""
    return Journal(
        path, boot, reports.commit, reports.troubles.append, on_notice=reports.notices.append, threaded=threaded
    )


@pytest.fixture
def journal(path: Path, reports: Reports) -> Iterator[Journal]:
    """A journal with its thread."""
    with closing(opened(path, reports, threaded=True)) as found:
        yield found


def journaled(path: Path, *facts: Fact, boot: str = "boot-1", rules: str = "kitty_paw") -> int:
    """One run of the program that writes one game: its number."""
    with closing(opened(path, Reports(), boot, threaded=True)) as journal:
        game = journal.begin_game(rules)
        journal.write(game, facts)
    return game


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    """The rows that a second connection reads."""
    with closing(connect(path)) as db:
        return db.execute(statement).fetchall()


def read(path: Path, game: int) -> tuple[Fact, ...]:
    """The facts of a game, read back."""
    with closing(History(path)) as history:
        return history.facts(game, RULES)


@pytest.mark.parametrize("name", ["kitty_paw", "pack_and_stack"])
def test_a_game_with_undo_redo_and_corrections_comes_back_equal_and_stands_where_it_stood(
    path: Path, name: str
) -> None:
    rules = games.rules(name)
    game = random_game(rules, 3, random_options(rules, random.Random(1)), 1)
    number = journaled(path, *game.facts, boot="", rules=name)
    with closing(History(path)) as history:
        assert (history.facts(number, rules), history.play(number, rules)) == (game.facts, game.play)


def test_a_game_that_was_resumed_and_ended_stands_where_it_stood(path: Path) -> None:
    play, facts = plays.opened(RULES, FIRST, "boot-1"), [FIRST]
    for cause in (partial(plays.resume, boot="boot-2", at_ns=9), plays.end, plays.undo, plays.end):
        caused = cause(play)
        facts += caused
        play = reduce(plays.fold, caused, play)
    number = journaled(path, *facts)
    with closing(History(path)) as history:
        assert history.play(number, RULES) == play


def test_a_game_that_has_lost_its_beginning_cannot_be_read(path: Path) -> None:
    journaled(path, *FACTS[1:])
    missing = r"^game 1: some of its events are missing or damaged$"
    with closing(History(path)) as history, pytest.raises(sqlite3.DataError, match=missing):
        history.play(1, RULES)


STORED = {
    "a fact is step, stamp, name and fields": ("select step, at_ns, name, fields from event where id = 3", PRESSED),
    "a run has a number, a boot and a version": (
        "select id, boot, version from run",
        [(1, "b3c1", VERSION), (2, "b", VERSION)],
    ),
    "edges have stamp and source": ("select run, button, down, at_ns, source from edge", [(1, "P1", 1, 5, "kernel")]),
    "it is a write-ahead log": ("pragma journal_mode", [("wal",)]),
}


@pytest.mark.parametrize(("statement", "stored"), STORED.values(), ids=STORED)
def test_what_is_stored(path: Path, statement: str, stored: list[tuple[object, ...]]) -> None:
    with closing(opened(path, Reports(), "b3c1")) as journal:
        journal.write_edge(Edge("P1", True, 5, "kernel"))
        journal.write(journal.begin_game("kitty_paw"), FACTS)
    journaled(path, FIRST, boot="b")
    assert rows(path, statement) == stored


def test_games_are_numbered_listed_the_newest_first_but_empty_ones_and_know_their_boot(path: Path) -> None:
    numbers = [journaled(path, *facts, boot=f"boot {len(facts)}") for facts in ((FIRST,), (), FACTS)]
    with closing(History(path)) as history:
        listed = [(row.game, history.boot(row.game)) for row in history.games()]
    assert (numbers, listed) == ([1, 2, 3], [(3, "boot 3"), (1, "boot 1")])


def test_an_edge_is_written_even_if_nothing_comes_after_it(path: Path, reports: Reports) -> None:
    with closing(opened(path, reports)) as journal:
        journal.write_edge(Edge("P1", True, 5, "kernel"))
        assert rows(path, "select button from edge") == [("P1",)]


def test_edges_are_committed_with_the_fact_that_they_bring(
    journal: Journal, reports: Reports, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "EDGES_S", PATIENCE_S)
    game = journal.begin_game("kitty_paw")
    reports.safe(journal.write(game, (FIRST,)))
    commits = len(reports.tickets)
    for at_ns, down in enumerate((True, False, True)):  # it bounces
        journal.write_edge(Edge("P1", down, at_ns, "kernel"))
        assert comes(journal._queue.empty)  # noqa: SLF001  (the thread has heard of it)
    reports.safe(journal.write(game, FACTS[1:]))
    assert (len(reports.tickets) - commits, len(rows(path, "select id from edge"))) == (1, 3)


@pytest.mark.parametrize(
    ("name", "fields", "error"),
    [
        ("Meow", "{}", "is not one of Kitty Paw"),
        ("Options", "{}", "is not one of Kitty Paw"),
        ("HandDown", "{}", "missing required field"),
        ("Started", "{}", "players"),
        ("Started", '{"players":3,"options":{},"seed":1}', "array"),
        ("Started", "no json", "malformed"),
        ("HandDown", f'{{"seat":1,"x":{"[" * MAX_BRACKETS}{"]" * MAX_BRACKETS}}}', "damaged"),
    ],
)
def test_an_event_that_this_version_does_not_understand_is_refused(name: str, fields: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        decode(RULES, 0, 0, name, fields)


def test_a_field_of_a_later_version_is_passed_over() -> None:
    assert decode(RULES, 0, 0, "HandDown", '{"seat":1,"finger":2}').event == HandDown(1)


def test_an_option_that_an_old_game_did_not_have_is_at_its_default() -> None:
    assert decode(RULES, 0, 5, "Started", '{"players":["A","B"],"options":{},"seed":7}') == FIRST


class Traced:
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
def traced(monkeypatch: pytest.MonkeyPatch) -> Traced:
    found = Traced()
    monkeypatch.setattr(sqlite3, "connect", found.connect)
    return found


def test_writing_waits_for_nothing_and_what_waits_is_committed_together(
    path: Path, traced: Traced, journal: Journal, reports: Reports
) -> None:
    reports.safe(1)
    before = traced.count("commit")
    with closing(connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")  # nobody else may write until that ends
        game = journal.begin_game("kitty_paw")
        last = [journal.write(game, FACTS) for _ in range(1000)][-1]
        meanwhile = traced.count("commit") - before
        other.execute("rollback")
    reports.safe(last)
    assert meanwhile == 0 and traced.count("commit") - before in (1, 2)


def test_tickets_are_reported_in_order_once_a_second_connection_sees_their_facts(path: Path) -> None:
    missing: list[int] = []

    class Looking(Reports):
        def commit(self, ticket: int) -> None:
            if len(rows(path, "select 1 from event")) < ticket - 2:  # the run and the game have one, too
                missing.append(ticket)
            super().commit(ticket)

    reports = Looking()
    with closing(opened(path, reports, threaded=True)) as journal:
        game = journal.begin_game("kitty_paw")
        reports.safe([journal.write(game, (Fact(step, step, HandDown(0)),)) for step in range(200)][-1])
    assert (missing, reports.tickets) == ([], sorted(set(reports.tickets)))


def test_what_is_put_together_is_committed_at_once(path: Path, reports: Reports) -> None:
    committed: list[int] = []
    journal = Journal(path, "boot-1", committed.append, lambda text: None)
    with journal.together():
        first = journal.write_people([Person("1", "Mia")])
        time.sleep(0.05)  # the thread would have written it
        second = journal.write_people([Person("2", "Ben")])
    journal.close()
    assert first not in committed
    assert committed[-1] == second


def test_without_a_thread_a_ticket_is_safe_at_once(path: Path, reports: Reports) -> None:
    with closing(opened(path, reports)) as journal:
        ticket = journal.write(journal.begin_game("kitty_paw"), FACTS)
        assert reports.tickets == [1, 2, ticket]


def test_every_commit_is_synced_to_the_disk(
    traced: Traced, path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "SYNCHRONOUS", unsynced_journal.PRODUCT)
    with closing(opened(path, reports)):
        reports.safe(1)
        assert traced.connections[-1].execute("pragma synchronous").fetchone() == (2,)


def test_nothing_is_ever_changed_or_deleted_but_old_edges_and_numbers_that_are_events_by_now(
    path: Path, traced: Traced
) -> None:
    for _ in range(2):
        journaled(path, *FACTS)
    changing = [s for s in traced.statements if s.lower().startswith(("update", "delete", "replace", "drop", "alter"))]
    assert {statement.split(" where ")[0] for statement in changing} == {
        "delete from edge",
        "delete from kept",
        "delete from sent",
    }


def days_ago(days: float) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")


def pressed(path: Path, runs: int) -> None:
    """So many runs of the program, with a press in each."""
    for _ in range(runs):
        with closing(opened(path, Reports())) as journal:
            journal.write_edge(Edge("P1", True, 5, "kernel"))


def runs_with_edges(path: Path) -> list[object]:
    return [run for (run,) in rows(path, "select run from edge order by run")]


@pytest.mark.parametrize(
    ("starts", "kept"),
    [
        pytest.param((40, 35), [2], id="both runs are older: only the last may have gone on"),
        pytest.param((40, 30.01), [2], id="by a quarter of an hour"),
        pytest.param((29.99, 10), [1, 2], id="both are younger"),
        pytest.param((40, 10), [1, 2], id="the run may have gone on until 10 days ago"),
        pytest.param((40, 35, 31), [3], id="three"),
        pytest.param((10, 20_000), [1, 2], id="a clock that was wrong for once"),
    ],
)
def test_edges_go_once_they_are_older_than_30_days(path: Path, starts: tuple[float, ...], kept: list[int]) -> None:
    pressed(path, len(starts))
    with closing(connect(path, isolation_level=None)) as db:
        for run, days in enumerate(starts, 1):
            db.execute("update run set started_at = ? where id = ?", (days_ago(days), run))
    for _ in range(2):  # two starts in a row agree on what time it is
        journaled(path, FIRST)
    assert runs_with_edges(path) == kept


class TenYearsAhead(datetime):
    """A wall clock that is wrong."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "TenYearsAhead":
        return cls.fromisoformat((datetime.now(tz) + timedelta(days=3653)).isoformat())


def test_a_clock_ten_years_ahead_for_one_start_takes_no_young_edges(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed(path, 3)
    with monkeypatch.context() as patch:
        patch.setattr("firmware.journal.writer.datetime", TenYearsAhead)
        journaled(path, FIRST)
    journaled(path, FIRST)
    assert runs_with_edges(path) == [1, 2, 3]


def test_edges_of_a_kit_that_is_never_switched_off_go_after_30_days_too(path: Path, reports: Reports) -> None:
    days_ns = 86_400 * 10**9
    with closing(opened(path, reports)) as journal:
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


@pytest.fixture
def blocked(path: Path) -> Path:
    """A state folder that is a file."""
    path.parent.touch()
    return path


@pytest.mark.parametrize("threaded", [True, False], ids=["with its thread", "without"])
def test_storage_that_fails_is_reported_once_and_all_rows_are_there_once_it_is_back(
    blocked: Path, reports: Reports, threaded: bool
) -> None:
    with closing(opened(blocked, reports, threaded=threaded)) as journal:
        game, tickets = journal.begin_game("kitty_paw"), []
        for _ in range(20):
            tickets.append(journal.write(game, FACTS))
            reports.troubled()
        assert (tickets, reports.tickets, reports.troubles) == ([*range(3, 23)], [], ["cannot save: File exists"])
        blocked.parent.unlink()
        if not threaded:  # else it tries again by itself
            tickets.append(journal.write(game, FACTS))
        reports.safe(tickets[-1])
    assert (read(blocked, game), reports.troubles[1:]) == (FACTS * len(tickets), [None])


def test_a_game_begun_without_storage_gets_a_number_that_no_other_has(path: Path, reports: Reports) -> None:
    journaled(path, FIRST)
    away = path.parent.rename(path.parent.with_name("away"))
    path.parent.touch()
    with closing(opened(path, reports, threaded=True)) as journal:
        game = journal.begin_game("kitty_paw")
        reports.troubled()
        back = away.with_name("back")
        back.symlink_to(away)
        back.rename(path.parent)  # in one step: the thread may look at any moment
        reports.safe(journal.write(game, FACTS))
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
    path: Path, journal: Journal, reports: Reports, full_disk: Callable[[int], None]
) -> None:
    game, written = journal.begin_game("kitty_paw"), 0
    reports.safe(2)
    full_disk(60_000)
    while not reports.troubles:
        ticket = journal.write(game, FACTS * 10)
        written += len(FACTS) * 10
        assert comes(lambda: bool(reports.troubles) or reports.tickets[-1] >= ticket)  # noqa: B023
    for _ in range(3):
        journal.write(game, FACTS)
    full_disk(0)
    reports.safe(journal.write(game, FACTS))
    full, *more = reports.troubles
    assert (len(read(path, game)), more) == (written + 4 * len(FACTS), [None])
    assert full is not None and full.startswith("cannot save: ") and len(full.splitlines()) == 1


ERRORS = [MemoryError(), OverflowError("too large"), RecursionError("too deep"), ValueError("no"), KeyError("x")]


def raising(error: Exception) -> Callable[..., None]:
    """A function that only raises this."""

    def fails(*arguments: object, **options: object) -> None:
        raise error

    return fails


@pytest.mark.parametrize("error", ERRORS, ids=[type(error).__name__ for error in ERRORS])
def test_an_error_of_any_kind_is_told_and_all_is_saved_once_it_is_gone(
    journal: Journal, path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    reports.safe(1)
    with monkeypatch.context() as patch:
        patch.setattr(people, "write", raising(error))
        game = journal.begin_game("kitty_paw")
        last = journal.write(game, FACTS)
        reports.troubled()
    reports.safe(last)
    told = [text and text.split(":")[1].strip() for text in reports.troubles]
    assert (told, read(path, game)) == ([type(error).__name__, None], FACTS)


def test_an_error_while_somebody_is_forgotten_holds_up_nothing_for_good(
    journal: Journal, path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.write_people([Person("1" * 16, "Mia")])
    game = journal.begin_game("kitty_paw")
    with monkeypatch.context() as patch:
        patch.setattr(fanciers, "renamed", raising(TypeError("a fault of a game")))
        journal.forget("1" * 16)
        last = journal.write(game, FACTS)
        reports.troubled()
    reports.safe(last)
    assert (rows(path, "select name from person"), read(path, game)) == ([], FACTS)


def test_an_error_of_who_is_told_ends_nothing(path: Path) -> None:
    told: list[str | None] = []
    committed: list[int] = []

    def tell(text: str | None) -> None:
        told.append(text)
        if len(told) == 1:
            raise RuntimeError("Event loop is closed")

    path.parent.touch()  # a state folder that is a file
    with closing(Journal(path, "boot-1", committed.append, tell)) as journal:
        assert comes(lambda: len(told) > 1)  # told once more
        path.parent.unlink()
        last = journal.write(journal.begin_game("kitty_paw"), FACTS)
        assert comes(lambda: committed[-1:] == [last])


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
    path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **options: connect(*a, factory=Unsure, **options))
    with closing(opened(path, reports)) as journal:
        monkeypatch.setattr(Unsure, "failures", 2)
        game = journal.begin_game("kitty_paw")  # fails, but comes true
        for at_ns in (1, 2):
            journal.write_edge(Edge("P1", True, at_ns, "kernel"))
            journal.write(game, FACTS)  # the first time likewise
    assert (read(path, game), rows(path, "select at_ns from edge order by id")) == (FACTS + FACTS, [(1,), (2,)])
    assert (reports.troubles, reports.tickets) == (["cannot save: disk I/O error", None], [1, 3, 3, 4])


class Cards:
    """A journal in the middle of a game, and the card it writes to: pulled and put back, or another one."""

    def __init__(self, path: Path, reports: Reports) -> None:
        self.folder = path.parent
        journaled(path, EARLIER)
        shutil.copytree(path.parent, path.parent.with_name("older"))
        journaled(path, EARLIER)
        for _ in range(5):
            journaled(path.parent.with_name("another") / path.name, *FACTS[:2], boot="elsewhere")
        self.journal = opened(path, reports)
        self.game = self.journal.begin_game("kitty_paw")
        self.do("write")

    def do(self, words: str) -> list[tuple[Fact, ...]]:
        """What people do: all games of the card that is there then, the oldest first."""
        for word in words.split():
            match word:
                case "pull":
                    self.folder.rename(self.folder.with_name("own"))
                case "write":
                    self.journal.write(self.game, FACTS)
                case "close":
                    self.journal.close()
                case card:
                    if self.folder.exists():
                        self.folder.rename(self.folder.with_name("mount point"))
                    self.folder.with_name(card).rename(self.folder)
        with closing(History(self.folder / "journal.db")) as history:
            return [history.facts(row.game, RULES) for row in reversed(history.games())]


@pytest.fixture
def cards(path: Path, reports: Reports) -> Iterator[Cards]:
    found = Cards(path, reports)
    yield found
    found.journal.close()


@pytest.mark.parametrize(
    ("words", "games"),
    [
        ("pull write", [FACTS * 2]),
        ("pull write own write", [(EARLIER,), (EARLIER,), FACTS * 3]),
        ("pull write own close", [(EARLIER,), (EARLIER,), FACTS * 2]),
        ("pull older write", [(EARLIER,), FACTS * 2]),
        ("pull another write", [FACTS[:2]] * 5 + [FACTS * 2]),
    ],
    ids=["a new card", "its own again", "its own again only at the end", "an older copy", "another kit's card"],
)
def test_the_game_is_whole_once_and_others_are_as_they_were_on(
    cards: Cards, words: str, games: list[tuple[Fact, ...]]
) -> None:
    assert cards.do(words) == games


def test_a_game_knows_its_boot_on_another_kits_card(cards: Cards, path: Path) -> None:
    cards.do("pull another write")
    with closing(History(path)) as history:
        assert history.boot(history.games()[0].game) == "boot-1"


def test_that_a_journal_is_gone_is_said_once_there_is_a_new_one(cards: Cards, path: Path, reports: Reports) -> None:
    path.parent.rename(path.parent.with_name("own"))
    path.parent.touch()
    for _ in range(3):
        cards.journal.write(cards.game, FACTS)
    assert (reports.notices, reports.troubles) == ([], ["cannot save: File exists"])
    path.parent.unlink()
    cards.do("write")
    assert reports.notices == ["the journal is gone: a new one is begun"]


def recalled(path: Path, game: int) -> Recorded:
    """A game as the journal has it, to be gone on with."""
    with closing(History(path)) as history:
        found = history.recalled(game)
        assert found is not None
        return found


def latest(path: Path, journal: Journal) -> int:
    assert journal.latest is not None
    return journal.latest.number


@pytest.mark.parametrize(
    ("number", "games", "more"),
    [
        (latest, [(EARLIER,), FACTS], []),
        (lambda path, journal: journal.take_up(recalled(path, 1)), [FACTS, (EARLIER,)], [(EARLIER,)]),
    ],
    ids=["resumed", "taken up, beside the latest"],
)
def test_an_older_game_is_whole_on_an_empty_card(
    path: Path,
    reports: Reports,
    number: Callable[[Path, Journal], int],
    games: list[tuple[Fact, ...]],
    more: list[tuple[Fact, ...]],
) -> None:
    for facts in games:
        journaled(path, *facts)
    with closing(opened(path, reports, "boot-2")) as journal:
        game = number(path, journal)
        path.parent.rename(path.parent.with_name("pulled"))
        journal.write(game, FACTS)
    with closing(History(path)) as history:
        found = {history.facts(row.game, RULES): history.boot(row.game) for row in history.games()}
    assert found == dict.fromkeys([FACTS + FACTS, *more], "boot-1")


def test_a_game_takes_no_row_of_an_empty_one_that_was_begun_in_the_same_second(
    path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.wall_clock.text", lambda: "2026-11-22T19:00:00+00:00")
    with closing(opened(path, reports)) as journal:
        journal.begin_game("kitty_paw")
        older = shutil.copytree(path.parent, path.parent.with_name("older"))
        journal.write(journal.begin_game("kitty_paw"), FACTS)
        path.parent.rename(path.parent.with_name("pulled"))
        older.rename(path.parent)
        journal.write(2, FACTS)
    assert (read(path, 1), read(path, 2)) == ((), FACTS + FACTS)


def test_a_game_that_is_taken_up_is_written_on_in_its_place_and_is_the_latest(path: Path, reports: Reports) -> None:
    old, new = journaled(path, *FACTS), journaled(path, FIRST)
    with closing(opened(path, reports, "boot-2")) as journal:
        journal.write(journal.take_up(recalled(path, old)), FACTS)
    with closing(opened(path, reports, "boot-3")) as journal:
        assert (read(path, old), read(path, new), latest(path, journal)) == (FACTS + FACTS, (FIRST,), old)


def test_games_that_are_taken_up_in_turn_are_each_written_once(path: Path, reports: Reports) -> None:
    with closing(opened(path, reports)) as journal:
        for number in (journal.begin_game("kitty_paw"), journal.begin_game("kitty_paw")):
            journal.take_up(recalled(path, number))
            journal.write(number, FACTS)
        path.parent.rename(path.parent.with_name("pulled"))  # and put back at once: the file is opened anew
        path.parent.with_name("pulled").rename(path.parent)
        for number in (1, 2, 1):
            journal.write(journal.take_up(recalled(path, number)), FACTS[1:])
    assert (read(path, 1), read(path, 2)) == (FACTS + FACTS[1:] * 2, FACTS + FACTS[1:])


def test_two_programs_at_one_journal_take_no_number_twice(path: Path, reports: Reports) -> None:
    with closing(opened(path, reports)) as journal:
        journal.held.release()  # as on a file system without locks
        journaled(path, *FACTS[:2])  # the number that the first would take next
        journal.write(journal.begin_game("kitty_paw"), FACTS)
    assert (read(path, 1), read(path, 2), reports.troubles) == (FACTS[:2], FACTS, [])


DAY = f"{datetime.now(UTC):%Y-%m-%d}"
TODAY = f"damaged-{DAY}"
SET_ASIDE = f"journal (damaged) kept, new one begun: {TODAY}"
LIST = b"a shopping list " * 1000


def test_files_that_are_no_journal_are_kept_by_names_of_their_own_and_a_new_one_begun(
    path: Path, reports: Reports
) -> None:
    path.parent.mkdir()
    for content in (LIST, LIST * 2):
        path.write_bytes(content)
        with closing(opened(path, reports)) as journal:
            journal.write(journal.begin_game("kitty_paw"), FACTS)
    assert [path.with_name(f"{TODAY}{more}.db").read_bytes() for more in ("", "-2")] == [LIST, LIST * 2]
    assert (read(path, 1), reports.notices, reports.troubles) == (FACTS, [f"{SET_ASIDE}.db", f"{SET_ASIDE}-2.db"], [])


def spoil(path: Path, table: str) -> None:
    """Overwrite the first page of a table, as a worn card may."""
    with closing(connect(path)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
        page, size = db.execute("select rootpage from sqlite_master where name = ?", (table,)).fetchone()[0], 4096
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_a_game_that_can_be_read_in_a_damaged_file_goes_on_in_the_new_journal(path: Path, reports: Reports) -> None:
    journaled(path, *FACTS)
    spoil(path, "edge")
    with closing(opened(path, reports)) as journal:
        journal.write(latest(path, journal), FACTS)
    assert (read(path, 1), reports.notices) == (FACTS + FACTS, [f"{SET_ASIDE}.db"])


def test_damage_in_the_middle_of_a_game_costs_none_of_its_steps(path: Path, reports: Reports) -> None:
    with closing(opened(path, reports)) as journal:
        game = journal.begin_game("kitty_paw")
        journal.write(game, FACTS)
        spoil(path, "event")
        for _ in range(3):
            journal.write(game, FACTS)
    assert (read(path, 1), len(reports.notices)) == (FACTS * 4, 1)


def test_a_log_whose_journal_is_missing_is_kept_and_not_taken_for_that_of_a_new_one(
    path: Path, reports: Reports
) -> None:
    with closing(opened(path, reports)) as journal:
        journal.write(journal.begin_game("kitty_paw"), FACTS)
        log = Path(f"{path}-wal").read_bytes()
    Path(f"{path}-wal").write_bytes(log)
    path.unlink()
    opened(path, reports).close()
    assert (path.with_name(f"{TODAY}.db-wal").read_bytes(), rows(path, "select * from event")) == (log, [])


def test_another_programs_database_is_kept(path: Path, reports: Reports) -> None:
    path.parent.mkdir()
    with closing(connect(path, isolation_level=None)) as db:
        db.execute("create table recipe (name)")
    opened(path, reports).close()
    assert rows(path.with_name(f"{TODAY}.db"), "select name from sqlite_master") == [("recipe",)]


@pytest.mark.parametrize("number", [FORMAT - 1, FORMAT + 1], ids=["older", "newer"])
def test_a_journal_of_another_format_is_not_read_but_set_aside_as_it_is(
    path: Path, reports: Reports, number: int
) -> None:
    journaled(path, *FACTS)
    with closing(connect(path)) as db:
        db.execute(f"pragma user_version = {number}")
        folder = shutil.copytree(path.parent, path.parent.with_name("not ended"))  # in good order: there is a log
    other = folder / path.name
    before = [Path(f"{other}{name}").read_bytes() for name in ("", "-wal")]
    with pytest.raises(sqlite3.DatabaseError, match=rf"is of format {number}, this version reads format {FORMAT}"):
        History(other)
    with closing(opened(other, reports)) as journal:
        journal.write(journal.begin_game("kitty_paw"), FACTS)
    (kept,) = other.parent.glob("format-*.db")
    assert ([Path(f"{kept}{name}").read_bytes() for name in ("", "-wal")], read(other, 1)) == (before, FACTS)
    notices = [f"journal ({kept.name[:8].replace('-', ' ')}) kept, new one begun: {kept.name}"]
    assert (reports.notices, reports.troubles) == (notices, [])


@pytest.mark.parametrize("number", [FORMAT - 1, FORMAT + 1], ids=["older", "newer"])
def test_a_version_that_runs_again_goes_on_with_its_own_journal(
    path: Path, reports: Reports, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an update that was taken back: the other version had set it aside, with its log."""
    path.parent.mkdir()
    with closing(opened(path, reports)) as journal:
        journal.write(journal.begin_game("kitty_paw"), FACTS)
        shutil.copytree(path.parent, path.parent.with_name("cut off"))
    path = path.parent.with_name("cut off") / path.name
    with monkeypatch.context() as other:
        other.setattr(file, "FORMAT", number)
        opened(path, reports).close()
        assert {aside.name for aside in path.parent.glob("*.db")} == {path.name, f"format-{FORMAT}-{DAY}.db"}
    reports.notices.clear()
    with closing(opened(path, reports)) as journal:
        assert journal.latest is not None
    assert read(path, 1) == FACTS
    assert {aside.name for aside in path.parent.glob("*.db")} == {path.name, f"format-{number}-{DAY}.db"}
    notice = f"journal (format {number}) kept, this version's own goes on: format-{number}-{DAY}.db"
    assert (reports.notices, reports.troubles) == ([notice], [])


def test_a_journal_that_a_later_version_has_only_added_to_is_read_and_written_on_in(path: Path) -> None:
    journaled(path, *FACTS)
    with closing(connect(path, isolation_level=None)) as db:
        db.execute("create table mood (id integer primary key, face text not null)")
        for table in ("run", "game", "event", "edge"):
            db.execute(f"alter table {table} add column mood text not null default 'fine'")
        db.execute(
            "insert into game (id, run, name, started_at) values (2, 1, 'kitty_paw', '2031-01-01T20:00:00+00:00')"
        )
        row = (1, 2, 0, 5, "Started", '{"players":["A","B"],"options":{"cats":9},"seed":7,"mood":1}')
        for name, fields in (row[4:], ("Purred", "{}")):
            db.execute(
                "insert into event (run, game, step, at_ns, name, fields) values (?, ?, ?, ?, ?, ?)",
                (*row[:4], name, fields),
            )
    with pytest.raises(sqlite3.DataError, match="game 2: event 'Purred' is not one of Kitty Paw"):
        read(path, 2)
    with closing(Rig(path.parent)) as rig:  # the kit starts where the latest game is such a one
        assert rig.app.table.unfinished is None
        rig.do("game[kitty_paw 3] +P1,P2,P3 3100")
    with closing(History(path)) as history:
        assert history.games()[0].game == 3
    assert (read(path, 1), read(path, journaled(path, *FACTS))) == (FACTS, FACTS)


@pytest.mark.parametrize("empty", [True, False], ids=["an empty file", "no file"])
def test_where_nothing_was_played_there_is_no_history(path: Path, empty: bool) -> None:
    path.parent.mkdir()
    if empty:
        path.touch()
    with pytest.raises(FileNotFoundError, match="no game has been played yet"):
        History(path)


def test_every_game_of_a_journal_of_this_format_stands_as_it_stood(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(connect(path)) as db:
        db.executescript(Path(__file__).with_name("golden").joinpath(f"journal-{FORMAT}.sql").read_text())
        db.execute("pragma journal_mode = wal")
        expected = db.execute("select game, name, board from expected").fetchall()
    with closing(History(path)) as history:
        for game, name, board in expected:
            play = history.play(game, games.rules(name))
            seen = {key: getattr(play.board, key) for key in ("phase", "round", "turn", "scores", "tokens")}
            offers = [f"{offer.verb} {offer.seat}" for offer in play.offers]
            stands = msgspec.json.encode(seen | {"winners": play.winners, "offers": offers}).decode()
            assert stands == board, f"game {game}, {name}"
    assert {name for _, name, _ in expected} == set(SHIPPED)
