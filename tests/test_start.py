"""What a start has to wait for: it grows with each module that is imported before the first picture and the page."""

import pytest

from firmware.table import later
from tests.simulators.program import run

START = "import sys, firmware.cli.play, firmware.setup.steps, firmware.table.app, firmware.panel.server"
NOT_ALWAYS = ("engine.sheets.sheet", "firmware.phones.server", "firmware.setup.greeting", "hardware.layout.inside")


@pytest.fixture(scope="module")
def imported() -> list[str]:
    return run("-c", f"{START}\nprint(*sys.modules)").stdout.split()


@pytest.mark.parametrize("module", [*later.MODULES, *NOT_ALWAYS])
def test_what_is_opened_later_is_imported_then(module: str, imported: list[str]) -> None:
    assert "firmware.table.menus" in imported
    assert module not in imported
