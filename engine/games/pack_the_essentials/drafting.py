"""Pack the Essentials: the setup, and twelve rounds from the choice of positions to the last draft turn."""

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from itertools import combinations

from msgspec.structs import replace

from engine.face import Face, Left, Said, Who
from engine.game import Answer, Onward, answers, known, of_kind
from engine.games.pack_the_essentials import laying
from engine.games.pack_the_essentials.counting import Packed
from engine.games.pack_the_essentials.laying import RatSpent
from engine.games.pack_the_essentials.state import (
    POSITIONS,
    Event,
    Events,
    Question,
    Round,
    State,
    bonuses,
    rats,
    tracked,
)
from engine.games.pack_the_essentials.suitcase import Suitcase
from engine.rules import TIME_UP, Offer, Seat, Value, against_clock, each_seat, put
from engine.stamps import Due, S
from engine.words import N_, N_many

ROUNDS = 12
WORDS = ("1", "2", "3", "4")  # positions and tiles as people choose them
MAX_GOAL = 300
USUAL_GOAL = 100
BLOCKS = tuple("+".join(some) for many in (1, 2, 3) for some in combinations(WORDS, many))  # S2: what a card may block

# --- what people are told ---------------------------------------------------------------------------------------------


def heading(state: State) -> tuple[Said, Said]:
    """The round, and who has the suitcase token."""
    now = state.round
    return N_("ROUND {number}/12", number=now.number), N_("suitcase {name}", name=Who((now.start,)))


def opens(state: State) -> bool:
    """Whether nobody has chosen yet in a round that is not the first: tiles are drawn, the suitcase token moves on."""
    return state.round.number > 1 and state.round.at.count(None) == len(POSITIONS)


def first_turn(state: State) -> int:
    """The first position with a player, who acts after the bonuses are taken."""
    return next(position for position, seat in zip(POSITIONS, state.round.at, strict=True) if seat is not None)


def held(state: State, seat: Seat) -> str:
    """The rats of a seat."""
    return N_("rats: {n}", n=rats(state, seat))


# --- setup ------------------------------------------------------------------------------------------------------------


class Packer(Question):
    """Who packed a bag last? (R3)"""

    phase = "setup"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return each_seat((None,) * state.players, "packed_last")

    @answers("packed_last", N_("Who packed last?"))
    def name(self, state: State, answer: Answer) -> Events:
        return (PackerNamed(answer.seat),)

    def face(self, state: State) -> Face:
        does = {"packed_last": N_("I packed last")}
        return Face(N_("SETUP"), N_("a rat each, 4 tiles"), press=N_("packed last? press"), does=does)  # R2, R4


class PackerNamed(Event):
    label = N_("packer named")
    seat: Seat

    def fold(self, state: State) -> State:
        return opened(state.in_round(start=self.seat))


class Goal(Question):
    """Solo: what goal is on the card? (S1)"""

    phase = "setup"
    subject = "rounds"
    offered = (Offer(None, "goal", 0, MAX_GOAL, prefill=USUAL_GOAL),)

    @answers("goal", N_("Goal on the card?"))
    def set(self, state: State, answer: Answer) -> Events:
        return (GoalSet(answer.number),)

    def face(self, state: State) -> Face:
        return Face(N_("SOLO"), N_("one solo card"))


class GoalSet(Event):
    label = N_("goal set")
    points: int

    def fold(self, state: State) -> State:
        return opened(replace(state, goal=self.points))


def opened(state: State) -> State:
    """The start player or the goal is known: on to the first round."""
    return state.asking(Prefilled() if state.suitcases else Order(state.round.start))


class Prefilled(Question):
    """Which squares of each suitcase are filled from the start?"""

    phase = "setup"

    def offers(self, state: State) -> tuple[Offer, ...]:
        out = each_seat(state.suitcases, "prefilled")
        return tuple([offer._replace(example=laying.some_prefilled(known(offer.seat))) for offer in out])

    @answers("prefilled", N_("Filled squares?"))
    def open(self, state: State, answer: Answer) -> Events:
        return (SuitcaseOpened(answer.seat, laying.prefilled(answer.value)),)


