"""What is changed about people and games, as data: a page or a phone sends an edit, `decide` says what comes of it.

It is done, refused in a line, or something is asked first, as on the kit. Whoever asks keeps nothing: an answer is the
edit again, with what has been agreed to by then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct, structs

from firmware.people.names import Person, cleaned, cleaned_latin, drawable, isolated, key
from firmware.people.notes import cleaned_day, cleaned_note
from firmware.translation import _, dated, translated

Id = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
Number = Annotated[int, Meta(ge=0, le=999_999_999)]
Text = Annotated[str, Meta(max_length=500)]
MAX_SEATS = 64
SEAT = re.compile(r"seat\d{1,2}", re.ASCII)  # the field of a form
DIGITS = re.compile(r"\d{1,9}", re.ASCII)

# what is agreed to
ANOTHER = "another"  # the name is known: this is somebody else
UNDRAWN = "undrawn"  # the display shows the button's label
MERGE = "merge"
FORGET, REALLY = "forget", "really"
AGREED = frozenset((ANOTHER, UNDRAWN, MERGE, FORGET, REALLY))


class Edit(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that is to be changed."""


class Add(Edit, frozen=True, tag="add"):
    """Somebody new."""

    name: Text
    latin: Text = ""


class Rename(Edit, frozen=True, tag="rename"):
    """Another name."""

    person: Id
    name: Text
    latin: Text = ""


class Short(Edit, frozen=True, tag="short"):
    """A short name in Latin letters for the display; empty for none."""

    person: Id
    latin: Text


class Count(Edit, frozen=True, tag="count"):
    """Whether somebody's games are in statistics."""

    person: Id
    counted: bool


class Merge(Edit, frozen=True, tag="merge"):
    """Two are the same person: all games of the first are the other's."""

    person: Id
    into: Id


class Forget(Edit, frozen=True, tag="forget"):
    """Somebody is to be forgotten."""

    person: Id


class Seats(Edit, frozen=True, tag="seats"):
    """Who sat where in a game."""

    game: Number
    people: Annotated[tuple[Id | None, ...], Meta(max_length=MAX_SEATS)]  # by seat; None: a guest


class Remark(Edit, frozen=True, tag="remark"):
    """A note to a game, and a day where the clock was wrong; empty for none."""

    game: Number
    note: Text
    day: Text


AnyEdit: TypeAlias = Add | Rename | Short | Count | Merge | Forget | Seats | Remark


class Do(NamedTuple):
    """It can be done, as it is here: its texts are in their normal form."""

    edit: AnyEdit


class Refused(NamedTuple):
    """It cannot be done."""

    line: str  # why, for people


class Choice(NamedTuple):
    """An answer to a question."""

    label: str
    edit: AnyEdit | None  # what is to be sent then; None: nothing is to be changed
    agreed: frozenset[str] = frozenset()
    person: str = ""  # whom it leads to where nothing is to be changed
    latin: bool = False  # a short name is entered with it


class Ask(NamedTuple):
    """Something is asked first. Besides the choices there is a way back that changes nothing."""

    title: str
    lines: tuple[str, ...]
    choices: tuple[Choice, ...]


class Done(NamedTuple):
    """It is done, and on the disk. Who has forgotten somebody is led to everybody."""

    person: str = ""  # the page that shows it
    game: int | None = None


Decision: TypeAlias = Do | Refused | Ask
Answer: TypeAlias = Done | Refused | Ask


def read(fields: Mapping[str, object]) -> AnyEdit:
    """An edit as a form or a message has it. Raises `ValueError` for what no page sends."""
    given = {name: value for name, value in fields.items() if not SEAT.fullmatch(name)}
    if len(given) < len(fields):  # a form has a field for each seat
        seats = [f"seat{n}" for n in range(len(fields) - len(given))]
        if not fields.keys() >= {*seats}:
            raise ValueError("seats")
        given["people"] = [fields[seat] or None for seat in seats]
    if isinstance(text := given.get("game"), str):
        if not DIGITS.fullmatch(text):
            raise ValueError("game")
        given["game"] = int(text)
    edit: AnyEdit = msgspec.convert(given, AnyEdit, strict=False)
    return edit


def agreed(text: str) -> frozenset[str]:
    """What has been agreed to, as a form has it."""
    return AGREED & frozenset(text.split())


def decide(
    edit: AnyEdit,
    persons: Sequence[Person],
    agreed: frozenset[str] = frozenset(),
    met: bool = False,
    sheets: Sequence[str] = (),
) -> Decision:
    """What comes of an edit. `persons`: all who are known. `met`: whether two who are to be merged sat in one game.

    `sheets`: the files of score sheets that have the name of who is to be forgotten.
    """
    known = {one.id: one for one in persons}
    person = known.get(getattr(edit, "person", None) or "")
    if person is None and not isinstance(edit, Add | Seats | Remark):
        return Refused(_("This person is not known any more."))
    try:
        match edit:
            case Add() | Rename():
                return _named(edit, persons, agreed)
            case Short(latin=latin):
                return Do(structs.replace(edit, latin=cleaned_latin(latin)))
            case Merge(into=into):
                return _merged(edit, person, known.get(into), agreed, met)
            case Forget():
                return _forgotten(edit, person, agreed, sheets)
            case Seats(people=people):
                return _seated(edit, [known.get(id_) for id_ in people if id_ is not None])
            case Remark(note=note, day=day):
                return Do(structs.replace(edit, note=cleaned_note(note), day=cleaned_day(day)))
            case _:
                return Do(edit)
    except ValueError as error:
        return Refused(translated(str(error)))


