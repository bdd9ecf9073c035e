"""Pack the Essentials: the worked examples of its rules page, every question in turn, every refusal."""

import dataclasses
import json
import re
from functools import reduce
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from engine import suitcase
from engine.game import act
from engine.games.pack_the_essentials import RULES
from engine.games.pack_the_essentials.counting import (
    CATS,
    FIRST_COLOUR,
    LINES,
    RATS,
    Empty,
    Todo,
    Toys,
    Vote,
    colour_points,
    had,
    line_question,
)
from engine.games.pack_the_essentials.drafting import (
    BLOCKS,
    ROUNDS,
    Block,
    CatLady,
    CatLadyActed,
    Draft,
    Draw,
    Goal,
    Order,
    Packer,
    Prefilled,
    Ready,
    RoundStarted,
    Taken,
    removed,
    ring,
)
from engine.games.pack_the_essentials.laying import in_bag
from engine.games.pack_the_essentials.state import COLOURS, Options, State, bonuses
from engine.play import Fact, Play, answer, fix, fold, opened, replay, resume, start, undo
from engine.rules import Action, Chance, Offer, Refused, Value, put, read_options
from engine.suitcase import Suitcase, Tile
from tests.simulators.players import Game, Move, answered, pick, random_game, random_options
from tests.simulators.random_play import check_score

S = 1_000_000_000
FULL = tuple((column, row) for column in range(12) for row in range(8))
NO: tuple[tuple[int, int], ...] = ()

# --- playing ---------------------------------------------------------------------------------------------------------


def new(players: int = 4, **options: object) -> Play:
    """A game at its first question."""
    return opened(RULES, start(RULES, tuple("ABCD"[:players]), read_options(Options, options), seed=7))


def do(play: Play, *answers: tuple[int | None, str, Value]) -> Play:
    """The play after answers of a seat, a verb and a value."""
    for seat, verb, value in answers:
        play = reduce(fold, answer(play, Action(seat, verb, value)), play)
    return play


def first_round(players: int = 4, starter: int = 0, **options: object) -> Play:
    """A game whose start player is known; alone, one with a goal of 110."""
    if players == 1:
        return do(new(1, **options), (None, "goal", 110))
    return do(new(players, **options), (starter, "packed_last", None))


def choose(play: Play, *positions: int) -> Play:
    """The seats choose these positions, each in turn."""
    for position in positions:
        seat = play.state.ask.seat
        play = do(play, (seat, "position", str(position)))
    return play


def turns(play: Play) -> Play:
    """Everybody takes a tile, the first that there is, until the round is over."""
    number = play.state.round.number
    while isinstance(play.state.ask, CatLady | Draft) and play.state.round.number == number:
        offer = play.offers[0]
        play = do(play, (offer.seat, offer.verb, offer.options[0] if offer.options else None))
    return play


def packed(players: int = 4, positions: tuple[int, ...] = (), **options: object) -> Play:
    """Twelve rounds in which the seats choose these positions, in the order of their choice."""
    play = first_round(players, 0, **options)
    for _ in range(ROUNDS):
        if isinstance(play.state.ask, Block):
            play = do(play, (None, "block", "4"))
        play = turns(choose(play, *(positions or range(1, min(players, 3) + 1))))
    return do(play, (None, "toys", None)) if isinstance(play.state.ask, Toys) else play


def ask(play: Play) -> object:
    return play.state.ask


def offered(play: Play) -> dict[tuple[int | None, str], Offer]:
    return {(offer.seat, offer.verb): offer for offer in play.offers}


def counted(*lines: tuple[int, ...], **options: object) -> State:
    """Each seat's pad: To Do 1 to 3, cats, rats and four group sizes."""
    state = RULES.start(len(lines), read_options(Options, options))
    return replace(state, lines=tuple(zip(*lines, strict=True)))


def level(players: int = 2, rats: tuple[int, ...] = (0, 0), **options: object) -> Play:
    """A game whose seats are level before the last size of the last seat: 5 points each but for the rats."""
    play = packed(players, (), **options)
    pad = [(0, 0, 0, 0, 0, 0, 0, 0, 0)] * players
    state = counted(*pad, **options)
    lines = put(state.lines, RATS, rats)
    lines = put(lines, LINES - 1, (*(0,) * (players - 1), None))
    last = line_question(play.state, LINES - 1)
    asked = replace(last, numbers=lines[-1])
    return replace_state(play, replace(play.state, lines=lines, ask=asked))


def replace_state(play: Play, state: State) -> Play:
    return dataclasses.replace(play, state=state)


# --- the worked examples ---------------------------------------------------------------------------------------------


def t1(**options: object) -> Play:
    """First chose position 4, Second position 2."""
    return choose(first_round(2, 0, **options), 4, 2)


def test_t1_two_cat_ladies_fill_positions_1_and_3() -> None:
    assert t1().state.round.at == (None, 1, None, 0)


def test_t1_first_gets_a_toy_and_a_rat_and_second_a_sock() -> None:
    state = t1().state
    assert (state.toys, state.rats, bonuses(state.options.bonus_table)[1].tiles) == ((1, 0), (2, 1), ("sock",))


def test_t2_the_tiles_that_go() -> None:
    play = do(t1(ask_tile=True), (None, "to_box", "2"), (1, "take", "4"), (None, "to_box", "1"))
    assert (removed((4, 1, 2, 3), (1, 3)), play.state.round.tiles) == (1, (3,))


def test_t2_first_gets_what_is_left() -> None:
    play = do(t1(ask_tile=True), (None, "to_box", "2"), (1, "take", "4"), (None, "to_box", "1"))
    facts = answer(play, Action(0, "take"))
    assert facts[0].event == Taken(0, 3)


def test_t3_a_cat_costs_a_rat() -> None:
    play = do(t1(), (1, "take", None), (0, "rat", None))  # each passes a Cat Lady
    assert (play.state.rats[0], play.state.toys[0], play.state.cats[0]) == (1, 1, 1)


def test_t4_the_suitcase_token_moves_on() -> None:
    play = turns(t1())
    assert (play.state.round.start, ask(play)) == (1, Order(1))


def test_t5_groups_of_2_and_3_tiles_are_worth_5() -> None:
    assert colour_points(max(2, 3)) == 5


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        pytest.param(0, 0, id="T6 0"),
        pytest.param(1, 1, id="T6 1"),
        pytest.param(4, 8, id="T6 4"),
        pytest.param(11, 41, id="T6 11"),
        pytest.param(12, 48, id="T6 12"),
        pytest.param(15, 48, id="T6 15"),
    ],
)
def test_points_of_a_group(tiles: int, points: int) -> None:
    assert colour_points(tiles) == points


