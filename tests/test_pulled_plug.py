"""The plug is pulled at any moment: the game is offered again and stands where it stood."""

import argparse
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine import games
from engine import play as plays
from engine.play import Resumed
from engine.rules import RELEASE, Action
from firmware.journal import History
from tests.firmware.rig import Rig

ROOT = Path(__file__).resolve().parent.parent


def stand(folder: Path) -> list[object]:
    """Every state the latest game has been in, step by step; empty where no game was begun."""
    try:
        history = History(folder / "journal.db")
    except FileNotFoundError:
        return []
    rows = history.games()
    if not rows:
        return []
    rules = games.rules(rows[0].name)
    facts = history.facts(rows[0].game, rules)
    history.close()
    return list(facts)


def cut(folder: Path, after_s: float, seed: int) -> tuple[int, str]:
    """Play until the program is killed: facts that people had been told of, and what it wrote last."""
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.player", str(folder), str(seed)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    first = program.stdout.readline()
    time.sleep(after_s)
    program.send_signal(signal.SIGKILL)
    told = [first, *program.stdout.read().splitlines()]
    program.wait()
    program.stdout.close()
    whole = [line for line in told if line.strip().isdigit()]
    return (int(whole[-1]) if whole else 0), told[-1]


def check(folder: Path, seed: int) -> str:
    """One cut: nothing that was told is missing, and the kit goes on with the game. Returns what it was."""
    after_s = random.Random(seed).uniform(0.0, 0.6)
    told, _ = cut(folder, after_s, seed)
    facts = stand(folder)
    assert len(facts) >= told, f"seed {seed}: {told} facts were told, {len(facts)} are in the journal"
    if not facts:
        return "no game yet"
    rules = games.rules(History(folder / "journal.db").games()[0].name)
    play = plays.replay(rules, tuple(facts))  # type: ignore[arg-type]
    rig = Rig(folder, boot="after the cut")
    try:
        if play.over:
            return "over"
        assert "GO ON?" in rig.reads(), f"seed {seed}: the game is not offered"
        rig.ok()
        now = rig.playing.play
        wanted = plays.fold(play, plays.Fact(play.step, 0, Resumed("after the cut")))
        for offer in wanted.offers:
            if offer.verb == RELEASE:  # the hands that were on the buttons are gone
                for fact in plays.answer(wanted, Action(offer.seat, RELEASE)):
                    wanted = plays.fold(wanted, fact)
        assert (now.state, now.step) == (wanted.state, wanted.step), f"seed {seed}: the game stands elsewhere"
        rounds = [p.rules.board(p.state).round for p in (now, play)]
        assert (now.scores, rounds[0]) == (play.scores, rounds[1]), (
            f"seed {seed}: more than what was in the air is missing"
        )
    finally:
        rig.close()
    return "resumed"


@pytest.mark.parametrize("seed", range(12))
def test_a_killed_game_is_offered_and_stands_where_it_stood(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill the program at random moments of a game and start it again.")
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    found: dict[str, int] = {}
    for seed in range(args.cuts):
        what = check(args.folder / str(seed), seed)
        found[what] = found.get(what, 0) + 1
    print(f"{args.cuts} cuts, none lost anything that was told:", ", ".join(f"{n} {what}" for what, n in found.items()))


if __name__ == "__main__":
    main()
