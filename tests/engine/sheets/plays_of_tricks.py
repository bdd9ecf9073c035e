"""Games of tricks and bids, from Wizard to French Tarot."""

from tests.engine.sheets.plays import Answers, Play, Refused, Totals, added, by_round, digits, number, numbers


def wizard(answers: Answers, _round: int) -> list[int]:
    """Right: 20 and 10 a trick; else 10 less for each trick beside the bid."""
    points = []
    for bid, won in zip(numbers(answers, "bid"), numbers(answers, "won"), strict=True):
        if won == bid:
            points.append(20 + 10 * won)
        elif won > bid:
            points.append(-10 * (won - bid))
        else:
            points.append(-10 * (bid - won))
    return points


def oh_hell(answers: Answers, _round: int) -> list[int]:
    """10 and 1 a trick for those who took what they bid."""
    return [
        10 + bid if bid == won else 0 for bid, won in zip(numbers(answers, "bid"), numbers(answers, "won"), strict=True)
    ]


def skull_king(answers: Answers, round_: int) -> list[int]:
    """A bid of none plays for 10 a card dealt; others for 20 a trick, or -10 for each trick beside the bid."""
    points, dealt = [], round_
    if len(numbers(answers, "bid")) == 8 and dealt > 8:
        dealt = 8
    for bid, won, bonus in zip(*(numbers(answers, ask) for ask in ("bid", "won", "bonus")), strict=True):
        if bid == 0 and won == 0:
            points.append(10 * dealt + bonus)
        elif bid == 0:
            points.append(-10 * dealt)
        elif bid == won:
            points.append(20 * bid + bonus)
        else:
            points.append(-10 * (max(bid, won) - min(bid, won)))
    return points


def hearts(answers: Answers, _round: int) -> list[int]:
    """Each their own; who has them all gives 26 to the others."""
    taken = numbers(answers, "taken")
    if 26 in taken:
        return [0 if points == 26 else 26 for points in taken]
    return taken


def spades(play: Play) -> list[Totals]:
    """Two sides, 0 and 2 against 1 and 3; ten bags cost 100."""
    totals, total, bags = [], [0, 0], [0, 0]
    for answers in play.steps:
        bid, blind, won = (numbers(answers, ask) for ask in ("bid", "blind", "won"))
        for side in (0, 1):
            seats = (side, side + 2)
            contract = sum(bid[seat] for seat in seats)
            helpful = sum(won[seat] for seat in seats if bid[seat] > 0)
            of_nil = sum(won[seat] for seat in seats if bid[seat] == 0)
            if helpful >= contract:
                new_bags = helpful - contract + of_nil
                total[side] += 10 * contract
            else:
                new_bags = of_nil
                total[side] -= 10 * contract
            total[side] += new_bags
            bags[side] += new_bags
            while bags[side] >= 10:
                bags[side] -= 10
                total[side] -= 100
            for seat in seats:
                if bid[seat] == 0:
                    value = 200 if blind[seat] else 100
                    total[side] += value if won[seat] == 0 else -value
        totals.append([total[0], total[1], total[0], total[1]])
    return totals


def euchre(answers: Answers, _round: int) -> list[int]:
    """1 for three or four tricks, 2 for all, 4 alone; less than three give the others 2."""
    makers, tricks = number(answers, "maker") % 2, number(answers, "tricks")
    points = [0, 0]
    if tricks == 5:
        points[makers] = 4 if answers["alone"] else 2
    elif tricks >= 3:
        points[makers] = 1
    else:
        points[1 - makers] = 2
    return points * 2


AVONDALE = {  # what a contract of six tricks is worth; each further trick 100 more
    0: 40,
    1: 60,
    2: 80,
    3: 100,
    4: 120,
}


def five_hundred(answers: Answers, _round: int) -> list[int]:
    """The table of Avondale; the other side has 10 a trick, but nothing against a misère."""
    side, suit, tricks = number(answers, "bidder") % 2, number(answers, "suit"), number(answers, "tricks")
    points = [0, 0]
    if suit in AVONDALE:
        level = number(answers, "level")
        worth = AVONDALE[suit] + 100 * (level - 6)
        if tricks < level:
            points[side] = -worth
        elif tricks == 10 and worth < 250:
            points[side] = 250
        else:
            points[side] = worth
        points[1 - side] = 10 * (10 - tricks)
    else:
        worth = {5: 250, 6: 500}[suit]
        points[side] = worth if tricks == 0 else -worth
    return points * 2