class SuitcaseOpened(Event):
    label = N_("suitcase opened")
    seat: Seat
    prefilled: tuple[tuple[int, int], ...]

    def fold(self, state: State) -> State:
        suitcases = put(state.suitcases, self.seat, Suitcase(self.prefilled))
        return replace(state, suitcases=suitcases, ask=Prefilled() if None in suitcases else Draw())


# --- a round: tiles are drawn, positions are chosen -------------------------------------------------------------------


class Draw(Question):
    """Which tiles lie in the spaces? (R4)"""

    phase = "tiles"
    subject = "rounds"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(None, "tiles", example=laying.some_tiles(state)),)

    @answers("tiles", N_("Tiles drawn?"))
    def draw(self, state: State, answer: Answer) -> Events:
        return (TilesDrawn(laying.drawn(state, answer.value)),)


class TilesDrawn(Event):
    label = N_("tiles drawn")
    tiles: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]  # by space: colour and squares, clothing side up

    def fold(self, state: State) -> State:
        state = replace(state, seen=laying.seen(state, self.tiles)).in_round(drawn=self.tiles)
        return state.asking(order_question(state.round, state.players))


def order_question(now: Round, players: int) -> Question:
    """Solo, a placement card comes first in even rounds (S2)."""
    return Block() if players == 1 and now.number % 2 == 0 else Order(now.start)


class Block(Question):
    """Solo: which positions does the placement card block? (S2)"""

    phase = "block"
    subject = "rounds"
    offered = (Offer(None, "block", options=BLOCKS),)

    @answers("block", N_("Which are blocked?"))
    def block(self, state: State, answer: Answer) -> Events:
        """The placement card; where it leaves one position, that is taken (S2)."""
        blocked = Blocked(tuple([int(position) for position in answer.word.split("+")]))
        state = blocked.fold(state)
        position, *others = free(state.round.at, state.round.blocked)
        return (blocked,) if others else (blocked, *order_chosen(state, 0, position, answer))

    def face(self, state: State) -> Face:
        return Face(right=N_("draw 4 tiles"), lines=(N_("flip a card"),))


class Blocked(Event):
    label = N_("positions blocked")
    positions: tuple[int, ...]

    def fold(self, state: State) -> State:
        return state.in_round(blocked=self.positions).asking(Order(0))


class Order(Question):
    """Which position does this seat choose? (R7)"""

    seat: Seat

    phase = "order"
    subject = "choosing"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return position_offers(self.seat, state.round.at, state.round.blocked)

    @answers("position", N_("Which position?"))
    def choose(self, state: State, answer: Answer) -> Events:
        return order_chosen(state, self.seat, int(answer.word), answer)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if isinstance(value, str):
            bonus = reduce(lambda a, b: N_("{a}+{b}", a=a, b=b), bonus_words(state, int(value)))
            return N_("{number} {bonus}", number=value, bonus=bonus)
        return super().label(state, offer, value)

    def face(self, state: State) -> Face:
        now, moved = state.round, opens(state)
        face = Face(lines=(N_("draw 4") if moved else N_("choose"), held(state, self.seat)))
        if not moved or state.players == 1:
            return face
        number, token = N_("ROUND {number}", number=now.number), N_("suitcase to {name}", name=Who((now.start,)))
        return face._replace(left=number, right=token)  # R21


@cache
def position_offers(seat: Seat, at: tuple[Seat | None, ...], blocked: tuple[int, ...]) -> tuple[Offer, ...]:
    """The free positions."""
    return (Offer(seat, "position", options=words(free(at, blocked))),)


def free(at: tuple[Seat | None, ...], blocked: tuple[int, ...]) -> tuple[int, ...]:
    """Positions that may be chosen."""
    return tuple([position for position in POSITIONS if at[position - 1] is None and position not in blocked])


