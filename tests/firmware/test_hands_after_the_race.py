"""Hands that do not stop when a race is over: slaps after the verdict, hands that stay down, grabs that were void."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.games.kitty_paw import Build
from engine.games.pack_and_stack import Grab, Packing, WhoLast
from firmware import sounds
from firmware.table.back import Stamps
from hardware.buttons import Edge
from hardware.config import kit
from tests.simulators.rig import MS, Rig, flash

FOUR = ("P1", "P2", "P3", "P4")


def ask(rig: Rig) -> object:
    return rig.playing.play.state.ask


def done(rig: Rig) -> tuple[bool | None, ...]:
    """Who has said that they are done packing."""
    packing = ask(rig)
    assert isinstance(packing, Packing)
    return packing.done


def late(rig: Rig) -> list[tuple[int, int]]:
    """The evidence that came after the verdict: seats, and ms after the flip."""
    run = rig.playing.play.board.race
    assert run is not None and run.since_ns is not None
    return [(press.seat, (press.at_ns - run.since_ns) // MS) for press in rig.playing.play.late]


def flipped(rig: Rig, *players: str, **options: object) -> Rig:
    """Pack & Stack: 500 ms after the flip."""
    rig.begin("Pack & Stack", *players, **options).tap("P1").ok()
    return until(rig, Grab).after(500)


def until(rig: Rig, question: type) -> Rig:
    """Time passes until this is asked, 10 s at most."""
    for _ in range(1000):
        if isinstance(ask(rig), question):
            break
        rig.after(10)
    assert isinstance(ask(rig), question)
    return rig


@pytest.fixture
def two(rig: Rig) -> Rig:
    """P1 has grabbed, 500 ms after the flip; P2 was the last, 50 ms later."""
    return flipped(rig, "P1", "P2").tap("P1")


@pytest.fixture
def four(rig: Rig) -> Rig:
    """P4 was the last, 650 ms after the flip."""
    return flipped(rig, *FOUR).tap("P1").tap("P2").tap("P3").after(20)


# --- slaps after the verdict -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ms", [1, 100, 300, 700, 1200, 1380])
def test_a_slap_after_the_verdict_is_no_answer(two: Rig, ms: int) -> None:
    assert done(two.after(ms).tap("P2")) == (None, None)


def test_later_a_press_is_one(two: Rig) -> None:
    assert done(two.after(1500).tap("P2")) == (None, True)


def test_the_first_slap_of_who_was_last_is_evidence_at_its_own_stamp(two: Rig) -> None:
    two.after(100).tap("P2").after(500).tap("P2")
    assert late(two) == [(1, 720)]


def test_a_slap_of_who_has_pressed_is_nothing(two: Rig) -> None:
    two.after(100).tap("P1", 3)
    assert (late(two), done(two)) == ([], (None, None))


def test_a_slap_that_means_nothing_still_clicks(two: Rig) -> None:
    two.after(100).tunes.clear()
    assert two.tap("P2").tap("P1").tunes == [sounds.CLICK] * 2


def test_slaps_of_everybody_do_not_end_the_packing(two: Rig) -> None:
    for _ in range(4):
        two.tap("P2").tap("P1")
    assert done(two) == (None, None)


def test_a_slap_spends_no_reward_card(rig: Rig) -> None:
    rig = flipped(rig, "P1", "P2", reward_cards=True)
    state = rig.playing.play.state
    object.__setattr__(rig.playing.play, "state", replace(state, held=((), ("replace_truck",)), rewards=()))
    rig.tap("P1").after(200).tap("P2")
    assert rig.playing.play.state.held == ((), ("replace_truck",))


def test_a_settled_meow_swallows_no_answer(rig: Rig) -> None:
    rig.begin("Kitty Paw", *FOUR).down(*FOUR).after(3100).up(*FOUR).after(2000).tap("P1").tap("P2")
    assert [press.seat for press in rig.playing.play.board.race.presses] == [0, 1]  # type: ignore[union-attr]


def test_nor_does_a_ruling_that_lets_the_race_run_on(rig: Rig) -> None:
    rig.begin("Kitty Paw", *FOUR).down(*FOUR).after(3100).up(*FOUR).after(2000)
    rig.down("P1", "P2").up("P1", "P2").after(100).ok()  # nobody else answers: too close to call
    rig.arrow(1).ok().tap("P3")  # nobody called, play on
    assert [press.seat for press in rig.playing.play.board.race.presses] == [2]  # type: ignore[union-attr]


# --- what was not open, or could not be seen -------------------------------------------------------------------------


def posted(rig: Rig, name: str, at_ns: int) -> Rig:
    """A press of this stamp is delivered now; the button is let go."""
    rig.app.post(Edge(name, True, at_ns))
    rig.app.post(Edge(name, False, at_ns + 40 * MS))
    return rig.after(0)


@pytest.mark.parametrize(("ms", "answers"), [(-1, False), (0, True)], ids=["before it was open", "since then"])
def test_a_press_answers_only_a_question_that_was_open_when_it_was_made(rig: Rig, ms: int, answers: bool) -> None:
    rig.begin("If It Fits", "P1", "P2", "P3").tap("P1").after(500).down("P1")  # P1 starts and has laid a card
    opened_ns = rig.now_ns
    before = rig.after(100).up("P1").after(100).playing.play
    posted(rig, before.players[rig.playing.question.seats[0]], opened_ns + ms * MS)
    assert (rig.playing.play is not before) is answers


def test_an_offer_that_stays_open_takes_a_press_made_before_another_answered(four: Rig) -> None:
    four.after(2000)
    made_ns = four.now_ns
    posted(four.after(100).tap("P4"), "P3", made_ns)
    assert done(four) == (None, None, True, True)


def test_an_ok_pressed_before_the_question_was_open_is_no_answer(four: Rig) -> None:
    four.after(2000).push(down=True)
    four.app.step(four.now_ns)
    for name in FOUR:
        four.tap(name)  # all are done: the count begins
    four.push(down=False)
    four.app.step(four.now_ns)
    assert four.playing.told.board.phase == "empties"
    assert four.playing.entry.missing == ()


def test_a_hold_that_began_before_the_question_was_open_enters_nothing(four: Rig) -> None:
    four.after(2000).down("P1").after(100).ok().after(700)
    assert (four.playing.told.board.phase, four.playing.entry.values) == ("empties", {})


def test_two_who_let_go_one_after_the_other_both_answer(four: Rig) -> None:
    four.after(2000).down("P1").after(50).down("P2").after(50).up("P1").after(50).up("P2")
    assert done(four) == (True, True, None, None)


class Slow(Rig):
    """A table whose display takes its time: nothing is on the glass until it is told."""

    def stop(self) -> None:
        self.waiting: list[object] = []
        self.kit.display.show = lambda picture, on_shown=None: self.waiting.append(on_shown)  # type: ignore[method-assign]

    def shown(self) -> None:
        on_shown = self.waiting.pop()
        assert callable(on_shown)
        on_shown(self.now_ns)
        self.app.step(self.now_ns)


@pytest.fixture
def unseen(tmp_path: Path) -> Slow:
    """Two have raced and packing may begin, for 2 s; nobody could see it yet."""
    rig = Slow(tmp_path)
    flipped(rig, "P1", "P2")
    rig.stop()
    rig.tap("P1").after(2000)
    return rig


def test_after_a_verdict_no_press_answers_before_the_question_could_be_seen(unseen: Slow) -> None:
    assert done(unseen.tap("P2")) == (None, None)


def test_once_its_picture_is_on_the_glass_one_does(unseen: Slow) -> None:
    unseen.shown()
    assert done(unseen.tap("P2")) == (None, True)


def test_one_made_before_that_and_delivered_after_it_does_not(unseen: Slow) -> None:
    made_ns = unseen.now_ns
    unseen.after(100)
    unseen.shown()
    assert done(posted(unseen, "P2", made_ns)) == (None, None)


def test_without_a_display_the_commit_is_enough(unseen: Slow) -> None:
    unseen.app.report("display", "display lost: nothing answers")
    assert done(unseen.after(10).tap("P2")) == (None, True)


def test_a_display_that_was_lost_before_the_race_is_not_waited_for(tmp_path: Path) -> None:
    rig = Slow(tmp_path)
    flipped(rig, "P1", "P2")
    rig.stop()
    rig.app.report("display", "display lost: nothing answers")
    assert done(rig.tap("P1").after(2000).tap("P2")) == (None, True)


def test_nor_does_ok(unseen: Slow) -> None:
    assert unseen.ok().playing.told.board.phase == "packing"


def test_ok_does_once_it_is_seen(unseen: Slow) -> None:
    unseen.shown()
    assert unseen.after(10).ok().playing.told.board.phase == "empties"


def test_nor_does_an_arrow(tmp_path: Path) -> None:
    rig = Slow(tmp_path, kit("duo"))
    flash(rig.begin("Kitty Paw", "P1", "P2"), "P1", "P2")
    rig.stop()
    rig.tap("P1").after(100).tap("P2").after(300)
    asked = rig.playing.told.board.phase
    rig.arrow(1)
    unanswered = rig.playing.told.board.phase
    rig.shown()
    assert (asked, unanswered, rig.after(10).arrow(1).playing.told.board.phase) == ("check", "check", "points")


def test_an_ok_that_went_down_before_the_flip_ends_no_race(rig: Rig) -> None:
    rig.begin("Pack & Stack", *FOUR).tap("P1").ok()
    due_ns = rig.playing.play.due_ns
    assert due_ns is not None
    rig.after((due_ns - rig.now_ns) / MS - 400).push(down=True)
    rig.after(500).push(down=False)
    assert isinstance(ask(rig.after(50)), Grab)


# --- a grab that was void --------------------------------------------------------------------------------------------


def test_who_has_grabbed_may_say_that_it_was_void(two: Rig) -> None:
    two.after(100).hold("P1")
    assert "P1: VOID?" in two.reads()


def test_it_is_heard(two: Rig) -> None:
    two.after(100).hold("P1")
    assert two.tunes[-1] == sounds.VOID


def test_two_seconds_later_the_race_is_open_again(two: Rig) -> None:
    assert isinstance(ask(two.after(100).hold("P1").after(2000)), Grab)


def test_not_sooner(two: Rig) -> None:
    assert isinstance(ask(two.after(100).hold("P1").after(1800)), Packing)


def test_who_slapped_meanwhile_was_first(two: Rig) -> None:
    two.after(120).tap("P2").hold("P1").after(2000)
    run = two.playing.play.board.race
    assert run is not None and (run.gaps, run.last) == (((1, 740 * MS),), (0,))


def test_the_other_may_slap_while_it_is_announced(two: Rig) -> None:
    two.after(100).hold("P1").tap("P2").after(2000)
    assert two.playing.play.board.highlight["last"] == (0,)


def test_one_undo_restores_the_verdict(two: Rig) -> None:
    before = two.playing.play.state
    two.after(120).tap("P2").hold("P1").after(2500).ok_hold().ok()
    assert two.playing.play.state == before


def test_a_hand_that_rests_after_its_slap_takes_nothing_back(rig: Rig) -> None:
    flipped(rig, "P1", "P2").down("P1").after(4000)
    assert isinstance(ask(rig), Packing)


def test_a_hold_that_began_within_ten_seconds_counts(two: Rig) -> None:
    assert isinstance(ask(two.after(9_700).hold("P1").after(2000)), Grab)


def test_a_later_one_is_done_packing(two: Rig) -> None:
    two.after(10_000).hold("P1").after(2000)
    assert done(two) == (True, None)


def test_a_short_press_meanwhile_is_done_packing(two: Rig) -> None:
    assert done(two.after(3000).tap("P1")) == (True, None)


def test_once_somebody_has_answered_a_hold_takes_nothing_back(two: Rig) -> None:
    two.after(3000).tap("P2").hold("P1").after(2000)
    assert two.playing.told.board.phase != "race"


def test_who_was_last_has_nothing_to_take_back(two: Rig) -> None:
    two.after(3000).hold("P2").after(2000)
    assert done(two) == (None, True)


def test_the_player_may_think_better_of_it(two: Rig) -> None:
    two.after(100).hold("P1").tap("P1").after(2000)
    assert done(two) == (None, None)


def test_ok_says_that_it_counts(two: Rig) -> None:
    two.after(100).hold("P1").ok().after(2000)
    assert done(two) == (None, None)


def test_nothing_hides_that_a_grab_is_about_to_be_void(two: Rig) -> None:
    assert "P1: VOID?" in two.after(100).hold("P1").arrow(1).reads()


def test_a_long_ok_says_that_it_counts_too(two: Rig) -> None:
    two.after(100).hold("P1").ok_hold().after(2000)
    assert (done(two), two.app.table.top) == ((None, None), two.playing)


def test_a_hold_begun_over_the_evidence_takes_the_grab_back(two: Rig) -> None:
    two.after(1700).arrow(1)
    over = two.app.table.top
    two.hold("P1")
    assert (type(over), "P1: VOID?" in two.reads()) == (Stamps, True)


def test_so_does_one_that_somebody_opens_the_evidence_under(two: Rig) -> None:
    two.after(1700).down("P1").after(300).arrow(1).after(400).up("P1")
    assert "P1: VOID?" in two.reads()


def test_the_display_does_not_say_so_where_a_hold_is_done_packing(two: Rig) -> None:
    two.after(3000).tap("P2").ok_hold().ok().ok_hold()  # back again: but somebody has answered
    assert "own grab void? hold" not in two.reads()


def test_a_hold_that_began_in_the_race_goes_on_after_the_verdict(rig: Rig) -> None:
    flipped(rig, "P1", "P2", "P3").tap("P1").down("P1").after(100).down("P2").after(3000)
    assert isinstance(ask(rig), Grab)


def test_a_void_grab_before_the_tables_ruling(rig: Rig) -> None:
    flipped(rig, *FOUR).tap("P1").after(100).ok()
    assert isinstance(ask(rig), WhoLast)
    assert isinstance(ask(rig.after(100).hold("P1").after(2000)), Grab)


def test_kitty_paw_takes_nothing_back_after_the_verdict(rig: Rig) -> None:
    rig.begin("Kitty Paw", "P1", "P2").down("P1", "P2").after(3100).up("P1", "P2").after(2000).tap("P1").after(500)
    rig.tap("P2").after(200).hold("P2").after(2500)
    assert rig.playing.told.board.phase == "check"


# --- hands held as asked ---------------------------------------------------------------------------------------------


def test_hands_that_wait_for_the_last_one_are_not_stuck(rig: Rig) -> None:
    rig.begin("Kitty Paw", *FOUR).down("P1", "P2", "P3").after(9000).down("P4").after(3100)
    assert "stuck" not in rig.reads()


def test_a_hand_that_stays_is_stuck_ten_seconds_after_the_flash(rig: Rig) -> None:
    rig.begin("Kitty Paw", *FOUR).down(*FOUR)
    seen = until(rig, Build).up("P1", "P2", "P4").after(9900).reads(), rig.after(200).reads()
    assert ["P3 is stuck" in text for text in seen] == [False, True]


def test_a_patient_hand_is_named_last(rig: Rig) -> None:
    rig.begin("Pack & Stack", *FOUR, start="hands_on").tap("P1").ok().down("P3").after(9000).down("P1", "P2", "P4")
    until(rig, Grab).up("P1", "P2", "P4").after(500)
    for name in ("P1", "P2", "P4"):
        rig.tap(name)
    assert rig.after(100).playing.play.board.highlight["last"] == (2,)


def test_a_button_that_works_again_does_not_hide_what_to_do(rig: Rig) -> None:
    rig.begin("Kitty Paw", *FOUR).down(*FOUR).after(3100).up("P1", "P2", "P4").after(11_000).up("P3")
    reads = rig.after(100).reads()
    assert "P3 works again" in reads and "done? press" in reads


def test_the_display_says_how_as_long_as_it_can_be_done(two: Rig) -> None:
    seen = "own grab void? hold"
    assert (seen in two.after(5000).reads(), seen in two.after(6000).reads()) == (True, False)


def test_a_press_whose_end_was_never_heard_answers_nothing_later(two: Rig) -> None:
    two.after(2000).down("P1").app.report("button P1", "button P1 lost: the chip is gone")
    two.after(100).app.report("button P1", None)
    assert done(two.after(9000)) == (None, None)


def test_the_control_takes_a_grab_back_at_any_time(two: Rig) -> None:
    two.after(60_000).ok_hold().arrow(-1)
    while two.row() != "P1: Void grab":
        two.arrow(-1)
    assert isinstance(ask(two.ok()), Grab)


def test_several_are_named_one_by_one(rig: Rig) -> None:
    flipped(rig, *FOUR).tap("P1").after(100).ok().arrow(-4).ok()  # several of P2, P3, P4
    asked = rig.reads()
    rig.ok().arrow(-1).ok().ok()
    assert ("Last, too?" in asked, "not last" in asked, rig.playing.told.board.highlight["last"]) == (
        True,
        True,
        (1, 3),
    )
