"""What phones ask of the DNS of the kit's own Wi-Fi (phones_ask.toml), asked of a real one in each way that one may."""

import secrets
import socket
import struct
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

KIT = "10.42.0.1"
TYPES = {"A": 1, "NS": 2, "CNAME": 5, "SOA": 6, "PTR": 12, "MX": 15, "TXT": 16, "AAAA": 28, "SRV": 33, "NAPTR": 35}
TYPES |= {"DS": 43, "DNSKEY": 48, "SVCB": 64, "HTTPS": 65, "ANY": 255, "CAA": 257}
RECURSION = 0x0100
RESPONSE, TRUNCATED, ERROR = 0x8000, 0x0200, 0x000F
OPT_DO = struct.pack(">BHHIH", 0, 41, 1232, 0x8000, 0)  # EDNS0: 1232 bytes, with signatures
NO_NAME = 3
IN_VAIN_S = 20.0  # dnsmasq, which asks nobody here, answers in 1 ms or never

Send = Callable[[tuple[str, int], bytes], bytes]


class Question(NamedTuple):
    """Who asks for what, and gets which answer."""

    who: str
    name: str
    kind: str
    gets: str

    def __str__(self) -> str:
        return f"{self.who} {self.name} {self.kind}"


QUESTIONS = [
    Question(phone["who"], name, kind, gets)
    for phone in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["phone"]
    for name in phone["names"]
    for kind, gets in phone["gets"].items()
]


def over_udp(server: tuple[str, int], message: bytes) -> bytes:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(IN_VAIN_S)
        line.sendto(message, server)
        return line.recv(4096)


def over_tcp(server: tuple[str, int], message: bytes) -> bytes:
    with socket.create_connection(server, IN_VAIN_S) as line, line.makefile("rb") as answer:
        line.sendall(struct.pack(">H", len(message)) + message)
        return answer.read(*struct.unpack(">H", answer.read(2)))


def in_odd_letters(name: str) -> str:
    """As resolvers write a name that want to know their answer again."""
    return "".join(char.upper() if n % 2 else char for n, char in enumerate(name))


WAYS: dict[str, tuple[Send, Callable[[str], str], bytes]] = {
    "UDP": (over_udp, str, b""),
    "TCP": (over_tcp, str, b""),
    "EDNS0": (over_udp, str, OPT_DO),
    "upper case": (over_udp, str.upper, b""),
    "odd letters": (over_udp, in_odd_letters, b""),
}


def answers(server: tuple[str, int], question: Question) -> dict[str, str]:
    """By the way in which it is asked, once, what comes back: as in the table, or what is wrong with it."""
    return {way: ask(server, question, way) for way in WAYS}


def ask(server: tuple[str, int], question: Question, way: str) -> str:
    send, written, more = WAYS[way]
    number = secrets.randbelow(1 << 16)
    labels = [part.encode() for part in written(question.name).split(".") if part]
    name = b"".join(struct.pack("B", len(label)) + label for label in labels)
    kind = TYPES.get(question.kind) or int(question.kind)
    asked = name + struct.pack(">BHH", 0, kind, 1)
    try:
        answer = send(server, struct.pack(">6H", number, RECURSION, 1, 0, 0, bool(more)) + asked + more)
    except OSError as error:
        return f"no answer: {error}"
    return told(answer, number, asked)


def told(answer: bytes, number: int, asked: bytes) -> str:
    """What an answer says to a question."""
    same, flags, _, count, _, _ = struct.unpack_from(">6H", answer)
    if same != number or not flags & RESPONSE or flags & TRUNCATED or not answer.startswith(asked, 12):
        return f"no answer to the question: {answer!r}"
    if flags & ERROR:
        return "no name" if flags & ERROR == NO_NAME else f"error {flags & ERROR}"
    # a pointer to the name, or the root itself; A, IN; 0 s: forgotten once the phone is elsewhere
    record = struct.pack(">HHIH", TYPES["A"], 1, 0, 4) + socket.inet_aton(KIT)
    rest = answer[12 + len(asked) :]
    if count == 1 and rest.startswith((b"\xc0\x0c" + record, b"\x00" + record)):
        return "kit"
    return f"{count} records: {rest!r}" if count else "none"
