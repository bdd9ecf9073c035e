"""The folder on the card: written by any computer, perhaps in part, on a file system without atomic changes."""

import errno
import hashlib
import os
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from firmware.boot import DESCRIPTION, named, text
from firmware.card.screen import Module

NAME, MANIFEST = "luckypaw", "manifest"
INSTALLED = Path("/etc/luckypaw/kit.toml")
END = "files in all"  # the last line of a whole manifest says how many there are
PORTS, ADDRESSES, PINS = range(11), range(0x08, 0x78), range(2, 28)  # of the header: buses, chips on them, lines
ROOM_BYTES = 200 << 20  # for the copy, the new release beside the old one, and what pip needs meanwhile


class Trouble(Exception):
    """What keeps the kit from being installed, for people: a title, what to do, and so many blinks of the lamps.

    `log`: what a report has besides.
    """

    def __init__(self, blinks: int, title: str, text: str, log: str = "") -> None:
        super().__init__(f"{title}: {text}")
        self.blinks, self.title, self.text, self.log = blinks, title, text, log


class NotStarted(Trouble):
    """The new version is not sound, or does not get ready: the same folder would not, either."""


def damaged(name: str, what: str) -> Trouble:
    """A file of the folder is not as it was made."""
    short = name.rpartition("/")[2].partition("-")[0].replace("_", "-")  # of a wheel the package
    return Trouble(1, "COPY AGAIN", f"Copy the whole folder onto the card once more: {short} is {what}.")


def storage(error: OSError) -> Trouble:
    """The card itself."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Trouble(2, "CARD IS FULL", "Lucky Paw needs 200 MB. Take a larger card, or delete something.")
    if error.errno == errno.EROFS:
        return Trouble(2, "CARD IS LOCKED", "Nothing can be written. An old card locks itself: take a new one.")
    return Trouble(2, "CARD FAILS", f"{error.strerror or error}. Take a new card.")


def not_started(before: bool, log: str) -> NotStarted:
    """`before`: another version is there, and goes on."""
    goes_on = "The one before goes on. " if before else ""
    return NotStarted(
        4, "NOT STARTED", f"This version does not start. {goes_on}Copy another release onto the card.", log
    )


def not_installed(log: str) -> Trouble:
    """Something that only the report can say."""
    return Trouble(4, "NOT INSTALLED", "report.txt on the card has the reason. Switch off and on to try again.", log)


def wrong_machine(system: str) -> Trouble:
    """There are no wheels for it."""
    return Trouble(3, "WRONG SYSTEM", f"Write the card with Raspberry Pi OS Lite (64-bit). This is {system}.")


class Folder(NamedTuple):
    """The folder, and what its manifest lists: SHA-256 by path."""

    path: Path
    sums: Mapping[str, str]
    sum: str  # of the manifest, so of all

    def copy(self, to: Path, progress: Callable[[float], None]) -> None:
        """Copy what the manifest lists, and nothing else, to a new folder; each file is compared.

        Raises `Trouble`, and `OSError` for the card.
        """
        shutil.rmtree(to, ignore_errors=True)
        if shutil.disk_usage(to.parent).free < ROOM_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for number, (name, wanted) in enumerate(self.sums.items()):
            progress(number / len(self.sums))
            content = self._read(name)
            if hashlib.sha256(content).hexdigest() != wanted:
                raise damaged(name, "damaged")
            target = to / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(0o755 if content.startswith(b"#!") else 0o644)
        os.sync()

    def fits(self, python: tuple[int, int], machine: str) -> bool:
        """Whether there are wheels for this Python on this machine."""
        tag = f"cp{python[0]}{python[1]}-"
        return any(name.startswith("wheels/pillow-") and tag in name and machine in name for name in self.sums)

    def _read(self, name: str) -> bytes:
        path = self.path / name
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
            raise damaged(name, "missing") from error


def folder_in(boot: Path) -> Folder | None:
    """The folder on the boot partition; None where there is none. Raises `Trouble` where it is not whole."""
    path = boot / NAME
    try:
        content = (path / MANIFEST).read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        if not (path / "wheels").exists():
            return None  # a folder of the players' own files
        raise damaged(MANIFEST, "missing") from error
    sums = dict(_listed(content))
    return Folder(path, sums, hashlib.sha256(content).hexdigest())


def _listed(content: bytes) -> Iterator[tuple[str, str]]:
    """Path and sum of each file, from lines as of sha256sum."""
    lines = content.decode("utf-8", errors="replace").splitlines()
    if not lines or lines[-1] != f"{len(lines) - 1} {END}":
        raise damaged(MANIFEST, "not whole")
    for line in lines[:-1]:
        sum_, _, name = line.partition("  ")
        if len(sum_) != 64 or not name or name.startswith("/") or ".." in name.split("/"):
            raise damaged(MANIFEST, "damaged")
        yield name, sum_


class Kit(NamedTuple):
    """What the description says of the parts that can tell something before the kit runs."""

    display: Module
    lamps: tuple[int, ...] = ()
    buzzer: int | None = None


def kit_of(boot: Path, folder: Path) -> Kit:
    """By the players' own description, else the installed kit's, else the folder's: the first that can be used."""
    for path in (named(boot / DESCRIPTION), INSTALLED, folder / "kit.toml"):
        if path is None:
            continue
        try:
            return _kit(tomllib.loads(text(path.read_bytes())))
        except (OSError, ValueError, TypeError, AttributeError):
            continue
    return Kit(Module())


def _kit(described: dict[str, Any]) -> Kit:
    display = described.get("display", {})
    driver, address, port = display.get("driver", ""), display.get("address", 0x3C), display.get("port", 1)
    module = Module(
        port=None if display.get("bus", "i2c") != "i2c" else port if _among(PORTS, port) else Module().port,
        addresses=(address,) if _among(ADDRESSES, address) else Module().addresses,
        driver=driver if driver in ("ssd1306", "ssd1309", "sh1106") else "",
        upside_down=display.get("rotate") == 180,
    )
    lamps = [player.get("lamp") for player in described.get("players", [])]
    pin = described.get("buzzer", {}).get("pin")
    return Kit(module, tuple(lamp for lamp in lamps if _among(PINS, lamp)), pin if _among(PINS, pin) else None)


def _among(numbers: range, value: object) -> bool:
    return type(value) is int and value in numbers
