"""Kitty Paw: the worked examples, rules, ambiguities and options. Ids are those of the rules page."""

from typing import Any

import pytest

from engine.games import kitty_paw
from engine.games.kitty_paw import RULES, Build, Check, Hands, RoundStarted, WhoCalled, WhoLast, may_be_last
from engine.play import Fact, fix
from engine.rules import Offer, Press, Refused
from tests.engine.paw_table import MS, SECOND, Table

A, B, C, D = range(4)


def table(players: int = 3, words: str = "", round: int = 1, **options: Any) -> Table:
    """A table in some round, after some words."""
    return Table(players, **options).deal(round=round).do(words)


def tied(words: str = "", **options: Any) -> Table:
    """T12: after the last round A and B have 15 each and C has 9; now their extra round."""
    at = Table(3, **options).deal(cards=((7, 7, 4), (7, 4, 4), (6, 6)), penalties=((3,), (), (3,)), removed=24)
    return at.take([Fact(0, 0, RoundStarted(13, (A, B), extra=True))]).do(words)


def build(at: Table) -> Build:
    ask = at.state.ask
    assert isinstance(ask, Build)
    return ask


def doubtful(at: Table) -> tuple[int, ...]:
    assert isinstance(at.state.ask, WhoLast)
    return may_be_last(at.state)


def refused(at: Table, words: str) -> str:
    with pytest.raises(Refused) as refusal:
        at.do(words)
    return refusal.value.kind


# --- the worked examples ---------------------------------------------------------------------------------------------

ROUNDS: list[tuple[str, int, int, dict[str, Any], str, tuple[int, ...], int]] = [
    ("T1", 3, 2, {}, "go A B wait yes 6", (6, 0, -1), 2),
    ("T2", 3, 2, {}, "go A B wait no", (-1, 0, -1), 2),
    ("T3", 4, 8, {}, "go D B C wait yes 4", (-2, 0, 0, 4), 2),
    ("T4", 3, 11, {}, "go A C wait yes 7", (7, -3, 0), 2),
    ("T5", 2, 1, {}, "go A wait yes 5", (5, -1), 2),
    ("T5 with an answer", 2, 1, {}, "go A B+40 wait yes 5", (5, -1), 2),
    ("T6", 2, 1, {"last_penalty_two_players": False}, "go A wait yes 5", (5, 0), 3),
    ("T16", 2, 1, {}, "go A wait yes 4", (4, -1), 2),
]


@pytest.mark.parametrize(
    ("players", "round", "options", "words", "scores", "removed"), [c[1:] for c in ROUNDS], ids=[c[0] for c in ROUNDS]
)
def test_one_round(
    players: int, round: int, options: dict[str, Any], words: str, scores: tuple[int, ...], removed: int
) -> None:
    after = table(players, words, round, **options)
    assert (after.play.scores, kitty_paw.to_remove(after.state)) == (scores, removed)


def test_t2_after_a_wrong_call_nobody_scores_and_the_round_is_over() -> None:
    after = table(words="go A B wait no", round=2)
    assert (after.state.cards, after.phase) == (((), (), ()), "clean_up")


def test_t7_four_cards_and_a_penalty_are_no_five() -> None:
    at = table(words="go A B wait yes 4").deal(cards=((4, 4, 4, 4), (), ()), penalties=((1,), (), ()))
    assert (at.do("next").phase, at.state.round.number) == ("hands", 2)


def test_t8_a_fifth_card_ends_the_game_after_the_last_one_paid() -> None:
    at = table().deal(cards=((4, 4, 4, 4), (), ())).do("go A B wait yes 7")
    assert (at.play.scores, at.phase) == ((23, 0, -1), "clean_up")


def test_t8_the_game_ends_at_the_end_of_the_round() -> None:
    at = table().deal(cards=((4, 4, 4, 4), (), ())).do("go A B wait yes 7 next")
    assert (at.play.over, at.play.winners) == (True, (A,))


TWELVE = ("go A B wait yes 7 next " + "go B C wait yes 6 next " + "go C A wait yes 5 next ") * 4


def test_t9_the_game_ends_after_round_12() -> None:
    at = table(words=TWELVE)
    assert (at.play.over, at.state.round.number, max(map(len, at.state.cards))) == (True, 12, 4)


def test_t9_after_round_11_four_cards_are_left() -> None:
    at = table(words=" ".join(TWELVE.split()[: 11 * 7 - 1]))
    assert (at.state.round.number, kitty_paw.pile(at.state), at.play.over) == (11, 4, False)


def test_t9_after_round_11_the_game_goes_on() -> None:
    at = table(words=" ".join(TWELVE.split()[: 11 * 7]))
    assert (at.state.round.number, kitty_paw.pile(at.state), at.phase) == (12, 0, "hands")


def test_t10_with_one_set_of_level_2_the_game_ends_after_round_10() -> None:
    at = table(words=" ".join(TWELVE.split()[: 10 * 7]), level2_sets=1)
    assert (at.play.over, at.state.round.number) == (True, 10)


