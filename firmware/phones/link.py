"""How phones reach the kit, and one open page of a phone."""

from collections.abc import Callable
from typing import NamedTuple

from firmware.messages import Follower, OnPhone, TableNews
from firmware.translation import Language

# the kinds of news that every phone may see
EVERYBODYS = ("game", "invites", "covered", "evidence", "count", "clocks", "rounds", "rows")


class OwnWifi(NamedTuple):
    """The kit's own Wi-Fi."""

    name: str
    password: str


class Way(NamedTuple):
    """How phones reach the kit."""

    addresses: tuple[str, ...] = ()  # of the page, each with its port where that is not 80
    wifi: OwnWifi | None = None  # to join first
    closed: tuple[str, ...] = ()  # why no phone reaches it, and the command that mends that, where there is one


class Link(Follower):
    """An open page of a phone."""

    send: Callable[[TableNews | OnPhone], None]
    language: Language | None = None  # of its reader; None: the kit's

    def __init__(self, phone: str, send: Callable[[TableNews | OnPhone], None], close: Callable[[], None]) -> None:
        super().__init__(send, *EVERYBODYS, "me")
        self.phone, self.close = phone, close
