"""The command `luckypaw`. Exit status: 0 fine, 1 a failure with one line on stderr, 2 wrong usage or config."""

import argparse
import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from firmware import VERSION

if TYPE_CHECKING:  # a command imports only what it needs: on a small board that is most of its start-up
    from collections.abc import Callable

    from engine.game import Rules
    from firmware.certificate import Standing
    from firmware.journal.reader import GameRow, History
    from firmware.panel.server import Panel
    from hardware.config import KitConfig
    from hardware.doctor.findings import Finding
    from hardware.kit import Kit

BOOT_CONFIG = Path("/boot/firmware/luckypaw.toml")  # easily reached: the card's first partition
SYSTEM_CONFIG = Path("/etc/luckypaw/kit.toml")
GAMES_LISTED = 20  # each is replayed
GOODBYE_S = 1.0  # how long the last picture stands
STAND_S = 20.0  # how long a service that cannot start says why; systemd gives it 30 s, then starts it again
LONGEST_SAID = 200  # characters of what a library says
STEADY_S = 60.0  # a run that was cut short after so long did not fall over the game that it went on with


class Failure(Exception):
    """One line for stderr, and the exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status

    def say(self) -> None:
        """Print the line, once."""
        if not self._said:
            self._said = True
            print(f"luckypaw: {self}", file=sys.stderr, flush=True)

    _said = False


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    args = parser().parse_args(arguments)
    try:
        args.run(args)
        print(end="", flush=True)  # a pipe that nobody reads any more is found out here, not at the very end
    except Failure as failure:
        failure.say()
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
    """The command line."""
    top = argparse.ArgumentParser(prog="luckypaw", description="Score, timer and reaction kit for five table games.")
    top.add_argument("--version", action="version", version=f"luckypaw {VERSION}")
    top.add_argument("--config", type=Path, help=f"the kit's description; else {BOOT_CONFIG}, else {SYSTEM_CONFIG}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="start the kit", description="Start the kit: real parts on a Raspberry Pi.")
    play.add_argument("--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `play`")
    play.add_argument("--kit", metavar="NAME", help="a kit that is described here: duo, table or party")
    play.add_argument("--emulated", action="store_true", help="all parts in the browser, also on a Raspberry Pi")
    play.add_argument("--port", type=int, help="port of the page (0: any free one); real parts alone have none else")
    play.set_defaults(run=run_play)

    doctor = commands.add_parser(
        "check",
        help="say what is wrong with the wiring",
        description="Look at every part of the kit by itself and say what is right; for what is wrong: the pin or "
        "port, and what to do. End the kit first: it holds the parts. Status 0: all right; 1: at least one fault; "
        "2: the description cannot be used.",
    )
    doctor.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `check`"
    )
    doctor.add_argument("--json", action="store_true", help="for programs: one document")
    how = doctor.add_mutually_exclusive_group()
    how.add_argument("--guided", action="store_true", help="then ask people to press, turn, look and listen")
    how.add_argument("--self", action="store_true", dest="itself", help="only this installation, touching no part")
    doctor.set_defaults(run=run_check)

    calibrate = commands.add_parser(
        "calibrate",
        help="measure how exact this kit is",
        description="Measure how late the stamps of a button are: put a wire from a spare GPIO to the button's line.",
    )
    calibrate.add_argument(
        "--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `calibrate`"
    )
    calibrate.add_argument("--wire", type=int, required=True, metavar="GPIO", help="the spare GPIO, e.g. 18")
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
    listed = history.add_parser("list", help=f"the newest {GAMES_LISTED} games, the newest first")
    listed.add_argument("--all", action="store_true", help="all games")
    listed.set_defaults(run=run_history_list)
    show = history.add_parser("show", help="the score sheet of a game: a row a round, and how long it took")
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

    strip = commands.add_parser(
        "strip",
        help="try the LED strip",
        description="`strip test` walks through every picture of the LED strip: first plain colours and single lamps, "
        "which show what is wrong with the wiring, then what it shows in games. Each is named, with what should be "
        "seen, and stands for a few seconds (--seconds); Enter goes on at once, Ctrl-C ends it, and the strip goes "
        "dark. End the kit first: it holds the port. With --emulated the pictures are dots in the terminal.",
    ).add_subparsers(required=True, metavar="WHAT")
    test = strip.add_parser(
        "test",
        help="walk through every picture",
        description="Walk through every picture on the strip of the kit's description. Enter: the next one; "
        "Ctrl-C: the end, and the strip goes dark. Status 1 if no strip answers.",
    )
    test.add_argument("--config", type=Path, default=argparse.SUPPRESS, help="the kit's description, as before `strip`")
    test.add_argument("--seconds", type=float, default=3.0, metavar="S", help="for each picture; else 3")
    test.add_argument("--emulated", action="store_true", help="no strip: coloured dots; ~ breathes, ! flashes, > runs")
    test.set_defaults(run=run_strip_test)

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
    return next((path for path in (BOOT_CONFIG, SYSTEM_CONFIG) if there(path)), None)


def there(path: Path) -> bool:
    """Whether there is anything of this name; what cannot be looked at is: why, is said when it is read."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


