"""If It Fits: the worked examples of its rules page, turns and pips, the closing turns, cards as programs lay them."""

import dataclasses
import json
from dataclasses import asdict
from functools import reduce
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine import boxes, games
from engine.boxes import OPEN, Across, Card, Contents, Piece, Place, Sides, Table
from engine.game import Over, Question, act
from engine.games import if_it_fits as game
from engine.games.if_it_fits import (
    CATS,
    KINDS,
    MOST_SPRAYS,
    MOST_TOYS,
    NO_TOYS,
    RULES,
    SPECIAL_TOYS,
    AwakeLaid,
    Options,
    Result,
    Sprays,
    Starter,
    State,
    Turn,
)
from engine.play import Fact, Play, answer, fix, fold, opened, resume, start, undo
from engine.rules import Action, Chance, Offer, Refused, Value, read_options
from tests.engine import plain
from tests.simulators.players import Move

A, B, C, D = 0, 1, 2, 3
MS = 1_000_000
Answer = tuple[int | None, str, Value]


# --- playing ---------------------------------------------------------------------------------------------------------


def new(players: int = 3, **options: object) -> Play:
    """A game at its first question."""
    return opened(RULES, start(RULES, tuple("ABCDE"[:players]), read_options(Options, options), seed=7))


def do(play: Play, *answers: tuple[Any, ...], at_ms: int = 0) -> Play:
    """The play after answers of a seat, a verb and, where there is one, a value."""
    for seat, verb, *value in answers:
        action = Action(seat, verb, value[0] if value else None, at_ms * MS)
        play = reduce(fold, answer(play, action), play)
    return play


def in_turn(players: int = 3, **options: object) -> Play:
    """A starts; every starting card is laid."""
    return do(new(players, **options), (A, "starter"), *((seat, "start_card") for seat in range(players)))


def over(*seats: int) -> tuple[tuple[int, str], ...]:
    """The turns of these seats, with nothing told of them."""
    return tuple((seat, "turn_over") for seat in seats)


def counting(players: int = 3, **options: object) -> Play:
    """Every hand is played out; the first box is asked for."""
    play = do(in_turn(players, **options), (None, "deck_empty"), (A, "turn_over"))
    return do(play, *over(*(*range(1, players), A) * 2))


def box(
    play: Play,
    toys: int | tuple[int, ...],
    sprays: int,
    closed: bool,
    awake: tuple[int, ...],
    asleep: tuple[int, ...] = (),
) -> Play:
    """A box counted: several numbers of toys are those of its kinds."""
    if isinstance(toys, int):
        play = do(play, (None, "toys", toys))
    else:
        play = do(play, *((None, "kind", kind) for kind in (*toys, 0)))
    play = do(play, (None, "sprays", sprays), (None, "closed", "yes" if closed else "no"))
    for verb, cats in (("awake_cats", awake), ("asleep_cats", asleep)):
        asked = [offer.seat for offer in play.offers if offer.verb == verb]
        play = do(play, *((seat, verb, cats[seat] if seat < len(cats) else 0) for seat in asked if seat is not None))
    return play


def offered(play: Play) -> set[tuple[int | None, str]]:
    """What may be done, beside putting right how many cats are left."""
    return {(offer.seat, str(offer.verb)) for offer in play.offers if offer.verb != "cats"}


def cats(play: Play) -> dict[int | None, tuple[int | None, int | None]]:
    """By seat how many cats it may be said to have left, at most, and what is filled in."""
    return {offer.seat: (offer.high, offer.prefill) for offer in play.offers if offer.verb == "cats"}


def offer(play: Play, verb: str) -> Offer:
    return next(offer for offer in play.offers if offer.verb == verb)


def refused(play: Play, *action: Any) -> str:
    with pytest.raises(Refused) as refusal:
        do(play, action)
    return str(refusal.value)


def turn(play: Play) -> Turn:
    assert isinstance(play.state.ask, Turn)
    return play.state.ask


# --- the worked examples: boxes --------------------------------------------------------------------------------------

SCORED: list[Any] = [
    pytest.param({}, (3, 1, False, (1,)), (2, 0, 0), id="T1"),
    pytest.param({"entry": "kinds"}, ((3, 2), 1, False, (1,)), (2, 0, 0), id="T1 every kind"),
    pytest.param({}, (3, 1, True, (1,)), (4, 0, 0), id="T2"),
    pytest.param({}, (3, 1, False, (2, 1)), (3, 0, 0), id="T3"),
    pytest.param({}, (3, 1, True, (2, 1)), (5, 0, 0), id="T4"),
    pytest.param({}, (4, 0, True, (2, 2, 1)), (9, 9, 0), id="T5"),
    pytest.param({"entry": "kinds"}, ((2, 2), 0, False, (1,)), (2, 0, 0), id="T6"),
    pytest.param({}, (1, 3, False, (1,)), (-2, 0, 0), id="T7"),
    pytest.param({}, (1, 3, True, (1,)), (-4, 0, 0), id="T7 closed"),
    pytest.param({}, (0, 0, False, (3,)), (2, 0, 0), id="T8"),
    pytest.param({}, (5, 0, False, (0,), (2,)), (0, 0, 0), id="T9"),
    pytest.param({"sleep_only_blocks": True}, (5, 0, False, (0,), (2,)), (0, 0, 0), id="T9 blocks"),
    pytest.param({}, (5, 0, False, (0, 1), (2,)), (0, 5, 0), id="T10"),
    pytest.param({"sleep_only_blocks": True}, (5, 0, False, (0, 1), (2,)), (0, 0, 0), id="T10 blocks"),
    pytest.param({}, (5, 0, False, (1, 1), (1,)), (6, 0, 0), id="T11"),
    pytest.param({"sleepers_in_bonus": False}, (5, 0, False, (1, 1), (1,)), (5, 0, 0), id="T11 no sleepers"),
    pytest.param({"advanced": True}, (5, 0, False, (1, 2), (1,)), (0, 5, 0), id="T12"),
    pytest.param({"advanced": True}, (5, 0, False, (1, 1), (1,)), (5, 0, 0), id="T13"),
    pytest.param({"advanced": True}, (5, 0, False, (1, 2), (2,)), (5, 5, 0), id="T14"),
    pytest.param({}, (3, 0, False, (1, 0)), (3, 0, 0), id="T15"),
    pytest.param({}, (5, 1, True, (0, 0, 0)), (0, 0, 0), id="T16"),
    pytest.param({}, (3, 2, True, (1,)), (2, 0, 0), id="T23"),
    pytest.param({}, (2, 0, False, (3, 2, 1)), (4, 1, 0), id="T26"),
    pytest.param({"bonus_for_all": False}, (2, 0, False, (3, 2, 1)), (4, 0, 0), id="T26 scorers only"),
    pytest.param({"advanced": True}, (5, 0, False, (0, 1), (3,)), (0, 5, 0), id="A15 half sleepers need an awake cat"),
    pytest.param({"sleep_only_blocks": True}, (5, 0, False, (0, 1), (1,)), (0, 5, 0), id="A1 level with sleepers"),
    pytest.param(
        {"sleep_only_blocks": True, "advanced": True}, (5, 0, False, (0, 1), (3,)), (0, 0, 0), id="A1 half sleepers"
    ),
]


