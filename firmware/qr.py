"""QR codes, as small as they can be."""

from typing import Any

import segno
from segno import consts


def of(content: Any) -> segno.QRCode:
    """The code of a text, or of pieces with a mode each, in the fewest squares."""
    return segno.make(content, error="l", boost_error=False, micro=False)


def of_address(rest: str) -> segno.QRCode:
    """The code of `http://` and the rest, whose capitals are all the same.

    Capitals alone need the fewest squares, but a scheme in capitals is no address to some cameras (Samsung, Pixel):
    that alone is in small letters.
    """
    return of([("http://", consts.MODE_BYTE), (rest.upper(), None)])  # None: segno's choice, each has its own
