# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A queue of keys. Threads write their values, the oldest first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Behind:
    """A bounded queue of keys, each of them in it once, and the daemon threads that write their values."""

    def __init__(self, most: int, threads: int, write: Callable[[bytes], None]) -> None:
        self._most, self._write = most, write
        # In the order of the pushes.
        self._keys: dict[bytes, None] = {}
        self._writing: list[bytes] = []
        self._closed = False
        self._changed = threading.Condition()
        for number in range(threads):
            threading.Thread(target=self._run, name=f"mf-last-tier-writer-{number}", daemon=True).start()

    @property
    def queued(self) -> int:
        """Keys that wait."""
        return len(self._keys)

    def push(self, key: bytes) -> bool:
        """Queues a key; False if the queue is full or closed."""
        with self._changed:
            if self._closed or (len(self._keys) >= self._most and key not in self._keys):
                return False
            self._keys[key] = None
            self._changed.notify_all()
            return True

    def take_back(self, key: bytes, timeout: float) -> bool:
        """Removes a key from the queue, and waits until a write of it has ended; False after `timeout` seconds."""
        with self._changed:
            self._keys.pop(key, None)
            return self._changed.wait_for(lambda: key not in self._writing, timeout)

    def flush(self, timeout: float) -> bool:
        """Waits until nothing waits and nothing is written; False after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(self._is_idle, timeout)

    def close(self, timeout: float) -> int:
        """Flushes, and ends the threads; a write that hangs outlives it. Returns the number of keys that were dropped."""
        end = time.monotonic() + timeout
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(self._is_idle, max(0.0, end - time.monotonic()))
            dropped = len(self._keys)
            self._keys.clear()
            self._changed.notify_all()
            return dropped

    def _is_idle(self) -> bool:
        return not self._keys and not self._writing

    def _next(self) -> bytes | None:
        """Waits for a key that no other thread writes. None: closed."""
        while True:
            key = next((key for key in self._keys if key not in self._writing), None)
            if key is not None:
                del self._keys[key]
                self._writing.append(key)
                return key
            if self._closed and not self._keys:
                return None
            self._changed.wait()

    def _run(self) -> None:
        while True:
            with self._changed:
                key = self._next()
            if key is None:
                return
            try:
                self._write(key)
            finally:
                with self._changed:
                    self._writing.remove(key)
                    self._changed.notify_all()
