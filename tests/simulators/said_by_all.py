"""What phones, board, onlooker, display and the kit's spoken words show at one moment of a whole game.

`python -m tests.simulators.said_by_all GAME PLAYERS FILE` plays the game with a phone for every player and writes a
table for each kind of question; below them stand the contradictions that were found, and what the game cost in taps.
All is read as people do: the display's pixels, what is visible of the pages, and the kit's page's live region.
"""

import argparse
import asyncio
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from engine import games
from engine.rules import Action
from firmware.cli.play import panel_of
from firmware.messages import TableNews
from firmware.panel.server import Panel
from tests.firmware.browser import CHROMIUM
from tests.simulators import unsynced_journal
from tests.simulators.phone_evenings import Answering, Evening, Given, WithPhones, begun, recorded
from tests.simulators.phone_page import TOLD, PagePhone, opened
from tests.simulators.phone_pages import Pages
from tests.simulators.waiting import PATIENCE_S, patient_servers, until

SPEAKS_MS = 1000  # by then the kit's page has said what stands
TICK_MS = 100
DISPLAY, SPOKEN, BOARD, ONLOOKER = "display", "spoken", "board", "onlooker"
READ = r"""() => {
    const found = [], one = (text) => text.replace(/\s+/g, " ").trim();
    const put = (part, kind, text) => text && found.push({
        kind, text: one(text), where: part.closest("[id]")?.id ?? "", off: part.disabled ?? false,
        aside: part.closest(".aside, details, hr ~ *") !== null,
    });
    const inline = (part) => part.nodeType === Node.TEXT_NODE || (part.tagName !== "BUTTON" &&
        part.nodeType === Node.ELEMENT_NODE && getComputedStyle(part).display.startsWith("inline"));
    const walk = (part) => {
        if (!part.checkVisibility({visibilityProperty: true, opacityProperty: true})) return;
        const label = part.getAttribute("aria-label");
        const named = one(part.innerText ?? "") + (label ? ` «${label}»` : "");
        if (part.tagName === "BUTTON") put(part, "button", named);
        else if (/^H\d$/.test(part.tagName)) put(part, "heading", named);
        else if (part.tagName === "TR") put(part, "row", [...part.cells].map((cell) => cell.innerText).join(" · "));
        else if (part.tagName === "INPUT") put(part, "field", part.labels?.[0]?.innerText ?? part.id);
        else if (part.tagName === "IMG") put(part, "picture", part.alt);
        else if (part.tagName === "svg") put(part, "picture", part.querySelector("title")?.textContent ?? "drawing");
        else if ([...part.childNodes].every(inline)) put(part, "text", named);
        else for (const child of part.childNodes) {
            if (child.nodeType === Node.ELEMENT_NODE) walk(child);
            else if (child.nodeType === Node.TEXT_NODE) put(part, "text", one(child.data));
        }
    };
    walk(document.body);
    return found;
}"""
WEARS = {"heading": "**{}**", "button": "[{}]", "field": "<{}>", "picture": "({})"}
NUMBERS = re.compile(r"[-−+]?\d+(\.\d+)?( [-−+]?\d+| –)*( (rat|cat)s?\b)?")
THE_END = "THE END"  # on the display
WON = re.compile(r"\bwins?\b", re.IGNORECASE)
ROUND = re.compile(r"^(?:round |R|ROUND |BOX )(\d+)\b")
PRESS = re.compile(r": press!$")
BESIDE = ("scores", "photo", "tag", "back")  # stands beside every question


class Shown(msgspec.Struct, frozen=True):
    """A piece of what can be read on a page. `where`: the id of what it stands in."""

    kind: str
    text: str
    where: str = ""
    off: bool = False  # a button that cannot be tapped
    aside: bool = False  # beside the question: another one that may be answered, too

    def __str__(self) -> str:
        return WEARS.get(self.kind, "{}").format(f"{self.text}, off" if self.off else self.text)


