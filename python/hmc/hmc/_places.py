# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Address of a local peer's control channel."""

from __future__ import annotations

import hashlib
import os
import socket

from ._numbers import CtrlTransport

#: Longest question whether a process listens.
_ASKED_S = 0.5


def is_wanted(transport: CtrlTransport) -> bool:
    """True if the environment selects Unix sockets; any other name means TCP."""
    wanted = os.environ.get("CTRL_TRANSPORT", "").strip().lower()
    return bool(wanted) and (wanted == "uds") == (transport == CtrlTransport.UDS)


def uds_of_port(path: str, port: int) -> str:
    """The abstract name of the listener at a socket path that also listens at a TCP port, as a path that begins with ``@``."""
    digest = hashlib.sha256(f"{path}:{port}".encode()).hexdigest()[:32]
    return f"@hmc-ctrl-{digest}"


def listens(name: str) -> bool:
    """True if a process listens at an abstract name."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_ASKED_S)
        try:
            probe.connect("\0" + name.removeprefix("@"))
        except OSError:
            return False
    return True


def listens_at(ip: str, port: int) -> bool:
    """True if a process listens at an address; one that does not answer may be busy."""
    try:
        socket.create_connection((ip, port), timeout=_ASKED_S).close()
    except TimeoutError:
        return True
    except OSError:
        return False
    return True