@pytest.mark.parametrize(("options", "counts", "points"), SCORED)
def test_a_box_scored(options: dict[str, object], counts: tuple[Any, ...], points: tuple[int, ...]) -> None:
    assert box(counting(3, **options), *counts).scores == points


def test_t23_doubled_spray_points_are_noted() -> None:
    assert box(counting(), 3, 2, True, (1,)).state.negatives == (4, 0, 0)


def test_spray_points_are_noted_only_for_who_scores() -> None:
    assert box(counting(), 1, 3, False, (2, 2, 1)).state.negatives == (3, 3, 0)


def test_r26_points_fixed_after_the_end_are_decided_by_negative_points_at_once() -> None:
    counted = counting(2)
    over = replace(counted.state, points=(20, 19), negatives=(5, 3), ask=Over())
    play = dataclasses.replace(counted, state=over)
    play = reduce(fold, fix(play, B, 1), play)
    assert (play.over, play.winners) == (True, (B,))


def test_t22_of_equal_totals_the_fewest_negative_points_win() -> None:
    state = replace(counting(2).state, points=(20, 20), negatives=(3, 5), ask=Over())
    assert RULES.winners(state) == (A,)


def test_equal_totals_and_negative_points_share() -> None:
    state = replace(counting().state, points=(20, 20, 19), negatives=(3, 3, 0), ask=Over())
    assert RULES.winners(state) == (A, B)


def test_the_fewest_negative_points_alone_do_not_win() -> None:
    state = replace(counting(2).state, points=(20, 19), negatives=(3, 0), ask=Over())
    assert RULES.winners(state) == (A,)


def test_points_fixed_by_hand_count() -> None:
    state = replace(counting(2).state, points=(20, 19), corrected=(0, 2), ask=Over())
    assert (RULES.scores(state), RULES.winners(state)) == ((20, 21), (B,))


# --- the worked examples: the end ------------------------------------------------------------------------------------


def four_cats_laid(**options: object) -> Play:
    """A has one cat left, and it is A's turn."""
    play = in_turn(2, **options)
    for _ in range(CATS - 1):
        play = do(play, (A, "awake"), *over(A, B))
    return play


def test_t20_the_fifth_cat_triggers_the_end() -> None:
    assert do(four_cats_laid(), (A, "awake")).state.hands == (2, 2)


def test_t20_a_sleeping_fifth_cat_triggers_the_end() -> None:
    assert do(four_cats_laid(), (A, "asleep")).state.hands == (2, 2)


def test_t20_a_princess_does_not_undo_the_end_and_the_cat_may_be_laid_awake_only() -> None:
    play = do(four_cats_laid(), (A, "awake"), (A, "turn_over"), (A, "cat_back"), (B, "turn_over"))
    assert (play.state.hands, (A, "awake") in offered(play), (A, "asleep") in offered(play)) == ((2, 1), True, False)


def test_t20_the_cat_laid_again_changes_no_hand() -> None:
    play = do(four_cats_laid(), (A, "awake"), (A, "turn_over"), (A, "cat_back"), (B, "turn_over"), (A, "awake"))
    assert play.state.hands == (2, 1)


def test_a14_a_cat_that_came_back_before_the_end_may_go_to_sleep() -> None:
    play = do(in_turn(2), (A, "awake"), (A, "turn_over"), (A, "cat_back"), (B, "turn_over"))
    assert {(A, "awake"), (A, "asleep")} <= offered(play)


def test_t21_who_draws_the_last_card_finishes_the_turn() -> None:
    play = do(in_turn(), (A, "turn_over"), (None, "deck_empty"))
    assert (turn(play).seat, turn(play).last, play.state.hands) == (B, False, (2, 2, 2))


def test_t21_after_the_last_card_nobody_draws_or_puts_a_cat_to_sleep() -> None:
    play = do(in_turn(), (A, "turn_over"), (None, "deck_empty"))
    asleep = [(seat, verb) for seat, verb in offered(play) if verb == "asleep"]
    play = do(play, (B, "turn_over"))
    assert (asleep, offered(play)) == ([], {(C, "turn_over"), (C, "hand_empty"), (C, "awake")})


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_has_two_closing_turns(players: int) -> None:
    play, turns = do(in_turn(players), (None, "deck_empty"), (A, "turn_over")), list[int]()
    while isinstance(play.state.ask, Turn):
        turns.append(play.state.ask.seat)
        play = do(play, (turns[-1], "turn_over"))
    assert turns == [*range(1, players), A] * 2


def test_a13_an_empty_hand_is_skipped() -> None:
    play = do(in_turn(), (None, "deck_empty"), (A, "turn_over"), (B, "hand_empty"), *over(C, A, C))
    assert (turn(play).seat, play.state.hands) == (A, (1, 0, 0))


def test_the_last_hand_emptied_leads_to_the_boxes() -> None:
    play = do(in_turn(2), (None, "deck_empty"), (A, "turn_over"), (B, "hand_empty"), (A, "hand_empty"))
    assert play.board.phase == "box"


def test_a_hand_is_emptied_by_holding() -> None:
    play = do(in_turn(), (None, "deck_empty"), (A, "turn_over"))
    assert offer(play, "hand_empty").hold is True


def test_t24_four_black_cats_four_piles_and_four_starting_cards() -> None:
    play = do(new(4), (A, "starter"))
    laid = [RULES.board(play.state).turn]
    while isinstance(play.state.ask, game.StartCards):
        play = do(play, (play.board.turn[0], "start_card"))
        laid.append(play.board.turn)
    assert (game.black_cats(4), laid) == (4, [(A,), (B,), (C,), (D,), (A,)])


# --- setup and turns -------------------------------------------------------------------------------------------------


def test_the_game_is_found_by_its_name() -> None:
    assert games.rules("if_it_fits") is RULES


def test_two_to_five_play() -> None:
    assert RULES.seats == (2, 5)


def test_anybody_may_start() -> None:
    assert offered(new(3)) == {(seat, "starter") for seat in range(3)}


