"""The canvas: a 128x64 picture being drawn, with the place of every text on it.

A text that is cut, touches another or has a character that the font lacks is an error of the caller. At the table it
is drawn as far as it fits; where `Canvas.strict` is set, as in all tests, it raises `Misfit`.
"""

import textwrap
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import ClassVar, NamedTuple, Self, TypeAlias

from PIL import Image, ImageChops

from firmware.output.screens.font import BOLD, DRAWN, FOOT, HEADLINES, LARGE, PLAIN, SMALL, font, ink, written

WIDTH_PX, HEIGHT_PX = 128, 64
BODY_PX = 8  # where the body begins
FOOT_PX = 55  # where the bottom row begins
LIT = 255
LINE_PX = 8  # of small lines that stand close
APART_PX = 2  # between two texts, at least
FOOT_APART = 2  # characters between the two ends of the bottom row, at least
MOON = (".##.", "##..", "##..", "####", ".##.")
WORDS, LASTING = "words", "lasting"  # keys of the texts in a picture's `info`

Text: TypeAlias = str | tuple[str, ...]  # several: the first that fits


class Passing(str):
    """A text that stands for a moment or changes by itself, as clocks do."""

    __slots__ = ("rest",)
    rest: str

    def __new__(cls, text: str, rest: str = "") -> Self:
        """`rest`: the same without what passes."""
        made = super().__new__(cls, text)
        made.rest = rest
        return made


class Role(Enum):
    """The purpose of a text."""

    HEADLINE = auto()  # the one fact that matters, read from the far side of a table
    FOOT = auto()  # the effect of press and hold
    DETAIL = auto()


class Word(NamedTuple):
    """A text on a picture, and the box around its lit pixels."""

    text: str
    role: Role
    size: str
    left: int
    top: int
    right: int
    bottom: int

    def meets(self, left: int, top: int, right: int, bottom: int) -> bool:
        """Whether it reaches into a box."""
        return self.left < right and left < self.right and self.top < bottom and top < self.bottom


class Misfit(Exception):
    """A text that does not fit, or does not stand clear of another."""


