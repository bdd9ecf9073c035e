"""Whole games with phones in a real browser: taps on their pages, hands on the kit, and the same scores everywhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.simulators.phone_evenings import WithPhones, begun, recorded
from tests.simulators.phone_pages import Pages


@pytest.fixture
def pages(chromium: Browser, tmp_path: Path, players: int, phones: int) -> Iterator[Pages]:
    table = Pages(chromium, tmp_path / "phones", players, phones)
    yield table
    table.close()


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "players", "phones"),
    [
        ("if_it_fits", 3, 2),
        pytest.param("kitty_paw", 3, 1, marks=pytest.mark.nightly),
        pytest.param("pack_the_essentials", 4, 3, marks=pytest.mark.nightly),
        pytest.param("cat_pageant", 4, 4, marks=pytest.mark.nightly),
        pytest.param("if_it_fits", 5, 5, marks=pytest.mark.nightly),
        pytest.param("pack_and_stack", 6, 6, marks=pytest.mark.nightly),
    ],
)
def test_a_whole_game_with_phones(pages: Pages, tmp_path: Path, game: str, players: int, phones: int) -> None:
    ends = []
    alone, given = recorded(tmp_path / "alone", game, players, lambda rig: ends.append(rig.picture.tobytes()))
    if game == "kitty_paw":  # which asks nobody in particular
        pages.phones[0].say(table=True)
    begun(pages.rig, game, players)
    for phone in pages.phones:
        phone.taps = 0
    together = WithPhones(pages.rig, pages.phones).play(given)
    for phone in pages.phones:
        phone.page.get_by_text("The game is over.").wait_for()
    shown = {phone.button: phone.scores for phone in pages.phones}
    found = shown | {"kit": together.scores, "journal": pages.journaled(game)}
    assert found == dict.fromkeys(found, alone.scores)
    assert pages.rig.picture.tobytes() == ends[0]
    assert sum(phone.taps for phone in pages.phones) == together.taps > 0
    assert [*pages.complaints, *(text for phone in pages.phones for text in phone.complaints)] == []
