"""People who know no game: they answer whatever they are asked, by buttons and knob, and take a step back at times."""

from contextlib import suppress
from random import Random

from engine import games
from engine.rules import HANDS, RELEASE
from firmware.table import question
from firmware.table.question import Kind
from tests.simulators.reading import text
from tests.simulators.real_table import CLICK, QUARTER_MS, Table
from tests.simulators.waiting import Stalled, until

EVENING = "NEW EVENING?"
SIDEWAYS = 0.08  # how often they take a step back instead


class People:
    """Two to four at one table. They do not wait for what a turn of the knob shows: it may be at its end."""

    def __init__(self, table: Table, dice: Random) -> None:
        self._table, self._dice = table, dice
        self._held: set[str] = set()

    def act(self) -> None:
        """One answer, right or wrong."""
        with suppress(Stalled):
            glass = text(self._table.glass())
            if "which game?" in glass:
                self.begin(self._dice.choice(games.names()))
            elif "GO ON?" in glass:
                self._table.ok()
            elif "Who plays?" in glass or "START" in glass:
                self._table.ok_hold()  # somebody has left the table: from the beginning
            else:
                self._answer()

    def begin(self, game: str) -> None:
        """From the menu into a game of three."""
        self._let_go()
        glass = text(self._table.glass())
        self._turn(games.names().index(game) + int("Last:" in glass or "Go on:" in glass))
        self._table.ok()
        until(lambda: any(asked in text(self._table.glass()) for asked in (EVENING, "Who plays?")), lambda: "who plays")
        if EVENING in text(self._table.glass()):  # a machine without a clock
            self._table.ok()
        self._table.until_reads("Who plays?")
        for name in self._table.config.names[:3]:
            self._table.tap(name)
        self._table.ok().until_reads("START").ok()

    def _answer(self) -> None:
        play = self._table.play()
        if play is None:
            return
        names = play.buttons or play.players
        q = question.of(play.offers)
        if play.past is not None and self._dice.random() < SIDEWAYS:
            self._let_go()
            self._table.ok_hold().ok()
            return
        match q.kind:
            case Kind.OVER | Kind.CONFIRM:
                self._table.ok()
            case Kind.COUNT:
                for seat in q.count:
                    self._table.tap(names[seat], self._dice.randint(1, 3))
                self._table.ok()
            case Kind.CHOOSE | Kind.NUMBER:
                self._turn(self._dice.randint(-3, 3))
                self._table.ok()
            case Kind.RACE | Kind.TAP:
                self._press({names[seat]: offer.verb == HANDS for seat, offer in q.press.items()})
                if any(offer.verb == RELEASE for offer in q.release.values()) and self._dice.random() < 0.3:
                    self._let_go()
            case Kind.WAIT:
                self._table.after(50)

    def _press(self, asked: dict[str, bool]) -> None:
        """Whoever is asked presses, in any order; who is asked for a hand leaves it there."""
        for name in self._dice.sample(sorted(asked), len(asked)):
            if asked[name]:
                self._table.down(name)
                self._held.add(name)
            else:
                if name in self._held:
                    self._let_go()
                self._table.tap(name)

    def _let_go(self) -> None:
        self._table.up(*sorted(self._held))
        self._held.clear()

    def _turn(self, steps: int) -> None:
        for _ in range(abs(steps)):
            for name, down in CLICK if steps > 0 else CLICK[1::-1] + CLICK[:1:-1]:
                self._table.pull(name, down)
                self._table.after(QUARTER_MS)
        self._table.after(40)
