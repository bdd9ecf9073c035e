"""Hostile phones and strangers: they are refused, and who has joined notices nothing."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from firmware.phones.server import LATER, MAX_LINKS, MAX_OF_ONE, NO_SESSION
from firmware.web.limits import MAX_CONNECTIONS
from tests.firmware.phone_table import PhoneTable, ended, told

SPACES = "game[pack_and_stack 3] P1 ok 3300 P1 100 P2 100 P3 1700 ok"
STRANGER = "127.0.0.2"  # another address of this machine
SOON_S = 1.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


def answered_s(line: ClientConnection, button: str) -> float:
    """How long a phone waits until it has taken a place and left it."""
    began_s = time.monotonic()
    for verb, mine in (("seat", True), ("leave", False)):
        line.send(json.dumps({verb: button}))
        while any(place["mine"] for place in told(line, "me")["places"]) is not mine:
            pass
    return time.monotonic() - began_s


def test_strangers_who_keep_connections_open_take_no_place_of_a_phone(table: PhoneTable) -> None:
    cookies = [table.join().cookie for _ in range(8)]
    with contextlib.ExitStack() as opened:
        lines = [opened.enter_context(table.page(cookie)) for cookie in cookies]
        for line in lines:
            told(line, "me")
        for _ in range(2 * MAX_CONNECTIONS):
            stranger = socket.create_connection(("127.0.0.1", table.port), source_address=(STRANGER, 0))
            opened.callback(stranger.close)
        assert answered_s(lines[0], "P1") < SOON_S
        began_s = time.monotonic()
        assert table.join().status == 200  # a newcomer, too
        assert time.monotonic() - began_s < SOON_S


def test_strangers_who_guess_do_not_slow_a_phone(table: PhoneTable) -> None:
    cookie, done = table.join().cookie, threading.Event()

    def guess() -> None:
        while not done.is_set():
            with contextlib.suppress(OSError):
                line = HTTPConnection("127.0.0.1", table.port, timeout=1, source_address=(STRANGER, 0))
                headers = {"Host": table.host, "Origin": f"http://{table.host}"}
                line.request("POST", "/join", '{"code": "AAAAAA"}', headers)
                assert line.getresponse().status in (403, 429)
                line.close()

    guessing = threading.Thread(target=guess)
    with table.page(cookie) as line:
        told(line, "me")
        guessing.start()
        try:
            slowest_s = max(answered_s(line, "P1") for _ in range(20))
        finally:
            done.set()
            guessing.join()
    assert slowest_s < SOON_S
    assert len(table.phones.all) == 1


@pytest.mark.parametrize("size", [1025, 1_000_000])
def test_a_frame_that_is_too_large_ends_its_own_link(table: PhoneTable, size: int) -> None:
    one, two = table.join().cookie, table.join().cookie
    with table.page(two) as other:
        told(other, "me")
        with table.page(one) as line:
            line.send("x" * size)
            assert ended(line) is not None
        assert answered_s(other, "P1") < SOON_S


def test_a_flood_of_one_phone_ends_its_own_link(table: PhoneTable) -> None:
    one, two = table.join().cookie, table.join().cookie
    with table.page(two) as other:
        told(other, "me")
        with table.page(one) as line:
            with contextlib.suppress(ConnectionClosed, OSError):
                for _ in range(5000):
                    line.send(json.dumps({"seat": "P1"}))
            assert ended(line) is not None
        assert answered_s(other, "P2") < SOON_S


def test_a_cookie_of_who_was_thrown_out_is_worth_nothing(table: PhoneTable) -> None:
    cookie = table.join().cookie
    table.do(lambda: table.phones.throw_out(table.phones.all[0].id))
    with table.page(cookie) as line:
        assert ended(line) == NO_SESSION


def test_there_are_so_many_pages_and_the_others_stay(table: PhoneTable) -> None:
    cookies = [table.join().cookie for _ in range(MAX_LINKS // MAX_OF_ONE + 1)]
    with contextlib.ExitStack() as opened:
        lines = [opened.enter_context(table.page(cookie)) for cookie in cookies[:-1] * MAX_OF_ONE]
        for line in lines:
            told(line, "me")
        with table.page(cookies[-1]) as late:
            assert ended(late) == LATER
        assert answered_s(lines[0], "P1") < SOON_S


def test_an_answer_for_another_seat_is_refused(table: PhoneTable) -> None:
    one, two = table.join().cookie, table.join().cookie
    with table.page(one) as mine, table.page(two) as theirs:
        for line, button in ((mine, "P1"), (theirs, "P2")):
            line.send(json.dumps({"seat": button}))
            while not any(place["mine"] for place in told(line, "me")["places"]):
                pass
        table.play(SPACES)
        while not (asks := told(theirs, "me")["asks"]):
            pass
        mine.send(json.dumps({"ask": asks[0]["id"], "value": 3, "nonce": "0123456789ab"}))
        assert told(mine, "ack")["refused"] == "too late: this is not asked any more"
    assert table.do(lambda: table.rig.playing.entry.values) == {}


def test_no_message_of_a_phone_presses_anything(table: PhoneTable) -> None:
    cookie = table.join().cookie
    before = table.do(lambda: table.rig.after(0).reads())
    for message in (
        {"button": "P1", "down": True},
        {"ok": True},
        {"turn": 1, "knob": True},
        {"plug": "display", "in": False},
    ):
        with table.page(cookie) as line:
            line.send(json.dumps(message))
            assert ended(line) is not None
    assert table.do(table.rig.reads) == before
