"""Measure the figures of docs/measurements.md: rules, press to light, bytes per picture, start-up, memory, idle.

Each figure is shown with its goal, or with that of the usual alternative, measured in the same run. These are
measurements, not tests: run them on a quiet machine.
"""

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

MS = 1_000_000
SHEETS = tuple(
    f"sheet:{name}" for name in ("wizard", "tichu", "skat_list", "molkky", "yahtzee", "quiz_buzzer", "counter")
)


def quantile(values: list[float], part: float) -> float:
    """The value below which this share lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def rules(seconds: float) -> dict[str, Any]:
    """Through act(), on one core: decisions a second of recorded games, and actions a second of random score sheets.

    Beside them a game in plain Python.
    """
    from engine import games
    from tests.simulators.decisions import player

    found: dict[str, Any] = {}
    for name in games.names():
        found[name] = {"decisions_per_s": fastest(player(games.rules(name), name), seconds)}
    for name in SHEETS:
        found[name] = {"actions_per_s": actions_per_s(name, 4000, seconds)}
    for name, row in found.items():
        (best,), goal = row.values(), 25_000 if name in SHEETS else 100_000
        row.update({"goal_per_s": goal, "ratio": round(best / goal, 2)})
    try:
        from open_spiel.python.games import tic_tac_toe  # pyright: ignore[reportMissingImports]
    except ImportError:
        found["open_spiel"] = "left out: pip install open-spiel"
        return found
    board, dice = tic_tac_toe.TicTacToeGame(), random.Random(1)

    def tic_tac_toe_games() -> int:
        moves = 0
        for _ in range(200):
            state = board.new_initial_state()
            while not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))
                moves += 1
        return moves

    found["open_spiel_tic_tac_toe"] = {"actions_per_s": fastest(tic_tac_toe_games, seconds)}
    return found


def actions_per_s(name: str, many: int, seconds: float) -> int:
    """Through act(), on one core: so many actions of random games, again and again."""
    from engine.game import act
    from tests.simulators.every_game import rules_of

    game, steps = rules_of(name), recorded(name, many)

    def play() -> int:
        for state, action, chance in steps:
            act(game, state, action, chance)
        return len(steps)

    return fastest(play, seconds)


def fastest(play: Callable[[], int], seconds: float) -> int:
    """The most actions a second of many turns; `play` returns how many it has answered."""
    best = 0.0
    end = time.process_time() + seconds
    while time.process_time() < end:
        begin = time.process_time()
        best = max(best, play() / (time.process_time() - begin))
    return round(best)


def recorded(name: str, steps: int) -> list[tuple[Any, Any, Any]]:
    """States and legal actions of random games of four (or as many as may play) with the default options."""
    from engine import play as plays
    from engine.rules import Action, Chance
    from firmware.random_play.strangers import Stranger
    from tests.simulators.every_game import rules_of

    game, dice = rules_of(name), random.Random(1)
    stranger = Stranger(game, dice, lean=4)
    names = ("A", "B", "C", "D")[: game.seats[1]]
    found: list[tuple[Any, Action, Chance]] = []
    while len(found) < steps:
        play = plays.opened(game, plays.start(game, names, game.options(), dice.randrange(99)))
        now_ns = 10**9
        for _ in range(2000):
            if play.over:
                break
            action = stranger.pick(play.offers, now_ns, now_ns)
            now_ns = max(now_ns, action.at_ns)
            found.append((play.state, action, Chance(play.seed, play.step)))
            facts = plays.answer(play, action)
            stranger.heard(play, action.verb, action.value, facts)
            for fact in facts:
                play = plays.fold(play, fact)
    return found


def picture_bytes() -> dict[str, Any]:
    """Bytes on the I2C bus a changed picture, in two whole games, against luma's own full frame."""
    from luma.oled.device import ssd1309
    from PIL import Image

    from hardware.parts.display.emulated import EmulatedI2c, I2cBus
    from hardware.parts.display.emulated_chip import Chip
    from tests.simulators import evenings
    from tests.simulators.rig import Rig

    chip = Chip("ssd1309")
    device = ssd1309(EmulatedI2c(I2cBus(chip)))
    before = chip.bytes
    device.display(Image.new("1", (128, 64)))
    full = chip.bytes - before
    device.persist = True
    found: dict[str, Any] = {"luma_full_frame": full}
    for game in (evenings.kitty_paw, evenings.pack_and_stack):
        with tempfile.TemporaryDirectory() as folder:
            rig = Rig(Path(folder))
            sizes: list[float] = []
            last = [rig.display.bytes_sent]

            def count(_: bytes, sizes: list[float] = sizes, last: list[int] = last, rig: Rig = rig) -> None:
                if (now := rig.display.bytes_sent) != last[0]:
                    sizes.append(now - last[0])
                    last[0] = now

            rig.display.watch(count)
            game(rig)
            rig.close()
        middle = statistics.median(sizes)
        found[game.__name__] = {
            "pictures": len(sizes),
            "median": middle,
            "p95": quantile(sizes, 0.95),
            "median_ratio": round(middle / full, 3),
            "goal_ratio": 0.15,
        }
    return found


