# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Table of puts in progress by key. A put without an end is dropped after a time limit."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref

import mf_smem


class OpenPuts:
    """Writers of values that are not published yet. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: Writer and end of its time by key, in the order of their ends: all have the same limit.
        self._puts: dict[bytes, tuple[mf_smem.CacheWriter, float]] = {}
        self._timer: threading.Timer | None = None

    def __contains__(self, key: bytes) -> bool:
        return self.get(key) is not None

    def add(self, key: bytes, writer: mf_smem.CacheWriter, limit_s: float) -> None:
        """Adds a writer, which is dropped after `limit_s` seconds."""
        with self._lock:
            late, _ = self._puts.pop(key, (None, 0.0))
            self._puts[key] = (writer, time.monotonic() + limit_s)
            self._arm()
        if late is not None:
            _cancel([late])

    def get(self, key: bytes) -> mf_smem.CacheWriter | None:
        """Returns the writer of a key, or None if it has none, or no more."""
        with self._lock:
            found = self._puts.get(key)
            return None if found is None or found[1] <= time.monotonic() else found[0]

    def take(self, key: bytes) -> mf_smem.CacheWriter | None:
        """Removes and returns the writer of a key, or None."""
        with self._lock:
            writer, end = self._puts.pop(key, (None, 0.0))
        if writer is not None and end <= time.monotonic():
            _cancel([writer])
            return None
        return writer

    def drop_all(self) -> None:
        """Drops all puts."""
        with self._lock:
            writers, self._puts = [writer for writer, _ in self._puts.values()], {}
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        _cancel(writers)

    def _arm(self) -> None:
        """Starts the timer for the first end, unless it runs. The caller holds the lock."""
        if self._timer is not None or not self._puts:
            return
        end = next(iter(self._puts.values()))[1]
        self._timer = threading.Timer(max(0.0, end - time.monotonic()), _drop_late, [weakref.ref(self)])
        self._timer.daemon = True
        self._timer.start()

    def _drop_late(self) -> None:
        now = time.monotonic()
        with self._lock:
            self._timer = None
            late = [key for key, (_, end) in self._puts.items() if end <= now]
            writers = [self._puts.pop(key)[0] for key in late]
            self._arm()
        _cancel(writers)


def _drop_late(puts: weakref.ref[OpenPuts]) -> None:
    # A weak reference: the timer does not keep a store.
    alive = puts()
    if alive is not None:
        alive._drop_late()


def _cancel(writers: list[mf_smem.CacheWriter]) -> None:
    for writer in writers:
        with contextlib.suppress(mf_smem.Error):
            writer.cancel()
