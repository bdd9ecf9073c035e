"""Every document that is made from the kits' descriptions: drawings, wires, a page a kit with parts and currents.

The same bytes on every run. Drawings of the harness hang on the release of Graphviz and its fonts besides, PNG and 3MF
on zlib's way to compress.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import graphviz

from hardware.building import enclosure, power
from hardware.building.bill import bill, together_eur
from hardware.building.catalogue import BOARDS, BUTTONS, MODULES, build_of
from hardware.building.harness import harness
from hardware.building.header import header
from hardware.building.layout import Layout, layout
from hardware.building.lid import row_of
from hardware.building.plans import plans
from hardware.building.render import VIEWS, render
from hardware.building.schematics import schematics
from hardware.building.solids import stl, threemf
from hardware.building.wiring import HEADER, opens_over
from hardware.config import KitConfig, kit, kits, pins

FOLDER = "docs/kits"
INDEX = f"{FOLDER}/README.md"
NOTE = "<!-- Made by scripts/build-docs from hardware/kits/{name}.toml; change that, not this. -->"
DRAWN_WITH = "The wires are drawn with Graphviz "


def documents() -> dict[str, bytes]:
    """All of them, by their path in the project."""
    made = {path: content for name in kits() for path, content in of_kit(name, kit(name)).items()}
    return {INDEX: ("\n".join(_index()) + "\n").encode(), **made}


def stale(project: Path, made: Mapping[str, bytes]) -> tuple[list[str], list[str]]:
    """Which files of a project are not as they would be made, and which are not made any more."""
    there = {str(path.relative_to(project)) for path in (project / FOLDER).rglob("*") if path.is_file()}
    wrong = [path for path, content in made.items() if path not in there or (project / path).read_bytes() != content]
    return wrong, sorted(there - set(made))


def another_graphviz(project: Path) -> str | None:
    """In a sentence, that a project's harness was drawn with another release of Graphviz; None where it was not."""
    index = project / INDEX
    drawn = re.search(rf"{DRAWN_WITH}([\d.]+)\.", index.read_text(encoding="utf-8")) if index.is_file() else None
    if drawn is None or drawn[1] == _graphviz():
        return None
    return f"The harness was drawn with Graphviz {drawn[1]}, and here is {_graphviz()}, which draws it differently."


def of_kit(name: str, config: KitConfig) -> dict[str, bytes]:
    """Those of one kit. Raises `ConfigError` where it cannot be built or fed."""
    layout(config)
    power.rails(config)
    drawings = {"header.svg": header(config), **schematics(config), **plans(config), **harness(config)}
    printed = enclosure.parts(config)
    solid = {
        **{f"enclosure-{part}.stl": stl(shape) for part, shape in printed.items()},
        "enclosure.3mf": threemf(printed),
        **{f"enclosure-{view}.png": render(config, view) for view in VIEWS},
    }
    page = "\n".join(_page(name, config, drawings, list(printed))) + "\n"
    files = {f"{name}/{path}": content for path, content in (drawings | solid).items()}
    return {f"{FOLDER}/{path}": content for path, content in {f"{name}.md": page.encode(), **files}.items()}


def _index() -> Iterator[str]:
    yield from (NOTE.format(name="*"), "# The kits", "")
    yield "| kit | players | control | display | computer | lid | parts, about | supplies |"
    yield "|---|---|---|---|---|---|--:|---|"
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
            f"{round(together_eur(config), -1):.0f} EUR",
            "; ".join(supplies),
        )
        yield f"| {' | '.join(cells)} |"
    yield from ("", "How to build one: [build.md](../build.md). Prices are the usual ones of 2026, without shipping.")
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


