"""Phones and boards show the clocks of the display. They are told once, and a signal's time never."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from engine.rules import GO, SETTLE
from firmware.messages import ShownClock, told_at
from firmware.output import public
from firmware.panel.server import Panel
from tests.firmware.browser import needs_chromium
from tests.firmware.phone_table import PhoneTable
from tests.firmware.test_cat_pageant_at_the_table import READY
from tests.simulators.phone import Phone, let_in
from tests.simulators.rig import MS, Rig, S
from tests.simulators.waiting import PATIENCE_S

CHESS = "sheet[Chess 2]"  # ten minutes each, and five seconds a turn
LOADING = "game[pack_and_stack 3 loading_timer_s=30] P1 ok 3300 P1 100 P2 100 P3 1700 ok"
TOLERANCE_MS = 300
MOMENTS = 40
SEED = Random().randrange(10**6)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    let_in(rig)
    yield rig
    rig.close()


@pytest.fixture
def told(rig: Rig) -> list[Any]:
    """What a phone is told of clocks, from now on."""
    phone, told = Phone(rig), list[Any]()
    send = phone.link.send

    def heard(news: Any) -> None:
        if "clocks" in news:
            told.append(news["clocks"])
        send(news)

    phone.link.send = heard
    return told


def clock(seat: int | None, ms: int, *, runs: bool = True, over: bool = False) -> dict[str, object]:
    return {"seat": seat, "ms": ms, "runs": runs, "over": over}


def test_a_clock_is_told_as_it_begins_and_passes_on_and_not_as_it_runs(rig: Rig, told: list[Any]) -> None:
    rig.do(CHESS)
    (begun,) = told
    assert begun == [clock(0, 600_000, over=True), clock(1, 600_000, runs=False)]
    rig.do("30s")
    assert len(told) == 1
    rig.do("P1")
    assert [[one["runs"] for one in each] for each in told[1:]] == [[False, True]]
    assert told[1][0]["ms"] == pytest.approx(600_000 - 30_000 + 5_000, abs=200)
    rig.do("10s undo")
    assert [one["runs"] for one in told[-1]] == [True, False]
    many = len(told)
    rig.do("5s")
    assert len(told) == many


def test_whoever_comes_back_is_told_what_is_left_by_then(rig: Rig) -> None:
    phone = Phone(rig.do(CHESS))
    phone.sleep()
    rig.do("90s")
    phone.connect()
    rig.after(0)
    assert phone.news["clocks"][0]["ms"] == pytest.approx(600_000 - 90_000, abs=300)
    newcomer = rig.app.table.phones
    assert newcomer is not None
    assert phone.phones.sight(phone.id)["clocks"] == phone.news["clocks"]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param("game[kitty_paw 3]", [], id="no clock"),
        pytest.param(LOADING, [None], id="of all"),
        pytest.param(f"{CHESS} menu[Finish] turn-1 ok", [], id="an end"),
        pytest.param("sheet[Turn timer 3]", [0], id="whose turn it is"),
    ],
)
def test_the_clocks_of_the_display_are_told_and_no_other(rig: Rig, line: str, shown: list[int | None]) -> None:
    phone = Phone(rig.do(line))
    assert [one["seat"] for one in phone.news["clocks"]] == shown


# --- when a signal or a verdict is due -------------------------------------------------------------------------------

RACES = {  # until the verdict
    "game[kitty_paw 3] +P1,P2,P3 1300 -P2 300 +P2 5000 -P1,P2,P3 P2 P1 P3 300": {GO, SETTLE},
    "game[pack_and_stack 3] P1 ok 3300 P1 100 P2 100 P3 1700": {GO, SETTLE},
    f"{READY} ok 3500": {GO},
    "sheet[Reaction 3] ok 500 P3 7s P2 P1 300": {GO, SETTLE},
}
NEAR_NS, SMALL = 5 * MS, 100  # a smaller number is a seat, a score, a round


def leaks(sent: str, due_ns: int, now_ns: int) -> bool:
    """Whether a number says when something is due: as a stamp, or as the time until then, in ns, us or ms."""
    wanted = [(ns / unit, NEAR_NS / unit) for ns in (due_ns, due_ns - now_ns) for unit in (1, 1_000, MS)]
    numbers = [float(found) for found in re.findall(r"\d+(?:\.\d+)?", sent)]
    return any(want > SMALL and abs(number - want) <= near for want, near in wanted for number in numbers)


@pytest.mark.parametrize("line", RACES)
def test_nothing_that_leaves_the_kit_says_when_a_signal_or_a_verdict_is_due(rig: Rig, line: str) -> None:
    sent, dues = list[tuple[int, str]](), dict[tuple[int, str], int]()  # until when each stood

    def heard(news: Any) -> None:
        sent.append((rig.now_ns, json.dumps(news)))
        look()

    def look() -> None:
        for offer in () if rig.app.table.game is None else rig.playing.play.offers:
            if offer.verb in (GO, SETTLE) and offer.due_ns is not None:
                dues[int(offer.due_ns), str(offer.verb)] = rig.now_ns

    for button in ("P1", "P2"):
        phone = Phone(rig)
        phone.say(seat=button)
        phone.link.send = heard
    watch = Phone(rig)
    watch.link.send = heard
    rig.app.follow(heard, *Panel.KINDS)
    rig.do(line)
    look()
    assert {verb for _, verb in dues} == RACES[line]
    for (due_ns, _), last_ns in dues.items():
        assert [text for at_ns, text in sent if at_ns <= last_ns and leaks(text, due_ns, at_ns)] == []


def test_the_search_finds_what_would_say_it() -> None:
    now_ns = 1000 * S
    due_ns = now_ns + 2371 * MS
    for told in (due_ns, due_ns // 1_000, 2371 * MS, 2371, 2371.4):
        assert leaks(json.dumps({"clocks": [{"ms": told}]}), due_ns, now_ns)
    assert not leaks(json.dumps({"count": 3, "scores": [4, 12]}), due_ns, now_ns)


# --- in a browser ----------------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    table = PhoneTable(tmp_path / "pages")
    yield table
    table.close()


HEAR = """async clocks => {
    const page = await import("/common.js");
    page.hearClocks(clocks);
    page.drawClocks({buttons: [0, 1], names: ["P1", "P2"]});
}"""


@needs_chromium
@pytest.mark.parametrize("line", [CHESS, "sheet[Turn timer 2]"])
def test_pages_show_the_clocks_of_the_display_within_three_tenths_of_a_second(
    rig: Rig, table: PhoneTable, chromium: Browser, line: str
) -> None:
    dice, page, told = Random(SEED), chromium.new_page(), tuple[ShownClock, ...]()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.clock.install(time=0)
    page.goto(f"http://{table.host}/board")  # it has not joined: it shows only what it is given here
    page.clock.pause_at(60)

    def play(line: str) -> list[str]:
        """Time passes there, too. Returns the clocks on the display."""
        since_ns = rig.now_ns
        rig.do(line)
        page.clock.run_for((rig.now_ns - since_ns) // MS)
        return re.findall(r"-?\d+:\d\d", rig.reads().replace("–", "-"))

    play(line)
    for _moment in range(MOMENTS):
        if dice.random() < 0.3:
            play(dice.choice(("P1", "P2", "undo")))
        if (clocks := public.clocks(rig.playing.play)) != told:
            told = clocks
            page.evaluate(HEAR, told_at({"clocks": clocks}, rig.now_ns).get("clocks"))
        before, now = play(str(dice.randrange(50, 60_000))), play(str(TOLERANCE_MS))
        shown = [text.replace("−", "-") for text in page.locator("#clocks b").all_text_contents()]
        assert len(shown) == len(now) == len(clocks)
        assert all(text in (before[n], now[n]) for n, text in enumerate(shown)), (SEED, shown, before, now)
    assert page.locator("#clocks").count() == 1
    assert page.locator("[aria-live] #clocks").count() == 0
    page.close()
