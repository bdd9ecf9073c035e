"""A whole game: phones, board, onlooker, display and spoken words do not contradict one another at any moment."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.simulators.said_by_all import Look, Shown, contradictions, heard

NAMES = ("P1", "P2", "P3")
ROWS = ("1. · P1 · 4", "1. · P2 asked · 4", "3. · P3 asked · −1")
WAITING, SENT, HAND = "Waiting for P2, P3", "Sent. You may still change it.", "Press your button on the kit!"
SHOWN = {  # P1 has sent a number, P2 is to send one, P3 to press
    "display": ("R2", "P3: press!"),
    "spoken": ("R2. Cats?. P3: press!", "asked: P2, P3"),
    "board": ("round 2 of 3", *ROWS),
    "onlooker": (WAITING, *ROWS),
    "P1": ("[1]", SENT, WAITING, *ROWS),
    "P2": ("[1]", *ROWS),
    "P3": (HAND, *ROWS),
}
END = {  # of the same game
    "display": ("P2 WINS", "THE END", "28"),
    "spoken": ("THE END. P2 WINS. 1st P2. 28. 2nd P1. 4. 3rd P3. -1",),
    **dict.fromkeys(
        ("board", "onlooker", *NAMES), ("The game is over.", "1. · P2 · 28", "2. · P1 · 4", "3. · P3 · −1")
    ),
}


def look(shown: Mapping[str, Sequence[str]], device: str = "", text: str = "", other: str = "") -> Look:
    """What is shown, but that a device has some other text."""

    def piece(text: str) -> Shown:
        if text.startswith("["):
            return Shown("button", text[1:-1], "asks")
        return Shown("row", text, "scores") if " · " in text else Shown("text", text, "asks" if text == SENT else "")

    pieces = {
        one: [piece(each.replace(text, other) if one == device else each) for each in texts]
        for one, texts in shown.items()
    }
    return Look(7, pieces, NAMES, frozenset({"P1"}) if shown is SHOWN else frozenset())


PLANTED = [
    (SHOWN, "P1", WAITING, "", "P1 does not say who is waited for: ['P2', 'P3']"),
    (SHOWN, "onlooker", WAITING, "Waiting for P2", "onlooker waits for ['P2'], the board marks ['P2', 'P3']"),
    (SHOWN, "P2", "[1]", WAITING, "P2 is asked, and cannot answer"),
    (SHOWN, "board", "P1 ·", "P1 asked ·", "the board marks ['P1'], who answered"),
    (SHOWN, "P2", "P3 asked", "P3", "P2 marks ['P2'], the board ['P2', 'P3']"),
    (SHOWN, "P2", "3. · P3 asked · −1", WAITING, "P2 can answer, and waits for P2"),
    (SHOWN, "P1", SENT, HAND, "['P1', 'P3'] are to press, the board marks ['P2', 'P3']"),
    (SHOWN, "display", "P3:", "P2 P3:", "['P3'] are to press, the display names ['P2', 'P3']"),
    (SHOWN, "display", "R2", "R3", "round {'3'} on the display, {'2'} on the board"),
    (SHOWN, "spoken", "asked: P2, P3", "asked: P3", "spoken: ['P3'] asked, the board marks ['P2', 'P3']"),
    (SHOWN, "P3", "−1", "1", "points: P3 {'P1': 4, 'P2': 4, 'P3': 1}, board {'P1': 4, 'P2': 4, 'P3': -1}"),
    (END, "P3", "The game is over.", "", "over: ['board', 'onlooker', 'P1', 'P2', 'display'], not over: ['P3']"),
    (
        END,
        "display",
        "28",
        "27",
        "points: spoken {'P1': 4, 'P2': 28, 'P3': -1}, display [27], board {'P2': 28, 'P1': 4, 'P3': -1}",
    ),
]


@pytest.mark.parametrize("shown", [SHOWN, END], ids=["in a game", "at its end"])
def test_what_agrees_does_not_contradict_itself(shown: Mapping[str, Sequence[str]]) -> None:
    assert contradictions(look(shown)) == []


@pytest.mark.parametrize(("shown", "device", "text", "other", "found"), PLANTED)
def test_a_contradiction_is_found(
    shown: Mapping[str, Sequence[str]], device: str, text: str, other: str, found: str
) -> None:
    assert found in contradictions(look(shown, device, text, other))


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("kitty_paw", 3),
        pytest.param("cat_pageant", 4, marks=pytest.mark.nightly),
        pytest.param("if_it_fits", 3, marks=pytest.mark.nightly),
        pytest.param("pack_and_stack", 4, marks=pytest.mark.nightly),
        pytest.param("pack_the_essentials", 4, marks=pytest.mark.nightly),
    ],
)
def test_a_whole_game_does_not_contradict_itself(chromium: Browser, tmp_path: Path, game: str, players: int) -> None:
    found = heard(chromium, tmp_path, game, players)
    assert found.together.scores == found.alone.scores
    assert [*found.contradictions, *found.complaints] == []
