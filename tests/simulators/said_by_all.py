"""What phones, board, onlooker, display and the kit's spoken words show at one moment of a whole game.

`python -m tests.simulators.said_by_all GAME PLAYERS FILE` plays the game with a phone for every player and writes a
table for each kind of question; below them stand the contradictions that were found, and what the game cost in taps.
All is read as people do: the display's pixels, what is visible of the pages, and the kit's page's live region. A score
sheet (`sheet:wizard`), and a game with a timer, is played at random.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from math import hypot
from operator import mul
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from engine import games
from engine.rules import FINISH, Action, Seat
from engine.sheets.asking import ANYWAY
from firmware.cli.play import panel_of
from firmware.messages import TableNews
from firmware.output.strip_picture import RED, SEATS, WHITE, pieces, subject
from firmware.panel.server import Panel
from firmware.table.playing import Playing, begin
from firmware.table.question import Kind, waits_for_signal
from hardware.parts.strip import Colour
from tests.firmware.browser import CHROMIUM
from tests.simulators import unsynced_journal
from tests.simulators.contradictions import (
    BOARD,
    CLOCK,
    DISPLAY,
    MARK,
    ONLOOKER,
    SPOKEN,
    Corner,
    Look,
    Shown,
    contradictions,
)
from tests.simulators.every_game import names, rules_of
from tests.simulators.people import LOW, People
from tests.simulators.phone_evenings import Answering, Evening, Given, WithPhones, begun, in_order, recorded
from tests.simulators.phone_page import TOLD, PagePhone, opened, untimed
from tests.simulators.phone_pages import Pages
from tests.simulators.rig import MS
from tests.simulators.waiting import PATIENCE_S, patient_servers, until

SPEAKS_MS = 1000  # by then the kit's page has said what stands
TICK_MS = 100
ANSWERS = 40  # of a game that is played at random
BY_PHONE = 0.6  # how often a phone answers there, where one may
RARE = 0.05  # how often it takes what is beside the question
LONG_MS = 20_000, 80_000
WRONG_AGAIN = 0.6  # how often a number is put right, where they were wrong
ANYWAY_AFTER_ALL = 0.3  # how often the table closes what a check has opened again
OTHERWISE = ("go", "rounds", "places", "choosing")  # what the strip shows when it does not show seats
READ = r"""() => {
    const found = [], one = (text) => text.replace(/\s+/g, " ").trim();
    const domes = (part) => [part, ...part.querySelectorAll("*")].filter((each) => each.matches("[data-button]"))
        .map((dome) => ({
            name: dome.textContent, button: dome.dataset.button,
            colour: getComputedStyle(dome).getPropertyValue("--colour").trim(),
        }));
    const put = (part, kind, text, whole = true) => (text || kind === "clock") && found.push({
        kind, text: one(text), where: part.closest("[id]")?.id ?? "", off: part.disabled ?? false,
        aside: part.closest(".aside, details, hr ~ *") !== null, domes: whole ? domes(part) : [],
    });
    const inline = (part) => part.nodeType === Node.TEXT_NODE || (part.tagName !== "BUTTON" &&
        part.nodeType === Node.ELEMENT_NODE && getComputedStyle(part).display.startsWith("inline"));
    const walk = (part) => {
        if (!part.checkVisibility({visibilityProperty: true, opacityProperty: true})) return;
        const label = part.getAttribute("aria-label");
        const named = one(part.innerText ?? "") + (label ? ` «${label}»` : "");
        if (part.id === "clocks") {
            for (const clock of part.children) put(clock, "clock", clock.querySelector(".seat")?.textContent ?? "");
        } else if (part.tagName === "BUTTON") put(part, "button", named);
        else if (/^H\d$/.test(part.tagName)) put(part, "heading", named);
        else if (part.tagName === "TR") put(part, "row", [...part.cells].map((cell) => cell.innerText).join(" · "));
        else if (part.tagName === "INPUT") put(part, "field", part.labels?.[0]?.innerText ?? part.id);
        else if (part.tagName === "IMG") put(part, "picture", part.alt);
        else if (part.tagName === "svg") put(part, "picture", part.querySelector("title")?.textContent ?? "drawing");
        else if ([...part.childNodes].every(inline)) put(part, "text", named);
        else for (const child of part.childNodes) {
            if (child.nodeType === Node.ELEMENT_NODE) walk(child);
            else if (child.nodeType === Node.TEXT_NODE) put(part, "text", one(child.data), false);
        }
    };
    walk(document.body);
    return found;
}"""
KIT = """() => Object.fromEntries(Array.from(document.querySelectorAll(".place"), (place) => [place.dataset.name, {
    button: place.dataset.button, x: place.getBoundingClientRect().x, y: place.getBoundingClientRect().y,
    colour: getComputedStyle(place.querySelector(".dome")).getPropertyValue("--colour").trim(),
}]))"""


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
        self._clocks: tuple[Any, int] = ((), 0)  # as they were told last, and when
        self._told = ""  # when it was read last
        self._began: Mapping[str, Corner] = {}
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
        self.table.do(lambda: rig.app.follow(self._hear, "words", "clocks"))
        serving = asyncio.run_coroutine_threadsafe(panel.serve("127.0.0.1", 0), loop)
        asyncio.run_coroutine_threadsafe(panel.up(), loop).result(PATIENCE_S)
        return panel, serving

    def _hear(self, news: TableNews) -> None:
        self._words = news.get("words", self._words)
        if "clocks" in news:
            self._clocks = news["clocks"], self.table.rig.now_ns

    def look(self, names: Sequence[str], answered: frozenset[str]) -> Look | None:
        """What everything shows, once all pages show the newest; None: nothing was told since it was read before."""
        stand = self.table.do(self._stand)
        hub = self.table.phones
        phones = {phone.button: (phone.page, hub.all[n].id) for n, phone in enumerate(self.phones)}
        watched = self.watching | phones
        sights = {device: self.table.do(partial(hub.sight, id_)) for device, (_page, id_) in watched.items()}
        told = json.dumps([CLOCK.sub("0:00", stand.display), self._words, [*map(untimed, sights.values())]])
        if told == self._told:
            return None
        self._told = told
        found = {DISPLAY: [Shown("text", text) for text in stand.display.split(" | ")], SPOKEN: self._spoken()}
        for device, (page, _id) in watched.items():
            _come(page, sights[device])
            found[device] = self._timed(page, msgspec.convert(page.evaluate(READ), list[Shown]))
        kit = msgspec.convert(self.kit.evaluate(KIT), dict[str, Corner])
        self._began = self._began or kit
        return Look(
            stand.step,
            found,
            names,
            answered,
            stand.buttons,
            stand.strip,
            kit,
            self._began,
            closes=stand.closes,
            wrong=stand.wrong,
            for_table=self.phones[0].button,
            signal=stand.signal,
            covered=stand.covered,
        )

    def _stand(self) -> "Stand":
        """How the kit itself stands; on its loop."""
        rig = self.table.rig.after(0)
        table, game = rig.app.table, rig.playing
        board, buttons = game.committed.board, table.names
        entry, kind = game.entry, game.question.kind
        return Stand(
            game.play.step,
            rig.reads(),
            tuple(buttons),
            () if subject(board) in OTHERWISE else colours_of(rig.pixels, len(buttons)),
            closes=game.entered.only_ok,
            wrong=game.entered.wrong,
            signal=waits_for_signal(board) or kind is Kind.WAIT,
            covered=table.top is not game
            or bool(table._note or entry.note)  # noqa: SLF001
            or game.totals.until_ns is not None,
        )

    def _timed(self, page: Page, shown: list[Shown]) -> list[Shown]:
        """With what the clocks say that the page was told, by now on the kit's clock."""
        since_ms = (self.table.rig.now_ns - self._clocks[1]) // MS
        told = iter(page.evaluate("told.clocks ?? []"))
        clocks = [next(told, None) if one.kind == "clock" else None for one in shown]
        return [
            one if clock is None else msgspec.structs.replace(one, ms=left_ms(clock, since_ms))
            for one, clock in zip(shown, clocks, strict=True)
        ]

    def _spoken(self) -> list[Shown]:
        _come(self.kit, {"words": self._words})
        self.kit.clock.run_for(SPEAKS_MS)
        lines = self.kit.locator("#spoken p").all_inner_texts()
        return [Shown("text", line) for line in lines if line]

    @property
    def complained(self) -> list[str]:
        """What the pages' scripts have complained of."""
        return [*self.complaints, *(text for phone in self.phones for text in phone.complaints)]

    def close(self) -> None:
        self.kit.context.close()
        for page, _id in self.watching.values():
            page.context.close()
        self.table.loop.call_soon_threadsafe(self.panel.stop)
        self._serving.result(PATIENCE_S)
        super().close()


