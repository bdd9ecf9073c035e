"""SET UP: the time zone, by region and city, for a machine whose own is another or not set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from engine.words import N_
from firmware import local_time
from firmware.local_time import LocalTimes, city
from firmware.output import sounds
from firmware.output.screens.canvas import Text
from firmware.shelf.folders import letter
from firmware.table.listing import Lettered, Listing, Rows
from firmware.table.table import Table
from firmware.translation import L_, LazyText, _, translated
from hardware import clock


def row() -> Text:
    """The row of SET UP: the zone that was chosen, if it has room."""
    plain = _("Time zone")
    return (_("Time zone: {city}", city=city(LocalTimes.zone)), plain) if LocalTimes.zone else plain


class Regions(Listing):
    """The regions, before them the machine's own zone."""

    title = N_("TIME ZONE")
    one_back = True

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.zones = local_time.zones()
        regions = [*self.zones, local_time.UTC]
        now = LocalTimes.zone.partition("/")[0]
        self.at = regions.index(now) + 1 if now in regions else 0

    def rows(self) -> Rows:
        rows: Rows = [(_("as the machine"), partial(take, self, ""))]
        rows += [(translated(region), partial(self.enter, region)) for region in self.zones]
        return [*rows, (local_time.UTC, partial(take, self, local_time.UTC))]

    def enter(self, region: str) -> None:
        """Its cities."""
        self.table.open(Cities(self.table, region, self.zones[region]))


class Cities(Lettered):
    """The zones of a region."""

    def __init__(self, table: Table, region: str, zones: tuple[str, ...]) -> None:
        super().__init__(table)
        self.region, self.zones = region, zones
        self.at = zones.index(LocalTimes.zone) if LocalTimes.zone in zones else 0

    def heading(self) -> Text:
        return translated(self.region).upper()

    def rows(self) -> Rows:
        return [(city(zone), partial(take, self, zone)) for zone in self.zones]

    def letters(self) -> list[str]:
        return [letter(city(zone)) for zone in self.zones]

    def right(self) -> str:
        return self.letter()


class ZoneChosen(NamedTuple):
    """What has come of a choice."""

    kept: bool
    says: LazyText


def take(listing: Listing, zone: str) -> None:
    """Choose a zone, empty for the machine's; then SET UP is there again, and says what time it is there."""
    table = listing.table

    def chosen(done: ZoneChosen) -> None:
        if not done.kept:
            table.refuse(done.says)
            return
        while isinstance(table.top, (Regions, Cities)):
            table.close()
        table.sound(sounds.DONE)
        table.note(done.says)

    table.read(partial(_chosen, zone), chosen, lambda: table.top is listing)


def _chosen(zone: str, journal: Path) -> Iterator[ZoneChosen]:
    """Choose it. Not on the loop: it is written to the disk."""
    try:
        local_time.choose(journal.parent, zone)
    except OSError as error:
        yield ZoneChosen(kept=False, says=L_("not kept: {why}", why=error.strerror or error))
        return
    place = city(zone) or _("as the machine")
    time = local_time.clock(datetime.now(UTC))
    says = L_("{place}: it is {time}", place=place, time=time) if clock.known() else L_("times: {place}", place=place)
    yield ZoneChosen(kept=True, says=says)
