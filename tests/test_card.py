"""A new card with our folder, on a whole machine of the kernel lab: Debian 13 and its cloud-init, a FAT partition.

What is played on it afterwards is in tests/test_appliance.py; here it is put in, cut off, and given folders that are
damaged. For x86-64, from the same lock.
"""

import json
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from firmware.card.folder import MANIFEST
from scripts.generators.card import Target, make
from tests.simulators.lab import LAB, needs
from tests.test_appliance import ROOT, Machine, guest_tests

FAT = "@@1M"  # where the card's first partition begins
CARD_S, ARM64_S = 7200, 18_000  # limits that only end a hang; ARM64_S: of a machine with an emulated processor
FIRST_START = ("-m", "tests.appliance.first_start")
DAMAGED_START = ("-m", "tests.appliance.damaged_start")
PHASES = {  # what the display begins with when the plug is pulled; then at most so many seconds later
    "LUCKY PAW | Looking": 3.0,
    "LUCKY PAW | Building": 25.0,
    "LUCKY PAW | Checking": 5.0,
}
# what Imager 2 writes for somebody who has given it a name, a password, a network and a time zone
CUSTOMISED = {
    "user-data": """#cloud-config
hostname: den
manage_etc_hosts: true
timezone: Europe/Berlin
keyboard:
  model: pc105
  layout: "de"
users:
- name: ann
  groups: users,adm,dialout,audio,video,plugdev,games,input,gpio,spi,i2c,sudo
  shell: /bin/bash
  lock_passwd: false
  passwd: $5$saltsalt$Xyl6Nv1zSDrSU0o5nGhQnFmNnRbK9wN0ZpY9G4YlZ28
  sudo: ALL=(ALL) NOPASSWD:ALL
ssh_pwauth: true
rpi:
  interfaces:
    serial: true
runcmd:
- [ rfkill, unblock, wifi ]
""",
    "network-config": """network:
  version: 2
  wifis:
    wlan0:
      dhcp4: true
      optional: true
      access-points:
        "home":
          password: "0123456789012345678901234567890123456789012345678901234567890123"
""",
    "meta-data": "instance-id: rpi-imager-1764000000000\n",
    "cmdline.txt": "console=tty1 root=PARTUUID=4c50a9e1-02 rootfstype=ext4 fsck.repair=yes rootwait"
    " ds=nocloud;i=rpi-imager-1764000000000\n",
}

pytestmark = [pytest.mark.alone, pytest.mark.lab, pytest.mark.nightly, needs("wifi", "card")]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("card") / "card"
    make(out, targets=[Target("3.13", "x86_64", glibc=41)])
    return out


def copy_onto(machine: Machine, *paths: Path) -> None:
    """Copy onto the card's first partition, as any computer does, over what is there."""
    subprocess.run(["mcopy", "-s", "-o", "-i", f"{machine.disk}{FAT}", *paths, "::"], check=True)


def card(folder: Path, to: Path, suite: str | None = None) -> Machine:
    """A card as Imager has written it, with the folder's content copied onto it; with a Debian's `suite` for arm64."""
    guest, limit_s = ("wifi", CARD_S) if suite is None else ("arm64", ARM64_S)
    machine = Machine(to / "disk", to, guest, limit_s)
    subprocess.run([LAB, "card", machine.disk, *(() if suite is None else (suite,))], check=True)
    copy_onto(machine, *folder.iterdir())
    return machine


def first_start(machine: Machine, watch: tuple[str, ...] = FIRST_START) -> dict[str, Any]:
    """What has been found after the card was put in."""
    done = machine.run(*watch)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    found: dict[str, Any] = json.loads((machine.hands / "found").read_text())
    return found


def test_a_new_card_becomes_a_kit_and_tells_what_is_wrong(folder: Path, tmp_path: Path) -> None:
    command = ("-m", "pytest", "--no-skips", "-p", "no:cacheprovider", "tests/appliance/on_a_card.py")
    done = card(folder, tmp_path).run(*command)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_networkmanager_of_debian_13_reads_each_wifi_as_it_is_meant(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "disk", tmp_path, "wifi", CARD_S)
    subprocess.run([LAB, "card", machine.disk], check=True)
    done = guest_tests(machine, "wifi_profiles")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_a_card_with_somebodys_name_and_network_becomes_a_kit_and_keeps_them(folder: Path, tmp_path: Path) -> None:
    machine = card(folder, tmp_path)
    (tmp_path / "imager").mkdir()
    for name, content in CUSTOMISED.items():
        (tmp_path / "imager" / name).write_text(content)
    copy_onto(machine, *(tmp_path / "imager").iterdir())
    found = first_start(machine)
    assert (found["kit"], found["hostname"]) == ("active", "den"), found
    assert [user for user in found["users"] if user.startswith("ann:")] != []
    for name, content in CUSTOMISED.items():
        read = subprocess.run(["mtype", "-i", f"{machine.disk}{FAT}", f"::{name}"], check=True, capture_output=True)
        assert read.stdout.decode() == content


def test_cut_in_any_phase_it_goes_on_at_the_next_start(folder: Path, tmp_path: Path) -> None:
    machine = card(folder, tmp_path)
    seed = int(time.time())
    dice = random.Random(seed)
    for beginning, longest_s in PHASES.items():
        told = tmp_path / "told"
        told.unlink(missing_ok=True)
        lab = subprocess.Popen(
            machine.command(*FIRST_START), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        while lab.poll() is None and not (told.exists() and beginning in told.read_text()):
            time.sleep(0.05)
        time.sleep(dice.uniform(0, longest_s))
        lab.send_signal(signal.SIGUSR1)
        said, _ = lab.communicate()
        assert lab.returncode == 137, f"{seed}, {beginning}: {said.decode()}"
    found = first_start(machine)
    assert (found["kit"], found["left over"]) == ("active", []), f"{seed}: {found}"
    assert found["config"].count("# Lucky Paw begins") == 1


def test_a_folder_that_was_copied_in_part_is_told_at_the_first_start_and_then_copied_again(
    folder: Path, tmp_path: Path
) -> None:
    machine = card(folder, tmp_path)
    wheel = next((folder / "luckypaw" / "wheels").glob("pillow-*"))
    subprocess.run(["mdel", "-i", f"{machine.disk}{FAT}", f"::luckypaw/wheels/{wheel.name}"], check=True)
    found = first_start(machine)
    assert "COPY AGAIN | Copy the whole folder | onto the card once more: | pillow is missing." in found["told"], found
    assert (found["kit"], found["release"]) == ("inactive", "")
    copy_onto(machine, *folder.iterdir())
    found = first_start(machine)
    assert (found["kit"], found["left over"]) == ("active", []), found


def test_of_a_folder_that_is_not_whole_nothing_runs_at_the_first_start_and_then_it_is_copied_again(
    folder: Path, tmp_path: Path
) -> None:
    machine = card(folder, tmp_path)
    line = next(line for line in (folder / "luckypaw" / MANIFEST).read_text().splitlines() if "card/__main__" in line)
    (tmp_path / MANIFEST).write_text(f"{line}\n")
    subprocess.run(["mcopy", "-o", "-i", f"{machine.disk}{FAT}", tmp_path / MANIFEST, "::luckypaw"], check=True)
    found = first_start(machine, DAMAGED_START)
    told = "COPY AGAIN: Copy the whole folder onto the card once more: manifest is not whole.\n"
    assert found == {"report": told, "placed": []}
    copy_onto(machine, *folder.iterdir())
    found = first_start(machine)
    assert (found["kit"], found["left over"]) == ("active", []), found
