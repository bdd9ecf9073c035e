"""A card with our folder in the machine, started by cloud-init; then what can be wrong with a folder or a card.

`tests/test_card.py` switches the machine on. The display is the bus's log, the lamps are lines of the chip.
"""

import hashlib
import re
import shutil
import time
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from firmware.card.__main__ import NO_DISPLAY
from firmware.card.folder import MANIFEST
from firmware.card.manifest import manifest
from tests.appliance.card import BOOT, CARD, FOLDER, HOME, INSTALL_S, TOLD_S, left_over, watching
from tests.appliance.machine import (
    BUZZER,
    KIT,
    MACHINE,
    PATH,
    PLENTY_S,
    STATE,
    UNIT,
    files,
    machine,
    nobody_is_greeted,
    release,
    show,
    until_ready,
)
from tests.simulators import pwm_sink
from tests.simulators.reading import text
from tests.simulators.real_table import SPI_LOG, Glass
from tests.simulators.waiting import comes, until

WHOLE = Path("/run/home/whole")  # the folder as it came
PAUSE_S = 2.0  # after the last flash
HOOK = ("sh", "/boot/firmware/luckypaw/systemd/card")
BY_SPI = 'bus = "spi"\nport = 0\ndc = 25\nreset = 26'
NEVER_S = 8  # a version that is not ready by then never is
UNPLUGGED = Path("/sys/module/i2c_labsink/parameters/fail")
BUS = Path("/dev/i2c-1")
INSTALLED_IN = (
    "/opt/luckypaw/",
    "/etc/luckypaw/",
    "/etc/systemd/system/",
    "/etc/udev/rules.d/",
    "/etc/modules-load.d/",
    "/usr/local/bin/",
    "/etc/passwd",
    "/etc/group",
)
OF_THE_CARD = (
    "/opt/luckypaw/program",
    "/opt/luckypaw/card",
    f"/etc/systemd/system/{CARD}",
    f"/etc/systemd/system/multi-user.target.wants/{CARD}",
)


class Start(NamedTuple):
    """What could be seen during the first start."""

    pictures: list[str]
    units: dict[str, str]  # how far the units were when the menu was there
    tree: dict[str, str]  # what is installed then


@pytest.fixture(scope="session")
def start() -> Start:
    with watching(since_power_on=True) as seen:
        until(lambda: show("ActiveState") == ("active",), lambda: f"the kit is ready: {seen.told}", INSTALL_S)
        until(lambda: show("ActiveState", unit=CARD) == ("inactive",), lambda: f"{CARD} ends", TOLD_S)
        # the first start greets; a held OK or the menu comes later
        comes(lambda: bool(seen.told) and "LUCKY PAW |" not in seen.told[-1])
    nobody_is_greeted()  # a greeting lights the lamps, whose flashes are counted later
    shutil.copytree(FOLDER, WHOLE)
    units = {unit: show("ActiveState", unit=unit)[0] for unit in ("multi-user.target", "userconfig.service")}
    return Start(seen.told, units, installed())


def installed() -> dict[str, str]:
    """What is installed, without what belongs to the card's program alone, and what the state is."""
    return {
        path: what
        for path, what in files("opt", "etc", "usr/local").items()
        if path.startswith(INSTALLED_IN) and not path.startswith(OF_THE_CARD) and "/__pycache__/" not in path
    }


def test_the_display_says_what_is_done_from_the_beginning(start: Start) -> None:
    said = [seen.partition("LUCKY PAW | ")[2].partition(" ...")[0].replace(" | ", " ") for seen in start.pictures]
    steps = ["Looking through the folder", "Building", "Checking"]
    assert [word for word in dict.fromkeys(said) if word in steps] == steps  # besides, a picture that is half drawn


def test_then_the_kit_shows_its_own_pictures(start: Start) -> None:
    assert not start.pictures[-1].startswith("LUCKY PAW | ")


def test_neither_an_account_nor_the_rest_of_the_start_is_waited_for(start: Start) -> None:
    assert start.units == {"multi-user.target": "inactive", "userconfig.service": "activating"}


def test_the_folder_says_that_it_is_installed(start: Start) -> None:
    assert (FOLDER / "report.txt").read_text() == f"Lucky Paw {release().partition('-')[0]} is installed.\n"


