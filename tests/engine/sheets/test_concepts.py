"""Sheets that reach every concept of the format, with sums worked out by hand."""

from collections.abc import Callable

import pytest

from engine import play as plays
from engine.face import Left, runs_out
from engine.game import Corrected
from engine.play import Fact
from tests.engine.sheets.table import Table


def sheet(players: str, *lines: str) -> str:
    return "\n".join(('title = "T"', f"players = {players}", *lines))


# --- rounds -----------------------------------------------------------------------------------------------------------

NUMBER = 'ask = [{ id = "a", low = -99 }]'


def test_rounds_end_and_several_share() -> None:
    table = Table(sheet("[2, 4]", "rounds = 2", NUMBER), 3)
    table.each("a", 5, 3, -1).each("a", 1, 3, 7)
    assert (table.play.scores, table.play.winners) == ((6, 6, 6), (0, 1, 2))


def test_alone_nobody_wins() -> None:
    table = Table(sheet("[1, 4]", "rounds = 1", NUMBER), 1).each("a", 5)
    assert (table.play.over, table.play.winners) == (True, ())


FIRST = [("fixed", "0 0 0"), ("rotates", "0 1 2"), ("highest", "0 2 2"), ("lowest", "0 1 0")]


@pytest.mark.parametrize(("first", "seats"), FIRST)
def test_who_starts(first: str, seats: str) -> None:
    table = Table(sheet("[2, 4]", f'first = "{first}"', NUMBER), 3)
    begun = [table.state.round.first]
    for numbers in ((1, 0, 4), (0, 2, 0)):
        table.each("a", *numbers)
        begun.append(table.state.round.first)
    assert " ".join(map(str, begun)) == seats


def test_of_several_level_the_next_in_turn_order_starts() -> None:
    table = Table(sheet("[2, 4]", 'first = "highest"', NUMBER), 4)
    table.each("a", 0, 5, 5, 5)
    assert table.state.round.first == 1
    table.each("a", 0, 0, 0, 0)
    assert table.state.round.first == 2


def test_an_open_game_is_finished_by_the_table() -> None:
    table = Table(sheet("[2, 4]", NUMBER), 2).each("a", 3, 4)
    assert table.verbs == "0 a, 1 a, * finish"
    table.say(0, "a", 99).say(None, "finish")
    assert (table.play.scores, table.play.winners) == ((3, 4), (1,))


def test_a_round_in_which_nobody_is_asked_goes_on_by_ok() -> None:
    table = Table(sheet("[2, 4]", "rounds = 3", 'ask = [{ id = "a", low = 2, when = "round == 2" }]'), 2)
    assert table.verbs == "* next"
    table.say(None, "next").each("a", 5, 6).say(None, "next")
    assert (table.play.scores, table.play.over) == ((2 + 5 + 2, 2 + 6 + 2), True)


def test_a_turn_in_which_nothing_is_asked_is_passed_over() -> None:
    asks = 'ask = [{ id = "a", low = 2, per = "turn", when = "seat == 1" }]'
    table = Table(sheet("[2, 4]", "rounds = 2", asks), 3)
    assert table.verbs == "1 a"
    table.turns("a", 5, 6)
    assert (table.play.over, table.play.scores) == (True, (4, 11, 4))


# --- asks -------------------------------------------------------------------------------------------------------------

LIMITED = sheet(
    "[2, 4]",
    "rounds = 2",
    "ask = [",
    '  { id = "bid", high = "round + seat" },',
    '  { id = "tricks", high = "bid", when = "bid" },',
    '  { id = "trump", words = ["red", "blue"], per = "table" },',
    '  { id = "bonus", low = 5, high = "5 * round", when = "trump == 1" },',
    "]",
    'points = "10 * tricks + bonus"',
)


def test_limits_and_what_is_not_asked() -> None:
    table = Table(LIMITED, 2)
    assert [offer.high for offer in table.play.offers] == [1, 2]
    table.each("bid", 0, 2)
    assert table.verbs == "1 tricks"
    table.say(1, "tricks", 1).say(None, "trump", 1)  # the bonus can only be 5
    assert table.play.scores == (5, 10 + 5)
    table.each("bid", 1, 0).say(0, "tricks", 1).say(None, "trump", 1).each("bonus", 10, 6)
    assert table.play.scores == (5 + 10 + 10, 15 + 6)


