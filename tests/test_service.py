"""The systemd units, as systemd itself reads them."""

import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).parent.parent / "systemd"
ANALYZE = Path("/usr/bin/systemd-analyze")
PROGRAM = "/opt/luckypaw/bin/luckypaw"  # where the installed kit has it; this machine need not


@pytest.mark.skipif(not ANALYZE.exists(), reason="systemd-analyze is missing: sudo apt install systemd")
def test_systemd_has_nothing_to_say_about_the_service(tmp_path: Path) -> None:
    unit = tmp_path / "luckypaw.service"
    unit.write_text((UNITS / unit.name).read_text().replace(PROGRAM, "/bin/true"))
    run = subprocess.run([ANALYZE, "verify", unit], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout + run.stderr) == (0, "")
