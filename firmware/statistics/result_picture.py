"""The result of a game as a picture to send: places, points, and the photo finish of the closest race, 1200 by 630.

Drawn with the display's font, so it has the display's letters: else a name is the short one, or the button's label.
"""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageDraw

from engine.play import Play
from firmware.journal import races
from firmware.journal.reader import GameRow, History
from firmware.output.race_evidence import Evidence, short
from firmware.output.screens.common import ordinal
from firmware.output.screens.font import LARGE, MEDIUM, NARROW, PLAIN, written
from firmware.people.names import at_table
from firmware.translation import _, translated

WIDTH_PX, HEIGHT_PX = 1200, 630
SCALE = 3  # pixels of the font
WIDE, TALL = WIDTH_PX // SCALE, HEIGHT_PX // SCALE
EDGE = 10
PAPER, INK, MARK, BAND, RULE = "#12241f", "#f1dfba", "#e0b35a", "#6d7f6f", "#3c5149"
ROW = 26  # of a player
LANE = 12  # of the photo finish


def of(history: History, row: GameRow, day: str) -> bytes:
    """The picture of a game of the journal. Raises `sqlite3.Error` where it cannot be read."""
    replay = history.replay(row.game, history.rules(row))
    play = replay.play
    names = at_table(play.players, {seat: one.drawn for seat, one in history.people(row.game).items()})
    standing = [each.evidence for each in races.finishes(history, row, replay) if not each.undone]
    return png(play, names, day, closest(standing))


def png(play: Play, names: Sequence[str], day: str, race: Evidence | None) -> bytes:
    """The picture of a game that is over. `names`: by seat; `race`: the closest one, if there was any."""
    picture = Image.new("RGB", (WIDE, TALL), PAPER)
    _write(picture, EDGE, EDGE, translated(play.rules.title), LARGE, MARK)
    _write(picture, WIDE - EDGE, EDGE + 4, day, MEDIUM, INK, right=True)
    top = EDGE + 40
    for n, seat in enumerate(play.ranking):
        y, ink = top + ROW * n, MARK if seat in play.winners else INK
        _write(picture, EDGE, y, ordinal(play.places[seat]), NARROW, ink)
        _write(picture, EDGE + 40, y, names[seat], NARROW, ink)
        _write(picture, WIDE // 2 - EDGE, y, str(play.scores[seat]), NARROW, ink, right=True)
    if race is not None:
        _finish(picture, race, names, top)
    _write(picture, WIDE - EDGE, TALL - EDGE - 12, "Lucky Paw", PLAIN, BAND, right=True)
    found = BytesIO()
    picture.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.NEAREST).save(found, "PNG", optimize=True)
    return found.getvalue()


def closest(races: Sequence[Evidence]) -> Evidence | None:
    """The race with the smallest gap at its front or its end."""
    gaps = [
        (abs((one.at_ns or 0) - (other.at_ns or 0)), n)
        for n, race in enumerate(races)
        if race.closest is not None
        for one, other in [[row for row in race.rows if row.seat in race.closest][:2]]
    ]
    return races[min(gaps)[1]] if gaps else None


def _finish(picture: Image.Image, race: Evidence, names: Sequence[str], top: int) -> None:
    """A lane a seat, in the order of the stamps; the bar at a press is as wide as its timing error."""
    draw = ImageDraw.Draw(picture)
    left, right = WIDE // 2 + 70, WIDE - EDGE - 4
    rows = [(row, row.after_ns, row.band_ns or 0) for row in race.rows if row.after_ns is not None]
    first = min(ns for _, ns, _ in rows)
    scale = (right - left) / max(1, max(ns for _, ns, _ in rows) - first)
    _write(picture, right, top, _("the closest race"), PLAIN, MARK, right=True)
    for n, (row, ns, band_ns) in enumerate(rows):
        x, y = left + scale * (ns - first), top + LANE * n + 24
        _write(picture, left - 8, y - 6, names[row.seat][:10], PLAIN, INK, right=True)
        draw.line((left, y, right, y), RULE)
        draw.rectangle((max(left, x - scale * band_ns), y - 3, min(right, x + scale * band_ns), y + 3), BAND)
        draw.rectangle((x - 1, y - 4, x + 1, y + 4), MARK)
    says = _("first to last: {time}", time=short(max(ns for _, ns, _ in rows) - first))
    _write(picture, right, top + LANE * len(rows) + 24, says, PLAIN, INK, right=True)


def _write(picture: Image.Image, x: int, y: int, text: str, size: str, colour: str, *, right: bool = False) -> None:
    """Write at the left, or up to the right."""
    line = written(size, text)
    picture.paste(colour, (x - line.width if right else x, y), line)
