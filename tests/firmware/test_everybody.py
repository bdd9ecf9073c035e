"""The people whom the kit knows: entered on the kit and the page, read from a list, renamed."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.messages import TableNews
from firmware.table.app import App
from hardware.config import TABLE
from hardware.kit import open_emulated
from tests.firmware.outcomes import outcomes
from tests.simulators.rig import Rig
from tests.simulators.wishing import sit

NEW = "[People] [New name]"  # the ring of letters begins with a; one step back is done, one more deletes

EVENINGS = {
    "a letter that begins a word is a capital": (f"{NEW} turn+8", "app.table.top.letter", "I"),
    "the next is small": (f"{NEW} turn+8 ok turn+8", "app.table.top.letter", "i"),
    "after a space comes a capital": (f"{NEW} ok turn-6 ok", "app.table.top.letter", "A"),
    "a player's button gives a letter its marks": (f"{NEW} P1", "app.table.top.letter", "À"),
    "and others": (f"{NEW} P1 P2", "app.table.top.letter", "Á"),
    "after the last one it has none": (f"{NEW} turn+1 P1", "app.table.top.letter", "B"),
    "two steps back delete": (f"{NEW} turn+8 ok ok turn-2 ok", "app.table.top.text", "I"),
    "beside the first letter stands how the name ends": (NEW, "delete | done"),
    "OK says what it takes": (NEW, "OK: take A"),
    "and that it deletes": (f"{NEW} turn-2", "OK: delete"),
    "what a button makes of a letter is shown": (f"{NEW} P1", "app.table.top.others", ["Á", "Â", "Ã"]),
    "nothing is no name": (f"{NEW} turn-1 ok", "reads", "a name has 1 to 12"),
    "twelve letters are the most": (f"{NEW} ok*13", "app.table.top.text", "Aaaaaaaaaaaa"),
    "a name that is whole is in the list": (f"{NEW} turn+8 ok turn-1 ok", "rows", ["New name", "I"]),
    "the control stays on its row where one comes above it": (
        "people[Ben Cleo] [People] turn-1 people[Anna]",
        "app.table.top.at",
        2,
    ),
    "unless nobody has turned to it": ("people[Ben] [People] people[Anna]", "app.table.top.at", 0),
    "somebody is renamed": (
        "people[Anna] [People] [Anna] [Rename] turn-2 ok turn+4 ok turn-1 ok ok!",
        "reads",
        "LUCKY PAW",
    ),
    "statistics are a matter of choice": ("people[Anna] [People] [Anna] [Statistics: yes]", "reads", "Statistics: no"),
    "a name that the display cannot draw has a row": ("people[山田] [People]", "rows", ["New name", "(other letters)"]),
}
test_an_evening = outcomes(EVENINGS)


def test_a_new_name_stands_everywhere(rig: Rig, tmp_path: Path) -> None:
    rig.do("people[Anna Ben] [Kitty Paw] P1*2 P2*2 ok*2 menu[End the game] 2500 ok [Other game]")
    rig.do("[People] [Ben] [Rename] turn-2 ok*3 turn+2 ok turn-1 ok")
    assert rig.app.table.roster.names == ("Anna", "A")
    rig.do("reboot ok! [Kitty Paw] P1 P2")
    assert "P2 A?" in rig.reads()
    rig.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.names(1) == {0: "Anna", 1: "A"}


@pytest.fixture
def listed(tmp_path: Path) -> tuple[Path, Path]:
    """The state folder of a kit, and a list of people."""
    (tmp_path / "state").mkdir()
    path = tmp_path / "people.txt"
    path.write_text("Anna\nЮлия = Julia\n")
    return tmp_path / "state", path


def started(state: Path, people: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that a kit knows once it has begun, and its log."""
    kit = open_emulated(TABLE, lambda name, text: None, threaded=False)
    app = App(kit, state, now_ns=0, threaded=False, people=people)
    lines: list[str] = []
    for now_ns in range(0, 3_000_000, 1_000_000):
        app.step(now_ns)
        lines += app.table.log()
    names = app.table.roster.names
    app.close()
    return names, tuple(lines)


def test_a_list_on_the_card_is_read_at_the_start_once(listed: tuple[Path, Path]) -> None:
    assert started(*listed)[0] == ("Юлия", "Anna")
    assert started(*listed)[0] == ("Юлия", "Anna")


def test_who_was_renamed_does_not_come_back_by_the_list(listed: tuple[Path, Path]) -> None:
    state, path = listed
    started(state, path)
    with closing(Journal(state / "journal.db", "b", lambda t: None, lambda t: None, threaded=False)) as journal:
        (person,) = (one for one in journal.persons if one.name == "Anna")
        journal.write_people([type(person)(person.id, "Ann")])
    assert set(started(state, path)[0]) == {"Юлия", "Ann"}


def test_a_list_that_was_changed_is_read_again(listed: tuple[Path, Path]) -> None:
    state, path = listed
    started(state, path)
    path.write_text("Anna\nBen\n")
    os.utime(path, ns=(1, 1))
    assert started(state, path)[0] == ("Ben", "Юлия", "Anna")


