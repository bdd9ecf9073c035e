"""Pack the Essentials: the worked examples of its rules page, every question in turn, every refusal."""

import re
from collections.abc import Callable, Mapping
from functools import reduce
from random import Random
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from engine.games.pack_the_essentials import RULES, drafting
from engine.games.pack_the_essentials.counting import End, Toys, line_question
from engine.games.pack_the_essentials.drafting import Block, CatLady, Draft, Draw, Order, Prefilled
from engine.games.pack_the_essentials.laying import bonus_tiles
from engine.games.pack_the_essentials.state import COLOURS, LINES, RATS, Options, colour_points, had
from engine.games.pack_the_essentials.suitcase import Suitcase, Tile
from engine.play import fix, fold
from engine.rules import Refused, Seat, Value, put, read_options
from firmware.random_play.strangers import Stranger, answered
from tests.engine import table
from tests.engine.table import SEATS, letters, rows
from tests.simulators.players import Game, Move, random_game, random_options
from tests.simulators.random_play import check_score

FULL = tuple((column, row) for column in range(12) for row in range(8))
NO: tuple[tuple[int, int], ...] = ()
ESS = ((0, 0), (1, 0), (1, 1), (2, 1))
BAR = ((0, 0), (1, 0), (2, 0))
TEE = ((0, 0), (1, 0), (2, 0), (1, 1))
ONE = ((0, 0),)
ELL = ((0, 0), (0, 1), (0, 2), (1, 2))  # its other side fits the gap f4g4h4h5
LONG = tuple((n, 0) for n in range(6))
SHAPES = {"ess": ESS, "bar": BAR, "tee": TEE, "one": ONE, "ell": ELL, "long": LONG}


def squares(names: str) -> tuple[tuple[int, int], ...]:
    """Squares by their names, as on a chess board: a1 is (0, 0), l8 is (11, 7)."""
    return tuple(("abcdefghijkl".index(column), int(row) - 1) for column, row in re.findall(r"([a-l])([1-8])", names))


def laid(tile: str) -> tuple[Any, ...]:
    """A tile as it is laid: `1:a1b1` clothing side up, `1*:a1b1` with its cat, `1-` discarded; `sock:mint:a1`."""
    what, *rest = tile.split(":")
    side = "cat" if what[-1] == "*" else "discard" if what[-1] == "-" else "clothes"
    what = what.rstrip("*-")
    return (int(what) if what.isdigit() else what, *rest[:-1], side, squares(rest[-1]) if rest else NO)


