"""If It Fits as it is played: a press for a turn, OK for what is noted in it, boxes counted by everybody at once."""

from pathlib import Path
from typing import Any

import pytest

from engine.games.if_it_fits import Result
from firmware import sounds
from hardware.config import KitConfig, Player
from tests.engine import plain
from tests.firmware.test_protocol import Driver
from tests.simulators.anyone import Anyone
from tests.simulators.evenings import if_it_fits
from tests.simulators.players import Move
from tests.simulators.rig import THREE, Rig

FIVE = KitConfig(players=tuple(Player(f"P{n}", pin) for n, pin in enumerate((5, 6, 22, 23, 25), 1)))
ROWS = {"asleep": 1, "deck": 2}  # of the menu; the first one is an awake cat


def started(rig: Rig, *names: str, **options: object) -> Rig:
    """The first of these players starts, and every start card is laid."""
    names = names or THREE
    rig.begin("If It Fits", *names, **options).tap(names[0])
    for name in names:
        rig.tap(name)
    return rig


def turn(rig: Rig) -> str:
    """Whose lamp is lit."""
    return " ".join(sorted(rig.lit))


def noted(rig: Rig, row: int) -> Rig:
    """A row of the menu that OK opens."""
    return rig.ok().arrow(-row).ok()


def lost(rig: Rig, name: str) -> Rig:
    """A button is gone; the note that says so is gone, too."""
    rig.app.report(f"button {name}", f"button {name} lost")
    return rig.after(10).after(6000)


def closing(rig: Rig, **options: object) -> Rig:
    """P1 has drawn the last card, and P2 is the first who draws none."""
    return noted(started(rig, **options), ROWS["deck"]).tap("P1")


def counting(rig: Rig, **options: object) -> Rig:
    """Every hand is played out; the first box is asked for."""
    closing(rig, **options)
    for name in ("P2", "P3", "P1") * 2:
        rig.tap(name)
    return rig


def box(rig: Rig, toys: int, sprays: int, *, closed: bool, awake: tuple[int, ...]) -> Rig:
    """A box of awake cats, by seat."""
    rig.arrow(toys).ok().arrow(sprays).ok()
    rig.yes() if closed else rig.no()
    for name, cats in zip(THREE, awake, strict=True):
        rig.tap(name, cats)
    return rig.ok(2)


# --- setup and turns -------------------------------------------------------------------------------------------------


def test_the_start_says_what_to_shuffle_and_deal(rig: Rig) -> None:
    assert "3 black, 3 piles, deal 2" in rig.begin("If It Fits", *THREE).reads()


def test_the_advanced_game_takes_all_black_cats(rig: Rig) -> None:
    assert "all black cats, deal 2" in rig.begin("If It Fits", *THREE, advanced=True).reads()


def test_who_starts_says_so_by_a_press(rig: Rig) -> None:
    assert "P2: laid" in rig.begin("If It Fits", *THREE).tap("P2").reads()


def test_start_cards_are_counted_while_they_are_laid(rig: Rig) -> None:
    assert "CARD 2/3" in rig.begin("If It Fits", *THREE).tap("P2").tap("P2").reads()


def test_whose_turn_it_is_fills_the_picture(rig: Rig) -> None:
    assert started(rig).reads().split(" | ")[0] == "P1"


def test_a_turn_is_one_press(rig: Rig) -> None:
    assert turn(started(rig).down("P1")) == "P2"


def test_only_the_button_of_whose_turn_it_is_ends_it(rig: Rig) -> None:
    started(rig).tap("P3")
    assert (rig.tunes[-1], turn(rig)) == (sounds.REFUSED, "P1")


def test_the_bottom_row_says_what_a_press_and_ok_do(rig: Rig) -> None:
    assert {"P1: done", "OK: cats, deck"} <= set(started(rig).reads().split(" | "))


def test_ok_twice_notes_an_awake_cat(rig: Rig) -> None:
    started(rig).ok(2)
    assert [token["cats"] for token in rig.playing.play.board.tokens] == [4, 5, 5]


def test_what_was_noted_stands_on_the_picture(rig: Rig) -> None:
    assert "+awake cat" in started(rig).ok(2).reads()


def test_a_cat_noted_is_a_pip_less(rig: Rig) -> None:
    before = started(rig).picture.crop((0, 48, 42, 55)).tobytes()
    assert rig.ok(2).picture.crop((0, 48, 42, 55)).tobytes() != before


def test_a_sleeping_cat_is_the_second_row(rig: Rig) -> None:
    assert "cat asleep" in noted(started(rig), ROWS["asleep"]).reads()


def test_without_sleepers_none_can_be_noted(rig: Rig) -> None:
    assert "sleeping" not in started(rig, sleepers_asked=False).ok().reads()


