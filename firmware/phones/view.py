"""What a phone shows, as plain values: made of the game's offers and board alone, so it serves any game. Pure."""

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from engine import play as plays
from engine.play import Play
from engine.rules import BENCH, GO, HANDS, RECALL, RELEASE, TAKE_BACK, Action, Offer, Refused, Seat, Value
from firmware.messages import Early, PhoneQuestion
from firmware.output import screens
from firmware.output.public import does
from firmware.table import question
from firmware.table.early_answers import Answers, steps
from firmware.table.question import Kind
from firmware.translation import _, translated

NEVER = frozenset((BENCH, GO, HANDS, RECALL, RELEASE, TAKE_BACK))  # for hands on the kit's own buttons, and for the kit
COUNTS = 5  # questions in a row: points are booked after the last


class SeatPlace(NamedTuple):
    """A place at the table, as people choose theirs."""

    button: str
    label: str
    name: str  # of who sits there; empty for a guest
    taken: bool  # it has a phone
    mine: bool
    number: int | None  # of the button, which has the colour
    colour: str  # in words


def answerable(play: Play) -> tuple[Offer, ...]:
    """The offers that phones may answer: never a race, nor what is held, due, for programs or for the kit only."""
    asked = question.of(play.offers)
    if asked.kind is Kind.RACE or asked.release:
        return ()
    return tuple(
        offer
        for offer in play.offers
        if not (offer.race or offer.kit_only or offer.verb in NEVER)
        and (offer.due_ns, offer.example) == (None, None)
        and offer not in asked.passed
    )


def may(offer: Offer, seats: Collection[Seat], *, table: bool, with_phone: Collection[Seat]) -> bool:
    """Whether a phone of these seats may answer; one for the `table` answers for those without a phone, too."""
    if offer.seat in seats or (offer.for_seats and set(offer.for_seats) <= set(seats)):
        return True
    return table and (offer.seat is None or offer.seat not in with_phone)


def passes_for(offer: Offer, seats: Collection[Seat], with_phone: Collection[Seat]) -> bool:
    """Whether a phone of these seats would answer in the place of somebody who has a phone, too."""
    return any(seat in with_phone and seat not in seats for seat in offer.for_seats)


def ask(
    play: Play, offer: Offer, id_: str, names: Sequence[str], *, early: bool = False, small: bool = False
) -> PhoneQuestion:
    """A question for a phone. `id_`: of this question, which no other one has; `names`: by seat.

    `early`: before the seat's turn, of the game as it will be asked. `small`: it is shown below the others.
    """
    asked = question.of(play.offers)
    text = translated(play.rules.label(play.state, offer, None))
    if not (offer.menu or offer.hold):
        text = screens.own_title(play, tuple(names)) or text
    data: PhoneQuestion = {
        "id": id_,
        "seat": offer.seat,
        "verb": offer.verb,
        "for_seats": offer.for_seats,
        "text": text,
    }
    data["does"] = does(play, offer)
    data["aside"] = small or offer.menu or offer.hold or (asked.control is not None and offer == asked.ok)
    data["then"] = _then(play, offer)
    data["early"] = early
    if early:
        data["said"] = screens.said(play, tuple(names))
    if offer.letters:
        data |= {"letters": offer.letters, "none": _option(play, offer, offer.options[0], names)}
    elif offer.options:
        data["options"] = [[option, _option(play, offer, option, names)] for option in offer.options]
    elif offer.low is not None:
        data |= {"low": offer.low, "high": offer.high, "prefill": offer.prefill, "each": worth(play, offer)}
        data |= {"step": offer.step, "words": words(play, offer, names), "alone": ""}
        if offer.alone:
            data["alone"] = "any" if any(one.alone and one.seat != offer.seat for one in play.offers) else "box"
        data["tries"] = play.rules.preview is not None
    return data


def words(play: Play, offer: Offer, names: Sequence[str]) -> list[str]:
    """What the numbers of an offer stand for, from the lowest on; nothing where they are numbers.

    One that nobody is offered has an empty word.
    """
    if not offer.says or offer.low is None or offer.high is None:
        return []
    numbers = range(offer.low, offer.high + 1)
    if offer.says == "seats":
        return ["" if n in offer.out else names[n] if n >= 0 else _("Nobody") for n in numbers]
    return [translated(play.rules.label(play.state, offer, n)) for n in numbers]


def total(play: Play, offer: Offer, value: int, others: Mapping[Seat, int]) -> int | None:
    """The total of the seat with this number, and with what others have sent; None where it is not known."""
    if play.rules.preview is None or offer.seat is None:
        return None
    numbers: dict[Seat | None, int] = {offer.seat: value}
    for seat, number in others.items():
        numbers.setdefault(seat, number)
    return play.rules.preview(play.state, numbers, offer.verb)[offer.seat]


def _then(play: Play, offer: Offer) -> str | None:
    """The verb of the seat's press that stays open after its hold, so that one tap can do both; None: there is none."""
    if not offer.hold:
        return None
    presses = (one for one in answerable(play) if not (one.hold or one.menu or one.options) and one.low is None)
    press = next((one for one in presses if one.seat == offer.seat), None)
    after = reduce(plays.fold, plays.answer(play, Action(offer.seat, offer.verb, None, play.lapsed_ns)), play)
    return press.verb if press is not None and press in after.offers else None


def _option(play: Play, offer: Offer, option: Value, names: Sequence[str]) -> str:
    if isinstance(option, int):
        return names[option]
    label = play.rules.label(play.state, offer, option)
    return translated(str(option) if label == play.rules.label(play.state, offer, None) else label)


def worth(play: Play, offer: Offer) -> int | None:
    """What each of the things that are counted adds to the seat's points; None where it cannot be said so simply."""
    if offer.seat is None or offer.low is None or offer.high is None or offer.high < offer.low + 2:
        return None
    none, one = _points(play, offer, offer.low), _points(play, offer, offer.low + 1)
    if none is None or one is None or one == none:
        return None
    return one - none if _points(play, offer, offer.low + 2) == one + one - none else None


def _points(play: Play, offer: Offer, value: int) -> int | None:
    """The seat's points once it has answered so, all others the least, and whatever is counted next is as expected."""
    first = {one: one.low for one in question.of(play.offers).count.values()} if not offer.menu else {}
    answers: Mapping[Offer, int | None] = first | {offer: value}
    try:
        for _ in range(COUNTS):
            for one, number in answers.items():
                facts = plays.answer(play, Action(one.seat, one.verb, number, play.lapsed_ns))
                play = reduce(plays.fold, facts, play)
            asked = question.of(play.offers)
            if asked.kind is not Kind.COUNT:
                break
            answers = {one: one.low if one.prefill is None else one.prefill for one in asked.count.values()}
    except Refused:
        return None
    assert offer.seat is not None
    return play.scores[offer.seat]


def kept(play: Play, seat: Seat, answers: Answers, names: Sequence[str]) -> Early:
    """What a seat has answered before its turn."""
    said = []
    for then, one in steps(play, seat, answers):
        offer = next(offer for offer in then.offers if (offer.seat, offer.verb) == (seat, one.verb))
        value = (one.value or offer.options[0]) if offer.letters else one.value
        text = _option(then, offer, value, names) if value in offer.options else str(value)
        said.append([translated(then.rules.label(then.state, offer, None)), text])
    return {"seat": seat, "said": said}


def sent(numbers: Mapping[Seat, int], seats: Collection[Seat]) -> list[list[int]]:
    """The numbers that stand for these seats."""
    return [[seat, value] for seat, value in sorted(numbers.items()) if seat in seats]