class Pack(table.Table):
    """Its own words, beside A who packed last, `110` for a goal, and `3` for a position or a tile.

    turns         everybody takes the first tile that there is, until the round is over
    packed=1,2    twelve rounds in which the seats choose these positions, in the order of their choice; then the toys
    reported      two players report what they lay; A drafts first, with an underwear tile, B second with a sock
    lay=1:a1b2+sock:mint:c3     tiles laid

    A position may have `pad=7,6,…`, everybody's lines; `level=1,2`, all are level but for so many rats, before the last
    size of the last seat; `tied=AC`, these are level in everything; `end`, `at_the_end`; and what is reported:
    `filled=e5`, squares of A, or `gap=f4g4`, all but these, and `drawn=one,bar,…`.
    """

    rules = RULES
    facts_of_game: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "at": lambda at: letters(at.state.round.at),
        "chose": lambda at: letters(
            fact.event.seat for fact in at.facts if isinstance(fact.event, drafting.PositionTaken)
        ),
        "took": lambda at: letters(fact.event.seat for fact in at.facts if isinstance(fact.event, drafting.Taken)),
        "taken": lambda at: tuple(fact.event.tile for fact in at.facts if isinstance(fact.event, drafting.Taken)),
        "ladies": lambda at: sum(isinstance(fact.event, drafting.CatLadyActed) for fact in at.facts),
        "bonus": lambda at: bonus_tiles(at.state, at.state.ask.position),
        "sizes": lambda at: at.state.lines[-1],
        "won": lambda at: had(at.state, 0) - 1,  # rats of A
        "asked": lambda at: letters(at.state.ask.standing(at.state).seats),
        "of": lambda at: tuple(sorted({at.rules.label(at.state, offer, None) for offer in at.play.offers})),
    }

    filled: tuple[tuple[int, int], ...] = NO
    drawn: tuple[str, ...] = ("ess", "bar", "tee", "one")

    def place(self, name: str, value: str) -> None:
        players = len(self.play.players)
        match name:
            case "filled":
                self.filled = squares(value)
            case "gap":
                self.filled = tuple(square for square in FULL if square not in squares(value))
            case "drawn":
                self.drawn = tuple(value.split(","))
            case "end":
                self.deal(ask=End())
            case "pad":
                self.deal(lines=tuple((int(line),) * players for line in value.split(",")), ask=End())
            case "level":
                self.do("A packed").before_the_last_size(tuple(map(int, value.split(","))) if value else (0,) * players)
            case "at_the_end" | "more_squares":
                self.do("A packed=1,2").before_the_last_list(more=name == "more_squares")
            case "tied":
                self.do("A packed").before_the_last_size((0,) * players)
                self.deal(corrected=tuple(0 if seat in value else -1 for seat in SEATS[:players]))
                self.do(f"{SEATS[players - 1]}0 " + " ".join(f"{seat}4" for seat in value))
            case _:
                super().place(name, value)

    def before_the_last_size(self, rats: tuple[int, ...]) -> None:
        players = len(rats)
        lines = put(((0,) * players,) * (LINES - 1), RATS, rats)
        last = (*(0,) * (players - 1), None)
        self.deal(lines=(*lines, last), ask=replace(line_question(self.state, LINES - 1), numbers=last))

    def before_the_last_list(self, *, more: bool) -> None:
        """A has two mint tiles side by side, B two apart; with one more A has fewer empty squares, and B two toys."""
        two = Tile("mint", False, ((0, 0), (1, 0)))
        own = (two, Tile("mint", False, ((2, 0),)), *([Tile("peach", False, ((9, 0),))] if more else []))
        suitcases = (Suitcase((), own), Suitcase((), (two, Tile("mint", False, ((5, 0),)))))
        lines = ((0, 0), (0, 0), (0, None), *((None, None),) * 6)
        ask = replace(line_question(self.state, 2), numbers=lines[2])
        self.deal(suitcases=suitcases, lines=lines, toys=(0, 2), ask=ask, corrected=(0, 3) if more else (0, 0))

    def say(self, word: str, at_ns: int) -> None:
        word, _, value = word.partition("=") if word.startswith(("packed", "lay=")) else (word, "", "")
        players = len(self.play.players)
        match word:
            case "turns":
                number = self.state.round.number
                while isinstance(self.state.ask, CatLady | Draft) and self.state.round.number == number:
                    offer = self.play.offers[0]
                    self.act(offer.seat, offer.verb, offer.options[0] if offer.options else None)
            case "packed":
                positions = value.split(",") if value else ["1", "2", "3"][:players]
                for _ in range(drafting.ROUNDS):
                    if isinstance(self.state.ask, Block):
                        self.act(None, "block", "4")
                    self.do(" ".join(positions)).do("turns")
                if isinstance(self.state.ask, Toys):
                    self.act(None, "toys")
            case "reported":
                self.act(0, "packed_last").act(0, "prefilled", self.filled).act(1, "prefilled", NO)
                self.act(None, "tiles", tuple(zip(COLOURS, [SHAPES[name] for name in self.drawn], strict=True)))
                self.act(0, "position", "1").act(1, "position", "2")
            case "lay":
                self.act(self.state.ask.seat, "lay", tuple(map(laid, value.split("+"))))
            case _:
                super().say(word, at_ns)


T16 = [
    f"{'2 ' * (n % 2)}{mine} {'2 ' * (n % 2 == 0)}" + ("A.take B.take" if mine == 1 else f"B.take {rat} A.take")
    for n, (mine, rat) in enumerate([(3, "A.rat")] * 4 + [(4, "A.rat")] * 2 + [(4, "")] + [(1, "")] * 5)
]
GROUPS = ((0, 0), (1, 1), (4, 8), (11, 41), (12, 48), (15, 48))
VOTED = "3 tied=AC: vote=C"  # C has won the vote against A; B, who voted, is a point behind
LADY = "2: A 3 2"  # a Cat Lady stands at position 1, B at 2, A at 3
BEFORE = "4: A 1 2 3"
NUMBERS = "4 ask_tile=on: A 1 2 3"
TIMED = "4 turn_timer_s=30: A 1 2 3"
SOLO = "1: 110 1 turns 4 1 turns 1 turns"
REPORTED = "2 entry=placements: reported"
GAP = "2 entry=placements gap=f4g4h4h5 drawn"
NONE_FITS = f"{GAP}=long,long,long,long"
LAST_TILE = "4 ask_tile=on bonus_table=rat;rat;rat;sock: A 1 2 3 A1 B2 C3"

ELLS = f"{GAP}=ell,long,long,long"

