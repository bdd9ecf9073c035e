"""What axe-core finds wrong with a page for people who cannot see, hear or point as others do."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SCRIPT: str = Axe().axe_script
OPTIONS = {"rules": {"label-content-name-mismatch": {"enabled": True}}}  # off as experimental; all others are on


def judged(page: Page) -> dict[str, Any]:
    """What axe says, its frames included."""
    for frame in page.frames:
        frame.evaluate(SCRIPT)
    answer: dict[str, Any] = page.evaluate("options => axe.run(document, options)", OPTIONS)
    return answer


def findings(page: Page) -> list[str]:
    """By element the rules it breaks, of any impact."""
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:120]}: {node['failureSummary']}"
        for rule in judged(page)["violations"]
        for node in rule["nodes"]
    ]