def test_a_press_leads_out_of_the_notes_and_ends_the_turn(rig: Rig) -> None:
    assert turn(started(rig).ok().tap("P1")) == "P2"


def test_a_princess_names_the_cat_that_goes_back(rig: Rig) -> None:
    noted(started(rig).ok(2).tap("P1"), 3)
    assert ([token["cats"] for token in rig.playing.play.board.tokens], "Princess" in rig.reads()) == ([5, 5, 5], True)


def one_cat_noted(rig: Rig) -> Rig:
    """A cat of P1's and none else was noted; the first box is asked for."""
    started(rig).ok(2)
    noted(rig.tap("P1"), ROWS["deck"]).tap("P2")
    for name in ("P3", "P1", "P2") * 2:
        rig.tap(name)
    return rig


def put_right(rig: Rig, row: str, steps: int) -> Rig:
    """A number of cats by the menu of the game; the control starts at what the kit believes."""
    rig.ok_hold().arrow(-1)
    while rig.row() != row:
        rig.arrow(-1)
    return rig.ok().arrow(steps).ok()


def test_cats_that_were_forgotten_are_told_in_any_turn_several_at_once(rig: Rig) -> None:
    put_right(started(rig).ok(2), "P3: 5 cats left?", -2)
    assert ([token["cats"] for token in rig.playing.play.board.tokens], turn(rig)) == ([4, 5, 3], "P1")


def test_the_question_for_cats_says_whose_they_are(rig: Rig) -> None:
    started(rig).ok_hold().arrow(-1)
    while rig.row() != "P2: 5 cats left?":
        rig.arrow(-1)
    assert {"P2: 5 cats left?", "5"} <= set(rig.ok().reads().split(" | "))


def test_forgotten_cats_are_told_while_cats_are_counted(rig: Rig) -> None:
    put_right(one_cat_noted(rig).ok(2).no(), "P1: 4 cats left?", -1)
    assert rig.tap("P1", 3).playing.entry.values == {0: 2}


def test_who_taps_more_cats_than_were_noted_is_shown_the_way_to_the_menu(rig: Rig) -> None:
    assert {"P1: at most 1", "hold OK"} <= set(one_cat_noted(rig).ok(2).no().tap("P1", 2).reads().split(" | "))


def test_a_toy_reminds_that_no_cat_goes_on_it(rig: Rig) -> None:
    assert "no cat on a toy" in noted(started(rig), 3).reads()


def test_a_turn_that_ended_too_early_is_undone(rig: Rig) -> None:
    assert turn(started(rig).tap("P1").ok_hold().ok().ok_hold()) == "P1"


def test_a_cat_noted_by_mistake_is_undone(rig: Rig) -> None:
    before = started(rig).playing.play.state
    assert rig.ok(2).ok_hold().ok().playing.play.state == before


def test_ok_ends_the_turn_for_a_dead_button(rig: Rig) -> None:
    lost(started(rig), "P1")
    assert ("OK: for P1" in rig.reads(), turn(rig.ok())) == (True, "P2")


def test_the_control_lays_the_start_card_of_a_dead_button(rig: Rig) -> None:
    assert "P3: laid" in lost(rig.begin("If It Fits", *THREE).tap("P2"), "P2").ok().reads()


# --- the timer -------------------------------------------------------------------------------------------------------


def test_ok_starts_the_timer_where_that_is_the_option(rig: Rig) -> None:
    assert "1:30" in started(rig, turn_timer_s=90).ok().reads()


def test_the_time_left_is_counted_down(rig: Rig) -> None:
    assert "0:15" in started(rig, turn_timer_s=20).ok().after(5000).reads()


def test_time_that_has_run_out_is_seen_and_heard(rig: Rig) -> None:
    started(rig, turn_timer_s=20).ok().after(21_000)
    assert ("TIME!" in rig.reads(), sounds.LAST in rig.tunes) == (True, True)


def test_while_the_timer_runs_ok_opens_the_notes(rig: Rig) -> None:
    assert "+awake cat" in started(rig, turn_timer_s=20).ok().ok().reads()


def test_with_a_dead_button_the_timer_is_started_by_ok_and_the_turn_ended_by_an_arrow(rig: Rig) -> None:
    seen = set(lost(started(rig, turn_timer_s=20), "P1").reads().split(" | "))
    assert ({"turn: for P1", "OK: timer"} <= seen, turn(rig.arrow(1))) == (True, "P2")


# --- the closing turns -----------------------------------------------------------------------------------------------


def test_an_empty_deck_is_noted_by_whoever_drew_the_last_card(rig: Rig) -> None:
    assert "LAST TURNS" in noted(started(rig), ROWS["deck"]).reads()


def test_the_fifth_cat_announces_the_last_turns(rig: Rig) -> None:
    started(rig)
    for _ in range(4):
        rig.ok(2).tap("P1").tap("P2").tap("P3")
    assert "LAST TURNS" in rig.ok(2).reads()


