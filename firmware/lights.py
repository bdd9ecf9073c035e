"""From the board of any game to the strip: one equal piece a seat, in the seats' order round the table.

Every meaning is doubled by position or rhythm: first fills its whole piece, last only its two ends, a turn breathes in
the middle, scores are bars from the left. Colours differ in lightness too. Where places are chosen anew in each of a
known number of rounds, the strip counts the rounds, then shows the places from the first on.
"""

from dataclasses import dataclass

from engine.rules import Board, Seat
from hardware.strip import OFF, Colour, Pixels

# by seat; blue, orange, green, yellow, pink, white: apart for the common kinds of colour blindness
SEATS = (
    Colour(0, 90, 200),
    Colour(230, 120, 0),
    Colour(0, 150, 90),
    Colour(220, 200, 0),
    Colour(200, 80, 150),
    Colour(150, 150, 150),
)
WHITE = Colour(255, 255, 255)
RED = Colour(255, 0, 0)
IDLE = Colour(20, 12, 4)


@dataclass(frozen=True, slots=True)
class Light:
    """What the strip shows: a game's board, or None outside a game."""

    board: Board | None
    asleep: bool = False


def dimmed(colour: Colour, tenths: int) -> Colour:
    """A colour at some tenths of its light."""
    return Colour(*(part * tenths // 10 for part in colour))


def pieces(leds: int, seats: int) -> tuple[range, ...]:
    """The strip cut into equal pieces, one a seat, with a dark lamp between two of them where there is room."""
    bounds = [seat * leds // seats for seat in range(seats + 1)]
    room = 1 if leds // seats >= 4 else 0
    return tuple(range(bounds[n], bounds[n + 1] - room) for n in range(seats))


def pixels(light: Light, leds: int) -> Pixels:
    """The strip's picture. Pure: the same board gives the same lamps."""
    board = light.board
    strip = [OFF] * leds
    if light.asleep:
        return tuple(strip)
    if board is None:
        return tuple(IDLE if n % 6 == 0 else OFF for n in range(leds))
    marks, race = board.highlight, board.race
    if race is not None and race.phase == "running" and not race.gaps:
        return tuple([dimmed(WHITE, 2)] * leds)
    if board.rounds and board.order and not marks:
        return _places(board, leds) if any(seat is not None for seat in board.order) else _rounds(board, leds)
    top = max((score for score in board.scores if score > 0), default=0)
    for seat, piece in enumerate(pieces(leds, len(board.scores))):
        lamps = _piece(board, seat, len(piece), top)
        for n, lamp in zip(piece, lamps, strict=True):
            strip[n] = lamp
    if "winner" in marks:
        for seat, piece in enumerate(pieces(leds, len(board.scores))):
            if seat not in marks["winner"]:
                for n in piece:
                    strip[n] = dimmed(strip[n], 3)
    return tuple(strip)


def _rounds(board: Board, leds: int) -> Pixels:
    """A step a round: those played are dim, the running one is bright."""
    assert board.rounds is not None
    strip = [OFF] * leds
    for n, step in enumerate(pieces(leds, board.rounds), 1):
        for lamp in step:
            strip[lamp] = OFF if n > board.round else WHITE if n == board.round else dimmed(WHITE, 2)
    return tuple(strip)


def _places(board: Board, leds: int) -> Pixels:
    """A piece a place: its seat's colour, bright for whose turn it is; a place that is no seat's has white ends."""
    strip = [OFF] * leds
    for seat, piece in zip(board.order, pieces(leds, len(board.order)), strict=True):
        if seat is None:
            lamps = _ends(len(piece), dimmed(WHITE, 3))
        else:
            lamps = [SEATS[seat] if seat in board.turn else dimmed(SEATS[seat], 3)] * len(piece)
        for n, lamp in zip(piece, lamps, strict=True):
            strip[n] = lamp
    return tuple(strip)


def _piece(board: Board, seat: Seat, length: int, top: int) -> list[Colour]:
    """One seat's lamps."""
    marks, own = board.highlight, SEATS[seat]
    race = board.race
    if seat in marks.get("winner", ()):
        return [own] * length
    if seat in marks.get("last", ()):
        return _ends(length, RED)
    if seat in marks.get("first", ()):
        return [own] * length
    if seat in marks.get("tie", ()):
        return [WHITE if n % 2 == 0 else OFF for n in range(length)]
    if race is not None and race.phase in ("answers", "tied"):
        answered = [s for s, _ in race.gaps]
        return [dimmed(own, 5)] * length if seat in answered else _middle(length, own)
    if seat in board.turn:
        return _middle(length, own)
    bar = 0 if top <= 0 or board.scores[seat] <= 0 else max(1, board.scores[seat] * length // top)
    return [dimmed(own, 3) if n < bar else OFF for n in range(length)]


def _ends(length: int, colour: Colour) -> list[Colour]:
    edge = max(1, length // 4)
    return [colour if n < edge or n >= length - edge else OFF for n in range(length)]


def _middle(length: int, colour: Colour) -> list[Colour]:
    edge = length // 3
    return [colour if edge <= n < length - edge else OFF for n in range(length)]
