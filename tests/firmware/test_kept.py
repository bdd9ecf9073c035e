"""What a game leaves for later ones of its kind: the fanciers of CAT Pageant."""

from pathlib import Path

import pytest

from tests.simulators.rig import Rig


def named(rig: Rig, name: str) -> Rig:
    """A fancier is entered and saved under this name."""
    for taps in (2, 4, 1, 3):  # moxie 2 to 5, hustle 1 to 3
        rig.tap("P1", taps).ok()
    for letter in name:
        choice = rig.playing.question.control
        assert choice is not None
        rig.arrow(-choice.options.index(letter)).ok()
    return rig.ok()


@pytest.fixture
def later(tmp_path: Path) -> Rig:
    """A later game, after the kit was switched off."""
    before = Rig(tmp_path)
    named(before.begin("CAT Pageant", "P1", "P2"), "PIP")
    before.close()
    return Rig(tmp_path, boot="boot-2").arrow(-1)  # not on with that one: to the menu


def test_a_named_fancier_is_offered_in_a_later_game(later: Rig) -> None:
    assert "PIP" in later.begin("CAT Pageant", "P1", "P2").reads()


def test_one_ok_takes_it_with_its_numbers(later: Rig) -> None:
    assert later.begin("CAT Pageant", "P1", "P2").ok().playing.play.state.stats[0] == (2, 5, 1, 3)


def test_it_is_kept_from_game_to_game(later: Rig) -> None:
    later.begin("CAT Pageant", "P1", "P2").ok_hold().arrow(-1)
    for _ in range(20):
        if later.row() == "Main menu":
            break
        later.arrow(-1)
    assert "PIP" in later.ok().begin("CAT Pageant", "P1", "P3").reads()


def test_what_was_kept_is_no_step_to_be_undone(later: Rig) -> None:
    later.begin("CAT Pageant", "P1", "P2")
    assert later.playing.play.past is None


def test_a_first_game_has_no_fanciers_to_offer(rig: Rig) -> None:
    assert "Lowest moxie?" in rig.begin("CAT Pageant", "P1", "P2").reads()


def test_a_fancier_that_was_taken_back_is_not_kept(tmp_path: Path) -> None:
    before = Rig(tmp_path)
    named(before.begin("CAT Pageant", "P1", "P2"), "PIP").ok_hold().ok()
    before.close()
    assert "Lowest moxie?" in Rig(tmp_path, boot="boot-2").arrow(-1).begin("CAT Pageant", "P1", "P2").reads()


def test_a_game_with_kept_fanciers_is_replayed_exactly(later: Rig, tmp_path: Path) -> None:
    state = later.begin("CAT Pageant", "P1", "P2").ok().playing.play.state
    later.close()
    again = Rig(tmp_path, boot="boot-3")
    assert again.ok().playing.play.state == state


def test_a_journal_that_cannot_be_read_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database at all")
    assert "Lowest moxie?" in Rig(tmp_path).begin("CAT Pageant", "P1", "P2").reads()
