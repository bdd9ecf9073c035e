"""The front page: the last evening, the games played last, people, records."""

from contextlib import closing

from firmware.journal import races
from firmware.journal.reader import History
from firmware.markup import Markup, Part, Row, html, table
from firmware.output.photo_finish import drawing, figures
from firmware.output.race_evidence import Evidence
from firmware.statistics import closest_race
from firmware.statistics.evenings import Evening
from firmware.statistics.pages import records
from firmware.statistics.pages.site import Query, Site
from firmware.translation import _, ngettext

LATEST = 8  # games, people


def front(site: Site, _query: Query) -> Markup:
    """What people look for first."""
    if not site.games:
        return site.page(
            _("History"), html("p", _("No game has been played yet. It appears here as soon as one begins."))
        )
    evenings = site.figures.evenings
    latest = [*site.games.values()][:LATEST]
    return site.page(
        _("History"),
        last_evening(site, evenings[-1]) if evenings else None,
        html("section", site.listed(latest, _("Played last")), more("/games", _("All games"))),
        _people(site),
        records.short(site),
        here="/history",
    )


def last_evening(site: Site, evening: Evening) -> Part:
    """Who, what, and the closest race."""
    games = [site.games[game] for game in evening.games]
    there = dict.fromkeys(seat.who for game in games for seat in game.seats if seat.who)
    played = ngettext("{n} game", "{n} games", len(games))
    tally = site.figures.tally(evening)
    won = html("p", _("Most wins: "), site.most_wins(tally)) if any(one.wins for one in tally) else None
    return html(
        "section",
        html("h2", _("The last evening: "), site.evening(evening)),
        html("p", played, ". ", [_("At the table: "), site.everybody(there), "."] if there else None),
        won,
        finish(site, evening.games),
        class_="last",
    )


def finish(site: Site, games: tuple[int, ...]) -> Part:
    """The photo finish of the closest race of some games."""
    if (found := closest_race.of(site.figures, games)) is None:
        return None
    with closing(History(site.journal)) as history:
        row = next(row for row in history.games() if row.game == found.game)
        finishes = races.finishes(history, row, history.replay(row.game, history.rules(row)))
    there = [one.evidence for one in finishes if one.round == found.round and not one.undone and one.evidence.closest]
    if not there:
        return None
    race: Evidence = there[-1]
    says = ". ".join(race.verdict)
    caption = html("figcaption", _("The closest race: "), site.link(site.games[found.game]), f". {says}")
    return html("figure", drawing(race, says), caption, html("details", html("summary", _("Times")), figures(race)))


def _people(site: Site) -> Part:
    rows: list[Row] = []
    for person in site.data.people[:LATEST]:
        record = site.figures.record(person)
        if record.games:
            rows.append([site.who(person), record.games, record.wins])
    if not rows:
        return None
    return html("section", table([_("name"), _("games"), _("won")], rows, _("People")), more("/people", _("Everybody")))


def more(path: str, label: str) -> Part:
    """The way to a page with all of it."""
    return html("p", html("a", label, href=path), class_="more")
