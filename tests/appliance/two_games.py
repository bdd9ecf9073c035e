"""`python -m tests.appliance.two_games`: two whole games on the machine's own lines, as JSON in the file `games`.

Of each: what people know that must come of it, what the journal and the display have, and how many tones the PWM has
made. A kit that is not there yet is installed before, from the folder on the card.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from firmware.output import screens
from firmware.table.question import EMPTY
from tests.appliance.machine import BUZZER, HANDS, MACHINE, forget_games, machine, nobody_is_greeted, table, until_ready
from tests.kernel.test_whole_games import Told, play_kitty_paw, play_pack_and_stack, verdicts
from tests.simulators import pwm_sink
from tests.simulators.real_table import Table
from tests.simulators.waiting import comes, unstalled

INSTALL = "/boot/firmware/luckypaw/scripts/install"


def played(people: Callable[[Table], Told]) -> dict[str, Any]:
    """Play one game on a kit that knows none yet. Raises `Stalled`."""
    with pwm_sink.overlay(BUZZER):
        forget_games()
        until_ready()
        return seen(people)


def seen(people: Callable[[Table], Told]) -> dict[str, Any]:
    """Play it, and look at what has come of it."""
    with table() as found:
        told = people(found)
        play = found.play()
        assert play is not None
        expected = screens.draw(play, EMPTY, knob=True).tobytes()
        shown = comes(lambda: found.glass().tobytes() == expected)
        return {
            "told": {"verdicts": told.verdicts, "scores": told.scores},
            "found": {"verdicts": verdicts(found.facts()), "scores": play.scores},
            "sources": sorted({edge.source for edge in found.edges()}),
            "shown": shown,
            "tones": sum(each.period_ns > 0 for each in pwm_sink.heard(pwm_sink.settings())),
        }


def main() -> None:
    """Status 1 if the installer fails."""
    if not (MACHINE / "opt/luckypaw").exists():
        done = machine("bash", INSTALL)
        print(done.stdout, done.stderr, file=sys.stderr)
        if done.returncode:
            sys.exit(1)
    nobody_is_greeted()
    games = [unstalled(partial(played, game)) for game in (play_pack_and_stack, play_kitty_paw)]
    (HANDS / "games").write_text(json.dumps(games))


if __name__ == "__main__":
    main()
