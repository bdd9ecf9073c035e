"""What has changed since a wish was opened: nothing is undone that nobody saw, and the same press counts once."""

from pathlib import Path
from typing import Any

import pytest

from engine.rules import Action
from engine.sheets import amending
from firmware.table.playing import again
from firmware.wishes.games import ChangeSeats, Sit, WriteRemark
from firmware.wishes.people import Add, CountGames, Forget, Merge, Rename
from firmware.wishes.play import Amend
from firmware.wishes.wish import Answer, Denied, Done
from tests.engine.sheets.shelf import WIZARD, sheet
from tests.firmware.test_sheets_on_pages import FIRST, on
from tests.simulators.lagging_pages import Lagging
from tests.simulators.phone import SPACES, Phone, let_in
from tests.simulators.rig import Rig
from tests.simulators.wishing import opened, why, wished

CHANGED = "This has changed meanwhile."
ANY = sheet("[2, 2]", 'ask = [{ id = "a", per = "table" }]', 'points = "a"')


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def id_of(rig: Rig, name: str) -> str:
    return next(one.id for one in rig.app.table.roster.persons if one.name == name)


def line(answers: list[Answer]) -> str:
    """Why not."""
    (answer,) = answers
    return why(answer) if isinstance(answer, Denied) else ""


# --- people and games ------------------------------------------------------------------------------------------------


def test_a_form_from_before_a_note_was_written_leaves_the_note(rig: Rig) -> None:
    """It sends a date, and no note."""
    rig.do("game[kitty_paw 2]")
    old = opened(rig, WriteRemark(1, "", "2026-11-27"))
    assert wished(rig, WriteRemark(1, "won by a whisker", "")) == [Done(game=1)]
    assert line(wished(rig, old)) == f"{CHANGED} Now: won by a whisker"


@pytest.mark.parametrize("there", [True, False], ids=["on the table", "of the past"])
def test_a_form_of_seats_from_before_somebody_was_put_right_makes_nobody_a_guest(rig: Rig, there: bool) -> None:
    rig.do("people[Anna Ben] game[kitty_paw 2]" + ("" if there else " menu[Main menu]"))
    anna = id_of(rig, "Anna")
    old = opened(rig, ChangeSeats(1, (None, None)))
    assert wished(rig, Sit(1, 0, anna)) == [Done(game=1)]
    assert line(wished(rig, old)) == CHANGED
    assert wished(rig, Sit(1, 1, None)) == [Done(game=1)]


def test_the_kit_asks_who_sat_there_and_a_page_is_faster(rig: Rig) -> None:
    rig.do("people[Anna Ben] game[kitty_paw 2] menu[Who sits where]")
    wished(rig, Sit(1, 0, id_of(rig, "Ben")))
    rig.do("[DONE]")
    assert "changed" in rig.reads() and rig.playing.people == {0: id_of(rig, "Ben")}


@pytest.mark.parametrize(
    ("wish", "by", "now"),
    [
        (lambda one: Rename(one, "Anne"), lambda one: Rename(one, "Annika"), " Now: Annika"),
        (Forget, lambda one: Rename(one, "Annika"), " Now: Annika"),
        (lambda one: CountGames(one, False), lambda one: CountGames(one, False), " Now: not in statistics"),
        (lambda one: Rename(one, "Юля", "An"), lambda one: Rename(one, "Юля", "Ann"), ""),
    ],
    ids=["another name", "forgotten under another name", "left out already", "another short name"],
)
def test_what_was_opened_before_somebody_else_changed_it_changes_nothing(
    rig: Rig, wish: Any, by: Any, now: str
) -> None:
    anna = id_of(rig.do("people[Anna Ben]"), "Anna")
    old = opened(rig, wish(anna))
    assert isinstance(wished(rig, by(anna))[0], Done)
    before = rig.app.table.roster.persons
    assert (line(wished(rig, old)), rig.app.table.roster.persons) == (CHANGED + now, before)


def test_two_whose_names_have_changed_since_they_were_chosen_are_not_merged(rig: Rig) -> None:
    anna, ben = (id_of(rig.do("people[Anna Ben]" if name == "Anna" else "0"), name) for name in ("Anna", "Ben"))
    old = opened(rig, Merge(anna, ben))
    wished(rig, Rename(ben, "Benno"))
    assert (line(wished(rig, old)), len(rig.app.table.roster.names)) == (CHANGED, 2)


@pytest.mark.parametrize(
    "wish",
    [
        lambda one: Rename(one, "x"),
        lambda one: CountGames(one, False),
        lambda one: WriteRemark(1, "x", ""),
        lambda one: ChangeSeats(1, (one, None)),
        lambda one: Amend(1, ((0, "won", 1),), game=1),
    ],
)
def test_a_page_of_the_version_before_is_told_to_load_again(rig: Rig, wish: Any) -> None:
    rig.do("people[Anna] game[kitty_paw 2]")
    answers, before = list[Answer](), rig.app.table.roster.persons
    rig.app.wish(wish(id_of(rig, "Anna")), answers.append)
    rig.after(0)
    assert (line(answers), rig.app.table.roster.persons, rig.playing.people) == ("Load this page again.", before, {})


