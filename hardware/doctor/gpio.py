"""Reads the lines of the header: the chips, and the level of each line with a pull-up and with a pull-down."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from time import sleep

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

from hardware.doctor.holders import LINE, holders
from hardware.doctor.lines import WATCH_MS, Look
from hardware.parts.gpio.chips import chip_labels

CONSUMER = "luckypaw check"
SETTLE_S = 0.02  # for a line to take its level
SAMPLES = 5  # of its level while a line is watched

UP = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.PULL_UP, edge_detection=Edge.BOTH)
DOWN = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.PULL_DOWN)
LOW = gpiod.LineSettings(direction=Direction.OUTPUT, output_value=Value.INACTIVE)
HIGH = gpiod.LineSettings(direction=Direction.OUTPUT, output_value=Value.ACTIVE)
LEFT = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.DISABLED)
NOTHING = timedelta(0)


def labels(folder: Path) -> dict[Path, str]:
    """The label of each GPIO chip; or the reason why it cannot be opened."""
    return chip_labels(folder)


def used(chip: Path, pins: Iterable[int]) -> list[int]:
    """The lines among these that a program uses; none is touched."""
    with gpiod.Chip(str(chip)) as opened:
        return [pin for pin in pins if opened.get_line_info(pin).used]


def look(chip: Path, inputs: Iterable[int], outputs: Iterable[int]) -> dict[int, Look]:
    """The states of these lines. An output is driven, for 20 ms, only where nothing else shows its state."""
    looks: dict[int, Look] = {}
    with gpiod.Chip(str(chip)) as opened, ExitStack() as stack:
        inputs, outputs = tuple(inputs), tuple(outputs)
        requests: dict[int, gpiod.LineRequest] = {}
        for pin in (*inputs, *outputs):
            try:
                requests[pin] = stack.enter_context(
                    opened.request_lines({pin: UP}, consumer=CONSUMER, event_buffer_size=1024)
                )
            except OSError as error:
                looks[pin] = _refused(opened, pin, error)
        lines = [_Requested(pin, request) for pin, request in requests.items()]
        try:
            sleep(SETTLE_S)
            for line in lines:
                line.edges()
            for _ in range(SAMPLES):
                sleep(WATCH_MS / 1000 / SAMPLES)
                for line in lines:
                    line.ups.append(line.high())
            for line in lines:
                looks[line.pin] = Look(up=any(line.ups), edges=line.edges())
            _look_down([line for line in lines if line.pin in outputs], looks)
        finally:
            for line in lines:
                line.set(LEFT)  # some kernels leave an output on
    return looks


@contextmanager
def after_reset(chip: Path, pin: int) -> Iterator[None]:
    """Give a module a reset pulse, and hold the line high meanwhile. A busy line is left as it is."""
    with gpiod.Chip(str(chip)) as opened, ExitStack() as stack:
        try:
            request = stack.enter_context(opened.request_lines({pin: LOW}, consumer=CONSUMER))
        except OSError:  # the line has its own finding
            yield
            return
        line = _Requested(pin, request)
        sleep(SETTLE_S)
        line.set(HIGH)
        sleep(SETTLE_S)
        try:
            yield
        finally:
            line.set(LEFT)


def _look_down(lines: "list[_Requested]", looks: dict[int, Look]) -> None:
    """Read these lines with a pull-down; drive those high for a moment that read low either way."""
    for line in lines:
        line.set(DOWN)
    sleep(SETTLE_S)
    for line in lines:
        looks[line.pin] = looks[line.pin]._replace(down=line.high())
    low = [line for line in lines if not looks[line.pin].up and not looks[line.pin].down]
    for line in low:
        line.set(HIGH)
    sleep(SETTLE_S if low else 0)
    for line in low:
        looks[line.pin] = looks[line.pin]._replace(driven=line.high())


class _Requested:
    """A line that has been requested."""

    def __init__(self, pin: int, request: gpiod.LineRequest) -> None:
        self.pin = pin
        self.ups: list[bool] = []  # its level with the pull-up, each time it was read
        self._request = request

    def high(self) -> bool:
        return self._request.get_value(self.pin) is Value.ACTIVE

    def set(self, settings: gpiod.LineSettings) -> None:
        self._request.reconfigure_lines({self.pin: settings})

    def edges(self) -> int:
        """The number of edges since the last call."""
        count = 0
        while self._request.wait_edge_events(NOTHING):
            count += len(self._request.read_edge_events(1024))
        return count


def _refused(chip: gpiod.Chip, pin: int, error: OSError) -> Look:
    if error.errno != errno.EBUSY:
        return Look(trouble=error.strerror or str(error))
    by = ", ".join(holders(Path("/"), LINE)[:1])
    return Look(holder=f"{chip.get_line_info(pin).consumer!r}{f' of {by}' if by else ''}")
