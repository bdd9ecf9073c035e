"""The best results of each kind of game, the longest streaks, the fastest grabs; each with its day and its game."""

from collections.abc import Iterator, Sequence

from firmware.markup import Markup, Part, Row, html, table
from firmware.output.race_evidence import with_error
from firmware.statistics.kinds import GameKind
from firmware.statistics.pages.site import Query, Site, place, places
from firmware.statistics.person_figures import Group, PersonResult
from firmware.statistics.plain_values import ERRORS
from firmware.translation import _, translated

BEST = 10  # results of a kind of game; those that are level with the last one, too


def records(site: Site, _query: Query) -> Markup:
    """All of them."""
    parts = [*_most_points(site), _most_wins(site), *_fastest(site)]
    says = _("Of people with a name; guests have no records.") if any(parts) else _("No game is over yet.")
    return site.page(_("Records"), html("p", says), parts, here="/records")


def short(site: Site) -> Part:
    """The record of each kind of game, for the front page."""
    rows: list[Row] = []
    for kind, best in _best(site):
        first = [one for one in best if one.points == best[0].points]
        by = dict.fromkeys(one.person for one in first)
        who = [site.everybody(by), _(" level") if len(by) > 1 else ""]
        rows.append([translated(kind.title), best[0].points, who, site.day(first[0].game)])
    if not rows:
        return None
    found = table([_("game"), _("points"), _("by"), _("since")], rows, _("Records"), class_="kinds")
    return html("section", found, html("p", html("a", _("All records"), href="/records"), class_="more"))


def _best(site: Site) -> Iterator[tuple[GameKind, Sequence[PersonResult]]]:
    """The best results by kind of game, the earlier one of level ones in front."""
    for kind in site.figures.kind.values():
        if there := site.figures.best(kind.name):
            last = there[:BEST][-1].points
            yield kind, [one for one in there if kind.best * one.points >= kind.best * last]


def _most_points(site: Site) -> Iterator[Part]:
    for kind, best in _best(site):
        found = places([one.points for one in best])
        rows: list[Row] = [
            [place(found, n), site.who(one.person), one.points, site.day(one.game)] for n, one in enumerate(best)
        ]
        yield table([_("place"), _("name"), _("points"), _("date")], rows, translated(kind.title))


def _most_wins(site: Site) -> Part:
    streaks = [(site.figures.record(one).longest, one) for one in site.data.people]
    streaks = sorted((one for one in streaks if one[0] > 1), key=lambda one: (-one[0], site.figures.names[one[1]]))
    streaks = [one for one in streaks if one[0] >= streaks[:BEST][-1][0]]
    found = places([longest for longest, _person in streaks])
    rows: list[Row] = [[place(found, n), site.who(one), longest] for n, (longest, one) in enumerate(streaks)]
    return table([_("place"), _("name"), _("wins")], rows, _("Won in a row")) if rows else None


def _fastest(site: Site) -> Iterator[Part]:
    """The races that all run to their end. Of Meows a time is known only where one won, and answers are to them."""
    fastest: dict[Group, list[tuple[int, int, int, int, str]]] = {}
    for person in site.data.people:
        for group, times in site.figures.times(person).items():
            if group.kind not in ("meow", "answer"):
                best = (times.best_ns, times.best_error_ns, times.best_game, times.n, person)
                fastest.setdefault(group, []).append(best)
    for group, best_ in sorted(fastest.items()):
        rows: list[Row] = [
            [site.who(one), with_error(ns, error_ns), n, site.day(game)]
            for ns, error_ns, game, n, one in sorted(best_)[:BEST]
        ]
        signal, kit = group.signal or _("signal unknown"), group.kit or _("kit unknown")
        race = _("Grabs") if group.kind == "grab" else translated(site.data.race(group))
        which = _("{race}: {signal}, {error}, {kit}", race=race, signal=signal, error=ERRORS[group.error], kit=kit)
        yield table([_("name"), _("best"), _("of how many"), _("date")], rows, which)
