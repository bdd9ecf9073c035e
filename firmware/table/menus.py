"""Menus outside a game: the games, the players, the options, games of the past."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, replace
from functools import partial
from typing import Any

from PIL import Image

from engine import games
from engine.game import Rules
from engine.rules import Refused, Seat, option_says, option_title, option_values
from engine.words import N_
from firmware.output.screens.canvas import BODY_PX, FOOT_PX, Canvas, Text
from firmware.output.screens.menus import message
from firmware.output.screens.seats import TITLE_PX
from firmware.output.screens.view import shorter, titles, turn
from firmware.people.names import MAX_CODES, fitted
from firmware.setup import certificate
from firmware.setup.certificate import Certificate
from firmware.shelf.folders import Shelved
from firmware.table import past_games
from firmware.table.interfaces import Hub
from firmware.table.listing import Editable, Listing, Rows
from firmware.table.overlay import Menus, Overlay, Sure
from firmware.table.past_games import GamesRead, LatestEvening, PastGame, Unfinished
from firmware.table.playing import Playing, begin, resume
from firmware.table.table import Table
from firmware.translation import L_, _, lazy, ngettext, translated

# A start shows the menu: what is opened from it is imported later.

SHORTER = (MAX_CODES, 8, 6, 4)  # letters of a name, where names have less and less room


class Menu(Listing):
    """The first screen: the games, the unfinished one on top."""

    rests = True

    def rows(self) -> Rows:
        table = self.table
        rows: Rows = []
        if (last := table.unfinished) is not None:
            word = _("Last") if last.play.over else _("Go on")
            says = tuple(f"{word}: {title}" for title in titles(last.play.rules))
            rows.append((says, partial(resume, table, last)))
        rows += [(shorter(sheet.title), partial(self._choose, sheet)) for sheet in table.shelf.on_top]
        for name in games.names():
            rules = games.rules(name)
            rows.append((translated(rules.title), partial(self.join, rules)))
        rows.append((_("All games"), self._all_games))
        rows.append((_("Unfinished games"), lambda: table.open(Open(table))))
        rows.append((_("History"), lambda: table.open(Past(table))))
        rows.append((_("People"), self._people))
        if (phones := table.phones) is not None:
            rows.append((_("Phones"), partial(self._phones, phones)))
        if table.roster.known:
            rows.append((_("Evening"), lambda: table.open(this_evening(table))))
        if (measured := table.standing.certificate) is not None:
            rows.append((_("Certificate"), lambda: table.open(Measured(table, measured, table.standing.unused))))
        if table.set_up is not None:
            rows.append((_("Set up"), table.set_up))
        return rows

    def _choose(self, sheet: Shelved) -> None:
        from firmware.table.all_games import choose

        choose(self.table, sheet, self.join)

    def _all_games(self) -> None:
        from firmware.table.all_games import AllGames

        self.table.open(AllGames(self.table, self.join))

    def _people(self) -> None:
        from firmware.people.menu import Everybody

        self.table.open(Everybody(self.table))

    def _phones(self, phones: Hub) -> None:
        from firmware.table.phone_list import Joining

        self.table.open(Joining(self.table, phones))

    def join(self, rules: Rules[Any, Any]) -> None:
        """Ask who plays, then for the options; after a power-up first whether it is a new evening, if in doubt."""
        from firmware.people.joining import Join

        table = self.table
        if table.journal.evening_in_doubt and (table.unfinished is None or table.unfinished.play.over):
            from firmware.table.evening import NewEvening

            table.open(NewEvening(table, partial(self.join, rules)))
            return

        def seated(players: tuple[str, ...], people: dict[Seat, str]) -> None:
            table.open(Options(table, rules, players, people, begins=join.begins))

        join = Join(table, rules, seated)
        table.open(join)

    def right(self) -> Text:
        place = f"{self.at + 1}/{len(self.rows())}"
        return _("which game? {place}", place=place), _("which game?"), place

    def ok_hold(self) -> None:
        """Nothing: the menu is at the bottom."""

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        self.table.note(L_("this is {button}", button=button))
        return True


class Resume(Sure):
    """Asks whether to go on with a game: after power-up the one that was on the table, else one from the list."""

    def __init__(self, table: Table, unfinished: Unfinished) -> None:
        super().__init__(table)
        self.unfinished = unfinished

    def ok(self) -> None:
        resume(self.table, self.unfinished)

    def picture(self, now_ns: int) -> Image.Image:
        play = self.unfinished.play
        board = play.board
        called = self.table.roster.at_table(play.players, self.unfinished.people)
        scores = (
            "  ".join(f"{name} {score}" for name, score in zip(names, play.scores, strict=True))
            for names in dict.fromkeys((called, play.players))
        )
        lines = (_("round {round}", round=board.round), (*scores, " ".join(map(str, play.scores)), ""))
        headline, keys = (_("THE END"), _("OK: look")) if play.over else (_("GO ON?"), _("OK: go on"))
        return message(titles(play.rules), headline, lines, (_("{turn}: menu", turn=turn(self.table.knob)), keys))


def round_number(value: int) -> bool:
    """Whether the control stops at a number: at all small ones, then at fewer and fewer."""
    return value <= 10 or (value <= 60 and value % 5 == 0) or value % 30 == 0


class Options(Editable):
    """The options of a game, with their defaults; the first row starts it."""

    def __init__(
        self,
        table: Table,
        rules: Rules[Any, Any],
        players: tuple[str, ...],
        people: Mapping[Seat, str],
        *,
        begins: str | None = None,
    ) -> None:
        """`begins`: the button of who begins, where that was drawn or named; it is the first of `players`."""
        super().__init__(table)
        self.rules, self.players, self.people, self.begins = rules, players, people, begins
        self.options = rules.options()

    @property
    def invites(self) -> str:
        game = translated(self.rules.title)
        if self.begins is None:
            return _("{game}: START on the kit", game=game)
        name = self.table.roster.at_table(self.players, self.people)[0]
        return _("{game}: {name} begins, START on the kit", game=game, name=name)

    def heading(self) -> Text:
        return titles(self.rules)

    def right(self) -> Text:
        names = self.table.roster.at_table(self.players, self.people)
        texts = dict.fromkeys(" ".join(fitted(names, self.players, most)) for most in SHORTER)
        return *texts, " ".join(self.players), ngettext("{n} players", "{n} players", len(self.players))

    def rows(self) -> Rows:
        rows: Rows = [(_("START"), self.start)]
        if len(self.players) > 1:
            name = None if self.begins is None else self.table.roster.at_table(self.players, self.people)[0]
            rows.append((_("Who begins?") if name is None else _("{name} begins", name=name), self.draw))
        if len(self.players) > 2:
            buttons = " ".join(self.players)
            rows.append(((_("Seat order: {buttons}", buttons=buttons), _("Seat order")), self.order))
        for option in fields(self.rules.options):
            value = translated(option_says(option, getattr(self.options, option.name)))
            rows.append((f"{translated(option_title(option))}: {value}", self.edit))
        return rows

    def picture(self, now_ns: int) -> Image.Image:
        if not self.editing:
            return super().picture(now_ns)
        option = self.option
        value = translated(option_says(option, getattr(self.options, option.name)))
        canvas = Canvas()
        canvas.status(self.heading(), self.right())
        canvas.title(translated(option_title(option)))
        canvas.headline(value, BODY_PX + TITLE_PX, height=FOOT_PX - BODY_PX - TITLE_PX)
        canvas.foot(*self.foot())
        return canvas.picture()

    @property
    def option(self) -> Field[Any]:
        """The option that the control stands at."""
        return fields(self.rules.options)[self.at - len(self.rows()) + len(fields(self.rules.options))]

    def introduce(self, button: str, person: str) -> None:
        if button in self.players:
            self.people = {**self.people, self.players.index(button): person}

    def order(self) -> None:
        """Ask for the order of the seats."""
        from firmware.people.joining import Order
        from firmware.people.who_begins import from_the_first

        def ordered(players: tuple[str, ...]) -> None:
            self.sit(from_the_first(players, self.begins))

        self.table.open(Order(self.table, self.rules, self.players, ordered))

    def draw(self) -> None:
        """Draw who begins, or name somebody: the seats are counted from there."""
        from firmware.people.who_begins import WhoBegins, from_the_first

        def drawn(button: str) -> None:
            self.begins = button
            self.sit(from_the_first(self.players, button))

        self.table.open(WhoBegins(self.table, titles(self.rules), self.players, self.people, drawn))

    def sit(self, players: tuple[str, ...]) -> None:
        """The same players in another order; the people keep their buttons."""
        sitting = {self.players[seat]: person for seat, person in self.people.items()}
        self.people = {seat: sitting[one] for seat, one in enumerate(players) if one in sitting}
        self.players, self.at = players, 0

    def edit(self) -> None:
        option = self.option
        if (form := option.metadata.get("table")) is None:
            super().edit()
            return

        def changed(text: str) -> None:
            self.options = replace(self.options, **{option.name: text})

        from firmware.table.option_table import Amounts

        text, title = getattr(self.options, option.name), translated(option_title(option))
        self.table.open(Amounts(self.table, title, form, text, changed))

    def start(self) -> None:
        try:
            drawn = self.begins is not None
            begin(self.table, self.rules, self.players, self.options, people=self.people, drawn=drawn)
        except Refused as refused:
            self.table.refuse(lazy(refused.text))

    def values(self) -> list[Any]:
        """The values that the control steps through while an option is changed."""
        option = self.option
        return [
            value
            for value in option_values(option, programs=False)
            if not isinstance(value, int) or value == option.default or round_number(value)
        ]

    def change(self, steps: int, knob: bool) -> None:
        option, values = self.option, self.values()
        words = not any(isinstance(value, int) and not isinstance(value, bool) for value in values)
        at = values.index(getattr(self.options, option.name)) + (-steps if words and not knob else steps)
        at = min(max(0, at), len(values) - 1)
        self.options = replace(self.options, **{option.name: values[at]})


class Games(Listing):
    """A list of games played before, the newest first; it grows while they are read."""

    none = N_("no game yet")
    read = staticmethod(past_games.newest)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.listed = GamesRead()
        self.waiting = False  # for the game that was chosen

    def opened(self) -> None:
        if not self.listed.whole:
            self.table.read(self.read, self._found, self._wanted)

    def _wanted(self) -> bool:
        return self.table.top is self

    def _found(self, listed: GamesRead) -> None:
        if listed.whole or len(listed.games) > len(self.listed.games):
            self.listed = listed

    def rows(self) -> Rows:
        rows: Rows = [(in_a_row(game), partial(self._choose, game)) for game in self.listed.games]
        if not self.listed.whole:
            rows.append((_("reading ..."), lambda: None))
        return rows or [(translated(self.none), self.table.close_all)]

    def right(self) -> Text:
        at = self.listed.games[self.at : self.at + 1]
        return _("reading ...") if self.waiting else at[0].day if at else ""

    def _choose(self, game: PastGame) -> None:
        self.waiting = True
        self.table.read(partial(past_games.one, game.game), self._chosen, self._wanted)

    def _chosen(self, unfinished: Unfinished | None) -> None:
        self.waiting = False
        if not self._wanted():
            return
        if unfinished is None:
            self.table.refuse(L_("this game cannot be read"))
        else:
            self.chosen(unfinished)

    def chosen(self, unfinished: Unfinished) -> None:
        """Open the game that was chosen."""
        raise NotImplementedError


class Open(Games):
    """The games that can be continued."""

    title = N_("GO ON WITH")
    none = N_("none")
    read = staticmethod(past_games.open_games)

    def chosen(self, unfinished: Unfinished) -> None:
        here = self.table.unfinished  # as it is in memory, also where it could not be saved
        same = here is not None and here.game == unfinished.game
        self.table.open(Resume(self.table, here if here is not None and same else unfinished))


class Past(Games):
    """The games played last, each with its score sheet."""

    title = N_("HISTORY")

    def chosen(self, unfinished: Unfinished) -> None:
        from firmware.table.past_score import PastScore

        self.table.open(PastScore(self.table, unfinished))


def in_a_row(game: PastGame) -> Text:
    """A game in a row of a list: its title and outcome."""
    return tuple(f"{title}: {outcome}" for title in shorter(game.title) for outcome in game.outcomes)


class Measured(Overlay):
    """The certificate: how exact this kit is."""

    def __init__(self, table: Table, measured: Certificate, unused: str | None) -> None:
        super().__init__(table)
        self.measured, self.unused = measured, unused

    def ok(self) -> None:
        self.table.close_all()

    def picture(self, now_ns: int) -> Image.Image:
        band, p50, most = (
            certificate.us(ns).replace("µ", "u")
            for ns in (self.measured.error_ns, self.measured.p50_ns, self.measured.max_ns)
        )
        unused = "" if self.unused is None else _("unused: {why}", why=translated(self.unused))
        return message(
            _("TIE BAND"),
            band,
            (
                _("p50 {p50}  max {most}", p50=p50.removesuffix(" us"), most=most),
                (self.measured.kernel, self.measured.kernel[:25]),
                unused,
            ),
            ("", _("OK: menu")),
            right=self.measured.day,
        )


def _reading(table: Table) -> Overlay:
    from firmware.table.reading import Reading

    return Reading(table)


def _back(playing: Playing) -> Overlay:
    from firmware.table.back_menu import Back

    return Back(playing)


def _more(playing: Playing, at: int) -> Overlay:
    from firmware.table.back_menu import More

    return More(playing, at)


def _stamps(playing: Playing) -> Overlay:
    from firmware.table.back_menu import Stamps

    return Stamps(playing)


def _ending(playing: Playing) -> Overlay:
    from firmware.table.ending import EndMenu

    return EndMenu(playing)


def this_evening(table: Table, evening: LatestEvening | None = None) -> Overlay:
    """Who won how often this evening, or in another one."""
    from firmware.table.evening import ThisEvening

    return ThisEvening(table, evening)


MENUS = Menus(Menu, _reading, Resume, _back, _more, _stamps, _ending, this_evening)
