"""`luckypaw check --self`: whether this installation is sound, before an update switches to it. No part is touched."""

import csv
import re
import sqlite3
import sys
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from importlib import import_module, metadata
from itertools import islice
from pathlib import Path
from time import monotonic_ns

from engine import games
from engine.pasted import toml_as_meant
from engine.rules import Refused
from engine.words import N_, N_many
from firmware.fonts import FOLDER, sheet_file
from firmware.journal.reader import History
from firmware.output.screens.font import SIZES
from firmware.random_play.strangers import played
from firmware.state_folder import JOURNAL
from firmware.web import seats_css
from hardware.config import TABLE, ConfigError, KitConfig, load
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.libraries import Library, for_tones, installed, libraries, needed
from hardware.doctor.machine import storage
from hardware.parts.gpio import folder_for_lgpio

OLDEST_PYTHON = (3, 11)
PAGE = Path(__file__).parents[1] / "panel" / "page"
PHONES = Path(__file__).parents[1] / "phones" / "page"
NAMED = re.compile(r'(?:(?:href|src)=|from )"(?:\.?/)?([\w-]+\.(?:js|css))"')  # files that a file asks for
OURS = ("engine", "firmware", "hardware")
NAMES = 3  # of files that are not as they were installed
BOARDS = 40  # of each game
GAMES_READ = 5  # of the journal, the newest


def examine(
    path: Path | None,
    state: Path,
    *,
    version: Callable[[Library], str | None] = installed,
    fonts: Path = FOLDER,
    page: Path = PAGE,
    phones: Path = PHONES,
) -> Iterator[Finding]:
    """The findings on this installation, for the kit of a description and the games in a state folder."""
    yield python(sys.version_info[:2])
    yield own(sys.path)
    config = TABLE
    try:
        config = load(path, toml_as_meant)
    except ConfigError as error:
        yield finding("self-config", N_("description"), str(path), reason=str(error).removeprefix(f"{path}: "))
    else:
        yield fine(N_("description"), str(path or "Table"))
    yield from modules(config, version)
    yield from files(fonts, page, phones)
    for name in games.names():
        yield game(name)
    yield picture(config)
    yield journal(state / JOURNAL)
    yield from storage(state)


def python(running: tuple[int, ...]) -> Finding:
    """The version of Python."""
    place = ".".join(map(str, running))
    if running < OLDEST_PYTHON:
        return finding("self-python", "Python", place, oldest=".".join(map(str, OLDEST_PYTHON)))
    return fine("Python", place)


def own(path: list[str]) -> Finding:
    """Our modules: pip lets another package of the same name replace them, and says nothing."""
    changed = [
        (name, str(ours.locate_file("")))
        for ours in metadata.distributions(name="luckypaw", path=path)
        for name, digest, _size in csv.reader((ours.read_text("RECORD") or "").splitlines())
        if name.endswith(".py") and name.startswith(OURS) and digest != _digest(Path(str(ours.locate_file(name))))
    ]
    if not changed:
        return fine(N_("program"), "luckypaw")
    names = {name for name, _place in changed}
    found = metadata.distributions(path=path)
    others = ", ".join(sorted({one.name for one in found if names & {*map(str, one.files or ())}} - {"luckypaw"}))
    return finding(
        "self-replaced",
        N_("program"),
        changed[0][1],
        names=", ".join(sorted(names)[:NAMES]),
        n=len(names),
        others=N_("; {others} has files of these names", others=others) if others else "",
    )


def _digest(path: Path) -> str:
    """What RECORD says of this file; empty where it cannot be read."""
    try:
        return "sha256=" + urlsafe_b64encode(sha256(path.read_bytes()).digest()).decode().rstrip("=")
    except OSError:
        return ""


