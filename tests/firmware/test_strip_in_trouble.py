"""Faults on the strip's line change nothing in the game."""

from contextlib import closing
from pathlib import Path

from engine import games
from engine.play import Fact
from firmware.journal.reader import History
from tests.simulators import evenings
from tests.simulators.serial_faults import StormyPort
from tests.simulators.strip_rig import StripRig


def facts(folder: Path, port: str | None) -> tuple[Fact, ...]:
    """A whole game of Kitty Paw: what happened in it, and when."""
    folder.mkdir()
    rig = StripRig(folder, port)
    evenings.kitty_paw(rig)
    rig.close()
    with closing(History(folder / "journal.db")) as history:
        return history.facts(history.games()[0].game, games.rules("kitty_paw"))


def test_a_game_beside_a_strip_in_a_storm_is_the_same_to_the_nanosecond(tmp_path: Path) -> None:
    stormy, beside = StormyPort(tmp_path, 60), list[tuple[Fact, ...]]()
    with stormy.raging() as port:
        while stormy.plugs < 3:  # a game is sooner over than a plug is pulled
            beside.append(facts(tmp_path / f"with {len(beside)}", port))
    assert set(beside) == {facts(tmp_path / "without", None)}
