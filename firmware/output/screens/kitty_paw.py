"""Kitty Paw's own picture: the last, large for a moment before the pattern is checked."""

from engine import race
from engine.face import Face
from engine.game import known
from engine.games.kitty_paw import Check
from firmware.output.screens import templates
from firmware.output.screens.canvas import Canvas
from firmware.output.screens.face import Drawings, shown
from firmware.output.screens.view import View
from firmware.translation import _

VERDICT_NS = 2_000_000_000  # how long the last is shown large, before the pattern is asked for


def verdict(canvas: Canvas, view: View, face: Face, ask: Check) -> None:
    """The last, then the question beside it."""
    state = view.play.state
    settled_ns = race.last_due_ns(known(state.round.run).race, race.widened(state.options.tie_band))
    if face.big and settled_ns is not None and 0 <= view.now_ns - settled_ns < VERDICT_NS:
        canvas.headline(shown(view, face.big))
        keys = _("turn, OK") if view.knob else _("▲ yes ▼ no")
        canvas.foot(f"{view.title} {keys}")
    else:
        templates.yes_or_no(canvas, view, view.title)


DRAWINGS: Drawings = {Check: verdict}