def _come(page: Page, wanted: Mapping[str, Any]) -> None:
    """Wait until the page was told this, and has drawn it."""
    newest = untimed(json.loads(json.dumps(wanted)))

    def told() -> bool:
        news: dict[str, Any] = untimed(page.evaluate("told"))
        return all(news.get(kind) == what for kind, what in newest.items())

    until(told, lambda: f"the page is told {newest}", meanwhile=lambda: page.wait_for_timeout(2))


class Stand(NamedTuple):
    """How the kit stands, for a `Look`."""

    step: int
    display: str
    buttons: tuple[str, ...]
    strip: tuple[frozenset[int], ...]
    closes: bool
    wrong: bool
    signal: bool
    covered: bool


def left_ms(clock: Mapping[str, Any], since_ms: int) -> int:
    """What a clock says so long after it was told."""
    left: int = clock["ms"] - since_ms * clock["runs"]
    return left if clock["over"] else max(0, left)


def colours_of(lamps: Sequence[Colour], many: int) -> tuple[frozenset[int], ...]:
    """By piece of a strip with so many the numbers of the colours in it."""
    return tuple(
        frozenset(nearest(lamp) for lamp in lamps[piece.start : piece.stop] if lit(lamp))
        for piece in pieces(len(lamps), many)
    )