def test_t7_tiles_before_the_positions() -> None:
    play, seen = choose(first_round(ask_tile=True), 1, 2, 3), list[int]()
    for _ in range(4):
        seen.append(len(play.state.round.tiles))
        seat, options = play.offers[0].seat, play.offers[0].options
        play = do(play, (seat, "take", options[-1] if options else None))
    assert seen == [4, 3, 2, 1]


@pytest.mark.parametrize(("players", "ladies"), [(4, 0), (3, 1), (2, 2), (1, 3)], ids=[f"T8 {n}" for n in (4, 3, 2, 1)])
def test_cat_ladies_of_a_round(players: int, ladies: int) -> None:
    play = first_round(players)
    facts = list[Fact]()
    while play.state.round.number == 1:
        offer = play.offers[0]
        facts += (caused := answer(play, Action(offer.seat, offer.verb, offer.options[0] if offer.options else None)))
        play = reduce(fold, caused, play)
    assert sum(isinstance(fact.event, CatLadyActed) for fact in facts) == ladies


def test_t9_the_order_of_choice() -> None:
    play, asked = first_round(3, starter=1), list[object]()
    for _ in range(2):
        for position in (1, 2, 3):
            asked.append(play.state.ask.seat)
            play = choose(play, position)
        play = turns(play)
    assert asked == [1, 2, 0, 2, 0, 1]


def test_t10_a_cat_lady_takes_the_first_of_her_numbers_that_is_left() -> None:
    assert removed((4, 1, 2, 3), (2, 3)) == 2


def test_t11_who_can_take_none_discards_one() -> None:
    play = choose(first_round(ask_tile=True), 1, 2, 3)
    play = do(play, (0, "nothing_fits", None), (0, "to_box", "3"))
    assert (play.state.round.tiles, ask(play)) == ((1, 2, 4), Draft(1, 2))


def test_t12_two_rats_with_a_bonus_tile_and_no_third() -> None:
    play = choose(first_round(), 2, 3, 4)
    play = replace_state(play, replace(play.state, rats=(3, 1, 1, 1)))
    play = do(play, (3, "take", None), (0, "rat", None), (0, "rat", None))
    with pytest.raises(Refused, match=r"^seat 0 cannot rat now"):
        do(play, (0, "rat", None))


def mirror_only(rats: int) -> Play:
    """The only gap of A's suitcase takes tile 1 turned over; the others are too long."""
    gap = ((5, 3), (6, 3), (7, 3), (7, 4))
    ell = ((0, 0), (0, 1), (0, 2), (1, 2))
    bar = tuple((n, 0) for n in range(6))
    play = reported(tuple(square for square in FULL if square not in gap), (ell, bar, bar, bar))
    return replace_state(play, replace(play.state, rats=put(play.state.rats, 0, rats)))


def test_t13_a_tile_that_fits_only_cat_side_up_needs_a_rat() -> None:
    lay = ((1, "cat", ((5, 3), (6, 3), (7, 3), (7, 4))),)
    with pytest.raises(Refused, match=r"^lay: 1 cats cost 1 rats; 0 are allowed$"):
        do(mirror_only(0), (0, "lay", lay))


def test_t13_with_a_rat_it_has_to_be_taken() -> None:
    with pytest.raises(Refused, match=r"^lay: tile 1 fits; discarding is allowed only where none does$"):
        do(mirror_only(1), (0, "lay", ((2, "discard", NO),)))


T14 = (7, 6, 10, 4, 2, 5, 3, 12, 0)


@pytest.mark.parametrize(("on", "total"), [pytest.param(True, 109, id="T14"), pytest.param(False, 107, id="T15")])
def test_a_total(on: bool, total: int) -> None:
    assert RULES.scores(counted(T14, T14, rats_in_total=on)) == (total, total)


def test_t16_cats_and_rats_follow_from_the_record() -> None:
    play = first_round(2)
    for n in range(12):
        mine = 3 if n < 4 else 4 if n < 7 else 1
        play = choose(play, *((mine, 2) if n % 2 == 0 else (2, mine)))
        for seat in (0, 1) if mine == 1 else (1, 0):
            if seat == 0 and play.state.cats[0] < 6 and (0, "rat") in offered(play):
                play = do(play, (0, "rat", None))
            play = do(play, (seat, "take", None))
    state = play.state
    assert (had(state, 0) - 1, state.cats[0], state.rats[0], state.toys[0]) == (7, 6, 2, 3)


def test_t17_fewest_empty_squares_break_a_tie() -> None:
    play = do(level(), (1, "group", 0), (0, "empty", 5), (1, "empty", 3))
    assert (play.over, play.winners) == (True, (1,))


def test_t18_then_most_rats_do() -> None:
    play = do(level(rats=(1, 2), rats_in_total=False), (1, "group", 0), (0, "empty", 4), (1, "empty", 4))
    assert (play.over, play.winners) == (True, (1,))


def test_t23_other_positions_are_cat_ladies_blocked_or_not() -> None:
    play = first_round(1)
    for _ in range(3):
        if isinstance(ask(play), Block):
            play = do(play, (None, "block", "4"))
        play = turns(choose(play, 1))
    play = choose(do(play, (None, "block", "1+3")), 2)
    assert (play.state.round.number, play.state.round.at) == (4, (None, 0, None, None))


@pytest.mark.parametrize(
    ("option", "score", "winners"),
    [
        pytest.param("≥", 110, (0,), id="T24"),
        pytest.param(">", 110, (), id="T24 must exceed"),
        pytest.param(">", 111, (0,), id="exceeded"),
        pytest.param("≥", 109, (), id="missed"),
    ],
)
def test_a_solo_goal(option: str, score: int, winners: tuple[int, ...]) -> None:
    state = replace(RULES.start(1, Options(solo_goal=option)), goal=110, corrected=(score - 1,))
    assert RULES.winners(state) == winners


def test_t25_28_tiles_stay_in_the_bag() -> None:
    assert in_bag(packed().state) == 28


# --- from round to round ---------------------------------------------------------------------------------------------


def test_who_packed_last_starts() -> None:
    assert ask(first_round(starter=2)) == Order(2)


def test_alone_the_goal_is_asked_for_and_nobody_packed_last() -> None:
    play = new(1)
    assert (ask(play), ask(do(play, (None, "goal", 90)))) == (Goal(), Order(0))


