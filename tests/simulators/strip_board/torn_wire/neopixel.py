"""Stands in for a strip that fails at its third frame."""


class NeoPixel:
    """The part of MicroPython's own that the controller uses."""

    def __init__(self, pin, n, bpp=3, timing=1):
        self.buf = bytearray(n * bpp)
        self._frames = 0

    def write(self):
        """Send the buffer to the lamps."""
        self._frames += 1
        if self._frames == 3:
            raise OSError("torn")
