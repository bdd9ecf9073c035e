"""An update whose installer is hung up, or killed at any command, and whose trial is: one version is ready soon after.

The machine's start is that of its units: what systemd starts with it. That it starts them is in test_service.py.
"""

import shutil
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.appliance.machine import (
    HANDS,
    MACHINE,
    PATH,
    PLENTY_S,
    TREE,
    UNIT,
    WHEELS,
    copy_of_source,
    machine,
    release,
    show,
    table,
)
from tests.simulators.waiting import until

TRIAL = "luckypaw-trial.service"
NEVER_S = 5  # a version that is not ready by then never is
SOON_S = 60.0  # from power to a version that is ready
HOME = MACHINE / "opt/luckypaw"
SAVED = MACHINE / "opt/saved"  # versions that were built once
SHIMS, COUNT, COUNTS = (MACHINE / "run" / name for name in ("shims", "count", "counts"))
CHANGING = ("install", "ln", "mkdir", "mv", "rm", "sync", "systemctl", "udevadm")
DROP_IN = MACHINE / f"run/systemd/system/{TRIAL}.d/shims.conf"
# counts the commands once the installer begins to switch, and kills who has called the one with this number
SHIM = """\
#!/bin/sh
case "$*" in *judge.new*) touch /run/counts ;; esac
if [ -e /run/counts ]; then
  echo >>/run/count
  [ "$(wc -l </run/count)" != "$CUT" ] || kill -KILL $PPID
fi
exec {real} "$@"
"""
MUTE = ("firmware/service.py", "def tell(state: str) -> None:\n    return\n")
# what a version of the same format may do; one of another format is refused by the check before the switch
ADDS = """
_opened = open_to_write

def open_to_write(path, tell, *, thorough):
    opened = _opened(path, tell, thorough=thorough)
    opened.db.execute("create table if not exists mood (id integer primary key, face text)")
    opened.db.execute("alter table game add column mood text not null default 'fine'")
    return opened
"""
KINDS = {  # what is changed in it
    "good": (("firmware/output/sounds.py", "# newer\n"),),
    "never ready": (MUTE,),
    "crashes at once": (("firmware/table/app.py", "def run(*_: object) -> None:\n    raise SystemExit(3)\n"),),
    "opens the journal first": (MUTE, ("firmware/journal/file.py", ADDS)),
}


class Version(NamedTuple):
    """A version that may be installed."""

    source: Path
    name: str  # of its release
    good: bool
    kind: int  # its number

    @property
    def cuts(self) -> Iterator[int]:
        """Numbers of commands: each kind has others of them, together they have all."""
        return count(1 + self.kind, len(KINDS))


@pytest.fixture(scope="module")
def before() -> str:
    """The version that plays."""
    machine("systemctl", "start", UNIT)
    until(ready, lambda: f"it plays: {state()}", PLENTY_S)
    SHIMS.mkdir()
    for name in CHANGING:
        real = machine("sh", "-c", f"command -v {name}").stdout.strip()
        (SHIMS / name).write_text(SHIM.format(real=real))
        (SHIMS / name).chmod(0o755)
    return release()


@pytest.fixture(scope="module")
def games(before: str) -> str:
    """What is known of games: one is on."""
    with table() as people:
        people.begin("pack_and_stack", "P1", "P2", options=lambda: None).until("setup").tap("P1").until("deal")
    found = known()
    assert "Pack & Stack" in found, found
    return found


@pytest.fixture(scope="module", params=KINDS)
def version(request: pytest.FixtureRequest, before: str, games: str) -> Iterator[Version]:
    """A newer version, built."""
    source = copy_of_source(request.param.replace(" ", "-"))
    for where, what in KINDS[request.param]:
        with (source / where).open("a") as file:
            file.write(f"\n\n{what}")
    good = request.param == "good"
    unit = source / "systemd" / UNIT
    if not good:
        unit.write_text(unit.read_text().replace("TimeoutStartSec=30", f"TimeoutStartSec={NEVER_S}"))
    releases = set(folders())
    install(source, cut=1)
    (name,) = set(folders()) - releases
    shutil.copytree(HOME / "releases" / name, SAVED / name, symlinks=True)
    yield Version(source, name, good, list(KINDS).index(request.param))
    shutil.rmtree(SAVED)


def note(what: str) -> None:
    """Say how far it is."""
    with (HANDS / "progress").open("a") as file:
        print(time.monotonic(), what, file=file)


def folders() -> list[str]:
    return [path.name for path in (HOME / "releases").iterdir()]


