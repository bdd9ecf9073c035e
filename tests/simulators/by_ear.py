"""Somebody who sees nothing plays at the kit's page: by its keys, and by what a screen reader says of it.

`python -m tests.simulators.by_ear GAME` plays a game and prints the transcript.

The page stands in a real browser, in front of the running program. Every text that comes into a live region is a line
of the transcript. A player has hands on the keyboard, knows what happens on the table (a plan: who is first, who bids
what), and does with it what the latest lines ask for, nothing else. Where they do not say enough the player is lost.
"""

import argparse
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import ClassVar, NamedTuple

from playwright.sync_api import Browser, Route

from firmware.journal.reader import History
from tests.simulators.at_the_page import LONG_MS, SHORT_MS, Table, launched
from tests.simulators.page_input import KEYS

HEARD = r"""
    window.heard = []; // all that came into a live region
    const LIVE = '[aria-live]:not([aria-live="off"]), [role="status"], [role="log"], [role="alert"]';
    const said = ({target, type, addedNodes}) => {
        const at = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
        const region = at?.closest?.(LIVE);
        if (!region?.checkVisibility({visibilityProperty: true}) || at.closest('[aria-hidden="true"]')) return "";
        return type === "characterData" ? target.data : [...addedNodes].map((node) => node.textContent).join("");
    };
    new MutationObserver((records) => window.heard.push(...records.map(said).filter((text) => text.trim())))
        .observe(document, {subtree: true, childList: true, characterData: true});
"""
TICK_MS = 400
CALM_MS = 800  # so long after a line nothing more is said
PATIENCE_MS = 15_000  # a button is called stuck after 10 s
AHEAD_MS = 60_000  # where the page's clock stops, so that it has not been there yet
MOST = 20  # rounds of Wizard with three players
LINES = 30  # of the transcript, that tell how somebody got lost
SEATED: tuple[str, ...] = ("P1", "P2", "P3")
MENU, ALL_GAMES = "which game?", "All games"
NUMBER = re.compile(r"(P\d): (-?\d+)")
VERDICT = re.compile(r"\b(first by|too close to call)\b")
ROUND = re.compile(r"\bR?(\d+)(?:/\d+| LEVEL)")
SCORE = re.compile(r"\b(P\d)\. (-?\d+)\b")


class Lost(Exception):
    """What was said is not enough to go on."""


class Spoken(Table):
    """The program with its page, of which only the transcript is known."""

    def __init__(self, browser: Browser, state: Path, withheld: str = "") -> None:
        """`withheld`: a piece of the page's script that is missing."""
        self._withheld = withheld
        self.transcript: list[str] = []
        super().__init__(browser, state)
        self.page.clock.pause_at(self.page.evaluate("Date.now()") + AHEAD_MS)  # from now on only in `wait`

    def prepare(self) -> None:
        self.page.clock.install()  # time goes on by itself while the page opens
        self.page.add_init_script(HEARD)
        if self._withheld:
            self.page.route("**/kit.js", self._cut)

    def _cut(self, route: Route) -> None:
        """Leave the piece out of the script."""
        script = route.fetch().text()
        assert script.count(self._withheld) == 1
        route.fulfill(body=script.replace(self._withheld, ""), content_type="text/javascript")

    def wait(self, ms: float) -> "Spoken":
        """Let time pass, for the page, too."""
        super().wait(ms)
        self.page.clock.run_for(round(ms))
        return self

    def listen(self) -> list[str]:
        """What is said from now on until it is calm; nothing where nothing comes."""
        heard, silent_ms = self._said(), 0
        while silent_ms < (CALM_MS if heard else PATIENCE_MS):
            self.wait(TICK_MS)
            more = self._said()
            heard += more
            silent_ms = 0 if more else silent_ms + TICK_MS
        self.transcript += heard
        return heard

    def _said(self) -> list[str]:
        lines: list[str] = self.page.evaluate("heard.splice(0)")
        return [line.strip() for line in lines]


class Ear(NamedTuple):
    """What a player has of the page: keys that go down and up, time, and what is said."""

    key_down: Callable[[str], None]
    key_up: Callable[[str], None]
    wait: Callable[[float], object]
    listen: Callable[[], list[str]]


