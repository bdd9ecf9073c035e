"""The pages for players say what the program does."""

import pytest
from PIL import Image

from scripts.generators import game_pages
from tests.engine.plain import SHIPPED

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]


def test_every_shipped_game_has_a_page() -> None:
    assert sorted(game_pages.EVENINGS) == sorted(SHIPPED)


@pytest.mark.parametrize("game", game_pages.EVENINGS)
def test_a_page_is_as_it_would_be_made(game: str) -> None:
    page = (game_pages.FOLDER / f"{game}.md").read_text()
    assert page == f"{game_pages.written(game)}{game_pages.MADE}\n\n{game_pages.made(game)}", "run scripts/make games"


@pytest.mark.parametrize("game", game_pages.EVENINGS)
def test_the_pictures_of_a_page_are_those_of_the_program(game: str) -> None:
    stale = []
    for phase in game_pages.pictured(game):
        with Image.open(game_pages.FOLDER / game / f"{phase.name}.png") as kept:
            small = kept.convert("1").resize(phase.picture.size, Image.Resampling.NEAREST)
        if small.tobytes() != phase.picture.convert("1").tobytes():
            stale.append(phase.name)
    assert stale == [], "run scripts/make games, and look at the pictures"


def test_four_players_pack_with_sixty_presses_each_at_most() -> None:
    assert max(game_pages.costs("pack_the_essentials")[4].presses) <= 60
