# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ledger of announced values: names in the cache, each with an item to report when its value is gone.

The names of removed values come from `Removals`. A name alone proves nothing: the value may have been put
again since. So the ledger asks the cache for the named values that it knows, and for all of them where names
were missed.

A removal may be reported before its value is announced, as a put ends before its announcement. So names that
the ledger did not know are remembered for a while, and are asked for when they are added.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

import mf_smem

Item = TypeVar("Item")
Name = str | bytes

#: Announced values that are remembered; the oldest ones beyond are reported as gone.
_MOST = 1 << 20
#: Values asked for in one call.
_PART = 4096
#: Names of removed values that were not announced, as far as the ledger knows.
_UNKNOWN = 1 << 16
#: How long after missed names each added value is asked for: longer than a put waits for its announcement.
_DOUBT_S = 30.0


class Ledger(Generic[Item]):
    """Announced values. Of any thread."""

    def __init__(self, cache: mf_smem.Cache, most: int = _MOST) -> None:
        self._cache, self._most = cache, most
        self._lock = threading.Lock()
        # A new tuple for each addition, so that a value that was put again is another entry.
        self._entries: OrderedDict[bytes, tuple[Item]] = OrderedDict()
        self._forgotten: list[Item] = []
        self._unknown: OrderedDict[bytes, None] = OrderedDict()
        self._doubted: list[bytes] = []
        self._doubts_until = 0.0

    def __len__(self) -> int:
        with self._lock:
            return len(self._entries)

    def add(self, name: Name, item: Item) -> Item | None:
        """Adds a value; returns its earlier item, or None."""
        name = _encoded(name)
        with self._lock:
            before = self._entries.pop(name, None)
            self._entries[name] = (item,)
            if len(self._entries) > self._most:
                self._forgotten += self._entries.popitem(last=False)[1]
            if self._unknown.pop(name, self) is None or (
                self._doubts_until and time.monotonic() < self._doubts_until
            ):
                self._doubted.append(name)
            return None if before is None else before[0]

    def discard(self, name: Name) -> Item | None:
        """Forgets a value; returns its item, or None."""
        with self._lock:
            entry = self._entries.pop(_encoded(name), None)
            return None if entry is None else entry[0]

    def clear(self) -> None:
        """Forgets all values, without a report."""
        with self._lock:
            self._entries.clear()
            self._forgotten.clear()

    def take_lost(self, removed: Iterable[bytes]) -> list[Item]:
        """Forgets values that are gone, of those with these names; returns their items. Raises the errors of
        the cache: `take_all_lost` finds them later."""
        with self._lock:
            lost, self._forgotten = self._forgotten, []
            doubted, self._doubted = self._doubted, []
            asked = {}
            for name in (*removed, *doubted):
                entry = self._entries.get(name)
                if entry is not None:
                    asked[name] = entry
                else:
                    self._unknown[name] = None
            while len(self._unknown) > _UNKNOWN:
                self._unknown.popitem(last=False)
        named = list(asked.items())
        try:
            for first in range(0, len(named), _PART):
                lost += self._take_missing(named[first : first + _PART])
        except RuntimeError:
            with self._lock:
                self._forgotten += lost
            raise
        return lost

    def take_all_lost(self) -> Iterator[list[Item]]:
        """As `take_lost` for all values, a part at a time, after names were missed."""
        with self._lock:
            self._doubts_until = time.monotonic() + _DOUBT_S
            named = list(self._entries.items())
        for first in range(0, len(named), _PART):
            yield self._take_missing(named[first : first + _PART])

    def _take_missing(self, named: list[tuple[bytes, tuple[Item]]]) -> list[Item]:
        there = self._cache.exists_many([name for name, _ in named])
        lost = []
        with self._lock:
            for (name, entry), is_there in zip(named, there):
                # Not one that was added again meanwhile.
                if not is_there and self._entries.get(name) is entry:
                    del self._entries[name]
                    lost.append(entry[0])
        return lost


def _encoded(name: Name) -> bytes:
    return name.encode() if isinstance(name, str) else name
