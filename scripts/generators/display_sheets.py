"""Sheets of the display's pictures in each phase of a game and after races; golden pictures."""

import errno
import tempfile
from pathlib import Path

from PIL import Image

from engine.play import Play
from firmware.card.__main__ import LOOKING, NO_DISPLAY
from firmware.card.folder import damaged, not_installed, not_started, storage, wrong_machine
from firmware.card.screen import pages
from firmware.output import race_evidence
from firmware.output.screens.evidence import draw
from tests.firmware.person import Person, Table
from tests.firmware.races import KERNEL_NS, VIRTUAL_NS, raced
from tests.simulators import evenings, pixels, reading
from tests.simulators.rig import NamedRig

GAMES = ("cat_pageant", "if_it_fits", "kitty_paw", "pack_and_stack", "pack_the_essentials")
EVIDENCE = "evidence"
CHECK = "check"
GREETING, SETUP, PHONES = "greeting", "setup", "phones"
NAMES = {  # with names of the shortest and of the longest kind; two are told apart only by their last letters
    "names_1": ("A", "Ž", "i", "Ö", "e", "W"),
    "names_12": ("Christiansen", "Christiansom", "Žofie Amálie", "Wilhelmina M", "Maximiliano", "Jörg"),
}
CARD = "card"
STEPS = {  # of docs/build.md, from the card to the first race: what the display says in each
    "step_3": ("Building ...",),
    "step_4": ("Press each button | 1/4", "ALL RIGHT"),
    "step_5": ("GO!", "P1 WINS"),
}
SHEETS = (*GAMES, *NAMES, EVIDENCE, CHECK, CARD, GREETING, SETUP, PHONES, *STEPS)
ENLARGED = 3
COLUMNS = 4
GAP_PX = 6
FRAME = 90  # grey
SIX = ((4, 1_350_000), (1, 1_350_060), (0, 1_562_040), (2, 1_762_040), (5, 1_999_999), (3, 2_032_000))  # seat, µs


def phases(game: str) -> list[tuple[str, Image.Image]]:
    """Each phase by name, in the order of play."""
    if game == EVIDENCE:
        return [(name, judged(play)) for name, play in races()]
    if game == CHECK:
        return checked()
    if game == GREETING:
        return [("", picture) for picture in pixels.greeting(SIX_NAMES[:4])]
    if game == SETUP:
        return [("", picture) for picture in pixels.setting_up(SIX_NAMES[:4], knob=True, faults=False)]
    if game == PHONES:
        return [("", picture) for picture in pixels.phones(SIX_NAMES[:4], {0: "Anna", 1: "Ben"}, knob=True)]
    if game == CARD:
        return [("", picture) for picture in carded()]
    if game in STEPS:
        return [(said, step(said)) for said in STEPS[game]]
    if game in NAMES:
        return [shot for name in GAMES for shot in played(name, NAMES[game])]
    return played(game)


def played(game: str, people: tuple[str, ...] = ()) -> list[tuple[str, Image.Image]]:
    """Each phase of one evening, with these people."""
    found: list[tuple[str, Image.Image]] = []
    with tempfile.TemporaryDirectory() as folder:
        rig = NamedRig(Path(folder), people)
        getattr(evenings, game)(rig, lambda phase: found.append((phase, rig.picture)))
        rig.close()
    return found


def carded() -> list[Image.Image]:
    """What the card's program shows before the kit has pictures of its own: how far it is, then what may be wrong."""
    steps = [(LOOKING, 0.15), ("Building ...", 0.6), ("Checking ...", 0.95)]
    troubles = (
        *(damaged("wheels/pillow-12.0.0.whl", "missing"), storage(OSError(errno.ENOSPC, "")), NO_DISPLAY),
        *(wrong_machine("armv7l, Python 3.13"), not_installed(""), not_started(before=True, log="")),
    )
    shown = [pages("LUCKY PAW", text, done) for text, done in steps]
    shown += [pages(trouble.title, trouble.text) for trouble in troubles]
    return [drawn(picture) for picture in shown]


