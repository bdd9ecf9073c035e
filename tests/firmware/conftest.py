"""A kit of four buttons, all emulated, on a virtual clock."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.rig import Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    kit = Rig(tmp_path)
    yield kit
    kit.close()
