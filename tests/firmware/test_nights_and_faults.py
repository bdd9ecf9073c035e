"""Nights, stuck buttons, lost parts, and a log of them."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine import games
from engine.face import USUAL
from engine.game import Question
from firmware.journal import sheet
from firmware.journal.reader import History
from firmware.output import screens, strip_picture
from firmware.table.app import JournalTrouble, SignalGiven
from firmware.table.table import BRIGHT, DIM
from firmware.translation import lazy
from hardware.config import TABLE
from hardware.parts.strip import OFF
from tests.firmware.outcomes import outcomes
from tests.simulators import evenings
from tests.simulators.rig import Rig

HOUR_MS = 3_600_000
FLASH = "+P1,P2,P3 3100 -P1,P2,P3 4000"
BUILDING = f"game[kitty_paw 3] {FLASH}"  # the stopwatch runs
VERDICT = f"{BUILDING} P2 300 P1 2500"
DARK = f"{BUILDING} unplug[display]"
FIXED = f"{BUILDING} P1 100 menu[Fix points] ok turn+3 ok undo"
WITHOUT_P2 = "game[pack_and_stack 4] lost[P2] 6s"
RACED = f"{WITHOUT_P2} ok*2 3300 P1 100 P3 100 P4 1700 ok*2"

EVENINGS = {
    "a race left overnight still takes the first press": (f"{BUILDING} 31min stall[32400000] 31min P2 100", "P2 MEOW!"),
    "OK on a sleeping kit only wakes it": ("31min ok", "which game? 1/9"),
    "a button held for ten seconds is named": ("+P2 10500", "P2 is stuck: let it go"),
    "a lost button is named with its pin": ("lost[P2]", "button P2 lost: GPIO 13: | the chip is gone"),
    "a lost strip is named": ("unplug[strip] 10", "strip lost: unplugged"),
    "a lost display is picked up where things stand": (f"{DARK} P2 200 replug[display] P1 2500 6s", "Pattern right?"),
    "the control answers for a seat without a button and says so": (WITHOUT_P2, "OK: for P2"),
    "the control counts for it": (RACED, "for P2: turn, OK"),
    "OK does what the bottom row says": (RACED, "Empty spaces?"),
    "undo after a new boot never lands in a race of the old one": (f"{VERDICT} reboot ok undo", "HANDS ON"),
    "a question from before a new boot is asked again": (f"{VERDICT} reboot ok 2500", "Pattern right?"),
    "a limit that has run out scraps the round": (f"game[kitty_paw 3 round_limit_s=5] {FLASH} 4s", "remove 4 cards"),
    "not again after an undo": (f"game[kitty_paw 3 round_limit_s=5] {FLASH} 4s undo P2 100", "P2 MEOW!"),
    "a correction in mid-race is undone by itself": (FIXED, "P1 MEOW!"),
    "after five minutes the display dims": ("301s", "display.level", DIM),
    "a press makes it bright again": ("6min P1", "display.level", BRIGHT),
    "a press on a sleeping kit only wakes it": ("[Kitty Paw] 31min P1", "lit", set()),
    "a stuck button is in play again once it is let go": ("[Kitty Paw] +P2 10500 -P2 100 P2*2", "lit", {"P2"}),
    "a button held overnight does no harm": (f"{BUILDING} +P3 10h", "scores", (0, 0, 0)),
    "numbers of a knob count without a button": (f"{RACED} turn+7 P1=3 P3=1 P4=1 ok*6", "scores", (72, 68, 84, 84)),
    "points fixed in mid-race are taken back": (FIXED, "scores", (0, 0, 0)),
    "a game left overnight stands where it stood": ("game[kitty_paw 3]", "same", "10h P1"),
    "the strip is dark while the kit sleeps": ("31min", "pixels", (OFF,) * 60),
    "holding is no fault where it is asked for": ("game[kitty_paw 3] +P1,P2 20s", "hides", "stuck"),
    "parts that are lost together are one note": ("lost[P1] lost[P2] lost[P3]", "the chip is gone. And 2 | more parts"),
    "a part that is lost later has a note of its own": ("lost[P1] 2000 lost[P2]", "button P2 lost: GPIO 13:"),
}

test_an_evening = outcomes(EVENINGS)


def test_after_half_an_hour_only_a_paw_is_lit(rig: Rig) -> None:
    rig.do("31min")
    assert sum(rig.picture.tobytes().count(byte) * byte.bit_count() for byte in range(256)) < 200


def test_the_paw_wanders(rig: Rig) -> None:
    first = rig.do("31min").picture.tobytes()
    assert rig.do("1min").picture.tobytes() != first


@pytest.mark.parametrize(("line", "most"), [("", 2 * 3600 - 1), ("31min", 181)], ids=["in the menu", "asleep"])
def test_a_kit_is_hardly_ever_woken(rig: Rig, line: str, most: int) -> None:
    count, end_ns = 0, rig.do(line).now_ns + HOUR_MS * 1_000_000
    while (due_ns := rig.app.due_ns) is not None and due_ns <= end_ns:
        rig.now_ns = max(rig.now_ns + 1, due_ns)
        rig.app.step(rig.now_ns)
        count += 1
    assert count <= most


def test_a_strip_that_is_back_shows_what_stands_now(rig: Rig) -> None:
    rig.do(f"{BUILDING} unplug[strip] P2 200 replug[strip]")
    assert rig.pixels == strip_picture.pixels(rig.app.table.light(), 60)


LOST = "button P1 lost: GPIO 13: the chip is gone\n"
LOGGED = {
    "stuck": ("+P2 12s", "P2 is stuck: let it go\n"),
    "works again": ("+P2 12s -P2", "P2 is stuck: let it go\nP2 works again\n"),
    "back": ("unplug[strip] 10 replug[strip]", "strip lost: unplugged\nstrip is back\n"),
    "held as it was lost, and so not stuck": ("+P1 100 lost[P1]", LOST),
    "lost together, each by its name": ("lost[P1] lost[P2]", LOST + LOST.replace("P1", "P2")),
}


@pytest.mark.parametrize(("line", "log"), LOGGED.values(), ids=LOGGED)
def test_what_is_said_of_the_kit_stands_in_the_log_once(
    rig: Rig, capfd: pytest.CaptureFixture[str], line: str, log: str
) -> None:
    rig.do(f"{line} 20s")
    assert capfd.readouterr().err == log


def test_so_does_what_is_said_of_storage_but_nothing_of_the_game(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    for text in ("the disk is full", None):
        rig.app.post(JournalTrouble(text))
        rig.after(20_000)
    rig.app.table.refuse(lazy("only 2 to 6 can play"))
    rig.after(100)
    assert capfd.readouterr().err == "NOT SAVED: the disk is full. The game goes on\nsaving works again\n"


def test_a_log_that_nobody_reads_ends_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stderr", full)
        rig.report("display", "display lost: unplugged")
        assert "display lost: unplugged" in rig.after(10).reads()
        monkeypatch.undo()
        with suppress(OSError):
            full.close()


def test_a_button_that_was_held_as_it_was_lost_counts_with_its_next_press(rig: Rig) -> None:
    joined = rig.do("[Kitty Paw] +P2 100").lit
    rig.do("lost[P2] 2000").report("button P2", None)
    assert (joined, rig.do("10 +P2 100 -P2").lit) == (frozenset({"P2"}), frozenset())


def test_a_step_is_shown_only_once_it_is_committed(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig.do(BUILDING).app.journal, "_on_commit", lambda ticket: None)  # the disk takes its time
    assert "P2 MEOW!" not in rig.do("P2 300").reads()
    assert "NOT SAVED: saving takes" in rig.do("1200").reads()


def every(kind: type[Question[Any]]) -> Iterator[type[Question[Any]]]:
    """A class and all that derive from it."""
    yield kind
    for one in kind.__subclasses__():
        yield from every(one)


@pytest.mark.parametrize("game", [evenings.kitty_paw, evenings.pack_and_stack])
def test_the_generic_screen_plays_a_whole_game(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, game: Callable[..., tuple[int, ...]]
) -> None:
    monkeypatch.setattr(screens, "_drawings", lambda game: {})
    for question in every(Question):
        monkeypatch.setattr(question, "face", lambda ask, state: USUAL, raising=False)
    seen: list[str] = []
    assert game(rig, lambda phase: seen.append(rig.reads())) == rig.scores
    assert all(seen) and "WIN" in rig.reads()


@pytest.fixture
def bare(tmp_path: Path) -> Rig:
    """A kit without lamps and without a buzzer: its picture is the go-signal."""
    players = tuple(structs.replace(player, lamp=None) for player in TABLE.players)
    kit = Rig(tmp_path, structs.replace(TABLE, players=players, buzzer=None))
    return kit.do("game[pack_and_stack 3] P1 ok 1000")


def test_without_lamps_and_buzzer_the_picture_is_the_signal(bare: Rig) -> None:
    assert "FLIP!" in bare.after(2100).reads()


def test_a_display_that_is_lost_at_the_signal_holds_the_race_up_for_half_a_second(bare: Rig) -> None:
    phases = [bare.do(line).at("board.race.phase") for line in ("unplug[display] 2430", "20")]
    assert (phases, bare.do("500 P1 100 P2 200").state.round.last) == (["armed", "running"], (2,))


def test_a_picture_that_comes_when_it_is_no_signal_any_more_begins_no_race(bare: Rig) -> None:
    bare.do("ok 1000").app.post(SignalGiven(bare.now_ns))
    assert bare.after(10).at("board.race.phase") == "armed"


def test_the_score_sheet_is_the_same_after_a_new_start_and_an_undo(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{VERDICT} yes ok*2 restart ok ok! ok*2")
    with closing(History(tmp_path / "journal.db")) as history:
        assert sheet.lines(history.play(1, games.rules("kitty_paw"))) == sheet.lines(rig.playing.play)
