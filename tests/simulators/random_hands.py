"""Hands that do not stop: players who slap twice, late and early, hold, rest, lean on two buttons, let go at random.

They play any game on a whole kit with real buttons, which bounce and are brushed. Besides what `People` do on purpose,
anything may be pressed at any time; edges come late, the display takes its time. What must never happen is found by
looking on, by other means than the program's own:

- A press answers a question that was not open when it was made or, after a verdict, that nobody could see yet.
- A slap after a race makes a seat done, spends its card, or answers anything else.
- A hand that holds a button as asked is called stuck, or within 10 s after that.
- A text on the display is cut, or touches another.
"""

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from PIL import Image

from engine.play import Fact, Play
from engine.rules import BENCH, HANDS, RELEASE, Offer, Seat
from firmware.output.screens.canvas import Canvas
from firmware.table.early_answers import Key
from firmware.table.playing import Playing, begin
from firmware.translation import LazyText
from tests.simulators.people import People
from tests.simulators.players import in_order_of_play, named, random_options
from tests.simulators.real_buttons import Machine, RealRig
from tests.simulators.rig import MS, S
from tests.simulators.undoing import SIX

SLAPS = 0.8  # how often somebody slaps, once more, after a verdict
CLUMSY = 0.5  # how often somebody does something that nobody asked for, before what is asked is done
BUSY = Machine(held_up=0.05, late=0.2)
GLASS_MS = 300  # a picture is on the display so much later at most
SLAPS_NS = 1_500_000_000  # so long after a verdict a slap belongs to the race
STUCK_NS = 10 * S
MAX_ACTS = 3000
CONTROL = "the control"


class Seen(NamedTuple):
    """What stood from a moment on."""

    at_ns: int
    offers: dict[Key, str]  # what was asked, and in which words
    judged: bool


class Found(NamedTuple):
    """What came of an evening, to see that something was tried."""

    acts: int
    rounds: int
    answers: int  # given by buttons
    slaps: int  # within the time after a verdict
    stuck: int


class Watch:
    """Looks on: what was asked when, when each button went down, and what each press came to."""

    def __init__(self, rig: "RestlessRig") -> None:
        self.rig = rig
        self.seen: list[Seen] = []
        self.down_ns: dict[str, int] = {}  # when each button went down for the last time
        self.wanted_ns = 0  # until when buttons were to be held
        self.verdict_ns = -SLAPS_NS
        self.glass_ns: int | None = 0  # since when what the last verdict led to can be seen
        self.by: tuple[str, int] | None = None  # whose button is being answered, and when it went down
        self.answers = self.slaps = self.stuck = 0

    def asked(self, playing: Playing) -> None:
        """Remember what is asked from now on."""
        play, now_ns = playing.play, self.rig.now_ns
        words = {(o.seat, o.verb): play.rules.label(play.state, o, None) for o in play.offers}
        self.seen.append(Seen(now_ns, words, judged(play)))

    def open_at(self, key: Key, made_ns: int) -> bool:
        """Whether an offer was open at a time, and has been ever since."""
        then = max((n for n, seen in enumerate(self.seen) if seen.at_ns <= made_ns), default=0)
        words = {seen.offers.get(key) for seen in self.seen[then:]}
        return len(words) == 1 and None not in words

    def held(self) -> None:
        """Remember that buttons are to be held."""
        game = self.rig.app.table.game
        if game is not None and game.question.hands:
            self.wanted_ns = self.rig.now_ns

    def pressed(self, playing: Playing, offer: Offer) -> None:
        """A button has answered an offer."""
        assert self.by is not None
        button, made_ns = self.by
        if offer.race or offer.verb in (HANDS, RELEASE):
            return
        self.answers += 1
        what = f"{button} answers {offer.verb} at {self.rig.now_ns}: made at {made_ns}"
        assert self.open_at((offer.seat, offer.verb), made_ns), f"{what}, when it was not asked"
        if judged(playing.play) and not (offer.hold and made_ns < self.verdict_ns + 10 * S):
            run = playing.play.board.race
            assert run is not None
            assert offer.seat not in run.seats or made_ns >= self.verdict_ns + SLAPS_NS, f"{what}, a slap of the race"
            assert self.glass_ns is not None and made_ns >= self.glass_ns, f"{what}, before it could be seen"

    def controlled(self, playing: Playing, answered: tuple[Key, ...]) -> None:
        """The control has answered offers."""
        made_ns = self.rig.app.table.made_ns
        for seat, verb in answered:
            if verb in (HANDS, BENCH):
                continue
            what = f"the control answers {verb} at {self.rig.now_ns}: made at {made_ns}"
            assert self.open_at((seat, verb), made_ns), f"{what}, when it was not asked"
            if judged(playing.play):
                assert self.glass_ns is not None and made_ns >= self.glass_ns, f"{what}, before it could be seen"

    def noted(self, note: LazyText) -> None:
        """A note is shown."""
        text = note.words()
        if text.endswith("is stuck: let it go"):
            self.stuck += 1
            button = text.split(maxsplit=1)[0]
            since_ns = max(self.down_ns[button], self.wanted_ns)
            assert self.rig.now_ns >= since_ns + STUCK_NS, f"{text}: held as asked until {since_ns}"


