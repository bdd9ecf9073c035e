"""What people bring in, at its limit and one beyond: in its narrowest place, or at the door (docs/inputs.md)."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs
from playwright.sync_api import Browser

from engine import play as plays
from engine.game import NoOptions
from engine.play import MAX_POINTS, Play
from engine.sheets import expressions, limits
from engine.sheets.reading import read
from engine.sheets.rules import rules
from engine.sheets.sheet import NUMBER
from firmware import wifi_code
from firmware.journal import rows
from firmware.journal.writer import Journal
from firmware.output import screens
from firmware.output.screens import score
from firmware.output.screens.canvas import texts
from firmware.output.screens.font import CHARACTERS, font, written
from firmware.people import names, notes
from firmware.shelf import folders, workshop
from firmware.table.menus import Resume
from firmware.table.past_games import Unfinished
from firmware.table.past_score import PastScore
from firmware.table.playing import begin
from firmware.web import serving
from hardware import config
from hardware.parts.strip import talk, wire
from tests.engine.sheets.shelf import sheet
from tests.firmware.command import Ran
from tests.firmware.phone_table import PhoneTable
from tests.simulators import pixels
from tests.simulators.phone_page import NARROW_PX, opened
from tests.simulators.rig import Rig
from tests.simulators.undoing import SIX

ROOT = Path(__file__).parents[2]
ASKS = 'ask = [{ id = "a" }]'
LONG = structs.replace(  # a kit with the longest labels
    SIX,
    players=tuple(structs.replace(one, name=name) for one, name in zip(SIX.players, pixels.names(4, 6), strict=True)),
)
LIMITS = {  # by input: what is measured at the door
    "name of a person": (names.MAX_NAME, names.MAX_CODES),
    "list of people": (names.MAX_LIST // 1000,),
    "note to a game": (notes.MAX_NOTE, notes.MAX_NOTE_CODES),
    "day of a game": (notes.YEARS[0], notes.YEARS[-1]),
    "name of a fancier": (names.MAX_CAPITALS,),
    "title of a score sheet": (limits.LONGEST_TITLE,),
    "word, sentence": (limits.LONGEST_LINE,),
    "number of a score sheet": (len(str(NUMBER)),),
    "points fixed by hand": (MAX_POINTS,),
    "file of a score sheet": (limits.LARGEST, workshop.LARGEST, limits.MOST_DOTS, limits.LONGEST_LINE),
    "file name of a score sheet": (folders.LONGEST,),
    "expression": (expressions.MOST,),
    "folder of score sheets": (folders.MOST,),
    "label of a button": (pixels.longest_name(),),
    "description of a kit": (config.MAX_BYTES, config.MAX_DOTS),
    "lamps of the strip": (wire.MAX_LINE, talk.MIN_LEDS, talk.MAX_LEDS),
    "name and password": (wifi_code.MOST_BYTES,),
    "journal of somebody else": (rows.MAX_TEXT, rows.MAX_ROW),
    "message of a page": (serving.MAX_BYTES,),
}


def play_of(keys: str, players: int = 4) -> Play:
    """A game of a score sheet, just begun."""
    made = rules("sheet:test", read(sheet("[2, 6]", keys)))
    return plays.opened(made, plays.start(made, LONG.names[:players], made.options(), 1))


def totals(number: int, players: int = 4) -> tuple[str, ...]:
    return texts(score.total(play_of(f"start = {number}\n{ASKS}", players), "Totals", (), more=False, knob=True))


def of_round(number: int, players: int = 4) -> tuple[str, ...]:
    play, each = play_of(ASKS, players), [number] * players
    return texts(score.page(play, "Round 1", (), each, each, knob=True))


def at_the_end(number: int, players: int = 4) -> tuple[str, ...]:
    play = play_of(f"start = {number}\n{ASKS}", players)
    return texts(screens.draw(plays.fold(play, plays.end(play, 0)[0]), now_ns=0))


@pytest.mark.parametrize(
    ("shown", "number", "players", "there"),
    [
        pytest.param(totals, 999_999, 4, "999999", id="a total of four"),
        pytest.param(totals, 1_000_000, 4, "..", id="one of seven digits"),
        pytest.param(totals, -12_345, 6, "-12345", id="a total of six, for which names stand back"),
        pytest.param(totals, -123_456, 6, "..", id="one of six digits and a sign"),
        pytest.param(totals, -NUMBER, 2, f"-{NUMBER}", id="the lowest of two"),
        pytest.param(of_round, 12_345, 4, "=12345", id="the total below a round"),
        pytest.param(of_round, 123_456, 4, "123456", id="without its sign"),
        pytest.param(of_round, 1_000_000, 4, "..", id="of seven digits"),
        pytest.param(of_round, 99_999, 4, "+99999", id="the points of a round"),
        pytest.param(of_round, 100_000, 4, "..", id="of six digits"),
        pytest.param(at_the_end, -99_999, 6, "-99999", id="a total at the end of six"),
        pytest.param(at_the_end, -NUMBER, 6, "..", id="the lowest"),
    ],
)
def test_a_number_that_has_no_room_is_left_out(
    shown: Callable[[int, int], tuple[str, ...]], number: int, players: int, there: str
) -> None:
    said = shown(number, players)
    assert there in said
    assert not [text for text in said if text.strip("+=-").isdigit() and int(text.strip("+=-")) != abs(number)]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, LONG)
    yield rig
    rig.close()


def begun(rig: Rig, keys: str) -> tuple[str, ...]:
    """A game of six at this table. What the display shows."""
    begin(rig.app.table, rules("sheet:test", read(sheet("[2, 6]", keys))), LONG.names, NoOptions())
    rig.after(1000)
    return texts(rig.playing.picture(rig.now_ns))


def test_a_clock_of_ten_hours_is_whole_for_six(rig: Rig) -> None:
    assert "600:00" in begun(rig, 'clock = { kind = "chess", minutes = 600 }')


def test_a_correction_says_both_totals_whole(rig: Rig) -> None:
    begun(rig, f"start = -{NUMBER}\n{ASKS}")
    rig.menu("Fix points").tap(LONG.names[0]).arrow(1)
    assert f"-{NUMBER} > -{NUMBER - 1}" in texts(rig.app.table.top.picture(rig.now_ns))


def test_six_of_the_longest_labels_say_who_sat_there(rig: Rig) -> None:
    begun(rig, ASKS)
    past = PastScore(rig.app.table, Unfinished(1, rig.playing.play))
    past.opened()
    past.page = len(past.pages) + 1
    assert " ".join(texts(past.picture(0))).count("MMMM NNNN OOOO PPPP QQQQ") == 1


def test_the_longest_title_is_shortened_where_a_game_goes_on(rig: Rig) -> None:
    begun(rig, ASKS)
    title = "W" * limits.LONGEST_TITLE
    made = rules("sheet:long", read(sheet("[2, 6]", ASKS).replace('title = "T"', f'title = "{title}"')))
    play = plays.opened(made, plays.start(made, LONG.names, made.options(), 1))
    assert texts(Resume(rig.app.table, Unfinished(1, play)).picture(0))[0] == "W" * 13


@pytest.mark.parametrize(
    ("sign", "drawn"), [("’", "'"), ("“", '"'), ("„", '"'), ("—", "-"), ("−", "-"), ("\u00a0", " "), ("я", "?")]
)
def test_a_sign_of_an_editor_is_drawn_as_the_plain_one(sign: str, drawn: str) -> None:
    assert drawn in CHARACTERS
    assert written("6x12", sign).tobytes() == font("6x12").write(drawn).tobytes()


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("restore", ""), 2, "argument FILE: must be the name of a file, not empty"),
        (("backup", ""), 2, "argument FILE: must be the name of a file, not empty"),
        (("--config", "", "config", "check"), 2, "argument --config: must be the name of a file, not empty"),
        (("export", "a" * 256), 1, f"{'a' * 256}: File name too long"),
        (("rules", "a" * 256), 1, f"{'a' * 256}: File name too long"),
        (("play", "--kit", "a" * 256), 2, f"kit '{'a' * 256}' is unknown: must be duo, table or party"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_name_that_no_file_can_have_is_one_sentence(
    words: tuple[str, ...], status: int, says: str, tmp_path: Path
) -> None:
    with closing(Journal(tmp_path / "luckypaw" / "journal.db", "boot", lambda n: None, lambda t: None)):
        pass  # there is one
    done = Ran(words, tmp_path)
    assert (done.status, done.err.splitlines()[-1].endswith(says)) == (status, True), done.err


@pytest.mark.parametrize(("label", "said"), [("Ä1", False), ("红", True)])
def test_a_label_that_the_display_cannot_draw_is_told_and_the_kit_plays(label: str, said: bool, tmp_path: Path) -> None:
    file = tmp_path / "kit.toml"
    file.write_text((config.KITS / "duo.toml").read_text().replace('"P1"', f'"{label}"'))
    done = Ran(("config", "check", file), tmp_path)
    assert (done.status, "the display shows ? for 红: give buttons" in done.out) == (0, said)


@pytest.mark.parametrize(
    ("title", "says"), [("Café – “Anna’s”", ""), ("Юла", "garden.toml:1: title: the display shows ? for Ю л а;")]
)
def test_letters_that_the_display_lacks_are_named_by_the_check(title: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "garden.toml"
    file.write_text(f'title = "{title}"\nplayers = [2, 2]\nrounds = 1\n{ASKS}\n')
    done = Ran(("game", "check", file), tmp_path)
    assert (done.status, "the display shows" in done.out) == (0, bool(says)) and says in done.out


@pytest.mark.slow
def test_one_long_word_makes_no_page_wider_than_its_window(chromium: Browser, tmp_path: Path) -> None:
    table = PhoneTable(tmp_path)
    try:
        long, complaints = "W" * limits.LONGEST_TITLE, list[str]()
        text = sheet("[2, 4]", f'ask = [{{ id = "a", title = "{long}" }}]').replace('title = "T"', f'title = "{long}"')
        made = rules("sheet:test", read(text))
        table.do(lambda: begin(table.rig.app.table, made, ("P1", "P2"), NoOptions()))
        table.play("1000")
        page = opened(chromium, f"http://{table.host}/{table.phones.code}", complaints)
        page.get_by_text("Only look on").tap()
        page.locator("#asked", has_text=long).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW_PX
        page.set_viewport_size({"width": 1024, "height": 768})
        page.goto(f"http://{table.host}/board")
        page.locator("#asked", has_text=long).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 1024
        page.context.close()
    finally:
        table.close()
    assert complaints == []


def test_the_page_of_all_inputs_has_the_limits_of_the_program() -> None:
    listed = [line.split(" | ") for line in (ROOT / "docs" / "inputs.md").read_text().splitlines() if " | " in line]
    for what, numbers in LIMITS.items():
        (row,) = [row for row in listed if row[0].startswith(f"| {what}")]
        assert {str(number) for number in numbers} <= set(re.findall(r"\d+", " ".join(row))), what