def test_everybody_starts_with_a_rat() -> None:
    assert new().state.rats == (1, 1, 1, 1)


def test_a_position_is_taken_once() -> None:
    play = choose(first_round(), 3)
    with pytest.raises(Refused, match="allowed is 1, 2, 4"):
        do(play, (1, "position", "3"))


def test_the_last_free_position_is_not_asked_for() -> None:
    assert choose(first_round(), 3, 1, 4).state.round.at == (1, 3, 0, 2)


def test_bonuses_are_there_before_the_draft() -> None:
    play = choose(first_round(), 3, 1, 4)
    assert (ask(play), play.state.rats, play.state.toys) == (Draft(1, 1), (2, 1, 2, 1), (0, 0, 1, 0))


def test_positions_act_in_order() -> None:
    play, acted = choose(first_round(), 3, 1, 4), list[int]()
    for _ in range(4):
        acted.append(play.state.ask.seat)
        play = do(play, (acted[-1], "take", None))
    assert acted == [1, 3, 0, 2]


def test_the_next_round_begins_by_itself() -> None:
    play = turns(choose(first_round(), 1, 2, 3))
    assert (play.state.round.number, ask(play)) == (2, Order(1))


def test_after_twelve_rounds_it_is_time_for_the_pad() -> None:
    play = first_round()
    for _ in range(ROUNDS):
        play = turns(choose(play, 1, 2, 3))
    assert ask(play) == Toys()


def test_without_toys_nothing_is_placed() -> None:
    assert ask(packed(2, (1, 2))) == Todo.of(2, line=0)


def test_alone_the_token_stays() -> None:
    play = turns(choose(first_round(1), 2))
    assert (play.state.round.start, ask(play)) == (0, Block())


def test_alone_only_even_rounds_block_positions() -> None:
    play = turns(choose(do(turns(choose(first_round(1), 2)), (None, "block", "2")), 1))
    assert ask(play) == Order(0)


@pytest.mark.parametrize(("blocked", "left"), [("1", ("2", "3", "4")), ("2+4", ("1", "3"))])
def test_a_blocked_position_cannot_be_chosen(blocked: str, left: tuple[str, ...]) -> None:
    play = do(turns(choose(first_round(1), 2)), (None, "block", blocked))
    assert play.offers[0].options == left


def test_the_only_position_that_is_not_blocked_is_taken() -> None:
    play = do(turns(choose(first_round(1), 2)), (None, "block", "1+2+4"))
    assert play.state.round.at == (None, None, 0, None)


def test_a_placement_card_blocks_one_to_three_positions() -> None:
    assert sorted(len(option.split("+")) for option in BLOCKS) == [1] * 4 + [2] * 6 + [3] * 4


# --- the draft -------------------------------------------------------------------------------------------------------


def plain_lady() -> Play:
    """A Cat Lady stands at position 1, B at 2, A at 3; numbers of tiles are not asked for."""
    return choose(first_round(2), 3, 2)


def test_without_numbers_a_cat_lady_asks_whether_her_tile_is_gone() -> None:
    play = plain_lady()
    assert (ask(play), RULES.label(play.state, play.offers[0], None)) == (CatLady(1), "Gone? Next number")


def test_an_ok_goes_on_to_the_next_position() -> None:
    assert ask(do(plain_lady(), (None, "to_box", None))) == Draft(1, 2)


def test_who_drafts_next_need_not_wait_for_that_ok() -> None:
    assert ask(do(plain_lady(), (1, "take", None))) == Draft(0, 3)


def test_a_rat_may_be_spent_without_it_too() -> None:
    play = do(plain_lady(), (1, "rat", None))
    assert (ask(play), play.state.cats) == (Draft(1, 2), (0, 1))


def test_one_undo_then_goes_back_to_the_cat_lady() -> None:
    play = do(plain_lady(), (1, "take", None))
    assert reduce(fold, undo(play), play).state == plain_lady().state


def test_a_turn_against_the_clock_begins_without_it_too() -> None:
    play = choose(first_round(2, turn_timer_s=30), 3, 2)
    assert ask(do(play, (1, "begin", None))) == Draft(1, 2, due_ns=30 * S)


def test_two_cat_ladies_in_a_row_are_asked_about_one_by_one() -> None:
    play = choose(first_round(1), 3)
    assert [ask(play), ask(do(play, (None, "to_box", None)))] == [CatLady(1), CatLady(2)]


def test_who_drafts_after_both_passes_both() -> None:
    play = do(choose(first_round(1), 3), (0, "take", None))
    assert (play.state.round.number, ask(play)) == (2, Block())


def test_after_the_last_player_all_tiles_go_and_nothing_is_asked() -> None:
    play = do(choose(first_round(2), 1, 2), (0, "take", None), (1, "take", None))
    assert ask(play) == Order(1)


def test_with_numbers_a_cat_lady_asks_which_tile_is_gone() -> None:
    play = choose(first_round(2, ask_tile=True), 3, 2)
    assert (ask(play), play.offers) == (CatLady(1), (Offer(None, "to_box", options=("1", "2", "3", "4")),))


def test_the_last_tile_needs_no_number() -> None:
    play = do(choose(first_round(2, ask_tile=True), 1, 2), (0, "take", "2"), (1, "take", "4"), (None, "to_box", "1"))
    assert (play.state.round.number, play.state.round.tiles) == (2, (1, 2, 3, 4))


def test_a_tile_that_is_gone_cannot_be_taken() -> None:
    play = do(choose(first_round(ask_tile=True), 1, 2, 3), (0, "take", "2"))
    with pytest.raises(Refused, match="allowed is 1, 3, 4"):
        do(play, (1, "take", "2"))


def virtual_ladies() -> list[CatLadyActed]:
    """The Cat Ladies of a round alone, by the kit."""
    play = choose(first_round(1, cat_lady="virtual"), 4)
    facts = [mark.event for mark in answer(choose_back(play), Action(0, "position", "4"))]
    return [event for event in facts if isinstance(event, CatLadyActed)]


def choose_back(play: Play) -> Play:
    return reduce(fold, undo(play), play)


def test_the_kit_draws_each_number_once_a_round() -> None:
    bold = [lady.bold for lady in virtual_ladies()]
    assert (len(bold), len(set(bold))) == (3, 3)


def test_the_kit_takes_other_tiles_each_time() -> None:
    assert len({lady.tile for lady in virtual_ladies()}) == 3


