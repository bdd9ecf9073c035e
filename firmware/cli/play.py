"""`luckypaw play`: open the kit, show the menu, serve the page, and run until the program is told to end."""

import asyncio
import atexit
import contextlib
import gc
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, NamedTuple

from firmware import ending, local_time, service, waiting
from firmware.boot import named, names
from firmware.cli import BOOT_PEOPLE, Failure, alone, state_dir
from firmware.cli.letting_in import END_S, Door, first
from firmware.cli.which_kit import BOOT_CONFIG, SYSTEM_CONFIG, config_path, description, there, undrawn
from firmware.faults import in_a_line
from firmware.misnamed import misnamed
from firmware.shelf.helper import Helper
from firmware.state_folder import IN_USE, greeted
from firmware.statistics import process
from firmware.translation import _, translated
from hardware.config import KITS, KitConfig, PanelConfig

if TYPE_CHECKING:
    from firmware.panel.server import Panel
    from firmware.setup.chosen_kit import Choosing
    from firmware.setup.steps import Setup
    from firmware.table.app import App
    from firmware.table.table import Table
    from hardware.kit import Kit
    from hardware.parts import Report

GOODBYE_S = 1.0  # how long the last picture stands
STAND_S = 20.0  # how long a service that cannot start shows why; systemd gives it 30 s, then starts it again
PICTURE_S = 5.0  # a display that does not even say that it is lost holds up the page so long
STEADY_S = 60.0  # a run that ends after so long was not ended by the game that it resumed


def run(args: Namespace) -> None:
    service.leave_stacks()
    atexit.register(gc.freeze)  # at the end nothing is looked through once more: after a long game that takes a second
    gc.disable()  # until the first picture: hardly anything of what is made until then is garbage
    try:
        _run(args)
    finally:
        gc.enable()


def _run(args: Namespace) -> None:
    from hardware.kit import on_a_pi

    if args.kit is not None and args.config is not None:
        raise Failure(_("give --kit or --config, not both"), 2)
    path = config_path(args)
    try:
        config = description(path, args.kit)
    except Failure as failure:
        if args.kit is None and path is not None and service.here() and on_a_pi():
            failure.say()
            asyncio.run(stand(_said(failure, path), None))
        raise
    if args.port is not None and not 0 <= args.port <= 65535:
        raise Failure(_("--port {port}: must be a port from 0 to 65535", port=args.port), 2)
    begun: list[bool] = []
    emulated = args.emulated or not on_a_pi()
    try:
        with contextlib.nullcontext() if emulated else alone():
            _play_on(args, path, config, partial(begun.append, True), emulated=emulated)
    except Exception as error:  # of any kind: starting again at once would not mend it
        if begun:
            raise
        reason = str(error) if isinstance(error, Failure) else in_a_line(error)
        known = error if isinstance(error, Failure) else Failure(_("cannot start: {reason}", reason=reason))
        known.say()
        if service.here():
            asyncio.run(stand(reason, config, STAND_S))
        raise known from None


def _play_on(
    args: Namespace, path: Path | None, config: KitConfig, ready: Callable[[], None], *, emulated: bool
) -> None:
    """Play with this kit, and then with each that is chosen meanwhile, until the program is told to end."""
    from firmware.setup.chosen_kit import Choosing

    fixed = None
    if args.kit is not None or args.config is not None:
        fixed = _("this kit was named when it was started: leave --kit and --config out")
    elif path in names(BOOT_CONFIG):
        fixed = _("{file} on the card says which kit this is: change it there", file=path.name)
    trial, port, refused = None, args.port, None
    while True:
        name = args.kit or ("table" if path is None else path.stem if path.parent == KITS else "own")
        choosing = Choosing(name, fixed, trial, refused)
        again = waiting.run(play(config, state_dir(), port=port, emulated=emulated, choosing=choosing, on_ready=ready))
        if again is None:
            return
        ending.raise_ended()  # the loop that is over has put back what Python does
        gc.unfreeze()
        gc.collect()  # that kit is over
        trial, port, refused = again.trial, again.port, None
        wanted = config_path(args) if trial is None else tried(trial)
        try:
            path, config = wanted, description(wanted)
        except Failure as failure:
            failure.say()
            trial, refused = None, _said(failure, wanted)


def _said(failure: Failure, path: Path | None) -> str:
    """The failure for the display, which has no room for a folder."""
    return str(failure) if path is None else str(failure).replace(str(path), path.name)


def tried(name: str) -> Path | None:
    """The description of a kit that is tried: a built-in one, or the installed one where the name is empty."""
    return KITS / f"{name}.toml" if name else SYSTEM_CONFIG if there(SYSTEM_CONFIG) else None