def test_starting_cards_are_laid_in_turn_from_the_starter() -> None:
    play, turns = do(new(3), (C, "starter")), list[tuple[int, ...]]()
    for _ in range(3):
        turns.append(play.board.turn)
        play = do(play, (turns[-1][0], "start_card"))
    assert (turns, turn(play).seat, play.board.order) == ([(C,), (A,), (B,)], C, (C, A, B))


def test_turns_go_round_from_the_starter() -> None:
    play = do(new(3), (C, "starter"), (C, "start_card"), (A, "start_card"), (B, "start_card"), *over(C, A, B))
    assert turn(play).seat == C


def test_only_the_seat_whose_turn_it_is_is_asked() -> None:
    assert refused(in_turn(), B, "turn_over").startswith("seat 1 cannot turn_over now")


def test_what_happens_in_a_turn_is_told_from_the_menu() -> None:
    assert [offer.verb for offer in in_turn().offers if not offer.menu] == ["turn_over"]


def test_a_cat_on_the_table_is_a_pip_less() -> None:
    play = do(in_turn(), (A, "awake"), (A, "turn_over"), (B, "asleep"))
    assert [token["cats"] for token in play.board.tokens] == [4, 4, 5]


def test_cats_of_everybody_are_put_right_in_any_turn() -> None:
    play = do(in_turn(), (A, "awake"), (A, "cats", 2), (C, "cats", 3))
    assert (play.state.cats, cats(play)) == ((2, 5, 3), {A: (5, 2), B: (5, 5), C: (5, 3)})


def test_putting_cats_right_is_no_part_of_the_turn() -> None:
    before = in_turn()
    assert offered(do(before, (A, "cats", 2))) - offered(before) == {(A, "cat_back")}


def test_a_cat_too_many_goes_back_by_the_same_way() -> None:
    assert do(in_turn(), (A, "awake"), (A, "cats", 5)).state.cats == (5, 5, 5)


def test_as_many_cats_as_were_known_change_nothing() -> None:
    before = in_turn()
    assert do(before, (A, "cats", 5)).state == before.state


def test_r20_the_fifth_cat_triggers_the_end_though_it_was_forgotten() -> None:
    assert do(in_turn(), (B, "cats", 0)).state.hands == (2, 2, 2)


def test_r20_a_fifth_cat_told_in_the_closing_turns_triggers_nothing() -> None:
    play = do(in_turn(2), (None, "deck_empty"), *over(A, B), (B, "cats", 0))
    assert play.state.hands == (2, 1)


def test_cats_put_right_in_a_timed_turn_belong_to_it() -> None:
    before = in_turn(turn_timer_s=60)
    play = do(before, (None, "timer"), (B, "cats", 3), (A, "turn_over"))
    assert reduce(fold, undo(play), play).state == before.state


def test_one_awake_cat_a_turn() -> None:
    assert (A, "awake") not in offered(do(in_turn(), (A, "awake")))


def test_a_sleeping_cat_is_the_whole_turn() -> None:
    assert offered(do(in_turn(), (A, "asleep"))) == {(A, "turn_over")}


def test_who_has_built_puts_no_cat_to_sleep() -> None:
    assert (A, "asleep") not in offered(do(in_turn(), (A, "awake")))


def test_without_a_cat_left_none_can_be_laid() -> None:
    play = do(four_cats_laid(), (A, "awake"), *over(A, B))
    assert (A, "awake") not in offered(play)


def test_a_princess_sends_any_cat_on_the_table_back() -> None:
    play = do(in_turn(), (A, "awake"), (A, "turn_over"), (B, "asleep"), (B, "turn_over"))
    assert {seat for seat, verb in offered(play) if verb == "cat_back"} == {A, B}


def test_a_princess_may_send_a_cat_of_her_player_back() -> None:
    play = do(in_turn(2), (A, "asleep"), *over(A, B), (A, "cat_back"))
    assert play.state.cats == (5, 5)


def test_no_cat_is_placed_with_a_princess() -> None:
    play = do(in_turn(2), (A, "asleep"), (A, "turn_over"), (A, "cat_back"))
    assert offered(play) == {(B, "turn_over"), (None, "deck_empty")}


@pytest.mark.parametrize(("advanced", "more"), [(False, False), (True, True)], ids=["normal", "advanced"])
def test_r2_a_normal_game_has_as_many_black_cats_as_players(advanced: bool, more: bool) -> None:
    play = in_turn(2, advanced=advanced)
    for _ in range(2):
        play = do(play, (A, "asleep"), (A, "turn_over"), (A, "cat_back"), (B, "turn_over"))
    play = do(play, (A, "asleep"), (A, "turn_over"))
    assert any(verb == "cat_back" for _, verb in offered(play)) is more


def test_a4_a_drawn_toy_is_the_turn() -> None:
    assert offered(do(in_turn(), (A, "toy"))) == {(A, "turn_over"), (None, "deck_empty")}


def test_a4_a_toy_laid_as_a_card_may_be_followed_by_a_cat() -> None:
    assert (A, "awake") in offered(do(in_turn(), (A, "toy_as_card")))


def test_a4_off_another_card_is_drawn_after_a_toy() -> None:
    play = do(in_turn(toy_is_turn=False), (A, "toy"))
    assert ((A, "awake") in offered(play), (A, "asleep") in offered(play)) == (True, False)


def test_there_are_three_special_toys() -> None:
    play = in_turn(2)
    for seat in (A, B, A):
        play = do(play, (seat, "toy"), (seat, "turn_over"))
    assert (SPECIAL_TOYS, {(B, "toy"), (B, "toy_as_card")} & offered(play)) == (3, set())


def test_nobody_plays_a_toy_in_the_closing_turns() -> None:
    play = do(in_turn(), (None, "deck_empty"), (A, "turn_over"))
    assert (B, "toy") not in offered(play)


def test_the_end_is_triggered_once() -> None:
    assert (None, "deck_empty") not in offered(do(in_turn(), (None, "deck_empty")))


def test_without_sleepers_none_can_be_laid() -> None:
    assert (A, "asleep") not in offered(in_turn(sleepers_asked=False))


def test_the_board_counts_closing_turns_down() -> None:
    play = do(in_turn(), (None, "deck_empty"), (A, "turn_over"), (B, "turn_over"))
    assert [token["turns"] for token in play.board.tokens] == [2, 1, 2]


@pytest.mark.parametrize(
    ("answers", "phase"),
    [
        ((), "turn"),
        (((None, "deck_empty"),), "turn"),
        (((None, "deck_empty"), (A, "turn_over")), "last_turns"),
    ],
    ids=["turn", "deck empty", "closing"],
)
def test_the_phase_says_what_is_going_on(answers: tuple[Any, ...], phase: str) -> None:
    assert do(in_turn(), *answers).board.phase == phase


