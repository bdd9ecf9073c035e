"""Kitty Paw as it is played: hands, presses and the knob go in; pictures, lamps, sounds and the strip come out."""

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware import sounds
from firmware.lights import RED
from hardware.strip import OFF, Rhythm, lamp
from tests.simulators.rig import THREE, Rig, flash


@pytest.fixture
def round_one(rig: Rig) -> Rig:
    """Three players are building; the stopwatch runs."""
    return flash(rig.begin("Kitty Paw", *THREE))


def play_round(rig: Rig, caller: str, second: str, points: int) -> Rig:
    """A round without trouble: the caller is right; whoever is left is last."""
    flash(rig).tap(caller).after(300).tap(second).after(200)
    return rig.yes().arrow(points - 6).ok().ok()


def test_the_menu_is_the_first_picture(rig: Rig) -> None:
    assert "which game?" in rig.reads()


def test_players_join_by_pressing_their_button(rig: Rig) -> None:
    rig.ok().tap("P1").tap("P3")
    assert rig.lit == {"P1", "P3"}


def test_a_second_press_leaves_again(rig: Rig) -> None:
    rig.ok().tap("P1").tap("P3").tap("P1")
    assert rig.lit == {"P3"}


def test_one_player_is_not_enough(rig: Rig) -> None:
    assert "2 players are needed" in rig.ok().tap("P1").ok().reads()


def test_the_seat_order_can_differ_from_the_ring(rig: Rig) -> None:
    rig.ok().tap("P1").tap("P2").tap("P3").arrow(-1).tap("P3").tap("P1").tap("P2").ok().ok()
    assert rig.playing.play.players == ("P3", "P1", "P2")


def test_the_flash_waits_for_every_hand(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE).down("P1", "P2").after(5000)
    assert "HANDS ON" in rig.reads()


def test_letting_go_before_the_flash_names_who_did(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE).down(*THREE).after(500).up("P2").after(100)
    assert "P2 too early: again" in rig.reads()


def test_hands_that_are_down_already_count_after_a_false_start(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE).down(*THREE).after(500).up("P2").after(100).down("P2").after(3100)
    assert rig.playing.question.kind.name == "RACE"


def test_the_flash_fills_the_picture(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE).down(*THREE)
    while rig.playing.question.kind.name != "RACE":
        rig.after(20)
    assert "MEOW GO!" in rig.reads()


def test_the_flash_lights_every_lamp(rig: Rig) -> None:
    flash(rig.begin("Kitty Paw", *THREE))
    assert rig.lit == set(THREE)


def test_a_press_is_seen_at_once_by_its_own_lamp(round_one: Rig) -> None:
    assert round_one.down("P2").lit == {"P1", "P3"}


def test_nobody_is_named_before_the_settling_time_is_over(round_one: Rig) -> None:
    assert "P2" not in round_one.down("P2").after(20).reads().split(" | ")[0]


def test_the_caller_is_named_as_large_as_it_fits(round_one: Rig) -> None:
    assert "P2 MEOW!" in round_one.tap("P2").after(100).reads()


def test_the_last_is_named_as_soon_as_only_one_is_missing(round_one: Rig) -> None:
    assert "P3 LAST" in round_one.tap("P2").after(300).tap("P1").after(100).reads()


def test_the_last_pays_before_the_pattern_is_looked_at(round_one: Rig) -> None:
    assert round_one.tap("P2").after(300).tap("P1").after(100).scores == (0, 0, -1)


