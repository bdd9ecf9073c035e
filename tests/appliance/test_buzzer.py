"""The buzzer of an installed kit: its tones through the service's sandbox, its lines in config.txt."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from firmware.output.sounds import CLICK
from tests.appliance.machine import JOURNAL, KIT, MACHINE, UNIT, machine, main_pid, script, table, until_ready
from tests.simulators import pwm_sink
from tests.simulators.pwm_sink import DEVICE, NODE, OTHER, heard, settings
from tests.simulators.waiting import comes, until

PIN, OTHER_PIN = 13, 18
CONFIG = MACHINE / "boot/firmware/config.txt"
STOCK = "dtparam=audio=on\r\n[cm5]\r\ndtoverlay=dwc2,dr_mode=host\r\n"
CLICKED = round(1e9 / CLICK[0].hz)  # ns


def said() -> str:
    """The service's log since it was started."""
    (run,) = (machine("systemctl", "show", "--property=InvocationID", "--value", UNIT).stdout.strip(),)
    return machine("journalctl", f"_SYSTEMD_INVOCATION_ID={run}", "--output", "cat", "--no-pager").stdout


def rights(file: Path) -> tuple[str, str]:
    """A file's mode, and the name of its group on the machine."""
    status = file.stat()
    groups = dict(line.split(":")[2::-2] for line in (MACHINE / "etc/group").read_text().splitlines())
    return stat.filemode(status.st_mode), groups[str(status.st_gid)]


class Joined(NamedTuple):
    """What the controller was told while players joined, and what else could be seen."""

    tones: set[int]  # their periods, ns
    nodes: set[str]
    said: str
    writable: list[str]  # folders in /sys, as the service sees them
    rights: dict[str, tuple[str, str]]


@pytest.fixture(scope="module")
def joined() -> Iterator[Joined]:
    """Two players join, on a kit that knows no game and whose buzzer's line is the kernel's PWM."""
    with pwm_sink.overlay(PIN):
        machine("systemctl", "stop", UNIT)
        for file in JOURNAL.parent.glob("journal.db*"):
            file.unlink()
        machine("systemctl", "start", UNIT)
        until_ready()
        with table() as people:
            people.ok().until_reads("Who plays?").tap("P1").tap("P2")
        comes(lambda: bool(settings()) and not settings()[-1].enabled)
        told = settings()
        (chip,) = DEVICE.glob("pwm/pwmchip*")
        mounts = [line.split() for line in Path(f"/proc/{main_pid()}/mountinfo").read_text().splitlines()]
        writable = [mount[4] for mount in mounts if mount[4].startswith("/sys") and "rw" in mount[5].split(",")]
        files = [*chip.glob("*port"), *chip.glob("pwm1/*")]
        found = {f"{file.relative_to(chip)}": rights(file) for file in files if file.is_file()}
        tones = {now.period_ns for now in heard(told) if now.period_ns}
        yield Joined(tones, {now.node for now in told}, said(), writable, found)
    machine("systemctl", "restart", UNIT)
    until_ready()


def test_presses_are_heard_through_the_sandbox(joined: Joined) -> None:
    assert joined.tones == {CLICKED}, joined.said


def test_no_other_pwm_is_touched(joined: Joined) -> None:
    assert (joined.nodes, list(OTHER.glob("pwm/pwmchip*/pwm*"))) == ({NODE}, [])


def test_the_buzzer_is_not_lost(joined: Joined) -> None:
    assert "buzzer" not in joined.said


def test_of_sys_the_service_may_write_the_header_s_pwm_alone(joined: Joined) -> None:
    assert joined.writable == [str(DEVICE)]


def test_the_group_of_the_lines_has_the_rights_that_a_tone_needs_and_no_others(joined: Joined) -> None:
    given = {name for name, (mode, group) in joined.rights.items() if group == "gpio" and mode[5] == "w"}
    assert given == {"export", "unexport", "pwm1/period", "pwm1/duty_cycle", "pwm1/enable"}


def test_nobody_has_rights_on_another_pwm(joined: Joined) -> None:
    assert [rights(file) for file in OTHER.glob("pwm/pwmchip*/*port")] == [("--w-------", "root")] * 2


@pytest.fixture
def clash() -> Iterator[None]:
    """The device tree gives PWM to a line, and the description names another one."""
    with pwm_sink.overlay(OTHER_PIN):
        machine("systemctl", "restart", UNIT)
        until_ready()
        yield
    machine("systemctl", "restart", UNIT)
    until_ready()


def test_pwm_on_another_line_than_the_description_s_is_told(clash: None) -> None:
    until(lambda: f"GPIO {PIN}: the kernel's PWM is on GPIO {OTHER_PIN}" in said(), lambda: f"it is told: {said()}")


def test_the_check_says_what_to_do_about_it(clash: None) -> None:
    machine("systemctl", "stop", UNIT)
    found = machine("luckypaw", "check").stdout
    machine("systemctl", "start", UNIT)
    assert f"dtoverlay=pwm,pin={PIN},func=4" in found


class Configs(NamedTuple):
    """The boot partition's file after an install, after one with another line, and after one with the first again."""

    first: str
    other: str
    again: str
    before: str


@pytest.fixture(scope="module")
def configs() -> Iterator[Configs]:
    kit = KIT.read_text()
    assert f"pin = {PIN}" in kit
    CONFIG.parent.mkdir(parents=True)
    CONFIG.write_text(STOCK, newline="")
    texts = []
    for pin in (PIN, OTHER_PIN, PIN):
        KIT.write_text(kit.replace(f"pin = {PIN}", f"pin = {pin}"))
        script("install")
        texts.append(CONFIG.read_bytes().decode())
    first, other, again = texts
    yield Configs(first, other, again, CONFIG.with_name("config.txt.luckypaw-before").read_bytes().decode())
    for file in CONFIG.parent.iterdir():
        file.unlink()
    CONFIG.parent.rmdir()


def test_install_gives_the_description_s_line_to_the_pwm(configs: Configs) -> None:
    assert (configs.first.startswith(STOCK), f"\ndtoverlay=pwm,pin={PIN},func=4\r\n" in configs.first) == (True, True)


def test_after_a_change_of_the_description_install_gives_it_another_line(configs: Configs) -> None:
    assert configs.other == configs.first.replace(f"pin={PIN},func=4", f"pin={OTHER_PIN},func=2")


def test_and_back(configs: Configs) -> None:
    assert (configs.again, configs.before) == (configs.first, STOCK)
