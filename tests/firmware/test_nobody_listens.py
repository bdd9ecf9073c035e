"""Presses are missed between two runs of the program: nobody is named first or last who was not."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from firmware.table.app import App
from hardware.config import TABLE
from hardware.kit import open_emulated
from hardware.parts.buttons import Edge
from tests.firmware.outcomes import outcomes
from tests.simulators.real_buttons import Machine, RealRig
from tests.simulators.rig import MS, Rig
from tests.simulators.undoing import SIX
from tests.simulators.waiting import comes

FLASH = "+P1,P2,P3 3100 -P1,P2,P3 5000"
PAW = f"game[kitty_paw 3] {FLASH}"
GRABS = "game[pack_and_stack 3] P1 ok 1000 2300"
JUDGED = f"{GRABS} P1 300 P2 300"  # P3 is the last
LOWEST = " ".join(f"P{n} ok P{n} ok P{n} ok P{n} ok*2" for n in (1, 2))  # two fanciers
QUIZ = "sheet[Quiz buzzer 3]"
ALL_LOST = f"{QUIZ} lost[P1] lost[P2] lost[P3]"

test_a_new_run = outcomes(
    {
        "Kitty Paw: after the Meow all put their hands on again": (f"{PAW} P1 400 killed[2800]", "HANDS ON"),
        "a press in the new run calls nobody": (f"{PAW} P1 400 killed[2800] P2 500", "HANDS ON"),
        "before the Meow, too": (f"{PAW} killed[2800] P2 500", "HANDS ON"),
        "an update is a restart": (f"{PAW} P1 400 restart ok 300 P2 500", "HANDS ON"),
        "the race that comes then is judged": (f"{PAW} killed[2800] {FLASH} P2 400 P1 400", "P2 MEOW | LAST P3 -1"),
        "how long is told": (f"{PAW} P1 400 killed[2800]", "reads", "not listening for 3 s, | the race begins again"),
        "who pressed while it hung is told": (
            f"{PAW} P1 400 hung[9000 P3,P2]",
            "reads",
            "not listening for 9 s, P2 | P3 pressed meanwhile, the | race begins again",
        ),
        "it decides nothing": (f"{PAW} P1 400 hung[9000 P3] 6s", "HANDS ON"),
        "nor does it before the Meow": (f"{PAW} hung[9000 P3] 500 P2 6s", "HANDS ON"),
        "without a race the time alone is told": ("game[kitty_paw 3] killed[12400] 100", "not listening for 12 s"),
        "a restart is no outage, but a race begins again": (f"{PAW} P1 400 restart ok", "the race begins again"),
        "nobody is told where no race was on": ("game[kitty_paw 3] killed[2800]", "hides", "again"),
        "a race that is judged stays": (f"{PAW} P1 400 P2 400 killed[2800] 6s", "P1 MEOW | LAST P3 -1"),
        "Pack & Stack: it begins at the deal": (f"{GRABS} P1 300 killed[2800] P2 300", "asks", "Deal"),
        "its verdict stays": (f"{JUDGED} killed[2800]", "state.round.last", (2,)),
        "a grab that is void then goes to the table": (
            f"{JUDGED} killed[2800] ok! turn-1 [P1: Wrong] 500",
            "state.ask.phase",
            "dispute",
        ),
        "CAT Pageant: the countdown begins again": (
            f"game[cat_pageant 2] {LOWEST} 1000 ok 1s killed[2800]",
            "asks",
            "Place",
        ),
        "a sheet's race waits for OK": (f"{QUIZ} killed[2800]", "GO ON?"),
        "nobody is the first before": (f"{QUIZ} +P1 20 killed[2800] P2 500", "GO ON?"),
        "from OK on presses count": (f"{QUIZ} +P1 20 killed[2800] P2 500 ok 100 P3 100", "P3: right?"),
        "and all are told that it begins again": (f"{QUIZ} +P1 20 killed[2800] ok", "the race begins again"),
        "a button that had failed may be the first": (f"{QUIZ} lost[P3] killed[2800] ok 100 P3 100", "P3: right?"),
        "also where all had": (f"{ALL_LOST} killed[2800]", "GO ON?"),
        "all are told then, too": (f"{ALL_LOST} killed[2800] ok", "the race begins again"),
        "one that still fails is not waited for": (
            f"{QUIZ} lost[P3] menu[Main menu] ok 100",
            "state.ask.race.benched",
            (2,),
        ),
        "what is asked after a race stays": (f"{QUIZ} P1 300 killed[2800]", "P1: right?"),
        "a race with a signal waits for its start": ("sheet[Reaction duel 2] ok 7s killed[2800] P2", "READY?"),
        "a game that was left in a race begins it again": (f"{PAW} P1 400 menu[Main menu] ok*2 P2 500", "HANDS ON"),
    }
)


def test_whom_the_last_run_heard_after_it_noted_the_time_has_not_pressed_meanwhile(rig: Rig) -> None:
    noted_ns = rig.do(PAW).now_ns
    rig.do("+P1 60 -P1 300")
    rig.now_ns += 3000 * MS
    rig.cut_short(noted_ns)
    assert "not listening for 3 s, | the race begins again" in rig.reads()


def test_a_spark_while_nobody_listens_is_no_press(rig: Rig) -> None:
    heard_ns = rig.do(PAW).now_ns
    for after_ms in (100, 100.4):
        rig.app.post(Edge("P2", after_ms == 100, heard_ns + round(after_ms * MS), "kernel"))
    rig.now_ns += 3000 * MS
    rig.cut_short(heard_ns)
    assert "not listening for 3 s, | the race begins again" in rig.reads()


def test_a_press_that_was_made_before_ok_is_not_the_first(rig: Rig) -> None:
    rig.do(f"{QUIZ} killed[2800] +ok 60 stall[20] -ok late[P2 10] 300")
    assert rig.asks == "OpenRace" and not rig.state.ask.race.presses


@pytest.mark.parametrize("how", ["killed[2800]", "reboot ok"])
def test_undo_does_not_lead_into_a_race_of_the_old_run(rig: Rig, how: str) -> None:
    rig.do(f"{PAW} P1 400 P2 400 {how} undo")
    assert (rig.asks, rig.state.round.number) == ("Hands", 1)


def test_what_is_pressed_while_the_loop_hangs_is_on_the_disk(tmp_path: Path) -> None:
    with closing(App(open_emulated(TABLE, lambda *_: None), tmp_path, now_ns=0)) as app:
        app.post(Edge("P2", True, 5))  # no `step` follows
        journal = f"{(tmp_path / 'journal.db').as_uri()}?mode=ro"  # which makes none

        def stored() -> bool:
            with suppress(sqlite3.OperationalError), closing(sqlite3.connect(journal, uri=True)) as db:
                return db.execute("select button from edge").fetchall() == [("P2",)]
            return False  # there is none yet

        assert comes(stored)


@pytest.mark.parametrize("how", ["killed[2800]", "reboot ok"])
def test_a_button_that_is_held_over_a_new_run_is_out_of_play_until_it_is_let_go(tmp_path: Path, how: str) -> None:
    rig = RealRig(tmp_path, Random(1), Machine(late=0), SIX)
    rig.do("game[pack_and_stack 3] P1 1000").edge("P3", down=True)
    asks = rig.do(f"1000 {how} 6s ok 3300 P1 300 P2 600").asks
    rig.edge("P3", down=False)
    assert (asks, "P3 works again" in rig.after(100).reads()) == ("WhoLast", True)
    rig.close()


def test_a_seat_whose_button_the_kit_does_not_have_is_left_to_the_table(tmp_path: Path) -> None:
    with closing(Rig(tmp_path, SIX)) as larger:
        larger.do("game[pack_and_stack 5] P1 ok 1000")
    with closing(Rig(tmp_path, boot="boot-2")) as rig:
        rig.do("ok 6s ok 3300 P1 200 P2 200 P3 200 P4 200")
        assert rig.asks == "WhoLast" and "P5 no button" in rig.reads()
