"""All games, with filters."""

from urllib.parse import urlencode

from firmware import local_time
from firmware.markup import Markup, Part, choice, html
from firmware.statistics.listed_games import ListedGame
from firmware.statistics.pages.site import Query, Site
from firmware.translation import _, ngettext, translated

A_PAGE = 50  # games
STATES = ("over", "by hand", "open")


def games(site: Site, query: Query) -> Markup:
    """The games that are asked for, the latest first."""
    there = [game for game in site.games.values() if _wanted(game, query)]
    begin = int(query["from"]) if query.get("from", "").isdecimal() and len(query["from"]) < 9 else 0
    shown, older = there[begin : begin + A_PAGE], len(there) - begin - A_PAGE
    kept = {key: value for key, value in query.items() if key in ("game", "person", "year", "state") and value}
    return site.page(
        _("Games"),
        _filters(site, query),
        site.listed(shown, ngettext("{n} game", "{n} games", len(there)))
        or html("p", _("No game is like that. "), html("a", _("All games"), href="/games")),
        html(
            "p",
            _step(kept, begin - A_PAGE, _("newer games")) if begin else None,
            " ",
            _step(kept, begin + A_PAGE, _("older games")) if older > 0 else None,
            class_="more",
        ),
        here="/games",
    )


def _wanted(game: ListedGame, query: Query) -> bool:
    year = "" if game.began is None else str(local_time.local(game.began).year)
    return (
        query.get("game", "") in ("", game.kind)
        and query.get("person", "") in ("", *(seat.who for seat in game.seats))
        and query.get("year", "") in ("", year)
        and query.get("state", "") in ("", game.state)
    )


def _step(kept: Query, begin: int, label: str) -> Part:
    return html("a", label, href=f"/games?{urlencode(kept | {'from': str(max(0, begin))})}")


def _filters(site: Site, query: Query) -> Part:
    """A form that asks for some of them."""
    kinds = {game.kind: site.title(game) for game in site.games.values()}
    kinds = dict(sorted(kinds.items(), key=lambda one: one[1].casefold()))
    people = {person: site.figures.names[person] for person in site.data.people if site.figures.record(person).games}
    began = {local_time.local(game.began).year for game in site.games.values() if game.began is not None}
    years = {str(year): str(year) for year in sorted(began, reverse=True)}
    says = {"over": _("finished"), "by hand": _("ended by hand"), "open": _("not finished")}
    there = {one.state for one in site.games.values()}
    states: dict[str, str] = {state: translated(says[state]) for state in STATES if state in there}
    choices = [
        _choice("game", _("Game"), _("all"), kinds, query),
        _choice("person", _("With"), _("everybody"), people, query),
        _choice("year", _("Year"), _("all"), years, query),
        _choice("state", _("Ended"), _("all"), states, query),
    ]
    if not any(choices):
        return None
    return html("form", choices, html("button", _("Show")), method="get", action="/games", class_="filter")


def _choice(key: str, label: str, every: str, of: dict[str, str], query: Query) -> Part:
    """A choice between several; with only one there is none."""
    if len(of) < 2:
        return None
    options = [html("option", every, value="")]
    options += [
        choice(text, one, chosen=query.get(key) == one)
        if key == "person"
        else html("option", text, value=one, selected="" if query.get(key) == one else None)
        for one, text in of.items()
    ]
    return html("label", label, " ", html("select", options, name=key))