LEVELS = [
    *[(2, round, 1 if round <= 6 else 2 if round <= 10 else 3) for round in range(1, 13)],
    *[(1, round, 1 if round <= 6 else 2 if round <= 8 else 3) for round in range(1, 11)],
]


@pytest.mark.parametrize(("sets", "round", "level"), LEVELS)
def test_r4_t10_the_level_follows_from_the_round(sets: int, round: int, level: int) -> None:
    assert kitty_paw.level(table(round=round, level2_sets=sets).state) == level


@pytest.mark.parametrize(("round", "points"), [(6, -1), (7, -2), (10, -2), (11, -3), (12, -3)])
def test_r12_the_last_pays_the_penalty_of_the_level(round: int, points: int) -> None:
    assert table(words="go A B wait", round=round).play.scores == (0, 0, points)


def test_t11_cards_6_7_5_and_penalties_1_2_make_15() -> None:
    assert table().deal(cards=((6, 7, 5), (), ()), penalties=((1, 2), (), ())).play.scores == (15, 0, 0)


def test_t12_the_tied_play_an_extra_round() -> None:
    at = tied()
    assert (at.play.scores, at.state.round.seats, at.state.round.extra, at.phase) == (
        (15, 15, 9),
        (A, B),
        True,
        "hands",
    )


def test_t12_only_the_tied_are_asked() -> None:
    assert [tied(words).play.rules.board(tied(words).state).turn for words in ("", "go")] == [(A, B), (A, B)]


def test_t12_the_others_buttons_are_dead() -> None:
    assert (refused(tied(), "+C"), refused(tied("go"), "C")) == ("not_offered", "not_offered")


def test_t13_the_extra_round_is_added_and_decides() -> None:
    at = tied("go A wait yes 6 II next")
    assert (at.play.scores, at.play.winners) == ((21, 13, 9), (A,))


def test_t14_still_level_after_the_extra_round_they_play_another() -> None:
    at = tied("go A wait no I I next")
    assert (at.play.scores, at.state.round.seats, at.play.over) == ((14, 14, 9), (A, B), False)


def test_t15_in_the_extra_round_each_pays_what_the_card_says() -> None:
    at = tied("go A wait no III I next", mixed_deck=True)
    assert (at.play.scores, at.play.winners) == ((12, 14, 9), (B,))


# --- the hands and the flash -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r5_four_cards_lie_up_whatever_the_number_of_players(players: int) -> None:
    assert kitty_paw.turned_up(table(players).state) == 4


def test_r6_everybody_is_asked_for_a_hand() -> None:
    assert table(4).asked("hands") == (A, B, C, D)


def test_r6_a_hand_can_be_lifted_while_others_are_out() -> None:
    assert table(words="+A +B -A").asked("hands") == (A, C)


def test_r6_a_hand_lifted_while_others_are_out_is_no_false_start() -> None:
    assert table(words="+A +B -A").state.ask == Hands((0, 1, 2), (None, True, None))


def test_r6_the_flash_is_armed_once_all_hands_are_down() -> None:
    assert table(words="+A +B +C").phase == "armed"


def test_r6_no_press_counts_before_the_flash() -> None:
    assert refused(table(words="+A +B +C"), "A+1") == "not_offered"


def test_a11_letting_go_before_the_flash_is_a_false_start() -> None:
    at = table(words="+A +B +C -B+1")
    assert at.state.ask == Hands((0, 1, 2), (True, None, True), jumped=B)


def test_a11_a_false_start_is_shown() -> None:
    board = RULES.board(table(words="+A +B +C -B+1").state)
    assert board.race is not None and board.race.jumped == (B,)


def test_a11_a_false_start_costs_nothing() -> None:
    assert table(words="+A +B +C -B+1").play.scores == (0, 0, 0)


def test_a11_after_a_false_start_only_that_hand_is_asked_for() -> None:
    assert table(words="+A +B +C -B+1").asked("hands") == (B,)


def test_a11_the_flash_is_armed_again_when_the_hand_is_back() -> None:
    assert table(words="+A +B +C -B+1 +B").phase == "armed"


def test_a11_a_hand_let_go_after_the_flash_is_no_false_start() -> None:
    assert refused(table(words="go"), "-B") == "not_offered"


def test_the_stopwatch_runs_from_the_flash() -> None:
    at = table(words="+A +B +C")
    due_ns = at.play.due_ns
    board = RULES.board(at.tick().state)
    assert board.race is not None and (board.race.phase, board.race.since_ns) == ("running", due_ns)


# --- the Meow --------------------------------------------------------------------------------------------------------


def test_r10_everybody_may_call() -> None:
    assert table(4, "go").asked("meow") == (A, B, C, D)


def test_r10_the_caller_is_named_after_the_settling_time() -> None:
    at = table(words="go B")
    named_ns = at.now_ns + 50 * MS
    assert (at.tick().now_ns, build(at).caller) == (named_ns, B)


