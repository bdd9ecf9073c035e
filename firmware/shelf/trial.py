"""A sheet tried without a table: its answers are folded in memory, and nothing is kept.

A try is its text, its players and its moves: who has done what, in ms since it began. It is reckoned anew from them, so
nothing is left of one that its page has forgotten.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any

from engine import play as plays
from engine.face import Said
from engine.game import NoOptions
from engine.play import Fact, Play
from engine.rules import BENCH, GO, HANDS, RECALL, RELEASE, TAKE_BACK, Action, Offer, Refused, Seat, Value
from engine.sheets.asking import ANYWAY
from engine.sheets.reading import read
from engine.sheets.rules import heading, rules
from engine.stamps import MS
from firmware.output.screens import face
from firmware.output.screens.canvas import longest
from firmware.output.screens.view import View
from firmware.random_play.strangers import Stranger
from firmware.table import question
from firmware.table.question import EMPTY
from firmware.translation import _, translated

MOST_MOVES = 300  # of one try
MOST_ANSWERS = 200  # of one round that is played at random
MOST_DUE = 200  # answers of the clock in one go
LONGEST_MS = 6 * 3600 * 1000
KIT_ONLY = frozenset((BENCH, GO, HANDS, RECALL, RELEASE, TAKE_BACK))

Move = tuple[int, Seat | None, str, Value]  # in ms; a verb of "" is a round played at random


def shown(text: str, players: int, moves: Sequence[Move], now_ms: int) -> dict[str, Any]:
    """What a page shows of the try. Raises `SheetErrors`, and `ValueError` for what no page sends."""
    played = TriedGame(text, players)
    for n, (at_ms, seat, verb, value) in enumerate(moves):
        played.until(at_ms)
        if verb:
            played.answer(seat, verb, value)
        else:
            played.round_at_random(Random(n))
    played.until(now_ms)
    return played.told() | {"left": MOST_MOVES - len(moves)}


def moves_of(given: object) -> list[Move]:
    """Moves as a page sends them. Raises `ValueError`."""
    if not isinstance(given, list) or len(given) > MOST_MOVES:
        raise ValueError(_("a try has at most {most} moves", most=MOST_MOVES))
    out = list[Move]()
    for one in given:
        match one:
            case [int(at_ms), int() | None as seat, str(verb), int() | str() | None as value]:
                out.append((at_ms, seat, verb, value))
            case _:
                raise ValueError("no such move")
    return out


class TriedGame:
    """A game that is tried."""

    def __init__(self, text: str, players: int) -> None:
        sheet = read(text)
        if not sheet.players[0] <= players <= sheet.players[1]:
            low, high = sheet.players
            raise ValueError(_("players: must be from {low} to {high}", low=low, high=high))
        self.names = tuple(f"P{n + 1}" for n in range(players))
        first = plays.start(rules("sheet:trial", sheet), self.names, NoOptions(), 1)
        self.play = plays.opened(rules("sheet:trial", sheet), first)
        self.now_ns = 0

    def until(self, at_ms: int) -> None:
        """Time passes: what is due is answered."""
        to_ns = max(self.now_ns, min(at_ms, LONGEST_MS) * MS)
        for _n in range(MOST_DUE):
            due = plays.due_by(self.play, to_ns)
            if due is None:
                break
            self.now_ns = max(self.now_ns, due.at_ns)
            self._take(due)
        self.now_ns = to_ns

    def answer(self, seat: Seat | None, verb: str, value: Value = None) -> None:
        """A move. Raises `ValueError` where it is not offered."""
        try:
            self._take(Action(seat, verb, value, self.now_ns))
        except Refused as refused:
            raise ValueError(translated(refused.text)) from None

    def _take(self, action: Action) -> tuple[Fact, ...]:
        facts = plays.answer(self.play, action)
        play = reduce(plays.fold, facts, self.play)
        past = play.past and play.past._replace(rest=None)  # nothing is taken back: a long game keeps no memory
        self.play = replace(play, past=past)
        return facts

    def round_at_random(self, dice: Random) -> None:
        """Any answers, until the round is over; where a check does not hold others are tried, then it is waived."""
        number, stranger = self.play.board.round, Stranger(self.play.rules, dice)
        for _n in range(self._most()):
            if self.play.over or self.play.board.round != number:
                return
            clock = [offer for offer in self.play.offers if offer.due_ns is not None]
            people = [offer for offer in _open(self.play) if not offer.menu or offer.verb == ANYWAY]
            if not clock and not people:
                return
            action = stranger.pick([*people, *clock], self.now_ns, self.now_ns)
            self.now_ns = max(self.now_ns, action.at_ns)
            before = self.play
            stranger.heard(before, action.verb, action.value, self._take(action))

    def _most(self) -> int:
        program = self.play.state.game.program
        return len(self.names) * max(1, program.in_round) if self.play.state.game.flow.a_row_each else MOST_ANSWERS

    # --- what is told ------------------------------------------------------------------------------------------------

    def told(self) -> dict[str, Any]:
        """The game as its page shows it."""
        play, board = self.play, self.play.board
        due = plays.next_due(play)
        seats = [
            {
                "name": name,
                "total": play.scores[seat],
                "place": play.places[seat],
                "asked": seat in board.turn,
                "kept": {key.replace("_", " "): number for key, number in board.tokens[seat].items()},
            }
            for seat, name in enumerate(self.names)
        ]
        return {
            "where": [self._text(part) for part in heading(play.state) if part != ""],
            "says": list(self._says()),
            "seats": seats,
            "asks": [] if play.over else [self._ask(offer) for offer in _open(play)],
            "over": play.over,
            "now_ms": -(-self.now_ns // MS),
            "due_ms": None if play.over or due is None or due.due_ns is None else -(-due.due_ns // MS),
        }

    def _says(self) -> Iterator[str]:
        play = self.play
        if play.over:
            won = [self.names[seat] for seat in play.winners]
            yield _("The game is over.")
            yield _("Won by {names}.", names=", ".join(won)) if won else _("Nobody has won.")
            return
        told = play.rules.face(play.state)
        yield from [self._text(said) for said in (told.big, *told.lines) if said != ""]

    def _ask(self, offer: Offer) -> dict[str, Any]:
        play = self.play
        ask: dict[str, Any] = {"seat": offer.seat, "verb": offer.verb, "aside": offer.menu}
        ask["text"] = self._text(play.rules.label(play.state, offer, None))
        if offer.options:
            ask["options"] = [[one, self._option(offer, one)] for one in offer.options]
        elif offer.low is not None and offer.high is not None:
            if offer.says or (offer.low, offer.high) == (0, 1):
                ask["options"] = [[n, self._option(offer, n)] for n in range(offer.low, offer.high + 1)]
            else:
                ask |= {"low": offer.low, "high": offer.high, "step": offer.step, "prefill": offer.prefill}
        return ask

    def _option(self, offer: Offer, value: int | str) -> str:
        if isinstance(value, int) and (offer.says == "seats" or offer.options):
            return self.names[value] if value >= 0 else _("nobody")
        return self._text(self.play.rules.label(self.play.state, offer, value))

    def _text(self, said: Said) -> str:
        """As the display would say it, with its times as they are now."""
        view = View(self.play, question.of(self.play.offers), EMPTY, self.now_ns, knob=True)
        return longest(face.shown(view, said))


def _open(play: Play) -> list[Offer]:
    """What people may do now, without what is for hands, the clock and the kit."""
    return [offer for offer in play.offers if offer.due_ns is None and offer.verb not in KIT_ONLY]
