"""Games of cards without tricks: rummies, Canasta, Cribbage, shedding games, small modern ones, games together."""

from tests.engine.sheets.plays import Answers, Play, Refused, Totals, added, by_round, by_seat, digits, number, numbers


def gin_rummy(play: Play) -> list[Totals]:
    """The difference; gin 20, undercut 10 more; at the end 20 a hand and 100, or 200 if the other has nothing."""
    total, hands, totals = [0, 0], [0, 0], []
    for answers in play.steps:
        knocker = number(answers, "knocker")
        if knocker >= 0:
            deadwood = numbers(answers, "deadwood")
            other = 1 - knocker
            if deadwood[knocker] == 0:
                winner, gain = knocker, 20 + deadwood[other]
            elif deadwood[other] <= deadwood[knocker]:
                winner, gain = other, 10 + deadwood[knocker] - deadwood[other]
            else:
                winner, gain = knocker, deadwood[other] - deadwood[knocker]
            total[winner] += gain
            hands[winner] += 1
        totals.append(list(total))
    end = [total[seat] + 20 * hands[seat] for seat in (0, 1)]
    winner = 0 if total[0] >= 100 else 1
    end[winner] += 200 if total[1 - winner] == 0 else 100
    return [*totals[:-1], end]  # nobody is asked about it


def cribbage(play: Play) -> list[Totals]:
    """The pegs stop in hole 121."""
    total, totals = [0] * play.players, []
    for answers in play.steps:
        seat = number(answers, "by")
        total[seat] = min(total[seat] + number(answers, "pegs"), 121)
        totals.append(list(total))
    return totals


def canasta(answers: Answers, _round: int) -> list[int]:
    """500 and 300 a canasta, 100 a red three and 800 for all, 100 or 200 for going out, and the cards."""
    points = []
    for side in (0, 1):
        gain = 500 * numbers(answers, "natural")[side] + 300 * numbers(answers, "mixed")[side]
        threes = numbers(answers, "threes")[side]
        gain += {4: 800, -4: -800}.get(threes, 100 * threes)
        closer = number(answers, "closer")
        if closer in (side, side + 2):
            gain += 200 if answers["concealed"] else 100
        points.append(gain + numbers(answers, "cards")[side])
    return points * 2


def uno(answers: Answers, _round: int) -> list[int]:
    """Who is out has the points of all others' hands."""
    left = numbers(answers, "left")
    points = [0] * len(left)
    points[number(answers, "winner")] = sum(left)
    return points


def skyjo(answers: Answers, _round: int) -> list[int]:
    """Points of the cards; who closed has them twice if they are above 0 and somebody has no more."""
    cards, closer = numbers(answers, "cards"), number(answers, "closer")
    points = list(cards)
    rivals = cards[:closer] + cards[closer + 1 :]
    if cards[closer] > 0 and min(rivals) <= cards[closer]:
        points[closer] = 2 * cards[closer]
    return points


def no_thanks(answers: Answers, _round: int) -> list[int]:
    """The cards less the chips."""
    return [cards - chips for cards, chips in zip(numbers(answers, "cards"), numbers(answers, "chips"), strict=True)]


def flip_7(answers: Answers, _round: int) -> list[int]:
    """Numbers, twice with the card for it, then what is added, and 15 for seven numbers."""
    points = []
    for seat, total in enumerate(numbers(answers, "numbers")):
        gain = total + total if numbers(answers, "twice")[seat] else total
        gain += numbers(answers, "plus")[seat]
        points.append(gain + 15 if numbers(answers, "seven")[seat] else gain)
    return points


def dutch_blitz(answers: Answers, _round: int) -> list[int]:
    """1 a card in the middle, -2 a card of the Blitz pile."""
    return [p - left - left for p, left in zip(numbers(answers, "played"), numbers(answers, "left"), strict=True)]


def scopa(answers: Answers, _round: int) -> list[int]:
    """Each scopa, and a point each for more cards, more coins, the seven of coins, the better primiera."""
    points = numbers(answers, "scopas")
    for ask in ("cards", "coins", "primiera"):
        mine, yours = numbers(answers, ask)
        if mine != yours:
            points[0 if mine > yours else 1] += 1
    points[number(answers, "seven")] += 1
    return points


