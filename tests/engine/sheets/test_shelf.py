"""The shipped sheets at a table: played games give the sums by hand, and checks ask again."""

from collections.abc import Sequence

import pytest

from tests.engine.sheets.plays import Answers, Play, Refused, number, numbers
from tests.engine.sheets.table import Table
from tests.engine.sheets.test_shelf_sums import PLAYS, REFUSED, SHEETS, SHELF, name


def begun(sheet: str, players: int) -> Table:
    return Table((SHELF / f"{sheet}.toml").read_text(encoding="utf-8"), players)


def per(sheet: str, ask: str) -> str:
    """Who answers an ask."""
    keys = next(keys for keys in [*SHEETS[sheet].get("ask", ()), *SHEETS[sheet].get("final", ())] if keys["id"] == ask)
    return str(keys.get("per", "table" if keys.get("kind") == "seat" else "each"))


def step(table: Table, sheet: str, answers: Answers) -> None:
    """A round, a turn, a press or a race."""
    asks = {ask: given for ask, given in answers.items() if ask not in ("by", "placed")}
    if "placed" in answers:
        race(table, str(SHEETS[sheet]["race"]["kind"]), numbers(answers, "placed"))
    elif "by" in answers:
        seat = number(answers, "by")
        if "race" in SHEETS[sheet]:
            table.press(seat).tick()
        for ask in asks:
            table.say(seat, ask, number(answers, ask))
    else:
        for ask, given in asks.items():
            said(table, sheet, ask, given)


def said(table: Table, sheet: str, ask: str, given: int | Sequence[int | None]) -> None:
    """What is asked of all, of each side, or of the table; nobody else is asked it."""
    asked = {offer.seat for offer in table.play.offers if offer.verb == ask}
    by_seat = {None: given} if isinstance(given, int) else dict(enumerate(given))
    answering = {seat: value for seat, value in by_seat.items() if value is not None}
    if per(sheet, ask) == "team":  # both partners may answer
        assert {seat % SHEETS[sheet]["teams"] for seat in asked if seat is not None} == set(answering)
    else:
        assert asked == set(answering)
    for seat, value in answering.items():
        table.say(seat, ask, value)


def race(table: Table, kind: str, placed: list[int]) -> None:
    """A race with these places by seat: those of one place press at once, too close to call."""
    seats = {place: [seat for seat, own in enumerate(placed) if own == place] for place in sorted(set(placed) - {0})}
    if not seats:
        table.say(None, "close")
        return
    if kind == "signal":
        table.say(None, "start")
        table.press(*[seat for seat, place in enumerate(placed) if place == 0])  # too early
        table.tick()
    last = max(seats)
    for place, level in seats.items():
        if kind == "first" or place != last or len(level) > 1:  # the last one need not press
            table.press(level[0])
            table.press(*level[1:], apart_ms=0)
    table.tick()
    for verb in ("first", "last"):
        if any(offer.verb == verb for offer in table.play.offers):
            table.say(None, verb, "all")


@pytest.mark.parametrize("play", PLAYS, ids=name)
def test_a_played_game_has_the_totals_by_hand(play: Play) -> None:
    table, totals = begun(play.sheet, play.players), []
    for answers in play.steps:
        step(table, play.sheet, answers)
        totals.append(list(table.play.scores))
    if play.end == "finish":
        table.say(None, "finish")
    for ask, given in (play.final or {}).items():
        said(table, play.sheet, ask, given)
    if play.final is not None:
        totals[len(play.steps) :] = [list(table.play.scores)]
    over = play.end != "open"
    winners = table.play.winners if over else ()
    assert (totals, winners, table.play.over) == (list(play.totals), tuple(play.winners), over)


@pytest.mark.parametrize("refused", REFUSED, ids=lambda refused: f"{refused.sheet}: {refused.again[0]}")
def test_a_check_asks_again(refused: Refused) -> None:
    table = begun(refused.sheet, refused.players)
    step(table, refused.sheet, refused.answers)
    offered = {offer.verb for offer in table.play.offers if not offer.menu}
    assert (len(offered), offered <= set(refused.again), set(table.play.scores)) == (1, True, {0})
