"""The bottom row keeps its word: what it promises of a key happens when that key is used, in every game."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial, reduce
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import games
from engine import play as plays
from engine.game import Rules
from engine.play import Play
from engine.rules import BENCH, HANDS, RELEASE, SETTLE, TAKE_BACK, Action, Offer, Seat, Value
from firmware.output.screens.canvas import Role, longest, words
from firmware.table.back_menu import Back, More, Stamps
from firmware.table.end_picture import QUIET_NS
from firmware.table.ending import EndMenu
from firmware.table.playing import NUDGE_NS, Playing
from firmware.table.question import Kind, choices, chosen, home, none_counted, shown
from firmware.table.verdict import LATE_NS
from firmware.translation import LazyText
from tests.simulators.every_game import names, rules_of
from tests.simulators.pixels import table
from tests.simulators.players import random_game, random_options
from tests.sixth_game import harvest

MS = 1_000_000
PRESS_MS, HOLD_MS = 60, 700
LATER_MS = (1, 800, 2500)  # after what has happened: at once, after a flash, after a verdict that stands large
TWICE = 2  # a row is followed in so many states of a question
MOST = 5  # players
PEOPLE = {0: "Ann", 1: "Ben"}  # by seat; the others are guests
SHEETS = ("chess_clock", "gin_rummy", "skat_list", "spoons", "wizard", "yahtzee")

MORE = "the side entries"
# by what is said of a key, the verbs that it may answer
OK_DOES: Mapping[str, tuple[str, ...]] = {
    "all done": ("all_done",),
    "3-2-1": ("place",),
    "count": ("count",),
    "go on": ("go_on",),
    "end": ("done", "next"),
    "groom": ("pageants",),
    "more": (MORE,),
    "next": ("next", "to_box"),
    "next box": ("next",),
    "no": ("name",),
    "no more": ("close", BENCH),
    "nobody": ("close", "none_left", BENCH),
    "others": ("close", BENCH),
    "pass": ("pass",),
    "save": ("name",),
    "score": ("next",),
    "start": ("pack", "start"),
    "start 3-2-1": ("place", "deal"),
    "stop": ("close", BENCH),
    "time": ("timer",),
    "timer": ("timer",),
}
PRESS_DOES: Mapping[str, tuple[str, ...]] = {
    "Pattern done? Press!": ("meow",),
    "discarded": ("to_box",),
    "done": ("turn_over", "done", "to_box"),
    "done? press": ("meow", "turn_over"),
    "laid? press": ("start_card",),
    "packed last": ("packed_last",),
    "loaded? press": ("done",),
    "press first": ("press",),
    "press to roll": ("roll",),
    "press when done": ("pass",),
    "press!": ("meow", "grab", "press"),
    "start your turn": ("begin",),
    "start": ("begin",),
    "starter": ("starter",),
    "took": ("take",),
    "took one": ("take",),
    "use it": ("new_order", "replace_truck", "voucher"),
    "youngest": ("starter",),
}
HOLD_DOES: Mapping[str, tuple[str, ...]] = {
    "0": ("hand_empty",),
    "use rat": ("rat",),
    "rat": ("rat",),
    "pass": ("pass",),
}
# what is told beside the keys
TOLD = (
    r"cards out: \d+",
    r".+ too early(: again)?",
    r".+: 0\?",
    r".+: draw \d+ cats?",
    r"somebody is out",
    r"\d+ s to load",
    r"take \d+ tiles, open \d+",
    r"all cats counted",
    r"boxes, trucks back",
    r"drawn\?",
    r"flip a card",
    r"all placed\?",
    r"no more rounds",
    r"ready\?",
    r"remove \d+ cards",
    r"take (your )?cubes",
    r"(wait for|hold until) the (flash|signal)",
)
# what OK answers although the row does not say it: as a hold does, as the first arrow does, as a press of who draws
UNSAID = {"pass", "check", "closed", "draw"}


class Watched(Playing):
    """A game on the table, with what it has been answered."""

    def __init__(self, *given: object) -> None:
        self.answers: list[tuple[Seat | None, str, Value]] = []
        super().__init__(*given)  # type: ignore[arg-type]

    def answer(self, action: Action, by: str = "") -> bool:
        if (taken := super().answer(action, by)) and action.verb not in (SETTLE, RELEASE, TAKE_BACK):
            self.answers.append((action.seat, action.verb, action.value))
        return taken

    def answer_all(self, actions: list[Action], by: str = "") -> LazyText | None:
        refused = super().answer_all(actions, by)
        if refused is None:
            self.answers += [(one.seat, one.verb, one.value) for one in actions]
        return refused


class Hands:
    """Hands at a table, from a state of a game on."""

    def __init__(
        self, play: Play, now_ns: int, *, knob: bool, people: Mapping[Seat, str], dead: tuple[Seat, ...]
    ) -> None:
        self.kit = table(play.players, people, knob=knob)
        self.kit.now_ns, self.now_ns = now_ns, now_ns
        self.kit.touched()
        for seat in dead:
            self.kit.part(f"button {play.players[seat]}", "it is lost")
        self.game = Watched(self.kit, 1, play, 0, people)
        self.kit.play(self.game)
        self.after(0)
        if self.game.play is not play:  # a verdict: for a while presses still belong to the race, or to the game
            self.after(max(LATE_NS, QUIET_NS) // MS)

    def after(self, ms: int) -> None:
        self.now_ns += ms * MS
        self.kit.tick(self.now_ns)
        self.game.on_commit(self.kit.ticket)
        self.game.seen(self.game.unseen, self.now_ns)

    def press(self, seat: Seat, ms: int = PRESS_MS) -> None:
        button = self.game.seating.button(seat)
        self.kit.press(button, self.now_ns, 0)
        self.after(ms)
        self.kit.release(button, self.now_ns)
        self.after(0)

    def hold(self, seat: Seat) -> None:
        self.press(seat, HOLD_MS)

    def ok(self, ms: int = PRESS_MS) -> None:
        self.kit.ok_down(self.now_ns)
        self.after(ms)
        self.kit.ok_up(self.now_ns)
        self.after(0)

    def back(self) -> None:
        self.ok(HOLD_MS)

    def turn(self, steps: int) -> None:
        """▲ so many times, or the knob clockwise."""
        self.kit.turn(steps, self.kit.knob, self.now_ns)
        self.after(0)

    def down(self) -> None:
        self.turn(1 if self.kit.knob else -1)

    @property
    def top(self) -> object:
        return self.kit.top

    def numbers(self) -> dict[Seat | None, Value]:
        """What is entered, or would be by OK."""
        q, entry = self.game.question, self.game.entry
        if q.control is not None:
            return {None: chosen(q, entry)}
        return {seat: shown(q, entry, seat) for seat in q.count}

    def number(self, seat: Seat | None) -> int:
        """The number there."""
        number = self.numbers()[seat]
        assert isinstance(number, int)
        return number

    @property
    def wrong(self) -> bool:
        """Whether the same is asked again, as something is wrong with it."""
        return bool(self.game.play.rules.face(self.game.play.state).wrong)

    def seats(self, names: str) -> list[Seat]:
        """Those who are named, or whose labels these are."""
        called = [{*both} for both in zip(self.game.names, self.game.play.players, strict=True)]
        return [seat for seat, both in enumerate(called) if both & {*names.split()}]

    @property
    def row(self) -> tuple[str, ...]:
        """Both ends of the bottom row, and what else is said of the control."""
        if self.top is not self.game:
            return ()
        said = words(self.game.picture(self.now_ns))
        return tuple(one.text for one in said if one.role is Role.FOOT or re.match("turn: |▼: |hold OK", one.text))


Make = Callable[[], Hands]  # hands at the table as it stood when the row was read
Found = Iterator[str]  # what is wrong with a promise


def answers(hands: Hands, verbs: tuple[str, ...], what: str) -> Found:
    """What has been answered is one of these."""
    given = {verb for _, verb, _ in hands.game.answers}
    given = given - {BENCH} or given
    if not given or not given <= {*verbs}:
        yield f"{what}: {sorted(given) or 'nothing'}, {type(hands.top).__name__}"


def counts(make: Make, tap: str, step: str | None, least: str | None) -> Found:
    """A press counts so many, from 0 on where nobody has entered anything; a step so many; a hold gives the lowest."""
    q = make().game.question
    asked: list[tuple[Seat, Seat | None]] = [(0, None)] if q.control is not None else [(seat, seat) for seat in q.count]
    for seat, key in asked:
        offer, hands = q.control or q.count[seat], make()
        if seat in hands.game.dead or offer.low is None or offer.high is None:
            continue
        if hands.wrong:
            hands.press(seat)  # it only picks the number that stands there, to be put right
        before = hands.number(key) if key is None else hands.game.entry.values.get(q.holder(seat), 0)
        hands.press(seat)
        if hands.numbers()[key] != min(max(before + int(tap), offer.low), offer.high):
            yield f"tap: {before} becomes {hands.numbers()[key]}"
        elif step:
            hands.turn(-1)
            hands.turn(1)
            before = hands.number(key)
            hands.turn(1)
            if hands.number(key) not in (before + int(step), offer.high):
                yield f"turn: {before} becomes {hands.number(key)}"
        if least:
            hands.hold(seat)
            if hands.numbers()[key] != (home(offer) if least == "min" else int(least)):
                yield f"hold: {hands.numbers()[key]}"


def count_each(make: Make, least: str) -> Found:
    """A press and a step change each number, in steps of its own; a hold gives the lowest."""
    for seat in make().game.question.numbers:
        hands = make()
        if seat in hands.game.dead:
            continue
        hands.hold(seat)
        before = hands.number(seat)
        if least not in ("min", str(before)):
            yield f"hold: {before}"
        hands.press(seat)
        pressed = hands.number(seat)
        hands.turn(-1)
        if not before <= hands.number(seat) < pressed:
            yield f"tap, turn: {before} {pressed} {hands.number(seat)}"


def goes_round(make: Make) -> Found:
    """A press of each goes to the next word."""
    for seat in make().game.question.numbers:
        hands = make()
        if seat in hands.game.dead:
            continue
        hands.press(seat)
        before = hands.number(seat)
        hands.press(seat)
        if hands.number(seat) == before:
            yield f"tap: {before} stays"


def chooses(make: Make, way: str) -> Found:
    """The control steps, and OK takes what stands there."""
    hands = make()
    q, before = hands.game.question, hands.numbers()
    hands.down()
    if hands.numbers() == before:  # it stood at its limit
        hands.turn(-1 if hands.kit.knob else 1)
    now, at = hands.numbers(), hands.game.entry.values.get(None)
    hands.ok()
    if q.kind is Kind.PICK:
        if at is None or hands.game.entry.picked is None:
            yield "nothing is picked"
    elif q.kind is Kind.COUNT:
        if now == before and not hands.game.answers:
            yield f"{way}: {before} stays"
    elif [value for _, verb, value in hands.game.answers if verb != BENCH] != [*now.values()]:
        yield f"{way}, OK: {now}, {hands.game.answers}"
    elif now == before and several(q.control):
        yield f"{way}: {before} stays"


def own_steps(make: Make, way: str) -> Found:
    """So does a press of the seat that chooses, or picks."""
    hands = make()
    q, before = hands.game.question, hands.game.entry
    seat = q.box if q.kind is Kind.PICK else q.chooser
    if seat is None:
        yield "tap: nobody chooses"
    elif seat not in hands.game.dead:
        hands.press(seat)
        if hands.game.entry == before and (q.control is None or several(q.control)):
            yield f"tap: {before} stays"
    yield from chooses(make, way)


def own_name(make: Make, way: str) -> Found:
    """So does a press, which names its own seat."""
    for seat in make().game.question.named:
        hands = make()
        if seat in hands.game.dead:
            continue
        hands.press(seat)
        if hands.numbers() != {None: seat}:
            yield f"press: {seat} is not {hands.numbers()}"
    yield from chooses(make, way)


def several(offer: Offer | None) -> bool:
    """Whether there is more than one answer."""
    assert offer is not None
    return len(choices(offer)) > 1 or offer.low != offer.high


def ok(make: Make, what: str) -> Found:
    """OK answers what is said; without a word: or it says what is missing, or wrong."""
    hands = make()
    q, before = hands.game.question, hands.game.entry
    hands.ok()
    given, now = hands.game.answers, hands.game.entry
    if q.kind is Kind.OVER:
        right = any(isinstance(one, EndMenu) for one in hands.kit.overlays)
    elif what in ("", "all"):
        right = bool(given or now.note) or replace(now, values={}) != replace(before, values={})
    elif what == "yes":
        missing = [value for seat, _, value in given if seat is not None and shown(q, before, seat) is None]
        right = bool(given) and not any(missing)
    elif found := re.fullmatch(r"(?:roll )?for (.+)", what):
        right = [seat for seat, _, _ in given] == hands.seats(found[1])
    elif OK_DOES.get(what) == (MORE,):
        right = isinstance(hands.top, More)
    elif what in OK_DOES:
        right = not [*answers(hands, OK_DOES[what], what)]
    elif len(what) == 1:  # a letter
        right = [value for _, _, value in given] == [what]
    else:  # who cannot press
        right = bool(hands.seats(what) and given)
    if not right:
        yield f"OK: {what}: {given}, {type(hands.top).__name__}"


def back(make: Make) -> Found:
    """A long OK opens Back."""
    hands = make()
    hands.back()
    if not isinstance(hands.top, Back):
        yield f"hold OK: {type(hands.top).__name__}"


def another(make: Make) -> Found:
    """A long OK asks anew which question is answered."""
    hands = make()
    hands.back()
    if hands.game.question.kind is not Kind.PICK:
        yield f"hold OK: {hands.game.question.kind}"


def side_entry(hands: Hands, what: str) -> Found:
    """The list has opened at the side entries of the question, and has those that were said."""
    if not isinstance(top := hands.top, More):
        yield f"{what}: {type(top).__name__}"
        return
    entries = [longest(text).lower() for text, _ in top.rows()][: len(hands.game.question.menu)]
    wanted = [one.removeprefix("a ").lower() for one in what.split(" or ") if one not in ("", "more")]
    if not entries or top.at or not all(any({*one.split()} <= {*entry.split()} for entry in entries) for one in wanted):
        yield f"{what}: {entries} {top.at}"


def over_back(make: Make, what: str | None) -> Found:
    """A long OK and a step lead to the side entries."""
    hands = make()
    hands.back()
    hands.down()
    yield from side_entry(hands, what or "")


def turns(make: Make, way: str, what: str) -> Found:
    """A turn opens the side entries, or answers for a seat whose button does not work."""
    hands = make()
    if hands.game.entered.answered_for is not None and way != "▼":
        hands.turn(1)
        yield from answers(hands, PRESS_DOES.get(what.rsplit(maxsplit=1)[-1], ()), f"turn: {what}")
        return
    hands.down()
    yield from side_entry(hands, what)
    hands.ok()
    if hands.game.answers:
        yield "OK at once takes an entry"
    hands.turn(-1 if hands.kit.knob else 1)
    if hands.top is not hands.game:
        yield "a step back does not close the list"
    hands.down()
    hands.after(NUDGE_NS // MS)
    hands.ok()
    if isinstance(hands.top, More):
        yield "OK takes no entry"


def for_seat(make: Make, name: str, way: str, by_ok: str | None) -> Found:
    """The control answers for a seat whose button does not work."""
    hands = make()
    seat = hands.game.entered.answered_for
    if hands.seats(name) != [seat]:
        yield f"for {name}: {seat}"
    if by_ok:
        yield from chooses(make, way)
        return
    hands.turn(1)
    if [one for one, _, _ in hands.game.answers] != [seat]:
        yield f"for {name}: {hands.game.answers}"


def times(make: Make) -> Found:
    """A press of any button shows the stamps."""
    for seat in range(len(make().game.play.players)):
        hands = make()
        if seat in hands.game.dead:
            continue
        hands.press(seat)
        if not isinstance(hands.top, Stamps):
            yield f"press:times: {seat} {type(hands.top).__name__} {hands.game.answers} {hands.numbers()}"


def held(make: Make, what: str) -> Found:
    """Holding a button answers what is said."""
    seats = make().game.question.hold
    if not seats:
        yield f"hold: {what}: nobody"
    for seat in seats:
        hands = make()
        if seat not in hands.game.dead:
            hands.hold(seat)
            yield from answers(hands, HOLD_DOES.get(what, ()), f"hold: {what}")


def presses(make: Make, what: str, who: str = "") -> Found:
    """A press of each that is named, else of each that is asked, answers what is said."""
    asked = make().game.question.press
    seats = [*asked] if not who or re.fullmatch(r"\d+ more", who) else make().seats(who)
    if not seats or not {*seats} <= {*asked}:
        yield f"{who}: {what}: asked are {[*asked]}"
    for seat in seats:
        hands = make()
        if seat not in hands.game.dead:
            hands.press(seat)
            yield from answers(hands, PRESS_DOES.get(what, ()), f"{who}: {what}")


def presses_or_holds(make: Make, press: str, hold: str) -> Found:
    """Both."""
    yield from presses(make, press)
    yield from held(make, hold)


def yours(make: Make) -> Found:
    """A press of each that is asked answers, or picks."""
    seats = make().game.question.seats
    if not seats:
        yield "press yours: nobody"
    for seat in seats:
        hands = make()
        if seat in hands.game.dead:
            continue
        hands.press(seat)
        if not (hands.game.answers or hands.game.entry.picked or hands.game.entry.values):
            yield f"press yours: nothing by {seat}"


def yes_or_no(make: Make) -> Found:
    """One arrow says yes, the other no."""
    for steps, answer in ((1, "yes"), (-1, "no")):
        hands = make()
        hands.turn(steps)
        if [value for _, _, value in hands.game.answers] != [answer]:
            yield f"{answer}: {hands.game.answers}"


def letters(make: Make, by_press: str | None) -> Found:
    """The control goes on to the next letter, and so does a press."""
    hands = make()
    before = hands.numbers()
    hands.down()
    if hands.numbers() == before:
        yield f"turn: {before} stays"
    if by_press:
        hands = make()
        hands.press(hands.game.question.chooser or 0)
        if hands.numbers() == before:
            yield f"tap: {before} stays"


def own_number(make: Make, who: str = "") -> Found:
    """A press of this seat and the control change its number, unless it is at its limit."""
    (seat,) = make().seats(who) if who else make().game.question.numbers
    offer = make().game.question.count[seat]
    for by_press in (True, False):
        hands = make()
        before = hands.numbers()
        if hands.game.entry.values.get(seat) == offer.high or offer.low == offer.high:
            continue
        if by_press:
            hands.press(seat)
        else:
            hands.turn(1)
        if hands.numbers() == before:
            yield f"{before} stays"


def hands_on(make: Make) -> Found:
    """Buttons that are held are answers."""
    for seat in [seat for seat, offer in make().game.question.press.items() if offer.verb == HANDS]:
        hands = make()
        if seat in hands.game.dead:
            continue
        hands.kit.press(hands.game.seating.button(seat), hands.now_ns, 0)
        if (seat, HANDS) not in [one[:2] for one in hands.game.answers]:
            yield f"hold yours: nothing by {seat}"


def called_for_by(make: Make, who: str) -> Found:
    """The control says so for a seat whose button does not work."""
    hands = make()
    seat = hands.game.entered.answered_for
    if hands.seats(who) != [seat]:
        yield f"{who}: {seat}"
    hands.turn(1)
    if none_counted(hands.game.question, hands.game.entry):
        yield f"{who}: nothing by a turn"


def called_for(make: Make) -> Found:
    """A press says that there is something to count: then OK enters numbers."""
    hands = make()
    for seat in hands.game.question.count:
        hands = make()
        hands.press(seat)
        if hands.game.entered.none_counted:
            yield f"yes? press: nothing by {seat}"


# what is done for each text of a row
PROMISES: tuple[tuple[str, Callable[..., Found]], ...] = (
    (r"tap:? ?\+(\d+)(?: (?:turn|▲▼)[:+](\d+))?(?:  ?hold:? ?(-?\d+|min))?", counts),
    (r"tap, (?:turn|▲▼)  hold: (-?\d+|min)", count_each),
    (r"tap(?:: next)?", goes_round),
    (r"(?:Pattern right\? )?(turn|▲▼), OK", chooses),
    (r"tap(?:/| or )(turn|▲▼),(?: then)? OK", own_steps),
    (r"press yours/(turn|▲▼), OK", own_name),
    (r"(tap/)?(?:turn|▲▼): (?:A to Z|name it)", letters),
    (r"OK(?:: ?)?(.*)", ok),
    (r"hold OK:back", back),
    (r"hold OK: another one", another),
    (r"hold OK, ?(?:turn|▼)(?:: ?(.*))?", over_back),
    (r"(?:Pattern right\? )?▲ yes  ?▼ no", yes_or_no),
    (r"(turn|▼|▲): (.+)", turns),
    (r"for (.+): (turn|▲▼|▲)(, OK)?", for_seat),
    (r"press: see times", times),
    (r"tap:(done) hold:(0)", presses_or_holds),
    (r"hold: (.+)", held),
    (r"press yours", yours),
    (r"(starter|youngest|packed last)\? press", presses),
    (r"yes\? press", called_for),
    (r"(?:.+: 0\? )(OK)", lambda make, _: ok(make, "yes")),
    (r"(?:all )?done\? OK", lambda make: ok(make, "all")),
    (r"tap: count", own_number),
    (r"hold yours|all hold your button", hands_on),
    (r"(.+): tap or (?:turn|▲▼)", own_number),
    (r"(done\? press|Pattern done\? Press!|loaded\? press|press first)", presses),
    (r"press: (took|done)", presses),
    (r"(.+): (?:turn|▲)", called_for_by),
    (r"(.+): (.+)", lambda make, who, what: presses(make, what, who)),
)


def faults(row: tuple[str, ...], make: Make) -> Found:
    """What is wrong with a bottom row: each of its promises is followed with hands of its own."""
    for end in row:
        if any(re.fullmatch(one, end) for one in TOLD):
            continue
        both = ((re.fullmatch(pattern, end), check) for pattern, check in PROMISES)
        check = next((partial(check, make, *found.groups()) for found, check in both if found), None)
        yield from [f"unknown: {end}"] if check is None else check()
    if row and not any("OK" in end for end in row):
        hands = make()
        hands.ok()
        verbs = {verb for _, verb, _ in hands.game.answers} - {BENCH}
        if not verbs <= UNSAID or hands.top is not hands.game or (not verbs and hands.game.entry != make().game.entry):
            yield f"OK, of which nothing is said: {sorted(verbs)} {type(hands.top).__name__}"


def some(hands: Hands, many: int) -> None:
    """Presses of the first seat that is asked and whose button works."""
    for seat in [seat for seat in hands.game.question.seats if seat not in hands.game.dead][:1]:
        for _ in range(many if many == 1 or hands.game.question.kind is Kind.COUNT else 0):
            hands.press(seat)


# what may be done before the row is read: nothing; OK, a number too few or too many, a step
BEFORE: tuple[Callable[[Hands], None], ...] = (
    lambda hands: None,
    Hands.ok,
    lambda hands: some(hands, 1),
    lambda hands: some(hands, 8),
    Hands.down,
)


def states(rules: Rules[Any, Any], seed: int) -> Iterator[tuple[Play, int]]:
    """What a game at random comes to, and when; the first seed plays with the usual options."""
    dice, (low, high) = Random(seed), rules.seats
    options = random_options(rules, dice, programs=False) if seed else rules.options()
    game = random_game(rules, dice.randint(low, min(high, MOST)), options, seed)
    now = plays.opened(rules, game.facts[0])
    yield now, 0
    for move in game.moves:
        now = reduce(plays.fold, move.facts, now)
        yield now, move.at_ns


def rows(rules: Rules[Any, Any], seeds: int) -> Iterator[tuple[str, tuple[str, ...], Make]]:
    """Every bottom row of a game, with its question, some times; and hands at it."""
    seen: Counter[tuple[object, ...]] = Counter()
    for seed, knob, people, dead in product(range(seeds), (True, False), ({}, PEOPLE), ((), (0,))):
        for play, at_ns in states(rules, seed):
            ask = type(play.state.ask).__name__
            names = {seat: name for seat, name in people.items() if seat < len(play.players)}
            for later_ms in LATER_MS if play.board.race is not None else LATER_MS[:1]:
                first = partial(Hands, play, at_ns + later_ms * MS, knob=knob, people=names, dead=dead)
                for n, before in enumerate(BEFORE):
                    make = partial(begun, first, before)
                    hands = make()
                    if n and hands.game.play is not play:  # it was answered
                        continue
                    row = hands.row
                    key = ask, re.sub(r"P\d|Ann|Ben|\d+", "N", " | ".join(row)), knob, bool(people), dead, n
                    seen[key] += 1
                    if seen[key] <= TWICE:
                        yield ask, row, make
                    elif n == 0:  # such a state has been looked at
                        break


def begun(first: Make, before: Callable[[Hands], None]) -> Hands:
    """Hands that have done something."""
    hands = first()
    before(hands)
    hands.game.answers.clear()
    return hands


def lies(rules: Rules[Any, Any], seeds: int) -> Found:
    """The rows that promise what does not happen."""
    return (f"{ask}: {row}: {fault}" for ask, row, make in rows(rules, seeds) for fault in faults(row, make))


def rules_by(name: str) -> Rules[Any, Any]:
    """The rules of a game, of a shipped sheet or of the sixth game."""
    return harvest.RULES if name == "harvest" else rules_of(name)


@pytest.mark.parametrize(
    "name",
    [
        *(*games.names(), "harvest", *(f"sheet:{name}" for name in SHEETS[::2])),
        *(pytest.param(f"sheet:{name}", marks=pytest.mark.nightly) for name in SHEETS[1::2]),
    ],
)
def test_the_bottom_row_keeps_its_word(name: str) -> None:
    assert {*lies(rules_by(name), 1)} == set()


@pytest.mark.nightly
@pytest.mark.parametrize("name", names())
def test_it_does_with_all_options_of_every_game(name: str) -> None:
    assert {*lies(rules_of(name), 12)} == set()


@pytest.mark.parametrize(
    ("name", "hint", "says"),
    [
        ("if_it_fits", "templates.side_hint", "press: see times"),
        ("kitty_paw", "templates.hold_hint", "OK: next"),
        ("kitty_paw", "templates.change_keys", "tap: +1  hold: 0"),
        ("if_it_fits", "face.down", "tap"),
    ],
)
def test_a_row_that_lies_is_found(monkeypatch: pytest.MonkeyPatch, name: str, hint: str, says: str) -> None:
    monkeypatch.setattr(f"firmware.output.screens.{hint}", lambda view: says)
    assert any(says in lie for lie in lies(games.rules(name), 1))
