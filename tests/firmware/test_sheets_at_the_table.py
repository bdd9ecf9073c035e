"""Games that are files, at the kit: numbers, words, names, partners and boxes by button and control."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

import firmware
from engine.game import NoOptions
from engine.sheets.program import program
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.journal.sheet import standing
from firmware.output import screens
from firmware.output.screens.canvas import texts
from firmware.table.playing import begin
from tests.engine.sheets import plays_of_boards, plays_of_cards, plays_of_tricks
from tests.engine.sheets.shelf import sheet
from tests.engine.sheets.table import Table
from tests.firmware.outcomes import outcomes
from tests.simulators.press_count import CountingRig
from tests.simulators.reading import text
from tests.simulators.rig import Rig
from tests.simulators.undoing import SIX

SHELF = Path(firmware.__file__).with_name("shelf")
# sheets with a number of many steps that everybody enters
PLAIN = {
    **dict.fromkeys(("golf", "skyjo", "rummy_500"), "cards"),
    **dict.fromkeys(("rummikub", "phase_10"), "left"),
    "hearts": "taken",
    "six_nimmt": "heads",
    "flip_7": "numbers",
    "mexican_train": "pips",
    "azul": "wall",
}
MOST = 24  # presses and steps of the control for four numbers and OK
WON = "P1 P2 P3! P4! ok P1 P2 P3! P4! ok"  # bids of 1 1 0 0 in the first round of Wizard, and two tricks
HEARTS = "P1! P2=8 P3=5 P4=12 ok"
CARDS = "sheet[Tichu 4] ok P3 ok ok"
DICE = f"sheet[Liar's dice 3]{' P1 ok' * 5}"


def text_of(name: str) -> str:
    """A shipped sheet."""
    return (SHELF / f"{name}.toml").read_text(encoding="utf-8")


def begun(rig: CountingRig, text: str, players: int) -> CountingRig:
    """A game of a sheet by its text is begun."""
    names = tuple(f"P{n + 1}" for n in range(players))
    begin(rig.app.table, rules("sheet:test", read(text)), names, NoOptions())
    rig.after(1000)
    return rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[CountingRig]:
    rig = CountingRig(tmp_path)
    yield rig
    rig.close()


EVENINGS = {
    # numbers
    "a press counts ten steps, the control one": ("sheet[Golf (cards) 4] P1*2 turn-3", "playing.entry.values", {0: 17}),
    "what they do stands below": ("sheet[Golf (cards) 4]", "tap:+10 turn:1 hold:0"),
    "few steps are counted one by one": ("sheet[Wizard 4] ok! ok! P1", "playing.entry.values", {0: 1}),
    "steps are kept": (f"{CARDS} P1*2 turn-1", "playing.entry.values", {0: 45}),
    "a number ends at its limit": ("sheet[Hearts 4] P1*9 turn+2", "playing.entry.values", {0: 26}),
    "a hold is 0 where numbers go below it": ("sheet[Golf (cards) 4] P1*2 P1!", "playing.entry.values", {0: 0}),
    "where one is asked the control counts without a press": ("sheet[Scrabble 2] turn+7 ok", "scores", (7, 0)),
    "anybody counts for the table": ("sheet[Skat list 3] P2 ok P1 P3*2 turn+2", "50"),
    "the new total stands beside it": ("sheet[Mölkky 2] P1*7", "7 | new total"),
    "below a wide column, too": ("sheet[Golf (cards) 2] P1*2", "new total 20 | total 0"),
    "of three the word": ("sheet[Golf (cards) 3] P1*2", "total 0"),
    "in narrow ones stands the sign of a sum": ("sheet[Golf (cards) 4] P1*2", "=20"),
    # words, names
    "a word is chosen by the own button": ("sheet[Tichu 4] P1 P2*2", "Tichu | Grand"),
    "after the last comes the first": ("sheet[Tichu 4] P1*3 P2", "playing.entry.values", {0: 0, 1: 1}),
    "the own button names its seat": ("sheet[Tichu 4] ok P3", "P3"),
    "who is out is not named": (f"{DICE} turn-1", "playing.question.named", (1, 2)),
    "nor lit": (DICE, "lit", {"P2", "P3"}),
    "nor chosen by steps": (f"{DICE} turn-1 ok", "scores", (0, 5, 4)),
    "it is confirmed by OK": ("sheet[Tichu 4] ok P3 P1 P2 ok", "state.round.answers.1.1.0", 1),
    "the control names nobody": ("sheet[Skat list 3] P2 turn+2 ok", "state.round.number", 2),
    # partners
    "partners have one number": (f"{CARDS} P1 P3", "playing.entry.values", {0: 50}),
    "and one column": (f"{CARDS} P1 P3", "P1+P3"),
    "one OK enters both sides": (f"{CARDS} P3*2 P2*2 ok", "scores", (50, 50, 50, 50)),
    # one of several
    "any press picks its seat": ("sheet[Magic: life points 4] P3 turn-3 ok", "scores", (20, 20, 17, 20)),
    "another press picks another": ("sheet[Magic: life points 4] P3 turn-3 P2 turn-1 ok", "scores", (20, 19, 20, 20)),
    "OK without a pick is nothing": ("sheet[Magic: life points 4]", "keeps", "ok*3"),
    "a box is picked by steps": ("sheet[Yahtzee 2] P1*2 ok P1*2 ok", "scores", (6, 0)),
    "and another one after it": ("sheet[Yahtzee 2] P1*2 ok P1*2 ok! turn-1 ok P1*2 ok", "scores", (4, 0)),
    "who is out is marked": ("sheet[Magic: life points 4] P1 turn-20 ok", "out"),
    # checks
    "bids are seen while tricks are asked": ("sheet[Wizard 4] P1 P2 P3! P4! ok", "bid 1 | bid 0"),
    "what is wrong stands above": (f"sheet[Wizard 4] {WON}", "Tricks must add up to 1"),
    "the old numbers stand, to be put right": (f"sheet[Wizard 4] {WON} P2! ok", "scores", (30, -10, 20, 20)),
    "a long number is picked first": (f"sheet[Hearts 4] {HEARTS} P2 turn+1 ok", "scores", (0, 9, 5, 12)),
    "a long question is cut beside another text": ("sheet[Darts 501 2] ok!", "Three darts (no.."),
    "the way out is said once it is there": (f"sheet[Wizard 4] {WON} ok", "hold OK,turn:Count anyway"),
    "and found there": (f"sheet[Wizard 4] {WON} ok menu[Count anyway]", "state.round.number", 2),
    # clocks and races
    "both times of a chess clock are seen": ("sheet[Chess clock 2] 1s P1 4s", "10:04 | 9:56"),
    "the clock runs on the display": ("sheet[Scrabble 2] 11s", "24:49"),
    "a buzzer asks who was first": ("sheet[Quiz buzzer 3] P2 3s P2 ok", "scores", (0, 1, 0)),
}

test_an_evening = outcomes(EVENINGS)


@pytest.mark.parametrize(
    ("keys", "players", "keys_pressed", "shown"),
    [
        ('start = -150\nask = [{ id = "a", high = 300 }]', 6, "P1", ("10", "-140", "-150")),
        ('start = -12345\nask = [{ id = "a" }]', 4, "P1", ("10", "-12335", "-12345")),
        ('start = -1694\nask = [{ id = "a", per = "any" }]', 6, "", ("-1694",)),
        ('start = -12345\nask = [{ id = "a", per = "turn" }]', 6, "", ("P2-12345",)),
        ('start = -123456\nask = [{ id = "a", per = "any" }]', 6, "", ("..",)),
        ('ask = [{ id = "a", words = ["Low", "Garde contre", "Garde sans"] }]', 4, "P1 P2*2", ("Gardee", "Gardes")),
    ],
    ids=["of six", "of many digits", "beside names", "of all", "no room", "words"],
)
def test_what_is_too_long_for_its_place_is_no_other_number(
    keys: str, players: int, keys_pressed: str, shown: tuple[str, ...], tmp_path: Path
) -> None:
    rig = Rig(tmp_path, SIX)
    begin(rig.app.table, rules("sheet:test", read(sheet(f"[2, {players}]", keys))), SIX.names[:players], NoOptions())
    rig.playing.sit({0: rig.app.table.people.add("Maximiliane")})
    rig.after(1000).do(keys_pressed)
    assert set(shown) <= set(texts(rig.playing.picture(rig.now_ns)))


def test_four_plain_numbers_cost_few_presses(tmp_path: Path) -> None:
    costs = list[int]()
    for n, (name, ask) in enumerate(PLAIN.items()):
        asked = next(one for one in program(read(text_of(name))).asks if one.id == ask)
        lone = f'title = "T"\nplayers = [4, 4]\nask = [{{ id = "a", low = {asked.low}, high = {asked.high} }}]'
        played = (*plays_of_boards.PLAYS, *plays_of_cards.PLAYS, *plays_of_tricks.PLAYS)
        rows = [step[ask] for play in played if play.sheet == name for step in play.steps if ask in step]
        results = [number for row in rows if not isinstance(row, int) for number in row if number is not None]
        for at in range(0, len(results) - 3, 4):
            rig = begun(CountingRig(tmp_path / f"{n}-{at}"), lone, 4)
            for seat, number in enumerate(results[at : at + 4]):
                rig.number(f"P{seat + 1}", number)
            rig.ok()
            assert rig.scores == tuple(results[at : at + 4])
            costs.append(len(rig.pushes) + len(rig.steps))
            rig.close()
    assert median(costs) <= MOST


@pytest.mark.parametrize(
    ("keys", "players", "given", "says", "on_paper"),
    [
        ('together = "sum(total) >= 5"', 2, (3, 3), "ALL HAVE WON", "all have won"),
        ('together = "sum(total) >= 5"', 2, (1, 3), "ALL HAVE LOST", "all have lost"),
        ('together = "sum(total) >= 5"', 1, (1,), "ALL HAVE LOST", "all have lost"),
        ("", 1, (7,), "7 POINTS", "played alone"),
        ("", 2, (7, 6), "P1 WINS", "won by P1"),
    ],
)
def test_the_end_says_who_has_won(keys: str, players: int, given: tuple[int, ...], says: str, on_paper: str) -> None:
    head = 'title = "T"\nplayers = [1, 4]\nrounds = 1\nask = [{ id = "a" }]\n'
    table = Table(head + keys, players).each("a", *given)
    assert says in text(screens.draw(table.play)).split(" | ")
    assert standing(table.play) == on_paper


def test_a_game_that_nothing_else_ends_counts_or_is_broken_off(rig: Rig) -> None:
    assert list(rig.do("sheet[Kingdomino 2] menu[Finish]").rows) == ["Count it", "Break off: unfinished"]
    rig.choose("Break off")
    assert (rig.playing.play.ended, rig.playing.play.winners) == (True, ())


def test_a_game_that_nothing_else_ends_is_counted(rig: Rig) -> None:
    rig.do("sheet[Kingdomino 2] menu[Finish] [Count it]")
    assert (rig.playing.play.over, rig.playing.play.winners) == (True, (0, 1))
