"""Measure the statistics of many evenings: every page and export, and how much making them delays a running game.

A round has four series of turns of the knob, in random order: two without requests (the second is the control), one
with requests for pages without a pause, one with those of a phone. A turn goes through the page's WebSocket to the
loop, and its picture comes back. Run it on a quiet machine.

`--without-names` measures instead what names cost if nobody has one. A round plays the same evening three times in
random order, each in its own process: twice with the version before names (the second is the control), once with this
one. A step is all that an emulated kit does for a press, until it is saved and its picture sent. The memory is that of
the program with its page open, after some turns of the knob.
"""

import argparse
import compileall
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from firmware.journal import writer
from firmware.journal.file import OpenJournal, open_to_write
from firmware.state_folder import SUMS
from firmware.statistics import process
from firmware.statistics.game_totals import up_to_date
from firmware.statistics.person_figures import Figures
from firmware.statistics.plain_values import Data
from tests.simulators.knob_latency import code, compared, most_memory_mb, page, paired, press, stretch
from tests.simulators.program import ROOT, Program, played_before
from tests.simulators.random_evenings import Evenings
from tests.simulators.version_before import version_before

GOAL_S = 1.0
PAGES = ("history", "games", "people", "evenings", "records")
PORT = 18_643
EXPORTS = (("export", "--csv"), ("export", "--json"), ("stats",), ("stats", "--json"), ("evening",))


def unchecked(path: Path, tell: Callable[[str], None], *, thorough: bool) -> OpenJournal:
    """A connection to a journal that is known to be sound."""
    return open_to_write(path, tell, thorough=False)


def sums(folder: Path) -> dict[str, Any]:
    """The first sum of all games."""
    for file in folder.glob(f"{SUMS}*"):
        file.unlink()
    began_s = time.monotonic()
    with closing(up_to_date(folder)) as db:
        took_s = time.monotonic() - began_s
        (many,) = db.execute("select count(*) from game").fetchone()
        results = db.execute("select count(*) from result").fetchone()[0]
    return {"games": many, "results": results, "first_sum_s": round(took_s, 1)}


