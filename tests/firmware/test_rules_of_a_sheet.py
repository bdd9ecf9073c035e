"""`luckypaw rules FILE`: a score sheet is driven like any game."""

import json
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest

from firmware.cli import Failure
from firmware.cli.rules import rules_of, serve
from tests.engine.sheets.shelf import WIZARD


def test_a_sheet_is_driven_by_the_ids_of_its_asks(tmp_path: Path) -> None:
    file = tmp_path / "wizard.toml"
    file.write_text(WIZARD, "utf-8")
    rules = rules_of(str(file))
    lines = ['{"players": ["A", "B", "C"]}']
    for verb, numbers in (("bid", (0, 1, 1)), ("won", (0, 1, 0))):
        lines += [json.dumps({"seat": n, "verb": verb, "value": value, "at_ns": 0}) for n, value in enumerate(numbers)]
    out = StringIO()
    serve(rules, BytesIO("\n".join(lines).encode()), out)
    last = json.loads(out.getvalue().splitlines()[-1])
    assert (rules.name, last["board"]["scores"], last["board"]["round"]) == ("sheet:wizard", [20, 30, -10], 2)


def answers(tmp_path: Path, *lines: object) -> list[dict[str, Any]]:
    """What is answered to these lines once a round of Wizard is counted; the second is bid."""
    file = tmp_path / "wizard.toml"
    file.write_text(WIZARD, "utf-8")
    given: list[object] = [{"players": ["A", "B", "C"]}]
    for verb, numbers in (("bid", (0, 1, 1)), ("won", (0, 1, 0))):
        given += [{"seat": n, "verb": verb, "value": value, "at_ns": 0} for n, value in enumerate(numbers)]
    out = StringIO()
    serve(rules_of(str(file)), BytesIO("\n".join(map(json.dumps, (*given, *lines))).encode()), out)
    return [json.loads(line) for line in out.getvalue().splitlines()[len(given) :]]


def amend(*numbers: object, round_: object = 1) -> dict[str, Any]:
    return {"amend": {"round": round_, "numbers": [*numbers]}}


def number(seat: object, ask: object, value: object) -> dict[str, Any]:
    return {"seat": seat, "ask": ask, "value": value}


def test_an_earlier_round_is_put_right_and_undone(tmp_path: Path) -> None:
    right, undone = answers(tmp_path, amend(number(1, "won", 0), number(2, "won", 1)), {"undo": True})
    assert (right["board"]["scores"], undone["board"]["scores"]) == ([20, -10, 30], [20, 30, -10])
    assert right["events"] == [{"event": "Amended", "round": 1, "numbers": [[1, 1, 0], [2, 1, 1]]}]


@pytest.mark.parametrize(
    ("line", "kind", "error"),
    [
        ({"amend": 3}, "bad_line", "amend: must be an object with round and numbers, a list"),
        ({"amend": {"round": 1}}, "bad_line", "amend: must be an object with round and numbers, a list"),
        ({**amend(), "seat": 1}, "bad_line", "'seat' is unknown: must be amend"),
        (amend(round_="1"), "bad_line", "amend round = '1': must be a whole number"),
        (amend({"seat": 1}), "bad_line", "amend numbers: each must be an object with seat, ask and value"),
        (amend(number("1", "bid", 0)), "bad_line", "amend numbers: {'seat': '1', 'ask': 'bid', 'value': 0}: must be"),
        (amend(number(1, "bid", True)), "bad_line", "amend numbers: {'seat': 1, 'ask': 'bid', 'value': True}: must be"),
        (amend(number(1, "bid", 0), round_=2), "bad_value", "round 2: must be one of 1"),
        (amend(number(1, "bid", 2)), "bad_value", "P2, bid 2: must be from 0 to 1"),
        (amend(number(1, "won", 0)), "bad_value", "round 1: Tricks must add up to 1"),
    ],
)
def test_an_earlier_round_is_put_right_only_by_numbers_that_fit(
    tmp_path: Path, line: object, kind: str, error: str
) -> None:
    (answer,) = answers(tmp_path, line)
    assert (answer["kind"], answer["error"][: len(error)]) == (kind, error)


def test_what_is_wrong_in_a_sheet_is_said_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "T"\nplayers = [1, 2]\n\ncolour = "red"\n', "utf-8")
    with pytest.raises(Failure, match=r"^mine\.toml:4: colour: is unknown: must be one of title, "):
        rules_of(str(file))


@pytest.mark.parametrize(
    ("game", "says"), [("nowhere.toml", "No such file"), ("nowhere", "game 'nowhere' is unknown"), ("/", "is unknown")]
)
def test_what_is_no_sheet(game: str, says: str) -> None:
    with pytest.raises(Failure, match=says):
        rules_of(game)
