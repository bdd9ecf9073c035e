"""The signs that people read off one display and compare with another: the code to join with, and a phone's tag."""

import secrets
from hashlib import sha256

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none looks like another one
CODE, TAG = 6, 3  # signs


def new_code() -> str:
    """A code to join with."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


def tag(phone: str) -> str:
    """What a phone with this id is called: on the kit's display, and on its own page."""
    return "".join(LETTERS[byte % len(LETTERS)] for byte in sha256(phone.encode()).digest()[:TAG])