def test_r10_the_caller_is_not_named_before() -> None:
    assert build(table(words="go B")).caller is None


def test_a8_the_earliest_stamp_calls_whatever_the_order_of_arrival() -> None:
    at = table(words="go B")
    at.act(C, "meow", at_ns=at.now_ns - 10 * MS)
    assert build(at.tick()).caller == C


def test_a8_the_other_press_is_an_answer() -> None:
    assert table(words="go B C+10 wait").state.round.last == (A,)


def test_a8_two_calls_inside_the_band_leave_the_caller_open() -> None:
    at = table(4, "go B A+0.09 tick")
    assert (build(at).called, build(at).caller) == ((A, B), None)


def test_a8_the_table_says_who_called_once_the_answers_are_in() -> None:
    at = table(4, "go B A+0.09 C wait")
    assert (at.state.ask, at.options("caller")) == (WhoCalled((A, B)), (A, B, "nobody"))


def test_a8_two_calls_exactly_at_the_band_are_no_tie() -> None:
    assert build(table(4, "go B A+0.1 tick")).caller == B


def test_a8_a_dead_heat_is_shown() -> None:
    board = RULES.board(table(4, "go B A+0.09 C wait").state)
    assert board.race is not None and (board.race.phase, board.highlight["tie"]) == ("tied", (A, B))


@pytest.mark.parametrize(("word", "caller"), [("caller=A", A), ("caller=B", B)])
def test_a8_the_table_names_the_caller(word: str, caller: int) -> None:
    assert table(4, f"go B A+0.09 C wait {word}").state.round.caller == caller


def test_a8_the_one_of_two_who_did_not_call_has_answered() -> None:
    assert table(4, "go B A+0.09 C wait caller=A").state.round.last == (D,)


def test_a8_nobody_called_play_on_with_the_old_flash() -> None:
    at = table(4, "go")
    running = at.state
    assert at.do("B A+0.09 C wait caller=nobody").state == running


def test_a8_play_on_and_call_again() -> None:
    assert table(4, "go B A+0.09 C wait caller=nobody D A C wait").state.round.last == (B,)


def test_a8_a_late_delivered_press_does_not_change_who_is_asked() -> None:
    at = table(4, "go B A+0.09")
    early_ns = at.now_ns - 20 * MS
    at.tick().act(C, "meow", at_ns=early_ns)
    assert at.do("wait").state.ask == WhoCalled((A, B))


def test_a_late_delivered_press_does_not_change_the_caller() -> None:
    at = table(4, "go B")
    early_ns = at.now_ns - 20 * MS
    at.tick().act(C, "meow", at_ns=early_ns)
    assert build(at).caller == B


# --- answers and the last --------------------------------------------------------------------------------------------


def test_r11_everybody_else_may_answer() -> None:
    assert table(4, "go B tick").asked("meow") == (A, C, D)


def test_r12_the_missing_one_is_named_after_the_settling_time() -> None:
    at = table(4, "go B A D")
    named_ns = at.now_ns + 50 * MS
    assert (at.tick().now_ns, at.state.round.last) == (named_ns, (C,))


def test_r12_within_the_settling_time_the_missing_one_may_still_answer() -> None:
    at = table(4, "go B A D C+49 tick")
    assert (at.state.round.last, at.state.round.run is not None) == ((C,), True)


def test_r12_an_earlier_press_delivered_late_moves_the_last() -> None:
    at = table(4, "go B A D")
    at.act(C, "meow", at_ns=at.now_ns - MS)
    assert at.tick().state.round.last == (D,)


def test_r12_the_last_is_settled_before_the_pattern_is_checked() -> None:
    at = table(words="go A B wait")
    assert (at.phase, at.play.scores) == ("check", (0, 0, -1))


DEAD_HEATS: list[tuple[str, str, tuple[int, ...], tuple[int, ...]]] = [
    ("one", "last=B", (B,), (0, -1, 0, 0)),
    ("the other", "last=D", (D,), (0, 0, 0, -1)),
    ("all", "last=all", (B, D), (0, -1, 0, -1)),
    ("nobody", "last=nobody", (), (0, 0, 0, 0)),
]
DEAD_HEAT = "go A C B D+0.09 wait"


def test_a7_a_dead_heat_for_last_goes_to_the_table() -> None:
    at = table(4, DEAD_HEAT)
    assert doubtful(at) == (B, D)
    assert at.options("last") == (B, D, "all", "nobody")


def test_a7_exactly_at_the_band_is_no_dead_heat() -> None:
    assert table(4, "go A C B D+0.1 wait").state.round.last == (D,)


@pytest.mark.parametrize(("word", "last", "scores"), [c[1:] for c in DEAD_HEATS], ids=[c[0] for c in DEAD_HEATS])
def test_a7_the_table_rules(word: str, last: tuple[int, ...], scores: tuple[int, ...]) -> None:
    at = table(4, f"{DEAD_HEAT} {word}")
    assert (at.state.round.last, at.play.scores, at.phase) == (last, scores, "check")


