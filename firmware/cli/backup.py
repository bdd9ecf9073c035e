"""`luckypaw backup` and `luckypaw restore`: a copy of the journal, and a copy put back."""

import sqlite3
from argparse import Namespace
from collections.abc import Iterator

from firmware.cli import Failure, in_words, state_dir
from firmware.journal import backup as backups
from firmware.journal.places import KINDS, NAMES
from firmware.state_folder import JOURNAL
from firmware.translation import _, ngettext, translated

LISTED = 10


def backup(args: Namespace) -> None:
    """A copy of the journal."""
    try:
        backups.backup(state_dir() / JOURNAL, args.file)
    except FileExistsError:
        raise Failure(_("{file} is there already: name another file", file=args.file)) from None
    except backups.UnusableFile as failed:
        raise Failure(_("cannot write {place}: {why}", place=failed.place, why=translated(failed.why))) from None
    except OSError as error:
        raise Failure(in_words(error)) from None
    texts = ", ".join(translated(kind.name) for kind in KINDS if kind is not NAMES)
    print(
        _(
            "copied to {file}. It has everybody's names, and names may stand in its {texts}.",
            file=args.file,
            texts=texts,
        )
    )
    print(_("Whoever is forgotten later stays in this copy."))


def restore(args: Namespace) -> None:
    """A copy put back."""
    try:
        done = backups.restore(args.file, state_dir() / JOURNAL)
    except backups.UnusableFile as failed:
        why = translated(failed.why)
        if failed.place == args.file:
            raise Failure(_("cannot read {place}: {why}", place=failed.place, why=why)) from None
        raise Failure(_("cannot write in {place}: {why}", place=failed.place, why=why)) from None
    except sqlite3.Error as error:
        why = "".join(char if char.isprintable() else "?" for char in str(error))  # it may name what the file has
        raise Failure(_("{file} is no journal: {error}", file=args.file, error=why)) from None
    print(_("{file} is the journal now", file=args.file))
    if done.kept is not None:
        print(_("the journal that stood there is kept: {name}", name=done.kept))
    if done.without_log:
        print(_("left out: {name}, a log that does not fit it", name=f"{args.file.name}-wal"))
    for line in exceptions(done):
        print(line)
    if done.open:
        print(_("a kit has the journal open: its game goes on in this one; people are read when it starts again"))


def exceptions(done: backups.Restored) -> Iterator[str]:
    """What is not as it was in the file."""
    taken = done.taken
    if taken.without:
        yield _("left out, as a row of theirs is damaged: {games}", games=numbers(taken.without))
    if taken.rows:
        counts = (ngettext("{n} row of {table}", "{n} rows of {table}", n, table=at) for at, n in taken.rows.items())
        yield _("left out, as they are damaged: {rows}", rows=", ".join(counts))
    if taken.parts:
        yield _("left out, as no version of this program makes them: {parts}", parts=listed(taken.parts))
    if done.unreadable:
        yield _("kept as stored, though this version cannot read them: {games}", games=numbers(done.unreadable))


def numbers(games: tuple[int, ...]) -> str:
    """Games by their numbers."""
    return ngettext("game {games}", "games {games}", len(games), games=listed(tuple(map(str, games))))


def listed(things: tuple[str, ...]) -> str:
    """The first of them, and how many more there are."""
    text, more = ", ".join(things[:LISTED]), len(things) - LISTED
    return text if more <= 0 else text + ngettext(" and {n} more", " and {n} more", more)
