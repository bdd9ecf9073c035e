"""The documents made from the kits' descriptions: drawings, wires, and a page for each kit with parts and currents.

The same bytes on every run. Drawings of the harness also depend on the release of Graphviz and its fonts, PNG and 3MF
on zlib's compression.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import graphviz
from msgspec.structs import replace

from hardware import power
from hardware.building import enclosure
from hardware.building.bill import bill, printed_g, printed_h, together_eur
from hardware.building.harness import harness
from hardware.building.header import header
from hardware.building.neighbours import table
from hardware.building.plans import plans
from hardware.building.plugged_in import BEEP_OHM, rows
from hardware.building.render import VIEWS, render
from hardware.building.resistances import OPEN_KOHM, resistances, to_ground
from hardware.building.schematics import schematics
from hardware.building.solids import stl, threemf
from hardware.building.wiring import BUFFER, COLOURS, SEAT_WIRES, V5_COLOUR, opens_over, wires
from hardware.config import ConfigError, KitConfig, kit, kits, lines
from hardware.layout import Layout, layout
from hardware.layout.lid import row_of
from hardware.pins import BESIDE_5V, HEADER, V5
from hardware.seat_colours import SEAT_COLOURS
from hardware.sizes import BOARDS, BUTTONS, MODULES, build_of

FOLDER = "docs/kits"
INDEX = f"{FOLDER}/README.md"
NOTE = "<!-- Made by scripts/build-docs from hardware/kits/{name}.toml; change that, not this. -->"
BEDS_MM = ((220, 220), (250, 210), (210, 210))  # of usual printers
BED_RIM_MM = 2.0  # of it, all round, that is not printed on
WIRING = "docs/wiring.md"  # its last part is made
MADE = "<!-- Made by scripts/build-docs from here on. -->"
DRAWN_WITH = "The wires are drawn with Graphviz "


def documents() -> dict[str, bytes]:
    """All documents by their path in the project."""
    made = {path: content for name in kits() for path, content in of_kit(name, kit(name)).items()}
    return {INDEX: ("\n".join(_index()) + "\n").encode(), **made}


def stale(project: Path, made: Mapping[str, bytes]) -> tuple[list[str], list[str]]:
    """The files of a project that differ from the generated ones, and those that are not generated any more."""
    there = {str(path.relative_to(project)) for path in (project / FOLDER).rglob("*") if path.is_file()}
    wrong = [path for path, content in made.items() if _differs(project / path, content)]
    return wrong, sorted(there - set(made))


def _differs(path: Path, content: bytes) -> bool:
    return not path.is_file() or path.read_bytes() != content


def wiring_page(page: str) -> str:
    """The page of pins, its last part made anew. Raises `ValueError` where the line before that part is missing."""
    written, found, _ = page.partition(MADE)
    if not found:
        raise ValueError(f"{WIRING} lacks the line {MADE}")
    return f"{written}{MADE}\n\n" + "\n".join(_neighbours()) + "\n"


def _neighbours() -> Iterator[str]:
    yield from ("## Every plug and its neighbours", "")
    yield "What each plug would do with power on if it sat on a pin beside its own, and what finds it first: a row of"
    yield "*Before power* on the page of the kit, or a fault of [the doctor](check.md)."
    yield ""
    yield "- **Bold**: it would do harm. A row finds all of this, before power."
    yield "- All else does no harm: it may be left to the doctor."
    yield "- *Pressed*: only while a button or the knob is pressed, or the knob is turned."
    yield "- *Overloaded*: a line that the Raspberry Pi drives would give more than it may."
    yield "- If another plug belongs on that pin, there are two cases: it is off the header, or the two have changed"
    yield "  places. The worse one is told, and what finds each of them."
    yield ""
    yield "A test tries more than is listed: every plug on every pin, and any two plugs exchanged, also at the display."
    yield "There too a row finds all that would do harm."
    for name in kits():
        yield from ("", f"### {build_of(kit(name)).title}", "", *table(kit(name)))


def another_graphviz(project: Path) -> str | None:
    """A sentence if a project's harness was drawn with another release of Graphviz, else None."""
    index = project / INDEX
    drawn = re.search(rf"{DRAWN_WITH}([\d.]+)\.", index.read_text(encoding="utf-8")) if index.is_file() else None
    if drawn is None or drawn[1] == _graphviz():
        return None
    return f"The harness was drawn with Graphviz {drawn[1]}; this is {_graphviz()}, which draws it differently."


