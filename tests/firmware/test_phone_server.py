"""The server for phones: who is answered, how a phone joins, what strangers get."""

import gzip
import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from firmware.phones import network, server
from firmware.phones.hub import MAX_OF_ONE
from firmware.phones.server import BROKEN_RULES, NO_SESSION
from hardware.config import PanelConfig
from tests.firmware.phone_table import PhoneTable, ended, told
from tests.simulators.phone import SPACES, as_wish


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.mark.parametrize("page", ["/", "/board"])
def test_a_page_is_small(table: PhoneTable, page: str) -> None:
    """20 kB with all that it loads, as they are sent."""
    sizes, wanted = dict[str, int](), {page}
    while wanted:
        path = wanted.pop()
        body = table.ask("GET", path, **{"Accept-Encoding": "gzip"}).body
        sizes[path] = len(body)
        text = body if path == "/qr.svg" else gzip.decompress(body)
        found = re.findall(rb"""<(?:link|script|img) [^>]*(?:href|src)="(/[\w.]+)"|from "\.(/[\w.]+)\"""", text)
        wanted |= {one.decode() for pair in found for one in pair if one} - {*sizes, "/"}
    assert {"/seats.css", "/common.js", "/words.js"} <= set(sizes)
    assert sum(sizes.values()) <= 20_000


def test_the_address_with_the_code_is_the_same_page_and_changes_nothing(table: PhoneTable) -> None:
    page = table.ask("GET", f"/{table.phones.code}")
    assert (page.status, page.body, page.headers["Set-Cookie"]) == (200, table.ask("GET", "/").body, None)
    assert table.phones.all == ()
    assert table.ask("GET", "/favicon.ico").status == 404


def test_who_has_the_code_sees_the_places_and_one_tap_joins_and_sits_down(table: PhoneTable) -> None:
    table.play("people[Anna Ben] [Kitty Paw] P1*2 P3*2")
    body = json.dumps({"code": table.phones.code})
    places = json.loads(table.ask("POST", "/look", body).body)["places"]
    assert [(place["button"], place["name"]) for place in places] == [("P1", "Anna"), ("P3", "Ben")]
    assert table.phones.all == ()
    joined = table.ask("POST", "/join", json.dumps({"code": table.phones.code, "button": "P3"}))
    with table.page(joined.cookie) as line:
        assert [place["name"] for place in told(line, "me")["places"] if place["mine"]] == ["Ben"]


def test_a_tap_joins_by_a_cookie_that_scripts_do_not_see(table: PhoneTable) -> None:
    answer = table.join()
    cookie = answer.headers["Set-Cookie"].lower()
    assert answer.status == 200
    assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/", "max-age="))
    with table.page(answer.cookie) as line:
        assert told(line, "me")["role"] == "watch"


def test_a_second_tap_of_the_same_phone_joins_no_other_one(table: PhoneTable) -> None:
    cookie = table.join().cookie
    again = table.ask("POST", "/join", json.dumps({"code": table.phones.code, "button": "P1"}), Cookie=cookie)
    assert (again.status, again.headers["Set-Cookie"], len(table.phones.all)) == (200, None, 1)


def test_of_many_pages_of_one_phone_the_oldest_go_and_others_have_room(table: PhoneTable) -> None:
    cookie, other = table.join().cookie, table.join().cookie
    with ExitStack() as opened:
        lines = [opened.enter_context(table.page(cookie)) for _ in range(MAX_OF_ONE + 2)]
        for line in lines[:2]:
            assert ended(line) == BROKEN_RULES
        with table.page(other) as line:
            assert told(line, "me")["role"] == "watch"
        assert told(lines[-1], "me")["role"] == "watch"


