"""A game as it is played: steps, undo and redo, fixed points, an early end, a new run; all on the real Kitty Paw."""

import dataclasses
import json
from typing import Any

import pytest
from msgspec import to_builtins

from engine import play
from engine.game import Corrected, of_kind
from engine.games.kitty_paw import RULES, Build, Hands, Options, RoundStarted
from engine.play import GENERIC, Ended, Fact, Started
from engine.rules import Action, Press, Refused
from tests.engine.paw_table import MS, SECOND, Table

# --- the start -------------------------------------------------------------------------------------------------------


def test_the_first_fact_names_players_options_and_seed() -> None:
    assert play.start(RULES, ("A", "B"), Options(), 7, 5) == Fact(0, 5, Started(("A", "B"), Options(), 7))


@pytest.mark.parametrize(
    ("players", "text"),
    [
        (("A",), "1 players: Kitty Paw is for 2 to 4"),
        (tuple("ABCDE"), "5 players: Kitty Paw is for 2 to 4"),
        (("A", "B", "A"), "two players have the same name: A, B, A"),
    ],
    ids=["too few", "too many", "same name"],
)
def test_a_wrong_table_is_refused(players: tuple[str, ...], text: str) -> None:
    with pytest.raises(Refused) as refusal:
        play.start(RULES, players, Options(), 7)
    assert (refusal.value.kind, str(refusal.value)) == ("bad_setup", text)


def test_a_new_game_has_nothing_to_undo() -> None:
    assert refused(lambda: play.undo(Table().play)) == "nothing_to_undo"


def test_a_new_game_has_nothing_to_redo() -> None:
    assert refused(lambda: play.redo(Table().play)) == "nothing_to_redo"


# --- undo ------------------------------------------------------------------------------------------------------------


def test_undo_takes_back_one_answer_of_the_table() -> None:
    assert state_after("go A B wait yes 6 undo") == state_after("go A B wait yes")


def test_undo_of_hands_and_flash_is_one_step() -> None:
    assert state_after("go undo") == Table().state


def test_undo_while_hands_go_down_takes_back_all_hands() -> None:
    assert state_after("+A +B undo") == Table().state


def test_undo_before_the_flash_takes_back_all_hands() -> None:
    assert state_after("+A +B +C undo") == Table().state


@pytest.mark.parametrize(
    "words",
    [
        "A",
        "A B+10",
        "A tick",
        "A B",
        "A B ~B+10",
        "A B wait",
        "A close",
        "A tick ~A+10 B",
    ],
    ids=[
        "the Meow",
        "two Meows",
        "the caller named",
        "an answer",
        "an answer taken back",
        "the last named",
        "answers closed",
        "the Meow taken back",
    ],
)
def test_undo_inside_or_after_a_race_goes_to_the_running_round_with_the_old_go(words: str) -> None:
    table = Table().do("go")
    running = table.state
    assert table.do(f"{words} undo").state == running


def test_undo_of_a_ruling_goes_back_to_the_question() -> None:
    assert state_after("go A B C+0.05 wait last=B undo") == state_after("go A B C+0.05 wait")


def test_undo_twice_over_a_ruling_goes_to_the_running_round() -> None:
    table = Table().do("go")
    running = table.state
    assert table.do("A B C+0.05 wait last=B undo undo").state == running


def test_undo_of_play_on_asks_again_who_called() -> None:
    assert state_after("go A B+0.05 wait caller=nobody undo") == state_after("go A B+0.05 wait")


def test_undo_reaches_back_over_rounds() -> None:
    assert state_after("go A B wait yes 6 next" + " undo" * 5) == Table().state


def test_undo_works_after_the_end() -> None:
    table = last_round().do("go A B wait yes 6")
    before = table.play
    table.do("next")
    assert (table.play.over, table.do("undo").state) == (True, before.state)


def test_undo_works_after_an_end_by_hand() -> None:
    table = Table().do("go A B wait")
    before = table.state
    table.do("end undo")
    assert (table.state, table.play.ended) == (before, False)


def test_undo_of_an_end_in_mid_race_goes_to_the_running_round() -> None:
    table = Table().do("go")
    running = table.state
    table.do("A end undo")
    assert (table.state, table.play.ended) == (running, False)


def test_undo_is_a_fact_with_the_step_it_takes_back() -> None:
    table = Table().do("go A B wait yes")
    assert play.undo(table.play, 9) == (Fact(2, 9, play.Undone()),)


