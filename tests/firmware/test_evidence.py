"""The evidence of a race: rows, bands and words; on the display, at the table, and from the journal."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine import games
from engine import play as plays
from engine.play import Play
from engine.rules import Action
from firmware import evidence
from firmware.evidence import Evidence, Mark
from firmware.journal import races as finishes
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.screens.evidence import draw
from hardware.buttons import Edge, Source
from tests.engine.paw_table import Table
from tests.firmware import races
from tests.firmware.command import Ran
from tests.firmware.races import GO_NS, KERNEL_NS, MS, US, VIRTUAL_NS, raced
from tests.simulators import reading
from tests.simulators.players import random_game, random_options
from tests.simulators.rig import Rig, flash

P = ("P1", "P2", "P3", "P4", "P5", "P6")
FIRST, SECOND, THIRD = (1, 1_234_567, KERNEL_NS), (0, 1_235_801, KERNEL_NS), (2, 1_276_001, KERNEL_NS)
DEAD_HEAT = (2, 1_235_841, KERNEL_NS)


def found(play: Play, **sources: Source) -> Evidence:
    """The evidence; who is not named has kernel stamps."""
    known = evidence.of(play, {**dict.fromkeys(play.players, "kernel"), **sources})
    assert known is not None
    return known


def marks(play: Play) -> dict[str, tuple[Mark, ...]]:
    """What is said of each player."""
    return {row.name: row.marks for row in found(play).rows}


# --- rows ------------------------------------------------------------------------------------------------------------


def test_rows_stand_in_the_order_of_the_stamps() -> None:
    assert [row.name for row in found(raced(P[:3], SECOND, FIRST, THIRD)).rows] == ["P2", "P1", "P3"]


def test_a_row_has_the_stamp_of_the_press() -> None:
    assert found(raced(P[:2], FIRST, SECOND)).rows[0].at_ns == GO_NS + 1_234_567 * US


def test_times_count_from_the_go_signal() -> None:
    seen = found(raced(P[:2], FIRST, SECOND))
    assert (seen.signal, [row.after_ns for row in seen.rows]) == (True, [1_234_567 * US, 1_235_801 * US])


def test_a_gap_is_that_to_the_press_before() -> None:
    assert [row.gap_ns for row in found(raced(P[:3], FIRST, SECOND, THIRD)).rows] == [None, 1234 * US, 40_200 * US]


def test_a_row_has_the_error_of_its_own_stamp() -> None:
    coarse = (0, 1_235_801, VIRTUAL_NS)
    assert [row.error_ns for row in found(raced(P[:2], FIRST, coarse)).rows] == [KERNEL_NS, VIRTUAL_NS]


def test_the_option_widens_the_bands_it_is_wider_than() -> None:
    seen = found(raced(P[:2], FIRST, (0, 1_235_801, VIRTUAL_NS), tie_band=2))
    assert [row.band_ns for row in seen.rows] == [2 * MS, VIRTUAL_NS]


def test_a_row_says_who_stamped() -> None:
    seen = found(raced(P[:2], FIRST, SECOND), P1="callback")
    assert [row.source for row in seen.rows] == ["kernel", "callback"]


def test_who_stamped_goes_by_the_seats_button() -> None:
    play = raced(P[:2], FIRST, SECOND)
    play = plays.fold(play, plays.reseat(play, ("P6", "P2"))[0])
    assert found(play, P6="virtual").rows[1].source == "virtual"


def test_a_source_that_nobody_knows_is_unknown() -> None:
    seen = evidence.of(raced(P[:2], FIRST, SECOND), {})
    assert seen is not None
    assert seen.rows[0].source == "unknown"


# --- marks -----------------------------------------------------------------------------------------------------------

MARKED: list[tuple[str, Play, dict[str, tuple[Mark, ...]]]] = [
    ("clear", raced(P[:3], FIRST, SECOND, THIRD), {"P2": ("first",), "P1": (), "P3": ("last",)}),
    ("dead heat", raced(P[:3], FIRST, SECOND, DEAD_HEAT), {"P2": ("first",), "P1": ("tie",), "P3": ("tie",)}),
    ("missing", raced(P[:3], FIRST), {"P2": ("first",), "P1": ("missing",), "P3": ("missing",)}),
    ("one missing", raced(P[:3], FIRST, SECOND), {"P2": ("first",), "P1": (), "P3": ("last", "missing")}),
    (
        "no button",
        raced(P[:3], FIRST, SECOND, benched=(2,)),
        {"P2": (), "P1": (), "P3": ("benched",)},
    ),
    (
        "late",
        raced(P[:3], FIRST, SECOND, late=((2, 1_500_000, KERNEL_NS),)),
        {"P2": ("first",), "P1": (), "P3": ("last", "late")},
    ),
]


@pytest.mark.parametrize(("play", "expected"), [pytest.param(p, e, id=name) for name, p, e in MARKED])
def test_seats_are_marked(play: Play, expected: dict[str, tuple[Mark, ...]]) -> None:
    assert marks(play) == expected


def test_a_tie_chain_joins_only_who_is_close() -> None:
    chain = raced(P[:3], *((seat, 350_000 + 60 * seat, KERNEL_NS) for seat in range(3)))
    assert found(chain).ties == ((0, 1), (1, 2))


def test_a_coarse_stamp_ties_with_all_it_may_hide() -> None:
    seen = found(raced(P[:3], (0, 350_000, VIRTUAL_NS), (1, 352_000, KERNEL_NS), (2, 354_000, KERNEL_NS)))
    assert seen.ties == ((0, 1), (0, 2))


def test_the_closest_are_the_two_at_the_closer_end() -> None:
    assert found(raced(P[:3], FIRST, SECOND, DEAD_HEAT)).closest == (0, 2)


def test_a_late_press_stands_where_its_stamp_says() -> None:
    play = raced(P[:3], FIRST, SECOND, late=((2, 1_234_560, KERNEL_NS),))
    assert [row.name for row in found(play).rows] == ["P3", "P2", "P1"]


def test_a_late_press_takes_no_place() -> None:
    play = raced(P[:3], FIRST, SECOND, late=((2, 1_234_560, KERNEL_NS),))
    assert found(play).first == (1,)


def test_a_late_press_is_no_tie() -> None:
    play = raced(P[:3], FIRST, SECOND, late=((2, 1_234_560, KERNEL_NS),))
    assert found(play).ties == ()


def test_a_late_press_of_an_earlier_race_is_not_shown() -> None:
    play = raced(P[:3], FIRST, SECOND, late=((2, -1, KERNEL_NS),))
    assert found(play).rows[-1].marks == ("last", "missing")


# --- words -----------------------------------------------------------------------------------------------------------

VERDICTS = [
    (raced(P[:2], FIRST, SECOND), "P2 first by 1.2 ms (1,234 µs; band 100 µs)"),
    (
        raced(P[:2], (0, 350_000, 240 * US), (1, 350_240, KERNEL_NS)),
        "P1 first by 240 µs (band 240 µs)",
    ),
    (
        raced(P[:2], (0, 350_000, KERNEL_NS), (1, 350_040, KERNEL_NS)),
        "P1 and P2 too close to call: 40 µs apart, band 100 µs",
    ),
    (
        raced(P[:3], FIRST, SECOND, THIRD),
        "P2 first by 1.2 ms (1,234 µs; band 100 µs). P3 last by 40.2 ms (40,200 µs; band 100 µs)",
    ),
    (
        raced(P[:3], FIRST, SECOND, DEAD_HEAT),
        "P2 first by 1.2 ms (1,234 µs; band 100 µs). P1 and P3 too close to call for last: 40 µs apart, band 100 µs",
    ),
    (
        raced(P[:3], FIRST, SECOND, THIRD, tie_band=2),
        "P2 and P1 too close to call for first: 1,234 µs apart, band 2 ms. P3 last by 40.2 ms (40,200 µs; band 2 ms)",
    ),
    (
        raced(P[:3], *((seat, 350_000 + 20 * seat, KERNEL_NS) for seat in range(3))),
        "P1, P2 and P3 too close to call for first: 40 µs in all, band 100 µs",
    ),
    (raced(P[:3], FIRST, SECOND), "P2 first by 1.2 ms (1,234 µs; band 100 µs). P3 last: did not press"),
    (raced(P[:3], FIRST), "P2 first. P1 and P3 did not press"),
    (
        raced(P[:3], FIRST, SECOND, late=((2, 1_500_000, KERNEL_NS),)),
        (
            "P2 first by 1.2 ms (1,234 µs; band 100 µs). "
            "P3 last: came in after the verdict, 264 ms (264,199 µs) after P1"
        ),
    ),
    (
        raced(P[:4], FIRST, SECOND, late=((3, 1_234_527, KERNEL_NS),)),
        "P2 first by 1.2 ms (1,234 µs; band 100 µs). P3 did not press. P4 came in after the verdict, 40 µs before P2",
    ),
    (
        raced(P[:3], FIRST, SECOND, benched=(2,)),
        "P2 before P1 by 1.2 ms (1,234 µs; band 100 µs). P3 has no working button: the table rules",
    ),
    (raced(P[:2], FIRST, benched=(0,)), "P2 pressed. P1 has no working button: the table rules"),
    (
        raced(P[:2], (0, 1_000_000, KERNEL_NS), late=((1, 4_500_000, KERNEL_NS),)),
        "P1 first. P2 last: came in after the verdict, 3.5 s (3,500,000 µs) after P1",
    ),
]


@pytest.mark.parametrize(("play", "said"), [pytest.param(p, said, id=said[:60]) for p, said in VERDICTS])
def test_the_verdict_in_words(play: Play, said: str) -> None:
    assert ". ".join(found(play).verdict) == said


def test_stamps_of_one_kind_in_words() -> None:
    assert evidence.stamps(found(raced(P[:2], FIRST, SECOND)).rows) == "kernel ±100 µs"


def test_stamps_of_two_kinds_in_words() -> None:
    seen = found(raced(P[:2], FIRST, (0, 1_235_801, VIRTUAL_NS)), P1="virtual")
    assert evidence.stamps(seen.rows) == "kernel ±100 µs, virtual ±10 ms"


# --- any game, any race ----------------------------------------------------------------------------------------------


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
    from random import Random

    rules = games.rules(name)
    facts = random_game(rules, 4, random_options(rules, Random(seed)), seed).facts
    play = plays.opened(rules, facts[0])
    for fact in facts[1:]:
        play = plays.fold(play, fact)
        run = play.board.race
        if run is not None and run.judged:
            yield play


def test_where_nobody_is_asked_for_an_answer_nobody_was_the_last(rig: Rig) -> None:
    rig.begin("Kitty Paw", *P[:3], last_by_hand=True)
    flash(rig).tap("P2").after(300)
    assert found(rig.playing.play).verdict == ("P2 first",)
    assert [(row.name, row.marks) for row in found(rig.playing.play).rows] == [("P2", ("first",))]


def test_what_the_table_has_ruled_stands_in_the_evidence(rig: Rig) -> None:
    rig.begin("Kitty Paw", *P[:3])
    flash(rig).down("P1", "P2").after(300).up("P1", "P2").tap("P3").after(300)
    assert "the table: P2 first" in found(rig.arrow(-1).ok().playing.play).verdict


def overtaken(rig: Rig, *, ago_ms: float) -> Evidence:
    """P1 calls; a Meow of P2 that was made so long before the caller's comes in 62 ms after it."""
    flash(rig.begin("Kitty Paw", *P[:3])).down("P1")
    made_ns = rig.now_ns - round(ago_ms * 1_000_000)
    rig.after(62).app.post(Edge("P2", True, made_ns))
    return found(rig.after(100).tap("P3").after(300).playing.play)


