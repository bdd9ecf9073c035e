"""Products: two choices of each part, with their usual prices (EUR, 2026).

Both have the size and the pins of hardware/sizes.py: the drawings fit either.
"""

from typing import NamedTuple


class Product(NamedTuple):
    """A suitable product and its usual price for one piece."""

    name: str
    eur: float


Choices = tuple[Product, Product]

BOARDS: dict[str, Choices] = {
    "pi-zero-2w": (
        Product("Raspberry Pi Zero 2 WH", 19.0),
        Product("Raspberry Pi Zero 2 W, and a header to solder", 17.0),
    ),
    "pi-4b": (Product("Raspberry Pi 4 B, 1 GB", 38.0), Product("Raspberry Pi 4 B, 2 GB", 48.0)),
    "pi-5": (Product("Raspberry Pi 5, 1 GB", 48.0), Product("Raspberry Pi 5, 2 GB", 60.0)),
}
# of a board
SUPPLIES: dict[str, Choices] = {
    "pi-zero-2w": (
        Product("supply 5.1 V, 2 A or more, with a micro USB lead", 9.0),
        Product("supply 5.1 V, 2 A or more, and a micro USB cable", 12.0),
    ),
    "pi-4b": (
        Product("supply 5.1 V, 3 A or more, with a USB-C lead", 9.0),
        Product("supply 5.1 V, 3 A or more, and a USB-C cable", 12.0),
    ),
    "pi-5": (
        Product("supply 5.1 V, 5 A, with a USB-C lead, made for a Raspberry Pi 5", 13.0),
        Product("supply 5.1 V, 5 A, and a USB-C cable for 5 A, made for a Raspberry Pi 5", 18.0),
    ),
}
# of a board that needs one
COOLERS: dict[str, Choices] = {
    "pi-5": (
        Product("Raspberry Pi Active Cooler, for a 5", 5.5),
        Product("heat sink with fan for a Raspberry Pi 5, on its fan socket, no higher than 15 mm", 6.0),
    )
}
_FROM_A = (
    Product("USB cable, A to micro B, 0.3 m, with data", 2.5),
    Product("USB cable, A to micro B, 0.5 m, with data", 3.0),
)
# from a board to a Pico
CABLES: dict[str, Choices] = {
    "pi-zero-2w": (
        Product("USB OTG cable, micro B to micro B, 0.3 m, with data", 3.5),
        Product("USB OTG cable, micro B to micro B, 0.5 m, with data", 4.0),
    ),
    "pi-4b": _FROM_A,
    "pi-5": _FROM_A,
}
BUTTONS: dict[str, Choices] = {
    "dome-60": (
        Product("arcade dome button 60 mm, LED 5 V, microswitch", 4.5),
        Product("arcade dome button 60 mm, LED 12 V, microswitch, with a T10 LED for 5 V to put in", 5.0),
    ),
    "dome-45": (
        Product("arcade dome button 45 mm, LED 5 V, microswitch", 3.5),
        Product("arcade dome button 45 mm, LED 12 V, microswitch, with a T10 LED for 5 V to put in", 4.0),
    ),
    "arcade-30": (
        Product("arcade button 30 mm, LED 5 V, snap-in", 2.5),
        Product("arcade button 30 mm, LED 5 V, with nut", 3.0),
    ),
}
DISPLAYS: dict[str, Choices] = {
    "ssd1306": (
        Product('OLED module 0.96", 128x64, SSD1306, white', 4.0),
        Product('OLED module 0.96", 128x64, SSD1306, blue', 4.0),
    ),
    "sh1106": (
        Product('OLED module 1.3", 128x64, SH1106, white', 6.0),
        Product('OLED module 1.3", 128x64, SH1106, blue', 6.0),
    ),
    "ssd1309": (
        Product('OLED module 2.42", 128x64, SSD1309, white', 17.0),
        Product('OLED module 2.42", 128x64, SSD1309, yellow', 17.0),
    ),
}
