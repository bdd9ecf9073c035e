"""What the kit is doing: a mode answers presses, turns and OK, and draws itself. This file: outside a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, fields, replace
from typing import TYPE_CHECKING, Any

from PIL import Image

from engine import games
from engine.rules import Refused, Rules, option_values
from firmware import sounds
from firmware.screens.common import Canvas, listing, message
from firmware.screens.font import MEDIUM, PLAIN

if TYPE_CHECKING:
    from firmware.table import Table


class Mode:
    """One thing the kit is doing. The table calls; all on the loop's thread. Left out: nothing happens."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        """A player's button went down."""

    def release(self, button: str, at_ns: int) -> None:
        """A player's button went up."""

    def hold(self, button: str, at_ns: int) -> None:
        """A player's button has been down for 0.6 s."""

    def turn(self, steps: int, knob: bool) -> None:
        """The knob was turned (clockwise is positive) or an arrow pressed (▲ is positive)."""

    def ok(self) -> None:
        """A short OK."""

    def ok_hold(self) -> None:
        """A long OK: back to where one came from."""
        self.table.back_to_menu()

    def tick(self, now_ns: int) -> None:
        """Time has passed."""

    def due_ns(self, now_ns: int) -> int | None:
        """When time matters next, or the picture changes by itself."""
        return None

    def wants_held(self, button: str) -> bool:
        """Whether holding this button is an answer just now."""
        return False

    def racing(self) -> bool:
        """Whether a press must never be swallowed, not even by a sleeping display."""
        return False

    def lamps(self) -> frozenset[str]:
        """The buttons that are asked."""
        return frozenset()

    def picture(self, now_ns: int) -> Image.Image:
        """What the display shows."""
        raise NotImplementedError

    def signal_picture(self, now_ns: int) -> Image.Image:
        """What the display shows at the go-signal."""
        return self.picture(now_ns)


class Listing(Mode):
    """A list to choose from."""

    title = "LUCKY PAW"
    foot = ("▲▼ choose", "OK")

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.at = 0

    def rows(self) -> list[tuple[str, Callable[[], None]]]:
        """What can be chosen: a text, and what OK does."""
        raise NotImplementedError

    def turn(self, steps: int, knob: bool) -> None:
        down = steps if knob else -steps
        self.at = min(max(0, self.at + down), len(self.rows()) - 1)

    def ok(self) -> None:
        self.rows()[self.at][1]()

    def right(self) -> str:
        """The right end of the status row."""
        return ""

    def picture(self, now_ns: int) -> Image.Image:
        rows = self.rows()
        self.at = min(self.at, len(rows) - 1)
        foot = ("turn: choose", self.foot[1]) if self.table.knob and self.foot[0] == "▲▼ choose" else self.foot
        return listing(self.title, self.right(), [text for text, _ in rows], self.at, foot)


class Menu(Listing):
    """The first screen: the games, the unfinished one on top."""

    def rows(self) -> list[tuple[str, Callable[[], None]]]:
        table = self.table
        rows: list[tuple[str, Callable[[], None]]] = []
        if table.unfinished is not None:
            rows.append((f"Go on: {table.unfinished.play.rules.title}", table.resume))
        for name in games.names():
            rules = games.rules(name)
            rows.append((rules.title, lambda rules=rules: table.enter(Join(table, rules))))  # type: ignore[misc]
        rows.append(("History", lambda: table.enter(Past(table))))
        return rows

    def right(self) -> str:
        return "which game?"

    def ok_hold(self) -> None:
        """There is nowhere to go back to."""

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        self.table.note(f"this is {button}")


class Resume(Mode):
    """After power-up: the game as it was."""

    def ok(self) -> None:
        self.table.resume()

    def turn(self, steps: int, knob: bool) -> None:
        self.table.back_to_menu()

    def picture(self, now_ns: int) -> Image.Image:
        unfinished = self.table.unfinished
        assert unfinished is not None
        play = unfinished.play
        board = play.rules.board(play.state)
        scores = "  ".join(f"{name} {score}" for name, score in zip(play.players, play.scores, strict=True))
        lines = (f"round {board.round}", scores if len(scores) <= 25 else " ".join(map(str, play.scores)))
        return message(
            play.rules.title, "GO ON?", lines, ("turn: menu" if self.table.knob else "▲▼: menu", "OK: go on")
        )


