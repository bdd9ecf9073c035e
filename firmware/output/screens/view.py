"""What a picture is drawn from: the game as people may see it, what is half entered, and times in words."""

import re
from collections.abc import Callable
from typing import Any

from msgspec import field

from engine.face import USUAL, Face
from engine.game import Record, Rules
from engine.play import Play
from engine.rules import Offer, Seat, Value
from engine.stamps import S
from firmware.output.screens.canvas import Text
from firmware.people.names import MAX_NAME, fitted
from firmware.table.question import Entry, OpenOffers, answered_for, chosen, shown
from firmware.translation import _, translated

MAX_TITLE = 13  # letters of a game's title where there is little room
LITTLE = ("the", "of", "to", "a", "an", "and")  # words that a title can do without


class View(Record):
    """The input of a picture: the game, the unfinished entry, the time, and the control that is fitted."""

    play: Play
    question: OpenOffers
    entry: Entry
    at_ns: int
    knob: bool
    dead: tuple[Seat, ...] = ()  # seats whose button does not work: the control answers for them
    void: bool = False  # by holding, a press of the race that is over is still taken back
    names: tuple[str, ...] = ()  # by seat the player's name; the label for a guest; nothing: all are guests
    away: frozenset[Seat] = frozenset()  # seats that are asked, and whose phone is asleep
    phone: str = ""  # which one says OK, too, now that all numbers are in
    face: Face = USUAL  # what the question says of itself
    wrong: Text = ""  # of it what is wrong with the answers, with names
    reads: list[int] = field(default_factory=list)  # the time, each time that it was read

    @property
    def now_ns(self) -> int:
        """The time: a picture that has read it is another one as soon as it is later."""
        self.reads.append(self.at_ns)
        return self.at_ns

    @property
    def called(self) -> tuple[str, ...]:
        """By seat the player's name, or the button's label."""
        return self.names or self.play.players

    @property
    def answered_for(self) -> Seat | None:
        """The seat that the control answers for next."""
        return answered_for(self.question, self.entry, self.dead)

    def label(self, seat: Seat) -> str:
        """The name on the seat's button."""
        return self.play.players[seat]

    def name(self, seat: Seat, most: int = MAX_NAME) -> str:
        """The player's name in so many characters, or the label where there is none, or two would look the same.

        Labels are cut, too, where all are still different.
        """
        called = fitted(self.names, self.play.players, most) if self.names else self.play.players
        short = [one[:most] for one in called]
        return (short if len(set(short)) == len(short) else called)[seat]

    def named(self, say: Callable[[str], str], *seats: Seat) -> tuple[str, ...]:
        """A text with names, and for where there is no room with labels."""
        who = [" ".join(names[seat] for seat in seats) for names in (self.called, self.play.players)]
        return tuple(say(each) for each in dict.fromkeys(who))

    def option(self, value: Value) -> str:
        """An option or a number in words; in options a number is a seat."""
        offer = self.question.control
        assert offer is not None
        if isinstance(value, int) and (offer.options or (offer.says == "seats" and value >= 0)):
            return self.name(value)
        return self.words(offer, value)

    def words(self, offer: Offer, value: Value = None) -> str:
        """An offer in words, or one of its options or numbers."""
        return translated(self.play.rules.label(self.play.state, offer, value))

    @property
    def title(self) -> str:
        """The question in words."""
        offer = self.question.first
        return self.words(offer) if offer else ""

    @property
    def leaders(self) -> list[Seat]:
        """The seats with the best total."""
        points = self.play.scores
        best = min(points) if self.play.rules.best < 0 else max(points)
        return [seat for seat, total in enumerate(points) if total == best]

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """Who has one score: every seat or, where people play together, the partners."""
        players, sides = len(self.play.players), self.play.rules.sides
        return tuple((seat,) for seat in range(players)) if sides is None else sides(players)

    def side(self, seats: tuple[Seat, ...], most: int = MAX_NAME) -> str:
        """Partners by name where so many characters have room for it, else by label."""
        if len(seats) == 1:
            return self.name(seats[0], most)
        each = (most - len(seats) + 1) // len(seats)
        texts = ["+".join(self.name(seat, letters) for seat in seats) for letters in (MAX_NAME, max(each, 1))]
        labels = "+".join(map(self.label, seats))
        return next((text for text in (*texts, labels) if len(text) <= most), labels[:most])

    @property
    def becomes(self) -> tuple[int | None, ...]:
        """By seat the total with what is entered; None where it stays, or is not known yet."""
        q, rules = self.question, self.play.rules
        numbers: dict[Seat | None, int] = {}
        verb = ""
        if q.control is not None and q.control.low is not None:
            verb, number = q.control.verb, chosen(q, self.entry)
            assert isinstance(number, int)
            numbers[None] = number
        for seat, offer in q.numbers.items():
            verb = offer.verb
            if (one := shown(q, self.entry, seat)) is not None:
                numbers[seat] = one
        if rules.preview is None or not numbers:
            return (None,) * len(self.play.players)
        return rules.preview(self.play.state, numbers, verb)


