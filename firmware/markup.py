"""HTML made of nested calls; every text is escaped, so a name is never markup. No script, no style of its own."""

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from typing import TypeAlias

from firmware.translation import LANGUAGE


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Part: TypeAlias = "str | int | float | Iterable[Part] | None"

PAW = Markup(
    '<svg class="paw" viewBox="0 0 64 64" aria-hidden="true">'
    '<circle cx="32" cy="32" r="29"/><ellipse cx="17" cy="30" rx="5" ry="7" transform="rotate(-24 17 30)"/>'
    '<ellipse cx="27" cy="21" rx="5" ry="7.5" transform="rotate(-8 27 21)"/>'
    '<ellipse cx="37" cy="21" rx="5" ry="7.5" transform="rotate(8 37 21)"/>'
    '<ellipse cx="47" cy="30" rx="5" ry="7" transform="rotate(24 47 30)"/>'
    '<path d="M32 30c6 0 13 8 13 14 0 4-3 6-7 5-3-.7-4-1-6-1s-3 .3-6 1c-4 1-7-1-7-5 0-6 7-14 13-14z"/></svg>'
)
KEPT = 'translate="no"'  # of what is the same in every language
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
    """Somebody's name: in a direction of its own, and no browser translates it."""
    return html("bdi", person, translate="no")


def choice(person: str, value: str, *, chosen: bool = False) -> Markup:
    """Somebody's name in a list to choose from."""
    return html("option", person, value=value, selected="" if chosen else None, translate="no")


def said(sentence: str, names: Iterable[str]) -> Part:
    """A sentence in which these names may stand, each as a name."""
    wanted = "|".join(re.escape(one) for one in sorted(filter(None, names), key=len, reverse=True))
    if not wanted:
        return sentence
    between = re.split(rf"(?<!\w)({wanted})(?!\w)", sentence)
    return [name(part) if n % 2 else part for n, part in enumerate(between)]


Row: TypeAlias = "Sequence[Part]"


def joined(parts: Sequence[Part], between: str, last: str) -> Part:
    """Parts in a row, as in a sentence."""
    ends = [last if n == len(parts) - 2 else between if n < len(parts) - 2 else "" for n in range(len(parts))]
    return [[part, end] for part, end in zip(parts, ends, strict=True)]


def table(heads: Row, rows: Iterable[Row], caption: str, class_: str | None = None, *, scrolls: bool = True) -> Markup:
    """A table; the first column names the rows. `scrolls`: in a box, where a page is too narrow for it."""
    body = [html("tr", html("th", first, scope="row"), [html("td", cell) for cell in rest]) for first, *rest in rows]
    head = html("tr", [html("th", head, scope="col") for head in heads])
    whole = html("table", html("caption", caption), html("thead", head), html("tbody", body), class_=class_)
    return _in_box(whole, caption) if scrolls else whole


def stack(heads: Row, rows: Iterable[Row], caption: str, class_: str = "") -> Markup:
    """A table of which a narrow page makes a block a row, each cell beside its head: see `.stack` in pages.css.

    It says by roles that it is a table: a browser may not know that any more where its parts are shown as blocks.
    """
    body = [
        html(
            "tr",
            html("th", first, scope="row", role="rowheader"),
            [html("td", _labelled(cell, head), role="cell") for head, cell in zip(heads[1:], rest, strict=True)],
            role="row",
        )
        for first, *rest in rows
    ]
    head = html("tr", [html("th", head, scope="col", role="columnheader") for head in heads], role="row")
    parts = (
        html("caption", caption),
        html("thead", head, role="rowgroup"),
        html("tbody", body, role="rowgroup"),
    )
    return _in_box(html("table", *parts, role="table", class_=f"stack {class_}".rstrip()), caption)


def _labelled(cell: Part, head: Part) -> Part:
    """A cell with its head, which screen readers say anyway; one that is empty stays so."""
    return [html("span", head, " ", class_="narrow", aria_hidden="true"), cell] if text(cell) else None


def _in_box(table: Markup, caption: str) -> Markup:
    """A table in a box that scrolls. Keys scroll it while it has the focus, or a link in it."""
    keys: dict[str, str] = {} if "<a " in table else {"tabindex": "0", "role": "group", "aria_label": caption}
    return html("div", table, class_="wide", **keys)


def page(title: Part, *parts: Part, links: Sequence[tuple[str, str]] = (), here: str = "") -> Markup:
    """A whole page of the kit, with its look and links to others. `here`: the one that it is, or belongs to."""
    look = [
        html("link", rel="icon", href="/icon.svg", type="image/svg+xml"),
        html("link", rel="stylesheet", href="/pages.css"),
    ]
    shown = [html("a", label, href=path, aria_current="page" if path == here else None) for path, label in links]
    nav = html("nav", shown, aria_label="Lucky Paw") if shown else None
    plate = html("header", html("a", PAW, "Lucky Paw", href="/", target="_top", class_="plate"), nav)
    return document(title, plate, html("main", html("h1", title), *parts), head=look)


def document(title: Part, *parts: Part, head: Part) -> Markup:
    """A whole HTML document. `head`: what stands in its head besides the title."""
    shown = text(title)
    known = html(
        "head",
        html("meta", charset="utf-8"),
        html("meta", name="viewport", content="width=device-width, initial-scale=1"),
        html("title", unescape(re.sub(r"<[^>]*>", "", shown)), translate="no" if KEPT in shown else None),
        head,
    )
    return Markup(f'<!doctype html>\n<html lang="{LANGUAGE}">{known}{html("body", *parts)}</html>\n')
