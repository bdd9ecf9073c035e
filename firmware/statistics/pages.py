"""The pages beside the kit: People, Evenings, Games, Records. Each is made when it is asked for, from the sums."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from engine.rules import Refused, Seat
from firmware.journal import races, sheet
from firmware.journal.reader import GameRow, History
from firmware.markup import Markup, Part, Row, html, name, page, table
from firmware.output.photo_finish import drawing, figures
from firmware.output.race_evidence import short
from firmware.output.screens.common import ordinal
from firmware.people.names import Person, at_table
from firmware.state_folder import JOURNAL
from firmware.statistics import bgstats, plots, result_picture
from firmware.statistics.bgstats import Played
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures, Group
from firmware.statistics.plain_values import ERRORS, Data
from firmware.translation import _, dated, translated

BEST = 10  # results of a kind of game on the page of records


class Pages:
    """The pages of the journal in a folder. Raises `FileNotFoundError` where there is none, `sqlite3.Error`."""

    def __init__(self, folder: Path) -> None:
        self._journal = folder / JOURNAL
        self._sums = up_to_date(folder)
        self._data = Data(Figures(self._sums))
        self._figures = self._data.figures

    def close(self) -> None:
        """Close the sums; the pages cannot be made any more."""
        self._sums.close()

    def page(self, path: str) -> Markup | bytes | None:
        """The page at this path, or the picture; None where there is none."""
        for pattern, make in ROUTES:
            if (found := re.fullmatch(pattern, path, re.ASCII)) is not None:
                return make(self, *found.groups())
        return None

    # --- pages -------------------------------------------------------------------------------------------------------

    def people(self) -> Markup:
        """Everybody, who has played most in front."""
        rows: list[Row] = []
        for person in self._data.people:
            record = self._figures.record(person)
            rows.append([self._who(person), record.games, record.wins, record.longest])
        heads = [_("name"), _("games"), _("won"), _("won in a row")]
        return self._page(_("People"), table(heads, rows, _("Everybody, who has played most in front")))

    def person(self, id_: str) -> Markup | None:
        """All figures of somebody."""
        if id_ not in self._figures.names:
            return None
        one = self._data.person(id_)
        parts: list[Part] = [
            html("p", _("won {wins} of {games}, at most {longest} in a row", **one)),
            self._kinds(one["kinds"]),
            [self._categories(kind) for kind in one["kinds"] if kind["categories"]],
            self._between(one["between"]),
            self._reactions(one),
        ]
        return self._page(name(one["name"]), *parts)

    def evenings(self) -> Markup:
        """All evenings, the latest first."""
        rows: list[Row] = []
        for each in reversed(self._figures.evenings):
            tally = self._figures.tally(each)
            best = [one for one in tally if tally and (one.wins, one.beaten) == (tally[0].wins, tally[0].beaten)]
            winners = [[self._who(one.person), " "] for one in best if one.wins]
            rows.append(
                [html("a", _day(each.day, each.number), href=f"/evenings/{each.number}"), len(each.games), winners]
            )
        return self._page(_("Evenings"), table([_("evening"), _("games"), _("most wins")], rows, _("The latest first")))

    def evening(self, number: str) -> Markup | None:
        """One evening: everybody's wins, the games, what was new."""
        found = next((each for each in self._figures.evenings if each.number == int(number)), None)
        if found is None:
            return None
        tally: list[Row] = [
            [self._who(one.person), one.games, one.wins, one.beaten] for one in self._figures.tally(found)
        ]
        with closing(History(self._journal)) as history:
            titles = {
                row.game: _title(row, _called(history, row)) for row in history.games() if row.game in found.games
            }
        played = [[html("a", titles[game], href=f"/games/{game}"), self._standing(game)] for game in found.games]
        news = [self._news(one) for game in found.games for one in self._figures.news(game)]
        heads = [_("name"), _("games"), _("won"), _("players left behind")]
        return self._page(
            _day(found.day, found.number),
            table(heads, tally, _("Most wins in front")),
            table([_("game"), _("won by")], played, _("The games")),
            html("h2", _("New")) if news else None,
            html("ul", [html("li", one) for one in news]) if news else None,
        )

    def game(self, number: str) -> Markup | None:
        """One game: the score sheet, its rounds, its photo finishes."""
        with closing(History(self._journal)) as history:
            row = next((row for row in history.games() if row.game == int(number)), None)
            if row is None:
                return None
            try:
                rules = history.rules(row)
            except Refused as refused:
                return self._page(row.name, html("p", translated(refused.text)))
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
        played = next((one for one in self._figures.plays() if one.game == row.game), None)
        return self._page(
            _title(row, play.rules.title),
            html("p", sheet.standing(play, names)),
            None if played is None else self._hand_over(played),
            table(heads, rounds, _("Points, round by round")),
            self._who_sat_there(row.game, play.players, people, everybody) if everybody else None,
            [self._finish(finish) for finish in finishes],
        )

    def picture(self, number: str) -> bytes | None:
        """The result of a game that counts, as a picture."""
        played = next((one for one in self._figures.plays() if one.game == int(number)), None)
        if played is None:
            return None
        with closing(History(self._journal)) as history:
            row = next(row for row in history.games() if row.game == played.game)
            return result_picture.of(history, row, dated(played.began.astimezone()))

    def records(self) -> Markup:
        """The best points of each kind of game, the most wins in a row, the fastest grabs."""
        parts = [*self._most_points(), self._most_wins(), *self._fastest()]
        return self._page(_("Records"), parts if any(parts) else html("p", _("no game is over yet")))

    # --- parts of them -----------------------------------------------------------------------------------------------

    def _page(self, title: Part, *parts: Part) -> Markup:
        links = (
            ("/people", _("People")),
            ("/evenings", _("Evenings")),
            ("/records", _("Records")),
            ("/sheets", _("Score sheets")),
        )
        return page(title, *parts, links=links)

    def _most_points(self) -> Iterator[Part]:
        for kind in self._figures.kind.values():
            there = [one for one in self._figures.results if kind.best and one.name == kind.name and not one.solo]
            best = sorted(there, key=lambda one: -kind.best * one.points)[:BEST]
            rows: list[Row] = [
                [self._who(one.person), one.points, html("a", one.game, href=f"/games/{one.game}")] for one in best
            ]
            if rows:
                yield table([_("name"), _("points"), _("game")], rows, translated(kind.title))

    def _most_wins(self) -> Part:
        streaks = sorted(((self._figures.record(one).longest, one) for one in self._data.people), reverse=True)
        rows: list[Row] = [[self._who(one), longest] for longest, one in streaks[:BEST] if longest > 1]
        return table([_("name"), _("wins")], rows, _("Won in a row")) if rows else None

    def _fastest(self) -> Iterator[Part]:
        """The races that all run to their end. Of Meows a time is known only where one won, and answers are to them."""
        fastest: dict[Group, list[tuple[int, int, int, str]]] = {}
        for person in self._data.people:
            for group, times in self._figures.times(person).items():
                if group.kind not in ("meow", "answer"):
                    fastest.setdefault(group, []).append((times.best_ns, times.best_error_ns, times.n, person))
        for group, best in sorted(fastest.items()):
            rows: list[Row] = [
                [self._who(one), f"{short(ns)} ±{short(error_ns)}", n] for ns, error_ns, n, one in sorted(best)[:BEST]
            ]
            signal, kit = group.signal or _("signal unknown"), group.kit or _("kit unknown")
            race = _("Grabs") if group.kind == "grab" else translated(self._data.race(group))
            which = _("{race}: {signal}, {error}, {kit}", race=race, signal=signal, error=ERRORS[group.error], kit=kit)
            yield table([_("name"), _("best"), _("of")], rows, which)

    def _who(self, person: str) -> Markup:
        return html("a", name(self._figures.names[person]), href=f"/people/{person}")

    def _hand_over(self, played: Played) -> Part:
        picture = html("a", _("Result as a picture"), href=f"/games/{played.game}.png")
        return html("p", picture, " ", html("a", _("To BG Stats"), href=bgstats.link(played), rel="noreferrer"))

    def _who_sat_there(
        self, game: int, labels: Sequence[str], people: Mapping[Seat, Person], everybody: Sequence[Person]
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

    def _standing(self, game: int) -> Part:
        """Those who have won a game, or nobody of them known."""
        won = [one for one in self._figures.results if one.game == game and one.won]
        return [[self._who(one.person), " "] for one in won] or _("a guest, or nobody")

    def _news(self, one: Any) -> Part:
        title = translated(self._figures.kind[one.name].title)
        texts = {
            "record": _("record, {value} in {title}", value=one.value, title=title),
            "own best": _("own best, {value} in {title}", value=one.value, title=title),
            "first win": _("first win in {title}", title=title),
            "streak": _("{value} wins in a row", value=one.value),
        }
        return [self._who(one.person), ": ", texts[one.kind]]

    def _kinds(self, kinds: Sequence[dict[str, Any]]) -> Part:
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

    def _categories(self, kind: dict[str, Any]) -> Part:
        rows = [
            [translated(category), points["best"], "–" if points["median"] is None else f"{points['median']:g}"]
            for category, points in kind["categories"].items()
        ]
        return table([_("part"), _("best"), _("median")], rows, _("Points in {title}", title=translated(kind["title"])))

    def _between(self, others: Sequence[dict[str, Any]]) -> Part:
        rows = [[self._who(other["id"]), other["ahead"], other["level"], other["behind"]] for other in others]
        heads = [_("with"), _("ahead"), _("level"), _("behind")]
        return table(heads, rows, _("In the same games, by places")) if rows else None

    def _reactions(self, one: dict[str, Any]) -> Part:
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

    def _finish(self, finish: races.Finish) -> Part:
        race = finish.evidence
        title = _("round {round}", round=finish.round) + (", " + _("undone") if finish.undone else "")
        says = ". ".join(race.verdict)
        return html("figure", html("h2", title), html("p", says), drawing(race, says), figures(race))


def _day(day: str | None, number: int) -> str:
    """An evening's name."""
    return _("Evening {number}", number=number) if day is None else dated(date.fromisoformat(day))


def _called(history: History, row: GameRow) -> str:
    """What a game is called; the name of its rules where this version does not know them."""
    try:
        return str(history.rules(row).title)
    except Refused:
        return row.name


def _title(row: GameRow, title: str) -> str:
    """A game's name."""
    return _("{title}, game {game}", title=translated(title), game=row.game)


ROUTES: tuple[tuple[str, Callable[..., Markup | bytes | None]], ...] = (
    ("/people", Pages.people),
    (r"/people/([0-9a-f]{16})", Pages.person),
    ("/evenings", Pages.evenings),
    (r"/evenings/(\d{1,9})", Pages.evening),
    (r"/games/(\d{1,9})", Pages.game),
    (r"/games/(\d{1,9})\.png", Pages.picture),
    ("/records", Pages.records),
)
