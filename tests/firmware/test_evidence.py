"""The evidence of a race: rows, bands and words; on the display, at the table, and from the journal."""

import json
from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest

from engine import games
from engine import play as plays
from engine.play import Play
from engine.rules import Action
from firmware.journal import races as finishes
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.messages import TableNews
from firmware.output import race_evidence
from firmware.output.race_evidence import Evidence
from firmware.output.screens.evidence import draw
from hardware.parts.buttons import Edge, Source
from tests.engine.paw_table import Table
from tests.firmware import races
from tests.firmware.command import Ran
from tests.firmware.races import GO_NS, KERNEL_NS, MS, US, VIRTUAL_NS, raced
from tests.simulators import reading
from tests.simulators.players import random_game, random_options
from tests.simulators.rig import Rig

P = ("P1", "P2", "P3", "P4", "P5", "P6")
FIRST, SECOND, THIRD = (1, 1_234_567, KERNEL_NS), (0, 1_235_801, KERNEL_NS), (2, 1_276_001, KERNEL_NS)
DEAD_HEAT = (2, 1_235_841, KERNEL_NS)


def kernel(*after_us: int) -> list[tuple[int, int, int]]:
    """Presses of all seats in turn, so many µs after the flip, stamped by the kernel."""
    return [(seat, at_us, KERNEL_NS) for seat, at_us in enumerate(after_us)]


def found(play: Play, **sources: Source) -> Evidence:
    """The evidence; who is not named has kernel stamps."""
    known = race_evidence.of(play, {**dict.fromkeys(play.players, "kernel"), **sources})
    assert known is not None
    return known


TWO = raced(P[:2], FIRST, SECOND)
THREE = raced(P[:3], FIRST, SECOND, THIRD)
HEAT = raced(P[:3], FIRST, SECOND, DEAD_HEAT)
MISSING = raced(P[:3], FIRST, SECOND)  # P3
TWO_MISSING = raced(P[:3], FIRST)
BENCHED = raced(P[:3], FIRST, SECOND, benched=(2,))
LATE = raced(P[:3], FIRST, SECOND, late=((2, 1_500_000, KERNEL_NS),))
EARLIER = raced(P[:3], FIRST, SECOND, late=((2, 1_234_560, KERNEL_NS),))  # but delivered late
COARSE = raced(P[:2], FIRST, (0, 1_235_801, VIRTUAL_NS))
WIDE = raced(P[:2], FIRST, (0, 1_235_801, VIRTUAL_NS), tie_band=2)
CHAIN = raced(P[:3], *kernel(350_000, 350_060, 350_120))
CLOSE = raced(P[:3], *kernel(350_000, 350_020, 350_040))
LATER = raced(P[:2], *kernel(1_000_000), late=((1, 4_500_000, KERNEL_NS),))
OF_FOUR = raced(P[:4], FIRST, SECOND, late=((3, 1_234_527, KERNEL_NS),))
BENCHED_OF_FOUR = raced(P[:4], FIRST, SECOND, benched=(3,))
HIDING = raced(P[:3], (0, 350_000, VIRTUAL_NS), (1, 352_000, KERNEL_NS), (2, 354_000, KERNEL_NS))

ROWS: dict[str, tuple[Play, str, list[object]]] = {
    "stand in the order of the stamps": (raced(P[:3], SECOND, FIRST, THIRD), "name", ["P2", "P1", "P3"]),
    "have the stamps of the presses": (TWO, "at_ns", [GO_NS + 1_234_567 * US, GO_NS + 1_235_801 * US]),
    "count from the go-signal": (TWO, "after_ns", [1_234_567 * US, 1_235_801 * US]),
    "have the gap to the press before": (THREE, "gap_ns", [None, 1234 * US, 40_200 * US]),
    "have the errors of their own stamps": (COARSE, "error_ns", [KERNEL_NS, VIRTUAL_NS]),
    "are as wide as the option where that is wider": (WIDE, "band_ns", [2 * MS, VIRTUAL_NS]),
    "of late presses stand where their stamps say": (EARLIER, "name", ["P3", "P2", "P1"]),
}


@pytest.mark.parametrize(("play", "what", "expected"), ROWS.values(), ids=ROWS)
def test_rows(play: Play, what: str, expected: list[object]) -> None:
    assert [getattr(row, what) for row in found(play).rows] == expected


def test_a_row_says_who_stamped_by_the_seats_button() -> None:
    play = plays.fold(TWO, plays.reseat(TWO, ("P6", "P2"))[0])
    assert [row.source for row in found(play, P6="virtual").rows] == ["kernel", "virtual"]


