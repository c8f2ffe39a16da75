# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Common parts of the programs of this folder: identity, a meeting point, patterns, host buffers."""

import ctypes
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

RANK = int(os.environ["RANK"])
WORLD = int(os.environ["WORLD_SIZE"])
URL = os.environ["MF_CONFIG_STORE_URL"]
_TIMEOUT_S = 60
_notes = Path(os.environ["NOTES"])


def meet(name: str) -> None:
    """Waits for all ranks; names the missing ones."""
    (_notes / f"{name}.{RANK}").touch()
    end = time.monotonic() + _TIMEOUT_S
    while True:
        missing = [rank for rank in range(WORLD) if not (_notes / f"{name}.{rank}").exists()]
        if not missing:
            return
        if time.monotonic() > end:
            sys.exit(f"rank {RANK}: ranks {missing} did not come to {name}")
        time.sleep(0.002)


def one_by_one(end: Callable[[], object]) -> None:
    """The ranks end one after the other, the last one first.

    The package's own end and its thread that is notified of the end of a peer change the same lists without a lock.
    """
    for rank in reversed(range(WORLD)):
        if rank == RANK:
            end()
        meet(f"rank {rank} has ended")
        time.sleep(1)


def say(name: str, value: str) -> None:
    """Leaves a note for the others."""
    draft = _notes / f".{name}.{RANK}"
    draft.write_text(value)
    draft.rename(_notes / name)


def read_note(name: str) -> str:
    """Waits for a note."""
    end = time.monotonic() + _TIMEOUT_S
    while not (_notes / name).exists():
        if time.monotonic() > end:
            sys.exit(f"rank {RANK}: no note {name}")
        time.sleep(0.002)
    return (_notes / name).read_text()


def pattern(rank: int, size: int) -> bytes:
    """Bytes that differ by rank and offset."""
    return bytes((rank * 131 + i * 7 + (i >> 8)) & 0xFF for i in range(4096)) * (size // 4096)


def expect(what: str, got, wanted) -> None:
    if got != wanted:
        shown = (got[:16], wanted[:16]) if isinstance(got, bytes) else (got, wanted)
        sys.exit(f"rank {RANK}: {what}: got {shown[0]!r}, expected {shown[1]!r}")


class HostBuffer:
    """Host memory with an address."""

    def __init__(self, data: bytes):
        self._buffer = ctypes.create_string_buffer(data, len(data))
        self.address = ctypes.addressof(self._buffer)

    @property
    def data(self) -> bytes:
        return self._buffer.raw


def done(what: str) -> None:
    meet("end-" + what)
    print(f"rank {RANK}: {what}: right", flush=True)
