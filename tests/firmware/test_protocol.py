"""`luckypaw rules GAME`, driven over pipes as by a program in any language: whole games, and all kinds of rubbish."""

import json
import select
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import games
from engine.rules import read_options
from tests.engine import plain
from tests.simulators.random_driver import RandomDriver, as_tuples
from tests.simulators.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
GAMES = games.names()
MAX_LINE = 65536
LATEST = 2**62  # stamp of people
Answer = dict[str, Any]


class Driver:
    """A `luckypaw rules` process, and a line to it at a time."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware", "rules", game],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.raw: list[bytes] = []  # every answer as it came

    def send(self, line: bytes) -> Answer:
        """One line in, one line out."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        assert select.select([self.process.stdout], [], [], PATIENCE_S)[0], "no answer"
        self.raw.append(self.process.stdout.readline())
        answer: Answer = json.loads(self.raw[-1])
        return answer

    def say(self, **line: object) -> Answer:
        return self.send(json.dumps(line).encode())

    def close(self) -> tuple[int, bytes, bytes]:
        """End the input: the exit status, and the rest of standard output and error."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err


@pytest.fixture
def game() -> str:
    """The game, where a test does not ask for another."""
    return "kitty_paw"


@pytest.fixture
def driver(game: str) -> Iterator[Driver]:
    """A process before its first line."""
    found = Driver(game)
    yield found
    found.close()


def play_on(driver: Driver, answer: Answer, seed: int) -> list[Answer]:
    """Every answer from here to the end of the game."""
    anyone, answers = RandomDriver(seed), [answer]
    while "over" not in answers[-1]:
        answers.append(driver.say(**anyone.answer(answers[-1]["offers"])))
    return answers


TABLES = [
    ("cat_pageant", "ABC", {"turn_timer_s": 5}),
    ("kitty_paw", "ABCD", {}),
    ("kitty_paw", "ABC", {"mixed_deck": True, "tie_band": 20, "round_limit_s": 3, "response_limit_s": 2}),
    ("pack_and_stack", "ABCDEF", {"counting": "checked"}),
    ("pack_and_stack", "ABCD", {"device_dice": True, "reward_cards": True, "start": "hands_on", "loading_timer_s": 2}),
]


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_a_program_that_knows_no_game_plays_one_to_its_end(
    driver: Driver, players: str, options: dict[str, object]
) -> None:
    last = play_on(driver, driver.say(players=list(players), options=options, seed=7), seed=3)[-1]
    assert (last["offers"], last["over"], last["scores"]) == ([], True, last["board"]["scores"])


def moved(line: dict[str, Any], answer: Answer) -> Any:
    """A line and its answer, as a second scorer takes a move."""
    events = [type(event["event"], (SimpleNamespace,), {})(**event) for event in answer["events"]]
    facts = [SimpleNamespace(event=event) for event in events]
    return SimpleNamespace(
        **{"seat": None, "error_ns": 100_000, **line, "value": as_tuples(line.get("value")), "facts": facts}
    )


ENTRIES = [("cat_pageant", "counts cards", (2, 4)), ("if_it_fits", "counts kinds cards", (2, 3, 5))]
ENTRIES += [("pack_the_essentials", "counts placements", (1, 2, 4))]


@pytest.mark.parametrize(
    ("game", "entry", "players"),
    [(game, entry, players) for game, entries, most in ENTRIES for entry in entries.split() for players in most],
)
def test_a_game_played_from_its_offers_ends_as_a_second_scorer_says(driver: Driver, players: int, entry: str) -> None:
    options = read_options(games.rules(driver.game).options, {"entry": entry})
    answer = driver.say(players=list("ABCDE"[:players]), options={"entry": entry}, seed=7)
    anyone, moves = RandomDriver(6), []
    while "over" not in answer:
        line = anyone.answer(answer["offers"])
        answer = driver.say(**line)
        moves.append(moved(line, answer))
    found, board = plain.SCORERS[driver.game](players, asdict(options), moves), answer["board"]
    assert found == (answer["scores"], answer["winners"], board["round"], board["tokens"], None)


@pytest.mark.parametrize("game", GAMES)
def test_answers_from_the_offers_are_never_refused_and_the_same_lines_give_the_same_answers(driver: Driver) -> None:
    answers = play_on(driver, driver.say(players=["A", "B", "C"], seed=7), seed=4)
    assert [answer for answer in answers if "error" in answer] == []
    assert [answer for answer in answers if "over" in answer or not answer["offers"]] == [answers[-1]]
    assert answers[-1]["winners"] and set(answers[-1]["winners"]) <= {0, 1, 2}
    twin = Driver(driver.game)
    play_on(twin, twin.say(players=["A", "B", "C"], seed=7), seed=4)
    twin.close()
    assert twin.raw == driver.raw


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_undone_to_its_first_question_and_redone_to_its_end(driver: Driver) -> None:
    first = driver.say(players=["A", "B"], seed=7)
    if any(offer["verb"] == "recall" for offer in first["offers"]):  # what was kept is no step: it stays
        first = driver.say(seat=None, verb="recall", value=[["PIP", 2, 5, 1, 4]], at_ns=0)
    end = play_on(driver, first, seed=9)[-1]
    stood, last = [], end
    for word in ("undo", "redo"):
        while "error" not in (answer := driver.say(**{word: True})):
            last = answer
        stood.append((outcome(last), answer["kind"]))
    assert stood == [(outcome(first), "nothing_to_undo"), (outcome(end), "nothing_to_redo")]


def test_a_correction_moves_the_scores_and_is_undone(driver: Driver) -> None:
    first = driver.say(players=["A", "B"], seed=7)
    one, other = first["board"]["scores"]
    assert driver.say(correct={"seat": 1, "points": -3})["board"]["scores"] == [one, other - 3]
    assert outcome(driver.say(undo=True)) == outcome(first)


def test_a_game_that_is_ended_is_unfinished_without_a_winner_until_that_is_undone(driver: Driver) -> None:
    first = driver.say(players=["A", "B"], seed=7)
    answer = driver.say(end=True)
    assert (answer["over"], answer["unfinished"], answer["winners"], answer["offers"]) == (True, True, [], [])
    assert outcome(driver.say(undo=True)) == outcome(first)


def test_the_latest_stamp_of_people_leaves_room_for_the_clock(driver: Driver) -> None:
    driver.say(players=["A", "B"], seed=7)
    driver.say(seat=0, verb="hands", at_ns=LATEST)
    error = f"at_ns = {LATEST + 1}: must be at most {LATEST}, unless the clock answers"
    assert driver.say(seat=1, verb="hands", at_ns=LATEST + 1)["error"] == error
    go_ns = due_ns(driver.say(seat=1, verb="hands", at_ns=LATEST))
    assert LATEST < go_ns < 2**63 and "error" not in driver.say(verb="go", at_ns=go_ns)


@pytest.mark.parametrize("game", ["cat_pageant"])
def test_no_offer_is_made_that_falls_due_beyond_63_bits(driver: Driver) -> None:
    """A turn that is over at the last moment of all, by its timer: the next one would have no time left."""
    offers = driver.say(players=["A", "B"], options={"turn_timer_s": 60})["offers"]
    while all(offer["verb"] != "time_up" for offer in offers):
        asked = min(offers, key=lambda offer: "due_ns" in offer)
        value = asked.get("low", asked.get("example", (asked.get("options") or [None])[0]))
        at_ns = asked.get("due_ns", LATEST)
        offers = driver.say(seat=asked["seat"], verb=asked["verb"], value=value, at_ns=at_ns)["offers"]
    error = f"at_ns = {2**63 - 1}: must be earlier, so that no offer is due after {2**63 - 1}"
    assert driver.say(verb="time_up", at_ns=2**63 - 1) == {"error": error, "kind": "bad_line"}


def test_a_press_without_an_error_has_that_of_a_kernel_stamp(driver: Driver) -> None:
    answer = driver.say(seat=0, verb="meow", at_ns=armed(driver) + 1)
    assert [(event["event"], event.get("error_ns")) for event in answer["events"]] == [
        ("Flashed", None),  # was due before it
        ("Pressed", 100_000),
    ]


def test_the_board_names_every_part_of_the_race(driver: Driver) -> None:
    go_ns = armed(driver)
    driver.say(seat=1, verb="meow", at_ns=go_ns + 500)
    board = driver.say(seat=0, verb="meow", at_ns=go_ns + 900)["board"]
    assert board["race"] == {
        "phase": "answers",
        "since_ns": go_ns,
        "gaps": [[1, 0], [0, 400]],
        "jumped": [],
        "presses": [[1, go_ns + 500, 100_000, 0], [0, go_ns + 900, 100_000, 0]],
        "benched": [],
        "seats": [0, 1],
        "only_first": False,
        "ruled": [],
        "first": [],
        "last": [],
        "band_ns": 0,
        "in_front": [],
        "at_end": [],
        "round": None,
        "overtaken": [],
    }


@pytest.mark.parametrize(("early_ns", "called"), [(0, [1]), (300_000, [0, 1])], ids=["as stamped", "maybe earlier"])
def test_a_press_that_may_have_been_earlier_is_a_dead_heat(driver: Driver, early_ns: int, called: list[int]) -> None:
    go_ns = armed(driver)
    driver.say(seat=1, verb="meow", at_ns=go_ns + 500)
    answer = driver.say(seat=0, verb="meow", at_ns=go_ns + 300_500, early_ns=early_ns)
    answer = driver.say(seat=None, verb="settle", at_ns=due_ns(answer))
    assert answer["events"] == [{"event": "Called", "seats": called}]


def due_ns(answer: Answer) -> int:
    """When the clock answers."""
    found: int = max(offer["due_ns"] for offer in answer["offers"] if "due_ns" in offer)
    return found


def armed(driver: Driver) -> int:
    """All hands of a table of two are down: the stamp of the flash."""
    driver.say(players=["A", "B"], seed=7)
    driver.say(seat=0, verb="hands", at_ns=1)
    return due_ns(driver.say(seat=1, verb="hands", at_ns=2))


def outcome(answer: Answer) -> Answer:
    """An answer without what led to it."""
    return {key: value for key, value in answer.items() if key != "events"}


@pytest.mark.parametrize("game", ["", "chess", "../kitty_paw", "kitty_paw.RULES"])
def test_an_unknown_game_is_wrong_usage_said_in_one_line(driver: Driver) -> None:
    status, out, err = driver.close()
    assert (status, out, err.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("lines", [[], [{"players": ["A", "B"]}]], ids=["nothing was said", "a game is on"])
def test_it_ends_well_when_the_input_ends(driver: Driver, lines: list[Answer]) -> None:
    for line in lines:
        driver.say(**line)
    assert driver.close() == (0, b"", b"")


def test_a_last_line_without_a_line_feed_is_answered(driver: Driver) -> None:
    out, _ = driver.process.communicate(b'{"players":["A","B"]}', timeout=PATIENCE_S)
    assert json.loads(out)["board"]["phase"] == "hands"


def test_it_ends_quietly_when_nobody_reads_the_answers() -> None:
    process = Driver("kitty_paw").process
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stdin.write(b'{"players":["A","B"]}\n')
    process.stdin.close()
    with process.stderr as complaints:
        err = complaints.read()
    assert (process.wait(timeout=PATIENCE_S), err) == (0, b"")


BAD_LINES = {
    "no JSON": b"hello",
    "an array": b"[]",
    "an empty object": b"{}",
    "invalid UTF-8": b'{"undo":true,\xff:1}',
    "another encoding": b"\xff\xfe\x00\x01",
    "1 MB": b"x" * 1_000_000,
    "1 MB of nothing": b" " * 1_000_000,
    "a byte too long": b'{"correct":{"seat":0,"points":1}}'.ljust(MAX_LINE),
    "nested deeply": b"[" * 60_000,
    "no number": b'{"undo":NaN}',
    "a key twice": b'{"seat":1,"seat":2,"verb":"meow","at_ns":9}',
    "a first line again": b'{"players":["A","B"]}',
    "undo 1": b'{"undo":1}',
    "redo as a text": b'{"redo":"true"}',
    "end null": b'{"end":null}',
    "undo and redo": b'{"undo":true,"redo":true}',
    "correct and more": b'{"correct":{"seat":0,"points":1},"seat":1}',
    "correct 3": b'{"correct":3}',
    "correct without points": b'{"correct":{"seat":0}}',
    "correct with more": b'{"correct":{"seat":0,"points":1,"why":"x"}}',
    "no stamp": b'{"verb":"meow","seat":1}',
    "no verb": b'{"seat":1,"at_ns":9}',
    "seat as a text": b'{"seat":"1","verb":"meow","at_ns":9}',
    "seat true": b'{"seat":true,"verb":"meow","at_ns":9}',
    "stamp true": b'{"seat":1,"verb":"meow","at_ns":true}',
    "negative stamp": b'{"seat":1,"verb":"meow","at_ns":-1}',
    "stamp of 64 bits": b'{"seat":1,"verb":"meow","at_ns":9223372036854775808}',
    "huge stamp": b'{"seat":1,"verb":"meow","at_ns":' + b"9" * 4000 + b"}",
    "monstrous stamp": b'{"seat":1,"verb":"meow","at_ns":' + b"9" * 5000 + b"}",
    "error 0": b'{"seat":1,"verb":"meow","at_ns":9,"error_ns":0}',
    "error over 1 s": b'{"seat":1,"verb":"meow","at_ns":9,"error_ns":1000000001}',
    "earlier by less than 0": b'{"seat":1,"verb":"meow","at_ns":9,"early_ns":-1}',
    "earlier by over 1 s": b'{"seat":1,"verb":"meow","at_ns":9,"early_ns":1000000001}',
    "an unknown key": b'{"seat":1,"verb":"meow","at_ns":9,"colour":"red"}',
}
NOT_OFFERED = {
    "an unknown verb": b'{"seat":1,"verb":"dance","at_ns":9}',
    "a huge seat": b'{"seat":' + b"9" * 4000 + b',"verb":"meow","at_ns":9}',
    "a verb of many lines": b'{"seat":1,"verb":"a\\nb\\r\\u2028c","at_ns":9}',
    "half a character": b'{"seat":1,"verb":"\\ud800","at_ns":9}',
    "an endless verb": b'{"seat":1,"verb":"' + b"x" * 60_000 + b'","at_ns":9}',
}
BAD_VALUES = {
    "correct a wrong seat": b'{"correct":{"seat":3,"points":1}}',
    "a value that is not wanted": b'{"seat":1,"verb":"meow","value":1,"at_ns":9}',
    "value true": b'{"seat":1,"verb":"meow","value":true,"at_ns":9}',
    "value beyond all numbers": b'{"seat":1,"verb":"meow","value":1e400,"at_ns":9}',
}
RUBBISH = [
    pytest.param(line, kind, id=name)
    for kind, lines in (("bad_line", BAD_LINES), ("not_offered", NOT_OFFERED), ("bad_value", BAD_VALUES))
    for name, line in lines.items()
]


class Pair(dict[str, Driver]):
    """Two processes that were told the same; rubbish goes to one of them only."""

    def same(self, sent: bytes = b"") -> bool:
        """Whether both give the same answer to a line."""
        line = b'{"correct":{"seat":0,"points":1}}'
        return self["tried"].send(sent or line) == self["spared"].send(line)


@pytest.fixture(scope="module")
def race() -> Iterator[Pair]:
    """Two tables of three in the middle of a race: seat 0 has called."""
    pair = Pair(tried=Driver("kitty_paw"), spared=Driver("kitty_paw"))
    for driver in pair.values():
        answer = driver.say(players=["A", "B", "C"], seed=7)
        for seat in range(3):
            answer = driver.say(seat=seat, verb="hands", at_ns=1000)
        driver.say(verb="go", at_ns=due_ns(answer))
        driver.say(seat=0, verb="meow", at_ns=due_ns(answer) + 1_000_000_000)
    yield pair
    for driver in pair.values():
        driver.close()


@pytest.mark.parametrize(("line", "kind"), [*RUBBISH, pytest.param(b'{"redo":true}', "nothing_to_redo", id="redo")])
def test_rubbish_is_refused_in_one_short_line_and_changes_nothing(race: Pair, line: bytes, kind: str) -> None:
    answer = race["tried"].send(line)
    short = len(answer["error"].splitlines()) == 1 and 0 < len(answer["error"]) <= 303
    assert (answer["kind"], short, race.same()) == (kind, True, True)


@pytest.mark.parametrize("line", [b"", b" \t", b"\r"], ids=["empty", "blanks", "a carriage return"])
def test_an_empty_line_has_no_answer_and_changes_nothing_and_a_line_may_end_as_on_windows(
    race: Pair, line: bytes
) -> None:
    stdin = race["tried"].process.stdin
    assert stdin is not None
    stdin.write(line + b"\n")
    assert race.same(b'{"correct":{"seat":0,"points":1}}\r')


SETUPS = {
    "no players": (b"{}", "bad_setup"),
    "too few": (b'{"players":["A"]}', "bad_setup"),
    "an empty name": (b'{"players":["A",""]}', "bad_setup"),
    "a long name": (b'{"players":["A","' + b"x" * 21 + b'"]}', "bad_setup"),
    "a number as a name": (b'{"players":["A",2]}', "bad_setup"),
    "a text of players": (b'{"players":"AB"}', "bad_setup"),
    "seed true": (b'{"players":["A","B"],"seed":true}', "bad_setup"),
    "options as an array": (b'{"players":["A","B"],"options":[]}', "bad_setup"),
    "an unknown option": (b'{"players":["A","B"],"options":{"colour":"red"}}', "bad_setup"),
    "an unknown key": (b'{"players":["A","B"],"game":"kitty_paw"}', "bad_setup"),
    "rubbish": (b"hello", "bad_line"),
}


def test_after_wrong_first_lines_each_refused_in_one_line_a_good_one_starts_the_game(driver: Driver) -> None:
    for name, (line, kind) in SETUPS.items():
        answer = driver.send(line)
        assert (answer["kind"], len(answer["error"].splitlines())) == (kind, 1), name
    started = driver.say(players=["A", "B"])  # options and seed may be left out
    assert started["board"]["phase"] == "hands"
    assert (started["events"][0]["options"]["level2_sets"], started["events"][0]["seed"]) == (2, 0)


def page_session() -> list[tuple[Answer, Answer]]:
    """The session in docs/protocol.md: lines, and the keys of their answers."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("## A session")[1].split("\n# ")[0]
    blocks = "\n".join(page.split("```")[1::2])
    lines = [json.loads(f"[{part.replace('<', ',')}]") for part in blocks.split("> ")[1:]]
    return [(sent, shown) for sent, shown in lines]


def test_the_session_on_the_page_is_what_happens(driver: Driver) -> None:
    found = [(driver.say(**sent), shown) for sent, shown in page_session()]
    assert [{key: answer.get(key) for key in shown} for answer, shown in found] == [shown for _, shown in found]
