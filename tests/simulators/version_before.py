"""The version before people were known, from git, in a folder of its own: its files are imported from there."""

import subprocess
from pathlib import Path

from tests.simulators.program import ROOT

BEFORE = "547219df5e3e6de3"  # the last commit that knew no people


def version_before(folder: Path) -> Path:
    """Its files, in a new folder."""
    folder.mkdir()
    packed = subprocess.run(("git", "-C", ROOT, "archive", BEFORE), capture_output=True, check=True)
    subprocess.run(("tar", "-x", "-C", folder), input=packed.stdout, check=True)
    return folder
