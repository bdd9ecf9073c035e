"""The pages beside the kit. Each is made when it is asked for, from the sums and the journal."""

import re
from pathlib import Path

from firmware.spreadsheet import ENDINGS, form_of
from firmware.statistics.pages import evenings, front, game, games, people, records
from firmware.statistics.pages.site import Made, Maker, Site, asked

TABLE = "|".join(map(re.escape, ENDINGS))
ROUTES: tuple[tuple[str, Maker], ...] = (
    ("/history", front.front),
    (rf"{front.RESULTS}({TABLE})", front.results),
    ("/games", games.games),
    ("/people", people.people),
    (r"/people/([0-9a-f]{16})", people.person),
    (r"/people/([0-9a-f]{16})\.png", people.picture),
    ("/evenings", evenings.evenings),
    (r"/evenings/(\d{1,9})", evenings.evening),
    (r"/evenings/(\d{1,9})\.png", evenings.picture),
    (r"/games/(\d{1,9})", game.game),
    (r"/games/(\d{1,9})\.png", game.picture),
    (rf"/games/(\d{{1,9}})({TABLE})", game.as_table),
    ("/records", records.records),
)


class Pages:
    """The pages of the journal in a folder. Raises `FileNotFoundError` where there is none, `sqlite3.Error`."""

    def __init__(self, folder: Path, *, guest: bool = False) -> None:
        """`guest`: for a phone."""
        self._site = Site(folder, guest=guest)

    def close(self) -> None:
        """Close the sums; the pages cannot be made any more."""
        self._site.close()

    def page(self, address: str) -> Made:
        """The page at this address, the picture or the table; None where there is none."""
        try:
            path, query = asked(address)
        except ValueError:
            return None
        if self._site.guest and form_of(path) is not None:
            return None  # what is handed over is handed over at the kit
        self._site.saved, self._site.form = "saved" in query, query.get("form", "")
        for pattern, make in ROUTES:
            if (found := re.fullmatch(pattern, path, re.ASCII)) is not None:
                return make(self._site, query, *found.groups())
        return None
