"""CAT Pageant as it is played: fanciers, the count to PLACE, cats adopted one by one, pageants, piles."""

from pathlib import Path

import pytest

from engine.games.cat_pageant.fanciers import Fancier, Name, WhichFancier
from engine.games.cat_pageant.rounds import Adopt, Groom, GroomCubes, Order, Place, Result
from engine.games.cat_pageant.scoring import Piles
from engine.rules import RECALL, Action
from firmware import sounds
from tests.simulators import evenings
from tests.simulators.rig import Rig

TWO = ("P1", "P2")


def begun(rig: Rig, *names: str, **options: object) -> Rig:
    """The first number of the first fancier is asked for."""
    return rig.begin("CAT Pageant", *(names or TWO), **options)


def fanciers(rig: Rig, *hustle: int) -> Rig:
    """Everybody has a fancier, with this lowest hustle; none is saved."""
    for name, lowest in zip(("P1", "P2", "P3", "P4"), hustle, strict=False):
        rig.tap(name, 3).ok().tap(name, 4).ok().tap(name, lowest).ok().tap(name, 2).ok().ok()
    return rig


def ready(rig: Rig, **options: object) -> Rig:
    """Two players hold their cubes; P1 starts with the higher hustle."""
    return fanciers(begun(rig, **options), 2, 1)


def placed(rig: Rig, *hustle: int) -> Rig:
    """The cubes are placed and read: so many on hustle."""
    rig.ok().after(3500)
    for name, cubes in zip(TWO, hustle, strict=True):
        rig.tap(name, cubes) if cubes else rig.hold(name)
    return rig.ok()


def adopting(rig: Rig, *hustle: int) -> Rig:
    """The first player has drawn."""
    return placed(ready(rig), *hustle).ok()


def grooming(rig: Rig) -> Rig:
    """P1 has taken two cats and P2 one; one is left over, and P1 is the first to groom."""
    return adopting(rig, 2, 1).tap("P1").tap("P2").tap("P1").ok()


def second_round(rig: Rig) -> Rig:
    """Both have a cat to show; one cat is left over as a pageant card."""
    grooming(rig).ok().ok()
    return placed(rig, 2, 1).ok().tap("P1").tap("P2").tap("P1").ok().ok()


def question(rig: Rig) -> object:
    return rig.playing.play.state.ask


def known(rig: Rig, *fanciers: tuple[str, int, int, int, int]) -> Rig:
    """The kit has kept these fanciers of earlier games."""
    rig.playing.answer(Action(None, RECALL, fanciers, rig.now_ns))
    return rig.after(60)


def lose(rig: Rig, name: str) -> Rig:
    """The button of this player fails; the message has gone again."""
    rig.app.report(f"button {name}", "does not answer")
    return rig.after(10).after(6000)


# --- fanciers --------------------------------------------------------------------------------------------------------


def test_a_fancier_is_four_numbers_one_after_the_other(rig: Rig) -> None:
    begun(rig)
    titles = []
    for _ in range(4):
        titles += [part for part in rig.reads().split(" | ") if part.endswith("?")]
        rig.tap("P1", 3).ok()
    assert titles == ["Lowest moxie?", "Highest moxie?", "Lowest hustle?", "Highest hustle?"]


def test_the_highest_value_cannot_be_entered_below_the_lowest(rig: Rig) -> None:
    begun(rig).tap("P1", 3).ok().tap("P1").arrow(-2)
    assert rig.playing.entry.values == {0: 3}


def test_numbers_that_were_entered_stay_in_sight(rig: Rig) -> None:
    assert "moxie 3-6" in begun(rig).tap("P1", 3).ok().tap("P1", 4).ok().reads()


def test_a_plain_ok_does_not_save_a_fancier(rig: Rig) -> None:
    begun(rig).tap("P1", 3).ok().tap("P1", 4).ok().tap("P1", 2).ok().tap("P1", 2).ok()
    assert "SAVE IT?" in rig.reads() and "moxie 3-6  hustle 2-3" in rig.reads()
    assert question(rig.ok()) == Fancier(1)