HIGHEST = [
    ("2 * players + round", [9, 9, 9, 9]),
    ("first", [0, 0, 0, 0]),
    ("seat + 1", [1, 2, 3, 4]),
    ("team(5) - turns", [10, 10, 10, 10]),
    ("team(seat)", [2, 4, 2, 4]),
    ("1 // 0", [999, 999, 999, 999]),
]


@pytest.mark.parametrize(("high", "highest"), HIGHEST)
def test_a_limit_is_the_same_for_all_or_by_seat(high: str, highest: list[int]) -> None:
    table = Table(sheet("[4, 4]", "teams = 2", f'ask = [{{ id = "a", high = "{high}" }}]'), 4)
    assert [offer.high for offer in table.play.offers if offer.verb == "a"] == [n for n in highest if n]


def test_a_limit_over_a_side_is_by_seat_also_without_any_name() -> None:
    ask = 'ask = [{ id = "a", low = -9, high = "team(1)" }]'
    table = Table(sheet("[4, 4]", "teams = 2", 'out = "seat == 0"', ask), 4).each("a", 0, 0, 0, 0)
    assert [(offer.seat, offer.high) for offer in table.play.offers if offer.verb == "a"] == [(1, 2), (2, 1), (3, 2)]


def test_numbers_of_the_table_begin_at_0_or_the_limit_nearest_to_it() -> None:
    asks = '{ id = "a", low = -5, per = "table" }, { id = "b", low = 3, per = "table" }'
    table = Table(sheet("[2, 4]", f'ask = [{asks}, {{ id = "c", low = -9, high = -2, per = "table" }}]'), 2)
    begun = [table.offer("a").prefill]
    table.say(None, "a", 0)
    begun.append(table.offer("b").prefill)
    table.say(None, "b", 3)
    begun.append(table.offer("c").prefill)
    assert begun == [0, 3, -2]


def test_words_are_shown_for_numbers() -> None:
    table = Table(LIMITED, 2).each("bid", 0, 0)
    offer = table.offer("trump")
    assert (offer.low, offer.high) == (0, 1)
    assert [table.rules.label(table.state, offer, n) for n in (None, 0, 1)] == ["trump", "red", "blue"]


SEATS = 'ask = [{ id = "who", title = "Who?", kind = "seat", per = "table" }]'


def test_a_seat_is_a_number() -> None:
    table = Table(sheet("[2, 4]", SEATS, 'points = "5 * (who == seat)"'), 3)
    offer = table.offer("who")
    assert (offer.low, offer.high) == (-1, 2)
    assert [table.rules.label(table.state, offer, n) for n in (-1, 2)] == ["nobody", "P3"]
    table.say(None, "who", 2).say(None, "who", -1)
    assert table.play.scores == (0, 0, 5)


# --- keeps, lets, steps, checks ---------------------------------------------------------------------------------------

KEEPING = sheet(
    "[2, 4]",
    "start = 100",
    NUMBER,
    "steps.prize = { -1 = -4, 1 = 10, 3 = 30 }",
    'let.twice = "2 * a"',
    'let.more = "twice + most(twice)"',
    'points = "steps(prize, a) + more"',
    'keep.best = "max(best, points)"',
    'keep.before = "total"',
    'total = "total + points - before % 2"',
)


def test_running_numbers_are_set_together() -> None:
    table = Table(KEEPING, 2).each("a", 1, 4)
    # 2 + 8 and 10; 8 + 8 and 30
    assert (table.play.scores, table.play.board.tokens[1]) == ((120, 146), {"best": 46, "before": 100})
    table.each("a", -1, -2)
    # twice is -2 and -4, the most -2: -4 - 4 and -6 + 0
    assert (table.play.scores, table.play.board.tokens[1]) == ((112, 140), {"best": 46, "before": 146})


BIDS = sheet(
    "[2, 4]",
    'ask = [{ id = "bid" }, { id = "top", high = "bid + 1" }, { id = "won" }]',
    'check = ["sum(bid) != round", "sum(won) == 3"]',
    'points = "won * 10 + bid"',
)


def test_a_check_is_looked_at_before_other_asks() -> None:
    table = Table(BIDS, 2).each("bid", 0, 1)
    assert table.verbs == "0 bid, 1 bid, * finish"
    table.each("bid", 1, 1)
    assert table.verbs == "0 top, 1 top, * finish"
    table.each("top", 0, 0).each("won", 1, 1)
    assert table.verbs == "0 won, 1 won, * finish"
    table.each("won", 1, 2)
    assert table.play.scores == (11, 21)


