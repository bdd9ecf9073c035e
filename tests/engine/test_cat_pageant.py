"""CAT Pageant: the worked examples of its rules page, every question in turn, and cats that are all known."""

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from engine.game import act
from engine.games.cat_pageant import RULES, carryover, rounds, scoring
from engine.games.cat_pageant.fanciers import FancierSaved
from engine.games.cat_pageant.table import LETTERS, Cat, choices, draw_size, ended, media_bonus, most_cats, room, supply
from engine.rules import Action, Chance, Refused, Value
from tests.engine import table
from tests.engine.table import SEATS, letters, rows

FANCIER = (3, 6, 1, 4)  # lowest and highest moxie, lowest and highest hustle
PIP, MO = ("PIP", 2, 5, 1, 4), ("MO", 3, 6, 0, 2)
ASKED = {
    "adopt": rounds.Adopt(0),
    "order": rounds.Order(),
    "pageants": rounds.Pageants(),
    "groom": rounds.Groom(0),
    "show": rounds.ShowCat(0),
    "result": rounds.Result(),
    "final": scoring.Final(),
}


def cat(text: str) -> Cat:
    """A cat: `cube3` came in an earlier round, `cube3*` is groomed, `cube3!` came in this one."""
    found = re.fullmatch(r"(\w+?)(\d+)([*!]?)", text)
    assert found is not None
    return Cat(found[1], int(found[2]), groomed=found[3] == "*", fresh=found[3] == "!")


def cat_text(cat: Cat) -> str:
    return f"{cat.trick}{cat.moxie}{'*' if cat.groomed else '!' if cat.fresh else ''}"


def fanciers(known: tuple[Any, ...]) -> str:
    return " ".join(f"{name}:{','.join(map(str, stats))}" for name, *stats in known)


class Pageant(table.Table):
    """Its own words: `adopt=5` cats are taken by whoever is asked, then everybody passes.

    A position may have `known=PIP,MO`, what the kit has kept; `fanciers=3624/2514`, those not given are all alike;
    `at=groom`, a question of a later round, with `on_hustle=1,1`, cubes, `shows=2`, pageants, and `hand=cube3,show1*`,
    the cats of A; or `end`, a round is over and the deck is empty.
    """

    rules = RULES
    usual: ClassVar[Mapping[str, object]] = {"placing_countdown": 0}
    facts_of_game: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "known": lambda at: fanciers(at.state.known),
        "kept": lambda at: fanciers(carryover(at.state)),
        "saved": lambda at: fanciers(tuple(f.event.fancier for f in at.facts if isinstance(f.event, FancierSaved))),
        "mine": lambda at: ",".join(map(cat_text, at.state.hand[0])),
        "won": lambda at: letters(at.state.round.won),
        "lots": lambda at: letters(at.state.round.lots),
        "on_hustle": lambda at: at.state.round.hustle,
        "acted": lambda at: letters(
            fact.event.seat
            for fact in at.facts
            if isinstance(fact.event, rounds.Adopted | rounds.Passed | rounds.GroomDone)
        ),
        "ends": lambda at: ended(at.state),
        "supply": lambda at: supply(at.state),
        "room": lambda at: room(at.state, 0),
        "may_show": lambda at: ",".join(choices(at.state, 0)),
    }

    def place(self, name: str, value: str) -> None:
        players = len(self.play.players)
        match name:
            case "known":
                names = {"PIP": PIP, "MO": MO}
                self.act(None, "recall", tuple(names[known] for known in value.split(",") if known))
            case "fanciers":
                given = iter(filter(None, value.split("/")))
                for seat in SEATS[:players]:
                    self.do(" ".join(f"{seat}{number}" for number in next(given, "3614")) + " name=no")
            case "at":
                order = tuple(range(players))
                ask = rounds.Hustle.of(players) if value == "hustle" else scoring.Media.of(players)
                self.deal(stats=(FANCIER,) * players, moxie=(3,) * players, hustle=(1,) * players, deck=20)
                self.deal(round=2, order=order, ask=ASKED.get(value, ask))
            case "end":
                self.place("at", "result")
                self.place("shows", "1")
                self.deal(won=(None,), taken=(1,) * players, deck=0, scored=(2, 2, 0))
            case "on_hustle":
                now = replace(self.state.round, hustle=self.read(value))
                self.play = dataclasses.replace(self.play, state=replace(self.state, round=now))
            case "shows":
                self.deal(shown=((0,) * players,) * int(value))
            case "hand":
                hand = tuple(map(cat, value.split(",")))
                self.deal(hand=(hand, ()), cats=(len(hand), 0))
            case _:
                super().place(name, value)

    def say(self, word: str, at_ns: int) -> None:
        if not word.startswith("adopt="):
            super().say(word, at_ns)
            return
        self.do("take " * int(word.removeprefix("adopt=")))
        while self.phase == "adopt":
            self.do("pass")


