"""All evenings, and one of them."""

from contextlib import closing
from typing import Any

from firmware.journal.reader import History
from firmware.markup import Markup, Part, Row, html, table
from firmware.statistics.pages.site import Query, Site, called, day, title
from firmware.translation import _, translated


def evenings(site: Site, _query: Query) -> Markup:
    """All evenings, the latest first."""
    rows: list[Row] = []
    for each in reversed(site.figures.evenings):
        tally = site.figures.tally(each)
        best = [one for one in tally if tally and (one.wins, one.beaten) == (tally[0].wins, tally[0].beaten)]
        winners = [[site.who(one.person), " "] for one in best if one.wins]
        rows.append([html("a", day(each.day, each.number), href=f"/evenings/{each.number}"), len(each.games), winners])
    return site.page(_("Evenings"), table([_("evening"), _("games"), _("most wins")], rows, _("The latest first")))


def evening(site: Site, _query: Query, number: str) -> Markup | None:
    """One evening: everybody's wins, the games, what was new."""
    found = next((each for each in site.figures.evenings if each.number == int(number)), None)
    if found is None:
        return None
    tally: list[Row] = [[site.who(one.person), one.games, one.wins, one.beaten] for one in site.figures.tally(found)]
    with closing(History(site.journal)) as history:
        titles = {row.game: title(row, called(history, row)) for row in history.games() if row.game in found.games}
    played = [[html("a", titles[game], href=f"/games/{game}"), _standing(site, game)] for game in found.games]
    news = [_news(site, one) for game in found.games for one in site.figures.news(game)]
    heads = [_("name"), _("games"), _("won"), _("players left behind")]
    return site.page(
        day(found.day, found.number),
        table(heads, tally, _("Most wins in front")),
        table([_("game"), _("won by")], played, _("The games")),
        html("h2", _("New")) if news else None,
        html("ul", [html("li", one) for one in news]) if news else None,
    )


def _standing(site: Site, game: int) -> Part:
    """Those who have won a game, or nobody of them known."""
    won = [one for one in site.figures.results if one.game == game and one.won]
    return [[site.who(one.person), " "] for one in won] or _("a guest, or nobody")


def _news(site: Site, one: Any) -> Part:
    title = translated(site.figures.kind[one.name].title)
    texts = {
        "record": _("record, {value} in {title}", value=one.value, title=title),
        "own best": _("own best, {value} in {title}", value=one.value, title=title),
        "first win": _("first win in {title}", title=title),
        "streak": _("{value} wins in a row", value=one.value),
    }
    return [site.who(one.person), ": ", texts[one.kind]]
