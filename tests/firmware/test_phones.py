"""Phones at the table: joining, seats, answers that are kept, what needs the kit; without a network."""

from pathlib import Path
from typing import Any

import pytest
from PIL import ImageChops

from firmware.people.joining import Join
from firmware.phones import view
from firmware.phones.hub import Phones
from firmware.phones.link import OwnWifi, Way
from firmware.phones.signs import CODE, LETTERS
from hardware.config import KITS, parse
from tests.engine import paw_table
from tests.simulators.phone import SPACES, Phone, let_in, through
from tests.simulators.rig import Rig
from tests.simulators.wishing import sit

WIFI = OwnWifi("Lucky Paw 7F", "7f3k-9qx-m4t")


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    let_in(rig)
    return rig


def counting(rig: Rig) -> Rig:
    """Three players are asked for a number, all at once."""
    return rig.do(SPACES)


def asked(rig: Rig) -> set[str]:
    """What the open question is called."""
    return {offer.verb for offer in rig.playing.play.offers}


# --- joining ---------------------------------------------------------------------------------------------------------


def test_a_phone_joins_by_the_code_on_the_display_only(rig: Rig) -> None:
    phones = rig.app.table.phones
    assert isinstance(phones, Phones)
    assert len(phones.code) == CODE and set(phones.code) <= set(LETTERS)
    wrong = ("A" if phones.code[0] != "A" else "B") + phones.code[1:]
    assert [phones.join(code) for code in ("", wrong, phones.code[:5])] == [None] * 3
    token = phones.join(phones.code.lower())
    assert token is not None and phones.known(token) is not None
    assert phones.known(token + "x") is None and phones.known("") is None


def test_a_phone_is_known_after_a_restart_and_its_secret_is_not_on_the_disk(rig: Rig, tmp_path: Path) -> None:
    token = Phone(rig, "P2").token
    rig.restart()
    let_in(rig)
    assert Phone(rig, token=token).mine == ["P2"]
    rig.close()
    assert not [file for file in tmp_path.iterdir() if token.encode() in file.read_bytes()]


def test_who_is_thrown_out_has_to_join_again_by_another_code_and_the_others_stay(rig: Rig) -> None:
    first, second = Phone(rig, "P1"), Phone(rig, "P2")
    code = first.phones.code
    rig.do("[Phones]").ok().choose(first.phones.called.texts(first.phones.all[0])[0]).ok()
    assert (first.open, second.open, first.phones.known(first.token)) == (False, True, None)
    assert first.phones.code != code
    rig.restart()
    let_in(rig)
    assert [phone.id for phone in second.phones.all] == [second.id]


# --- seats -----------------------------------------------------------------------------------------------------------


def test_a_phone_says_who_it_plays_for_among_the_people_of_this_table(rig: Rig) -> None:
    rig.do("people[Anna Ben Cleo] [Kitty Paw] P1*2 P3*2")
    phone = Phone(rig)
    places = [(place["button"], place["name"], place["colour"]) for place in phone.me["places"]]
    assert places == [("P1", "Anna", "blue"), ("P3", "Ben", "green")]
    assert phone.say(seat="P3").mine == ["P3"]
    rig.do("ok*2")
    assert phone.me["seats"] == [1]


def test_while_all_are_asked_to_press_their_buttons_phones_say_for_which_game(rig: Rig) -> None:
    phone = Phone(rig)
    said = [phone.news["invites"]]
    for line in ("[Kitty Paw]", "P1 P3", "ok", "turn-1 ok", "ok!", "ok turn-1 turn-1", "ok", "ok", "ok"):
        rig.do(line)
        said.append(phone.news["invites"].removeprefix("Kitty Paw: "))
    press, start, who = "press your button on the kit", "START on the kit", "who begins is found on the kit"
    assert said == ["", press, press, start, who, start, who, "P3 begins", f"P3 begins, {start}", ""]