NUMBERS = "A3 A6 A1 A4"
ON_CARDS = "2 entry=cards at"
TAKING = f"{ON_CARDS}=adopt hand=show3 middle=2 on_hustle=1,1 moxie=5,3: take trick=cube"
GROOMING = f"{ON_CARDS}=groom shows=1 moxie=4,3"
SHOWING = f"{ON_CARDS}=show shows=1"
MISFITS = f"{SHOWING} show=4,0 pageants=show, tricks=registration/ hand=show1*,wild2*,groom3*,groom4*"
SHORT = "cats=2,2,2 fanciers=3624"  # so many cats are left when the first player draws
SHOW = "cats=4,4,4 rest=3,3,3: pageants all_done"  # everybody has cats of earlier rounds, and cubes
ADOPTED = "2 turn_timer_s=30 fanciers=3624: A2 B1 draw take take"
LEVEL = "2 fanciers=3624: A2 B2 draw"
COUNTED = "3 end scored=3,3,3"
FIXED = f"{COUNTED} cats=2,2,3: next A9 B8 C7 A0 B0 C0 fix=B1"  # A had won by a point
GROWN = "2 at=pageants middle=1 rest=3,3 cats=4,4 scored=3,1 pile=30,7 counted=3,1: pageants all_done A1 B0"
TWELVE = ",".join(["cube1*"] * 12)
LEARNT = "learn cube_1_groomed learn show_2_groomed learn media_3"
LEARNING = f"{GROOMING} rest=3,0 show=1,0 hand=cube1*,show2*,media3: {LEARNT}"
SAVED = f"3 deck=5 {SHORT}: A3 B2 C2 draw adopt=4 pageants all_done A0 B1 C1"
CLOSING = f"{SHOWING} deck=0 pageants=cube, show=2,0 tricks=media,show/ hand=cube3*"
TWO_SHOWS = f"{ON_CARDS}=show shows=2 show=1,0 pageants=cube,cube tricks=show/ deck=3"
THREE = "hand=cube1*,show1*,groom1* show=1,0"

