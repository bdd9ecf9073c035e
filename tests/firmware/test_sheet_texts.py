"""A sheet's file with other texts: what people read and comments change, what is reckoned stays."""

import re
import tomllib
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine import play as plays
from engine.game import NoOptions
from engine.play import Play
from engine.sheets.reading import read
from engine.sheets.rules import rules
from engine.sheets.sheet import Check, Sheet
from firmware.people import sheet_texts
from tests.simulators.players import random_game

SHELF = Path(__file__).parents[2] / "firmware" / "shelf"
SHEETS = sorted([*SHELF.glob("*.toml"), *(Path(__file__).parents[1] / "engine" / "sheets" / "examples").glob("*.toml")])
WORD = re.compile(r"[^\W\d_]{4,}")

FILE = """# Zorki made it
"title" = "Zorki's game"
players = [2, 4]  # or Zorki alone
source = '''https://zorki.example
Zorki'''
ask = [
  { id = "zorki", title = 'What Zorki has: {low}', words = ["Zorki", "zorki 2", "# Zorki", "\\u005Aorki"] },
]
let.title = "zorki + 1"  # Zorki
check = [{ that = "zorki >= 0", says = "Zorki: \\"no\\"" }]
"""
CHANGED = """# … made it
"title" = "…'s game"
players = [2, 4]  # or … alone
source = '''https://….example
…'''
ask = [
  { id = "zorki", title = 'What … has: {low}', words = ["…", "… 2", "# …", "…"] },
]
let.title = "zorki + 1"  # …
check = [{ that = "zorki >= 0", says = "…: \\"no\\"" }]
"""


def without(name: str, text: str) -> str:
    """The file without a name."""
    return sheet_texts.changed(text, lambda said: re.sub(re.escape(name), "…", said, flags=re.IGNORECASE))


def test_titles_words_sentences_the_source_and_comments_change_and_nothing_else() -> None:
    assert without("zorki", FILE) == CHANGED


def test_a_file_without_the_name_stays_as_it_is() -> None:
    assert without("ben", FILE) == FILE


def test_of_a_file_that_is_no_toml_everything_is_text() -> None:
    assert without("zorki", 'title = "Zorki\nzorki = 1') == 'title = "…\n… = 1'


def test_texts_that_were_different_stay_different() -> None:
    text = (
        'title = "A"\nask = [{ id = "a", title = "Anna" }, { id = "b", title = "ANNA" }, { id = "c", title = "Anna" }]'
    )
    assert re.findall(r'title = "(….*?)"', without("anna", text)) == ["…", "… 2", "…"]


TITLED = 'title = "T"\nplayers = [1, 4]\nrounds = 2\nask = [{ id = "a", title = "%s" }, { id = "b", title = "%s" }]\n'


def test_a_text_with_a_number_is_not_longer_than_before() -> None:
    text = TITLED % (f"Jo {'x' * 37}", f"JO {'x' * 37}")
    read(text)
    assert re.findall(r'title = "(….*?)"', without("jo", text)) == [f"… {'x' * 37}", f"… {'x' * 36} 2"]
    read(without("jo", text))


@pytest.mark.parametrize("name", ["Zorki", r"\u005Aorki", "Zo\\\n  rki"], ids=["plain", "escaped", "over two lines"])
def test_a_long_text_keeps_lines_that_can_be_read(name: str) -> None:
    long = "\\\n".join(f"{'x' * 80} " for _ in range(60))
    text = f'{TITLED % ("A", "B")}check = [{{ that = "1", says = """{name} {long}""" }}]\n'
    changed = without("zorki", text)
    assert says(changed) == says(text).replace("Zorki", "…")


def says(text: str) -> str:
    """What the only check of a sheet says."""
    (check,) = msgspec.convert(read(text).check, tuple[Check, ...])
    return check.says or ""


def test_no_sign_is_taken_for_one_that_the_file_does_not_have() -> None:
    text = 'title = "\ue000"\nsource = "xxxx"\nlet.title = "Zorki"\nsays = "Zorki"\n'
    assert without("zorki", text) == text.replace('says = "Zorki"', 'says = "…"')


@pytest.mark.parametrize(
    "text",
    [
        *('ask = "pips"', "ask = 5", 'ask = ["pips"]', '[ask]\nid = "pips"', "keep = 3", "final = true"),
        *('steps = ["a"]', "let = [1]", f"x = {'[' * 20_000}", f"x = {'[' * 100}{']' * 100}", f"{'a.' * 30_000}a = 1"),
    ],
)
def test_a_file_may_have_anything_in_any_place(text: str) -> None:
    assert without("zorki", f"# Zorki\n{text}") == f"# …\n{text}"
    assert "zorki" not in list(sheet_texts.ids(text))


@pytest.mark.parametrize("name", ["Zorki", "0"], ids=["in none", "in many"])
def test_a_file_is_read_no_more_often_where_it_has_more_texts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wholes = list[str]()
    loads = tomllib.loads

    def counted(text: str) -> dict[str, Any]:
        wholes.extend([text] * ("players" in text))
        return loads(text)

    monkeypatch.setattr(tomllib, "loads", counted)
    many = list[int]()
    for number in (10, 400):
        wholes.clear()
        without(name, f"players = [1, 2]\nwords = [{', '.join(f'{chr(34)}{n:04}{chr(34)}' for n in range(number))}]\n")
        many.append(len(wholes))
    assert many[0] == many[1] <= 3


def test_ids_are_told_as_people_read_them() -> None:
    text = 'ask = [{ id = "won_by" }]\nfinal = [{ id = "rest" }]\nlet.bonus = 1\nkeep.misses = 2\nsteps.fee = { 1 = 2 }'
    assert sorted(sheet_texts.ids(text)) == ["bonus", "fee", "misses", "rest", "won by"]
    assert list(sheet_texts.ids("no toml")) == []


def names(text: str, sheet: Sheet) -> list[str]:
    """Some words of the sheet, and one of its short names."""
    found = sorted({*WORD.findall(text)})
    return [*Random(sheet.title).sample(found, min(3, len(found))), *WORD.findall(sheet.title)[:1]]


def shown(play: Play) -> Any:
    """All of a game that is no text."""
    offers = [(offer.seat, offer.verb, offer.low, offer.high, offer.step) for offer in play.offers]
    return play.over, play.scores, play.winners, play.board, offers


@pytest.mark.parametrize("file", SHEETS, ids=lambda file: file.stem)
def test_each_game_is_replayed_as_before_and_is_of_the_same_kind(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    before = read(text)
    old = rules("sheet:x", before, text)
    game = random_game(old, before.players[0], NoOptions(), 3)
    facts = [*game.facts]
    for name in names(text, before):
        changed = without(name, text)
        new = rules("sheet:x", read(changed), changed)
        again = reduce(plays.fold, facts[1:], plays.opened(new, facts[0]))
        assert (new.kind, shown(again)) == (old.kind, shown(game.play)), name
