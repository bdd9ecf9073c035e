"""Clocks at the table: a sheet's only warn, a game's turn timer warns the same way before it answers."""

from engine.game import NoOptions
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.output import sounds
from firmware.table.playing import begin
from tests.simulators.rig import Rig

TURN = 'title = "T"\nplayers = [2, 4]\nclock = { kind = "turn", seconds = 30 }'


def warned(rig: Rig) -> list[str]:
    """What clocks were heard to say."""
    names = {sounds.HURRY: "hurry", sounds.TIME_UP: "time up"}
    return [names[tune] for tune in rig.tunes if tune in names]


def begun(rig: Rig, text: str = TURN) -> Rig:
    begin(rig.app.table, rules("sheet:test", read(text)), ("P1", "P2"), NoOptions())
    return rig.after(0)


def test_a_clock_warns_says_that_time_is_up_and_counts_on(rig: Rig) -> None:
    begun(rig).do("19s")
    assert "0:11" in rig.reads() and warned(rig) == []
    rig.do("1s")
    assert "0:10" in rig.reads() and warned(rig) == ["hurry"]
    rig.do("10s")
    assert "P1: time is up" in rig.reads() and warned(rig) == ["hurry", "time up"]
    rig.do("12s")
    assert "-0:12" in rig.reads() and warned(rig) == ["hurry", "time up"]


def test_the_display_counts_every_second(rig: Rig) -> None:
    begun(rig)
    for left in ("0:29", "0:28", "0:27"):
        due_ns = rig.app.due_ns
        assert due_ns is not None
        rig.after((due_ns - rig.now_ns) / 1e6)
        assert left in rig.reads()


def test_the_next_turn_is_warned_anew(rig: Rig) -> None:
    begun(rig).do("25s P1 25s")
    assert warned(rig) == ["hurry", "hurry"]


def test_a_short_turn_is_not_hurried_from_its_start(rig: Rig) -> None:
    begun(rig, TURN.replace("30", "8")).do("9s")
    assert warned(rig) == ["time up"]


def test_undo_of_a_turn_that_was_passed_does_not_warn_twice(rig: Rig) -> None:
    begun(rig).do("25s P1 1s undo 2s")
    assert warned(rig) == ["hurry"]
    assert "0:0" in rig.reads()


def test_a_turn_timer_of_a_game_warns_the_same_way(rig: Rig) -> None:
    rig.do("game[if_it_fits 2 turn_timer_s=30]")
    while not any(offer.verb == "timer" for offer in rig.playing.play.offers):
        rig.do("P1 P2")
    rig.do("ok 31s")
    assert warned(rig) == ["hurry", "time up"]
