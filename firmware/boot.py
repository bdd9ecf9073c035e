"""The card's first partition, which any computer can read and write: FAT, where upper and lower case are the same.

`python3 -m firmware.boot network` prints where the kit's description lets phones join; nothing but Python is needed.
"""

import errno
import os
import re
import sys
import tomllib
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO

BOOT = Path("/boot/firmware")
DESCRIPTION = "luckypaw.toml"
INSTALLED = Path("/etc/luckypaw/kit.toml")
NETWORKS = ("off", "lan", "hotspot")
# what some editors make of straight quotes, by the one that opens
QUOTES = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u201a": "\u2018\u2019",
    "\u2018": "\u2019",
    "\u2019": "\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
CURLY = frozenset("".join((*QUOTES, *QUOTES.values()))) - {'"', "'"}
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control characters and formats, half characters, ends of lines
WIDTHLESS = re.compile("[\u200b\u2060\ufeff]")
MAX_BYTES = 32_768  # of a text that people write
NO_FILE = "it is no file"  # but a pipe or a device


def names(path: Path) -> tuple[Path, ...]:
    """A file of people and the names that Windows, which hides an ending, gives it: two endings, or none."""
    bare = path.with_suffix("") if path.suffix == ".txt" else None
    return (path, path.with_name(f"{path.name}.txt"), *([bare] if bare else []))


def named(path: Path) -> Path | None:
    """The file of one of these names; None where there is none."""
    return next((each for each in names(path) if each.is_file()), None)


def open_file(path: Path) -> BinaryIO:
    """A file to read, from a folder that people fill. Raises `OSError`, also for what is no file.

    A pipe would be waited for until somebody writes into it, and a device may do something when it is opened.
    """
    _check(path.stat().st_mode)
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    try:
        _check(os.fstat(file.fileno()).st_mode)  # it may have been replaced
    except OSError:
        file.close()
        raise
    return file


def _check(mode: int) -> None:
    if not S_ISREG(mode):
        raise IsADirectoryError(errno.EISDIR, "Is a directory") if S_ISDIR(mode) else OSError(errno.EINVAL, NO_FILE)


def content(path: Path) -> bytes:
    """What people have written into a file. Raises `OSError`; `ValueError` where it is longer than anybody writes."""
    with open_file(path) as file:
        read = file.read(MAX_BYTES + 1)
    if len(read) > MAX_BYTES:
        raise ValueError(f"it is longer than {MAX_BYTES // 1024} kB")
    return read


def text(content: bytes) -> str:
    """What any editor has written, but for signs without width. Raises `UnicodeDecodeError` where it is no text."""
    read = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    if read.startswith("{\\rtf") or "\0" in read:  # rich text; UTF-16 without its mark
        raise UnicodeDecodeError("utf-8", content, 0, 1, "no plain text")
    return WIDTHLESS.sub("", read).replace("\r\n", "\n").replace("\r", "\n")


def unquoted(value: str) -> str:
    """A value without the pair of quotes around it, straight or curly; one within, or at one end only, stays."""
    if len(value) > 2 and value[-1] in QUOTES.get(value[0], ""):
        within = value[1:-1]
        if value[0] not in within and value[-1] not in within:
            return within
    return value


def network(boot: Path = BOOT, installed: Path = INSTALLED) -> str:
    """Where the description that is in force lets phones join, of `NETWORKS`. Raises `ValueError` with a sentence."""
    path = next((path for path in (*names(boot / DESCRIPTION), installed) if path.exists()), None)
    if path is None:
        return NETWORKS[0]
    try:
        described = tomllib.loads(_as_meant(content(path).decode("utf-8-sig")))
        found = described.get("panel", {}).get("network", NETWORKS[0])
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None
    if found not in NETWORKS:
        raise ValueError(f"{path}: panel.network = {found!r}: must be {', '.join(NETWORKS[:-1])} or {NETWORKS[-1]}")
    return str(found)


def _as_meant(text: str) -> str:
    """As the kit reads it, once it is installed: a card, which comes before, has no part of it."""
    try:
        from engine.pasted import toml_as_meant
    except ModuleNotFoundError:
        return text
    return toml_as_meant(text)


if __name__ == "__main__":
    if sys.argv[1:] != ["network"]:
        sys.exit("usage: python3 -m firmware.boot network")
    try:
        print(network())
    except ValueError as error:
        sys.exit(f"luckypaw: {error}")
