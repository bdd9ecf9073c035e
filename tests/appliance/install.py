"""Install the kit on a fresh machine; what lay on its disk before is noted, for what uninstall leaves."""

import json
import sys

from tests.appliance.machine import HANDS, files, machine, nobody_is_greeted, script


def main() -> None:
    """Status 1 if the installer fails."""
    machine("systemctl", "is-system-running", "--wait")  # what a first start leaves on the disk is there
    (HANDS / "before.json").write_text(json.dumps(files()))
    done = script("install")
    nobody_is_greeted()
    machine("systemctl", "restart", "luckypaw")
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
