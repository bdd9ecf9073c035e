"""The appliance on a whole machine of the kernel lab: installed, played at, hung, updated, uninstalled, plug pulled.

The long form, with every update that fails and the plug pulled 50 times: `scripts/pull-the-plug`.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.simulators.lab import LAB, needs

ROOT = Path(__file__).resolve().parent.parent
MAIN = ("service",)  # before a push; the others at night
FURTHER = ("buzzer", "closed", "hostile", "wifi_profiles", "updates")
TRIALS = ("trials",)  # on a machine of its own: it takes long
TRIALS_S = 3600
WITH_RADIOS = ("hotspot",)  # in another guest
WITH_PICO = ("pico",)  # beside another board
CUTS = 2
MAX_S = 12.0  # of an evening

pytestmark = [pytest.mark.alone, pytest.mark.lab, needs("uml", "disk")]


def wheels() -> Path:
    """The wheels that an installation downloads; fetched once, from then on offline."""
    locks = [ROOT / "requirements.txt", ROOT / "requirements-build.txt"]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "luckypaw" / "kernel-lab"
    folder = cache / f"wheels-{hashlib.sha256(b''.join(lock.read_bytes() for lock in locks)).hexdigest()[:16]}"
    if not folder.exists():
        new = Path(tempfile.mkdtemp(dir=cache))
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", str(new)]
        subprocess.run([*pip, *(f"--requirement={lock}" for lock in locks)], check=True)
        new.rename(folder)
    return folder


class Machine(NamedTuple):
    """A machine that is switched on and off: its disk, and what goes back and forth between it and this one."""

    disk: Path
    hands: Path
    guest: str = "uml"
    limit_s: int = 900
    board: str = "strip 60 {hands}/strip"  # at the serial line: a module beside the machine's tests, with its words

    def command(self, *command: str | Path) -> list[str | Path]:
        """The command line that switches it on; `command` is run by the project's Python, beside the machine."""
        board = f"exec {sys.executable} -m tests.appliance.{self.board.format(hands=self.hands)}"
        form = "APPLIANCE_LONG=1 " if "APPLIANCE_LONG" in os.environ else ""
        inside = f"{form}APPLIANCE={self.hands} python {' '.join(map(str, command))}"
        options = ("-b", self.guest, "-d", self.disk, "-w", self.hands, "-t", str(self.limit_s), "-H", board)
        return [LAB, "run", *options, inside]

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Switch it on, run this, and switch it off as it should be."""
        return subprocess.run(self.command(*command), cwd=ROOT, capture_output=True, text=True, check=False)


def installed_machine(folder: Path) -> Machine:
    """A machine on which the kit has just been installed."""
    machine = Machine(folder / "disk", folder)
    subprocess.run([LAB, "disk", machine.disk], check=True)
    (folder / "wheels").symlink_to(wheels())
    done = machine.run("-m", "tests.appliance.install")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return machine


def another(machine: Machine, folder: Path) -> Machine:
    """The same machine once more, beside what its installation needs and has left."""
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", machine.disk, folder / "disk"], check=True)
    for path in (machine.hands / "before.json", machine.hands / "wheels"):
        if path.exists():
            shutil.copy(path, folder, follow_symlinks=False)
    return machine._replace(disk=folder / "disk", hands=folder)


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return installed_machine(tmp_path_factory.mktemp("installed"))


def guest_tests(machine: Machine, *suites: str) -> subprocess.CompletedProcess[str]:
    """Run these of the tests that run on the machine; `updates` uninstall the kit in the end."""
    paths = [f"tests/appliance/test_{suite}.py" for suite in suites]
    return machine.run("-m", "pytest", "--no-skips", "-p", "no:cacheprovider", "--durations=8", *paths)


@pytest.mark.usefixtures("playing")  # meanwhile
@pytest.mark.parametrize("suites", [MAIN, pytest.param(FURTHER, marks=pytest.mark.nightly)], ids="-".join)
def test_on_an_installed_machine_all_tests_pass(fresh: Machine, tmp_path: Path, suites: tuple[str, ...]) -> None:
    done = guest_tests(another(fresh, tmp_path), *suites)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.nightly
def test_a_version_that_is_cut_off_is_tried_all_the_same(fresh: Machine, tmp_path: Path) -> None:
    done = guest_tests(another(fresh, tmp_path)._replace(limit_s=TRIALS_S), *TRIALS)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.nightly
@needs("wifi")
def test_an_installed_machine_makes_a_hotspot(fresh: Machine, tmp_path: Path) -> None:
    done = guest_tests(another(fresh, tmp_path)._replace(guest="wifi"), *WITH_RADIOS)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.nightly
def test_on_an_installed_machine_a_pico_is_flashed(fresh: Machine, tmp_path: Path) -> None:
    with_pico = another(fresh, tmp_path)._replace(board="pico {hands}/pico {hands}/lit")
    done = guest_tests(with_pico, *WITH_PICO)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_every_suite_of_the_machine_is_run() -> None:
    suites = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / "appliance").glob("test_*.py")}
    assert {*MAIN, *FURTHER, *TRIALS, *WITH_RADIOS, *WITH_PICO} == suites


def evenings(machine: Machine, cuts: int, seed: int, least: int = 0) -> list[dict[str, Any]]:
    """Play, and pull the plug at a random moment, so many times on one disk: what each next evening has found.

    `least`: so many pictures have been told before the first cut.
    """
    dice = random.Random(seed)
    found, told = machine.hands / "found", machine.hands / "told"
    for number in range(cuts + 1):
        last = number == cuts
        command = machine.command("-m", "tests.appliance.evening", str(number), str(seed), "last" if last else "on")
        lab = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while lab.poll() is None and not last and (lines(found) <= number or lines(told) < least):
            time.sleep(0.05)
        if not last:
            time.sleep(dice.uniform(0, MAX_S))
            lab.send_signal(signal.SIGUSR1)
        said, complaints = lab.communicate()
        assert lab.returncode == (0 if last else 137), f"evening {number}: {said}\n{complaints}"
    return [json.loads(line) for line in found.read_text().splitlines()]


def lines(path: Path) -> int:
    """How many lines a file has, if there is one."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.fixture(scope="session")