def test_another_person_sent_twice_is_one(rig: Rig) -> None:
    rig.do("people[Anna]")
    answers = [wished(rig, Add("Anna"), frozenset({"another"}), "4a1b") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2] and isinstance(answers[0][0], Done)
    assert rig.app.table.roster.names == ("Anna", "Anna")


def test_who_sends_much_makes_nobody_elses_press_count_twice_or_go_unanswered(rig: Rig) -> None:
    rig.do("game[if_it_fits 3] 1000")
    phone, other = Phone(rig, "P1").say(table=True), Phone(rig)
    fix = {"do": "fix", "game": rig.playing.number, "seat": 0, "points": 5, "was": [0], "id": "1"}
    phone.send_as_it_is(fix)
    for n in range(300):
        other.send_as_it_is({"do": "leave", "button": "P2", "id": f"x{n}"})
    rig.after(1_000).ok()
    phone.send_as_it_is(fix)
    assert (rig.playing.play.scores[0], phone.told) == (5, "The kit says yes.")


def test_what_is_refused_may_be_sent_again(rig: Rig) -> None:
    rig.app.table.trouble("the disk fails")
    anna = id_of(rig.do("people[Anna]"), "Anna")
    assert isinstance(wished(rig, Forget(anna), press="7")[0], Denied)
    rig.app.table.trouble(None)
    assert wished(rig, Forget(anna), press="7") == [Done()]


# --- the game --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("down_first", [True, False])
def test_ok_at_the_kit_undoes_what_it_showed_when_the_key_went_down(rig: Rig, down_first: bool) -> None:
    """Back shows P1 +5; OK goes down, a phone sends 9, OK comes up: the 9 stays."""
    phone = Phone(rig, "P2")
    rig.do("game[if_it_fits 3] menu[Fix points] P1 turn+5 ok ok!")
    assert "P1 +5" in rig.reads()
    rig.down("ok") if down_first else None
    rig.after(100)
    phone.answer("Who starts?")
    rig.after(100)
    stands = rig.playing.play
    rig.up("ok").after(60) if down_first else rig.ok()
    assert (rig.playing.play is stands, "has changed" in rig.reads()) == (down_first, down_first)


def test_an_end_that_a_phone_wishes_needs_its_role_also_when_ok_is_pressed(rig: Rig) -> None:
    rig.do("game[if_it_fits 3] 1000")
    one, two = Phone(rig).say(table=True), Phone(rig)
    one.say(end=True)
    one.say(table=False)
    rig.after(1_000).ok()
    assert (rig.playing.play.ended, two.me["role"], rig.top) == (False, "watch", "Playing")


def test_an_undo_that_a_page_sends_late_takes_back_nothing_that_it_does_not_show(rig: Rig) -> None:
    rig.do("game[if_it_fits 3]")
    phone = Phone(rig, "P1")
    phone.answer("Who starts?")
    shown = dict(phone.me["opened"])
    rig.do("menu[Fix points] P1 turn+5 ok")
    rig.after(2_500)
    before = rig.playing.play
    phone.send_as_it_is({"do": "undo", "game": shown["game"], "was": [shown["mark"]], "id": "1"})
    assert (phone.told, rig.playing.play is before) == (CHANGED, True)


def test_what_is_kept_for_a_later_turn_is_taken_back_however_the_game_has_gone_on(rig: Rig) -> None:
    rig.do(SPACES)
    phone = Phone(rig, "P1")
    old = {"do": "undo", "game": rig.playing.number, "was": ["before"], "id": "1"}
    phone.send_as_it_is(old)
    assert phone.told == CHANGED


def test_the_same_press_counts_once(rig: Rig) -> None:
    rig.do("game[if_it_fits 3] 1000")
    phone = Phone(rig, "P1").say(table=True)
    was = [rig.playing.play.scores[0]]
    fix = {"do": "fix", "game": rig.playing.number, "seat": 0, "points": 5, "was": was, "id": "1"}
    phone.send_as_it_is(fix).send_as_it_is(fix)
    rig.after(1_000).ok()
    phone.send_as_it_is(fix)
    assert (rig.playing.play.scores[0], phone.told, rig.top) == (5, "The kit says yes.", "Playing")


def test_a_round_of_the_game_before_is_not_put_right_in_the_next(rig: Rig) -> None:
    """The drawer of game A stays open over *Again*."""
    on(rig, WIZARD, 3, *FIRST)
    old = opened(rig, Amend(1, ((0, "won", 1), (2, "won", 0)), game=rig.playing.number))
    again(rig.playing)
    rig.after(0)
    assert line(wished(rig, old)) == f"{CHANGED} Now: another game"


