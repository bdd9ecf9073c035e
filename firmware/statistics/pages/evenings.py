"""All evenings, and one of them."""

from collections.abc import Sequence
from typing import Any

from firmware.markup import Markup, Part, Row, html, table
from firmware.output.screens.seats import ordinal
from firmware.statistics import pictures, plots
from firmware.statistics.evenings import Evening
from firmware.statistics.listed_games import FORGOTTEN
from firmware.statistics.pages import front
from firmware.statistics.pages.site import Query, Site, day, place, places
from firmware.translation import _, translated

PLOTTED = 3  # games, before a plot says anything


def evenings(site: Site, query: Query) -> Markup:
    """The evenings of a year, the latest first: of the latest year, unless another one is asked for."""
    years = of_years(site.figures.evenings)
    shown = query.get("year", "") if query.get("year") in years else next(reversed(years), "")
    rows: list[Row] = []
    for each in reversed(years.get(shown, [])):
        there = front.at_table(site, each)
        rows.append([site.evening(each), len(each.games), site.everybody(there) or "–", site.most_wins(each)])
    heads = [_("evening"), _("games"), _("at the table"), _("most wins")]
    found = table(heads, rows, _("The latest first")) if rows else html("p", _("No game is over yet."))
    return site.page(_("Evenings"), _links(years, shown), found, here="/evenings")


def of_years(all_: Sequence[Evening]) -> dict[str, list[Evening]]:
    """All evenings by year, in order; one without a day is of the year of the one before it, else of the first year."""
    found: dict[str, list[Evening]] = {}
    year = next((each.day[:4] for each in all_ if each.day is not None), "")
    for each in all_:
        year = year if each.day is None else each.day[:4]
        found.setdefault(year, []).append(each)
    return dict(sorted(found.items()))


def _links(years: dict[str, list[Evening]], shown: str) -> Part:
    """A way to each year, where there are several."""
    if len(years) < 2:
        return None
    ways: list[Part] = []
    for year in reversed(years):
        here = "page" if year == shown else None
        ways += [html("a", year, href=f"/evenings?year={year}", aria_current=here), " "]
    return html("p", *ways, class_="more")


def evening(site: Site, _query: Query, number: str) -> Markup | None:
    """One evening: everybody's wins, the games, the closest race, what was new."""
    if (found := _numbered(site, number)) is None:
        return None
    tally = site.figures.tally(found)
    wins = places([one.wins for one in tally])
    rows: list[Row] = [
        [site.who(one.person), place(wins, n) if one.wins else "–", one.games, one.wins, one.beaten]
        for n, one in enumerate(tally)
    ]
    heads = [_("name"), _("place"), _("games"), _("won"), _("players left behind")]
    news = [_news(site, one) for game in found.games for one in site.figures.news(game)]
    games = [site.games[game] for game in found.games]
    numbers = [each.number for each in site.figures.evenings]
    return site.page(
        day(found.day, found.number),
        site.ways("/evenings/", numbers, found.number, _("Previous evening"), _("Next evening")),
        html(
            "p",
            html("a", _("This evening as a picture"), target="_blank", href=f"/evenings/{found.number}.png"),
            class_="more",
        ),
        table(heads, rows, _("By wins")) if rows else None,
        site.listed(games, _("The games"), dated=False),
        html("section", html("h2", _("New")), html("ul", [html("li", one) for one in news])) if news else None,
        _wins(site, found),
        front.finish(site, found.games),
        here="/evenings",
    )


def picture(site: Site, _query: Query, number: str) -> bytes | None:
    """An evening as a picture to send."""
    if (found := _numbered(site, number)) is None:
        return None
    tally = site.figures.tally(found)
    won = places([one.wins for one in tally])
    drawn = site.figures.drawn
    people = [
        pictures.PictureRow(
            ordinal(won[n]) if one.wins else "–",
            drawn[one.person] or _("(other letters)"),
            _("won {wins} of {games}", **one._asdict()),
            won[n] == 1 and one.wins > 0,
        )
        for n, one in enumerate(tally)
    ]
    games = []
    for game in (site.games[game] for game in found.games):
        names = [
            drawn.get(seat.who) or (_("somebody") if seat.who == FORGOTTEN else _("a guest")) for seat in game.winners
        ]
        winners = ", ".join(names) or (_("nobody") if game.state == "over" else _("ended by hand"))
        games.append(pictures.PictureRow("", f"{site.title(game)}: {winners}", ""))
    race = front.closest(site, found.games, on_display=True)
    return pictures.evening(day(found.day, found.number), people, games, race and race[1])


def _numbered(site: Site, number: str) -> Evening | None:
    return next((each for each in site.figures.evenings if each.number == int(number)), None)


def _wins(site: Site, evening: Evening) -> Part:
    """Everybody's wins, game by game."""
    named = {one.person: site.figures.names[one.person] for one in site.figures.tally(evening)}
    there = sorted(named, key=lambda person: named[person].casefold())
    games = [site.games[game] for game in evening.games if site.games[game].players > 1]
    if len(games) < PLOTTED or not named:
        return None
    lines = []
    for n, person in enumerate(there):
        won, so_far = 0, []
        for game in games:
            won += any(seat.who == person for seat in game.winners)
            so_far.append(float(won))
        lines.append(plots.PlotLine(named[person], tuple(so_far), n))
    says = _("Wins, game by game")
    return plots.figure(lines, [str(n) for n in range(1, len(games) + 1)], says, _("game"))


def _news(site: Site, one: Any) -> Part:
    title = translated(site.figures.kind[one.name].title)
    texts = {
        "record": _("a record, {value} in {title}", value=one.value, title=title),
        "own best": _("an own best, {value} in {title}", value=one.value, title=title),
        "first win": _("the first win in {title}", title=title),
        "streak": _("{value} wins in a row", value=one.value),
    }
    return [site.who(one.person), ": ", texts[one.kind]]
