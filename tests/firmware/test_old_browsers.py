"""Pages of phones and boards on the oldest browsers that they are for, iOS 12.2 and Chrome 63; and on older ones.

A browser of that age is made of a new one, by taking from it what is newer. What is newer: MDN's browser-compat-data.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import esprima
import pytest
from playwright.sync_api import Browser, Page, Route

from firmware.phones.server import FILES
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone import SPACES
from tests.simulators.phone_page import NARROW_PX, opened
from tests.simulators.waiting import PATIENCE_S

NEWER = """
AggregateError Atomics BigInt BigInt64Array BigUint64Array FinalizationRegistry Iterator ResizeObserver
SharedArrayBuffer Temporal WeakRef globalThis queueMicrotask requestIdleCallback structuredClone visualViewport
Array.prototype: at findLast findLastIndex flat flatMap toReversed toSorted toSpliced values with
Array: fromAsync
Map: groupBy
Object: fromEntries groupBy hasOwn
Promise: allSettled any try withResolvers
Set.prototype: difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union
String.prototype: at isWellFormed matchAll replaceAll toWellFormed trimEnd trimStart
AbortSignal: any timeout
Document.prototype: adoptedStyleSheets exitFullscreen getAnimations replaceChildren startViewTransition
DocumentFragment.prototype: replaceChildren
Element.prototype: ariaLabel ariaPressed checkVisibility getHTML replaceChildren setHTMLUnsafe toggleAttribute
HTMLElement.prototype: enterKeyHint inert inputMode popover
HTMLFormElement.prototype: requestSubmit
Blob.prototype: arrayBuffer stream text
Crypto.prototype: randomUUID
MediaQueryList.prototype: addEventListener removeEventListener
Navigator.prototype: clipboard connection share vibrate wakeLock
URL: canParse parse
"""
# declarations and rules that a browser of that age passes over
UNREAD = re.compile(
    r"[^{};]*:[^{};]*\b(max|min|clamp|env)\([^;}]*[;}]|(?<![-\w])color-scheme:[^;]*;|[^{}]*:focus-visible[^{}]*\{[^}]*\}"
    r"|(?<=[\s;{])(zoom|gap|inset|aspect-ratio):[^;}]*;"
)


def taken_away() -> str:
    """A script that takes from a new browser what is newer."""
    lines = [line.rpartition(":") for line in NEWER.strip().splitlines()]
    return "".join(f"delete {owner or 'window'}[{name!r}];" for owner, _, names in lines for name in names.split())


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def phone(chromium: Browser, table: PhoneTable) -> Iterator[Callable[..., Page]]:
    """Opens a page in an old browser. It may not complain about anything by the end of the test."""
    complaints: list[str] = []
    pages: list[Page] = []

    def styles(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=UNREAD.sub("", answer.text()))

    def open_() -> Page:
        page = opened(chromium, "about:blank", complaints)
        page.add_init_script(taken_away())
        page.route("**/*.css", styles)
        page.goto(f"http://{table.host}/{table.phones.code}")
        pages.append(page)
        return page

    yield open_
    for page in pages:
        page.context.close()
    assert complaints == []


@pytest.mark.parametrize("path", sorted(path for path in FILES if path.endswith(".js")))
def test_no_script_has_newer_syntax(path: str) -> None:
    """The parser knows ECMAScript 2017 and the properties that are spread in objects, as Chrome 60 and iOS 11.3 do."""
    esprima.parseModule(FILES[path][0].read_text())


@pytest.mark.parametrize("newer", ["one?.name", "one ?? two", "1_000", "try {} catch {}", "class One { two = 1 }"])
def test_the_parser_refuses_newer_syntax(newer: str) -> None:
    with pytest.raises(esprima.Error):
        esprima.parseModule(newer)


@pytest.mark.slow
def test_a_phone_joins_gives_a_name_and_answers(table: PhoneTable, phone: Callable[..., Page]) -> None:
    page = phone()
    page.get_by_role("button", name="P2").tap()
    page.get_by_label("Your name").fill("Mia")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("heading", name="You are Mia (P2, orange).").wait_for()
    page.get_by_role("button", name="Close").tap()
    table.play(SPACES)
    page.locator(".pad").get_by_role("button", name="7").tap()
    page.get_by_role("button", name="Send").tap()
    page.get_by_text("Sent. You may still change it.").wait_for()
    page.get_by_text("Waiting for P1, P3").wait_for()
    assert table.do(lambda: table.rig.playing.entry.values) == {1: 7}
    assert [box["width"] for one in page.locator("body").all() if (box := one.bounding_box())] == [NARROW_PX]


@pytest.mark.slow
def test_a_board_shows_the_game(table: PhoneTable, phone: Callable[..., Page]) -> None:
    page = phone()
    page.get_by_text("Only look on").tap()
    page.wait_for_selector("#game:not([hidden])")
    table.play(SPACES)
    page.goto(f"http://{table.host}/board")
    page.get_by_role("heading", name="Empty spaces?").wait_for()
    page.wait_for_selector("#photo svg")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "board"])
@pytest.mark.parametrize(
    "older",
    ["delete HTMLScriptElement.prototype.noModule;", "delete window.WebSocket;"],
)
def test_an_older_browser_says_that_it_is_too_old(chromium: Browser, table: PhoneTable, path: str, older: str) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.add_init_script(older)
    page.goto(f"http://{table.host}/{path}")
    page.get_by_text("This browser is too old for the page").wait_for()
    assert page.locator("header").is_hidden()
    context.close()


@pytest.mark.slow
def test_a_browser_that_cannot_read_the_script_says_so(chromium: Browser, table: PhoneTable) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.route(
        "**/common.js", lambda route: route.fulfill(content_type="text/javascript", body="export let a = b ??? c;")
    )
    page.goto(f"http://{table.host}/")
    page.get_by_text("This browser is too old for the page").wait_for()
    context.close()