def pages(folder: Path, runs: int) -> dict[str, Any]:
    """The slowest of some runs of each page and each command, each a process of its own."""
    with closing(up_to_date(folder)) as db:
        data = Data(Figures(db))
        person, evening = data.people[0], data.figures.evenings[-1].number
        most = "select game from journal.event group by game order by count(*) desc limit 1"
        (longest,) = db.execute(most).fetchone()
    found: dict[str, Any] = {}
    for path in (
        *("/history", "/games", f"/games?person={person}&from=50", "/evenings", "/people", "/records"),
        *(f"/people/{person}", f"/evenings/{evening}", f"/games/{longest}"),
        *(f"/people/{person}.png", f"/evenings/{evening}.png"),
    ):
        times = []
        for _ in range(runs):
            began_s = time.monotonic()
            made = process.made(folder, path)
            times.append(time.monotonic() - began_s)
            assert made is not None
        found[path.replace(person, "<who played most>")] = row(times)
    environment = os.environ | {"STATE_DIRECTORY": str(folder)}
    for command in EXPORTS:
        times = []
        for _ in range(runs):
            began_s = time.monotonic()
            arguments = [sys.executable, "-m", "firmware", *command]
            subprocess.run(arguments, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
            times.append(time.monotonic() - began_s)
        found[" ".join(command)] = row(times)
    return found


def row(times: list[float]) -> dict[str, Any]:
    return {"median_s": round(statistics.median(times), 2), "slowest_s": round(max(times), 2), "goal_s": GOAL_S}


def loop(folder: Path, rounds: int, turns: int) -> dict[str, Any]:
    """The loop's answers with and without pages being made."""
    played_before(folder)
    kit_toml = folder / "kit.toml"
    panel = f'[panel]\nnetwork = "lan"\nphones_port = {PORT}\n'
    kit_toml.write_text((ROOT / "hardware/kits/table.toml").read_text() + panel)
    command = ("-m", "firmware", "play", "--emulated", "--port", "0", "--config", kit_toml)
    with Program(*command, STATE_DIRECTORY=str(folder)) as kit, page(kit.port) as browser:
        browser.send(json.dumps({"turn": 1, "knob": True}))  # from the question whether to go on to the menu
        phone = {"Cookie": reader(browser, PORT)}
        browser.send(json.dumps({"turn": -3, "knob": True}))  # away from the menu's end
        which, done, made = "", threading.Event(), Counter[str]()

        def ask() -> None:
            for n in count():
                if done.wait(0 if (by := which) else 0.1):
                    return
                if by:
                    port, headers = (PORT, phone) if by == "phone" else (kit.port, {})
                    path = f"{PAGES[n % len(PAGES)]}?{n}"  # one that is kept would cost nothing
                    asked = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", headers=headers)
                    with urllib.request.urlopen(asked) as answer:
                        answer.read()
                    made[by] += 1

        asking = threading.Thread(target=ask)
        asking.start()

        def load(wanted: str) -> None:
            nonlocal which
            which = wanted

        found = paired(browser, rounds, turns, ("pages", "phone"), load)
        memory = most_memory_mb(kit.pid)
        done.set()
        asking.join()
    return found | {"pages made": dict(made), "memory of the kit": {"mb": memory, "goal_mb": 65}}


def reader(browser: ClientConnection, port: int) -> str:
    """The cookie of a phone that may open the history."""
    host, found = f"127.0.0.1:{port}", code(browser)
    with closing(http.client.HTTPConnection(host)) as line:
        line.request("POST", "/join", json.dumps({"code": found}), {"Origin": f"http://{host}"})
        cookie = line.getresponse().headers["Set-Cookie"].partition(";")[0]
    own, headers = Origin(f"http://{host}"), {"Cookie": cookie}
    with connect(f"ws://{host}/ws", origin=own, additional_headers=headers, compression=None) as phone:
        phone.send(json.dumps({"table": True}))
        time.sleep(4)  # over a menu that somebody has just turned the kit asks nothing
        phone.send(json.dumps({"history": True}))
        time.sleep(1.2)  # the kit takes no key before
        press(browser)
        while not json.loads(phone.recv(timeout=5)).get("me", {}).get("history"):
            pass
    return str(cookie)


EVENING = """
import json, sys, tempfile, time
from pathlib import Path
from tests.simulators import evenings
from tests.simulators.press_count import CountingRig

class Timed(CountingRig):
    def edge(self, name, *, down):
        super().edge(name, down=down)
        self.pressed = True
    def push(self, *, down):
        super().push(down=down)
        self.pressed = True
    def turn(self, steps):
        super().turn(steps)
        self.pressed = True

rig, times = Timed(Path(tempfile.mkdtemp(dir=sys.argv[1]))), []
step = rig.app.step

def timed(now_ns):
    pressed, rig.pressed, began_ns = rig.pressed, False, time.perf_counter_ns()
    step(now_ns)
    if pressed:
        times.append((time.perf_counter_ns() - began_ns) / 1e6)

rig.pressed, rig.app.step = False, timed
for game in (evenings.kitty_paw, evenings.pack_and_stack, evenings.if_it_fits):
    game(rig)
    rig.do("2500 ok [Other game]")
inputs, presses = len(rig.pushes) + len(rig.steps), len(rig.pushes)
rig.begin("Kitty Paw", "P1", "P2", "P3", "P4")
print(json.dumps([times, {"of the evening": inputs, "to begin a game of four": len(rig.pushes) - presses}]))
rig.close()
"""
PLAY = """
import sys
sys.path[0] = sys.argv[1]
from firmware.__main__ import main
main(["play", "--emulated", "--port", "0"])
"""


def without_names(folder: Path, rounds: int, turns: int) -> dict[str, Any]:
    """The same evening, and the same program with its page, before there were names and now."""
    before = version_before(folder / "before")
    for each, name in product((before, ROOT), ("engine", "hardware", "firmware", "tests")):
        compileall.compile_dir(each / name, quiet=2)  # to compile takes time and memory
    versions = {"before": before, "control": before, "now": ROOT}
    inputs: dict[str, dict[str, int]] = {}
    memory: dict[str, list[float]] = {which: [] for which in versions}

    def evening(which: str) -> list[float]:
        command = (sys.executable, "-c", EVENING, folder)
        played = subprocess.run(command, cwd=versions[which], stdout=subprocess.PIPE, check=True)
        times: list[float]
        times, inputs[which] = json.loads(played.stdout)
        state = tempfile.mkdtemp(dir=folder)
        with Program("-c", PLAY, versions[which], STATE_DIRECTORY=state) as kit, page(kit.port) as browser:
            stretch(browser, turns)
            memory[which].append(kit.memory_kib / 1024)
        return times

    found = compared({which: partial(evening, which) for which in versions}, rounds, "steps")
    mb = {which: round(statistics.median(each), 1) for which, each in memory.items()}
    ratios = {f"{which} / before": round(mb[which] / mb["before"], 3) for which in ("control", "now")}
    return {"inputs": inputs, "from a press to its picture": found, "memory": {"in MB": mb, "ratio": ratios}}


def with_names(asked: argparse.Namespace, temporary: Path) -> dict[str, Any]:
    """Every page and export of many evenings, and the loop meanwhile."""
    folder: Path = asked.state or temporary
    if asked.state is None:
        with patch.object(writer, "open_to_write", unchecked):  # else each power-up reads the whole file
            Evenings(folder, 1).play(asked.evenings)
    return {
        "sums": {"all": sums(folder)},
        "pages": pages(folder, asked.runs),
        "loop": loop(folder, asked.rounds, asked.turns),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench statistics", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--evenings", type=int, default=1000, metavar="N", help="number of evenings (default 1000)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="measurements of each page (default 5)")
    parser.add_argument("--rounds", type=int, default=12, metavar="N", help="number of rounds (default 12)")
    parser.add_argument(
        "--turns", type=int, default=100, metavar="N", help="turns of the knob per series (default 100)"
    )
    parser.add_argument(
        "--state", type=Path, metavar="FOLDER", help="use the journal in this folder instead of a new one"
    )
    parser.add_argument(
        "--without-names", action="store_true", help="measure instead what names cost if nobody has one"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        if asked.without_names:
            found = without_names(Path(temporary), asked.rounds, asked.turns)
        else:
            found = with_names(asked, Path(temporary))
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    for title, rows in found.items():
        print(title)
        for name, values in rows.items():
            print(f"  {name:32}", "  ".join(f"{key} {value}" for key, value in values.items()))


if __name__ == "__main__":
    main()
