"""`luckypaw strip`: `test` walks through pictures of the strip, `flash` copies the controller's program to a Pico."""

import sys
from argparse import Namespace
from contextlib import ExitStack, closing, suppress
from typing import NamedTuple, TypeAlias

from engine.stamps import S
from firmware import ending
from firmware.cli import Failure, refuse_beside_another, state_dir
from firmware.cli.which_kit import config_path, description
from firmware.journal import people
from firmware.journal.file import open_to_read
from firmware.journal.reader import LAST, recalled
from firmware.people.names import at_table
from firmware.setup.inbox import Inbox, listen_to_keys
from firmware.setup.strip_test import COLOURS, Sight, colour_fault, sights
from firmware.state_folder import JOURNAL
from firmware.table import past_games
from firmware.translation import _, ngettext
from hardware.kit import open_strip
from hardware.parts import PartLost
from hardware.parts.strip import USUAL_LEDS, USUAL_MA, Colour, Pixels, Rhythm, Strip, rhythm
from hardware.parts.strip.emulated import EmulatedStrip

ASKED_NS = 20 * S  # how long an answer is waited for
FOUND_NS = 9 * S  # a strip that does not answer has been reported by then, also one that talks at start-up
DOTS = 60  # in a line
MARKS = {Rhythm.STEADY: " ", Rhythm.BREATHE: "~", Rhythm.FLASH: "!", Rhythm.CHASE: ">"}


# --- the walk --------------------------------------------------------------------------------------------------------


class StripReport(NamedTuple):
    """The strip's own report."""

    text: str | None  # what is wrong with it; None once it works or has another number of lamps


Event: TypeAlias = StripReport | str  # a report, or a typed line


def wait_for_strip(inbox: Inbox[Event], place: str) -> str | None:
    """Wait for the strip: None once it is there, else what is wrong with it."""
    print(_("Looking for the strip at {place} ...", place=place), flush=True)
    until_ns = inbox.now_ns() + FOUND_NS
    trouble: str | None = None
    while isinstance(report := inbox.next(until_ns), StripReport):
        if report.text is None:
            return None
        if trouble is None:
            print(_("{trouble}. Plug it in within {n:.0f} s.", trouble=report.text, n=FOUND_NS / S), flush=True)
        trouble = report.text
    return trouble


def print_report(report: StripReport, strip: Strip) -> None:
    """Print what is wrong with the strip, or that it is there."""
    there = ngettext("the strip is there, {n} lamps", "the strip is there, {n} lamps", strip.leds)
    print(f"    !  {report.text or there}", flush=True)


def ask_colours(inbox: Inbox[Event], strip: Strip) -> None:
    """Ask which colours red, green and blue were, and say what is wrong with them."""
    print(_("Were they red, green, blue? Enter: yes. Else a letter each, as seen: grb; x: another"), flush=True)
    until_ns = inbox.now_ns() + ASKED_NS
    while isinstance(typed := inbox.next(until_ns), StripReport):
        print_report(typed, strip)
    if isinstance(typed, str) and typed and (fault := colour_fault(typed.upper())) is not None:
        print(f"    !  {fault}", flush=True)


def walk(strip: Strip, inbox: Inbox[Event], shown: tuple[Sight, ...], seconds: float, *, keys: bool) -> None:
    """Show one picture after the other, each for so long or until Enter is pressed."""
    for number, sight in enumerate(shown, 1):
        print(f"{number:2}/{len(shown)}  {sight.name}\n       {sight.look}", flush=True)
        strip.show(sight.pixels(strip.leds))
        if isinstance(strip, EmulatedStrip):
            print(dots(strip.pixels), flush=True)
        until_ns = inbox.now_ns() + round(seconds * S)
        while isinstance(report := inbox.next(until_ns), StripReport):
            print_report(report, strip)
            strip.show(sight.pixels(strip.leds))
        if keys and number == len(COLOURS):
            ask_colours(inbox, strip)


def dots(shown: Pixels) -> str:
    """A picture for a terminal: coloured dots, and below each how it moves."""
    lines = []
    for start in range(0, len(shown), DOTS):
        row = shown[start : start + DOTS]
        lines.append("       " + "".join(map(_dot, row)) + "\x1b[0m")
        if (marks := "".join(MARKS[rhythm(colour)] if _lit(colour) else " " for colour in row).rstrip()) != "":
            lines.append(f"       {marks}")
    return "\n".join(lines)


def _lit(colour: Colour) -> bool:
    return max(colour) > 1  # else it is dark, with a rhythm at most


def _dot(colour: Colour) -> str:
    if not _lit(colour):
        return "\x1b[38;2;70;70;70m·"
    red, green, blue = (round(255 * (part / 255) ** 0.55) for part in colour)  # an eye sees a dim lamp brighter
    return f"\x1b[38;2;{red};{green};{blue}m●"


def called(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The names of those who sat at these buttons last; the labels of the others."""
    with suppress(*past_games.UNREADABLE), closing(open_to_read(state_dir() / JOURNAL)) as db:
        sat = past_games.sitting(past_games.unfinished(recalled(db, LAST)))
        names = {person.id: person.name for person in people.known(db)}
        return at_table(labels, {seat: names[sat[one]] for seat, one in enumerate(labels) if sat.get(one) in names})
    return labels


def run(args: Namespace) -> None:
    if not 0 < args.seconds <= 3600:
        raise Failure(_("--seconds {n:g}: must be more than 0 and at most 3600", n=args.seconds), 2)
    config = description(config_path(args))
    if config.strip is None:
        raise Failure(_("this kit has no strip: its description has no [strip]"), 2)

    def report(_part: str, text: str | None) -> None:
        inbox.put(StripReport(text))

    if not args.emulated:
        refuse_beside_another()
    inbox, keys = Inbox[Event](), sys.stdin.isatty()
    with ExitStack() as opened:
        opened.enter_context(ending.deferred(inbox.end))
        try:
            strip = EmulatedStrip(config.strip.lamps, report) if args.emulated else open_strip(config, report)
        except PartLost as lost:
            raise Failure(str(lost)) from None
        assert strip is not None
        opened.callback(strip.close)
        if not args.emulated and (trouble := wait_for_strip(inbox, config.strip.port or _("any port"))) is not None:
            raise Failure(trouble)
        if keys:
            listen_to_keys(inbox)
        walk(strip, inbox, sights(called(config.names)), args.seconds, keys=keys)


def flash(args: Namespace) -> None:
    from firmware.setup.flashing import NotFlashed, Settings, described, summary
    from firmware.setup.flashing import flash as flashed

    path = config_path(args)
    leds, max_ma, place = (USUAL_LEDS, USUAL_MA, None) if path is None else described(description(path))
    leds, max_ma = (leds if args.leds is None else args.leds), (max_ma if args.max_ma is None else args.max_ma)
    place, settings = args.port or place, Settings(leds, max_ma, args.pin, args.kind)
    if (wrong := settings.refused) is not None:
        raise Failure(wrong, 2)
    said = ""

    def progress(text: str, done: float) -> None:
        nonlocal said
        if text != said:
            said = text
            print(f"{100 * done:3.0f} %  {text} ...", flush=True)

    try:
        port, settings = flashed(place, settings, progress)
    except NotFlashed as reason:
        raise Failure(str(reason)) from None
    print(_("The strip's program runs on {port}: {settings}.", port=port, settings=summary(settings)))
    print(_("Next: [strip] in the kit's description, then luckypaw strip test."))
