"""A round: cubes are placed, cats adopted, groomed and shown; then the next one, or the end (R3 to R22)."""

from functools import cache, lru_cache

from msgspec.structs import replace

from engine.face import USUAL, Face, Left, Said, Who, row
from engine.game import Answer, Count, Limits, Onward, answers, of_kind
from engine.games.cat_pageant import table
from engine.games.cat_pageant.scoring import GameEnded, Media, piles_question
from engine.games.cat_pageant.table import (
    ENOUGH,
    TRICKS,
    WILD,
    Cat,
    Event,
    Events,
    Question,
    Round,
    State,
    add,
    by_cards,
)
from engine.rules import GO, TIME_UP, Offer, RaceBoard, Seat, Value, against_clock, put
from engine.stamps import Due, S, Stamp
from engine.words import N_, N_many

# --- cubes are placed, by the kit's countdown or the table's (R3) -----------------------------------------------------


def place_question(state: State) -> Question:
    """R3: the kit counts down, or the table does."""
    return Place() if state.options.placing_countdown else Hustle.of(state.players)


class Place(Question):
    """Everybody holds their cubes (R3)."""

    phase = "place"
    subject = "points"
    offered = (Offer(None, "place"),)

    @answers("place", N_("Take your cubes"))
    def place(self, state: State, answer: Answer) -> Events:
        return (CountdownStarted(answer.at_ns + state.options.placing_countdown * S),)

    def face(self, state: State) -> Face:
        lines = N_("at zero place them on"), N_("hustle, groom and show")
        return Face(
            big=N_("TAKE CUBES"),
            lines=lines,
            press=N_("ready?"),
            ok=N_("OK: start 3-2-1"),
            does={"place": N_("Start the countdown")},
        )


class CountdownStarted(Event):
    label = N_("countdown started")
    due_ns: Due

    def fold(self, state: State) -> State:
        return state.asking(Countdown(self.due_ns))


class Countdown(Question):
    """Cubes are placed when the clock reaches `due_ns`."""

    due_ns: Due

    phase = "countdown"
    subject = "ready"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(None, GO, due_ns=self.due_ns, race=True, joins=True),)

    @answers(GO, N_("Place"))
    def go(self, state: State, answer: Answer) -> Events:
        return (Placed(answer.at_ns),)

    def race_board(self, state: State) -> RaceBoard:
        return RaceBoard("armed", None)

    def face(self, state: State) -> Face:
        return Face(until_ns=self.due_ns)


class Placed(Event):
    label = N_("cubes placed")
    at_ns: Stamp

    def fold(self, state: State) -> State:
        return state.asking(Hustle.of(state.players))


# --- initiative (R4 to R6) --------------------------------------------------------------------------------------------


class Hustle(Count[State]):
    """How many cubes lie on hustle?"""

    phase, verb, text = "cubes", "hustle", N_("Hustle cubes?")

    def limits(self, state: State) -> Limits:
        return Limits(0, state.cubes)

    def done(self, state: State) -> State:
        left = tuple([cubes or 0 for cubes in self.numbers])
        rest = tuple([own - cubes for own, cubes in zip(state.cubes, left, strict=True)])
        return state.in_round(hustle=left, rest=rest).asking(self)

    def then(self, state: State, answer: Answer) -> Events:
        """By initiative value, by starting hustle, then by lot or by seat (R4, R5, A1)."""
        values = [stat + cubes for stat, cubes in zip(state.hustle, state.round.hustle, strict=True)]
        lowest, players = [stats[2] for stats in state.stats], state.players
        lots = table.level_seats(values, lowest) if state.options.initiative_tiebreak == "draw" else ()
        ranks = list(state.seats) if lots else [(seat - state.first) % players for seat in state.seats]
        if lots:
            answer.dice().shuffle(ranks)
        return (OrderFound(table.initiative(values, lowest, ranks), lots),)

    def face(self, state: State) -> Face:
        """After the kit's countdown the signal; else the number is asked at once."""
        if not state.options.placing_countdown:
            return USUAL
        return Face(big=N_("PLACE!"), lines=(N_("count your hustle cubes"),))


class OrderFound(Event):
    """The order of the seats; where each cat is entered, the other cubes are asked next."""

    label = N_("order found")
    order: tuple[Seat, ...]
    lots: tuple[Seat, ...]  # whose place was drawn by lot

    def fold(self, state: State) -> State:
        state = replace(state, first=self.order[0]).in_round(order=self.order, lots=self.lots)
        seats = tuple([seat for seat, cubes in enumerate(state.round.rest) if cubes]) if by_cards(state) else ()
        return state.asking(GroomCubes.of(state.players, seats) if seats else Order())


