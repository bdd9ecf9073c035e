"""The kit's own Wi-Fi, by the real NetworkManager and a simulated radio: a phone finds the kit, and nothing else."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import games
from engine.play import Play
from firmware.phones import network
from tests.appliance.machine import KIT, MACHINE, PLENTY_S, ROOT, forget_games, machine, script, table, until_ready
from tests.simulators.reading import text
from tests.simulators.real_table import Table
from tests.simulators.waiting import until

LETS_IN = '\n[panel]\nnetwork = "hotspot"\n'
SUPPLICANT = """
network={{
  ssid={name}
  psk={password}
}}
"""
ODD = {  # names and passwords that the kit takes
    "separators": ("a;b,c:d", "p;a,s:s=w#rd"),
    "quotes and backslashes": ('a "b" \\c\\', '\\"p\\ass\\"'),
    "blanks at both ends": (" cats ", " password "),
    "letters of Europe": ("Kätzchen", "[section]"),
    "numbers": ("65;66;", "12345678"),
    "a key": ("Lucky Paw", "0123456789abcdef" * 4),
}
LEASE = """#!/bin/sh
[ "$1" = bound ] || exit 0
ip address replace "$ip/$mask" dev "$interface"
ip route replace default via "$router"
"""
KEY_DIGITS = 64  # of a password that is the key itself
ANSWERS = MACHINE / "etc/NetworkManager/dnsmasq-shared.d/luckypaw.conf"
PHONES_ROW = 4  # of the menu, counted from the last kind of game
BESIDE = (66, 0, 128, 64)  # of the display, beside the QR code
SLAPS_MS = 1700  # so long after a verdict a press is a slap of the race


class Place:
    """A machine of its own as far as the network goes."""

    def __init__(self) -> None:
        self._sleeper = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.pid = str(self._sleeper.pid)
        own = Path("/proc/self/ns/net").readlink()
        until(lambda: Path(f"/proc/{self.pid}/ns/net").readlink() != own, lambda: "a network of its own")
        self("ip", "link", "set", "lo", "up")

    def __call__(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the machine there."""
        return machine("nsenter", "--target", self.pid, "--net", *command)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the project's Python there."""
        command = ["nsenter", "--target", self.pid, "--net", sys.executable, *arguments]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)

    def close(self) -> None:
        self._sleeper.kill()
        self._sleeper.wait()


@contextmanager
def place() -> Iterator[Place]:
    made = Place()
    try:
        yield made
    finally:
        made.close()


def done(*command: str) -> str:
    """Run a command on the machine that must succeed."""
    ran = machine(*command)
    assert ran.returncode == 0, f"{command}: {ran.stdout}{ran.stderr}"
    return ran.stdout


def connect_behind(there: Place) -> None:
    """The kit reaches another machine by cable; it would forward what it is asked to."""
    done("ip", "link", "add", "cable", "type", "veth", "peer", "name", "end", "netns", there.pid)
    done("nmcli", "device", "set", "cable", "managed", "no")
    done("ip", "address", "add", "192.0.2.1/24", "dev", "cable")
    done("ip", "link", "set", "cable", "up")
    there("ip", "address", "add", "192.0.2.2/24", "dev", "end")
    there("ip", "link", "set", "end", "up")
    there("ip", "route", "add", "default", "via", "192.0.2.1")


def join(phone: Place) -> None:
    """A phone joins the Wi-Fi by name and password, and asks for an address."""
    name, password = (MACHINE / "etc/luckypaw/hotspot").read_text().splitlines()
    key = password if len(password) == KEY_DIGITS else f'"{password}"'
    (MACHINE / "run/phone.conf").write_text(SUPPLICANT.format(name=name.encode().hex(), password=key))
    (MACHINE / "run/lease").write_text(LEASE)
    (MACHINE / "run/lease").chmod(0o755)
    phone("ip", "link", "set", "wlan1", "up")
    phone("wpa_supplicant", "-B", "-P", "/run/phone.pid", "-i", "wlan1", "-D", "nl80211", "-c", "/run/phone.conf")
    until_joined(phone)
    leased = phone("busybox", "udhcpc", "-i", "wlan1", "-n", "-q", "-s", "/run/lease", "-t", "20", "-T", "1")
    assert leased.returncode == 0, leased.stderr