class Join(Mode):
    """Who plays: everybody presses their button. Where the ring differs, once more in seat order."""

    def __init__(self, table: Table, rules: Rules[Any, Any, Any]) -> None:
        super().__init__(table)
        self.rules = rules
        self.joined: list[str] = []  # in seat order
        self.ordering: list[str] | None = None  # being pressed in seat order

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        self.table.sound(sounds.CLICK)
        if self.ordering is not None:
            if button in self.joined and button not in self.ordering:
                self.ordering.append(button)
            if len(self.ordering) == len(self.joined):
                self.joined, self.ordering = self.ordering, None
        elif button in self.joined:
            self.joined.remove(button)
        elif len(self.joined) < self.rules.seats[1]:
            self.joined = [name for name in self.table.names if name in self.joined or name == button]
        else:
            self.table.refuse(f"at most {self.rules.seats[1]} players")

    def turn(self, steps: int, knob: bool) -> None:
        down = steps > 0 if knob else steps < 0
        if self.ordering is not None:
            self.ordering = None
        elif down and len(self.joined) > 2:
            self.ordering = []

    def ok(self) -> None:
        fewest = self.rules.seats[0]
        if len(self.joined) < fewest:
            self.table.refuse(f"{fewest} players are needed")
        elif self.ordering is None:
            self.table.sound(sounds.DONE)
            self.table.enter(Options(self.table, self.rules, tuple(self.joined)))

    def lamps(self) -> frozenset[str]:
        return frozenset(self.joined if self.ordering is None else self.ordering)

    def picture(self, now_ns: int) -> Image.Image:
        canvas = Canvas()
        fewest, most = self.rules.seats
        canvas.status(self.rules.title, f"{fewest}-{most} players")
        title = "Press to join" if self.ordering is None else "Press in seat order"
        canvas.centre(0, 128, 10, title, PLAIN)
        names = self.table.names
        columns = 3 if len(names) > 4 else len(names)
        width = 128 // columns
        height = 15 if len(names) > 4 else 24
        for n, name in enumerate(names):
            x, y = n % columns * width, 24 + n // columns * 16
            lit = name in (self.joined if self.ordering is None else self.ordering)
            if lit:
                canvas.box(x + 1, y, width - 2, height)
            else:
                canvas.frame(x + 1, y, width - 2, height)
            canvas.centre(x, width, y + (height - 16) // 2, name, MEDIUM, invert=lit)
        order = "turn: order" if self.table.knob else "▼: order"
        canvas.foot(
            order if len(self.joined) > 2 else "", "OK" if len(self.joined) >= fewest else f"{fewest} are needed"
        )
        return canvas.image


def option_title(option: Field[Any]) -> str:
    """An option's name for people."""
    return option.name.replace("_", " ").removesuffix(" s").capitalize()


def option_value(value: object) -> str:
    """An option's value for people."""
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)


class Options(Listing):
    """The options of a game, with their defaults; the first row starts it."""

    def __init__(self, table: Table, rules: Rules[Any, Any, Any], players: tuple[str, ...]) -> None:
        super().__init__(table)
        self.rules, self.players = rules, players
        self.options = rules.options()
        self.editing = False

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.rules.title

    @property
    def foot(self) -> tuple[str, str]:  # type: ignore[override]
        return ("turn: change" if self.table.knob else "▲▼ change", "OK: set") if self.editing else ("▲▼ choose", "OK")

    def right(self) -> str:
        return " ".join(self.players) if len(self.players) < 5 else f"{len(self.players)} players"

    def rows(self) -> list[tuple[str, Callable[[], None]]]:
        rows: list[tuple[str, Callable[[], None]]] = [("START", self.start)]
        for option in fields(self.rules.options):
            value = option_value(getattr(self.options, option.name))
            mark = "●" if self.editing and len(rows) == self.at else " "
            room = 19 - len(value)
            rows.append((f"{option_title(option)[: room - 1]:{room}}{mark}{value}"[:20], self.edit))
        return rows

    def edit(self) -> None:
        self.editing = not self.editing

    def start(self) -> None:
        try:
            self.table.begin(self.rules, self.players, self.options)
        except Refused as refused:
            self.table.refuse(str(refused))

    def turn(self, steps: int, knob: bool) -> None:
        if not self.editing:
            super().turn(steps, knob)
            return
        option = fields(self.rules.options)[self.at - 1]
        values = option_values(option)
        at = values.index(getattr(self.options, option.name))
        at = min(max(0, at + steps), len(values) - 1)
        self.options = replace(self.options, **{option.name: values[at]})


class Past(Listing):
    """The games played before, the newest first."""

    title = "HISTORY"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.lines = table.past_games() or ["no game yet"]

    def rows(self) -> list[tuple[str, Callable[[], None]]]:
        return [(line, self.table.back_to_menu) for line in self.lines]
