"""The evening: its table after each game and from the menu, what is new, and the question whether it is a new one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial

from PIL import Image

from engine.words import N_
from firmware.output import sounds
from firmware.output.screens.canvas import Text
from firmware.output.screens.menus import ROWS, message, table
from firmware.output.screens.view import shorter, turn
from firmware.people.menu import shown
from firmware.people.names import beside
from firmware.table import past_games
from firmware.table.overlay import Overlay, downwards
from firmware.table.past_games import LatestEvening, LatestGuests, LatestNews, LatestTally
from firmware.table.table import Table
from firmware.translation import _, dated, translated

NEW = {
    "record": N_("{name}: record {value}, {title}"),
    "own best": N_("{name}: own best {value}, {title}"),
    "first win": N_("{name}: first win, {title}"),
    "streak": N_("{name}: {value} wins in a row"),
}
NEW_SHORT = {
    "record": N_("{name}: record {value}"),
    "own best": N_("{name}: own best {value}"),
    "first win": N_("{name}: first win"),
    "streak": N_("{name}: {value} in a row"),
}
NEW_SHORTEST = {
    "record": N_("{name} record"),
    "own best": N_("{name} own best"),
    "first win": N_("{name} 1st win"),
    "streak": N_("{name} {value} wins"),
}


class ThisEvening(Overlay):
    """The wins of all, guests too, then what is new; any press goes on. `evening`: where it has been summed before."""

    one_back = True

    def __init__(self, table: Table, evening: LatestEvening | None = None) -> None:
        super().__init__(table)
        self.evening, self._summed, self._first = evening, evening is not None, 0

    def opened(self) -> None:
        if not self._summed:
            self.table.read(partial(past_games.evening, apart=self.table.apart), self._show, lambda: True)

    def _show(self, evening: LatestEvening | None) -> None:
        self.evening, self._summed = evening, True

    def rows(self) -> list[Text]:
        """The rows: most wins in front; then what is new."""
        evening = self.evening
        if evening is None:
            return [_("no game is over yet") if self._summed else _("one moment ...")]
        tally: list[tuple[int, Text]] = [(one.wins, self._person(one)) for one in evening.tally]
        tally += [(one.wins, self._guests(one)) for one in evening.guests]
        tally.sort(key=lambda row: -row[0])  # of level ones those with a name stand in front
        return [*[row for _wins, row in tally], *map(self._new, evening.news)] or [_("no game with a winner yet")]

    def _person(self, one: LatestTally) -> Text:
        return self._won(self._name(one.person), one.wins, one.games)

    def _guests(self, guests: LatestGuests) -> Text:
        """Guests are known by their button only, whoever it was."""
        name = _("guest {button}", button=guests.label)
        return *self._won(name, guests.wins, guests.games), *self._won(guests.label, guests.wins, guests.games)

    def _won(self, name: str, wins: int, played: int) -> tuple[str, ...]:
        return _("{name} won {wins} of {games}", name=name, wins=wins, games=played), f"{name} {wins}/{played}"

    def _name(self, id_: str) -> str:
        person = self.table.roster.person(id_)
        return _("guest") if person is None else beside(shown(person), self.table.names)

    def _new(self, news: LatestNews) -> Text:
        words = {"name": self._name(news.person), "value": news.value}
        texts = (translated(NEW[news.kind]).format(title=each, **words) for each in shorter(news.title))
        return (*texts, *(translated(short[news.kind]).format(**words) for short in (NEW_SHORT, NEW_SHORTEST)))

    def right(self) -> str:
        """The day, or the number where no clock is right."""
        if self.evening is None:
            return ""
        if self.evening.day is None:
            return _("no. {number}", number=self.evening.number)
        return dated(date.fromisoformat(self.evening.day))

    def turn(self, steps: int, knob: bool) -> None:
        down = downwards(steps, knob)
        self._first = min(max(0, self._first + down), max(0, len(self.rows()) - ROWS))

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        self.ok()
        return True

    def ok(self) -> None:
        self.table.sound(sounds.CLICK)
        self.table.close()

    def picture(self, now_ns: int) -> Image.Image:
        rows = self.rows()
        more = _("{turn}: more", turn=turn(self.table.knob)) if len(rows) > ROWS else ""
        return table(_("EVENING"), self.right(), rows[self._first :], (more, _("press: go on")))


class NewEvening(Overlay):
    """Asked once after a power-up, where no clock can tell: is this a new evening?"""

    def __init__(self, table: Table, then: Callable[[], None]) -> None:
        super().__init__(table)
        self.then = then

    def ok(self) -> None:
        self._answer(new=True)

    def turn(self, steps: int, knob: bool) -> None:
        self._answer(new=False)

    def _answer(self, *, new: bool) -> None:
        self.table.sound(sounds.CLICK)
        self.table.journal.answer_evening(new=new)
        if new and self.table.phones is not None:
            self.table.phones.new_evening()
        self.table.close()
        self.then()

    def picture(self, now_ns: int) -> Image.Image:
        last = self.table.unfinished
        played = "" if last is None else _("last: {title}", title=translated(last.play.rules.title))
        foot = (_("{turn}: the same one", turn=turn(self.table.knob)), _("OK: new"))
        return message(_("no clock here"), _("NEW EVENING?"), (played,), foot)
