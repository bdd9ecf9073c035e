"""Pictures of phones and of a board: their pages in a browser, in a game that is played on an emulated kit."""

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.firmware.browser import CHROMIUM
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone_page import WIDE_PX, opened

GAP_PX, GROUND = 24, (70, 40, 22)
PEOPLE = "people[Anna Maximiliana] [Pack & Stack] P1*2 P2*2 P3"
RACE = "ok ok*2 P1 ok 3300"
COUNT = f"{RACE} P1 100 P2 100 P3 1700 ok"
BOARD_PX = (1280, 720)


@contextmanager
def table(browser: Browser, line: str, seat: str = "") -> Iterator[tuple[PhoneTable, Page]]:
    """A table where people have joined, and the page of a phone; `seat`: of a player, who has sat down."""
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        kit = PhoneTable(Path(folder))
        kit.play(line)
        page = opened(browser, f"http://{kit.host}/{kit.phones.code}", complaints, width_px=WIDE_PX)
        page.get_by_role("button", name=seat or "Only look on").tap()
        if seat:
            page.locator("#settled").tap()
        page.wait_for_selector("#game:not([hidden])")
        yield kit, page
        page.context.close()
        kit.close()
    assert not complaints, complaints


def shot(page: Page) -> Image.Image:
    """What is seen of a page without scrolling."""
    page.wait_for_timeout(500)
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def phones(browser: Browser) -> Image.Image:
    """A guest who joins, a race, a number, and somebody who waits, side by side."""
    shots = []
    with table(browser, PEOPLE, "P3") as (kit, page):
        page.locator("#seats").tap()
        page.get_by_role("button", name="P3").tap()
        page.get_by_role("button", name="P3").tap()
        page.get_by_role("heading", name="You are").wait_for()
        shots.append(shot(page))
        page.locator("#settled").tap()
        kit.play(RACE)
        page.get_by_role("heading", name="Press your button").wait_for()
        shots.append(shot(page))
        kit.play(COUNT.removeprefix(RACE))
        page.get_by_role("heading", name="Empty spaces?").wait_for()
        shots.append(shot(page))
    with table(browser, "", "P2") as (kit, page):
        kit.play("game[if_it_fits 3] P1 P1 P2 P3")
        page.get_by_role("heading", name="Waiting for P1").wait_for()
        shots.append(shot(page))
    height = max(one.height for one in shots)
    sheet = Image.new("RGB", (sum(one.width for one in shots) + GAP_PX * (len(shots) + 1), height + 2 * GAP_PX), GROUND)
    for n, one in enumerate(shots):
        sheet.paste(one, (GAP_PX + n * (one.width + GAP_PX), GAP_PX))
    return sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS)


def board(browser: Browser) -> Image.Image:
    """A board while all count."""
    with table(browser, PEOPLE) as (kit, page):
        kit.play(COUNT)
        width, height = BOARD_PX
        wide = browser.new_context(
            storage_state=page.context.storage_state(), viewport={"width": width, "height": height}, color_scheme="dark"
        )
        screen = wide.new_page()
        screen.goto(f"http://{kit.host}/board")
        screen.wait_for_selector("#photo svg")
        found = shot(screen)
        wide.close()
        return found


def save(folder: Path) -> None:
    """Make both. Needs Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, sheet in (("phones", phones), ("board", board)):
            sheet(browser).save(folder / f"page_{name}.jpg", quality=86, optimize=True)
            print(f"docs/screens/page_{name}.jpg")
        browser.close()
