"""Seats side by side: columns, blocks and buttons, with names and numbers cut to their room."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from engine.rules import Seat
from firmware.output.screens.canvas import (
    BODY_PX,
    FOOT_PX,
    LINE_PX,
    WIDTH_PX,
    Canvas,
    Text,
    common_size,
    fit,
    ink_px,
    width_px,
)
from firmware.output.screens.font import MEDIUM, NARROW, PLAIN, SMALL, THINNEST, font, ink
from firmware.output.screens.view import View
from firmware.translation import _

IN_A_ROW = 4  # columns of seats; more seats stand in two rows
TITLE_PX = 12  # the height of a title
MIN_PX = font(NARROW).cap_px  # of a value
SMALL_PX = font(SMALL).width_px
MAX_LABEL, LEAST_LABEL = 4, 2  # characters of a button's label
MAX_LABEL, LEAST_LABEL = 4, 2  # characters of a button's label
NAMES_STAND_BACK = range(MAX_LABEL, LEAST_LABEL - 1, -1)  # for numbers: so many characters, then fewer
LEFT_OUT = ".."  # instead of a number that has no room
BETWEEN_PX = 6  # from the value of one seat to that of the next, at least


def cells(
    canvas: Canvas,
    view: View,
    values: Sequence[str],
    *,
    title: Text = "",
    line: Text = "",
    foot: Sequence[Text] = (),
    lit: Iterable[Seat] = (),
) -> None:
    """A column a seat: name, a large value, a small line below; above them a title or a small line.

    Lit seats have a filled name. More than four seats stand in two rows, the value beside the name; what is above them
    then takes the status row.
    """
    if len(values) > IN_A_ROW:
        if title:
            canvas.question(title, PLAIN)
        else:
            canvas.status(line)
        grid(canvas, view, values, TITLE_PX if title else BODY_PX, foot, frozenset(lit))
        return
    y = BODY_PX
    if title:
        canvas.title(title)
        y += TITLE_PX
    elif line:
        canvas.centre(0, WIDTH_PX, y + 1, line)
        y += 10
    else:
        y += 1
    width, top = WIDTH_PX // len(values), y + 8
    room = FOOT_PX - top - (9 if foot else 0)
    values, below = with_room(values, width), with_room(foot, width, SMALL)
    size = common_size(values, width - BETWEEN_PX, max(MIN_PX, room - 2))
    for seat, value in enumerate(values):
        x = seat * width
        name_box(canvas, view.name(seat, (width - 1) // SMALL_PX), x, width - 1, y, lit=seat in set(lit))
        if seat in view.away:
            canvas.moon(x + width - 1, y + 1)
        canvas.headline(value, top, height=room, x=x, width=width, size=size)
        if foot:
            canvas.centre(x, width, FOOT_PX - 9, below[seat])


def grid(canvas: Canvas, view: View, values: Sequence[str], y: int, foot: Sequence[Text], lit: frozenset[Seat]) -> None:
    """Two rows of seats: the name, a small line below it, and beside them a large value."""
    columns = -(-len(values) // 2)
    width, height = WIDTH_PX // columns, (FOOT_PX - y) // 2
    values = with_room(values, width - LEAST_LABEL * SMALL_PX - 3)
    needs = max(ink_px(value, THINNEST) for value in values)
    called, below, names = [""] * len(values), [""] * len(values), 0
    ways = (MAX_LABEL, 0, NARROW), *((most, -1, size) for most in NAMES_STAND_BACK for size in (NARROW, THINNEST))
    for most, at, size in ways:  # the totals stand without their sign, then names stand back
        below = with_room([text if isinstance(text, str) else text[at] for text in foot], width - needs - 3, SMALL)
        called = [view.name(seat, most) for seat in range(len(values))]
        names = max(width_px(text, SMALL) for text in (*called, *below)) + 1
        if max(ink_px(value, size) for value in values) <= width - names - 2:
            break
    room = width - names - 2
    values = with_room(values, room)
    size = common_size(values, room, max(MIN_PX, height - 3))
    for seat, value in enumerate(values):
        row, column = divmod(seat, columns)
        x, top = column * width, y + row * height
        name_box(canvas, called[seat], x, names, top + 1, lit=seat in lit)
        if seat in view.away:
            canvas.moon(x + width - 1, top + 1)
        canvas.headline(value, top, height=height - 1, x=x + names + 1, width=room, size=size)
        if foot:
            canvas.centre(x, names, top + 11, below[seat])


def name_box(canvas: Canvas, name: str, x: int, width: int, y: int, *, lit: bool) -> None:
    """A small name; dark on a lit ground where it matters most."""
    if lit:
        canvas.box(x, y, width, 8)
    canvas.centre(x, width, y, name, invert=lit)


def buttons(
    canvas: Canvas,
    names: Sequence[str],
    lit: Iterable[int],
    y: int,
    ranks: Sequence[int] = (),
    below: Sequence[str] = (),
    away: Iterable[int] = (),
) -> None:
    """Labels in frames down to the bottom row, as buttons lie on a table; lit ones are filled.

    `ranks`: 1 for the first, 2 for the second and so on; 0 for none yet. `below`: the players' names, empty for none;
    in two rows they stand beside the labels. `away`: those whose phone is asleep.
    """
    filled, asleep = frozenset(lit), frozenset(away)
    rows = 1 if len(names) <= IN_A_ROW else 2
    columns = -(-len(names) // rows)
    width, height = WIDTH_PX // columns, (FOOT_PX - y) // rows - 1
    texts = list(names)
    if ranks and rows == 2:  # no room for a line of its own
        texts = [f"{rank} {name}" if rank else name for rank, name in zip(ranks, names, strict=True)]
        ranks = ()
    sizes = (PLAIN, SMALL) if ranks else (MEDIUM, PLAIN, SMALL)
    size = next((size for size in sizes if all(within(text, size, width - 6, height - 2) for text in texts)), SMALL)
    cell = font(size)
    rooms = [width - 8 if rows == 1 else width - 10 - width_px(text, size) for text in texts]
    for n, (text, name) in enumerate(zip(texts, names_below(names, below, rooms), strict=True)):
        row, column = divmod(n, columns)
        x, top, invert = column * width, y + row * (height + 1), n in filled
        (canvas.box if invert else canvas.frame)(x + 1, top, width - 2, height)
        if n in asleep:
            canvas.moon(x + width - 3, top + 2)
        ranked = 9 if ranks and ranks[n] else 0
        if ranked:
            canvas.centre(x + 1, width - 2, top + 2, ordinal(ranks[n]), invert=invert)
        at = top + ranked + (height - ranked - cell.cap_px) // 2 - cell.cap_top_px
        if not name:
            canvas.centre(x + 1, width - 2, at, text, size, invert=invert)
        elif rows == 1:
            canvas.centre(x + 1, width - 2, top + 2 - cell.cap_top_px, text, size, invert=invert)
            canvas.centre(x + 4, width - 8, top + height - 9, name, invert=invert)
        else:
            canvas.text(x + 4, at, text, size, invert=invert)
            canvas.text(x + 4 + width_px(text, size) + 2, top + 1, name, invert=invert)


def names_below(labels: Sequence[str], names: Sequence[str], rooms: Sequence[int]) -> list[str]:
    """Each player's name, cut to its room; empty where it is the label, or where two look the same once cut."""
    if not names:
        return [""] * len(labels)
    cuts = ["" if name == label else cut(name, room) for label, name, room in zip(labels, names, rooms, strict=True)]
    return [name if cuts.count(name) == 1 else "" for name in cuts]


