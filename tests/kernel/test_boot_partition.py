"""A change of config.txt on a real FAT partition, cut at each write. Its lines: tests/test_config_txt.py."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.test_config_txt import OWN, ROOT, block

SECTOR = 512
OTHERS = 30  # files of the partition: two entries of its folder are not in one sector


def run(config: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A command of the scripts, which take this file for config.txt."""
    script = f"source {ROOT}/scripts/appliance.sh; boot_config={config}; {command}"
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)


@contextmanager
def mounted(image: Path) -> Iterator[Path]:
    """A boot partition in use."""
    place = image.with_suffix(".mounted")
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "vfat", "-o", "loop", image, place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def partition(image: Path, text: str) -> Path:
    """A boot partition with this config.txt."""
    subprocess.run(["mkfs.vfat", "-F", "32", "-s", "1", "-C", image, "1024"], check=True, capture_output=True)
    with mounted(image) as place:
        (place / "config.txt").write_text(text)
        for number in range(OTHERS):
            (place / f"another file of the partition {number}").touch()
    return image


OLD = OWN * 40  # of several clusters
NEW = OLD + block()


class Cut(NamedTuple):
    """What was there after a cut, and once install had run again."""

    found: str
    after: str
    kept: str


def cuts_of(folder: Path, change: str) -> Iterator[Cut]:
    """A change, cut at each of its writes: a step's sectors reach the disk in their order, or the last one first."""
    image = partition(folder / "image", OLD)
    with mounted(image) as place:
        steps = folder / "steps"
        steps.mkdir()
        # by time: a number would begin again in each subshell
        copy = f'trap \'cp "{image}" "{steps}/$EPOCHREALTIME"\' DEBUG'
        done = run(place / "config.txt", f"set -T; {copy}; {change}; true")
        assert done.returncode == 0, done.stderr
    disks = [step.read_bytes() for step in sorted(steps.iterdir())]
    for disk in dict.fromkeys(between(disks)):
        yield cut(folder / "cut", disk)


@pytest.fixture(scope="module")
def cuts(tmp_path_factory: pytest.TempPathFactory) -> list[Cut]:
    return list(cuts_of(tmp_path_factory.mktemp("cuts"), "change_config with_block 13"))


def between(disks: list[bytes]) -> Iterator[bytes]:
    """Disks as they are during a change, sector by sector."""
    for before, after in pairwise(disks):
        differing = [at for at in range(0, len(before), SECTOR) if before[at : at + SECTOR] != after[at : at + SECTOR]]
        for order in (differing, differing[::-1]):
            disk = bytearray(before)
            for at in order:
                disk[at : at + SECTOR] = after[at : at + SECTOR]
                yield bytes(disk)


def cut(image: Path, disk: bytes) -> Cut:
    """Start again with this disk."""
    image.write_bytes(disk)
    with mounted(image) as place:
        config = place / "config.txt"
        try:
            found = config.read_bytes().decode(errors="replace")
        except OSError as error:
            return Cut(str(error), "", "")
        run(config, "config_is with_block 13 || change_config with_block 13")
        kept = config.with_name("config.txt.luckypaw-before")
        return Cut(found, config.read_text(), kept.read_text() if kept.exists() else "nothing")


def test_a_cut_leaves_the_old_text_or_the_new_one(cuts: list[Cut]) -> None:
    assert {cut.found for cut in cuts} == {OLD, NEW}


def test_after_a_cut_install_completes_it(cuts: list[Cut]) -> None:
    assert {cut.after for cut in cuts} == {NEW}


def test_the_text_before_the_first_change_is_kept_through_every_cut(cuts: list[Cut]) -> None:
    assert {cut.kept for cut in cuts} == {OLD}


def test_a_plain_write_would_not_survive_it(tmp_path: Path) -> None:
    plain = 'text=$(with_block 13); echo "$text" >"$boot_config"; sync "$boot_config"'
    assert any(cut.found not in (OLD, NEW) for cut in cuts_of(tmp_path, plain))


def test_of_two_changes_the_text_before_the_first_one_is_kept(tmp_path: Path) -> None:
    with mounted(partition(tmp_path / "image", OLD)) as place:
        run(place / "config.txt", "change_config with_block 13; change_config with_block 18")
        assert (place / "config.txt.luckypaw-before").read_text() == OLD


def test_a_full_partition_keeps_what_it_has(tmp_path: Path) -> None:
    with mounted(partition(tmp_path / "image", OLD)) as place:
        subprocess.run(["dd", "if=/dev/zero", f"of={place}/full"], check=False, capture_output=True)
        before = sorted(path.name for path in place.iterdir())
        done = run(place / "config.txt", "change_config with_block 13")
        found = (done.returncode, (place / "config.txt").read_text(), sorted(path.name for path in place.iterdir()))
        assert found == (1, OLD, before)
        assert done.stderr.endswith(f"{place}/config.txt could not be changed; the reason stands above.\n")


def test_what_does_not_read_as_it_was_written_never_gets_the_name(tmp_path: Path) -> None:
    config = tmp_path / "config.txt"
    config.write_text(OWN)
    damaged = 'cat() { command cat "$@" | tr a b; }'
    done = run(config, f"{damaged}; change_config with_block 13")
    assert (done.returncode, config.read_text(), list(tmp_path.iterdir())) == (1, OWN, [config])
