"""An evening of If It Fits."""

from collections.abc import Callable
from typing import NamedTuple

from tests.simulators.rig import Rig

AWAKE, ASLEEP = 0, 1  # rows of the menu in a turn
CAT_BACK = 3  # P1 comes first, after the deck


class Box(NamedTuple):
    """What lies in a box; cats by seat."""

    toys: int
    sprays: int
    closed: bool
    awake: tuple[int, ...]
    asleep: tuple[int, ...]


def if_it_fits(rig: Rig, look: Callable[[str], None] = lambda name: None, players: int = 3) -> tuple[int, ...]:
    """Two to five players, to the last box: with a bumped button, a Princess, a toy, and a toy that was overlooked.

    `look` is called with the name of each phase while it is on the display. Returns the scores it has to come to.
    """
    names = [f"P{seat + 1}" for seat in range(players)]
    rig.begin("If It Fits", *names)
    look("starter")
    rig.tap("P2")
    look("start_card")
    around = [*names[1:], "P1"]
    for name in around:
        rig.tap(name)
    look("turn")
    rig.ok()
    look("turn_menu")
    rig.ok()
    look("awake_cat")
    rig.tap("P2")
    for name in around[1:]:
        note(rig, AWAKE).tap(name)

    note(rig, ASLEEP)
    look("asleep_cat")
    for name in around:  # to P1, too, who has forgotten the Princess
        rig.tap(name)
    rig.ok_hold()
    look("back")
    rig.ok().ok_hold()
    note(rig, CAT_BACK + 1)
    look("princess")
    rig.tap("P1")

    for name in around[:-1]:
        note(rig, AWAKE).tap(name)
    note(rig, CAT_BACK + players)
    look("toy")
    rig.tap("P1")

    for _ in range(2):
        note(rig, AWAKE).tap("P2")
        for name in around[1:-1]:
            rig.tap(name)
        note(rig, AWAKE).tap("P1")
    note(rig, AWAKE)
    look("fifth_cat")
    rig.tap("P2")
    look("last_turns")
    for name in (*around[1:], "P2") * 2:
        rig.tap(name)

    many = players - 2  # P3 and on have a cat in the second box and one in the fourth
    boxes = (
        Box(5, 1, False, (1, 2, *[0] * many), (0,) * players),
        Box(3, 1, True, (1, 1, *[1] * many), (0,) * players),
        Box(1, 3, False, (1, 0, *[0] * many), (0,) * players),
        Box(6, 0, False, (0, 1, *[1] * many), (0, 1, *[0] * many)),
    )
    for n, box in enumerate(boxes):
        look("toys") if n == 0 else None
        rig.arrow(box.toys - (n == 0)).ok()  # a ball has rolled out of sight
        look("sprays") if n == 0 else None
        rig.arrow(box.sprays).ok()
        look("closed") if n == 0 else None
        rig.yes() if box.closed else rig.no()
        look("awake") if n == 0 else None
        count(rig, names, box.awake)
        if n == 0:
            rig.tap("P1").arrow(-1)  # once too often
            look("awake_entered")
        rig.ok()
        if n < len(boxes) - 1 or any(box.asleep):
            look("asleep") if n == 3 else None
            count(rig, names, box.asleep)
            rig.ok()
        look(("result", "shared", "negative", "last_box")[n])
        if n == 2:
            fix_points(rig, "P2", 1, look)
        rig.ok()
    look("end")
    return tuple(map(sum, zip(*map(brought, boxes), strict=True)))


def note(rig: Rig, row: int) -> Rig:
    """Say what was played, before the turn is over."""
    return rig.ok().arrow(-row).ok()


def count(rig: Rig, names: list[str], cats: tuple[int, ...]) -> None:
    """Everybody taps their cats in the box."""
    for name, number in zip(names, cats, strict=True):
        rig.tap(name, number)


def fix_points(rig: Rig, name: str, points: int, look: Callable[[str], None]) -> None:
    """By Back, and past the boxes that are all done."""
    rig.ok_hold().arrow(-1).arrow(-1).ok().tap(name).arrow(points)
    look("fix")
    rig.ok()


def brought(box: Box) -> list[int]:
    """What each seat has of a box."""
    cats = [up + down if up else 0 for up, down in zip(box.awake, box.asleep, strict=True)]
    value = (box.toys - box.sprays) * (2 if box.closed else 1)
    return [(value if number == max(cats) else 0) + number - 1 if number else 0 for number in cats]