def test_an_undone_step_gives_its_number_to_the_next() -> None:
    table = Table().do("go A B wait yes undo no")
    assert [fact.step for fact in table.facts[-3:]] == [2, 2, 2]


# --- redo ------------------------------------------------------------------------------------------------------------


def test_redo_brings_back_the_step_undone_last() -> None:
    assert state_after("go A B wait yes 6 undo redo") == state_after("go A B wait yes 6")


def test_redo_brings_back_a_race_with_its_verdict() -> None:
    assert state_after("go A B wait undo redo") == state_after("go A B wait")


def test_redo_brings_back_many_steps_in_their_order() -> None:
    assert state_after("go A B wait yes 6 next undo undo undo redo redo redo") == state_after("go A B wait yes 6 next")


def test_redo_brings_back_the_end() -> None:
    table = last_round().do("go A B wait yes 6 next undo redo")
    assert table.play.over


def test_redo_brings_back_an_end_by_hand() -> None:
    assert Table().do("go A B wait end undo redo").play.ended


def test_what_was_redone_can_be_undone_again() -> None:
    assert state_after("go A B wait yes 6 undo redo undo") == state_after("go A B wait yes")


def test_a_new_answer_ends_redo() -> None:
    assert refused(lambda: Table().do("go A B wait yes 6 undo 7 redo")) == "nothing_to_redo"


def test_fixed_points_end_redo() -> None:
    table = Table().do("go A B wait yes 6 undo")
    table.take(play.fix(table.play, 0, 1))
    assert refused(lambda: table.do("redo")) == "nothing_to_redo"


def test_a_refused_answer_does_not_end_redo() -> None:
    table = Table().do("go A B wait yes 6 undo")
    refused(lambda: table.do("yes"))
    assert table.do("redo").state == state_after("go A B wait yes 6")


@pytest.mark.parametrize("words", ["+A", "+A +B +C", "go A", "go A B"], ids=["hands", "countdown", "Meow", "answers"])
def test_a_step_still_in_the_air_is_not_kept_for_redo(words: str) -> None:
    assert refused(lambda: Table().do(f"{words} undo redo")) == "nothing_to_redo"


# --- steps without a trace -------------------------------------------------------------------------------------------

WITHOUT_TRACE = ["go A ~A+10", "go A B+10 ~B+10 ~A+10", "go A B wait no next +A -A"]


@pytest.mark.parametrize("words", ["+A -A", "+A +B -B -A"])
def test_hands_that_were_lifted_again_leave_nothing_to_undo(words: str) -> None:
    assert refused(lambda: Table().do(f"{words} undo")) == "nothing_to_undo"


@pytest.mark.parametrize("words", WITHOUT_TRACE)
def test_undo_passes_over_what_left_nothing(words: str) -> None:
    table = Table().do(words)
    before = table.state
    assert table.do("undo").state != before


def test_a_step_under_one_that_left_nothing_is_brought_back() -> None:
    assert state_after("go A B wait no next +A -A undo redo") == state_after("go A B wait no next")


def test_what_left_nothing_comes_back_with_the_step_under_it() -> None:
    words = "go A B wait no next +A -A go"
    assert Table().do(f"{words} undo undo redo redo").play == Table().do(words).play


def test_an_older_journal_that_undid_what_left_nothing_still_means_the_same() -> None:
    table = Table().do("go A ~A+10")
    before = table.state
    assert table.take([Fact(table.play.step - 1, 9, play.Undone())]).state == before


def test_an_older_journal_that_brought_back_what_left_nothing_still_means_the_same() -> None:
    table = Table().do("go A ~A+10")
    step = table.play.step
    table.take([Fact(step - 1, 9, play.Undone()), Fact(step - 1, 9, play.Redone())])
    assert (table.play.step, table.play.future) == (step, None)


# --- chance ----------------------------------------------------------------------------------------------------------


def test_the_flash_comes_after_1_to_3_s() -> None:
    waits = {flash_wait_ns(Table(seed=seed).do("+A +B +C")) for seed in range(200)}
    assert all(SECOND <= wait <= 3 * SECOND for wait in waits) and len(waits) == 200


def test_after_undo_the_flash_waits_the_same_time_again() -> None:
    table = Table(seed=5).do("+A +B +C")
    wait = flash_wait_ns(table)
    assert flash_wait_ns(table.do("tick undo +C +A +B")) == wait


