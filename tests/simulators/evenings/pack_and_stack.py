"""An evening of Pack & Stack."""

from collections.abc import Callable

from tests.simulators.rig import Rig


def pack_and_stack(rig: Rig, look: Callable[[str], None] = lambda name: None, players: int = 4) -> tuple[int, ...]:
    """Four to six, counted quickly, until somebody has no points left. Returns the scores it has to come to."""
    names = ("P1", "P2", "P3", "P4", "P5", "P6")[:players]
    rig.begin("Pack & Stack", *names)
    look("youngest")
    rig.tap("P3")
    expected = [75 for _ in names]
    losses = ((30, 12, 0, 9, 18, 21), (31, 8, 14, 5, 12, 10), (20, 6, 11, 13, 15, 7))
    for n, spaces_left in enumerate(losses):
        empties = spaces_left[:players]
        look("deal") if n == 0 else None
        rig.ok().after(1200)
        if n == 0:
            look("countdown")
            rig.tap("P4")
            look("too_early")
        rig.after(2000)
        while rig.playing.question.kind.name == "WAIT":
            rig.after(50)
        look("flip") if n == 0 else None
        rig.after(1200).tap("P2").after(300)
        look("race") if n == 0 else None
        for name in names[4:]:
            rig.tap(name).after(300)
        if n == 1:  # two hands too close to call
            rig.tap("P1").after(300).down("P3", "P4").after(200).up("P3", "P4").after(50)
            look("dead_heat")
            rig.ok()
        else:
            rig.tap("P4").after(300).tap("P1").after(200)
        look("packing") if n == 0 else None
        rig.after(1500)
        for name in names:
            rig.tap(name).after(100)
        look("empties") if n == 0 else None
        for name, spaces in zip(names, empties, strict=True):
            rig.number(name, spaces)
        look("empties_entered") if n == 0 else None
        rig.ok()
        look("left_over") if n == 0 else None
        if n == 2:  # P1 leaves two green boxes on the pavement
            rig.number("P1", 2)
            look("green_left")
            empties = (empties[0] + 4, *empties[1:])
        rig.ok(5 if n == 2 else 1)
        look("result") if n == 0 else None
        least = min(empties)
        expected = [have - lost + (10 if lost == least else 0) for have, lost in zip(expected, empties, strict=True)]
        rig.ok()
    look("end")
    return tuple(expected)