def test_what_hangs_on_an_ask_that_is_open_again_is_asked_again() -> None:
    text = BIDS.replace('"sum(won) == 3"', '"sum(bid + won) == 5"')
    table = Table(text, 2).each("bid", 2, 2).each("top", 3, 3).each("won", 0, 0)
    assert table.verbs == "0 bid, 1 bid, * finish"
    table.each("bid", 1, 3)
    assert [(offer.high, offer.prefill) for offer in table.play.offers[:2]] == [(2, 2), (4, 3)]
    table.each("top", 0, 0).each("won", 1, 0)
    assert table.play.scores == (11, 3)


def test_a_check_closed_anyway_takes_what_stands() -> None:
    table = Table(BIDS, 2).each("bid", 0, 1).each("bid", 1, 0)
    table.say(None, "anyway")
    assert table.verbs == "0 top, 1 top, * finish"
    table.each("top", 0, 0).each("won", 2, 1)
    assert table.play.scores == (21, 10)


FAULTS = [
    ('points = "1 // a"', (0, 2), "a division by 0", (0, 0)),
    ('points = "a * a * 999 * 999"', (1, 900), "a number has 10 digits", (998001, 0)),
    ('total = "total + 9 // a"', (0, 2), "a division by 0", (0, 4)),
    ('let.b = "1 // a"\npoints = "b + 7"', (1, 0), "a division by 0", (8, 7)),
]


@pytest.mark.parametrize(("line", "numbers", "says", "anyway"), FAULTS)
def test_what_has_no_value_is_a_failed_check(
    line: str, numbers: tuple[int, int], says: str, anyway: tuple[int, int]
) -> None:
    table = Table(sheet("[2, 4]", NUMBER, line), 2).each("a", *numbers)
    assert (table.verbs, table.rules.face(table.state).wrong) == ("0 a, 1 a, * finish", says)
    table.each("a", *numbers).say(None, "anyway")
    assert table.play.scores == anyway


# --- the end ----------------------------------------------------------------------------------------------------------

END = sheet("[2, 4]", 'ask = [{ id = "a", per = "turn" }]', 'end = "total >= 10"')


def test_the_end_comes_at_once() -> None:
    table = Table(END, 3).turns("a", 3, 10)
    assert (table.play.over, table.play.winners) == (True, (1,))


def test_the_last_round_is_played_to_its_end() -> None:
    table = Table(f'{END}\nlast = "round"', 3).turns("a", 3, 10)
    assert (table.play.board.turn, table.rules.face(table.state).right) == ((2,), ("LAST TURNS", "LAST"))
    table.turns("a", 12)
    assert (table.play.over, table.play.winners) == (True, (2,))


def test_in_a_last_lap_everybody_else_has_one_more() -> None:
    table = Table(f'{END}\nlast = "lap"\nfirst = "rotates"', 3).turns("a", 3, 10, 1)
    assert (table.state.round.first, table.play.board.turn) == (1, (0,))
    table.turns("a", 8)
    assert (table.play.over, table.play.scores, table.play.winners) == (True, (11, 10, 1), (0,))


def test_points_fixed_take_the_last_lap_back() -> None:
    table = Table(f'{END}\nlast = "lap"', 3).turns("a", 3, 10).fix(1, -1).turns("a", 1, 1, 0)
    assert (table.play.over, table.play.board.turn) == (False, (2,))


def test_points_fixed_begin_it() -> None:
    table = Table(f'{END}\nlast = "lap"', 3).turns("a", 3).fix(0, 7).turns("a", 1, 1)
    assert (table.play.over, table.play.scores) == (True, (10, 1, 1))


def test_points_fixed_end_the_game_and_let_it_go_on() -> None:
    table = Table(END, 2).turns("a", 3).fix(0, 7)
    assert (table.play.over, table.play.winners) == (True, (0,))
    table.fix(0, -7)
    assert table.verbs == "1 a"
    table.turns("a", 10).fix(1, -1)
    assert (table.verbs, table.play.board.round) == ("0 a", 2)
    table.fix(1, 1).undo()
    assert table.verbs == "0 a"


DUEL = sheet("[2, 4]", 'race = { kind = "signal" }', 'end = "total >= 5"')
IN_MID_RACE: dict[str, Callable[[Table], Table]] = {
    "before the signal": lambda duel: duel,
    "somebody too early": lambda duel: duel.press(1),
    "after the signal": lambda duel: duel.tick().press(2),
    "points fixed in it": lambda duel: duel.fix(0, 1).fix(0, -1),
}