def test_after_a_false_start_the_flash_waits_another_time() -> None:
    table = Table(seed=5).do("+A +B +C")
    wait = flash_wait_ns(table)
    assert flash_wait_ns(table.do("-A+1 +A")) != wait


def test_another_round_waits_another_time() -> None:
    table = Table(seed=5).do("+A +B +C")
    wait = flash_wait_ns(table)
    assert flash_wait_ns(table.do("tick A B wait no next +A +B +C")) != wait


# --- time ------------------------------------------------------------------------------------------------------------


def test_a_due_offer_is_refused_before_its_time() -> None:
    table = Table().do("go A")
    due_ns = table.play.due_ns
    assert due_ns is not None
    assert refused(lambda: table.act(None, "settle", at_ns=due_ns - 1)) == "not_offered"


@pytest.mark.parametrize("late_ns", [0, 1, SECOND], ids=["at due", "1 ns after", "1 s after"])
def test_a_press_stamped_at_or_after_due_first_settles(late_ns: int) -> None:
    table = Table().do("go A")
    due_ns = table.play.due_ns
    assert due_ns is not None
    table.act(1, "meow", at_ns=due_ns + late_ns)
    assert [(type(fact.event).__name__, fact.at_ns) for fact in table.facts[-2:]] == [
        ("Called", due_ns),
        ("Pressed", due_ns + late_ns),
    ]


def test_a_press_stamped_before_due_does_not_settle() -> None:
    table = Table().do("go A")
    due_ns = table.play.due_ns
    assert due_ns is not None
    table.act(1, "meow", at_ns=due_ns - 1)
    assert [type(fact.event).__name__ for fact in table.facts[-2:]] == ["Pressed", "Pressed"]


def test_all_that_is_due_before_an_answer_is_answered_first() -> None:
    table = Table(2).do("go A yes")  # one second after the Meow: the caller and the last are named by then
    assert (table.state.round.caller, table.state.round.last, table.phase) == (0, (1,), "points")


def test_the_go_keeps_the_stamp_of_the_signal() -> None:
    table = Table().do("+A +B +C")
    due_ns = table.play.due_ns
    assert due_ns is not None
    table.act(None, "go", at_ns=due_ns + 3 * MS)
    assert table.state.ask == Build(of_kind(Build, table.state.ask).race, due_ns + 3 * MS)


def test_a_press_delivered_late_within_the_settling_time_counts_by_its_stamp() -> None:
    table = Table().do("go A")
    table.act(1, "meow", at_ns=table.now_ns - 40 * MS)
    assert of_kind(Build, table.do("tick").state.ask).caller == 1


def test_a_press_stamped_before_the_verdict_but_delivered_after_it_is_refused() -> None:
    table = Table().do("go A B")
    early = Action(2, "meow", None, table.now_ns + MS)
    table.wait()
    assert refused(lambda: play.answer(table.play, early)) == "not_offered"


def test_a_press_stamped_before_the_verdict_but_delivered_after_it_changes_nothing() -> None:
    table = Table().do("go A B")
    early_ns = table.now_ns + MS
    named = table.wait().play
    refused(lambda: table.act(2, "meow", at_ns=early_ns))
    assert (table.play, len(table.facts)) == (named, len(Table().do("go A B wait").facts))


def test_a_refused_answer_leaves_what_was_due_unanswered() -> None:
    table = Table().do("go A")
    waiting = table.play
    refused(lambda: table.do("yes"))
    assert table.play == waiting


# --- fixed points ----------------------------------------------------------------------------------------------------


def test_fixed_points_count_in_the_score() -> None:
    table = Table().do("go A B wait yes 6")
    assert table.take(play.fix(table.play, 2, 4)).play.scores == (6, 0, 3)


def test_fixed_points_are_a_step_of_their_own() -> None:
    table = Table().do("go A B wait yes 6")
    before = table.play
    table.take(play.fix(table.play, 2, 4)).do("undo")
    assert (table.state, table.play.step) == (before.state, before.step)


def test_redo_brings_back_fixed_points() -> None:
    table = Table()
    table.take(play.fix(table.play, 2, -4)).do("undo redo")
    assert table.play.scores == (0, 0, -4)


def test_points_can_be_fixed_after_the_end() -> None:
    table = last_round().do("go A B wait yes 6 next")
    assert table.take(play.fix(table.play, 1, 50)).play.winners == (1,)


