"""Common to all parts: the report of a part that is lost or back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from hardware.words import N_

# Called with a part's name and what is wrong with it in one line, or None once it works again. On any thread.
Report: TypeAlias = Callable[[str, str | None], None]


class PartLost(Exception):
    """A part is missing, unplugged or broken. The text names the part and its pin, address or port."""

    def __init__(self, part: str, text: str) -> None:
        super().__init__(text)
        self.part, self.text = part, text


@contextmanager
def needing(part: str) -> Iterator[None]:
    """For imports of a real part's driver: raises `PartLost` where its library is not installed."""
    try:
        yield
    except ImportError as error:
        text = N_("{part} lost: {error}: pip install luckypaw[pi]", part=part, error=error)
        raise PartLost(part, text) from error
