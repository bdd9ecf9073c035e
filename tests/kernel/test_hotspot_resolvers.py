"""How real resolvers take what the DNS of the kit's own Wi-Fi says: no name is asked for twice, and none is waited for.

glibc is this Python's; musl that of a small program. What phones of other makes ask: tests/test_hotspot_names.py.
"""

import re
import socket
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.simulators.phones_ask import KIT
from tests.simulators.waiting import until

FILE = Path(__file__).resolve().parents[2] / "systemd" / "luckypaw-hotspot.dnsmasq"
HERE = "127.0.0.1"
RESOLV = Path("/etc/resolv.conf")
ASKED = re.compile(r"query\[(\w+)\] (\S+) from")
PROGRAM = r"""
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>

int main(int count, char **words) {
  struct addrinfo wish = {.ai_socktype = SOCK_STREAM}, *found = 0;
  int error = getaddrinfo(words[1], "80", &wish, &found);
  if (error) return puts(gai_strerror(error)), 1;
  for (char text[64]; found; found = found->ai_next)
    puts(inet_ntop(found->ai_family, &((struct sockaddr_in *)found->ai_addr)->sin_addr, text, sizeof text));
}
"""

Lookup = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What the DNS of this machine, started on the file, has been asked."""
    folder = tmp_path_factory.mktemp("dnsmasq")
    log = folder / "log"
    options = [
        "--conf-file=/dev/null",
        f"--conf-dir={FILE.parent},*{FILE.suffix}",
        "--no-hosts",
        "--keep-in-foreground",
    ]
    options += ["--user=root", "--log-queries", f"--log-facility={log}", "--pid-file="]
    RESOLV.unlink(missing_ok=True)
    RESOLV.write_text(f"nameserver {HERE}\n")
    with subprocess.Popen(["dnsmasq", *options]) as program:
        try:
            until(lambda: log.exists() and "started" in log.read_text(), lambda: "dnsmasq has started")
            yield log
        finally:
            program.terminate()


def by_glibc(name: str) -> list[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(name, 80, type=socket.SOCK_STREAM)]


@pytest.fixture(scope="module")
def by_musl(tmp_path_factory: pytest.TempPathFactory) -> Lookup:
    folder = tmp_path_factory.mktemp("musl")
    (folder / "look.c").write_text(PROGRAM)
    subprocess.run(["musl-gcc", "-static", "-o", folder / "look", folder / "look.c"], check=True)
    return lambda name: subprocess.check_output([folder / "look", name], text=True).split()


@pytest.fixture(params=["glibc", "musl"])
def look(request: pytest.FixtureRequest) -> Lookup:
    """Looks a name up, as every program of a system does."""
    return by_glibc if request.param == "glibc" else request.getfixturevalue("by_musl")


@pytest.mark.parametrize("name", ["captive.apple.com", "CONNECTIVITYCHECK.gstatic.com", "luckypaw", "luckypaw.local"])
def test_a_name_is_the_kit_and_is_asked_for_once(name: str, look: Lookup, log: Path) -> None:
    before = len(log.read_text())
    assert look(name) == [KIT]
    assert Counter(ASKED.findall(log.read_text()[before:])) == {("A", name): 1, ("AAAA", name): 1}
