"""Pack & Stack: the worked examples of its rules page, every question in turn, and whole games played at random."""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import fields
from functools import reduce
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import games, race
from engine.game import Over, act
from engine.games import pack_and_stack as game
from engine.games.pack_and_stack import (
    BOXES,
    COLOURS,
    COUNTDOWN_NS,
    FACES,
    REWARDS,
    RULES,
    TRUCKS,
    Area,
    Boxes,
    Deal,
    Empties,
    Grab,
    Hands,
    LeftOver,
    Levels,
    Load,
    Options,
    Packing,
    Ready,
    Result,
    Reward,
    Roll,
    State,
    UseCard,
    WhoLast,
    empties,
    loss,
    volume,
)
from engine.play import Fact, Play, answer, fix, fold, late, opened, replay, resume, start, undo
from engine.race import SETTLE_NS
from engine.rules import ERROR_NS, Action, Chance, Offer, Press, Refused, Value, option_values, read_options, seats_of

MS = 1_000_000
GO_NS = COUNTDOWN_NS  # the deals of these tests are stamped 0
T1: tuple[int, ...] = (3, 2, 3, 0, 1)
SMALL: tuple[int, ...] = (1, 0, 0, 0, 0)


# --- playing ---------------------------------------------------------------------------------------------------------


def new(players: int = 3, **options: object) -> Play:
    """A game at its first question."""
    names = tuple("ABCDEF"[:players])
    return opened(RULES, start(RULES, names, read_options(Options, options), seed=7))


def do(play: Play, *answers: tuple[int | None, str, Value, int]) -> Play:
    """The play after answers of a seat, a verb, a value and a stamp in ms."""
    for seat, verb, value, at_ms in answers:
        play = reduce(fold, answer(play, Action(seat, verb, value, at_ms * MS)), play)
    return play