def lit(lamp: Colour) -> bool:
    return any(part & ~1 for part in lamp)


def nearest(lamp: Colour) -> int:
    """The number of the colour that a lamp has, however dim; white and red are marks."""
    parts = [part & ~1 for part in lamp]  # without its rhythm
    known = {**dict(enumerate(SEATS)), MARK: WHITE, MARK - 1: RED}
    return max(MARK, max(known, key=lambda n: sum(map(mul, parts, known[n])) / hypot(*known[n])))


class Looking(WithPhones):
    """The evening with phones, looked at before and after everything that people do."""

    def __init__(self, pages: Overheard, phones: Sequence[PagePhone], names: Sequence[str]) -> None:
        super().__init__(pages.rig, phones)
        self._pages, self._names = pages, names
        self._answered = set[str]()
        self.looks: list[Look] = []

    def look(self) -> None:
        """Look at everything."""
        look = self._pages.look(self._names, frozenset(self._answered))
        if look is not None:
            self.looks.append(look)

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


class OneByOne(People):
    """People who enter their numbers one after the other, so that each can be looked at; OK comes last."""

    answered: set[Seat]  # to the open question

    def count(self, mode: Playing) -> None:
        numbers, missing = mode.question.numbers, mode.entered.missing or ()
        again = mode.entered.wrong and self.dice.random() < WRONG_AGAIN
        seat = (
            next(iter(self.dice.sample(missing or sorted(filter(None, numbers)), 1)), None)
            if missing or again
            else None
        )
        if seat is None:
            self.rig.ok()
            return
        offer = mode.question.count[seat]
        assert offer.low is not None and offer.high is not None
        steps = (offer.high - offer.low) // offer.step
        self.enter(mode, seat, offer.low + offer.step * int((steps + 1) * self.dice.random() ** LOW))
        if not mode.question.picks:  # else another box may still be chosen
            self.answered.add(seat)


