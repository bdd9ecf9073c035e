"""One game: its score sheet, its races, who sat there, its result as a picture."""

from collections.abc import Mapping, Sequence
from contextlib import closing

from engine.rules import Refused, Seat
from firmware import local_time
from firmware.journal import races, sheet
from firmware.journal.reader import History
from firmware.markup import Markup, Part, Row, html, name, table
from firmware.output.photo_finish import drawing, figures
from firmware.people.names import Person, at_table
from firmware.statistics import bgstats, result_picture
from firmware.statistics.bgstats import Played
from firmware.statistics.pages.site import Query, Site, title
from firmware.translation import _, translated


def game(site: Site, _query: Query, number: str) -> Markup | None:
    """One game: the score sheet, its rounds, its photo finishes."""
    with closing(History(site.journal)) as history:
        row = next((row for row in history.games() if row.game == int(number)), None)
        if row is None:
            return None
        try:
            rules = history.rules(row)
        except Refused as refused:
            return site.page(row.name, html("p", translated(refused.text)))
        replay = history.replay(row.game, rules)
        play, took = replay.play, sheet.took(replay)
        people, everybody = history.people(row.game), history.everybody()
        finishes = races.finishes(history, row, replay)
    names = at_table(play.players, {seat: one.name for seat, one in people.items()})
    heads = [_("round"), *map(name, names), _("time")]
    rounds: list[Row] = [[_("start"), *sheet.rules_start(play), ""]]
    for each in sheet.rounds(play):
        ns = took.rounds.get(each.round)
        rounds.append(
            [_("round {round}", round=each.round), *(f"{n:+}" if n else "" for n in each.moved), sheet.duration(ns)]
        )
    rounds.append([_("total"), *play.scores, sheet.duration(took.game)])
    if play.over and not play.ended:
        rounds.append([_("place"), *play.places, ""])
    played = next((one for one in site.figures.plays() if one.game == row.game), None)
    return site.page(
        title(row, play.rules.title),
        html("p", sheet.standing(play, names)),
        None if played is None else _hand_over(site, played),
        table(heads, rounds, _("Points, round by round")),
        _who_sat_there(site, row.game, play.players, people, everybody) if everybody else None,
        [_finish(site, finish) for finish in finishes],
    )


def picture(site: Site, _query: Query, number: str) -> bytes | None:
    """The result of a game that counts, as a picture."""
    played = next((one for one in site.figures.plays() if one.game == int(number)), None)
    if played is None:
        return None
    with closing(History(site.journal)) as history:
        row = next(row for row in history.games() if row.game == played.game)
        return result_picture.of(history, row, local_time.day(played.began))


def _hand_over(site: Site, played: Played) -> Part:
    picture = html("a", _("Result as a picture"), href=f"/games/{played.game}.png")
    return html("p", picture, " ", html("a", _("To BG Stats"), href=bgstats.link(played), rel="noreferrer"))


def _who_sat_there(
    site: Site, game: int, labels: Sequence[str], people: Mapping[Seat, Person], everybody: Sequence[Person]
) -> Part:
    """A form a seat."""
    forms: list[Part] = []
    for seat, label in enumerate(labels):
        here = people[seat].id if seat in people else ""
        ids = [("", _("guest")), *((one.id, one.name) for one in everybody)]
        options = [html("option", who, value=id_, selected="" if id_ == here else None) for id_, who in ids]
        number = html("input", type="hidden", name="seat", value=seat)
        choice = html("label", label, " ", html("select", options, name="person"))
        forms.append(html("form", number, choice, html("button", _("Put right")), method="post"))
    says = _("Whoever is chosen for a seat changes places with who sat there.")
    return html("details", html("summary", _("Who sat there?")), html("p", says), forms)


def _finish(site: Site, finish: races.Finish) -> Part:
    race = finish.evidence
    title = _("round {round}", round=finish.round) + (", " + _("undone") if finish.undone else "")
    says = ". ".join(race.verdict)
    return html("figure", html("h2", title), html("p", says), drawing(race, says), figures(race))
