"""The kit's helper processes at the usual priority: at the lowest one they stand still on a busy machine."""

import sys
from importlib import import_module


def at_usual_priority(module: str) -> tuple[str, ...]:
    """The command of the helper in this module of the product."""
    return (sys.executable, "-m", __name__, module)


if __name__ == "__main__":
    helper = import_module(sys.argv[1])
    vars(helper)["LOWEST"] = 0
    helper.main(*sys.argv[2:])
