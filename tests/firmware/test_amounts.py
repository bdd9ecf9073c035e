"""The bonus table of Pack the Essentials, edited in the menu: with a knob, and with ▲▼ and OK."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games.pack_the_essentials.state import BONUS_TABLE, Options
from firmware.table.amounts import Amounts
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
        for _ in range(20):
            if rig.row() == "Pack the Essentials":
                break
            self.down(1)
        rig.ok().tap("P1").tap("P2").ok()
        mode = rig.app.table.top
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

    def editor(self) -> "Hand":
        """Into the bonus table, the first option."""
        self.down(1).rig.ok()
        return self

    def amount(self, row: int, steps: int) -> "Hand":
        """Change the amount of a row, and go back to DONE."""
        self.down(row).rig.ok()
        self.move(steps).rig.ok()
        return self.down(-row)

    @property
    def table(self) -> str:
        """The table as it would be played now."""
        return str(self.menu.options.bonus_table)


@pytest.fixture(params=["table", "duo"], ids=["knob", "▲▼"])
def hand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hand]:
    rig = Rig(tmp_path, kit(request.param))
    yield Hand(rig, knob=rig.kit.control.knob)
    rig.close()


def test_both_kinds_of_control_are_tried(hand: Hand, request: pytest.FixtureRequest) -> None:
    assert hand.knob is ("knob" in request.node.name)


def test_ok_on_the_option_opens_its_table(hand: Hand) -> None:
    assert "BONUSES" in hand.editor().rig.reads()


def test_every_amount_has_a_row(hand: Hand) -> None:
    editor = hand.editor().rig.app.table.top
    assert isinstance(editor, Amounts)
    rows = [str(text).split(":")[0] for text, _ in editor.rows()[1:]]
    assert rows == [f"{n} {thing}" for n in range(1, 5) for thing in BONUS_TABLE.things]


def test_an_amount_is_taken_up_changed_and_set(hand: Hand) -> None:
    assert hand.editor().amount(TOY_1, 2).table == "toy+toy+underwear sock rat rat+toy"


def test_an_amount_is_seen_while_it_is_changed(hand: Hand) -> None:
    hand.editor().down(TOY_1).rig.ok()
    assert {"2", "position 1 toy"} <= set(hand.move(2).rig.reads().split(" | "))


def test_the_last_amount_can_be_reached(hand: Hand) -> None:
    assert hand.editor().amount(UNDERWEAR_4, 1).table == "underwear sock rat rat+toy+underwear"


def test_a_position_may_give_nothing(hand: Hand) -> None:
    assert hand.editor().amount(RAT_3, -1).table == "underwear sock none rat+toy"


def test_no_amount_is_below_0(hand: Hand) -> None:
    assert hand.editor().amount(RAT_2, -9).table == USUAL


def test_a_position_gives_four_things_at_most(hand: Hand) -> None:
    assert hand.editor().amount(RAT_1, 9).table == "rat+rat+rat+underwear sock rat rat+toy"


def test_what_one_thing_leaves_another_may_take(hand: Hand) -> None:
    hand.editor().amount(UNDERWEAR_1, -1).amount(RAT_1, 9)
    assert hand.amount(SOCK_1, 1).table == "rat+rat+rat+rat sock rat rat+toy"


def test_the_control_stops_at_both_ends_of_the_list(hand: Hand) -> None:
    hand.editor().down(99)
    last = hand.rig.row()
    assert (last, hand.down(-99).rig.row()) == ("4 underwear: 0", "DONE")


def test_a_players_button_changes_nothing(hand: Hand) -> None:
    hand.editor().down(RAT_1).rig.ok().tap("P1").hold("P2")
    assert hand.table == USUAL


def test_done_leads_back_to_the_options(hand: Hand) -> None:
    assert hand.editor().rig.ok().app.table.top is hand.menu


def test_a_long_ok_leads_back_from_anywhere(hand: Hand) -> None:
    hand.editor().down(RAT_2).rig.ok()
    assert hand.move(1).rig.ok_hold().app.table.top is hand.menu


def test_what_was_changed_before_a_long_ok_stays(hand: Hand) -> None:
    hand.editor().down(RAT_2).rig.ok()
    hand.move(1).rig.ok_hold()
    assert hand.table == "underwear rat+sock rat rat+toy"


def test_the_menu_says_that_the_table_is_another(hand: Hand) -> None:
    hand.editor().amount(RAT_2, 1).rig.ok()
    assert hand.rig.row().split() == ["Bonuses:", "own"]


def test_the_menu_says_that_the_table_is_the_usual_one(hand: Hand) -> None:
    hand.editor().amount(RAT_2, 1).amount(RAT_2, -1).rig.ok()
    assert hand.rig.row().split() == ["Bonuses:", "usual"]


def test_the_game_is_played_with_it(hand: Hand) -> None:
    hand.editor().amount(RAT_2, 1).rig.ok()
    hand.down(-1).rig.ok()
    assert hand.rig.playing.play.options.bonus_table == "underwear rat+sock rat rat+toy"
