"""`luckypaw rules FILE`: a score sheet is driven like any game."""

import json
from io import BytesIO, StringIO
from pathlib import Path

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
