"""The times of a sheet's races: after the signal, of those who have a place by their press."""

from engine.game import known
from engine.rules import RaceTimes
from tests.engine.sheets.shelf import sheet
from tests.engine.sheets.table import MS, Table


def raced(table: Table, *presses: tuple[int, int]) -> Table:
    """A race in which these seats press so many ms after the signal, in their order."""
    table.say(None, "start").tick()
    go_ns = table.state.ask.race.go_ns
    for seat, ms in presses:
        table.now_ns = go_ns
        table.say(seat, "press", None, ms)
    return table


def reactions(table: Table) -> RaceTimes:
    return known(table.rules.reactions)(table.state)


def times(table: Table) -> dict[int, int | None]:
    """By seat, in ns."""
    return {one.seat: one.after_ns for one in reactions(table).times}


DUEL = sheet("[2, 8]", "rounds = 9", 'race = { kind = "signal" }')


def test_the_last_who_need_not_press_has_no_time() -> None:
    table = raced(Table(DUEL, 3), (1, 230), (0, 310)).tick()
    assert (times(table), table.state.round.number) == ({1: 230 * MS, 0: 310 * MS}, 2)
    assert reactions(table).round == 1


def test_who_was_too_early_has_no_time() -> None:
    assert times(raced(Table(DUEL, 4), (3, 50), (1, 230), (0, 310)).tick()) == {1: 230 * MS, 0: 310 * MS}


def test_what_the_table_has_ruled_has_no_times() -> None:
    table = raced(Table(DUEL, 3), (1, 230), (0, 230)).tick().say(None, "first", 1)
    assert reactions(table) == RaceTimes(1, ())


def test_a_race_that_the_table_closes_has_those_of_who_has_pressed() -> None:
    assert times(raced(Table(DUEL, 4), (1, 230)).say(None, "close")) == {1: 230 * MS}


def test_other_races_have_none() -> None:
    assert Table(sheet("[2, 4]", 'race = { kind = "first" }'), 2).rules.reactions is None
