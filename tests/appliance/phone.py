"""A phone in a network of its own: what it finds there, or a game that it answers for the table. Prints what it saw.

`find`: the page that a phone gets which looks for the internet, and what comes of connections to anywhere else.
`names`: what was asked of the kit's DNS and answered in another way than it should be.
`addresses`: what the kit's DHCP says to phones that ask for one.
`play CODE`: joins, and answers every question for a number until the game is over.
"""

import json
import secrets
import socket
import struct
import sys
from collections.abc import Callable
from errno import errorcode
from http.client import HTTPConnection
from typing import Any

from websockets.sync.client import connect
from websockets.typing import Origin

from tests.simulators.phones_ask import KIT, QUESTIONS, WAYS, answers

BEHIND = ("192.0.2.2", 80)  # another machine that the kit reaches
ELSEWHERE = {  # what phones try besides. Beyond the kit first: the kernel says no twice at once, then every 2 s
    "behind the kit": (socket.SOCK_STREAM, BEHIND),
    "Google's DNS": (socket.SOCK_DGRAM, ("8.8.8.8", 53)),
    "https": (socket.SOCK_STREAM, (KIT, 443)),
    "QUIC": (socket.SOCK_DGRAM, (KIT, 443)),
    "DNS over TLS": (socket.SOCK_STREAM, (KIT, 853)),
}
PROBE = "connectivitycheck.gstatic.com"
WAIT_S = 10.0
SOON_S = 2.0  # phones ask again after one to five; who looks for an address by ping takes 3
DISCOVER, OFFER, REQUEST, ACK, NAK = 1, 2, 3, 5, 6  # kinds of DHCP's messages
BROADCAST = 0x8000
MAGIC = b"\x63\x82\x53\x63"


def get(host: str, path: str) -> tuple[int, str]:
    """A page of some host, which DNS has said is the kit."""
    line = HTTPConnection(KIT, 80, timeout=WAIT_S)
    line.request("GET", path, headers={"Host": host})
    answer = line.getresponse()
    return answer.status, answer.read().decode()


def comes_of(kind: socket.SocketKind, address: tuple[str, int]) -> str:
    """What comes of it: the name of the system's error, or that it is connected."""
    with socket.socket(socket.AF_INET, kind) as line:
        line.settimeout(SOON_S)
        try:
            line.connect(address)
            if kind == socket.SOCK_DGRAM:
                line.send(b"?")
                line.recv(512)
        except TimeoutError:
            return "no answer"
        except OSError as error:
            return errorcode[error.errno or 0]
    return "connected"


def find() -> dict[str, Any]:
    status, page = get(PROBE, "/generate_204")
    return {
        "probe": [status, "no internet" in page, f"http://{KIT}<" in page],
        "page": "Join the table" in get(KIT, "/")[1],
        "elsewhere": {name: comes_of(*where) for name, where in ELSEWHERE.items()},
    }


def names() -> dict[str, Any]:
    got = {str(question): answers((KIT, 53), question) for question in QUESTIONS}
    return {str(each): got[str(each)] for each in QUESTIONS if got[str(each)] != dict.fromkeys(WAYS, each.gets)}


def lease(kind: int, address: str | None = None) -> int:
    """The kind of the kit's answer to a phone that it does not know. Raises `TimeoutError`: there was none."""
    number, hardware = secrets.token_bytes(4), b"\x02" + secrets.token_bytes(5)
    wish = struct.pack("BB", 50, 4) + socket.inet_aton(address) if address else b""
    head = struct.pack(">4B4sHH16s16s192x", 1, 1, 6, 0, number, 0, BROADCAST, b"", hardware)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"wlan1")
        line.settimeout(SOON_S)
        line.bind(("", 68))
        line.sendto(head + MAGIC + struct.pack("3B", 53, 1, kind) + wish + b"\xff", ("255.255.255.255", 67))
        answer = line.recv(1500)
    assert answer[4:8] == number
    return answer[answer.index(MAGIC + b"\x35\x01") + 6]


def addresses() -> dict[str, Any]:
    return {
        "it has none": lease(DISCOVER) == OFFER,
        "it had one here": lease(REQUEST, "10.42.0.77") == ACK,
        "it had one elsewhere": lease(REQUEST, "192.168.178.23") == NAK,
    }


def play(code: str) -> dict[str, Any]:
    line = HTTPConnection(KIT, 80, timeout=WAIT_S)
    line.request("POST", "/join", json.dumps({"code": code}), {"Host": KIT, "Origin": f"http://{KIT}"})
    answer = line.getresponse()
    assert answer.status == 200, f"{code} is refused: {answer.read()!r}"
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    sent: set[str] = set()
    game: dict[str, Any] = {}
    asks: list[dict[str, Any]] = []
    saved = 0
    with connect(f"ws://{KIT}/ws", origin=Origin(f"http://{KIT}"), additional_headers={"Cookie": cookie}) as page:
        page.send(json.dumps({"table": True}))
        while not game.get("over"):
            news = json.loads(page.recv(timeout=120))
            game = news.get("game") or game
            saved += news.get("ack", {}).get("saved", False)
            asks = news.get("me", {}).get("asks", asks)
            open_ = [ask for ask in asks if "low" in ask and not ask["aside"] and ask["id"] not in sent]
            if open_ and saved == len(sent):  # one after the other
                ask = open_[0]
                sent.add(ask["id"])
                value = min(ask["low"] + 1 + ask["seat"], ask["high"])
                page.send(json.dumps({"ask": ask["id"], "value": value, "nonce": f"{len(sent):08x}"}))
    return {"answers": len(sent), "saved": saved, "game": game}


if __name__ == "__main__":
    does: dict[str, Callable[..., dict[str, Any]]]
    does = {"find": find, "names": names, "addresses": addresses, "play": play}
    print(json.dumps(does[sys.argv[1]](*sys.argv[2:])), flush=True)
