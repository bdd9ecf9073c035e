"""The best results of each kind of game, the longest streaks, the fastest grabs."""

from collections.abc import Iterator

from firmware.markup import Markup, Part, Row, html, table
from firmware.output.race_evidence import short
from firmware.statistics.pages.site import Query, Site
from firmware.statistics.person_figures import Group
from firmware.statistics.plain_values import ERRORS
from firmware.translation import _, translated

BEST = 10  # results of a kind of game


def records(site: Site, _query: Query) -> Markup:
    """The best points of each kind of game, the most wins in a row, the fastest grabs."""
    parts = [*_most_points(site), _most_wins(site), *_fastest(site)]
    return site.page(_("Records"), parts if any(parts) else html("p", _("no game is over yet")))


def _most_points(site: Site) -> Iterator[Part]:
    for kind in site.figures.kind.values():
        there = [one for one in site.figures.results if kind.best and one.name == kind.name and not one.solo]
        best = sorted(there, key=lambda one: -kind.best * one.points)[:BEST]
        rows: list[Row] = [
            [site.who(one.person), one.points, html("a", one.game, href=f"/games/{one.game}")] for one in best
        ]
        if rows:
            yield table([_("name"), _("points"), _("game")], rows, translated(kind.title))


def _most_wins(site: Site) -> Part:
    streaks = sorted(((site.figures.record(one).longest, one) for one in site.data.people), reverse=True)
    rows: list[Row] = [[site.who(one), longest] for longest, one in streaks[:BEST] if longest > 1]
    return table([_("name"), _("wins")], rows, _("Won in a row")) if rows else None


def _fastest(site: Site) -> Iterator[Part]:
    """The races that all run to their end. Of Meows a time is known only where one won, and answers are to them."""
    fastest: dict[Group, list[tuple[int, int, int, str]]] = {}
    for person in site.data.people:
        for group, times in site.figures.times(person).items():
            if group.kind not in ("meow", "answer"):
                fastest.setdefault(group, []).append((times.best_ns, times.best_error_ns, times.n, person))
    for group, best in sorted(fastest.items()):
        rows: list[Row] = [
            [site.who(one), f"{short(ns)} ±{short(error_ns)}", n] for ns, error_ns, n, one in sorted(best)[:BEST]
        ]
        signal, kit = group.signal or _("signal unknown"), group.kit or _("kit unknown")
        race = _("Grabs") if group.kind == "grab" else translated(site.data.race(group))
        which = _("{race}: {signal}, {error}, {kit}", race=race, signal=signal, error=ERRORS[group.error], kit=kit)
        yield table([_("name"), _("best"), _("of")], rows, which)
