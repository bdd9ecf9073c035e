"""The wall clock, for people: which day it is, where the kit knows that. All play is timed by CLOCK_MONOTONIC."""

from datetime import UTC, datetime, timedelta
from time import monotonic_ns
from typing import NamedTuple

from hardware.clock import known

GAP = timedelta(hours=6)


class Moment(NamedTuple):
    """A stamp, and what the wall clock showed."""

    at_ns: int  # CLOCK_MONOTONIC
    wall: str | None  # ISO 8601, UTC; None where it is not known


def ends_evening(apart: timedelta | None) -> bool:
    """Whether an evening has ended when so much time has passed without a game; None: no clock can tell."""
    return apart is not None and apart >= GAP


def ends_evening_ns(apart_ns: int | None) -> bool:
    """The same in ns."""
    return ends_evening(None if apart_ns is None else timedelta(microseconds=apart_ns // 1000))


def now() -> Moment:
    """This moment."""
    return Moment(monotonic_ns(), text() if known() else None)


def text() -> str:
    """What the wall clock shows, right or wrong."""
    return datetime.now(UTC).isoformat(timespec="seconds")
