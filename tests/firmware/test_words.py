"""All texts for people are marked for Babel; no word on a picture lacks a translation."""

import ast
import gettext
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest
from PIL import Image

from engine import games
from engine.play import Play
from firmware import translation as translating
from firmware.journal import sheet
from firmware.output import race_evidence, spoken
from firmware.output.screens import notices
from firmware.output.screens.canvas import texts
from firmware.output.screens.evidence import draw
from firmware.output.strip_picture import Light
from firmware.phones.signs import tag
from firmware.setup import strip_test
from scripts.generators import display_sheets, words
from tests.simulators import pixels

NAMES = ("x1", "x2", "x3", "x4", "x5", "x6")
EVERY = 3  # of the pictures of a game one in so many is read
# no words: the key, units, who stamped, levels in Roman numbers, a letter that is spelled
LEFT = re.compile(r"OK|us|µs|ms|s|kernel|virtual|I|II|III|[A-Z]")


@cache
def marked() -> frozenset[str]:
    """The texts that Babel finds; both forms of a plural."""
    found = [each.id for each in words.catalog()]
    return frozenset(text for each in found for text in ([each] if isinstance(each, str) else each))


class Crossed(gettext.NullTranslations):
    """A language in which every letter of a text that Babel finds is an x."""

    def gettext(self, message: str) -> str:
        crossed = re.sub(r"\{[^}]*\}|[^\W\d_]", lambda found: found[0] if found[0][0] == "{" else "x", message)
        return crossed if message in marked() else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def crossed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translating, "translations", Crossed())


def english(spoken_texts: Iterable[str]) -> set[str]:
    """The words that are not translated."""
    found = {word for text in spoken_texts for word in re.findall(r"[^\W\d_]+", text)}
    return {word for word in found if word.strip("xX") and not LEFT.fullmatch(word)}


def read(pictures: Iterable[Image.Image]) -> Iterator[str]:
    for picture in pictures:
        yield from texts(picture)


def in_state(play: Play, at_ns: int, seed: int) -> Iterator[str]:
    """The texts of a state of a game: on some of its pictures, of the strip, on the sheet."""
    yield from read(islice(pixels.in_game(play, at_ns, Random(seed), play.players), seed % EVERY, None, EVERY))
    yield from read(islice(pixels.beside(play, at_ns, {}, knob=True), seed % EVERY, None, EVERY))
    yield spoken.strip(Light(play.board), play.players)
    yield sheet.standing(play)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.usefixtures("crossed")
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.nightly)])  # states
@pytest.mark.parametrize("name", games.names())
def test_a_game_says_nothing_that_cannot_be_translated(name: str, every: int) -> None:
    rules, found = games.rules(name), set[str]()
    given = {"Sep", "Oct", *name.capitalize()[:14].split("_")}  # in lists: dates, a game that is not known any more
    for seed, options in enumerate(pixels.every_value(rules)):
        players = rules.seats[1] - seed % 2
        for number, (state, at_ns) in enumerate(pixels.states(rules, players, options, seed)):
            if number % every == seed % every:
                found |= english(in_state(replace(state, players=NAMES[:players]), at_ns, seed))
            given |= english(fancier.name for fancier in getattr(state.state, "known", ()))
    assert found - given == set()


@pytest.mark.usefixtures("crossed")
def test_no_verdict_says_anything_that_cannot_be_translated() -> None:
    found = [race_evidence.of(play, dict.fromkeys(NAMES, "kernel")) for _, play in display_sheets.races(NAMES)]
    judged = [each for each in found if each is not None and "ANNA" not in {row.name for row in each.rows}]
    spoken_texts = [*read(map(draw, judged)), *(text for each in judged for text in each.verdict)]
    assert english((*spoken_texts, *(race_evidence.notes(row) for each in judged for row in each.rows))) == set()


@pytest.mark.usefixtures("crossed")
def test_neither_a_menu_nor_the_last_picture_says_anything_that_cannot_be_translated() -> None:
    assert english(read(pixels.outside(NAMES, {0: "xx", 1: "xxxx"}, knob=True))) == set()
    pictures = (
        notices.goodbye(safe=True),
        notices.goodbye(safe=False),
        notices.goodbye(safe=True, stays=False),
        notices.void("x1"),
    )
    assert english(read(pictures)) == {"Lucky", "Paw"}


@pytest.mark.usefixtures("crossed")
def test_every_text_of_the_strip_test_is_translated() -> None:
    assert english(text for sight in strip_test.sights(NAMES[:3]) for text in sight[:2]) == set()


