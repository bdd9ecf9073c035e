"""The bonus table of Pack the Essentials, edited in the menu: with a knob, and with ▲▼ and OK."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games.pack_the_essentials.state import BONUS_TABLE, Options
from firmware.table.menus import Options as Menu
from hardware.config import kit
from tests.simulators.rig import Rig

USUAL = Options().bonus_table
RAT_1, TOY_1, SOCK_1, UNDERWEAR_1, RAT_2 = range(1, 6)  # rows, below DONE
RAT_3 = 9
UNDERWEAR_4 = 16


class Hand:
    """The control of one kit, at the options of Pack the Essentials."""

    def __init__(self, rig: Rig, *, knob: bool) -> None:
        self.rig, self.knob = rig, knob
        mode = rig.do("[Pack the Essentials] P1 P2 ok").app.table.top
        assert isinstance(mode, Menu)
        self.menu = mode

    def move(self, steps: int) -> "Hand":
        """So many steps clockwise, or presses of ▲; negative: the other way."""
        for _ in range(abs(steps)):
            self.rig.control.turn(1 if steps > 0 else -1, at_ns=self.rig.now_ns, knob=self.knob)
            self.rig.app.step(self.rig.now_ns)
        return self

    def down(self, rows: int) -> "Hand":
        """To a later row."""
        return self.move(rows if self.knob else -rows)

    def at(self, row: int) -> "Hand":
        """OK at a row."""
        self.down(row).rig.ok()
        return self

    def amount(self, row: int, steps: int) -> "Hand":
        """Change the amount of a row, and go back to DONE."""
        self.at(row).move(steps).rig.ok()
        return self.down(-row)

    @property
    def table(self) -> str:
        """The table as it would be played now."""
        return str(self.menu.options.bonus_table)


@pytest.fixture(params=["table", "duo"], ids=["knob", "▲▼"])
def hand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hand]:
    """A control in the bonus table, the first option."""
    rig = Rig(tmp_path, kit(request.param))
    yield Hand(rig, knob=rig.kit.control.knob).at(2)
    rig.close()


def test_ok_on_the_option_opens_its_table_with_a_row_for_every_amount(
    hand: Hand, request: pytest.FixtureRequest
) -> None:
    assert ("Bonuses | up to" in hand.rig.reads(), hand.knob) == (True, "knob" in request.node.name)
    rows = [row.split(":")[0] for row in hand.rig.rows[1:]]
    assert rows == [f"{n} {thing}" for n in range(1, 5) for thing in BONUS_TABLE.things]


CHANGED = {
    "an amount is taken up changed and set": ({TOY_1: 2}, "toy+toy+underwear sock rat rat+toy"),
    "the last amount can be reached": ({UNDERWEAR_4: 1}, "underwear sock rat rat+toy+underwear"),
    "a position may give nothing": ({RAT_3: -1}, "underwear sock none rat+toy"),
    "no amount is below 0": ({RAT_2: -9}, USUAL),
    "a position gives four things at most": ({RAT_1: 9}, "rat+rat+rat+underwear sock rat rat+toy"),
    "what one leaves another may take": ({UNDERWEAR_1: -1, RAT_1: 9, SOCK_1: 1}, "rat+rat+rat+rat sock rat rat+toy"),
}


@pytest.mark.parametrize(("steps", "table"), CHANGED.values(), ids=CHANGED)
def test_amounts_are_changed(hand: Hand, steps: dict[int, int], table: str) -> None:
    for row, many in steps.items():
        hand.amount(row, many)
    assert hand.table == table


def test_an_amount_is_seen_while_it_is_changed(hand: Hand) -> None:
    assert {"2", "position 1 toy"} <= hand.at(TOY_1).move(2).rig.pieces


def test_the_control_stops_at_both_ends_of_the_list(hand: Hand) -> None:
    last = hand.down(99).rig.row()
    assert (last, hand.down(-99).rig.row()) == ("4 underwear: 0", "DONE")


def test_a_players_button_changes_nothing(hand: Hand) -> None:
    hand.at(RAT_1).rig.do("P1 P2!")
    assert hand.table == USUAL


def test_done_leads_back_and_so_does_a_long_ok_from_anywhere_and_what_was_changed_stays(hand: Hand) -> None:
    assert hand.rig.ok().app.table.top is hand.menu
    hand.rig.ok()
    mode = hand.at(RAT_2).move(1).rig.ok_hold().app.table.top
    assert (mode, hand.table) == (hand.menu, "underwear rat+sock rat rat+toy")


@pytest.mark.parametrize(("steps", "called"), [((1,), "own"), ((1, -1), "usual")])
def test_the_menu_says_whether_the_table_is_the_usual_one(hand: Hand, steps: tuple[int, ...], called: str) -> None:
    for many in steps:
        hand.amount(RAT_2, many)
    assert hand.rig.ok().row().split() == ["Bonuses:", called]


def test_the_game_is_played_with_it(hand: Hand) -> None:
    hand.amount(RAT_2, 1).rig.ok()
    hand.down(-2).rig.ok()
    assert hand.rig.playing.play.options.bonus_table == "underwear rat+sock rat rat+toy"
