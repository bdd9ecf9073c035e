"""An evening with the journal on its threads: prints each file that the loop's own thread has opened meanwhile."""

import json
import sys
import threading
from pathlib import Path

from firmware.statistics import process
from tests.simulators import evenings
from tests.simulators.helpers import at_usual_priority
from tests.simulators.rig import Rig
from tests.simulators.waiting import at_rest, until

OPENING = ("open", "sqlite3.connect", "os.listdir", "os.scandir")


class Watch:
    """What this thread opens while it is watched."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.watching = False
        self._thread = threading.get_ident()
        sys.addaudithook(self._audit)

    def _audit(self, event: str, args: tuple[object, ...]) -> None:
        if self.watching and event in OPENING and threading.get_ident() == self._thread:
            self.opened.append(f"{event} {args[0]!r}")


class Patient(Rig):
    """A kit whose clock stands still until the threads have answered."""

    def __init__(self, state: Path) -> None:
        super().__init__(state, threaded=True)
        self._step, self.app.step = self.app.step, self._settle  # type: ignore[method-assign]

    def _settle(self, now_ns: int) -> None:
        def settled() -> bool:
            self._step(now_ns)
            return at_rest(self.app)

        until(settled, lambda: "the threads have answered")

    def choose(self, row: str) -> "Patient":
        """A row of a list."""
        for _ in range(30):
            if self.row().startswith(row):
                break
            self.arrow(-1)
        self.ok()
        return self


def evening(rig: Patient) -> None:
    """Two games, again, the score, what is unfinished, the history."""
    evenings.kitty_paw(rig)
    rig.after(2000).ok()
    rig.choose("Score").arrow(-1).ok()
    rig.arrow(9)
    rig.choose("Again").ok_hold().arrow(-1)
    rig.choose("Main menu").begin("CAT Pageant", "P1", "P2").ok_hold().arrow(-1)
    rig.choose("End the game now").after(2000).ok()
    rig.choose("Other game")
    rig.choose("Unfinished games").choose("Kitty Paw").ok().ok_hold().arrow(-1)
    rig.choose("Main menu").choose("History").choose("CAT Pageant").ok_hold().ok_hold()
    assert "LUCKY PAW" in rig.reads(), rig.reads()


def main() -> None:
    watch = Watch()
    process.PROGRAM = at_usual_priority("firmware.statistics.process")
    rig = Patient(Path(sys.argv[1]))
    rig.app.import_later()
    rig.after(100)
    watch.watching = True
    evening(rig)
    watch.watching = False
    rig.close()
    print(json.dumps(watch.opened))


if __name__ == "__main__":
    main()
