"""The command `luckypaw` as people run it: help, history, score sheets, replay, and what it says when it cannot."""

import csv
import io
import json
import os
import sqlite3
from contextlib import closing
from functools import reduce
from pathlib import Path

import pytest
from PIL import Image

from engine import games
from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Action
from firmware import VERSION, certificate
from firmware.journal.writer import Journal
from tests.firmware.certificates import made
from tests.firmware.command import Ran
from tests.simulators.players import random_game

KITTY_PAW = games.rules("kitty_paw")
S = 1_000_000_000


def short_game() -> tuple[Fact, ...]:
    """One round of Kitty Paw for two, and a point by hand: B calls and scores 6, A is the last and pays 1."""
    first = plays.start(KITTY_PAW, ("A", "B"), KITTY_PAW.options(), 7, 1 * S)
    facts, play = [first], plays.opened(KITTY_PAW, first)

    def take(caused: tuple[Fact, ...]) -> Play:
        facts.extend(caused)
        return reduce(plays.fold, caused, play)

    for action in (
        Action(0, "hands", None, 2 * S),
        Action(1, "hands", None, 2 * S),
        Action(1, "meow", None, 10 * S),
        Action(None, "check", "yes", 20 * S),
        Action(None, "points", 5, 21 * S),
    ):
        play = take(plays.answer(play, action))
    play = take(plays.undo(play, 22 * S))
    play = take(plays.answer(play, Action(None, "points", 6, 23 * S)))
    play = take(plays.fix(play, 0, 2, 24 * S))
    return tuple(facts)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with four games: a short one, a whole one, one that was ended, and one of a later version."""
    folder = tmp_path_factory.mktemp("state")
    journal = Journal(folder / "luckypaw" / "journal.db", "boot-1", lambda ticket: None, lambda text: None)
    short = short_game()
    whole = random_game(games.rules("pack_and_stack"), 3, games.rules("pack_and_stack").options(), 3)
    ended = plays.end(plays.opened(KITTY_PAW, short[0]), 30 * S)
    for name, facts in (
        ("kitty_paw", short),
        ("pack_and_stack", whole.facts),
        ("kitty_paw", (short[0], *ended)),
        ("chess", short[:1]),
    ):
        journal.write(journal.begin_game(name), facts)
    journal.close()
    return folder


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A state folder before the first game."""
    return tmp_path


# --- help and usage --------------------------------------------------------------------------------------------------