def of_kit(name: str, config: KitConfig) -> dict[str, bytes]:
    """The documents of one kit. Raises `ConfigError` where it cannot be built or powered."""
    layout(config)
    power.rails(config)
    drawn = {"header.svg": header(config), **schematics(config), **plans(config), **harness(config)}
    drawings = {path: _noted(name, file) if path.endswith(".svg") else file for path, file in drawn.items()}
    printed = enclosure.parts(config)
    solid = {
        **{f"enclosure-{part}.stl": stl(shape) for part, shape in printed.items()},
        "enclosure.3mf": threemf(printed),
        **{f"enclosure-{view}.png": render(config, view) for view in VIEWS},
    }
    text = "\n".join(page(name, config, drawings, list(printed))) + "\n"
    files = {f"{name}/{path}": content for path, content in (drawings | solid).items()}
    return {f"{FOLDER}/{path}": content for path, content in {f"{name}.md": text.encode(), **files}.items()}


def _noted(name: str, drawing: bytes) -> bytes:
    """A kit's drawing as SVG, with a note of what made it."""
    before, root, after = drawing.partition(b"<svg")
    return before + NOTE.format(name=name).encode() + b"\n" + root + after


def _index() -> Iterator[str]:
    yield from (NOTE.format(name="*"), "# The kits", "")
    yield "| kit | players | control | display | computer | lid | to print, about | parts, about | supplies |"
    yield "|---|---|---|---|---|---|--:|--:|---|"
    for name in kits():
        config = kit(name)
        board, lid = BOARDS[build_of(config).board], layout(config)
        supplies = [f"5.1 V, {board.supply_ma / 1000:g} A"]
        if config.strip is not None:
            supplies.append(f"5 V, {power.strip_supplies_a(config)[0]:g} A for the strip")
        cells = (
            f"[{build_of(config).title}]({name}.md)",
            _players(config),
            _control(config),
            MODULES[config.display.driver].title,
            board.title,
            _size(lid),
            f"{printed_h(config)} h, {printed_g(config)} g",
            f"{round(together_eur(config), -1):.0f} EUR",
            "; ".join(supplies),
        )
        yield f"| {' | '.join(cells)} |"
    yield from ("", "How to build one: [build.md](../build.md). Prices are the usual ones of 2026, without shipping.")
    yield "Hours are a slicer's at 50 mm/s; printers and slicers differ by a quarter."
    for name in kits():
        lid, title = layout(kit(name)), build_of(kit(name)).title
        if small := [bed for bed in BEDS_MM if not _fits(lid, bed)]:
            yield f"**{title} does not fit a bed of {_beds(small)}**: {_size(lid)}."
            yield from _smaller(kit(name))
    yield from ("", f"{DRAWN_WITH}{_graphviz()}.")


def _graphviz() -> str:
    return ".".join(map(str, graphviz.version()))


def _players(config: KitConfig) -> str:
    many = len(config.players)
    return "2" if many == 2 else f"2 to {many}"


def _control(config: KitConfig) -> str:
    return "a knob" if config.control.kind == "knob" else "▲ ▼ OK"


def _size(lid: Layout) -> str:
    return f"{lid.width_mm:.0f} x {lid.depth_mm:.0f} mm"


def page(name: str, config: KitConfig, drawings: Iterable[str], printed: Iterable[str]) -> Iterator[str]:
    """The lines of a kit's page, with these drawings and parts to print."""
    build, lid = build_of(config), layout(config)
    title = build.title
    yield from (NOTE.format(name=name), f"# The {title} kit", "")
    button = BUTTONS[build.button].title
    if not config.lamps:
        button = button.partition(" with")[0]
    screen, board = MODULES[config.display.driver].title, BOARDS[build.board].title
    yield f"For {_players(config)} players, with a {button} each; {_control(config)}; display {screen};"
    yield f"on a {board}. Its lid is {_size(lid)}. Seats, seen from above: {_seats(lid)}."
    yield f"Try it in a browser first: `luckypaw play --emulated --kit {name}`."
    yield from ("", f"![The {title} kit]({name}/enclosure-front.png)")
    yield from ("", "## Parts", "", *_parts(config))
    yield from ("", "## Pins", "", f"![The header]({name}/header.svg)", "", *_pins(config))
    yield from ("", "## Wires", "")
    yield f"Cutting list: [{name}/wires.tsv]({name}/wires.tsv). All are long enough to open the lid like a book, over"
    yield f"its {opens_over(config)} edge. To print on A4:"
    yield from _drawn(name, drawings, "harness")
    yield from ("", "## Circuits", *_drawn(name, drawings, "schematic"), *_drawn(name, drawings, "board"))
    yield from ("", "## Before power", "", *_before_power(config))
    yield from ("", "## Currents", "", *_currents(config))
    yield from ("", "## Enclosure", "")
    names = [f"[{part}]({name}/enclosure-{part}.stl)" for part in printed]
    yield f"To print: {', '.join(names)}; all side by side, wider than a bed: [enclosure.3mf]({name}/enclosure.3mf)."
    yield "Print them as they lie, without supports: layers of 0.2 mm, 3 walls, 5 layers above and 4 below, 20 % infill"
    yield "as a grid. With 3 layers above and below it all weighs a tenth less."
    yield f"**{printed_g(config)} g**, about, and **{printed_h(config)} h** at 50 mm/s, most of it for the base."
    beds = _fitting(lid)
    yield f"Base and lid are {_size(lid)}; a bed of {_beds(beds)} is large enough."
    if small := [bed for bed in BEDS_MM if bed not in beds]:
        yield f"**One of {_beds(small)} is too small**, whatever a slicer says: some do not warn."
        yield from _smaller(config)
    yield ""
    yield f"Screws: {_screws(config)}."
    yield from _drawn(name, drawings, "plan")
    yield from ("", f"![From behind]({name}/enclosure-back.png)", "", f"![Taken apart]({name}/enclosure-exploded.png)")


