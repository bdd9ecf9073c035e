"""A plain OK of the table may be somebody's answer: then it says whose, and no phone gives it by the way."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from engine import games
from engine import play as plays
from engine.game import Rules
from engine.rules import Offer
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.phones.hub import AWAY_NS
from firmware.table import question
from tests.engine.sheets.shelf import SHELF
from tests.firmware.browser import needs_chromium
from tests.firmware.phone_table import PhoneTable
from tests.firmware.test_cat_pageant_at_the_table import GROOMING, READY, placed
from tests.simulators.every_game import names, rules_of
from tests.simulators.phone import Phone, let_in
from tests.simulators.phone_page import opened
from tests.simulators.players import random_game, random_options
from tests.simulators.rig import MS, Rig

GAMES = 32  # of each of the five: the rarest of these questions comes up
# by game and verb each plain OK, and whether it is somebody's answer
OKS = {
    ("cat_pageant", "all_done"): True,
    ("cat_pageant", "draw"): False,
    ("cat_pageant", "next"): False,
    ("cat_pageant", "pageants"): False,
    ("cat_pageant", "pass"): True,
    ("cat_pageant", "place"): False,
    ("if_it_fits", "done"): False,
    ("if_it_fits", "next"): False,
    ("if_it_fits", "timer"): False,
    ("kitty_paw", "close"): False,
    ("kitty_paw", "next"): False,
    ("pack_and_stack", "close"): False,
    ("pack_and_stack", "count"): True,
    ("pack_and_stack", "deal"): False,
    ("pack_and_stack", "go_on"): True,
    ("pack_and_stack", "next"): False,
    ("pack_and_stack", "none_left"): False,
    ("pack_and_stack", "pack"): False,
    ("pack_the_essentials", "to_box"): False,
    ("pack_the_essentials", "toys"): False,
    ("sheet", "ask"): False,
    ("sheet", "close"): False,
    ("sheet", "next"): False,
    ("sheet", "start"): False,
}
ADOPTING = f"{READY} {placed(2, 2)} ok"  # P1 is asked to take a cat, or to pass
LOADING = "game[pack_and_stack 3] P1 ok 3300 P1 100 P2 100 P3 1700"  # all say that they have loaded; OK counts


def oks(of: Rules[Any, Any], players: int, options: Any, seed: int) -> Iterator[tuple[Offer, plays.Play]]:
    """The plain OKs of a whole game, played at random."""
    facts = random_game(of, players, options, seed).facts
    play = plays.opened(of, facts[0])
    for fact in facts[1:]:
        play = plays.fold(play, fact)
        asked = question.of(play.offers)
        yield from ((one, play) for one in (*asked.passed, asked.ok) if one is not None)


def test_each_plain_ok_of_every_game_is_the_tables_or_says_whose_answer_it_is() -> None:
    found = dict[tuple[str, str], bool]()
    sheets = {name: rules(f"sheet:{name}", read(text)) for name, text in SHELF.items()}
    for name, one in ({name: rules_of(name) for name in names()} | sheets).items():
        five = name in games.names()
        for seed in range(GAMES if five else 1):
            dice = Random(f"{name} {seed}")
            options = random_options(one, dice) if five else one.options()
            for offer, play in oks(one, dice.choice(one.seats), options, seed):
                assert set(offer.for_seats) <= set(range(len(play.players)))
                key = (name if five else "sheet", str(offer.verb))
                found[key] = found.get(key, False) or bool(offer.for_seats)
    assert found == OKS


# --- on phones -------------------------------------------------------------------------------------------------------


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def shown(phone: Phone, verb: str = "pass") -> list[tuple[bool, list[int]]]:
    """The keys of the table's OK on a phone: whether they stand aside, and for whom they answer."""
    asks = [one for one in phone.news["me"]["asks"] if one["seat"] is None and one["verb"] == verb]
    return [(one["aside"], [*one["for_seats"]]) for one in asks]


def test_the_phone_of_the_table_passes_for_somebody_with_a_phone_only_by_a_small_key(rig: Rig) -> None:
    for_table = Phone(rig, "P2").say(table=True)
    rig.do(ADOPTING)
    assert [one["verb"] for one in for_table.asks if one["seat"] == 0] == ["take", "pass"]  # P1 has no phone
    own = Phone(rig, "P1")
    assert shown(for_table) == [(True, [0])]
    assert [one["verb"] for one in own.asks if not one["aside"]] == ["take"]


def test_a_phone_that_is_away_for_two_minutes_counts_as_none(rig: Rig) -> None:
    for_table, away = Phone(rig, "P2").say(table=True), Phone(rig, "P3")
    rig.do(LOADING).do("P1 P2")
    away.sleep()
    rig.after(AWAY_NS / MS - 1)
    assert (shown(for_table, "count"), [one for one in for_table.asks if one["seat"] == 2]) == ([(True, [2])], [])
    rig.after(1)
    assert shown(for_table, "count") == [(False, [2])]
    assert [one["verb"] for one in for_table.asks if one["seat"] == 2] == ["done"]  # as for any seat without a phone
    away.connect()
    assert shown(for_table, "count") == [(True, [2])]


def test_who_is_asked_alone_gives_the_answer_of_ok_on_their_own_phone(rig: Rig) -> None:
    both, last = Phone(rig, "P1", "P2"), Phone(rig, "P3")
    rig.do(LOADING)
    assert (shown(both, "count"), shown(last, "count")) == ([], [])
    rig.do("P1 P2")
    assert shown(last, "count") == [(False, [2])]


def test_the_tables_own_act_stays_a_main_key(rig: Rig) -> None:
    for_table = Phone(rig, "P1").say(table=True)
    Phone(rig, "P2")
    rig.do(READY)
    assert shown(for_table, "place") == [(False, [])]


@needs_chromium
def test_on_the_page_it_stands_below_the_names_of_those_and_apart_from_other_keys(
    tmp_path: Path, chromium: Browser
) -> None:
    complaints: list[str] = []
    with closing(PhoneTable(tmp_path)) as table:
        page = opened(chromium, f"http://{table.host}/", complaints)
        page.locator("#code").tap()
        page.keyboard.insert_text(table.phones.code)
        page.get_by_role("button", name="Join").tap()
        page.get_by_role("button", name="P1").tap()
        table.do(lambda: Phone(table.rig, "P2"))
        page.locator("#settled").tap()
        page.locator("#seats").tap()
        page.locator("#table").tap()
        page.locator("#play").tap()
        table.play(GROOMING)
        small = page.locator("#asks section").filter(has_text="All are done")
        small.wait_for()
        texts = [" ".join(text.split()) for text in page.locator("#asks section").all_inner_texts()]
        page.context.close()
    assert [text for text in texts if "All are done" in text] == ["P1, P2 All are done"]
    assert [text for text in texts if "+1" in text] == ["+1 hustle+1 moxie"]
    assert complaints == []
