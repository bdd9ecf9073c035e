"""One evening: what people do, what they do that nobody asked for, and the cuts."""

import re
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from functools import reduce
from pathlib import Path
from random import Random
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

from engine import games
from engine import play as plays
from engine.game import Corrected
from engine.rules import HANDS, TAKE_BACK, Action, Seat
from firmware.table.question import Kind
from tests.simulators.at_the_page import LONG_MS, PAGE, SHORT_MS, Table
from tests.simulators.clumsy.movements import Cut
from tests.simulators.clumsy.watched import MS, Seen, Watched, points_of, scores_of
from tests.simulators.contact import LATEST_NS
from tests.simulators.controlled_clock import CONTACTS
from tests.simulators.new_runs import RUNS, Run, begins_again, timed
from tests.simulators.page_input import Fingers, Hands, Keys, Mouse, Pointing
from tests.simulators.players import in_order_of_play
from tests.simulators.program import game_begun
from tests.simulators.rig import FOUR

ACTS = 40  # in an evening, cuts left out
CLUMSY = 0.5  # how often something is done that nobody asked for
HOT_CUT = (1, 8)  # movements until a cut, in a race or a countdown
HOT = 0.1  # how often, there
OFF_MS = 7000  # how long a restart in the same boot takes
LOW = 5  # how strongly numbers lean to the lowest
STEPS = 12  # at most, from one number to another
HANDS_ON: tuple[tuple[Callable[[Page], Hands], tuple[int, int]], ...] = (
    (Keys, (320, 240)),  # drawn in no time
    (Keys, (320, 240)),
    (Keys, (320, 240)),
    (Mouse, (640, 480)),
    (Fingers, (390, 844)),
)
MENU = "LUCKY PAW"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
USUAL = re.compile(r"P\d is stuck: let it go|P\d works again")  # lines of the log that clumsy hands lead to


class Way(NamedTuple):
    """How the program ends, and on which clock it begins again."""

    name: str
    how: signal.Signals
    run: Run


RESTART, AHEAD, BEHIND = RUNS
WAYS = (
    Way("restart", signal.SIGTERM, RESTART),
    Way("killed", signal.SIGKILL, RESTART),
    Way("clock ahead", signal.SIGKILL, AHEAD),
    Way("clock behind", signal.SIGKILL, BEHIND),
)


