"""Serial ports that are plugged in: a pty under a name that stays, and whoever answers at its far end."""

import os
import pty
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from threading import Event, Thread


@contextmanager
def plugged(port: Path) -> Iterator[int]:
    """A port of this name while it lasts: its far end."""
    far, near = pty.openpty()  # the near end stays open: without any there is nothing to read
    tty.setraw(near)
    port.symlink_to(os.ttyname(near))
    try:
        yield far
    finally:
        port.unlink(missing_ok=True)
        os.close(near)
        os.close(far)


def serve(far: int, answer: Callable[[bytes], bytes], over: Callable[[], bool], tick_s: float = 0.01) -> None:
    """Answer what comes, nothing for so long included, until it is over."""
    while not over():
        ready, _, _ = select([far], [], [], tick_s)
        os.write(far, answer(os.read(far, 4096) if ready else b""))


@contextmanager
def device(port: Path, answer: Callable[[bytes], bytes], tick_s: float = 0.01) -> Iterator[None]:
    """Something at a port of this name that answers on a thread of its own."""
    over = Event()
    with plugged(port) as far:
        thread = Thread(target=serve, args=(far, answer, over.is_set, tick_s))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