def in_mid_race(when: str) -> Table:
    return IN_MID_RACE[when](Table(DUEL, 3).say(None, "start"))


def older_fix(table: Table, points: int) -> Table:
    """Points fixed in a journal that knows nothing of races that begin again."""
    return table.take((Fact(table.play.step, table.now_ns, Corrected(0, points)),))


@pytest.mark.parametrize("when", IN_MID_RACE)
def test_a_race_that_fixed_points_end_the_game_in_begins_again_when_others_let_it_go_on(when: str) -> None:
    table = in_mid_race(when).fix(0, 5)
    assert (table.verbs, table.play.scores) == ("", (5, 0, 0))
    table.fix(0, -4)
    assert (table.verbs, table.play.scores) == ("* start", (1, 0, 0))
    table.undo()
    assert (table.verbs, table.play.scores) == ("", (5, 0, 0))
    table.undo()
    assert (table.verbs, table.play.scores) == ("* start", (0, 0, 0))
    assert table.redo().redo().play.scores == (1, 0, 0)


def test_points_fixed_before_that_end_stay() -> None:
    table = Table(DUEL, 3).say(None, "start").fix(0, 2).press(1).fix(0, 3).undo()
    assert (table.verbs, table.play.scores) == ("* start", (2, 0, 0))


@pytest.mark.parametrize("kind", ["first", "last", "order"])
def test_a_race_that_opens_at_once_is_open_again_without_presses_after_such_an_end(kind: str) -> None:
    table = Table(sheet("[2, 4]", f'race = {{ kind = "{kind}" }}', 'end = "total >= 5"'), 3)
    fresh = table.state
    assert table.press(1).fix(0, 5).fix(0, -5).state == fresh
    assert table.press(1).fix(0, 5).undo().state == fresh


def test_an_end_between_two_races_takes_nothing_back() -> None:
    table = Table(sheet("[2, 4]", 'race = { kind = "first" }', 'end = "total >= 5"'), 3).press(1).tick()
    before = table.state
    assert table.fix(0, 5).fix(0, -5).state == before
    assert table.undo().undo().undo().play.scores == (0, 0, 0)


def test_in_an_older_journal_such_a_race_went_on() -> None:
    table = older_fix(older_fix(in_mid_race("before the signal"), 5), -4).press(1)
    assert table.state.ask.race.jumps
    table.take((Fact(table.play.step - 1, 0, plays.Undone(fixed=1)),))
    assert (table.play.scores, table.state.ask.race.jumps) == ((1, 0, 0), ())


def test_a_race_below_an_end_of_an_older_journal_begins_again_when_points_are_fixed_today() -> None:
    table = older_fix(in_mid_race("after the signal"), 5).fix(0, -4)
    assert (table.verbs, table.play.scores) == ("* start", (1, 0, 0))


def test_after_an_end_that_is_taken_back_it_is_the_turn_of_the_same_seat() -> None:
    table = Table(END, 3).turns("a", 3).fix(0, 7).fix(0, -7).turns("a", 5)
    assert (table.play.scores, table.verbs) == ((3, 5, 0), "2 a")
    table = Table(END, 3).turns("a", 10).fix(0, -7)
    assert (table.play.board.round, table.play.board.turn) == (1, (1,))


LIVES = sheet(
    "[2, 6]", 'ask = [{ id = "lost", high = 3 }]', "start = 3", 'total = "total - lost"', 'out = "total <= 0"'
)


def test_who_is_out_is_not_asked_and_not_read() -> None:
    table = Table(LIVES + '\nkeep.least_left = "least(total)"', 3).each("lost", 0, 3, 1)
    assert (table.verbs, table.state.out) == ("0 lost, 2 lost", (1,))
    table.each("lost", 1, 1)
    assert table.play.board.tokens == ({"least_left": 2}, {"least_left": 3}, {"least_left": 2})
    table.each("lost", 0, 1)
    assert (table.play.over, table.play.winners, table.play.scores) == (True, (0,), (2, 0, 0))


def test_once_all_are_out_all_may_win() -> None:
    table = Table(LIVES, 2).each("lost", 3, 3)
    assert table.play.winners == (0, 1)


FINALS = sheet(
    "[2, 4]",
    "rounds = 1",
    NUMBER,
    'let.half = "a // 2"',
    'final = [{ id = "coins" }, { id = "food", when = "coins > 2", points = "food * half - most(coins)" }]',
    'win = ["total // 10", "-food"]',
)