def test_points_fixed_in_mid_race_leave_the_race_running() -> None:
    table = Table().do("go A tick")
    race = table.state.round
    table.take(play.fix(table.play, 0, 5))
    assert table.state.round == race


def test_a_race_goes_on_to_its_verdict_over_fixed_points() -> None:
    table = Table().do("go A")
    table.take(play.fix(table.play, 1, 5)).do("B wait")
    assert (table.state.round.last, table.play.scores) == ((2,), (0, 5, -1))


def test_undo_of_a_race_in_which_points_were_fixed_goes_to_the_running_round() -> None:
    table = Table().do("go")
    running = table.state
    table.do("A").take(play.fix(table.play, 1, 5)).do("B wait undo")
    assert table.state == running


def test_redo_of_a_race_in_which_points_were_fixed_brings_back_both() -> None:
    table = Table().do("go A")
    table.take(play.fix(table.play, 1, 5)).do("B wait")
    named = table.state
    assert table.do("undo redo").state == named


FIXES: list[tuple[str, Any, Any, str]] = [
    ("no such seat", 3, 1, "correct seat 3: a seat from 0 to 2 is allowed"),
    ("below seat 0", -1, 1, "correct seat -1: a seat from 0 to 2 is allowed"),
    ("true for a seat", True, 1, "correct seat True: a seat from 0 to 2 is allowed"),
    ("nothing", 0, 0, "correct points 0: 1 to 1000, or the same negative, is allowed"),
    ("too many", 0, 1001, "correct points 1001: 1 to 1000, or the same negative, is allowed"),
    ("too few", 0, -1001, "correct points -1001: 1 to 1000, or the same negative, is allowed"),
    ("a fraction", 0, 1.5, "correct points 1.5: 1 to 1000, or the same negative, is allowed"),
]


@pytest.mark.parametrize(("seat", "points", "text"), [c[1:] for c in FIXES], ids=[c[0] for c in FIXES])
def test_a_wrong_fix_is_refused(seat: Any, points: Any, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        play.fix(Table().play, seat, points)
    assert (refusal.value.kind, str(refusal.value)) == ("bad_value", text)


# --- an early end ----------------------------------------------------------------------------------------------------


def test_a_game_ended_by_hand_keeps_its_scores_and_has_no_winner() -> None:
    table = Table().do("go A B wait yes 6 end")
    assert (table.play.over, table.play.scores, table.play.winners) == (True, (6, 0, -1), ())


def test_a_game_ended_by_hand_takes_no_answer() -> None:
    assert refused(lambda: Table().do("end +A")) == "not_offered"


def test_a_game_can_be_ended_only_once() -> None:
    assert refused(lambda: Table().do("end end")) == "not_offered"


def test_there_is_no_winner_before_the_end() -> None:
    assert Table().do("go A B wait yes 6").play.winners == ()


# --- a new run -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boot", ["one", "two"], ids=["same boot", "new boot"])
@pytest.mark.parametrize("words", ["", "go A B wait", "go A B C+0.05 wait", "go A B wait yes", "go A B wait yes 6"])
def test_a_question_that_hangs_on_no_time_stands_as_it_was(words: str, boot: str) -> None:
    table = Table().do(words)
    before = table.state
    assert table.take(play.resume(table.play, boot)).state == before


@pytest.mark.parametrize("words", ["go", "go A", "go A tick", "go A B", "+A +B +C"])
def test_in_a_new_boot_a_race_starts_again_at_its_question(words: str) -> None:
    table = Table().do(words)
    table.take(play.resume(table.play, "two"))
    assert table.state.ask == Hands((0, 1, 2), (None, None, None))


def test_in_the_same_boot_a_running_round_runs_on() -> None:
    table = Table().do("go")
    running = table.state
    assert table.take(play.resume(table.play, "one")).state == running


@pytest.mark.parametrize("words", ["A", "A B", "A B+0.05"], ids=["Meow", "answers", "tie"])
def test_in_the_same_boot_a_verdict_that_was_due_goes_back_to_the_running_round(words: str) -> None:
    table = Table().do("go")
    running = table.state
    table.do(words)
    assert table.take(play.resume(table.play, "one")).state == running


def test_in_the_same_boot_answers_without_a_time_limit_run_on() -> None:
    table = Table(4).do("go A tick B")
    running = table.state
    assert table.take(play.resume(table.play, "one")).state == running


def test_in_the_same_boot_a_countdown_starts_again_at_the_hands() -> None:
    table = Table().do("+A +B +C")
    table.take(play.resume(table.play, "one"))
    assert table.state.ask == Hands((0, 1, 2), (None, None, None))


def test_resuming_ends_redo() -> None:
    table = Table().do("go A B wait yes 6 undo")
    table.take(play.resume(table.play, "one"))
    assert refused(lambda: table.do("redo")) == "nothing_to_redo"


def test_the_scores_are_kept_over_a_new_boot() -> None:
    table = Table().do("go A B wait yes 6 next go B")
    table.take(play.resume(table.play, "two"))
    assert (table.play.scores, table.state.round.number, table.play.boot) == ((6, 0, -1), 2, "two")


def test_a_resumed_game_can_be_undone() -> None:
    table = Table().do("go A B wait yes")
    table.take(play.resume(table.play, "two"))
    assert table.do("undo").phase == "check"


def test_a_resumed_game_is_the_same_played_on_and_replayed() -> None:
    table = Table().do("go A")
    table.take(play.resume(table.play, "two")).do("go B C wait no next undo")
    assert play.replay(RULES, tuple(table.facts), "one") == table.play


# --- the journal -----------------------------------------------------------------------------------------------------

EVERY_KIND = (
    "+A +B -A +A +C +D -B +B tick A ~A+10 A B C D+0.05 wait last=all yes 6 I II undo undo redo III next "
    "go A B+0.05 wait close caller=nobody A wait close last=several last=B last=no last=no no I I next go scrap next "
    "go !C A B wait caller=A last=C no I I next go A B+0.05 C wait caller=B no I II next"
)


def everything() -> Table:
    """A game in which every event happens."""
    table = Table(4, mixed_deck=True).do(EVERY_KIND)
    table.take(play.fix(table.play, 0, 30)).take(play.resume(table.play, "two"))
    table.take(play.reseat(table.play, ("E", "B", "C", "D"))).take(play.late(table.play, Press(1, 77, 100)))
    table.deal(round=12).do("go C wait B A wait no II III next")
    return table.do("undo").do("end")


def through_json(fact: Fact) -> Fact:
    """A fact as a journal writes and reads it: step, stamp, event name, fields."""
    row: Any = json.loads(json.dumps([fact.step, fact.at_ns, type(fact.event).__name__, to_builtins(fact.event)]))
    kinds: dict[str, Any] = {kind.__name__: kind for kind in (*GENERIC, *RULES.events)}
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row[3].items()
    }
    if row[2] == "Started":
        values["options"] = RULES.options(**values["options"])
    return Fact(row[0], row[1], kinds[row[2]](**values))