def test_a_name_is_spelled_with_the_control(rig: Rig) -> None:
    begun(rig).tap("P1", 3).ok().tap("P1", 4).ok().tap("P1", 2).ok().tap("P1", 2).ok()
    rig.arrow(-13).ok().arrow(-15).ok()
    assert "MO······" in rig.reads()
    assert rig.ok().playing.play.state.known == (("MO", 3, 6, 2, 3),)


def test_ones_own_button_steps_through_the_letters(rig: Rig) -> None:
    begun(rig).tap("P1", 3).ok().tap("P1", 4).ok().tap("P1", 2).ok().tap("P1", 2).ok()
    assert "tap/turn: name it | OK: no" in rig.reads()
    assert question(rig.tap("P1", 2).ok()) == Name(0, "B")


def test_a_letter_is_taken_back_by_itself(rig: Rig) -> None:
    begun(rig).tap("P1", 3).ok().tap("P1", 4).ok().tap("P1", 2).ok().tap("P1", 2).ok()
    rig.arrow(-13).ok().arrow(-15).ok().ok_hold().ok().ok_hold()
    assert "M·······" in rig.reads()


def test_a_known_fancier_stands_with_its_numbers(rig: Rig) -> None:
    reads = known(begun(rig), ("PIP", 2, 5, 1, 4), ("MO", 3, 6, 0, 2)).reads()
    assert "PIP" in reads and "moxie 2-5  hustle 1-4" in reads


def test_a_known_fancier_is_chosen_by_one_ok(rig: Rig) -> None:
    known(begun(rig), ("PIP", 2, 5, 1, 4), ("MO", 3, 6, 0, 2)).ok()
    assert (rig.playing.play.state.stats[0], question(rig)) == ((2, 5, 1, 4), WhichFancier(1))


def test_a_new_fancier_is_the_last_choice(rig: Rig) -> None:
    known(begun(rig), ("PIP", 2, 5, 1, 4)).arrow(-1)
    assert "NEW ONE" in rig.reads()
    assert question(rig.ok()) == Fancier(0)


def test_the_control_enters_the_numbers_of_a_seat_without_a_button(rig: Rig) -> None:
    lose(begun(rig), "P1").arrow(4)
    assert "for P1" in rig.reads()
    assert rig.ok(2).playing.play.state.stats[0] == (4,)


def test_fanciers_stand_in_the_journal(rig: Rig, tmp_path: Path) -> None:
    before = known(begun(rig), ("PIP", 2, 5, 1, 4), ("MO", 3, 6, 0, 2)).ok().playing.play.state
    rig.close()
    again = Rig(tmp_path, boot="boot-2").ok()
    assert again.playing.play.state == before
    again.close()


# --- cubes and order -------------------------------------------------------------------------------------------------


def test_the_kit_counts_down_and_says_place(rig: Rig) -> None:
    seen = [ready(rig).ok().reads().split(" | ")[0]] + [rig.after(1000).reads().split(" | ")[0] for _ in range(3)]
    assert seen == ["3", "2", "1", "PLACE!"]


def test_cubes_are_counted_on_ones_own_button_up_to_what_one_has(rig: Rig) -> None:
    ready(rig).ok().after(3500).tap("P1", 6)
    assert rig.playing.entry.values == {0: 4}


def test_a_table_that_counts_itself_is_asked_for_its_cubes(rig: Rig) -> None:
    assert "Hustle cubes?" in ready(rig, placing_countdown=0).reads()


def test_the_order_says_how_many_cats_are_drawn(rig: Rig) -> None:
    reads = placed(ready(rig), 1, 3).reads()
    assert "1.P2" in reads and "P2: draw 5 cats" in reads


def test_level_values_say_which_starting_hustle_decides(rig: Rig) -> None:
    reads = placed(ready(rig), 1, 2).reads()
    assert "low 2" in reads and "low 1" in reads


def test_lots_are_shown(rig: Rig) -> None:
    assert placed(fanciers(begun(rig), 2, 2), 2, 2).reads().count("lot") == 2