async def stand(text: str, config: "KitConfig | None", seconds: float | None = None) -> None:
    """Show on the display why the kit cannot start, for so many `seconds` or until the program is told to end.

    Without a description on the built-in kit's display; where another program has the parts, nowhere. Only without
    `seconds` systemd is told that it has started.
    """
    from firmware.output.screens.notices import stands
    from hardware.config import TABLE
    from hardware.kit import open_display

    gc.enable()  # this may stand for weeks
    stop = asyncio.Event()
    ending.call(asyncio.get_running_loop(), stop.set)
    with contextlib.ExitStack() as opened:
        with contextlib.suppress(Exception):  # the display may be the reason
            opened.enter_context(alone())
            display = open_display(config or TABLE, lambda name, lost: None)
            opened.callback(display.close)
            display.show(stands(text))
        if seconds is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), seconds)
            return
        service.notify("READY=1")
        while not stop.is_set():
            service.notify("WATCHDOG=1")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), (service.watchdog_s() or 10) / 2)


async def play(
    config: KitConfig,
    state: Path,
    *,
    port: int | None,
    emulated: bool,
    choosing: "Choosing | None" = None,
    on_ready: Callable[[], None] = lambda: None,
) -> "Again | None":
    """Open the kit and run it until the program is told to end, or another kit was chosen: that one.

    With a `port` real parts have a page, too. The menu is on the display before the page's libraries are there.
    `on_ready` is called once the first picture is out, and the page served where there is one. Without `choosing`
    no kit is chosen and nobody is greeted.
    """
    from firmware.setup.chosen_kit import ALONE
    from firmware.table.app import run as run_app

    local_time.use(state)
    reports, next_kit = Reports(), list[str | None]()
    stop, shown = asyncio.Event(), asyncio.Event()

    def again(trial: str | None) -> None:
        next_kit.append(trial)
        stop.set()

    app, door = app_of(config, state, reports, emulated=emulated, choosing=choosing or ALONE, again=again)
    kit, mark = app.kit, service.RunMark()
    if mark.heard_ns is not None:
        app.unheard(mark.heard_ns)
    if mark.goes_on:
        app.go_on()
    running = asyncio.create_task(run_app(app, stop, shown.set))
    beating = asyncio.create_task(mark.beat(lambda: app.hangs() is None))
    try:
        wanted = config.panel is not None or port is not None
        with contextlib.suppress(TimeoutError):  # nothing else takes the picture's time
            await asyncio.wait_for(first(running, shown.wait()), PICTURE_S)
        if wanted or emulated:
            with contextlib.suppress(ImportError):  # reported by `panel_of`
                await asyncio.to_thread(import_module, "firmware.panel.server")
        panel = panel_of(kit, wanted=wanted)
        async with serving(app, state, panel, door, reports, config.panel or PanelConfig(), port) as address:
            gc.freeze()  # objects of the start-up are never collected, nor looked at: hardly any of them is garbage
            gc.enable()
            await first(running, shown.wait())
            if shown.is_set():
                with contextlib.suppress(OSError):  # the terminal may be gone
                    print(_ready(address), flush=True)
                service.notify("READY=1")
                on_ready()
                app.import_later()
            asyncio.get_running_loop().call_later(STEADY_S, mark.steady)
            await running
            if next_kit:
                mark.remove()
                return Again(next_kit[0], None if port is None or address is None else address[1])
            service.notify("STOPPING=1")
            mark.remove()
            app.goodbye()
            await asyncio.sleep(GOODBYE_S)
            return None
    except Exception:
        if not running.done():  # it was not the game that failed
            mark.restore()
        raise
    finally:
        stop.set()
        beating.cancel()
        await asyncio.wait((running, beating))
        app.close()


