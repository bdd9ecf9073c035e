"""A phone in a network of its own: what it finds there, or a game that it answers for the table. Prints what it saw.

`find`: names, the page that a phone gets which looks for the internet, an address behind the kit.
`play CODE`: joins, and answers every question for a number until the game is over.
"""

import json
import socket
import struct
import sys
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any

from websockets.sync.client import connect
from websockets.typing import Origin

KIT = "10.42.0.1"
BEHIND = ("192.0.2.2", 80)  # another machine that the kit reaches
PROBE = "connectivitycheck.gstatic.com"
A, AAAA = 1, 28  # types of a DNS question
WAIT_S = 10.0


def ask_name(name: str, kind: int) -> list[str]:
    """The addresses of a name, by the kit's DNS. Raises `TimeoutError`: there was no answer."""
    labels = b"".join(struct.pack("B", len(label)) + label.encode() for label in name.split("."))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(WAIT_S)
        line.sendto(struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", kind, 1), (KIT, 53))
        answer = line.recv(512)
    (answers,) = struct.unpack_from(">H", answer, 6)
    return [socket.inet_ntoa(answer[-4:])] if answers else []


def get(host: str, path: str) -> tuple[int, str]:
    """A page of some host, which DNS has said is the kit."""
    line = HTTPConnection(KIT, 80, timeout=WAIT_S)
    line.request("GET", path, headers={"Host": host})
    answer = line.getresponse()
    return answer.status, answer.read().decode()


def reaches(address: tuple[str, int]) -> bool:
    """Whether a connection comes about."""
    with suppress(OSError), socket.create_connection(address, timeout=3):
        return True
    return False


def find() -> dict[str, Any]:
    status, page = get(PROBE, "/generate_204")
    return {
        "A": ask_name(PROBE, A),
        "AAAA": ask_name(PROBE, AAAA),
        "probe": [status, "no internet" in page, f"http://{KIT}<" in page],
        "page": "Join the table" in get(KIT, "/")[1],
        "behind": reaches(BEHIND),
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
    print(json.dumps(find() if sys.argv[1] == "find" else play(sys.argv[2])), flush=True)