def test_a7_a_player_out_of_the_dead_heat_cannot_be_named() -> None:
    assert refused(table(4, DEAD_HEAT), "last=C") == "bad_value"


def test_a7_the_caller_is_never_the_last_however_close() -> None:
    assert table(2, "go A B+0.2 wait").state.round.last == (B,)


def test_a9_who_misses_the_gesture_is_last() -> None:
    assert table(words="go A B wait").state.round.last == (C,)


def test_a9_if_several_missed_it_the_table_decides() -> None:
    assert doubtful(table(4, "go A tick B close")) == (C, D)


def test_a9_if_nobody_answered_the_table_decides_among_all() -> None:
    assert doubtful(table(4, "go A tick close")) == (B, C, D)


def test_close_is_offered_only_while_the_last_is_open() -> None:
    offered = [("close" in table(4, words).verbs) for words in ("go", "go A", "go A tick", "go A tick B C")]
    assert offered == [False, False, True, False]


def test_close_with_the_caller_open_asks_first_who_called() -> None:
    assert table(4, "go A B+0.05 tick close").state.ask == WhoCalled((A, B))


def test_close_with_the_caller_open_then_asks_who_was_last() -> None:
    assert doubtful(table(4, "go A B+0.05 tick close caller=A")) == (C, D)


def test_gaps_are_shown_after_the_meow_in_order_of_the_stamps() -> None:
    board = RULES.board(table(4, "go C A+410 B+250").state)
    assert board.race is not None and board.race.gaps == ((C, 0), (A, 410 * MS), (B, 660 * MS))


def test_the_evidence_stays_after_the_verdict() -> None:
    at = table(words="go A B wait")
    board = RULES.board(at.state)
    assert board.race is not None and (board.race.phase, board.race.gaps) == ("over", ((A, 0), (B, SECOND)))


def test_a10_a_press_carries_its_stamp_and_error() -> None:
    at = table(words="go").act(A, "meow", error_ns=7)
    assert build(at).race.presses == (Press(A, at.now_ns, 7),)


# --- taking a press back ---------------------------------------------------------------------------------------------


def test_take_back_is_given_by_holding_ones_own_button() -> None:
    taken = [offer for offer in table(4, "go A tick B").play.offers if offer.verb == "take_back"]
    assert taken == [Offer(A, "take_back", joins=True, hold=True), Offer(B, "take_back", joins=True, hold=True)]


def test_an_answer_taken_back_runs_again() -> None:
    assert table(4, "go A tick B ~B").asked("meow") == (B, C, D)


def test_an_answer_taken_back_leaves_the_caller() -> None:
    assert build(table(4, "go A tick B ~B")).caller == A


def test_an_answer_taken_back_can_be_given_again() -> None:
    assert table(4, "go A tick B ~B C B wait").state.round.last == (D,)


def test_the_answer_that_left_one_out_can_be_taken_back_before_the_last_is_named() -> None:
    at = table(words="go A tick B ~B+49")
    assert (at.state.round.last, at.play.due_ns) == (None, None)


def test_a_meow_taken_back_alone_leaves_the_running_round() -> None:
    at = table(words="go")
    running = at.state
    assert at.do("A tick ~A").state == running


def test_a_meow_taken_back_before_it_is_settled_leaves_the_running_round() -> None:
    at = table(words="go")
    running = at.state
    assert at.do("A ~A+10").state == running


def test_a_meow_taken_back_is_none_even_if_others_have_answered() -> None:
    at = build(table(4, "go A tick B C ~A+10"))
    assert (at.race.presses, at.called, at.caller) == ((), (), None)


def test_one_of_two_meows_in_a_dead_heat_taken_back_makes_the_other_the_caller() -> None:
    assert build(table(4, "go A B+0.05 tick ~A tick")).caller == B


def test_nothing_can_be_taken_back_once_the_last_is_named() -> None:
    assert refused(table(words="go A B wait"), "~B") == "not_offered"


# --- the check -------------------------------------------------------------------------------------------------------


def test_r13_the_table_checks_the_pattern() -> None:
    assert (table(words="go A B wait").state.ask, table(words="go A B wait").options("check")) == (
        Check(),
        ("yes", "no"),
    )


def test_r14_a_right_pattern_asks_for_the_points_of_the_card() -> None:
    offers = table(words="go A B wait yes").play.offers
    assert offers == (Offer(None, "points", 4, 7, prefill=6),)


@pytest.mark.parametrize("points", [4, 5, 6, 7])
def test_r14_the_caller_keeps_the_card_with_its_points(points: int) -> None:
    assert table(words=f"go B A wait yes {points}").state.cards == ((), (points,), ())


@pytest.mark.parametrize("points", [0, 3, 8])
def test_r14_no_card_has_other_points(points: int) -> None:
    assert refused(table(words="go B A wait yes"), str(points)) == "bad_value"


