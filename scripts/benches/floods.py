"""Measure how the kit answers its hands while phones or pages send messages as fast as they can.

A game of a score sheet in round 200, gone on with after a restart. Each flood is one message of one sender, from four
of its pages, 200 times a second from each, or by four connections without a pause: as fast as the kit lets it.
Meanwhile hands turn the knob and press OK, on a page of their own; each line shows how long the pictures took.
The last column: how long the program takes to end by SIGTERM under this flood; the usual is a second for the goodbye.
Run it on a quiet machine.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.simulators import long_games
from tests.simulators.knob_latency import code, page, press, quantile, words
from tests.simulators.phone import as_wish
from tests.simulators.program import ROOT, Program, played_before

GAME, ROUNDS = "sheet:uno", 200
PORT, PAGES, PAUSE_S = 18_644, 4, 0.005
HANDS_MS, OK_MS, END_S = 30, 300, 2.0  # the goals
HOLD_MS, NO_S = 600, 1.2  # a long press; a question stands so long before a turn is a no
ANSWER = {"ask": "0.1.2.0.left", "value": 3, "nonce": "12345678"}
RIGHT: dict[str, Any] = {"amend": 1, "numbers": [[1, "left", 7]]}
OTHER: dict[str, Any] = {"amend": 1, "numbers": [[1, "left", 8]]}


class Flood(NamedTuple):
    """What is sent, again and again, and by whom: the phone of a "seat", of the "table", a "page" and so on."""

    by: str
    messages: tuple[dict[str, Any], ...] = ()
    paths: tuple[tuple[str, str, str], ...] = ()  # method, path, body


# each is seen on the display, so that a picture does not tell whether the knob was heard
NOTED, TURNED, PLUGGED = "press and let go", "turn to and fro", "pull the strip's plug, and put it in"
FLOODS = {
    "nobody": Flood(""),
    "undo": Flood("seat", ({"undo": True},)),
    "a seat that is taken": Flood("seat", ({"seat": "P2"},)),
    "a seat that is free": Flood("seat", ({"seat": "P3"},)),
    "leave": Flood("seat", ({"leave": "P3"},)),
    "a name": Flood("seat", ({"name": "Anna", "button": "P1"},)),
    "an answer too late": Flood("seat", (ANSWER,)),
    "try": Flood("seat", ({"try": "0.1.2.0.left", "value": 3},)),
    "for the table, and not": Flood("table", ({"table": False}, {"table": True})),
    "fix points": Flood("table", ({"fix": [0, 5]},)),
    "a round": Flood("table", ({"round": 1},)),
    "put a round right": Flood("table", (RIGHT,)),
    "put a round wrong": Flood("table", ({"amend": 1, "numbers": [[1, "left", 1000]]},)),
    "end the game": Flood("table", ({"end": True},)),
    "ask for the history": Flood("table", ({"history": True},)),
    "a board that joins the talk": Flood("watch", ({"undo": True},)),
    NOTED: Flood("page", ({"button": "P4", "down": True}, {"button": "P4", "down": False})),
    TURNED: Flood("page", ({"turn": 1, "knob": True}, {"turn": -1, "knob": True})),
    PLUGGED: Flood("page", ({"plug": "strip", "in": False}, {"plug": "strip", "in": True})),
    "someone who is known": Flood("page", ({"do": "add", "name": "Anna"},)),
    "who sits where": Flood("page", ({"do": "sit", "game": 1, "seat": 0, "person": None, "was": [None]},)),
    "a round, on the page": Flood("page", ({"round": 1},)),
    "put a round right, on the page": Flood("page", (RIGHT, OTHER)),
    "pages of the history": Flood("history", paths=(("GET", "/games", ""), ("GET", "/history", ""))),
    "a note": Flood("history", paths=(("POST", "/games/1", "do=remark&note=x&day=&was=%5B%22%22,%22%22%5D"),)),
    "what became of a note": Flood("history", paths=(("GET", "/edited", ""),)),
    "the page for phones": Flood("newcomer", paths=(("GET", "/", ""), ("GET", "/phone.js", ""))),
    "a newcomer": Flood("newcomer", paths=(("POST", "/join", '{"code": "AAAAAA"}'),)),
}


class Attack:
    """Four pages, or connections, that send while they are told to. Those that are closed come back."""

    def __init__(self, cookies: dict[str, str], page_port: int) -> None:
        self.cookies, self.page_port = cookies, page_port
        self.flood, self.done, self.sent = FLOODS["nobody"], threading.Event(), 0
        self.threads = [threading.Thread(target=self.work, args=(n,)) for n in range(PAGES)]
        for thread in self.threads:
            thread.start()

    def work(self, n: int) -> None:
        flood = self.flood
        send: Iterator[None] = iter(())
        with contextlib.ExitStack() as opened:
            while not self.done.is_set():
                if self.flood is not flood:
                    opened.close()
                    flood = self.flood
                    send = self.over_http(flood, n) if flood.paths else self.over_pages(flood, opened)
                if not flood.by:
                    time.sleep(0.02)
                    continue
                try:
                    next(send)
                    self.sent += 1
                except (OSError, http.client.HTTPException, WebSocketException, TimeoutError, StopIteration):
                    send = self.over_http(flood, n) if flood.paths else self.over_pages(flood, opened)
                    time.sleep(PAUSE_S)

    def over_pages(self, flood: Flood, opened: contextlib.ExitStack) -> Iterator[None]:
        opened.close()
        port = self.page_port if flood.by == "page" else PORT
        host, cookie = f"127.0.0.1:{port}", self.cookies.get(flood.by, "")
        line = opened.enter_context(
            connect(
                f"ws://{host}/ws",
                origin=Origin(f"http://{host}"),
                additional_headers={"Cookie": cookie} if cookie else {},
                compression=None,
                open_timeout=2,
                close_timeout=0.1,
            )
        )
        news = dict[str, Any]()
        threading.Thread(target=drained, args=(line, news), daemon=True).start()
        if flood.messages[0] is RIGHT:
            line.send('{"round":1}')
        for message in cycle(flood.messages):
            wish = {**as_wish(message, news), "id": str(self.sent)} if "do" in message else as_wish(message, news)
            line.send(json.dumps(wish, separators=(",", ":")))
            time.sleep(PAUSE_S)
            yield

    def over_http(self, flood: Flood, n: int) -> Iterator[None]:
        host = f"127.0.0.1:{PORT}"
        headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/x-www-form-urlencoded"}
        if flood.by != "newcomer":
            headers["Cookie"] = self.cookies["table"]
        for method, path, body in cycle(flood.paths):
            with contextlib.closing(http.client.HTTPConnection(host, timeout=2)) as line:
                line.request(method, path, body or None, headers)
                line.getresponse().read()
            yield

    def close(self) -> None:
        self.done.set()


def drained(line: ClientConnection, news: dict[str, Any]) -> None:
    """Read what a page is told, and keep the newest of each kind."""
    with contextlib.suppress(ConnectionClosed, OSError):
        while True:
            news |= json.loads(line.recv() or "{}")


def work(line: Connection) -> None:
    """The senders, in a process of their own at the lowest priority: at a table they have processors of their own."""
    os.nice(19)
    attack = Attack(*line.recv())
    while (name := line.recv()) is not None:
        attack.flood = FLOODS[name]
        line.send(attack.sent)
    attack.close()


def joined(code_: str) -> str:
    """A phone that joins: its cookie."""
    host = f"127.0.0.1:{PORT}"
    with contextlib.closing(http.client.HTTPConnection(host)) as line:
        line.request("POST", "/join", json.dumps({"code": code_}), {"Origin": f"http://{host}", "Host": host})
        return line.getresponse().headers["Set-Cookie"].partition(";")[0]


def said(cookie: str, *messages: dict[str, Any], then: Callable[[], None] = lambda: None) -> None:
    """What a phone says, one after the other."""
    host = f"127.0.0.1:{PORT}"
    with connect(f"ws://{host}/ws", origin=Origin(f"http://{host}"), additional_headers={"Cookie": cookie}) as line:
        for message in messages:
            line.send(json.dumps(as_wish(message, {})))
            time.sleep(0.2)
        then()


def agree(browser: ClientConnection) -> None:
    """OK to what the kit asks for a phone."""
    time.sleep(NO_S)
    press(browser)


def go_on(browser: ClientConnection) -> None:
    """OK at the row of the menu that goes on with the game."""
    for _ in range(20):
        browser.send(json.dumps({"turn": -1, "knob": True}))
        if words(browser).get("asked", "").startswith("chosen: Go on"):
            press(browser)
            return
    raise RuntimeError("the menu has no game to go on with")


class Hands:
    """Hands at the kit's page."""

    def __init__(self, browser: ClientConnection) -> None:
        self.browser, self.question = browser, ""  # on the display

    def read(self, timeout: float) -> bool:
        """Read what the page is told next. Returns whether that was a picture."""
        news = json.loads(self.browser.recv(timeout=timeout))
        self.question = news.get("words", {}).get("question", self.question)
        return "picture" in news

    def until_picture(self, message: dict[str, Any]) -> float:
        """How long it takes from a message to the next picture, in ms."""
        with contextlib.suppress(TimeoutError):
            while True:  # what is still on its way belongs to no press
                self.read(0)
        began_s = time.monotonic()
        self.browser.send(json.dumps(message))
        while not self.read(60):
            pass
        return (time.monotonic() - began_s) * 1000

    def work(self, seconds: float, *, knob: bool) -> tuple[list[float], list[float]]:
        """Turns of the knob at the game's question, and long presses of OK that open Back and close it; in ms.

        Where the kit asks something for a phone, they wait until a turn is a no. Without the `knob` it is left alone.
        """
        turns, oks, end_s = list[float](), list[float](), time.monotonic() + seconds
        asks = self.question
        while time.monotonic() < end_s:
            for n in range(20 if knob else 0):
                took_ms = self.until_picture({"turn": 1 if n % 2 else -1, "knob": True})
                if self.question == asks:
                    turns.append(took_ms)
                else:
                    time.sleep(NO_S)
                    self.until_picture({"turn": -1, "knob": True})
                time.sleep(random.uniform(0.01, 0.03))
            for _ in range(2):
                oks.append(self.until_picture({"ok": True}) - HOLD_MS)
                self.browser.send('{"ok":false}')
                time.sleep(0.1)
        return turns, oks


