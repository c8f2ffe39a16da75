# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Registered ranges of memory."""

from __future__ import annotations

import bisect
from collections.abc import Iterator


class Ranges:
    """Ranges of addresses that do not overlap."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._sizes: dict[int, int] = {}

    def overlaps(self, begin: int, size: int) -> bool:
        """True if a range has a byte of these."""
        behind = bisect.bisect_left(self._begins, begin + size)
        return behind > 0 and self._begins[behind - 1] + self._sizes[self._begins[behind - 1]] > begin

    def add(self, begin: int, size: int) -> None:
        """Adds a range that overlaps none."""
        bisect.insort(self._begins, begin)
        self._sizes[begin] = size

    def remove(self, begin: int) -> bool:
        """Removes the range that begins here; False: there is none."""
        if self._sizes.pop(begin, None) is None:
            return False
        del self._begins[bisect.bisect_left(self._begins, begin)]
        return True

    def first(self) -> int:
        """The lowest address; 0: there is no range."""
        return self._begins[0] if self._begins else 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter([(begin, self._sizes[begin]) for begin in self._begins])

    def __len__(self) -> int:
        return len(self._begins)
