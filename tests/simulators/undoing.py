"""Undo without regret, seen from outside: a whole kit is played at random, and what was seen before is seen again.

What undo brings back, and redo after it, is the same byte for byte: the picture, the strip, the lamps, the evidence on
the page, the score sheet and the standing races in the journal, what is kept for later games. What may differ:

- What counts time goes on: a running stopwatch from its old go, a turn timer to its old end, the large verdict for its
  2 s, the flash for its 0.6 s. At one time it is the same picture.
- A time limit that ran out before the undo is over, and its timer is gone: it does not fall due once more.
- A step still in the air (a race, hands on buttons) is left, not kept: there is nothing to redo.
- Numbers half entered are gone; a note says for 5 s what it said.
- After a new start of the program there is no redo; after a new boot undo passes over questions that hung on stamps.
- `history evidence` goes on showing a race that was taken back, as undone.
"""

import contextlib
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec import structs

from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play, Shift
from engine.rules import FINISH
from engine.stamps import LIMITS, STAMPS, StampKind, moved
from firmware.journal import races as finishes
from firmware.journal import sheet
from firmware.journal.phones import Answered
from firmware.journal.reader import History
from firmware.messages import PhotoFinish, TableNews
from firmware.output import screens
from firmware.table.back_menu import Back
from firmware.table.end_picture import QUIET_NS
from firmware.table.past_games import Carryover, carryover
from firmware.table.playing import Playing, begin
from firmware.table.question import EMPTY
from hardware.config import TABLE, Player
from hardware.parts.strip import Pixels
from tests.simulators.every_game import rules_of
from tests.simulators.people import People
from tests.simulators.players import in_order_of_play, named, random_options
from tests.simulators.random_play import alike, followed, landings, same, whole
from tests.simulators.real_buttons import Machine, RealRig
from tests.simulators.rig import MS

SIX = structs.replace(TABLE, players=(*TABLE.players, Player("P5", 25, 26), Player("P6", 7, 8)))
FIX, DEEP = 0.04, 0.1
SHEET_ACTS = 30
BOOT_2_NS = 20_000_000_000
STEP = re.compile(r'"step": \d+')
UNTIMED = sheet.Took(None, {})  # undoing takes time


class Look(NamedTuple):
    """All that people and programs see of a game at one moment."""

    play: Play
    now_ns: int
    glass: bytes
    strip: Pixels
    lamps: frozenset[str]
    page: PhotoFinish | None
    sheet: tuple[str, str, str]
    races: tuple[finishes.Finish, ...]
    kept: Carryover | None

    @property
    def standing(self) -> tuple[finishes.Finish, ...]:
        return tuple(race for race in self.races if not race.undone)


class Found(NamedTuple):
    """What one evening came to."""

    undone: int = 0  # landings of undo, each looked at
    redone: int = 0
    seen: int = 0  # of them those that had been seen before, compared with what was seen
    clock: int = 0  # of these: a picture that counts time, compared at one time instead