@dataclass
class Look:
    """What everything shows at one moment. `answered`: the players who have answered what is asked; `names`: all."""

    step: int
    shown: Mapping[str, Sequence[Shown]]  # by device
    names: Sequence[str]
    answered: frozenset[str] = frozenset()

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
        """The players that a text names; *P1's phone* is no player."""
        return set(re.findall(rf"\b(?:{'|'.join(self.names)})\b(?!'s phone)", text))

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
    """What cannot all be true of one moment, by the texts alone."""
    rules = (over, rounds, points) if ended(look, BOARD) else (over, rounds, points, asked, controls, by_hand)
    return list(chain.from_iterable(rule(look) for rule in rules))


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
    named = set[str]().union(*(look.named(text) for text in look.texts(DISPLAY) if PRESS.search(text)))
    if named and named != sent:
        yield f"{sorted(sent)} are to press, the display names {sorted(named)}"


# --- who plays --------------------------------------------------------------------------------------------------------


class Overheard(Pages):
    """A table with a phone for everybody, an onlooker, a board, and the kit's own page."""

    def __init__(self, chromium: Browser, folder: Path, players: int) -> None:
        super().__init__(chromium, folder, players, players)
        hub = self.table.phones
        self.watching: dict[str, tuple[Page, str]] = {}  # by device the page, and its phone's id
        for device, path in ((BOARD, "board"), (ONLOOKER, "")):
            cookie = self.table.join().cookie
            name, _equals, value = cookie.partition("=")
            page = opened(chromium, "about:blank", self.complaints, width_px=390)
            page.context.add_cookies([{"name": name, "value": value, "url": f"http://{self.table.host}"}])
            page.goto(f"http://{self.table.host}/{path}")
            if device == ONLOOKER:
                page.locator("#play").tap()
            self.watching[device] = page, self.table.do(lambda: hub.all[-1].id)
        self._words: Any = None
        self._told = ""  # when it was read last
        self.panel, self._serving = self._panel()
        context = chromium.new_context(viewport={"width": 320, "height": 240})
        self.kit = context.new_page()
        self.kit.clock.install()
        self.kit.add_init_script(TOLD)
        assert self.panel.address is not None
        self.kit.goto(f"http://127.0.0.1:{self.panel.address[1]}/")

    def _panel(self) -> tuple[Panel, Any]:
        """The kit's own page, served on the kit's loop."""
        rig, loop = self.table.rig, self.table.loop
        panel = self.table.do(lambda: cast(Panel, panel_of(rig.kit, wanted=True)))
        self.table.do(lambda: rig.app.follow(panel.hear, *Panel.KINDS))
        self.table.do(lambda: rig.app.follow(self._hear, "words"))
        serving = asyncio.run_coroutine_threadsafe(panel.serve("127.0.0.1", 0), loop)
        asyncio.run_coroutine_threadsafe(panel.up(), loop).result(PATIENCE_S)
        return panel, serving

    def _hear(self, news: TableNews) -> None:
        self._words = news.get("words", self._words)

    def read(self) -> dict[str, list[Shown]] | None:
        """What everything shows, once all pages show the newest; None: nothing was told since it was read before."""
        self.table.do(lambda: self.table.rig.after(0))
        hub, display = self.table.phones, self.rig.reads()
        phones = {phone.button: (phone.page, hub.all[n].id) for n, phone in enumerate(self.phones)}
        watched = self.watching | phones
        sights = {device: self.table.do(partial(hub.sight, id_)) for device, (_page, id_) in watched.items()}
        told = json.dumps([display, self._words, sights])
        if told == self._told:
            return None
        self._told = told
        found = {DISPLAY: [Shown("text", text) for text in display.split(" | ")], SPOKEN: self._spoken()}
        for device, (page, _id) in watched.items():
            _come(page, sights[device])
            found[device] = msgspec.convert(page.evaluate(READ), list[Shown])
        return found

    def _spoken(self) -> list[Shown]:
        _come(self.kit, {"words": self._words})
        self.kit.clock.run_for(SPEAKS_MS)
        lines = self.kit.locator("#spoken p").all_inner_texts()
        return [Shown("text", line) for line in lines if line]

    def close(self) -> None:
        self.kit.context.close()
        for page, _id in self.watching.values():
            page.context.close()
        self.table.loop.call_soon_threadsafe(self.panel.stop)
        self._serving.result(PATIENCE_S)
        super().close()