def test_points_of_another_seat_do_not_stop_a_wish(rig: Rig) -> None:
    """What is compared is the value that is changed; a question about it stays open."""
    rig.do("game[if_it_fits 3] 1000")
    phone, other = Phone(rig, "P1").say(table=True), Phone(rig, "P2")
    rig.after(6_000)
    phone.say(fix=[0, 5])
    assert "0 becomes 5" in rig.reads()
    other.answer("Who starts?")
    rig.after(1_000).ok()
    assert (rig.playing.play.scores, phone.told) == ((5, 0, 0), "The kit says yes.")


def test_a_phone_brings_back_an_undone_step_after_ok(rig: Rig) -> None:
    rig.do("game[if_it_fits 3] menu[Fix points] P1 turn+5 ok 2500")
    phone = Phone(rig, "P1")
    assert phone.me["redo"] is False
    rig.do("ok! ok ok! 2500")
    assert (phone.me["redo"], rig.playing.play.scores[0]) == (True, 0)
    phone.say(redo=True)
    assert "REDO?" in rig.reads()
    rig.after(1_000).ok()
    assert rig.playing.play.scores[0] == 5


# --- at the kit ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("keys", "names"), [("", 2), ("turn+1", 2), ("ok!", 2), ("ok", 1)])
def test_two_are_merged_at_the_kit_only_once_that_is_agreed_to(rig: Rig, keys: str, names: int) -> None:
    rig.do(f"people[Anna Ben] [People] [Anna] [Same person as] [Ben] 200 {keys}")
    if not keys:
        assert {"THE SAME PERSON?", "games go to Ben", "it cannot be undone", "OK: one person"} <= rig.pieces
    assert len(rig.app.table.roster.names) == names


def test_an_earlier_round_is_put_right_at_the_kit(rig: Rig) -> None:
    on(rig, WIZARD, 3, *FIRST)
    rig.do("menu[Rounds] [round 1] [P1 Tricks] turn+1 ok [P3 Tricks] turn-1 ok [SAVE]")
    assert rig.playing.play.scores == (-10, 20, -10)


def test_a_long_game_is_put_right_bit_by_bit_and_presses_between_count(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(amending, "MOST_STEPS", 0)  # a round a step
    on(rig, ANY, 2, *((None, "a", n) for n in range(5)))
    answers = list[Answer]()
    rig.app.wish(opened(rig, Amend(1, ((None, "a", 9),), game=rig.playing.number)), answers.append)
    rig.app.step(rig.now_ns)
    rig.app.step(rig.now_ns)
    assert (answers, rig.app.due_ns) == ([], rig.now_ns)
    rig.playing.answer(Action(None, "a", 7, rig.now_ns))
    rig.after(0)
    assert (answers, rig.playing.play.scores) == ([Done()], (9 + 1 + 2 + 3 + 4 + 7,) * 2)


def test_a_game_that_has_gone_meanwhile_is_not_put_right(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(amending, "MOST_STEPS", 0)
    on(rig, ANY, 2, *((None, "a", n) for n in range(3)))
    answers = list[Answer]()
    rig.app.wish(opened(rig, Amend(1, ((None, "a", 9),), game=rig.playing.number)), answers.append)
    rig.app.step(rig.now_ns)
    again(rig.playing)
    rig.after(0)
    assert line(answers) == f"{CHANGED} Now: another game"


def test_a_round_that_cannot_be_so_stays_open_at_the_kit(rig: Rig) -> None:
    on(rig, WIZARD, 3, *FIRST)
    rig.do("menu[Rounds] [round 1] [P1 Tricks] turn+1 ok [SAVE]")
    assert "Tricks must add" in rig.reads() and rig.top == "RoundMenu"
    rig.do("ok!")
    assert (rig.top, rig.playing.play.scores) == ("Playing", (20, 20, 30))


def test_a_number_that_a_page_has_put_right_meanwhile_stays(rig: Rig) -> None:
    on(rig, WIZARD, 3, *FIRST)
    rig.do("menu[Rounds] [round 1] [P1 Tricks] turn+1 ok [P3 Tricks] turn-1 ok")
    wished(rig, Amend(1, ((0, "won", 1), (2, "won", 0)), game=rig.playing.number))
    stands = rig.playing.play
    rig.do("[SAVE]")
    assert rig.playing.play is stands and "changed" in rig.reads()


# --- pages that lag behind -------------------------------------------------------------------------------------------


def lag(folder: Path, seed: int, many: int) -> None:
    """So many wishes are sent, by pages and phones that were opened before."""
    lagging = Lagging(folder, seed)
    while sum(lagging.said.values()) < many:
        lagging.step()
    assert min(lagging.said.get(kind, 0) for kind in ("done", "refused", "has changed")) > many / 10, lagging.said


def test_pages_that_lag_behind_undo_nothing_without_a_word(tmp_path: Path) -> None:
    lag(tmp_path, 0, 120)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1, 11))
def test_ten_thousand_wishes_of_pages_that_lag_behind(tmp_path: Path, seed: int) -> None:
    lag(tmp_path, seed, 1_000)
