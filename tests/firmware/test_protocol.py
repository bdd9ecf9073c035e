"""`luckypaw rules GAME`, driven over pipes as by a program in any language: whole games, and all kinds of rubbish."""

import json
import random
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
from tests.simulators.anyone import Anyone

ROOT = Path(__file__).parents[2]
GAMES = games.names()
LONGEST_LINE = 65536
PATIENCE_S = 20
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
        """End the input: the exit status, and what was still said and complained about."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err


@pytest.fixture
def driver(game: str) -> Iterator[Driver]:
    """A process before its first line."""
    found = Driver(game)
    yield found
    found.close()


def play_on(driver: Driver, answer: Answer, seed: int) -> list[Answer]:
    """Every answer from here to the end of the game."""
    anyone, answers = Anyone(seed), [answer]
    while "over" not in answers[-1]:
        answers.append(driver.say(**anyone.answer(answers[-1]["offers"])))
    return answers


# --- whole games -----------------------------------------------------------------------------------------------------

TABLES = [
    pytest.param("cat_pageant", ["A", "B", "C"], {"turn_timer_s": 5}, id="cat pageant, against the clock"),
    pytest.param("kitty_paw", ["A", "B"], {}, id="kitty paw, two"),
    pytest.param("kitty_paw", ["A", "B", "C", "D"], {}, id="kitty paw, four"),
    pytest.param(
        "kitty_paw",
        ["A", "B", "C"],
        {"mixed_deck": True, "tie_band": 20, "round_limit_s": 3, "response_limit_s": 2},
        id="kitty paw, against the clock",
    ),
    pytest.param("pack_and_stack", ["A", "B"], {}, id="pack & stack, two"),
    pytest.param("pack_and_stack", ["A", "B", "C", "D", "E", "F"], {"counting": "checked"}, id="pack & stack, six"),
    pytest.param(
        "pack_and_stack",
        ["A", "B", "C", "D"],
        {"device_dice": True, "reward_cards": True, "start": "hands_on", "loading_timer_s": 2},
        id="pack & stack, everything on",
    ),
]


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_a_program_that_knows_no_game_plays_one_to_its_end(
    driver: Driver, players: list[str], options: dict[str, object]
) -> None:
    answers = play_on(driver, driver.say(players=players, options=options, seed=7), seed=3)
    last = answers[-1]
    assert (last["offers"], last["over"], last["scores"]) == ([], True, last["board"]["scores"])


def moved(line: dict[str, Any], answer: Answer) -> Any:
    """A line and its answer, as a second scorer takes a move."""
    facts = [SimpleNamespace(event=SimpleNamespace(**event)) for event in answer["events"]]
    return SimpleNamespace(**{"seat": None, "value": None, "error_ns": 100_000, **line, "facts": facts})


@pytest.mark.parametrize("entry", ["counts", "cards"])
@pytest.mark.parametrize(("game", "players"), [("cat_pageant", 2), ("cat_pageant", 4)])
def test_a_game_played_from_its_offers_ends_as_a_second_scorer_says(driver: Driver, players: int, entry: str) -> None:
    options = read_options(games.rules(driver.game).options, {"entry": entry})
    answer = driver.say(players=list("ABCD"[:players]), options={"entry": entry}, seed=7)
    anyone, moves = Anyone(6), []
    while "over" not in answer:
        line = anyone.answer(answer["offers"])
        answer = driver.say(**line)
        moves.append(moved(line, answer))
    found = plain.SCORERS[driver.game](players, asdict(options), moves)
    board = answer["board"]
    assert found == (answer["scores"], answer["winners"], board["round"], board["tokens"], None)


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> tuple[Driver, list[Answer]]:
    """A process that has played a whole game and ended, and all it has answered."""
    driver = Driver(request.param)
    answers = play_on(driver, driver.say(players=["A", "B", "C"], seed=7), seed=4)
    driver.close()
    return driver, answers


def test_the_winners_are_seats_of_the_table(played: tuple[Driver, list[Answer]]) -> None:
    winners = played[1][-1]["winners"]
    assert winners and set(winners) <= {0, 1, 2}


def test_no_answer_is_refused_that_was_made_from_the_offers(played: tuple[Driver, list[Answer]]) -> None:
    assert [answer for answer in played[1] if "error" in answer] == []


def test_every_answer_is_one_line_of_json(played: tuple[Driver, list[Answer]]) -> None:
    assert [line for line in played[0].raw if line.count(b"\n") != 1 or not line.endswith(b"\n")] == []


def test_only_the_last_answer_is_over(played: tuple[Driver, list[Answer]]) -> None:
    assert [answer for answer in played[1] if "over" in answer or not answer["offers"]] == [played[1][-1]]


def test_the_same_lines_give_the_same_answers(played: tuple[Driver, list[Answer]]) -> None:
    twin = Driver(played[0].game)
    play_on(twin, twin.say(players=["A", "B", "C"], seed=7), seed=4)
    twin.close()
    assert twin.raw == played[0].raw


@pytest.mark.parametrize("game", GAMES)
def test_undo_after_the_end_asks_again(driver: Driver) -> None:
    play_on(driver, driver.say(players=["A", "B"], seed=7), seed=8)
    answer = driver.say(undo=True)
    assert answer["offers"] and "over" not in answer


@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_undone_to_its_first_question(driver: Driver) -> None:
    first = driver.say(players=["A", "B"], seed=7)
    if any(offer["verb"] == "recall" for offer in first["offers"]):  # what was kept is no step: it stays
        first = driver.say(seat=None, verb="recall", value=[["PIP", 2, 5, 1, 4]], at_ns=0)
    answer = play_on(driver, first, seed=9)[-1]
    while "error" not in (back := driver.say(undo=True)):
        answer = back
    assert (back["kind"], answer["offers"], answer["board"]) == ("nothing_to_undo", first["offers"], first["board"])


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_undone_and_redone_stands_at_its_end_again(driver: Driver) -> None:
    end = play_on(driver, driver.say(players=["A", "B"], seed=7), seed=10)[-1]
    while "error" not in driver.say(undo=True):
        pass
    answer = end
    while "error" not in (forward := driver.say(redo=True)):
        answer = forward
    assert (forward["kind"], told(answer)) == ("nothing_to_redo", told(end))


@pytest.mark.parametrize("game", GAMES)
def test_a_correction_moves_the_scores(driver: Driver) -> None:
    before = driver.say(players=["A", "B"], seed=7)["board"]["scores"]
    after = driver.say(correct={"seat": 1, "points": -3})["board"]["scores"]
    assert after == [before[0], before[1] - 3]


@pytest.mark.parametrize("game", GAMES)
def test_undo_takes_a_correction_back(driver: Driver) -> None:
    first = driver.say(players=["A", "B"], seed=7)
    driver.say(correct={"seat": 1, "points": -3})
    assert driver.say(undo=True)["board"] == first["board"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_ended_says_that_it_is_unfinished_and_has_no_winner(driver: Driver) -> None:
    driver.say(players=["A", "B"], seed=7)
    answer = driver.say(end=True)
    assert (answer["over"], answer["unfinished"], answer["winners"], answer["offers"]) == (True, True, [], [])


@pytest.mark.parametrize("game", GAMES)
def test_undo_takes_an_end_back(driver: Driver) -> None:
    first = driver.say(players=["A", "B"], seed=7)
    driver.say(end=True)
    assert told(driver.say(undo=True)) == told(first)


@pytest.mark.parametrize("game", GAMES)
def test_ending_twice_is_refused(driver: Driver) -> None:
    driver.say(players=["A", "B"], seed=7)
    driver.say(end=True)
    assert driver.say(end=True)["kind"] == "not_offered"


def test_an_action_stamped_after_a_due_offer_answers_that_first() -> None:
    driver = Driver("kitty_paw")
    go_ns = armed(driver)
    answer = driver.say(seat=0, verb="meow", at_ns=go_ns + 1)
    driver.close()
    assert [event["event"] for event in answer["events"]] == ["Flashed", "Pressed"]


LATEST = 2**62


@pytest.fixture
def eve() -> Iterator[Driver]:
    """A Kitty Paw table of two whose first hand came at the last moment that there is for people."""
    driver = Driver("kitty_paw")
    driver.say(players=["A", "B"], seed=7)
    driver.say(seat=0, verb="hands", at_ns=LATEST)
    yield driver
    driver.close()


def due_ns(answer: Answer) -> int:
    """When the clock answers."""
    found: int = max(offer["due_ns"] for offer in answer["offers"] if "due_ns" in offer)
    return found


def test_the_latest_stamp_of_people_leaves_room_for_what_falls_due_after_it(eve: Driver) -> None:
    assert LATEST < due_ns(eve.say(seat=1, verb="hands", at_ns=LATEST)) < 2**63


def test_the_clock_may_answer_later_than_people(eve: Driver) -> None:
    go_ns = due_ns(eve.say(seat=1, verb="hands", at_ns=LATEST))
    assert "error" not in eve.say(verb="go", at_ns=go_ns)


def test_a_stamp_after_the_latest_says_what_is_allowed(eve: Driver) -> None:
    assert eve.say(seat=1, verb="hands", at_ns=LATEST + 1)["error"] == (
        "at_ns = 4611686018427387905: allowed is 0 to 4611686018427387904, more only where the clock answers"
    )


def test_no_offer_is_made_that_falls_due_beyond_63_bits() -> None:
    """A turn that is over at the last moment of all, by its timer: the next one would have no time left."""
    driver = Driver("cat_pageant")
    offers = driver.say(players=["A", "B"], options={"turn_timer_s": 60})["offers"]
    while all(offer["verb"] != "time_up" for offer in offers):
        asked = min(offers, key=lambda offer: "due_ns" in offer)
        value = asked.get("low", asked.get("example", (asked.get("options") or [None])[0]))
        at_ns = asked.get("due_ns", LATEST)
        offers = driver.say(seat=asked["seat"], verb=asked["verb"], value=value, at_ns=at_ns)["offers"]
    answer = driver.say(verb="time_up", at_ns=2**63 - 1)
    driver.close()
    assert answer == {
        "error": "at_ns = 9223372036854775807: what falls due after it would have no stamp",
        "kind": "bad_line",
    }


def test_a_press_without_an_error_has_that_of_a_kernel_stamp() -> None:
    driver = Driver("kitty_paw")
    go_ns = armed(driver)
    answer = driver.say(seat=0, verb="meow", at_ns=go_ns + 1)
    driver.close()
    assert answer["events"][-1]["error_ns"] == 100_000


def test_the_board_names_every_part_of_the_race() -> None:
    driver = Driver("kitty_paw")
    go_ns = armed(driver)
    driver.say(seat=1, verb="meow", at_ns=go_ns + 500)
    board = driver.say(seat=0, verb="meow", at_ns=go_ns + 900)["board"]
    driver.close()
    assert board["race"] == {
        "phase": "answers",
        "since_ns": go_ns,
        "gaps": [[1, 0], [0, 400]],
        "jumped": [],
        "presses": [[1, go_ns + 500, 100_000], [0, go_ns + 900, 100_000]],
        "benched": [],
        "seats": [0, 1],
        "only_first": False,
        "ruled": [],
        "first": [],
        "last": [],
        "band_ns": 0,
        "in_front": [],
        "at_end": [],
        "overtaken": [],
    }


def armed(driver: Driver) -> int:
    """A Kitty Paw table of two with all hands down: the stamp of the flash."""
    driver.say(players=["A", "B"], seed=7)
    driver.say(seat=0, verb="hands", at_ns=1)
    offers = driver.say(seat=1, verb="hands", at_ns=2)["offers"]
    due_ns: int = next(offer["due_ns"] for offer in offers if "due_ns" in offer)
    return due_ns


def told(answer: Answer) -> Answer:
    """An answer without what led to it."""
    return {key: value for key, value in answer.items() if key != "events"}


# --- the process -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["", "chess", "os", "../kitty_paw", "Kitty_Paw", "kitty_paw.RULES"])
def test_an_unknown_game_is_wrong_usage_said_in_one_line(game: str) -> None:
    status, out, err = Driver(game).close()
    assert (status, out, err.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("game", GAMES)
def test_it_ends_well_when_the_input_ends(driver: Driver) -> None:
    driver.say(players=["A", "B"], seed=7)
    assert driver.close() == (0, b"", b"")


def test_it_ends_well_when_nothing_was_said() -> None:
    assert Driver("kitty_paw").close() == (0, b"", b"")


def test_a_last_line_without_a_line_feed_is_answered() -> None:
    driver = Driver("kitty_paw")
    out, _ = driver.process.communicate(b'{"players":["A","B"]}', timeout=PATIENCE_S)
    assert json.loads(out)["board"]["phase"] == "hands"


def test_it_ends_quietly_when_nobody_reads_the_answers() -> None:
    driver = Driver("kitty_paw")
    assert driver.process.stdin is not None and driver.process.stdout is not None and driver.process.stderr is not None
    driver.process.stdout.close()
    driver.process.stdin.write(b'{"players":["A","B"]}\n')
    driver.process.stdin.close()
    err = driver.process.stderr.read()
    driver.process.stderr.close()
    assert (driver.process.wait(timeout=PATIENCE_S), err) == (0, b"")


# --- refusals in mid-race --------------------------------------------------------------------------------------------

HUGE = "9" * 4000

RUBBISH = [
    pytest.param(b"hello", "bad_line", id="no JSON"),
    pytest.param(b'{"seat":0,', "bad_line", id="half a line"),
    pytest.param(b'{"undo":true} {"undo":true}', "bad_line", id="two objects"),
    pytest.param(b"[]", "bad_line", id="an array"),
    pytest.param(b"3", "bad_line", id="a number"),
    pytest.param(b"null", "bad_line", id="null"),
    pytest.param(b'"undo"', "bad_line", id="a text"),
    pytest.param(b"{}", "bad_line", id="an empty object"),
    pytest.param(b'{"undo":true,\xff:1}', "bad_line", id="invalid UTF-8"),
    pytest.param(b"\xff\xfe\x00\x01", "bad_line", id="bytes"),
    pytest.param(b"\x00", "bad_line", id="a zero byte"),
    pytest.param(b"x" * 1_000_000, "bad_line", id="1 MB"),
    pytest.param(b" " * 1_000_000, "bad_line", id="1 MB of nothing"),
    pytest.param(b'{"undo":true,"x":"' + b"x" * 1_000_000 + b'"}', "bad_line", id="1 MB of JSON"),
    pytest.param(b"x" * LONGEST_LINE, "bad_line", id="a byte too long"),
    pytest.param(b"[" * 60_000, "bad_line", id="nested deeply"),
    pytest.param(b'{"a":' * 12_000 + b"1" + b"}" * 12_000, "bad_line", id="objects nested deeply"),
    pytest.param(b'{"undo":NaN}', "bad_line", id="NaN"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":Infinity}', "bad_line", id="infinity"),
    pytest.param(b'{"seat":1,"seat":2,"verb":"meow","at_ns":9}', "bad_line", id="a key twice"),
    pytest.param(b'{"correct":{"seat":0,"points":1,"points":2}}', "bad_line", id="a key twice within"),
    pytest.param(b'{"players":["A","B"]}', "bad_line", id="a first line again"),
    pytest.param(b'{"undo":1}', "bad_line", id="undo 1"),
    pytest.param(b'{"undo":false}', "bad_line", id="undo false"),
    pytest.param(b'{"redo":"true"}', "bad_line", id="redo as a text"),
    pytest.param(b'{"end":null}', "bad_line", id="end null"),
    pytest.param(b'{"undo":true,"redo":true}', "bad_line", id="undo and redo"),
    pytest.param(b'{"undo":true,"seat":0}', "bad_line", id="undo of a seat"),
    pytest.param(b'{"redo":true}', "nothing_to_redo", id="nothing to redo"),
    pytest.param(b'{"correct":3}', "bad_line", id="correct 3"),
    pytest.param(b'{"correct":{"seat":0}}', "bad_line", id="correct without points"),
    pytest.param(b'{"correct":{"seat":0,"points":1,"why":"x"}}', "bad_line", id="correct with more"),
    pytest.param(b'{"correct":{"seat":3,"points":1}}', "bad_value", id="correct a wrong seat"),
    pytest.param(b'{"correct":{"seat":-1,"points":1}}', "bad_value", id="correct a negative seat"),
    pytest.param(b'{"correct":{"seat":null,"points":1}}', "bad_value", id="correct the table"),
    pytest.param(b'{"correct":{"seat":true,"points":1}}', "bad_value", id="correct seat true"),
    pytest.param(b'{"correct":{"seat":0,"points":0}}', "bad_value", id="correct by 0"),
    pytest.param(b'{"correct":{"seat":0,"points":1001}}', "bad_value", id="correct by too much"),
    pytest.param(b'{"correct":{"seat":0,"points":1.5}}', "bad_value", id="correct by a half"),
    pytest.param(b'{"correct":{"seat":0,"points":' + HUGE.encode() + b"}}", "bad_value", id="correct by a huge number"),
    pytest.param(b'{"verb":"meow","seat":1}', "bad_line", id="no stamp"),
    pytest.param(b'{"seat":1,"at_ns":9}', "bad_line", id="no verb"),
    pytest.param(b'{"seat":1,"verb":3,"at_ns":9}', "bad_line", id="verb 3"),
    pytest.param(b'{"seat":1,"verb":null,"at_ns":9}', "bad_line", id="verb null"),
    pytest.param(b'{"seat":"1","verb":"meow","at_ns":9}', "bad_line", id="seat as a text"),
    pytest.param(b'{"seat":true,"verb":"meow","at_ns":9}', "bad_line", id="seat true"),
    pytest.param(b'{"seat":1.0,"verb":"meow","at_ns":9}', "bad_line", id="seat 1.0"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":true}', "bad_line", id="stamp true"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":-1}', "bad_line", id="negative stamp"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":1e9}', "bad_line", id="stamp as a fraction"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":"9"}', "bad_line", id="stamp as a text"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":9223372036854775808}', "bad_line", id="stamp of 64 bits"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":4611686018427387905}', "bad_line", id="stamp that leaves no room"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":' + HUGE.encode() + b"}", "bad_line", id="huge stamp"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":' + b"9" * 5000 + b"}", "bad_line", id="monstrous stamp"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":9,"error_ns":0}', "bad_line", id="error 0"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":9,"error_ns":1000000001}', "bad_line", id="error over 1 s"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":9,"error_ns":true}', "bad_line", id="error true"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":9,"error_ns":null}', "bad_line", id="error null"),
    pytest.param(b'{"seat":1,"verb":"meow","at_ns":9,"colour":"red"}', "bad_line", id="an unknown key"),
    pytest.param(b'{"seat":3,"verb":"meow","at_ns":9}', "not_offered", id="a seat that is not there"),
    pytest.param(b'{"seat":-1,"verb":"meow","at_ns":9}', "not_offered", id="a negative seat"),
    pytest.param(b'{"seat":' + HUGE.encode() + b',"verb":"meow","at_ns":9}', "not_offered", id="a huge seat"),
    pytest.param(b'{"seat":0,"verb":"meow","at_ns":9}', "not_offered", id="a seat that has pressed"),
    pytest.param(b'{"verb":"meow","at_ns":9}', "not_offered", id="the table for a seat"),
    pytest.param(b'{"seat":1,"verb":"points","value":6,"at_ns":9}', "not_offered", id="a verb of later"),
    pytest.param(b'{"seat":1,"verb":"dance","at_ns":9}', "not_offered", id="an unknown verb"),
    pytest.param(b'{"seat":1,"verb":"","at_ns":9}', "not_offered", id="an empty verb"),
    pytest.param(b'{"seat":1,"verb":"a\\nb\\r\\u2028c","at_ns":9}', "not_offered", id="a verb of many lines"),
    pytest.param(b'{"seat":1,"verb":"\\ud800","at_ns":9}', "not_offered", id="half a character"),
    pytest.param(b'{"seat":1,"verb":"' + b"x" * 60_000 + b'","at_ns":9}', "not_offered", id="an endless verb"),
    pytest.param(b'{"seat":null,"verb":"settle","at_ns":9}', "not_offered", id="a due offer before its time"),
    pytest.param(b'{"seat":1,"verb":"meow","value":1,"at_ns":9}', "bad_value", id="a value that is not wanted"),
    pytest.param(b'{"seat":1,"verb":"meow","value":true,"at_ns":9}', "bad_value", id="value true"),
    pytest.param(b'{"seat":1,"verb":"meow","value":[1],"at_ns":9}', "bad_value", id="value as an array"),
    pytest.param(b'{"seat":1,"verb":"meow","value":{},"at_ns":9}', "bad_value", id="value as an object"),
    pytest.param(b'{"seat":1,"verb":"meow","value":1e400,"at_ns":9}', "bad_value", id="value beyond all numbers"),
]


class Pair(dict[str, Driver]):
    """Two processes that were told the same; rubbish goes to one of them only."""

    def both(self, **line: object) -> tuple[Answer, Answer]:
        return self["tried"].say(**line), self["spared"].say(**line)


@pytest.fixture(scope="module")
def race() -> Iterator[Pair]:
    """Two tables of three in the middle of a Kitty Paw race: seat 0 has called."""
    pair = Pair(tried=Driver("kitty_paw"), spared=Driver("kitty_paw"))
    for driver in pair.values():
        offers = driver.say(players=["A", "B", "C"], seed=7)["offers"]
        for offer in offers:
            offers = driver.say(seat=offer["seat"], verb="hands", at_ns=1000)["offers"]
        go_ns = next(offer["due_ns"] for offer in offers if "due_ns" in offer)
        driver.say(seat=None, verb="go", at_ns=go_ns)
        driver.say(seat=0, verb="meow", at_ns=go_ns + 1_000_000_000)
    yield pair
    for driver in pair.values():
        driver.close()


@pytest.mark.parametrize(("line", "kind"), RUBBISH)
def test_rubbish_is_refused(race: Pair, line: bytes, kind: str) -> None:
    assert race["tried"].send(line)["kind"] == kind


@pytest.mark.parametrize(("line", "kind"), RUBBISH)
def test_a_refusal_is_one_short_line(race: Pair, line: bytes, kind: str) -> None:
    error = race["tried"].send(line)["error"]
    assert (len(error.splitlines()), 0 < len(error) <= 303) == (1, True)


@pytest.mark.parametrize(("line", "kind"), RUBBISH)
def test_rubbish_changes_nothing(race: Pair, line: bytes, kind: str) -> None:
    race["tried"].send(line)
    tried, spared = race.both(correct={"seat": 0, "points": 1})
    assert tried == spared


@pytest.mark.parametrize("line", [b"", b"   ", b"\t", b"\r"], ids=["empty", "blanks", "a tab", "a carriage return"])
def test_an_empty_line_has_no_answer_and_changes_nothing(race: Pair, line: bytes) -> None:
    stdin = race["tried"].process.stdin
    assert stdin is not None
    stdin.write(line + b"\n")
    tried, spared = race.both(correct={"seat": 0, "points": 1})
    assert tried == spared


def test_a_line_that_ends_as_on_windows_is_understood(race: Pair) -> None:
    assert race["tried"].send(b'{"correct":{"seat":0,"points":1}}\r') == race["spared"].say(
        correct={"seat": 0, "points": 1}
    )


def test_random_rubbish_between_the_lines_changes_no_answer() -> None:
    tried, spared = Driver("pack_and_stack"), Driver("pack_and_stack")
    dice, anyone = random.Random(1), Anyone(1)
    seen = []
    answer = tried.say(players=["A", "B"], seed=7)
    same = [answer == spared.say(players=["A", "B"], seed=7)]
    while "over" not in answer:
        line = anyone.answer(answer["offers"])
        seen.append(tried.send(mangled(json.dumps(line).encode(), dice)))
        answer = tried.say(**line)
        same.append(answer == spared.say(**line))
    tried.close()
    spared.close()
    assert (all(same), [a for a in seen if "error" not in a]) == (True, [])


def mangled(line: bytes, dice: random.Random) -> bytes:
    """A line with a byte that no JSON has, somewhere."""
    at = dice.randrange(len(line))
    return line[:at] + bytes([dice.choice((0x00, 0x01, 0x1F, 0xFF, 0xC0))]) + line[at:]


# --- values out of range ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def count() -> Iterator[Pair]:
    """Two tables of two in Pack & Stack that are asked for numbers."""
    pair = Pair(tried=Driver("pack_and_stack"), spared=Driver("pack_and_stack"))
    for driver in pair.values():
        driver.say(players=["A", "B"], options={"counting": "checked"}, seed=7)
        driver.say(seat=0, verb="youngest", at_ns=1)
    yield pair
    for driver in pair.values():
        driver.close()


@pytest.mark.parametrize(
    "value",
    ["-1", "31", HUGE, "-" + HUGE, "null", "true", "1.0", "1e1", '"1"', '""', "[]", "{}"],
    ids=["below", "above", "huge", "huge below", "null", "true", "1.0", "1e1", "text", "no text", "array", "object"],
)
def test_a_number_out_of_range_is_refused(count: Pair, value: str) -> None:
    line = '{"seat":0,"verb":"load","at_ns":2,"value":' + value + "}"
    assert count["tried"].send(line.encode())["kind"] == "bad_value"


def test_a_number_that_is_left_out_is_refused(count: Pair) -> None:
    assert count["tried"].say(seat=0, verb="load", at_ns=2)["kind"] == "bad_value"


def test_a_refused_number_leaves_the_question_open(count: Pair) -> None:
    count["tried"].say(seat=0, verb="load", value=31, at_ns=2)
    tried, spared = count.both(correct={"seat": 0, "points": 1})
    assert tried == spared


# --- the first line --------------------------------------------------------------------------------------------------

SETUPS = [
    pytest.param(b"{}", id="no players"),
    pytest.param(b'{"players":[]}', id="nobody"),
    pytest.param(b'{"players":["A"]}', id="too few"),
    pytest.param(b'{"players":["A","B","C","D","E"]}', id="too many"),
    pytest.param(b'{"players":["A","A"]}', id="the same name"),
    pytest.param(b'{"players":["A",""]}', id="an empty name"),
    pytest.param(b'{"players":["A","' + b"x" * 21 + b'"]}', id="a long name"),
    pytest.param(b'{"players":["A",2]}', id="a number as a name"),
    pytest.param(b'{"players":["A",null]}', id="null as a name"),
    pytest.param(b'{"players":"AB"}', id="a text of players"),
    pytest.param(b'{"players":{"A":1,"B":2}}', id="an object of players"),
    pytest.param(b'{"players":3}', id="a number of players"),
    pytest.param(b'{"players":["A","B"],"seed":"7"}', id="seed as a text"),
    pytest.param(b'{"players":["A","B"],"seed":true}', id="seed true"),
    pytest.param(b'{"players":["A","B"],"seed":7.0}', id="seed 7.0"),
    pytest.param(b'{"players":["A","B"],"seed":null}', id="seed null"),
    pytest.param(b'{"players":["A","B"],"options":[]}', id="options as an array"),
    pytest.param(b'{"players":["A","B"],"options":null}', id="options null"),
    pytest.param(b'{"players":["A","B"],"options":{"colour":"red"}}', id="an unknown option"),
    pytest.param(b'{"players":["A","B"],"options":{"mixed_deck":1}}', id="1 for a switch"),
    pytest.param(b'{"players":["A","B"],"options":{"mixed_deck":"on"}}', id="a word for a switch"),
    pytest.param(b'{"players":["A","B"],"options":{"level2_sets":3}}', id="an option out of range"),
    pytest.param(b'{"players":["A","B"],"options":{"level2_sets":true}}', id="true for a number"),
    pytest.param(b'{"players":["A","B"],"options":{"level2_sets":[2]}}', id="an array for a number"),
    pytest.param(b'{"players":["A","B"],"options":{"tie_band":"wide"}}', id="a wrong word"),
    pytest.param(b'{"players":["A","B"],"game":"kitty_paw"}', id="an unknown key"),
    pytest.param(b'{"undo":true}', id="undo"),
    pytest.param(b'{"seat":0,"verb":"hands","at_ns":1}', id="an action"),
]


@pytest.fixture(scope="module")
def unset() -> Iterator[Driver]:
    """A process that never hears a good first line."""
    found = Driver("kitty_paw")
    yield found
    found.close()


@pytest.mark.parametrize("line", SETUPS)
def test_a_wrong_first_line_is_refused(unset: Driver, line: bytes) -> None:
    assert unset.send(line)["kind"] == "bad_setup"


@pytest.mark.parametrize("line", SETUPS)
def test_a_refused_first_line_is_answered_in_one_line(unset: Driver, line: bytes) -> None:
    assert len(unset.send(line)["error"].splitlines()) == 1


def test_rubbish_for_a_first_line_is_a_bad_line(unset: Driver) -> None:
    assert unset.send(b"hello")["kind"] == "bad_line"


def test_after_a_refused_first_line_a_good_one_starts_the_game() -> None:
    driver = Driver("kitty_paw")
    driver.say(players=["A"])
    answer = driver.say(players=["A", "B"])
    driver.close()
    assert answer["board"]["phase"] == "hands"


def test_options_and_seed_may_be_left_out() -> None:
    driver = Driver("kitty_paw")
    started = driver.say(players=["A", "B"])["events"][0]
    driver.close()
    assert (started["options"]["level2_sets"], started["seed"]) == (2, 0)


# --- the page that defines it ----------------------------------------------------------------------------------------


def page_session() -> list[tuple[Answer, Answer]]:
    """What docs/protocol.md shows: lines, and the keys of their answers."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("## A session")[1].split("\n# ")[0]
    blocks = "\n".join(page.split("```")[1::2])
    said = [json.loads(f"[{part.replace('<', ',')}]") for part in blocks.split("> ")[1:]]
    return [(sent, shown) for sent, shown in said]


def test_the_session_on_the_page_is_what_happens() -> None:
    driver = Driver("kitty_paw")
    found = [(driver.say(**sent), shown) for sent, shown in page_session()]
    driver.close()
    assert [{key: answer.get(key) for key in shown} for answer, shown in found] == [shown for _, shown in found]
