"""`python -m tests.appliance.damaged_start`: the first start of a card whose folder is not whole, until it is reported.

What there is of ours then is written to `found`, as JSON.
"""

import json

from tests.appliance.card import CARD, FOLDER, HOME, INSTALL_S
from tests.appliance.machine import HANDS, MACHINE
from tests.simulators.waiting import until


def main() -> None:
    """Wait for the report."""
    report = FOLDER / "report.txt"
    until(lambda: report.exists() and report.read_text() != "", lambda: "the report is written", INSTALL_S)
    placed = [path for path in (HOME / "program", MACHINE / "etc/systemd/system" / CARD) if path.exists()]
    found = {"report": report.read_text(), "placed": [str(path) for path in placed]}
    (HANDS / "found").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
