"""`luckypaw check` counts the sparks of the latest evening, by the raw edges that a whole kit has stored."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from firmware.cli import check as doctor
from firmware.journal import edges
from firmware.journal.reader import History
from hardware.config import TABLE, ButtonDriver, KitConfig, Player
from hardware.doctor.findings import FAULTS
from hardware.parts.buttons import Edge
from tests.firmware.test_check import check
from tests.simulators.hostile_journals import Hurt, sql
from tests.simulators.rig import Rig

GAME = "game[kitty_paw 3]"
FOUR = "4 sparks this evening: is its lamp wire too near?"
P3_FOUR = [("button P3", "GPIO 22", FOUR)]
WIRED = """
players = [
    { name = "P1", button = 5, lamp = 12 },
    { name = "P2", button = 6, lamp = 16 },
    { name = "P3", button = 22, lamp = 20 },
]
display.driver = "emulated"
panel.port = 0
control = { kind = "knob", a = 17, b = 27, push = 24 }
"""


class Wires(Rig):
    """A kit whose lines spark and whose contacts bounce."""

    def moves(self, name: str, *after_ms: float) -> "Wires":
        """A line moves, each time so long after the move before. Then a second passes."""
        for ms in after_ms:
            self.after(ms).edge(name, down=not self.buttons.down(name))
        self.after(1000)
        return self

    def sparks(self, text: str) -> "Wires":
        """`sparks[P3 4]`: so many dips of 0.3 ms, a second apart."""
        name, times = text.split()
        for _ in range(int(times)):
            self.moves(name, 0, 0.3)
        return self

    def bounces(self, name: str) -> "Wires":
        """A press and its release, with a short first touch and with bounce that outlives the lock."""
        return self.moves(name, 0, 0.05, 0.4, 1, 1, 34, 0.4).moves(name, 0, 0.2, 1, 34, 0.4)


@pytest.fixture
def wires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wires]:
    """Its edges are stamped by a kernel."""
    monkeypatch.setattr("hardware.parts.buttons.emulated.Edge", partial(Edge, source="kernel"))
    rig = Wires(tmp_path / "luckypaw")
    yield rig
    rig.close()


def notes(rig: Rig, config: KitConfig = TABLE) -> list[tuple[str, str, str]]:
    """What the doctor notes of an evening."""
    rig.close()
    return told(rig.app.journal.path.parent, config)


def told(state: Path, config: KitConfig = TABLE) -> list[tuple[str, str, str]]:
    return [(each.part, each.place, each.text) for each in doctor.latest_evening(config, state)]


def test_the_command_notes_a_button_that_sparked_and_no_other(wires: Wires, tmp_path: Path) -> None:
    wires.do(f"{GAME} sparks[P3 2] bounces[P3] bounces[P1] sparks[P1 2] sparks[P3 2] bounces[P2]").close()
    kit = tmp_path / "kit.toml"
    kit.write_text(WIRED)
    lines = check(tmp_path, "--config", kit).lines
    noted = next(n for n, line in enumerate(lines) if "sparks" in line)
    assert lines[noted] == f"i button P3                GPIO 22                   {FOUR}"
    assert lines[noted + 1].startswith("    → keep its wire away from those of lamps and strip, ")
    assert "sparks" not in "".join(lines[noted + 1 :])


def test_it_is_a_note_and_no_fault(wires: Wires, tmp_path: Path) -> None:
    wires.do("sparks[P3 4]").close()
    (found,) = doctor.latest_evening(TABLE, tmp_path / "luckypaw")
    assert (found.code, found.note, found.fault) == ("button-sparks", True, False)
    assert [fault.code for fault in FAULTS["journal"]] == [found.code]


def test_it_can_be_asked_while_the_kit_runs(wires: Wires, tmp_path: Path) -> None:
    wires.do("sparks[P3 4]")
    assert told(tmp_path / "luckypaw") == P3_FOUR


EVENINGS = {
    "four sparks": (f"{GAME} sparks[P3 4]", P3_FOUR),
    "two": (f"{GAME} sparks[P3 2]", []),
    "three": ("sparks[P3 3]", [("button P3", "GPIO 22", FOUR.replace("4", "3"))]),
    "presses with bounce": (f"{GAME} {6 * 'bounces[P3] '}", []),
    "two lines": ("sparks[P3 4] sparks[P1 4]", [("button P1", "GPIO 5", FOUR), *P3_FOUR]),
    "two and two, with a restart in between": ("sparks[P3 2] restart sparks[P3 2]", P3_FOUR),
    "two and two, switched off for an hour": ("sparks[P3 2] off[1h] sparks[P3 2]", P3_FOUR),
    "the evening before": ("sparks[P3 4] off[9h] P3 P1", []),
    "the evening before, on a kit that is never switched off": ("sparks[P3 4] 6h P3 P1", []),
    "less than six hours before": ("sparks[P3 4] 5h P3 P1", P3_FOUR),
    "two on either evening": ("sparks[P3 2] off[9h] sparks[P3 2]", []),
    "a later start at which nobody pressed": ("sparks[P3 4] off[9h]", P3_FOUR),
}


@pytest.mark.parametrize(("line", "expected"), EVENINGS.values(), ids=EVENINGS)
def test_the_sparks_of_the_latest_evening_are_noted(
    wires: Wires, line: str, expected: list[tuple[str, str, str]]
) -> None:
    assert notes(wires.do(line)) == expected


def test_where_no_clock_tells_only_the_latest_start_counts(wires: Wires) -> None:
    wires.wall = None
    assert notes(wires.restart().do("sparks[P3 4] off[1h] P3")) == []


def test_a_page_has_no_sparks(tmp_path: Path) -> None:
    rig = Wires(tmp_path)
    rig.do("sparks[P3 9]").close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert [len(run) for run in history.latest_evening({"P3"})] == [18]
    assert told(tmp_path) == []


def test_a_kit_without_lines_is_not_asked(wires: Wires) -> None:
    emulated = structs.replace(TABLE, buttons=ButtonDriver("emulated"))
    assert notes(wires.do("sparks[P3 4]"), emulated) == []


def test_a_button_without_a_lamp_is_asked_for_another_wire(wires: Wires) -> None:
    dark = structs.replace(TABLE, players=(*TABLE.players[:2], Player("P3", 22)))
    assert notes(wires.do("sparks[P3 4]"), dark) == [
        ("button P3", "GPIO 22", "4 sparks this evening: is another wire too near?")
    ]


def test_the_push_of_a_knob_is_a_button(wires: Wires, tmp_path: Path) -> None:
    wires.do("sparks[P3 4]").close()
    sql("update edge set button = 'ok'")(tmp_path / "luckypaw" / "journal.db")
    text = "4 sparks this evening: is another wire too near?"
    assert told(tmp_path / "luckypaw") == [("knob push", "GPIO 24", text)]


# --- journals that are damaged or large ---------------------------------------------------------------------

HURT: dict[str, tuple[Hurt, list[tuple[str, str, str]]]] = {
    "a word instead of a stamp": (sql("update edge set at_ns = 'noon' where id = 5"), []),
    "infinity": (sql("update edge set at_ns = 9e999 where id = 5"), []),
    "bytes instead of a button": (sql("update edge set button = x'ff00' where id = 5"), []),
    "text that is no UTF-8": (sql("update edge set button = cast(x'ff7d' as text) where id = 5"), []),
    "a source that there is not": (sql("update edge set source = 'rumour' where id = 5"), []),
    "a run that is a word": (sql("update edge set run = 'first'"), []),
    "levels of any number": (sql("update edge set down = down * 77"), P3_FOUR),
    "a run without a row": (sql("delete from run"), P3_FOUR),
    "a button of 5 MB": (
        sql("insert into edge (run, button, down, at_ns, source) select 1, hex(zeroblob(2500000)), 1, max(at_ns), ''"
            " from edge"),
        P3_FOUR,
    ),
    "the latest stamp that there can be": (
        sql(f"insert into edge (run, button, down, at_ns, source) values (1, 'P1', 1, {2**63 - 1}, 'kernel')"),
        [],  # a gap of 292 years
    ),
    "the earliest": (
        sql(f"insert into edge (run, button, down, at_ns, source) values (1, 'P3', 1, {-(2**63)}, 'kernel')"),
        P3_FOUR,
    ),
    "a clock of the year 8999": (
        sql("update clock set wall = '8999-12-31T23:59:59+00:00'", f"update clock set at_ns = {-(2**63)}",
            f"insert into edge (run, button, down, at_ns, source) values (2, 'P1', 1, {2**63 - 1}, 'kernel')"),
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("hurt", "expected"), HURT.values(), ids=HURT)
def test_edges_that_no_kit_has_written_do_not_stop_the_doctor(
    wires: Wires, tmp_path: Path, hurt: Hurt, expected: list[tuple[str, str, str]]
) -> None:
    wires.do("sparks[P3 4]").close()
    hurt(tmp_path / "luckypaw" / "journal.db")
    assert told(tmp_path / "luckypaw") == expected


def test_without_a_journal_there_is_nothing_to_note(tmp_path: Path) -> None:
    assert told(tmp_path) == []


def stored(state: Path, add: Callable[[sqlite3.Connection], object]) -> list[int]:
    """The edges of P3 that are read, counted by run, once some were added."""
    with closing(sqlite3.connect(state / "journal.db")) as db, db:
        add(db)
    with closing(History(state / "journal.db")) as history:
        return [len(run) for run in history.latest_evening({"P3"})]


INSERT = "insert into edge (run, button, down, at_ns, source) values (?, ?, ?, ?, 'kernel')"


def test_of_very_many_edges_the_latest_are_read(wires: Wires, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "MAX_EDGES", 50)
    wires.do("sparks[P3 4]").close()
    many = [(run, name, 1, 10**12 + n) for n, (run, name) in enumerate(30 * [(1, "P3")] + 40 * [(2, "P3"), (2, "P1")])]
    assert stored(tmp_path / "luckypaw", lambda db: db.executemany(INSERT, many)) == [25]


def test_of_very_many_runs_the_latest_are_read(wires: Wires, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "MAX_RUNS", 7)
    wires.close()
    many = [(run, "P3", 1, 10**12 + run) for run in range(100, 200)]
    assert stored(tmp_path / "luckypaw", lambda db: db.executemany(INSERT, many)) == 7 * [1]
