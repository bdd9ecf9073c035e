"""One time for people: put right where a clock was wrong, in the zone that was chosen, or said to be unknown."""

import csv
import io
import json
import zoneinfo
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from engine import games
from firmware import local_time, wall_clock
from firmware.__main__ import main
from firmware.cli.play import offer
from firmware.journal.writer import Journal
from firmware.local_time import LocalTimes
from firmware.output.screens.notices import noted
from firmware.setup import zone_menu
from firmware.setup.steps import Setup
from firmware.state_folder import JOURNAL, ZONE
from firmware.statistics import pictures, process
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures
from firmware.table import past_games
from firmware.wall_clock import Moment
from tests.firmware.command import Ran
from tests.simulators.players import random_game
from tests.simulators.rig import Rig

S = 1_000_000_000
RULES = games.rules("pack_and_stack")
FACTS = random_game(RULES, 3, RULES.options(), 3).facts
WRONG = "2024-05-01T00:00:00+00:00"  # what a clock shows that nothing has set
RIGHT = "2026-10-24T22:32:00+00:00"  # two minutes after the game began


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine in Berlin, on which no other zone was chosen."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    monkeypatch.setattr(LocalTimes, "zone", "")


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
    assert local_time.iso(datetime.fromisoformat(RIGHT)) == "2026-10-25T00:32:00+02:00"
    assert not (tmp_path / ZONE).exists()


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


# --- games -----------------------------------------------------------------------------------------------------------


def journaled(state: Path, boot: str, *moments: tuple[int, str | None]) -> None:
    """A whole game of a run that has noted these moments, in s after its first fact: at its start, then a game each."""
    noted = iter([Moment(FACTS[0].at_ns + after_s * S, wall) for after_s, wall in moments])
    path = state / JOURNAL
    with closing(
        Journal(path, boot, lambda n: None, lambda t: None, threaded=False, clock=lambda: next(noted))
    ) as journal:
        journal.write(journal.begin_game(RULES.name), FACTS)
        for _ in moments[2:]:
            journal.begin_game(RULES.name)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games that began with a wrong clock: 1 was put right meanwhile, 3 never, 4 is of a version that noted nothing."""
    monkeypatch.setattr(wall_clock, "text", lambda: WRONG)
    folder = tmp_path / "luckypaw"
    journaled(folder, "a", (-9, None), (0, None), (120, RIGHT))
    journaled(folder, "b", (-9, None), (0, None))
    journaled(folder, "c", (-9, None), (0, None))
    with closing(Journal(folder / JOURNAL, "d", print, lambda t: None, threaded=False)) as journal:
        db = journal._db  # noqa: SLF001
        assert db is not None
        db.execute("delete from clock where run = (select run from game where id = 4)")
    return folder


BEGAN = {1: "25 Oct 2026, 00:30", 3: "day unknown", 4: "01 May 2024, 02:00"}
BEGAN_AT = {1: "2026-10-25T00:30:00+02:00", 3: None, 4: "2024-05-01T02:00:00+02:00"}


def test_every_command_for_people_says_when_a_game_began(state: Path) -> None:
    listed = Ran(("history", "list"), state.parent).lines
    assert [line[7:25].rstrip() for line in listed] == [BEGAN[game] for game in (4, 3, 1)]
    for command in ("show", "evidence"):
        heads = [Ran(("history", command, str(game)), state.parent).lines[0] for game in BEGAN]
        assert heads == [f"Pack & Stack, {began}, game {game}" for game, began in BEGAN.items()]


def test_every_command_for_programs_has_it_beside_what_the_clock_showed(state: Path) -> None:
    for command in ("show", "evidence"):
        told = [json.loads(Ran(("history", command, str(game), "--json"), state.parent).out) for game in BEGAN]
        assert [(one["started_at"], one["began_at"]) for one in told] == [(WRONG, at) for at in BEGAN_AT.values()]
    rows = list(csv.DictReader(io.StringIO(Ran(("export",), state.parent).out)))
    assert {int(row["game"]): row["began_at"] or None for row in rows} == BEGAN_AT


def test_the_display_and_the_picture_have_its_day(state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, listed = past_games.newest(state / JOURNAL)
    days = [began.partition(",")[0] for began in BEGAN.values()]
    assert [game.day for game in listed.games] == days[::-1]
    drawn: list[str] = []

    def of(play: object, names: object, buttons: object, day: str, race: object) -> bytes:
        drawn.append(day)
        return b""

    monkeypatch.setattr(pictures, "of_game", of)
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    for game in BEGAN:
        with pytest.raises(SystemExit):
            main(["history", "show", str(game), "--picture", str(tmp_path / f"{game}.png")])
    assert drawn == days


def test_statistics_have_the_same(state: Path) -> None:
    with closing(up_to_date(state)) as db:
        figures = Figures(db)
        assert {played.game: local_time.iso(played.began) for played in figures.plays()} == BEGAN_AT
        assert [played.day for played in figures.plays()][1] == "2024-05-01 00:00:00", "an app wants some day"
        assert figures.evenings[0].day == "2026-10-25"


def test_pages_are_made_again_in_another_zone(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "made", lambda folder, path, guest: local_time.chosen(folder).encode())
    pages = process.Made(state)
    assert pages("/evenings") == b""
    local_time.choose(state, "Asia/Tokyo")
    assert pages("/evenings") == b"Asia/Tokyo"


# --- SET UP ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def at_set_up(rig: Rig, tmp_path: Path) -> Rig:
    offer(rig.app.table, Setup(rig.app, tmp_path, rig.report))
    return rig.do("[Set up]")


def test_a_zone_is_chosen_by_region_and_city(at_set_up: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_time, "clock", lambda when: "20:15")
    rig = at_set_up.do("[Time zone] [Asia] [Tokyo]")
    assert ((tmp_path / ZONE).read_text(), LocalTimes.zone) == ("Asia/Tokyo\n", "Asia/Tokyo")
    assert rig.row() == "Time zone: Tokyo"
    assert "Tokyo: it is 20:15" in rig.pieces
    assert rig.do("6s [Time zone]").row() == "Asia"
    assert rig.do("ok").row() == "Tokyo"
    assert rig.do("ok! [as the machine]").row() == "Time zone"
    assert ((tmp_path / ZONE).exists(), LocalTimes.zone) == (False, "")


def test_a_zone_that_cannot_be_kept_is_refused(at_set_up: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(state: Path, name: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(local_time, "choose", full)
    rig = at_set_up.do("[Time zone] [UTC]")
    assert (rig.top, LocalTimes.zone) == ("Regions", "")
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
