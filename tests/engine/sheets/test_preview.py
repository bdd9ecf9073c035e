"""The total as it would be, while a number is being entered; and places by what wins."""

from tests.engine.sheets.shelf import TICHU, WIZARD
from tests.engine.sheets.table import Table

GOLF = 'title = "Golf"\nplayers = [1, 4]\nrounds = 2\nwin = "-total"\nask = [{ id = "strokes", low = 1, high = 20 }]\n'


def test_the_total_stands_beside_the_last_number_of_a_round() -> None:
    table = Table(WIZARD, 3)
    assert table.preview({0: 1}, "bid") == (None, None, None)  # the tricks are still to come
    table.each("bid", 1, 0, 1)
    assert table.preview({0: 1, 2: 0}, "won") == (30, None, -10)


def test_a_total_that_hangs_on_others_waits_for_them() -> None:
    text = GOLF.replace("rounds = 2", 'rounds = 2\npoints = "strokes - least(strokes)"')
    table = Table(text, 2)
    assert table.preview({0: 4}, "strokes") == (None, None)
    assert table.preview({0: 4, 1: 6}, "strokes") == (0, 2)


def test_partners_see_the_same_total() -> None:
    table = Table(TICHU, 4).each("call", 0, 0, 0, 0).say(None, "out_first", 0).say(None, "double", 0)
    assert table.preview({0: 60, 1: 40}, "cards") == (60, 40, 60, 40)


def test_turns_boxes_and_the_end() -> None:
    table = Table(GOLF.replace("high = 20", 'high = 20, per = "turn"'), 2)
    assert table.preview({0: 3}, "strokes") == (3, None)
    boxes = 'title = "B"\nplayers = [1, 2]\nask = [{ id = "a", per = "box" }, { id = "b", per = "box" }]\n'
    table = Table(boxes, 2).say(0, "a", 7).say(1, "a", 1)
    assert table.preview({0: 5}, "b") == (12, None)
    table = Table(f'{GOLF}final = [{{ id = "bonus", points = "-2 * bonus" }}]\n', 1)
    table.say(0, "strokes", 3).say(0, "strokes", 4)
    assert table.preview({0: 3}, "bonus") == (1,)


def test_a_number_without_a_value_has_no_total() -> None:
    table = Table(GOLF.replace("rounds = 2", 'rounds = 2\npoints = "10 // (strokes - 1)"'), 1)
    assert table.preview({0: 1}, "strokes") == (None,)


def test_places_go_by_what_wins() -> None:
    table = Table(GOLF, 3).each("strokes", 5, 3, 4).each("strokes", 5, 3, 4)
    assert (table.play.winners, table.play.places) == ((1,), (3, 1, 2))
    assert table.rules.best == -1


def test_the_best_total_is_that_which_wins() -> None:
    for win, best in (('"total"', 1), ('["-total", "round"]', -1), ('"round"', 0)):
        assert Table(GOLF.replace('"-total"', win), 1).rules.best == best


def test_partners_count_as_one_place() -> None:
    sheet = 'title = "T"\nplayers = [4, 4]\nteams = 2\nrounds = 1\nask = [{ id = "a", per = "team" }]\n'
    table = Table(sheet, 4).say(0, "a", 3).say(1, "a", 5)
    assert table.play.places == (2, 1, 2, 1)
