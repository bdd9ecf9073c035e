"""A table at which Kitty Paw is played from a line of words: `Table(3).do("go A B wait yes 6 next")`.

A, B, C, D are the seats. Every word is said 1 s after the one before, unless it says how many ms: `B+0.05`.

    go            all who play put their hands down, and the clock runs until the flash
    +A -A         a hand down, a hand up
    A             a press: the Meow or an answer; ~A takes it back; !A has no working button
    wait, tick    the clock answers all that is due, or only what is due next
    caller=A last=B last=all last=nobody     the table rules
    yes no 6 II   the check, the card's points, the level read from a card
    close scrap next undo redo end
"""

from collections.abc import Iterable
from typing import Any

from engine import play
from engine.games.kitty_paw import LEVELS, RULES, Options, State
from engine.play import Fact, Play
from engine.rules import Action, Seat, Value, read_options, replace

MS = 1_000_000
SECOND = 1000 * MS
ERROR_NS = 100_000


class Table:
    """One game, its clock, and all facts so far."""

    def __init__(self, players: int = 3, *, seed: int = 1, boot: str = "one", **options: Any) -> None:
        names = tuple("ABCD"[:players])
        first = play.start(RULES, names, read_options(Options, options), seed)
        self.facts: list[Fact] = [first]
        self.play: Play = play.opened(RULES, first, boot)
        self.now_ns = 100 * SECOND

    @property
    def state(self) -> State:
        state: State = self.play.state
        return state

    @property
    def phase(self) -> str:
        return self.play.rules.board(self.state).phase

    @property
    def verbs(self) -> set[str]:
        """What is offered, whoever is asked."""
        return {offer.verb for offer in self.play.offers}

    def asked(self, verb: str) -> tuple[Seat | None, ...]:
        """Who is offered this."""
        return tuple(offer.seat for offer in self.play.offers if offer.verb == verb)

    def options(self, verb: str) -> tuple[Seat | str, ...]:
        """What the table may say."""
        return next(offer.options for offer in self.play.offers if offer.verb == verb)

    def deal(self, **parts: Any) -> "Table":
        """Put the game somewhere: parts of its state by name; `round` is a number."""
        if "round" in parts:
            parts["round"] = replace(self.state.round, number=parts["round"])
        self.play = replace(self.play, state=replace(self.state, **parts))
        return self

    def take(self, facts: Iterable[Fact]) -> "Table":
        for fact in facts:
            self.facts.append(fact)
            self.play = play.fold(self.play, fact)
        return self

    def act(
        self, seat: Seat | None, verb: str, value: Value = None, *, at_ns: int | None = None, error_ns: int = ERROR_NS
    ) -> "Table":
        """One action, by default stamped now."""
        at_ns = self.now_ns if at_ns is None else at_ns
        return self.take(play.answer(self.play, Action(seat, verb, value, at_ns, error_ns)))

    def tick(self) -> "Table":
        """The clock answers what is due next."""
        due = play.next_due(self.play)
        assert due is not None and due.due_ns is not None
        self.now_ns = max(self.now_ns, due.due_ns)
        return self.act(None, due.verb, at_ns=due.due_ns)

    def wait(self) -> "Table":
        while self.play.due_ns is not None:
            self.tick()
        return self

    def do(self, words: str) -> "Table":
        """Play a line of words."""
        for word in words.split():
            self._word(word)
        return self

    def _word(self, word: str) -> None:
        word, plus, ms = word.partition("+") if word[0] != "+" else (word, "", "")
        self.now_ns += round(float(ms) * MS) if plus else SECOND
        table, _, value = word.partition("=")
        match table:
            case "go":
                for seat in self.state.round.seats:
                    self.act(seat, "hands")
                self.tick()
            case "wait":
                self.wait()
            case "tick":
                self.tick()
            case "undo":
                self.take(play.undo(self.play, self.now_ns))
            case "redo":
                self.take(play.redo(self.play, self.now_ns))
            case "end":
                self.take(play.end(self.play, self.now_ns))
            case "caller" | "last":
                self.act(None, table, "ABCD".index(value) if value in "ABCD" else value)
            case "yes" | "no":
                self.act(None, "check", table)
            case "close" | "scrap" | "next":
                self.act(None, table)
            case "I" | "II" | "III":
                self.act(None, "level", LEVELS.index(table) + 1)
            case _ if table.isdigit():
                self.act(None, "points", int(table))
            case _ if table[0] == "!":
                self.act(None, "bench", "ABCD".index(table[1]))
            case _:
                verb = {"+": "hands", "-": "release", "~": "take_back"}.get(table[0], "meow")
                self.act("ABCD".index(table[-1]), verb)