def test_every_event_of_the_game_happens_in_the_long_test_game() -> None:
    assert {type(fact.event) for fact in everything().facts} == {*GENERIC, *RULES.events}


def test_every_event_reads_back_from_json_as_it_was() -> None:
    facts = everything().facts
    assert [through_json(fact) for fact in facts] == facts


def test_replaying_the_facts_gives_the_play() -> None:
    table = Table(4, mixed_deck=True).do(EVERY_KIND)
    facts = tuple(through_json(fact) for fact in table.facts)
    assert play.replay(RULES, facts, "one") == table.play


def test_no_two_events_have_the_same_name() -> None:
    names = [kind.__name__ for kind in (*GENERIC, *RULES.events)]
    assert len(set(names)) == len(names)


def test_a_play_is_never_changed_only_replaced() -> None:
    table = Table().do("go A B wait yes")
    before, copy = table.play, dataclasses.replace(table.play)
    table.do("6 next undo")
    assert before == copy


def test_correction_is_a_fact() -> None:
    assert play.fix(Table().play, 1, -2, 9) == (Fact(0, 9, Corrected(1, -2)),)


def test_end_is_a_fact() -> None:
    assert play.end(Table().play, 9) == (Fact(0, 9, Ended()),)


# --- helpers ---------------------------------------------------------------------------------------------------------


def state_after(words: str) -> Any:
    return Table().do(words).state


def last_round() -> Table:
    """The last round of a game that A leads."""
    table = Table().deal(cards=((7, 7), (4,), ()))
    return table.take([Fact(0, 0, RoundStarted(12, (0, 1, 2), extra=False))])


def flash_wait_ns(table: Table) -> int:
    assert table.play.due_ns is not None
    return table.play.due_ns - table.now_ns


def refused(attempt: Any) -> str:
    with pytest.raises(Refused) as refusal:
        attempt()
    return refusal.value.kind
