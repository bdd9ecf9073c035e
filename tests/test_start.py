"""What a start has to wait for: it grows with each module that is imported before the first picture and the page."""

import pytest

from tests.simulators.program import run

START = "import sys, firmware.cli.play, firmware.setup.steps, firmware.table.app, firmware.panel.server"
LATER = (
    *("firmware.output.photo_finish", "firmware.output.race_evidence", "firmware.phones.view"),
    *("engine.sheets.sheet", "firmware.people.corrections", "firmware.people.joining", "firmware.people.menu"),
    *("firmware.people.who_begins", "firmware.phones.server", "firmware.setup.greeting", "firmware.setup.menu"),
    *("firmware.table.all_games", "firmware.table.back_menu", "firmware.table.ending", "firmware.table.evening"),
    *("firmware.table.option_table", "firmware.table.past_score", "hardware.layout.inside"),
)


@pytest.fixture(scope="module")
def imported() -> list[str]:
    return run("-c", f"{START}\nprint(*sys.modules)").stdout.split()


@pytest.mark.parametrize("module", LATER)
def test_what_is_opened_later_is_imported_then(module: str, imported: list[str]) -> None:
    assert "firmware.table.menus" in imported
    assert module not in imported
