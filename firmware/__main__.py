"""The command `luckypaw`. Exit status: 0 fine, 1 a failure with one line on stderr, 2 wrong usage or config."""

import argparse
import asyncio
import os
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:  # a command imports only what it needs: on a small board that is most of its start-up
    from engine.rules import Rules
    from firmware.certificate import Standing
    from firmware.journal import GameRow, History
    from firmware.panel.server import Panel
    from hardware.config import KitConfig
    from hardware.kit import Kit

BOOT_CONFIG = Path("/boot/firmware/luckypaw.toml")  # easily reached: the card's first partition
SYSTEM_CONFIG = Path("/etc/luckypaw/kit.toml")


class Failure(Exception):
    """One line for stderr, and the exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    args = parser().parse_args(arguments)
    try:
        args.run(args)
        print(end="", flush=True)  # a pipe that nobody reads any more is found out here, not at the very end
    except Failure as failure:
        print(f"luckypaw: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except sqlite3.Error as error:
        print(f"luckypaw: the journal cannot be read: {error}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what could not be printed would be tried again at the very end
        if not isinstance(error, BrokenPipeError):
            print(f"luckypaw: {error}", file=sys.stderr)
            sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


def parser() -> argparse.ArgumentParser:
    """What can be said."""
    top = argparse.ArgumentParser(prog="luckypaw", description="Score, timer and reaction kit for five table games.")
    top.add_argument("--config", type=Path, help=f"the kit's description; else {BOOT_CONFIG}, else {SYSTEM_CONFIG}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="start the kit", description="Start the kit: real parts on a Raspberry Pi.")
    play.add_argument("--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `play`")
    play.add_argument("--emulated", action="store_true", help="all parts in the browser, also on a Raspberry Pi")
    play.add_argument("--port", type=int, help="port of the page (0: any free one); real parts alone have none else")
    play.set_defaults(run=run_play)

    calibrate = commands.add_parser(
        "calibrate",
        help="measure how exact this kit is",
        description="Measure how late the stamps of a button are: put a wire from a spare GPIO to the button's line.",
    )
    calibrate.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `calibrate`"
    )
    calibrate.add_argument("--wire", type=int, required=True, metavar="GPIO", help="the spare GPIO, e.g. 25")
    calibrate.add_argument("--button", metavar="NAME", help="the button at the wire's other end; else the first")
    calibrate.set_defaults(run=run_calibrate)

    replay = commands.add_parser("replay", help="play a game of the journal again, event by event")
    replay.add_argument("game", type=int, metavar="N", help="the game's number in `history list`")
    replay.add_argument("--pictures", type=Path, metavar="FOLDER", help="write the display's picture after each event")
    replay.set_defaults(run=run_replay)

    rules = commands.add_parser("rules", help="the rules of a game as a line protocol on standard input and output")
    rules.add_argument("game", metavar="GAME", help="kitty_paw, pack_and_stack, ...")
    rules.set_defaults(run=run_rules)

    history = commands.add_parser("history", help="games played on this kit").add_subparsers(
        required=True, metavar="WHAT"
    )
    history.add_parser("list", help="all games, the newest first").set_defaults(run=run_history_list)
    show = history.add_parser("show", help="the score sheet of a game")
    show.add_argument("game", type=int, metavar="N", help="the game's number in `history list`")
    how = show.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for programs")
    how.add_argument("--csv", action="store_true", help="for a spreadsheet")
    show.set_defaults(run=run_history_show)
    raced = history.add_parser("evidence", help="the stamps of all races of a game")
    raced.add_argument("game", type=int, metavar="N", help="the game's number in `history list`")
    raced.add_argument("--json", action="store_true", help="for programs")
    raced.set_defaults(run=run_history_evidence)
    measured = history.add_parser("certificate", help="how exact this kit is, as `calibrate` has measured it")
    measured.add_argument("--json", action="store_true", help="for programs, with the histogram")
    measured.set_defaults(run=run_history_certificate)

    config = commands.add_parser("config", help="the kit's description").add_subparsers(required=True, metavar="WHAT")
    check = config.add_parser("check", help="say whether the description can be used")
    check.add_argument("file", type=Path, nargs="?", help="else the one that `play` would use")
    check.set_defaults(run=run_config_check)
    return top


def config_path(args: argparse.Namespace) -> Path | None:
    """The description that counts; None: the built-in Table kit."""
    if args.config is not None:
        found: Path = args.config
        return found
    return next((path for path in (BOOT_CONFIG, SYSTEM_CONFIG) if path.exists()), None)


def state_dir() -> Path:
    """Where the journal lives."""
    if given := os.environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "luckypaw"


def run_play(args: argparse.Namespace) -> None:
    from hardware.config import ConfigError, load
    from hardware.kit import on_a_pi

    try:
        config = load(config_path(args))
    except ConfigError as error:
        raise Failure(str(error), 2) from None
    if args.port is not None and not 0 <= args.port <= 65535:
        raise Failure(f"--port {args.port}: a port from 0 to 65535 is allowed", 2)
    asyncio.run(play(config, state_dir(), port=args.port, emulated=args.emulated or not on_a_pi()))


async def play(config: "KitConfig", state: Path, *, port: int | None, emulated: bool) -> None:
    """Open the kit and run it until the program is told to end. With a `port` real parts have a page, too."""
    import gc
    from time import monotonic_ns

    from firmware import certificate
    from firmware.app import App, run
    from hardware.config import Panel
    from hardware.kit import open_emulated, open_real
    from hardware.parts import PartLost, Report

    early: list[tuple[str, str | None]] = []  # what parts report before there is an app to tell
    tell: list[Report] = [lambda name, text: early.append((name, text))]

    def report(name: str, text: str | None) -> None:
        if text is not None:
            print(text, file=sys.stderr, flush=True)
        tell[0](name, text)

    try:
        kit = open_emulated(config, report) if emulated else open_real(config, report)
    except PartLost as lost:
        raise Failure(str(lost)) from None
    standing = certificate.standing(state, "emulated" if emulated else config.buttons.driver)
    panel = panel_of(kit, standing, wanted=config.panel is not None or port is not None)
    place = config.panel or Panel()
    show = (lambda found: None) if panel is None else panel.evidence
    app = App(kit, state, now_ns=monotonic_ns(), standing=standing, on_evidence=show)

    def tell_all(name: str, text: str | None) -> None:
        app.report(name, text)
        if panel is not None:
            panel.part(name, text)

    tell[0] = tell_all
    for name, text in early:
        tell_all(name, text)
    if standing.note is not None:
        report("certificate", standing.note)
    stop = asyncio.Event()
    serving = None
    try:
        if panel is not None:
            serving = asyncio.create_task(panel.serve(place.host, place.port if port is None else port))
            up = asyncio.create_task(panel.up())
            await asyncio.wait((serving, up), return_when=asyncio.FIRST_COMPLETED)
            up.cancel()
            if serving.done():
                try:
                    await serving
                except (OSError, ValueError) as error:
                    raise Failure(str(error)) from None
        gc.collect()
        gc.freeze()  # what start-up left behind is never looked at again

        def ready() -> None:
            if panel is not None and panel.address is not None:
                host, bound = panel.address
                host = f"[{host}]" if ":" in host else host
                print(f"Lucky Paw is ready: open http://{host}:{bound}/ in a browser. Ctrl-C ends it.", flush=True)
            else:
                print("Lucky Paw is ready.", flush=True)

        await run(app, stop, ready)
    finally:
        if panel is not None and serving is not None:
            panel.stop()
            await asyncio.wait((serving,), timeout=3)
        app.close()


def panel_of(kit: "Kit", standing: "Standing", *, wanted: bool) -> "Panel | None":
    """The browser's side of the emulated twins, and the evidence; None where every part is real, unless `wanted`."""
    from hardware.buttons.emulated import EmulatedButtons
    from hardware.buzzer.emulated import EmulatedBuzzer
    from hardware.control.emulated import EmulatedControl
    from hardware.display.emulated import EmulatedDisplay
    from hardware.lamps.emulated import EmulatedLamps
    from hardware.strip.emulated import EmulatedStrip

    buttons = kit.buttons if isinstance(kit.buttons, EmulatedButtons) else None
    control = kit.control if isinstance(kit.control, EmulatedControl) else None
    display = kit.display if isinstance(kit.display, EmulatedDisplay) else None
    lamps = kit.lamps if isinstance(kit.lamps, EmulatedLamps) else None
    buzzer = kit.buzzer if isinstance(kit.buzzer, EmulatedBuzzer) else None
    strip = kit.strip if isinstance(kit.strip, EmulatedStrip) else None
    if not wanted and not any((buttons, control, display, lamps, buzzer, strip)):
        return None
    try:
        from firmware.panel.server import Panel
    except ImportError as error:
        raise Failure(f"the page needs {error.name}: pip install 'luckypaw[panel]'") from None
    return Panel(
        kit.config.names,
        buttons=buttons,
        control=control,
        display=display,
        lamps=lamps,
        buzzer=buzzer,
        strip=strip,
        standing=standing,
    )


