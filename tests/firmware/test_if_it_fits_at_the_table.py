"""If It Fits as it is played: a press for a turn, OK for what is noted in it, boxes counted by everybody at once."""

from pathlib import Path

import pytest

from firmware.output import sounds
from hardware.config import KitConfig, Player
from tests.firmware.outcomes import outcomes
from tests.simulators.evenings import if_it_fits
from tests.simulators.rig import Rig

FIVE = KitConfig(players=tuple(Player(f"P{n}", pin) for n, pin in enumerate((5, 6, 22, 23, 25), 1)))
GAME = "game[if_it_fits 3]"
LAID = "P1 P1 P2 P3"  # P1 starts, and every start card is laid
STARTED = f"{GAME} {LAID}"
DECK = "ok [Deck empty]"
OUT = "P1 P2 P3 P1 P2 P3 P1"  # the closing turns of everybody
CLOSING = f"{STARTED} {DECK} P1"  # P1 has drawn the last card, and P2 is the first who draws none
COUNTING = f"{CLOSING} P2 P3 P1 P2 P3 P1"  # every hand is played out; the first box is asked for
FORGOTTEN = f"{STARTED} ok*2 menu[P3: 5 cats left?] turn-2 ok"  # two cats of P3, in the turn of P1
CATS = f"{COUNTING} ok*2 no"  # the cats of a box are asked for
ONE_CAT = f"{STARTED} ok*2 P1 {DECK} P2 P3 P1 P2 P3 P1 P2 ok*2 no"  # the same; only a cat of P1's was noted
CLOSED = f"{COUNTING} turn+3 ok turn+1 ok yes P1*2 P2 ok*2"
OPEN = f"{COUNTING} turn+3 ok*2 no P1 ok*2"
TWO_OPEN = f"{OPEN} ok turn+2 ok*2 no P2 ok*2"
LEVEL = f"{COUNTING} turn+3 ok turn+1 ok no P1 ok*3 turn+2 ok*2 no P2 ok*2 menu[All boxes done]"
KINDS = COUNTING.replace(GAME, "game[if_it_fits 3 entry=kinds]")
FOUR_LEFT = "menu[P1: 4 cats left?] turn-1 ok"
TIMED = f"game[if_it_fits 3 turn_timer_s=20] {LAID}"
UNASKED = f"game[if_it_fits 3 sleepers_asked=False] {LAID}"

