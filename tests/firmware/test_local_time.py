"""One time for people: put right where a clock was wrong, in the zone that was chosen, or said to be unknown."""

import zoneinfo
from datetime import datetime
from pathlib import Path

import pytest

from firmware import local_time
from firmware.local_time import Shown
from firmware.output.screens.notices import noted
from firmware.setup import menu, zone_menu
from firmware.setup.steps import Setup
from firmware.state_folder import ZONE
from tests.simulators.rig import Rig

RIGHT = "2026-10-24T22:32:00+00:00"  # two minutes after the game began


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine in Berlin, on which no other zone was chosen."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    monkeypatch.setattr(Shown, "zone", "")


# --- zones -----------------------------------------------------------------------------------------------------------

CHANGES = {
    ("Europe/Berlin", "2026-03-29T00:59:00+00:00"): "29 Mar 2026, 01:59",
    ("Europe/Berlin", "2026-03-29T01:00:00+00:00"): "29 Mar 2026, 03:00",
    ("Europe/Berlin", "2026-10-25T00:59:00+00:00"): "25 Oct 2026, 02:59",
    ("Europe/Berlin", "2026-10-25T01:01:00+00:00"): "25 Oct 2026, 02:01",
    ("America/New_York", "2026-03-08T07:00:00+00:00"): "08 Mar 2026, 03:00",
    ("Asia/Kolkata", "2026-03-29T20:00:00+00:00"): "30 Mar 2026, 01:30",
    ("UTC", "2026-03-29T01:00:00+00:00"): "29 Mar 2026, 01:00",
}


@pytest.mark.parametrize(("zone", "when"), CHANGES)
def test_times_are_those_of_the_chosen_zone_before_and_after_a_change_of_the_clocks(
    zone: str, when: str, tmp_path: Path
) -> None:
    local_time.choose(tmp_path, zone)
    assert local_time.moment(datetime.fromisoformat(when)) == CHANGES[zone, when]


def test_without_a_choice_they_are_those_of_the_machine(tmp_path: Path) -> None:
    local_time.choose(tmp_path, "UTC")
    local_time.choose(tmp_path, "")
    assert (local_time.iso(datetime.fromisoformat(RIGHT)), (tmp_path / ZONE).exists()) == (
        "2026-10-25T00:32:00+02:00",
        False,
    )


def test_a_system_without_zones_has_those_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    zoneinfo.reset_tzpath(to=())
    zoneinfo.ZoneInfo.clear_cache()
    try:
        assert local_time.clock(datetime.fromisoformat(RIGHT)) == "00:32"
    finally:
        zoneinfo.reset_tzpath()


@pytest.mark.parametrize("content", ["Europe/Atlantis", "../../etc/passwd", "Europe", "", "\0", "é", "x" * 100])
def test_a_file_without_a_zone_counts_as_no_choice(content: str, tmp_path: Path) -> None:
    (tmp_path / ZONE).write_text(content)
    assert local_time.chosen(tmp_path) == ""


def test_the_machines_zone_is_what_its_local_time_is_a_link_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ")
    (tmp_path / "etc").mkdir()
    assert local_time.machine(tmp_path) == ""
    (tmp_path / "etc" / "localtime").symlink_to("../usr/share/zoneinfo/Pacific/Chatham")
    assert local_time.machine(tmp_path) == "Pacific/Chatham"


# --- SET UP ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def at_set_up(rig: Rig, tmp_path: Path) -> Rig:
    menu.offer(rig.app.table, Setup(rig.app, tmp_path, rig.report))
    return rig.do("[Set up]")


def test_a_zone_is_chosen_by_region_and_city(at_set_up: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_time, "clock", lambda when: "20:15")
    rig = at_set_up.do("[Time zone] [Asia] [Tokyo]")
    assert ((tmp_path / ZONE).read_text(), Shown.zone, rig.row()) == ("Asia/Tokyo\n", "Asia/Tokyo", "Time zone: Tokyo")
    assert "Tokyo: it is 20:15" in rig.pieces
    assert rig.do("6s [Time zone]").row() == "Asia"
    assert rig.do("ok").row() == "Tokyo"
    assert rig.do("ok! [as the machine]").row() == "Time zone"
    assert ((tmp_path / ZONE).exists(), Shown.zone) == (False, "")


def test_a_zone_that_cannot_be_kept_is_refused(at_set_up: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(state: Path, name: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(local_time, "choose", full)
    rig = at_set_up.do("[Time zone] [UTC]")
    assert (rig.top, Shown.zone) == ("Regions", "")
    assert "not kept: No space" in rig.reads()


def test_a_press_goes_on_to_the_next_letter(at_set_up: Rig) -> None:
    rig = at_set_up.do("[Time zone] [Europe] P1 P2")
    assert (rig.row(), rig.pieces >= {"EUROPE", "press: next letter"}) == ("Chisinau", True)


def test_every_zone_that_can_be_chosen_is_one() -> None:
    zones = [zone for region in local_time.zones().values() for zone in region]
    assert len(zones) > 400
    assert {*zones} <= zoneinfo.available_timezones()


def test_every_city_fits_on_the_display(at_set_up: Rig) -> None:
    table = at_set_up.app.table
    for region, zones in local_time.zones().items():
        cities = zone_menu.Cities(table, region, zones)
        for cities.at in range(len(zones)):
            noted(cities.picture(0), f"{local_time.city(zones[cities.at])}: it is 20:15")  # a text that is cut raises
