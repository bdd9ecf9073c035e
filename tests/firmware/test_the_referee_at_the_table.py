"""The referee: buttons that fail, presses that come late, the stamps on the display."""

from tests.firmware.outcomes import outcomes
from tests.simulators.rig import MS, Rig

HANDS = "game[kitty_paw 4] +P1,P2,P3,P4 3100"
BUILDING = f"{HANDS} -P1,P2,P3,P4 2000"  # the stopwatch runs
STUCK = f"{HANDS} -P1,P2,P4"  # the hand of P3 stays
LOST = f"{BUILDING} P1 300 P2 100 lost[P3] P4 300"
FLIPPED = "game[pack_and_stack 4] P1 ok 4000"  # the trucks are up
RACED = "P1 300 P2 300 +P3 80"  # P4 is last: the verdict has been told
JUDGED = "P1 300 P2 300 P3 2000"  # and looked at
SLAPPED = f"{BUILDING} P1 300 P2 300 P3 200 P4"
WITHOUT = f"{BUILDING} lost[P3]"
BEFORE = "game[kitty_paw 4] lost[P3] +P1,P2,P4"
LATE = f"{BUILDING} {RACED} late[P4 90]"
TOGETHER = f"{BUILDING} P1 300 P2 300 +P3 stall[200]"

EVENINGS = {
    "the picture says whose button it was": (f"{LOST} 6s", "P3 no button"),
    "OK says whose button cannot tell of a Meow": (f"{BUILDING} lost[P3] 6s", "OK: P3"),
    "such a Meow is called by OK": (f"{BUILDING} lost[P3] ok", "Who said Meow?"),
    "a press delivered after the verdict is announced": (LATE, "P4 came in too late to | count: see the evidence"),
    # a button that fails in mid-race
    "a seat whose button is lost is not named last": (LOST, "board.highlight.tie", (2, 3)),
    "the table rules for that seat": (f"{LOST} ok", "scores", (0, 0, -1, 0)),
    "OK calls nobody where it was not asked for": (f"{STUCK} 11s ok", "board.race.phase", "running"),
    "a button that is stuck before the race is judged is in play": (f"{STUCK} 11s ok", "board.race.benched", ()),
    "with a lost button nobody is named first": (f"{WITHOUT} P1 300 P2 300 P4 300", "board.highlight.tie", (0, 2)),
    "a button that was lost before the race is benched in it": (f"{BEFORE} ok 3100", "board.race.benched", (2,)),
    "a press before the failure counts": (f"{BUILDING} P1 300 P3 100 lost[P3] P2 300", "board.highlight.last", (3,)),
    "undo of the verdict leaves the seat benched": (f"{LOST} undo", "board.race.benched", (2,)),
    "a stuck button that comes free in time counts": (f"{BUILDING} +P3 11s -P3 100", "board.race.benched", ()),
    "a button stuck at the verdict is for the table": (f"{STUCK} 8s P1 300 P2 300 P4 300", "board.race.benched", (2,)),
    # presses that come late
    "a press delivered in settling time counts": (f"{BUILDING} +P1 30 late[P2 40] 100", "board.highlight.first", (1,)),
    "a press delivered after the verdict is kept as evidence": (LATE, "playing.play.late.0.seat", 3),
    "so is one that is seen with the verdict": (f"{TOGETHER} late[P4 100]", "playing.play.late.0.seat", 3),
    "a late press answers no later question": (f"{FLIPPED} {RACED} late[P4 90] 100", "state.ask.done", (None,) * 4),
    "the slap of who was last already is kept as evidence too": (SLAPPED, "playing.play.late.0.seat", 3),
    "redo of a verdict brings its late presses back": (f"{SLAPPED} ok! ok turn+1", "playing.play.late.0.seat", 3),
    "late presses of an earlier boot stay with their race": (f"{SLAPPED} reboot ok", "playing.play.late.0.seat", 3),
    "a race that is run again after undo has no late presses": (f"{SLAPPED} ok! ok", "playing.play.late", ()),
    # one press shows the stamps
    "a press after the verdict shows the evidence": (f"{BUILDING} {JUDGED} P4", "top", "Stamps"),
    "another press leads back": (f"{BUILDING} {JUDGED} P4 P1", "top", "Playing"),
    "OK leads back": (f"{BUILDING} {JUDGED} P4 ok", "top", "Playing"),
    "a slap right after the verdict shows nothing": (f"{BUILDING} P1 300 P2 300 P3 200 P1", "top", "Playing"),
    "an arrow shows the evidence where the buttons mean something": (f"{FLIPPED} {JUDGED} turn+1", "top", "Stamps"),
    "a press that answers something still answers": (f"{FLIPPED} {JUDGED} turn+1 P1", "state.ask.done.0", True),
    "the kit knows who stamped each press": (f"{BUILDING} {JUDGED}", "app.table.sources.P1", "virtual"),
    "it changes nothing in the game": (f"{BUILDING} {RACED}", "same", "late[P4 90] 100"),
}

test_the_referee = outcomes(EVENINGS)


def test_undo_of_such_a_call_goes_back_to_the_running_round(rig: Rig) -> None:
    go_ns = rig.do(BUILDING).state.ask.go_ns
    rig.do("lost[P3] ok undo")
    assert (rig.board.phase, rig.state.ask.go_ns) == ("build", go_ns)


def test_undo_of_a_verdict_can_be_taken_back_though_a_button_has_failed_since(rig: Rig) -> None:
    undone = rig.do(f"{BUILDING} P1 300 P2 300 P4 300 lost[P3] ok! ok").board.phase
    assert (undone, rig.do("turn+1").board.phase) == ("build", "check")


def test_a_press_after_the_signal_was_due_does_not_give_the_signal(rig: Rig) -> None:
    go_ns = rig.do("game[pack_and_stack 4] P1 ok 2500 stall[1000]").now_ns
    run = rig.do("late[P2 100]").board.race
    assert run is not None and (run.since_ns, run.jumped) == (go_ns, (1,))


def test_late_presses_survive_a_replay(rig: Rig) -> None:
    late = rig.do(f"{BUILDING} {RACED} late[P4 90]").playing.play.late
    assert rig.restart().at("app.table.unfinished.play.late") == late


def test_a_long_ok_is_a_long_one_though_the_kit_hears_of_both_ends_at_once(rig: Rig) -> None:
    at_ns = rig.do(BUILDING).now_ns
    rig.do("stall[1000]")
    for down, after_ms in ((True, 0), (False, 900)):
        rig.control.push(down=down, at_ns=at_ns + after_ms * MS)
    assert rig.after(100).top == "Back"
