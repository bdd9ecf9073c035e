"""From the board of any game to the strip. Place, shape and rhythm carry the meaning, colours only support it.

One piece per button from the start of the strip, as the buttons stand round the table, in the button's own colour; dark
where nobody plays with it. With little room only who plays has one. In turn order, where a game chooses that:

    whole, dim         a seat, nothing asked of it    whole, breathing   is asked
    bar                points, beside the most        whole, bright      was first; holds the button
    middle, breathing  has not pressed yet            ends, red          was last; flashing while that is new
    middle, dim        does not hold the button yet   dots, white        is level with another: flashing
    whole, chasing     has won                        dots               was too early: flashing

Where the round is news (`Board.shows`), one white step per round: past ones dim, the current one breathing,
those to come a dot. All white is the go-signal. Red flashing at both ends of the strip, outside of all else: a part of
the kit is lost. A piece of one lamp has no shape: there light, rhythm and, for first, last and level, colour count.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import TypeAlias

from engine.game import Record
from engine.rules import Board, Seat, Shows
from firmware.buttons import Button
from hardware.parts.strip import OFF, Colour, Pixels, Rhythm, lamp

Lamps: TypeAlias = list[Colour]

# chosen by `python -m tests.simulators.colour_vision` to differ for every kind of colour vision: docs/decisions/0007
SEATS = (
    Colour(0, 32, 254),  # blue
    Colour(254, 144, 48),  # orange
    Colour(32, 208, 128),  # green
    Colour(254, 240, 0),  # yellow
    Colour(208, 64, 254),  # pink
    Colour(0, 112, 96),  # dark cyan
)
WHITE = Colour(254, 254, 254)
RED = lamp(Colour(255, 0, 0))
IDLE = Colour(20, 12, 4)
SHORTEST = 3  # lamps of a piece, below which only those who play have one
DIM, FAINT = 16, 5  # per cent of the light; faint lamps may go unseen


class Light(Record):
    """The input of the strip's picture: a game's board, or None outside a game."""

    board: Board | None
    asleep: bool = False
    lost: bool = False  # a part of the kit
    joined: tuple[Button | None, ...] = ()  # of those who play, before a game
    buttons: tuple[Button | None, ...] = ()  # by seat; empty: the first ones, in order
    of_kit: int = 0  # how many buttons the kit has; 0: those that play

    @property
    def by_seat(self) -> tuple[Button | None, ...]:
        """By seat the button of its player."""
        seats = () if self.board is None else self.board.scores
        return self.buttons or tuple([Button(seat) for seat in range(len(seats))])

    def own(self, seat: Seat) -> Colour:
        """The colour of a seat's button."""
        return colour_of(self.by_seat[seat])


def colour_of(button: Button | None) -> Colour:
    """The colour of a button; white where it is not known which one it is."""
    return WHITE if button is None else SEATS[button % len(SEATS)]


