"""Local time, for people: in the zone that was chosen in SET UP, else in the machine's. Every time shown is made here.

The zones are the system's, else those of the package tzdata: a slim system has none.
"""

import os
from contextlib import suppress
from datetime import date, datetime, time, tzinfo
from pathlib import Path
from typing import ClassVar

from engine.words import N_
from firmware import state_folder
from firmware.state_folder import ZONE
from firmware.translation import _, dated

UTC = "UTC"
REGIONS = (
    *(N_("Africa"), N_("America"), N_("Antarctica"), N_("Arctic"), N_("Asia")),
    *(N_("Atlantic"), N_("Australia"), N_("Europe"), N_("Indian"), N_("Pacific")),
)
ZONE_OF_FILE = "zoneinfo/"  # what stands before a zone's name in the path of its file


class LocalTimes:
    """How this process shows times."""

    zone: ClassVar[str] = ""  # by name; empty: the machine's


def use(state: Path) -> None:
    """From now on show times in the zone that was chosen in this state folder. Any thread."""
    LocalTimes.zone = chosen(state)


def chosen(state: Path) -> str:
    """The zone that was chosen, if it is one; empty: the machine's."""
    with suppress(OSError, ValueError):
        name = state_folder.choice(state / ZONE)
        return name if _zone(name) is not None else ""
    return ""


def choose(state: Path, name: str) -> None:
    """Choose a zone, or the machine's by an empty name, and use it. Raises `OSError`."""
    state_folder.choose(state / ZONE, name or None)
    use(state)


def local(when: datetime) -> datetime:
    """The same moment in local time."""
    # without a zone the system's library knows the time
    return when.astimezone(_zone(LocalTimes.zone) or _zone(machine()))


def at(day: date, clock: time) -> datetime:
    """This time of a day, in local time."""
    zone = _zone(LocalTimes.zone) or _zone(machine())
    return (
        datetime.combine(day, clock.replace(tzinfo=None), zone) if zone else datetime.combine(day, clock).astimezone()
    )


def day(when: datetime | None) -> str:
    """The local day for people; None: it is not known."""
    return _("day unknown") if when is None else dated(local(when))


def moment(when: datetime | None) -> str:
    """The local day and time for people."""
    return _("day unknown") if when is None else f"{day(when)}, {clock(when)}"


def clock(when: datetime) -> str:
    """The local time of day for people."""
    return f"{local(when):%H:%M}"


def iso(when: datetime | None) -> str | None:
    """For programs: ISO 8601 in local time, with the hours from UTC."""
    return None if when is None else local(when).isoformat(timespec="seconds")


# --- zones -----------------------------------------------------------------------------------------------------------


def zones() -> dict[str, tuple[str, ...]]:
    """The names of all zones by region, the cities of each in order."""
    from importlib import resources  # for the list only

    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text("utf-8")
    names = sorted((line.split("\t")[2] for line in table.splitlines() if not line.startswith("#")), key=city)
    return {region: tuple(name for name in names if name.startswith(f"{region}/")) for region in REGIONS}


def city(name: str) -> str:
    """What people call a zone: its city."""
    return name.rpartition("/")[2].replace("_", " ")


def machine(root: Path = Path("/")) -> str:
    """The name of the machine's zone; empty where it has none."""
    if (given := os.environ.get("TZ")) is not None:
        return given.removeprefix(":")
    with suppress(OSError):
        return str((root / "etc/localtime").readlink()).partition(ZONE_OF_FILE)[2]
    return ""


def _zone(name: str) -> tzinfo | None:
    """A zone; None where there is none of this name."""
    if not name:
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # with the first time that is shown: a start need not wait

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
