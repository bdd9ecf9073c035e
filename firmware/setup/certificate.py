"""The certificate: how late the stamps of this kit are, as measured by `luckypaw calibrate`.

Its file is beside the journal. The tie band is taken from it as long as board, kernel and driver are those of the
measurement.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from engine.words import N_
from firmware import local_time, wall_clock
from firmware.boot import open_file
from firmware.state_folder import CERTIFICATE, replace
from firmware.translation import _, grouped, translated
from hardware.kit import ERROR_NS
from hardware.parts.buttons import Source

if TYPE_CHECKING:
    from hardware.parts.gpio.calibration import Double

MODEL = Path("/proc/device-tree/model")
US = 1_000
BAND_STEP_NS = 10 * US
MIN_BAND_NS = 20 * US
MAX_BAND_NS = 20_000 * US  # within the settling time of a race, with room for presses that are delivered late
EARLY_NS = 1_000 * US  # how long at most a thread of the kernel is waited for, until that is measured
MAX_BINS = 60
NO_LINES = N_("emulated buttons")
CHANGED = {"board": N_("board changed"), "kernel": N_("kernel changed"), "driver": N_("driver changed")}

Count = Annotated[int, Meta(ge=0)]


class TooCoarse(Exception):
    """A kit whose stamps cannot judge a race: one line."""


class BadCertificate(Exception):
    """A certificate that cannot be used: one line."""


class Certificate(Struct, frozen=True, kw_only=True):
    """A measurement and its tie band. Lateness: the stamp minus the time just before the write."""

    measured_at: str  # wall time, ISO 8601, UTC
    board: str
    kernel: str
    driver: str
    source: Literal["kernel", "callback"]
    wire: int  # the spare pin
    button: str
    line: int  # the button's pin
    pulses: Count
    dropped: Count  # of these, interrupted while they were written
    p50_ns: Count
    p99_ns: Count
    p999_ns: Count
    max_ns: Count
    drift_ns: int  # the median of the last quarter minus that of the first
    bin_ns: Annotated[int, Meta(gt=0)]
    histogram: tuple[Count, ...]  # pulses in each bin, from 0 on
    error_ns: Annotated[int, Meta(ge=MIN_BAND_NS, le=MAX_BAND_NS)]  # the tie band
    doubles: Count = 0  # double moves; none where that was not measured
    overwritten: Count = 0  # of these, whose first stamp the second move replaced
    unshown: Count = 0  # of those, without a gap in the kernel's numbers
    overwritten_ns: Count = 0  # how far apart the moves were then, at most
    early_ns: Annotated[int, Meta(ge=MIN_BAND_NS, le=MAX_BAND_NS)] | None = None  # of a press after a gap

    def __post_init__(self) -> None:
        """Refuse figures that contradict each other: a file may have been edited."""
        datetime.fromisoformat(self.measured_at)
        figures = (self.p50_ns, self.p99_ns, self.p999_ns, self.max_ns, self.error_ns)
        if (
            list(figures) != sorted(figures)
            or sum(self.histogram) != self.pulses - self.dropped
            or not self.unshown <= self.overwritten <= self.doubles
            or (self.overwritten_ns > 0) != (self.overwritten > 0)
            or (self.early_ns is not None) != (self.doubles > 0)
            or (self.early_ns is not None and self.early_ns < self.overwritten_ns)
        ):
            raise ValueError("its figures contradict each other")

    @property
    def day(self) -> str:
        """When it was measured, for people."""
        return f"{local_time.local(self.measured_on):%Y-%m-%d}"

    @property
    def measured_on(self) -> datetime:
        """When it was measured."""
        return datetime.fromisoformat(self.measured_at)


class Standing(NamedTuple):
    """The certificate of a kit, and the reason why it is unused, if there is one."""

    certificate: Certificate | None = None
    unused: str | None = None

    @property
    def errors_ns(self) -> Mapping[Source, int]:
        """The timing error of a press by the source of its stamp."""
        if self.certificate is None or self.unused is not None:
            return ERROR_NS
        return {**ERROR_NS, self.certificate.source: self.certificate.error_ns}

    @property
    def early_ns(self) -> int:
        """By how much a press may have been earlier where its first stamp was replaced."""
        if self.certificate is None or self.unused is not None or self.certificate.early_ns is None:
            return EARLY_NS
        return self.certificate.early_ns

    @property
    def note(self) -> str | None:
        """The notice at the start where the certificate is unused."""
        return None if self.unused in (None, NO_LINES) else N_("{reason}: calibrate again", reason=self.unused)


UNMEASURED = Standing()


def band_ns(latenesses_ns: Iterable[int]) -> int:
    """The tie band: 1.5 times the largest lateness seen, rounded up to 10 µs, never under 20 µs.

    Two presses are late by something between nothing and the largest lateness there is, so stamps further apart than
    that stand in the order of the presses. The extra half covers latenesses that a measurement has missed:
    docs/fairness.md has the numbers. Delays up to which stamps are overwritten get the same margin.
    """
    wanted_ns = max(latenesses_ns) * 3 / 2
    return max(MIN_BAND_NS, ceil(wanted_ns / BAND_STEP_NS) * BAND_STEP_NS)


def certify(
    latenesses_ns: Sequence[int],
    *,
    dropped: int,
    driver: str,
    source: Literal["kernel", "callback"],
    wire: int,
    button: str,
    line: int,
    doubles: "Sequence[Double]" = (),
) -> Certificate:
    """The certificate of a measurement on this machine, made now. `latenesses_ns` in the order of the pulses.

    Raises `TooCoarse` where the tie band, or that of a press after a gap, would be wider than a race waits for.
    """
    ordered = sorted(latenesses_ns)
    if (error_ns := band_ns(ordered)) > MAX_BAND_NS:
        raise TooCoarse(
            _(
                "too coarse: the latest stamp was {latest} late, and the tie band would be {band}; "
                "it must be at most {most}: end other programs",
                latest=us(ordered[-1]),
                band=us(error_ns),
                most=us(MAX_BAND_NS),
            )
        )
    # without a gap in the numbers a stamp within the tie band is that of the first move, made late as any may be
    overwritten = [double for double in doubles if double.overwritten and (double.shown or double.late_ns > error_ns)]
    overwritten_ns = max([double.apart_ns for double in overwritten], default=0)
    nearest_ns = min([double.apart_ns for double in doubles], default=0)  # nothing is known of moves nearer than that
    if (early_ns := band_ns([overwritten_ns, nearest_ns])) > MAX_BAND_NS:
        raise TooCoarse(
            _(
                "too coarse: a stamp was overwritten {apart} later, so a press could be {early} earlier; "
                "that must be at most {most}: end other programs",
                apart=us(overwritten_ns),
                early=us(early_ns),
                most=us(MAX_BAND_NS),
            )
        )
    quarter = max(1, len(ordered) // 4)
    begin_ns, end_ns = (at_permille(sorted(part), 500) for part in (latenesses_ns[:quarter], latenesses_ns[-quarter:]))
    bin_ns = bin_width_ns(ordered[-1])
    pulses = Counter(late_ns // bin_ns for late_ns in ordered)
    return Certificate(
        measured_at=wall_clock.text(),
        board=this_board(),
        kernel=os.uname().release,
        driver=driver,
        source=source,
        wire=wire,
        button=button,
        line=line,
        pulses=len(ordered) + dropped,
        dropped=dropped,
        p50_ns=at_permille(ordered, 500),
        p99_ns=at_permille(ordered, 990),
        p999_ns=at_permille(ordered, 999),
        max_ns=ordered[-1],
        drift_ns=end_ns - begin_ns,
        bin_ns=bin_ns,
        histogram=tuple(pulses[n] for n in range(ordered[-1] // bin_ns + 1)),
        error_ns=error_ns,
        doubles=len(doubles),
        overwritten=len(overwritten),
        unshown=sum(not double.shown for double in overwritten),
        overwritten_ns=overwritten_ns,
        early_ns=early_ns if doubles else None,
    )


def at_permille(ordered: Sequence[int], permille: int) -> int:
    """The smallest value that so many of a thousand do not exceed (nearest rank)."""
    return ordered[-(-len(ordered) * permille // 1000) - 1]


def bin_width_ns(largest_ns: int) -> int:
    """The width of a histogram's bins, so that there are at most 60."""
    return next(width_ns for width_ns in round_widths_ns() if largest_ns // width_ns < MAX_BINS)


def round_widths_ns() -> Iterator[int]:
    """1, 2 and 5 times the powers of ten, from 1 µs on."""
    return (int(factor * 10**power) * US for power in count() for factor in (1, 2, 5))


def this_board() -> str:
    """The name of this machine, as its maker gives it."""
    try:
        return MODEL.read_text(errors="replace").strip("\0\n ")
    except OSError:
        return os.uname().machine


# --- the file --------------------------------------------------------------------------------------------------------


def save(folder: Path, certificate: Certificate) -> Path:
    """Replace an older certificate: synced and whole, or not at all. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / CERTIFICATE
    replace(path, path.with_suffix(".new"), as_json(certificate))
    return path


def load(folder: Path) -> Certificate | None:
    """The certificate of a kit; None where it has not been measured. Raises `BadCertificate`."""
    try:
        with open_file(folder / CERTIFICATE) as file:
            return msgspec.json.decode(file.read(), type=Certificate)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadCertificate(_("{file} cannot be read: {error}", file=CERTIFICATE, error=error.strerror)) from None
    except (ValueError, RecursionError) as error:
        raise BadCertificate(_("{file} is damaged: {error}", file=CERTIFICATE, error=error)) from None


def standing(folder: Path, driver: str) -> Standing:
    """The standing of a kit on this machine whose buttons are driven by `driver`."""
    try:
        certificate = load(folder)
    except BadCertificate:
        return Standing(None, N_("certificate damaged"))
    if certificate is None:
        return UNMEASURED
    return Standing(certificate, mismatch(certificate, driver, os.uname().release, this_board()))


def mismatch(certificate: Certificate, driver: str, kernel: str, board: str) -> str | None:
    """Why a certificate is not valid for this kit; None: it is."""
    if driver == "emulated":
        return NO_LINES
    pairs = (("board", certificate.board, board), ("kernel", certificate.kernel, kernel))
    for part, then, now in (*pairs, ("driver", certificate.driver, driver)):
        if then != now:
            return CHANGED[part]
    return None


# --- output ----------------------------------------------------------------------------------------------------------


def as_json(certificate: Certificate) -> bytes:
    """The certificate as stored in its file."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=2) + b"\n"


def as_text(certificate: Certificate) -> str:
    """The certificate as a small table."""
    c = certificate
    p50, p99, p999, most = map(us, (c.p50_ns, c.p99_ns, c.p999_ns, c.max_ns))
    stamped = N_("{driver}, stamps by the kernel")
    if c.source != "kernel":
        stamped = N_("{driver}, stamps by the callback")
    rows = (
        (_("measured"), local_time.iso(c.measured_on)),
        (_("board"), c.board),
        (_("kernel"), c.kernel),
        (_("driver"), translated(stamped).format(driver=c.driver)),
        (_("wire"), _("GPIO {wire} to {button}'s line GPIO {line}", wire=c.wire, button=c.button, line=c.line)),
        (_("pulses"), _("{pulses}, of which {dropped} dropped", pulses=grouped(c.pulses), dropped=grouped(c.dropped))),
        (_("lateness"), _("p50 {p50}, p99 {p99}, p99.9 {p999}, max {most}", p50=p50, p99=p99, p999=p999, most=most)),
        (_("drift"), _("{drift} from the first quarter to the last", drift=us(c.drift_ns, sign=True))),
        (_("tie band"), _("{band}; without a certificate {usual}", band=us(c.error_ns), usual=us(ERROR_NS[c.source]))),
        *_doubles(c),
    )
    return "\n".join(f"{name:10}{text}" for name, text in rows)


def _doubles(c: Certificate) -> Iterator[tuple[str, str]]:
    """The rows of the double moves, where they were measured."""
    if c.early_ns is None:
        return
    moves = N_("{doubles} double moves, no stamp overwritten")
    if c.overwritten:
        moves = N_("{doubles} double moves, {overwritten} stamps overwritten, up to {most} apart")
    most, early, usual = map(us, (c.overwritten_ns, c.early_ns, EARLY_NS))
    doubles, overwritten, unshown = map(grouped, (c.doubles, c.overwritten, c.unshown))
    yield _("doubles"), translated(moves).format(doubles=doubles, overwritten=overwritten, most=most)
    if c.unshown:
        yield "", _("{unshown} of these without a gap in the kernel's numbers: not noticed here", unshown=unshown)
    yield _("early"), _("a press after a gap: up to {early}; without a certificate {usual}", early=early, usual=usual)


def us(ns: int, *, sign: bool = False) -> str:
    """A time in µs; tenths where they matter."""
    digits = 1 if abs(ns) < 100 * US else 0
    return grouped(ns / US, "+" if sign else "", digits).removesuffix(".0") + " µs"
