"""Races of sheets at the table: the next one may be open at once, and takes no slap that was meant for the last."""

from contextlib import closing
from pathlib import Path

from engine.game import NoOptions
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.output import sounds
from firmware.table.playing import begin
from tests.simulators.rig import THREE, Rig
from tests.simulators.undoing import SIX


def begun(rig: Rig, kind: str, players: tuple[str, ...] = THREE) -> Rig:
    text = f'title = "T"\nplayers = [2, 6]\nrounds = 9\nrace = {{ kind = "{kind}" }}'
    begin(rig.app.table, rules("sheet:test", read(text)), players, NoOptions())
    return rig.after(0)


def test_a_slap_after_the_verdict_belongs_to_the_race_that_is_over(rig: Rig) -> None:
    begun(rig, "first").do("+P1 120 +P2 40 +P3 1s -P1,P2,P3")
    assert (rig.scores, rig.state.round.number) == ((1, 0, 0), 2)
    assert "P1 first" in rig.pieces and sounds.FIRST in rig.tunes
    rig.do("1s P2 1s")
    assert (rig.scores, rig.state.round.number) == ((1, 1, 0), 3)


def test_the_last_is_said_and_heard(rig: Rig) -> None:
    begun(rig, "last").do("P1 P2 1s")
    assert "P3 last" in rig.pieces and sounds.LAST in rig.tunes


def test_before_the_next_signal_the_times_can_be_looked_at(rig: Rig) -> None:
    begun(rig, "signal").do("ok 7s P2 P1 2s P3")
    assert rig.top == "Stamps"


def test_those_who_are_still_to_press_are_counted_where_six_names_have_no_room(tmp_path: Path) -> None:
    with closing(Rig(tmp_path, SIX)) as rig:
        assert "5 more: press!" in begun(rig, "last", SIX.names).do("P1 100").pieces
