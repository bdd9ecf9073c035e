"""Presses that nobody hears: the program is killed, restarted, hangs or loses power, and people press meanwhile.

They play on a whole kit. Every press of a hand is written down here, heard or not, and so is when people have seen a
race begin: at its signal, or by an OK. Whoever the kit then names the first or the last by itself must be that one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from engine import games
from engine.play import Fact
from engine.racing import TakenBack
from engine.rules import GO, Seat
from firmware.journal.phones import Answered
from firmware.table.back_menu import More
from firmware.table.menus import Resume
from firmware.table.playing import Playing, begin
from tests.simulators.every_game import rules_of
from tests.simulators.people import People
from tests.simulators.players import in_order_of_play, named, random_options
from tests.simulators.real_buttons import Machine, RealRig
from tests.simulators.rig import MS
from tests.simulators.undoing import SIX

KINDS = ("kill", "restart", "hang", "boot")  # an update is a restart
GAPS_MS = (300, 2_800, 12_000)  # so long nobody listens
HOT, COLD = 0.1, 0.03  # how often a run ends after an act in a race, and elsewhere
STAYS = 0.5  # how often a hand stays on its button meanwhile
VOID = 0.3  # how often a grab is called void then
LEVEL_NS = 60 * MS  # closer presses are nobody's mistake
SLAPS_MS = 1_600  # so long after a verdict presses belong to that race
MAX_ACTS = 150
SHEETS = ("quiz_buzzer", "halli_galli", "jungle_speed", "spoons", "reaction_duel", "ghost_blitz", "set", "dutch_blitz")


class Truth(RealRig):
    """A kit whose buttons are watched by somebody else, with a clock that no power cut stops."""

    def __init__(self, folder: Path, dice: Random) -> None:
        self.ahead_ns = 0  # by so much the true clock shows more
        self.presses: list[tuple[str, int]] = []
        super().__init__(folder, dice, Machine(), SIX)

    @property
    def true_ns(self) -> int:
        return self.now_ns + self.ahead_ns


class Missed(People):
    """People who press whether or not anybody listens; each verdict is checked."""

    def __init__(self, rig: Truth, dice: Random) -> None:
        super().__init__(rig, dice)
        self.truth, self.found = rig, Counter[str]()
        self.open, self.began_ns = False, 0  # whether people see a race, and since when
        self.judged_ns = 0  # when there was a verdict
        self.watch()

    def move(self, name: str, *, down: bool) -> None:
        if down:
            self.truth.presses.append((name, self.truth.true_ns))
        super().move(name, down=down)

    def watch(self) -> None:
        """Look at what the program writes from now on."""
        table = self.rig.app.table
        wrote = table.wrote

        def watched(game: int, facts: tuple[Fact, ...], sent: Iterable[Answered] = ()) -> int:
            ticket = wrote(game, facts, sent)
            self.check(facts)
            return ticket

        table.wrote = watched  # type: ignore[method-assign]

    def look(self) -> None:
        """See whether a race is on; one that people have seen all along has not begun anew."""
        game, top = self.rig.app.table.game, self.rig.app.table.top
        offers = () if game is None or isinstance(top, Resume) else game.play.offers
        racing = any(o.race and o.seat is not None for o in offers) and not any(o.verb == GO for o in offers)
        if racing and not self.open:
            self.began_ns = self.truth.true_ns
        self.open = racing

    # --- verdicts ----------------------------------------------------------------------------------------------------

    def check(self, facts: tuple[Fact, ...]) -> None:
        """Whoever is named by the kit itself is the first, or the last; and what becomes of the race."""
        events = {type(fact.event).__name__: fact.event for fact in facts}
        closed = {"AnswersClosed", "RaceClosed"} & events.keys()
        if "Called" in events and len(events["Called"].seats) == 1:
            self.check_first(events["Called"].seats[0])
        if closed and "FrontNamed" in events and len(events["FrontNamed"].seats) == 1:
            self.check_first(events["FrontNamed"].seats[0])
        if closed and "LastNamed" in events and len(events["LastNamed"].seats) == 1:
            self.check_last(events["LastNamed"].seats[0])
        if closed and "Placed" in events and not events["FrontNamed"].closed and self.names_last():
            places = events["Placed"].places
            last = [seat for seat, place in enumerate(places) if place == max(places)]
            if len(last) == 1:
                self.check_last(last[0])
        for event in events.values():
            if isinstance(event, TakenBack) or type(event).__name__ == "Reopened":
                self.found["taken back"] += 1
                self.taken_back(event.seat)
        if closed:
            self.open, self.judged_ns = False, self.truth.true_ns  # the next one may be open at once

    def names_last(self) -> bool:
        """Whether the race of this sheet has a last."""
        return self.rig.playing.play.board.race is not None and not self.rig.playing.play.board.race.only_first

    def taken_back(self, seat: Seat) -> None:
        """This press was none; where nobody's is left, all press again."""
        run = self.rig.playing.play.board.race
        if run is not None and not run.presses:
            self.open = False
            return
        name = self.rig.playing.seating.button(seat)
        self.truth.presses = [one for one in self.truth.presses if one[0] != name or one[1] < self.began_ns]
        self.open = True  # the same race

    def first_of_each(self) -> dict[Seat, int]:
        """By seat that runs when it has pressed first, since people have seen the race begin."""
        game = self.rig.playing
        run, found = game.play.board.race, dict[Seat, int]()
        assert run is not None
        for name, at_ns in self.truth.presses:
            if at_ns >= self.began_ns and (seat := game.seating.seat(name)) in run.seats:
                found[seat] = min(found.get(seat, at_ns), at_ns)
        return found

    def check_first(self, first: Seat) -> None:
        self.found["first"] += 1
        pressed = self.first_of_each()
        assert first in pressed, f"seat {first} is the first and has not pressed: {pressed}"
        sooner = [seat for seat, at_ns in pressed.items() if at_ns < pressed[first] - LEVEL_NS]
        assert not sooner, f"seat {first} is the first, but {sooner} pressed sooner: {pressed}"

    def check_last(self, last: Seat) -> None:
        self.found["last"] += 1
        run, pressed = self.rig.playing.play.board.race, self.first_of_each()
        assert run is not None
        missing = [seat for seat in run.seats if seat not in pressed and seat != last]
        assert not missing, f"seat {last} is the last, but {missing} have not pressed: {pressed}"
        later = [seat for seat, at_ns in pressed.items() if last in pressed and at_ns > pressed[last] + LEVEL_NS]
        assert not later, f"seat {last} is the last, but {later} pressed later: {pressed}"

    # --- what people do ----------------------------------------------------------------------------------------------

    def act(self) -> bool:
        self.look()
        hot, goes_on = self.open, super().act()
        self.look()
        if goes_on and self.dice.random() < (HOT if hot or self.open else COLD):
            self.cut()
        return goes_on

    def race(self, mode: Playing) -> None:
        """Somebody presses, and may see the run end before it is judged; or nobody else does."""
        dice, names = self.dice, self.names(mode, list(mode.question.press))
        self.wait(max(0, SLAPS_MS - (self.truth.true_ns - self.judged_ns) / MS))
        if not names or dice.random() < 0.15:
            self.rig.ok()
            return
        self.move(dice.choice(names), down=True)
        self.wait(dice.choice((5, 30, 120)))
        if dice.random() < HOT:
            self.cut()
        self.let_go()

    def cut(self) -> None:
        """The run ends, some press while nobody listens, and there is a new run."""
        rig, dice, kind = self.truth, self.dice, self.dice.choice(KINDS)
        gap_ns, heard_ns, true_ns = dice.choice(GAPS_MS) * MS, rig.now_ns, rig.true_ns
        game = rig.app.table.game
        names = list(rig.kit.config.names if game is None else game.seating.buttons)
        for name in sorted(self.held):  # some hands stay where they are
            if dice.random() < STAYS:
                names = [one for one in names if one != name]
            else:
                rig.edge(name, down=False)
                self.held.discard(name)
        for n, name in enumerate(dice.sample(names, dice.randint(0, len(names))), 1):
            pressed_ns = heard_ns + gap_ns * n // (len(names) + 1)
            self.found["unheard"] += 1
            rig.presses.append((name, pressed_ns + rig.ahead_ns))
            if kind == "hang":  # edges are read, and nobody takes them
                rig.contact(name, pressed_ns, pressed_ns + 20 * MS)
        if kind == "hang":
            rig.stall(str(gap_ns // MS))
        rig.now_ns = heard_ns + gap_ns
        self.found[f"{kind} in a race" if self.open else kind] += 1
        if kind == "restart":
            rig.restart()
        elif kind == "boot":
            rig.reboot(pulled=True)
            rig.ahead_ns = true_ns + gap_ns - rig.now_ns
        else:
            rig.cut_short(heard_ns)
        self.watch()
        if isinstance(rig.app.table.top, Resume):
            if names and dice.random() < 0.5:  # somebody has not looked
                self.press(dice.choice(names))
            self.open = False
            rig.ok()
        self.look()
        if dice.random() < VOID:
            self.void()

    def void(self) -> None:
        """A grab of the race before was void, where there was one."""
        rig = self.rig
        if not isinstance(rig.app.table.top, Playing):
            return
        self.more()
        if isinstance(rig.app.table.top, More):
            rows = [row for row in rig.rows if row.endswith("Wrong grab")]
            rig.choose(self.dice.choice(rows)) if rows else rig.ok_hold()
        self.look()


def checked_game(folder: Path, name: str, seed: int, acts: int = MAX_ACTS) -> Counter[str]:
    """A game, cut at random. Fails with the game, the seed and the options where somebody is named who was not."""
    rules, dice = rules_of(name), Random(f"{name} {seed}")
    options, (fewest, most) = random_options(rules, dice, programs=False), rules.seats
    players = dice.randint(max(2, fewest), min(most, len(SIX.names)))
    with named(rules, seed, players, options), closing(Truth(folder / f"{name.replace(':', ' ')} {seed}", dice)) as rig:
        begin(rig.app.table, rules, in_order_of_play(SIX.names, players, dice), options)
        people = Missed(rig, dice)
        for _ in range(acts):
            if not people.act():
                break
        return people.found


def names() -> tuple[str, ...]:
    """The games of the program, and sheets with races."""
    return (*games.names(), *(f"sheet:{sheet}" for sheet in SHEETS))


def cuts(found: Counter[str], where: str = "") -> int:
    """How often a run has ended, there."""
    return sum(many for kind, many in found.items() if kind.split()[0] in KINDS and where in kind)


def played(asked: Sequence[str], seeds: Iterable[int]) -> None:
    """Play these games, and print a table of them."""
    print(f"{'presses unheard':<22}{'runs':>8}{'in a race':>12}{'presses':>10}{'firsts':>8}{'lasts':>8}")
    seeds, whole = tuple(seeds), Counter[str]()
    for name in (*asked, "all"):
        found = Counter[str]()
        for seed in seeds if name != "all" else ():
            with TemporaryDirectory() as folder:
                found += checked_game(Path(folder), name, seed)
        whole, found = whole + found, whole if name == "all" else found
        row = found["unheard"], found["first"], found["last"]
        print(f"{name:<22}{cuts(found):>8}{cuts(found, 'race'):>12}{row[0]:>10}{row[1]:>8}{row[2]:>8}", flush=True)
