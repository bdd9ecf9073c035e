"""Faults injected into sheets: each is named with its line and key, by reading the file or by `game check`."""

import pytest

from engine.sheets.reading import SheetErrors, read
from engine.sheets.rules import rules
from firmware.random_play.sheet_trials import GAMES, Trial
from firmware.shelf.folders import SHIPPED
from tests.engine.sheets.shelf import HEAD, WIZARD
from tests.engine.sheets.table import Table
from tests.engine.sheets.test_reading import ASK, REFUSED
from tests.simulators.soak import calls_of

FEW = HEAD.replace("12", "3")
THREE = FEW + "rounds = 3\n" + ASK
PAIRS = HEAD.replace("1, 12", "4, 4") + "teams = 2\nrounds = 3\n" + ASK
ANSWERS = 300  # of a game, so long as it does not end
MOST_CALLS = 100_000  # of functions, until a sheet is refused

READ = [
    (WIZARD.encode("utf-16"), "1: file: is no text in UTF-8: must be TOML"),
    (bytes(range(256)), "2: file: is no text in UTF-8"),
    (HEAD.encode() + b'ask = [{ id = "\xc3" }]', "3: file: is no text in UTF-8"),
    (b"#" * 10**6, "1: file: has 1000000 bytes: must be at most 65536"),
    ("<html><body>404</body></html>", "1: "),
    (HEAD + 'ask = [{ id = "a" }', "3: ask: "),
    (HEAD + "ask = [{ id = “a” }]", "3: ask: invalid value: must be a number, or a text in straight quotes"),
    (HEAD + ASK + 'end = "a > 3', "4: end: "),
    (HEAD + ASK + "[keep]\n[keep]", "5: keep: cannot declare"),
    (HEAD + 'ask = [{ id = "a" },\n { id = "a" }]', "4: ask 2 id: a is the name of the ask in line 3 already"),
    (HEAD + ASK + f'points = "{"(" * 31}a{")" * 31}"', "4: points: column 31: is nested too deep"),
    (HEAD + ASK + f'points = "{"not " * 32}a"', "4: points: column 125: is nested too deep"),
    (HEAD + ASK + f'points = "a{" + a" * 100}"', "4: points: column 400: is longer than 400 characters"),
    (HEAD + ASK + 'points = "sum(most(count(a)))"', "4: points: column 10: count is one function over seats too deep"),
    (HEAD + ASK + 'points = "1000000000 * a"', "4: points: column 1: 1000000000 is no number here"),
    (HEAD + ASK + "points = 1000000000", "4: points: 1000000000 does not fit"),
    (HEAD + ASK + 'points = "a ** 9"', "4: points: column 3: ** is unknown"),
    (HEAD + ASK + 'points = "a / 2"', "4: points: column 3: / is unknown: must be //"),
    (HEAD + ASK + 'end = "a = 2"', "4: end: column 3: = is unknown: must be =="),
    (HEAD + ASK + 'let.b = "a +"', "4: let b: column 3: is no expression"),
    (HEAD + ASK + 'keep.b = "b.real"', "4: keep b: column 2: . is unknown"),
    (HEAD + ASK + 'keep.b = "__import__(1)"', "4: keep b: column 1: __import__ is unknown"),
    (HEAD + ASK + "points = \"'a' % 9\"", "4: points: column 1: \"'\" is unknown"),
    (HEAD + ASK + 'points = "sum(a, a)"', "4: points: column 1: sum has 2 values: must have one value"),
    (HEAD + ASK + 'points = "steps(fee, a)"', "4: points: column 7: steps needs the name of a table"),
    (HEAD + ASK + 'start = "9 // (players - 1)"', "4: start: with 1 players there is a division by 0"),
]  # fmt: skip

PLAYED = [
    ("a check that can never hold", THREE + 'check = "a > 999"', "5: check: never held in"),
    ("one of several", THREE + 'check = ["a > 5",\n"sum(a) < 0"]', "6: check 2: never held in"),
    ("one with a reason", THREE + 'check = [{ that = "0", says = "no" }]', "5: check 1 that: never held in"),
    ("two that exclude each other", THREE + 'check = ["a > 5",\n"a < 3"]', "6: check 2: never held in"),
    ("a division by 0 in a let", THREE + 'let.b = "a // 0"', "5: let b: a division by 0"),
    ("in a check", THREE + 'check = "a % 0 == 0"', "5: check: a division by 0"),
    ("in points", THREE + 'points = "9 // (a - a)"', "5: points: a division by 0"),
    ("in a keep", THREE + 'keep.b = "a // b"', "5: keep b: a division by 0"),
    ("in out", THREE + 'out = "1 // 0"', "5: out: a division by 0"),
    ("in end", THREE + 'end = "total // 0"', "5: end: a division by 0"),
    ("in final points", THREE + 'final = [{ id = "b", points = "b // 0" }]', "5: final 1 points: a division by 0"),
    ("in win", THREE + 'win = ["total", "1 // 0"]', "5: win: a division by 0 counted"),
    ("in together", THREE + 'together = "1 // 0"', "5: together: a division by 0 counted"),
    ("a keep of 10 digits", FEW + "rounds = 30\n" + ASK + 'keep.b = "b * 10 + 9"', "5: keep b: a number has 10 digits"),
    ("a total of 10 digits", THREE + 'total = "total + 999999999"', "5: total: a number has 10 digits"),
    ("partners who are not level", PAIRS + 'points = "seat"', "6: points: the partners of"),
    ("not at the end", PAIRS + 'points = 1\nfinal = [{ id = "b", points = "seat" }]', "7: final 1 points: the"),
]  # fmt: skip


