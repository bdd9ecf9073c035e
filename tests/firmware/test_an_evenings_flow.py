"""From game to game: the end, what follows it, games that lie unfinished, the history; nobody waits for a disk."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import games
from engine import play as plays
from engine.play import Fact
from firmware.journal import sheet
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.output.screens.canvas import FOOT_PX, WIDTH_PX
from firmware.table.table import Table
from tests.firmware.command import ROOT
from tests.firmware.outcomes import outcomes
from tests.simulators.people import People
from tests.simulators.players import Game, random_game
from tests.simulators.rig import THREE, Rig
from tests.simulators.waiting import PATIENCE_S

GAME = "game[kitty_paw 3]"
ENDED = f"{GAME} +P1,P2,P3 3100 -P1,P2,P3 2000 P1 300 P2 500 menu[End the game]"  # 60 ms ago, soon after a race
LOOKED_AT = f"{ENDED} 2000"  # so long the end picture answers nothing
ASKED = f"{LOOKED_AT} ok"
THREE_OPEN = (  # begun, and none was ended
    f"{GAME} menu[Fix points] P2 turn+4 ok menu[Main menu] game[if_it_fits 2] menu[Main menu]"
    " game[pack_and_stack 2] menu[Main menu]"
)
NAMED = "game[cat_pageant 2] P1*2 ok P1*4 ok P1 ok P1*3 ok turn-16 ok turn-9 ok turn-16 ok*2"  # a fancier: PIP
OPEN = ["Pack & Stack: open", "If It Fits: open", "Kitty Paw: open"]
SWAPPED = f"{GAME} menu[Seats] P4 P2 P3 menu[End the game]"
BACK_TO_NEWEST = "menu[Main menu] [Unfinished games] [Pack & Stack] ok"
OLD = f"{THREE_OPEN} [Unfinished games] [Kitty Paw]"

EVENINGS = {
    "the end says that it waits before it takes OK": (f"{ENDED} 1900", "wait ..."),
    "and then by itself what OK does": (f"{ENDED} 2000", "OK: next"),
    "OK that went down too early does not count": (f"{ENDED} 1930 ok", "top", "Playing"),
    "a button that is not asked says whose turn it is": ("game[cat_pageant 2] P2", "it is P1's turn"),
    "and that the table is asked": ("game[pack_and_stack 4] P1 P2", "OK answers this"),
    "so does one that is held in place of a player's": ("game[kitty_paw 3] +P1,P2 P4", "P4 is not in this game"),
    "until the signal is waited for": ("game[kitty_paw 3] +P1,P2 P4 +P3", "hold until the flash"),
    "one that nobody plays with says so": ("game[cat_pageant 2] P4", "P4 is not in this game"),
    "but not where a signal is waited for": (f"{GAME} +P1,P2,P3 1000 P4", "hides", "P4 is"),
    "nor in a race": (f"{GAME} +P1,P2,P3 3100 -P1,P2,P3 1000 P4", "hides", "P4 is"),
    "after the end it says that": ("game[cat_pageant 2] menu[End the game] 2000 P1", "the game is over"),
    "10 ms later it does": (f"{ENDED} 1950 ok", "top", "EndMenu"),
    "an end from the list answers at once": (f"{ASKED} [Other game] [Last] ok", "top", "EndMenu"),
    "the score is looked at": (f"{ASKED} [Score]", "top", "EndScore"),
    "OK leads back from it": (f"{ASKED} [Score] ok", "top", "EndMenu"),
    "so does a long OK": (f"{ASKED} [Score] ok!", "top", "EndMenu"),
    "what follows is left by a long OK": (f"{ASKED} ok!", "top", "Playing"),
    "and by a press": (f"{ASKED} P4", "top", "Playing"),
    "again is played with the same buttons": (f"{SWAPPED} 2000 ok*2", "playing.seating.buttons", ("P4", "P2", "P3")),
    "an old game is gone on with where it stood": (f"{OLD} ok", "scores", (0, 4, 0)),
    "so is the game left for it": (f"{OLD} ok {BACK_TO_NEWEST}", "playing.play.rules.name", "pack_and_stack"),
    "after a power cut the game that was on is offered, not the newest": (f"{OLD} ok reboot ok", "scores", (0, 4, 0)),
    "other game leads to the menu": (f"{ASKED} [Other game]", "reads", "LUCKY PAW"),
    "again remembers what the game before has left": (f"{NAMED} menu[End the game] 2000 ok*2", "reads", "PIP"),
    "an old game is shown with its points": (OLD, "reads", "P1 0 P2 4 P3 0"),
    "looking at one leaves the newest where it was": (f"{OLD} ok!*2", "reads", "Go on: Pack & Stack"),
    "every unfinished game is listed the newest first": (f"{THREE_OPEN} [Unfinished games]", "rows", OPEN),
}

test_an_evening = outcomes(EVENINGS)


def still(rig: Rig, line: str) -> bool:
    """Whether a thing that is done changes neither the picture, but for its bottom row, nor what the kit does."""

    def now() -> tuple[bytes, str, int]:
        return rig.picture.crop((0, 0, WIDTH_PX, FOOT_PX)).tobytes(), rig.top, rig.playing.play.step

    before = now()
    rig.do(line)
    return now() == before


@pytest.mark.parametrize("ms", [0, 1939])
@pytest.mark.parametrize("line", ["ok", "ok!", "P1", "P1!", "turn+1", "turn-1"])
def test_the_end_picture_answers_nothing_for_two_seconds(rig: Rig, line: str, ms: int) -> None:
    assert still(rig.do(f"{ENDED} {ms}"), line)


@pytest.mark.parametrize(("line", "then"), [(ENDED, "ok*16"), (f"{GAME} menu[End the game] +ok", "1min")])
def test_neither_does_an_ok_that_is_hammered_or_leant_on(rig: Rig, line: str, then: str) -> None:
    assert still(rig.do(line), then)


def test_the_two_seconds_begin_when_the_end_is_shown(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    tickets: list[int] = []
    monkeypatch.setattr(rig.do(GAME).app.journal, "_on_commit", tickets.append)
    rig.do("menu[End the game] 700 ok")  # not on the disk yet
    rig.app.table.on_commit(tickets[-1])
    assert still(rig.after(1900), "ok") and rig.do("100 ok").top == "EndMenu"


def test_again_is_what_a_second_ok_does(rig: Rig) -> None:
    assert rig.do(ASKED).row() == "Again"


def test_again_is_a_new_game_of_the_same_players_with_the_same_options(rig: Rig) -> None:
    before = rig.do("game[kitty_paw 3 tie_band=20] menu[End the game]").playing.play
    after = rig.do("2000 ok*2").playing.play
    assert (after.rules, after.players, after.options, after.step) == (before.rules, before.players, before.options, 0)


def test_again_is_a_game_of_its_own_in_the_journal(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{ASKED} ok")
    with closing(History(tmp_path / "journal.db")) as history:
        rules = games.rules("kitty_paw")
        assert [history.play(row.game, rules).over for row in history.games()] == [False, True]


def test_an_end_is_undone_from_the_list_after_another_game_has_begun(rig: Rig) -> None:
    scores = rig.do(ASKED).scores
    rig.do("ok menu[Main menu] [Unfinished games] [Kitty Paw: open] ok menu[Main menu]")  # again, by mistake
    rig.do("[Unfinished games] turn-1 ok*2")
    assert (rig.scores, rig.playing.play.over) == (scores, True)
    assert not rig.do("ok! ok").playing.play.over


def test_what_comes_of_an_old_game_is_written_to_it(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{OLD} ok menu[Fix points] P3 turn+5 ok")
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.play(1, games.rules("kitty_paw")).scores == (0, 4, 5)


def test_a_game_that_could_not_be_saved_is_gone_on_with_as_it_is_in_memory(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(rig.do(GAME).app.journal, "_save", fails)
        rig.do("menu[Fix points] P2 turn+4 ok menu[Main menu] [Unfinished games] [Kitty Paw] ok")
    assert rig.scores == (0, 4, 0)


def written(folder: Path, found: Iterable[tuple[str, tuple[Fact, ...]]]) -> Path:
    """A journal with these games of an earlier boot."""
    with closing(Journal(folder / "journal.db", "boot-0", lambda ticket: None, lambda text: None)) as journal:
        for name, facts in found:
            journal.write(journal.begin_game(name), facts)
    return folder


def test_thirty_unfinished_games_are_listed(tmp_path: Path) -> None:
    rules = games.rules("kitty_paw")
    firsts = [plays.start(rules, THREE, rules.options(), seed, 1) for seed in range(30)]
    written(
        tmp_path,
        [
            ("kitty_paw", (first, *plays.fix(plays.opened(rules, first), 0, 1 + points)))
            for points, first in enumerate(firsts)
        ],
    )
    rig = Rig(tmp_path, boot="boot-1").do("turn-1 [Unfinished games] turn-29 ok*2")
    assert rig.scores == (1, 0, 0)


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
    ended = (first, *plays.end(plays.opened(paw, first), 9))
    found = (("pack_and_stack", whole.facts), ("kitty_paw", ended), ("kitty_paw", (first,)), ("chess", (first,)))
    return Rig(written(tmp_path, found), boot="boot-1").choose("History")


@pytest.mark.slow
def test_the_history_lists_every_game_and_opens_its_score_sheet(past: Rig) -> None:
    assert past.rows == ["Chess: ?", "Kitty Paw: open", "Kitty Paw: ended", "Pack & Stack: P2"]
    assert "this game cannot be read" in past.ok().reads() and past.top == "Past"
    assert "ended by hand" in past.do("turn-2 ok").reads()
    for leave in ("ok", "ok!"):
        assert (past.do(leave).top, past.row()) == ("Past", "Kitty Paw: ended")
        past.ok()


@pytest.mark.slow
def test_a_score_sheet_has_a_page_a_round_and_ends_at_both_ends(past: Rig) -> None:
    first = past.do("turn-3 ok").picture.tobytes()
    assert [title in past.arrow(-1).reads() for title in ("Round 1 of 2", "Round 2 of 2", "Round 2")] == [True] * 3
    assert past.do("turn-50 turn+51").picture.tobytes() == first


def test_a_journal_that_is_damaged_has_no_history(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database at all")
    assert "no game yet" in rig.choose("History").reads()


def test_the_kit_starts_where_the_latest_game_has_lost_its_beginning_which_hides_no_other(tmp_path: Path) -> None:
    rules = games.rules("kitty_paw")
    facts = random_game(rules, 3, rules.options(), 3).facts
    torn = Rig(written(tmp_path, (("kitty_paw", facts[:20]), ("kitty_paw", facts[1:20]))), boot="boot-1")
    assert "LUCKY PAW" in torn.reads()
    assert torn.do("[History]").rows == ["Kitty paw: ?", "Kitty Paw: open"]
    assert torn.do("ok! [Unfinished games]").rows == ["Kitty Paw: open"]


class SlowDisk:
    """A journal that answers when the test says so."""

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
    return SlowDisk(rig.do(f"{GAME} menu[Main menu]").app.table)


@pytest.mark.parametrize("row", ["History", "Unfinished games"])
def test_a_list_says_that_it_is_being_read_until_it_is_there(rig: Rig, slow: SlowDisk, row: str) -> None:
    before = rig.choose(row).reads()
    assert ("reading ..." in before, "reading ..." in slow.answer(rig).reads()) == (True, False)


def test_a_game_is_begun_while_the_disk_reads(rig: Rig, slow: SlowDisk) -> None:
    assert rig.do("[History] ok! game[cat_pageant 2]").top == "Playing"


def test_what_comes_from_the_disk_too_late_changes_nothing(rig: Rig, slow: SlowDisk) -> None:
    slow.answer(rig.choose("Unfinished games"))
    rig.do("ok ok!")  # a game was chosen, but nobody waited for it
    assert slow.answer(rig).top == "Menu"


def test_ok_after_a_game_waits_for_the_evening_that_is_summed(rig: Rig) -> None:
    slow = SlowDisk(rig.do("people[Anna Ben] [Pack & Stack] P1*2 P2*2 ok*2").app.table)
    assert "one moment ..." in People(rig, Random(1)).finish().ok().reads()
    assert "won 1 of 1" in slow.answer(rig).reads()


def test_a_list_that_was_left_half_read_is_read_when_it_is_come_back_to(rig: Rig, slow: SlowDisk) -> None:
    slow.answer(rig.choose("Unfinished games"))
    slow.answer(rig.ok())
    rig.ok_hold()
    assert "open" in slow.answer(rig).reads()


@pytest.mark.slow
def test_the_loop_opens_no_file_in_an_evening_with_all_its_menus(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.simulators.files_opened_by_loop", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE_S,
        check=False,
    )
    assert (ran.returncode, ran.stdout and json.loads(ran.stdout)) == (0, []), ran.stderr
