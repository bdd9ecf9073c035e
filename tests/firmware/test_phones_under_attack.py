"""Hostile phones and strangers: they are refused, and who has joined notices nothing."""

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection

from firmware.phones.hub import MAX_LINKS, MAX_OF_ONE, MAX_PHONES, Phones
from firmware.phones.server import NO_SESSION
from firmware.web.limits import MAX_CONNECTIONS
from tests.firmware.clients import frame
from tests.firmware.phone_table import PhoneTable, ended, told
from tests.simulators.phone import SPACES, as_wish

STRANGER = "127.0.0.2"  # another address of this machine
COSTLY = 5  # times the smallest file


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


def is_answered(line: ClientConnection, button: str) -> bool:
    """A phone takes a place, and leaves it."""
    for verb, mine in (("seat", True), ("leave", False)):
        line.send(json.dumps(as_wish({verb: button}, {})))
        while any(place["mine"] for place in told(line, "me")["places"]) is not mine:
            pass
    return True


def test_strangers_who_keep_connections_open_take_no_place_of_a_phone(table: PhoneTable) -> None:
    cookies = [table.join().cookie for _ in range(8)]
    with contextlib.ExitStack() as opened:
        lines = [opened.enter_context(table.page(cookie)) for cookie in cookies]
        for line in lines:
            told(line, "me")
        for _ in range(2 * MAX_CONNECTIONS):
            stranger = socket.create_connection(("127.0.0.1", table.port), source_address=(STRANGER, 0))
            opened.callback(stranger.close)
        assert is_answered(lines[0], "P1")
        assert table.join().status == 200  # a newcomer, too


def test_a_guess_of_a_stranger_costs_the_kit_no_more_than_a_file(table: PhoneTable) -> None:
    def cost_s(method: str, path: str, body: str, *expected: int) -> float:
        """What a request costs the kit's loop."""
        before_s = table.do(time.thread_time)
        assert table.ask(method, path, body).status in expected
        return table.do(time.thread_time) - before_s

    def guess_s() -> float:
        return cost_s("POST", "/join", '{"code": "AAAAAA"}', 403, 429)

    with table.page(table.join().cookie) as line:
        told(line, "me")
        pairs = [(guess_s(), cost_s("GET", "/icon.svg", "", 200)) for _ in range(100)]
        assert is_answered(line, "P1")
    guesses_s, files_s = (sum(sorted(each)[:50]) for each in zip(*pairs, strict=True))
    assert guesses_s < COSTLY * files_s
    assert len(table.phones.all) == 1


@pytest.mark.parametrize("size", [1025, 1_000_000])
def test_a_frame_that_is_too_large_ends_its_own_link(table: PhoneTable, size: int) -> None:
    one, two = table.join().cookie, table.join().cookie
    with table.page(two) as other:
        told(other, "me")
        with table.page(one) as line:
            line.send("x" * size)
            assert ended(line) is not None
        assert is_answered(other, "P1")


def test_a_flood_of_one_phone_ends_its_own_link(table: PhoneTable) -> None:
    one, two = table.join().cookie, table.join().cookie
    with table.page(two) as other:
        told(other, "me")
        with table.page(one) as line:
            with contextlib.suppress(OSError):
                line.socket.sendall(frame(b'{"seat": "P1"}') * 5000)
            assert ended(line) is not None
        assert is_answered(other, "P2")


def test_a_cookie_of_who_was_thrown_out_is_worth_nothing(table: PhoneTable) -> None:
    cookie = table.join().cookie
    table.do(lambda: table.phones.throw_out(table.phones.all[0].id))
    with table.page(cookie) as line:
        assert ended(line) == NO_SESSION


