"""The scores for the page: everybody ranked, and who they are. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.play import Play
from engine.rules import Seat
from firmware.words import translated


class Row(NamedTuple):
    """One seat."""

    seat: Seat
    label: str  # of its button
    person: str | None  # an id; None for a guest
    name: str  # on the page
    points: int
    place: int


class Scores(NamedTuple):
    """A game, the first place in front."""

    game: int  # its number
    title: str
    over: bool
    rows: tuple[Row, ...]


def scores(game: int, play: Play, names: Sequence[str], people: Mapping[Seat, str]) -> Scores:
    """The scores as they stand. `names`: by seat."""
    places = play.places
    rows = [
        Row(seat, play.players[seat], people.get(seat), names[seat], play.scores[seat], places[seat])
        for seat in play.ranking
    ]
    return Scores(game, translated(play.rules.title), play.over, tuple(rows))
