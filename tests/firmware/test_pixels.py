"""Every picture, with the longest names: no text is cut, none meets another, and all can be read from afar."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from PIL import Image

from engine import games
from engine.game import Corrected, Rules
from engine.play import Ended
from engine.rules import option_says, option_values
from firmware.output.screens import notices
from firmware.output.screens.canvas import FOOT_PX, HEIGHT_PX, WIDTH_PX, Canvas, Misfit, Role, texts, width_px, words
from firmware.output.screens.font import FOOT, HEADLINES, PLAIN, SMALL, font
from firmware.output.screens.menus import message
from hardware.config import TABLE, ControlConfig, KitConfig
from scripts.generators import display_sheets
from tests.firmware.person import Person, Table
from tests.simulators import evenings, pixels
from tests.simulators.machine_for_doctor import KIT
from tests.simulators.rig import Rig

pytestmark = pytest.mark.slow

LETTERS, PEOPLE = (2, pixels.longest_name()), pixels.PEOPLE
MIN_HEADLINE = 10  # arc minutes
MIN_FOOT = {"2.42 inch": 10, "0.96 inch": 8}


class CalledRig(Rig):
    """A table whose players have other names; whoever plays still calls them P1, P2 and so on."""

    def __init__(self, state: Path, config: KitConfig) -> None:
        self._names = config.names
        super().__init__(state, config)

    def button(self, name: str) -> str:
        return self._names[int(name[1:]) - 1]

    def edge(self, name: str, *, down: bool) -> None:
        super().edge(self.button(name), down=down)


def called(config: KitConfig, letters: int, **parts: Any) -> KitConfig:
    """A kit whose players have names of so many letters."""
    names = pixels.names(letters, len(config.players))
    players = tuple(structs.replace(one, name=name) for one, name in zip(config.players, names, strict=True))
    return structs.replace(config, players=players, **parts)


def every(rules: Rules[Any, Any]) -> Iterator[tuple[Any, int, int, int]]:
    """Options, players, letters of a label and of a name for the games that are looked at: all values of each."""
    fewest, most = rules.seats
    options = pixels.every_value(rules)
    for n in range(max(len(options), most - fewest + 1)):
        players = fewest + n % (most - fewest + 1)
        yield options[n % len(options)], players, LETTERS[n % len(LETTERS)], PEOPLE[n % len(PEOPLE)]


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", games.names())
def test_every_text_of_a_game_fits(name: str, step: int) -> None:
    rules = games.rules(name)
    for seed, (options, players, letters, people) in [*enumerate(every(rules))][::step]:
        called, persons = pixels.names(letters, players), pixels.persons(people, players)
        for _ in pixels.found(called, rules, options, seed, persons):
            pass


@pytest.mark.parametrize("control", ["knob", "buttons"])
@pytest.mark.parametrize("name", ["cat_pageant", "if_it_fits", "kitty_paw", "pack_and_stack", "pack_the_essentials"])
def test_every_text_of_an_evening_fits(name: str, control: str, tmp_path: Path) -> None:
    parts = {"control": ControlConfig("buttons", up=17, down=27, ok=24)} if control == "buttons" else {}
    rig = CalledRig(tmp_path, called(TABLE, pixels.longest_name(), **parts))
    getattr(evenings, name)(rig)
    rig.close()


@pytest.mark.parametrize("knob", [True, False], ids=["knob", "arrows"])
@pytest.mark.parametrize("people", PEOPLE)
@pytest.mark.parametrize(("letters", "players"), list(product(LETTERS, (2, 4, 6))))
def test_every_text_outside_a_game_fits(letters: int, players: int, people: int, knob: bool) -> None:
    called, persons = pixels.names(letters, players), pixels.persons(people, players)
    assert all(texts(picture) for picture in pixels.outside(called, persons, knob=knob))


@pytest.mark.parametrize("knob", [True, False], ids=["knob", "arrows"])
@pytest.mark.parametrize(("letters", "players"), list(product(LETTERS, (2, 4, 6))))
def test_every_text_of_setting_up_fits(letters: int, players: int, knob: bool) -> None:
    assert all(texts(picture) for picture in pixels.setting_up(pixels.names(letters, players), knob=knob))


@pytest.mark.parametrize("knob", [True, False], ids=["knob", "arrows"])
@pytest.mark.parametrize("people", PEOPLE)
@pytest.mark.parametrize(("letters", "players"), list(product(LETTERS, (2, 4, 6))))
def test_every_text_about_phones_fits(letters: int, players: int, people: int, knob: bool) -> None:
    called, persons = pixels.names(letters, players), pixels.persons(people, players)
    assert all(texts(picture) for picture in pixels.phones(called, persons, knob=knob, ids=pixels.WOMBATS))


@pytest.mark.parametrize(("letters", "players"), list(product(LETTERS, range(2, 7))))
def test_every_text_of_the_greeting_fits(letters: int, players: int) -> None:
    assert all(texts(picture) for picture in pixels.greeting(pixels.names(letters, players)))


@pytest.mark.parametrize("letters", LETTERS)
def test_every_text_of_the_evidence_fits(letters: int) -> None:
    for _, play in display_sheets.races(pixels.names(letters, 6)):
        assert texts(display_sheets.judged(play))


@pytest.mark.parametrize("letters", LETTERS)
def test_every_text_of_the_guided_check_fits(letters: int) -> None:
    first, second, third = pixels.names(letters, 3)
    crossed = Table(wires={first: second, second: first, third: None}, hears=False)
    for table in (Table(), crossed):
        person = Person(table, called(KIT, letters))
        assert person.findings() and person.pictures


@pytest.mark.parametrize(
    "text",
    [
        "P1 works again",
        "NOT SAVED: database or disk is full. The game goes on",
        "display 0x3c on I2C bus 1: no answer; plug it in, it is taken back by itself",
        f"{'/dev/serial/by-id/usb-Raspberry_Pi_Pico_E6614C311B4B9A2D-if00'}: cannot be opened " * 4,
    ],
)
def test_a_note_of_any_length_fits(text: str) -> None:
    assert texts(notices.noted(notices.goodbye(safe=True), text))


@pytest.mark.parametrize("words", [1, 4, 6, 12, 100])
def test_a_note_leaves_the_bottom_row_that_says_what_to_do(words: int) -> None:
    picture = message("ROUND 1", "P1", ("a line", "another"), ("press yours", "OK: go on"))
    bottom = (0, FOOT_PX, WIDTH_PX, HEIGHT_PX)
    noted = notices.noted(picture, "P3 works again " * words)
    assert noted.crop(bottom).tobytes() == picture.crop(bottom).tobytes()


def test_a_short_note_stands_in_the_top_row() -> None:
    noted = notices.noted(message("ROUND 1", "P1", (), ("press yours", "OK: go on")), "P3 works again")
    assert texts(noted) == ("P1", "press yours", "OK: go on", "P3 works again")


def test_a_text_too_long_for_the_picture_says_that_it_goes_on() -> None:
    assert texts(notices.stands("word " * 100))[-1].endswith("...")


@pytest.mark.parametrize("name", games.names())
def test_every_option_has_a_title_and_its_values_words(name: str) -> None:
    keys = [
        f"{option.name} = {value}"
        for option in fields(games.rules(name).options)
        for value in option_values(option, programs=False)
        if not option.metadata["title"] or "_" in option_says(option, value)
    ]
    assert keys == []


@pytest.mark.parametrize("name", games.names())
def test_back_has_room_for_the_label_of_every_event(name: str) -> None:
    events: tuple[Any, ...] = (*games.rules(name).events, Corrected, Ended)
    labels = {event.label for event in events}
    assert {label for label in labels if width_px(f"redo: {label}", SMALL) > WIDTH_PX} == set()


def looked_at() -> Iterable[Image.Image]:
    """Pictures of every kind, one game of each."""
    for rules in map(games.rules, games.names()):
        yield from pixels.found(pixels.names(2, rules.seats[1]), rules, rules.options(), 1, {})
    yield from pixels.outside(pixels.names(2, 4), {}, knob=True)


@pytest.fixture(scope="module")
def cap_px() -> dict[Role, int]:
    """The smallest capitals in which something of each kind is written anywhere."""
    found: dict[Role, int] = {}
    for picture in looked_at():
        for word in words(picture):
            found[word.role] = min(font(word.size).cap_px, found.get(word.role, 99))
    return found


@pytest.mark.parametrize("panel", pixels.PITCH_MM)
def test_headlines_are_read_from_the_far_side_of_the_table(cap_px: dict[Role, int], panel: str) -> None:
    assert pixels.arc_minutes(cap_px[Role.HEADLINE], panel, pixels.FAR_M[panel]) >= MIN_HEADLINE


@pytest.mark.parametrize("panel", pixels.PITCH_MM)
def test_the_bottom_row_is_read_from_ones_seat(cap_px: dict[Role, int], panel: str) -> None:
    assert pixels.arc_minutes(cap_px[Role.FOOT], panel, pixels.NEAR_M[panel]) >= MIN_FOOT[panel]


def test_every_picture_of_a_game_has_a_headline() -> None:
    rules = games.rules("kitty_paw")
    for picture in pixels.found(pixels.names(2, 4), rules, rules.options(), 1, {}):
        headlines = [word for word in words(picture) if word.role is Role.HEADLINE]
        assert headlines, texts(picture)


def draw(calls: Iterable[tuple[Any, ...]]) -> None:
    """Call these methods of a canvas, one after the other."""
    canvas = Canvas()
    for name, *given in calls:
        getattr(canvas, name)(*given)


FAULTS: dict[str, tuple[tuple[tuple[Any, ...], ...], str]] = {
    "a text wider than its column": ((("centre", 26, 25, 20, "yellow"),), "'yellow' is cut"),
    "a text over another": (
        (("text", 0, 10, "Pack the Essentials"), ("text", 80, 10, "P1 P2")),
        "'P1 P2' meets 'Pack the Essentials'",
    ),
    "a text that touches another": ((("text", 0, 10, "green"), ("text", 25, 10, "yellow")), "'yellow' meets 'green'"),
    "a text that melts into the bottom row": (
        (("text", 0, 50, "yes", PLAIN), ("foot", "turn, OK"), ("picture",)),
        "'yes' is covered",
    ),
    "two ends of a row that do not both fit": (
        (("foot", "somebody has to press a button", "OK: go on"), ("picture",)),
        "'somebody has to press a button' is cut",
    ),
    "a character that the font lacks": ((("text", 0, 10, "≥ 97"),), "the font lacks ≥"),
}


@pytest.mark.parametrize(("drawn", "fault"), FAULTS.values(), ids=FAULTS)
def test_it_is_a_fault(drawn: tuple[tuple[Any, ...], ...], fault: str) -> None:
    with pytest.raises(Misfit, match=fault):
        draw(drawn)


def test_at_the_table_a_text_that_does_not_fit_is_drawn_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Canvas, "strict", False)
    canvas = Canvas()
    canvas.centre(26, 25, 20, "yellow")
    box = canvas.picture().getbbox()
    assert box is not None and (box[0], box[2]) == (26, 51)


def test_of_several_texts_the_first_that_fits_is_drawn() -> None:
    canvas = Canvas()
    canvas.centre(0, 30, 20, ("yellow boxes", "yellow", "y"))
    assert texts(canvas.picture()) == ("yellow",)


def test_a_picture_says_its_texts_in_the_order_in_which_they_are_read() -> None:
    canvas = Canvas()
    canvas.foot("turn, OK", "hold OK:back")
    canvas.headline("P1")
    canvas.status("ROUND 1", "pile 36")
    assert texts(canvas.picture()) == ("ROUND 1", "pile 36", "P1", "turn, OK", "hold OK:back")


def test_capitals_of_headlines_are_18_px_tall_at_least_and_of_the_bottom_row_7() -> None:
    assert min(font(size).cap_px for size in HEADLINES) >= 18
    assert (font(SMALL).cap_px, font(FOOT).cap_px) == (6, 7)


@pytest.mark.parametrize(("most", "lines"), [(3, ["one", "two", "three"]), (2, ["one", "tw..."])])
def test_a_text_of_too_many_lines_ends_with_dots(most: int, lines: list[str]) -> None:
    assert notices.wrap("one two three", 5, most) == lines