def test_where_there_are_too_many_pages_each_phone_still_has_one(table: PhoneTable) -> None:
    cookies = [table.join().cookie for _ in range(MAX_PHONES)]
    with contextlib.ExitStack() as opened:
        for cookie in cookies[: MAX_LINKS // MAX_OF_ONE] * MAX_OF_ONE:
            told(opened.enter_context(table.page(cookie)), "me")
        late = [opened.enter_context(table.page(cookie)) for cookie in cookies[MAX_LINKS // MAX_OF_ONE :]]
        assert [told(line, "me")["role"] for line in late] == ["watch"] * len(late)
        assert table.do(lambda: [table.phones.connected(phone.id) for phone in table.phones.all]) == [True] * MAX_PHONES


class Ghosts:
    """Phones that join by the code and are never seen again, all at one address."""

    def __init__(self, table: PhoneTable) -> None:
        self.table = table

    def join(self, count: int, address: str = STRANGER) -> list[str]:
        """So many join. Returns their ids."""
        return [self.table.do(lambda: joined(self.table.phones, address)) for _ in range(count)]


def joined(phones: Phones, address: str, button: str | None = None) -> str:
    """A phone joins. Returns its id."""
    token = phones.join(phones.code, button, address)
    assert token is not None
    known = phones.known(token)
    assert known is not None
    return known


def test_of_a_crowd_of_ghosts_one_goes_for_each_newcomer(table: PhoneTable) -> None:
    ghosts = Ghosts(table).join(MAX_PHONES)
    newcomers = [table.do(lambda: joined(table.phones, "10.0.0.7")) for _ in range(6)]  # behind one address
    Ghosts(table).join(100)
    there = table.do(lambda: [phone.id for phone in table.phones.all])
    assert (set(newcomers) <= set(there), set(ghosts) & set(there), len(there)) == (True, set(), MAX_PHONES)


def test_a_phone_that_was_away_longest_goes_and_none_with_a_place_a_role_or_a_page(table: PhoneTable) -> None:
    phones = table.phones
    sits, shows = table.join().cookie, table.join().cookie
    with table.page(sits) as line, table.page(shows) as other:
        line.send(json.dumps(as_wish({"seat": "P1"}, {})))
        other.send(json.dumps(as_wish({"table": True}, {})))
        assert told(other, "refused") == ""
    away = [table.join().cookie for _ in range(MAX_PHONES - 3)]
    for cookie in away:
        with table.page(cookie) as line:
            told(line, "me")
        table.do(lambda: table.rig.after(1000))
    with table.page(table.join().cookie) as opened:
        told(opened, "me")
        needed = {
            phone.id for phone in phones.all if phone.holds or phone.role != "watch" or phones.connected(phone.id)
        }
        before = [phone.id for phone in phones.all if phone.id not in needed]
        assert len(needed) == 3
        for _ in range(2):
            new = table.join()
            with table.page(new.cookie) as line:
                told(line, "me")
            table.do(lambda: table.rig.after(1000))
        there = {phone.id for phone in phones.all}
    assert (needed <= there, [id_ in there for id_ in before]) == (True, [False, False, *[True] * (len(before) - 2)])


def test_where_all_phones_have_a_page_no_other_one_joins(table: PhoneTable) -> None:
    with contextlib.ExitStack() as opened:
        for _ in range(MAX_PHONES):
            told(opened.enter_context(table.page(table.join().cookie)), "me")
        assert (table.join().status, len(table.phones.all)) == (503, MAX_PHONES)


def test_a_flood_of_wishes_is_one_question_and_who_joins_anew_waits_as_long(table: PhoneTable) -> None:
    cookie = table.join().cookie
    table.play(f"{SPACES} 1000")
    with table.page(cookie) as line:
        for _ in range(100):
            line.send(json.dumps(as_wish({"seat": "P2"}, {})))
        while not told(line, "me")["wish"]:
            pass
        table.play("1000 turn+1")
        while (last := told(line, "told")) != "The kit says no. Ask again in 10 s.":
            assert last == "The kit asks already."
        table.play("3000")
        again = table.ask("POST", "/join", json.dumps({"code": table.phones.code, "button": "P2"})).cookie
        with table.page(again) as other:
            assert told(other, "told") == "Not now. Ask again in 7 s."
        assert table.do(lambda: table.rig.top) == "Playing"


def test_an_answer_for_another_seat_is_refused(table: PhoneTable) -> None:
    one, two = table.join().cookie, table.join().cookie
    with table.page(one) as mine, table.page(two) as theirs:
        for line, button in ((mine, "P1"), (theirs, "P2")):
            line.send(json.dumps(as_wish({"seat": button}, {})))
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
