"""Everybody, and one person with all figures."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from firmware.markup import Markup, Part, Row, html, name, stack, table
from firmware.output.race_evidence import short, with_error
from firmware.output.screens.seats import ordinal
from firmware.statistics import pictures, plots
from firmware.statistics.pages import forms
from firmware.statistics.pages.site import Query, Site
from firmware.statistics.plain_values import said
from firmware.translation import _, ngettext, translated

PLOTTED = 3  # games of a kind, before a plot says anything
LATEST = 5  # games


def people(site: Site, _query: Query) -> Markup:
    """Everybody, who has played most in front."""
    rows: list[Row] = []
    for person in site.data.people:
        record = site.figures.record(person)
        rows.append([site.who(person), record.games, record.wins, record.longest])
    heads = [_("name"), _("games"), _("won"), _("most wins in a row")]
    found = table(heads, rows, _("Who has played most in front")) if rows else html("p", _("Nobody has a name yet."))
    return site.page(_("People"), found, forms.people(site), here="/people")


def person(site: Site, _query: Query, id_: str) -> Markup | None:
    """All figures of somebody."""
    if id_ not in site.figures.names:
        return forms.not_counted(site, id_)
    one = site.data.person(id_)
    played = [game for game in site.games.values() if any(seat.who == id_ for seat in game.seats)]
    courses = [course for kind in one["kinds"] if (course := _course(site, id_, kind)) is not None]
    parts: list[Part] = [
        html("p", said(one)),
        html(
            "p",
            html("a", _("As a picture"), target="_blank", href=f"/people/{id_}.png") if played else None,
            " ",
            html("a", _("Edit"), href="#edit"),
            class_="more",
        ),
        _kinds(site, one["kinds"]),
        html("div", courses, class_="plots") if courses else None,
        _between(site, one["between"]),
        site.listed(played[:LATEST], _("Played last")),
        html("p", html("a", _("All games"), href=f"/games?person={id_}"), class_="more") if played else None,
        [_categories(site, kind) for kind in one["kinds"] if kind["categories"]],
        _reactions(site, one),
        forms.person(site, id_),
    ]
    return site.page(name(one["name"]), *parts, here="/people")


def picture(site: Site, _query: Query, id_: str) -> bytes | None:
    """Somebody as a picture to send."""
    if id_ not in site.figures.names:
        return None
    one = site.data.person(id_)
    kinds = [
        pictures.PictureRow("", translated(kind["title"]), _("won {wins} of {games}", **kind), kind["wins"] > 0)
        for kind in one["kinds"]
        if kind["games"]
    ]
    wins = [*accumulate(each.won for each in site.figures.results if each.person == id_ and not each.solo)]
    return pictures.person(site.figures.drawn[id_] or _("(other letters)"), said(one), kinds, wins)


def _kinds(site: Site, kinds: Sequence[dict[str, Any]]) -> Part:
    heads = [_("game"), _("games"), _("won"), _("places"), _("best"), _("median"), _("alone: goal met")]
    rows = [
        [
            translated(kind["title"]),
            kind["games"],
            kind["wins"],
            ", ".join(f"{n}\u00a0×\u00a0{ordinal(int(place))}" for place, n in kind["places"].items()) or "–",
            "–" if kind["best"] is None else kind["best"],
            "–" if kind["median"] is None else f"{kind['median']:g}",
            _("{met} of {games}", **kind["solo"]) if kind["solo"]["games"] else "–",
        ]
        for kind in kinds
    ]
    return stack(heads, rows, _("By game"), "kinds") if rows else None


def _course(site: Site, id_: str, kind: dict[str, Any]) -> Part:
    """Somebody's points in one kind of game, from the first to the latest."""
    played = [one for one in site.figures.results if (one.person, one.name, one.solo) == (id_, kind["name"], False)]
    if len(played) < PLOTTED or not site.figures.kind[kind["name"]].best:
        return None
    says = _("Points in {title}, game by game", title=translated(kind["title"]))
    line = plots.PlotLine(_("points"), tuple(float(one.points) for one in played))
    return plots.figure([line], [str(n) for n in range(1, len(played) + 1)], says, _("game"))


def _categories(site: Site, kind: dict[str, Any]) -> Part:
    rows = [
        [translated(category), points["best"], "–" if points["median"] is None else f"{points['median']:g}"]
        for category, points in kind["categories"].items()
    ]
    return table([_("part"), _("best"), _("median")], rows, _("Points in {title}", title=translated(kind["title"])))


def _between(site: Site, others: Sequence[dict[str, Any]]) -> Part:
    rows = [[site.who(other["id"]), other["ahead"], other["level"], other["behind"]] for other in others]
    heads = [_("with"), _("ahead"), _("level"), _("behind")]
    return table(heads, rows, _("In games with others, by places")) if rows else None


def _reactions(site: Site, one: dict[str, Any]) -> Part:
    parts: list[Part] = []
    if one["meows"]["rounds"]:
        rounds = ngettext("{won} of {n} round", "{won} of {n} rounds", one["meows"]["rounds"], won=one["meows"]["won"])
        parts.append(html("p", _("First to cry Meow in {rounds}.", rounds=rounds)))
    rows = []
    for each in one["reactions"]:
        many = each["median_ns"] is not None
        error_ns = each["best_error_ns"]
        quartiles = [short(round(ns), error_ns) for ns in each["quartiles_ns"] or ()]
        rows.append(
            [
                f"{translated(each['title'])}, {each['signal']}, {each['error']}, {each['kit']}",
                each["n"],
                [f"{with_error(each['best_ns'], error_ns)}, ", site.day(each["best_game"])],
                short(round(each["median_ns"]), error_ns) if many else "–",
                _(" to ").join(quartiles) or "–",
            ]
        )
    if rows:
        heads = [_("race, signal, error, kit"), _("times"), _("best"), _("median"), _("middle half")]
        parts.append(stack(heads, rows, _("Reaction times. Rounds that the table decided have none")))
    for each in one["reactions"]:
        if len(each["curve"]) > 1:
            which = f"{translated(each['title'])}, {each['signal']}, {each['kit']}"
            line = plots.PlotLine(which, tuple(round(ns / 1e6, 1) for _number, ns in each["curve"]))
            says = _("Median by evening: {which}", which=which)
            parts.append(plots.figure([line], [str(number) for number, _ns in each["curve"]], says, _("evening"), "ms"))
    return parts
