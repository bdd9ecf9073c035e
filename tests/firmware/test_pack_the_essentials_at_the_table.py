"""Pack the Essentials as it is played: the draft, the score pad, ties, solo; and by programs, in both ways of entry."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from engine.games.pack_the_essentials import RULES
from engine.games.pack_the_essentials.drafting import Discarded, NothingFits, Taken
from firmware.journal.reader import History
from firmware.table.playing import begin
from hardware.config import TABLE, Player
from tests.firmware.outcomes import outcomes
from tests.simulators import evenings
from tests.simulators.players import random_options
from tests.simulators.press_count import CountingRig
from tests.simulators.rig import FOUR, Rig

PACKED = "game[pack_the_essentials 4] P1"  # P1 packed last; the first is about to choose
DRAFTING = f"{PACKED} ok*3"  # everybody took the first free position, P1 position 1
TWO = "game[pack_the_essentials 2] P1"
FLIPPING = "turn-2 ok turn-1 ok"  # P1 at position 3 and P2 at 2; the Cat Lady at 1 is to be flipped, by P1
STUCK = f"{PACKED} +P2 10500 ok*3 P1"  # the button of P2, who is asked, does not work
NONE_FITS = "ok*3 menu[P1: No tile fits]"  # P1, who has won an underwear tile, cannot take any tile
ASKED = "game[pack_the_essentials 3 ask_tile=True] P1 ok*3"
LADY = "game[pack_the_essentials 2 cat_lady=virtual] P1 turn-1 ok turn-1 ok"
TURNS = ("P1 P2 P3 P4", "P2 P3 P4 P1", "P3 P4 P1 P2", "P4 P1 P2 P3")
SCORING = PACKED + "".join(f" ok*3 {turns}" for turns in TURNS * 3)  # after twelve rounds without a cat
PAD = f"{SCORING} ok " + "P1! P2! P3! P4! ok " * 3  # the three To Do lists bring nothing
SOLO = "game[pack_the_essentials 1] ok*2 P1"
RAT_SPENT = {"rats": 0, "toys": 0, "cats": 1}
QUICK_TWO = "game[pack_the_essentials 2 turn_timer_s=10]"
QUICK = "game[pack_the_essentials 4 turn_timer_s=10] P1 ok*3"
ASKED_TWO = "game[pack_the_essentials 2 ask_tile=True] P1"
ASKED_FOUR = "game[pack_the_essentials 4 ask_tile=True] P1"
CONTROL = "playing.question.control"
TIMED = "game[pack_the_essentials 2 turn_timer_s=60] P2 ok*2 P2"

EVENINGS = {
    # setup and order
    "who packed last says so by a press": ("game[pack_the_essentials 4]", "Who packed last?"),
    "every position stands with its bonus": (PACKED, "underwear | sock | rat | rat+toy"),
    "positions that nobody took are cat ladies": (f"{TWO} ok*2", "CatLady"),
    "bonuses are called for before the first tile": (DRAFTING, "take bonuses"),
    # draft
    "a rat that was spent is seen at once": (f"{DRAFTING} P1!", "+1 cat"),
    "an OK too many is refused and opens nothing": (f"{DRAFTING} ok", "press: took"),
    "after no tile fits the bonus tile may be turned": (f"{PACKED} {NONE_FITS}", "hold: rat"),
    "a dead button is answered for by OK": (STUCK, "OK: for P2"),
    "after the last tile the suitcase goes on": (f"{DRAFTING} P1 P2 P3 P4", "suitcase to P2"),
    # Cat Ladies
    "at a cat lady it is asked whether the tile is gone": (f"{TWO} {FLIPPING}", "flip! | tile | to box, | else next"),
    "bonuses are called for before a cat lady who comes first": (f"{TWO} {FLIPPING}", "take bonuses"),
    "but not before a later one": (f"{TWO} ok turn-2 ok P1", "P1 flips it"),
    "against the clock the press starts the turn": (f"{QUICK_TWO} P1 {FLIPPING} P2", "press: took"),
    "the start player flips a cat lady and names her tile": (f"{ASKED_TWO} turn-1 ok turn-1 ok", "P1 flips it"),
    # options that change the flow
    "numbers of tiles are asked for where that is the option": (ASKED, "taken?"),
    "where none fits the tile to discard is asked for": (f"{ASKED} menu[P1: No tile fits]", "to box?"),
    "a turn against the clock begins with a press": (QUICK, "P1: start your turn | take bonuses"),
    "when the time is up the display says so": (f"{QUICK} P1 10100", "TIME!"),
    # the score pad and solo
    "toys are placed before the pad": (SCORING, "Toys on empty squares"),
    "a group of twelve or more says so": (f"{PAD} ok*2", "tiles (12 at most)"),
    "solo the goal of the card is asked for": ("game[pack_the_essentials 1]", "100 | Goal on the card?"),
    "solo a placement card blocks positions in the second round": (SOLO, "Which are blocked?"),
    "a blocked position is not offered": (f"{SOLO} ok", "blocked"),
    # order
    "the control steps through the free positions": (f"{PACKED} turn-2 ok", "board.order", (None, None, 0, None)),
    "a position that is taken is passed over": (f"{PACKED} ok turn-3 ok", "board.order", (0, 1, None, None)),
    "the next player clockwise chooses": (f"{PACKED} ok", "board.turn", (1,)),
    "the last has no choice and is not asked": (DRAFTING, "board.order", (0, 1, 2, 3)),
    # draft
    "a press says that a tile was taken": (f"{DRAFTING} P1", "board.turn", (1,)),
    "a hold spends a rat on a cat": (f"{DRAFTING} P1!", "board.tokens.0", RAT_SPENT),
    "a hold does not end the turn": (f"{DRAFTING} P1!", "board.turn", (0,)),
    "a hold spends a rat on a bonus tile where none fits": (f"{PACKED} {NONE_FITS} P1!", "board.tokens.0.cats", 1),
    "also where tiles are named": (f"{ASKED_FOUR} {NONE_FITS} P1!", "board.tokens.0.cats", 1),
    "and a press says that one was discarded": (f"{PACKED} {NONE_FITS} P1", "board.turn", (1,)),
    "without a bonus tile no tile fits ends the turn": (f"{DRAFTING} P1 P2 menu[P3: No tile fits]", "board.turn", (3,)),
    "the control spends a rat for a dead button": (f"{STUCK} menu[P2: Spend a rat]", "board.tokens.1", RAT_SPENT),
    "OK takes the tile of a dead button": (f"{STUCK} ok", "board.turn", (2,)),
    # Cat Ladies
    "the press of whoever is next needs no OK before": (f"{TWO} {FLIPPING} P2", "board.turn", (0,)),
    "nor does a hold for a rat": (f"{TWO} {FLIPPING} P2!", "board.tokens.1", RAT_SPENT),
    "where the next has no button the control answers": (f"{TWO} {FLIPPING} +P2 10500 ok*2", "board.turn", (0,)),
    "a tile that was taken is no longer offered": (f"{ASKED} turn-1 ok", f"{CONTROL}.options", ("1", "3", "4")),
    # the score pad
    "everybody enters a To Do list at once": (f"{SCORING} ok P1*2 P4 turn+5", "entered", {0: 10, 3: 10}),
    "cats stand as recorded": (f"{PAD} ok*2", "state.lines.3", (0, 0, 0, 0)),
    "rats, too": (f"{PAD} ok*2", "state.lines.4", (7, 7, 7, 7)),
    "cats that were miscounted are put right on the pad": (f"{PAD} P2 ok*2", "scores", (7, 11, 7, 7)),
    "points are fixed lines after the slip": (f"{PAD} menu[Fix points] P3 turn-2 ok", "scores", (7, 7, 5, 7)),
    "a dead button has its numbers entered": (f"{SCORING} ok +P2 10500 turn+4", "entered", {1: 4}),
    "without a rat the display offers no hold": (f"{DRAFTING} P1!", "hides", "hold: rat"),
    "without a rat there is none in the menu": (f"{DRAFTING} P1! ok! turn-1", "hides", "Spend a rat"),
    "OK leads from a cat lady to the next position": (f"{TWO} {FLIPPING} ok", "hides", "flip!"),
    # what stays as it is
    "one undo gives a rat back": (DRAFTING, "same", "P1! undo"),
    "one undo takes a line of the pad back for all": (f"{SCORING} ok", "same", "P1 P2 P3 P4 ok undo"),
    "what a hold does is in the menu too": (f"{DRAFTING} ok! turn-1", "P1: No tile fits | P1: Spend a rat"),
    # bonuses
    "neither a press out of turn nor an OK too many changes anything": (DRAFTING, "keeps", "P3 ok*7"),
    "the same cat lady is drawn again after an undo": (LADY, "same", "undo turn-1 ok"),
    "the seconds of a turn are counted down": (f"{TIMED} 4s", "reads", "0:5"),
}

test_an_evening = outcomes(EVENINGS)


RAT_SPENT = {"rats": 0, "toys": 0, "cats": 1}


@pytest.mark.parametrize("seed", range(4))
def test_hands_that_do_not_stop_never_say_that_no_tile_fits(tmp_path: Path, rig: Rig, seed: int) -> None:
    dice = Random(seed)
    names = FOUR[: dice.randint(2, 4)]
    begin(rig.app.table, RULES, names, random_options(RULES, dice, programs=False))
    for _ in range(120):
        match dice.randrange(4):
            case 0:
                rig.hold(dice.choice(names))
            case 1:
                rig.ok(dice.choice((1, 2, 3)))
            case _:
                rig.tap(dice.choice(names))
    with closing(History(tmp_path / "journal.db")) as history:
        happened = {type(fact.event) for fact in history.facts(1, RULES)}
    assert {Taken, NothingFits, Discarded} & happened == {Taken}


def test_an_edited_bonus_table_stands_on_the_mat_and_a_long_bonus_in_letters(rig: Rig) -> None:
    rig.begin("Pack the Essentials", *FOUR, bonus_table="sock rat+sock+sock underwear rat+toy")
    shown = rig.tap("P1").reads()
    assert shown.index("sock") < shown.index("R+2S") < shown.index("underwear")


def test_a_name_of_four_letters_stands_beside_the_longest_bonus(tmp_path: Path) -> None:
    names = ("ANNA", "BERT", "CARL", "DORA")
    players = tuple(Player(name, p.button, p.lamp) for name, p in zip(names, TABLE.players, strict=True))
    rig = Rig(tmp_path, msgspec.structs.replace(TABLE, players=players))
    shown = rig.begin("Pack the Essentials", *names).tap("ANNA").ok(3).pieces
    rig.close()
    assert {"underwear", "DORA", "press: took", "hold: rat"} <= shown


def test_a_cat_lady_of_the_kit_says_which_tile_she_took(rig: Rig) -> None:
    (_, tile), *_ = rig.do(LADY).state.round.ladies
    assert f"tile {tile}" in rig.reads()


class Played(NamedTuple):
    """An evening at its end: the scores it has to come to, and the phases that were looked at."""

    rig: CountingRig
    expected: tuple[int, ...]
    seen: list[str]
    most_presses: int  # of one player


@pytest.fixture(scope="module", params=[(1, 66), (2, 60), (4, 60)], ids=["solo", "two", "four"])
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    rig, seen = CountingRig(tmp_path_factory.mktemp("evening")), list[str]()
    players, most_presses = request.param
    yield Played(rig, evenings.pack_the_essentials(rig, seen.append, players=players), seen, most_presses)
    rig.close()


def test_an_evening_comes_to_the_scores_that_were_entered(evening: Played) -> None:
    assert evening.rig.scores == evening.expected


def test_an_evening_goes_to_its_end(evening: Played) -> None:
    goal_missed, pictures_decide = "NEXT TIME", "P1 WINS"
    ends = {1: {"THE END", goal_missed}, 2: {"THE END"}, 4: {"THE END", pictures_decide}}
    assert ends[len(evening.expected)] <= evening.rig.pieces


def test_an_evening_looks_at_each_picture_once(evening: Played) -> None:
    assert len(evening.seen) == len(set(evening.seen))


def test_nobody_presses_more_often_in_an_evening(evening: Played) -> None:
    assert max(evening.rig.cost.presses) <= evening.most_presses


@pytest.mark.parametrize(("line", "text"), [("", "Empty squares?"), ("undo", "P1 WINS")], ids=["counts", "undone"])
def test_a_seat_made_level_after_the_end_counts_its_empty_squares(rig: Rig, line: str, text: str) -> None:
    best, *_, third, _ = evenings.pack_the_essentials(rig)
    assert text in rig.do(f"3000 menu[Fix points] P3 turn+{best - third} ok {line}").reads()


# --- by programs ------------------------------------------------------------------------------------------------------
