"""Whole games on kernel lines, by each driver: pulled contacts in, and out came the verdicts, scores and pictures.

Kitty Paw goes with three buttons as its control and with the tie band of the kit; Pack & Stack goes with a knob and
with a band that the table has widened, so that two hands at once are a dead heat on any driver.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from PIL import Image

from engine import racing
from engine.games import kitty_paw, pack_and_stack
from engine.play import Fact, Play
from engine.rules import Seat
from firmware.output import screens, strip_picture
from firmware.output.strip_picture import Light
from firmware.table.question import EMPTY
from hardware.parts.buttons import Source
from hardware.parts.strip import Pixels
from tests.simulators.reading import text
from tests.simulators.real_table import EdgeRow, Pull, Table, real_table
from tests.simulators.waiting import comes, unstalled

SLAPS_MS = 1700  # so long after a verdict a press is a slap of the race
REST_NS = 25_000_000  # a contact that has not moved for so long is at rest
SOURCES: dict[str, Source] = {"gpiod": "kernel", "lgpio": "kernel", "rpigpio": "callback"}

Verdict: TypeAlias = tuple[str, tuple[Seat, ...]]  # the name of the event, and its seats


class Told(NamedTuple):
    """What has to come of a game."""

    verdicts: list[Verdict]
    scores: tuple[int, ...]
    words: tuple[str, ...]  # on the last picture


class Evening(NamedTuple):
    """One game that has been played, and all that could be seen of it at its end."""

    source: Source
    told: Told
    verdicts: list[Verdict]
    play: Play  # replayed from the journal
    glass: Image.Image
    expected: Image.Image  # drawn from the replayed game
    strip: Pixels
    light: Pixels  # of the replayed game
    lit: frozenset[str]
    pulls: list[Pull]
    edges: list[EdgeRow]
    end: tuple[int, str]


def play_kitty_paw(table: Table) -> Told:
    """Three players, cards of both kinds count to five: a false start, an undo, and two callers who are wrong."""
    three = ("P1", "P2", "P3")

    def penalties_count() -> None:
        table.choose(5).ok().choose(1).ok().choose(-5)

    def race(*names: str) -> Table:
        return table.until("build").up(*three).race(*names).until("check")

    table.begin("kitty_paw", *three, options=penalties_count).until("hands")
    table.down(*three).until("armed").up("P3").until("hands").down("P3")  # P3 was too early
    race("P2", "P1").ok().until("points").ok().until("clean_up")  # P3 is missing: last
    table.ok_hold().ok().ok_hold().until("points").turn(1).ok().until("clean_up").ok()  # it was a seven
    table.until("hands").down(*three)
    race("P1", "P2", "P3").no().until("clean_up").ok()  # P1 was wrong
    table.until("hands").down(*three)
    race("P3", "P2", "P1").ok().until("points").ok().until("clean_up").ok()
    table.until("hands").down(*three)
    race("P2", "P1", "P3").no().until("clean_up").ok()
    table.until("hands").down(*three)
    race("P1", "P2", "P3").ok().until("points").turn(-1).ok().until("clean_up").ok()
    table.until("over")
    told: list[Verdict] = []
    for caller, late in ((1, 2), (0, 2), (2, 0), (1, 2), (0, 2)):
        told += [("Called", (caller,)), ("LastNamed", (late,))]
    return Told(told, (-1 - 1 + 5, 7 - 1, -1 - 1 + 6 - 1 - 1), ("WIN", "P2"))


def play_pack_and_stack(table: Table) -> Told:
    """Four players, two rounds: a start before the signal, a missing hand, and a dead heat that the table settles."""
    four = ("P1", "P2", "P3", "P4")

    def wide_band() -> None:
        table.choose(6).ok().turn(18).ok().choose(-6)  # to 50 ms

    def count(*empties: int, blue_left: int) -> None:
        """Empty spaces of everybody, and the long boxes that P1 has left on the pavement."""
        table.until_reads("loaded? press").after(SLAPS_MS)
        for name in four:
            table.tap(name)
        table.until("empties")
        values = ["–"] * len(four)
        for n, (name, spaces) in enumerate(zip(four, empties, strict=True)):
            if spaces:
                values[n] = "5"
                table.tap(name).until_reads(f"{' '.join(values)} | Empty spaces?").turn(spaces - 5)
            else:
                table.hold(name)
            values[n] = str(spaces)
            table.until_reads(" ".join(values))
        table.ok().until("left_over").tap("P1").ok(4).tap("P1", blue_left).ok().until("result").ok()

    table.begin("pack_and_stack", *four, options=wide_band).until("setup").tap("P3")
    table.until("deal").ok().until("countdown").tap("P4").until("race").after(120).tap("P2").tap("P4").tap("P1")
    table.until("packing")
    count(8, 5, 0, 4, blue_left=3)
    table.until("deal").ok().until("race").after(120).tap("P2").tap("P1").at_once("P3", "P4")
    table.until("dispute").turn(1).ok().until("packing")  # P4 was the later one
    count(3, 4, 6, 3, blue_left=4)
    table.until("over")
    told: list[Verdict] = [("Jumped", (3,)), ("LastNamed", (2,)), ("LastNamed", (3,))]
    return Told(told, (75 - 8 - 30 - 3 - 40, 75 - 5 - 4, 75 + 10 - 6, 75 - 4 - 3 + 10), ("WIN", "P3"))


GAMES: dict[str, tuple[Callable[[Table], Told], str]] = {
    "kitty_paw": (play_kitty_paw, "buttons"),
    "pack_and_stack": (play_pack_and_stack, "knob"),
}
PLAYED = (("gpiod", "kitty_paw"), ("gpiod", "pack_and_stack"), ("lgpio", "kitty_paw"), ("rpigpio", "pack_and_stack"))


@pytest.fixture(scope="module", params=PLAYED, ids="-".join)
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    driver, game = request.param
    return unstalled(lambda: played(tmp_path_factory.mktemp(driver), driver, game))


def played(folder: Path, driver: str, game: str) -> Evening:
    """Play one game to its end. Raises `Stalled`."""
    people, control = GAMES[game]
    with real_table(folder, driver, control) as table:
        told = people(table)
        play = table.play()
        assert play is not None
        expected = screens.draw(play, EMPTY, knob=control == "knob")
        light = strip_picture.pixels(Light(play.board), 60)
        comes(lambda: table.glass().tobytes() == expected.tobytes())
        comes(lambda: table.strip() == light)
        seen = (table.glass(), expected, table.strip(), light, table.lit())
        return Evening(
            SOURCES[driver], told, verdicts(table.facts()), play, *seen, table.pulls, table.edges(), table.stop()
        )


def verdicts(facts: Iterable[Fact]) -> list[Verdict]:
    """What a game says of who was first, last, or too early."""
    found: list[Verdict] = []
    for fact in facts:
        match fact.event:
            case kitty_paw.Called(seats) | kitty_paw.LastNamed(seats) | pack_and_stack.LastNamed(seats):
                found.append((type(fact.event).__name__, seats))
            case racing.Jumped(seat):
                found.append(("Jumped", (seat,)))
    return found


def test_the_end_can_be_read_on_the_display(evening: Evening) -> None:
    found = text(evening.glass)
    words = (*evening.told.words, *map(str, evening.told.scores))
    assert [word for word in words if word not in found] == []


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        pytest.param(
            lambda one: one.verdicts, lambda one: one.told.verdicts, id="first and last are by their contacts"
        ),
        pytest.param(lambda one: one.play.scores, lambda one: one.told.scores, id="the scores are those of the cards"),
        pytest.param(
            lambda one: one.glass.tobytes(), lambda one: one.expected.tobytes(), id="the display, as replayed"
        ),
        pytest.param(lambda one: one.strip, lambda one: one.light, id="the strip shows the end"),
        pytest.param(lambda one: one.lit, lambda _: frozenset(), id="the lamps are dark"),
        pytest.param(lambda one: {edge.source for edge in one.edges}, lambda one: {one.source}, id="who stamped"),
        pytest.param(lambda one: one.end, lambda _: (0, ""), id="the program ends well and has missed no part"),
        pytest.param(lambda one: one.play.over, lambda _: True, id="it is over"),
    ],
)
def test_at_the_end(evening: Evening, found: Callable[[Evening], object], wanted: Callable[[Evening], object]) -> None:
    assert found(evening) == wanted(evening)


def test_no_edge_is_stamped_before_its_contact_moved(evening: Evening) -> None:
    moved: dict[tuple[str, bool], int] = {}  # the first time that a contact was moved so
    for pull in evening.pulls:
        moved.setdefault((pull.name, pull.down), pull.before_ns)
    assert [edge for edge in evening.edges if edge.at_ns < moved[edge.name, edge.down]] == []


def test_who_looks_at_the_line_later_on_still_sees_how_each_press_begins_and_ends(evening: Evening) -> None:
    missed = [
        (before, after)
        for name in {edge.name for edge in evening.edges}
        for before, after in rests(evening.pulls, name)
        if not any(
            edge.name == name and edge.down is before.down and before.before_ns <= edge.at_ns <= after.before_ns
            for edge in evening.edges
        )
    ]
    assert missed == []


def rests(pulls: Iterable[Pull], name: str) -> list[tuple[Pull, Pull]]:
    """The pulls that brought a contact to rest, each with the one that moved it again."""
    mine = [pull for pull in pulls if pull.name == name]
    pairs = list(pairwise(mine))
    return [(before, after) for before, after in pairs if after.before_ns - before.after_ns > REST_NS]


def test_the_kernels_stamp_lies_within_the_pull_and_every_pull_has_one(evening: Evening) -> None:
    names = {edge.name for edge in evening.edges}
    pulls = sorted((pull for pull in evening.pulls if pull.name in names), key=lambda pull: pull.before_ns)
    edges = sorted(evening.edges, key=lambda edge: edge.at_ns)
    exact = evening.source == "kernel"  # a callback's stamp is late, and of a bounce it sees nothing
    wrong = [
        (pull, edge)
        for pull, edge in zip(pulls, edges, strict=exact)
        if (pull.name, pull.down) != (edge.name, edge.down) or not pull.before_ns <= edge.at_ns <= pull.after_ns
    ]
    assert (wrong == []) is exact
