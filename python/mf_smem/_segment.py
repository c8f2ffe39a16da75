# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory of a pool that this process gives out in blocks, also to arrays.

An array has a part of a mapping of its own, so it is valid for as long as it lives, independently of the pool. Its block is
given back when the last one that shows it is collected: by a note in a queue, because collection can happen anywhere, also
during a call here.
"""

from __future__ import annotations

import threading
from collections import deque

from . import bm
from ._blocks import UNIT_BYTES, Blocks
from ._enums import BmMemType
from ._errors import ErrorKind, OutOfMemoryError, invalid
from ._sizes import shown

#: Segments begin at multiples of it.
_ALIGN_MAX = 2 << 20


class Lease:
    """A block that an array lies in; ends with the last array."""

    def __init__(self, offset: int, returned: deque[int]) -> None:
        self._offset, self._returned = offset, returned

    def __del__(self) -> None:
        self._returned.append(self._offset)


class Segment:
    """One's own segment of a kind, in blocks. For any thread."""

    def __init__(self, memory: bm.BigMemory, kind: BmMemType, who: str) -> None:
        self._memory, self._kind, self._who = memory, kind, who
        #: Of the blocks, for moments.
        self._lock = threading.Lock()
        self._blocks = Blocks(0)
        #: Blocks that arrays lie in; what those gave back that are gone.
        self._leased: set[int] = set()
        self._returned: deque[int] = deque()

    def alloc(self, nbytes: int, align: int) -> int:
        """Offset of a new block."""
        with self._lock:
            return self._take(nbytes, align)

    def lease(self, nbytes: int, align: int) -> tuple[int, Lease]:
        """Offset of a new block, which ends with the result."""
        with self._lock:
            offset = self._take(nbytes, align)
            self._leased.add(offset)
        return offset, Lease(offset, self._returned)

    def free(self, offset: int, address: int) -> None:
        """Frees the block at `offset`; `address` is the caller's, for errors."""
        with self._lock:
            self._settle()
            if offset in self._leased:
                raise invalid(f"free: the block at {address:#x} is an array's, and is given back with the last array in it")
            if self._blocks.is_block(offset):
                self._blocks.give_back(offset)
                return
            start = self._blocks.around(offset)
        if start is None:
            raise invalid(f"free: no block is at {address:#x}: it was given back before, or never given out")
        raise invalid(f"free: {address:#x} lies {offset - start} bytes behind the start of its block, which is what free takes")

    def usage(self) -> tuple[int, int, int]:
        """Bytes of the segment, bytes that are free, and the longest part of those."""
        with self._lock:
            self._settle()
            self._grow()
            return self._blocks.nbytes, self._blocks.free_bytes, self._blocks.largest_free

    def _take(self, nbytes: int, align: int) -> int:
        if nbytes < 1:
            raise invalid(f"alloc: a block has at least 1 byte, not {nbytes}")
        if not 1 <= align <= _ALIGN_MAX or align & (align - 1):
            raise invalid(f"alloc: align must be a power of two from 1 to {_ALIGN_MAX}, not {align}")
        self._settle()
        offset = self._blocks.take(nbytes, align)
        if offset is None:
            self._grow()
            offset = self._blocks.take(nbytes, align)
        if offset is None:
            blocks = self._blocks
            raise OutOfMemoryError(
                ErrorKind.OUT_OF_MEMORY,
                f"alloc: {nbytes} bytes ({shown(nbytes)}) at multiples of {max(align, UNIT_BYTES)} do not fit into {self._who}: "
                f"of its {blocks.nbytes} bytes ({shown(blocks.nbytes)}) {blocks.free_bytes} are free, at most "
                f"{blocks.largest_free} of them together; give blocks back, or extend the pool",
            )
        return offset

    def _settle(self) -> None:
        while self._returned:
            offset = self._returned.popleft()
            self._leased.discard(offset)
            self._blocks.give_back(offset)

    def _grow(self) -> None:
        self._blocks.grow(self._memory.local_mem_size(self._kind))
