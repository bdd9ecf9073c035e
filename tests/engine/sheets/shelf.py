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

PAGE = {
    "wizard": WIZARD,
    "molkky": MOLKKY,
    "skat": SKAT,
    "tichu": TICHU,
    "scrabble": SCRABBLE,
    "buzzer": BUZZER,
}

HEAD = 'title = "T"\nplayers = [1, 12]\n'
