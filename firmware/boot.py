"""The card's first partition, which any computer can read and write: FAT, where upper and lower case are the same."""

from pathlib import Path

BOOT = Path("/boot/firmware")
DESCRIPTION = "luckypaw.toml"
MAX_BYTES = 32_768  # of a text that people write


def names(path: Path) -> tuple[Path, ...]:
    """A file of people and the names that Windows, which hides an ending, gives it: two endings, or none."""
    bare = path.with_suffix("") if path.suffix == ".txt" else None
    return (path, path.with_name(f"{path.name}.txt"), *([bare] if bare else []))


def named(path: Path) -> Path | None:
    """The file of one of these names; None where there is none."""
    return next((each for each in names(path) if each.is_file()), None)


def content(path: Path) -> bytes:
    """What people have written into a file. Raises `OSError`; `ValueError` where it is longer than anybody writes."""
    with path.open("rb") as file:
        read = file.read(MAX_BYTES + 1)
    if len(read) > MAX_BYTES:
        raise ValueError(f"it is longer than {MAX_BYTES // 1024} kB")
    return read


def text(content: bytes) -> str:
    """What any editor has written. Raises `UnicodeDecodeError` where it is no text."""
    read = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    return read.replace("\r\n", "\n").replace("\r", "\n")