def tichu(answers: Answers, _round: int) -> list[int]:
    """Cards or 200 for a double victory; 100 or 200 for each call, won or lost."""
    first = number(answers, "out_first")
    if answers["double"]:
        points = [0, 0]
        points[first % 2] = 200
    else:
        points = numbers(answers, "cards")
    points = list(points)
    for seat, call in enumerate(numbers(answers, "call")):
        if call:
            points[seat % 2] += 100 * call if seat == first else -100 * call
    return points * 2


def skat(play: Play) -> list[Totals]:
    """A won game counts, a lost one twice below; Seeger-Fabian: 50 a game, 40 or 30 for each that another lost."""
    gains, seeger = [], [0] * play.players
    for answers in play.steps:
        solo, gain = number(answers, "solo"), [0] * play.players
        if solo >= 0:
            value, won = number(answers, "value"), answers["won"]
            gain[solo] = value if won else -2 * value
            for seat in range(play.players):
                if seat == solo:
                    seeger[seat] += 50 if won else -50
                elif not won:
                    seeger[seat] += 40 if play.players == 3 else 30
        gains.append(gain)
    if play.final is not None:
        gains.append(seeger if play.final["seeger"] else [0] * play.players)
    return added(gains, [0] * play.players)


def doppelkopf(answers: Answers, _round: int) -> list[int]:
    """The winners' points for them, against the others; a soloist plays for three times as much."""
    re, value = numbers(answers, "re"), number(answers, "value")
    re_gains = value if answers["re_won"] else -value
    alone = re.count(1) == 1
    return [re_gains * (3 if alone else 1) if is_re else -re_gains for is_re in re]


NEEDED = (56, 51, 41, 36)  # card points by bouts


def french_tarot(play: Play) -> list[Totals]:
    """25 and the difference, and 10 for the petit, times the contract; the handful for whoever won; the slam."""
    gains = []
    for answers in play.steps:
        names = ("contract", "bouts", "cards", "petit", "handful", "slam")
        contract, bouts, cards, petit, handful, slam = (number(answers, name) for name in names)
        needed = NEEDED[bouts]
        deal = 25 + cards - needed if cards >= needed else -(25 + needed - cards)
        deal += (0, 10, -10)[petit]
        deal *= (1, 2, 4, 6)[contract]
        shown = (0, 20, 30, 40)[handful]
        deal += shown if cards >= needed else -shown
        deal += slam
        others = play.players - 1
        gains.append([deal * others if seat == answers["taker"] else -deal for seat in range(play.players)])
    return added(gains, [0] * play.players)


def bids(rows: str) -> list[Answers]:
    """Rounds of bids and tricks: "110/200 010/111"."""
    return [{"bid": digits(bid), "won": digits(won)} for bid, won in (row.split("/") for row in rows.split())]


def kings(rows: str, bonus: dict[int, dict[int, int]]) -> list[Answers]:
    """Rounds of bids and tricks with the bonus by round and seat, which only those are asked who bid right."""
    rounds: list[Answers] = []
    for n, answers in enumerate(bids(rows), 1):
        right = [b == w for b, w in zip(numbers(answers, "bid"), numbers(answers, "won"), strict=True)]
        of_round = [bonus.get(n, {}).get(seat, 0) if asked else None for seat, asked in enumerate(right)]
        rounds.append({**answers, "bonus": of_round})
    return rounds


def nils(bid: list[int], blind: list[int | None], won: list[int]) -> Answers:
    """A round of Spades."""
    return {"bid": bid, "blind": blind, "won": won}


def makers(maker: int, alone: int, tricks: int) -> Answers:
    """A round of Euchre."""
    return {"maker": maker, "alone": alone, "tricks": tricks}


def contract(bidder: int, suit: int, level: int, tricks: int) -> Answers:
    """A round of Five Hundred; a misère has no level."""
    asked = {} if suit > 4 else {"level": level}
    return {"bidder": bidder, "suit": suit, **asked, "tricks": tricks}


def calls(call: str, out_first: int, double: int, cards: list[int | None]) -> Answers:
    """A round of Tichu."""
    return {"call": digits(call), "out_first": out_first, "double": double, "cards": cards}


def solo(seat: int, value: int, won: int) -> Answers:
    """A game of Skat."""
    return {"solo": seat, "value": value, "won": won}


def re(row: str, re_won: int, value: int) -> Answers:
    """A game of Doppelkopf."""
    return {"re": digits(row), "re_won": re_won, "value": value}


