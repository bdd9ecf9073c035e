"""The sheets of the contract's page, word for word, and those that reach what they do not."""

WIZARD = """
title = "Wizard"
players = [3, 6]
rounds = "60 // players"
first = "rotates"
ask = [
  { id = "bid", title = "Your bid?", high = "round" },
  { id = "won", title = "Tricks won", high = "round" },
]
check = [{ that = "sum(won) == round", says = "Tricks must add up to {round}" }]
points = "20 + 10 * won if won == bid else -10 * abs(won - bid)"
"""

MOLKKY = """
title = "Mölkky"
players = [2, 8]
ask = [{ id = "pins", title = "Pins, or the number", high = 12, per = "turn" }]
total = "25 if total + pins > 50 else total + pins"
keep.misses = "misses + 1 if pins == 0 else 0"
end = "total == 50"
out = "misses == 3"
"""

SKAT = """
title = "Skat list"
players = [3, 4]
first = "rotates"
ask = [
  { id = "solo", title = "Who played?", kind = "seat", per = "table" },
  { id = "value", title = "Value of the game", low = 18, high = 264, per = "table", when = "solo >= 0" },
  { id = "won", kind = "yes", per = "table", when = "solo >= 0" },
]
points = "0 if solo != seat else value if won else -2 * value"
keep.wins = "wins + (solo == seat and won)"
keep.losses = "losses + (solo == seat and not won)"
keep.fallen = "fallen + (solo >= 0 and solo != seat and not won)"
final = [{ id = "seeger", title = "Seeger-Fabian?", kind = "yes", per = "table", points = "seeger * (50 * (wins - losses) + (40 if players == 3 else 30) * fallen)" }]
"""  # noqa: E501

TICHU = """
title = "Tichu"
players = [4, 4]
teams = 2
ask = [
  { id = "call", words = ["-", "Tichu", "Grand"] },
  { id = "out_first", title = "Who was out first?", kind = "seat", per = "table", low = 0 },
  { id = "double", title = "Double victory?", kind = "yes", per = "table" },
  { id = "cards", title = "Card points", low = -25, high = 125, step = 5, per = "team" },
]
check = ["double or sum(cards) == 200"]       # both seats of a team hold its number
let.called = "100 * call * (1 if out_first == seat else -1)"
points = "team(called) + (200 * (out_first % 2 == side) if double else cards)"
end = "total >= 1000"
"""

SCRABBLE = """
title = "Scrabble"
players = [2, 4]
ask = [{ id = "word", high = 400, per = "turn" }]
final = [{ id = "left", title = "Points on your rack", high = 99, points = "sum(left) if left == 0 else -left" }]
clock = { kind = "chess", minutes = 25 }
"""

BUZZER = """
title = "Quiz buzzer"
players = [2, 6]
race = { kind = "first", lock_out = true }
ask = [{ id = "right", title = "{seat}: right?", kind = "yes", per = "race" }]
points = "1 if right else -1"
end = "total >= 10"
"""

PAGE = {"wizard": WIZARD, "molkky": MOLKKY, "skat": SKAT, "tichu": TICHU, "scrabble": SCRABBLE, "buzzer": BUZZER}

HEAD = 'title = "T"\nplayers = [1, 12]\n'


def sheet(players: str, *lines: str) -> str:
    """A sheet of these lines."""
    return "\n".join(('title = "T"', f"players = {players}", *lines))


TURN = 'ask = [{ id = "a", low = -9, high = 9, per = "turn" }]'
EACH = 'ask = [{ id = "a", low = -9, high = 9 }]'