POSITIONS = [
    # --- the worked examples ---
    ("T1 Cat Ladies fill positions 1 and 3", "2: A 4 2", "at .B.A; toys 1,0; rats 2,1; ask CatLady; position 1"),
    ("T1 Second gets a sock", "2: A 4 2 to_box", "ask Draft; turn B; bonus sock"),
    ("T2 the tiles that go", "2 ask_tile=on: A 4 2 to_box=2 B4 to_box=1", "tiles 3; taken 4"),
    ("T2 First gets what is left", "2 ask_tile=on: A 4 2 to_box=2 B4 to_box=1 A.take", "taken 4,3"),
    ("T3", "2: A 4 2 B.take A.rat", "rats 1,1; toys 1,0; cats 1,0"),
    ("T4 the suitcase token moves on", "2: A 4 2 turns", "start 1; ask Order; turn B; round 2"),
    *[
        (f"T7 position {n}", f"{NUMBERS} {words}", f"tiles {tiles}; position {n}")
        for n, words, tiles in ((1, "", "1,2,3,4"), (2, "A4", "1,2,3"), (3, "A4 B3", "1,2"), (4, "A4 B3 C2", "1"))
    ],
    ("T8 four", "4: A 1 2 3 turns", "ladies 0; round 2"),
    ("T8 three", "3: A 1 2 3 turns", "ladies 1; round 2"),
    ("T8 two", "2: A 1 2 turns", "ladies 2; round 2"),
    ("T8 one", "1: 110 1 turns", "ladies 3; round 2"),
    ("T9", "3: B 1 2 3 turns 1 2 3", "chose BCACAB"),
    ("T11 R14 who can take none discards one", f"{NUMBERS} nothing_fits A.to_box=3", "tiles 1,2,4; turn B; position 2"),
    ("T12 a bonus tile: two rats", "4 rats=3,1,1,1: A 2 3 4 D.take A.rat A.rat", "cats 2,0,0,0; ?rat -; turn A"),
    ("T14", "2 pad=7,6,10,4,2,5,3,12,0:", "scores 109,109"),
    ("T15", "2 rats_in_total=off pad=7,6,10,4,2,5,3,12,0:", "scores 107,107"),
    ("T16", f"2: A {' '.join(T16)}", "won 7; cats 6,0; rats 2,1; toys 3,0"),
    ("T17 fewest empty squares", "2 level: B0 A5 B3", "over yes; winners B"),
    ("T18 then most rats", "2 rats_in_total=off level=1,2: B0 A4 B4", "over yes; winners B"),
    ("T23 other positions are Cat Ladies", f"{SOLO} block=1+3 2", "round 4; at .A..; ask CatLady"),
    ("T24", "1 goal=110 corrected=109, end:", "winners A"),
    ("T24 must exceed", "1 solo_goal=> goal=110 corrected=109, end:", "winners -"),
    ("S4 exceeded", "1 solo_goal=> goal=110 corrected=110, end:", "winners A"),
    ("S4 missed", "1 goal=110 corrected=108, end:", "winners -"),
    # --- from round to round ---
    ("R3 the first question", "4:", "ask Packer; ?packed_last ABCD; rats 1,1,1,1"),
    ("R3 who packed last starts", "4: C", "ask Order; turn C; rounds 12; round 1"),
    ("S1 alone the goal is asked for", "1:", "ask Goal"),
    ("S1 and nobody packed last", "1: 90", "ask Order; goal 90"),
    ("R7 a position is taken once", "4: A 3", "position.options 1,2,4; turn B"),
    ("R7 the last is not asked for", "4: A 3 1 4", "at BDAC; order BDAC"),
    ("R9 A4 bonuses before the draft", "4: A 3 1 4", "ask Draft; turn B; rats 2,1,2,1; toys 0,0,1,0"),
    ("R10 positions act in order", "4: A 3 1 4 turns", "took BDAC"),
    ("R21 the next round begins by itself", "4: A 1 2 3 turns", "round 2; ask Order; turn B"),
    ("R22 after twelve rounds the toys", "4: A " + "1 2 3 turns " * 12, "ask Toys"),
    ("R22 without toys the pad", "2: A " + "1 2 turns " * 12, "ask Todo; line 0"),
    ("S2 alone the token stays", "1: 110 2 turns", "start 0; ask Block"),
    ("S2 only even rounds block", "1: 110 2 turns 2 1 turns", "ask Order"),
    ("S2 a blocked position", "1: 110 2 turns 1", "position.options 2,3,4"),
    ("S2 two of them", "1: 110 2 turns block=2+4", "position.options 1,3"),
    ("S2 the only one left is taken", "1: 110 2 turns block=1+2+4", "at ..A."),
    # --- the draft ---
    ("R11 a Cat Lady: is her tile gone?", LADY, "ask CatLady; position 1; to_box.label Gone? Next number"),
    ("R11 an OK goes on", f"{LADY} to_box", "ask Draft; turn B; position 2"),
    ("R11 who drafts next need not wait", f"{LADY} B.take", "ask Draft; turn A; position 3"),
    ("R11 nor to spend a rat", f"{LADY} B.rat", "ask Draft; turn B; position 2; cats 0,1"),
    ("R11 nor to begin", "2 turn_timer_s=30: A 3 2 B.begin", "ask Draft; turn B; due 30000"),
    ("R11 two in a row", "1: 110 3", "ask CatLady; position 1"),
    ("R11 one by one", "1: 110 3 to_box", "ask CatLady; position 2"),
    ("R11 who drafts after both", "1: 110 3 A.take", "round 2; ask Block"),
    ("R11 after the last player all tiles go", "2: A 1 2 A.take B.take", "ask Order; turn B"),
    ("R11 with numbers", "2 ask_tile=on: A 3 2", "ask CatLady; to_box.options 1,2,3,4; verbs to_box"),
    ("R11 the last tile needs none", "2 ask_tile=on: A 1 2 A2 B4 to_box=1", "round 2; tiles 1,2,3,4"),
    ("R10 a tile that is gone", f"{NUMBERS} A2", "take.options 1,3,4"),
    ("cat_lady virtual: numbers", "2 cat_lady=virtual: A 1 2", "take.options 1,2,3,4"),
    ("cat_lady virtual: four meet none", "4 cat_lady=virtual: A 1 2 3", "take.options -; verbs nothing_fits,rat,take"),
    *[
        (f"R15 {rats} rats at {n}", f"1 rats={rats},: 110 {n} {words}", f"cats {cats}; ?rat -")
        for n, rats, words, cats in (
            (1, 3, "rat rat", 2),
            (2, 3, "rat rat", 2),
            (3, 3, "rat", 1),
            (4, 3, "rat", 1),
            (1, 1, "rat", 1),
            (1, 0, "", 0),
        )
    ],
    ("R15 not more than two", "1 bonus_table=sock+sock;none;none;none rats=5,: 110 1 rat rat", "?rat -"),
    ("R15 a rat won in the round", "1 rats=0,: 110 3", "?rat A"),
    ("R15 a rat may turn the bonus tile", "1 rats=3,: 110 1 rat", "?nothing_fits A"),
    ("R15 two rats turn two tiles", "1 rats=3,: 110 1 rat rat", "?nothing_fits -"),
    ("R15 by holding", BEFORE, "rat.hold yes; nothing_fits.menu yes"),
    ("R14 without bonus tile a discard ends the turn", "4: A 3 1 2 B.take C.take nothing_fits", "turn D; position 4"),
    *[
        (f"R14 {name} ask_tile={ask}", f"4 ask_tile={ask} rats=3,1,1,1: A 1 2 3 {words}", facts)
        for ask in ("on", "off")
        for name, words, facts in (
            ("the bonus tile may be turned", "nothing_fits", "?rat A; verbs rat,to_box"),
            ("once", "nothing_fits rat", "cats 1,0,0,0; ?rat -; verbs to_box"),
        )
    ],
    ("R14 a rat spent before has turned it", "4 ask_tile=on rats=3,1,1,1: A 1 2 3 rat nothing_fits", "turn A; ?rat -"),
    ("R14 then a discard ends the turn", "4 rats=3,1,1,1: A 1 2 3 rat nothing_fits", "turn B; cats 1,0,0,0"),
    ("R14 over once one is discarded", f"{BEFORE} nothing_fits A.to_box", "turn B; position 2"),
    ("R14 with the last tile too", f"{LAST_TILE} nothing_fits D.rat D.to_box", "cats 0,0,0,1; round 2"),
    ("R14 not who has turned the drafted tile", "4: A 3 1 2 B.take C.take A.rat", "?nothing_fits -"),
    # --- against the clock ---
    ("turn_timer_s waits for a press", TIMED, "ask Ready; turn A; verbs begin"),
    ("turn_timer_s runs from it", f"{TIMED} begin", "due 30000; ask Draft"),
    ("turn_timer_s is up, a tile is taken", f"{TIMED} begin tick A.take", "ask Ready; turn B; position 2"),
    # --- the bonus table ---
    ("bonus_table", "4 bonus_table=rat+rat;toy;none;sock+underwear: A 1 2 3", "rats 3,1,1,1; toys 0,1,0,0"),
    # --- the pad ---
    ("R24 cats are filled in", "2: A packed=3,4 " + "A0 B0 " * 3, "cats.high 13,13; cats.prefill 0,0; ask Cats"),
    ("R24 by the record", "2 cats=1,1 rats=0,0: A packed=3,4 " + "A0 B0 " * 3, "cats.high 13,13; cats.prefill 1,1"),
    ("R25 rats are what they left", "2: A packed=3,4 " + "A0 B0 " * 3 + "A3 B1", "rats.prefill 10,12; rats.high 10,12"),
    ("R27 as far as points are sure", "2: A 3 4 A.rat", "scores 6,2"),
    ("R27 fixed points", "2: A packed=1,2 fix=A7", "scores 8,1"),
    # --- what people see ---
    ("the board: the draft order", "3: A 4 1 2", "order BC.A"),
    ("the board", "3: A 4 1 2 B.rat", "tokens rats:2,toys:1,cats:0 rats:0,toys:0,cats:1 rats:1,toys:0,cats:0"),
    ("the board: all is packed", "3: A packed", "order -; phase score"),
    # --- ties (R28) ---
    ("R28 only those level count squares", "3 level corrected=0,-1,0: C0", "ask Empty; asked AC"),
    ("R28 toys fill squares", "2 level: B0", "of Empty squares?"),
    ("R28 or not", "2 level toys_fill_for_tiebreak=off: B0", "of Empty without toys?"),
    ("R28 who is not level votes", "3 tied=AC:", "?vote B; vote.options A,C; phase tie; lit tie:AC"),
    ("R28 the cutest cat wins", VOTED, "over yes; winners C; lit winner:C"),
    ("R28 a level vote is taken again", "4 tied=AC: B.vote=C D.vote=A", "ask Vote; among 0,2; votes ?,?,?,?; ?vote B"),
    ("A11 nobody is left: a guest", "2 tied=AB:", "guest.options A,B,shared; verbs guest"),
    ("A11 the guest decides", "2 tied=AB: guest=B", "winners B"),
    ("A11 or it is shared", "2 tied=AB: shared", "winners AB"),
    ("points fixed after the end break a tie", "2 tied=AB: guest=B fix=A1", "winners A"),
    ("a third made level counts squares", f"{VOTED} fix=B1", "?empty B; verbs empty; phase tie; lit tie:ABC"),
    ("then all three show pictures", f"{VOTED} fix=B1 B4", "guest.options A,B,C,shared; verbs guest"),
    ("and the new vote decides", f"{VOTED} fix=B1 B4 guest=B", "over yes; winners B"),
    ("or is shared by all", f"{VOTED} fix=B1 B4 shared", "over yes; winners ABC"),
    ("fewer empty squares need no vote", f"{VOTED} fix=B1 B3", "over yes; winners B"),
    ("undo brings the end back", f"{VOTED} fix=B1 undo", "over yes; winners C"),
    ("a clear end made a tie", "2 level: B1 fix=A1", "?empty AB; verbs empty"),
    ("a vote that stands is not taken again", f"{VOTED} fix=B-1 fix=B1", "over yes; winners C"),
    ("between two who did not win it is", "3 tied=ABC: guest=A fix=A-1", "ask Vote; ?vote A; vote.options B,C"),
    ("a seat made level during a vote joins it", "4 tied=AC: B.vote=C fix=D1 D4", "?vote B; verbs vote"),
    ("a tie fixed away during a vote", "3 tied=AC: fix=A1", "over yes; winners A; phase over"),
    # --- placements ---
    ("suitcases are reported first", "2 entry=placements: A", "ask Prefilled; ?prefilled AB"),
    ("R8 a tile may be turned", f"{REPORTED} lay=1:b1b2a2a3+underwear:mint:l8", "turn B"),
    ("R15 a cat costs a rat", f"{REPORTED} lay=1*:b1c1a2b2+underwear:mint:l8", "rats 0,1; cats 1,0"),
    ("a bonus tile after", f"{REPORTED} lay=4:a1+underwear*:mint:b1c1", "cats 1,0; turn B"),
    ("a bonus tile before", f"{REPORTED} lay=underwear*:mint:b1c1+4:a1", "cats 1,0; turn B"),
    ("R19 from the supply", f"{REPORTED} lay=4:a1+underwear:mint:l8", "supply 8,10/8,10/8,10/7,10"),
    ("R19 a tile of the mat is not", "2 entry=placements gap=a1: reported lay=4:a1", "supply 8,10/8,10/8,10/8,10"),
    ("R19 a size used up", "2 entry=placements supply=1,0/1,0/1,0/1,0: reported lay=4:a1", "turn B"),
    ("R14 none fits", "2 entry=placements gap=: reported lay=3-", "tiles 1,2,4; turn B"),
    ("R14 the bonus tile, before", f"{NONE_FITS}: reported lay=underwear*:mint:f4g4+1-", "tiles 2,3,4; cats 1,0"),
    ("R14 after", f"{NONE_FITS}: reported lay=1-+underwear*:mint:f4g4", "tiles 2,3,4; cats 1,0"),
    ("R14 the bonus tile first", f"{GAP}=long,bar,long,long: reported lay=underwear:mint:g4h4+2-", "tiles 1,3,4"),
    ("T13 the rat is gone", f"{ELLS} gap=a1f4g4h4h5: reported lay=underwear*:mint:a1+1-", "rats 0,1; tiles 2,3,4"),
    ("R28 groups, cats and rats are computed", "2 at_the_end: B0", "over yes; scores 4,2; sizes 2,1"),
    ("R28 also in a tie made after the end", "2 at_the_end: B0 fix=B2", "winners B"),
    ("R28 empty squares are computed", "2 more_squares: B0", "over yes; winners B"),
    ("R28 toys fill none", "2 toys_fill_for_tiebreak=off more_squares: B0", "over yes; winners A"),
    # --- the same as ---
    ("R11 one undo leads back to the Cat Lady", f"{LADY} B.take undo", f"= {LADY}"),
    ("an answer is undone with what followed", "2: A 4 2 undo", "= 2: A 4"),
    ("the same Cat Ladies come again", "1 cat_lady=virtual: 110 4 undo 4", "= 1 cat_lady=virtual: 110 4"),
    ("a timed turn is one step", f"{TIMED} begin A.rat A.take undo", f"= {TIMED}"),
    ("its time stands still without power", f"{TIMED} begin A.rat resume+9000", "due 29000; rats 0,1,2,2"),
    ("squares counted in a tie after the end are one step", "2 level: B1 fix=A1 B3 A4 undo", "= 2 level: B1 fix=A1"),
    # --- refused ---
    ("T12 no third rat", "4 rats=3,1,1,1: A 2 3 4 D.take A.rat A.rat A.rat", "! not_offered: seat 0 cannot rat now"),
    ("T13 not without a rat", f"{ELLS} rats=0,1: reported lay=1*:f4g4h4h5", "! 1 cats cost 1 rats: must be at most 0"),
    ("T13 it has to be taken", f"{ELLS}: reported lay=2-", "! tile 1 fits: a tile may be discarded only if none fits"),
    ("R7 a position is taken once", "4: A 3 B.position=3", "! bad_value: position 3: must be 1, 2 or 4"),
    ("R10 a tile that is gone", f"{NUMBERS} A2 B.take=2", "! bad_value: take 2: must be 1, 3 or 4"),
    (
        "R15 a second rat has no tile to turn",
        f"{NONE_FITS} rats=3,1: reported lay=underwear*:mint:f4+underwear*:mint:f4+1-",
        "! bad_value: lay: no underwear was won; bonus tiles left: none",
    ),
    (
        "R19 a colour of which none is left",
        "2 entry=placements supply=1,1/1,1/1,1/1,0: reported lay=4:a1+underwear:mint:d4e4",
        "! bad_value: lay: no mint tile of two squares is left; there are magenta, lavender, peach",
    ),
    (
        "R19 a size that is used up",
        "2 entry=placements supply=0,1/0,1/0,1/0,1: reported lay=4:a1+underwear:mint:d4",
        "! bad_value: lay: no mint tile of one square is left; there are none",
    ),
]


