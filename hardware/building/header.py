"""A drawing of the Raspberry Pi's 40-pin header: the function of each pin and its wire."""

from html import escape

from hardware.building.drawing import INK, PALE, page
from hardware.building.wiring import COLOURS, IN_WIRE, LAMP_BOARD, Wire, WireEnd, wires
from hardware.config import BUSES, KitConfig
from hardware.pins import CARRIED, GROUND, HEADER, POWER
from hardware.sizes import BOARDS, PI, build_of

WIDTH_MM, HEIGHT_MM = 148, 210  # A5, upright
MIDDLE_MM = WIDTH_MM / 2
TOP_MM, PITCH_MM, ROWS = 34.0, 7.6, 20  # of the first row, from row to row
PIN_MM = 4.2  # from the middle to the pins of either side; names, wires and parts further out
NAME_MM, WIRE_MM, PART_MM = 10.5, 26.0, 37.0
HOUSING = "#3a3a3a"
POWERED = {"3.3 V": "#ffb3ab", "5 V": "#ffd199"}  # colours of pins: paler than those of the wires
GROUNDED, TAKEN, FREE = "#c9c9c9", "#bfe3b0", "#f4f4f4"

BUS_NAMES = {HEADER[line]: f"{bus} {name}" for bus, names in BUSES.items() for line, name in names.items()}  # by pin


def header(config: KitConfig) -> bytes:
    """An SVG of A5 size: each used pin with its part in its wire's colour, free pins pale. Raises `ConfigError`."""
    build, made = build_of(config), wires(config)
    used: dict[int, list[Wire]] = {}
    for wire in made:
        if wire.begin.part == PI:
            used.setdefault(int(wire.begin.pin), []).append(wire)
    lit = {
        WireEnd(LAMP_BOARD, wire.begin.pin.replace("OUT", "IN")): wire.end.part.removeprefix("button ")
        for wire in made
        if wire.end.pin == "lamp -"
    }
    title, board = f"Lucky Paw {build.title}: the header", BOARDS[build.board].title
    long_mm = (ROWS - 1) * PITCH_MM + 8.8
    drawn = [
        _text(8, 11, title, size_mm=5.5, anchor="start", bold=True),
        _text(8, 17, f"{board}, from above, held so that the header runs down", colour=PALE, anchor="start"),
        _text(8, 21.5, "its right edge. Pin 1: the inner row, at the card's end.", colour=PALE, anchor="start"),
        _text(MIDDLE_MM, TOP_MM - 6, "↑ the end with the microSD card", colour=PALE, anchor="middle"),
        f'<rect x="{MIDDLE_MM - 8.4:g}" y="{TOP_MM - 4.4:g}" width="16.8" height="{long_mm:g}" fill="{HOUSING}"/>',
        *(_pin(number, used.get(number, []), lit) for number in sorted(CARRIED)),
        _text(8, HEIGHT_MM - 21, "Display: VCC and GND come in both orders, go by the print on yours.", anchor="start"),
        _text(8, HEIGHT_MM - 15, f"Free for more: {_free(config, used)}", anchor="start"),
        _text(8, HEIGHT_MM - 9, "Pale pins stay free: nothing of the kit goes there.", colour=PALE, anchor="start"),
    ]
    return page(title, WIDTH_MM, HEIGHT_MM, drawn)


def _pin(number: int, joined: list[Wire], lit: dict[WireEnd, str]) -> str:
    """A pin with its number, its function and its wires: those of even pins lead to the right."""
    out, anchor = (-1, "end") if number % 2 else (1, "start")
    x_mm, y_mm = MIDDLE_MM + out * PIN_MM, TOP_MM + (number - 1) // 2 * PITCH_MM
    fill = (
        FREE if not joined else POWERED[POWER[number]] if number in POWER else GROUNDED if number in GROUND else TAKEN
    )
    ink = INK if joined else PALE
    round_mm = 0.4 if number == 1 else 3.0
    drawn = [
        f'<g id="pin-{number}" class="{"used" if joined else "free"}">',
        f'<rect x="{x_mm - 3:g}" y="{y_mm - 3:g}" width="6" height="6" rx="{round_mm:g}" fill="{fill}"/>',
        _text(x_mm, y_mm + 1.1, str(number), colour=ink, anchor="middle", bold=bool(joined)),
    ]
    beside = BUS_NAMES.get(number)
    up_mm = 0.2 if beside else -1.1
    drawn.append(_text(MIDDLE_MM + out * NAME_MM, y_mm - up_mm, CARRIED[number], colour=ink, anchor=anchor))
    if beside:
        drawn.append(_text(MIDDLE_MM + out * NAME_MM, y_mm + 2.7, beside, size_mm=2.4, colour=PALE, anchor=anchor))
    if joined:
        begin_mm, end_mm = MIDDLE_MM + out * WIRE_MM, MIDDLE_MM + out * (PART_MM - 1.5)
        for width_mm, colour in ((2.0, INK), (1.4, COLOURS[joined[0].colour].shown)):
            drawn.append(
                f'<line x1="{begin_mm:g}" y1="{y_mm:g}" x2="{end_mm:g}" y2="{y_mm:g}" stroke="{colour}"'
                f' stroke-width="{width_mm:g}"/>'
            )
        names = [f"{wire.end.part} {wire.end.pin}" for wire in joined]
        if len(joined) == 1:
            end = joined[0].end
            more = [f"lamp of {lit[end]}"] if end in lit else [f"{IN_WIRE[end]} in it"] if end in IN_WIRE else []
            names.append(", ".join([COLOURS[joined[0].colour].name, *more]))
        for down, words in enumerate(names):
            size_mm, colour = (3.2, INK) if down < len(joined) else (2.4, PALE)
            at_mm = y_mm - 0.2 + 3.1 * down
            drawn.append(_text(MIDDLE_MM + out * PART_MM, at_mm, words, size_mm=size_mm, colour=colour, anchor=anchor))
    return "\n".join([*drawn, "</g>"])


def _free(config: KitConfig, used: dict[int, list[Wire]]) -> str:
    """The buses that the kit does not use; of PWM the lines of the channels that its buzzer does not use."""
    free = [bus for bus, names in BUSES.items() if bus != "PWM" and not used.keys() & {HEADER[line] for line in names}]
    channels = BUSES["PWM"]
    taken = None if config.buzzer is None else channels[config.buzzer.pin]
    lines = [
        [str(line) for line, its in channels.items() if its == channel and HEADER[line] not in used]
        for channel in sorted(set(channels.values()) - {taken})
    ]
    return ", ".join([*free, *(f"PWM on GPIO {' or '.join(either)}" for either in lines if either)])


def _text(
    x_mm: float, y_mm: float, words: str, *, anchor: str, size_mm: float = 3.2, colour: str = INK, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x_mm:g}" y="{y_mm:g}" font-size="{size_mm:g}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )
