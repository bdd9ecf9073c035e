"""The conversation with a controller, in virtual time: what is said when, and what comes of everything going wrong."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from hardware.parts.strip import OFF, Colour, wire
from hardware.parts.strip.talk import DEAF_S, DOUBT_S, REFRESH_S, Dead, OtherDevice, SerialLine, Silent, Talk
from tests.hardware.strip_host import COLOURS, LEDS, Host, picture
from tests.hardware.virtual_line import Controller, Over, calm
from tests.simulators.own_controller import OwnController
from tests.simulators.serial_faults import Storm
from tests.simulators.wled import Wled

HOUR_S = 3600.0
SEED = 0
BACK_S = 2.0  # within which the right picture must be back

Kind = Callable[[int], Wled | OwnController]
KINDS: list[Kind] = [Wled, OwnController]


@pytest.fixture(params=KINDS, ids=["wled", "ours"])
def kind(request: pytest.FixtureRequest) -> Kind:
    """Either kind of controller."""
    made: Kind = request.param
    return made


@pytest.mark.parametrize("leds", [LEDS, 144])
def test_the_picture_stands_within_two_seconds_of_the_opening(kind: Kind, leds: int) -> None:
    controller = kind(leds)
    host = Host(controller, BACK_S)
    host.shown = picture(1, leds)
    host.run()
    assert (host.talk.leds, controller.lamps) == (leds, picture(1, leds))


def test_more_lamps_than_the_kit_can_use_stay_dark(kind: Kind) -> None:
    controller = kind(310)
    host = Host(controller, 3.0)
    host.shown = (COLOURS[1],) * 400
    host.run()
    unlit = OFF if kind is Wled else Colour(40, 24, 8)  # ours shows that it has power
    assert (host.talk.leds, controller.lamps[300:]) == (300, (unlit,) * 10)


class Parrot:
    """Something else: it says the same to whatever comes, and something by itself."""

    def __init__(self, says: bytes, by_itself: bytes = b"") -> None:
        self._says, self._by_itself = says, by_itself

    def hear(self, now_s: float, data: bytes) -> bytes:
        return self._says

    def tick(self, now_s: float) -> bytes:
        return self._by_itself


@pytest.mark.parametrize(
    ("other", "error", "why"),
    [
        (partial(Parrot, b"echo:Unknown: v\r\n"), OtherDevice, "is no strip controller: it says 'echo:Unknown: v'"),
        (partial(Parrot, b""), Silent, "does not answer"),
        (partial(Parrot, b"", b"x"), Dead, "never falls silent"),
        (partial(Wled, 7), Dead, "has 7 lamps: at least 8 are needed"),
        (partial(OwnController, 7), Dead, "has 7 lamps: at least 8 are needed"),
    ],
    ids=["another device", "silent", "never silent", "short WLED", "short Pico"],
)
def test_an_unusable_controller_is_given_up_with_a_reason(
    other: Callable[[], Controller], error: type[Dead], why: str
) -> None:
    with pytest.raises(Dead) as caught:
        Host(other(), 9.0).forever()
    assert (type(caught.value), str(caught.value)) == (error, why)


def test_a_change_sends_only_what_differs(kind: Kind) -> None:
    before, after = (COLOURS[1],) * LEDS, (COLOURS[1],) * 30 + (COLOURS[2],) * 30
    host = Host(kind(LEDS), 3.0)
    host.shown = before
    sent: list[bytes] = []

    def show() -> None:
        host.shown, host.line.sent = after, b""

    host.line.at(2.5, show)
    host.line.at(2.51, lambda: sent.append(host.line.sent))
    host.run()
    assert sent == [b"".join(wire.change(before, after))]


def test_the_newest_of_many_pictures_stays(kind: Kind) -> None:
    controller = kind(LEDS)
    host = Host(controller, 2.2)
    for n in range(100):
        host.at(2.0 + n * 0.001, picture(n))
    host.run()
    assert controller.lamps == picture(99)


def test_a_picture_that_stands_is_sent_again_with_a_ping_in_less_than_two_seconds(kind: Kind) -> None:
    host = Host(kind(LEDS), 2.0 + 20 * REFRESH_S)
    host.shown = picture(1)
    host.line.at(2.0, lambda: setattr(host.line, "sent", b""))
    host.run()
    assert host.line.sent == b"".join(b"".join(wire.full(picture(1), n)) + wire.VERSION for n in range(2, 22))
    assert REFRESH_S < BACK_S


@pytest.mark.parametrize("leds", [8, 60, 300])
def test_wled_accepts_all_that_is_sent(leds: int) -> None:
    controller = Wled(leds)
    host = Host(controller, 300.0)
    dice = Random(leds)
    for n in range(600):
        host.at(dice.uniform(2, 299), picture(n, leds))
    host.run()
    assert controller.faults == []


def test_a_wled_that_is_switched_off_by_others_is_lit_again() -> None:
    controller = Wled(LEDS)
    host = Host(controller, 6.0)
    host.shown = picture(1)
    host.line.at(3.0, lambda: setattr(controller, "on", False))
    host.run()
    assert controller.lamps == picture(1)


def test_a_wled_that_was_too_busy_gets_the_picture_again() -> None:
    controller = Wled(LEDS)
    host = Host(controller, 4.0)
    host.shown = picture(1)
    host.line.at(2.0, lambda: setattr(controller, "busy", True))
    host.at(2.1, picture(2))
    host.line.at(2.6, lambda: setattr(controller, "busy", False))
    host.run()
    assert controller.lamps == picture(2)


def test_our_controllers_checksum_reveals_a_wrong_picture_at_once() -> None:
    controller = OwnController(LEDS)
    host = Host(controller, 6.0)
    host.shown = (COLOURS[1],) * LEDS
    seen: list[bool] = []

    def look() -> None:
        seen.append(controller.lamps == host.shown)

    def storm(now_s: float, data: bytes) -> bytes:
        if now_s < 2 or seen or b"005AC8" not in data:
            return data
        host.line.at(now_s + 0.05, look)
        host.line.at(now_s + 0.05 + DOUBT_S, look)
        host.line.storm = calm
        return data.replace(b"005AC8", b"005AC7")

    host.line.storm = storm
    host.run()
    assert seen == [False, True]


def test_a_controller_that_stops_answering_is_lost_after_six_seconds(kind: Kind) -> None:
    host = Host(kind(LEDS), 60.0)

    def hang() -> None:
        host.line.storm = lambda now_s, data: b""

    host.line.at(5.0, hang)
    with pytest.raises(Dead, match=r"^does not answer any more$"):
        host.forever()
    assert 5 + DEAF_S - REFRESH_S < host.line.now_s() < 5 + DEAF_S + REFRESH_S


@pytest.mark.parametrize("lasts_s", [HOUR_S / 4, pytest.param(HOUR_S, marks=pytest.mark.nightly)])
def test_storms_leave_the_right_picture_two_seconds_after_each(kind: Kind, lasts_s: float) -> None:
    controller, dice = kind(LEDS), Random(SEED)
    host = Host(controller, lasts_s)
    storm = Storm(SEED, controller.start)
    host.line.storm = storm
    wrong: list[float] = []
    now_s = 5.0
    while now_s < lasts_s - 60:
        storm_s, calm_s = dice.uniform(0.1, 8.0), dice.uniform(6.0, 20.0)

        def begin(until_s: float = now_s + storm_s) -> None:
            storm.until_s, storm.bursts = until_s, storm.bursts + 1

        host.line.at(now_s, begin)
        for _ in range(dice.randrange(6)):
            host.at(dice.uniform(now_s, now_s + storm_s), picture(dice.randrange(10**6)))
        checked_s = now_s + storm_s + BACK_S

        def look(at_s: float = checked_s) -> None:
            if controller.lamps != host.shown:
                wrong.append(at_s)

        host.line.at(checked_s, look)
        now_s += storm_s + calm_s
    run_through(host)
    assert (wrong, storm.bursts > lasts_s / 24) == ([], True)


def run_through(host: Host) -> None:
    """Talk for all the time there is, and open the line anew whenever it was lost, as the driver does."""
    retry_s = 0.25
    while True:
        try:
            host.forever()
        except Over:
            return
        except OSError:
            again_s = host.line.now_s() + retry_s
            retry_s = min(2 * retry_s, 0.75)
            try:
                while host.line.now_s() < again_s:
                    pause(host.line, again_s)
            except Over:
                return
            if host.talk.leds:
                retry_s = 0.25
            host.talk = Talk(host.line, lambda leds: wire.fitted(host.shown, leds))


def pause(line: SerialLine, until_s: float) -> None:
    """Let time pass with the line closed."""
    try:
        line.read(until_s)
    except OSError:
        return
