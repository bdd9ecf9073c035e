"""Every picture that the kit can come to: where `Canvas.strict` is set, a text that does not fit raises.

The names are as long as a description of a kit allows. `python -m tests.simulators.pixels --games 20` looks further
than tests do.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, replace
from datetime import datetime
from functools import reduce
from itertools import product
from random import Random
from typing import Any, get_type_hints

import msgspec
from msgspec import structs
from PIL import Image

from engine import games
from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play
from engine.rules import FINISH, Seat, option_values
from firmware import local_time
from firmware.cli import play as cli_play
from firmware.journal.phones import Answered, Phone
from firmware.journal.reader import GameRow, Recorded
from firmware.output import screens
from firmware.output.screens.canvas import Canvas
from firmware.output.screens.view import titles
from firmware.people.corrections import Sitting
from firmware.people.joining import Join, Order
from firmware.people.names import MAX_NAME, Person, at_table
from firmware.people.roster import Roster
from firmware.people.who_begins import WhoBegins
from firmware.phones.hub import Phones
from firmware.phones.link import Link, OwnWifi, Way
from firmware.setup import greeting_pictures as pictures
from firmware.setup import menu, zone_menu
from firmware.setup.chosen_kit import ALONE, Choosing
from firmware.setup.flashing import STEPS
from firmware.setup.menu_pictures import flashing, leaving, measuring
from firmware.setup.strip_test import sights
from firmware.setup.working import Working
from firmware.table import back_menu, menus, past_games, question, rounds_menu
from firmware.table.ending import EndMenu, EndScore
from firmware.table.half_entered import beyond
from firmware.table.interfaces import Given
from firmware.table.overlay import Overlay
from firmware.table.past_games import Unfinished
from firmware.table.past_score import PastScore
from firmware.table.phone_list import Joined, Joining, ThrowOut
from firmware.table.playing import Playing
from firmware.table.question import Entry, OpenOffers
from firmware.table.table import Table
from firmware.translation import translated
from firmware.wishes.desk import Desk
from hardware.config import TABLE, ControlConfig, KitConfig, Player
from hardware.doctor.findings import BY_CODE, finding
from tests.simulators.phone import as_wish
from tests.simulators.players import named, random_game

MS = 1_000_000
LATER_MS = (0, 300, 1_500, 8_000, 75_000)  # after what has happened: a flash, a verdict, a stopwatch
MAX_OPTIONS = 8  # of them so many are looked at
EACH = 2  # pictures of a kind that a game is looked at in
PITCH_MM = {"2.42 inch": 0.4297, "0.96 inch": 0.1699}  # from pixel to pixel, by panel
FAR_M = {"2.42 inch": 1.5, "0.96 inch": 1.0}  # from where a headline is read
PEOPLE = (0, 1, MAX_NAME)  # letters of their names; none: they have no names
TIGER_HONEY_FLUFFY, WOMBATS = ("78", "2", "3"), ("165", "204", "259")  # ids of phones with these names
NEAR_M = {"2.42 inch": 0.7, "0.96 inch": 0.5}  # and the bottom row


def longest_name() -> int:
    """How many letters a description allows in a name."""
    hint = get_type_hints(Player, include_extras=True)["name"]
    return next(
        int(meta.max_length) for meta in hint.__metadata__ if isinstance(meta, msgspec.Meta) and meta.max_length
    )


def names(letters: int, players: int) -> tuple[str, ...]:
    """Different names of so many letters."""
    return tuple(chr(ord("M") + seat) * letters for seat in range(players))


def persons(letters: int, players: int) -> dict[Seat, str]:
    """Names of people, of so many letters, half of them with marks; the last is a guest. None: no names."""
    return {
        seat: ("Ä" * (seat % 2) + chr(ord("T") + seat) * letters)[:letters] for seat in range(players - 1) if letters
    }


def every_value(rules: Rules[Any, Any]) -> list[Any]:
    """Options in which each value occurs at least once; of a number its ends."""
    choices: dict[str, tuple[Any, ...]] = {}
    for option in fields(rules.options):
        meta = option.metadata
        values = [value for value in option_values(option, programs=False) if type(value) is not int]
        values += [meta["low"], min(meta["low"] + 1, meta["high"]), meta["high"]] if "low" in meta else []
        choices[option.name] = tuple(dict.fromkeys([option.default, *values]))
    most = max(map(len, choices.values()))
    return [rules.options(**{name: those[n % len(those)] for name, those in choices.items()}) for n in range(most)]


def states(rules: Rules[Any, Any], players: int, options: Any, seed: int) -> Iterator[tuple[Play, int]]:
    """What a game at random comes to, and when: a few of each kind; and the same game ended by hand."""
    game = random_game(rules, players, options, seed)
    play = plays.opened(rules, game.facts[0])
    seen: dict[object, int] = {}
    for facts in (game.facts[:0], *(move.facts for move in game.moves)):
        play = reduce(plays.fold, facts, play)
        at_ns = facts[-1].at_ns if facts else 0
        asked = frozenset((offer.verb, offer.seat is None, offer.menu) for offer in play.offers)
        run = play.board.race
        kind = (asked, None if run is None else (run.phase, len(run.gaps)))
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= EACH or play.over:
            yield play, at_ns
        if seen[kind] == EACH and not play.over:
            yield plays.fold(play, plays.end(play, at_ns)[0]), at_ns


def entries(play: Play, q: OpenOffers, dice: Random) -> Iterator[Entry]:
    """Nothing entered, something, too much, and what is said where something is missing."""
    yield Entry()
    if q.count:
        some: dict[Seat | None, int] = {
            seat: dice.choice((offer.low or 0, offer.high or 0)) for seat, offer in q.count.items()
        }
        yield Entry(dict(some), latest=next(iter(q.count)))
        yield Entry(missing=tuple(q.count))
        seat, offer = next(iter(q.count.items()))
        yield Entry(dict(some), note=beyond(play.players[seat], offer, (offer.high or 0) + 1))
    elif q.control is not None and q.control.options:
        many = len(q.control.options)
        for n in range(0, many, -(-many // MAX_OPTIONS)):
            yield Entry({None: n})
    elif q.control is not None and q.control.high is not None:
        yield Entry({None: q.control.high})


def in_game(play: Play, at_ns: int, dice: Random, names: tuple[str, ...]) -> Iterator[Image.Image]:
    """A state in both kits, with what may be half entered, at several times, with and without buttons that work."""
    q = question.of(play.offers)
    for n, entry in enumerate(entries(play, q, dice)):
        for knob, dead in product((True, False), ((), tuple(range(len(play.players))))):
            for ms in LATER_MS if n == 0 and play.board.race is not None else LATER_MS[:1]:
                void, now_ns = ms == LATER_MS[1], at_ns + ms * MS
                yield screens.draw(play, entry, now_ns, knob=knob, dead=dead, void=void, names=names)


class Nobody:
    """Keeps nothing, plays nothing, is told nothing."""

    def begin_game(self, name: str, sheet: str = "") -> int:
        return 1

    def take_up(self, game: Recorded, *, goes_on: bool) -> int:
        return 1

    def write(self, game: int, facts: tuple[Fact, ...], sent: Iterable[Answered] = ()) -> int:
        return 0

    def together(self) -> AbstractContextManager[None]:
        return nullcontext()

    def write_phones(self, phones: Iterable[Phone], gone: Iterable[str] = ()) -> int:
        return 0

    def seat(self, game: Recorded | int, persons: Mapping[Seat, str | None]) -> int:
        return 0

    def write_people(self, persons: Iterable[Person]) -> int:
        return 0

    def forget(self, person: str) -> int:
        return 0

    def merge(self, one: str, into: str) -> int:
        return 0

    def remark(self, game: Recorded | int, note: str, day: str) -> int:
        return 0

    @property
    def ticket(self) -> int:
        return 0

    def answer_evening(self, *, new: bool) -> None:
        pass

    @property
    def evening_in_doubt(self) -> bool:
        return False

    def idle_ns(self, now_ns: int) -> int | None:
        return None

    def last_run_ns(self, now_ns: int) -> int | None:
        return None

    def read(self, read: object, then: object, wanted: object) -> None:
        pass

    def signal(self, buttons: tuple[str, ...], *, silent: bool) -> Given:
        return Given("lamps", 0)


def table(called: tuple[str, ...], people: Mapping[Seat, str], *, knob: bool) -> Table:
    """A table with nothing on it, which knows these people; their ids are their names."""
    nobody = Nobody()
    roster = Roster(
        [Person(name, name) for name in people.values()], {called[seat]: name for seat, name in people.items()}
    )
    return Table(
        called,
        nobody,
        nobody.signal,
        knob=knob,
        roster=roster,
        read=nobody.read,
        menus=menus.MENUS,
        desk=Desk,
        seed=lambda: 0,
        now_ns=0,
    )


def beside(play: Play, at_ns: int, people: Mapping[Seat, str], *, knob: bool) -> Iterator[Image.Image]:
    """Back, and everything that it leads to from a state of a game."""
    kit = table(play.players, people, knob=knob)
    playing = Playing(kit, 1, play, 0, people)
    listed = back_menu.More(playing)
    overlays: list[Overlay] = [back_menu.Back(playing), back_menu.Stamps(playing), back_menu.Reseat(playing)]
    sitting = Sitting(kit, 1, play.players, people)
    for row in rounds_menu.rounds(playing)[:: max(1, len(rounds_menu.rounds(playing)) - 1)]:  # the latest, the first
        overlays.append(rounds_menu.RoundsMenu(playing))
        for at in range(len(rounds_menu.RoundMenu(playing, row.round).entries)):
            entered = rounds_menu.RoundMenu(playing, row.round)
            entered.at, entered.editing = at, True
            overlays.append(entered)
    for offer in playing.question.menu:
        if offer.verb == FINISH:
            overlays.append(back_menu.FinishMenu(playing, offer))
        if offer.low is not None:
            number = back_menu.SideNumber(playing, offer)
            number.turn(offer.high or 0, knob)
            overlays.append(number)
    for seat, points in product((None, 0), (-plays.MAX_POINTS, plays.MAX_POINTS)):
        fix = back_menu.FixPoints(playing)
        fix.seat, fix.points = seat, points
        overlays.append(fix)
    for overlay in overlays:
        yield overlay.picture(at_ns)
    for listing in (listed, sitting):
        for at in range(len(listing.rows())):
            listing.at = at
            yield listing.picture(at_ns)
    sitting.at, sitting.editing = 0, True
    yield sitting.picture(at_ns)
    yield from scores(playing, at_ns)


def scores(playing: Playing, at_ns: int) -> Iterator[Image.Image]:
    """What leads from a game to the next, its score sheet, and its row in the lists of games."""
    kit, play = playing.table, playing.play
    following = EndMenu(playing)
    for at in range(len(following.rows())):
        following.at = at
        yield following.picture(at_ns)
    score = EndScore(playing)
    score.opened()
    for page in range(len(score.pages) + 1):
        score.page = page
        yield score.picture(at_ns)
    earlier = Unfinished(1, play, people=playing.people)
    yield menus.Resume(kit, earlier).picture(at_ns)
    sheet = PastScore(kit, earlier)
    sheet.opened()
    sheet.page = len(sheet.pages) + 1
    yield sheet.picture(at_ns)
    journaled = GameRow(1, play.rules.name, "2026-09-30T23:59:59+00:00")
    for games_ in (menus.Open(kit), menus.Past(kit)):
        yield games_.picture(at_ns)
        began = datetime.fromisoformat(journaled.started_at)
        known, unknown = (local_time.day(when) for when in (began, None))
        games_.listed = past_games.GamesRead(
            (past_games.listed(journaled, known, play, playing.names), past_games.listed(journaled, unknown, None, ()))
        )
        for at in range(3):
            games_.at = at
            yield games_.picture(at_ns)


class Shop:
    """A setup in which nothing is done."""

    def __init__(self, config: KitConfig) -> None:
        self.config, self.leds, self.flashes = config, 60, True
        self.choosing, self.phones = Choosing("table"), None

    def again(self, trial: str | None) -> None:
        pass

    def flash(self, then: object) -> None:
        pass

    def check(self, then: object) -> None:
        pass

    def calibrate(self, wire: int, then: object) -> None:
        pass


def setting_up(called: tuple[str, ...], *, knob: bool, faults: bool = True) -> Iterator[Image.Image]:
    """SET UP, and what it leads to; with all faults, or without."""
    kit = table(called, {}, knob=knob)
    players = tuple(Player(name, 4 + n) for n, name in enumerate(called))
    shop: Any = Shop(structs.replace(TABLE, players=players, control=ControlConfig(), buzzer=None))
    cli_play.offer(kit, shop)
    yield menus.Menu(kit).picture(0)
    wire, test = menu.WireMenu(kit, shop), menu.StripTest(kit)
    test.shown = sights(called)
    wire.explain(18)
    measured = kit.overlays[-1]
    menu.SetUp(kit, shop).check()
    menu.SetUp(kit, shop).flash()
    found = [finding(fault.code, fault.part, fault.place, **fault.values) for fault in BY_CODE.values()]
    listed = menu.Faults(kit, [each for each in found if each.fault and faults], kit.close)
    kinds = menu.Kits(kit, shop)
    for listing in (menu.SetUp(kit, shop), wire, listed, kinds, zone_menu.Regions(kit), menu.Colours(kit)):
        for at in range(len(listing.rows())):
            listing.at = at
            yield listing.picture(0)
    for fault in listed.faults:
        listed.explain(fault)
        yield from told(kit.overlays[-1])
    for explained in (measured, *kit.overlays[2:4]):
        yield from told(explained)
    for name, addresses in (("luckypaw", ("192.168.178.123", "10.42.0.1")), ("raspberrypi", ())):
        menu.SetUp(kit, shop).tell_address(name, addresses)
        yield from told(kit.overlays[-1])
    for at in range(len(kinds.rows())):
        kinds.at = at
        kinds.ok()
        yield from told(kit.overlays[-1])
    yield from (menu.Keep(kit, shop, name).picture(0) for name in ("", *kinds.kits))
    shop.choosing = Choosing("table", refused=translated(ALONE.fixed or ""))
    menu.after_choice(kit, shop)
    yield from told(kit.overlays[-1])
    for seen in ("GRB", "RRR"):
        colours = menu.Colours(kit)
        kit.open(colours)
        for letter in seen:
            yield colours.picture(0)
            colours.answer(letter)
        yield from told(kit.overlays[-1])
    for _ in test.shown:
        yield test.picture(0)
        test.turn(1, True)
    yield from (
        Working(kit).picture(0),
        *(menu.NoFault(kit, left=left).picture(0) for left in (False, True)),
        measuring(500, 2000),
        leaving(),
    )
    yield from (flashing(translated(text), 0.1) for text in STEPS)


def phones(
    called: tuple[str, ...], people: Mapping[Seat, str], *, knob: bool, ids: tuple[str, str, str] = TIGER_HONEY_FLUFFY
) -> Iterator[Image.Image]:
    """Joining with a phone, those that have, and all that a phone may wish for in a game. `ids`: of the phones."""
    kit = table(called, people, knob=knob)
    holds = [people.get(seat, name) for seat, name in enumerate(called)]
    roles = (("seat", (holds[0],)), ("table", tuple(holds[1:-1])), ("watch", ()))
    known = tuple(Phone(id_, id_, role, plays_for) for id_, (role, plays_for) in zip(ids, roles, strict=True))
    kit.phones = hub = Phones(kit, known, code=lambda: "7F3K9Q")
    hub.way = Way(("192.168.178.123:8643",), OwnWifi("Lucky Paw WM", "7f3k-9qx-m4w"))
    joining, joined = Joining(kit, hub), Joined(kit, hub)
    for overlay, turns in ((joining, 2), (joined, 4)):
        for _ in range(turns):
            yield overlay.picture(0)
            overlay.turn(1, True)
    for phone in known:
        yield ThrowOut(kit, hub, phone.id).picture(0)
    rules = games.rules("pack_and_stack")
    for play, _ in states(rules, len(called), rules.options(), 1):
        kit.game = Playing(kit, 1, replace(play, players=called), 0, people)
        if kit.game.quiet and not play.over and play.past is not None:
            break
    kit.overlays.clear()
    said: list[tuple[Phone, dict[str, Any]]] = [
        (known[0], {"undo": True}),
        (known[1], {"undo": True}),
        *((known[1], {"fix": [len(called) - 2, points]}) for points in (1, -plays.MAX_POINTS)),
        (known[1], {"end": True}),
        (known[2], {"seat": called[-1]}),
    ]
    for phone, message in said:
        link = Link(phone.id, lambda news: None, lambda: None)
        hub.connect(link)
        assert kit.game is not None
        scores: dict[str, Any] = {"scores": [(seat, score, 0) for seat, score in enumerate(kit.game.play.scores)]}
        hub.take(link, as_wish(message, hub.sight(phone.id) | {"game": scores}))
        yield kit.overlays[-1].picture(0)
        kit.close()
        kit.now_ns += 2_000 * MS


def greeting(called: tuple[str, ...]) -> Iterator[Image.Image]:
    """The first start: what is asked, shown and raced."""
    seats = tuple(range(len(called)))
    for pressed in (seats[:0], seats[:1], seats):
        yield pictures.press(called, pressed, None)
    for missing in (called[-1:], called[1:], called):
        yield pictures.press(called, [seat for seat in seats if called[seat] not in missing], missing)
    yield from (pictures.all_right(), pictures.rules(1), pictures.rules(3), pictures.go("1/3"))
    for many in range(len(called) + 1):
        yield pictures.wait("2/3", called[:many])
        order = [(name, 180 * MS + 1_999 * MS * seat) for seat, name in enumerate(called[:many])]
        for level, timed in product({min(1, many), many}, (True, False)):
            yield pictures.result("2/3", order, level=level, timed=timed)
    for won in range(len(called) + 1):
        yield pictures.end(called, [3 if seat < won else 0 for seat in seats])


def told(overlay: Overlay) -> Iterator[Image.Image]:
    """All pages of something told."""
    assert isinstance(overlay, menu.ToldPages)
    for _ in overlay.pages:
        yield overlay.picture(0)
        overlay.turn(1, True)


def outside(called: tuple[str, ...], people: Mapping[Seat, str], *, knob: bool) -> Iterator[Image.Image]:
    """The menu, joining and the options of every game, each at every value."""
    kit = table(called, people, knob=knob)
    menu = menus.Menu(kit)
    for at in range(len(menu.rows())):
        menu.at = at
        yield menu.picture(0)
    for rules in map(games.rules, games.names()):
        for many in range(min(rules.seats[1], len(called)) + 1):
            join = Join(kit, rules, lambda players, people: None)
            for button in called[:many]:
                join.press(button, 0, 0)
                yield join.picture(0)
            for button in called[:many] if people else ():
                join.press(button, 0, 0)
                yield join.picture(0)
                join.turn(1, True)
                yield join.picture(0)
            order = Order(kit, rules, called[:many], lambda players: None)
            for button in called[: many - 1] if many > 2 else ():
                yield order.picture(0)
                order.press(button, 0, 0)
        yield from beginning(kit, rules, called[: rules.seats[1]], people)
        options = menus.Options(kit, rules, called[: rules.seats[1]], people)
        for at in range(len(options.rows())):
            options.at, options.editing = at, False
            yield options.picture(0)
            if options.at >= len(options.rows()) - len(fields(rules.options)):
                options.editing = True
                options.turn(-1000, True)
                for _ in options.values():
                    yield options.picture(0)
                    options.turn(1, True)


def beginning(
    kit: Table, rules: Rules[Any, Any], called: tuple[str, ...], people: Mapping[Seat, str]
) -> Iterator[Image.Image]:
    """Who begins: waiting for all, for each, named, and found."""
    for at in range(len(called)):
        draw = WhoBegins(kit, titles(rules), called, people, lambda button: None)
        yield draw.picture(0)
        for button in called[:at]:
            kit.press(button, 0, 0)
        yield draw.picture(0)
        draw.turn(at + 1, True)
        yield draw.picture(0)
        draw.ok()
        yield draw.picture(0)
        for button in called[:at]:
            kit.release(button, 0)


def found(
    called: tuple[str, ...], rules: Rules[Any, Any], options: Any, seed: int, people: Mapping[Seat, str]
) -> Iterator[Image.Image]:
    """All pictures of a game at random, for these buttons and people."""
    dice = Random(seed)
    for n, (state, at_ns) in enumerate(states(rules, len(called), options, seed)):
        play = replace(state, players=called)
        yield from in_game(play, at_ns, dice, at_table(called, people))
        yield from beside(play, at_ns, people, knob=n % 2 == 0)


def arc_minutes(cap_px: int, panel: str, from_m: float) -> float:
    """How large a capital looks."""
    return math.degrees(math.atan(cap_px * PITCH_MM[panel] / 1000 / from_m)) * 60


def main() -> None:
    """Look at many games, and name those with a text that does not fit."""
    parser = argparse.ArgumentParser(prog="pixels", description="Draw every picture of many games.")
    parser.add_argument("--games", type=int, default=20, metavar="N", help="of each game and each set of options")
    asked = parser.parse_args()
    Canvas.strict = True
    for rules in map(games.rules, games.names()):
        drawn = 0
        for options, seed, letters in product(every_value(rules), range(asked.games), (2, longest_name())):
            long = PEOPLE[seed % len(PEOPLE)]
            players = seed % (rules.seats[1] - rules.seats[0] + 1) + rules.seats[0]
            with named(rules, seed, players, options):
                drawn += sum(1 for _ in found(names(letters, players), rules, options, seed, persons(long, players)))
        print(f"{rules.title:20} {drawn:7} pictures", flush=True)


if __name__ == "__main__":
    main()
