"""No test depends on how busy the machine is: none compares seconds, and what only ends a hang is `PATIENCE_S`."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).parent
LAB = ("kernel", "appliance", "test_appliance.py", "test_arm64.py", "test_config_txt.py", "test_kernel_lab.py")
CLOCKS = {"monotonic", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "time", "time_ns"}
MAY_READ_A_CLOCK = {
    "simulators/waiting.py": "the patience of all tests",
    "simulators/plugged_wled.py": "a device that lives in real time",
    "simulators/serial_faults.py": "a device that lives in real time",
    "firmware/test_strip_in_trouble.py": "a device that lives in real time",
    "simulators/clumsy/many.py": "figures for people",
    "simulators/random_evenings.py": "figures for people",
    "simulators/random_play.py": "figures for people",
    "simulators/knob_latency.py": "figures for people",
    "simulators/measured_version.py": "figures for people",
    "firmware/test_service.py": "at least so long",
    "hardware/test_lost_lines.py": "at least so long",
    "hardware/test_strip.py": "a line of so many bytes a second, for as long as it took",
    "test_card.py": "a seed",
    "test_pulled_plug.py": "the moment at which the plug is pulled",
}


def having(trait: Callable[[ast.AST], bool]) -> set[str]:
    """The files of the tests in which something is so; without those of the lab."""
    found = set()
    for path in TESTS.rglob("*.py"):
        name, text = path.relative_to(TESTS).as_posix(), path.read_text()
        if name.split("/")[0] in LAB or "strip_board" in name or not re.search(r"\btime\b|\btimeout=", text):
            continue
        if any(map(trait, ast.walk(ast.parse(text)))):
            found.add(name)
    return found


def reads_a_clock(node: ast.AST) -> bool:
    """Whether it takes the time in seconds, not a stamp of the kit's clock nor the time of a processor's thread."""
    match node:
        case ast.Attribute(value=ast.Name(id="time"), attr=attr):
            return attr in CLOCKS
        case ast.ImportFrom(module="time", names=names):
            return any(one.name in CLOCKS for one in names)
    return False


def own_limit(node: ast.AST) -> bool:
    """Whether it is an argument `timeout` of so many seconds."""
    match node:
        case ast.keyword(arg="timeout", value=ast.Constant(value=float() | int() as seconds)):
            return seconds >= 0.5
    return False


def test_nobody_reads_a_clock_who_need_not() -> None:
    assert having(reads_a_clock) == MAY_READ_A_CLOCK.keys()


def test_no_limit_that_ends_a_hang_is_shorter_than_the_patience_of_all_tests() -> None:
    assert having(own_limit) == {"simulators/knob_latency.py"}  # of a bench
