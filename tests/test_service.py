"""The service's unit, as systemd itself reads and judges it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).parent.parent / "systemd"
ANALYZE = Path("/usr/bin/systemd-analyze")
PROGRAM = "/opt/luckypaw/current/bin/luckypaw"  # where the installed kit has it; this machine need not
MAX_EXPOSED = 13  # ten times what systemd calls the exposure level
CARD = UNITS / "luckypaw-card.service"
MAX_CARD_EXPOSED = 36  # the same of what installs, as root: docs/decisions/0009
TRIAL = UNITS / "luckypaw-trial.service"
MAX_TRIAL_EXPOSED = 10

pytestmark = pytest.mark.skipif(not ANALYZE.exists(), reason="systemd-analyze is missing: sudo apt install systemd")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with a program that every machine has."""
    text = (UNITS / "luckypaw.service").read_text()
    assert PROGRAM in text
    path = tmp_path / "luckypaw.service"
    path.write_text(text.replace(PROGRAM, "/bin/true"))
    shutil.copy(UNITS / "luckypaw-hotspot.socket", tmp_path)
    return path


def add(unit: Path, network: str) -> None:
    """Let phones of a network in."""
    unit.write_text(unit.read_text() + (UNITS / f"luckypaw-{network}.conf").read_text())


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ANALYZE, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("network", [None, "lan", "hotspot"])
def test_systemd_has_nothing_to_say_about_the_service(unit: Path, network: str | None) -> None:
    if network is not None:
        add(unit, network)
    run = analyze("verify", unit)
    assert (run.returncode, run.stdout + run.stderr) == (0, "")


def test_systemd_has_nothing_to_say_about_the_socket_of_the_hotspot(unit: Path) -> None:
    run = analyze("verify", unit.parent / "luckypaw-hotspot.socket")
    assert (run.returncode, run.stdout + run.stderr) == (0, "")


@pytest.mark.parametrize("network", [None, "lan", "hotspot"])
def test_the_service_is_hardly_exposed(unit: Path, network: str | None) -> None:
    if network is not None:
        add(unit, network)
    run = analyze("security", "--offline=true", f"--threshold={MAX_EXPOSED}", unit)
    assert run.returncode == 0, run.stdout


def test_a_bare_service_would_not_pass(unit: Path) -> None:
    unit.write_text("[Service]\nExecStart=/bin/true\n")
    assert analyze("security", "--offline=true", f"--threshold={MAX_EXPOSED}", unit).returncode != 0


def test_systemd_has_nothing_to_say_about_what_looks_at_the_card() -> None:
    run = analyze("verify", CARD)
    assert (run.returncode, run.stdout + run.stderr) == (0, "")


def test_systemd_has_nothing_to_say_about_the_trial_of_a_new_version(tmp_path: Path) -> None:
    unit = tmp_path / TRIAL.name
    unit.write_text(TRIAL.read_text().replace("/opt/luckypaw/judge/systemd/trial", "/bin/true"))
    run = analyze("verify", unit)
    assert (run.returncode, run.stdout + run.stderr) == (0, "")


@pytest.mark.parametrize(("unit", "most"), [(CARD, MAX_CARD_EXPOSED), (TRIAL, MAX_TRIAL_EXPOSED)])
def test_what_works_as_root_is_exposed_by_no_more_than_it_needs(unit: Path, most: int) -> None:
    run = analyze("security", "--offline=true", f"--threshold={most}", unit)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("name", ["luckypaw.service", CARD.name])
def test_devices_whose_driver_may_be_loaded_later_are_allowed_by_number(name: str) -> None:
    """systemd looks names up once, in /proc/devices, when the unit starts; what it does not find it leaves out."""
    groups = re.findall(r"^DeviceAllow=char-(\S+)", (UNITS / name).read_text(), re.MULTILINE)
    assert [group for group in groups if not group.isdigit()] == ["gpiochip"]  # built into every Raspberry Pi's kernel


@pytest.mark.parametrize("open_", ["ProtectKernelModules", "ProtectKernelTunables", "PrivateDevices", "PrivateTmp"])
def test_what_no_pi_has_proven_closed_stays_open_for_the_card(open_: str) -> None:
    """Modprobe, dtoverlay with its notes in /tmp, PWM and lamps need it: docs/decisions/0009."""
    assert f"\n{open_}=" not in CARD.read_text()
