"""Pictures of the pages beside the kit: three evenings are played on a table of the tests, and their pages opened."""

import io
import tempfile
from contextlib import closing
from pathlib import Path

from PIL import Image
from playwright.sync_api import ViewportSize, sync_playwright

from firmware.panel.server import PAGE
from firmware.statistics.pages import Pages
from tests.firmware.browser import CHROMIUM
from tests.simulators import evenings
from tests.simulators.rig import NamedRig

PEOPLE = ("Anna", "Ben", "Cleo", "Maximiliana")
SIZE = ViewportSize(width=900, height=1180)
STYLE = (PAGE / "pages.css").read_text()


def played(folder: Path) -> None:
    """Three evenings, with guests, an end by hand and a note."""
    rig = NamedRig(folder, PEOPLE)
    for n, games in enumerate(
        (("kitty_paw", "if_it_fits"), ("pack_and_stack", "kitty_paw"), ("kitty_paw", "pack_and_stack"))
    ):
        if n:
            rig.off("70h").do("6s")
        for game in games:
            getattr(evenings, game)(rig)
            rig.do("2500 ok 2500 ok [Other game]")
    rig.close()


def save(folder: Path) -> None:
    """Write them as JPEG and PNG files."""
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        played(Path(state))
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_context(viewport=SIZE, java_script_enabled=False, color_scheme="light").new_page()
        with closing(Pages(Path(state))) as pages:
            site = pages._site  # noqa: SLF001
            anna = next(id_ for id_, name in site.figures.names.items() if name == "Anna")
            game = next(one.game for one in site.games.values() if one.kind == "kitty_paw")
            evening = site.figures.evenings[-1].number
            shown = {"front": "/history", "evening": f"/evenings/{evening}", "person": f"/people/{anna}"}
            for name, path in (shown | {"game": f"/games/{game}"}).items():
                made = str(pages.page(path)).replace(
                    '<link rel="stylesheet" href="/pages.css">', f"<style>{STYLE}</style>"
                )
                page.set_content(made)
                shot = Image.open(io.BytesIO(page.screenshot(full_page=name != "game"))).convert("RGB")
                shot.save(folder / f"history_{name}.jpg", quality=82, optimize=True)
                print(f"docs/screens/history_{name}.jpg")
            for name, path in (
                ("evening", f"/evenings/{evening}"),
                ("person", f"/people/{anna}"),
                ("game", f"/games/{game}"),
            ):
                picture = pages.page(f"{path}.png")
                assert isinstance(picture, bytes)
                (folder / f"history_{name}.png").write_bytes(picture)
                print(f"docs/screens/history_{name}.png")
        browser.close()
