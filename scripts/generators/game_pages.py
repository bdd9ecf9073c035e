"""docs/games: a page for each game, with a written part, and below a line a generated one.

Generated are the table of phases with their pictures, the presses of a whole game, and the options. A test compares the
pages with the program.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import Field, fields
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs
from PIL import Image

from engine import games
from engine.play import Play
from engine.rules import Offer, Seat, allowed
from firmware.output import public, screens
from firmware.output.screens.view import View
from firmware.table.back_menu import entry
from firmware.table.playing import Playing
from firmware.table.question import EMPTY, OpenOffers, choices, home, none_counted, pressed
from hardware.config import TABLE, kit
from tests.simulators import evenings
from tests.simulators.press_count import Cost, CountingRig

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "games"
MADE = "<!-- Made by scripts/make games from here on. -->"
EVENINGS: dict[str, dict[int, Callable[..., tuple[int, ...]]]] = {  # by game and players; the first is in the pictures
    "cat_pageant": {players: partial(evenings.cat_pageant, players=players) for players in (2, 4)},
    "if_it_fits": {3: evenings.if_it_fits},
    "kitty_paw": {3: evenings.kitty_paw},
    "pack_and_stack": {4: evenings.pack_and_stack},
    "pack_the_essentials": {players: partial(evenings.pack_the_essentials, players=players) for players in (4, 2, 1)},
}
KITS = {"knob": TABLE, "▲▼": structs.replace(TABLE, control=kit("duo").control)}  # by control
ENLARGED = 2


class Phase(NamedTuple):
    """One kind of picture, and the controls there."""

    name: str
    picture: Image.Image
    asks: str
    button: str
    control: str
    ok: str
    menu: str
    display: str  # its texts


@cache
def evening(game: str, players: int, control: str = "knob") -> tuple[tuple[Phase, ...], dict[str, Cost]]:
    """A whole game: its phases in the order of play, and its presses, at the kit and for the knob on its page."""
    found: list[Phase] = []
    with tempfile.TemporaryDirectory() as folder:
        rig = CountingRig(Path(folder), config=KITS[control])

        def look(name: str) -> None:
            mode = rig.app.table.top
            if isinstance(mode, Playing) and not mode.play.over:
                found.append(Phase(name, rig.picture, *keys(mode.play, mode.question), rig.reads()))

        EVENINGS[game][players](rig, look)
        on_page = {f"page, {by}": rig.cost_on_page(by) for by in rig.on_page} if control == "knob" else {}
        cost = {control: rig.cost, **on_page}
        rig.close()
    return tuple(found), cost


def costs(game: str, control: str = "knob") -> dict[int, Cost]:
    """By number of players: presses and steps of each, read from the game's page."""
    rows = re.findall(
        rf"^\| (\d) players?, {control} \| ([\d, ]+) \| ([\d, ]+) \|$",
        (FOLDER / f"{game}.md").read_text(),
        re.MULTILINE,
    )
    return {int(players): Cost(numbers(presses), numbers(steps)) for players, presses, steps in rows}


def numbers(text: str) -> tuple[int, ...]:
    """Numbers with commas between them."""
    return tuple(int(number) for number in text.split(", "))


# --- the controls ----------------------------------------------------------------------------------------------------


def keys(play: Play, q: OpenOffers) -> tuple[str, str, str, str, str]:
    """The question, and the functions of the players' buttons, the control, OK and the menu."""
    face, menu = play.rules.face(play.state), ", ".join(entry(play, offer, play.players) for offer in q.menu)
    if face.whether and none_counted(q, EMPTY):
        return str(face.whether), "everybody: press: yes", "", "nobody", menu

    def label(offer: Offer) -> str:
        return play.rules.label(play.state, offer, None)

    button: dict[Seat, list[str]] = {}
    for offers, does in ((q.press, "press"), (q.count, "tap"), (q.hold, "hold"), (q.release, "let go")):
        for seat, offer in offers.items():
            what = "yes" if label(offer).endswith("?") else public.does(play, offer) or label(offer)
            if does == "tap":
                steps = f"+{pressed(offer) * offer.step}; hold: {home(offer)}"
                what = "next" if choices(offer) else steps
            button.setdefault(seat, []).append(f"{does}: {what}")
    asks = next((label(offer) for offer in q.press.values() if label(offer).endswith("?")), "")
    control = ok = ""
    if q.chooser is not None:
        button.setdefault(q.chooser, []).append("press: the next one")
    if q.control is not None:
        few, offer = ", ".join(words(play, q, q.control)), q.control
        asks, control, ok = screens.title(play), few or f"{offer.low} to {offer.high}", "takes it"
    elif q.count:
        asks, control, ok = screens.title(play), "changes who tapped last", "enters all numbers"
    elif q.ok is not None:
        ok = label(q.ok)
    return asks, whose(play, button), control, ok, menu