class Undoing:
    """One kit, one game, and what it has looked like."""

    def __init__(self, folder: Path, rules: Rules[Any, Any], players: int, options: Any, seed: int) -> None:
        self.folder, self.rules, self.seed = folder, rules, seed
        self.dice = Random(f"{rules.name}:{seed}")
        self.found = Found()
        self.stood: dict[int, Look] = {}  # by step
        self.began: list[Play] = []  # by step: the game before it
        self._open("boot-1", 1_000_000_000_000)
        begin(self.rig.app.table, rules, in_order_of_play(SIX.names, players, self.dice), options)
        self.rig.app.step(self.rig.now_ns)
        self._follow()

    def _open(self, boot: str, start_ns: int) -> None:
        self.rig = RealRig(self.folder, self.dice, Machine(), SIX, seed=self.seed, boot=boot, start_ns=start_ns)
        self.people = People(self.rig, self.dice, never={FINISH})
        self.page: PhotoFinish | None = None
        self.rig.app.follow(self._hear, "evidence")

    def _hear(self, news: TableNews) -> None:
        self.page = news.get("evidence")

    def _follow(self) -> None:
        """Remember the game before each step, fact by fact."""
        table, wrote = self.rig.app.table, self.rig.app.table.wrote
        self.play = self.rig.playing.play

        def following(game: int, facts: tuple[Fact, ...], sent: Iterable[Answered] = ()) -> int:
            for fact in facts:
                before, self.play = self.play, plays.fold(self.play, fact)
                self.began = followed(before, fact.event, self.play, self.began)
            return wrote(game, facts, sent)

        table.wrote = following  # type: ignore[method-assign]

    def again(self, *, same_boot: bool) -> None:
        """Switch the kit off and on, and go on with the game."""
        now_ns, before = self.rig.now_ns + 5_000_000_000, self.play.shifts
        self.rig.close()
        if same_boot:
            self._open("boot-1", now_ns)
        else:
            self._open("boot-2", BOOT_2_NS)
        self.rig.ok()
        self.play = self.rig.playing.play
        kind = LIMITS if same_boot else STAMPS
        later_ns, earlier_ns = (
            sum([s.later_ns for s in each if s.kind is kind]) for each in (self.play.shifts, before)
        )
        self.began = [on_clock(play, later_ns - earlier_ns, kind) for play in self.began]

    def look(self) -> Look | None:
        """What is seen now; None where something lies over the game: a menu, a note, hands, half-entered numbers."""
        rig = self.rig
        rig.app.step(rig.now_ns)  # a running clock is drawn as it is now
        mode = rig.app.table.top
        note = rig.app.table._note  # noqa: SLF001
        if not isinstance(mode, Playing) or note or self.people.held or mode.signalling:
            return None
        if mode.entry != mode.entered.fresh():  # as nobody has touched it: of what was wrong, the numbers stand
            return None
        ended = mode.play.over and mode.end.waited(rig.now_ns) < 1
        if ended or mode.verdict.may_void(mode.question, rig.now_ns):  # the picture says so, for a while
            return None
        with contextlib.closing(History(self.folder / "journal.db")) as history:
            row = history.games()[0]
            replay = history.replay(row.game, self.rules)
            play = replay.play
            papers = (
                sheet.as_text(row, None, play, UNTIMED),
                str(sheet.as_table(play, UNTIMED, {})),
                sheet.as_json(row, None, play, UNTIMED, {}),
            )
            races = finishes.finishes(history, row, replay)
        left = carryover(self.folder / "journal.db", self.rules)
        assert same(play, mode.play), "the journal has the game"
        glass = rig.picture.tobytes()
        assert glass == self.drawn(mode.play), "the display shows the game"
        return Look(mode.play, rig.now_ns, glass, rig.pixels, rig.lit, self.page, papers, races, left)

    def drawn(self, play: Play, now_ns: int | None = None) -> bytes:
        """The picture of a game on this kit."""
        now_ns = self.rig.now_ns if now_ns is None else now_ns
        return screens.draw(play, EMPTY, now_ns, knob=self.rig.app.table.knob, dead=()).tobytes()

    def check(self, now: Look, then: Look, *, sources: bool = True, marks: bool = True) -> None:
        """The same is seen as then; `marks`: with the same numbers of steps."""
        assert now.glass == self.drawn(replace(then.play, lapsed_ns=now.play.lapsed_ns)), "picture, at this time"
        still = now.glass == self.drawn(then.play, then.now_ns)
        assert not still or now.glass == then.glass, "picture"
        assert (now.strip, now.lamps) == (then.strip, then.lamps), "strip and lamps"
        assert not sources or now.page == then.page, "evidence on the page"
        papers = [look.sheet if marks else [STEP.sub("", page) for page in look.sheet] for look in (now, then)]
        assert papers[0] == papers[1], "score sheet"
        assert now.standing == then.standing, "races in the journal"
        assert now.kept == then.kept, "kept for later games"
        self.found = self.found._replace(seen=self.found.seen + 1, clock=self.found.clock + (not still))

    def change(self, *, redo: bool) -> Look | None:
        """Undo or redo on the table, by Back; None where the clock was quicker or there is nothing to be seen."""
        rig = self.rig
        before = rig.playing.play
        rig.ok_hold()
        in_time = isinstance(rig.app.table.top, Back) and rig.playing.play is before
        if in_time and redo:
            rig.arrow(1)
        elif in_time:
            rig.push(down=True)
            rig.after(60)
            in_time = rig.playing.play is before
            rig.push(down=False)
            rig.after(60)
        changed = rig.playing.play
        if changed.over:
            rig.after(QUIET_NS / MS)
        if rig.app.table.overlays and rig.app.table.game is not None:
            rig.ok_hold()
        return self.look() if in_time and changed is not before and rig.playing.play is changed else None

    def back_and_forth(self, steps: int, *, sources: bool = True) -> bool:
        """Undo some steps and redo them, looking each time. False: the clock or the air got in between."""
        top = self.look()
        if top is None:
            return False
        down, wholes = [top], list[bool]()
        while len(down) <= steps and plays.without_trace(down[-1].play).past is not None:
            *_, began = landings(down[-1].play, self.began)
            wholes.append(whole(down[-1].play, self.began))
            landed = self.change(redo=False)
            if landed is None:
                return False
            assert alike(landed.play, began, late=sources), "undone"
            assert landed.glass == self.drawn(replace(began, lapsed_ns=landed.play.lapsed_ns)), "picture, undone"
            if (then := self.stood.get(landed.play.step)) is not None and alike(then.play, landed.play, late=sources):
                self.check(landed, then, sources=sources)
            self.found = self.found._replace(undone=self.found.undone + 1)
            down.append(landed)
        at, marks = down.pop(), True
        while at.play.future is not None:
            again, then = self.change(redo=True), down.pop()
            if again is None:
                return False
            assert alike(again.play, then.play), "redone"
            marks = marks and wholes.pop()
            assert not marks or again.play.step == then.play.step, "steps"
            self.check(again, then, marks=marks)
            assert again.races == then.races, "undone races in the journal"
            self.found = self.found._replace(redone=self.found.redone + 1)
            at = again
        return not down


