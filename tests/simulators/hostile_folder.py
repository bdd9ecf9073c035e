"""A folder whose files bear the names of modules: each leaves a mark when it is executed, and raises."""

from pathlib import Path

NAMES = ("engine", "firmware", "hardware", "json", "mpremote", "serial")


def hostile(folder: Path, marks: Path) -> Path:
    """Fill the folder with such files; their marks go into another one."""
    folder.mkdir(exist_ok=True)
    for name in NAMES:
        text = f"from pathlib import Path\nPath({str(marks)!r}, {name!r}).touch()\nraise SystemError({name!r})\n"
        (folder / f"{name}.py").write_text(text)
    return folder
