"""The first start: each button once, the doctor's words, a short race; skipped by holding OK, and never twice."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from firmware.output import spoken
from firmware.setup.greeting import greet
from firmware.setup.steps import Setup, StepFailed
from firmware.state_folder import GREETED, greeted
from hardware.config import TABLE, KitConfig, kit
from hardware.doctor.findings import Finding, finding, fine
from hardware.parts.strip import OFF
from tests.simulators.rig import Rig

NAMES = TABLE.names
WELL = fine("board", "Linux 6.12")
SICK = finding("storage-read-only", "storage", "/var/lib/luckypaw")


class FirstStart(Rig):
    """A kit that greets. The doctor finds at once what is given."""

    def __init__(
        self, folder: Path, config: KitConfig = TABLE, found: list[Finding] | StepFailed | None = None
    ) -> None:
        super().__init__(folder, config)
        self.folder = folder
        setup = Setup(self.app, folder, self.report)
        setup.look = lambda then: then([WELL] if found is None else found)  # type: ignore[method-assign]
        greet(self.app.table, setup)
        self.after(1)

    def race(self) -> "FirstStart":
        """To the race."""
        for name in self.kit.config.names:
            self.tap(name)
        self.after(2_000).after(2_000)
        assert self.top == "Reactions"
        return self

    def heat(self) -> "FirstStart":
        """To the first go-signal."""
        self.race().ok()
        return self.go()

    def go(self) -> "FirstStart":
        """Wait for the go-signal."""
        while not {"GO!"} <= self.pieces:
            self.after(20)
        return self


@pytest.fixture
def first(tmp_path: Path) -> Iterator[FirstStart]:
    made = FirstStart(tmp_path)
    yield made
    made.close()


# --- each button once ------------------------------------------------------------------------------------------------


def test_each_button_is_asked_for_and_its_lamp_goes_out_as_it_is_pressed(first: FirstStart) -> None:
    assert ("Press each button" in first.reads(), first.lit) == (True, frozenset(NAMES))
    first.tap("P3")
    assert ({"1/4", "P3"} <= first.pieces, first.lit) == (True, frozenset(NAMES) - {"P3"})


def test_who_has_pressed_is_said_in_words(first: FirstStart) -> None:
    words = [spoken.chosen(first.app.table.top, NAMES), spoken.chosen(first.do("P3 P1").app.table.top, NAMES)]
    assert words == ["pressed: nobody", "pressed: P1, P3"]


def test_the_strip_shows_who_has_pressed_in_their_own_piece(first: FirstStart) -> None:
    before = first.pixels
    first.tap("P2")
    changed = [n for n, (was, now) in enumerate(zip(before, first.pixels, strict=True)) if was != now]
    assert (changed[0] >= 15, changed[-1] < 30, OFF not in {first.pixels[n] for n in changed}) == (True, True, True)


def test_once_all_are_pressed_it_goes_on_by_itself(first: FirstStart) -> None:
    for name in NAMES:
        first.tap(name)
    assert "All of them work" in first.reads()
    assert first.after(2_000).top == "LookAtParts"


def test_two_at_once_count_both(first: FirstStart) -> None:
    first.down("P1", "P2").after(3_000).up("P1", "P2")
    assert "2/4" in first.pieces


def test_the_same_one_five_times_counts_once(first: FirstStart) -> None:
    first.tap("P1", 5)
    assert ("1/4" in first.pieces, first.top) == (True, "TryButtons")


def test_ok_names_what_is_missing_and_a_second_one_goes_on(first: FirstStart) -> None:
    first.tap("P1").tap("P3").ok()
    assert ({"Not tried: P2 P4", "OK: go on"} <= first.pieces, first.top) == (True, "TryButtons")
    assert first.ok().top == "LookAtParts"


def test_who_presses_after_that_is_counted(first: FirstStart) -> None:
    first.tap("P1").ok().tap("P2")
    assert ("Press each button" in first.reads(), "2/4" in first.pieces) == (True, True)


def test_a_button_that_is_lost_is_not_waited_for(first: FirstStart) -> None:
    first.lost("P4")
    for name in ("P1", "P2", "P3"):
        first.tap(name)
    assert first.after(2_000).top == "LookAtParts"


def test_turning_the_knob_changes_nothing(first: FirstStart) -> None:
    before = first.picture.tobytes()
    assert first.arrow(3).arrow(-2).picture.tobytes() == before


@pytest.mark.parametrize("name", ["duo", "party"])
def test_every_kit_is_greeted(tmp_path: Path, name: str) -> None:
    with closing(FirstStart(tmp_path, kit(name))) as made:
        made.race().ok()
        names = kit(name).names
        for _ in range(3):
            made.go().after(250)
            for player in names:
                made.down(player).after(30)
            made.up(*names).after(1_000)
            assert f"{names[0]} 0.2" in made.reads()
            made.ok()
        assert made.reads().startswith(f"{names[0]} WINS")


# --- the doctor ------------------------------------------------------------------------------------------------------


def test_a_kit_without_faults_is_all_right(first: FirstStart) -> None:
    first.ok().ok()
    assert "ALL RIGHT" in first.reads()


def test_a_fault_is_told_with_its_remedy_and_the_greeting_goes_on(tmp_path: Path) -> None:
    with closing(FirstStart(tmp_path, found=[WELL, SICK])) as sick:
        sick.ok().ok()
        assert ("1 FAULT" in sick.pieces, "storage" in sick.reads()) == (True, True)
        sick.ok()
        assert "the card is read-only" in sick.reads().replace(" | ", " ")
        while sick.top == "ToldPages" and "OK: more" in sick.reads():
            sick.ok()
        sick.ok().choose("Go on")
        assert (sick.top, "A RACE!" in sick.reads()) == ("Reactions", True)


def test_a_doctor_who_fails_does_not_stop_the_greeting(tmp_path: Path) -> None:
    with closing(FirstStart(tmp_path, found=StepFailed("the card is gone"))) as sick:
        assert {"NOT DONE", "the card is gone"} <= sick.ok().ok().pieces
        assert sick.ok().top == "Reactions"


def test_buttons_that_nobody_pressed_are_not_tried_and_not_all_right(first: FirstStart) -> None:
    first.tap("P1").tap("P2").ok().ok()
    assert {"ALL OTHER PARTS", "Not tried: P3 P4"} <= first.pieces


def test_among_faults_they_have_a_row_and_are_no_fault(tmp_path: Path) -> None:
    with closing(FirstStart(tmp_path, found=[SICK])) as sick:
        sick.tap("P1").tap("P2").ok().ok()
        assert ("1 FAULT" in sick.pieces, sick.rows[1]) == (True, "Not tried: P3 P4")
        assert "NOT TRIED" in sick.choose("Not tried").pieces


# --- the race --------------------------------------------------------------------------------------------------------


def test_the_fastest_is_named_with_the_time_and_the_others_with_their_gaps(first: FirstStart) -> None:
    first.heat().after(210).down("P2").after(40).down("P1").after(100).up("P1", "P2").after(1_500)
    assert {"P1 +0.04", "1/3"} <= first.pieces
    assert re.match(r"P2 0\.2[123] s ", first.reads())


def test_a_race_lights_the_lamps_at_go_and_the_whole_strip(first: FirstStart) -> None:
    first.race().ok()
    dark = first.lit
    first.go()
    assert (dark, first.lit, OFF in first.pixels) == (frozenset(), frozenset(NAMES), False)


def test_who_presses_before_go_is_out_of_this_heat(first: FirstStart) -> None:
    first.race().ok().after(500).tap("P1")
    assert "too early: P1" in first.pieces
    first.go().after(150).tap("P1").down("P3").after(1_600)
    assert "P3 0." in first.reads() and "P1" not in first.reads()


def test_a_press_within_100_ms_of_go_is_too_early(first: FirstStart) -> None:
    first.heat().tap("P1").after(200).down("P2").after(1_600)
    assert ("P2 0." in first.reads(), "P1" in first.reads()) == (True, False)


def test_where_all_press_too_early_the_heat_begins_anew(first: FirstStart) -> None:
    first.race().ok().after(100)
    for name in NAMES:
        first.tap(name)
    first.after(5_000)
    assert ("too early" in first.reads(), "1/3" in first.pieces) == (False, True)


def test_presses_too_close_to_call_are_level_and_both_count(first: FirstStart) -> None:
    first.heat().after(300).down("P1", "P4").after(1_600)
    assert {"LEVEL", "P1  P4"} <= first.pieces


def test_where_nobody_presses_the_race_ends_all_the_same(first: FirstStart) -> None:
    first.race().ok()
    first.go().after(4_000)
    assert "NOBODY?" in first.pieces
    first.after(40_000)
    assert first.reads().startswith("NO WINNER")


def test_a_race_takes_thirty_seconds(first: FirstStart) -> None:
    first.race()
    began_ns = first.now_ns
    first.ok()
    for _ in range(3):
        first.go().after(300).tap("P1").after(1_600)
        first.go() if "WINS" not in first.reads() and first.after(3_000).reads().startswith("WAIT") else None
    assert (first.now_ns - began_ns) / 1e9 < 40


def test_ok_does_not_cut_a_race_short(first: FirstStart) -> None:
    first.race().ok().ok()
    assert "WAIT ..." in first.pieces
    first.go().ok()
    assert "GO!" in first.pieces


def test_a_kit_without_lamps_and_buzzer_names_the_order_alone(tmp_path: Path) -> None:
    bare = structs.replace(TABLE, players=tuple(structs.replace(p, lamp=None) for p in TABLE.players), buzzer=None)
    with closing(FirstStart(tmp_path, bare)) as made:
        made.heat().after(250).down("P2").after(40).down("P1").after(1_600)
        assert (made.reads().split(" | ")[0], made.reads().split(" | ")[-1]) == ("P2", "P1")


# --- skipped, and never again ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["", "P1 P2", "ok ok", "ok ok ok", "ok ok ok ok", "ok ok ok ok 6s"])
def test_holding_ok_skips_it_at_any_point_and_it_never_comes_again(first: FirstStart, line: str) -> None:
    first.do(line).ok_hold()
    assert (first.top, greeted(first.folder)) == ("Menu", True)


def test_holding_ok_skips_it_among_the_faults(tmp_path: Path) -> None:
    with closing(FirstStart(tmp_path, found=[SICK])) as sick:
        sick.ok().ok().ok_hold()
        assert (sick.top, greeted(tmp_path)) == ("Menu", True)


def test_its_end_leads_to_the_menu(first: FirstStart) -> None:
    first.race().ok().after(60_000).ok()
    assert (first.top, greeted(first.folder)) == ("Menu", True)


def test_cut_in_the_middle_it_comes_again(first: FirstStart) -> None:
    first.race().ok().after(3_000)
    assert not greeted(first.folder)


def test_a_folder_that_cannot_be_written_does_not_stop_the_kit(first: FirstStart, tmp_path: Path) -> None:
    (tmp_path / GREETED).symlink_to(tmp_path / "gone" / "away")
    assert first.ok_hold().top == "Menu"
