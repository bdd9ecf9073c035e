"""Races, and what is no game: places by seat where nobody is asked, else the answers of those who were first."""

from tests.engine.sheets.plays import Answers, Play, Totals, by_round, by_seat, number, numbers


def first_scores(answers: Answers, _round: int) -> list[int]:
    """1 for who was first, or for each of several."""
    return [1 if place == 1 else 0 for place in numbers(answers, "placed")]


def spoons(play: Play) -> list[Totals]:
    """Who is last of those who still play loses one of five letters; several may share the last place."""
    left, totals = [5] * play.players, []
    for answers in play.steps:
        placed = numbers(answers, "placed")
        for seat, place in enumerate(placed):
            if place and place == max(placed) and place > 1:
                left[seat] -= 1
        totals.append(list(left))
    return totals


def halli_galli(play: Play) -> list[Totals]:
    """Bells rung rightly; at the end the cards."""
    totals = by_seat(lambda ring: number(ring, "right"))(play)
    assert play.final is not None
    return [*totals[: len(play.steps)], numbers(play.final, "cards")]


def ghost_blitz(play: Play) -> list[Totals]:
    """The card for who is right, with those paid for it; who is wrong pays one, if there is one.

    What was paid for a card that nobody gets is gone.
    """
    total, pile, wrong, totals = [0] * play.players, 0, 0, []
    for answers in play.steps:
        seat = number(answers, "by")
        if "placed" in answers:
            pile = wrong = 0
        elif answers["right"]:
            total[seat] += 1 + pile
            pile = wrong = 0
        else:
            wrong += 1
            if total[seat] > 0:
                total[seat] -= 1
                pile += 1
        if wrong == play.players:
            pile = wrong = 0
        totals.append(list(total))
    return totals


def answered(row: str) -> list[Answers]:
    """Who was first, and whether rightly: "0+ 2-"."""
    return [{"by": int(step[0]), "right": int(step[1] == "+")} for step in row.split()]


def placed(row: str) -> list[Answers]:
    """Places by seat of each race: "120 013"; 0 has none."""
    return [{"placed": [int(place) for place in places]} for places in row.split()]


CYCLE = "100 010 100 001"  # who takes the cards, over and over

