"""Statistics: every figure a second time by plain SQL, sums that catch up, and what the command line makes of them."""

import csv
import io
import json
import os
import pty
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

import pytest
from PIL import Image

from engine import games
from firmware import new_file
from firmware.journal import backup
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.people.names import Person
from firmware.state_folder import SUMS, is_aside
from firmware.statistics import bgstats
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures
from firmware.statistics.plain_values import Data
from tests.firmware.command import Ran
from tests.simulators.libreoffice import needs_libreoffice, read
from tests.simulators.plain_figures import check
from tests.simulators.random_evenings import Evenings, Known


@pytest.mark.parametrize(
    ("seed", "evenings"), [(0, 20), *(pytest.param(seed, 50, marks=pytest.mark.nightly) for seed in (1, 2, 3))]
)
def test_every_figure_of_random_evenings_is_that_of_plain_sql(tmp_path: Path, seed: int, evenings: int) -> None:
    known = Evenings(tmp_path, seed).play(evenings)
    assert check(tmp_path, known) > 6 * evenings


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Known]:
    """Some evenings, which are summed up."""
    folder = tmp_path_factory.mktemp("played")
    known = Evenings(folder, 5).play(12)
    everything(folder)
    return folder, known


@pytest.fixture
def state(played: tuple[Path, Known], tmp_path: Path) -> Path:
    """A copy of them."""
    return Path(shutil.copytree(played[0], tmp_path / "luckypaw"))


def everything(folder: Path) -> object:
    with closing(up_to_date(folder)) as db:
        return Data(Figures(db)).everything()


def test_sums_are_made_evening_by_evening_as_at_once(tmp_path: Path) -> None:
    evenings = Evenings(tmp_path, 9)
    for _ in range(8):
        check(tmp_path, evenings.play(1))
    by_and_by = everything(tmp_path)
    (tmp_path / SUMS).unlink()
    assert everything(tmp_path) == by_and_by


def no_change(folder: Path) -> None:
    everything(folder)


def shortened(folder: Path) -> None:
    everything(folder)
    path = folder / SUMS
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def rubbish(folder: Path) -> None:
    (folder / SUMS).write_bytes(b"no database" * 1000)


def of_another_format(folder: Path) -> None:
    everything(folder)
    with closing(sqlite3.connect(folder / SUMS)) as db:
        db.execute("update result set points = 0")
        db.execute("pragma user_version = 99")
        db.commit()


@pytest.mark.parametrize("hurt", [no_change, shortened, rubbish, of_another_format])
def test_sums_that_are_damaged_or_of_another_format_are_made_again(
    state: Path, played: tuple[Path, Known], hurt: Callable[[Path], None]
) -> None:
    hurt(state)
    assert check(state, played[1]) > 100