@pytest.mark.parametrize(("position", "expected"), rows(POSITIONS))
def test_position(position: str, expected: str) -> None:
    assert Pack.found(position, expected) == expected


@pytest.mark.parametrize(
    ("tiles", "points"), rows([("T5 the larger of 2 and 3", 3, 5), *[(f"T6 {n}", n, p) for n, p in GROUPS]])
)
def test_points_of_a_group(tiles: int, points: int) -> None:
    assert colour_points(tiles) == points


@pytest.mark.parametrize(("bold", "numbers"), [(1, (1, 2, 3, 4)), (3, (3, 4, 1, 2)), (4, (4, 1, 2, 3))])
def test_a_cat_lady_of_the_kit_goes_on_round_the_ring(bold: int, numbers: tuple[int, ...]) -> None:
    assert drafting.ring(bold) == numbers


@pytest.mark.parametrize(("left", "tile"), rows([("T2", (1, 3), 1), ("T10", (2, 3), 2)]))
def test_a_cat_lady_takes_the_first_of_her_numbers_that_is_left(left: tuple[int, ...], tile: int) -> None:
    assert drafting.removed((4, 1, 2, 3), left) == tile


def test_the_kit_draws_each_number_once_a_round_and_takes_other_tiles() -> None:
    ladies = Pack.at("1 cat_lady=virtual: 110 4").state.round.ladies
    assert [len(ladies), *(len(set(drawn)) for drawn in zip(*ladies, strict=True))] == [3, 3, 3]


