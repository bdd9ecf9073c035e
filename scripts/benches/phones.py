"""Measure how much phones delay a running game: how fast the loop answers with eight busy phones, and with strangers.

A round has four series of turns of the knob, in random order: two while nothing else happens (the second is the
control), one while eight phones join and leave ten times a second each, and one while strangers keep 64 connections
open, guess codes and send invalid messages, beside eight phones. Run it on a quiet machine.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import random
import socket
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.simulators.knob_latency import code, most_memory_mb, page, paired
from tests.simulators.phone import as_wish
from tests.simulators.program import ROOT, Program, played_before

PHONES, STRANGERS = 8, 64
PORT = 18_643
BUTTONS = ("P1", "P2", "P3", "P4")


class Load:
    """Phones and strangers, who work while they are told to."""

    def __init__(self, port: int, code: str) -> None:
        self.host, self.which, self.done = f"127.0.0.1:{port}", "", threading.Event()
        self.port, self.news, self.refused = port, 0, 0
        self.opened = contextlib.ExitStack()
        self.phones = [self.joined(code) for _ in range(PHONES)]
        self.threads = [threading.Thread(target=self.phone, args=(line,)) for line in self.phones]
        self.threads += [threading.Thread(target=self.stranger, args=(n,)) for n in range(4)]
        for thread in self.threads:
            thread.start()

    def joined(self, code: str) -> ClientConnection:
        """A phone that has joined, with its page open."""
        line = http.client.HTTPConnection(self.host)
        headers = {"Origin": f"http://{self.host}", "Host": self.host}
        line.request("POST", "/join", json.dumps({"code": code}), headers)
        cookie = line.getresponse().headers["Set-Cookie"].partition(";")[0]
        line.close()
        page = connect(
            f"ws://{self.host}/ws",
            origin=Origin(f"http://{self.host}"),
            additional_headers={"Cookie": cookie},
            compression=None,
        )
        return self.opened.enter_context(page)

    def phone(self, line: ClientConnection) -> None:
        """Takes places and leaves them."""
        dice = random.Random()
        while not self.done.is_set():
            if self.which == "phones":
                line.send(json.dumps(as_wish({dice.choice(("seat", "leave")): dice.choice(BUTTONS)}, {})))
            end_s = time.monotonic() + 0.1
            while (rest_s := end_s - time.monotonic()) > 0:
                with contextlib.suppress(TimeoutError):
                    line.recv(timeout=rest_s)
                    self.news += 1

    def stranger(self, n: int) -> None:
        """Keeps connections open, guesses, and sends what no page sends."""
        kept: list[socket.socket] = []
        while not self.done.is_set():
            if self.which != "strangers":
                for line in kept:
                    line.close()
                kept.clear()
                time.sleep(0.05)
                continue
            with contextlib.suppress(OSError, http.client.HTTPException, ConnectionClosed, TimeoutError):
                if len(kept) < STRANGERS // 4:
                    kept.append(socket.create_connection(("127.0.0.1", self.port), timeout=1))
                elif n % 2:
                    guess = http.client.HTTPConnection(self.host, timeout=1)
                    headers = {"Origin": f"http://{self.host}", "Host": self.host}
                    guess.request("POST", "/join", json.dumps({"code": "AAAAAA"}), headers)
                    self.refused += guess.getresponse().status in (403, 429)
                    guess.close()
                else:
                    kept.pop(0).close()
                    with connect(f"ws://{self.host}/ws", origin=Origin(f"http://{self.host}"), open_timeout=1) as junk:
                        junk.send("x" * 1_000_000)
                        junk.recv(timeout=1)
            time.sleep(0.02)
        for line in kept:
            line.close()

    def close(self) -> None:
        self.done.set()
        for thread in self.threads:
            thread.join()
        self.opened.close()


def work(line: Connection) -> None:
    """Phones and strangers, told what to do, in a process of their own, beside the one that measures."""
    os.nice(19)  # at a table they have processors of their own
    load = Load(*line.recv())
    while (which := line.recv()) is not None:
        load.which = which
    load.close()
    line.send({"news to phones": load.news, "guesses refused": load.refused})


def measured(rounds: int, turns: int) -> dict[str, Any]:
    line, other = multiprocessing.Pipe()
    workers = multiprocessing.get_context("fork").Process(target=work, args=(other,), daemon=True)
    workers.start()
    with tempfile.TemporaryDirectory() as folder:
        port, kit_toml = PORT, Path(folder) / "kit.toml"
        panel = f'[panel]\nnetwork = "lan"\nphones_port = {port}\n'
        kit_toml.write_text((ROOT / "hardware/kits/table.toml").read_text() + panel)
        command = ("-m", "firmware", "play", "--emulated", "--port", "0", "--config", kit_toml)
        with Program(*command, STATE_DIRECTORY=str(played_before(Path(folder)))) as kit, page(kit.port) as browser:
            line.send((port, code(browser)))
            browser.send(json.dumps({"turn": -3, "knob": True}))  # away from the end
            found = paired(browser, rounds, turns, ("phones", "strangers"), line.send)
            line.send(None)
            found["done"] = line.recv()
            found["memory of the kit"] = {"mb": most_memory_mb(kit.pid), "goal_mb": 65}
    workers.join()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench phones", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=12, metavar="N", help="number of rounds (default 12)")
    parser.add_argument(
        "--turns", type=int, default=100, metavar="N", help="turns of the knob per series (default 100)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    found = measured(asked.rounds, asked.turns)
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    for name, values in found.items():
        print(f"{name:24}", "  ".join(f"{key} {value}" for key, value in values.items()))


if __name__ == "__main__":
    main()
