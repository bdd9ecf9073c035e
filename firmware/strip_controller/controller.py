"""The loop: bytes from the line, frames to the lamps, and the watchdog that starts the board anew if it stands still."""

import select
import sys
import time

import machine
import micropython
from neopixel import NeoPixel

import settings
from lamps import Lamps
from line import Line

SILENCE_MS = 5000  # then the kit is gone
WATCHDOG_MS = 4000
MAX_WAIT_MS = 1000  # so the watchdog is fed in time
BURST = 64  # bytes taken before it is looked whether a frame is due
PIECE = 64  # bytes of an answer written at once, one USB packet
CTRL_C = 3


def say(text: str) -> None:
    """Answer one line.

    A port that was opened without raising DTR never holds us back: what is written faster than USB takes it is lost.
    """
    data = (text + "\r\n").encode()
    for start in range(0, len(data), PIECE):
        if start:
            time.sleep_ms(1)
        sys.stdout.buffer.write(data[start : start + PIECE])


def to_repl() -> None:
    """Start anew and stay at the REPL. A running watchdog cannot be stopped, so there is no other way."""
    open("repl", "w").close()
    machine.reset()


def run() -> None:
    """Obey the line for ever; returns only when it is gone, which USB never is."""
    strip, complaints = settings.read("strip.json")
    for complaint in complaints:
        say(complaint)
    white = strip["kind"] == "SK6812"
    pixels = NeoPixel(machine.Pin(strip["pin"]), strip["leds"], bpp=4 if white else 3)
    lamps = Lamps(pixels, strip["leds"], white, strip["max_mA"], time.ticks_ms())
    micropython.kbd_intr(-1)
    try:
        loop(lamps, Line(lamps, say, to_repl), machine.WDT(timeout=WATCHDOG_MS))
    finally:
        micropython.kbd_intr(CTRL_C)


def loop(lamps: Lamps, line: Line, watchdog: machine.WDT) -> None:
    """Wait for a byte, or for the next thing to do."""
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    stdin = sys.stdin.buffer
    byte = bytearray(1)

    def ready(wait_ms: int) -> bool:
        for _ in poller.ipoll(wait_ms):  # unlike poll() it makes no list
            return True
        return False

    heard = time.ticks_ms()
    while True:
        watchdog.feed()
        now = time.ticks_ms()
        wait_ms = lamps.frame(now)
        if not lamps.waiting:
            silent_ms = time.ticks_diff(now, heard)
            if silent_ms >= SILENCE_MS:
                lamps.forget(now)
                continue
            wait_ms = min(wait_ms, SILENCE_MS - silent_ms)
        if not ready(min(wait_ms, MAX_WAIT_MS)):
            continue
        heard = time.ticks_ms()
        for _ in range(BURST):
            if not stdin.readinto(byte):
                return
            line.take(byte[0])
            if not ready(0):
                break
