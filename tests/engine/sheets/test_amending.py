"""Numbers of an earlier round put right: the game is as if they had been entered so from the start."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import play as plays
from engine.rules import Refused, Seat
from engine.sheets import amending
from engine.sheets.reading import read
from engine.sheets.state import AnsweredRound, CountedRound, SheetState, scored, up_to
from tests.engine.sheets.shelf import BUZZER, MOLKKY, SCRABBLE, SHELF, SKAT, TICHU, WIZARD, sheet
from tests.engine.sheets.table import Table


def wizard(bid: int, won: int, others: int) -> Table:
    """Four rounds of three, the fifth under way; in the second P1 bids and wins so many, P2 the others."""
    table = Table(WIZARD, 3)
    table.each("bid", 1, 0, 0).each("won", 0, 1, 0)
    table.each("bid", bid, 1, 0).each("won", won, others, 0)
    table.each("bid", 1, 1, 1).each("won", 1, 1, 1)
    table.each("bid", 0, 2, 0).each("won", 2, 2, 0)
    return table.say(0, "bid", 5)


def test_a_number_put_right_gives_the_totals_of_a_game_that_had_it_from_the_start() -> None:
    table = wizard(1, 2, 0).amend(2, (0, "won", 1), (1, "won", 1))
    assert table.play.scores == (-10 + 30 + 30 - 20, -10 + 30 + 30 + 40, 20 + 20 + 30 + 20)
    assert table.state == wizard(1, 1, 1).state
    table.each("bid", 1, 1).each("won", 3, 1, 1)
    assert table.play.scores == (30 - 20, 90 + 30, 90 + 30)


def test_it_is_a_step_of_its_own() -> None:
    table, right = wizard(1, 2, 0), wizard(1, 1, 1).state
    before = table.state
    table.amend(2, (0, "won", 1), (1, "won", 1))
    assert plays.replay(table.rules, tuple(table.facts)).state == right
    assert table.undo().state == before
    assert table.redo().state == right
    table.undo().undo()
    assert table.verbs == "0 bid, 1 bid, 2 bid"


def test_a_long_game_is_reckoned_bit_by_bit_and_what_happens_between_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    folded = list[SheetState]()
    monkeypatch.setattr(amending, "MOST_STEPS", 0)  # a round at a time

    def counting(state: SheetState, *, anew: bool) -> tuple[SheetState, bool]:
        folded.append(state)
        return scored(state, anew=anew)

    monkeypatch.setattr(amending, "scored", counting)
    table, right = (Table(sheet("[2, 2]", 'ask = [{ id = "a" }]', "points = 'a + turns'"), 2) for _ in range(2))
    right.each("a", 9, 0)
    for n in range(6):
        table.each("a", n, 0)
        if n:
            right.each("a", n, 0)
    other = 0, "a", 9
    bits = list[bool]()
    while not (bits and bits[-1]):
        bits.append(plays.amend_soon(table.play, 1, [other]))
        if len(bits) == 3:
            table.each("a", 7, 7)
            right.each("a", 7, 7)
    table.amend(1, other)
    assert (len(bits), len(folded)) == (7, 7 + 7 + 1)  # each time the round itself is tried, too
    assert table.state == right.state
    assert table.amend(1, (0, "a", 0)).undo().state == right.state


def test_other_numbers_are_not_taken_for_those_that_are_reckoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(amending, "MOST_STEPS", 0)
    table = wizard(1, 2, 0)
    plays.amend_soon(table.play, 2, ((0, "won", 1), (1, "won", 1)))
    table.amend(2, (0, "won", 0), (1, "won", 2))
    assert table.state == wizard(1, 0, 2).state
    plays.amend_soon(table.play, 2, ((0, "won", 1), (1, "won", 1)))
    table.undo().amend(2, (0, "won", 1), (1, "won", 1))
    assert table.state == wizard(1, 1, 1).state


def test_it_stays_where_the_step_under_way_is_undone() -> None:
    table = wizard(1, 2, 0).amend(2, (0, "won", 1), (1, "won", 1)).each("bid", 1, 1).undo()
    assert table.play.scores == wizard(1, 1, 1).play.scores


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ([(0, "won", 1)], "round 2: Tricks must add up to 2"),
        ([(0, "bid", 3)], "P1, bid 3: must be from 0 to 2"),
        ([(0, "bid", 1)], "these numbers stand there already"),
        ([], "these numbers stand there already"),
        ([(0, "bid", 0), (0, "bid", 2)], "P1 and bid stand twice"),
        ([(3, "bid", 0)], "P4 has not answered bid in round 2: answered: bid (seat 0), bid (seat 1), bid (seat 2)"),
        ([(None, "bid", 0)], "the table has not answered bid in round 2"),
        ([(0, "meow", 0)], "P1 has not answered meow in round 2"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(numbers: list[tuple[Seat | None, str, int]], why: str) -> None:
    table = wizard(1, 2, 0)
    with pytest.raises(Refused) as refused:
        table.amend(2, *numbers)
    assert (refused.value.kind, str(refused.value)[: len(why)]) == ("bad_value", why)


@pytest.mark.parametrize("round_", [0, 5, -1])
def test_a_round_that_is_not_counted_is_refused(round_: int) -> None:
    with pytest.raises(Refused, match=f"^round {round_}: must be one of 1 to 4$"):
        wizard(1, 2, 0).amend(round_, (0, "bid", 1))


def test_a_check_that_the_table_has_closed_anyway_is_not_looked_at() -> None:
    table = Table(WIZARD, 3).each("bid", 1, 0, 0)
    for _ in range(2):
        table.each("won", 0, 0, 0)
    table.say(None, "anyway").amend(1, (0, "bid", 0))
    assert table.play.scores == (20, 20, 20)


def test_misses_are_counted_anew() -> None:
    """Of Mölkky's three misses in a row one was a hit."""
    table = Table(MOLKKY, 2).turns("pins", 0, 5, 0, 5, 0)
    assert (table.play.over, table.play.winners) == (True, (1,))
    table.amend(2, (0, "pins", 7))
    assert (table.play.scores, table.play.board.tokens[0], table.verbs) == ((7, 10), {"misses": 1}, "1 pins")
    table.turns("pins", 5, 0)
    assert (table.play.scores, table.verbs) == ((7, 15), "1 pins")


