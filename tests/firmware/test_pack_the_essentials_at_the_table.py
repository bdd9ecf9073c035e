"""Pack the Essentials as it is played: the draft, the score pad, ties, solo; and by programs, in both ways of entry."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.games.pack_the_essentials import RULES
from engine.games.pack_the_essentials.drafting import Discarded, NothingFits, Taken
from engine.games.pack_the_essentials.state import Options
from firmware.journal.reader import History
from firmware.table.playing import begin
from hardware.config import TABLE, Player
from tests.engine import plain
from tests.firmware.test_protocol import Driver
from tests.simulators import evenings
from tests.simulators.anyone import Anyone
from tests.simulators.players import random_options
from tests.simulators.presses import CountingRig
from tests.simulators.rig import Rig

FOUR = ("P1", "P2", "P3", "P4")


def packed(rig: Rig, players: int = 4, **options: object) -> Rig:
    """P1 packed last; the first is about to choose."""
    return rig.begin("Pack the Essentials", *FOUR[:players], **options).tap("P1")


def drafting(rig: Rig, players: int = 4, **options: object) -> Rig:
    """Everybody took the first free position, P1 position 1."""
    return packed(rig, players, **options).ok(min(players, 3))


def scoring(rig: Rig) -> Rig:
    """Four players after twelve rounds without a cat: the toys are to be placed."""
    rig.begin("Pack the Essentials", *FOUR).tap("P1")
    for n in range(12):
        rig.ok(3)
        for k in range(4):
            rig.tap(FOUR[(n + k) % 4])
    return rig


def to_do(rig: Rig) -> Rig:
    """The three To Do lists bring nothing."""
    for _ in range(3):
        for name in FOUR:
            rig.hold(name)
        rig.ok()
    return rig


# --- setup and order -------------------------------------------------------------------------------------------------


def test_who_packed_last_says_so_by_a_press(rig: Rig) -> None:
    assert "Who packed last?" in rig.begin("Pack the Essentials", *FOUR).reads()


def test_every_position_stands_with_its_bonus(rig: Rig) -> None:
    shown = packed(rig).reads()
    assert [bonus for bonus in ("underwear", "sock", "rat", "rat+toy") if bonus not in shown] == []


def test_the_control_steps_through_the_free_positions(rig: Rig) -> None:
    packed(rig).arrow(-2).ok()
    assert rig.playing.play.board.order == (None, None, 0, None)


def test_a_position_that_is_taken_is_passed_over(rig: Rig) -> None:
    packed(rig).ok().arrow(-3).ok()
    assert rig.playing.play.board.order == (0, 1, None, None)


def test_the_next_player_clockwise_chooses(rig: Rig) -> None:
    assert packed(rig).ok().playing.play.board.turn == (1,)


def test_the_last_has_no_choice_and_is_not_asked(rig: Rig) -> None:
    assert drafting(rig).playing.play.board.order == (0, 1, 2, 3)


def test_positions_that_nobody_took_are_cat_ladies(rig: Rig) -> None:
    assert "CatLady" in drafting(rig, 2).reads()


def test_bonuses_are_called_for_before_the_first_tile(rig: Rig) -> None:
    assert "take bonuses" in drafting(rig).reads()


def test_a_bonus_too_long_for_its_place_stands_in_letters(rig: Rig) -> None:
    assert "R+2S" in packed(rig, bonus_table="none rat+sock+sock rat rat+toy").reads()


def test_a_name_of_four_letters_stands_beside_the_longest_bonus(tmp_path: Path) -> None:
    names = ("ANNA", "BERT", "CARL", "DORA")
    players = tuple(Player(name, p.button, p.lamp) for name, p in zip(names, TABLE.players, strict=True))
    rig = Rig(tmp_path, msgspec.structs.replace(TABLE, players=players))
    shown = rig.begin("Pack the Essentials", *names).tap("ANNA").ok(3).reads()
    rig.close()
    assert [text for text in ("underwear", "DORA", "ANNA: took one", "hold: cat") if text not in shown] == []


# --- draft -----------------------------------------------------------------------------------------------------------


def test_a_press_says_that_a_tile_was_taken(rig: Rig) -> None:
    assert drafting(rig).tap("P1").playing.play.board.turn == (1,)


def test_a_press_out_of_turn_changes_nothing(rig: Rig) -> None:
    before = drafting(rig).playing.play
    assert rig.tap("P3").playing.play is before


def test_a_hold_spends_a_rat_on_a_cat(rig: Rig) -> None:
    assert drafting(rig).hold("P1").playing.play.board.tokens[0] == {"rats": 0, "toys": 0, "cats": 1}


def test_a_rat_that_was_spent_is_seen_at_once(rig: Rig) -> None:
    assert "1 cat" in drafting(rig).hold("P1").reads()


def test_a_hold_does_not_end_the_turn(rig: Rig) -> None:
    assert drafting(rig).hold("P1").playing.play.board.turn == (0,)


def test_without_a_rat_the_display_offers_no_hold(rig: Rig) -> None:
    assert "hold: cat" not in drafting(rig).hold("P1").reads()


def test_one_undo_takes_back_a_rat(rig: Rig) -> None:
    before = drafting(rig).playing.play.state
    assert rig.hold("P1").ok_hold().ok().playing.play.state == before


def test_no_tile_fits_is_in_the_menu(rig: Rig) -> None:
    assert "P1: No tile fits" in drafting(rig).ok_hold().arrow(-1).reads()


@pytest.mark.parametrize("oks", [1, 2, 3, 7])
def test_an_ok_too_many_never_says_that_no_tile_fits(rig: Rig, oks: int) -> None:
    before = drafting(rig).playing.play
    assert rig.ok(oks).playing.play is before


def test_an_ok_too_many_is_refused_and_opens_nothing(rig: Rig) -> None:
    assert "P1: took one" in drafting(rig).ok().reads()


def test_a_rat_is_in_the_menu_too(rig: Rig) -> None:
    assert "P1: Spend a rat" in drafting(rig).ok_hold().arrow(-1).reads()


def test_the_control_spends_a_rat_for_a_dead_button(rig: Rig) -> None:
    packed(rig).down("P2").after(10_500)
    rig.ok(3).tap("P1").ok_hold().arrow(-2).ok()
    assert rig.playing.play.board.tokens[1] == {"rats": 0, "toys": 0, "cats": 1}


def test_without_a_rat_there_is_none_in_the_menu(rig: Rig) -> None:
    assert "Spend a rat" not in drafting(rig).hold("P1").ok_hold().arrow(-1).reads()


def none_fits(rig: Rig, *, ask_tile: bool = False) -> Rig:
    """P1, who has won an underwear tile, cannot take any tile."""
    return drafting(rig, ask_tile=ask_tile).ok_hold().arrow(-1).ok()


def test_after_no_tile_fits_the_bonus_tile_may_be_turned(rig: Rig) -> None:
    assert "hold: cat" in none_fits(rig).reads()


@pytest.mark.parametrize("ask_tile", [False, True])
def test_a_hold_then_spends_a_rat_on_it(rig: Rig, ask_tile: bool) -> None:
    assert none_fits(rig, ask_tile=ask_tile).hold("P1").playing.play.board.tokens[0]["cats"] == 1


def test_and_a_press_says_that_one_was_discarded(rig: Rig) -> None:
    assert none_fits(rig).tap("P1").playing.play.board.turn == (1,)


def test_without_a_bonus_tile_no_tile_fits_ends_the_turn(rig: Rig) -> None:
    assert drafting(rig).tap("P1").tap("P2").ok_hold().arrow(-1).ok().playing.play.board.turn == (3,)


@pytest.mark.parametrize("seed", range(4))
def test_hands_that_do_not_stop_never_say_that_no_tile_fits(tmp_path: Path, rig: Rig, seed: int) -> None:
    dice = Random(seed)
    names = FOUR[: dice.randint(2, 4)]
    begin(rig.app.table, RULES, names, random_options(RULES, dice, programs=False))
    for _ in range(120):
        match dice.randrange(4):
            case 0:
                rig.hold(dice.choice(names))
            case 1:
                rig.ok(dice.choice((1, 2, 3)))
            case _:
                rig.tap(dice.choice(names))
    with closing(History(tmp_path / "journal.db")) as history:
        happened = {type(fact.event) for fact in history.facts(1, RULES)}
    assert {Taken, NothingFits, Discarded} & happened == {Taken}


# --- Cat Ladies without numbers ---------------------------------------------------------------------------------------


def flipping(rig: Rig, **options: object) -> Rig:
    """P1 at position 3 and P2 at 2; the Cat Lady at 1 is to be flipped, by P1."""
    return packed(rig, 2, **options).arrow(-2).ok().arrow(-1).ok()


def test_at_a_cat_lady_it_is_asked_whether_the_tile_is_gone(rig: Rig) -> None:
    assert {"tile", "to box", "or next"} <= set(flipping(rig).reads().split(" | "))


def test_bonuses_are_called_for_before_a_cat_lady_who_comes_first(rig: Rig) -> None:
    assert "take bonuses" in flipping(rig).reads()


def test_but_not_before_a_later_one(rig: Rig) -> None:
    assert "P1 flips it" in packed(rig, 2).ok().arrow(-2).ok().tap("P1").reads()


def test_it_says_which_one_is_to_be_flipped(rig: Rig) -> None:
    assert "flip!" in flipping(rig).reads()


def test_ok_then_leads_to_the_next_position(rig: Rig) -> None:
    assert "flip!" not in flipping(rig).ok().reads()


def test_the_press_of_whoever_is_next_needs_no_ok_before(rig: Rig) -> None:
    assert flipping(rig).tap("P2").playing.play.board.turn == (0,)


def test_nor_does_a_hold_for_a_rat(rig: Rig) -> None:
    assert flipping(rig).hold("P2").playing.play.board.tokens[1] == {"rats": 0, "toys": 0, "cats": 1}


def test_against_the_clock_the_press_starts_the_turn(rig: Rig) -> None:
    assert "P2: took one" in flipping(rig, turn_timer_s=10).tap("P2").reads()


def test_where_the_next_has_no_button_the_control_answers(rig: Rig) -> None:
    flipping(rig).down("P2").after(10_500)
    assert rig.ok(2).playing.play.board.turn == (0,)


def test_a_dead_button_is_answered_for_by_ok(rig: Rig) -> None:
    packed(rig).down("P2").after(10_500)
    rig.ok(3).tap("P1")
    assert "OK: for P2" in rig.reads()


def test_ok_takes_the_tile_of_a_dead_button(rig: Rig) -> None:
    packed(rig).down("P2").after(10_500)
    assert rig.ok(3).tap("P1").ok().playing.play.board.turn == (2,)


def test_after_the_last_tile_the_suitcase_goes_on(rig: Rig) -> None:
    drafting(rig)
    for name in FOUR:
        rig.tap(name)
    assert "suitcase to P2" in rig.reads()


# --- options that change the flow -----------------------------------------------------------------------------------


def test_numbers_of_tiles_are_asked_for_where_that_is_the_option(rig: Rig) -> None:
    assert "taken?" in drafting(rig, 3, ask_tile=True).reads()


def test_the_tile_that_was_taken_is_no_longer_offered(rig: Rig) -> None:
    drafting(rig, 3, ask_tile=True).arrow(-1).ok()
    assert rig.playing.question.control is not None
    assert rig.playing.question.control.options == ("1", "3", "4")


def test_where_none_fits_the_tile_to_discard_is_asked_for(rig: Rig) -> None:
    assert "to box?" in drafting(rig, 3, ask_tile=True).ok_hold().arrow(-1).ok().reads()


def test_the_start_player_flips_a_cat_lady_and_names_her_tile(rig: Rig) -> None:
    assert "P1 flips it" in packed(rig, 2, ask_tile=True).arrow(-1).ok().arrow(-1).ok().reads()


def test_a_cat_lady_of_the_kit_says_which_tile_she_took(rig: Rig) -> None:
    packed(rig, 2, cat_lady="virtual").arrow(-1).ok().arrow(-1).ok()
    (_, tile), *_ = rig.playing.play.state.round.ladies
    assert f"tile {tile}" in rig.reads()


def test_the_same_cat_lady_is_drawn_again_after_an_undo(rig: Rig) -> None:
    packed(rig, 2, cat_lady="virtual").arrow(-1).ok().arrow(-1).ok()
    ladies = rig.playing.play.state.round.ladies
    assert rig.ok_hold().ok().ok_hold().arrow(-1).ok().playing.play.state.round.ladies == ladies


def test_a_turn_against_the_clock_begins_with_a_press(rig: Rig) -> None:
    assert "P1: start your turn" in drafting(rig, turn_timer_s=10).reads()


def test_when_the_time_is_up_the_display_says_so(rig: Rig) -> None:
    assert "TIME!" in drafting(rig, turn_timer_s=10).tap("P1").after(10_100).reads()


def test_an_edited_bonus_table_stands_on_the_mat(rig: Rig) -> None:
    shown = packed(rig, bonus_table="sock underwear rat rat+toy").reads()
    assert shown.index("sock") < shown.index("underwear")


# --- the score pad --------------------------------------------------------------------------------------------------


def test_toys_are_placed_before_the_pad(rig: Rig) -> None:
    assert "Toys on empty squares" in scoring(rig).reads()


def test_everybody_enters_a_to_do_list_at_once(rig: Rig) -> None:
    scoring(rig).ok().tap("P1", 2).tap("P4").arrow(5)
    assert dict(rig.playing.entry.values) == {0: 2, 3: 6}


def test_cats_and_rats_stand_as_recorded(rig: Rig) -> None:
    to_do(scoring(rig).ok()).ok(2)
    assert rig.playing.play.state.lines[3:5] == ((0, 0, 0, 0), (7, 7, 7, 7))


def test_cats_that_were_miscounted_are_put_right_on_the_pad(rig: Rig) -> None:
    to_do(scoring(rig).ok()).tap("P2").ok(2)
    assert rig.scores == (7, 11, 7, 7)


def test_a_group_of_twelve_or_more_says_so(rig: Rig) -> None:
    assert "12: or more" in to_do(scoring(rig).ok()).ok(2).reads()


def test_one_undo_takes_a_line_back_for_all(rig: Rig) -> None:
    scoring(rig).ok()
    before = rig.playing.play.state
    for name in FOUR:
        rig.tap(name)
    assert rig.ok().ok_hold().ok().playing.play.state == before


def test_points_are_fixed_lines_after_the_slip(rig: Rig) -> None:
    to_do(scoring(rig).ok()).ok_hold().arrow(-1).ok().tap("P3").arrow(-2).ok()
    assert rig.scores == (7, 7, 5, 7)


def test_a_dead_button_has_its_numbers_entered_by_the_control(rig: Rig) -> None:
    scoring(rig).ok().down("P2").after(10_500).arrow(4)
    assert dict(rig.playing.entry.values) == {1: 4}


# --- whole evenings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 4])
def test_an_evening_comes_to_the_scores_that_were_entered(rig: Rig, players: int) -> None:
    assert evenings.pack_the_essentials(rig, players=players) == rig.scores


@pytest.mark.parametrize("players", [1, 2, 4])
def test_an_evening_goes_to_its_end(rig: Rig, players: int) -> None:
    evenings.pack_the_essentials(rig, players=players)
    assert "THE END" in rig.reads()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_an_evening_looks_at_each_picture_once(rig: Rig, players: int) -> None:
    seen: list[str] = []
    evenings.pack_the_essentials(rig, seen.append, players=players)
    assert len(seen) == len(set(seen))


def test_four_players_press_at_most_sixty_times_each_in_an_evening(tmp_path: Path) -> None:
    rig = CountingRig(tmp_path)
    evenings.pack_the_essentials(rig)
    presses = rig.cost.presses
    rig.close()
    assert max(presses) <= 60


def test_pictures_of_cats_decide_a_tie(rig: Rig) -> None:
    evenings.pack_the_essentials(rig)
    assert "P1 WINS" in rig.reads()


def levelled(rig: Rig) -> Rig:
    """P3 is found to be level with P1 and P2 once the vote has decided."""
    best, *_, third, _ = evenings.pack_the_essentials(rig)
    rig.after(3000).ok_hold().arrow(-1).ok()
    return rig.tap("P3").arrow(best - third).ok()


def test_a_seat_made_level_after_the_end_counts_its_empty_squares(rig: Rig) -> None:
    assert "Empty squares?" in levelled(rig).reads()


def test_undo_of_that_shows_the_end_again(rig: Rig) -> None:
    assert "P1 WINS" in levelled(rig).ok_hold().ok().ok_hold().reads()


def test_a_solo_goal_that_is_missed_is_no_win(rig: Rig) -> None:
    evenings.pack_the_essentials(rig, players=1)
    assert "NEXT TIME" in rig.reads()


def test_solo_a_placement_card_blocks_positions_in_the_second_round(rig: Rig) -> None:
    assert "Which are blocked?" in rig.begin("Pack the Essentials", "P1").ok().ok().tap("P1").reads()


def test_a_blocked_position_is_not_offered(rig: Rig) -> None:
    rig.begin("Pack the Essentials", "P1").ok().ok().tap("P1").ok()
    assert "blocked" in rig.reads()


# --- by programs ------------------------------------------------------------------------------------------------------


class Said(NamedTuple):
    """A line that was taken, as a second scorer may know it."""

    verb: str
    seat: int | None
    value: Any
    at_ns: int
    error_ns: int
    facts: tuple[Any, ...]


def frozen(value: Any) -> Any:
    """A list as the scorer has it."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def facts(events: list[dict[str, Any]]) -> tuple[Any, ...]:
    """Events of the protocol as a scorer knows them, by their names."""
    return tuple(SimpleNamespace(event=type(found["event"], (SimpleNamespace,), {})(**found)) for found in events)


@pytest.fixture
def driver() -> Iterator[Driver]:
    """A process before its first line."""
    found = Driver("pack_the_essentials")
    yield found
    found.close()


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("entry", ["counts", "placements"])
def test_a_game_from_the_offers_alone_ends_as_the_second_scorer_says(driver: Driver, entry: str, players: int) -> None:
    anyone, said = Anyone(players), list[Said]()
    answer = driver.say(players=list(FOUR[:players]), options={"entry": entry}, seed=7)
    while "over" not in answer:
        line = anyone.answer(answer["offers"])
        answer = driver.say(**line)
        value = frozen(line.get("value"))
        said.append(Said(line["verb"], line["seat"], value, line["at_ns"], 100_000, facts(answer["events"])))
    board = answer["board"]
    ended = (answer["scores"], answer["winners"], board["round"], board["tokens"], None)
    assert ended == plain.SCORERS["pack_the_essentials"](players, asdict(Options(entry=entry)), said)