def description(path: Path | None, name: str | None = None) -> "KitConfig":
    """The kit of this name, else the one that a file describes, else the built-in Table kit. Raises `Failure`."""
    from hardware.config import ConfigError, kit, load

    try:
        return load(path) if name is None else kit(name)
    except ConfigError as error:
        raise Failure(str(error), 2) from None


def state_dir() -> Path:
    """Where the journal lives."""
    if given := os.environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "luckypaw"


def run_play(args: argparse.Namespace) -> None:
    from firmware import service
    from hardware.kit import on_a_pi

    if args.kit is not None and args.config is not None:
        raise Failure("--kit and --config: one of them says which kit it is", 2)
    path = config_path(args)
    try:
        config = description(path, args.kit)
    except Failure as failure:
        if args.kit is None and path is not None and service.here() and on_a_pi():
            failure.say()
            asyncio.run(stand(str(failure).replace(str(path), path.name), None))
        raise
    if args.port is not None and not 0 <= args.port <= 65535:
        raise Failure(f"--port {args.port}: a port from 0 to 65535 is allowed", 2)
    begun: list[bool] = []
    emulated = args.emulated or not on_a_pi()
    try:
        asyncio.run(play(config, state_dir(), port=args.port, emulated=emulated, on_ready=lambda: begun.append(True)))
    except Exception as error:  # whatever it is, starting again at once would not mend it
        if begun:
            raise
        known = error if isinstance(error, Failure) else Failure(f"cannot start: {in_a_line(error)}")
        known.say()
        if service.here():
            asyncio.run(stand(str(known).removeprefix("cannot start: "), config, STAND_S))
        raise known from None


