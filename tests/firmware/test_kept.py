"""What a game leaves for later ones of its kind: the fanciers of CAT Pageant."""

from pathlib import Path

import pytest

from tests.simulators.rig import Rig

GAME = "game[cat_pageant 2]"
NAMED = f"{GAME} P1*2 ok P1*4 ok P1 ok P1*3 ok turn-16 ok turn-9 ok turn-16 ok*2"  # PIP: moxie 2 to 5, hustle 1 to 3
SHOWN = {
    "a first game has no fanciers to offer": (GAME, "Lowest moxie?"),
    "a named fancier is offered in a later game": (f"{NAMED} reboot turn-1 {GAME}", "PIP"),
    "it is kept from game to game": (f"{NAMED} reboot turn-1 {GAME} menu[Main menu] {GAME}", "PIP"),
    "a fancier that was taken back is not kept": (f"{NAMED} ok! ok reboot turn-1 {GAME}", "Lowest moxie?"),
}


@pytest.mark.parametrize(("line", "text"), SHOWN.values(), ids=SHOWN)
def test_the_display_says(rig: Rig, line: str, text: str) -> None:
    assert text in rig.do(line).reads()


@pytest.fixture
def later(rig: Rig) -> Rig:
    """A later game, after the kit was switched off."""
    return rig.do(f"{NAMED} reboot turn-1 {GAME}")  # not on with that one: to the menu


def test_one_ok_takes_it_with_its_numbers(later: Rig) -> None:
    assert later.ok().state.stats[0] == (2, 5, 1, 3)


def test_what_was_kept_is_no_step_to_be_undone(later: Rig) -> None:
    assert later.playing.play.past is None


def test_a_game_with_kept_fanciers_is_replayed_exactly(later: Rig) -> None:
    state = later.ok().state
    assert later.do("reboot ok").state == state


def test_a_journal_that_cannot_be_read_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database at all")
    assert "Lowest moxie?" in Rig(tmp_path).do(GAME).reads()
