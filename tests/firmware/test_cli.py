"""The command `luckypaw` as people run it: help, history, score sheets, replay, and errors."""

import csv
import io
import json
import os
import re
from contextlib import closing
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine import games
from engine import play as plays
from engine.play import Fact, Play
from engine.rules import Action
from firmware import VERSION
from firmware.cli import state_dir
from firmware.journal.writer import Journal
from firmware.setup import certificate
from firmware.state_folder import CERTIFICATE
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


def journaled(folder: Path, *facts: tuple[Fact, ...], name: str = "kitty_paw") -> Path:
    """A state folder whose journal has these games."""
    with closing(Journal(folder / "luckypaw" / "journal.db", "boot-1", lambda _: None, lambda _: None)) as journal:
        for game in facts:
            journal.write(journal.begin_game(name), game)
    return folder


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with four games: a short one, a whole one, one that was ended, and one of a later version."""
    folder, short = tmp_path_factory.mktemp("state"), short_game()
    ended = plays.end(plays.opened(KITTY_PAW, short[0]), 30 * S)
    whole = random_game(games.rules("pack_and_stack"), 3, games.rules("pack_and_stack").options(), 3)
    journaled(folder, short)
    journaled(folder, whole.facts, name="pack_and_stack")
    journaled(folder, (short[0], *ended))
    return journaled(folder, short[:1], name="chess")


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A state folder before the first game."""
    return tmp_path


COMMANDS = [
    "play",
    "check",
    "calibrate",
    "replay",
    "rules",
    "game",
    "history",
    "people",
    "stats",
    "evening",
    "export",
    "backup",
    "restore",
    "phones",
    "strip",
    "config",
]
WITHIN = ["history list", "history evidence", "history show", "history certificate", "strip test"]
WITHIN += ["strip flash", "config check", "game check"]


@pytest.mark.parametrize("words", ["", *COMMANDS, *WITHIN])
def test_every_command_has_help(empty: Path, words: str) -> None:
    ran = Ran((*words.split(), "--help"), empty)
    assert (ran.status, ran.out.startswith(f"usage: {f'luckypaw {words}'.strip()} "), ran.err) == (0, True, "")


def test_help_names_every_command_and_the_version_is_printed(empty: Path) -> None:
    lines = [line for line in Ran(("--help",), empty).lines if line.startswith("    ") and line[4] != " "]
    assert [line.split()[0] for line in lines] == COMMANDS
    ran = Ran(("--version",), empty)
    assert (ran.status, ran.out, ran.err) == (0, f"luckypaw {VERSION}\n", "")


@pytest.mark.parametrize(
    "words",
    [
        *["", "history", "history show", "replay", "rules", "config", "calibrate", "strip"],  # something is missing
        *["dance", "play --loud", "history show 1 --json --csv", "history certificate --csv"],
        *["history show one", "play --port many", "strip test --seconds long"],  # no number
    ],
)
def test_wrong_usage_is_status_2(empty: Path, words: str) -> None:
    ran = Ran(tuple(words.split()), empty)
    assert (ran.status, ran.out, "Traceback" in ran.err, ran.err != "") == (2, "", False, True)


EMULATED = "--config kit.toml"
REFUSED = {
    "phones on": "phones on: this is no appliance, whose service is closed; nothing has to be opened",
    "calibrate --wire 28": "--wire = 28: must be a whole number from 0 to 27",
    "calibrate --wire 5": "--wire = 5: GPIO 5 is taken by players[0].button; each part needs a pin of its own",
    "calibrate --wire 2": "--wire = 2: GPIO 2 is I2C SDA; take a free one",
    "calibrate --wire 25 --button P9": "--button 'P9': must be P1, P2, P3 or P4",
    f"{EMULATED} calibrate --wire 25": "buttons.driver = 'emulated': this kit has no lines to measure",
    f"{EMULATED} strip test": "this kit has no strip: its description has no [strip]",
    "strip test --seconds=0": "--seconds 0: must be more than 0 and at most 3600",
    "strip test --seconds=nan": "--seconds nan: must be more than 0 and at most 3600",
    "strip test --seconds=3601": "--seconds 3601: must be more than 0 and at most 3600",
    "play --port 65536": "--port 65536: must be a port from 0 to 65535",
    "play --kit chess": "kit 'chess' is unknown: must be duo, table or party",
    f"{EMULATED} play --kit duo": "give --kit or --config, not both",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_meant_is_refused_in_one_line(empty: Path, words: str) -> None:
    (empty / "kit.toml").write_text(
        """
        buttons.driver = "emulated"
        control = { a = 17, b = 27, push = 24 }
        players = [{ name = "P1", button = 5 }, { name = "P2", button = 6 }]
        """
    )
    ran = Ran(tuple(words.replace("kit.toml", str(empty / "kit.toml")).split()), empty)
    assert (ran.status, ran.err) == (2, f"luckypaw: {REFUSED[words]}\n")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "cannot be read: game 'chess' is unknown"),
        (1, "ended by hand"),
        (2, "won by P"),
        (3, "Kitty Paw A 1 B 6 not finished"),
    ],
)
def test_a_game_is_listed_with_its_scores_and_how_it_stands(state: Path, number: int, words: str) -> None:
    assert words in " ".join(Ran(("history", "list"), state).lines[number].split())


