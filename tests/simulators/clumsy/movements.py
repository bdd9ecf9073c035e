"""What hands do at the page. Before each movement the program may be cut."""

from collections.abc import Callable
from random import Random

from playwright.sync_api import Page

from tests.simulators.at_the_page import LONG_MS, SHORT_MS, Table
from tests.simulators.page_input import Hands, Mouse

NEXT_CUT = (20, 200)  # movements from one cut to the next


class Cut(Exception):
    """The program ends here, whatever people are doing."""


class Movements:
    """Hands at the page of a table, of a kind that is made for the page anew whenever it holds nothing any more."""

    def __init__(self, dice: Random, table: Table, hands_on: Callable[[Page], Hands]) -> None:
        self.dice, self.table, self.hands_on = dice, table, hands_on
        self.held: set[str] = set()
        self.cuts_from_now = dice.randint(*NEXT_CUT)

    def moves(self) -> None:
        self.cuts_from_now -= 1
        if self.cuts_from_now == 0:
            self.cuts_from_now = self.dice.randint(*NEXT_CUT)
            raise Cut

    def down(self, part: str, *, stays: bool = True) -> None:
        self.moves()
        self.table.hands.down(part, stays=stays)
        self.held.add(part)

    def up(self, part: str) -> None:
        self.moves()
        self.table.hands.up(part)
        self.held.discard(part)

    def wait(self, ms: float) -> None:
        self.moves()
        self.table.wait(ms)

    def press(self, part: str, ms: int = SHORT_MS) -> None:
        """One press; a button that is held is let go before."""
        if part in self.held:
            self.up(part)
            self.wait(SHORT_MS)
        self.down(part, stays=False)
        self.wait(ms)
        self.up(part)
        self.wait(SHORT_MS)

    def turn(self, steps: int) -> None:
        """More of a number, or less."""
        for _ in range(abs(steps)):
            self.moves()
            self.table.turn(1 if steps > 0 else -1)

    def rows(self, steps: int) -> None:
        """Down a list."""
        for _ in range(steps):
            self.moves()
            self.table.rows(1)

    def ok(self) -> None:
        self.press("ok")

    def long_ok(self) -> None:
        self.press("ok", LONG_MS)

    def let_go(self) -> None:
        """All hands off."""
        for part in sorted(self.held):
            self.up(part)
        self.wait(SHORT_MS)

    def hands_off(self) -> None:
        """Hands off a page that holds nothing any more, as it was left, or has lost the program."""
        table = self.table
        if isinstance(table.hands, Mouse):
            table.page.mouse.up()
        else:
            for part in sorted(self.held):
                table.hands.up(part)
        self.held.clear()
        table.hands = self.hands_on(table.page)
