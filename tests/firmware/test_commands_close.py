"""Every command closes what it has opened: ResourceWarning is an error, and no connection is left open."""

import os
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.cli.arguments import COMMANDS
from tests.firmware.command import CHECKED, Ran
from tests.simulators.program import Program, played_before
from tests.simulators.resource_leaks import End
from tests.simulators.rig import Rig

EACH: dict[str, tuple[str, ...]] = {  # all but those that run until they are ended
    "check": ("check --self",),
    "calibrate": ("calibrate --wire 25",),
    "replay": ("replay 1", "replay 1 --pictures {new}", "replay 9"),
    "history": (
        "history list",
        "history list --all",
        "history show 1",
        "history show 1 --json",
        "history show 1 --csv",
        "history show 1 --xlsx",
        "history show 1 --picture {new}",
        "history show 9",
        "history evidence 1",
        "history evidence 1 --json",
        "history certificate",
    ),
    "people": ("people", "people --json"),
    "stats": ("stats", "stats --json", "stats Anna", "stats Nobody"),
    "evening": ("evening", "evening --json"),
    "export": ("export", "export --json", "export --bgsplay", "export --semicolon", "export {new}"),
    "backup": ("backup {new}", "backup {journal}"),
    "restore": ("restore {copy}", "restore {text}"),
    "phones": ("phones off",),
    "strip": ("strip test --emulated --seconds 0.01",),
    "config": ("config check",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with a game that is over, of people with names; a copy of its journal; a text."""
    made = tmp_path_factory.mktemp("state")
    rig = Rig(made / "luckypaw").do(
        "people[Anna Ben] [Kitty Paw] P1*2 P2*2 ok*2 +P1,P2 3100 -P1,P2 P2 300 P1 300 6s ok"
    )
    rig.close()
    (made / "copy").write_bytes((made / "luckypaw" / "journal.db").read_bytes())
    (made / "text").write_text("no journal")
    return made


def test_no_command_is_forgotten_here() -> None:
    assert {*EACH, "play", "rules", "game"} == set(COMMANDS)


@pytest.mark.parametrize("words", [words for each in EACH.values() for words in each])
def test_a_command_leaves_nothing_open(
    words: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(folder / "luckypaw"))
    monkeypatch.setattr(os, "nice", lambda by: by)
    places = {"new": tmp_path / "new", "journal": folder / "luckypaw" / "journal.db"}
    given = words.format(**places, copy=folder / "copy", text=folder / "text").split()
    with End(), pytest.raises(SystemExit):
        main(given)


def test_the_rules_leave_nothing_open(folder: Path) -> None:
    assert Ran(("rules", "kitty_paw"), folder).status == 0  # it judges itself


def test_the_kit_leaves_nothing_open(folder: Path) -> None:
    state = str(played_before(folder / "luckypaw"))
    with Program(*CHECKED, "play", "--emulated", "--port", "0", STATE_DIRECTORY=state) as program:
        assert program.end()[::2] == (0, "")
