"""If It Fits: the worked examples of its rules page, turns and pips, the closing turns, cards as programs lay them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import reduce
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from engine.game import Over, Question
from engine.games import if_it_fits as game
from engine.games.if_it_fits import NO_TOYS, RULES, SPECIAL_TOYS, AwakeLaid, boxes
from engine.games.if_it_fits.boxes import OPEN, Across, Card, Contents, Piece, Place, Sides
from engine.play import Play, answer, fold
from engine.rules import Action, Offer, Refused, Value
from tests.engine import plain, table
from tests.engine.table import SEATS, letters, rows
from tests.simulators.players import Move

A, B = 0, 1


def sides(open_: str) -> Sides:
    """Open sides by their letters: nesw."""
    return (int("n" in open_), int("e" in open_), int("s" in open_), int("w" in open_))


def place(text: str) -> Place:
    column, row = text.split(",")
    return int(column), int(row)


def card(text: str) -> tuple[Any, ...]:
    """A card as it is reported: `1,0` open all round, `1,0:ew:3:1` to east and west, with 3 toys and a spray."""
    where, open_, toys, sprays = (*text.split(":"), *("nesw", "0", "0")[text.count(":") :])
    return place(where), sides(open_), (int(toys), *NO_TOYS[1:]), int(sprays)


def pair(text: str) -> tuple[Place, ...]:
    return tuple(map(place, text.split("/")))


CARDS: dict[str, Callable[[str], Any]] = {
    "start_card": card,
    "build": card,
    "asleep": lambda text: card(text)[:2],
    "princess_asleep": lambda text: card(text)[:2],
    "toy_as_card": lambda text: card(text)[:3],
    "awake": pair,
    "princess": pair,
    "toy": lambda text: (pair(text.partition(":")[0]), (int(text.partition(":")[2] or 0), *NO_TOYS[1:])),
}


class Fits(table.Table):
    """Its own words; where cards are reported, `build=1,0:ew` lays one, `awake=0,0/1,0` a cat across two.

    start         A starts, every starting card is laid, in a column to the south
    over          the turn of whose turn it is
    boxes         the deck is empty, every hand is played out; the first box is asked for
    box=3/1/open/2,1/0,1     a box: toys, or those of each kind, sprays, awake cats by seat, and sleeping ones
    """

    rules = RULES
    facts_of_game: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "may": lambda at: ",".join(
            (f"{SEATS[offer.seat]}." if offer.seat is not None else "") + offer.verb
            for offer in at.play.offers
            if offer.verb != "cats"
        ),
        "usual": lambda at: ",".join(offer.verb for offer in at.play.offers if not offer.menu),
        "laid": lambda at: letters(fact.event.seat for fact in at.facts if isinstance(fact.event, game.StartCardLaid)),
        "played_out": lambda at: letters(
            fact.event.seat for fact in at.facts if isinstance(fact.event, game.TurnEnded)
        ),
        "last_turn": lambda at: at.state.ask.last,
        "black_cats": lambda at: game.black_cats(len(at.play.players)),
        "box_toys": lambda at: at.state.box.toys,
        "across": lambda at: " ".join(f"{a.piece}@{a.west[0]},{a.west[1]}" for a in at.state.table.across),
        "latest": lambda at: "{0.piece}@{0.place[0]},{0.place[1]}".format(at.state.table.cards[-1]),
    }

    def place(self, name: str, value: str) -> None:
        if name == "over":
            self.deal(ask=Over())
        else:
            super().place(name, value)

    def say(self, word: str, at_ns: int) -> None:
        verb, _, value = word.partition("=")
        if word == "start":
            self.act(0, "starter")
            for seat in range(len(self.play.players)):
                self.act(seat, "start_card", card(f"0,{seat}") if self.play.options.entry == "cards" else None)
        elif word == "over":
            self.act(self.play.board.turn[0], "turn_over", at_ns=at_ns)
        elif word == "boxes":
            self.do("start" if self.phase == "setup" else "").do("" if self.state.hands else "deck_empty")
            while self.phase != "box":
                self.do("over")
        elif verb == "box":
            self.count(*value.split("/"))
        elif verb in CARDS and value:
            self.act(self.play.board.turn[0], verb, CARDS[verb](value), at_ns=at_ns)
        else:
            super().say(word, at_ns)

    def count(self, toys: str, sprays: str, closed: str, *cats: str) -> None:
        """Count a box."""
        kinds = [kind for kind in toys.split(",") if kind]
        self.do(" ".join([*kinds, "0"]) if self.play.options.entry == "kinds" else toys)
        self.do(f"sprays={sprays} closed={'yes' if closed == 'closed' else 'no'}")
        for verb, each in zip(("awake_cats", "asleep_cats"), (*cats, "0"), strict=False):
            by_seat = [*map(int, each.split(",")), *[0] * len(SEATS)]
            for offer in self.offered(verb):
                assert offer.seat is not None
                self.act(offer.seat, verb, by_seat[offer.seat])


BOXES = [
    ("T1", "", "3/1/open/1", "2,0,0"),
    ("T1 every kind", "entry=kinds", "3,2/1/open/1", "2,0,0"),
    ("T2", "", "3/1/closed/1", "4,0,0"),
    ("T3", "", "3/1/open/2,1", "3,0,0"),
    ("T4", "", "3/1/closed/2,1", "5,0,0"),
    ("T5", "", "4/0/closed/2,2,1", "9,9,0"),
    ("T6", "entry=kinds", "2,2/0/open/1", "2,0,0"),
    ("T7", "", "1/3/open/1", "-2,0,0"),
    ("T7 closed", "", "1/3/closed/1", "-4,0,0"),
    ("T8", "", "0/0/open/3", "2,0,0"),
    ("T9", "", "5/0/open/0/2", "0,0,0"),
    ("T9 blocks", "sleep_only_blocks=on", "5/0/open/0/2", "0,0,0"),
    ("T10", "", "5/0/open/0,1/2", "0,5,0"),
    ("T10 blocks", "sleep_only_blocks=on", "5/0/open/0,1/2", "0,0,0"),
    ("T11", "", "5/0/open/1,1/1", "6,0,0"),
    ("T11 no sleepers", "sleepers_in_bonus=off", "5/0/open/1,1/1", "5,0,0"),
    ("T12", "advanced=on", "5/0/open/1,2/1", "0,5,0"),
    ("T13", "advanced=on", "5/0/open/1,1/1", "5,0,0"),
    ("T14", "advanced=on", "5/0/open/1,2/2", "5,5,0"),
    ("T15", "", "3/0/open/1,0", "3,0,0"),
    ("T16", "", "5/1/closed/0,0,0", "0,0,0"),
    ("T23", "", "3/2/closed/1", "2,0,0"),
    ("T26", "", "2/0/open/3,2,1", "4,1,0"),
    ("T26 scorers only", "bonus_for_all=off", "2/0/open/3,2,1", "4,0,0"),
    ("R23 a box without toys has no kind", "entry=kinds", "/1/open/1", "-1,0,0"),
    ("A15 half sleepers need an awake cat", "advanced=on", "5/0/open/0,1/3", "0,5,0"),
    ("A1 level with sleepers", "sleep_only_blocks=on", "5/0/open/0,1/1", "0,5,0"),
    ("A1 half sleepers", "sleep_only_blocks=on advanced=on", "5/0/open/0,1/3", "0,0,0"),
]


@pytest.mark.parametrize(("options", "box", "points"), rows(BOXES))
def test_a_box_scored(options: str, box: str, points: str) -> None:
    assert Fits.at(f"3 {options}: boxes box={box}").says("scores") == f"scores {points}"


FOUR = "2: start " + "A.awake over over " * 4  # A has one cat left, and it is A's turn
LAST = "3: start deck_empty over"
TIMER = "3 turn_timer_s=60: start timer"
NOTED = "2: start A.awake over over boxes"  # a cat of A was noted, none of B
UP_TO_CATS = "toys=1 sprays=0 closed=no"
BOX = "2: boxes box=3/0/open/1,0"
PUT_BACK = "A.asleep over A.cat_back over " * 2 + "A.asleep over"
LAID = "2 entry=cards: start"
CAT = f"{LAID} build=1,0 awake=0,0/1,0 over"
SLEEPER = f"{LAID} asleep=1,0 over"
PRINCESS = f"{SLEEPER} princess_asleep=1,0 over"

POSITIONS = [
    # --- the end ---
    ("T22", "2 over points=20,20 negatives=3,5:", "winners A"),
    ("T23 doubled spray points are noted", "boxes box=3/2/closed/1", "negatives 4,0,0"),
    ("A8 only for who scores", "boxes box=1/3/open/2,2,1", "negatives 3,3,0"),
    ("R26 equal in both share", "3 over points=20,20,19 negatives=3,3,0:", "winners AB"),
    ("R26 the fewest negative points alone do not win", "2 over points=20,19 negatives=3,0:", "winners A"),
    ("R26 points fixed after the end", "2 over points=20,19 negatives=5,3: fix=B1", "over yes; winners B"),
    ("R26 points fixed by hand count", "2 over points=20,19 corrected=0,2:", "scores 20,21; winners B"),
    ("T20 the fifth cat triggers the end", f"{FOUR} A.awake", "hands 2,2"),
    ("T20 a sleeping one, too", f"{FOUR} A.asleep", "hands 2,2"),
    ("T20 a Princess does not undo it", f"{FOUR} A.awake over A.cat_back over", "hands 2,1; ?awake A; ?asleep -"),
    ("T20 the cat laid again changes no hand", f"{FOUR} A.awake over A.cat_back over A.awake", "hands 2,1"),
    ("A14 a cat back before the end may sleep", "2: start A.awake over A.cat_back over", "?awake A; ?asleep A"),
    ("T21 who draws the last card", "start over deck_empty", "turn B; last_turn no; hands 2,2,2; ?asleep -"),
    ("T21 after it", "start over deck_empty over", "may C.turn_over,C.hand_empty,C.awake; last_turn yes"),
    ("R21 two closing turns for two", "2: boxes", "played_out ABABA"),
    ("R21 two closing turns for five", "5: boxes", "played_out ABCDEABCDEA"),
    ("A13 an empty hand is skipped", f"{LAST} B.hand_empty over over over", "turn A; hands 1,0,0"),
    ("A13 the last one leads to the boxes", "2: start deck_empty over B.hand_empty A.hand_empty", "phase box"),
    ("A13 by holding", LAST, "hand_empty.hold yes"),
    # --- setup and turns ---
    ("R1 five cats each", "5:", "cats 5,5,5,5,5; ask Starter; ?starter ABCDE"),
    ("T24", "4: start", "black_cats 4; laid ABCD; turn A"),
    ("R5 from the starter", "C start_card start_card start_card", "laid CAB; turn C; order CAB"),
    ("R5 turns go round", "C start_card start_card start_card over over", "turn B"),
    ("R6 from the menu", "start", "usual turn_over; may A.turn_over,A.awake,A.asleep,deck_empty,A.toy,A.toy_as_card"),
    ("the board", "start A.awake over B.asleep", "tokens cats:4,negatives:0 cats:4,negatives:0 cats:5,negatives:0"),
    ("a cat on the table is a pip less", "start A.awake over B.asleep", "cats 4,4,5"),
    ("cats are put right", "start A.awake A.cats=2 C.cats=3", "cats 2,5,3; cats.high 5,5,5; cats.prefill 2,5,3"),
    ("not of a turn", "start A.cats=2", "may A.turn_over,A.awake,A.asleep,deck_empty,A.cat_back,A.toy,A.toy_as_card"),
    ("a cat too many goes back", "start A.awake A.cats=5", "cats 5,5,5"),
    ("R20 the fifth cat was forgotten", "start B.cats=0", "hands 2,2,2"),
    ("R20 told in the closing turns", "2: start deck_empty over over B.cats=0", "hands 2,1"),
    ("R12 one awake cat a turn", "start A.awake", "?awake -; ?asleep -"),
    ("R7 a sleeping cat is the turn", "start A.asleep", "may A.turn_over"),
    ("without a cat left", f"{FOUR} A.awake over over", "?awake -; turn A"),
    ("R18 any cat on the table goes back", "start A.awake over B.asleep over", "?cat_back AB"),
    ("R18 also one's own", "2: start A.asleep over over A.cat_back", "cats 5,5"),
    ("R18 no cat is placed with a Princess", "2: start A.asleep over A.cat_back", "may B.turn_over,deck_empty"),
    ("R2 as many black cats as players", f"2: start {PUT_BACK}", "?cat_back -"),
    ("R2 more in the advanced game", f"2 advanced=on: start {PUT_BACK}", "?cat_back A"),
    ("A4 a drawn toy is the turn", "start A.toy", "may A.turn_over,deck_empty"),
    ("A4 as a card a cat may follow", "start A.toy_as_card", "?awake A"),
    ("A4 off: another card is drawn", "3 toy_is_turn=off: start A.toy", "?awake A; ?asleep -"),
    ("R19 three special toys", "2: start A.toy over B.toy over A.toy over", "?toy -; ?toy_as_card -; turn B"),
    ("R21 no toy in the closing turns", LAST, "?toy -; phase last_turns"),
    ("R20 the end is triggered once", "start deck_empty", "?deck_empty -; phase turn"),
    ("sleepers_asked off", "3 sleepers_asked=off: start", "?asleep -"),
    (
        "closing turns count down",
        f"{LAST} over",
        "tokens cats:5,negatives:0,turns:2 cats:5,negatives:0,turns:1 cats:5,negatives:0,turns:2",
    ),
    # --- the timer ---
    ("turn_timer_s off", "start", "?timer -"),
    ("turn_timer_s runs from a press", TIMER, "due 60000"),
    ("turn_timer_s: the turn goes on", f"{TIMER} tick", "lit last:A; ?turn_over A; ?timer -"),
    ("turn_timer_s: a turn that ends in time", f"{TIMER} over", "due ?; ?timer *"),
    # --- boxes counted ---
    ("R23 toys", "boxes", "toys.low 0; toys.high 30; toys.prefill 0"),
    ("R23 sprays", "boxes 1", "sprays.low 0; sprays.high 20; sprays.prefill 0; usual sprays"),
    ("R24 closed", "boxes 1 1", "closed.options yes,no"),
    ("R25 awake cats", "boxes 1 1 yes", "?awake_cats ABC; ?asleep_cats -"),
    ("R25 sleeping cats", "boxes 1 1 yes A1 B1 C1", "?asleep_cats ABC"),
    ("R25 the box is counted", "boxes 1 1 yes A1 B1 C1 A0 B0 C0", "ask Result"),
    ("sleepers_asked off: boxes", f"3 sleepers_asked=off: boxes {UP_TO_CATS} C1 B0 A0", "ask Result; scores 0,0,1"),
    ("in any order", f"boxes {UP_TO_CATS} C2", "?awake_cats AB; awake_cats.high 5,5; awake_cats.joins yes,yes"),
    ("up to those on the table", f"2: start A.awake over over A.awake boxes {UP_TO_CATS}", "awake_cats.high 2,5"),
    ("not counted again", f"2: boxes box=1/0/open/3,5/1,0 next {UP_TO_CATS}", "?awake_cats A; awake_cats.high 1"),
    ("a cat is either awake or asleep", f"2: boxes {UP_TO_CATS} A3 B5", "?asleep_cats A; asleep_cats.high 2"),
    ("every cat is counted", "2: boxes box=1/0/open/5,5", "may done"),
    *[
        (f"forgotten, told before {asked}", f"{NOTED} {words} A.cats=2", f"uncounted 3,5; cats 2,5; ?{asked} {who}")
        for asked, words, who in (
            ("toys", "", "*"),
            ("sprays", "toys=1", "*"),
            ("closed", "toys=1 sprays=0", "*"),
            ("awake_cats", UP_TO_CATS, "AB"),
        )
    ],
    ("where none was noted, none is missed", NOTED, "?cats A; cats.high 4; cats.prefill 4"),
    ("forgotten, counted at once", f"{NOTED} {UP_TO_CATS} A.cats=2", "awake_cats.high 3,5"),
    ("who had none left is asked", f"{NOTED} {UP_TO_CATS} A1 B0 B0 next {UP_TO_CATS} A.cats=3", "awake_cats.high 1,5"),
    ("asleep", f"2: start {'A.awake over over ' * 2}boxes {UP_TO_CATS} A2 B0 A.cats=2", "asleep_cats.high 1,5"),
    ("forgotten, when all are counted", f"{NOTED} {UP_TO_CATS} A1 B5 A.cats=3", "may next,done"),
    ("all boxes done", f"{BOX} done", "over yes; winners A; phase over; lit winner:A"),
    ("also before the next one", f"{BOX} next done", "over yes; round 1"),
    ("the box is the round", f"{BOX} next", "round 2; toys.label Box 2: toys?"),
    ("who scored is marked", "boxes box=3/0/open/1,2,2", "lit first:BC"),
    ("boxes add up", "boxes box=3/1/closed/2,1 next box=2/4/open/1,0,1", "scores 3,0,-2"),
    ("every kind of one box", "boxes count_kinds 2 4 0", "box_toys 4; ask Sprays"),
    ("eight kinds at most", "3 entry=kinds: boxes 1 1 1 1 1 1 1 1", "usual sprays"),
    # --- cards as programs lay them ---
    ("T18 no cat where another's is", f"{LAID} build=1,0:w over build=1,1:w awake=0,1/1,1 over build=-1,1", "?awake -"),
    ("R6 no cat yet", LAID, "?awake -; ?turn_over -; may A.build,A.discard,A.toy_as_card,A.asleep,deck_empty"),
    ("an awake cat is a pip less", CAT, "cats 4,5"),
    ("A9 in place of a sleeping cat", f"{SLEEPER} princess_asleep=1,0:w", "cats 5,5; latest princess@1,0"),
    ("A9 in place of an awake cat", f"{CAT} princess=1,0/0,0", "cats 5,5; across princess@0,0"),
    ("A9 without a cat she is discarded", f"{LAID} build=1,0 deck_empty over discard", "may B.turn_over"),
    ("A10 a card without a place is discarded", f"{LAID} build=1,0 over discard over", "turn A"),
    ("A10 a side entry of the menu", LAID, "discard.menu yes"),
    ("A10 in a closing turn", f"{LAID} build=1,0 deck_empty over discard over", "turn A; hands 2,1"),
    ("A10 it is no black cat", f"{LAID} discard over discard over asleep=1,0 over", "?princess_asleep B"),
    ("A10 not once a card was played", f"{LAID} build=1,0", "?discard -"),
    ("R19 a toy lies across two cards", f"{LAID} build=1,0 over", "?toy B; ?toy_as_card -"),
    ("A4 a toy as a card may hold a cat", f"{LAID} toy_as_card=1,0 awake=0,0/1,0", "cats 4,5"),
    ("A4 off: still a card", f"{LAID.replace(':', ' toy_is_turn=off:')} toy_as_card=1,0", "?build A; ?turn_over -"),
    # --- the same as ---
    ("as many cats as were known", "start A.cats=5", "= start"),
    ("a turn against the clock is undone to its start", f"{TIMER} A.awake over undo", "= 3 turn_timer_s=60: start"),
    ("with cats put right in it", f"{TIMER} B.cats=3 over undo", "= 3 turn_timer_s=60: start"),
    ("its time stands still without power", f"{TIMER} A.awake resume+9000", "due 59000"),
    *[
        (f"also for an undo across {runs}", f"{TIMER} fix=B5 {after} undo+0", "due 59000; scores 0,0,0")
        for runs, after in (
            ("a run of the same boot", "rerun+9000"),
            ("two of them", "rerun+9000 rerun+8000"),
            ("one of each kind", "rerun+9000 resume+8000"),
            ("the other way round", "resume+9000 rerun+8000"),
            ("one, and all forth and back", "rerun+9000 undo+0 redo+0"),
        )
    ],
    ("one undo takes back the cats of all", f"boxes {UP_TO_CATS} A1 B1 C1 undo", f"= boxes {UP_TO_CATS}"),
    ("with a forgotten one", f"{NOTED} {UP_TO_CATS} A1 A.cats=3 B1 undo", f"= {NOTED} {UP_TO_CATS}"),
    ("what a program reports is one step", f"{LAID} build=1,0 undo", f"= {LAID}"),
    # --- refused ---
    ("R6 only whose turn it is", "start B.turn_over", "! not_offered: seat 1 cannot turn_over now"),
    ("R6 a card has to be played", f"{LAID} over", "! not_offered: seat 0 cannot turn_over now"),
    ("R9 taken", f"{LAID} build=0,1", "! bad_value: build: a card lies at (0, 1)"),
    ("R8 alone", f"{LAID} build=4,4", "! bad_value: build: (4, 4) touches no card"),
    (
        "too many toys",
        f"{LAID} build=1,0:e:10",
        "! toys (10, 0, 0, 0, 0, 0, 0, 0) and sprays 0: must be 0 to 9 of each",
    ),
    (
        "too few sprays",
        f"{LAID} build=1,0:e:0:-1",
        "! toys (0, 0, 0, 0, 0, 0, 0, 0) and sprays -1: must be 0 to 9 of each",
    ),
    ("R10", f"{LAID.replace(':', ' advanced=on:')} build=1,0:nsw over build=2,0:nes", "! two walls meet to the west"),
    ("R5 starting cards", "2 entry=cards: A start_card=0,0 start_card=1,0", "! join by their short sides"),
    ("T19", f"{LAID} build=1,0 awake=0,0/0,1", "! awake: (0, 0) and (0, 1) do not touch by their long sides"),
    ("A9 she is not replaced", f"{PRINCESS} asleep=2,0 over princess_asleep=1,0", "! no cat lies asleep at (1, 0)"),
    ("A9 she needs a cat", f"{CAT} princess=1,0/2,0", "! princess: no cat lies awake across (1, 0) and (2, 0)"),
    ("A6 a toy not on a cat", f"{CAT} build=1,1 over toy=0,0/1,0", "! toy: something lies across (0, 0) and (1, 0)"),
]


@pytest.mark.parametrize(("position", "expected"), rows(POSITIONS))
def test_position(position: str, expected: str) -> None:
    assert Fits.found(position, expected) == expected


UNLIKE: list[tuple[str, Value, str]] = [
    (
        "no such side",
        ((1, 0), (1, 2, 1, 1), NO_TOYS, 0),
        "sides (1, 2, 1, 1): north, east, south and west must each be 1",
    ),
    (
        "short",
        ((1, 0), OPEN),
        "((1, 0), (1, 1, 1, 1)): must be something like ((0, 0), (1, 1, 1, 1), (0, 0, 0, 0, 0, 0, 0, 0)",
    ),
    ("a word", ((1, "0"), OPEN, NO_TOYS, 0), "((1, '0'), (1, 1, 1, 1)"),
    ("true", ((1, True), OPEN, NO_TOYS, 0), "((1, True), (1, 1, 1, 1)"),
    ("no tuple", ((1, 0), 1, NO_TOYS, 0), "((1, 0), 1, (0, 0, 0, 0, 0, 0, 0, 0), 0): must be something like"),
]


@pytest.mark.parametrize(("value", "reason"), rows(UNLIKE))
def test_a_card_of_another_shape_is_refused(value: Value, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        Fits.at(LAID).act(A, "build", value)
    assert str(refusal.value).startswith(f"build: {reason}")


def test_there_are_three_special_toys() -> None:
    assert SPECIAL_TOYS == 3


def test_every_example_is_legal() -> None:
    play = Fits.at(f"{CAT} asleep=1,1 over").play
    for each in play.offers:
        answer(play, Action(each.seat, each.verb, each.example))
    verbs = [offer.verb for offer in play.offers if offer.example is not None]
    assert verbs == ["build", "princess", "princess_asleep", "toy_as_card", "asleep"]


def test_a_toy_adds_its_icons_to_the_box() -> None:
    at = Fits.at(f"{CAT} build=1,1 over toy=0,1/1,1:3")
    [only] = boxes.boxes(at.state.table)
    assert boxes.contents(at.state.table, only, 2).toys == 3


def last_turns(words: str) -> Fits:
    """The deck is empty; both play out their hands far to the north."""
    at = Fits.at(words)
    row = min(lying.place[1] for lying in at.state.table.cards) - 1
    return at.do(f"build=0,{row}: deck_empty over " + " ".join(f"build={n},{row}: over" for n in (1, 2, 3, 4)))


CLOSING = f"{LAID} build=1,0:w:3 over build=-1,0:e over build=-1,1:e over build=1,1:w awake=0,1/1,1 over"
PLAYED = [
    (
        "every box is scored",
        f"{LAID} build=1,0:we:3 awake=0,0/1,0 over build=-1,0:e:0:1 over",
        "over yes; scores 2,0; negatives 1,0; winners A",
    ),
    ("T2 a closed box counts double", f"{CLOSING} build=0,2: over build=0,3: over", "scores 0,6"),
    ("T16 boxes without cats are skipped", LAID, "over yes; boxes 0"),
]


@pytest.mark.parametrize(("position", "facts"), rows(PLAYED))
def test_when_all_hands_are_empty_cards_are_scored(position: str, facts: str) -> None:
    assert last_turns(position).says(facts) == facts


LYING = {"P": Piece.PRINCESS, "T": Piece.TOY}


def on(text: str) -> boxes.Table:
    """A table: `0,0:ew` a card, `A=0,1` A's cat asleep, `A>0,0` A's cat awake from there to the east, P> a Princess."""
    cards, across = list[Card](), list[Across]()
    for who, how, lying in re.findall(r"(?:([A-Z])([=>]))?(\S+)", text):
        where, open_, *_ = card(lying)
        if how == ">":
            owner = None if who in LYING else SEATS.index(who)
            across.append(Across(where, LYING.get(who, Piece.AWAKE), owner, (0, 4) if who == "T" else ()))
        elif how:
            cards.append(Card(where, open_, piece=Piece.ASLEEP, owner=SEATS.index(who)))
        else:
            cards.append(Card(where, open_))
    return boxes.Table(tuple(cards), tuple(across))


TOGETHER = [
    ("long sides", "0,0 1,0", "0,0+1,0"),
    ("short side to side", "0,0 0,1", "0,0+0,1"),
    ("a wall", "0,0:nsw 1,0", "0,0 1,0"),
    ("the other's wall", "0,0 1,0:nes", "0,0 1,0"),
    ("two walls", "0,0:nsw 1,0:nes", "0,0 1,0"),
    ("corners", "0,0 1,1", "0,0 1,1"),
    ("round a corner", "0,0:s 1,0:s 0,1:ne 1,1:nw", "0,0+0,1+1,0+1,1"),
]


@pytest.mark.parametrize(("lying", "together"), rows(TOGETHER))
def test_what_hangs_together(lying: str, together: str) -> None:
    found = [sorted(each) for each in boxes.boxes(on(lying))]
    assert " ".join("+".join(f"{x},{y}" for x, y in box) for box in found) == together


CLOSED = [
    ("walls all round", "0,0:", True),
    ("an open side", "0,0:e", False),
    ("open sides joined", "0,0:e 1,0:w", True),
    ("T25", "0,0:e 1,0:", True),
    ("open further on", "0,0:e 1,0:nw", False),
]


@pytest.mark.parametrize(("lying", "closed"), rows(CLOSED))
def test_closed_boxes(lying: str, closed: bool) -> None:
    cards = boxes.cards_by_place(on(lying))
    assert boxes.closed(cards, boxes.box_at(cards, (0, 0))) is closed


def test_what_counts_in_a_box() -> None:
    lying = boxes.Table(
        (
            Card((0, 0), sides("e"), (1, 2), 1),
            Card((1, 0), sides("ew"), (2, 0), 2),
            Card((2, 0), sides("w"), piece=Piece.ASLEEP, owner=B),
            Card((5, 5), OPEN, (9, 9), 9),
        ),
        (Across((0, 0), Piece.AWAKE, A), Across((7, 7), Piece.AWAKE, A)),
    )
    everything = boxes.contents(lying, boxes.box_at(boxes.cards_by_place(lying), (0, 0)), 2)
    assert everything == Contents(3, 3, True, (1, 0), (0, 1))


def test_a_special_toy_counts_in_its_box_and_a_princess_does_not() -> None:
    lying = on("0,0:e 1,0:we 2,0:w T>0,0 P>1,0")
    assert boxes.contents(lying, frozenset({(0, 0), (1, 0), (2, 0)}), 2) == Contents(4, 0, True, (0, 0), (0, 0))


ROW = "0,0 1,0 2,0:nes 0,1 B>1,0"
TWO_WALLS = "two walls meet to the west: in the advanced game a wall meets an open side"
MAY_LIE = [
    ("R9", ROW, "1,0", True, "a card lies at (1, 0)"),
    ("R8 alone", ROW, "5,5", True, "(5, 5) touches no card"),
    ("R8 by a corner", ROW, "3,1", True, "(3, 1) touches no card"),
    ("R10 wall to open side", ROW, "3,0:", True, None),
    ("R10 advanced: wall to open side", ROW, "2,1:", False, None),
    ("R10 wall to wall", "0,0:", "1,0:nes", True, None),
    ("R10 advanced: wall to wall", "0,0:", "1,0:nes", False, TWO_WALLS),
]


@pytest.mark.parametrize(("lying", "laid", "double_walls", "reason"), rows(MAY_LIE))
def test_where_a_card_may_lie(lying: str, laid: str, double_walls: bool, reason: str | None) -> None:
    where, open_, *_ = card(laid)
    assert boxes.bad_card(on(lying), where, open_, double_walls=double_walls) == reason


STARTING = [("south", "0,1", True), ("north", "0,-1", True), ("long", "1,0", False), ("apart", "0,2", False)]


@pytest.mark.parametrize(("where", "fits"), rows([*STARTING, ("taken", "0,0", False)]))
def test_r5_starting_cards_join_by_their_short_sides(where: str, fits: bool) -> None:
    assert (boxes.bad_start(on("0,0"), place(where)) is None) is fits


def test_r5_the_first_card_lies_in_the_middle() -> None:
    assert boxes.bad_start(boxes.Table(), (0, 1)) == "the first card lies at (0, 0)"


ANOTHERS = "another player's cat is in the box of (0, 0), and none of seat 0"
CATS = [  # across two cards, after the one named last was laid
    ("T19 short sides", ROW, "B 0,0 0,1 0,0", "(0, 0) and (0, 1) do not touch by their long sides"),
    ("T19 wall", "0,0:e 1,0:", "A 0,0 1,0 0,0", "a wall is between (0, 0) and (1, 0)"),
    ("T19 old", ROW, "B 0,0 1,0 2,0", "neither (0, 0) nor (1, 0) was laid this turn: that is (2, 0)"),
    ("T17", ROW, "A 0,0 1,0 0,0", ANOTHERS),
    ("T17 own cat", ROW, "B 0,0 1,0 0,0", None),
    ("T17 own cat asleep", f"{ROW} A=0,2", "A 0,0 1,0 0,0", None),
    ("R11", "0,0:e 1,0:we 2,0:w A>0,0", "A 2,0 1,0 2,0", None),
    ("R11 the other's wall", ROW, "B 2,0 1,0 2,0", "a wall is between (2, 0) and (1, 0)"),
    ("R11 no card", ROW, "B 3,0 2,0 2,0", "no cardboard card lies at (3, 0)"),
    ("R11 a sleeper is no cardboard", "0,0 A=1,0", "A 0,0 1,0 0,0", "no cardboard card lies at (1, 0)"),
    ("A6 taken", "0,0:e 1,0:w A>0,0", "A 1,0 0,0 0,0", "something lies across (1, 0) and (0, 0)"),
    ("R16", "0,0 1,0 B=0,1", "A 0,0 1,0 0,0", ANOTHERS),
    ("A9 a Princess blocks nobody", "0,0:e 1,0:we 2,0:w P>1,0", "A 0,0 1,0 0,0", None),
]


@pytest.mark.parametrize(("lying", "cat", "reason"), rows(CATS))
def test_where_a_cat_may_lie(lying: str, cat: str, reason: str | None) -> None:
    seat, *places = cat.split()
    one, other, laid = map(place, places)
    assert boxes.bad_cat(on(lying), SEATS.index(seat), one, other, laid) == reason


def test_a6_other_players_cats_do_not_keep_a_toy_out() -> None:
    assert list(boxes.toy_places(on(ROW))) == [((0, 0), (1, 0))]


def some_value(offer: Offer, dice: Random) -> Value:
    """Something like the example, somewhere near: many sides are walls, so that boxes close."""

    def some(example: Any) -> Any:
        match example:
            case (int(), int()):
                return (dice.randint(-2, 3), dice.randint(-2, 3))
            case (int(), int(), int(), int()):
                return tuple(dice.choice((0, 1, 1)) for _ in range(4))
            case tuple():
                return tuple(map(some, example))
            case _:
                return dice.choice((0, 0, 0, 1, 2))

    if offer.example is None:
        return None
    return tuple(map(some, offer.example)) if dice.random() < 0.9 else offer.example


def laid_at_random(players: int, seed: int) -> tuple[Play, list[Move]]:
    """A game of cards to its end: what the rules forbid is tried, too, and changes nothing."""
    dice, moves = Random(seed), list[Move]()
    play = Fits(players, entry="cards", advanced=dice.random() < 0.3, toy_is_turn=dice.random() < 0.7).play
    while not play.over:
        usual = [offer for offer in play.offers if not offer.hold and (not offer.menu or len(moves) > 90)]
        often = [{"build": 8, "awake": 20, "turn_over": 3}.get(offer.verb, 1) for offer in usual]
        [offer] = dice.choices(usual, often)
        action = Action(offer.seat, offer.verb, some_value(offer, dice))
        try:
            facts = answer(play, action)
        except Refused:
            continue
        play = reduce(fold, facts, play)
        moves.append(Move(play.step, action.verb, action.seat, action.value, 0, 0, facts))
    return play, moves


@pytest.mark.parametrize("tens", range(20))
def test_cards_laid_at_random_score_as_the_second_scorer_says(tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        players = 2 + seed % 4
        play, moves = laid_at_random(players, seed)
        found = plain.SCORERS["if_it_fits"](players, asdict(play.options), moves)
        assert (found.totals, found.winners) == (list(play.scores), list(play.winners))


def test_labels_fit_a_line_of_the_menu() -> None:
    questions = [each for each in vars(game).values() if isinstance(each, type) and issubclass(each, Question)]
    long = [verb.label for each in questions for verb in each.verbs.values() if len(verb.label) > 21]
    assert long == []


def test_in_early_journals_an_awake_cat_of_a_box_was_a_forgotten_one() -> None:
    assert AwakeLaid(A, None).fold(Fits.at(NOTED).state).cats == (3, 5)


def test_events_with_cards_are_read_back_as_they_were_written() -> None:
    event = Fits.at(f"{LAID} build=1,0:ns:2:1").facts[-1].event
    assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
