"""A person has the colour of the button in front of them, whoever begins: on pages and on the strip."""

import re
from contextlib import closing
from io import BytesIO
from pathlib import Path
from random import Random
from sqlite3 import connect
from typing import Any

import pytest
from PIL import Image

import firmware
from engine import games
from engine.game import NoOptions
from engine.play import Fact, Started
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.buttons import numbers, of_play
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.output.strip_picture import SEATS
from firmware.state_folder import JOURNAL
from firmware.statistics.pages import Pages
from firmware.table.playing import begin
from hardware.seat_colours import SEAT_COLOURS
from tests.engine.sheets.shelf import BUZZER, WIZARD, sheet
from tests.simulators.phone import Phone, let_in
from tests.simulators.players import in_order_of_play
from tests.simulators.rig import Rig

PAGES = [file for file in Path(firmware.__file__).parent.rglob("page/*") if file.suffix in (".js", ".css", ".html")]
RULES = games.rules("kitty_paw")
FAINTEST = 2  # light that is a mark of a rhythm
SEED = Random().randrange(10**6)  # of the order of the seats: another one in each run


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def seated(rig: Rig, text: str, players: int) -> tuple[str, ...]:
    """A game in which anybody may begin; the buttons by seat."""
    order = in_order_of_play(rig.app.table.names, players, Random(SEED))
    begin(rig.app.table, rules("sheet:test", read(text), text), order, NoOptions())
    rig.after(0)
    return order


@pytest.mark.parametrize(
    ("names", "of_kit", "found"),
    [
        (("P3", "P1"), ("P1", "P2", "P3"), (2, 0)),
        (("Red", "P1"), ("Blue", "Red", "P1"), (1, 2)),  # by the description, also where a name looks like a number
        (("P3", "Red", "P7"), (), (2, None, None)),
        (("P4",), ("P1", "P2"), (3,)),
    ],
)
def test_a_button_has_its_number_by_the_description_else_by_its_usual_name(
    names: tuple[str, ...], of_kit: tuple[str, ...], found: tuple[int | None, ...]
) -> None:
    assert numbers(names, of_kit) == found


def test_pages_are_told_the_button_of_each_seat(rig: Rig) -> None:
    told = list[Any]()
    phone = Phone(rig)
    rig.app.follow(told.append, "rounds", "evidence")
    order = seated(rig, WIZARD, 3)
    mine = [rig.app.table.names.index(name) for name in order]
    assert (list(phone.news["game"]["buttons"]), list(phone.news["rounds"]["buttons"])) == (mine, mine), SEED


def test_whoever_takes_a_place_is_told_its_buttons_colour(rig: Rig) -> None:
    order = seated(rig, WIZARD, 3)
    of_kit, places = rig.app.table.names, Phone(rig).me["places"]
    assert {place["button"]: place["number"] for place in places} == {name: of_kit.index(name) for name in order}, SEED
    assert all(place["colour"] == SEAT_COLOURS[place["number"]].name for place in places), SEED


def test_a_photo_finish_has_the_colour_of_the_button(rig: Rig) -> None:
    told = list[Any]()
    rig.app.follow(told.append, "evidence")
    order = seated(rig, BUZZER, 3)
    rig.tap(order[1]).tap(order[2])
    rig.after(500)
    (evidence,) = [news["evidence"] for news in told if news["evidence"]][-1:]
    of_kit = rig.app.table.names
    rows = {row["name"]: row["button"] for row in evidence["rows"]}
    assert rows and all(of_kit[button] == name for name, button in rows.items()), SEED
    for name in order[1:]:
        assert f"var(--button-{of_kit.index(name)})" in evidence["figure"]


def test_the_strip_has_each_button_in_its_place(rig: Rig) -> None:
    order = seated(rig, sheet("[2, 4]", 'ask = [{ id = "a" }]'), 3)
    pieces = [rig.pixels[15 * n] for n in range(4)]
    for n, name in enumerate(rig.app.table.names):
        own = [part > FAINTEST for part in SEATS[n]]
        lit = [part > FAINTEST for part in pieces[n][:3]]
        assert lit == (own if name in order else [False] * 3), (SEED, name)


def test_no_page_takes_a_colour_from_a_seat() -> None:
    """By the number of a button alone: a seat is a place in the order of play."""
    assert len(PAGES) > 20
    said = {file.name: file.read_text(encoding="utf-8") for file in PAGES}
    assert {name for name, text in said.items() if re.search(r"data-seat|dataset\.seat|--seat-", text)} == set()
    set_from = {found for text in said.values() for found in re.findall(r"dataset\.button = ([^;]+);", text)}
    assert set_from == {"position", 'free ? "none" : position', 'button === null ? "none" : button'}
    given = {found for text in said.values() for found in re.findall(r"domeOf\(([^,]+),", text)}
    assert given == {"button", "game.buttons[seat]", "place.number"}


