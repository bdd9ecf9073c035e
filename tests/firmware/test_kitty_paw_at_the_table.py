"""Kitty Paw as it is played: hands, presses and the knob go in; pictures, lamps, sounds and the strip come out."""

import dataclasses

import pytest
from msgspec.structs import replace

from engine import play as plays
from firmware.output import sounds
from firmware.output.strip_picture import RED
from hardware.parts.strip import OFF, Rhythm, lamp
from tests.firmware.outcomes import outcomes
from tests.simulators.rig import Rig

GAME = "game[kitty_paw 3]"
FLASH = "+P1,P2,P3 3100 -P1,P2,P3 2000"
BUILDING = f"{GAME} {FLASH}"
CALLED = "P2 300 P1 200"  # P3 is last
FOUR = "game[kitty_paw 4] +P1,P2,P3,P4 3100 -P1,P2,P3,P4 2000 P2 200"  # P2 has called
ENDED = f"{GAME} " + " ".join(f"{FLASH} P1 300 P2 200 yes turn{up} ok*2" for up in ("-2", "-1", "+0", "+1", "+0"))
SEVENS = f"{GAME} " + f"{FLASH} P1 300 P2 200 yes turn+1 ok*2 " * 5  # P3 has paid five times
LEVEL = f"{SEVENS} 2000 menu[Fix points] P2 turn+35 ok"  # at the end P2 is found to have as many as P1
EXTRA = f"{LEVEL} ok +P1,P2 3100 -P1,P2 2000 P1 2500"  # P1 has called in the extra round
JUMPED = f"{GAME} +P1,P2,P3 500 -P2 100"
SEATED = "[Kitty Paw] P1 P2 P3 ok [Seat order] P3 P1 P2 ok"
MIXED = f"game[kitty_paw 3 mixed_deck=True] {FLASH} P1 200 P2 200"
BY_HAND = "game[kitty_paw 3 last_by_hand=True]"
OPTIONS = "game[kitty_paw 3 mixed_deck=True response_limit_s=5]"

EVENINGS = {
    "the menu is the first picture": ("", "which game? 1/9"),
    "one player is not enough": ("[Kitty Paw] P1 ok", "2 players are needed"),
    "the flash waits for every hand": (f"{GAME} +P1,P2 5000", "HANDS ON"),
    "letting go before the flash names who did": (JUMPED, "P2 too early: again"),
    "the caller is named as large as it fits": (f"{BUILDING} P2 100", "P2 MEOW!"),
    "the last is named as soon as only one is missing": (f"{BUILDING} P2 300 P1 100", "P3 LAST"),
    "the pattern is asked for once the last has been read": (f"{BUILDING} P2 300 P1 2500", "Pattern right?"),
    "two Meows too close to call go to the table": (f"{BUILDING} +P1,P2 300", "P1/P2 tie"),
    "a dead heat is ruled by the control": (f"{BUILDING} +P1,P2 300 turn-1 ok 2500", "Pattern right?"),
    "OK says nobody else, and the table names the last": (f"{FOUR} ok 50", "P1/P3/P4 missing"),
    "a hand that rests on its button takes nothing back": (FOUR.replace("P2 200", "+P2 3000"), "P2 MEOW!"),
    "back over a false Meow returns to the running round": (f"{BUILDING} {CALLED} undo 1000", "done? press"),
    "back says which points undo would take": (f"{BUILDING} {CALLED} yes ok ok!", "P2 +6"),
    "back says in words what undo would take back": (f"{BUILDING} {CALLED} yes ok!", "pattern checked"),
    "a round can be scrapped from the menu": (f"{BUILDING} menu[Scrap]", "remove 4 cards"),
    "a press in a race is no choice in a menu": (f"{BUILDING} menu[Fix points] P3 100", "P3 MEOW!"),
    "the evidence stands in ms where its timing error is 10 ms": (f"{BUILDING} {CALLED} menu[Evidence]", "420ms"),
    "a game can be ended by hand": (f"{BUILDING} menu[End the game now]", "UNFINISHED"),
    "the fifth card ends the game": (ENDED, "P1 WINS"),
    "undo works after the end": (f"{ENDED} 2000 undo", "remove 2 cards"),
    "the last is named by hand where that is the option": (f"{BY_HAND} {FLASH} P1 200", "Who was last?"),
    "points fixed after the end offer the extra round": (LEVEL, "Tie: extra round"),
    "OK begins the extra round with removed cards": (f"{LEVEL} ok", "EXTRA: removed, 4 up | P1 | P2"),
    "the extra round after the end is undone to the end": (f"{LEVEL} ok ok! ok*2 ok!", "P1 WINS"),
    "a tie after the end survives a new start": (f"{LEVEL} reboot ok", "Tie: extra round"),
    "players join by pressing their button": ("[Kitty Paw] P1 P3", "lit", {"P1", "P3"}),
    "a second press leaves again": ("[Kitty Paw] P1 P3 P1", "lit", {"P3"}),
    "the seat order can differ from the ring": (SEATED, "playing.play.players", ("P3", "P1", "P2")),
    "hands that are down count after a false start": (f"{JUMPED} +P2 3100", "playing.question.kind.name", "RACE"),
    "the flash lights every lamp": (BUILDING, "lit", {"P1", "P2", "P3"}),
    "a press is seen at once by its own lamp": (f"{BUILDING} +P2", "lit", {"P1", "P3"}),
    "the last pays before the pattern is looked at": (f"{BUILDING} P2 300 P1 100", "scores", (0, 0, -1)),
    "a right pattern scores its card": (f"{BUILDING} {CALLED} yes ok", "scores", (0, 6, -1)),
    "a wrong pattern costs the caller": (f"{BUILDING} {CALLED} no", "scores", (0, -1, -1)),
    "holding the own button takes a bumped Meow back": (f"{FOUR} P2!", "board.race.phase", "running"),
    "redo brings the step back": (f"{BUILDING} {CALLED} yes ok ok! ok turn+1", "scores", (0, 6, -1)),
    "points can be fixed for any seat": (f"{BUILDING} menu[Fix points] turn-2 ok turn+2 ok", "scores", (0, 0, 2)),
    "a mixed deck asks for the level of each penalty": (f"{MIXED} no turn+2 ok turn+1 ok", "scores", (-3, 0, -2)),
    "nobody is named before the settling time is over": (f"{BUILDING} +P2 20", "hides", "P2"),
    "the last is heard": (f"{BUILDING} {CALLED}", "hears", sounds.LAST),
    "the winner is heard": (ENDED, "hears", sounds.WON),
    "an option with two values is set on the display": (OPTIONS, "playing.play.options.mixed_deck", True),
    "so is a number": (OPTIONS, "playing.play.options.response_limit_s", 5),
    "it is called that while a card is scored": (f"{EXTRA} ok", "Card is worth | EXTRA"),
    "and when its cards are out": (f"{EXTRA} ok*3", "cards out: 2 | EXTRA ROUND"),
}