def test_s2_a_placement_card_blocks_one_to_three_positions() -> None:
    assert sorted(len(option.split("+")) for option in drafting.BLOCKS) == [1] * 4 + [2] * 6 + [3] * 4


def test_a_bonus_table_of_another_form_is_refused() -> None:
    form = "4 entries, each none or up to 4 of rat, toy, sock, underwear joined by +"
    with pytest.raises(Refused, match=f"^option bonus_table = 'rat rat rat hat': must be {re.escape(form)}$"):
        read_options(Options, {"bonus_table": "rat rat rat hat"})


def test_the_pad_is_asked_line_by_line() -> None:
    at, lines = Pack.at("2: A packed=1,2"), list[str]()
    while at.phase == "score":
        lines.append(RULES.label(at.state, at.play.offers[0]))
        at.act(0, at.play.offers[0].verb, 0).act(1, at.play.offers[0].verb, 0)
    groups = [f"Largest {colour}?" for colour in COLOURS]
    assert lines == [*(f"To Do list {n}?" for n in (1, 2, 3)), "Cats and kittens?", "Rats left?", *groups]


def test_twelve_tiles_stand_for_more() -> None:
    at = Pack.at("2 level:")
    assert RULES.label(at.state, at.play.offers[0], 12) == "12+"


def levelled(seed: int) -> Game:
    """A whole game at random, whose end is fixed three times so that another seat is level with the winner."""
    dice = Random(seed)
    play, facts, moves = random_game(RULES, dice.choice((2, 3, 4)), random_options(RULES, dice), seed)
    stranger = Stranger(RULES, dice, lean=30)
    for _ in range(3):
        totals = play.scores
        seat = dice.randrange(len(totals))
        points = max(totals) - totals[seat] or -1
        caused = fix(play, seat, points)
        moves = (*moves, Move(play.step, "fix", seat, points, 0, 0, caused))
        play = reduce(fold, caused, play)
        while not play.over:
            action, caused = answered(play, stranger.pick(play.offers, 0))
            moves = (*moves, Move(caused[0].step, action.verb, action.seat, action.value, 0, 0, caused))
            play = reduce(fold, caused, play)
    return Game(play, facts, moves)


