"""What a phone shows, as plain values: made of the game's offers and board alone, so it serves any game. Pure."""

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from engine import play as plays
from engine.game import Block, Entry
from engine.play import Play
from engine.rules import (
    BENCH,
    GO,
    HANDS,
    RECALL,
    RELEASE,
    TAKE_BACK,
    Action,
    Offer,
    Refused,
    Seat,
    Value,
    seats_of,
)
from firmware.messages import Answered, Ask, Early, Entered, EnteredNumber, Game, Race, Rounds, Row
from firmware.output import screens
from firmware.table import question
from firmware.table.ahead import Answers, steps
from firmware.table.question import Kind
from firmware.translation import _, ngettext, translated

NEVER = frozenset((BENCH, GO, HANDS, RECALL, RELEASE, TAKE_BACK))  # for hands on the kit's own buttons, and for the kit
COUNTS = 5  # questions in a row: points are booked after the last


class Place(NamedTuple):
    """A place at the table, as people choose theirs."""

    button: str
    label: str
    name: str  # of who sits there; empty for a guest
    taken: bool  # it has a phone
    mine: bool
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


def on_the_kit(play: Play) -> tuple[str, tuple[Seat, ...]]:
    """What the seats are to do that answer by their own button on the kit or wait for its signal, and these seats."""
    asked = question.of(play.offers)
    holds = tuple(seat for seat, offer in asked.press.items() if offer.verb == HANDS)
    if holds:
        return _("Hold your button on the kit!"), holds
    if question.waits_for_signal(play.board):
        return _("Watch the kit!"), seats_of(len(play.players))
    races = tuple(seat for seat, offer in asked.press.items() if offer.race)
    return (_("Press your button on the kit!"), races) if races else ("", ())


def may(offer: Offer, seats: Collection[Seat], *, table: bool, with_phone: Collection[Seat]) -> bool:
    """Whether a phone of these seats may answer; one for the `table` answers for those without a phone, too."""
    if offer.seat in seats:
        return True
    return table and (offer.seat is None or offer.seat not in with_phone)


def ask(play: Play, offer: Offer, id_: str, names: Sequence[str], *, early: bool = False) -> Ask:
    """A question for a phone. `id_`: of this question, which no other one has; `names`: by seat.

    `early`: before the seat's turn, of the game as it will be asked.
    """
    asked = question.of(play.offers)
    text = translated(play.rules.label(play.state, offer, None))
    if not (offer.menu or offer.hold):
        text = screens.own_title(play, tuple(names)) or text
    data: Ask = {"id": id_, "seat": offer.seat, "verb": offer.verb, "text": text}
    data["does"] = _does(play, offer)
    data["aside"] = offer.menu or offer.hold or (asked.control is not None and offer == asked.ok)
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


def known(play: Play, names: Sequence[str]) -> list[Answered]:
    """What is answered already of the round under way, ask by ask."""
    found = dict[str, Answered]()
    for one in () if play.over or play.rules.answered is None else play.rules.answered(play.state):
        said = (list(_columns(one)), entry_words(one, names))
        ask = found.setdefault(one.verb, {"text": screens.named(one.text, names), "said": []})
        ask["said"] = [*ask["said"], said]
    return list(found.values())


def _columns(entry: Entry) -> tuple[Seat, ...]:
    return () if entry.seat is None else tuple(sorted(entry.group)) or (entry.seat,)


def entry_words(entry: Entry, names: Sequence[str]) -> str:
    """A number that was entered, as people read it."""
    if entry.says == "seats":
        return names[entry.number] if entry.number >= 0 else _("Nobody")
    return translated(entry.words[entry.number - entry.low]) if entry.words else str(entry.number)


def rounds(play: Play, names: Sequence[str], blocks: Sequence[Block]) -> Rounds | None:
    """The table of rounds, without its rows; None in a game that has none. `blocks`: of the rows."""
    if play.rules.tally is None:
        return None
    columns = _of_table(play)
    sides = [" + ".join(names[n] for n in side) for side in columns]
    return {"columns": columns, "names": sides, "many": sum(map(len, blocks))}


def rows(play: Play, block: Block) -> list[Row]:
    """The rows of a block of the table of rounds."""
    columns, found = _of_table(play), list[Row]()
    for row in block:
        points = [next((row.points[n] for n in side if row.points[n] is not None), None) for side in columns]
        found.append((row.round, points, [row.totals[side[0]] for side in columns]))
    return found


def _of_table(play: Play) -> list[list[Seat]]:
    """The seats of each column of the table of rounds."""
    seats, sides = range(len(play.players)), play.rules.sides
    return [[seat] for seat in seats] if sides is None else list(map(list, sides(len(seats))))