def in_a_line(error: Exception) -> str:
    """What nobody has thought of, for the log: what, and where in the program."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    said = " ".join(str(error).split())[:LONGEST_SAID]
    return f"{type(error).__name__}: {said} ({Path(where.filename).name}:{where.lineno})"


async def stand(text: str, config: "KitConfig | None", seconds: float | None = None) -> None:
    """Where nobody sees a terminal: say on the display why the kit cannot start, for so long or until it is ended.

    Without a description it is the built-in kit's display. For systemd it has started only if it stands for ever.
    """
    from firmware import service
    from firmware.screens.overlay import stands
    from hardware.config import TABLE
    from hardware.kit import open_display

    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    with contextlib.ExitStack() as opened:
        with contextlib.suppress(Exception):  # the display may be what keeps it from starting
            display = open_display(config or TABLE, lambda name, lost: None)
            opened.callback(display.close)
            display.show(stands(text))
        if seconds is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), seconds)
            return
        service.tell("READY=1")
        while not stop.is_set():
            service.tell("WATCHDOG=1")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), (service.watchdog_s() or 10) / 2)


async def play(
    config: "KitConfig",
    state: Path,
    *,
    port: int | None,
    emulated: bool,
    on_ready: "Callable[[], None]" = lambda: None,
) -> None:
    """Open the kit and run it until the program is told to end. With a `port` real parts have a page, too.

    `on_ready` is called once the first picture is out.
    """
    import gc
    from time import monotonic_ns

    from firmware import certificate, service
    from firmware.table.app import App, run
    from hardware.config import PanelConfig
    from hardware.kit import open_emulated, open_real
    from hardware.parts import PartLost, Report

    early: list[tuple[str, str | None]] = []  # what parts report before there is an app to tell
    tell: list[Report] = [lambda name, text: early.append((name, text))]

    def report(name: str, text: str | None) -> None:
        tell[0](name, text)

    try:
        kit = open_emulated(config, report) if emulated else open_real(config, report)
    except PartLost as lost:
        raise Failure(str(lost)) from None
    try:
        standing = certificate.standing(state, "emulated" if emulated else config.buttons.driver)
        panel = panel_of(kit, standing, wanted=config.panel is not None or port is not None)
        place = config.panel or PanelConfig()
        app = App(kit, state, now_ns=monotonic_ns(), standing=standing)
    except BaseException:
        kit.close()
        raise
    if panel is not None:
        app.on_evidence, app.on_words, app.on_seats = panel.evidence, panel.words, panel.seats

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
            service.tell("READY=1")
            on_ready()

        mark = service.Mark()
        if mark.goes_on:
            app.go_on()
        asyncio.get_running_loop().call_later(STEADY_S, mark.steady)
        await run(app, stop, ready)
        service.tell("STOPPING=1")
        mark.remove()
        app.goodbye()
        await asyncio.sleep(GOODBYE_S)
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
    from hardware.layout.lid import sides

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
        shape="straight" if kit.config.strip is None else kit.config.strip.shape,
        sides=sides(kit.config),
        standing=standing,
    )


def run_check(args: argparse.Namespace) -> None:
    from firmware.cli import check as doctor

    path = config_path(args)
    findings: list[Finding] = []

    def tell(found: "Finding") -> None:
        findings.append(found)
        if not args.json:
            print("\n".join(doctor.rows([found])), flush=True)

    if args.itself:
        from firmware.cli import self_check

        for found in self_check.examine(path, state_dir()):
            tell(found)
    else:
        from hardware.doctor.examine import examine

        config = description(path)
        for found in examine(config, state_dir()):
            tell(found)
        if args.guided:
            guide(config, findings, tell)
    print(doctor.as_json(str(path or "Table"), findings) if args.json else doctor.verdict(findings))
    if doctor.status(findings):
        sys.exit(1)


def guide(config: "KitConfig", findings: "list[Finding]", tell: "Callable[[Finding], None]") -> None:
    """Ask people for what no program can see; questions go to stderr, so that the answer of `--json` stays one."""
    from firmware.cli import guided
    from hardware.doctor.bench import open_bench
    from hardware.parts import PartLost

    def say(text: str) -> None:
        print(f"? {text}", file=sys.stderr, flush=True)

    faults = [found for found in findings if found.fault]
    if any(found.part in ("kit", "pins", "library gpiod", "library gpiozero") for found in faults):
        say("Mend what is said above first: without its lines there is nothing to ask for.")
        return
    try:
        bench = open_bench(config, lambda part, text: None)  # what is lost has been told
    except PartLost as lost:
        raise Failure(str(lost)) from None
    try:
        inbox = guided.Inbox()
        guided.listen_to_keys(inbox)
        walk = guided.Guided(bench, inbox, say, frozenset(found.part for found in faults))
        for found in walk.findings():
            tell(found)
        walk.end(findings)
    finally:
        bench.close()


def run_calibrate(args: argparse.Namespace) -> None:
    from firmware import certificate
    from hardware.config import ConfigError, check_spare, lines, load
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
    inputs = {line.key: line.pin for line in lines(config) if line.part == "control"}
    inputs |= {line.name: line.pin for line in lines(config) if line.part == "button"}
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
        found = measure(factories, args.wire, button, inputs, progress=progress)
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
            line=inputs[button],
        )
    except certificate.TooCoarse as reason:
        raise Failure(str(reason)) from None
    path = certificate.save(state_dir(), made)
    print(f"\n{certificate.as_text(made)}\n\nKept as {path}.")
    print(f"Next: take the wire off and start the kit; presses closer than {certificate.us(made.error_ns)} are a tie.")


def run_strip_test(args: argparse.Namespace) -> None:
    from firmware.cli import strip as strip_test
    from hardware.kit import open_strip
    from hardware.parts import PartLost
    from hardware.strip.emulated import EmulatedStrip

    if not 0 < args.seconds <= 3600:
        raise Failure(f"--seconds {args.seconds:g}: more than 0 and at most 3600 is allowed", 2)
    config = description(config_path(args))
    if config.strip is None:
        raise Failure("this kit has no strip: its description has no [strip]", 2)
    for number in (signal.SIGINT, signal.SIGTERM):  # also where whoever started us ignores them: the strip goes dark
        signal.signal(number, signal.default_int_handler)
    news = strip_test.News()
    try:
        strip = EmulatedStrip(config.strip.leds, news.report) if args.emulated else open_strip(config, news.report)
    except PartLost as lost:
        raise Failure(str(lost)) from None
    assert strip is not None
    try:
        if not args.emulated and (trouble := strip_test.found(news, config.strip.port or "any port")) is not None:
            raise Failure(trouble)
        strip_test.walk(strip, news, strip_test.sights(config.names), args.seconds, keys=sys.stdin.isatty())
    finally:
        strip.close()


def run_replay(args: argparse.Namespace) -> None:
    from firmware.journal import sheet

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
    from firmware.cli import rules as protocol

    try:
        rules = games.rules(args.game)
    except Refused as refused:
        raise Failure(str(refused), 2) from None
    protocol.serve(rules, sys.stdin.buffer, sys.stdout)


def open_game(number: int) -> "tuple[History, GameRow, Rules[Any, Any]]":
    """A game of the journal that can be read from its first event to its last. Raises `Failure`, `sqlite3.Error`."""
    from engine import games
    from engine.rules import Refused

    history = open_history()
    for row in history.games():
        if row.game == number:
            try:
                rules = games.rules(row.name)
            except Refused as refused:
                raise Failure(str(refused)) from None
            history.play(number, rules)
            return history, row, rules
    raise Failure(f"game {number} is not in the journal; `luckypaw history list` shows those that are")


def open_history() -> "History":
    from firmware.journal.reader import History

    try:
        return History(state_dir() / "journal.db")
    except OSError as error:
        raise Failure(str(error)) from None


def run_history_list(args: argparse.Namespace) -> None:
    from engine import games
    from engine.rules import Refused
    from firmware.journal import sheet

    history = open_history()
    rows = history.games()
    most = len(rows) if args.all else GAMES_LISTED
    for row in rows[:most]:
        try:
            play = history.play(row.game, games.rules(row.name))
        except (Refused, sqlite3.Error) as error:
            print(f"{row.game:5}  {row.started_at}  {row.name:20}  cannot be read: {error}")
            continue
        scores = "  ".join(f"{name} {score}" for name, score in zip(play.players, play.scores, strict=True))
        print(f"{row.game:5}  {row.started_at}  {play.rules.title:20}  {scores}  {sheet.standing(play)}")
    if older := len(rows[most:]):
        print(f"{older} older: luckypaw history list --all")


def run_history_show(args: argparse.Namespace) -> None:
    from firmware.journal import sheet

    history, row, rules = open_game(args.game)
    play = history.play(row.game, rules)
    took = sheet.took(rules, history.facts(row.game, rules), history.boot(row.game))
    if args.json:
        print(sheet.as_json(row, play, took))
    else:
        print(sheet.as_csv(play, took) if args.csv else sheet.as_text(row, play, took))


def run_history_evidence(args: argparse.Namespace) -> None:
    from firmware.journal import races as finishes

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
    path = args.file or config_path(args)
    config = description(path)
    if config.build is not None:
        from hardware.config import ConfigError
        from hardware.layout import layout
        from hardware.power import rails
        from hardware.sizes import MODULES

        if config.display.driver in MODULES:  # one that is emulated is built into nothing
            try:
                layout(config)
                rails(config)
            except ConfigError as error:
                raise Failure(f"{path}: {error}", 2) from None
    print(f"{path or 'the built-in Table kit'}: fine, {len(config.players)} players: {', '.join(config.names)}")


if __name__ == "__main__":
    main()