def test_an_answer_from_a_page_is_entered_and_acknowledged(table: PhoneTable) -> None:
    cookie = table.join().cookie
    with table.page(cookie) as line:
        line.send(json.dumps(as_wish({"seat": "P2"}, {})))
        while not [place for place in told(line, "me")["places"] if place["mine"]]:
            pass
        table.play(SPACES)
        while not (asks := told(line, "me")["asks"]):
            pass
        line.send(json.dumps({"ask": asks[0]["id"], "value": 7, "nonce": "01234567"}))
        assert told(line, "ack") == {"nonce": "01234567", "refused": "", "saved": True}
    assert table.do(lambda: table.rig.playing.entry.values) == {1: 7}


def test_hostile_texts_are_refused_in_a_line_and_too_long_ones_end_the_link(table: PhoneTable) -> None:
    cookie = table.join().cookie
    with table.page(cookie) as line:
        line.send(json.dumps(as_wish({"seat": "P1"}, {})))
        while not [place for place in told(line, "me")["places"] if place["mine"]]:
            pass
        table.play("game[cat_pageant 2] P1*2 ok P1*4 ok P1 ok P1*3 ok")
        while "letters" not in (ask := [*told(line, "me")["asks"], {}][0]):
            pass
        for n, text in enumerate(("\ud800", "\0", "\u202eשלום", "x" * 900)):
            line.send(json.dumps({"ask": ask["id"], "value": text, "nonce": f"0000000{n}"}))
            assert told(line, "ack")["refused"]
            line.send(json.dumps(as_wish({"name": text, "button": "P1"}, {})))
            assert told(line, "refused")
        line.send(json.dumps({"ask": ask["id"], "value": "x" * 10**6, "nonce": "00000009"}))
        assert ended(line) is not None
    assert table.do(lambda: table.rig.playing.play.state.named) == ("", "")


@pytest.mark.parametrize("cookie", ["", "luckypaw=x", "luckypaw=", "other=1; luckypaw=..", "luckypaw", "=;;,"])
def test_without_having_joined_there_is_nothing_to_see(table: PhoneTable, cookie: str) -> None:
    with table.page(cookie) as line:
        assert ended(line) == NO_SESSION


@pytest.mark.parametrize(
    ("where", "installed", "opened_for", "said"),
    [
        ("hotspot", False, "", "a hotspot needs an installed kit: sudo scripts/install"),
        ("hotspot", True, "hotspot", "the service is closed: sudo luckypaw phones on"),  # systemd hands it no socket
        ("lan", True, "", "the service is closed: sudo luckypaw phones on"),
        ("lan", True, "hotspot", "the service is closed: sudo luckypaw phones on"),
        ("lan", True, "lan", ""),
        ("lan", False, "", ""),
    ],
)
def test_where_phones_cannot_be_let_in_it_says_what_is_missing_and_nothing_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Any, installed: bool, opened_for: str, said: str
) -> None:
    listened: list[int] = []

    def listen(_address: str, port: int, _key: str) -> socket.socket:
        listened.append(port)
        return socket.socket()

    monkeypatch.setattr(network, "OPENED", tmp_path / "phones.conf")
    monkeypatch.setattr(network, "listen", listen)
    if installed:
        monkeypatch.setenv("NOTIFY_SOCKET", "/run/systemd/notify")
    if opened_for:
        network.OPENED.symlink_to(tmp_path / f"luckypaw-{opened_for}.conf")
    refused = ""
    try:
        network.listener(PanelConfig(network=where)).close()
    except OSError as error:
        refused = str(error)
    assert (refused, listened) == (said, [] if said else [8643])


@pytest.fixture
def hotspot(tmp_path: Path) -> Iterator[PhoneTable]:
    """A kit in its own Wi-Fi."""
    table = PhoneTable(tmp_path, hotspot=True)
    yield table
    table.close()


PROBES = (  # where phones and browsers look for the internet
    ("connectivitycheck.gstatic.com", "/generate_204"),
    ("captive.apple.com", "/hotspot-detect.html"),
    ("www.msftconnecttest.com", "/connecttest.txt"),
    ("detectportal.firefox.com", "/canonical.html"),
)