def test_a_meow_made_earlier_but_delivered_after_the_verdict_is_called_that(rig: Rig) -> None:
    said = "P2 15,000 µs before: made earlier, delivered after the verdict"
    assert overtaken(rig, ago_ms=15).verdict[:2] == ("P1 first", said)


def test_so_is_its_row(rig: Rig) -> None:
    rows = overtaken(rig, ago_ms=15).rows
    assert [(row.name, row.marks) for row in rows[:2]] == [("P2", ("overtaken",)), ("P1", ("first",))]


def test_one_that_would_have_been_a_dead_heat_is_said_to_have_come_after_the_verdict(rig: Rig) -> None:
    assert overtaken(rig, ago_ms=-5).verdict[1] == "P2 too close to call, delivered after the verdict"


def test_no_ruling_is_told_where_the_table_has_not_ruled(rig: Rig) -> None:
    assert [line for line in overtaken(rig, ago_ms=15).verdict if "the table" in line] == []


# --- on the display --------------------------------------------------------------------------------------------------

PICTURES = [
    (raced(P[:3], FIRST, SECOND, THIRD), "P2 FIRST P3 LAST"),
    (raced(P[:2], FIRST, SECOND), "P2 by 1.2ms"),
    (raced(P[:3], FIRST, SECOND, DEAD_HEAT), "P2 FIRST P1/P3 TIE"),
    (raced(P[:4], FIRST, SECOND), "P2 FIRST P3/P4 LAST?"),
    (raced(P[:2], FIRST, benched=(0,)), "P1/P2 FIRST?"),
    (raced(P[:2], FIRST, SECOND), "1,234,567us"),
    (raced(P[:2], FIRST, SECOND), "+1.2ms"),
    (raced(P[:3], (0, 738_039, KERNEL_NS), (1, 928_102, KERNEL_NS)), "928,102us | +190ms"),
    (raced(P[:2], FIRST, SECOND), "press: back | kernel 100us"),
    (raced(P[:3], FIRST, SECOND), "did not press"),
    (raced(P[:3], FIRST, SECOND, benched=(2,)), "no button"),
    (raced(P[:3], FIRST, SECOND, late=((2, 1_500_000, KERNEL_NS),)), "late"),
    (raced(P[:2], FIRST, (0, 1_270_000, VIRTUAL_NS)), "~1,270,000us"),
    (raced(P, *((seat, 1_000_000 + seat * 10, KERNEL_NS) for seat in range(6))), "P1/P2/P3/P4/P5/P6 TIE"),
    (raced(P[:2], FIRST, SECOND), "press: back"),
]


