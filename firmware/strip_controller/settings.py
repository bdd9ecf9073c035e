"""The settings: `strip.json` beside the program, written while it is flashed."""

import json

DEFAULTS = {"leds": 60, "pin": 16, "kind": "WS2812", "max_mA": 500}  # 500 mA: any USB port gives that
KINDS = ("WS2812", "SK6812")
PINS = tuple(range(23)) + (26, 27, 28)  # the pins on the board's edge
LEDS = range(8, 301)
MAX_MA = range(100, 20001)

ALLOWED = {
    "leds": (LEDS, "a whole number from 8 to 300"),
    "pin": (PINS, "a whole number from 0 to 22, 26, 27 or 28"),
    "kind": (KINDS, "WS2812 or SK6812"),
    "max_mA": (MAX_MA, "a whole number from 100 to 20000"),
}


def read(path: str) -> tuple[dict, list[str]]:
    """The settings, and a sentence for each wrong one, which has its default."""
    given, complaints = {}, []
    try:
        with open(path) as file:
            given = json.load(file)
        if type(given) is not dict:
            raise ValueError
    except OSError:
        pass  # not there: all defaults
    except ValueError:
        given = {}
        complaints.append(path + ": not a JSON object; the defaults are used")
    used = dict(DEFAULTS)
    for key, value in given.items():
        if key not in ALLOWED:
            complaints.append("%s: %s is unknown" % (path, key))
            continue
        allowed, words = ALLOWED[key]
        if type(value) is type(DEFAULTS[key]) and value in allowed:
            used[key] = value
        else:
            complaints.append("%s: %s = %r: must be %s; using %s" % (path, key, value, words, DEFAULTS[key]))
    if used["max_mA"] <= used["leds"]:
        complaints.append(
            "%s: max_mA = %d leaves no light: %d lamps take that much at rest" % (path, used["max_mA"], used["leds"])
        )
    return used, complaints