def begun(folder: Path) -> Path:
    """A state folder with a long game, of an earlier run."""
    from firmware.journal.writer import Journal

    state, game = played_before(folder / "state"), long_games.long(GAME, ROUNDS)
    journal = Journal(state / "journal.db", "yesterday", lambda ticket: None, lambda text: None)
    journal.write(journal.begin_game(game.rules.name, game.rules.text), game.facts)
    journal.close()
    return state


def measured(names: list[str], seconds: float, told: Callable[[str, dict[str, Any]], None]) -> None:
    for name in names:
        line, other = multiprocessing.Pipe()
        workers = multiprocessing.get_context("fork").Process(target=work, args=(other,), daemon=True)
        workers.start()
        with tempfile.TemporaryDirectory() as folder:
            kit_toml = Path(folder) / "kit.toml"
            panel = f'[panel]\nnetwork = "lan"\nphones_port = {PORT}\n'
            kit_toml.write_text((ROOT / "hardware/kits/table.toml").read_text() + panel)
            command = ("-m", "firmware", "play", "--emulated", "--port", "0", "--config", kit_toml)
            state = begun(Path(folder))
            with Program(*command, STATE_DIRECTORY=str(state)) as kit, page(kit.port) as browser:
                browser.send(json.dumps({"person": "Anna", "latin": ""}))
                code_ = code(browser)
                cookies = {who: joined(code_) for who in ("seat", "table", "watch")}
                said(cookies["seat"], {"seat": "P1"})
                said(cookies["table"], {"seat": "P2"}, {"table": True})
                go_on(browser)
                at_kit = Hands(browser)
                at_kit.question = words(browser)["question"]
                if FLOODS[name].by == "history":
                    said(cookies["table"], {"history": True}, then=partial(agree, browser))
                    words(browser)
                line.send((cookies, kit.port))
                line.send(name)
                before = line.recv()
                time.sleep(1)
                turns, oks = at_kit.work(seconds, knob=name not in (NOTED, TURNED, PLUGGED))
                line.send(name)
                sent = (line.recv() - before) / (seconds + 1)
                began_s = time.monotonic()
                status, _output, errors = kit.end()
                ended_s = time.monotonic() - began_s
                turns = turns or [0.0]
                if FLOODS[name].by == "page" and RIGHT in FLOODS[name].messages:
                    oks = [0.0]  # pictures come by themselves
                told(
                    name,
                    {
                        "sent_s": round(sent),
                        "knob_p50_ms": round(quantile(turns, 0.5), 1),
                        "knob_p99_ms": round(quantile(turns, 0.99), 1),
                        "ok_ms": round(max(oks), 1),
                        "end_s": round(ended_s, 2),
                        "right": quantile(turns, 0.99) <= HANDS_MS and max(oks) <= OK_MS and ended_s <= END_S,
                        "status": status,
                        "errors": errors[-300:],
                    },
                )
        line.send(None)
        workers.join(5)
        workers.kill()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench floods", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=6, metavar="S", help="of each flood (default 6)")
    parser.add_argument("--flood", action="append", choices=FLOODS, help="only this one; may be given several times")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    found = dict[str, dict[str, Any]]()

    def told(name: str, row: dict[str, Any]) -> None:
        found[name] = row
        if not asked.json:
            print(f"{name:32}", "  ".join(f"{key} {value}" for key, value in row.items() if value != ""), flush=True)

    measured(asked.flood or list(FLOODS), asked.seconds, told)
    if asked.json:
        print(json.dumps(found, indent=2))
    sys.exit(not all(row["right"] for row in found.values()))


if __name__ == "__main__":
    main()
