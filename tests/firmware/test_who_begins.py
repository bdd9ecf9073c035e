"""Who begins: all hold, the lamps run, one stays; also at clumsy hands, and named by hand."""

from itertools import pairwise
from pathlib import Path

import pytest

from firmware.output import sounds
from firmware.people.who_begins import WhoBegins, from_the_first
from tests.firmware.outcomes import outcomes
from tests.simulators.rig import FOUR, THREE, Rig

JOINED = "[Kitty Paw] P1 P2 P3"
PEOPLE = "people[Anna Ben Cleo Dora] [Kitty Paw] P1*2 P2*2 P3*2"
DRAWN = f"{JOINED} +P1,P2,P3 9s -P1,P2,P3"  # P2, by the rig's seed
NAMED = f"{PEOPLE} +P1,P2,P3 9s -P1,P2,P3"  # Ben
LIST = f"{PEOPLE} ok [Who begins]"

EVENINGS: dict[str, tuple[object, ...]] = {
    "it is offered once enough have joined": ("[Kitty Paw] P1 P2", "all hold: who begins?"),
    "not before": ("[Kitty Paw] P1", "hides", "who begins"),
    "while all hold the light runs": (f"{JOINED} +P1,P2,P3 2s", "HOLD ON"),
    "one stays": (DRAWN, "P2 begins"),
    "its lamp stays": (DRAWN, "lit", frozenset({"P2"})),
    "that is heard": (DRAWN, "hears", sounds.FIRST),
    "the name stands until a press": (f"{DRAWN} 60s", "P2 begins"),
    "any button takes it": (f"{DRAWN} P3", "Who plays? | P2 begins"),
    "so does a turn": (f"{DRAWN} turn+1", "top", "Join"),
    "that player is the first seat, and the ring goes on from there": (
        f"{DRAWN} ok*3",
        "playing.play.players",
        ("P2", "P3", "P1"),
    ),
    "people keep their buttons": (f"{NAMED} ok*3", "playing.names", ("Ben", "Cleo", "Anna")),
    "the same players again begin in the same order": (
        f"{NAMED} ok*3 menu[End the game] 2500 ok*2",
        "playing.names",
        ("Ben", "Cleo", "Anna"),
    ),
    "undo leaves the order alone": (f"{NAMED} ok*3 menu[Fix points] P2 turn+4 ok undo", "playing.play.players.0", "P2"),
    "holding takes back what its presses did": (f"{NAMED} ok", "Anna | Ben | Cleo"),
    "without names nobody leaves by it": (f"{DRAWN} ok", "app.table.top.joined", list(THREE)),
    "the list of options offers it, too": (f"{PEOPLE} ok turn-1", "Who begins?"),
    "and says it afterwards": (f"{NAMED} ok*2 turn-1", "Ben begins"),
    "from the list people keep their buttons, too": (
        f"{LIST} +P1,P2,P3 9s -P1,P2,P3 ok*2",
        "playing.names",
        ("Ben", "Cleo", "Anna"),
    ),
    "another order of the seats leaves who begins": (
        f"{NAMED} ok*2 [Seat order] P1 P2 P3 ok",
        "playing.names",
        ("Ben", "Cleo", "Anna"),
    ),
    "a game that asks who starts is answered": (
        f"{DRAWN.replace('Kitty Paw', 'If It Fits')} ok*3",
        "P2: laid? press | 3 black, 3 piles, deal 2",
    ),
    "so is who is the youngest": (f"{DRAWN.replace('Kitty Paw', 'Pack & Stack')} ok*3", "DEAL 2 | 75 points each"),
    "it asks where nobody was drawn": ("[If It Fits] P1 P2 P3 ok*2", "Who starts?"),
    "the answer is undone like one of the table": (
        f"{DRAWN.replace('Kitty Paw', 'If It Fits')} ok*3 undo",
        "Who starts?",
    ),
    "who joins afterwards sits in the ring": (f"{DRAWN} ok P4 ok*2", "playing.play.players", ("P2", "P3", "P4", "P1")),
    "who leaves does not begin": (f"{DRAWN} ok P2 ok*2", "playing.play.players", ("P1", "P3")),
    "coming back does": (f"{DRAWN} ok P2 P2 ok*2", "playing.play.players", ("P2", "P3", "P1")),
    # clumsy hands
    "it waits for who does not hold": (f"{LIST} +P1,P3 60s", "wait: Ben"),
    "who lets go is waited for": (f"{JOINED} +P1,P2,P3 2s -P2 60s", "wait: P2"),
    "and it goes on": (f"{JOINED} +P1,P2,P3 2s -P2 60s +P2 9s", "P2 begins"),
    "a touch in between changes nothing": (f"{JOINED} +P1,P2,P3 2s -P1 10 +P1 9s", "P2 begins"),
    "long waiting takes no button out": (f"{LIST} +P1,P3 60s", "app.table.held.stuck", set()),
    "one may hold for two, one after the other": (f"{LIST} +P3 3s +P1 3s +P2 9s", "Ben begins"),
    "OK goes on without": (f"{LIST} +P1,P3 1s ok 9s", "Ben begins"),
    "also without all": (f"{LIST} ok 9s", "Ben begins"),
    "the others go on holding": (f"{LIST} +P1,P3 1s ok -P1 9s", "wait: Anna"),
    "a button that dies is not waited for, and takes part": (f"{LIST} +P1,P3 1s lost[P2] 15s", "Ben begins"),
    "a button of nobody is not needed": (f"{LIST} +P1,P2,P3,P4 9s -P4", "Ben begins"),
    "a long OK gives it up": (f"{LIST} +P1,P3 ok! -P1,P3 turn+1 ok", "playing.names", ("Anna", "Ben", "Cleo")),
    "in joining, too": (f"{JOINED} +P1,P2,P3 2s ok! -P1,P2,P3", "Who plays? | all hold: who begins?"),
    "one who holds is a guest, as ever": (f"{PEOPLE} P3!", "P3 guest"),
    # named by hand
    "a turn names": (f"{LIST} turn-3 ok", "Cleo begins"),
    "▲ from the other end": (f"{LIST} turn+1 ok", "Cleo begins"),
    "an own button, too": (f"{LIST} turn-1 P3 ok", "Cleo begins"),
    "the name leads to the same": (f"{LIST} turn-3 ok*3", "playing.names", ("Cleo", "Anna", "Ben")),
    "in naming nobody has to hold": (f"{LIST} turn-1 60s", "WHO?"),
    "a draw under way is not turned": (f"{LIST} +P1,P2,P3 2s turn-1 9s", "Ben begins"),
}
test_an_evening = outcomes(EVENINGS)


