"""By which names and addresses a phone may ask for the kit, in the networks that people have."""

import re
import socket
from ipaddress import ip_network
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from firmware import service
from firmware.phones import network
from firmware.phones.server import called, meant

LAN, HOTSPOT = ("192.168.178.23", 8643), ("10.42.0.1", 80)
OURS = [
    (LAN, "192.168.178.23:8643"),
    (HOTSPOT, "10.42.0.1"),
    (HOTSPOT, "10.42.0.1:80"),
    (("fd00::23", 8643), "[fd00::23]:8643"),
    (("fd00::23", 80), "[fd00::23]"),
]
NAMES = [
    (LAN, "luckypaw.local:8643"),
    (LAN, "LuckyPaw.local:8643"),
    (LAN, "luckypaw.local.:8643"),
    (LAN, "luckypaw:8643"),  # as many routers answer
    (LAN, "luckypaw.:8643"),
    (LAN, "luckypaw.lan:8643"),
    (LAN, "luckypaw.fritz.box:8643"),
    (LAN, "luckypaw.home.arpa:8643"),
    (LAN, "luckypaw.internal:8643"),
    (LAN, "luckypaw-2.local:8643"),  # another machine is called luckypaw, says Avahi
    (HOTSPOT, "luckypaw.local"),
]
OTHERS = [
    (LAN, "luckypaw.example.com:8643"),  # anybody may have a name that leads here
    (LAN, "luckypaw.local.example.com:8643"),
    (LAN, "evil-luckypaw.local:8643"),
    (LAN, "luckypaw-x.local:8643"),
    (LAN, "luckypaw.local"),
    (LAN, "luckypaw.local:80"),
    (LAN, "192.168.178.24:8643"),
    (LAN, ""),
    (HOTSPOT, "connectivitycheck.gstatic.com"),
]


@pytest.fixture(autouse=True)
def name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "luckypaw")


@pytest.mark.parametrize(("server", "host"), OURS)
def test_a_request_for_the_kit_is_known_by_its_address(server: tuple[str, int], host: str) -> None:
    assert (meant(Headers({"host": host}), server), called(Headers({"host": host}), server)) == (True, False)


@pytest.mark.parametrize(("server", "host"), NAMES)
def test_a_request_by_the_kits_name_is_known(server: tuple[str, int], host: str) -> None:
    assert (meant(Headers({"host": host}), server), called(Headers({"host": host}), server)) == (False, True)


@pytest.mark.parametrize(("server", "host"), OTHERS)
def test_a_name_that_may_be_anybodys_is_not_the_kits(server: tuple[str, int], host: str) -> None:
    assert (meant(Headers({"host": host}), server), called(Headers({"host": host}), server)) == (False, False)


def test_only_addresses_at_which_the_service_lets_phones_in_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ("100.100.0.7", "192.168.178.23", "203.0.113.9", "169.254.3.3")
    monkeypatch.setattr(network, "addresses", lambda: there)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        monkeypatch.setattr(type(listener), "getsockname", lambda _: ("0.0.0.0", port), raising=False)
        assert network.way(listener).addresses == tuple(f"{one}:{port}" for one in there)
        monkeypatch.setattr(service, "here", lambda: True)
        assert network.way(listener).addresses == (f"192.168.178.23:{port}", f"169.254.3.3:{port}")


def test_the_service_lets_in_whose_addresses_are_shown() -> None:
    unit = (Path(__file__).resolve().parents[2] / "systemd" / "luckypaw-lan.conf").read_text()
    (allowed,) = re.findall(r"^IPAddressAllow=(.*)$", unit, re.MULTILINE)
    assert tuple(map(ip_network, allowed.split())) == network.LET_IN