def test_closing_turns_say_what_is_over_and_count_down(rig: Rig) -> None:
    first = set(closing(rig).reads().split(" | "))
    second = set(rig.tap("P2").tap("P3").tap("P1").reads().split(" | "))
    assert ({"LAST: no draw,no sleepers", "P2: 2 left"} <= first, "P2: 1 left" in second) == (True, True)


def test_the_bottom_row_of_a_closing_turn_says_what_press_hold_and_ok_do(rig: Rig) -> None:
    assert "tap:done hold:0 OK:cats" in closing(rig).reads()


def test_against_the_clock_ok_starts_the_timer_of_a_closing_turn(rig: Rig) -> None:
    started(rig, turn_timer_s=20).ok().ok().arrow(-ROWS["deck"]).ok().tap("P1")
    assert ("OK:time" in rig.reads(), "OK:cats" in rig.ok().reads()) == (True, True)


def test_no_cat_goes_to_sleep_in_a_closing_turn(rig: Rig) -> None:
    assert "sleeping" not in closing(rig).ok().reads()


def test_holding_says_that_the_hand_is_empty(rig: Rig) -> None:
    assert turn(closing(rig).hold("P2").tap("P3").tap("P1")) == "P3"


def test_a_press_in_a_closing_turn_counts_when_it_is_let_go(rig: Rig) -> None:
    assert (turn(closing(rig).down("P2").after(100)), turn(rig.up("P2"))) == ("P2", "P3")


def test_an_awake_cat_is_noted_in_a_closing_turn(rig: Rig) -> None:
    assert {"LAST TURNS", "+awake cat"} <= set(closing(rig).ok(2).reads().split(" | "))


# --- boxes -----------------------------------------------------------------------------------------------------------


def test_the_last_hand_leads_to_the_first_box(rig: Rig) -> None:
    assert {"Box 1: toys?", "commonest kind"} <= set(counting(rig).reads().split(" | "))


def test_toys_are_turned_to_and_confirmed(rig: Rig) -> None:
    assert {"Spray bottles?", "toys 3"} <= set(counting(rig).arrow(3).ok().reads().split(" | "))


def test_no_sprays_are_a_plain_ok(rig: Rig) -> None:
    assert {"Closed?", "toys 3 sprays 0"} <= set(counting(rig).arrow(3).ok(2).reads().split(" | "))


@pytest.mark.parametrize(("closed", "worth"), [(True, "worth 4"), (False, "worth 2")], ids=["closed", "open"])
def test_what_a_box_is_worth_is_seen_once_it_is_said_whether_it_is_closed(rig: Rig, closed: bool, worth: str) -> None:
    counting(rig).arrow(3).ok().arrow(1).ok()
    seen = (rig.yes() if closed else rig.no()).reads()
    assert {"Awake cats?", worth} <= set(seen.split(" | "))


def test_everybody_taps_their_cats_at_once(rig: Rig) -> None:
    counting(rig).ok(2).no().tap("P1", 2).tap("P3")
    assert dict(rig.playing.entry.values) == {0: 2, 2: 1}


def test_a_cat_tapped_too_often_is_taken_off_by_the_control(rig: Rig) -> None:
    counting(rig).ok(2).no().tap("P1", 3).arrow(-1)
    assert dict(rig.playing.entry.values) == {0: 2}


def test_a_long_press_says_that_there_is_no_cat(rig: Rig) -> None:
    counting(rig).ok(2).no().tap("P1", 3).hold("P1")
    assert dict(rig.playing.entry.values) == {0: 0}


def test_nobody_enters_more_than_five_cats(rig: Rig) -> None:
    assert "P1: at most 5" in counting(rig).ok(2).no().tap("P1", 6).reads()


def test_the_control_counts_the_cats_of_a_dead_button(rig: Rig) -> None:
    told = "for P3: turn, OK" in lost(counting(rig).ok(2).no(), "P3").reads()
    rig.arrow(2).ok(2)
    assert (told, rig.playing.play.state.box.awake) == (True, (0, 0, 2))


def test_sleeping_cats_are_asked_for_after_those_awake(rig: Rig) -> None:
    assert "Sleeping cats?" in counting(rig).ok(2).no().tap("P1").ok().reads()


def test_without_sleepers_a_box_asks_once_for_cats(rig: Rig) -> None:
    started(rig, sleepers_asked=False)
    noted(rig, 1).tap("P1")
    for name in ("P2", "P3", "P1") * 2:
        rig.tap(name)
    rig.ok(2).no().tap("P1").ok()
    assert isinstance(rig.playing.play.state.ask, Result)


