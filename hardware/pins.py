"""The 40-pin header of the Raspberry Pi: what each pin carries, and which pins lie beside each other.

Pins are numbered along the header: odd ones in the inner row, even ones in the outer row at the board's edge.
"""

V3, V5, GND = "3.3 V", "5 V", "GND"
PINS = range(1, 41)

# By the number of a GPIO line that of its pin, and the other pins.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
POWER = {1: V3, 2: V5, 4: V5, 17: V3}
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
CARRIED = POWER | dict.fromkeys(GROUND, GND) | {number: f"GPIO {line}" for line, number in HEADER.items()}


def across(number: int) -> int:
    """The pin in the other row."""
    return number + 1 if number % 2 else number - 1


def beside(number: int) -> tuple[int, ...]:
    """The pins next to one: a row up, a row down, and across. At the ends of the header there are two."""
    return tuple(pin for pin in (number - 2, number + 2, across(number)) if pin in PINS)


# A plug with ground that slips by one from here lies on 5 V: each pressed button then puts that on its line.
BESIDE_5V = tuple(number for number in GROUND if any(POWER.get(pin) == V5 for pin in beside(number)))
