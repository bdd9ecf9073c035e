"""The lamps: their picture, fades and rhythms, and the limit of their current.

From the line to the wire each lamp goes through four stages, each a buffer made once:

    picture   as sent: red, green, blue of each lamp, the rhythm in their lowest bits
    aim       the picture at the requested brightness, or the sign for waiting
    light     the aim with rhythm and fade at this moment
    strip.buf the light within the allowed current, in the strip's own order

Current: a WS2812 or SK6812 draws about 1 mA for its chip and about 20 mA for each part (red, green, blue, white) at full
light, less in proportion below. So 60 white WS2812 draw 60 * 61 = 3,660 mA.
"""

import time
from array import array
from math import cos, pi

import micropython
from micropython import const

FRAME_MS = const(25)  # 40 frames a second
FADE_MS = const(200)
BREATH_MS = const(2000)
FLASH_MS = const(500)
STEP_MS = const(80)
RUN = const(6)  # lamps of one chase
BEAT_MS = const(12000)  # the common period of all rhythms

FULL = const(256)  # the full level of light
BREATH = array("H", [round(FULL * (0.625 + 0.375 * cos(pi * n / 100))) for n in range(200)])  # 100 % to 25 % and back
TRAIL = (FULL, FULL // 2, FULL // 4, FULL * 12 // 100, FULL * 12 // 100, FULL * 12 // 100)

AMBER = const(0x180C01)  # breathes
PART_MA = const(20)
REST_MA = const(1)

STANDS = const(1000000)  # ms; no frame is due


class Lamps:
    """A strip of lamps; times are those of `time.ticks_ms`."""

    def __init__(self, strip: NeoPixel, leds: int, white: bool, max_ma: int, now: int) -> None:
        """`white`: the lamps have a white part, the last of four."""
        self.leds = leds
        self.picture = bytearray(3 * leds)
        self.on = True
        self.bri = 255
        self.waiting = True  # for a picture
        self._strip = strip
        self._white = white
        self._most = max(0, max_ma - REST_MA * leds) * 255 // PART_MA  # the largest sum of a frame's parts
        self._sign = bytearray(3 * leds)
        self._aims = bytearray(3 * leds)
        self._light = bytearray(3 * leds)
        self._from = bytearray(3 * leds)  # the light at the beginning of a fade
        self._left = bytearray(leds)  # the rest of a fade, ms
        self._levels = array("H", [FULL] * (8 + RUN))  # by the rhythm's bits; of chases by place, from 8
        self._rhythms = False  # whether the picture's rhythms are used
        self._moving = False
        self._changed = False
        self._beat = 0  # ms since the rhythms began
        self._at = self._due = now  # of the light; of the next frame
        for n in range(0, leds, 6):
            self._fill(self._sign, n, n + 1, AMBER)
        self._aim()

    def forget(self, now: int) -> None:
        """The kit is gone: drop its picture, and show the sign for waiting."""
        self._move_to(now)
        self._fill(self.picture, 0, self.leds, 0)
        self.on, self.bri = True, 255
        self.waiting = True
        self._rhythms = False
        self._aim()

    def show(self, strokes: list, on: bool, bri: int, rhythms: bool, now: int) -> None:
        """Apply a change: strokes (start, stop, colour), or None without a picture; `rhythms` stays on once set."""
        self._move_to(now)  # new fades begin at the current light
        self.on, self.bri = on, bri
        self._rhythms = self._rhythms or rhythms
        if strokes is not None:
            self.waiting = False
            for start, stop, colour in strokes:
                self._fill(self.picture, start, stop, colour)
        self._aim()

    def frame(self, now: int) -> int:
        """Write the frame if it is due; the time to the next one, in ms."""
        if not self._moving and not self._changed:
            self._due = now
            return STANDS
        wait_ms = time.ticks_diff(self._due, now)
        if wait_ms > 0:
            return wait_ms
        total = self._move_to(now)
        level = FULL if total <= self._most else self._most * FULL // total
        new = self._put_white(self._strip.buf, level) if self._white else self._put(self._strip.buf, level)
        if new or self._changed:
            self._strip.write()
        self._changed = False
        self._due = time.ticks_add(now, FRAME_MS)
        return FRAME_MS

    def _source(self) -> bytearray:
        return self._sign if self.waiting else self.picture

    def _aim(self) -> None:
        if not self._moving:
            self._beat = 0  # rhythms begin with the first picture that has one
        self._turn_to(self._source(), self.bri + (self.bri >> 7) if self.on else 0)
        self._changed = True

    def _move_to(self, now: int) -> int:
        """Advance the light to this time; the sum of its parts."""
        passed_ms = time.ticks_diff(now, self._at)
        self._at = now
        beat = self._beat = (self._beat + passed_ms) % BEAT_MS
        rhythms = self._rhythms or self.waiting
        levels = self._levels
        levels[1] = BREATH[beat % BREATH_MS // 10] if rhythms else FULL
        levels[2] = 0 if rhythms and beat % FLASH_MS >= FLASH_MS // 2 else FULL
        head = beat // STEP_MS
        for place in range(RUN):
            levels[8 + place] = TRAIL[(head - place) % RUN] if rhythms else FULL
        sum_and_moves = self._move(self._source(), passed_ms)
        self._moving = bool(sum_and_moves & 1 or rhythms and sum_and_moves & 2)
        return sum_and_moves >> 2

    @micropython.viper
    def _fill(self, pixels, start: int, stop: int, colour: int):
        to = ptr8(pixels)
        at = 3 * start
        while at < 3 * stop:
            to[at] = colour >> 16
            to[at + 1] = colour >> 8 & 255
            to[at + 2] = colour & 255
            at += 3

    @micropython.viper
    def _turn_to(self, source, level: int):
        """Set the aim; a lamp that gets darker starts to fade, one that gets brighter does not."""
        given = ptr8(source)
        aim = ptr8(self._aims)
        light = ptr8(self._light)
        old = ptr8(self._from)
        left = ptr8(self._left)
        leds = int(self.leds)
        at = 0
        for n in range(leds):
            red = int(given[at]) * level >> 8
            green = int(given[at + 1]) * level >> 8
            blue = int(given[at + 2]) * level >> 8
            if red != int(aim[at]) or green != int(aim[at + 1]) or blue != int(aim[at + 2]):
                before = int(light[at]) + int(light[at + 1]) + int(light[at + 2])
                old[at] = light[at]
                old[at + 1] = light[at + 1]
                old[at + 2] = light[at + 2]
                aim[at] = red
                aim[at + 1] = green
                aim[at + 2] = blue
                left[n] = FADE_MS if red + green + blue < before else 0
            at += 3

    @micropython.viper
    def _move(self, source, passed_ms: int) -> int:
        """Advance the light; four times the sum of its parts, plus 1 if a lamp fades, plus 2 if one has a rhythm."""
        given = ptr8(source)
        aim = ptr8(self._aims)
        light = ptr8(self._light)
        old = ptr8(self._from)
        left = ptr8(self._left)
        levels = ptr16(self._levels)
        leds = int(self.leds)
        white = int(bool(self._white))
        total = 0
        moves = 0
        place = 0
        at = 0
        for n in range(leds):
            rhythm = (int(given[at]) & 1) << 2 | (int(given[at + 1]) & 1) << 1 | int(given[at + 2]) & 1
            if rhythm == 4:
                level = int(levels[8 + place])
                moves |= 2
            else:
                level = int(levels[rhythm])
                if rhythm == 1 or rhythm == 2:
                    moves |= 2
            red = int(aim[at]) * level >> 8
            green = int(aim[at + 1]) * level >> 8
            blue = int(aim[at + 2]) * level >> 8
            fade = int(left[n])
            if fade:
                fade = fade - passed_ms if fade > passed_ms else 0
                left[n] = fade
                if fade:
                    done = FADE_MS - fade
                    red = (int(old[at]) * fade + red * done) * 328 >> 16  # 328 / 65536 is 1 / 200
                    green = (int(old[at + 1]) * fade + green * done) * 328 >> 16
                    blue = (int(old[at + 2]) * fade + blue * done) * 328 >> 16
                    moves |= 1
            light[at] = red
            light[at + 1] = green
            light[at + 2] = blue
            total += red + green + blue
            if white:
                least = red if red < green else green
                total -= 2 * (least if least < blue else blue)
            place = place + 1 if place < RUN - 1 else 0
            at += 3
        return total << 2 | moves

    @micropython.viper
    def _put(self, wire, level: int) -> int:
        """Write the light at this level as green, red, blue; whether it has changed."""
        light = ptr8(self._light)
        to = ptr8(wire)
        leds = int(self.leds)
        new = 0
        at = 0
        for n in range(leds):
            red = int(light[at]) * level >> 8
            green = int(light[at + 1]) * level >> 8
            blue = int(light[at + 2]) * level >> 8
            if red != int(to[at + 1]) or green != int(to[at]) or blue != int(to[at + 2]):
                new = 1
                to[at] = green
                to[at + 1] = red
                to[at + 2] = blue
            at += 3
        return new

    @micropython.viper
    def _put_white(self, wire, level: int) -> int:
        """Write the light at this level as green, red, blue, white; white is the common part of the three."""
        light = ptr8(self._light)
        to = ptr8(wire)
        leds = int(self.leds)
        new = 0
        at = 0
        out = 0
        for n in range(leds):
            red = int(light[at])
            green = int(light[at + 1])
            blue = int(light[at + 2])
            white = red if red < green else green
            white = white if white < blue else blue
            red = (red - white) * level >> 8
            green = (green - white) * level >> 8
            blue = (blue - white) * level >> 8
            white = white * level >> 8
            if (
                red != int(to[out + 1])
                or green != int(to[out])
                or blue != int(to[out + 2])
                or white != int(to[out + 3])
            ):
                new = 1
                to[out] = green
                to[out + 1] = red
                to[out + 2] = blue
                to[out + 3] = white
            at += 3
            out += 4
        return new
