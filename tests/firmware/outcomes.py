"""A table of evenings is a test: by the sentence that it proves, a line for `rig.do` and what comes of it.

(line, "P1 WINS | P1 7")          these texts stand on the display
(line, "reads", "P1 W")           the display reads so, white space aside
(line, "hides", "P1")             it does not
(line, "hears", sounds.LAST)      this was played
(line, "keeps", "P3")             this line, done next, changes nothing in the game
(line, "same", "P1! ok undo")     nor does this one in the end
(line, "board.turn", (1,))        this stands there, see `rig.at`
"""

from collections.abc import Callable, Mapping

import pytest

from tests.simulators.rig import Rig


def outcomes(table: Mapping[str, tuple[object, ...]]) -> Callable[[Rig, tuple[object, ...]], None]:
    """The test; `test_x = outcomes({...})`."""

    @pytest.mark.parametrize("evening", table.values(), ids=table)
    def test(rig: Rig, evening: tuple[object, ...]) -> None:
        rig.do(str(evening[0]))
        match evening[1:]:
            case (str(texts),):
                assert set(texts.split(" | ")) <= rig.pieces
            case "reads", str(text):
                assert text in " ".join(rig.reads().split())
            case "hides", str(text):
                assert text not in rig.reads()
            case "hears", tune:
                assert tune in rig.tunes
            case "keeps", str(line):
                before = rig.playing.play
                assert rig.do(line).playing.play is before
            case "same", str(line):
                state = rig.state
                assert rig.do(line).state == state
            case str(path), expected:
                assert rig.at(path) == expected
            case _:
                pytest.fail(f"no such evening: {evening}")

    return test
