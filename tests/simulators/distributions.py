"""Distributions as pip installs them: their files, and what lists them."""

import importlib
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path


def install(folder: Path, name: str, *files: str) -> None:
    """A distribution with these files, over those of others."""
    rows = []
    for file in files:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(name)
        digest = urlsafe_b64encode(sha256(name.encode()).digest()).decode().rstrip("=")
        rows.append(f"{file},sha256={digest},{len(name)}\n")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "RECORD").write_text("".join(rows))
    importlib.invalidate_caches()  # else a folder may be taken for the same until its time has changed