PLAYS = [
    Play(
        "halli_galli",
        "the cards decide, not the bells",
        3,
        answered("0+ 1- 0+ 2+ 1-"),
        [[1, 0, 0], [1, 0, 0], [2, 0, 0], [2, 0, 1], [2, 0, 1], [20, 8, 28]],
        [2],
        halli_galli,
        final={"cards": [20, 8, 28]},
        end="finish",
    ),
    Play(
        "ghost_blitz",
        "nothing to pay, one paid, two paid, paid for a card that nobody gets",
        3,
        [*answered("0- 1+ 1- 0+ 0- 1- 2+ 2- 0- 1+ 1+ 1-"), *placed("000"), *answered("2+")],
        [
            [0, 0, 0],
            [0, 1, 0],
            [0, 0, 0],
            [2, 0, 0],
            [1, 0, 0],
            [1, 0, 0],
            [1, 0, 2],
            [1, 0, 1],
            [0, 0, 1],
            [0, 3, 1],
            [0, 4, 1],
            [0, 3, 1],
            [0, 3, 1],
            [0, 3, 2],
        ],
        [1],
        ghost_blitz,
        end="finish",
    ),
    Play(
        "spoons",
        "the last place shared, a race that nobody ran",
        3,
        placed("123 132 231 122 000 312 123 213 123 120 120"),
        [
            [5, 5, 4],
            [5, 4, 4],
            [5, 3, 4],
            [5, 2, 3],
            [5, 2, 3],
            [4, 2, 3],
            [4, 2, 2],
            [4, 2, 1],
            [4, 2, 0],
            [4, 1, 0],
            [4, 0, 0],
        ],
        [0],
        spoons,
    ),
    Play(
        "jungle_speed",
        "a wrong grab, the last card",
        3,
        [
            {"by": 1, "right": 1, "rid": 0},
            {"by": 0, "right": 0},
            {"by": 1, "right": 1, "rid": 0},
            {"by": 2, "right": 1, "rid": 1},
        ],
        [[0, 1, 0], [0, 1, 0], [0, 2, 0], [0, 2, 1]],
        [2],
        by_seat(lambda grab: number(grab, "right")),
    ),
    Play(
        "karuta",
        "a hundred cards",
        3,
        placed(CYCLE) * 25,
        [[n // 4 * 2 + (0, 1, 1, 2)[n % 4], n // 4 + (0, 0, 1, 1)[n % 4], n // 4] for n in range(1, 101)],
        [0],
        by_round(first_scores),
    ),
    Play(
        "set",
        "below 0",
        3,
        answered("0- 1+ 1+ 2+ 0- 1-"),
        [[-1, 0, 0], [-1, 1, 0], [-1, 2, 0], [-1, 2, 1], [-2, 2, 1], [-2, 1, 1]],
        [1, 2],
        by_seat(lambda call: 1 if call["right"] else -1),
        end="finish",
    ),
    Play(
        "quiz_buzzer",
        "below 0, the others race on, ten",
        3,
        answered("2- 0- 1+ 0+ 1- 2- 0- 1+ 1+ 1+ 1+ 1+ 1+ 1+ 1+ 1+ 1+"),
        [
            [0, 0, -1],
            [-1, 0, -1],
            [-1, 1, -1],
            [0, 1, -1],
            [0, 0, -1],
            [0, 0, -2],
            [-1, 0, -2],
            [-1, 1, -2],
            [-1, 2, -2],
            [-1, 3, -2],
            [-1, 4, -2],
            [-1, 5, -2],
            [-1, 6, -2],
            [-1, 7, -2],
            [-1, 8, -2],
            [-1, 9, -2],
            [-1, 10, -2],
        ],
        [1],
        by_seat(lambda answer: 1 if answer["right"] else -1),
    ),
    Play(
        "reaction_duel",
        "too early, level, five",
        3,
        placed("123 012 113 210 132 201 123 132"),
        [[1, 0, 0], [1, 1, 0], [2, 2, 0], [2, 3, 0], [3, 3, 0], [3, 3, 1], [4, 3, 1], [5, 3, 1]],
        [0],
        by_round(first_scores),
    ),
    Play(
        "table_tennis",
        "two ahead past 11",
        2,
        placed("10 " * 10 + "01 " * 10 + "01 10 10 01 01 01"),
        [
            [1, 0],
            [2, 0],
            [3, 0],
            [4, 0],
            [5, 0],
            [6, 0],
            [7, 0],
            [8, 0],
            [9, 0],
            [10, 0],
            [10, 1],
            [10, 2],
            [10, 3],
            [10, 4],
            [10, 5],
            [10, 6],
            [10, 7],
            [10, 8],
            [10, 9],
            [10, 10],
            [10, 11],
            [11, 11],
            [12, 11],
            [12, 12],
            [12, 13],
            [12, 14],
        ],
        [1],
        by_round(first_scores),
    ),
    Play(
        "table_tennis",
        "11 to 9",
        2,
        placed("01 " * 9 + "10 " * 11),
        [
            [0, 1],
            [0, 2],
            [0, 3],
            [0, 4],
            [0, 5],
            [0, 6],
            [0, 7],
            [0, 8],
            [0, 9],
            [1, 9],
            [2, 9],
            [3, 9],
            [4, 9],
            [5, 9],
            [6, 9],
            [7, 9],
            [8, 9],
            [9, 9],
            [10, 9],
            [11, 9],
        ],
        [0],
        by_round(first_scores),
    ),
    Play(
        "counter",
        "up and down",
        2,
        [{"by": 0, "more": 3}, {"by": 1, "more": 1}, {"by": 0, "more": -5}, {"by": 1, "more": 999}],
        [[3, 0], [3, 1], [-2, 1], [-2, 1000]],
        [1],
        by_seat(lambda press: number(press, "more")),
        end="finish",
    ),
]
