"""Races, and what is no game, at their edges: fewest and most players, and ties."""

from tests.engine.sheets.plays import Answers, Play, by_round, by_seat, number
from tests.engine.sheets.plays_of_races import answered, first_scores, ghost_blitz, halli_galli, placed, spoons


def one_after_another(races: int) -> list[Answers]:
    """Races of twelve in which the seats are first one after another, over and over."""
    return [{"placed": [int(seat == race % 12) for seat in range(12)]} for race in range(races)]


def all_but_the_first_seat_lose() -> list[Answers]:
    """Races of twelve in which seats 1 to 11 are last one after another, until each has lost five letters."""
    races: list[Answers] = []
    for race in range(55):
        last = 1 + race % 11
        out = range(1, last) if race >= 44 else range(0)
        order = [seat for seat in range(12) if seat != last and seat not in out] + [last]
        races.append({"placed": [order.index(seat) + 1 if seat in order else 0 for seat in range(12)]})
    return races


PLAYS: list[Play] = [
    Play(
        "counter",
        "one player, below 0 and back",
        1,
        [{"by": 0, "more": 12}, {"by": 0, "more": -20}, {"by": 0, "more": 8}],
        [[12], [-8], [0]],
        [],
        by_seat(lambda press: number(press, "more")),
        end="finish",
    ),
    Play(
        "counter",
        "twelve players, the first and the last are level",
        12,
        [{"by": 11, "more": 7}, {"by": 0, "more": -3}, {"by": 5, "more": 6}, {"by": 0, "more": 10}],
        [
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7],
            [-3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7],
            [-3, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 7],
            [7, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 7],
        ],
        [0, 11],
        by_seat(lambda press: number(press, "more")),
        end="finish",
    ),
    Play(
        "ghost_blitz",
        "two players, both wrong about a card; level",
        2,
        answered("0- 1+ 1- 0+ 1+ 1+ 0- 1- 0+ 1+"),
        [[0, 0], [0, 1], [0, 0], [2, 0], [2, 1], [2, 2], [1, 2], [1, 1], [2, 1], [2, 2]],
        [0, 1],
        ghost_blitz,
        end="finish",
    ),
    Play(
        "ghost_blitz",
        "eight players, seven wrong, all wrong; two are level",
        8,
        answered("0+ 1+ 2+ 0- 1- 2- 3- 4- 5- 6- 7+ 6+ 6+ 7- 6+ 0- 1- 2- 3- 4- 5- 6- 7- 7+"),
        [
            [1, 0, 0, 0, 0, 0, 0, 0],
            [1, 1, 0, 0, 0, 0, 0, 0],
            [1, 1, 1, 0, 0, 0, 0, 0],
            [0, 1, 1, 0, 0, 0, 0, 0],
            [0, 0, 1, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 4],
            [0, 0, 0, 0, 0, 0, 1, 4],
            [0, 0, 0, 0, 0, 0, 2, 4],
            [0, 0, 0, 0, 0, 0, 2, 3],
            [0, 0, 0, 0, 0, 0, 4, 3],
            [0, 0, 0, 0, 0, 0, 4, 3],
            [0, 0, 0, 0, 0, 0, 4, 3],
            [0, 0, 0, 0, 0, 0, 4, 3],
            [0, 0, 0, 0, 0, 0, 4, 3],
            [0, 0, 0, 0, 0, 0, 4, 3],
            [0, 0, 0, 0, 0, 0, 4, 3],
            [0, 0, 0, 0, 0, 0, 3, 3],
            [0, 0, 0, 0, 0, 0, 3, 2],
            [0, 0, 0, 0, 0, 0, 3, 3],
        ],
        [6, 7],
        ghost_blitz,
        end="finish",
    ),
    Play(
        "halli_galli",
        "two players with as many cards, but not as many bells",
        2,
        answered("0+ 1- 1+ 0+"),
        [[1, 0], [1, 0], [1, 1], [2, 1], [28, 28]],
        [0, 1],
        halli_galli,
        final={"cards": [28, 28]},
        end="finish",
    ),
    Play(
        "halli_galli",
        "six players, two are left with as many cards",
        6,
        answered("5- 0+ 3+ 3- 0+ 0+"),
        [
            [0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0, 0],
            [1, 0, 0, 1, 0, 0],
            [1, 0, 0, 1, 0, 0],
            [2, 0, 0, 1, 0, 0],
            [3, 0, 0, 1, 0, 0],
            [28, 0, 0, 28, 0, 0],
        ],
        [0, 3],
        halli_galli,
        final={"cards": [28, 0, 0, 28, 0, 0]},
        end="finish",
    ),
    Play(
        "jungle_speed",
        "two players, no cards left after fewer duels",
        2,
        [
            {"by": 0, "right": 1, "rid": 0},
            {"by": 0, "right": 1, "rid": 0},
            {"by": 0, "right": 0},
            {"by": 1, "right": 1, "rid": 1},
        ],
        [[1, 0], [2, 0], [2, 0], [2, 1]],
        [1],
        by_seat(lambda grab: number(grab, "right")),
    ),
    Play(
        "jungle_speed",
        "ten players, the last one has no cards left",
        10,
        [
            {"by": 9, "right": 1, "rid": 0},
            {"by": 4, "right": 0},
            {"by": 0, "right": 1, "rid": 0},
            {"by": 9, "right": 1, "rid": 1},
        ],
        [
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 2],
        ],
        [9],
        by_seat(lambda grab: number(grab, "right")),
    ),
    Play(
        "karuta",
        "three players, two take forty cards",
        3,
        placed("100 010 001 100 010") * 20,
        [
            [n // 5 * 2 + (0, 1, 1, 1, 2)[n % 5], n // 5 * 2 + (0, 0, 1, 1, 1)[n % 5], n // 5 + (0, 0, 0, 1, 1)[n % 5]]
            for n in range(1, 101)
        ],
        [0, 1],
        by_round(first_scores),
    ),
    Play(
        "karuta",
        "twelve players, four take nine cards",
        12,
        one_after_another(100),
        [[(n + 11 - seat) // 12 for seat in range(12)] for n in range(1, 101)],
        [0, 1, 2, 3],
        by_round(first_scores),
    ),
    Play(
        "quiz_buzzer",
        "two players, nine all",
        2,
        answered("0+ " * 9 + "1+ " * 9 + "0- 1+"),
        [*[[n, 0] for n in range(1, 10)], *[[9, n] for n in range(1, 10)], [8, 9], [8, 10]],
        [1],
        by_seat(lambda answer: 1 if answer["right"] else -1),
    ),
    Play(
        "quiz_buzzer",
        "six players, all wrong",
        6,
        answered("0- 1- 2- 3- 4- 5- " + "5+ " * 11),
        [
            [-1, 0, 0, 0, 0, 0],
            [-1, -1, 0, 0, 0, 0],
            [-1, -1, -1, 0, 0, 0],
            [-1, -1, -1, -1, 0, 0],
            [-1, -1, -1, -1, -1, 0],
            [-1, -1, -1, -1, -1, -1],
            *[[-1, -1, -1, -1, -1, n] for n in range(11)],
        ],
        [5],
        by_seat(lambda answer: 1 if answer["right"] else -1),
    ),
    Play(
        "reaction_duel",
        "two players, level in the last race",
        2,
        placed("21 21 21 21 12 12 12 12 11"),
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 4], [2, 4], [3, 4], [4, 4], [5, 5]],
        [0, 1],
        by_round(first_scores),
    ),
    Play(
        "reaction_duel",
        "eight players, two are level five times",
        8,
        placed("13456781 81234567 01234567 13456781 13456781 13456781 13456781"),
        [
            [1, 0, 0, 0, 0, 0, 0, 1],
            [1, 1, 0, 0, 0, 0, 0, 1],
            [1, 2, 0, 0, 0, 0, 0, 1],
            [2, 2, 0, 0, 0, 0, 0, 2],
            [3, 2, 0, 0, 0, 0, 0, 3],
            [4, 2, 0, 0, 0, 0, 0, 4],
            [5, 2, 0, 0, 0, 0, 0, 5],
        ],
        [0, 7],
        by_round(first_scores),
    ),
    Play(
        "set",
        "two players, level",
        2,
        answered("0- 0+ 0+ 1+"),
        [[-1, 0], [0, 0], [1, 0], [1, 1]],
        [0, 1],
        by_seat(lambda call: 1 if call["right"] else -1),
        end="finish",
    ),
    Play(
        "set",
        "twelve players, the first and the last are level",
        12,
        [
            {"by": 11, "right": 1},
            {"by": 0, "right": 1},
            {"by": 5, "right": 0},
            {"by": 11, "right": 0},
            {"by": 11, "right": 1},
        ],
        [
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 1],
        ],
        [0, 11],
        by_seat(lambda call: 1 if call["right"] else -1),
        end="finish",
    ),
    Play(
        "spoons",
        "twelve players, all but the first go out one after another",
        12,
        all_but_the_first_seat_lose(),
        [[5, *[5 - (n + 11 - seat) // 11 for seat in range(1, 12)]] for n in range(1, 56)],
        [0],
        spoons,
    ),
]