@cache
def words(numbers: tuple[int, ...]) -> tuple[str, ...]:
    """Positions or tiles as options."""
    return tuple([WORDS[each - 1] for each in numbers])


def bonus_words(state: State, position: int) -> list[str]:
    """The bonus of a position, a word for each thing."""
    return state.options.bonus_table.split()[position - 1].split("+")


def order_chosen(state: State, seat: Seat, position: int, answer: Answer) -> Events:
    """A position is taken; a single free one is taken by itself. When all have chosen: bonuses, then position 1."""
    events: Events = (PositionTaken(seat, position),)
    at, players = put(state.round.at, position - 1, seat), state.players
    out = players - (4 - at.count(None))
    if out == 1 and len(left := free(at, state.round.blocked)) == 1:
        seat = (seat + 1) % players
        at, out = put(at, left[0] - 1, seat), 0
        events = (*events, PositionTaken(seat, left[0]))
    if out:
        return events
    gains, toys = [0] * players, [0] * players
    for bonus, who in zip(bonuses(state.options.bonus_table), at, strict=True):
        if who is not None:
            gains[who], toys[who] = bonus.rats, bonus.toys
    taken = BonusesTaken(tuple(gains), tuple(toys))  # R9, A4: before the draft
    return (*events, taken, *cat_ladies(state, at, 1, POSITIONS, answer))


class PositionTaken(Event):
    label = N_("position taken")
    seat: Seat
    position: int

    def fold(self, state: State) -> State:
        now, seat = state.round, self.seat
        now = replace(now, at=put(now.at, self.position - 1, seat))
        return replace(state, round=now, ask=Order((seat + 1) % state.players))


class BonusesTaken(Event):
    label = N_("bonuses taken")
    rats: tuple[int, ...]  # by seat
    toys: tuple[int, ...]

    def fold(self, state: State) -> State:
        left = tuple([a + b for a, b in zip(state.rats, self.rats, strict=True)])
        toys = tuple([a + b for a, b in zip(state.toys, self.toys, strict=True)])
        return replace(state, rats=left, toys=toys, ask=known(turn_question(state, 1)))


# --- the draft: positions act in order, a Cat Lady where no player stands ---------------------------------------------


def turn_question(state: State, position: int) -> "CatLady | Ready | Draft | None":
    """The turn of a position; None: the round is over."""
    if position > len(POSITIONS):
        return None
    if (seat := state.round.at[position - 1]) is None:
        return CatLady(position)
    return Ready(seat, position) if state.options.turn_timer_s else Draft(seat, position)


class CatLady(Onward[State]):
    """Which tile did the Cat Lady take? Where numbers are not asked for: is it gone, what is the next number? (R11)"""

    position: int

    phase = "cat_lady"
    subject = "places"

    def next_turn(self, state: State) -> "Ready | Draft | None":
        """The turn that comes once she, and any next to her, have acted; None: the round is over then."""
        then = turn_question(state, self.position + 1)
        return then.next_turn(state) if isinstance(then, CatLady) else then

    def own(self, state: State) -> tuple[Offer, ...]:
        """The tile that goes, or an OK where numbers are not asked for."""
        return (Offer(None, "to_box", options=words(state.round.tiles) if tracked(state) else ()),)

    def onward(self, state: State) -> Events:
        """She, and any next to her, have acted."""
        goes_on = not tracked(state) and self.next_turn(state) is not None
        return (CatLadyActed(self.position, None, None),) if goes_on else ()

    def following(self, state: State) -> tuple[Offer, ...]:
        """The draft of the player after them."""
        then = None if tracked(state) else self.next_turn(state)
        return () if then is None else then.offers(state)

    @answers("to_box", N_("Which to the box?"))
    def send_to_box(self, state: State, answer: Answer) -> Events:
        tile = chosen_tile(state, answer.value)
        return (CatLadyActed(self.position, None, tile), *after_turn(state, self.position, tile, answer))

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if offer.verb == "to_box" and value is None and not offer.options:
            return N_("Gone? Next number")
        return super().label(state, offer, value)

    def face(self, state: State) -> Face:
        flips = N_("{name} flips it", name=Who((state.round.start,)))  # R11
        if tracked(state):
            return Face(right=flips, lines=(N_("it takes"), N_("which?")))
        return Face(
            right=N_("take bonuses") if self.position < first_turn(state) else flips,
            big=N_("tile"),
            lines=(N_("to box,"), N_("else next")),
            press=self.next_press(state),
            ok=N_("OK: next"),
            does={"to_box": N_("It is gone: go on"), "take": N_("I took a tile"), "begin": N_("Start my turn")},
        )

    def next_press(self, state: State) -> Said:
        """The player after her may go on without an OK."""
        then = self.next_turn(state)
        if then is None:
            return ""
        who = Who((then.seat,))
        return N_("{name}: start", name=who) if isinstance(then, Ready) else N_("press: took")