def test_a_phone_stays_with_its_person_where_people_change_seats(rig: Rig) -> None:
    rig.do("people[Anna Ben] [CAT Pageant] P1*2 P2*2 ok*2")
    phone = Phone(rig, "P2")
    sit(rig, rig.playing.number, 0, rig.playing.people[1])
    rig.after(0)
    assert phone.me["seats"] == [0]


def test_one_phone_may_play_for_several(rig: Rig) -> None:
    assert Phone(rig, "P1", "P2").mine == ["P1", "P2"]


def test_a_guest_gives_a_name_and_is_known(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig, "P2")
    phone.say(name=" Юлия ", button="P2", latin="Julia")
    assert (rig.app.table.roster.names, phone.mine, rig.playing.page_names[1]) == (("Юлия",), ["P2"], "Юлия")
    assert "1 to 12" in Phone(rig, "P3").say(name="x" * 13, button="P3").news["refused"]


def test_who_has_a_name_gives_no_other_one(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig, "P2").say(name="Mia", button="P2").say(name="Ben", button="P2")
    assert (phone.open, rig.playing.page_names[1]) == (False, "Mia")


def test_a_name_that_is_given_while_the_kit_asks_for_options_is_in_the_game(rig: Rig) -> None:
    rig.do("[Pack & Stack] P1 P2 P3 ok")
    phone = Phone(rig, "P3").say(name="Cleo", button="P3")
    rig.ok().after(1_000)
    assert (rig.playing.page_names[2], phone.me["seats"]) == ("Cleo", [2])


@pytest.mark.parametrize("where", ["put right in the game", "entered while joining"])
def test_the_phone_of_a_guest_who_gets_a_name_at_the_kit_stays(rig: Rig, where: str) -> None:
    if where == "put right in the game":
        rig.do("people[Ann Ben] [Pack & Stack] P1 ok")
        rig.app.table.go_home()
        counting(rig)
        phone = Phone(rig, "P2")
        rig.tap("P2")
        sit(rig, rig.playing.number, 1, rig.app.table.people.add("Mia"))
        rig.after(0)
    else:
        rig.do("[Pack & Stack] P1 P2 P3")
        phone = Phone(rig, "P2")
        (joining,) = [each for each in rig.app.table.overlays if isinstance(each, Join)]
        joining.known("P2", rig.app.table.people.add("Mia"))
        rig.ok().ok().after(1_000)
    assert (rig.playing.page_names[1], phone.me["seats"]) == ("Mia", [1])


def test_a_button_may_have_a_blank_in_its_name(tmp_path: Path) -> None:
    text = (KITS / "table.toml").read_text().replace('name = "P2"', 'name = "A B"')
    rig = Rig(tmp_path, parse(text))
    let_in(rig)
    token = Phone(rig, "A B").token
    rig.restart()
    let_in(rig)
    assert Phone(rig, token=token).mine == ["A B"]
    rig.close()


def test_the_phone_of_somebody_who_is_forgotten_stays(rig: Rig) -> None:
    rig.do("people[Anna Ben] [CAT Pageant] P1*2 P2*2")
    phone = Phone(rig, "P2")
    rig.do("ok*2")
    rig.app.table.people.forget(rig.playing.people[1])
    rig.after(0)
    assert (phone.mine, phone.me["seats"], phone.told) == (["P2"], [1], "")


def test_who_plays_for_somebody_of_another_table_is_told_when_they_are_forgotten(rig: Rig) -> None:
    rig.do("people[Anna Ben] [CAT Pageant] P1*2 P2*2")
    phone = Phone(rig, "P2")
    person = rig.do("ok*2").playing.people[1]
    sit(rig, rig.playing.number, 1, None)
    rig.after(0)
    phone.sleep()
    rig.app.table.people.forget(person)
    phone.connect()
    assert (phone.me["role"], phone.told) == ("watch", "A name that you play for is forgotten: choose your place anew.")