def _seated(edit: Seats, people: Sequence[Person | None]) -> Decision:
    for n, one in enumerate(people):
        if one is None:
            return Refused(_("Somebody of these is not known any more."))
        if one in people[:n]:
            return Refused(_("{name} cannot sit on two seats.", name=isolated(one.name)))
    return Do(edit)


def _named(edit: Add | Rename, persons: Sequence[Person], agreed: frozenset[str]) -> Decision:
    edit = structs.replace(edit, name=cleaned(edit.name), latin=cleaned_latin(edit.latin))
    name, own = isolated(edit.name), edit.person if isinstance(edit, Rename) else ""
    alike = [one for one in persons if key(one.name) == key(edit.name) and one.id != own]
    if alike and ANOTHER not in agreed:
        same = [
            Choice(
                _("The same person: {name}", name=isolated(one.name)),
                Merge(own, one.id) if own else None,
                person=one.id,
            )
            for one in alike
        ]
        others = " ".join(dict.fromkeys(isolated(one.name) for one in alike))
        line = _("{others} is known. Is {name} the same person, or another one?", others=others, name=name)
        return Ask(_("ONE PERSON OR TWO?"), (line,), (*same, Choice(_("Another person"), edit, agreed | {ANOTHER})))
    if not Person("", edit.name, edit.latin).drawn and UNDRAWN not in agreed:
        lines = (
            _("The display cannot draw {name}.", name=name),
            _("It shows a short name in Latin letters instead, or without one the label of the button."),
        )
        short = Choice(_("Take the short name"), edit, agreed, latin=True)
        return Ask(_("A SHORT NAME?"), lines, (short, Choice(_("Without a short name"), edit, agreed | {UNDRAWN})))
    return Do(structs.replace(edit, latin="") if drawable(edit.name) else edit)


def _merged(edit: Merge, one: Person | None, other: Person | None, agreed: frozenset[str], met: bool) -> Decision:
    if one is None or other is None or one == other:
        return Refused(_("Nobody else of this name is known any more."))
    names = {"one": isolated(one.name), "other": isolated(other.name)}
    if met:
        return Refused(_("{one} and {other} sat in the same game, so they are two.", **names))
    if MERGE not in agreed:
        lines = (
            _("All games of {one} become games of {other}.", **names),
            _("The name {one} goes. It cannot be undone.", **names),
        )
        return Ask(_("THE SAME PERSON?"), lines, (Choice(_("They are one person"), edit, agreed | {MERGE}),))
    return Do(edit)


def _forgotten(edit: Forget, one: Person | None, agreed: frozenset[str], sheets: Sequence[str]) -> Decision:
    name = "" if one is None else isolated(one.name)
    if FORGET not in agreed:
        line = _("The name {name} goes from everything in the kit. All games stay, without the name.", name=name)
        return Ask(_("FORGET?"), (line,), (Choice(_("Forget {name}", name=name), edit, agreed | {FORGET}),))
    if REALLY not in agreed:
        found = _(
            "Score sheets with the name: {files}. Remove them by hand, or the name in them.", files=", ".join(sheets)
        )
        lines = (
            _("It cannot be undone."),
            *((found,) if sheets else ()),
            _("Notes to games may have a former name or a nickname: look after them yourself."),
            _("Backups, exports and people.txt are elsewhere: look after them yourself."),
        )
        return Ask(_("REALLY?"), lines, (Choice(_("Forget {name}", name=name), edit, agreed | {REALLY}),))
    return Do(edit)


def described(edit: AnyEdit, persons: Sequence[Person]) -> str:
    """An edit in a line, as the display draws it: for whoever confirms it."""
    known = {one.id: one.drawn or _("(other letters)") for one in persons}

    def called(id_: str | None) -> str:
        return _("guest") if id_ is None else known.get(id_, "?")

    match edit:
        case Add(name, latin):
            return _("new name: {name}", name=Person("", name, latin).drawn or _("(other letters)"))
        case Rename(person, name, latin):
            new = Person("", name, latin).drawn or _("(other letters)")
            return _("{name}: rename to {new}", name=called(person), new=new)
        case Short(person, latin):
            return _("{name}: on the display {latin}", name=called(person), latin=latin or "-")
        case Count(person, counted):
            text = _("{name}: statistics yes") if counted else _("{name}: statistics no")
            return text.format(name=called(person))
        case Merge(person, into):
            return _("{name} is {other}", name=called(person), other=called(into))
        case Forget(person):
            return _("forget {name}", name=called(person))
        case Seats(game, people):
            return _("game {game}: {names}", game=game, names=" ".join(map(called, people)))
        case Remark(game, _note, day):
            on = dated(date.fromisoformat(day)) if day else _("no date")
            return _("game {game}: note, {day}", game=game, day=on)
