"""What phones, board, onlooker, display, strip and the page of the kit show at a moment, and what contradicts itself.

A rule looks at one moment, by what people can read and see there; each says what it finds in a sentence.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import msgspec

DISPLAY, SPOKEN, BOARD, ONLOOKER = "display", "spoken", "board", "onlooker"
WEARS = {"heading": "**{}**", "button": "[{}]", "field": "<{}>", "picture": "({})"}
NUMBERS = re.compile(r"[-−+]?\d+(\.\d+)?( [-−+]?\d+| –)*( (rat|cat)s?\b)?")
THE_END = "THE END"  # on the display
WON = re.compile(r"\bwins?\b", re.IGNORECASE)
ROUND = re.compile(r"^(?:round |R|ROUND |BOX )(\d+)\b")
PRESS = re.compile(r": press!$")
CLOCK = re.compile(r"(?<![\d:.])([-–−]?)(\d+):(\d\d)(?![\d:.])")
PHONE = re.compile(r"\b(\w+)'s phone\b")
BESIDE = ("scores", "photo", "tag", "back", "clocks", "you")  # stands beside every question
COLOURED = ("scores", "turn", "order", "waiting", "clocks", "you")  # a name there has the colour of its button
CLOSED, OWN_OK = "All have answered: OK on the kit", "OK: all have answered"
WARNING = ": the die has"  # of Pack & Stack
PUT_RIGHT = "A number has to be put right, on the kit"
BY_THE_KIT = re.compile(rf"OK on the kit|answered on the kit|{PUT_RIGHT}")
MARK = -1  # a colour of the strip that is nobody's: level, last
NOBODYS = "none"  # the colour of a button without a player
APART_MS = 1000  # that a clock on a page and on the display may be apart
APART_PX = 1.0  # that a dome of the kit's page may be off its place


class Dome(msgspec.Struct, frozen=True):
    """A name in a colour. `button`: whose the colour is said to be, by its number; `colour`: how it is painted."""

    name: str
    button: str
    colour: str = ""


class Shown(msgspec.Struct, frozen=True):
    """A piece of what can be read on a page. `where`: the id of what it stands in."""

    kind: str
    text: str
    where: str = ""
    off: bool = False  # a button that cannot be tapped
    aside: bool = False  # beside the question: another one that may be answered, too
    domes: tuple[Dome, ...] = ()
    ms: int | None = None  # what a clock says, on the kit's clock

    def __str__(self) -> str:
        return WEARS.get(self.kind, "{}").format(f"{self.text}, off" if self.off else self.text)


class Corner(msgspec.Struct, frozen=True):
    """A dome of the kit's page, and where it is."""

    button: str
    colour: str
    x: float
    y: float


@dataclass(frozen=True)
class Look:
    """What everything shows at one moment. `answered`: the players who have answered what is asked; `names`: all."""

    step: int
    shown: Mapping[str, Sequence[Shown]]  # by device
    names: Sequence[str]
    answered: frozenset[str] = frozenset()
    buttons: Sequence[str] = ()  # of the kit, in the order of its description
    strip: Sequence[frozenset[int]] = ()  # by piece the buttons whose colours are in it
    kit: Mapping[str, Corner] = field(default_factory=dict)  # by button, on the kit's page
    began: Mapping[str, Corner] = field(default_factory=dict)  # the same at the first look
    closes: bool = False  # whether all numbers are in, and only OK is missing
    wrong: bool = False  # whether the numbers that are in do not fit
    for_table: str = ""  # whose phone answers for the table
    signal: bool = False  # whether a signal is awaited
    covered: bool = False  # whether something else stands on the display for a moment: a note, totals

    @property
    def kind(self) -> frozenset[tuple[str, str]]:
        """The same for all moments that differ by names and numbers only, and by whose phone shows what."""
        name = f"(?:{'|'.join(self.names)})"
        names = re.compile(rf"\b{name}(?:,? {name})*\b")
        return frozenset(
            ("phone" if device in self.names else device, NUMBERS.sub("0", names.sub("P", str(one))))
            for device, pieces in self.shown.items()
            if device != SPOKEN
            for one in pieces
            if one.where not in BESIDE
        )

    def named(self, text: str) -> set[str]:
        """The players in a text; not the owners of phones."""
        return set(re.findall(rf"\b(?:{'|'.join(self.names)})\b", PHONE.sub("", text)))

    def texts(self, device: str) -> list[str]:
        return [one.text for one in self.shown[device]]

    def rows(self, device: str) -> dict[str, tuple[int, bool]]:
        """By player the points, and whether the row says that they are asked."""
        rows = [one.text for one in self.shown[device] if one.kind == "row" and one.where == "scores"]
        return {min(self.named(row)): (int(row.split(" · ")[-1].replace("−", "-")), "asked" in row) for row in rows}

    def waited(self, device: str) -> set[str] | None:
        """For whom this device says that it waits; None: it does not say that it waits."""
        found = [text for text in self.texts(device) if text.startswith("Waiting for")]
        return set[str]().union(*map(self.named, found)) if found else None

    def table(self) -> str:
        """For people, as Markdown: devices that show the same stand in one row; the photo finish is only named."""
        rows: dict[str, list[str]] = {}
        for device, pieces in self.shown.items():
            told = [str(one) for one in pieces if one.where not in ("photo", "tag", "title")]
            photo = ["(photo finish)"] if any(one.where == "photo" for one in pieces) else []
            rows.setdefault(" / ".join(told + photo), []).append(device)
        lines = [f"| {', '.join(devices)} | {text} |" for text, devices in rows.items()]
        return "\n".join(["| device | shows |", "|---|---|", *lines])


