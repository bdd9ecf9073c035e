"""The tunes of the buzzer, one for each event. Every race result is heard as well as seen."""

from engine.rules import Board
from hardware.parts.buzzer import Tone, Tune

CLICK: Tune = (Tone(1800, 12),)  # a press was seen
TURN: Tune = (Tone(1200, 5),)  # the knob moved
DONE: Tune = (Tone(1047, 50), Tone(1568, 70))  # entered
REFUSED: Tune = (Tone(180, 160),)  # short and low: not now
ASKED: Tune = (Tone(1047, 60), Tone(0, 40), Tone(1319, 90))  # somebody at the kit has to answer: a question rises
GO: Tune = (Tone(1568, 60), Tone(2349, 240))  # the go-signal
FIRST: Tune = (Tone(784, 70), Tone(1047, 70), Tone(1568, 260))  # somebody is first: rising
LAST: Tune = (Tone(659, 110), Tone(440, 110), Tone(294, 260))  # somebody is last: falling
TIE: Tune = (Tone(880, 90), Tone(0, 50), Tone(880, 90), Tone(0, 50), Tone(880, 90))  # too close to call: level
JUMPED: Tune = (Tone(220, 120), Tone(0, 40), Tone(220, 120))  # too early
HURRY: Tune = (Tone(988, 60), Tone(0, 60), Tone(988, 60))  # little time is left
TIME_UP: Tune = (Tone(988, 90), Tone(0, 40), Tone(988, 90), Tone(0, 40), Tone(659, 300))  # none is
BACK: Tune = (Tone(1047, 50), Tone(784, 70))  # taken back
VOID: Tune = (Tone(784, 120), Tone(587, 120), Tone(0, 60), Tone(784, 120), Tone(988, 240))  # does it not count?
WON: Tune = (Tone(1047, 120), Tone(1319, 120), Tone(1568, 120), Tone(2093, 420))


def of(before: Board, after: Board) -> Tune | None:
    """The tune of a step from one board to the next: that of the most important change."""

    def fresh(mark: str) -> bool:
        return bool(after.highlight.get(mark)) and after.highlight.get(mark) != before.highlight.get(mark)

    if fresh("winner"):
        return WON
    if fresh("last"):
        return LAST
    if fresh("tie"):
        return TIE
    if fresh("first"):
        return FIRST
    jumped = after.race.jumped if after.race else ()
    if jumped and jumped != (before.race.jumped if before.race else ()):
        return JUMPED
    return None