def test_where_the_seats_decide_that_is_shown(rig: Rig) -> None:
    reads = placed(fanciers(begun(rig, initiative_tiebreak="seat"), 2, 2), 2, 2).reads()
    assert (reads.count("seat"), "low" in reads) == (2, False)


def test_by_seat_a_lower_starting_hustle_is_still_the_reason_where_it_decides(rig: Rig) -> None:
    reads = placed(fanciers(begun(rig, initiative_tiebreak="seat"), 2, 1), 1, 2).reads()
    assert ("low 2" in reads, "seat" in reads) == (True, False)


# --- adopting --------------------------------------------------------------------------------------------------------


def test_a_press_takes_a_cat_and_the_next_is_asked(rig: Rig) -> None:
    adopting(rig, 2, 2).tap("P1")
    assert (question(rig), rig.playing.play.state.round.middle) == (Adopt(1), 3)


def test_cats_left_stand_in_the_picture(rig: Rig) -> None:
    assert "cats left" in adopting(rig, 2, 2).reads()


def test_a_long_press_passes(rig: Rig) -> None:
    assert question(adopting(rig, 2, 2).hold("P1")) == Adopt(1, 1)


def test_ok_passes_for_whoever_is_asked(rig: Rig) -> None:
    assert question(adopting(rig, 2, 2).ok()) == Adopt(1, 1)


def test_a_press_of_somebody_else_takes_nothing(rig: Rig) -> None:
    adopting(rig, 2, 2).tap("P2")
    assert (question(rig), rig.tunes[-1]) == (Adopt(0), sounds.REFUSED)


def test_a_cat_taken_by_mistake_is_put_back(rig: Rig) -> None:
    before = adopting(rig, 2, 2).playing.play.state
    assert rig.tap("P1").ok_hold().ok().ok_hold().playing.play.state == before


# --- pageants --------------------------------------------------------------------------------------------------------


def test_cats_left_over_are_pageants(rig: Rig) -> None:
    reads = adopting(rig, 2, 1).tap("P1").hold("P2").ok().reads()
    assert "3 LEFT" in reads and "3 pageants, each its own" in reads


def test_without_cats_left_a_card_is_drawn(rig: Rig) -> None:
    assert "DRAW ONE" in adopting(rig, 2, 2).tap("P1").tap("P2").tap("P1").tap("P2").reads()


def test_who_grooms_stands_large_with_who_comes_next(rig: Rig) -> None:
    reads = grooming(rig).reads()
    assert "P1" in reads and "then P2" in reads


def test_done_grooming_is_a_press(rig: Rig) -> None:
    assert "P2" in grooming(rig).tap("P1").reads().split(" | ")[0]


def test_training_is_in_the_menu(rig: Rig) -> None:
    grooming(rig).ok_hold().arrow(-1).ok()
    assert (rig.playing.play.state.hustle, rig.playing.play.state.round.rest) == ((3, 1), (1, 3))


def test_a_trick_is_learned_from_the_menu(rig: Rig) -> None:
    grooming(rig).ok().ok()
    placed(rig, 2, 1).ok().tap("P1").tap("P2").tap("P1").ok().ok_hold().arrow(-3).ok().arrow(-3)
    assert "media bonus" in rig.reads()
    assert rig.ok().playing.play.state.tricks == (("media",), ())


def test_nobody_shows_before_the_second_round(rig: Rig) -> None:
    assert question(grooming(rig).ok()) == Result()


def test_shown_cats_start_at_none(rig: Rig) -> None:
    assert "Pageant 1: shown?" in second_round(rig).reads()
    assert question(rig.ok()) == Result()


def test_most_cats_win_the_card(rig: Rig) -> None:
    assert "P2 wins the card" in second_round(rig).tap("P2").ok().reads()


def test_a_tie_sends_the_card_below_the_deck(rig: Rig) -> None:
    assert "card below the deck" in second_round(rig).tap("P1").tap("P2").ok().reads()


def test_a_number_of_cats_too_high_is_not_taken(rig: Rig) -> None:
    second_round(rig).tap("P2", 3)
    assert rig.playing.entry.values == {1: 1}