# --- past games ------------------------------------------------------------------------------------------------------

OWN = ("Red", "Blue", "P1")  # in the order of their description: P1 is not the first


def noted(path: Path, order: tuple[str, ...], buttons: tuple[str, ...], *, kit: str = "ours", boot: str = "") -> int:
    """A run of the program on a kit with these buttons, which plays a game in this order: its number."""
    troubles: list[str | None] = []
    with closing(
        Journal(path, boot, lambda _: None, troubles.append, kit=kit, buttons=buttons, threaded=False)
    ) as journal:
        game = journal.begin_game("kitty_paw")
        journal.write(game, [Fact(0, 1, Started(order, RULES.options(), 7))])
    assert troubles == []
    return game


def by_seat(path: Path, game: int) -> tuple[int | None, ...]:
    with closing(History(path)) as history:
        return of_play(history.play(game, RULES), history.buttons(game))


def as_of_an_older_version(path: Path, *tables: str) -> None:
    """What it did not note is gone."""
    with closing(connect(path)) as db, db:
        for table in tables:
            db.execute(f"delete from {table}")


def test_a_past_game_has_its_buttons_in_the_order_of_the_kits_description(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    first = noted(path, ("P1", "Blue", "Red"), OWN)
    then = noted(path, ("Blue", "P1"), (*reversed(OWN),), boot="later")  # the kit is described in another order
    assert (by_seat(path, first), by_seat(path, then)) == ((2, 1, 0), (1, 0))


@pytest.mark.parametrize(
    ("kit", "gone", "found"),
    [
        pytest.param("ours", ("button",), (0, 1, 0), id="by the usual number, else by today's description"),
        pytest.param("theirs", ("button",), (0, None, None), id="another kit's"),
        pytest.param("ours", ("button", "kit"), (0, None, None), id="nobody knows which kit's"),
    ],
)
def test_in_a_game_of_an_older_version_a_button_is_known_by_its_name(
    tmp_path: Path, kit: str, gone: tuple[str, ...], found: tuple[int | None, ...]
) -> None:
    path = tmp_path / JOURNAL
    game = noted(path, ("P1", "Blue", "Red"), OWN, kit=kit)
    as_of_an_older_version(path, *gone)
    noted(path, ("P1", "Red"), OWN, boot="today")
    assert by_seat(path, game) == found


def test_in_a_journal_of_an_older_version_alone_names_are_all_there_is(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL
    game = noted(path, ("P3", "P1", "Red"), OWN)
    with closing(connect(path)) as db, db:
        db.execute("drop table button")
    assert by_seat(path, game) == (2, 0, None)


def test_plot_and_picture_of_a_game_have_the_colours_of_the_buttons(rig: Rig, tmp_path: Path) -> None:
    order = seated(rig, sheet("[2, 4]", "rounds = 3", 'ask = [{ id = "a", high = 9 }]'), 3)
    for _round in range(3):
        rig.do(" ".join(f"{name}={2 + 3 * seat}" for seat, name in enumerate(order)) + " ok")
    assert rig.playing.play.over
    mine = {name: rig.app.table.names.index(name) for name in order}
    with closing(Pages(tmp_path)) as pages:
        page, made = str(pages.page("/games/1")), pages.page("/games/1.png")
    lines = re.findall(r'class="dot l(\d)"[^>]*>(?:</\w+>)?<text[^>]*>(\w+)</text>', page)
    assert {name: int(style) for style, name in lines} == mine, SEED
    assert isinstance(made, bytes)
    picture = Image.open(BytesIO(made)).convert("RGB")
    there = {colour for _n, colour in picture.getcolors(100_000) or ()}
    assert [number for number, colour in enumerate(SEAT_COLOURS) if colour.rgb in there] == sorted(mine.values()), SEED


def test_who_moves_to_another_button_gets_its_colour(rig: Rig) -> None:
    phone = Phone(rig)
    seated(rig, sheet("[2, 4]", 'ask = [{ id = "a" }]'), 3)
    (free,) = {*rig.app.table.names[:4]} - {*phone.news["game"]["names"]}
    rig.do("menu[Seats]")
    moved = (free, *rig.playing.seating.buttons[1:])
    rig.do(" ".join(moved))
    assert [*phone.news["game"]["buttons"]] == [rig.app.table.names.index(name) for name in moved], SEED
