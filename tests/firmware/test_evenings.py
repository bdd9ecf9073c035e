"""Evenings: where they end, by clocks that are right, unknown, stand still, jump or run back; their table, and news."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from engine import games
from engine import play as plays
from engine.play import Fact
from firmware.journal.writer import Journal
from firmware.statistics.evenings import Evening
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures
from firmware.table import past_games
from firmware.table.evening import NEW, ThisEvening
from firmware.table.past_games import LatestGuests, LatestNews, LatestTally
from firmware.wall_clock import Moment
from hardware import clock
from tests.simulators.people import People
from tests.simulators.random_evenings import Evenings
from tests.simulators.rig import Rig
from tests.simulators.wishing import sit

GAME = "[Kitty Paw] P1 P2 ok*2 menu[End the game] 2500"  # it is over
PLAYED = f"{GAME} ok [Other game]"
DAY = "2026-11-22"


def found(folder: Path) -> list[tuple[str | None, tuple[int, ...]]]:
    """The evenings of a journal: day and games."""
    with closing(up_to_date(folder)) as db:
        return [(evening.day, evening.games) for evening in Figures(db).evenings]


def evenings(folder: Path, rig: Rig) -> list[int]:
    """The games of each evening, counted."""
    rig.close()
    return [len(games_) for _, games_ in found(folder)]


def unknown(rig: Rig) -> Rig:
    """The wall clock is not right."""
    rig.wall = None
    return rig


CLOCKS: dict[str, tuple[str, list[int]]] = {
    "games one after the other are one evening": (f"{PLAYED} {PLAYED}", [2]),
    "a gap of six hours ends it": (f"{PLAYED} 6h ok! {PLAYED}", [1, 1]),
    "a shorter one does not": (f"{PLAYED} 359min ok! {PLAYED}", [2]),
    "nor does a long game": ("[Kitty Paw] P1 P2 ok*2 7h P1 menu[End the game] 2500 ok [Other game]" + PLAYED, [2]),
    "switched off for the night": (f"{PLAYED} off[9h] ok! {PLAYED}", [1, 1]),
    "switched off for a while": (f"{PLAYED} off[1h] ok! {PLAYED}", [2]),
    "a cut in mid-game never ends one": (
        f"{PLAYED} [Kitty Paw] P1 P2 ok*2 pulled[9h] ok menu[End the game] 2500 ok [Other game] {PLAYED}",
        [3],
    ),
}


@pytest.mark.parametrize(("line", "expected"), CLOCKS.values(), ids=CLOCKS)
def test_with_a_clock_that_is_right(rig: Rig, tmp_path: Path, line: str, expected: list[int]) -> None:
    assert evenings(tmp_path, rig.do(line)) == expected


UNKNOWN: dict[str, tuple[str, list[int]]] = {
    "within a boot the stamps tell": (f"{PLAYED} 7h ok! {PLAYED}", [1, 1]),
    "after a power-up people do: a new one": (f"{PLAYED} off[1h] [Kitty Paw] ok ok! {PLAYED}", [1, 1]),
    "the same one": (f"{PLAYED} off[9h] [Kitty Paw] turn+1 ok! {PLAYED}", [2]),
    "a cut in mid-game never ends one": (
        f"{PLAYED} [Kitty Paw] P1 P2 ok*2 pulled[9h] ok menu[End the game] 2500 ok [Other game] {PLAYED}",
        [3],
    ),
}


@pytest.mark.parametrize(("line", "expected"), UNKNOWN.values(), ids=UNKNOWN)
def test_with_a_clock_that_is_not_known(rig: Rig, tmp_path: Path, line: str, expected: list[int]) -> None:
    rig = Rig(tmp_path / "offline")
    assert evenings(tmp_path / "offline", unknown(rig).restart().do(line)) == expected
    assert {day for day, _ in found(tmp_path / "offline")} == {None}


def test_it_is_asked_once(rig: Rig, tmp_path: Path) -> None:
    rig = unknown(Rig(tmp_path / "offline")).restart().do(f"{PLAYED} off[1h] [Kitty Paw]")
    assert {"NEW EVENING?", "last: Kitty Paw", "OK: new"} <= rig.pieces
    assert "Who plays?" in rig.do("ok").pieces
    assert "Who plays?" in rig.do("ok! [Kitty Paw]").pieces
    assert "Who plays?" in rig.do("ok! restart [Kitty Paw]").pieces, "the same boot"
    assert "NEW EVENING?" in rig.do(f"ok! {PLAYED} off[1h] [Kitty Paw]").pieces


def test_without_an_answer_it_is_asked_again(tmp_path: Path) -> None:
    rig = unknown(Rig(tmp_path)).restart().do(f"{PLAYED} off[1h] [Kitty Paw] ok! [Kitty Paw]")
    assert "NEW EVENING?" in rig.pieces
    assert "NEW EVENING?" in rig.do("off[1h] [Kitty Paw]").pieces


def test_a_clock_that_becomes_right_answers_itself(tmp_path: Path) -> None:
    """The network comes some seconds after the kit: then nobody is asked, where the last evening's clock was right."""
    rig = Rig(tmp_path).do(PLAYED)
    then = rig.clock().wall
    assert then is not None
    unknown(rig).do("off[1h]")
    rig.wall = datetime.fromisoformat(then) + timedelta(hours=9)
    assert "Who plays?" in rig.do("[Kitty Paw]").pieces
    assert evenings(tmp_path, rig.do(f"ok! {PLAYED}")) == [1, 1]


