# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ledger of announced values, and a watch that reports lost ones.

Any process may evict or remove a value, and the others are not notified. So a thread asks for the announced
values in turn, many a call, and reports the missing ones. A loss is missed if the value is put again before
the next question.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

import mf_smem

_LOG = logging.getLogger(__name__)

Item = TypeVar("Item")
Name = str | bytes

#: Announced values that are remembered; the oldest ones beyond are reported as gone.
_MOST = 1 << 20
#: Values asked for in one call.
_PART = 4096


class Ledger(Generic[Item]):
    """Names of values in the cache, with something to report when one is gone. Of any thread."""

    def __init__(self, cache: mf_smem.Cache, most: int = _MOST) -> None:
        self._cache, self._most = cache, most
        self._lock = threading.Lock()
        self._items: OrderedDict[Name, Item] = OrderedDict()
        self._forgotten: list[Item] = []

    def __len__(self) -> int:
        with self._lock:
            return len(self._items)

    def add(self, name: Name, item: Item) -> Item | None:
        """Remembers a value; returns its earlier item, or None."""
        with self._lock:
            before = self._items.pop(name, None)
            self._items[name] = item
            if len(self._items) > self._most:
                self._forgotten.append(self._items.popitem(last=False)[1])
            return before

    def discard(self, name: Name) -> Item | None:
        """Forgets a value; returns its item, or None."""
        with self._lock:
            return self._items.pop(name, None)

    def clear(self) -> None:
        """Forgets all values, without a report."""
        with self._lock:
            self._items.clear()
            self._forgotten.clear()

    def gone(self, count: int = _PART) -> list[Item]:
        """Asks for `count` values, the longest unasked ones first; forgets and returns the missing ones.
        Raises the errors of the cache."""
        with self._lock:
            asked = list(itertools.islice(self._items.items(), count))
        there = self._cache.exists_many([name for name, _ in asked]) if asked else []
        with self._lock:
            lost, self._forgotten = self._forgotten, []
            for (name, item), is_there in zip(asked, there):
                # Not one that was put again meanwhile.
                if self._items.get(name) is not item:
                    continue
                if is_there:
                    self._items.move_to_end(name)
                else:
                    del self._items[name]
                    lost.append(item)
        return lost


class Watch(Generic[Item]):
    """A thread that asks for a ledger's values, all of them once in `seconds`, and hands lost ones to
    `report`."""

    def __init__(
        self, ledger: Ledger[Item], report: Callable[[list[Item]], None], seconds: float = 10.0
    ) -> None:
        self._ledger, self._report, self._seconds = ledger, report, seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mf-watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread. Idempotent."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            parts = max(1, -(-len(self._ledger) // _PART))
            for _ in range(parts):
                if self._ended.wait(self._seconds / parts):
                    return
                try:
                    lost = self._ledger.gone()
                    if lost:
                        self._report(lost)
                except RuntimeError as error:
                    _LOG.warning("memfabric: the cache cannot be asked for lost values: %s", error)