@pytest.mark.parametrize("seed", range(20))
def test_both_scorers_agree_on_ties_made_after_the_end(seed: int) -> None:
    check_score(levelled(seed))


def test_what_is_laid_lies_in_the_suitcase() -> None:
    at = Pack.at(f"{REPORTED} lay=1:a1b1b2c2+underwear:mint:l8")
    assert at.state.suitcases[0] == Suitcase((), (Tile("magenta", False, ESS), Tile("mint", False, ((11, 7),))))


def test_where_nothing_fits_the_bonus_goes_back() -> None:
    assert Pack.at("2 entry=placements gap=: reported lay=3-").state.suitcases[0] == Suitcase(FULL)


@pytest.mark.parametrize(
    ("bonus", "size"), [("sock+sock+sock+sock", 0), ("underwear+underwear+underwear+underwear", 1)]
)
def test_examples_stay_legal_when_the_supply_runs_out(bonus: str, size: int) -> None:
    at = Pack(4, entry="placements", bonus_table=" ".join([bonus] * 4)).do("A")
    while isinstance(at.state.ask, Prefilled | Draw | Order | Draft):
        offer = at.play.offers[0]
        at.act(offer.seat, offer.verb, offer.example or offer.options[0])
    assert [left[size] for left in at.state.supply] == [0, 0, 0, 0]