def test_who_is_out_by_it_has_no_turn_any_more() -> None:
    table = Table(MOLKKY, 3).turns("pins", 0, 5, 5, 0, 5, 5, 4, 5, 5, 4).amend(3, (0, "pins", 0))
    assert (table.state.out, table.play.scores, table.verbs) == ((0,), (0, 15, 15), "1 pins")
    table.turns("pins", 5, 5)
    assert table.verbs == "1 pins"
    table.amend(3, (0, "pins", 1))
    assert (table.state.out, table.play.scores) == ((), (5, 20, 20))


def test_the_end_comes_by_it_and_is_taken_back() -> None:
    table = Table(MOLKKY, 2)
    table.turns("pins", *[10] * 8, 9).amend(2, (0, "pins", 11))
    assert (table.play.over, table.play.winners) == (True, (0,))
    table.amend(2, (0, "pins", 12))
    assert (table.play.over, table.play.scores, table.verbs) == (False, (25, 40), "1 pins")


def test_an_ask_that_is_asked_by_it_has_to_be_given() -> None:
    table = Table(SKAT, 3).say(None, "solo", -1)
    with pytest.raises(Refused, match=r"^value: must be given, too$"):
        table.amend(1, (None, "solo", 1))
    table.amend(1, (None, "solo", 1), (None, "value", 20), (None, "won", 0))
    assert table.play.scores == (0, -40, 0)
    assert table.amend(1, (None, "solo", -1)).play.scores == (0, 0, 0)
    assert table.undo().amend(1, (None, "won", 1)).play.scores == (0, 20, 0)


def test_a_team_holds_its_number_together() -> None:
    table = Table(TICHU, 4).each("call", 0, 0, 0, 0).say(None, "out_first", 0).say(None, "double", 0)
    table.say(2, "cards", 60).say(1, "cards", 40)
    table.say(1, "call", 1)
    assert table.play.scores == (60, 40, 60, 40)
    table.amend(1, (2, "cards", 45), (3, "cards", 55))
    assert table.play.scores == (45, 55, 45, 55)


