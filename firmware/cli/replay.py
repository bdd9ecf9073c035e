"""`luckypaw replay N`: play a game of the journal again, event by event."""

from argparse import Namespace

from firmware.cli.history import open_game
from firmware.journal import sheet


def run(args: Namespace) -> None:
    history, row, rules = open_game(args.game)
    if args.pictures is not None:
        args.pictures.mkdir(parents=True, exist_ok=True)
    print("event                 step  picture           strip             scores")
    for frame in sheet.frames(history, row, rules, leds=60, to=args.pictures):
        name = type(frame.fact.event).__name__
        print(f"{name:20} {frame.fact.step:5}  {frame.picture}  {frame.strip}  {' '.join(map(str, frame.play.scores))}")
