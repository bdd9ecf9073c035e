"""What all pages are made of: the figures, the journal, and the parts that several of them show."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from firmware import local_time
from firmware.markup import Markup, Part, Row, html, joined, name, page, table
from firmware.output.screens.seats import ordinal
from firmware.spreadsheet import FORMS
from firmware.state_folder import JOURNAL
from firmware.statistics.evenings import Evening
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.listed_games import FORGOTTEN, GUEST, ListedGame
from firmware.statistics.person_figures import Figures
from firmware.statistics.plain_values import Data
from firmware.translation import _, dated, ngettext, translated

Query: TypeAlias = dict[str, str]  # what stands behind the question mark of an address
Made: TypeAlias = "Markup | bytes | None"  # a page; a picture or a table; None where there is none
Maker: TypeAlias = Callable[..., Made]  # gets the site, the query, and what its pattern has found


class Site:
    """The journal in a folder, and its figures. Raises `FileNotFoundError` where there is none, `sqlite3.Error`."""

    def __init__(self, folder: Path, *, guest: bool = False) -> None:
        """`guest`: for a phone, which has the pages and its game, and nothing else of the kit's."""
        self.guest, self.saved = guest, False  # whether something has just been saved
        self.form = ""  # of a table, by name: what this browser took last
        self.journal = folder / JOURNAL
        self._sums = up_to_date(folder)
        self.data = Data(Figures(self._sums))
        self.figures = self.data.figures

    def close(self) -> None:
        """Close the sums; no page can be made any more."""
        self._sums.close()

    def page(self, title: Part, *parts: Part, here: str = "") -> Markup:
        """A whole page with the links to the others. `here`: the path of the one that it belongs to."""
        links = (
            ("/history", _("History")),
            ("/games", _("Games")),
            ("/evenings", _("Evenings")),
            ("/people", _("People")),
            ("/records", _("Records")),
            ("/", _("To the game")) if self.guest else ("/sheets", _("Score sheets")),
        )
        saved = html("p", _("Saved."), role="status", class_="saved") if self.saved else None
        return page(title, saved, *parts, links=links, here=here)

    @cached_property
    def games(self) -> dict[int, ListedGame]:
        """All games by number, the latest first."""
        return {one.game: one for one in self.figures.games}

    # --- parts -------------------------------------------------------------------------------------------------------

    def who(self, person: str) -> Markup:
        """Somebody's name, which leads to their page."""
        return html("a", name(self.figures.names[person]), href=f"/people/{person}")

    def title(self, game: ListedGame) -> str:
        """What a game is called; the name of its rules where this version does not know them."""
        return translated(self.figures.titles.get(game.kind, game.kind))

    def link(self, game: ListedGame, text: Part = None) -> Markup:
        """A link to a game, by its title."""
        return html("a", self.title(game) if text is None else text, href=f"/games/{game.game}")

    def day(self, game: int) -> Markup:
        """The day of a game, which leads to it."""
        return html("a", local_time.day(self.games[game].began), href=f"/games/{game}")

    def evening(self, evening: Evening) -> Markup:
        """A link to an evening, by its day."""
        return html("a", day(evening.day, evening.number), href=f"/evenings/{evening.number}")

    def ways(self, path: str, numbers: Sequence[int], this: int, before: str, after: str) -> Part:
        """Links from one of these, the earliest in front, to those beside it. `path` goes before a number."""
        at, links = numbers.index(this), list[Part]()
        if at > 0:
            links.append(html("a", before, href=f"{path}{numbers[at - 1]}", rel="prev"))
        if at + 1 < len(numbers):
            links.append(html("a", after, href=f"{path}{numbers[at + 1]}", rel="next"))
        return html("p", joined(links, " ", " "), class_="more") if links else None

    def everybody(self, persons: Iterable[str]) -> Part:
        """People in a row, as in a sentence: known ones by name, then those who were forgotten, then guests."""
        persons = list(persons)
        known: list[Part] = [self.who(one) for one in persons if one not in (GUEST, FORGOTTEN)]
        if forgotten := persons.count(FORGOTTEN):
            known.append(ngettext("somebody who was forgotten", "{n} who were forgotten", forgotten))
        if guests := persons.count(GUEST):
            known.append(ngettext("a guest", "{n} guests", guests))
        return joined(known, _(", "), _(" and "))

    def ended(self, game: ListedGame) -> Part:
        """How a game ended: who has won it, or why nobody has."""
        if game.state != "over":
            return {"open": _("not finished"), "by hand": _("ended by hand")}.get(game.state, _("cannot be read"))
        won = [seat.who for seat in game.winners]
        kind = self.figures.kind.get(game.kind)
        if kind is not None and kind.together:
            return _("all have won") if won else _("all have lost")
        if game.players == 1:
            return _("played alone: goal met") if won else _("played alone")
        if not won:
            return _("nobody")
        return self.everybody(won) if len(won) == 1 else [self.everybody(won), _(" level")]

    def scores(self, game: ListedGame) -> Part:
        """Everybody in a game with their points, the best place in front."""
        said: list[Part] = []
        for seat in sorted(game.seats, key=lambda seat: seat.place):
            who = self.figures.names.get(seat.who)
            said.append(html("span", [seat.label if who is None else name(who), f" {seat.points}"], class_="score"))
        return joined(said, " ", " ") or "–"

    def most_wins(self, evening: Evening) -> Part:
        """Who has won most on an evening; several are level."""
        most, best = self.figures.most_wins(evening)
        there = [one.person for one in self.figures.tally(evening) if one.person in best]
        if not there:
            return "–"
        return [self.everybody(there), _(" level, {n} each", n=most) if len(there) > 1 else f", {most}"]

    def tables(self, label: str, path: str) -> Part:
        """What is at this path as a table for a spreadsheet: a link a form, the one that was taken last in front.

        A phone gets none.
        """
        if self.guest:
            return None
        forms = sorted(FORMS, key=lambda form: form.name != self.form)
        links = [html("a", translated(form.label), href=path + form.ending) for form in forms]
        return html("p", html("span", label), links, class_="more")

    def listed(self, games: Iterable[ListedGame], caption: str, *, dated: bool = True) -> Part:
        """Games in a table. `dated`: with their days, else with the time of day."""
        rows: list[Row] = []
        for one in games:
            when = local_time.day(one.began) if dated else "–" if one.began is None else local_time.clock(one.began)
            by = html("span", _("won by "), class_="narrow") if len(one.winners) == 1 < one.players else None
            rows.append([self.link(one, when), self.link(one), [by, self.ended(one)], self.scores(one)])
        heads = [_("day") if dated else _("time"), _("game"), _("won by"), _("points")]
        return table(heads, rows, caption, class_="games") if rows else None


def asked(path: str) -> tuple[str, Query]:
    """An address in two: the path, and what is asked of it. Of what stands there twice the last counts."""
    path, _mark, query = path.partition("?")
    return path, dict(parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=20))


def day(iso: str | None, number: int) -> str:
    """An evening's name: its day, or its number where no clock was right."""
    return _("Evening {number}", number=number) if iso is None else dated(date.fromisoformat(iso))


def places(values: Sequence[Any]) -> list[int]:
    """The places of values that are in order, the best in front: equal ones have the same."""
    found: list[int] = []
    for n, value in enumerate(values):
        found.append(found[-1] if n and value == values[n - 1] else n + 1)
    return found


def place(places: Sequence[int], n: int) -> str:
    """A place in a list: level ones say so."""
    return _("shared {place}", place=ordinal(places[n])) if places.count(places[n]) > 1 else ordinal(places[n])