@pytest.mark.parametrize("there", ["journal.db.new", "people.new"])
def test_a_list_that_cannot_be_saved_is_known_and_read_again(listed: tuple[Path, Path], there: str) -> None:
    """Neither its people, nor that it was read."""
    state, path = listed
    (state / there).mkdir()
    assert started(state, path)[0] == ("Юлия", "Anna")
    (state / there).rmdir()
    assert not (state / "people.read").exists()
    assert started(state, path)[0] == started(state, path)[0] == ("Юлия", "Anna")


def test_a_list_is_read_where_a_cut_has_left_bytes_of_no_meaning(listed: tuple[Path, Path]) -> None:
    state, path = listed
    (state / "people.read").write_bytes(b"\xff" * 20)
    assert started(state, path)[0] == ("Юлия", "Anna")


def test_what_is_wrong_in_a_list_is_said_without_names(
    listed: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    state, path = listed
    path.write_text("Anna\nAnna-Maria-Magdalena\n")
    assert started(state, path)[0] == ("Anna",)
    assert capsys.readouterr().err == "people.txt, line 2: a name has 1 to 12 characters that can be seen\n"


def test_a_pipe_in_the_place_of_the_list_is_said(listed: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    state, path = listed
    path.unlink()
    os.mkfifo(path)
    assert started(state, path)[0] == ()
    assert capsys.readouterr().err == "people.txt cannot be read: it is no file\n"


def test_a_kit_without_a_list_makes_no_file(tmp_path: Path) -> None:
    assert started(tmp_path, tmp_path / "people.txt") == ((), ())
    assert not (tmp_path / "people.read").exists()


@pytest.mark.parametrize(
    ("seat", "person", "expected"),
    [
        (0, "Cleo", {0: "Cleo", 1: "Ben"}),
        (0, "Ben", {0: "Ben", 1: "Anna"}),  # they change places
        (1, None, {0: "Anna"}),
        (2, "Cleo", {0: "Anna", 1: "Ben"}),  # no such seat
        (0, "nobody", {0: "Anna", 1: "Ben"}),
    ],
)
def test_a_page_puts_right_who_sits_where(
    rig: Rig, tmp_path: Path, seat: int, person: str | None, expected: dict[int, str]
) -> None:
    """In the game on the table; what names another game changes nothing."""
    rig.do("people[Anna Ben Cleo] [Kitty Paw] P1*2 P2*2 ok*2")
    ids = {name: id_ for id_, name in rig.app.table.roster.everybody}
    for game in (99, rig.playing.number):
        assert {n: rig.app.table.roster.named(one) for n, one in rig.playing.people.items()} == {0: "Anna", 1: "Ben"}
        sit(rig, game, seat, None if person is None else ids.get(person, "f" * 16))
        rig.after(0)
    assert {n: rig.app.table.roster.named(one) for n, one in rig.playing.people.items()} == expected
    rig.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.names(1) == expected


def test_a_page_puts_right_who_sat_in_a_game_of_the_past(rig: Rig, tmp_path: Path) -> None:
    """Also where it lies there unfinished; who goes on with it sits there, too."""
    rig.do("people[Anna Ben Cleo] [Kitty Paw] P1*2 P2*2 ok*2 menu[Main menu]")
    ids = {name: id_ for id_, name in rig.app.table.roster.everybody}
    for game, seat, person in ((1, 0, ids["Cleo"]), (1, 0, ids["Ben"]), (1, 5, ids["Anna"]), (2, 0, None), (1, 1, "x")):
        sit(rig, game, seat, person)
        rig.after(0)
    rig.do("[Go on: Kitty Paw]")
    assert {n: rig.app.table.roster.named(one) for n, one in rig.playing.people.items()} == {0: "Ben", 1: "Cleo"}
    rig.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.names(1) == {0: "Ben", 1: "Cleo"}


def test_a_page_is_told_at_once_who_sits_where_also_of_two_with_one_name(rig: Rig) -> None:
    told: list[TableNews] = []
    rig.app.follow(told.append, "scores")
    rig.do("people[Anna Anna] game[kitty_paw 2]")
    people = [id_ for id_, _name in rig.app.table.roster.everybody]
    for seat, person in enumerate(people):
        sit(rig, 1, seat, person)
        rig.after(0)
    last = told[-1].get("scores")
    assert last is not None and [row["person"] for row in last["rows"]] == people


def test_a_page_is_told_the_scores_as_they_stand(rig: Rig) -> None:
    told: list[TableNews] = []
    rig.app.follow(told.append, "scores")
    rig.do("people[Anna Ben] [Kitty Paw] P1*2 P2*2 ok*2 +P1,P2 3100 -P1,P2 P2 300 P1 300")
    last = told[-1].get("scores")
    assert last is not None and not last["over"]
    assert [(row["label"], row["name"], row["points"], row["place"]) for row in last["rows"]] == [
        ("P2", "Ben", 0, 1),
        ("P1", "Anna", -1, 2),
    ]
    rig.do("6s ok menu[End the game] 2500 ok [Other game]")
    assert told[-1] == {"scores": None}
