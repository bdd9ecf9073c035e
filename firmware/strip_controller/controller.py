"""The loop: bytes from the line, frames to the lamps, and the watchdog that restarts a board that hangs."""

import select
import sys
import time

import machine
import micropython
from neopixel import NeoPixel

import settings
from lamps import Lamps
from line import Line

SILENCE_MS = 5000  # after it the kit counts as gone
WATCHDOG_MS = 4000
MAX_WAIT_MS = 1000  # the watchdog must be fed in time
BURST = 64  # bytes read between two checks for a due frame
PIECE = 64  # bytes of an answer written at once, one USB packet
CTRL_C = 3
# high and low for 0, high and low for 1, ns: on a Pico 2 at 150 MHz MicroPython's own for a 0, 400 and 850, come out as a 1
# (micropython #18295)
TIMES_NS = (350, 900, 800, 450)


def say(text: str) -> None:
    """Answer one line.

    Without DTR a write never blocks: bytes written faster than USB takes them are lost.
    """
    data = (text + "\r\n").encode()
    for start in range(0, len(data), PIECE):
        if start:
            time.sleep_ms(1)
        sys.stdout.buffer.write(data[start : start + PIECE])


def to_repl() -> None:
    """Restart and stay at the REPL; a running watchdog cannot be stopped otherwise."""
    open("repl", "w").close()
    machine.reset()


def run() -> None:
    """Obey the line; returns only when it is gone, which never happens on USB."""
    strip, complaints = settings.read("strip.json")
    for complaint in complaints:
        say(complaint)
    white = strip["kind"] == "SK6812"
    pixels = NeoPixel(machine.Pin(strip["pin"]), strip["leds"], bpp=4 if white else 3, timing=TIMES_NS)
    lamps = Lamps(pixels, strip["leds"], white, strip["max_mA"], time.ticks_ms())
    micropython.kbd_intr(-1)
    try:
        loop(lamps, Line(lamps, say, to_repl), machine.WDT(timeout=WATCHDOG_MS))
    finally:
        micropython.kbd_intr(CTRL_C)


def loop(lamps: Lamps, line: Line, watchdog: machine.WDT) -> None:
    """Wait for a byte or the next frame."""
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    stdin = sys.stdin.buffer
    byte = bytearray(1)

    def ready(wait_ms: int) -> bool:
        for _ in poller.ipoll(wait_ms):  # unlike poll() it allocates no list
            return True
        return False

    last_byte = time.ticks_ms()
    while True:
        watchdog.feed()
        now = time.ticks_ms()
        wait_ms = lamps.frame(now)
        if not lamps.waiting:
            silent_ms = time.ticks_diff(now, last_byte)
            if silent_ms >= SILENCE_MS:
                lamps.forget(now)
                continue
            wait_ms = min(wait_ms, SILENCE_MS - silent_ms)
        if not ready(min(wait_ms, MAX_WAIT_MS)):
            continue
        last_byte = time.ticks_ms()
        for _ in range(BURST):
            if not stdin.readinto(byte):
                return
            line.take(byte[0])
            if not ready(0):
                break
