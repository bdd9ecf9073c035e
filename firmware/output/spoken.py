"""Texts of display and strip for screen readers. Pure."""

import re
from collections.abc import Iterable, Sequence

from PIL import Image

from engine.rules import Board, Seat
from engine.words import N_
from firmware.messages import Flash, PhotoFinish, Words
from firmware.output import screens, strip_picture
from firmware.output.screens.canvas import lasting, longest, texts
from firmware.output.strip_picture import Light
from firmware.table.listing import Listing
from firmware.table.overlay import Overlay
from firmware.table.playing import Playing
from firmware.translation import LazyText, _, ngettext, translated

TOTAL = re.compile(r"(?<!\S)=(-?\d+)(?!\S)")  # as pictures write one where the word has no room
SIGNS = {"▲": N_("up "), "▼": N_("down "), "●": "", "○": "", "·": ""}  # else their Unicode names are read out


def words(
    top: Overlay | Playing, players: Sequence[str], picture: Image.Image, light: Light, evidence: PhotoFinish | None
) -> Words:
    """The words of a table: its top, the names of the players, and the picture on the display."""
    return Words(
        display=_sentences(texts(picture)),
        lasting=_sentences(lasting(picture)),
        question=question(top, players),
        chosen=chosen(top, players),
        asked=asked(top, players),
        verdict="" if evidence is None else ". ".join(evidence["verdict"]),
        strip=strip(light, players),
    )


def flashes(shown: Iterable[tuple[int, LazyText]]) -> list[Flash]:
    """What the display has shown for a moment, with its numbers."""
    return [Flash(number=number, text=_read(text.words())) for number, text in shown]


def question(top: Overlay | Playing, players: Sequence[str]) -> str:
    """The question and the names of those asked; empty where there is none."""
    if isinstance(top, Playing):
        return f"{screens.title(top.committed, tuple(players))} {_named(top.still_asked, players)}"
    return longest(top.heading()) if isinstance(top, Listing) else ""


def chosen(top: Overlay | Playing, players: Sequence[str]) -> str:
    """What OK takes, or who has entered what, or joined: a picture shows it by light alone."""
    if isinstance(top, Overlay):
        return _read(top.lit_in_words())
    if top.committed is not top.play:  # its question is not shown yet
        return ""
    return _read(screens.chosen(top.play, top.entry, tuple(players), knob=top.table.knob))


def asked(top: Overlay | Playing, players: Sequence[str]) -> str:
    """The players whose answer is missing."""
    if not isinstance(top, Playing) or not top.still_asked:
        return ""
    return _("asked: {names}", names=_named(top.still_asked, players))


def _sentences(each: Iterable[str]) -> str:
    return ". ".join(filter(None, map(_read, each)))


def _read(text: str) -> str:
    for sign, word in SIGNS.items():
        text = text.replace(sign, translated(word))
    text = TOTAL.sub(lambda found: _("total {total}", total=found[1]), text)
    return " ".join(text.split())


def strip(light: Light, players: Sequence[str]) -> str:
    """The meaning of the strip, in words; `players` are their names, by seat."""
    if light.asleep:
        return _("dark: the kit sleeps")
    lost = _("red at both ends: a part does not work. ") if light.lost else ""
    if light.board is not None:
        return lost + _of_game(light.board, players)
    return lost + (ngettext("{n} have joined", "{n} have joined", len(light.joined)) if light.joined else _("no game"))


def _of_game(board: Board, players: Sequence[str]) -> str:
    match strip_picture.subject(board):
        case "go":
            return _("all white: go")
        case "rounds":
            return screens.in_words(board)
        case "places":
            return _places(board, players) + _list(_("; asked: {names}"), board.turn, players)
        case "choosing":
            chosen = _places(board, players) if strip_picture.places_begun(board) else screens.in_words(board)
            return f"{chosen}; {_of_seats(board, players)}"
        case _:
            return _of_seats(board, players)


def _places(board: Board, players: Sequence[str]) -> str:
    return _(
        "in the order of play: {names}",
        names=", ".join(_("nobody") if seat is None else players[seat] for seat in board.order),
    )


def _of_seats(board: Board, players: Sequence[str]) -> str:
    marks, race = board.highlight, board.race
    parts: list[str] = []
    match board.shows:
        case "winners":
            parts.append(_list(_("{names} won"), marks.get("winner", ()), players))
            parts.append(_bars(board, players))
        case "points" | "result":
            parts.append(_bars(board, players))
        case "ready":
            away = marks.get("missing", ())
            jumped = () if race is None else race.jumped
            parts.append(_list(_("too early: {names}"), jumped, players))
            off = [seat for seat in away if seat not in jumped]
            parts.append(_list(_("no hand on the button: {names}"), off, players))
            ready = [seat for seat in range(len(players)) if seat not in away and seat not in jumped]
            parts.append(_list(_("ready: {names}"), ready, players))
        case _:
            for mark, text in (
                ("first", _("first: {names}")),
                ("tie", _("level: {names}")),
                ("last", _("last: {names}")),
            ):
                parts.append(_list(text, marks.get(mark, ()), players))
            named = {seat for mark in ("first", "tie", "last") for seat in marks.get(mark, ())}
            out = [seat for seat in strip_picture.unanswered(board) if seat not in named]
            parts.append(_list(_("not pressed yet: {names}"), out, players))
            parts.append(_list(_("asked: {names}"), board.turn, players))
    return "; ".join(filter(None, parts))


def _bars(board: Board, players: Sequence[str]) -> str:
    scores = (f"{name} {score}" for name, score in zip(players, board.scores, strict=True))
    return _("scores as bars: {scores}", scores=", ".join(scores))


def _list(text: str, seats: Iterable[Seat], players: Sequence[str]) -> str:
    """A text about seats; nothing where there are none."""
    names = _named(seats, players)
    return text.format(names=names) if names else ""


def _named(seats: Iterable[Seat], players: Sequence[str]) -> str:
    return ", ".join(players[seat] for seat in seats)