def test_a_journal_that_was_put_back_is_summed_again(state: Path, tmp_path: Path) -> None:
    backup.backup(state / "journal.db", tmp_path / "copy")
    before = everything(state)
    evenings = Evenings(tmp_path / "another", 77)
    evenings.play(3)
    for end in ("", "-wal", "-shm"):
        (state / f"journal.db{end}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "another" / "journal.db", state)
    assert everything(state) == everything(tmp_path / "another")
    backup.restore(tmp_path / "copy", state / "journal.db")
    assert everything(state) == before


def test_the_sums_hold_no_person(state: Path, played: tuple[Path, Known]) -> None:
    everything(state)
    content = b"".join(path.read_bytes() for path in state.glob(f"{SUMS}*"))
    assert not [one for id_, name in played[1].names.items() for one in (id_, name) if one.encode() in content]


# --- the command line ------------------------------------------------------------------------------------------------


def run(folder: Path, *arguments: str) -> Ran:
    """The command, on this state: a folder `luckypaw`."""
    return Ran(arguments, folder.parent)


HOSTILE = ("=1+1", "@SUM(A1)", "<b>x</b>", '"; drop', "-2+3", "שלום", "＝1+1", "1-2", "00123")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A journal of people with names that want to be more than text; each has won or lost a game."""
    folder = tmp_path / "luckypaw"
    evenings = Evenings(folder, 3)
    evenings.play(6)
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        ids = [id_ for (id_,) in db.execute("select id from person order by id")]
    with closing(Journal(folder / "journal.db", "x", lambda n: None, lambda t: None, threaded=False)) as journal:
        journal.write_people([Person(id_, name) for id_, name in zip(ids, HOSTILE, strict=False)])
    return folder


def test_no_name_is_a_formula_in_a_spreadsheet(hostile: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(hostile, "export").out)))
    people = {row["person"] for row in rows}
    assert {"'=1+1", "<b>x</b>", '"; drop', "'＝1+1"} & people
    assert not [
        cell
        for row in rows
        for column, cell in row.items()
        if cell[:1] in tuple("=+@＝") or (cell[:2] == "-2" and column != "points")
    ]


def test_names_are_text_for_programs(hostile: Path) -> None:
    told = json.loads(run(hostile, "stats", "--json").out)
    assert told["version"] == 1
    assert {one["name"] for one in told["people"]} >= set(HOSTILE[:4])


def test_an_export_has_every_seat_of_every_game_that_counts(state: Path, played: tuple[Path, Known]) -> None:
    rows = list(csv.DictReader(io.StringIO(run(state, "export", "--csv").out)))
    known = played[1].ended
    expected = {
        (str(one.game), f"P{seat + 1}", str(total), str(seat in one.winners))
        for one in known.values()
        for seat, total in enumerate(one.totals)
    }
    assert {(row["game"], row["seat"], row["points"], row["won"]) for row in rows} == expected
    assert len(json.loads(run(state, "export", "--json").out)["results"]) == len(rows)


MARK = b"\xef\xbb\xbf"


def test_a_csv_file_begins_with_a_mark_by_which_excel_knows_its_letters(state: Path, tmp_path: Path) -> None:
    for file, how in (("x.csv", "--csv"), ("x.json", "--json"), ("x.bgsplay", "--bgsplay")):
        run(state, "export", how, str(tmp_path / file))
    begins = {file.name: file.read_bytes().startswith(MARK) for file in tmp_path.glob("x.*")}
    assert begins == {"x.csv": True, "x.json": False, "x.bgsplay": False}
    assert (tmp_path / "x.csv").read_text("utf-8-sig") == run(state, "export").out


@pytest.mark.parametrize("file", ["-", "/dev/stdout"])
def test_standard_output_gets_no_mark_also_where_it_is_named(file: str, state: Path) -> None:
    assert run(state, "export", file).out.startswith("game,")


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        pytest.param("x.csv", "csv", id="CSV by its name"),
        pytest.param("x.tsv", "csv", id="CSV by any other name"),
        pytest.param("x.xlsx", "xlsx", id=".xlsx by its name"),
        pytest.param("x.semicolon.csv", "semicolon", id="the name that a page gives it"),
        pytest.param("--semicolon x.csv", "semicolon", id="by its option"),
        pytest.param("--xlsx x.zip", "xlsx", id="by its option, whatever its name"),
        pytest.param("--csv x.xlsx", "csv", id="by its option against its name"),
    ],
)
def test_the_option_or_else_the_name_says_the_form(state: Path, tmp_path: Path, arguments: str, form: str) -> None:
    *option, file = arguments.split()
    assert run(state, "export", *option, str(tmp_path / file)).status == 0
    begin = (tmp_path / file).read_bytes()[:12]
    assert {b"PK": "xlsx", MARK[:2]: "semicolon" if b";" in begin else "csv"}[begin[:2]] == form


def test_the_forms_of_a_table_are_files_on_standard_output_too(state: Path, tmp_path: Path) -> None:
    for form in ("semicolon", "xlsx"):
        run(state, "export", f"--{form}", str(tmp_path / form))
        with (tmp_path / "printed").open("w") as printed:
            Ran(("export", f"--{form}"), state.parent, stdout=printed)
        assert (tmp_path / "printed").read_bytes() == (tmp_path / form).read_bytes()


@pytest.mark.parametrize("words", ["export --xlsx", "history show 1 --xlsx"])
def test_a_terminal_gets_no_xlsx(state: Path, words: str) -> None:
    ours, its = pty.openpty()
    with os.fdopen(ours, "rb"), os.fdopen(its, "w") as terminal:
        ran = Ran(tuple(words.split()), state.parent, stdout=terminal)
    assert (ran.status, ran.err) == (1, "luckypaw: no terminal shows .xlsx: put > table.xlsx behind the command\n")


@needs_libreoffice
@pytest.mark.slow
def test_in_xlsx_everybody_has_the_name_that_they_gave(hostile: Path, tmp_path: Path) -> None:
    run(hostile, "export", str(tmp_path / "x.xlsx"))
    people = {one["person"] for one in json.loads(run(hostile, "export", "--json").out)["results"]}
    assert people >= {"1-2", "00123", "=1+1"}
    head, *rows = read([tmp_path / "x.xlsx"], "de-DE", tmp_path / "office")["x.xlsx"]
    at = head.index("person")
    assert {row[at] if len(row) > at else None for row in rows} == people


def test_an_export_overwrites_nothing(state: Path, tmp_path: Path) -> None:
    assert run(state, "export", str(tmp_path / "x.csv")).status == 0
    before = (tmp_path / "x.csv").read_bytes()
    assert before.count(b"\n") > 10
    again = run(state, "export", str(tmp_path / "x.csv"))
    assert (again.status, (tmp_path / "x.csv").read_bytes()) == (1, before)


def test_stats_of_one_person_are_those_of_plain_sql(state: Path, played: tuple[Path, Known]) -> None:
    """By any spelling; all of those who share the name."""
    with closing(up_to_date(state)) as db:
        figures = Figures(db)
        persons = [id_ for id_, name in figures.names.items() if name == "Anna"]
        records = [figures.record(person) for person in persons]
    out = run(state, "stats", " aNNa ").out
    assert out.count("Anna\n") == len(persons) > 0
    for record in records:
        assert not record.games or f"Won {record.wins} of {record.games} game" in out


def test_nobody_of_that_name(state: Path) -> None:
    ran = run(state, "stats", "Zoe")
    assert (ran.status, ran.err) == (1, "luckypaw: nobody is called Zoe; `luckypaw people` lists everybody\n")


@pytest.mark.parametrize("command", [["people"], ["stats"], ["evening"], ["export"], ["backup", "x"]])
def test_without_a_journal_there_is_nothing_to_tell(tmp_path: Path, command: list[str]) -> None:
    ran = run(tmp_path / "luckypaw", *command)
    assert ran.status == 1
    assert "no game has been played yet" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_everybody_and_the_latest_evening(state: Path, played: tuple[Path, Known]) -> None:
    out = run(state, "stats").out
    assert "evening 12" in out
    people = run(state, "people").out
    for name in {name for id_, name in played[1].names.items() if id_ not in played[1].uncounted}:
        assert name in people and name in out
    assert json.loads(run(state, "people", "--json").out)[0]["games"] > 0
    assert json.loads(run(state, "evening", "--json").out)["number"] == 12


# --- a copy, and a copy put back -------------------------------------------------------------------------------------


def test_a_backup_put_back_is_the_same_journal(state: Path, tmp_path: Path) -> None:
    before = everything(state)
    made = run(state, "backup", str(tmp_path / "copy.db"))
    assert made.status == 0 and "everybody's names" in made.out
    with closing(Journal(state / "journal.db", "x", lambda n: None, lambda t: None, threaded=False)) as journal:
        journal.write_people([Person("f" * 16, "Newcomer")])
    done = run(state, "restore", str(tmp_path / "copy.db"))
    assert done.status == 0 and "replaced-" in done.out
    assert everything(state) == before
    kept = next(state.glob("replaced-*.db"))
    assert kept.stat().st_size > 0


def test_a_backup_is_readable_by_its_owner_only_and_overwrites_nothing(state: Path, tmp_path: Path) -> None:
    run(state, "backup", str(tmp_path / "copy.db"))
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0
    assert "is there already" in run(state, "backup", str(tmp_path / "copy.db")).err


KILLED = """
import os, signal, sys
from pathlib import Path
from firmware import new_file
from firmware.journal import backup
new_file.sync = lambda path: os.kill(os.getpid(), signal.SIGKILL)
backup.backup(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def test_a_killed_backup_leaves_no_file_under_its_name_and_the_next_one_nothing_of_it(
    state: Path, tmp_path: Path
) -> None:
    (folder := tmp_path / "copies").mkdir()
    killed = subprocess.run([sys.executable, "-c", KILLED, state / "journal.db", folder / "a.db"], check=False)
    assert killed.returncode == -signal.SIGKILL
    left = [path.name for path in folder.iterdir()]
    assert (len(left), "a.db" in left, is_aside(left[0])) == (1, False, True)  # forgetting looks through it, too
    assert run(state, "backup", str(folder / "b.db")).status == 0
    assert [path.name for path in folder.iterdir()] == ["b.db"]


def test_two_files_are_made_in_one_folder_at_once(tmp_path: Path) -> None:
    with new_file.made(tmp_path / "a") as first:
        first.write_text("a")
        with new_file.made(tmp_path / "b") as second:
            second.write_text("b")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "a", "b": "b"}


def test_a_file_that_comes_meanwhile_stays(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError, match="copy"), new_file.made(tmp_path / "copy"):
        (tmp_path / "copy").write_text("another's")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"copy": "another's"}