def test_a_first_game_is_not_asked_for(tmp_path: Path) -> None:
    assert "Who plays?" in unknown(Rig(tmp_path)).restart().do("[Kitty Paw]").pieces


# --- clocks that do what they should not -----------------------------------------------------------------------------

S = 1_000_000_000
HOUR = 3600 * S
RULES = games.rules("kitty_paw")


def game(folder: Path, boot: str, moment: Callable[[], Moment], at_ns: int) -> None:
    """One game, begun and ended by hand a minute later."""
    with closing(
        Journal(folder / "journal.db", boot, lambda n: None, lambda t: None, threaded=False, clock=moment)
    ) as journal:
        first = plays.start(RULES, ("P1", "P2"), RULES.options(), 1, at_ns)
        end = plays.end(plays.opened(RULES, first), at_ns + 60 * S)
        journal.write(journal.begin_game("kitty_paw"), (first, *end))


def days(folder: Path, *starts: tuple[str, int, str | None]) -> list[int]:
    """Games by boot, stamp and wall time; the games of each evening, counted."""
    for boot, at_ns, wall in starts:
        game(folder, boot, lambda at_ns=at_ns, wall=wall: Moment(at_ns, wall), at_ns)  # type: ignore[misc]
    return [len(games_) for _, games_ in found(folder)]


def test_a_clock_that_stands_still_does_not_join_two_evenings_of_a_boot(tmp_path: Path) -> None:
    assert days(tmp_path, ("a", HOUR, f"{DAY}T19:00:00+00:00"), ("a", 9 * HOUR, f"{DAY}T19:00:00+00:00")) == [1, 1]


def test_a_clock_that_runs_back_ends_no_evening(tmp_path: Path) -> None:
    assert days(tmp_path, ("a", HOUR, f"{DAY}T19:00:00+00:00"), ("b", HOUR, "2026-11-20T19:00:00+00:00")) == [2]


def test_a_clock_that_jumps_to_the_right_time_within_a_boot_ends_none(tmp_path: Path) -> None:
    assert days(tmp_path, ("a", HOUR, None), ("a", HOUR + 600 * S, f"{DAY}T19:00:00+00:00")) == [2]
    assert found(tmp_path)[0][0] is None, "its first run knew no day"


def test_a_computer_that_slept_through_the_night_ends_one(tmp_path: Path) -> None:
    """Stamps stand still meanwhile; the wall clock does not."""
    wall = (f"{DAY}T19:00:00+00:00", "2026-11-23T19:00:00+00:00")
    assert days(tmp_path, ("a", HOUR, wall[0]), ("a", HOUR + 600 * S, wall[1])) == [1, 1]


