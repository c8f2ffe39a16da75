# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Thin clients: they learn the store from a ``mooncake_client`` of their host."""

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
#: Longest answer, in bytes.
_LONGEST = 4096


def socket_name(port: int) -> str:
    """The abstract socket where the client with this port answers."""
    return f"\0mooncake_client_{port}.sock"


def place_of(server_address: str, buffers: int) -> Place:
    """Where the client at this address is set up, for a member without memory. Raises `OSError`, `ValueError`."""
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
            "local_buffer_size": buffers,
            "tenant_id": said["tenant"],
        }
    )


def answer(listening: socket.socket, at: Place) -> None:
    """Answers one thin client."""
    asked, _ = listening.accept()
    with asked:
        asked.settimeout(_ANSWER_S)
        host = split(at.name)[0]
        asked.sendall(json.dumps({"store_url": at.store_url, "tenant": at.tenant, "host": host}).encode())


class MemoryPool:
    """Memory that is handed out from its start on, and never taken back."""

    def __init__(self, size: int) -> None:
        """Raises `ValueError`, `OSError` where there is no such memory."""
        if size < 0:
            raise ValueError(f"mem_pool_size is {size}")
        self._lock = threading.Lock()
        self._memory = mmap.mmap(-1, max(size, 1))
        self._begin = addressof(c_char.from_buffer(self._memory))
        self._size, self._used = size, 0

    def take(self, size: int) -> int:
        """The address of so many bytes; 0: there are not so many left."""
        if size <= 0:
            return 0
        with self._lock:
            if self._used + size > self._size:
                return 0
            address = self._begin + self._used
            self._used += -(-size // _ALIGN) * _ALIGN
            return address
