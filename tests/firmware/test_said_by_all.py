"""A whole game: phones, board, onlooker, display, strip and the kit's page do not contradict one another."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest
from playwright.sync_api import Browser

from firmware.output.strip_picture import DIM, FAINT, RED, SEATS, WHITE, shade
from hardware.parts.strip import OFF, Colour
from tests.simulators.contradictions import ALWAYS, IN_A_GAME, MARK, Corner, Dome, Look, Shown, by_rule, contradictions
from tests.simulators.said_by_all import Heard, at_random, colours_of, heard

SEED = Random().randrange(10**6)  # of who begins, and of what is played at random: another one in each run
NAMES, BUTTONS = ("P1", "P2", "P3"), ("P1", "P2", "P3", "P4")
ROWS = ("1. · P1 · 4", "1. · P2 asked · 4", "3. · P3 asked · −1")
UNASKED = tuple(row.replace(" asked", "") for row in ROWS)
WAITING, SENT, HAND = "Waiting for P2, P3", "Sent. You may still change it.", "Press your button on the kit!"
CLOSED, KEY = "All have answered: OK on the kit, or on P1's phone.", "[OK: all have answered]"
ON_KIT = "All have answered: OK on the kit."
GO_ON = "OK on the kit, or on P1's phone: go on"
CLOCKS = ("clock P2 42000", "clock P3 60000")
SHOWN = {  # P1 has sent a number, P2 is to send one, P3 to press; P3 began
    "display": ("R2", "P3: press!"),
    "spoken": ("R2. Cats?. P3: press!", "asked: P2, P3"),
    "board": ("round 2 of 3", "asked: P2, P3", "in the order of play: P3, P1, P2", *UNASKED),
    "onlooker": (WAITING, *ROWS),
    "P1": ("you P1", "[1]", SENT, WAITING, *ROWS),
    "P2": ("you P2", "[1]", *ROWS),
    "P3": ("you P3", HAND, *ROWS),
}
TIMED = {device: (*texts, *CLOCKS) for device, texts in SHOWN.items()} | {  # with a clock each of P2 and P3
    "display": ("R2", "P3: press!", "0:42", "1:00"),
    "spoken": SHOWN["spoken"],
}
ALONE = {  # P2 alone is asked, against the clock
    "display": ("P2 0:42",),
    "spoken": ("P2", "asked: P2"),
    "board": ("asked: P2", "clock P2 42000", *UNASKED),
    "onlooker": ("Waiting for P2", "clock P2 42000", *UNASKED[:1], ROWS[1], UNASKED[2]),
    "P1": ("you P1", "Waiting for P2", "clock P2 42000", *UNASKED[:1], ROWS[1], UNASKED[2]),
    "P2": ("you P2", "[1]", "clock P2 42000", *UNASKED[:1], ROWS[1], UNASKED[2]),
    "P3": ("you P3", "Waiting for P2", "clock P2 42000", *UNASKED[:1], ROWS[1], UNASKED[2]),
}
CLOSING = {  # all have answered, and only OK is missing
    "display": ("R2", "OK, or on P1's phone", "OK"),
    "spoken": ("R2. Cats?. OK",),
    "board": ("round 2 of 3", CLOSED, *UNASKED),
    "onlooker": (CLOSED, *UNASKED),
    "P1": ("you P1", KEY, "[1]", SENT, *UNASKED),
    "P2": ("you P2", "[1]", CLOSED, SENT, *UNASKED),
    "P3": ("you P3", "[1]", CLOSED, *UNASKED),
}
TABLE = {  # nobody in particular is asked: who wants to goes on
    "display": ("R2", "OK"),
    "spoken": ("R2. OK",),
    "board": ("round 2 of 3", GO_ON, *UNASKED),
    "onlooker": (GO_ON, *UNASKED),
    "P1": ("you P1", "[go on]", *UNASKED),
    "P2": ("you P2", GO_ON, *UNASKED),
    "P3": ("you P3", GO_ON, *UNASKED),
}
END = {  # of the same game
    "display": ("P2 WINS", "THE END", "28"),
    "spoken": ("THE END. P2 WINS. 1st P2. 28. 2nd P1. 4. 3rd P3. -1",),
    **{
        device: (f"you {device}", "The game is over.", "1. · P2 · 28", "2. · P1 · 4", "3. · P3 · −1")
        for device in ("board", "onlooker", *NAMES)
    },
}
GAMES = {"answering": SHOWN, "against time": TIMED, "one": ALONE, "closing": CLOSING, "the table": TABLE, "end": END}


def piece(device: str, text: str) -> Shown:
    """What stands there, with the colours of its names."""
    names = [name for name in NAMES if name in re.sub(r"P\d's phone", "", text)]
    domes = tuple(Dome(name, str(NAMES.index(name)), f"colour {NAMES.index(name)}") for name in names)
    if text.startswith("clock "):
        return Shown("clock", names[0], "clocks", domes=domes, ms=int(text.rsplit(maxsplit=1)[-1]))
    if text.startswith("["):
        return Shown("button", text[1:-1], "asks")
    begins = {"Waiting": "waiting", "asked:": "turn", "in the": "order", "you": "you"}
    where = next((where for word, where in begins.items() if text.startswith(word)), "")
    where = "scores" if " · " in text else "asks" if text == SENT else where
    coloured = device not in ("display", "spoken") and where
    return Shown("row" if where == "scores" else "text", text, where, domes=domes if coloured else ())


def look(shown: Mapping[str, Sequence[str]], device: str = "", text: str = "", other: str = "") -> Look:
    """What is shown, but that a device has some other text."""
    pieces = {
        one: [
            piece(one, each.replace(text, other) if one == device else each)
            for each in texts
            if not (each.startswith("you") and one not in NAMES)
        ]
        for one, texts in shown.items()
    }
    corners = {
        name: Corner(str(n) if name in NAMES else "none", f"colour {n}", 100.0 * n, 7.0)
        for n, name in enumerate(BUTTONS)
    }
    return Look(
        7,
        pieces,
        NAMES,
        frozenset({"P1"}) if shown in (SHOWN, TIMED) else frozenset(),
        BUTTONS,
        (frozenset({0}), frozenset({1, -1}), frozenset({-1}), frozenset()),  # P2 and P3 with marks
        corners,
        corners,
        closes=shown is CLOSING,
        for_table="P1",
    )


Change = Callable[[Look], Look]


def pieces(device: str, change: Callable[[Shown], Shown | None]) -> Change:
    """The pieces of a device are other ones; None: gone."""

    def changed(look: Look) -> Look:
        there = [after for one in look.shown[device] if (after := change(one)) is not None]
        assert there != look.shown[device]
        return replace(look, shown={**look.shown, device: there})

    return changed


def dome(device: str, where: str, name: str, **other: str) -> Change:
    """A name there is in another colour; without one where nothing else is said."""
    if "button" in other:
        other["colour"] = f"colour {other['button'].replace('none', '3')}"

    def change(one: Shown) -> Shown:
        if one.where != where:
            return one
        domes = [msgspec.structs.replace(each, **other) if each.name == name else each for each in one.domes]
        return msgspec.structs.replace(one, domes=tuple(each for each in domes if other or each.name != name))

    return pieces(device, change)


def timed(device: str, *ms: int) -> Change:
    """The clocks of a device say something else, or are not there."""
    left = iter(ms)

    def change(one: Shown) -> Shown | None:
        if one.kind != "clock":
            return one
        return None if (now := next(left, None)) is None else msgspec.structs.replace(one, ms=now)

    return pieces(device, change)


def gone(*devices: str, text: str) -> Change:
    """These devices do not have this text or key."""

    def change(look: Look) -> Look:
        for device in devices:
            look = pieces(device, lambda one: None if one.text == text else one)(look)
        return look

    return change


def also(device: str, text: str) -> Change:
    """A device has one more piece."""
    return lambda look: replace(look, shown={**look.shown, device: [*look.shown[device], piece(device, text)]})


def painted_alike(look: Look) -> Look:
    """P2 has P1's colour on all pages, as the kit has it."""
    for device, where in (("board", "turn"), ("board", "order")):
        look = dome(device, where, "P2", colour="colour 0")(look)
    for device in ("onlooker", *NAMES):
        look = dome(device, "scores", "P2", colour="colour 0")(look)
    return look