# --- what contradicts -------------------------------------------------------------------------------------------------


def contradictions(look: Look) -> list[str]:
    """What cannot all be true of one moment."""
    return list(chain.from_iterable(by_rule(look).values()))


def by_rule(look: Look) -> dict[str, list[str]]:
    """The same by the rules that have found anything."""
    rules = ALWAYS if ended(look, BOARD) else {**ALWAYS, **IN_A_GAME}
    found = {name: list(rule(look)) for name, rule in rules.items()}
    return {name: texts for name, texts in found.items() if texts}


def pages(look: Look) -> list[str]:
    """The devices that show a page for phones."""
    return [device for device in look.shown if device not in (DISPLAY, SPOKEN)]


def marked(look: Look, device: str = BOARD) -> set[str]:
    """Whom this device marks as asked: in their rows, or in a line of its own."""
    line = [one.text for one in look.shown[device] if one.where == "turn"]
    return {name for name, (_points, asked) in look.rows(device).items() if asked}.union(*map(look.named, line))


def ended(look: Look, device: str) -> bool:
    return any(re.search(r"game (is over|was ended)", text) for text in look.texts(device))


def over(look: Look) -> Iterator[str]:
    """At the end all say so, and not before; who says who won, names the same."""
    said = {device: ended(look, device) for device in pages(look)}
    said[DISPLAY] = THE_END in look.texts(DISPLAY)
    if len(set(said.values())) > 1:
        yield f"over: {[device for device in said if said[device]]}, not over: {[one for one in said if not said[one]]}"
    won = {tuple(sorted(look.named(text))) for device in said for text in look.texts(device) if WON.search(text)}
    if said[DISPLAY] and len(won) > 1:
        yield f"these won, or these: {sorted(won)}"


def rounds(look: Look) -> Iterator[str]:
    """Display and board count the same rounds."""
    if look.covered:
        return
    both = (DISPLAY, BOARD)
    found = {one: {found[1] for text in look.texts(one) if (found := ROUND.search(text))} for one in both}
    if all(found.values()) and found[DISPLAY] != found[BOARD]:
        yield f"round {found[DISPLAY]} on the display, {found[BOARD]} on the board"


def points(look: Look) -> Iterator[str]:
    """All show the same points: pages at every moment, the display at the end."""
    board = {name: points for name, (points, _asked) in look.rows(BOARD).items()}
    for device in pages(look):
        found = {name: points for name, (points, _asked) in look.rows(device).items()}
        if found != board:
            yield f"points: {device} {found}, board {board}"
    if THE_END not in look.texts(DISPLAY):
        return
    spoken = " ".join(look.texts(SPOKEN)[:1])
    told = {name: int(number) for name in look.names for number in re.findall(rf"\b{name}\. (-?\d+)\b", spoken)}
    drawn = {int(text) for text in look.texts(DISPLAY) if re.fullmatch(r"-?\d+", text)}
    if told != board or not drawn <= set(board.values()):
        yield f"points: spoken {told}, display {sorted(drawn)}, board {board}"


def asked(look: Look) -> Iterator[str]:
    """All agree for whom the game waits, and none of those has answered."""
    board = marked(look)
    if late := board & look.answered:
        yield f"the board marks {sorted(late)}, who answered"
    for device in pages(look):
        own, waited = marked(look, device), look.waited(device)
        waits = bool(board) and device not in board and device != BOARD and not can(look, device)
        if own != board:
            yield f"{device} marks {sorted(own)}, the board {sorted(board)}"
        if waited is None and waits:
            yield f"{device} does not say who is waited for: {sorted(board)}"
        if waited is not None and waited - {device} != board - {device}:
            yield f"{device} waits for {sorted(waited)}, the board marks {sorted(board)}"
    told = set[str]().union(*(look.named(text) for text in look.texts(SPOKEN) if text.startswith("asked: ")))
    if told != board:
        yield f"spoken: {sorted(told)} asked, the board marks {sorted(board)}"


