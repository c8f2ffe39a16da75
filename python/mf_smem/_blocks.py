# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which parts of a segment are in use: arithmetic on offsets alone.

First fit, lowest first: ranks that make the same calls in the same order get the same offsets.
"""

from __future__ import annotations

import bisect

#: In what parts are given out, and the least alignment: a line of the processor's caches.
UNIT_BYTES = 64


class Blocks:
    """Blocks of a segment. Not for several threads at once."""

    def __init__(self, nbytes: int) -> None:
        self._bytes = 0
        #: Free parts as (start, end), in order; no two touch each other.
        self._free: list[tuple[int, int]] = []
        #: Blocks by offset: where each ends.
        self._ends: dict[int, int] = {}
        self.grow(nbytes)

    @property
    def nbytes(self) -> int:
        """Length of the segment."""
        return self._bytes

    @property
    def free_bytes(self) -> int:
        """Free bytes."""
        return sum(end - start for start, end in self._free)

    @property
    def largest_free(self) -> int:
        """The longest part of that."""
        return max((end - start for start, end in self._free), default=0)

    def grow(self, nbytes: int) -> None:
        """The segment is so long now; it never becomes shorter."""
        if nbytes > self._bytes:
            self._add_free(self._bytes, nbytes)
            self._bytes = nbytes

    def take(self, nbytes: int, align: int) -> int | None:
        """Offset of a block of `nbytes`, a multiple of `align`, a power of two; None: nothing free is large enough."""
        span = max(1, -(-nbytes // UNIT_BYTES)) * UNIT_BYTES
        align = max(align, UNIT_BYTES)
        for index, (start, end) in enumerate(self._free):
            at = -(-start // align) * align
            if at + span > end:
                continue
            rest = [(start, at), (at + span, end)]
            self._free[index:index + 1] = [part for part in rest if part[0] < part[1]]
            self._ends[at] = at + span
            return at
        return None

    def is_block(self, offset: int) -> bool:
        """True if a block begins there."""
        return offset in self._ends

    def around(self, offset: int) -> int | None:
        """Start of the block that contains `offset`, or None."""
        return next((start for start, end in self._ends.items() if start <= offset < end), None)

    def give_back(self, offset: int) -> None:
        """Ends the block that begins at `offset`."""
        self._add_free(offset, self._ends.pop(offset))

    def _add_free(self, start: int, end: int) -> None:
        index = bisect.bisect(self._free, (start, end))
        first = last = index
        if first > 0 and self._free[first - 1][1] == start:
            first -= 1
            start = self._free[first][0]
        if last < len(self._free) and self._free[last][0] == end:
            end = self._free[last][1]
            last += 1
        self._free[first:last] = [(start, end)]
