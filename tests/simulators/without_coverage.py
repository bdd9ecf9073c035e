"""The environment of programs that are not to be traced for coverage: that takes long, and changes times."""

import os


def untraced_environ() -> dict[str, str]:
    """This process's environment without what makes coverage trace its children."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