def test_within_a_run_the_day_is_known_once_the_clock_is(tmp_path: Path) -> None:
    """The first moment that is known tells of those before it: stamps never jump."""
    moments = iter((Moment(HOUR, None), Moment(HOUR, None), Moment(HOUR + 120 * S, f"{DAY}T12:02:00+00:00")))
    with closing(
        Journal(
            tmp_path / "journal.db", "a", lambda n: None, lambda t: None, threaded=False, clock=lambda: next(moments)
        )
    ) as journal:
        first = plays.start(RULES, ("P1", "P2"), RULES.options(), 1, HOUR)
        facts: tuple[Fact, ...] = (first, *plays.end(plays.opened(RULES, first), HOUR + 60 * S))
        journal.write(journal.begin_game("kitty_paw"), facts)
        journal.begin_game("kitty_paw")
    assert found(tmp_path) == [(DAY, (1,))]


def test_runs_of_an_older_version_are_taken_at_their_word(tmp_path: Path) -> None:
    assert days(tmp_path, ("a", HOUR, None), ("b", HOUR, None)) == [2]
    with closing(Journal(tmp_path / "journal.db", "c", print, lambda t: None, threaded=False)) as journal:
        db = journal._db  # noqa: SLF001
        assert db is not None
        db.execute("delete from clock")
        db.execute("update game set started_at = '2026-11-20T19:00:00+00:00' where id = 1")
        db.execute("update game set started_at = '2026-11-21T19:00:00+00:00' where id = 2")
        db.execute("delete from clock")
    assert [day for day, _ in found(tmp_path)] == ["2026-11-20", "2026-11-21"]


# --- what the machine knows ------------------------------------------------------------------------------------------


def machine(root: Path, model: str = "Raspberry Pi 4", *, synchronized: bool = False, rtc: int | None = None) -> Path:
    """The files of a machine."""
    texts = {"proc/device-tree/model": model}
    if synchronized:
        texts["run/systemd/timesync/synchronized"] = ""
    if rtc is not None:
        texts["sys/class/rtc/rtc0/since_epoch"] = f"{rtc}\n"
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_pi_knows_its_time_by_the_network_or_by_a_battery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "synchronized", lambda: False)
    now = int(datetime(2026, 11, 22, tzinfo=UTC).timestamp())
    assert not clock.known(machine(tmp_path / "bare"))
    assert not clock.known(machine(tmp_path / "empty battery", rtc=40))
    assert clock.known(machine(tmp_path / "network", synchronized=True))
    assert clock.known(machine(tmp_path / "battery", rtc=now))
    assert clock.known(machine(tmp_path / "computer", "Another board"))
    monkeypatch.setattr(clock, "synchronized", lambda: True)
    assert clock.known(machine(tmp_path / "bare"))


# --- the evening's table ---------------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Rig:
    """A kit with some evenings behind it."""
    Evenings(tmp_path / "played", 6).play(8)
    return Rig(tmp_path / "played")


def test_the_menu_has_the_latest_evening_with_everybodys_wins(evening: Rig, tmp_path: Path) -> None:
    with closing(up_to_date(tmp_path / "played")) as db:
        figures = Figures(db)
        latest: Evening = figures.evenings[-1]
        tally = [f"{figures.names[one.person]} won {one.wins} of {one.games}" for one in figures.tally(latest)]
    assert tally
    evening.do("turn-20 ok")
    assert {line for line in tally[:4] if line.isascii()} <= evening.pieces
    assert "Evening" in evening.do("P1").rows


def test_without_people_there_is_no_evening_in_the_menu(rig: Rig) -> None:
    assert "Evening" not in rig.rows
    assert "Evening" in rig.do("people[Anna]").rows
    assert "no game is over yet" in rig.do("[Evening]").pieces


