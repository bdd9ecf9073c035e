"""seats.css, the seats' colours for every page: made from hardware/seat_colours.py, so that they stand in one place.

`--seat-0` and so on are the colours. What has `data-seat` also has `--colour`, and for a dome `--shade`, where no light
comes to, and `--shine`, where it is brightest. They are values: old browsers mix no colours.
"""

from hardware.seat_colours import SEAT_COLOURS, SeatColour

NAME = "seats.css"
SHADE, SHINE = 0.45, 0.6  # so much black or white is mixed in


def sheet() -> bytes:
    """The style sheet."""
    values = " ".join(f"--seat-{seat}: {colour.shown};" for seat, colour in enumerate(SEAT_COLOURS))
    lines = [f":root {{ {values} }}"]
    for seat, colour in enumerate(SEAT_COLOURS):
        shade, shine = mixed(colour, 0, SHADE), mixed(colour, 255, SHINE)
        lines.append(f'[data-seat="{seat}"] {{ --shade: {shade}; --colour: var(--seat-{seat}); --shine: {shine}; }}')
    return "\n".join([*lines, ""]).encode()


def mixed(colour: SeatColour, grey: int, share: float) -> str:
    """The colour with a share of black (0) or white (255)."""
    return "#" + bytes(round(part + (grey - part) * share) for part in colour.rgb).hex()