def test_a_phone_of_somebody_who_is_somebody_else_loses_nothing(rig: Rig) -> None:
    rig.do("people[Anna Ben] [CAT Pageant] P1*2 P2*2")
    phone = Phone(rig, "P2")
    rig.do("ok*2")
    rig.app.table.people.merge(rig.playing.people[1], rig.app.table.people.add("Benjamin"))
    rig.after(0)
    assert (phone.mine, phone.me["seats"], phone.told) == (["P2"], [1], "")


# --- answers ---------------------------------------------------------------------------------------------------------


def test_a_sent_number_is_shown_and_the_last_one_closes_the_question(rig: Rig) -> None:
    counting(rig)
    one, two = Phone(rig, "P1"), Phone(rig, "P2", "P3")
    assert one.answer("Empty spaces?", 3) == ""
    assert (rig.playing.entry.values, one.me["sent"], two.me["sent"]) == ({0: 3}, [[0, 3]], [])
    assert two.answer("Empty spaces?", 2, seat=1) == ""
    assert one.answer("Empty spaces?", 4) == ""  # changed
    step = rig.playing.play.step
    assert two.answer("Empty spaces?", 1, seat=2) == ""
    assert ("left" in asked(rig), rig.playing.play.step) == (True, step + 1)
    assert one.ask("Green boxes left?")["prefill"] == 0
    rig.undo()
    assert ("empties" in asked(rig), rig.playing.entry.values, one.me["sent"]) == (True, {}, [])


def test_a_menu_on_the_kit_is_known_to_phones_as_its_ok_is_not_for_the_game(rig: Rig) -> None:
    counting(rig)
    phone, covered = Phone(rig, "P1"), []
    for line in ("ok!", "turn-1", "ok!", "ok! P1", "menu[Main menu]"):
        rig.do(line)
        covered.append(phone.news["covered"])
    assert covered == [True, True, False, False, False]


def test_everybody_sees_what_the_round_has_brought(rig: Rig) -> None:
    phone = Phone(counting(rig), "P1")
    assert phone.news["game"]["beside"] == ["", "", ""]
    rig.do("P1 P2*2 P3*3 ok ok")
    game = phone.news["game"]
    assert (game["asked"], game["said"]) == ("The scores now", ["boxes, trucks back"])
    assert game["beside"] == ["+5", "-10", "-15"]


def test_whoever_undoes_is_told_where_that_leads(rig: Rig) -> None:
    phone = Phone(counting(rig), "P1")
    rig.do("P1 P2*2 P3*3 ok ok!")
    assert {"number entered", "back to: Empty spaces?"} <= rig.pieces
    rig.do("ok! 1000")
    phone.say(undo=True)
    assert "number entered, back to: Empty spaces?" in rig.reads().replace(" | ", " ")


def test_a_number_that_is_expected_is_asked_for_all_the_same(rig: Rig) -> None:
    counting(rig).do("P1 P2*2 P3*3 ok")
    phone = Phone(rig, "P1")
    assert (set(rig.lit), phone.me["missing"]) == ({"P1", "P2", "P3"}, (0, 1, 2))
    phone.answer("Green boxes left?", 0)
    assert (set(rig.lit), phone.me["missing"]) == ({"P2", "P3"}, (1, 2))


def test_a_question_says_what_each_of_the_things_is_worth(rig: Rig) -> None:
    counting(rig).do("P1 P2*2 P3*3 ok")
    assert Phone(rig, "P3").ask("Green boxes left?")["each"] == -2


def test_the_kits_own_buttons_finish_what_phones_began(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig, "P1")
    phone.answer("Empty spaces?", 3)
    phone.sleep()
    rig.do("P1 P2*2 P3 ok")
    assert asked(rig) == {"left", "none_left", "from_pile"}