BEFORE = raced(P[:3], FIRST, SECOND, late=((2, -1, KERNEL_NS),))
MARKED = {
    "clear": (THREE, "P2 first, P1, P3 last"),
    "dead heat": (HEAT, "P2 first, P1 tie, P3 tie"),
    "missing": (TWO_MISSING, "P2 first, P1 missing, P3 missing"),
    "one missing": (MISSING, "P2 first, P1, P3 last missing"),
    "no button": (BENCHED, "P2, P1, P3 benched"),
    "late": (LATE, "P2 first, P1, P3 last late"),
    "late in an earlier race": (BEFORE, "P2 first, P1, P3 last missing"),
}


@pytest.mark.parametrize(("play", "expected"), MARKED.values(), ids=MARKED)
def test_seats_are_marked(play: Play, expected: str) -> None:
    assert ", ".join(" ".join((row.name, *row.marks)) for row in found(play).rows) == expected


WHOLE = {
    "times count from the signal": (TWO, "signal", True),
    "a tie chain joins only who is close": (CHAIN, "ties", ((0, 1), (1, 2))),
    "a coarse stamp ties with all it may hide": (HIDING, "ties", ((0, 1), (0, 2))),
    "the closest are the two at the closer end": (HEAT, "closest", (0, 2)),
    "a late press takes no place": (EARLIER, "first", (1,)),
    "a late press is no tie": (EARLIER, "ties", ()),
}


@pytest.mark.parametrize(("play", "what", "expected"), WHOLE.values(), ids=WHOLE)
def test_the_race_as_a_whole(play: Play, what: str, expected: object) -> None:
    assert getattr(found(play), what) == expected


P2_BEFORE = "P2 before P1 by 1.23 ms (timing error ±0.1 ms)"
P2_FIRST = "P2 first by 1.23 ms (timing error ±0.1 ms)"
VERDICTS = [
    (TWO, P2_FIRST),
    (raced(P[:2], (0, 350_000, 240 * US), (1, 350_240, KERNEL_NS)), "P1 first by 0.24 ms (timing error ±0.24 ms)"),
    (raced(P[:2], *kernel(350_000, 350_040)), "P1 and P2 too close to call: 0.04 ms apart, timing error ±0.1 ms"),
    (THREE, f"{P2_FIRST}. P3 last by 40.20 ms (timing error ±0.1 ms)"),
    (HEAT, f"{P2_FIRST}. P1 and P3 too close to call for last: 0.04 ms apart, timing error ±0.1 ms"),
    (
        raced(P[:3], FIRST, SECOND, THIRD, tie_band=2),
        "P2 and P1 too close to call for first: 1.23 ms apart, tie within 2 ms. P3 last by 40.20 ms (tie within 2 ms)",
    ),
    (CLOSE, "P1, P2 and P3 too close to call for first: 0.04 ms in all, timing error ±0.1 ms"),
    (MISSING, f"{P2_FIRST}. P3 last: did not press"),
    (TWO_MISSING, "P2 first. P1 and P3 did not press"),
    (LATE, f"{P2_FIRST}. P3 last: came in after the verdict, 264.19 ms after P1"),
    (OF_FOUR, f"{P2_FIRST}. P3 did not press. P4 came in after the verdict, 0.04 ms before P2"),
    (BENCHED_OF_FOUR, f"{P2_BEFORE}. P3 did not press. P4 has no working button: the table rules"),
    (raced(P[:4], FIRST, SECOND, THIRD, benched=(3,)), f"{P2_BEFORE}. P4 has no working button: the table rules"),
    (BENCHED, f"{P2_BEFORE}. P3 has no working button: the table rules"),
    (raced(P[:2], FIRST, benched=(0,)), "P2 pressed. P1 has no working button: the table rules"),
    (LATER, "P1 first. P2 last: came in after the verdict, 3.5 s after P1"),
]


@pytest.mark.parametrize(("play", "words"), [pytest.param(p, words, id=words[:60]) for p, words in VERDICTS])
def test_the_verdict_in_words(play: Play, words: str) -> None:
    assert ". ".join(found(play).verdict) == words


@pytest.mark.parametrize(
    ("seen", "words"), [(found(TWO), "kernel ±0.1 ms"), (found(COARSE, P1="virtual"), "kernel ±0.1 ms, virtual ±10 ms")]
)
def test_stamps_in_words(seen: Evidence, words: str) -> None:
    assert race_evidence.stamps(seen.rows) == words


