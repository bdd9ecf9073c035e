"""What the referee does when buttons fail, presses come late, and somebody wants to see the stamps."""

from pathlib import Path

import pytest

from firmware.table.back import Back, Stamps
from firmware.table.playing import Playing
from hardware.buttons import Edge
from tests.simulators.rig import MS, Rig

FOUR = ("P1", "P2", "P3", "P4")
LOST = "button P3 lost: GPIO 13: the chip is gone"


@pytest.fixture
def building(rig: Rig) -> Rig:
    """Kitty Paw with four: the stopwatch runs."""
    return rig.begin("Kitty Paw", *FOUR).down(*FOUR).after(3100).up(*FOUR).after(2000)


@pytest.fixture
def flipped(rig: Rig) -> Rig:
    """Pack & Stack with four: the trucks are up."""
    return rig.begin("Pack & Stack", *FOUR).tap("P1").ok().after(4000)


def lose(rig: Rig) -> Rig:
    """P3's button fails."""
    rig.app.report("button P3", LOST)
    return rig.after(10)


def deliver(rig: Rig, name: str, *, ago_ms: float) -> Rig:
    """A press whose stamp is so old arrives now; the button is let go again later."""
    at_ns = rig.now_ns - round(ago_ms * MS)
    rig.app.post(Edge(name, True, at_ns))
    rig.app.post(Edge(name, False, at_ns + 40 * MS))
    return rig.after(0)


# --- a button that fails in mid-race ---------------------------------------------------------------------------------


def test_a_seat_whose_button_is_lost_is_not_named_last(building: Rig) -> None:
    lose(building.tap("P1").after(300).tap("P2").after(100)).tap("P4").after(300)
    assert building.playing.told.board.highlight["tie"] == (2, 3)


def test_the_picture_says_whose_button_it_was(building: Rig) -> None:
    reads = lose(building.tap("P1").after(300).tap("P2").after(100)).tap("P4").after(6000).reads()
    assert "P3 no button" in reads


def test_the_table_rules_for_that_seat(building: Rig) -> None:
    lose(building.tap("P1").after(300).tap("P2").after(100)).tap("P4").after(300).ok()
    assert building.scores == (0, 0, -1, 0)


def test_a_meow_that_no_button_could_tell_is_called_by_ok(building: Rig) -> None:
    reads = lose(building).after(6000).reads()
    assert "OK: P3" in reads
    assert "Who called?" in building.ok().reads()


def test_undo_of_such_a_call_goes_back_to_the_running_round(building: Rig) -> None:
    go_ns = building.playing.play.state.ask.go_ns
    lose(building).ok().ok_hold().ok().ok_hold()
    assert (building.playing.told.board.phase, building.playing.play.state.ask.go_ns) == ("build", go_ns)


def test_ok_calls_nobody_where_it_was_not_asked_for(rig: Rig) -> None:
    rig.begin("Kitty Paw", *FOUR).down(*FOUR).after(3100).up("P1", "P2", "P4").after(11_000).ok()  # P3 is stuck
    run = rig.playing.told.board.race
    assert run is not None and (run.phase, run.benched) == ("running", ())


def test_with_a_lost_button_nobody_is_named_first_by_the_kit(building: Rig) -> None:
    lose(building).tap("P1").after(300).tap("P2").after(300).tap("P4").after(300)
    assert building.playing.told.board.highlight["tie"] == (0, 2)


def test_a_button_that_was_lost_before_the_race_is_benched_in_it(rig: Rig) -> None:
    lose(rig.begin("Kitty Paw", *FOUR)).down("P1", "P2", "P4").ok().after(3100)
    run = rig.playing.told.board.race
    assert run is not None and run.benched == (2,)


def test_a_seat_that_has_pressed_before_its_button_failed_is_judged_by_its_stamp(building: Rig) -> None:
    lose(building.tap("P1").after(300).tap("P3").after(100)).tap("P2").after(300)
    assert building.playing.told.board.highlight["last"] == (3,)


def test_undo_of_the_verdict_leaves_the_seat_benched(building: Rig) -> None:
    lose(building.tap("P1").after(300).tap("P2").after(100)).tap("P4").after(300).ok_hold().ok().ok_hold()
    run = building.playing.told.board.race
    assert run is not None and run.benched == (2,)


def test_undo_of_a_verdict_can_be_taken_back_though_a_button_has_failed_since(building: Rig) -> None:
    lose(building.tap("P1").after(300).tap("P2").after(300).tap("P4").after(300)).ok_hold().ok()
    undone = building.playing.told.board
    building.arrow(1)
    assert (undone.phase, building.playing.told.board.phase) == ("build", "check")


def test_a_stuck_button_that_comes_free_in_time_counts(building: Rig) -> None:
    building.down("P3").after(11_000).up("P3").after(100)
    run = building.playing.told.board.race
    assert run is not None and run.benched == ()


def test_a_button_that_is_stuck_when_the_race_is_judged_is_for_the_table(rig: Rig) -> None:
    rig.begin("Kitty Paw", *FOUR).down(*FOUR).after(3100).up("P1", "P2", "P4").after(8000)
    rig.tap("P1").after(300).tap("P2").after(300).tap("P4").after(300)
    run = rig.playing.told.board.race
    assert run is not None and run.benched == (2,)


