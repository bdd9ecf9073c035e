"""Outside a game: the menu, who plays, the options, games of the past."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from PIL import Image

from engine import games
from engine.rules import Refused, Rules, option_says, option_title, option_values
from firmware import certificate, sounds
from firmware.certificate import Certificate, Standing
from firmware.listing import Listing
from firmware.playing import begin, resume
from firmware.screens.canvas import BODY_PX, FOOT_PX, Canvas, Text
from firmware.screens.common import TITLE_PX, brief, buttons, message
from firmware.screens.font import NARROW
from firmware.table import Mode, Table


def home(table: Table, standing: Standing) -> Mode:
    """The first mode after power-up, and the one that everything goes back to. It can show the kit's certificate."""
    first = table.unfinished is not None and not table.unfinished.play.over and not table.offered
    table.offered = True
    return Resume(table) if first else Menu(table, standing)


class Menu(Listing):
    """The first screen: the games, the unfinished one on top."""

    def __init__(self, table: Table, standing: Standing) -> None:
        super().__init__(table)
        self.standing = standing

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        table = self.table
        rows: list[tuple[Text, Callable[[], None]]] = []
        if table.unfinished is not None:
            word = "Last" if table.unfinished.play.over else "Go on"
            title = table.unfinished.play.rules.title
            rows.append(((f"{word}: {title}", f"{word}: {brief(title)}"), lambda: resume(table)))
        for name in games.names():
            rules = games.rules(name)
            rows.append((rules.title, lambda rules=rules: table.enter(Join(table, rules))))  # type: ignore[misc]
        rows.append(("History", lambda: table.enter(Past(table))))
        if (found := self.standing.certificate) is not None:
            rows.append(("Certificate", lambda: table.enter(Measured(table, found, self.standing.unused))))
        return rows

    def right(self) -> str:
        return f"which game? {self.at + 1}/{len(self.rows())}"

    def ok_hold(self) -> None:
        """There is nowhere to go back to."""

    def press(self, button: str, at_ns: int, error_ns: int) -> None:
        self.table.note(f"this is {button}")


class Resume(Mode):
    """After power-up: the game as it was."""

    def ok(self) -> None:
        resume(self.table)

    def turn(self, steps: int, knob: bool) -> None:
        self.table.go_home()

    def picture(self, now_ns: int) -> Image.Image:
        unfinished = self.table.unfinished
        assert unfinished is not None
        play = unfinished.play
        board = play.board
        scores = "  ".join(f"{name} {score}" for name, score in zip(play.players, play.scores, strict=True))
        lines = (f"round {board.round}", (scores, " ".join(map(str, play.scores))))
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
        title = self.rules.title
        many = f"{fewest}-{most} players"
        ordering = self.ordering is not None
        lit = self.joined if self.ordering is None else self.ordering
        canvas.status((title, brief(title)), (many, f"{fewest}-{most}"))
        canvas.headline("Seat order?" if ordering else "Who plays?", height=23, size=NARROW)
        names = self.table.names if not ordering else tuple(self.joined)
        ranks = [lit.index(name) + 1 if name in lit else 0 for name in names] if ordering else []
        buttons(canvas, names, [n for n, name in enumerate(names) if name in lit], 32, ranks)
        turn = "turn" if self.table.knob else "▼"
        if ordering:
            canvas.foot("one by one", f"{turn}: cancel")
        elif len(self.joined) < fewest:
            canvas.foot("press yours", f"{fewest} {'is' if fewest == 1 else 'are'} needed")
        else:
            canvas.foot(f"{turn}: order" if len(self.joined) > 2 else "press yours", "OK: go on")
        return canvas.picture()


def round_number(value: int) -> bool:
    """Whether the control stops at a number: all small ones, then fewer and fewer."""
    return value <= 10 or (value <= 60 and value % 5 == 0) or value % 30 == 0


class Options(Listing):
    """The options of a game, with their defaults; the first row starts it."""

    def __init__(self, table: Table, rules: Rules[Any, Any, Any], players: tuple[str, ...]) -> None:
        super().__init__(table)
        self.rules, self.players = rules, players
        self.options = rules.options()
        self.editing = False

    @property
    def title(self) -> Text:  # type: ignore[override]
        return self.rules.title, brief(self.rules.title)

    def right(self) -> Text:
        names = " ".join(self.players)
        return names, f"{len(self.players)} players"

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        rows: list[tuple[Text, Callable[[], None]]] = [("START", self.start)]
        for option in fields(self.rules.options):
            value = option_says(option, getattr(self.options, option.name))
            rows.append((f"{option_title(option)}: {value}", self.edit))
        return rows

    def picture(self, now_ns: int) -> Image.Image:
        if not self.editing:
            return super().picture(now_ns)
        option = fields(self.rules.options)[self.at - 1]
        value = option_says(option, getattr(self.options, option.name))
        canvas = Canvas()
        canvas.status(self.title, self.right())
        canvas.title(option_title(option))
        canvas.headline(value, BODY_PX + TITLE_PX, height=FOOT_PX - BODY_PX - TITLE_PX)
        canvas.foot(f"{'turn' if self.table.knob else '▲▼'}: change", "OK: set")
        return canvas.picture()

    def edit(self) -> None:
        self.editing = not self.editing

    def start(self) -> None:
        try:
            begin(self.table, self.rules, self.players, self.options)
        except Refused as refused:
            self.table.refuse(str(refused))

    def values(self) -> list[Any]:
        """What the control steps through while an option is changed."""
        option = fields(self.rules.options)[self.at - 1]
        return [
            value
            for value in option_values(option, programs=False)
            if not isinstance(value, int) or value == option.default or round_number(value)
        ]

    def turn(self, steps: int, knob: bool) -> None:
        if not self.editing:
            super().turn(steps, knob)
            return
        option, values = fields(self.rules.options)[self.at - 1], self.values()
        at = values.index(getattr(self.options, option.name))
        at = min(max(0, at + steps), len(values) - 1)
        self.options = replace(self.options, **{option.name: values[at]})


class Past(Listing):
    """The games played before, the newest first."""

    title = "HISTORY"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.lines = table.past_games() or ["no game yet"]

    def rows(self) -> list[tuple[Text, Callable[[], None]]]:
        return [(line, self.table.go_home) for line in self.lines]


class Measured(Mode):
    """The certificate: how exact this kit is."""

    def __init__(self, table: Table, found: Certificate, unused: str | None) -> None:
        super().__init__(table)
        self.found, self.unused = found, unused

    def ok(self) -> None:
        self.table.go_home()

    def picture(self, now_ns: int) -> Image.Image:
        band, p50, most = (
            certificate.us(ns).replace("µ", "u") for ns in (self.found.error_ns, self.found.p50_ns, self.found.max_ns)
        )
        unused = "" if self.unused is None else f"unused: {self.unused}"
        return message(
            "TIE BAND",
            band,
            (f"p50 {p50.removesuffix(' us')}  max {most}", (self.found.kernel, self.found.kernel[:25]), unused),
            ("", "OK: menu"),
            right=self.found.day,
        )