def test_a_box_keeps_its_place() -> None:
    table = Table(sheet("[2, 2]", 'ask = [{ id = "a", per = "box" }, { id = "b", per = "box" }]'), 2)
    table.say(0, "b", 5).say(1, "a", 2).say(0, "a", 1)
    assert table.amend(1, (0, "b", 7)).play.scores == (8, 2)
    with pytest.raises(Refused, match=r"^P1 has not answered a in round 1: answered: b"):
        table.amend(1, (0, "a", 7))
    assert table.say(1, "b", 4).play.over


def test_each_answer_of_anybody_is_a_row() -> None:
    table = Table(sheet("[3, 3]", 'ask = [{ id = "a", per = "any" }]'), 3)
    table.say(1, "a", 5).say(1, "a", 6).say(0, "a", 7)
    assert table.amend(2, (1, "a", 1)).play.scores == (7, 6, 0)


def test_answers_of_a_race() -> None:
    table = Table(BUZZER, 3).press(1).tick().say(1, "right", 0).press(2).tick().say(2, "right", 1)
    assert table.play.scores == (0, -1, 1)
    assert table.amend(1, (1, "right", 1)).play.scores == (0, 1, 1)
    table.press(0)
    with pytest.raises(Refused, match=r"^not in the middle of a race$"):
        table.amend(1, (1, "right", 0))


def test_what_is_asked_at_the_end_is_put_right_and_added_anew() -> None:
    table = Table(SCRABBLE, 2).turns("word", 20, 30).say(None, "finish").each("left", 0, 6)
    assert table.play.scores == (26, 24)
    assert table.amend(1, (0, "word", 25)).play.scores == (31, 24)
    assert table.amend(0, (1, "left", 8)).play.scores == (33, 22)
    with pytest.raises(Refused, match=r"^P2, left 100: must be from 0 to 99$"):
        table.amend(0, (1, "left", 100))


def test_points_fixed_since_stay() -> None:
    table = Table(MOLKKY, 2).turns("pins", 10, 1).fix(0, 5).turns("pins", 10).amend(1, (0, "pins", 12))
    assert table.play.scores == (27, 1)


def test_the_table_of_rounds() -> None:
    table = Table(SCRABBLE, 2).turns("word", 20, 30, 7).fix(1, 3).turns("word", 5, 1).say(None, "finish")
    table.each("left", 2, 0)
    assert table.rules.tally is not None
    assert [tuple(row) for block in table.rules.tally(table.state) for row in block] == [
        (1, (20, 30), (20, 30)),
        (2, (7, 5), (27, 38)),
        (3, (1, None), (28, 38)),
        (0, (-2, 2), (26, 40)),
    ]


def test_what_was_entered_with_its_limits() -> None:
    table = Table(SKAT, 3).say(None, "solo", 1).say(None, "value", 20).say(None, "won", 0)
    assert table.rules.entered is not None
    assert [(e.seat, e.text, e.number, e.low, e.high, e.words) for e in table.rules.entered(table.state, 1)] == [
        (None, "Who played?", 1, -1, 2, ()),
        (None, "Value of the game", 20, 18, 264, ()),
        (None, "won", 0, 0, 1, ("no", "yes")),
    ]


Step = tuple[str, tuple[Any, ...]]


def replayed(text: str, players: int, steps: list[Step]) -> Table | None:
    """The game of these steps; None where one is refused."""
    table = Table(text, players)
    try:
        for kind, values in steps:
            getattr(table, kind)(*values)
    except Refused:
        return None
    return table


def random_steps(text: str, players: int, dice: Random) -> tuple[Table, list[Step]]:
    """A game of some steps by the offers, and points fixed at times."""
    table, steps = Table(text, players), list[Step]()
    for _ in range(40):
        closed = [o for o in table.play.offers if o.verb == "anyway"]
        offers = closed or [o for o in table.play.offers if o.due_ns is None and not (o.menu or o.hold)]
        if not offers:
            break
        offer, value = dice.choice(offers), None
        if offer.low is not None and offer.high is not None:
            value = dice.randint(offer.low, min(offer.high, offer.low + 9))
        step: Step = ("say", (offer.seat, offer.verb, value))
        if offer.race and table.play.due_ns is not None:
            step = ("tick", ())
        elif dice.random() < 0.03:
            step = ("fix", (dice.randrange(players), 3))
        getattr(table, step[0])(*step[1])
        steps.append(step)
    return table, steps


