"""What people are told while a question stands, said once: display, phones, page and voice read the same face.

A text may have seats, times and gaps among its values; whoever shows it puts names and digits there. Several texts:
the first that fits.
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import NamedTuple, TypeAlias

from engine.rules import Seat
from engine.words import N_, Filled


class Who(tuple[Seat, ...]):
    """Seats in a text: by the names of their players or, where there is no room, by the labels of their buttons."""

    __slots__ = ()
    between = " "


class Either(Who):
    """Seats of which one is meant."""

    __slots__ = ()
    between = "/"


class Short(Who):
    """Seats in a row of many: by names that are cut where there is little room."""

    __slots__ = ()


class Time(int):
    """A duration in ns: 34.2, 2:05.1."""

    __slots__ = ()

    def __bool__(self) -> bool:  # no duration is a text, too
        return True


class Gap(int):
    """A gap in ns between presses: +0.12."""

    __slots__ = ()


class Left(int):
    """The time left until a stamp, in minutes and seconds: 1:05."""

    __slots__ = ()


class Overtime(Left):
    """The same of a clock that only warns: it counts on below 0, -0:12."""

    __slots__ = ()


class Kept(int):
    """A duration in ns that stands still, in minutes and seconds: 1:05."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return True


Said: TypeAlias = str | Time | Left | Kept | Who | tuple[str | Left, ...]


class Face(NamedTuple):
    """A question's face. What is left empty is as usual: the question's label, and what its keys do."""

    left: Said = ""  # where the game stands; as a rule `Rules.heading` says it
    right: Said = ""  # beside it
    big: Said = ""  # the one fact that matters, instead of the label
    lines: tuple[Said, ...] = ()  # one or two, below it; or one above the values
    values: tuple[str, ...] = ()  # by seat, instead of the scores
    times: tuple[Left | Kept, ...] = ()  # by seat its clock, instead of values
    title: Said = ""  # above the values, or instead of the label
    whether: Said = ""  # asked before several numbers are: is there anything to count? OK says no
    below: tuple[str | tuple[str, ...], ...] = ()  # by seat, below the values
    before: tuple[tuple[str, ...], ...] = ()  # by seat, an earlier answer that helps now, from long to short
    wrong: Said = ""  # why the same is asked again; what was entered stands, to be put right
    aside: str = ""  # the verb of a side entry that people should know of now
    out: tuple[Seat, ...] = ()  # the seats that play no more
    lit: tuple[Seat, ...] = ()  # the seats that stand out
    buttons: tuple[Seat, ...] = ()  # the seats that hold their buttons, of which those that do are lit
    since_ns: int | None = None  # a stopwatch runs instead, and begins with `big` as a flash
    until_ns: int | None = None  # whole seconds are counted down to it instead
    press: Said = ""  # what a press does, or what is to be done
    ok: Said = ""  # what OK does
    hold: Said = ""  # what holding the button does, beside a press
    turn: str = ""  # the side entries, which a turn opens: in the last line or, without a press, in its place
    does: Mapping[str, str] = {}  # by verb: the words of a button that only does this, where the label says less


USUAL = Face()


def runs_out(face: Face) -> Left | None:
    """When the time that people see running is up."""
    waiting: list[object] = [face.left, face.right, face.big, face.title, *face.lines, *face.times, face.press, face.ok]
    for said in waiting:
        if isinstance(said, Left):
            return said
        if isinstance(said, Filled):
            waiting += said.values.values()
        elif type(said) is tuple:
            waiting += said
    return None


def row(texts: Iterable[str]) -> str:
    """Texts one after the other."""
    return reduce(lambda one, other: N_("{one} {other}", one=one, other=other), texts)