def nobodys_turn(look: Look) -> Look:
    """The clock is of somebody who is not asked, on all pages."""
    for device in ("board", "onlooker", *NAMES):
        other = piece(device, "clock P3 42000")
        look = pieces(device, lambda one: other if one.kind == "clock" else one)(look)  # noqa: B023
    return look


def strip(*found: set[int]) -> Change:
    return lambda look: replace(look, strip=tuple(map(frozenset, found)))


def corner(name: str, **other: object) -> Change:
    """A dome of the kit's page is another one."""
    return lambda look: replace(look, kit={**look.kit, name: msgspec.structs.replace(look.kit[name], **other)})


TEXTS = [  # a device has some other text: by which rule it is found, and how it is said
    (SHOWN, "P1", WAITING, "", "asked", "P1 does not say who is waited for: ['P2', 'P3']"),
    (SHOWN, "onlooker", WAITING, "Waiting for P2", "asked", "onlooker waits for ['P2'], the board marks ['P2', 'P3']"),
    (SHOWN, "P2", "[1]", WAITING, "controls", "P2 is asked, and cannot answer"),
    (SHOWN, "P2", "P3 asked", "P3", "asked", "P2 marks ['P2'], the board ['P2', 'P3']"),
    (SHOWN, "P1", SENT, HAND, "by_hand", "['P1', 'P3'] are to press, the board marks ['P2', 'P3']"),
    (SHOWN, "display", "P3:", "P2 P3:", "by_hand", "['P3'] are to press, the display names ['P2', 'P3']"),
    (SHOWN, "display", "R2", "R3", "rounds", "round {'3'} on the display, {'2'} on the board"),
    (SHOWN, "spoken", "asked: P2, P3", "asked: P3", "asked", "spoken: ['P3'] asked, the board marks ['P2', 'P3']"),
    (SHOWN, "P3", "−1", "1", "points", "points: P3 {'P1': 4, 'P2': 4, 'P3': 1}, board {'P1': 4, 'P2': 4, 'P3': -1}"),
    (
        END,
        "P3",
        "The game is over.",
        "",
        "over",
        "over: ['board', 'onlooker', 'P1', 'P2', 'display'], not over: ['P3']",
    ),
    (
        END,
        "display",
        "28",
        "27",
        "points",
        "points: spoken {'P1': 4, 'P2': 28, 'P3': -1}, display [27], board {'P2': 28, 'P1': 4, 'P3': -1}",
    ),
    (SHOWN, "P1", "you P1", "", "headers", "P1: its header is of []"),
    (SHOWN, "P1", "you P1", "you P2", "headers", "P1: its header is of ['P2']"),
    (
        TIMED,
        "onlooker",
        "clock P3",
        "clock P1",
        "clocks",
        "onlooker: clocks of ['P2', 'P1'], on the board of ['P2', 'P3']",
    ),
    (TIMED, "display", "1:00", "", "clocks", "P1: clocks at [42000, 60000] ms, on the display at [42000]"),
    (
        TIMED,
        "display",
        "0:42",
        "0:44",
        "clocks",
        "board: clocks at [42000, 60000] ms, on the display at [44000, 60000]",
    ),
    (SHOWN, "display", "R2", "R2 0:10", "clocks", "P2: clocks at [] ms, on the display at [10000]"),
    (CLOSING, "P3", CLOSED, "", "closing", "P3 does not say that OK closes it"),
    (CLOSING, "onlooker", ", or on P1's phone", "", "closing", f"onlooker says {ON_KIT!r}, and ['P1'] can"),
    (CLOSING, "P1", KEY, CLOSED, "closing", "P1 can close it, and has no key"),
    (CLOSING, "P2", CLOSED, KEY, "closing", "P2 has the key, and ['P1'] can close it"),
    (CLOSING, "display", "OK, or on P1's phone", "", "closing", "the display does not say that a phone closes it, too"),
    (SHOWN, "display", "R2", "OK, or on P1's phone", "closing", "the display says that a phone closes it, too"),
    (SHOWN, "P1", SENT, CLOSED, "closing", "P1 says that all have answered"),
    (TABLE, "board", GO_ON, "", "nobody", "board does not say who answers"),
    (TABLE, "P2", GO_ON, "", "nobody", "P2 does not say who answers"),
    (TABLE, "P2", GO_ON, "A number has to be put right, on the kit or", "nobody", "P2 says that a number is wrong"),
    (TABLE, "P1", "[go on]", GO_ON, "named_phones", f"board says {GO_ON!r}, and P1 has no key"),
    (
        TABLE,
        "onlooker",
        "P1's",
        "P3's",
        "named_phones",
        f"onlooker says {GO_ON.replace('P1', 'P3')!r}, and P3 has no key",
    ),
]
PLANTED: list[tuple[Mapping[str, Sequence[str]], Change, str, str]] = [
    (SHOWN, lambda look: replace(look, answered=frozenset({"P2"})), "asked", "the board marks ['P2'], who answered"),
    (SHOWN, also("P2", WAITING), "controls", "P2 can answer, and waits for P2"),
    (SHOWN, also("P3", "clock P3 9000"), "clocks", "P3: clocks at [9000] ms, on the display at []"),
    (
        SHOWN,
        dome("P2", "scores", "P3", button="0"),
        "colours",
        "P2: P3 in scores has colour 0, not 2",
    ),
    (SHOWN, dome("P1", "waiting", "P2", button="2"), "colours", "P1: P2 in waiting has colour 2, not 1"),
    (
        SHOWN,
        dome("onlooker", "waiting", "P3", button="none"),
        "colours",
        "onlooker: P3 in waiting has colour none, not 2",
    ),
    (SHOWN, dome("board", "turn", "P2", button="0"), "colours", "board: P2 in turn has colour 0, not 1"),
    (SHOWN, dome("board", "order", "P3", button="0"), "colours", "board: P3 in order has colour 0, not 2"),
    (SHOWN, dome("P3", "you", "P3", button="0"), "colours", "P3: P3 in you has colour 0, not 2"),
    (TIMED, dome("P1", "clocks", "P2", button="0"), "colours", "P1: P2 in clocks has colour 0, not 1"),
    (SHOWN, dome("P3", "scores", "P1"), "uncoloured", "P3: ['P1'] in scores without a colour"),
    (SHOWN, dome("P1", "waiting", "P3"), "uncoloured", "P1: ['P3'] in waiting without a colour"),
    (SHOWN, dome("board", "turn", "P3"), "uncoloured", "board: ['P3'] in turn without a colour"),
    (SHOWN, dome("P3", "scores", "P1", colour="grey"), "painted", "painted: [('0', 'colour 0'), ('0', 'grey')]"),
    (
        SHOWN,
        painted_alike,
        "painted",
        "painted: [('0', 'colour 0'), ('1', 'colour 0')]",
    ),
    (SHOWN, strip({1}, {0}, {2}, set()), "strip", "strip: colours [1] in the piece of P1, who plays"),
    (SHOWN, strip({0}, {1}, set(), {2}), "strip", "strip: colours [2] in the piece of P4, who does not play"),
    (SHOWN, strip({0}, {1}, set(), set()), "strip", "strip: colours [] in the piece of P3, who plays"),
    (SHOWN, strip({0}, {0, 1}, {2}, set()), "strip", "strip: colours [0, 1] in the piece of P2, who plays"),
    (SHOWN, corner("P3", colour="colour 0"), "corners", "kit: P3 was painted colour 2, now colour 0"),
    (SHOWN, corner("P3", button="0"), "corners", "kit: P3 has colour 0"),
    (SHOWN, corner("P4", button="3"), "corners", "kit: P4 has colour 3"),
    (SHOWN, corner("P1", x=200.0), "corners", "kit: P1 was at 0, 7, now at 200, 7"),
    (TIMED, timed("P1"), "clocks", "P1: clocks of [], on the board of ['P2', 'P3']"),
    (TIMED, timed("P2", 42000, 57000), "clocks", "P2: clocks at [42000, 57000] ms, on the display at [42000, 60000]"),
    (TIMED, timed("board"), "clocks", "board: clocks at [] ms, on the display at [42000, 60000]"),
    (ALONE, nobodys_turn, "clocks", "the clock of P3, the board marks ['P2']"),
    (CLOSING, gone("board", "onlooker", "P2", "P3", text=CLOSED), "closing", "board does not say that OK closes it"),
    (CLOSING, lambda look: replace(look, closes=False), "closing", "P2 says that all have answered"),
    (TABLE, gone("board", "onlooker", text=GO_ON), "nobody", "onlooker does not say who answers"),
]