def test_the_same_cat_ladies_come_again_after_an_undo() -> None:
    assert virtual_ladies() == virtual_ladies()


@pytest.mark.parametrize(("bold", "numbers"), [(1, (1, 2, 3, 4)), (3, (3, 4, 1, 2)), (4, (4, 1, 2, 3))])
def test_the_kit_goes_on_round_the_ring(bold: int, numbers: tuple[int, ...]) -> None:
    assert ring(bold) == numbers


def test_with_cat_ladies_of_the_kit_numbers_are_asked_for() -> None:
    play = choose(first_round(2, cat_lady="virtual"), 1, 2)
    assert len(play.offers[0].options) == 4


def test_four_players_meet_no_cat_lady_and_no_numbers() -> None:
    assert choose(first_round(4, cat_lady="virtual"), 1, 2, 3).offers[0] == Offer(0, "take")


@pytest.mark.parametrize(
    ("position", "rats", "spent"), [(1, 3, 2), (2, 3, 2), (3, 3, 1), (4, 3, 1), (1, 1, 1), (1, 0, 0)]
)
def test_a_rat_turns_a_tile_that_is_placed(position: int, rats: int, spent: int) -> None:
    play = choose(first_round(1), position)
    play = replace_state(play, replace(play.state, rats=(rats,)))
    many = 0
    while (0, "rat") in offered(play):
        play, many = do(play, (0, "rat", None)), many + 1
    assert many == spent


def test_a_rat_is_spent_by_holding() -> None:
    assert offered(choose(first_round(), 1, 2, 3))[0, "rat"].hold


def test_that_nothing_fits_is_kept_in_the_menu() -> None:
    assert offered(choose(first_round(), 1, 2, 3))[0, "nothing_fits"].menu


def test_without_numbers_and_bonus_tiles_a_discard_ends_the_turn() -> None:
    play = do(choose(first_round(), 3, 1, 2), (1, "take", None), (2, "take", None), (0, "nothing_fits", None))
    assert ask(play) == Draft(3, 4)


@pytest.mark.parametrize("ask_tile", [False, True])
def test_after_nothing_fits_a_rat_may_turn_the_bonus_tile(ask_tile: bool) -> None:
    play = do(choose(first_round(ask_tile=ask_tile), 1, 2, 3), (0, "nothing_fits", None), (0, "rat", None))
    assert (play.state.rats[0], play.state.cats[0]) == (0, 1)


@pytest.mark.parametrize("ask_tile", [False, True])
def test_but_not_more_rats_than_bonus_tiles(ask_tile: bool) -> None:
    play = choose(first_round(ask_tile=ask_tile), 1, 2, 3)
    play = replace_state(play, replace(play.state, rats=(3, 1, 1, 1)))
    play = do(play, (0, "nothing_fits", None), (0, "rat", None))
    assert (0, "rat") not in offered(play)


@pytest.mark.parametrize("ask_tile", [False, True])
def test_a_rat_spent_before_nothing_fits_has_turned_the_bonus_tile(ask_tile: bool) -> None:
    play = choose(first_round(ask_tile=ask_tile), 1, 2, 3)
    play = replace_state(play, replace(play.state, rats=(3, 1, 1, 1)))
    play = do(play, (0, "rat", None), (0, "nothing_fits", None))
    assert (0, "rat") not in offered(play)


@pytest.mark.parametrize(("ask_tile", "value"), [(False, None), (True, "2")])
def test_the_turn_is_over_once_a_tile_is_discarded(ask_tile: bool, value: Value) -> None:
    play = choose(first_round(ask_tile=ask_tile), 1, 2, 3)
    assert ask(do(play, (0, "nothing_fits", None), (0, "to_box", value))) == Draft(1, 2)


def test_with_the_last_tile_a_rat_may_turn_the_bonus_tile_too() -> None:
    play = choose(first_round(ask_tile=True, bonus_table="rat rat rat sock"), 1, 2, 3)
    for seat in range(3):
        play = do(play, (seat, "take", play.offers[0].options[0]))
    play = do(play, (3, "nothing_fits", None), (3, "rat", None), (3, "to_box", None))
    assert (play.state.cats[3], play.state.round.number) == (1, 2)


def test_who_has_turned_the_drafted_tile_cannot_say_that_none_fits() -> None:
    play = do(choose(first_round(), 3, 1, 2), (1, "take", None), (2, "take", None), (0, "rat", None))
    assert (0, "nothing_fits") not in offered(play)


def test_a_bonus_tile_can_be_turned_though_no_tile_fits() -> None:
    play = do(choose(first_round(ask_tile=True), 1, 2, 3), (0, "nothing_fits", None), (0, "rat", None))
    assert sorted(verb for _, verb in offered(play)) == ["to_box"]


def test_a_rat_won_in_a_round_may_be_spent_in_it() -> None:
    play = choose(first_round(1), 3)
    play = replace_state(play, replace(play.state, rats=(1,), cats=(1,)))
    assert (0, "rat") in offered(play)


def test_one_undo_takes_one_answer_back_with_what_followed() -> None:
    before = choose(first_round(2), 4)
    play = choose(before, 2)
    assert reduce(fold, undo(play), play).state == before.state


# --- against the clock -----------------------------------------------------------------------------------------------


def timed() -> Play:
    return choose(first_round(turn_timer_s=30), 1, 2, 3)


def begun() -> Play:
    play = timed()
    return reduce(fold, answer(play, Action(0, "begin", None, 5 * S)), play)


def test_a_timed_turn_waits_for_a_press() -> None:
    assert (ask(timed()), timed().offers) == (Ready(0, 1), (Offer(0, "begin"),))


def test_time_is_up_after_the_limit() -> None:
    assert begun().due_ns == 35 * S


def test_after_that_the_tile_is_taken_all_the_same() -> None:
    play = reduce(fold, answer(begun(), Action(0, "take", None, 40 * S)), begun())
    assert ask(play) == Ready(1, 2)


def test_a_timed_turn_is_one_step() -> None:
    play = do(begun(), (0, "rat", None), (0, "take", None))
    assert reduce(fold, undo(play), play).state == timed().state


def test_after_a_power_cut_a_timed_turn_begins_again() -> None:
    play = do(begun(), (0, "rat", None))
    assert reduce(fold, resume(play, "another boot"), play).state == timed().state


# --- the bonus table -------------------------------------------------------------------------------------------------


def test_another_table_gives_other_bonuses() -> None:
    play = choose(first_round(bonus_table="rat+rat toy none sock+underwear"), 1, 2, 3)
    assert (play.state.rats, play.state.toys) == ((3, 1, 1, 1), (0, 1, 0, 0))