# what the page's sheets do not reach
OWN = {
    "golf": sheet("[1, 6]", "rounds = 9", EACH, 'win = "-total"', 'first = "lowest"'),
    "lap": sheet("[1, 5]", TURN, 'end = "total >= 15"', 'last = "lap"', 'first = "rotates"'),
    "last round": sheet("[1, 5]", TURN, 'end = "total >= 15"', 'last = "round"', 'first = "highest"'),
    "lives": sheet("[1, 6]", EACH, "start = 9", 'total = "total - abs(a)"', 'out = "total <= 0"'),
    "turns out": sheet("[2, 6]", TURN, 'out = "turns > 2 and place(total) == players"', 'end = "round > 20"'),
    "boxes": sheet(
        "[1, 4]",
        "ask = [",
        '  { id = "a", per = "box" },',
        '  { id = "b", per = "box", kind = "yes" },',
        '  { id = "c", per = "box", words = ["x", "y", "z"], when = "total > 20" },',
        "]",
        'points = "a + 25 * b + 10 * c"',
        'check = "a % 2 == 0"',
    ),
    "boxes of teams": sheet(
        "[4, 4]",
        "teams = 2",
        'ask = [{ id = "a", per = "box" }, { id = "b", per = "box" }]',
        'last = "lap"',
        'end = "a > 500"',
    ),
    "any": sheet("[1, 8]", 'ask = [{ id = "a", low = -5, high = 5, per = "any" }]', 'end = "total >= 20"'),
    "counter": sheet(
        "[1, 12]", 'ask = [{ id = "a", low = -999, per = "any" }, { id = "b", kind = "yes", per = "any" }]'
    ),
    "first": sheet("[1, 6]", 'race = { kind = "first" }', 'end = "total >= 5"'),
    "last": sheet("[2, 6]", 'race = { kind = "last" }', "rounds = 6", 'points = "-(placed == players)"'),
    "order": sheet("[2, 6]", 'race = { kind = "order" }', "rounds = 5", 'points = "players - placed if placed else 0"'),
    "order of teams": sheet("[4, 6]", 'race = { kind = "order" }', "rounds = 5", "teams = 2"),
    "order, asked": sheet("[2, 6]", 'race = { kind = "order" }', "rounds = 5", 'ask = [{ id = "a", per = "race" }]'),
    "signal": sheet("[1, 6]", 'race = { kind = "signal", delay = [0.1, 0.3] }', 'end = "total >= 4"'),
    "signal again": sheet("[1, 6]", 'race = { kind = "signal", jump = "again" }', "rounds = 4"),
    "together": sheet(
        "[1, 5]", "rounds = 4", EACH, 'together = "sum(total) >= 20"', 'final = [{ id = "saved", per = "table" }]'
    ),
    "teams": sheet(
        "[2, 6]",
        "teams = 2",
        "rounds = 4",
        'ask = [{ id = "a" }, { id = "b", low = -3, per = "team" }, { id = "who", kind = "seat", per = "table" }]',
        'check = [{ that = "sum(a) % 2 == 0", says = "{who} and {a}" }, "b < 900"]',
        'final = [{ id = "f" }]',
    ),
    "faults": sheet(
        "[2, 4]", "rounds = 4", EACH, 'let.b = "100 // a"', 'total = "(total + b) * 999"', 'win = "9 // a"'
    ),
    "nobody asked": sheet("[2, 4]", "rounds = 4", 'ask = [{ id = "a", when = "round % 2" }]'),
    "sand": sheet("[2, 4]", "rounds = 4", EACH, 'clock = { kind = "sand", minutes = 3 }'),
    "turn clock": sheet("[2, 4]", "rounds = 4", 'clock = { kind = "turn", seconds = 30 }'),
    "chess clock": sheet("[2, 2]", 'points = "0"', 'clock = { kind = "chess", minutes = 5, plus = 3 }'),
    "any by the clock": sheet(
        "[2, 4]", 'ask = [{ id = "a", per = "any" }]', 'end = "total > 2000"', 'clock = { kind = "turn", seconds = 9 }'
    ),
    "race by the clock": sheet(
        "[2, 4]", 'race = { kind = "first" }', "rounds = 4", 'clock = { kind = "turn", seconds = 9 }'
    ),
}
SHELF = {**PAGE, **OWN}