def grab(seat: int, at_ms: int) -> tuple[int, str, Value, int]:
    """A press so long after the flip."""
    return (seat, "grab", None, GO_NS // MS + at_ms)


def at_deal(players: int = 3, **options: object) -> Play:
    return do(new(players, **options), (0, "youngest", None, 0))


def flipped(players: int = 3, **options: object) -> Play:
    """The cards are turned, 3 s after the deal at 0."""
    return do(at_deal(players, **options), (None, "deal", None, 0), (None, "go", None, GO_NS // MS))


def raced(players: int = 3, **options: object) -> Play:
    """Seat 0, 1 and so on grab half a second apart; the last seat never does."""
    play = do(flipped(players, **options), *(grab(seat, 500 * (seat + 1)) for seat in range(players - 1)))
    due_ns = play.due_ns
    assert due_ns is not None
    return do(play, (None, "settle", None, due_ns // MS))


def ask(play: Play) -> object:
    return play.state.ask


def in_doubt(play: Play) -> tuple[int, ...]:
    """The table is asked who of these was last."""
    assert ask(play) == WhoLast()
    return WhoLast().among(play.state)


def offered(state: State) -> dict[tuple[int | None, str], Offer]:
    return {(offer.seat, offer.verb): offer for offer in RULES.offers(state)}


def one_answer_left(losses: tuple[int, ...], **options: object) -> State:
    """A round in which the seats counted these losses; only the blue boxes of the last seat are still asked for."""
    state = RULES.start(len(losses), read_options(Options, options))
    left: Boxes = (0, 0, 0, 0, None)
    state = state.in_round(empties=losses, left=(left,) * len(losses))
    return state.asking(LeftOver((*[0] * (len(losses) - 1), None), seats_of(len(losses)), 4))


def last_answer(state: State, boxes: int = 0) -> State:
    """The last seat left so many blue boxes."""
    return act(RULES, state, Action(len(state.points) - 1, "left", boxes), Chance(7, 0))[0]


def counted(losses: tuple[int, ...], **options: object) -> State:
    """A round in which the seats, from 75 points, counted these losses."""
    return last_answer(one_answer_left(losses, **options))


def trucks(area: int, levels: int, load: tuple[int, ...]) -> State:
    """Seat 0 has this truck and load, and counts what is left; seat 1 has one green box that fits."""
    state = RULES.start(2, Options(counting="checked"))
    state = state.in_round(loads=(load, SMALL), levels=(levels, 1)).asking(Area((area, None), (0, 1)))
    return act(RULES, state, Action(1, "area", 1), Chance(7, 0))[0]


def leave(state: State, left: tuple[int, ...]) -> State:
    """Seat 0 leaves these boxes, seat 1 none."""
    while isinstance(now := state.ask, LeftOver):
        seat = now.seats[0] if now.numbers[now.seats[0]] is None else now.seats[1]
        value = left[now.colour] if seat == 0 else 0
        state, _ = act(RULES, state, Action(seat, "left", value), Chance(7, 0))
    return state


# --- the worked examples ---------------------------------------------------------------------------------------------


def test_t1_dice_3_2_3_0_1_are_9_boxes_of_volume_21() -> None:
    assert (sum(T1), volume(T1)) == (9, 21)


@pytest.mark.parametrize(
    ("empty", "left", "expected"),
    [
        pytest.param(6, (0, 0, 0, 0, 0), 6, id="T2"),
        pytest.param(0, (0, 0, 2, 0, 0), 12, id="T3"),
    ],
)
def test_loss_of_empty_spaces_and_boxes_left(empty: int, left: Boxes, expected: int) -> None:
    assert loss(empty, volume(left)) == expected


def test_t4_everybody_starts_with_75_points() -> None:
    assert new(6).scores == (75,) * 6


@pytest.mark.parametrize(
    ("area", "levels", "left", "empty", "lost"),
    [
        pytest.param(9, 3, (0, 0, 0, 0, 0), 6, 6, id="T5"),
        pytest.param(9, 3, (0, 0, 2, 0, 0), 12, 24, id="T6"),
        pytest.param(15, 1, (1, 0, 0, 0, 1), 0, 12, id="T8"),
        pytest.param(7, 3, (0, 0, 0, 0, 0), 0, 0, id="T10"),
    ],
)
def test_a_checked_truck(area: int, levels: int, left: tuple[int, ...], empty: int, lost: int) -> None:
    state = leave(trucks(area, levels, T1), left)
    assert (empties(area * levels, volume(T1), volume(left)), state.round.losses[0]) == (empty, lost)


def test_t7_a_voucher_halves_the_price_of_boxes_left() -> None:
    state = leave(replace(trucks(9, 3, T1), held=(("voucher",), ())), (0, 0, 2, 0, 0))
    state, _ = act(RULES, state, Action(0, "voucher"), Chance(7, 0))
    assert state.round.losses[0] == 18


def test_t9_a_load_that_cannot_fit_cannot_be_entered_without_boxes_left() -> None:
    state = trucks(15, 1, T1)
    with pytest.raises(Refused, match="whole number from 1 to 1"):
        leave(state, (1, 0, 0, 0, 0))  # 5 more units have to stay: the blue box


@pytest.mark.parametrize(
    ("losses", "points", "options", "expected", "over"),
    [
        pytest.param((6, 6, 12), (75, 75, 75), {}, (79, 79, 63), False, id="T11"),
        pytest.param((12, 20, 20), (4, 75, 75), {}, (2, 55, 55), False, id="T12"),
        pytest.param((12, 20, 20), (4, 75, 75), {"floor_at_zero": True}, (10, 55, 55), False, id="T13"),
        pytest.param((18, 20, 20), (8, 75, 75), {}, (0, 55, 55), True, id="T14"),
        pytest.param((18, 20, 20), (8, 75, 75), {"floor_at_zero": True}, (10, 55, 55), False, id="T14 floored"),
        pytest.param((12, 12, 6), (3, 10, 40), {}, (-9, -2, 44), True, id="T19"),
        pytest.param((20, 5, 6), (4, 75, 75), {"floor_at_zero": True}, (0, 80, 69), True, id="floored and out"),
        pytest.param((5, 0, 6), (-4, 75, 75), {"floor_at_zero": True}, (0, 85, 69), True, id="floored from below"),
    ],
)
def test_a_round_booked(
    losses: tuple[int, ...], points: tuple[int, ...], options: dict[str, object], expected: tuple[int, ...], over: bool
) -> None:
    state = last_answer(replace(one_answer_left(losses, **options), points=points))
    assert (RULES.scores(state), game.ended(state)) == (expected, over)


def test_r20_points_fixed_after_the_end_share_the_win_at_once() -> None:
    play = dataclasses.replace(new(2), state=replace(new(2).state, points=(31, -4), ask=Over()))
    play = reduce(fold, fix(play, 1, 35), play)
    assert (play.over, play.winners) == (True, (0, 1))


def test_t15_equal_highest_totals_share_the_win() -> None:
    state = replace(RULES.start(3, Options()), points=(31, 31, -4))
    assert RULES.winners(state) == (0, 1)


@pytest.mark.parametrize(
    ("losses", "left", "points", "asked"),
    [
        pytest.param((0, 5, 9), 3, (85, 70, 66), Reward(0), id="T16"),
        pytest.param((0, 0, 5), 3, (85, 85, 70), Result(), id="T17"),
        pytest.param((0, 5, 9), 0, (85, 70, 66), Result(), id="T18"),
    ],
)
def test_who_alone_lost_nothing_draws_a_reward_card(
    losses: tuple[int, ...], left: int, points: tuple[int, ...], asked: object
) -> None:
    before = one_answer_left(losses, reward_cards=True)
    state = last_answer(replace(before, rewards=before.rewards[:left]))
    assert (RULES.scores(state), state.ask) == (points, asked)


def test_t16_two_reward_cards_are_left_after_one_is_drawn() -> None:
    state = counted((0, 5, 9), reward_cards=True)
    state, _ = act(RULES, state, Action(0, "reward", "voucher"), Chance(7, 0))
    assert (state.held[0], len(state.rewards), state.ask) == (("voucher",), 2, Result())


@pytest.mark.parametrize(
    ("players", "options", "each"),
    [
        pytest.param(4, {}, 2, id="T20 four players"),
        pytest.param(5, {}, 1, id="T20 five players"),
        pytest.param(4, {"trucks_per_player": 1}, 1, id="fewer"),
        pytest.param(6, {"trucks_per_player": 2}, 2, id="more"),
    ],
)
def test_trucks_dealt(players: int, options: dict[str, object], each: int) -> None:
    state = do(at_deal(players, **options), (None, "deal", None, 0)).state
    assert TRUCKS - state.pile == players * each


def test_t21_the_missing_player_is_last_at_once_and_draws_the_top_card() -> None:
    play = do(flipped(3), grab(0, 1200), grab(1, 1850))
    pile = play.state.pile
    play = do(play, (None, "settle", None, (GO_NS + SETTLE_NS) // MS + 1850))
    assert (play.state.round.last, pile - play.state.pile) == ((2,), 1)


# --- setup and load --------------------------------------------------------------------------------------------------


def test_the_game_is_found_by_its_name() -> None:
    assert games.rules("pack_and_stack") is RULES


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("floor_at_zero", 1),
        ("reward_cards", "yes"),
        ("trucks_per_player", 3),
        ("trucks_per_player", "kit"),
        ("tie_band", 0),
        ("loading_timer_s", 601),
        ("counting", "slow"),
        ("start", "hands"),
        ("device_dice", 2),
        ("speed", 1),
    ],
)
def test_a_wrong_option_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(Refused, match=name) as refused:
        read_options(Options, {name: value})
    assert refused.value.kind == "bad_setup"


@pytest.mark.parametrize("players", [1, 7])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(Refused, match="for 2 to 6"):
        start(RULES, tuple("ABCDEFG"[:players]), Options(), seed=7)


def test_the_youngest_is_the_first_to_answer_and_starts_for_the_whole_game() -> None:
    play = do(new(3), (2, "youngest", None, 0))
    assert (play.state.starter, RULES.board(play.state).order) == (2, (2, 0, 1))


def test_a_quick_round_begins_with_the_deal() -> None:
    assert ask(at_deal()) == Deal()


def test_a_checked_round_begins_with_the_green_boxes() -> None:
    assert ask(at_deal(counting="checked")) == Load.of(3, colour=0)


def test_each_colour_of_the_load_is_one_step() -> None:
    play = at_deal(2, counting="checked")
    before = play.step
    play = do(play, (1, "load", 3, 0), (0, "load", 3, 0), (0, "load", 2, 0), (1, "load", 1, 0))
    assert play.step - before == 2


def test_a_colour_has_no_more_boxes_than_the_game() -> None:
    play = do(at_deal(2, counting="checked"), (0, "load", 28, 0))
    assert offered(play.state)[1, "load"].high == BOXES[0] - 28


def test_more_boxes_than_the_die_shows_are_taken_but_unlikely() -> None:
    play = do(at_deal(2, counting="checked"), (0, "load", 6, 0), (1, "load", 5, 0))
    assert game.unlikely(play.state) == (0,)


def test_the_kit_rolls_in_turn_from_the_youngest() -> None:
    play = do(new(3, device_dice=True), (1, "youngest", None, 0))
    rollers = []
    while ask(play) == Roll():
        rollers.append(play.offers[0].seat)
        play = do(play, (play.offers[0].seat, "roll", None, 0))
    assert rollers == [1, 2, 0]


def test_the_kit_rolls_only_faces_of_its_dice() -> None:
    state = at_deal(2, device_dice=True).state
    for step in range(500):
        _, events = act(RULES, state, Action(0, "roll"), Chance(7, step))
        (event,) = events
        assert isinstance(event, game.LoadRolled)
        assert all(boxes in faces for boxes, faces in zip(event.boxes, FACES, strict=True))


def test_an_undone_roll_falls_the_same_way_again() -> None:
    play = at_deal(2, device_dice=True)
    first = do(play, (0, "roll", None, 0))
    again = do(reduce(fold, undo(first), first), (0, "roll", None, 9))
    assert again.state == first.state


# --- the race --------------------------------------------------------------------------------------------------------


def test_the_flip_comes_exactly_3_s_after_the_deal() -> None:
    assert do(at_deal(), (None, "deal", None, 500)).due_ns == 3_500 * MS


def test_a_press_before_the_flip_is_a_jumped_start() -> None:
    play = do(at_deal(), (None, "deal", None, 0), (1, "grab", None, 2900))
    assert [press.seat for press in play.state.ask.race.jumps] == [1]


def test_a_press_less_than_100_ms_after_the_flip_is_a_jumped_start() -> None:
    play = do(flipped(), grab(1, 99), grab(0, 100))
    run = play.state.ask.race
    assert ([press.seat for press in run.jumps], [press.seat for press in run.presses]) == ([1], [0])


def test_a_jumped_button_is_dead_for_250_ms() -> None:
    play = do(flipped(), grab(1, 50))
    assert answer(play, Action(1, "grab", None, GO_NS + 299 * MS)) == ()


def test_a_jumped_button_works_again_after_250_ms() -> None:
    play = do(flipped(), grab(1, 50), grab(1, 300))
    assert [press.seat for press in play.state.ask.race.presses] == [1]


def test_a_late_delivered_earlier_press_still_counts() -> None:
    play = do(flipped(), grab(0, 500), grab(1, 900), grab(2, 880), (None, "settle", None, GO_NS // MS + 950))
    assert play.state.round.last == (1,)


def test_a_press_after_the_settling_time_changes_nothing() -> None:
    play = do(flipped(), grab(0, 500), grab(1, 900))
    with pytest.raises(Refused, match="cannot grab"):
        do(play, grab(2, 950))


def test_with_two_players_one_press_decides() -> None:
    play = do(flipped(2), grab(1, 700), (None, "settle", None, GO_NS // MS + 750))
    assert play.state.round.last == (0,)


def test_two_players_may_tie_within_the_settling_time() -> None:
    play = do(flipped(2, tie_band=20), grab(1, 700), grab(0, 710), (None, "settle", None, GO_NS // MS + 770))
    assert in_doubt(play) == (0, 1)


@pytest.mark.parametrize(
    ("times", "asked"),
    [
        pytest.param((500, 509, 518), (1, 2), id="a chain is between its last two"),
        pytest.param((500, 505, 509), (0, 1, 2), id="all three"),
        pytest.param((509, 518, 500), (0, 1), id="whatever the seats"),
    ],
)
def test_a_dead_heat_goes_to_the_table(times: tuple[int, ...], asked: tuple[int, ...]) -> None:
    play = do(flipped(3, tie_band=10), *(grab(seat, at_ms) for seat, at_ms in enumerate(times)))
    play = do(play, (None, "settle", None, GO_NS // MS + 600))
    assert in_doubt(play) == asked


@pytest.mark.parametrize(("ruling", "last", "drawn"), [(1, (1,), 1), ("all", (1, 2), 2), ("nobody", (), 0)])
def test_the_table_rules_a_dead_heat(ruling: Value, last: tuple[int, ...], drawn: int) -> None:
    play = do(flipped(3, tie_band=20), grab(0, 300), grab(1, 500), grab(2, 510), (None, "settle", None, 4000))
    pile = play.state.pile
    play = do(play, (None, "last", ruling, 5000))
    assert (play.state.round.last, pile - play.state.pile, ask(play)) == (last, drawn, Packing((None,) * 3, None))


def test_nobody_else_puts_the_missing_to_the_table() -> None:
    play = do(flipped(3), grab(0, 500), (None, "close", None, 9000))
    assert in_doubt(play) == (1, 2)


def test_nobody_else_may_be_said_before_any_press() -> None:
    assert in_doubt(do(flipped(3), (None, "close", None, 9000))) == (0, 1, 2)


def test_nobody_else_is_not_asked_once_the_last_can_be_known() -> None:
    assert (None, "close") not in offered(do(flipped(3), grab(0, 500), grab(1, 600)).state)


def test_a_press_taken_back_runs_again() -> None:
    play = do(flipped(3), grab(0, 500), (0, "take_back", None, 4200), grab(1, 1300), grab(0, 1400))
    play = do(play, (None, "settle", None, GO_NS // MS + 1450))
    assert play.state.round.last == (2,)


def test_a_press_taken_back_in_time_stops_the_settling() -> None:
    play = do(flipped(2), grab(0, 500), (0, "take_back", None, GO_NS // MS + 540))
    assert play.due_ns is None


def test_the_whole_race_is_one_step() -> None:
    play = raced()
    back = reduce(fold, undo(play), play)
    assert (isinstance(ask(play), Packing), ask(back)) == (True, Deal())


def test_the_ruling_of_the_table_is_a_step_of_its_own() -> None:
    play = do(flipped(3), (None, "close", None, 9000), (None, "last", 0, 9100))
    assert in_doubt(reduce(fold, undo(play), play)) == (0, 1, 2)


def several(*answers: Value) -> Play:
    """All three are in doubt, and several were last."""
    play = do(flipped(3), (None, "close", None, 9000), (None, "last", "several", 9100))
    return do(play, *((None, "last", answer, 9200) for answer in answers))


def test_of_three_in_doubt_several_may_be_last() -> None:
    assert several(0, "no", 2).state.round.last == (0, 2)


def test_they_are_asked_one_by_one() -> None:
    assert several(0).offers == (Offer(None, "last", options=(1, "no"), joins=True),)


def test_such_a_ruling_is_one_step() -> None:
    play = several(0, "no", 2)
    assert in_doubt(reduce(fold, undo(play), play)) == (0, 1, 2)


def test_of_two_in_doubt_several_is_all() -> None:
    play = do(flipped(3), grab(0, 500), (None, "close", None, 9000))
    assert play.offers[0].options == (1, 2, "all", "nobody")


def test_a_race_under_way_at_power_off_starts_again_at_the_deal() -> None:
    play = do(flipped(3), grab(0, 500))
    assert ask(reduce(fold, resume(play, "another boot"), play)) == Deal()


# --- a grab that was void --------------------------------------------------------------------------------------------


def slapped(play: Play, seat: int, after_ms: int) -> Play:
    """A slap so long after the flip, kept as evidence."""
    return reduce(fold, late(play, Press(seat, GO_NS + after_ms * MS, ERROR_NS)), play)


def void(play: Play, seat: int, at_ms: int = 9000) -> Play:
    """A seat says that its grab was void."""
    return do(play, (seat, "take_back", None, at_ms))


def test_a_grab_that_decided_the_race_may_be_void() -> None:
    assert [o for o in raced().offers if o.verb == "take_back"] == [Offer(s, "take_back", hold=True) for s in (0, 1)]


def test_a_void_grab_opens_the_race_again() -> None:
    assert ask(void(raced(), 0)) == Grab(race.take_back(raced().state.round.run, 0))


def test_a_void_grab_puts_the_cards_back() -> None:
    before, after = do(flipped(3), grab(0, 500), grab(1, 1000)).state, void(raced(), 0).state
    assert (after.pile, after.discards, after.round.last) == (before.pile, before.discards, None)


def test_whose_grab_was_void_is_last_if_the_other_has_slapped_since() -> None:
    play = void(slapped(raced(2), 1, 800), 0)
    assert do(play, (None, "settle", None, play.due_ns or 0)).state.round.last == (0,)


def test_a_slap_after_the_verdict_counts_at_its_own_stamp() -> None:
    run = void(slapped(raced(), 2, 1234), 0).board.race
    assert run is not None and run.gaps == ((1, 1000 * MS), (2, 1234 * MS))


def test_without_another_slap_both_run_on() -> None:
    assert void(raced(), 0).due_ns is None


def test_one_undo_restores_the_verdict() -> None:
    play = void(slapped(raced(), 2, 1234), 0)
    assert reduce(fold, undo(play), play) == slapped(raced(), 2, 1234)


def test_one_undo_restores_the_verdict_after_another_one_too() -> None:
    play = void(slapped(raced(2), 1, 800), 0)
    play = do(play, (None, "settle", None, play.due_ns or 0))
    assert reduce(fold, undo(play), play).state == raced(2).state


ANSWERED = [
    ("somebody is done", {}, (0, "done", None, 9000)),
    ("the clock runs", {"loading_timer_s": 30}, (None, "pack", None, 9000)),
    ("a card came from the pile", {}, (None, "from_pile", 1, 9000)),
    ("the count has begun", {}, (None, "count", None, 9000)),
]


@pytest.mark.parametrize(("options", "answer"), [c[1:] for c in ANSWERED], ids=[c[0] for c in ANSWERED])
def test_once_the_next_question_is_answered_no_grab_is_void(
    options: dict[str, object], answer: tuple[int | None, str, Value, int]
) -> None:
    assert "take_back" not in {offer.verb for offer in do(raced(3, **options), answer).offers}


def test_a_grab_may_be_void_before_the_table_has_ruled() -> None:
    play = do(flipped(3), grab(0, 500), (None, "close", None, 9000))
    assert isinstance(ask(void(play, 0)), Grab)


# --- hands on --------------------------------------------------------------------------------------------------------


def held(players: int = 2) -> Play:
    """Everybody holds their button, the last since 1 s."""
    play = do(at_deal(players, start="hands_on"), (None, "deal", None, 0))
    return do(play, *((seat, "hands", None, 1000) for seat in range(players)))


def test_with_hands_on_the_deal_waits_for_the_hands() -> None:
    assert ask(do(at_deal(2, start="hands_on"), (None, "deal", None, 0))) == Hands.of((0, 1), 2)


def test_with_hands_on_the_flip_comes_3_s_after_the_last_hand() -> None:
    assert held().due_ns == 4000 * MS


def test_a_release_in_the_countdown_is_a_jumped_start_and_asks_for_the_hands_again() -> None:
    assert ask(do(held(), (1, "release", None, 3999))) == Hands((0, 1), (True, None), jumped=1)


def test_with_hands_on_only_releases_are_offered_before_the_flip() -> None:
    assert {offer.verb for offer in held().offers} == {"release", "go"}


def test_with_hands_on_the_race_runs_after_the_flip() -> None:
    play = do(held(), (None, "go", None, 4000), (1, "grab", None, 4500), (None, "settle", None, 4550))
    assert play.state.round.last == (0,)


def test_with_hands_on_undo_goes_back_to_the_hands() -> None:
    play = do(held(), (None, "go", None, 4000), (1, "grab", None, 4500), (None, "settle", None, 4550))
    assert ask(reduce(fold, undo(play), play)) == Hands.of((0, 1), 2)


# --- the pile --------------------------------------------------------------------------------------------------------


def piled(players: int, pile: int, discards: int, **options: object) -> Play:
    """Before the deal, with so many cards in the pile and among the discards."""
    play = at_deal(players, **options)
    return dataclasses.replace(play, state=replace(play.state, pile=pile, discards=discards))


@pytest.mark.parametrize(("pile", "shuffle"), [(6, True), (7, False)])
def test_a_round_needs_a_card_more_than_is_dealt(pile: int, shuffle: bool) -> None:
    assert game.short(piled(3, pile, TRUCKS - pile).state) == shuffle


def test_a_pile_too_short_is_shuffled_before_the_deal() -> None:
    state = do(piled(3, 4, 32), (None, "deal", None, 0)).state
    assert (state.pile, state.discards) == (30, 0)


def test_the_deal_says_that_a_shuffle_is_due() -> None:
    state = piled(3, 4, 32).state
    assert RULES.label(state, RULES.offers(state)[0], None) == "Shuffle, deal 2 each"


def test_the_last_discards_what_they_grabbed() -> None:
    play = do(flipped(2), grab(1, 700), grab(0, 720), (None, "settle", None, GO_NS // MS + 750))
    assert (play.state.discards, play.state.pile) == (1, 31)


def test_who_never_grabbed_discards_nothing() -> None:
    assert (raced(2).state.discards, raced(2).state.pile) == (0, 31)


def test_cards_grabbed_from_the_pile_make_it_shorter() -> None:
    play = raced(3)
    assert do(play, (None, "from_pile", 2, 9000)).state.pile == play.state.pile - 2


def test_a_later_number_of_cards_from_the_pile_replaces_the_earlier() -> None:
    play = raced(3)
    assert do(play, (None, "from_pile", 3, 9000), (None, "from_pile", 1, 9001)).state.pile == play.state.pile - 1


QUICK_COUNT = [
    ((None, "count", None, 9001),),
    tuple((seat, "empties", 1, 9002) for seat in range(2)),
    tuple((seat, "left", 0, 9003) for _ in COLOURS for seat in range(2)),
]


@pytest.mark.parametrize("steps", range(4), ids=["packing", "empties", "left over", "result"])
def test_a3_cards_from_the_pile_are_told_until_the_round_is_closed(steps: int) -> None:
    play = do(raced(2), *(each for step in QUICK_COUNT[:steps] for each in step))
    assert do(play, (None, "from_pile", 1, 9100)).state.pile == play.state.pile - 1


def test_a3_before_the_packing_and_after_the_round_none_are_told() -> None:
    closed = do(raced(2), *(each for step in QUICK_COUNT for each in step), (None, "next", None, 9200))
    plays = (flipped(2), raced(2, loading_timer_s=60), closed)
    assert [(None, "from_pile") in offered(play.state) for play in plays] == [False, False, False]


def test_a3_beside_boxes_left_over_the_question_has_its_own_words() -> None:
    play = do(raced(2), *(each for step in QUICK_COUNT[:2] for each in step))
    assert RULES.label(play.state, offered(play.state)[None, "from_pile"], None) == "Grabbed from pile?"


def test_a3_what_was_told_of_the_pile_is_filled_in() -> None:
    play = do(raced(3), (None, "from_pile", 2, 9000))
    assert offered(play.state)[None, "from_pile"].prefill == 2


def test_a3_told_in_the_middle_of_a_count_it_is_undone_with_the_count() -> None:
    play = do(raced(2), (None, "count", None, 9001))
    after = do(play, (0, "empties", 1, 9002), (None, "from_pile", 1, 9003), (1, "empties", 2, 9004))
    assert reduce(fold, undo(after), after).state == play.state


def test_a_draw_from_an_empty_pile_shuffles_the_discards_first() -> None:
    play = do(piled(3, 7, 29), (None, "deal", None, 0), (None, "go", None, 3000), (None, "close", None, 9000))
    state = do(play, (None, "last", "all", 9100)).state  # one card left for three
    assert (state.pile, state.discards, state.round.shuffled) == (27, 0, True)


def test_more_cards_from_the_pile_than_it_holds_shuffle_the_discards_first() -> None:
    play = raced(3)
    play = do(dataclasses.replace(play, state=replace(play.state, pile=1, discards=28)), (None, "from_pile", 3, 9000))
    assert (play.state.pile, play.state.discards) == (26, 0)


def test_all_cards_of_a_round_are_discarded_at_its_end() -> None:
    state = counted((5, 6, 7))
    state, _ = act(RULES, replace(state, pile=29), Action(None, "next"), Chance(7, 0))
    assert (state.pile, state.discards) == (29, 7)


# --- loading ---------------------------------------------------------------------------------------------------------


def test_all_done_goes_on_to_the_count() -> None:
    assert ask(do(raced(2), (1, "done", None, 9000), (0, "done", None, 9001))) == Empties.of(2)


def test_the_table_may_go_on_to_the_count() -> None:
    assert ask(do(raced(2), (1, "done", None, 9000), (None, "count", None, 9001))) == Empties.of(2)


def test_loading_is_one_step() -> None:
    play = raced(2)
    after = do(play, (1, "done", None, 9000), (None, "from_pile", 1, 9001), (None, "count", None, 9002))
    assert reduce(fold, undo(after), after).state == play.state


def test_loading_against_the_clock_waits_for_a_press() -> None:
    assert ask(raced(2, loading_timer_s=60)) == Ready()


def test_time_is_up_so_long_after_that_press() -> None:
    play = do(raced(2, loading_timer_s=60), (None, "pack", None, 10_000))
    assert ask(do(play, (None, "time_up", None, 70_000))) == Empties.of(2)


def test_undo_after_time_is_up_goes_back_before_the_clock_ran() -> None:
    play = do(raced(2, loading_timer_s=60), (None, "pack", None, 10_000), (1, "done", None, 11_000))
    play = do(play, (None, "time_up", None, 70_000))
    assert ask(reduce(fold, undo(play), play)) == Ready()


# --- counting --------------------------------------------------------------------------------------------------------


def counting(players: int = 2, **options: object) -> Play:
    return do(raced(players, **options), (None, "count", None, 9000))


def test_quick_mode_counts_empty_spaces_up_to_the_largest_truck() -> None:
    offer = counting().offers[0]
    assert (offer.verb, offer.low, offer.high) == ("empties", 0, 60)


def test_quick_mode_asks_for_all_five_colours() -> None:
    play = do(counting(), (0, "empties", 4, 0), (1, "empties", 5, 0))
    colours = []
    while isinstance(now := ask(play), LeftOver):
        colours.append(now.colour)
        play = do(play, (0, "left", 0, 0), (1, "left", 0, 0))
    assert colours == [0, 1, 2, 3, 4]


def test_quick_mode_books_empties_and_boxes_left() -> None:
    play = do(counting(), (0, "empties", 4, 0), (1, "empties", 5, 0))
    for left in (1, 0, 2, 0, 0):
        play = do(play, (0, "left", left, 0), (1, "left", 0, 0))
    assert play.scores == (75 - 4 - 2 * 7, 75 - 5 + 10)


def test_quick_mode_leaves_no_more_boxes_than_the_game_has() -> None:
    play = do(counting(), (0, "empties", 4, 0), (1, "empties", 5, 0), (0, "left", 28, 0))
    assert (offered(play.state)[1, "left"].high, offered(play.state)[1, "left"].prefill) == (2, 0)


def test_checked_mode_asks_for_levels_then_area() -> None:
    state = trucks(9, 3, T1)
    state, _ = act(RULES, state.asking(Levels.of(2)), Action(0, "levels", 4), Chance(7, 0))
    state, _ = act(RULES, state, Action(1, "levels", 1), Chance(7, 0))
    assert state.ask == Area.of(2)


def test_checked_mode_skips_colours_that_nobody_rolled() -> None:
    state, colours = trucks(9, 3, T1), []
    while isinstance(now := state.ask, LeftOver):
        colours.append((now.colour, now.seats))
        for seat in now.seats:
            state, _ = act(RULES, state, Action(seat, "left", 0), Chance(7, 0))
    assert colours == [(0, (0, 1)), (1, (0,)), (2, (0,)), (4, (0,))]


def test_checked_mode_books_at_once_if_nobody_rolled_anything() -> None:
    state = trucks(1, 1, SMALL)
    state = state.in_round(loads=((0,) * 5,) * 2).asking(Area((2, None), (0, 1)))
    state, _ = act(RULES, state, Action(1, "area", 3), Chance(7, 0))
    assert state.round.losses == (2, 3)


def test_more_boxes_left_than_rolled_are_refused() -> None:
    with pytest.raises(Refused, match="from 0 to 3"):
        act(RULES, trucks(9, 3, T1), Action(0, "left", 4), Chance(7, 0))


LOADS = st.tuples(*(st.integers(0, faces[-1] + 1) for faces in FACES)).filter(any)
SQUARES = st.integers(1, game.MOST_AREA)
STORIES = st.integers(1, game.MOST_LEVELS)


@given(LOADS, SQUARES, STORIES, st.data())
@settings(max_examples=150, deadline=None)
def test_every_answer_within_the_limits_can_be_finished_without_negative_empties(
    load: tuple[int, ...], area: int, levels: int, data: st.DataObject
) -> None:
    state = trucks(area, levels, load)
    while isinstance(state.ask, LeftOver):
        offer = RULES.offers(state)[0]
        assert offer.low is not None and offer.high is not None and offer.low <= offer.high
        value = data.draw(st.integers(offer.low, offer.high))
        state, _ = act(RULES, state, Action(offer.seat, "left", value), Chance(7, 0))
    lost, over = state.round.losses[0], area * levels - volume(load)
    assert lost is not None and lost >= max(over, -2 * over)


@given(LOADS, SQUARES, STORIES, st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_can_stay_behind_can_be_entered(
    load: tuple[int, ...], area: int, levels: int, data: st.DataObject
) -> None:
    left = data.draw(st.tuples(*(st.integers(0, boxes) for boxes in load)))
    if empties(area * levels, volume(load), volume(left)) < 0:
        left = load
    assert leave(trucks(area, levels, load), left).round.losses[0] is not None


# --- Reward cards ----------------------------------------------------------------------------------------------------


def holding(play: Play, *cards: str) -> Play:
    """Seat 1 holds these Reward cards, the others were never drawn."""
    held = tuple(cards if seat == 1 else () for seat in range(len(play.players)))
    rewards = tuple(card for card in REWARDS if card not in cards)
    return dataclasses.replace(play, state=replace(play.state, held=held, rewards=rewards))


def test_new_order_is_asked_before_the_deal() -> None:
    play = do(holding(new(2, reward_cards=True), "new_order"), (0, "youngest", None, 0))
    assert ask(play) == UseCard(1, "new_order")


def test_new_order_not_used_is_kept() -> None:
    play = do(holding(new(2, reward_cards=True), "new_order"), (0, "youngest", None, 0), (None, "go_on", None, 0))
    assert (ask(play), play.state.held[1]) == (Deal(), ("new_order",))


def test_new_order_in_quick_mode_is_only_spent() -> None:
    play = do(holding(new(2, reward_cards=True), "new_order"), (0, "youngest", None, 0), (1, "new_order", None, 0))
    assert (ask(play), play.state.held[1]) == (Deal(), ())


def loaded() -> Play:
    """Two seats entered their loads; seat 1 holds New Order."""
    play = do(holding(new(2, reward_cards=True, counting="checked"), "new_order"), (0, "youngest", None, 0))
    return do(play, *((seat, "load", T1[colour], 0) for colour in range(5) for seat in range(2)))


def test_new_order_in_checked_mode_asks_the_holder_alone_for_a_whole_load() -> None:
    play = do(loaded(), (1, "new_order", None, 0))
    play = do(play, *((1, "load", boxes, 0) for boxes in SMALL))
    assert (play.state.round.loads, ask(play)) == ((T1, SMALL), Deal())


def test_each_colour_of_a_new_order_is_a_step_of_its_own() -> None:
    play = do(loaded(), (1, "new_order", None, 0))
    after = do(play, (1, "load", 2, 0), (1, "load", 2, 0))
    assert after.step - play.step == 2


def test_new_order_with_dice_of_the_kit_rolls_again_for_the_holder() -> None:
    play = do(holding(new(2, reward_cards=True, device_dice=True), "new_order"), (0, "youngest", None, 0))
    play = do(play, (0, "roll", None, 0), (1, "roll", None, 0), (1, "new_order", None, 0))
    first = play.state.round.loads[0]
    assert [offer[:2] for offer in play.offers] == [(1, "roll")]
    play = do(play, (1, "roll", None, 0))
    assert (play.state.round.loads[0], ask(play)) == (first, Deal())


def test_replacing_a_truck_is_asked_after_the_race() -> None:
    play = holding(flipped(2, reward_cards=True), "replace_truck")
    play = do(play, grab(0, 500), (None, "settle", None, GO_NS // MS + 550))
    assert ask(play) == UseCard(1, "replace_truck")


def test_replacing_a_truck_draws_from_the_pile_and_discards_the_old_one() -> None:
    play = holding(flipped(2, reward_cards=True), "replace_truck")
    play = do(play, grab(0, 500), (None, "settle", None, GO_NS // MS + 550))
    after = do(play, (1, "replace_truck", None, 9000))
    assert (play.state.pile - after.state.pile, after.state.discards, after.state.held[1]) == (1, 1, ())


def with_voucher(left: int) -> State:
    """Seat 1 counted 12 empty spaces and so many blue boxes left; seat 0 lost 30."""
    state = one_answer_left((30, 12), reward_cards=True)
    return last_answer(replace(state, held=((), ("voucher",)), rewards=()), left)


def test_a_voucher_is_asked_for_only_with_boxes_left() -> None:
    assert (with_voucher(1).ask, with_voucher(0).ask) == (UseCard(1, "voucher"), Result())


@pytest.mark.parametrize(("seat", "verb", "expected"), [(1, "voucher", 12 + 10), (None, "go_on", 12 + 20)])
def test_a_voucher_makes_boxes_left_cost_their_length(seat: int | None, verb: str, expected: int) -> None:
    state, _ = act(RULES, with_voucher(2), Action(seat, verb), Chance(7, 0))
    assert state.round.losses[1] == expected


def test_a_used_voucher_leaves_the_game() -> None:
    state, _ = act(RULES, with_voucher(2), Action(1, "voucher"), Chance(7, 0))
    assert (state.held, state.rewards) == (((), ()), ())


def test_a_reward_card_is_won_drawn_and_used_end_to_end() -> None:
    play = do(counting(2, reward_cards=True), (0, "empties", 0, 0), (1, "empties", 5, 0))
    play = do(play, *((seat, "left", 0, 0) for _ in range(5) for seat in range(2)))
    play = do(play, (0, "reward", "new_order", 0), (None, "next", None, 0), (0, "new_order", None, 0))
    assert (ask(play), play.state.held, play.state.rewards) == (Deal(), ((), ()), ("replace_truck", "voucher"))


# --- the end ---------------------------------------------------------------------------------------------------------


def test_the_game_ends_with_the_press_after_the_result() -> None:
    state = last_answer(replace(one_answer_left((12, 12, 6)), points=(3, 10, 40)))
    state, _ = act(RULES, state, Action(None, "next"), Chance(7, 0))
    assert (state.over, RULES.offers(state), RULES.winners(state)) == (True, (), (2,))


def test_points_fixed_by_hand_count_for_the_end() -> None:
    play = at_deal()
    play = reduce(fold, fix(play, 0, -75), play)
    assert (play.scores, game.ended(play.state)) == ((0, 75, 75), True)


def test_points_fixed_by_hand_count_for_the_floor() -> None:
    state = replace(one_answer_left((20, 5), floor_at_zero=True), corrected=(-60, 0))
    assert RULES.scores(last_answer(state)) == (0, 80)


# --- what people see -------------------------------------------------------------------------------------------------


def test_a_result_lights_the_smallest_losses() -> None:
    state = counted((6, 6, 12))
    assert RULES.board(state).highlight == {"first": (0, 1)}


def test_the_race_shows_its_gaps_after_the_flip() -> None:
    shown = RULES.board(do(flipped(3), grab(1, 1200)).state).race
    assert shown is not None and (shown.phase, shown.gaps) == ("answers", ((1, 1200 * MS),))


def test_a_verdict_lights_the_last() -> None:
    assert RULES.board(raced(3).state).highlight == {"last": (2,)}


def test_the_questions_name_their_colour() -> None:
    state = trucks(9, 3, T1)
    assert RULES.label(state, RULES.offers(state)[0], None) == "Green left?"


def test_reward_cards_are_called_by_their_names() -> None:
    state = counted((0, 5, 9), reward_cards=True)
    offer = RULES.offers(state)[0]
    assert [RULES.label(state, offer, option) for option in offer.options] == list(REWARDS.values())


# --- whole games -----------------------------------------------------------------------------------------------------


def random_options(dice: Random) -> Options:
    return Options(**{option.name: dice.choice(option_values(option)) for option in fields(Options)})


def some_value(offer: Offer, dice: Random, gentle: bool) -> Value:
    """A value that the offer takes: in a gentle game few empty spaces and little left over, so that it lasts."""
    if offer.low is None or offer.high is None:
        return dice.choice(offer.options) if offer.options else None
    if not gentle:
        return max(dice.randint(offer.low, offer.high) for _ in range(2))
    if offer.verb == "left":
        return offer.low
    most = {"empties": 15, "load": 2, "levels": 2, "area": 10}.get(offer.verb, offer.high)
    return dice.randint(offer.low, max(offer.low, min(offer.high, most)))


def pick(play: Play, dice: Random, now_ns: int, gentle: bool) -> Action:
    """Any of the offers: the clock's at its time, a press now and then delivered late."""
    due_ns = play.due_ns
    rare = [offer for offer in play.offers if offer.hold or offer.menu or offer.verb == "release"]
    usual = [offer for offer in play.offers if offer not in rare and offer.due_ns is None]
    wait_ns = dice.choice((0, 3, 30, 300, 1500)) * MS + dice.randint(0, MS)
    if due_ns is not None and (not usual or now_ns + wait_ns >= due_ns):
        offer = next(offer for offer in play.offers if offer.due_ns == due_ns)
        return Action(None, offer.verb, None, due_ns)
    offer = dice.choice(rare if rare and dice.random() < 0.1 else usual)
    late_ns = dice.randint(0, 20 * MS) if offer.race and dice.random() < 0.2 else 0
    at_ns, error_ns = now_ns + wait_ns - late_ns, dice.choice((100_000, 10 * MS))
    return Action(offer.seat, offer.verb, some_value(offer, dice, gentle), at_ns, error_ns)


def limits(offer: Offer) -> Iterator[Value]:
    """Every value at the edge of what an offer takes."""
    if offer.low is not None:
        yield from {offer.low, offer.high}
    else:
        yield from offer.options or (None,)


def check_table(state: State) -> None:
    """What holds in every state: 36 trucks, boxes as in the game, three Reward cards, labels that fit a line."""
    assert min(state.pile, state.discards, TRUCKS - state.pile - state.discards) >= 0
    for rows in (state.round.loads, state.round.left):
        assert all(sum(row[colour] or 0 for row in rows) <= most for colour, most in enumerate(BOXES))
    if isinstance(state.ask, LeftOver):
        assert sum(filter(None, state.ask.numbers)) <= BOXES[state.ask.colour]
    assert len(state.rewards) + sum(map(len, state.held)) <= len(REWARDS)
    for offer in RULES.offers(state):
        assert len(RULES.label(state, offer, None)) <= 21
    RULES.board(state)


def play_at_random(seed: int) -> tuple[Play, tuple[Fact, ...]]:
    """A whole game, undone after every action and checked in every state."""
    dice = Random(seed)
    gentle = dice.random() < 0.5
    facts = [start(RULES, tuple("ABCDEF"[: dice.randint(2, 6)]), random_options(dice), seed)]
    play, now_ns = opened(RULES, facts[0]), 0
    before: State = play.state
    for _ in range(5000):
        if play.over:
            break
        check_table(play.state)
        sample = dice.choice(play.offers)
        for value in limits(sample):
            act(RULES, play.state, Action(sample.seat, sample.verb, value, sample.due_ns or now_ns), Chance(seed, 0))
        action = pick(play, dice, now_ns, gentle)
        now_ns = max(now_ns, action.at_ns)
        step, state = play.step, play.state
        more = answer(play, action)
        play, facts = reduce(fold, more, play), [*facts, *more]
        before = state if play.step > step else before
        if play.past is not None and play.state != before:  # undo passes over a step that left nothing
            assert reduce(fold, undo(play), play).state == before
    return play, tuple(facts)


@pytest.mark.slow
@pytest.mark.parametrize("tens", range(30))
def test_random_games_end_undo_and_replay(tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        play, facts = play_at_random(seed)
        assert play.over
        assert min(play.scores) <= 0
        assert replay(RULES, facts) == play
        assert {type(fact.event) for fact in facts[1:]} <= set(RULES.events)


def test_a_state_can_be_written_as_json() -> None:
    state = play_at_random(1)[0].state
    assert json.loads(msgspec.json.encode(state))["points"] == list(state.points)