@pytest.mark.usefixtures("crossed")
def test_the_greeting_says_nothing_that_cannot_be_translated() -> None:
    assert english(read(pixels.greeting(NAMES))) == set()


@pytest.mark.usefixtures("crossed")
def test_what_phones_are_asked_for_says_nothing_that_cannot_be_translated() -> None:
    signs = english(("Lucky Paw WM", "http", "7F3K9Q", "7f3k-9qx-m4w", *map(tag, pixels.TIGER_HONEY_FLUFFY)))
    assert english(read(pixels.phones(NAMES[:4], {0: "xx", 1: "xxxx"}, knob=True))) - signs == set()


@pytest.mark.usefixtures("crossed")
def test_setting_up_says_nothing_that_cannot_be_translated() -> None:
    found = english(read(pixels.setting_up(NAMES[:4], knob=True, faults=False)))
    assert found - {"luckypaw"} == {"GPIO", "UTC", "RGB", "GRB", "Duo", "Table", "Party"}


PRINTED = {
    "print",
    "Failure",
    "TooCoarse",
    "BadCertificate",
    "say",
    "_say",
    "_ask",
    "message",
    "frame",
    "Sight",
    "SampleBoard",
}
HELP = {"help", "description", "metavar"}


def printed(tree: ast.AST) -> Iterator[ast.expr]:
    """Arguments of all calls that print, draw or fail, and the help of the parser."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if getattr(node.func, "id", getattr(node.func, "attr", "")) in PRINTED:
                yield from node.args
            yield from (keyword.value for keyword in node.keywords if keyword.arg in HELP)


def unmarked(node: ast.AST) -> Iterator[str]:
    """The texts with a word that are outside marks; comparisons and calls of functions print nothing themselves."""
    if isinstance(node, ast.Lambda | ast.Compare) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"[^\W\d_]{2}", node.value):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from unmarked(child)


def test_every_text_of_a_command_is_marked() -> None:
    folder = words.ROOT / "firmware"
    paths = (
        folder / "__main__.py",
        folder / "setup" / "certificate.py",
        folder / "setup" / "guided.py",
        *(folder / "cli").glob("*.py"),
    )
    found = {text for path in paths for given in printed(ast.parse(path.read_text())) for text in unmarked(given)}
    assert found == {"luckypaw: "}


def marks(tree: ast.AST) -> Iterator[tuple[int, list[ast.expr]]]:
    """Every place where something is marked: its line, and what it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in words.MARKS:
            yield node.lineno, node.args[: 2 if words.MARKS[node.func.id] else 1]


def hidden(tree: ast.AST) -> Iterator[int]:
    """The lines of marks that Babel does not find: of what is no plain text, or within an f-string."""
    for line, given in marks(tree):
        if not all(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in given):
            yield line
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (line for line, _ in marks(node))


def test_what_is_marked_is_a_plain_text() -> None:
    paths = [path for folder in words.FOLDERS for path in sorted((words.ROOT / folder).rglob("*.py"))]
    assert [f"{path}:{line}" for path in paths for line in hidden(ast.parse(path.read_text()))] == []


def test_babel_finds_what_is_marked_in_every_layer() -> None:
    layers = {
        "Pattern right?",  # a label
        "Box {number}: toys?",
        "Turn timer",  # an option
        "nothing to undo",
        "OK: for {name}",  # a picture
        "Fix points",  # a menu
        "saving takes long",  # a note
        "{name} first by {gap}",  # a verdict
        "dark: the kit sleeps",  # what is spoken
        "won by {names}",  # the score sheet
        "start the kit",  # help
        "this kit has no strip: its description has no [strip]",  # a failure
        "All right.",  # the check
        "{n} thing is to be mended: {parts}.",
        "the journal is gone: a new one is begun",  # a notice
        "+{n} cat",
        "+{n} cats",
        "{part} lost: GPIO {pin} is busy",  # a part
        "held down: shorted to ground, or wired to the wrong leg",  # a finding
        "not TOML: {error}{reason}",  # a description
        "Connection lost. Trying again…",  # the page
        "LED strip",  # its HTML
        "Join the table",  # a phone's
        "The address of this page's kit",  # what stands for a picture
        "On an iPhone: Cancel, then Use Without Internet.",  # the page of the Wi-Fi
        "Sep",  # a month
    }
    assert layers - marked() == set()
