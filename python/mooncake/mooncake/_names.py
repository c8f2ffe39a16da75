# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names of engines, and their resolution to addresses."""

from __future__ import annotations

import re
import socket
import urllib.error
import urllib.parse
import urllib.request

#: Timeout of a request to a metadata server, in seconds.
_ANSWER_S = 5.0
#: Prefix of this package's keys at the metadata server.
_PREFIX = "memfabric/"
#: Protocols for the memory of accelerators.
_OF_DEVICES = frozenset(("ascend", "ascend_direct", "hccl", "npu", "cuda", "hip", "nvlink"))


def split(name: str) -> tuple[str, int]:
    """Parses ``host``, ``host:port``, ``[v6]:port`` or ``v6``. Returns host and port, 0 for no port. Raises `ValueError`."""
    host, port = name.strip(), ""
    if host.startswith("["):
        host, _, port = host[1:].partition("]")
        port = port.removeprefix(":")
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
    if not host or (port and not (port.isascii() and port.isdigit() and int(port) < 65_536)):
        raise ValueError(f"{name!r} is no address: host or host:port is expected")
    return host, int(port or 0)


def resolved(name: str) -> tuple[str, int]:
    """Parses a name as `split`, and resolves its host to an IP address. Raises `ValueError` also for an unknown host."""
    host, port = split(name)
    try:
        found = socket.getaddrinfo(host, port or None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{name!r}: the host {host} has no address: {error}") from None
    # IPv4 first: engines listen on it by default.
    found.sort(key=lambda one: one[0] != socket.AF_INET)
    return str(found[0][4][0]), port


def joined(host: str, port: int) -> str:
    """Formats ``host:port``, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def device_of(name: str, protocol: str, device_name: str) -> tuple[str, int]:
    """Returns the address in the name of an engine, and its accelerator, -1 for none: ``host:port:npu_3`` names number 3."""
    found = re.fullmatch(r"(.+):npu_(\d{1,4})", name)
    if found is not None:
        return found[1], int(found[2])
    if protocol.lower() not in _OF_DEVICES:
        return name, -1
    number = device_name.rpartition(":")[2].strip()
    return name, int(number) if number.isascii() and number.isdigit() else 0


class Metadata:
    """Client of an HTTP metadata server, which maps names without a port to addresses of engines."""

    def __init__(self, url: str) -> None:
        self._url = url

    def put(self, name: str, address: str) -> None:
        """Stores the address of a name. Raises `OSError` if the server refuses or does not answer."""
        self._ask("PUT", name, address.encode())

    def get(self, name: str) -> str | None:
        """Returns the address of a name, or None for an unknown name. Raises `OSError` if the server does not answer."""
        try:
            return self._ask("GET", name, None).decode()
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def _ask(self, method: str, name: str, body: bytes | None) -> bytes:
        url = f"{self._url}?{urllib.parse.urlencode({'key': _PREFIX + name})}"
        request = urllib.request.Request(url, data=body, method=method)
        with urllib.request.urlopen(request, timeout=_ANSWER_S) as answer:
            return bytes(answer.read())
