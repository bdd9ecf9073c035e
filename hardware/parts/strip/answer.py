"""A controller's whole answer, compared with what the kit wants: what it sets again, and what it names. Pure.

Fields and what they do are those of WLED's sources, 0.13 to 16.0.1 (json.cpp, udp.cpp, led.cpp, FX_fcn.cpp,
bus_manager.cpp); our own controller answers some of them. What an answer does not have is right.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from hardware.parts.strip import wire
from hardware.words import N_, filled

OURS = "1"  # the version of our own controller's program: `VERSION` in firmware/strip_controller/line.py
OLDEST = 2108250  # of WLED: JSON on the serial line came with this build
# a lamp: as WLED reckons, one picture in ten takes more than twice as much, and would lose half its light
LEAST_MA = 14
AT_ONCE = 10  # segments that a document removes: a WLED takes longer for many short ones than the line does

Values: TypeAlias = Mapping[str, object]  # of a template


class Wanted(NamedTuple):
    """What the kit wants to find besides what its pictures need."""

    ours: bool  # our own controller, not a WLED
    leds: int | None = None  # as described; None: any number


class Named(NamedTuple):
    """Something that is not as wanted, and not the kit's to set."""

    kind: str  # as in `NAMES`
    text: str
    values: Values  # in the text


class Compared(NamedTuple):
    """The result of comparing an answer with what the kit wants."""

    lamps: int  # the controller's number of them
    lines: tuple[bytes, ...]  # set what is not as wanted; what is painted may be lost by it
    odd: Mapping[str, str]  # these fields, as found: seg.stop is 30
    named: tuple[Named, ...]


class About(NamedTuple):
    """An answer, in its parts."""

    state: dict[str, Any]
    segment: dict[str, Any]  # the one that the kit paints, number 0
    others: tuple[int, ...]  # numbers of segments, the last first: they lie over the kit's picture
    info: dict[str, Any]
    leds: dict[str, Any]  # of info

    @property
    def held(self) -> bool:
        """Whether realtime data is shown instead of segments, and nobody has overridden that."""
        return bool(self.info.get("live")) and not self.state.get("lor")


# --- what the kit sets ------------------------------------------------------------------------------------------------

_Value: TypeAlias = bool | int  # of a field


class Field(NamedTuple):
    """A field that the kit's picture needs. `path` leads to it in the answer's state and in what is sent."""

    path: str
    wanted: _Value | Callable[[About], _Value]
    found: Callable[[About], _Value | None] | None = None  # where it is not found at the path
    called: str = ""  # where it has another name in answers


def _stuck(about: About) -> bool:
    return about.held and not about.info.get("lm")


def _playlist(about: About) -> int | None:
    return number if (number := about.state.get("pl", -1)) >= 0 else None


WITH_PICTURES = ("on", "bri")  # are set with every whole picture; a WLED starts at half its brightness
SETS = (
    Field("on", True),
    Field("bri", 255),
    Field("nl.on", False),  # the nightlight fades to a brightness of its own, and ends in it
    Field("live", False, _stuck),  # set by a command: nothing sends, and so it would stay until the power goes
    Field("seg.start", 0),
    Field("seg.stop", lambda about: about.leds.get("matrix", {}).get("w", about.leds["count"])),
    Field("seg.startY", 0),
    Field("seg.stopY", lambda about: about.leds.get("matrix", {}).get("h", 1)),
    Field("seg.grp", 1),
    Field("seg.spc", 0),
    Field("seg.of", 0),
    Field("seg.rev", False),
    Field("seg.mi", False),
    Field("seg.on", True),
    Field("seg.bri", 255),
    Field("seg.bm", 0),  # how it is mixed with what lies below: nothing does
    Field("seg.fx", 0, _playlist, "pl"),  # a playlist ends when somebody sets any effect
)


# --- what it names ----------------------------------------------------------------------------------------------------


class OthersField(NamedTuple):
    """A setting that is not the kit's: it is named, not changed."""

    kind: str
    text: str  # a marked template
    remedy: str
    said: Callable[[Wanted, About], Values | None]  # the template's values where it is not as wanted
    example: Values

    def named(self, values: Values) -> Named:
        """With these values."""
        return Named(self.kind, filled(self.text, values), values)


def _held(_wanted: Wanted, about: About) -> Values | None:
    by = [str(about.info[key]) for key in ("lm", "lip") if about.info.get(key)]
    return {"by": ", ".join(by)} if about.held and about.info.get("lm") else None


def _short(wanted: Wanted, about: About) -> Values | None:
    count = about.leds["count"]
    return {"count": count, "described": wanted.leds} if wanted.leds is not None and count < wanted.leds else None


def _limited(_wanted: Wanted, about: About) -> Values | None:
    limit, count = about.leds.get("maxpwr", 0), about.leds["count"]
    return {"ma": limit, "count": count} if 0 < limit < LEAST_MA * count else None


