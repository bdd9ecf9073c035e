"""The QR code of an address."""

from typing import Any

import segno
from segno import consts


def of_address(rest: str) -> segno.QRCode:
    """The code of `http://` and the rest, whose capitals are all the same; in the fewest squares.

    Capitals alone need the fewest, but a scheme in capitals is no address to some cameras (Samsung, Pixel): that
    alone is in small letters.
    """
    parts: Any = [("http://", consts.MODE_BYTE), (rest.upper(), None)]  # None: segno's choice, each has its own
    return segno.make(parts, error="l", boost_error=False, micro=False)
