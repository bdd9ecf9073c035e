"""What must be, whatever happens: the page and the journal tell the same, and no fact of the journal changes."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from playwright.sync_api import Page

from engine.game import Rules
from engine.play import Fact, Play, Resumed
from engine.stamps import LIMITS, STAMPS
from firmware.journal.reader import History, Replay
from firmware.output.screens.view import seconds
from firmware.table import question
from firmware.table.question import OpenOffers
from tests.simulators.at_the_page import Table
from tests.simulators.clumsy.movements import Movements
from tests.simulators.new_runs import TIMER_S, ask, base, begins_again, level
from tests.simulators.page_input import Hands

MS, S = 1_000_000, 1_000_000_000
DUE_LATE_NS = 2 * S  # so long an answer of the clock waits for the notice of a void press
OVERLAYS = ("", "MORE", "NEXT?")  # what the page says is asked, where something lies over the game
CLOCK = re.compile(r"(?:(\d+):)?(\d+)\.\d\b|(\d+):(\d\d)\b")  # a stopwatch, a timer
TOLD = """() => ({
    ...told,
    status: document.getElementById("status").textContent,
    ranked: [...document.querySelectorAll("#ranked tr")].map(({cells}) => [cells[1].textContent, cells[2].textContent]),
})"""


class Seen(NamedTuple):
    """What stands: in the journal, and on the page."""

    play: Play
    told: dict[str, Any]

    @property
    def asked(self) -> OpenOffers:
        """The open question."""
        return question.of(self.play.offers)

    @property
    def over_game(self) -> bool:
        """Whether something lies over the game."""
        return self.told["words"]["question"] in OVERLAYS


class Watched(Movements):
    """Hands at the page of a kit whose journal is read along."""

    def __init__(
        self, dice: Random, table: Table, hands_on: Callable[[Page], Hands], rules: Rules[Any, Any], journal: Path
    ) -> None:
        super().__init__(dice, table, hands_on)
        self.rules, self.journal = rules, journal
        self.began_ms, self.off_ms = table.now_ms, 0
        self.number, self.facts = 0, tuple[Fact, ...]()
        self.begun_again = self.written = 0  # questions that a cut took; facts

    def told(self) -> dict[str, Any]:
        """What the page was sent, and what it shows."""
        found: dict[str, Any] = self.table.page.evaluate(TOLD)
        return found

    def replay(self) -> Replay:
        """The latest game in the journal, whose facts go on as they did before."""
        with closing(History(self.journal)) as history:
            row = history.games()[0]
            replay = history.replay(row.game, self.rules)
        if row.game != self.number:
            self.number, self.facts = row.game, ()
        assert replay.facts[: len(self.facts)] == self.facts, "the journal has forgotten"
        for n in range(max(1, len(self.facts)), len(replay.facts)):
            if isinstance(replay.facts[n].event, Resumed):
                self.check_resumed(replay.plays[n - 1], replay.plays[n], replay.facts[n])
        self.written += len(replay.facts) - len(self.facts)
        self.facts = replay.facts
        return replay

    def look(self) -> Seen:
        """What stands; the page and the journal say the same, and all times make sense."""
        seen = Seen(self.replay().play, self.told())
        play, told = seen.play, seen.told
        assert self.table.errors == [], self.table.errors
        assert told["status"] == "Connected" and not any(told["parts"].values()), (told["status"], told["parts"])
        if told["scores"] is not None:
            assert points_of(told["scores"]) == scores_of(play), f"shown {told['scores']}, stored {play.scores}"
            assert told["ranked"] == [[row["label"], str(row["points"])] for row in told["scores"]["rows"]]
            assert told["scores"]["over"] is play.over, "the end"
            self.check_times(seen)
        return seen

    def check_resumed(self, play: Play, again: Play, fact: Fact) -> None:
        """A new run has taken back what was in the air, and nothing else."""
        wanted, names = base(play), LIMITS if fact.event.boot == play.boot else STAMPS
        self.begun_again += begins_again(play)
        assert again.scores == play.scores, f"points are gone: {play.scores} became {again.scores}"
        stands, must = level(again, fact.at_ns, names), level(wanted, play.heard_ns, names)
        assert stands == must, f"{type(ask(again)).__name__} for {type(ask(wanted)).__name__}: {stands} for {must}"
        assert again.step == wanted.step, "steps"

    def check_offered(self, words: str) -> None:
        """The scores stand beside the question whether to go on."""
        scores = scores_of(self.replay().play)
        named = "  ".join(f"{name} {score}" for name, score in scores.items())
        assert " ".join(named.split()) in words or " ".join(map(str, scores.values())) in words, (words, scores)

    def check_times(self, seen: Seen) -> None:
        """What is due, the stopwatch, and all times that can be read."""
        play, now_ns = seen.play, self.table.now_ms * MS
        played_ms = self.table.now_ms - self.began_ms + self.off_ms
        dues = [offer.due_ns - now_ns for offer in play.offers if offer.due_ns is not None]
        assert all(-DUE_LATE_NS <= due <= TIMER_S * S for due in dues), f"a time limit is off: {dues}"
        words = seen.told["words"]["display"]
        for minutes, tenths, timer, rest in CLOCK.findall(words):
            time_s = int(minutes or timer or 0) * 60 + int(tenths or rest)
            most_s = TIMER_S if timer else played_ms // 1000 + 1
            assert time_s <= most_s, f"{words}: more than {most_s} s"
        run = play.board.race
        if run is not None and run.phase == "running" and run.since_ns is not None:
            assert 0 <= now_ns - run.since_ns <= (played_ms + 1000) * MS, f"a race since {run.since_ns}, at {now_ns}"
            clocks = [match[0] for match in CLOCK.finditer(words) if match[3] is None]
            near = [seconds(now_ns - run.since_ns - tenth * S // 10) for tenth in (0, 1)]
            alone = not seen.over_game and not run.gaps and len(clocks) == 1
            assert not alone or clocks[0] in near, f"{words}: {near[0]} s since the signal"


def points_of(scores: dict[str, Any]) -> dict[str, int]:
    """The points on the page, by label."""
    return {row["label"]: row["points"] for row in scores["rows"]}


def scores_of(play: Play) -> dict[str, int]:
    return dict(zip(play.players, play.scores, strict=True))
