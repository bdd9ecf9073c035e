"""What ends a question that is asked of all is said wherever it is waited for, and whoever is named can end it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import NoOptions
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.table.playing import begin
from tests.engine.sheets.shelf import sheet
from tests.simulators.every_game import rules_of
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig

TRICKS = sheet(
    "[3, 3]",
    'ask = [{ id = "won", title = "Tricks", high = 9 }]',
    'check = [{ that = "sum(won) == 1", says = "must add up to 1" }]',
)
WRONG = (1, 1, 0)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    let_in(rig)
    begin(rig.app.table, rules("sheet:tricks", read(TRICKS), TRICKS), ("P1", "P2", "P3"), NoOptions())
    yield rig.after(0)
    rig.close()


def send(phone: Phone, number: int) -> None:
    assert phone.answer("Tricks", number) == ""


def keys(phone: Phone) -> list[str]:
    """What it may press for the table."""
    return [one["text"] for one in phone.asks if one["seat"] is None]


def round_(rig: Rig) -> int:
    return rig.playing.play.board.round


def test_numbers_that_were_wrong_close_the_question_as_soon_as_they_fit(rig: Rig) -> None:
    phones = [Phone(rig, f"P{n}") for n in (1, 2, 3)]
    for phone, number in zip(phones, WRONG, strict=True):
        send(phone, number)
    assert (round_(rig), phones[0].news["game"]["wrong"]) == (1, "must add up to 1")
    send(phones[2], 3)
    assert round_(rig) == 1  # 1 + 1 + 3
    send(phones[2], 1)
    send(phones[0], 0)
    assert round_(rig) == 1  # 0 + 1 + 1
    send(phones[1], 0)
    assert (round_(rig), rig.playing.play.scores) == (2, (0, 0, 1))


def test_nobody_closes_it_for_somebody_who_is_changing_a_number_at_the_kit(rig: Rig) -> None:
    phones = [Phone(rig, f"P{n}") for n in (1, 2, 3)]
    for phone, number in zip(phones, WRONG, strict=True):
        send(phone, number)
    rig.do("P1! ")  # by a hold: 0
    send(phones[1], 1)
    assert (round_(rig), phones[1].me["closes"]) == (1, True)
    rig.ok()
    assert (round_(rig), rig.playing.play.scores) == (2, (0, 1, 0))


def test_where_ok_is_still_needed_all_are_told_and_the_phone_that_is_named_has_the_key(rig: Rig) -> None:
    for_table, other, watch = Phone(rig, "P1").say(table=True), Phone(rig, "P2"), Phone(rig)
    rig.yes()
    send(for_table, 0)
    send(other, 0)
    assert (keys(for_table), [one.me["closes"] for one in (for_table, other, watch)]) == ([], [False] * 3)
    rig.do("P3=1")
    assert [(one.me["closes"], one.me["table"]) for one in (for_table, other, watch)] == [(True, "P1's phone")] * 3
    assert [keys(one) for one in (for_table, other, watch)] == [["OK: all have answered"], [], []]
    assert "OK, or on P1's phone" in rig.reads()
    assert for_table.answer("OK") == ""
    assert (round_(rig), rig.playing.play.scores, "P1's phone" in rig.reads()) == (2, (0, 0, 1), False)


def test_the_key_of_the_phone_says_what_is_wrong_and_comes_back_once_it_fits(rig: Rig) -> None:
    for_table = Phone(rig, "P1").say(table=True)
    rig.yes()
    rig.do("P1=1 P2=1 P3=0")
    assert for_table.answer("OK") == ""
    assert (keys(for_table), for_table.me["closes"], for_table.news["game"]["wrong"]) == (
        [],
        False,
        "must add up to 1",
    )
    rig.do("P1!")
    assert keys(for_table) == ["OK: all have answered"]
    stale = for_table.ask("OK")["id"]
    assert (for_table.answer("OK"), round_(rig)) == ("", 2)
    assert for_table.send(stale, None) == "too late: this is not asked any more"


def test_without_a_phone_for_the_table_ok_on_the_kit_is_named_alone(rig: Rig) -> None:
    phone = Phone(rig, "P2")
    rig.do("P1=0 P2=0 P3=1")
    assert (phone.me["closes"], phone.me["table"], keys(phone)) == (True, "", [])
    assert "OK" in rig.pieces
    assert "phone" not in rig.reads()


def test_a_game_with_a_picture_of_its_own_for_a_number_says_who_closes_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path / "pageant")
    let_in(rig)
    rig.do("game[cat_pageant 2]")
    Phone(rig, "P2").say(table=True)
    rig.do("yes 9s")
    assert "phone" not in rig.reads()
    rig.do("P1")
    assert "OK, or on P2's phone" in rig.reads()
    rig.close()


def test_a_phone_that_plays_for_two_is_called_by_its_tag(rig: Rig) -> None:
    for_table = Phone(rig, "P1", "P2").say(table=True)
    rig.yes()
    assert for_table.me["table"] == f"phone {for_table.tag}"


def test_a_number_entered_at_the_kit_stands_on_the_own_phone_as_that(rig: Rig) -> None:
    own, for_table, other = Phone(rig, "P1"), Phone(rig, "P2").say(table=True), Phone(rig, "P3")
    rig.yes()
    rig.do("P1=2")
    assert [phone.me["at_kit"] for phone in (own, for_table, other)] == [[[0, 2]], [[0, 2]], []]
    send(own, 1)
    assert (own.me["at_kit"], own.me["sent"]) == ([], [[0, 1]])
    send(for_table, 1)
    send(other, 1)
    assert (own.news["game"]["wrong"], own.me["at_kit"]) == ("must add up to 1", [])  # none of them is entered anew


@pytest.mark.parametrize("with_phone", [True, False])
def test_what_was_wrong_goes_from_the_display_once_the_numbers_fit(rig: Rig, with_phone: bool) -> None:
    if with_phone:
        Phone(rig, "P1").say(table=True)
    rig.do("P1 P2 P3=0 ok")
    assert "must add up to 1" in rig.reads()
    rig.do("P2=0")
    assert "must add up to 1" not in rig.reads() and ("OK, or on P1's phone" in rig.reads()) == with_phone
    rig.do("P2")
    assert "must add up to 1" in rig.reads()


def test_a_number_for_a_box_is_asked_for_until_ok(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    let_in(rig)
    begin(rig.app.table, rules_of("sheet:yahtzee"), ("P1", "P2", "P3"), NoOptions())
    phone = Phone(rig.after(0), "P2")
    rig.tap("P1").ok().tap("P1")
    assert (rig.playing.entry.values, phone.me["missing"]) == ({0: 2}, (0,))
    rig.ok()
    assert phone.news["game"]["turn"] == [1]
    rig.close()