class CatLadyActed(Event):
    label = N_("Cat Lady's turn")
    position: int
    bold: int | None  # drawn by the kit
    tile: int | None  # to the box; None where numbers are not asked for

    def fold(self, state: State) -> State:
        if self.bold is not None and self.tile is not None:
            state = state.in_round(ladies=(*state.round.ladies, (self.bold, self.tile)))
        return acted(state, self.position, self.tile)


class Ready(Question):
    """A draft turn against the clock waits for a press."""

    seat: Seat
    position: int

    phase = "ready"
    subject = "places"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(self.seat, "begin"),)

    @answers("begin", N_("Start your turn"))
    def begin(self, state: State, answer: Answer) -> Events:
        return (TurnStarted(answer.at_ns + state.options.turn_timer_s * S),)

    def face(self, state: State) -> Face:
        time = N_("{n} s", n=state.options.turn_timer_s)
        return Face(
            right=N_("take bonuses") if self.position == first_turn(state) else time,
            lines=(time, held(state, self.seat)),
            press=N_("{name}: start your turn", name=Who((self.seat,))),
            does={"begin": N_("Start my turn")},
        )


class TurnStarted(Event):
    label = N_("turn started")
    due_ns: Due

    def fold(self, state: State) -> State:
        ask = of_kind(Ready, state.ask)
        return state.asking(Draft(ask.seat, ask.position, self.due_ns))