def test_everybody_may_begin(tmp_path: Path) -> None:
    rig, begun = Rig(tmp_path), set[str]()
    for seed in range(30):
        rig.app.table.seed = lambda seed=seed: seed  # type: ignore[misc]
        draw = WhoBegins(rig.app.table, "Kitty Paw", FOUR, {}, begun.add)
        rig.app.table.open(draw)
        rig.do("ok 9s ok")
    assert begun == set(FOUR)


def test_the_run_slows_down_and_ends_within_five_seconds(rig: Rig) -> None:
    rig.do(f"{JOINED} ok [Who begins] ok")
    begun_ns, stamps = rig.now_ns, list[int]()
    while rig.at("app.table.top.first") is None:
        due_ns = rig.app.due_ns
        assert due_ns is not None
        rig.after((due_ns - rig.now_ns) / 1e6)
        stamps.append(rig.now_ns)
    gaps = [later - sooner for sooner, later in pairwise(stamps)]
    assert gaps == sorted(gaps) and stamps[-1] - begun_ns < 5e9


@pytest.mark.parametrize(("first", "players"), [(None, FOUR), ("P1", FOUR), ("P3", ("P3", "P4", "P1", "P2"))])
def test_the_ring_begins_with_the_first(first: str | None, players: tuple[str, ...]) -> None:
    assert from_the_first(FOUR, first) == players
