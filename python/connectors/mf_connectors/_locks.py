# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Locks on values of the cache: counted leases that are renewed until the last one is given back.

A lease ends by itself, so a process that dies leaves no value locked.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterable

import mf_smem

_LOG = logging.getLogger(__name__)

#: How long one lease keeps a value; it is renewed three times as often.
_LEASE_S = 15.0


class Locks:
    """Locks of one process. Of any thread."""

    def __init__(self, cache: mf_smem.Cache, lease_s: float = _LEASE_S) -> None:
        self._cache, self._lease_s = cache, lease_s
        self._lock = threading.Lock()
        self._counts: Counter[bytes] = Counter()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mf-locks", daemon=True)
        self._thread.start()

    def lock(self, names: Iterable[bytes]) -> list[bool]:
        """Locks values; False for a missing one. Raises the errors of the cache, and locks nothing then."""
        found = [(name, self._cache.lease(name, self._lease_s) is not None) for name in names]
        with self._lock:
            self._counts.update(name for name, is_there in found if is_there)
        return [is_there for _, is_there in found]

    def unlock(self, names: Iterable[bytes]) -> None:
        """Gives one lock of each value back; ignores unlocked ones. After the last one, the value
        stays in place until its lease ends."""
        with self._lock:
            for name in names:
                if self._counts[name] <= 1:
                    del self._counts[name]
                else:
                    self._counts[name] -= 1

    def held(self) -> dict[bytes, int]:
        """Returns the number of locks of each locked value."""
        with self._lock:
            return dict(self._counts)

    def close(self) -> None:
        """Ends all locks. Idempotent."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._lease_s / 3):
            for name in self.held():
                try:
                    # A value that was removed meanwhile has no lease to renew.
                    self._cache.lease(name, self._lease_s)
                except RuntimeError as error:
                    _LOG.warning("memfabric: a lock was not renewed: %s", error)