@pytest.mark.parametrize("what", ["nothing", "rubbish", "another program's", "cut"])
def test_what_is_no_journal_is_refused_and_changes_nothing(state: Path, tmp_path: Path, what: str) -> None:
    file = tmp_path / "copy.db"
    if what == "rubbish":
        file.write_bytes(b"no database" * 1000)
    elif what == "another program's":
        with closing(sqlite3.connect(file)) as db:
            db.execute("create table t (x)")
    elif what == "cut":
        backup.backup(state / "journal.db", file)
        file.write_bytes(file.read_bytes()[:-20_000])
    before = {path.name: path.read_bytes() for path in state.glob("journal.db")}
    ran = run(state, "restore", str(file))
    assert ran.status == 1 and ran.err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in state.glob("journal.db*") if "-" not in path.name} == before


def test_whoever_was_forgotten_since_is_forgotten_in_the_copy(state: Path, tmp_path: Path) -> None:
    backup.backup(state / "journal.db", tmp_path / "copy.db")
    with closing(up_to_date(state)) as db:
        id_ = Data(Figures(db)).people[0]
    with closing(Journal(state / "journal.db", "x", lambda n: None, lambda t: None, threaded=False)) as journal:
        journal.forget(id_)
    assert id_.encode() in (tmp_path / "copy.db").read_bytes()
    assert run(state, "restore", str(tmp_path / "copy.db")).status == 0
    files = [path for path in state.iterdir() if path.name != "forgotten"]
    assert not [path.name for path in files if id_.encode() in path.read_bytes()]
    with closing(History(state / "journal.db")) as history:
        assert len(history.games()) > 10


