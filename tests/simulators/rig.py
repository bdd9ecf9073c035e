"""The whole kit on emulated twins and a virtual clock: press, let time pass, look at the screen. Nothing sleeps.

What people do can be written as a line of words: `rig.do("game[kitty_paw 3] +P1,P2,P3 3100 -P1,P2,P3 P2 300")`.

    P1 P1*3 P1!     a short press, three of them, a long one
    +P1,P3 -P1      hands on buttons, all at once; off them
    P1=17           this number, with the fewest presses and steps
    ok ok*2 ok!     OK, twice, long; +ok -ok
    turn+2 turn-2   the control
    yes no          the answer to such a question
    300 2s 5min 9h  time passes: ms, if no unit is named
    game[kitty_paw 3 tie_band=20]   from the menu into a game, with so many players and these options
    sheet[Wizard 3] from the list of all games into a score sheet, with so many players
    [History] menu[Seats]           OK at a row of a list that begins so; of the menu of the game
    undo            a long OK, one step back, a long OK
    people[Anna Ben]    the kit knows these people, the first as the one who played last
    lost[P2]        this player's button fails; the note that says so is gone after 6s
    late[P2 90]     a press made 90 ms ago is delivered now
    unplug[strip] replug[display]   a part is gone, is back
    stall[200]      the loop stands still, ms
    off[9h] pulled[9h]  switched off, or by the plug, for so long; then on again, with a new clock
    reboot restart  switched off and on again: with a new clock; the program alone
    killed[2800]    the program is killed, and starts again after so long, ms; nobody is asked whether to go on
    hung[9000 P1,P3]    it hangs, these buttons are pressed, and after so long it is killed, and starts again
"""

import re
from ast import literal_eval
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from PIL import Image

from engine import games
from engine.rules import Board
from firmware.output.screens.canvas import longest
from firmware.setup.certificate import UNMEASURED, Standing
from firmware.table.app import App
from firmware.table.listing import Listing
from firmware.table.menus import Options
from firmware.table.option_table import Amounts
from firmware.table.playing import Playing
from firmware.table.question import home, long, moved, pressed, within
from firmware.wall_clock import Moment
from hardware.config import TABLE, KitConfig
from hardware.kit import Kit, open_emulated
from hardware.parts.buttons import Edge
from hardware.parts.buttons.emulated import EmulatedButtons
from hardware.parts.buzzer import Tune
from hardware.parts.buzzer.emulated import EmulatedBuzzer
from hardware.parts.control.emulated import EmulatedControl
from hardware.parts.display.emulated import EmulatedDisplay
from hardware.parts.lamps.emulated import EmulatedLamps
from hardware.parts.strip import Pixels
from hardware.parts.strip.emulated import EmulatedStrip
from tests.simulators import reading, resource_leaks

MS = 1_000_000
S = 1_000 * MS
FEW = 3  # steps of a number that are pressed
UNITS = {"": 1, "s": 1000, "min": 60_000, "h": 3_600_000}
THREE = ("P1", "P2", "P3")
FOUR = (*THREE, "P4")
WORD = re.compile(r"\w*\[.*?\]|\S+")


