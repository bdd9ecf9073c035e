"""Sheets written as TOML: whole ones, and single keys of a file."""

import tomllib
from typing import Any

import pytest

from engine.sheets.reading import read
from firmware.shelf.folders import SHIPPED
from firmware.shelf.writing import changed, statement, written

FILES = sorted(SHIPPED.glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_shipped_sheet_written_anew_is_the_same(file: Any) -> None:
    document = tomllib.loads(file.read_text())
    text = written(document)
    assert (tomllib.loads(text), read(text)) == (document, read(file.read_text()))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_each_key_of_a_shipped_sheet_is_changed_and_the_others_stay(file: Any) -> None:
    text = file.read_text()
    document = tomllib.loads(text)
    for key in document:
        other = changed(text, {key: "other"})
        assert tomllib.loads(other) == document | {key: "other"}
        assert tomllib.loads(changed(other, {key: document[key]})) == document
        assert tomllib.loads(changed(text, {key: None})) == {k: v for k, v in document.items() if k != key}


@pytest.mark.parametrize(
    "value",
    ["", 'a "b" \\ \x7f \t', "ä\n'''b", "two\nlines", "ends with '\n'", True, -5, 1.5, [], {}, [[1], {"a b": {"": 1}}]],
    ids=repr,
)
def test_any_value_comes_back(value: Any) -> None:
    assert tomllib.loads(statement("a", value))["a"] == value


FILE = """# my game
title = "T"  # its name
ask = [ # two
  { id = "a", title = "# [ no comment" },  # the first
  { id = "b" },
]
odd = 1979-05-27
points = '''
a
+ b'''

# of the tables
[keep]
misses = 1
[steps.fee]
1 = 2
"""


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"title": "U"}, 'title = "T"  # its name', 'title = "U"  # its name'),
        ({"points": "a"}, "points = '''\na\n+ b'''", 'points = "a"'),
        ({"points": None}, "points = '''\na\n+ b'''\n", ""),
        ({"rounds": 5}, "ask = [ # two", "rounds = 5\nask = [ # two"),
        ({"end": "x"}, "+ b'''\n", "+ b'''\nend = \"x\"\n"),
        ({"steps": None}, "[steps.fee]\n1 = 2\n", ""),
        (
            {"keep": {"misses": "misses + 1", "b": 0}},
            "# of the tables\n[keep]\nmisses = 1\n",
            'keep.misses = "misses + 1"\nkeep.b = 0\n# of the tables\n',
        ),
        (
            {"ask": [{"id": "c"}]},
            FILE[FILE.index("ask") : FILE.index("odd")],
            '# two\n# the first\nask = [\n  { id = "c" },\n]\n',
        ),
    ],
    ids=lambda one: ",".join(one) if isinstance(one, dict) else "",
)
def test_only_what_is_changed_is_written(changes: dict[str, Any], old: str, new: str) -> None:
    assert changed(FILE, changes).replace("\n\n", "\n") == FILE.replace(old, new).replace("\n\n", "\n")


def test_tables_with_double_brackets_become_a_list_before_the_first_table() -> None:
    text = '[keep]\na = 1\n[[ask]]\nid = "b"\n[[ask]]\nid = "c"\n'
    assert changed(text, {"ask": [{"id": "d"}]}) == 'ask = [\n  { id = "d" },\n]\n[keep]\na = 1\n'


def test_what_cannot_be_taken_apart_is_written_anew() -> None:
    text = '"a.b" = 1\n"ti\\u0074le" = "T"\n'
    assert tomllib.loads(changed(text, {"title": "U", "a.b": 2})) == {"a.b": 2, "title": "U"}
