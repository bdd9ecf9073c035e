"""Tests on a whole machine of the kernel lab, which systemd has booted from a disk of its own.

They run in the guest only (tests/test_appliance.py), each file on a disk of its own on which the kit is installed.
"""

from pathlib import Path

collect_ignore_glob = [] if Path("/machine").exists() else ["*"]
