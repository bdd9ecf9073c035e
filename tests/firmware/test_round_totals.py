"""The totals after a round of a score sheet: for a moment they are the picture, and answers count as always."""

from pathlib import Path

import pytest

from tests.engine.sheets.shelf import MOLKKY, SKAT, TICHU, WIZARD, sheet
from tests.firmware.test_sheets_on_pages import FIRST, ask, on
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig

PLAYED = ((None, "solo", 1), (None, "value", 24), (None, "won", 1))
EACH = 'ask = [{ id = "a" }]'


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def test_for_three_seconds_they_are_the_picture_with_what_the_round_has_brought(rig: Rig) -> None:
    on(rig, WIZARD, 3, *FIRST)
    assert rig.pieces >= {"after round 1", "30", "+30", "+20", "next: Your bid?", "OK: on"}
    rig.after(2_999)
    assert "after round 1" in rig.pieces
    rig.after(1)
    assert "after round 1" not in rig.pieces and "Your bid?" in rig.reads()


def test_partners_have_one_total(rig: Rig) -> None:
    calls = [(seat, "call", 0) for seat in range(4)]
    on(rig, TICHU, 4, *calls, (None, "out_first", 0), (None, "double", 1), (0, "cards", 0), (1, "cards", 0))
    assert rig.pieces >= {"P1+P3", "P2+P4", "+200"}


def test_a_press_counts_as_always(rig: Rig) -> None:
    on(rig, WIZARD, 3, *FIRST)
    rig.tap("P2")
    assert (dict(rig.playing.entry.values), "Your bid?" in rig.reads()) == ({1: 1}, True)


def test_a_turn_counts_as_always(rig: Rig) -> None:
    on(rig, SKAT, 3, *PLAYED)
    rig.arrow(-1)
    assert "after round 1" not in rig.pieces and rig.playing.entry.values


def test_ok_shows_the_question_that_nobody_has_seen(rig: Rig) -> None:
    on(rig, SKAT, 3, *PLAYED)
    before = rig.playing.play
    rig.ok()
    assert rig.playing.play is before and "Who played?" in rig.reads()
    rig.ok()
    assert rig.playing.play is not before


def test_an_answer_of_a_phone_ends_them(rig: Rig) -> None:
    phone = Phone(rig, "P1")
    on(rig, WIZARD, 3, *FIRST)
    phone.send(ask(phone, "bid")["id"], 1)
    assert "after round 1" not in rig.pieces


def test_an_undo_does_not_bring_them_back(rig: Rig) -> None:
    on(rig, WIZARD, 3, *FIRST)
    rig.after(3_000).undo()
    assert rig.playing.play.board.round == 1
    assert not any(piece.startswith("after round") for piece in rig.pieces)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        (MOLKKY, [(seat, "pins", 5) for seat in (0, 1, 0)]),  # a turn is asked next
        (sheet("[2, 2]", EACH, "rounds = 1"), [(0, "a", 5), (1, "a", 3)]),  # the game is over
        (sheet("[1, 1]", EACH), [(0, "a", 5)]),  # one player's total stands large in any case
        (sheet("[2, 2]", EACH), [(0, "a", 5)]),  # half a round
    ],
    ids=["turns", "over", "alone", "half"],
)
def test_elsewhere_there_is_no_such_picture(rig: Rig, text: str, answers: list[tuple[int, str, int]]) -> None:
    on(rig, text, 1 if "[1, 1]" in text else 2, *answers)
    assert not any(piece.startswith("after round") for piece in rig.pieces)