def leave(phone: Place) -> None:
    """A phone leaves the Wi-Fi and forgets it."""
    pid = MACHINE / "run/phone.pid"
    phone("kill", pid.read_text().strip())
    until(lambda: not pid.exists(), lambda: "the phone has forgotten the Wi-Fi")


def until_joined(phone: Place) -> None:
    """Wait until a phone is in the Wi-Fi; it comes back by itself."""
    until(
        lambda: "Connected" in phone("iw", "dev", "wlan1", "link").stdout, lambda: "the phone is in the Wi-Fi", PLENTY_S
    )


@pytest.fixture(scope="module")
def wifi() -> Iterator[tuple[Place, str]]:
    """A phone in the kit's Wi-Fi, and what was said when it was made."""
    machine("systemctl", "is-system-running", "--wait")
    until_ready()
    description = KIT.read_text()
    with place() as phone, place() as behind, ExitStack() as after:
        done("iw", "phy", "phy1", "set", "netns", phone.pid)
        connect_behind(behind)
        KIT.write_text(description + LETS_IN)
        after.callback(until_ready)
        after.callback(machine, "luckypaw", "phones", "off")
        after.callback(KIT.write_text, description)
        said = done("luckypaw", "phones", "on")
        until_ready()
        join(phone)
        server = after.enter_context(behind.start("-m", "http.server", "80", "--bind", "192.0.2.2"))
        after.callback(server.kill)
        yield phone, said


@pytest.fixture(scope="module")
def found(wifi: tuple[Place, str]) -> dict[str, Any]:
    """What a phone finds there."""
    return see(wifi[0], "find")


def see(phone: Place, what: str) -> dict[str, Any]:
    told, _ = phone.start("-m", "tests.appliance.phone", what).communicate()
    seen: dict[str, Any] = json.loads(told)
    return seen


def test_making_it_says_its_name_and_its_password(wifi: tuple[Place, str]) -> None:
    name, password = (MACHINE / "etc/luckypaw/hotspot").read_text().splitlines()
    assert f'"{name}", its password {password}.' in wifi[1]
    assert re.fullmatch(r"Lucky Paw [2-9A-Z]{2}", name) and re.fullmatch(
        r"[2-9a-z]{4}-[2-9a-z]{3}-[2-9a-z]{3}", password
    )


def test_the_phone_has_an_address_and_the_kit_is_its_way_out(wifi: tuple[Place, str]) -> None:
    routes = wifi[0]("ip", "route").stdout
    assert "default via 10.42.0.1 dev wlan1" in routes


def test_whatever_a_phone_asks_is_answered_as_it_should_be(wifi: tuple[Place, str]) -> None:
    assert see(wifi[0], "names") == {}


def test_no_phone_waits_for_an_address(wifi: tuple[Place, str]) -> None:
    said = see(wifi[0], "addresses")
    assert said == {"it has none": True, "it had one here": True, "it had one elsewhere": True}


def test_a_phone_that_looks_for_the_internet_is_told_where_the_kit_is(found: dict[str, Any]) -> None:
    assert found["probe"] == [200, True, True]


def test_the_page_is_there(found: dict[str, Any]) -> None:
    assert found["page"]


def test_all_else_is_refused_at_once_and_nothing_is_forwarded(found: dict[str, Any]) -> None:
    here, beyond = "ECONNREFUSED", "EHOSTUNREACH"
    assert found["elsewhere"] == {
        "behind the kit": beyond,
        "Google's DNS": beyond,
        "https": here,
        "QUIC": here,
        "DNS over TLS": here,
    }


def test_the_radio_is_in_front_of_what_is_no_device_though_the_way_out_leads_through_that(
    wifi: tuple[Place, str],
) -> None:
    done("ip", "route", "add", "default", "via", "192.0.2.2", "dev", "cable")
    with ExitStack() as after:
        after.callback(done, "ip", "route", "del", "default", "dev", "cable")
        assert [one for one in network.addresses() if one in ("10.42.0.1", "192.0.2.1")] == ["10.42.0.1", "192.0.2.1"]


