"""Touches, sparks and presses of true contacts at the table: what counts, what waits, and what may only click."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.output import sounds
from hardware.parts.debounce import LATE_NS, TOUCH_NS
from tests.simulators.rig import MS, Rig

WAITS_MS = (TOUCH_NS + LATE_NS) / MS  # so long a touch may become a press, where all edges come late
BUILDING = "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 2000"  # the stopwatch runs


class Contacts(Rig):
    """A table whose buttons are contacts that a kernel tells of."""

    replaced = ""  # the button whose stamps may have replaced earlier ones

    def played(self, line: str) -> "Contacts":
        """Play up to here."""
        self.do(line)
        return self

    def contact(self, moves: str) -> "Contacts":
        """Move contacts: `P1+1.5` closes that of P1 after 1.5 ms, `P1-0.1` opens it 0.1 ms later."""
        self.buttons.listen(
            lambda edge: self.app.post(edge._replace(source="kernel", replaced=edge.button == self.replaced))
        )
        for move in moves.split():
            self.after(float(move[3:])).edge(move[:2], down=move[2] == "+")
            self.app.step(self.now_ns)
        return self


def first(rig: Rig) -> tuple[int, ...] | None:
    """Who has been named the first; None before."""
    return rig.board.highlight.get("first") or rig.board.highlight.get("tie")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Contacts]:
    rig = Contacts(tmp_path)
    yield rig
    rig.close()


def test_a_touch_clicks_at_once_and_a_spark_does_nothing_else(rig: Contacts) -> None:
    rig.played(BUILDING)
    before, rig.tunes[:] = (rig.playing.play, rig.lit), []
    rig.contact("P1+0")
    clicked = list(rig.tunes)
    rig.contact("P1-0.3").after(WAITS_MS + 100)
    assert (clicked, rig.tunes) == ([sounds.CLICK], [sounds.CLICK])
    assert (rig.playing.play, rig.lit) == before


def test_a_press_clicks_once_and_counts_2_ms_later(rig: Contacts) -> None:
    rig.played(BUILDING).tunes.clear()
    at_ns = rig.now_ns
    races = [rig.contact("P1+0").playing.play.board.race, *(rig.after(ms).playing.play.board.race for ms in (1.9, 0.2))]
    assert [[press.at_ns for press in race.presses] for race in races if race] == [[], [], [at_ns]]
    assert rig.tunes == [sounds.CLICK]


def test_no_verdict_while_an_earlier_touch_may_become_a_press(rig: Contacts) -> None:
    rig.played(BUILDING).contact("P1+0 P1-0.1 P2+1")
    touched = first(rig.contact("P1+48.8"))  # 49.9 ms after its first touch; the verdict on P2 is due at 51
    waiting = first(rig.after(1.5))
    assert (touched, waiting, first(rig.after(60))) == (None, None, (0,))


def test_a_verdict_that_waited_for_a_spark_names_who_pressed(rig: Contacts) -> None:
    rig.played(BUILDING).contact("P1+0 P1-0.1 P2+1")
    seen = [first(rig.after(ms)) for ms in (60, WAITS_MS)]
    assert seen == [None, (1,)]


def test_a_press_made_after_the_verdict_was_due_is_none_of_its_race(rig: Contacts) -> None:
    rig.played(BUILDING).contact("P1+0 P1-0.1 P2+1").contact("P2-40 P3+20").after(400)
    race = rig.board.race
    assert race is not None
    assert (first(rig), [press.seat for press in race.presses], race.phase) == ((1,), [1, 2], "over")


def test_a_touch_after_the_deciding_press_holds_up_no_verdict(rig: Contacts) -> None:
    rig.played(BUILDING).contact("P2+0 P1+12 P1-0.1")
    assert first(rig.after(60)) == (1,)


@pytest.mark.parametrize(("replaced", "named"), [("", (1,)), ("P1", (0, 1))], ids=["as stamped", "maybe earlier"])
def test_a_press_whose_stamp_replaced_another_may_have_been_earlier(
    rig: Contacts, replaced: str, named: tuple[int, ...]
) -> None:
    rig.replaced = replaced
    rig.played(BUILDING).contact("P2+0 P1+0.5").after(60)
    assert first(rig) == named


def test_a_held_hand_that_opens_its_contact_for_a_moment_is_not_lifted(rig: Contacts) -> None:
    rig.played("game[kitty_paw 3]").contact("P1+0 P2+10 P3+10 P2+100 P2-1000 P2+0.5")
    assert rig.after(5000).board.phase == "build"
    assert rig.board.race is not None and rig.board.race.jumped == ()


def test_a_hand_that_is_lifted_before_the_flash_is(rig: Contacts) -> None:
    rig.played("game[kitty_paw 3]").contact("P1+0 P2+10 P3+10 P2-1000")
    assert rig.after(5000).board.phase == "hands"