def test_a_game_that_was_ended_by_hand_shows_no_table(rig: Rig) -> None:
    assert "Again" in rig.do("people[Anna Ben] [Kitty Paw] P1*2 P2*2 ok*2 menu[End the game] 2500 ok").rows


SEATED = "people[Anna Ben] [Pack & Stack] P1*2 P2*2 ok*2"


def finished(rig: Rig) -> Rig:
    """The game on the table is over, by chance."""
    return People(rig, Random(1)).finish()


def test_news_are_shown_once_after_the_game_that_brought_them(tmp_path: Path) -> None:
    """The end picture, OK: the evening; a press: what is next."""
    rig = finished(Rig(tmp_path).do(SEATED))
    assert "won 1 of 1" in rig.do("ok").reads()
    assert any("first win" in piece for piece in rig.pieces)
    assert "Again" in rig.do("P1").rows


def test_a_guest_who_has_won_stands_there_by_the_button(rig: Rig) -> None:
    finished(rig.do("people[Anna] [Pack & Stack] P1*2 P2 ok*2"))
    (seat,), people = rig.playing.play.winners, rig.playing.people
    each = ["won 0 of 1", "won 1 of 1"]
    anna = people.get(seat) is not None
    assert {f"Anna {each[anna]}", f"guest P2 {each[not anna]}"} <= rig.do("ok").pieces


def won(*names: str) -> set[str]:
    """The rows of an evening on which these have won, one after the other."""
    return {f"{name} won {names.count(name)} of {len(names)}" for name in ("Anna", "Ben")}


@pytest.mark.parametrize("game", [1, 2])
def test_the_evening_in_the_menu_is_as_it_was_put_right(rig: Rig, game: int) -> None:
    """In the game on the table, or in the one before."""
    finished(rig.do(SEATED)).do("ok P1 [Other game]")
    finished(rig.do("[Pack & Stack] P1 P2 ok*2"))
    (seat,) = rig.playing.play.winners
    names = ["Anna", "Ben"]
    before = [names[seat]] * 2
    assert won(*before) <= rig.do("ok").pieces
    after = [*before]
    after[game - 1] = names[1 - seat]
    sit(rig, game, seat, next(id_ for id_, name in rig.app.table.roster.everybody if name == names[1 - seat]))
    assert won(*after) <= rig.do("P1 [Evening]").pieces


def test_the_evening_after_a_game_is_as_it_was_put_right_on_the_end_picture(rig: Rig) -> None:
    finished(rig.do(SEATED))
    (seat,) = rig.playing.play.winners
    sit(rig, 1, seat, rig.playing.people[1 - seat])
    assert won(("Anna", "Ben")[1 - seat]) <= rig.do("ok").pieces


@pytest.mark.parametrize("letters", [1, 12])
def test_every_row_fits_with_names_of_any_length(rig: Rig, letters: int) -> None:
    """Places are checked while a picture is drawn: whatever is cut fails."""
    people = [rig.app.table.people.add(letter * letters) for letter in "WM"]
    news = [
        LatestNews(people[0], kind, name, 99 if kind == "streak" else 1000) for kind in NEW for name in games.names()
    ]
    tally = tuple(LatestTally(person, 12, 10) for person in people)
    guests = tuple(LatestGuests(letter * 4, 12, 11) for letter in "WM")
    evening = past_games.LatestEvening(1000, None, 1, tally, tuple(news), guests)
    rig.app.table.open(ThisEvening(rig.app.table, evening))
    pictures = {rig.arrow(-1).picture.tobytes() for _ in range(len(news) + len(guests))}
    assert len(pictures) > len(NEW)  # the control turns through all rows
    assert "no. 1000" in rig.pieces
    assert rig.do("P1").listing.at == 0


def test_nobody_who_is_forgotten_meanwhile_stands_there(rig: Rig) -> None:
    evening = past_games.LatestEvening(1, DAY, 1, (LatestTally("gone", 1, 1),), ())
    rig.app.table.open(ThisEvening(rig.app.table, evening))
    assert {"guest won 1 of 1", "22 Nov 2026"} <= rig.after(0).pieces