def whose(play: Play, button: dict[Seat, list[str]]) -> str:
    """The functions of the buttons, once for all players with the same."""
    same: dict[str, list[str]] = {}
    for seat, does in sorted(button.items()):
        same.setdefault("; ".join(does), []).append(play.players[seat])
    all_of_them = len(play.players) > 1
    return "; ".join(
        f"{'everybody' if all_of_them and len(names) == len(play.players) else ', '.join(names)}: {does}"
        for does, names in same.items()
    )


def words(play: Play, q: OpenOffers, offer: Offer) -> Iterable[str]:
    """The options of a choice in words; of many the first ones."""
    view = View(play, q, EMPTY, 0, knob=True)
    found = [view.option(option) for option in offer.options]
    return found if len(found) <= 8 else [*found[:6], "…"]


# --- pages -----------------------------------------------------------------------------------------------------------


def made(game: str) -> str:
    """The generated part of a page."""
    return "\n".join([*phases(game), "", *price(game), "", *options(game), ""])


def pictured(game: str) -> tuple[Phase, ...]:
    """The phases with a picture: the first of those with the same controls."""
    found: dict[tuple[str, ...], Phase] = {}
    for phase in evening(game, next(iter(EVENINGS[game])))[0]:
        by_anybody = re.sub(r"P\d", "P", phase.button)
        found.setdefault((phase.asks, by_anybody, phase.ok), phase)
    return tuple(found.values())


def phases(game: str) -> Iterator[str]:
    """The table of phases, in the order of play."""
    yield "## What to press when"
    yield ""
    yield "| the display | asks | your own button | knob, or ▲▼ | OK | menu (long OK, then ▼) |"
    yield "|---|---|---|---|---|---|"
    for phase in pictured(game):
        picture = f"![{phase.name.replace('_', ' ')}]({game}/{phase.name}.png)"
        cells = (picture, phase.asks, phase.button, phase.control, phase.ok, phase.menu)
        yield re.sub(" +", " ", f"| {' | '.join(cells)} |")


def price(game: str) -> Iterator[str]:
    """The presses and steps of each player in a whole game."""
    yield "## Presses in a whole game"
    yield ""
    yield "By player, from the menu to the last score, with a mistake, an undo and a corrected point. A press is one"
    yield "of a button or of OK; a step is one of the knob, or a press of ▲▼. OK counts for the player who is asked;"
    yield "presses for all are shared. On the page one mouse also presses *Hold* and *Hold all*."
    yield ""
    yield "| table | presses | steps |"
    yield "|---|---|---|"
    for players in sorted(EVENINGS[game]):
        for table, cost in [row for control in KITS for row in evening(game, players, control)[1].items()]:
            figures = (", ".join(map(str, part)) for part in cost)
            yield f"| {players} player{'' if players == 1 else 's'}, {table} | {' | '.join(figures)} |"


def options(game: str) -> Iterator[str]:
    """The options, their defaults, and what is allowed."""
    kind: Any = games.rules(game).options
    yield "## Options"
    yield ""
    yield "| option | default | allowed | meaning |"
    yield "|---|---|---|---|"
    for option in fields(kind):
        yield f"| `{option.name}` | {default(option)} | {allowed(option)} | {option.metadata['text']} |"


def default(option: Field[Any]) -> str:
    """The default of an option, as in the line protocol."""
    value = option.default
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def written(game: str) -> str:
    """The written part of a page."""
    return (FOLDER / f"{game}.md").read_text().split(MADE)[0]


def make(game: str) -> None:
    """Write the generated part and the pictures."""
    folder = FOLDER / game
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for phase in pictured(game):
        picture = phase.picture.convert("1")
        picture.resize((picture.width * ENLARGED, picture.height * ENLARGED)).save(
            folder / f"{phase.name}.png", optimize=True
        )
    page = FOLDER / f"{game}.md"
    page.write_text(f"{written(game)}{MADE}\n\n{made(game)}")
