"""seats.css, the buttons' colours for every page: made from hardware/seat_colours.py, so that they stand in one place.

`--button-0` and so on are the colours. What has `data-button` also has `--colour`, and for a dome `--shade`, where no
light comes to, and `--shine`, where it is brightest. They are values: old browsers mix no colours.
"""

from hardware.seat_colours import SEAT_COLOURS, SeatColour

NAME = "seats.css"
NONE = "#3a3129", "#6e645b", "#c9beb2"  # of a button without a player, and of one that is not known
SHADE, SHINE = 0.45, 0.6  # so much black or white is mixed in


def sheet() -> bytes:
    """The style sheet."""
    values = " ".join(f"--button-{button}: {colour.shown};" for button, colour in enumerate(SEAT_COLOURS))
    lines = [f":root {{ {values} }}"]
    for button, colour in enumerate(SEAT_COLOURS):
        shade, shine = mixed(colour, 0, SHADE), mixed(colour, 255, SHINE)
        lines.append(
            f'[data-button="{button}"] {{ --shade: {shade}; --colour: var(--button-{button}); --shine: {shine}; }}'
        )
    lines.append(f'[data-button="none"] {{ --shade: {NONE[0]}; --colour: {NONE[1]}; --shine: {NONE[2]}; }}')
    return "\n".join([*lines, ""]).encode()


def mixed(colour: SeatColour, grey: int, share: float) -> str:
    """The colour with a share of black (0) or white (255)."""
    return "#" + bytes(round(part + (grey - part) * share) for part in colour.rgb).hex()
