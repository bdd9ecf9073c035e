"""`luckypaw strip test`: a walk through pictures of the strip, plain ones that show faults of wiring, then games."""

import os
import select
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import islice
from typing import NamedTuple

from engine import games
from engine.rules import Board, Seat
from engine.words import N_
from firmware.at_random import played
from firmware.cli import Failure, config_path, description, state_dir
from firmware.journal import people
from firmware.journal.file import open_to_read
from firmware.journal.reader import LAST, recalled
from firmware.lights import Light, pixels
from firmware.people import at_table
from firmware.table import past
from firmware.words import _, ngettext, translated
from hardware.kit import open_strip
from hardware.parts import PartLost
from hardware.strip import OFF, Colour, Pixels, Rhythm, Strip, lamp, rhythm
from hardware.strip.emulated import EmulatedStrip

FOUND_S = 9.0  # a strip that does not answer has been reported by then, also one that talks at start-up
SEEDS, BOARDS = 3, 400  # games of each kind that are looked through, and how far
DOTS = 60  # in a line
MARKS = {Rhythm.STEADY: " ", Rhythm.BREATHE: "~", Rhythm.FLASH: "!", Rhythm.CHASE: ">"}


class Sight(NamedTuple):
    """A picture, with its name and what people should see."""

    name: str
    look: str
    pixels: Callable[[int], Pixels]  # for so many lamps


class Moment(NamedTuple):
    """A kind of board that occurs in games."""

    name: str
    look: str
    fits: Callable[[Board], bool]
    who: Callable[[Board], tuple[Seat, ...]] = lambda board: board.turn


# --- plain pictures --------------------------------------------------------------------------------------------------

RED, GREEN, BLUE, WHITE = (
    lamp(colour) for colour in (Colour(255, 0, 0), Colour(0, 255, 0), Colour(0, 0, 255), Colour(255, 255, 255))
)


def all_of(colour: Colour) -> Callable[[int], Pixels]:
    return lambda leds: (colour,) * leds


ORDER = N_("Another colour: the colour order is wrong. Different ones: the kind of lamp is")
PLAIN = (
    Sight(N_("all red"), N_("every lamp is red. {order}", order=ORDER), all_of(RED)),
    Sight(N_("all green"), N_("every lamp is green. {order}", order=ORDER), all_of(GREEN)),
    Sight(N_("all blue"), N_("every lamp is blue. {order}", order=ORDER), all_of(BLUE)),
    Sight(
        N_("the first lamp"),
        N_("one white lamp at the start. At the far end: reversed. Elsewhere on a ring: offset"),
        lambda leds: (WHITE,) + (OFF,) * (leds - 1),
    ),
    Sight(
        N_("the last lamp"),
        N_("one white lamp at the end. None, or dark lamps behind it: the number of lamps is wrong"),
        lambda leds: (OFF,) * (leds - 1) + (WHITE,),
    ),
    Sight(
        N_("all white, bright"),
        N_("every lamp is white. Red towards the end, flickering, dark: too little current gets there"),
        all_of(WHITE),
    ),
)


# --- pictures of games -----------------------------------------------------------------------------------------------


def _placed(board: Board) -> bool:
    return bool(board.order) and None not in board.order and set(board.turn) <= set(board.order)


def _calm(board: Board) -> bool:
    return board.race is None and not board.highlight