def test_a_game_that_has_lost_its_beginning_hides_no_other(empty: Path) -> None:
    lines = Ran(("history", "list"), journaled(empty, short_game(), short_game()[1:])).lines
    assert [line.split("  ")[-1].strip() for line in lines] == [
        "cannot be read: game 2: some of its events are missing or damaged",
        "not finished",
    ]


@pytest.mark.parametrize(
    ("more", "oldest", "below"),
    [((), 4, ["3 older: luckypaw history list --all"]), (("--all",), 1, [])],
    ids=["twenty", "all"],
)
def test_so_many_games_are_listed_the_newest_first(
    empty: Path, more: tuple[str, ...], oldest: int, below: list[str]
) -> None:
    lines = Ran(("history", "list", *more), journaled(empty, *[short_game()[:1]] * 23)).lines
    listed = list(range(23, oldest - 1, -1))
    assert ([int(line.split()[0]) for line in lines[: len(listed)]], lines[len(listed) :]) == (listed, below)


SHEET = """\
                    A       B      time
start               0       0
round 1            -1      +6      0:23
points fixed       +2
total               1       6      0:23
not finished"""


def test_the_score_sheet_is_headed_by_game_and_number_and_has_a_row_a_round(state: Path) -> None:
    head, *lines = Ran(("history", "show", "1"), state).lines
    assert re.fullmatch(r"Kitty Paw, \d\d \w{3} 20\d\d, \d\d:\d\d, game 1", head)
    assert "\n".join(line.rstrip() for line in lines) == SHEET


def as_json(state: Path, game: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Ran(("history", "show", str(game), "--json"), state).out)
    return found


