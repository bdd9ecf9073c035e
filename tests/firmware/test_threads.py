"""The kit with its parts on threads of their own, in real time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs
from PIL import Image

from engine import games
from engine.rules import Action
from firmware.faults import reporting_threads
from firmware.journal.file import open_to_read
from firmware.table.app import App
from firmware.table.playing import Playing, begin
from hardware.config import TABLE
from hardware.kit import open_emulated
from tests.simulators.waiting import PATIENCE_S, comes


def test_the_picture_that_is_the_signal_is_stamped_when_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = tuple(structs.replace(player, lamp=None) for player in TABLE.players)
    kit = open_emulated(structs.replace(TABLE, players=players, buzzer=None, strip=None), lambda *_: None)
    monkeypatch.setattr("firmware.table.playing.SIGNAL_NS", round(PATIENCE_S * 1e9))  # the display is not lost
    stamps: list[int] = []
    app = App(kit, tmp_path, now_ns=time.monotonic_ns())
    show = kit.display.show

    def noted(picture: Image.Image, on_shown: Callable[[int], None] | None = None) -> None:
        def shown(at_ns: int) -> None:
            stamps.append(at_ns)
            if on_shown is not None:
                on_shown(at_ns)

        show(picture, shown)

    monkeypatch.setattr(kit.display, "show", noted)
    begin(app.table, games.rules("pack_and_stack"), ("P1", "P2", "P3"), games.rules("pack_and_stack").options())
    playing = app.table.top
    assert isinstance(playing, Playing)
    playing.answer(Action(0, "starter", None, time.monotonic_ns()))
    playing.answer(Action(None, "deal", None, time.monotonic_ns() - 2_800_000_000))  # the countdown is nearly over
    while any(offer.verb == "go" for offer in playing.play.offers):
        app.step(time.monotonic_ns())
        time.sleep(0.005)
    app.close()
    assert playing.play.state.ask.race.go_ns in stamps


def test_a_thread_that_ends_by_an_error_is_told_like_a_part() -> None:
    reports: list[tuple[str, str | None]] = []

    def fails() -> None:
        raise ValueError("no\nsuch thing")

    with reporting_threads(lambda name, text: reports.append((name, text))):
        thread = threading.Thread(target=fails, name="reader")
        thread.start()
        thread.join()
    ((name, text),) = reports
    assert (name, str(text).split(" (")[0]) == ("thread reader", "reader has ended: ValueError: no such thing")


def test_a_kit_that_ends_waits_for_whoever_reads_its_journal(tmp_path: Path) -> None:
    """A log stays behind whatever is closed last, if that only reads."""
    app = App(open_emulated(TABLE, lambda *_: None), tmp_path, now_ns=time.monotonic_ns())
    opened, go_on = threading.Event(), threading.Event()

    def reads(path: Path) -> Iterator[int]:
        with closing(open_to_read(path)) as db:
            opened.set()
            go_on.wait(PATIENCE_S)
            time.sleep(0.05)
            yield db.execute("select count(*) from game").fetchone()[0]

    assert comes((tmp_path / "journal.db").exists)
    app.reader.ask(reads, lambda _: None)
    assert opened.wait(PATIENCE_S)
    go_on.set()
    app.close()
    assert [file.name for file in tmp_path.glob("journal.db*")] == ["journal.db"]