NUMBERS = [name for name, text in SHELF.items() if read(text).ask and name != "buzzer"]  # there it changes the race


OUT = 'out = "b == 9"'


@pytest.mark.parametrize(
    ("text", "players", "first", "second", "amended", "why"),
    [
        (
            sheet("[4, 4]\nteams = 2", 'ask = [{ id = "a", per = "team" }, { id = "b" }]', OUT),
            4,
            [(0, "a", 1), (1, "a", 1), (0, "b", 1), (1, "b", 1), (2, "b", 9), (3, "b", 1)],
            [(0, "a", 2), (1, "a", 2), (0, "b", 2), (1, "b", 2), (3, "b", 2)],
            (2, "a", 5),
            "P3 has not answered a in round 2",
        ),
        (
            sheet("[3, 3]", 'ask = [{ id = "s", kind = "seat", per = "table", low = 0 }, { id = "b" }]', OUT),
            3,
            [(None, "s", 0), (0, "b", 1), (1, "b", 1), (2, "b", 9)],
            [(None, "s", 0), (0, "b", 2), (1, "b", 2)],
            (None, "s", 2),
            "round 2: P3 was out",
        ),
    ],
    ids=["a partner", "who is named"],
)
def test_who_was_out_in_a_round_stays_out_of_it(
    text: str, players: int, first: list[Any], second: list[Any], amended: Any, why: str
) -> None:
    table = Table(text, players)
    for one in (*first, *second):
        table.say(*one)
    before = table.play
    with pytest.raises(Refused, match=f"^{why}"):
        table.amend(2, amended)
    assert table.play is before
    assert table.amend(1, amended).state.out == (2,)  # in that round it was asked, and may be named


def unanswered(done: CountedRound) -> AnsweredRound:
    """A round without what was answered in it."""
    return replace(done.round, answers=())


@pytest.mark.parametrize("name", NUMBERS)
def test_it_is_like_another_answer_where_nothing_else_hangs_on_it(name: str) -> None:
    text, compared = SHELF[name], 0
    for seed in range(8):
        players = read(text).players[seed % 2]
        table, steps = random_steps(text, players, Random(seed))
        counted, failed = list[int](), set[int]()  # by step: what was counted before it; what was asked again
        walk = Table(text, players)
        for kind, values in steps:
            counted.append(len(up_to(walk.state.done)))
            getattr(walk, kind)(*values)
            if walk.state.round.failed:
                failed.add(len(up_to(walk.state.done)))
        answers = [n for n, (kind, values) in enumerate(steps) if kind == "say" and isinstance(values[2], int)]
        for n in answers[:: len(answers) // 3 or 1]:
            seat, verb, number = steps[n][1]
            race = table.play.board.race
            standing = up_to(table.state.done)
            if counted[n] == len(standing) or (race is not None and not race.judged):
                continue  # of what is under way
            done = standing[counted[n]]
            other = replayed(text, players, [*steps[:n], ("say", (seat, verb, number + 1)), *steps[n + 1 :]])
            if other is None or list(map(unanswered, up_to(other.state.done))) != list(map(unanswered, standing)):
                continue  # a check, a limit or the order is another one
            if counted[n] in failed or (read(text).per == "box" and failed):
                continue  # another box was tried first
            round_ = counted[n] + 1 if read(text).per == "any" else done.round.number
            table.amend(round_, (seat, verb, number + 1))
            assert table.state == other.state
            table.undo()
            compared += 1
    assert compared


def test_an_answer_under_way_that_no_longer_fits_is_asked_again() -> None:
    """The joker that P1 plays now was played in the round before."""
    joker = '{ id = "joker", kind = "yes", when = "used == 0" }'
    text = sheet(
        "[2, 2]", f'ask = [{joker}, {{ id = "a" }}]', 'keep.used = "used + joker"', 'points = "a * (1 + joker)"'
    )
    table = Table(text, 2).each("joker", 0, 0).each("a", 5, 5).say(0, "joker", 1)
    table.amend(1, (0, "joker", 1))
    assert table.verbs == "1 joker, * finish"
    table.say(1, "joker", 0).each("a", 5, 5)
    assert table.play.scores == (15, 10)