def test_a_table_of_another_form_is_refused() -> None:
    form = "4 entries, each none or up to 4 of rat, toy, sock, underwear joined by +"
    with pytest.raises(Refused, match=f"^option bonus_table = 'rat rat rat hat': allowed is {re.escape(form)}$"):
        new(bonus_table="rat rat rat hat")


# --- the pad ---------------------------------------------------------------------------------------------------------


def test_the_pad_is_asked_line_by_line() -> None:
    play, lines = packed(2, (1, 2)), list[str]()
    while not play.over and not isinstance(ask(play), Empty):
        offer = play.offers[0]
        lines.append(RULES.label(play.state, offer, None))
        play = do(play, *((o.seat, o.verb, o.low) for o in play.offers))
    assert lines == [
        "To Do list 1?",
        "To Do list 2?",
        "To Do list 3?",
        "Cats and kittens?",
        "Rats left?",
        "Largest magenta?",
        "Largest lavender?",
        "Largest peach?",
        "Largest mint?",
    ]


def at_line(line: int) -> Play:
    """At a line of the pad of two, who have both won 13 rats and spent one."""
    play = packed(2, (3, 4))
    state = replace(play.state, cats=(1, 1), rats=(12, 12), ask=line_question(play.state, line))
    return replace_state(play, state)


def test_cats_are_filled_in_from_the_record() -> None:
    assert at_line(CATS).offers[0] == Offer(0, "cats", 0, 13, prefill=1)


def test_rats_are_what_the_cats_left() -> None:
    play = do(at_line(CATS), (0, "cats", 3), (1, "cats", 1))
    assert [offer.prefill for offer in play.offers] == [10, 12]


def test_twelve_tiles_stand_for_more() -> None:
    play = at_line(FIRST_COLOUR)
    assert RULES.label(play.state, play.offers[0], 12) == "12+"


def test_points_show_before_the_pad_as_far_as_they_are_sure() -> None:
    play = do(choose(first_round(2), 3, 4), (0, "rat", None))
    assert play.scores == (6, 2)


def test_fixed_points_are_in_the_total() -> None:
    play = packed(2, (1, 2))
    assert reduce(fold, fix(play, 0, 7), play).scores == (8, 1)


# --- ties ------------------------------------------------------------------------------------------------------------


def test_only_those_level_count_their_empty_squares() -> None:
    state = level(3, (0, 0, 0)).state
    play = replace_state(level(3, (0, 0, 0)), replace(state, corrected=(0, -1, 0)))
    assert ask(do(play, (2, "group", 0))) == Empty.of(3, (0, 2))


def tied(players: int, *level_: int) -> Play:
    """These seats are level in everything."""
    play = level(players, (0,) * players)
    fixed = tuple(0 if seat in level_ else -1 for seat in range(players))
    play = do(replace_state(play, replace(play.state, corrected=fixed)), (players - 1, "group", 0))
    return do(play, *((seat, "empty", 4) for seat in level_))


def test_who_is_not_level_votes() -> None:
    assert tied(3, 0, 2).offers == (Offer(1, "vote", options=(0, 2)),)


def test_the_cutest_cat_wins() -> None:
    play = do(tied(3, 0, 2), (1, "vote", 2))
    assert (play.over, play.winners) == (True, (2,))


def test_a_vote_that_is_level_is_taken_again() -> None:
    play = do(tied(4, 0, 2), (1, "vote", 2), (3, "vote", 0))
    assert ask(play) == Vote((0, 2), (None,) * 4, (0, 2))


def test_where_nobody_is_left_to_vote_a_guest_may() -> None:
    assert do(tied(2, 0, 1), (None, "guest", 1)).winners == (1,)


def test_or_the_win_is_shared() -> None:
    assert do(tied(2, 0, 1), (None, "guest", "shared")).winners == (0, 1)


@pytest.mark.parametrize(("on", "words"), [(True, "Empty squares?"), (False, "Empty without toys?")])
def test_toys_fill_their_squares_or_not(on: bool, words: str) -> None:
    play = do(level(toys_fill_for_tiebreak=on), (1, "group", 0))
    assert RULES.label(play.state, play.offers[0], None) == words


def fixed(play: Play, seat: int, points: int) -> Play:
    return reduce(fold, fix(play, seat, points), play)


def test_points_fixed_after_the_end_may_break_a_tie() -> None:
    assert fixed(do(tied(2, 0, 1), (None, "guest", 1)), 0, 1).winners == (0,)


def ended() -> Play:
    """Seat 2 has won the vote against seat 0; seat 1, who voted, is a point behind."""
    return do(tied(3, 0, 2), (1, "vote", 2))


def test_a_third_seat_that_is_made_level_after_the_vote_counts_its_empty_squares() -> None:
    assert offered(fixed(ended(), 1, 1)).keys() == {(1, "empty")}


def test_then_all_three_show_pictures() -> None:
    play = do(fixed(ended(), 1, 1), (1, "empty", 4))
    assert play.offers == (Offer(None, "guest", options=(0, 1, 2, "shared")),)


def test_and_the_new_vote_decides() -> None:
    play = do(fixed(ended(), 1, 1), (1, "empty", 4), (None, "guest", 1))
    assert (play.over, play.winners) == (True, (1,))


def test_or_the_new_vote_is_shared_by_all() -> None:
    play = do(fixed(ended(), 1, 1), (1, "empty", 4), (None, "guest", "shared"))
    assert (play.over, play.winners) == (True, (0, 1, 2))


def test_fewer_empty_squares_win_without_another_vote() -> None:
    play = do(fixed(ended(), 1, 1), (1, "empty", 3))
    assert (play.over, play.winners) == (True, (1,))


def test_undo_of_the_correction_brings_the_end_back() -> None:
    play = fixed(ended(), 1, 1)
    assert reduce(fold, undo(play), play).winners == (2,)


def test_points_fixed_after_a_clear_end_may_make_a_tie() -> None:
    play = do(level(), (1, "group", 1))
    assert offered(fixed(play, 0, 1)).keys() == {(0, "empty"), (1, "empty")}


def test_squares_counted_in_such_a_tie_are_one_step() -> None:
    tie = fixed(do(level(), (1, "group", 1)), 0, 1)
    play = do(tie, (1, "empty", 3), (0, "empty", 4))
    assert reduce(fold, undo(play), play).state == tie.state


