"""The kernel lab keeps its promises, and the tests on real kernel lines (tests/kernel) pass in its guests."""

import signal
import subprocess
from pathlib import Path
from shutil import which

import pytest

from tests.simulators.lab import LAB, needs
from tests.simulators.waiting import until

ROOT = Path(__file__).resolve().parent.parent
KERNEL = ROOT / "tests" / "kernel"
# keep real time: they are alone on the machine
NIGHTLY = {
    "test_bench_kernel",
    "test_calibrate",
    "test_first_touch",
    "test_lost_chip",
    "test_lost_lines",
    "test_order",
    "test_whole_games",
}
UDEV = pytest.mark.skipif(
    None in (which("udevadm"), which("umockdev-run")),
    reason="udev or umockdev is missing: sudo apt install udev umockdev",
)
RESOLVERS = pytest.mark.skipif(
    None in (which("dnsmasq", path="/usr/sbin"), which("musl-gcc")),
    reason="dnsmasq or musl is missing: sudo apt install dnsmasq-base musl-tools",
)
QEMU = [pytest.mark.nightly, needs("qemu")]  # only tests of the night run in it

pytestmark = [pytest.mark.lab, needs("uml", "disk")]
both = pytest.mark.parametrize("guest", ["uml", pytest.param("qemu", marks=QEMU)])


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """`scripts/kernel-lab run` with these arguments, in the project's folder."""
    return subprocess.run([LAB, "run", *arguments], check=False, cwd=ROOT, capture_output=True, text=True)


def marks(suite: str) -> list[pytest.MarkDecorator]:
    if mark := {"test_udev": UDEV, "test_hotspot_resolvers": RESOLVERS}.get(suite):
        return [mark]
    return [pytest.mark.nightly, pytest.mark.alone] if suite in NIGHTLY else []


@pytest.mark.parametrize(
    ("guest", "suite"),
    [
        pytest.param(guest, suite, id=f"{guest}-{suite.stem}", marks=[*marks(suite.stem), *needed])
        for guest, pattern, needed in (("uml", "test_*.py", []), ("qemu", "two_cpus/test_*.py", QEMU))
        for suite in sorted(KERNEL.glob(pattern))
    ],
)
def test_in_the_guest_each_test_passes(guest: str, suite: Path) -> None:
    done = run("-b", guest, "-t", "600", f"python -m pytest --no-skips -p no:cacheprovider {suite.relative_to(ROOT)}")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_the_exit_status_is_the_commands_and_output_and_errors_stay_apart() -> None:
    done = run("echo told; echo mourned >&2; exit 42")
    assert (done.returncode, done.stdout, done.stderr) == (42, "told\n", "mourned\n")


def test_a_guest_that_takes_too_long_is_stopped() -> None:
    done = run("-t", "3", "sleep 60")
    said = "scripts/kernel-lab: stopped after 3 s; the guest's console ends:"
    assert (done.returncode, done.stderr.splitlines()[0]) == (125, said)


def test_what_the_guest_writes_is_thrown_away(tmp_path: Path) -> None:
    run(f"echo new >{tmp_path}/file")
    assert list(tmp_path.iterdir()) == []


def test_what_the_guest_writes_in_the_given_folder_stays(tmp_path: Path) -> None:
    run("-w", tmp_path, f"echo new >{tmp_path}/file")
    assert (tmp_path / "file").read_text() == "new\n"


@both
def test_host_and_guest_talk_over_the_serial_line(guest: str) -> None:
    answer = 'exec 3<>"$LAB_SERIAL"; read -r word <&3; echo "$word yourself" >&3; sleep 60'
    asked = "exec 3<>/dev/ttyLED; stty raw -echo <&3; echo hello >&3; head -n 1 <&3"
    assert run("-b", guest, "-H", answer, asked).stdout == "hello yourself\n"


@both
def test_the_device_on_the_i2c_bus_keeps_what_it_is_sent(guest: str) -> None:
    send = "from smbus2 import SMBus, i2c_msg as m; SMBus(1).i2c_rdwr(m.write(0x3C, b'paw'))"
    done = run("-b", guest, f'python -c "{send}"; tail -c 3 /sys/kernel/debug/i2c-labsink/log')
    assert (done.stdout, done.stderr) == ("paw", "")


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What a machine finds on its disk after its plug was pulled, of two files of which one was flushed."""
    folder = tmp_path_factory.mktemp("machine")
    disk, signs = folder / "disk", folder / "signs"
    signs.mkdir()
    subprocess.run([LAB, "disk", disk], check=True)
    write = f"cd /machine/srv; echo 1 >flushed; sync; echo 1 >written; touch {signs}/done; sleep 60"
    lab = subprocess.Popen([LAB, "run", "-d", disk, "-w", signs, write], cwd=ROOT)
    until((signs / "done").exists, lambda: "the machine has written", seconds=200)
    lab.send_signal(signal.SIGUSR1)
    assert lab.wait() == 137
    return run("-d", disk, "find /machine/srv -type f -size +0 -printf '%f\\n'").stdout.splitlines()


def test_when_the_plug_is_pulled_only_what_was_flushed_is_on_the_disk(left: list[str]) -> None:
    assert ("flushed" in left, "written" in left) == (True, False)
