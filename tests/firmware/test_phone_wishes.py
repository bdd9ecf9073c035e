"""What a phone wants and somebody at the kit has to allow: a seat in a game, undo, points, the end."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine import play as plays
from firmware.phones.signs import NAMES, tag, tags
from firmware.table.playing import leave
from hardware.config import TABLE, ControlConfig
from tests.simulators.phone import SPACES, Phone, let_in
from tests.simulators.rig import Rig

COUNTING = f"{SPACES} 1000"
STARTED = "game[if_it_fits 3] 1000"
NOT_NOW = "Not now. Ask again in a moment, when the kit shows the game."
TAKEN = "P2 has a phone already. That one can leave the place, or the kit throws it out."
ARROWS = structs.replace(TABLE, control=ControlConfig(kind="buttons", up=17, down=27, ok=24))


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def counting(rig: Rig) -> Rig:
    return rig.do(COUNTING)


def asks(rig: Rig) -> bool:
    """Whether the kit asks somebody to agree to a wish."""
    return rig.after(0).top == "Confirm"


# --- a seat ----------------------------------------------------------------------------------------------------------


def test_a_free_place_is_taken_at_once_while_no_game_is_on(rig: Rig) -> None:
    phone = Phone(rig).say(seat="P2")
    assert (phone.mine, asks(rig)) == (["P2"], False)


def test_a_game_that_is_over_is_not_on(rig: Rig) -> None:
    counting(rig).menu("End the game now")
    assert Phone(rig).say(seat="P2").mine == ["P2"]


@pytest.mark.parametrize("before", ["", COUNTING])
def test_a_place_that_has_a_phone_stays_with_it(rig: Rig, before: str) -> None:
    rig.do("[Pack & Stack] P1 P2 P3 " if not before else "")
    there = Phone(rig, "P2")
    if before:
        counting(rig)
    other = Phone(rig).say(seat="P2")
    assert (other.mine, there.mine, other.told, asks(rig)) == ([], ["P2"], TAKEN, False)


@pytest.mark.parametrize(("away_s", "mine"), [(119, []), (120, ["P2"])])
def test_a_phone_that_is_away_keeps_its_place_for_two_minutes(rig: Rig, away_s: int, mine: list[str]) -> None:
    there = Phone(rig, "P2").sleep()
    rig.after(away_s * 1000)
    assert Phone(rig).say(seat="P2").mine == mine
    there.connect()
    assert (there.mine, there.told) == ([], "P2 has another phone now.") if mine else (["P2"], "")


def test_after_a_restart_the_two_minutes_begin_anew(rig: Rig) -> None:
    Phone(rig, "P2")
    rig.restart()
    let_in(rig)
    assert Phone(rig).say(seat="P2").told == TAKEN
    rig.after(120_000)
    assert Phone(rig).say(seat="P2").mine == ["P2"]


def test_in_a_game_a_free_place_needs_ok_on_the_kit_and_both_phones_are_told(rig: Rig) -> None:
    counting(rig)
    there = Phone(rig, "P2").sleep()
    rig.after(120_000)
    phone = Phone(rig).say(seat="P2")
    assert (phone.mine, asks(rig)) == ([], True)
    rig.after(1_000).ok()
    assert (phone.mine, phone.told, asks(rig)) == (["P2"], "You play for P2.", False)
    assert (there.connect().told, there.me["role"]) == ("P2 has another phone now.", "watch")


def test_no_press_of_a_seat_gives_it_away(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig).say(seat="P2")
    rig.after(1_500).tap("P2")
    assert (phone.mine, rig.entered, asks(rig)) == ([], {1: 5}, False)


def test_of_two_that_want_a_place_the_one_is_served_that_the_display_names(rig: Rig) -> None:
    counting(rig)
    one, two = Phone(rig), Phone(rig)
    one.say(seat="P2")
    rig.after(200)
    two.say(seat="P2")
    assert (f"{one.tag}: P2?" in rig.pieces, one.me["wish"], two.me["wish"]) == (True, f"{one.tag}: P2?", "")
    assert (one.told, two.told) == ("", NOT_NOW)
    rig.after(800).ok()
    assert (one.mine, two.mine) == (["P2"], [])


def test_a_place_whose_phone_comes_back_meanwhile_is_not_asked_for_any_longer(rig: Rig) -> None:
    counting(rig)
    there = Phone(rig, "P2").sleep()
    rig.after(120_000)
    phone = Phone(rig).say(seat="P2")
    there.connect()
    assert (asks(rig), phone.told) == (False, TAKEN)


def test_who_joins_for_a_place_in_a_game_is_asked_about_at_once_and_told_on_the_page(rig: Rig) -> None:
    counting(rig)
    phones = Phone(rig).phones
    token = phones.join(phones.code, "P3")
    assert asks(rig)
    rig.after(1_000).ok()
    phone = Phone(rig, token=token)
    assert (phone.mine, phone.told) == (["P3"], "You play for P3.")


# --- what the keys do ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "mine", "told"),
    [
        ("1000 ok", ["P2"], "You play for P2."),
        ("1000 turn+1", [], "The kit says no. Ask again in 10 s."),
        ("1000 turn-1", [], "The kit says no. Ask again in 10 s."),
        ("10000", [], "The kit says no. Ask again in 10 s."),
        ("1000 P1", [], "Not answered: the game goes on. Ask again."),
        ("1000 P2", [], "Not answered: the game goes on. Ask again."),
    ],
)
def test_ok_is_yes_a_turn_and_time_are_no_and_a_press_is_none(rig: Rig, keys: str, mine: list[str], told: str) -> None:
    counting(rig)
    phone = Phone(rig).say(seat="P2")
    rig.do(keys)
    assert (phone.mine, phone.told, asks(rig)) == (mine, told, False)


@pytest.mark.parametrize("keys", ["ok", "50 ok", "800 ok", "990 +ok 700 -ok", "ok!", "turn+1 turn-1", "990 turn+1"])
def test_for_a_second_no_key_counts(rig: Rig, keys: str) -> None:
    counting(rig)
    phone = Phone(rig).say(seat="P2")
    rig.do(keys)
    assert (phone.mine, phone.open, asks(rig)) == ([], True, True)


def test_a_long_ok_throws_the_phone_out_and_the_code_changes(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig)
    code = phone.phones.code
    phone.say(seat="P2")
    rig.do("1000 ok!")
    assert (phone.open, phone.phones.all, phone.phones.code != code, asks(rig)) == (False, (), True, False)
    assert rig.top == "Playing"  # that OK opened nothing


@pytest.mark.parametrize(("config", "keys"), [(TABLE, "turn: no"), (ARROWS, "▲▼: no")])
def test_the_bottom_row_says_what_the_keys_do(tmp_path: Path, config: Any, keys: str) -> None:
    rig = Rig(tmp_path, config)
    let_in(rig)
    counting(rig)
    phone = Phone(rig).say(seat="P2")
    assert {keys, "OK: yes", "hold OK: throw it out", f"{phone.tag}: P2?", f"phone {phone.tag}"} <= rig.after(0).pieces
    rig.close()


def test_a_press_goes_to_the_game_and_the_phone_may_ask_again_after_two_seconds(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig).say(seat="P2")
    rig.tap("P1")
    assert (rig.entered, asks(rig)) == ({0: 5}, False)
    assert phone.say(seat="P2").told == NOT_NOW
    rig.after(1_900)
    phone.say(seat="P2")
    assert asks(rig)


# --- not now ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "before",
    [
        "game[kitty_paw 3] +P1",  # hands go on
        "game[kitty_paw 3] +P1,P2,P3 3100",
        "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3",
        "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 P2",
        "game[kitty_paw 2] +P1,P2 3100 -P1,P2 500 late[P1 12] late[P2 10]",  # all have pressed, nobody is named yet
        "game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 P2 100 P1 100 P3 1000",  # slaps may still come
        "game[pack_and_stack 3] P1 ok 1000",  # the countdown
        "game[pack_and_stack 3] P1 ok 3300 P1 100 P2 100 P3 1000",
        f"{COUNTING} ok!",
        f"{COUNTING} ok! turn-1",
        f"{COUNTING} menu[Phones]",
        f"{COUNTING} +P1",
        f"{COUNTING} +ok",
        f"{COUNTING} 31min",  # asleep
        f"{COUNTING} unplug[display] P1 100",
    ],
)
def test_the_kit_is_not_asked(rig: Rig, before: str) -> None:
    top = rig.do(before).top
    phone = Phone(rig).say(seat="P2")
    assert (phone.told, phone.mine, rig.top) == (NOT_NOW, [], top)


def test_the_kit_is_asked_over_the_menu_at_the_end_once_nobody_touches_it(rig: Rig) -> None:
    phone = Phone(rig, "P2")
    counting(rig).menu("End the game now").after(2_000).ok()
    assert rig.top == "EndMenu"
    assert (phone.say(undo=True).told, asks(rig)) == (NOT_NOW, False)
    rig.after(3_000)
    phone.say(undo=True)
    assert asks(rig)
    rig.after(1_000).ok()
    assert (rig.top, phone.told) == ("Playing", "The kit says yes.")


def test_the_kit_is_not_asked_while_the_end_has_only_just_been_shown(rig: Rig) -> None:
    phone = Phone(rig, "P2")
    counting(rig).menu("End the game now")
    assert (phone.say(undo=True).told, asks(rig)) == (NOT_NOW, False)
    rig.after(2_000)
    phone.say(undo=True)
    assert asks(rig)


@pytest.mark.parametrize("goes_on", ["a race", "a countdown", "the end"])
def test_a_question_is_gone_once_the_game_needs_the_display(rig: Rig, goes_on: str) -> None:
    """A phone has answered meanwhile, or the clock."""
    two = {"a race": "[Pack & Stack] P1 P2 ok*2 1000", "the end": COUNTING}
    rig.do(two.get(goes_on, "game[cat_pageant 2] P1 ok P1 ok P1 ok P1 ok 1000"))
    host, phone = Phone(rig).say(table=True), Phone(rig)
    phone.say(seat="P2")
    assert asks(rig)
    if goes_on == "the end":
        rig.playing.take(plays.end(rig.playing.play, rig.now_ns))
    for _ in range(40):
        if goes_on == "the end" or not asks(rig):
            break
        ask, value = next(answer for answer in host.answers() if not answer[0]["aside"])
        host.send(ask["id"], value)
    assert (asks(rig), phone.mine, phone.told) == (False, [], "Not answered: the game goes on. Ask again.")


# --- waiting ---------------------------------------------------------------------------------------------------------


def refused(rig: Rig, phone: Phone) -> None:
    """It wants a seat, and the kit says no."""
    phone.say(seat="P3")
    assert asks(rig)
    rig.after(1_000).arrow(1)


def test_after_each_no_the_phone_waits_twice_as_long_up_to_five_minutes(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig)
    for wait_s in (10, 20, 40, 80, 160, 300, 300):
        refused(rig, phone)
        rig.after(wait_s * 1000 - 1)
        assert phone.say(seat="P3").told == "Not now. Ask again in 1 s."
        rig.after(1)


def test_a_yes_ends_the_waits_and_so_do_ten_quiet_minutes(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig)
    refused(rig, phone)
    rig.after(10_000)
    phone.say(seat="P2")
    rig.after(1_000).ok()
    refused(rig, phone)
    assert phone.told == "The kit says no. Ask again in 10 s."
    rig.after(610_000).tap("P1")
    refused(rig, phone)
    assert phone.told == "The kit says no. Ask again in 10 s."


@pytest.mark.parametrize("wish", [{"undo": True}, {"end": True}, {"fix": [0, 5]}, {"seat": "P3"}])
def test_a_no_is_one_to_wishes_of_every_kind(rig: Rig, wish: dict[str, Any]) -> None:
    phone = Phone(rig, "P2").say(table=True)
    counting(rig)
    for first in ({"undo": True}, {"end": True}, {"fix": [0, 5]}, {"seat": "P3"}):
        phone.say(**first)
        assert asks(rig)
        rig.after(1_000).arrow(1).after(3_000)
        assert phone.say(**wish).told.startswith("Not now. Ask again in ")
        rig.after(610_000).tap("P1")


def test_neither_a_new_page_nor_joining_once_more_ends_the_wait(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig)
    refused(rig, phone)
    rig.after(3_000)
    phone.sleep()
    assert phone.connect().say(seat="P3").told == "Not now. Ask again in 7 s."
    again = Phone(rig)  # without its cookie
    assert again.say(seat="P3").told == "Not now. Ask again in 7 s."
    assert again.say(table=True).say(end=True).told == "Not now. Ask again in 7 s."
    rig.after(7_000)
    refused(rig, again)
    assert again.told == "The kit says no. Ask again in 20 s."


def test_who_has_a_seat_does_not_wait_for_others(rig: Rig) -> None:
    there = Phone(rig, "P2")
    counting(rig)
    refused(rig, Phone(rig))
    rig.after(1_900)
    assert (there.say(undo=True).told, asks(rig)) == (NOT_NOW, False)
    rig.after(100)
    there.say(undo=True)
    assert asks(rig)


def test_the_menu_is_reached_however_many_ask(rig: Rig) -> None:
    counting(rig)
    phones = [Phone(rig) for _ in range(16)]
    for _ in range(2):
        for phone in phones:
            phone.say(seat="P2")
        rig.after(1_000).arrow(1) if asks(rig) else None
    rig.down("ok").after(100)
    for phone in phones:
        phone.say(seat="P2")
    rig.after(600).up("ok")
    assert rig.top == "Back"


# --- undo, points, the end -------------------------------------------------------------------------------------------


def test_an_own_answer_is_undone_at_once_and_anothers_after_ok_on_the_kit(rig: Rig) -> None:
    rig.do("game[if_it_fits 3]")
    one, two = Phone(rig, "P1"), Phone(rig, "P2")
    one.answer("Who starts?")
    assert (one.me["own"], two.me["own"]) == (True, False)
    two.say(undo=True)
    rig.after(10_100)
    assert rig.playing.play.step == 1  # nobody agreed
    rig.after(10_000)
    two.say(undo=True)
    rig.after(1_000).ok()
    assert (rig.playing.play.step, two.told) == (0, "The kit says yes.")
    one.answer("Who starts?")
    one.say(undo=True)
    assert rig.playing.play.step == 0


def test_the_kit_asks_one_thing_at_a_time_and_takes_back_what_is_too_late(rig: Rig) -> None:
    counting(rig)
    one = Phone(rig, "P1").say(table=True)
    for message in ({"undo": True}, {"undo": True}, {"end": True}):
        one.say(**message)
    assert [type(each).__name__ for each in rig.app.table.overlays] == ["Confirm"]
    assert (one.me["wish"], one.told) == (f"{one.tag}: UNDO?", "The kit asks already.")
    rig.playing.take(plays.undo(rig.playing.play, rig.now_ns))  # somebody else was faster
    assert (asks(rig), one.told, one.me["wish"]) == (False, "This has changed meanwhile.", "")


@pytest.mark.parametrize(("message", "done"), [({"fix": [1, 5]}, 5), ({"end": True}, 0)])
def test_points_and_the_end_need_ok_on_the_kit(rig: Rig, message: dict[str, Any], done: int) -> None:
    phone = Phone(rig, "P1").say(table=True)
    counting(rig)
    before = rig.playing.play.scores
    phone.say(**message)
    assert (rig.playing.play.scores, rig.playing.play.ended) == (before, False)
    rig.after(1_000).ok()
    assert (rig.playing.play.scores, rig.playing.play.ended, phone.told) == (
        (before[0], before[1] + done, before[2]),
        "end" in message,
        "The kit says yes.",
    )


@pytest.mark.parametrize("fix", [[True, 5], [0, True], [0, 1001]])
def test_points_that_cannot_be_given_are_not_asked_for(rig: Rig, fix: list[int]) -> None:
    counting(rig)
    phone = Phone(rig).say(table=True).say(fix=fix)
    assert (phone.open, asks(rig)) == (False, False)


@pytest.mark.parametrize("message", [{"undo": True}, {"fix": [0, 5]}, {"end": True}, {"seat": "P3"}])
def test_a_question_is_gone_after_a_power_cut(rig: Rig, message: dict[str, Any]) -> None:
    phone = Phone(rig, "P1").say(table=True)
    counting(rig)
    phone.say(**message)
    step = rig.playing.play.step
    rig.reboot(pulled=True)
    let_in(rig)
    rig.ok()
    assert (asks(rig), rig.playing.play.step, Phone(rig, token=phone.token).me["wish"]) == (False, step, "")


# --- what stands on the display --------------------------------------------------------------------------------------


def test_each_of_sixteen_phones_has_a_name_of_its_own_also_after_a_restart(rig: Rig) -> None:
    phones = [Phone(rig) for _ in range(16)]
    assert len({phone.tag for phone in phones}) == 16
    rig.restart()
    let_in(rig)
    assert [Phone(rig, token=phone.token).tag for phone in phones] == [phone.tag for phone in phones]


def test_of_two_phones_with_the_same_name_the_later_one_has_a_number() -> None:
    """Before there were names ids were drawn otherwise."""
    ids = [id_ for id_ in map(str, range(300)) if tag(id_) == "Tiger"][:3]
    assert list(tags(ids).values()) == ["Tiger", "Tiger 2", "Tiger 3"]


def test_no_two_names_begin_alike_or_differ_in_two_letters_only() -> None:
    assert (len(set(NAMES)), max(map(len, NAMES))) == (64, 6)
    assert len({name[:2] for name in NAMES}) == 64
    assert min(distance(one.lower(), two.lower()) for one, two in combinations(NAMES, 2)) == 3


def distance(one: str, two: str) -> int:
    """How many letters are to be changed, added or left out to make one word the other."""
    row = list(range(len(two) + 1))
    for n, letter in enumerate(one, 1):
        before, row = row, [n]
        for m, other in enumerate(two, 1):
            row.append(min(before[m] + 1, row[-1] + 1, before[m - 1] + (letter != other)))
    return row[-1]


def test_the_list_of_phones_calls_them_as_their_pages_do(rig: Rig) -> None:
    rig.do("people[Anna Ben] [Kitty Paw] P1*2 P2*2 ok*2")
    player, onlooker, host = Phone(rig, "P2"), Phone(rig), Phone(rig, "P1").say(table=True).sleep()
    rig.menu("Phones").ok()
    assert rig.rows == [f"{player.tag} Ben", f"{onlooker.tag} looks on", f"{host.tag} Anna: table: away", "Back"]


@pytest.mark.parametrize("config", [TABLE, ARROWS], ids=["knob", "arrows"])
@pytest.mark.parametrize("name", ["Maximilian12", "P1"])
def test_every_wish_fits_whoever_it_is(tmp_path: Path, config: Any, name: str) -> None:
    rig = Rig(tmp_path, config)
    let_in(rig)
    rig.do(f"people[{name} Wwwwwwwwwwww] [Pack & Stack] P1*2 P2*2 P3")
    away, phone = Phone(rig, "P1"), Phone(rig, "P2", "P3")
    rig.do("ok*2 P1 ok 3300 P1 100 P2 100 P3 1700 ok P1*3 P2*2 P3 ok")
    away.sleep()
    phone.say(table=True)
    rig.after(130_000)
    for message in ({"undo": True}, {"fix": [0, 1000]}, {"fix": [0, -1000]}, {"end": True}, {"seat": "P1"}):
        assert phone.say(**message).told in ("", "Not answered: the game goes on. Ask again.")
        assert asks(rig) and "OK: yes" in rig.pieces
        rig.tap("P1").after(2_000)
    leave(rig.playing)
    rig.do("[Phones]").ok()
    phone.sleep()
    rig.after(100).ok()
    rig.close()


def test_no_note_of_a_phone_hides_what_the_keys_do(rig: Rig) -> None:
    counting(rig)
    keys = {"tap:+5 turn:1 hold:0", "OK"}
    phone = Phone(rig)
    phone.say(table=True)
    assert keys | {f"{phone.tag} answers for the", "table"} <= rig.after(0).pieces


def test_no_number_of_a_phone_hides_what_the_keys_do(rig: Rig) -> None:
    rig.do("game[pack_and_stack 3 counting=checked] P1")
    Phone(rig, "P2").answer("Green boxes?", 9)
    assert {"P2: the die has 5?", "tap: +1  hold: 0", "OK"} <= rig.after(0).pieces


def test_who_answers_for_the_table_is_announced_every_ten_seconds_at_most(rig: Rig) -> None:
    counting(rig)
    one, two = Phone(rig).say(table=True), Phone(rig)
    assert one.say(table=False).say(table=True).news["refused"] == "Not now. Try again in a moment."
    assert two.say(table=True).news["refused"] == "Not now. Try again in a moment."
    rig.after(10_000)
    assert (two.say(table=True).me["role"], rig.reads().count("answers for the")) == ("table", 1)


@pytest.mark.parametrize(("away_s", "roles"), [(119, ["watch", "table"]), (120, ["table", "seat"])])
def test_the_role_of_the_table_is_free_after_two_minutes_and_who_had_it_is_told(
    rig: Rig, away_s: int, roles: list[str]
) -> None:
    there = Phone(rig, "P2").say(table=True).sleep()
    rig.after(away_s * 1000)
    other = Phone(rig).say(table=True)
    there.connect()
    assert [other.me["role"], there.me["role"]] == roles
    assert there.told == (f"You no longer answer for the table: phone {other.tag} does." if away_s == 120 else "")


def test_who_comes_back_answers_for_the_table_as_before_where_nobody_took_over(rig: Rig) -> None:
    there = Phone(rig).say(table=True).sleep()
    rig.after(3_600_000)
    assert (there.connect().me["role"], there.told) == ("table", "")
    assert "already" in Phone(rig).say(table=True).news["refused"]


def test_a_place_and_the_role_that_others_took_are_told_together(rig: Rig) -> None:
    there = Phone(rig, "P2").say(table=True).sleep()
    rig.after(120_000)
    other = Phone(rig, "P2").say(table=True)
    told = f"P2 has another phone now. You no longer answer for the table: phone {other.tag} does."
    assert (there.connect().told, there.me["role"]) == (told, "watch")


def test_a_question_is_bright_and_keeps_nothing_awake(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig)
    rig.after(29 * 60_000)
    dim = rig.app.table.contrast
    phone.say(seat="P2")
    assert (rig.app.table.contrast > dim, asks(rig)) == (True, True)
    rig.after(60_000)
    assert phone.say(seat="P2").told == NOT_NOW  # it sleeps
