"""Pages that were opened at some time and send what they were opened with later: of two editors, and of two phones.

What a wish would change is looked up where it stands, apart from the wish itself. Where that is another value than when
the page was opened the wish has to be refused, in words, and nothing may change.
"""

from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec import structs

from firmware.journal.reader import History
from firmware.wishes.asker import PAGE, Asker
from firmware.wishes.games import ChangeSeats, Sit, WriteRemark
from firmware.wishes.people import Add, CountGames, Forget, Merge, Rename
from firmware.wishes.play import Amend, EndGame, Fix, Redo, Undo
from firmware.wishes.who_may_wish import AnyWish, OfPlay
from firmware.wishes.wish import Answer, Asked, Denied, Done
from tests.engine.sheets.shelf import WIZARD
from tests.firmware.test_sheets_on_pages import FIRST, on
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig
from tests.simulators.wishing import ALL, opened, wished

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Eva", "Finn")
PAGES = 12  # that are open


class Opened(NamedTuple):
    """A wish as a page has it that was opened some time ago."""

    wish: AnyWish
    by: Asker
    value: object  # what stood there


class Lagging:
    """A game of a score sheet on the table, one of the past, people, and pages that lag behind."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice, self.journal = Random(seed), folder / "journal.db"
        self.rig = rig = Rig(folder)
        let_in(rig)
        rig.do("people[Anna Ben Cleo] game[kitty_paw 2] menu[Main menu]")
        on(rig, WIZARD, 3, *FIRST)
        self.phones = [Phone(rig, button) for button in ("P1", "P2")]
        self.phones[0].say(table=True)
        self.pages = list[Opened]()
        self.said = dict[str, int]()  # how often, by what came of it

    @property
    def _ids(self) -> list[str]:
        return [one.id for one in self.rig.app.table.roster.persons]

    def _wish(self) -> tuple[AnyWish, Asker]:
        """One that a page might be opened for now."""
        dice, game = self.dice, self.rig.playing.number
        one, other, name = dice.choice(self._ids), dice.choice(self._ids), dice.choice(NAMES)
        phone = Asker(self.phones[dice.randrange(2)].id, self.phones[0].phones)
        of_past = dice.choice((1, game))
        seats = 2 if of_past == 1 else 3
        numbers = tuple((seat, "won", number) for seat, number in enumerate(dice.sample((0, 0, 1), 3)))
        made: tuple[AnyWish, ...] = (
            Rename(one, name),
            CountGames(one, dice.random() < 0.5),
            Merge(one, other),
            Forget(one),
            Sit(of_past, dice.randrange(seats), dice.choice((None, one))),
            ChangeSeats(of_past, tuple(dice.sample([*self._ids, *[None] * seats], seats))),
            WriteRemark(of_past, dice.choice(("", "late", name)), dice.choice(("", "2026-11-20"))),
            Fix(dice.randrange(3), dice.choice((5, -5)), game=game),
            Amend(1, numbers, game=game),
            Undo(game=game),
            Redo(game=game),
            EndGame(game=game),
        )
        weights = (3, 3, 1, 1, 4, 3, 5, 6, 4, 6, 4, 1)
        (wish,) = dice.choices(made, weights)
        by_phone = isinstance(wish, OfPlay) and (not isinstance(wish, Amend) or dice.random() < 0.5)
        return wish, phone if by_phone else PAGE

    def value(self, wish: AnyWish) -> object:
        """What it would change, as it stands now."""
        table = self.rig.app.table
        person = {one.id: one for one in table.roster.persons}.get
        match wish:
            case Rename(person=one):
                return (there := person(one)) and (there.name, there.latin)
            case CountGames(person=one):
                return (there := person(one)) and there.counted
            case Forget(person=one):
                return (there := person(one)) and there.name
            case Merge(person=one, into=other):
                return [there and there.name for there in (person(one), person(other))]
            case Sit(game=game, seat=seat):
                return self.seats(game).get(seat)
            case ChangeSeats(game=game):
                return self.seats(game)
            case WriteRemark(game=game):
                with closing(History(self.journal)) as history:
                    return history.remark(game)
            case _:
                return self.of_play(wish)

    def of_play(self, wish: Any) -> object:
        """The same in the game on the table."""
        playing = self.rig.playing
        if wish.game != playing.number:
            return "another game"
        if isinstance(wish, Fix):
            return playing.play.scores[wish.seat]
        if isinstance(wish, Amend):
            entered = playing.play.rules.entered
            assert entered is not None
            return [(one.seat, one.number) for one in entered(playing.play.state, 1) if one.verb == "won"]
        return id(playing.play)

    def seats(self, game: int) -> dict[int, str]:
        """Who sits where in a game, by id."""
        if game == self.rig.playing.number:
            return dict(self.rig.playing.people)
        with closing(History(self.journal)) as history:
            return {seat: one.id for seat, one in history.people(game).items()}

    def all(self) -> object:
        """All that a wish may change."""
        games = [(self.seats(game), self.value(WriteRemark(game, "", ""))) for game in (1, self.rig.playing.number)]
        return self.rig.app.table.roster.persons, games, self.rig.playing.play

    def step(self) -> None:
        """A page is opened, or one of those that are open sends."""
        if len(self._ids) < 3:
            self.rig.app.wish(Add(self.dice.choice(NAMES), agreed=ALL), lambda answer: None)
            self.rig.after(0)
        if len(self.pages) < PAGES:
            wish, by = self._wish()
            self.pages.append(Opened(opened(self.rig, wish), by, self.value(wish)))
            return
        self.send(self.pages.pop(self.dice.randrange(len(self.pages))))

    def send(self, page: Opened) -> None:
        """It sends; of a phone the kit is asked, which is told what comes of it."""
        answers = list[Answer]()
        wish = structs.replace(page.wish, agreed=ALL)
        before, stands = self.all(), self.value(wish) == page.value
        self.rig.app.table.desk.take(page.by, wish, answers.append)
        self.rig.after(0)
        if isinstance(answers[-1], Asked):
            if self.dice.random() < 0.5:  # somebody is faster
                wished(self.rig, self._wish()[0])
            before, stands = self.all(), self.value(wish) == page.value
            self.rig.after(1_000)
            if self.rig.top == "Confirm":  # it is asked still
                self.rig.ok()
            self.rig.after(2_500)
        answer = answers[-1]
        assert isinstance(answer, Done | Denied), (wish, answers)
        assert stands or isinstance(answer, Denied), f"undone without a word: {wish} of {page.value}"
        assert not isinstance(answer, Denied) or (answer.line and self.all() == before), f"refused, and done: {wish}"
        kind = "done" if isinstance(answer, Done) else "refused" if stands else "has changed"
        self.said[kind] = self.said.get(kind, 0) + 1
