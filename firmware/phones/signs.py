"""The signs that people read off one display and compare with another: the code to join with, and a phone's name."""

import secrets
from collections.abc import Iterable
from hashlib import sha256

from firmware.people.names import narrow

LETTERS = "23456789ABCDEFGHJKMNPQRSTUWXYZ"  # none looks like another one; on the display a V would
CODE = 6  # signs
NAMES = (  # cats', no two of which begin, look or sound alike; the same in every language
    *("Acorn", "Astro", "Atlas", "Bamboo", "Bubble", "Cactus", "Chilli", "Clover", "Comet", "Crumb", "Denim"),
    *("Disco", "Domino", "Falcon", "Fluffy", "Frosty", "Galaxy", "Gecko", "Gizmo", "Hippo", "Honey", "Igloo"),
    *("Jelly", "Kayak", "Kiwi", "Koala", "Lava", "Lemon", "Mango", "Meteor", "Mocha", "Muffin", "Nacho", "Ninja"),
    *("Noodle", "Nugget", "Orbit", "Otter", "Panda", "Pepper", "Pirate", "Pluto", "Polka", "Raisin", "Ripple"),
    *("Rocket", "Saturn", "Shadow", "Socks", "Sparky", "Storm", "Sushi", "Tiger", "Toffee", "Tulip", "Twist"),
    *("Velvet", "Viking", "Waffle", "Wizard", "Wombat", "Zebra", "Zigzag", "Zorro"),
)


def new_code() -> str:
    """A code to join with."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


def copied(text: str) -> str:
    """The signs that somebody has copied from a display: letters, as capitals, and digits, from any keyboard.

    People part them by blanks and hyphens, and what is pasted may have marks that nobody sees. A V is taken for a U:
    no code has one.
    """
    return "".join(sign for sign in narrow(text).upper().replace("V", "U") if sign.isalnum())


def tag(phone: str) -> str:
    """What a phone with this id is called, unless another one is: on the kit's display, and on its own page."""
    return NAMES[sha256(phone.encode()).digest()[0] % len(NAMES)]


def tags(phones: Iterable[str]) -> dict[str, str]:
    """What phones are called, by id: of two with the same name the later one has a number, too."""
    found: dict[str, str] = {}
    for phone in phones:
        same = sum(tag(other) == tag(phone) for other in found)
        found[phone] = f"{tag(phone)} {same + 1}" if same else tag(phone)
    return found
