"""The page's port."""

import errno
import socket
from pathlib import Path

from hardware.config import PanelConfig
from hardware.doctor.findings import Finding, finding, fine
from hardware.doctor.holders import listener
from hardware.words import N_


def panel(described: PanelConfig, root: Path) -> Finding:
    """Whether the page can be served at the described address."""
    place = f"{described.host}:{described.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            described.host, described.port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the page's own server does
            trial.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            by = listener(root, described.port)
            return finding("panel-taken", "page", place, holder=N_(" by {holder}", holder=by) if by else "")
        return finding("panel-refused", "page", place, reason=error.strerror or str(error))
    return fine("page", place)
