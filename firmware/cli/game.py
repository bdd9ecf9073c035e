"""`luckypaw game`: score sheets, which are games as files."""

import json
import sys
from argparse import Namespace

from engine.sheets.reading import SheetErrors
from engine.sheets.sheet import schema as sheet_schema
from firmware.cli import state_dir
from firmware.cli.rules import rules_of_file
from firmware.random_play.sheet_trials import BUTTONS, GamesTried, Trial, sheet_of_pictures
from firmware.shelf import folders
from firmware.translation import _, ngettext, translated


def listed(args: Namespace) -> None:
    """All score sheets by title; each is read whole."""
    wrong = 0
    for sheet in folders.listed(folders.places(state_dir())):
        errors: tuple[str, ...] = (sheet.wrong,) if sheet.wrong else ()
        try:
            folders.opened(sheet)
        except SheetErrors as found:
            errors = errors or tuple(map(str, found.errors))
        except OSError as found:
            errors = errors or (f"{sheet.file}: {found.strerror}",)
        hidden = [_("hides {file}", file=file) for file in sheet.hides]
        where = ", ".join([translated(sheet.place), *hidden])
        print(f"{sheet.title:24}  {sheet.name:28}  {where}".rstrip())
        for error in errors:
            print(f"  {translated(error)}")
        wrong += bool(errors)
    if wrong:
        sys.exit(1)


def schema(args: Namespace) -> None:
    """The format for editors."""
    print(json.dumps(sheet_schema(), indent=2))


def check(args: Namespace) -> None:
    rules = rules_of_file(args.file)
    trial = Trial(rules, args.file.name, pictures=args.pictures is not None)
    fewest, most = rules.seats
    tables = {fewest, most}
    if args.pictures is not None:
        args.pictures.mkdir(parents=True, exist_ok=True)
        tables.add(max(fewest, min(most, BUTTONS)))
    for players in sorted(tables):
        tried = trial.tried(players)
        print(line(rules.title, tried), flush=True)
        if args.pictures is not None and tried.pictures:
            path = args.pictures / f"{args.file.name.partition('.')[0]}-{players}.png"
            sheet_of_pictures(tried.pictures).save(path)
            print(f"  {path}")
    for remark in trial.remarks():
        print(remark)
    wrong = trial.wrong()
    for error in wrong:
        print(error)
    if wrong:
        sys.exit(1)
    print(_("All right."))


def line(title: str, tried: GamesTried) -> str:
    """What was played with one number of players."""
    games = ngettext("{n} game", "{n} games", tried.games)
    who = ngettext("{n} player", "{n} players", tried.players)
    said = [f"{title}, {who}: {games}", _("{n} answers", n=f"{tried.answers:,}")]
    if tried.rounds is not None and tried.totals is not None:
        fewest, most = tried.rounds
        rounds = (
            ngettext("{n} round", "{n} rounds", most) if fewest == most else _("{a} to {b} rounds", a=fewest, b=most)
        )
        said += [rounds, _("totals from {a} to {b}", a=tried.totals[0], b=tried.totals[1])]
    if tried.ended < tried.games:
        said.append(_("{n} without an end", n=tried.games - tried.ended))
    return ", ".join(said)
