"""Kitty Paw: the worked examples, rules, ambiguities and options. Ids are those of the rules page."""

import pytest

from engine.games.kitty_paw import RULES
from engine.rules import Offer, Press
from tests.engine.paw_table import MS, Table
from tests.engine.table import rows

A, B = 0, 1
TWELVE = ("go A B wait yes 7 next " + "go B C wait yes 6 next " + "go C A wait yes 5 next ") * 4
HEAT = "go A C B D+0.09 wait"  # B and D are too close to call
MEOWS = "go B A+0.09"  # A and B are
RULED = "3 round_limit_s=60: go A B+0.05 wait"  # A and B are
BY_HAND = "4 last_by_hand=on: go B tick"
SEVERAL = "go B tick last=several"
FIVE = "3 cards=4,4,4,4/: go A B wait yes 7"
TIE = "3 round=12 cards=7/4/7 removed=20: go A B wait no next"
EXTRA = "tied: go A wait yes 6 II next"  # A has won by 21 to 13
FIXED = "3 round=12: go A B wait yes 5 next fix=B5"  # A had won by 5 to 0 and -3


def rounds(number: int) -> str:
    """So many of the twelve rounds."""
    return " ".join(TWELVE.split()[: number * 7])


POSITIONS = [
    # --- the worked examples ---
    ("T1", "3 round=2: go A B wait yes 6", "scores 6,0,-1; removing 2"),
    ("T2", "3 round=2: go A B wait no", "scores -1,0,-1; removing 2; cards //; phase clean_up"),
    ("T3", "4 round=8: go D B C wait yes 4", "scores -2,0,0,4; removing 2"),
    ("T4", "3 round=11: go A C wait yes 7", "scores 7,-3,0; removing 2"),
    ("T5", "2: go A wait yes 5", "scores 5,-1; removing 2"),
    ("T5 with an answer", "2: go A B+40 wait yes 5", "scores 5,-1; removing 2"),
    ("T6", "2 last_penalty_two_players=off: go A wait yes 5", "scores 5,0; removing 3"),
    ("T7 A1 four cards and a penalty", "3 cards=4,4,4/ penalties=1/: go A B wait yes 4 next", "phase hands; round 2"),
    ("T8 a fifth card: the last pays first", FIVE, "scores 23,0,-1; phase clean_up"),
    ("T8 the game ends with the round", f"{FIVE} next", "over yes; winners A; phase over; lit winner:A"),
    ("T9 round 11 leaves four cards", rounds(11).removesuffix(" next"), "round 11; pile 4; over no"),
    ("T9 after round 11 the game goes on", rounds(11), "round 12; pile 0; phase hands"),
    ("T9 it ends after round 12", TWELVE, "over yes; round 12; cards 7,7,7,7/6,6,6,6/5,5,5,5"),
    ("T10 one set: it ends after round 10", f"3 level2_sets=1: {rounds(10)}", "over yes; round 10"),
    ("T11", "3 cards=6,7,5/ penalties=1,2/:", "scores 15,0,0"),
    ("T12 the tied play an extra round", "tied:", "scores 15,15,9; seats AB; extra yes; phase hands; turn AB"),
    ("T12 only the tied may call", "tied: go", "turn AB; ?meow AB"),
    ("T13", "tied: go A wait yes 6 II next", "scores 21,13,9; winners A"),
    ("T14", "tied: go A wait no I I next", "scores 14,14,9; seats AB; over no"),
    ("T15", "tied mixed_deck=on: go A wait no III I next", "scores 12,14,9; winners B"),
    ("T16", "2: go A wait yes 4", "scores 4,-1; removing 2"),
    # --- the levels (R4) ---
    *[(f"R4 round {n}", f"3 round={n}:", f"level {level}") for n, level in ((1, 1), (6, 1), (10, 2), (11, 3), (12, 3))],
    *[
        (f"T10 round {n} of ten", f"3 level2_sets=1 round={n}:", f"level {level}")
        for n, level in ((6, 1), (7, 2), (8, 2), (9, 3), (10, 3))
    ],
    *[
        (f"R12 R15 in round {n}", f"3 round={n}: go B A wait no", f"penalties /{pays}/{pays}; scores 0,-{pays},-{pays}")
        for n, pays in ((6, 1), (7, 2), (10, 2), (11, 3))
    ],
    # --- the hands and the flash ---
    *[(f"R5 four cards lie up for {players}", f"{players}:", "turned_up 4") for players in (2, 3, 4)],
    ("R6 everybody is asked for a hand", "4:", "?hands ABCD; ?release -"),
    ("R6 a hand may be lifted while others are out", "+A +B -A", "?hands AC; ask Hands; down ?,yes,?; jumped -"),
    ("R6 all hands down", "+A +B +C", "phase armed; ?meow -; ?release ABC"),
    ("A11 a false start: only that hand is asked for", "+A +B +C -B+1", "down yes,?,yes; jumped B; ?hands B"),
    ("A11 it costs nothing", "+A +B +C -B+1", "scores 0,0,0"),
    ("A11 the hand is back", "+A +B +C -B+1 +B", "phase armed; jumped -"),
    ("the stopwatch runs from the flash", "+A +B +C tick", "race_phase running; since 0"),
    # --- the Meow ---
    ("R10 everybody may call", "4: go", "?meow ABCD; race_phase running"),
    ("R10 the caller is not named before", "go B", "caller .; due 50"),
    ("R10 but after the settling time", "go B tick", "caller B"),
    ("A8 the earliest stamp calls", "go B C-10 tick", "caller C"),
    ("A8 the other press is an answer", "go B C+10 wait", "last A"),
    ("A8 inside the band the caller is open", f"4: {MEOWS} tick", "called AB; caller ."),
    ("A8 exactly at it not", "4: go B A+0.1 tick", "caller B"),
    ("A8 the table says who, once all is in", f"4: {MEOWS} C wait", "ask WhoCalled; caller.options A,B,nobody"),
    ("A8 a dead heat is shown", f"4: {MEOWS} C wait", "race_phase tied; lit tie:AB"),
    ("A8 the table names one", f"4: {MEOWS} C wait caller=A", "caller A; last D"),
    ("A8 or the other", f"4: {MEOWS} C wait caller=B", "caller B; last D"),
    ("A8 play on and call again", f"4: {MEOWS} C wait caller=nobody D A C wait", "caller D; last B"),
    ("A8 a press delivered late is not asked about", f"4: {MEOWS} tick C-70 wait", "tied 0,1"),
    ("A8 nor does it call", "4: go B tick C-70", "caller B"),
    # --- answers and the last ---
    ("R11 everybody else may answer", "4: go B tick", "?meow ACD"),
    ("R12 the missing one is named", "4: go B A D", "due 50; last ?"),
    ("R12 after the settling time", "4: go B A D tick", "last C; scores 0,0,-1,0; phase check"),
    ("R12 within it, there may be an answer", "4: go B A D C+49 tick", "last C"),
    ("R12 an earlier press delivered late moves the last", "4: go B A D C-1 tick", "last D"),
    ("A7 a dead heat for last", f"4: {HEAT}", "doubtful BD; last.options B,D,all,nobody"),
    ("A7 exactly at the band is none", "4: go A C B D+0.1 wait", "last D"),
    ("A7 the table names one", f"4: {HEAT} last=B", "last B; scores 0,-1,0,0; phase check"),
    ("A7 all", f"4: {HEAT} last=all", "last BD; scores 0,-1,0,-1; phase check"),
    ("A7 nobody", f"4: {HEAT} last=nobody", "last -; scores 0,0,0,0; phase check"),
    ("A7 the caller is never the last", "2: go A B+0.2 wait", "last B"),
    ("A9 who misses the gesture", "go A B wait", "last C"),
    ("A9 several missed it", "4: go A tick B close", "doubtful CD"),
    ("A9 nobody answered", "4: go A tick close", "doubtful BCD"),
    ("A9 close: not before a Meow", "4: go", "?close -"),
    ("A9 nor while it is not settled", "4: go A", "?close -"),
    ("A9 while the last is open", "4: go A tick", "?close *"),
    ("A9 not once one is missing", "4: go A tick B C", "?close -"),
    ("A9 close with two Meows asks who called", f"4: {MEOWS} tick close", "ask WhoCalled; tied 0,1"),
    ("A9 then who was last", f"4: {MEOWS} tick close caller=A", "doubtful CD"),
    ("gaps are after the Meow, by stamp", "4: go C A+410 B+250", "gaps C0 A410 B660"),
    ("the evidence stays", "go A B wait", "race_phase over; gaps A0 B1000"),
    # --- taking a press back ---
    ("an answer taken back runs again", "4: go A tick B ~B", "?meow BCD; caller A"),
    ("and can be given again", "4: go A tick B ~B C B wait", "last D"),
    ("it left one out: nobody is named", "go A tick B ~B+49", "last ?; due ?"),
    ("a Meow taken back: its answers are none", "4: go A tick B C ~A+10", "called -; caller .; ?meow ABCD"),
    ("one of two Meows taken back: the other calls", f"4: {MEOWS} tick ~A tick", "caller B"),
    # --- the check ---
    ("R13", "go A B wait", "ask Check; check.options yes,no"),
    ("R14", "go A B wait yes", "points.low 4; points.high 7; points.prefill 6; verbs points"),
    *[(f"R14 a card of {n}", f"go B A wait yes {n}", f"cards /{n}/") for n in (4, 7)],
    ("A5 the last pays if the caller was right", "go A B wait yes 4", "scores 4,0,-1"),
    ("A5 and if wrong", "go A B wait no", "scores -1,0,-1"),
    ("A4 a turned card stays with its owner", "go A B wait no next", "removed 2; scores -1,0,-1"),
    # --- the next round ---
    ("R16 everybody's hands again", "go A B wait yes 6 next", "ask Hands; down ?,?,?; round 2"),
    (
        "an end, a new run, undo: points were fixed between two hands",
        "+A fix=B5 +B +C tick end rerun undo",
        "ask Hands; down ?,?,?; scores 0,5,0; over no",
    ),
    ("R17 one scored, one turned", "go A B wait yes 6 next", "removed 2"),
    ("R17 nobody last", f"4: {HEAT} last=nobody yes 6 next", "removed 3"),
    ("R17 two last and a wrong call", f"4: {HEAT} last=all no next", "removed 1"),
    ("R17 A13 scrapped", "go scrap next", "removed 4; scores 0,0,0; round 2"),
    ("R18 the pile after the first four", "3:", "pile 44; rounds 12"),
    ("R18 T10 with one set", "3 level2_sets=1:", "pile 36; rounds 10"),
    ("R18 T10 and its last round", "3 level2_sets=1 round=10:", "pile 0"),
    *[(f"A13 no scrapping after {words!r}", words, "?scrap -") for words in ("", "+A +B +C", "go A", "go A tick")],
    ("A13 scrapping until somebody calls, by the menu", "go", "?scrap *; scrap.menu yes"),
    # --- the end ---
    ("R19 four cards are no five", "3 cards=4,4,4/: go A B wait yes 4 next", "phase hands; round 2"),
    ("R20 points win, not cards", "3 cards=4,4,4,4/7,7,7: go A B wait yes 4 next", "scores 20,21,-1; winners B"),
    ("R20 penalties", "3 cards=4,4,4,4/7,7,7 penalties=3,3/: go A B wait yes 4 next", "scores 14,21,-1; winners B"),
    ("R21 a tie for second place", "3 round=12 cards=7,7/4/5: go A B wait no next", "scores 11,4,2; winners A"),
    ("R21 the extra round is the thirteenth", TIE, "extra yes; round 13"),
    ("R21 three may be tied", TIE, "scores 4,4,4; winners -; seats ABC"),
    ("R21 points fixed after the end make a tie", FIXED, "next.label Tie: extra round; winners -; phase tie_break"),
    ("R21 it is lit", FIXED, "lit tie:AB; removed 2"),
    ("R21 without a tie it stays the end", FIXED.replace("B5", "B4"), "over yes; winners A"),
    ("R21 the tied play then, cards removed once", f"{FIXED} next", "phase hands; seats AB; extra yes; removed 2"),
    ("R21 a tie taken back", f"{FIXED} fix=B-1", "over yes"),
    ("R21 one too many", f"{FIXED} fix=B1", "over yes"),
    ("R21 the other one, too", f"{FIXED} fix=A1", "over yes"),
    ("R21 undo of the points", f"{FIXED} undo", "over yes; winners A"),
    ("R21 undo of the extra round and the points", f"{FIXED} next undo undo", "winners A"),
    ("R21 points that change nothing after an extra round", f"{EXTRA} fix=C1", "over yes; winners A"),
    ("A14 one who did not play it is ahead", f"{EXTRA} fix=C12", "scores 21,13,21; over yes; winners C"),
    ("A14 the extra round decides among its players", f"{EXTRA} fix=A-1 fix=B-1 fix=C-2", "over yes; winners A"),
    ("A14 with one who did not play it they play another", f"{EXTRA} fix=C6", "winners -; phase tie_break"),
    ("A14 all who are level", f"{EXTRA} fix=C6 next", "seats ABC; extra yes; round 14"),
    ("A14 which decides", f"{EXTRA} fix=C6 next go C A wait yes 7 I next", "over yes; scores 21,12,22; winners C"),
    ("A14 points that leave one of the level ahead", f"{EXTRA} fix=B1", "scores 21,14,9; over yes; winners B"),
    ("A14 in the round itself", "tied: go A wait fix=C12 yes 6 II next", "over yes; winners C"),
    ("R21 ended by hand stays ended", "go A B wait yes 5 next end fix=B5", "over yes"),
    ("A6 only those still tied", f"{TIE} go A B C+0.05 wait last=nobody no I next", "scores 3,4,4; seats BC"),
    ("A6 below the others", "tied: " + "go A wait no III III next " * 3 + "go A wait no III I next", "winners B"),
    ("A6 not one of the twelve", "tied:", "rounds ?; pile 0; level ?; turned_up 4"),
    ("A6 cards kept leave the removed ones", "tied: go A wait no I I next", "removed 26; shuffled no"),
    ("A6 others go back to them", "tied: go scrap next", "removed 28"),
    *[(f"A6 {left} are left", f"tied removed={left}:", f"turned_up {up}") for left, up in ((5, 4), (4, 4), (3, 3))],
    ("A6 enough for the tied", "tied removed=4: go A wait no I I next", "shuffled no; turned_up 2"),
    ("A6 too few: all used are shuffled in", "tied removed=3: go A wait no I I next", "shuffled yes; turned_up 4"),
    # --- options ---
    ("mixed_deck: first the check", "3 mixed_deck=on: go A B wait", "verbs check"),
    ("mixed_deck: then the last one's level", "3 mixed_deck=on: go A B wait yes 6", "verbs level"),
    ("mixed_deck: it is the card's", "3 mixed_deck=on: go A B wait yes 6 III", "scores 6,0,-3; verbs next"),
    ("mixed_deck: a wrong caller's first", "3 mixed_deck=on: go A B wait no II", "scores -2,0,0; verbs level"),
    ("mixed_deck: of all last", f"4 mixed_deck=on: {HEAT} last=all yes 5 II III", "scores 5,-2,0,-3; verbs next"),
    ("mixed_deck: no penalty, no level", f"4 mixed_deck=on: {HEAT} last=nobody yes 5", "verbs next"),
    ("A2 off, but three play", "3 last_penalty_two_players=off: go A B wait", "scores 0,0,-1"),
    ("A2 off, no answer is waited for", "2 last_penalty_two_players=off: go A tick", "phase check"),
    ("A2 off, an extra round of two", "tied last_penalty_two_players=off: go A wait", "last -"),
    ("A1 on", "3 end_counts_penalties=on cards=4,4,4/ penalties=1/: go A B wait yes 4 next", "over yes"),
    ("A1 penalties alone", "3 end_counts_penalties=on penalties=//1,1,1,1: go A B wait yes 4 next", "over yes"),
    ("tie_band kit", "4: go A C B D+5 wait", "last D"),
    *[(f"tie_band {n}", f"4 tie_band={n}: go A C B D+5 wait", f"last {last}") for n, last in ((5, "D"), (6, "?"))],
    ("tie_band is waited for", "4 tie_band=1000: go A C B D+49 wait", "last ?"),
    *[(f"tie_band {n}: Meows", f"4 tie_band={n}: go A B+5 tick", f"caller {who}") for n, who in ((5, "A"), (6, "."))],
    ("A10 by hand: no press", "4 last_by_hand=on: go B tick", "verbs last; last.options A,C,D,all,several,nobody"),
    ("A10 the table names the last", "4 last_by_hand=on: go B tick last=D", "scores 0,0,0,-1"),
    ("A10 two of three", f"4 last_by_hand=on: {SEVERAL} last=A last=no last=D", "scores -1,0,0,-1; phase check"),
    ("A10 one by one nobody", f"4 last_by_hand=on: {SEVERAL} last=no last=no last=no", "last -; phase check"),
    ("A10 two Meows are asked about first", f"4 last_by_hand=on: {MEOWS} tick", "verbs caller"),
    ("A10 then the last", f"4 last_by_hand=on: {MEOWS} tick caller=A", "last.options B,C,D,all,several,nobody"),
    ("A10 two players", "2 last_by_hand=on: go B tick", "last.options A,nobody"),
    ("A10 A2 off", "2 last_by_hand=on last_penalty_two_players=off: go B tick", "phase check"),
    ("response_limit_s runs from the Meow", "4 response_limit_s=3: go A tick", "due 2950"),
    ("response_limit_s: late is last", "3 response_limit_s=1: go A wait", "doubtful BC"),
    ("response_limit_s: one out, it is gone", "3 response_limit_s=3: go A tick B tick", "last C"),
    ("response_limit_s off", "4: go A tick", "due ?"),
    ("round_limit_s runs from the flash", "3 round_limit_s=60: go", "due@ 60000"),
    ("round_limit_s scraps the round", "3 round_limit_s=60: go tick", "phase clean_up; removing 4; scores 0,0,0"),
    ("round_limit_s: over with a Meow", "4 round_limit_s=60: go A tick", "due ?"),
    ("round_limit_s off", "go", "due ?"),
    *[
        (f"round_limit_s: {run} takes no time from it", f"{RULED} {run}+9000 caller=nobody", "due 57949.9; since 9000")
        for run in ("rerun", "resume")
    ],
    # --- what people see ---
    ("the board: start", "3:", "phase hands; turn ABC; lit missing:ABC"),
    ("the board: a hand", "+A", "phase hands; turn BC; lit missing:BC"),
    ("the board: countdown", "+A +B +C", "phase armed; turn -; lit -"),
    ("the board: flash", "go", "phase build; turn ABC; lit -"),
    ("the board: Meow", "go A", "phase build; turn BC; lit missing:BC"),
    ("the board: caller", "go A tick", "phase build; turn BC; lit first:A,missing:BC"),
    ("the board: last", "go A B wait", "phase check; turn -; lit first:A,last:C"),
    ("the board: points", "go A B wait yes", "phase points; turn -; lit first:A,last:C"),
    ("the board: clean up", "go A B wait yes 6", "phase clean_up; turn -; lit first:A,last:C"),
    ("the board: cards", "go A B wait yes 6", "tokens cards:1,penalties:0 cards:0,penalties:0 cards:0,penalties:1"),
    ("the board: dead heat", "go A B C+0.05 wait", "phase dispute; turn -; lit first:A,tie:BC"),
    ("ruled: nothing", "4: go A B C wait", "ruled -"),
    ("ruled: the last of a dead heat", f"4: {HEAT} last=B", "ruled last"),
    ("ruled: the last by hand", "4 last_by_hand=on: go B tick last=A", "ruled last"),
    ("ruled: the caller", f"4: {MEOWS} C wait caller=B", "ruled first"),
    ("ruled: the caller, not yet the last", "4: go A B+0.05 close caller=B", "ruled first"),
    ("labels: check", "go A B wait", "check.label Pattern right?"),
    ("labels: one by one", f"4 last_by_hand=on: {SEVERAL}", "last.label Last, too?"),
    ("labels: scrap", "go", "scrap.label Scrap this round"),
    # --- the same as ---
    ("A8 nobody called: play on from the old flash", f"4: {MEOWS} C wait caller=nobody", "= 4: go"),
    ("a Meow taken back alone leaves the running round", "go A tick ~A", "= go"),
    ("also before it is settled", "go A ~A+10", "= go"),
    ("A10 a ruling seat by seat is one step", f"{BY_HAND} last=several last=A last=no last=D undo", f"= {BY_HAND}"),
    ("R21 redo leads back to the extra round", f"{FIXED} next undo undo redo redo", f"= {FIXED} next"),
    # --- refused ---
    ("T12 the others' buttons are dead: hands", "tied: +C", "! not_offered"),
    ("T12 the others' buttons are dead: Meow", "tied: go C", "! not_offered"),
    ("R6 no press counts before the flash", "+A +B +C A+1", "! not_offered"),
    ("A11 a hand let go after the flash is no false start", "go -B", "! not_offered"),
    ("A7 who is not in the dead heat cannot be named", f"4: {HEAT} last=C", "! bad_value"),
    ("once the last is named nothing is taken back", "go A B wait ~B", "! not_offered"),
    *[(f"R14 no card has {n} points", f"go B A wait yes {n}", "! bad_value") for n in (3, 8)],
    ("response_limit_s: a press at the limit is too late", "4 response_limit_s=1: go A tick B+950", "! not_offered"),
]


