"""Games on boards and with tiles: what is counted at the end, and what is written down turn by turn."""

from tests.engine.sheets.plays import Answers, Play, Refused, Totals, added, by_round, by_seat, number, numbers


def ticket_to_ride(answers: Answers, _round: int) -> list[int]:
    """Routes, tickets, and 10 for each who has a longest path."""
    points = [r + t for r, t in zip(numbers(answers, "routes"), numbers(answers, "tickets"), strict=True)]
    path = numbers(answers, "path")
    for seat, trains in enumerate(path):
        if trains == max(path):
            points[seat] += 10
    return points


def carcassonne(play: Play) -> list[Totals]:
    """What is scored at any time, and what is counted at the end."""
    gains = []
    for answers in play.steps:
        gain = [0] * play.players
        gain[number(answers, "by")] = number(answers, "scored")
        gains.append(gain)
    assert play.final is not None
    return added([*gains, numbers(play.final, "fields")], [0] * play.players)


def catan(answers: Answers, _round: int) -> list[int]:
    """1 a settlement and a card, 2 a city, 2 for the road and the army."""
    points = [
        s + c + c + v
        for s, c, v in zip(*(numbers(answers, ask) for ask in ("settlements", "cities", "cards")), strict=True)
    ]
    for ask in ("road", "army"):
        if number(answers, ask) >= 0:
            points[number(answers, ask)] += 2
    return points


def seven_wonders(answers: Answers, _round: int) -> list[int]:
    """Three coins are a point; science is each symbol squared and 7 for each set of three."""
    points = []
    for seat, coins in enumerate(numbers(answers, "coins")):
        total = coins // 3
        for ask in ("military", "wonder", "civilian", "commerce", "guilds"):
            total += numbers(answers, ask)[seat]
        symbols = [numbers(answers, ask)[seat] for ask in ("compasses", "gears", "tablets")]
        total += sum(n**2 for n in symbols) + 7 * min(symbols)
        points.append(total)
    return points


SCORED = {  # the numbers from which there are 1, 2, 3, 4 points; fewer are -1
    "fields": (2, 3, 4, 5),
    "pastures": (1, 2, 3, 4),
    "grain": (1, 4, 6, 8),
    "vegetables": (1, 2, 3, 4),
    "sheep": (1, 4, 6, 8),
    "boar": (1, 3, 5, 7),
    "cattle": (1, 2, 4, 6),
}


def agricola(answers: Answers, _round: int) -> list[int]:
    """The scoring table, -1 an unused space, rooms 1 and 2, stables 1, people 3, begging -3, and what cards say."""
    points = []
    for seat, cards in enumerate(numbers(answers, "cards")):
        total = cards
        for ask, steps in SCORED.items():
            total += len([step for step in steps if numbers(answers, ask)[seat] >= step]) or -1
        for ask, worth in {"unused": -1, "stables": 1, "clay": 1, "stone": 2, "family": 3, "begging": -3}.items():
            total += worth * numbers(answers, ask)[seat]
        points.append(total)
    return points


FLOOR = (-1, -1, -2, -2, -2, -3, -3)  # each tile of the floor line


def azul(play: Play) -> list[Totals]:
    """What the tiles score, less the floor line, never below 0; at the end 2 a row, 7 a column, 10 a colour."""
    total, totals = [0] * play.players, []
    for answers in play.steps:
        for seat, wall in enumerate(numbers(answers, "wall")):
            fallen = sum(FLOOR[: numbers(answers, "floor")[seat]])
            total[seat] = max(total[seat] + wall + fallen, 0)
        totals.append(list(total))
    assert play.final is not None
    for ask, worth in {"rows": 2, "columns": 7, "colours": 10}.items():
        for seat, many in enumerate(numbers(play.final, ask)):
            total[seat] += worth * many
    return [*totals, total]


def wingspan(answers: Answers, _round: int) -> list[int]:
    """Everything but the food that is left."""
    asks = ("birds", "bonus", "goals", "eggs", "cached", "tucked")
    return [sum(seat) for seat in zip(*(numbers(answers, ask) for ask in asks), strict=True)]


def qwirkle(play: Play) -> list[Totals]:
    """The points of each turn, and 6 for who used all tiles."""
    gains = []
    for turn in play.steps:
        gain = [0] * play.players
        gain[number(turn, "by")] = number(turn, "tiles")
        gains.append(gain)
    assert play.final is not None
    last = [0] * play.players
    if number(play.final, "closer") >= 0:
        last[number(play.final, "closer")] = 6
    return added([*gains, last], [0] * play.players)


def scrabble(play: Play) -> list[Totals]:
    """The words; at the end each loses the rack, and who has used all tiles has all the racks."""
    gains = []
    for turn in play.steps:
        gain = [0] * play.players
        gain[number(turn, "by")] = number(turn, "word")
        gains.append(gain)
    assert play.final is not None
    left, closer = numbers(play.final, "left"), number(play.final, "closer")
    return added([*gains, [sum(left) if seat == closer else -rack for seat, rack in enumerate(left)]], [0] * len(left))