POSITIONS = [
    # --- the worked examples ---
    ("T1", "2 fanciers: A3 B0", "draw.label Draw 5 cats"),
    ("T1 cats drawn lie in the middle", "2 fanciers: A3 B0 draw", "middle 5; deck 37"),
    ("T2 a cat that fits", TAKING, "moxie.low 1; moxie.high 2"),
    ("T2 is adopted", f"{TAKING} moxie=2", "mine show3,cube2!"),
    ("T2 a hustle cube moves onto it", TAKING, "on_hustle 0,1; middle 1; taken 1,0"),
    ("T3 without a cube on hustle", "2 fanciers: A0 B0 draw", "ask Pageants"),
    ("T3 who has none left is not asked", "2 fanciers: A1 B2 draw B.take A.take B.take", "ask Pageants; middle 1"),
    ("T4", f"3 at=pageants middle=1 {SHOW} A2 B0 C1", "scored 3,0,1; won A; deck 20; lit first:A"),
    ("T5", f"3 at=pageants middle=2 {SHOW} A1 B0 C0 A1 B0 C2", "won AC; scored 3,0,3"),
    *[
        (
            f"{name}: {copies} copies, {cubes} cubes",
            f"{SHOWING} hand={TWELVE} show={cubes},0 pageants=cube, tricks={'show,' * copies}/: {'1_cube_1 ' * cats}",
            f"scored {cats + 1},0; ask CardMoxie",  # and the pageant card
        )
        for name, copies, cubes, cats in (("T7", 0, 1, 1), ("T7", 1, 1, 2), ("T7", 2, 1, 3), ("T22", 2, 3, 9))
    ],
    ("T8", f"{GROOMING} rest=2,0 tricks=groom/ hand=cube1,show2: cube_1 show_2", "mine cube1*,show2*; rest 1,0"),
    ("T8 training is still one", f"{GROOMING} rest=2,0 tricks=groom/ hand=cube1: train_moxie", "moxie 5,3; rest 1,0"),
    ("T9", LEARNING, "tricks cube,show,media/; mine -; ask Result"),
    ("T10", "2 at=hustle hustle=2,3 stats=3,6,1,4/3,6,2,4: A2 B1", "order AB"),
    ("T11", "3 at=hustle hustle=5,3,4: A0 B0 C0", "order ACB"),
    ("T11", "3 fanciers=3624/3614/3624: A3 B2 C2 draw adopt=3 pageants done done done", "order ACB; acted ACBACBACB"),
    ("T12", "2 fanciers=3634: A2 B3 draw A.take B.take A.take", "order AB; ask Adopt; turn B"),
    ("T13", f"3 deck=5 {SHORT}: A4 B2 C2 draw", "middle 5; deck 0"),
    ("T14", f"3 deck=5 {SHORT}: A4 B2 C2 draw adopt=5 pageants all_done B1 C1", "pageants -; ends yes"),
    ("T15", SAVED, "deck 1; ends no"),
    ("T15 the next round draws it", f"{SAVED} next A2 B0 C0 draw", "middle 1; deck 0"),
    ("T16 one is left after the draw", f"3 deck=7 {SHORT}: A3 B2 C2 draw adopt=6", "deck 1; ask Pageants"),
    *[
        (
            f"T16 {name}",
            f"3 deck=7 {SHORT}: A3 B2 C2 draw adopt=6 pageants all_done A0 {shown}",
            f"drawn yes; deck {deck}; ends {ends}",
        )
        for name, shown, deck, ends in (("won", "B2 C1", 0, "yes"), ("not won", "B1 C1", 1, "no"))
    ],
    ("T23", f"{MISFITS}: 1_show_1 1_wild_2 1_groom_3", "pile 6,?; ask CardMoxie"),
    ("T23 a second misfit", f"{MISFITS}: 1_groom_3", "show.options done,1 show 1,1 wild 2"),
    ("T24", "2 at=media pile=14,? media=3,?:", "scores 17,0"),
    ("T25", "2 at=final pile=17,17 media=0,0 cats=2,3: A1 B3", "winners B; over yes"),
    ("T26", "4:", "cubes 4,4,4,4; supply 4"),
    ("T27", "3 at=groom rest=1,0,0 moxie=6,3,3 hustle=4,1,1:", "?train_moxie -; ?train_hustle -"),
    # --- fanciers and their names ---
    ("R2 what the kit has kept comes first", "3:", "?moxie_low A; ?recall *"),
    ("R2 not after the first number", "3: A3", "?moxie_high A; ?recall -"),
    ("R2 four numbers", "2: A3 A6", "?hustle_low A"),
    ("R2 each", "2: A3 A6 A1", "?hustle_high A"),
    ("R2 and a name", f"2: {NUMBERS}", f"name.options no,{','.join(LETTERS)}"),
    ("R2 before the next", f"2: {NUMBERS} name=no", "?moxie_low B; known -"),
    ("R2 after the last the first round", "2 fanciers:", "ask Hustle; round 1; deck 42"),
    ("R2 moxie is not below the lowest", "2: A5", "moxie_high.low 5"),
    ("R2 nor is hustle", "2: A5 A9 A2", "hustle_high.low 2"),
    ("R2 both clips begin at the lowest", "2 fanciers=3614/2522:", "moxie 3,2; hustle 1,2"),
    ("known fanciers are offered by name", "2 known=PIP,MO:", "fancier.options PIP,MO,new; verbs fancier"),
    ("a name sets all four numbers", "2 known=PIP,MO: fancier=MO", "stats 3,6,0,2/; moxie 3,0; hustle 0,0"),
    ("it was used last", "2 known=PIP,MO: fancier=MO", "saved MO:3,6,0,2; known MO:3,6,0,2 PIP:2,5,1,4"),
    ("nobody is offered that of another", "2 known=PIP,MO: fancier=MO", "fancier.options PIP,new; turn B"),
    ("where all are taken", "2 known=PIP: fancier=PIP", "?moxie_low B"),
    ("a new fancier", "2 known=PIP: fancier=new", "verbs moxie_low"),
    ("a name is spelled", f"2: {NUMBERS} name=M", f"name.options done,{','.join(LETTERS)}"),
    ("until it is done", f"2: {NUMBERS} name=M name=O name=done", "saved MO:3,6,1,4; kept MO:3,6,1,4"),
    ("eight letters", f"2: {NUMBERS} {' '.join(f'name={n}' for n in 'TIGERCAT')}", "known TIGERCAT:3,6,1,4"),
    ("given again", f"2 known=PIP: fancier=new {NUMBERS} name=P name=I name=P name=done", "known PIP:3,6,1,4"),
    ("every letter is a step", f"2: {NUMBERS} name=M name=O undo", "ask Name; letters M"),
    # --- placing and order ---
    ("R3 the countdown", "3 placing_countdown=3 fanciers: place", "due 3000; ask Countdown; race_phase armed"),
    ("R3 when it is over", "3 placing_countdown=3 fanciers: place tick", "ask Hustle"),
    ("R3 it is one step", "3 placing_countdown=3 fanciers: place tick undo", "ask Place"),
    ("R3 after a power cut", "3 placing_countdown=3 fanciers: place resume", "ask Place"),
    ("R3 no more cubes than their own", "2 fanciers cubes=4,5:", "hustle.high 4,5"),
    ("R3 all cubes are one step", "3 fanciers: A1 B0 C2", "step 16"),
    ("R3 before", "3 fanciers:", "step 15"),
    ("R5 lots for those whose place they decide", "3 fanciers: A2 B1 C2", "lots AC"),
    ("R5 none where starting hustle decides", "2 fanciers=3624: A1 B2", "lots -; order BA"),
    ("A1 by seat", "4 initiative_tiebreak=seat at=hustle first=1: A1 B1 C1 D1", "order BCDA; lots -"),
    # --- adopting ---
    ("R8 one cat each, round and round", f"{LEVEL} take take take take", "acted ABAB; ask Pageants"),
    ("A10 a pass is not final", f"{LEVEL} A.pass B.take", "ask Adopt; turn A"),
    ("R10 all have passed in a row", f"{LEVEL} A.pass pass", "ask Pageants"),
    ("R10 the last cat", f"3 deck=2 {SHORT}: A4 B4 C4 draw take take", "ask Pageants"),
    ("R8 a pass by holding, or by OK", "2 fanciers=3624: A1 B0 draw", "?pass A*; pass.hold yes,no"),
    # --- pageants ---
    *[
        (f"R15 {label}", f"3 at=pageants middle={middle} deck={deck}:", f"pageants.label {label}")
        for middle, deck, label in (
            (2, 9, "2 left: 2 pageants"),
            (1, 9, "1 left: 1 pageant"),
            (0, 9, "Draw pageant card"),
            (0, 0, "Open pageant"),
        )
    ],
    ("R15 two", "3 at=pageants middle=2 rest=1,1,1: pageants", "pageants -,-; deck 20; drawn no"),
    ("R15 one from the deck", "3 at=pageants rest=1,1,1: pageants", "deck 19; drawn yes"),
    ("R20 open", "3 at=pageants deck=0 rest=1,1,1: pageants", "pageants -; drawn no"),
    # --- grooming ---
    ("R11 in order", "3 at=groom rest=1,1,1 shows=1: A.done", "ask Groom; turn B"),
    ("R11 with a cube", "3 at=groom rest=1,0,1 shows=1: A.done", "ask Groom; turn C"),
    ("R11 one OK for all", "3 at=groom rest=1,1,1 shows=1: all_done", "ask Result"),
    ("R11 moxie", "3 at=groom rest=2,0,0 shows=1: train_moxie", "moxie 4,3,3; hustle 1,1,1; rest 1,0,0"),
    ("R11 hustle", "3 at=groom rest=2,0,0 shows=1: train_hustle", "moxie 3,3,3; hustle 2,1,1; rest 1,0,0"),
    ("R11 by menu", "3 at=groom rest=2,0,0:", "train_hustle.menu yes; train_moxie.menu yes; done.menu no"),
    ("R13 learning, too", "3 at=groom rest=2,0,0 cats=1,0,0:", "learn.menu yes"),
    ("R12 a cat adopted now teaches nothing", "3 at=groom rest=2,0,0 cats=1,0,0 taken=1,0,0:", "?learn -"),
    ("R13 leave", "2 at=groom rest=9,0 cats=9,0: learn media learn show", "tricks media,show/; cats 7,0; rest 7,0"),
    ("R14 a cube for good, not this round", "3 at=groom rest=9,0,0 cats=9,0,0: learn cube", "cubes 5,4,4; rest 8,0,0"),
    *[
        (
            f"A8 cube_limit {limit}",
            f"3 cube_limit={limit} at=groom rest=9,0,0 cats=9,0,0 shows=1: {'learn trick=cube ' * 9}",
            f"cubes {cubes},4,4",
        )
        for limit, cubes in ((20, 12), ("none", 13))
    ],
    # --- showing ---
    ("R16 all at once", f"3 at=pageants middle=2 {SHOW}", "?shown ABC; shown.high 4,4,4; shown.prefill 0,0,0"),
    ("R18 not again", f"3 at=pageants middle=2 {SHOW} A3 B0 C4", "?shown AB; shown.high 1,4"),
    ("R12 not new", "2 at=pageants middle=1 rest=3,3 taken=2,1 cats=2,3: pageants all_done", "?shown B; shown.high 2"),
    ("R16 not without a cube", "3 at=pageants middle=1 rest=0,1,0 cats=2,2,2: pageants all_done", "?shown B"),
    ("R19 nobody", "2 at=pageants middle=3 rest=3,3 cats=1,0: pageants all_done A1", "won A..; ask Result; deck 22"),
    ("A5 a card that nobody wins", f"3 at=pageants middle=1 {SHOW} A2 B2 C0", "deck 21; scored 2,2,0"),
    ("R20 an open pageant has no card", f"3 at=pageants deck=0 {SHOW} A2 B0 C0", "deck 0; scored 2,0,0; won ."),
    # --- the end ---
    ("R21 the next round", "3 end deck=1: next", "round 3; ask Hustle; taken 0,0,0"),
    ("R21 its countdown", "3 end deck=5 placing_countdown=3: place", "round 3; ask Countdown"),
    ("R8 a press draws, too", "3 fanciers=3624: A3 B2 C2 take", "= 3 fanciers=3624: A3 B2 C2 draw take"),
    ("R8 so does a pass", "3 fanciers=3624: A3 B2 C2 A.pass", "= 3 fanciers=3624: A3 B2 C2 draw A.pass"),
    ("R8 not against the clock", "3 turn_timer_s=30 fanciers=3624: A3 B2 C2", "?take -; ask Order"),
    ("R21 is announced", "3 end deck=5:", "next.label Round 3"),
    ("R22 an empty deck", "3 end:", "next.label Final scores"),
    ("R23 the piles", "3 end: next", "ask Piles; ?pile AB; pile.high 40,40"),
    ("R24 filled in from the tricks", f"{COUNTED} tricks=media,cube,show//media: next A9 B9 C9", "media.prefill 2,0,0"),
    ("R24 where none was entered", f"{COUNTED}: next A9 B9 C9", "media.prefill ?,?,?"),
    ("R23 totals", f"{COUNTED}: next A9 B14 C7 A0 B3 C0", "scores 9,17,7; winners B; over yes; lit winner:B"),
    ("R25 level: who has cats", f"{COUNTED} cats=2,0,3: next A9 B9 C9 A0 B0 C0", "?ungroomed AC; ungroomed.high 2,3"),
    ("R25 still level", f"{COUNTED} cats=2,2,3: next A9 B9 C7 A0 B0 C0 A1 B1", "winners AB; over yes"),
    ("R25 level after points are fixed", FIXED, "?ungroomed AB; winners -; phase tie_break"),
    ("R25 that decides", f"{FIXED} A1 B2", "winners B"),
    ("R25 a third made level is asked alone", f"{FIXED} A1 B2 fix=C2", "?ungroomed C"),
    ("R25 and decides", f"{FIXED} A1 B2 fix=C2 C3", "winners C"),
    ("R25 and is undone alone", f"{FIXED} A1 B2 fix=C2 C3 undo", "?ungroomed C"),
    *[
        (f"R25 gone again by {word}", f"{FIXED} {word}", "over yes; winners A")
        for word in ("undo", "fix=B-1", "fix=A1")
    ],
    ("R23 counted between rounds", "3 end deck=5: count A4 B6", "scores 4,6,0; ask Result"),
    ("R23 filled in at the end", "3 end: count A4 B6 next", "pile.prefill 4,6"),
    ("R23 a pile that has grown is not", f"{GROWN} count", "pile.prefill ?,7"),
    ("R23 unless that is undone", f"{GROWN} undo A0 B0 count", "pile.prefill 30,7"),
    ("R23 as counted last", f"{GROWN} count A33 B7 count", "pile.prefill 33,7"),
    ("A16 nothing moves", "3 at=result won=?,?:", "verbs end_now"),
    ("A16 a cat was adopted", "3 at=result taken=0,1,0 won=?,?:", "verbs next"),
    ("A16 a card was won", "3 at=result won=?,2:", "verbs next"),
    ("A16 the game ends anyhow", "3 at=result deck=0 won=?,:", "verbs next"),
    ("A16 to end now", "3 at=result won=?, scored=1,0,0: end_now=yes", "ask Piles; ?pile A"),
    ("A16 not to end", "3 at=result won=?,: end_now=no", "round 3"),
    # --- against the clock ---
    ("turn_timer_s", "2 turn_timer_s=30 fanciers=3624: A2 B1 draw", "ask Adopt; due 30000"),
    ("turn_timer_s passes", "2 turn_timer_s=30 fanciers=3624: A2 B1 draw tick", "turn B; passes 1; due 30000"),
    ("turn_timer_s: what was adopted stays at power-off", f"{ADOPTED} resume+9000", "cats 1,1; turn A; due 30000"),
    ("turn_timer_s: also in the same boot", f"{ADOPTED} rerun+9000", "cats 1,1; turn A; due 30000"),
    ("turn_timer_s: undo across it takes one cat back", f"{ADOPTED} resume undo", "cats 1,0; turn B; due 28000"),
    ("turn_timer_s: points fixed stay", f"{ADOPTED} fix=A3 resume", "cats 1,1; scores 3,0"),
    ("turn_timer_s: an undone limit is gone", f"{ADOPTED} tick undo", "turn A; due ?"),
    ("turn_timer_s: also for a new run", f"{ADOPTED} tick undo resume+9000", "turn A; due ?"),
    ("turn_timer_s: also in the same boot", f"{ADOPTED} tick undo rerun+9000", "turn A; due ?"),
    ("turn_timer_s: grooming", "2 turn_timer_s=30 at=pageants rest=1,1: pageants tick", "ask Groom; turn B; due 30000"),
    ("turn_timer_s runs on", "3 turn_timer_s=30 at=pageants rest=2,1,0: pageants train_moxie", "turn A; due 29000"),
    # --- every cat entered ---
    ("groom cubes are asked for", "2 entry=cards fanciers: A4 B1", "?groom_cubes B; groom_cubes.high 3"),
    ("the others are on show", "2 entry=cards fanciers: A4 B1 B1", "rest 0,1; show 0,2; ask Order"),
    ("R9 without room nobody is asked", f"{ON_CARDS}=order hand=cube3 on_hustle=1,1: draw", "ask Adopt; turn B"),
    ("R9 a groomed cat takes none", f"{ON_CARDS}=pageants hand=cube1,show3*:", "room 2"),
    ("R9 nor one learned from", f"{GROOMING} rest=2,0 hand=cube3: learn cube_3", "room 4"),
    ("R12 neither groomed nor learned from", f"{GROOMING} rest=2,0 hand=cube2!:", "groom.options done; ?learn -"),
    ("A13 a wild cat teaches nothing", f"{GROOMING} rest=2,0 hand=wild2:", "?learn -"),
    ("R13 a bonus", f"{GROOMING} rest=2,0 hand=groom1,cube1,cube2: learn groom_1 cube_1 cube_2", "mine cube1*,cube2*"),
    ("R11 grooming ends with the last cube", f"{GROOMING} rest=1,0 hand=cube1,cube2: cube_1", "ask Result"),
    ("R15", f"{ON_CARDS}=pageants middle=2 rest=1,0: pageants show wild", "pageants show,wild; ask Groom; turn A"),
    ("R17 groomed, right trick", f"{SHOWING} show=2,0 pageants=cube, hand=cube1*,show2*,cube3:", "may_show 1 cube 1"),
    ("R17 wild", f"{SHOWING} show=2,0 pageants=wild, hand=cube1*,show2*:", "show.options done,1 cube 1,1 show 2"),
    ("R16 one cube for two", f"{TWO_SHOWS} hand=cube1*,cube2*: 1_cube_1 2_cube_2 4 5", "won AA; pile 12,?; deck 3"),
    ("A7 a cat a cube", f"{SHOWING} {THREE}: 1_cube_1", "scored 1,0; ask Result"),
    ("A7 any", f"{SHOWING} open_pageant=unlimited {THREE}: 1_cube_1 1_show_1 1_groom_1", "scored 3,0; ask Result"),
    ("A7 still costs a cube", f"{SHOWING.replace(' at', ' open_pageant=unlimited at')} hand=cube1*:", "may_show -"),
    ("R23 the kit counts", f"{CLOSING}: 1_cube_3 moxie=2 next", "scores 6,0; over yes"),
    ("R25 known cats break a tie", f"{ON_CARDS}=final hand=cube1:", "over yes; winners A"),
    # --- what people see ---
    ("the board", "2 fanciers=3614/2634: A0 B2", "phase order; order BA; rounds ?"),
    (
        "the board: what everybody has",
        "2 fanciers=3614/2634: A0 B2",
        "tokens cubes:4,hustle:1,moxie:3,cats:0,scored:0 cubes:4,hustle:3,moxie:2,cats:0,scored:0",
    ),
    # --- the same as ---
    ("no fanciers of earlier games change nothing", "2 known:", "= 2:"),
    ("R5 lots fall the same way again", "4 fanciers: A1 B1 C1 D1 undo A1 B1 C1 D1", "= 4 fanciers: A1 B1 C1 D1"),
    # --- refused ---
    ("T2 a cat that is too heavy", f"{TAKING} moxie=3", "! bad_value: moxie 3: must be a whole number from 1 to 2"),
    ("T27 moxie", "3 at=groom rest=1,0,0 moxie=6,3,3: A.train_moxie", "! not_offered: seat 0 cannot train_moxie now"),
    ("T27 hustle", "3 at=groom rest=1,0,0 hustle=4,1,1: A.train_hustle", "! not_offered: seat 0 cannot train_hustle"),
]


