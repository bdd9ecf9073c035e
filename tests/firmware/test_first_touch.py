"""Touches, sparks and presses of true contacts at the table: what counts, what waits, and what may only click."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from operator import itemgetter
from pathlib import Path

import pytest

from firmware.output import sounds
from hardware.parts.buttons import Edge
from hardware.parts.debounce import LATE_NS, TOUCH_NS
from tests.engine.table import rows
from tests.simulators.rig import MS, Rig

WAITS_MS = (TOUCH_NS + LATE_NS) / MS  # so long a touch may become a press, where all edges come late
LOST_NS = 30 * MS
BUILDING = "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 2000"  # the stopwatch runs


class Contacts(Rig):
    """A table whose buttons are contacts that a kernel tells of."""

    replaced = ""  # the button whose stamps may have replaced earlier ones

    def __init__(self, state: Path) -> None:
        self.on_the_way: list[tuple[int, Edge]] = []  # when the kit hears of an edge
        super().__init__(state)

    def played(self, line: str) -> "Contacts":
        """Play up to here."""
        self.do(line)
        return self

    def contact(self, moves: str) -> "Contacts":
        """Move contacts: `P1+1.5` closes that of P1 after 1.5 ms, `P1-0.1` opens it 0.1 ms later.

        `P1+1.5~6`: the kit hears of it 6 ms later. `P1+1.5!`: edges of its line were lost.
        """
        for move in moves.split():
            after_ms, _, late_ms = move[3:].rstrip("!").partition("~")
            self.after(float(after_ms))
            told_ns = self.now_ns + round(float(late_ms or 0) * MS)
            self.buttons.listen(partial(self._tell, told_ns, move[-1] == "!"))
            self.edge(move[:2], down=move[2] == "+")
            self.after(0)
        return self

    def _tell(self, told_ns: int, lost: bool, edge: Edge) -> None:
        edge = edge._replace(source="kernel", replaced=edge.button == self.replaced, lost_ns=LOST_NS * lost)
        self.on_the_way.append((told_ns, edge))
        self.on_the_way.sort(key=itemgetter(0))

    def after(self, ms: float) -> "Contacts":
        end_ns = self.now_ns + round(ms * MS)
        while self.on_the_way and self.on_the_way[0][0] <= end_ns:
            told_ns, edge = self.on_the_way.pop(0)
            super().after((told_ns - self.now_ns) / MS)
            self.app.post(edge)
            self.app.step(self.now_ns)
        super().after((end_ns - self.now_ns) / MS)
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


WAITING = {  # the verdict on P1 waits for a brush of P2, and others press and let go meanwhile
    "a release and a press": ("P2+0 P2-0.8 P1+2.2 P1-60 P3+7 P3-70", (0, 2)),
    "two releases": ("P2+0 P2-0.8 P1+2.2 P3+4 P1-54 P3-1", (0, 2)),
    "a press and its release": ("P2+0 P2-0.8 P1+2.2 P3+55 P3-35", (0, 2)),
    "nothing told in time": ("P2+0 P2-0.8 P1+2.2~80 P3+4~75 P3-60~40 P1-1~40", (0, 2)),
    "a press, the brush being an earlier one": ("P2+0 P2-0.1 P1+0.9 P2+48.8~6 P3+1.4", (1, 0)),
}


@pytest.mark.parametrize(("moves", "named"), WAITING.values(), ids=WAITING)
def test_what_comes_while_a_verdict_waits_counts_after_it_in_the_order_of_stamps(
    rig: Contacts, monkeypatch: pytest.MonkeyPatch, moves: str, named: tuple[int, int]
) -> None:
    rig.played(BUILDING)
    asked, undecided = count(), rig.app.table.undecided

    def counted(at_ns: int) -> bool:
        assert next(asked) < 1000, "the loop goes round for ever"
        return undecided(at_ns)

    monkeypatch.setattr(rig.app.table, "undecided", counted)
    race = rig.contact(moves).after(400).board.race
    assert race is not None
    presses = sorted((press.at_ns, press.seat) for press in race.presses)
    assert (presses[0][1], presses[-1][1]) == named
    assert (first(rig), rig.app._waiting) == ((named[0],), [])  # noqa: SLF001


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


@pytest.mark.parametrize(("after_ms", "counts"), [(2999, True), (3000.1, False)], ids=["in time", "too late"])
def test_an_answer_made_just_before_the_limit_counts_though_it_is_known_only_after_it(
    rig: Contacts, after_ms: float, counts: bool
) -> None:
    rig.played("game[kitty_paw 3 response_limit_s=3] +P1,P2,P3 3100 -P1,P2,P3 2000")
    rig.contact(f"P1+0 P2+{after_ms}").after(60)
    race = rig.playing.play.board.race
    assert race is not None and [press.seat for press in race.presses] == [0, 1][: 1 + counts]


def test_a_held_hand_that_opens_its_contact_for_a_moment_is_not_lifted(rig: Contacts) -> None:
    rig.played("game[kitty_paw 3]").contact("P1+0 P2+10 P3+10 P2+100 P2-1000 P2+0.5")
    assert rig.after(5000).board.phase == "build"
    assert rig.board.race is not None and rig.board.race.jumped == ()


def test_a_hand_that_is_lifted_before_the_flash_is(rig: Contacts) -> None:
    rig.played("game[kitty_paw 3]").contact("P1+0 P2+10 P3+10 P2-1000")
    assert rig.after(5000).board.phase == "hands"


LOST = [  # edges of P1's line were lost; `!`: it is only known to be closed now, and to have been open 30 ms ago
    ("a press found so may be the first: the table says", "P2+0 P1+10!", (0, 1)),
    ("one that surely came later", "P2+0 P1+40!", (1,)),
    ("one that surely came sooner", "P1+0! P2+10", (0,)),
    ("one found after the verdict changes nothing", "P2+0 P1+60!", (1,)),
    ("a touch that is known before a loss keeps its time", "P1+0 P1-0.1 P2+4 P1+1!", (0,)),
    ("a press made after the loss counts as ever", "P1+0! P1-0.5 P2+150 P1+10", (1,)),
]


@pytest.mark.parametrize(("moves", "named"), rows(LOST))
def test_a_press_that_is_found_by_reading_may_have_been_sooner(
    rig: Contacts, moves: str, named: tuple[int, ...]
) -> None:
    rig.played(BUILDING).contact(moves).after(200)
    assert first(rig) == named


def test_a_hand_that_is_found_on_its_button_after_a_loss_is_held(rig: Contacts) -> None:
    rig.played("game[kitty_paw 3]").contact("P2+0 P3+10 P1+20!")
    assert rig.after(5000).board.phase == "build"
