"""Hand-over to BG Stats: a link that opens one play in the app, and a file of all plays (`.bgsplay`).

The keys in both are those of other programs that hand plays over; the app's maker describes the link only, and no file
of the app was at hand. Ids are made of what the journal has, so that a play that is handed over twice is the same one:
of the random bits of the run that began it, and of when it began. Those of older versions are made of boot and number.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from engine.sheets.state import shows_totals
from firmware.statistics.kinds import GameKind

CREATE = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Lucky Paw"
OURS = uuid5(NAMESPACE_URL, "luckypaw")


class BgResult(NamedTuple):
    """One player's result."""

    label: str  # of the button
    person: str | None  # an id; None for a guest
    name: str | None
    points: int
    place: int
    won: bool

    @property
    def id(self) -> str:
        return self.person or f"guest {self.label}"


class Played(NamedTuple):
    """A game that counts."""

    game: int
    boot: str  # in which it was begun
    run_bits: str  # of the run that began it; empty for one of an older version
    begun_ns: int  # the stamp of its first event, in that boot
    kind: GameKind
    began: datetime | None  # None where no clock was right
    showed: datetime  # what the clock showed then, right or wrong
    took_ns: int | None  # None where the power was cut meanwhile
    seats: tuple[BgResult, ...]

    @property
    def id(self) -> str:
        """The same whenever this game is handed over, also where it has got another number since."""
        begun = f"{self.run_bits} {self.begun_ns}" if self.run_bits else f"{self.boot} {self.game}"
        return str(uuid5(OURS, f"{begun} {self.kind.base}")).upper()

    @property
    def day(self) -> str:
        """In UTC, as the app wants it; it takes no play without a day."""
        return f"{(self.began or self.showed).astimezone(UTC):%Y-%m-%d %H:%M:%S}"

    @property
    def minutes(self) -> int:
        return 0 if self.took_ns is None else round(self.took_ns / 60e9)


def link(played: Played) -> str:
    """An address that opens this play in the app, where it is installed."""
    play: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": played.id,
        "playDate": played.day,
        "game": _game(played.kind),
        "players": [
            {
                "name": seat.name or seat.label,
                "sourcePlayerId": seat.id,
                "score": str(seat.points),
                "rank": seat.place,
                "winner": seat.won,
                "startPlayer": False,
            }
            for seat in played.seats
        ],
    }
    if played.minutes:
        play["durationMin"] = played.minutes
    return CREATE + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def file(plays: Iterable[Played]) -> dict[str, Any]:
    """All plays as one file."""
    plays = tuple(plays)
    kinds = {played.kind.name: played.kind for played in plays}
    numbers = {name: number for number, name in enumerate(sorted(kinds), 1)}
    seated = {seat.id: seat for played in plays for seat in played.seats}
    people = {id_: number for number, id_ in enumerate(seated, 1)}
    return {
        "games": [
            {
                "id": number,
                "uuid": str(uuid5(OURS, name)).upper(),
                "name": kinds[name].title,
                **_bgg(kinds[name]),
                "highestWins": kinds[name].best >= 0,
                "noPoints": _no_points(kinds[name]),
                "cooperative": _is_sheet(kinds[name], "together"),
                "usesTeams": _is_sheet(kinds[name], "teams"),
            }
            for name, number in numbers.items()
        ],
        "players": [
            {
                "id": number,
                "uuid": str(uuid5(OURS, id_)).upper(),
                "name": seated[id_].name or id_,
                "isAnonymous": seated[id_].person is None,
            }
            for id_, number in people.items()
        ],
        "locations": [],
        "plays": [_play(played, numbers[played.kind.name], people) for played in plays],
        "userInfo": {"meRefId": 0},
    }


def _game(kind: GameKind) -> dict[str, Any]:
    """A kind of game in a link."""
    game: dict[str, Any] = {"name": kind.title, "sourceGameId": kind.base}
    if kind.sheet is not None and kind.sheet.bgg is not None:
        game["bggId"] = kind.sheet.bgg
    return game | {"highestWins": kind.best >= 0, "noPoints": _no_points(kind)}


def _bgg(kind: GameKind) -> dict[str, int]:
    """The game's number at BoardGameGeek; nothing where it is not known: 0 would be taken for one."""
    bgg = None if kind.sheet is None else kind.sheet.bgg
    return {} if bgg is None else {"bggId": bgg}


def _no_points(kind: GameKind) -> bool:
    return kind.sheet is not None and not shows_totals(kind.sheet)


def _is_sheet(kind: GameKind, key: str) -> bool:
    """Whether it is a sheet that has this key."""
    return kind.sheet is not None and getattr(kind.sheet, key) is not None


def _play(played: Played, kind: int, people: dict[str, int]) -> dict[str, Any]:
    return {
        "uuid": played.id,
        "gameRefId": kind,
        "playDate": played.day,
        "durationMin": played.minutes,
        "ignored": False,
        "manualWinner": True,  # ties are broken by the rules, not by points alone
        "rating": 0,
        "rounds": 0,
        "scoringSetting": 0,
        "usesTeams": False,
        "playImages": "[]",
        "playerScores": [
            {
                "playerRefId": people[seat.id],
                "score": str(seat.points),
                "rank": seat.place,
                "winner": seat.won,
                "newPlayer": False,
                "startPlayer": False,
                "seatOrder": number,
            }
            for number, seat in enumerate(played.seats, 1)
        ],
    }