@pytest.mark.parametrize(("position", "expected"), rows(POSITIONS))
def test_position(position: str, expected: str) -> None:
    assert Pageant.found(position, expected) == expected


UNKNOWABLE: list[tuple[str, Value, str]] = [
    ("small letters", (PIP, ("pip", 2, 5, 1, 4)), "name 'pip': must be 1 to 8 of A to Z and 0 to 9"),
    ("no letter", (("", 2, 5, 1, 4),), "name '': must be 1 to 8 of A to Z and 0 to 9"),
    ("too long", (("ABCDEFGHI", 2, 5, 1, 4),), "name 'ABCDEFGHI': must be 1 to 8 of A to Z and 0 to 9"),
    ("a number", ((7, 2, 5, 1, 4),), "name 7: must be 1 to 8 of A to Z and 0 to 9"),
    ("twice", (PIP, PIP), "name 'PIP': must be given only once"),
    ("too high", (("PIP", 2, 5, 1, 21),), "PIP: must have four whole numbers from 0 to 20"),
    ("not a number", (("PIP", 2, 5, True, 4),), "PIP: must have four whole numbers from 0 to 20"),
    ("moxie", (("PIP", 5, 2, 1, 4),), "PIP: the highest value must not be below the lowest"),
    ("hustle", (("PIP", 2, 5, 4, 1),), "PIP: the highest value must not be below the lowest"),
    ("three numbers", (("PIP", 2, 5, 1),), "('PIP', 2, 5, 1): must be a name and four numbers"),
    ("only a name", ("PIP",), "'PIP': must be a name and four numbers"),
    ("thirteen", tuple((f"F{n}", 2, 5, 1, 4) for n in range(13)), "13 fanciers: must be at most 12"),
]