def _come(page: Page, wanted: Mapping[str, Any]) -> None:
    """Wait until the page was told this, and has drawn it."""
    newest = json.loads(json.dumps(wanted))

    def told() -> bool:
        news: dict[str, Any] = page.evaluate("told")
        return all(news.get(kind) == what for kind, what in newest.items())

    until(told, lambda: f"the page is told {newest}", meanwhile=lambda: page.wait_for_timeout(2))


class Looking(WithPhones):
    """The evening with phones, looked at before and after everything that people do."""

    def __init__(self, pages: Overheard, phones: Sequence[PagePhone], names: Sequence[str]) -> None:
        super().__init__(pages.rig, phones)
        self._pages, self._names = pages, names
        self._answered = set[str]()
        self.looks: list[Look] = []

    def look(self) -> None:
        """Look at everything."""
        shown = self._pages.read()
        if shown is not None:
            step = self.rig.playing.play.step
            self.looks.append(Look(step, shown, self._names, frozenset(self._answered)))

    def come_to(self, given: Given) -> int:
        late_ns = super().come_to(given)
        self.look()
        return late_ns

    def do(self, given: Given, after: Given | None) -> bool:
        both = super().do(given, after)
        self._answered.clear()
        self.look()
        return both

    def who(self, action: Action) -> Answering | None:
        if self._answered:
            self.look()
        phone = super().who(action)
        if phone is not None and action.seat is not None:
            self._answered.add(self._names[action.seat])  # from the next look on
        return phone

    def wait(self, step: int) -> None:
        """The clock answers, and the display counts."""
        text = self.rig.reads()
        while self.rig.playing.play.step != step:
            self.rig.after(TICK_MS)
            if self.rig.reads() != text:
                text = self.rig.reads()
                self.look()


class Heard(NamedTuple):
    """A whole game. `alone`: what it costs at the kit alone; `complaints`: of the pages' scripts."""

    looks: Sequence[Look]
    alone: Evening
    together: Evening
    complaints: Sequence[str]

    @property
    def contradictions(self) -> list[str]:
        """Each once, with the step at which it was found first."""
        found: dict[str, int] = {}
        for look in self.looks:
            for text in contradictions(look):
                found.setdefault(text, look.step)
        return [f"step {step}: {text}" for text, step in found.items()]

    def page(self, title: str) -> str:
        """All of it for people, as Markdown: moments that differ by names and numbers only are shown once."""
        first: dict[frozenset[tuple[str, str]], Look] = {}
        times: Counter[frozenset[tuple[str, str]]] = Counter()
        for look in self.looks:
            first.setdefault(look.kind, look)
            times[look.kind] += 1
        parts = [f"# {title}"]
        parts += [
            f"## {n}. Step {one.step}, {times[kind]}×\n\n{one.table()}"
            for n, (kind, one) in enumerate(first.items(), 1)
        ]
        parts.append("## Contradictions\n\n" + ("\n".join(f"- {text}" for text in self.contradictions) or "None."))
        (alone, with_phones) = self.alone, self.together
        parts.append(
            "## Costs\n\n"
            f"The kit alone: {alone.kit} presses and steps, {alone.chain} one after the other. With phones: "
            f"{with_phones.taps} taps, {with_phones.kit} presses and steps, {with_phones.chain} one after the other."
        )
        return "\n\n".join(parts) + "\n"


def heard(chromium: Browser, folder: Path, game: str, players: int) -> Heard:
    """Play it; the first phone answers for the table, too."""
    alone, given = recorded(folder / "alone", game, players)
    table = Overheard(chromium, folder / "phones", players)
    try:
        table.phones[0].say(table=True)
        begun(table.rig, game, players)
        people = Looking(table, table.phones, [f"P{n + 1}" for n in range(players)])
        people.look()
        together = people.play(given)
        complaints = [*table.complaints, *(text for phone in table.phones for text in phone.complaints)]
        return Heard(people.looks, alone, together, complaints)
    finally:
        table.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("players", type=int)
    parser.add_argument("file", type=Path)
    args = parser.parse_args()
    unsynced_journal.hasten()
    with sync_playwright() as playwright, patient_servers(), tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        found = heard(browser, Path(folder), args.game, args.players)
        browser.close()
    args.file.write_text(found.page(f"{games.rules(args.game).title}, {args.players} players"))
    print(*found.contradictions, *found.complaints, sep="\n")


if __name__ == "__main__":
    main()
