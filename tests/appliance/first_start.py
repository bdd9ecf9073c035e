"""`python -m tests.appliance.first_start`: the first start of a card, from outside it may be cut off anywhere.

Each new text of the display becomes a line of the file `told`; once the kit is ready, or the card's program has told
what is wrong, what is there is written to `found`, as JSON.
"""

import json

from tests.appliance.card import BOOT, CARD, HOME, INSTALL_S, TOLD_S, left_over, watching
from tests.appliance.machine import HANDS, machine, release, show
from tests.simulators.waiting import comes


def main() -> None:
    """Watch until it is over."""
    with watching(HANDS / "told", since_power_on=True) as seen:
        comes(lambda: show("ActiveState") == ("active",) or show("ActiveState", unit=CARD) == ("failed",), INSTALL_S)
        comes(lambda: show("ActiveState", unit=CARD)[0] in ("inactive", "failed"), TOLD_S)
        comes(lambda: not seen.told[-1].startswith("LUCKY PAW | "))
    found = {
        "told": seen.told,
        "kit": show("ActiveState")[0],
        "release": release() if (HOME / "current").is_symlink() else "",
        "left over": sorted(left_over()) if (HOME / "releases").exists() else [],
        "config": (BOOT / "config.txt").read_text(),
        "hostname": machine("hostname").stdout.strip(),
        "users": machine("getent", "passwd").stdout.splitlines(),
    }
    (HANDS / "found").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
