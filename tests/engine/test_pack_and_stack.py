"""Pack & Stack: the worked examples of its rules page, every question in turn, and what holds in whole games."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Over, act
from engine.games import pack_and_stack as game
from engine.games.pack_and_stack import REWARDS, RULES, LeftOver, State, WhoLast, empties, volume
from engine.play import fold, opened
from engine.race import take_back
from engine.rules import Action, Chance, Offer, Value, seats_of
from tests.engine import table
from tests.engine.table import letters, rows
from tests.simulators.players import random_game, random_options

T1 = (3, 2, 3, 0, 1)
SMALL = (1, 0, 0, 0, 0)


class Stack(table.Table):
    """Its own words: `flip` runs to the flip of the first round.

    A position may have `counts=6,6,12`, losses of which only a `0` is still to come, the blue boxes of the last seat,
    or `truck=9x3`, that of A with the load of T1, while B has a green box that fits. Cards not held are not drawn yet.
    """

    rules = RULES
    facts_of_game: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "last": lambda at: None if at.state.round.last is None else letters(at.state.round.last),
        "in_doubt": lambda at: letters(WhoLast().among(at.state)) if at.state.ask == WhoLast() else None,
        "pressed": lambda at: letters(press.seat for press in at.state.ask.race.presses),
        "early": lambda at: letters(press.seat for press in at.state.ask.race.jumps),
        "ends": lambda at: game.ended(at.state),
        "asked": lambda at: letters(at.state.ask.seats),
        "units_empty": lambda at: empties(
            game.capacity(at.state.round, 0), volume(at.state.round.loads[0]), volume(at.state.round.left[0])
        ),
    }

    def place(self, name: str, value: str) -> None:
        players = len(self.play.players)
        match name:
            case "over":
                self.deal(ask=Over())
            case "counts":
                left = ((0, 0, 0, 0, None),) * players
                ask = LeftOver((*[0] * (players - 1), None), seats_of(players), 4)
                self.deal(empties=self.read(value), left=left, ask=ask)
            case "truck":
                area, levels = map(int, value.split("x"))
                self.truck(area, levels, T1)
            case "held":
                held = self.read(value)
                assert isinstance(held, tuple)
                self.deal(held=held, rewards=tuple(card for card in REWARDS if (card,) not in held))
            case _:
                super().place(name, value)

    def truck(self, area: int, levels: int, load: tuple[int, ...]) -> "Stack":
        self.deal(loads=(load, SMALL), levels=(levels, 1), ask=game.Area((area, None), (0, 1)))
        return self.act(1, "area", 1)

    def say(self, word: str, at_ns: int) -> None:
        if word == "flip":
            self.act(0, "starter").act(None, "deal").tick()
        else:
            super().say(word, at_ns)


CHECKED = "2 counting=checked"
TWO, THREE = "flip A@500 tick", "flip A@500 B@1000 tick"  # the last seat never grabs
NONE_LEFT = "A0 B0 " * 5
COUNTED = f"count A1 B1 {NONE_LEFT}"
LOADED = "A3 B3 A2 B2 A3 B3 A0 B0 A1 B1"
HOLDS = "2 reward_cards=on held"
ALONE = "3 reward_cards=on counts=0,5,9"
NEW_ORDER = f"{HOLDS}=/new_order counting=checked: A {LOADED} B"
REPLACE = f"{HOLDS}=/replace_truck: {TWO}"
RACED = f"{LOADED} deal tick A@500 tick count"
TIMED = f"2 loading_timer_s=60: {TWO}"
TIE = "3 tie_band=20: flip A@300 B@500 C@510 tick"
OUT = "3 points=3,10,40 counts=12,12,6"
LATE = f"2: {TWO} late=B@800 A.take_back"  # a slap after the verdict, then a void grab
LOADING = f"3 loading_timer_s=30: {THREE} pack"
HELD = "2 start=hands_on: A deal A B"
DRAWN = f"2 reward_cards=on: {TWO} count A0 B5 {NONE_LEFT} reward=new_order"
SHORT = "3 pile=4 discards=32: A"
VOUCHER = f"{HOLDS}=/voucher counts=30,12 rewards=-"

POSITIONS = [
    # --- asked once ---
    ("nobody has boxes left", f"2: {TWO} count A1 B1 none_left", f"= 2: {TWO} count A1 B1 {NONE_LEFT}"),
    ("beside the first count only", f"2: {TWO} count A1 B1 A0 B0", "?none_left -; ask LeftOver"),
    ("not beside a number", f"2: {TWO} count A1 B1 A2", "?none_left -"),
    ("where all boxes fit", f"{CHECKED} truck=9x3:", "?none_left *"),
    ("absent where one has to stay", f"{CHECKED} truck=15x1:", "?none_left -; ask LeftOver"),
    # --- the worked examples ---
    ("T4", "6:", "scores 75,75,75,75,75,75"),
    ("T5", f"{CHECKED} truck=9x3: A0 B0 A0 A0 A0", "units_empty 6; losses 6,0"),
    ("T6", f"{CHECKED} truck=9x3: A0 B0 A0 A2 A0", "units_empty 12; losses 24,0"),
    ("T7", f"{CHECKED} truck=9x3 held=voucher/: A0 B0 A0 A2 A0 A.voucher", "losses 18,0"),
    ("T8", f"{CHECKED} truck=15x1: A1 B0 A0 A0 A1", "units_empty 0; losses 12,0"),
    ("T9 what cannot fit has to stay", f"{CHECKED} truck=15x1: A1 B0 A0 A0", "left.low 1; left.high 1"),
    ("T10", f"{CHECKED} truck=7x3: A0 B0 A0 A0 A0", "units_empty 0; losses 0,0"),
    ("T11", "3 counts=6,6,12: 0", "scores 79,79,63; ends no; lit first:AB"),
    ("T12", "3 points=4,75,75 counts=12,20,20: 0", "scores 2,55,55; ends no; ask Result"),
    ("T13", "3 floor_at_zero=on points=4,75,75 counts=12,20,20: 0", "scores 10,55,55; ends no"),
    ("T14", "3 points=8,75,75 counts=18,20,20: 0", "scores 0,55,55; ends yes"),
    ("T14 floored", "3 floor_at_zero=on points=8,75,75 counts=18,20,20: 0", "scores 10,55,55; ends no"),
    ("T15 R20", "3 over points=31,31,-4:", "winners AB"),
    ("T16", f"{ALONE}: 0", "scores 85,70,66; ask Reward; ?reward A"),
    ("T16 two are left", f"{ALONE}: 0 voucher", "held voucher//; rewards replace_truck,new_order"),
    ("T17", "3 reward_cards=on counts=0,0,5: 0", "scores 85,85,70; ask Result"),
    ("T18", "3 reward_cards=on rewards=- counts=0,5,9: 0", "scores 85,70,66; ask Result"),
    ("T19", f"{OUT}: 0", "scores -9,-2,44; ends yes"),
    ("T19 the press after it ends the game", f"{OUT}: 0 next", "over yes; winners C; lit winner:C"),
    ("T20 four players", "4: A deal", "pile 28"),
    ("T20 five players", "5: A deal", "pile 31"),
    ("R6 fewer by option", "4 trucks_per_player=1: A deal", "pile 32"),
    ("R6 more by option", "6 trucks_per_player=2: A deal", "pile 24"),
    ("T21", "3: flip A@1200 B@1850 tick", "last C; pile 29; lit last:C; ask Packing"),
    ("R21 floored and out", "3 floor_at_zero=on points=4,75,75 counts=20,5,6: 0", "scores 0,80,69; ends yes"),
    ("R21 floored from below", "3 floor_at_zero=on points=-4,75,75 counts=5,0,6: 0", "scores 0,85,69; ends yes"),
    # --- setup and load ---
    ("R3 the youngest starts", "3: C", "starter 2; order CAB"),
    ("R3 anybody may be it", "3:", "?starter ABC"),
    ("quick begins with the deal", "3: A", "ask Deal"),
    ("R5 checked with the green boxes", "3 counting=checked: A", "ask Load; colour 0; ?load ABC"),
    ("R5 each colour is a step", f"{CHECKED}: A B3 A3 A2 B1", "step 3"),
    ("R5 no more boxes than the game has", f"{CHECKED}: A A28", "load.high 2"),
    ("R4 the kit rolls from the youngest", "3 device_dice=on: B", "?roll B"),
    ("R4 in turn", "3 device_dice=on: B roll", "?roll C"),
    ("R4 round the table", "3 device_dice=on: B roll roll", "?roll A"),
    # --- the race ---
    ("R7 the flip is 3 s after the deal", "3: A deal", "due 3000; phase countdown"),
    ("R7 a press before it is a jumped start", "3: A deal B+2900", "ask Countdown; early B; jumped B"),
    ("or less than 100 ms after it", "3: flip B@99 A@100", "early B; pressed A"),
    ("its button is dead for 250 ms", "3: flip B@50 B@299", "early B; pressed -"),
    ("and works again", "3: flip B@50 B@300", "pressed B"),
    ("A1 an earlier press delivered late counts", "3: flip A@500 B@900 C@880 tick", "last B"),
    ("two players: one press decides", "2: flip B@700 tick", "last A"),
    ("A1 they may tie within the settling time", "2 tie_band=20: flip B@700 A@710 tick", "in_doubt AB"),
    ("A1 a chain is between its last two", "3 tie_band=10: flip A@500 B@509 C@518 tick", "in_doubt BC"),
    ("A1 all three", "3 tie_band=10: flip A@500 B@505 C@509 tick", "in_doubt ABC"),
    ("A1 the table names one", f"{TIE} last=B", "last B; pile 29; ask Packing"),
    ("A1 all", f"{TIE} last=all", "last BC; pile 28"),
    ("A1 nobody", f"{TIE} last=nobody", "last -; pile 30"),
    ("A9 nobody else", "3: flip A@500 close", "in_doubt BC; last.options B,C,all,nobody"),
    ("A9 before any press", "3: flip close", "in_doubt ABC"),
    ("A9 it is not asked once the last can be known", "3: flip A@500 B@600", "?close -"),
    ("A9 several of three", "3: flip close last=several last=A last=no last=C", "last AC"),
    ("A9 one by one", "3: flip close last=several last=A", "last.options B,no; last.joins yes; ?take_back -"),
    ("a press taken back runs again", "3: flip A@500 A.take_back@1200 B@1300 A@1400 tick", "last C"),
    ("in time it stops the settling", "2: flip A@500 A.take_back@540", "due ?"),
    ("the race is a step with its deal", f"3: {THREE} undo", "ask Deal"),
    ("the ruling is its own", "3: flip close last=A undo", "in_doubt ABC"),
    ("also one by one", "3: flip close last=several last=A last=no last=C undo", "in_doubt ABC"),
    *[
        (f"a new run begins a race at the deal: {run}", f"3: flip A@500 {run}", "ask Deal")
        for run in ("rerun", "resume")
    ],
    ("points fixed in it stay", "3: flip A@500 fix=B4 resume", "ask Deal; scores 75,79,75"),
    *[
        (f"who may have slapped while nobody listened goes to the table: {run}", f"3: {THREE} {words}", found)
        for run in ("rerun", "resume")
        for words, found in ((f"{run} A.take_back", "in_doubt AC"), (f"late=C@1234 {run} A.take_back tick", "last A"))
    ],
    ("the loading goes on with its time", f"{LOADING} C.done resume+9000", "done ?,?,yes; due 29000; last C"),
    ("its gaps are after the flip", "3: flip B@1200", "race_phase answers; gaps B1200"),
    # --- a grab that was void (A8, A9) ---
    ("A8 who decided may hold", f"3: {THREE}", "?take_back AB; take_back.hold yes,yes; take_back.joins no,no"),
    ("A8 cards go back", f"3: {THREE} A.take_back", "ask Grab; pressed B; pile 30; discards 0; last ?"),
    ("A8 the other has slapped since", f"{LATE} tick", "last A"),
    ("A8 a slap counts at its own stamp", f"3: {THREE} late=C@1234 A.take_back", "gaps B1000 C1234"),
    ("A8 without another slap both run on", f"3: {THREE} A.take_back", "due ?"),
    ("A8 before the table has ruled", "3: flip A@500 close A.take_back", "ask Grab"),
    ("A8 a late slap that is void itself is gone", f"{LATE} B.take_back A@5000 tick A.take_back", "pressed -"),
    ("A8 not once Replacing a Truck is used", f"{REPLACE} B.replace_truck", "ask Packing; ?take_back -"),
    ("A8 nor once it is not", f"{REPLACE} go_on", "ask Packing; ?take_back -"),
    ("A8 not once somebody is done", f"3: {THREE} A.done", "?take_back -"),
    ("A8 nor the clock runs", LOADING, "?take_back -"),
    ("A8 but before", f"3 loading_timer_s=30: {THREE}", "?take_back AB"),
    ("A8 nor a card came from the pile", f"3: {THREE} from_pile=1", "?take_back -"),
    ("A8 nor the count has begun", f"3: {THREE} count", "?take_back -"),
    # --- hands on ---
    ("hands_on: the deal waits for hands", "2 start=hands_on: A deal", "ask Hands; ?hands AB; due ?"),
    ("hands_on: 3 s after the last", f"{HELD}", "due 3000; verbs go,release; phase countdown"),
    ("hands_on: a release is a jumped start", f"{HELD} B.release", "ask Hands; down yes,?; jumped B"),
    ("hands_on: the race", f"{HELD} tick B@500 tick", "last A"),
    ("hands_on: undo leads to the hands", f"{HELD} tick B@500 tick undo", "ask Hands; down ?,?"),
    # --- the pile ---
    ("A7 a round takes a card more than is dealt", "3 pile=7 discards=29: A", "deal.label Deal 2 each"),
    ("A7 else a shuffle is due", "3 pile=6 discards=30: A", "deal.label Shuffle, deal 2 each"),
    ("A7 before the deal", f"{SHORT} deal", "pile 30; discards 0"),
    ("R9 the last discards what they grabbed", "2: flip B@700 A@720 tick", "last A; discards 1; pile 31"),
    ("R9 who never grabbed discards nothing", f"2: {TWO}", "last B; discards 0; pile 31"),
    ("A3 cards grabbed from the pile", f"3: {THREE} from_pile=2", "pile 27; from_pile.prefill 2"),
    ("A3 a later number replaces it", f"3: {THREE} from_pile=3 from_pile=1", "pile 28"),
    ("A3 told at the empties", f"2: {TWO} count from_pile=1", "ask Empties; pile 30"),
    ("A3 told at the boxes left", f"2: {TWO} count A1 B1 from_pile=1", "ask LeftOver; pile 30"),
    ("A3 by its own words", f"2: {TWO} count A1 B1", "from_pile.label Grabbed from pile?"),
    ("A3 told at the result", f"2: {TWO} {COUNTED} from_pile=1", "ask Result; pile 30"),
    ("A3 told at the reward", f"2 reward_cards=on: {TWO} count A0 B1 {NONE_LEFT} from_pile=1", "ask Reward; pile 30"),
    ("A3 not in the race", "2: flip", "?from_pile -"),
    ("A3 not before the loading", TIMED, "ask Ready; ?from_pile -"),
    ("A3 not in the next round", f"2: {TWO} {COUNTED} next", "ask Deal; ?from_pile -"),
    ("A7 the draw empties it", "3 pile=7 discards=29: flip close last=all", "pile 27; discards 0; shuffled yes"),
    ("A7 so do those who grab from it", f"3 pile=8 discards=28: {THREE} from_pile=3", "pile 26; discards 0"),
    ("A7 as many as there are need no shuffle", f"3 pile=9 discards=27: {THREE} from_pile=2", "pile 0; discards 27"),
    ("R18 all cards of a round are discarded", "3 pile=29 counts=5,6,7: 0 next", "pile 29; discards 7; round 2"),
    # --- loading ---
    ("R13 all done", f"2: {TWO} B A", "ask Empties"),
    ("R13 the table goes on", f"2: {TWO} B count", "ask Empties"),
    ("loading_timer_s waits for a press", TIMED, "ask Ready; due ?"),
    ("loading_timer_s runs from it", f"{TIMED} pack", "ask Packing; due 60000"),
    ("loading_timer_s is a step with its press", f"{TIMED} pack", "time_up.joins yes"),
    ("loading_timer_s is up", f"{TIMED} pack tick", "ask Empties"),
    ("undo leads back before the clock", f"{TIMED} pack B tick undo", "ask Ready"),
    # --- counting ---
    ("quick: the largest truck", f"2: {TWO} count", "ask Empties; empties.low 0,0; empties.high 60,60"),
    ("quick: then all five colours", f"2: {TWO} count A4 B5 {'A0 B0 ' * 4}", "ask LeftOver; colour 4"),
    ("R16 quick", f"2: {TWO} count A4 B5 A1 B0 A0 B0 A2 B0 A0 B0 A0 B0", "scores 57,80; losses 18,5"),
    ("quick: no more left than there are", f"2: {TWO} count A4 B5 A28", "left.high 2; left.prefill 0"),
    ("checked: levels, then area", f"{CHECKED}: A {RACED} A4 B1", "ask Area; levels 4,1"),
    ("checked: levels first", f"{CHECKED}: A {RACED}", "ask Levels; levels.low 1,1; levels.high 4,4"),
    (
        "checked: who rolled green",
        f"{CHECKED} truck=9x3:",
        "colour 0; asked AB; left.label Green boxes left?,Green boxes left?",
    ),
    ("checked: of a colour only who rolled it", f"{CHECKED} truck=9x3: A0 B0", "colour 1; asked A"),
    ("checked: a colour nobody rolled is skipped", f"{CHECKED} truck=9x3: A0 B0 A0 A0", "colour 4; asked A"),
    ("R15 no more left than rolled", f"{CHECKED} truck=9x3:", "left.high 3,1; left.low 0,0"),
    # --- Reward cards ---
    ("A11 New Order is asked before the deal", f"{HOLDS}=/new_order: A", "ask UseCard; ?new_order B; ?go_on *"),
    ("A11 not used it is kept", f"{HOLDS}=/new_order: A go_on", "ask Deal; held /new_order"),
    ("A11 in quick mode it is only spent", f"{HOLDS}=/new_order: A B", "ask Deal; held /"),
    ("A11 checked: a whole load again", f"{NEW_ORDER} B1 B0 B0 B0 B0", "ask Deal; loads 3,2,3,0,1/1,0,0,0,0"),
    ("A11 each colour is a step", f"{NEW_ORDER} B2 B2", "step 9; ?load B"),
    ("A11 the kit rolls again for the holder", f"{HOLDS}=/new_order device_dice=on: A roll roll B", "?roll B"),
    ("A11 Replacing a Truck: after the race", REPLACE, "ask UseCard; ?replace_truck B; ?take_back A"),
    ("A11 it draws, and discards the old one", f"{REPLACE} B.replace_truck", "pile 30; discards 1; held /"),
    ("A11 not used", f"{REPLACE} go_on", "ask Packing; pile 31; held /replace_truck"),
    ("R16 a Voucher is for boxes left", f"{VOUCHER}: 1", "ask UseCard; ?voucher B; ?take_back -"),
    ("R16 without any it is not asked for", f"{VOUCHER}: 0", "ask Result"),
    ("R16 they cost their length", f"{VOUCHER}: 2 B.voucher", "losses 30,22; held /; rewards -"),
    ("R16 not used", f"{VOUCHER}: 2 go_on", "losses 30,32; held /voucher"),
    ("R22 won, drawn and used", f"{DRAWN} next A.new_order", "held /; rewards replace_truck,voucher"),
    # --- the end ---
    ("R20 points fixed after the end share the win", "2 points=31,-4 over: fix=B35", "over yes; winners AB"),
    ("points fixed by hand count for the end", "3: A fix=A-75", "scores 0,75,75; ends yes"),
    ("and for the floor", "2 floor_at_zero=on corrected=-60,0 counts=20,5: 0", "scores 0,80"),
    # --- what people see ---
    ("the load by its colour", f"{CHECKED}: A", "load.label Green boxes?,Green boxes?"),
    ("the result's other question", f"2: {TWO} {COUNTED}", "from_pile.label Grabbed from pile?; next.label Round 2"),
    ("the board", f"{CHECKED} truck=9x3: A0 B0 A0 A0 A0", "tokens rewards:0,load:21,loss:6 rewards:0,load:1,loss:0"),
    ("the result says what follows", "3 counts=6,6,12: 0", "next.label Round 2"),
    ("or that it was the last", "3 points=8,75,75 counts=18,20,20: 0", "next.label Final scores"),
    # --- the same as ---
    ("an undone roll falls the same way", "2 device_dice=on: A A.roll undo A.roll", "= 2 device_dice=on: A A.roll"),
    ("loading is one step", f"2: {TWO} B.done from_pile=1 count undo", f"= 2: {TWO}"),
    ("A3 told in the middle of a count", f"2: {TWO} count A1 from_pile=1 B2 undo", f"= 2: {TWO} count"),
    ("A8 undo restores the verdict", f"3: {THREE} late=C@1234 A.take_back undo", f"= 3: {THREE}"),
    ("A8 also after another one", f"2: {TWO} late=B@800 A.take_back tick undo", f"= 2: {TWO}"),
    # --- refused ---
    ("T9 without boxes left", f"{CHECKED} truck=15x1: A1 B0 A0 A0 A0", "! left 0: must be a whole number from 1 to 1"),
    (
        "R15 more than were rolled",
        f"{CHECKED} truck=9x3: A4",
        "! bad_value: left 4: must be a whole number from 0 to 3",
    ),
    ("A1 a press after the settling time", "3: flip A@500 B@900 C.grab@950", "! not_offered: seat 2 cannot grab now"),
]


@pytest.mark.parametrize(("position", "expected"), rows(POSITIONS))
def test_position(position: str, expected: str) -> None:
    assert Stack.found(position, expected) == expected


def test_t1_dice_3_2_3_0_1_are_9_boxes_of_volume_21() -> None:
    assert (sum(T1), volume(T1)) == (9, 21)


@pytest.mark.parametrize(("empty", "left", "lost"), rows([("T2", 6, (0,) * 5, 6), ("T3", 0, (0, 0, 2, 0, 0), 12)]))
def test_loss(empty: int, left: tuple[int, ...], lost: int) -> None:
    assert game.loss(empty, volume(left)) == lost


def test_r4_the_kit_rolls_only_faces_of_its_dice() -> None:
    state = Stack.at("2 device_dice=on: A").state
    for step in range(500):
        [rolled] = act(RULES, state, Action(0, "roll"), Chance(7, step))[1]
        assert isinstance(rolled, game.LoadRolled)
        assert all(boxes in faces for boxes, faces in zip(rolled.boxes, game.FACES, strict=True))


def test_a11_a_new_order_leaves_the_load_of_the_others() -> None:
    at = Stack.at(f"{HOLDS}=/new_order device_dice=on: A roll roll")
    load = at.state.round.loads[0]
    assert at.do("B roll").state.round.loads[0] == load


def test_a8_a_void_grab_opens_the_race_without_it() -> None:
    at = Stack.at(f"3: {THREE}")
    run = take_back(at.state.round.run, 0)
    assert at.do("A.take_back").state.ask == game.Grab(run)


def test_a8_undo_restores_the_verdict_and_the_late_slap() -> None:
    at = Stack.at(f"3: {THREE} late=C@1234")
    before = at.play
    assert at.do("A.take_back undo").play == before


def test_reward_cards_are_called_by_their_names() -> None:
    at = Stack.at(f"{ALONE}: 0")
    [offer] = at.offered("reward")
    assert [RULES.label(at.state, offer, option) for option in offer.options] == list(REWARDS.values())


LOADS = st.tuples(*(st.integers(0, faces[-1] + 1) for faces in game.FACES)).filter(any)
SQUARES = st.integers(1, game.MAX_AREA)
STORIES = st.integers(1, game.MAX_LEVELS)


@given(LOADS, SQUARES, STORIES, st.data())
@settings(max_examples=150)
def test_every_answer_within_the_limits_can_be_finished_without_negative_empties(
    load: tuple[int, ...], area: int, levels: int, data: st.DataObject
) -> None:
    at = Stack.at(f"{CHECKED}:").truck(area, levels, load)
    while isinstance(at.state.ask, LeftOver):
        offer = at.play.offers[0]
        assert offer.low is not None and offer.high is not None and offer.low <= offer.high
        at.act(offer.seat, "left", data.draw(st.integers(offer.low, offer.high)))
    lost, over = at.state.round.losses[0], area * levels - volume(load)
    assert lost is not None and lost >= max(over, -2 * over)


@given(LOADS, SQUARES, STORIES, st.data())
@settings(max_examples=150)
def test_all_that_can_stay_behind_is_taken(load: tuple[int, ...], area: int, levels: int, data: st.DataObject) -> None:
    left = data.draw(st.tuples(*(st.integers(0, boxes) for boxes in load)))
    if empties(area * levels, volume(load), volume(left)) < 0:
        left = load
    at = Stack.at(f"{CHECKED}:").truck(area, levels, load)
    while isinstance(ask := at.state.ask, LeftOver):
        seat = at.play.offers[0].seat
        at.act(seat, "left", 0 if seat else left[ask.colour])
    assert at.state.round.losses[0] is not None


def limits(offer: Offer) -> Iterator[Value]:
    """Every value at the edge of what an offer takes."""
    if offer.low is not None:
        yield from {offer.low, offer.high}
    else:
        yield from offer.options or (None,)


def check_table(state: State) -> None:
    """What holds in every state: 36 trucks, boxes as in the game, three Reward cards, labels that fit a line."""
    assert min(state.pile, state.discards, game.TRUCKS - state.pile - state.discards) >= 0
    for boxes in (state.round.loads, state.round.left):
        assert all(sum(row[colour] or 0 for row in boxes) <= most for colour, most in enumerate(game.BOXES))
    if isinstance(state.ask, LeftOver):
        assert sum(filter(None, state.ask.numbers)) <= game.BOXES[state.ask.colour]
    assert len(state.rewards) + sum(map(len, state.held)) <= len(REWARDS)
    for offer in RULES.offers(state):
        assert len(RULES.label(state, offer, None)) <= 21


@pytest.mark.parametrize("tens", range(10))
def test_in_every_state_of_a_random_game_the_table_holds_and_takes_all_values(tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        dice = Random(seed)
        facts = random_game(RULES, 2 + seed % 5, random_options(RULES, dice), seed).facts
        play = opened(RULES, facts[0])
        for fact in facts[1:]:
            play = fold(play, fact)
            check_table(play.state)
            if RULES.offers(play.state):
                offer = dice.choice(RULES.offers(play.state))
                for value in limits(offer):
                    action = Action(offer.seat, offer.verb, value, offer.due_ns or fact.at_ns)
                    act(RULES, play.state, action, Chance(seed, 0))
