"""Pages of phones and boards on the oldest browsers that they are for, iOS 12.2 and Chrome 63; and on older ones.

A browser of that age is made of a new one, by taking from it what is newer. What is newer: MDN's browser-compat-data.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from firmware.phones.server import FILES
from tests.firmware.old_syntax import newer
from tests.firmware.phone_table import PhoneTable
from tests.simulators.phone import SPACES
from tests.simulators.phone_page import NARROW_PX, gives_name, opened
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
    assert newer(FILES[path][0].read_text()) == []


OLD = """\
import one, * as all from "./one.js";
export { one as two, all };
export default class extends one.Two {
  constructor(...all) { super(...all); }
  static get three() { return /(?:\\d+)(?=[^a-z])/giu; }
  *four(a = 0x1f, { b: [c, , d] = [1e-3, .5] } = {}, ) { yield* this.three; }
  async [`five${1}`]() { for (const each of await import("./two.js")) if (each) await each(); }
}
label: for (let i = 0, { a, ...more } = { ...one }; i < 2 ** 3; i += 1) {
  try { switch (typeof a) { case "b": break label; default: throw new Error("c"); } }
  catch ({ message }) { delete more[message]; }
  finally { do void 0; while (!(a instanceof one) && a == null || a % 2); }
}
const wait = async (a) => await a, more = async a => a ? await a : (a, -a);
"""


def test_syntax_that_old_browsers_know_is_not_refused() -> None:
    assert newer(OLD) == []


NEWER_SYNTAX = {
    "one?.name": "?.",
    "one?.[0]": "?.",
    "one?.()": "?.",
    "one ?? two": "??",
    "one ??= two": "??=",
    "one ||= two": "||=",
    "one &&= two": "&&=",
    "1_000": "1_000",
    "0xff_ff": "0xff_ff",
    "10n": "10n",
    "try {} catch {}": "catch {}",
    "class One { two = 1 }": "two = 1",
    "class One { static two }": "static two",
    "class One { #two() {} }": "#two",
    "#one in two": "#one",
    "class One { static {} }": "static {}",
    "@one class Two {}": "@one",
    "await one": "await one",
    "await (one)": "await",
    "async function one() { return () => await two; }": "await two",
    "async function one() { for await (const two of three) {} }": "for await (const two of three) {}",
    "async function* one() {}": "async function* one() {}",
    "one = async function* () {}": "async function* () {}",
    "class One { async *two() {} }": "async *two() {}",
    "import.meta.url": "import.meta",
    "import('one', { with: {} })": "import('one', { with: {} })",
    "import one from 'two' with { type: 'json' }": "with { type: 'json' }",
    "import { 'one' as two } from 'three'": "'one' as two",
    "export { one as 'two' }": "one as 'two'",
    "export * as one from 'two'": "* as one",
    "/one/s": "s",
    "/one/d": "d",
    "/[one--two]/v": "v",
    "/(?<one>two)/": "(?<one>two)",
    "/(?<=one)two/": "(?<=one)two",
    "/(?i:one)/": "(?i:one)",
    r"/\p{Letter}/u": r"\p{Letter}",
    "'\u2028'": "\u2028",
    "#!/usr/bin/env node": "#!/usr/bin/env node",
    "using one = two": "using one = two",
    "<one></one>": "<one></one>",
    "import defer * as one from 'two'": "defer",
    "one = two three": "two",
    "if (one": "if (one",
}


@pytest.mark.parametrize(("script", "refused"), NEWER_SYNTAX.items(), ids=NEWER_SYNTAX)
def test_newer_syntax_is_refused(script: str, refused: str) -> None:
    assert newer(f"\n{script}") == [(2, refused)]


@pytest.mark.slow
def test_a_phone_joins_gives_a_name_and_answers(table: PhoneTable, phone: Callable[..., Page]) -> None:
    page = phone()
    gives_name(page, "P2", "Mia")
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


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page that may complain."""
    with closing(chromium.new_context()) as context:
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        yield page


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "board"])
@pytest.mark.parametrize("older", ["delete HTMLScriptElement.prototype.noModule;", "delete window.WebSocket;"])
def test_an_older_browser_says_that_it_is_too_old(page: Page, table: PhoneTable, path: str, older: str) -> None:
    page.add_init_script(older)
    page.goto(f"http://{table.host}/{path}")
    page.get_by_text("This browser is too old for the page").wait_for()
    assert page.locator("header").is_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("code", [True, False], ids=["scanned", "joined"])
def test_an_error_in_a_script_of_others_is_no_matter(page: Page, table: PhoneTable, code: bool) -> None:
    page.clock.install()
    page.goto(f"http://{table.host}/{table.phones.code}")
    page.get_by_text("Only look on").wait_for()
    if not code:
        page.get_by_text("Only look on").click()
        page.wait_for_selector("#game:not([hidden])")
    with page.expect_event("pageerror"):
        page.evaluate("() => { Promise.reject(new Error('of others')); }")
    page.clock.run_for(4000)
    assert page.locator("header").is_visible() and page.get_by_text("This browser is too old").is_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("status", [408, 503])
def test_an_answer_without_words_is_told_and_the_next_try_joins(page: Page, table: PhoneTable, status: int) -> None:
    page.goto(f"http://{table.host}/{table.phones.code}")
    page.route("**/join", lambda route: route.fulfill(status=status, body=""))
    page.get_by_text("Only look on").click()
    page.get_by_text("The kit does not answer.").wait_for()
    page.unroute("**/join")
    page.locator("#join button").click()
    page.get_by_text("Only look on").click()
    page.wait_for_selector("#game:not([hidden])")


@pytest.mark.slow
def test_a_browser_that_cannot_read_the_script_says_so(page: Page, table: PhoneTable) -> None:
    page.route(
        "**/common.js", lambda route: route.fulfill(content_type="text/javascript", body="export let a = b ??? c;")
    )
    page.goto(f"http://{table.host}/")
    page.get_by_text("This browser is too old for the page").wait_for()