@pytest.mark.parametrize(("play", "text"), [pytest.param(p, text, id=text) for p, text in PICTURES])
def test_the_display_reads(play: Play, text: str) -> None:
    assert text in reading.text(draw(found(play)))


def test_six_long_names_and_long_times_fit() -> None:
    names = ("ANNA", "BERT", "CARL", "DORA", "EMIL", "FAYE")
    picture = draw(found(raced(names, *((seat, 123_456_789 + 20_000 * seat, KERNEL_NS) for seat in range(6)))))
    assert "FAYE | 123,556,789 | +20ms" in reading.text(picture)


# --- at the table ----------------------------------------------------------------------------------------------------


@pytest.fixture
def flipped(rig: Rig) -> Rig:
    """Pack & Stack with three: the trucks are up."""
    return rig.begin("Pack & Stack", *P[:3]).tap("P1").ok().after(4000)


def test_after_a_race_one_step_of_the_arrows_shows_it(flipped: Rig) -> None:
    reads = flipped.tap("P2").after(300).tap("P1").after(300).arrow(1).reads()
    assert "P2 FIRST P3 LAST" in reads


def test_where_a_press_would_answer_only_ok_leads_back(flipped: Rig) -> None:
    reads = flipped.tap("P2").after(300).tap("P1").after(300).arrow(1).reads()
    assert "OK: back" in reads


