"""The table of If It Fits: cards on a grid, the boxes that they make, and where cards, cats and toys may lie.

Edges match whole, and long sides only meet long sides (R8, A12): so all cards lie the same way round, and each has a
place, a column that grows to the east and a row that grows to the south. North and south are the short sides. A box is
a set of places. The `bad_` functions return why something may not lie somewhere, in words; None means that it may.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from engine.game import Record
from engine.rules import Seat

Place: TypeAlias = tuple[int, int]  # column, row
Sides: TypeAlias = tuple[int, int, int, int]  # north, east, south, west: 1 is open, 0 a wall
Toys: TypeAlias = tuple[int, ...]  # how many icons of each kind
Box: TypeAlias = frozenset[Place]

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # to the card at each side
SIDES = ("north", "east", "south", "west")
EAST, WEST = 1, 3
OPEN: Sides = (1, 1, 1, 1)
FIRST: Place = (0, 0)  # of the first starting card


class Piece(StrEnum):
    CARDBOARD = "cardboard"
    ASLEEP = "asleep"  # laid like a cardboard card
    AWAKE = "awake"  # across two cards
    TOY = "toy"  # a special toy across two cards
    PRINCESS = "princess"  # in place of a cat, either way


class Card(NamedTuple):
    """A card or cat that fills a place of its own."""

    place: Place
    sides: Sides
    toys: Toys = ()
    sprays: int = 0
    piece: Piece = Piece.CARDBOARD
    owner: Seat | None = None  # of a sleeping cat


class Across(NamedTuple):
    """A cat or toy that lies across two cards joined by their long sides."""

    west: Place  # the place of the western card
    piece: Piece
    owner: Seat | None = None  # of an awake cat
    toys: Toys = ()


class Table(NamedTuple):
    """All cards, cats and toys on the table."""

    cards: tuple[Card, ...] = ()
    across: tuple[Across, ...] = ()


class Contents(Record):
    """The contents of a box that count for its score."""

    toys: int  # icons of the commonest kind (R23)
    sprays: int
    closed: bool
    awake: tuple[int, ...]  # by seat
    asleep: tuple[int, ...]


# --- laying -----------------------------------------------------------------------------------------------------------


def with_card(table: Table, card: Card) -> Table:
    """The table with a card, in place of the one that lay there."""
    return table._replace(cards=(*(old for old in table.cards if old.place != card.place), card))


def with_across(table: Table, across: Across) -> Table:
    """The table with a cat or toy across two cards, in place of the one that lay there."""
    return table._replace(across=(*(old for old in table.across if old.west != across.west), across))


def cards_by_place(table: Table) -> dict[Place, Card]:
    """The card at each place."""
    return {card.place: card for card in table.cards}


def beside(place: Place, side: int) -> Place:
    """The place at this side."""
    return (place[0] + STEPS[side][0], place[1] + STEPS[side][1])


def western(one: Place, other: Place) -> Place:
    """The western one of two places side by side."""
    return min(one, other)


def free_place(table: Table) -> Place:
    """A place where a card may lie: beside one of the latest."""
    taken = cards_by_place(table)
    return next(
        place
        for card in reversed(table.cards)
        for side in (1, 2, 3, 0)
        if (place := beside(card.place, side)) not in taken
    )


# --- boxes ------------------------------------------------------------------------------------------------------------


def joined(cards: dict[Place, Card], place: Place, side: int) -> bool:
    """Whether a card is joined to the one at this side: both touching sides are open."""
    other = cards.get(beside(place, side))
    return other is not None and cards[place].sides[side] == other.sides[(side + 2) % 4] == 1


def box_at(cards: dict[Place, Card], place: Place) -> Box:
    """All places joined to this one."""
    box, unvisited = {place}, [place]
    while unvisited:
        here = unvisited.pop()
        for side in range(4):
            there = beside(here, side)
            if there not in box and joined(cards, here, side):
                box.add(there)
                unvisited.append(there)
    return frozenset(box)


def boxes(table: Table) -> Iterator[Box]:
    """Every box of the table, by its earliest card."""
    cards = cards_by_place(table)
    seen: set[Place] = set()
    for card in table.cards:
        if card.place not in seen:
            box = box_at(cards, card.place)
            seen |= box
            yield box


def closed(cards: dict[Place, Card], box: Box) -> bool:
    """Whether no side is open any more: a card lies at every open one, with a wall or joined (A7)."""
    return all(
        beside(place, side) in cards for place in box for side, is_open in enumerate(cards[place].sides) if is_open
    )


def owners(table: Table, box: Box) -> set[Seat]:
    """The seats that have cats, awake or asleep, in the box (R13, R16)."""
    awake = {across.owner for across in table.across if across.west in box}
    asleep = {card.owner for card in table.cards if card.place in box}
    return {owner for owner in awake | asleep if owner is not None}


def contents(table: Table, box: Box, players: int) -> Contents:
    """The contents of a box, counted."""
    cards = cards_by_place(table)
    inside = [cards[place] for place in box]
    across = [across for across in table.across if across.west in box]
    icons = [card.toys for card in inside if card.toys] + [piece.toys for piece in across if piece.toys]
    kinds = [sum(kind) for kind in zip(*icons, strict=True)]
    awake = tuple(sum(piece.owner == seat for piece in across) for seat in range(players))
    asleep = tuple(sum(card.owner == seat for card in inside) for seat in range(players))
    return Contents(max(kinds, default=0), sum(card.sprays for card in inside), closed(cards, box), awake, asleep)


# --- placement --------------------------------------------------------------------------------------------------------


def bad_start(table: Table, place: Place) -> str | None:
    """Why a starting card may not lie here: short side to short side in one column (R5)."""
    if not table.cards:
        return None if place == FIRST else f"the first card lies at {FIRST}"
    cards = cards_by_place(table)
    if place in cards:
        return f"a card lies at {place}"
    if not any(beside(place, side) in cards for side in (0, 2)):
        return f"{place} has no card to the north or south: starting cards join by their short sides"
    return None


def bad_card(table: Table, place: Place, sides: Sides, *, double_walls: bool) -> str | None:
    """Why a card may not lie here (R8 to R10); a sleeping cat is laid in the same way (R7)."""
    cards = cards_by_place(table)
    if place in cards:
        return f"a card lies at {place}"
    met = [(side, other) for side in range(4) if (other := cards.get(beside(place, side))) is not None]
    if not met:
        return f"{place} touches no card"
    walls = [SIDES[side] for side, other in met if not sides[side] and not other.sides[(side + 2) % 4]]
    if walls and not double_walls:
        return f"two walls meet to the {walls[0]}: in the advanced game a wall meets an open side"
    return None


def bad_across(table: Table, one: Place, other: Place) -> str | None:
    """Why nothing may lie across these two cards: they must be joined by long sides and uncovered (R11, A6)."""
    cards = cards_by_place(table)
    for place in (one, other):
        if place not in cards or cards[place].piece is not Piece.CARDBOARD:
            return f"no cardboard card lies at {place}"
    west, east = sorted((one, other))
    if beside(west, EAST) != east:
        return f"{one} and {other} do not touch by their long sides"
    if not joined(cards, west, EAST):
        return f"a wall is between {one} and {other}"
    if any(across.west == west for across in table.across):
        return f"something lies across {one} and {other}"
    return None


def bad_cat(table: Table, seat: Seat, one: Place, other: Place, laid: Place) -> str | None:
    """Why a cat of this seat may not lie awake across these two cards, after a card was laid (R11 to R14, R16)."""
    if reason := bad_across(table, one, other):
        return reason
    if laid not in (one, other):
        return f"neither {one} nor {other} was laid this turn: that is {laid}"
    there = owners(table, box_at(cards_by_place(table), one))
    if there and seat not in there:
        return f"another player's cat is in the box of {one}, and none of seat {seat}"
    return None


def cat_places(table: Table, seat: Seat, laid: Place) -> Iterator[tuple[Place, Place]]:
    """The places for a cat of this seat after a card was laid."""
    for side in (EAST, WEST):
        there = beside(laid, side)
        if bad_cat(table, seat, laid, there, laid) is None:
            yield laid, there


def toy_places(table: Table) -> Iterator[tuple[Place, Place]]:
    """The places for a special toy across two cards (R19, A6)."""
    for card in table.cards:
        there = beside(card.place, EAST)
        if bad_across(table, card.place, there) is None:
            yield card.place, there
