"""Forms of wishes for pages without script, and the pages that ask or refuse: plain HTML, every text escaped."""

import secrets
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import structs

from firmware.markup import Markup, Part, html, page, said
from firmware.people.names import MAX_CODES
from firmware.people.notes import MAX_NOTE_CODES
from firmware.translation import _, translated
from firmware.wishes.people import LATIN, Forget
from firmware.wishes.who_may_wish import AnyWish
from firmware.wishes.wish import AskFirst, Denied, Done


def shown_at(done: Done) -> str:
    """The page that shows what was done."""
    if done.game is not None:
        return f"/games/{done.game}"
    return f"/people/{done.person}" if done.person else "/people"


def form(wish: AnyWish, label: Part = None, *, fields: Mapping[str, Part] | None = None) -> Markup:
    """A form that sends this wish. `fields`: those that are shown, by name; else all that people type."""
    shown = texts(wish) if fields is None else fields
    sent = _values(wish).items()
    hidden = [html("input", type="hidden", name=name, value=value) for name, value in sent if name not in shown]
    button = html("button", label or translated(wish.label), class_="forget" if isinstance(wish, Forget) else None)
    return html("form", hidden, shown.values(), button, method="post", action=wish.page, autocomplete="off")


def _values(wish: AnyWish) -> dict[str, str]:
    """What a form of a wish sends, beside the address."""
    fields = msgspec.to_builtins(wish)
    fields |= {f"seat{seat}": one or "" for seat, one in enumerate(fields.pop("people", ()))}
    sent = {name: value for name, value in fields.items() if name not in ("person", "game")}
    return {name: one if isinstance(one, str) else msgspec.json.encode(one).decode() for name, one in sent.items()}


def texts(wish: AnyWish) -> dict[str, Part]:
    """The fields for what people type of it, by name."""
    return {name: _FIELDS[name](getattr(wish, name)) for name in wish.typed}


def _name(value: str) -> Markup:
    return _field(_("Name"), name="name", value=value, maxlength=MAX_CODES, required="")


def _note(value: str) -> Markup:
    return _field(_("Note, up to 200 characters"), name="note", value=value, maxlength=MAX_NOTE_CODES, size=40)


def _day(value: str) -> Markup:
    return _field(_("Date, where the clock was wrong"), type="date", name="day", value=value, placeholder="2026-11-27")


def _field(label: str, **attributes: str | float) -> Markup:
    return html("label", label, " ", html("input", **attributes))


def latin(value: str, **more: str) -> Markup:
    """The field for a short name."""
    return _field(_("On the display, in Latin letters"), name=LATIN, value=value, maxlength=MAX_CODES, **more)


_FIELDS: Mapping[str, Callable[[str], Part]] = {"name": _name, LATIN: latin, "note": _note, "day": _day}


def question(wish: AnyWish, asks: AskFirst, known: Iterable[str] = ()) -> Markup:
    """The page that asks: a form for each choice, and the way back. `known`: the names of everybody."""
    names, press = (*known, *_names(wish)), secrets.token_hex(8)
    forms: list[Part] = []
    for choice in asks.choices:
        if choice.wish is None:
            forms.append(html("p", html("a", said(choice.label.words(), names), href=f"/people/{choice.person}")))
        else:
            fields = {LATIN: latin("", required="")} if choice.latin else {}
            forms.append(form(structs.replace(choice.wish, id=press), said(choice.label.words(), names), fields=fields))
    lines = [html("p", said(line.words(), names)) for line in asks.lines]
    return _page(asks.title.words(), lines, forms, _back(wish, _("Back, change nothing")))


def refusal(wish: AnyWish, refused: Denied, known: Iterable[str] = ()) -> Markup:
    """The page that says why not; what was entered still stands in the form. `known`: the names of everybody."""
    fields = {} if refused.old else texts(wish)
    if fields and (short := getattr(wish, LATIN, "")):
        fields[LATIN] = latin(short)
    says = html("p", said(refused.line.words(), (*known, *_names(wish))), class_="refused", role="alert")
    again = form(structs.replace(wish, id=""), fields=fields) if fields else None
    return _page(_("Not changed"), says, again, _back(wish, _("Look again") if refused.old else _("Back")))


def waiting(line: str, says: str, again: str) -> Markup:
    """The page that waits for OK at the kit. `line`: what is wished; `again`: this page's address."""
    look = html("p", html("a", _("Look again"), href=again))
    return _page(_("OK at the kit?"), html("p", line, translate="no"), html("p", says), look)


def unsaved(wish: AnyWish) -> Markup:
    """The page that says that storage fails or is slow."""
    says = _("This is not saved yet: the kit goes on trying. Look again in a moment.")
    return _page(_("Not saved yet"), html("p", says, class_="refused", role="alert"), _back(wish, _("Look again")))


def _names(wish: AnyWish) -> tuple[str, ...]:
    """Names that are typed, as they may stand in what is said of it."""
    return tuple(filter(None, (getattr(wish, "name", "").strip(),)))


def _back(wish: AnyWish, label: str) -> Markup:
    return html("p", html("a", label, href=wish.page))


def _page(title: str, *parts: Part) -> Markup:
    return page(title, html("div", parts, class_="asks"))