class Canvas:
    """A 128x64 picture being drawn. Positions are px from the top left."""

    strict: ClassVar[bool] = False

    def __init__(self, over: Image.Image | None = None) -> None:
        """`over`: a finished picture to draw on."""
        self._image = Image.new("1", (WIDTH_PX, HEIGHT_PX)) if over is None else over.copy()
        self._words: list[Word] = [] if over is None else list(words(over))
        self._lasting = None if over is None else lasting(over)
        self._top: tuple[Text, Text, str] = ("", "", SMALL)
        self._foot: tuple[Text, Text] | None = None
        self._note: Text = ""
        self._inverted = False

    # --- texts -------------------------------------------------------------------------------------------------------

    def text(
        self,
        x: int,
        y: int,
        text: str,
        size: str = SMALL,
        *,
        bold: bool = False,
        invert: bool = False,
        within: tuple[int, int] = (0, WIDTH_PX),
        role: Role = Role.DETAIL,
    ) -> None:
        """Write from x on, between two columns of pixels. Inverted: dark on a lit ground, which is laid if need be."""
        box = ink(size, text, bold=bold)
        if lacks := set(text) - DRAWN:
            self._fault(f"{text!r}: the font lacks {' '.join(sorted(lacks))}")
        if box is None:
            return
        left, top, right, bottom = x + box[0], y + box[1], x + box[2], y + box[3]
        if left < within[0] or right > within[1] or top < 0 or bottom > HEIGHT_PX:
            self._fault(
                f"{text!r} is cut: {right - left} px at {left}, {top}: must be within {within[0]} to {within[1]}"
            )
            left, right = max(left, within[0]), min(right, within[1])
            if right <= left:
                return
        apart = 1 if invert or role is Role.HEADLINE else APART_PX
        around = (max(0, left - apart), max(0, top), min(WIDTH_PX, right + apart), min(HEIGHT_PX, bottom))
        darkest, brightest = self._image.crop(around).getextrema()
        if darkest != brightest or bool(darkest) > invert:
            others = [word.text for word in self._words if word.meets(*around)]
            self._fault(f"{text!r} meets {', '.join(map(repr, others)) or 'a line'} at {left}, {top}")
        if invert and not darkest:
            self._fill(around[0], y, around[2], y + font(size).height_px)
        line = written(size, text, bold=bold).crop((left - x, top - y, right - x, bottom - y))
        self._image.paste(0 if invert else LIT, (left, top), line)
        self._words.append(Word(text, role, size, left, top, right, bottom))

    def centre(
        self,
        x: int,
        width: int,
        y: int,
        text: Text,
        size: str = SMALL,
        *,
        bold: bool = False,
        invert: bool = False,
        role: Role = Role.DETAIL,
    ) -> None:
        """Write in the middle of a column."""
        text = fit(text, width, size)
        if (box := ink(size, text, bold=bold)) is None:
            return
        at = x + (width - (box[2] - box[0])) // 2 - box[0]
        self.text(at, y, text, size, bold=bold, invert=invert, within=(x, x + width), role=role)

    def right(self, x: int, width: int, y: int, text: Text, size: str = SMALL, *, invert: bool = False) -> None:
        """Write up to the right end of a column."""
        text = fit(text, width, size)
        if (box := ink(size, text)) is not None:
            self.text(x + width - box[2], y, text, size, invert=invert, within=(x, x + width))

    def title(self, text: Text) -> None:
        """The question, above the headline."""
        self.centre(0, WIDTH_PX, BODY_PX, text, PLAIN)

    def headline(
        self,
        text: Text,
        y: int = BODY_PX,
        *,
        height: int = FOOT_PX - BODY_PX,
        x: int = 0,
        width: int = WIDTH_PX,
        size: str = "",
        invert: bool = False,
    ) -> None:
        """The one fact that matters, in the middle of a box; as large as it fits, or in one of `HEADLINES`."""
        text = fit(text, width, HEADLINES[-1])
        size = size or fitting(text, width, height)
        bold = size in BOLD and (ink_px(text, size) < width - 2 or not invert)
        if (box := ink(size, text, bold=bold)) is None:
            return
        cell = font(size)
        top = y + (height - cell.cap_px) // 2 - cell.cap_top_px  # capitals in the middle, as far as all of it fits
        top = max(y - box[1], min(top, y + height - box[3]))
        self.centre(x, width, top, text, size, bold=bold, invert=invert, role=Role.HEADLINE)

    def status(self, left: Text = "", right: Text = "", size: str = "") -> None:
        """The top row; a later text replaces an earlier one, an empty text leaves it."""
        old = self._top
        self._top = (left or old[0], right or old[1], size or old[2])

    def question(self, text: Text, size: str = SMALL) -> None:
        """The question takes the top row; what stood there at the right stays only where there is room."""
        right = self._top[1]
        self._top = (text, (*((right,) if isinstance(right, str) else right), ""), size)

    def banner(self, lines: Sequence[str]) -> None:
        """What is wrong, lit, from the top row on, which it takes."""
        self._top = ("", "", SMALL)
        self.box(0, 0, WIDTH_PX, LINE_PX * len(lines) + 1)
        for n, line in enumerate(lines):
            self.text(1, LINE_PX * n + 1, line, invert=True)

    def foot(self, left: Text, right: Text = "") -> None:
        """The bottom row: the effect of press and hold; a later call replaces an earlier one."""
        self._foot = (left, right)

    def note(self, text: Text) -> None:
        """What is wrong, lit over the top row, so that the bottom row still says what to do; no text: nothing is."""
        self._note = text

    # --- figures -----------------------------------------------------------------------------------------------------

    def box(self, x: int, y: int, width: int, height: int) -> None:
        """A filled box."""
        self._clear(x, y, x + width, y + height)
        self._fill(x, y, x + width, y + height)

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """The outline of a box."""
        right, bottom = x + width, y + height
        for side in ((x, y, right, y + 1), (x, bottom - 1, right, bottom)):
            self._fill(*side)
        for side in ((x, y, x + 1, bottom), (right - 1, y, right, bottom)):
            self._fill(*side)

    def bar(self, x: int, y: int, width: int, height: int, part: float) -> None:
        """A bar on a lit field that fills up: what is still missing is dark."""
        self._image.paste(0, (x + round(part * width), y, x + width, y + height))

    def squares(self, x: int, y: int, rows: Sequence[Sequence[int]], side: int) -> None:
        """A pattern of squares on a lit field: dark where the value is not 0. `side`: of each."""
        for down, row in enumerate(rows):
            for across, dark in enumerate(row):
                if dark:
                    left, top = x + across * side, y + down * side
                    self._image.paste(0, (left, top, left + side, top + side))

    def moon(self, right: int, y: int) -> None:
        """A small moon that ends at `right`: the phone of this seat is asleep, or gone."""
        for down, row in enumerate(MOON):
            for across, inked in enumerate(row):
                at = right - len(row) + across, y + down
                if inked == "#" and at[0] < WIDTH_PX and at[1] < HEIGHT_PX:
                    self._image.putpixel(at, 0 if self._image.getpixel(at) else LIT)

    def cover(self, top: int, bottom: int) -> None:
        """Clear these rows for other texts; texts that reach into them are removed whole."""
        for word in self._words:
            if word.meets(0, top, WIDTH_PX, bottom):
                ground = self._image.getpixel((max(0, word.left - 1), word.top))
                self._image.paste(bool(ground) * LIT, (word.left, word.top, word.right, word.bottom))
        self._words = [word for word in self._words if not word.meets(0, top, WIDTH_PX, bottom)]
        self._image.paste(0, (0, top, WIDTH_PX, bottom))

    def invert(self) -> None:
        """Dark becomes lit, in the whole picture."""
        self._inverted = True

    # --- the end -----------------------------------------------------------------------------------------------------

    def picture(self) -> Image.Image:
        """The finished picture, which knows its texts: see `texts`."""
        left, right, size = self._top
        body, self._words = self._words, []
        right, left = both(right, left, WIDTH_PX, SMALL, size, 1)
        box = ink(size, left)
        self.text(0, -1 if size == PLAIN and box is not None and box[1] else 0, left, size)
        self.right(0, WIDTH_PX, 0, right)
        self._words += body
        if self._foot is not None and any(self._foot):
            self._clear(0, FOOT_PX, WIDTH_PX, HEIGHT_PX)
            self._fill(0, FOOT_PX, WIDTH_PX, HEIGHT_PX)
            left, right = both(*self._foot, WIDTH_PX - 2, FOOT, FOOT, FOOT_APART)
            self.text(1, FOOT_PX, left, FOOT, invert=True, role=Role.FOOT)
            if right:
                x = WIDTH_PX - font(FOOT).width_px * len(right)
                self.text(x, FOOT_PX, right, FOOT, invert=True, role=Role.FOOT)
        stays = [text.rest if isinstance(text, Passing) else text for text, *_ in self._words]
        if self._note:
            self.cover(0, BODY_PX)
            self.box(0, 0, WIDTH_PX, BODY_PX)
            self.text(1, 0, fit(self._note, WIDTH_PX - 1, SMALL), invert=True)
        image = ImageChops.invert(self._image) if self._inverted else self._image
        image.info[WORDS] = tuple(self._words)
        image.info[LASTING] = tuple(stays) if self._lasting is None else self._lasting
        return image

    def _fill(self, left: int, top: int, right: int, bottom: int) -> None:
        self._image.paste(LIT, (max(0, left), max(0, top), min(WIDTH_PX, right), min(HEIGHT_PX, bottom)))

    def _clear(self, left: int, top: int, right: int, bottom: int) -> None:
        """Check that no text is in a box that is to be filled."""
        for word in self._words:
            if word.meets(left, top, right, bottom):
                self._fault(f"{word.text!r} is covered")

    def _fault(self, text: str) -> None:
        if self.strict:
            raise Misfit(text)