def _page(name: str, config: KitConfig, drawings: Iterable[str], printed: Iterable[str]) -> Iterator[str]:
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
    yield f"What to cut: [{name}/wires.tsv]({name}/wires.tsv). All are long enough to open the lid like a book, over"
    yield f"its {opens_over(config)} edge. To print on A4:"
    yield from _drawn(name, drawings, "harness")
    yield from ("", "## Circuits", *_drawn(name, drawings, "schematic"), *_drawn(name, drawings, "board"))
    yield from ("", "## Currents", "", *_currents(config))
    yield from ("", "## Enclosure", "")
    names = [f"[{part}]({name}/enclosure-{part}.stl)" for part in printed]
    yield f"To print: {', '.join(names)}; all in one: [enclosure.3mf]({name}/enclosure.3mf)."
    yield "They lie as they are printed, without supports, on a bed of 220 x 220 mm: layers of 0.2 mm, 3 walls, 20 %"
    yield "infill."
    yield f"Screws: {_screws(config)}."
    yield from _drawn(name, drawings, "plan")
    yield from ("", f"![From behind]({name}/enclosure-back.png)", "", f"![Taken apart]({name}/enclosure-exploded.png)")


def _drawn(name: str, drawings: Iterable[str], kind: str) -> Iterator[str]:
    """All drawings of a kind."""
    for path in drawings:
        if path.startswith(kind) and path.endswith(".svg"):
            sheet = path.removesuffix(".svg")
            yield from ("", f"*{sheet}*", "", f"![{sheet}]({name}/{path})")


def _seats(lid: Layout) -> str:
    """Who sits where, round the display."""
    (display,), found = lid.of("display"), []
    for seat in lid.of("button"):
        across = "left" if seat.x_mm < -1 else "right" if seat.x_mm > 1 else "middle"
        found.append(" ".join(filter(None, (seat.name, row_of(seat, display), across))))
    return ", ".join(found)


def _screws(config: KitConfig) -> str:
    """What each kind is for, with how many of it."""
    found = []
    for item in bill(config):
        _, screw, held = item.part.partition("screw of ")
        if screw:
            found.append(f"{item.many} {item.choices[0].name.partition(',')[0]} for {held}")
    return ", ".join(found)


def _parts(config: KitConfig) -> Iterator[str]:
    yield "| | part | one choice | EUR | another | EUR |"
    yield "|--:|---|---|--:|---|--:|"
    for item in bill(config):
        one, other = item.choices
        yield f"| {item.many} | {item.part} | {one.name} | {one.eur:.2f} | {other.name} | {other.eur:.2f} |"
    yield f"| | **together** | | **{together_eur(config):.0f}** | | |"
    yield ""
    yield "Prices are for one piece, as usual in 2026; shipping comes on top. Tools: [build.md](../build.md)."


def _pins(config: KitConfig) -> Iterator[str]:
    yield "| pin | line | what |"
    yield "|--:|---|---|"
    names = {f"players[{n}]": player.name for n, player in enumerate(config.players)}
    for key, line in sorted(pins(config), key=lambda found: HEADER[found[1]]):
        part, _, end = key.rpartition(".")
        yield f"| {HEADER[line]} | GPIO {line} | {names.get(part, part)}{'' if part == 'buzzer' else f' {end}'} |"


def _currents(config: KitConfig) -> Iterator[str]:
    yield "| rail | at most | gives | what draws |"
    yield "|---|--:|--:|---|"
    for rail in power.rails(config):
        loads = ", ".join(f"{load.part} {_ma(load.ma)}" for load in rail.loads)
        yield f"| {rail.name} | {_ma(rail.ma)} | {_ma(rail.limit_ma)} ({rail.limit}) | {loads} |"
    if config.strip is not None:
        yield ""
        yield (
            f"The strip's own supply: 5 V, {power.strip_supplies_a(config)[0]:.0f} A, centre positive; its fuse: "
            f"{power.fuse_a(config):g} A, against a short. "
            f"Tell its controller its limit: `scripts/flash-strip --leds {config.strip.leds} "
            f"--max-ma {build_of(config).strip_ma}`."
        )


def _ma(ma: float) -> str:
    return f"{ma:.0f} mA" if ma >= 1 else f"{ma:.1f} mA"
