"""A controller's whole answer: what the kit sets again, what it names, and when it asks."""

import json
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from hardware.parts.strip import OFF, wire
from hardware.parts.strip.answer import OURS, Wanted, compare
from hardware.parts.strip.talk import ANSWER_S, ASK_S, REFRESH_S, Dead
from tests.hardware.strip_host import LEDS, Host, picture
from tests.hardware.virtual_line import calm
from tests.simulators.controller import Board
from tests.simulators.own_controller import OwnController
from tests.simulators.wled import START_S, Wled

WLED, PICO = Wanted(ours=False, leds=LEDS), Wanted(ours=True, leds=LEDS)
Does: TypeAlias = Callable[[Wled], None]


def otherwise(**fields: Any) -> Does:
    """Somebody sets this of a WLED."""

    def do(wled: Wled) -> None:
        for name, value in fields.items():
            setattr(wled, name, deepcopy(value))  # which the WLED changes, and the next test wants as it was

    return do


def segment(**fields: Any) -> Does:
    """Somebody sets this of the segment that the kit paints."""
    return otherwise(segments=[fields])


def answer(does: Does) -> bytes:
    """The answer of a WLED with which somebody has done this since the kit has lit it."""
    wled = Wled(LEDS)
    wled.tick(START_S)
    wled.brightness = 255
    does(wled)
    return wled.hear(1.0, wire.ABOUT) + wled.tick(2.0)


def result(wanted: Wanted, line: bytes) -> tuple[str, list[str]]:
    """What is sent and what is named."""
    compared = compare(wanted, line)
    assert compared is not None
    return b" ".join(each.strip() for each in compared.lines).decode(), [each.text for each in compared.named]


# what somebody does to a WLED, and what the kit sends then
SETS = {
    "nothing": (otherwise(), ""),
    "on": (otherwise(on=False), '{"on":true}'),
    "brightness": (otherwise(brightness=9), '{"bri":255}'),
    "nightlight": (lambda wled: wled.fade_out(0.9), '{"nl":{"on":false}}'),
    "live by a command, and nothing sends": (otherwise(locked=True), '{"live":false}'),
    "playlist": (otherwise(playlist=3), '{"seg":{"id":0,"fx":0}}'),
    "segment's on": (segment(on=False), '{"seg":{"id":0,"on":true}}'),
    "segment's brightness": (segment(bri=40), '{"seg":{"id":0,"bri":255}}'),
    "segment's start": (segment(start=10), '{"seg":{"id":0,"start":0}}'),
    "segment's stop": (segment(stop=30), '{"seg":{"id":0,"stop":60}}'),
    "segment's grouping": (segment(grp=2, spc=1), '{"seg":{"id":0,"grp":1,"spc":0}}'),
    "segment's offset": (segment(of=7), '{"seg":{"id":0,"of":0}}'),
    "segment's direction": (segment(rev=True), '{"seg":{"id":0,"rev":false}}'),
    "segment's mirror": (segment(mi=True), '{"seg":{"id":0,"mi":false}}'),
    "a segment an output": (
        otherwise(segments=[{"stop": 30}, {"start": 30}]),
        '{"seg":{"id":0,"stop":60}} {"seg":[{"id":1,"stop":0}]}',
    ),
    "the kit's segment deleted": (
        otherwise(segments=[{"stop": 0}, {}]),
        '{"seg":{"id":0,"start":0,"stop":60}} {"seg":[{"id":1,"stop":0}]}',
    ),
}
NAMES = {
    "live": (otherwise(live="E1.31"), "another program holds it live: E1.31, 192.168.1.20"),
    "count": (otherwise(leds=30), "has 30 lamps, and the kit's description 60"),
    "limit of its current": (otherwise(limit_ma=800), "its limit of 800 mA is too low for 60 lamps"),
    "no version": (otherwise(build=""), "is a WLED of an unknown version"),
}


def fields(**changed: Any) -> bytes:
    """An answer in which these fields are others: of its first segment, its state, its info or info's LEDs."""
    whole = json.loads(answer(otherwise()))
    state, info = whole["state"], whole["info"]
    places = (state["seg"][0], state, info, info["leds"])
    for key, value in changed.items():
        next((place for place in places if key in place), info["leds"])[key] = value
    return json.dumps(whole).encode()


