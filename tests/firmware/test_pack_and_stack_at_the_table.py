"""Pack & Stack as it is played, in both modes of counting."""

from firmware import sounds
from tests.simulators.rig import Rig

FOUR = ("P1", "P2", "P3", "P4")


def dealt(rig: Rig, **options: object) -> Rig:
    """The youngest is named; trucks may be dealt."""
    return rig.begin("Pack & Stack", *FOUR, **options).tap("P1")


def raced(rig: Rig, *order: str) -> Rig:
    """A race in this order; who is left out is last."""
    rig.ok().after(3300)
    for name in order:
        rig.tap(name).after(100)
    return rig.after(1600)  # a slap that comes right after the verdict means nothing


def counted(rig: Rig, *empties: int) -> Rig:
    """Quick counting: these empty spaces, nothing left over."""
    rig.ok()
    for name, spaces in zip(FOUR, empties, strict=True):
        if spaces:
            rig.tap(name, spaces)
        else:
            rig.hold(name)
    return rig.ok(6)


def test_the_youngest_says_so_by_a_press(rig: Rig) -> None:
    assert "Who is the youngest?" in rig.begin("Pack & Stack", *FOUR).reads()


def test_the_deal_says_how_many_trucks_each(rig: Rig) -> None:
    assert "DEAL 2" in dealt(rig).reads()


def test_the_countdown_fills_the_picture(rig: Rig) -> None:
    seen = [dealt(rig).ok().reads().split(" | ")[0]] + [rig.after(1000).reads().split(" | ")[0] for _ in range(3)]
    assert seen == ["3", "2", "1", "FLIP!"]


def test_a_press_before_the_flip_is_called_too_early(rig: Rig) -> None:
    assert "P2 too early" in dealt(rig).ok().after(1500).tap("P2").reads()


def test_a_press_too_soon_after_the_flip_does_not_count(rig: Rig) -> None:
    dealt(rig).ok().after(2990)
    rig.tap("P2")
    assert rig.playing.play.state.ask.race.presses == ()


def test_the_last_draws_the_top_card(rig: Rig) -> None:
    assert "P3: draw the top card" in raced(dealt(rig), "P2", "P4", "P1").reads()


def test_the_last_is_heard(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1")
    assert sounds.LAST in rig.tunes


def test_the_drawn_card_is_gone_from_the_pile(rig: Rig) -> None:
    assert "pile 27" in raced(dealt(rig), "P2", "P4", "P1").reads()


def test_a_dead_heat_for_last_is_ruled_by_the_table(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4").down("P1", "P3").after(200).up("P1", "P3")
    assert "P1/P3 tie" in rig.reads()


def test_everybody_counts_at_once_by_tapping(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok().tap("P1", 3).tap("P2", 1)
    assert dict(rig.playing.entry.values) == {0: 3, 1: 1}


def test_who_has_not_entered_is_asked_about_once(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok().tap("P1", 3).tap("P2", 1).tap("P3", 2).ok()
    assert "P4: 0?" in rig.reads()


def test_the_knob_changes_whoever_tapped_last(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok().tap("P1", 3).arrow(14)
    assert dict(rig.playing.entry.values) == {0: 17}


def test_a_long_press_enters_zero(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok().tap("P1", 3).hold("P1")
    assert dict(rig.playing.entry.values) == {0: 0}


def test_half_entered_numbers_are_not_journaled(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok()
    before = rig.playing.play
    rig.tap("P1", 3)
    assert rig.playing.play is before


def test_losses_and_the_bonus_are_booked(rig: Rig) -> None:
    counted(raced(dealt(rig), "P2", "P4", "P1"), 6, 2, 9, 0)
    assert rig.scores == (69, 73, 66, 85)


def test_one_undo_takes_a_parallel_entry_back_for_all(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok()
    before = rig.playing.play.state
    for name in FOUR:
        rig.tap(name)
    rig.ok().ok_hold().ok()
    assert rig.playing.play.state == before


def test_cards_grabbed_from_the_pile_are_entered_from_the_menu(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok_hold().arrow(-1).ok().arrow(2).ok()
    assert "pile 25" in rig.reads()


def test_cards_grabbed_from_the_pile_are_put_right_once_all_is_counted(rig: Rig) -> None:
    raced(dealt(rig), "P2", "P4", "P1").ok_hold().arrow(-1).ok().arrow(2).ok()
    counted(rig, 1, 1, 1, 1).ok_hold().arrow(-1).ok()
    filled_in = "2" in rig.reads().split(" | ")
    assert (filled_in, "pile 26" in rig.arrow(-1).ok().reads()) == (True, True)


def test_checked_counting_computes_the_empty_spaces(rig: Rig) -> None:
    dealt(rig, counting="checked")
    for counts in ((3, 1, 2, 4), (2, 0, 1, 1), (3, 0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 0)):
        for name, boxes in zip(FOUR, counts, strict=True):
            if boxes:
                rig.tap(name, boxes)
            else:
                rig.hold(name)
        rig.ok()
    raced(rig, "P2", "P4", "P1").ok()
    for name in FOUR:
        rig.tap(name, 3)
    rig.ok()
    for name in FOUR:
        rig.tap(name, 9)
    rig.ok(10)
    assert rig.scores[0] == 75 - 6 + 10


def test_the_device_rolls_where_that_is_the_option(rig: Rig) -> None:
    dealt(rig, device_dice=True).tap("P1")
    assert "P1 takes" in rig.reads()


def test_the_same_dice_fall_again_after_an_undo(rig: Rig) -> None:
    dealt(rig, device_dice=True).tap("P1")
    rolled = rig.playing.play.state.round.loads[0]
    rig.ok_hold().ok().ok_hold().tap("P1")
    assert rig.playing.play.state.round.loads[0] == rolled


def test_hands_on_the_flip_waits_for_every_button(rig: Rig) -> None:
    dealt(rig, start="hands_on").ok().down("P1", "P2", "P3").after(4000)
    assert "HANDS ON" in rig.reads()


def test_a_game_ends_when_somebody_has_no_points_left(rig: Rig) -> None:
    dealt(rig)
    for _ in range(2):
        counted(raced(rig, "P2", "P4", "P1"), 0, 5, 5, 5).ok()
    raced(rig, "P2", "P4", "P1").ok().tap("P1").arrow(59).tap("P2", 1).tap("P3", 1).tap("P4", 1).ok(6)
    rig.ok()
    raced(rig, "P2", "P4", "P1").ok().tap("P1").arrow(59).tap("P2", 1).tap("P3", 1).tap("P4", 1).ok(6)
    rig.ok()
    assert "WIN" in rig.reads()
