"""A change of config.txt on a real FAT partition, cut at each write. Its lines: tests/test_config_txt.py."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_DUPFD, fcntl
from itertools import pairwise
from pathlib import Path
from socket import socketpair
from struct import unpack_from
from threading import Thread
from typing import NamedTuple

import pytest

from tests.test_config_txt import OWN, ROOT, block

SECTOR = 512  # a cluster, too
ENTRY = 32  # of a folder
FREE, DELETED, LONG_NAME = 0, 0xE5, 0x0F
OTHERS = 30  # files of the partition: two entries of its folder are not in one sector


def run(config: Path, command: str, *files: int) -> subprocess.CompletedProcess[str]:
    """A command of the scripts, which take this file for config.txt; it has these open files."""
    script = f"source {ROOT}/scripts/appliance.sh; boot_config={config}; {command}"
    return subprocess.run(["bash", "-c", script], pass_fds=files, capture_output=True, text=True, check=False)


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


def cuts_of(folder: Path, change: str, again: str) -> list[Cut]:
    """A change, cut at each of its writes: a step's sectors reach the disk in their order, or the last one first.

    `again` is what install does after the next start. Each state that a cut leaves is judged once.
    """
    image = partition(folder / "image", OLD)
    with mounted(image) as place:
        steps = steps_of(place / "config.txt", change, image)
    return started_again(folder / "cut", list({shown(disk): disk for disk in between(steps)}.values()), again)


def steps_of(config: Path, command: str, image: Path) -> list[bytes]:
    """The disks before each step of a command, and after the last: each once in a row."""
    steps = [image.read_bytes()]
    ours, theirs = socketpair()
    line = fcntl(theirs.fileno(), F_DUPFD, 20)  # below are those of the scripts

    def look() -> None:
        while ours.recv(1):
            if steps[-1] != (disk := image.read_bytes()):
                steps.append(disk)
            ours.send(b"\n")

    looking = Thread(target=look)
    looking.start()
    # the trap starts no program: it asks, and waits for the answer
    done = run(config, f"set -T; trap 'echo >&{line}; read -r -u {line}' DEBUG; {command}; true", line)
    os.close(line)
    theirs.close()
    looking.join()
    ours.close()
    assert done.returncode == 0, done.stderr
    return steps


def between(disks: list[bytes]) -> Iterator[bytes]:
    """Disks as they are during a change, sector by sector."""
    for before, after in pairwise(disks):
        differing = [at for at in range(0, len(before), SECTOR) if before[at : at + SECTOR] != after[at : at + SECTOR]]
        for order in (differing, differing[::-1]):
            disk = bytearray(before)
            for at in order:
                disk[at : at + SECTOR] = after[at : at + SECTOR]
                yield bytes(disk)


def shown(disk: bytes) -> bytes:
    """A disk without what makes no difference.

    That is the content of clusters that no file has, times, and what Linux writes but does not go by: the second table,
    and the notes on free clusters.
    """
    reserved, tables, length, root = (*unpack_from("<HB", disk, 14), *unpack_from("<I4xI", disk, 36))
    data = (reserved + tables * length) * SECTOR  # cluster 2; each is one sector
    links = unpack_from(f"<{length * SECTOR // 4}I", disk, reserved * SECTOR)
    first_table = slice(reserved * SECTOR, (reserved + length) * SECTOR)
    found = bytearray(len(disk))
    found[first_table] = disk[first_table]

    def show(cluster: int) -> list[int]:
        """Show the sectors of a file; where they are."""
        sectors: list[int] = []
        while 2 <= cluster < len(links) and (at := data + (cluster - 2) * SECTOR) not in sectors:
            sectors.append(at)
            found[at : at + SECTOR] = disk[at : at + SECTOR]
            cluster = links[cluster] & 0x0FFFFFFF
        return sectors

    for at in (sector + entry for sector in show(root) for entry in range(0, SECTOR, ENTRY)):
        name, attributes, high, low = unpack_from("<B10xB8xH4xH", disk, at)
        if name not in (FREE, DELETED) and attributes != LONG_NAME:
            found[at + 13 : at + 20], found[at + 22 : at + 26] = bytes(7), bytes(4)
            show(high << 16 | low)
    return bytes(found)


def started_again(folder: Path, disks: list[bytes], command: str) -> list[Cut]:
    """Start again with each of these disks, and do this."""
    folder.mkdir()
    for number, disk in enumerate(disks):
        (folder / f"{number}.disk").write_bytes(disk)
    place, read = folder / "mounted", ("found", "after", "kept")
    place.mkdir()
    done = run(
        place / "config.txt",
        f"""cd {folder}
        for ((n = 0; n < {len(disks)}; n++)); do
          mount -t vfat -o loop $n.disk {place}
          cat $boot_config >$n.found 2>&1 || true
          ({command}) || true
          cat $boot_config >$n.after 2>&1 || true
          cat $boot_config.luckypaw-before >$n.kept 2>&1 || true
          umount {place}
        done""",
    )
    assert done.returncode == 0, done.stderr
    texts = ((folder / f"{n}.{name}" for name in read) for n in range(len(disks)))
    return [Cut(*(text.read_bytes().decode(errors="replace") for text in each)) for each in texts]


@pytest.fixture(scope="module")
def cuts(tmp_path_factory: pytest.TempPathFactory) -> list[Cut]:
    change = "change_config with_block 13"
    return cuts_of(tmp_path_factory.mktemp("cuts"), change, f"config_is with_block 13 || {change}")


def test_a_cut_leaves_the_old_text_or_the_new_one(cuts: list[Cut]) -> None:
    assert {cut.found for cut in cuts} == {OLD, NEW}


def test_after_a_cut_install_completes_it(cuts: list[Cut]) -> None:
    assert {cut.after for cut in cuts} == {NEW}


def test_the_text_before_the_first_change_is_kept_through_every_cut(cuts: list[Cut]) -> None:
    assert {cut.kept for cut in cuts} == {OLD}


def test_a_plain_write_would_not_survive_it(tmp_path: Path) -> None:
    plain = 'text=$(with_block 13); echo "$text" >"$boot_config"; sync "$boot_config"'
    assert {cut.found for cut in cuts_of(tmp_path, plain, "true")} - {OLD, NEW} != set()


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