def _too_old(wanted: Wanted, about: About) -> Values | None:
    build = about.info.get("vid", OLDEST)
    return {"build": build} if not wanted.ours and build < OLDEST else None


def _no_version(wanted: Wanted, about: About) -> Values | None:
    return None if wanted.ours or "vid" in about.info else {}


def _another(wanted: Wanted, about: About) -> Values | None:
    version = about.info.get("ver", OURS)
    return {"version": version, "ours": OURS} if wanted.ours and version != OURS else None


UNDONE = N_("something else sets it again and again: {odd}")  # what `Talk` finds, by two answers
TOO_OLD = OthersField(  # most of them do not even answer
    "too-old",
    N_("is a WLED of build {build}, too old: 0.13 or newer is needed"),
    N_("update WLED"),
    _too_old,
    {"build": 2107100},
)
LIMITED = "limited"
NAMES = (
    OthersField(
        "held",
        N_("another program holds it live: {by}"),
        N_("end that program, or override it on WLED's own page"),
        _held,
        {"by": "E1.31, 192.168.1.20"},
    ),
    OthersField(
        "short",
        N_("has {count} lamps, and the kit's description {described}"),
        N_("WLED: Config, LED Preferences, Length; a Pico: flash it anew; or set strip.leds in the kit's description"),
        _short,
        {"count": 30, "described": 60},
    ),
    OthersField(
        LIMITED,
        N_("its limit of {ma} mA is too low for {count} lamps"),
        N_("WLED: Config, LED Preferences, Maximum PSU Current: what your supply gives"),
        _limited,
        {"ma": 850, "count": 144},
    ),
    TOO_OLD,
    OthersField(
        "no-version",
        N_("is a WLED of an unknown version"),
        N_("put a WLED of its makers on it, 0.13 or newer"),
        _no_version,
        {},
    ),
    OthersField(
        "other-version",
        N_("its program has version {version}, and the kit's has {ours}"),
        N_("flash it anew: Set up, Flash the strip"),
        _another,
        {"version": "2", "ours": OURS},
    ),
)


# --- the comparison ---------------------------------------------------------------------------------------------------


def compare(wanted: Wanted, line: bytes) -> Compared | None:
    """Compare an answer to `wire.ABOUT` with what the kit wants; None for any other line."""
    try:
        about = _parts(json.loads(line))
        said = [(name, name.said(wanted, about)) for name in NAMES]
        wrong = [(field, *each) for field in SETS if (each := _differs(field, about)) is not None]
        count = about.leds["count"]
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    if type(count) is not int:
        return None
    odd = {field.called or field.path: json.dumps(found) for field, _, found in wrong}
    if about.others:
        odd["segments"] = str(len(about.others) + 1)
    named = tuple(name.named(values) for name, values in said if values is not None)
    return Compared(count, tuple(map(wire.document, _documents(wrong, about.others))), odd, named)


def listed(odd: Mapping[str, str]) -> str:
    """Fields in words: "seg.stop 30, seg.grp 2"."""
    return ", ".join(f"{field} {found}" for field, found in odd.items())


def in_words(named: tuple[Named, ...]) -> str | None:
    """What is named, in one line; None: nothing is."""
    if not named:
        return None
    text = named[0].text
    for each in named[1:]:
        text = N_("{one}; {another}", one=text, another=each.text)
    return N_("strip: {what}", what=text)


def _parts(answer: dict[str, Any]) -> About:
    info, state = answer["info"], answer.get("state", {})
    segments = {segment["id"]: segment for segment in state.get("seg", [])}
    missing = {"start": -1, "stop": -1} if segments else {}  # somebody has deleted it; ours has none
    others = tuple(sorted(segments.keys() - {0}, reverse=True))
    return About(state, segments.get(0, missing), others, info, info["leds"])


def _differs(field: Field, about: About) -> tuple[_Value, _Value] | None:
    """The wanted value and the one found, where they differ."""
    wanted = field.wanted(about) if callable(field.wanted) else field.wanted
    found = _at(field.path, about) if field.found is None else field.found(about)
    return None if found is None or found == wanted else (wanted, found)


def _at(path: str, about: About) -> Any:
    outer, _, key = path.rpartition(".")
    place = {"": about.state, "seg": about.segment, "nl": about.state.get("nl", {})}[outer]
    return place.get(key)


def _documents(wrong: list[tuple[Field, _Value, _Value]], others: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """What sets these fields and removes those segments."""
    sent: dict[str, Any] = {}
    segment: dict[str, Any] = {}
    for field, wanted, _ in wrong:
        outer, _, key = field.path.rpartition(".")
        place = {"": sent, "seg": segment}.get(outer)
        (sent.setdefault(outer, {}) if place is None else place)[key] = wanted
    if sent:
        yield sent
    if segment:
        yield {"seg": {"id": 0, **segment}}
    for first in range(0, len(others), AT_ONCE):
        yield {"seg": [{"id": number, "stop": 0} for number in others[first : first + AT_ONCE]]}