def cut(text: str, width: int) -> str:
    """As much of a small text as fits into a width."""
    return next(text[:most] for most in range(len(text), -1, -1) if ink_px(text[:most], SMALL) <= width)


def within(text: str, size: str, width: int, height: int) -> bool:
    """Whether a text fits into a box."""
    box = ink(size, text)
    return box is None or (box[2] - box[0] <= width and box[3] - box[1] <= height)


# --- templates ------------------------------------------------------------------------------------------------------


def in_a_row(view: View) -> bool:
    """Whether all seats stand in one row."""
    return len(view.play.players) <= IN_A_ROW


Names: TypeAlias = Sequence[Callable[[int], str]]  # of all seats, each in so many characters at most
Lines: TypeAlias = Sequence[Sequence[Text]]  # each with a text for every seat


def in_columns(canvas: Canvas, names: Names, values: Sequence[str], y: int, below: Lines, lit: Iterable[int]) -> None:
    """A column each: name, a large value, and as many small lines below it as there is room for."""
    width, top = WIDTH_PX // len(values), y + 8
    below = below[: max(0, (FOOT_PX - top - MIN_PX) // LINE_PX)]
    room = FOOT_PX - top - LINE_PX * len(below)
    texts = cut_to([*values], (width - 2) // font(THINNEST).width_px)
    size = common_size(texts, width - BETWEEN_PX, max(MIN_PX, room - 1))
    for n, value in enumerate(texts):
        x = n * width
        name_box(canvas, names[n]((width - 1) // SMALL_PX), x, width - 1, y, lit=n in lit)
        canvas.headline(value, top, height=room, x=x, width=width, size=size)
        for down, texts_below in enumerate(below):
            canvas.centre(x, width, top + room + LINE_PX * down, short_enough(texts_below[n], width))


def blocks(canvas: Canvas, names: Names, values: Sequence[str], y: int, below: Lines, lit: Iterable[int]) -> None:
    """Two rows of them: the name, below it one of the small lines, beside them a large value."""
    columns = -(-len(values) // 2)
    width, height = WIDTH_PX // columns, (FOOT_PX - y) // 2
    room = width // 2
    small = [next((text for line in reversed(below) if (text := line[n])), "") for n in range(len(values))]
    foot = [short_enough(text, room) for text in small]
    called, wide = [""] * len(names), 0
    needs = max((width_px(value, THINNEST) for value in values if value[-1:].isdigit()), default=0)
    for most in NAMES_STAND_BACK:
        called = [name(most) for name in names]
        wide = max(width_px(text, SMALL) for text in (*called, *foot)) + 1
        if needs <= width - wide - 2:
            break
    texts = cut_to([*values], (width - wide - 2) // font(THINNEST).width_px)
    size = common_size(texts, width - wide - 2, max(MIN_PX, height - 3))
    for n, value in enumerate(texts):
        row, column = divmod(n, columns)
        x, top = column * width, y + row * height
        name_box(canvas, called[n], x, wide, top, lit=n in lit)
        canvas.headline(value, top, height=height - 1, x=x + wide + 1, width=width - wide - 2, size=size)
        canvas.centre(x, wide, top + 10, foot[n])


def short_enough(text: Text, width: int) -> str:
    """The first of several small texts that fits; else a word is cut, and a number left out: cut it is another one."""
    one = fit(text, width - 1, SMALL)
    short = cut(one, width - 1)
    return short if short == one or not one[-1].isdigit() else ""


def cut_to(texts: Sequence[str], most: int) -> list[str]:
    """Texts in so many characters at most; of two that would look the same the last letter is kept, too.

    A number that is too long is left out.
    """
    texts = with_room(texts, most * font(THINNEST).width_px)
    short = [text[:most] for text in texts]
    return [
        short[n]
        if len(text) <= most or all(other == text or one != short[n] for one, other in zip(short, texts, strict=True))
        else text[: most - 1] + text[-1]
        for n, text in enumerate(texts)
    ]


def with_room(texts: Sequence[Text], width: int, size: str = THINNEST) -> list[str]:
    """Of each text the first that fits; a number that does not is left out: cut it is another one."""
    each = [fit(text, width, size) for text in texts]
    return [LEFT_OUT if ink_px(text, size) > width and text[-1].isdigit() else text for text in each]


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    return {1: _("1st"), 2: _("2nd"), 3: _("3rd")}.get(place) or _("{place}th", place=place)