def rummikub(answers: Answers, _round: int) -> list[int]:
    """Each loser loses what is left more than the winner's; the winner has the sum of that."""
    left, winner = numbers(answers, "left"), number(answers, "winner")
    lost = [left[winner] - tiles for tiles in left]
    lost[winner] = -sum(lost)
    return lost


def qwixx(answers: Answers, _round: int) -> list[int]:
    """A row of n crosses is worth 1 + 2 + … + n; a misthrow costs 5."""
    points = []
    for seat, misses in enumerate(numbers(answers, "misses")):
        rows = (numbers(answers, colour)[seat] for colour in ("red", "yellow", "green", "blue"))
        points.append(sum(sum(range(crosses + 1)) for crosses in rows) - 5 * misses)
    return points


def in_turn(ask: str, players: int, *values: int) -> list[Answers]:
    """Turns one after the other, from seat 0."""
    return [{"by": n % players, ask: value} for n, value in enumerate(values)]


def lands(*rows: tuple[int, int, int]) -> list[Answers]:
    """Lands of Kingdomino: whose, squares, crowns."""
    return [{"by": seat, "squares": squares, "crowns": crowns} for seat, squares, crowns in rows]


PLAYS = [
    Play(
        "ticket_to_ride",
        "two longest paths, tickets below 0; tickets done break the tie",
        3,
        [{"routes": [60, 55, 80], "tickets": [20, 25, -15], "done": [3, 4, 1], "path": [30, 30, 29]}],
        [[90, 90, 65]],
        [1],
        by_round(ticket_to_ride),
    ),
    Play(
        "ticket_to_ride",
        "the path breaks the tie",
        2,
        [{"routes": [60, 70], "tickets": [0, 0], "done": [2, 2], "path": [30, 29]}],
        [[70, 70]],
        [0],
        by_round(ticket_to_ride),
    ),
    Play(
        "carcassonne",
        "the end turns it",
        2,
        [{"by": 0, "scored": 8}, {"by": 0, "scored": 3}, {"by": 1, "scored": 9}],
        [[8, 0], [11, 0], [11, 9], [17, 21]],
        [1],
        carcassonne,
        final={"fields": [6, 12]},
        end="finish",
    ),
    Play(
        "catan",
        "the longest road is nobody's",
        4,
        [{"settlements": [3, 2, 5, 1], "cities": [2, 3, 0, 4], "cards": [1, 0, 2, 1], "road": -1, "army": 0}],
        [[10, 8, 7, 10]],
        [0, 3],
        by_round(catan),
    ),
    Play(
        "catan",
        "road and army",
        3,
        [{"settlements": [2, 4, 3], "cities": [2, 0, 1], "cards": [0, 0, 1], "road": 0, "army": 0}],
        [[10, 4, 6]],
        [0],
        by_round(catan),
    ),
    Play(
        "seven_wonders",
        "battles lost, coins break the tie",
        3,
        [
            {
                "military": [18, -6, -1],
                "coins": [2, 11, 9],
                "wonder": [10, 3, 10],
                "civilian": [16, 10, 20],
                "commerce": [0, 5, 6],
                "guilds": [8, 0, 0],
                "compasses": [0, 4, 2],
                "gears": [1, 2, 0],
                "tablets": [0, 2, 3],
            }
        ],
        [[53, 53, 51]],
        [1],
        by_round(seven_wonders),
    ),
    Play(
        "agricola",
        "nothing at all, and each line of the table at its edges",
        4,
        [
            {
                "fields": [0, 2, 4, 5],
                "pastures": [0, 1, 3, 4],
                "grain": [0, 3, 7, 8],
                "vegetables": [0, 1, 3, 4],
                "sheep": [0, 3, 7, 8],
                "boar": [0, 2, 6, 7],
                "cattle": [0, 1, 5, 6],
                "unused": [13, 3, 1, 0],
                "stables": [0, 1, 3, 4],
                "clay": [0, 2, 0, 0],
                "stone": [0, 0, 3, 5],
                "family": [2, 3, 4, 5],
                "begging": [3, 1, 0, 0],
                "cards": [-2, 0, 4, 7],
            }
        ],
        [[-25, 13, 45, 64]],
        [3],
        by_round(agricola),
    ),
    Play(
        "agricola",
        "alone",
        1,
        [
            {
                "fields": [1],
                "pastures": [2],
                "grain": [4],
                "vegetables": [2],
                "sheep": [4],
                "boar": [3],
                "cattle": [2],
                "unused": [0],
                "stables": [0],
                "clay": [4],
                "stone": [0],
                "family": [5],
                "begging": [0],
                "cards": [1],
            }
        ],
        [[31]],
        [],
        by_round(agricola),
    ),
    Play(
        "azul",
        "never below 0, the whole floor line; rows break the tie",
        3,
        [
            {"wall": [2, 5, 1], "floor": [3, 0, 7], "ready": 0},
            {"wall": [20, 12, 10], "floor": [1, 4, 2], "ready": 0},
            {"wall": [9, 24, 10], "floor": [6, 5, 0], "ready": 1},
        ],
        [[0, 5, 0], [19, 11, 8], [17, 27, 18], [33, 35, 35]],
        [1],
        azul,
        final={"rows": [1, 4, 0], "columns": [2, 0, 1], "colours": [0, 0, 1]},
    ),
    Play(
        "kingdomino",
        "the largest land breaks the tie, then crowns",
        4,
        lands((0, 5, 4), (1, 9, 5), (2, 12, 3), (3, 12, 3), (0, 4, 5), (2, 3, 3), (3, 9, 1), (0, 13, 0)),
        [
            [20, 0, 0, 0],
            [20, 45, 0, 0],
            [20, 45, 36, 0],
            [20, 45, 36, 36],
            [40, 45, 36, 36],
            [40, 45, 45, 36],
            [40, 45, 45, 45],
            [40, 45, 45, 45],
        ],
        [2],
        by_seat(lambda land: number(land, "squares") * number(land, "crowns")),
        end="finish",
    ),
    Play(
        "kingdomino",
        "all is level",
        2,
        lands((0, 6, 2), (1, 6, 2)),
        [[12, 0], [12, 12]],
        [0, 1],
        by_seat(lambda land: number(land, "squares") * number(land, "crowns")),
        end="finish",
    ),
    Play(
        "wingspan",
        "food breaks the tie",
        2,
        [
            {
                "birds": [40, 51],
                "bonus": [7, 3],
                "goals": [12, 8],
                "eggs": [15, 20],
                "cached": [3, 0],
                "tucked": [9, 4],
                "food": [2, 1],
            }
        ],
        [[86, 86]],
        [0],
        by_round(wingspan),
    ),
    Play(
        "qwirkle",
        "all tiles used",
        2,
        in_turn("tiles", 2, 12, 6, 0, 8),
        [[12, 0], [12, 6], [12, 6], [12, 14], [12, 20]],
        [1],
        qwirkle,
        final={"closer": 1},
        end="finish",
    ),
    Play(
        "qwirkle",
        "nobody used all tiles",
        3,
        in_turn("tiles", 3, 4, 6, 6),
        [[4, 0, 0], [4, 6, 0], [4, 6, 6], [4, 6, 6]],
        [1, 2],
        qwirkle,
        final={"closer": -1},
        end="finish",
    ),
    Play(
        "scrabble",
        "who has no tile has all racks",
        3,
        in_turn("word", 3, 70, 64, 12, 0, 8, 25),
        [[70, 0, 0], [70, 64, 0], [70, 64, 12], [70, 64, 12], [70, 72, 12], [70, 72, 37], [67, 86, 26]],
        [1],
        scrabble,
        final={"closer": 1, "left": [3, None, 11]},
        end="finish",
    ),
    Play(
        "scrabble",
        "nobody without a tile",
        2,
        in_turn("word", 2, 20, 22),
        [[20, 0], [20, 22], [19, 20]],
        [1],
        scrabble,
        final={"closer": -1, "left": [1, 2]},
        end="finish",
    ),
    Play(
        "rummikub",
        "out, and out of tiles to draw",
        4,
        [{"winner": 0, "left": [0, 15, 40, 5]}, {"winner": 2, "left": [30, 12, 7, 8]}],
        [[60, -15, -40, -5], [37, -20, -11, -6]],
        [0],
        by_round(rummikub),
        end="finish",
    ),
    Play(
        "mexican_train",
        "thirteen rounds, the lowest wins",
        3,
        [{"pips": pips} for pips in ([0, 30, 22], [18, 0, 5], *[[7, 4, 0]] * 10, [0, 61, 50])],
        [
            [0, 30, 22],
            [18, 30, 27],
            [25, 34, 27],
            [32, 38, 27],
            [39, 42, 27],
            [46, 46, 27],
            [53, 50, 27],
            [60, 54, 27],
            [67, 58, 27],
            [74, 62, 27],
            [81, 66, 27],
            [88, 70, 27],
            [88, 131, 77],
        ],
        [2],
        by_round(lambda answers, _: numbers(answers, "pips")),
    ),
    Play(
        "qwixx",
        "full rows, misthrows, below 0",
        3,
        [{"red": [12, 7, 0], "yellow": [5, 7, 1], "green": [0, 6, 2], "blue": [1, 3, 0], "misses": [0, 2, 4]}],
        [[94, 73, -16]],
        [0],
        by_round(qwixx),
    ),
]

REFUSED = [Refused("rummikub", 3, {"winner": 0, "left": [5, 4, 9]}, ["left", "winner"])]
