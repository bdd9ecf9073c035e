"""The scores for the page: everybody ranked, and who they are. Pure."""

from collections.abc import Mapping, Sequence

from engine.play import Play
from engine.rules import Seat
from firmware.messages import Ranked, Scores
from firmware.translation import translated


def scores(game: int, play: Play, names: Sequence[str], people: Mapping[Seat, str]) -> Scores:
    """The scores as they stand. `names`: by seat."""
    places = play.places
    rows = [
        Ranked(
            seat=seat,
            label=play.players[seat],
            person=people.get(seat),
            name=names[seat],
            points=play.scores[seat],
            place=places[seat],
        )
        for seat in play.ranking
    ]
    return Scores(game=game, title=translated(play.rules.title), over=play.over, rows=rows)
