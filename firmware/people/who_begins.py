"""Who begins: all hold their button, the lamps run round, one stays; or the table names somebody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from PIL import Image

from engine.rules import Seat
from firmware.buttons import numbers
from firmware.output import sounds
from firmware.output.screens.canvas import Canvas, Text, longest
from firmware.output.screens.font import NARROW
from firmware.output.screens.menus import message
from firmware.output.screens.seats import IN_A_ROW, buttons
from firmware.output.screens.view import turn
from firmware.output.strip_picture import begins
from firmware.table.overlay import Overlay, downwards
from firmware.table.table import Table
from firmware.translation import _
from hardware.parts.strip import Pixels

FEWEST_STEPS = 14  # of the run round the table
FIRST_STEP_NS, LAST_STEP_NS = 80_000_000, 520_000_000  # between them it slows down


def from_the_first(players: tuple[str, ...], first: str | None) -> tuple[str, ...]:
    """The buttons round the table, from this one on."""
    at = 0 if first is None else players.index(first)
    return (*players[at:], *players[:at])


class WhoBegins(Overlay):
    """Draws who begins once all players hold their buttons; OK goes on without those who do not.

    A turn names somebody instead: the control or a player's button chooses, OK takes. A long OK gives it up.
    """

    holding = True
    one_back = True

    def __init__(
        self,
        table: Table,
        title: Text,
        players: tuple[str, ...],
        people: Mapping[Seat, str],
        done: Callable[[str], None],
    ) -> None:
        """`players`: their buttons, in the order round the table. `done` is called with that of who begins."""
        super().__init__(table)
        self.title, self.players, self.people, self.done = title, players, people, done
        self.lit: int | None = None  # where the run is, or who is being named
        self.naming = False
        self.first: str | None = None  # who begins
        self._excused: frozenset[str] = frozenset()  # who need not hold: the table goes on without
        self._step = self._steps = 0  # of the run; 0 steps: it has not begun

    @property
    def invites(self) -> str:
        game = longest(self.title)
        if self.first is None:
            return _("{game}: who begins is found on the kit", game=game)
        return _("{game}: {name} begins", game=game, name=longest(self.called(self.first)))

    @property
    def missing(self) -> tuple[str, ...]:
        """The buttons for which the draw waits; one that does not work takes part all the same."""
        table = self.table
        needed = [one for one in self.players if one not in self._excused and table.live(one)]
        return tuple([one for one in needed if one not in table.held.down])

    def called(self, button: str) -> Text:
        """A player's name, and the button's label for where there is no room."""
        return self.table.roster.at_table(self.players, self.people)[self.players.index(button)], button

    # --- the draw ----------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        if self.first is None and not self.naming and self.until_ns is None and not self.missing:
            self._run()

    def _run(self) -> None:
        """The lamps run, or run on."""
        if not self._steps:
            drawn = Random(self.table.seed()).randrange(len(self.players))
            many = len(self.players)
            self._steps = -(-FEWEST_STEPS // many) * many + drawn + 1
        self._next(self.table.now_ns)

    def _next(self, since_ns: int) -> None:
        """When the light goes on: ever later."""
        slower = (LAST_STEP_NS - FIRST_STEP_NS) * self._step**2 // self._steps**2
        self.until_ns = since_ns + FIRST_STEP_NS + slower
        self._due_ns = self.until_ns

    def time_up(self) -> None:
        if self.missing:  # somebody has let go: it waits
            return
        self.lit = self._step % len(self.players)
        self._step += 1
        if self._step == self._steps:
            self._found(self.players[self.lit])
        else:
            self.table.sound(sounds.TURN)
            self._next(self._due_ns)

    def _found(self, button: str) -> None:
        self.first, self.naming = button, False
        self.table.sound(sounds.FIRST)

    # --- input -------------------------------------------------------------------------------------------------------

    def press(self, button: str, at_ns: int, error_ns: int) -> bool:
        if self.first is not None:
            self._take()
        elif button in self.players:
            self.table.sound(sounds.CLICK)
            if self.naming:
                self.lit = self.players.index(button)
        return True

    def hold(self, button: str) -> bool:
        return True

    def turn(self, steps: int, knob: bool) -> None:
        if self.first is not None:
            self._take()
        elif self._steps:  # nobody stops a draw that has begun to name another
            self.table.sound(sounds.REFUSED)
        else:
            down = downwards(steps, knob)
            self.lit = (0 if down > 0 else -1) % len(self.players) if self.lit is None else self.lit + down
            self.lit %= len(self.players)
            self.naming = True
            self.table.sound(sounds.TURN)

    def ok(self) -> None:
        if self.first is not None:
            self._take()
        elif self.naming and self.lit is not None:
            self._found(self.players[self.lit])
        elif self.missing:
            self._excused |= frozenset(self.missing)
            self.table.sound(sounds.DONE)
        else:
            self.table.sound(sounds.REFUSED)

    def _take(self) -> None:
        first = self.first
        assert first is not None
        self.table.sound(sounds.CLICK)
        self.table.close()
        self.done(first)

    # --- output ------------------------------------------------------------------------------------------------------

    def hands(self) -> tuple[str, ...]:
        return () if self.naming or self.first is not None else self.players

    def lamps(self) -> frozenset[str]:
        if self.first is not None:
            return frozenset({self.first})
        if self.naming or (self._steps and not self.missing):
            return frozenset() if self.lit is None else frozenset({self.players[self.lit]})
        return frozenset(self.missing)

    def pixels(self, leds: int) -> Pixels | None:
        ready = () if self.first or self.naming or self._steps else self._ready()
        of_kit = self.table.names
        players = numbers(self.players, of_kit)
        return begins(leds, len(of_kit), players, self.lit, ready, won=self.first is not None)

    def _ready(self) -> tuple[int, ...]:
        return tuple([n for n, one in enumerate(self.players) if one not in self.missing])

    def lit_in_words(self) -> str:
        if not self.naming or self.lit is None:
            return ""
        return _("chosen: {row}", row=longest(self.called(self.players[self.lit])))

    def picture(self, now_ns: int) -> Image.Image:
        if self.first is not None:
            says = tuple(_("{name} begins", name=name) for name in dict.fromkeys(self.called(self.first)))
            return message(self.title, says, (), ("", _("OK: go on")))
        canvas = Canvas()
        canvas.status(self.title, _("who begins?"))
        missing, names = self.missing, self.table.roster.at_table(self.players, self.people)
        lit = list(self._ready()) if not self._steps or missing else []
        if self.naming or (self._steps and not missing):
            lit = [] if self.lit is None else [self.lit]
        room = len(names) <= IN_A_ROW  # in two rows only a filled button has room for a name
        below = [name if room or n in lit else "" for n, name in enumerate(names)]
        if self.naming:
            canvas.headline(_("WHO?"), height=23, size=NARROW)
            canvas.foot(_("{turn} or press", turn=turn(self.table.knob)), (_("OK: begins"), "OK"))
        elif missing:
            waits = [" ".join(each) for each in ([self.called(one)[0] for one in missing], missing)]
            each = (*(_("wait: {names}", names=one) for one in waits), _("wait: {n} missing", n=len(missing)))
            canvas.headline(_("ALL: HOLD") if len(missing) == len(self.players) else each, height=23)
            keys = _("{turn}: name", turn=turn(self.table.knob)) if not self._steps else _("hold yours")
            canvas.foot(keys, (_("OK: go on without"), _("OK: without"), "OK"))
        else:
            canvas.headline(_("HOLD ON"), height=23, size=NARROW)
            canvas.foot("", _("hold OK:back"))
        buttons(canvas, self.players, lit, 32, below=below)
        return canvas.picture()
