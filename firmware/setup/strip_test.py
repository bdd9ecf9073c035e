"""The pictures of the strip's test: plain ones that show faults of wiring, then those of games."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from engine import games
from engine.rules import Board, Seat
from engine.words import N_
from firmware.output.strip_picture import Light, pixels
from firmware.random_play.strangers import played
from firmware.translation import _, translated
from hardware.parts.strip import OFF, Colour, Pixels, lamp

SEEDS, BOARDS = 3, 400  # games of each kind that are looked through, and how far


class Sight(NamedTuple):
    """A picture, with its name and what people should see."""

    name: str
    look: str
    pixels: Callable[[int], Pixels]  # for so many lamps


class SampleBoard(NamedTuple):
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


# --- the colour order -------------------------------------------------------------------------------------------------

COLOURS = (N_("Red"), N_("Green"), N_("Blue"))  # of the first three plain pictures
LETTERS = "RGB"
USUAL_ORDER = "GRB"  # WLED's, and the only one of a Pico's program
ANOTHER = N_(
    "That is no colour order. The kind of lamp may be wrong: an SK6812 has four parts, a WS2812 three. WLED: Config, "
    "LED Preferences; a Pico: flash it anew."
)
ORDERED = N_(
    "The strip's colour order is {order}, where {usual} is set. WLED: Config, LED Preferences, Color Order; if another "
    "one is set there, put in it {changes}. A Pico's program has {usual} only: this strip needs a WLED."
)


def colour_fault(seen: str) -> str | None:
    """What is wrong, and its remedy, where people saw these letters as red, green and blue were shown; None: nothing.

    Any other letter is another colour, or none.
    """
    if seen == LETTERS:
        return None
    if sorted(seen) != sorted(LETTERS):
        return translated(ANOTHER)
    to = dict(zip(LETTERS, seen, strict=True))
    order = "".join(to[letter] for letter in USUAL_ORDER)
    changes = ", ".join(_("{new} for {old}", new=new, old=old) for old, new in to.items() if new != old)
    return translated(ORDERED).format(order=order, usual=USUAL_ORDER, changes=changes)


# --- pictures of games -----------------------------------------------------------------------------------------------


def _one(board: Board) -> bool:
    return len(board.turn) == 1 and board.race is None and not board.highlight


MOMENTS = (
    SampleBoard(
        N_("hands on the buttons"),
        N_("{names} not yet: only the middle of the piece, dim. Whoever holds the button: the whole piece"),
        lambda board: board.shows == "ready" and 0 < len(board.highlight.get("missing", ())) < len(board.scores),
        lambda board: board.highlight["missing"],
    ),
    SampleBoard(N_("go"), N_("every lamp is white"), lambda board: board.shows == "go"),
    SampleBoard(
        N_("the first has pressed"),
        N_("{names} was first: the whole piece, bright. Who has not pressed yet: the middle of the piece, breathing"),
        lambda board: board.race is not None and board.race.phase == "answers" and bool(board.race.gaps),
        lambda board: () if board.race is None else (board.race.gaps[0][0],),
    ),
    SampleBoard(
        N_("a dead heat"),
        N_("{names} level: white dots in the pieces, flashing"),
        lambda board: "tie" in board.highlight,
        lambda board: board.highlight["tie"],
    ),
    SampleBoard(
        N_("first and last"),
        N_("{names} was last: red ends of the piece. First: the whole piece"),
        lambda board: {"first", "last"} <= set(board.highlight) and "winner" not in board.highlight,
        lambda board: board.highlight["last"],
    ),
    SampleBoard(
        N_("a turn"),
        N_("{names} is asked: the whole piece breathes"),
        lambda board: board.shows == "seats" and _one(board),
    ),
    SampleBoard(
        N_("the order of play"),
        N_("a piece a place, in the order of play; {names} is asked: the piece breathes"),
        lambda board: board.shows == "places" and None not in board.order and _one(board),
    ),
    SampleBoard(
        N_("the rounds"),
        N_("a white step a round: those played dim, the running one breathing, those to come a dot"),
        lambda board: board.shows == "rounds" and board.round > 2,
    ),
    SampleBoard(
        N_("the points"),
        N_("bars, the longest for the most points"),
        lambda board: board.shows == "points" and 0 < min(board.scores) < max(board.scores),
    ),
    SampleBoard(
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


def _sight(moment: SampleBoard, board: Board, names: tuple[str, ...]) -> Sight:
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
