"""Hands that do not stop when a race is over: slaps after the verdict, hands that stay down, grabs that were void."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.output import sounds
from hardware.config import kit
from tests.firmware.outcomes import outcomes
from tests.simulators.rig import MS, Rig

FLIPPED = "ok 3440"  # 500 ms after the flip
DEALT = "game[pack_and_stack 4] P1"
PAIR = f"game[pack_and_stack 2] P1 {FLIPPED}"
TWO = f"{PAIR} P1"  # P1 has grabbed; P2 was the last, 50 ms later
THREE = f"game[pack_and_stack 3] P1 {FLIPPED}"
TABLE = f"{DEALT} {FLIPPED}"
FOUR = f"{TABLE} P1 P2 P3 20"  # P4 was the last, 650 ms after the flip
EARLY_OK = f"{FOUR} 2000 +ok P1 P2 P3 P4 -ok"
SEVERAL = f"{TABLE} P1 100 ok turn-4 ok"
PATIENT = "game[pack_and_stack 4 start=hands_on] P1 ok +P3 9s +P1,P2,P4 4000 -P1,P2,P4 500 P1 P2 P4 100"
CALLING = "game[kitty_paw 2] +P1,P2 3100 -P1,P2 2000"
RESTING = "game[kitty_paw 4] +P1,P2,P3,P4 3100 -P1,P2,P4"  # the hand of P3 stays
BUILDING = "game[kitty_paw 4] +P1,P2,P3,P4 3100 -P1,P2,P3,P4 2000"
NOBODY = "+P1,P2 -P1,P2 100 ok turn+1 ok"  # a dead heat; nobody called: play on
QUIZ, FIRST = "sheet[Quiz buzzer 3] 2000 P1 60", "board.race.in_front"
DONE, VOID = "state.ask.done", "P1: CANCEL?"


EVENINGS: dict[str, tuple[object, ...]] = {
    "who has grabbed may say that it was void": (f"{TWO} 100 P1!", VOID),
    "nothing hides that a grab is about to be void": (f"{TWO} 100 P1! turn+1", VOID),
    "a hold begun over the evidence takes the grab back": (f"{TWO} 1700 turn+1 P1!", VOID),
    "so does one that somebody opens the evidence under": (f"{TWO} 1700 +P1 300 turn+1 400 -P1", VOID),
    "the display says how as long as it can be done": (f"{TWO} 5s", "P1 hold: wrong truck"),
    "and for whom: who was last without a press has none": (f"{FOUR} 2000", "P1 P2 P3: hold if wrong"),
    "all may where all have pressed": (f"{TABLE} P1 P2 +P3 10 +P4 100 -P3,P4 2000", "hold: wrong truck"),
    "a button that works again does not hide what to do": (f"{RESTING} 11s -P3 100", "P3 works again | done? press"),
    "several may be the last": (SEVERAL, "Last, too? | not last"),
    # slaps after the verdict
    **{
        f"a slap {ms} ms after the verdict is no answer": (f"{TWO} {ms} P2", DONE, (None, None))
        for ms in (1, 700, 1380)
    },
    "later a press is one": (f"{TWO} 1500 P2", DONE, (None, True)),
    "a slap of who has pressed is nothing": (f"{TWO} 100 P1*3", "playing.play.late", ()),
    "it is no answer either": (f"{TWO} 100 P1*3", DONE, (None, None)),
    "slaps of everybody do not end the packing": (f"{TWO} {'P2 P1 ' * 4}", DONE, (None, None)),
    # what was not open
    "a press made before another answered counts": (f"{FOUR} 2100 P4 late[P3 120]", DONE, (None, None, True, True)),
    "an OK pressed before the question was open is no answer": (EARLY_OK, "playing.entry.missing", ()),
    "the question is still open": (EARLY_OK, "board.phase", "empties"),
    "a hold that began before the question was open enters nothing": (f"{FOUR} 2000 +P1 100 ok 700", "entered", {}),
    "two who let go in turn both answer": (f"{FOUR} 2000 +P1 50 +P2 50 -P1 50 -P2", DONE, (True, True, None, None)),
    "an OK that went down before the flip ends no race": (f"{DEALT} ok 2540 +ok 500 -ok 50", "asks", "Grab"),
    # a race that people have opened
    "soon after a verdict presses count for it": (f"{QUIZ} turn+1 200 ok 500 P3 P2 100", FIRST, (2,)),
    "none that was made before": (f"{QUIZ} turn+1 2000 ok late[P2 100] P3 100", FIRST, (2,)),
    # a grab that was void
    "two seconds after it was called void the race is open again": (f"{TWO} 100 P1! 2000", "asks", "Grab"),
    "not sooner": (f"{TWO} 100 P1! 1800", "asks", "Packing"),
    "who slapped meanwhile was first": (f"{TWO} 120 P2 P1! 2000", "board.race.gaps", ((1, 740 * MS),)),
    "and who had grabbed is the last": (f"{TWO} 120 P2 P1! 2000", "board.race.last", (0,)),
    "the other may slap while it is announced": (f"{TWO} 100 P1! P2 2000", "board.highlight.last", (0,)),
    "a hand that rests after its slap takes nothing back": (f"{PAIR} +P1 4000", "asks", "Packing"),
    "a hold that began within ten seconds counts": (f"{TWO} 9700 P1! 2000", "asks", "Grab"),
    "a later one is done packing": (f"{TWO} 10s P1! 2000", DONE, (True, None)),
    "a short press meanwhile is done packing": (f"{TWO} 3s P1", DONE, (True, None)),
    "once somebody has answered a hold takes nothing back": (f"{TWO} 3s P2 P1! 2000", "board.phase", "empties"),
    "who was last has nothing to take back": (f"{TWO} 3s P2! 2000", DONE, (None, True)),
    "the player may think better of it": (f"{TWO} 100 P1! P1 2000", DONE, (None, None)),
    "OK says that it counts": (f"{TWO} 100 P1! ok 2000", DONE, (None, None)),
    "a long OK says so too": (f"{TWO} 100 P1! ok! 2000", DONE, (None, None)),
    "and opens nothing": (f"{TWO} 100 P1! ok! 2000", "top", "Playing"),
    "a hold that began in the race goes on after it": (f"{THREE} P1 +P1 100 +P2 3000", "asks", "Grab"),
    "the table is asked who was last": (f"{TABLE} P1 100 ok", "asks", "WhoLast"),
    "a grab may be void before that": (f"{TABLE} P1 100 ok 100 P1! 2000", "asks", "Grab"),
    "Kitty Paw takes nothing back after the verdict": (f"{CALLING} P1 500 P2 200 P2! 2500", "board.phase", "check"),
    "the control takes a grab back at any time": (f"{TWO} 1min menu[P1: Wrong grab]", "asks", "Grab"),
    # hands held as asked
    "a patient hand is named last": (PATIENT, "board.highlight.last", (2,)),
    "of P2, P3 and P4 several are named one by one": (f"{SEVERAL} ok turn-1 ok*2", "board.highlight.last", (1, 3)),
    "how, when it cannot be done any more": (f"{TWO} 11s", "hides", "wrong"),
    "that a hold is void where it is done packing": (
        f"{TWO} 3s P2 undo",
        "hides",
        "wrong",
    ),  # P2 has answered
    "that hands are stuck which wait for the last one": ("game[kitty_paw 4] +P1,P2,P3 9s +P4 3100", "hides", "stuck"),
    "a slap that means nothing still clicks": (f"{TWO} 100 P2", "tunes.-1", sounds.CLICK),
    "also of who has pressed": (f"{TWO} 100 P1", "tunes.-1", sounds.CLICK),
    "it is heard that a grab is void": (f"{TWO} 100 P1!", "tunes.-1", sounds.VOID),
    "one undo restores the verdict": (TWO, "same", "120 P2 P1! 2500 undo"),
    "a settled Meow swallows no answer": (f"{BUILDING} P1 P2", "board.race.presses.1.seat", 1),
    "nor does a ruling that lets the race run on": (f"{BUILDING} {NOBODY} P3", "board.race.presses.0.seat", 2),
}

test_hands_after_the_race = outcomes(EVENINGS)


def test_a_hand_that_stays_is_stuck_ten_seconds_after_the_flash(rig: Rig) -> None:
    rig.do("game[kitty_paw 4] +P1,P2,P3,P4")
    while rig.board.phase != "build":
        rig.after(10)
    seen = [rig.do("-P1,P2,P4 9900").reads(), rig.after(200).reads()]
    assert ["P3 is stuck" in text for text in seen] == [False, True]


def test_the_first_slap_of_who_was_last_is_evidence_at_its_own_stamp(rig: Rig) -> None:
    run = rig.do(f"{TWO} 100 P2 500 P2").board.race
    assert run is not None and run.since_ns is not None
    assert [(press.seat, press.at_ns - run.since_ns) for press in rig.playing.play.late] == [(1, 720 * MS)]


def test_a_slap_spends_no_reward_card(rig: Rig) -> None:
    play = rig.do(f"game[pack_and_stack 2 reward_cards=True] P1 {FLIPPED}").playing.play
    object.__setattr__(play, "state", replace(play.state, held=((), ("replace_truck",)), rewards=()))
    assert rig.do("P1 200 P2").state.held == ((), ("replace_truck",))


@pytest.mark.parametrize(("ago_ms", "answers"), [(201, False), (200, True)], ids=["before it was open", "since then"])
def test_a_press_answers_only_a_question_that_was_open_when_it_was_made(rig: Rig, ago_ms: int, answers: bool) -> None:
    before = rig.do("game[if_it_fits 3] P1 500 +P1 100 -P1 100").playing.play  # P1 starts and has laid a card
    rig.late(f"{before.players[rig.playing.question.seats[0]]} {ago_ms}")
    assert (rig.playing.play is not before) is answers


def test_a_press_whose_end_was_never_heard_answers_nothing_later(rig: Rig) -> None:
    rig.do(f"{TWO} 2000 +P1 lost[P1] 100").app.report("button P1", None)
    assert rig.after(9000).at(DONE) == (None, None)


class Slow(Rig):
    """A table whose display takes its time: from `stop` on a picture is on the display once it is `shown`."""

    def stop(self) -> None:
        self.waiting: list[object] = []
        self.kit.display.show = lambda picture, on_shown=None: self.waiting.append(on_shown)  # type: ignore[method-assign]

    def shown(self) -> None:
        on_shown = self.waiting.pop()
        assert callable(on_shown)
        on_shown(self.now_ns)
        self.app.step(self.now_ns)

    def dark(self) -> None:
        self.app.report("display", "display lost: nothing answers")


UNSEEN = f"{PAIR} stop P1 2000"  # packing may begin, for 2 s; nobody could see it yet
CHECK = f"{CALLING} stop P1 100 P2 300"  # asked for the pattern, unseen

SLOW = {
    "after a verdict no press answers before the question could be seen": (f"{UNSEEN} P2", DONE, (None, None)),
    "once its picture is on the display one does": (f"{UNSEEN} shown P2", DONE, (None, True)),
    "one made before that and delivered after it does not": (f"{UNSEEN} 100 shown late[P2 100]", DONE, (None, None)),
    "without a display the commit is enough": (f"{UNSEEN} dark 10 P2", DONE, (None, True)),
    "a display that was lost before the race is not waited for": (f"{PAIR} stop dark P1 2000 P2", DONE, (None, True)),
    "OK answers nothing before it is seen": (f"{UNSEEN} ok", "board.phase", "packing"),
    "OK answers once it is seen": (f"{UNSEEN} ok shown 10 ok", "board.phase", "empties"),
    "an arrow answers nothing before it is seen": (f"{CHECK} turn+1", "board.phase", "check"),
    "an arrow answers once it is seen": (f"{CHECK} turn+1 shown 10 turn+1", "board.phase", "points"),
}


@pytest.mark.parametrize(("line", "what", "expected"), SLOW.values(), ids=SLOW)
def test_nothing_answers_what_could_not_be_seen(tmp_path: Path, line: str, what: str, expected: object) -> None:
    assert Slow(tmp_path, kit("duo")).do(line).at(what) == expected
