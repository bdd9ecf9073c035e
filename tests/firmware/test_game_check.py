"""`luckypaw game check FILE`: a score sheet is tried at random."""

import json
import re
from pathlib import Path

from PIL import Image

from tests.engine.sheets.shelf import WIZARD
from tests.firmware.command import Ran


def check(folder: Path, text: str, *words: str | Path) -> Ran:
    file = folder / "wizard.toml"
    file.write_text(text, "utf-8")
    return Ran(("game", "check", file, *words), folder)


def test_a_sheet_is_played_with_the_fewest_and_the_most(tmp_path: Path) -> None:
    ran = check(tmp_path, WIZARD)
    said = [re.sub(r"[\d,]+ answers, |, totals.*", "", line) for line in ran.lines]
    played = ["Wizard, 3 players: 6 games, 20 rounds", "Wizard, 6 players: 6 games, 10 rounds"]
    assert (ran.status, ran.err, said) == (0, "", [*played, "All right."])


def test_its_pictures_stand_on_one_sheet(tmp_path: Path) -> None:
    ran = check(tmp_path, WIZARD.replace("[3, 6]", "[3, 3]"), "--pictures", tmp_path / "pictures")
    (sheet,) = (tmp_path / "pictures").iterdir()
    with Image.open(sheet) as picture:
        assert (ran.status, sheet.name, picture.size) == (0, "wizard-3.png", (1064, 144))


def test_what_only_play_shows_is_named_with_line_and_key(tmp_path: Path) -> None:
    ran = check(tmp_path, WIZARD.replace("sum(won) == round", "sum(won) < 0"))
    assert (ran.status, ran.lines[-1].split(" in ")[0]) == (1, "wizard.toml:10: check 1 that: never held")


def test_a_file_that_is_no_sheet_is_refused(tmp_path: Path) -> None:
    ran = check(tmp_path, WIZARD.replace("points", "pionts"))
    assert (ran.status, ran.out, ran.err.split(" is ")[0]) == (2, "", "luckypaw: wizard.toml:11: pionts:")


def test_all_sheets_are_listed_with_what_is_wrong_in_them(tmp_path: Path) -> None:
    folder = tmp_path / "luckypaw" / "games"
    folder.mkdir(parents=True)
    (folder / "wizard.toml").write_text(WIZARD.replace("points", "pionts"), "utf-8")
    ran = Ran(("game", "list"), tmp_path)
    at = next(n for n, line in enumerate(ran.lines) if "sheet:wizard" in line)
    assert (ran.status, ran.lines[at].split()[:4]) == (1, ["Wizard", "sheet:wizard", "own,", "hides"])
    assert ran.lines[at + 1].startswith("  wizard.toml:11: pionts: is unknown")
    assert any(line.split()[:3] == ["Mölkky", "sheet:molkky", "kit"] for line in ran.lines)


def test_the_schema_is_one_that_editors_read(tmp_path: Path) -> None:
    schema = json.loads(Ran(("game", "schema"), tmp_path).out)
    sheet = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    assert sheet["required"] == ["title", "players"] and not sheet["additionalProperties"]
