"""Errors that nobody has thought of: a line that says where, and threads that end by one, which is said, too."""

import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.words import N_

MAX_ERROR = 200  # characters of a library's error


def in_a_line(error: BaseException) -> str:
    """An unexpected error for the log: type, message and place in the program."""
    message = " ".join(str(error).split())[:MAX_ERROR] or "?"
    places = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else ""
    return f"{type(error).__name__}: {message}{where}"


@contextmanager
def reporting_threads(report: Callable[[str, str | None], None]) -> Iterator[None]:
    """While this lasts, a thread that ends by an error is reported like a part that is lost; on that thread."""

    def tell(ended: threading.ExceptHookArgs) -> None:
        if ended.exc_value is not None:
            name = "?" if ended.thread is None else ended.thread.name
            text = N_("{name} has ended: {error}", name=name, error=in_a_line(ended.exc_value))
            report(f"thread {name}", text)

    before, threading.excepthook = threading.excepthook, tell
    try:
        yield
    finally:
        threading.excepthook = before
