"""What the pages beside the kit say: who has won and how a game ended, level people, corrections, plots, pictures."""

import html
import re
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from engine import games
from firmware.journal import sheet
from firmware.journal.reader import History
from firmware.statistics.evenings import Evening
from firmware.statistics.pages import Pages
from firmware.statistics.pages.games import A_PAGE
from firmware.statistics.pictures import FELT
from tests.simulators.plain_figures import standings
from tests.simulators.players import fixes, random_game
from tests.simulators.random_evenings import Evenings, Known
from tests.simulators.rig import Rig

GAME = "people[Anna Ben] [Kitty Paw] P1*2 P2*2 P3 ok*2"  # the third one is a guest


class Told(NamedTuple):
    """What a page says."""

    text: str
    rows: list[list[str]]  # the cells of all tables
    links: list[str]


def read(page: object) -> Told:
    assert isinstance(page, str)

    def plain(part: str) -> str:
        return " ".join(html.unescape(re.sub(r"<[^>]*>", "", part)).split())

    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", page)]
    body = page.partition("<main>")[2]
    cells = re.sub(r"</(?:t[hd]|p|h\d|caption|li)>", " ", body)
    return Told(plain(cells), [[*map(plain, row)] for row in rows], re.findall(r'href="([^"]*)"', page))


def told(folder: Path, path: str) -> Told:
    with closing(Pages(folder)) as pages:
        return read(pages.page(path))


class State(NamedTuple):
    folder: Path
    known: Known
    page: Callable[[str], Told]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    """Evenings in which all that may happen has happened."""
    folder = tmp_path_factory.mktemp("state")
    known = Evenings(folder, 1).play(25)
    return State(folder, known, lambda path: told(folder, path))


def test_before_the_first_game_the_front_page_says_when_something_will_be_there(rig: Rig, tmp_path: Path) -> None:
    rig.close()
    assert "appears here as soon as one begins" in told(tmp_path, "/history").text


def test_the_front_page_has_the_last_evening_with_who_and_what(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{GAME} menu[Fix points] P2 turn+4 ok 2500 menu[End the game now] ok")
    rig.close()
    page = told(tmp_path, "/history")
    assert page.rows[1][1:3] == ["Kitty Paw", "ended by hand"]


def test_every_game_is_listed_with_how_it_ended(state: State) -> None:
    """Won by somebody, by a guest, by somebody who was forgotten; ended by hand, level, not finished."""
    rows = [row for begin in (0, A_PAGE) for row in state.page(f"/games?from={begin}").rows[1:]]
    ways = [row[2].removeprefix("won by ") for row in rows]
    names, over = state.known.names, standings(state.known)
    with closing(History(state.folder / "journal.db")) as history:
        numbers = [row.game for row in history.games()]
    assert len(rows) == len(numbers)
    for number, way in zip(numbers, ways, strict=True):
        match over.get(number):
            case None:
                assert way == "not finished"
            case ("by hand", _, _):
                assert way == "ended by hand"
            case (_, [_], won):
                assert way == ("played alone: goal met" if won else "played alone")
            case (_, _, []):
                assert way == "nobody"
            case (_, _, [*won]):
                assert way.endswith(" level") == (len(won) > 1)
                assert all(names[who] in way for who in won if who in names)
                assert ("guest" in way, "forgotten" in way) == ("" in won, "forgotten" in won)
    assert {"a guest", "somebody who was forgotten", "ended by hand", "not finished"} <= {*ways}
    assert any(way.endswith(" level") for way in ways)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("state=by+hand", lambda known, _: len(known.by_hand)),
        ("game=kitty_paw&state=over", lambda known, _: sum(one.name == "kitty_paw" for one in known.ended.values())),
        ("year=1999", lambda known, _: 0),
        ("person={person}&state=over", lambda known, who: sum(who in _sat(known, game) for game in known.ended)),
        ("person=%22%3E%3Cscript%3E", lambda known, _: 0),
        ("from=x&game=", lambda known, _: None),
    ],
)
def test_games_are_filtered(state: State, query: str, wanted: Callable[[Known, str], int | None]) -> None:
    who = min(state.known.names.keys() - state.known.uncounted)
    page = state.page(f"/games?{query.format(person=who)}")
    many = wanted(state.known, who)
    assert "<script" not in page.text
    if many == 0:
        assert "No game is like that." in page.text
    else:
        found = re.search(r"(\d+) games? day", page.text)
        assert found is not None and (many is None or int(found[1]) == many)


def _sat(known: Known, game: int) -> list[str | None]:
    return [*known.seats[game].values()]