@pytest.mark.parametrize(("round", "level"), [(1, 1), (7, 2), (11, 3)])
def test_r15_a_wrong_caller_takes_the_penalty(round: int, level: int) -> None:
    assert table(words="go B A wait no", round=round).state.penalties == ((), (level,), (level,))


def test_a5_the_last_pays_whether_the_caller_was_right_or_wrong() -> None:
    assert [table(words=f"go A B wait {word}").play.scores[C] for word in ("yes 4", "no")] == [-1, -1]


def test_a4_a_turned_card_stays_with_its_owner() -> None:
    at = table(words="go A B wait no next")
    assert (at.state.removed, at.play.scores) == (2, (-1, 0, -1))


# --- the next round --------------------------------------------------------------------------------------------------


def test_r16_the_next_round_begins_with_everybodys_hands() -> None:
    at = table(words="go A B wait yes 6 next")
    assert (at.state.ask, at.state.round.number) == (Hands((0, 1, 2), (None, None, None)), 2)


REMOVED: list[tuple[str, int, str, int]] = [
    ("one scored, one turned", 3, "go A B wait yes 6", 2),
    ("two turned", 3, "go A B wait no", 2),
    ("nobody last", 4, f"{DEAD_HEAT} last=nobody yes 6", 3),
    ("two last and a wrong call", 4, f"{DEAD_HEAT} last=all no", 1),
    ("scrapped", 3, "go scrap", 4),
]


@pytest.mark.parametrize(("players", "words", "removed"), [c[1:] for c in REMOVED], ids=[c[0] for c in REMOVED])
def test_r17_cards_neither_scored_nor_turned_are_removed(players: int, words: str, removed: int) -> None:
    at = table(players, words)
    assert (kitty_paw.to_remove(at.state), at.do("next").state.removed) == (removed, removed)


@pytest.mark.parametrize(("sets", "round", "left"), [(2, 1, 44), (2, 12, 0), (1, 1, 36), (1, 10, 0)])
def test_r18_every_round_takes_four_cards_from_the_pile(sets: int, round: int, left: int) -> None:
    assert kitty_paw.pile(table(round=round, level2_sets=sets).state) == left


def test_a13_a_round_can_be_scrapped_from_the_menu_until_somebody_calls() -> None:
    offered = ["scrap" in table(words=words).verbs for words in ("", "+A +B +C", "go", "go A", "go A tick")]
    assert offered == [False, False, True, False, False]


def test_a13_a_scrapped_round_changes_no_score() -> None:
    assert table(words="go scrap next").play.scores == (0, 0, 0)


def test_a13_a_scrapped_round_counts() -> None:
    assert table(words="go scrap next").state.round.number == 2


# --- the end ---------------------------------------------------------------------------------------------------------


def test_r19_four_scored_cards_do_not_end_the_game() -> None:
    assert table().deal(cards=((4, 4, 4), (), ())).do("go A B wait yes 4 next").phase == "hands"


def test_r20_the_highest_total_wins_not_the_most_cards() -> None:
    at = table().deal(cards=((4, 4, 4, 4), (7, 7, 7), ())).do("go A B wait yes 4 next")
    assert (at.play.scores, at.play.winners) == ((20, 21, -1), (B,))


def test_r20_penalties_count_in_the_total() -> None:
    at = table().deal(cards=((4, 4, 4, 4), (7, 7, 7), ()), penalties=((3, 3), (), ())).do("go A B wait yes 4 next")
    assert (at.play.scores, at.play.winners) == ((14, 21, -1), (B,))


def test_r21_a_tie_for_second_place_is_left_as_it_is() -> None:
    at = table(round=12).deal(cards=((7, 7), (4,), (5,))).do("go A B wait no next")
    assert (at.play.scores, at.play.winners) == ((11, 4, 2), (A,))


def test_r21_three_may_be_tied() -> None:
    at = table(round=12).deal(cards=((7,), (4,), (7,))).do("go A B wait no next")
    assert (at.play.scores, at.state.round.seats) == ((4, 4, 4), (A, B, C))


def fixed_at_the_end(points: int = 5) -> Table:
    """A has won, 5 to 0 and -3; then B's points are fixed: with 5 more B is level."""
    at = table(round=12, words="go A B wait yes 5 next")
    return at.take(fix(at.play, B, points))


def test_r21_a_tie_made_by_points_fixed_after_the_end_offers_the_extra_round() -> None:
    at = fixed_at_the_end()
    assert [RULES.label(at.state, offer, None) for offer in at.play.offers] == ["Tie: extra round"]


def test_r21_while_that_tie_stands_nobody_has_won() -> None:
    at = fixed_at_the_end()
    assert (at.play.winners, at.phase, at.play.board.highlight) == ((), "tie_break", {"tie": (A, B)})


def test_r21_points_fixed_after_the_end_without_a_tie_leave_it_the_end() -> None:
    at = fixed_at_the_end(4)
    assert (at.play.over, at.play.winners) == (True, (A,))


