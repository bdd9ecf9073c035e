"""The pages for players say what the program does."""

import re

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


@pytest.mark.parametrize("game", game_pages.EVENINGS)
def test_a_page_says_of_taps_and_questions_what_the_display_says(game: str) -> None:
    for phase in game_pages.pictured(game):
        taps = set(re.findall(r"tap: (\+\d+)", phase.button))
        several = len(taps) > 1 or "tap or turn" in phase.display  # no one number fits, or it is small beside the way
        assert several or all(tap in phase.display for tap in taps), (phase.name, taps, phase.display)
        words = re.findall(r"\w{4,}", phase.asks.lower())
        assert not taps or any(word in phase.display.lower() for word in words), (phase.name, phase.asks, phase.display)


def test_four_players_pack_with_sixty_presses_each_at_most() -> None:
    assert max(game_pages.costs("pack_the_essentials")[4].presses) <= 60