@pytest.mark.parametrize(
    ("error_ns", "shown", "error"),
    [
        (10 * MS, "1,234 ms, 12 ms", "10 ms"),
        (2 * MS, "1,234.5 ms, 12.3 ms", "2 ms"),
        (KERNEL_NS, "1,234.56 ms, 12.34 ms", "0.1 ms"),
        (60 * US, "1,234.567 ms, 12.345 ms", "0.06 ms"),
        (7, "1,234.567 ms, 12.345 ms", "0 ms"),
    ],
)
def test_no_time_has_more_digits_than_its_error_allows(error_ns: int, shown: str, error: str) -> None:
    times = (race_evidence.exact(ns, error_ns) for ns in (1_234_567_890, 12_345_678))
    assert (", ".join(times), race_evidence.bound(error_ns)) == (shown, error)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_wider_than_the_error_is_never_shown_as_narrower(seed: int) -> None:
    chance = Random(seed)
    for _ in range(200):
        error_ns = round(10 ** chance.uniform(3, 8))
        wider, closer = (round(error_ns * chance.uniform(*ends)) for ends in ((1.001, 1.2), (0.8, 1)))
        error, wide, close = (race_evidence.millis(ns, error_ns) for ns in (error_ns, wider, closer))
        assert float(close.replace(",", "")) <= float(error.replace(",", "")) <= float(wide.replace(",", ""))