MOMENTS = (
    Moment(
        N_("hands on the buttons"),
        N_("{names} not yet: only the middle of the piece, dim. Whoever holds the button: the whole piece"),
        lambda board: board.phase == "hands" and board.race is not None and 0 < len(board.turn) < len(board.scores),
    ),
    Moment(
        N_("go"),
        N_("every lamp is white"),
        lambda board: board.race is not None and board.race.phase == "running" and not board.race.gaps,
    ),
    Moment(
        N_("the first has pressed"),
        N_("{names} was first: the whole piece, bright. Who has not pressed yet: the middle of the piece, breathing"),
        lambda board: board.race is not None and board.race.phase == "answers" and bool(board.race.gaps),
        lambda board: () if board.race is None else (board.race.gaps[0][0],),
    ),
    Moment(
        N_("a dead heat"),
        N_("{names} level: white dots in the pieces, flashing"),
        lambda board: "tie" in board.highlight,
        lambda board: board.highlight["tie"],
    ),
    Moment(
        N_("first and last"),
        N_("{names} was last: red ends of the piece. First: the whole piece"),
        lambda board: {"first", "last"} <= set(board.highlight) and "winner" not in board.highlight,
        lambda board: board.highlight["last"],
    ),
    Moment(
        N_("a turn"),
        N_("{names} is asked: the whole piece breathes"),
        lambda board: _calm(board) and len(board.turn) == 1 and not board.order,
    ),
    Moment(
        N_("the order of play"),
        N_("a piece a place, in the order of play; {names} is asked: the piece breathes"),
        lambda board: _calm(board) and len(board.turn) == 1 and _placed(board),
    ),
    Moment(
        N_("the rounds"),
        N_("a white step a round: those played dim, the running one breathing, those to come a dot"),
        lambda board: (
            _calm(board) and board.round > 2 and bool(board.rounds) and not {*board.turn, *board.order} - {None}
        ),
    ),
    Moment(
        N_("the points"),
        N_("bars, the longest for the most points"),
        lambda board: _calm(board) and not board.rounds and not board.turn and len(set(board.scores)) > 1,
    ),
    Moment(
        N_("the end"),
        N_("{names} won: a light runs through the whole piece. The others: their points as bars"),
        lambda board: len(board.highlight.get("winner", ())) == 1,
        lambda board: board.highlight["winner"],
    ),
)


def sights(names: tuple[str, ...]) -> tuple[Sight, ...]:
    """Every picture, for a table of these players. Moments that do not occur with so many are left out."""
    chosen: dict[str, Sight] = {}
    for board in _boards(names):
        for moment in MOMENTS:
            if moment.name not in chosen and moment.fits(board):
                chosen[moment.name] = _sight(moment, board, names)
        if len(chosen) == len(MOMENTS):
            break
    idle = Sight(_("no game"), _("one lamp in six, dim and warm"), lambda leds: pixels(Light(None), leds))
    plain = (Sight(translated(each.name), translated(each.look), each.pixels) for each in PLAIN)
    return (*plain, idle, *(chosen[moment.name] for moment in MOMENTS if moment.name in chosen))


def _sight(moment: Moment, board: Board, names: tuple[str, ...]) -> Sight:
    who = ", ".join(names[seat] for seat in moment.who(board))
    look = translated(moment.look).format(names=who)
    return Sight(translated(moment.name), look, lambda leds: pixels(Light(board), leds))


def _boards(names: tuple[str, ...]) -> Iterator[Board]:
    """Boards of games played at random, always the same."""
    for seed in range(SEEDS):
        for rules in map(games.rules, games.names()):
            fewest, most = rules.seats
            if fewest <= len(names) <= most:
                yield from islice(played(rules, names, seed), BOARDS)


# --- the walk --------------------------------------------------------------------------------------------------------


class News:
    """Reports of the strip, from any thread, to be waited for together with the keyboard."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def report(self, part: str, text: str | None) -> None:
        """The strip's own `Report`: what is wrong with it, or None once it works or has another number of lamps."""
        os.write(self._write, f"{text or ''}\n".encode())

    def wait(self, seconds: float, *, keys: bool) -> list[str] | None:
        """The reports; empty where Enter was pressed; None if there is neither within so many seconds."""
        watched = [self._read, sys.stdin.fileno()] if keys else [self._read]
        ready, _, _ = select.select(watched, (), (), max(0.0, seconds))
        if self._read in ready:
            return os.read(self._read, 4096).decode().splitlines()
        if ready:
            os.read(sys.stdin.fileno(), 4096)
            return []
        return None