def drawn() -> dict[str, Any]:
    """Random evenings of five games: steps of the loop, and pictures that were drawn; with and without keeping them.

    Also the processor time of such an evening with them, as a part of that without.
    """
    from firmware.output import screens
    from firmware.table.app import App
    from tests.simulators.people import People
    from tests.simulators.sheet_evenings import evening

    counts, draw, step, keep = Counter[str](), screens.draw, App.step, screens.KeptPictures.draw

    def counted(what: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            counts[what] += 1
            return original(*given, **named)

        return call

    def anew(kept: Any, *given: Any, **named: Any) -> Any:
        return screens.draw(*given, **named)

    found: dict[str, Any] = {}
    with (
        mock.patch.object(screens, "draw", counted("drawn", draw)),
        mock.patch.object(App, "step", counted("steps", step)),
        mock.patch.object(People, "look"),  # it draws each picture again
    ):
        for name, drawing in (("kept", keep), ("each time", anew)):
            counts.clear()
            began_s = time.process_time()
            with mock.patch.object(screens.KeptPictures, "draw", drawing), tempfile.TemporaryDirectory() as folder:
                for game in (*SHEETS[:3], "kitty_paw", "pack_and_stack"):
                    evening(Path(folder) / game, game, 4, 1, 120)
            found[name] = {**counts, "s": round(time.process_time() - began_s, 2)}
    found["ratio"] = {what: round(found["kept"][what] / found["each time"][what], 2) for what in ("drawn", "s")}
    return found


def latency(presses: int) -> dict[str, Any]:
    """Press (a mock pin is driven) to folded, to the first byte on the display's bus, to the strip's line, in ms."""
    import asyncio

    import msgspec

    from firmware import waiting
    from firmware.table.app import App, run
    from firmware.table.playing import Playing
    from hardware.config import TABLE, ControlConfig
    from hardware.kit import Kit
    from hardware.parts.buttons.gpio import GpioButtons
    from hardware.parts.control.gpio import GpioArrows
    from hardware.parts.display.emulated import EmulatedI2c, I2cBus
    from hardware.parts.display.emulated_chip import Chip
    from hardware.parts.display.oled import OledDisplay
    from hardware.parts.gpio import open_factory
    from hardware.parts.lamps.gpio import GpioLamps
    from hardware.parts.strip import Pixels
    from hardware.parts.strip.emulated import EmulatedStrip

    times: dict[str, int] = {}

    class Bus(I2cBus):
        def i2c_rdwr(self, *messages: Any) -> None:
            times.setdefault("display", time.monotonic_ns())
            super().i2c_rdwr(*messages)

    class Line(EmulatedStrip):
        def show(self, pixels: Pixels, *, calm: bool = True) -> None:
            times.setdefault("strip", time.monotonic_ns())
            super().show(pixels, calm=calm)

    config = msgspec.structs.replace(TABLE, control=ControlConfig("buttons", up=17, down=27, ok=24), buzzer=None)
    gpio = open_factory("mock")
    pins = {p.name: p.button for p in config.players}
    report: Callable[[str, str | None], None] = lambda name, text: None  # noqa: E731
    kit = Kit(
        config,
        GpioButtons(pins, gpio.inputs, "kernel", report),  # so that a touch is confirmed
        GpioArrows(17, 27, 24, gpio.inputs, gpio.source, report),
        GpioLamps({p.name: p.lamp for p in config.players if p.lamp is not None}, gpio.outputs, report),
        None,
        OledDisplay("ssd1306", lambda: EmulatedI2c(Bus(Chip("ssd1306"))), report, place="the bus"),
        Line(60, report),
    )
    found: dict[str, list[float]] = {"folded": [], "display": [], "strip": []}

    def drive(pin: int, low: bool) -> None:
        line = gpio.inputs.pin(pin)
        (line.drive_low if low else line.drive_high)()

    def tap(pin: int, ms: float = 45) -> None:
        drive(pin, True)
        time.sleep(ms / 1000)
        drive(pin, False)
        time.sleep(ms / 1000)

    async def play(folder: str) -> None:
        app = App(kit, Path(folder), now_ns=time.monotonic_ns())
        stop = asyncio.Event()
        take = Playing.take

        def taken(self: Playing, facts: Any, answered: Any = (), by: str = "") -> None:
            take(self, facts, answered, by)
            times.setdefault("folded", time.monotonic_ns())

        Playing.take = taken  # type: ignore[method-assign]

        def people() -> None:
            time.sleep(0.2)
            while "pack" not in str(getattr(app.table.top, "rows", list)()[getattr(app.table.top, "at", 0)][0]).lower():
                tap(27)
            tap(24)
            for name in ("P1", "P2", "P3"):
                tap(pins[name])
            tap(24)
            tap(24)
            tap(pins["P1"])
            for _ in range(presses):
                tap(24)  # deal
                time.sleep(3.3)
                for name in ("P1", "P2"):
                    times.clear()
                    at_ns = time.monotonic_ns()
                    tap(pins[name], 90)
                    for what, values in found.items():
                        if what in times:
                            values.append((times[what] - at_ns) / MS)
                time.sleep(0.2)
                drive(24, True)
                time.sleep(0.8)
                drive(24, False)
                time.sleep(0.1)
                tap(24)  # undo: back to the deal
                drive(24, True)
                time.sleep(0.8)
                drive(24, False)
                time.sleep(0.1)
            loop.call_soon_threadsafe(stop.set)

        loop = asyncio.get_running_loop()
        thread = threading.Thread(target=people)
        thread.start()
        await run(app, stop)
        thread.join()
        Playing.take = take  # type: ignore[method-assign]
        app.close()

    with tempfile.TemporaryDirectory() as folder:
        waiting.run(play(folder))
    goals = {"folded": 3.0, "display": 10.0, "strip": 7.0}
    return {
        what: {
            "presses": len(values),
            "median_ms": round(statistics.median(values), 2),
            "p99_ms": round(quantile(values, 0.99), 2),
            "goal_ms": goals[what],
        }
        for what, values in found.items()
        if values
    }


IMPORTS = """
import asyncio, argparse, sqlite3, msgspec, PIL.Image, luma.oled.device, luma.core.interface.serial, smbus2
import starlette.applications, starlette.routing, starlette.websockets, uvicorn, h11, websockets
import uvicorn.protocols.http.h11_impl, uvicorn.protocols.websockets.websockets_sansio_impl
"""


PLAY = """
import os, sys
from hardware.parts.display.emulated import EmulatedDisplay
watch = EmulatedDisplay._settled
def seen(self):
    watch(self)
    if self.picture().getbbox():
        EmulatedDisplay._settled = watch
        os.write(1, b"a picture\\n")
EmulatedDisplay._settled = seen
from firmware.__main__ import main
main(["play", "--emulated", "--port", "0"])
"""


def start_up(runs: int) -> dict[str, Any]:
    """`luckypaw play` to its first picture and until its page is served, against bare imports of what both use."""
    bare, pictures, ready = [], [], []
    for _ in range(runs):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", IMPORTS], check=True)
        bare.append(time.perf_counter() - begin)
        with tempfile.TemporaryDirectory() as folder:
            begin = time.perf_counter()
            program = popen(folder, "-c", PLAY)
            says(program, "a picture")
            pictures.append(time.perf_counter() - begin)
            says(program, "ready")
            ready.append(time.perf_counter() - begin)
            stop(program)
    picture, served, imports = (statistics.median(times) for times in (pictures, ready, bare))
    return {
        "bare_imports_ms": round(imports * 1000),
        "first_picture_ms": round(picture * 1000),
        "ready_ms": round(served * 1000),
        "picture_ratio": round(picture / imports, 2),
        "ready_ratio": round(served / imports, 2),
        "goal_ready_ratio": 2.0,
    }


def popen(folder: str, *words: str) -> subprocess.Popen[str]:
    """The program, with its journal in this folder."""
    from tests.simulators.program import ROOT, played_before

    played_before(Path(folder) / "luckypaw")
    env = {**os.environ, "XDG_STATE_HOME": folder}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed kit is compiled
    return subprocess.Popen([sys.executable, *words], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)


def says(program: subprocess.Popen[str], text: str) -> None:
    assert program.stdout is not None
    assert text in program.stdout.readline()


def started(folder: str) -> subprocess.Popen[str]:
    """The program, once it is ready."""
    program = popen(folder, "-m", "firmware", "play", "--emulated", "--port", "0")
    says(program, "ready")
    return program


def stop(program: subprocess.Popen[str]) -> None:
    program.terminate()
    program.wait(10)
    assert program.stdout is not None
    program.stdout.close()


def idle(seconds: float) -> dict[str, Any]:
    """Memory and load of an idle kit, without an open page."""

    def ticks(pid: int) -> tuple[float, int]:
        stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        cpu_s = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
        wakes = 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            found = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.MULTILINE)
            wakes += int(found[1]) if found else 0
        return cpu_s, wakes

    with tempfile.TemporaryDirectory() as folder:
        program = started(folder)
        time.sleep(1)
        before = ticks(program.pid)
        time.sleep(seconds)
        after = ticks(program.pid)
        rss = re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{program.pid}/status").read_text(), re.MULTILINE)
        stop(program)
    assert rss is not None
    return {
        "rss_mb": round(int(rss[1]) / 1024, 1),
        "goal_mb": 60,
        "cpu_percent": round(100 * (after[0] - before[0]) / seconds, 2),
        "goal_percent": 0.5,
        "wakeups_per_s": round((after[1] - before[1]) / seconds, 2),
        "goal_wakeups_per_s": 2,
    }


def table(name: str, rows: dict[str, Any]) -> None:
    """Print one measurement for people."""
    print(f"\n{name}")
    for key, value in rows.items():
        if isinstance(value, dict):
            print(f"  {key:16}" + "  ".join(f"{k} {v}" for k, v in value.items()))
        else:
            print(f"  {key:22}{value}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/bench kit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    args = parser.parse_args()
    found = {
        "rules": rules(0.5 if args.quick else 3),
        "picture_bytes": picture_bytes(),
        "drawn": drawn(),
        "press": latency(2 if args.quick else 12),
        "start_up": start_up(2 if args.quick else 7),
        "idle": idle(3 if args.quick else 20),
    }
    if args.json:
        print(json.dumps(found))
        return
    print("Lucky Paw, measured in one run. Ratios count; absolute times are this machine's.")
    for name, rows in found.items():
        table(name, rows)


if __name__ == "__main__":
    main()
