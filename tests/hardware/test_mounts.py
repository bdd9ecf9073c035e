"""Where a folder is gone when the power is off: by lists of mounts as systems have them."""

from pathlib import Path

import pytest

from hardware.doctor.machine import storage
from hardware.mounts import volatile

CARD = "25 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw"
TMP = "40 25 0:35 / /tmp rw,nosuid,nodev shared:20 - tmpfs tmpfs rw,size=1933404k"
# raspi-config's overlay file system, of Bookworm and of Trixie
LAYERS = "lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/root-rw/overlay-workdir/_"
OVERLAID = f"""\
22 28 179:2 / /media/root-ro ro,relatime shared:2 - ext4 /dev/mmcblk0p2 ro
23 28 0:22 / /media/root-rw rw,relatime shared:3 - tmpfs tmpfs-root rw
28 1 0:24 / / rw,noatime shared:1 - overlay overlay rw,{LAYERS}"""
LIVE = "30 1 0:29 / / rw - overlay overlay rw,lowerdir=/run/live/rootfs,upperdir=/run/live/overlay/rw,workdir=/x"
DOCKER = (
    "801 700 0:61 / / rw - overlay overlay rw,lowerdir=/l/A:/l/B,upperdir=/var/lib/docker/overlay2/1/diff,workdir=/w"
)
ON_DISK = f"{CARD}\n31 25 0:30 / /mnt/x rw - overlay overlay rw,lowerdir=/usr,upperdir=/srv/upper,workdir=/srv/work"

SYSTEMS = {
    "a card": (CARD, "/var/lib/luckypaw", None),
    "a RAM disk": (f"{CARD}\n{TMP}", "/tmp/state", "tmpfs"),
    "beside a RAM disk": (f"{CARD}\n{TMP}", "/tmpstate", None),
    "the overlay file system": (OVERLAID, "/var/lib/luckypaw", "tmpfs"),
    "below it the card": (OVERLAID, "/media/root-ro/var", None),
    "a disk in it": (f"{OVERLAID}\n50 28 8:1 / /var/lib rw - ext4 /dev/sda1 rw", "/var/lib/luckypaw", None),
    "a live system": (f"{LIVE}\n29 30 0:28 / /run/live/overlay rw - tmpfs tmpfs rw", "/var/lib/games", "tmpfs"),
    "a container": (DOCKER, "/srv/games", None),
    "an overlay on a disk": (ON_DISK, "/mnt/x/state", None),
    "a second mount on top": (f"{CARD}\n{TMP}\n60 25 8:1 / /tmp rw - ext4 /dev/sda1 rw", "/tmp/state", None),
    "a blank in the path": (f"{CARD}\n61 25 0:9 / /media/my\\040disk rw - ramfs none rw", "/media/my disk/a", "ramfs"),
    "nothing known": ("", "/var/lib/luckypaw", None),
}


@pytest.mark.parametrize(("mounts", "folder", "kind"), SYSTEMS.values(), ids=SYSTEMS)
def test_what_is_in_memory_is_known(mounts: str, folder: str, kind: str | None, tmp_path: Path) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/mountinfo").write_text(f"{mounts}\n" if mounts else "")
    assert volatile(Path(folder), tmp_path) == kind


def test_a_system_without_such_a_list_says_nothing(tmp_path: Path) -> None:
    assert volatile(Path("/var/lib"), tmp_path) is None


def test_the_doctor_notes_it(tmp_path: Path) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/mountinfo").write_text("25 1 0:2 / / rw - tmpfs tmpfs rw\n")
    found = list(storage(tmp_path / "state", tmp_path))
    assert [(each.code, each.note) for each in found] == [("fine", False), ("storage-in-memory", True)]