class GroomCubes(Count[State]):
    """How many cubes of these seats lie on groom? The rest is on show."""

    phase, verb, text = "cubes", "groom_cubes", N_("Groom cubes?")

    def limits(self, state: State) -> Limits:
        return Limits(0, state.round.rest)

    def done(self, state: State) -> State:
        groom = tuple([cubes or 0 for cubes in self.numbers])
        show = tuple([cubes - own for cubes, own in zip(state.round.rest, groom, strict=True)])
        return state.in_round(rest=groom, show=show).asking(Order())

    def face(self, state: State) -> Face:
        return Face(right=N_("rest is on show"))


class Order(Onward[State]):
    """The order is settled; the first player draws (R4 to R7), and may take the first cat at once."""

    phase = "order"
    subject = "places"
    offered = (Offer(None, "draw"),)

    def taker(self, state: State) -> Seat | None:
        """Who may take the first cat at once; not against the clock, which begins once the cats are drawn."""
        if state.options.turn_timer_s or not table.to_draw(state):
            return None
        return next(iter(adopters(state)), None)

    def onward(self, state: State) -> Events:
        return () if self.taker(state) is None else (CatsDrawn(table.to_draw(state)),)

    def following(self, state: State) -> tuple[Offer, ...]:
        seat = self.taker(state)
        return () if seat is None else own_taking(seat)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        return (
            N_("Draw {n} cats", n=table.to_draw(state)) if offer.verb == "draw" else super().label(state, offer, value)
        )

    @answers("draw", N_("Draw"))
    def draw(self, state: State, answer: Answer) -> Events:
        return (CatsDrawn(table.to_draw(state)),)

    def face(self, state: State) -> Face:
        """The initiative values, and how ties were decided."""
        now, lowest = state.round, [stats[2] for stats in state.stats]
        values = [stat + cubes for stat, cubes in zip(state.hustle, now.hustle, strict=True)]
        undecided = table.level_seats(values, lowest)
        settled_by: str | tuple[str, ...] = N_("random") if now.lots else (N_("by seat"), N_("seat"))  # A1
        why = list[str | tuple[str, ...]]()
        for seat, (value, low) in enumerate(zip(values, lowest, strict=True)):
            start = N_("start {value}", value=low), N_("from {value}", value=low), str(low)  # R5
            why.append(settled_by if seat in undecided else start if values.count(value) > 1 else "")
        level = [seat for seat in state.seats if values.count(values[seat]) > 1 and seat not in undecided]
        draw = N_("{name}: draw {n} cats", name=Who(now.order[:1]), n=table.to_draw(state))
        takes = self.taker(state) is not None
        return Face(
            left=(N_("HUSTLE R{number}", number=now.number), N_("HUSTLE")),
            right=draw if takes else "",
            lines=(N_("level: lower start first"),) if level else (),
            values=tuple(map(str, values)),
            below=tuple(why),
            press=N_("{name}: took one", name=Who(now.order[:1])) if takes else draw,
            ok="" if takes else N_("OK"),
            hold=N_("hold: pass") if takes else "",
            does={"draw": N_("The cats are drawn"), "take": N_("I took a cat")},
        )


class CatsDrawn(Event):
    label = N_("cats drawn")
    cats: int

    def fold(self, state: State) -> State:
        state = replace(state, deck=state.deck - self.cats).in_round(middle=self.cats)
        return state.asking(adopt_question(state))


# --- cats are adopted (R8 to R10) -------------------------------------------------------------------------------------


def adopts(seat: Seat) -> Said:
    """Whose cat is entered."""
    return N_("{name} ADOPTS", name=Who((seat,)))


def against(due_ns: int | None, text: str) -> str:
    """A text after the time left, where there is a time limit."""
    return text if due_ns is None else N_("{time} {text}", time=Left(due_ns), text=text)


def adopters(state: State) -> list[Seat]:
    """Who may take a cat, in order: with a cube on hustle and, where cats are entered, with room for one (R8, R9)."""
    now, cards = state.round, by_cards(state)
    return [seat for seat in now.order if now.hustle[seat] and (not cards or table.room(state, seat) > 0)]


