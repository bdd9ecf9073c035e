"""What cameras take for a Wi-Fi, and whether the display has room for it. Nothing but Python is needed."""

import re

# Of a code of 29 squares a side (QR version 3, the lowest correction; ISO/IEC 18004, table 7). A larger one has 33: at
# 2 px each 66 rows. The display has 64, and cameras read no smaller squares of it.
MOST_BYTES = 53
ESCAPED = re.compile(r"([\\;,:\"])")


def wifi_uri(name: str, password: str) -> str:
    """The form that Android and iOS read, with its own signs escaped."""
    name, password = (ESCAPED.sub(r"\\\1", text) for text in (name, password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


def has_room(name: str, password: str) -> bool:
    """Whether its code fits the display."""
    text = wifi_uri(name, password)
    try:
        size = len(text.encode("iso-8859-1"))  # as segno does where it can
    except UnicodeEncodeError:
        size = len(text.encode())
    return size <= MOST_BYTES
