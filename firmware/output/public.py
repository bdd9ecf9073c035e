"""What everybody may see of a table, as plain values and in words: made of offers and board, so of any game. Pure."""

from collections.abc import Mapping, Sequence

from engine.face import USUAL, Kept, Left, Overtime, runs_out
from engine.game import Block, RoundEntry
from engine.play import Play
from engine.rules import CLOSE, HANDS, Offer, Seat, seats_of
from firmware import buttons
from firmware.messages import Answered, Entered, EnteredNumber, Game, Ranked, Rounds, Row, Scores, ShownClock
from firmware.output import screens
from firmware.setup.certificate import Certificate, us
from firmware.table import question
from firmware.table.question import Kind
from firmware.translation import _, ngettext, translated


def game(play: Play, names: Sequence[str], of_kit: Sequence[str] = ()) -> Game:
    """What everybody may see of a game. `of_kit`: the names of the kit's buttons."""
    board, run = play.board, play.board.race
    places, (to_do, pressing) = play.places, on_the_kit(play)
    said = [text for text in screens.said(play, tuple(names)) if text not in names]  # who is asked is said anyway
    if play.over and not play.ended:
        said = [_("The game is over.")]
    heading = question_of(play, names)
    said = [text for text in said if text.rstrip(".") != heading]  # READY...
    points = screens.beside(play, tuple(names))
    if not heading and any(points):
        heading = _("The scores now")
    elif not heading and said:
        heading, *said = said
    return {
        "title": translated(play.rules.title),
        "where": screens.where(play, tuple(names)),
        "asked": heading,
        "said": said,
        "wrong": screens.wrong(play, tuple(names)),
        "known": known(play, names),
        "ok": _by_ok(play),
        "over": play.over,
        "order": [seat for seat in board.order if seat is not None] if board.shows == "places" else [],
        "turn": [] if question.waits_for_signal(board) else list(board.turn),
        "on_kit": to_do,
        "pressing": list(pressing),
        "names": list(names),
        "buttons": buttons.of_play(play, of_kit),
        "scores": [(seat, play.scores[seat], places[seat]) for seat in play.ranking],
        "beside": points,
        "race": None if run is None else {"phase": run.phase, "gaps": [(names[seat], ns) for seat, ns in run.gaps]},
    }


def clocks(play: Play) -> tuple[ShownClock, ...]:
    """The clocks that the display shows: one for each seat, or one for who is asked. Never when a signal is due."""
    face = USUAL if play.over else play.rules.face(play.state)
    of_table: Left | Kept | None = face.big if isinstance(face.big, Kept) else runs_out(face)
    if face.times:
        each = list[tuple[Seat | None, Left | Kept]](enumerate(face.times))
    else:
        turn = play.board.turn
        each = [] if of_table is None else [(turn[0] if len(turn) == 1 else None, of_table)]
    return tuple([ShownClock(seat, int(one), isinstance(one, Left), isinstance(one, Overtime)) for seat, one in each])


def question_of(play: Play, names: Sequence[str]) -> str:
    """The question that is open, in words. What a press does stands on its button alone, unless it ends a race.

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
    return screens.title(play, tuple(names)) if instructs or offer.verb == CLOSE else ""


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


def on_the_kit(play: Play) -> tuple[str, tuple[Seat, ...]]:
    """What seats do that answer with their own buttons on the kit or wait for its signal, and which seats these are."""
    asked = question.of(play.offers)
    holds = tuple(seat for seat, offer in asked.press.items() if offer.verb == HANDS)
    if holds:
        return _("Hold your button on the kit!"), holds
    if question.waits_for_signal(play.board):
        return _("Watch the kit!"), seats_of(len(play.players))
    races = tuple(seat for seat, offer in asked.press.items() if offer.race)
    return (_("Press your button on the kit!"), races) if races else ("", ())


def _by_ok(play: Play) -> str | None:
    """What OK on the kit does where nobody in particular is asked; empty: the control chooses; None: nothing."""
    asked = question.of(play.offers)
    if play.over or play.board.turn:
        return None
    if asked.control is not None:
        return ""
    if asked.ok is None:
        return None
    return does(play, asked.ok) or translated(play.rules.label(play.state, asked.ok, None))


def does(play: Play, offer: Offer) -> str:
    """What a button does, in words; empty where its label says it."""
    return translated(play.rules.face(play.state).does.get(offer.verb, ""))


def known(play: Play, names: Sequence[str]) -> list[Answered]:
    """What is answered already of the round under way, ask by ask."""
    found = dict[str, Answered]()
    for one in () if play.over or play.rules.answered is None else play.rules.answered(play.state):
        said = (list(_columns(one)), entry_words(one, names))
        ask = found.setdefault(one.verb, {"text": screens.named(one.text, names), "said": []})
        ask["said"] = [*ask["said"], said]
    return list(found.values())


def rounds(play: Play, names: Sequence[str], blocks: Sequence[Block], of_kit: Sequence[str] = ()) -> Rounds | None:
    """The table of rounds, without its rows; None in a game that has none.

    `blocks`: of the rows. `of_kit`: the names of the kit's buttons.
    """
    if play.rules.tally is None:
        return None
    columns = _of_table(play)
    sides = [" + ".join(names[n] for n in side) for side in columns]
    by_seat = buttons.of_play(play, of_kit)
    first = [by_seat[side[0]] for side in columns]
    return {"columns": columns, "buttons": first, "names": sides, "many": sum(map(len, blocks))}


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


def _entered(entry: RoundEntry, names: Sequence[str]) -> EnteredNumber:
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


def entry_words(entry: RoundEntry, names: Sequence[str]) -> str:
    """A number that was entered, as people read it."""
    if entry.says == "seats":
        return names[entry.number] if entry.number >= 0 else _("Nobody")
    return translated(entry.words[entry.number - entry.low]) if entry.words else str(entry.number)


def _columns(entry: RoundEntry) -> tuple[Seat, ...]:
    return () if entry.seat is None else tuple(sorted(entry.group)) or (entry.seat,)


def scores(game: int, play: Play, names: Sequence[str], people: Mapping[Seat, str]) -> Scores:
    """The scores as they stand. `names`: by seat."""
    places = play.places
    rows = [
        Ranked(
            seat=seat,
            label=play.players[seat],
            person=people.get(seat),
            name=names[seat],
            points=play.scores[seat],
            place=places[seat],
        )
        for seat in play.ranking
    ]
    return Scores(game=game, title=translated(play.rules.title), over=play.over, rows=rows)


def certificate(c: Certificate, unused: str | None = None) -> str:
    """How late presses are stamped, in one sentence. `unused`: why the kit does not go by it, if it does not."""
    late = {"p50": us(c.p50_ns), "p99": us(c.p99_ns), "most": us(c.max_ns), "error": us(c.error_ns), "day": c.day}
    text = _(
        "Stamps are late by {p50} (p50), {p99} (p99), at most {most}; timing error {error}; measured {day}", **late
    )
    return text if unused is None else _("{measured}; unused: {why}", measured=text, why=unused)
