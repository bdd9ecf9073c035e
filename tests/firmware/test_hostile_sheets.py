"""Ten thousand files that are no good sheets, by night; some by day."""

import pytest

from tests.simulators.hostile_sheets import tried

BLOCK = 250
BLOCKS = [pytest.param(n, marks=[] if n < 4 else [pytest.mark.nightly]) for n in range(40)]


@pytest.mark.parametrize("block", BLOCKS)
def test_each_is_refused_in_lines_that_help_or_can_be_played(block: int) -> None:
    found = [tried(seed) for seed in range(block * BLOCK, (block + 1) * BLOCK)]
    assert 0 < sum(found) < BLOCK