def wait_for_strip(news: News, place: str) -> str | None:
    """Wait for the strip: None once it is there, else what is wrong with it."""
    print(_("Looking for the strip at {place} ...", place=place), flush=True)
    until_s = time.monotonic() + FOUND_S
    trouble: str | None = None
    while (reports := news.wait(until_s - time.monotonic(), keys=False)) is not None:
        if reports[-1] == "":
            return None
        if trouble is None:
            print(_("{trouble}. Plug it in within {n:.0f} s.", trouble=reports[-1], n=FOUND_S), flush=True)
        trouble = reports[-1]
    return trouble


def walk(strip: Strip, news: News, shown: tuple[Sight, ...], seconds: float, *, keys: bool) -> None:
    """Show one picture after the other, each for so long or until Enter is pressed."""
    for number, sight in enumerate(shown, 1):
        print(f"{number:2}/{len(shown)}  {sight.name}\n       {sight.look}", flush=True)
        strip.show(sight.pixels(strip.leds))
        if isinstance(strip, EmulatedStrip):
            print(dots(strip.pixels), flush=True)
        until_s = time.monotonic() + seconds
        while reports := news.wait(until_s - time.monotonic(), keys=keys):
            for text in reports:
                there = ngettext("the strip is there, {n} lamps", "the strip is there, {n} lamps", strip.leds)
                print(f"    !  {text or there}", flush=True)
            strip.show(sight.pixels(strip.leds))


def dots(shown: Pixels) -> str:
    """A picture for a terminal: coloured dots, and below each how it moves."""
    lines = []
    for start in range(0, len(shown), DOTS):
        row = shown[start : start + DOTS]
        lines.append("       " + "".join(map(_dot, row)) + "\x1b[0m")
        if (marks := "".join(MARKS[rhythm(colour)] if _lit(colour) else " " for colour in row).rstrip()) != "":
            lines.append(f"       {marks}")
    return "\n".join(lines)


def _lit(colour: Colour) -> bool:
    return max(colour) > 1  # else it is dark, with a rhythm at most


def _dot(colour: Colour) -> str:
    if not _lit(colour):
        return "\x1b[38;2;70;70;70m·"
    red, green, blue = (round(255 * (part / 255) ** 0.55) for part in colour)  # an eye sees a dim lamp brighter
    return f"\x1b[38;2;{red};{green};{blue}m●"


def called(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The names of those who sat at these buttons last; the labels of the others."""
    with suppress(*past.UNREADABLE), closing(open_to_read(state_dir() / "journal.db")) as db:
        sat = past.sitting(past.unfinished(recalled(db, LAST)))
        names = {person.id: person.name for person in people.known(db)}
        return at_table(
            labels, {seat: names[sat[label]] for seat, label in enumerate(labels) if sat.get(label) in names}
        )
    return labels


def run(args: Namespace) -> None:
    if not 0 < args.seconds <= 3600:
        raise Failure(_("--seconds {n:g}: more than 0 and at most 3600 is allowed", n=args.seconds), 2)
    config = description(config_path(args))
    if config.strip is None:
        raise Failure(_("this kit has no strip: its description has no [strip]"), 2)
    for number in (signal.SIGINT, signal.SIGTERM):  # also where whoever started us ignores them: the strip goes dark
        signal.signal(number, signal.default_int_handler)
    news = News()
    try:
        strip = EmulatedStrip(config.strip.leds, news.report) if args.emulated else open_strip(config, news.report)
    except PartLost as lost:
        raise Failure(str(lost)) from None
    assert strip is not None
    try:
        if not args.emulated and (trouble := wait_for_strip(news, config.strip.port or _("any port"))) is not None:
            raise Failure(trouble)
        walk(strip, news, sights(called(config.names)), args.seconds, keys=sys.stdin.isatty())
    finally:
        strip.close()
