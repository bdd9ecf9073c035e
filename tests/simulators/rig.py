"""The whole kit on emulated twins and a virtual clock: press, let time pass, look at the screen. Nothing sleeps."""

from pathlib import Path

from PIL import Image

from firmware.certificate import UNMEASURED, Standing
from firmware.screens.canvas import longest
from firmware.table.amounts import Amounts
from firmware.table.app import App
from firmware.table.listing import Listing
from firmware.table.menus import Options
from firmware.table.playing import Playing
from hardware.buttons.emulated import EmulatedButtons
from hardware.buzzer import Tune
from hardware.buzzer.emulated import EmulatedBuzzer
from hardware.config import TABLE, KitConfig
from hardware.control.emulated import EmulatedControl
from hardware.display.emulated import EmulatedDisplay
from hardware.kit import Kit, open_emulated
from hardware.lamps.emulated import EmulatedLamps
from hardware.strip import Pixels
from hardware.strip.emulated import EmulatedStrip
from tests.simulators import reading

MS = 1_000_000
S = 1_000 * MS
THREE = ("P1", "P2", "P3")


class Rig:
    """A table with nobody at it. Times are in ms of the virtual clock."""

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
        self._early: list[tuple[str, str | None]] = []
        self.kit = self.open(config)
        self.app = App(
            self.kit, state, now_ns=self.now_ns, boot=boot, threaded=threaded, seed=lambda: seed, standing=standing
        )
        for name, text in self._early:
            self.app.report(name, text)
        self.app.step(self.now_ns)

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
        if hasattr(self, "app"):
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

    # --- what people do ----------------------------------------------------------------------------------------------

    def after(self, ms: float) -> "Rig":
        """Let time pass; what falls due on the way is done at its time."""
        end_ns = self.now_ns + round(ms * MS)
        while (due_ns := self.app.due_ns) is not None and due_ns <= end_ns:
            self.now_ns = max(self.now_ns, due_ns)
            self.app.step(self.now_ns)
        self.now_ns = end_ns
        self.app.step(self.now_ns)
        return self

    def down(self, *names: str) -> "Rig":
        """Put hands on buttons, all at once."""
        for name in names:
            self.edge(name, down=True)
        self.app.step(self.now_ns)
        return self

    def up(self, *names: str) -> "Rig":
        """Take them off again."""
        for name in names:
            self.edge(name, down=False)
        self.app.step(self.now_ns)
        return self

    def tap(self, name: str, times: int = 1) -> "Rig":
        """Short presses, one after the other."""
        for _ in range(times):
            self.down(name).after(60).up(name).after(60)
        return self

    def hold(self, name: str) -> "Rig":
        """One long press."""
        return self.down(name).after(700).up(name).after(60)

    def ok(self, times: int = 1) -> "Rig":
        """Short pushes of OK."""
        for _ in range(times):
            for down in (True, False):
                self.push(down=down)
                self.app.step(self.now_ns)
                self.after(60)
        return self

    def ok_hold(self) -> "Rig":
        """A long push of OK."""
        self.push(down=True)
        self.app.step(self.now_ns)
        self.after(700)
        self.push(down=False)
        self.app.step(self.now_ns)
        return self.after(60)

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
        for name, value in options.items():
            names = list(type(mode.options).__dataclass_fields__)
            self.arrow(-(names.index(name) + 1)).ok()
            if isinstance(editor := self.app.table.top, Amounts):
                self.fill(editor, str(value)).ok_hold().arrow(names.index(name) + 1)
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
            self.ok().arrow(names.index(name) + 1)
        return self.ok()

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

    def row(self) -> str:
        """The row of a list that the control stands at."""
        return longest(self.listing.rows()[self.listing.at][0])

    @property
    def listing(self) -> Listing:
        """The list on the display."""
        found = self.app.table.top
        assert isinstance(found, Listing)
        return found

    # --- what people see and hear ------------------------------------------------------------------------------------

    @property
    def picture(self) -> Image.Image:
        """What stands on the glass, decoded from the bytes that the chip was sent."""
        return self.display.picture()

    def reads(self) -> str:
        """The text on the glass."""
        return reading.text(self.picture)

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

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals by seat."""
        return self.playing.play.scores

    def close(self) -> None:
        """Switch the kit off, properly."""
        self.app.close()


def flash(rig: Rig, *names: str) -> Rig:
    """Hands on, flash, hands off."""
    names = names or THREE
    return rig.down(*names).after(3100).up(*names).after(2000)
