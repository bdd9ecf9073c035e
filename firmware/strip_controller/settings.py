"""What is soldered where: `strip.json` beside the program, written by `scripts/flash-strip`."""

import json

DEFAULTS = {"leds": 60, "pin": 16, "kind": "WS2812", "max_mA": 500}  # 500 mA: what any USB port gives
KINDS = ("WS2812", "SK6812")
PINS = tuple(range(23)) + (26, 27, 28)  # the others are not on the board's edge
LEDS = range(8, 301)
MAX_MA = range(100, 20001)

ALLOWED = {
    "leds": (LEDS, "a whole number from 8 to 300"),
    "pin": (PINS, "a whole number from 0 to 22, 26, 27 or 28"),
    "kind": (KINDS, "WS2812 or SK6812"),
    "max_mA": (MAX_MA, "a whole number from 100 to 20000"),
}


def read(path: str) -> tuple[dict, list[str]]:
    """The settings, and a sentence for each one that is wrong and for which its default is taken instead."""
    found, complaints = {}, []
    try:
        with open(path) as file:
            found = json.load(file)
        if type(found) is not dict:
            raise ValueError
    except OSError:
        pass  # not there: all defaults
    except ValueError:
        found = {}
        complaints.append(path + ": not a JSON object; the defaults are taken")
    taken = dict(DEFAULTS)
    for key, value in found.items():
        if key not in ALLOWED:
            complaints.append("%s: %s is unknown" % (path, key))
            continue
        allowed, words = ALLOWED[key]
        if type(value) is type(DEFAULTS[key]) and value in allowed:
            taken[key] = value
        else:
            complaints.append("%s: %s = %r: allowed is %s; taken is %s" % (path, key, value, words, DEFAULTS[key]))
    if taken["max_mA"] <= taken["leds"]:
        complaints.append(
            "%s: max_mA = %d leaves no light: %d lamps take that much at rest" % (path, taken["max_mA"], taken["leds"])
        )
    return taken, complaints
