"""From game to game: the end, what follows it, games that lie unfinished, the history; nobody waits for a disk."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine import games
from engine import play as plays
from firmware.journal import sheet
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.table.table import Table
from tests.firmware.command import ROOT
from tests.simulators.players import Game, random_game
from tests.simulators.rig import THREE, Rig, flash

QUIET_MS = 2000  # so long the end picture answers nothing


@pytest.fixture
def ended(rig: Rig) -> Rig:
    """A game of Kitty Paw was ended 60 ms ago, soon after a race."""
    flash(rig.begin("Kitty Paw", *THREE)).tap("P1").after(300).tap("P2").after(500)
    return more(rig, "End the game")


@pytest.fixture
def asked(ended: Rig) -> Rig:
    """It has been looked at, and OK was pressed."""
    return ended.after(QUIET_MS).ok()


def to_row(rig: Rig, row: str) -> Rig:
    """Down to a row of a list, wherever it stands."""
    rig.arrow(99)
    for _ in range(99):
        if rig.row().startswith(row):
            return rig
        rig.arrow(-1)
    raise AssertionError(f"no row {row!r}")


def choose(rig: Rig, row: str) -> Rig:
    """OK at a row of a list."""
    return to_row(rig, row).ok()


def rows(rig: Rig) -> list[str]:
    """A list, row by row."""
    texts = [text for text, _ in rig.listing.rows()]
    return [text if isinstance(text, str) else text[0] for text in texts]


def more(rig: Rig, row: str) -> Rig:
    """A row of the menu of a game."""
    return choose(rig.ok_hold().arrow(-1), row)


def stands(rig: Rig) -> str:
    """What the kit is doing."""
    return type(rig.app.table.top).__name__


# --- the end picture answers nothing at first ------------------------------------------------------------------------


def still(rig: Rig, do: Callable[[Rig], object]) -> bool:
    """Whether a thing that is done changes neither the picture nor what the kit does."""
    before = rig.picture.tobytes(), stands(rig), rig.playing.play.step
    do(rig)
    return (rig.picture.tobytes(), stands(rig), rig.playing.play.step) == before


@pytest.mark.parametrize("ms", [0, 500, 1939])
@pytest.mark.parametrize(
    "do",
    [
        lambda rig: rig.ok(),
        lambda rig: rig.ok_hold(),
        lambda rig: rig.tap("P1"),
        lambda rig: rig.hold("P1"),
        lambda rig: rig.arrow(1),
        lambda rig: rig.arrow(-1),
    ],
    ids=["OK", "long OK", "a slap", "a hold", "up", "down"],
)
def test_the_end_picture_answers_nothing_for_two_seconds(ended: Rig, do: Callable[[Rig], object], ms: int) -> None:
    assert still(ended.after(ms), do)


@pytest.mark.parametrize(("ms", "what"), [(1930, "Playing"), (1950, "Ending")])
def test_ok_counts_from_when_it_went_down(ended: Rig, ms: int, what: str) -> None:
    ended.after(ms).ok()
    assert stands(ended) == what


def test_hammering_ok_at_the_end_answers_nothing(ended: Rig) -> None:
    assert still(ended, lambda rig: rig.ok(16))  # a push takes 120 ms


def test_ok_that_is_leant_on_since_before_the_end_answers_nothing(rig: Rig) -> None:
    more(rig.begin("Kitty Paw", *THREE), "End the game")
    rig.push(down=True)
    rig.app.step(rig.now_ns)
    assert still(rig, lambda rig: rig.after(60_000))


def test_the_two_seconds_begin_when_the_end_is_shown(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.begin("Kitty Paw", *THREE)
    tickets: list[int] = []
    monkeypatch.setattr(rig.app.journal, "_on_commit", tickets.append)
    more(rig, "End the game").after(700).ok()  # not on the disk yet
    rig.app.table.committed(tickets[-1])
    assert still(rig.after(1900), Rig.ok) and stands(rig.after(100).ok()) == "Ending"


def test_an_end_from_the_list_answers_at_once(ended: Rig) -> None:
    choose(ended.after(QUIET_MS).ok(), "Other game")
    assert stands(choose(ended, "Last").ok()) == "Ending"


# --- what follows it -------------------------------------------------------------------------------------------------


def test_again_is_what_a_second_ok_does(asked: Rig) -> None:
    assert asked.row() == "Again"


def test_again_is_a_new_game_of_the_same_players_with_the_same_options(rig: Rig) -> None:
    rig.begin("Kitty Paw", *THREE, tie_band=20)
    before = more(rig, "End the game").playing.play
    after = rig.after(QUIET_MS).ok(2).playing.play
    assert (after.rules, after.players, after.options, after.step) == (before.rules, before.players, before.options, 0)


def test_again_is_played_with_the_buttons_that_were_played_with(rig: Rig) -> None:
    more(rig.begin("Kitty Paw", *THREE), "Seats").tap("P4").tap("P2").tap("P3")
    more(rig, "End the game").after(QUIET_MS).ok(2)
    assert rig.playing.seating.buttons == ("P4", "P2", "P3")


def test_again_remembers_what_the_game_before_has_left(rig: Rig) -> None:
    rig.begin("CAT Pageant", "P1", "P2")
    for taps in (2, 4, 1, 3):
        rig.tap("P1", taps).ok()
    for letter in "PIP":
        choice = rig.playing.question.control
        assert choice is not None
        rig.arrow(-choice.options.index(letter)).ok()
    more(rig.ok(), "End the game").after(QUIET_MS).ok(2)
    assert "PIP" in rig.reads()


def test_again_is_a_game_of_its_own_in_the_journal(asked: Rig, tmp_path: Path) -> None:
    asked.ok()
    with closing(History(tmp_path / "journal.db")) as history:
        rules = games.rules("kitty_paw")
        assert [history.play(row.game, rules).over for row in history.games()] == [False, True]


def test_other_game_leads_to_the_menu(asked: Rig) -> None:
    assert "LUCKY PAW" in choose(asked, "Other game").reads()


@pytest.mark.parametrize("leave", [Rig.ok, Rig.ok_hold], ids=["OK", "long OK"])
def test_the_score_leads_back_to_what_follows(asked: Rig, leave: Callable[[Rig], Rig]) -> None:
    choose(asked, "Score")
    assert (stands(asked), stands(leave(asked))) == ("EndScore", "Ending")


@pytest.mark.parametrize("leave", [Rig.ok_hold, lambda rig: rig.tap("P4")], ids=["long OK", "a press"])
def test_what_follows_is_left_for_the_end_picture(asked: Rig, leave: Callable[[Rig], Rig]) -> None:
    assert stands(leave(asked)) == "Playing"


def test_an_end_is_undone_from_the_list_after_another_game_has_begun(asked: Rig) -> None:
    scores = asked.scores
    more(asked.ok(), "Main menu")  # again, by mistake
    choose(choose(asked, "Unfinished games"), "Kitty Paw: open").ok()
    choose(asked.ok_hold().arrow(-1), "Main menu")
    choose(asked, "Unfinished games").arrow(-1).ok().ok()
    assert (asked.scores, asked.playing.play.over) == (scores, True)
    assert not asked.ok_hold().ok().playing.play.over


# --- games that lie unfinished ---------------------------------------------------------------------------------------


@pytest.fixture
def three_open(rig: Rig) -> Rig:
    """Three games were begun, none was ended: Kitty Paw, If It Fits, Pack & Stack."""
    rig.begin("Kitty Paw", *THREE)
    more(rig, "Fix points").tap("P2").arrow(4).ok()
    more(rig, "Main menu").begin("If It Fits", "P1", "P2")
    more(rig, "Main menu").begin("Pack & Stack", "P1", "P2")
    return more(rig, "Main menu")


def test_every_unfinished_game_is_listed_the_newest_first(three_open: Rig) -> None:
    choose(three_open, "Unfinished games")
    assert rows(three_open) == ["Pack & Stack: open", "If It Fits: open", "Kitty Paw: open"]


def test_an_old_unfinished_game_is_gone_on_with_where_it_stood(three_open: Rig) -> None:
    choose(choose(three_open, "Unfinished games"), "Kitty Paw")
    assert "P1 0 P2 4 P3 0" in " ".join(three_open.reads().split())
    three_open.ok()
    assert (three_open.scores, three_open.playing.play.rules.name) == ((0, 4, 0), "kitty_paw")


def test_what_comes_of_an_old_game_is_written_to_it(three_open: Rig, tmp_path: Path) -> None:
    choose(choose(three_open, "Unfinished games"), "Kitty Paw").ok()
    more(three_open, "Fix points").tap("P3").arrow(5).ok()
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.play(1, games.rules("kitty_paw")).scores == (0, 4, 5)


def test_after_a_power_cut_the_game_that_was_on_is_offered_not_the_newest(three_open: Rig, tmp_path: Path) -> None:
    choose(choose(three_open, "Unfinished games"), "Kitty Paw").ok()
    again = Rig(tmp_path, boot="boot-2")
    assert "Kitty Paw" in again.reads() and again.ok().scores == (0, 4, 0)


def test_the_game_left_for_an_old_one_can_be_gone_on_with_too(three_open: Rig) -> None:
    choose(choose(three_open, "Unfinished games"), "Kitty Paw").ok()
    choose(choose(more(three_open, "Main menu"), "Unfinished games"), "Pack & Stack").ok()
    assert three_open.playing.play.rules.name == "pack_and_stack"


def test_looking_at_an_old_game_leaves_the_newest_where_it_was(three_open: Rig) -> None:
    choose(choose(three_open, "Unfinished games"), "Kitty Paw").ok_hold().ok_hold()
    assert "Go on: Pack & Stack" in three_open.reads()


def test_a_game_that_could_not_be_saved_is_gone_on_with_as_it_is_in_memory(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.begin("Kitty Paw", *THREE)

    def fails() -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(rig.app.journal, "_save", fails)
        more(rig, "Fix points").tap("P2").arrow(4).ok()
        choose(choose(more(rig, "Main menu"), "Unfinished games"), "Kitty Paw").ok()
    assert rig.scores == (0, 4, 0)


def test_thirty_unfinished_games_are_listed(tmp_path: Path) -> None:
    rules = games.rules("kitty_paw")
    with closing(Journal(tmp_path / "journal.db", "boot-0", lambda ticket: None, lambda text: None)) as journal:
        for seed in range(30):
            first = plays.start(rules, THREE, rules.options(), seed, 1)
            journal.write(journal.begin_game("kitty_paw"), (first, *plays.fix(plays.opened(rules, first), 0, 1 + seed)))
    rig = Rig(tmp_path, boot="boot-1").arrow(-1)
    choose(rig, "Unfinished games").arrow(-29).ok().ok()
    assert rig.scores == (1, 0, 0)


# --- history ---------------------------------------------------------------------------------------------------------


def two_rounds(game: Game) -> bool:
    """Whether a game has two rounds, each with points, and P2 has won it."""
    rounds = sheet.rounds(game.play)
    return len(rounds) == 2 and all(any(each.moved) for each in rounds) and game.play.winners == (1,)


@pytest.fixture
def past(tmp_path: Path) -> Rig:
    """A finished game, one ended by hand, one that is open, one that this version does not know."""
    stack, paw = games.rules("pack_and_stack"), games.rules("kitty_paw")
    first = plays.start(paw, THREE, paw.options(), 7, 1)
    whole = next(game for seed in range(999) if two_rounds(game := random_game(stack, 6, stack.options(), seed)))
    with closing(Journal(tmp_path / "journal.db", "boot-0", lambda ticket: None, lambda text: None)) as journal:
        for name, facts in (
            ("pack_and_stack", whole.facts),
            ("kitty_paw", (first, *plays.end(plays.opened(paw, first), 9))),
            ("kitty_paw", (first,)),
            ("chess", (first,)),
        ):
            journal.write(journal.begin_game(name), facts)
    rig = Rig(tmp_path, boot="boot-1")
    return choose(rig, "History")


def test_the_history_says_who_has_won_and_what_was_ended_by_hand(past: Rig) -> None:
    assert rows(past) == ["Chess: ?", "Kitty Paw: open", "Kitty Paw: ended", "Pack & Stack: P2"]


def test_a_game_that_nobody_knows_is_refused_and_the_list_stays(past: Rig) -> None:
    past.ok()
    assert (stands(past), "this game cannot be read" in past.reads()) == ("Past", True)


def test_a_game_of_the_history_opens_its_score_sheet(past: Rig) -> None:
    assert "ended by hand" in past.arrow(-2).ok().reads()


@pytest.mark.parametrize("leave", [Rig.ok, Rig.ok_hold], ids=["OK", "long OK"])
def test_a_score_sheet_leads_back_to_its_row_of_the_list(past: Rig, leave: Callable[[Rig], Rig]) -> None:
    row = past.arrow(-2).row()
    leave(past.ok())
    assert (stands(past), past.row()) == ("Past", row)


def test_a_score_sheet_has_a_page_a_round(past: Rig) -> None:
    past.arrow(-3).ok()
    assert [title in past.arrow(-1).reads() for title in ("Round 1 of 2", "Round 2 of 2", "Round 2")] == [True] * 3


def test_the_pages_of_a_score_sheet_end_at_both_ends(past: Rig) -> None:
    first = past.arrow(-3).ok().picture.tobytes()
    assert past.arrow(-50).arrow(50).arrow(1).picture.tobytes() == first


def test_a_journal_that_is_damaged_has_no_history(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database at all")
    assert "no game yet" in choose(rig, "History").reads()


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """A journal whose latest game has lost its beginning."""
    rules = games.rules("kitty_paw")
    facts = random_game(rules, 3, rules.options(), 3).facts
    with closing(Journal(tmp_path / "journal.db", "boot-0", lambda ticket: None, lambda text: None)) as journal:
        journal.write(journal.begin_game("kitty_paw"), facts[:20])
        journal.write(journal.begin_game("kitty_paw"), facts[1:20])
    return tmp_path


def test_the_kit_starts_where_the_latest_game_is_torn(torn: Path) -> None:
    assert "LUCKY PAW" in Rig(torn, boot="boot-1").reads()


@pytest.mark.parametrize(
    ("row", "listed"),
    [
        ("History", ["Kitty paw: ?", "Kitty Paw: open"]),
        ("Unfinished games", ["Kitty Paw: open"]),
    ],
)
def test_a_torn_game_hides_no_other(torn: Path, row: str, listed: list[str]) -> None:
    rig = choose(Rig(torn, boot="boot-1"), row)
    assert rows(rig) == listed


# --- nobody waits for the disk ---------------------------------------------------------------------------------------


class SlowDisk:
    """What is asked of the journal, answered when the test says so."""

    def __init__(self, table: Table) -> None:
        self._read = table.read
        self._asked: list[Callable[[], None]] = []
        table.read = self.ask

    def ask(self, read: Any, then: Any, wanted: Callable[[], bool]) -> None:
        """Put it off."""
        self._asked.append(lambda: self._read(read, then, wanted))

    def answer(self, rig: Rig) -> Rig:
        """The disk is done."""
        while self._asked:
            self._asked.pop(0)()
        return rig.after(1)


@pytest.fixture
def slow(rig: Rig) -> SlowDisk:
    more(rig.begin("Kitty Paw", *THREE), "Main menu")
    return SlowDisk(rig.app.table)


@pytest.mark.parametrize("row", ["History", "Unfinished games"])
def test_a_list_says_that_it_is_being_read_until_it_is_there(rig: Rig, slow: SlowDisk, row: str) -> None:
    before = choose(rig, row).reads()
    assert ("reading ..." in before, "reading ..." in slow.answer(rig).reads()) == (True, False)


def test_a_game_is_begun_while_the_disk_reads(rig: Rig, slow: SlowDisk) -> None:
    choose(rig, "History").ok_hold().begin("CAT Pageant", "P1", "P2")
    assert stands(rig) == "Playing"


def test_what_comes_from_the_disk_too_late_changes_nothing(rig: Rig, slow: SlowDisk) -> None:
    slow.answer(choose(rig, "Unfinished games"))
    rig.ok().ok_hold()  # a game was chosen, but nobody waited for it
    assert stands(slow.answer(rig)) == "Menu"


def test_a_list_that_was_left_half_read_is_read_when_it_is_come_back_to(rig: Rig, slow: SlowDisk) -> None:
    slow.answer(choose(rig, "Unfinished games"))
    slow.answer(rig.ok())
    rig.ok_hold()
    assert "open" in slow.answer(rig).reads()


def test_the_loop_opens_no_file_in_an_evening_with_all_its_menus(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.simulators.off_the_loop", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.stderr, json.loads(ran.stdout or "null")) == ("", [])