def adopt_question(state: State, after: Seat | None = None, passes: int = 0) -> Question:
    """The turn after that of a seat and so many passes in a row (R8 to R10, A10)."""
    able = adopters(state)
    if not state.round.middle or passes >= len(able):
        return Pageants()
    later = (seat for seat in table.later(state, after) if seat in able)
    return Adopt(next(later, able[0]), passes)


class Adopt(Question):
    """This seat takes a cat or passes (R8)."""

    seat: Seat
    passes: int = 0  # in a row
    due_ns: Due | None = None

    phase = "adopt"
    subject = "places"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return against_clock(taking(self.seat), TIME_UP, self.due_ns)

    @answers("take", N_("Take a cat"))
    def take(self, state: State, answer: Answer) -> Events:
        return (Adopted(self.seat),)

    @answers("pass", N_("Pass"))
    @answers(TIME_UP, N_("Time is up"))
    def leave(self, state: State, answer: Answer) -> Events:
        return (Passed(self.seat),)

    def face(self, state: State) -> Face:
        room = N_("room {room}", room=table.room(state, self.seat))
        limit = room if by_cards(state) else N_("moxie {moxie}", moxie=state.moxie[self.seat])
        left, right = N_("ADOPT R{number}", number=state.round.number), against(self.due_ns, limit)
        return Face(left, right, press=N_("press: took"), hold=N_("hold: pass"), does={"take": N_("I took a cat")})


@cache
def taking(seat: Seat) -> tuple[Offer, ...]:
    """A cat, or not."""
    return (Offer(seat, "take"), Offer(seat, "pass", hold=True), Offer(None, "pass", for_seats=(seat,)))


@cache
def own_taking(seat: Seat) -> tuple[Offer, ...]:
    """The same by the seat's own button alone."""
    return tuple([offer for offer in taking(seat) if offer.seat is not None])


class Adopted(Event):
    """A cube moves from hustle onto a cat; where each cat is entered, it is asked which."""

    label = N_("cat adopted")
    seat: Seat

    def fold(self, state: State) -> State:
        now, seat = state.round, self.seat
        now = replace(now, hustle=add(now.hustle, seat, -1), taken=add(now.taken, seat), middle=now.middle - 1)
        state = replace(state, cats=add(state.cats, seat), round=now)
        return state.asking(CatTrick(seat) if by_cards(state) else adopt_question(state, seat))


class Passed(Event):
    label = N_("passed")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(adopt_question(state, self.seat, of_kind(Adopt, state.ask).passes + 1))


# tricks of more than a word
BONUSES = {"show": N_("show bonus"), "groom": N_("groom bonus"), "media": N_("media bonus")}


class WhichTrick(Question):
    """A trick, of a cat or of a card; or the cat that has it."""

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if isinstance(value, str) and " " in value:
            return table.cat_words(value)
        return BONUSES.get(str(value), super().label(state, offer, value))


class CatTrick(WhichTrick):
    """Which trick has the cat just taken?"""

    seat: Seat

    phase = "adopt"
    subject = "places"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(self.seat, "trick", options=(*TRICKS, WILD)),)

    @answers("trick", N_("Its trick?"))
    def name(self, state: State, answer: Answer) -> Events:
        return (TrickEntered(self.seat, answer.word),)

    def face(self, state: State) -> Face:
        return Face(adopts(self.seat), N_("room {room}", room=table.room(state, self.seat)))


class TrickEntered(Event):
    label = N_("trick entered")
    seat: Seat
    trick: str

    def fold(self, state: State) -> State:
        return state.asking(CatMoxie(self.seat, self.trick))


class CatMoxie(Question):
    """And which moxie?"""

    seat: Seat
    trick: str

    phase = "adopt"
    subject = "places"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(self.seat, "moxie", 1, min(table.MAX_MOXIE, table.room(state, self.seat))),)  # R9

    @answers("moxie", N_("Its moxie?"))
    def enter(self, state: State, answer: Answer) -> Events:
        return (CatEntered(self.seat, self.trick, answer.number),)

    def face(self, state: State) -> Face:
        line = N_("{trick}, room {room}", trick=self.trick, room=table.room(state, self.seat))
        return Face(adopts(self.seat), lines=(line,))