def playing(fresh: Machine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Future[list[dict[str, Any]]]]:
    """Evenings under way, with the plug pulled, beside other tests: each guest has a processor of its own."""
    machine = another(fresh, tmp_path_factory.mktemp("plug"))
    with ThreadPoolExecutor(1) as beside:
        yield beside.submit(evenings, machine, CUTS, seed=int(time.time()), least=CUTS + 1)


@pytest.fixture(scope="session")
def found(playing: Future[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What was found on the evening after each cut."""
    return playing.result()[1:]


def test_of_what_people_were_told_nothing_is_lost_when_the_plug_is_pulled(found: list[dict[str, Any]]) -> None:
    assert [evening["lost"] for evening in found] == [0] * CUTS


def test_people_were_told_something(found: list[dict[str, Any]]) -> None:
    assert found[-1]["told"] > CUTS


def test_the_game_goes_on_where_it_stood_when_the_plug_was_pulled(found: list[dict[str, Any]]) -> None:
    assert [evening for evening in found if evening["game"] == "changed"] == []


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Test a machine in full, then pull its plug at random moments of its games."
    )
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    os.environ["APPLIANCE_LONG"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        machine = installed_machine(Path(folder))
        Path(folder, "tested").mkdir()
        tested = another(machine, Path(folder, "tested"))._replace(guest="wifi")
        done = guest_tests(tested, *MAIN, *WITH_RADIOS, *FURTHER)
        print(done.stdout, done.stderr)
        found = evenings(machine, args.cuts, args.seed)[1:]
    for evening in found:
        print(json.dumps(evening))
    lost = sum(evening["lost"] for evening in found)
    went = {
        word: sum(evening["game"] == word for evening in found) for word in ("resumed", "over", "none yet", "changed")
    }
    print(f"{args.cuts} cuts, {found[-1]['told']} pictures told, {lost} of them lost;", went)


if __name__ == "__main__":
    main()
