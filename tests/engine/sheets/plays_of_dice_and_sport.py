"""Games of dice, boxes, and what is thrown, rolled or hit."""

from collections.abc import Callable, Sequence

from tests.engine.sheets.plays import Answers, Play, Sums, Totals, added, by_round, by_seat, number, numbers

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def boxes(bonus: int) -> Sums:
    """Sums of a card of boxes: `bonus` for 63 or more above the line, in the turn that reaches them."""

    def sums(play: Play) -> list[Totals]:
        cards: list[dict[str, int]] = [{} for _ in range(play.players)]
        totals = []
        for answers in play.steps:
            (box,) = set(answers) - {"by"}
            cards[number(answers, "by")][box] = number(answers, box)
            totals.append([card_total(card) for card in cards])
        if play.final is not None:
            further = numbers(play.final, "extra")
            totals.append([total + 100 * more for total, more in zip(totals[-1], further, strict=True)])
        return totals

    def card_total(card: dict[str, int]) -> int:
        above = sum(card.get(box, 0) for box in UPPER)
        return sum(card.values()) + (bonus if above >= 63 else 0)

    return sums


def liars_dice(play: Play) -> list[Totals]:
    """Five dice each; one less each time; who has none left stays out."""
    left, totals = [5] * play.players, []
    for answers in play.steps:
        loser = number(answers, "loser")
        left[loser] = max(left[loser] - 1, 0)
        totals.append(list(left))
    return totals


def molkky(play: Play) -> list[Totals]:
    """Exactly 50; past it, back to 25."""
    total, totals = [0] * play.players, []
    for turn in play.steps:
        seat = number(turn, "by")
        total[seat] += number(turn, "pins")
        if total[seat] > 50:
            total[seat] = 25
        totals.append(list(total))
    return totals


def darts_501(play: Play) -> list[Totals]:
    """Down to exactly 0; below it, or 1 left, the throw counts nothing."""
    left = [501] * play.players
    totals = []
    for turn in play.steps:
        seat = number(turn, "by")
        after = left[seat] - number(turn, "darts")
        if after == 0 or after >= 2:
            left[seat] = after
        totals.append(list(left))
    return totals


def pass_the_pigs(play: Play) -> list[Totals]:
    """Pigs that touch, or one on the other, cost everything."""
    total, totals = [0] * play.players, []
    for turn in play.steps:
        seat = number(turn, "by")
        total[seat] = 0 if turn["luck"] else total[seat] + number(turn, "banked")
        totals.append(list(total))
    return totals


def bowling(play: Play) -> list[Totals]:
    """Pins as they fall: a ball counts once more for each spare before it, and for each strike one or two balls before.

    A sheet cannot know balls that are still to come, so totals are those of the pins fallen up to now.
    """
    balls: list[list[tuple[int, bool, bool]]] = [[] for _ in range(play.players)]  # pins, strike, spare
    total = [0] * play.players
    totals: list[Totals] = []
    for turn in play.steps:
        seat = number(turn, "by")
        thrown = [number(turn, ball) for ball in ("one", "two", "three") if ball in turn]
        last_frame = [other["by"] for other in play.steps[: len(totals)]].count(seat) == 9
        for n, pins in enumerate(thrown):
            before = balls[seat]
            total[seat] += pins
            if before and (before[-1][1] or before[-1][2]):
                total[seat] += pins
            if len(before) > 1 and before[-2][1]:
                total[seat] += pins
            counts = not last_frame  # in the tenth frame further balls are thrown instead
            strike = counts and n == 0 and pins == 10
            before.append((pins, strike, counts and n == 1 and sum(thrown) == 10))
        totals.append(list(total))
    return totals


def difference(side_points: Callable[[Answers], Sequence[int]]) -> Sums:
    """Sums of two sides, of which the better one scores what it has more."""

    def points(answers: Answers, _round: int) -> list[int]:
        first, second = side_points(answers)
        return [max(first - second, 0), max(second - first, 0)]

    def sums(play: Play) -> list[Totals]:
        sides = added([points(answers, n) for n, answers in enumerate(play.steps)], [0, 0])
        return [[total[seat % 2] for seat in range(play.players)] for total in sides]

    return sums