# what the stand-in does not do, or other versions answer
ANSWERS = {
    "live, but overridden": (fields(live=True, lm="DDP", lor=1), "", []),
    "mixed with what lies below": (fields(bm=3), '{"seg":{"id":0,"bm":0}}', []),
    "a whole matrix": (fields(stop=10, matrix={"w": 10, "h": 6}), "", []),
    "half a matrix": (fields(stop=5, matrix={"w": 10, "h": 6}), '{"seg":{"id":0,"stop":10}}', []),
    "a limit that only dims bright pictures, as by default": (fields(maxpwr=850), "", []),
    "more lamps than described": (fields(count=90, stop=90), "", []),
    "too old": (fields(vid=2107100), "", ["is a WLED of build 2107100, too old: 0.13 or newer is needed"]),
    "the newest": (fields(vid=2901010, ver="18.0.0"), "", []),
}
# of our own controller: its settings, what it was sent, and what comes of its answer
PICOS = {
    "as it starts": (60, b"", "", []),
    "on": (60, b'{"on":false}\n', '{"on":true}', []),
    "brightness": (60, b'{"bri":7}\n', '{"bri":255}', []),
    "count": (30, b"", "", ["has 30 lamps, and the kit's description 60"]),
    "more lamps than described": (90, b"", "", []),
}
NO_ANSWERS = [b"", b"Ada", b"[]", b'{"error":3}', b'{"info":[]}', b'{"info":{"leds":{}}}']
NO_ANSWERS += [b'{"info":{"leds":{"count":true}}}']
NO_ANSWERS += [fields(seg=5), fields(seg=[3]), fields(leds=7), fields(vid="x"), fields(nl=[])]


@pytest.mark.parametrize(("does", "lines"), SETS.values(), ids=SETS)
def test_what_a_wleds_picture_needs_is_set_again(does: Does, lines: str) -> None:
    assert result(WLED, answer(does)) == (lines, [])


@pytest.mark.parametrize(("does", "text"), NAMES.values(), ids=NAMES)
def test_what_is_not_the_kits_to_set_is_named(does: Does, text: str) -> None:
    assert result(WLED, answer(does)) == ("", [text])


@pytest.mark.parametrize(("line", "lines", "names"), ANSWERS.values(), ids=ANSWERS)
def test_what_comes_of_another_answer_of_a_wled(line: bytes, lines: str, names: list[str]) -> None:
    assert result(WLED, line) == (lines, names)


@pytest.mark.parametrize(("leds", "sent", "lines", "names"), PICOS.values(), ids=PICOS)
def test_what_comes_of_the_answer_of_a_pico(
    leds: int, sent: bytes, lines: str, names: list[str], tmp_path: Path
) -> None:
    with Board(tmp_path, json.dumps({"leds": leds})) as board:
        (line,) = board.answers(sent + wire.ABOUT)
    assert result(PICO, line) == (lines, names)


def test_another_version_of_a_picos_program_is_named(tmp_path: Path) -> None:
    with Board(tmp_path, None) as board:
        (line,) = board.answers(wire.ABOUT)
    newer = line.replace(b'"ver":"%s"' % OURS.encode(), b'"ver":"2"')
    named = ["its program has version 2, and the kit's has 1"]
    assert (result(PICO, line), result(PICO, newer)) == (("", []), ("", named))


@pytest.mark.parametrize("line", NO_ANSWERS)
def test_a_line_that_is_no_answer_is_passed_over(line: bytes) -> None:
    assert compare(WLED, line) is None


# --- while pictures are shown -----------------------------------------------------------------------------------------

SPOILT_S = 10.0  # somebody does it then
MENDED_S = ASK_S + REFRESH_S + ANSWER_S


def asked(host: Host) -> list[float]:
    """When it asks for everything, from now on."""
    times, write = list[float](), host.line.write

    def noted(data: bytes) -> None:
        if data == wire.ABOUT:
            times.append(host.line.now_s())
        write(data)

    host.line.write = noted  # type: ignore[method-assign]
    return times


@pytest.mark.parametrize("does", [case[0] for case in SETS.values()], ids=SETS)
def test_within_a_minute_the_picture_is_right_again(does: Does) -> None:
    controller = Wled(LEDS)
    host = Host(controller, SPOILT_S + MENDED_S, LEDS)
    host.shown = picture(1)
    host.line.at(SPOILT_S, lambda: does(controller))
    host.run()
    assert (controller.lamps, controller.faults, host.told) == (picture(1), [], [])


@pytest.mark.parametrize("does", [case[0] for case in SETS.values()], ids=SETS)
def test_at_the_start_what_was_set_otherwise_is_set(does: Does) -> None:
    controller = Wled(LEDS)
    does(controller)
    host = Host(controller, 3.0, LEDS)
    host.shown = picture(1)
    host.run()
    assert (controller.lamps, controller.faults) == (picture(1), [])


def test_another_program_is_named_once_and_when_it_has_ended() -> None:
    controller = Wled(LEDS)
    host = Host(controller, 6 * ASK_S, LEDS)
    host.line.at(SPOILT_S, lambda: setattr(controller, "live", "E1.31"))
    host.line.at(SPOILT_S + 3 * ASK_S, lambda: setattr(controller, "live", ""))
    host.run()
    assert host.told == ["strip: another program holds it live: E1.31, 192.168.1.20", None]