def test_r21_the_tied_play_the_extra_round_after_the_end() -> None:
    at = fixed_at_the_end().do("next")
    assert (at.phase, at.state.round.seats, at.state.round.extra) == ("hands", (A, B), True)


def test_r21_the_cards_of_the_last_round_are_removed_once() -> None:
    at = fixed_at_the_end()
    assert [at.state.removed, at.do("next").state.removed] == [2, 2]


@pytest.mark.parametrize(
    ("seat", "points"), [(B, -1), (B, 1), (A, 1)], ids=["taken back", "one too many", "the other one, too"]
)
def test_r21_a_tie_that_is_fixed_away_leads_back_to_the_end(seat: int, points: int) -> None:
    at = fixed_at_the_end()
    assert at.take(fix(at.play, seat, points)).play.over


def test_r21_undo_of_the_points_leads_back_to_the_end() -> None:
    at = fixed_at_the_end().do("undo")
    assert (at.play.over, at.play.winners) == (True, (A,))


def test_r21_undo_leads_from_the_extra_round_to_the_end_and_redo_back() -> None:
    at = fixed_at_the_end().do("next")
    extra = at.state
    assert (at.do("undo undo").play.winners, at.do("redo redo").state == extra) == ((A,), True)


def test_r21_after_an_extra_round_a_tie_is_one_of_those_who_played_it() -> None:
    at = tied("go A wait yes 6 II next")  # 21, 13, 9
    assert at.take(fix(at.play, C, 12)).play.over


def test_r21_a_game_ended_by_hand_stays_ended() -> None:
    at = table(words="go A B wait yes 5 next end")
    assert at.take(fix(at.play, B, 5)).play.over


def test_a6_only_those_still_tied_play_the_next_extra_round() -> None:
    at = table(round=12).deal(cards=((7,), (4,), (7,)), removed=20).do("go A B wait no next")
    assert at.do("go A B C+0.05 wait last=nobody no I next").state.round.seats == (B, C)


def test_a6_after_an_extra_round_the_higher_of_the_tied_wins_even_below_the_others() -> None:
    at = tied("go A wait no III III next").do("go A wait no III III next").do("go A wait no III III next")
    assert at.do("go A wait no III I next").play.winners == (B,)


def test_a6_four_of_the_removed_cards_are_turned_up() -> None:
    assert kitty_paw.turned_up(tied().state) == 4


def test_a6_cards_kept_in_an_extra_round_leave_the_removed_ones() -> None:
    before = tied().state.removed
    assert tied("go A wait no I I next").state.removed == before - 2


def test_a6_cards_not_kept_in_an_extra_round_go_back_to_the_removed_ones() -> None:
    before = tied().state.removed
    assert tied("go scrap next").state.removed == before


@pytest.mark.parametrize(("left", "up"), [(5, 4), (4, 4), (3, 3), (2, 2)])
def test_a6_what_is_left_of_the_removed_cards_is_turned_up(left: int, up: int) -> None:
    assert kitty_paw.turned_up(tied().deal(removed=left).state) == up


@pytest.mark.parametrize("left", [2, 3])
def test_a6_with_fewer_cards_than_tied_players_all_used_cards_are_shuffled_in(left: int) -> None:
    at = tied().deal(removed=left).do("go A wait no I I next")
    assert (kitty_paw.turned_up(at.state), at.state.round.shuffled) == (4, True)


def test_a6_with_enough_cards_none_are_shuffled_in() -> None:
    assert not tied().deal(removed=4).do("go A wait no I I next").state.round.shuffled


def test_a6_an_extra_round_is_not_one_of_the_twelve() -> None:
    assert RULES.board(tied().state).rounds is None


# --- options ---------------------------------------------------------------------------------------------------------


def test_mixed_deck_the_level_of_the_last_ones_card_is_asked_after_the_check() -> None:
    phases = [table(words=words, mixed_deck=True).verbs for words in ("go A B wait", "go A B wait yes 6")]
    assert phases == [{"check"}, {"level"}]


def test_mixed_deck_the_level_is_that_of_the_card() -> None:
    assert table(words="go A B wait yes 6 III", mixed_deck=True).play.scores == (6, 0, -3)


def test_mixed_deck_after_a_wrong_call_the_callers_level_is_asked_first() -> None:
    at = table(words="go A B wait no II", mixed_deck=True)
    assert (at.play.scores, at.verbs) == ((-2, 0, 0), {"level"})


def test_mixed_deck_the_levels_of_all_last_ones_are_asked() -> None:
    at = table(4, f"{DEAD_HEAT} last=all yes 5 II III", mixed_deck=True)
    assert (at.play.scores, at.verbs) == ((5, -2, 0, -3), {"next"})


def test_mixed_deck_without_a_penalty_no_level_is_asked() -> None:
    assert table(4, f"{DEAD_HEAT} last=nobody yes 5", mixed_deck=True).verbs == {"next"}


def test_a2_with_three_players_the_last_is_penalised_whatever_the_option() -> None:
    assert table(3, "go A B wait", last_penalty_two_players=False).play.scores == (0, 0, -1)


