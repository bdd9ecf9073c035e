"""One game: its score sheet, its races, who sat there, its result as a picture."""

from contextlib import closing

from engine.rules import Refused
from firmware.journal import races, sheet
from firmware.journal.reader import History
from firmware.markup import Markup, Part, Row, html, name, table
from firmware.output.photo_finish import drawing, figures
from firmware.people.names import at_table
from firmware.statistics import bgstats, result_picture
from firmware.statistics.bgstats import Played
from firmware.statistics.pages import forms
from firmware.statistics.pages.site import Query, Site, title
from firmware.translation import _, dated, translated


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
        forms.game(site, row.game, play.players, people, everybody),
        [_finish(site, finish) for finish in finishes],
    )


def picture(site: Site, _query: Query, number: str) -> bytes | None:
    """The result of a game that counts, as a picture."""
    played = next((one for one in site.figures.plays() if one.game == int(number)), None)
    if played is None:
        return None
    with closing(History(site.journal)) as history:
        row = next(row for row in history.games() if row.game == played.game)
        return result_picture.of(history, row, dated(played.began.astimezone()))


def _hand_over(site: Site, played: Played) -> Part:
    picture = html("a", _("Result as a picture"), href=f"/games/{played.game}.png")
    return html("p", picture, " ", html("a", _("To BG Stats"), href=bgstats.link(played), rel="noreferrer"))


def _finish(site: Site, finish: races.Finish) -> Part:
    race = finish.evidence
    title = _("round {round}", round=finish.round) + (", " + _("undone") if finish.undone else "")
    says = ". ".join(race.verdict)
    return html("figure", html("h2", title), html("p", says), drawing(race, says), figures(race))
