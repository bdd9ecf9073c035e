"""A kit whose storage has become read-only.

`python -m tests.simulators.faulty_disk.read_only FOLDER` prints what people see.
"""

import errno
import json
import sys
from contextlib import closing
from pathlib import Path

from engine import games
from firmware.journal.reader import History
from tests.simulators import evenings
from tests.simulators.faulty_disk import Shim
from tests.simulators.rig import Rig


def main() -> None:
    folder = Path(sys.argv[1])
    shim, state = Shim(folder), folder / "state"
    before = Rig(state)
    evenings.flash(before.begin("Kitty Paw", "P1", "P2", "P3")).tap("P2").after(200)
    before.close()
    shim.fail(0, errno.EROFS, lasting=True)
    rig = Rig(state, boot="boot-2")
    offered = rig.reads()
    evenings.flash(rig.ok().after(100))
    said = rig.reads()
    rig.after(6000).tap("P2").after(300)
    shown = rig.reads()
    with closing(History(state / "journal.db")) as history:
        meanwhile = len(history.facts(1, games.rules("kitty_paw")))
    shim.heal()
    rig.tap("P1").after(3000)
    back = rig.reads()
    rig.close()
    with closing(History(state / "journal.db")) as history:
        same = history.play(1, games.rules("kitty_paw")) == rig.playing.play
    seen = {"offered": offered, "said": said, "shown": shown, "back": back, "meanwhile": meanwhile, "same": same}
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