def entered(game: int, play: Play, round_: int, names: Sequence[str]) -> Entered:
    """What was entered in a row of the table of rounds. `game`: its number."""
    entries = () if play.rules.entered is None else play.rules.entered(play.state, round_)
    return {"game": game, "round": round_, "entries": [_entered(one, names) for one in entries]}


def _entered(entry: Entry, names: Sequence[str]) -> EnteredNumber:
    numbers = range(entry.low, entry.high + 1) if entry.says else ()
    return {
        "seat": entry.seat,
        "verb": entry.verb,
        "who": " + ".join(names[n] for n in _columns(entry)),
        "text": screens.named(entry.text, names),
        "value": entry.number,
        "low": entry.low,
        "high": entry.high,
        "step": entry.step,
        "words": ["" if n in entry.out else entry_words(entry._replace(number=n), names) for n in numbers],
    }


def _does(play: Play, offer: Offer) -> str:
    """What a button does, in words; empty where its label says it."""
    return translated(play.rules.face(play.state).does.get(offer.verb, ""))


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
    text = translated(play.rules.label(play.state, offer, option))
    return str(option) if text == translated(play.rules.label(play.state, offer, None)) else text


def worth(play: Play, offer: Offer) -> int | None:
    """What each of the things that are counted adds to the seat's points; None where it cannot be said so simply."""
    if offer.seat is None or offer.low is None or offer.high is None or offer.high < offer.low + 2:
        return None
    points = [_points(play, offer, offer.low + n) for n in range(3)]
    if None in points:
        return None
    none, one, two = (n or 0 for n in points)
    return one - none if one != none and two - one == one - none else None


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


def race(play: Play, names: Sequence[str]) -> Race | None:
    """A race as it happens."""
    run = play.board.race
    if run is None:
        return None
    return {"phase": run.phase, "gaps": [(names[seat], ns) for seat, ns in run.gaps]}


def question_of(play: Play, names: Sequence[str]) -> str:
    """The question that is open, in words. What a press does stands on its button alone, unless its label asks.

    A label is left out, too, where the display shows something else instead of it.
    """
    if play.over:
        return result(play, names)
    asked, face = question.of(play.offers), play.rules.face(play.state)
    offer = next((one for one in (*asked.press.values(), asked.ok) if one is not None), None)
    if asked.kind is Kind.WAIT:
        return _("READY")
    alone = [one.seat for one in play.offers if one.alone]
    if len(alone) > len(set(alone)):  # several boxes of a seat
        return _("{name}: which one?", name=names[alone[0] or 0])
    if asked.control is not None or asked.count or offer is None:
        return screens.title(play, tuple(names))
    instructs = asked.kind is Kind.TAP and not (face.big or face.title or face.times or face.buttons)
    return (
        screens.title(play, tuple(names))
        if instructs or play.rules.label(play.state, offer, None).endswith("?")
        else ""
    )


def result(play: Play, names: Sequence[str]) -> str:
    """How a game has ended."""
    if play.ended:
        return _("The game was ended.")
    if play.rules.together:
        return _("All have won.") if play.winners else _("All have lost.")
    if len(names) == 1 and not play.rules.alone:
        return ngettext("{n} point.", "{n} points.", play.scores[0])
    won = [names[seat] for seat in play.winners]
    return ngettext("{names} wins.", "{names} win.", len(won), names=", ".join(won)) if won else _("Nobody wins.")


def _by_ok(play: Play) -> str | None:
    """What OK on the kit does where nobody in particular is asked; empty: the control chooses; None: nothing."""
    asked = question.of(play.offers)
    if play.over or play.board.turn:
        return None
    if asked.control is not None:
        return ""
    if asked.ok is None:
        return None
    return _does(play, asked.ok) or translated(play.rules.label(play.state, asked.ok, None))


def game(play: Play, names: Sequence[str]) -> Game:
    """What everybody may see of a game."""
    board = play.board
    places, (to_do, pressing) = play.places, on_the_kit(play)
    said = [text for text in screens.said(play, tuple(names)) if text not in names]  # who is asked is said anyway
    if play.over and not play.ended:
        said = [_("The game is over.")]
    heading = question_of(play, names)
    said = [text for text in said if text.rstrip(".") != heading]  # READY...
    if not heading and said:
        heading, *said = said
    return {
        "title": translated(play.rules.title),
        "where": screens.where(play, tuple(names)),
        "asked": heading,
        "said": said,
        "known": known(play, names),
        "ok": _by_ok(play),
        "over": play.over,
        "order": [seat for seat in board.order if seat is not None] if board.shows == "places" else [],
        "turn": [] if question.waits_for_signal(board) else list(board.turn),
        "on_kit": to_do,
        "pressing": list(pressing),
        "names": list(names),
        "scores": [(seat, play.scores[seat], places[seat]) for seat in play.ranking],
        "race": race(play, names),
    }


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
