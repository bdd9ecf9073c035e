"""A game, an evening, a person as a picture to send, 1200 by 630, in the look of the kit: felt in a frame of wood.

Drawn with the display's font, so it has the display's letters: else a name is the short one, or the button's label. Who
is not counted in statistics is a guest.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw

from engine.play import Play
from firmware import local_time
from firmware.buttons import Button, of_play
from firmware.journal import races, sheet
from firmware.journal.races import Finish
from firmware.journal.reader import GameRow, History
from firmware.output.race_evidence import exact
from firmware.output.screens.font import FOOT, HUGE, LARGE, MEDIUM, NARROW, PLAIN, font, written
from firmware.output.screens.seats import ordinal
from firmware.people.names import at_table
from firmware.statistics.plots import spread
from firmware.translation import _, translated
from hardware.seat_colours import SEAT_COLOURS

WIDTH_PX, HEIGHT_PX = 1200, 630
SCALE = 3  # pixels of the font
WIDE, TALL = WIDTH_PX // SCALE, HEIGHT_PX // SCALE
FRAME = 7  # of wood
EDGE = FRAME + 8
TOP = EDGE + 32  # below the title
HALF = 205  # where the right half begins
WOOD, GRAIN, BRASS = "#5a3418", "#6b4020", "#d4a650"
FELT, INK, MARK, BAND, RULE = "#12241f", "#f1dfba", "#e0b35a", "#8fa491", "#3c5149"
UNKNOWN = "#c9beb2"  # a button that is not known
SIZES = (HUGE, LARGE, NARROW, MEDIUM, PLAIN, FOOT)


class PictureRow(NamedTuple):
    """A row: what stands at the left, in the middle, at the right; whether it is marked."""

    left: str
    middle: str
    right: str
    marked: bool = False


# --- the three -------------------------------------------------------------------------------------------------------


def game(history: History, row: GameRow) -> bytes:
    """The result of a game. Raises `sqlite3.Error` where it cannot be read."""
    replay = history.replay(row.game, history.rules(row))
    people = {seat: one.drawn for seat, one in history.people(row.game).items() if one.counted}
    names = at_table(replay.play.players, people)
    race = races.closest(races.finishes(history, row, replay, people))
    buttons = of_play(replay.play, history.buttons(row.game))
    return of_game(replay.play, names, buttons, local_time.day(history.began(row)), race and race[0])


def of_game(play: Play, names: Sequence[str], buttons: Sequence[Button | None], day: str, race: Finish | None) -> bytes:
    """The picture of a game that is over. `names`, `buttons`: by seat; `race`: the closest one, if there was any."""
    picture = Picture(translated(play.rules.title), day)
    rows = [
        PictureRow(ordinal(play.places[seat]), names[seat], str(play.scores[seat]), seat in play.winners)
        for seat in play.ranking
    ]
    course = [[each.totals[seat] for each in sheet.rounds(play)] for seat in range(len(names))]
    plotted = len(course[0]) > 1
    if race is None and not plotted:
        picture.rows(rows, WIDE - EDGE)
        return picture.png()
    picture.rows(rows, HALF - 12)
    middle = TALL - EDGE if not plotted else TOP if race is None else (TOP + TALL - EDGE) // 2 + 4
    if race is not None:
        picture.finish(race, TOP, middle - 6)
    if plotted:
        colours = [colour_of(button) for button in buttons]
        picture.course(course, names, colours, middle, _("points after each round"))
    return picture.png()


def evening(title: str, people: Sequence[PictureRow], games: Sequence[PictureRow], race: Finish | None) -> bytes:
    """An evening: people with their wins, the games with who has won them, and the closest race, if there was any."""
    picture = Picture(_("Our evening"), title)
    picture.rows(people, HALF - 12)
    lanes = 0 if race is None else sum(row.after_ns is not None for row in race.evidence.rows)
    bottom = TALL - EDGE - (24 + 14 * lanes if lanes else 0)
    picture.rows(games, WIDE - EDGE, HALF, bottom=bottom - 4 if lanes else bottom)
    if race is not None:
        picture.finish(race, bottom, TALL - EDGE)
    return picture.png()


def person(name: str, says: str, kinds: Sequence[PictureRow], wins: Sequence[int]) -> bytes:
    """Somebody: what they have played and won; `wins`: after each game."""
    picture = Picture(name, "")
    picture.write(EDGE, TOP, says, MEDIUM, INK, WIDE - 2 * EDGE)
    picture.rows(kinds, HALF + 15 if len(wins) > 1 else WIDE - EDGE, top=TOP + 24)
    if len(wins) > 1:
        picture.course([wins], [""], [MARK], TOP + 24, _("games won"), left=HALF + 35)
    return picture.png()


# --- how they are drawn ----------------------------------------------------------------------------------------------


class Picture:
    """A picture with its frame and title."""

    def __init__(self, title: str, day: str) -> None:
        self._image = Image.new("RGB", (WIDE, TALL), WOOD)
        self._draw = ImageDraw.Draw(self._image)
        for y in range(2, TALL, 5):
            self._draw.line((0, y, WIDE, y + y % 3 - 1), GRAIN)
        self._draw.rectangle((FRAME - 2, FRAME - 2, WIDE - FRAME + 1, TALL - FRAME + 1), FELT, BRASS)
        room = WIDE - 2 * EDGE - (8 * len(day) + 12 if day else 0) - 24
        self._paw(WIDE - EDGE - 16, EDGE + 2)
        self.write(EDGE, EDGE, title, LARGE, MARK, room)
        self.write(WIDE - EDGE - 24, EDGE + 3, day, MEDIUM, INK, right=True)
        self._draw.line((EDGE, TOP - 7, WIDE - EDGE, TOP - 7), BRASS)

    def _paw(self, x: int, y: int) -> None:
        for left, top, wide, tall in ((0, 6, 3, 5), (4, 1, 3, 5), (9, 1, 3, 5), (13, 6, 3, 5), (4, 9, 8, 7)):
            self._draw.ellipse((x + left, y + top, x + left + wide, y + top + tall), MARK)

    def write(
        self, x: int, y: int, text: str, size: str, colour: str, room: int = WIDE, *, right: bool = False
    ) -> None:
        """Write at the left, or up to the right; what does not fit is smaller, or cut off."""
        text = text.replace("µ", "u")  # which the display's font lacks
        size = fitting(text, room, SIZES[SIZES.index(size) :])
        line = written(size, text[: max(1, room // font(size).width_px)])
        self._image.paste(colour, (x - line.width if right else x, y), line)

    def rows(
        self, entries: Sequence[PictureRow], right: int, left: int = EDGE, top: int = TOP, bottom: int = TALL - EDGE
    ) -> None:
        """Rows as large as may be, from the top to the bottom; those for which there is no room are counted."""
        room = (bottom - top) // font(FOOT).height_px
        more = len(entries) - room + 1 if len(entries) > room else 0
        shown = [*entries[: len(entries) - more], *([PictureRow("", _("{n} more", n=more), "")] if more else [])]
        tall = (bottom - top) // max(1, len(shown))
        first = max((len(entry.left) for entry in shown), default=0)
        last = max((len(entry.right) for entry in shown), default=0)
        longest_ = max((len(entry.middle) for entry in shown), default=0)
        size = next(
            (
                size
                for size in SIZES
                if font(size).height_px <= tall
                and font(size).width_px * (first + last + longest_ + 2 * (bool(first) + bool(last))) <= right - left
            ),
            next(size for size in reversed(SIZES) if font(size).height_px <= tall or size == FOOT),
        )
        wide = font(size).width_px
        step = min(tall, 2 * font(size).height_px + 4)
        begin = left + wide * (first + 2) if first else left
        for n, entry in enumerate(shown):
            y, ink = top + step * n, MARK if entry.marked else INK
            self.write(left, y, entry.left, size, ink)
            self.write(begin, y, entry.middle, size, ink, right - begin - wide * (last + 1 if last else 0))
            self.write(right, y, entry.right, size, ink, right=True)

    def finish(self, race: Finish, top: int, bottom: int) -> None:
        """A lane a seat, in the order of the stamps; the bar at a press is as wide as its timing error."""
        rows = [(row, row.after_ns, row.band_ns or 0) for row in race.evidence.rows if row.after_ns is not None]
        longest_ = max(len(row.name) for row, *_ in rows)
        left, right = HALF + 5 * min(12, longest_) + 6, WIDE - EDGE - 3
        first = min(ns for _, ns, _ in rows)
        scale = (right - left) / max(1, max(ns for _, ns, _ in rows) - first)
        found = races.closest((race,))
        assert found is not None
        error_ns = max(row.error_ns or 0 for row, *_ns in rows if row.seat in (race.evidence.closest or ()))
        says = _("closest race, round {round}: {time}", round=race.round, time=exact(found[1], error_ns))
        self.write(HALF, top, says, PLAIN, MARK, WIDE - EDGE - HALF)
        lane = min(16, (bottom - top - 14) // len(rows))
        for n, (row, ns, band_ns) in enumerate(rows):
            x, y = left + scale * (ns - first), top + 20 + lane * n
            self.write(HALF, y - 4, row.name[:12], FOOT, INK)
            self._draw.line((left, y, right, y), RULE)
            self._draw.rectangle((max(left, x - scale * band_ns), y - 2, min(right, x + scale * band_ns), y + 2), BAND)
            self._draw.rectangle((x - 1, y - 4, x + 1, y + 4), colour_of(row.button))

    def course(
        self,
        lines: Sequence[Sequence[int]],
        names: Sequence[str],
        colours: Sequence[str],
        top: int,
        says: str,
        left: int = HALF,
    ) -> None:
        """Lines from the first to the last value, with names at their ends, each behind its colour."""
        self.write(left, top, says, PLAIN, MARK, WIDE - EDGE - left)
        longest_ = max(map(len, names))
        low = min(0, *(value for line in lines for value in line))
        high = max(low + 1, *(value for line in lines for value in line))
        numbers = 5 * max(len(str(low)), len(str(high))) + 3
        begin, end = left + numbers, WIDE - EDGE - 5 * min(12, longest_) - (10 if longest_ else 5)
        up, down = top + 18, TALL - EDGE - 4

        def y(value: float) -> float:
            return down - (down - up) * (value - low) / (high - low)

        for value in dict.fromkeys((low, 0, high)):
            self._draw.line((begin, y(value), end, y(value)), RULE)
            if value != 0 or min(abs(y(0) - y(low)), abs(y(0) - y(high))) >= 9 or not low:
                self.write(begin - 3, round(y(value)) - 4, str(value), FOOT, BAND, right=True)
        ends = spread([y(line[-1]) for line in lines], up - 4, down + 4, 9)
        for n, line in enumerate(lines):
            step = (end - begin - 3) / max(1, len(line) - 1)
            self._draw.line([(begin + step * at, y(value)) for at, value in enumerate(line)], colours[n], 2)
            if longest_:
                self._draw.rectangle((end + 3, round(ends[n]) - 2, end + 5, round(ends[n]) + 1), colours[n])
            self.write(end + 8, round(ends[n]) - 4, names[n][:12], FOOT, INK)

    def png(self) -> bytes:
        """As a file."""
        found = BytesIO()
        size = (WIDTH_PX, HEIGHT_PX)
        self._image.resize(size, Image.Resampling.NEAREST).save(found, "PNG", optimize=True)
        return found.getvalue()


def colour_of(button: Button | None) -> str:
    """The colour of a button on pages and in pictures; grey: nobody knows which one it was."""
    return UNKNOWN if button is None else SEAT_COLOURS[button % len(SEAT_COLOURS)].shown


def fitting(text: str, room: int, sizes: Iterable[str]) -> str:
    """The first size in which a text fits, else the last."""
    size = ""
    for size in sizes:
        if font(size).width_px * len(text) <= room:
            break
    return size