def test_who_scores_the_box_is_heard(rig: Rig) -> None:
    box(counting(rig), 3, 1, closed=True, awake=(2, 1, 0))
    assert rig.tunes[-1] == sounds.FIRST


def test_the_strip_of_who_scores_is_full(rig: Rig) -> None:
    box(counting(rig), 3, 1, closed=True, awake=(2, 1, 0))
    assert len(set(rig.pixels[:19])) == 1


def test_the_result_says_how_it_came_about(rig: Rig) -> None:
    seen = set(box(counting(rig), 3, 1, closed=True, awake=(2, 1, 0)).reads().split(" | "))
    assert {"BOX 1 closed", "(3-1)x2=4", "cats P1:2 P2:1"} <= seen


def test_points_and_totals_are_booked(rig: Rig) -> None:
    box(counting(rig), 3, 1, closed=True, awake=(2, 1, 0)).ok()
    assert box(rig, 1, 3, closed=False, awake=(0, 1, 1)).scores == (5, -2, -2)


def test_one_undo_takes_the_cats_of_all_back(rig: Rig) -> None:
    before = counting(rig).ok(2).no().playing.play.state
    for name in THREE:
        rig.tap(name)
    assert rig.ok().ok_hold().ok().playing.play.state == before


def test_a_forgotten_point_is_fixed_a_box_later(rig: Rig) -> None:
    box(counting(rig), 3, 0, closed=False, awake=(1, 0, 0)).ok()
    box(rig, 2, 0, closed=False, awake=(0, 1, 0)).ok_hold().arrow(-2).ok().tap("P1").arrow(2).ok()
    assert rig.scores == (5, 2, 0)


def test_all_boxes_are_done_by_the_menu(rig: Rig) -> None:
    box(counting(rig), 3, 0, closed=False, awake=(1, 0, 0)).ok_hold().arrow(-1).ok()
    assert "P1 WINS" in rig.reads()


def test_a_box_begun_too_many_is_left_by_the_menu(rig: Rig) -> None:
    box(counting(rig), 3, 0, closed=False, awake=(1, 0, 0)).ok().ok_hold().arrow(-2).ok()
    assert "P1 WINS" in rig.reads()


def test_once_every_cat_is_counted_ok_ends_the_game(rig: Rig) -> None:
    counting(rig).ok(2).no()
    for name in THREE:
        rig.tap(name, 5)
    assert {"all cats counted", "OK: end"} <= set(rig.ok().reads().split(" | "))


def test_every_kind_of_a_box_can_be_counted(rig: Rig) -> None:
    counting(rig).ok_hold().arrow(-1).ok().arrow(2).ok().arrow(4).ok()
    assert {"Kind 3? 0: none", "toys 2, 4"} <= set(rig.reads().split(" | "))


def test_every_kind_is_asked_for_where_that_is_the_option(rig: Rig) -> None:
    assert "Box 1: toy kind 1?" in counting(rig, entry="kinds").reads()


def test_of_equal_totals_the_negative_points_are_shown(rig: Rig) -> None:
    box(counting(rig), 3, 1, closed=False, awake=(1, 0, 0)).ok()
    box(rig, 2, 0, closed=False, awake=(0, 1, 0)).ok_hold().arrow(-1).ok()
    assert {"P2 WINS", "P1-1 P2-0"} <= set(rig.reads().split(" | "))


def test_the_end_can_be_undone(rig: Rig) -> None:
    box(counting(rig), 3, 0, closed=False, awake=(1, 0, 0)).ok_hold().arrow(-1).ok()
    rig.after(2000).ok_hold().ok().ok_hold()
    assert "BOX 1 open" in rig.reads()


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_evening_comes_to_its_scores(tmp_path: Path, players: int) -> None:
    rig = Rig(tmp_path, FIVE)
    expected = if_it_fits(rig, players=players)
    assert (rig.playing.play.over, rig.scores) == (True, expected)
    rig.close()


def as_laid(value: Any) -> Any:
    """Lists as the tuples that the second scorer looks things up by."""
    return tuple(map(as_laid, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("entry", ["counts", "kinds", "cards"])
def test_a_program_that_answers_the_offers_comes_to_what_the_second_scorer_says(entry: str, players: int) -> None:
    driver, anyone, moves = Driver("if_it_fits"), Anyone(players), list[Move]()
    answer = driver.say(players=["A", "B", "C", "D", "E"][:players], options={"entry": entry}, seed=7)
    options = answer["events"][0]["options"]
    while "over" not in answer:
        line = anyone.answer(answer["offers"])
        moves.append(Move(0, line["verb"], line["seat"], as_laid(line.get("value")), line["at_ns"], 0, ()))
        answer = driver.say(**line)
    driver.close()
    second = plain.SCORERS["if_it_fits"](players, options, moves)
    assert (answer["scores"], answer["winners"]) == (second.totals, second.winners)