def test_piles_are_counted_in_between_from_the_menu(rig: Rig) -> None:
    second_round(rig).tap("P2").ok().ok_hold().arrow(-1).ok()
    assert question(rig) == Piles.of(2, (1,), after=Result())
    assert rig.tap("P2", 5).ok().scores == (0, 5)


def test_points_are_fixed_at_any_time(rig: Rig) -> None:
    ready(rig).ok_hold().arrow(-1).ok().tap("P2").arrow(3).ok()
    assert (rig.scores, question(rig)) == ((0, 3), Place())


def test_a_turn_of_adopting_ends_by_itself_where_it_is_timed(rig: Rig) -> None:
    placed(ready(rig, turn_timer_s=5), 2, 2).ok().after(4000)
    assert (rig.playing.play.board.turn, rig.after(1500).playing.play.board.turn) == ((0,), (1,))


def standstill(rig: Rig) -> Rig:
    """Round 2, in which nobody adopts and no card is won; P1 has two cats, P2 has one."""
    grooming(rig).ok().ok()
    return placed(rig, 0, 0).ok().ok().ok().ok(2)


def test_after_a_round_that_stands_still_the_table_is_asked_whether_to_end(rig: Rig) -> None:
    assert {"End the game now?", "no cat, no card", "play on"} <= set(standstill(rig).reads().split(" | "))


def test_a_game_that_stands_still_may_be_scored(rig: Rig) -> None:
    assert "Media bonus?" in standstill(rig).arrow(-1).ok().reads()


def test_a_plain_ok_plays_on(rig: Rig) -> None:
    assert question(standstill(rig).ok()) == Place()


def test_level_totals_are_decided_by_ungroomed_cats(rig: Rig) -> None:
    standstill(rig).arrow(-1).ok(3)
    assert "Ungroomed cats?" in rig.reads() and "level: most wins" in rig.reads()
    assert "P1 WINS" in rig.tap("P1", 2).tap("P2").ok().reads()


# --- every cat entered -----------------------------------------------------------------------------------------------


def cards(rig: Rig) -> Rig:
    """P1 has two cubes on hustle, one on groom and one on show; P2 all on hustle."""
    placed(ready(rig, entry="cards"), 2, 4)
    assert question(rig) == GroomCubes.of(2, (0,))
    return rig.tap("P1").ok()


def test_groom_cubes_are_asked_for_where_cats_are_entered(rig: Rig) -> None:
    assert isinstance(question(cards(rig)), Order)


def test_a_cat_taken_is_asked_for_its_trick_and_its_moxie(rig: Rig) -> None:
    cards(rig).ok().tap("P2")
    assert "P2: Its trick?" in rig.reads() and "room 3" in rig.reads()
    assert "cube, room 3" in rig.ok().reads()


def test_a_cat_that_is_too_heavy_cannot_be_entered(rig: Rig) -> None:
    cards(rig).ok().tap("P2").ok().tap("P2", 4)
    assert (rig.playing.entry.values, rig.tunes[-1]) == ({1: 3}, sounds.REFUSED)


# --- dead buttons, whole evenings ------------------------------------------------------------------------------------


def test_the_control_takes_a_cat_for_a_seat_without_a_button(rig: Rig) -> None:
    lose(adopting(rig, 2, 2), "P1")
    assert "turn: P1 took" in rig.reads() and "OK: pass" in rig.reads()
    assert question(rig.arrow(1)) == Adopt(1)


def test_the_control_is_done_grooming_for_a_seat_without_a_button(rig: Rig) -> None:
    lose(grooming(rig), "P1")
    assert "turn: done" in rig.reads()
    assert question(rig.arrow(1)) == Groom(1)


def test_the_control_counts_cats_for_a_seat_without_a_button(rig: Rig) -> None:
    lose(second_round(rig), "P1").arrow(1)
    assert "for P1" in rig.reads()
    assert rig.ok().playing.play.state.round.won == (0,)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_evening_comes_to_its_scores(tmp_path: Path, players: int) -> None:
    rig = Rig(tmp_path)
    expected = evenings.cat_pageant(rig, players=players)
    assert (rig.scores, rig.playing.play.over, rig.playing.play.state.deck) == (expected, True, 0)
    rig.close()
