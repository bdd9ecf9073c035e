"""What the house tells its followers: when, to whom, and with the fields that are promised."""

import json
import re
from collections.abc import Iterator
from operator import is_
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

import msgspec
import pytest

from firmware.messages import Follower, OnPage, OnPhone, TableNews
from firmware.panel import server
from firmware.phones.hub import Phones
from tests.simulators.phone import SPACES, Phone, let_in
from tests.simulators.rig import Rig

ROOT = Path(__file__).parents[2]
KINDS = tuple(TableNews.__annotations__)
RACED = "people[Anna] [Kitty Paw] P1*2 P2 ok*2 +P1,P2 3100 -P1,P2 P2 300 P1 300"


def parts(kind: Any) -> Iterator[Any]:
    """What a type is made of, itself first."""
    yield kind
    for part in get_args(kind):
        yield from parts(part)


def tables(told: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """The fields of what is told, by the keys that lead there."""
    for key, kind in get_type_hints(told).items():
        for part in filter(is_typeddict, parts(kind)):
            yield f"{path}{key}", list(part.__annotations__)
            yield from tables(part, f"{path}{key}.")


def plain(told: object) -> Any:
    """As it is sent."""
    return json.loads(json.dumps(told))


@pytest.fixture(scope="module")
def documented() -> dict[str, list[str]]:
    """The fields in docs/protocol.md, by the keys that lead there."""
    text = (ROOT / "docs" / "protocol.md").read_text()
    _, _, text = text.partition("\n# What pages are told\n")
    found = re.findall(r"^\| (?:key of `([\w.]+)`|kind) \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    first = {path: " ".join(re.findall(r"^\| ([^|]*)\|", rows, re.MULTILINE)) for path, rows in found}
    return {path: re.findall(r"`(\w+)`", column) for path, column in first.items()}


PAGES = (TableNews, OnPage, OnPhone)
FIELDS = {"": [*dict.fromkeys(kind for told in PAGES for kind in told.__annotations__)]} | {
    path: fields for told in PAGES for path, fields in tables(told)
}


@pytest.mark.parametrize(("path", "fields"), FIELDS.items(), ids=FIELDS)
def test_every_field_is_documented_in_its_order(documented: dict[str, list[str]], path: str, fields: list[str]) -> None:
    assert documented[path] == fields


def test_what_is_told_in_a_game_has_the_fields_and_types_that_are_promised(rig: Rig) -> None:
    told: list[TableNews] = []
    rig.app.follow(told.append, *KINDS)
    rig.do(f"{RACED} yes ok 6s menu[Main menu]")
    newest = plain({kind: value for news in told for kind, value in news.items() if value})
    assert newest.keys() == {*KINDS} - {
        "certificate",
        "clocks",
        "count",
        "rounds",
        "sought",
    }  # not measured, no clock, no countdown, no table of rounds, nothing to look for
    assert plain(msgspec.convert(newest, TableNews)) == newest  # which drops fields that are not promised


@pytest.mark.parametrize("game", [RACED, SPACES], ids=["options", "numbers"])
def test_what_a_phone_is_told_has_the_fields_and_types_that_are_promised(rig: Rig, game: str) -> None:
    let_in(rig)
    phone = Phone(rig, "P1").say(table=True)
    rig.do(game)
    ask, value = next(phone.answers())
    phone.send(ask["id"], value)
    newest = plain(phone.news)
    assert newest.keys() == {
        "game",
        "invites",
        "covered",
        "evidence",
        "count",
        "clocks",
        "rounds",
        "me",
        "refused",
        "agreed",
        "ack",
    }
    assert plain({**msgspec.convert(newest, TableNews), **msgspec.convert(newest, OnPhone)}) == newest


def test_a_follower_is_told_the_kinds_that_it_follows_at_first_and_when_they_change(rig: Rig) -> None:
    told: list[TableNews] = []
    rig.app.follow(told.append, "seats", "people")
    rig.do("people[Anna] 6s")
    assert [sorted(news) for news in told] == [["people", "seats"], ["people"]]


def test_who_follows_later_is_told_what_there_is(rig: Rig) -> None:
    told: list[TableNews] = []
    rig.do(RACED).app.follow(told.append, "scores", "evidence")
    assert [sorted(news) for news in told] == [["evidence", "scores"]]


def test_a_page_of_the_kit_and_a_phone_see_one_photo_finish(rig: Rig) -> None:
    page, phone = list[TableNews](), list[TableNews]()
    rig.app.follow(page.append, *server.Panel.KINDS)
    rig.app.follow(phone.append, *Phones.KINDS)
    rig.do(RACED)
    races = [[race for news in told if (race := news.get("evidence"))] for told in (page, phone)]
    assert races[0] and all(map(is_, *races))


def test_nothing_is_made_of_a_game_that_has_not_changed(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    rig.app.follow(lambda news: None, *KINDS)
    rig.do(RACED)
    monkeypatch.setattr("firmware.news.of_game", made.append)
    rig.do("5s")
    assert made == []


def test_no_words_are_made_where_only_phones_follow(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[object, ...]] = []
    monkeypatch.setattr("firmware.output.spoken.words", lambda *of: made.append(of))
    rig.app.follow(lambda news: None, *Phones.KINDS)
    rig.do(RACED)
    assert made == []


def test_nothing_is_made_where_nobody_follows(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr("firmware.news.of_game", made.append)
    rig.do(RACED)
    assert made == []


def test_only_what_has_changed_is_told() -> None:
    told: list[dict[str, int]] = []
    follower = Follower(told.append, "a", "b")
    for news in ({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2}, {"b": 4}, {"a": 1}):
        follower.show(news)
    assert told == [{"a": 1, "b": 2}, {"b": 4}]


@pytest.mark.parametrize(
    ("kinds", "script"),
    [
        (server.Panel.KINDS, "panel/page/kit.js"),
        (Phones.KINDS, "phones/page/phone.js"),
        (Phones.KINDS, "phones/page/board.js"),
    ],
)
def test_a_page_shows_every_kind_that_it_is_told(kinds: tuple[str, ...], script: str) -> None:
    rounds = ROOT / "firmware" / "panel/page/rounds.js"  # draws the table of rounds on all of them
    text = (ROOT / "firmware" / script).read_text() + rounds.read_text()
    read = re.findall(r"(?:news|heard)(?:\.|\[`)(\w+)", text)
    assert [kind for kind in kinds if kind not in read] == []


HELD = {
    "nobody in the menu": ("", ()),
    "who joined, once they are enough": ("[Kitty Paw] P1 P3", ("P1", "P3")),
    "while who begins is drawn": ("[Kitty Paw] P1 P3 ok [Who begins] +P1", ("P1", "P3")),
    "not once it is known": ("[Kitty Paw] P1 P3 ok [Who begins] ok 9s", ()),
    "all before the signal": ("game[kitty_paw 3]", ("P1", "P2", "P3")),
    "also under the menu": ("game[kitty_paw 3] ok!", ("P1", "P2", "P3")),
    "until it is given": ("game[kitty_paw 2] +P1,P2 500", ("P1", "P2")),
    "then nobody": ("game[kitty_paw 2] +P1,P2 3100", ()),
    "in a countdown with hands on": ("game[pack_and_stack 2 start=hands_on] P1 ok +P1,P2 500", ("P1", "P2")),
    "not in one without": ("game[pack_and_stack 2] P1 ok 500", ()),
}


@pytest.mark.parametrize(("line", "expected"), HELD.values(), ids=HELD)
def test_the_page_is_told_whose_buttons_are_to_be_held(rig: Rig, line: str, expected: tuple[str, ...]) -> None:
    told: list[TableNews] = []
    rig.app.follow(told.append, "hands")
    rig.do(line).after(0)
    assert told[-1] == {"hands": expected}
