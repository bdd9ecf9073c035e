"""The workshop in a process of its own, at the lowest priority: a sheet from anywhere must not hold up the kit's loop.

It is started by the first request, and ends when the page is quiet. What takes too long, or too much memory, ends it.
"""

import os
import resource
import select
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

# -P: nothing from the current folder
PROGRAM: tuple[str, ...] = (sys.executable, "-P", "-m", "firmware.shelf.helper")
LOWEST = 19  # priority
LONGEST_S = 5.0  # one answer, below a connection's life
QUIET_S = 120.0  # then it ends
MOST_BYTES = 256 * 1024 * 1024  # of addresses


class Helper:
    """Asks the workshop of a state folder; any thread, one at a time. Blocks."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None  # while there is one
        self._closed = False

    def __call__(self, request: bytes) -> bytes:
        """The answer; empty for a request that the page never sends.

        Raises `TimeoutError` where it took too long, `OSError` where there is no process.
        """
        line = request.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"
        with self._lock:
            for _again in range(2):
                if self._closed:
                    return b""
                process = self._running()
                late = threading.Event()
                timer = threading.Timer(LONGEST_S, lambda process=process, late=late: (late.set(), process.kill()))
                timer.start()
                try:
                    assert process.stdin is not None and process.stdout is not None
                    process.stdin.write(line)
                    process.stdin.flush()
                    answer = process.stdout.readline()
                except OSError:
                    answer = b""
                finally:
                    timer.cancel()
                if answer.endswith(b"\n"):
                    return answer[:-1]
                self._end()
                if late.is_set():
                    raise TimeoutError(f"no answer in {LONGEST_S:g} s")
        raise OSError("the workshop has ended")

    def close(self) -> None:
        """End the process, also in the middle of an answer; from then on each is empty."""
        self._closed = True
        if (process := self.process) is not None:
            process.kill()
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self._end()
            arguments = (*PROGRAM, str(self._state))
            self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            threading.Thread(target=self._wait_for, args=(self.process,), name="helper", daemon=True).start()
        return self.process

    def _wait_for(self, process: subprocess.Popen[bytes]) -> None:
        """Once the process has ended, of itself or not, nothing is left of it: no entry of the system, no pipes."""
        process.wait()
        with self._lock:
            if self.process is process:
                self._end()

    def _end(self) -> None:
        if (process := self.process) is None:
            return
        process.kill()
        with suppress(OSError), process:  # closes its pipes, and waits for it
            pass
        self.process = None


def main(state: str) -> None:
    """Answer here, line by line."""
    with suppress(OSError):  # where that is not allowed
        os.nice(LOWEST)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    from firmware.shelf.workshop import Workshop, answered

    workshop = Workshop(Path(state))
    with suppress(KeyboardInterrupt, BrokenPipeError):
        while select.select([sys.stdin.buffer], [], [], QUIET_S)[0]:
            line = sys.stdin.buffer.readline()
            if not line:
                return
            sys.stdout.buffer.write(answered(workshop, line) + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
