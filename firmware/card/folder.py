"""The folder on the card: written by any computer, perhaps in part, on a file system without atomic changes."""

import errno
import hashlib
import os
import re
import shutil
import stat
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from firmware.boot import DESCRIPTION, INSTALLED, content, named, text
from firmware.card import manifest
from firmware.card.screen import CardDisplay
from firmware.card.system import remove

NAME, MANIFEST, VERSION = "luckypaw", "manifest", "wheels/version"
UNIT = "luckypaw-card.service"
NEEDED = ("scripts/install", VERSION, "firmware/card/__main__.py", f"systemd/{UNIT}")  # whatever the version
MISSING = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG)
MAX_FILE_BYTES = 64 << 20  # a damaged FAT may call a file 4 GB long
PIECE_BYTES = 1 << 20
MAX_DOTS = 40  # in a line of a description: the parser's time grows with the square, see hardware/config.py
SH1106_COLUMN, COLUMNS = 2, range(5)  # where its panel begins in its memory; where it may begin
PORTS, ADDRESSES, PINS = range(100), range(0x08, 0x78), range(2, 28)  # of the header: buses, chips on them, lines
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
    short = name.rpartition("/")[2].partition("-")[0].replace("_", "-")[:32]  # of a wheel the package
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
        """Copy what the manifest lists, and nothing else, to a new folder; the sums are those of the copies.

        Raises `Trouble`, and `OSError` for the card.
        """
        remove(to)
        if shutil.disk_usage(to.parent).free < ROOM_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for number, (name, wanted) in enumerate(self.sums.items()):
            progress(number / len(self.sums))
            target = to / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if self._copy(name, target) != wanted:
                raise damaged(name, "damaged")
        os.sync()

    def fits(self, python: tuple[int, int], machine: str) -> bool:
        """Whether there are wheels for this Python on this machine."""
        tag = f"cp{python[0]}{python[1]}-"
        return any(name.startswith("wheels/pillow-") and tag in name and machine in name for name in self.sums)

    def _copy(self, name: str, target: Path) -> str:
        """Copy a file; the sum of what was written."""
        sum_, begins = hashlib.sha256(), b""
        with os.fdopen(_opened(self.path, name), "rb") as file, target.open("xb") as new:
            while (piece := file.read(PIECE_BYTES)) and new.tell() < MAX_FILE_BYTES:
                begins = begins or piece[:2]
                new.write(piece)
                sum_.update(piece)
        target.chmod(0o755 if begins == b"#!" else 0o644)
        return sum_.hexdigest()


def _opened(folder: Path, name: str) -> int:
    """A file that lies where its name says: no link, no folder, nothing that a reader would wait for."""
    path = folder / name
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in MISSING:
            raise damaged(name, "missing") from error
        raise
    if not stat.S_ISREG(os.fstat(file).st_mode) or path.resolve() != folder.resolve() / name:
        os.close(file)
        raise damaged(name, "no file")
    return file


def folder_in(boot: Path) -> Folder | None:
    """The folder on the boot partition; None where there is none. Raises `Trouble` where it is not whole."""
    path = boot / NAME
    try:
        with os.fdopen(_opened(path, MANIFEST), "rb") as file:
            read = file.read(manifest.MAX_BYTES + 1)
    except Trouble:
        if not any((path / name).exists() for name in (MANIFEST, "wheels")):
            return None  # a folder of the players' own files
        raise
    try:
        sums = manifest.listed(read)
    except ValueError as error:
        raise damaged(MANIFEST, str(error)) from error
    for name in NEEDED:
        if name not in sums:
            raise damaged(name, "missing")
    return Folder(path, sums, hashlib.sha256(read).hexdigest())


def version_of(copy: Path) -> str:
    """The version that a copy of the folder installs. Raises `Trouble`."""
    found = re.fullmatch(rb"([0-9][0-9A-Za-z.+]{0,40}) [0-9a-f]+\n?", (copy / VERSION).read_bytes())
    if found is None:
        raise damaged(VERSION, "damaged")
    return found[1].decode()


class CardKit(NamedTuple):
    """What the description says of the parts that can tell something before the kit runs."""

    display: CardDisplay
    lamps: tuple[int, ...] = ()
    buzzer: int | None = None


def kit_of(boot: Path, folder: Path) -> CardKit:
    """By the players' own description, else the installed kit's, else the folder's: the first that can be used."""
    for path in (named(boot / DESCRIPTION), INSTALLED, folder / "kit.toml"):
        if path is None:
            continue
        try:
            described = text(content(path))
            if max(line.count(".") for line in described.split("\n")) > MAX_DOTS:
                continue
            return _kit(tomllib.loads(described))
        except Exception:  # whatever is wrong with it: the kit says that, here is only said what is wrong with the card
            continue
    return CardKit(CardDisplay())


def _kit(described: dict[str, Any]) -> CardKit:
    display = described.get("display", {})
    driver, address, port = display.get("driver", ""), display.get("address", 0x3C), display.get("port", 1)
    module = CardDisplay(
        port=None if display.get("bus", "i2c") != "i2c" else port if _among(PORTS, port) else CardDisplay().port,
        addresses=(address,) if _among(ADDRESSES, address) else CardDisplay().addresses,
        driver=driver if driver in ("ssd1306", "ssd1309", "sh1106") else "",
        left=_left(display) if driver == "sh1106" else 0,
        upside_down=display.get("rotate") == 180,
    )
    lamps = [player.get("lamp") for player in described.get("players", [])]
    known = dict.fromkeys(lamp for lamp in lamps if _among(PINS, lamp))  # each line once: so there are not too many
    pin = described.get("buzzer", {}).get("pin")
    return CardKit(module, tuple(known), pin if _among(PINS, pin) else None)


def _left(display: dict[str, Any]) -> int:
    """The column of an SH1106's memory at which the picture begins: turned, at the panel's other end."""
    column: Any = display.get("column")
    column = column if _among(COLUMNS, column) else SH1106_COLUMN
    return int(2 * SH1106_COLUMN - column if display.get("rotate") == 180 else column)


def _among(numbers: range, value: object) -> bool:
    return type(value) is int and value in numbers
