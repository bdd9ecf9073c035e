"""Journals that mean harm, or that are another program's, and what becomes of a kit that gets one.

Each is made of a sound journal of three games. `python -m tests.simulators.hostile_journals` gives each to a kit, by
`luckypaw restore` and as the `journal.db` that it finds at its start, and prints what comes of it: docs/measurements.md
has the counts. Bounded: a file takes 10 MB at most, and 30 s.
"""

import argparse
import json
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from engine import games
from firmware.journal.reader import History
from firmware.table.playing import begin
from tests.simulators.program import ROOT
from tests.simulators.rig import NamedRig, Rig
from tests.simulators.waiting import comes
from tests.simulators.without_coverage import untraced_environ

PATIENCE_S = 30.0
LATER = "later"  # the boot in which the kit gets the file
PEOPLE = ("Anna", "Ben")
GAMES = 3
BIG = 2**63 - 1
PAGE = 4096
DEEP = "[" * 100_000 + "]" * 100_000
FOR_EVER = "with recursive n (x) as (select 1 union all select x + 1 from n) select max(x) from n"
HEAVY = "length(" + "replace(" * 8 + "hex(zeroblob(4000000))" + ", '00', '000')" * 8 + ")"  # minutes a row

Hurt: TypeAlias = Callable[[Path], object]


def sound(folder: Path) -> Path:
    """A journal of three games, of which the last is open; in one file."""
    rig = NamedRig(folder, PEOPLE)
    for _ in range(GAMES - 1):
        rig.do("game[kitty_paw 3] menu[End the game] 2500 ok [Other game]")
    rig.do("game[kitty_paw 3]").close()
    with closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as db:
        db.execute("pragma journal_mode = delete")
    return folder / "journal.db"


# --- how a journal is hurt -------------------------------------------------------------------------------------------


