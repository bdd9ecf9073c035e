"""The strip's port, and what stands at its other end."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from select import select
from time import monotonic
from typing import TYPE_CHECKING

from hardware.config import StripConfig
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.holders import holders
from hardware.doctor.machine import group, usable, user
from hardware.strip import OFF, wire
from hardware.strip.talk import MAX_READ, Talk, quoted

if TYPE_CHECKING:
    from serial import Serial

GARBAGE = 0.2  # of the bytes that no text has


def strip(described: StripConfig, root: Path, find: Callable[[], tuple[str, ...]] | None = None) -> Finding:
    """The strip of a kit's description. Its lamps go dark."""
    if described.port is not None:
        return _port(described.port, root)
    if find is None:
        from hardware.strip.ports import candidates

        find = candidates
    places = find()
    if not places:
        return finding("strip-not-found", "strip", "USB")
    found = [_port(place, root) for place in places]
    return next((each for each in found if not each.fault), found[0])


def _port(place: str, root: Path) -> Finding:
    device = Path(place)
    if not device.exists():
        there = ", ".join(map(str, sorted((root / "dev/serial/by-id").glob("*"))))
        return finding("strip-no-port", "strip", place, others=f"; there is {there}" if there else "")
    if not usable(device):
        return finding("strip-no-rights", "strip", place, user=user(), group=group(device, usual="dialout"))
    from hardware.strip.serial import open_port

    try:
        port = open_port(place)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EBUSY):  # its lock is taken, or somebody wants it for himself
            return _busy(place, holders(root, str(device.resolve())) or ["another program"])
        reason = os.strerror(error.errno) if error.errno else str(error)
        return finding("strip-lost", "strip", place, reason=" ".join(reason.split()))
    line = _RecordedPort(port)
    try:
        found = _talked(place, line)
        # a login console takes no lock, only every other answer
        others = holders(root, str(device.resolve())) if found.fault else []
        return _busy(place, others) if others else found
    finally:
        with suppress(Exception):  # termios has an error of its own
            port.reset_output_buffer()  # else closing waits for a hung port to take what is left
        port.close()


def _busy(place: str, others: list[str]) -> Finding:
    return finding("strip-busy", "strip", place, holder=", ".join(others))


def _talked(place: str, line: "_RecordedPort") -> Finding:
    """What comes of the conversation that the kit itself begins with."""
    talk = Talk(line, lambda leds: (OFF,) * leds)
    try:
        talk.greet()
    except OSError as error:
        return judge(place, bytes(line.heard), str(error), unasked=line.unasked)
    return fine("strip", place, f"all right, {talk.leds} lamps")


def judge(place: str, heard: bytes, why: str, *, unasked: bool) -> Finding:
    """Why a conversation has failed, by what was heard, and whether some of it came before anything was asked."""
    rows = heard.replace(b"\r", b"\n").split(b"\n")
    said = next((row.strip() for row in rows if row.strip()), b"")
    words = quoted(said)
    if not heard:
        return finding("strip-silent", "strip", place)
    if any(wire.is_version(row) for row in rows):
        return finding("strip-unfit", "strip", place, reason=why)
    if sum(not (32 <= byte < 127 or byte in b"\r\n\t") for byte in heard) > GARBAGE * len(heard):
        return finding("strip-garbage", "strip", place, baud=wire.BAUD)
    if unasked:
        return finding("strip-babbles", "strip", place, said=words)
    return finding("strip-foreign", "strip", place, said=words)


class _RecordedPort:
    """An open port as the conversation sees it; all that is heard is kept."""

    def __init__(self, port: "Serial") -> None:
        self.heard = bytearray()
        self.unasked = False  # whether anything was heard before the first question
        self._asked = False
        self._port = port

    def now_s(self) -> float:
        return monotonic()

    def write(self, data: bytes) -> None:
        self._asked = True
        self._port.write(data)

    def read(self, until_s: float) -> bytes:
        ready, _, _ = select([self._port], (), (), max(0.0, until_s - monotonic()))
        data = bytes(self._port.read(MAX_READ)) if ready else b""
        self.heard += data
        self.unasked |= bool(data) and not self._asked
        return data
