"""Random races by the road of a real button: contacts, kernel, pin factory, debounce, loop, referee.

All but the first two are the product's own. Buttons bounce, are brushed and spark; threads are late, and queues short.

A race is planned as the times at which contacts move. What they mean is told by `truth`, by the rule of decision 0005
alone, in a few lines: it knows the moves, not the edges. A race that this rule leaves open is drawn again.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing as closed_after
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple, ParamSpec

from engine import play as plays
from engine.rules import Press
from tests.simulators.contact import LATEST_NS, MS, US, between, closing
from tests.simulators.fairness import BAND_NS, hand_ns
from tests.simulators.faulty_disk import MEMORY
from tests.simulators.real_buttons import BRUSH_US, BRUSHED, NEVER_NS, STALLED_MS, Fault, Machine, RealRig
from tests.simulators.undoing import SIX

P = ParamSpec("P")

BEGINS_NS = 300 * MS  # so long all lines are quiet before a race
ENDS_NS = 700 * MS  # and so long is waited for its verdicts
BRUSHED_MS, HELD_MS = (80, 250), (60, 200)  # so long before its press a button is brushed; hands stay down
PRESSED_MS = (30, 250)  # so long a contact is closed: of a shorter tap too little may be known
SLAPS_NS = 1500 * MS
NAMES = tuple(player.name for player in SIX.players)

# the rule of decision 0005
CLOSED_NS, TOUCH_NS, LOCK_NS = 2 * MS, 50 * MS, 30 * MS
UNSURE_NS = 300 * US  # closer than this to one of its limits a race is drawn again
RECENT_NS = 25 * MS  # an edge may have replaced the stamp of one so much earlier

# the games: the fewest and the most players, what is done up to the race, and up to the next once it is undone
GAMES = {
    "kitty_paw": (2, 4, "game[kitty_paw {n}] +{names} 3100 -{names} 5000", ""),
    "pack_and_stack": (2, 6, "game[pack_and_stack {n}] P1 ok 4000", "600 ok 4000"),
    "Quiz buzzer": (2, 6, "sheet[Quiz buzzer {n}] 1000", ""),
}


class Kind(NamedTuple):
    """How buttons and machine are in a race."""

    machine: Machine = Machine()
    trains: float = 0.1  # the part of the buttons that spark in trains
    loose: float = 0.0  # the part that chatter


KINDS = {
    "usual": Kind(),
    "slow threads of the kernel": Kind(Machine(thread_us=100)),
    "threads kept waiting, trains of sparks": Kind(Machine(held_up=0.02), trains=0.5),
    "a busy program, too": Kind(Machine(held_up=0.02, late=0.2), trains=0.5),
    "short queues, a busy program": Kind(Machine(queue=4, late=0.5), loose=0.6),
    "short queues, threads kept waiting": Kind(Machine(queue=4, held_up=0.02, late=0.3), loose=0.6),
    "a program that stands still": Kind(Machine(held_up=0.2, late=0.1, stalls_ms=200), trains=0.3),
    "short queues, it stands still": Kind(Machine(queue=64, held_up=0.02, late=0.1, stalls_ms=120), loose=0.3),
}


class Unclear(Exception):
    """The rule leaves a race open."""


def truth(moves: Sequence[int]) -> int | None:
    """When a contact was pressed for the first time: its first touch. None: never. Raises `Unclear`.

    `moves`: when it closed and opened, in turn; it is open at first.
    """
    touch_ns = closed_ns = 0
    for n, (begin, end) in enumerate(zip(moves[::2], [*moves[1::2], NEVER_NS], strict=False)):
        if n and abs(begin - touch_ns - TOUCH_NS) < UNSURE_NS:
            raise Unclear
        if not n or begin > touch_ns + TOUCH_NS:
            if abs(closed_ns - CLOSED_NS) < UNSURE_NS:
                raise Unclear
            touch_ns, closed_ns = begin, 0
        closed_ns += end - begin
        if closed_ns >= CLOSED_NS:
            before_ns = max([move for move in moves if move < touch_ns], default=-NEVER_NS)
            beyond = begin > touch_ns and begin + RECENT_NS > touch_ns + TOUCH_NS  # where its stamp is replaced
            if closed_ns - CLOSED_NS < UNSURE_NS or beyond or before_ns > begin - TOUCH_NS - RECENT_NS:
                raise Unclear
            return touch_ns
    if closed_ns and abs(closed_ns - CLOSED_NS) < UNSURE_NS:
        raise Unclear
    return None


def _comes_again(moves: Sequence[int], after_ns: int, at_ns: int) -> bool:
    """Whether a contact closes at this stamp, later than the press made at `after_ns`, and has been open before."""
    opened = zip(moves[1::2], moves[2::2], strict=False)
    return any(since > after_ns and end - since >= LOCK_NS and 0 <= at_ns - end <= LATEST_NS for since, end in opened)


def _closed(moves: Sequence[int], begin_ns: int, end_ns: int) -> int:
    """How long a contact is closed between two times."""
    pieces = zip(moves[::2], [*moves[1::2], NEVER_NS], strict=False)
    return sum(max(0, min(end, end_ns) - max(begin, begin_ns)) for begin, end in pieces)


class Plan(NamedTuple):
    """A race: by seat the moves of its contact, and when it was truly pressed."""

    moves: tuple[tuple[int, ...], ...]
    pressed: tuple[int | None, ...]


def planned(moves: tuple[tuple[int, ...], ...]) -> Plan:
    """The race in which contacts move so. Raises `Unclear`, also of a tap: too little of it may be known."""
    plan = Plan(moves, tuple(truth(each) for each in moves))
    for each, touch_ns in zip(*plan, strict=True):
        if touch_ns is not None and _closed(each, touch_ns, touch_ns + TOUCH_NS) < PRESSED_MS[0] * MS:
            raise Unclear
    return plan


def drawn(dice: Random, players: int, kind: Kind, zero_ns: int) -> Plan:
    """A race for so many players. Raises `Unclear`."""
    spread_ms = dice.choice((0.3, 3, 30, 200))
    absent = dice.choice((None, None, None, *range(players)))
    moves = tuple(
        tuple(_line(dice, zero_ns + int(dice.expovariate(1 / spread_ms) * MS), kind, presses=seat != absent))
        for seat in range(players)
    )
    return planned(moves)


def as_people_press(dice: Random, players: int, kind: Kind, zero_ns: int) -> Plan:
    """A round of `fairness`: hands come down after a signal, some brush their button before. Raises `Unclear`."""
    hands = [zero_ns + hand_ns(dice) for _ in range(players)]
    moves = list[tuple[int, ...]]()
    for at_ns in hands:
        touch_ns, release_ns = at_ns - between(dice, BRUSHED_MS, MS), max(hands) + between(dice, HELD_MS, MS)
        brush = [touch_ns, touch_ns + between(dice, BRUSH_US)] if dice.random() < BRUSHED else []
        moves.append((*brush, *closing(dice, at_ns), *closing(dice, release_ns)))
    return planned(tuple(moves))


def _line(dice: Random, at_ns: int, kind: Kind, *, presses: bool) -> list[int]:
    """The moves of one contact."""
    closed = list[tuple[int, int]]()

    def add(moves: Sequence[int]) -> None:
        closed.extend(zip(moves[::2], moves[1::2], strict=True))

    if presses:
        down = closing(dice, at_ns, touched=dice.random() < 0.2)
        release_ns = down[-1] + between(dice, PRESSED_MS, MS)
        add([*down, *closing(dice, release_ns)])
        if dice.random() < 0.15:
            again_ns = release_ns + int(dice.uniform(60, 200) * MS)
            add([*closing(dice, again_ns), *closing(dice, again_ns + 80 * MS)])
    if dice.random() < 0.3:  # a brush
        begin = at_ns + int(dice.uniform(-100, 200) * MS)
        add([begin, begin + between(dice, BRUSH_US)])
    if dice.random() < 0.2:  # a spark
        begin = at_ns + int(dice.uniform(-200, 200) * MS)
        add([begin, begin + between(dice, (5, 500))])
    if dice.random() < kind.trains:  # a train of them, closed for less than 1 ms in all
        begin, many = at_ns + int(dice.uniform(-100, 100) * MS), dice.randint(3, 10)
        for _ in range(many):
            add([begin, begin + int(dice.uniform(0.005, 0.9 / many) * MS)])
            begin += int(dice.uniform(0.3, 12) * MS)
    if dice.random() < kind.loose:
        begin = at_ns + int(dice.uniform(-20, 20) * MS)
        for _ in range(dice.randint(30, 150)):
            add([begin, begin + 5 * US])
            begin += between(dice, (60, 200))
    return _merged(closed)


def _merged(closed: list[tuple[int, int]]) -> list[int]:
    """The moves of a contact that is closed in these times, some of which may meet."""
    moves = list[int]()
    for begin, end in sorted(closed):
        if moves and begin <= moves[-1]:
            moves[-1] = max(moves[-1], end)
        else:
            moves += [begin, end]
    return moves


def play(rig: RealRig, plan: Plan) -> Counter[str]:
    """One race at a table that waits for it, and what came of it. Raises `Fault`. It is then undone."""
    for name, moves in zip(NAMES, plan.moves, strict=False):
        rig.contact(name, *moves)
    last_ns = max((each[-1] for each in plan.moves if each), default=rig.now_ns)
    rig.reported.clear()
    rig.lines.stalls_ms = rig.machine.stalls_ms
    if presses := [at_ns for at_ns in plan.pressed if at_ns is not None and rig.machine.stalls_ms]:
        begin_ns = rig.dice.choice(presses) + between(rig.dice, (0, 25), MS)  # the others come while it is judged
        rig.lines.stand_still(begin_ns, begin_ns + between(rig.dice, (STALLED_MS, rig.machine.stalls_ms), MS))
    rig.after((max(last_ns, rig.now_ns) + ENDS_NS - rig.now_ns) / MS)
    rig.lines.stalls_ms = 0
    rig.after(rig.machine.stalls_ms)  # what was on its way
    return judged(rig, plan)


def again(rig: RealRig, game: str) -> None:
    """Undo a race, also one that still waits for somebody, and let another begin."""
    while (race := rig.playing.play.board.race) is not None and (race.judged or race.presses):
        rig.playing.take(plays.undo(rig.playing.play, rig.now_ns))
    rig.app.step(rig.now_ns)
    rig.do(GAMES[game][3])


def judged(rig: RealRig, plan: Plan) -> Counter[str]:
    """What the kit made of a race, held against the truth."""
    play = rig.playing.play
    board = play.board.race
    assert board is not None
    found = Counter[str]()
    true = {seat: at_ns for seat, at_ns in enumerate(plan.pressed) if at_ns is not None}
    known = {press.seat: press for press in (*plays.came_late(play), *board.presses)}
    # while it stands still a press and its release may both be among the edges that a full queue has dropped
    told = {seat for seat in true if rig.machine.stalls_ms and f"edges of button {NAMES[seat]}" in rig.reported}
    for seat, press in known.items():
        if seat in told and _comes_again(plan.moves[seat], true[seat], press.at_ns):
            true[seat] = press.at_ns
            found["lost and told"] += 1
        if seat not in true or press.at_ns < true[seat]:
            raise Fault(f"seat {seat}: a press that nobody made, at {press.at_ns}; true is {true.get(seat)}")
        if press.at_ns - press.early_ns - LATEST_NS > true[seat]:
            raise Fault(f"seat {seat}: pressed at {true[seat]}, and stamped {press.at_ns - true[seat]} ns later")
    slaps_ns = min(true.values(), default=0) + SLAPS_NS  # a press made later may belong to no race
    lost = {seat for seat, at_ns in true.items() if at_ns < slaps_ns} - known.keys()
    true = {seat: at_ns for seat, at_ns in true.items() if seat not in lost & told}
    found["lost and told"] += len(lost & told)
    if lost - told:
        raise Fault(f"seats {sorted(lost - told)}: presses are lost")
    if not board.judged:
        return found + Counter(open=1)
    found["judged"] += 1
    counted = {press.seat: press for press in board.presses}
    for end, named, order in (("first", board.in_front, 1), ("last", board.at_end, -1)):
        if not named or (end == "last" and board.only_first):
            continue
        found[end] += 1
        times = {seat: order * true.get(seat, NEVER_NS) for seat in board.seats}
        right = min(times, key=times.__getitem__)
        if right not in named and min(times[seat] for seat in named) - times[right] >= BAND_NS:
            raise Fault(f"{end} is {named}; truly {right}: {sorted(true.items(), key=lambda one: one[1])}")
        if len(named) > 1:
            presses = [counted[seat] for seat in named if seat in counted]
            found[f"{end} level: {_cause(presses, rig.machine.standing.early_ns)}"] += 1
    return found


def _cause(presses: Sequence[Press], early_ns: int) -> str:
    """Why several are named. `early_ns`: of a press whose stamp was replaced."""
    if any(press.early_ns > early_ns for press in presses):
        return "edges lost"
    times = sorted(press.at_ns for press in presses)
    if any(later - earlier >= BAND_NS for earlier, later in pairwise(times)):
        return "stamp replaced"
    return "band"


def at_race(folder: Path, dice: Random, kind: Kind, game: str, players: int | None = None) -> RealRig:
    """A table whose race has begun, of so many or of any number of players."""
    fewest, most, line, _ = GAMES[game]
    players = dice.randint(fewest, most) if players is None else players
    rig = RealRig(folder, dice, kind.machine, SIX, drawn=False)
    rig.do(line.format(n=players, names=",".join(NAMES[:players])))
    return rig


def races(
    seed: int,
    kind: Kind,
    game: str,
    many: int,
    players: int | None = None,
    draw: Callable[[Random, int, Kind, int], Plan] = drawn,
) -> Counter[str]:
    """So many races of one table, one after the other. Raises `Fault`."""
    dice, found = Random(f"{seed}:{kind}:{game}"), Counter[str]()
    with (
        TemporaryDirectory(dir=MEMORY) as folder,
        closed_after(at_race(Path(folder), dice, kind, game, players)) as rig,
    ):
        players = len(rig.playing.play.players)
        for n in range(many):
            while True:
                try:
                    plan = draw(dice, players, kind, rig.now_ns + BEGINS_NS)
                    break
                except Unclear:
                    found["drawn again"] += 1
            try:
                found += play(rig, plan)
                again(rig, game)
            except Fault as fault:
                raise Fault(f"{game}, {kind}, seed {seed}, race {n}: {fault}") from None
    return found + Counter(races=many)


def or_fault(played: Callable[P, Counter[str]], *args: P.args, **named: P.kwargs) -> Counter[str] | str:
    """What came of races, or what must not happen."""
    try:
        return played(*args, **named)
    except Fault as fault:
        return str(fault)
