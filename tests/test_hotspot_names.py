"""The file for the DNS of the kit's own Wi-Fi, read by the real dnsmasq: what a phone asks gets one answer, at once.

What gets none, or is refused, is asked again: by Android at once, by musl after 2.5 s until it gives up after 5. glibc
and musl: tests/kernel/test_hotspot_resolvers.py. Over the air: tests/appliance/test_hotspot.py.
"""

import getpass
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.simulators.phones_ask import QUESTIONS, WAYS, Question, answers, ask
from tests.simulators.waiting import until

FILE = Path(__file__).resolve().parent.parent / "systemd" / "luckypaw-hotspot.dnsmasq"
DNSMASQ = Path("/usr/sbin/dnsmasq")
FIRST = Question("a test", "www.example.com", "A", "kit")

pytestmark = pytest.mark.skipif(not DNSMASQ.exists(), reason="dnsmasq is missing: sudo apt install dnsmasq-base")


@pytest.fixture(scope="module")
def dns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """The address of a dnsmasq that has read the file, started as NetworkManager does."""
    folder = tmp_path_factory.mktemp("dnsmasq-shared.d")
    shutil.copy(FILE, folder)
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        server = line.getsockname()
    options = ["--conf-file=/dev/null", "--no-hosts", "--keep-in-foreground", "--bind-interfaces", "--clear-on-reload"]
    options += ["--strict-order", f"--listen-address={server[0]}", f"--port={server[1]}", f"--conf-dir={folder}"]
    options += ["--pid-file=", f"--user={getpass.getuser()}", "--log-facility=-"]
    with subprocess.Popen([DNSMASQ, *options], stderr=subprocess.PIPE, text=True) as program:
        try:
            until(lambda: ask(server, FIRST, "TCP") == "kit" or program.poll() is not None, lambda: "dnsmasq answers")
            assert program.poll() is None, program.communicate()
            yield server
        finally:
            program.terminate()


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_what_a_phone_asks_is_answered_once_and_the_same_in_each_way(question: Question, dns: tuple[str, int]) -> None:
    assert answers(dns, question) == dict.fromkeys(WAYS, question.gets)
