"""The kit with its parts on threads of their own, in real time."""

import time
from pathlib import Path

from msgspec import structs

from engine import games
from engine.play import next_due
from engine.rules import Action
from firmware.table.app import App
from firmware.table.playing import Playing, begin
from hardware.config import TABLE
from hardware.kit import open_emulated


def test_the_picture_that_is_the_signal_is_stamped_when_it_stands(tmp_path: Path) -> None:
    players = tuple(structs.replace(player, lamp=None) for player in TABLE.players)
    kit = open_emulated(structs.replace(TABLE, players=players, buzzer=None, strip=None), lambda *_: None)
    app = App(kit, tmp_path, now_ns=time.monotonic_ns())
    begin(app.table, games.rules("pack_and_stack"), ("P1", "P2", "P3"), games.rules("pack_and_stack").options())
    playing = app.table.top
    assert isinstance(playing, Playing)
    playing.answer(Action(0, "youngest", None, time.monotonic_ns()))
    playing.answer(Action(None, "deal", None, time.monotonic_ns() - 2_800_000_000))  # the countdown is nearly over
    due = next_due(playing.play)
    assert due is not None and due.due_ns is not None
    while any(offer.verb == "go" for offer in playing.play.offers):
        app.step(time.monotonic_ns())
        time.sleep(0.005)
    late_ms = (playing.play.state.ask.race.go_ns - due.due_ns) / 1e6
    app.close()
    assert late_ms < 400  # else it was not the picture's stamp but the last resort for a lost display
