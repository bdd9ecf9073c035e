"""Pictures of 128x64 pixels from the state of a game: pure functions, one file for each game with its own pictures."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from PIL import Image

from engine import games
from engine.face import USUAL, Who
from engine.game import Over
from engine.play import Play
from engine.rules import Board, Seat
from firmware.output.screens import face, templates
from firmware.output.screens.canvas import Text, longest
from firmware.output.screens.face import Drawings
from firmware.output.screens.font import SIZES, font
from firmware.output.screens.templates import generic
from firmware.output.screens.view import View, number, titles
from firmware.table import question
from firmware.table.question import EMPTY, Entry
from firmware.translation import _, language, translated


@cache
def _drawings(game: str) -> Drawings:
    """The pictures that only this game has, by question: `DRAWINGS` in the file with its name."""
    name = f"{__name__}.{game}"
    if find_spec(name) is None:
        return {}
    own: Drawings = import_module(name).DRAWINGS
    return own


def load() -> None:
    """Load fonts and pictures now, and not when they are drawn for the first time. Any thread."""
    for name in games.names():
        _drawings(name)
    for size in SIZES:
        font(size)


def draw(
    play: Play,
    entry: Entry = EMPTY,
    now_ns: int = 0,
    *,
    knob: bool = True,
    dead: tuple[Seat, ...] = (),
    void: bool = False,
    names: tuple[str, ...] = (),
    away: frozenset[Seat] = frozenset(),
    phone: str = "",
    fits: bool = False,
    reads: list[int] | None = None,
) -> Image.Image:
    """The picture of a game: the same for the same arguments, on any machine.

    `dead`: seats without a live button. `void`: by holding, a press of the race that is over is still taken back.
    `names`: by seat the player's name, or the button's label; nothing: labels only. `away`: seats that are asked, and
    whose phone is asleep. `phone`: by which OK may be said now, too. `fits`: what was wrong with the numbers is right
    again. `reads` gets the time, each time that it was read.
    """
    names = () if names == play.players else names
    asked, reads = question.of(play.offers, entry.picked), [] if reads is None else reads
    view = View(play, asked, entry, now_ns, knob, dead, void, names, away, phone, reads=reads)
    if play.ended:
        return generic(view)
    ask = play.state.ask.standing(play.state)
    told = ask.face(play.state)._replace(wrong="") if fits else ask.face(play.state)
    if isinstance(ask, Over) and (told == USUAL or (view.question.kind is question.Kind.OVER and not told.big)):
        return generic(view, face.shown(view, told.right))
    return face.draw(view, ask, told, _drawings(play.rules.name))


class KeptPictures:
    """The latest picture of a game in each language: it stands until something that it was drawn from changes."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[Play, Entry, dict[str, Any], Image.Image]] = {}

    def draw(self, play: Play, entry: Entry, now_ns: int, **shown: Any) -> Image.Image:
        """As `draw`. A picture that shows the time is not kept: in a race there is another one every 100 ms."""
        kept = self._kept.get(language())
        if kept is not None and kept[0] is play and kept[1] is entry and kept[2] == shown:
            return kept[3]
        reads = list[int]()
        picture = draw(play, entry, now_ns, reads=reads, **shown)
        if not reads:
            self._kept[language()] = play, entry, shown, picture
        return picture


def flash(play: Play, now_ns: int, names: tuple[str, ...] = ()) -> str:
    """What the display shows for a moment and no longer, as a race has begun; else nothing."""
    if play.over:
        return ""
    view = View(play, question.of(play.offers), EMPTY, now_ns, knob=True, names=names)
    return face.flash(view, play.rules.face(play.state))


def said(play: Play, names: tuple[str, ...] = ()) -> list[str]:
    """What people are told besides the question, in sentences; nothing once the game is over."""
    return [text if isinstance(text, str) else text[0] for text in sentences(play, names)]


def sentences(play: Play, names: tuple[str, ...] = ()) -> list[Text]:
    """The same, each as long as it may be or shorter: a display shows the first that fits."""
    if play.over:
        return []
    view = View(play, question.of(play.offers), EMPTY, 0, knob=True, names=names)
    return face.sentences(view, play.rules.face(play.state))


def wrong(play: Play, names: tuple[str, ...] = ()) -> str:
    """Why the same is asked again, in a sentence; empty where it is not, and once the game is over."""
    if play.over:
        return ""
    view = View(play, question.of(play.offers), EMPTY, 0, knob=True, names=names)
    return longest(face.shown(view, play.rules.face(play.state).wrong))


def beside(play: Play, names: tuple[str, ...] = ()) -> list[str]:
    """By seat what the display shows below its score once a round is counted: the points of it; empty: nothing."""
    nothing = [""] * len(play.players)
    view = View(play, question.of(play.offers), EMPTY, 0, knob=True, names=names)
    if play.over or view.question.kind is not question.Kind.CONFIRM:
        return nothing
    told = play.rules.face(play.state)
    of_scores = told.values in ((), tuple(map(str, play.scores)))
    return [longest(face.shown(view, one)) for one in told.below] if told.below and of_scores else nothing


def where(play: Play, names: tuple[str, ...] = ()) -> list[str]:
    """Where the game stands, as the status row says it, the game's title left out; nothing once it is over."""
    if play.over:
        return []
    view = View(play, question.of(play.offers), EMPTY, 0, knob=True, names=names)
    texts = [text for text in face.status(view, play.rules.face(play.state)) if text != titles(play.rules)]
    return [in_words(play.board) if text == number(view) else longest(text) for text in texts if text]


def in_words(board: Board) -> str:
    """The round of a game, in words."""
    if board.rounds is None:
        return _("round {round}", round=board.round)
    return _("round {round} of {rounds}", round=board.round, rounds=board.rounds)


def title(play: Play, names: tuple[str, ...] = ()) -> str:
    """The question that is open, in words; empty where there is none."""
    return own_title(play, names) or View(play, question.of(play.offers), EMPTY, 0, knob=True).title


def chosen(play: Play, entry: Entry, names: tuple[str, ...] = (), *, knob: bool = True) -> str:
    """What OK takes, or the number that was entered last and whose it is; nothing where neither is there."""
    if play.over:
        return ""
    view = View(play, question.of(play.offers, entry.picked), entry, 0, knob, names=names)
    return templates.lit_in_words(view)


def own_title(play: Play, names: tuple[str, ...] = ()) -> str:
    """The same with names, where the question names players instead of its label."""
    if play.over:
        return ""
    view = View(play, question.of(play.offers), EMPTY, 0, knob=True, names=names)
    return longest(face.own_title(view, play.rules.face(play.state)))


def named(text: str, names: Sequence[str]) -> str:
    """A text of the rules, with names for the seats in it."""

    def value(one: object) -> object:
        if isinstance(one, Who):
            return one.between.join(names[seat] for seat in one)
        return translated(one) if isinstance(one, str) else one

    return translated(text, value)