def test_what_is_offered_as_an_example_is_legal_through_a_whole_game() -> None:
    at = Pack(2, entry="placements").do("A")
    while isinstance(at.state.ask, Prefilled | Draw | Order | Draft | CatLady):
        offer = at.play.offers[0]
        at.act(offer.seat, offer.verb, offer.example or offer.options[0])
    assert [len(own.tiles) for own in at.state.suitcases] == [24, 24]


BONUS = ("underwear", "mint", "clothes", ((11, 7),))
WRONG: list[tuple[str, Value, str]] = [
    ("nothing", (), "lay: no tile of the mat: must be [tile, clothes or cat or discard, squares] once, [bonus"),
    ("no tile of the mat", (("underwear", "mint", "cat", ONE),), "lay: no tile of the mat: must be [tile, "),
    ("two tiles of the mat", ((4, "clothes", ONE), (2, "clothes", BAR)), "must be [tile, clothes or cat or discard"),
    ("no tile", ((5, "clothes", ONE),), "lay: tile 5 is not on the mat: must be 1, 2, 3 or 4"),
    ("true for a tile", ((True, "clothes", ESS),), "must be [tile, clothes or cat or discard, squares]"),
    ("no side", ((1, "hat", ESS),), "must be [tile, clothes or cat or discard, squares]"),
    ("no squares", ((1, "clothes", NO),), "lay: (): must be tile 1 with its clothes up, in any rotation"),
    ("a word", ((1, "clothes", "abc"),), "lay: 'abc': must be a square as [column, row], from [0, 0]"),
    ("half a square", ((1, "clothes", ((0,), (1, 0))),), "lay: (0,): must be a square as [column, row], from [0, 0]"),
    ("another shape", ((1, "clothes", BAR),), f"lay: {BAR!r}: must be tile 1 with its clothes up, in any rotation"),
    ("turned over for nothing", ((1, "clothes", ((1, 0), (2, 0), (0, 1), (1, 1))),), "must be tile 1 with its clothes"),
    ("beyond", ((2, "clothes", ((10, 0), (11, 0), (12, 0))),), "lay: (12, 0) is taken or beyond the grid"),
    ("on a filled square", ((4, "clothes", ((4, 4),)), BONUS), "lay: (4, 4) is taken or beyond the grid"),
    ("on a tile", ((4, "clothes", ((11, 7),)), BONUS), "lay: (11, 7) is taken or beyond the grid"),
    ("bonus left out", ((4, "clothes", ONE),), "lay: the underwear fits and has to be placed"),
    ("bonus not won", ((4, "clothes", ONE), ("sock", "mint", "cat", ((5, 5),))), "lay: no sock was won; bonus tiles"),
    ("bonus twice", ((4, "clothes", ONE), BONUS, BONUS), "lay: no underwear was won; bonus tiles left: none"),
    ("bonus too large", ((4, "clothes", ONE), ("underwear", "mint", "cat", BAR)), "side by side, for the underwear"),
    ("bonus in pieces", ((4, "clothes", ONE), ("underwear", "mint", "cat", ((3, 3), (5, 3)))), "or two side by side"),
    ("no colour", ((4, "clothes", ONE), ("underwear", "red", "cat", ((3, 3),))), "[bonus, colour, clothes or cat, "),
    (
        "too many cats",
        ((4, "cat", ONE), ("underwear", "mint", "cat", ((3, 3),))),
        "2 cats cost 2 rats: must be at most 1",
    ),
    ("discard", ((4, "discard", NO), BONUS), "lay: tile 1 fits: a tile may be discarded only if none fits"),
]