def test_a_time_between_two_stamps_has_the_digits_of_the_coarser_one() -> None:
    race = found(raced(P[:3], (0, 350_000, VIRTUAL_NS), (1, 380_120, KERNEL_NS), (2, 390_340, KERNEL_NS)))
    assert [race_evidence.gap(race, row) for row in race.rows] == ["", "+30 ms", "+10.22 ms"]
    assert [race_evidence.after(race, row) for row in race.rows] == ["350 ms", "380.12 ms", "390.34 ms"]
    rows = tuple(row._replace(after_ns=(row.after_ns or 0) - 350 * MS) for row in race.rows)
    from_the_first = race._replace(rows=rows, signal=False)
    assert [race_evidence.after(from_the_first, row) for row in rows] == ["0 ms", "30 ms", "40 ms"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", games.names())
def test_the_evidence_of_any_race_lists_each_press_of_it_once(name: str, seed: int) -> None:
    for play in judged(name, seed):
        run = play.board.race
        assert run is not None
        pressed = [row.seat for row in found(play).rows if row.at_ns is not None and "late" not in row.marks]
        assert pressed == [press.seat for press in run.presses]


def test_the_evidence_of_an_extra_round_lists_only_who_plays_it() -> None:
    extra = Table(3).deal(round=12).do("go C A B+0.05 wait last=nobody no next go A wait")
    assert [row.seat for row in found(extra.play).rows] == [0, 1]


def judged(name: str, seed: int) -> Iterator[Play]:
    """A random game wherever it shows a race that is judged."""
    rules = games.rules(name)
    facts = random_game(rules, 4, random_options(rules, Random(seed)), seed).facts
    for play in accumulate(facts[1:], plays.fold, initial=plays.opened(rules, facts[0])):
        run = play.board.race
        if run is not None and run.judged:
            yield play


FLASH = "+P1,P2,P3 3100 -P1,P2,P3 2000"


def test_where_nobody_is_asked_for_an_answer_nobody_was_the_last(rig: Rig) -> None:
    seen = found(rig.do(f"game[kitty_paw 3 last_by_hand=True] {FLASH} P2 300").playing.play)
    assert seen.verdict == ("P2 first",)
    assert [(row.name, row.marks) for row in seen.rows] == [("P2", ("first",))]


def test_what_the_table_has_ruled_stands_in_the_evidence(rig: Rig) -> None:
    rig.do(f"game[kitty_paw 3] {FLASH} +P1,P2 300 -P1,P2 P3 300 turn-1 ok")
    assert "The table: P2 first" in found(rig.playing.play).verdict


def overtaken(rig: Rig, *, ago_ms: int) -> Evidence:
    """P1 calls; a Meow of P2 that was made so long before the caller's comes in 62 ms after it."""
    return found(rig.do(f"game[kitty_paw 3] {FLASH} +P1 62 late[P2 {62 + ago_ms}] 100 P3 300").playing.play)


def test_a_meow_made_earlier_but_delivered_after_the_verdict_is_called_that(rig: Rig) -> None:
    seen = overtaken(rig, ago_ms=15)
    assert seen.verdict[:2] == ("P1 first", "P2 15 ms before: made earlier, delivered after the verdict")
    assert [(row.name, row.marks) for row in seen.rows[:2]] == [("P2", ("overtaken",)), ("P1", ("first",))]
    assert [line for line in seen.verdict if "The table" in line] == []


def test_one_that_would_have_been_a_dead_heat_is_said_to_have_come_after_the_verdict(rig: Rig) -> None:
    assert overtaken(rig, ago_ms=-5).verdict[1] == "P2 too close to call, delivered after the verdict"


NAMES = ("ANNA", "BERT", "CARL", "DORA", "EMIL", "FAYE")
PICTURES = [
    (THREE, "P2 FIRST P3 LAST"),
    (TWO, "P2 by 1.2ms | P2 | 1,234.56ms | +1.2ms | press: back | kernel 0.1ms"),
    (HEAT, "P2 FIRST P1/P3 TIE"),
    (raced(P[:4], FIRST, SECOND), "P2 FIRST P3/P4 LAST?"),
    (raced(P[:2], FIRST, benched=(0,)), "P1/P2 FIRST?"),
    (raced(P[:3], *kernel(738_039, 928_102)), "928.10ms | +190ms"),
    (MISSING, "did not press"),
    (BENCHED, "no button"),
    (LATE, "late"),
    (raced(P[:2], FIRST, (0, 1_270_000, VIRTUAL_NS)), "~1,270ms"),
    (raced(P, *kernel(*range(1_000_000, 1_000_060, 10))), "P1/P2/P3/P4/P5/P6 TIE"),
    (raced(NAMES, *kernel(*range(123_456_789, 123_556_790, 20_000))), "FAYE | 123,556.78 | +20ms"),
]


@pytest.mark.parametrize(("play", "texts"), [pytest.param(p, text, id=text) for p, text in PICTURES])
def test_the_display_reads(play: Play, texts: str) -> None:
    assert set(texts.split(" | ")) <= set(reading.lines(draw(found(play))))


FLIPPED = "game[pack_and_stack 3] P1 ok 4000 P2"  # the trucks are up, and P2 has grabbed


def test_after_a_race_one_step_of_the_arrows_shows_it_and_before_there_is_none_to_show(rig: Rig) -> None:
    rows = rig.do(f"{FLIPPED} ok! turn-1").rows
    assert "Fix points" in rows and "Evidence" not in rows
    assert {"P2 FIRST P3 LAST", "OK: back"} <= rig.do("ok! 300 P1 300 turn+1").pieces


def test_listeners_are_notified_at_the_verdict_and_at_the_next_race(rig: Rig) -> None:
    told: list[TableNews] = []
    rig.app.follow(told.append, "evidence")
    rig.do(f"{FLIPPED} 300 P1 300 ok 100 ok! ok*10")
    races = [news.get("evidence") for news in told]
    assert [race and race["verdict"][1] for race in races] == [None, "P3 last: did not press", None]


def written(folder: Path, boot: str = "boot-1") -> Journal:
    """A journal to write to."""
    return Journal(folder / "luckypaw" / "journal.db", boot, lambda _: None, lambda _: None, threaded=False)


def keep(folder: Path, *, edges: bool = True) -> Path:
    """A journal with one game: a race that was undone, the one that stands, and a late press."""
    facts = races.facts(P[:3], FIRST, SECOND, late=((2, 1_500_000, KERNEL_NS),))
    play = plays.replay(races.RULES, facts)
    more = list(plays.undo(play, GO_NS + 70 * races.S))
    again = plays.fold(play, more[0])
    for action in (
        Action(None, "deal", None, GO_NS + 71 * races.S),
        Action(None, "go", None, GO_NS + 80 * races.S),
        Action(0, "grab", None, GO_NS + 81 * races.S, KERNEL_NS),
        Action(2, "grab", None, GO_NS + 82 * races.S, KERNEL_NS),
        Action(None, "settle", None, GO_NS + 82 * races.S + 50 * MS),
    ):
        caused = plays.answer(again, action)
        more += caused
        for fact in caused:
            again = plays.fold(again, fact)
    with closing(written(folder)) as journal:
        for seat, after_us, _ in (FIRST, SECOND, (2, 1_500_000, 0)) if edges else ():
            journal.write_edge(Edge(P[seat], True, GO_NS + after_us * US, "kernel"))
            journal.write_edge(Edge(P[seat], False, GO_NS + after_us * US, "callback"))
        journal.write(journal.begin_game("pack_and_stack"), [*facts, *more])
    return folder


def of_journal(folder: Path) -> tuple[finishes.Finish, ...]:
    with closing(History(folder / "luckypaw" / "journal.db")) as history:
        row = history.games()[0]
        return finishes.finishes(history, row, history.replay(row.game, races.RULES))


def test_the_journal_knows_all_races_of_a_game_which_were_undone_and_who_stamped(tmp_path: Path) -> None:
    first, again = of_journal(keep(tmp_path))
    verdicts = [(finish.evidence.verdict[0][:8], finish.undone) for finish in (first, again)]
    assert verdicts == [("P2 first", True), ("P1 first", False)]
    assert [(row.name, row.source) for row in first.evidence.rows] == [(name, "kernel") for name in ("P2", "P1", "P3")]


def in_journal(rig: Rig, folder: Path) -> tuple[finishes.Finish, ...]:
    with closing(History(folder / "journal.db")) as history:
        [row] = history.games()
        found = finishes.finishes(history, row, history.replay(row.game, games.rules(row.name)))
    rig.close()
    return found


def test_a_race_that_the_table_ruled_after_a_power_cut_is_one_race_with_its_own_stamps(tmp_path: Path) -> None:
    rig = Rig(tmp_path).do(f"game[kitty_paw 3] {FLASH} +P1,P2 300 -P1,P2")
    before = found(rig.playing.play)
    [finish] = in_journal(rig.do("reboot ok turn-1 ok 100 P3 300"), tmp_path)
    assert not finish.undone and "The table: P2 first" in finish.evidence.verdict
    pressed = [(one.at_ns, one.source) for one in finish.evidence.rows if one.at_ns is not None]
    assert pressed == [(one.at_ns, "virtual") for one in before.rows if one.at_ns is not None]


def test_of_two_races_that_the_same_press_alone_ended_each_has_its_own_late_ones(tmp_path: Path) -> None:
    alone = "P1 300 ok 100"
    rig = Rig(tmp_path).do(f"game[kitty_paw 3] {FLASH} {alone} P3 300 undo 300 {alone} P2 300")
    races = in_journal(rig, tmp_path)
    late = [[(row.name, row.source) for row in one.evidence.rows if "late" in row.marks] for one in races]
    assert late == [[("P3", "virtual")], [("P2", "virtual")]]
    assert [one.undone for one in races] == [True, False]


@pytest.mark.parametrize(
    ("then", "undone"),
    [("ok turn+1 ok reboot ok", False), ("ok turn+1 ok*2 300 reboot ok", False), ("reboot ok undo 300", True)],
)
def test_a_race_stands_also_after_a_power_cut_until_it_is_taken_back(tmp_path: Path, then: str, undone: bool) -> None:
    rig = Rig(tmp_path).do(f"game[kitty_paw 3] {FLASH} P1 300 P2 300 {then}")
    assert [one.undone for one in in_journal(rig, tmp_path)] == [undone]


def test_who_stamped_is_unknown_without_raw_edges_of_the_same_run(tmp_path: Path) -> None:
    keep(tmp_path, edges=False)
    with closing(written(tmp_path, "boot-2")) as later:
        later.write_edge(Edge("P2", True, GO_NS + 1_234_567 * US, "kernel"))
    assert {row.source for row in of_journal(tmp_path)[0].evidence.rows} == {"unknown"}


SHEET = """\
round 1, undone: P2 first by 1.23 ms (timing error ±0.1 ms). \
P3 last: came in after the verdict, 264.19 ms after P1.
      after the signal            gap  timing error  timed by
P2         1,234.56 ms                      ±0.1 ms  kernel      first"""


def test_history_evidence_is_a_table_for_people_and_an_object_for_programs(tmp_path: Path) -> None:
    ran, for_programs = (Ran(("history", "evidence", "1", *more), keep(tmp_path)) for more in ((), ("--json",)))
    assert (ran.status, ran.lines[2:5]) == (0, SHEET.splitlines())
    race, times = json.loads(for_programs.out)["races"][0], {"after_ns": 1_235_801 * US, "gap_ns": 1234 * US}
    bands = {"error_ns": KERNEL_NS, "band_ns": KERNEL_NS, "source": "kernel", "marks": [], "notes": ""}
    row = {"seat": 0, "button": 0, "name": "P1", "at_ns": GO_NS + 1_235_801 * US, **times, **bands}
    assert (race["undone"], race["rows"][1]) == (True, row)


def test_history_evidence_of_a_game_without_a_race_says_so(tmp_path: Path) -> None:
    with closing(written(tmp_path)) as journal:
        journal.write(journal.begin_game("pack_and_stack"), races.facts(P[:2], FIRST, SECOND)[:1])
    assert Ran(("history", "evidence", "1"), tmp_path).lines[-1] == "no race was judged"
