"""The power goes while somebody is forgotten, and again at each write and read of the start after it."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.simulators import faulty_disk

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not faulty_disk.READY, reason=faulty_disk.MISSING)]
KINDS = {"cut at a write", "cut at a read", "a read fails", "reads fail from one on"}
Forgets = Callable[[str, int, int], dict[str, Any]]


@pytest.fixture
def forgets() -> Any:
    """Cuts forgetting: how, how often, and with which seed."""
    with TemporaryDirectory(dir=faulty_disk.MEMORY) as place:
        library = faulty_disk.build(Path(place))

        def cut(how: str, many: int, seed: int) -> dict[str, Any]:
            module = "tests.simulators.faulty_disk.forgetting"
            done = faulty_disk.start(library, module, place, how, str(many), str(seed))
            assert done.returncode == 0, done.stderr
            found: dict[str, Any] = json.loads(done.stdout)
            return found

        yield cut


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.nightly)])  # calls and reads
def test_a_start_that_is_cut_leaves_no_forgotten_name_and_all_games(every: int, forgets: Forgets) -> None:
    found = forgets("each", every, 1)
    assert (found["wrong"], set(found["kinds"]), found["forgets"] > 600 / every) == ([], KINDS, True)


def test_random_cuts_leave_no_forgotten_name_and_all_games(forgets: Forgets) -> None:
    assert forgets("random", 25, 7)["wrong"] == []