def modules(config: KitConfig, version: Callable[[Library], str | None]) -> Iterator[Finding]:
    """Every library that the kit needs: there, new enough, and fit to be imported."""
    tones = for_tones(config)
    if config.buttons.driver == "gpiod" and tones is not None and version(tones) is None:
        tones = None  # only the buzzer needs it, and not where its line has PWM: the check of the parts looks
    for library in (*needed(config), *([tones] if tones is not None else [])):
        wrong = list(libraries((library,), version))
        yield from wrong
        if not wrong:
            part, place = N_("library {name}", name=library.name), version(library) or N_("installed")
            try:
                with folder_for_lgpio():
                    import_module(library.module)
            except Exception as error:  # a library that is broken may raise anything
                yield finding("self-library", part, place, reason=_line(error))
            else:
                yield fine(part, place)


def files(fonts: Path, page: Path, phones: Path) -> Iterator[Finding]:
    """The font's sheets, the pages, and all files that these ask for."""
    missing = [path for path in (sheet_file(size, fonts) for size in SIZES) if not path.is_file()]
    yield _files(N_("font"), fonts, missing)
    yield _files(N_("page"), page, _missing(("index.html",), page))
    yield _files(N_("page for phones"), phones, _missing(("phone.html", "board.html"), phones, page))


def _missing(pages: Iterable[str], *folders: Path) -> list[Path]:
    """The files that are in none of these folders, of some pages and all that they ask for."""
    wanted, seen, missing = list(pages), {seats_css.NAME}, list[Path]()  # that one is made, not a file
    while wanted:
        if (name := wanted.pop()) in seen:
            continue
        seen.add(name)
        found = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if found is None:
            missing.append(folders[0] / name)
        else:
            wanted += NAMED.findall(found.read_text())
    return sorted(missing)


def _files(part: str, folder: Path, missing: list[Path]) -> Finding:
    if missing:
        return finding("self-files", part, str(folder), names=", ".join(path.name for path in missing))
    return fine(part, str(folder))


def game(name: str) -> Finding:
    """A few random moves of a game."""
    try:
        rules = games.rules(name)
        players = tuple(f"P{seat + 1}" for seat in range(min(4, rules.seats[1])))
        boards = sum(1 for _ in islice(played(rules, players, 1), BOARDS))
    except Exception as error:  # whatever a broken game raises
        return finding("self-game", N_("game {name}", name=name), N_("random moves"), reason=_line(error))
    return fine(N_("game {name}", name=name), N_many("{n} random move", "{n} random moves", boards))


def picture(config: KitConfig) -> Finding:
    """The first picture of the program, drawn on an emulated display in a folder of its own."""
    from firmware.table.app import App
    from hardware.kit import open_emulated
    from hardware.parts.display.emulated import EmulatedDisplay

    try:
        with tempfile.TemporaryDirectory() as folder:
            app = App(
                open_emulated(config, _nobody, threaded=False), Path(folder), now_ns=monotonic_ns(), threaded=False
            )
            try:
                app.step(monotonic_ns())
                display = app.kit.display
                assert isinstance(display, EmulatedDisplay)
                lit = sum(display.picture().convert("L").histogram()[1:])
            finally:
                app.close()
    except Exception as error:  # whatever a broken program raises
        return finding("self-picture", N_("first picture"), N_("display"), reason=_line(error))
    if not lit:
        return finding("self-picture", N_("first picture"), N_("display"), reason="it is black")
    return fine(N_("first picture"), N_many("{n} pixel lit", "{n} pixels lit", lit))


def journal(path: Path) -> Finding:
    """The games that have been played; the newest are read."""
    if not path.exists():
        return fine(N_("journal"), str(path), N_("all right, no game has been played yet"))
    try:
        with closing(History(path)) as history:
            rows = history.games()
            for row in rows[:GAMES_READ]:
                try:
                    rules = history.rules(row)
                except Refused:  # an added game, which this version has not got
                    continue
                history.play(row.game, rules)
    except FileNotFoundError:
        return fine(N_("journal"), str(path), N_("all right, no game has been played yet"))
    except (sqlite3.Error, OSError) as error:
        return finding("self-journal", N_("journal"), str(path), reason=_line(error))
    return fine(N_("journal"), str(path), N_many("all right, {n} game", "all right, {n} games", len(rows)))


def _nobody(part: str, text: str | None) -> None:
    """Ignores a report: the parts are emulated."""


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
