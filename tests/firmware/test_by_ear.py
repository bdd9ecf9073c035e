"""Whoever sees nothing plays whole games at the kit's page: by keys, and by what is said there alone."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.simulators.by_ear import MOST, Lost, played

NIGHTLY = pytest.mark.nightly  # a minute and more
WITHHELD = {  # by what is not said any more: the piece of the page's script, and how the player gets lost
    "whose answer is missing": ("wizard", "words.asked, ", "nothing is said after nothing was done"),
    "what is chosen": ("kitty_paw", "words.chosen, ", "nothing is said after ArrowDown"),
    "the question": ("kitty_paw", "words.lasting, ", "nothing is said after nothing was done"),
    "the signal": ("kitty_paw", 'find("flashes").append(line);', "nothing is said after nothing was done"),
}


def first_rounds(transcript: Sequence[str]) -> str:
    """What was said up to the third round, for whoever looks for a fault."""
    third = next((n for n, line in enumerate(transcript) if line.startswith("R3 ") or " 3/20 " in line), None)
    return "\n".join(transcript[:third])


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "rounds"), [("kitty_paw", MOST), ("wizard", 3), pytest.param("wizard", MOST, marks=NIGHTLY)]
)
def test_a_game_is_played_by_ear_to_the_right_scores(chromium: Browser, tmp_path: Path, game: str, rounds: int) -> None:
    found = played(chromium, tmp_path, game, rounds=rounds)
    assert found.heard == found.by_rules == found.journaled, first_rounds(found.transcript)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "piece", "lost"), WITHHELD.values(), ids=WITHHELD)
def test_who_is_not_told_enough_gets_lost(chromium: Browser, tmp_path: Path, game: str, piece: str, lost: str) -> None:
    with pytest.raises(Lost, match=f"^{lost}"):
        played(chromium, tmp_path, game, rounds=1, withheld=piece)
