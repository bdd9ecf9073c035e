"""The list of the folder's files: which lists are believed, by the card's program and by what runs before it."""

import subprocess
from pathlib import Path

import pytest

from firmware.card.folder import MANIFEST, Folder
from firmware.card.manifest import MAX_BYTES, listed, manifest
from tests.simulators.cards import HOOK, files_of, whole

SUM = "0" * 64
ENDS = "1 files in all\n"


def of(*names: str) -> bytes:
    """A list of files with these names, right but for that."""
    lines = [f"{SUM}  {name}" for name in names]
    return "\n".join([*lines, f"{len(lines)} files in all", ""]).encode()


BELIEVED = {
    "none": of(),
    "one": of("a"),
    "folders": of("a/b/c.py", "a/b/d.py", "a/c", "b"),
    "a wheel": of("wheels/a_b-1.0+c-cp313-cp313-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl"),
    "no newline at the end": of("a").rstrip(),
}
REFUSED = {
    "empty": b"",
    "no end": f"{SUM}  a\n".encode(),
    "cut to a line": of("a", "b").split(b"\n")[0],
    "cut in the end": of("a")[:-3],
    "cut before the end": of("a", "b").rpartition(b"2")[0],
    "a line is lost": of("a", "b").partition(b"\n")[2],
    "a line too many": f"{SUM}  a\n".encode() + of("b"),
    "something after the end": of("a") + b"\n",
    "two ends": of("a") + b"2 files in all\n",
    "another number": of("a").replace(b"1 files", b"01 files"),
    "too long": of(*(f"{number:0200}" for number in range(MAX_BYTES // 200))),
    "a short sum": f"{SUM[1:]}  a\n{ENDS}".encode(),
    "a long sum": f"{SUM}0  a\n{ENDS}".encode(),
    "no sum": f"{'g' * 64}  a\n{ENDS}".encode(),
    "capitals in a sum": f"{'A' * 64}  a\n{ENDS}".encode(),
    "one space": f"{SUM} a\n{ENDS}".encode(),
    "a binary file's star": f"{SUM} *a\n{ENDS}".encode(),
    "an escaped name": f"\\{SUM}  a\\nb\n{ENDS}".encode(),
    "line ends of Windows": of("a").replace(b"\n", b"\r\n"),
    "NUL in a name": of("a\0b"),
    "NUL after a name": of("a\0"),
    "NUL before the end": of("a").replace(b"1 f", b"\x001 f"),
    "no UTF-8": of("a").replace(b"  a", b"  \xff"),
    "a letter beyond ASCII": of("\u00e4"),
    "a line of Unicode": of("a\u2028b"),
    "a control character": of("a\x1bb"),
    "a tab": of("a\tb"),
    "a space": of("a b"),
    "backslash": of("a\\b"),
    "no name": of(""),
    "absolute": of("/etc/passwd"),
    "here": of("."),
    "above": of(".."),
    "out of the folder": of("../cmdline.txt"),
    "out and in": of("a/../../b"),
    "in and out": of("a/.."),
    "hidden": of("a/.b"),
    "an option": of("-rf"),
    "an option below": of("a/-rf"),
    "a folder": of("a/"),
    "an empty part": of("a//b"),
    "a dot that FAT drops": of("a."),
    "a dot that FAT drops, below": of("a./b"),
    "twice": of("a", "a"),
    "twice on FAT": of("a", "A"),
    "twice on FAT, below": of("a/b", "a/B"),
    "a folder twice on FAT": of("a/b", "A/c"),
    "a folder that is a file": of("a", "a/b"),
    "a folder that is a file on FAT": of("A", "a/b"),
}


def believed(content: bytes, tmp_path: Path) -> tuple[bool, bool]:
    """Whether a list is believed by the card's program, and by the hook, which then misses the files."""
    try:
        listed(content)
    except ValueError:
        program = False
    else:
        program = True
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / MANIFEST).write_bytes(content)
    copy: list[str | Path] = ["sh", HOOK, "copy", tmp_path / "folder", tmp_path / "copy"]
    said = subprocess.run(copy, capture_output=True, text=True, check=False).stdout
    return program, "manifest" not in said


@pytest.mark.parametrize("content", BELIEVED.values(), ids=BELIEVED)
def test_a_whole_list_is_believed_by_both(content: bytes, tmp_path: Path) -> None:
    assert believed(content, tmp_path) == (True, True)


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED)
def test_a_list_that_is_not_whole_or_leads_elsewhere_is_believed_by_neither(content: bytes, tmp_path: Path) -> None:
    assert believed(content, tmp_path) == (False, False)


def test_a_list_that_is_made_is_read_as_it_was_made() -> None:
    sums = {"firmware/card/__main__.py": SUM, "wheels/a-1.0-py3-none-any.whl": "f" * 64}
    assert listed(manifest(sums)) == sums


def test_no_list_is_made_that_would_not_be_read() -> None:
    with pytest.raises(ValueError, match="damaged"):
        manifest({"docs/Build.md": SUM, "docs/build.md": SUM})


def test_the_list_has_the_form_of_0_1_0(tmp_path: Path) -> None:
    """Sums, two spaces, names, and the number of files in all: what is installed on cards in the world reads that."""
    assert manifest({"a": SUM, "b/c": "f" * 64}).decode() == f"{SUM}  a\n{'f' * 64}  b/c\n2 files in all\n"


def test_what_a_list_names_is_copied_by_the_hook_and_by_the_program_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = whole(tmp_path)
    (folder / "unlisted.py").touch()
    subprocess.run(["sh", HOOK, "copy", folder, tmp_path / "hook"], check=True)
    sums = listed((folder / MANIFEST).read_bytes())
    monkeypatch.setattr("firmware.card.folder.ROOM_BYTES", 0)
    Folder(folder, sums, "").copy(tmp_path / "program", lambda part: None)
    assert [files_of(tmp_path / "hook"), files_of(tmp_path / "program")] == [sums, sums]
