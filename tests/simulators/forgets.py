"""A state folder in which somebody has left a name wherever there is a place for one, and what of it is found later."""

import shutil
import sqlite3
from contextlib import closing, suppress
from functools import reduce
from pathlib import Path
from random import Random

from engine import games
from engine import play as plays
from engine.game import NoOptions
from engine.play import Fact
from engine.rules import Action
from engine.sheets.reading import read
from engine.sheets.rules import rules as sheet_rules
from firmware.journal.phones import Kept
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.people.names import Person
from firmware.state_folder import JOURNAL
from firmware.statistics.game_totals import up_to_date

NAME, ID, OTHER = "Zorkiana", f"{7:016x}", f"{8:016x}"
SHEET = f"""# {NAME} made it
title = "{NAME}'s dice"
players = [1, 4]
rounds = 2
ask = [{{ id = "pips", title = "{NAME}'s pips", high = 60 }}, {{ id = "luck", high = 9 }}]
"""


def journal(folder: Path, boot: str) -> Journal:
    """The journal of a folder, written in the caller. What it says is left in `said`."""
    said: list[str | None] = []
    kept = Journal(folder / JOURNAL, boot, lambda ticket: None, said.append, on_notice=said.append, threaded=False)
    kept.__dict__["said"] = said
    return kept


def fancier(typed: bool = True) -> list[Fact]:
    """CAT Pageant up to a fancier of that name, or up to where it would be typed."""
    rules = games.rules("cat_pageant")
    first = plays.start(rules, ("P1", "P2"), rules.options(), 1)
    play, facts, at_ns = plays.opened(rules, first), [first], 10**9
    while not any(offer.letters for offer in play.offers):
        offer = next(one for one in play.offers if not one.menu and one.due_ns is None)
        facts += (new := plays.answer(play, Action(offer.seat, offer.verb, offer.low, at_ns)))
        play, at_ns = reduce(plays.fold, new, play), at_ns + 10**9
    offer = next(one for one in play.offers if one.letters)
    return [*facts, *(plays.entered(play, offer.seat, offer.verb, NAME.upper(), at_ns) if typed else ())]


def dice(whole: bool = True) -> list[Fact]:
    """A game of the score sheet, played to its end."""
    rules = sheet_rules("sheet:dice", read(SHEET), SHEET)
    first = plays.start(rules, ("P1", "P2"), NoOptions(), 1)
    play, facts, at_ns = plays.opened(rules, first), [first], 10**9
    while not play.over and len(facts) < (100 if whole else 4):
        offer = next(one for one in play.offers if not one.menu and one.due_ns is None)
        facts += (new := plays.answer(play, Action(offer.seat, offer.verb, offer.low, at_ns)))
        play, at_ns = reduce(plays.fold, new, play), at_ns + 10**9
    return facts


def made(folder: Path, chance: Random, *, everything: bool = False) -> None:
    """Fill a folder: the name is in people, notes, fanciers, early answers, score sheets, sums and what was set aside.

    Which of these games is the latest one, with what beside it, is left to chance; with `everything` not whether it is
    there.
    """
    kept = journal(folder, "boot1")
    kept.write_people([Person(ID, NAME, chance.choice(("", "Zorki"))), Person(OTHER, "Bob")])
    for which in chance.sample(
        ("fancier", "unnamed", "dice", "dice", "open dice"), 5 if everything else chance.randint(1, 5)
    ):
        sheet = SHEET if "dice" in which else ""
        number = kept.begin_game("sheet:dice" if sheet else "cat_pageant", sheet)
        kept.seat(number, {0: ID, 1: OTHER})
        facts = dice(which == "dice") if sheet else fancier(which == "fancier")
        early = (Kept(1, "name", NAME.upper(), "phone"),) if which == "unnamed" else ()
        kept.write(number, facts, early)
        for note in chance.sample((f"{NAME} brought cake", f"with {NAME.upper()}s cat", ""), chance.randint(0, 3)):
            kept.remark(number, note, "")
    if everything or chance.random() < 0.5:
        with suppress(sqlite3.Error), closing(up_to_date(folder)):
            pass
    for end in ("", "-wal") if everything or chance.random() < 0.5 else ():
        if (folder / f"{JOURNAL}{end}").exists():
            shutil.copy(folder / f"{JOURNAL}{end}", folder / f"damaged-2026-01-01.db{end}")
            if chance.random() < 0.5:  # SQLite does not open it any more
                data = bytearray((folder / f"damaged-2026-01-01.db{end}").read_bytes())
                data[16:24] = bytes(8)
                (folder / f"damaged-2026-01-01.db{end}").write_bytes(data)
    if chance.random() < 0.8:
        kept.close()
    else:  # the plug was pulled before, too: the log is still there
        kept._forget()  # noqa: SLF001


def told(folder: Path) -> list[object]:
    """All that the journal says of its games but for texts: what has to stay."""
    with closing(History(folder / JOURNAL)) as history:
        rows = history.games()
        games_ = [history.play(row.game, history.rules(row)) for row in rows]
        kinds = [history.rules(row).kind for row in rows]
    seats = [play.scores for play in games_], [play.board for play in games_]
    with closing(sqlite3.connect(folder / JOURNAL)) as db:
        counts = [
            db.execute(f"select count(*) from {table}").fetchone() for table in ("game", "event", "seat", "remark")
        ]
    return [[row.game for row in rows], kinds, *seats, counts]


def named(folder: Path) -> list[str]:
    """The files that still have the name, in capitals or not."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in files if NAME.lower().encode() in path.read_bytes().lower())
