"""`scripts/bare-debian`: where its packages come from, and wrong usage. CI runs the fast tests in it."""

import re
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
BOOKWORM = """\
deb http://mirror/debian/ bookworm contrib
deb http://mirror/debian/ bookworm main
deb http://mirror/debian/ bookworm-updates main
deb http://mirror/security/ bookworm-security main
"""


def sources(suite: str, machine: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a Debian of this suite is made from, on a machine that is installed from this."""
    apt_get = folder / "apt-get"
    apt_get.write_text(f"#!/bin/sh\ncat <<'IN'\n{machine}IN\n")
    apt_get.chmod(0o755)
    command = f"source {SCRIPTS}/lib.sh; PATH={folder}:$PATH; debian_sources {suite}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_a_release_has_the_same_sources_as_the_machine(suite: str, tmp_path: Path) -> None:
    assert sorted(sources(suite, BOOKWORM, tmp_path).stdout.splitlines()) == sorted(
        BOOKWORM.replace("bookworm", suite).splitlines()
    )


def test_sid_has_neither_updates_nor_a_suite_for_security(tmp_path: Path) -> None:
    wanted = ["deb http://mirror/debian/ sid contrib", "deb http://mirror/debian/ sid main"]
    assert sources("sid", BOOKWORM, tmp_path).stdout.splitlines() == wanted


def test_a_machine_that_knows_no_debian_is_told_so(tmp_path: Path) -> None:
    done = sources("sid", "", tmp_path)
    assert (done.returncode, done.stderr) == (1, "apt-get update has not been run, or this is no Debian\n")


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ((), "SUITE must be bookworm, trixie or sid, not missing"),
        (("buster",), "SUITE must be bookworm, trixie or sid, not buster"),
        (("-x", "sid"), "-x is not an option"),
    ],
)
def test_wrong_usage_is_told_in_a_line(words: tuple[str, ...], wrong: str) -> None:
    done = subprocess.run([SCRIPTS / "bare-debian", *words], capture_output=True, text=True, check=False)
    said = f"scripts/bare-debian: {wrong}; scripts/bare-debian --help says more\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_each_file_with_tests_has_its_turn_on_debian_12() -> None:
    found = re.search(r"^parts=\((.+)\)$", (SCRIPTS.parent / ".ci" / "run").read_text(), re.MULTILINE)
    assert found
    turns = [re.compile(f"test_[{part}]") for part in found[1].split()]
    files = [file.name for file in (SCRIPTS.parent / "tests").rglob("test_*.py")]
    assert {name: sum(bool(turn.match(name)) for turn in turns) for name in files} == dict.fromkeys(files, 1)
