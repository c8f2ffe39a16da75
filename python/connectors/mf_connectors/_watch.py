# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Watch of a ledger: a thread announces stored values and reports lost ones, in the order in which it learns
of them. A put only appends to a queue.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic

from ._ledger import Item, Ledger
from ._removals import Removals

_LOG = logging.getLogger(__name__)

#: Announcements that wait; more are lost, and their values are never announced.
_MOST = 1 << 16
#: Pause after the cache could not be asked.
_RETRY_S = 1.0


class Watch(Generic[Item]):
    """Hands lost values of a ledger to `report`, on the thread of `removals`."""

    def __init__(
        self, ledger: Ledger[Item], removals: Removals, report: Callable[[list[Item]], None]
    ) -> None:
        self._ledger, self._removals, self._report = ledger, removals, report
        self._pending: deque[Callable[[], None]] = deque()
        self._lost = 0
        self._ask_all_at: float | None = None
        removals.attach(self._tick)

    def announce(self, work: Callable[[], None]) -> None:
        """Lets the thread call `work`, which adds stored values to the ledger and announces new ones.
        Never blocks."""
        if len(self._pending) < _MOST:
            self._pending.append(work)
            return
        self._lost += 1
        if self._lost.bit_count() == 1:
            _LOG.warning("memfabric: %d announcements of stored values were lost", self._lost)

    def close(self) -> None:
        """Makes the last announcements, and ends the reports. Idempotent."""
        self._removals.detach(self._tick)
        self._announce()

    def _announce(self) -> None:
        while self._pending:
            self._pending.popleft()()

    def _tick(self, removed: Sequence[bytes], missed: bool) -> None:
        # First: a value that was removed after its put may wait to be announced.
        self._announce()
        now = time.monotonic()
        if missed:
            self._ask_all_at = now
        try:
            self._hand(self._ledger.take_lost(removed))
            if self._ask_all_at is not None and now >= self._ask_all_at:
                for lost in self._ledger.take_all_lost():
                    self._hand(lost)
                self._ask_all_at = None
        except RuntimeError as error:
            _LOG.warning("memfabric: the cache cannot be asked for lost values: %s", error)
            self._ask_all_at = now + _RETRY_S

    def _hand(self, lost: list[Item]) -> None:
        if lost:
            self._report(lost)