def bags(answers: Answers) -> list[int]:
    """3 in the hole, 1 on the board."""
    return [3 * h + b for h, b in zip(numbers(answers, "hole"), numbers(answers, "board"), strict=True)]


def petanque(play: Play) -> list[Totals]:
    """The boules of the side whose seat pressed."""
    sides, totals = [0, 0], []
    for press in play.steps:
        sides[number(press, "by") % 2] += number(press, "boules")
        totals.append([sides[seat % 2] for seat in range(play.players)])
    return totals


PINS = {"X": 10, "-": 0} | {str(n): n for n in range(1, 10)}


def turns(ask: str, players: int, *values: int) -> list[Answers]:
    """Turns one after the other, from seat 0."""
    return [{"by": n % players, ask: value} for n, value in enumerate(values)]


def cards(**values: list[int]) -> list[Answers]:
    """Turns that fill one box after the other, the same for all seats."""
    return [{"by": seat, box: value} for box, row in values.items() for seat, value in enumerate(row)]


def frames(*rows: str) -> list[Answers]:
    """Frames of all seats in turn: "X 9/ 81 -- XXX"."""
    games = [row.split() for row in rows]
    steps: list[Answers] = []
    for frame in zip(*games, strict=True):
        for seat, balls in enumerate(frame):
            pins: list[int] = []
            for ball in balls:
                pins.append(10 - pins[-1] if ball == "/" else PINS[ball])
            steps.append({"by": seat, **dict(zip(("one", "two", "three"), pins, strict=False))})
    return steps