class Player(ABC):
    """Plays one game. `text`: the latest long line; the others are the latest of their kind."""

    game: ClassVar[str]  # its title

    def __init__(self, ear: Ear) -> None:
        self._ear = ear
        self.text = self.chosen = ""
        self.latest = ""  # whose number was said last
        self.asked: tuple[str, ...] = ()
        self.playing: tuple[str, ...] = ()
        self.notes: list[str] = []  # of a few words: what is heard beside the text
        self.numbers: dict[str, int] = {}  # heard since the question is asked

    # --- hands -------------------------------------------------------------------------------------------------------

    def tap(self, *parts: str, ms: float = SHORT_MS) -> str:
        """One press; of several buttons all at once."""
        for part in parts:
            self._ear.key_down(KEYS.get(part, part))
        self._ear.wait(ms)
        for part in parts:
            self._ear.key_up(KEYS.get(part, part))
        self._ear.wait(SHORT_MS)
        return f"{' '.join(parts)} for {ms} ms"

    def down(self, part: str) -> None:
        self._ear.key_down(KEYS[part])

    def up(self, part: str) -> None:
        self._ear.key_up(KEYS[part])

    # --- ears --------------------------------------------------------------------------------------------------------

    def hear(self) -> bool:
        """Listen until it is calm. False: nothing was said."""
        lines = self._ear.listen()
        for line in lines:
            kind, _colon, rest = line.partition(": ")
            if kind == "chosen":
                self.chosen = rest
            elif kind == "asked":
                self.asked = tuple(rest.split(", "))
            elif kind == "playing":
                self.playing = tuple(one for one in rest.split(", ") if one != "nobody")
            elif (found := NUMBER.fullmatch(line)) is not None:
                self.latest, self.numbers[found[1]] = found[1], int(found[2])
            elif ". " in line and VERDICT.search(line) is None:
                self.text = line
            else:
                self.notes.append(line)
        return bool(lines)

    def says(self, *texts: str) -> bool:
        """Whether the latest long line says all this."""
        return all(text in self.text for text in texts)

    def play(self) -> dict[str, int]:
        """From the menu to the end: the scores as they are said there."""
        self.hear()
        while not self.says("THE END"):
            did = self.act()
            if not self.hear():
                raise Lost(f"nothing is said after {did or 'nothing was done'}")
        return {name: int(points) for name, points in SCORE.findall(self.text)}

    def act(self) -> str:
        """Do what the latest lines ask for: what that was; empty: nothing."""
        if self.says(MENU):
            return self.tap("Enter" if self.chosen in (self.game, ALL_GAMES) else "ArrowDown")
        if self.says("ALL GAMES", "press: next letter"):
            return self.tap(self.game[0].lower())
        if self.says("turn: choose") and not self.says("MORE"):
            return self.tap("Enter" if self.chosen in ("START", self.game) else "ArrowDown")
        if self.says("Who plays?"):
            missing = [name for name in SEATED if name not in self.playing]
            if missing and self.says("press yours"):
                return self.tap(missing[0])
            return self.tap("Enter") if self.says("OK: go on") else ""
        return self.answer()

    @abstractmethod
    def answer(self) -> str:
        """The same in the game."""

    def choose(self, wanted: str) -> str:
        """One of a few answers, by turns, then OK."""
        return self.tap("Enter" if self.chosen == wanted else "ArrowDown")

    def count(self, name: str, wanted: int) -> str:
        """A number of somebody, by their own button, then by steps."""
        if wanted == 0 and self.says("hold: 0"):
            return self.tap(name, ms=LONG_MS)
        if self.latest != name:
            return self.tap(name)
        steps = wanted - self.numbers[name]
        for _ in range(abs(steps)):
            self.tap("ArrowUp" if steps > 0 else "ArrowDown")
        return f"{steps} steps for {name}"


# --- Kitty Paw --------------------------------------------------------------------------------------------------------


