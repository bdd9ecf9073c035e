"""A state folder in which somebody has left a name wherever there is a place for one, and what of it is found later."""

import re
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
from firmware.journal.phones import KeptAnswer
from firmware.journal.reader import History
from firmware.journal.writer import Journal
from firmware.people.names import Person
from firmware.state_folder import JOURNAL, SAVING, SHEETS
from firmware.statistics.game_totals import up_to_date
from tests.simulators.rig import Rig

NAME, LATIN, ID = "Zorkiana", "Zorki", f"{7:016x}"
SECOND, OTHER = "Berthilde", f"{8:016x}"
LETTER = re.compile(rb'"letter":"(.)"')
SHEET = f"""# {NAME} and {SECOND} made it
title = "{NAME}'s dice"
players = [1, 4]
rounds = 2
ask = [{{ id = "pips", title = "{NAME}'s pips", high = 60 }}, {{ id = "luck", high = 9 }}]
"""


PRESSES = *("ok 300",) * 4, "turn-1", "turn-9", "turn1", "ok! 300", "P1", "P2"
FANCIERS = {"fancier": NAME, "letters": LATIN, "unnamed": ""}


def journal(folder: Path, boot: str) -> Journal:
    """The journal of a folder, written in the caller. What it says is left in `said`."""
    said: list[str | None] = []
    kept = Journal(folder / JOURNAL, boot, lambda ticket: None, said.append, on_notice=said.append, threaded=False)
    kept.__dict__["said"] = said
    return kept


def fancier(name: str = NAME, *, saved: bool = True) -> list[Fact]:
    """CAT Pageant up to a fancier of that name; not `saved`: up to its last letter. Without a name: up to it."""
    rules = games.rules("cat_pageant")
    first = plays.start(rules, ("P1", "P2"), rules.options(), 1)
    play, facts, at_ns = plays.opened(rules, first), [first], 10**9
    while not any(offer.letters for offer in play.offers):
        offer = next(one for one in play.offers if not one.menu and one.due_ns is None)
        facts += (new := plays.answer(play, Action(offer.seat, offer.verb, offer.low, at_ns)))
        play, at_ns = reduce(plays.fold, new, play), at_ns + 10**9
    offer = next(one for one in play.offers if one.letters)
    typed = plays.entered(play, offer.seat, offer.verb, name.upper(), at_ns) if name else ()
    return [*facts, *(typed if saved else typed[: len(name)])]


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

    So it is in letters under way, and in a score sheet whose saving was cut. Score sheets and notes have a second one.

    Which of these games is the latest one, with what beside it, is left to chance; with `everything` not whether it is
    there.
    """
    kept = journal(folder, "boot1")
    kept.write_people([Person(ID, NAME, LATIN), Person(OTHER, SECOND)])
    kinds = "fancier", "letters", "unnamed", "dice", "dice", "open dice"
    for which in chance.sample(kinds, len(kinds) if everything else chance.randint(1, len(kinds))):
        sheet = SHEET if "dice" in which else ""
        number = kept.begin_game("sheet:dice" if sheet else "cat_pageant", sheet)
        kept.seat(number, {0: ID, 1: OTHER})
        facts = dice(which == "dice") if sheet else fancier(FANCIERS[which], saved=which == "fancier")
        early = (KeptAnswer(1, "name", NAME.upper(), "phone"),) if which == "unnamed" else ()
        kept.write(number, facts, early)
        for note in chance.sample(
            (f"{NAME} brought cake", f"with {NAME.upper()}s cat", SECOND, ""), chance.randint(0, 3)
        ):
            kept.remark(number, note, "")
    if everything or chance.random() < 0.3:
        (folder / SHEETS).mkdir()
        (folder / SAVING.replace("*", "dice.toml")).write_text(SHEET)
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
        kept.held.release()


def at_the_kit(folder: Path, chance: Random) -> None:
    """Somebody presses anything at a kit that has the names, also while a page forgets them, and goes on.

    The files of score sheets are removed then, as REALLY? says.
    """
    (folder / SHEETS).mkdir(exist_ok=True)
    (folder / SHEETS / "dice.toml").write_text(SHEET)
    rig = Rig(folder, boot="boot2")
    rig.do(f"300 ok! 300 {chance.choice(('', 'game[kitty_paw 3] 300 menu[Main menu] 6s'))}")
    which = f"300 turn-{chance.randint(0, 5)} ok 300"
    opened = [f"[Unfinished games] {which}", f"[History] {which}", f"[All games] 300 [{NAME}'s dice] 300 P1 P2 ok 300"]
    rig.do(chance.choice(opened))
    for who in chance.sample((ID, OTHER), 2):
        rig.app.table.people.forget(who)
        (folder / SHEETS / "dice.toml").unlink(missing_ok=True)
        rig.do(" ".join((chance.choice(("0", "300", "6s")), *chance.choices(PRESSES, k=chance.randint(0, 4)))))
    rig.do(" ".join(chance.choices(PRESSES, k=12))).close()


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


def named(folder: Path, *names: str) -> list[str]:
    """The files that still have the name, or these ones, in capitals or not; also letters that may spell it."""
    files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    there = [
        name
        for name, data in files.items()
        if any(one.lower().encode() in data.lower() for one in names or (NAME,))
        or {*LATIN.upper()} <= {letter.decode() for letter in LETTER.findall(data)}
    ]
    return sorted(there)
