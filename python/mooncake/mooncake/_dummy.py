# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Thin clients, which ask a ``mooncake_client`` on their host for the address of the store."""

from __future__ import annotations

import json
import mmap
import socket
import threading
from ctypes import addressof, c_char

from ._names import split
from ._place import Place, place

_ANSWER_S = 5.0
_ALIGN = 64
#: Maximum answer, in bytes.
_LONGEST = 4096


def socket_name(port: int) -> str:
    """Returns the name of the abstract socket on which the client with this port listens."""
    return f"\0mooncake_client_{port}.sock"


def place_of(server_address: str) -> Place:
    """Asks the client at an address for its store, and returns the place of a member without memory.

    Raises `OSError` if no client answers, `ValueError` for a bad address or answer.
    """
    port = split(server_address)[1]
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
        asked.settimeout(_ANSWER_S)
        try:
            asked.connect(socket_name(port))
        except OSError as error:
            raise OSError(f"no mooncake_client of this host serves port {port}: {error}") from None
        answer = b""
        while len(answer) <= _LONGEST and (part := asked.recv(_LONGEST)):
            answer += part
    said = json.loads(answer)
    return place(
        {
            "local_hostname": said["host"],
            "metadata_server": said["store_url"],
            "global_segment_size": 0,
            "tenant_id": said["tenant"],
        }
    )


def answer(listening: socket.socket, at: Place) -> None:
    """Accepts one thin client, and sends it the address of the store."""
    asked, _ = listening.accept()
    with asked:
        asked.settimeout(_ANSWER_S)
        host = split(at.name)[0]
        asked.sendall(json.dumps({"store_url": at.store_url, "tenant": at.tenant, "host": host}).encode())


class MemoryPool:
    """Bump allocator: memory is never freed before the pool."""

    def __init__(self, size: int) -> None:
        """Maps `size` bytes. Raises `ValueError` for a negative size, `OSError` if the mapping fails."""
        if size < 0:
            raise ValueError(f"mem_pool_size is {size}")
        self._lock = threading.Lock()
        self._memory = mmap.mmap(-1, max(size, 1))
        self._begin = addressof(c_char.from_buffer(self._memory))
        self._size, self._used = size, 0

    def take(self, size: int) -> int:
        """Allocates `size` bytes. Returns the address, or 0 if the pool has less room."""
        if size <= 0:
            return 0
        with self._lock:
            if self._used + size > self._size:
                return 0
            address = self._begin + self._used
            self._used += -(-size // _ALIGN) * _ALIGN
            return address