# --- presses that come late ------------------------------------------------------------------------------------------


def test_a_press_delivered_within_the_settling_time_still_counts(building: Rig) -> None:
    deliver(building.down("P1").after(30), "P2", ago_ms=40).after(100)
    assert building.playing.told.board.highlight["first"] == (1,)


def test_a_press_delivered_after_the_verdict_changes_nothing(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).down("P3").after(80)
    before = building.playing.told.board.highlight
    deliver(building, "P4", ago_ms=90).after(100)
    assert building.playing.told.board.highlight == before


def test_a_press_delivered_after_the_verdict_is_kept_as_evidence(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).down("P3").after(80)
    deliver(building, "P4", ago_ms=90)
    assert [press.seat for press in building.playing.play.late] == [3]


def test_so_is_a_press_that_the_kit_sees_together_with_the_verdict(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).down("P3")
    building.now_ns += 200 * MS  # the loop stood still
    deliver(building, "P4", ago_ms=100)
    assert [press.seat for press in building.playing.play.late] == [3]


def test_a_press_after_the_signal_was_due_does_not_give_the_signal(rig: Rig) -> None:
    rig.begin("Pack & Stack", *FOUR).tap("P1").ok().after(2500)
    rig.now_ns += 1000 * MS  # the loop stood still
    go_ns = rig.now_ns
    run = deliver(rig, "P2", ago_ms=100).playing.told.board.race
    assert run is not None and (run.since_ns, run.jumped) == (go_ns, (1,))


def test_a_press_delivered_after_the_verdict_is_announced(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).down("P3").after(80)
    assert "came in too late" in " ".join(deliver(building, "P4", ago_ms=90).reads().split())


def test_a_late_press_answers_no_later_question(flipped: Rig) -> None:
    flipped.tap("P1").after(300).tap("P2").after(300).down("P3").after(80)
    deliver(flipped, "P4", ago_ms=90).after(100)
    assert flipped.playing.play.state.ask.done == (None,) * 4


def test_the_slap_of_who_was_last_already_is_kept_as_evidence_too(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).tap("P3").after(200).tap("P4")
    assert [press.seat for press in building.playing.play.late] == [3]


def test_late_presses_survive_a_replay(building: Rig, tmp_path: Path) -> None:
    building.tap("P1").after(300).tap("P2").after(300).down("P3").after(80)
    deliver(building, "P4", ago_ms=90)
    late = building.playing.play.late
    building.close()
    again = Rig(tmp_path)
    assert again.app.table.unfinished is not None and again.app.table.unfinished.play.late == late
    again.close()


def test_redo_of_a_verdict_brings_its_late_presses_back(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).tap("P3").after(200).tap("P4").ok_hold().ok().arrow(1)
    assert [press.seat for press in building.playing.play.late] == [3]


def test_late_presses_of_another_boot_are_not_held_against_its_races(building: Rig, tmp_path: Path) -> None:
    building.tap("P1").after(300).tap("P2").after(300).tap("P3").after(200).tap("P4")
    building.close()
    again = Rig(tmp_path, boot="boot-2").ok()
    late = again.playing.play.late
    again.close()
    assert late == ()


def test_a_race_that_is_run_again_after_undo_has_no_late_presses(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).tap("P3").after(200).tap("P4").ok_hold().ok()
    assert building.playing.play.late == ()


def test_a_long_ok_is_a_long_one_though_the_kit_hears_of_both_ends_at_once(building: Rig) -> None:
    at_ns = building.now_ns
    building.now_ns += 1000 * MS  # the loop stood still
    for down, after_ms in ((True, 0), (False, 900)):
        building.control.push(down=down, at_ns=at_ns + after_ms * MS)
    building.after(100)
    assert isinstance(building.app.table.top, Back)


# --- one press shows the stamps --------------------------------------------------------------------------------------


def judged(rig: Rig) -> Rig:
    return rig.tap("P1").after(300).tap("P2").after(300).tap("P3").after(2000)


def test_a_press_after_the_verdict_shows_the_evidence(building: Rig) -> None:
    assert isinstance(judged(building).tap("P4").app.table.top, Stamps)


def test_another_press_leads_back(building: Rig) -> None:
    assert isinstance(judged(building).tap("P4").tap("P1").app.table.top, Playing)


def test_ok_leads_back(building: Rig) -> None:
    assert isinstance(judged(building).tap("P4").ok().app.table.top, Playing)


def test_a_slap_right_after_the_verdict_shows_nothing(building: Rig) -> None:
    building.tap("P1").after(300).tap("P2").after(300).tap("P3").after(200).tap("P1")
    assert isinstance(building.app.table.top, Playing)


def test_an_arrow_shows_the_evidence_where_the_buttons_mean_something(flipped: Rig) -> None:
    assert isinstance(judged(flipped).arrow(1).app.table.top, Stamps)


def test_a_press_that_answers_something_still_answers(flipped: Rig) -> None:
    assert judged(flipped).arrow(1).tap("P1").playing.play.state.ask.done[0] is True


def test_the_kit_knows_who_stamped_each_press(building: Rig) -> None:
    assert judged(building).app.table.sources["P1"] == "virtual"