EVENINGS = {
    # setup and turns
    "the start says what to shuffle and deal": (GAME, "3 black, 3 piles, deal 2"),
    "the advanced game takes all black cats": ("game[if_it_fits 3 advanced=True]", "all black cats, deal 2"),
    "who starts says so by a press": (f"{GAME} P2", "P2: laid? press"),
    "start cards are counted while they are laid": (f"{GAME} P2 P2", "CARD 2/3"),
    "the bottom row says what a press and OK do": (STARTED, "done? press | OK: more"),
    "what was noted stands on the picture": (f"{STARTED} ok*2", "+awake cat"),
    "a sleeping cat is the second row": (f"{STARTED} ok turn-1 ok", "cat asleep"),
    "the question for cats says whose they are": (f"{STARTED} menu[P2: 5 cats]", "P2: 5 cats left? | 5"),
    "who taps more cats than were noted is shown the way": (f"{ONE_CAT} P1*2", "hold OK,turn:more | P1: at most 1"),
    "a Princess is seen": (f"{STARTED} ok*2 P1 ok [P1: cat taken back]", "Princess"),
    "a toy reminds that no cat goes on it": (f"{STARTED} ok [P1: special toy]", "no cat on a toy"),
    "the control lays the start card of a dead button": (f"{GAME} P2 lost[P2] 6s ok", "P3: laid? press"),
    # the timer
    "OK starts the timer where that is the option": (f"game[if_it_fits 3 turn_timer_s=90] {LAID} ok", "P1 1:30"),
    "the time left is counted down": (f"{TIMED} ok 5s", "P1 0:15"),
    "time that has run out is seen": (f"{TIMED} ok 21s", "P1 TIME!"),
    "while the timer runs OK opens the notes": (f"{TIMED} ok*2", "P1: +awake cat"),
    "with a dead button OK starts the timer": (f"{TIMED} lost[P1] 6s", "for P1: turn | OK: timer"),
    # the closing turns
    "an empty deck is noted by whoever drew the last card": (f"{STARTED} {DECK}", "LAST TURNS"),
    "the fifth cat announces the last turns": (f"{STARTED} " + "ok*2 P1 P2 P3 " * 4 + "ok*2", "LAST TURNS"),
    "closing turns say what is over": (CLOSING, "LAST TURNS | P2: 2 cards | no draw, no sleeping cats"),
    "closing turns are counted down": (f"{CLOSING} P2 P3 P1", "P2: 1 card"),
    "a closing turn says what press, hold and OK do": (CLOSING, "tap:done hold:0 | OK:more"),
    "against the clock OK starts the timer of a closing turn": (f"{TIMED} ok {DECK} P1", "tap:done hold:0 | OK:time"),
    "and then notes cats": (f"{TIMED} ok {DECK} P1 ok", "tap:done hold:0 | OK:more"),
    "an awake cat is noted in a closing turn": (f"{CLOSING} ok*2", "LAST TURNS | +awake cat"),
    # boxes
    "the last hand leads to the first box": (COUNTING, "Box 1: toys? | most common kind"),
    "toys are turned to and confirmed": (f"{COUNTING} turn+3 ok", "Spray bottles? | toys 3"),
    "no sprays are a plain OK": (f"{COUNTING} turn+3 ok*2", "Closed? | toys 3 sprays 0"),
    "what a closed box is worth is seen": (f"{COUNTING} turn+3 ok turn+1 ok yes", "Awake cats? | points: 4"),
    "what an open box is worth is seen": (f"{COUNTING} turn+3 ok turn+1 ok no", "Awake cats? | points: 2"),
    "nobody enters more than five cats": (f"{CATS} P1*6", "P1: at most 5"),
    "the control counts the cats of a dead button": (f"{CATS} lost[P3] 6s", "for P3: turn, OK"),
    "sleeping cats are asked for after those awake": (f"{CATS} P1 ok", "Sleeping cats?"),
    "the result says how it came about": (CLOSED, "BOX 1 closed | (3-1)x2=4 | cats P1:2 P2:1"),
    "all boxes are done by the menu": (f"{OPEN} menu[All boxes done]", "P1 WINS"),
    "a box begun too many is left by the menu": (f"{OPEN} ok menu[All boxes done]", "P1 WINS"),
    "once every cat is counted OK ends the game": (f"{CATS} P1*5 P2*5 P3*5 ok", "all cats counted | OK: end"),
    "every kind of a box can be counted": (
        f"{COUNTING} menu[Count every kind] turn+2 ok turn+4 ok",
        "Kind 3? 0: none | toys 2, 4",
    ),
    "every kind is asked for where that is the option": (KINDS, "Box 1: toy kind 1?"),
    "of many kinds the numbers alone are shown": (f"{KINDS} " + "turn+1 ok " * 6, "BOX 1 | 1, 1, 1, 1, 1, 1"),
    "of even more kinds the most toys are shown": (f"{KINDS} " + "turn+12 ok " * 7, "BOX 1 | most 12"),
    "of equal totals the negative points are shown": (LEVEL, "P2 WINS | P1-1 P2-0"),
    "the end can be undone": (f"{OPEN} menu[All boxes done] 2000 undo", "BOX 1 open"),
    "a turn is one press": (f"{STARTED} +P1", "lit", {"P2"}),
    "only the button of whose turn it is ends it": (f"{STARTED} P3", "lit", {"P1"}),
    "that of another is refused": (f"{STARTED} P3", "tunes.-1", sounds.REFUSED),
    "OK twice notes an awake cat": (f"{STARTED} ok*2", "board.tokens.0.cats", 4),
    "and no cat of anybody else's": (f"{STARTED} ok*2", "board.tokens.1.cats", 5),
    "a press leads out of the notes and ends the turn": (f"{STARTED} ok P1", "lit", {"P2"}),
    "a Princess names the cat that goes back": (f"{STARTED} ok*2 P1 ok [P1: cat taken back]", "board.tokens.0.cats", 5),
    "forgotten cats are entered while cats are counted": (f"{ONE_CAT} {FOUR_LEFT} P1*3", "entered", {0: 2}),
    "a turn that ended too early is undone": (f"{STARTED} P1 undo", "lit", {"P1"}),
    "an arrow ends the turn of a dead button where OK starts the timer": (f"{TIMED} lost[P1] 6s turn+1", "lit", {"P2"}),
    "holding says that the hand is empty": (f"{CLOSING} P2! P3 P1", "lit", {"P3"}),
    "a press in a closing turn does not count yet": (f"{CLOSING} +P2 100", "lit", {"P2"}),
    "it counts when it is let go": (f"{CLOSING} +P2 100 -P2", "lit", {"P3"}),
    "everybody taps their cats at once": (f"{CATS} P1*2 P3", "entered", {0: 2, 2: 1}),
    "a cat tapped too often is taken off by the control": (f"{CATS} P1*3 turn-1", "entered", {0: 2}),
    "a long press says that there is no cat": (f"{CATS} P1*3 P1!", "entered", {0: 0}),
    "a dead button has its cats entered": (f"{CATS} lost[P3] 6s turn+2 ok*2", "state.box.awake", (0, 0, 2)),
    "who scores the box is heard": (CLOSED, "tunes.-1", sounds.FIRST),
    "points and totals are booked": (f"{CLOSED} ok turn+1 ok turn+3 ok no P2 P3 ok*2", "scores", (5, -2, -2)),
    "a forgotten point is fixed a box later": (f"{TWO_OPEN} menu[Fix points] P1 turn+2 ok", "scores", (5, 2, 0)),
    "where no cat may sleep none can be noted": (f"{UNASKED} ok", "hides", "sleeping"),
    "nor in a closing turn": (f"{CLOSING} ok", "hides", "sleeping"),
    "without sleepers a box asks once for cats": (f"{UNASKED} {DECK} {OUT} ok*2 no P1 ok", "asks", "Result"),
    "forgotten cats are entered in any turn": (FORGOTTEN, "board.tokens.2.cats", 3),
    "and cost no turn": (FORGOTTEN, "lit", {"P1"}),
    "a cat that was noted is undone at once": (STARTED, "same", "ok*2 undo"),
    "so are cats of all": (CATS, "same", "P1 P2 P3 ok undo"),
    "OK ends the turn for a dead button": (f"{STARTED} lost[P1] 6s ok", "lit", {"P2"}),
    "the picture says so": (f"{STARTED} lost[P1] 6s", "OK: for P1"),
    "time that has run out is heard": (f"{TIMED} ok 21s", "hears", sounds.LAST),
}

test_an_evening = outcomes(EVENINGS)


def test_whose_turn_it_is_fills_the_picture(rig: Rig) -> None:
    assert rig.do(STARTED).reads().split(" | ")[0] == "P1"


def test_a_cat_noted_is_a_pip_less(rig: Rig) -> None:
    before = rig.do(STARTED).picture.crop((0, 48, 42, 55)).tobytes()
    assert rig.ok(2).picture.crop((0, 48, 42, 55)).tobytes() != before


def test_the_strip_of_who_scores_is_full(rig: Rig) -> None:
    assert len(set(rig.do(CLOSED).pixels[:14])) == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_evening_comes_to_its_scores(tmp_path: Path, players: int) -> None:
    rig = Rig(tmp_path, FIVE)
    expected = if_it_fits(rig, players=players)
    assert (rig.playing.play.over, rig.scores) == (True, expected)
    rig.close()
