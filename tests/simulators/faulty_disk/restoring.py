"""A backup is put back, and people are forgotten: `python -m tests.simulators.faulty_disk.restoring FOLDER LOG WHAT`.

WHAT is `prepare`: a kit has a backup and plays on, somebody is forgotten, and files that were set aside lie there;
`restore`: the backup is put back; `start`: a kit is switched on; `forget`: somebody else is forgotten there; `others`:
whatever else writes to the state folder does so. The log has a mark behind each of the first four.
"""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from firmware import local_time, state_folder
from firmware.journal import backup
from firmware.journal.set_aside import in_use
from firmware.journal.writer import Journal
from firmware.people.names import newly_listed
from firmware.setup import certificate, chosen_kit, greeting
from firmware.shelf import folders
from firmware.state_folder import JOURNAL
from firmware.statistics.game_totals import up_to_date
from tests.firmware import certificates
from tests.simulators.faulty_disk import Shim
from tests.simulators.rig import NamedRig, Rig

GONE, GOING, STAYS = "Maximiliana", "Bartholomea", "Cleopatra"
OLD, NEW = [2, 1], [1]  # the games of the journal that stands there, and of the backup
GAME = "game[kitty_paw 3] menu[End the game] 2500 ok [Other game]"


def prepare(state: Path, copy: Path) -> None:
    """A journal of two games, and a backup of one, in which somebody still is who was forgotten since."""
    rig = NamedRig(state, (GONE, GOING, STAYS))
    rig.do(GAME)
    backup.backup(state / JOURNAL, copy)
    for name, of in (("damaged-2026-01-01.db", copy), ("damaged-2026-01-02.db-wal", state / f"{JOURNAL}-wal")):
        (state / name).write_bytes(of.read_bytes())
    forget(rig, GONE)
    rig._people.pop(0)  # noqa: SLF001
    rig.do(f"6s {GAME}").close()


def forget(rig: Rig, name: str) -> None:
    """Somebody is forgotten at the kit."""
    rig.app.table.people.forget(next(one.id for one in rig.app.table.roster.persons if one.name == name))
    rig.after(200)


def others(state: Path) -> None:
    """Whatever else writes to the folder."""
    certificate.save(state, certificates.made())
    chosen_kit.choose(state, "duo")
    folders.save(state, "dice", "a score sheet")
    local_time.choose(state, "UTC")
    listed = state.parent.parent / "people.txt"
    listed.write_text("Dora\n")
    with closing(Journal(state / JOURNAL, "others", lambda ticket: None, lambda text: None, threaded=False)) as journal:
        journal.note_list(newly_listed(listed, state / state_folder.LISTED).mark)
    for _ in greeting._noted(state / JOURNAL):  # noqa: SLF001
        pass
    up_to_date(state).close()
    (state / JOURNAL).write_bytes(b"a shopping list")
    Rig(state, boot="of another journal").close()


def main() -> None:
    disk, log, what = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    state, copy = disk / "state", disk.parent / "copy.db"
    shim = Shim(disk, log)
    match what:
        case "prepare":
            prepare(state, copy)
        case "restore":
            backup.restore(copy, state / JOURNAL)
        case "start":
            Rig(state, boot="boot-2").close()
        case "forget":
            rig = Rig(state, boot="boot-3")
            for name in (state_folder.GIVEN, state_folder.TAKEN):  # a restore was cut, meanwhile
                (state / name).write_bytes(copy.read_bytes())
            forget(rig, GOING)
        case _:
            others(state)
    shim.mark(what)
    sys.stdout.flush()
    os._exit(0)


# --- what a power cut may leave --------------------------------------------------------------------------------------


def named(state: Path, name: str) -> list[str]:
    """The files that have a name."""
    return [path.name for path in sorted(state.iterdir()) if name.encode() in path.read_bytes()]


def games(state: Path) -> list[int]:
    """The games of the journal, the newest first, also where somebody has to be forgotten in it first."""
    path = in_use(state / JOURNAL)
    if not path.exists():
        return []
    with closing(sqlite3.connect(path.absolute().as_uri() + "?mode=ro", uri=True)) as db:
        return [game for (game,) in db.execute("select distinct game from event order by game desc")]


def wrong(state: Path, done: set[str]) -> list[str]:
    """What is wrong with what a cut has left behind these steps; a kit is then switched on there."""
    found, told = list[str](), list[str | None]()
    if "forget" in done and (left := named(state, GOING)):
        found.append(f"a forgotten name is in {left}")
    before = games(state)
    if before not in ([NEW] if "restore" in done else [OLD, NEW]):
        found.append(f"the journal has games {before}")
    Journal(state / JOURNAL, "after", lambda ticket: None, told.append, threaded=False).close()
    if told:
        found.append(f"it cannot be saved: {told}")
    if games(state) != before:
        found.append(f"the journal had games {before}, and now {games(state)}")
    if left := named(state, GONE):
        found.append(f"a name that was forgotten before is in {left}")
    if half := [*state_folder.unfinished(state), *state.glob(state_folder.RESTORED)]:
        found.append(f"left: {half}")
    return found


if __name__ == "__main__":
    main()