test_an_evening = outcomes(EVENINGS)


def test_the_flash_fills_the_picture(rig: Rig) -> None:
    rig.do(f"{GAME} +P1,P2,P3")
    while rig.playing.question.kind.name != "RACE":
        rig.after(20)
    assert "MEOW GO!" in rig.reads()


def test_the_last_is_marked_at_both_ends_of_their_piece_of_the_strip(rig: Rig) -> None:
    piece = rig.do(f"{BUILDING} P2 300 P1 100").pixels[30:44]
    red = lamp(RED, Rhythm.FLASH)
    assert (piece[0], piece[-1], piece[7]) == (red, red, OFF)


def test_nobody_called_means_the_old_stopwatch_runs_on(rig: Rig) -> None:
    assert "4." in rig.do(f"{BUILDING} +P1,P2 300 -P1,P2 turn+1 ok 1000").reads().split(" | ")[0]


def test_the_winner_is_heard_and_fills_the_strip(rig: Rig) -> None:
    rig.do(ENDED)
    assert sounds.WON in rig.tunes and len(set(rig.pixels[:14])) == 1


def test_a_game_is_gone_on_with_after_the_plug_was_pulled(rig: Rig) -> None:
    rig.do(f"{GAME} {FLASH} P1 300 P2 200 yes turn+1 ok*2 {FLASH} P2 200").reboot(pulled=True).ok()
    assert rig.scores == (7, 0, -1) and "HANDS ON" in rig.reads()


@pytest.mark.parametrize("again", ["reboot ok", "pulled[1s] ok", "restart ok", "killed[2000]"])
def test_hands_between_which_points_were_fixed_are_asked_again_by_a_new_run(rig: Rig, again: str) -> None:
    rig.do("game[kitty_paw 3] ok 300 +P1 300")
    rig.playing.take(plays.fix(rig.playing.play, 1, 5, rig.now_ns))
    rig.do("300 +P2 300")
    assert rig.state.ask.down == (True, True, None)
    rig.do(f"{again} 300")
    assert (rig.state.ask.down, rig.lit, rig.scores) == ((None, None, None), frozenset(("P1", "P2", "P3")), (0, 5, 0))
    rig.do("+P1,P2 300")
    assert (rig.state.ask.down, rig.lit) == ((True, True, None), frozenset(("P3",)))


def test_other_buttons_of_seats_are_kept_over_a_power_cut_and_an_undo(rig: Rig) -> None:
    rig.do("game[kitty_paw 2] menu[Seats] P4 P2 100 +P4 100")
    assert rig.playing.question.release.keys() == {0}
    rig.do("-P4 100 reboot ok +P4 100")
    assert rig.playing.question.release.keys() == {0}


def test_used_cards_are_called_for_where_too_few_were_removed(rig: Rig) -> None:
    play = rig.do(LEVEL).playing.play
    rig.playing.play = dataclasses.replace(play, state=replace(play.state, removed=1))
    assert "EXTRA: shuffle all" in rig.ok().reads()
