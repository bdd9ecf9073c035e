"""A person has the colour of the button in front of them, whoever begins: on pages and on the strip."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import firmware
from engine.game import NoOptions
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.buttons import numbers
from firmware.output.strip_picture import SEATS
from firmware.table.playing import begin
from tests.engine.sheets.shelf import BUZZER, WIZARD, sheet
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig

PAGES = [file for file in Path(firmware.__file__).parent.rglob("page/*") if file.suffix in (".js", ".css", ".html")]
FAINTEST = 2  # light that is a mark of a rhythm
SEED = Random().randrange(10**6)  # of the order of the seats: another one in each run


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def seated(rig: Rig, text: str, players: int) -> tuple[str, ...]:
    """A game in which anybody may begin; the buttons by seat."""
    dice = Random(SEED)
    here = sorted(dice.sample(rig.app.table.names, players))
    first = dice.randrange(players)
    order = (*here[first:], *here[:first])
    begin(rig.app.table, rules("sheet:test", read(text)), order, NoOptions())
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
