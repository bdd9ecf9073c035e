"""The scores for the page: everybody ranked, and who they are. Pure."""

from collections.abc import Mapping, Sequence

from engine.play import Play
from engine.rules import Seat
from firmware.told import Ranked, Scores
from firmware.words import translated


def scores(game: int, play: Play, names: Sequence[str], people: Mapping[Seat, str]) -> Scores:
    """The scores as they stand. `names`: by seat."""
    places = play.places
    rows = [
        Ranked(
            seat=seat,
            label=label,
            person=people.get(seat),
            name=names[seat],
            points=play.scores[seat],
            place=places[seat],
        )
        for seat, label in enumerate(play.players)
    ]
    ranked = sorted(rows, key=lambda row: (row["place"], row["seat"]))
    return Scores(game=game, title=translated(play.rules.title), over=play.over, rows=ranked)
