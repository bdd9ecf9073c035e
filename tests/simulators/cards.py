"""Cards on a root of their own, whole and damaged, looked at by the hook of cloud-init and by the card's program.

What a card may cause is judged here by plain means of its own: whatever is used must be a file that the manifest lists,
with the sum that it lists, and where nothing is used a sentence must say why.
"""

import hashlib
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from firmware.card.__main__ import Card
from firmware.card.folder import MANIFEST, NAME, UNIT

ROOT = Path(__file__).resolve().parents[2]
HOOK = ROOT / "systemd" / "card"
SECTOR = 512  # in which FAT loses things
FILES = {
    "scripts/install": b"#!/usr/bin/env bash\ntouch ran\n",
    "scripts/appliance.sh": b"home=/opt/luckypaw\n" * 60,
    "systemd/card": b"#!/bin/sh\ntouch ran\n",
    f"systemd/{UNIT}": b"[Unit]\nDescription=A test's\n",
    "firmware/__init__.py": b"",
    "firmware/card/__init__.py": b"open('ran', 'w')\n",
    "firmware/card/__main__.py": b"open('ran', 'w')\n" * 80,
    "hardware/__init__.py": b"",
    "hardware/parts/buzzer/pwm.py": b"TONE_HZ = 880\n" * 90,
    "docs/build.md": b"# Build\n" * 200,
    "kit.toml": (ROOT / "hardware" / "kits" / "table.toml").read_bytes(),
    "wheels/version": b"1.2.3 0123\n",
    "wheels/pillow-12.0.0-cp313-cp313-manylinux_2_28_aarch64.whl": bytes(range(256)) * 9,
}


def sealed(folder: Path, names: list[str] | None = None, last: str = "{} files in all") -> None:
    """Write the manifest of these files; of all that are there."""
    if names is None:
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        names = [name for name in names if name not in (MANIFEST, "report.txt", "wifi.txt")]
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names]
    if (folder / MANIFEST).is_dir():
        (folder / MANIFEST).rmdir()
    (folder / MANIFEST).write_text("\n".join([*lines, last.format(len(lines)), ""]))


def whole(root: Path, files: dict[str, bytes] = FILES) -> Path:
    """The folder of a machine's boot partition, beside what cloud-init reads."""
    folder = root / "boot" / "firmware" / NAME
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    sealed(folder)
    (folder.parent / "vendor-data").write_bytes(b"#cloud-boothook\n" + HOOK.read_bytes())
    return folder


class Outcome(NamedTuple):
    """What has come of a look at a card."""

    used: dict[str, str] | None  # what was copied to be run, by name its sum; None: nothing was
    said: str  # in the folder's report
    raised: str = ""
    ran: bool = False  # something of the folder, before anybody had looked at it