def run_calibrate(args: argparse.Namespace) -> None:
    from firmware import certificate
    from hardware.config import ConfigError, check_spare, load, pins
    from hardware.gpio import open_factory
    from hardware.parts import PartLost

    try:
        config = load(config_path(args))
        check_spare(config, "--wire", args.wire)
    except ConfigError as error:
        raise Failure(str(error), 2) from None
    button, driver = args.button or config.names[0], config.buttons.driver
    if button not in config.names:
        raise Failure(f"--button {button!r}: allowed is {' or '.join(config.names)}", 2)
    if driver == "emulated":
        raise Failure("buttons.driver = 'emulated': this kit has no lines to measure", 2)
    lines = {key: pin for key, pin in pins(config) if key.startswith("control.")}
    lines |= {player.name: player.button for player in config.players}
    try:
        factories = open_factory(driver)
    except PartLost as lost:
        raise Failure(str(lost)) from None
    from hardware.gpio.calibration import PULSES, NotMeasured, measure

    def progress(done: int) -> None:
        if done % 500 == 0:
            print(f"{done:7,} of {PULSES:,} pulses", flush=True)

    print(f"GPIO {args.wire} presses {button} {PULSES:,} times, for 20 s or so. Press no button now.", flush=True)
    try:
        found = measure(factories, args.wire, button, lines, progress=progress)
    except NotMeasured as reason:
        raise Failure(str(reason)) from None
    assert factories.source != "virtual"  # no driver of a description stamps so
    try:
        made = certificate.certify(
            found.latenesses_ns,
            dropped=found.dropped,
            driver=driver,
            source=factories.source,
            wire=args.wire,
            button=button,
            line=lines[button],
        )
    except certificate.TooCoarse as reason:
        raise Failure(str(reason)) from None
    path = certificate.save(state_dir(), made)
    print(f"\n{certificate.as_text(made)}\n\nKept as {path}.")
    print(f"Next: take the wire off and start the kit; presses closer than {certificate.us(made.error_ns)} are a tie.")