def judged(play: Play) -> bool:
    return play.board.race is not None and play.board.race.judged


class RestlessRig(RealRig):
    """A table whose edges and pictures are delivered late, with somebody who looks on."""

    def __init__(self, state: Path, dice: Random, **more: Any) -> None:
        self.watch = Watch(self)
        self._glass: list[tuple[int, Callable[[int], None]]] = []
        super().__init__(state, dice, BUSY, **more)
        show = self.kit.display.show

        def slow(picture: Image.Image, on_shown: Callable[[int], None] | None = None) -> None:
            show(picture)
            if on_shown is not None:
                self._glass.append((self.now_ns + self.dice.randint(0, GLASS_MS * MS), on_shown))

        self.kit.display.show = slow  # type: ignore[method-assign]

    def after(self, ms: float) -> "RestlessRig":
        end_ns = self.now_ns + round(ms * MS)
        while True:
            on_glass = sorted(self._glass, key=lambda one: one[0])
            due_ns = min(end_ns, on_glass[0][0]) if on_glass else end_ns
            super().after(max(0, due_ns - self.now_ns) / MS)
            if on_glass and on_glass[0][0] <= self.now_ns:
                self._glass.remove(on_glass[0])
                on_glass[0][1](on_glass[0][0])
                self.app.step(self.now_ns)
            elif self.now_ns >= end_ns:
                return self


class Restless(People):
    """People whose hands do not stop."""

    rig: RestlessRig

    def slap(self, players: tuple[str, ...]) -> None:
        """Somebody has not seen that the race is over, or rests a hand."""
        one = self.dice.choice(players)
        self.rig.after(self.dice.choice((1, 60, 200, 400)))
        if one in self.held:
            self.move(one, down=False)
        else:
            self.press(one, ms=self.dice.choice((40, 90, 650)))

    def fidget(self) -> None:
        """Something that nobody asked for."""
        rig, dice = self.rig, self.dice
        names = [player.name for player in SIX.players]
        one, two = dice.choice(names), dice.choice(names)
        match dice.choice(("slap", "slap", "slap", "twice", "lean", "hold", "rest", "let go", "wait", "ok")):
            case "slap":
                self.press(one, ms=dice.choice((35, 90, 200)))
            case "twice":
                self.press(one, ms=40)
                self.press(one, ms=40)
            case "lean":
                self.press(*sorted({one, two}), ms=dice.choice((60, 800)))
            case "hold":
                self.press(one, ms=dice.choice((700, 1500, 11_000 if dice.random() < 0.1 else 2000)))
            case "rest":
                if one not in self.held:
                    self.move(one, down=True)
            case "let go":
                if self.held:
                    self.move(dice.choice(sorted(self.held)), down=False)
            case "wait":
                rig.after(dice.choice((20, 300, 1300, 2500)))
            case "ok":
                if dice.random() < 0.2:
                    rig.ok(dice.choice((1, 2)))


