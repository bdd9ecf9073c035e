"""Who plays: buttons and names, as proposed, chosen, put right, and on the disk."""

from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest

from engine import games
from firmware.journal.reader import History
from firmware.output.screens.canvas import Canvas, texts
from firmware.output.screens.seats import buttons
from firmware.output.screens.view import shorter
from firmware.people.joining import LEAP, Join
from firmware.people.roster import NEW
from firmware.people.spelling import RING
from tests.firmware.outcomes import outcomes
from tests.simulators.rig import FOUR, THREE, Rig

FOUR_PEOPLE = "people[Anna Ben Cleo Dora]"
PLAYED = f"{FOUR_PEOPLE} [Kitty Paw] P1*2 P2*2 P3*2 ok*2"  # Anna, Ben and Cleo
NEXT = f"{PLAYED} menu[Main menu] [Kitty Paw]"
MANY_PEOPLE = f"people[{' '.join(f'N{n}' for n in range(14))}]"
LONG_NAMES = "people[Grzegorzowa1 Jorg Anna]"
ENDED = f"{PLAYED} menu[End the game] 2500"

EVENINGS = {
    "without names a button joins and leaves": ("[Kitty Paw] P1 P2 P3 P2", "app.table.top.joined", ["P1", "P3"]),
    "and holding it does nothing": ("[Kitty Paw] P1! P3!", "app.table.top.joined", ["P1", "P3"]),
    "without names the game has labels": ("[Kitty Paw] P1 P2 P3 ok*2", "playing.names", THREE),
    "a press joins as a guest": (f"{FOUR_PEOPLE} [Kitty Paw] P1", "reads", "P1 guest"),
    "the next is the first name": (f"{FOUR_PEOPLE} [Kitty Paw] P1*2", "reads", "P1 Anna"),
    "the next the second": (f"{FOUR_PEOPLE} [Kitty Paw] P1*3", "reads", "P1 Ben"),
    "the control steps for the last button": (f"{FOUR_PEOPLE} [Kitty Paw] P1*2 P2*2 turn-1", "reads", "P2 Cleo"),
    "and back": (f"{FOUR_PEOPLE} [Kitty Paw] P1*3 turn+1", "reads", "P1 Anna"),
    "where there are many names it is said that a turn goes by four": (
        f"{MANY_PEOPLE} [Kitty Paw] P1*2 P2*2",
        "tap:name turn:4 names",
    ),
    "a game's title stands whole beside long names": (
        f"{LONG_NAMES} [Kitty Paw] P1*2 P2*2 P3*2 ok",
        "Kitty Paw | Grze Jorg Anna",
    ),
    "after the last name comes a new one": (f"{FOUR_PEOPLE} [Kitty Paw] P1*6", "reads", "P1 NEW"),
    "a hold makes a guest": (f"{FOUR_PEOPLE} [Kitty Paw] P1*3 P1!", "reads", "P1 guest"),
    "another one leaves": (f"{FOUR_PEOPLE} [Kitty Paw] P1*3 P2 P1!*2", "app.table.top.joined", ["P2"]),
    "a hold that joins is a guest's": (f"{NEXT} P1!", "reads", "P1 guest"),
    "the game has names, and the label of a guest": (
        f"{FOUR_PEOPLE} [Kitty Paw] P1*2 P2*2 P3 ok*2",
        "playing.names",
        ("Anna", "Ben", "P3"),
    ),
    "somebody called like a button is told from it": ("people[P2 Ben] [Kitty Paw] P1*2", "reads", "P1 P2 (name)"),
    "in the game, too": (
        "people[P2 p4 Ben] [Kitty Paw] P1*2 P2*2 P3 ok*2",
        "playing.names",
        ("P2 (name)", "p4 (name)", "P3"),
    ),
    "the last table is proposed": (f"{NEXT} P1", "reads", "P1 Anna?"),
    "each at their button": (f"{NEXT} P1 P2", "reads", "P2 Ben?"),
    "a button where nobody sat is a guest's": (f"{NEXT} P1 P4", "reads", "P4 guest"),
    "the same people are one OK": (f"{NEXT} P1 P2 P3 ok*2", "playing.names", ("Anna", "Ben", "Cleo")),
    "who is chosen elsewhere is no longer proposed": (f"{NEXT} P1 P2 P3 P1", "reads", "P1 Ben"),
    "and who is left over is proposed there": (f"{NEXT} P1 P2 P3 P1", "reads", "Anna?"),
    "a proposal that is stepped over stands again": (f"{NEXT} P1 P2*3", "reads", "Anna?"),
    "one person on two seats is refused in words": (
        f"{FOUR_PEOPLE} [Kitty Paw] P1*2 P2*6 P3 ok",
        "reads",
        "P1 and P2: same person",
    ),
    "the same people play again": (f"{ENDED} ok*2", "playing.names", ("Anna", "Ben", "Cleo")),
    "seats in another order keep their people": (
        f"{FOUR_PEOPLE} [Kitty Paw] P1*2 P2*2 P3 ok [Seat order] P3 P1 P2 ok",
        "playing.names",
        ("P3", "Anna", "Ben"),
    ),
    "other buttons keep them, too": (f"{PLAYED} menu[Seats] P2 P1 P3", "playing.names", ("Anna", "Ben", "Cleo")),
    "and they are proposed at the buttons that they had": (
        f"{PLAYED} menu[Seats] P2 P1 P3 menu[Main menu] reboot ok! [Kitty Paw] P1",
        "reads",
        "P1 Ben?",
    ),
    "a game that goes on has its people": (f"{PLAYED} menu[Main menu] ok", "playing.names", ("Anna", "Ben", "Cleo")),
    "after a power cut it asks with names": (f"{PLAYED} reboot", "reads", "Anna 0 Ben 0 Cleo 0"),
    "and goes on with them": (f"{PLAYED} reboot ok", "playing.names", ("Anna", "Ben", "Cleo")),
    "the next evening proposes them": (f"{ENDED} reboot ok! [Kitty Paw] P3", "reads", "P3 Cleo?"),
    "in the history the winners have names": (
        f"{PLAYED} menu[Fix points] P2 turn+4 ok menu[Main menu] [History] [Kitty Paw]",
        "reads",
        "Ben",
    ),
    "who sat there is put right in the game": (
        f"{PLAYED} menu[Who sits where] ok turn+1 ok turn-3 ok",
        "playing.names",
        ("P1", "Ben", "Cleo"),
    ),
    "two seats of one person are refused there, too": (
        f"{PLAYED} menu[Who sits where] ok turn-2 ok turn-3 ok",
        "reads",
        "P1 and P3: same person",
    ),
    "undo leaves the people alone": (
        f"{PLAYED} menu[Fix points] P2 turn+4 ok menu[Who sits where] ok turn-3 ok turn-3 ok undo",
        "playing.names",
        ("Dora", "Ben", "Cleo"),
    ),
    "it can be given up": (f"{PLAYED} menu[Who sits where] ok turn-3 ok ok!", "playing.names", ("Anna", "Ben", "Cleo")),
    "after the end it is in the menu": (
        f"{ENDED} ok [Who sat there] ok turn-3 ok turn-3 ok ok! ok*2",
        "playing.names",
        ("Dora", "Ben", "Cleo"),
    ),
    "a new name is written where it is needed": (
        f"{FOUR_PEOPLE} [Kitty Paw] P1*6 P2 P3 ok turn+8 ok turn+8 ok turn-1 ok*3",
        "playing.names",
        ("Ii", "P2", "P3"),
    ),
    "a known name is asked about": (
        "people[I] [Kitty Paw] P1*3 P2 P3 ok turn+8 ok turn-1 ok",
        "reads",
        "I is known: OK again",
    ),
    "two of one name are told by their labels": (
        "people[I] [Kitty Paw] P1*3 P2*2 P3 ok turn+8 ok turn-1 ok*4",
        "playing.names",
        THREE,
    ),
    "a long OK gives a name up": (f"{FOUR_PEOPLE} [Kitty Paw] P2 P1*6 ok turn+8 ok ok!", "reads", "P1 NEW"),
}
test_an_evening = outcomes(EVENINGS)