def love_letter(answers: Answers, _round: int) -> list[int]:
    """A token for who won."""
    return [1 if seat == answers["winner"] else 0 for seat in range(3)]


def love_letter_2019(answers: Answers, _round: int) -> list[int]:
    """A token for each who won, and one for who alone had a Spy."""
    tokens = numbers(answers, "won")
    if number(answers, "spy") >= 0:
        tokens[number(answers, "spy")] += 1
    return tokens


def letters(row: str, spy: int) -> Answers:
    """A round of Love Letter."""
    return {"won": digits(row), "spy": spy}


def dishes(*rows: str) -> Answers:
    """A round of Sushi Go!"""
    return {
        ask: digits(row) for ask, row in zip(("maki", "tempura", "sashimi", "dumplings", "nigiri"), rows, strict=True)
    }


def sushi_go(play: Play) -> list[Totals]:
    """6 and 3 for most rolls, shared; at the end 6 for most puddings, and -6 for fewest unless two play, shared."""
    gains = []
    for answers in play.steps:
        maki, gain = numbers(answers, "maki"), numbers(answers, "nigiri")
        for seat, (pairs, threes, many) in enumerate(
            zip(*(numbers(answers, ask) for ask in ("tempura", "sashimi", "dumplings")), strict=True)
        ):
            gain[seat] += pairs // 2 * 5 + threes // 3 * 10 + sum(range(min(many, 5) + 1))
        ranked = sorted({rolls for rolls in maki if rolls}, reverse=True)
        if ranked:
            first = [seat for seat, rolls in enumerate(maki) if rolls == ranked[0]]
            for seat in first:
                gain[seat] += 6 // len(first)
            if len(first) == 1 and len(ranked) > 1:
                second = [seat for seat, rolls in enumerate(maki) if rolls == ranked[1]]
                for seat in second:
                    gain[seat] += 3 // len(second)
        gains.append(gain)
    assert play.final is not None
    pudding, gain = numbers(play.final, "pudding"), [0] * play.players
    if max(pudding) != min(pudding):
        best = [seat for seat, many in enumerate(pudding) if many == max(pudding)]
        worst = [seat for seat, many in enumerate(pudding) if many == min(pudding)]
        for seat in best:
            gain[seat] += 6 // len(best)
        if play.players > 2:
            for seat in worst:
                gain[seat] -= 6 // len(worst)
    return added([*gains, gain], [0] * play.players)


def hanabi(play: Play) -> list[Totals]:
    """The fireworks of all, or nothing after the third misplay."""
    (answers,) = play.steps
    fireworks = sum(number(answers, colour) for colour in ("white", "yellow", "green", "blue", "red"))
    return [[0 if answers["storms"] == 3 else fireworks] * play.players]


def the_mind(play: Play) -> list[Totals]:
    """Levels done; a life each at the start, one more after levels 3, 6 and 9, five at most."""
    lives, levels, totals = play.players, 0, []
    for level, answers in enumerate(play.steps, 1):
        lives -= number(answers, "lost")
        if lives > 0:
            levels += 1
            if level in (3, 6, 9) and lives < 5:
                lives += 1
        totals.append([levels] * play.players)
    return totals


def munchkin(play: Play) -> list[Totals]:
    """Nobody is below level 1, nobody above 10."""
    total, totals = [1] * play.players, []
    for answers in play.steps:
        seat = number(answers, "by")
        total[seat] += number(answers, "levels")
        if total[seat] < 1:
            total[seat] = 1
        if total[seat] > 10:
            total[seat] = 10
        totals.append(list(total))
    return totals


def pressed(ask: str, row: list[tuple[int, int]]) -> list[Answers]:
    """Presses of `any`: who, and the number."""
    return [{"by": seat, ask: value} for seat, value in row]


MISSIONS = [1] * 10 + [0] * 3 + [1] * 40