def tarot(
    taker: int, contract: int, bouts: int, cards: int, petit: int = 0, handful: int = 0, slam: int = 0
) -> Answers:
    """A deal of French Tarot."""
    return {
        "taker": taker,
        "contract": contract,
        "bouts": bouts,
        "cards": cards,
        "petit": petit,
        "handful": handful,
        "slam": slam,
    }


NONE: list[int | None] = [None] * 4

PLAYS = [
    Play(
        "wizard",
        "six players, ten rounds",
        6,
        bids(
            "100000/100000 110010/200000 010110/111000 200011/101020 112010/112010 "
            "301020/202020 000070/100060 222110/222110 900000/900000 234001/333001"
        ),
        [
            [30, 20, 20, 20, 20, 20],
            [20, 10, 40, 40, 10, 40],
            [10, 40, 30, 30, 0, 60],
            [0, 60, 20, 50, -10, 50],
            [30, 90, 60, 70, 20, 70],
            [20, 110, 50, 90, 60, 90],
            [10, 130, 70, 110, 50, 110],
            [50, 170, 110, 140, 80, 130],
            [160, 190, 130, 160, 100, 150],
            [150, 240, 120, 180, 120, 180],
        ],
        [1],
        by_round(wizard),
    ),
    Play(
        "oh_hell",
        "four players: ten cards, then nine",
        4,
        bids("3222/3241 2311/2331"),
        [[13, 12, 0, 0], [25, 25, 0, 11]],
        [],
        by_round(oh_hell),
        end="open",
    ),
    Play(
        "oh_hell",
        "seven players: seven cards, one, seven",
        7,
        bids(
            "2111111/2111110 1100110/1100220 0000000/1111100 3000000/4000000 1010101/1010100 0100000/0200000 "
            "0000000/0000001 1110000/1100000 0300100/0300000 1111100/1111000 2200000/2300000 6000001/6000000 "
            "1111110/1111111"
        ),
        [
            [12, 11, 11, 11, 11, 11, 0],
            [23, 22, 21, 21, 11, 11, 10],
            [23, 22, 21, 21, 11, 21, 20],
            [23, 32, 31, 31, 21, 31, 30],
            [34, 42, 42, 41, 32, 41, 30],
            [44, 42, 52, 51, 42, 51, 40],
            [54, 52, 62, 61, 52, 61, 40],
            [65, 63, 62, 71, 62, 71, 50],
            [75, 76, 72, 81, 62, 81, 60],
            [86, 87, 83, 92, 62, 91, 70],
            [98, 87, 93, 102, 72, 101, 80],
            [114, 97, 103, 112, 82, 111, 80],
            [125, 108, 114, 123, 93, 122, 80],
        ],
        [0],
        by_round(oh_hell),
    ),
    Play(
        "skull_king",
        "none bid and taken, tricks that nobody has, bonus",
        4,
        kings(
            "1000/1000 0110/0200 0201/1200 1111/1110 5000/5000 0222/1221 0070/0070 4220/3320 3030/4050 0333/1333",
            {3: {1: 20}, 4: {2: 30}, 5: {0: 40}, 10: {1: 10}},
        ),
        [
            [20, 10, 10, 10],
            [40, 0, 0, 30],
            [10, 60, 30, 20],
            [30, 80, 80, 10],
            [170, 130, 130, 60],
            [110, 170, 170, 50],
            [180, 240, 310, 120],
            [170, 230, 350, 200],
            [160, 320, 330, 290],
            [60, 390, 390, 350],
        ],
        [1, 2],
        by_round(skull_king),
    ),
    Play(
        "skull_king",
        "eight players: eight cards in rounds nine and ten",
        8,
        kings(
            "00000001/00000001 00000002/00000002 00000003/00000003 00000004/00000004 00000005/00000005 "
            "00000006/00000006 00000007/00000007 00000008/00000008 00000008/00000008 00000008/10000007",
            {9: {0: 10}},
        ),
        [
            *[[5 * n * (n + 1)] * 7 + [10 * n * (n + 1)] for n in range(1, 9)],
            [450, *[440] * 6, 880],
            [370, *[520] * 6, 870],
        ],
        [7],
        by_round(skull_king),
    ),
    Play(
        "hearts",
        "the moon twice, exactly 100",
        4,
        [
            {"taken": t}
            for t in ([5, 8, 13, 0], [26, 0, 0, 0], [0, 0, 0, 26], [13, 7, 6, 0], [1, 13, 12, 0], [0, 20, 6, 0])
        ],
        [[5, 8, 13, 0], [5, 34, 39, 26], [31, 60, 65, 26], [44, 67, 71, 26], [45, 80, 83, 26], [45, 100, 89, 26]],
        [3],
        by_round(hearts),
    ),
    Play(
        "hearts",
        "two level at the end",
        3,
        [{"taken": t} for t in ([0, 13, 13], [13, 0, 13], [0, 0, 26], [0, 26, 0], [0, 0, 26], [9, 2, 15])],
        [[0, 13, 13], [13, 13, 26], [39, 39, 26], [65, 39, 52], [91, 65, 52], [100, 67, 67]],
        [1, 2],
        by_round(hearts),
    ),
    Play(
        "spades",
        "the tenth bag at 337, nils won and lost, a blind one",
        4,
        [
            nils([4, 3, 3, 2], NONE, [5, 3, 3, 2]),
            nils([5, 0, 3, 4], [None, 0, None, None], [6, 0, 3, 4]),
            nils([6, 2, 3, 1], NONE, [7, 1, 4, 1]),
            nils([5, 0, 4, 1], [None, 0, None, None], [8, 1, 4, 0]),
            nils([3, 4, 2, 3], NONE, [5, 3, 3, 2]),
            nils([0, 4, 6, 2], [1, None, None, None], [0, 4, 6, 3]),
        ],
        [
            [71, 50, 71, 50],
            [152, 190, 152, 190],
            [244, 160, 244, 160],
            [337, 51, 337, 51],
            [290, -19, 290, -19],
            [550, 42, 550, 42],
        ],
        [0, 2],
        spades,
    ),
    Play(
        "spades",
        "both partners nil, a blind nil lost with the contract",
        4,
        [
            nils([0, 6, 0, 7], [0, None, 0, None], [0, 6, 0, 7]),
            nils([0, 6, 0, 7], [0, None, 0, None], [0, 6, 0, 7]),
            nils([0, 5, 4, 3], [1, None, None, None], [2, 5, 3, 3]),
            nils([3, 0, 3, 7], [None, 0, None, None], [3, 0, 3, 7]),
        ],
        [[200, 130, 200, 130], [400, 260, 400, 260], [162, 340, 162, 340], [222, 510, 222, 510]],
        [1, 3],
        spades,
    ),
    Play(
        "spades",
        "it has no lower end",
        4,
        [
            nils([5, 7, 2, 6], NONE, [7, 1, 5, 0]),
            nils([6, 4, 4, 3], NONE, [7, 2, 4, 0]),
            nils([3, 6, 3, 6], NONE, [7, 0, 6, 0]),
        ],
        [[75, -130, 75, -130], [176, -200, 176, -200], [143, -320, 143, -320]],
        [],
        spades,
        end="open",
    ),
    Play(
        "euchre",
        "alone, all tricks, euchred",
        4,
        [
            makers(0, 0, 3),
            makers(1, 1, 5),
            makers(2, 0, 2),
            makers(3, 0, 5),
            makers(0, 1, 5),
            makers(1, 1, 0),
            makers(3, 1, 4),
            makers(2, 0, 4),
            makers(1, 0, 3),
        ],
        [
            [1, 0, 1, 0],
            [1, 4, 1, 4],
            [1, 6, 1, 6],
            [1, 8, 1, 8],
            [5, 8, 5, 8],
            [7, 8, 7, 8],
            [7, 9, 7, 9],
            [8, 9, 8, 9],
            [8, 10, 8, 10],
        ],
        [1, 3],
        by_round(euchre),
    ),
    Play(
        "five_hundred",
        "all tricks of a small contract, misère, 500 by odd tricks is not the end, out at the back",
        4,
        [
            contract(0, 0, 7, 7),
            contract(1, 4, 8, 7),
            contract(2, 0, 6, 10),
            contract(3, 5, 0, 0),
            contract(1, 1, 6, 2),
            contract(3, 6, 0, 1),
        ],
        [
            [140, 30, 140, 30],
            [170, -290, 170, -290],
            [420, -290, 420, -290],
            [420, -40, 420, -40],
            [500, -100, 500, -100],
            [500, -600, 500, -600],
        ],
        [0, 2],
        by_round(five_hundred),
    ),
    Play(
        "five_hundred",
        "who makes the contract wins with less",
        4,
        [contract(0, 2, 10, 10), contract(1, 3, 6, 5), contract(3, 6, 0, 0), contract(1, 3, 6, 6)],
        [[480, 0, 480, 0], [530, -100, 530, -100], [530, 400, 530, 400], [570, 500, 570, 500]],
        [1, 3],
        by_round(five_hundred),
    ),
    Play(
        "tichu",
        "calls won and lost, double victories, cards below 0",
        4,
        [
            calls("1002", 0, 0, [40, 60]),
            calls("0100", 3, 1, [None, None]),
            calls("2000", 0, 1, [None, None]),
            calls("2000", 0, 1, [None, None]),
            calls("0100", 1, 0, [-25, 125]),
            calls("0000", 2, 0, [100, 0]),
        ],
        [
            [140, -140, 140, -140],
            [140, -40, 140, -40],
            [540, -40, 540, -40],
            [940, -40, 940, -40],
            [915, 185, 915, 185],
            [1015, 185, 1015, 185],
        ],
        [0, 2],
        by_round(tichu),
    ),
    Play(
        "skat_list",
        "three players, passed out, Seeger-Fabian",
        3,
        [solo(0, 18, 1), solo(1, 48, 0), {"solo": -1}, solo(2, 264, 1), solo(0, 24, 0), solo(1, 23, 1)],
        [[18, 0, 0], [18, -96, 0], [18, -96, 0], [18, -96, 264], [-30, -96, 264], [-30, -73, 264], [10, -33, 394]],
        [2],
        skat,
        final={"seeger": 1},
        end="finish",
    ),
    Play(
        "skat_list",
        "four players",
        4,
        [solo(3, 60, 0), solo(0, 18, 1)],
        [[0, 0, 0, -120], [18, 0, 0, -120], [98, 30, 30, -170]],
        [0],
        skat,
        final={"seeger": 1},
        end="finish",
    ),
    Play(
        "skat_list",
        "without Seeger-Fabian",
        3,
        [solo(0, 18, 0)],
        [[-36, 0, 0], [-36, 0, 0]],
        [1, 2],
        skat,
        final={"seeger": 0},
        end="finish",
    ),
    Play(
        "doppelkopf",
        "two and two, alone won and lost",
        4,
        [re("1010", 1, 3), re("0001", 0, 2), re("0100", 1, 4), re("0110", 0, 1), re("0110", 1, -1)],
        [[3, -3, 3, -3], [5, -1, 5, -9], [1, 11, 1, -13], [2, 10, 0, -12], [3, 9, -1, -11]],
        [1],
        by_round(doppelkopf),
        end="finish",
    ),
    Play(
        "french_tarot",
        "four players: each contract, petit on both sides, handfuls, a slam",
        4,
        [
            tarot(0, 0, 2, 49),
            tarot(1, 1, 1, 45, petit=1),
            tarot(3, 2, 3, 36, handful=1),
            tarot(2, 3, 0, 40, petit=2, handful=2),
            tarot(0, 0, 3, 91, petit=1, handful=3, slam=400),
        ],
        [
            [99, -33, -33, -33],
            [141, -159, 9, 9],
            [21, -279, -111, 369],
            [357, 57, -1119, 705],
            [1947, -473, -1649, 175],
        ],
        [0],
        french_tarot,
        end="finish",
    ),
    Play(
        "french_tarot",
        "three players, just enough, a slam called and lost",
        3,
        [tarot(1, 0, 0, 56), tarot(2, 0, 3, 80, slam=-200)],
        [[-25, 50, -25], [106, 181, -287]],
        [1],
        french_tarot,
        end="finish",
    ),
]

REFUSED = [
    Refused("wizard", 3, {"bid": [1, 0, 0], "won": [1, 1, 0]}, ["won"]),
    Refused("oh_hell", 3, {"bid": [5, 4, 1]}, ["bid"]),
    Refused("oh_hell", 3, {"bid": [5, 4, 2], "won": [5, 4, 2]}, ["won"]),
    Refused("skull_king", 2, {"bid": [1, 1], "won": [1, 1]}, ["won"]),
    Refused("hearts", 4, {"taken": [13, 5, 5, 2]}, ["taken"]),
    Refused("spades", 4, nils([3, 3, 3, 3], NONE, [3, 3, 3, 3]), ["won"]),
    Refused("tichu", 4, calls("0000", 0, 0, [50, 55]), ["double", "cards"]),
    Refused("doppelkopf", 4, {"re": [0, 0, 0, 0]}, ["re"]),
    Refused("doppelkopf", 4, {"re": [1, 1, 1, 0]}, ["re"]),
]