def test_a_vote_that_stands_is_not_taken_again() -> None:
    assert fixed(fixed(ended(), 1, -1), 1, 1).winners == (2,)


def test_between_two_of_whom_neither_won_the_vote_another_is_taken() -> None:
    play = do(tied(3, 0, 1, 2), (None, "guest", 0))
    assert fixed(play, 0, -1).state.ask.standing(fixed(play, 0, -1).state) == Vote((1, 2), (None,) * 3, (1, 2))


def test_a_seat_made_level_during_a_vote_joins_it() -> None:
    play = fixed(do(tied(4, 0, 2), (1, "vote", 2)), 3, 1)
    assert offered(do(play, (3, "empty", 4))).keys() == {(1, "vote")}


def test_a_tie_that_is_fixed_away_during_a_vote_ends_the_game() -> None:
    play = fixed(tied(3, 0, 2), 0, 1)
    assert (play.over, play.winners, play.board.phase) == (True, (0,), "over")


def test_the_board_shows_a_tie_made_after_the_end() -> None:
    board = fixed(ended(), 1, 1).board
    assert (board.phase, board.highlight) == ("tie", {"tie": (0, 1, 2)})


def levelled(seed: int) -> Game:
    """A whole game at random, whose end is fixed three times so that another seat is level with the winner."""
    dice = Random(seed)
    play, facts, moves = random_game(RULES, dice.choice((2, 3, 4)), random_options(RULES, dice), seed)
    for _ in range(3):
        totals = play.scores
        seat = dice.randrange(len(totals))
        points = max(totals) - totals[seat] or -1
        caused = fix(play, seat, points)
        moves = (*moves, Move(play.step, "fix", seat, points, 0, 0, caused))
        play = reduce(fold, caused, play)
        while not play.over:
            action, caused = answered(play, pick(play.offers, dice, 30, 0, 0))
            moves = (*moves, Move(caused[0].step, action.verb, action.seat, action.value, 0, 0, caused))
            play = reduce(fold, caused, play)
    return Game(play, facts, moves)


@pytest.mark.parametrize("seed", range(20))
def test_both_scorers_agree_on_ties_made_after_the_end(seed: int) -> None:
    check_score(levelled(seed))


# --- placements ------------------------------------------------------------------------------------------------------

ESS = ((0, 0), (1, 0), (1, 1), (2, 1))
BAR = ((0, 0), (1, 0), (2, 0))
TEE = ((0, 0), (1, 0), (2, 0), (1, 1))
ONE = ((0, 0),)


def reported(
    prefilled: tuple[tuple[int, int], ...] = NO, shapes: tuple[tuple[tuple[int, int], ...], ...] = (ESS, BAR, TEE, ONE)
) -> Play:
    """Two players report what they lay; A drafts first, with an underwear tile, B second with a sock."""
    play = do(first_round(2, entry="placements"), (0, "prefilled", prefilled), (1, "prefilled", NO))
    return choose(do(play, (None, "tiles", tuple(zip(COLOURS, shapes, strict=True)))), 1, 2)


BONUS = ("underwear", "mint", "clothes", ((11, 7),))


def test_suitcases_and_tiles_are_reported_first() -> None:
    play = first_round(2, entry="placements")
    after = do(play, (1, "prefilled", NO), (0, "prefilled", NO))
    assert (ask(play), ask(after)) == (Prefilled(), Draw())


def test_what_is_laid_lies_in_the_suitcase() -> None:
    play = do(reported(), (0, "lay", ((1, "clothes", ESS), BONUS)))
    assert play.state.suitcases[0] == Suitcase((), (Tile("magenta", False, ESS), Tile("mint", False, ((11, 7),))))


def test_a_tile_may_be_turned() -> None:
    play = do(reported(), (0, "lay", ((1, "clothes", ((1, 0), (1, 1), (0, 1), (0, 2))), BONUS)))
    assert ask(play) == Draft(1, 2)


def test_a_cat_is_a_tile_turned_over_for_a_rat() -> None:
    play = do(reported(), (0, "lay", ((1, "cat", ((1, 0), (2, 0), (0, 1), (1, 1))), BONUS)))
    assert (play.state.rats[0], play.state.cats[0]) == (0, 1)


KITTEN = ("underwear", "mint", "cat", ((1, 0), (2, 0)))


@pytest.mark.parametrize("lay", [((4, "clothes", ONE), KITTEN), (KITTEN, (4, "clothes", ONE))], ids=["after", "before"])
def test_a_bonus_tile_comes_before_or_after(lay: Value) -> None:
    assert do(reported(), (0, "lay", lay)).state.cats[0] == 1


GAP = ((5, 3), (6, 3), (7, 3), (7, 4))


def crowded(*shapes: tuple[tuple[int, int], ...]) -> Play:
    """A's suitcase has a gap of four squares, and these tiles are on the mat; A has a rat and an underwear tile."""
    return reported(tuple(square for square in FULL if square not in GAP), shapes)


LONG = tuple((n, 0) for n in range(6))


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_where_nothing_fits_the_bonus_tile_is_placed_and_turned(after: bool) -> None:
    bonus, none = ("underwear", "mint", "cat", ((5, 3), (6, 3))), (1, "discard", NO)
    play = do(crowded(LONG, LONG, LONG, LONG), (0, "lay", (none, bonus) if after else (bonus, none)))
    assert (play.state.round.tiles, play.state.cats[0]) == ((2, 3, 4), 1)


def test_a_second_rat_has_no_tile_to_turn() -> None:
    play = crowded(LONG, LONG, LONG, LONG)
    play = replace_state(play, replace(play.state, rats=(3, 1)))
    bonus = ("underwear", "mint", "cat", ((5, 3),))
    with pytest.raises(Refused, match=r"^lay: no underwear was won; bonus tiles left: none$"):
        do(play, (0, "lay", (bonus, bonus, (1, "discard", NO))))


def test_a_bonus_tile_that_fills_the_last_gap_first_leaves_none_that_fits() -> None:
    lay = (("underwear", "mint", "clothes", ((6, 3), (7, 3))), (2, "discard", NO))
    assert do(crowded(LONG, BAR, LONG, LONG), (0, "lay", lay)).state.round.tiles == (1, 3, 4)


def test_a_rat_spent_on_the_bonus_tile_first_is_gone_for_a_tile_that_needs_it() -> None:
    ell = ((0, 0), (0, 1), (0, 2), (1, 2))  # its other side fits the gap
    play = reported(tuple(square for square in FULL if square not in (*GAP, (0, 0))), (ell, LONG, LONG, LONG))
    play = do(play, (0, "lay", (("underwear", "mint", "cat", ONE), (1, "discard", NO))))
    assert (play.state.rats[0], play.state.round.tiles) == (0, (2, 3, 4))