def _fits(lid: Layout, bed_mm: tuple[int, int]) -> bool:
    """Whether base and lid, which are as wide and deep, fit a printer's bed, either way round."""
    sides_mm = sorted((lid.width_mm, lid.depth_mm))
    return all(side_mm + 2 * BED_RIM_MM <= most_mm for side_mm, most_mm in zip(sides_mm, sorted(bed_mm), strict=True))


def _smaller(config: KitConfig) -> Iterator[str]:
    """Other buttons that make a lid for more beds."""
    build, now = build_of(config), _fitting(layout(config))
    for button in BUTTONS:
        try:
            lid = layout(replace(config, build=replace(build, button=button)))
        except ConfigError:
            continue
        if more := [bed for bed in _fitting(lid) if bed not in now]:
            yield f'With `button = "{button}"` in its description it is {_size(lid)}, which fits {_beds(more)} as well.'


def _fitting(lid: Layout) -> list[tuple[int, int]]:
    return [bed for bed in BEDS_MM if _fits(lid, bed)]


def _beds(beds_mm: Sequence[tuple[int, int]]) -> str:
    return " or ".join(f"{width} × {depth} mm" for width, depth in beds_mm)


def _drawn(name: str, drawings: Iterable[str], kind: str) -> Iterator[str]:
    """All drawings of a kind."""
    for path in drawings:
        if path.startswith(kind) and path.endswith(".svg"):
            sheet = path.removesuffix(".svg")
            yield from ("", f"*{sheet}*", "", f"![{sheet}]({name}/{path})")


def _seats(lid: Layout) -> str:
    """The seats round the display, in words."""
    (display,), seats = lid.of("display"), []
    for seat in lid.of("button"):
        across = "left" if seat.x_mm < -1 else "right" if seat.x_mm > 1 else "middle"
        seats.append(" ".join(filter(None, (seat.name, row_of(seat, display), across))))
    return ", ".join(seats)


def _screws(config: KitConfig) -> str:
    """The screws, with their number and use."""
    screws = []
    for item in bill(config):
        _, screw, held = item.part.partition("screw of ")
        if screw:
            screws.append(f"{item.many} {item.choices[0].name.partition(',')[0]} for {held}")
    return ", ".join(screws)


def _parts(config: KitConfig) -> Iterator[str]:
    yield "| | part | one choice | EUR | another | EUR |"
    yield "|--:|---|---|--:|---|--:|"
    for item in bill(config):
        one, other = item.choices
        yield f"| {item.many} | {item.part} | {one.name} | {one.eur:.2f} | {other.name} | {other.eur:.2f} |"
    yield f"| | **together** | | **{together_eur(config):.0f}** | | |"
    yield ""
    yield "Prices are for one piece, as usual in 2026; shipping comes on top. Tools: [build.md](../build.md)."
    yield from ("", "Before you buy:", "", *_mind(config))


def _mind(config: KitConfig) -> Iterator[str]:
    """Common mistakes when buying."""
    if config.display.bus == "i2c" and config.display.reset is None:
        yield (
            "- **The display has four pins**: GND, VCC, SCL and SDA. Do not buy one with seven: it is set to SPI, has "
            "tiny resistors to be moved for I2C, and most then answer only after a pulse on a fifth wire. To use one "
            "anyway: [another display](../hacking.md#another-display)."
        )
    yield (
        "- **VCC and GND of displays come in both orders.** Follow the print on yours, not a picture: the wrong way "
        "round can kill it."
    )
    if config.strip is not None:
        yield (
            "- **The strip's supply gives 5 V.** A 12 V plug of the same size fits the jack, and destroys strip, "
            f"{BUFFER} and capacitor at once. Write *5 V only* beside the jack."
        )
        yield f"- **{BUFFER}**, not 74HCT125: through the inputs of that one a powered Pico feeds an unpowered strip."
    seats = SEAT_COLOURS[: len(config.players)]
    colours = ", ".join(seat.name for seat in seats)
    taken = COLOURS[V5_COLOUR].name
    others = "; ".join(
        f"{name}'s are {COLOURS[code].name}{f', as 5 V is {taken}' * (seat.name == taken)}"
        for name, seat, code in zip(config.names, seats, SEAT_WIRES, strict=False)
        if seat.name != COLOURS[code].name
    )
    yield (
        f"- **The domes** are drawn in the page's seat colours: {colours}. Shops have red, blue, green, yellow and "
        f"white; any will do. The wires have the drawn colours{f': {others}' * bool(others)}."
    )
    if not config.lamps:
        yield "- **The lamps** in the buttons get no wires in this kit: buttons without lamps do as well."


