"""Expressions of a score sheet: what they are worth, what is refused, and how fast the slowest are."""

import warnings

import pytest

from engine.sheets.expressions import FIRST_FREE, BadExpression, Expression, NoValue, Row, SeatRows, compiled

# three seats, of two sides; the last one is out
NAMES = {"a": (3, 0, 7), "b": (5, 5, 1), "big": (999_999_999, 1, 1), "seat": (0, 1, 2)}
PLACES = {name: FIRST_FREE + n for n, name in enumerate(NAMES)}
STEPS = {"fee": ((-5, 1, 10), (1, 2, 9))}


def rows(inside: tuple[int, ...] = (0, 1)) -> list[Row]:
    made: list[Row] = [[None, seat, seat % 2, 0, *(own[seat] for own in NAMES.values())] for seat in range(3)]
    SeatRows(made, inside)
    return made


def read(text: str, known: tuple[str, ...] = tuple(NAMES)) -> Expression:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return compiled(text, PLACES, known, STEPS)


WORTH = [
    ("1 + 2 * 3 - 4", 3),
    ("-7 // 2", -4),
    ("-7 % 3", 2),
    ("10 - 3 - 2", 5),
    ("100 // 3 * 3 % 7", 1),
    ("a + b", 8),
    ("1 < a < 5", 1),
    ("5 > a > 3", 0),
    ("not a", 0),
    ("a and b", 1),
    ("0 or a", 1),
    ("a == 3 and b == 5 and not seat", 1),
    ("7 if a > b else 9", 9),
    ("1 if a else 1 // 0", 1),
    ("0 and 1 // 0", 0),
    ("1 or 1 // 0", 1),
    ("abs(a - b)", 2),
    ("min(a, b, 4)", 3),
    ("max(a, b, 4)", 5),
    ("sum(a)", 3),
    ("sum(a + 1)", 5),
    ("others(b)", 5),
    ("team(a)", 3),
    ("count(a)", 1),
    ("most(b - seat)", 5),
    ("least(b - seat)", 4),
    ("place(a)", 1),
    ("place(seat)", 2),
    ("sum(place(a))", 3),
    ("steps(fee, -6)", 0),
    ("steps(fee, -5)", 1),
    ("steps(fee, 9)", 2),
    ("steps(fee, 99)", 9),
    ("  a \n\r\n +\tb ", 8),
    ("(" * 30 + "a" + ")" * 30, 3),
    ("+".join(["a"] * 200), 600),
    ("*".join(["1"] * 200), 1),
    (" " * 500 + "a" + "\n" * 500, 3),
]


@pytest.mark.parametrize(("text", "worth"), WORTH)
def test_an_expression_is_worth(text: str, worth: int) -> None:
    assert read(text).run(rows()[0]) == worth


FAULTS = [
    ("a // 0", "a division by 0"),
    ("a % (b - b)", "a division by 0"),
    ("big + 1", "a number has 10 digits"),
    ("-big - 1", "a number has 10 digits"),
    ("big * big // big", "a number has 10 digits"),
    ("big + b - big", "a number has 10 digits"),
    ("sum(big)", "a number has 10 digits"),
]


@pytest.mark.parametrize(("text", "says"), FAULTS)
def test_a_fault_in_words(text: str, says: str) -> None:
    with pytest.raises(NoValue, match=says):
        read(text).run(rows()[0])


REFUSED = [
    ("", 1, "is empty"),
    ("c + 1", 1, "c is unknown: must be one of a, b, big, seat"),
    ("  a + c", 7, "c is unknown"),
    ("1 / 2", 3, "must be //"),
    ("a = 1", 3, "must be =="),
    ("2 ** 9", 3, "\\*\\* is unknown"),
    ("a := 1", 3, "':' is unknown"),
    ("a.b", 2, "\\. is unknown"),
    ("[a]", 1, "is unknown"),
    ("'a'", 1, "is unknown"),
    ('f"{a}"', 1, "f is unknown"),
    ("a\0", 2, "is unknown"),
    ("a # b", 3, "is unknown"),
    ("a \\\n b", 3, "is unknown"),
    ("ａ", 1, "is unknown"),
    ("a + ２", 5, "is unknown"),
    ("1_000", 1, "digits 0 to 9"),
    ("0x1f", 1, "digits 0 to 9"),
    ("1e9", 1, "digits 0 to 9"),
    ("1if a else 2", 1, "digits 0 to 9"),
    ("1.5", 2, "\\. is unknown: must be a whole number"),
    ("007", 1, "is no number"),
    ("1000000000", 1, "must be from 0 to 999999999"),
    ("True", 1, "True is unknown"),
    ("__debug__", 1, "__debug__ is unknown"),
    ("__import__(a)", 1, "__import__ is unknown"),
    ("lambda", 1, "lambda is unknown"),
    ("a in b", 3, "in is unknown"),
    ("a is b", 3, "is is unknown"),
    ("(a, b)", 1, "must be made of"),
    ("a, b", 1, "must be made of"),
    ("max(*a, b)", 5, "must be made of"),
    ("max(a)", 1, "must have 2 or more values"),
    ("abs(a, b)", 1, "must have one value"),
    ("sum()", 1, "must have one value"),
    ("sum + 1", 1, "sum is a function"),
    ("fee + 1", 1, "fee is a function or a table"),
    ("steps(fee)", 1, "must have a table and a value"),
    ("steps(a, 1)", 7, "must be fee"),
    ("a(1)", 1, "a is no function"),
    ("sum(a)(1)", 1, "must be made of"),
    ("sum(sum(sum(a)))", 9, "too deep: must be at most 2"),
    ("(" * 31 + "a" + ")" * 31, 31, "nested too deep"),
    ("(" * 200 + ")" * 200, 31, "nested too deep"),
    ("abs(" * 15 + "-" * 31 + "a" + ")" * 15, 77, "nested too deep"),
    ("a × 2", 3, "must be \\* \\(times\\)"),
    ("a => 2", 3, "=> is unknown: must be >="),
    ("2(a)", 1, "must have \\* between"),
    ("(a + (b)", 8, "opened and not closed"),
    ("a)", 2, "closed and not opened"),
    ("2 + a if b", 7, "if without else"),
    ("steps(nope, a)", 7, "needs the name of a table"),
    ("-" * 399 + "a", 32, "nested too deep"),
    ("not " * 99 + "a", 125, "nested too deep"),
    ("+".join(["a"] * 201), 400, "longer than 400"),
]


@pytest.mark.parametrize(("text", "column", "says"), REFUSED)
def test_refused_with_its_column(text: str, column: int, says: str) -> None:
    with pytest.raises(BadExpression, match=says) as wrong:
        read(text)
    assert wrong.value.column == column


@pytest.mark.parametrize("text", ["a +", "a b", ")a(", "if else", "a,", "()"])
def test_no_expression(text: str) -> None:
    with pytest.raises(BadExpression, match="must be made of whole numbers"):
        read(text)


def test_what_is_not_known_yet_is_said() -> None:
    with pytest.raises(BadExpression, match="b is not known here yet: must be one of a"):
        read("a + b", ("a",))


def test_a_function_over_seats_is_reckoned_once_between_changes() -> None:
    made = rows()
    total = read("sum(a)")
    assert total.run(made[0]) == 3
    made[1][PLACES["a"]] = 10
    assert total.run(made[1]) == 3
    made[0][0].changed()
    assert total.run(made[1]) == 13


def test_the_names_that_are_read() -> None:
    assert read("sum(a) + (b if seat else 1)").names == {"a", "b", "seat"}