@pytest.mark.parametrize("shown", GAMES.values(), ids=GAMES)
def test_what_agrees_does_not_contradict_itself(shown: Mapping[str, Sequence[str]]) -> None:
    assert contradictions(look(shown)) == []


@pytest.mark.parametrize(("shown", "device", "text", "other", "rule", "found"), TEXTS)
def test_another_text_is_found(
    shown: Mapping[str, Sequence[str]], device: str, text: str, other: str, rule: str, found: str
) -> None:
    assert any(text in each for each in shown[device])
    there = by_rule(look(shown, device, text, other))
    assert ([*there], found in there.get(rule, ())) == ([rule], True), there


@pytest.mark.parametrize(("shown", "change", "rule", "found"), PLANTED)
def test_a_contradiction_is_found(shown: Mapping[str, Sequence[str]], change: Change, rule: str, found: str) -> None:
    there = by_rule(change(look(shown)))
    assert ([*there], found in there.get(rule, ())) == ([rule], True), there


def test_each_rule_has_something_to_find() -> None:
    assert {rule for *_, rule, _found in TEXTS} | {rule for *_, rule, _found in PLANTED} == {*ALWAYS, *IN_A_GAME}


def test_what_the_display_covers_for_a_moment_is_compared_later() -> None:
    assert contradictions(replace(timed("board")(look(TIMED)), covered=True)) != []
    assert contradictions(replace(look(TIMED, "display", "1:00", ""), covered=True)) == []