class Rig:
    """A table with nobody at it. Times are in ms of the virtual clock. In a test it closes itself."""

    program: ClassVar[type[App]] = App

    def __init__(
        self,
        state: Path,
        config: KitConfig = TABLE,
        *,
        boot: str = "boot-1",
        start_ns: int = 1000 * S,
        seed: int = 7,
        standing: Standing = UNMEASURED,
        threaded: bool = False,
    ) -> None:
        """`threaded`: the journal is written and read on threads, in real time."""
        self.now_ns = start_ns
        self.tunes: list[Tune] = []
        self.wall: datetime | None = datetime(2026, 11, 22, 19, tzinfo=UTC)  # at `start_ns`; None: not known
        self._start_ns = start_ns
        self._app = partial(self.program, threaded=threaded, seed=lambda: seed, standing=standing, clock=self.clock)
        self._pulled: list[App] = []  # what was running when the plug was pulled
        self._start(state, config, boot)

    def _start(self, state: Path, config: KitConfig, boot: str) -> None:
        self._folder, self._boot = state, boot
        self._early: list[tuple[str, str | None]] | None = []
        self.kit = self.open(config)
        self.app = self._app(self.kit, state, now_ns=self.now_ns, boot=boot)
        resource_leaks.owned(self)
        early, self._early = self._early, None
        for name, text in early:
            self.app.report(name, text)
        self.app.step(self.now_ns)

    def clock(self) -> Moment:
        """The kit's time, and what its wall clock shows."""
        since = timedelta(microseconds=(self.now_ns - self._start_ns) // 1000)
        return Moment(self.now_ns, None if self.wall is None else (self.wall + since).isoformat(timespec="seconds"))

    def restart(self) -> "Rig":
        """The program is ended and begins again."""
        self.close()
        self._start(self._folder, self.kit.config, self._boot)
        return self

    def killed(self, ms: str) -> "Rig":
        """The program is killed; for so long nobody listens, then a new run goes on by itself."""
        heard_ns = self.now_ns
        self.now_ns += int(ms) * MS
        return self.cut_short(heard_ns)

    def hung(self, text: str) -> "Rig":
        """The loop hangs while these buttons are pressed; then the watchdog ends the program."""
        ms, _, names = text.partition(" ")
        heard_ns, end_ns = self.now_ns, self.now_ns + int(ms) * MS
        self.now_ns += 100 * MS
        for name in filter(None, names.split(",")):
            self.edge(name, down=True)
            self.now_ns += 40 * MS
            self.edge(name, down=False)
        self.now_ns = end_ns
        return self.cut_short(heard_ns)

    def cut_short(self, heard_ns: int) -> "Rig":
        """The program was killed, after it had listened until `heard_ns`; the service's new run begins."""
        self._die()
        self._start(self._folder, self.kit.config, self._boot)
        self.app.unheard(heard_ns)
        self.app.go_on()
        return self.after(0)

    def _die(self) -> None:
        """The program ends at once: the kernel gives back what it held."""
        self._pulled.append(self.app)
        self.app.journal.held.release()

    def reboot(self, *, pulled: bool = False) -> "Rig":
        """The kit is switched off and on again, and its clock begins anew. `pulled`: by the plug."""
        return self._on_again("0", pulled=pulled)

    def off(self, time: str) -> "Rig":
        """The kit is switched off for so long; `pulled` does it by the plug."""
        return self._on_again(time, pulled=False)

    def pulled(self, time: str) -> "Rig":
        return self._on_again(time, pulled=True)

    def _on_again(self, time: str, *, pulled: bool) -> "Rig":
        if pulled:
            self._die()
        else:
            self.close()
        off = re.fullmatch(r"(\d+)(s|min|h|)", time)
        assert off is not None
        if self.wall is not None:
            self.wall += timedelta(milliseconds=(self.now_ns - self._start_ns) // MS + int(off[1]) * UNITS[off[2]])
        self.now_ns = self._start_ns = 5 * S
        self._start(self._folder, self.kit.config, f"{self._boot}, another")
        return self

    def open(self, config: KitConfig) -> Kit:
        """The parts of this table."""
        kit = open_emulated(config, self.report, threaded=False, clock=lambda: self.now_ns)
        assert isinstance(kit.buttons, EmulatedButtons)
        assert isinstance(kit.control, EmulatedControl)
        assert isinstance(kit.display, EmulatedDisplay)
        assert isinstance(kit.lamps, EmulatedLamps)
        self.buttons, self.control, self.display, self.lamps = kit.buttons, kit.control, kit.display, kit.lamps
        self.strip = kit.strip if isinstance(kit.strip, EmulatedStrip) else None
        if isinstance(kit.buzzer, EmulatedBuzzer):
            kit.buzzer.watch(self.tunes.append)
        return kit

    def report(self, name: str, text: str | None) -> None:
        """What the parts say of themselves."""
        if self._early is None:
            self.app.report(name, text)
        else:
            self._early.append((name, text))

    def edge(self, name: str, *, down: bool) -> None:
        """Move a player's button."""
        self.buttons.edge(name, down=down, at_ns=self.now_ns)

    def push(self, *, down: bool) -> None:
        """Move OK."""
        self.control.push(down=down, at_ns=self.now_ns)

    def turn(self, steps: int) -> None:
        """One step of the arrows."""
        self.control.turn(steps, at_ns=self.now_ns, knob=False)

    def do(self, line: str) -> "Rig":
        """Do what a line says; its words stand at the top of this file."""
        for word in WORD.findall(line):
            if found := re.fullmatch(r"(\w*)\[(.*)\]", word):
                getattr(self, found[1] or "choose")(found[2])
            elif found := re.fullmatch(r"(\d+)(s|min|h|)", word):
                self.after(int(found[1]) * UNITS[found[2]])
            elif word[0] in "+-":
                (self.down if word[0] == "+" else self.up)(*word[1:].split(","))
            elif word.startswith("turn"):
                self.arrow(int(word[4:]))
            elif found := re.fullmatch(r"(P\d)=(-?\d+)", word):
                self.number(found[1], int(found[2]))
            elif found := re.fullmatch(r"(P\d|ok)(!?)(?:\*(\d+))?", word):
                for _ in range(int(found[3] or 1)):
                    (self.hold if found[2] else self.tap)(found[1])
            else:
                getattr(self, word)()
        return self

    def game(self, text: str) -> "Rig":
        """Begin a game: its name, how many players, its options."""
        name, players, *options = text.split()
        values = dict(option.split("=") for option in options)
        known = {key: literal_eval(value) if value[0] in "TF0123456789" else value for key, value in values.items()}
        return self.begin(games.rules(name).title, *(f"P{n + 1}" for n in range(int(players))), **known)

    def sheet(self, text: str) -> "Rig":
        """Begin a game of a score sheet: its title, how many players."""
        title, _, players = text.rpartition(" ")
        self.choose("All games").after(0).choose(title).after(0)
        for n in range(int(players)):
            self.tap(f"P{n + 1}")
        return self.ok().choose("START")

    def choose(self, row: str) -> "Rig":
        """OK at the row of a list that begins with this."""
        found = [n for n, text in enumerate(self.rows) if text.startswith(row)]
        assert found, f"no row {row!r} in {self.rows}"
        return self.arrow(self.listing.at - found[0]).ok()

    def menu(self, row: str) -> "Rig":
        """OK at a row of the menu of a game."""
        return self.ok_hold().arrow(-1).choose(row)

    def undo(self) -> "Rig":
        """One step back, and out again."""
        return self.ok_hold().ok().ok_hold()

    def people(self, names: str) -> "Rig":
        """The kit knows these people."""
        for name in reversed(names.split()):
            self.app.table.people.add(name)
        return self.after(0)

    def lost(self, name: str) -> "Rig":
        """This player's button fails."""
        self.app.report(f"button {name}", f"button {name} lost: GPIO 13: the chip is gone")
        return self.after(10)

    def unplug(self, part: str) -> "Rig":
        """Pull the plug of the strip or the display; `replug` puts it in again."""
        getattr(self, part).unplug()
        return self

    def replug(self, part: str) -> "Rig":
        getattr(self, part).replug()
        return self

    def late(self, text: str) -> "Rig":
        """A press made so many ms ago is delivered now, and its release with it."""
        name, ago_ms = text.split()
        at_ns = self.now_ns - round(float(ago_ms) * MS)
        self.app.post(Edge(name, True, at_ns))
        self.app.post(Edge(name, False, at_ns + 40 * MS))
        return self.after(0)

    def stall(self, ms: str) -> "Rig":
        """The loop stands still meanwhile."""
        self.now_ns += int(ms) * MS
        return self

    def after(self, ms: float) -> "Rig":
        """Let time pass; what falls due on the way is done at its time."""
        end_ns = self.now_ns + round(ms * MS)
        self._until(end_ns)
        self.now_ns = end_ns
        self.app.step(self.now_ns)
        self._until(end_ns)  # messages that came meanwhile
        return self

    def _until(self, end_ns: int) -> None:
        while (due_ns := self.app.due_ns) is not None and due_ns <= end_ns:
            self.now_ns = max(self.now_ns, due_ns)
            self.app.tick(self.now_ns)

    def down(self, *names: str) -> "Rig":
        """Put hands on buttons; one may be OK."""
        return self.move(names, down=True)

    def up(self, *names: str) -> "Rig":
        """Take them off again."""
        return self.move(names, down=False)

    def move(self, names: tuple[str, ...], *, down: bool) -> "Rig":
        """Move hands, all at once."""
        for name in names:
            self.push(down=down) if name == "ok" else self.edge(name, down=down)
        self.app.step(self.now_ns)
        return self

    def tap(self, name: str, times: int = 1) -> "Rig":
        """Short presses, one after the other."""
        for _ in range(times):
            self.down(name).after(60).up(name).after(60)
        return self

    def button(self, name: str) -> str:
        """The label of the button that whoever plays calls by this name."""
        return name

    def number(self, name: str, number: int) -> "Rig":
        """A number, by a hold or with the fewest presses and steps of the control; few steps are pressed."""
        seat = self.playing.seating.seat(self.button(name))
        assert seat is not None
        offer = self.playing.question.count[seat]
        if self.playing.entered.none_counted:
            self.tap(name)
        if number == home(offer):
            return self.hold(name)
        after = [within(offer, moved(offer, None, pressed(offer)))]
        while after[-1] < number:
            after.append(within(offer, moved(offer, after[-1], pressed(offer))))
        costs = [(taps + abs(number - value) // offer.step, -taps) for taps, value in enumerate(after, 1)]
        taps = -min(costs)[1] if long(offer) or len(after) <= FEW else 1
        return self.tap(name, taps).arrow((number - after[taps - 1]) // offer.step)

    def hold(self, name: str) -> "Rig":
        """One long press."""
        return self.down(name).after(700).up(name).after(60)

    def ok(self, times: int = 1) -> "Rig":
        """Short pushes of OK."""
        return self.tap("ok", times)

    def ok_hold(self) -> "Rig":
        """A long push of OK."""
        return self.hold("ok")

    def arrow(self, steps: int) -> "Rig":
        """▲ so many times; negative: ▼."""
        for _ in range(abs(steps)):
            self.turn(1 if steps > 0 else -1)
            self.app.step(self.now_ns)
        return self

    def yes(self) -> "Rig":
        """Say yes to a question: by OK, or by ▲ where that is fitted."""
        return self.ok() if self.kit.control.knob else self.arrow(1)

    def no(self) -> "Rig":
        """Say no: by a step and OK, or by ▼."""
        chosen = self.arrow(-1)
        return chosen.ok() if self.kit.control.knob else chosen

    def begin(self, game: str, *players: str, **options: object) -> "Rig":
        """From the menu into a game; options are set on the screen, one step at a time."""
        for _ in range(30):
            if game == self.row():
                break
            self.arrow(-1)
        self.ok()
        for name in players:
            self.tap(name)
        self.ok()
        mode = self.app.table.top
        assert isinstance(mode, Options)
        self.joined()
        for name, value in options.items():
            names = list(type(mode.options).__dataclass_fields__)
            down = names.index(name) + len(mode.rows()) - len(names)
            self.arrow(-down).ok()
            if isinstance(editor := self.app.table.top, Amounts):
                self.fill(editor, str(value)).ok_hold().arrow(down)
                continue
            for steps in (-1, 1):
                for _ in range(1000):
                    before = getattr(mode.options, name)
                    if before == value:
                        break
                    self.arrow(steps)
                    if getattr(mode.options, name) == before:
                        break
            assert getattr(mode.options, name) == value, f"{name} cannot be set to {value}"
            self.ok().arrow(down)
        return self.ok()

    def joined(self) -> None:
        """All who play have joined, and the options are shown: whoever says more of them does so here."""

    def fill(self, editor: Amounts, text: str) -> "Rig":
        """Set every amount of a table: first down, as an entry holds only so much, then up."""
        wanted = editor.form.counts(text)
        assert wanted is not None
        amounts = [many for entry in wanted for many in entry]
        for up in (False, True):
            for many in amounts:
                self.arrow(-1)
                steps = many - int(self.row().split(": ")[1])
                if steps and (steps > 0) is up:
                    self.ok().arrow(steps).ok()
            self.arrow(len(amounts))
        return self

    @property
    def listing(self) -> Listing:
        """The list on the display."""
        found = self.app.table.top
        assert isinstance(found, Listing)
        return found

    @property
    def rows(self) -> list[str]:
        """The list that is shown, also what is beyond the display."""
        return [longest(text) for text, _ in self.listing.rows()]

    def row(self) -> str:
        """The row of a list that the control stands at."""
        return self.rows[self.listing.at]

    @property
    def picture(self) -> Image.Image:
        """What stands on the display, decoded from the bytes that the chip was sent."""
        return self.display.picture()

    def reads(self) -> str:
        """The text on the display."""
        return reading.text(self.picture)

    @property
    def pieces(self) -> set[str]:
        """The same, piece by piece."""
        return set(self.reads().split(" | "))

    @property
    def pixels(self) -> Pixels:
        """The strip."""
        assert self.strip is not None
        return self.strip.pixels

    @property
    def lit(self) -> frozenset[str]:
        """The lamps that are on."""
        return self.lamps.lit

    @property
    def playing(self) -> Playing:
        """The game on the table."""
        found = self.app.table.game
        assert found is not None
        return found

    def at(self, path: str) -> Any:
        """A value by where it stands: "board.highlight.tie", "scores.0"."""
        value: Any = self
        for part in path.split("."):
            if isinstance(value, Mapping):
                value = value[part]
            else:
                value = value[int(part)] if part.lstrip("-").isdigit() else getattr(value, part)
        return value

    @property
    def top(self) -> str:
        """What is on top, by the name of its class."""
        return type(self.app.table.top).__name__

    @property
    def state(self) -> Any:
        """The game's own state; the question under way is `state.ask`."""
        return self.playing.play.state

    @property
    def board(self) -> Board:
        """The game as everybody may see it."""
        return self.playing.committed.board

    @property
    def asks(self) -> str:
        """The question under way, by the name of its class."""
        return type(self.state.ask).__name__

    @property
    def entered(self) -> dict[int | None, object]:
        """The numbers of the question under way that were entered so far, by seat."""
        return dict(self.playing.entry.values)

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals by seat."""
        return self.playing.play.scores

    def close(self) -> None:
        """Switch the kit off, properly. What it was when the plug was pulled writes nothing any more."""
        self.app.close()
        for app in self._pulled:
            app.journal._forget()  # noqa: SLF001
        resource_leaks.let_go(self)


def flash(rig: Rig, *names: str) -> Rig:
    """Hands on, flash, hands off."""
    names = names or THREE
    return rig.down(*names).after(3100).up(*names).after(2000)


class NamedRig(Rig):
    """A table at which these people sit down in every game; the last seat is a guest's."""

    def __init__(self, folder: Path, people: tuple[str, ...]) -> None:
        super().__init__(folder)
        self._people = [self.app.table.people.add(name) for name in people]

    def begin(self, game: str, *players: str, **options: object) -> Rig:
        super().begin(game, *players, **options)
        if self._people:
            self.playing.sit(dict(enumerate(self._people[: max(1, len(players) - 1)])))
        return self.after(0)
