"""A WebKit for tests to look at pages with: WebKitGTK, on a screen that nobody sees, by the WebDriver protocol."""

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from typing import Any

import pytest

from tests.simulators.waiting import PATIENCE_S, until

DRIVER, SCREEN = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
needs_webkit = pytest.mark.skipif(
    DRIVER is None or SCREEN is None, reason="WebKitGTK is missing: sudo apt install webkit2gtk-driver xvfb"
)
FRAMED = """
const [path, width, done] = arguments;
const frame = document.createElement("iframe");
frame.style = `border: 0; width: ${width}px; height: 600px`;
frame.onload = () => done();
frame.src = path;
document.body.replaceChildren(frame);
"""


class WebKit:
    """A browser with one window."""

    def __init__(self, port: int) -> None:
        self._port = port
        until(self._ready, lambda: "WebKitWebDriver answers")
        started = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {}}})
        self._session = f"/session/{started['sessionId']}"

    def open(self, url: str) -> None:
        """Open an address and wait until it is there."""
        self._ask("POST", f"{self._session}/url", {"url": url})

    def frame(self, path: str, width_px: int) -> None:
        """Show in its place another of its pages, in a frame: no window is as narrow as a phone."""
        self._ask("POST", f"{self._session}/frame", {"id": None})
        self._ask("POST", f"{self._session}/execute/async", {"script": FRAMED, "args": [path, width_px]})
        self._ask("POST", f"{self._session}/frame", {"id": 0})

    def found(self, script: str) -> Any:
        """What an expression in JavaScript is on the page, or in the frame."""
        return self._ask("POST", f"{self._session}/execute/sync", {"script": f"return {script}", "args": []})

    def close(self) -> None:
        self._ask("DELETE", self._session)

    def _ready(self) -> bool:
        with suppress(OSError):
            return bool(self._ask("GET", "/status")["ready"])
        return False

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)) as line:
            line.request(method, path, None if body is None else json.dumps(body))
            answer = line.getresponse()
            told = json.loads(answer.read())["value"]
        assert answer.status == 200, told
        return told


@contextmanager
def webkit() -> Iterator[WebKit]:
    """A browser while it lasts."""
    assert DRIVER is not None and SCREEN is not None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    screen = [SCREEN, "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(screen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as shown:
        assert shown.stdout is not None
        environ = {"DISPLAY": f":{shown.stdout.readline().strip()}", "PATH": "/usr/bin:/bin", "GDK_BACKEND": "x11"}
        with subprocess.Popen([DRIVER, f"--port={port}"], env=environ) as driver:
            try:
                with closing(WebKit(port)) as browser:
                    yield browser
            finally:
                driver.terminate()
                shown.terminate()
