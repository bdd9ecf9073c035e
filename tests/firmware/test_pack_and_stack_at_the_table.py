"""Pack & Stack as it is played, in both modes of counting."""

from firmware.output import sounds
from tests.firmware.outcomes import outcomes
from tests.simulators.rig import Rig

DEALT = "game[pack_and_stack 4] P1"  # the youngest is named; trucks may be dealt
RACE = "ok 3300 P2 100 P4 100 P1 1700"  # P3 is last; a slap that comes right after the verdict means nothing
RACED = f"{DEALT} {RACE}"
CHECKED = "game[pack_and_stack 4 counting=checked] P1"
DICE = "game[pack_and_stack 4 device_dice=True] P1"
KINDS = "P1=3 P2=1 P3=2 P4=4 ok P1=2 P2! P3=1 P4=1 ok P1=3 P2! P3! P4! ok P1! P2! P3! P4! ok P1=1 P2! P3! P4! ok"
LEFT = "ok P1=3 P2=3 P3=3 P4=3 ok P1=9 P2=9 P3=9 P4=9 ok*10"
COUNTED = f"{RACED} menu[Grabbed] turn+2 ok ok P1 P2 P3 P4 ok*2"  # two cards were grabbed from the pile
HALF = f"{RACE} ok P1! P2=5 P3=5 P4=5 ok*3"
REST = f"{RACE} ok P1=60 P2=1 P3=1 P4=1 ok*3"
HANDS_ON = "game[pack_and_stack 4 start=hands_on]"
PRESSES = "board.race.presses"
TAKEN_BACK = f"{DEALT} ok 3300 P2 100 P4 100 menu"

EVENINGS = {
    "the youngest says so by a press": ("game[pack_and_stack 4]", "Who is the youngest?"),
    "the deal says how many trucks each": (DEALT, "DEAL 2"),
    "a press before the flip is called too early": (f"{DEALT} ok 1500 P2", "P2 too early"),
    "the last draws the top card, which is gone from the pile": (RACED, "P3: draw the top card | pile 27"),
    "a dead heat for last is ruled by the table": (f"{DEALT} ok 3300 P2 100 P4 1700 +P1,P3 200 -P1,P3", "P1/P3 tie"),
    "who has not entered is asked about once": (f"{RACED} ok P1*3 P2 P3*2 ok", "P4: 0?"),
    "cards grabbed from the pile are entered from the menu": (f"{RACED} menu[Grabbed] turn+2 ok", "pile 25"),
    "the device rolls where that is the option": (f"{DICE} P1", "P1 takes"),
    "a hands-on flip waits for every button": (f"{HANDS_ON} P1 ok +P1,P2,P3 4000", "HANDS ON"),
    "a press too soon after the flip does not count": (f"{DEALT} ok 2990 P2", "state.ask.race.presses", ()),
    "everybody counts at once by tapping": (f"{RACED} ok P1*3 P2", "entered", {0: 15, 1: 5}),
    "the knob changes whoever tapped last": (f"{RACED} ok P1*2 turn-3", "entered", {0: 7}),
    "a long press enters zero": (f"{RACED} ok P1*3 P1!", "entered", {0: 0}),
    "whether boxes are left is asked once": (f"{RACED} ok P1! P2! P3! P4! ok", "Boxes left?"),
    "nobody has any": (f"{RACED} ok P1! P2! P3! P4! ok*2", "board.phase", "result"),
    "a press calls for the numbers": (f"{RACED} ok P1! P2! P3! P4! ok P2", "Green boxes left? | 0 0 0 0"),
    "a number is not nobody": (f"{RACED} ok P1! P2! P3! P4! ok P2*2 ok", "Yellow boxes left?"),
    "losses and the bonus are booked": (f"{RACED} ok P1=6 P2=2 P3=9 P4! ok*2", "scores", (69, 73, 66, 85)),
    "all who have packed perfectly are named": (f"{RACED} ok P1! P2! P3=9 P4! ok*2", "reads", "P1 P2 P4 perfect!"),
    "checked counting computes the empty spaces": (f"{CHECKED} {KINDS} {RACE} {LEFT}", "scores", (79, 49, 52, 54)),
    "a press counts one box of any colour": (f"{CHECKED} P1*3", "entered", {0: 3}),
    "the last is heard": (RACED, "hears", sounds.LAST),
    "half-entered numbers are not journaled": (f"{RACED} ok", "keeps", "P1*3"),
    "one undo takes a parallel entry back for all": (f"{RACED} ok", "same", "P1 P2 P3 P4 ok undo"),
    "cards grabbed are put right once all is counted": (f"{COUNTED} menu[Grabbed] turn-1 ok", "pile 26"),
    "what was entered is filled in": (f"{COUNTED} menu[Grabbed]", "2"),
    "a game ends when somebody has no points left": (f"{DEALT} {HALF} {HALF} {REST} {REST}", "reads", "WIN"),
    "the press of any player is taken back in a running race": (f"{TAKEN_BACK}[P2: ]", f"{PRESSES}.0.seat", 3),
    "also of the last one": (f"{TAKEN_BACK}[P4: ]", f"{PRESSES}.0.seat", 1),
    "the same dice fall again after an undo": (f"{DICE} P1", "same", "undo P1"),
    "who lets go too early is named": (f"{HANDS_ON} P1 ok +P1,P2,P3,P4 500 -P2 100", "P2 too early: again"),
}

test_an_evening = outcomes(EVENINGS)


def test_the_countdown_fills_the_picture(rig: Rig) -> None:
    rig.do(f"{DEALT} ok")
    assert [rig.after(ms).reads().split(" | ")[0] for ms in (0, 1000, 1000, 1000)] == ["3", "2", "1", "FLIP!"]
