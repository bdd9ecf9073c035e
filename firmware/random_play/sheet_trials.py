"""A score sheet that is tried: games at random with the fewest and the most players, and what was wrong in them."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from PIL import Image

from engine import play as plays
from engine.game import Rules
from engine.pasted import toml_as_meant
from engine.play import Fact, Play
from engine.rules import Refused
from engine.sheets.asking import Complete, SheetEvent
from engine.sheets.expressions import Expression, NoValue
from engine.sheets.flow import Counted, Failed
from engine.sheets.program import Program
from engine.sheets.reading import SheetError, key_of
from engine.sheets.sheet import Check
from engine.sheets.state import NOT_LEVEL, WHYS, SheetState, Uncountable, checked, inside, rows, scored
from engine.toml_places import Path, Places
from firmware.output import screens
from firmware.output import sheet_on_display as on_display
from firmware.random_play.answer_effects import AnswerEffects
from firmware.random_play.strangers import Move, Stranger, moves
from firmware.translation import _, translated

GAMES = 6  # with each number of players
HOPELESS = 2  # so many that do not end are enough
MOST = 4000  # answers of a game
TRIES = 1000  # answers that are changed, each time that a check fails
BUTTONS = 6  # of a kit, at most: games of more players have no pictures
PICTURES, COLUMNS, SCALE, GAP = 40, 4, 2, 8  # of a sheet of pictures


class GamesTried(NamedTuple):
    """Games with one number of players."""

    players: int
    games: int
    ended: int
    answers: int
    rounds: tuple[int, int] | None  # the fewest and the most of a game that ended; None: none did
    totals: tuple[int, int] | None
    pictures: tuple[Image.Image, ...]  # one for each kind of moment


class Trial:
    """A sheet, and what was wrong with it in the games so far."""

    def __init__(self, rules: Rules[SheetState, Any], file: str, *, most: int = MOST, pictures: bool = False) -> None:
        self.rules, self.file, self.most, self.pictures = rules, file, most, pictures
        self.program: Program = rules.start(rules.seats[0], rules.options()).game.program
        self.paths = dict(_paths(self.program))
        self.tries, self.held = Counter[int](), set[int]()  # by check
        self.faults = Counter[tuple[Path, str]]()
        self.questions = AnswerEffects(self.program)
        self.endless = 0  # answers in games that did not end
        self.ended = False

    def tried(self, players: int) -> GamesTried:
        """Some games with so many players."""
        names = tuple(f"P{seat + 1}" for seat in range(players))
        rounds, totals, pictures = list[int](), list[int](), dict[object, Image.Image]()
        games = ended = answers = 0
        for seed in range(GAMES):
            stranger = Stranger(self.rules, Random(f"{players} {seed}"), tries=TRIES)
            stranger.tried = self.tries
            last, many = self.game(names, seed, stranger, pictures)
            games, answers = games + 1, answers + many
            if last.over:
                ended += 1
                rounds.append(last.board.round)
                totals += last.scores
            else:
                self.endless += many
                if games - ended == HOPELESS and not ended:
                    break
        self.ended = self.ended or ended > 0
        shown = tuple(pictures.values())
        ranges = [(min(many), max(many)) if many else None for many in (rounds, totals)]
        return GamesTried(players, games, ended, answers, ranges[0], ranges[1], shown)

    def game(
        self, names: tuple[str, ...], seed: int, stranger: Stranger, pictures: dict[object, Image.Image]
    ) -> tuple[Play, int]:
        """A game to its end, or as far as it is worth while, and how many answers it took."""
        last = plays.opened(self.rules, plays.start(self.rules, names, self.rules.options(), seed))
        facts, began, many = [plays.start(self.rules, names, self.rules.options(), seed)], list[Any](), 0
        self.picture(last, pictures)
        for move in islice(moves(self.rules, names, seed, stranger), self.most):
            many, last = many + 1, move.after
            facts += move.facts
            self.note(move)
            self.picture(last, pictures)
            if last.step > move.before.step:
                began[move.before.step :] = [move.before.state] * (last.step - move.before.step)
            self.undone(last, began)
        if plays.replay(self.rules, tuple(facts)).state != last.state:
            self.faults[("title",), _("resumed, the game is another one")] += 1
        if last.over:
            self.at_end(last.state)
        return last, many

    def note(self, move: Move) -> None:
        """Take note of checks that hold, and of those that fail."""
        state = move.before.state
        for fact in move.facts:
            if isinstance(fact.event, Counted):
                self.questions.note(state)
                self.held |= {n for n in range(len(self.program.checks)) if n not in state.round.waived}
            elif isinstance(fact.event, Failed):
                self.failed(state, fact)
            if isinstance(fact.event, SheetEvent):
                state = fact.event.fold(state)

    def failed(self, state: SheetState, fact: Fact) -> None:
        """Take note of what has no value, and of a side that is not level."""
        if fact.event.why >= 0:
            return
        found = Uncountable(fact.event.why, self.program.points)
        try:
            if isinstance(state.ask, Complete):
                checked(state, state.ask.at)
            scored(state)
        except Uncountable as failure:
            found = failure
        self.faults[self.paths.get(id(found.of), ("points",)), translated(WHYS[-1 - fact.event.why])] += 1

    def at_end(self, state: SheetState) -> None:
        """Take note of what has counted as 0."""
        if NOT_LEVEL in state.faults:
            path: Path = ("final", 0, "points") if self.program.extra else ("points",)
            self.faults[path, translated(WHYS[-1 - NOT_LEVEL])] += 1
        table, program = rows(state), self.program
        for expression in (*program.extra, *program.win, *filter(None, (program.together,))) if state.faults else ():
            for seat in inside(state):
                try:
                    expression.run(table.rows[seat])
                except NoValue as fault:
                    text = _("{what} counted as 0", what=translated(str(fault)))
                    self.faults[self.paths[id(expression)], text] += 1
                    break

    def undone(self, play: Play, began: list[Any]) -> None:
        """Undo the latest step, and redo it."""
        with suppress(Refused):
            back = reduce(plays.fold, plays.undo(play), play)
            same = back.state == began[back.step]
            if back.future is not None:
                again = reduce(plays.fold, plays.redo(back), back)
                same = same and again.state == plays.without_trace(play).state
            if not same:
                self.faults[("title",), _("undo does not lead back")] += 1

    def picture(self, play: Play, pictures: dict[object, Image.Image]) -> None:
        """Keep the picture of a kind of moment that has not been met yet."""
        board, verbs = play.board, frozenset((o.verb, o.seat is None) for o in play.offers if not o.menu)
        race = None if board.race is None else board.race.phase
        again = bool(play.state.round.again)
        kind = (type(play.state.ask).__name__, board.phase, race, verbs, again, play.state.lap is None)
        if kind not in pictures and len(pictures) < PICTURES and self.pictures and len(play.players) <= BUTTONS:
            pictures[kind] = screens.draw(play, now_ns=play.heard_ns)

    def wrong(self) -> tuple[SheetError, ...]:
        """All that was wrong, by line."""
        found = [(path, text if many == 1 else f"{text} ({many} x)") for (path, text), many in self.faults.items()]
        found += on_display.look_alike(self.program.sheet)
        for n, check in enumerate(self.program.checks):
            if self.tries[n] and n not in self.held:
                found.append((self.paths[id(check.that)], _("never held in {n} tries", n=f"{self.tries[n]:,}")))
        return self.by_line(found)

    def remarks(self) -> tuple[SheetError, ...]:
        """What may be meant so, by line: no end, answers that change nothing, letters that the display has not."""
        found = [*on_display.not_drawn(self.program.sheet), *self.questions.without_effect()]
        if self.endless and not self.ended:
            found.append((self.end(), _("the end never came in {n} answers", n=f"{self.endless:,}")))
        return self.by_line(found)

    def by_line(self, found: list[tuple[Path, str]]) -> tuple[SheetError, ...]:
        """What was found by key, in the order of the lines."""
        places = Places(toml_as_meant(self.rules.text))
        errors = [SheetError(self.file, places.line_of(path), key_of(path), said) for path, said in found]
        return tuple(sorted(errors, key=lambda error: error.line))

    def end(self) -> Path:
        """The key that should end it."""
        sheet = self.program.sheet
        return next((key,) for key in ("end", "out", "rounds", "ask", "title") if getattr(sheet, key) is not None)


def _paths(program: Program) -> Iterator[tuple[int, Path]]:
    """By expression its key in the sheet."""
    given = program.sheet.check
    for n, check in enumerate(program.checks):
        several = isinstance(given, tuple)
        path: Path = ("check", n) if several else ("check",)
        inner = isinstance(given, tuple) and isinstance(given[n], Check)
        yield id(check.that), (*path, "that") if inner else path
    for key, named in (("let", program.lets), ("keep", program.keeps)):
        for one in named:
            yield id(one.value), (key, one.name)
    for n, extra in enumerate(program.extra):
        yield id(extra), ("final", n, "points")
    several_wins = ((win, "win") for win in program.win)
    alone = ((program.points, "points"), (program.total, "total"), (program.end, "end"), (program.out, "out"))
    for expression, key in (*alone, (program.together, "together"), *several_wins):
        if isinstance(expression, Expression):
            yield id(expression), (key,)


def sheet_of_pictures(pictures: tuple[Image.Image, ...]) -> Image.Image:
    """Pictures of the display side by side."""
    columns = min(COLUMNS, len(pictures))
    wide, high = (SCALE * size + GAP for size in pictures[0].size)
    whole = Image.new("L", (columns * wide + GAP, -(-len(pictures) // columns) * high + GAP), 90)
    for n, picture in enumerate(pictures):
        large = picture.convert("L").resize((SCALE * picture.width, SCALE * picture.height), Image.Resampling.NEAREST)
        whole.paste(large, (GAP + n % columns * wide, GAP + n // columns * high))
    return whole