def drawn(shown: list[bytes]) -> Image.Image:
    """A picture from a chip's memory."""
    picture = Image.new("1", (128, 64))
    for page, columns in enumerate(shown):
        for x, column in enumerate(columns):
            for bit in range(8):
                picture.putpixel((x, 8 * page + bit), column >> bit & 1)
    return picture


def step(said: str) -> Image.Image:
    """The first picture, of a card and of a first start, that says all this."""
    pieces = set(said.split(" | "))
    shown = (*carded(), *pixels.greeting(SIX_NAMES[:4]))
    return next(picture for picture in shown if pieces <= set(reading.text(picture).split(" | ")))


def checked() -> list[tuple[str, Image.Image]]:
    """The questions of the guided check in their order, and its end."""
    seen: dict[bytes, tuple[str, Image.Image]] = {}
    sick = Table(
        wires={"P1": "P2", "P2": "P1", "P3": None}, hears=False, types={"Display: is": "n", "Display: does": "n"}
    )
    for table in (Table(), sick):
        person = Person(table)
        person.findings()
        for question, picture in (*zip(person.asked, person.pictures, strict=True), ("end", person.glass())):
            seen.setdefault(picture.tobytes(), (question, picture))
    return list(seen.values())


SIX_NAMES = ("P1", "P2", "P3", "P4", "P5", "P6")


def races(names: tuple[str, ...] = SIX_NAMES) -> list[tuple[str, Play]]:
    """Races that ended in every way."""
    first, second, third = (1, 1_234_567, KERNEL_NS), (0, 1_235_801, KERNEL_NS), (2, 1_240_040, KERNEL_NS)
    dead_heat = (2, 1_235_841, KERNEL_NS)
    mixed = tuple((seat, after_us, VIRTUAL_NS if seat in (0, 5) else KERNEL_NS) for seat, after_us in SIX)
    return [
        ("normal", raced(names[:4], first, second, third, (3, 1_280_000, KERNEL_NS))),
        ("two", raced(names[:2], first, second)),
        ("tie", raced(names[:3], first, second, dead_heat)),
        ("chain", raced(names[:4], *((seat, 350_000 + 60 * seat, KERNEL_NS) for seat in range(4)))),
        ("widened", raced(names[:3], first, second, (2, 1_270_000, KERNEL_NS), tie_band=2)),
        ("late", raced(names[:3], first, second, late=((2, 1_499_999, KERNEL_NS),))),
        ("overtaken", raced(names[:3], first, second, late=((2, 1_234_527, KERNEL_NS),))),
        ("missing", raced(names[:4], first, second)),
        ("benched", raced(names[:4], first, second, third, benched=(3,))),
        (
            "long_names",
            raced(("ANNA", "BERT", "CARL", "DORA", "EVE"), (1, 35_000_000, KERNEL_NS), (0, 38_200_000, KERNEL_NS)),
        ),
        ("six", raced(names, *((seat, after_us, KERNEL_NS) for seat, after_us in SIX))),
        ("six_mixed", raced(names, *mixed)),
    ]


def judged(play: Play) -> Image.Image:
    """The picture of the evidence; coarse stamps are those of the emulated kit."""
    run = play.board.race
    assert run is not None
    coarse = {play.players[press.seat] for press in run.presses if press.error_ns == VIRTUAL_NS}
    found = race_evidence.of(play, {name: "virtual" if name in coarse else "kernel" for name in play.players})
    assert found is not None
    return draw(found)


def sheet(game: str) -> Image.Image:
    """All phases, row by row."""
    found = phases(game)
    width, height = 128 * ENLARGED, 64 * ENLARGED
    columns = min(COLUMNS, len(found))
    rows = -(-len(found) // columns)
    page = Image.new("L", (columns * (width + GAP_PX) + GAP_PX, rows * (height + GAP_PX) + GAP_PX), FRAME)
    for n, (_, picture) in enumerate(found):
        x, y = n % columns * (width + GAP_PX) + GAP_PX, n // columns * (height + GAP_PX) + GAP_PX
        page.paste(picture.resize((width, height)).convert("L"), (x, y))
    return page