def supplied(ones: int, twos: int, mint: tuple[int, int]) -> Play:
    """So many bonus tiles are left of each colour, others of mint."""
    play = reported()
    return replace_state(play, replace(play.state, supply=((ones, twos),) * 3 + (mint,)))


def test_a_colour_of_which_no_tile_is_left_is_refused() -> None:
    lay = ((4, "clothes", ONE), ("underwear", "mint", "clothes", ((3, 3), (4, 3))))
    with pytest.raises(
        Refused, match=r"^lay: no mint tile of two squares is left; there are magenta, lavender, peach$"
    ):
        do(supplied(1, 1, (1, 0)), (0, "lay", lay))


def test_where_a_size_is_used_up_that_is_said() -> None:
    lay = ((4, "clothes", ONE), ("underwear", "mint", "clothes", ((3, 3),)))
    with pytest.raises(Refused, match=r"^lay: no mint tile of one square is left; there are none$"):
        do(supplied(0, 1, (0, 1)), (0, "lay", lay))


def test_a_bonus_tile_is_taken_from_the_supply() -> None:
    play = do(reported(), (0, "lay", ((4, "clothes", ONE), BONUS)))
    assert play.state.supply == ((8, 10), (8, 10), (8, 10), (7, 10))


def test_a_tile_of_the_mat_is_not() -> None:
    assert do(reported(FULL[1:]), (0, "lay", ((4, "clothes", ONE),))).state.supply == ((8, 10),) * 4


def test_a_bonus_that_may_be_of_a_size_used_up_need_not_be_placed() -> None:
    play = do(supplied(1, 0, (1, 0)), (0, "lay", ((4, "clothes", ONE),)))
    assert ask(play) == Draft(1, 2)


@pytest.mark.parametrize("table", ["sock+sock+sock+sock", "underwear+underwear+underwear+underwear"])
def test_examples_stay_legal_when_the_supply_runs_out(table: str) -> None:
    play = first_round(4, entry="placements", bonus_table=f"{table} {table} {table} {table}")
    while isinstance(ask(play), Prefilled | Draw | Order | Draft):
        offer = play.offers[0]
        play = do(play, (offer.seat, offer.verb, offer.example or offer.options[0]))
    size = 0 if "sock" in table else 1
    assert [left[size] for left in play.state.supply] == [0, 0, 0, 0]


WRONG: list[tuple[str, Value, str]] = [
    ("nothing", (), "lay: no tile of the mat: allowed is [tile, clothes or cat or discard, squares] once, [bonus"),
    ("no tile of the mat", (("underwear", "mint", "cat", ONE),), "lay: no tile of the mat: allowed is [tile, "),
    ("two tiles of the mat", ((4, "clothes", ONE), (2, "clothes", BAR)), "allowed is [tile, clothes or cat or discard"),
    ("no tile", ((5, "clothes", ONE),), "lay: tile 5 is not on the mat; there are 1, 2, 3, 4"),
    ("true for a tile", ((True, "clothes", ESS),), "allowed is [tile, clothes or cat or discard, squares]"),
    ("no side", ((1, "hat", ESS),), "allowed is [tile, clothes or cat or discard, squares]"),
    ("no squares", ((1, "clothes", NO),), "lay: () is not tile 1 with its clothes up; any rotation is allowed"),
    ("a word", ((1, "clothes", "abc"),), "lay: 'abc': squares as [column, row] from [0, 0] are allowed"),
    ("half a square", ((1, "clothes", ((0,), (1, 0))),), "lay: (0,): squares as [column, row] from [0, 0] are allowed"),
    ("another shape", ((1, "clothes", BAR),), f"lay: {BAR!r} is not tile 1 with its clothes up; any rotation"),
    ("turned over for nothing", ((1, "clothes", ((1, 0), (2, 0), (0, 1), (1, 1))),), "is not tile 1 with its clothes"),
    ("beyond", ((2, "clothes", ((10, 0), (11, 0), (12, 0))),), "lay: (12, 0) is taken or beyond the grid"),
    ("on a filled square", ((4, "clothes", ((4, 4),)), BONUS), "lay: (4, 4) is taken or beyond the grid"),
    ("on a tile", ((4, "clothes", ((11, 7),)), BONUS), "lay: (11, 7) is taken or beyond the grid"),
    ("bonus left out", ((4, "clothes", ONE),), "lay: the underwear fits and has to be placed"),
    ("bonus not won", ((4, "clothes", ONE), ("sock", "mint", "cat", ((5, 5),))), "lay: no sock was won; bonus tiles"),
    ("bonus twice", ((4, "clothes", ONE), BONUS, BONUS), "lay: no underwear was won; bonus tiles left: none"),
    ("bonus too large", ((4, "clothes", ONE), ("underwear", "mint", "cat", BAR)), "a underwear is one square, or two"),
    ("bonus in pieces", ((4, "clothes", ONE), ("underwear", "mint", "cat", ((3, 3), (5, 3)))), "or two side by side"),
    ("no colour", ((4, "clothes", ONE), ("underwear", "red", "cat", ((3, 3),))), "[bonus, colour, clothes or cat, "),
    ("too many cats", ((4, "cat", ONE), ("underwear", "mint", "cat", ((3, 3),))), "2 cats cost 2 rats; 1 are allowed"),
    ("discard", ((4, "discard", NO), BONUS), "lay: tile 1 fits; discarding is allowed only where none does"),
]


