"""The network between a browser and a server, on which nothing goes on where a test says so."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    """Passes on what comes, both ways, while `up` (to the server) and `down` are set. A browser asks at `port`."""

    def __init__(self, server: int) -> None:
        self.up, self.down = threading.Event(), threading.Event()
        self.made, self.held, self.passed = 0, 0, 0  # connections; pieces that wait, and that were passed on
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._lines: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self.through()
        self._threads[0].start()

    def through(self) -> None:
        """All that was held is passed on."""
        self.up.set()
        self.down.set()

    def cut(self) -> None:
        """From now on nothing comes through, and nobody is told: as where a plug was pulled."""
        self.up.clear()
        self.down.clear()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                browser, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server))
                self.made += 1
                self._lines += browser, server
                for way in ((browser, server, self.up), (server, browser, self.down)):
                    self._threads.append(threading.Thread(target=self._pass_on, args=way))
                    self._threads[-1].start()

    def _pass_on(self, one: socket.socket, other: socket.socket, flows: threading.Event) -> None:
        here, there = (f"127.0.0.1:{port}".encode() for port in (self.port, self._server))
        with suppress(OSError):  # the other side is gone, or all is closed
            while True:
                data = one.recv(65536)
                self.held += 1
                flows.wait()
                self.held -= 1
                self.passed += 1
                if not data:
                    other.shutdown(socket.SHUT_WR)
                    return
                other.sendall(data.replace(here, there) if flows is self.up else data)  # in `Host` and `Origin`

    def close(self) -> None:
        """End all."""
        self.through()
        for line in (self._listener, *self._lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for line in (self._listener, *self._lines):
            line.close()


@contextmanager
def wire(server: int) -> Iterator[Wire]:
    """A network in front of a server."""
    made = Wire(server)
    try:
        yield made
    finally:
        made.close()