def test_final_asks_and_ties() -> None:
    table = Table(FINALS, 3).each("a", 5, 8, 2).each("coins", 3, 2, 9)
    assert table.verbs == "0 food, 2 food"
    table.each("food", 5, 1)
    # 5 + 3 + 5 * 2 - 9; 8 + 2 + 0 - 9; 2 + 9 + 1 * 1 - 9
    assert (table.play.scores, table.play.winners) == ((9, 1, 3), (1,))


def test_what_has_no_value_at_the_end_is_0_and_said() -> None:
    text = sheet("[2, 4]", "rounds = 1", NUMBER, 'final = [{ id = "b", points = "6 // b" }]')
    table = Table(text, 2).each("a", 1, 2).each("b", 0, 3)
    assert (table.play.scores, table.rules.face(table.state).right) == (
        (1, 4),
        ("a division by 0 counted as 0", "see the totals"),
    )


@pytest.mark.parametrize(("numbers", "won"), [((5, 5), (0, 1)), ((5, 4), ())])
def test_together_all_win_or_nobody(numbers: tuple[int, int], won: tuple[int, ...]) -> None:
    table = Table(sheet("[1, 4]", "rounds = 1", NUMBER, 'together = "sum(total) >= 10"'), 2).each("a", *numbers)
    assert table.play.winners == won


def test_fewest_points_win() -> None:
    table = Table(sheet("[2, 4]", "rounds = 1", NUMBER, 'win = "-total"'), 2).each("a", 3, 2)
    assert table.play.winners == (1,)


# --- teams ------------------------------------------------------------------------------------------------------------


def test_left_out_points_are_added_up_over_a_side() -> None:
    text = sheet("[4, 5]", "teams = 2", 'ask = [{ id = "a" }, { id = "b", per = "team" }]')
    table = Table(text, 5).each("a", 1, 2, 3, 4, 5).say(1, "b", 10).say(4, "b", 20)
    assert table.play.scores == (29, 16, 29, 16, 29)


def test_partners_that_are_not_level_are_said() -> None:
    table = Table(sheet("[4, 4]", "teams = 2", 'ask = [{ id = "a" }]', 'points = "a"'), 4).each("a", 1, 2, 1, 3)
    assert table.rules.face(table.state).wrong == "the partners of a team are not level"
    table.each("a", 1, 2, 1, 2)
    assert table.play.scores == (1, 2, 1, 2)


def test_points_fixed_are_those_of_a_side() -> None:
    table = Table(sheet("[4, 4]", "teams = 2", 'ask = [{ id = "a", per = "team" }]'), 4).fix(2, 5)
    table.say(0, "a", 1).say(3, "a", 2)
    assert table.play.scores == (6, 2, 6, 2)


def test_a_reason_names_who_it_is_about() -> None:
    text = sheet("[2, 4]", NUMBER, 'check = [{ that = "a < 5", says = "{seat} has {a}" }]')
    table = Table(text, 3).each("a", 1, 7, 9)
    assert table.rules.face(table.state).wrong == "(1,) has 7"


def test_the_side_of_whose_turn_it_was_is_folded() -> None:
    text = sheet("[4, 4]", "teams = 2", 'ask = [{ id = "a", per = "turn" }]', 'end = "total > 9"', 'keep.n = "turns"')
    table = Table(text, 4).turns("a", 1, 2, 3, 8)
    assert (table.play.scores, table.play.winners) == ((4, 10, 4, 10), (1, 3))
    assert [own["n"] for own in table.play.board.tokens] == [1, 1, 1, 1]


# --- any and box ------------------------------------------------------------------------------------------------------


def test_whoever_presses_answers_all_asks() -> None:
    text = sheet("[2, 6]", 'ask = [{ id = "a", per = "any" }, { id = "b", per = "any" }]', 'points = "a * b"')
    table = Table(text, 3).say(2, "a", 3)
    assert table.verbs == "2 b, * finish"
    table.say(2, "b", 4).say(0, "a", 1).say(0, "b", 1)
    assert (table.play.scores, table.verbs) == ((1, 0, 12), "0 a, 1 a, 2 a, * finish")


BOXES = sheet(
    "[1, 4]",
    "ask = [",
    '  { id = "ones", high = 5, per = "box" },',
    '  { id = "twos", high = 10, step = 2, per = "box" },',
    '  { id = "chance", high = 30, per = "box" },',
    "]",
    'keep.upper = "upper + ones + twos"',
    'final = [{ id = "bonus", kind = "yes", when = "upper >= 10", points = "35 * bonus" }]',
)