def test_the_last_is_heard(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(100)
    assert sounds.LAST in round_one.tunes


def test_the_last_is_marked_at_both_ends_of_their_piece_of_the_strip(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(100)
    piece = round_one.pixels[40:59]
    red = lamp(RED, Rhythm.FLASH)
    assert (piece[0], piece[-1], piece[9]) == (red, red, OFF)


def test_the_pattern_is_asked_for_once_the_last_has_been_read(round_one: Rig) -> None:
    assert "Pattern right?" in round_one.tap("P2").after(300).tap("P1").after(2500).reads()


def test_a_right_pattern_scores_its_card(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(200).yes().ok()
    assert round_one.scores == (0, 6, -1)


def test_a_wrong_pattern_costs_the_caller(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(200).no()
    assert round_one.scores == (0, -1, -1)


def test_the_knob_chooses_and_ok_answers(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(200)
    round_one.control.turn(1, at_ns=round_one.now_ns, knob=True)
    round_one.after(10).ok()
    assert round_one.scores == (0, -1, -1)


def test_two_meows_too_close_to_call_go_to_the_table(round_one: Rig) -> None:
    round_one.down("P1", "P2").after(300)
    assert "P1/P2 tie" in round_one.reads()


def test_a_dead_heat_is_ruled_by_the_control(round_one: Rig) -> None:
    round_one.down("P1", "P2").after(300).arrow(-1).ok().after(2500)
    assert "Pattern right?" in round_one.reads()


def test_nobody_called_means_the_old_stopwatch_runs_on(round_one: Rig) -> None:
    round_one.down("P1", "P2").after(300).up("P1", "P2").arrow(1).ok().after(1000)
    assert "4." in round_one.reads().split(" | ")[0]


def test_ok_says_nobody_else_and_the_table_names_the_last(rig: Rig) -> None:
    flash(rig.begin("Kitty Paw", "P1", "P2", "P3", "P4"), "P1", "P2", "P3", "P4")
    rig.tap("P2").after(200).ok().after(50)
    assert "P1/P3/P4 missing" in rig.reads()


def test_holding_the_own_button_takes_a_bumped_meow_back(rig: Rig) -> None:
    flash(rig.begin("Kitty Paw", "P1", "P2", "P3", "P4"), "P1", "P2", "P3", "P4")
    rig.tap("P2").after(200).hold("P2")
    assert rig.playing.play.board.race.phase == "running"  # type: ignore[union-attr]


def test_a_hand_that_rests_on_its_button_takes_nothing_back(rig: Rig) -> None:
    flash(rig.begin("Kitty Paw", "P1", "P2", "P3", "P4"), "P1", "P2", "P3", "P4")
    assert "P2 MEOW!" in rig.down("P2").after(3000).reads()


def test_back_over_a_false_meow_returns_to_the_running_round(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(200).ok_hold().ok().ok_hold().after(1000)
    assert "done? press" in round_one.reads()


def test_back_says_what_would_be_undone(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(200).yes().ok().ok_hold()
    assert "P2 +6" in round_one.reads()


def test_redo_brings_the_step_back(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(200).yes().ok().ok_hold().ok().arrow(1)
    assert round_one.scores == (0, 6, -1)


def test_a_round_can_be_scrapped_from_the_menu(round_one: Rig) -> None:
    round_one.ok_hold().arrow(-1).ok()
    assert "remove 4 cards" in round_one.reads()


def test_points_can_be_fixed_for_any_seat(round_one: Rig) -> None:
    round_one.ok_hold().arrow(-1).arrow(-1).ok().arrow(-2).ok().arrow(2).ok()
    assert round_one.scores == (0, 0, 2)


def test_a_press_in_a_race_is_never_taken_for_a_choice_in_a_menu(round_one: Rig) -> None:
    assert "P3 MEOW!" in round_one.ok_hold().arrow(-1).arrow(-1).ok().tap("P3").after(100).reads()


def test_the_evidence_stands_in_microseconds(round_one: Rig) -> None:
    round_one.tap("P2").after(300).tap("P1").after(200).ok_hold().arrow(-1).arrow(-1).ok()
    assert "420,000" in round_one.reads()


def test_seats_can_be_given_other_buttons(rig: Rig) -> None:
    rig.begin("Kitty Paw", "P1", "P2").ok_hold().arrow(-1)
    while rig.row() != "Seats":
        rig.arrow(-1)
    rig.ok().tap("P4").tap("P2").after(100).down("P4").after(100)
    assert rig.playing.question.release.keys() == {0}


def test_other_buttons_are_kept_over_a_power_cut_and_an_undo(tmp_path: Path) -> None:
    before = Rig(tmp_path)
    before.begin("Kitty Paw", "P1", "P2").ok_hold().arrow(-1)
    while before.row() != "Seats":
        before.arrow(-1)
    before.ok().tap("P4").tap("P2").after(100)
    after = Rig(tmp_path, boot="boot-2")
    after.ok().down("P4").after(100)
    assert after.playing.question.release.keys() == {0}
    after.close()


def test_a_game_can_be_ended_by_hand(round_one: Rig) -> None:
    round_one.ok_hold().arrow(-1)
    while round_one.row() != "End the game now":
        round_one.arrow(-1)
    assert "UNFINISHED" in round_one.ok().reads()


def test_the_fifth_card_ends_the_game(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE)
    for points in (4, 5, 6, 7, 6):
        play_round(rig, "P1", "P2", points)
    assert "P1 WINS" in rig.reads()


def test_undo_works_after_the_end(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE)
    for points in (4, 5, 6, 7, 6):
        play_round(rig, "P1", "P2", points)
    rig.after(2000).ok_hold().ok().ok_hold()
    assert "remove 2 cards" in rig.reads()


def test_the_winner_is_heard_and_fills_the_strip(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE)
    for points in (4, 5, 6, 7, 6):
        play_round(rig, "P1", "P2", points)
    assert sounds.WON in rig.tunes and len(set(rig.pixels[:19])) == 1


def test_a_game_is_gone_on_with_after_the_plug_was_pulled(tmp_path: Path) -> None:
    before = Rig(tmp_path)
    play_round(before.begin("Kitty Paw", *THREE), "P1", "P2", 7)
    flash(before).tap("P2").after(200)
    after = Rig(tmp_path, boot="boot-2", start_ns=50_000_000_000)
    after.ok()
    assert after.scores == (7, 0, -1) and "HANDS ON" in after.reads()
    after.close()


def test_options_are_set_on_the_display(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE, mixed_deck=True, response_limit_s=5)
    assert (rig.playing.play.options.mixed_deck, rig.playing.play.options.response_limit_s) == (True, 5)


def test_the_last_is_named_by_hand_where_that_is_the_option(rig: Rig) -> None:
    flash(rig.begin("Kitty Paw", *THREE, last_by_hand=True)).tap("P1").after(200)
    assert "Who was last?" in rig.reads()


def test_a_mixed_deck_asks_for_the_level_of_each_penalty(rig: Rig) -> None:
    flash(rig.begin("Kitty Paw", *THREE, mixed_deck=True)).tap("P1").after(200).tap("P2").after(200)
    rig.no().arrow(2).ok().arrow(1).ok()
    assert rig.scores == (-3, 0, -2)


# --- a tie -----------------------------------------------------------------------------------------------------------


def ended(rig: Rig) -> Rig:
    """P1 has five cards of 7 points, P3 has paid five times."""
    rig.begin("Kitty Paw", *THREE)
    for _ in range(5):
        play_round(rig, "P1", "P2", 7)
    return rig.after(2000)


def level(rig: Rig) -> Rig:
    """At the end P2's points are fixed: as many as P1 has."""
    return ended(rig).ok_hold().arrow(-1).ok().tap("P2").arrow(35).ok()


def test_points_fixed_after_the_end_offer_the_extra_round(rig: Rig) -> None:
    assert "Tie: extra round" in level(rig).reads()


def test_ok_begins_the_extra_round_of_the_tied_with_cards_that_were_removed(rig: Rig) -> None:
    seen = set(level(rig).ok().reads().split(" | "))
    assert {"EXTRA ROUND", "P1 P2", "removed cards: 4 up"} <= seen


def test_the_extra_round_after_the_end_is_undone_to_the_end(rig: Rig) -> None:
    assert "P1 WINS" in level(rig).ok().ok_hold().ok(2).ok_hold().reads()


def test_a_tie_after_the_end_survives_a_new_start(rig: Rig, tmp_path: Path) -> None:
    level(rig).close()
    again = Rig(tmp_path, boot="boot-2", start_ns=5_000_000_000).ok()
    assert "Tie: extra round" in again.reads()
    again.close()


def test_used_cards_are_called_for_where_too_few_were_removed(rig: Rig) -> None:
    level(rig)
    rig.playing.play = dataclasses.replace(rig.playing.play, state=replace(rig.playing.play.state, removed=1))
    assert "shuffle in all used cards" in rig.ok().reads()
