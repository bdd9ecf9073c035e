"""People at a table who answer at random whatever they are asked, with their hands: presses that bounce, turns, holds.

On real buttons they brush others on the way. They look only at the question that is open and at the picture's rows, so
they play any game on any `Rig`.
"""

from collections.abc import Collection
from functools import reduce
from random import Random

from engine import play as plays
from engine.rules import HANDS, Action, Seat
from firmware.output import screens
from firmware.output.screens.canvas import longest, words
from firmware.table.back_menu import FinishMenu, FixPoints, More, SideNumber
from firmware.table.playing import Playing
from firmware.table.question import Kind
from tests.simulators.real_buttons import BRUSHED, RealRig
from tests.simulators.rig import MS, Rig

SIDE = 0.1  # how often a side entry is taken from the menu, where there is one
END = "End the game now"  # a row of the menu of most games
RARE = 0.04  # how often a hand is let go, a press is taken back, somebody only waits
BOUNCES = 3  # at most, after an edge
BOUNCE_MS = 1.5
LOW = 3  # how strongly numbers lean to the lowest


class People:
    """Players of a rig. Held buttons stay held between two acts."""

    def __init__(self, rig: Rig, dice: Random, never: Collection[str] = ()) -> None:
        """`never`: verbs of the menu that nobody takes."""
        self.rig, self.dice, self.never = rig, dice, never
        self.held: set[str] = set()

    def move(self, name: str, *, down: bool) -> None:
        """Press a button or let it go; its contacts rattle."""
        rig, dice = self.rig, self.dice
        if isinstance(rig, RealRig) and dice.random() < BRUSHED:
            rig.brush(dice.choice([one for one in rig.kit.config.names if one != name]))
        rig.edge(name, down=down)
        for _ in range(dice.randint(0, BOUNCES)):
            for level in (not down, down):
                rig.now_ns += round(dice.uniform(0.1, BOUNCE_MS) * MS)
                rig.edge(name, down=level)
        rig.app.step(rig.now_ns)
        (self.held.add if down else self.held.discard)(name)

    def press(self, *names: str, ms: float = 90) -> None:
        """Press buttons as good as together, and let go."""
        for name in names:
            self.move(name, down=True)
        self.rig.after(ms)
        for name in names:
            self.move(name, down=False)
        self.rig.after(90)

    def let_go(self) -> None:
        """All hands off."""
        for name in sorted(self.held):
            self.move(name, down=False)
        self.rig.after(90)

    def turn(self, steps: int, *, knob: bool | None = None) -> None:
        """Turn the knob, or press the arrows; which of them is chance where it is not said."""
        knob = self.dice.random() < 0.5 if knob is None else knob
        self.rig.control.turn(steps if knob else -steps, at_ns=self.rig.now_ns, knob=knob)
        self.rig.app.step(self.rig.now_ns)

    def wait(self, ms: float) -> None:
        """Do nothing for a while."""
        self.rig.after(ms)

    def finish(self) -> Rig:
        """Play on until the game is over, and its end picture answers."""
        while not self.rig.playing.play.over:
            self.act()
        self.let_go()
        return self.rig.do("2500")

    def look(self) -> None:
        """The picture of the game that is kept is the one that would be drawn now."""
        if (game := self.rig.app.table.game) is not None:
            kept, game.pictures = game.pictures, screens.KeptPictures()
            fresh = game.picture(self.rig.now_ns)
            game.pictures = kept
            shown = game.picture(self.rig.now_ns)
            assert (shown.tobytes(), words(shown)) == (fresh.tobytes(), words(fresh))

    def act(self) -> bool:
        """Do one thing that the question calls for. False: nothing is asked any more."""
        self.look()
        mode = self.rig.app.table.top
        if not isinstance(mode, Playing):  # the evidence, or a menu that nobody wanted
            self.let_go()
            self.rig.ok_hold()
            return True
        q, dice = mode.question, self.dice
        if q.kind is Kind.OVER:
            self.let_go()
            return False
        self.wait(dice.choice((50, 200, 200, 700, 1500)))
        if mode is not self.rig.app.table.top or q is not mode.question:
            return True  # the clock has answered
        if q.release or any(offer.verb == HANDS for offer in q.press.values()):
            self.hands(mode)
            return True
        if self.held:
            self.let_go()
            return True
        if q.menu and dice.random() < (RARE if q.kind is Kind.RACE else SIDE):
            self.side_entry(mode)
            return True
        match q.kind:
            case Kind.RACE:
                self.race(mode)
            case Kind.COUNT:
                self.count(mode)
            case Kind.CHOOSE | Kind.NUMBER:
                self.choose(mode)
            case Kind.PICK:
                self.pick_one(mode)
            case Kind.TAP:
                self.tap(mode)
            case Kind.CONFIRM:
                self.rig.ok()
            case Kind.WAIT:
                self.wait(self.until_due())
        return True

    def more(self) -> None:
        """Over Back to the menu of the game."""
        self.rig.ok_hold()
        self.turn(1, knob=True)

    def side_entry(self, mode: Playing) -> None:
        """Any of the ways out and side entries, with any number."""
        rows = [at for at, offer in enumerate(mode.question.menu) if offer.verb not in self.never]
        if not rows:
            return
        at = self.dice.choice(rows)
        self.more()
        if mode is self.rig.app.table.top:
            return  # the clock has answered
        self.rig.control.turn(at, at_ns=self.rig.now_ns, knob=True)
        self.rig.ok()
        if isinstance(self.rig.app.table.top, FinishMenu):
            self.rig.ok()
        if isinstance(asked := self.rig.app.table.top, SideNumber):
            low, high = asked.offer.low or 0, asked.offer.high or 0
            self.turn(int((high - low + 1) * self.dice.random() ** LOW))
            self.rig.ok()

    def pick(self, row: str) -> bool:
        """Take a row of the game's menu. False: the clock was quicker, or the row is not there."""
        self.more()
        mode = self.rig.app.table.top
        if isinstance(mode, More):
            texts = [text for text, _ in mode.rows()]
            breaks_off = row == END and END not in texts  # of a game that nothing else ends
            found = [n for n, text in enumerate(texts) if longest(text) == ("Finish" if breaks_off else row)]
            if found:
                self.rig.control.turn(found[0], at_ns=self.rig.now_ns, knob=True)
                self.rig.ok()
                if breaks_off:
                    self.rig.control.turn(1, at_ns=self.rig.now_ns, knob=True)
                    self.rig.ok()
                return True
        if self.rig.app.table.overlays and self.rig.app.table.game is not None:
            self.rig.ok_hold()
        return False

    def fix(self) -> None:
        """Somebody's points are put right."""
        if self.pick("Fix points") and isinstance(asked := self.rig.app.table.top, FixPoints):
            self.press(self.dice.choice(asked.game.seating.buttons))
            if self.rig.app.table.top is asked:
                self.turn(self.dice.choice((-5, -1, 1, 5)))
                self.rig.ok()

    def until_due(self) -> float:
        """How long it is until the clock answers, in ms."""
        due_ns = self.rig.playing.play.due_ns
        return 100 if due_ns is None else max(0, due_ns - self.rig.now_ns) / MS + 1

    def names(self, mode: Playing, seats: list[Seat], *, live: bool = True) -> list[str]:
        """The buttons of seats, those that work or those that do not."""
        return [mode.seating.button(seat) for seat in seats if (seat in mode.dead) is not live]

    def hands(self, mode: Playing) -> None:
        """Hands are put on buttons; then the signal is waited for, and rarely one is lifted too early."""
        q, dice = mode.question, self.dice
        asked = [seat for seat, offer in q.press.items() if offer.verb == HANDS]
        for name in self.names(mode, asked):
            if name not in self.held:
                self.move(name, down=True)
                self.wait(60)
                return
        if self.held and dice.random() < RARE:
            self.move(dice.choice(sorted(self.held)), down=False)
        elif asked:  # a button that is down and not heard, or one that is lost
            stuck = [name for name in self.names(mode, asked) if name in self.held]
            self.move(stuck[0], down=False) if stuck else self.rig.ok()
            self.wait(120)
        else:
            self.wait(self.until_due())

    def race(self, mode: Playing) -> None:
        """Somebody presses, at times two at once; a press is taken back, OK ends it, or nothing happens."""
        q, dice = mode.question, self.dice
        names = self.names(mode, list(q.press))
        back = self.names(mode, list(q.hold))
        if back and dice.random() < RARE:
            self.press(dice.choice(back), ms=700)
        elif q.ok is not None and (not names or dice.random() < 0.1):
            self.rig.ok()
        elif names and dice.random() > RARE:
            dice.shuffle(names)
            self.press(*names[: dice.choice((1, 1, 1, 2))])
        else:
            self.wait(dice.choice((500, 3000)))
            self.rig.ok()

    def count(self, mode: Playing) -> None:
        """Everybody enters a number that is allowed; OK closes it, once more where somebody forgot."""
        play = mode.play
        for seat in mode.question.count:
            offer = next((offer for offer in play.offers if offer.seat == seat and offer.low is not None), None)
            if offer is None or offer.low is None or offer.high is None:
                continue  # a partner has answered
            value = offer.low + int((offer.high - offer.low + 1) * self.dice.random() ** LOW)
            play = reduce(plays.fold, plays.answer(play, Action(seat, offer.verb, value, play.lapsed_ns)), play)
            self.enter(mode, seat, value)
        for _ in range(2 + len(mode.dead)):
            if mode is self.rig.app.table.top and mode.question.kind is Kind.COUNT:
                self.rig.ok()

    def enter(self, mode: Playing, seat: Seat, value: int) -> None:
        """One number: the first by a press, the rest by the control; the lowest by a hold."""
        if seat in mode.dead:
            return  # left to OK
        name, prefill = mode.seating.button(seat), mode.question.count[seat].prefill
        self.press(name, ms=700 if value == mode.question.count[seat].low else 90)
        now = mode.entry.values.get(seat, prefill)
        if now is not None and now != value:
            self.turn((now - value) // mode.question.count[seat].step, knob=False)

    def choose(self, mode: Playing) -> None:
        """One of the options, or a number, by the control or one's own button; OK takes it."""
        q, dice = mode.question, self.dice
        offer = q.control
        assert offer is not None
        if q.press and dice.random() < 0.5:
            self.tap(mode)
            return
        if offer.options:
            self.turn(dice.randrange(len(offer.options)) or 1)
        else:
            assert offer.low is not None and offer.high is not None
            self.turn(int((offer.high - offer.low + 1) * dice.random() ** LOW))
        if mode is self.rig.app.table.top and q is mode.question:
            self.rig.ok()

    def pick_one(self, mode: Playing) -> None:
        """One of several questions: by a seat's own press, or by steps and OK."""
        names = self.names(mode, list(mode.question.seats))
        if names and self.dice.random() < 0.7:
            self.press(self.dice.choice(names))
        else:
            self.turn(self.dice.randint(1, len(mode.question.picks)), knob=True)
        if mode is self.rig.app.table.top and mode.question.kind is Kind.PICK:
            self.rig.ok()

    def tap(self, mode: Playing) -> None:
        """A press of whoever is asked; a hold where that means something, OK where it does."""
        q, dice = mode.question, self.dice
        names, holds = self.names(mode, list(q.press)), self.names(mode, list(q.hold))
        if holds and dice.random() < 0.1:
            self.press(dice.choice(holds), ms=700)
        elif names and (q.ok is None or dice.random() < 0.8):
            self.press(dice.choice(names))
        else:
            self.rig.ok()
