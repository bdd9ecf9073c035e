"""The answers of a program's page, byte by byte."""

import socket

from tests.simulators.waiting import PATIENCE_S


def line_to(port: int) -> socket.socket:
    """A connection."""
    line = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
    line.settimeout(PATIENCE_S)
    return line


def answer(port: int, words: bytes) -> bytes:
    """All that is answered until the connection ends; empty where it is cut off."""
    received = b""
    with line_to(port) as line:
        try:
            line.sendall(words)
            line.shutdown(socket.SHUT_WR)
            while more := line.recv(65536):
                received += more
        except TimeoutError:
            raise
        except OSError:
            return received
    return received


def status(answered: bytes) -> int:
    """The status of an answer; 0 where the connection was cut off without one."""
    return int(answered.split()[1]) if answered else 0


def get(path: str, host: str = "localhost", more: str = "", verb: str = "GET") -> bytes:
    """A request."""
    return f"{verb} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n".encode()