def titles(rules: Rules[Any, Any]) -> tuple[str, ...]:
    """A game's title, whole and shorter."""
    return shorter(rules.title)


def shorter(title: str) -> tuple[str, ...]:
    """The title of a game, whole and shorter: the last one has at most `MAX_TITLE` letters, and names the game."""
    title = translated(title)
    first = re.split(r"[:(]", title)[0].strip() or title
    words = [word for word in first.split() if word not in LITTLE] or [first]
    last = words[-1][:MAX_TITLE]
    for word in reversed(words[:-1]):
        if len(word) + 1 + len(last) > MAX_TITLE:
            break
        last = f"{word} {last}"
    each = (title, first, " ".join(words))
    return tuple(
        dict.fromkeys((*each[: 1 + next((n for n, one in enumerate(each) if len(one) <= MAX_TITLE), 2)], last))
    )


def seconds(ns: int) -> str:
    """A stopwatch: 34.2, 2:05.1."""
    tenths = max(0, ns) // (S // 10)
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02}.{rest % 10}" if minutes else f"{rest // 10}.{rest % 10}"


def time_left(view: View, due_ns: int, *, over: bool = False) -> str:
    """The time left until then, in minutes and seconds; `over`: also how long ago that was."""
    left = seconds_to(view.now_ns, due_ns)
    minutes, rest = divmod(abs(left) if over else max(0, left), 60)
    return f"{'-' if over and left < 0 else ''}{minutes}:{rest:02}"


def seconds_to(now_ns: int, at_ns: int) -> int:
    """Whole seconds until then, the one that has begun included."""
    return -((now_ns - at_ns) // S)


def counted_down(now_ns: int, at_ns: int) -> int:
    """What a countdown shows: 3, 2, 1."""
    return max(1, seconds_to(now_ns, at_ns))


def minutes(ns: int) -> str:
    """A time that stands still, in minutes and seconds."""
    return "{}:{:02}".format(*divmod(max(0, -(-ns // S)), 60))


def gap(ns: int) -> str:
    """A gap between presses, in seconds."""
    return f"+{ns / S:.2f}"


def number(view: View) -> str:
    """The round, and of how many where that is known."""
    board = view.play.board
    return _("R{number}", number=f"{board.round}/{board.rounds}" if board.rounds else board.round)


def turn(knob: bool) -> str:
    """The control that is fitted, in a word."""
    return _("turn") if knob else "▲▼"


def more(knob: bool) -> str:
    """One step up of the control that is fitted."""
    return _("turn") if knob else "▲"


def down(knob: bool) -> str:
    """One step down of the control that is fitted: to the side entries, from some questions at once, else from Back."""
    return _("turn") if knob else "▼"