def test_what_somebody_sets_again_and_again_is_named() -> None:
    controller = Wled(LEDS)
    host = Host(controller, 7 * ASK_S, LEDS)
    for n in range(5, int(3 * ASK_S)):
        host.line.at(float(n), lambda: segment(on=False)(controller))
    host.run()
    assert host.told == ["strip: something else sets it again and again: seg.on false", None]


def test_what_is_named_is_said_once_however_it_changes_and_comes_back() -> None:
    controller = Wled(LEDS)
    host = Host(controller, 24 * ASK_S, LEDS)
    for n in range(5, int(18 * ASK_S), 80):  # now and then an answer finds nothing
        host.line.at(float(n), partial(segment(bri=n % 250), controller))
        host.line.at(float(n) + 5, partial(segment(bri=(n + 7) % 250), controller))
    host.run()
    assert len(host.told) == 2 and "seg.bri" in (host.told[0] or "") and host.told[1] is None


def test_a_strip_that_has_another_number_of_lamps_now_is_begun_with_again() -> None:
    controller = Wled(LEDS)
    host = Host(controller, 2 * ASK_S, LEDS)
    host.line.at(SPOILT_S, lambda: controller.lengthen(90))
    with pytest.raises(Dead, match="has 90 lamps now"):
        host.forever()


def test_a_limit_that_is_not_told_while_all_is_dark_stays_named() -> None:
    controller = Wled(LEDS)
    controller.limit_ma, controller.tells_dark = 800, False
    host = Host(controller, 12 * ASK_S, LEDS)
    host.shown = picture(1)
    host.at(3 * ASK_S, (OFF,) * LEDS)
    host.at(8 * ASK_S, picture(2))
    host.run()
    assert ([each.kind for each in host.talk.named], host.told) == (["limited"], [])


@pytest.mark.parametrize("many", [16, 31])
def test_at_the_start_all_further_segments_are_removed(many: int) -> None:
    controller = Wled(144)
    controller.segments += [{"start": 4 * n, "stop": 4 * n + 4} for n in range(many)]
    host = Host(controller, 5.0)
    host.shown = picture(1, 144)
    host.run()
    assert (controller.lamps, controller.faults) == (picture(1, 144), [])


def test_several_are_named_in_one_line() -> None:
    controller = Wled(30)
    controller.live = "DDP"
    host = Host(controller, 3.0, LEDS)
    host.run()
    assert [each.kind for each in host.talk.named] == ["held", "short"]


def test_everything_is_asked_at_the_start_and_then_once_a_minute() -> None:
    host = Host(Wled(LEDS), 5 * ASK_S)
    times = asked(host)
    host.run()
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert (len(times), times[0] < START_S + 1, {ASK_S <= gap < ASK_S + REFRESH_S for gap in gaps}) == (5, True, {True})


def test_a_controller_that_has_started_anew_is_asked_again() -> None:
    controller = Wled(LEDS)
    host = Host(controller, 20.0)
    times = asked(host)
    host.line.at(10.0, lambda: controller.start(10.0))
    host.run()
    assert [round(at_s) for at_s in times] == [1, 12]


def test_nothing_is_asked_while_a_picture_must_not_be_late() -> None:
    host = Host(Wled(LEDS), 4 * ASK_S)
    times = asked(host)
    host.line.at(2.0, lambda: setattr(host, "calm", False))
    host.line.at(3 * ASK_S, lambda: setattr(host, "calm", True))
    host.run()
    assert (len(times), 3 * ASK_S <= times[1] < 3 * ASK_S + REFRESH_S) == (2, True)


def lost(now_s: float, data: bytes) -> bytes:
    """A line on which answers to the question get lost."""
    return b"" if b'"info"' in data else data


@pytest.mark.parametrize(
    ("kind", "storm", "most_s"),
    [(Wled, calm, 0.25), (OwnController, calm, 0.02), (Wled, lost, ANSWER_S + 0.05)],
    ids=["WLED", "Pico", "WLED, whose answer gets lost"],
)
def test_a_picture_that_comes_just_after_the_question_waits_for_the_answer(
    kind: Any, storm: Any, most_s: float
) -> None:
    controller = kind(LEDS)
    host = Host(controller, ASK_S + 5.0)
    times, late_s = asked(host), list[float]()

    def look(since_s: float) -> None:
        if controller.lamps == host.shown:
            late_s.append(host.line.now_s() - since_s)
        else:
            again(lambda: look(since_s))

    def show() -> None:
        if len(times) == 1:  # it has not asked again yet
            again(show)
        else:
            host.shown = picture(2)
            look(host.line.now_s())

    def again(event: Callable[[], None]) -> None:
        host.line.at(host.line.now_s() + 0.004, event)

    host.line.at(2.0, lambda: setattr(host.line, "storm", storm))
    host.line.at(ASK_S - 1.0, show)
    host.run()
    assert ([wait_s < most_s for wait_s in late_s], getattr(controller, "faults", [])) == ([True], [])