def restless_evening(folder: Path, rules: Any, seed: int) -> Found:
    """One game by its seed to its end, at most `MAX_ACTS` things done. Fails with what must not happen."""
    dice = Random(f"{rules.name}:{seed}")
    fewest, most = rules.seats
    options = random_options(rules, dice, programs=False)
    players = in_order_of_play(SIX.names, dice.randint(fewest, most), dice)
    with named(rules, seed, len(players), options), pytest.MonkeyPatch.context() as patch:
        rig = RestlessRig(folder, dice, config=SIX, seed=seed)
        watch = rig.watch
        _look_on(patch, watch)
        with closing(rig):
            begin(rig.app.table, rules, players, options)
            rig.app.step(rig.now_ns)
            watch.asked(rig.playing)
            people = Restless(rig, dice)
            acts = 0
            while acts < MAX_ACTS:
                acts += 1
                hot = watch.glass_ns is None or rig.now_ns < watch.verdict_ns + SLAPS_NS
                if hot and dice.random() < SLAPS:
                    people.slap(players)
                elif dice.random() < CLUMSY:
                    people.fidget()
                elif not people.act():
                    break
            return Found(acts, rig.playing.play.board.round, watch.answers, watch.slaps, watch.stuck)


def _look_on(patch: pytest.MonkeyPatch, watch: Watch) -> None:
    """Let the watch see what the program does."""
    table, app = watch.rig.app.table, watch.rig.app

    def around(owner: Any, name: str, before: Any = None, after: Any = None) -> None:
        """Call these with the arguments of a function; `after` with what `before` has returned, too."""
        function = getattr(owner, name)

        def watched(*arguments: Any, **named: Any) -> None:
            found = before(*arguments) if before else None
            function(*arguments, **named)
            if after:
                after(found, *arguments)

        patch.setattr(owner, name, watched)

    def begins(button: str | None) -> Callable[..., tuple[str, int] | None]:
        """A button, or the control, is being answered from now on; returned is what was before."""

        def begin(playing: Playing, *rest: Any) -> tuple[str, int] | None:
            who = rest[0] if button is None else button
            was, watch.by = watch.by, (who, watch.down_ns.get(who, 0))
            return was

        return begin

    def ends(was: tuple[str, int] | None, *_: Any) -> None:
        watch.by = was

    def short_press(playing: Playing, seat: Seat, offer: Offer, *_: Any) -> None:
        if offer.seat == seat and offer != playing.question.control:
            watch.pressed(playing, offer)

    def taking(playing: Playing, facts: tuple[Fact, ...], answered: Iterable[Key] = (), by: str = "") -> Any:
        if watch.by is not None and watch.by[0] == CONTROL:
            watch.controlled(playing, tuple(answered))
        return playing.play.board.race

    def taken(was: Any, playing: Playing, facts: tuple[Fact, ...], *_: Any) -> None:
        now = playing.play.board.race
        if was is not None and now is not None and now.judged and was.phase != now.phase:
            if was.phase in ("running", "answers"):
                watch.verdict_ns = facts[-1].at_ns
            watch.glass_ns = None
        watch.asked(playing)

    def press(playing: Playing, button: str, at_ns: int, *_: Any) -> None:
        seat, run = playing.seating.seat(button), playing.play.board.race
        watch.slaps += run is not None and run.judged and seat in run.seats and at_ns < watch.verdict_ns + SLAPS_NS

    def seen(playing: Playing, play: Play | None, at_ns: int) -> None:
        if play is not None and play is playing.play and watch.glass_ns is None:
            watch.glass_ns = at_ns

    around(Playing, "_short_press", short_press)
    around(Playing, "take", taking, taken)
    around(
        Playing, "opened", after=lambda _, playing: watch.asked(playing)
    )  # it may be another game: once more the same
    around(Playing, "seen", seen)
    around(Playing, "press", press)
    for who, name in ((None, "press"), (None, "release"), (None, "hold"), (CONTROL, "ok"), (CONTROL, "turn")):
        around(Playing, name, begins(who), ends)
    around(table, "note", lambda text, *_: watch.noted(text))
    around(table, "press", lambda button, at_ns, *_: watch.down_ns.__setitem__(button, at_ns))
    around(app, "step", lambda _: watch.held(), lambda *_: watch.held())
    patch.setattr(table, "log", tuple)
    patch.setattr(Canvas, "strict", True)