def test_before_the_verdict_there_is_none_to_show(flipped: Rig) -> None:
    flipped.tap("P2").ok_hold().arrow(-1)
    rows = []
    while flipped.row() not in rows:
        rows.append(flipped.row())
        flipped.arrow(-1)
    assert "Fix points" in rows and "Evidence" not in rows


def test_what_is_told_changes_at_the_verdict_and_with_the_next_race(rig: Rig) -> None:
    told: list[Evidence | None] = []
    rig.app.on_evidence = told.append
    rig.begin("Pack & Stack", *P[:3]).tap("P1").ok().after(4000).tap("P2").after(300).tap("P1").after(300)
    rig.ok().after(100).ok_hold().ok(10)
    assert [None if seen is None else seen.verdict[1] for seen in told] == ["P3 last: did not press", None]


# --- from the journal ------------------------------------------------------------------------------------------------


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
    journal = Journal(folder / "luckypaw" / "journal.db", "boot-1", lambda _: None, lambda _: None, threaded=False)
    if edges:
        for press in (FIRST, SECOND, (2, 1_500_000, 0)):
            journal.write_edge(Edge(P[press[0]], True, GO_NS + press[1] * US, "kernel"))
            journal.write_edge(Edge(P[press[0]], False, GO_NS + press[1] * US, "callback"))
    journal.write(journal.begin_game("pack_and_stack"), [*facts, *more])
    journal.close()
    return folder