@pytest.mark.parametrize(("position", "expected"), rows(POSITIONS))
def test_position(position: str, expected: str) -> None:
    assert Table.found(position, expected) == expected


def test_a10_a_press_carries_its_stamp_and_error() -> None:
    at = Table.at("go").act(A, "meow", error_ns=7)
    assert at.state.ask.race.presses == (Press(A, at.now_ns, 7),)


def test_tie_band_of_the_kit_is_as_wide_as_its_error() -> None:
    at = Table.at("4: go").act(A, "meow", error_ns=10 * MS)
    assert at.act(B, "meow", at_ns=at.now_ns + 9 * MS, error_ns=10 * MS).do("tick").says("caller .") == "caller ."


def test_a_press_is_taken_back_by_holding_ones_own_button() -> None:
    assert Table.at("4: go A tick B").offered("take_back") == [
        Offer(seat, "take_back", joins=True, hold=True) for seat in (A, B)
    ]


@pytest.mark.parametrize(
    ("position", "value", "label"),
    [
        ("go A B wait", "yes", "yes"),
        ("go A B wait yes", 6, "6"),
        ("3 mixed_deck=on: go A B wait no", 3, "III  -3"),
        ("4 last_by_hand=on: go B tick last=several", "no", "not last"),
        ("4: go A B+0.05 tick close", "nobody", "nobody, play on"),
    ],
)
def test_values_are_called_in_words(position: str, value: int | str, label: str) -> None:
    at = Table.at(position)
    assert RULES.label(at.state, at.play.offers[0], value) == label
