"""A phone with its page in a real browser: it is asked what the page was told, and answers by taps on what it shows."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, WebSocket

from tests.simulators.phone_evenings import FEW
from tests.simulators.waiting import PATIENCE_S, until

NARROW_PX, WIDE_PX = 320, 390  # phones of today
HEIGHT_PX = 568
TOO_WIDE = """() => [...document.querySelectorAll("main:not([hidden]) button")]
    .filter((key) => key.scrollWidth > key.clientWidth).map((key) => key.innerText)"""

TOLD = """
    window.told = {}; // the newest of each kind of news
    WebSocket = class extends WebSocket {
        constructor(...where) {
            super(...where);
            this.addEventListener("message", ({data}) => Object.assign(window.told, JSON.parse(data)));
        }
    };
"""


def untimed(news: Mapping[str, Any]) -> dict[str, Any]:
    """News without the times of running clocks: they are told once, and run on."""
    clocks = [{**clock, "ms": 0} if clock["runs"] else clock for clock in news.get("clocks", ())]
    return {**news, "clocks": clocks}


def opened(
    chromium: Browser,
    address: str,
    complaints: list[str],
    *,
    width_px: int = NARROW_PX,
    scheme: Literal["dark", "light"] = "dark",
) -> Page:
    """A page on a phone of its own. `complaints`: gets the errors of its scripts."""
    context = chromium.new_context(
        viewport={"width": width_px, "height": HEIGHT_PX},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        color_scheme=scheme,
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_init_script(TOLD)
    page.goto(address)
    return page


def gives_name(page: Page, place: str, name: str) -> None:
    """Somebody takes a place that nobody has a name at, and gives theirs."""
    page.get_by_role("button", name=place).tap()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").tap()


class PagePhone:
    """Somebody with a phone, who sits down at a place. `sight` is what the kit says that the page has to show."""

    def __init__(self, page: Page, button: str, sight: Callable[[], dict[str, Any]]) -> None:
        """The page asks who they are."""
        self.page, self.button, self._sight = page, button, sight
        self.taps = 0  # since the game began
        self.complaints: list[str] = []
        self._news: dict[str, Any] = {}
        self._acks: list[str] = []  # why each answer was refused, empty if not
        page.on("websocket", self._linked)
        page.on("console", self._logged)
        page.get_by_role("button", name=button).tap()
        page.locator("#settled").tap()
        page.wait_for_selector("#game:not([hidden])")

    def _linked(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)

    def _heard(self, frame: str | bytes) -> None:
        news = json.loads(frame)
        if "ack" in news:
            self._acks.append(news["ack"]["refused"])
        self._news.update(news)

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    @property
    def me(self) -> dict[str, Any]:
        """What the page was told, once that is the newest."""
        wanted = untimed(json.loads(json.dumps(self._sight())))
        self._until(
            lambda: all(untimed(self._news).get(kind) == what for kind, what in wanted.items()),
            "the page is up to date",
        )
        found: dict[str, Any] = self._news["me"]
        return found

    @property
    def asks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.me["asks"]
        return found

    def send(self, id_: str, value: Any, *, then: str | None = None) -> str | None:
        """Tap the answer to a question. `then`: what the same tap answers, too. Returns why it was refused."""
        ask = next(one for one in self.asks if one["id"] == id_)
        acks = len(self._acks)
        if ask.get("alone") == "box" and (box := self.page.locator(f'#asks [data-key="{id_} box"]')).count():
            box.tap()
            self.taps += 1
        key = self.page.locator(f'#asks [data-key^="{id_} "]').first
        key.wait_for()
        self.complaints += [f"wider than its key: {text}" for text in self.page.evaluate(TOO_WIDE)]
        if then is not None:
            self._key(id_, "then")
        elif ask.get("letters") and value is not None:
            self._type(id_, str(value))
        elif "low" not in ask or ask["words"] or (ask["high"] - ask["low"] < FEW and ask["step"] == 1):
            self._key(id_, "null" if value is None else value)
        else:
            typed = 0 if value == ask["prefill"] else int(value or 0)
            for digit in "" if value == ask["prefill"] else str(abs(typed)):
                self._key(id_, digit)
            if typed < 0 < ask["high"]:
                self._key(id_, "±")
            self._key(id_, "send")
        answers = 1 if then is None else 2
        self._until(lambda: len(self._acks) >= acks + answers or any(self._acks[acks:]), "it is acknowledged")
        return self._acks[-1]

    def say(self, **message: Any) -> None:
        """Anything else that a page can say; it counts as one tap."""
        match message:
            case {"undo": True}:
                self._tap("#back")
                self._until(lambda: not self._news["me"]["own"], "it is undone")
            case {"table": True}:
                self._tap("#seats")
                self._tap("#table")
                self._until(lambda: self.me["role"] == "table", "it answers for the table")
                self._tap("#play")
            case _:
                raise AssertionError(f"no such key: {message}")

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat, as they stand on the page."""
        rows = self.page.locator("#scores tr").all()
        found = {
            row.locator("[data-button]").get_attribute("data-button"): int(row.locator(".points").inner_text())
            for row in rows
        }
        return tuple(found[str(button)] for button in self._news["game"]["buttons"])

    def _type(self, id_: str, word: str) -> None:
        """On the phone's own keyboard; then Send."""
        self.page.locator(f'#asks [data-key="{id_} word"]').fill(word)
        self.taps += len(word)
        self._key(id_, "send")

    def _key(self, id_: str, sign: object) -> None:
        self._tap(f'#asks [data-key="{id_} {sign}"]')

    def _tap(self, key: str) -> None:
        self.taps += 1
        self.page.locator(key).tap()

    def _until(self, true: Callable[[], bool], what: str) -> None:
        """Let the browser live until something is true."""
        until(true, lambda: what, meanwhile=lambda: self.page.wait_for_timeout(2))
