"""Stands in for the strip: tells on standard error each frame that goes to its lamps, and when."""

import binascii
import sys
import time


class NeoPixel:
    """The part of MicroPython's own that the controller uses."""

    def __init__(self, pin, n, bpp=3, timing=1):
        # high and low for 0, high and low for 1, ns: as the data sheets of WS2812B, -B-V5 and SK6812 allow all of them
        for took, (least, most) in zip(timing, ((200, 400), (650, 1000), (580, 1000), (300, 600))):
            assert least <= took <= most
        sys.stderr.write("strip %d %d %d\n" % (pin.number, n, bpp))
        self.buf = bytearray(n * bpp)

    def write(self):
        """Send the buffer to the lamps."""
        sys.stderr.write("frame %d %s\n" % (getattr(time, "passed", 0), binascii.hexlify(self.buf).decode()))