@pytest.mark.parametrize(("value", "text"), [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_what_the_rules_forbid_is_refused(value: Value, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        do(reported(((4, 4),)), (0, "lay", value))
    assert (refusal.value.kind, text in str(refusal.value), "\n" in str(refusal.value)) == ("bad_value", True, False)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(((12, 0),), "beyond the grid", id="beyond"),
        pytest.param(((1, 0), (1, 0)), "named twice", id="twice"),
        pytest.param(("a",), "squares as [column, row]", id="a word"),
        pytest.param(((1.5, 0),), "squares as [column, row]", id="a fraction"),
    ],
)
def test_wrong_filled_squares_are_refused(value: Value, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        do(first_round(2, entry="placements"), (0, "prefilled", value))
    assert text in str(refusal.value)


GOOD = ("mint", ONE)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param((GOOD,) * 3, "four tiles are allowed, not 3", id="three"),
        pytest.param((*(GOOD,) * 3, ("red", ONE)), "a colour and its squares are allowed", id="no colour"),
        pytest.param((*(GOOD,) * 3, "mint"), "a colour and its squares are allowed", id="no tile"),
        pytest.param((*(GOOD,) * 3, ("mint", ((0, 0), (1, 1)))), "that hang together are allowed", id="in pieces"),
        pytest.param((*(GOOD,) * 3, ("mint", NO)), "1 to 8 squares", id="no squares"),
        pytest.param((*(GOOD,) * 3, ("mint", ((0, 0), (0, 0)))), "1 to 8 squares", id="a square twice"),
    ],
)
def test_wrong_tiles_are_refused(value: Value, text: str) -> None:
    play = do(first_round(2, entry="placements"), (0, "prefilled", NO), (1, "prefilled", NO))
    with pytest.raises(Refused) as refusal:
        do(play, (None, "tiles", value))
    assert text in str(refusal.value)


def test_the_bag_has_19_tiles_of_a_colour() -> None:
    play = do(first_round(2, entry="placements"), (0, "prefilled", NO), (1, "prefilled", NO))
    play = replace_state(play, replace(play.state, seen=(0, 0, 0, 16)))
    with pytest.raises(Refused, match=r"^tiles: only 19 tiles of a colour are in the bag$"):
        do(play, (None, "tiles", (GOOD,) * 4))


def test_where_nothing_fits_a_tile_is_discarded_and_the_bonus_goes_back() -> None:
    play = do(reported(FULL), (0, "lay", ((3, "discard", NO),)))
    assert (play.state.round.tiles, play.state.suitcases[0]) == ((1, 2, 4), Suitcase(FULL))


def test_what_is_offered_as_an_example_is_legal_through_a_whole_game() -> None:
    play = first_round(2, entry="placements")
    while isinstance(ask(play), Prefilled | Draw | Order | Draft | CatLady):
        offer = play.offers[0]
        play = do(play, (offer.seat, offer.verb, offer.example or offer.options[0]))
    assert [len(own.tiles) for own in play.state.suitcases] == [24, 24]


def at_the_end(**options: object) -> Play:
    """A reported game before the last To Do list of B: A has two mint tiles side by side, B two apart."""
    play = packed(2, (1, 2), **options)
    a = Suitcase((), (Tile("mint", False, ((0, 0), (1, 0))), Tile("mint", False, ((2, 0),))))
    b = Suitcase((), (Tile("mint", False, ((0, 0), (1, 0))), Tile("mint", False, ((5, 0),))))
    lines = ((0, 0), (0, 0), (0, None), *((None, None),) * 6)
    asked = replace(line_question(play.state, 2), numbers=lines[2])
    return replace_state(play, replace(play.state, suitcases=(a, b), lines=lines, toys=(0, 2), ask=asked))


def test_groups_cats_and_rats_are_computed() -> None:
    play = do(at_the_end(), (1, "todo", 0))
    assert (play.over, play.scores, play.state.lines[-1]) == (True, (4, 2), (2, 1))


def test_in_a_tie_made_after_the_end_they_are_computed_too() -> None:
    assert fixed(do(at_the_end(), (1, "todo", 0)), 1, 2).winners == (1,)


@pytest.mark.parametrize(("on", "winners"), [(True, (1,)), (False, (0,))])
def test_empty_squares_are_computed(on: bool, winners: tuple[int, ...]) -> None:
    play = at_the_end(toys_fill_for_tiebreak=on)
    own = play.state.suitcases
    assert own[0] is not None
    more = own[0]._replace(tiles=(*own[0].tiles, Tile("peach", False, ((9, 0),))))
    level_ = replace(play.state, suitcases=(more, own[1]), corrected=(0, 3))
    play = do(replace_state(play, level_), (1, "todo", 0))
    assert (play.over, play.winners) == (True, winners)


# --- the contract ----------------------------------------------------------------------------------------------------


def test_a_state_is_made_of_what_json_knows() -> None:
    play = do(reported(), (0, "lay", ((1, "clothes", ESS), BONUS)))
    assert json.loads(msgspec.json.encode(play.state))


def test_facts_alone_lead_to_the_same_game() -> None:
    first = start(RULES, ("A", "B"), Options(), seed=7)
    play, facts = opened(RULES, first), [first]
    while not play.over:
        offer = play.offers[-1]
        if offer.menu or offer.hold:
            offer = play.offers[0]
        more = answer(play, Action(offer.seat, offer.verb, offer.options[0] if offer.options else offer.low))
        play, facts = reduce(fold, more, play), [*facts, *more]
    assert replay(RULES, tuple(facts)) == play


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_there_is_a_board_after_every_event(players: int) -> None:
    play, facts, _ = random_game(RULES, players, Options(), seed=7)
    first, *rest = facts
    play = opened(RULES, first)
    for fact in rest:
        play = fold(play, fact)
        assert play.board.rounds == ROUNDS


def test_the_board_shows_the_draft_order() -> None:
    assert choose(first_round(3), 4, 1, 2).board.order == (1, 2, None, 0)


def test_the_board_has_no_order_once_all_is_packed() -> None:
    assert packed(3).board.order == ()


def test_the_board_shows_rats_toys_and_cats() -> None:
    play = do(choose(first_round(3), 4, 1, 2), (1, "rat", None))
    assert play.board.tokens == (
        {"rats": 2, "toys": 1, "cats": 0},
        {"rats": 0, "toys": 0, "cats": 1},
        {"rats": 1, "toys": 0, "cats": 0},
    )


def test_the_board_counts_twelve_rounds() -> None:
    assert (first_round().board.round, first_round().board.rounds) == (1, 12)


def test_the_board_marks_those_who_are_level() -> None:
    assert tied(3, 0, 2).board.highlight == {"tie": (0, 2)}


def test_an_action_gives_its_events() -> None:
    play = choose(first_round(), 1, 2, 3)
    for seat in range(3):
        play = do(play, (seat, "take", None))
    _, events = act(RULES, play.state, Action(3, "take"), Chance(7, 0))
    assert events == (Taken(3, None), RoundStarted(2, 1))


def test_the_first_question_is_who_packed_last() -> None:
    assert (ask(new()), [offer.seat for offer in new().offers]) == (Packer(), [0, 1, 2, 3])


def test_the_suitcase_has_the_grid_of_the_rules() -> None:
    assert (suitcase.COLUMNS, suitcase.ROWS) == (12, 8)