def can(look: Look, device: str) -> bool:
    """Whether there is something to answer with that was not used yet."""
    own = [one for one in look.shown[device] if one.where == "asks" and not one.aside]
    return any(one.kind == "button" and not one.off for one in own) and not any(
        one.text.startswith("Sent") for one in own
    )


def to_press(look: Look, device: str) -> bool:
    """Whether this phone sends its player to the kit's button."""
    return any(re.search(r"your button.* on the kit", text) for text in look.texts(device))


def controls(look: Look) -> Iterator[str]:
    """Who can answer is not told to wait for themselves; who is asked can answer, or is sent to the kit."""
    for device in pages(look):
        if can(look, device) and device in (look.waited(device) or ()):
            yield f"{device} can answer, and waits for {device}"
        if device in marked(look) and not can(look, device) and not to_press(look, device):
            yield f"{device} is asked, and cannot answer"


def by_hand(look: Look) -> Iterator[str]:
    """Who is sent to the kit's button is asked, also by the display where that names them."""
    sent, board = {device for device in look.names if to_press(look, device)}, marked(look)
    if not sent <= board:
        yield f"{sorted(sent)} are to press, the board marks {sorted(board)}"
    if look.covered:
        return
    named = set[str]().union(*(look.named(text) for text in look.texts(DISPLAY) if PRESS.search(text)))
    if named and named != sent:
        yield f"{sorted(sent)} are to press, the display names {sorted(named)}"


# --- who answers ------------------------------------------------------------------------------------------------------


def keys(look: Look, device: str) -> list[str]:
    """What can be tapped there for an answer."""
    return [one.text for one in look.shown[device] if (one.kind, one.where, one.off) == ("button", "asks", False)]


def said(look: Look, device: str) -> list[str]:
    """What stands there, without its keys."""
    return [one.text for one in look.shown[device] if one.kind != "button"]


def closing(look: Look) -> Iterator[str]:
    """Once only OK is missing all say so, and who can give it; and not before."""
    wanted = {look.for_table} - {""}
    for device in pages(look):
        told = [text for text in said(look, device) if text.startswith(CLOSED)]
        key = any(text.startswith(OWN_OK) for text in keys(look, device))
        if not look.closes and (told or key):
            yield f"{device} says that all have answered"
        if not look.closes:
            continue
        if not told and not key:
            yield f"{device} does not say that OK closes it"
        if wanted and device in wanted and not key:
            yield f"{device} can close it, and has no key"
        if told and {*PHONE.findall(told[0])} != wanted:
            yield f"{device} says {told[0]!r}, and {sorted(wanted)} can"
        if key and device not in wanted:
            yield f"{device} has the key, and {sorted(wanted)} can close it"
    shown = any(text.startswith("OK, or ") for text in look.texts(DISPLAY))
    warned = any(WARNING in text for text in look.texts(DISPLAY))  # over the same row
    if not (look.covered or warned) and shown != (look.closes and bool(wanted)):
        yield f"the display {'says' if shown else 'does not say'} that a phone closes it, too"


def named_phones(look: Look) -> Iterator[str]:
    """Whose phone is named to answer has a key."""
    for device in (DISPLAY, *pages(look)):
        for text in said(look, device):
            for name in PHONE.findall(text) if "OK" in text or "answered" in text else ():
                if name not in look.shown or not keys(look, name):
                    yield f"{device} says {text!r}, and {name} has no key"


def nobody(look: Look) -> Iterator[str]:
    """Where nobody in particular is asked it is said that the table answers, unless the kit itself goes on."""
    for device in pages(look):
        if not look.wrong and any(PUT_RIGHT in text for text in said(look, device)):
            yield f"{device} says that a number is wrong"
    if look.signal or look.closes or marked(look):
        return
    for device in pages(look):
        if not keys(look, device) and not any(BY_THE_KIT.search(text) for text in said(look, device)):
            yield f"{device} does not say who answers"


# --- colours ----------------------------------------------------------------------------------------------------------


def coloured(look: Look) -> Iterator[tuple[str, Shown, Dome]]:
    """All names that have a colour, with the device and where they stand."""
    return ((device, one, dome) for device, pieces in look.shown.items() for one in pieces for dome in one.domes)