def test_a_turn_fills_one_box() -> None:
    table = Table(BOXES, 2)
    assert table.verbs == "0 ones, 0 twos, 0 chance"
    table.say(0, "twos", 8).say(1, "chance", 20)
    assert table.verbs == "0 ones, 0 chance"
    table.say(0, "ones", 3).say(1, "ones", 1).say(0, "chance", 5).say(1, "twos", 4)
    assert (table.verbs, table.play.scores) == ("0 bonus", (16, 25))
    table.say(0, "bonus", 1)
    assert (table.play.over, table.play.scores) == (True, (51, 25))


def test_a_box_that_fails_its_check_is_empty_again() -> None:
    table = Table(BOXES + '\ncheck = "twos % 2 == 0"', 2).say(0, "twos", 3)
    assert (table.verbs, table.offer("twos").prefill) == ("0 ones, 0 twos, 0 chance", 3)
    table.say(0, "ones", 3)
    assert (table.play.scores, table.verbs) == ((3, 0), "1 ones, 1 twos, 1 chance")


# --- races ------------------------------------------------------------------------------------------------------------


def race(kind: str, *lines: str, more: str = "") -> str:
    return sheet("[1, 6]", f'race = {{ kind = "{kind}"{more} }}', *lines)


def test_the_first_scores() -> None:
    table = Table(race("first"), 3).press(2).press(1, apart_ms=3).tick()
    assert (table.play.scores, table.verbs) == ((0, 0, 1), "0 press, 1 press, 2 press, * close, * finish")


def test_too_close_for_the_first_the_table_rules() -> None:
    table = Table(race("first"), 3).press(2).press(0, apart_ms=0.01).tick()
    assert table.play.offers[0].options == (0, 2, "all", "nobody")
    table.say(None, "first", "all")
    assert table.play.scores == (1, 0, 1)
    table.press(2).press(0, apart_ms=0.01).tick().say(None, "first", "nobody")
    assert (table.play.scores, table.play.board.round) == ((1, 0, 1), 3)


def test_the_last_pays() -> None:
    table = Table(race("last", 'points = "-3 * (placed == players)"'), 4).press(2, 0, 3).tick()
    assert table.play.scores == (0, -3, 0, 0)


def test_places_in_order_and_shared_between() -> None:
    table = Table(race("order", 'keep.p = "placed"'), 5).press(3).press(1)
    table.press(0, apart_ms=0.01).press(4).tick()
    assert [own["p"] for own in table.play.board.tokens] == [2, 2, 5, 1, 4]


def test_ok_closes_a_race_and_those_who_are_missing_have_no_place() -> None:
    table = Table(race("order", 'keep.p = "placed"'), 4).press(3, 1).say(None, "close")
    assert [own["p"] for own in table.play.board.tokens] == [0, 2, 0, 1]


def test_two_too_close_for_the_last() -> None:
    table = Table(race("last", 'keep.p = "placed"'), 3).press(0, 1).press(2, apart_ms=0.01).tick()
    assert table.play.offers[0].options == (1, 2, "all", "nobody")
    table.say(None, "last", 1)
    assert [own["p"] for own in table.play.board.tokens] == [1, 3, 2]


def test_a_signal_comes_after_ok_and_a_delay() -> None:
    table = Table(race("signal", 'keep.p = "placed"', more=", delay = [3, 4]"), 3)
    assert table.verbs == "* start, * finish"
    table.say(None, "start")
    begun_ns = table.now_ns
    table.tick()
    assert 3 * 10**9 <= table.now_ns - begun_ns <= 4 * 10**9
    table.press(2, 1).tick()
    assert [own["p"] for own in table.play.board.tokens] == [3, 2, 1]


def test_who_jumps_has_no_place() -> None:
    table = Table(race("signal", 'keep.p = "placed"'), 3).say(None, "start").press(1).tick()
    table.press(2).tick()
    assert [own["p"] for own in table.play.board.tokens] == [2, 0, 1]


def test_of_two_the_other_has_won() -> None:
    table = Table(race("signal"), 2).say(None, "start").press(0)
    assert (table.play.scores, table.verbs) == ((0, 1), "* start, * finish")


def test_after_a_jump_all_wait_again() -> None:
    table = Table(race("signal", more=', jump = "again"'), 2).say(None, "start").press(0)
    assert table.play.due_ns is not None
    table.tick().press(0).tick()
    assert table.play.scores == (1, 0)


