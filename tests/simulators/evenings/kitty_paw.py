"""An evening of Kitty Paw."""

from collections.abc import Callable

from tests.simulators.rig import Rig


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
    rig.yes()
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
    rig.no().ok()  # and P2 was wrong
    expected = [0, 6, -2]

    for points in (4, 5, 6, 7):
        flash(rig).tap("P2").after(200).tap("P3").after(200).yes().arrow(points - 6).ok().ok()
        expected[1] += points
        expected[0] -= 2 if rig.playing.play.state.round.number > 7 else 1
    look("end")
    return tuple(expected)


def flash(rig: Rig, *names: str) -> Rig:
    """Hands on, flash, hands off, some building."""
    names = names or ("P1", "P2", "P3")
    return rig.down(*names).after(3100).up(*names).after(4000)