COMMANDS = [
    (),
    ("play",),
    ("calibrate",),
    ("replay",),
    ("rules",),
    ("history",),
    ("history", "list"),
    ("history", "evidence"),
    ("history", "show"),
    ("history", "certificate"),
    ("strip",),
    ("strip", "test"),
    ("config",),
    ("config", "check"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_help(empty: Path, words: tuple[str, ...]) -> None:
    ran = Ran((*words, "--help"), empty)
    assert (ran.status, ran.out.startswith(f"usage: {' '.join(('luckypaw', *words))} "), ran.err) == (0, True, "")


def test_the_version_is_told(empty: Path) -> None:
    ran = Ran(("--version",), empty)
    assert (ran.status, ran.out, ran.err) == (0, f"luckypaw {VERSION}\n", "")


def test_help_names_every_command(empty: Path) -> None:
    lines = [line for line in Ran(("--help",), empty).lines if line.startswith("    ") and line[4] != " "]
    assert [line.split()[0] for line in lines] == [
        "play",
        "check",
        "calibrate",
        "replay",
        "rules",
        "history",
        "strip",
        "config",
    ]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("dance",),
        ("history",),
        ("history", "show"),
        ("history", "show", "one"),
        ("history", "show", "1", "--json", "--csv"),
        ("history", "list", "1"),
        ("replay",),
        ("replay", "1.5"),
        ("rules",),
        ("rules", "chess"),
        ("config",),
        ("config", "check", "/no/such/file"),
        ("play", "--port", "many"),
        ("play", "--port", "-1"),
        ("play", "--loud"),
        ("calibrate",),
        ("calibrate", "--wire", "blue"),
        ("calibrate", "--wire", "28"),
        ("calibrate", "--wire", "25", "--button", "P9"),
        ("history", "certificate", "--csv"),
        ("strip",),
        ("strip", "test", "--seconds", "long"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_2(empty: Path, words: tuple[str, ...]) -> None:
    ran = Ran(words, empty)
    assert (ran.status, ran.out, "Traceback" in ran.err, ran.err != "") == (2, "", False, True)


# --- history list ----------------------------------------------------------------------------------------------------


def test_games_are_listed_the_newest_first(state: Path) -> None:
    assert [line.split()[0] for line in Ran(("history", "list"), state).lines] == ["4", "3", "2", "1"]


def test_a_game_is_listed_with_its_scores_and_how_it_stands(state: Path) -> None:
    line = Ran(("history", "list"), state).lines[-1]
    assert line.split("  ", 4)[-1].split() == ["Kitty", "Paw", "A", "1", "B", "6", "not", "finished"]


def test_a_finished_game_is_listed_with_who_won(state: Path) -> None:
    assert " won by P" in Ran(("history", "list"), state).lines[2]


def test_an_ended_game_is_listed_as_such(state: Path) -> None:
    assert Ran(("history", "list"), state).lines[1].endswith("ended by hand")


def test_a_game_that_cannot_be_read_hides_no_other(state: Path) -> None:
    assert "cannot be read: game 'chess' is unknown" in Ran(("history", "list"), state).lines[0]


def test_a_game_that_has_lost_its_beginning_hides_no_other(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "luckypaw" / "journal.db", "boot-1", lambda ticket: None, lambda text: None)
    for facts in (short_game(), short_game()[1:]):
        journal.write(journal.begin_game("kitty_paw"), facts)
    journal.close()
    said = [line.split("  ")[-1].strip() for line in Ran(("history", "list"), tmp_path).lines]
    assert said == ["cannot be read: game 2: some of its events are missing or damaged", "not finished"]


def evenings(folder: Path, count: int) -> Path:
    """A state folder whose journal has so many games."""
    with closing(Journal(folder / "luckypaw" / "journal.db", "boot-1", lambda ticket: None, lambda text: None)) as one:
        for _ in range(count):
            one.write(one.begin_game("kitty_paw"), short_game()[:1])
    return folder


def test_twenty_games_are_listed_and_the_older_ones_counted(tmp_path: Path) -> None:
    *listed, last = Ran(("history", "list"), evenings(tmp_path, 23)).lines
    assert ([int(line.split()[0]) for line in listed], last) == (
        list(range(23, 3, -1)),
        "3 older: luckypaw history list --all",
    )


def test_all_games_are_listed_for_who_asks(tmp_path: Path) -> None:
    lines = Ran(("history", "list", "--all"), evenings(tmp_path, 23)).lines
    assert [int(line.split()[0]) for line in lines] == list(range(23, 0, -1))


# --- history show ----------------------------------------------------------------------------------------------------

SHEET = """\
               A       B      time
start          0       0
round 1       +1      +6      0:23
total          1       6      0:23
not finished"""


def test_the_score_sheet_has_a_row_a_round(state: Path) -> None:
    lines = Ran(("history", "show", "1"), state).lines
    assert "\n".join(line.rstrip() for line in lines[1:]) == SHEET


def test_the_score_sheet_is_headed_by_game_and_number(state: Path) -> None:
    head = Ran(("history", "show", "1"), state).lines[0]
    assert (head.startswith("Kitty Paw, 20"), head.endswith("game 1")) == (True, True)


def test_the_score_sheet_as_json_has_options_lines_scores_and_winners(state: Path) -> None:
    sheet = json.loads(Ran(("history", "show", "1", "--json"), state).out)
    del sheet["started_at"], sheet["options"]
    assert sheet == {
        "game": 1,
        "name": "kitty_paw",
        "players": ["A", "B"],
        "over": False,
        "unfinished": True,
        "ended_by_hand": False,
        "took_ns": 23 * S,
        "rounds": [{"round": 1, "moved": [1, 6], "totals": [1, 6], "took_ns": 23 * S}],
        "lines": [
            {"step": 1, "round": 1, "what": "Pressed", "moved": [-1, 0], "totals": [-1, 0]},
            {"step": 3, "round": 1, "what": "CardScored", "moved": [0, 6], "totals": [-1, 6]},
            {"step": 4, "round": 1, "what": "Corrected", "moved": [2, 0], "totals": [1, 6]},
        ],
        "scores": [1, 6],
        "winners": [],
    }


def test_a_finished_game_as_json_names_its_winners(state: Path) -> None:
    sheet = json.loads(Ran(("history", "show", "2", "--json"), state).out)
    best = [
        name for name, score in zip(sheet["players"], sheet["scores"], strict=True) if score == max(sheet["scores"])
    ]
    assert (sheet["winners"], sheet["over"], sheet["unfinished"]) == (best, True, False)


def test_an_ended_game_as_json_is_unfinished(state: Path) -> None:
    sheet = json.loads(Ran(("history", "show", "3", "--json"), state).out)
    assert (sheet["over"], sheet["unfinished"], sheet["ended_by_hand"], sheet["winners"]) == (True, True, True, [])


def test_the_options_of_a_game_come_back_by_name(state: Path) -> None:
    sheet = json.loads(Ran(("history", "show", "1", "--json"), state).out)
    assert sheet["options"]["tie_band"] == "kit"


def test_the_score_sheet_as_csv_has_a_head_and_a_row_a_round(state: Path) -> None:
    table = list(csv.reader(io.StringIO(Ran(("history", "show", "1", "--csv"), state).out)))
    assert table == [["round", "seconds", "A", "B", "A total", "B total"], ["1", "23", "1", "6", "1", "6"]]


def test_the_score_sheet_says_that_a_game_was_ended_by_hand(state: Path) -> None:
    assert Ran(("history", "show", "3"), state).lines[-1] == "ended by hand"


def test_the_lines_of_a_sheet_add_up_to_its_scores(state: Path) -> None:
    sheet = json.loads(Ran(("history", "show", "2", "--json"), state).out)
    assert [75 + sum(points) for points in zip(*(line["moved"] for line in sheet["lines"]), strict=True)] == sheet[
        "scores"
    ]


# --- replay ----------------------------------------------------------------------------------------------------------


def test_replay_shows_every_fact(state: Path) -> None:
    names = [line.split()[0] for line in Ran(("replay", "1"), state).lines[1:]]
    assert names == [type(fact.event).__name__ for fact in short_game()]


def test_replay_ends_with_the_scores(state: Path) -> None:
    assert Ran(("replay", "1"), state).lines[-1].split()[-2:] == ["1", "6"]


@pytest.mark.parametrize("game", ["1", "2"])
def test_replay_gives_the_same_pictures_and_lights_each_time(state: Path, game: str) -> None:
    assert Ran(("replay", game), state).out == Ran(("replay", game), state).out


def test_replay_writes_a_picture_a_fact(state: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    Ran(("replay", "1", "--pictures", folder), state)
    names = [f"{n:05}-{type(fact.event).__name__}.png" for n, fact in enumerate(short_game())]
    assert sorted(path.name for path in folder.iterdir()) == names


def test_pictures_are_four_times_the_size_of_the_display(state: Path, tmp_path: Path) -> None:
    Ran(("replay", "1", "--pictures", tmp_path), state)
    with Image.open(tmp_path / "00000-Started.png") as picture:
        assert (picture.format, picture.size) == ("PNG", (512, 256))


# --- what can be wrong -----------------------------------------------------------------------------------------------


def failure(*arguments: str | Path, state: Path) -> str:
    """The one line that a command fails with."""
    ran = Ran(arguments, state)
    assert (ran.status, ran.err.count("\n"), ran.err[:10]) == (1, 1, "luckypaw: ")
    return ran.err[10:-1]


@pytest.mark.parametrize("words", [("history", "list"), ("history", "show", "1"), ("replay", "1")], ids=" ".join)
def test_without_a_journal_there_is_nothing_to_tell(empty: Path, words: tuple[str, ...]) -> None:
    assert failure(*words, state=empty) == (f"no journal at {empty}/luckypaw/journal.db: no game has been played yet")


@pytest.mark.parametrize("words", [("history", "show"), ("replay",)], ids=" ".join)
def test_a_game_that_is_not_there_is_a_failure(state: Path, words: tuple[str, ...]) -> None:
    assert failure(*words, "9", state=state) == (
        "game 9 is not in the journal; `luckypaw history list` shows those that are"
    )


@pytest.mark.parametrize("words", [("history", "show"), ("replay",)], ids=" ".join)
def test_a_game_of_a_later_version_is_a_failure(state: Path, words: tuple[str, ...]) -> None:
    assert failure(*words, "4", state=state).startswith("game 'chess' is unknown")


@pytest.mark.parametrize("words", [("history", "list"), ("history", "show", "1"), ("replay", "1")], ids=" ".join)
def test_a_file_that_is_no_journal_is_a_failure(empty: Path, words: tuple[str, ...]) -> None:
    (empty / "luckypaw").mkdir()
    (empty / "luckypaw" / "journal.db").write_bytes(b"a shopping list " * 1000)
    assert failure(*words, state=empty) == "the journal cannot be read: file is not a database"


@pytest.mark.parametrize("words", [("history", "show", "1"), ("replay", "1")], ids=" ".join)
def test_an_event_that_nobody_knows_is_a_failure(empty: Path, words: tuple[str, ...]) -> None:
    (empty / "luckypaw").mkdir()
    path = empty / "luckypaw" / "journal.db"
    journal = Journal(path, "boot-1", lambda ticket: None, lambda text: None)
    journal.write(journal.begin_game("kitty_paw"), short_game())
    journal.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("update event set name = 'Purred' where name = 'Pressed'")
    assert failure(*words, state=empty) == (
        "the journal cannot be read: game 1: event 'Purred' is not one of Kitty Paw"
    )


@pytest.mark.parametrize(
    "words", [("history", "show", "1"), ("history", "evidence", "1"), ("replay", "1")], ids=" ".join
)
def test_a_game_that_has_lost_its_beginning_is_a_failure(empty: Path, words: tuple[str, ...]) -> None:
    journal = Journal(empty / "luckypaw" / "journal.db", "boot-1", lambda ticket: None, lambda text: None)
    journal.write(journal.begin_game("kitty_paw"), short_game()[1:])
    journal.close()
    assert failure(*words, state=empty) == (
        "the journal cannot be read: game 1: some of its events are missing or damaged"
    )


def test_pictures_that_cannot_be_written_are_a_failure(state: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "File exists" in failure("replay", "1", "--pictures", tmp_path / "file", state=state)


@pytest.mark.parametrize(
    "words", [("history", "list"), ("replay", "2"), ("config", "check"), ("--help",)], ids=" ".join
)
def test_a_reader_that_has_gone_is_no_failure(state: Path, words: tuple[str, ...]) -> None:
    ear, mouth = os.pipe()
    os.close(ear)
    with os.fdopen(mouth, "w") as pipe:
        ran = Ran(words, state, stdout=pipe)
    assert (ran.status, ran.err) == (0, "")


# --- the certificate -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--wire", "28"), "--wire = 28: allowed is a whole number from 0 to 27"),
        (("--wire", "5"), "--wire = 5: GPIO 5 is taken by players[0].button; each part needs a pin of its own"),
        (("--wire", "24"), "--wire = 24: GPIO 24 is taken by control.push; each part needs a pin of its own"),
        (("--wire", "2"), "--wire = 2: GPIO 2 is I2C SDA; take a free one"),
        (("--wire", "0"), "--wire = 0: GPIO 0 is ID EEPROM data; take a free one"),
        (("--wire", "25", "--button", "P9"), "--button 'P9': allowed is P1 or P2 or P3 or P4"),
    ],
    ids=["no such pin", "a button", "the control", "a bus", "reserved", "no such button"],
)
def test_a_wire_that_cannot_be_is_wrong_usage(empty: Path, words: tuple[str, ...], line: str) -> None:
    ran = Ran(("calibrate", *words), empty)
    assert (ran.status, ran.err) == (2, f"luckypaw: {line}\n")


def test_emulated_buttons_cannot_be_calibrated(empty: Path) -> None:
    (empty / "kit.toml").write_text(
        """
        buttons.driver = "emulated"
        control = { a = 17, b = 27, push = 24 }
        players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
        """
    )
    ran = Ran(("calibrate", "--wire", "25", "--config", empty / "kit.toml"), empty)
    assert (ran.status, ran.err) == (2, "luckypaw: buttons.driver = 'emulated': this kit has no lines to measure\n")


def test_without_pins_nothing_is_measured(empty: Path) -> None:
    assert "needs a Raspberry Pi" in failure("calibrate", "--wire", "25", state=empty)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with nothing but a certificate."""
    folder = tmp_path_factory.mktemp("measured")
    found = made(8, 9, 11, 34, board="Raspberry Pi 5", kernel="6.12", measured_at="2026-11-21T08:00:00+00:00")
    certificate.save(folder / "luckypaw", found)
    return folder


CERTIFICATE = """\
measured  2026-11-21T08:00:00+00:00
board     Raspberry Pi 5
kernel    6.12
driver    gpiod, stamps by the kernel
wire      GPIO 25 to P1's line GPIO 5
pulses    5, of which 1 dropped
lateness  p50 9 µs, p99 34 µs, p99.9 34 µs, max 34 µs
drift     +26 µs from the first quarter to the last
tie band  60 µs; without a certificate 100 µs
"""


def test_the_certificate_is_shown_as_a_small_table(measured: Path) -> None:
    assert Ran(("history", "certificate"), measured).out == CERTIFICATE


def test_the_certificate_as_json_is_its_file(measured: Path) -> None:
    file = measured / "luckypaw" / certificate.NAME
    assert Ran(("history", "certificate", "--json"), measured).out == file.read_text()


def test_without_a_certificate_there_is_none_to_show(empty: Path) -> None:
    assert failure("history", "certificate", state=empty) == (
        f"no certificate in {empty}/luckypaw: `luckypaw calibrate` has not measured this kit yet"
    )


def test_a_damaged_certificate_is_a_failure(empty: Path) -> None:
    (empty / "luckypaw").mkdir()
    (empty / "luckypaw" / certificate.NAME).write_text("{")
    assert failure("history", "certificate", state=empty) == (
        "certificate.json is damaged: Input data was truncated; `luckypaw calibrate` makes a new one"
    )


# --- where the journal lives -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({"STATE_DIRECTORY": "/var/lib/paw", "XDG_STATE_HOME": "/x", "HOME": "/h/me"}, "/var/lib/paw"),
        ({"STATE_DIRECTORY": "/var/lib/paw:/var/lib/other"}, "/var/lib/paw"),
        ({"XDG_STATE_HOME": "/x", "HOME": "/h/me"}, "/x/luckypaw"),
        ({"XDG_STATE_HOME": "", "HOME": "/h/me"}, "/h/me/.local/state/luckypaw"),
        ({"HOME": "/h/me"}, "/h/me/.local/state/luckypaw"),
    ],
    ids=["a service", "a service with two", "a desktop", "an empty setting", "nothing set"],
)
def test_the_journal_lives_where_the_system_says(
    env: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware.cli import state_dir

    for key in ("STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(key, raising=False)
    for key, value in env.items():
        monkeypatch.setenv(key, value)
    assert state_dir() == Path(folder)


# --- play --kit ------------------------------------------------------------------------------------------------------


def test_a_kit_that_is_not_described_is_refused(empty: Path) -> None:
    ran = Ran(("play", "--kit", "chess"), empty)
    assert (ran.status, ran.err) == (2, "luckypaw: kit 'chess' is unknown; there are duo, table, party\n")


def test_kit_and_config_do_not_go_together(empty: Path) -> None:
    ran = Ran(("--config", empty / "kit.toml", "play", "--kit", "duo"), empty)
    assert (ran.status, ran.err) == (2, "luckypaw: --kit and --config: one of them says which kit it is\n")