# --- the timer -------------------------------------------------------------------------------------------------------


def test_there_is_no_timer_by_default() -> None:
    assert (None, "timer") not in offered(in_turn())


def test_a_press_starts_the_timer() -> None:
    assert do(in_turn(turn_timer_s=60), (None, "timer"), at_ms=500).due_ns == 60_500 * MS


def test_time_that_has_run_out_is_shown_and_the_turn_goes_on() -> None:
    play = do(in_turn(turn_timer_s=60), (None, "timer"))
    play = do(play, (None, "time_up"), at_ms=60_000)
    assert (play.board.highlight, (A, "turn_over") in offered(play)) == ({"last": (A,)}, True)


def test_the_timer_starts_once_a_turn() -> None:
    play = do(do(in_turn(turn_timer_s=60), (None, "timer")), (None, "time_up"), at_ms=60_000)
    assert (None, "timer") not in offered(play)


def test_a_turn_that_ends_in_time_stops_the_timer() -> None:
    assert do(in_turn(turn_timer_s=60), (None, "timer"), (A, "turn_over")).due_ns is None


def test_a_turn_against_the_clock_is_undone_to_its_start() -> None:
    before = in_turn(turn_timer_s=60)
    play = do(before, (None, "timer"), (A, "awake"), (A, "turn_over"))
    assert reduce(fold, undo(play), play).state == before.state


def test_a_timer_that_ran_at_power_off_waits_for_its_press_again() -> None:
    before = in_turn(turn_timer_s=60)
    play = do(before, (None, "timer"))
    assert reduce(fold, resume(play, "another boot"), play).state == before.state


# --- boxes counted ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "most"), [("toys", MOST_TOYS), ("sprays", MOST_SPRAYS)])
def test_limits_of_what_is_counted(verb: str, most: int) -> None:
    play = counting()
    play = do(play, (None, "toys", 3)) if verb == "sprays" else play
    assert offer(play, verb)[:6] == (None, verb, 0, most, (), 0)


def test_the_questions_about_a_box_in_their_order() -> None:
    play, verbs = counting(2), list[str]()
    while not isinstance(play.state.ask, Result):
        first = play.offers[0]
        verbs.append(first.verb)
        play = do(play, (first.seat, first.verb, first.options[0] if first.options else 1))
    order = ["toys", "sprays", "closed", "awake_cats", "awake_cats", "asleep_cats", "asleep_cats"]
    assert verbs == order


def test_without_sleepers_nobody_is_asked_for_them() -> None:
    assert isinstance(box(counting(sleepers_asked=False), 1, 0, False, (1,)).state.ask, Result)


def test_without_sleepers_cats_are_asked_for_once() -> None:
    play = do(counting(2, sleepers_asked=False), (None, "toys", 1), (None, "sprays", 0), (None, "closed", "no"))
    play = do(play, (B, "awake_cats", 1), (A, "awake_cats", 0))
    assert play.scores == (0, 1)


def test_cats_are_entered_by_all_at_once_in_any_order() -> None:
    play = do(counting(), (None, "toys", 1), (None, "sprays", 0), (None, "closed", "no"), (C, "awake_cats", 2))
    assert [(o.seat, o.low, o.high, o.prefill, o.joins) for o in play.offers] == [
        (A, 0, 5, 0, True),
        (B, 0, 5, 0, True),
    ]


def test_one_undo_takes_back_the_cats_of_all() -> None:
    before = do(counting(), (None, "toys", 1), (None, "sprays", 0), (None, "closed", "no"))
    play = do(before, *((seat, "awake_cats", 1) for seat in range(3)))
    assert reduce(fold, undo(play), play).state == before.state


def test_cats_are_asked_for_up_to_those_on_the_table() -> None:
    play = do(in_turn(2), (A, "awake"), *over(A, B), (A, "awake"), (None, "deck_empty"), *over(A, B, A, B, A))
    play = do(play, (None, "toys", 1), (None, "sprays", 0), (None, "closed", "no"))
    assert [offer.high for offer in play.offers if not offer.menu] == [2, 5]  # nothing was told of B's cats


def test_cats_counted_are_not_asked_for_again() -> None:
    play = do(box(counting(2), 1, 0, False, (3, 5), (1, 0)), (None, "next"))
    play = do(play, (None, "toys", 1), (None, "sprays", 0), (None, "closed", "no"))
    assert [(offer.seat, offer.high) for offer in play.offers] == [(A, 1)]


def test_a_cat_is_either_awake_or_asleep() -> None:
    play = do(counting(2), (None, "toys", 1), (None, "sprays", 0), (None, "closed", "no"))
    play = do(play, (A, "awake_cats", 3), (B, "awake_cats", 5))
    assert [(offer.seat, offer.verb, offer.high) for offer in play.offers] == [(A, "asleep_cats", 2)]


def test_once_every_cat_is_counted_the_boxes_are_done() -> None:
    assert offered(box(counting(2), 1, 0, False, (5, 5))) == {(None, "done")}


def noted(awake: int = 1, **options: object) -> Play:
    """A's cats were noted, B's never; every hand is played out, and the first box is asked for."""
    play = in_turn(2, **options)
    for _ in range(awake):
        play = do(play, (A, "awake"), *over(A, B))
    return do(play, (None, "deck_empty"), *over(A, B, A, B, A))


UP_TO_CATS = ((None, "toys", 1), (None, "sprays", 0), (None, "closed", "no"))


@pytest.mark.parametrize("answers", range(4), ids=["toys", "sprays", "closed", "awake"])
def test_cats_that_were_forgotten_can_be_told_while_a_box_is_counted(answers: int) -> None:
    play = do(noted(), *UP_TO_CATS[:answers], (A, "cats", 2))
    assert (play.state.uncounted, play.state.cats, play.state.hands) == ((3, 5), (2, 5), (0, 0))


def test_where_no_cat_was_ever_noted_none_is_missed() -> None:
    assert cats(noted()) == {A: (4, 4)}


def test_forgotten_cats_told_while_cats_are_counted_may_be_counted_at_once() -> None:
    play = do(noted(), *UP_TO_CATS, (A, "cats", 2))
    assert {offer.seat: offer.high for offer in play.offers if offer.verb == "awake_cats"} == {A: 3, B: 5}


def test_who_had_no_cat_left_to_count_is_asked_for_the_forgotten_one() -> None:
    play = do(noted(), *UP_TO_CATS, (A, "awake_cats", 1), (B, "awake_cats", 0), (B, "asleep_cats", 0), (None, "next"))
    play = do(play, *UP_TO_CATS, (A, "cats", 3))
    assert {offer.seat: offer.high for offer in play.offers if offer.verb == "awake_cats"} == {A: 1, B: 5}


