"""One table: the game, the overlays, and the state of buttons, parts and storage. No threads, no devices, no clock.

Input comes through a few methods with the time as an argument. Output is fetched: picture, lamps, light, tunes, lines
for the log; only the journal and the go-signal are called. So a test can play a whole evening with a clock that jumps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from PIL import Image

from engine.play import Fact, Play
from engine.rules import Board
from engine.stamps import S
from engine.words import N_
from firmware.buttons import numbers, of_play
from firmware.journal.phones import Answered
from firmware.output import sounds
from firmware.output.screens.notices import noted, paw, wander_ns
from firmware.output.strip_picture import Light, hurries, pixels
from firmware.people.at_table import People
from firmware.people.roster import Roster
from firmware.setup.certificate import UNMEASURED, Standing
from firmware.shelf.known import Shelf, look
from firmware.table.fresh_reads import FreshReads
from firmware.table.interfaces import Front, Given, Hub, Read, Signal, Store
from firmware.table.long_press import HOLD_NS, HeldDown
from firmware.table.lost_parts import LostParts
from firmware.table.overlay import Menus, Overlay
from firmware.table.past_games import Carryover, Unfinished, carry_over
from firmware.table.playing import Playing
from firmware.translation import L_, LazyText, translated
from hardware.parts.buttons import Source
from hardware.parts.buzzer import Tune
from hardware.parts.strip import Pixels

NOTE_NS = 5 * S  # how long a note stands
MOST_FLASHES = 8  # those before have been read out
AT_REST_NS = 3 * S  # without a key the menu is at rest
SLOW_SAVING_NS = 1 * S  # a commit that takes longer is announced
SLOW_SAVING = N_("saving takes long")
DIM_NS = 300 * S
WANDER_NS = 1800 * S
BRIGHT, DIM = 255, 20


class Table:
    """Owns the state: the game on the table, if there is one, and the overlays over it; the last one is on top.

    All methods on the loop's thread; `now_ns` (CLOCK_MONOTONIC) never runs backwards.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        journal: Store,
        signal: Signal,
        *,
        knob: bool = True,
        apart: bool = False,
        boot: str = "",
        standing: Standing = UNMEASURED,
        roster: Roster,
        read: Read,
        menus: Menus,
        desk: Callable[[Table], Front],
        seed: Callable[[], int],
        now_ns: int,
    ) -> None:
        """`apart`: evenings are summed by a process of its own. `desk`: makes what takes wishes."""
        self.names, self.journal, self.knob, self.boot, self.standing = names, journal, knob, boot, standing
        self.apart = apart
        self.roster, self.menus, self.seed = roster, menus, seed
        roster.buttons = names
        self.unfinished: Unfinished | None = None
        self.reading: Overlay | None = None  # while it is not known yet whether there is an unfinished game
        self.fresh = FreshReads(read)
        self.read: Read = self.fresh
        self.people, self._make_desk = People(self, roster), desk
        self.carryovers: dict[str, Carryover] = {}  # by the rules' name
        self.shelf = Shelf()
        self.now_ns = self.made_ns = now_ns  # `made_ns`: when the OK or the turn began that is being answered
        self.ok_ns: int | None = None  # when the OK ended that is being answered
        self.unsure_ns: int | None = None  # the stamp of the oldest touch that may still become a press
        self.silent = False
        self.sources: dict[str, Source] = {}  # by button, of the stamp of its latest press
        self.phones: Hub | None = None  # None: this kit lets none in
        self.set_up: Callable[[], None] | None = None  # opens SET UP; None: nothing is set up here
        self.game: Playing | None = None
        self.overlays: list[Overlay] = [menus.menu(self)]
        self._signal = signal
        self.next_step: list[Callable[[], None]] = []  # to be done once all that people have done meanwhile is answered
        self._tunes: list[Tune] = []
        self._log: list[str] = []
        self.held = HeldDown()
        self._last_ns = now_ns  # time of the last input
        self._clicked: set[str] = set()  # buttons whose touch has clicked
        self._note: tuple[int, LazyText, Callable[[], bool]] | None = (
            None  # its end, its text, whether it is still true
        )
        self.flashes: tuple[tuple[int, LazyText], ...] = ()  # the latest that `flash` was told, numbered from 1
        self.lost = LostParts(self._log.append, self.note, now_ns)
        self.ticket = 0  # the latest of the journal's
        self._saving: dict[int, int] = {}  # since when, by ticket
        self._unsaved: str | None = None  # the reason why storage fails

    def wait_for_game(self) -> None:
        """The latest game of earlier runs is being read, before anything else is done; `found` follows."""
        self.reading = self.menus.reading(self)
        self.overlays.append(self.reading)

    def found(self, unfinished: Unfinished | None) -> None:
        """That game is read; None: there is none, or none that this version knows."""
        assert self.reading is not None
        at = self.overlays.index(self.reading)
        goes_on = unfinished is not None and not unfinished.play.over
        self.overlays[at : at + 1] = [self.menus.go_on(self, unfinished)] if unfinished and goes_on else []
        self.unfinished, self.reading = unfinished, None
        self.held.cover(("ok",))  # it was meant for nothing that could be seen

    @property
    def top(self) -> Overlay | Playing:
        """The overlay or game that is shown and has the control."""
        if self.overlays:
            return self.overlays[-1]
        assert self.game is not None
        return self.game

    @property
    def quiet(self) -> bool:
        """Whether a question that nobody at the kit has called for may come up.

        Only over a game, or over a menu that rests once nobody has touched it for a moment; only while no hand is on a
        button, and the display is there and awake.
        """
        if self.held.down.keys() - self.held.stuck or self.lost.display or self._asleep():
            return False
        if self.overlays and not (self.overlays[-1].rests and self.now_ns - self._last_ns >= AT_REST_NS):
            return False
        return self.game is None or self.game.quiet

    def _deaf(self, at_ns: int) -> bool:
        """Whether a key that went down at this time is ignored."""
        return not self.overlays and self.game is not None and self.game.deaf(at_ns)

    # --- input -------------------------------------------------------------------------------------------------------

    def touch(self, button: str) -> None:
        """A player's contact has moved; whether that is a press is known later. It clicks at once, and only that."""
        if self.game is not None and not self.overlays and self.game.wants(button):
            self.sound(sounds.CLICK)
            self._clicked.add(button)

    def click(self, button: str) -> None:
        """A press was seen: click, unless its touch has."""
        if button not in self._clicked:
            self.sound(sounds.CLICK)

    def undecided(self, at_ns: int) -> bool:
        """Whether a verdict that was due by then has to wait for a touch that may become an earlier press."""
        return self.game is not None and self.game.undecided(at_ns)

    def press(self, button: str, at_ns: int, error_ns: int, early_ns: int = 0) -> None:
        """A player's button went down (a debounced press)."""
        self._see_wanted()
        wakes = self._wakes()
        self.held.goes_down(button, at_ns, wakes=wakes)
        if wakes:
            return
        if self.overlays and self.overlays[-1].press(button, at_ns, error_ns):
            return
        if self.game is not None:
            self.close_all()  # nobody has to wait for a player in a menu
            self.game.press(button, at_ns, error_ns, early_ns)
        self._clicked.discard(button)

    def release(self, button: str, at_ns: int) -> None:
        """A player's button went up."""
        self._see_wanted()
        self._long(button, at_ns)
        self.held.goes_up(button)
        if button in self.held.stuck:
            self.held.stuck.discard(button)
            self.notice(L_("{button} works again", button=button))
        self.touched()
        if self.game is not None:
            self.game.release(button, at_ns)

    def ok_down(self, at_ns: int) -> None:
        """OK went down: short or long is known later."""
        self.held.goes_down("ok", at_ns, wakes=self._wakes())

    def ok_up(self, at_ns: int) -> None:
        """OK went up: it was a short one unless it has been held."""
        self._see_wanted()
        self.touched()
        self._long("ok", at_ns)
        since_ns = self.held.goes_up("ok")
        if since_ns is not None and not self._deaf(since_ns):
            self._note, self.made_ns, self.ok_ns = None, since_ns, at_ns
            self.top.ok()
            self.ok_ns = None

    def turn(self, steps: int, knob: bool, at_ns: int) -> None:
        """The knob was turned (clockwise is positive) or an arrow pressed (▲ is positive)."""
        if not self._wakes() and not self._deaf(at_ns):
            self._see_wanted()
            self.made_ns = at_ns
            self.top.turn(steps, knob)

    def tick(self, now_ns: int) -> None:
        """Time has passed."""
        self.now_ns = max(self.now_ns, now_ns)
        self._see_wanted()
        for button in tuple(self.held.down):
            self._long(button, self.now_ns)
        for button, stuck_ns in self.held.stuck_ns(wanted=self._wants_held()).items():
            if stuck_ns <= self.now_ns:
                self.stuck(button)
        while self.overlays and (until_ns := self.overlays[-1].until_ns) is not None and until_ns <= self.now_ns:
            self.overlays[-1].until_ns = None
            self.overlays[-1].time_up()
        while self.overlays and not self.overlays[-1].stands():
            self.close()
        if self.overlays:
            self.overlays[-1].tick()
        if self._saving and self._unsaved is None and self.now_ns - min(self._saving.values()) >= SLOW_SAVING_NS:
            self.trouble(SLOW_SAVING)
        if self.game is not None:
            self.game.tick(self.now_ns)
        if self._note is not None and (self._note[0] <= self.now_ns or not self._note[2]()):
            self._note = None
        todo, self.next_step = self.next_step, []
        for do in todo:
            do()

    def on_commit(self, ticket: int) -> None:
        """Everything written up to this ticket is on the disk."""
        self._saving = {open_: since_ns for open_, since_ns in self._saving.items() if open_ > ticket}
        if not self._saving and self._unsaved == SLOW_SAVING:
            self.trouble(None)
        self.people.on_commit(ticket)
        if "desk" in vars(self):
            self.desk.on_commit(ticket)
        if self.game is not None:
            self.game.on_commit(ticket)

    @cached_property
    def desk(self) -> Front:
        """The desk, which takes wishes; made for the first one."""
        return self._make_desk(self)

    def trouble(self, text: str | None) -> None:
        """Storage fails (the game goes on in memory), or works again (None)."""
        if text is None:
            if self._unsaved is not None:
                self.notice(L_("saving works again"))
            self._unsaved = None
            return
        self._unsaved = text
        self.notice(L_("NOT SAVED: {why}. The game goes on", why=LazyText(lambda: translated(text).rstrip("."))))
        if self.game is not None:
            self.game.on_commit(max(self._saving, default=0))

    def part(self, name: str, text: str | None) -> None:
        """A part is lost, or back (None)."""
        self.lost.report(name, text, self.now_ns)
        if self.game is not None:
            self.game.parts()

    def stuck(self, button: str) -> None:
        """A button is held down and out of play until it is let go. Nobody knows since when, where it was found so."""
        self.held.stuck.add(button)
        self.notice(L_("{button} is stuck: let it go", button=button))

    def signalled(self, at_ns: int) -> None:
        """The picture that is the go-signal is on the display."""
        self._see_wanted()
        if self.game is not None:
            self.game.signal_given(at_ns)

    def seen(self, play: Play | None, at_ns: int) -> None:
        """The picture of this game is on the display."""
        if self.game is not None:
            self.game.seen(play, at_ns)

    # --- for the game and the overlays --------------------------------------------------------------------------------

    def play(self, game: Playing) -> None:
        """Put a game on the table."""
        self.game = game
        self._clear()
        self.held.cover(self.held.down)
        self._on_top()
        game.parts()  # a button may be lost already

    def open(self, overlay: Overlay) -> None:
        """Put an overlay on top."""
        self.overlays.append(overlay)
        self._on_top()

    def close(self) -> None:
        """Remove the top overlay."""
        gone = self.overlays.pop()
        self._on_top()
        gone.closed()

    def close_all(self) -> None:
        """Back to the game, or to the menu where there is none."""
        if self.game is None:
            self.go_home()
        elif self.overlays:
            self._clear()
            self._on_top()

    def look_at_shelf(self) -> None:
        """Read which score sheets there are, beside the loop: a card's and a folder's may change at any time."""

        def looked(shelf: Shelf) -> None:
            self.shelf = shelf

        self.read(look, looked, lambda: True)

    def go_home(self) -> None:
        """Take the game off the table: the menu."""
        self.game = None
        self._clear()
        self.open(self.menus.menu(self))

    def _clear(self) -> None:
        """Remove all overlays, the top one first."""
        while self.overlays:
            self.overlays.pop().closed()

    def _on_top(self) -> None:
        """Another picture is on top. Over the same game a button that is down keeps its meaning."""
        self.held.cover(self.held.down if self.game is None else ("ok",))
        self.top.opened()

    def put_away(self, game: Playing) -> None:
        """A game leaves the table."""
        play = game.play
        self.unfinished = Unfinished(game.number, play, people=game.people, sent=game.standing)
        if play.rules.carryover is not None:
            carryover = Carryover(play.rules.name, game.number, play.rules.carryover(play.state))
            carry_over(self.carryovers, [carryover])

    def sound(self, tune: Tune) -> None:
        """Play a tune, unless the table wants silence."""
        if not self.silent:
            self._tunes.append(tune)

    def refuse(self, reason: LazyText, holds: Callable[[], bool] = lambda: True) -> None:
        """Refuse an input, with a sound and a note that stands no longer than it `holds`."""
        self.sound(sounds.REFUSED)
        self.note(reason, holds)

    def touched(self) -> None:
        """Somebody has answered elsewhere: the display does not sleep."""
        self._last_ns = self.now_ns

    def note(self, text: LazyText, holds: Callable[[], bool] = lambda: True) -> None:
        """Show a line or two over the picture for 5 s, and no longer than it `holds`."""
        self._note = (self.now_ns + NOTE_NS, text, holds)
        self.flash(text)

    def flash(self, text: LazyText) -> None:
        """Let a text be read out in full, each time: one that the display shows only for a moment."""
        number = self.flashes[-1][0] + 1 if self.flashes else 1
        self.flashes = (*self.flashes[1 - MOST_FLASHES :], (number, text))

    def notice(self, text: LazyText) -> None:
        """Show a note about the kit, and log it."""
        self._log.append(text.words())
        self.note(text)

    def works(self, button: str) -> bool:
        """Whether a button is there; a game may be resumed on a kit with fewer."""
        return button in self.names and not self.lost.button(button)

    def live(self, button: str) -> bool:
        """Whether a button works, and is not stuck."""
        return self.works(button) and button not in self.held.stuck

    def signal(self, buttons: tuple[str, ...]) -> Given:
        """Give the go-signal."""
        return self._signal(buttons, silent=self.silent)

    @property
    def signalling(self) -> bool:
        """Whether a picture that is the go-signal is on its way to the display: no other may overtake it."""
        return self.game is not None and self.game.signalling

    def wrote(self, game: int, facts: tuple[Fact, ...], sent: Iterable[Answered] = ()) -> int:
        """Journal facts, and what phones have sent that is in no event yet. Returns the ticket of their commit."""
        self.ticket = self.journal.write(game, facts, sent)
        self.saving(self.ticket)
        return self.ticket

    def saving(self, ticket: int) -> None:
        """Measure how long this commit takes."""
        self._saving[ticket] = self.now_ns

    @property
    def saved(self) -> bool:
        """Whether storage works: if not, nothing waits for commits."""
        return self._unsaved is None

    # --- output ------------------------------------------------------------------------------------------------------

    @property
    def due_ns(self) -> int | None:
        """When `tick` has to run next: to answer an offer, or because the picture changes by itself."""
        if self.next_step:
            return self.now_ns
        times = [self.game.due_ns(self.now_ns)] if self.game is not None and not self._asleep() else []
        times += [*self.held.long_ns, *self.held.stuck_ns(wanted=self._wants_held()).values()]
        rests_ns = (self._last_ns + DIM_NS, self._last_ns + WANDER_NS)
        times += [next((at_ns for at_ns in rests_ns if at_ns > self.now_ns), wander_ns(self.now_ns))]
        times += [None if self._note is None else self._note[0]]
        times += [overlay.until_ns for overlay in self.overlays[-1:]]
        times += [since_ns + SLOW_SAVING_NS for since_ns in self._saving.values() if self._unsaved is None]
        return min((time for time in times if time is not None), default=None)

    def tunes(self) -> tuple[Tune, ...]:
        """The tunes since the last call, in order."""
        tunes, self._tunes = tuple(self._tunes), []
        return tunes

    def log(self) -> tuple[str, ...]:
        """The lines for the log since the last call."""
        log = tuple(self._log)
        self._log.clear()
        return log

    def picture(self) -> Image.Image:
        """The picture for the display."""
        if self._asleep():
            return paw(self.now_ns)
        picture = self.top.picture(self.now_ns)
        return picture if self._note is None else noted(picture, self._note[1].words())

    @property
    def contrast(self) -> int:
        """The brightness of the display, 0 to 255."""
        bright = bool(self.overlays) and self.overlays[-1].bright
        return DIM if self.now_ns - self._last_ns >= DIM_NS and not bright else BRIGHT

    def lamps(self) -> frozenset[str]:
        """The buttons whose lamps are lit."""
        return self._asked() - self.held.stuck

    def _asked(self) -> frozenset[str]:
        return self.top.lamps() if self.game is None else self.game.lamps()

    def light(self) -> Light:
        """The input of the strip's picture."""
        board, of_kit = self._board, self.names
        asked = self._asked() if board is None else frozenset[str]()
        return Light(
            board,
            self._asleep(),
            self.lost.on_the_strip,
            joined=numbers([name for name in of_kit if name in asked], of_kit),
            buttons=() if self.game is None else of_play(self.game.committed, of_kit),
            of_kit=len(of_kit),
        )

    @property
    def _board(self) -> Board | None:
        """The board that people may see."""
        return self.overlays[-1].board if self.game is None else self.game.committed.board

    @property
    def calm(self) -> bool:
        """Whether the strip's next picture may be late for once."""
        return not hurries(self._board)

    def pixels(self, leds: int) -> Pixels:
        """The strip's picture."""
        own = self.top.pixels(leds) if isinstance(self.top, Overlay) else None
        return pixels(self.light(), leds) if own is None else own

    # --- internal ----------------------------------------------------------------------------------------------------

    def _see_wanted(self) -> None:
        """Note the time while holding is asked for: called before anything changes the question."""
        if self._wants_held():
            self.held.want(self.now_ns)

    def _wants_held(self) -> bool:
        """Whether holding a button is an answer just now."""
        if self.overlays and self.overlays[-1].holding:
            return True
        return self.game is not None and bool(self.game.question.hands)

    def _long(self, button: str, at_ns: int) -> None:
        """Answer a long press, once, if it is one by then."""
        since_ns = self.held.long_since_ns(button, at_ns)
        if since_ns is None or self._deaf(since_ns):
            return
        if button == "ok":
            self.made_ns = since_ns
            self.top.ok_hold()
        elif self.overlays and self.overlays[-1].hold(button):
            pass
        elif self.game is not None:
            self.game.hold(button, since_ns + HOLD_NS)

    def _wakes(self) -> bool:
        """Whether an input only wakes the display. Never in a race."""
        asleep = self._asleep()
        self.touched()
        return asleep and not (self.game is not None and self.game.question.racing)

    def _asleep(self) -> bool:
        return self.now_ns - self._last_ns >= WANDER_NS
