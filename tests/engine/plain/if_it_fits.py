"""The second scorer of If It Fits: pips, boxes and the table of cards once more, from the rules page alone."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tests.engine.plain.outcome import Outcome


class Counted(NamedTuple):
    """A box as the table told it, or as the cards give it."""

    toys: int
    sprays: int
    closed: bool
    awake: list[int]  # by seat
    asleep: list[int]


def if_it_fits(players: int, options: dict[str, Any], moves: Sequence[Any]) -> Outcome:
    """Totals, winners, boxes scored (one at least is begun) and what lies before each seat."""
    fixed, cats = [0] * players, [5] * players
    for move in moves:
        match move.verb:
            case "fix":
                fixed[move.seat] += move.value
            case "awake" | "asleep":
                cats[move.seat] -= 1
            case "cat_back":
                cats[move.seat] += 1
            case "cats":
                cats[move.seat] = move.value
    told = options["entry"] != "cards"
    found = list(told_boxes(players, moves)) if told else list(laid_boxes(players, moves, cats))
    totals, negatives = list(fixed), [0] * players
    for box in found:
        for seat, (points, negative) in enumerate(points_of(box, options)):
            totals[seat] += points
            negatives[seat] += negative
    top = max(totals)
    fewest = min(negative for total, negative in zip(totals, negatives, strict=True) if total == top)
    winners = [seat for seat in range(players) if (totals[seat], negatives[seat]) == (top, fewest)]
    tokens = [{"cats": cats[seat], "negatives": negatives[seat], "turns": 0} for seat in range(players)]
    return Outcome(totals, winners, max(1, len(found)), tokens)


def told_boxes(players: int, moves: Sequence[Any]) -> Iterable[Counted]:
    """The boxes that the table counted."""
    told: dict[str, list[Any]] = {}
    by_seat: dict[tuple[str, int], int] = {}
    for move in moves:
        if move.verb in ("next", "done"):
            if "closed" in told:
                awake = [by_seat.get(("awake_cats", seat), 0) for seat in range(players)]
                asleep = [by_seat.get(("asleep_cats", seat), 0) for seat in range(players)]
                toys = max(told.get("toys", []) + told.get("kind", []))
                yield Counted(toys, told["sprays"][0], told["closed"] == ["yes"], awake, asleep)
            told, by_seat = {}, {}
        elif move.verb in ("awake_cats", "asleep_cats"):
            by_seat[move.verb, move.seat] = move.value
        elif move.verb not in ("fix", "cats"):
            told.setdefault(move.verb, []).append(move.value)


def points_of(box: Counted, options: dict[str, Any]) -> list[tuple[int, int]]:
    """Points and spray points of each seat."""
    sleeper = Fraction(1, 2) if options["advanced"] else Fraction(1)
    strength = []
    for awake, asleep in zip(box.awake, box.asleep, strict=True):
        counts = awake > 0 or options["sleep_only_blocks"]
        strength.append(awake + asleep * sleeper if counts else Fraction(0))
    gained = []
    for seat, (awake, asleep) in enumerate(zip(box.awake, box.asleep, strict=True)):
        points = negative = 0
        scores = awake > 0 and all(strength[seat] >= other for other in strength)
        if scores:
            points, negative = box.toys - box.sprays, box.sprays
            if box.closed:
                points, negative = 2 * points, 2 * negative
        if awake > 0 and not options["advanced"] and (scores or options["bonus_for_all"]):
            points += awake - 1
            if options["sleepers_in_bonus"]:
                points += asleep
        gained.append((points, negative))
    return gained


def laid_boxes(players: int, moves: Sequence[Any], cats: list[int]) -> Iterable[Counted]:
    """The boxes with cats that the cards make; cats that a Princess sends back are counted up in `cats`."""
    sides: dict[tuple[int, int], tuple[int, ...]] = {}
    toys: dict[tuple[int, int], list[int]] = {}
    sprays: dict[tuple[int, int], int] = {}
    sleepers: dict[tuple[int, int], int] = {}
    awake: dict[tuple[int, int], int] = {}  # by the western place
    for move in moves:
        value = move.value
        match move.verb:
            case "start_card" | "build":
                place, sides[value[0]], toys[place], sprays[place] = value[0], value[1], list(value[2]), value[3]
            case "toy_as_card":
                place, sides[value[0]], toys[place] = value[0], value[1], list(value[2])
            case "toy":
                place = min(value[0])
                toys[place] = [one + other for one, other in zip(toys[place], value[1], strict=True)]
            case "asleep":
                sides[value[0]], sleepers[value[0]] = value[1], move.seat
            case "awake":
                awake[min(value)] = move.seat
            case "princess":
                cats[awake.pop(min(value))] += 1
            case "princess_asleep":
                sides[value[0]] = value[1]
                cats[sleepers.pop(value[0])] += 1

    group = {place: place for place in sides}  # each place and one that it hangs together with; at last all the same

    def root(place: tuple[int, int]) -> tuple[int, int]:
        while group[place] != place:
            place = group[place]
        return place

    leaks = set()
    for column, row in sides:
        for mine, there, theirs in ((1, (column + 1, row), 3), (2, (column, row + 1), 0)):
            if there in sides and sides[column, row][mine] and sides[there][theirs]:
                group[root(there)] = root((column, row))
    for (column, row), open_ in sides.items():
        around = ((column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row))
        if any(side and there not in sides for side, there in zip(open_, around, strict=True)):
            leaks.add(root((column, row)))
    for head in {root(place) for place in (*awake, *sleepers)}:
        inside = [place for place in sides if root(place) == head]
        kinds = [toys[place] for place in inside if place in toys]
        ups = [sum(awake.get(place) == seat for place in inside) for seat in range(players)]
        downs = [sum(sleepers.get(place) == seat for place in inside) for seat in range(players)]
        most = max((sum(kind) for kind in zip(*kinds, strict=True)), default=0)
        yield Counted(most, sum(sprays.get(place, 0) for place in inside), head not in leaks, ups, downs)
