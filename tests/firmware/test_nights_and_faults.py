"""What happens to a kit on a real table: nights, stuck buttons, lost parts, storage that fails."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from msgspec import structs

from engine import games
from firmware import lights, screens
from firmware.journal import sheet
from firmware.journal.reader import History
from firmware.table.app import Trouble
from firmware.table.table import BRIGHT, DIM
from hardware.config import TABLE
from hardware.strip import OFF
from tests.simulators import evenings
from tests.simulators.rig import Rig

THREE = ("P1", "P2", "P3")
MINUTE = 60_000
HOUR = 60 * MINUTE


@pytest.fixture
def building(rig: Rig) -> Rig:
    """Three players are building; the stopwatch runs."""
    return evenings.flash(rig.begin("Kitty Paw", *THREE))


def steps_in(rig: Rig, ms: int) -> int:
    """How often the loop is wanted in a time."""
    count, end_ns = 0, rig.now_ns + ms * 1_000_000
    while (due_ns := rig.app.due_ns) is not None and due_ns <= end_ns:
        rig.now_ns = max(rig.now_ns + 1, due_ns)
        rig.app.step(rig.now_ns)
        count += 1
    rig.now_ns = end_ns
    return count


def test_a_game_left_overnight_stands_where_it_stood(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE)
    before = rig.playing.play
    rig.after(10 * HOUR).tap("P1")
    assert rig.playing.play.state == before.state


def test_a_race_left_overnight_still_takes_the_first_press(building: Rig) -> None:
    assert "P2 MEOW!" in building.after(10 * HOUR).tap("P2").after(100).reads()


def test_after_five_minutes_the_display_dims(rig: Rig) -> None:
    rig.after(5 * MINUTE + 1000)
    assert rig.display.level == DIM


def test_a_press_makes_it_bright_again(rig: Rig) -> None:
    rig.after(6 * MINUTE).tap("P1")
    assert rig.display.level == BRIGHT


def test_after_half_an_hour_only_a_paw_is_lit(rig: Rig) -> None:
    rig.after(31 * MINUTE)
    assert sum(rig.picture.tobytes().count(byte) * byte.bit_count() for byte in range(256)) < 200


def test_the_paw_wanders(rig: Rig) -> None:
    first = rig.after(31 * MINUTE).picture.tobytes()
    assert rig.after(MINUTE).picture.tobytes() != first


def test_the_strip_is_dark_while_the_kit_sleeps(rig: Rig) -> None:
    assert set(rig.after(31 * MINUTE).pixels) == {OFF}


def test_a_press_on_a_sleeping_kit_only_wakes_it(rig: Rig) -> None:
    rig.ok().after(31 * MINUTE).tap("P1")
    assert rig.lit == frozenset()


def test_ok_on_a_sleeping_kit_only_wakes_it(rig: Rig) -> None:
    assert "which game?" in rig.after(31 * MINUTE).ok().reads()


def test_a_kit_in_the_menu_is_hardly_ever_woken(rig: Rig) -> None:
    assert steps_in(rig, HOUR) < 2 * 3600


def test_a_sleeping_kit_is_woken_only_for_its_paw(rig: Rig) -> None:
    rig.after(31 * MINUTE)
    assert steps_in(rig, HOUR) <= 181


def test_a_button_held_for_ten_seconds_is_named(rig: Rig) -> None:
    assert "P2 is stuck: let it go" in rig.down("P2").after(10_500).reads()


def test_a_stuck_button_is_in_play_again_once_it_is_let_go(rig: Rig) -> None:
    rig.ok().down("P2").after(10_500).up("P2").after(100).tap("P2").tap("P2")
    assert rig.lit == {"P2"}


def test_a_button_held_overnight_does_no_harm(building: Rig) -> None:
    building.down("P3").after(10 * HOUR)
    assert building.playing.play.scores == (0, 0, 0)


def test_holding_is_no_fault_where_it_is_asked_for(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE).down("P1", "P2").after(20_000)
    assert "stuck" not in rig.reads()


def test_a_lost_display_is_announced_and_picked_up_where_things_stand(building: Rig) -> None:
    building.display.unplug()
    building.tap("P2").after(200)
    building.display.replug()
    building.tap("P1").after(2500)
    assert "Pattern right?" in building.after(6000).reads()


def test_a_lost_strip_is_named_once(rig: Rig) -> None:
    assert rig.strip is not None
    rig.strip.unplug()
    assert "strip lost: unplugged" in rig.after(10).reads()


def test_a_strip_that_is_back_shows_what_stands_now(building: Rig) -> None:
    assert building.strip is not None
    building.strip.unplug()
    building.tap("P2").after(200)
    building.strip.replug()
    assert building.pixels == lights.pixels(building.app.table.light(), 60)


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (lambda rig: rig.down("P2").after(12_000), "P2 is stuck: let it go\n"),
        (lambda rig: rig.down("P2").after(12_000).up("P2"), "P2 is stuck: let it go\nP2 works again\n"),
        (lambda rig: rig.strip.unplug(), "strip lost: unplugged\n"),
        (lambda rig: (rig.strip.unplug(), rig.after(10), rig.strip.replug()), "strip lost: unplugged\nstrip is back\n"),
        (lambda rig: rig.app.post(Trouble("the disk is full")), "NOT SAVED: the disk is full. The game goes on\n"),
        (
            lambda rig: (rig.app.post(Trouble("the disk is full")), rig.app.post(Trouble(None))),
            "NOT SAVED: the disk is full. The game goes on\nsaving works again\n",
        ),
    ],
    ids=["stuck", "works again", "lost", "back", "not saved", "saved again"],
)
def test_what_is_said_of_the_kit_stands_in_the_log_once(
    rig: Rig, capfd: pytest.CaptureFixture[str], happens: Callable[[Rig], object], said: str
) -> None:
    happens(rig)
    rig.after(20_000)
    assert capfd.readouterr().err == said


def test_a_journal_that_is_set_aside_stands_in_the_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "journal.db").write_bytes(b"no journal at all")
    Rig(tmp_path).close()
    assert capfd.readouterr().err.startswith("journal (damaged) kept, new one begun: damaged-")


def test_what_is_said_of_the_game_does_not_stand_in_the_log(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.app.table.refuse("only 2 to 6 can play")
    rig.after(100)
    assert capfd.readouterr().err == ""


def test_a_log_that_nobody_reads_ends_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stderr", full)
        rig.report("display", "display lost: unplugged")
        assert "display lost: unplugged" in rig.after(10).reads()
        monkeypatch.undo()
        with suppress(OSError):
            full.close()


CHIP = ("button P1", "button P2", "lamp P1")


def test_parts_that_are_lost_together_are_one_note(rig: Rig) -> None:
    for part in CHIP:
        rig.report(part, f"{part} lost: GPIO 5: its chip is gone")
        rig.after(20)
    assert "button P1 lost: GPIO 5: | its chip is gone. And 2 | more parts" in rig.reads()


def test_of_parts_that_are_lost_together_the_log_names_each(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    for part in CHIP:
        rig.report(part, f"{part} lost")
        rig.after(20)
    assert capfd.readouterr().err.splitlines() == [f"{part} lost" for part in CHIP]


def test_a_part_that_is_lost_later_has_a_note_of_its_own(rig: Rig) -> None:
    rig.report("button P1", "button P1 lost: GPIO 5 is busy")
    rig.after(10).after(2000).report("lamp P1", "lamp P1 lost: GPIO 12 is busy")
    assert "lamp P1 lost: GPIO 12 is | busy" in rig.after(10).reads()


def test_a_button_that_was_held_as_it_was_lost_counts_with_its_next_press(rig: Rig) -> None:
    joined = rig.ok().down("P2").after(100).lit
    rig.report("button P2", "button P2 lost: GPIO 13: its chip is gone")
    rig.after(2000).report("button P2", None)
    assert (joined, rig.after(10).down("P2").after(100).up("P2").lit) == (frozenset({"P2"}), frozenset())


def test_a_button_that_was_held_as_it_was_lost_is_not_stuck(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    rig.down("P2").after(100).report("button P2", "button P2 lost")
    rig.after(20_000)
    assert capfd.readouterr().err == "button P2 lost\n"


def test_storage_that_fails_is_said_and_the_game_goes_on(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE)
    rig.app.table.trouble("cannot save: disk full")
    rig.app.step(rig.now_ns)
    assert "NOT SAVED" in rig.reads()
    rig.after(6000)
    evenings.flash(rig).tap("P2").after(300).tap("P1").after(200).yes().ok()
    assert rig.scores == (0, 6, -1)


def fails(*args: object, **more: object) -> sqlite3.Connection:
    """A disk that cannot be opened."""
    raise sqlite3.OperationalError("disk I/O error")


@pytest.fixture
def unsaved(building: Rig, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """The disk fails after the Meow of P2, and stays away; the note has gone."""
    monkeypatch.setattr("firmware.journal.writer.sqlite3.connect", fails)
    assert building.app.journal._db is not None  # noqa: SLF001
    building.app.journal._db.close()  # noqa: SLF001
    building.tap("P2").after(300)
    assert "NOT SAVED" in building.reads()
    return building.after(6000)


def test_every_step_is_seen_while_storage_fails(unsaved: Rig) -> None:
    assert "P1 LAST" in unsaved.tap("P3").after(100).reads()


def test_what_storage_missed_is_written_when_it_is_back(
    unsaved: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    unsaved.tap("P3").after(3000).yes().ok()
    monkeypatch.undo()
    unsaved.ok().after(100)
    assert History(tmp_path / "journal.db").play(1, games.rules("kitty_paw")).scores == unsaved.scores == (-1, 6, 0)


def test_a_step_is_shown_only_once_it_is_committed(building: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building.app, "_committed", lambda ticket: None)
    building.app.journal._on_commit = lambda ticket: None  # noqa: SLF001  (a disk that takes its time)
    building.tap("P2").after(300)
    assert "P2 MEOW!" not in building.reads()


def test_saving_that_takes_long_is_said(building: Rig) -> None:
    building.app.journal._on_commit = lambda ticket: None  # noqa: SLF001
    assert "NOT SAVED: saving takes" in building.tap("P2").after(1500).reads()


def test_the_generic_screen_plays_a_whole_game_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "_special", lambda game: None)
    for game in (evenings.kitty_paw, evenings.pack_and_stack):
        rig = Rig(tmp_path / game.__name__)
        assert game(rig) == rig.scores
        assert "WIN" in rig.reads()
        rig.close()


def test_the_generic_screen_never_fails_on_what_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "_special", lambda game: None)
    seen: list[str] = []
    rig = Rig(tmp_path)
    evenings.pack_and_stack(rig, lambda phase: seen.append(rig.reads()))
    assert all(seen)
    rig.close()


def test_replay_gives_the_same_pictures_and_strip(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    evenings.kitty_paw(rig)
    rig.close()
    history = History(tmp_path / "journal.db")
    row = history.games()[0]
    found = [
        [(frame.picture, frame.strip) for frame in sheet.frames(history, row, games.rules(row.name), leds=60, to=None)]
        for _ in range(2)
    ]
    assert found[0] == found[1]


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Rig]:
    """A kit without lamps and without a buzzer: its picture is the go-signal."""
    players = tuple(structs.replace(player, lamp=None) for player in TABLE.players)
    kit = Rig(tmp_path, structs.replace(TABLE, players=players, buzzer=None))
    yield kit
    kit.close()


def test_without_lamps_and_buzzer_the_picture_is_the_signal(bare: Rig) -> None:
    bare.begin("Pack & Stack", "P1", "P2", "P3").tap("P1").ok().after(3100)
    assert "FLIP!" in bare.reads()


def test_a_display_that_is_lost_at_the_signal_stops_no_race(bare: Rig) -> None:
    bare.begin("Pack & Stack", "P1", "P2", "P3").tap("P1").ok().after(1000)
    bare.display.unplug()
    bare.after(3000).tap("P1").after(100).tap("P2").after(200)
    assert bare.playing.play.state.round.last == (2,)


@pytest.fixture
def without_p2(rig: Rig) -> Rig:
    """Four players of Pack & Stack; the button of P2 is lost."""
    rig.begin("Pack & Stack", "P1", "P2", "P3", "P4").app.report("button P2", "button P2 lost: GPIO 6 is busy")
    return rig.after(10).after(6000)


def test_a_lost_button_is_named_with_its_pin(rig: Rig) -> None:
    rig.app.report("button P2", "button P2 lost: GPIO 6 is busy")
    assert "button P2 lost: GPIO 6 is" in rig.after(10).reads()


def test_the_control_answers_for_a_seat_without_a_button_and_says_so(without_p2: Rig) -> None:
    assert "OK: for P2" in without_p2.reads()


def test_the_control_counts_for_a_seat_without_a_button(without_p2: Rig) -> None:
    rig = without_p2.ok().ok().after(3300)
    rig.tap("P1").after(100).tap("P3").after(100).tap("P4").after(1700).ok(2)
    assert "for P2: turn, OK" in rig.reads()
    rig.tap("P1", 3).arrow(7).ok().tap("P3").tap("P4").ok(6)
    assert rig.scores == (75 - 3, 75 - 7, 75 - 1 + 10, 75 - 1 + 10)


def test_ok_does_what_the_bottom_row_says_where_a_seat_has_no_button(without_p2: Rig) -> None:
    rig = without_p2.ok().ok().after(3300)
    rig.tap("P1").after(100).tap("P3").after(100).tap("P4").after(1700).ok(2)
    assert "Empty spaces?" in rig.reads()


def test_undo_after_a_new_boot_never_lands_in_a_race_of_the_old_one(tmp_path: Path) -> None:
    before = Rig(tmp_path)
    evenings.flash(before.begin("Kitty Paw", *THREE)).tap("P2").after(300).tap("P1").after(2500)
    before.close()
    after = Rig(tmp_path, boot="boot-2", start_ns=20_000_000_000)
    after.ok().ok_hold().ok().ok_hold()
    assert "HANDS ON" in after.reads()
    after.close()


def test_a_question_from_before_a_new_boot_is_asked_at_once(tmp_path: Path) -> None:
    before = Rig(tmp_path)
    evenings.flash(before.begin("Kitty Paw", *THREE)).tap("P2").after(300).tap("P1").after(2500)
    before.close()
    after = Rig(tmp_path, boot="boot-2", start_ns=20_000_000_000)
    assert "Pattern right?" in after.ok().reads()
    after.close()


def test_a_limit_that_ran_out_before_an_undo_does_not_scrap_the_round_again(rig: Rig) -> None:
    evenings.flash(rig.begin("Kitty Paw", *THREE, round_limit_s=5)).after(4000)
    assert "remove 4 cards" in rig.reads()
    rig.ok_hold().ok().ok_hold().tap("P2").after(100)
    assert "P2 MEOW!" in rig.reads()


def test_the_end_of_a_game_can_be_undone_from_the_menu(rig: Rig) -> None:
    evenings.pack_and_stack(rig)
    rig.after(2000).ok().arrow(-1).ok()
    assert "Last: Pack & Stack" in rig.reads()
    rig.ok().ok_hold().ok().ok_hold()
    assert "ENDS: somebody is out" in rig.reads()


def test_a_correction_in_mid_race_is_undone_by_itself(rig: Rig) -> None:
    rig.begin("Kitty Paw", "P1", "P2", "P3", "P4")
    evenings.flash(rig, "P1", "P2", "P3", "P4").tap("P1").after(100)
    rig.ok_hold().arrow(-1)
    while rig.row() != "Fix points":
        rig.arrow(-1)
    rig.ok().ok().arrow(3).ok().ok_hold().ok().ok_hold()
    assert rig.scores == (0, 0, 0, 0) and "P1 MEOW!" in rig.reads()


def test_the_score_sheet_is_the_same_after_a_new_start_and_an_undo(tmp_path: Path) -> None:
    before = Rig(tmp_path)
    evenings.flash(before.begin("Kitty Paw", *THREE)).tap("P2").after(300).tap("P1").after(2500).yes().ok(2)
    before.close()
    after = Rig(tmp_path, start_ns=before.now_ns)
    after.ok().ok_hold().ok(2)
    with closing(History(tmp_path / "journal.db")) as history:
        assert sheet.lines(history.play(1, games.rules("kitty_paw"))) == sheet.lines(after.playing.play)
    after.close()