def joining(rig: Rig, people: dict[str, str]) -> int:
    """Let these people sit down, each with their own button: how many inputs it takes."""
    rig.do("[Kitty Paw]")
    for button in people:
        rig.tap(button)
    join, presses = rig.app.table.top, len(people)
    assert isinstance(join, Join)
    for button, wanted in people.items():
        while join.people()[button] != wanted:
            rig.tap(button)
            presses += 1
    rig.ok()
    return presses + 1


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=str)
def test_four_known_people_sit_in_any_order_with_twelve_inputs(rig: Rig, order: tuple[int, ...]) -> None:
    ids = [rig.app.table.people.add(name) for name in ("Anna", "Ben", "Cleo", "Dora")]
    joining(rig, dict(zip(FOUR, ids, strict=True)))
    rig.do("ok menu[Main menu]")
    people = {button: ids[who] for button, who in zip(FOUR, order, strict=True)}
    assert joining(rig, people) <= 12
    assert list(rig.do("ok").playing.people.values()) == list(people.values())


def test_any_of_thirty_is_reached_with_six_inputs(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    ids = [rig.app.table.people.add(f"Nr {n}") for n in range(30)]
    join = Join(rig.app.table, games.rules("kitty_paw"), lambda players, people: None)
    rig.app.table.open(join)
    rig.tap("P1")
    far = {}
    for wanted in ids:
        ring = join.ring("P1")
        at = ring.index(wanted) + 1  # from a guest
        far[wanted] = min(
            presses + abs(turns)
            for turns in range(-8, 9)
            for presses in range(31)
            if (presses + LEAP * turns - at) % len(ring) == 0
        )
    assert max(far.values()) <= 6
    rig.tap("P1", 2).arrow(-2)
    assert join.people()["P1"] == join.ring("P1")[1 + 2 * LEAP]
    rig.close()


def test_the_people_of_a_game_are_on_the_disk_beside_its_events(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{PLAYED} menu[Who sits where] ok turn-3 ok turn-3 ok")
    rig.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.names(1) == {0: "Dora", 1: "Ben", 2: "Cleo"}
        facts = history.facts(1, games.rules("kitty_paw"))
    assert facts[0].event.players == THREE and "Anna" not in repr(facts)


def test_a_name_is_in_no_file_but_the_journal(rig: Rig, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig.do(f"{PLAYED} lost[P2] menu[End the game]")
    rig.close()
    assert [path.name for path in tmp_path.iterdir() if b"Anna" in path.read_bytes()] == ["journal.db"]
    assert "Anna" not in "".join(capfd.readouterr())


def test_an_old_game_is_put_right(rig: Rig, tmp_path: Path) -> None:
    rig.do(f"{ENDED} ok [Other game] reboot [History] [Kitty Paw] turn-9 ok ok turn-3 ok turn-3 ok")
    assert "Dora Ben Cleo" in rig.reads()
    rig.close()
    with closing(History(tmp_path / "journal.db")) as history:
        assert history.names(1) == {0: "Dora", 1: "Ben", 2: "Cleo"}


def test_the_letters_end_with_delete_and_done() -> None:
    assert RING[-2:] == ("←", "✓") and NEW not in RING


def test_a_seat_stands_before_a_label_that_leaves_no_room_beside_it() -> None:
    canvas = Canvas()
    buttons(canvas, ("ANNA", "BEN", "CLEO", "DORA", "EVA"), [0], 32, ranks=(1, 0, 0, 0, 0))
    assert texts(canvas.picture())[0] == "1 ANNA"


@pytest.mark.parametrize(
    ("title", "last"),
    [
        ("Kitty Paw", "Kitty Paw"),
        ("Pack the Essentials", "Essentials"),
        ("Ticket to Ride", "Ticket Ride"),
        ("Magic: life points", "Magic"),
        ("Donaudampfschifffahrt", "Donaudampfsch"),
    ],
)
def test_the_shortest_title_still_names_the_game(title: str, last: str) -> None:
    assert shorter(title)[-1] == last