def number(look: Look, name: str) -> str:
    """The number of a player's button; of a team that of its first."""
    return str(look.buttons.index(name.split(" + ", maxsplit=1)[0]))


def colours(look: Look) -> Iterator[str]:
    """A name has the number of its button everywhere, whoever begins."""
    for device, one, dome in coloured(look):
        if dome.button != number(look, dome.name):
            yield f"{device}: {dome.name} in {one.where} has colour {dome.button}, not {number(look, dome.name)}"


def uncoloured(look: Look) -> Iterator[str]:
    """Where names have colours all of them do."""
    for device in pages(look):
        for one in look.shown[device]:
            if one.where in COLOURED or one.text.startswith("Waiting for"):
                without = look.named(one.text) - {name for dome in one.domes for name in dome.name.split(" + ")}
                if without:
                    yield f"{device}: {sorted(without)} in {one.where} without a colour"


def headers(look: Look) -> Iterator[str]:
    """A phone says at its top whose it is."""
    for device in pages(look):
        found = [dome.name for one in look.shown[device] if one.where == "you" for dome in one.domes]
        if found != ([device] if device in look.names else []):
            yield f"{device}: its header is of {found}"


def painted(look: Look) -> Iterator[str]:
    """A number is one colour on all pages, and no two numbers are the same one."""
    found = {(dome.button, dome.colour) for _device, _one, dome in coloured(look)}
    found |= {(corner.button, corner.colour) for corner in look.began.values()}
    for at in (0, 1):
        times = Counter(one[at] for one in found)
        if twice := sorted(one for one in found if times[one[at]] > 1):
            yield f"painted: {twice}"


def strip(look: Look) -> Iterator[str]:
    """Each piece of the strip has its button's colour, beside marks, in the order of the kit; nobody's is dark."""
    for n, (name, there) in enumerate(zip(look.buttons, look.strip, strict=bool(look.strip))):
        plays = name in look.names
        if bool(there) != plays or not there <= {n, MARK}:
            yield f"strip: colours {sorted(there)} in the piece of {name}, who {'plays' if plays else 'does not play'}"


def corners(look: Look) -> Iterator[str]:
    """The domes of the kit's page keep their places and colours; nobody's has none."""
    for n, name in enumerate(look.buttons):
        now, began = look.kit[name], look.began[name]
        if now.button != (str(n) if name in look.names else NOBODYS):
            yield f"kit: {name} has colour {now.button}"
        elif now.colour != began.colour:
            yield f"kit: {name} was painted {began.colour}, now {now.colour}"
        if max(abs(now.x - began.x), abs(now.y - began.y)) > APART_PX:
            yield f"kit: {name} was at {began.x:.0f}, {began.y:.0f}, now at {now.x:.0f}, {now.y:.0f}"


# --- time -------------------------------------------------------------------------------------------------------------


def on_display(look: Look) -> list[int]:
    """The clocks of the display, in ms."""
    found = CLOCK.findall(" | ".join(look.texts(DISPLAY)))
    return [(-1 if sign else 1) * (60 * int(minutes) + int(seconds)) * 1000 for sign, minutes, seconds in found]


def clocks(look: Look) -> Iterator[str]:
    """Pages have the clocks of the display, and no other; one alone is of whoever is asked."""
    names = [one.text for one in look.shown[BOARD] if one.kind == "clock"]
    if len(names) == 1 and look.named(names[0]) - marked(look):
        yield f"the clock of {names[0]}, the board marks {sorted(marked(look))}"
    for device in pages(look):
        own = [one for one in look.shown[device] if one.kind == "clock"]
        if [one.text for one in own] != names:
            yield f"{device}: clocks of {[one.text for one in own]}, on the board of {names}"
        if look.covered:
            continue
        told, there = [one.ms for one in own], on_display(look)
        if len(told) != len(there) or any(
            one is None or abs(one - other) > APART_MS for one, other in zip(told, there, strict=True)
        ):
            yield f"{device}: clocks at {told} ms, on the display at {there}"


Rule = Callable[[Look], Iterator[str]]
ALWAYS: Mapping[str, Rule] = {
    "over": over,
    "rounds": rounds,
    "points": points,
    "colours": colours,
    "uncoloured": uncoloured,
    "headers": headers,
    "painted": painted,
    "strip": strip,
    "corners": corners,
    "clocks": clocks,
}
IN_A_GAME: Mapping[str, Rule] = {
    "asked": asked,
    "controls": controls,
    "by_hand": by_hand,
    "closing": closing,
    "named_phones": named_phones,
    "nobody": nobody,
}