def test_a_forgotten_cat_may_be_one_that_sleeps() -> None:
    play = do(noted(2), *UP_TO_CATS, (A, "awake_cats", 2), (B, "awake_cats", 0), (A, "cats", 2))
    assert [(offer.seat, offer.high) for offer in play.offers if offer.verb == "asleep_cats"] == [(A, 1), (B, 5)]


def test_a_forgotten_cat_is_told_even_when_all_are_counted() -> None:
    play = do(noted(), *UP_TO_CATS, (A, "awake_cats", 1), (B, "awake_cats", 5), (A, "cats", 3))
    assert offered(play) == {(None, "next"), (None, "done")}


def test_a_forgotten_cat_told_among_answers_is_undone_with_them() -> None:
    before = do(noted(), *UP_TO_CATS)
    play = do(before, (A, "awake_cats", 1), (A, "cats", 3), (B, "awake_cats", 1))
    assert reduce(fold, undo(play), play).state == before.state


def test_all_boxes_done_ends_the_game() -> None:
    play = do(box(counting(2), 3, 0, False, (1, 0)), (None, "done"))
    assert (play.over, play.winners, play.board.phase) == (True, (A,), "over")


def test_the_boxes_can_be_done_before_the_next_one() -> None:
    play = do(box(counting(2), 3, 0, False, (1, 0)), (None, "next"), (None, "done"))
    assert (play.over, play.board.round) == (True, 1)


def test_the_box_is_the_round() -> None:
    play = do(box(counting(2), 3, 0, False, (1, 0)), (None, "next"))
    assert (play.board.round, RULES.label(play.state, play.offers[0], None)) == (2, "Box 2: toys?")


def test_who_scored_the_box_is_marked() -> None:
    assert box(counting(), 3, 0, False, (1, 2, 2)).board.highlight == {"first": (B, C)}


def test_boxes_add_up() -> None:
    play = do(box(counting(), 3, 1, True, (2, 1)), (None, "next"))
    assert box(play, 2, 4, False, (1, 0, 1)).scores == (3, 0, -2)


def test_every_kind_of_one_box_can_be_counted() -> None:
    play = do(counting(), (None, "count_kinds"), (None, "kind", 2), (None, "kind", 4), (None, "kind", 0))
    assert (play.state.box.toys, play.state.ask) == (4, Sprays())


def test_no_more_than_eight_kinds_are_asked_for() -> None:
    play = do(counting(entry="kinds"), *[(None, "kind", 1)] * KINDS)
    assert offered(play) == {(None, "sprays")}


def test_a_box_without_toys_has_no_kind() -> None:
    assert box(counting(entry="kinds"), (), 1, False, (1,)).scores == (-1, 0, 0)


# --- the table: what hangs together ----------------------------------------------------------------------------------


def sides(open_: str) -> Sides:
    """Open sides by their letters: nesw."""
    return (int("n" in open_), int("e" in open_), int("s" in open_), int("w" in open_))


def table(*cards: tuple[int, int, str], cats: tuple[tuple[int, int, int], ...] = ()) -> Table:
    """Cards with their open sides; awake cats by the western card and their seat."""
    across = tuple(Across((x, y), Piece.AWAKE, seat) for x, y, seat in cats)
    return Table(tuple(Card((x, y), sides(open_)) for x, y, open_ in cards), across)


def found(on: Table) -> list[list[Place]]:
    return [sorted(each) for each in boxes.boxes(on)]


@pytest.mark.parametrize(
    ("on", "together"),
    [
        (table((0, 0, "nesw"), (1, 0, "nesw")), [[(0, 0), (1, 0)]]),
        (table((0, 0, "nesw"), (0, 1, "nesw")), [[(0, 0), (0, 1)]]),
        (table((0, 0, "nsw"), (1, 0, "nesw")), [[(0, 0)], [(1, 0)]]),
        (table((0, 0, "nesw"), (1, 0, "nes")), [[(0, 0)], [(1, 0)]]),
        (table((0, 0, "nesw"), (1, 1, "nesw")), [[(0, 0)], [(1, 1)]]),
        (table((0, 0, "s"), (1, 0, "s"), (0, 1, "ne"), (1, 1, "nw")), [[(0, 0), (0, 1), (1, 0), (1, 1)]]),
    ],
    ids=["long sides", "short sides", "a wall", "the other's wall", "corners", "round a corner"],
)
def test_what_hangs_together(on: Table, together: list[list[Place]]) -> None:
    assert found(on) == together


@pytest.mark.parametrize(
    ("on", "closed"),
    [
        pytest.param(table((0, 0, "")), True, id="walls all round"),
        pytest.param(table((0, 0, "e")), False, id="an open side"),
        pytest.param(table((0, 0, "e"), (1, 0, "w")), True, id="open sides joined"),
        pytest.param(table((0, 0, "e"), (1, 0, "")), True, id="T25"),
        pytest.param(table((0, 0, "e"), (1, 0, "nw")), False, id="open further on"),
    ],
)
def test_closed_boxes(on: Table, closed: bool) -> None:
    cards = boxes.cards_by_place(on)
    assert boxes.closed(cards, boxes.box_at(cards, (0, 0))) is closed


def test_what_counts_in_a_box() -> None:
    on = Table(
        (
            Card((0, 0), sides("e"), (1, 2), 1),
            Card((1, 0), sides("ew"), (2, 0), 2),
            Card((2, 0), sides("w"), piece=Piece.ASLEEP, owner=B),
            Card((5, 5), OPEN, (9, 9), 9),
        ),
        (Across((0, 0), Piece.AWAKE, A), Across((7, 7), Piece.AWAKE, A)),
    )
    everything = boxes.contents(on, boxes.box_at(boxes.cards_by_place(on), (0, 0)), 2)
    assert everything == Contents(3, 3, True, (1, 0), (0, 1))


def test_a_special_toy_counts_in_its_box_and_a_princess_does_not() -> None:
    on = table((0, 0, "e"), (1, 0, "we"), (2, 0, "w"))._replace(
        across=(Across((0, 0), Piece.TOY, toys=(0, 4)), Across((1, 0), Piece.PRINCESS)),
    )
    assert boxes.contents(on, frozenset({(0, 0), (1, 0), (2, 0)}), 2) == Contents(4, 0, True, (0, 0), (0, 0))


# --- the table: what may lie where -----------------------------------------------------------------------------------

