"""Everybody, and one person with all figures."""

from collections.abc import Sequence
from typing import Any

from firmware.markup import Markup, Part, Row, html, name, table
from firmware.output.race_evidence import short
from firmware.output.screens.common import ordinal
from firmware.statistics import plots
from firmware.statistics.pages import forms
from firmware.statistics.pages.site import Query, Site
from firmware.translation import _, translated


def people(site: Site, _query: Query) -> Markup:
    """Everybody, who has played most in front."""
    rows: list[Row] = []
    for person in site.data.people:
        record = site.figures.record(person)
        rows.append([site.who(person), record.games, record.wins, record.longest])
    heads = [_("name"), _("games"), _("won"), _("won in a row")]
    return site.page(_("People"), table(heads, rows, _("Everybody, who has played most in front")), forms.people(site))


def person(site: Site, _query: Query, id_: str) -> Markup | None:
    """All figures of somebody."""
    if id_ not in site.figures.names:
        return forms.not_counted(site, id_)
    one = site.data.person(id_)
    parts: list[Part] = [
        html("p", _("won {wins} of {games}, at most {longest} in a row", **one)),
        _kinds(site, one["kinds"]),
        [_categories(site, kind) for kind in one["kinds"] if kind["categories"]],
        _between(site, one["between"]),
        _reactions(site, one),
        forms.person(site, id_),
    ]
    return site.page(name(one["name"]), *parts)


def _kinds(site: Site, kinds: Sequence[dict[str, Any]]) -> Part:
    heads = [_("game"), _("games"), _("won"), _("places"), _("best"), _("median"), _("solo: goal met")]
    rows = [
        [
            translated(kind["title"]),
            kind["games"],
            kind["wins"],
            ", ".join(f"{n} × {ordinal(int(place))}" for place, n in kind["places"].items()),
            "–" if kind["best"] is None else kind["best"],
            "–" if kind["median"] is None else f"{kind['median']:g}",
            _("{met} of {games}", **kind["solo"]) if kind["solo"]["games"] else "–",
        ]
        for kind in kinds
    ]
    return table(heads, rows, _("By kind of game")) if rows else None


def _categories(site: Site, kind: dict[str, Any]) -> Part:
    rows = [
        [translated(category), points["best"], "–" if points["median"] is None else f"{points['median']:g}"]
        for category, points in kind["categories"].items()
    ]
    return table([_("part"), _("best"), _("median")], rows, _("Points in {title}", title=translated(kind["title"])))


def _between(site: Site, others: Sequence[dict[str, Any]]) -> Part:
    rows = [[site.who(other["id"]), other["ahead"], other["level"], other["behind"]] for other in others]
    heads = [_("with"), _("ahead"), _("level"), _("behind")]
    return table(heads, rows, _("In the same games, by places")) if rows else None


def _reactions(site: Site, one: dict[str, Any]) -> Part:
    parts: list[Part] = []
    if one["meows"]["rounds"]:
        parts.append(html("p", _("calls won: {won} of {rounds} rounds", **one["meows"])))
    rows = []
    for each in one["reactions"]:
        many = each["median_ns"] is not None
        quartiles = [short(round(ns)) for ns in each["quartiles_ns"] or ()]
        rows.append(
            [
                f"{translated(each['title'])}, {each['signal']}, {each['error']}, {each['kit']}",
                each["n"],
                f"{short(each['best_ns'])} ±{short(each['best_error_ns'])}",
                short(round(each["median_ns"])) if many else "–",
                _(" to ").join(quartiles) or "–",
            ]
        )
    if rows:
        heads = [_("race, signal, error, kit"), _("n"), _("best"), _("median"), _("half of them")]
        parts.append(table(heads, rows, _("Reaction times; never compared from row to row")))
    for each in one["reactions"]:
        if len(each["curve"]) > 1:
            which = f"{translated(each['title'])}, {each['signal']}, {each['kit']}"
            points = [(str(number), ns / 1e6) for number, ns in each["curve"]]
            says = _("Median by evening: {which}", which=which)
            values = table([_("evening"), "ms"], [[number, f"{ms:.1f}"] for number, ms in points], says)
            parts.append(html("figure", plots.line(points, says, "ms"), html("figcaption", says), values))
    return parts
