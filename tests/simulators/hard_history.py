"""A history that is hard to show: the widest names, six at the table, thirty rounds, many kinds of games."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from firmware.journal import sheets
from firmware.journal.writer import Journal
from firmware.markup import Markup
from firmware.people.names import Person
from firmware.statistics.pages import Pages
from firmware.wall_clock import Moment
from firmware.wishes import forms
from firmware.wishes.games import WriteRemark
from firmware.wishes.people import Add
from firmware.wishes.wish import AskFirst, Denied
from tests.simulators.players import random_game
from tests.simulators.random_evenings import Evenings
from tests.simulators.wishing import decided

NAMES = ("WWWWWWWWWWWW", "עמליה־שולמית", "عبدالرحمن آل", "🐈" * 12, "山田" * 6, "Maximiliane-")
PERSONS = tuple(Person(f"{n:016x}", name) for n, name in enumerate(NAMES, 1))
SHE, BEN = f"/people/{PERSONS[0].id}", "/people/237751aa4462ebfc"
ASKED, REFUSED = f"/people/{'a' * 16}", f"/people/{'b' * 16}"  # where the pages that follow an edit are shown
KINDS = {  # of pages, by what they show
    "front": "/history",
    "games": "/games",
    "some games": f"/games?person={PERSONS[0].id}&state=over",
    "no games": "/games?state=open&year=1999",
    "a game with races": "/games/4",
    "a game of six": "/games/12",
    "people": "/people",
    "a person": BEN,
    "a person of many games": SHE,
    "evenings": "/evenings",
    "an evening of six": "/evenings/4",
    "an evening": "/evenings/3",
    "records": "/records",
    "a question": ASKED,
    "a refusal": REFUSED,
}
NOTE = "https://example.org/" + "w" * 180
SHEET = """
title = "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW {kind}"
players = [6, 6]
rounds = {rounds}
ask = [{{ id = "cards", low = -999999999, high = 999999999 }}]
"""


def write(folder: Path, *, course: int = 4, kinds: int = 2, rounds: int = 30) -> None:
    """Games of the same six. `course`: short games of one kind; `kinds`: others, each once, with so many rounds."""
    kinds_of_games = [*[(0, 1)] * course, *((kind, rounds) for kind in range(1, kinds + 1))]
    moment = Moment(0, "2026-10-01T19:00:00+00:00")
    with closing(
        Journal(folder / "journal.db", "x", lambda n: None, lambda t: None, threaded=False, clock=lambda: moment)
    ) as journal:
        journal.write_people(PERSONS)
        if journal.evening_in_doubt:
            journal.answer_evening(new=True)
        for seed, (kind, long) in enumerate(kinds_of_games):
            name, text = f"sheet:hard{kind}", SHEET.format(kind=kind, rounds=long)
            rules = sheets.rules(name, text)
            number = journal.begin_game(name, text)
            journal.seat(number, {seat: one.id for seat, one in enumerate(PERSONS)})
            players = len(PERSONS)
            journal.write(number, random_game(rules, players, rules.options(), seed).facts)
            journal.remark(number, NOTE, "2026-11-27" if seed else "")


def pages(folder: Path, kinds: Iterable[str] = KINDS.values()) -> dict[str, bytes]:
    """Those of some evenings, then of the six, by address."""
    Evenings(folder, 9).play(3)
    write(folder)
    same, long = Add(NAMES[0].lower()), WriteRemark(1, f"{NOTE}w", "")
    asked, refused = decided(same, PERSONS), decided(long, PERSONS)
    assert isinstance(asked, AskFirst) and isinstance(refused, Denied)
    found = {ASKED: forms.question(same, asked, NAMES), REFUSED: forms.refusal(long, refused)}
    with closing(Pages(folder)) as made:
        found |= {path: page for path in kinds if isinstance(page := found.get(path) or made.page(path), Markup)}
    return {path: found[path].encode() for path in kinds}
