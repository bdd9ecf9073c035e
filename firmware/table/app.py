"""The program: one loop owns the state. Threads of the parts only put stamped messages in its inbox."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engine.play import Play
from engine.words import N_
from firmware import ending, service, wall_clock
from firmware.faults import reporting_threads
from firmware.journal.reader import Recorded
from firmware.journal.writer import Journal
from firmware.messages import Entered, TableNews
from firmware.news import News
from firmware.output import public, sounds
from firmware.output.screens.notices import goodbye
from firmware.people.names import NewList, missing, newly_listed
from firmware.people.roster import Roster
from firmware.setup.certificate import UNMEASURED, Standing
from firmware.state_folder import JOURNAL, LISTED
from firmware.table import later, past_games
from firmware.table.interfaces import Given
from firmware.table.menus import MENUS
from firmware.table.overlay import Overlay
from firmware.table.past_games import Call, Carryover, Unfinished
from firmware.table.playing import RACE_AGAIN, presses_race, resume, signal_picture
from firmware.table.table import Table
from firmware.translation import L_, Language, _, joined, lazy, reading, translated
from firmware.wall_clock import Moment
from hardware.kit import Kit, display_alone
from hardware.parts.buttons import Edge
from hardware.parts.control import Turn
from hardware.parts.debounce import AGAIN_NS, Debounce

if TYPE_CHECKING:
    from firmware.wishes.desk import Desk
    from firmware.wishes.who_may_wish import AnyWish
    from firmware.wishes.wish import Answer

READING_S = 0.3  # how long the first picture waits for the latest game
MOST_MB = 160  # of memory; it takes some 60
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Committed(NamedTuple):
    ticket: int


class JournalTrouble(NamedTuple):
    text: str | None


class PartState(NamedTuple):
    name: str
    text: str | None


class SignalGiven(NamedTuple):
    at_ns: int


class Shown(NamedTuple):
    """A picture is on the display."""

    play: Play | None  # the game on it, where it had to be seen before buttons answer
    at_ns: int


Message: TypeAlias = Edge | Turn | Committed | JournalTrouble | PartState | SignalGiven | Shown | Call


class App:
    """One kit at work. `post` may be called on any thread; everything else on the loop's.

    The loop repeats `step`: take messages, answer due offers, put out changes. `due_ns` is the time of the next one;
    then `tick` makes a step, but only if there is something to do. The class reads no clock: it gets the time, so a
    test may let it jump.
    """

    def __init__(
        self,
        kit: Kit,
        state_dir: Path,
        *,
        now_ns: int,
        wake: Callable[[], None] = lambda: None,
        boot: str | None = None,
        threaded: bool = True,
        seed: Callable[[], int] = lambda: int.from_bytes(os.urandom(4)),
        standing: Standing = UNMEASURED,
        people: Path | None = None,
        kit_name: str = "",
        clock: Callable[[], Moment] = wall_clock.now,
        volatile: bool = False,
    ) -> None:
        """`people`: a list of names, which is read once the first picture is out. `kit_name`: for the journal.

        `volatile`: the folder is gone when the power is off.
        """
        self.kit, self.wake = kit, wake
        self._volatile = volatile
        self.on_ready: Callable[[], None] = lambda: None  # called once: the first picture is out, or the display lost
        self._errors_ns = standing.errors_ns
        self._inbox: deque[Message] = deque()
        self._debounce = Debounce(self._reads)
        self._again_ns: int | None = None  # when it is asked again whether all edges have been heard
        self._waiting: list[Edge | Turn] = []  # changes that the table has not got yet, by stamp
        boot = this_boot() if boot is None else boot
        path = state_dir / JOURNAL
        self.journal = Journal(
            path,
            boot,
            self._on_commit,
            self._trouble,
            on_notice=partial(self.report, "journal"),
            threaded=threaded,
            kit=kit_name,
            buttons=kit.config.names,
            clock=clock,
        )
        self.reader = past_games.Reader(path, self.post, threaded=threaded)
        self.table = Table(
            kit.config.names,
            self.journal,
            self.signal,
            knob=kit.control.knob,
            apart=threaded,
            boot=boot,
            standing=standing,
            roster=Roster(self.journal.persons, {}),
            read=self.reader.ask,
            menus=MENUS,
            desk=_desk,
            seed=seed,
            now_ns=now_ns,
        )
        self._list, self._listed = people, state_dir / LISTED
        self._ready = False
        self._picture = b""
        self._contrast = -1
        self._lit: frozenset[str] | None = None
        self._strip: object = None  # its picture, and whether the next one may be late
        self.news: dict[Language | None, News] = {}  # by the language in which it is told; None: the kit's
        self._kept: list[Call] = []  # what pages ask while the latest game is read
        self._then: list[Callable[[], None]] = []  # is done once it is
        self._listen()
        if self.journal.latest is not None:
            self._read(self.journal.latest)

    def _read(self, latest: Recorded) -> None:
        """Read the latest game of earlier runs. Most are read at once; the first picture does not wait for others."""
        done = threading.Event()

        def read(_: Path) -> Iterator[Unfinished | None]:
            found = None
            try:
                found = past_games.unfinished(latest)
            finally:  # an error of any kind is told by the thread, and the kit starts without that game
                yield found
                done.set()

        self.table.wait_for_game()
        self.reader.ask(read, self._found_game)
        if done.wait(READING_S):
            self._take_messages()

    def _found_game(self, unfinished: Unfinished | None) -> None:
        self.table.roster.last = past_games.sitting(unfinished)
        self.table.found(unfinished)
        for do in self._then:
            do()
        kept, self._kept = self._kept, []
        for message in kept:
            self._take(message)

    def _listen(self) -> None:
        for name in self._lines:
            self._found(name)
        self.kit.buttons.listen(self.post)
        self.kit.control.listen(self.post, self.post)

    @property
    def _lines(self) -> tuple[str, ...]:
        """The names of all lines whose presses count."""
        return (*self.kit.config.names, "ok", "up", "down")

    def _reads(self, line: str) -> bool | None:
        """Whether a line reads pressed now; None where it cannot be read."""
        buttons = self.kit.buttons if line in self.kit.config.names else self.kit.control
        return buttons.down(line)

    def _found(self, line: str) -> None:
        """A line is there: held or not, it is no press."""
        if self.kit.gpio is not None and (down := self._reads(line)) is not None:
            self._debounce.listen(line, down=down)
            if down and line in self.kit.config.names:
                self.table.stuck(line)

    def lend(self, alive: Callable[[], bool]) -> Kit:
        """Lend all parts but the display. Returns the kit that has them; the borrower has to close them.

        `alive` is asked every few seconds; once it says no, the program has to be restarted.
        """
        lent, self.kit = self.kit, display_alone(self.kit, alive)
        self._new_parts()
        return lent

    def take_back(self, kit: Kit, standing: Standing) -> None:
        """Go on with these parts, and with the timing error that is measured now."""
        self.kit = kit
        self._errors_ns, self.table.standing = standing.errors_ns, standing
        self._new_parts()

    def _new_parts(self) -> None:
        """Nothing of what was sent to the old parts is on these; nobody holds a button of theirs."""
        self._lit, self._strip = None, None
        for name in self._lines:
            self._debounce.forget(name)
            self.table.held.forget(name)
        self._listen()

    def follow(self, tell: Callable[[TableNews], None], *kinds: str, language: Language | None = None) -> None:
        """Tell somebody the news of these kinds: all of it now, and from now on what changes.

        `language`: of the news; None: the kit's.
        """
        with reading(language):
            self.news.setdefault(language, News(self.table)).follow(tell, *kinds)
        self.wake()

    def import_later(self) -> None:
        """Import what the start did not wait for, on a thread. Once the program is ready."""
        self.reader.ask(later.imported, lambda _: None)

    def go_on(self) -> None:
        """Go on with the unfinished game, if there is one, without asking: the last run was cut short."""
        if self.table.reading is not None:
            self._then.append(self.go_on)
        elif self.table.unfinished is not None and not self.table.unfinished.play.over:
            resume(self.table, self.table.unfinished, by_itself=True)

    def unheard(self, heard_ns: int, now_ns: int | None = None) -> None:
        """Say for how long nobody listened, from `heard_ns` until now, and what was pressed. Called before `go_on`.

        Presses while the last run hung decide nothing. Up to its last fact that run has certainly listened.
        """
        now_ns = self.table.now_ns if now_ns is None else now_ns
        if self.table.reading is not None:
            self._then.append(partial(self.unheard, heard_ns, now_ns))
            return
        game = self.table.unfinished
        if game is not None and game.play.boot == self.table.boot:
            heard_ns = max(heard_ns, game.play.heard_ns)
        texts = [L_("not listening for {n} s", n=max(1, round((now_ns - heard_ns) / 1e9)))]
        race = [] if game is None or not presses_race(game.play) else [lazy(RACE_AGAIN)]

        def found(buttons: tuple[str, ...]) -> None:
            names = " ".join(name for name in self.kit.config.names if name in buttons)
            pressed = [L_("{names} pressed meanwhile", names=names)] if names else []
            self.table.notice(joined((*texts, *pressed, *race), ", "))

        self.reader.ask(partial(past_games.pressed, self.table.boot, heard_ns + 1, now_ns), found)

    # --- input -------------------------------------------------------------------------------------------------------

    def post(self, message: Message) -> None:
        """Put a message in the inbox. Any thread; never blocks."""
        if isinstance(message, Edge) and not message.is_reading:
            self.journal.write_edge(message)
        self._inbox.append(message)
        self.wake()

    def report(self, name: str, text: str | None) -> None:
        """A part is lost or back. Any thread."""
        self.post(PartState(name, text))

    def _on_commit(self, ticket: int) -> None:
        self.post(Committed(ticket))

    def _trouble(self, text: str | None) -> None:
        self.post(JournalTrouble(text))

    def _carry_over(self, carryovers: tuple[Carryover, ...]) -> None:
        past_games.carry_over(self.table.carryovers, carryovers)

    def _meet(self, found: NewList) -> None:
        """A list of people has been read."""
        for entry in missing(found.entries, self.table.roster.persons):
            self.table.people.add(entry.name, entry.latin)
        if found.mark:
            self.journal.note_list(found.mark)
        for fault in found.faults:
            self.table.notice(lazy(fault))

    def wish(self, wish: AnyWish, tell: Callable[[Answer], None]) -> None:
        """The kit's own page wishes something. Any thread; `tell` is called on the loop's, once or never (`Desk`)."""
        from firmware.wishes.asker import PAGE

        self.post(Call(lambda: self.table.desk.take(PAGE, wish, tell), waits=True))

    def look(self, round_: int, tell: Callable[[Entered | None], None]) -> None:
        """Tell what was entered in an earlier round of the game on the table; None where there is none. Any thread."""

        def looked() -> None:
            game = self.table.game
            tell(None if game is None else public.entered(game.number, game.play, round_, game.page_names))

        self.post(Call(looked, waits=True))

    def seek(self, text: str) -> None:
        """Look for a text in the list that is on top, where that can be. Any thread."""

        def sought() -> None:
            top = self.table.top
            if isinstance(top, Overlay) and top.sought is not None:
                top.seek(text)
                self.table.touched()

        self.post(Call(sought))

    def step(self, now_ns: int) -> None:
        """Take all messages, answer due offers, put out changes."""
        self._step(now_ns, heard=self._heard(now_ns))

    def _step(self, now_ns: int, *, heard: bool) -> None:
        """`heard`: the clock goes on."""
        self.table.now_ns = max(self.table.now_ns, now_ns)
        self._take_messages()
        self._changed(self._debounce.settle(now_ns, behind=not heard))
        if heard:
            self.table.tick(now_ns)
        self._take_messages()  # commits and reports that came meanwhile
        self._put_out()

    def tick(self, now_ns: int) -> None:
        """Do what is due by now: a `step`, or only read lines, and draw nothing if that has changed nothing."""
        due_ns, heard = self._table_ns, self._heard(now_ns)
        if self._inbox or self._waiting or (due_ns is not None and due_ns <= now_ns):
            self._step(now_ns, heard=heard)
        elif changes := self._debounce.settle(now_ns, behind=not heard):
            self.table.now_ns = max(self.table.now_ns, now_ns)
            self._changed(changes)
            self._step(now_ns, heard=heard)
        else:
            self.table.unsure_ns = self._debounce.touched_ns

    def _heard(self, now_ns: int) -> bool:
        """Whether all edges up to now are in the inbox; to be asked before the inbox is emptied.

        If not, the clock waits for them, as nobody knows what came first. This happens after the program has stood
        still, when this loop may run before the thread that reads the buttons.
        """
        behind = self.kit.gpio is not None and self.kit.gpio.behind()
        self._again_ns = now_ns + AGAIN_NS if behind else None
        return not behind

    def _take_messages(self) -> None:
        """Take what is in the inbox now; what comes meanwhile wakes the loop for another step."""
        for _n in range(len(self._inbox)):
            self._take(self._inbox.popleft())

    @property
    def due_ns(self) -> int | None:
        """When `step` has to run next without a message: at once where one came too late for the last."""
        if self._inbox:
            return self.table.now_ns
        if self._again_ns is not None:
            return self._again_ns
        return min([time for time in (self._table_ns, self._debounce.due_ns) if time is not None], default=None)

    @property
    def _table_ns(self) -> int | None:
        """When the table or the phones are to do something next."""
        phones_ns = None if self.table.phones is None else self.table.phones.due_ns
        return min([time for time in (self.table.due_ns, phones_ns) if time is not None], default=None)

    def _take(self, message: Message) -> None:
        """Do what a message says: of the buttons and the control, the disk, the parts, the display, the pages."""
        table = self.table
        if table.reading is not None and isinstance(message, Call) and message.waits:
            self._kept.append(message)
            return
        match message:
            case Edge():  # a press only once the debounce says so
                self._changed(self._debounce.edge(message))
                if self._debounce.touches(message):
                    table.touch(message.button)
                    if message.is_reading:  # the stamp of a press, if it becomes one
                        self.journal.write_edge(message)
            case Turn():
                self._changed((message,))
            case Committed(ticket):
                table.on_commit(ticket)
                if table.phones is not None:
                    table.phones.on_commit(ticket)
            case JournalTrouble(text):
                table.trouble(text)
            case PartState(name, text):
                kind, _, line = name.partition(" ")
                if kind == "button" or line in ("ok", "up", "down"):
                    if text is None:
                        self._found(line)
                    else:
                        self._debounce.forget(line)
                        table.held.forget(line)
                table.part(name, text)
                if name == "display" and text is not None:
                    self._be_ready()  # the game does not wait for a display
            case SignalGiven(at_ns):
                table.signalled(at_ns)
            case Shown(play, at_ns):
                self._be_ready()
                table.seen(play, at_ns)
            case Call(do):
                do()

    def _be_ready(self) -> None:
        if not self._ready:
            self._ready = True
            self.on_ready()
            self.table.read(past_games.first_of_all, self._carry_over, lambda: True)
            self.table.look_at_shelf()
            if (path := self._list) is not None:
                self.reader.ask(lambda _: iter((newly_listed(path, self._listed),)), self._meet)

    def _changed(self, changes: tuple[Edge | Turn, ...]) -> None:
        """Debounced changes of lines, turns of the knob: they count in the order of stamps, once all are known."""
        for change in changes:
            insort(self._waiting, change, key=self._soonest_ns)
        self.table.unsure_ns = self._debounce.touched_ns
        while self._waiting and self._again_ns is None and not self._has_to_wait(self._waiting[0]):
            self._moved(self._waiting.pop(0))

    def _has_to_wait(self, change: Edge | Turn) -> bool:
        """Whether a change has to wait for a touch that may become an earlier press.

        Players' presses have their stamps for a race; OK and the control may end it, or ask something else.
        """
        if isinstance(change, Edge) and change.button in self.kit.config.names:
            return self.table.undecided(self._soonest_ns(change))
        return self.table.unsure_ns is not None and self.table.unsure_ns < change.at_ns

    def _early_ns(self, edge: Edge) -> int:
        """By how much sooner than its stamp a change may have been."""
        return max(self.table.standing.early_ns if edge.replaced else 0, edge.lost_ns)

    def _soonest_ns(self, change: Edge | Turn) -> int:
        return change.at_ns - (self._early_ns(change) if isinstance(change, Edge) and change.down else 0)

    def _moved(self, edge: Edge | Turn) -> None:
        """A button has gone down or up, or the knob was turned."""
        if isinstance(edge, Turn):
            self.table.turn(edge.steps, edge.knob, edge.at_ns)
        elif edge.button == "ok":
            (self.table.ok_down if edge.down else self.table.ok_up)(edge.at_ns)
        elif edge.button in ("up", "down"):  # one press is one step, however long it is held
            if edge.down:
                self.table.turn(1 if edge.button == "up" else -1, False, edge.at_ns)
        elif edge.down:
            self.table.sources[edge.button] = edge.source
            self.table.press(edge.button, edge.at_ns, self._errors_ns[edge.source], self._early_ns(edge))
        else:
            self.table.release(edge.button, edge.at_ns)

    # --- output ------------------------------------------------------------------------------------------------------

    def _play_and_log(self) -> None:
        """Tunes to the buzzer, if there is one; lines to standard error, a service's log."""
        for tune in self.table.tunes():
            if self.kit.buzzer is not None:
                self.kit.buzzer.play(tune)
        for line in self.table.log():
            with contextlib.suppress(OSError, ValueError):  # the log may be closed
                print(line, file=sys.stderr, flush=True)

    def signal(self, buttons: tuple[str, ...], *, silent: bool) -> Given:
        """Give the go-signal by lamps, else by the buzzer; else the picture is the signal and is stamped when shown."""
        self._play_and_log()  # earlier tunes first
        lamps, stamps = frozenset(buttons) & self.kit.lamps.names, dict[str, int]()
        if lamps:
            stamps["lamps"] = self.kit.lamps.show(lamps)
            self._lit = lamps
        if self.kit.buzzer is not None and not silent:
            stamps["buzzer"] = self.kit.buzzer.play(sounds.GO)
        if stamps:
            return Given(" ".join(stamps), next(iter(stamps.values())))
        if self.table.game is None:  # the picture of the step that is under way
            return Given("picture", None)
        picture = signal_picture(self.table.game, self.table.now_ns)
        self._picture = picture.tobytes()
        self.kit.display.show(picture, lambda at_ns: self.post(SignalGiven(at_ns)))
        return Given("picture", None)

    def _put_out(self) -> None:
        """Put out changes; the strip and the display take only their newest picture."""
        table, kit, game = self.table, self.kit, self.table.game
        self._play_and_log()
        if (lit := table.lamps()) != self._lit:
            self._lit = lit
            kit.lamps.show(lit)
        picture = table.picture()
        unseen = None if game is None else game.unseen
        if not table.signalling and ((packed := picture.tobytes()) != self._picture or unseen is not None):
            self._picture = packed
            wanted = not self._ready or unseen is not None
            kit.display.show(picture, (lambda at_ns: self.post(Shown(unseen, at_ns))) if wanted else None)
        if table.contrast != self._contrast:
            self._contrast = table.contrast
            kit.display.contrast(self._contrast)
        if kit.strip is not None and (shown := (table.pixels(kit.strip.leds), table.calm)) != self._strip:
            self._strip = shown
            kit.strip.show(shown[0], calm=shown[1])
        for language, news in self.news.items():
            with reading(language):
                news.spread(picture if language is None else table.picture(), table.light())
        if table.phones is not None:
            table.phones.refresh()

    def hangs(self) -> str | None:
        """The thread that has died, so that the program has to be restarted; None while all run."""
        if not self.kit.alive():
            return N_("the buttons' thread")
        return None if self.journal.alive() else N_("the journal's thread")

    def goodbye(self) -> None:
        """Commit everything, and show on the last picture whether that worked."""
        safe = self.journal.close()
        self.kit.display.show(goodbye(safe=safe, stays=not self._volatile))

    def close(self) -> None:
        """Commit everything, and switch all parts off."""
        self.reader.close()
        self.journal.close()
        self.kit.close()


