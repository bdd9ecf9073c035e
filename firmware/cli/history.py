"""`luckypaw history`: games played on this kit, their score sheets and races; how exact the kit is."""

import sqlite3
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from engine.game import Rules
from engine.rules import Refused
from firmware import local_time, new_file
from firmware.cli import GAMES_LISTED, Failure, in_words, state_dir
from firmware.cli.tables import print_table
from firmware.journal import races, sheet
from firmware.journal.reader import GameRow, History
from firmware.people.names import at_table
from firmware.setup import certificate
from firmware.state_folder import JOURNAL
from firmware.statistics import pictures
from firmware.translation import _, ngettext, translated


@contextmanager
def open_game(number: int) -> Iterator[tuple[History, GameRow, Rules[Any, Any]]]:
    """A game of the journal that can be read from its first event to its last. Raises `Failure`, `sqlite3.Error`."""
    with open_history() as history:
        row = next((row for row in history.games() if row.game == number), None)
        if row is None:
            raise Failure(
                _("game {number} is not in the journal; `luckypaw history list` shows those that are", number=number)
            )
        try:
            rules = history.rules(row)
        except Refused as refused:
            raise Failure(translated(refused.text)) from None
        history.play(number, rules)
        yield history, row, rules


@contextmanager
def open_history() -> Iterator[History]:
    """The journal, to be read. Raises `Failure`, `sqlite3.Error`."""
    local_time.use(state_dir())
    try:
        history = History(state_dir() / JOURNAL, first=True)
    except OSError as error:
        raise Failure(in_words(error)) from None
    with closing(history):
        yield history


def listed(args: Namespace) -> None:
    with open_history() as history:
        rows = history.games()
        most = len(rows) if args.all else GAMES_LISTED
        for row in rows[:most]:
            print_row(history, row)
    if older := len(rows[most:]):
        print(ngettext("{n} older: luckypaw history list --all", "{n} older: luckypaw history list --all", older))


def print_row(history: History, row: GameRow) -> None:
    """A game of the list: what it is, the points, how it stands."""
    head = f"{row.game:5}  {local_time.moment(history.began(row)):18}"
    try:
        play = history.play(row.game, history.rules(row))
    except (Refused, sqlite3.Error) as error:
        reason = translated(error.text) if isinstance(error, Refused) else str(error)
        print(f"{head}  {row.name:20} ", _("cannot be read: {error}", error=reason))
        return
    names = at_table(play.players, history.names(row.game))
    scores = "  ".join(f"{name} {score}" for name, score in zip(names, play.scores, strict=True))
    title = translated(play.rules.title)
    print(f"{head}  {title:20}  {scores}  {sheet.standing(play, names)}")


def show(args: Namespace) -> None:
    with open_game(args.game) as (history, row, rules):
        replay = history.replay(row.game, rules)
        play, took = replay.play, sheet.took(replay)
        people = history.names(row.game)
        if args.picture is not None:
            if not play.over:
                raise Failure(_("game {number} is not over yet", number=row.game))
            with new_file.made(args.picture) as fresh:
                fresh.write_bytes(pictures.game(history, row))
        elif args.json:
            print(sheet.as_json(row, history.began(row), play, took, people))
        elif args.form is not None:
            print_table(sheet.as_table(play, took, people), args.form)
        else:
            names = at_table(play.players, people)
            print(sheet.as_text(row, history.began(row), play, took, names, sheet.undone_ends(replay)))


def evidence(args: Namespace) -> None:
    with open_game(args.game) as (history, row, rules):
        finishes = races.finishes(history, row, history.replay(row.game, rules))
        began = history.began(row)
        print(races.as_json(row, began, finishes) if args.json else races.as_text(row, began, rules.title, finishes))


def show_certificate(args: Namespace) -> None:
    local_time.use(state_dir())
    try:
        measured = certificate.load(state_dir())
    except certificate.BadCertificate as damaged:
        raise Failure(_("{error}; `luckypaw calibrate` makes a new one", error=damaged)) from None
    if measured is None:
        raise Failure(
            _("no certificate in {folder}: `luckypaw calibrate` has not measured this kit yet", folder=state_dir())
        )
    print(certificate.as_json(measured).decode() if args.json else certificate.as_text(measured) + "\n", end="")