def test_a2_off_no_answer_is_waited_for() -> None:
    assert table(2, "go A tick", last_penalty_two_players=False).phase == "check"


def test_a2_off_an_extra_round_of_two_has_no_last() -> None:
    assert tied("go A wait", last_penalty_two_players=False).state.round.last == ()


@pytest.mark.parametrize(("on", "over"), [(False, False), (True, True)])
def test_a1_penalties_count_towards_the_five_only_by_option(on: bool, over: bool) -> None:
    at = table(end_counts_penalties=on).deal(cards=((4, 4, 4), (), ()), penalties=((1,), (), ()))
    assert at.do("go A B wait yes 4 next").play.over is over


def test_a1_five_penalties_alone_end_the_game_by_option() -> None:
    at = table(end_counts_penalties=True).deal(cards=((7,), (), ()), penalties=((), (), (1, 1, 1, 1)))
    assert at.do("go A B wait yes 4 next").play.over


TIE_BANDS = [("kit", "5", (D,)), (6, "5", None), (5, "5", (D,)), (1000, "49", None)]


@pytest.mark.parametrize(("band", "gap_ms", "last"), TIE_BANDS)
def test_tie_band_widens_the_dead_heat_for_last(band: object, gap_ms: str, last: tuple[int, ...] | None) -> None:
    assert table(4, f"go A C B D+{gap_ms} wait", tie_band=band).state.round.last == last


@pytest.mark.parametrize(("band", "caller"), [("kit", A), (6, None), (5, A)])
def test_tie_band_widens_the_dead_heat_of_the_meow(band: object, caller: int | None) -> None:
    assert build(table(4, "go A B+5 tick", tie_band=band)).caller == caller


def test_a_coarse_kit_needs_no_option_for_a_wide_band() -> None:
    at = table(4, "go").act(A, "meow", error_ns=10 * MS)
    at.act(B, "meow", at_ns=at.now_ns + 9 * MS, error_ns=10 * MS)
    assert build(at.tick()).caller is None


def test_last_by_hand_no_answers_are_pressed() -> None:
    at = table(4, "go B tick", last_by_hand=True)
    assert (at.verbs, at.options("last")) == ({"last"}, (A, C, D, "all", "several", "nobody"))


def test_last_by_hand_the_table_names_the_last() -> None:
    assert table(4, "go B tick last=D", last_by_hand=True).play.scores == (0, 0, 0, -1)


def test_last_by_hand_the_table_may_name_two_of_three() -> None:
    at = table(4, "go B tick last=several last=A last=no last=D", last_by_hand=True)
    assert (at.play.scores, at.phase) == ((-1, 0, 0, -1), "check")


def test_a_ruling_seat_by_seat_is_one_step() -> None:
    at = table(4, "go B tick last=several last=A last=no last=D undo", last_by_hand=True)
    assert at.options("last") == (A, C, D, "all", "several", "nobody")


def test_a_ruling_seat_by_seat_may_find_nobody() -> None:
    at = table(4, "go B tick last=several last=no last=no last=no", last_by_hand=True)
    assert (at.state.round.last, at.phase) == ((), "check")


RULED = [
    ("nothing", "go A B C wait", {}, ()),
    ("the last of a dead heat", f"{DEAD_HEAT} last=B", {}, ("last",)),
    ("the last by hand", "go B tick last=A", {"last_by_hand": True}, ("last",)),
    ("the caller", "go A B+0.05 C wait caller=B", {}, ("first",)),
    ("the caller, and not yet the last", "go A B+0.05 close caller=B", {}, ("first",)),
]


@pytest.mark.parametrize(("words", "options", "ruled"), [c[1:] for c in RULED], ids=[c[0] for c in RULED])
def test_the_board_says_what_the_table_has_ruled(words: str, options: dict[str, Any], ruled: tuple[str, ...]) -> None:
    run = table(4, words, **options).play.board.race
    assert run is not None and run.ruled == ruled


def test_last_by_hand_a_dead_heat_of_the_meow_is_asked_first() -> None:
    at = table(4, "go B A+0.05 tick", last_by_hand=True)
    assert (at.verbs, at.do("caller=A").options("last")) == ({"caller"}, (B, C, D, "all", "several", "nobody"))


def test_last_by_hand_without_a_penalty_for_two_nobody_is_asked() -> None:
    assert table(2, "go B tick", last_by_hand=True, last_penalty_two_players=False).phase == "check"


def test_last_by_hand_with_two_players_still_asks() -> None:
    assert table(2, "go B tick", last_by_hand=True).options("last") == (A, "nobody")


def test_response_limit_runs_from_the_meow() -> None:
    at = table(4, "go A", response_limit_s=3)
    called_ns = at.now_ns
    assert at.tick().play.due_ns == called_ns + 3 * SECOND


def test_response_limit_who_has_not_answered_by_then_is_last() -> None:
    at = table(3, "go A tick", response_limit_s=1)
    assert doubtful(at.wait()) == (B, C)


