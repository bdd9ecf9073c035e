"""Two whole games as people play them, for every kind of kit: what the hands do, and what has to come of it."""

from collections.abc import Callable

from tests.firmware.rig import Rig


def kitty_paw(rig: Rig, look: Callable[[str], None] = lambda name: None) -> tuple[int, ...]:
    """Three players, to the fifth scored card: with a mis-press, a dead heat, a false Meow and an undo over a verdict.

    `look` is called with the name of each phase while it is on the display. Returns the scores it has to come to.
    """
    look("menu")
    rig.begin("Kitty Paw", "P1", "P2", "P3")
    look("hands")
    rig.down("P1", "P2").after(300)
    look("hands_some")
    rig.down("P3").after(400)
    look("armed")
    rig.up("P3").after(200)  # too early
    look("false_start")
    rig.down("P3")
    while rig.playing.question.kind.name != "RACE":
        rig.after(50)
    look("flash")
    rig.after(500).up("P1", "P2", "P3").after(12000)
    look("build")
    rig.tap("P3").after(100).tap("P1").after(100)  # P3 only bumped the button
    rig.ok_hold()
    look("back")
    rig.ok().ok_hold().after(5000)  # the stopwatch runs on from the old flash
    rig.tap("P2").after(100)
    look("meow")
    rig.tap("P1").after(100)
    look("last")
    rig.after(2500)
    look("check")
    rig.arrow(1)
    look("points")
    rig.ok()
    look("clean_up")
    rig.ok_hold()
    look("undo_points")
    rig.ok().ok_hold().arrow(1).ok().ok()  # it was a seven: P2 7, P3 -1
    expected = [0, 7, -1]

    flash(rig).down("P1", "P2").after(200).up("P1", "P2").after(50)  # two Meows at once
    look("tie")
    rig.arrow(-1).ok().after(100)  # it was P2; P3 has not pressed and is last
    rig.arrow(-1).ok()  # and P2 was wrong
    expected = [0, 6, -2]

    for points in (4, 5, 6, 7):
        flash(rig).tap("P2").after(200).tap("P3").after(200).arrow(1).arrow(points - 6).ok().ok()
        expected[1] += points
        expected[0] -= 2 if rig.playing.play.state.round.number > 7 else 1
    look("end")
    return tuple(expected)


def flash(rig: Rig, *names: str) -> Rig:
    """Hands on, flash, hands off, some building."""
    names = names or ("P1", "P2", "P3")
    return rig.down(*names).after(3100).up(*names).after(4000)


def pack_and_stack(rig: Rig, look: Callable[[str], None] = lambda name: None) -> tuple[int, ...]:
    """Four players, counted quickly, until somebody has no points left. Returns the scores it has to come to."""
    four = ("P1", "P2", "P3", "P4")
    rig.begin("Pack & Stack", *four)
    look("youngest")
    rig.tap("P3")
    expected = [75, 75, 75, 75]
    losses = ((30, 12, 0, 9), (31, 8, 14, 5), (20, 6, 11, 13))
    for n, spaces_left in enumerate(losses):
        empties = spaces_left
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
        if n == 1:  # two hands too close to call
            rig.tap("P1").after(300).down("P3", "P4").after(200).up("P3", "P4").after(50)
            look("dead_heat")
            rig.ok()
        else:
            rig.tap("P4").after(300).tap("P1").after(200)
        look("packing") if n == 0 else None
        for name in four:
            rig.tap(name).after(100)
        look("empties") if n == 0 else None
        for name, spaces in zip(four, empties, strict=True):
            if spaces:
                rig.tap(name).arrow(spaces - 1)
            else:
                rig.hold(name)
        look("empties_entered") if n == 0 else None
        rig.ok()
        look("left_over") if n == 0 else None
        if n == 2:  # P1 leaves two green boxes on the pavement
            rig.tap("P1", 2)
            empties = (empties[0] + 4, *empties[1:])
        rig.ok(5)
        look("result") if n == 0 else None
        least = min(empties)
        expected = [have - lost + (10 if lost == least else 0) for have, lost in zip(expected, empties, strict=True)]
        rig.ok()
    look("end")
    return tuple(expected)
