"""What a whole game costs in presses and steps of the knob, by seat: at the table, and on the page."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from firmware.news import hands
from firmware.table.overlay import Overlay
from firmware.table.playing import Playing
from firmware.table.question import Kind
from tests.simulators.rig import Rig


class Cost(NamedTuple):
    """By seat, rounded up."""

    presses: tuple[int, ...]
    steps: tuple[int, ...]


class OnPage:
    """What the same moves cost on the page. Hands that are asked for all at once are put on by Hold all."""

    def __init__(self, *, latches: bool) -> None:
        """`latches`: for one pointer, which holds a button by its latch while it presses others."""
        self.presses: list[tuple[str, ...]] = []  # by whom
        self._latches = latches
        self._down: dict[str, str] = {}  # by part how it is held: by the hand, by its latch, by Hold all

    def down(self, parts: tuple[str, ...], by: Sequence[tuple[str, ...]], asked: tuple[str, ...]) -> None:
        """Parts go down together. `by`: who presses each; `asked`: the buttons that are to be held."""
        if all_at_once(parts, asked, self._down):
            self.presses.append(parts)
            self._down |= dict.fromkeys(asked, "all")
            return
        self.presses += by
        if self._latches and (self._down or parts[1:]):
            self._down = {part: "latch" if how == "hand" else how for part, how in self._down.items()}
            self._down |= dict.fromkeys(parts, "latch")
        else:
            self._down |= dict.fromkeys(parts, "hand")

    def up(self, parts: tuple[str, ...], asked: tuple[str, ...]) -> None:
        """Parts go up; what Hold all holds does so by itself at the signal."""
        for part in parts:
            how = self._down.pop(part)
            if how == "latch" or (how == "all" and part in asked):
                self.presses.append((part,))


def all_at_once(parts: Iterable[str], asked: Iterable[str], down: Iterable[str]) -> bool:
    """Whether just the buttons go down that are still to be held."""
    return set(parts) == set(asked) - set(down) and len(set(asked)) > 1


class CountingRig(Rig):
    """A table that counts who does how much.

    A press is a push of a button or of the control, however long; a step is one detent of the knob or a press of ▲▼.
    A button counts for its player. The control counts for the seat that is asked; where all are asked, or nobody, the
    players share it evenly.
    """

    def __init__(self, state: Path, **more: Any) -> None:
        self.pushes: list[tuple[str, ...]] = []  # by whom
        self.steps: list[tuple[str, ...]] = []
        self.on_page = {"mouse": OnPage(latches=True), "keys": OnPage(latches=False)}
        super().__init__(state, **more)

    def move(self, names: tuple[str, ...], *, down: bool) -> Rig:
        asked = self.to_be_held()
        for page in self.on_page.values():
            if down:
                page.down(names, [self.asked() if name == "ok" else (name,) for name in names], asked)
            else:
                page.up(names, asked)
        return super().move(names, down=down)

    def to_be_held(self) -> tuple[str, ...]:
        """The buttons that are to be held now."""
        top, game = self.app.table.top, self.app.table.game
        if game is not None:
            return hands(game.committed)
        return top.hands() if isinstance(top, Overlay) else ()

    def edge(self, name: str, *, down: bool) -> None:
        if down:
            self.pushes.append((name,))
        super().edge(name, down=down)

    def push(self, *, down: bool) -> None:
        if down:
            self.pushes.append(self.asked())
        super().push(down=down)

    def turn(self, steps: int) -> None:
        self.steps.append(self.asked(turned=True))
        super().turn(steps)

    def asked(self, *, turned: bool = False) -> tuple[str, ...]:
        """Whom the control serves now; nobody in particular: ()."""
        mode = self.app.table.top
        if not isinstance(mode, Playing):
            return ()
        q = mode.question
        if turned and q.kind is Kind.COUNT and mode.entry.latest is not None:
            return (mode.play.players[mode.entry.latest],)
        if q.control is not None:
            return () if q.control.seat is None else (mode.play.players[q.control.seat],)
        return tuple(mode.play.players[seat] for seat in q.count)

    @property
    def cost(self) -> Cost:
        """What it has cost so far."""
        return Cost(self._shared(self.pushes), self._shared(self.steps))

    def cost_on_page(self, by: str) -> Cost:
        """The same on the page, by `mouse` or by `keys`."""
        return Cost(self._shared(self.on_page[by].presses), self._shared(self.steps))

    def _shared(self, done: Iterable[tuple[str, ...]]) -> tuple[int, ...]:
        players = self.playing.play.players
        total = dict.fromkeys(players, Fraction(0))
        for by in done:
            for name in by or players:
                total[name] += Fraction(1, len(by or players))
        return tuple(ceil(share) for share in total.values())