PLAYS = [
    Play(
        "yahtzee",
        "63 exactly and 62, boxes struck out, further Yahtzees",
        2,
        cards(
            ones=[3, 2],
            twos=[6, 6],
            sixes=[18, 18],
            threes=[9, 9],
            yahtzee=[50, 0],
            fours=[12, 12],
            chance=[5, 30],
            fives=[15, 15],
            full_house=[25, 0],
            small_straight=[0, 30],
            large_straight=[40, 0],
            three_alike=[22, 17],
            four_alike=[0, 30],
        ),
        [
            [3, 0],
            [3, 2],
            [9, 2],
            [9, 8],
            [27, 8],
            [27, 26],
            [36, 26],
            [36, 35],
            [86, 35],
            [86, 35],
            [98, 35],
            [98, 47],
            [103, 47],
            [103, 77],
            [153, 77],
            [153, 92],
            [178, 92],
            [178, 92],
            [178, 92],
            [178, 122],
            [218, 122],
            [218, 122],
            [240, 122],
            [240, 139],
            [240, 139],
            [240, 169],
            [440, 169],
        ],
        [0],
        boxes(35),
        final={"extra": [2, None]},
    ),
    Play(
        "yahtzee",
        "alone, everything struck out",
        1,
        cards(
            ones=[0],
            twos=[0],
            threes=[0],
            fours=[0],
            fives=[0],
            sixes=[0],
            three_alike=[0],
            four_alike=[0],
            full_house=[0],
            small_straight=[0],
            large_straight=[0],
            yahtzee=[0],
            chance=[5],
        ),
        [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [5]],
        [],
        boxes(35),
    ),
    Play(
        "yatzy",
        "the bonus in the last box",
        2,
        cards(
            pair=[12, 10],
            two_pairs=[22, 0],
            three_alike=[18, 9],
            four_alike=[0, 24],
            small_straight=[15, 15],
            large_straight=[0, 20],
            house=[28, 0],
            chance=[23, 30],
            yatzy=[0, 50],
            sixes=[24, 12],
            fives=[15, 20],
            fours=[12, 8],
            threes=[9, 9],
            twos=[2, 6],
            ones=[1, 5],
        ),
        [
            [12, 0],
            [12, 10],
            [34, 10],
            [34, 10],
            [52, 10],
            [52, 19],
            [52, 19],
            [52, 43],
            [67, 43],
            [67, 58],
            [67, 58],
            [67, 78],
            [95, 78],
            [95, 78],
            [118, 78],
            [118, 108],
            [118, 108],
            [118, 158],
            [142, 158],
            [142, 170],
            [157, 170],
            [157, 190],
            [169, 190],
            [169, 198],
            [178, 198],
            [178, 207],
            [180, 207],
            [180, 213],
            [231, 213],
            [231, 218],
        ],
        [0],
        boxes(50),
    ),
    Play(
        "farkle",
        "exactly 10000, and one has more in the last lap",
        3,
        turns("dice", 3, 5000, 0, 2050, 4950, 9800, 3000, 50, 250, 0),
        [
            [5000, 0, 0],
            [5000, 0, 0],
            [5000, 0, 2050],
            [9950, 0, 2050],
            [9950, 9800, 2050],
            [9950, 9800, 5050],
            [10000, 9800, 5050],
            [10000, 10050, 5050],
            [10000, 10050, 5050],
        ],
        [1],
        by_seat(lambda turn: number(turn, "dice")),
    ),
    Play(
        "farkle",
        "the last lap goes on past the first seat",
        3,
        turns("dice", 3, 3000, 10000, 500, 8000),
        [[3000, 0, 0], [3000, 10000, 0], [3000, 10000, 500], [11000, 10000, 500]],
        [0],
        by_seat(lambda turn: number(turn, "dice")),
    ),
    Play(
        "pass_the_pigs",
        "all lost, one out of the game, exactly 100",
        3,
        [
            {"by": 0, "luck": 0, "banked": 60},
            {"by": 1, "luck": 0, "banked": 0},
            {"by": 2, "luck": 0, "banked": 45},
            {"by": 0, "luck": 1},
            {"by": 1, "luck": 0, "banked": 25},
            {"by": 2, "luck": 2},
            {"by": 0, "luck": 0, "banked": 10},
            {"by": 1, "luck": 0, "banked": 75},
        ],
        [[60, 0, 0], [60, 0, 0], [60, 0, 45], [0, 0, 45], [0, 25, 45], [0, 25, 0], [10, 25, 0], [10, 100, 0]],
        [1],
        pass_the_pigs,
    ),
    Play(
        "liars_dice",
        "the last one with dice",
        3,
        [{"loser": seat} for seat in (0, 1, 1, 0, 1, 2, 1, 1, 0, 0, 0)],
        [
            [4, 5, 5],
            [4, 4, 5],
            [4, 3, 5],
            [3, 3, 5],
            [3, 2, 5],
            [3, 2, 4],
            [3, 1, 4],
            [3, 0, 4],
            [2, 0, 4],
            [1, 0, 4],
            [0, 0, 4],
        ],
        [2],
        liars_dice,
    ),
    Play(
        "bowling",
        "the perfect game, alone",
        1,
        frames("X X X X X X X X X XXX"),
        [[10], [30], [60], [90], [120], [150], [180], [210], [240], [300]],
        [],
        bowling,
    ),
    Play(
        "bowling",
        "spares, strikes one after the other, misses; the last frame open, with a spare",
        3,
        frames("X 7/ 9- X -8 8/ -6 X X X81", "9/ 9/ 9/ 9/ 9/ 9/ 9/ 9/ 9/ 9/9", "-- 54 X X X 3/ -/ X 9- 72"),
        [
            [10, 0, 0],
            [10, 10, 0],
            [10, 10, 0],
            [30, 10, 0],
            [30, 29, 0],
            [30, 29, 9],
            [48, 29, 9],
            [48, 48, 9],
            [48, 48, 19],
            [58, 48, 19],
            [58, 67, 19],
            [58, 67, 39],
            [74, 67, 39],
            [74, 86, 39],
            [74, 86, 69],
            [84, 86, 69],
            [84, 105, 69],
            [84, 105, 92],
            [90, 105, 92],
            [90, 124, 92],
            [90, 124, 102],
            [100, 124, 102],
            [100, 143, 102],
            [100, 143, 122],
            [120, 143, 122],
            [120, 162, 122],
            [120, 162, 140],
            [167, 162, 140],
            [167, 190, 140],
            [167, 190, 149],
        ],
        [1],
        bowling,
    ),
    Play(
        "darts_501",
        "bust below 0, with 1 left",
        2,
        turns("darts", 2, 180, 100, 180, 100, 142, 140, 140, 140, 139, 22, 60, 21),
        [
            [321, 501],
            [321, 401],
            [141, 401],
            [141, 301],
            [141, 301],
            [141, 161],
            [141, 161],
            [141, 21],
            [2, 21],
            [2, 21],
            [2, 21],
            [2, 0],
        ],
        [1],
        darts_501,
    ),
    Play(
        "mini_golf",
        "eighteen holes, level",
        2,
        [{"strokes": strokes} for strokes in ([1, 7], [7, 1], *[[2, 2]] * 8, *[[3, 2], [2, 3]] * 4)],
        [
            [1, 7],
            [8, 8],
            [10, 10],
            [12, 12],
            [14, 14],
            [16, 16],
            [18, 18],
            [20, 20],
            [22, 22],
            [24, 24],
            [27, 26],
            [29, 29],
            [32, 31],
            [34, 34],
            [37, 36],
            [39, 39],
            [42, 41],
            [44, 44],
        ],
        [0, 1],
        by_round(lambda answers, _: numbers(answers, "strokes")),
    ),
    Play(
        "molkky",
        "past 50, three misses in a row",
        3,
        [
            *turns("pins", 3, 12, 0, 10, 12, 0, 12, 12, 0),
            *(
                {"by": seat, "pins": pins}
                for seat, pins in ((2, 0), (0, 12), (2, 12), (0, 3), (2, 0), (0, 12), (2, 8), (0, 12), (2, 8))
            ),
        ],
        [
            [12, 0, 0],
            [12, 0, 0],
            [12, 0, 10],
            [24, 0, 10],
            [24, 0, 10],
            [24, 0, 22],
            [36, 0, 22],
            [36, 0, 22],
            [36, 0, 22],
            [48, 0, 22],
            [48, 0, 34],
            [25, 0, 34],
            [25, 0, 34],
            [37, 0, 34],
            [37, 0, 42],
            [49, 0, 42],
            [49, 0, 50],
        ],
        [2],
        molkky,
    ),
    Play(
        "petanque",
        "three against two, past 13",
        5,
        [{"by": seat, "boules": boules} for seat, boules in ((0, 3), (3, 5), (1, 1), (4, 6), (2, 3), (1, 6), (4, 2))],
        [
            [3, 0, 3, 0, 3],
            [3, 5, 3, 5, 3],
            [3, 6, 3, 6, 3],
            [9, 6, 9, 6, 9],
            [12, 6, 12, 6, 12],
            [12, 12, 12, 12, 12],
            [14, 12, 14, 12, 14],
        ],
        [0, 2, 4],
        petanque,
    ),
    Play(
        "crokinole",
        "two against two, level rounds",
        4,
        [{"discs": discs} for discs in ([60, 45], [80, 80], [20, 75], [95, 15], [40, 35])],
        [[15, 0, 15, 0], [15, 0, 15, 0], [15, 55, 15, 55], [95, 55, 95, 55], [100, 55, 100, 55]],
        [0, 2],
        difference(lambda answers: numbers(answers, "discs")),
    ),
    Play(
        "cornhole",
        "one against one, past 21",
        2,
        [
            {"hole": [2, 1], "board": [1, 2]},
            {"hole": [0, 4], "board": [4, None]},
            {"hole": [3, 1], "board": [1, 3]},
            {"hole": [1, 1], "board": [0, 0]},
            {"hole": [0, 3], "board": [0, 1]},
            {"hole": [0, 1], "board": [1, 2]},
        ],
        [[2, 0], [2, 8], [6, 8], [6, 8], [6, 18], [6, 22]],
        [1],
        difference(bags),
    ),
]
