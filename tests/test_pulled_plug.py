"""The whole program, played from its page, is killed at any moment: the game is offered again as it was."""

import argparse
import hashlib
import json
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import reduce
from itertools import combinations
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from engine import games
from engine import play as plays
from engine.play import Fact
from engine.rules import RELEASE, Action
from firmware.buttons import Button
from firmware.cli.replay import frames
from firmware.journal.reader import History
from firmware.output import strip_picture
from hardware.config import TABLE
from tests.simulators.program import Program, game_begun, played_before
from tests.simulators.rig import Rig
from tests.simulators.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow

TAP_S = 0.045  # longer than a line is locked after an edge
HOLD_S = 0.7
HANDS = ("P1", "P2", "P3")
HANDS_S = 2.5
MAX_S = 6.0  # of a game


def stand(folder: Path) -> tuple[Fact, ...]:
    """All facts of the latest game; empty where no game was begun."""
    try:
        with closing(History(folder / "journal.db")) as history:
            rows = history.games()
            return history.facts(rows[0].game, games.rules(rows[0].name)) if rows else ()
    except FileNotFoundError:
        return ()


def goes_on(folder: Path, facts: tuple[Fact, ...], which: str) -> str:
    """The kit is switched on again: the game is offered, and stands where these facts left it."""
    if not facts:
        return "no game yet"
    with closing(History(folder / "journal.db")) as history:
        row = history.games()[0]
        play = plays.replay(games.rules(row.name), facts, history.boot(row.game))
    rig = Rig(folder, boot="after the cut")
    try:
        if play.over:
            return "over"
        assert "GO ON?" in rig.reads(), f"{which}: the game is not offered"
        rig.ok()
        now = rig.playing.play
        wanted = reduce(plays.fold, plays.resume(play, "after the cut", now.heard_ns), play)
        for offer in wanted.offers:
            if offer.verb == RELEASE:  # the hands that were on the buttons are gone
                for fact in plays.answer(wanted, Action(offer.seat, RELEASE)):
                    wanted = plays.fold(wanted, fact)
        assert (now.state, now.step) == (wanted.state, wanted.step), f"{which}: the game stands elsewhere"
        rounds = [p.rules.board(p.state).round for p in (now, play)]
        assert (now.scores, rounds[0]) == (play.scores, rounds[1]), f"{which}: more than what was in the air is missing"
    finally:
        rig.close()
    return "resumed"


class Live:
    """`luckypaw play --emulated`, and hands at its page that press whatever they find."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._dice = folder, random.Random(seed)
        self._seen: list[bytes] = []
        self._lit: Sequence[str] = ()
        self._page: ClientConnection

    def play(self, for_s: float) -> list[bytes]:
        """Begin a game, press things at random, and pull the plug: all that the strip has shown."""
        state = {"STATE_DIRECTORY": str(played_before(self._folder))}
        game_begun(self._folder, self._dice.choice(games.names()), HANDS, self._dice.randrange(2**32))
        with Program("-m", "firmware", "play", "--emulated", "--port", "0", **state) as program:
            place = f"127.0.0.1:{program.port}"
            origin = Origin(f"http://{place}")
            with connect(f"ws://{place}/ws", origin=origin, compression=None, ping_interval=None) as self._page:
                self._begin()
                self._press(for_s)
                program.end(signal.SIGKILL)
                with suppress(ConnectionClosed):
                    while True:
                        self._hear(PATIENCE_S)
        return self._seen

    def _hear(self, for_s: float) -> None:
        """The next news."""
        news = json.loads(self._page.recv(timeout=for_s))
        if "strip" in news:
            self._seen.append(bytes.fromhex(news["strip"]))
        self._lit = news.get("lamps", self._lit)

    def _begin(self) -> None:
        """Go on with the game, and wait until the journal has it."""
        begun = len(stand(self._folder))
        until(lambda: len(stand(self._folder)) > begun, lambda: "the game goes on", meanwhile=self._ok)

    def _press(self, for_s: float) -> None:
        """Buttons that are lit, and whatever else comes to hand."""
        end = time.monotonic() + for_s
        while time.monotonic() < end:
            with suppress(TimeoutError):
                while True:
                    self._hear(0.001)
            what = self._dice.random()
            if what < 0.6:
                self._tap(self._dice.choice(self._lit or HANDS))
            elif what < 0.85:
                self._ok()
            elif what < 0.95:
                self._turn(self._dice.choice((-1, 1)))
            elif what < 0.98:  # hands on the buttons until the game lets them go
                self._tap(*HANDS, for_s=HANDS_S)
            else:  # take something back
                self._ok(HOLD_S)
                self._ok()

    def _move(self, *messages: dict[str, object], for_s: float = TAP_S) -> None:
        """Do all this at once, and nothing for a while."""
        for message in messages:
            self._page.send(json.dumps(message))
        time.sleep(for_s)

    def _tap(self, *buttons: str, for_s: float = TAP_S) -> None:
        self._move(*({"button": button, "down": True} for button in buttons), for_s=for_s)
        self._move(*({"button": button, "down": False} for button in buttons))

    def _ok(self, for_s: float = TAP_S) -> None:
        self._move({"ok": True}, for_s=for_s)
        self._move({"ok": False})

    def _turn(self, steps: int) -> None:
        if steps:
            self._move({"turn": steps, "knob": True})


def known_strips(folder: Path) -> set[str]:
    """What the strip may have shown: outside a game anything, in one what stands in the journal."""
    assert TABLE.strip is not None
    leds = TABLE.strip.lamps
    of_kit = TABLE.names
    buttons = [Button(n) for n in range(len(of_kit))]
    joined = [some for many in range(len(of_kit) + 1) for some in combinations(buttons, many)]
    lights = [strip_picture.Light(None, joined=some, of_kit=len(of_kit)) for some in joined]
    outside = [strip_picture.pixels(light, leds) for light in lights]
    found = {digest(bytes(part for lamp in strip for part in lamp)) for strip in outside}
    with suppress(FileNotFoundError), closing(History(folder / "journal.db")) as history:
        for row in history.games():
            found |= {f.strip for f in frames(history, row, games.rules(row.name), leds=leds, to=None, of_kit=of_kit)}
    return found


def digest(strip: bytes) -> str:
    """As the replay prints it."""
    return hashlib.sha256(strip).hexdigest()[:16]


def check(folder: Path, seed: int) -> str:
    """One kill of the whole program: all that the strip has shown is in the journal, and the kit goes on."""
    seen = Live(folder, seed).play(random.Random(seed).uniform(0.0, MAX_S))
    known = known_strips(folder)
    strange = sum(digest(strip) not in known for strip in seen)
    assert seen and strange == 0, f"seed {seed}: {strange} of {len(seen)} pictures of the strip are not in the journal"
    return goes_on(folder, stand(folder), f"seed {seed}")


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 4))])
def test_what_the_strip_of_a_killed_program_has_shown_is_in_the_journal(tmp_path: Path, seed: int) -> None:
    assert check(tmp_path, seed) in ("resumed", "over")


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill the program at random moments of a game and start it again.")
    parser.add_argument("--cuts", type=int, default=30)
    parser.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    found = Counter(check(args.folder / str(seed), seed) for seed in range(args.cuts))
    print(
        f"{args.cuts} cuts, none lost anything that was committed:",
        ", ".join(f"{n} {what}" for what, n in found.items()),
    )


if __name__ == "__main__":
    main()
