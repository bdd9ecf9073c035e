"""A game as it is played: steps, undo and redo, fixed points, an early end, a new run; all on the real Kitty Paw."""

import dataclasses
import json
from typing import Any

import pytest
from msgspec import to_builtins

from engine import play
from engine.game import Amended, Corrected, known, of_kind
from engine.games.kitty_paw import RULES, Build, Options
from engine.play import GENERIC, Ended, Fact, Started
from engine.rules import Press, Refused
from tests.engine.paw_table import MS, SECOND, Table
from tests.engine.table import rows


def test_the_first_fact_names_players_options_and_seed() -> None:
    assert play.start(RULES, ("A", "B"), Options(), 7, 5) == Fact(0, 5, Started(("A", "B"), Options(), 7))


TABLES = [
    ("too few", "A", "1 players: Kitty Paw is for 2 to 4"),
    ("too many", "ABCDE", "5 players: Kitty Paw is for 2 to 4"),
    ("same name", "ABA", "two players have the same name: A, B, A"),
]


@pytest.mark.parametrize(("players", "text"), rows(TABLES))
def test_a_wrong_table_is_refused(players: str, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        play.start(RULES, tuple(players), Options(), 7)
    assert (refusal.value.kind, str(refusal.value)) == ("bad_setup", text)


LAST = "3 round=12 cards=7,7/4/: go A B wait yes 6"  # A leads


POSITIONS = [
    ("redo brings back the end", f"{LAST} next undo redo", "over yes; ended no"),
    ("redo brings back an end by hand", "go A B wait end undo redo", "ended yes"),
    ("fixed points count in the score", "go A B wait yes 6 fix=C4", "scores 6,0,3"),
    ("fixed points are a step of their own", "go A B wait yes 6 fix=C4", "step 5"),
    ("an undone step is none", "go A B wait yes 6 fix=C4 undo", "step 4"),
    ("redo brings back fixed points", "fix=C-4 undo redo", "scores 0,0,-4"),
    ("points can be fixed after the end", f"{LAST} next fix=B50", "winners B"),
    ("points fixed in mid-race leave it running", "go A tick fix=A5", "ask Build; caller A; ?meow BC; scores 5,0,0"),
    ("it goes on to its verdict", "go A fix=B5 B wait", "last C; scores 0,5,-1"),
    ("ended by hand: scores, and no winner", "go A B wait yes 6 end", "over yes; ended yes; scores 6,0,-1; winners -"),
    ("no winner before the end", "go A B wait yes 6", "winners -"),
    *[
        (f"a new run begins a race again: {words}, {run}", f"{words} {run}", "ask Hands; down ?,?,?")
        for run in ("rerun", "resume")
        for words in ("go", "go A", "go A tick", "go A B", "+A +B +C")
    ],
    ("also where the clock answers nothing", "4: go A tick B rerun", "ask Hands; down ?,?,?,?"),
    ("undo never stops in a race of the old run", "go A B wait rerun undo", "ask Hands; down ?,?,?"),
    ("scores are kept", "go A B wait yes 6 next go B resume", "scores 6,0,-1; round 2"),
    ("a resumed game can be undone", "go A B wait yes resume undo", "phase check"),
    ("all that is due is answered first", "2: go A yes", "caller A; last B; phase points"),  # 1 s after the Meow
    ("a press delivered late in time", "go A B-40 tick", "caller B"),
    # --- the same as ---
    ("undo takes back one answer of the table", "go A B wait yes 6 undo", "= go A B wait yes"),
    ("undo of hands and flash is one step", "go undo", "= 3:"),
    ("undo while hands go down takes back all hands", "+A +B undo", "= 3:"),
    ("undo before the flash takes back all hands", "+A +B +C undo", "= 3:"),
    *[
        (f"undo goes to the running round: {name}", f"go {words} undo", "= go")
        for name, words in (
            ("the Meow", "A"),
            ("two Meows", "A B+10"),
            ("the caller named", "A tick"),
            ("an answer", "A B"),
            ("an answer taken back", "A B ~B+10"),
            ("the last named", "A B wait"),
            ("answers closed", "A close"),
            ("the Meow taken back", "A tick ~A+10 B"),
            ("an end in mid-race", "A end"),
            ("twice over a ruling", "A B C+0.05 wait last=B undo"),
        )
    ],
    *[
        (f"undo of a race leaves the points fixed in it: {name}", f"{words} undo", f"= {before}")
        for name, words, before in (
            ("while it runs", "go A fix=B5 B", "go fix=B5"),
            ("with its verdict", "go A fix=B5 B wait", "go fix=B5"),
            ("fixed before the answers", "go A fix=B5 B fix=C2 wait", "go fix=B5 fix=C2"),
            ("before the flash", "+A fix=B5 +B", "fix=B5"),
            ("of those points next", "go A fix=B5 B wait undo", "go"),
            ("then of hands and flash", "go A fix=B5 B wait undo undo", "3:"),
            ("fixed in mid-race, then undone", "go A fix=B5 B wait undo redo undo", "go"),
        )
    ],
    ("undo of a ruling goes back to the question", "go A B C+0.05 wait last=B undo", "= go A B C+0.05 wait"),
    ("undo of play on asks again who called", "go A B+0.05 wait caller=nobody undo", "= go A B+0.05 wait"),
    ("undo reaches back over rounds", "go A B wait yes 6 next" + " undo" * 5, "= 3:"),
    ("undo works after the end", f"{LAST} next undo", f"= {LAST}"),
    ("undo works after an end by hand", "go A B wait end undo", "= go A B wait"),
    ("undo of fixed points", "go A B wait yes 6 fix=C4 undo", "= go A B wait yes 6"),
    ("redo brings back the step undone last", "go A B wait yes 6 undo redo", "= go A B wait yes 6"),
    ("redo brings back a race with its verdict", "go A B wait undo redo", "= go A B wait"),
    ("redo brings back many", "go A B wait yes 6 next undo undo undo redo redo redo", "= go A B wait yes 6 next"),
    ("redo brings back points fixed in a race", "go A fix=B5 B wait undo redo", "= go A fix=B5 B wait"),
    ("what was redone can be undone again", "go A B wait yes 6 undo redo undo", "= go A B wait yes"),
    ("a step under one that left nothing", "go A B wait no next +A -A undo redo", "= go A B wait no next"),
    *[
        (f"a question that hangs on no time: {run}, {words}", f"{words} {run}+0", f"= {words}")
        for words in ("3:", "go A B wait", "go A B C+0.05 wait", "go A B wait yes", "go A B wait yes 6")
        for run in ("rerun", "resume")
    ],
    *[
        (f"points fixed in what begins again stay: {words}, {run}", f"{words} {run}+0", f"= {after}")
        for run in ("rerun", "resume")
        for words, after in (
            ("+A +B fix=C3 +C", "+A +B fix=C3"),
            ("go A fix=C3", "fix=C3"),
            ("go A fix=C3 B fix=A1", "fix=C3 fix=A1"),
            ("go A B fix=C3 wait", "go A B fix=C3 wait"),
        )
    ],
    # --- refused ---
    ("a new game has nothing to undo", "undo", "! nothing_to_undo"),
    ("a new game has nothing to redo", "redo", "! nothing_to_redo"),
    ("a hand lifted again leaves nothing to undo", "+A -A undo", "! nothing_to_undo"),
    ("two hands lifted again", "+A +B -B -A undo", "! nothing_to_undo"),
    ("a new answer ends redo", "go A B wait yes 6 undo 7 redo", "! nothing_to_redo"),
    ("fixed points end redo", "go A B wait yes 6 undo fix=A1 redo", "! nothing_to_redo"),
    ("resuming ends redo", "go A B wait yes 6 undo rerun redo", "! nothing_to_redo"),
    *[
        (f"a step in the air is not kept: {words}", f"{words} undo redo", "! nothing_to_redo")
        for words in ("+A", "+A +B +C", "go A", "go A B")
    ],
    ("a press stamped before the verdict but delivered after it", "go A B wait C-49", "! not_offered"),
    ("a game ended by hand takes no answer", "end +A", "! not_offered"),
    ("a game can be ended only once", "end end", "! not_offered"),
]


@pytest.mark.parametrize(("position", "expected"), rows(POSITIONS))
def test_position(position: str, expected: str) -> None:
    assert Table.found(position, expected) == expected


def test_undo_is_a_fact_with_the_step_it_takes_back() -> None:
    assert play.undo(Table.at("go A B wait yes").play, 9) == (Fact(2, 9, play.Undone()),)


def test_an_undone_step_gives_its_number_to_the_next() -> None:
    assert [fact.step for fact in Table.at("go A B wait yes undo no").facts[-3:]] == [2, 2, 2]


def test_a_refused_answer_does_not_end_redo() -> None:
    table = Table.at("go A B wait yes 6 undo")
    refused(lambda: table.do("yes"))
    assert table.do("redo").state == Table.at("go A B wait yes 6").state


@pytest.mark.parametrize("words", ["go A ~A+10", "go A B+10 ~B+10 ~A+10", "go A B wait no next +A -A"])
def test_undo_passes_over_what_left_nothing(words: str) -> None:
    assert Table.at(f"{words} undo").state != Table.at(words).state


def test_what_left_nothing_comes_back_with_the_step_under_it() -> None:
    words = "go A B wait no next +A -A go"
    assert Table.at(f"{words} undo undo redo redo").play == Table.at(words).play


def test_an_older_journal_that_undid_or_brought_back_what_left_nothing_still_means_the_same() -> None:
    table = Table.at("go A ~A+10")
    before, step = table.state, table.play.step
    assert table.take([Fact(step - 1, 9, play.Undone())]).state == before
    table.take([Fact(step - 1, 9, play.Redone())])
    assert (table.play.step, table.play.future) == (step, None)


@pytest.mark.parametrize("uptime_s", [5, 10**6])
def test_a_race_that_is_opened_again_after_a_power_cut_runs_on_the_new_clock(uptime_s: int) -> None:
    table = Table.at("go A B+0.05 wait")
    table.now_ns = uptime_s * SECOND
    assert table.do("resume caller=nobody C A wait").says("caller C; last B") == "caller C; last B"


def test_an_older_journal_that_was_picked_up_still_means_the_same() -> None:
    facts = Table.at("4: go A fix=B5 B").facts
    assert play.replay(RULES, (*facts, Fact(3, 9, play.Resumed("two"))), "one").state == Table(4).state


@pytest.mark.parametrize(("words", "then"), [("go", "go"), ("4: go A tick B", "4: go A tick B"), ("go A", "go")])
def test_an_older_journal_whose_race_ran_on_in_the_same_boot_still_means_the_same(words: str, then: str) -> None:
    table = Table.at(words)
    now_ns = table.now_ns
    assert table.take([Fact(table.play.step, now_ns, play.Resumed("one", now_ns))]).state == Table.at(then).state


def test_an_older_journal_that_undid_points_fixed_in_a_race_still_means_the_same() -> None:
    facts = Table.at("go A fix=B5 B").facts
    assert play.replay(RULES, (*facts, Fact(4, 9, play.Undone())), "one").state == Table.at("go").state


def test_a_new_run_names_its_boot() -> None:
    assert Table.at("resume").play.boot == "two"


def test_a_resumed_game_is_the_same_played_on_and_replayed() -> None:
    table = Table.at("go A resume go B C wait no next undo")
    assert play.replay(RULES, tuple(table.facts), "one") == table.play


def test_the_flash_comes_after_1_to_3_s() -> None:
    waits = {flash_wait_ns(Table(seed=seed).do("+A +B +C")) for seed in range(200)}
    assert all(SECOND <= wait <= 3 * SECOND for wait in waits) and len(waits) == 200


WAITS = [
    ("the same after undo", "tick undo +C +A +B", True),
    ("another after a false start", "-A+1 +A", False),
    ("another in another round", "tick A B wait no next +A +B +C", False),
]


@pytest.mark.parametrize(("words", "same"), rows(WAITS))
def test_the_flash_comes_after_a_time_of_its_own(words: str, same: bool) -> None:
    table = Table(seed=5).do("+A +B +C")
    wait = flash_wait_ns(table)
    assert (flash_wait_ns(table.do(words)) == wait) is same


def test_a_due_offer_is_refused_before_its_time() -> None:
    table = Table().do("go A")
    due_ns = known(table.play.due_ns)
    assert refused(lambda: table.act(None, "settle", at_ns=due_ns - 1)) == "not_offered"


@pytest.mark.parametrize("late_ns", [0, 1, SECOND], ids=["at due", "1 ns after", "1 s after"])
def test_a_press_stamped_at_or_after_due_first_settles(late_ns: int) -> None:
    table = Table().do("go A")
    due_ns = known(table.play.due_ns)
    table.act(1, "meow", at_ns=due_ns + late_ns)
    assert [(type(fact.event).__name__, fact.at_ns) for fact in table.facts[-2:]] == [
        ("Called", due_ns),
        ("Pressed", due_ns + late_ns),
    ]


def test_a_press_stamped_before_due_does_not_settle() -> None:
    table = Table().do("go A")
    due_ns = known(table.play.due_ns)
    table.act(1, "meow", at_ns=due_ns - 1)
    assert [type(fact.event).__name__ for fact in table.facts[-2:]] == ["Pressed", "Pressed"]


def test_the_go_keeps_the_stamp_of_the_signal() -> None:
    table = Table().do("+A +B +C")
    due_ns = known(table.play.due_ns)
    table.act(None, "go", at_ns=due_ns + 3 * MS)
    assert table.state.ask == Build(of_kind(Build, table.state.ask).race, due_ns + 3 * MS)


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


FIXES: list[tuple[str, Any, Any, str]] = [
    ("no such seat", 3, 1, "correct seat 3: must be a seat from 0 to 2"),
    ("below seat 0", -1, 1, "correct seat -1: must be a seat from 0 to 2"),
    ("true for a seat", True, 1, "correct seat True: must be a seat from 0 to 2"),
    ("nothing", 0, 0, "correct points 0: must be a whole number from -1000 to 1000, not 0"),
    ("too many", 0, 1001, "correct points 1001: must be a whole number from -1000 to 1000, not 0"),
    ("too few", 0, -1001, "correct points -1001: must be a whole number from -1000 to 1000, not 0"),
    ("a fraction", 0, 1.5, "correct points 1.5: must be a whole number from -1000 to 1000, not 0"),
]


@pytest.mark.parametrize(("seat", "points", "text"), rows(FIXES))
def test_a_wrong_fix_is_refused(seat: Any, points: Any, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        play.fix(Table().play, seat, points)
    assert (refusal.value.kind, str(refusal.value)) == ("bad_value", text)


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
    of_sheets = {Amended}
    assert {type(fact.event) for fact in everything().facts} == {*GENERIC, *RULES.events} - of_sheets


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


def test_correction_and_end_are_facts() -> None:
    assert play.fix(Table().play, 1, -2, 9) == (Fact(0, 9, Corrected(1, -2)),)
    assert play.end(Table().play, 9) == (Fact(0, 9, Ended()),)


def flash_wait_ns(table: Table) -> int:
    return known(table.play.due_ns) - table.now_ns


def refused(attempt: Any) -> str:
    with pytest.raises(Refused) as refusal:
        attempt()
    return refusal.value.kind