def files_of(folder: Path) -> dict[str, str]:
    """By name the sum of each file, or what else is there."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "?"
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def said_in(folder: Path) -> str:
    """The report."""
    path = folder / "report.txt"
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def hooked(root: Path, hook: Path = HOOK) -> Outcome:
    """What cloud-init's hook makes of the card."""
    shims, home, ran = root / "shims", root / "opt" / "luckypaw", root / "ran"
    shims.mkdir(exist_ok=True)
    for name, does in (("systemctl", "true"), ("sync", "true"), ("python3", f"touch {ran}")):
        (shims / name).write_text(f"#!/bin/sh\n{does}\n")
        (shims / name).chmod(0o755)
    done = subprocess.run(
        ["sh", hook, root],
        cwd=root,
        env={"PATH": f"{shims}:/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    program = home / "program"
    used = files_of(program) if (root / "etc/systemd/system" / UNIT).exists() else None
    return Outcome(used, said_in(root / "boot" / "firmware" / NAME) + done.stderr, ran=ran.exists())


@contextmanager
def machine(install: Callable[[Path], None]) -> Iterator[list[str]]:
    """Replace all round the card's program that is not its own; what the display shows. Nothing is waited for."""
    shown: list[str] = []
    here = "firmware.card.__main__"
    with ExitStack() as all_:
        for name, value in {
            f"{here}.install": lambda source, progress, before: install(source),
            f"{here}.quietly": lambda *command: None,
            f"{here}.join": lambda wifi: True,
            f"{here}.BUS_S": 0.0,
            f"{here}.TOLD_S": 0.0,
            "firmware.card.screen.Screen.show": lambda self, title, text="", done=None: shown.append(
                f"{title}: {text}"
            ),
            "firmware.card.lines.PAUSE_S": 0.0,
            "firmware.card.lines.TONE_S": 0.0,
            "firmware.card.folder.INSTALLED": Path("/nowhere"),
            "firmware.card.folder.ROOM_BYTES": 0,
            "firmware.card.folder.Folder.fits": lambda *machine: True,
            "os.sync": lambda: None,
        }.items():
            all_.enter_context(patch(name, value))
        yield shown


def looked_at(root: Path) -> Outcome:
    """What the card's program makes of the card."""
    used: dict[str, str] | None = None

    def install(source: Path) -> None:
        nonlocal used
        used = files_of(source)

    (root / "dev").mkdir(exist_ok=True)
    raised = ""
    with machine(install) as shown:
        try:
            Card(root / "boot" / "firmware", root / "opt" / "luckypaw", root / "dev").look()
        except Exception as error:  # of any kind: that is the question
            raised = repr(error)
    said = next((told for told in reversed(shown) if not told.startswith("LUCKY PAW")), "")
    report = said_in(root / "boot" / "firmware" / NAME)
    return Outcome(used, said if said and said.split(":")[0] in report else "", raised)


def wrong(folder: Path, outcome: Outcome) -> str:
    """What must not have come of it; empty where it is right."""
    if outcome.raised:
        return f"raised {outcome.raised}"
    if outcome.ran:
        return "something of the folder ran unseen"
    if outcome.used is None:
        of_people = not any((folder / name).exists() for name in (MANIFEST, "wheels"))
        return "" if outcome.said or of_people else "nothing was said"
    listed = {}
    path = folder / MANIFEST
    for line in path.read_text(errors="replace").split("\n") if path.is_file() else ():
        sum_, _, name = line.partition("  ")
        listed[name] = sum_
    strange = [name for name, sum_ in outcome.used.items() if listed.get(name) != sum_]
    return f"used though not as listed: {strange}" if strange else ""


# --- damage --------------------------------------------------------------------------------------------------------

NAMES: tuple[str, ...] = ("/etc/passwd", "../cmdline.txt", "a/../../b", "a/", "//", "", ".", "..")
NAMES += ("a\0b", "a\x1bb", "a\\b", "a b", "x" * 300)
DESCRIPTIONS = (
    b"a = " + b"[" * 5000,
    b"".join(b"[[players]]\nlamp = %d\n" % (2 + n % 26) for n in range(70)),
    b"a." * 16_000 + b"a = 1",
    b"display = 5\nplayers = 3\nbuzzer = []\n",
    b"[display]\ndriver = [1]\nport = 1e999\naddress = -9223372036854775809\n",
    b"[[players]]\nlamp = [1]\n[[players]]\nlamp = nan\n",
    b"players = [1, 'x', {lamp = {}}]\n",
    b"\0" * 100,
    b"\xff\xfe\x00\xd8",
    b"x" * 100_000,
)
WIFIS = (
    b"name = home\npassword = 1234567\0\n",
    b"name = \x1b[2J\n",
    b"name\n" * 20_000,
    b"\xff\xfea",
    b"name = a\ncountry = #\n",
    b"name = " + b"\xf0\x9f\x98\x80" * 9,
    b"password : '" + b"\\" * 63 + b"'\nname:a\n",
)
VERSIONS = (b"", b"\n", b"\xff\xfe1", b"../../../etc 00\n", b"1.2.3\n", b"1 0\n" * 9000, b"-rf 00\n", b"1.2.3 00\0\n")


def any_file(dice: random.Random, folder: Path) -> Path:
    """One of the files; the manifest more often than others."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return folder / MANIFEST if dice.random() < 0.3 and (folder / MANIFEST).is_file() else dice.choice(files)


def flipped(dice: random.Random, folder: Path) -> None:
    """A bit is another one."""
    path = any_file(dice, folder)
    content = bytearray(path.read_bytes() or b"\0")
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def cut(dice: random.Random, folder: Path) -> None:
    """A file ends too early, often at the end of a sector or of a line."""
    path = any_file(dice, folder)
    content = path.read_bytes()
    at = dice.randrange(len(content) + 1)
    path.write_bytes(
        content[: dice.choice([at, at // SECTOR * SECTOR, content.rfind(b"\n", 0, at) + 1, content.find(b"\n") + 1])]
    )


def foreign_sector(dice: random.Random, folder: Path) -> None:
    """A sector is of another file, or empty."""
    path, other = any_file(dice, folder), any_file(dice, folder)
    content = bytearray(path.read_bytes())
    at = dice.randrange(len(content) + 1) // SECTOR * SECTOR
    content[at : at + SECTOR] = dice.choice([other.read_bytes()[:SECTOR], bytes(SECTOR), b"\xff" * SECTOR])
    path.write_bytes(content)


def gone(dice: random.Random, folder: Path) -> None:
    """A file or a folder is missing."""
    path = dice.choice([any_file(dice, folder), any_file(dice, folder).parent])
    shutil.rmtree(path) if path.is_dir() and path != folder else path.unlink() if path.is_file() else None


def of_another_kind(dice: random.Random, folder: Path) -> None:
    """A folder is where a file should be, or beside it lies what nobody has listed."""
    path = any_file(dice, folder)
    if dice.random() < 0.5:
        path.unlink()
        path.mkdir()
    else:
        (path.parent / "unlisted.py").write_bytes(b"open('ran', 'w')\n")


def listed_anew(dice: random.Random, folder: Path) -> None:
    """Lines of the list are lost, doubled or of other names; mostly their number is right all the same."""
    path = folder / MANIFEST
    if not path.is_file():
        return
    lines = path.read_bytes().split(b"\n")[:-2] or [b""]
    at, other = dice.randrange(len(lines)), dice.choice(lines)
    name = lines[at][66:]
    match dice.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, other)
        case 2:
            lines.insert(at, lines[at][:66] + name.swapcase())
        case 3:
            lines[at] = lines[at][:66] + dice.choice(NAMES).encode()
        case 4:
            lines.insert(at, lines[at] + b"/" + name)
        case _:
            del lines[dice.randrange(1, len(lines) + 1) :]
    number = len(lines) + (dice.random() < 0.2)
    path.write_bytes(b"\n".join([*lines, b"%d files in all" % number, b""]))


def hostile_text(dice: random.Random, folder: Path) -> None:
    """Somebody has written files of people by hand, or by a program."""
    for name, contents in (("../luckypaw.toml", DESCRIPTIONS), ("wifi.txt", WIFIS), ("kit.toml", DESCRIPTIONS)):
        if dice.random() < 0.5 and not (folder / name).is_dir():
            (folder / name).write_bytes(dice.choice(contents))
    if dice.random() < 0.5 and (folder / "wheels").is_dir() and not (folder / "wheels" / "version").is_dir():
        (folder / "wheels" / "version").write_bytes(dice.choice(VERSIONS))
    sealed(folder)


def torn(dice: random.Random, folder: Path) -> None:
    """A newer folder was copied over it and the copying ended early, also within a file."""
    names = list(FILES)
    dice.shuffle(names)
    newer = {**FILES, "engine.py": b"open('ran', 'w')\n", "docs/added.md": b"# Added\n"}
    newer = {name: content if name not in names[:5] else b"# newer\n" + content for name, content in newer.items()}
    before = (folder / MANIFEST).read_bytes() if (folder / MANIFEST).is_file() else b""
    few = dict(list(newer.items())[: dice.randrange(len(newer) + 1)])
    for name, content in few.items():
        if not (folder / name).parent.exists() or (folder / name).is_dir():
            continue
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_bytes(content)
    if dice.random() < 0.5:
        whole(folder.parents[3] / "another", newer)
        after = (folder.parents[3] / "another" / "boot" / "firmware" / NAME / MANIFEST).read_bytes()
        at = dice.choice([len(after), dice.randrange(len(after)) // SECTOR * SECTOR])
        shutil.rmtree(folder / MANIFEST) if (folder / MANIFEST).is_dir() else (folder / MANIFEST).unlink(
            missing_ok=True
        )
        (folder / MANIFEST).write_bytes(after[:at] + before[at:])


DAMAGES = (flipped, cut, foreign_sector, gone, of_another_kind, listed_anew, hostile_text, torn)


def damaged_card(root: Path, seed: int) -> tuple[Path, list[str]]:
    """A card that one to three things have happened to, and their names."""
    dice = random.Random(seed)
    folder = whole(root / "card")
    happened = dice.choices(DAMAGES, k=dice.choice([1, 1, 2, 3]))
    for damage in happened:
        if any(path.is_file() for path in folder.rglob("*")):
            damage(dice, folder)
    return folder, [damage.__name__ for damage in happened]