def test_the_score_sheet_as_json_has_options_lines_scores_and_winners(state: Path) -> None:
    sheet = as_json(state, 1)
    del sheet["started_at"], sheet["began_at"]
    sheet["options"] = sheet["options"]["tie_band"]
    assert sheet == {
        "game": 1,
        "name": "kitty_paw",
        "options": "kit",
        "players": ["A", "B"],
        "people": [None, None],
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


def test_as_json_a_finished_game_names_its_winners_and_an_ended_one_is_unfinished(state: Path) -> None:
    sheet, ended = as_json(state, 2), as_json(state, 3)
    scores = dict(zip(sheet["players"], sheet["scores"], strict=True))
    best = [name for name, score in scores.items() if score == max(scores.values())]
    assert (sheet["winners"], sheet["over"], sheet["unfinished"]) == (best, True, False)
    assert (ended["over"], ended["unfinished"], ended["ended_by_hand"], ended["winners"]) == (True, True, True, [])


def test_the_score_sheet_as_csv_has_a_head_and_a_row_a_round(state: Path) -> None:
    table = list(csv.reader(io.StringIO(Ran(("history", "show", "1", "--csv"), state).out)))
    assert table == [["round", "seconds", "A", "B", "A total", "B total"], ["1", "23", "1", "6", "1", "6"]]


def test_replay_shows_every_fact_and_ends_with_the_scores(state: Path) -> None:
    lines = Ran(("replay", "1"), state).lines
    assert [line.split()[0] for line in lines[1:]] == [type(fact.event).__name__ for fact in short_game()]
    assert lines[-1].split()[-2:] == ["1", "6"]


def test_replay_gives_the_same_pictures_and_lights_each_time(state: Path) -> None:
    assert Ran(("replay", "2"), state).out == Ran(("replay", "2"), state).out


def test_replay_writes_a_picture_a_fact_four_times_the_size_of_the_display(state: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    Ran(("replay", "1", "--pictures", folder), state)
    names = [f"{n:05}-{type(fact.event).__name__}.png" for n, fact in enumerate(short_game())]
    assert sorted(path.name for path in folder.iterdir()) == names
    with Image.open(folder / names[0]) as picture:
        assert (picture.format, picture.size) == ("PNG", (512, 256))


def failure(*arguments: str | Path, state: Path) -> str:
    """The one line that a command fails with."""
    ran = Ran(arguments, state)
    assert (ran.status, ran.err.count("\n"), ran.err[:10]) == (1, 1, "luckypaw: ")
    return ran.err[10:-1]


@pytest.mark.parametrize("words", ["history show", "history evidence", "replay"])
@pytest.mark.parametrize(
    ("game", "error"),
    [
        ("9", "game 9 is not in the journal; `luckypaw history list` shows those that are"),
        ("4", "game 'chess' is unknown"),
    ],
    ids=["a game that is not there", "a game of a later version"],
)
def test_a_game_that_cannot_be_shown_is_a_failure(state: Path, words: str, game: str, error: str) -> None:
    assert failure(*words.split(), game, state=state).startswith(error)


@pytest.mark.parametrize("words", ["history list", "history show 1", "replay 1"])
@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, "no journal at {}/luckypaw/journal.db: no game has been played yet"),
        (b"a shopping list " * 1000, "the journal cannot be read: file is not a database"),
    ],
    ids=["no journal", "no database"],
)
def test_a_journal_that_cannot_be_read_is_a_failure(empty: Path, words: str, content: bytes | None, error: str) -> None:
    (empty / "luckypaw").mkdir()
    if content is not None:
        (empty / "luckypaw" / "journal.db").write_bytes(content)
    assert failure(*words.split(), state=empty) == error.replace("{}", str(empty))


def test_pictures_that_cannot_be_written_are_a_failure(state: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "File exists" in failure("replay", "1", "--pictures", tmp_path / "file", state=state)


def to_nobody(words: str, state: Path) -> Ran:
    """A command whose reader has gone."""
    ear, mouth = os.pipe()
    os.close(ear)
    with os.fdopen(mouth, "w") as pipe:
        return Ran(tuple(words.split()), state, stdout=pipe)


HELP = ["--help", "play --help", "history show --help"]


@pytest.mark.parametrize("words", ["--version", *HELP, "history list", "replay 2", "people", "config check"])
def test_a_reader_that_has_gone_is_no_failure(state: Path, words: str) -> None:
    ran = to_nobody(words, state)
    assert (ran.status, ran.err) == (0, "")


def test_a_failure_is_told_also_where_the_reader_has_gone(state: Path) -> None:
    ran = to_nobody("history show 9", state)
    assert (ran.status, ran.err.count("\n"), ran.err[:16]) == (1, 1, "luckypaw: game 9")


def test_without_pins_nothing_is_measured(empty: Path) -> None:
    assert "needs a Raspberry Pi" in failure("calibrate", "--wire", "25", state=empty)


TOLD = """\
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


def test_the_certificate_is_shown_as_a_small_table_and_as_json_as_its_file(empty: Path) -> None:
    measured = made(8, 9, 11, 34, board="Raspberry Pi 5", kernel="6.12", measured_at="2026-11-21T08:00:00+00:00")
    certificate.save(empty / "luckypaw", measured)
    file = empty / "luckypaw" / CERTIFICATE
    assert Ran(("history", "certificate"), empty).out == TOLD
    assert Ran(("history", "certificate", "--json"), empty).out == file.read_text()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, "no certificate in {}/luckypaw: `luckypaw calibrate` has not measured this kit yet"),
        ("{", "certificate.json is damaged: Input data was truncated; `luckypaw calibrate` makes a new one"),
    ],
    ids=["none", "a damaged one"],
)
def test_without_a_certificate_there_is_none_to_show(empty: Path, content: str | None, error: str) -> None:
    (empty / "luckypaw").mkdir()
    if content is not None:
        (empty / "luckypaw" / CERTIFICATE).write_text(content)
    assert failure("history", "certificate", state=empty) == error.replace("{}", str(empty))


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
    for key in ("STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(key, raising=False)
    for key, value in env.items():
        monkeypatch.setenv(key, value)
    assert state_dir() == Path(folder)