class CatEntered(Event):
    label = N_("cat entered")
    seat: Seat
    trick: str
    moxie: int

    def fold(self, state: State) -> State:
        hand = (*state.hand[self.seat], Cat(self.trick, self.moxie))
        state = replace(state, hand=put(state.hand, self.seat, hand))
        return state.asking(adopt_question(state, self.seat))


# --- pageants (R15) ---------------------------------------------------------------------------------------------------


class Pageants(Question):
    """Adopting is over: which pageants are there? (R15)"""

    phase = "pageants"
    subject = "places"
    offered = (Offer(None, "pageants"),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        left = state.round.middle
        if left:
            return N_many("{n} left: {n} pageant", "{n} left: {n} pageants", left)
        return N_("Draw pageant card") if state.deck else N_("Open pageant")

    @answers("pageants", N_("Pageants"))
    def settle(self, state: State, answer: Answer) -> Events:
        left = state.round.middle
        drawn = not left and state.deck > 0
        return closing(state, PageantsSet(left or int(drawn), drawn))

    def face(self, state: State) -> Face:
        """The kind of pageant."""
        left, big, line, press = state.round.middle, N_("DRAW ONE"), N_("it is the pageant card"), ""
        does = N_("Go on to the grooming")
        if left:
            big = N_many("{n} CAT LEFT", "{n} CATS LEFT", left)
        elif state.deck:
            press, does = N_("drawn?"), N_("The card is drawn")
        else:
            big, line = N_("OPEN PAGEANT"), N_("any cat, no card to win")
        if left > 1:
            line = N_("each is a pageant card")
        return Face(big=big, lines=(line,), press=press, ok=N_("OK: groom"), does={"pageants": does})


class PageantsSet(Event):
    label = N_("pageants set")
    cards: int  # 0: an open pageant
    drawn: bool  # the card came from the deck

    def fold(self, state: State) -> State:
        shown, pageants = ((0,) * state.players,) * (self.cards or 1), ("",) * self.cards
        state = replace(state, deck=state.deck - self.drawn)
        state = state.in_round(middle=0, drawn=self.drawn, shown=shown, pageants=pageants)
        return state.asking(CardTrick() if pageants and by_cards(state) else groom_question(state, None))


class CardTrick(WhichTrick):
    """Which trick has the next pageant card?"""

    phase = "pageants"
    subject = "places"
    offered = (Offer(None, "trick", options=(*TRICKS, WILD)),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        card = state.round.pageants.index("") + 1
        return N_("Pageant {number}: trick?", number=card) if value is None else super().label(state, offer, value)

    @answers("trick", N_("Its trick?"))
    def name(self, state: State, answer: Answer) -> Events:
        return closing(state, CardEntered(answer.word))


class CardEntered(Event):
    label = N_("card entered")
    trick: str

    def fold(self, state: State) -> State:
        pageants = state.round.pageants
        pageants = put(pageants, pageants.index(""), self.trick)
        state = state.in_round(pageants=pageants)
        return state if "" in pageants else state.asking(groom_question(state, None))


# --- cats are groomed, fanciers trained, tricks learned (R11 to R14) --------------------------------------------------


def groom_question(state: State, after: Seat | None) -> Question:
    """The grooming after that of a seat: the next in order with a cube for it; then the show."""
    for seat in table.later(state, after):
        if state.round.rest[seat]:
            return Groom(seat)
    return show_question(state, None)


class Groom(Question):
    """This seat spends its groom cubes (R11)."""

    seat: Seat
    free: int = 0  # cats that the cube spent last grooms besides
    due_ns: Due | None = None

    phase = "groom"
    subject = "places"

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Done, by seat or for all; training and learning are in the menu; entered cats are chosen (R11)."""
        seat, rest, cats = self.seat, state.round.rest[self.seat], None
        if by_cards(state):
            cats = tuple(table.cat_options(state.hand[seat], table.groomable)) if self.free or rest else ()
        ways = table.ways(state, seat) if rest else ()
        return against_clock(grooming_offers((seat, *self.others(state)), cats, ways), TIME_UP, self.due_ns)

    def others(self, state: State) -> tuple[Seat, ...]:
        """Who has cubes for it, too, and comes later."""
        return tuple([seat for seat in table.later(state, self.seat) if state.round.rest[seat]])

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if isinstance(value, str) and value != ENOUGH:
            return table.cat_words(value)
        return super().label(state, offer, value)

    @answers("done", N_("Done grooming?"))
    @answers("groom", N_("Groom a cat?"))
    @answers(TIME_UP, N_("Time is up"))
    def groom(self, state: State, answer: Answer) -> Events:
        if answer.value is None or answer.value == ENOUGH:
            return closing(state, GroomDone(self.seat))
        return closing(
            state, Groomed(self.seat, table.cat_options(state.hand[self.seat], table.groomable)[answer.word])
        )

    @answers("all_done", N_("All are done"))
    def finish_all(self, state: State, answer: Answer) -> Events:
        return closing(state, AllGroomed())

    @answers("train_hustle", N_("+1 hustle"))
    @answers("train_moxie", N_("+1 moxie"))
    def train(self, state: State, answer: Answer) -> Events:
        return closing(state, Trained(self.seat, answer.action.verb.removeprefix("train_")))

    @answers("learn", N_("Learn a trick"))
    def learn(self, state: State, answer: Answer) -> Events:
        return (LearnStarted(self.seat),)

    def face(self, state: State) -> Face:
        now, seat, free = state.round, self.seat, self.free
        left = N_("{name} GROOMS", name=Who((seat,))), N_("GROOM")
        cubes = now.rest[seat]
        if by_cards(state):
            right = N_("cubes {n} + {free} free", n=cubes, free=free) if free else N_("cubes {n}", n=cubes)
            return Face(left, against(self.due_ns, right), does={"done": N_("I am done")})
        stats = N_("hustle {hustle} moxie {moxie}", hustle=state.hustle[seat], moxie=state.moxie[seat])
        others = Who(self.others(state))
        return Face(
            left,
            stats if self.due_ns is None else Left(self.due_ns),
            lines=(N_("then {names}", names=others) if others else N_("the last one"),),
            press=N_("press: done"),
            ok=N_("OK: all done"),
            turn=uses(table.ways(state, seat)),
            does={"done": N_("I am done")},
        )

    def spent(self, state: State) -> State:
        """A cube leaves groom."""
        return self.after(state.in_round(rest=add(state.round.rest, self.seat, -1)))

    def after(self, state: State) -> State:
        """The same seat goes on while it has a cube, or cats that its last cube grooms besides."""
        seat = self.seat
        busy = state.round.rest[seat] or (self.free and any(table.groomable(cat) for cat in state.hand[seat]))
        return state.asking(self if busy else groom_question(state, seat))


def uses(ways: tuple[str, ...]) -> str:
    """What a cube does besides grooming, in short."""
    if "learn" not in ways:
        return N_("+1")
    return N_("a trick") if len(ways) == 1 else N_("+1 or a trick")


@lru_cache(maxsize=4096)
def grooming_offers(seats: tuple[Seat, ...], cats: tuple[str, ...] | None, ways: tuple[str, ...]) -> tuple[Offer, ...]:
    """The uses of a cube on groom by the first of these seats, before the others; `cats`: None where not entered."""
    seat = seats[0]
    out = [Offer(seat, "done")]
    out += (
        [Offer(None, "all_done", for_seats=seats)] if cats is None else [Offer(seat, "groom", options=(ENOUGH, *cats))]
    )
    return (*out, *(Offer(seat, verb, menu=True) for verb in ways))


class Groomed(Event):
    """A cube grooms one cat, and one more by copy of the bonus (R11, A12)."""

    label = N_("cat groomed")
    seat: Seat
    cat: int  # its place in the hand

    def fold(self, state: State) -> State:
        ask, seat, hand = of_kind(Groom, state.ask), self.seat, state.hand[self.seat]
        hand = put(hand, self.cat, replace(hand[self.cat], groomed=True))
        state = replace(state, hand=put(state.hand, seat, hand))
        if ask.free:
            return replace(ask, free=ask.free - 1).after(state)
        return replace(ask, free=table.cats_a_cube(state.tricks[seat].count("groom")) - 1).spent(state)


class GroomDone(Event):
    label = N_("grooming done")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(groom_question(state, self.seat))


class AllGroomed(Event):
    """Nobody has more to groom."""

    label = N_("all groomed")

    def fold(self, state: State) -> State:
        return state.asking(show_question(state, None))


class Trained(Event):
    label = N_("trained")
    seat: Seat
    stat: str

    def fold(self, state: State) -> State:
        stats: tuple[int, ...] = getattr(state, self.stat)
        return of_kind(Groom, state.ask).spent(replace(state, **{self.stat: add(stats, self.seat)}))


class LearnStarted(Event):
    label = N_("learning a trick")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(Learn(of_kind(Groom, state.ask)))


class Learn(WhichTrick):
    """Which trick, or which cat's, is learned?"""

    groom: Groom

    phase = "groom"
    subject = "places"

    def offers(self, state: State) -> tuple[Offer, ...]:
        """A trick or, where cats are entered, from which cat."""
        seat = self.groom.seat
        lessons = tuple(table.cat_options(state.hand[seat], table.teaches)) if by_cards(state) else TRICKS
        return (Offer(seat, "trick", options=lessons),)

    @answers("trick", N_("Learn which trick?"))
    def name(self, state: State, answer: Answer) -> Events:
        seat = self.groom.seat
        if not by_cards(state):
            return closing(state, Learned(seat, answer.word, None))
        at = table.cat_options(state.hand[seat], table.teaches)[answer.word]
        return closing(state, Learned(seat, state.hand[seat][at].trick, at))


class Learned(Event):
    """A cat goes under the time card: it leaves its place, and its trick works (R13, R14)."""

    label = N_("trick learned")
    seat: Seat
    trick: str
    cat: int | None  # its place in the hand, where cats are entered

    def fold(self, state: State) -> State:
        seat, groom = self.seat, of_kind(Learn, state.ask).groom
        if self.trick == "cube" and (state.options.cube_limit == "none" or table.supply(state) > 0):  # A8
            state = replace(state, cubes=add(state.cubes, seat))
        if self.cat is not None:
            state = replace(state, hand=put(state.hand, seat, table.without(state.hand[seat], self.cat)))
        tricks = put(state.tricks, seat, (*state.tricks[seat], self.trick))
        return groom.spent(replace(state, cats=add(state.cats, seat, -1), tricks=tricks))


# --- cats are shown (R16 to R20) --------------------------------------------------------------------------------------


def show_question(state: State, after: Seat | None) -> Question:
    """The seats that show cats: with counts all that may have some, at once; else the next in order that can (R16)."""
    if not by_cards(state):
        return Show((None,) * state.players, showers(state), table.rested(state))
    for seat in table.later(state, after):
        if table.choices(state, seat):
            return ShowCat(seat)
    return NOBODY_SHOWS


def showers(state: State) -> tuple[Seat, ...]:
    """With counts: the seats that may have a cat to show, without a cube on it, and a cube for it."""
    rest = state.round.rest
    return tuple([seat for seat, cats in enumerate(table.rested(state)) if cats and rest[seat]])


def winner(seat: Seat | None) -> str | Who:
    """The winner of a card in a text; without one the card goes below the deck."""
    return N_("nobody") if seat is None else Who((seat,))


class Show(Count[State]):
    """How many cats have these seats in this pageant? Without seats it closes by itself."""

    most: tuple[int, ...]  # cats that each seat may show, those not asked included

    phase, verb, text = "show", "shown", N_("Cats shown?")

    def limits(self, state: State) -> Limits:
        return Limits(0, self.most, prefill=0)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        now = state.round
        if value is not None:
            return super().label(state, offer, value)
        return N_("Cats at pageant {number}?", number=len(now.won) + 1) if now.pageants else N_("Cats in the pageant?")

    def entered(self, state: State, seat: Seat, number: int) -> State:
        """They go to the score pile (R18)."""
        if number:
            now, at = state.round, len(state.round.won)
            now = replace(now, shown=put(now.shown, at, put(now.shown[at], seat, number)))
            cats, scored = add(state.cats, seat, -number), add(state.scored, seat, number)
            state = replace(state, cats=cats, scored=scored, round=now)
        return super().entered(state, seat, number)

    def then(self, state: State, answer: Answer) -> Events:
        return (PageantsClosed(verdict(state)),)

    def face(self, state: State) -> Face:
        """The winner of the last pageant card."""
        won, n = state.round.won, len(state.round.shown)
        if not won:
            return Face(right=N_("{n} pageants", n=n) if n > 1 else "")
        return Face(right=N_("card {n}: {name}", n=len(won), name=winner(won[-1])))


NOBODY_SHOWS = Show((), (), ())


class ShowCat(Question):
    """Which cat does this seat show, and where? (R16, R17)"""

    seat: Seat

    phase = "show"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(self.seat, "show", options=(ENOUGH, *table.choices(state, self.seat))),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if isinstance(value, str) and value != ENOUGH:
            return table.cat_words(value)
        return super().label(state, offer, value)

    @answers("show", N_("Show a cat?"))
    def show(self, state: State, answer: Answer) -> Events:
        if answer.value == ENOUGH:
            return closing(state, ShowDone(self.seat))
        return closing(state, CatShown(self.seat, *table.choices(state, self.seat)[answer.word]))

    def face(self, state: State) -> Face:
        """The cats that the seat may still show."""
        most = table.more_to_show(state, self.seat)
        more = N_("any number") if most is None else N_("{most} more", most=most)
        return Face(N_("{name} SHOWS", name=Who((self.seat,))), more)


class CatShown(Event):
    """A cat goes to the score pile (R18); the seat goes on while it can."""

    label = N_("cat shown")
    seat: Seat
    pageant: int  # 0 is the first
    cat: int  # its place in the hand

    def fold(self, state: State) -> State:
        now, seat, hand = state.round, self.seat, state.hand[self.seat]
        cat = hand[self.cat]
        misfit = bool(now.pageants) and not table.fits(cat, now.pageants[self.pageant])
        shown = put(now.shown, self.pageant, add(now.shown[self.pageant], seat))
        state = replace(
            state,
            hand=put(state.hand, seat, table.without(hand, self.cat)),
            cats=add(state.cats, seat, -1),
            scored=add(state.scored, seat),
            pile=put(state.pile, seat, (state.pile[seat] or 0) + cat.moxie),
            round=replace(now, shown=shown, misfits=add(now.misfits, seat, misfit)),
        )
        return state if table.choices(state, seat) else state.asking(show_question(state, seat))


class ShowDone(Event):
    label = N_("showing done")
    seat: Seat

    def fold(self, state: State) -> State:
        return state.asking(show_question(state, self.seat))


def closing(state: State, event: Event) -> Events:
    """An event, and the verdict on the pageants that it ends: nobody can show more cats there (R19)."""
    state = event.fold(state)
    ask = state.ask
    return (event, PageantsClosed(verdict(state))) if isinstance(ask, Show) and not ask.waits() else (event,)


def verdict(state: State) -> tuple[Seat | None, ...]:
    """The winner of the next pageant's card, and of those after it that are over, too (R19, R20)."""
    now, cards = state.round, by_cards(state)
    stays = not cards and bool(showers(state))
    won: tuple[Seat | None, ...] = ()
    for shown in now.shown[len(now.won) :]:
        seat = table.most_cats(shown) if now.pageants else None
        won = (*won, seat)
        if stays or (seat is not None and cards):  # others may be shown there; the card's moxie is asked
            break
    return won


class PageantsClosed(Event):
    """Cards go to the winners' piles or below the deck (R19, A5)."""

    label = N_("pageants closed")
    won: tuple[Seat | None, ...]  # by pageant: who takes the card; nobody: it goes below the deck

    def fold(self, state: State) -> State:
        now, won, scored = state.round, self.won, state.scored
        for seat in won:
            if seat is not None:
                scored = add(scored, seat)
        deck = state.deck + (won.count(None) if now.pageants else 0)
        state = replace(state, deck=deck, scored=scored, round=replace(now, won=(*now.won, *won)))
        last = won[-1]
        return state.asking(next_pageant(state) if last is None or not by_cards(state) else CardMoxie(last))


def next_pageant(state: State) -> Question:
    """The pageant after those that are over, or the result; known cats have all been shown by now."""
    if len(state.round.won) == len(state.round.shown):
        return Result()
    return NOBODY_SHOWS if by_cards(state) else show_question(state, None)


class CardMoxie(Question):
    """Which moxie has the pageant card that this seat has won?"""

    seat: Seat

    phase = "show"

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer(self.seat, "moxie", 1, table.MAX_MOXIE),)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if value is not None:
            return super().label(state, offer, value)
        return N_("Card {number}: moxie?", number=len(state.round.won))

    @answers("moxie", N_("Its moxie?"))
    def enter(self, state: State, answer: Answer) -> Events:
        return closing(state, CardValued(self.seat, answer.number))

    def face(self, state: State) -> Face:
        return Face(lines=(N_("{name} has won it", name=Who((self.seat,))),))


class CardValued(Event):
    label = N_("card valued")
    seat: Seat
    moxie: int

    def fold(self, state: State) -> State:
        pile = put(state.pile, self.seat, (state.pile[self.seat] or 0) + self.moxie)
        return replace(state, pile=pile, ask=next_pageant(state))


# --- the next round, or the end (R21, R22) ----------------------------------------------------------------------------

NEXT = Offer(None, "next")
END_NOW = Offer(None, "end_now", options=("no", "yes"))  # a plain OK plays on
COUNT = Offer(None, "count", menu=True)
ENDING = {"no": N_("play on"), "yes": N_("end now")}


def cards_won(now: Round) -> Said:
    """The winner of each card of a round."""
    if not now.pageants:
        return N_("open: no card to win")
    if len(now.won) == 1:
        (seat,) = now.won
        return N_("nobody wins the card") if seat is None else N_("{name} wins the card", name=winner(seat))
    each = [N_("{n}:{name}", n=n, name=winner(seat)) for n, seat in enumerate(now.won, 1)]
    claimed = len(now.won) - now.won.count(None)
    return (row(each), N_("{n} of {all} cards won", n=claimed, all=len(now.won)))


class Result(Onward[State]):
    """Cubes go back (R21), and are placed again: the countdown may start at once."""

    phase = "result"
    subject = "result"

    def onward(self, state: State) -> Events:
        """The next round, where it begins with a countdown."""
        if table.ended(state) or table.stalled(state) or not state.options.placing_countdown:
            return ()
        return (RoundStarted(state.round.number + 1),)

    def following(self, state: State) -> tuple[Offer, ...]:
        """The countdown."""
        return Place.offered if self.onward(state) else ()

    def own(self, state: State) -> tuple[Offer, ...]:
        """The next round; in a stalled game first whether to end it (A16); beside it a count of piles."""
        onward = END_NOW if table.stalled(state) else NEXT
        return (onward, COUNT) if any(state.scored) and not by_cards(state) else (onward,)

    def label(self, state: State, offer: Offer, value: Value) -> str:
        if offer.verb == NEXT.verb:
            return N_("Final scores") if table.ended(state) else N_("Round {number}", number=state.round.number + 1)
        return ENDING.get(str(value), super().label(state, offer, value))

    @answers("next", N_("Next round"))
    @answers("end_now", N_("End the game now?"))
    def go_on(self, state: State, answer: Answer) -> Events:
        """The next round; else the end, as the deck is empty (R22) or the table wants it (A16)."""
        if table.ended(state) or answer.value == "yes":
            return (GameEnded(),) if by_cards(state) else (CountStarted(final=True),)
        return (RoundStarted(state.round.number + 1),)

    @answers("count", N_("Count the piles"))
    def count(self, state: State, answer: Answer) -> Events:
        return (CountStarted(final=False),)

    def marks(self, state: State) -> dict[str, tuple[Seat, ...]]:
        """The winners of pageant cards."""
        return {"first": tuple(sorted({seat for seat in state.round.won if seat is not None}))}

    def face(self, state: State) -> Face:
        """The winner of each card; the cards in each pile, or their moxie where it is known."""
        if table.stalled(state):
            return Face(right=N_("no cat, no card"))
        now, known, ends = state.round, by_cards(state), table.ended(state)
        go_on = N_("take your cubes"), N_("OK: next")
        if ends:
            go_on = N_("no more rounds"), N_("OK: score")
        elif state.options.placing_countdown:
            go_on = N_("take cubes"), N_("OK: 3-2-1")
        start = N_("Start round {number}", number=now.number + 1)
        return Face(
            left="" if known else (N_("R{number}: cards won", number=now.number), N_("cards won")),
            right=N_("DECK EMPTY") if ends else "",
            values=tuple(map(str, state.scores if known else state.scored)),
            title=cards_won(now),
            lit=self.marks(state)["first"],
            press=go_on[0],
            ok=go_on[1],
            does={"next": N_("Go on to the final scores") if ends else start, "place": start},
        )


class RoundStarted(Event):
    label = N_("round started")
    number: int

    def fold(self, state: State) -> State:
        if by_cards(state):
            hand = tuple([tuple([replace(cat, fresh=False) for cat in hand]) for hand in state.hand])
            state = replace(state, hand=hand)
        return replace(state, round=table.new_round(self.number, state.players), ask=place_question(state))


class CountStarted(Event):
    """The score piles are counted, before the end or as there are no more rounds."""

    label = N_("counting started")
    final: bool

    def fold(self, state: State) -> State:
        return state.asking(piles_question(state, Media.of(state.players) if self.final else Result()))
