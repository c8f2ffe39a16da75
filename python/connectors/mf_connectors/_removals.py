# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names of values that are removed from a cache or evicted, by any process that watches it.

A process learns of its own removals by `Cache.watch`, and sends their names to the others as bulletins, a
few a second, under a key of its own in the store of the cache. The key has a lease, so it goes with its
process.

Where names may have been missed, listeners are notified, and ask the cache: the watch or a bulletin has lost
names, the store was out of reach, members came or left, or a long time has passed, since processes that do
not watch send nothing.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import mf_smem

from ._bulletin import Inbox, Outbox

_LOG = logging.getLogger(__name__)

#: Names that wait, of each kind; more are missed.
_MOST = 1 << 16
#: Pauses between two reads of the watch, of the members, and between two bulletins.
_TICK_S, _MEMBERS_S, _SEND_S = 0.05, 1.0, 0.2
#: A removal waits until the index is whole again after a member has left, also one of no value.
_NOTHING = b"mf-connectors/nothing"
#: How often values are asked for that only processes without a watch may have removed.
_ASK_ALL_S = 600.0
_LEASE_S, _STORE_S, _RETRY_S = 15.0, 10.0, 2.0

#: Called with the names of removed values, and with True where names may have been missed.
Listener = Callable[[Sequence[bytes], bool], None]


class Removals:
    """The removals of one cache. Listeners are called by one thread of this object."""

    def __init__(self, cache: mf_smem.Cache, store_url: str, id: int) -> None:
        self._cache, self._url = cache, store_url
        self._prefix = f"mf-connectors/{id}/removed/"
        self._own_key = self._prefix + secrets.token_hex(8)
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []
        # Held while listeners are called.
        self._calling = threading.Lock()
        self._received: list[bytes] = []
        self._unsent: list[bytes] = []
        self._has_missed = self._has_unsent_gap = False
        self._inboxes: dict[str, Inbox] = {}
        self._ended = threading.Event()
        #: Members of the cache, as last listed.
        self.ranks: frozenset[int] = frozenset()
        cache.watch(_MOST)
        self._threads = [
            threading.Thread(target=self._listen, name="mf-removals", daemon=True),
            threading.Thread(target=self._exchange, name="mf-bulletins", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def attach(self, listener: Listener) -> None:
        """Calls `listener` from now on, some 20 times a second, also without names."""
        with self._calling:
            self._listeners.append(listener)

    def detach(self, listener: Listener) -> None:
        """Ends the calls of `listener`; a running one has returned. Idempotent."""
        with self._calling:
            if listener in self._listeners:
                self._listeners.remove(listener)

    def close(self) -> None:
        """Ends the threads. Idempotent."""
        self._ended.set()
        for thread in self._threads:
            thread.join()
        with contextlib.suppress(RuntimeError):
            self._cache.watch(0)

    def _listen(self) -> None:
        members_at, all_at = 0.0, time.monotonic() + _ASK_ALL_S
        while not self._ended.wait(_TICK_S):
            now = time.monotonic()
            try:
                names, missed = self._own()
                if now >= members_at:
                    members_at = now + _MEMBERS_S
                    before = self.ranks
                    self.ranks = frozenset(member.rank for member in self._cache.members())
                    missed |= before != self.ranks
                missed |= now >= all_at
                with self._lock:
                    missed |= self._has_missed
                    self._has_missed = False
                if missed:
                    all_at = now + _ASK_ALL_S
                    self._cache.remove(_NOTHING)
            except RuntimeError as error:
                if self._cache.closed:
                    self._ended.set()
                    return
                _LOG.warning("memfabric: the cache cannot be asked for removed values: %s", error)
                self._miss()
                self._ended.wait(_RETRY_S)
                continue
            with self._lock:
                if len(self._unsent) + len(names) <= _MOST:
                    self._unsent += names
                else:
                    self._unsent, self._has_unsent_gap = [], True
                names += self._received
                self._received = []
            with self._calling:
                for listener in self._listeners:
                    listener(names, missed)

    def _own(self) -> tuple[list[bytes], bool]:
        """Returns the names of values that this process has removed, and whether some were missed."""
        names: list[bytes] = []
        while True:
            events, lost = self._cache.events()
            names += (event.key for event in events)
            if lost:
                with self._lock:
                    self._has_unsent_gap = True
            if lost or not events:
                return names, lost > 0

    def _exchange(self) -> None:
        outbox = Outbox()
        while not self._ended.is_set():
            try:
                with mf_smem.Store(self._url, timeout=_STORE_S) as store, store.lease(_LEASE_S) as lease:
                    with store.watch(self._prefix, self._read) as watch:
                        # Bulletins of the time without a watch were missed.
                        self._miss()
                        while not self._ended.is_set():
                            # Changes go to `_read`: only the loss of the store ends this pause.
                            with contextlib.suppress(mf_smem.TimedOutError):
                                watch.get(_SEND_S)
                            self._send(store, lease, outbox)
            except RuntimeError as error:
                if not self._ended.is_set():
                    _LOG.warning("memfabric: removed values are not exchanged: %s", error)
                    self._miss()
                    self._ended.wait(_RETRY_S)

    def _send(self, store: mf_smem.Store, lease: Any, outbox: Outbox) -> None:
        with self._lock:
            names, self._unsent = self._unsent, []
            has_gap, self._has_unsent_gap = self._has_unsent_gap, False
        if has_gap:
            outbox.skip()
        if names or has_gap:
            store.set(self._own_key, outbox.bulletin(names), lease=lease)

    def _read(self, change: Any) -> None:
        """Called by the store's thread for each bulletin."""
        if change.key == self._own_key:
            return
        if change.kind is not mf_smem.ChangeKind.PUT:
            self._inboxes.pop(change.key, None)
            return
        try:
            names, missed = self._inboxes.setdefault(change.key, Inbox()).read(change.value)
        except ValueError as error:
            _LOG.warning("memfabric: malformed bulletin %s: %s", change.key, error)
            names, missed = [], True
        with self._lock:
            if missed or len(self._received) + len(names) > _MOST:
                self._received, self._has_missed = [], True
            self._received += names

    def _miss(self) -> None:
        with self._lock:
            self._has_missed = True