def app_of(
    config: KitConfig,
    state: Path,
    reports: "Reports",
    *,
    emulated: bool,
    choosing: "Choosing",
    again: Callable[[str | None], None],
) -> "tuple[App, Door]":
    """The table with the parts of this kit, and what lies on it at first; and where phones come in.

    Raises `Failure` where a part is missing.
    """
    from firmware.setup import certificate  # an import that fails is reported on the display
    from firmware.setup.chosen_kit import ALONE
    from firmware.setup.steps import Setup
    from firmware.table.app import App
    from hardware.kit import open_emulated, open_real
    from hardware.mounts import volatile
    from hardware.one_program import InUse, hold_games
    from hardware.parts import PartLost
    from hardware.words import N_

    try:
        hold_games(state / IN_USE).release()  # before any part is touched
    except InUse as taken:
        raise Failure(translated(taken.text)) from None
    try:
        kit = open_emulated(config, reports.report) if emulated else open_real(config, reports.report)
    except PartLost as lost:
        raise Failure(translated(lost.text)) from None
    try:
        standing = certificate.standing(state, "emulated" if emulated else config.buttons.driver)
        name = "emulated" if emulated else f"{choosing.name} {config.buttons.driver}"
        kind = volatile(state)
        app = App(
            kit,
            state,
            now_ns=monotonic_ns(),
            standing=standing,
            people=named(BOOT_PEOPLE),
            kit_name=name,
            volatile=kind is not None,
        )
    except BaseException:
        kit.close()
        raise
    reports.listen(app.report)
    door = Door(app, config.panel or PanelConfig(), reports.report)
    in_the_browser = kit.described.buttons.driver == "emulated" and not service.here()
    setup = Setup(app, state, reports.report, choosing, again, door if in_the_browser else None)
    offer(app.table, setup)
    if choosing is not ALONE and app.journal.latest is None and not greeted(state):
        from firmware.setup.greeting import greet

        greet(app.table, setup)
    if choosing.trial is not None or choosing.refused is not None:
        from firmware.setup.menu import after_choice

        after_choice(app.table, setup)
    for file in (BOOT_PEOPLE, BOOT_CONFIG):
        if wrong := misnamed(file):
            reports.report(file.name, wrong)
    if wrong := undrawn(config.names):
        reports.report("names of buttons", wrong)
    if standing.note is not None:
        reports.report("certificate", standing.note)
    if kind is not None:
        reports.report("storage", N_("games are kept in memory only ({kind}): gone without power", kind=kind))
    return app, door


def offer(table: "Table", setup: "Setup") -> None:
    """From now on the menu leads to SET UP."""

    def set_up() -> None:
        from firmware.setup.menu import SetUp  # a start need not wait for it

        table.open(SetUp(table, setup))

    table.set_up = set_up


@contextlib.asynccontextmanager
async def serving(
    app: "App", state: Path, panel: "Panel | None", door: Door, reports: "Reports", place: PanelConfig, port: int | None
) -> AsyncIterator[tuple[str, int] | None]:
    """Serve the page, if there is one, and phones, where they may join: from when they are answered to the end.

    It gives the page's address. Raises `Failure` where the page cannot be served.
    """
    page: asyncio.Task[None] | None = None
    workshop = Helper(state)
    pages = process.Made(state)
    try:
        if panel is not None:
            panel.on_sheets = workshop
            panel.standing = lambda: app.table.standing
            panel.on_wish, panel.on_page = pages.after(app.wish), pages
            panel.on_look, panel.on_seek = app.look, app.seek
            app.follow(panel.hear, *panel.KINDS)
            reports.listen(panel.part)
            page = asyncio.create_task(panel.serve(place.host, place.port if port is None else port))
            await first(page, panel.up())
            if page.done():
                try:
                    await page
                except (OSError, ValueError) as error:
                    raise Failure(str(error)) from None
        door.on_page, door.making = partial(pages, guest=True), None if panel is None else panel.making
        await door.begin()
        yield None if panel is None else panel.address
    finally:
        await door.close()
        if panel is not None and page is not None:
            panel.stop()
            await asyncio.wait((page,), timeout=END_S)
        workshop.close()


def _ready(address: tuple[str, int] | None) -> str:
    """The line that says that the program is ready, and where its page is."""
    if address is None:
        return _("Lucky Paw is ready.")
    host, port = address
    host = f"[{host}]" if ":" in host else host
    return _("Lucky Paw is ready: open {url} in a browser. Ctrl-C ends it.", url=f"http://{host}:{port}/")


class Again(NamedTuple):
    """The program goes on with another kit."""

    trial: str | None  # its name, empty for the installed one; None: that which was there before
    port: int | None  # of the page


class Reports:
    """The states of parts, reported on any thread; a new listener first gets the latest state of each."""

    def __init__(self) -> None:
        self._latest: dict[str, str | None] = {}
        self._listeners: list[Report] = []

    def report(self, name: str, text: str | None) -> None:
        """A part is lost or back."""
        self._latest[name] = text
        for listener in tuple(self._listeners):
            listener(name, text)

    def listen(self, listener: "Report") -> None:
        """Add a listener."""
        self._listeners.append(listener)
        for name, text in tuple(self._latest.items()):
            listener(name, text)


def panel_of(kit: "Kit", *, wanted: bool) -> "Panel | None":
    """The browser's side of the emulated twins, and the evidence; None where every part is real, unless `wanted`."""
    from hardware.parts.buttons.emulated import EmulatedButtons
    from hardware.parts.buzzer.emulated import EmulatedBuzzer
    from hardware.parts.control.emulated import EmulatedControl
    from hardware.parts.display.emulated import EmulatedDisplay
    from hardware.parts.lamps.emulated import EmulatedLamps
    from hardware.parts.strip.emulated import EmulatedStrip

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
        raise Failure(_("the page needs {name}: pip install luckypaw", name=error.name)) from None
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
    )