def of_journal(folder: Path) -> tuple[finishes.Finish, ...]:
    with closing(History(folder / "luckypaw" / "journal.db")) as history:
        return finishes.finishes(history, history.games()[0], races.RULES)


def test_the_journal_knows_all_races_of_a_game(tmp_path: Path) -> None:
    assert [finish.found.verdict[0][:8] for finish in of_journal(keep(tmp_path))] == ["P2 first", "P1 first"]


def test_a_race_that_was_undone_is_marked(tmp_path: Path) -> None:
    assert [finish.undone for finish in of_journal(keep(tmp_path))] == [True, False]


def test_a_late_press_is_kept_with_its_race(tmp_path: Path) -> None:
    assert [row.name for row in of_journal(keep(tmp_path))[0].found.rows] == ["P2", "P1", "P3"]


def test_the_raw_edges_say_who_stamped(tmp_path: Path) -> None:
    assert [row.source for row in of_journal(keep(tmp_path))[0].found.rows] == ["kernel"] * 3


def test_where_the_edges_are_kept_no_more_it_is_unknown(tmp_path: Path) -> None:
    assert {row.source for row in of_journal(keep(tmp_path, edges=False))[0].found.rows} == {"unknown"}


def test_edges_of_another_run_do_not_count(tmp_path: Path) -> None:
    keep(tmp_path, edges=False)
    later = Journal(tmp_path / "luckypaw" / "journal.db", "boot-2", lambda _: None, lambda _: None, threaded=False)
    later.write_edge(Edge("P2", True, GO_NS + 1_234_567 * US, "kernel"))
    later.close()
    assert of_journal(tmp_path)[0].found.rows[0].source == "unknown"


def test_history_evidence_is_a_table_for_people(tmp_path: Path) -> None:
    ran = Ran(("history", "evidence", "1"), keep(tmp_path))
    assert (ran.status, ran.lines[2:5]) == (
        0,
        [
            (
                "round 1, undone: P2 first by 1.2 ms (1,234 µs; band 100 µs). "
                "P3 last: came in after the verdict, 264 ms (264,199 µs) after P1."
            ),
            "      after the signal            gap     band  stamped by",
            "P2        1,234,567 µs                  100 µs  kernel      first",
        ],
    )


def test_history_evidence_is_an_object_for_programs(tmp_path: Path) -> None:
    ran = Ran(("history", "evidence", "1", "--json"), keep(tmp_path))
    race = json.loads(ran.out)["races"][0]
    assert (race["undone"], race["rows"][1]) == (
        True,
        {
            "seat": 0,
            "name": "P1",
            "at_ns": GO_NS + 1_235_801 * US,
            "after_ns": 1_235_801 * US,
            "gap_ns": 1234 * US,
            "error_ns": KERNEL_NS,
            "band_ns": KERNEL_NS,
            "source": "kernel",
            "marks": [],
            "notes": "",
        },
    )


def test_history_evidence_of_a_game_without_a_race_says_so(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "luckypaw" / "journal.db", "boot-1", lambda _: None, lambda _: None, threaded=False)
    journal.write(journal.begin_game("pack_and_stack"), races.facts(P[:2], FIRST, SECOND)[:1])
    journal.close()
    assert Ran(("history", "evidence", "1"), tmp_path).lines[-1] == "no race was judged"


def test_history_evidence_of_a_game_that_is_not_there_says_so(tmp_path: Path) -> None:
    ran = Ran(("history", "evidence", "7"), keep(tmp_path))
    assert (ran.status, ran.err) == (
        1,
        "luckypaw: game 7 is not in the journal; `luckypaw history list` shows those that are\n",
    )
