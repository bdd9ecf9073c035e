"""The first start of the program: who is greeted and who is not; at night on its page in a real browser."""

import json
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser
from websockets.sync.client import ClientConnection

from firmware.state_folder import greeted
from tests.firmware.browser import line_of_page, next_news
from tests.simulators import reading
from tests.simulators.at_the_page import Table
from tests.simulators.program import Program, game_begun
from tests.simulators.waiting import comes

pytestmark = pytest.mark.slow


@contextmanager
def started(state: Path) -> Iterator[ClientConnection]:
    """The line of the program's page; in the end its plug is pulled."""
    command = ("-m", "firmware", "play", "--emulated", "--port", "0")
    with Program(*command, STATE_DIRECTORY=str(state)) as program, line_of_page(program.port) as line:
        yield line


def shown(line: ClientConnection) -> str:
    """The text of the next picture."""
    return reading.text(Image.frombytes("1", (128, 64), b64decode(next_news(line, "picture"))))


def test_a_newcomer_is_greeted_until_it_is_over_and_never_again(tmp_path: Path) -> None:
    with started(tmp_path) as line:
        assert "Press each button" in shown(line)
    with started(tmp_path) as line:  # it was cut short
        assert "Press each button" in shown(line)
        line.send(json.dumps({"ok": True}))  # held: it is skipped
        assert comes(lambda: greeted(tmp_path))
    with started(tmp_path) as line:
        assert "which game?" in shown(line)


def test_who_has_played_before_is_not_greeted(tmp_path: Path) -> None:
    game_begun(tmp_path)
    with started(tmp_path) as line:
        assert "GO ON?" in shown(line)


@pytest.mark.nightly
def test_the_greeting_goes_its_whole_way_on_the_page(chromium: Browser, tmp_path: Path) -> None:
    table = Table(chromium, tmp_path, newcomer=True)
    table.sees("Press each button").looks("page_greeting").tap("P1", "P2", "P3", "P4").sees("All of them work")
    table.sees("ALL RIGHT").looks("page_all_right").sees("A RACE!").looks("page_race_rules").tap("ok")
    for heat in ("1/3", "2/3", "3/3"):
        table.sees(f"GO! | hold OK:skip | RACE | {heat}").wait(150).tap("P2").tap("P1").looks("page_go").sees("P2 0.")
        table.looks("page_reaction")
    table.sees("P2 WINS").looks("page_race_over").tap("ok").sees("which game?").close()
