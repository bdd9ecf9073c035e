"""How phones reach the kit, and one open page of a phone."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Wifi(NamedTuple):
    """The kit's own Wi-Fi."""

    name: str
    password: str


class Way(NamedTuple):
    """How phones reach the kit."""

    addresses: tuple[str, ...] = ()  # of the page, each with its port where that is not 80
    wifi: Wifi | None = None  # to join first
    closed: str = ""  # why no phone reaches it, and what mends that


class Link:
    """An open page of a phone: `tell` gets what it has to show, by kind; only the newest of a kind counts."""

    def __init__(self, phone: str, tell: Callable[[dict[str, Any]], None], close: Callable[[], None]) -> None:
        self.phone, self.tell, self.close = phone, tell, close
        self.shown: dict[str, Any] = {}