def words(picture: Image.Image) -> tuple[Word, ...]:
    """The texts on a finished picture, in the order in which they are read."""
    on_it: tuple[Word, ...] = picture.info.get(WORDS, ())
    return on_it


def texts(picture: Image.Image) -> tuple[str, ...]:
    """The texts of a finished picture, in reading order: top row, body, bottom row."""
    return tuple(word.text for word in words(picture))


def lasting(picture: Image.Image) -> tuple[str, ...]:
    """The same without notes, flashes and running clocks, and with what a note covers."""
    stays: tuple[str, ...] = picture.info.get(LASTING, ())
    return stays


def letters_beside(text: str) -> int:
    """How many small letters there is room for in a row, beside a text and a gap."""
    return WIDTH_PX // font(SMALL).width_px - len(text) - 1


def wrapped(text: Text, most: int, size: str = SMALL, width: int = 0) -> list[str]:
    """A text in lines, at most so many; the first of several that fits, else the last, cut.

    `width`: of the lines, in letters; else they are as wide as the display.
    """
    width = width or WIDTH_PX // font(size).width_px
    lines: list[str] = []
    for one in (text,) if isinstance(text, str) else text:
        lines = textwrap.wrap(one, width, max_lines=most, placeholder="..")
        if not lines or not lines[-1].endswith("..") or one.endswith(".."):
            break
    return lines


def width_px(text: str, size: str) -> int:
    """The width of a text."""
    return font(size).width_px * len(text)


def longest(text: Text) -> str:
    """The first and longest of several texts."""
    return text if isinstance(text, str) else text[0]


def fit(text: Text, width: int, size: str) -> str:
    """The first of several texts that fits into a width; if none does, the last."""
    if isinstance(text, str):
        return text
    return next((one for one in text if ink_px(one, size) <= width), text[-1])


def ink_px(text: str, size: str) -> int:
    """The width of the lit pixels of a text."""
    box = ink(size, text)
    return 0 if box is None else box[2] - box[0]


def both(first: Text, second: Text, width: int, size: str, second_size: str, apart: int) -> tuple[str, str]:
    """The first pair of two texts that fits into a row, the first as long as may be; if none does, the last ones."""
    firsts = (first,) if isinstance(first, str) else first
    seconds = (second,) if isinstance(second, str) else second
    for one in firsts:
        for other in seconds:
            between = apart * font(SMALL).width_px if one and other else 0
            if width_px(one, size) + width_px(other, second_size) + between <= width:
                return one, other
    return firsts[-1], seconds[-1]


def fitting(text: str, width: int, height: int, sizes: Iterable[str] = HEADLINES) -> str:
    """The largest size in which a headline fits; if none does, the smallest."""
    size = LARGE
    for size in sizes:
        box, cell = ink(size, text, bold=size in BOLD), font(size)
        if box is None:
            break
        tall = max(box[3], cell.cap_top_px + cell.cap_px) - min(box[1], cell.cap_top_px)
        if box[2] - box[0] <= width and tall <= height:
            break
    return size


def common_size(values: Sequence[str], width: int, height: int) -> str:
    """The largest size in which each of several headlines fits."""
    return min((fitting(value, width, height) for value in values), key=lambda size: tuple(map(int, size.split("x"))))