@pytest.mark.parametrize(("value", "text"), rows(WRONG))
def test_a_laying_against_the_rules_is_refused(value: Value, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        Pack.at("2 entry=placements filled=e5: reported").act(0, "lay", value)
    assert (refusal.value.kind, text in str(refusal.value), "\n" in str(refusal.value)) == ("bad_value", True, False)


GOOD = ("mint", ONE)
UNREPORTABLE: list[tuple[str, Seat | None, Value, str]] = [
    ("filled beyond", 0, ((12, 0),), "beyond the grid"),
    ("filled twice", 0, ((1, 0), (1, 0)), "named twice"),
    ("filled, a word", 0, ("a",), "a square as [column, row]"),
    ("filled, a fraction", 0, ((1.5, 0),), "a square as [column, row]"),
    ("three tiles", None, (GOOD,) * 3, "must be four tiles, not 3"),
    ("no colour", None, (*(GOOD,) * 3, ("red", ONE)), "must be a colour ("),
    ("no tile", None, (*(GOOD,) * 3, "mint"), "must be a colour ("),
    ("a tile in pieces", None, (*(GOOD,) * 3, ("mint", ((0, 0), (1, 1)))), "squares joined by their edges"),
    ("a tile of no squares", None, (*(GOOD,) * 3, ("mint", NO)), "1 to 8 squares"),
    ("a square twice", None, (*(GOOD,) * 3, ("mint", ((0, 0), (0, 0)))), "1 to 8 squares"),
    ("R2 a 20th of a colour", None, (GOOD,) * 4, "tiles: only 19 tiles of a colour are in the bag"),
]


@pytest.mark.parametrize(("seat", "value", "text"), rows(UNREPORTABLE))
def test_an_impossible_report_is_refused(seat: Seat | None, value: Value, text: str) -> None:
    at = Pack.at("2 entry=placements seen=0,0,0,16: A")
    if seat is None:
        at.act(0, "prefilled", NO).act(1, "prefilled", NO)
    with pytest.raises(Refused) as refusal:
        at.act(seat, "prefilled" if seat == 0 else "tiles", value)
    assert text in str(refusal.value)