class Evening(Watched):
    """People at the page of one kit."""

    def __init__(self, browser: Browser, folder: Path, seed: int, pictures: Path | None = None) -> None:
        dice = Random(f"clumsy {seed}")
        self.seed, self.pictures = seed, pictures
        rules = games.rules(games.names()[seed % len(games.names())])
        self.options = timed(rules, dice, programs=False)
        fewest, most = rules.seats
        self.players = in_order_of_play(FOUR, dice.randint(max(2, fewest), min(4, most)), dice)
        state = folder / "luckypaw"
        game_begun(state, rules.name, self.players, seed, self.options)
        hands, self.size = dice.choice(HANDS_ON)
        table = Table(browser, folder, CONTACTS, str(seed), hands=hands, size=self.size)
        table.page.emulate_media(reduced_motion="reduce")  # what moves by itself costs the processor most
        super().__init__(dice, table, hands, rules, state / "journal.db")
        self.boots = 1
        self.tab: Page | None = None
        self.acts, self.cuts = Counter[str](), Counter[str]()
        self.doing: list[str] = []

    # --- an evening --------------------------------------------------------------------------------------------------

    def play(self, acts: int = ACTS) -> None:
        """Play it. Fails with what must not happen, and what was done last."""
        try:
            while self.acts.total() < acts or not self.cuts:
                try:
                    self.act()
                except Cut:
                    self.cut(self.dice.choice(WAYS))
            self.cuts_from_now = -1  # no more
            self.hands_off()
            self.table.wait(100)
            self.look()
            self.ended(*self.table.program.end(), how=signal.SIGTERM)
        except Exception as failure:
            failure.add_note(f"{self}: {' > '.join(self.doing[-12:])}")
            self.picture("fault")
            raise

    def said_options(self) -> str:
        """The options that are not the usual ones."""
        usual = self.rules.options()
        values = {option.name: getattr(self.options, option.name) for option in fields(usual)}
        return " ".join(f"{name}={value}" for name, value in values.items() if value != getattr(usual, name))

    def __str__(self) -> str:
        return f"{self.rules.name}, seed {self.seed}, {' '.join(self.players)}, {self.said_options()}"

    def close(self) -> None:
        """Close the pages, and end the program if it runs."""
        self.close_tab()
        self.table.page.close()
        with self.table.program:
            pass

    def act(self) -> None:
        """Do one thing."""
        seen, dice = self.look(), self.dice
        if isinstance(self.table.hands, Pointing):
            self.table.hands.look_anew()
        if begins_again(seen.play) and dice.random() < HOT:
            self.cuts_from_now = dice.randint(*HOT_CUT)
        if seen.told["scores"] is None:
            self.does("go on", self.go_on)
        elif seen.over_game:
            self.does(*dice.choice((("leave", self.long_ok), ("leave", self.long_ok), ("fiddle", self.fiddle))))
        elif seen.play.over:
            self.does(*dice.choice((("again", self.again), ("undo", self.undo), ("fix", self.fix))))
        elif dice.random() < CLUMSY:
            name = dice.choice((*CLUMSINESS, "fix", "fix", "undo"))
            self.does(name, lambda: CLUMSINESS[name](self))
        else:
            self.does("answer", lambda: self.answer(seen))

    def does(self, name: str, act: Callable[[], object]) -> None:
        self.acts[name] += 1
        self.doing.append(name)
        act()

    # --- what is asked -----------------------------------------------------------------------------------------------

    def button(self, seen: Seen, seat: Seat) -> str:
        return (seen.play.buttons or seen.play.players)[seat]

    def answer(self, seen: Seen) -> None:
        """Something that the question calls for."""
        q, dice = seen.asked, self.dice
        self.wait(dice.choice((50, 200, 700, 1500)))
        if q.release or any(offer.verb == HANDS for offer in q.press.values()):
            self.hands(seen)
            return
        if self.held:
            self.let_go()
        match q.kind:
            case Kind.RACE:
                buttons = [self.button(seen, seat) for seat in q.press]
                if buttons and dice.random() < 0.9:
                    dice.shuffle(buttons)
                    self.together(*buttons[: dice.choice((1, 1, 2))])
                else:
                    self.ok()
            case Kind.COUNT:
                self.count(seen)
            case Kind.CHOOSE:
                assert q.control is not None
                self.rows(dice.randrange(min(4, len(q.control.options))))
                self.ok()
            case Kind.NUMBER:
                self.turn(round(STEPS * dice.random() ** LOW))
                self.ok()
            case Kind.TAP:
                self.press(self.button(seen, dice.choice(sorted(q.press))))
                if q.ok is not None:
                    self.ok()
            case Kind.CONFIRM:
                self.ok()
            case _:
                self.wait(self.until_due(seen))

    def until_due(self, seen: Seen) -> int:
        """Until the clock answers, in ms."""
        due_ns = seen.play.due_ns
        return 100 if due_ns is None else max(0, due_ns // MS - self.table.now_ms) + 10

    def hands(self, seen: Seen) -> None:
        """All hands are put on the buttons; then the signal is waited for, and at times one is lifted too early."""
        asked = [seat for seat, offer in seen.asked.press.items() if offer.verb == HANDS]
        for button in [self.button(seen, seat) for seat in asked]:
            if button in self.held:  # it is down, and not heard
                self.up(button)
                self.wait(SHORT_MS)
            self.down(button)
            self.wait(SHORT_MS)
        if self.held and self.dice.random() < 0.1:
            self.up(self.dice.choice(sorted(self.held)))
        else:
            self.wait(self.until_due(self.look()) if not asked else 500)

    def count(self, seen: Seen) -> None:
        """Everybody enters a number that is allowed; OK closes it, once more where somebody forgot."""
        play = seen.play
        for seat in seen.asked.count:
            offer = next(offer for offer in play.offers if offer.seat == seat and offer.low is not None)
            assert offer.low is not None and offer.high is not None
            most = min(offer.high, offer.low + STEPS)
            value = offer.low + int((most - offer.low + 1) * self.dice.random() ** LOW)
            play = reduce(plays.fold, plays.answer(play, Action(seat, offer.verb, value, play.lapsed_ns)), play)
            self.press(self.button(seen, seat), LONG_MS)  # the lowest
            self.turn(value - offer.low)
        self.ok()

    def go_on(self) -> None:
        """There is no game on the table: the one of before is taken up, after a cut as it is offered."""
        told = self.told()
        if told["words"]["question"] != MENU:
            assert "GO ON?" in told["words"]["display"], told["words"]
            self.check_offered(told["words"]["display"])
        self.ok()
        seen = self.look()
        assert seen.told["scores"] is not None, "the game does not go on"
        self.picture("after")
        if self.dice.random() < 0.7:
            self.first_press(seen)

    def first_press(self, seen: Seen) -> None:
        """The first press after it counts at once in a race; elsewhere it does or sounds something."""
        q, dice = seen.asked, self.dice
        seats = sorted({*q.press, *q.count})
        if not seats or seen.play.over:
            return
        seat, facts = dice.choice(seats), len(self.facts)
        self.down(self.button(seen, seat), stays=False)
        made_ns = self.table.now_ms * MS
        self.wait(2 * SHORT_MS)  # another button may have been brushed: it is waited for until that is known
        then = self.look()
        if (offer := q.press.get(seat)) is not None and offer.race:
            counted = [fact for fact in self.facts[facts:] if getattr(fact.event, "seat", None) == seat]
            told = counted and made_ns <= counted[0].at_ns <= made_ns + LATEST_NS
            assert told, f"a press at {made_ns} does not count at once: {counted}"
        else:
            done = len(self.facts) > facts or then.told["picture"] != seen.told["picture"]
            assert done or then.told["tunes"] > seen.told["tunes"], "a press is swallowed"
        self.up(self.button(seen, seat))
        self.wait(SHORT_MS)

    # --- what nobody asked for ---------------------------------------------------------------------------------------

    def anybody(self) -> str:
        return self.dice.choice(self.players)

    def slap(self) -> None:
        """Somebody has not seen that it is over, or that it is not their turn."""
        self.press(self.anybody(), self.dice.choice((40, 90, 200)))

    def hold(self) -> None:
        self.press(self.anybody(), self.dice.choice((700, 1500, 2500, 11_000)))

    def together(self, *buttons: str) -> None:
        """As good as together, or for sure."""
        free = [button for button in buttons if button not in self.held]
        for button in free:
            self.down(button, stays=len(free) > 1)
        self.wait(SHORT_MS)
        for button in free:
            self.up(button)
        self.wait(SHORT_MS)

    def two(self) -> None:
        self.together(*self.dice.sample(self.players, k=2))

    def rest(self) -> None:
        """A hand lies on a button, until another time."""
        if self.held:
            self.let_go()
        else:
            self.down(self.anybody())

    def menu(self) -> None:
        """Back is opened, and left standing."""
        self.long_ok()
        if self.dice.random() < 0.5:
            self.rows(self.dice.randint(1, 4))

    def fiddle(self) -> None:
        """Something is turned in a menu that is open, or somebody presses."""
        if self.dice.random() < 0.5:
            self.rows(1)
        else:
            self.slap()

    def pick(self, row: str) -> bool:
        """A row of the game's menu. False: the game was quicker, or it is not there."""
        self.long_ok()
        self.rows(1)
        before = ""
        while (words := self.told()["words"])["question"] == "MORE" and words["chosen"] != before:
            if words["chosen"] == f"chosen: {row}":
                self.ok()
                return True
            before = words["chosen"]
            self.rows(1)
        return False

    def fix(self) -> None:
        """Points are put right by the menu, whatever goes on."""
        seat, points = self.dice.randrange(len(self.players)), self.dice.choice((-5, -1, 1, 3))
        if self.pick("Fix points") and "whose?" in self.told()["words"]["display"]:
            self.rows(seat)
            self.ok()
            self.turn(points)
            self.ok()
            facts = len(self.facts)
            self.look()
            events = [fact.event for fact in self.facts[facts:]]
            assert Corrected(seat, points) in events, f"points are not fixed: {events}"

    def undo(self) -> None:
        """A few steps back, and some of them forth."""
        self.long_ok()
        for _ in range(self.dice.randint(1, 3)):
            self.ok()
        for _ in range(self.dice.randint(0, 3)):
            self.turn(1)
        if self.dice.random() < 0.8 and self.look().over_game:
            self.long_ok()

    def end(self) -> None:
        if self.dice.random() < 0.5 and not self.pick("End the game now") and self.pick("Finish"):
            self.rows(1)
            self.ok()

    def reseat(self) -> None:
        """All change places."""
        if self.pick("Seats"):
            for button in self.dice.sample(self.players, k=len(self.players)):
                self.press(button)

    def side_entry(self) -> None:
        """Any of the ways out and side entries."""
        if rows := self.look().asked.menu:
            self.long_ok()
            self.rows(1 + self.dice.randrange(len(rows)))
            self.ok()
            self.ok()

    def void(self) -> None:
        """A grab is void: its button is held; then it is waited for, or somebody stops it."""
        seen = self.look()
        if seats := [seat for seat, offer in seen.asked.hold.items() if offer.verb == TAKE_BACK]:
            self.press(self.button(seen, self.dice.choice(seats)), LONG_MS)
            self.wait(2100) if self.dice.random() < 0.7 else self.slap()

    def leave(self) -> None:
        """To the main menu."""
        if self.dice.random() < 0.3:
            self.pick("Main menu")

    def reload(self) -> None:
        """The page is opened anew, and holds nothing any more."""
        self.moves()
        self.table.reload()
        self.hands_off()

    def second_tab(self) -> None:
        """The same page a second time, and a press there."""
        self.moves()
        self.tab = tab = self.table.browser.new_page(viewport={"width": 320, "height": 240})
        tab.goto(f"http://127.0.0.1:{self.table.port}/")
        tab.wait_for_selector(".built")
        key = str(self.dice.randint(1, len(self.players)))
        tab.keyboard.down(key)
        self.wait(SHORT_MS)
        tab.keyboard.up(key)
        self.wait(SHORT_MS)
        self.close_tab()

    def close_tab(self) -> None:
        if self.tab is not None:
            self.tab.close()
            self.tab = None

    def again(self) -> None:
        """The same game once more."""
        self.wait(2100)
        self.ok()
        self.ok()

    # --- cuts --------------------------------------------------------------------------------------------------------

    def cut(self, way: Way) -> None:
        """The program ends here, and begins again; then the page has to find it."""
        table = self.table
        self.cuts[way.name] += 1
        self.doing.append(way.name.upper())
        self.picture("before")
        self.ended(*table.program.end(way.how), how=way.how)
        shown = self.told().get("scores")  # the last that people saw
        was = len(self.facts)
        replay = self.replay()
        if shown is not None:
            told = points_of(shown)
            later = [scores_of(play) for play in replay.plays[max(0, was - 1) :]]
            assert told in later, f"shown: {told}; in the journal: {later[-1]}"
        if way.run.after_ns is None:
            self.boots += 1
            table.boot = f"boot {self.boots}"
        gone_ms = table.now_ms
        table.now_ms = {RESTART: gone_ms + OFF_MS, AHEAD: gone_ms + AHEAD.at_ns // MS, BEHIND: BEHIND.at_ns // MS}[
            way.run
        ]
        self.began_ms += table.now_ms - gone_ms
        self.off_ms += OFF_MS
        self.hands_off()
        self.close_tab()
        table.page.evaluate("told = {tunes: 0}")
        self.start()
        if self.dice.random() < 0.5:
            table.reload()
        words = "Last: " if replay.play.over else "GO ON?"
        table.until(lambda: words in self.told().get("words", {}).get("display", ""))
        self.picture("asked")

    def start(self) -> None:
        """The power is back."""
        self.table.start()

    def ended(self, status: int, _: str, log: str, *, how: signal.Signals) -> None:
        """The program has ended as it should, and has complained of nothing."""
        assert status == (0 if how is signal.SIGTERM else -how), f"status {status}: {log}"
        unusual = [line for line in log.splitlines() if not USUAL.fullmatch(line)]
        assert not unusual, f"the log: {unusual}"

    def picture(self, name: str) -> None:
        """Keep the page and its display, if that was asked for."""
        if self.pictures is None:
            return
        path = self.pictures / f"{self.seed:02}-{self.cuts.total():02}-{name}"
        if path.with_name(f"{path.name}.png").exists():
            return  # the game was left, and taken up once more
        self.table.size(*(PAGE if self.size[0] > self.size[1] else self.size))  # a phone's stays
        self.table.page.screenshot(path=f"{path}.png", animations="disabled")
        self.table.size(*self.size).page.evaluate(DRAWN)  # else a pointer meets what has not moved back yet
        if isinstance(self.table.hands, Pointing):
            self.table.hands.look_anew()
        self.table.picture.convert("L").resize((768, 384), Image.Resampling.NEAREST).save(f"{path}-display.png")


CLUMSINESS: dict[str, Callable[[Evening], object]] = {
    "slap": Evening.slap,
    "hold": Evening.hold,
    "two at once": Evening.two,
    "rest": Evening.rest,
    "ok": Evening.ok,
    "menu": Evening.menu,
    "fix": Evening.fix,
    "undo": Evening.undo,
    "end": Evening.end,
    "reseat": Evening.reseat,
    "side entry": Evening.side_entry,
    "void": Evening.void,
    "main menu": Evening.leave,
    "reload": Evening.reload,
    "second tab": Evening.second_tab,
}
