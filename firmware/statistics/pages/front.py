"""The front page: the last evening, the games played last, people, records."""

from contextlib import closing

from firmware.journal import races
from firmware.journal.races import Finish
from firmware.journal.reader import History
from firmware.markup import Markup, Part, Row, html, table
from firmware.output.photo_finish import drawing, figures, named
from firmware.spreadsheet import ENDINGS, written
from firmware.statistics.evenings import Evening
from firmware.statistics.listed_games import GUEST, ListedGame
from firmware.statistics.pages import records
from firmware.statistics.pages.site import Query, Site
from firmware.translation import _, ngettext

LATEST = 8  # games, people
RESULTS = "/results"


def front(site: Site, _query: Query) -> Markup:
    """What people look for first."""
    if not site.games:
        return site.page(
            _("History"), html("p", _("No game has been played yet. It appears here as soon as one begins."))
        )
    evenings = site.figures.evenings
    last = evenings[-1].games if evenings else ()
    latest = [one for one in site.games.values() if one.game not in last][:LATEST]
    return site.page(
        _("History"),
        last_evening(site, evenings[-1]) if evenings else None,
        html("section", site.listed(latest, _("Before that")), more("/games", _("All games"))) if latest else None,
        _people(site),
        records.short(site),
        site.tables(_("All results as a table: "), RESULTS),
        here="/history",
    )


def results(site: Site, _query: Query, ending: str) -> bytes:
    """The results of all games as a table."""
    return written(site.data.result_table(), ENDINGS[ending])


def last_evening(site: Site, evening: Evening) -> Part:
    """Who, what, and the closest race."""
    games = [site.games[game] for game in evening.games]
    there = at_table(site, evening)
    won = html("p", _("Most wins: "), site.most_wins(evening)) if site.figures.most_wins(evening)[0] else None
    return html(
        "section",
        html("h2", _("The last evening: "), site.evening(evening)),
        html("p", _("At the table: "), site.everybody(there), ".") if there else None,
        won,
        site.listed(games, ngettext("{n} game", "{n} games", len(games)), dated=False),
        finish(site, evening.games),
        class_="last",
    )


def at_table(site: Site, evening: Evening) -> list[str]:
    """Who was there; as many guests as sat there at once."""
    seats = [[seat.who for seat in site.games[game].seats] for game in evening.games]
    guests = max((there.count(GUEST) for there in seats), default=0)
    return [*dict.fromkeys(who for there in seats for who in there if who != GUEST), *[GUEST] * guests]


def closest(site: Site, games: tuple[int, ...], *, on_display: bool = False) -> tuple[ListedGame, Finish] | None:
    """The closest race of some games; None where there was none. `on_display`: with names as the display draws them."""
    if (game := site.figures.closest_race(games)) is None:
        return None
    with closing(History(site.journal)) as history:
        row = next(row for row in history.games() if row.game == game)
        people = history.people(row.game)
        named = {seat: one.drawn for seat, one in people.items() if one.counted} if on_display else None
        found = races.closest(races.finishes(history, row, history.replay(row.game, history.rules(row)), named))
    return None if found is None else (site.games[game], found[0])


def finish(site: Site, games: tuple[int, ...]) -> Part:
    """The photo finish of the closest race of some games."""
    if (found := closest(site, games)) is None:
        return None
    game, (round_, _undone, race) = found
    says = ". ".join(race.verdict)
    where = _(", round {round}. ", round=round_)
    caption = html("figcaption", _("The closest race: "), site.link(game), where, named(race, says))
    return html("figure", caption, drawing(race, says), html("details", html("summary", _("Times")), figures(race)))


def _people(site: Site) -> Part:
    rows: list[Row] = []
    for person in site.data.people[:LATEST]:
        record = site.figures.record(person)
        if record.games:
            rows.append([site.who(person), record.games, record.wins])
    if not rows:
        return None
    return html(
        "section", table([_("name"), _("games"), _("won")], rows, _("People")), more("/people", _("All people"))
    )


def more(path: str, label: str) -> Part:
    """The way to a page with all of it."""
    return html("p", html("a", label, href=path), class_="more")