ROW = table((0, 0, "nesw"), (1, 0, "nesw"), (2, 0, "nes"), (0, 1, "nesw"), cats=((1, 0, B),))


@pytest.mark.parametrize(
    ("place", "open_", "double_walls", "reason"),
    [
        pytest.param((1, 0), "nesw", True, "a card lies at (1, 0)", id="R9"),
        pytest.param((5, 5), "nesw", True, "(5, 5) touches no card", id="R8 alone"),
        pytest.param((3, 1), "nesw", True, "(3, 1) touches no card", id="R8 by a corner"),
        pytest.param((3, 0), "", True, None, id="R10 wall to open side"),
        pytest.param((2, 1), "", False, None, id="R10 advanced: wall to open side"),
    ],
)
def test_where_a_card_may_lie(place: Place, open_: str, double_walls: bool, reason: str | None) -> None:
    assert boxes.bad_card(ROW, place, sides(open_), double_walls=double_walls) == reason


@pytest.mark.parametrize("double_walls", [True, False], ids=["normal", "advanced"])
def test_r10_two_walls_may_meet_but_not_in_the_advanced_game(double_walls: bool) -> None:
    reason = boxes.bad_card(table((0, 0, "")), (1, 0), sides("nes"), double_walls=double_walls)
    assert (reason is None) is double_walls


@pytest.mark.parametrize(
    ("place", "fits"),
    [((0, 1), True), ((0, -1), True), ((1, 0), False), ((0, 2), False), ((0, 0), False)],
    ids=["south", "north", "long side", "apart", "taken"],
)
def test_r5_starting_cards_join_by_their_short_sides(place: Place, fits: bool) -> None:
    assert (boxes.bad_start(table((0, 0, "nesw")), place) is None) is fits


def test_the_first_card_lies_in_the_middle() -> None:
    assert boxes.bad_start(Table(), (0, 1)) == "the first card lies at (0, 0)"


@pytest.mark.parametrize(
    ("on", "seat", "one", "other", "laid", "reason"),
    [
        pytest.param(
            ROW, B, (0, 0), (0, 1), (0, 0), "(0, 0) and (0, 1) do not touch by their long sides", id="T19 short sides"
        ),
        pytest.param(
            table((0, 0, "e"), (1, 0, "")),
            A,
            (0, 0),
            (1, 0),
            (0, 0),
            "a wall is between (0, 0) and (1, 0)",
            id="T19 wall",
        ),
        pytest.param(
            ROW, B, (0, 0), (1, 0), (2, 0), "neither (0, 0) nor (1, 0) was laid this turn: that is (2, 0)", id="T19 old"
        ),
        pytest.param(
            ROW, A, (0, 0), (1, 0), (0, 0), "another player's cat is in the box of (0, 0), and none of seat 0", id="T17"
        ),
        pytest.param(ROW, B, (0, 0), (1, 0), (0, 0), None, id="T17 own cat"),
        pytest.param(
            ROW._replace(cards=(*ROW.cards, Card((0, 2), OPEN, piece=Piece.ASLEEP, owner=A))),
            A,
            (0, 0),
            (1, 0),
            (0, 0),
            None,
            id="T17 own cat asleep",
        ),
        pytest.param(
            table((0, 0, "e"), (1, 0, "we"), (2, 0, "w"), cats=((0, 0, A),)), A, (2, 0), (1, 0), (2, 0), None, id="R11"
        ),
        pytest.param(ROW, B, (2, 0), (1, 0), (2, 0), "a wall is between (2, 0) and (1, 0)", id="R11 the other's wall"),
        pytest.param(ROW, B, (3, 0), (2, 0), (2, 0), "no cardboard card lies at (3, 0)", id="R11 no card"),
        pytest.param(
            table((0, 0, "e"), (1, 0, "w"), cats=((0, 0, A),)),
            A,
            (1, 0),
            (0, 0),
            (0, 0),
            "something lies across (1, 0) and (0, 0)",
            id="A6 taken",
        ),
        pytest.param(
            Table((Card((0, 0), OPEN), Card((1, 0), OPEN, piece=Piece.ASLEEP, owner=A))),
            A,
            (0, 0),
            (1, 0),
            (0, 0),
            "no cardboard card lies at (1, 0)",
            id="R11 a sleeper is no cardboard",
        ),
        pytest.param(
            Table((Card((0, 0), OPEN), Card((1, 0), OPEN), Card((0, 1), OPEN, piece=Piece.ASLEEP, owner=B))),
            A,
            (0, 0),
            (1, 0),
            (0, 0),
            "another player's cat is in the box of (0, 0), and none of seat 0",
            id="R16",
        ),
        pytest.param(
            table((0, 0, "e"), (1, 0, "we"), (2, 0, "w"))._replace(across=(Across((1, 0), Piece.PRINCESS),)),
            A,
            (0, 0),
            (1, 0),
            (0, 0),
            None,
            id="A9 a Princess blocks nobody",
        ),
    ],
)
def test_where_a_cat_may_lie(on: Table, seat: int, one: Place, other: Place, laid: Place, reason: str | None) -> None:
    assert boxes.bad_cat(on, seat, one, other, laid) == reason


def test_a6_other_players_cats_do_not_keep_a_toy_out() -> None:
    assert list(boxes.toy_places(ROW)) == [((0, 0), (1, 0))]


# --- cards as programs lay them --------------------------------------------------------------------------------------


def card(x: int, y: int, open_: str = "nesw", toys: int = 0, sprays: int = 0) -> tuple[Any, ...]:
    """A card as it is reported: so many toys of one kind."""
    return ((x, y), sides(open_), (toys, *NO_TOYS[1:]), sprays)


def laying(players: int = 2, **options: object) -> Play:
    """Starting cards in a column; A's turn."""
    play = do(new(players, entry="cards", **options), (A, "starter"))
    return do(play, *((seat, "start_card", card(0, seat)) for seat in range(players)))


def test_cards_are_asked_for_with_an_example() -> None:
    assert [offer.verb for offer in laying().offers if offer.example is None] == ["discard", "deck_empty"]


def test_every_example_is_legal() -> None:
    play = do(laying(), (A, "build", card(1, 0)), (A, "awake", ((0, 0), (1, 0))), (A, "turn_over"))
    play = do(play, (B, "asleep", ((1, 1), OPEN)), (B, "turn_over"))
    verbs = [offer.verb for offer in play.offers if offer.example is not None]
    for each in play.offers:
        do(play, (each.seat, each.verb, each.example))
    assert verbs == ["build", "princess", "princess_asleep", "toy_as_card", "asleep"]


