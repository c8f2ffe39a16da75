# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ports of this host, and whether something listens at a port of another."""

from __future__ import annotations

import os
import socket

#: How long a host may take to accept a connection, in seconds.
_CONNECT_S = 5.0


def answers(url: str) -> bool:
    """True if something accepts connections there; a store with another kind of URL is assumed to run."""
    if not url.startswith("tcp://"):
        return True
    host, _, port = url.removeprefix("tcp://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S):
            return True
    except OSError:
        return False


def bound(ports: range, host: str = "") -> socket.socket | None:
    """A socket at a free port of these."""
    start = int.from_bytes(os.urandom(4), "little") % len(ports)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for step in range(len(ports)):
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.bind((host, ports[(start + step) % len(ports)]))
        except OSError:
            made.close()
            continue
        return made
    return None


def free_port(host: str, ports: range) -> int:
    held = bound(ports, host)
    if held is None:
        return 0
    with held:
        return int(held.getsockname()[1])
