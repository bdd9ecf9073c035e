"""Which address of the machine the first QR code has: the one at which phones find the kit."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware.phones import network

# of an interface its address, what it stands on, "device" for a real one; and of a route its interface, destination,
# mask and metric, the numbers as the kernel writes them
Interfaces = dict[str, tuple[str, tuple[str, ...]]]
Routes = Sequence[tuple[str, str, str, int]]

HEAD = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT"
EVERYWHERE = ("00000000", "00000000")
HALVES = (("00000000", "00000080"), ("00000080", "00000080"))  # 0.0.0.0/1 and 128.0.0.0/1
WIFI: Interfaces = {"wlan0": ("192.168.1.20", ("device",))}
CABLE: Interfaces = {"eth0": ("192.168.1.21", ("device",))}
ALONE: Interfaces = {"eth0": ("169.254.7.7", ("device",))}  # a cable without a router
MODEM: Interfaces = {"usb0": ("192.168.42.5", ("device",))}  # a phone that shares its internet
DOCKER: Interfaces = {"docker0": ("172.17.0.1", ("lower_veth1",)), "veth1": ("172.17.0.9", ())}
VPN: Interfaces = {"tun0": ("10.8.0.6", ())}
BRIDGE: Interfaces = {"br0": ("192.168.1.22", ("lower_eth0", "lower_tap0"))}  # for virtual machines; eth0 has none
VLAN: Interfaces = {"lan.5": ("192.168.5.1", ("lower_bond0",))}  # bond0 has no address

TABLE = [
    pytest.param(WIFI | DOCKER | VPN, [("wlan0", *EVERYWHERE, 600)], "wlan0 docker0 tun0 veth1", id="a home network"),
    pytest.param(
        WIFI | DOCKER | VPN,
        [*(("tun0", *half, 0) for half in HALVES), ("wlan0", *EVERYWHERE, 600)],
        "wlan0 docker0 tun0 veth1",
        id="a VPN takes both halves of the default route",
    ),
    pytest.param(WIFI | VPN, [("tun0", *HALVES[0], 0)], "wlan0 tun0", id="a VPN has the lower half, and nothing else"),
    pytest.param(
        WIFI | DOCKER | VPN, [("tun0", *EVERYWHERE, 0)], "wlan0 tun0 docker0 veth1", id="a VPN is the default route"
    ),
    pytest.param(
        WIFI | VPN, [("tun0", *EVERYWHERE, 50), ("wlan0", *EVERYWHERE, 600)], "wlan0 tun0", id="a VPN before the router"
    ),
    pytest.param(
        WIFI | VPN, [("*", *EVERYWHERE, 5), ("wlan0", *EVERYWHERE, 600)], "wlan0 tun0", id="all else is refused"
    ),
    pytest.param(WIFI | DOCKER, [], "wlan0 docker0 veth1", id="no default route, Docker"),
    pytest.param(WIFI, [], "wlan0", id="no default route"),
    pytest.param(
        WIFI | CABLE, [("eth0", *EVERYWHERE, 100), ("wlan0", *EVERYWHERE, 600)], "eth0 wlan0", id="cable and Wi-Fi"
    ),
    pytest.param(
        WIFI | CABLE,
        [("wlan0", *EVERYWHERE, 600), ("eth0", *EVERYWHERE, 100)],
        "eth0 wlan0",
        id="the same, turned round",
    ),
    pytest.param(WIFI | MODEM, [("wlan0", *EVERYWHERE, 600)], "wlan0 usb0", id="a second network"),
    pytest.param(WIFI | ALONE, [], "wlan0 eth0", id="a cable without a router"),
    pytest.param(WIFI | ALONE, [("eth0", *EVERYWHERE, 1002)], "wlan0 eth0", id="the same, said to lead out"),
    pytest.param(ALONE | VPN | DOCKER, [], "eth0 docker0 tun0 veth1", id="only a cable without a router is real"),
    pytest.param(
        BRIDGE | DOCKER | VPN, [("tun0", *EVERYWHERE, 0)], "br0 tun0 docker0 veth1", id="a bridge on the cable"
    ),
    pytest.param(VLAN | DOCKER, [], "lan.5 docker0 veth1", id="a VLAN on a bond of two cables"),
    pytest.param(DOCKER | VPN, [("tun0", *EVERYWHERE, 0)], "tun0 docker0 veth1", id="nothing is real"),
    pytest.param({}, [], "", id="no network"),
]
LOWER = {"eth0": ("device",), "bond0": ("lower_eth0", "lower_eth1"), "eth1": ("device",)}  # that may have no address


@pytest.mark.parametrize(("interfaces", "routes", "order"), TABLE)
def test_the_first_address_is_where_phones_are(
    interfaces: Interfaces, routes: Routes, order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, stands_on in (LOWER | {name: parts for name, (_address, parts) in interfaces.items()}).items():
        for part in stands_on:
            (tmp_path / "net" / name / part).mkdir(parents=True)
    rows = [f"{name}\t{to}\t00000000\t0003\t0\t0\t{metric}\t{mask}\t0\t0\t0" for name, to, mask, metric in routes]
    (tmp_path / "route").write_text("\n".join((HEAD, *rows, "")))
    monkeypatch.setattr(network, "INTERFACES", tmp_path / "net")
    monkeypatch.setattr(network, "ROUTES", tmp_path / "route")
    found = {name: address for name, (address, _parts) in interfaces.items()}
    names = {address: name for name, address in found.items()}
    assert [names[address] for address in network.in_order(found)] == order.split()


def test_a_machine_without_a_table_of_routes_has_its_addresses_in_the_order_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "INTERFACES", tmp_path / "none")
    monkeypatch.setattr(network, "ROUTES", tmp_path / "none")
    assert network.in_order({"wlan0": "192.168.1.20", "eth0": "192.168.1.21"}) == ("192.168.1.21", "192.168.1.20")
