# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Set of registered memory ranges."""

from __future__ import annotations

import bisect
from collections.abc import Iterator


class Ranges:
    """Sorted set of disjoint address ranges."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._sizes: dict[int, int] = {}

    def overlaps(self, begin: int, size: int) -> bool:
        """Returns True if the range overlaps a range of the set."""
        behind = bisect.bisect_left(self._begins, begin + size)
        return behind > 0 and self._begins[behind - 1] + self._sizes[self._begins[behind - 1]] > begin

    def add(self, begin: int, size: int) -> None:
        """Adds a range. The caller has checked `overlaps`."""
        bisect.insort(self._begins, begin)
        self._sizes[begin] = size

    def remove(self, begin: int) -> bool:
        """Removes the range with this start address. Returns False if the set has no such range."""
        if self._sizes.pop(begin, None) is None:
            return False
        del self._begins[bisect.bisect_left(self._begins, begin)]
        return True

    def first(self) -> int:
        """Returns the lowest address, or 0 for an empty set."""
        return self._begins[0] if self._begins else 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter([(begin, self._sizes[begin]) for begin in self._begins])