def this_boot() -> str:
    """The id of this boot, within which stamps compare; where the system has none, an id of this run."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return os.urandom(16).hex()


async def run(app: App, stop: asyncio.Event, ready: Callable[[], None] = lambda: None) -> None:
    """Run a kit until `stop` is set or the program is told to end (`ending.SIGNALS`); else it sleeps.

    `ready` is called once the first picture is out. systemd's watchdog is notified while all threads run; a thread that
    ends by an error is reported like a part.
    """
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None
    waiting = False

    def run_app(turn: Callable[[int], None]) -> None:
        nonlocal timer
        if timer is not None:
            timer.cancel()
            timer = None
        turn(monotonic_ns())
        if (due_ns := app.due_ns) is not None:
            timer = loop.call_at(due_ns / 1e9, run_app, app.tick)

    def step() -> None:
        nonlocal waiting
        waiting = False
        run_app(app.step)

    def wake() -> None:
        nonlocal waiting
        if not waiting:
            waiting = True
            loop.call_soon_threadsafe(step)

    ending.call(loop, stop.set)
    app.wake, app.on_ready = wake, ready
    with reporting_threads(app.report):
        step()
        watched = asyncio.create_task(_watched(app, watchdog_s)) if (watchdog_s := service.watchdog_s()) else None
        await stop.wait()
    app.wake = lambda: None
    if timer is not None:
        timer.cancel()
    if watched is not None:
        watched.cancel()


async def _watched(app: App, watchdog_s: float) -> None:
    """Notify systemd's watchdog while this loop and the threads that it needs run, and memory does not run out."""
    taken = 0
    while (dead := app.hangs()) is None and (taken := service.memory_mb()) <= MOST_MB:
        service.notify("WATCHDOG=1")
        await asyncio.sleep(watchdog_s / 2)
    if dead is not None:
        text = _("{thread} has stopped; a new start is needed", thread=translated(dead))
    else:  # a leak; and not each kernel limits a service's memory
        text = _("{taken} MB of memory are taken; a new start is needed", taken=taken)
    print(text, file=sys.stderr, flush=True)


def _desk(table: Table) -> Desk:
    from firmware.wishes.desk import Desk  # a start need not wait for it

    return Desk(table)