@pytest.mark.parametrize("how", ["reboot", "restart", "menu", "fix"])
def test_an_acknowledged_number_stays(rig: Rig, how: str) -> None:
    counting(rig)
    phone = Phone(rig, "P2")
    assert phone.answer("Empty spaces?", 7) == ""
    phone = through(rig, how, phone)
    assert (rig.playing.entry.values, phone.me["sent"]) == ({1: 7}, [[1, 7]])
    rig.do("P1 P3 ok")
    assert phone.ask("Green boxes left?")["seat"] == 1


def test_what_the_kit_changes_of_a_sent_number_stays_too(rig: Rig) -> None:
    counting(rig)
    Phone(rig, "P2").answer("Empty spaces?", 7)
    rig.do("P2 turn+2").reboot(pulled=True).ok()
    assert rig.playing.entry.values == {1: 14}


def test_an_answer_that_comes_twice_is_entered_once(rig: Rig) -> None:
    rig.do("game[if_it_fits 3]")
    phone = Phone(rig, "P1", "P2", "P3")
    first = phone.ask("Who starts?")
    assert phone.send(first["id"], None, "a" * 8) == ""
    step = rig.playing.play.step
    assert phone.send(first["id"], None, "a" * 8) == ""
    rig.restart()
    let_in(rig)
    rig.ok()
    phone = Phone(rig, token=phone.token)
    assert phone.send(first["id"], None, "a" * 8) == ""
    assert rig.playing.play.step == step
    assert phone.send(first["id"], None, "b" * 8) == "too late: this is not asked any more"


def test_of_two_answers_the_first_counts_and_the_other_is_told(rig: Rig) -> None:
    rig.do("game[if_it_fits 3]")
    one, two = Phone(rig, "P1"), Phone(rig, "P2")
    late = two.ask("Who starts?")
    assert one.answer("Who starts?") == ""
    assert two.send(late["id"], None) == "too late: this is not asked any more"


def test_while_storage_fails_an_answer_is_entered_and_not_called_saved(rig: Rig) -> None:
    """However often it comes."""
    counting(rig)
    phone = Phone(rig, "P1")
    rig.app.table.trouble("the disk is full")
    id_ = phone.ask("Empty spaces?")["id"]
    for _ in range(2):
        phone.news.pop("ack", None)
        assert phone.send(id_, 3, "c" * 8) == ""
        assert phone.news["ack"]["saved"] is False
    assert rig.playing.entry.values == {0: 3}


def test_an_answer_wakes_the_display(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig, "P1")
    rig.after(31 * 60_000)
    assert "Empty" not in rig.reads()
    assert phone.answer("Empty spaces?", 3) == ""
    assert "Empty spaces?" in rig.after(0).reads()


@pytest.mark.parametrize("value", [-1, 61, "3", None, True, 3.5])
def test_only_what_is_asked_is_taken(rig: Rig, value: Any) -> None:
    counting(rig)
    phone = Phone(rig, "P1")
    refused = phone.answer("Empty spaces?", value)
    assert (rig.playing.entry.values, refused != "") == ({}, True)


def test_nobody_answers_for_another_seat(rig: Rig) -> None:
    counting(rig)
    one, two, watch = Phone(rig, "P1"), Phone(rig, "P2"), Phone(rig)
    id_ = two.ask("Empty spaces?")["id"]
    assert [phone.send(id_, 3) for phone in (one, watch)] == ["too late: this is not asked any more"] * 2
    assert (rig.playing.entry.values, watch.asks) == ({}, [])


def test_one_phone_answers_for_the_table_and_for_seats_without_one(rig: Rig) -> None:
    counting(rig)
    host, guest = Phone(rig, "P1"), Phone(rig, "P2")
    host.say(table=True)
    assert {ask["seat"] for ask in host.asks} == {0, 2, None}
    guest.say(table=True)
    assert guest.news["refused"] == "Another one answers for the table already: P1's phone."
    host.say(table=False)
    assert {ask["seat"] for ask in host.asks} == {0}


