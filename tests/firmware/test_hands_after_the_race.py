"""Hands that do not stop when a race is over: slaps after the verdict, hands that stay down, grabs that were void."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware import sounds
from hardware.config import kit
from tests.simulators.rig import MS, Rig

FLIPPED = "ok 3440"  # 500 ms after the flip
PAIR = f"game[pack_and_stack 2] P1 {FLIPPED}"
TWO = f"{PAIR} P1"  # P1 has grabbed; P2 was the last, 50 ms later
TABLE = f"game[pack_and_stack 4] P1 {FLIPPED}"
FOUR = f"{TABLE} P1 P2 P3 20"  # P4 was the last, 650 ms after the flip
BUILDING = "game[kitty_paw 4] +P1,P2,P3,P4 3100 -P1,P2,P3,P4 2000"
DONE, VOID = "state.ask.done", "P1: VOID?"

FOUND = {
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
    "an offer that stays open takes a press made before another answered": (
        f"{FOUR} 2100 P4 late[P3 120]",
        DONE,
        (None, None, True, True),
    ),
    "an OK pressed before the question was open is no answer": (
        f"{FOUR} 2000 +ok P1 P2 P3 P4 -ok",
        "playing.entry.missing",
        (),
    ),
    "the question is still open": (f"{FOUR} 2000 +ok P1 P2 P3 P4 -ok", "board.phase", "empties"),
    "a hold that began before the question was open enters nothing": (f"{FOUR} 2000 +P1 100 ok 700", "entered", {}),
    "two who let go one after the other both answer": (
        f"{FOUR} 2000 +P1 50 +P2 50 -P1 50 -P2",
        DONE,
        (True, True, None, None),
    ),
    "an OK that went down before the flip ends no race": (
        "game[pack_and_stack 4] P1 ok 2540 +ok 500 -ok 50",
        "asks",
        "Grab",
    ),
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
    "a hold that began in the race goes on after the verdict": (
        f"game[pack_and_stack 3] P1 {FLIPPED} P1 +P1 100 +P2 3000",
        "asks",
        "Grab",
    ),
    "the table is asked who was last": (f"{TABLE} P1 100 ok", "asks", "WhoLast"),
    "a grab may be void before that": (f"{TABLE} P1 100 ok 100 P1! 2000", "asks", "Grab"),
    "Kitty Paw takes nothing back after the verdict": (
        "game[kitty_paw 2] +P1,P2 3100 -P1,P2 2000 P1 500 P2 200 P2! 2500",
        "board.phase",
        "check",
    ),
    "the control takes a grab back at any time": (f"{TWO} 1min menu[P1: Void grab]", "asks", "Grab"),
    # hands held as asked
    "a patient hand is named last": (
        "game[pack_and_stack 4 start=hands_on] P1 ok +P3 9s +P1,P2,P4 4000 -P1,P2,P4 500 P1 P2 P4 100",
        "board.highlight.last",
        (2,),
    ),
    "several are named one by one": (
        f"{TABLE} P1 100 ok turn-4 ok ok turn-1 ok*2",  # several of P2, P3, P4
        "board.highlight.last",
        (1, 3),
    ),
}


@pytest.mark.parametrize(("line", "what", "expected"), FOUND.values(), ids=FOUND)
def test_hands_after_the_race(rig: Rig, line: str, what: str, expected: object) -> None:
    assert rig.do(line).at(what) == expected


SHOWN = {
    "who has grabbed may say that it was void": (f"{TWO} 100 P1!", VOID),
    "nothing hides that a grab is about to be void": (f"{TWO} 100 P1! turn+1", VOID),
    "a hold begun over the evidence takes the grab back": (f"{TWO} 1700 turn+1 P1!", VOID),
    "so does one that somebody opens the evidence under": (f"{TWO} 1700 +P1 300 turn+1 400 -P1", VOID),
    "the display says how as long as it can be done": (f"{TWO} 5s", "own grab void? hold"),
    "a button that works again does not hide what to do": (
        "game[kitty_paw 4] +P1,P2,P3,P4 3100 -P1,P2,P4 11s -P3 100",
        "P3 works again | done? press",
    ),
    "several may be the last": (f"{TABLE} P1 100 ok turn-4 ok", "Last, too? | not last"),
}


@pytest.mark.parametrize(("line", "texts"), SHOWN.values(), ids=SHOWN)
def test_the_display_says(rig: Rig, line: str, texts: str) -> None:
    assert set(texts.split(" | ")) <= rig.do(line).pieces


HIDDEN = {
    "how, when it cannot be done any more": (f"{TWO} 11s", "own grab void? hold"),
    "that a hold is void where it is done packing": (f"{TWO} 3s P2 undo", "own grab void? hold"),  # P2 has answered
    "that hands are stuck which wait for the last one": ("game[kitty_paw 4] +P1,P2,P3 9s +P4 3100", "stuck"),
}


@pytest.mark.parametrize(("line", "text"), HIDDEN.values(), ids=HIDDEN)
def test_the_display_does_not_say(rig: Rig, line: str, text: str) -> None:
    assert text not in rig.do(line).reads()


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


def test_a_slap_that_means_nothing_still_clicks(rig: Rig) -> None:
    rig.do(f"{TWO} 100").tunes.clear()
    assert rig.do("P2 P1").tunes == [sounds.CLICK] * 2


def test_a_slap_spends_no_reward_card(rig: Rig) -> None:
    play = rig.do(f"game[pack_and_stack 2 reward_cards=True] P1 {FLIPPED}").playing.play
    object.__setattr__(play, "state", replace(play.state, held=((), ("replace_truck",)), rewards=()))
    assert rig.do("P1 200 P2").state.held == ((), ("replace_truck",))


@pytest.mark.parametrize(
    ("line", "seats"),
    [("P1 P2", [0, 1]), ("+P1,P2 -P1,P2 100 ok turn+1 ok P3", [2])],  # nobody called: play on
    ids=["a settled Meow", "a ruling that lets the race run on"],
)
def test_what_ends_no_race_swallows_no_answer(rig: Rig, line: str, seats: list[int]) -> None:
    run = rig.do(f"{BUILDING} {line}").board.race
    assert run is not None and [press.seat for press in run.presses] == seats


@pytest.mark.parametrize(("ago_ms", "answers"), [(201, False), (200, True)], ids=["before it was open", "since then"])
def test_a_press_answers_only_a_question_that_was_open_when_it_was_made(rig: Rig, ago_ms: int, answers: bool) -> None:
    before = rig.do("game[if_it_fits 3] P1 500 +P1 100 -P1 100").playing.play  # P1 starts and has laid a card
    rig.late(f"{before.players[rig.playing.question.seats[0]]} {ago_ms}")
    assert (rig.playing.play is not before) is answers


def test_it_is_heard_that_a_grab_is_void(rig: Rig) -> None:
    assert rig.do(f"{TWO} 100 P1!").tunes[-1] == sounds.VOID


def test_one_undo_restores_the_verdict(rig: Rig) -> None:
    before = rig.do(TWO).state
    assert rig.do("120 P2 P1! 2500 undo").state == before


def test_a_press_whose_end_was_never_heard_answers_nothing_later(rig: Rig) -> None:
    rig.do(f"{TWO} 2000 +P1 lost[P1] 100").app.report("button P1", None)
    assert rig.after(9000).at(DONE) == (None, None)


# --- what could not be seen ------------------------------------------------------------------------------------------


class Slow(Rig):
    """A table whose display takes its time: nothing is on the glass until it is told."""

    def stop(self) -> None:
        self.waiting: list[object] = []
        self.kit.display.show = lambda picture, on_shown=None: self.waiting.append(on_shown)  # type: ignore[method-assign]

    def shown(self) -> "Slow":
        on_shown = self.waiting.pop()
        assert callable(on_shown)
        on_shown(self.now_ns)
        self.app.step(self.now_ns)
        return self


@pytest.fixture
def unseen(tmp_path: Path) -> Slow:
    """Two have raced and packing may begin, for 2 s; nobody could see it yet."""
    rig = Slow(tmp_path)
    rig.do(PAIR)
    rig.stop()
    rig.do("P1 2000")
    return rig


def test_after_a_verdict_no_press_answers_before_the_question_could_be_seen(unseen: Slow) -> None:
    assert unseen.tap("P2").at(DONE) == (None, None)


def test_once_its_picture_is_on_the_glass_one_does(unseen: Slow) -> None:
    assert unseen.shown().tap("P2").at(DONE) == (None, True)


def test_one_made_before_that_and_delivered_after_it_does_not(unseen: Slow) -> None:
    unseen.after(100)
    assert unseen.shown().late("P2 100").at(DONE) == (None, None)


def test_without_a_display_the_commit_is_enough(unseen: Slow) -> None:
    unseen.app.report("display", "display lost: nothing answers")
    assert unseen.do("10 P2").at(DONE) == (None, True)


def test_a_display_that_was_lost_before_the_race_is_not_waited_for(tmp_path: Path) -> None:
    rig = Slow(tmp_path)
    rig.do(PAIR)
    rig.stop()
    rig.app.report("display", "display lost: nothing answers")
    assert rig.do("P1 2000 P2").at(DONE) == (None, True)


def test_ok_does_only_once_it_is_seen(unseen: Slow) -> None:
    phases = [unseen.ok().board.phase, unseen.shown().do("10 ok").board.phase]
    assert phases == ["packing", "empties"]


def test_so_does_an_arrow(tmp_path: Path) -> None:
    rig = Slow(tmp_path, kit("duo"))
    rig.do("game[kitty_paw 2] +P1,P2 3100 -P1,P2 2000")
    rig.stop()
    phases = [rig.do(line).board.phase for line in ("P1 100 P2 300", "turn+1")]
    assert (*phases, rig.shown().do("10 turn+1").board.phase) == ("check", "check", "points")