# --- handed over -----------------------------------------------------------------------------------------------------


def test_a_file_for_bg_stats_has_every_game_that_counts(state: Path, played: tuple[Path, Known]) -> None:
    """Each play with its results, each person once, references that lead somewhere, ids that stay the same."""
    told = json.loads(run(state, "export", "--bgsplay").out)
    assert told == json.loads(run(state, "export", "--bgsplay").out)
    known = list(played[1].ended.values())
    names = {game["id"]: game["name"] for game in told["games"]}
    people = {one["id"]: one for one in told["players"]}
    assert len({one["uuid"] for one in (*told["plays"], *told["players"], *told["games"])}) == len(known) + len(
        people
    ) + len(names)
    assert [play["playerScores"] and names[play["gameRefId"]] for play in told["plays"]] == [
        games.rules(one.name).title for one in known
    ]
    for play, one in zip(told["plays"], known, strict=True):
        assert [int(seat["score"]) for seat in play["playerScores"]] == list(one.totals)
        assert [seat["winner"] for seat in play["playerScores"]] == [n in one.winners for n in range(one.players)]
        assert datetime.fromisoformat(play["playDate"]).isoformat(" ") == play["playDate"]
        sat = [people[seat["playerRefId"]] for seat in play["playerScores"]]
        counted = played[1].names.keys() - played[1].uncounted
        who = [who if (who := played[1].seats[one.game].get(seat)) in counted else None for seat in range(one.players)]
        assert [each["isAnonymous"] for each in sat] == [each is None for each in who]
        assert [each["name"] for each in sat if not each["isAnonymous"]] == [played[1].names[id_] for id_ in who if id_]