def test_it_is_the_rule_of_its_profile_that_forwards_nothing(wifi: tuple[Place, str]) -> None:
    phone = wifi[0]
    done("ip", "rule", "del", "priority", "100")
    through = see(phone, "find")["elsewhere"]["behind the kit"]
    done("nmcli", "connection", "up", "luckypaw")
    until_joined(phone)
    assert (through, see(phone, "find")["elsewhere"]["behind the kit"]) == ("connected", "EHOSTUNREACH")


# --- a game ----------------------------------------------------------------------------------------------------------


class Game(NamedTuple):
    """A game whose numbers were entered by the phone, and what could be seen of it."""

    wifi: str  # the words beside the code of the Wi-Fi
    page: str  # and of the page
    told: dict[str, Any]  # by the phone
    play: Play


@pytest.fixture(scope="module")
def game(wifi: tuple[Place, str]) -> Game:
    forget_games()  # or it would ask first whether to go on with one
    until_ready()
    with table() as people:
        seen, page = join_pictures(people.until_reads("which game?"))
        (code,) = codes(page)
        phone = wifi[0].start("-m", "tests.appliance.phone", "play", code)
        play_rounds(people.begin("pack_and_stack", "P1", "P2", options=lambda: None).until("setup").tap("P1"))
        told, _ = phone.communicate()
        play = people.play()
    assert play is not None
    return Game(seen, page, json.loads(told), play)


def join_pictures(people: Table) -> tuple[str, str]:
    """What the display says behind the row *Phones* of the menu: of the Wi-Fi, of the page."""
    rows = len(games.names()) + PHONES_ROW
    people.choose(rows).ok().until_reads("WI-FI")
    first = text(people.glass().crop(BESIDE))
    people.turn(1)
    until(lambda: bool(codes(text(people.glass().crop(BESIDE)))), lambda: "there is a code")
    second = text(people.glass().crop(BESIDE))
    people.ok_hold().choose(-rows)
    return first, second


def codes(words: str) -> list[str]:
    """What may be the code to join with."""
    return [word for word in re.findall(r"\b[2-9A-Z]{6}\b", words) if word != "PHONES"]


def play_rounds(people: Table) -> None:
    """The presses of all rounds; the numbers come from elsewhere."""

    def until_any(*phases: str) -> bool:
        until(lambda: people.phase in phases, lambda: f"one of {phases}; it is {people.phase}", PLENTY_S)
        return people.phase != "over"

    while until_any("deal", "over"):
        people.ok().until("race").after(120).tap("P1").tap("P2").until("packing")
        people.until_reads("loaded? press").after(SLAPS_MS).tap("P1").tap("P2")
        if until_any("result", "over"):
            people.ok()


def test_the_display_has_the_wifi_and_then_the_page(game: Game) -> None:
    name, password = (MACHINE / "etc/luckypaw/hotspot").read_text().splitlines()
    assert all(word in game.wifi for word in ("WI-FI", name, "password", password))
    assert all(word in game.page for word in ("PHONES", "http://", "10.42.0.1/"))


def test_the_game_is_over_and_the_phone_knows_how_it_ended(game: Game) -> None:
    assert game.play.over
    assert sorted(game.told["game"]["scores"]) == [
        [n, points, game.play.places[n]] for n, points in enumerate(game.play.scores)
    ]


def test_every_number_of_the_phone_was_saved_and_is_in_the_game(game: Game) -> None:
    assert game.told["answers"] == game.told["saved"] > 0


# --- other names, other versions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "password"), ODD.values(), ids=ODD)
def test_a_phone_joins_by_any_name_and_password_that_the_kit_takes(
    name: str, password: str, wifi: tuple[Place, str]
) -> None:
    phone = wifi[0]
    leave(phone)
    (MACHINE / "etc/luckypaw/hotspot").write_text(f"{name}\n{password}\n")
    done("luckypaw", "phones", "on")
    join(phone)
    assert phone("iw", "dev", "wlan1", "link").stdout.startswith("Connected")


def test_what_an_older_version_has_copied_is_that_of_the_next_one(wifi: tuple[Place, str]) -> None:
    ours = ANSWERS.read_text()
    ANSWERS.write_text("no-resolv\naddress=/#/10.42.0.1\n")
    installed = script("install")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    assert (ANSWERS.read_text(), ANSWERS.is_symlink()) == (ours, False)