def test_a_card_has_to_be_played_before_the_turn_is_over() -> None:
    assert refused(laying(), A, "turn_over").startswith("seat 0 cannot turn_over now")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (card(0, 1), "build: a card lies at (0, 1)"),
        (card(4, 4), "build: (4, 4) touches no card"),
        (((1, 0), (1, 2, 1, 1), NO_TOYS, 0), "build: sides (1, 2, 1, 1): each of north, east, south, west is 1, open,"),
        (card(1, 0, toys=10), "build: toys (10, 0, 0, 0, 0, 0, 0, 0) and sprays 0: 0 to 9 of each are allowed"),
        (card(1, 0, sprays=-1), "build: toys (0, 0, 0, 0, 0, 0, 0, 0) and sprays -1: 0 to 9 of each are allowed"),
        (
            ((1, 0), OPEN),
            "build: ((1, 0), (1, 1, 1, 1)) is not like ((0, 0), (1, 1, 1, 1), (0, 0, 0, 0, 0, 0, 0, 0), 0)",
        ),
        (((1, "0"), OPEN, NO_TOYS, 0), "build: ((1, '0'), (1, 1, 1, 1)"),
        (((1, True), OPEN, NO_TOYS, 0), "build: ((1, True), (1, 1, 1, 1)"),
        (((1, 0), 1, NO_TOYS, 0), "build: ((1, 0), 1, (0, 0, 0, 0, 0, 0, 0, 0), 0) is not like"),
    ],
    ids=[
        "taken",
        "alone",
        "no such side",
        "too many toys",
        "too few sprays",
        "too short",
        "a word",
        "true",
        "no tuple",
    ],
)
def test_a_card_that_the_rules_forbid_is_refused_in_words(value: Value, reason: str) -> None:
    assert refused(laying(), A, "build", value).startswith(reason)


def test_advanced_two_walls_that_meet_are_refused() -> None:
    play = do(laying(advanced=True), (A, "build", card(1, 0, "nsw")), (A, "turn_over"))
    assert refused(play, B, "build", card(2, 0, "nes")).startswith("build: two walls meet to the west")


def test_starting_cards_are_refused_at_a_long_side() -> None:
    play = do(new(2, entry="cards"), (A, "starter"), (A, "start_card", card(0, 0)))
    assert "join by their short sides" in refused(play, B, "start_card", card(1, 0))


def test_t18_a_card_that_joins_a_box_with_anothers_cat_may_be_laid_but_no_cat_on_it() -> None:
    play = do(laying(), (A, "build", card(1, 0, "w")), (A, "turn_over"))
    play = do(play, (B, "build", card(1, 1, "w")), (B, "awake", ((0, 1), (1, 1))), (B, "turn_over"))
    play = do(play, (A, "build", card(-1, 1)))
    assert (A, "awake") not in offered(play)


def test_t19_a_cat_that_the_rules_forbid_is_refused_in_words() -> None:
    play = do(laying(), (A, "build", card(1, 0)))
    assert refused(play, A, "awake", ((0, 0), (0, 1))) == ("awake: (0, 0) and (0, 1) do not touch by their long sides")


def test_no_cat_before_a_card_is_laid() -> None:
    assert (A, "awake") not in offered(laying())


def test_an_awake_cat_is_a_pip_less() -> None:
    assert do(laying(), (A, "build", card(1, 0)), (A, "awake", ((0, 0), (1, 0)))).state.cats == (4, 5)


def asleep_at_1_0() -> Play:
    return do(laying(), (A, "asleep", ((1, 0), OPEN)), (A, "turn_over"))


def test_a_princess_takes_the_place_of_a_sleeping_cat() -> None:
    play = do(asleep_at_1_0(), (B, "princess_asleep", ((1, 0), sides("w"))))
    assert (play.state.cats, play.state.table.cards[-1]) == ((5, 5), Card((1, 0), sides("w"), piece=Piece.PRINCESS))


def test_a_princess_takes_the_place_of_an_awake_cat() -> None:
    play = do(laying(), (A, "build", card(1, 0)), (A, "awake", ((0, 0), (1, 0))), (A, "turn_over"))
    play = do(play, (B, "princess", ((1, 0), (0, 0))))
    assert (play.state.cats, play.state.table.across) == ((5, 5), (Across((0, 0), Piece.PRINCESS),))


def test_a9_a_princess_cannot_be_replaced() -> None:
    play = do(asleep_at_1_0(), (B, "princess_asleep", ((1, 0), OPEN)), (B, "turn_over"))
    play = do(play, (A, "asleep", ((2, 0), OPEN)), (A, "turn_over"))
    assert refused(play, B, "princess_asleep", ((1, 0), OPEN)) == "princess_asleep: no cat lies asleep at (1, 0)"


def test_a_princess_needs_a_cat_where_she_is_laid() -> None:
    play = do(laying(), (A, "build", card(1, 0)), (A, "awake", ((0, 0), (1, 0))), (A, "turn_over"))
    assert refused(play, B, "princess", ((1, 0), (2, 0))) == "princess: no cat lies awake across (1, 0) and (2, 0)"


def test_a9_a_princess_without_a_cat_to_replace_is_discarded() -> None:
    play = do(laying(), (A, "build", card(1, 0)), (None, "deck_empty"), (A, "turn_over"), (B, "discard"))
    assert offered(play) == {(B, "turn_over")}


@pytest.mark.parametrize("before", [(), ((None, "deck_empty"),)], ids=["an early turn", "a closing turn"])
def test_a10_a_card_with_no_place_to_lie_is_discarded(before: tuple[Answer, ...]) -> None:
    play = do(laying(), (A, "build", card(1, 0)), *before, (A, "turn_over"), (B, "discard"), (B, "turn_over"))
    assert turn(play).seat == A


def test_a10_a_card_discarded_is_no_black_cat() -> None:
    play = do(laying(), (A, "discard"), (A, "turn_over"), (B, "discard"), (B, "turn_over"))
    play = do(play, (A, "asleep", ((1, 0), OPEN)), (A, "turn_over"))
    assert (B, "princess_asleep") in offered(play)


def test_a10_nothing_is_discarded_once_a_card_was_played() -> None:
    assert (A, "discard") not in offered(do(laying(), (A, "build", card(1, 0))))


def test_r19_a_toy_is_laid_as_a_card_only_where_no_place_is_free() -> None:
    play = do(laying(), (A, "build", card(1, 0)), (A, "turn_over"))
    assert {(B, "toy")} == {(B, "toy"), (B, "toy_as_card")} & offered(play)


