"""Plug a board in, in real time: it babbles for a while, then runs the controller.

    micropython plugged.py START_MS

It tells on standard error what the lamps settle at after each document that the controller obeys.
"""

import binascii
import select
import sys
import utime

import lamps


def babble(milliseconds):
    """Talk as many boards do at their start, then forget what has come in."""
    for _ in range(milliseconds // 20):
        sys.stdout.buffer.write(b"Ada\xff boot 17\r\n[1,2\x00{")
        utime.sleep_ms(20)
    waiting = select.poll()
    waiting.register(sys.stdin, select.POLLIN)
    while waiting.poll(0) and sys.stdin.buffer.read(1):
        pass


def telling(show):
    """The same, telling what was shown."""

    def show_and_tell(self, strokes, on, bri, rhythms, now):
        show(self, strokes, on, bri, rhythms, now)
        level = bri if on else 0
        sys.stderr.write(
            "settles %s\n" % binascii.hexlify(bytes(part * level // 255 for part in self.picture)).decode()
        )

    return show_and_tell


lamps.Lamps.show = telling(lamps.Lamps.show)
start_ms = int(sys.argv[1])
if start_ms:
    babble(start_ms)
import main
