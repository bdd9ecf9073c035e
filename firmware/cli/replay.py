"""`luckypaw replay N`: play a game of the journal again, event by event."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from engine import play as plays
from engine.game import Rules
from engine.play import Fact, Play
from firmware.buttons import of_play
from firmware.cli.history import open_game
from firmware.cli.which_kit import config_path, description
from firmware.journal.reader import GameRow, History
from firmware.output import screens, strip_picture
from firmware.translation import _
from hardware.parts.strip import as_bytes


def run(args: Namespace) -> None:
    with open_game(args.game) as (history, row, rules):
        if args.pictures is not None:
            args.pictures.mkdir(parents=True, exist_ok=True)
        columns = (_("event"), _("step"), _("picture"), _("strip"), _("scores"))
        print("{:20} {:>5}  {:16}  {:16}  {}".format(*columns))
        of_kit = history.buttons(row.game) or description(config_path(args)).names
        for frame in frames(history, row, rules, leds=60, to=args.pictures, of_kit=of_kit):
            name, scores = type(frame.fact.event).__name__, " ".join(map(str, frame.play.scores))
            print(f"{name:20} {frame.fact.step:5}  {frame.picture}  {frame.strip}  {scores}")


class Frame(NamedTuple):
    """A game after one fact."""

    fact: Fact
    play: Play
    picture: str  # digest of the 128x64 pixels
    strip: str  # digest of the lamps


def frames(
    history: History, row: GameRow, rules: Rules[Any, Any], *, leds: int, to: Path | None, of_kit: Sequence[str] = ()
) -> Iterator[Frame]:
    """The game fact by fact. Pictures are drawn at the fact's own stamp, and written to `to` as PNG files.

    `of_kit`: the names of the kit's buttons, each of which has a piece of the strip.
    """
    facts = history.facts(row.game, rules)
    play = plays.opened(rules, facts[0], history.boot(row.game))
    for n, fact in enumerate(facts):
        play = plays.fold(play, fact) if n else play
        picture = screens.draw(play, now_ns=fact.at_ns)
        light = strip_picture.Light(play.board, buttons=of_play(play, of_kit), of_kit=len(of_kit))
        strip = strip_picture.pixels(light, leds)
        if to is not None:
            picture.resize((512, 256)).save(to / f"{n:05}-{type(fact.event).__name__}.png")
        yield Frame(fact, play, *(sha256(data).hexdigest()[:16] for data in (picture.tobytes(), as_bytes(strip))))