def sql(*statements: str) -> Hurt:
    """By what another program may do to it."""

    def hurt(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            for statement in statements:
                db.execute(statement)

    return hurt


def instead(table: str, *statements: str) -> Hurt:
    """A table is taken away, and something else made in its place."""
    return sql(f"drop table {table}", *statements)


def rewritten(table: str, old: str, new: str) -> Hurt:
    """The definition of a table is written over, which its rows do not notice."""

    def hurt(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("pragma writable_schema = on")
            db.execute("update sqlite_master set sql = replace(sql, ?, ?) where name = ?", (old, new, table))

    return hurt


def both(*ways: Hurt) -> Hurt:
    """One after the other."""

    def hurt(path: Path) -> None:
        for way in ways:
            way(path)

    return hurt


def made_again(table: str, definition: str, columns: str = "*") -> Hurt:
    """A table of another kind, with the same rows."""
    return sql(
        f"alter table {table} rename to old", f"create table {definition}",
        f"insert into {table} select {columns} from old", "drop table old",
    )  # fmt: skip


def started(number: int, value: str) -> Hurt:
    """A game more, with this number, and its event."""
    fields = '{"players":["P1","P2"],"options":{},"seed":1}'
    return sql(
        f"insert into game values ({number}, 1, 'kitty_paw', {value})",
        f"insert into event (run, game, step, at_ns, name, fields) values (1, {number}, 0, 5, 'Started', '{fields}')",
    )


def event(name: str, fields: str, game: int = 1) -> Hurt:
    """An event more, of the first game."""

    def hurt(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            row = (1, game, 0, 5, name, fields)
            db.execute("insert into event (run, game, step, at_ns, name, fields) values (?, ?, ?, ?, ?, ?)", row)

    return hurt


def another_program(path: Path) -> None:
    path.unlink()
    sql("create table recipe (id integer primary key, name text)", "pragma user_version = 2")(path)


def with_its_log(path: Path) -> None:
    """The third game is only in the log beside it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        rows = db.execute("select * from event where game = 3").fetchall()
        db.execute("delete from event where game = 3")
        db.execute("pragma journal_mode = wal")
        db.execute("pragma wal_checkpoint(truncate)")
        db.executemany("insert into event values (?, ?, ?, ?, ?, ?, ?)", rows)
        both = {name: Path(name).read_bytes() for name in (str(path), f"{path}-wal")}
    for name, data in both.items():
        Path(name).write_bytes(data)


def half_written(path: Path) -> None:
    """SQLite's note of a change that was not finished."""
    Path(f"{path}-journal").write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(600))


def in_its_place(make: Callable[[Path], object]) -> Hurt:
    def hurt(path: Path) -> None:
        path.unlink()
        make(path)

    return hurt


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 5 * PAGE)


def worn(path: Path) -> None:
    """The middle page of its events is written over."""
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("select rootpage from sqlite_master where name = 'event'").fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(b"\xff" * PAGE)


def huge(path: Path) -> None:
    """Two terabytes, of which hardly any are on the disk."""
    os.truncate(path, 2 << 40)


def maze(path: Path) -> None:
    """A list of tables in which every page leads 400 times to the next: 400 ** 18 ways through 80 kB."""
    last, ways = 20, 400
    table = row("table", "t", "t", 2, "CREATE TABLE t (a unique)")
    key = row("index", "sqlite_autoindex_t_1", "t", 3, None)  # may come any number of times
    pages = [fork([last, *[2] * (ways - 1)], 2, start=100)]
    pages += [fork([number + 1] * ways, number + 1) for number in range(2, last - 1)]
    pages += [leaf(key), leaf(table)]
    head = bytearray(path.read_bytes()[:100])
    head[28:32] = struct.pack(">I", last)
    pages[0][:100] = head
    path.write_bytes(b"".join(pages))


def fork(children: list[int], right: int, start: int = 0) -> bytearray:
    """A page of SQLite's that leads to others. `start`: behind the file's head."""
    page = bytearray(PAGE)
    content = PAGE - 5 * len(children)
    page[start : start + 12] = struct.pack(">BHHHBI", 5, 0, len(children), content, 0, right)
    for n, child in enumerate(children):
        page[start + 12 + 2 * n : start + 14 + 2 * n] = struct.pack(">H", content + 5 * n)
        page[content + 5 * n : content + 5 * n + 5] = struct.pack(">IB", child, 1)
    return page


def leaf(cell: bytes) -> bytearray:
    """A page with one row."""
    page = bytearray(PAGE)
    at = PAGE - len(cell)
    page[:10] = struct.pack(">BHHHBH", 13, 0, 1, at, 0, at)
    page[at:] = cell
    return page


def row(*values: str | int | None) -> bytes:
    """A row of a table of SQLite's, with the number 1."""
    types = bytes(0 if value is None else 1 if isinstance(value, int) else 13 + 2 * len(value) for value in values)
    data = b"".join(
        value.encode() if isinstance(value, str) else bytes([value]) for value in values if value is not None
    )
    record = bytes([len(types) + 1]) + types + data
    return bytes([len(record), 1]) + record


def older_version(path: Path) -> None:
    """Begun by a version that knew no people, phones and clocks."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for table in ("person", "seat", "phone", "sent", "kept", "kit", "clock", "evening", "run_bits", "remark"):
            db.execute(f"drop table {table}")


SOUND: dict[str, Hurt] = {
    "nothing is wrong": lambda path: None,
    "of an older version, without people": older_version,
    "with the last game in its log": with_its_log,
    "of a later version: a column, a table, an index": sql(
        "alter table game add column mood text not null default 'fine'",
        "update game set mood = 'great' where id = 2",
        "create table cat (id integer primary key, name text not null, weight real, picture blob)",
        "insert into cat values (7, 'Minka', 4.5, x'ff00')",
        "create index cat_by_name on cat (name)",
    ),
}
SCHEMA: dict[str, Hurt] = {
    "another program's, with our number": another_program,
    "another program's table `game`": instead("game", "create table game (id integer primary key, title text)"),
    "a trigger that deletes": sql("create trigger t after insert on event begin delete from event; end"),
    "a trigger that refuses": sql("create trigger t before insert on game begin select raise(abort, 'no'); end"),
    "a trigger without end": sql(f"create trigger t after insert on run begin {FOR_EVER}; end"),
    "a view instead of people": instead(
        "person",
        f"create view person as select ({FOR_EVER}) as id, 'A' as name, '' as latin, 1 as counted, '' as since",
    ),
    "a view beside it": sql(f"create view v as {FOR_EVER}"),
    "a view whose name is no text": both(
        sql("create view vv as select 1"),
        sql(
            "pragma writable_schema = on",
            "update sqlite_master set name = cast(x'76ff' as text), tbl_name = cast(x'76ff' as text), "
            "sql = cast(cast('create view ' as blob) || x'76ff' || cast(' as select 1' as blob) as text) "
            "where name = 'vv'",
        ),
    ),
    "a virtual table instead of kits": instead("kit", "create virtual table kit using fts5 (run, name)"),
    "a virtual table beside it": sql("create virtual table v using fts5 (words)"),
    "a generated column": both(
        sql(f"alter table event add column g integer as ({HEAVY})"),
        rewritten("event", "g integer as", "g integer not null as"),
    ),
    "a generated column of ours": instead(
        "edge", "create table edge (id integer primary key, run integer, button text, down integer, at_ns integer, "
        f"source text as ({HEAVY}))",
    ),
    "a check that refuses": made_again(
        "run", "run (id integer primary key, boot text not null, version text not null, started_at text not null, "
        "check (id < 2))",
    ),
    "a foreign key": made_again(
        "seat", "seat (id integer primary key, game integer not null references nowhere, seat integer not null, "
        "person text, since text not null)",
    ),
    "an index that refuses": sql("create unique index one on run (version)"),
    "an index of an expression": sql("create index i on kit (length(name))"),
    "without rowids": made_again(
        "game", "game (id integer primary key, run integer not null, name text not null, started_at text not null) "
        "without rowid",
    ),
    "strict": made_again(
        "game",
        "game (id integer primary key, run integer not null, name text not null, started_at text not null) strict",
    ),
    "no key": made_again("person", "person (id text, name text not null, latin text, counted integer, since text)"),
    "people without ids": made_again(
        "person",
        "person (name text not null, latin text not null, counted integer not null, since text not null)",
        "name, latin, counted, since",
    ),
    "a column is missing": sql("alter table event drop column at_ns"),
    "a column that must be filled": both(
        sql("alter table edge add column x text not null default 'x'"), rewritten("edge", " default 'x'", "")
    ),
    "a default that is an expression": rewritten("person", "default 1", f"default ({HEAVY})"),
}  # fmt: skip
VALUES: dict[str, Hurt] = {
    "a game of number 2^63 - 1": started(BIG, "'2026-11-22T19:00:00+00:00'"),
    "a game of number 2^53 + 1": started(2**53 + 1, "'2026-11-22T19:00:00+00:00'"),
    "a game of number -1": started(-1, "'2026-11-22T19:00:00+00:00'"),
    "an event of number 2^63 - 1": sql(f"update event set id = {BIG} where id = (select max(id) from event)"),
    "a run of number 2^63 - 1": sql(f"update run set id = {BIG}", f"update game set run = {BIG}"),
    "a word instead of a stamp": sql("update event set at_ns = 'noon' where id = 1"),
    "bytes instead of a name": sql("update person set name = x'ff00'"),
    "bytes instead of fields": sql("update event set fields = x'ff' where id = 1"),
    "bytes instead of a phone's places": sql("insert into phone values ('ab', 'cd', 'seat', x'ff', '', '')"),
    "nothing instead of a game's name": both(
        rewritten("game", "name text not null", "name text"), sql("update game set name = null where id = 1")
    ),
    "text that is no UTF-8": sql("update event set fields = cast(x'7bff7d' as text) where id = 1"),
    "text with a NUL": sql("update person set name = 'An' || char(0) || 'na' where name = 'Anna'"),
    "a text of 5 MB": sql("update event set fields = hex(zeroblob(2500000)) where id = 1"),
    "infinity instead of a seat": sql("update seat set seat = 9e999 where id = 1"),
    "a seat that no table has": sql("insert into seat (game, seat, person, since) select 3, 99, id, '' from person"),
    "a name of marks": sql("update person set name = char(8238) || 'x' || char(10) || 'y' where name = 'Anna'"),
    "an id of two lines": sql("update person set id = id || char(10) || 'ffffffffffffffff done' where name = 'Anna'"),
    "a note of marks": sql("insert into remark (game, note, since) values (1, char(8238) || 'x', '')"),
    "a day of another calendar": sql("insert into remark (game, note, day, since) values (1, 'x', '2026-13-01', '')"),
    "a run that began yesterday": sql("update run set started_at = 'yesterday'"),
    "a run of the year 1": sql("update run set started_at = '0001-01-01T00:00:00+00:00'"),
    "a game that began at 9": started(4, "'9'"),
    "a word instead of a run's bits": sql("update run_bits set bits = 'luck' where run = 1"),
    "a clock of the year 9999": sql("update clock set wall = '9999-12-31T23:59:59+00:00'"),
    "an event of a later version": event("Purred", "{}"),
    "an event that cannot be": event("Pressed", '{"seat":9,"at_ns":1,"error_ns":1}'),
    "fields of 100,000 brackets": event("HandDown", f'{{"seat":1,"x":{DEEP}}}', game=3),
}
FILES: dict[str, Hurt] = {
    "of format 1": sql("pragma user_version = 1"),
    "of format 3": sql("pragma user_version = 3"),
    "empty": in_its_place(Path.touch),
    "a text": in_its_place(lambda path: path.write_bytes(b"a shopping list " * 1000)),
    "a folder": in_its_place(Path.mkdir),
    "a pipe": in_its_place(os.mkfifo),
    "a device without end": in_its_place(lambda path: path.symlink_to("/dev/zero")),
    "cut": cut,
    "with a worn page": worn,
    "of 2 TB": huge,
    "with a change that was not finished": half_written,
    "a maze": maze,
}
HOSTILE = SOUND | SCHEMA | VALUES | FILES


# --- what comes of it ------------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What came of one file."""

    said: str  # by the command, or on the display
    kit: str  # what the kit does then
    games: int  # of the three, those that can be read then


def played(state: Path) -> dict[str, object]:
    """A kit is switched on and a game begun: whether it is saved, and how many of the three games are there."""
    rig = Rig(state, boot=LATER, threaded=True)
    journal = rig.app.journal

    def saves() -> bool:
        rig.after(10)
        return journal._committed == journal._ticket  # noqa: SLF001

    comes(saves, 3)
    rules = games.rules("kitty_paw")
    begin(rig.app.table, rules, ("P1", "P2"), rules.options())
    saved = comes(saves, 3)
    rig.after(2000)
    return {"saved": saved, "games": games_of(state)}


def games_of(state: Path) -> int:
    """How many of the three games can be read."""
    found = 0
    with suppress(sqlite3.Error, OSError), closing(History(state / "journal.db")) as history:
        for row in history.games():
            with suppress(Exception):
                found += history.boot(row.game) != LATER and bool(history.play(row.game, games.rules(row.name)))
    return found


def kit(state: Path) -> tuple[str, str, int]:
    """The same in a process of its own: the first note, which the log has, too; what the kit does; the games."""
    done = _run("-m", "tests.simulators.hostile_journals", "--play", str(state))
    if done is None:
        return "", "hangs", 0
    notes = done.stderr.splitlines()
    if done.returncode != 0:
        return "", f"does not start: {notes[-1][:60]}", 0
    said = next((note for note in notes[:1] if not note.startswith(("Exception", "Traceback"))), "")
    found = json.loads(done.stdout.splitlines()[-1])
    if found["saved"]:
        return said, "saves", found["games"]
    return said, "saves nothing, and says so" if said else "saves nothing, says nothing", found["games"]


def restored(journal: Path, hurt: Hurt, folder: Path) -> Outcome:
    """It comes as a backup, to a kit that has played nothing yet."""
    file = Path(shutil.copy(journal, folder / "copy.db"))
    hurt(file)
    done = _run("-m", "firmware", "restore", str(file), XDG_STATE_HOME=str(folder))
    said = "hangs" if done is None else (done.stderr or done.stdout).strip().splitlines()[-1].replace(f"{folder}/", "")
    _note, does, found = kit(folder / "luckypaw")
    return Outcome(said.removeprefix("luckypaw: "), does, found)


def in_place(journal: Path, hurt: Hurt, folder: Path) -> Outcome:
    """The kit finds it where its journal should be. The games are counted once what was set aside is restored."""
    state = folder / "luckypaw"
    state.mkdir()
    shutil.copy(journal, state)
    hurt(state / "journal.db")
    found = kit(state)
    aside = next(state.glob("*-20*.db"), None)
    if aside is None or _run("-m", "firmware", "restore", str(aside), XDG_STATE_HOME=str(folder)) is None:
        return Outcome(*found)
    return Outcome(found[0], found[1], games_of(state))


def _run(*command: str, **environ: str) -> subprocess.CompletedProcess[str] | None:
    """Run a program of Python; None where it had to be killed."""
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=untraced_environ() | environ, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            out, errors = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--play", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--only", metavar="TEXT", default="", help="files whose name has this text")
    asked = parser.parse_args()
    if asked.play is not None:
        try:
            print(json.dumps(played(asked.play)), flush=True)
        except BaseException:
            traceback.print_exc()
            os._exit(1)  # the journal's thread may go on
        os._exit(0)
    with TemporaryDirectory() as place:
        journal = sound(Path(place) / "sound")
        print("| file | restored | then | games | found in place | then | games |\n|---|---|---|---|---|---|---|")
        for number, (name, hurt) in enumerate(HOSTILE.items()):
            if asked.only in name:
                cells = [name]
                for way in (restored, in_place):
                    folder = Path(place) / f"{number} {way.__name__}"
                    folder.mkdir()
                    cells += map(str, way(journal, hurt, folder))
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
