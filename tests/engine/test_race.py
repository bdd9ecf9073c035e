"""The referee: who was first, who was last, and what is too close to call, whatever the order of arrival."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import race
from engine.race import DEAD_NS, JUMP_NS, SETTLE_NS, Race
from engine.rules import BENCH, Offer, Press, Seat
from engine.stamps import MS
from tests.engine.table import rows

A, B, C, D = range(4)
Line = tuple[int, ...]  # button, time, error, by how much it may have been earlier

WIDE = st.integers(0, 300)
STAMPS = st.integers(-1000, 1000)


def run(*lines: Line, seats: tuple[int, ...] = (A, B, C), go_ns: int | None = None) -> Race:
    return Race(seats, go_ns, tuple(Press(*line) for line in lines))


@st.composite
def races(draw: st.DrawFn) -> Race:
    """Two to six seats; stamps and errors so small that every kind of tie comes up."""
    seats = tuple(range(draw(st.integers(2, 6))))
    pressed = draw(st.permutations(seats))[: draw(st.integers(0, len(seats)))]
    return Race(seats, None, tuple(Press(seat, draw(STAMPS), draw(WIDE)) for seat in pressed))


FIRST: list[tuple[str, list[Line], int, tuple[int, ...]]] = [
    ("nobody pressed", [], 0, ()),
    ("one press", [(B, 500, 100)], 0, (B,)),
    ("by stamp, not by arrival", [(B, 900, 100), (A, 500, 100)], 0, (A,)),
    ("one ns inside the band", [(A, 0, 100), (B, 99, 100)], 0, (A, B)),
    ("exactly at the band is no tie", [(A, 0, 100), (B, 100, 100)], 0, (A,)),
    ("the later arrival of a tie is not favoured", [(B, 99, 100), (A, 0, 100)], 0, (A, B)),
    ("a low seat is not favoured", [(C, 0, 100), (A, 50, 100)], 0, (A, C)),
    ("three at once", [(A, 0, 100), (B, 10, 100), (C, 20, 100)], 0, (A, B, C)),
    ("chain: the third is not close to the earliest", [(A, 0, 100), (B, 60, 100), (C, 120, 100)], 0, (A, B)),
    ("chain arriving backwards", [(C, 120, 100), (B, 60, 100), (A, 0, 100)], 0, (A, B)),
    ("the coarser stamp decides", [(A, 0, 10), (B, 500, 1000)], 0, (A, B)),
    ("the coarser stamp may be the earlier", [(A, 0, 1000), (B, 500, 10)], 0, (A, B)),
    ("a coarse third press does not blur the first two", [(A, 0, 10), (B, 500, 10), (C, 5000, 1000)], 0, (A,)),
    ("equal stamps tie even without any error", [(B, 7, 0), (A, 7, 0)], 0, (A, B)),
    ("of equal stamps the coarser one counts", [(A, 0, 10), (B, 0, 100), (C, 50, 10)], 0, (A, B, C)),
    ("of equal stamps the coarser one counts, arriving first", [(B, 0, 100), (A, 0, 10), (C, 50, 10)], 0, (A, B, C)),
    ("widened", [(A, 0, 10), (B, 500, 10)], 501, (A, B)),
    ("exactly at the widened band is no tie", [(A, 0, 10), (B, 500, 10)], 500, (A,)),
    ("widening never narrows", [(A, 0, 1000), (B, 500, 10)], 1, (A, B)),
    ("a later one that may have been earlier", [(A, 0, 100), (B, 500, 100, 401)], 0, (A, B)),
    ("not by so much", [(A, 0, 100), (B, 500, 100, 400)], 0, (A,)),
    ("the earlier one was never later", [(A, 0, 100, 900), (B, 500, 100)], 0, (A,)),
    ("only who may have been the first", [(A, 0, 9, 900), (B, 500, 9, 900), (C, 300, 9)], 0, (A, B)),
]


@pytest.mark.parametrize(("lines", "widen", "verdict"), rows(FIRST))
def test_first(lines: list[Line], widen: int, verdict: tuple[int, ...]) -> None:
    assert race.first(run(*lines), widen) == verdict


LAST: list[tuple[str, list[Line], int, tuple[int, ...]]] = [
    ("nobody pressed: all are missing", [], 0, (A, B, C)),
    ("two are missing", [(B, 0, 100)], 0, (A, C)),
    ("one is missing", [(B, 0, 100), (A, 900, 100)], 0, (C,)),
    ("a missing seat is last however close the others", [(A, 0, 100), (B, 1, 100)], 0, (C,)),
    ("by stamp, not by arrival", [(C, 900, 100), (B, 500, 100), (A, 0, 100)], 0, (C,)),
    ("one ns inside the band", [(A, 0, 100), (B, 500, 100), (C, 599, 100)], 0, (B, C)),
    ("exactly at the band is no tie", [(A, 0, 100), (B, 500, 100), (C, 600, 100)], 0, (C,)),
    ("chain: the first is not close to the latest", [(A, 0, 100), (B, 60, 100), (C, 120, 100)], 0, (B, C)),
    ("chain arriving backwards", [(C, 120, 100), (B, 60, 100), (A, 0, 100)], 0, (B, C)),
    ("all at once", [(A, 0, 100), (B, 10, 100), (C, 20, 100)], 0, (A, B, C)),
    ("the coarser stamp decides", [(A, 0, 10), (B, 500, 1000), (C, 900, 10)], 0, (B, C)),
    ("equal stamps tie even without any error", [(A, 0, 0), (C, 7, 0), (B, 7, 0)], 0, (B, C)),
    ("of equal stamps the coarser one counts", [(C, 50, 10), (B, 50, 100), (A, 0, 10)], 0, (A, B, C)),
    ("widened", [(A, 0, 10), (B, 400, 10), (C, 900, 10)], 501, (B, C)),
    ("the latest may have been earlier", [(A, 0, 100), (B, 500, 100), (C, 900, 100, 301)], 0, (B, C)),
    ("not by so much", [(A, 0, 100), (B, 500, 100), (C, 900, 100, 300)], 0, (C,)),
    ("the one before it was never later", [(A, 0, 100), (B, 500, 100, 400), (C, 900, 100)], 0, (C,)),
    ("each may have been the last", [(A, 0, 9, 900), (B, 800, 9, 900), (C, 900, 9, 900)], 0, (A, B, C)),
]


@pytest.mark.parametrize(("lines", "widen", "verdict"), rows(LAST))
def test_last(lines: list[Line], widen: int, verdict: tuple[int, ...]) -> None:
    assert race.last(run(*lines), widen) == verdict


EARLY = st.integers(0, 1000)


@given(st.lists(st.tuples(STAMPS, EARLY, EARLY), min_size=2, max_size=6))
def test_who_was_first_and_last_is_among_them_wherever_the_contacts_closed(drawn: list[tuple[int, int, int]]) -> None:
    closed = [at_ns - early_ns * part // 1000 for at_ns, early_ns, part in drawn]
    ran = run(*((seat, at, 1, early) for seat, (at, early, _) in enumerate(drawn)), seats=tuple(range(len(drawn))))
    assert closed.index(min(closed)) in race.first(ran)
    assert len(closed) - 1 - closed[::-1].index(max(closed)) in race.last(ran)


@given(st.lists(st.tuples(STAMPS, EARLY), min_size=2, max_size=6))
def test_each_of_them_may_have_been_it(drawn: list[tuple[int, int]]) -> None:
    ran = run(*((seat, at, 1, early) for seat, (at, early) in enumerate(drawn)), seats=tuple(range(len(drawn))))
    for seat in race.first(ran):
        others = [at for other, (at, _) in enumerate(drawn) if other != seat]
        assert drawn[seat][0] - drawn[seat][1] <= min(others)
    for seat in race.last(ran):
        others = [at - early for other, (at, early) in enumerate(drawn) if other != seat]
        assert drawn[seat][0] >= max(others)


@given(races(), WIDE)
def test_the_earliest_press_is_always_among_the_first(r: Race, widen: int) -> None:
    earliest = {p.seat for p in r.presses if p.at_ns == min(q.at_ns for q in r.presses)}
    assert earliest <= set(race.first(r, widen))


FIRST_DUE: list[tuple[str, list[Line], int | None]] = [
    ("nobody pressed", [], None),
    ("after the only press", [(B, 7, 1)], 7 + SETTLE_NS),
    ("after the earliest, not the first to arrive", [(B, 9, 1), (A, 7, 1)], 7 + SETTLE_NS),
    ("an error as long as the settling time lies within it", [(B, 7, SETTLE_NS)], 7 + SETTLE_NS),
    ("a larger one is waited for", [(B, 7, SETTLE_NS + 1)], 8 + 2 * SETTLE_NS),
    ("of two with one stamp the larger", [(A, 7, 1), (B, 7, 4 * SETTLE_NS)], 7 + 5 * SETTLE_NS),
    ("but no later one's", [(A, 7, 1), (B, 9, 4 * SETTLE_NS)], 7 + SETTLE_NS),
]


@pytest.mark.parametrize(("lines", "due_ns"), rows(FIRST_DUE))
def test_first_is_due_the_settling_time_after_the_earliest_press(lines: list[Line], due_ns: int | None) -> None:
    assert race.first_due_ns(run(*lines)) == due_ns


LAST_DUE: list[tuple[str, list[Line], int | None]] = [
    ("nobody pressed", [], None),
    ("two still out", [(B, 7, 1)], None),
    ("one still out", [(B, 7, 1), (A, 9, 1)], 9 + SETTLE_NS),
    ("one still out, arriving backwards", [(A, 9, 1), (B, 7, 1)], 9 + SETTLE_NS),
    ("all pressed: still after the second", [(C, 30, 1), (B, 7, 1), (A, 9, 1)], 9 + SETTLE_NS),
    ("an error before it is waited for, too", [(B, 7, 4 * SETTLE_NS), (A, 9, 1)], 7 + 5 * SETTLE_NS),
    ("all pressed: no matter how coarse the third", [(B, 7, 1), (A, 9, 1), (C, 30, 9 * SETTLE_NS)], 9 + SETTLE_NS),
]


@pytest.mark.parametrize(("lines", "due_ns"), rows(LAST_DUE))
def test_last_is_due_the_settling_time_after_all_but_one_have_pressed(lines: list[Line], due_ns: int | None) -> None:
    assert race.last_due_ns(run(*lines)) == due_ns


def test_a_dead_heat_of_coarse_stamps_is_seen_however_late_the_second_comes() -> None:
    second = Press(A, 100 * MS, 200 * MS)
    first = run((B, 0, 200 * MS), seats=(A, B))
    due_ns = race.first_due_ns(first)
    assert due_ns is not None and second.at_ns < due_ns
    assert race.first(race.add(first, second)) == (A, B)


def test_one_runner_alone_has_no_last() -> None:
    assert race.last_due_ns(run((A, 0, 1), seats=(A,))) is None


def test_a_widened_band_is_waited_for_on_top_of_the_settling_time() -> None:
    both = run((B, 7, 1), (A, 9, 1))
    assert (race.first_due_ns(both, 200), race.last_due_ns(both, 200)) == (207 + SETTLE_NS, 209 + SETTLE_NS)


BENCHED: list[tuple[str, list[Line], tuple[int, ...], tuple[int, ...], int | None]] = [
    ("nobody has pressed", [], (C,), (A, B, C), None),
    ("one runner is still out", [(B, 7, 1)], (B, C), (A, C), 7),
    ("all runners have pressed", [(B, 7, 1), (A, 900, 1)], (B, C), (A, C), 7),
    ("the runners tie", [(A, 7, 5), (B, 9, 5)], (A, B, C), (A, B, C), 7),
]


@pytest.mark.parametrize(("lines", "first", "last", "due_ns"), rows(BENCHED))
def test_a_benched_seat_is_always_in_doubt_and_never_waited_for(
    lines: list[Line], first: tuple[int, ...], last: tuple[int, ...], due_ns: int | None
) -> None:
    benched = race.bench(run(*lines), C)
    assert (race.first(benched), race.last(benched)) == (first, last)
    assert race.last_due_ns(benched) == (None if due_ns is None else due_ns + SETTLE_NS)


def test_a_runner_alone_among_benched_seats_is_waited_for() -> None:
    benched = race.bench(race.bench(run(), A), C)
    assert (race.last_due_ns(benched), race.last_due_ns(race.add(benched, Press(B, 7, 1)))) == (None, 7 + SETTLE_NS)


def test_a_benched_seat_is_not_asked() -> None:
    asked = race.offers(race.bench(run(), B), "meow", "settle", None)
    assert [offer.seat for offer in asked if offer.verb == "meow"] == [A, C]


def test_a_benched_seat_stays_benched_when_the_race_is_run_again() -> None:
    assert race.again(race.bench(run((A, 7, 1)), C)) == race.bench(run(), C)


def test_last_but_for_the_benched_seat_is_not_in_doubt() -> None:
    benched = race.bench(run((A, 7, 1)), C)
    assert (race.last(benched), race.last(benched, but=(C,))) == ((B, C), (B,))


GO = 10_000_000_000
JUDGE: list[tuple[str, int | None, int, str]] = [
    ("long before the go", GO, GO - 5_000_000_000, "jumped"),
    ("one ns before the go", GO, GO - 1, "jumped"),
    ("at the go", GO, GO, "jumped"),
    ("one ns less than 100 ms after", GO, GO + JUMP_NS - 1, "jumped"),
    ("100 ms after", GO, GO + JUMP_NS, "good"),
    ("long after", GO, GO + 5_000_000_000, "good"),
    ("no go-signal takes every press", None, 0, "good"),
]


@pytest.mark.parametrize(("go_ns", "at_ns", "worth"), rows(JUDGE))
def test_a_press_up_to_100_ms_after_the_go_is_a_jumped_start(go_ns: int | None, at_ns: int, worth: str) -> None:
    assert race.judge(run(go_ns=go_ns), Press(A, at_ns, 1)) == worth


DEAD: list[tuple[str, int, int, str]] = [
    ("at the jump", A, 0, "dead"),
    ("one ns less than 250 ms after", A, DEAD_NS - 1, "dead"),
    ("250 ms after", A, DEAD_NS, "good"),
    ("another seat", B, DEAD_NS - 1, "good"),
]


@pytest.mark.parametrize(("seat", "after_ns", "worth"), rows(DEAD))
def test_a_button_is_dead_for_250_ms_after_its_jump(seat: int, after_ns: int, worth: str) -> None:
    jumped_ns = GO + JUMP_NS - 1  # so late that it alone decides
    r = race.jump(run(go_ns=GO), Press(A, jumped_ns, 1))
    assert race.judge(r, Press(seat, jumped_ns + after_ns, 1)) == worth


def test_a_press_while_dead_does_not_prolong_it() -> None:
    r = race.jump(run(go_ns=GO), Press(A, GO + 1, 1))
    assert [race.judge(r, Press(A, GO + 1 + n, 1)) for n in (DEAD_NS - 2, DEAD_NS)] == ["dead", "good"]


def test_a_jump_is_no_press() -> None:
    assert race.jump(run(go_ns=GO), Press(A, GO + 1, 1)).presses == ()


def test_order_is_by_stamp() -> None:
    assert [p.seat for p in race.order(run((C, 30, 1), (A, 20, 1), (B, 10, 1)))] == [B, A, C]


def test_missing_is_who_has_not_pressed() -> None:
    assert race.missing(run((B, 5, 1))) == (A, C)


def test_a_press_taken_back_runs_again() -> None:
    assert race.take_back(race.add(run((B, 5, 1)), Press(C, 9, 1)), C) == run((B, 5, 1))


@pytest.mark.parametrize("seat", [A, B, C])
@pytest.mark.parametrize("lines", [((B, 5, 1),), ((B, 5, 1), (C, 9, 1)), ((A, 9, 5), (C, 9, 1), (B, 11, 3)), ()])
def test_last_but_for_a_seat_is_as_if_it_neither_ran_nor_pressed(lines: tuple[Line, ...], seat: Seat) -> None:
    besides = run(*[line for line in lines if line[0] != seat], seats=race.others((A, B, C), (seat,)))
    assert race.last(run(*lines), 0, (seat,)) == race.last(besides)


@pytest.mark.parametrize(("band", "ns"), [("kit", 0), (1, 1_000_000), (250, 250_000_000)])
def test_tie_band_is_the_kits_own_or_a_number_of_ms(band: int | str, ns: int) -> None:
    assert race.widened(band) == ns


def test_a_race_asks_who_is_out_lets_who_has_pressed_take_it_back_by_a_hold_and_settles_once_it_can() -> None:
    assert race.offers(run((B, 5, 1)), "meow", "settle", 77) == (
        Offer(A, "meow", race=True, joins=True),
        Offer(C, "meow", race=True, joins=True),
        Offer(None, BENCH, options=(A, C), joins=True, menu=True),  # by the kit
        Offer(B, "take_back", joins=True, hold=True),
        Offer(None, "settle", due_ns=77, race=True, joins=True),
    )
    assert "settle" not in [offer.verb for offer in race.offers(run((B, 5, 1)), "meow", "settle", None)]
