"""Faults of the strip change nothing in the game; what others do to it is mended, or named, while a game is played."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine import games
from engine.play import Fact
from firmware.journal.reader import History
from hardware.parts.strip import OFF, talk
from tests.simulators import evenings
from tests.simulators.plugged_wled import PluggedWled
from tests.simulators.serial_faults import StormyPort
from tests.simulators.strip_rig import StripRig
from tests.simulators.waiting import comes
from tests.simulators.wled import Wled


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


class AtPlay:
    """A game under way with a WLED."""

    def __init__(self, folder: Path) -> None:
        self._plugged = PluggedWled(folder, 60)
        self._plugged.plug()
        self.wled = self._plugged.wled
        self.rig = StripRig(folder, str(self._plugged.port))
        self.rig.do("game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3")

    def is_right(self) -> bool:
        """Whether the strip shows the table's picture."""
        self.rig.after(1)
        return self._plugged.lamps == self.rig.app.table.pixels(60) != (OFF,) * 60

    def asks_twice(self) -> bool:
        """Wait until the kit has asked twice from now on: it has mended what it can."""
        asked = self.wled.asked
        return comes(lambda: self.wled.asked >= asked + 2)

    def noted(self) -> list[str]:
        """What the display has said of the strip."""
        self.rig.after(1)
        return [said for _, text in self.rig.app.table.flashes if "strip" in (said := text.words())]

    def close(self) -> None:
        self.rig.close()
        self._plugged.unplug()


@pytest.fixture
def at_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AtPlay]:
    """A game under way, with a minute of asking that lasts 0.3 s."""
    monkeypatch.setattr(talk, "ASK_S", 0.3)
    monkeypatch.setattr(talk, "REFRESH_S", 0.1)
    monkeypatch.setattr(talk, "DOUBTFUL_S", (0.2, 0.1))
    made = AtPlay(tmp_path)
    assert comes(made.is_right)
    yield made
    made.close()


SPOILS: dict[str, Callable[[Wled], None]] = {
    "switched off": lambda wled: setattr(wled, "on", False),
    "dimmed": lambda wled: setattr(wled, "brightness", 10),
    "its segment switched off": lambda wled: setattr(wled, "segments", [{"on": False}]),
    "divided into two": lambda wled: setattr(wled, "segments", [{"stop": 30}, {"start": 30}]),
    "the nightlight": lambda wled: wled.fade_out(time.monotonic()),
}


@pytest.mark.parametrize("spoils", SPOILS.values(), ids=SPOILS)
def test_what_somebody_does_by_wleds_app_during_a_game_is_mended(
    spoils: Callable[[Wled], None], at_play: AtPlay
) -> None:
    spoils(at_play.wled)
    assert (at_play.asks_twice(), comes(at_play.is_right), at_play.noted(), at_play.wled.faults) == (True, True, [], [])


def test_another_program_that_holds_a_wled_during_a_game_is_named_once_on_the_display_and_in_the_log(
    at_play: AtPlay, capsys: pytest.CaptureFixture[str]
) -> None:
    at_play.wled.live = "E1.31"
    held = "strip: another program holds it live: E1.31, 192.168.1.20"
    assert (comes(lambda: at_play.noted() == [held]), at_play.asks_twice(), at_play.noted()) == (True, True, [held])
    at_play.wled.live = ""
    assert comes(lambda: at_play.noted() == [held, "strip is back"])
    assert (comes(at_play.is_right), capsys.readouterr().err) == (True, f"{held}\nstrip is back\n")
