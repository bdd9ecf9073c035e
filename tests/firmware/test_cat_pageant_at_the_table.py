"""CAT Pageant as it is played: fanciers, the count to PLACE, cats adopted one by one, pageants, piles."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.games.cat_pageant.fanciers import Fancier, Name, WhichFancier
from engine.games.cat_pageant.rounds import Adopt, Groom, Place, Result
from engine.games.cat_pageant.scoring import Piles
from firmware.output import sounds
from tests.firmware.outcomes import outcomes
from tests.simulators import evenings
from tests.simulators.rig import NamedRig, Rig

GAME = "game[cat_pageant 2]"  # the first number of the first fancier is asked for


def fanciers(*hustle: int) -> str:
    """Everybody has a fancier, with this lowest hustle; none is saved."""
    return " ".join(f"P{n}*3 ok P{n}*4 ok P{n}*{low} ok P{n}*2 ok*2" for n, low in enumerate(hustle, 1))


def placed(*hustle: int) -> str:
    """The cubes are placed and read: so many on hustle."""
    return "ok 3500 " + " ".join(f"P{n}*{cubes}" if cubes else f"P{n}!" for n, cubes in enumerate(hustle, 1)) + " ok"


ENTERED = f"{GAME} P1*3 ok P1*4 ok P1*2 ok P1*2 ok"  # a fancier; shall it be saved?
READY = f"{GAME} {fanciers(2, 1)}"  # two players hold their cubes; P1 starts with the higher hustle
ADOPTING = f"{READY} {placed(2, 2)} ok"  # the first player has drawn
TAKEN = f"{placed(2, 1)} ok P1 P2 P1 ok"  # P1 has taken two cats and P2 one; one is left over
GROOMING = f"{READY} {TAKEN}"  # P1 is the first to groom
ROUND_2 = f"{GROOMING} ok*2 {TAKEN} ok"  # both have a cat to show; one cat is left over as a pageant card
STANDSTILL = f"{GROOMING} ok*2 {placed(0, 0)} ok*5"  # nobody adopts, no card is won; P1 has two cats, P2 has one
LEVEL = f"{GAME} {fanciers(2, 2)} {placed(2, 2)}"
BY_SEAT = "game[cat_pageant 2 initiative_tiebreak=seat]"
CARDS = f"game[cat_pageant 2 entry=cards] {fanciers(2, 1)} {placed(2, 4)} P1 ok"  # P1: one cube on groom, one on show
TIMED = f"game[cat_pageant 2 turn_timer_s=5] {fanciers(2, 1)} {placed(2, 2)} ok"
SPELLED = f"{ENTERED} turn-13 ok turn-15 ok"
NAMED = f"{GAME} P1*2 ok P1*4 ok P1 ok P1*3 ok turn-16 ok turn-9 ok turn-16 ok*2"  # PIP: moxie 2 to 5, hustle 1 to 3
BOTH = f"{NAMED} P2*3 ok P2*4 ok P2*2 ok P2*2 ok turn-13 ok turn-15 ok*2"  # and MO
UNCOUNTED = "game[cat_pageant 2 placing_countdown=0]"
LEARNING = f"{GROOMING} ok*2 {TAKEN} menu[P1: Learn a trick]"
PILES = "P2 ok menu[Count the piles]"
HOME = "menu[Main menu]"
NEWER = (
    f"{NAMED} {HOME} {GAME} turn-1 ok P1*3 ok P1*4 ok P1*2 ok P1*2 ok turn-13 ok turn-15 ok*2"  # MO, in a second game
)
OLDER = (
    f"{HOME} [Unfinished games] turn-1 ok*2 P2*2 ok P2*4 ok P2 ok P2*2 ok turn-2 ok turn-15 ok*2"  # BO, in the first
)
LATER = f"{NAMED} reboot turn-1 {GAME}"  # not on with that one: to the menu, and a new game

EVENINGS = {
    # fanciers
    "then the highest, with what was entered in sight": (f"{GAME} P1*3 ok", "Highest moxie?"),
    "then hustle": (f"{GAME} P1*3 ok P1*4 ok", "Lowest hustle? | moxie 3-6"),
    "and last the highest": (f"{GAME} P1*3 ok P1*4 ok P1*2 ok", "Highest hustle?"),
    "it is asked whether to save it": (ENTERED, "NAME IT? | moxie 3-6  hustle 2-3 | tap/turn: name it | OK: no"),
    "a name is spelled with the control": (SPELLED, "MO······"),
    "a letter is taken back by itself": (f"{SPELLED} undo", "M·······"),
    "the control enters the numbers for a dead button": (f"{GAME} lost[P1] 6s turn+4", "for P1: turn, OK"),
    # cubes and order
    "a table that counts itself is asked for its cubes": (f"{UNCOUNTED} {fanciers(2, 1)}", "Hustle cubes?"),
    "the order says how many cats are drawn": (f"{READY} {placed(1, 3)}", "1st P2 | P2: draw 5 cats"),
    "level values say which starting hustle decides": (
        f"{READY} {placed(1, 2)}",
        "start 2 | start 1 | level: lower start first",
    ),
    "the order says what its numbers are": (f"{READY} {placed(1, 3)}", "HUSTLE R1"),
    "a round says what its numbers are": (f"{ROUND_2} P2 ok", "R2: cards won"),
    # adopting and pageants
    "cats left stand in the picture": (ADOPTING, "cats left"),
    "cats left over are pageants": (f"{READY} {placed(2, 1)} ok P1 P2! ok", "3 CATS LEFT | each is a pageant card"),
    "without cats left a card is drawn": (f"{ADOPTING} P1 P2 P1 P2", "DRAW ONE"),
    "who grooms stands with who comes next": (GROOMING, "P1 | then P2"),
    "a trick is learned from the menu": (f"{LEARNING} turn-3", "media bonus"),
    "shown cats start at none": (ROUND_2, "Cats at pageant 1?"),
    "most cats win the card": (f"{ROUND_2} P2 ok", "P2 wins the card"),
    "a tie sends the card below the deck": (f"{ROUND_2} P1 P2 ok", "nobody wins the card"),
    "after a round that stands still the table may end": (STANDSTILL, "End the game now? | no cat, no card | play on"),
    "a game that stands still may be scored": (f"{STANDSTILL} turn-1 ok", "Media bonus?"),
    "level totals ask for ungroomed cats": (f"{STANDSTILL} turn-1 ok*3", "Ungroomed cats? | level: most wins"),
    "ungroomed cats decide": (f"{STANDSTILL} turn-1 ok*3 P1*2 P2 ok", "P1 WINS"),
    # every cat entered
    "a cat taken is asked for its trick": (f"{CARDS} ok P2", "P2: Its trick? | room 3"),
    "and its moxie": (f"{CARDS} ok P2 ok", "cube, room 3"),
    # dead buttons
    "the control takes a cat for a dead button": (f"{ADOPTING} lost[P1] 6s", "turn: P1 took | OK: pass"),
    "the control is done grooming for a dead button": (f"{GROOMING} lost[P1] 6s", "turn: done"),
    "the control counts cats for a dead button": (f"{ROUND_2} lost[P1] 6s turn+1", "for P1: turn, OK"),
    # fanciers
    "the highest value is not below the lowest": (f"{GAME} P1*3 ok P1 turn-2", "entered", {0: 3}),
    "a plain OK does not save a fancier": (f"{ENTERED} ok", "state.ask", Fancier(1)),
    "OK saves it once it has a name": (f"{SPELLED} ok", "state.known", (("MO", 3, 6, 2, 3),)),
    "ones own button steps through the letters": (f"{ENTERED} P1*2 ok", "state.ask", Name(0, "B")),
    "what the control entered for a dead button counts": (f"{GAME} lost[P1] 6s turn+4 ok*2", "state.stats.0", (4,)),
    # cubes and adopting
    "cubes are counted up to what one has": (f"{READY} ok 3500 P1*6", "entered", {0: 4}),
    "a press takes a cat and the next is asked": (f"{ADOPTING} P1", "state.ask", Adopt(1)),
    "the cat is gone from the middle": (f"{ADOPTING} P1", "state.round.middle", 3),
    "a long press passes": (f"{ADOPTING} P1!", "state.ask", Adopt(1, 1)),
    "OK passes for whoever is asked": (f"{ADOPTING} ok", "state.ask", Adopt(1, 1)),
    "a press of somebody else takes nothing": (f"{ADOPTING} P2", "state.ask", Adopt(0)),
    "it is refused": (f"{ADOPTING} P2", "tunes.-1", sounds.REFUSED),
    # pageants
    "done grooming is a press": (f"{GROOMING} P1", "state.ask", Groom(1)),
    "training is in the menu": (f"{GROOMING} menu[P1: +1 hustle]", "state.hustle", (3, 1)),
    "it costs moves": (f"{GROOMING} menu[P1: +1 hustle]", "state.round.rest", (1, 3)),
    "a trick that was learned is kept": (f"{LEARNING} turn-3 ok", "state.tricks", (("media",), ())),
    "nobody shows before the second round": (f"{GROOMING} ok", "state.ask", Result()),
    "no cat shown is a plain OK": (f"{ROUND_2} ok", "state.ask", Result()),
    "a number of cats too high is not taken": (f"{ROUND_2} P2*3", "entered", {1: 1}),
    "piles are counted in between": (f"{ROUND_2} {PILES}", "state.ask", Piles.of(2, (1,), after=Result())),
    "they count at once": (f"{ROUND_2} {PILES} P2=5 ok", "scores", (0, 5)),
    "points are fixed at any time": (f"{READY} menu[Fix points] P2 turn+3 ok", "scores", (0, 3)),
    "and the game goes on": (f"{READY} menu[Fix points] P2 turn+3 ok", "state.ask", Place()),
    "a plain OK plays on though the game stands still": (f"{STANDSTILL} ok", "state.ask", Place()),
    # every cat entered
    "a cat that is too heavy cannot be entered": (f"{CARDS} ok P2 ok P2*4", "entered", {1: 3}),
    "that is refused": (f"{CARDS} ok P2 ok P2*4", "tunes.-1", sounds.REFUSED),
    # dead buttons
    "a cat taken by the control is taken": (f"{ADOPTING} lost[P1] 6s turn+1", "state.ask", Adopt(1)),
    "the control says that grooming is done": (f"{GROOMING} lost[P1] 6s turn+1", "state.ask", Groom(1)),
    "cats counted by the control win": (f"{ROUND_2} lost[P1] 6s turn+1 ok", "state.round.won", (0,)),
    "a cat taken by mistake is put back": (ADOPTING, "same", "P1 undo"),
    "groom cubes are asked for where cats are entered": (CARDS, "asks", "Order"),
    "a turn of adopting ends by itself where it is timed": (f"{TIMED} 5500", "board.turn", (1,)),
    "not sooner": (f"{TIMED} 4000", "board.turn", (0,)),
    "a player without a button passes in the menu": (f"{ADOPTING} menu[P1: ]", "board.turn", (1,)),
    "the seconds of a turn are counted down": (f"{TIMED} 2s", "reads", "0:0"),
    # fanciers of earlier games
    "a first game has no fanciers to offer": (GAME, "Lowest moxie?"),
    "a named fancier is offered in a later game with its numbers": (LATER, "PIP | moxie 2-5  hustle 1-3"),
    "it is kept from game to game": (f"{LATER} menu[Main menu] {GAME}", "PIP"),
    "a fancier that was taken back is not kept": (f"{NAMED} ok! ok reboot turn-1 {GAME}", "Lowest moxie?"),
    "one OK takes it with its numbers": (f"{LATER} ok", "state.stats.0", (2, 5, 1, 3)),
    "the next player chooses among the others": (f"{BOTH} reboot turn-1 {GAME} ok", "state.ask", WhichFancier(1)),
    "a new fancier is the last choice": (f"{LATER} turn-1", "NEW ONE"),
    "its numbers are asked for": (f"{LATER} turn-1 ok", "state.ask", Fancier(0)),
    "what was kept is no step to be undone": (LATER, "playing.play.past", None),
    "a game with kept fanciers is replayed exactly": (f"{LATER} ok", "same", "reboot ok"),
    "what a newer game has left outweighs what an older one leaves later": (f"{NEWER} {OLDER} {HOME} {GAME}", "MO"),
    "the trick of each pageant card is asked for": (f"{CARDS} ok*5", "Pageant 2: trick?"),
}

test_an_evening = outcomes(EVENINGS)


def test_the_kit_counts_down_and_says_place(rig: Rig) -> None:
    rig.do(f"{READY} ok")
    assert [rig.after(ms).reads().split(" | ")[0] for ms in (0, 1000, 1000, 1000)] == ["3", "2", "1", "PLACE!"]


def test_a_journal_that_cannot_be_read_keeps_no_fancier(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database at all")
    assert "Lowest moxie?" in Rig(tmp_path).do(GAME).reads()


@pytest.mark.parametrize(
    ("hustle", "cubes", "seats", "low"),
    [((2, 2), (2, 2), 2, False), ((2, 1), (1, 2), 0, True)],
    ids=["where they decide", "not where a lower starting hustle does"],
)
def test_seats_are_shown(rig: Rig, hustle: tuple[int, int], cubes: tuple[int, int], seats: int, low: bool) -> None:
    reads = rig.do(f"{BY_SEAT} {fanciers(*hustle)} {placed(*cubes)}").reads()
    assert (reads.count("seat"), "low" in reads) == (seats, low)


def test_lots_are_shown(rig: Rig) -> None:
    assert rig.do(LEVEL).reads().count("random") == 2


def test_who_is_asked_to_groom_stands_large(rig: Rig) -> None:
    assert "P2" in rig.do(f"{GROOMING} P1").reads().split(" | ")[0]


def test_with_the_name_below(tmp_path: Path) -> None:
    with closing(NamedRig(tmp_path, ("Grzegorzowa1",))) as rig:
        assert {"P1", "Grzegorzowa1, then P2"} <= rig.do(GROOMING).pieces


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_evening_comes_to_its_scores(tmp_path: Path, players: int) -> None:
    rig = Rig(tmp_path)
    expected = evenings.cat_pageant(rig, players=players)
    assert (rig.scores, rig.playing.play.over, rig.state.deck) == (expected, True, 0)
    rig.close()
