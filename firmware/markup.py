"""HTML made of nested calls; every text is escaped, so a name is never markup. No script, no style of its own."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

from firmware.translation import LANGUAGE


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Part: TypeAlias = "str | int | float | Iterable[Part] | None"

VOID = frozenset(("meta", "link", "input"))


def html(tag: str, /, *parts: Part, **attributes: str | float | None) -> Markup:
    """An element. An underscore at the end of an attribute's name is left out, one within is a hyphen."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{given}>" if tag in VOID else f"<{tag}{given}>{text(parts)}</{tag}>")


def text(part: Part) -> Markup:
    """A part as HTML."""
    if part is None:
        return Markup("")
    if isinstance(part, Markup):
        return part
    if isinstance(part, str | int | float):
        return Markup(escape(str(part)))
    return Markup("".join(map(text, part)))


def name(person: str) -> Markup:
    """Somebody's name, in a direction of its own."""
    return html("bdi", person)


Row: TypeAlias = "Sequence[Part]"


def table(heads: Row, rows: Iterable[Row], caption: str) -> Markup:
    """A table; the first column names the rows."""
    body = [
        html("tr", html("th", first, scope="row"), [html("td", cell) for cell in others]) for first, *others in rows
    ]
    head = html("tr", [html("th", head, scope="col") for head in heads])
    return html("table", html("caption", caption), html("thead", head), html("tbody", body))


def page(title: Part, *parts: Part, links: Sequence[tuple[str, str]]) -> Markup:
    """A whole page of the kit, with its look and links to others."""
    look = [
        html("link", rel="icon", href="/icon.svg", type="image/svg+xml"),
        html("link", rel="stylesheet", href="/pages.css"),
    ]
    nav = html("nav", [html("a", label, href=path) for path, label in links], aria_label="Lucky Paw")
    return document(title, nav, html("main", html("h1", title), *parts), head=look)


def document(title: Part, *parts: Part, head: Part) -> Markup:
    """A whole HTML document. `head`: what stands in its head besides the title."""
    known = html(
        "head",
        html("meta", charset="utf-8"),
        html("meta", name="viewport", content="width=device-width, initial-scale=1"),
        html("title", title),
        head,
    )
    return Markup(f'<!doctype html>\n<html lang="{LANGUAGE}">{known}{html("body", *parts)}</html>\n')
