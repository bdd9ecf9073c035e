"""What all pages are made of: the figures, the journal, and the parts that several of them show."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl

from engine.rules import Refused
from firmware.journal.reader import GameRow, History
from firmware.markup import Markup, Part, html, name, page
from firmware.state_folder import JOURNAL
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures
from firmware.statistics.plain_values import Data
from firmware.translation import _, dated, translated

Query: TypeAlias = dict[str, str]  # what stands behind the question mark of an address
Made: TypeAlias = "Markup | bytes | None"  # a page, a picture; None where there is none
Maker: TypeAlias = Callable[..., Made]  # gets the site, the query, and what its pattern has found


class Site:
    """The journal in a folder, and its figures. Raises `FileNotFoundError` where there is none, `sqlite3.Error`."""

    def __init__(self, folder: Path, *, guest: bool = False) -> None:
        """`guest`: for a phone, which has the pages and its game, and nothing else of the kit's."""
        self.guest = guest
        self.journal = folder / JOURNAL
        self._sums = up_to_date(folder)
        self.data = Data(Figures(self._sums))
        self.figures = self.data.figures

    def close(self) -> None:
        """Close the sums; no page can be made any more."""
        self._sums.close()

    def page(self, title: Part, *parts: Part) -> Markup:
        """A whole page with the links to the others."""
        links = (
            ("/people", _("People")),
            ("/evenings", _("Evenings")),
            ("/records", _("Records")),
            ("/", _("To the game")) if self.guest else ("/sheets", _("Score sheets")),
        )
        return page(title, *parts, links=links)

    def who(self, person: str) -> Markup:
        """Somebody's name, which leads to their page."""
        return html("a", name(self.figures.names[person]), href=f"/people/{person}")


def asked(path: str) -> tuple[str, Query]:
    """An address in two: the path, and what is asked of it. Of what stands there twice the last counts."""
    path, _mark, query = path.partition("?")
    return path, dict(parse_qsl(query, errors="strict", max_num_fields=20))


def day(iso: str | None, number: int) -> str:
    """An evening's name: its day, or its number where no clock was right."""
    return _("Evening {number}", number=number) if iso is None else dated(date.fromisoformat(iso))


def called(history: History, row: GameRow) -> str:
    """What a game is called; the name of its rules where this version does not know them."""
    try:
        return str(history.rules(row).title)
    except Refused:
        return row.name


def title(row: GameRow, of_rules: str) -> str:
    """A game's name."""
    return _("{title}, game {game}", title=translated(of_rules), game=row.game)
