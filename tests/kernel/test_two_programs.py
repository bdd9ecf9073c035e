"""A second program on one kit, on simulated lines and a true I2C bus: it says who has the parts, and touches none."""

from pathlib import Path

import gpiod
import pytest

from tests.kernel.test_doctor import KIT
from tests.simulators.program import Program, played_before, run
from tests.simulators.reading import text
from tests.simulators.real_table import Glass
from tests.simulators.sim_chip import SimChip
from tests.simulators.waiting import comes

# the second program, and what it says
SECOND = [
    pytest.param("play", "luckypaw: process {} uses this kit's parts: end it first\n", id="play"),
    pytest.param("calibrate --wire 25", "luckypaw: process {} uses this kit's parts: end it first\n", id="calibrate"),
    pytest.param("strip test", "luckypaw: process {} uses this kit's parts: end it first\n", id="strip test"),
    pytest.param("check", "! kit                      process {} ", id="check"),
    pytest.param("check --guided", "? Mend the faults above first: without its lines there is ", id="guided check"),
]


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A description."""
    path = tmp_path / "kit.toml"
    path.write_text(KIT)
    return path


@pytest.mark.parametrize(("words", "said"), SECOND)
def test_beside_the_kit_a_second_program_touches_no_part(
    chip: SimChip, kit: Path, tmp_path: Path, words: str, said: str
) -> None:
    """Not even where it has games of its own."""
    first, second = (str(played_before(tmp_path / name)) for name in ("first", "second"))
    with_strip = tmp_path / "with_strip.toml"
    with_strip.write_text(f'{KIT}\nstrip = {{ port = "/dev/ttyLED" }}')
    glass = Glass()
    with Program("-m", "firmware", "--config", kit, "play", STATE_DIRECTORY=first) as playing:
        assert comes(lambda: "which game?" in text(glass.picture()))
        before = glass.picture()
        ended = run("-m", "firmware", "--config", with_strip, *words.split(), STATE_DIRECTORY=second)
        assert said.format(playing.pid) in ended.stdout + ended.stderr
        assert (ended.returncode, glass.picture().tobytes()) == (1, before.tobytes())
        chip.pull(5, False)
        assert comes(lambda: glass.picture().tobytes() != before.tobytes())  # the first one still hears its buttons
        chip.pull(5, True)


def test_once_a_kit_was_killed_its_parts_are_free(chip: SimChip, kit: Path, tmp_path: Path) -> None:
    command = ("-m", "firmware", "--config", kit, "play")
    with Program(*command, STATE_DIRECTORY=str(played_before(tmp_path / "state"))):
        pass
    with Program(*command, STATE_DIRECTORY=str(tmp_path / "state")) as again:
        with gpiod.Chip(str(chip.path)) as opened:
            assert opened.get_line_info(5).used
        assert "ready" in again.first