def shade(colour: Colour, percent: int = DIM) -> Colour:
    """A colour with some of its light, at rest."""
    return lamp(Colour(*(part * percent // 100 for part in colour)))


GO, PAST, AHEAD = shade(WHITE, 50), shade(WHITE), shade(WHITE, FAINT)  # 60 lamps of GO take 1.8 A, maybe for minutes


def unit(leds: int) -> int:
    """The lamps of a gap or a dot: more on a long strip, which is seen from further away."""
    return max(1, leds // 60)


@cache
def pieces(leds: int, count: int, least: int = 4) -> tuple[range, ...]:
    """Pieces of one length, a dark gap after each from `least` lamps on. With too few lamps neighbours share one."""
    room = leds // count
    if not room:
        return tuple(range(n * leds // count, n * leds // count + 1) for n in range(count))
    length = room - unit(leds) if room >= least else room
    return tuple(range(n * room, n * room + length) for n in range(count))


def pixels(light: Light, leds: int) -> Pixels:
    """The strip's picture. Pure: the same light gives the same lamps."""
    if light.asleep:
        return (OFF,) * leds
    if not light.lost:
        return tuple(_picture(light, leds))
    alarm = [lamp(RED, Rhythm.FLASH)] * unit(leds)
    gap = [OFF] * (unit(leds) if leds >= 16 else 0)
    return (*alarm, *gap, *_picture(light, leds - 2 * len(alarm + gap)), *gap, *alarm)


def hurries(board: Board | None) -> bool:
    """Whether the next picture must not be late: it may be a go-signal, or follow a press right after another."""
    return board is not None and (
        board.shows == "ready" or (board.race is not None and board.race.phase in ("armed", "answers"))
    )


def subject(board: Board) -> Shows:
    """The subject of the strip: what the board says, or the seats where there is no such thing."""
    needs = {"rounds": board.rounds, "places": board.order, "choosing": board.order}
    return board.shows if needs.get(board.shows, True) else "seats"


def places_begun(board: Board) -> bool:
    """Whether the places chosen so far are shown; before the first one the round is."""
    return not board.rounds or any(seat is not None for seat in board.order)


def unanswered(board: Board) -> tuple[Seat, ...]:
    """The seats that have not pressed yet, once others have."""
    if board.race is None or board.race.phase not in ("answers", "tied"):
        return ()
    pressed = [seat for seat, _ in board.race.gaps]
    return tuple(seat for seat in range(len(board.scores)) if seat not in pressed)


def _picture(light: Light, leds: int) -> Lamps:
    board = light.board
    if board is None and light.joined:
        return _by_button(light.of_kit, leds, light.joined, lambda n, length: [colour_of(light.joined[n])] * length)
    if board is None:
        return [IDLE if n % 6 == 0 else OFF for n in range(leds)]
    match subject(board):
        case "go":
            return [GO] * leds
        case "rounds":
            return _rounds(board, leds)
        case "places":
            return _places(light, board, leds)
        case "choosing":
            return _choosing(light, board, leds)
        case _:
            return _seats(light, board, leds)


def begins(
    leds: int, of_kit: int, players: Sequence[Button | None], lit: int | None, ready: Collection[int], *, won: bool
) -> Pixels:
    """While it is drawn who begins: who is ready, where the light is, and who it is (`won`).

    `of_kit`: how many buttons the kit has. `players`: their buttons; `lit` and `ready` are places among them.
    """

    def paint(n: int, length: int) -> Lamps:
        own = colour_of(players[n])
        if n == lit:
            return [lamp(own, Rhythm.CHASE)] * length if won else [own] * length
        return [own] * length if n in ready else _middle(length, shade(own))

    return tuple(_by_button(of_kit, leds, players, paint))


# --- the whole strip --------------------------------------------------------------------------------------------------


def _laid(leds: int, cut: tuple[range, ...], paint: Callable[[int, int], Lamps]) -> Lamps:
    """Pieces as `paint` makes them from their number and length."""
    strip = [OFF] * leds
    for n, piece in enumerate(cut):
        strip[piece.start : piece.stop] = paint(n, len(piece))
    return strip


def _rounds(board: Board, leds: int) -> Lamps:
    """One step per round."""
    assert board.rounds is not None
    steps, running = pieces(leds, board.rounds, 2), min(board.round, board.rounds) - 1

    def step(n: int, length: int) -> Lamps:
        return [PAST] * length if n < running else _middle(length, AHEAD, dot=True)

    strip = _laid(leds, steps, step)
    now = steps[running]  # over those that it shares its lamp with
    strip[now.start : now.stop] = [lamp(WHITE, Rhythm.BREATHE)] * len(now)
    return strip


def _choosing(light: Light, board: Board, leds: int) -> Lamps:
    """While places are chosen: the places so far (at first the rounds) and the seats; with little room only these."""
    gap = 2 * unit(leds) if leds >= 24 else 0
    half = (leds - gap) // 2
    if half < max(len(board.order), len(board.scores)):
        return _seats(light, board, leds)
    chosen = _places(light, board, half) if places_begun(board) else _rounds(board, half)
    return [*chosen, *[OFF] * (leds - 2 * half), *_seats(light, board, half)]


def _places(light: Light, board: Board, leds: int) -> Lamps:
    """One piece per place in turn order, with white ends if it has no seat. Who begins is bright until asked."""

    def place(n: int, length: int) -> Lamps:
        seat = board.order[n]
        if seat is None:
            return _ends(length, PAST, OFF)
        if seat in board.turn:
            return [lamp(light.own(seat), Rhythm.BREATHE)] * length
        begins = n == 0 and not board.turn and None not in board.order
        return [light.own(seat) if begins else shade(light.own(seat))] * length

    return _laid(leds, pieces(leds, len(board.order)), place)


def _seats(light: Light, board: Board, leds: int) -> Lamps:
    """One piece per button, round the table."""
    paint = {"winners": _end, "ready": _ready, "points": _points, "result": _points}.get(board.shows, _asked)
    return _by_button(
        light.of_kit, leds, light.by_seat, lambda seat, length: paint(board, seat, light.own(seat), length)
    )


def _by_button(of_kit: int, leds: int, buttons: Sequence[Button | None], paint: Callable[[int, int], Lamps]) -> Lamps:
    """A piece for each button of the kit, or of those that play where a piece would be too short, in their order.

    `of_kit`: how many buttons the kit has. `buttons`: of those that play; `paint` makes a piece from the place among
    them, and its length.
    """
    known = {button: n for n, button in enumerate(buttons) if button is not None}
    if len(known) < len(buttons) or max(known) >= of_kit or leds // of_kit < SHORTEST:
        order = sorted(range(len(buttons)), key=lambda n: (buttons[n] is None, buttons[n] or 0))
        return _laid(leds, pieces(leds, len(buttons)), lambda n, length: paint(order[n], length))

    def piece(n: int, length: int) -> Lamps:
        return paint(known[Button(n)], length) if n in known else [OFF] * length

    return _laid(leds, pieces(leds, of_kit), piece)


# --- a seat's piece ---------------------------------------------------------------------------------------------------


def _end(board: Board, seat: Seat, own: Colour, length: int) -> Lamps:
    """The winners, and the points of the others."""
    won = seat in board.highlight.get("winner", ())
    return [lamp(own, Rhythm.CHASE)] * length if won else _bar(board, seat, own, length, DIM)


def _ready(board: Board, seat: Seat, own: Colour, length: int) -> Lamps:
    """Before the go-signal: the seats that are ready."""
    if board.race is not None and seat in board.race.jumped:
        return _dots(length, lamp(own, Rhythm.FLASH), OFF)
    missing = seat in board.highlight.get("missing", ())
    return _middle(length, shade(own)) if missing else [own] * length


def _points(board: Board, seat: Seat, own: Colour, length: int) -> Lamps:
    """Bars; that of the best of the round is bright."""
    if board.goal is not None and seat in board.turn and len(board.turn) == 1:
        bar = _bar(board, seat, own, length, 100)
        return [lamp(one, Rhythm.BREATHE) if one != OFF else OFF for one in bar]
    best = board.highlight.get("first", ()) if board.shows == "result" else ()
    return _bar(board, seat, own, length, 100 if seat in best else DIM)


def _asked(board: Board, seat: Seat, own: Colour, length: int) -> Lamps:
    """The seats that are asked, first, last or level, and in a race those missing."""
    marks, asked = board.highlight, seat in board.turn
    calm = lamp(own, Rhythm.BREATHE) if asked else shade(own)
    if seat in marks.get("tie", ()):
        return _dots(length, lamp(WHITE, Rhythm.FLASH), calm)
    if seat in marks.get("last", ()):
        old = board.race is not None and bool(board.turn)  # the game has gone on
        return _ends(length, RED if old else lamp(RED, Rhythm.FLASH), calm if asked else OFF)
    if seat in marks.get("first", ()):
        return [own] * length
    if seat in unanswered(board):
        return _middle(length, calm)
    return [calm] * length


# --- shapes -----------------------------------------------------------------------------------------------------------


def _bar(board: Board, seat: Seat, own: Colour, length: int, percent: int) -> Lamps:
    """Points in proportion to the highest, or to those that end the game; 0 is a faint lamp.

    While nobody has any, and none are needed, it is a whole bar.
    """
    points = board.scores[seat]
    top = max(board.scores) if board.goal is None or board.shows == "winners" else max(*board.scores, board.goal)
    if top <= 0:
        return [shade(own, percent)] * length
    whole, part = divmod(max(0, points) * length, top)
    lamps = [shade(own, percent)] * whole + [OFF] * (length - whole)
    if whole < length and (part or not whole):
        lamps[whole] = shade(own, max(FAINT, percent * part // top))
    return lamps


def _ends(length: int, colour: Colour, inner: Colour) -> Lamps:
    """The two ends; of two lamps the first."""
    edge = max(1, length // 4)
    return [colour if n < edge or (n >= length - edge and length > 2) else inner for n in range(length)]


def _middle(length: int, colour: Colour, *, dot: bool = False) -> Lamps:
    """The middle third, or a dot; of two lamps the first."""
    edge = (length - 1) // 2 if dot else length // 3
    return [colour if edge <= n < length - edge and (n == 0 or length > 2) else OFF for n in range(length)]


def _dots(length: int, colour: Colour, between: Colour) -> Lamps:
    """Dots of one lamp, of more in a long piece."""
    wide = max(1, length // 16)
    return [between if n // wide % 2 else colour for n in range(length)]
