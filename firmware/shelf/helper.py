"""The workshop in a process of its own, at the lowest priority: a sheet from anywhere must not hold up the kit's loop.

It is started by the first request, and ends when the page is quiet. What takes too much processor time, or too much
memory, ends it. A machine that is busy with something else only makes it late: the same request, asked again, waits on.
"""

import errno
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic

# -P: nothing from the current folder
PROGRAM: tuple[str, ...] = (sys.executable, "-P", "-m", "firmware.shelf.helper")
LOWEST = 19  # priority
LONGEST_S = 5.0  # processor time of one answer
WAIT_S = 4.0  # by the clock, below a connection's life; then it is asked again
QUIET_S = 120.0  # then it ends
MOST_BYTES = 256 * 1024 * 1024  # of addresses


class Helper:
    """Asks the workshop of a state folder; any thread, one at a time. Blocks."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None  # while there is one
        self._asked = b""  # what it is still answering
        self._closed = False

    def __call__(self, request: bytes) -> bytes:
        """The answer; empty for a request that the page never sends.

        Raises `BlockingIOError` where it is not there yet, `TimeoutError` where it took too long, `OSError` where there
        is no process.
        """
        line = request.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"
        with self._lock:
            end_s = monotonic() + WAIT_S
            for _again in range(2):
                if self._closed:
                    return b""
                process = self._running()
                try:
                    if self._asked and self._asked != line:
                        self._answer(process, end_s)  # to somebody who has gone
                    if not self._asked:
                        assert process.stdin is not None
                        process.stdin.write(line)
                        process.stdin.flush()
                        self._asked = line
                    answer = self._answer(process, end_s)
                except BlockingIOError:
                    raise
                except OSError:
                    answer = b""
                if answer.endswith(b"\n"):
                    return answer[:-1]
                self._end()
                if process.returncode == -signal.SIGPROF:
                    raise TimeoutError(f"no answer in {LONGEST_S:g} s")
        raise OSError("the workshop has ended")

    def _answer(self, process: "subprocess.Popen[bytes]", end_s: float) -> bytes:
        """What the process says next; empty where it has ended. Raises `BlockingIOError`."""
        assert process.stdout is not None
        if not select.select([process.stdout], [], [], max(0.0, end_s - monotonic()))[0]:
            raise BlockingIOError(errno.EAGAIN, "the machine is busy")
        answer = process.stdout.readline()
        self._asked = b""
        return answer

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
            arguments = (*PROGRAM, str(self._state), str(LONGEST_S))
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
        self.process, self._asked = None, b""


def main(state: str, longest_s: str) -> None:
    """Answer here, line by line. The system ends what takes more processor time than that."""
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
            signal.setitimer(signal.ITIMER_PROF, float(longest_s))
            answer = answered(workshop, line)
            signal.setitimer(signal.ITIMER_PROF, 0)
            sys.stdout.buffer.write(answer + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