REMARKED = [
    ("an end that never comes", FEW + ASK + 'end = "total < 0"', "4: end: the end never came in"),
    ("nobody is ever out", FEW + ASK + 'out = "total < 0"', "4: out: the end never came in"),
    ("rounds without end", FEW + "rounds = 999999999\n" + ASK, "3: rounds: the end never came in"),
    ("nobody is ever asked", FEW + 'ask = [{ id = "a", when = 0 }]\nend = "a"', "4: end: the end never came in"),
    ("a race to nowhere", FEW + 'race = { kind = "first" }\nend = "total < 0"', "4: end: the end never"),
    ("no effect", THREE.replace("}]", '}, { id = "b" }]') + 'points = "a"', "4: ask 2: its answers change"),
    (
        "one in some rounds",
        THREE.replace("[{", '[{ id = "b", kind = "yes" }, {') + 'points = "0 if b else a"',
        '4: ask 2: its answers change nothing where b is 1: must have when = "b != 1"',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("given", "first"), READ)
def test_refused_with_line_and_key(given: str | bytes, first: str) -> None:
    with pytest.raises(SheetErrors) as errors:
        read(given, "my.toml")
    assert str(errors.value).startswith(f"my.toml:{first}")


def refuse(given: str | bytes) -> None:
    with pytest.raises(SheetErrors):
        read(given)


@pytest.mark.parametrize("given", [given for given, _ in (*READ, *REFUSED)])
def test_a_refusal_takes_few_steps(given: str | bytes) -> None:
    assert calls_of(lambda: refuse(given)) < MOST_CALLS


@pytest.mark.parametrize(("given", "first"), [row[1:] for row in PLAYED], ids=[row[0] for row in PLAYED])
def test_named_once_it_is_played(given: str, first: str) -> None:
    trial = Trial(rules("sheet:my", read(given), given), "my.toml", most=ANSWERS)
    tried = [trial.tried(players) for players in sorted(set(trial.rules.seats))]
    assert [str(error)[: len(first) + 8] for error in trial.wrong()] == [f"my.toml:{first}"]
    assert all(one.answers <= GAMES * ANSWERS for one in tried)


@pytest.mark.parametrize(("given", "first"), [row[1:] for row in REMARKED], ids=[row[0] for row in REMARKED])
def test_remarked_once_it_is_played(given: str, first: str) -> None:
    """It may be meant so: nothing is wrong."""
    trial = Trial(rules("sheet:my", read(given), given), "my.toml", most=ANSWERS)
    for players in sorted(set(trial.rules.seats)):
        trial.tried(players)
    assert [str(error)[: len(first) + 8] for error in trial.remarks()] == [f"my.toml:{first}"]
    assert trial.wrong() == ()


NIL = "(0 if bid else 100 * (1 if won == 0 else -1))"
THREE_HANDED = f"""title = "Spades for three"
players = [3, 3]
first = "rotates"
ask = [{{ id = "bid", high = 17 }}, {{ id = "won", high = 17 }}]
check = "sum(won) == 17"
let.over = "won - bid if won >= bid else 0"
points = "(10 * bid if won >= bid else -10 * bid) + over + {NIL} - 100 * ((bags + over) // 10)"
keep.bags = "(bags + over) % 10"
end = "total >= 500"
"""


@pytest.mark.parametrize("text", [(SHIPPED / "spades.toml").read_text("utf-8"), THREE_HANDED], ids=["four", "three"])
def test_an_end_that_nobody_meets_by_chance_is_made_for(text: str) -> None:
    trial = Trial(rules("sheet:my", read(text), text), "my.toml")
    tried = trial.tried(trial.rules.seats[0])
    assert (trial.remarks(), trial.wrong(), tried.ended > 0) == ((), (), True)


DEAR = 'let.l{n} = "team(others(' + "a+" * 190 + 'a))"'  # the slowest for its steps
TWELVE = HEAD + ASK


def with_lets(many: int) -> str:
    return TWELVE + "\n".join(DEAR.format(n=n) for n in range(many))


@pytest.mark.parametrize(
    ("given", "first"),
    [
        (with_lets(8), "11: let l7: there are more than 20000 steps with 12 players: must be at most 20000"),
        (TWELVE + "\n".join(f"keep.k{n} = 1" for n in range(100)), "4: keep: with all others there are 101: must be"),
    ],
)
def test_a_sheet_that_would_be_slow_to_play_is_refused_in_a_file_and_read_in_a_journal(given: str, first: str) -> None:
    with pytest.raises(SheetErrors, match=f"^my.toml:{first}"):
        read(given, "my.toml")
    assert read(given, known=True).title == "T"


def test_a_round_of_the_dearest_sheet_takes_few_steps() -> None:
    """Calls, not time: 20 ns each make 5 ms."""
    table = Table(with_lets(7), 12)
    for seat in range(11):
        table.say(seat, "a", 1)
    assert calls_of(lambda: table.say(11, "a", 1)) < 40_000