def test_older_games_are_a_step_away_and_keep_the_filter(state: State) -> None:
    first = state.page("/games?person=")
    older = [link for link in first.links if "from=" in link]
    assert older == [f"/games?from={A_PAGE}"]
    assert "newer games" in state.page(older[0]).text


def test_evenings_are_listed_by_year_the_latest_first(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [None, "2024-12-31", None, "2025-01-01", "2026-02-01", "2026-02-08"]
    with closing(Pages(state.folder)) as pages:
        site = pages._site  # noqa: SLF001
        all_ = tuple(Evening(n, day, tuple(site.games)[:1]) for n, day in enumerate(days, 1))
        monkeypatch.setattr(type(site.figures), "evenings", all_)
        found = {}
        for path in ("/evenings", "/evenings?year=2025", "/evenings?year=2024", "/evenings?year=1999"):
            page = read(pages.page(path))
            found[path] = [link.rpartition("/")[2] for link in page.links if re.fullmatch(r"/evenings/\d+", link)]
            assert [one[-4:] for one in page.links if "year" in one] == ["2026", "2025", "2024"]
    assert found == {
        "/evenings": ["6", "5"],
        "/evenings?year=2025": ["4"],
        "/evenings?year=2024": ["3", "2", "1"],
        "/evenings?year=1999": ["6", "5"],
    }


@pytest.mark.parametrize("of", ["evenings", "games"])
def test_from_an_evening_and_a_game_the_ones_before_and_after_are_a_step_away(state: State, of: str) -> None:
    with closing(Pages(state.folder)) as pages:
        site = pages._site  # noqa: SLF001
        numbers = [one.number for one in site.figures.evenings] if of == "evenings" else [*reversed(site.games)]
        found = {n: re.findall(rf'href="/{of}/(\d+)" rel="(\w+)"', str(pages.page(f"/{of}/{n}"))) for n in numbers}
    assert len(numbers) > 2
    for before, n, after in zip([None, *numbers], numbers, [*numbers[1:], None], strict=False):
        assert found[n] == [(str(to), rel) for to, rel in ((before, "prev"), (after, "next")) if to is not None]


def test_who_is_level_on_an_evening_is_named_together(state: State) -> None:
    with closing(Pages(state.folder)) as pages:
        figures = pages._site.figures  # noqa: SLF001
        rows = read(pages.page("/evenings")).rows[1:]
        for evening, row in zip(figures.evenings[::-1], rows, strict=True):
            most, best = figures.most_wins(evening)
            assert (" level, " in row[3]) == (len(best) > 1)
            assert all(figures.names[one] in row[3] for one in best)
            assert (row[3] == "–") == (most == 0)
    assert any(" level, " in row[3] for row in rows)


def test_records_have_their_day_and_level_places(state: State) -> None:
    page = state.page("/records")
    places = [row for row in page.rows if re.match(r"(shared )?\d+(st|nd|rd|th)", row[0])]
    assert all(re.fullmatch(r"\d\d \w{3} \d{4}|day unknown", row[3]) for row in places if len(row) == 4)
    level = [n for n, row in enumerate(places) if row[0].startswith("shared ")]
    assert level and all(
        any(
            places[m][0] == places[n][0] and places[m][2] == places[n][2]
            for m in (n - 1, n + 1)
            if 0 <= m < len(places)
        )
        for n in level
    )


# --- score sheets ----------------------------------------------------------------------------------------------------


def test_corrections_and_ends_undone_and_extra_rounds_are_lines_of_their_own(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{GAME} menu[Fix points] P2 turn+4 ok 2500")
    rig.do("menu[End the game now] ok 6s")
    rig.do("undo 2500")
    rig.close()
    with closing(Pages(tmp_path)) as pages:
        rows = read(pages.page("/games/1")).rows
    heads = [row[0] for row in rows]
    assert "points fixed" in heads
    assert "end undone; it stood" in heads
    assert rows[heads.index("points fixed")][2] == "+4"


def test_names_on_a_score_sheet_lead_to_people_and_those_of_guests_nowhere(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{GAME} menu[End the game now] ok")
    ids = {one.name: one.id for one in rig.app.table.roster.persons}
    rig.close()
    with closing(Pages(tmp_path)) as pages:
        head = re.findall(r"<thead>.*?</thead>", str(pages.page("/games/1")))[0]
        linked = re.findall(r'href="/people/(\w+)"><bdi[^>]*>(\w+)</bdi></a>', head)
        assert linked == [(ids[who], who) for who in ("Anna", "Ben")]
        assert re.findall(r"<bdi[^>]*>(\w+)</bdi></th>", head) == ["P3"]
        assert all(pages.page(f"/people/{id_}") is not None for id_ in ids.values())


def test_every_correction_of_random_games_has_its_line(state: State) -> None:
    fixed = 0
    with closing(Pages(state.folder)) as pages, closing(History(state.folder / "journal.db")) as history:
        for row in history.games():
            play = history.play(row.game, history.rules(row))
            heads = [cells[0] for cells in read(pages.page(f"/games/{row.game}")).rows]
            corrected = len(fixes(play))
            assert heads.count("points fixed") == corrected
            fixed += corrected
            assert ("place" in heads) == (play.over and not play.ended)
    assert fixed


def test_extra_rounds_are_called_so() -> None:
    rules = games.rules("kitty_paw")
    play = random_game(rules, 2, rules.options(), 50).play  # one that was level after its 12 rounds
    kinds = [(entry.kind, entry.round) for entry in sheet.entries(play)]
    assert [round_ for kind, round_ in kinds if kind == "extra round"] == [13, 14]
    assert [round_ for kind, round_ in kinds if kind == "round"] == [*range(1, 13)]


# --- plots and pictures ----------------------------------------------------------------------------------------------


def test_a_plot_is_there_as_soon_as_there_are_three_games(state: State) -> None:
    with closing(Pages(state.folder)) as pages:
        figures = pages._site.figures  # noqa: SLF001
        for person in figures.names:
            page = str(pages.page(f"/people/{person}"))
            for name in games.names():
                played = figures.record(person, name).games
                title = html.escape(games.rules(name).title)
                assert (f"Points in {title}, game by game" in page) == (played >= 3), (person, name, played)


def test_a_plot_over_several_games_has_people_in_the_order_of_their_names(state: State) -> None:
    with closing(Pages(state.folder)) as pages:
        site = pages._site  # noqa: SLF001
        numbers = [one.number for one in site.figures.evenings]
        plots = [
            re.findall(r'class="dot (l\d)"[^>]*>(?:</\w+>)?<text[^>]*>([^<]+)<', str(pages.page(f"/evenings/{n}")))
            for n in numbers
        ]
    plots = [plot for plot in plots if plot]
    assert len(plots) >= 3
    for plot in plots:
        names = [html.unescape(name).casefold() for _style, name in plot]
        assert ([style for style, _ in plot], names) == ([f"l{n % 6}" for n in range(len(plot))], sorted(names))


@pytest.mark.parametrize("kind", ["game", "evening", "person"])
def test_a_picture_to_send_is_filled(state: State, kind: str) -> None:
    """In each quarter there is something to read, for those with the most to say."""
    with closing(Pages(state.folder)) as pages:
        site = pages._site  # noqa: SLF001
        most = max(site.figures.evenings, key=lambda one: len(one.games)).number
        longest = max((one for one in site.games.values() if one.state == "over"), key=lambda one: one.players).game
        path = {"game": f"/games/{longest}", "evening": f"/evenings/{most}", "person": f"/people/{site.data.people[0]}"}
        made = pages.page(f"{path[kind]}.png")
    assert isinstance(made, bytes)
    picture = Image.open(BytesIO(made)).convert("RGB")
    assert picture.size == (1200, 630)
    felt = tuple(bytes.fromhex(FELT[1:]))
    for left, top in ((40, 130), (620, 130), (40, 360), (620, 360)):
        quarter = picture.crop((left, top, left + 540, top + 230)).getcolors(100_000)
        assert quarter is not None
        assert sum(n for n, colour in quarter if colour != felt) > 500, (left, top)


def test_who_is_not_counted_is_a_guest_in_pictures(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(
        "firmware.statistics.pictures.Picture.write", lambda self, x, y, text, *rest, **more: written.append(text)
    )
    with closing(Pages(state.folder)) as pages, closing(History(state.folder / "journal.db")) as history:
        for game in state.known.ended:
            written.clear()
            pages.page(f"/games/{game}.png")
            left_out = {one.name for one in history.people(game).values() if not one.counted}
            there = {one.name for one in history.people(game).values() if one.counted}
            assert not {*written} & (left_out - there)
            assert any(left_out) or written


@pytest.mark.parametrize("path", ["/games/0.png", "/evenings/0.png", f"/people/{'0' * 16}.png"])
def test_there_is_no_picture_of_what_is_not_there(state: State, path: str) -> None:
    with closing(Pages(state.folder)) as pages:
        assert pages.page(path) is None