def test_nothing_of_the_cards_own_is_replaced(start: Start) -> None:
    assert (BOOT / "cmdline.txt").read_text().startswith("console=tty1 root=PARTUUID=4c50a9e1-02")
    assert (BOOT / "config.txt").read_text().startswith("dtparam=audio=on\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n[all]\n")
    assert (BOOT / "user-data").read_text().startswith("#cloud-config")


def test_the_next_look_changes_nothing(start: Start) -> None:
    before = {path: path.lstat().st_mtime_ns for path in HOME.iterdir()}
    machine("systemctl", "start", "--wait", CARD)
    assert {path: path.lstat().st_mtime_ns for path in HOME.iterdir()} == before
    assert show("ActiveState") == ("active",)


def test_a_display_by_spi_shows_the_kits_pictures(start: Start) -> None:
    described = KIT.read_text()
    glass = Glass(SPI_LOG)
    KIT.write_text(re.sub(r'bus = "i2c".*\naddress = .*', BY_SPI, described))
    machine("systemctl", "restart", UNIT)
    comes(lambda: "which game?" in text(glass.picture()), PLENTY_S)
    said = text(glass.picture())
    glass.close()
    KIT.write_text(described)
    machine("systemctl", "restart", UNIT)
    assert "which game?" in said


# --- another folder is copied over it --------------------------------------------------------------------------------


def numbered(only: Callable[[str], bool] = lambda name: True) -> None:
    """Give the folder a manifest of its files: so it is another one."""
    (FOLDER / "docs" / "changed.md").write_text("# Changed\n")
    names = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())
    names = [name for name in names if name not in (MANIFEST, "report.txt") and only(name)]
    sums = {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in names}
    (FOLDER / MANIFEST).write_bytes(manifest(sums))


def wheel(name: str) -> Path:
    """A wheel of the folder."""
    return next((FOLDER / "wheels").glob(f"{name}-*.whl"))


def renamed(what: str) -> None:
    """Make it another version."""
    version = FOLDER / "wheels" / "version"
    version.write_text(f"{version.read_text().split()[0]} {hashlib.sha256(what.encode()).hexdigest()}\n")
    numbered()


def changed(where: str, what: str) -> None:
    """A version with something added to one of its modules."""
    path, new = wheel("luckypaw"), Path("/run/home/new.whl")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as out:
        module = old.read(where) + f"\n\n{what}".encode()
        digest = urlsafe_b64encode(hashlib.sha256(module).digest()).decode().rstrip("=")
        for name in old.namelist():
            content = module if name == where else old.read(name)
            if name.endswith("/RECORD"):  # the new version is compared with it
                line = rf"(?m)^{re.escape(where)},.*$"
                content = re.sub(line, f"{where},sha256={digest},{len(module)}", content.decode()).encode()
            out.writestr(name, content)
    path.write_bytes(new.read_bytes())
    renamed(what)


def impatient() -> None:
    """Let a version that does not get ready be given up early."""
    unit = FOLDER / "systemd" / UNIT
    unit.write_text(unit.read_text().replace("TimeoutStartSec=30", f"TimeoutStartSec={NEVER_S}"))


def missing_wheel() -> None:
    numbered()
    wheel("pillow").unlink()


