"""One game: its score sheet, its races, who sat there, its result as a picture."""

from collections.abc import Mapping, Sequence
from contextlib import closing

from engine.play import Play
from engine.rules import Refused, Seat
from firmware import local_time
from firmware.buttons import Button, of_play
from firmware.journal import races, sheet
from firmware.journal.reader import History, Replay
from firmware.markup import Markup, Part, Row, html, name, said, table
from firmware.output.photo_finish import drawing, figures, named
from firmware.people.names import Person, at_table
from firmware.spreadsheet import ENDINGS, written
from firmware.statistics import bgstats, pictures, plots
from firmware.statistics.bgstats import Played
from firmware.statistics.pages import forms
from firmware.statistics.pages.site import Query, Site
from firmware.translation import _, translated

PLOTTED = 3  # rounds, before a plot says anything


def game(site: Site, _query: Query, number: str) -> Markup | None:
    """One game: the score sheet, its rounds, its photo finishes."""
    one = site.games.get(int(number))
    if one is None:
        return None
    when = [
        html("p", local_time.moment(one.began), _(", game {game}", game=one.game)),
        site.ways("/games/", [*reversed(site.games)], one.game, _("Previous game"), _("Next game")),
    ]
    with closing(History(site.journal)) as history:
        row = next(row for row in history.games() if row.game == one.game)
        try:
            rules = history.rules(row)
        except Refused as refused:
            return site.page(site.title(one), when, html("p", translated(refused.text)), here="/games")
        replay = history.replay(row.game, rules)
        people, everybody = history.people(row.game), history.everybody()
        finishes = races.finishes(history, row, replay)
        buttons = of_play(replay.play, history.buttons(row.game))
    play = replay.play
    names = at_table(play.players, {seat: person.name for seat, person in people.items()})
    played = next((each for each in site.figures.plays() if each.game == one.game), None)
    return site.page(
        site.title(one),
        when,
        html("p", said(sheet.standing(play, names), names), class_="how"),
        html("p", html("a", _("Note, date, who sat there"), href="#edit"), _hand_over(played), class_="more"),
        _score_sheet(replay, names, people),
        site.tables(_("This score sheet as a table: "), f"/games/{one.game}"),
        _course(play, names, buttons),
        forms.game(site, one.game, play.players, people, everybody),
        [_finish(finish) for finish in finishes],
        here="/games",
    )


def picture(site: Site, _query: Query, number: str) -> bytes | None:
    """The result of a game that counts, as a picture."""
    one = site.games.get(int(number))
    if one is None or one.state != "over":
        return None
    with closing(History(site.journal)) as history:
        row = next(row for row in history.games() if row.game == one.game)
        return pictures.game(history, row)


def as_table(site: Site, _query: Query, number: str, ending: str) -> bytes | None:
    """The score sheet as a table; None where the game cannot be read."""
    if int(number) not in site.games:
        return None
    with closing(History(site.journal)) as history:
        row = next(row for row in history.games() if row.game == int(number))
        try:
            replay = history.replay(row.game, history.rules(row))
        except Refused:
            return None
        return written(sheet.as_table(replay.play, sheet.took(replay), history.names(row.game)), ENDINGS[ending])


def _score_sheet(replay: Replay, names: Sequence[str], people: Mapping[Seat, Person]) -> Part:
    """A line a round; what was corrected, and an end that was undone, have lines of their own.

    Names lead to the pages of `people`; guests have none.
    """
    play, took = replay.play, sheet.took(replay)
    rows: list[Row] = [[_("start"), *sheet.rules_start(play), ""]]
    for entry in sheet.entries(play, sheet.undone_ends(replay)):
        round_ = entry.kind in ("round", "extra round")
        time = sheet.duration(took.rounds.get(entry.round)) if round_ else ""
        head: Part = sheet.said(entry) if round_ else html("i", sheet.said(entry))
        rows.append([head, *sheet.points(entry), time])
    rows.append([_("total"), *play.scores, sheet.duration(took.game)])
    placed = play.over and not play.ended
    if placed:
        rows.append([_("place"), *play.places, ""])
    who = [
        html("a", name(called), href=f"/people/{people[seat].id}") if seat in people else name(called)
        for seat, called in enumerate(names)
    ]
    heads = [_("round"), *who, _("time")]
    return table(heads, rows, _("Points, round by round"), class_="sheet over" if placed else "sheet")


def _course(play: Play, names: Sequence[str], buttons: Sequence[Button | None]) -> Part:
    """Everybody's points after each round."""
    rounds = sheet.rounds(play)
    if len(rounds) < PLOTTED or not any(any(each.moved) for each in rounds):
        return None
    lines = [
        plots.PlotLine(who, tuple(float(each.totals[seat]) for each in rounds), buttons[seat])
        for seat, who in enumerate(names)
    ]
    return plots.figure(lines, [str(each.round) for each in rounds], _("Points after each round"), _("round"))


def _hand_over(played: Played | None) -> Part:
    """A picture to send and the app, for a game that counts."""
    if played is None:
        return None
    picture = html("a", _("This result as a picture"), target="_blank", href=f"/games/{played.game}.png")
    ours = html("a", _("To the app BG Stats"), href=bgstats.link(played), rel="noreferrer", target="_blank")
    return [" ", picture, " ", ours]


def _finish(finish: races.Finish) -> Part:
    race = finish.evidence
    title = _("round {round}", round=finish.round) + (", " + _("undone") if finish.undone else "")
    says = ". ".join(race.verdict)
    return html("figure", html("h2", title), html("p", named(race, says)), drawing(race, says), figures(race))