def test_a_toy_adds_its_icons_to_the_box() -> None:
    play = do(laying(), (A, "build", card(1, 0)), (A, "awake", ((0, 0), (1, 0))), (A, "turn_over"))
    play = do(play, (B, "build", card(1, 1)), (B, "turn_over"), (A, "toy", (((0, 1), (1, 1)), (0, 3, *NO_TOYS[2:]))))
    [only] = boxes.boxes(play.state.table)
    assert boxes.contents(play.state.table, only, 2).toys == 3


def test_a_toy_may_not_lie_on_a_cat() -> None:
    play = do(laying(), (A, "build", card(1, 0)), (A, "awake", ((0, 0), (1, 0))), (A, "turn_over"))
    play = do(play, (B, "build", card(1, 1)), (B, "turn_over"))
    assert refused(play, A, "toy", (((0, 0), (1, 0)), NO_TOYS)) == "toy: something lies across (0, 0) and (1, 0)"


def test_a4_a_toy_laid_as_a_card_is_the_card_that_a_cat_may_lie_on() -> None:
    play = do(laying(), (A, "toy_as_card", ((1, 0), OPEN, NO_TOYS)), (A, "awake", ((0, 0), (1, 0))))
    assert play.state.cats == (4, 5)


def test_a4_off_a_card_is_still_played_after_a_toy() -> None:
    play = do(laying(toy_is_turn=False), (A, "toy_as_card", ((1, 0), OPEN, NO_TOYS)))
    assert ((A, "build") in offered(play), (A, "turn_over") in offered(play)) == (True, False)


def last_turns(play: Play) -> Play:
    """The deck is empty; both play out their hands far to the south."""
    row = min(card.place[1] for card in play.state.table.cards) - 1
    play = do(play, (A, "build", card(0, row, "")), (None, "deck_empty"), (A, "turn_over"))
    for n, seat in enumerate((B, A, B, A), 1):
        play = do(play, (seat, "build", card(n, row, "")), (seat, "turn_over"))
    return play


def test_when_all_hands_are_empty_every_box_is_scored() -> None:
    play = do(laying(), (A, "build", card(1, 0, "we", toys=3)), (A, "awake", ((0, 0), (1, 0))), (A, "turn_over"))
    play = do(play, (B, "build", card(-1, 0, "e", sprays=1)), (B, "turn_over"))
    play = last_turns(play)
    assert (play.over, play.scores, play.state.negatives, play.winners) == (True, (2, 0), (1, 0), (A,))


def test_a_closed_box_of_cards_counts_double() -> None:
    play = do(laying(), (A, "build", card(1, 0, "w", toys=3)), (A, "turn_over"))
    play = do(play, (B, "build", card(-1, 0, "e")), (B, "turn_over"), (A, "build", card(-1, 1, "e")), (A, "turn_over"))
    play = do(play, (B, "build", card(1, 1, "w")), (B, "awake", ((0, 1), (1, 1))), (B, "turn_over"))
    play = do(play, (A, "build", card(0, 2, "")), (A, "turn_over"), (B, "build", card(0, 3, "")), (B, "turn_over"))
    assert last_turns(play).scores == (0, 6)


def test_boxes_without_cats_are_skipped() -> None:
    play = last_turns(laying())
    assert (play.over, play.state.boxes) == (True, 0)


def test_what_a_program_reports_is_one_step() -> None:
    before = laying()
    play = do(before, (A, "build", card(1, 0)))
    assert reduce(fold, undo(play), play).state == before.state


# --- cards at random --------------------------------------------------------------------------------------------------


def some_value(offer: Offer, dice: Random) -> Value:
    """Something like the example, somewhere near: many sides are walls, so that boxes close."""

    def some(example: Any) -> Any:
        match example:
            case (int(), int()):
                return (dice.randint(-2, 3), dice.randint(-2, 3))
            case (int(), int(), int(), int()):
                return tuple(dice.choice((0, 1, 1)) for _ in range(4))
            case tuple():
                return tuple(map(some, example))
            case _:
                return dice.choice((0, 0, 0, 1, 2))

    if offer.example is None:
        return None
    return tuple(map(some, offer.example)) if dice.random() < 0.9 else offer.example


def laid_at_random(players: int, seed: int) -> tuple[Play, list[Move]]:
    """A game of cards to its end: what the rules forbid is tried, too, and changes nothing."""
    dice, moves = Random(seed), list[Move]()
    play = new(players, entry="cards", advanced=dice.random() < 0.3, toy_is_turn=dice.random() < 0.7)
    while not play.over:
        usual = [offer for offer in play.offers if not offer.hold and (not offer.menu or len(moves) > 90)]
        often = [{"build": 8, "awake": 20, "turn_over": 3}.get(offer.verb, 1) for offer in usual]
        [offer] = dice.choices(usual, often)
        action = Action(offer.seat, offer.verb, some_value(offer, dice))
        try:
            facts = answer(play, action)
        except Refused:
            continue
        play = reduce(fold, facts, play)
        moves.append(Move(play.step, action.verb, action.seat, action.value, 0, 0, facts))
    return play, moves


@pytest.mark.parametrize("tens", range(20))
def test_cards_laid_at_random_score_as_the_second_scorer_says(tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        players = 2 + seed % 4
        play, moves = laid_at_random(players, seed)
        found = plain.SCORERS["if_it_fits"](players, asdict(play.options), moves)
        assert (found.totals, found.winners) == (list(play.scores), list(play.winners))


# --- words and events ------------------------------------------------------------------------------------------------


def test_labels_fit_a_line_of_the_menu() -> None:
    questions = [each for each in vars(game).values() if isinstance(each, type) and issubclass(each, Question)]
    long = [verb.label for each in questions for verb in each.verbs.values() if len(verb.label) > 21]
    assert long == []


def test_in_early_journals_an_awake_cat_of_a_box_was_a_forgotten_one() -> None:
    assert AwakeLaid(A, None).fold(noted().state).cats == (3, 5)


def test_the_state_can_be_written_as_json() -> None:
    state = do(laying(), (A, "build", card(1, 0)), (A, "awake", ((0, 0), (1, 0)))).state
    assert json.loads(msgspec.json.encode(state))


def test_events_with_cards_are_read_back_as_they_were_written() -> None:
    play = laying()
    facts: tuple[Fact, ...] = answer(play, Action(A, "build", card(1, 0, "ns", 2, 1)))
    event = facts[0].event
    assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event


def test_act_refuses_a_number_beyond_its_limits() -> None:
    with pytest.raises(Refused, match="a whole number from 0 to 30 is allowed"):
        act(RULES, counting().state, Action(None, "toys", 31), Chance(7, 0))


def test_the_state_starts_with_nothing_on_the_table() -> None:
    state: State = RULES.start(5, Options())
    assert (state.cats, state.ask) == ((CATS,) * 5, Starter())
