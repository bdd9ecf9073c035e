"""What a whole game costs in presses and steps of the knob, by seat."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from firmware.table.playing import Playing
from firmware.table.question import Kind
from tests.simulators.rig import Rig


class Cost(NamedTuple):
    """By seat, rounded up."""

    presses: tuple[int, ...]
    steps: tuple[int, ...]


class CountingRig(Rig):
    """A table that counts who does how much.

    A press is a push of a button or of the control, however long; a step is one detent of the knob or a press of ▲▼.
    A button counts for its player. The control counts for the seat that is asked; where all are asked, or nobody, the
    players share it evenly.
    """

    def __init__(self, state: Path, **more: Any) -> None:
        self.pushes: list[tuple[str, ...]] = []  # by whom
        self.steps: list[tuple[str, ...]] = []
        super().__init__(state, **more)

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

    def _shared(self, done: Iterable[tuple[str, ...]]) -> tuple[int, ...]:
        players = self.playing.play.players
        total = dict.fromkeys(players, Fraction(0))
        for by in done:
            for name in by or players:
                total[name] += Fraction(1, len(by or players))
        return tuple(ceil(share) for share in total.values())
