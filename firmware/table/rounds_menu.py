"""Earlier rounds put right at the kit: which round, which number, and what it is instead."""

from __future__ import annotations

from functools import partial

from engine.game import RoundEntry, Tallied
from engine.words import N_
from firmware.output import screens, sounds
from firmware.output.public import entry_words
from firmware.output.screens.canvas import Text
from firmware.table.listing import Editable, Listing, Rows
from firmware.table.overlay import OverGame, downwards
from firmware.table.playing import Playing
from firmware.table.wishing import saved, wish
from firmware.translation import _
from firmware.wishes.play import Amend


def rounds(game: Playing) -> list[Tallied]:
    """The rows of the table of rounds, the latest first; none where no round can be put right."""
    rules = game.play.rules
    blocks = () if rules.tally is None or rules.amend is None else rules.tally(game.play.state)
    return [row for block in reversed(blocks) for row in reversed(block)]


def _row(row: Tallied) -> Text:
    name, totals = _round(row.round), " ".join(map(str, row.totals))
    return f"{name}: {totals}", f"{row.round or '-'}: {totals}", name


def _round(number: int) -> str:
    return _("round {round}", round=number) if number else _("the end")


class RoundsMenu(OverGame, Listing):
    """A row a round, with the totals after it."""

    title = N_("PUT RIGHT")

    def stands(self) -> bool:
        return bool(rounds(self.game))

    def rows(self) -> Rows:
        return [(_row(row), partial(self._open, row.round)) for row in rounds(self.game)]

    def _open(self, round_: int) -> None:
        self.table.sound(sounds.CLICK)
        self.table.open(RoundMenu(self.game, round_))


class RoundMenu(OverGame, Editable):
    """What was entered in a round, a row a number: OK takes one up, the control changes it; the last row saves all."""

    def __init__(self, game: Playing, round_: int) -> None:
        super().__init__(game)
        self.round = round_
        self.entries = self._entries()
        self.values = [one.number for one in self.entries]

    def _entries(self) -> tuple[RoundEntry, ...]:
        play = self.game.play
        return () if play.rules.entered is None else tuple(play.rules.entered(play.state, self.round))

    def stands(self) -> bool:
        return any(row.round == self.round for row in rounds(self.game))

    def heading(self) -> Text:
        return _round(self.round)

    def rows(self) -> Rows:
        rows = [(self._text(n), self.edit) for n in range(len(self.entries))]
        return [*rows, (_("SAVE") if self._changed() else _("Back"), self.save)]

    def _text(self, n: int) -> Text:
        one, names = self.entries[n], self.game.names
        seats = () if one.seat is None else tuple(sorted(one.group)) or (one.seat,)
        who = [" ".join(each[seat] for seat in seats) for each in (names, self.game.play.players)]
        asked, value = screens.named(one.text, names), entry_words(one._replace(number=self.values[n]), names)
        mark = "▲▼ " if self.editing and n == self.at else ""
        texts = (*(f"{one} {asked}".strip() for one in who), *(one or asked for one in who))
        return tuple(f"{mark}{text}: {value}" for text in texts)

    def _changed(self) -> list[int]:
        return [n for n, one in enumerate(self.entries) if self.values[n] != one.number]

    def change(self, steps: int, knob: bool) -> None:
        one, value = self.entries[self.at], self.values[self.at]
        down = downwards(steps, knob) if one.says else steps
        self.values[self.at] = min(max(one.low, value + down * (1 if one.says else one.step)), one.high)
        self.table.sound(sounds.TURN)

    def save(self) -> None:
        """All that was changed is put right at once, or nothing."""
        changed = [(self.entries[n], self.values[n]) for n in self._changed()]
        if not changed:
            self.table.close()
            return
        numbers = tuple((one.seat, one.verb, value) for one, value in changed)
        was = tuple(one.number for one, _value in changed)
        wish(self.table, Amend(self.round, numbers, game=self.game.number, was=was), partial(saved, self.table))
        if self.table.top is self and self._entries() != self.entries:  # somebody else has put it right meanwhile
            self.table.close()
            self.table.open(RoundMenu(self.game, self.round))