def shifted_ns(shifts: Iterable[Shift], kind: StampKind) -> int:
    """By how much all of these move stamps of a kind."""
    return sum([shift.later_ns for shift in shifts if shift.kind is kind])


def on_clock(play: Play, later_ns: int, kind: StampKind) -> Play:
    """The play with these stamps on a clock that shows so much more."""
    return replace(play, state=moved(play.state, later_ns, kind), late=moved(play.late, later_ns, kind))


def undone_evening(folder: Path, name: str, seed: int, acts: int = 100_000) -> Found:
    """A random evening: after all that is done undo and redo; at its end to the start and up, and after new starts.

    A sheet may have an end that is reached seldom, or none but by the menu: its evening ends after some acts.

    Fails with the game, the seed and the options.
    """
    rules, dice = rules_of(name), Random(seed)
    players = dice.randint(*rules.seats)
    options = random_options(rules, dice, programs=False)
    with named(rules, seed, players, options):
        kit = Undoing(folder, rules, players, options, seed)
        left: int | None = None  # the step in the air that an undo has left last
        for _ in range(min(acts, SHEET_ACTS) if name.startswith("sheet:") else acts):
            if not kit.people.act():
                break
            if kit.dice.random() < FIX:
                kit.people.fix()
            if (seen := kit.look()) is None:
                continue
            kit.stood[seen.play.step] = seen
            if seen.play.step != left or kit.dice.random() < DEEP:  # else it would be left for ever
                came_back = kit.back_and_forth(kit.dice.randint(2, 8) if kit.dice.random() < DEEP else 1)
                left = None if came_back else seen.play.step
        if kit.dice.random() < 0.3:
            kit.people.let_go()
            kit.people.pick("End the game now")
        kit.rig.after(6000)
        kit.back_and_forth(100_000)
        for same_boot in (True, False):
            kit.again(same_boot=same_boot)
            kit.rig.after(6000)
            kit.back_and_forth(100_000, sources=False)
        kit.rig.close()
        return kit.found