class Race(NamedTuple):
    """A round as it happens on the table."""

    order: tuple[str, ...]  # in which they press
    right: bool  # the pattern of the first one
    card: int  # points
    level: bool = False  # the first two press at once; the table says that the first one was the first
    stays: str = ""  # whose finger stays on the button after the flash
    slip: bool = False  # the pattern is called right where it is wrong, or the other way round; that is undone


def races(dice: Random) -> Iterator[Race]:
    """Rounds as they come. In the second a finger stays, in the third two are level, in the fourth an OK is undone."""
    for round_ in range(1, 13):
        low, high = ((5, 7), (4, 7), (6, 7))[(round_ > 6) + (round_ > 10)]
        order = tuple(dice.sample(SEATED, len(SEATED)))
        stays = order[1] if round_ == 2 else ""
        yield Race(order, dice.random() < 0.7, dice.randint(low, high), round_ == 3, stays, round_ == 4)


def points_of_races(played: Sequence[Race]) -> dict[str, int]:
    """What these rounds are worth by the rules: a card for what is right, a penalty for what is wrong and the last."""
    points = dict.fromkeys(SEATED, 0)
    for round_, race in enumerate(played, 1):
        penalty = 1 + (round_ > 6) + (round_ > 10)
        points[race.order[-1]] -= penalty
        points[race.order[0]] += race.card if race.right else -penalty
    return points


class KittyPaw(Player):
    """Three at the pattern race: by fingers in even rounds, by Hold all in the others."""

    game = "Kitty Paw"

    def __init__(self, ear: Ear, plan: Iterator[Race]) -> None:
        super().__init__(ear)
        self._plan = plan
        self.played: list[Race] = []
        self._fingers: set[str] = set()
        self._slips = 0  # so far
        self._undo = False  # the latest answer is to be undone

    def answer(self) -> str:
        if self.says("BACK", "OK: undo"):
            return self.tap("Escape" if self.says("now: Pattern right?") else "Enter")
        if self.says("all hold your button"):
            return self._hold()
        if not self.played or (self.says("hold until the flash") and "MEOW GO!" not in self.notes):
            return ""
        now = self.played[-1]
        for name in sorted(self._fingers):
            if name != now.stays or f"{name} is stuck: let it go" in self.notes:
                self.up(name)
                self._fingers.remove(name)
        if self._fingers:
            return ""
        if self.says("done? press") and "MEOW GO!" in self.notes:
            return self.tap(*now.order[: 2 if now.level else 1])
        if (called := re.search(r"((?:P\d )*P\d): press!", self.text)) is not None:
            waited = called[1].split()
            return self.tap(next(name for name in now.order if name in waited))
        if self.says("Who said Meow?"):
            return self.choose(now.order[0])
        if self.says("Pattern right?"):
            return self._judge(now)
        if self._undo:
            self._undo = False
            return self.tap("Escape")
        if self.says("Card is worth"):
            return self._worth(now.card)
        return self.tap("Enter") if self.says("OK: next") else ""

    def _hold(self) -> str:
        """All hands on the buttons that are asked for."""
        if not self._fingers:
            self.played.append(next(self._plan))
            self.notes.clear()
        if len(self.played) % 2:
            return self.tap("0")
        name = next((one for one in self.asked if one not in self._fingers), None)
        if name is None:
            return ""
        self.down(name)
        self._fingers.add(name)
        return f"a finger on {name}"

    def _judge(self, now: Race) -> str:
        """Whether the pattern is right, as the table sees it; the first time maybe not."""
        slips = now.slip and self._slips == 0
        wanted = "yes" if now.right is not slips else "no"
        if slips and self.chosen == wanted:
            self._slips, self._undo = 1, True
        return self.choose(wanted)

    def _worth(self, card: int) -> str:
        steps = card - int(self.chosen)
        return self.tap("ArrowUp" if steps > 0 else "ArrowDown" if steps < 0 else "Enter")


# --- Wizard -----------------------------------------------------------------------------------------------------------


class Tricks(NamedTuple):
    """A round as it happens on the table."""

    bid: Mapping[str, int]
    won: Mapping[str, int]
    slip: str = ""  # who miscounts at first