@pytest.mark.parametrize(
    ("lamp", "number"),
    [(shade(colour, percent), n) for n, colour in enumerate(SEATS) for percent in (FAINT, DIM, 100)]
    + [(shade(WHITE), MARK), (RED, MARK)],
)
def test_a_lamp_has_the_colour_of_one_button(lamp: Colour, number: int) -> None:
    assert colours_of([lamp, *[OFF] * 59], 4) == (frozenset({number}), frozenset(), frozenset(), frozenset())


# --- whole games ------------------------------------------------------------------------------------------------------


def agrees(found: Heard, *, strip: bool = True) -> None:
    """`strip`: whether it shows a piece for each button at some moments."""
    assert any(look.strip for look in found.looks) >= strip, SEED
    assert [*found.contradictions, *found.complaints] == [], SEED


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("kitty_paw", 3),
        pytest.param("cat_pageant", 4, marks=pytest.mark.nightly),
        pytest.param("if_it_fits", 3, marks=pytest.mark.nightly),
        pytest.param("pack_and_stack", 4, marks=pytest.mark.nightly),
        pytest.param("pack_the_essentials", 4, marks=pytest.mark.nightly),
    ],
)
def test_a_whole_game_does_not_contradict_itself(chromium: Browser, tmp_path: Path, game: str, players: int) -> None:
    asks_itself = game == "if_it_fits"  # who starts: its evening answers that
    first = 0 if asks_itself else Random(f"{SEED} {game}").randrange(players)
    found = heard(chromium, tmp_path, game, players, first)
    assert found.costs is not None
    alone, together = found.costs
    assert together.scores == alone.scores, SEED
    agrees(found)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("sheet", "players"),
    [
        ("turn_timer", 3),
        *(
            pytest.param(sheet, players, marks=pytest.mark.nightly)
            for sheet, players in {
                "wizard": 3,
                "hearts": 4,
                "skat_list": 3,
                "uno": 4,
                "molkky": 3,
                "yahtzee": 3,
                "tichu": 4,
                "chess_clock": 2,
                "reaction_duel": 3,
                "quiz_buzzer": 3,
            }.items()
        ),
    ],
)
def test_a_sheet_does_not_contradict_itself(chromium: Browser, tmp_path: Path, sheet: str, players: int) -> None:
    found = at_random(chromium, tmp_path, f"sheet:{sheet}", players, SEED)
    timed = any(one.kind == "clock" for look in found.looks for one in look.shown["board"])
    assert timed == sheet.endswith(("clock", "timer")), SEED
    agrees(found, strip=sheet != "wizard")  # which shows rounds all the time


@pytest.mark.nightly
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "players", "timer"),
    [
        ("cat_pageant", 4, "turn_timer_s"),
        ("if_it_fits", 3, "turn_timer_s"),
        ("pack_and_stack", 4, "loading_timer_s"),
        ("pack_the_essentials", 4, "turn_timer_s"),
    ],
)
def test_a_game_against_time_does_not_contradict_itself(
    chromium: Browser, tmp_path: Path, game: str, players: int, timer: str
) -> None:
    agrees(at_random(chromium, tmp_path, game, players, SEED, **{timer: 60}))
