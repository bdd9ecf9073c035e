"""Who may wish what: each cell of the table, through the desk, and that there is no other road."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from msgspec import structs

from engine.game import NoOptions
from engine.rules import Action
from engine.sheets.reading import read
from engine.sheets.rules import rules
from firmware.table.playing import begin
from firmware.wishes import who_may_wish as wishes
from firmware.wishes.asker import (
    FREELY,
    HISTORY,
    KIT,
    NO_RACE,
    OWN_ANSWER,
    OWN_GUEST,
    PAGE,
    PLAYS,
    SAVING,
    Asker,
    Cell,
    Condition,
    When,
    Wisher,
)
from firmware.wishes.games import ChangeSeats, Sit, WriteRemark
from firmware.wishes.people import Add, CountGames, Forget, Merge, Rename
from firmware.wishes.phones import BeTable, Introduce, Leave, ReadHistory, Take
from firmware.wishes.play import Amend, EndGame, Fix, Redo, Undo
from firmware.wishes.who_may_wish import ROWS, AnyWish
from firmware.wishes.wish import Agreed, Answer, Asked, AskFirst, Denied, Done
from scripts.generators import wishes_page
from tests.engine.sheets.shelf import WIZARD
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import Rig
from tests.simulators.wishing import ALL, opened

ROOT = Path(__file__).parents[2]
FIRST = ((0, "bid", 0), (1, "bid", 0), (2, "bid", 1), (0, "won", 0), (1, "won", 0), (2, "won", 1))


class House:
    """A kit in a game of a score sheet after its first round, with a phone of each role. P1 is Anna, P2 a guest."""

    def __init__(self, folder: Path, *, history: bool) -> None:
        self.rig = rig = Rig(folder)
        let_in(rig)
        rig.do("people[Anna Ben Юлия]")
        self.ids = {one.name: one.id for one in rig.app.table.roster.persons}
        self.phones = {Wisher.TABLE: Phone(rig).say(table=True), Wisher.SEAT: Phone(rig), Wisher.WATCH: Phone(rig)}
        people = {0: self.ids["Anna"]}
        begin(rig.app.table, rules("sheet:test", read(WIZARD)), ("P1", "P2", "P3"), NoOptions(), people=people)
        for seat, verb, value in FIRST:
            assert rig.playing.answer(Action(seat, verb, value, rig.now_ns))
        rig.after(0)
        self.phones[Wisher.SEAT].say(seat="P2")
        rig.after(1_000).ok().after(2_500)
        if history:
            self.phones[Wisher.TABLE].say(history=True)
            rig.after(1_000).ok().after(2_500)

    def asker(self, who: Wisher) -> Asker:
        """Whoever asks."""
        if who in (Wisher.KIT, Wisher.PAGE):
            return KIT if who is Wisher.KIT else PAGE
        return Asker(self.phones[who].id, self.phones[who].phones)

    def wished(self, who: Wisher, wish: AnyWish, agreed: Agreed = ALL) -> list[Answer]:
        """What comes of a wish that is opened now."""
        answers = list[Answer]()
        self.rig.app.table.desk.take(
            self.asker(who), structs.replace(opened(self.rig, wish), agreed=agreed), answers.append
        )
        self.rig.after(0)
        return answers

    def wish(self, kind: type[AnyWish]) -> AnyWish:
        """One of each kind."""
        game, ids, player = self.rig.playing.number, self.ids, self.phones[Wisher.SEAT]
        if kind is Redo:
            self.rig.do("menu[Fix points] P1 turn+2 ok ok! ok ok!")  # so that something is undone
        made: dict[type[AnyWish], Callable[[], AnyWish]] = {
            Undo: lambda: Undo(game=game),
            Redo: lambda: Redo(game=game),
            Fix: lambda: Fix(0, 5, game=game),
            Amend: lambda: Amend(1, ((0, "won", 1), (2, "won", 0)), game=game),
            EndGame: lambda: EndGame(game=game),
            Sit: lambda: Sit(game, 0, ids["Ben"]),
            ChangeSeats: lambda: ChangeSeats(game, (ids["Ben"], None, None)),
            WriteRemark: lambda: WriteRemark(game, "late", ""),
            Add: lambda: Add("Cleo"),
            Rename: lambda: Rename(ids["Anna"], "Anne"),
            CountGames: lambda: CountGames(ids["Anna"], False),
            Merge: lambda: Merge(ids["Anna"], ids["Ben"]),
            Forget: lambda: Forget(ids["Ben"]),
            Take: lambda: Take("P3"),
            Leave: lambda: Leave(player.mine[0]),
            BeTable: lambda: BeTable(False),
            ReadHistory: ReadHistory,
            Introduce: lambda: Introduce("P2", "Dora"),
        }
        return made[kind]()


CELLS = [(kind, who, cell) for kind, row in ROWS.items() for who, cell in zip(Wisher, row, strict=True)]


def expected(cell: Cell) -> type[Answer]:
    """What comes first where all conditions hold, and none by which it is at once."""
    return {When.NOW: Done, When.OK: Asked, When.NO: Denied}[cell.when]


@pytest.mark.parametrize(
    ("kind", "who", "cell"), CELLS, ids=[f"{kind.__name__}, {who.name}".lower() for kind, who, _ in CELLS]
)
def test_each_cell_of_the_table_is_what_the_desk_does(
    tmp_path: Path, kind: type[AnyWish], who: Wisher, cell: Cell
) -> None:
    house = House(tmp_path, history=HISTORY in cell.only)
    mine = OWN_GUEST not in cell.only or who is Wisher.SEAT
    answers = house.wished(who, house.wish(kind))
    assert type(answers[0]) is (expected(cell) if mine else Denied)
    house.rig.close()


def test_every_wish_has_a_row_and_every_row_is_a_wish() -> None:
    assert {*ROWS} == {*get_args(wishes.AnyWish)}


@pytest.mark.parametrize(
    ("kind", "who", "condition"),
    [(kind, who, one) for kind, who, cell in CELLS for one in cell.only],
    ids=lambda one: getattr(one, "__name__", getattr(one, "name", getattr(one, "says", ""))).lower(),
)
def test_without_its_condition_it_is_refused(
    tmp_path: Path, kind: type[AnyWish], who: Wisher, condition: Condition
) -> None:
    house = House(tmp_path, history=condition is not HISTORY)
    wish = house.wish(kind)
    if condition is NO_RACE:
        house.rig.do("menu[Main menu] game[kitty_paw 2] +P1,P2")
    elif condition is SAVING:
        house.rig.app.table.trouble("the disk fails")
    elif condition is PLAYS:
        house.rig.do("menu[Main menu] [Pack & Stack] P1 P3 ok*2")
    elif condition is OWN_GUEST:
        house.phones[Wisher.SEAT].say(leave="P2")
    answers = house.wished(who, wish)
    assert isinstance(answers[0], Denied)
    house.rig.close()


@pytest.mark.parametrize(("kind", "first"), [(Add, "Anna"), (Merge, ""), (Forget, "")])
@pytest.mark.parametrize("who", [Wisher.KIT, Wisher.PAGE, Wisher.TABLE])
def test_what_is_asked_first_is_asked_at_every_door(
    tmp_path: Path, kind: type[AnyWish], first: str, who: Wisher
) -> None:
    house = House(tmp_path, history=True)
    (answer,) = house.wished(who, Add(first) if first else house.wish(kind), frozenset())
    assert isinstance(answer, AskFirst) and kind.asks
    house.rig.close()


def test_the_table_in_the_threat_model_is_this_one() -> None:
    assert wishes_page.page() == wishes_page.PAGE.read_text(encoding="utf-8"), "run scripts/make wishes"


@pytest.mark.parametrize(
    ("said", "kind", "sooner"),
    [
        ("a seat in a game that is on", Take, FREELY),
        ("an undo of any but its own latest answer", Undo, OWN_ANSWER),
        ("points", Fix, None),
        ("the end", EndGame, None),
    ],
)
def test_what_the_threat_model_says_that_no_phone_gets_without_ok_none_does(
    said: str, kind: type[AnyWish], sooner: Condition | None
) -> None:
    (row,) = re.findall(
        r"a joined phone that misbehaves.*get (.*) without OK on the kit;", wishes_page.PAGE.read_text()
    )
    assert said in re.split(", | or ", row)
    for cell in ROWS[kind][2:]:
        assert cell.when is not When.NOW and cell.at_once in (None, sooner)


# --- no other road ---------------------------------------------------------------------------------------------------

ROADS = re.compile(r"plays\.(undo|redo|fix|amend|end)\b|people\.(merge|forget|change)\(")
DOORS = ("firmware/wishes/", "firmware/journal/", "firmware/random_play/sheet_trials.py")


def test_what_wishes_do_is_called_by_them_alone() -> None:
    """Phones' own answers, and random games, are no wishes."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "firmware").rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(DOORS)
        for line in path.read_text().splitlines()
        if ROADS.search(line)
    ]
    assert found == []