class Draft(Question):
    """Which tile does this seat take? (R10)"""

    seat: Seat
    position: int
    due_ns: Due | None = None  # its time is up then
    discarding: bool = False  # R14: none fits, which one goes?

    phase = "draft"
    subject = "places"

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Take a tile, whose number is asked for where it is needed; spend a rat; or none fits. Or all of it as one."""
        now, seat, joins = state.round, self.seat, state.options.turn_timer_s > 0
        if not state.suitcases:
            numbers = now.tiles if self.numbered(state) else ()
            bonus = len(laying.bonus_tiles(state, self.position))
            out = turn_offers(seat, numbers, bonus, state.rats[seat], now.spent, self.discarding, joins)
        elif now.tiles:
            out = (Offer(seat, "lay", joins=joins, example=laying.some_turn(state, seat, self.position)),)
        else:  # between the last tile and the reset
            return ()
        return against_clock(out, TIME_UP, self.due_ns, joins=True)

    @answers("take", N_("Take a tile"))
    def take(self, state: State, answer: Answer) -> Events:
        tile = chosen_tile(state, answer.value)
        return (Taken(self.seat, tile), *after_turn(state, self.position, tile, answer))

    @answers("lay", N_("Tiles laid?"))
    def lay(self, state: State, answer: Answer) -> Events:
        tile, placed, events = laying.laid(state, self.seat, self.position, answer.value)
        gone = Taken(self.seat, tile) if placed else Discarded(self.seat, tile)
        return (*events, gone, *after_turn(state, self.position, tile, answer))

    @answers("rat", N_("Spend a rat"))
    def spend_rat(self, state: State, answer: Answer) -> Events:
        return (RatSpent(self.seat),)

    @answers("nothing_fits", N_("No tile fits"))
    def find_none(self, state: State, answer: Answer) -> Events:
        """R14: which one goes is asked where numbers count, or while a bonus tile may still be turned."""
        if self.numbered(state) or self.may_spend(state, discarding=True):
            return (NothingFits(self.seat),)
        return self.discard(state, answer)

    @answers("to_box", N_("Which to the box?"))
    def discard(self, state: State, answer: Answer) -> Events:
        tile = chosen_tile(state, answer.value)
        return (Discarded(self.seat, tile), *after_turn(state, self.position, tile, answer))

    @answers(TIME_UP, N_("Time is up"))
    def say_time_up(self, state: State, answer: Answer) -> Events:
        return (TimeUp(),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if value is None and offer.verb == "take" and offer.options:
            return N_("Which tile?")
        if value is None and offer.verb == "to_box" and not offer.options:
            return N_("Discarded one")
        return super().label(state, offer, value)

    def numbered(self, state: State) -> bool:
        """Whether the number of its tile is asked for."""
        return not state.suitcases and len(state.round.tiles) > 1 and tracked(state)

    def may_spend(self, state: State, discarding: bool) -> bool:
        """Whether one more rat may be spent in this turn."""
        bonus = len(laying.bonus_tiles(state, self.position))
        return rats_allowed(bonus, state.rats[self.seat], state.round.spent, discarding) > 0

    def face(self, state: State) -> Face:
        spent = state.round.spent
        cats, left = N_many("+{n} cat", "+{n} cats", spent) if spent else "", held(state, self.seat)
        if self.numbered(state):
            lines, press = (N_("to box?") if self.discarding else N_("taken?"), cats or left), ""
        else:
            lines = (cats or self.which(state), left)
            press = N_("press: done") if self.discarding else N_("press: took")
        spends = not state.suitcases and self.may_spend(state, self.discarding)
        hold = (N_("hold: use rat"), N_("hold: rat")) if spends else ""
        does = {"take": N_("I took a tile"), "to_box": N_("I discarded one")}
        return Face(right=self.hint(state), lines=lines, press=press, hold=hold, does=does)

    def hint(self, state: State) -> Said:
        """The time left, or what to mind; else who has the suitcase token."""
        if state.options.turn_timer_s:
            return N_("TIME!") if self.due_ns is None else Left(self.due_ns)
        if self.discarding:
            return N_("no tile fits")
        return N_("take bonuses") if self.position == first_turn(state) and not state.round.spent else ""

    def which(self, state: State) -> str:
        """Which of the tiles it takes."""
        tiles = len(state.round.tiles) if tracked(state) else len(POSITIONS) + 1 - self.position
        if self.discarding:
            return N_("discard")
        return N_("take it") if tiles == 1 else N_("take 1")


@cache
def turn_offers(
    seat: Seat, numbers: tuple[int, ...], bonus: int, have: int, spent: int, discarding: bool, joins: bool
) -> tuple[Offer, ...]:
    """The offers of a draft turn; they stand again and again, so each is made once."""
    out = [Offer(seat, "to_box" if discarding else "take", options=words(numbers), joins=joins)]
    if rats_allowed(bonus, have, spent, discarding) > 0:
        out.append(Offer(seat, "rat", joins=joins, hold=True))  # R15
    box = not spent or rats_allowed(bonus, have, spent, True) >= 0  # every rat turns a tile
    if box and not discarding:
        out.append(Offer(seat, "nothing_fits", joins=joins, menu=True))  # R14
    return tuple(out)


def rats_allowed(bonus: int, have: int, spent: int, discarding: bool) -> int:
    """How many more rats may be spent in this turn: one for each tile that is placed, bonus tiles too (R15)."""
    return min(have, min(bonus + (not discarding), laying.MAX_RATS_A_TURN) - spent)


class TimeUp(Event):
    """A reminder: the turn goes on."""

    label = N_("time up")

    def fold(self, state: State) -> State:
        return state.asking(replace(of_kind(Draft, state.ask), due_ns=None))


class NothingFits(Event):
    label = N_("nothing fits")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(replace(of_kind(Draft, state.ask), discarding=True))


class Taken(Event):
    label = N_("tile taken")
    seat: Seat
    tile: int | None

    def fold(self, state: State) -> State:
        return acted(state, of_kind(Draft, state.ask).position, self.tile)


class Discarded(Event):
    label = N_("tile discarded")
    seat: Seat
    tile: int | None

    def fold(self, state: State) -> State:
        return acted(state, of_kind(Draft, state.ask).position, self.tile)


def chosen_tile(state: State, value: Value) -> int | None:
    """The number of a tile: as entered, or that of the last one; None where numbers are not asked for."""
    if isinstance(value, str):
        return int(value)
    return state.round.tiles[0] if tracked(state) else None


def others(tiles: tuple[int, ...], tile: int | None) -> tuple[int, ...]:
    """The tiles that are left."""
    return tiles if tile is None else tuple([space for space in tiles if space != tile])


def acted(state: State, position: int, tile: int | None) -> State:
    """The state after a position has acted."""
    now = replace(state.round, tiles=others(state.round.tiles, tile), spent=0)
    return replace(state, round=now, ask=turn_question(state, position + 1) or state.ask)


# --- automatic events: Cat Ladies, the next round, or the end ---------------------------------------------------------


def after_turn(state: State, position: int, tile: int | None, answer: Answer) -> Events:
    """The automatic events after a position has acted."""
    now = state.round
    if position < 4 and now.at[position] is not None:
        return ()
    return cat_ladies(state, now.at, position + 1, others(now.tiles, tile), answer)


def cat_ladies(
    state: State, at: tuple[Seat | None, ...], position: int, tiles: tuple[int, ...], answer: Answer
) -> Events:
    """Cat Ladies from this position on, as far as nobody has to be asked (R11); after position 4 the reset."""
    now, known_ = state.round, tracked(state)
    events: Events = ()
    bold, dice = [face for face, _ in now.ladies], None
    while position <= 4 and at[position - 1] is None:
        face: int | None = None
        tile: int | None = None
        if state.options.cat_lady == "virtual":
            dice = dice or answer.dice()
            face = dice.choice([each for each in POSITIONS if each not in bold])
            bold.append(face)
            tile = removed(ring(face), tiles)
        elif known_:
            tile, *more = tiles
            if more:
                return events
        elif at[position:].count(None) < len(at) - position:  # somebody drafts after her; else all that is left goes
            return events
        events = (*events, CatLadyActed(position, face, tile))
        tiles = others(tiles, tile)
        position += 1
    if position <= 4:
        return events
    if now.number < ROUNDS:
        return (*events, RoundStarted(now.number + 1, (now.start + 1) % state.players))  # R21
    return (*events, Packed())


def ring(bold: int) -> tuple[int, ...]:
    """The numbers of a Cat Lady whom the kit plays, from the bold one on."""
    return (*POSITIONS[bold - 1 :], *POSITIONS[: bold - 1])


def removed(numbers: Iterable[int], tiles: Sequence[int]) -> int:
    """The tile that a Cat Lady takes: the first of her numbers that is still there (R11, A9)."""
    return next(space for space in numbers if space in tiles)


class RoundStarted(Event):
    label = N_("round started")
    number: int
    start: Seat

    def fold(self, state: State) -> State:
        now = Round(self.number, self.start)
        return replace(state, round=now, ask=Draw() if state.suitcases else order_question(now, state.players))