def test_a_phone_is_no_race_button(rig: Rig) -> None:
    rig.do("game[kitty_paw 3]")
    phone = Phone(rig, "P1", "P2", "P3").say(table=True)
    for word in ("+P1,P2,P3", "3100", "-P1,P2,P3", "P2", "300"):
        rig.do(word)
        assert not [ask for ask in phone.asks if ask["verb"] in ("hands", "release", "meow", "close", "take_back")]


# --- what the display shows of them ----------------------------------------------------------------------------------


def test_a_phone_that_sleeps_is_a_moon_at_its_seat_only_while_that_is_asked(rig: Rig) -> None:
    counting(rig)
    phone = Phone(rig, "P2")
    awake = rig.after(6000).picture
    phone.sleep()
    asleep = rig.after(0).picture
    box = ImageChops.difference(awake.convert("L"), asleep.convert("L")).getbbox()
    assert box is not None and (box[2] - box[0], box[3] - box[1]) == (4, 5)
    assert box[0] > 43  # not at the first of three seats
    tapped = rig.tap("P2").picture
    phone.connect()
    assert rig.after(0).picture.tobytes() == tapped.tobytes()  # it has answered: no moon
    assert asleep.tobytes() != awake.tobytes()


@pytest.mark.parametrize(
    ("way", "shown"),
    [
        (Way(("192.168.178.123:8643",)), "PHONES | http:// | 192.168.178. | 123:8643/"),
        (Way(closed=("no network",)), "no network"),
        (Way(closed=("the service is closed", "sudo luckypaw phones on")), "sudo luckypaw phones on"),
        (Way(("10.42.0.1",), WIFI), "WI-FI | Lucky Paw 7F | password | 7f3k-9qx-m4t"),
    ],
)
def test_the_display_says_how_to_join_or_why_not(rig: Rig, way: Way, shown: str) -> None:
    phones = rig.app.table.phones
    assert isinstance(phones, Phones)
    phones.way = way
    assert shown in rig.do("[Phones]").reads()


def test_after_the_wifi_comes_the_page(rig: Rig) -> None:
    phones = rig.app.table.phones
    assert isinstance(phones, Phones)
    phones.way = Way(("10.42.0.1",), WIFI)
    assert "PHONES | http:// | 10.42.0.1/" in rig.do("[Phones] turn+1").reads()


def test_an_address_that_changes_is_shown_at_once(rig: Rig) -> None:
    phones = rig.app.table.phones
    assert isinstance(phones, Phones)
    phones.way = Way(("10.0.0.5:8643",))
    rig.do("[Phones]")
    phones.way = Way(("10.0.0.9:8643",))
    assert "10.0.0.9" in rig.after(0).reads()


def test_of_several_addresses_the_control_chooses(rig: Rig) -> None:
    phones = rig.app.table.phones
    assert isinstance(phones, Phones)
    phones.way = Way(("10.0.0.5:8643", "192.168.0.7:8643"))
    assert "10.0.0.5" in rig.do("[Phones]").reads()
    assert "192.168.0.7" in rig.do("turn+1").reads()


# --- what no page sends ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message", [{}, {"x": 1}, {"fix": [0, 1]}, {"end": True}, {"seat": 3}, {"ask": "x", "value": 1, "nonce": "?"}]
)
def test_what_no_page_sends_ends_the_link_and_nothing_else(rig: Rig, message: dict[str, Any]) -> None:
    counting(rig)
    phone, before = Phone(rig, "P1"), rig.app.table.game
    assert not phone.say(**message).open
    assert (rig.app.table.game, isinstance(rig.app.table.phones, Phones)) == (before, True)


def test_a_phone_cannot_throw_a_round_away() -> None:
    nobody_can_press = paw_table.Table(3).do("go !A !B !C").play
    assert {offer.verb for offer in nobody_can_press.offers} == {"close", "scrap"}
    assert [offer.verb for offer in view.answerable(nobody_can_press)] == ["close"]