def _pins(config: KitConfig) -> Iterator[str]:
    made = wires(config)
    yield "| pin | line | part | to ground, while nothing is plugged in |"
    yield "|--:|---|---|---|"
    for line in sorted(lines(config), key=lambda line: HEADER[line.pin]):
        words = (line.name, line.part) if line.part in ("button", "lamp") else (line.part, line.name)
        yield f"| {HEADER[line.pin]} | GPIO {line.pin} | {' '.join(words).rstrip()} | {to_ground(made, line)} |"


def _before_power(config: KitConfig) -> Iterator[str]:
    made = wires(config)
    yield "With all plugs off the header and every supply unplugged, measure between the plugs: before the display gets"
    yield "power for the first time, and again whenever something was added. Leave out what is not wired yet."
    yield f"*Open*: the meter shows OL, or more than {OPEN_KOHM} kΩ. Plugs, contacts and the meter's leads add some"
    yield "tenths of an ohm."
    yield from ("", "| | between | right | otherwise |", "|--:|---|---|---|")
    for number, one in enumerate(resistances(config, made), 1):
        yield f"| {number} | {one.between} | {one.sound} | {one.wrong} |"
    yield ""
    yield "Then plug them in, with every supply still unplugged, and go on with the meter's beeper. **Do these rows"
    yield "again whenever a plug was off the header.**"
    yield ""
    yield "- Find a pin by counting, not by the colour of its wire: a plug on a wrong pin has its right colour."
    yield "- Touch a pin that has a plug on it through the slot in the plug's side."
    yield "- A chirp that ends by itself is a capacitor: it counts as silence."
    yield f"- Some meters beep at 100 Ω too. Only what shows less than {BEEP_OHM} Ω counts as a beep."
    yield "- A crocodile clip on the USB socket leaves a hand free to press."
    yield from ("", "| | between | right | otherwise |", "|--:|---|---|---|")
    after = rows(made)
    for row in after:
        yield f"| {row.number} | {row.between} | {row.sound} | {row.wrong} |"
    old = " or ".join(map(str, BESIDE_5V))
    yield ""
    yield (
        f"**An older kit** may have a black plug on pin {old}. That is ground too: leave it there. But {V5} is on the "
        f"pin beside it: do rows {after[0].number} to {after[-1].number} before you switch the kit on again."
    )
    yield ""
    yield (
        "What each plug would do on a pin beside its own: [every plug and its "
        "neighbours](../wiring.md#every-plug-and-its-neighbours)."
    )


def _currents(config: KitConfig) -> Iterator[str]:
    yield "| rail | at most | limit | loads |"
    yield "|---|--:|--:|---|"
    for rail in power.rails(config):
        loads = ", ".join(f"{load.part} {_ma(load.ma)}" for load in rail.loads)
        yield f"| {rail.name} | {_ma(rail.ma)} | {_ma(rail.limit_ma)} ({rail.limit}) | {loads} |"
    if config.strip is not None:
        yield ""
        fuse_a = power.fuse_a(config)
        yield (
            f"The strip's own supply: **5 V**, {power.strip_supplies_a(config)[0]:.0f} A, centre positive. "
            f"Flash its controller at the kit, *Set up, Flash the strip*: it gets {config.strip.lamps} lamps and the "
            f"limit of {build_of(config).strip_ma} mA. Only this keeps the strip within the limit of its supply."
        )
        yield ""
        safe = f", before jack and wire, which carry {power.JACK_MA / 1000:g} A, get hot"
        yield (
            f"The fuse, {fuse_a:g} A slow, does not: it carries {power.HELD * fuse_a:.2g} A for an hour. It protects "
            f"against a short: from {power.BLOWN * fuse_a:.2g} A on it blows within two minutes"
            f"{safe if 1000 * power.BLOWN * fuse_a <= power.JACK_MA else ''}. "
            "Most supplies of the listed size give less in a short and switch themselves off; then it does not blow."
        )


def _ma(ma: float) -> str:
    return f"{ma:.0f} mA" if ma >= 1 else f"{ma:.1f} mA"
