"""An evening at the installed kit, until somebody pulls the plug; what people were told leaves the machine at once.

Told is what has stood on the display: the game as it is after so many facts. First of all it is looked up what was told
before the machine was last switched off.
"""

import hashlib
import json
import os
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, NamedTuple

from engine import games
from engine import play as plays
from engine.play import Fact, Play, Resumed
from firmware.journal.reader import GameRow, History, encode
from firmware.output import screens
from firmware.table.question import EMPTY
from tests.appliance.machine import HANDS, JOURNAL, table, until_ready
from tests.appliance.people import People
from tests.simulators.reading import text
from tests.simulators.real_table import Glass, Table
from tests.simulators.waiting import until

TOLD = HANDS / "told"  # a line for each: the game, how many of its facts, and what those were
FOUND = HANDS / "found"  # a line for each evening: what has come of that


class Told(NamedTuple):
    """The facts of a game that people know of."""

    game: int
    facts: int
    digest: str


def digest(facts: tuple[Fact, ...]) -> str:
    """What these facts say, in short."""
    return hashlib.sha256(json.dumps([encode(fact) for fact in facts]).encode()).hexdigest()[:16]


def newest() -> tuple[GameRow, tuple[Fact, ...]] | None:
    """The latest game of the journal and its facts."""
    try:
        with closing(History(JOURNAL)) as history:
            rows = history.games()
            return (rows[0], history.facts(rows[0].game, games.rules(rows[0].name))) if rows else None
    except FileNotFoundError:
        return None


def keep(path: Path, line: str) -> None:
    """Add a line to a file of the host: it is there when this returns."""
    with path.open("a") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


class Watcher:
    """Looks at the display, and tells the host which facts stand behind the picture."""

    def __init__(self) -> None:
        self._glass = Glass()
        self._looked = b""
        self._play: Play | None = None
        self._game, self._count = 0, 0  # the game, and how many facts have been folded

    def watch(self) -> None:
        """Look for ever."""
        while True:
            self.look()
            time.sleep(0.005)

    def look(self) -> None:
        """Look once."""
        glass = self._glass.picture().tobytes()
        if glass == self._looked:
            return
        self._looked = glass
        found = newest()  # after the picture: whatever that says is in it, if it is anywhere
        if found is None:
            return
        row, facts = found
        if row.game != self._game:
            self._game, self._count, self._play = row.game, 0, None
        for count in range(max(self._count, 1), len(facts) + 1):
            play = self._folded(row, facts, count)
            if screens.draw(play, EMPTY, knob=True).tobytes() == glass:
                keep(TOLD, f"{row.game} {count} {digest(facts[:count])}")

    def _folded(self, row: GameRow, facts: tuple[Fact, ...], count: int) -> Play:
        if self._play is None or count < self._count:
            self._play, self._count = plays.opened(games.rules(row.name), facts[0]), 1
        for fact in facts[self._count : count]:
            self._play = plays.fold(self._play, fact)
        self._count = count
        return self._play


def look_up() -> dict[str, Any]:
    """What was told before and what the journal has of it."""
    lines = TOLD.read_text().splitlines() if TOLD.exists() else []
    told = [Told(int(game), int(facts), found) for game, facts, found in map(str.split, lines)]
    lost = 0
    with closing(History(JOURNAL)) as history:
        rows = {row.game: row for row in history.games()}
        for game in {line.game for line in told}:
            facts = history.facts(game, games.rules(rows[game].name)) if game in rows else ()
            lost += sum(
                len(facts) < line.facts or digest(facts[: line.facts]) != line.digest
                for line in told
                if line.game == game
            )
    return {"told": len(told), "lost": lost}


def resumed(people: Table) -> dict[str, Any]:
    """Go on with the game that was on: whether it was offered, and whether it stands where it stood."""
    found = newest()
    if found is None:
        return {"game": "none yet"}
    row, facts = found
    before = plays.replay(games.rules(row.name), facts)
    if before.over:
        return {"game": "over"}
    people.until_reads("GO ON?").ok()
    until(lambda: len((newest() or found)[1]) > len(facts), lambda: "the game goes on")
    after = (newest() or found)[1]
    play = plays.replay(games.rules(row.name), after)
    same = (
        after[: len(facts)] == facts and isinstance(after[len(facts)].event, Resumed) and play.scores == before.scores
    )
    return {"game": "resumed" if same else "changed"}


def main(number: int, seed: int, last: bool) -> None:
    """Evening `number`; the last one is over once it has been seen what came of the one before."""
    until_ready()
    with table() as people:
        until(lambda: any(words in text(people.glass()) for words in ("GO ON?", "which game?")), lambda: "it is ready")
        found: dict[str, Any] = {"evening": number, "lost": 0, "told": 0, "game": "none yet"}
        if JOURNAL.exists():
            found |= {**look_up(), **resumed(people)}
        keep(FOUND, json.dumps(found))
        if last:
            return
        watching = Thread(target=Watcher().watch, daemon=True)
        watching.start()
        hands = People(people, Random(seed))
        while watching.is_alive():
            hands.act()
    raise RuntimeError("nobody looks at the display any more; the reason stands above")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "last")