def damaged_wheel() -> None:
    numbered()
    content = bytearray(wheel("pillow").read_bytes())
    content[len(content) // 2] ^= 1
    wheel("pillow").write_bytes(content)


def half_a_manifest() -> None:
    path = FOLDER / MANIFEST
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def no_manifest() -> None:
    (FOLDER / MANIFEST).unlink()


def no_scripts() -> None:
    numbered()
    shutil.rmtree(FOLDER / "scripts")


def for_another_python() -> None:
    numbered(lambda name: "-cp313-" not in name)


def junk_in_a_wheel() -> None:
    wheel("luma_core" if list((FOLDER / "wheels").glob("luma_core-*")) else "luma.core").write_bytes(b"junk")
    renamed("junk")


def not_sound() -> None:
    changed("engine/games/kitty_paw.py", "raise RuntimeError('half a file')\n")


def full_card() -> None:
    numbered()
    free = shutil.disk_usage(MACHINE / "opt").free
    machine("fallocate", "-l", str(free - (100 << 20)), "/opt/filler")


def mounts(*command: str) -> None:
    """Change the machine's mounts: the lab's own are others."""
    machine("nsenter", "--target=1", "--mount", *command)


def read_only_card() -> None:
    numbered()
    mounts("mount", "--bind", "/opt", "/opt")
    mounts("mount", "-o", "remount,bind,ro", "/opt")


def wrong_wifi() -> None:
    (FOLDER / "wifi.txt").write_text("name = home\npassword = short\n")


def for_another_board() -> None:
    numbered(lambda name: "x86_64" not in name)


def never_ready() -> None:
    impatient()
    changed("firmware/service.py", "def tell(state: str) -> None:\n    return\n")


def ends_at_once() -> None:
    impatient()
    changed("firmware/table/app.py", "def run(*_: object) -> None:\n    raise SystemExit(3)\n")


def read_only_partition() -> None:
    numbered()
    mounts("mount", "-o", "remount,ro", "/boot/firmware")


def full_partition() -> None:
    numbered()
    (FOLDER / "report.txt").unlink()
    machine("dd", "if=/dev/zero", "of=/boot/firmware/filler", "bs=1M")


FAULTS: dict[Callable[[], None], tuple[int, str]] = {  # how often the lamps flash, and what is told
    missing_wheel: (1, "COPY AGAIN | Copy the whole folder | onto the card once more: | pillow is missing."),
    damaged_wheel: (1, "COPY AGAIN | Copy the whole folder | onto the card once more: | pillow is damaged."),
    half_a_manifest: (1, "COPY AGAIN | Copy the whole folder | onto the card once more: | manifest is not whole."),
    no_manifest: (1, "COPY AGAIN | Copy the whole folder | onto the card once more: | manifest is missing."),
    no_scripts: (1, "COPY AGAIN | Copy the whole folder"),
    full_card: (2, "CARD IS FULL | Lucky Paw needs 200 MB."),
    full_partition: (2, "CARD IS FULL | Lucky Paw needs 200 MB."),
    read_only_card: (2, "CARD IS LOCKED | Nothing can be written."),
    read_only_partition: (2, "CARD IS LOCKED | Nothing can be written."),
    for_another_python: (3, "WRONG SYSTEM | Write the card with"),
    for_another_board: (3, "WRONG SYSTEM | Write the card with"),
    junk_in_a_wheel: (4, "NOT INSTALLED | report.txt on the card | has the reason."),
    not_sound: (4, "NOT STARTED | This version does not"),
    ends_at_once: (4, "NOT STARTED | This version does not"),
    never_ready: (4, "NOT STARTED | This version does not"),
    wrong_wifi: (6, "NO WI-FI | wifi.txt: the password"),
}
UNREPORTED = (full_partition, read_only_partition)
WHY = {  # what the log says of a version that is built and does not start
    not_sound: "is not sound",
    ends_at_once: "does not get ready",
    never_ready: "does not get ready",
}


class Outcome(NamedTuple):
    """What has come of a look at a folder."""

    said: list[str]
    flashes: int
    report: str
    log: str
    releases: tuple[str, str]  # before and after
    left_over: set[str]


@pytest.fixture(params=FAULTS, ids=lambda fault: fault.__name__)
def faulty(request: pytest.FixtureRequest, start: Start) -> Iterator[Outcome]:
    """What has come of this fault."""
    request.param()
    yield look(FAULTS[request.param][1])
    machine("systemctl", "stop", CARD)
    mounts("umount", "--lazy", "/opt")
    mounts("mount", "-o", "remount,rw", "/boot/firmware")
    machine("rm", "-f", "/opt/filler", "/boot/firmware/filler")
    shutil.rmtree(FOLDER)
    shutil.copytree(WHOLE, FOLDER)
    (HOME / "card").write_text(hashlib.sha256((WHOLE / MANIFEST).read_bytes()).hexdigest())
    machine("systemctl", "start", UNIT)
    until_ready()


def look(beginning: str) -> Outcome:
    """Let the card's program look at the folder until this is told and the lamps have flashed."""
    before, began_s = release(), int(time.time())
    machine("systemctl", "reset-failed", CARD)
    with watching() as seen:
        machine("systemctl", "start", "--no-block", CARD)
        comes(lambda: any(told.startswith(beginning) for told in seen.told), TOLD_S * 4)
        flashes = -1
        while flashes < (flashes := seen.flashes(beginning)):
            time.sleep(PAUSE_S)
    path = FOLDER / "report.txt"
    report = path.read_text() if path.exists() else ""
    log = machine("journalctl", "--unit", CARD, f"--since=@{began_s}", "--output", "cat").stdout
    return Outcome(seen.told, flashes, report, log, (before, release()), left_over())


def test_what_is_wrong_is_told_and_the_version_before_stays(faulty: Outcome, request: pytest.FixtureRequest) -> None:
    fault = request.node.callspec.params["faulty"]
    times, beginning = FAULTS[fault]
    assert any(told.startswith(beginning) for told in faulty.said), faulty
    assert faulty.flashes == times, faulty
    assert fault in UNREPORTED or faulty.report.startswith(f"{beginning.partition(' | ')[0]}: "), faulty
    assert WHY.get(fault, "") in faulty.log, faulty
    assert faulty.releases[0] == faulty.releases[1]
    assert faulty.left_over == set()


def test_a_beep_is_the_pwms_where_that_has_the_buzzers_line(start: Start) -> None:
    with pwm_sink.overlay(BUZZER):
        half_a_manifest()
        said = look(FAULTS[half_a_manifest][1])
        tones = [heard.period_ns for heard in pwm_sink.heard(pwm_sink.settings()) if heard.period_ns]
        machine("systemctl", "stop", CARD)
    back()
    assert (said.flashes, len(tones)) == (1, 1)


def test_a_wrong_description_is_told_by_the_kit_also_by_a_newer_one(start: Start) -> None:
    wrong = BOOT / "luckypaw.toml.txt"
    wrong.write_bytes(b"\xef\xbb\xbf[display]\r\ndriver = 5\r\n")
    try:
        with watching() as seen:
            machine("systemctl", "restart", UNIT)
            assert comes(lambda: "display.driver" in seen.told[-1].replace(" | ", ""), TOLD_S), seen.told
        changed("firmware/output/sounds.py", "# newer, beside a wrong description\n")
        before = release()
        with watching() as seen:
            machine("systemctl", "start", "--wait", CARD)
            assert comes(lambda: "display.driver" in seen.told[-1].replace(" | ", ""), TOLD_S), seen.told
        assert release() != before
    finally:
        wrong.unlink()
        machine("systemctl", "reset-failed", UNIT)
        machine("systemctl", "restart", UNIT)
        until_ready()


@pytest.fixture(params=["no display", "no bus"])
def blind(request: pytest.FixtureRequest, start: Start) -> Iterator[str]:
    """Nothing can be shown."""
    if request.param == "no display":
        UNPLUGGED.write_text("1")
        yield request.param
        UNPLUGGED.write_text("0")
    else:
        away = BUS.with_name("away")
        BUS.rename(away)
        yield request.param
        away.rename(BUS)


def test_without_a_display_it_is_installed_and_the_lamps_say_what_is_missing(blind: str) -> None:
    changed("firmware/output/sounds.py", f"# newer: {blind}\n")
    before = release()
    with watching() as seen:
        machine("systemctl", "start", "--wait", CARD)
    assert seen.flashes("") >= NO_DISPLAY.blinks
    assert release() != before
    assert comes(lambda: show("ActiveState") == ("active",)), show("ActiveState")
    assert left_over() == set()


# --- the same by another way -----------------------------------------------------------------------------------------


def back() -> None:
    """The folder as it came."""
    shutil.rmtree(FOLDER)
    shutil.copytree(WHOLE, FOLDER)


def test_cut_off_before_it_is_ready_a_version_that_does_not_start_is_taken_back_all_the_same(start: Start) -> None:
    back()
    described = KIT.read_bytes()
    (FOLDER / "kit.toml").write_bytes(described)  # as the kit has it: so that of the next folder takes its place
    renamed("with a description")
    machine("systemctl", "start", "--wait", CARD)
    before = release()
    (FOLDER / "kit.toml").write_bytes(described + b"# newer\n")
    never_ready()
    machine("systemctl", "start", "--no-block", CARD)
    until(lambda: release() != before, lambda: "the new version is switched on", INSTALL_S)
    machine("systemctl", "kill", "--signal=KILL", CARD)
    assert KIT.read_bytes() == described + b"# newer\n"
    machine("systemctl", "reset-failed", CARD)
    seen = look(FAULTS[never_ready][1])
    assert (release(), seen.flashes, seen.left_over) == (before, 4, set())
    assert "The one before goes on" in seen.report
    assert [path.read_bytes() for path in (KIT, HOME / "kit.toml")] == 2 * [described]
    until(lambda: show("ActiveState") == ("active",), lambda: "the one before goes on", TOLD_S)


def test_a_newer_folder_is_the_update_and_the_one_before_is_kept(start: Start) -> None:
    back()
    changed("firmware/output/sounds.py", "# the newest\n")
    before = release()
    with watching() as seen:
        machine("systemctl", "start", "--wait", CARD)
    assert [told for told in seen.told if told.startswith("LUCKY PAW | Building")] != []
    assert (release() != before, show("ActiveState")) == (True, ("active",)), seen.told
    assert {path.name for path in (HOME / "releases").iterdir()} == {before, release()}


def placed() -> dict[str, str]:
    """What the hook of cloud-init places."""
    return {
        path: what for path, what in files("opt/luckypaw", "etc/systemd/system").items() if path.startswith(OF_THE_CARD)
    }


def test_cut_anywhere_the_hook_is_done_by_the_next_start(start: Start) -> None:
    back()
    machine("systemctl", "start", "--wait", CARD)  # that folder is installed, so the starts below are quick
    kept = placed()
    shims, count = MACHINE / "run/shims", MACHINE / "run/count"
    shims.mkdir()
    for name in ("rm", "sync", "mv", "ln", "systemctl"):  # those that copy and compare: tests/test_card_hook.py
        real = machine("sh", "-c", f"command -v {name}").stdout.strip()
        lines = [
            "#!/bin/sh",
            "echo >>/run/count",
            '[ "$(wc -l </run/count)" -lt "$CUT" ] || kill -KILL $PPID',
            f'exec {real} "$@"',
        ]
        (shims / name).write_text("\n".join(lines))
        (shims / name).chmod(0o755)
    cuts = 0
    while True:
        machine("rm", "-rf", "/opt/luckypaw/program", f"/etc/systemd/system/{CARD}")
        machine("rm", "-f", f"/etc/systemd/system/multi-user.target.wants/{CARD}")
        count.write_text("")
        done = machine(*HOOK, PATH=f"/run/shims:{PATH}", CUT=str(cuts + 1))
        machine(*HOOK)
        machine("systemctl", "start", "--wait", CARD)
        assert placed() == kept, cuts
        if done.returncode == 0:
            break
        cuts += 1
    assert cuts > 8


def test_cut_while_the_program_of_the_card_is_replaced_the_next_start_has_it(start: Start) -> None:
    kept = placed()
    (HOME / "program").rename(HOME / "program.old")
    (HOME / "card").unlink()
    machine(*HOOK)
    machine("systemctl", "start", "--wait", CARD)
    assert (placed(), left_over()) == (kept, set())


@pytest.fixture(scope="session")
def uninstalled(start: Start) -> bytes:
    """config.txt as it was while the kit was installed."""
    back()
    config = (BOOT / "config.txt").read_bytes()
    machine("bash", "/boot/firmware/luckypaw/scripts/uninstall")
    assert not HOME.exists()
    return config


def test_what_was_uninstalled_does_not_come_back_at_the_next_start(uninstalled: bytes) -> None:
    machine(*HOOK)
    assert not HOME.exists()
    assert not (MACHINE / "etc/systemd/system" / CARD).exists()


def test_by_its_command_a_folder_that_is_not_whole_is_not_installed(uninstalled: bytes) -> None:
    whole = wheel("pillow").read_bytes()
    wheel("pillow").write_bytes(whole[:-1])
    done = machine("bash", "/boot/firmware/luckypaw/scripts/install")
    wheel("pillow").write_bytes(whole)
    assert (done.returncode, HOME.exists()) == (1, False)
    assert done.stderr.startswith("COPY AGAIN: Copy the whole folder onto the card once more: wheels/pillow-")


def test_install_makes_the_same_tree_as_the_card(start: Start, uninstalled: bytes) -> None:
    (FOLDER / "wheels" / "luckypaw-0.0.1-py3-none-any.whl").write_bytes(b"of the folder that it was copied over")
    shutil.rmtree(STATE)
    done = machine("bash", "/boot/firmware/luckypaw/scripts/install")
    assert done.returncode == 0, done.stderr
    tree = installed()
    differs = {path: (start.tree.get(path), tree.get(path)) for path in start.tree.keys() | tree.keys()}
    assert {path: both for path, both in differs.items() if both[0] != both[1]} == {}
    assert (BOOT / "config.txt").read_bytes() == uninstalled