def test_response_limit_is_gone_once_the_last_is_known() -> None:
    at = table(3, "go A tick B", response_limit_s=3)
    assert at.tick().state.round.last == (C,)


def test_response_limit_off_nothing_is_due() -> None:
    assert table(4, "go A tick").play.due_ns is None


def test_response_limit_a_press_at_the_limit_is_too_late() -> None:
    at = table(4, "go A tick", response_limit_s=1)
    assert refused(at, "B") == "not_offered"


def test_round_limit_runs_from_the_flash() -> None:
    at = table(words="go", round_limit_s=60)
    assert at.play.due_ns == build(at).go_ns + 60 * SECOND


def test_round_limit_scraps_the_round() -> None:
    at = table(words="go tick", round_limit_s=60)
    assert (at.phase, kitty_paw.to_remove(at.state), at.play.scores) == ("clean_up", 4, (0, 0, 0))


def test_round_limit_is_over_once_somebody_called() -> None:
    assert table(4, "go A tick", round_limit_s=60).play.due_ns is None


def test_round_limit_off_nothing_is_due() -> None:
    assert table(words="go").play.due_ns is None


# --- what people see -------------------------------------------------------------------------------------------------

BOARDS: list[tuple[str, dict[str, Any]]] = [
    ("", {"phase": "hands", "turn": (A, B, C), "highlight": {}}),
    ("+A", {"phase": "hands", "turn": (B, C), "highlight": {}}),
    ("+A +B +C", {"phase": "armed", "turn": (), "highlight": {}}),
    ("go", {"phase": "build", "turn": (A, B, C), "highlight": {}}),
    ("go A", {"phase": "build", "turn": (B, C), "highlight": {"missing": (B, C)}}),
    ("go A tick", {"phase": "build", "turn": (B, C), "highlight": {"first": (A,), "missing": (B, C)}}),
    ("go A B wait", {"phase": "check", "turn": (), "highlight": {"first": (A,), "last": (C,)}}),
    ("go A B wait yes", {"phase": "points", "turn": (), "highlight": {"first": (A,), "last": (C,)}}),
    ("go A B wait no", {"phase": "clean_up", "turn": (), "highlight": {"first": (A,), "last": (C,)}}),
    ("go A B C+0.05 wait", {"phase": "dispute", "turn": (), "highlight": {"first": (A,), "tie": (B, C)}}),
]


@pytest.mark.parametrize(("words", "shown"), BOARDS, ids=[words or "start" for words, _ in BOARDS])
def test_the_board_shows_phase_turn_and_highlights(words: str, shown: dict[str, Any]) -> None:
    board = RULES.board(table(words=words).state)
    assert {"phase": board.phase, "turn": board.turn, "highlight": dict(board.highlight)} == shown


def test_the_board_counts_cards_and_penalties() -> None:
    tokens = RULES.board(table(words="go A B wait yes 6").state).tokens
    assert tokens == ({"cards": 1, "penalties": 0}, {"cards": 0, "penalties": 0}, {"cards": 0, "penalties": 1})


@pytest.mark.parametrize(("sets", "rounds"), [(2, 12), (1, 10)])
def test_the_board_knows_how_many_rounds_there_are(sets: int, rounds: int) -> None:
    assert RULES.board(table(level2_sets=sets).state).rounds == rounds


def test_the_board_shows_the_winner() -> None:
    at = table().deal(cards=((4, 4, 4, 4), (), ())).do("go A B wait yes 7 next")
    board = RULES.board(at.state)
    assert (board.phase, board.highlight) == ("over", {"winner": (A,)})


LABELS: list[tuple[str, str, object, str]] = [
    ("go A B wait", "check", None, "Pattern right?"),
    ("go A B wait", "check", "yes", "yes"),
    ("go A B wait yes", "points", 6, "6"),
    ("go", "scrap", None, "Scrap this round"),
]


@pytest.mark.parametrize(("words", "verb", "value", "text"), LABELS)
def test_offers_are_called_in_words(words: str, verb: str, value: Any, text: str) -> None:
    at = table(words=words)
    offer = next(offer for offer in at.play.offers if offer.verb == verb)
    assert RULES.label(at.state, offer, value) == text


def test_a_level_is_called_with_its_penalty() -> None:
    at = table(words="go A B wait no", mixed_deck=True)
    assert [RULES.label(at.state, at.play.offers[0], n) for n in (1, 2, 3)] == ["I  -1", "II  -2", "III  -3"]


def test_nobody_called_is_called_play_on() -> None:
    at = table(4, "go A B+0.05 tick close")
    assert RULES.label(at.state, at.play.offers[0], "nobody") == "nobody, play on"


@pytest.mark.parametrize(
    "words", ["", "+A", "+A +B +C", "go", "go A", "go A tick", "go A tick B", "go A B C wait yes 6"]
)
def test_every_offer_has_words(words: str) -> None:
    at = table(4, words)
    assert all(RULES.label(at.state, offer, None) for offer in at.play.offers)
