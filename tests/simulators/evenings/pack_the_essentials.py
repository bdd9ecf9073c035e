"""An evening of Pack the Essentials."""

from collections.abc import Callable

from tests.simulators.rig import Rig

# how far ▼ each goes from the first free position, for three stretches of rounds; the last may have no choice
STEPS = {1: ((2,), (1,), (0,)), 2: ((3, 0), (0, 0), (2, 2)), 4: ((0, 0, 0), (2, 0, 0), (0, 0, 0))}
TODO = ((7, 4, 10), (9, 6, 9), (8, 5, 6), (6, 3, 8))  # by seat: three lists
GROUPS = ((5, 3, 4, 2), (3, 6, 2, 1), (4, 0, 3, 3), (2, 4, 1, 5))  # by seat: magenta, lavender, peach, mint
# by round and turn, from 0: the pictures worth a look
ORDER_PHASES = {(0, 0): "order", (0, 1): "order_goes_on", (4, 0): "order_new_round", (4, 1): "order_later"}
POINTS = (0, 1, 3, 5, 8, 11, 15)  # of a group


def pack_the_essentials(rig: Rig, look: Callable[[str], None] = lambda name: None, players: int = 4) -> tuple[int, ...]:
    """Twelve rounds, the score pad, and a tie that pictures of cats decide. Returns the scores it has to come to."""
    names = ("P1", "P2", "P3", "P4")[:players]
    rig.begin("Pack the Essentials", *names)
    start = 0
    if players == 1:
        look("goal")
        rig.arrow(-3).ok()  # 97 points
    else:
        look("packed_last")
        start = players - 1
        rig.tap(names[start])
    cats, rats = [0] * players, [1] * players
    for n in range(12):
        draft = ordered(rig, look, n, [(start + n + k) % players for k in range(players)])
        for position in (3, 4):
            if position in draft:
                rats[draft[position]] += 1
        for position, seat in sorted(draft.items()):
            cost = (n % 4 == 3) + (n >= 8 and position == 2)  # cats, and now and then a kitten
            look(f"draft_{position}") if n == 0 else None
            drafted(rig, look, n, names[seat], cost, bonus=position < 3)
            cats[seat] += cost
            rats[seat] -= cost
    look("toys")
    rig.ok()
    pad(rig, look, names)
    look("end")
    return tuple(
        sum(TODO[seat]) + 5 * cats[seat] + rats[seat] + sum(POINTS[size] for size in GROUPS[seat])
        for seat in range(players)
    )


def ordered(rig: Rig, look: Callable[[str], None], n: int, seats: list[int]) -> dict[int, int]:
    """Everybody chooses a position; returned by position. Solo, a card blocks position 1 in every other round."""
    free, draft = [1, 2, 3, 4], dict[int, int]()
    if len(seats) == 1 and n % 2:
        look("block") if n == 1 else None
        rig.ok()
        free.remove(1)
    steps = STEPS[len(seats)][n // len(seats) % 3]
    for k, seat in enumerate(seats):
        if len(free) == 1:  # no choice is left, nothing is asked
            draft[free[0]] = seat
            break
        if (phase := ORDER_PHASES.get((n, k))) is not None:
            look(phase)
        rig.arrow(-steps[k])
        if (n, k) == (2, 0):  # one step too far, and back
            rig.arrow(-1).arrow(1)
        rig.ok()
        draft[free.pop(steps[k])] = seat
    return draft


def drafted(rig: Rig, look: Callable[[str], None], n: int, name: str, cost: int, *, bonus: bool) -> None:
    """A draft turn: a hold for each rat, a press when the tile is taken and placed."""
    if n == 1 and name == "P1":  # a rat by mistake
        rig.hold(name)
        look("rat_by_mistake")
        rig.ok_hold()
        look("back")
        rig.ok()  # the press that takes the tile leads out of here
    if n == 2 and name == "P1":
        rig.ok_hold().arrow(-1)
        look("menu")
        rig.ok()  # no tile fits
        if not bonus:
            return
        look("discard")
    for _ in range(cost):
        rig.hold(name)
    look("rats_spent") if n == 11 and cost == 2 else None
    rig.tap(name)


def pad(rig: Rig, look: Callable[[str], None], names: tuple[str, ...]) -> None:
    """The score pad, line by line; then the tie, if there is anybody to be level with."""
    for line in range(3):
        points = [todo[line] for todo in TODO]
        points[1] -= line == 0  # P2's first list is read wrong
        if line == 2 and len(names) > 1:  # two lines later it is seen
            rig.ok_hold().arrow(-1).ok().tap("P2").arrow(1)
            look("fix_points")
            rig.ok()
        look("todo") if line == 0 else None
        entered(rig, names, points)
        look("todo_entered") if line == 2 else None
        rig.ok()
    look("cats")
    rig.ok()
    look("rats")
    rig.ok()
    for colour in range(4):
        look("group") if colour == 0 else None
        entered(rig, names, [sizes[colour] for sizes in GROUPS])
        look("group_entered") if colour == 1 else None
        rig.ok()
    if len(names) == 1:
        return
    look("tie")
    rig.tap("P1", 2).tap("P2", 2)
    look("tie_entered")
    rig.ok()
    look("vote")
    rig.ok(max(1, len(names) - 2))  # P3 and P4 like P1's cat best; with two a guest does


def entered(rig: Rig, names: tuple[str, ...], numbers: list[int]) -> None:
    """Everybody enters a number with the fewest presses."""
    for name, number in zip(names, numbers[: len(names)], strict=True):
        rig.number(name, number)