def install(source: Path, *how: str, cut: int = 0) -> int:
    """Run the installer, which is killed at the command with this number; its exit status."""
    COUNT.write_text("")
    COUNTS.unlink(missing_ok=True)
    script = TREE / source.relative_to("/") / "scripts" / "install"
    wheels = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": f"{TREE}{WHEELS.resolve()}"}
    return machine(*how, "bash", script, **{**wheels, "PATH": f"/run/shims:{PATH}", "CUT": str(cut)}).returncode


def again(version: Version, before: str) -> None:
    """The machine as it was before the update, with the newer version built."""
    machine("systemctl", "stop", TRIAL, UNIT)
    machine("rm", "-rf", "/opt/luckypaw/trial", "/opt/luckypaw/judge", f"/etc/systemd/system/{TRIAL}")
    machine("ln", "-sfn", f"releases/{before}", "/opt/luckypaw/current")
    machine("rm", "-rf", f"/opt/luckypaw/releases/{version.name}")
    machine("cp", "-al", f"/opt/saved/{version.name}", "/opt/luckypaw/releases")
    machine("systemctl", "daemon-reload")
    machine("systemctl", "reset-failed")
    machine("systemctl", "start", UNIT)
    until(ready, lambda: f"the version before plays: {state()}", PLENTY_S)


def start() -> None:
    """Switch the machine off and on."""
    machine("systemctl", "kill", "--signal=KILL", TRIAL, UNIT)
    machine("systemctl", "stop", TRIAL, UNIT)
    machine("systemctl", "daemon-reload")
    machine("systemctl", "start", "--no-block", *started())


def started() -> list[str]:
    """Our units that the machine starts."""
    wanted = MACHINE / "etc/systemd/system/multi-user.target.wants"
    return [path.name for path in wanted.glob("luckypaw*.service")]


def ready() -> bool:
    return show("ActiveState") == ("active",) and not (HOME / "trial").exists()


def state() -> str:
    log = machine("journalctl", "--unit", TRIAL, "--unit", UNIT, "--lines", "30", "--output", "cat").stdout
    return f"{release()} {show('ActiveState', 'Result')} {show('ActiveState', 'Result', unit=TRIAL)} {log}"


def known() -> str:
    """The games, as the command tells them."""
    done = machine("luckypaw", "history", "list")
    return done.stdout + done.stderr


def is_well(version: Version, before: str, games: str, cut: object) -> None:
    """One version is ready, soon; it is the one before where the newer one is bad; and it knows all games."""
    until(ready, lambda: f"cut at {cut}: a version is ready: {state()}", SOON_S)
    assert release() in ({before, version.name} if version.good else {before}), (cut, state())
    assert known() == games, cut
    assert machine("systemctl", "list-units", "--failed", "--plain", "--no-legend").stdout == "", cut


def test_killed_at_any_command_the_next_start_has_a_version_that_is_ready(
    version: Version, before: str, games: str
) -> None:
    cut = 0
    for cut in version.cuts:
        note(f"{version.name} cut at {cut}")
        again(version, before)
        status = install(version.source, cut=cut)
        start()
        is_well(version, before, games, cut)
        if status in (0, 3):
            break
    assert cut > 12


def test_where_its_line_is_hung_up_systemd_goes_on(version: Version, before: str, games: str) -> None:
    again(version, before)
    install(version.source, "timeout", "--signal=HUP", "12")
    is_well(version, before, games, "hung up")
    assert release() == (version.name if version.good else before)


def test_a_trial_that_is_killed_at_any_command_is_done_again(version: Version, before: str, games: str) -> None:
    DROP_IN.parent.mkdir(parents=True, exist_ok=True)
    cut = 0
    for cut in version.cuts:
        note(f"{version.name} its trial cut at {cut}")
        again(version, before)
        DROP_IN.write_text(f'[Service]\nReadWritePaths=/run\nEnvironment=PATH=/run/shims:{PATH} "CUT={cut}"\n')
        machine("systemctl", "daemon-reload")
        COUNT.write_text("")
        machine("touch", "/run/counts")
        counted = install_unshimmed(version.source)
        is_well(version, before, games, cut)
        assert release() == (version.name if version.good else before)
        if counted < cut:
            break
    shutil.rmtree(DROP_IN.parent)
    assert cut > 8


def install_unshimmed(source: Path) -> int:
    """Run the installer as it is: how many commands the trial has called."""
    script = TREE / source.relative_to("/") / "scripts" / "install"
    machine("bash", script, PIP_NO_INDEX="1", PIP_FIND_LINKS=f"{TREE}{WHEELS.resolve()}")
    until(ready, lambda: f"it is known: {state()}", SOON_S)
    return COUNT.read_text().count("\n")
