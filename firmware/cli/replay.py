"""`luckypaw replay N`: play a game of the journal again, event by event."""

from argparse import Namespace

from firmware.cli.history import open_game
from firmware.journal import sheet
from firmware.translation import _


def run(args: Namespace) -> None:
    with open_game(args.game) as (history, row, rules):
        if args.pictures is not None:
            args.pictures.mkdir(parents=True, exist_ok=True)
        columns = (_("event"), _("step"), _("picture"), _("strip"), _("scores"))
        print("{:20} {:>5}  {:16}  {:16}  {}".format(*columns))
        for frame in sheet.frames(history, row, rules, leds=60, to=args.pictures):
            name, scores = type(frame.fact.event).__name__, " ".join(map(str, frame.play.scores))
            print(f"{name:20} {frame.fact.step:5}  {frame.picture}  {frame.strip}  {scores}")
