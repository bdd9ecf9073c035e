"""The strip's port, and the device at it."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from io import RawIOBase
from pathlib import Path
from select import select
from time import monotonic

from hardware.config import StripConfig
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.holders import holders, running
from hardware.doctor.machine import group, usable, user
from hardware.parts.strip import OFF, wire
from hardware.parts.strip.answer import WITH_PICTURES, Named, listed
from hardware.parts.strip.talk import MAX_READ, Dead, Talk, quoted
from hardware.words import N_

GARBAGE = 0.2  # the share of non-text bytes from which output is unreadable


def strip(described: StripConfig, root: Path, find: Callable[[], tuple[str, ...]] | None = None) -> Finding:
    """The strip of a kit's description. Its lamps go dark."""
    if described.port is not None:
        return _port(described.port, described.leds, root)
    if find is None:
        from hardware.parts.strip.ports import candidates

        find = candidates
    places = find()
    if not places:
        return _not_found(root)
    findings = [_port(place, described.leds, root) for place in places]
    return next((each for each in findings if not each.fault), findings[0])


def _not_found(root: Path) -> Finding:
    """No port on USB: what is plugged in instead."""
    from hardware.parts.strip import ports

    usb = root / "sys/bus/usb/devices"
    if (drive := ports.boot_drive(usb)) is not None:
        return finding("strip-no-program", "strip", "USB", drive=drive)
    if (device := ports.portless(usb)) is None:
        return finding("strip-not-found", "strip", "USB")
    place = f"USB {device.usb}"
    taken = holders(root, device.node) or running(root, "brltty")
    if taken:
        return finding("strip-taken", "strip", place, holder=", ".join(taken))
    return finding("strip-no-driver", "strip", place)


def _port(place: str, leds: int | None, root: Path) -> Finding:
    device = Path(place)
    if not device.exists():
        there = ", ".join(map(str, sorted((root / "dev/serial/by-id").glob("*"))))
        return finding("strip-no-port", "strip", place, others=N_("; there is {others}", others=there) if there else "")
    if not usable(device):
        return finding("strip-no-rights", "strip", place, user=user(), group=group(device, usual="dialout"))
    result = _opened(place, leds, root, raised=True)
    if result.code != "strip-silent":
        return result
    other_way = _opened(place, leds, root, raised=False)
    return result if other_way.fault else other_way


def _opened(place: str, leds: int | None, root: Path, *, raised: bool) -> Finding:
    """What comes of a port that is there, opened with DTR and RTS raised or not."""
    from hardware.parts.strip.serial import open_port

    device = Path(place)
    try:
        port = open_port(place, raised=raised)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EBUSY):  # it is locked or opened exclusively
            taken = holders(root, str(device.resolve())) or running(root, "ModemManager", "brltty")
            return _busy(place, taken or [N_("another program")])
        reason = os.strerror(error.errno) if error.errno else str(error)
        return finding("strip-lost", "strip", place, reason=" ".join(reason.split()))
    line = _RecordedPort(port)
    try:
        result = _greeted(place, leds, line)
        # a login console takes no lock, but every other answer
        others = holders(root, str(device.resolve())) if result.fault else []
        return _busy(place, others) if others else result
    finally:
        with suppress(Exception):  # termios has an error of its own
            port.reset_output_buffer()  # else closing waits for a hung port to take the rest
        port.close()


def _busy(place: str, others: list[str]) -> Finding:
    return finding("strip-busy", "strip", place, holder=", ".join(others))


def _greeted(place: str, leds: int | None, line: "_RecordedPort") -> Finding:
    """The result of the greeting with which the kit begins; `leds` are described, None: any number."""
    talk = Talk(line, lambda count: (OFF,) * count, leds)
    try:
        talk.greet()
    except OSError as error:
        if talk.named:
            return _named(talk.named[0], place)
        return judge(
            place, bytes(line.output), error.text if isinstance(error, Dead) else str(error), unasked=line.unasked
        )
    if talk.named:
        return _named(talk.named[0], place)
    if set_again := {field: found for field, found in talk.odd.items() if field not in WITH_PICTURES}:
        return finding("strip-segment", "strip", place, odd=listed(set_again))
    if leds not in (None, talk.leds):
        text = N_("all right, {leds} lamps; the kit's description has {described}", leds=talk.leds, described=leds)
        return fine("strip", place, text)
    return fine("strip", place, N_("all right, {leds} lamps", leds=talk.leds))


def _named(named: Named, place: str) -> Finding:
    return finding(f"strip-{named.kind}", "strip", place, **named.values)


def judge(place: str, output: bytes, reason: str, *, unasked: bool) -> Finding:
    """The reason of a failed greeting, by the device's output. `unasked`: some of it came before the first request."""
    rows = output.replace(b"\r", b"\n").split(b"\n")
    first = quoted(next((row.strip() for row in rows if row.strip()), b""))
    if not output:
        from hardware.parts.strip.ports import usb

        seen = usb(place)
        return finding("strip-silent", "strip", place, usb=N_(" (USB {usb})", usb=seen) if seen else "")
    if any(wire.is_version(row) for row in rows):
        return finding("strip-unfit", "strip", place, reason=reason)
    if sum(not (32 <= byte < 127 or byte in b"\r\n\t") for byte in output) > GARBAGE * len(output):
        return finding("strip-garbage", "strip", place, baud=wire.BAUD)
    if unasked:
        return finding("strip-babbles", "strip", place, output=first)
    return finding("strip-foreign", "strip", place, output=first)


class _RecordedPort:
    """An open port for the conversation, which records the device's output."""

    def __init__(self, port: RawIOBase) -> None:
        self.output = bytearray()
        self.unasked = False  # some of it came before the first request
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
        self.output += data
        self.unasked |= bool(data) and not self._asked
        return data
