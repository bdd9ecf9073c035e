"""A strict JSON reader: MicroPython's own also accepts `[1 2]`, `{"a":1,,}`, `01` and the like."""

import json
import re
from binascii import unhexlify

SCALAR = re.compile(r"^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?)$")
SPACE = b" \t\r\n"
STOPS = SPACE + b',:[]{}"'
ESCAPES = b'"\\/bfnrtu'

VALUE, KEY, END, COLON, AFTER = 1, 2, 4, 8, 16  # the tokens that may follow; END: of an empty array or object


def loads(text: bytes) -> object:
    """The value of a JSON text. Raises `ValueError`, or another `Exception` where memory is too small."""
    check(text)
    return json.loads(text)


def check(text: bytes) -> None:
    """Raise `ValueError` where commas, colons, brackets, strings or words are not JSON."""
    inside = []  # the end byte of each open array and object
    wants = VALUE
    n = 0
    while n < len(text):
        byte = text[n]
        if byte in SPACE:
            n += 1
        elif byte == 0x22:
            fits(wants & (VALUE | KEY))
            wants = COLON if wants & KEY else AFTER
            n = after_string(text, n + 1)
        elif byte == 0x3A:  # :
            fits(wants & COLON)
            wants = VALUE
            n += 1
        elif byte == 0x2C:  # ,
            fits(wants & AFTER and inside)
            wants = KEY if inside[-1] == 0x7D else VALUE
            n += 1
        elif byte == 0x5B or byte == 0x7B:  # [ {
            fits(wants & VALUE)
            inside.append(byte + 2)  # the code of its end
            wants = (KEY if byte == 0x7B else VALUE) | END
            n += 1
        elif byte == 0x5D or byte == 0x7D:  # ] }
            fits(wants & (AFTER | END) and inside and inside.pop() == byte)
            wants = AFTER
            n += 1
        else:
            fits(wants & VALUE)
            wants = AFTER
            start = n
            while n < len(text) and text[n] not in STOPS:
                n += 1
            word = text[start:n]
            fits(word.isdigit() and (word[0] != 0x30 or n == start + 1) or SCALAR.match(word))
    fits(wants == AFTER and not inside)


def after_string(text: bytes, n: int) -> int:
    """The place after a string whose first character is here."""
    while n < len(text) and text[n] != 0x22:
        fits(text[n] >= 0x20)
        if text[n] == 0x5C:  # a backslash
            n += 1
            fits(n < len(text) and text[n] in ESCAPES)
            if text[n] == 0x75:  # u
                fits(len(unhexlify(text[n + 1 : n + 5])) == 2)
        n += 1
    fits(n < len(text))
    return n + 1


def fits(true: object) -> None:
    """Raise `ValueError` if this is not so."""
    if not true:
        raise ValueError("not JSON")
