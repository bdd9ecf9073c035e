"""A stand-in for a WLED controller at the other end of the strip's serial line, byte by byte, in virtual time.

It is WLED 16.0.1 as far as a strip shows it: what is known of it was read in its documentation and its sources, as
wled_serial.cpp, json.cpp, udp.cpp, led.cpp, FX_fcn.cpp and bus_manager.cpp; nothing was measured. It has a JSON buffer
as on the smaller of its boards. Frames of its other protocols are read, but not shown; changes are not faded.
"""

import copy
import json
import re
from collections import deque
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from hardware.parts.strip import OFF, Colour, Pixels

BYTE_S = 10 / 115_200
GAP_S = 0.1  # a document is given up after so long without a byte
START_S = 0.8
WORK_S = 0.0005  # from a document's last brace to the byte that is thrown away
LAMP_S = 30e-6  # the strip's own line; nothing is read while it is written
BUSY_S = 0.25  # then it says that its JSON buffer is still taken, and tries once more
WAITING_BYTES = 256  # received and not read yet; more is lost
MAX_LINE = 255  # bytes of a line, its line feed included
JSON_BYTES = 10_240  # of memory for one document
SLOT_BYTES = 16  # of it for each value
DEEPEST = 10
FRAME_S = 1 / 42
EFFECT = Colour(255, 160, 0)  # what it shows by itself
LIVE = Colour(0, 40, 40)  # what another program sends
# as its json.cpp writes it, on an ESP32 with its usual usermod, that has just been set up
ANSWER = json.loads(Path(__file__).with_name("wled_answer.json").read_text())
(SEGMENT,) = ANSWER["state"]["seg"]
GEOMETRY = ("start", "stop", "grp", "spc", "mi", "fx")  # where one of them is new, a segment begins anew
JSON_BUILD = 2108250  # since then it reads documents
ESP_MA, LAMP_MA = 100, 55  # what it reckons with
BAUD_RATES = range(0xB0, 0xB8)  # the first of them is the one that it has
LOST = "lost: "
BABBLE = b"\x1b\xff\x00l\x8e rst cause:2, boot mode:(3,6)\r\nAda\r\n"
FRAMES: dict[str, tuple[bytes, int, Callable[..., int]]] = {  # the name, bytes of the header, bytes after it
    "A": (b"da", 3, lambda high, low, check: 3 * ((high << 8 | low) + 1) if check == high ^ low ^ 0x55 else 0),
    "I": (b"MPROV", 3, lambda _version, _kind, length: length + 1),
    "\xc9": (b"\xda", 2, lambda high, low: (high << 8 | low) // 3 * 3),
}


class Wled:
    """A WLED. `hear` what is sent to it and `tick` as time passes; both return what it has said since.

    The first byte of what is heard comes at `now_s`, the others as fast as the line goes. Power comes on at 0 s.
    """

    def __init__(self, leds: int, build: str = "2605010") -> None:
        self.leds = leds
        self.faults: list[str] = []  # whatever it did not take as it was meant, in words
        self.segments: list[dict[str, Any]] = [{}]  # what their owner has set otherwise than by default
        self.asked = 0  # how often it was asked for everything
        self.busy = False  # its JSON buffer is in use, by its own web page for one
        self.limit_ma = 0
        self.tells_dark = True  # its limit; 0.15.0 does not
        self.live = ""  # the kind of data that another program sends all the time
        self.build = build  # empty: nobody's, it has none
        self.start(0.0)

    def start(self, now_s: float) -> None:
        """Take the power away and bring it back. It babbles, and hears nothing before it is up."""
        self.on, self.brightness = True, 128
        self.locked = False  # live by a command
        self.override = 0  # of live data
        self.playlist = -1
        self._nightlight: tuple[float, int] | None = None  # since when it fades, and from which brightness
        self.frozen = False  # else its own effect runs
        self._pixels = [EFFECT] * self.leds
        self._cleared_s: float | None = None  # when a frame clears what was painted
        self._saying = deque((now_s, byte) for byte in BABBLE)  # when each byte is on the line
        self._deaf = False  # its baud rate is another
        self._waiting: deque[tuple[float, int]] = deque()
        self._line_s = 0.0  # when the line was done with the latest byte
        self._free_s = now_s + START_S  # when it can read again
        self._up_s = self._free_s
        self._read_s = 0.0
        self._reading = False  # a document
        self._text = b""  # of the document
        self._other: Generator[None, int, None] | None = None  # a frame of another protocol
        self._throws = False  # away whatever comes next
        self._owed = False  # the byte after a document
        self._broken = False  # in the rest of a document that was given up

    def lengthen(self, leds: int) -> None:
        """Its owner sets another number of lamps; it does not start anew."""
        self._pixels += [OFF] * (leds - self.leds)
        self.leds = leds

    def fade_out(self, now_s: float) -> None:
        """Somebody sets the nightlight: dark in a minute."""
        self._nightlight = now_s, self.brightness

    @property
    def pixels(self) -> Pixels:
        """What it would answer to `l`: all segments, the later ones above; or what another program sends."""
        if (self.live or self.locked) and not self.override:
            return (LIVE if self.live else OFF,) * self.leds
        shown = [OFF] * self.leds
        for number, own in enumerate(self.segments):
            segment = self._segment(number, own)
            if segment["on"] and segment["stop"] > segment["start"]:
                self._blend(shown, segment)
        return tuple(shown)

    def _segment(self, number: int, own: dict[str, Any]) -> dict[str, Any]:
        segment = {**SEGMENT, "id": number, "stop": self.leds, "frz": self.frozen and number == 0} | own
        return segment | {"len": segment["stop"] - segment["start"]}

    def _blend(self, shown: list[Colour], segment: dict[str, Any]) -> None:
        """Lay a segment over what is there: turned, in groups, mirrored and shifted."""
        start, stop = segment["start"], min(segment["stop"], self.leds)
        length, group = stop - start, segment["grp"] + segment["spc"]
        count = -(-length // group)
        count = -(-count // 2) if segment["mi"] else count
        painted = self._pixels if segment["frz"] else [EFFECT] * self.leds
        for n in range(count):
            colour = Colour(*(part * segment["bri"] // 255 for part in painted[n]))
            first = (count - n - 1 if segment["rev"] else n) * group
            for place in range(first, min(first + segment["grp"], length)):
                for at in {place, length - place - 1 if segment["mi"] else place}:
                    shown[start + (at + segment["of"]) % length] = colour

    @property
    def lamps(self) -> Pixels:
        """The light that comes out."""
        used, level = self._used_ma(), self.brightness if self.on else 0
        if self.limit_ma and used > self.limit_ma:
            level = level * (self.limit_ma - ESP_MA) // (used - ESP_MA)
        return tuple(Colour(*(part * level // 255 for part in pixel)) for pixel in self.pixels)

    def _used_ma(self) -> int:
        """What it reckons that it would take without a limit."""
        level = self.brightness if self.on else 0
        return sum(map(sum, self.pixels)) * level // 255 * LAMP_MA // 765 + self.leds + ESP_MA

    def hear(self, now_s: float, data: bytes) -> bytes:
        """Take what is sent; what it has said by the time all of it has come."""
        for byte in data:
            self._line_s = max(now_s, self._line_s + BYTE_S)
            self._run(self._line_s)
            if self._deaf or self._line_s < self._up_s:
                continue
            if len(self._waiting) == WAITING_BYTES:
                self._lose(byte)
                continue
            self._waiting.append((self._line_s, byte))
            self._run(self._line_s)
        return self._words(self._line_s)

    def tick(self, now_s: float) -> bytes:
        """Let time pass; what it has said by then."""
        self._run(now_s)
        self._pass(now_s)
        if self._reading and not self._waiting and now_s - self._read_s > GAP_S:
            self._give_up("a gap")
        if self._owed and not self._waiting and now_s - self._read_s > GAP_S:
            self._owe()
        return self._words(now_s)

    def _pass(self, now_s: float) -> None:
        """What comes with time alone: a frame, and the nightlight."""
        if self._cleared_s is not None and now_s >= self._cleared_s:
            self._cleared_s = None
            self._pixels = [OFF] * self.leds
        if self._nightlight is not None:
            since_s, before = self._nightlight
            self.brightness = round(before * max(0.0, 1 - (now_s - since_s) / 60))
            self.on = self.brightness > 0
            if not self.on:
                self._nightlight, self.brightness = None, before

    def _lose(self, byte: int) -> None:
        if not (self.faults and self.faults[-1].startswith(LOST)):
            self.faults.append(LOST)
        self.faults[-1] += chr(byte)

    def _words(self, now_s: float) -> bytes:
        said = bytearray()
        while self._saying and self._saying[0][0] <= now_s:
            said.append(self._saying.popleft()[1])
        return bytes(said)

    def _say(self, words: bytes) -> None:
        for byte in words:
            self._free_s += BYTE_S  # it waits until they are on the line
            self._saying.append((self._free_s, byte))

    def _run(self, now_s: float) -> None:
        while self._free_s <= now_s:
            if self._throws:
                self._throws = False
                if self._waiting and self._waiting[0][0] <= self._free_s:
                    if self._waiting.popleft()[1] != ord("\n"):
                        self._owe()
                    self._owed = False
            if not self._waiting or max(self._free_s, self._waiting[0][0]) > now_s:
                return
            came_s, byte = self._waiting[0]
            at_s = max(self._free_s, came_s)
            if self._reading and at_s - self._read_s > GAP_S:
                self._give_up("a gap")
            self._free_s = self._read_s = at_s
            if not self._reading and self._other is None and byte == ord("{") and self.busy:
                self._say(b'{"error":3}\r\n')  # and reads nothing: the document stays where it is
                self._free_s += BUSY_S
                continue
            self._waiting.popleft()
            self._take(byte)

    def _take(self, byte: int) -> None:
        if self._other is not None:
            try:
                self._other.send(byte)
            except StopIteration:
                self._other = None
        elif self._reading:
            self._read(byte)
        else:
            self._obey(byte)

    def _read(self, byte: int) -> None:
        """Read one more byte of a document: an error counts at the byte that makes it."""
        self._text += bytes([byte])
        if (letter := chr(byte)).isalnum() or letter in "+-.":
            return  # in the middle of a word
        text = re.sub(r"\\.", "_", self._text.decode("latin-1"), flags=re.DOTALL)
        brackets = re.sub('"[^"]*"?', "", text)
        if sum(brackets.count(opened) for opened in "{[") - sum(brackets.count(closed) for closed in "}]") > DEEPEST:
            self._give_up("too deep")
            return
        try:
            document = json.loads(text, strict=False)
        except json.JSONDecodeError as error:
            if error.pos < len(text) and not error.msg.startswith("Unterminated"):
                self._give_up(f"{letter!r}")
            return
        strings = set(re.findall('"([^"]*)"', text))  # each is kept once
        if memory(document) + sum(len(string) + 1 for string in strings) > JSON_BYTES:
            self._give_up("too much")
            return
        self._reading = False
        self._finish(document)

    def _give_up(self, why: str) -> None:
        self.faults.append(f"{why} in a document: {self._text!r}")
        self._reading = False
        self._broken = True

    def _owe(self) -> None:
        self._owed = False
        self.faults.append(f"no line feed after a document: {self._text!r}")

    def _obey(self, byte: int) -> None:
        """One byte outside a document."""
        letter = chr(byte)
        if self._owed and letter != "\n":
            self._owe()
        self._owed = False
        if self._broken and letter in "vlLoOAI{\xc9":
            self.faults.append(f"read as a command: {letter!r}")
        match letter:
            case "\n":
                self._broken = False
            case "{" if not self.build or int(self.build) >= JSON_BUILD:
                self._reading, self._text = True, b"{"
            case "v":
                self._say(f"WLED {self.build or 'mine'}\r\n".encode())
            case "l":
                numbers = (red << 16 | green << 8 | blue for red, green, blue in self.pixels)
                self._say(f"[{','.join(map(str, numbers))}]\r\n".encode())
            case "L":
                data = bytes(part for pixel in self.pixels for part in pixel)
                self._say(b"\xc9\xda" + len(data).to_bytes(2, "big") + data + b"6\n")
            case _ if letter in FRAMES:
                self._other = self._frame(letter)
                next(self._other)
            case _ if byte in BAUD_RATES[1:]:
                self.faults.append(f"changes the baud rate: {letter!r}")
                self._deaf = True
                self._waiting.clear()
            case _ if not self._broken:
                self.faults.append(f"no command: {letter!r}")

    def _finish(self, document: dict[str, Any]) -> None:
        self._throws = self._owed = True
        self._pass(self._free_s)
        if len(self._text) + 1 > MAX_LINE:
            self.faults.append(f"a line of {len(self._text) + 1} bytes")
        if not self._text.isascii():
            self.faults.append(f"not plain ASCII: {self._text!r}")
        was_on = self.on and self.brightness > 0
        self._switch(document)
        turned_on = self.on and self.brightness > 0 and not was_on
        if turned_on:
            self.frozen = False
        self.override = document.get("lor", self.override)
        self.locked = document.get("live", self.locked)
        segments = document.get("seg", [])
        for segment in segments if isinstance(segments, list) else [segments]:
            self._set(segment, turned_on)
        self._free_s += WORK_S + LAMP_S * self.leds
        if document.get("v") is True:
            self.asked += 1
            self._say(json.dumps(self._everything(), separators=(",", ":")).encode() + b"\r\n")

    def _switch(self, document: dict[str, Any]) -> None:
        on, brightness = document.get("on", self.on), document.get("bri", self.brightness)
        if isinstance(on, bool):
            self.on = on
        else:
            self.faults.append(f"neither on nor off: {on!r}")
        if type(brightness) is int and 0 <= brightness <= 255:
            self.brightness = brightness
        else:
            self.faults.append(f"no brightness: {brightness!r}")
        if document.get("nl", {}).get("on") is False:
            self._nightlight = None
        elif self._nightlight is not None:
            self._nightlight = self._free_s, self.brightness  # it fades on from there

    def _set(self, segment: Any, turned_on: bool) -> None:
        """Set a segment's fields, then paint it."""
        number = segment.get("id", 0) if isinstance(segment, dict) else None
        if type(number) is not int or not 0 <= number < len(self.segments):
            self.faults.append(f"no such segment: {segment!r}")
            return
        if segment.get("stop") == 0:
            self.segments[number] = {"stop": 0}  # it keeps its number
            return
        before = self._segment(number, self.segments[number])
        for key in segment.keys() & SEGMENT.keys() - {"id", "frz"}:
            if type(segment[key]) is not type(SEGMENT[key]):
                self.faults.append(f"no {key}: {segment[key]!r}")
                return
            self.segments[number][key] = segment[key]
        after = self._segment(number, self.segments[number])
        if any(before[key] != after[key] for key in GEOMETRY):
            self._cleared_s = self._free_s + FRAME_S
        if "fx" in segment:
            self.playlist = -1
        if number == 0:
            self._paint(segment, turned_on)

    def _paint(self, segment: dict[str, Any], turned_on: bool) -> None:
        if segment.get("frz") is False:
            self.frozen = False
        items = segment.get("i")
        if not isinstance(items, list):
            return
        if turned_on:  # its documentation: that does not work in one document
            self.faults.append("switched on and painted at once")
            return
        if not self.frozen:
            self.frozen = True
            self._pixels = [OFF] * self.leds
        start = stop = numbers = 0
        for item in items:
            if type(item) is int:
                if numbers == 0:
                    start = abs(item)
                else:
                    stop = abs(item)
                numbers += 1
                if numbers > 2:
                    self.faults.append(f"a third number in a row: {item}")
                continue
            if numbers < 2 or stop <= start:
                if numbers >= 2:
                    self.faults.append(f"a range that ends before it starts: {start},{stop}")
                stop = start + 1
            if stop > self.leds:
                self.faults.append(f"past the last lamp: {start},{stop}")
            colour = self._colour(item)
            for place in range(start, min(stop, self.leds)):
                self._pixels[place] = colour
            start, numbers = stop, 0
        if numbers:
            self.faults.append(f"numbers without a colour: {start}")

    def _colour(self, item: Any) -> Colour:
        """RRGGBB or RRGGBBWW, or a list of these parts. The white is left out here."""
        if isinstance(item, list) and len(item) in (3, 4) and all(type(n) is int and 0 <= n <= 255 for n in item):
            return Colour(*item[:3])
        if isinstance(item, str) and len(item) in (6, 8) and set(item) <= set("0123456789ABCDEFabcdef"):
            return Colour(*bytes.fromhex(item)[:3])
        self.faults.append(f"no colour: {item!r}")
        return OFF

    def _everything(self) -> dict[str, Any]:
        """Its state, and what it says about itself."""
        answer: dict[str, Any] = copy.deepcopy(ANSWER)
        state, info, leds = answer["state"], answer["info"], answer["info"]["leds"]
        segments = [self._segment(number, own) for number, own in enumerate(self.segments)]
        state |= {"on": self.on and self.brightness > 0, "bri": self.brightness, "pl": self.playlist}
        state["nl"] |= {"on": self._nightlight is not None}
        state |= {"lor": self.override, "seg": [each for each in segments if each["len"] > 0]}
        used = self._used_ma() if self.limit_ma else ESP_MA
        leds |= {"count": self.leds, "pwr": min(used, self.limit_ma or used), "maxpwr": self.limit_ma}
        if not self.tells_dark and not any(map(any, self.pixels)):
            leds |= {"pwr": 0, "maxpwr": 0}
        info |= {"live": bool(self.live or self.locked), "lm": self.live, "lip": "192.168.1.20" if self.live else ""}
        if self.build:
            info["vid"] = int(self.build)
        else:
            del info["vid"]
        return answer

    def _frame(self, letter: str) -> Generator[None, int, None]:
        """Read a frame of another protocol, from the byte after its letter."""
        name, header, length = FRAMES[letter]
        for wanted in name:
            if (byte := (yield)) != wanted:
                if (letter, byte) == ("\xc9", 0xAA):  # a ping
                    self._say(b"\xac")
                return
        head = [0] * header
        for n in range(header):
            head[n] = yield
        for _ in range(length(*head)):
            yield


def memory(value: Any) -> int:
    """Bytes for the values of a document."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return SLOT_BYTES + sum(map(memory, parts))