def test_a_link_to_bg_stats_has_what_the_app_requires(state: Path) -> None:
    with closing(up_to_date(state)) as db:
        plays = Figures(db).plays()
    for one in plays:
        address = bgstats.link(one)
        assert address.isascii() and " " not in address
        told = json.loads(unquote(address.removeprefix(bgstats.CREATE)))
        assert {"sourceName", "sourcePlayId", "playDate", "game", "players"} <= told.keys()
        assert all(isinstance(player["winner"], bool) and player["name"] for player in told["players"])
    assert len({one.id for one in plays}) == len(plays)


IDS_BEFORE = {  # as versions before today have handed them over; their runs have no bits of their own
    3: "FFBBF2C6-081B-5222-BD73-11917B0C0506",
    5: "A0B2E35F-4115-561C-BF7D-178CB7681CD2",
    6: "FBD29CA4-5338-533C-A68B-AF068429C287",
    10: "0320310A-7436-5509-B7CC-AF6FD181435D",
    15: "252648C1-8F65-5229-9463-921128B9CCD6",
    18: "AF684357-255D-5336-ADB8-9E46BE70570B",
    27: "DD94433F-208D-52AD-9A88-CDB7B9EAEB6B",
}


@pytest.mark.parametrize("through", ["as it is", "in a kit", "by a backup"])
def test_games_of_earlier_versions_keep_the_ids_that_bg_stats_knows(tmp_path: Path, through: str) -> None:
    golden = Path(__file__).with_name("golden") / "journal-2.sql"
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.executescript(golden.read_text())
    if through == "in a kit":
        with closing(Journal(tmp_path / "journal.db", "x", lambda n: None, lambda t: None, threaded=False)) as journal:
            journal.write_people([Person("f" * 16, "Newcomer")])
    elif through == "by a backup":
        backup.backup(tmp_path / "journal.db", tmp_path / "copy.db")
        backup.restore(tmp_path / "copy.db", tmp_path / "journal.db")
    with closing(up_to_date(tmp_path)) as db:
        assert {played.game: played.id for played in Figures(db).plays()} == IDS_BEFORE


def test_a_result_is_a_picture_of_the_size_that_messengers_show(state: Path, tmp_path: Path) -> None:
    with closing(up_to_date(state)) as db:
        raced = db.execute("select game from reaction where after_ns is not null group by game").fetchall()
        (game,) = db.execute("select max(id) from game where counted").fetchone()
    for number in (raced[0][0], game):
        done = run(state, "history", "show", str(number), "--picture", str(tmp_path / f"{number}.png"))
        assert done.status == 0, done.err
        with Image.open(tmp_path / f"{number}.png") as picture:
            assert picture.size == (1200, 630)
            colours = picture.convert("RGB").getcolors()
        assert colours is not None and len(colours) >= 3
    again = run(state, "history", "show", str(game), "--picture", str(tmp_path / f"{game}.png"))
    assert again.status == 1 and "File exists" in again.err


def test_a_game_that_is_not_over_has_no_picture(state: Path, played: tuple[Path, Known], tmp_path: Path) -> None:
    open_ = min(played[1].seats.keys() - played[1].ended.keys() - played[1].by_hand.keys())
    done = run(state, "history", "show", str(open_), "--picture", str(tmp_path / "x.png"))
    assert (done.status, done.err) == (1, f"luckypaw: game {open_} is not over yet\n")
    assert not (tmp_path / "x.png").exists()
