"""Forms of edits for pages without script, and the pages that ask or refuse: plain HTML, every text escaped."""

from collections.abc import Iterable, Mapping

from firmware.markup import Markup, Part, html, page, said
from firmware.people.edits import Add, AnyEdit, Ask, Count, Done, Forget, Merge, Refused, Remark, Rename, Seats, Short
from firmware.people.names import MAX_CODES
from firmware.people.notes import MAX_NOTE_CODES
from firmware.translation import _

LATIN = "latin"


def page_of(edit: AnyEdit) -> str:
    """Where an edit is made, and where a form sends it."""
    match edit:
        case Add():
            return "/people"
        case Seats(game) | Remark(game):
            return f"/games/{game}"
        case Rename(person) | Short(person) | Count(person) | Merge(person) | Forget(person):
            return f"/people/{person}"


def shown_at(done: Done) -> str:
    """The page that shows what was done."""
    if done.game is not None:
        return f"/games/{done.game}"
    return f"/people/{done.person}" if done.person else "/people"


def label_of(edit: AnyEdit) -> str:
    """What the button of its form says."""
    match edit:
        case Add():
            return _("Add")
        case Rename():
            return _("Rename")
        case Count(counted=counted):
            return _("Count these games again") if counted else _("Leave out of statistics")
        case Merge():
            return _("Merge")
        case Forget():
            return _("Forget")
        case Seats():
            return _("Save the seats")
        case Short() | Remark():
            return _("Save")


def form(
    edit: AnyEdit, label: Part = None, agreed: frozenset[str] = frozenset(), *, fields: Mapping[str, Part] | None = None
) -> Markup:
    """A form that sends this edit. `fields`: those that are shown, by name; else all its texts."""
    shown = texts(edit) if fields is None else fields
    sent = _values(edit) | ({"agreed": " ".join(sorted(agreed))} if agreed else {})
    hidden = [html("input", type="hidden", name=name, value=sent[name]) for name in sent if name not in shown]
    button = html("button", label or label_of(edit))
    return html("form", hidden, shown.values(), button, method="post", action=page_of(edit), autocomplete="off")


def _values(edit: AnyEdit) -> dict[str, str]:
    """What a form of an edit sends, beside the address."""
    match edit:
        case Add(name, latin):
            return {"do": "add", "name": name, LATIN: latin}
        case Rename(_person, name, latin):
            return {"do": "rename", "name": name, LATIN: latin}
        case Short(_person, latin):
            return {"do": "short", LATIN: latin}
        case Count(_person, counted):
            return {"do": "count", "counted": "true" if counted else "false"}
        case Merge(_person, into):
            return {"do": "merge", "into": into}
        case Forget():
            return {"do": "forget"}
        case Seats(_game, people):
            return {"do": "seats"} | {f"seat{n}": id_ or "" for n, id_ in enumerate(people)}
        case Remark(_game, note, day):
            return {"do": "remark", "note": note, "day": day}


def texts(edit: AnyEdit) -> dict[str, Part]:
    """The fields for its texts, by name."""
    match edit:
        case Add(name) | Rename(name=name):
            return {"name": _field(_("Name"), name="name", value=name, maxlength=MAX_CODES, required="")}
        case Short(latin=latin):
            return {LATIN: _latin(latin)}
        case Remark(note=note, day=day):
            says = _("Date, where the clock was wrong")
            return {
                "note": _field(
                    _("Note, up to 200 characters"), name="note", value=note, maxlength=MAX_NOTE_CODES, size=40
                ),
                "day": _field(says, type="date", name="day", value=day, placeholder="2026-11-27"),
            }
        case _:
            return {}


def _field(label: str, **attributes: str | float) -> Markup:
    return html("label", label, " ", html("input", **attributes))


def _latin(value: str, **more: str) -> Markup:
    says = _("On the display, in Latin letters")
    return _field(says, name=LATIN, value=value, maxlength=MAX_CODES, **more)


def question(edit: AnyEdit, asks: Ask, known: Iterable[str] = ()) -> Markup:
    """The page that asks: a form for each choice, and the way back. `known`: the names of everybody."""
    names = _names(edit, known)
    forms: list[Part] = []
    for choice in asks.choices:
        if choice.edit is None:
            forms.append(html("p", html("a", said(choice.label, names), href=f"/people/{choice.person}")))
        else:
            fields = {LATIN: _latin("", required="")} if choice.latin else {}
            forms.append(form(choice.edit, said(choice.label, names), choice.agreed, fields=fields))
    lines = [html("p", said(line, names)) for line in asks.lines]
    return _page(asks.title, lines, forms, _back(edit, _("Back, change nothing")))


def refusal(edit: AnyEdit, refused: Refused, agreed: frozenset[str] = frozenset(), known: Iterable[str] = ()) -> Markup:
    """The page that says why not; what was entered still stands in the form. `known`: the names of everybody."""
    fields = texts(edit)
    if isinstance(edit, Add | Rename) and edit.latin:
        fields[LATIN] = _latin(edit.latin)
    says = html("p", said(refused.line, _names(edit, known)), class_="refused", role="alert")
    return _page(
        _("Not changed"), says, form(edit, agreed=agreed, fields=fields) if fields else None, _back(edit, _("Back"))
    )


def _names(edit: AnyEdit, known: Iterable[str]) -> tuple[str, ...]:
    """The names that may stand in what is said of an edit."""
    return (*known, edit.name.strip()) if isinstance(edit, Add | Rename) else tuple(known)


def waiting(line: str, says: str, again: str) -> Markup:
    """The page that waits for OK at the kit. `line`: the edit; `again`: this page's address."""
    return _page(
        _("OK at the kit?"),
        html("p", line, translate="no"),
        html("p", says),
        html("p", html("a", _("Look again"), href=again)),
    )


def unsaved(edit: AnyEdit) -> Markup:
    """The page that says that storage fails or is slow."""
    says = _("This is not saved yet: the kit goes on trying. Look again in a moment.")
    return _page(_("Not saved yet"), html("p", says, class_="refused", role="alert"), _back(edit, _("Look again")))


def _back(edit: AnyEdit, label: str) -> Markup:
    return html("p", html("a", label, href=page_of(edit)))


def _page(title: str, *parts: Part) -> Markup:
    return page(title, html("div", parts, class_="asks"))
