"""What a disk may hold after a power cut: what was synced, and any part of what was not."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.simulators.faulty_disk import Event

SECTOR = 512
KINDS = ("none", "all", "torn", "sectors", "reordered", "names")


class Change(NamedTuple):
    """A write, or where `data` is None a cut to a size."""

    at: int
    data: bytes | None


class File:
    """One file of the disk: what is synced stands in a file of the machine; the rest waits."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
        self.waiting: list[Change] = []

    def apply(self, changes: Iterable[Change]) -> list[Change]:
        """Make changes; returns those that undo them, the first to be made first."""
        undo: list[Change] = []
        for at, data in changes:
            size = os.fstat(self.handle).st_size
            if data is None:
                kept = os.pread(self.handle, size - at, at) if at < size else b""
                os.ftruncate(self.handle, at)
            else:
                kept = os.pread(self.handle, len(data), at)
                os.pwrite(self.handle, data, at)
            undo += [Change(at, kept), Change(size, None)]
        return [*reversed(undo)]

    def sync(self) -> None:
        self.apply(self.waiting)
        self.waiting.clear()


class NameChange(NamedTuple):
    """A name that is given to a file, or where `file` is None taken away."""

    name: str
    file: File | None


Move = tuple[NameChange, ...]  # what ext4 writes in one transaction: of a rename both names


class Disk:
    """Built event by event. `folder` is where its files and images are kept, `root` what was recorded."""

    def __init__(self, folder: Path, root: str) -> None:
        self.root, self.store, self.image = root, folder / "store", folder / "image"
        self.store.mkdir(parents=True)
        self.image.mkdir()
        self._files: dict[int, File] = {}  # by inode
        self._all: list[File] = []
        self._folders: dict[int, str] = {}
        self._durable: dict[str, File] = {}
        self._names: dict[str, File] = {}  # as the system sees them
        self._moving: list[Move] = []  # names that are not synced
        self._linked: dict[str, File] = {}  # what the image holds

    def take(self, event: Event) -> bool:
        """One more event; whether it made any difference."""
        match event.kind:
            case "c":
                (name,) = self._relative(event)
                self._files[event.inode] = file = File(self.store / str(len(self._all)))
                self._all.append(file)
                self._name((NameChange(name, file),))
            case "m":
                (name,) = self._relative(event)
                self._folders[event.inode] = name
                (self.image / name).mkdir()
            case "w":
                self._files[event.inode].waiting.append(Change(event.offset, event.data))
            case "t":
                self._files[event.inode].waiting.append(Change(event.offset, None))
            case "s":
                self._files[event.inode].sync()
            case "x":  # the sync failed: what it should have written is lost with the power
                self._files[event.inode].waiting.clear()
            case "d":
                folder = self._folders.get(event.inode, "")
                of_it = [move for move in self._moving if any(_folder(change) == folder for change in move)]
                self._moving = [move for move in self._moving if move not in of_it]
                _rename(self._durable, of_it)
            case "u":
                (name,) = self._relative(event)
                self._name((NameChange(name, None),))
            case "r":
                old, new = self._relative(event)
                self._name((NameChange(new, self._names[old]), NameChange(old, None)))
            case _:
                return False
        return True

    def live(self) -> dict[str, bytes]:
        """All files as the system shows them, without a power cut."""
        found = {}
        for name, file in self._names.items():
            undo = file.apply(file.waiting)
            found[name] = file.place.read_bytes()
            file.apply(undo)
        return found

    def close(self) -> None:
        """Let go of its files."""
        for file in self._all:
            os.close(file.handle)

    @property
    def unsure(self) -> bool:
        """Whether there is anything that a power cut may or may not leave."""
        return bool(self._moving) or any(file.waiting for file in self._all)

    def cut(self, kind: str, dice: Random) -> "Cut":
        """The power goes. The image shows what may be left, until the cut is undone."""
        chosen: dict[File, list[Change]] = {}
        files = [file for file in self._all if file.waiting]
        tear = dice.randrange(sum(len(file.waiting) for file in files)) if files else 0
        for file in files:
            match kind:
                case "none":
                    chosen[file] = []
                case "all" | "names":
                    chosen[file] = file.waiting
                case "torn":
                    chosen[file] = file.waiting[: max(0, tear)]
                    if 0 <= tear < len(file.waiting):
                        chosen[file] = [*chosen[file], _torn(file.waiting[tear], dice)]
                    tear -= len(file.waiting)
                case "sectors":
                    chosen[file] = [part for change in file.waiting for part in _sectors(change) if dice.random() < 0.5]
                case _:
                    chosen[file] = [change for change in file.waiting if dice.random() < 0.5]
        names = dict(self._durable)
        if kind != "none":
            _rename(names, [move for move in self._moving if kind == "all" or dice.random() < 0.5])
        self._link(names)
        return Cut(self, [(file, file.apply(changes)) for file, changes in chosen.items()])

    def sweep(self) -> None:
        """Take away what whoever looked at the image has left beside its files."""
        for folder in ("", *self._folders.values()):
            for found in os.scandir(self.image / folder):
                name = os.path.join(folder, found.name)  # noqa: PTH118  (once for every cut)
                if name not in self._linked and found.is_file():
                    os.unlink(found.path)  # noqa: PTH108

    def _relative(self, event: Event) -> list[str]:
        return [os.path.relpath(name, self.root) for name in event.names]

    def _name(self, move: Move) -> None:
        _rename(self._names, [move])
        self._moving.append(move)

    def _link(self, names: dict[str, File]) -> None:
        for name, file in self._linked.items():
            if names.get(name) is not file:
                (self.image / name).unlink()
        for name, file in names.items():
            if self._linked.get(name) is not file:
                (self.image / name).hardlink_to(file.place)
        self._linked = names


class Cut:
    """A power cut, undone on leaving."""

    def __init__(self, disk: Disk, undo: list[tuple[File, list[Change]]]) -> None:
        self._disk, self._undo = disk, undo

    def __enter__(self) -> Path:
        return self._disk.image

    def __exit__(self, *failure: object) -> None:
        self._disk.sweep()
        for file, changes in self._undo:
            file.apply(changes)


def _folder(change: NameChange) -> str:
    return os.path.dirname(change.name)  # noqa: PTH120 (for every cut)


def _rename(names: dict[str, File], moves: Iterable[Move]) -> None:
    for name, file in (change for move in moves for change in move):
        if file is not None:
            names[name] = file
        else:
            with suppress(KeyError):
                del names[name]


def _torn(change: Change, dice: Random) -> Change:
    """The beginning of a write: whole sectors as a rule, at times not even those."""
    if change.data is None:
        return change
    size = dice.randrange(len(change.data) + 1)
    if dice.random() < 0.7:
        size = max(0, (change.at + size) // SECTOR * SECTOR - change.at)
    return Change(change.at, change.data[:size])


def _sectors(change: Change) -> Iterable[Change]:
    """A write in its sectors."""
    if change.data is None:
        yield change
        return
    at, end = change.at, change.at + len(change.data)
    while at < end:
        until = min(end, at // SECTOR * SECTOR + SECTOR)
        yield Change(at, change.data[at - change.at : until - change.at])
        at = until
