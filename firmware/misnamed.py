"""A file that people put on the card by nearly its name: what to do with it. Nothing but Python is needed."""

import re
from pathlib import Path

from firmware.boot import names
from hardware.words import N_

FOLDER = "luckypaw"  # on the partition: where all but the description lies
COPIED = r"[\W\d_]|cop(y|ie|ia)|kopi[ea]"  # as systems and browsers call a second file of a name
RICH = r"\.(rtfd?|docx?|odt|pages|html?)"  # of programs that keep more than text
ENDINGS = rf"\.(txt|text|toml|md|conf|cfg)|{RICH}"


def misnamed(path: Path) -> str:
    """What to do with a file of nearly this name, where there is none of it; empty where there is no such, either.

    It is looked for in its folder; of the partition and the folder `luckypaw` on it, in both.
    """
    if any(each.is_file() for each in names(path)):
        return ""
    within = path.parent.name == FOLDER
    other = path.parent.parent if within else path.parent / FOLDER
    for folder in (path.parent, other):
        for name in _near(path, folder):
            if without_rich_end(name) != name or (folder / name).is_dir():
                return as_plain_text(name, path.name)
            if folder == path.parent or name.lower() not in {each.name for each in names(path)}:
                return N_("{name} is not read: rename it to {wanted}", name=name, wanted=path.name)
            if within:
                return N_("{name} is not read: move it into the folder luckypaw", name=name)
            return N_("{name} is not read: move it out of the folder luckypaw", name=name)
    return ""


def without_rich_end(name: str) -> str:
    """A name without the ending of a program that keeps more than text."""
    return re.sub(f"{RICH}$", "", name, flags=re.IGNORECASE)


def as_plain_text(name: str, wanted: str) -> str:
    """What to do with a file of such a program."""
    return N_("{name} is not read: save it as plain text, {wanted}", name=name, wanted=wanted)


def _near(path: Path, folder: Path) -> list[str]:
    """The names in a folder that people, editors and browsers make of a file's."""
    near = re.compile(f"{path.stem}({COPIED}|{ENDINGS})*", re.IGNORECASE)
    try:
        found = sorted(each.name for each in folder.iterdir() if near.fullmatch(each.name))
    except OSError:
        return []
    # a folder may be a text of a program that makes one (.rtfd); luckypaw 2 is another copy of the kit
    return [name for name in found if re.search(f"({ENDINGS})$", name, re.IGNORECASE) or not (folder / name).is_dir()]
