"""What a start has to wait for: it grows with each module that is imported before the first picture and the page."""

from pathlib import Path

import pytest

from firmware.table import later
from tests.simulators.program import Program, run

START = "import sys, firmware.cli.play, firmware.setup.steps, firmware.table.app, firmware.panel.server"
NOT_ALWAYS = ("engine.sheets.sheet", "firmware.phones.server", "firmware.setup.greeting", "hardware.layout.inside")
# the program with a display that takes a picture and never says so; it tells where the page is
NO_PICTURE = """
import contextlib, sys
from firmware.__main__ import main
from firmware.cli import play
from firmware.table.app import App

@contextlib.asynccontextmanager
async def telling(*args, serving=play.serving):
    async with serving(*args) as address:
        print(address, flush=True)
        yield address

App._be_ready = lambda self: None
play.PICTURE_S, play.serving = 0.1, telling
main(["play", "--emulated", "--port", "0"])
"""


@pytest.fixture(scope="module")
def imported() -> list[str]:
    return run("-c", f"{START}\nprint(*sys.modules)").stdout.split()


@pytest.mark.parametrize("module", [*later.MODULES, *NOT_ALWAYS])
def test_what_is_opened_later_is_imported_then(module: str, imported: list[str]) -> None:
    assert "firmware.table.menus" in imported
    assert module not in imported


def test_a_display_that_hangs_without_a_word_does_not_hold_up_the_page_for_ever(tmp_path: Path) -> None:
    with Program("-c", NO_PICTURE, STATE_DIRECTORY=str(tmp_path)) as program:
        assert program.first.startswith("('127.0.0.1', ")