def test_a_race_is_one_step() -> None:
    table = Table(race("signal"), 2).say(None, "start").tick().press(0).tick().undo()
    assert (table.play.scores, table.verbs) == ((0, 0), "* start, * finish")


# --- clocks -----------------------------------------------------------------------------------------------------------

CHESS = sheet("[2, 2]", 'points = "0"', 'clock = { kind = "chess", minutes = 5, plus = 3 }')


def left_s(table: Table) -> float:
    """The time left for whose turn it is, in s."""
    left = runs_out(table.rules.face(table.state))
    assert isinstance(left, Left)
    return (left - table.now_ns) / 1e9


def test_a_chess_clock_adds_for_each_turn_and_keeps_what_is_spent() -> None:
    table = Table(CHESS, 2).say(0, "pass", None, 10_000).say(1, "pass", None, 20_000)
    assert left_s(table) == 300 - 10 + 3
    table.say(0, "pass", None, 400_000)  # it never takes points, nor the turn
    assert left_s(table) == 300 - 20 + 3
    table.say(1, "pass", None, 1_000)
    assert left_s(table) == 293 - 400 + 3


def test_undo_gives_the_turn_back_and_its_clock_has_gone_on() -> None:
    table = Table(CHESS, 2).say(0, "pass", None, 10_000)
    table.now_ns += 5 * 10**9
    assert left_s(table.undo()) == 300 - 15


@pytest.mark.parametrize(("boot", "at_s"), [("", 90), ("another", 5)])
def test_a_clock_stands_still_while_no_program_runs(boot: str, at_s: int) -> None:
    table = Table(CHESS, 2).say(0, "pass", None, 10_000).say(1, "pass", None, 20_000)
    table.now_ns = at_s * 10**9
    table.take(plays.resume(table.play, boot, table.now_ns))
    assert left_s(table) == 293
    table.say(0, "pass", None, 1_000)
    assert left_s(table) == 283
    assert left_s(table.undo().undo()) == 300 - 20 - 1


def test_partners_do_not_share_what_a_clock_adds() -> None:
    ask = 'ask = [{ id = "a", per = "turn" }]'
    text = sheet("[4, 4]", "teams = 2", ask, 'clock = { kind = "chess", minutes = 1, plus = 5 }')
    table = Table(text, 4).turns("a", 1, 1)
    assert left_s(table) == 60


@pytest.mark.parametrize("kind", ["turn", "sand"])
def test_no_clock_runs_while_the_rounds_asks_are_answered(kind: str) -> None:
    table = Table(sheet("[2, 2]", NUMBER, f'clock = {{ kind = "{kind}", seconds = 30 }}'), 2)
    assert left_s(table) == 30
    assert runs_out(table.say(None, "ask").rules.face(table.state)) is None
    assert left_s(table.each("a", 1, 2)) == 30


# --- races, the rest --------------------------------------------------------------------------------------------------

LOCKED = race(
    "first",
    'ask = [{ id = "right", kind = "yes", per = "race" }]',
    'points = "1 if right else -1"',
    more=", lock_out = true",
)


def test_once_all_are_locked_out_the_next_round_begins() -> None:
    table = Table(LOCKED, 3)
    for seat in range(3):
        table.press(seat).tick().say(seat, "right", 0)
    assert (table.play.scores, table.play.board.round) == ((-1, -1, -1), 2)
    assert table.verbs == "0 press, 1 press, 2 press, * close, * finish"


def test_of_two_firsts_each_is_asked_and_locked_out() -> None:
    table = Table(LOCKED, 3).press(0).press(1, apart_ms=0.01).tick().say(None, "first", "all")
    table.say(0, "right", 0)
    assert table.verbs == "1 right, * finish"
    table.say(1, "right", 0)
    assert (table.verbs, table.play.board.round) == ("2 press, * close, * finish", 1)


def test_a_benched_button_is_not_waited_for_and_the_table_rules_on_it() -> None:
    table = Table(race("order"), 3).press(0).say(None, "bench", 2).tick()
    assert table.play.offers[0].options == (0, 2, "all", "nobody")