def hands_of_cards(dice: Random, rounds: int) -> Iterator[Tricks]:
    """Rounds as they come: in each as many tricks as it has cards."""
    for round_ in range(1, rounds + 1):
        takers = [dice.choice(SEATED) for _ in range(round_)]
        won = {name: takers.count(name) for name in SEATED}
        bid = {name: min(max(won[name] + dice.choice((0, 0, 1, -1)), 0), round_) for name in SEATED}
        yield Tricks(bid, won, min(SEATED, key=lambda name: won[name]) if round_ == 2 else "")


def points_of_tricks(played: Sequence[Tricks]) -> dict[str, int]:
    """What these rounds are worth by the rules."""
    return {
        name: sum(
            20 + 10 * one.won[name] if one.won[name] == one.bid[name] else -10 * abs(one.won[name] - one.bid[name])
            for one in played
        )
        for name in SEATED
    }


class Wizard(Player):
    """Three at the cards: bids, then tricks."""

    game = "Wizard"

    def __init__(self, ear: Ear, plan: Iterator[Tricks]) -> None:
        super().__init__(ear)
        self._plan = plan
        self.played: list[Tricks] = []
        self._question = ("", "")  # and its round
        self._checked = False  # the kit has said that the tricks do not add up
        self._over = False  # the table goes home before the last round

    def answer(self) -> str:
        if self._over:
            return self._end()
        if self.says("OK: on"):
            return self.tap("Enter")
        number = ROUND.search(self.text)
        for question in ("Your bid?", "Tricks won"):
            if number is not None and self.says(question) and self._question != (question, number[1]):
                self._question, self._checked = (question, number[1]), False
                self.numbers.clear()
                self.latest = ""
                if question == "Your bid?":
                    following = next(self._plan, None)
                    if following is None:
                        self._over = True
                        return self.tap("Escape")
                    self.played.append(following)
        self._checked = self._checked or self.says("Tricks must add up")
        if not self.played:
            return ""
        now = self.played[-1]
        wanted = dict(now.bid if self._question[0] == "Your bid?" else now.won)
        if self._question[0] == "Tricks won" and now.slip and not self._checked:
            wanted[now.slip] += 1
        for name in SEATED:
            if self.numbers.get(name) != wanted[name] and name in (*self.asked, *self.numbers):
                return self.count(name, wanted[name])
        return self.tap("Enter") if self.numbers == wanted else ""

    def _end(self) -> str:
        """By Back and its list."""
        if self.says("BACK", "more >"):
            return self.tap("ArrowDown")
        return self.choose("End the game now") if self.says("MORE", "turn: choose") else ""


# --- a whole game -----------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A game to its end: the scores as they were heard, by the rules, and as the kit has them."""

    heard: Mapping[str, int]
    by_rules: Mapping[str, int]
    journaled: Mapping[str, int]
    transcript: Sequence[str]


def played(
    browser: Browser, folder: Path, game: str, *, rounds: int = MOST, seed: int = 1, withheld: str = ""
) -> Played:
    """Play it, so many rounds at most. Raises `Lost` with the end of the transcript."""
    table, dice = Spoken(browser, folder, withheld), Random(seed)
    keys = table.page.keyboard
    ear = Ear(keys.down, keys.up, table.wait, table.listen)
    try:
        if game == "kitty_paw":
            racer = KittyPaw(ear, races(dice))
            heard, by_rules = racer.play(), points_of_races(racer.played)
        else:
            counter = Wizard(ear, hands_of_cards(dice, rounds))
            heard, by_rules = counter.play(), points_of_tricks(counter.played)
    except Lost as lost:
        raise Lost("\n".join([str(lost), *table.transcript[-LINES:]])) from None
    finally:
        table.close()
    with closing(History(folder / "luckypaw" / "journal.db")) as history:
        (row,) = history.games()
        scores = history.play(row.game, history.rules(row)).scores
    return Played(heard, by_rules, dict(zip(SEATED, scores, strict=True)), table.transcript)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("kitty_paw", "wizard"))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with launched() as browser, tempfile.TemporaryDirectory() as folder:
        found = played(browser, Path(folder), args.game, seed=args.seed)
    print(*found.transcript, found.heard, found.by_rules, found.journaled, sep="\n")


if __name__ == "__main__":
    main()