@pytest.mark.parametrize(("given", "why"), rows(UNKNOWABLE))
def test_fanciers_that_cannot_be_are_refused(given: Value, why: str) -> None:
    with pytest.raises(Refused) as refused:
        Pageant().act(None, "recall", given)
    assert (refused.value.kind, str(refused.value)) == ("bad_value", f"recall: {why}")


def test_the_example_of_fanciers_is_legal() -> None:
    at = Pageant()
    [recall] = at.offered("recall")
    assert at.act(None, "recall", recall.example).state.known == (PIP,)


@pytest.mark.parametrize(
    ("players", "cubes", "deck", "cats"), rows([("T1", 2, 3, 42, 5), ("T13 only what is left", 3, 4, 5, 5)])
)
def test_the_first_player_draws(players: int, cubes: int, deck: int, cats: int) -> None:
    assert draw_size(players, cubes, deck) == cats


MEDIA = [
    ("T6", "media show groom registration", True, 3),
    ("T17", "media cube show show groom", True, 3),
    ("T18", "media cube show groom registration", True, 3),
    ("T19", "media media registration", True, 2),
    ("T20 all", "media media cube show groom registration", True, 6),
    ("T20 alone", "media", True, 0),
    ("T21 off", "media cube", False, 0),
    ("T21 on", "media cube", True, 1),
    ("none", "cube show groom registration", True, 0),
]


@pytest.mark.parametrize(("tricks", "counts_cube", "points"), rows(MEDIA))
def test_media_bonus(tricks: str, counts_cube: bool, points: int) -> None:
    assert media_bonus(tricks.split(), counts_cube) == points


MOST = [("most", (2, 1, 0), 0), ("tie", (1, 2, 2), None), ("nobody", (0, 0, 0), None), ("one cat", (0, 0, 1), 2)]


@pytest.mark.parametrize(("cats", "seat"), rows(MOST))
def test_r19_strictly_most_cats_win_a_pageant(cats: tuple[int, ...], seat: int | None) -> None:
    assert most_cats(cats) == seat


def test_r5_lots_decide_between_equals_and_only_between_them() -> None:
    state, found = Pageant.at("3 fanciers: A2 B1").state, set()
    for seed in range(40):
        found.add(act(RULES, state, Action(2, "hustle", 2), Chance(seed, 0))[0].round.order)
    assert found == {(0, 2, 1), (2, 0, 1)}