@pytest.mark.parametrize("kind", ["order", "signal"])
@pytest.mark.parametrize(
    ("level", "later", "first", "last", "placed"),
    [
        ([0, 1], [], "all", None, (1, 1)),
        ([0, 1], [], 1, None, (2, 1)),
        ([0, 1], [], "nobody", "all", (2, 2)),
        ([0, 1, 2], [], "all", None, (1, 1, 1)),
        ([0, 1, 2], [], 1, "all", (2, 1, 2)),
        ([0, 1, 2], [], 1, 2, (2, 1, 3)),
        ([0, 1], [2], "all", None, (1, 1, 3)),
        ([0, 1], [2], "nobody", None, (2, 2, 4)),
        ([0, 1], [2, 3], 0, None, (1, 2, 3, 4)),
    ],
)
def test_who_is_named_as_the_first_is_not_the_last(
    kind: str, level: list[int], later: list[int], first: int | str, last: int | str | None, placed: tuple[int, ...]
) -> None:
    table = Table(race(kind), len(placed))
    if kind == "signal":
        table.say(None, "start").tick()
    table.press(level[0]).press(*level[1:], apart_ms=0)
    table.press(*later[:-1]).tick()  # the last one need not press
    table.say(None, "first", first)
    if last is not None:
        assert table.verbs == "* last"
        table.say(None, "last", last)
    assert table.state.round.judged.placed == placed


def test_a_press_sooner_than_anybody_reacts_is_a_jump() -> None:
    table = Table(race("signal", more=', jump = "again"'), 2).say(None, "start").tick().press(1, apart_ms=50)
    assert table.state.ask.phase == "armed"


def test_undo_in_a_new_run_goes_back_one_race_and_not_to_the_start() -> None:
    table = Table(race("first"), 2).press(0).tick().press(1).tick().press(1).tick()
    table.now_ns = 5 * 10**9  # of another boot
    table.take(plays.resume(table.play, "another", table.now_ns))
    assert (table.play.scores, table.undo().play.scores, table.undo().play.scores) == ((1, 2), (1, 1), (1, 0))


@pytest.mark.parametrize("boot", ["", "another"])
@pytest.mark.parametrize("kind", ["first", "last", "order"])
def test_in_a_new_run_a_race_that_has_begun_is_open_again_without_presses(kind: str, boot: str) -> None:
    table = Table(race(kind), 3)
    fresh = table.state
    table.press(1)
    table.take(plays.resume(table.play, boot, table.now_ns + 10**9))
    assert table.state == fresh


@pytest.mark.parametrize("boot", ["", "another"])
@pytest.mark.parametrize("kind", ["first", "last", "order"])
def test_in_a_new_run_a_button_that_has_failed_works_again(kind: str, boot: str) -> None:
    table = Table(race(kind), 3)
    fresh = table.state
    table.say(None, "bench", 2).take(plays.fix(table.play, 0, 1))
    table.take(plays.resume(table.play, boot, table.now_ns + 10**9))
    assert table.state == fresh.fixed(0, 1)
    assert table.undo().state == fresh
    assert table.say(None, "bench", 2).state.ask.race.benched == (2,)


def test_in_an_older_journal_it_did_not() -> None:
    table = Table(race("first"), 3).say(None, "bench", 2).press(0)
    table.take((plays.Fact(1, table.now_ns, plays.Resumed("", table.now_ns)),)).press(0).tick()
    assert table.play.offers[0].options == (0, 2, "all", "nobody")


@pytest.mark.parametrize("boot", ["", "another"])
def test_in_a_new_run_a_race_with_a_signal_waits_for_its_start(boot: str) -> None:
    table = Table(race("signal"), 3).say(None, "start").tick()
    table.take(plays.resume(table.play, boot, table.now_ns + 10**9))
    assert table.verbs == "* start, * finish"


def test_the_board_says_of_which_round_its_race_was() -> None:
    table = Table(race("first"), 2).press(0).tick()
    board = table.play.board
    assert board.race is not None and (board.round, board.race.round) == (2, 1)


# --- an end by hand ---------------------------------------------------------------------------------------------------

HALF = sheet("[3, 3]", 'ask = [{ id = "a" }]')


def test_an_end_by_hand_is_a_step_of_its_own_and_what_was_entered_before_it_stands() -> None:
    table = Table(HALF, 3).say(0, "a", 5)
    half, begun = table.play, Table(HALF, 3).play
    table.take(plays.end(half)).undo()
    assert (table.state, table.play.step, table.verbs) == (half.state, half.step, "1 a, 2 a, * finish")
    assert table.redo().play.ended
    assert table.undo().undo().state == begun.state


def test_an_older_journal_that_undid_an_end_by_hand_still_means_the_same() -> None:
    table = Table(HALF, 3).say(0, "a", 5)
    table.take(plays.end(table.play)).take((Fact(table.play.step - 1, 0, plays.Undone()),))
    assert (table.state, table.play.step) == (Table(HALF, 3).state, 0)