@pytest.mark.parametrize(("host", "path"), PROBES)
def test_in_the_kits_wifi_a_phone_that_looks_for_the_internet_is_told_where_the_kit_is(
    hotspot: PhoneTable, host: str, path: str
) -> None:
    answer = hotspot.ask("GET", path, Host=host)
    assert (answer.status, answer.headers["Set-Cookie"]) == (200, None)
    assert b"http://127.0.0.1<" in answer.body and b"no internet" in answer.body


def test_in_the_kits_wifi_a_foreign_host_gets_nothing_else(hotspot: PhoneTable) -> None:
    body = json.dumps({"code": hotspot.phones.code})
    assert hotspot.ask("POST", "/join", body, Host="evil.example").status == 403
    assert hotspot.ask("POST", "/join", body, Host="evil.example", Origin="http://evil.example").status == 403
    assert hotspot.ask("GET", "/", Host="evil.example").body == hotspot.ask("GET", "/x", Host="captive.apple.com").body
    assert hotspot.phones.all == ()
    assert hotspot.join().status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost:{port}", "192.168.0.9:{port}"])
def test_a_foreign_host_is_refused(table: PhoneTable, host: str) -> None:
    assert table.ask("GET", "/", Host=host.format(port=table.port)).status == 403


def test_who_asks_by_the_kits_name_is_led_on_to_its_address(table: PhoneTable) -> None:
    name = f"{socket.gethostname()}.local:{table.port}"
    answer = table.ask("GET", "/7F3K9Q", Host=name)
    assert (answer.status, answer.headers["Location"]) == (307, f"http://{table.host}/7F3K9Q")
    assert table.ask("POST", "/join", "{}", Host=name, Origin=f"http://{name}").status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", ""])
def test_a_foreign_page_cannot_join_nor_listen(table: PhoneTable, origin: str) -> None:
    body = json.dumps({"code": table.phones.code})
    assert table.ask("POST", "/join", body, Origin=origin.format(port=table.port)).status == 403
    cookie = table.join().cookie
    if origin:
        with pytest.raises(Exception, match="403"), table.page(cookie, origin.format(port=table.port)):
            pass


def test_wrong_codes_slow_newcomers_and_nobody_else(table: PhoneTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "WRONG_S", server.SLOWEST_S)
    cookie = table.join().cookie
    wrong = [table.ask("POST", path, '{"code": "AAAAAA"}').status for path in ("/look", "/join", "/look")]
    assert wrong == [403, 429, 429]
    assert table.join().status == 429  # not even with the right one
    with table.page(cookie) as line:
        assert told(line, "me")["role"] == "watch"
    monkeypatch.setattr(server, "CALM_S", 0.0)
    assert table.join().status == 200


@pytest.mark.parametrize("body", ["", "{}", "[]", '{"code": 7}', '{"code": null}', "x" * 5000, '{"code": "é"}'])
def test_what_is_no_code_is_refused(table: PhoneTable, body: str) -> None:
    assert table.ask("POST", "/join", body).status in (400, 403)
    assert table.phones.all == ()


@pytest.mark.parametrize("text", ["x", "[]", "{}", '{"sit": "P9"}', "9" * 1000, "[" * 900])
def test_what_no_page_sends_ends_only_this_link(table: PhoneTable, text: str) -> None:
    one, two = table.join().cookie, table.join().cookie
    with table.page(two) as other:
        told(other, "me")
        with table.page(one) as line:
            line.send(text)
            assert ended(line) is not None
        other.send(json.dumps(as_wish({"seat": "P1"}, {})))
        assert [place["button"] for place in told(other, "me")["places"] if place["mine"]] == ["P1"]


def test_who_is_thrown_out_is_told(table: PhoneTable) -> None:
    cookie = table.join().cookie
    with table.page(cookie) as line:
        told(line, "me")
        table.do(lambda: table.phones.throw_out(table.phones.all[0].id))
        assert ended(line) == NO_SESSION