def run_replay(args: argparse.Namespace) -> None:
    from firmware import sheet

    history, row, rules = open_game(args.game)
    if args.pictures is not None:
        args.pictures.mkdir(parents=True, exist_ok=True)
    print("event                 step  picture           strip             scores")
    for frame in sheet.frames(history, row, rules, leds=60, to=args.pictures):
        name = type(frame.fact.event).__name__
        print(f"{name:20} {frame.fact.step:5}  {frame.picture}  {frame.strip}  {' '.join(map(str, frame.play.scores))}")


def run_rules(args: argparse.Namespace) -> None:
    from engine import games
    from engine.rules import Refused
    from firmware import protocol

    try:
        rules = games.rules(args.game)
    except Refused as refused:
        raise Failure(str(refused), 2) from None
    protocol.serve(rules, sys.stdin.buffer, sys.stdout)


def open_game(number: int) -> "tuple[History, GameRow, Rules[Any, Any, Any]]":
    """A game of the journal."""
    from engine import games
    from engine.rules import Refused

    history = open_history()
    for row in history.games():
        if row.game == number:
            try:
                return history, row, games.rules(row.name)
            except Refused as refused:
                raise Failure(str(refused)) from None
    raise Failure(f"game {number} is not in the journal; `luckypaw history list` shows those that are")


def open_history() -> "History":
    from firmware.journal import History

    try:
        return History(state_dir() / "journal.db")
    except OSError as error:
        raise Failure(str(error)) from None


def run_history_list(args: argparse.Namespace) -> None:
    from engine import games
    from engine.rules import Refused

    history = open_history()
    for row in history.games():
        try:
            play = history.play(row.game, games.rules(row.name))
        except (Refused, sqlite3.Error) as error:
            print(f"{row.game:5}  {row.started_at}  {row.name:20}  cannot be read: {error}")
            continue
        won = ", ".join(play.players[seat] for seat in play.winners)
        end = f"won by {won}" if won else "ended by hand" if play.ended else "not finished"
        scores = "  ".join(f"{name} {score}" for name, score in zip(play.players, play.scores, strict=True))
        print(f"{row.game:5}  {row.started_at}  {play.rules.title:20}  {scores}  {end}")


def run_history_show(args: argparse.Namespace) -> None:
    from firmware import sheet

    history, row, rules = open_game(args.game)
    play = history.play(row.game, rules)
    found = sheet.lines(rules, history.facts(row.game, rules))
    if args.json:
        print(sheet.as_json(row, play, found))
    else:
        print(sheet.as_csv(play, found) if args.csv else sheet.as_text(row, play, found))


def run_history_evidence(args: argparse.Namespace) -> None:
    from firmware import finishes

    history, row, rules = open_game(args.game)
    found = finishes.finishes(history, row, rules)
    print(finishes.as_json(row, found) if args.json else finishes.as_text(row, rules.title, found))


def run_history_certificate(args: argparse.Namespace) -> None:
    from firmware import certificate

    try:
        found = certificate.load(state_dir())
    except certificate.Damaged as damaged:
        raise Failure(f"{damaged}; `luckypaw calibrate` makes a new one") from None
    if found is None:
        raise Failure(f"no certificate in {state_dir()}: `luckypaw calibrate` has not measured this kit yet")
    print(certificate.as_json(found).decode() if args.json else certificate.as_text(found) + "\n", end="")


def run_config_check(args: argparse.Namespace) -> None:
    from hardware.config import ConfigError, load

    path = args.file or config_path(args)
    try:
        config = load(path)
    except ConfigError as error:
        raise Failure(str(error), 2) from None
    print(f"{path or 'the built-in Table kit'}: fine, {len(config.players)} players: {', '.join(config.names)}")


if __name__ == "__main__":
    main()
