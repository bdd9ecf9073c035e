"""A start while the latest game is read: it says so, presses only click, and then all is as with a small game."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.journal.reader import Recorded
from firmware.output import sounds
from firmware.table import app, past_games
from firmware.table.past_games import Unfinished
from firmware.wishes.people import Add
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig, S
from tests.simulators.waiting import comes

PAW = "game[kitty_paw 3] ok 300"


class SlowRig:
    """A rig whose latest game is read on a thread, once that is allowed."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.allowed, self.error = folder, threading.Event(), False
        unfinished = past_games.unfinished
        monkeypatch.setattr(app, "READING_S", 0.0)

        def slow(record: Recorded | None) -> Unfinished | None:
            assert self.allowed.wait(10)
            if self.error:
                raise RuntimeError("a fault of the program")
            return unfinished(record)

        monkeypatch.setattr(past_games, "unfinished", slow)

    def again(self, *, boot: str = "boot-2", start_ns: int = 5 * S) -> Rig:
        return Rig(self.folder, boot=boot, start_ns=start_ns, threaded=True)

    def read(self, rig: Rig) -> Rig:
        """The game is read now."""
        self.allowed.set()
        assert comes(lambda: rig.after(1).app.table.reading is None)
        return rig


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowRig]:
    slow = SlowRig(tmp_path, monkeypatch)
    yield slow
    slow.allowed.set()


def test_the_display_says_that_the_game_is_read_and_then_asks_whether_to_go_on(slow: SlowRig) -> None:
    Rig(slow.folder).do(f"{PAW} +P1,P2,P3 3100 -P1,P2,P3 P1 300 P2 200 yes turn+1 ok").close()
    rig = slow.again()
    assert "reading the game" in rig.reads()
    slow.read(rig)
    assert (rig.top, "GO ON?" in rig.reads()) == ("Resume", True)
    assert rig.ok().scores == (7, 0, -1)


def test_meanwhile_presses_click_and_nothing_comes_of_them(slow: SlowRig) -> None:
    Rig(slow.folder).do(PAW).close()
    rig = slow.again()
    rig.do("P1 ok ok! turn+1 turn-1 P2! 300")
    assert (rig.top, rig.tunes) == ("Reading", [sounds.CLICK] * len(rig.tunes))
    assert len(rig.tunes) == 5  # a long OK alone is silent
    assert slow.read(rig).top == "Resume"


def test_an_ok_that_began_before_the_question_was_there_does_not_answer_it(slow: SlowRig) -> None:
    Rig(slow.folder).do(PAW).close()
    rig = slow.again().down("ok")
    slow.read(rig).up("ok").after(100)
    assert rig.top == "Resume"
    assert rig.ok().asks == "Hands"


def test_hands_that_are_held_meanwhile_are_known_as_held(slow: SlowRig) -> None:
    Rig(slow.folder).do(PAW).close()
    rig = slow.again().down("P1", "P3")
    slow.read(rig).ok().after(100)
    assert rig.state.ask.down == (True, None, True)


def test_a_run_after_one_that_was_cut_short_goes_on_by_itself_once_it_is_read(slow: SlowRig) -> None:
    rig = Rig(slow.folder).do("game[pack_and_stack 3]")
    rig.close()
    again = slow.again(boot="boot-1", start_ns=1010 * S)
    again.app.unheard(1008 * S)
    again.app.go_on()
    assert again.after(0).top == "Reading"
    assert slow.read(again).top == "Playing"
    assert comes(lambda: "not listening for 2 s" in again.after(1).reads())


def test_what_pages_and_phones_ask_waits_until_it_is_read(slow: SlowRig) -> None:
    first = Rig(slow.folder)
    let_in(first)
    token = Phone(first, "P1").token
    first.do(PAW).close()
    rig = slow.again()
    let_in(rig)
    phone = Phone(rig, token=token)
    told: list[object] = []
    rig.app.wish(Add("Zoe"), told.append)
    phone.say(leave="P1")
    assert (phone.mine, rig.app.table.roster.names, told) == (["P1"], (), [])
    slow.read(rig)
    assert comes(lambda: bool(rig.after(1) and told))
    assert (phone.mine, rig.app.table.roster.names) == ([], ("Zoe",))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_kit_whose_game_cannot_be_read_for_any_reason_starts_without_it(slow: SlowRig) -> None:
    Rig(slow.folder).do(PAW).close()
    rig = slow.again()
    slow.error = True
    assert (slow.read(rig).top, rig.app.table.unfinished) == ("Menu", None)
    assert comes(lambda: "reader" not in {thread.name for thread in threading.enumerate()})  # its error is told by now