class AtRandom:
    """Any game: phones and hands at the kit answer whatever is asked; looked at after everything that is done."""

    def __init__(self, pages: Overheard, names: Sequence[str], dice: Random) -> None:
        """`names`: of the buttons by seat."""
        self._pages, self._names, self._dice = pages, names, dice
        self._do = pages.table.do
        self._people = OneByOne(pages.table.rig, dice, never={FINISH})
        self._people.answered = set()
        self.looks: list[Look] = []

    def play(self, answers: int) -> None:
        """So many answers, or to the end."""
        self.look()
        for _ in range(answers):
            before = self._mark()
            if self._do(lambda: self._pages.table.rig.playing.play.over):
                break
            if self._dice.random() >= BY_PHONE or not self.by_phone():
                self._do(self.at_the_kit)
            if self._mark() != before:
                self._people.answered.clear()
            self.look()

    def _mark(self) -> str:
        """How the game stands."""
        return self._do(lambda: self._pages.table.rig.playing.mark)

    def look(self) -> None:
        answered = frozenset(self._names[seat] for seat in self._people.answered)
        if (look := self._pages.look(self._names, answered)) is not None:
            self.looks.append(look)

    def at_the_kit(self) -> None:
        """Hands do one thing, or nothing for a while; now and then what a check refuses is counted anyway."""
        people, dice, mode = self._people, self._dice, self._pages.table.rig.app.table.top
        closable = isinstance(mode, Playing) and any(offer.verb == ANYWAY for offer in mode.question.menu)
        if closable and dice.random() < ANYWAY_AFTER_ALL:
            people.let_go()
            people.pick("Count anyway")
        elif dice.random() < RARE:
            people.wait(dice.uniform(*LONG_MS))
        elif dice.random() < RARE:
            people.let_go()
            people.rig.undo()
        else:
            people.act()

    def by_phone(self) -> bool:
        """One phone answers one of its questions. False: none is asked."""
        asked = [(phone, ask) for phone in self._pages.phones for ask in phone.asks if self._answerable(phone, ask)]
        if not asked or not self._do(lambda: isinstance(self._pages.table.rig.app.table.top, Playing)):
            return False
        self._do(self._people.let_go)
        phone, ask = self._dice.choice(asked)
        if not any(one["id"] == ask["id"] for one in phone.asks):  # the clock was quicker
            return False
        phone.send(ask["id"], self._value(phone, ask))
        if ask["seat"] is not None and "low" in ask:
            self._people.answered.add(ask["seat"])
        return True

    def _answerable(self, phone: PagePhone, ask: Mapping[str, Any]) -> bool:
        """What is beside the question rarely, and no number there, which is folded; a number is hardly ever changed."""
        beside = ask["aside"] or any(seat == ask["seat"] for seat, _number in phone.me["sent"])
        return not (ask["aside"] and "low" in ask) and (not beside or self._dice.random() < RARE)

    def _value(self, phone: PagePhone, ask: Mapping[str, Any]) -> Any:
        """Any answer but the one that stands."""
        if "letters" in ask:
            return None
        if "options" in ask:
            return self._dice.choice(ask["options"])[0]
        if "low" not in ask:
            return None
        words = ask["words"]
        sent = [number for seat, number in phone.me["sent"] if seat == ask["seat"]]
        some = [n for n in range(ask["low"], ask["high"] + 1, ask["step"]) if n not in sent]
        some = [n for n in some if not words or words[n - ask["low"]]]
        return some[int(len(some) * self._dice.random() ** LOW)]


class Heard(NamedTuple):
    """A game. `complaints`: of the pages' scripts; `costs`: at the kit alone and with phones, if compared."""

    looks: Sequence[Look]
    complaints: Sequence[str]
    costs: tuple[Evening, Evening] | None = None

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
        if self.costs is not None:
            alone, with_phones = self.costs
            parts.append(
                "## Costs\n\n"
                f"The kit alone: {alone.kit} presses and steps, {alone.chain} one after the other. "
                f"With phones: {with_phones.taps} taps, {with_phones.kit} presses and steps, "
                f"{with_phones.chain} one after the other."
            )
        return "\n\n".join(parts) + "\n"


def heard(chromium: Browser, folder: Path, game: str, players: int, first: int = 0) -> Heard:
    """Play a whole evening; the first phone answers for the table, too. `first`: the place of who begins."""
    alone, given = recorded(folder / "alone", game, players, first=first)
    table = Overheard(chromium, folder / "phones", players)
    try:
        table.phones[0].say(table=True)
        begun(table.rig, game, players, first)
        people = Looking(table, table.phones, in_order(players, first))
        people.look()
        together = people.play(given)
        return Heard(people.looks, table.complained, (alone, together))
    finally:
        table.close()


def at_random(
    chromium: Browser, folder: Path, game: str, players: int, seed: int, answers: int = ANSWERS, **options: object
) -> Heard:
    """Play any game or sheet; who begins is chance, too."""
    dice, rules = Random(f"{game} {players} {seed}"), rules_of(game)
    order = in_order(players, dice.randrange(players))
    table = Overheard(chromium, folder, players)
    try:
        table.phones[0].say(table=True)
        table.table.do(lambda: begin(table.table.rig.app.table, rules, order, rules.options(**options)))
        people = AtRandom(table, order, dice)
        people.play(answers)
        return Heard(people.looks, table.complained)
    finally:
        table.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=names())
    parser.add_argument("players", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the place of the button that begins, from 0")
    parser.add_argument("--random", type=int, metavar="SEED", help="play at random, as sheets always are")
    args = parser.parse_args()
    unsynced_journal.hasten()
    with sync_playwright() as playwright, patient_servers(), tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        if args.random is None and args.game in games.names():
            found = heard(browser, Path(folder), args.game, args.players, args.first)
        else:
            found = at_random(browser, Path(folder), args.game, args.players, args.random or 0)
        browser.close()
    args.file.write_text(found.page(f"{rules_of(args.game).title}, {args.players} players"))
    print(*found.contradictions, *found.complaints, sep="\n")


if __name__ == "__main__":
    main()