PLAYS = [
    Play(
        "rummy_500",
        "below 0, two past 500",
        3,
        [{"cards": c} for c in ([120, -45, 80], [200, 30, -60], [185, 515, 20])],
        [[120, -45, 80], [320, -15, 20], [505, 500, 40]],
        [0],
        by_round(lambda answers, _: numbers(answers, "cards")),
    ),
    Play(
        "gin_rummy",
        "gin, a hand without a knock, undercut at the same count",
        2,
        [
            {"knocker": 0, "deadwood": [5, 30]},
            {"knocker": 1, "deadwood": [42, 0]},
            {"knocker": -1},
            {"knocker": 0, "deadwood": [7, 7]},
            {"knocker": 0, "deadwood": [3, 60]},
            {"knocker": 1, "deadwood": [20, 8]},
            {"knocker": 0, "deadwood": [0, 0]},
        ],
        [[25, 0], [25, 62], [25, 62], [25, 72], [82, 72], [82, 84], [262, 144]],
        [0],
        gin_rummy,
    ),
    Play(
        "gin_rummy",
        "the other has nothing",
        2,
        [{"knocker": 1, "deadwood": [60, 0]}, {"knocker": 1, "deadwood": [40, 2]}],
        [[0, 80], [0, 358]],
        [1],
        gin_rummy,
    ),
    Play(
        "cribbage",
        "past the last hole",
        2,
        pressed("pegs", [(1, 29), (0, 12), (1, 29), (0, 24), (1, 29), (1, 29), (0, 1), (1, 8)]),
        [[0, 29], [12, 29], [12, 58], [36, 58], [36, 87], [36, 116], [37, 116], [37, 121]],
        [1],
        cribbage,
    ),
    Play(
        "canasta",
        "red threes for and against, all four, concealed, nobody out",
        4,
        [
            {"natural": [1, 0], "mixed": [1, 2], "threes": [3, 1], "closer": 2, "concealed": 0, "cards": [415, 250]},
            {"natural": [0, 0], "mixed": [0, 1], "threes": [-2, 2], "closer": 3, "concealed": 1, "cards": [-185, 90]},
            {"natural": [3, 1], "mixed": [2, 1], "threes": [4, 0], "closer": -1, "cards": [900, -35]},
        ],
        [[1615, 950, 1615, 950], [1230, 1740, 1230, 1740], [5030, 2505, 5030, 2505]],
        [0, 2],
        by_round(canasta),
    ),
    Play(
        "canasta",
        "four red threes against",
        4,
        [{"natural": [0, 0], "mixed": [0, 1], "threes": [-4, 0], "closer": 1, "concealed": 0, "cards": [-120, 95]}],
        [[-920, 495, -920, 495]],
        [],
        by_round(canasta),
        end="open",
    ),
    Play(
        "phase_10",
        "two finish in the same round, the lower total wins",
        3,
        [
            *({"done": [1, 1, done], "left": [25, 0, 60]} for done in digits("101000000")),
            {"done": [1, 1, 0], "left": [0, 40, 100]},
        ],
        [
            [25, 0, 60],
            [50, 0, 120],
            [75, 0, 180],
            [100, 0, 240],
            [125, 0, 300],
            [150, 0, 360],
            [175, 0, 420],
            [200, 0, 480],
            [225, 0, 540],
            [225, 40, 640],
        ],
        [1],
        by_round(lambda answers, _: numbers(answers, "left")),
    ),
    Play(
        "uno",
        "a hand worth nothing",
        4,
        [
            {"winner": 0, "left": [None, 7, 50, 24]},
            {"winner": 2, "left": [20, 0, None, 120]},
            {"winner": 1, "left": [200, None, 100, 60]},
            {"winner": 1, "left": [50, None, 90, 1]},
        ],
        [[81, 0, 0, 0], [81, 0, 140, 0], [81, 360, 140, 0], [81, 501, 140, 0]],
        [1],
        by_round(uno),
    ),
    Play(
        "skyjo",
        "doubled when level, not when lowest, 0 or below; exactly 100",
        3,
        [
            {"closer": 0, "cards": [10, 10, 30]},
            {"closer": 1, "cards": [15, 4, 9]},
            {"closer": 2, "cards": [-3, 8, 12]},
            {"closer": 0, "cards": [0, -5, 6]},
            {"closer": 0, "cards": [-4, -10, 20]},
            {"closer": 1, "cards": [5, 20, 11]},
        ],
        [[20, 10, 30], [35, 14, 39], [32, 22, 63], [32, 17, 69], [28, 7, 89], [33, 47, 100]],
        [0],
        by_round(skyjo),
    ),
    Play(
        "golf",
        "nine deals, some below 0",
        2,
        [{"cards": c} for c in ([-4, 10], [3, 0], [7, 7], [0, -2], [12, 5], [1, 1], [-5, 20], [9, 9], [2, 2])],
        [[-4, 10], [-1, 10], [6, 17], [6, 15], [18, 20], [19, 21], [14, 41], [23, 50], [25, 52]],
        [0],
        by_round(lambda answers, _: numbers(answers, "cards")),
    ),
    Play(
        "six_nimmt",
        "exactly 66",
        3,
        [{"heads": h} for h in ([10, 25, 0], [20, 30, 12], [0, 11, 40])],
        [[10, 25, 0], [30, 55, 12], [30, 66, 52]],
        [0],
        by_round(lambda answers, _: numbers(answers, "heads")),
    ),
    Play(
        "no_thanks",
        "below 0",
        3,
        [{"cards": [35, 60, 3], "chips": [12, 5, 16]}],
        [[23, 55, -13]],
        [2],
        by_round(no_thanks),
        end="finish",
    ),
    Play(
        "flip_7",
        "seven numbers doubled, bust, two past 200",
        3,
        [
            {"numbers": [63, 0, 21], "twice": [1, 0, 0], "plus": [10, 0, 8], "seven": [1, 0, 0]},
            {"numbers": [24, 40, 63], "twice": [0, 1, 0], "plus": [0, 4, 18], "seven": [0, 0, 1]},
            {"numbers": [25, 0, 37], "twice": [0, 0, 1], "plus": [0, 0, 2], "seven": [0, 0, 0]},
        ],
        [[151, 0, 29], [175, 84, 125], [200, 84, 201]],
        [2],
        by_round(flip_7),
    ),
    Play(
        "dutch_blitz",
        "below 0, exactly 75",
        3,
        [
            {"played": [20, 5, 12], "left": [0, 10, 3]},
            {"played": [30, 4, 18], "left": [0, 6, 2]},
            {"played": [25, 33, 10], "left": [0, 5, 7]},
        ],
        [[20, -15, 6], [50, -23, 20], [75, 0, 16]],
        [0],
        by_round(dutch_blitz),
    ),
    Play(
        "scopa",
        "level in cards, coins, primiera; level past 11 goes on",
        2,
        [
            {"cards": [22, 18], "coins": [5, 5], "primiera": [70, 69], "scopas": [2, 3], "seven": 1},
            {"cards": [20, 20], "coins": [4, 6], "primiera": [60, 60], "scopas": [0, 1], "seven": 0},
            {"cards": [15, 25], "coins": [9, 1], "primiera": [84, 0], "scopas": [2, 3], "seven": 0},
            {"cards": [21, 19], "coins": [6, 4], "primiera": [50, 60], "scopas": [0, 0], "seven": 1},
            {"cards": [19, 21], "coins": [5, 5], "primiera": [80, 70], "scopas": [1, 0], "seven": 0},
        ],
        [[4, 4], [5, 6], [10, 10], [12, 12], [15, 13]],
        [0],
        by_round(scopa),
    ),
    Play(
        "love_letter",
        "three players: five tokens",
        3,
        [{"winner": seat} for seat in (0, 1, 0, 0, 2, 0, 0)],
        [[1, 0, 0], [1, 1, 0], [2, 1, 0], [3, 1, 0], [3, 1, 1], [4, 1, 1], [5, 1, 1]],
        [0],
        by_round(love_letter),
    ),
    Play(
        "love_letter_2019",
        "two players: six tokens; level rounds and Spies, both at once",
        2,
        [
            letters("10", -1),
            letters("11", 0),
            letters("01", 1),
            letters("10", 0),
            letters("01", 1),
            letters("11", -1),
        ],
        [[1, 0], [3, 1], [3, 3], [5, 3], [5, 5], [6, 6]],
        [0, 1],
        by_round(love_letter_2019),
    ),
    Play(
        "love_letter_2019",
        "six players: three tokens",
        6,
        [letters("110000", 5), letters("000001", -1), letters("000110", 5)],
        [[1, 1, 0, 0, 0, 1], [1, 1, 0, 0, 0, 2], [1, 1, 0, 1, 1, 3]],
        [5],
        by_round(love_letter_2019),
    ),
    Play(
        "sushi_go",
        "rolls and puddings shared, none rolled, puddings break the tie",
        4,
        [
            dishes("5530", "4202", "0033", "0210", "0010"),
            dishes("6222", "2000", "0000", "0300", "0078"),
            dishes("0000", "1111", "2222", "0000", "9990"),
        ],
        [[13, 11, 12, 15], [24, 18, 20, 24], [33, 27, 29, 24], [30, 30, 26, 27]],
        [1],
        sushi_go,
        final={"pudding": [1, 4, 1, 4]},
    ),
    Play(
        "sushi_go",
        "two players lose nothing for puddings",
        2,
        [dishes(maki, "00", "00", "44", "00") for maki in ("21", "01", "11")],
        [[16, 13], [26, 29], [39, 42], [45, 42]],
        [0],
        sushi_go,
        final={"pudding": [3, 1]},
    ),
    Play(
        "sushi_go",
        "as many puddings for all, more than five dumplings",
        3,
        [dishes("123", "000", "000", "670", "000")] * 3,
        [[15, 18, 6], [30, 36, 12], [45, 54, 18], [45, 54, 18]],
        [1],
        sushi_go,
        final={"pudding": [2, 2, 2]},
    ),
    Play(
        "hanabi",
        "two misplays",
        3,
        [{"white": 5, "yellow": 5, "green": 4, "blue": 3, "red": 5, "storms": 2}],
        [[22, 22, 22]],
        [0, 1, 2],
        hanabi,
    ),
    Play(
        "hanabi",
        "the third misplay",
        2,
        [{"white": 5, "yellow": 5, "green": 4, "blue": 3, "red": 5, "storms": 3}],
        [[0, 0]],
        [],
        hanabi,
    ),
    Play(
        "the_mind",
        "four players, eight levels, the last life",
        4,
        [{"lost": lost} for lost in (0, 1, 1, 0, 2, 0, 1, 0)],
        [
            [1, 1, 1, 1],
            [2, 2, 2, 2],
            [3, 3, 3, 3],
            [4, 4, 4, 4],
            [5, 5, 5, 5],
            [6, 6, 6, 6],
            [7, 7, 7, 7],
            [8, 8, 8, 8],
        ],
        [0, 1, 2, 3],
        the_mind,
    ),
    Play(
        "the_mind",
        "no life left in level 3",
        2,
        [{"lost": lost} for lost in (0, 1, 1)],
        [[1, 1], [2, 2], [2, 2]],
        [],
        the_mind,
    ),
    Play(
        "the_mind",
        "never more than five",
        4,
        [{"lost": lost} for lost in (0, 0, 0, 0, 0, 0, 5)],
        [[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3], [4, 4, 4, 4], [5, 5, 5, 5], [6, 6, 6, 6], [6, 6, 6, 6]],
        [],
        the_mind,
    ),
    Play(
        "the_crew",
        "three attempts lost",
        3,
        [{"done": done} for done in MISSIONS],
        [[sum(MISSIONS[:tries])] * 3 for tries in range(1, 54)],
        [0, 1, 2],
        by_round(lambda answers, _: [number(answers, "done")] * 3),
    ),
    Play(
        "the_crew",
        "not at the end yet",
        4,
        [{"done": 1}, {"done": 0}],
        [[1, 1, 1, 1], [1, 1, 1, 1]],
        [],
        by_round(lambda answers, _: [number(answers, "done")] * 4),
        end="open",
    ),
    Play(
        "munchkin",
        "not below 1, not above 10",
        3,
        pressed("levels", [(0, 2), (1, -1), (0, 6), (2, 3), (0, 3)]),
        [[3, 1, 1], [3, 1, 1], [9, 1, 1], [9, 1, 4], [10, 1, 4]],
        [0],
        munchkin,
    ),
    Play(
        "magic",
        "exactly 0, below 0, the last one",
        3,
        pressed("life", [(0, -7), (1, -20), (0, 3), (2, -25)]),
        [[13, 20, 20], [13, 0, 20], [16, 0, 20], [16, 0, -5]],
        [0],
        by_seat(lambda answers: number(answers, "life"), 20),
    ),
]

REFUSED = [
    Refused("canasta", 4, {"natural": [0, 0], "mixed": [0, 0], "threes": [3, 2]}, ["threes"]),
    Refused("scopa", 2, {"cards": [20, 19]}, ["cards"]),
    Refused("scopa", 2, {"cards": [20, 20], "coins": [5, 4]}, ["coins"]),
]
